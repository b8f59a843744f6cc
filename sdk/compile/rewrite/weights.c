// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/weights.c: what keeps the loops that make weights apart; see weights.h. */
#include "sdk/compile/rewrite/weights.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"

enum { MAX_RANK = 16, MOST_VISITED = 256 };

/* ---- What is made of weights alone ----------------------------------------------------------- */

typedef struct search {
  MlirBlock entry;
  const bd_signature *signature;
  int n_visited;
} search;

static bool is_weight(const search *s, MlirValue argument) {
  const size_t i = (size_t)mlirBlockArgumentGetArgNumber(argument);
  return mlirBlockEqual(mlirBlockArgumentGetOwner(argument), s->entry) &&
         i < s->signature->n_inputs && s->signature->inputs[i].port.kind != BUDDY_INPUT_USER;
}

/* NOLINTNEXTLINE(misc-no-recursion): at most MOST_VISITED deep */
static bool is_of_weights(search *s, MlirValue value) {
  if (++s->n_visited > MOST_VISITED) return false;
  if (mlirValueIsABlockArgument(value)) return is_weight(s, value);
  const MlirOperation op = mlirOpResultGetOwner(value);
  const bool is_plain = bd_op_is(op, "linalg.generic") || bd_op_is(op, "linalg.fill") ||
                        bd_op_starts_with(op, "tensor.") || bd_op_starts_with(op, "arith.");
  bool are = is_plain;
  for (intptr_t i = 0; are && i < mlirOperationGetNumOperands(op); ++i)
    are = is_of_weights(s, mlirOperationGetOperand(op, i));
  return are;
}

bool bd_is_of_weights(MlirOperation entry, const bd_signature *signature, MlirValue tensor) {
  search s = {.entry = bd_body_of(entry), .signature = signature};
  return s.entry.ptr && is_of_weights(&s, tensor);
}

/* ---- Reshapes -------------------------------------------------------------------------------- */

/* The dims of both sides cut as finely as either: n sizes, innermost first, of which each is a part of a dim
 * of both. */
typedef struct refinement {
  int n;
  int64_t sizes[2 * MAX_RANK];
  int64_t of[2][2 * MAX_RANK]; /* the dim of either side */
} refinement;

/* False if a dim of one side begins within a part of one of the other's. */
static bool refine(MlirType from, MlirType to, refinement *out) {
  const MlirType types[2] = {from, to};
  int64_t at[2], left[2];
  for (int side = 0; side < 2; ++side) {
    at[side] = mlirShapedTypeGetRank(types[side]) - 1;
    if (at[side] < 0 || at[side] >= MAX_RANK) return false;
    left[side] = mlirShapedTypeGetDimSize(types[side], (intptr_t)at[side]);
  }
  for (out->n = 0; out->n < 2 * MAX_RANK; ++out->n) {
    const int64_t size = left[0] < left[1] ? left[0] : left[1];
    if (size < 1 || left[0] % size != 0 || left[1] % size != 0) return false;
    out->sizes[out->n] = size;
    bool is_over = true;
    for (int side = 0; side < 2; ++side) {
      out->of[side][out->n] = at[side];
      left[side] /= size;
      if (left[side] == 1 && at[side] > 0)
        left[side] = mlirShapedTypeGetDimSize(types[side], (intptr_t)--at[side]);
      is_over = is_over && left[side] == 1 && at[side] == 0;
    }
    if (is_over) {
      ++out->n;
      return out->of[0][out->n - 1] == 0 && out->of[1][out->n - 1] == 0;
    }
  }
  return false;
}

/* [[0, 1], [2]]: the parts of each dim of that side, outermost first. */
static MlirAttribute groups_of(MlirContext context, const refinement *r, int side, int64_t rank) {
  MlirAttribute groups[MAX_RANK], parts[2 * MAX_RANK];
  const MlirType i64 = mlirIntegerTypeGet(context, 64);
  int next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const int begin = next;
    for (; next < r->n && r->of[side][r->n - 1 - next] == dim; ++next)
      parts[next] = mlirIntegerAttrGet(i64, next);
    groups[dim] = mlirArrayAttrGet(context, next - begin, parts + begin);
  }
  return mlirArrayAttrGet(context, (intptr_t)rank, groups);
}

static MlirType refined_type(const refinement *r, MlirType like) {
  int64_t sizes[2 * MAX_RANK];
  for (int i = 0; i < r->n; ++i) sizes[i] = r->sizes[r->n - 1 - i];
  return mlirRankedTensorTypeGet(r->n, sizes, mlirShapedTypeGetElementType(like),
                                 mlirAttributeGetNull());
}

static MlirValue join(MlirOperation before, MlirValue source, MlirType type, MlirAttribute groups) {
  return bd_build(bd_builder_before(before), "tensor.collapse_shape", &source, 1, type,
                  "reassociation", groups);
}

