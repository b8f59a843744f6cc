// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/call.c: the life of a buddy_call, and what its outcome is. */
#define _GNU_SOURCE
#include "core/registry/call.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/shown.h"
#include "core/base/text.h"

/* ---- Slots ---- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bd_calls *free_calls;

/* Of a slot that no call has had, nothing but its phase is looked at. */
static bd_calls *create_calls(void) {
  bd_calls *calls = bd_malloc(sizeof *calls);
  if (!calls) return NULL;
  for (size_t i = 0; i < BD_CALL_SLOTS; ++i) calls->slots[i].phase = BD_PHASE_DEAD;
  calls->next = 0;
  calls->next_free = NULL;
  return calls;
}

bd_calls *bd_calls_take(bd_reasons *reasons) {
  pthread_mutex_lock(&lock);
  bd_calls *calls = free_calls;
  if (calls) free_calls = calls->next_free;
  pthread_mutex_unlock(&lock);
  if (!calls) calls = create_calls();
  if (calls) calls->reasons = reasons;
  return calls;
}

void bd_calls_give_back(bd_calls *calls) {
  if (!calls) return;
  pthread_mutex_lock(&lock);
  calls->next_free = free_calls;
  free_calls = calls;
  pthread_mutex_unlock(&lock);
}

buddy_call *bd_call_begin(bd_calls *calls, buddy_plan *plan, const bd_row *row, buddy_node *node,
                          bd_phase phase) {
  for (size_t tries = 0; tries < BD_CALL_SLOTS; ++tries) {
    buddy_call *call = &calls->slots[calls->next];
    calls->next = (calls->next + 1) % BD_CALL_SLOTS;
    if (call->phase != BD_PHASE_DEAD) continue;
    *call = (buddy_call){.phase = phase,
                         .thread = bd_this_thread(),
                         .row = row,
                         .node = node,
                         .plan = plan,
                         .reasons = calls->reasons,
                         .reason = ""};
    return call;
  }
  return NULL;
}

void bd_call_was_foreign(const buddy_call *call) {
  buddy_call *foreign = (buddy_call *)(uintptr_t)call;
  atomic_store(&foreign->was_foreign, true);
}

/* ---- Outcome ---- */
static bool is_known(buddy_code code) { return code >= BUDDY_OK && code <= BUDDY_INTERNAL; }

/* Null when memory is out. Without the heap where it can be, since a program has many nodes, each
 * declined by many rows for few different reasons, most of which are constants of the plugin: the
 * same bytes at the same address are known at once. */
static const char *keep_reason(bd_reasons *reasons, buddy_sv why) {
  const uint64_t address = (uintptr_t)why.data; /* plugins are mapped at whole pages */
  bd_recent_reason *recent = &reasons->recent[(address >> 3 ^ address >> 12) % BD_RECENT_REASONS];
  if (recent->data == why.data && recent->size == why.size &&
      !memcmp(recent->reason, why.data, why.size)) {
    return recent->reason;
  }
  char shown[BD_SHOWN_SIZE(BD_MAX_REASON)];
  bd_text text;
  bd_text_init_fixed(&text, shown, sizeof shown);
  bd_text_shown(&text, why.data, why.size, BD_MAX_REASON);
  const char *reason = bd_intern(&reasons->strings, text.data, text.size);
  const bool is_as_given = text.size == why.size && !memcmp(text.data, why.data, why.size);
  if (reason && is_as_given) *recent = (bd_recent_reason){why.data, why.size, reason};
  return reason;
}

buddy_code bd_call_record(buddy_call *call, buddy_code code, buddy_sv why) {
  if (call->code != BUDDY_OK) return call->code;
  call->code = is_known(code) && code != BUDDY_OK ? code : BUDDY_INTERNAL;
  if (!why.data || !why.size) return call->code;
  const char *reason = keep_reason(call->reasons, why);
  if (!reason) return call->code = BUDDY_OUT_OF_MEMORY;
  call->reason = reason;
  return call->code;
}

