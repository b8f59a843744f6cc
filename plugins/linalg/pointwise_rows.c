// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/pointwise_rows.c: rows of elementwise ops, by their la_pointwise. */
#include <stdbool.h>

#include "plugins/linalg/slices.h"

static const MlirValue no_value = {NULL};

typedef struct job {
  const la_pointwise *op;
  buddy_dtype domain, result;
  buddy_dtype dtypes[LA_MAX_OPERANDS]; /* of tensor operands; NONE: a number */
} job;

static MlirValue scalar_of(const be_body *body, const job *j, size_t i, MlirValue element) {
  const buddy_dtype to = j->op->conditions >> i & 1 ? BUDDY_BOOL : j->domain;
  if (j->dtypes[i] == BUDDY_DTYPE_NONE) return la_number_of(body, i, to);
  return be_in_cast(body, element, j->dtypes[i], to);
}

static MlirValue compute(const be_body *body, const MlirValue *elements, void *user) {
  const job *j = user;
  MlirValue at[LA_MAX_OPERANDS] = {{NULL}};
  size_t next = 0;
  for (size_t i = 0; i < j->op->n_operands; ++i) {
    const bool is_tensor = j->dtypes[i] != BUDDY_DTYPE_NONE;
    at[i] = scalar_of(body, j, i, is_tensor ? elements[next++] : no_value);
  }
  const la_scalars scalars = {body, j->domain, at};
  const MlirValue value = j->op->formula ? j->op->formula(&scalars)
                                         : la_apply(body, j->op->names, j->domain, at[0], at[1]);
  return be_in_cast(body, value, j->op->gives_bool ? BUDDY_BOOL : j->domain, j->result);
}

/* The dtype of the operands taken together: the first tensor's that is no condition. */
static buddy_dtype operands_dtype(buddy_call *call, const la_pointwise *op) {
  buddy_dtype dtype = BUDDY_DTYPE_NONE;
  bool has_float_number = false;
  for (size_t i = 0; i < op->n_operands; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) has_float_number |= be_arg(call, i)->kind == BUDDY_ARG_FLOAT;
    if (type && dtype == BUDDY_DTYPE_NONE && !(op->conditions >> i & 1)) dtype = type->dtype;
  }
  if (has_float_number && !be_is_float(dtype) && !be_is_complex(dtype)) return BUDDY_F32;
  return dtype;
}

static buddy_dtype domain_of(buddy_call *call, const la_pointwise *op) {
  if (op->domain == LA_BOOL) return BUDDY_BOOL;
  const buddy_dtype dtype =
      op->domain == LA_RESULT ? be_result_type(call, 0)->dtype : operands_dtype(call, op);
  return la_opmath(dtype);
}

buddy_code la_pointwise_match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_pointwise *op = self->user;
  const buddy_dtype domain = domain_of(call, op);
  if (!op->names || la_name_for(op->names, domain)) return BUDDY_OK;
  return be_decline(call, "not defined on the element type that it is computed in");
}

/* Whole numbers are not divided by 0, unless there is nothing to divide: a tensor is asked while the
 * program runs. */
static buddy_code check_divisor(buddy_call *call, buddy_dtype domain) {
  const buddy_tensor_type *type = be_arg_type(call, 1), *result = be_result_type(call, 0);
  if (be_is_float(domain) || la_is_empty(result)) return BUDDY_OK;
  if (type) la_check_divisors(call, be_tensor(call, 1), type, result);
  if (!type && be_arg(call, 1)->kind == BUDDY_ARG_INT) {
    const int64_t n = be_size(call, 1, 1);
    if (n == 0) return be_decline(call, "whole numbers are divided by 0");
    if (BUDDY_IS_SYMBOLIC(n)) {
      const be_body block = {call, buddy_mlir_block(call)};
      const MlirValue zero = be_index(call, 0);
      const MlirValue is_some =
          be_in_compare(&block, "ne", be_in_index(&block, n), zero, BUDDY_I64);
      be_assert(call, la_or_empty(call, is_some, result), "whole numbers are divided by 0");
    }
  }
  return BUDDY_OK;
}

buddy_code la_pointwise_emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_pointwise *op = self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  job j = {.op = op, .domain = domain_of(call, op), .result = to->dtype};
  if (op->divides && check_divisor(call, j.domain) != BUDDY_OK) return BUDDY_DECLINED;
  MlirValue inputs[LA_MAX_OPERANDS];
  const buddy_tensor_type *types[LA_MAX_OPERANDS];
  size_t n = 0;
  for (size_t i = 0; i < op->n_operands; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) continue;
    j.dtypes[i] = type->dtype;
    types[n] = type;
    inputs[n++] = be_tensor(call, i);
  }
  return be_result(call, 0, be_elementwise(call, to, inputs, types, n, compute, &j));
}
