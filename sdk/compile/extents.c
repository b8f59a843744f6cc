// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/extents.c: products of symbolic sizes as numbers. */
#include "sdk/compile/extents.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/builder.h"

/* Larger than most sizes, and more than there are values: some may be factors of known sizes. */
static const int64_t primes[BD_EXTENT_PRIMES] = {4099, 4111, 4127, 4129, 4133, 4139, 4153,
                                                 4157, 4159, 4177, 4201, 4211, 4217, 4219,
                                                 4229, 4231, 4241, 4243, 4253, 4259};

/* Views of views, and products of products, that are followed. */
enum { MOST_STEPS = 32 };

/* What stands for sizes that cannot be told. */
enum { NONE = -1 };

/* An extent that is no size of a buffer. */
enum { VALUE = -1, OFFSET = -2 };

/* A known size: primes that it has stand for no value from now on; NONE if one does already. */
static int64_t known(bd_extents *x, int64_t number) {
  for (int i = 0; i < BD_EXTENT_PRIMES && number > 0; ++i) {
    if (number % primes[i] != 0) continue;
    if (i < x->n_primes && !x->is_skipped[i]) return NONE;
    x->is_skipped[i] = true;
  }
  return number < 0 ? NONE : number;
}

static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? NONE : product;
}

static int64_t stand_in(bd_extents *x, MlirValue value, int64_t axis) {
  int i = 0;
  while (i < x->n && (!mlirValueEqual(x->items[i].value, value) || x->items[i].axis != axis)) ++i;
  if (i < x->n) return x->items[i].prime;
  while (x->n_primes < BD_EXTENT_PRIMES && x->is_skipped[x->n_primes]) ++x->n_primes;
  if (i == BD_MAX_EXTENTS || x->n_primes == BD_EXTENT_PRIMES) return NONE;
  x->items[x->n++] = (bd_extent){value, axis, primes[x->n_primes++]};
  return x->items[i].prime;
}

/* ---- Where sizes come from ------------------------------------------------------------------- */

static int64_t size_of(bd_extents *x, MlirValue buffer, int64_t axis, int steps);

static int64_t of_index(bd_extents *x, MlirValue value, int steps);

/* Where one factor cannot be told the other is not looked for: factors may be products of one another many times. */
static int64_t of_product(bd_extents *x, MlirOperation op, int steps) {
  const int64_t first = of_index(x, mlirOperationGetOperand(op, 0), steps);
  return first < 0 ? NONE : times(first, of_index(x, mlirOperationGetOperand(op, 1), steps));
}

static int64_t of_index(bd_extents *x, MlirValue value, int steps) {
  const MlirOperation op = bd_maker_of(value);
  int64_t number;
  if (steps > MOST_STEPS) return NONE;
  if (bd_read_integer(value, &number)) return known(x, number);
  if (op.ptr && bd_op_is(op, "arith.muli")) return of_product(x, op, steps + 1);
  if (op.ptr && bd_op_is(op, "memref.dim") &&
      bd_read_integer(mlirOperationGetOperand(op, 1), &number))
    return size_of(x, mlirOperationGetOperand(op, 0), number, steps + 1);
  return stand_in(x, value, VALUE);
}

/* The operand of `op` that is the size of an axis, where its type has unknown sizes before it;
 * first: that of the first one. */
static MlirValue operand_of_axis(MlirOperation op, MlirType type, int64_t axis, intptr_t first) {
  for (int64_t i = 0; i < axis; ++i) first += mlirShapedTypeIsDynamicDim(type, (intptr_t)i);
  return mlirOperationGetOperand(op, first);
}

/* Axes of the source that become one. */
static int64_t size_of_group(bd_extents *x, MlirOperation op, int64_t axis, int steps) {
  const MlirAttribute groups = bd_op_attribute(op, "reassociation");
  const MlirAttribute group = mlirArrayAttrGetElement(groups, (intptr_t)axis);
  int64_t size = 1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i)
    size =
        times(size, size_of(x, mlirOperationGetOperand(op, 0),
                            mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i)), steps));
  return size;
}

/* The operand that tells number k of a view's list, which its attribute does not: lists are the offsets, the sizes and
 * the strides, one after the other. Null: the attribute tells it, in *out. */
