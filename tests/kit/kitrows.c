// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/kit/kitrows.c: a portable registry with a row for each function of buddy/kit.h, checked by
 * kitrows.jsonl. */
#include <string.h>

#include "buddy/kit.h"

static buddy_code emit_add(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bk_input inputs[] = {{bk_operand(call, 0, to->dtype), bk_operand_type(call, 0, to->dtype)},
                             {bk_operand(call, 1, to->dtype), bk_operand_type(call, 1, to->dtype)}};
  const char *body = bk_format(call, "%%r = arith.%s %%in0, %%in1 : %s\nlinalg.yield %%r : %s",
                               be_is_float(to->dtype) ? "addf" : "addi", bk_dtype_text(to->dtype),
                               bk_dtype_text(to->dtype));
  return bk_result(call, 0, bk_elementwise(call, to, inputs, 2, body));
}

static buddy_code emit_sum(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  (void)be_bool(call, 2); /* keepdim: the result's type has it */
  const bk_input input = {bk_tensor(call, 0), type};
  const char *body = bk_format(call, "%%r = arith.addf %%in0, %%acc : %s\nlinalg.yield %%r : %s",
                               bk_dtype_text(to->dtype), bk_dtype_text(to->dtype));
  return bk_result(call, 0,
                   bk_reduce(call, to, input, be_axes(call, 1, type->rank),
                             bk_number_text(call, to->dtype, 0), body));
}

static buddy_code emit_fill(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)bk_tensor(call, 0);
  return bk_result(call, 0, bk_splat(call, be_result_type(call, 0), be_float(call, 1, 0)));
}

static buddy_code emit_table(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  static const float numbers[] = {1, 2, 3};
  return bk_result(call, 0,
                   BK_OP(call, "arith.mulf", be_result_type(call, 0), bk_tensor(call, 0),
                         bk_constant(call, be_result_type(call, 0), numbers, sizeof(numbers))));
}

/* alpha * x + beta, and the sum of all of it; x of any strides. */
static buddy_code emit_axpy(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const bk_input inputs[] = {{bk_tensor(call, 0), be_arg_type(call, 0)}};
  const buddy_tensor_type *outputs[] = {be_result_type(call, 0), be_result_type(call, 1)};
  const double alpha = be_float(call, 1, 1);
  const int64_t beta = be_int(call, 2, 0);
  const bk_runtime_call spec = {.symbol = "kitrows_axpy",
                                .inputs = inputs,
                                .n_inputs = 1,
                                .outputs = outputs,
                                .n_outputs = 2,
                                .ints = &beta,
                                .n_ints = 1,
                                .floats = &alpha,
                                .n_floats = 1};
  buddy_ir_value results[2];
  const buddy_code code = bk_call(call, &spec, results);
  if (code != BUDDY_OK) return code;
  bk_result(call, 0, results[0]);
  return bk_result(call, 1, results[1]);
}

static void axpy(const bk_runtime_tensor *x, const bk_runtime_tensor *y,
                 const bk_runtime_tensor *sum, int64_t beta, double alpha) {
  const float *from = (const float *)x->memref->aligned + x->memref->offset;
  float *to = (float *)y->memref->aligned + y->memref->offset, total = 0;
  for (int64_t i = 0; i < bk_runtime_size(x, 0); ++i) {
    for (int64_t k = 0; k < bk_runtime_size(x, 1); ++k) {
      const float value = from[i * bk_runtime_stride(x, 0) + k * bk_runtime_stride(x, 1)];
      *to = (float)alpha * value + (float)beta;
      total += *to++;
    }
  }
  *(float *)sum->memref->aligned = total;
}

static const void *extension(void *state, const char *id) {
  static const buddy_runtime_symbol symbols[] = {
      {"_mlir_ciface_kitrows_axpy", (void (*)(void))axpy}};
  static const buddy_runtime runtime = {sizeof(runtime), 1, symbols};
  (void)state;
  return strcmp(id, BUDDY_RUNTIME_ID) == 0 ? &runtime : NULL;
}

#define ROW(name_, args_, emit_) {.name = "kitrows." name_ ".default", .args = args_, .emit = emit_}
static const buddy_op ops[] = {
    ROW("add", "self, other", emit_add), ROW("sum", "self, dim, keepdim", emit_sum),
    ROW("fill", "self, value", emit_fill), ROW("table", "self", emit_table),
    ROW("axpy", "x, alpha, beta", emit_axpy)};
static const char *const schemas[] = {
    "kitrows::add(Tensor self, Any other) -> Tensor",
    "kitrows::sum(Tensor self, int[] dim=[], bool keepdim=False) -> Tensor",
    "kitrows::fill(Tensor self, float value) -> Tensor",
    "kitrows::table(Tensor self) -> Tensor",
    "kitrows::axpy(Tensor x, float alpha=1.0, int beta=0) -> (Tensor, Tensor)",
    NULL};
static const char *const dialects[] = {"arith",  "bufferization", "func", "linalg",
                                       "memref", "tensor",        NULL};
BUDDY_REGISTRY(kitrows, "1.0.0", "kit tests", "MIT", 0, ops, .dialects = dialects,
               .schemas = schemas, .open = be_open, .extension = extension);
