// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/sdk/author/authortest.c: a registry in which each row is one helper of buddy/emit.h. Every
 * op is authortest::NAME(Tensor a) -> Tensor; what it does follows from the types of argument and
 * result. */
#include "buddy/emit.h"

static buddy_code emit_reshape(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_result(
      call, 0, be_reshape(call, be_tensor(call, 0), be_arg_type(call, 0), be_result_type(call, 0)));
}

static buddy_code emit_broadcast(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_result(
      call, 0,
      be_broadcast(call, be_tensor(call, 0), be_arg_type(call, 0), be_result_type(call, 0)));
}

/* All dims the other way round. */
static buddy_code emit_transpose(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  int64_t perm[BE_MAX_RANK];
  const buddy_tensor_type *type = be_arg_type(call, 0);
  for (uint32_t d = 0; d < type->rank; ++d) perm[d] = (int64_t)(type->rank - 1 - d);
  return be_result(call, 0, be_transpose(call, be_tensor(call, 0), type, perm));
}

static buddy_code emit_convert(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_result(call, 0, be_operand(call, 0, be_result_type(call, 0)->dtype));
}

static buddy_code emit_splat(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  be_arg(call, 0);
  return be_result(call, 0, be_splat(call, be_result_type(call, 0), 3.0));
}

/* Sums the last axis: a generic with a reduction. */
static MlirValue add(const be_body *body, const MlirValue *scalars, void *user) {
  (void)user;
  return BE_IN(body, "arith.addf", (MlirType){NULL}, scalars[0], scalars[1]);
}

static buddy_code emit_sum(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const MlirValue input = be_tensor(call, 0);
  const be_map map = be_map_identity(from->rank);
  const be_generic spec = {.n_loops = from->rank,
                           .reductions = 1u << (from->rank - 1),
                           .n_inputs = 1,
                           .inputs = &input,
                           .input_types = &from,
                           .input_maps = &map,
                           .init = be_filled(call, to, be_scalar(call, to->dtype, 0)),
                           .output_type = to,
                           .output_map = be_map_identity(to->rank),
                           .body = add};
  return be_result(call, 0, be_linalg_generic(call, &spec));
}

/* The flat index of each element: linalg.index, scalar ops, and dims inside a body. */
static MlirValue flat_index(const be_body *body, const MlirValue *scalars, void *user) {
  (void)scalars;
  const buddy_tensor_type *type = user;
  MlirValue flat = be_in_index(body, 0);
  for (uint32_t d = 0; d < type->rank; ++d) {
    const MlirValue scaled =
        BE_IN(body, "arith.muli", (MlirType){NULL}, flat, be_index(body->call, type->dims[d]));
    flat = BE_IN(body, "arith.addi", (MlirType){NULL}, scaled, be_in_loop(body, d));
  }
  return BE_IN(body, "arith.index_cast", buddy_mlir_element_type(body->call, BUDDY_I64), flat);
}

static buddy_code emit_flat_index(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_result_type(call, 0);
  be_arg(call, 0);
  /* The body reads the type only. */
  return be_result(call, 0,
                   be_elementwise(call, type, NULL, NULL, 0, flat_index, (void *)(uintptr_t)type));
}

#define ROW(op, function) {.name = "authortest." op ".default", .args = "a", .emit = (function)}
static const buddy_op ops[] = {
    ROW("reshape", emit_reshape),       ROW("broadcast", emit_broadcast),
    ROW("transpose", emit_transpose),   ROW("convert", emit_convert),
    ROW("splat", emit_splat),           ROW("sum", emit_sum),
    ROW("flat_index", emit_flat_index),
};

#define SCHEMA(op) "authortest::" op "(Tensor a) -> Tensor"
static const char *const schemas[] = {
    SCHEMA("reshape"), SCHEMA("broadcast"), SCHEMA("transpose"),  SCHEMA("convert"),
    SCHEMA("splat"),   SCHEMA("sum"),       SCHEMA("flat_index"), NULL};

BUDDY_REGISTRY(authortest, "1.0.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .schemas = schemas,
               .open = be_open);
