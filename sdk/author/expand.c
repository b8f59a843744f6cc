// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/expand.c: graph nodes before the one being expanded. */
#include <string.h>

#include "buddy/ask.h"

static buddy_named_arg named(const char *name, buddy_arg_kind kind) {
  return (buddy_named_arg){name, {kind, 0, 0, {0}}};
}

buddy_named_arg be_t(const char *name, const buddy_value *value) {
  buddy_named_arg arg = named(name, value ? BUDDY_ARG_TENSOR : BUDDY_ARG_NONE);
  arg.arg.as.tensor = value;
  return arg;
}

buddy_named_arg be_i(const char *name, int64_t value) {
  buddy_named_arg arg = named(name, BUDDY_ARG_INT);
  arg.arg.as.i = value;
  return arg;
}

buddy_named_arg be_f(const char *name, double value) {
  buddy_named_arg arg = named(name, BUDDY_ARG_FLOAT);
  arg.arg.as.f = value;
  return arg;
}

buddy_named_arg be_b(const char *name, int value) {
  buddy_named_arg arg = named(name, BUDDY_ARG_BOOL);
  arg.arg.as.i = value != 0;
  return arg;
}

buddy_named_arg be_is(const char *name, const int64_t *values, size_t n) {
  buddy_named_arg arg = named(name, BUDDY_ARG_INTS);
  arg.arg.n = n;
  arg.arg.as.ints = values;
  return arg;
}

buddy_named_arg be_d(const char *name, buddy_dtype dtype) {
  buddy_named_arg arg = named(name, BUDDY_ARG_DTYPE);
  arg.arg.as.i = dtype;
  return arg;
}

buddy_named_arg be_s(const char *name, const char *text) {
  buddy_named_arg arg = named(name, BUDDY_ARG_STRING);
  arg.arg.n = strlen(text);
  arg.arg.as.string = text;
  return arg;
}

buddy_named_arg be_ts(const char *name, const buddy_value *const *values, size_t n) {
  buddy_named_arg arg = named(name, BUDDY_ARG_TENSORS);
  arg.arg.n = n;
  arg.arg.as.tensors = values;
  return arg;
}

buddy_named_arg be_pass(buddy_call *call, const char *name, size_t i) {
  return (buddy_named_arg){name, *be_arg(call, i)};
}

const buddy_value *be_node(buddy_call *call, const char *op, const buddy_tensor_type *type,
                           const buddy_named_arg *args) {
  size_t n_args = 0;
  while (args[n_args].name) ++n_args;
  const buddy_value *result = NULL;
  if (be_host->node(call, op, args, n_args, type, type ? 1 : 0, &result) != BUDDY_OK) return NULL;
  return result;
}

const buddy_value *be_arg_value(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  return arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : NULL;
}

buddy_code be_replace(buddy_call *call, size_t i, const buddy_value *value) {
  return be_host->replace(call, i, value);
}
