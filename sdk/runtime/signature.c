// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/signature.c: the values of symbolic sizes; see signature.h. */
#include "sdk/runtime/signature.h"
#include "core/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int bd_signature_replaces(const bd_signature *signature, size_t i) {
  const buddy_port *input = &signature->inputs[i].port;
  const bool is_user = input->kind == BUDDY_INPUT_USER;
  const char *name = is_user ? input->name : input->target;
  for (size_t k = 0; k < signature->n_outputs; ++k) {
    const buddy_port *output = &signature->outputs[k].port;
    if ((int)output->kind ==
            (is_user ? BUDDY_OUTPUT_INPUT_MUTATION : BUDDY_OUTPUT_BUFFER_MUTATION) &&
        strcmp(output->target, name) == 0)
      return 1;
  }
  return 0;
}

static int64_t floor_div(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q * b != a && ((a < 0) != (b < 0)) ? q - 1 : q;
}

/* a <kind> b. True on overflow and on division by 0. */
static int combine(buddy_dim_kind kind, int64_t a, int64_t b, int64_t *out) {
  switch (kind) {
    case BUDDY_DIM_KIND_SUM:
      return __builtin_add_overflow(a, b, out);
    case BUDDY_DIM_KIND_PRODUCT:
      return __builtin_mul_overflow(a, b, out);
    case BUDDY_DIM_KIND_FLOORDIV:
    case BUDDY_DIM_KIND_MOD:
      if (b == 0 || (a == INT64_MIN && b == -1)) return 1;
      *out = kind == BUDDY_DIM_KIND_MOD ? a - floor_div(a, b) * b : floor_div(a, b);
      return 0;
    case BUDDY_DIM_KIND_MAX:
      *out = a > b ? a : b;
      return 0;
    case BUDDY_DIM_KIND_MIN:
      *out = a < b ? a : b;
      return 0;
    default:
      return 1;
  }
}

buddy_code bd_size_eval(const bd_size *size, const int64_t *symbols, int64_t *out_number) {
  *out_number = size->number;
  if (size->number >= 0) return BUDDY_OK;
  if (!size->steps) return BUDDY_NOT_FOUND;
  /* A sum of n terms has n of them on the stack at once: as many places as there are steps are
   * always enough. */
  int64_t few[64] = {0};
  int64_t *stack = size->n_steps <= 64 ? few : bd_malloc(size->n_steps * sizeof(int64_t));
  if (!stack) return BUDDY_OUT_OF_MEMORY;
  size_t n = 0;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < size->n_steps && code == BUDDY_OK; ++i) {
    const bd_step step = size->steps[i];
    if (step.kind == BUDDY_DIM_KIND_NUMBER) {
      stack[n++] = step.operand;
    } else if (step.kind == BUDDY_DIM_KIND_SYMBOL) {
      stack[n++] = symbols[step.operand];
      if (symbols[step.operand] == INT64_MIN) code = BUDDY_NOT_FOUND;
    } else {
      const size_t first = n - (size_t)step.operand;
      for (size_t k = first + 1; k < n && code == BUDDY_OK; ++k) {
        if (combine(step.kind, stack[first], stack[k], &stack[first])) code = BUDDY_LIMIT;
      }
      n = first + 1;
    }
  }
  if (code == BUDDY_OK) *out_number = stack[0];
  if (stack != few) free(stack);
  return code;
}
