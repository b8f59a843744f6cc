// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/host.c: the services that a row may ask for. Every one of them doubts its
 * arguments: the call may be null, over, or used on another thread; numbers may be out of range;
 * values may be null or of another graph. Such a use is recorded in the call, which then fails
 * whatever its callback returns; a null never gets any further. */
#define _GNU_SOURCE
#include "core/registry/host.h"

#include <string.h>

#include "core/registry/call.h"
#include "core/registry/host_services.h"

/* Functions of the table that only ask take a const call; a misuse has to be recorded all the
 * same. */
static buddy_call *writable(const buddy_call *call) { return (buddy_call *)(uintptr_t)call; }

/* ---- Memory ---- */
static void *host_scratch(buddy_call *call, size_t size) {
  if (!bd_call_is_usable(call)) return NULL;
  void *memory = bd_arena_alloc(&call->scratch, size ? size : 1);
  if (!memory) bd_call_fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
  return memory;
}

static void *host_alloc(size_t size) { return bd_malloc(size); }
static void host_free(void *memory) { bd_free(memory); }

/* ---- Outcome ---- */
static buddy_code host_decline(buddy_call *call, buddy_sv why) {
  if (!bd_call_is_usable(call)) return BUDDY_INVALID_ARGUMENT;
  return bd_call_record(call, BUDDY_DECLINED, why);
}

static buddy_code host_fail(buddy_call *call, buddy_code code, buddy_sv why) {
  if (!bd_call_is_usable(call)) return BUDDY_INVALID_ARGUMENT;
  /* Success is no failure, and declining has a function of its own. */
  return bd_call_record(call, code == BUDDY_DECLINED ? BUDDY_INTERNAL : code, why);
}

/* ---- The node ---- */
static buddy_sv host_op_name(const buddy_call *call) {
  if (!bd_call_is_usable(call)) return (buddy_sv){"", 0};
  const char *name = buddy_node_op(call->node);
  return (buddy_sv){name, strlen(name)};
}

static size_t host_n_args(const buddy_call *call) {
  return bd_call_is_usable(call) ? call->row->n_arguments : 0;
}

static const buddy_arg *host_arg(buddy_call *call, size_t i) {
  if (!bd_call_is_usable(call)) return NULL;
  if (i >= call->row->n_arguments) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "asked for argument %zu of %u", i,
                 call->row->n_arguments);
    return NULL;
  }
  call->read |= UINT64_C(1) << i;
  return buddy_node_arg(call->node, call->row->arguments[i]);
}

static size_t host_n_results(const buddy_call *call) {
  return bd_call_is_usable(call) ? buddy_node_n_results(call->node) : 0;
}

static const buddy_tensor_type *host_result_type(const buddy_call *call, size_t i) {
  if (!bd_call_is_usable(call)) return NULL;
  const size_t n = buddy_node_n_results(call->node);
  if (i < n) return buddy_value_type(buddy_node_result(call->node, i));
  bd_call_fail(writable(call), BUDDY_INVALID_ARGUMENT, "asked for result %zu of %zu", i, n);
  return NULL;
}

static const buddy_tensor_type *host_value_type(const buddy_call *call, const buddy_value *value) {
  if (!bd_call_is_usable(call)) return NULL;
  if (!bd_call_accepts_value(writable(call), value, "value_type")) return NULL;
  return buddy_value_type(value);
}

static int64_t host_dim(buddy_call *call, buddy_dim_op op, int64_t a, int64_t b) {
  if (!bd_call_is_usable(call)) return 0;
  if (op < BUDDY_DIM_ADD || op > BUDDY_DIM_MIN) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "dim: there is no operation %d", (int)op);
    return 0;
  }
  int64_t dim = 0;
  const buddy_code code = buddy_graph_dim(buddy_node_graph(call->node), op, a, b, &dim);
  if (code == BUDDY_OK) return dim;
  bd_call_fail(call, code, "a dim cannot be computed: %s",
               code == BUDDY_INVALID_ARGUMENT ? "division by 0"
               : code == BUDDY_LIMIT          ? "overflow, or too many terms"
                                              : buddy_code_name(code));
  return 0;
}

static const void *host_extension(const char *id) {
  static const buddy_text_services text = {.struct_size = sizeof text, .ir_text = bd_host_ir_text};
  if (!id) return NULL;
  if (!strcmp(id, BUDDY_TEXT_ID)) return &text;
  if (!strcmp(id, BUDDY_GRAPH_ID)) return bd_host_graph_table();
  return NULL;
}

/* ---- The table ---- */
const buddy_host *bd_host_table(void) {
  static const buddy_host table = {
      .struct_size = sizeof(buddy_host),
      .abi_version = BUDDY_ABI_VERSION,
      .llvm_version = BD_HOST_LLVM,
      .scratch = host_scratch,
      .alloc = host_alloc,
      .free = host_free,
      .decline = host_decline,
      .fail = host_fail,
      .op_name = host_op_name,
      .n_args = host_n_args,
      .arg = host_arg,
      .n_results = host_n_results,
      .result_type = host_result_type,
      .value_type = host_value_type,
      .dim = host_dim,
      .node = bd_host_node,
      .replace = bd_host_replace,
      .ir_value = bd_host_ir_value,
      .ir_tensor_type = bd_host_ir_tensor_type,
      .ir_type_parse = bd_host_ir_type_parse,
      .ir_attr_parse = bd_host_ir_attr_parse,
      .ir_attr_dense = bd_host_ir_attr_dense,
      .ir_dim = bd_host_ir_dim,
      .ir_op = bd_host_ir_op,
      .ir_set_result = bd_host_ir_set_result,
      .extension = host_extension,
  };
  return &table;
}