typedef enum view_list { VIEW_OFFSETS, VIEW_SIZES, VIEW_STRIDES } view_list;
static MlirValue number_of_view(MlirOperation view, view_list list, int64_t k, int64_t *out) {
  static const char *const names[] = {"static_offsets", "static_sizes", "static_strides"};
  intptr_t operand = 1; /* behind what it is a view of */
  for (int l = 0; l <= (int)list; ++l) {
    const MlirAttribute numbers = bd_op_attribute(view, names[l]);
    const intptr_t n = l < (int)list ? mlirDenseArrayGetNumElements(numbers) : (intptr_t)k;
    for (intptr_t i = 0; i < n; ++i)
      operand += mlirShapedTypeIsDynamicSize(mlirDenseI64ArrayGetElement(numbers, i));
  }
  *out = mlirDenseI64ArrayGetElement(bd_op_attribute(view, names[list]), (intptr_t)k);
  return mlirShapedTypeIsDynamicSize(*out) ? mlirOperationGetOperand(view, operand)
                                           : (MlirValue){NULL};
}

static int64_t of_view(bd_extents *x, MlirOperation view, view_list list, int64_t k, int steps) {
  int64_t number;
  const MlirValue value = number_of_view(view, list, k, &number);
  return value.ptr ? of_index(x, value, steps) : known(x, number);
}

/* A part of a buffer that has all its axes. */
static bool is_part(MlirOperation op) {
  return bd_op_is(op, "memref.subview") &&
         mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(op, 0))) ==
             mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}

static int64_t size_of(bd_extents *x, MlirValue buffer, int64_t axis, int steps) {
  const MlirType type = mlirValueGetType(buffer);
  const MlirOperation op = bd_maker_of(buffer);
  if (axis < 0 || axis >= mlirShapedTypeGetRank(type) || steps > MOST_STEPS) return NONE;
  if (!mlirShapedTypeIsDynamicDim(type, (intptr_t)axis))
    return known(x, mlirShapedTypeGetDimSize(type, (intptr_t)axis));
  if (op.ptr && bd_op_is(op, "memref.alloc"))
    return of_index(x, operand_of_axis(op, type, axis, 0), steps + 1);
  if (op.ptr && bd_op_is(op, "memref.expand_shape"))
    return of_index(x, operand_of_axis(op, type, axis, 1), steps + 1);
  if (op.ptr && bd_op_is(op, "memref.collapse_shape")) return size_of_group(x, op, axis, steps + 1);
  if (op.ptr && bd_op_is(op, "memref.cast"))
    return size_of(x, mlirOperationGetOperand(op, 0), axis, steps + 1);
  if (op.ptr && (bd_op_is(op, "memref.reinterpret_cast") || is_part(op)))
    return of_view(x, op, VIEW_SIZES, axis, steps + 1);
  return stand_in(x, buffer, axis);
}

/* Of an axis whose stride the type does not tell: of one place, which needs none, of a cast that is told it, or of a
 * part of what `whole` are the strides of. */
static int64_t stride_of(bd_extents *x, MlirOperation maker, const int64_t *whole, int64_t axis,
                         int64_t size) {
  if (size == 1) return 0;
  if (!maker.ptr) return NONE;
  if (bd_op_is(maker, "memref.reinterpret_cast")) return of_view(x, maker, VIEW_STRIDES, axis, 0);
  return is_part(maker) ? times(of_view(x, maker, VIEW_STRIDES, axis, 0), whole[axis]) : NONE;
}

/* Of dense buffers, of those whose type tells them, and of views that tell them. */
static bool read_strides(bd_extents *x, MlirValue buffer, int64_t sizes[BD_MAX_RANK],
                         int64_t strides[BD_MAX_RANK]) {
  const MlirType type = mlirValueGetType(buffer);
  const MlirOperation op = bd_maker_of(buffer);
  const int64_t rank = mlirShapedTypeGetRank(type);
  int64_t stride = 1, of_whole[BD_MAX_RANK], whole[BD_MAX_RANK] = {0};
  if (rank > BD_MAX_RANK || !bd_memref_strides(type, strides)) return false;
  bool is_told = true;
  for (int64_t i = 0; i < rank; ++i) is_told &= strides[i] != INT64_MIN;
  if (!is_told && op.ptr && is_part(op) &&
      !read_strides(x, mlirOperationGetOperand(op, 0), of_whole, whole))
    return false;
  for (int64_t i = rank - 1; i >= 0; --i) {
    sizes[i] = size_of(x, buffer, i, 0);
    if (bd_memref_is_dense(type))
      strides[i] = stride;
    else if (strides[i] == INT64_MIN)
      strides[i] = stride_of(x, op, whole, i, sizes[i]);
    else
      strides[i] = known(x, strides[i]);
    if (sizes[i] < 0 || strides[i] < 0) return false;
    stride = times(stride, sizes[i]);
  }
  return stride >= 0;
}

