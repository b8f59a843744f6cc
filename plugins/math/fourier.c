// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/fourier.c: transforms of the rows of a matrix whose length only a run knows, which composite's are made
 * of: a call. Lengths that are known become loops (plugins/composite/fourier.c). */
#include "buddy/kit.h"
#include "plugins/math/rows.h"
#include "plugins/math/special/fourier.h"

/* self, dim, normalization, forward */
buddy_code ma_emit_fourier(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const bool is_of_rows = type->rank == 2 && be_axes(call, 1, type->rank) == 2;
  if (!is_of_rows || be_int(call, 2, 0) != 0)
    return be_decline(call, "it is not of the rows of a matrix, or it is scaled");
  if (!BUDDY_IS_SYMBOLIC(type->dims[1])) return be_decline(call, "its length is known");
  const int64_t n = type->dims[1], is_forward = be_bool(call, 3);
  const int64_t all = be_dim(call, BUDDY_DIM_MUL, n, MA_FOURIER_EACH),
                shorter = be_dim(call, BUDDY_DIM_MUL,
                                 be_dim(call, BUDDY_DIM_MIN, n, MA_FOURIER_SHORT), MA_FOURIER_MORE);
  const int64_t n_work =
      be_dim(call, BUDDY_DIM_ADD, be_dim(call, BUDDY_DIM_ADD, all, shorter), MA_FOURIER_REST);
  const buddy_tensor_type *outputs[2] = {be_result_type(call, 0),
                                         be_type(call, BUDDY_F64, 1, &n_work)};
  const bk_input input = {bk_tensor(call, 0), type};
  const bk_runtime_call spec = {.symbol = "buddy_math_fourier",
                                .inputs = &input,
                                .n_inputs = 1,
                                .outputs = outputs,
                                .n_outputs = 2,
                                .ints = &is_forward,
                                .n_ints = 1};
  buddy_ir_value results[2];
  const buddy_code code = bk_call(call, &spec, results);
  return code == BUDDY_OK ? bk_result(call, 0, results[0]) : code;
}
