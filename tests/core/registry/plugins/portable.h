// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/portable.h: what the registries of the tests share: the host that they
 * are opened by, and ops of one result. */
#ifndef BUDDY_TESTS_CORE_REGISTRY_PLUGINS_PORTABLE_H
#define BUDDY_TESTS_CORE_REGISTRY_PLUGINS_PORTABLE_H

#include <string.h>

#include "buddy/registry.h"

static const buddy_host *host;

static inline buddy_sv text(const char *string) { return (buddy_sv){string, strlen(string)}; }

static inline buddy_code open_registry(const buddy_host *given, void **out_state, char *why,
                                       size_t why_size) {
  (void)why, (void)why_size;
  host = given;
  *out_state = NULL;
  return BUDDY_OK;
}

static inline buddy_named_arg tensor(const char *name, const buddy_value *value) {
  buddy_named_arg arg = {name, {BUDDY_ARG_TENSOR, 0, 0, {0}}};
  arg.arg.as.tensor = value;
  return arg;
}

/* The call's one result is that of an op of this name. */
static inline buddy_code build_op(buddy_call *call, const char *name,
                                  const buddy_ir_value *operands, size_t n) {
  const buddy_ir_type type = host->ir_tensor_type(call, host->result_type(call, 0));
  buddy_ir_value result;
  const buddy_ir_spec spec = {.struct_size = sizeof spec,
                              .name = text(name),
                              .operands = operands,
                              .n_operands = n,
                              .result_types = &type,
                              .n_results = 1};
  const buddy_code code = host->ir_op(call, &spec, &result);
  return code == BUDDY_OK ? host->ir_set_result(call, 0, result) : code;
}

/* The same, over all tensor arguments. */
static inline buddy_code build_over_tensors(buddy_call *call, const char *name) {
  buddy_ir_value operands[8];
  size_t n = 0;
  for (size_t i = 0; i < host->n_args(call); ++i) {
    const buddy_arg *arg = host->arg(call, i);
    if (arg && arg->kind == BUDDY_ARG_TENSOR && n < 8)
      operands[n++] = host->ir_value(call, arg->as.tensor);
  }
  return build_op(call, name, operands, n);
}

#endif
