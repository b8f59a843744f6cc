// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/sdk/lower/lowertest.c: a registry whose rows do one thing each, right or wrong. Every op is
 * lowertest::NAME(Tensor a) -> Tensor; where two rows have one name, the first spoils something and
 * the second is good, so that what the first has left behind would show in the module. */
#include "buddy/emit.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue unary(buddy_call *call, const char *op) {
  return BE_OP(call, op, be_result_type(call, 0), be_tensor(call, 0));
}

/* What an undone call may leave behind: ops, dims, declarations. */
static void make_a_mess(buddy_call *call) {
  unary(call, "tosa.ceil");
  be_index(call, 12345);
  const MlirType tensor = buddy_mlir_tensor_type(call, be_result_type(call, 0));
  buddy_mlir_declare_function(
      call, "mess", mlirFunctionTypeGet(buddy_mlir_context(call), 1, &tensor, 1, &tensor));
}

static buddy_code emit_named(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return be_result(call, 0, unary(call, self->user));
}

static buddy_code emit_decline(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  make_a_mess(call);
  return be_decline(call, "changed my mind");
}

static buddy_code emit_unverifiable(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  make_a_mess(call);
  const MlirValue a = be_tensor(call, 0);
  return be_result(call, 0, BE_OP(call, "arith.addi", be_result_type(call, 0), a, a));
}

static buddy_code emit_wrong_type(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  make_a_mess(call);
  const int64_t dims[1] = {77};
  return be_result(call, 0, be_splat(call, be_type(call, BUDDY_F32, 1, dims), 1.0));
}

static buddy_code emit_unset(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  make_a_mess(call);
  be_arg(call, 0);
  return BUDDY_OK;
}

static buddy_code emit_null_operand(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  be_arg(call, 0);
  return be_result(call, 0, BE_OP(call, "tosa.abs", be_result_type(call, 0), (MlirValue){NULL}));
}

static buddy_code emit_null_result(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  be_arg(call, 0);
  return be_result(call, 0, (MlirValue){NULL});
}

static buddy_code emit_result_out_of_range(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_result(call, 7, unary(call, "tosa.abs"));
}

/* An attribute that lives in another context. */
static buddy_code emit_foreign(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const MlirContext other = mlirContextCreate();
  const be_attribute attributes[] = {{"foreign", mlirUnitAttrGet(other)}, {NULL, {NULL}}};
  const MlirValue value =
      BE_OP_ATTRS(call, "tosa.abs", be_result_type(call, 0), attributes, be_tensor(call, 0));
  mlirContextDestroy(other);
  return be_result(call, 0, value);
}

/* One function twice, with the same type and with another. */
static buddy_code emit_declare(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const MlirContext context = buddy_mlir_context(call);
  const MlirType type = buddy_mlir_tensor_type(call, be_result_type(call, 0));
  const MlirAttribute callee =
      buddy_mlir_declare_function(call, "kernel", mlirFunctionTypeGet(context, 1, &type, 1, &type));
  if (self->user)
    buddy_mlir_declare_function(call, "kernel", mlirFunctionTypeGet(context, 0, NULL, 0, NULL));
  const be_attribute attributes[] = {{"callee", callee}, {NULL, {NULL}}};
  return be_result(
      call, 0,
      BE_OP_ATTRS(call, "func.call", be_result_type(call, 0), attributes, be_tensor(call, 0)));
}

/* The sizes of the argument, added up, as a 0-d tensor: asks for every dim, some twice. */
static buddy_code emit_sizes(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const be_body body = {call, buddy_mlir_block(call)};
  MlirValue sum = be_index(call, type->dims[0]);
  for (uint32_t d = 0; d < type->rank; ++d) {
    sum = BE_IN(&body, "arith.addi", (MlirType){NULL}, sum, be_index(call, type->dims[d]));
  }
  sum = BE_IN(&body, "arith.index_cast", buddy_mlir_element_type(call, BUDDY_I64), sum);
  return be_result(call, 0, BE_OP(call, "tensor.from_elements", be_result_type(call, 0), sum));
}

/* Gives a tensor of unknown sizes where the graph knows them. */
static buddy_code emit_loose(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const int64_t unknown = mlirShapedTypeGetDynamicSize();
  const MlirType element = buddy_mlir_element_type(call, BUDDY_F32);
  const MlirType loose = mlirRankedTensorTypeGet(1, &unknown, element, mlirAttributeGetNull());
  const MlirValue value = be_tensor(call, 0);
  const be_op_spec spec = {
      .name = "tensor.cast", .operands = &value, .n_operands = 1, .types = &loose, .n_types = 1};
  const MlirOperation op = be_build(call, &spec);
  return be_result(call, 0, op.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL});
}

#define ROW(op, function, user_, benefit_) \
  {.name = "lowertest." op ".default",     \
   .args = "a",                            \
   .benefit = (benefit_),                  \
   .emit = (function),                     \
   .user = (user_)}
#define SPOILED(op, function) ROW(op, function, NULL, 1), ROW(op, emit_named, "tosa.abs", 0)

static const buddy_op ops[] = {
    ROW("abs", emit_named, "tosa.abs", 0),
    SPOILED("decline", emit_decline),
    SPOILED("unverifiable", emit_unverifiable),
    SPOILED("wrong_type", emit_wrong_type),
    SPOILED("unset", emit_unset),
    SPOILED("null_operand", emit_null_operand),
    SPOILED("null_result", emit_null_result),
    SPOILED("out_of_range", emit_result_out_of_range),
    SPOILED("foreign", emit_foreign),
    ROW("unknown_op", emit_named, "tosa.frobnicate", 1),
    ROW("unknown_op", emit_named, "tosa.abs", 0),
    ROW("decline_only", emit_decline, NULL, 0),
    ROW("declare", emit_declare, NULL, 0),
    ROW("declare_twice", emit_declare, "with another type", 0),
    ROW("sizes", emit_sizes, NULL, 0),
    ROW("loose", emit_loose, NULL, 0),
};

#define SCHEMA(op) "lowertest::" op "(Tensor a) -> Tensor"
static const char *const schemas[] = {
    SCHEMA("abs"),           SCHEMA("decline"),      SCHEMA("unverifiable"), SCHEMA("wrong_type"),
    SCHEMA("unset"),         SCHEMA("null_operand"), SCHEMA("null_result"),  SCHEMA("out_of_range"),
    SCHEMA("foreign"),       SCHEMA("unknown_op"),   SCHEMA("decline_only"), SCHEMA("declare"),
    SCHEMA("declare_twice"), SCHEMA("sizes"),        SCHEMA("loose"),        NULL};
static const char *const dialects[] = {"tosa", NULL};

BUDDY_REGISTRY(lowertest, "1.0.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .dialects = dialects,
               .schemas = schemas, .open = be_open);
