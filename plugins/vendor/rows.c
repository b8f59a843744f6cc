/* plugins/vendor/rows.c: rows become calls of the kernels beside them. A tensor goes over as an
 * unranked memref with its strides, so a transposed weight is a view and not a copy; the result is
 * allocated here and becomes a tensor again. */
#include "plugins/vendor/rows.h"

#include <stdio.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "plugins/vendor/kernels.h"

/* ---- Matching -------------------------------------------------------------------------------- */
buddy_code vd_match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (to->dtype == BUDDY_BF16 && !buddy_vendor_is_bf16_fast()) {
    return be_decline(call, "this CPU has no bf16 arithmetic");
  }
  for (size_t i = 0; i < be_host->n_args(call); ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (type && type->rank > BUDDY_VENDOR_MAX_RANK) {
      return be_decline(call, "rank %u is above the kernels' %d", type->rank,
                        BUDDY_VENDOR_MAX_RANK);
    }
  }
  return BUDDY_OK;
}

buddy_code vd_match_product(void *state, const buddy_op *self, buddy_call *call) {
  const vd_product *product = self->user;
  for (size_t i = product->scales; product->scales != VD_NONE && i < product->scales + 2u; ++i) {
    if (be_float(call, i, 1) != 1) return be_decline(call, "beta and alpha are not 1");
  }
  if (product->is_transposed && be_arg_type(call, product->b)->rank != 2) {
    return be_decline(call, "the weight is no matrix");
  }
  return vd_match(state, self, call);
}

/* ---- Tensors as memrefs ---------------------------------------------------------------------- */
static int64_t shown(int64_t dim) {
  return BUDDY_IS_SYMBOLIC(dim) ? mlirShapedTypeGetDynamicSize() : dim;
}

/* memref<dims, strided<[?, …], offset: ?>> */
static MlirType strided_type(buddy_call *call, const buddy_tensor_type *type) {
  int64_t dims[BUDDY_VENDOR_MAX_RANK] = {0}, strides[BUDDY_VENDOR_MAX_RANK] = {0};
  for (uint32_t d = 0; d < type->rank; ++d) {
    dims[d] = shown(type->dims[d]);
    strides[d] = mlirShapedTypeGetDynamicStrideOrOffset();
  }
  const MlirAttribute layout =
      mlirStridedLayoutAttrGet(buddy_mlir_context(call), mlirShapedTypeGetDynamicStrideOrOffset(),
                               (intptr_t)type->rank, strides);
  return mlirMemRefTypeGet(buddy_mlir_element_type(call, type->dtype), (intptr_t)type->rank, dims,
                           layout, mlirAttributeGetNull());
}

static MlirType unranked_type(buddy_call *call, buddy_dtype dtype) {
  return mlirUnrankedMemRefTypeGet(buddy_mlir_element_type(call, dtype), mlirAttributeGetNull());
}

