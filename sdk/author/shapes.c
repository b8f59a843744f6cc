// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/shapes.c: reshape, transpose, broadcast.
 *
 * A reshape is cut into groups: the shortest runs of source dims and of result dims that have the
 * same product, from the left. [s0,12,64] → [s0,768] has the groups [s0]→[s0] and [12,64]→[768].
 * The source is collapsed to one dim a group, which is then expanded to the result's dims; each
 * step is left out where it changes nothing. Since the number of elements is the same on both
 * sides, one group over everything always works, so nothing is ever refused. Where one side of a
 * group is symbolic and the other a number (a fact that only the exporter knows) a tensor.cast
 * joins them.
 *
 * A group that expands to two or more symbolic dims ([s0*s1] → [s0,s1]) is a tensor.reshape with a
 * shape operand: upstream's expand-strided-metadata (LLVM 22) crashes on a memref.expand_shape of
 * that kind. */
#include "mlir-c/BuiltinAttributes.h"

#include <stdbool.h>
#include "mlir-c/BuiltinTypes.h"
#include "sdk/author/author.h"

static const MlirValue no_value = {NULL};

/* Group g takes dims [begin[g], begin[g + 1]) of each side. */
typedef struct grouping {
  uint32_t n;
  uint32_t *from, *to; /* n + 1 of each */
} grouping;

/* ---- Finding the groups ---------------------------------------------------------------------- */

static int64_t product(buddy_call *call, int64_t a, int64_t b) {
  return a == 1 ? b : b == 1 ? a : be_dim(call, BUDDY_DIM_MUL, a, b);
}

/* Is a, times something, b? */
static int divides(buddy_call *call, int64_t a, int64_t b) {
  if (a == 1) return 1;
  if (!BUDDY_IS_SYMBOLIC(b)) return !BUDDY_IS_SYMBOLIC(a) && a != 0 && b % a == 0;
  if (a == 0) return 0;
  const int64_t quotient = be_dim(call, BUDDY_DIM_FLOORDIV, b, a);
  return be_dim(call, BUDDY_DIM_MUL, quotient, a) == b;
}

/* Whose product must grow next so that both may become equal? */
static int source_grows(buddy_call *call, int64_t from, int64_t to) {
  if (!BUDDY_IS_SYMBOLIC(from) && !BUDDY_IS_SYMBOLIC(to)) return from < to;
  return divides(call, from, to) || !divides(call, to, from);
}

static void find_groups(buddy_call *call, const buddy_tensor_type *from,
                        const buddy_tensor_type *to, grouping *g) {
  uint32_t i = 0, k = 0;
  g->n = 0;
  while (i < from->rank && k < to->rank) {
    g->from[g->n] = i;
    g->to[g->n++] = k;
    int64_t from_product = from->dims[i++], to_product = to->dims[k++];
    while (from_product != to_product && (i < from->rank || k < to->rank)) {
      const int grow_source =
          k == to->rank || (i < from->rank && source_grows(call, from_product, to_product));
      if (grow_source) {
        from_product = product(call, from_product, from->dims[i++]);
      } else {
        to_product = product(call, to_product, to->dims[k++]);
      }
    }
  }
  /* What is left on one side can only be ones: they join the last group. */
  g->from[g->n] = from->rank;
  g->to[g->n] = to->rank;
}

/* ---- Building -------------------------------------------------------------------------------- */

/* The dim that a group collapses to, by MLIR's rule: `?` if any of its dims is, else the
 * product. */
static int64_t collapsed_dim(const int64_t *dims, uint32_t begin, uint32_t end) {
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  int64_t n = 1;
  for (uint32_t d = begin; d < end; ++d) {
    if (dims[d] == dynamic) return dynamic;
    if (__builtin_mul_overflow(n, dims[d], &n)) return dynamic;
  }
  return n;
}

/* [[0, 1], [2]]: for each group the dims of the expanded side. */
static MlirAttribute reassociation(buddy_call *call, uint32_t n, const uint32_t *begin) {
  const MlirContext context = buddy_mlir_context(call);
  MlirAttribute *groups = be_scratch(call, n, sizeof(MlirAttribute));
  MlirAttribute *dims = be_scratch(call, begin[n], sizeof(MlirAttribute));
  if (!groups || !dims) return (MlirAttribute){NULL};
  for (uint32_t d = 0; d < begin[n]; ++d) dims[d] = be_attr_i64(call, d);
  for (uint32_t g = 0; g < n; ++g) {
    groups[g] = mlirArrayAttrGet(context, (intptr_t)(begin[g + 1] - begin[g]), dims + begin[g]);
  }
  return mlirArrayAttrGet(context, (intptr_t)n, groups);
}

