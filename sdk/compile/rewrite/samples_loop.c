// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/samples_loop.c: the loops of samples.h.
 *
 * All operations of the block are put in order anew: those of no loop that wait for none, the loops
 * that wait for none, then what waits for one, and so on. In each loop operations are made again
 * with the sizes of one sample; the old ones go away. */
#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/samples_parts.h"
#include "sdk/compile/builder.h"

enum { MAX_RANK = 64, MAX_OPERANDS = 64 };

typedef struct loop {
  bd_samples *s;
  bd_samples_op *const *ops; /* in it */
  size_t n;
  MlirLocation location;
  MlirOperation before; /* what new operations are put before */
  MlirValue index;      /* in it; which sample */
  bd_samples_value **outputs;
  size_t n_outputs;
} loop;

/* ---- Operations ------------------------------------------------------------------------------ */

static bd_builder builder_of(const loop *l) { return bd_builder_for(l->before, l->location); }

/* value · rows. */
static MlirValue insert_rows(const loop *l, MlirValue value, int64_t rows) {
  const bd_builder b = builder_of(l);
  return rows == 1 ? value : bd_build_pair(b, "arith.muli", value, bd_build_index(b, rows));
}

/* The type with `first` for the first size. */
static MlirType resized(MlirType type, int64_t first) {
  int64_t sizes[MAX_RANK];
  const intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i) sizes[i] = mlirShapedTypeGetDimSize(type, i);
  sizes[0] = first;
  return mlirRankedTensorTypeGet(rank, sizes, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

static MlirType type_of_sample(const bd_samples_value *value) {
  return resized(mlirValueGetType(value->value), value->rows);
}

/* tensor.extract_slice of a sample's rows of `whole`; of `part` an insertion, if there is one. */
static MlirValue insert_slice(const loop *l, const bd_samples_value *value, MlirValue part,
                              MlirValue whole) {
  const MlirType type = type_of_sample(value);
  const intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t offsets[MAX_RANK] = {mlirShapedTypeGetDynamicSize()}, sizes[MAX_RANK], ones[MAX_RANK];
  for (intptr_t i = 0; i < rank; ++i) {
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
    ones[i] = 1;
  }
  const bool is_insert = part.ptr != NULL;
  const MlirValue operands[] = {part, whole, insert_rows(l, l->index, value->rows)};
  const bd_slice rows = {rank, rank, offsets, sizes, ones};
  return is_insert
             ? bd_build_slice(builder_of(l), "tensor.insert_slice", operands, 3,
                              mlirValueGetType(whole), &rows)
             : bd_build_slice(builder_of(l), "tensor.extract_slice", operands + 1, 2, type, &rows);
}

/* ---- One sample ------------------------------------------------------------------------------ */

/* The sample of a value that is made before the loop, in a buffer of its own: kernels are
 * written for buffers whose places are known. */
static buddy_code insert_input(const loop *l, bd_samples_value *value) {
  value->of = l->ops[0];
  value->inside =
      bd_build_copy(builder_of(l), insert_slice(l, value, (MlirValue){NULL}, value->value));
  return !value->inside.ptr ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static bool has_sizes(MlirOperation op) {
  return bd_op_is(op, "tensor.empty") || bd_op_is(op, "tensor.insert_slice") ||
         bd_op_is(op, "tensor.extract_slice") || bd_op_is(op, "tensor.expand_shape");
}

/* An attribute of sizes, of which the first is the sample's; of the kinds of operands, none of which
 * are sizes. */
static MlirNamedAttribute attribute_of_sample(const loop *l, MlirNamedAttribute old, int64_t rows) {
  const MlirStringRef name = mlirIdentifierStr(old.name);
  int64_t sizes[MAX_RANK];
  int32_t kinds[5];
  const bool has_kinds = bd_string_is(name, "operandSegmentSizes");
  if (!has_kinds && !bd_string_is(name, "static_sizes") &&
      !bd_string_is(name, "static_output_shape"))
    return old;
  const intptr_t n = mlirDenseArrayGetNumElements(old.attribute);
  for (intptr_t i = 0; i < n && has_kinds; ++i)
    kinds[i] = i == n - 2 ? 0 : mlirDenseI32ArrayGetElement(old.attribute, i);
  if (has_kinds)
    return mlirNamedAttributeGet(old.name, mlirDenseI32ArrayGet(l->s->context, n, kinds));
  for (intptr_t i = 0; i < n; ++i) sizes[i] = mlirDenseI64ArrayGetElement(old.attribute, i);
  sizes[0] = rows;
  return mlirNamedAttributeGet(old.name, mlirDenseI64ArrayGet(l->s->context, n, sizes));
}

/* The operation again, of the operands given, without those that said how many samples there are. */
static MlirOperation again(const loop *l, const bd_samples_op *item, const MlirValue *operands) {
  enum { MAX_ATTRIBUTES = 16 };
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  const MlirOperation op = item->op;
  const bd_samples_value *result = bd_samples_value_of(l->s, mlirOperationGetResult(op, 0));
  const MlirType type = type_of_sample(result);
  const bool is_insert = bd_op_is(op, "tensor.insert_slice");
  const int64_t rows = is_insert ? mlirShapedTypeGetDimSize(mlirValueGetType(operands[0]), 0)
                                 : mlirShapedTypeGetDimSize(type, 0);
  intptr_t n = mlirOperationGetNumAttributes(op);
  if (n > MAX_ATTRIBUTES) n = MAX_ATTRIBUTES;
  for (intptr_t i = 0; i < n; ++i)
    attributes[i] = attribute_of_sample(l, mlirOperationGetAttribute(op, i), rows);
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(op)), l->location);
  mlirOperationStateAddOperands(&state, bd_op_is(op, "tensor.empty") ? 0 : 1 + is_insert, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, n, attributes);
  return mlirOperationCreate(&state);
}

