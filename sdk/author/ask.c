// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/ask.c: what a row asks about its node: arguments, types, dims. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "buddy/ask.h"

const buddy_host *be_host;

buddy_code be_open(const buddy_host *host, void **out_state, char *why, size_t why_size) {
  (void)why;
  (void)why_size;
  be_host = host;
  *out_state = NULL;
  return BUDDY_OK;
}

/* ---- Outcome --------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 0))) static buddy_sv format_into(char *text, size_t size,
                                                                  const char *format,
                                                                  va_list args) {
  const int n = vsnprintf(text, size, format, args);
  if (n < 0) return (buddy_sv){"", 0};
  return (buddy_sv){text, (size_t)n < size ? (size_t)n : size - 1};
}

buddy_code be_decline(buddy_call *call, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  const buddy_sv why = format_into(text, sizeof(text), format, args);
  va_end(args);
  return be_host->decline(call, why);
}

buddy_code be_fail(buddy_call *call, buddy_code code, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  const buddy_sv why = format_into(text, sizeof(text), format, args);
  va_end(args);
  return be_host->fail(call, code, why);
}

void *be_scratch(buddy_call *call, size_t n, size_t size) {
  size_t n_bytes;
  void *memory = NULL;
  if (!__builtin_mul_overflow(n, size, &n_bytes)) {
    memory = be_host->scratch(call, n_bytes > 0 ? n_bytes : 1);
  }
  if (!memory) be_fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
  return memory;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

const buddy_arg *be_arg(buddy_call *call, size_t i) {
  static const buddy_arg none = {BUDDY_ARG_NONE, 0, 0, {0}};
  const buddy_arg *arg = be_host->arg(call, i);
  return arg ? arg : &none;
}

int be_is_none(buddy_call *call, size_t i) { return be_arg(call, i)->kind == BUDDY_ARG_NONE; }

const buddy_tensor_type *be_arg_type(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  return arg->kind == BUDDY_ARG_TENSOR ? be_host->value_type(call, arg->as.tensor) : NULL;
}

const buddy_tensor_type *be_result_type(buddy_call *call, size_t i) {
  return be_host->result_type(call, i);
}

const buddy_tensor_type *be_value_type(buddy_call *call, const buddy_value *value) {
  return value ? be_host->value_type(call, value) : NULL;
}

static buddy_code wrong_kind(buddy_call *call, size_t i, const char *wanted) {
  return be_decline(call, "argument %zu is not %s", i, wanted);
}

/* A float that is a number of int64_t, but not in the range of symbolic dims. */
static bool is_whole(double value) {
  if (!(value > -9.0e18 && value < 9.0e18)) return false;
  return (double)(int64_t)value == value;
}

int64_t be_size(buddy_call *call, size_t i, int64_t if_none) {
  const buddy_arg *arg = be_arg(call, i);
  switch (arg->kind) {
    case BUDDY_ARG_NONE:
      return if_none;
    case BUDDY_ARG_INT:
    case BUDDY_ARG_BOOL:
    case BUDDY_ARG_DTYPE:
      return arg->as.i;
    case BUDDY_ARG_FLOAT:
      if (is_whole(arg->as.f)) return (int64_t)arg->as.f;
      break;
    default:
      break;
  }
  wrong_kind(call, i, "an integer");
  return if_none;
}

static int64_t known(buddy_call *call, size_t i, int64_t value, int64_t if_none) {
  if (!BUDDY_IS_SYMBOLIC(value)) return value;
  wrong_kind(call, i, "a number known before the program runs");
  return if_none;
}

int64_t be_int(buddy_call *call, size_t i, int64_t if_none) {
  return known(call, i, be_size(call, i, if_none), if_none);
}

double be_float(buddy_call *call, size_t i, double if_none) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_NONE) return if_none;
  if (arg->kind == BUDDY_ARG_FLOAT) return arg->as.f;
  const bool is_int = arg->kind == BUDDY_ARG_INT && !BUDDY_IS_SYMBOLIC(arg->as.i);
  if (is_int || arg->kind == BUDDY_ARG_BOOL) return (double)arg->as.i;
  wrong_kind(call, i, "a number known before the program runs");
  return if_none;
}

int be_bool(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_NONE) return 0;
  const bool is_int = arg->kind == BUDDY_ARG_INT && !BUDDY_IS_SYMBOLIC(arg->as.i);
  if (is_int || arg->kind == BUDDY_ARG_BOOL) return arg->as.i != 0;
  wrong_kind(call, i, "a boolean");
  return 0;
}

int64_t be_size_at(buddy_call *call, size_t i, size_t k, int64_t if_none) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind != BUDDY_ARG_INTS && arg->kind != BUDDY_ARG_BOOLS) return be_size(call, i, if_none);
  if (arg->n == 0) return if_none;
  if (arg->n == 1) return arg->as.ints[0];
  if (k < arg->n) return arg->as.ints[k];
  be_decline(call, "argument %zu has %zu elements, element %zu is needed", i, arg->n, k);
  return if_none;
}

int64_t be_int_at(buddy_call *call, size_t i, size_t k, int64_t if_none) {
  return known(call, i, be_size_at(call, i, k, if_none), if_none);
}

/* ---- Axes ------------------------------------------------------------------------------------ */