static MlirValue build(buddy_call *call, const char *name, MlirType type, const MlirValue *operands,
                       size_t n, const be_attribute *attributes) {
  const be_op_spec spec = {.name = name,
                           .operands = operands,
                           .n_operands = n,
                           .types = &type,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}

static MlirValue cast_to(buddy_call *call, MlirValue value, MlirType type) {
  if (!value.ptr || !type.ptr || mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return build(call, "tensor.cast", type, &value, 1, NULL);
}

static MlirValue collapse(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                          const grouping *g) {
  const int64_t *dims = be_mlir_dims(call, from->dims, from->rank);
  int64_t *middle = be_scratch(call, g->n, sizeof(int64_t));
  if (!dims || !middle) return no_value;
  for (uint32_t i = 0; i < g->n; ++i) middle[i] = collapsed_dim(dims, g->from[i], g->from[i + 1]);
  if (g->n == from->rank) return value;
  return build(call, "tensor.collapse_shape", be_ranked(call, from->dtype, g->n, middle), &value, 1,
               BE_ATTRIBUTES({"reassociation", reassociation(call, g->n, g->from)}));
}

static MlirValue expand(buddy_call *call, MlirValue value, const buddy_tensor_type *to,
                        const grouping *g) {
  const int64_t *dims = be_mlir_dims(call, to->dims, to->rank);
  int64_t *middle = be_scratch(call, g->n, sizeof(int64_t));
  MlirValue *operands = be_scratch(call, to->rank + 1u, sizeof(MlirValue));
  if (!dims || !middle || !operands) return no_value;
  for (uint32_t i = 0; i < g->n; ++i) middle[i] = collapsed_dim(dims, g->to[i], g->to[i + 1]);
  operands[0] = cast_to(call, value, be_ranked(call, to->dtype, g->n, middle));
  if (g->n == to->rank) return operands[0];
  size_t n = 1;
  for (uint32_t d = 0; d < to->rank; ++d) {
    if (BUDDY_IS_SYMBOLIC(to->dims[d])) operands[n++] = buddy_mlir_dim(call, to->dims[d]);
  }
  return build(call, "tensor.expand_shape", buddy_mlir_tensor_type(call, to), operands, n,
               BE_ATTRIBUTES({"reassociation", reassociation(call, g->n, g->to)},
                             {"static_output_shape", be_attr_i64s(call, dims, to->rank)}));
}

static bool has_two_unknowns(const buddy_tensor_type *to, const grouping *g) {
  for (uint32_t i = 0; i < g->n; ++i) {
    uint32_t n = 0;
    for (uint32_t d = g->to[i]; d < g->to[i + 1]; ++d) n += BUDDY_IS_SYMBOLIC(to->dims[d]);
    if (n > 1) return true;
  }
  return false;
}

static MlirValue reshape_by_operand(buddy_call *call, MlirValue value,
                                    const buddy_tensor_type *to) {
  const int64_t rank = (int64_t)to->rank;
  MlirValue *dims = be_scratch(call, to->rank, sizeof(MlirValue));
  if (!dims) return no_value;
  for (uint32_t d = 0; d < to->rank; ++d) dims[d] = buddy_mlir_dim(call, to->dims[d]);
  const MlirType type = mlirRankedTensorTypeGet(
      1, &rank, mlirIndexTypeGet(buddy_mlir_context(call)), mlirAttributeGetNull());
  const MlirValue operands[2] = {value,
                                 build(call, "tensor.from_elements", type, dims, to->rank, NULL)};
  return build(call, "tensor.reshape", buddy_mlir_tensor_type(call, to), operands, 2, NULL);
}

static bool has_zero(const buddy_tensor_type *type) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] == 0) return true;
  }
  return false;
}

/* A tensor of one element whose dims are all 1 as numbers: what a 0-d tensor can be reshaped from
 * and to. */
