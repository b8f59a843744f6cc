// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/counting.c: numbers that go up by steps, written out as constants, and what is made
 * by comparing them: triangles and diagonals. */
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "plugins/tosa/rows.h"

enum { MAX_COUNT = 1 << 16 }; /* numbers that a module is to hold */

static void put(void *bytes, size_t i, buddy_dtype dtype, double x, int64_t n) {
  if (dtype == BUDDY_F32) ((float *)bytes)[i] = (float)x;
  if (dtype == BUDDY_I32) ((int32_t *)bytes)[i] = (int32_t)n;
  if (dtype == BUDDY_I64) ((int64_t *)bytes)[i] = n;
}

/* `n` numbers from `start`; integers are counted as such, floats in 64 bits. */
static MlirValue steps(buddy_call *call, const buddy_tensor_type *type, double start, double step,
                       int64_t int_start, int64_t int_step) {
  const int64_t n = type ? be_n_elements(call, type) : 0;
  if (n > MAX_COUNT) be_decline(call, "%lld numbers are too many for a constant", (long long)n);
  if (n <= 0 || n > MAX_COUNT) return (MlirValue){NULL};
  const size_t size = (size_t)n * be_bytes(type->dtype);
  void *bytes = be_scratch(call, 1, size);
  if (!bytes) return (MlirValue){NULL};
  for (int64_t i = 0; i < n; ++i) {
    put(bytes, (size_t)i, type->dtype, start + (double)i * step, int_start + i * int_step);
  }
  return ts_constant(
      call, type,
      mlirDenseElementsAttrRawBufferGet(buddy_mlir_tensor_type(call, type), size, bytes));
}

MlirValue ts_count(buddy_call *call, const buddy_tensor_type *type, int64_t start, int64_t step) {
  return steps(call, type, (double)start, (double)step, start, step);
}

/* ---- arange.start_step: start, end, step ----------------------------------------------------- */
buddy_code ts_match_arange(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (to->rank == 1 && to->dims[0] > MAX_COUNT)
    return be_decline(call, "%lld numbers are too many for a constant", (long long)to->dims[0]);
  for (size_t i = 0; i < 3; i += 2) {
    if (!be_is_float(to->dtype) && be_arg(call, i)->kind == BUDDY_ARG_FLOAT)
      return be_decline(call, "integers that go up by fractions");
  }
  return ts_match(state, self, call);
}

buddy_code ts_emit_arange(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  for (size_t i = 1; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  const bool is_int = !be_is_float(be_result_type(call, 0)->dtype);
  return be_result(call, 0,
                   steps(call, be_result_type(call, 0), be_float(call, 0, 0), be_float(call, 2, 1),
                         is_int ? be_int(call, 0, 0) : 0, is_int ? be_int(call, 2, 1) : 0));
}

/* ---- tril and triu: self, diagonal; user is the op that holds of what stays ------------------ */
/* Numbers along the last dim (0) or the one before it (1). */
static MlirValue along(buddy_call *call, const buddy_tensor_type *like, uint32_t from_end,
                       int64_t start) {
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  const uint32_t dim = like->rank - 1 - from_end;
  dims[dim] = like->dims[dim];
  return ts_count(call, be_type(call, BUDDY_I32, like->rank, dims), start, 1);
}

buddy_code ts_emit_triangle(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bool is_lower = strcmp(self->user, "lower") == 0;
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  memcpy(dims + to->rank - 2, to->dims + to->rank - 2, 2 * sizeof(*dims));
  const buddy_tensor_type *mask = be_type(call, BUDDY_BOOL, to->rank, dims);
  const MlirValue rows = along(call, to, 1, be_int(call, 1, 0)), columns = along(call, to, 0, 0);
  const MlirValue stays =
      BE_OP(call, "tosa.greater_equal", mask, is_lower ? rows : columns, is_lower ? columns : rows);
  const MlirValue zero = ts_number(call, to->dtype, to->rank, 0);
  return be_result(call, 0, BE_OP(call, "tosa.select", to, stays, be_tensor(call, 0), zero));
}