buddy_code bd_call_fail(buddy_call *call, buddy_code code, const char *format, ...) {
  if (!bd_call_is_usable(call)) return BUDDY_INVALID_ARGUMENT;
  char why[BD_MAX_REASON];
  va_list args;
  va_start(args, format);
  const int size = vsnprintf(why, sizeof why, format, args);
  va_end(args);
  const size_t n = size < 0 ? 0 : (size_t)size < sizeof why ? (size_t)size : sizeof why - 1;
  return bd_call_record(call, code, (buddy_sv){why, n});
}

buddy_code bd_call_result(const buddy_call *call, buddy_code returned) {
  if (atomic_load(&call->was_foreign)) return BUDDY_INVALID_ARGUMENT;
  if (call->code != BUDDY_OK) return call->code;
  return is_known(returned) ? returned : BUDDY_INTERNAL;
}

/* Interned; null when memory is out. */
static const char *reason_for(const buddy_call *call, buddy_code returned) {
  const bool was_foreign = atomic_load(&call->was_foreign);
  if (*call->reason && !was_foreign) return call->reason;
  char text[64] = "no reason given";
  if (was_foreign) {
    snprintf(text, sizeof text, "called a host function on another thread");
  } else if (call->code == BUDDY_OK && !is_known(returned)) {
    snprintf(text, sizeof text, "returned the unknown code %d", (int)returned);
  }
  return bd_intern(&call->reasons->strings, text, strlen(text));
}

bd_outcome bd_call_end(buddy_call *call, buddy_code returned) {
  bd_outcome outcome = {bd_call_result(call, returned), "", call->read};
  if (outcome.code != BUDDY_OK) {
    outcome.reason = reason_for(call, returned);
    if (!outcome.reason) outcome = (bd_outcome){BUDDY_OUT_OF_MEMORY, "", call->read};
  }
  bd_arena_deinit(&call->scratch);
  call->phase = BD_PHASE_DEAD;
  return outcome;
}

buddy_code bd_call_run(buddy_call *call) {
  const buddy_op *op = call->row->op;
  buddy_code (*const callback)(void *, const buddy_op *, buddy_call *) =
      call->phase == BD_PHASE_MATCH  ? op->match
      : call->phase == BD_PHASE_EMIT ? op->emit
                                     : op->expand;
  const bd_plugin *plugin = call->row->plugin;
  const bd_transform *transform = call->row->transform;
  bd_plugin_enter(plugin);
  const buddy_code code = transform ? transform->rewrite(plugin->state, transform->self, call)
                                    : callback(plugin->state, bd_row_self(call->row), call);
  bd_plugin_leave(plugin);
  return code;
}

/* ---- Arguments ---- */
const char *bd_row_argument_name(const bd_row *row, size_t i) {
  return buddy_opdef_arg(row->def, row->arguments[i])->name;
}

const char *bd_call_unread(const bd_row *row, const buddy_node *node, uint64_t read) {
  for (size_t i = 0; i < row->n_arguments; ++i) {
    if (!(read >> i & 1) && !buddy_node_arg_is_default(node, row->arguments[i])) {
      return bd_row_argument_name(row, i);
    }
  }
  return NULL;
}

static const buddy_graph *top_of(const buddy_graph *graph) {
  for (const buddy_graph *parent; (parent = buddy_graph_parent(graph));) graph = parent;
  return graph;
}

bool bd_call_accepts_value(buddy_call *call, const buddy_value *value, const char *service) {
  if (!value) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "%s: the value is null", service);
    return false;
  }
  const buddy_graph *graph = buddy_node_graph(call->node), *other = buddy_value_graph(value);
  if (graph == other || (other && top_of(graph) == top_of(other))) return true;
  bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "%s: the value belongs to another graph", service);
  return false;
}

/* ---- For emitters ---- */
buddy_node *bd_call_node(const buddy_call *call) { return call ? call->node : NULL; }
buddy_plan *bd_call_plan(const buddy_call *call) { return call ? call->plan : NULL; }
const bd_emitter *bd_call_emitter(const buddy_call *call) {
  return bd_call_is_usable(call) ? call->emitter : NULL;
}
void *bd_call_emitter_state(const buddy_call *call) {
  return bd_call_is_usable(call) ? call->emitter_state : NULL;
}