static MlirValue convert(buddy_call *call, const char *name, MlirValue value, MlirType to,
                         const be_attribute *attributes) {
  const be_op_spec spec = {.name = name,
                           .operands = &value,
                           .n_operands = 1,
                           .types = &to,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

/* An input as memref<*xT>; transposed: of a matrix, by its strides. */
static MlirValue input(buddy_call *call, MlirValue tensor, const buddy_tensor_type *type,
                       int is_transposed) {
  const be_attribute read_only[] = {{"read_only", mlirUnitAttrGet(buddy_mlir_context(call))},
                                    {NULL, {NULL}}};
  MlirValue memref =
      convert(call, "bufferization.to_buffer", tensor, strided_type(call, type), read_only);
  if (is_transposed) {
    unsigned int perm[] = {1, 0};
    const MlirAffineMap map = mlirAffineMapPermutationGet(buddy_mlir_context(call), 2, perm);
    const be_attribute attributes[] = {{"permutation", mlirAffineMapAttrGet(map)}, {NULL, {NULL}}};
    const int64_t dims[] = {type->dims[1], type->dims[0]};
    const buddy_tensor_type turned = {type->dtype, 2, dims};
    memref = convert(call, "memref.transpose", memref, strided_type(call, &turned), attributes);
  }
  return convert(call, "memref.cast", memref, unranked_type(call, type->dtype), NULL);
}

static MlirValue argument(buddy_call *call, size_t i, int is_transposed) {
  return input(call, be_tensor(call, i), be_arg_type(call, i), is_transposed);
}

static MlirValue allocate(buddy_call *call, const buddy_tensor_type *type) {
  int64_t dims[BUDDY_VENDOR_MAX_RANK] = {0};
  MlirValue sizes[BUDDY_VENDOR_MAX_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    dims[d] = shown(type->dims[d]);
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) sizes[n++] = be_dim_value(call, type->dims[d]);
  }
  const MlirType memref =
      mlirMemRefTypeContiguousGet(buddy_mlir_element_type(call, type->dtype), (intptr_t)type->rank,
                                  dims, mlirAttributeGetNull());
  const int32_t segments[] = {(int32_t)n, 0}; /* sizes, symbols of the layout */
  const be_attribute attributes[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(buddy_mlir_context(call), 2, segments)},
      {"alignment", be_attr_i64(call, 64)},
      {NULL, {NULL}}};
  const be_op_spec spec = {.name = "memref.alloc",
                           .operands = sizes,
                           .n_operands = n,
                           .types = &memref,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

/* ---- Calls ----------------------------------------------------------------------------------- */
enum { MAX_OPERANDS = 5 };
typedef struct kernel_call {
  const char *name; /* without the dtype */
  MlirValue operands[MAX_OPERANDS];
  size_t n;
  MlirValue result; /* the ranked memref */
} kernel_call;

/* Calls the kernel of the result's dtype, and makes what it wrote result 0. */
static buddy_code call_kernel(buddy_call *call, kernel_call *k) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  char name[64];
  snprintf(name, sizeof(name), "%s_%s", k->name, to->dtype == BUDDY_BF16 ? "bf16" : "f32");
  MlirType types[MAX_OPERANDS];
  for (size_t i = 0; i < k->n; ++i) {
    if (mlirValueIsNull(k->operands[i])) return be_result(call, 0, k->operands[i]);
    types[i] = mlirValueGetType(k->operands[i]);
  }
  const MlirType function =
      mlirFunctionTypeGet(buddy_mlir_context(call), (intptr_t)k->n, types, 0, NULL);
  const be_attribute callee[] = {{"callee", buddy_mlir_declare_function(call, name, function)},
                                 {NULL, {NULL}}};
  if (mlirAttributeIsNull(callee[0].value)) return be_result(call, 0, (MlirValue){NULL});
  const be_op_spec spec = {
      .name = "func.call", .operands = k->operands, .n_operands = k->n, .attributes = callee};
  be_build(call, &spec);
  /* Nobody else knows the buffer, so later ops may write into it. */
  const MlirAttribute unit = mlirUnitAttrGet(buddy_mlir_context(call));
  const be_attribute owned[] = {{"restrict", unit}, {"writable", unit}, {NULL, {NULL}}};
  return be_result(
      call, 0,
      convert(call, "bufferization.to_tensor", k->result, buddy_mlir_tensor_type(call, to), owned));
}

static void add_result(buddy_call *call, kernel_call *k) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  k->result = allocate(call, to);
  k->operands[k->n++] =
      convert(call, "memref.cast", k->result, unranked_type(call, to->dtype), NULL);
}

buddy_code vd_emit_product(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const vd_product *product = self->user;
  const int has_bias = product->bias != VD_NONE && !be_is_none(call, product->bias);
  kernel_call k = {.name = has_bias ? "buddy_vendor_matmul_bias" : "buddy_vendor_matmul"};
  k.operands[k.n++] = argument(call, product->a, 0);
  k.operands[k.n++] = argument(call, product->b, product->is_transposed);
  if (has_bias) k.operands[k.n++] = argument(call, product->bias, 0);
  add_result(call, &k);
  return call_kernel(call, &k);
}

/* transposed, groups, then stride, padding and dilation per spatial dim */
static MlirValue window_numbers(buddy_call *call, const vd_window *at, uint32_t n) {
  int64_t numbers[2 + 3 * 3] = {at->transposed == VD_NONE ? 0 : be_bool(call, at->transposed),
                                be_int(call, at->groups, 1)};
  for (uint32_t k = 0; k < n; ++k) {
    numbers[2 + k] = be_int_at(call, at->stride, k, 1);
    numbers[2 + n + k] = be_int_at(call, at->padding, k, 0);
    numbers[2 + 2 * n + k] = be_int_at(call, at->dilation, k, 1);
  }
  const int64_t count = 2 + 3 * (int64_t)n;
  const buddy_tensor_type type = {BUDDY_I64, 1, &count};
  return input(call, be_ints(call, BUDDY_I64, numbers, (size_t)count), &type, 0);
}

buddy_code vd_emit_convolution(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  for (size_t i = 3; i < be_host->n_args(call); ++i)
    (void)be_arg(call, i); /* output_padding: the result type has it */
  const uint32_t n = be_arg_type(call, 1)->rank - 2;
  if (n < 1 || n > 3) return be_decline(call, "%u spatial dims: the kernels have 1 to 3", n);
  const int has_bias = !be_is_none(call, 2);
  kernel_call k = {.name = has_bias ? "buddy_vendor_convolution_bias" : "buddy_vendor_convolution"};
  k.operands[k.n++] = argument(call, 0, 0);
  k.operands[k.n++] = argument(call, 1, 0);
  if (has_bias) k.operands[k.n++] = argument(call, 2, 0);
  add_result(call, &k);
  k.operands[k.n++] = window_numbers(call, self->user, n);
  return call_kernel(call, &k);
}