static buddy_code copy_op(const loop *l, const bd_samples_op *item, const MlirValue *operands) {
  MlirOperation op;
  if (has_sizes(item->op)) {
    op = again(l, item, operands);
  } else {
    op = mlirOperationClone(item->op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && op.ptr; ++i)
      mlirOperationSetOperand(op, i, operands[i]);
  }
  if (!bd_builder_put(builder_of(l), op).ptr) return BUDDY_OUT_OF_MEMORY;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    bd_samples_value *value = bd_samples_value_of(l->s, mlirOperationGetResult(item->op, i));
    value->of = l->ops[0];
    value->inside = mlirOperationGetResult(op, i);
    mlirValueSetType(value->inside, type_of_sample(value));
  }
  return BUDDY_OK;
}

static buddy_code put_in(const loop *l, const bd_samples_op *item);

/* What stands for an operand in the loop. */
static buddy_code find_inside(const loop *l, MlirOperation op, intptr_t i, MlirValue *out) {
  const MlirValue operand = mlirOperationGetOperand(op, i);
  bd_samples_value *value = bd_samples_value_of(l->s, operand);
  buddy_code code = BUDDY_OK;
  *out = operand;
  if (!value || !bd_samples_is_cut(l->s, op, i)) return BUDDY_OK;
  if (value->of != l->ops[0]) {
    const bd_samples_op *maker = bd_samples_maker(l->s, operand);
    code = maker && maker->is_given ? put_in(l, maker) : insert_input(l, value);
  }
  *out = value->inside;
  return code;
}

/* What is given depends on nothing but what is given: few steps. */
static buddy_code put_in(const loop *l, const bd_samples_op *item) {
  MlirValue operands[MAX_OPERANDS] = {{NULL}};
  const intptr_t n = mlirOperationGetNumOperands(item->op);
  for (intptr_t i = 0; i < n; ++i) BD_TRY(find_inside(l, item->op, i, &operands[i]));
  return copy_op(l, item, operands);
}

/* ---- The loop -------------------------------------------------------------------------------- */

static bool is_used_outside(const loop *l, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const bd_samples_op *user = bd_samples_around(l->s, mlirOpOperandGetOwner(use));
    if (!user || !bd_samples_are_together(user, l->ops[0])) return true;
  }
  return false;
}

static buddy_code find_outputs(loop *l) {
  size_t capacity = 0;
  for (size_t i = 0; i < l->n; ++i) {
    const bd_samples_op *item = l->ops[i];
    for (intptr_t k = 0; k < mlirOperationGetNumResults(item->op); ++k) {
      const MlirValue result = mlirOperationGetResult(item->op, k);
      if (!is_used_outside(l, result)) continue;
      bd_samples_value **outputs =
          bd_array_grow(l->outputs, &capacity, l->n_outputs + 1, sizeof(bd_samples_value *));
      if (!outputs) return BUDDY_OUT_OF_MEMORY;
      l->outputs = outputs;
      l->outputs[l->n_outputs++] = bd_samples_value_of(l->s, result);
    }
  }
  return BUDDY_OK;
}

