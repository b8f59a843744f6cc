// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/samples_read.c: which operations do the same for each sample of a batch; see
 * samples.h. */
#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/rewrite/samples_parts.h"
#include "sdk/compile/structured.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

bd_samples_op *bd_samples_op_of(const bd_samples *s, MlirOperation op) {
  bd_samples_op *found = NULL;
  HASH_FIND_PTR(s->by_op, &op.ptr, found);
  return found;
}

bd_samples_value *bd_samples_value_of(const bd_samples *s, MlirValue value) {
  bd_samples_value *found = NULL;
  HASH_FIND_PTR(s->by_value, &value.ptr, found);
  return found;
}

bd_samples_op *bd_samples_maker(const bd_samples *s, MlirValue value) {
  return mlirValueIsAOpResult(value) ? bd_samples_op_of(s, mlirOpResultGetOwner(value)) : NULL;
}

bd_samples_op *bd_samples_around(const bd_samples *s, MlirOperation op) {
  const MlirOperation own = bd_op_ancestor_in(s->block, op);
  return !own.ptr ? NULL : bd_samples_op_of(s, own);
}

size_t bd_samples_batch(bd_samples *s, size_t batch) {
  while (s->batches[batch] != batch) batch = s->batches[batch] = s->batches[s->batches[batch]];
  return batch;
}

static buddy_code add_op(bd_samples *s, MlirOperation op) {
  bool hash_is_full = false;
  bd_samples_op *item = &s->ops[s->n++];
  *item = (bd_samples_op){.key = op.ptr, .op = op};
  HASH_ADD_PTR(s->by_op, key, item);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code add_value(bd_samples *s, MlirValue value, const bd_samples_value *like) {
  bool hash_is_full = false;
  bd_samples_value *item = bd_calloc(1, sizeof(bd_samples_value));
  if (!item) return BUDDY_OUT_OF_MEMORY;
  *item = (bd_samples_value){.key = value.ptr,
                             .value = value,
                             .batch = like->batch,
                             .rows = like->rows,
                             .source = like->source};
  HASH_ADD_PTR(s->by_value, key, item);
  if (!hash_is_full) return BUDDY_OK;
  free(item);
  return BUDDY_OUT_OF_MEMORY;
}

/* Its first axis goes over samples of one batch: it alone is of unknown size, or has places for each
 * of the samples. */
static bool is_of_samples(const bd_samples *s, MlirType type) {
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) == 0 ||
      mlirRankedTensorTypeGetEncoding(type).ptr)
    return false;
  for (intptr_t i = 1; i < mlirShapedTypeGetRank(type); ++i) {
    if (mlirShapedTypeIsDynamicDim(type, i)) return false;
  }
  if (mlirShapedTypeIsDynamicDim(type, 0)) return s->n_samples == 0;
  return s->n_samples > 0 && mlirShapedTypeGetDimSize(type, 0) > 0 &&
         mlirShapedTypeGetDimSize(type, 0) % s->n_samples == 0;
}

/* Of each sample of a batch that begins with such a tensor. */
static int64_t rows_of(const bd_samples *s, MlirType type) {
  return s->n_samples == 0 ? 1 : mlirShapedTypeGetDimSize(type, 0) / s->n_samples;
}

/* A batch that begins with the value. */
static buddy_code begin_batch(bd_samples *s, MlirValue value, bd_samples_value *out) {
  size_t *batches = bd_array_grow(s->batches, &s->batch_capacity, s->n_batches + 1, sizeof(size_t));
  if (!batches) return BUDDY_OUT_OF_MEMORY;
  s->batches = batches;
  s->batches[s->n_batches] = s->n_batches;
  *out = (bd_samples_value){
      .batch = s->n_batches++, .rows = rows_of(s, mlirValueGetType(value)), .source = value};
  return BUDDY_OK;
}

