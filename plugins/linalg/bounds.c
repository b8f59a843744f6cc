// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/bounds.c: indices and divisors that a program computes are checked while it runs.
 *
 * One reduction over the tensor and a cf.assert before the loops that read or write by
 * it: inside of them an index out of range is only brought to an end (la_index_of), so that no
 * memory beyond the tensor is touched, and the loops stay free of branches. */
#include <inttypes.h>
#include <stdio.h>

#include "plugins/linalg/reduce.h"
#include "plugins/linalg/slices.h"

typedef struct bounds {
  buddy_dtype dtype;
  int64_t size, n_at_each; /* dims */
  int wraps;
} bounds;

static MlirValue is_within(const be_body *body, const MlirValue *elements, void *user) {
  const bounds *b = user;
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  const MlirValue zero = be_in_scalar_int(body, BUDDY_I64, 0);
  const MlirValue size = la_as_i64(body, be_in_index(body, b->size));
  const MlirValue index = be_in_cast(body, elements[0], b->dtype, BUDDY_I64);
  const MlirValue low = b->wraps ? BE_IN(body, "arith.subi", i64, zero, size) : zero;
  const MlirValue is_in = BE_IN(body, "arith.andi", buddy_mlir_element_type(body->call, BUDDY_BOOL),
                                be_in_compare(body, "ge", index, low, BUDDY_I64),
                                be_in_compare(body, "lt", index, size, BUDDY_I64));
  if (be_dim(body->call, BUDDY_DIM_MIN, b->n_at_each, 1) == 1) return is_in;
  const MlirValue is_nothing =
      be_in_compare(body, "eq", be_in_index(body, b->n_at_each), be_in_index(body, 0), BUDDY_I64);
  return BE_IN(body, "arith.ori", (MlirType){NULL}, is_in, is_nothing);
}

/* Whether `holds` of every element: i1; null where there is nothing to ask. */
static MlirValue all_hold(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                          be_body_fn holds, void *user) {
  const be_body block = {call, buddy_mlir_block(call)};
  const buddy_tensor_type *bools = be_with_dtype(call, type, BUDDY_BOOL);
  if (la_is_empty(type) || !bools) return (MlirValue){NULL};
  MlirValue held = be_elementwise(call, bools, &value, &type, 1, holds, user);
  if (type->rank > 0) {
    const la_reduction all = {.value = held,
                              .type = bools,
                              .axes = (UINT64_C(1) << type->rank) - 1,
                              .dtype = BUDDY_BOOL,
                              .start = LA_FROM_ONE,
                              .combine = &la_and};
    held = la_reduce(call, &all);
  }
  return BE_IN(&block, "tensor.extract", buddy_mlir_element_type(call, BUDDY_BOOL), held);
}

void la_check_all(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                  be_body_fn holds, void *user, const char *message) {
  const MlirValue held = all_hold(call, value, type, holds, user);
  if (held.ptr) be_assert(call, held, message);
}

MlirValue la_or_empty(buddy_call *call, MlirValue condition, const buddy_tensor_type *type) {
  const be_body block = {call, buddy_mlir_block(call)};
  const int64_t n = be_n_elements(call, type);
  if (!BUDDY_IS_SYMBOLIC(n)) return condition;
  const MlirValue is_empty =
      be_in_compare(&block, "eq", be_index(call, n), be_index(call, 0), BUDDY_I64);
  return BE_IN(&block, "arith.ori", (MlirType){NULL}, condition, is_empty);
}

void la_check_indices(buddy_call *call, MlirValue indices, const buddy_tensor_type *type,
                      int64_t size, int wraps, int64_t n_at_each) {
  bounds b = {type->dtype, size, n_at_each, wraps};
  char message[96] = "an index is out of range";
  if (!BUDDY_IS_SYMBOLIC(size)) {
    snprintf(message, sizeof(message), "an index is out of range for a dim of size %" PRId64, size);
  }
  if (n_at_each != 0) la_check_all(call, indices, type, is_within, &b, message);
}

void la_check_fits(buddy_call *call, const buddy_tensor_type *indices,
                   const buddy_tensor_type *type, int64_t axis) {
  const be_body block = {call, buddy_mlir_block(call)};
  const MlirType same = {NULL};
  MlirValue fits = {NULL};
  for (int64_t d = 0; d < (int64_t)indices->rank && d < (int64_t)type->rank; ++d) {
    const int64_t n = indices->dims[d], size = type->dims[d];
    if (d == axis || n == size || be_dim(call, BUDDY_DIM_MIN, n, size) == n) continue;
    const MlirValue fits_here =
        be_in_compare(&block, "le", be_index(call, n), be_index(call, size), BUDDY_I64);
    fits = !fits.ptr ? fits_here : BE_IN(&block, "arith.andi", same, fits, fits_here);
  }
  if (!fits.ptr) return;
  be_assert(call, la_or_empty(call, fits, indices),
            "the tensor of indices is larger than what it indexes");
}

static MlirValue is_not_zero(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_tensor_type *type = user;
  return be_in_compare(body, "ne", elements[0], be_in_scalar_int(body, type->dtype, 0),
                       type->dtype);
}

static MlirValue is_count(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_tensor_type *type = user;
  const MlirValue count = be_in_cast(body, elements[0], type->dtype, BUDDY_I64);
  return BE_IN(
      body, "arith.andi", buddy_mlir_element_type(body->call, BUDDY_BOOL),
      be_in_compare(body, "ge", count, be_in_scalar_int(body, BUDDY_I64, 0), BUDDY_I64),
      be_in_compare(body, "lt", count, be_in_scalar_int(body, BUDDY_I64, INT64_MAX), BUDDY_I64));
}

void la_check_counts(buddy_call *call, MlirValue counts, const buddy_tensor_type *type,
                     const char *message) {
  buddy_tensor_type copy = *type;
  if (type->dtype == BUDDY_BOOL) return;
  la_check_all(call, counts, type, is_count, &copy, message);
}

typedef struct range {
  buddy_dtype dtype;
  double low, high;
} range;

static MlirValue is_in_range(const be_body *body, const MlirValue *elements, void *user) {
  const range *r = user;
  const MlirValue number = be_in_cast(body, elements[0], r->dtype, BUDDY_F64);
  return BE_IN(
      body, "arith.andi", buddy_mlir_element_type(body->call, BUDDY_BOOL),
      be_in_compare(body, "ge", number, be_in_scalar(body, BUDDY_F64, r->low), BUDDY_F64),
      be_in_compare(body, "le", number, be_in_scalar(body, BUDDY_F64, r->high), BUDDY_F64));
}

void la_check_range(buddy_call *call, MlirValue numbers, const buddy_tensor_type *type, double low,
                    double high, const char *message) {
  range r = {type->dtype, low, high};
  la_check_all(call, numbers, type, is_in_range, &r, message);
}

void la_check_divisors(buddy_call *call, MlirValue divisors, const buddy_tensor_type *type,
                       const buddy_tensor_type *result) {
  buddy_tensor_type copy = *type;
  const MlirValue held = all_hold(call, divisors, type, is_not_zero, &copy);
  if (held.ptr) be_assert(call, la_or_empty(call, held, result), "whole numbers are divided by 0");
}
