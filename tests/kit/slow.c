// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/kit/slow.c: a registry that is right and slow: what `buddy run --autotune` must find out.
 * Its relu waits for two milliseconds. */
#include <string.h>
#include <time.h>

#include "buddy/kit.h"

static buddy_code match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  return type && type->dtype == BUDDY_F32 ? BUDDY_OK : be_decline(call, "not float32");
}

static buddy_code emit_relu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const int64_t n = be_n_elements(call, type);
  const bk_input input = {bk_tensor(call, 0), type};
  const bk_runtime_call spec = {.symbol = "slow_relu",
                                .inputs = &input,
                                .n_inputs = 1,
                                .outputs = &type,
                                .n_outputs = 1,
                                .ints = &n,
                                .n_ints = 1};
  buddy_ir_value result;
  const buddy_code code = bk_call(call, &spec, &result);
  return code == BUDDY_OK ? bk_result(call, 0, result) : code;
}

static void relu(const bk_runtime_tensor *x, const bk_runtime_tensor *y, int64_t n) {
  const float *from = (const float *)x->memref->aligned + x->memref->offset;
  float *to = (float *)y->memref->aligned + y->memref->offset;
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  for (int64_t i = 0; i < n; ++i) to[i] = from[i] > 0 ? from[i] : 0;
}

static const void *extension(void *state, const char *id) {
  static const buddy_runtime_symbol symbols[] = {{"_mlir_ciface_slow_relu", (void (*)(void))relu}};
  static const buddy_runtime runtime = {sizeof(runtime), 1, symbols};
  (void)state;
  return strcmp(id, BUDDY_RUNTIME_ID) == 0 ? &runtime : NULL;
}

static const buddy_op ops[] = {
    {.name = "aten.relu.default", .args = "self", .match = match, .emit = emit_relu}};
static const char *const dialects[] = {"bufferization", "func", "memref", "tensor", NULL};
BUDDY_REGISTRY(slow, "1.0.0", "kit tests", "MIT", 0, ops, .dialects = dialects, .open = be_open,
               .extension = extension);
