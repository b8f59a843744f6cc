// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/words.c: the words that TOSA rows share: constants, shapes, ranks. */
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "plugins/tosa/rows.h"

/* ---- What no row takes ----------------------------------------------------------------------- */
static buddy_code check_type(buddy_call *call, const buddy_tensor_type *type) {
  if (!type) return BUDDY_OK;
  if (type->rank > TS_MAX_RANK) {
    return be_decline(call, "rank %u is above TOSA's %d", type->rank, TS_MAX_RANK);
  }
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] == 0) return be_decline(call, "dim %u is 0: TOSA has no empty tensors", d);
  }
  return BUDDY_OK;
}

static buddy_code check_arg(buddy_call *call, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  buddy_code code = BUDDY_OK;
  if (arg->kind == BUDDY_ARG_TENSOR) code = check_type(call, be_value_type(call, arg->as.tensor));
  for (size_t k = 0; arg->kind == BUDDY_ARG_TENSORS && k < arg->n && code == BUDDY_OK; ++k) {
    if (arg->as.tensors[k]) code = check_type(call, be_value_type(call, arg->as.tensors[k]));
  }
  if (arg->kind == BUDDY_ARG_INT && BUDDY_IS_SYMBOLIC(arg->as.i))
    code = be_decline(call, "a number is symbolic");
  if (arg->kind == BUDDY_ARG_COMPLEX) code = be_decline(call, "a number is complex");
  return code;
}

buddy_code ts_match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < be_host->n_args(call) && code == BUDDY_OK; ++i) code = check_arg(call, i);
  for (size_t i = 0; i < be_host->n_results(call) && code == BUDDY_OK; ++i) {
    code = check_type(call, be_result_type(call, i));
  }
  return code;
}

/* ---- Constants ------------------------------------------------------------------------------- */
MlirValue ts_constant(buddy_call *call, const buddy_tensor_type *type, MlirAttribute values) {
  const be_attribute attributes[] = {{"values", values}, {NULL, {NULL}}};
  return be_op(call, "tosa.const", type, NULL, 0, attributes);
}

/* One element of 1s in every dim; of an integer dtype it is `integer`, which a double could not
 * hold. */
static MlirValue one_element(buddy_call *call, buddy_dtype dtype, uint32_t rank, double number,
                             int64_t integer) {
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  const buddy_tensor_type *type = be_type(call, dtype, rank, dims);
  if (!type) return (MlirValue){NULL};
  const MlirType tensor = buddy_mlir_tensor_type(call, type);
  const MlirType element = buddy_mlir_element_type(call, dtype);
  if (mlirTypeIsNull(tensor) || mlirTypeIsNull(element)) return (MlirValue){NULL};
  const MlirAttribute value =
      be_is_float(dtype) ? mlirFloatAttrDoubleGet(buddy_mlir_context(call), element, number)
                         : mlirIntegerAttrGet(element, integer);
  return ts_constant(call, type, mlirDenseElementsAttrSplatGet(tensor, value));
}

MlirValue ts_number(buddy_call *call, buddy_dtype dtype, uint32_t rank, double number) {
  return one_element(call, dtype, rank, number, be_is_float(dtype) ? 0 : (int64_t)number);
}

MlirValue ts_number_arg(buddy_call *call, size_t i, buddy_dtype dtype, uint32_t rank) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_FLOAT) return ts_number(call, dtype, rank, arg->as.f);
  return one_element(call, dtype, rank, be_float(call, i, 0), arg->as.i);
}