/* The value begins a batch of its own if it belongs to none yet. */
static buddy_code find_or_add(bd_samples *s, MlirValue value, bd_samples_value **out) {
  bd_samples_value like;
  *out = bd_samples_value_of(s, value);
  if (*out) return BUDDY_OK;
  BD_TRY(begin_batch(s, value, &like));
  const buddy_code code = add_value(s, value, &like);
  *out = bd_samples_value_of(s, value);
  return code;
}

/* ---- Types and sizes ------------------------------------------------------------------------- */

static bool is_of_unknown_size(MlirType type) {
  return mlirTypeIsATensor(type) &&
         (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type));
}

/* How many rows a size is of, for each sample of which batch; false if that is not known. */
static bool read_size(const bd_samples *s, MlirValue size, bd_samples_value *out) {
  if (!mlirValueIsAOpResult(size)) return false;
  const MlirOperation op = mlirOpResultGetOwner(size);
  if (bd_op_is(op, "tensor.dim")) {
    const bd_samples_value *of = bd_samples_value_of(s, mlirOperationGetOperand(op, 0));
    if (!of || bd_integer_of(mlirOperationGetOperand(op, 1)) != 0) return false;
    *out = *of;
    return true;
  }
  if (!bd_op_is(op, "arith.muli")) return false;
  for (int i = 0; i < 2; ++i) {
    const int64_t number = bd_integer_of(mlirOperationGetOperand(op, i));
    if (number <= 0 || !read_size(s, mlirOperationGetOperand(op, 1 - i), out)) continue;
    return !__builtin_mul_overflow(out->rows, number, &out->rows);
  }
  return false;
}

/* ---- Structured operations ------------------------------------------------------------------- */

typedef struct body {
  const bd_samples *s;
  intptr_t loop;
  bool is_separable;
} body;

/* The place in the batch is not asked for, nor are tensors read at places of their own. */
static MlirWalkResult look_into(MlirOperation op, void *user) {
  body *b = user;
  if (bd_op_is(op, "linalg.index") &&
      mlirIntegerAttrGetValueInt(bd_op_attribute(op, "dim")) == b->loop)
    b->is_separable = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (!bd_op_starts_with(op, "linalg.") || bd_op_is(op, "linalg.yield"))
      b->is_separable &=
          !is_of_unknown_size(mlirValueGetType(operand)) && !bd_samples_value_of(b->s, operand);
  }
  return b->is_separable ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static MlirAffineMap map_of(MlirAttribute maps, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

/* The loop that goes over the first axis of the operation's results; -1: none does. */
static intptr_t loop_over_batch(const bd_samples *s, MlirOperation op, MlirAttribute maps) {
  const MlirAffineMap last = map_of(maps, mlirArrayAttrGetNumElements(maps) - 1);
  if (mlirAffineMapGetNumResults(last) == 0) return -1;
  const MlirAffineExpr first = mlirAffineMapGetResult(last, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    if (!is_of_samples(s, mlirValueGetType(mlirOperationGetResult(op, i)))) return -1;
  }
  return mlirAffineExprIsADim(first) ? mlirAffineDimExprGetPosition(first) : -1;
}

static bool is_loop(MlirAffineExpr e, intptr_t loop) {
  return mlirAffineExprIsADim(e) && mlirAffineDimExprGetPosition(e) == loop;
}

/* The operand's first axis has its samples along that loop. */
static bool is_along(const bd_samples *s, MlirType type, MlirAffineMap map, intptr_t loop) {
  return is_of_samples(s, type) && is_loop(mlirAffineMapGetResult(map, 0), loop);
}

/* The operand has one place along that loop for each of its first axis, or nothing to do with it. */
static bool is_separable_operand(const bd_samples *s, MlirType type, MlirAffineMap map,
                                 intptr_t loop) {
  const bool is_sampled = is_along(s, type, map, loop);
  if (is_of_unknown_size(type) && !is_sampled) return false;
  return bd_axis_along(map, loop) == (is_sampled ? 0 : BD_AXIS_NONE);
}

static bool is_separable(const bd_samples *s, MlirOperation op) {
  const MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (!maps.ptr || mlirOperationGetNumResults(op) == 0 ||
      mlirArrayAttrGetNumElements(maps) != mlirOperationGetNumOperands(op))
    return false;
  body b = {s, loop_over_batch(s, op, maps), true};
  if (b.loop < 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_separable_operand(s, mlirValueGetType(mlirOperationGetOperand(op, i)), map_of(maps, i),
                              b.loop))
      return false;
  }
  mlirOperationWalk(op, look_into, &b, MlirWalkPreOrder);
  return b.is_separable;
}

