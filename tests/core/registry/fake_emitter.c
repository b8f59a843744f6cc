// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/fake_emitter.c: handles are addresses of static bytes; a call's ops are names
 * in a buffer. */
#include "tests/core/registry/fake_emitter.h"

#include <stdio.h>
#include <string.h>

static const char a_value, a_type, an_attr;

static void append(char *list, size_t size, const char *text, size_t n) {
  const size_t used = strlen(list);
  if (used < size) snprintf(list + used, size - used, "%s%.*s", used ? " " : "", (int)n, text);
}

static buddy_code begin(void *state, buddy_call *call) {
  fake_emitter *emitter = state;
  if (emitter->is_open) return bd_call_fail(call, BUDDY_INTERNAL, "a call is open already");
  emitter->is_open = 1;
  emitter->pending[0] = 0;
  emitter->n_results_set = 0;
  return BUDDY_OK;
}

static buddy_code commit(void *state, buddy_call *call) {
  fake_emitter *emitter = state;
  if (strstr(emitter->pending, "bad."))
    return bd_call_fail(call, BUDDY_VERIFY_FAILED, "it does not verify");
  if (emitter->n_results_set < buddy_node_n_results(bd_call_node(call))) {
    return bd_call_fail(call, BUDDY_VERIFY_FAILED, "result %zu is not set", emitter->n_results_set);
  }
  if (emitter->pending[0])
    append(emitter->committed, sizeof emitter->committed, emitter->pending,
           strlen(emitter->pending));
  emitter->is_open = 0;
  return BUDDY_OK;
}

static void undo(void *state, buddy_call *call) {
  fake_emitter *emitter = state;
  (void)call;
  append(emitter->undone, sizeof emitter->undone, emitter->pending, strlen(emitter->pending));
  emitter->is_open = 0;
}

static buddy_ir_value ir_value(void *state, buddy_call *call, const buddy_value *value) {
  (void)state;
  (void)call;
  (void)value;
  return (buddy_ir_value){&a_value};
}

static buddy_ir_type ir_tensor_type(void *state, buddy_call *call, const buddy_tensor_type *type) {
  (void)state;
  (void)call;
  (void)type;
  return (buddy_ir_type){&a_type};
}

static buddy_ir_type ir_type_parse(void *state, buddy_call *call, buddy_sv text) {
  (void)state;
  (void)call;
  return (buddy_ir_type){text.data[0] == '!' ? NULL : &a_type};
}

static buddy_ir_attr ir_attr_parse(void *state, buddy_call *call, buddy_sv text) {
  (void)state;
  (void)call;
  (void)text;
  return (buddy_ir_attr){&an_attr};
}

static buddy_ir_attr ir_attr_dense(void *state, buddy_call *call, const buddy_tensor_type *type,
                                   const void *bytes, size_t n_bytes) {
  (void)state;
  (void)call;
  (void)type;
  (void)bytes;
  (void)n_bytes;
  return (buddy_ir_attr){&an_attr};
}

static buddy_ir_value ir_dim(void *state, buddy_call *call, int64_t dim) {
  (void)state;
  (void)call;
  (void)dim;
  return (buddy_ir_value){&a_value};
}

static buddy_code ir_op(void *state, buddy_call *call, const buddy_ir_spec *spec,
                        buddy_ir_value *out_results) {
  fake_emitter *emitter = state;
  (void)call;
  ++emitter->n_ops;
  append(emitter->pending, sizeof emitter->pending, spec->name.data, spec->name.size);
  for (size_t i = 0; i < spec->n_results; ++i) out_results[i] = (buddy_ir_value){&a_value};
  return BUDDY_OK;
}

static buddy_code ir_set_result(void *state, buddy_call *call, size_t i, buddy_ir_value value) {
  fake_emitter *emitter = state;
  (void)call;
  (void)i;
  (void)value;
  ++emitter->n_results_set;
  return BUDDY_OK;
}

const bd_emitter fake_emitter_table = {.llvm_version = 0,
                                       .begin = begin,
                                       .commit = commit,
                                       .undo = undo,
                                       .ir_value = ir_value,
                                       .ir_tensor_type = ir_tensor_type,
                                       .ir_type_parse = ir_type_parse,
                                       .ir_attr_parse = ir_attr_parse,
                                       .ir_attr_dense = ir_attr_dense,
                                       .ir_dim = ir_dim,
                                       .ir_op = ir_op,
                                       .ir_set_result = ir_set_result};