static const buddy_tensor_type *ones(buddy_call *call, const buddy_tensor_type *type) {
  int64_t *dims = be_scratch(call, type->rank, sizeof(int64_t));
  if (!dims) return NULL;
  for (uint32_t d = 0; d < type->rank; ++d) dims[d] = 1;
  return be_type(call, type->dtype, type->rank, dims);
}

MlirValue be_reshape(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                     const buddy_tensor_type *to) {
  if (!from || !to || !value.ptr) {
    be_fail(call, BUDDY_INVALID_ARGUMENT, "reshape of a null value or to a null type");
    return no_value;
  }
  if (be_same_dims(from, to)) return value;
  if (has_zero(from) || has_zero(to)) return be_empty(call, to);
  const buddy_tensor_type *source = to->rank == 0 ? ones(call, from) : from;
  const buddy_tensor_type *result = from->rank == 0 ? ones(call, to) : to;
  grouping g = {.from = be_scratch(call, (size_t)from->rank + to->rank + 1, sizeof(uint32_t)),
                .to = be_scratch(call, (size_t)from->rank + to->rank + 1, sizeof(uint32_t))};
  if (!source || !result || !g.from || !g.to) return no_value;
  value = cast_to(call, value, buddy_mlir_tensor_type(call, source));
  find_groups(call, source, result, &g);
  value = has_two_unknowns(result, &g)
              ? reshape_by_operand(call, value, result)
              : expand(call, collapse(call, value, source, &g), result, &g);
  return cast_to(call, value, buddy_mlir_tensor_type(call, to));
}

/* ---- Transpose and broadcast ----------------------------------------------------------------- */

static bool is_permutation(const int64_t *perm, uint32_t rank, bool *out_is_identity) {
  uint64_t seen = 0;
  *out_is_identity = true;
  for (uint32_t d = 0; d < rank; ++d) {
    if (rank > 64 || perm[d] < 0 || perm[d] >= (int64_t)rank) return false;
    seen |= UINT64_C(1) << perm[d];
    if (perm[d] != (int64_t)d) *out_is_identity = false;
  }
  return rank == 0 || seen == UINT64_MAX >> (64 - rank);
}

MlirValue be_transpose(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                       const int64_t *perm) {
  bool is_identity;
  if (!from || !value.ptr || !is_permutation(perm, from->rank, &is_identity)) {
    be_fail(call, BUDDY_INVALID_ARGUMENT, "transpose of a null value or by what is no permutation");
    return no_value;
  }
  if (is_identity) return value;
  int64_t *dims = be_scratch(call, from->rank, sizeof(int64_t));
  if (!dims) return no_value;
  for (uint32_t d = 0; d < from->rank; ++d) dims[d] = from->dims[perm[d]];
  const buddy_tensor_type *to = be_type(call, from->dtype, from->rank, dims);
  return BE_OP_ATTRS(call, "linalg.transpose", to,
                     BE_ATTRIBUTES({"permutation", be_attr_i64s(call, perm, from->rank)}), value,
                     be_empty(call, to));
}

static MlirValue yield_input(const be_body *body, const MlirValue *scalars, void *user) {
  (void)body;
  (void)user;
  return scalars[0];
}

/* A symbolic dim against another dim is taken to be equal: the exporter has checked it or guards
 * it. */
static int broadcasts(const buddy_tensor_type *from, const buddy_tensor_type *to) {
  if (from->rank > to->rank) return 0;
  const uint32_t shift = to->rank - from->rank;
  for (uint32_t d = 0; d < from->rank; ++d) {
    const int64_t a = from->dims[d], b = to->dims[d + shift];
    if (a != b && a != 1 && !BUDDY_IS_SYMBOLIC(a) && !BUDDY_IS_SYMBOLIC(b)) return 0;
  }
  return 1;
}

MlirValue be_broadcast(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                       const buddy_tensor_type *to) {
  if (!from || !to || !value.ptr) {
    be_fail(call, BUDDY_INVALID_ARGUMENT, "broadcast of a null value or to a null type");
    return no_value;
  }
  if (be_same_dims(from, to)) return value;
  if (!broadcasts(from, to)) {
    be_decline(call, "a tensor of rank %u does not broadcast to one of rank %u", from->rank,
               to->rank);
    return no_value;
  }
  return be_elementwise(call, be_with_dtype(call, to, from->dtype), &value, &from, 1, yield_input,
                        NULL);
}
