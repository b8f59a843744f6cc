// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/call.h: one question about one node, put to one row. */
#ifndef BUDDY_CORE_REGISTRY_CALL_H
#define BUDDY_CORE_REGISTRY_CALL_H

#include <stdatomic.h>

#include "core/base/intern.h"
#include "core/base/memory.h"
#include "core/registry/emitter.h"
#include "core/registry/rows.h"

#define BD_MAX_CALL_NODES 65536 /* that one expand() may add */
#define BD_MAX_CALL_OPS 65536   /* that one emit() may build through the host */
#define BD_MAX_REASON 2048      /* bytes of a sentence that is kept */

typedef enum bd_phase { BD_PHASE_DEAD, BD_PHASE_MATCH, BD_PHASE_EXPAND, BD_PHASE_EMIT } bd_phase;

/* What a plugin gave as a reason, and the same text as the plan keeps it. */
#define BD_RECENT_REASONS 32
typedef struct bd_recent_reason {
  const char *data;
  size_t size;
  const char *reason;
} bd_recent_reason;

/* Of one plan: equal reasons are one string. */
typedef struct bd_reasons {
  bd_interner strings;
  bd_recent_reason recent[BD_RECENT_REASONS];
} bd_reasons;

/* What an expand() has said so far. */
typedef struct bd_expansion {
  const buddy_value **replacements; /* one per result; null: not given */
  size_t n_nodes;                   /* added by this call */
  size_t *budget;                   /* nodes that the imported node may still become */
} bd_expansion;

/* What tells the running thread from all others. Asked for in every service of the host. */
typedef uintptr_t bd_thread;
#if __has_builtin(__builtin_thread_pointer)
static inline bd_thread bd_this_thread(void) { return (bd_thread)__builtin_thread_pointer(); }
#else
#include <pthread.h>
static inline bd_thread bd_this_thread(void) { return (bd_thread)pthread_self(); }
#endif

struct buddy_call {
  bd_phase phase;
  bd_thread thread;
  atomic_bool was_foreign; /* a host function was called with it on another thread */
  const bd_row *row;
  buddy_node *node;
  buddy_plan *plan;
  bd_reasons *reasons;
  uint64_t read;      /* set of the row's arguments that were read */
  buddy_code code;    /* the first that was recorded */
  const char *reason; /* interned; "" */
  bd_arena scratch;
  bd_expansion *expansion;   /* in BD_PHASE_EXPAND */
  const bd_emitter *emitter; /* in BD_PHASE_EMIT */
  void *emitter_state;
  size_t n_ops;
};

/* Calls are handed to plugins, who may keep the pointer although they must not. So a call's memory
 * is never given back to the heap, and a slot is used again only after many others: a call that is
 * over looks dead, and host functions refuse it. One plan has one bd_calls, and returns it when it
 * goes. */
#define BD_CALL_SLOTS 96
typedef struct bd_calls {
  buddy_call slots[BD_CALL_SLOTS];
  size_t next;
  bd_reasons *reasons; /* of the plan that has it */
  struct bd_calls *next_free;
} bd_calls;

bd_calls *bd_calls_take(bd_reasons *reasons); /* null when memory is out */
void bd_calls_give_back(bd_calls *calls);

/* What came out of a call. */
typedef struct bd_outcome {
  buddy_code code;
  const char *reason; /* interned; "" if code is BUDDY_OK */
  uint64_t read;
} bd_outcome;

/* A live call on this thread; null if as many are live as there are slots. */
buddy_call *bd_call_begin(bd_calls *calls, buddy_plan *plan, const bd_row *row, buddy_node *node,
                          bd_phase phase);
/* Runs the row's callback for the phase, under its registry's lock if it has one. */
buddy_code bd_call_run(buddy_call *call);
/* Ends it. `returned`: by the callback; what was recorded before counts more. */
bd_outcome bd_call_end(buddy_call *call, buddy_code returned);
/* As bd_call_end would say, without ending it. */
buddy_code bd_call_result(const buddy_call *call, buddy_code returned);

/* Records an outcome unless there is one; returns the code that is recorded then. */
buddy_code bd_call_record(buddy_call *call, buddy_code code, buddy_sv why);
/* Remembers that a live call was used on another thread. */
void bd_call_was_foreign(const buddy_call *call);
/* True if the call is alive and this is its thread. */
static inline bool bd_call_is_usable(const buddy_call *call) {
  if (!call || call->phase == BD_PHASE_DEAD) return false;
  if (call->thread == bd_this_thread()) return true;
  bd_call_was_foreign(call);
  return false;
}
/* False, and recorded in the call, if the value is null or belongs to another program. */
bool bd_call_accepts_value(buddy_call *call, const buddy_value *value, const char *service);
/* The name that the schema gives to argument i of the row. */
const char *bd_row_argument_name(const bd_row *row, size_t i);
/* The first argument that the row lists, that is not at its default, and that is not in `read`;
 * null if there is none. */
const char *bd_call_unread(const bd_row *row, const buddy_node *node, uint64_t read);

#endif
