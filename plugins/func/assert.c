// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/func/assert.c: checks that the program makes while it runs: cf.assert; nothing where they
 * hold already. */
#include "plugins/func/rows.h"

#include <stdbool.h>

/* 1: holds whatever the inputs; 0: must be checked; -1: never holds. Only numbers can be told
 * now. */
static int known(const buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_FLOAT) return arg->as.f != 0 ? 1 : -1;
  const bool is_int = arg->kind == BUDDY_ARG_INT && !BUDDY_IS_SYMBOLIC(arg->as.i);
  if (is_int || arg->kind == BUDDY_ARG_BOOL) return arg->as.i != 0 ? 1 : -1;
  return 0;
}

static const char *message_of(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  return arg->kind == BUDDY_ARG_STRING ? arg->as.string
                                       : "an assertion of the program does not hold";
}

/* Argument 0 is the condition; it may be a tensor of one element in any shape. */
static void emit_check(buddy_call *call, const char *message) {
  const be_body body = {call, buddy_mlir_block(call)};
  const buddy_arg *arg = be_arg(call, 0);
  MlirValue condition = be_operand(call, 0, BUDDY_BOOL);
  if (arg->kind == BUDDY_ARG_TENSOR) {
    const buddy_tensor_type *type = be_with_dtype(call, be_arg_type(call, 0), BUDDY_BOOL);
    condition = be_reshape(call, condition, type, be_type(call, BUDDY_BOOL, 0, NULL));
  }
  condition = BE_IN(&body, "tensor.extract", buddy_mlir_element_type(call, BUDDY_BOOL), condition);
  be_assert(call, condition, message);
}

buddy_code fn_emit_assert(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const char *message =
      self->user ? "an assertion of the program does not hold" : message_of(call, 1);
  if (known(be_arg(call, 0)) <= 0) emit_check(call, message);
  return BUDDY_OK;
}

/* The functional twins take a token and hand on another, so that no pass can reorder them: the
 * token is the result. */
buddy_code fn_emit_assert_on_token(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const char *message = message_of(call, 1);
  if (known(be_arg(call, 0)) <= 0) emit_check(call, message);
  return be_result(call, 0, be_tensor(call, 2));
}