bool bd_samples_is_cut(const bd_samples *s, MlirOperation op, intptr_t operand) {
  const MlirType type = mlirValueGetType(mlirOperationGetOperand(op, operand));
  if (!bd_op_starts_with(op, "linalg.")) return is_of_samples(s, type);
  const MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  return is_along(s, type, map_of(maps, operand), loop_over_batch(s, op, maps));
}

/* True of what is separable and reads none of the batch. */
static bool is_given(const bd_samples *s, MlirValue value) {
  const bd_samples_op *maker = bd_samples_maker(s, value);
  return maker && maker->is_given;
}

/* Makes one batch of what the operation goes over together; *out: what its results are like, of null
 * where the operands' samples are not of as many rows. What is given belongs to a batch by its size
 * alone: of a size that is known it may be a weight's. */
static buddy_code unite(bd_samples *s, bd_samples_op *item, bd_samples_value *out) {
  const bool is_open = s->n_samples == 0;
  bd_samples_value all = {.rows = 0};
  item->is_given = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(item->op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(item->op, i);
    const bool is_operand_given = is_given(s, operand);
    bd_samples_value *value;
    if (!bd_samples_is_cut(s, item->op, i)) continue;
    BD_TRY(find_or_add(s, operand, &value));
    if (all.rows != 0 && all.rows != value->rows) return BUDDY_OK;
    if (all.rows == 0 || (item->is_given && !is_operand_given)) {
      const size_t before = all.batch;
      const bool has_before = all.rows != 0;
      all = *value;
      if (has_before && is_open)
        s->batches[bd_samples_batch(s, before)] = bd_samples_batch(s, all.batch);
    } else if (is_open || !is_operand_given) {
      s->batches[bd_samples_batch(s, value->batch)] = bd_samples_batch(s, all.batch);
    }
    item->is_given &= is_operand_given;
  }
  *out = all;
  return BUDDY_OK;
}

/* ---- Others ---------------------------------------------------------------------------------- */

static int64_t number_at(MlirOperation op, const char *name, intptr_t i) {
  return mlirDenseI64ArrayGetElement(bd_op_attribute(op, name), i);
}

/* Whole samples, and places in them that are known. */
static bool cuts_samples_whole(bd_samples *s, MlirOperation op, MlirValue whole, MlirType part) {
  const intptr_t n = mlirDenseArrayGetNumElements(bd_op_attribute(op, "static_sizes"));
  const intptr_t n_fixed = bd_op_is(op, "tensor.insert_slice") ? 2 : 1;
  const int64_t size_of_all = number_at(op, "static_sizes", 0);
  const bool is_open = s->n_samples == 0;
  bd_samples_value size, *of = bd_samples_value_of(s, whole);
  if (!of || mlirShapedTypeGetRank(part) != n ||
      mlirOperationGetNumOperands(op) != n_fixed + is_open)
    return false;
  if (number_at(op, "static_offsets", 0) != 0 || number_at(op, "static_strides", 0) != 1 ||
      is_open != mlirShapedTypeIsDynamicSize(size_of_all))
    return false;
  if (!is_open) return size_of_all == of->rows * s->n_samples;
  return read_size(s, mlirOperationGetOperand(op, n_fixed), &size) && size.rows == of->rows &&
         bd_samples_batch(s, size.batch) == bd_samples_batch(s, of->batch);
}