bool bd_extents_resolve(bd_extents *x, bd_structured *s) {
  for (int i = s->n_operands - 1; i >= 0; --i) {
    bd_operand *o = &s->operands[i];
    int64_t sizes[BD_MAX_RANK], strides[BD_MAX_RANK];
    if (o->rank < 0) continue;
    if (!read_strides(x, o->value, sizes, strides)) return false;
    for (int loop = 0; loop < s->n_loops; ++loop) {
      if (o->axis[loop] < 0) continue;
      const int64_t size = sizes[o->axis[loop]];
      o->strides[loop] = strides[o->axis[loop]];
      if (s->sizes[loop] < 0 || size < s->sizes[loop]) s->sizes[loop] = size;
    }
  }
  for (int loop = 0; loop < s->n_loops; ++loop) {
    if (s->sizes[loop] < 0) return false;
  }
  return true;
}

bool bd_extents_read_geometry(bd_extents *x, MlirValue value, bd_geometry *out) {
  const MlirType type = mlirValueGetType(value);
  int64_t strides[BD_MAX_RANK];
  if (!mlirTypeIsAMemRef(type)) return false;
  out->base = bd_base_of(value);
  out->rank = mlirShapedTypeGetRank(type);
  const MlirType base = mlirValueGetType(out->base);
  if (!mlirTypeIsAMemRef(base) || !bd_memref_is_dense(base) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(base), mlirShapedTypeGetElementType(type)) ||
      out->rank > BD_MAX_RANK || !read_strides(x, value, out->sizes, out->strides) ||
      !bd_memref_layout(type, strides, &out->offset))
    return false;
  if (out->offset == INT64_MIN) out->offset = x->has_offsets ? stand_in(x, value, OFFSET) : NONE;
  return out->offset >= 0;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

int64_t bd_extents_known_part(const bd_extents *x, int64_t number) {
  for (int i = 0; x && i < x->n && number > 0; ++i) {
    while (number % x->items[i].prime == 0) number /= x->items[i].prime;
  }
  return number;
}

bool bd_extents_is_unknown(const bd_extents *x, int64_t number) {
  return bd_extents_known_part(x, number) != number;
}

int64_t bd_extents_usual(const bd_extents *x, int64_t number) {
  enum { USUAL = 56 };
  int64_t out = bd_extents_known_part(x, number);
  for (int i = 0; x && i < x->n && number > 0; ++i) {
    for (; number % x->items[i].prime == 0; number /= x->items[i].prime) out *= USUAL;
  }
  return out;
}

bool bd_extents_are_of(const bd_extents *x, MlirValue buffer) {
  for (int i = 0; i < x->n; ++i) {
    if (x->items[i].axis != VALUE && mlirValueEqual(bd_base_of(x->items[i].value), buffer))
      return true;
  }
  return false;
}

/* ---- Values ---------------------------------------------------------------------------------- */

buddy_code bd_extents_insert(const bd_extents *x, MlirOperation before, MlirValue *out) {
  const bd_builder b = bd_builder_before(before);
  for (int i = 0; i < x->n; ++i) {
    const bd_extent *e = &x->items[i];
    out[i] = e->value;
    if (e->axis == VALUE) continue;
    out[i] = e->axis == OFFSET ? bd_build_offset(b, e->value)
                               : bd_build_dim(b, "memref.dim", e->value, e->axis);
    if (!out[i].ptr) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

/* ---- Text ------------------------------------------------------------------------------------ */

void bd_extents_write_parameters(bd_text *text, const bd_extents *x) {
  for (int i = 0; x && i < x->n; ++i) bd_text_format(text, ", %%extent_%d: index", i);
}

void bd_extents_write_index(bd_text *text, const bd_extents *x, const char *name, int64_t number) {
  int64_t left = number;
  int n = 0;
  if (!bd_extents_is_unknown(x, number)) {
    bd_text_index(text, name, number);
    return;
  }
  bd_text_format(text, "  %%%s_x0 = arith.constant %lld : index\n", name,
                 (long long)bd_extents_known_part(x, number));
  for (int i = 0; i < x->n; ++i) {
    for (; left % x->items[i].prime == 0; left /= x->items[i].prime, ++n)
      bd_text_format(text, "  %%%s_x%d = arith.muli %%%s_x%d, %%extent_%d : index\n", name, n + 1,
                     name, n, i);
  }
  bd_text_format(text, "  %%%s = arith.addi %%%s_x%d, %%c0 : index\n", name, name, n);
}

void bd_extents_write_unknown(bd_text *text, const bd_extents *x, const char *name,
                              int64_t number) {
  if (bd_extents_is_unknown(x, number)) bd_extents_write_index(text, x, name, number);
}

bd_phrase bd_extents_text(const bd_extents *x, int64_t number, const char *any) {
  return bd_number_or(bd_extents_is_unknown(x, number), number, any);
}
