// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/fourier.c: transforms of the middle one of three axes, which composite's are made of: a call. */
#include "plugins/math/special/fourier.h"

#include "buddy/kit.h"
#include "plugins/math/rows.h"

const int ma_fourier_complex = MA_FOURIER_COMPLEX, ma_fourier_of_reals = MA_FOURIER_OF_REALS,
          ma_fourier_to_reals = MA_FOURIER_TO_REALS;

enum { MOST_PARTS = 4 };

static int64_t at_most(buddy_call *call, int64_t n, int64_t each, int64_t rest) {
  return be_dim(call, BUDDY_DIM_ADD, be_dim(call, BUDDY_DIM_MUL, n, each), rest);
}

/* Numbers of memory. */
static int64_t memory_of(buddy_call *call, ma_fourier_kind kind, int64_t n, int64_t n_parts) {
  if (!BUDDY_IS_SYMBOLIC(n))
    return n_parts * ma_fourier_work_size(kind, n) + ma_fourier_plan_size(kind, n);
  const int64_t few = be_dim(call, BUDDY_DIM_MIN, n, MA_FOURIER_SHORT);
  const int64_t work =
      at_most(call, n, MA_FOURIER_PLAN_EACH + MA_FOURIER_WORK_EACH, 2 * MA_FOURIER_REST);
  return be_dim(call, BUDDY_DIM_ADD, work, be_dim(call, BUDDY_DIM_MUL, few, MA_FOURIER_WORK_MORE));
}

/* Into how many parts the rows are divided: of long ones each needs memory of its own. */
static int64_t parts_of(const buddy_tensor_type *type, int64_t n) {
  if (BUDDY_IS_SYMBOLIC(n)) return 1;
  const int64_t outer = type->dims[0], inner = type->dims[2];
  const bool are_few = !BUDDY_IS_SYMBOLIC(outer) && !BUDDY_IS_SYMBOLIC(inner) &&
                       outer < MOST_PARTS && inner < MOST_PARTS * MA_FOURIER_ROWS;
  return are_few ? 1 : MOST_PARTS;
}

/* What the plan is made of: constant where the length is. */
static buddy_ir_value length_of(buddy_call *call, const buddy_tensor_type *type, int64_t n) {
  static const char text[] =
      "func.func @length(%n: index) -> tensor<1xf32> {\n"
      "  %i = arith.index_cast %n : index to i64\n"
      "  %f = arith.sitofp %i : i64 to f32\n"
      "  %t = tensor.from_elements %f : tensor<1xf32>\n"
      "  return %t : tensor<1xf32>\n}\n";
  if (!BUDDY_IS_SYMBOLIC(n)) return bk_splat(call, type, (double)n);
  const buddy_ir_value size = bk_index(call, n);
  return bk_text(call, text, &size, 1);
}

static bool is_narrow(buddy_dtype dtype) { return dtype == BUDDY_F32 || dtype == BUDDY_C64; }

/* _fft_c2c: self, dim, normalization, forward; _fft_r2c: …, onesided; _fft_c2r: …, last_dim_size */
buddy_code ma_emit_fourier(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const ma_fourier_kind kind = (ma_fourier_kind) * (const int *)self->user;
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  if (type->rank != 3 || be_axes(call, 1, type->rank) != 2)
    return be_decline(call, "it is not of the middle one of three axes");
  if (is_narrow(type->dtype) != is_narrow(to->dtype))
    return be_decline(call, "the result is of another precision");
  const int64_t n = kind == MA_FOURIER_TO_REALS ? to->dims[1] : type->dims[1];
  const int64_t n_parts = parts_of(type, n), n_memory = memory_of(call, kind, n, n_parts);
  const int64_t is_forward = kind != MA_FOURIER_COMPLEX || be_bool(call, 3), one = 1;
  if (kind == MA_FOURIER_OF_REALS) (void)be_bool(call, 3); /* the result's size says it */
  if (kind == MA_FOURIER_TO_REALS) (void)be_size(call, 3, n);
  const buddy_tensor_type *outputs[2] = {to, be_type(call, BUDDY_F64, 1, &n_memory)},
                          *length = be_type(call, BUDDY_F32, 1, &one);
  const bk_input inputs[2] = {{bk_tensor(call, 0), type}, {length_of(call, length, n), length}};
  static const char *const names[][2] = {
      [MA_FOURIER_COMPLEX] = {"buddy_math_fourier_complex_f64", "buddy_math_fourier_complex_f32"},
      [MA_FOURIER_OF_REALS] = {"buddy_math_fourier_of_reals_f64",
                               "buddy_math_fourier_of_reals_f32"},
      [MA_FOURIER_TO_REALS] = {"buddy_math_fourier_to_reals_f64",
                               "buddy_math_fourier_to_reals_f32"}};
  const int64_t ints[] = {is_forward, be_int(call, 2, 0), n_parts};
  const bk_runtime_call spec = {.symbol = names[kind][is_narrow(to->dtype)],
                                .inputs = inputs,
                                .n_inputs = 2,
                                .outputs = outputs,
                                .n_outputs = 2,
                                .ints = ints,
                                .n_ints = sizeof(ints) / sizeof(ints[0]),
                                .keeps = 1u << 1};
  buddy_ir_value results[2];
  const buddy_code code = bk_call(call, &spec, results);
  return code == BUDDY_OK ? bk_result(call, 0, results[0]) : code;
}