static bool is_separable_slice(bd_samples *s, MlirOperation op) {
  const bool is_insert = bd_op_is(op, "tensor.insert_slice");
  const MlirValue whole = mlirOperationGetOperand(op, is_insert ? 1 : 0);
  const MlirType part =
      mlirValueGetType(is_insert ? mlirOperationGetOperand(op, 0) : mlirOperationGetResult(op, 0));
  return is_of_samples(s, part) && is_of_samples(s, mlirValueGetType(whole)) &&
         cuts_samples_whole(s, op, whole, part);
}

/* The places of the longer type's axes that are the shorter's first one, but for the first of them,
 * which is the batch; 0: it is not. */
static int64_t rows_of_group(MlirOperation op, MlirType longer) {
  const MlirAttribute first = mlirArrayAttrGetElement(bd_op_attribute(op, "reassociation"), 0);
  int64_t n = 1;
  for (intptr_t i = 1; i < mlirArrayAttrGetNumElements(first); ++i) {
    if (__builtin_mul_overflow(n, mlirShapedTypeGetDimSize(longer, i), &n)) return 0;
  }
  return n;
}

static buddy_code read_reshape(bd_samples *s, bd_samples_op *item, bd_samples_value *out) {
  const bool is_collapse = bd_op_is(item->op, "tensor.collapse_shape");
  const MlirValue from = mlirOperationGetOperand(item->op, 0);
  const MlirType type = mlirValueGetType(from),
                 to = mlirValueGetType(mlirOperationGetResult(item->op, 0));
  bd_samples_value *value;
  if (!is_of_samples(s, type) || !is_of_samples(s, to)) return BUDDY_OK;
  const int64_t n = rows_of_group(item->op, is_collapse ? type : to);
  const buddy_code code = find_or_add(s, from, &value);
  if (code != BUDDY_OK || n < 1 || (!is_collapse && value->rows % n != 0)) return code;
  *out = *value;
  item->is_given = is_given(s, from);
  if (!is_collapse)
    out->rows /= n;
  else if (__builtin_mul_overflow(out->rows, n, &out->rows))
    *out = (bd_samples_value){.rows = 0};
  return BUDDY_OK;
}

/* tensor.empty, of a size that is known or said. */
static buddy_code read_empty(bd_samples *s, bd_samples_op *item, bd_samples_value *out) {
  const MlirValue result = mlirOperationGetResult(item->op, 0);
  const bool is_open = s->n_samples == 0;
  if (mlirOperationGetNumOperands(item->op) != is_open ||
      !is_of_samples(s, mlirValueGetType(result)) ||
      (is_open && !read_size(s, mlirOperationGetOperand(item->op, 0), out)))
    return BUDDY_OK;
  item->is_given = true;
  return is_open ? BUDDY_OK : begin_batch(s, result, out);
}

/* *out: what its results are like; rows of 0: it belongs to no batch. */
static buddy_code read_op(bd_samples *s, bd_samples_op *item, bd_samples_value *out) {
  const MlirOperation op = item->op;
  *out = (bd_samples_value){.rows = 0};
  if (bd_op_starts_with(op, "linalg.")) return is_separable(s, op) ? unite(s, item, out) : BUDDY_OK;
  if (bd_op_is(op, "tensor.insert_slice") || bd_op_is(op, "tensor.extract_slice"))
    return is_separable_slice(s, op) ? unite(s, item, out) : BUDDY_OK;
  if (bd_op_is(op, "tensor.collapse_shape") || bd_op_is(op, "tensor.expand_shape"))
    return read_reshape(s, item, out);
  return bd_op_is(op, "tensor.empty") ? read_empty(s, item, out) : BUDDY_OK;
}

/* ---- Products -------------------------------------------------------------------------------- */

static bool is_convolution(MlirOperation op) {
  return bd_op_starts_with(op, "linalg.conv_") || bd_op_starts_with(op, "linalg.depthwise_conv_");
}

/* Of so many rows for each sample that its weights are read no more often than it can compute with
 * them. */