MlirValue ts_shape(buddy_call *call, const int64_t *numbers, size_t n) {
  const MlirContext context = buddy_mlir_context(call);
  const int64_t count = (int64_t)n;
  const MlirType tensor =
      mlirRankedTensorTypeGet(1, &count, mlirIndexTypeGet(context), mlirAttributeGetNull());
  const MlirAttribute values = mlirDenseElementsAttrInt64Get(tensor, (intptr_t)n, numbers);
  static const char *const texts[] = {
      "!tosa.shape<0>",  "!tosa.shape<1>",  "!tosa.shape<2>", "!tosa.shape<3>", "!tosa.shape<4>",
      "!tosa.shape<5>",  "!tosa.shape<6>",  "!tosa.shape<7>", "!tosa.shape<8>", "!tosa.shape<9>",
      "!tosa.shape<10>", "!tosa.shape<11>", "!tosa.shape<12>"};
  if (n >= sizeof(texts) / sizeof(texts[0])) return (MlirValue){NULL};
  const MlirType type = mlirTypeParseGet(context, mlirStringRefCreateFromCString(texts[n]));
  const be_attribute attributes[] = {{"values", values}, {NULL, {NULL}}};
  const be_op_spec spec = {
      .name = "tosa.const_shape", .types = &type, .n_types = 1, .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */
MlirValue ts_reshape(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                     const buddy_tensor_type *to) {
  if (!from || !to || be_same_dims(from, to)) return value;
  return BE_OP(call, "tosa.reshape", to, value, ts_shape(call, to->dims, to->rank));
}

MlirValue ts_transpose(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                       const int32_t *perm, const buddy_tensor_type **out_type) {
  int64_t dims[TS_MAX_RANK] = {0};
  bool is_identity = true;
  if (out_type) *out_type = NULL;
  if (!from) return value; /* memory ran out, which the call remembers */
  for (uint32_t d = 0; d < from->rank; ++d) {
    dims[d] = from->dims[perm[d]];
    is_identity &= perm[d] == (int32_t)d;
  }
  const buddy_tensor_type *to = be_type(call, from->dtype, from->rank, dims);
  if (out_type) *out_type = to;
  if (is_identity || !to) return value;
  const MlirAttribute perms =
      mlirDenseI32ArrayGet(buddy_mlir_context(call), (intptr_t)from->rank, perm);
  const be_attribute attributes[] = {{"perms", perms}, {NULL, {NULL}}};
  return BE_OP_ATTRS(call, "tosa.transpose", to, attributes, value);
}

MlirValue ts_cast(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                  buddy_dtype to) {
  if (!from || from->dtype == to) return value;
  return BE_OP(call, "tosa.cast", be_with_dtype(call, from, to), value);
}

MlirValue ts_slice(buddy_call *call, MlirValue value, const int64_t *start,
                   const buddy_tensor_type *to) {
  if (!to) return (MlirValue){NULL};
  return BE_OP(call, "tosa.slice", to, value, ts_shape(call, start, to->rank),
               ts_shape(call, to->dims, to->rank));
}

MlirValue ts_filled(buddy_call *call, const buddy_tensor_type *type, MlirValue one) {
  bool is_one = true;
  for (uint32_t d = 0; type && d < type->rank; ++d) is_one &= type->dims[d] == 1;
  if (!type || is_one) return one;
  return BE_OP(call, "tosa.tile", type, one, ts_shape(call, type->dims, type->rank));
}

/* ---- What upstream's folders would break -------------------------------------------------------
 * They take 0 * x for 0, x + 0 for x and log(exp(x)) for x, which IEEE numbers are not. */
static bool is_called(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

int ts_is_made_by(MlirValue value, const char *name) {
  if (mlirValueIsNull(value) || !mlirValueIsAOpResult(value)) return 0;
  return is_called(mlirOpResultGetOwner(value), name);
}

int ts_is_zero(MlirValue value) {
  while (ts_is_made_by(value, "tosa.reshape") || ts_is_made_by(value, "tosa.tile")) {
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  }
  if (!ts_is_made_by(value, "tosa.const")) return 0;
  const MlirAttribute values = mlirOperationGetAttributeByName(
      mlirOpResultGetOwner(value), mlirStringRefCreateFromCString("values"));
  if (!mlirAttributeIsADenseElements(values) || !mlirDenseElementsAttrIsSplat(values)) return 0;
  const MlirAttribute number = mlirDenseElementsAttrGetSplatValue(values);
  return mlirAttributeIsAFloat(number) && mlirFloatAttrGetValueDouble(number) == 0;
}

/* ---- Operands -------------------------------------------------------------------------------- */
MlirValue ts_operand(buddy_call *call, size_t i, uint32_t rank, buddy_dtype dtype) {
  const buddy_tensor_type *type = be_arg_type(call, i);
  if (!type) return ts_number_arg(call, i, dtype, rank);
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  memcpy(dims + (rank - type->rank), type->dims, type->rank * sizeof(*dims));
  return ts_reshape(call, be_tensor(call, i), type, be_type(call, type->dtype, rank, dims));
}

buddy_dtype ts_operand_dtype(buddy_call *call) {
  for (size_t i = 0; i < be_host->n_args(call); ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (type) return type->dtype;
  }
  return BUDDY_DTYPE_NONE;
}