/* PyTorch lets a 0-d tensor be indexed by the axes 0 and -1. */
static int64_t normal_axis(buddy_call *call, int64_t axis, uint32_t rank) {
  const int64_t limit = rank > 0 ? (int64_t)rank : 1;
  const int64_t normal = axis < 0 ? axis + limit : axis;
  if (!BUDDY_IS_SYMBOLIC(axis) && normal >= 0 && normal < limit) return normal;
  be_decline(call, "axis %lld is not an axis of a tensor of rank %u", (long long)axis, rank);
  return 0;
}

int64_t be_axis(buddy_call *call, size_t i, uint32_t rank, int64_t if_none) {
  return be_is_none(call, i) ? if_none : normal_axis(call, be_int(call, i, 0), rank);
}

uint64_t be_axes(buddy_call *call, size_t i, uint32_t rank) {
  const buddy_arg *arg = be_arg(call, i);
  if (rank > 63) {
    be_decline(call, "a tensor of rank %u is beyond what reductions handle (63)", rank);
    return 0;
  }
  const bool is_list = arg->kind == BUDDY_ARG_INTS;
  if (arg->kind == BUDDY_ARG_NONE || (is_list && arg->n == 0)) return (UINT64_C(1) << rank) - 1;
  uint64_t axes = 0;
  const size_t n = is_list ? arg->n : 1;
  for (size_t k = 0; k < n; ++k) {
    const int64_t axis = is_list ? arg->as.ints[k] : be_int(call, i, 0);
    axes |= UINT64_C(1) << normal_axis(call, axis, rank);
  }
  return rank == 0 ? 0 : axes;
}

/* ---- Types and dims -------------------------------------------------------------------------- */

int be_is_static(const buddy_tensor_type *type) {
  if (!type) return 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) return 0;
  }
  return 1;
}

static bool is_in(buddy_dtype dtype, uint32_t set) {
  return dtype > 0 && dtype < 32 && (set & BUDDY_DTYPE_BIT(dtype)) != 0;
}

int be_is_float(buddy_dtype dtype) {
  return is_in(dtype, BUDDY_FLOATS | BUDDY_DTYPE_BIT(BUDDY_F8E4M3FN) |
                          BUDDY_DTYPE_BIT(BUDDY_F8E5M2) | BUDDY_DTYPE_BIT(BUDDY_F8E4M3FNUZ) |
                          BUDDY_DTYPE_BIT(BUDDY_F8E5M2FNUZ) | BUDDY_DTYPE_BIT(BUDDY_F8E8M0FNU));
}

int be_is_complex(buddy_dtype dtype) { return is_in(dtype, BUDDY_COMPLEXES); }

size_t be_bytes(buddy_dtype dtype) {
  static const uint8_t bytes[] = {
      [BUDDY_BOOL] = 1,     [BUDDY_U8] = 1,     [BUDDY_I8] = 1,         [BUDDY_I16] = 2,
      [BUDDY_I32] = 4,      [BUDDY_I64] = 8,    [BUDDY_U16] = 2,        [BUDDY_U32] = 4,
      [BUDDY_U64] = 8,      [BUDDY_F16] = 2,    [BUDDY_BF16] = 2,       [BUDDY_F32] = 4,
      [BUDDY_F64] = 8,      [BUDDY_C32] = 4,    [BUDDY_C64] = 8,        [BUDDY_C128] = 16,
      [BUDDY_F8E4M3FN] = 1, [BUDDY_F8E5M2] = 1, [BUDDY_F8E4M3FNUZ] = 1, [BUDDY_F8E5M2FNUZ] = 1,
      [BUDDY_F8E8M0FNU] = 1};
  return (size_t)dtype < sizeof(bytes) ? bytes[dtype] : 0;
}

int be_is_unsigned(buddy_dtype dtype) { return is_in(dtype, BUDDY_UNSIGNED | BUDDY_BOOLS); }

int be_same_dims(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  if (!a || !b || a->rank != b->rank) return 0;
  return a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof(int64_t)) == 0;
}

int64_t be_dim(buddy_call *call, buddy_dim_op op, int64_t a, int64_t b) {
  return be_host->dim(call, op, a, b);
}

int64_t be_n_elements(buddy_call *call, const buddy_tensor_type *type) {
  int64_t n = 1;
  for (uint32_t d = 0; type && d < type->rank; ++d) {
    n = n == 1 ? type->dims[d] : be_dim(call, BUDDY_DIM_MUL, n, type->dims[d]);
  }
  return n;
}

const buddy_tensor_type *be_type(buddy_call *call, buddy_dtype dtype, uint32_t rank,
                                 const int64_t *dims) {
  buddy_tensor_type *type = be_scratch(call, 1, sizeof(buddy_tensor_type));
  int64_t *copy = be_scratch(call, rank, sizeof(int64_t));
  if (!type || !copy) return NULL;
  if (rank > 0) memcpy(copy, dims, rank * sizeof(int64_t));
  *type = (buddy_tensor_type){dtype, rank, copy};
  return type;
}

const buddy_tensor_type *be_with_dtype(buddy_call *call, const buddy_tensor_type *type,
                                       buddy_dtype dtype) {
  if (!type || type->dtype == dtype) return type;
  return be_type(call, dtype, type->rank, type->dims);
}