static MlirOperation cut(MlirOperation before, MlirValue source, const refinement *r) {
  const MlirType from = mlirValueGetType(source), type = refined_type(r, from);
  const MlirContext context = mlirOperationGetContext(before);
  int64_t sizes[2 * MAX_RANK];
  for (int i = 0; i < r->n; ++i) sizes[i] = mlirShapedTypeGetDimSize(type, i);
  const MlirNamedAttribute attributes[] = {
      bd_named(context, "reassociation", groups_of(context, r, 0, mlirShapedTypeGetRank(from))),
      bd_named(context, "static_output_shape", mlirDenseI64ArrayGet(context, r->n, sizes))};
  return bd_build_op(bd_builder_before(before), "tensor.expand_shape", &source, 1, &type, 1,
                     attributes, 2);
}

/* What is written in parts, as numbers that lie two to a byte are, joins no loop before it: cut, it would only keep the
 * loops after it apart. */
static buddy_code cut_first(MlirOperation expand, void *user) {
  search s = *(const search *)user;
  const MlirValue joined = mlirOperationGetOperand(expand, 0),
                  result = mlirOperationGetResult(expand, 0);
  const MlirType to = mlirValueGetType(result);
  refinement r;
  if (!bd_is_made_by(joined, "tensor.collapse_shape")) return BUDDY_OK;
  const MlirValue source = mlirOperationGetOperand(bd_maker_of(joined), 0);
  const MlirType from = mlirValueGetType(source);
  if (!mlirShapedTypeHasStaticShape(from) || !mlirShapedTypeHasStaticShape(to) ||
      !refine(from, to, &r) || bd_is_made_by(source, "tensor.insert_slice") ||
      !is_of_weights(&s, source))
    return BUDDY_OK;
  if (r.n == mlirShapedTypeGetRank(from)) return BUDDY_OK;
  if (r.n == mlirShapedTypeGetRank(to)) return BUDDY_OK;
  const MlirOperation first = cut(expand, source, &r);
  if (!first.ptr) return BUDDY_OUT_OF_MEMORY;
  const MlirValue then =
      join(expand, mlirOperationGetResult(first, 0), to,
           groups_of(mlirOperationGetContext(expand), &r, 1, mlirShapedTypeGetRank(to)));
  return bd_op_replace(expand, then);
}

buddy_code bd_weights_cut_first(MlirOperation entry, const bd_signature *signature) {
  search s = {.entry = bd_body_of(entry), .signature = signature};
  return s.entry.ptr ? bd_ops_each(entry, "tensor.expand_shape", cut_first, &s) : BUDDY_OK;
}

/* ---- Powers ---------------------------------------------------------------------------------- */

/* A normal power of two, by its bits. */
static MlirValue normal_power(bd_builder b, MlirValue exponent) {
  const MlirType i32 = mlirIntegerTypeGet(b.context, 32);
  const MlirValue biased = bd_build_pair(b, "arith.addi", exponent, bd_build_integer(b, i32, 127));
  const MlirValue bits = bd_build_pair(b, "arith.shli", biased, bd_build_integer(b, i32, 23));
  return bd_build_one(b, "arith.bitcast", bits, mlirF32TypeGet(b.context));
}

/* The product of two normal powers of halves of the exponent: a subnormal, 0 and infinity, too, come of it as
 * they are. */
static MlirValue power_of_two(bd_builder b, MlirValue exponent) {
  const MlirType i32 = mlirIntegerTypeGet(b.context, 32);
  MlirValue e = bd_build_pair(b, "arith.maxsi", exponent, bd_build_integer(b, i32, -252));
  e = bd_build_pair(b, "arith.minsi", e, bd_build_integer(b, i32, 254));
  const MlirValue half = bd_build_pair(b, "arith.shrsi", e, bd_build_integer(b, i32, 1));
  const MlirValue other = normal_power(b, bd_build_pair(b, "arith.subi", e, half));
  return bd_build_pair(b, "arith.mulf", normal_power(b, half), other);
}

static bool is_two(MlirValue value) {
  double number;
  return bd_read_float(value, &number) && number == 2;
}

static buddy_code write_power(MlirOperation op, void *user) {
  (void)user;
  const MlirValue result = mlirOperationGetResult(op, 0), of = mlirOperationGetOperand(op, 1);
  if (!mlirTypeIsAF32(mlirValueGetType(result)) || !is_two(mlirOperationGetOperand(op, 0)))
    return BUDDY_OK;
  const bool is_signed = bd_is_made_by(of, "arith.sitofp");
  if (!is_signed && !bd_is_made_by(of, "arith.uitofp")) return BUDDY_OK;
  const MlirValue exponent = mlirOperationGetOperand(bd_maker_of(of), 0);
  const MlirType type = mlirValueGetType(exponent);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) > 16) return BUDDY_OK;
  const bd_builder b = bd_builder_before(op);
  const MlirValue power =
      power_of_two(b, bd_build_one(b, is_signed ? "arith.extsi" : "arith.extui", exponent,
                                   mlirIntegerTypeGet(b.context, 32)));
  return bd_op_replace(op, power);
}

buddy_code bd_weights_write_powers(MlirOperation root) {
  return bd_ops_each(root, "math.powf", write_power, NULL);
}