/* scf.for from 0 to the number of samples in steps of one, of the outputs. Null: memory is out. */
static MlirOperation insert_for(const loop *l, MlirBlock *out_body) {
  const bd_builder b = builder_of(l);
  const MlirType index = mlirIndexTypeGet(l->s->context);
  const size_t n = l->n_outputs;
  const bool is_open = l->s->n_samples == 0;
  MlirValue *operands = bd_calloc(n + 3, sizeof(MlirValue));
  MlirType *types = bd_calloc(n + 1, sizeof(MlirType));
  MlirOperation op = {NULL};
  const MlirValue zero = bd_build_index(b, 0), one = bd_build_index(b, 1);
  if (operands && types && zero.ptr && one.ptr) {
    const MlirValue of[] = {l->outputs[0]->source, zero};
    operands[0] = zero;
    operands[1] = is_open ? bd_build(b, "tensor.dim", of, 2, index, NULL, mlirAttributeGetNull())
                          : bd_build_index(b, l->s->n_samples);
    operands[2] = one;
    types[0] = index;
    for (size_t i = 0; i < n; ++i) {
      const MlirValue rows =
          is_open ? insert_rows(l, operands[1], l->outputs[i]->rows) : (MlirValue){NULL};
      types[i + 1] = mlirValueGetType(l->outputs[i]->value);
      operands[i + 3] =
          bd_build(b, "tensor.empty", &rows, is_open, types[i + 1], NULL, mlirAttributeGetNull());
    }
    *out_body = bd_block_create(l->location, types, (intptr_t)n + 1);
    op = bd_build_around(b, "scf.for", operands, n + 3, types + 1, n, NULL, 0, out_body, 1);
  }
  free(operands);
  free(types);
  return op;
}

/* The body's end: each output's sample goes to its place. */
static buddy_code insert_yield(const loop *l, MlirBlock body) {
  for (size_t i = 0; i < l->n_outputs; ++i) {
    const MlirValue whole = insert_slice(l, l->outputs[i], l->outputs[i]->inside,
                                         mlirBlockGetArgument(body, (intptr_t)i + 1));
    if (!whole.ptr) return BUDDY_OUT_OF_MEMORY;
    mlirOperationSetOperand(l->before, (intptr_t)i, whole);
  }
  return BUDDY_OK;
}

static buddy_code fill_body(loop *l, MlirBlock body) {
  MlirValue *operands = bd_calloc(l->n_outputs + 1, sizeof(MlirValue));
  if (!operands) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < l->n_outputs; ++i)
    operands[i] = mlirBlockGetArgument(body, (intptr_t)i + 1);
  const MlirOperation yield = bd_build_op(bd_builder_at_end(body, l->location), "scf.yield",
                                          operands, l->n_outputs, NULL, 0, NULL, 0);
  free(operands);
  if (!yield.ptr) return BUDDY_OUT_OF_MEMORY;
  l->before = yield;
  l->index = mlirBlockGetArgument(body, 0);
  for (size_t i = 0; i < l->n; ++i) {
    l->location = mlirOperationGetLocation(l->ops[i]->op);
    BD_TRY(put_in(l, l->ops[i]));
  }
  return insert_yield(l, body);
}

/* Later operations find the loop's result where the old one was. */
static buddy_code replace_output(bd_samples *s, bd_samples_value *value, MlirValue result) {
  bool hash_is_full = false;
  mlirValueReplaceAllUsesOfWith(value->value, result);
  HASH_DEL(s->by_value, value);
  value->value = result;
  value->key = result.ptr;
  HASH_ADD_PTR(s->by_value, key, value);
  if (!hash_is_full) return BUDDY_OK;
  free(value);
  return BUDDY_OUT_OF_MEMORY;
}

/* Of the n operations from that place of the order on. */
static buddy_code make_loop(bd_samples *s, size_t from, size_t n) {
  loop l = {.s = s,
            .ops = s->order + from,
            .n = n,
            .location = mlirOperationGetLocation(s->order[from]->op),
            .before = mlirBlockGetTerminator(s->block)};
  MlirBlock body;
  buddy_code code = find_outputs(&l);
  if (code == BUDDY_OK && l.n_outputs > 0) {
    const MlirOperation op = insert_for(&l, &body);
    code = !op.ptr ? BUDDY_OUT_OF_MEMORY : fill_body(&l, body);
    for (size_t i = 0; i < l.n_outputs && code == BUDDY_OK; ++i)
      code = replace_output(s, l.outputs[i], mlirOperationGetResult(op, (intptr_t)i));
  }
  free(l.outputs);
  return code;
}

buddy_code bd_samples_make(bd_samples *s) {
  static const char *const dialects[] = {"arith", "bufferization", "scf", "tensor"};
  const MlirOperation end = mlirBlockGetTerminator(s->block);
  for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); ++i)
    mlirContextGetOrLoadDialect(s->context, mlirStringRefCreateFromCString(dialects[i]));
  buddy_code code = BUDDY_OK;
  for (size_t i = 0, n; i < s->n && code == BUDDY_OK; i += n) {
    n = 1;
    if (s->order[i]->is_taken) {
      while (i + n < s->n && bd_samples_are_together(s->order[i], s->order[i + n])) ++n;
      code = make_loop(s, i, n);
    } else if (!mlirOperationEqual(s->order[i]->op, end)) {
      mlirOperationMoveBefore(s->order[i]->op, end);
    }
  }
  for (size_t i = s->n; i-- > 0 && code == BUDDY_OK;) { /* those last that others read */
    if (s->ops[i].is_taken) bd_op_erase(s->ops[i].op);
  }
  return code;
}