static bool has_rows(const bd_samples *s, MlirOperation op) {
  enum { ENOUGH_ROWS = 64 };
  const MlirValue result = mlirOperationGetResult(op, 0);
  const MlirType type = mlirValueGetType(result);
  int64_t rows = bd_samples_value_of(s, result)->rows;
  for (intptr_t i = 1; i + 1 < mlirShapedTypeGetRank(type) && rows < ENOUGH_ROWS; ++i)
    rows *= mlirShapedTypeGetDimSize(type, i);
  return rows >= ENOUGH_ROWS;
}

/* Bytes of the operands, results among them: of all samples, or of what they share. */
static int64_t bytes_of(const bd_samples *s, MlirOperation op, bool is_of_batch) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (mlirTypeIsATensor(type) && bd_samples_is_cut(s, op, i) == is_of_batch)
      bytes += bd_count_elements(type) * (int64_t)bd_type_bytes(mlirShapedTypeGetElementType(type));
  }
  return bytes;
}

/* A product of known sizes goes by samples where those of all do not stay in the cache, and stays
 * whole where its weights would have to be read again for each. */
static void weigh(const bd_samples *s, bd_samples_op *item) {
  const int64_t all = bytes_of(s, item->op, true), weights = bytes_of(s, item->op, false);
  item->is_whole = weights > s->cache / 4 && weights > all / s->n_samples;
  item->is_anchor = !item->is_whole && all > s->cache;
}

static void read_product(const bd_samples *s, bd_samples_op *item) {
  item->is_product = is_convolution(item->op) || mlirLinalgIsAContractionOp(item->op);
  if (!item->is_product) return;
  item->is_anchor = is_convolution(item->op) || has_rows(s, item->op);
  if (item->is_anchor && s->n_samples > 0) weigh(s, item);
}

static buddy_code read_one(bd_samples *s, bd_samples_op *item) {
  bd_samples_value like;
  BD_TRY(read_op(s, item, &like));
  item->is_separable = like.rows > 0;
  item->is_given &= item->is_separable;
  if (!item->is_separable) return BUDDY_OK;
  item->batch = like.batch;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(item->op); ++i)
    BD_TRY(add_value(s, mlirOperationGetResult(item->op, i), &like));
  read_product(s, item);
  return BUDDY_OK;
}

/* tensor.dim of what the batch is made of asks the source instead, where that says the same. */
static buddy_code read_dim(bd_samples *s, MlirOperation op) {
  const MlirValue of = mlirOperationGetOperand(op, 0);
  bd_samples_value *value = bd_samples_value_of(s, of);
  if (!value && is_of_samples(s, mlirValueGetType(of))) {
    BD_TRY(find_or_add(s, of, &value));
  }
  if (value && value->rows == 1 && bd_integer_of(mlirOperationGetOperand(op, 1)) == 0)
    mlirOperationSetOperand(op, 0, value->source);
  return BUDDY_OK;
}

int64_t bd_samples_known(MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!is_convolution(op) || mlirOperationGetNumResults(op) != 1) continue;
    const int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetResult(op, 0)), 0);
    if (n > 1) return n;
  }
  return 0;
}

buddy_code bd_samples_read(bd_samples *s) {
  MlirOperation op = mlirBlockGetFirstOperation(s->block);
  size_t n = 0;
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) ++n;
  s->ops = bd_calloc(n + 1, sizeof(bd_samples_op));
  if (!s->ops) return BUDDY_OUT_OF_MEMORY;
  op = mlirBlockGetFirstOperation(s->block);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    BD_TRY(add_op(s, op));
    if (bd_op_is(op, "tensor.dim")) BD_TRY(read_dim(s, op));
    BD_TRY(read_one(s, &s->ops[s->n - 1]));
  }
  return BUDDY_OK;
}

bool bd_samples_are_together(const bd_samples_op *a, const bd_samples_op *b) {
  return a->is_taken && b->is_taken && a->level == b->level && a->batch == b->batch;
}
