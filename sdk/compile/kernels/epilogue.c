// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/epilogue.c: finding the loop of an epilogue; epilogue_text.c writes it. */
#include "sdk/compile/kernels/epilogue.h"

#include <stdbool.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/structured.h"

/* ---- Users ----------------------------------------------------------------------------------- */

/* True if it is a view that nothing but `op` has to do with. */
static bool is_view_for(MlirOperation view, MlirOperation op) {
  return bd_op_is_view(view) &&
         mlirOperationEqual(bd_only_user(mlirOperationGetResult(view, 0)), op);
}

MlirOperation bd_only_reader(MlirValue buffer, MlirOperation op, MlirOperation begin) {
  MlirOperation found = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, op) || mlirOperationEqual(user, begin) || is_view_for(user, op))
      continue;
    if (found.ptr) return (MlirOperation){NULL};
    found = user;
  }
  return found;
}

/* That of a result, which is a whole allocation, or the one view of it. */
static MlirOperation reader_of(MlirOperation op, const bd_beginning *begin, MlirValue result) {
  const MlirValue base = bd_base_of(result);
  return bd_is_seen_alone(result, base) && bd_is_made_by(base, "memref.alloc")
             ? bd_only_reader(result, op, begin->op)
             : (MlirOperation){NULL};
}

/* ---- What lies between ----------------------------------------------------------------------- */

intptr_t bd_first_written(MlirOperation op) {
  bd_structured s;
  if (bd_op_starts_with(op, "arith.") || bd_op_is_view(op) || bd_op_is_hoisted(op) ||
      bd_op_is(op, "memref.alloc") || bd_op_is(op, "memref.get_global") ||
      bd_op_is(op, "memref.dim") || bd_op_is(op, "memref.reshape") || bd_op_is(op, "memref.load"))
    return mlirOperationGetNumOperands(op);
  if (bd_op_is(op, "memref.copy") || bd_op_is(op, "memref.store")) return 1;
  if (bd_op_starts_with(op, "linalg.")) return bd_structured_read(op, &s) ? s.n_inputs : 0;
  return bd_op_is(op, "func.call") ? 0 : -1;
}

/* True if the operation writes to allocations only that none of the n buffers is. */
static int leaves_alone(MlirOperation op, const MlirValue *buffers, size_t n) {
  const intptr_t first = bd_first_written(op);
  if (first < 0) return 0;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsAMemRef(mlirValueGetType(operand))) continue;
    const MlirValue base = bd_base_of(operand);
    if (!bd_is_made_by(base, "memref.alloc") && !bd_op_is(op, "func.call")) return 0;
    for (size_t k = 0; k < n; ++k) {
      if (mlirValueEqual(base, buffers[k])) return 0;
    }
  }
  return 1;
}

/* True if `op` may be done where `later` is: nothing between them writes to what it reads. */
static bool can_be_moved(MlirOperation op, const bd_beginning *begin, MlirOperation later) {
  MlirValue buffers[BD_MAX_OPERANDS];
  size_t n = 0;
  if (!mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(later)) ||
      !mlirOperationIsBeforeInBlock(op, later))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && n < BD_MAX_OPERANDS - 1; ++i)
    buffers[n++] = bd_base_of(mlirOperationGetOperand(op, i));
  if (begin->begin == BD_BEGIN_ROW) buffers[n++] = bd_base_of(begin->row);
  MlirOperation at = mlirOperationGetNextInBlock(op);
  for (; !mlirOperationEqual(at, later); at = mlirOperationGetNextInBlock(at)) {
    if (!leaves_alone(at, buffers, n)) return false;
  }
  return true;
}

/* ---- Operands -------------------------------------------------------------------------------- */

bool bd_is_element_by_element(const bd_structured *s, int operand) {
  const bd_operand *o = &s->operands[operand];
  return o->rank == s->n_loops && mlirAffineMapIsIdentity(bd_structured_map(s, operand));
}

static bool read_geometry(bd_extents *x, MlirValue value, bd_geometry *out) {
  return x ? bd_extents_read_geometry(x, value, out) : bd_geometry_read(value, out);
}

int bd_extra_read_strides(const bd_structured *s, int operand, bd_extents *x, bd_extra *out) {
  bd_geometry g;
  const MlirAffineMap map = bd_structured_map(s, operand);
  const MlirValue value = s->operands[operand].value;
  if (!read_geometry(x, value, &g)) return 0;
  out->buffer = g.base;
  out->type = mlirValueGetType(g.base);
  out->offset = g.offset;
  for (int i = 0; i < s->n_loops; ++i) out->strides[i] = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    const MlirAffineExpr e = mlirAffineMapGetResult(map, r);
    if (mlirAffineExprIsADim(e))
      out->strides[mlirAffineDimExprGetPosition(e)] += g.strides[r];
    else if (!mlirAffineExprIsAConstant(e) || mlirAffineConstantExprGetValue(e) != 0)
      return 0;
  }
  return 1;
}

/* An extra in the buffer that the epilogue writes to must be what it overwrites, element by
 * element. */
static bool is_apart(const bd_structured *s, const bd_extra *extra, MlirValue output) {
  return !mlirValueEqual(extra->buffer, bd_base_of(output)) ||
         (mlirValueEqual(s->operands[extra->argument].value, output) &&
          bd_is_element_by_element(s, extra->argument));
}

static MlirType element_of(MlirValue buffer) {
  return mlirShapedTypeGetElementType(mlirValueGetType(buffer));
}

static bool read_extra(const bd_structured *s, int operand, const bd_finder *f, bd_epilogue *e) {
  bd_extra *out = &e->extras[e->n];
  *out = (bd_extra){.argument = operand, .is_row = true};
  if (s->operands[operand].rank < 0 ||
      !mlirTypeEqual(element_of(s->operands[operand].value), element_of(e->output)) ||
      !bd_extra_read_strides(s, operand, f->extents, out) || !is_apart(s, out, e->output))
    return false;
  e->is_in_place |= mlirValueEqual(out->buffer, bd_base_of(e->output));
  for (int i = 0; i < s->n_loops; ++i) {
    if (i != f->column && s->sizes[i] != 1 && out->strides[i] != 0) out->is_row = false;
  }
  out->is_spread = out->strides[f->column] == 0 || s->sizes[f->column] == 1;
  return out->is_spread || out->strides[f->column] == 1;
}

/* ---- The body -------------------------------------------------------------------------------- */

bool bd_body_is_plain(MlirOperation loop, bool (*takes)(MlirOperation op, MlirType element),
                      MlirType element) {
  const MlirBlock body = bd_body_of(loop);
  const MlirOperation yield = mlirBlockGetTerminator(body);
  const MlirValue old = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  if (mlirOperationGetNumOperands(yield) != 1 || bd_is_used(old)) return false;
  const MlirOperation last = bd_maker_of(mlirOperationGetOperand(yield, 0));
  if (!last.ptr || bd_op_is(last, "arith.constant") ||
      !mlirBlockEqual(mlirOperationGetBlock(last), body))
    return false;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op) != 0 ||
        !takes(op, element))
      return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      if (!bd_is_of_body(mlirOperationGetOperand(op, i), body)) return false;
    }
  }
  return true;
}

static bool is_of(MlirType type, MlirType element) {
  return mlirTypeEqual(type, element) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1);
}

/* Some twenty instructions each (inlined.h). */
static bool is_function_of_vectors(MlirOperation op) {
  return (bd_op_is(op, "math.exp") || bd_op_is(op, "math.erf") || bd_op_is(op, "math.tanh")) &&
         mlirTypeIsAF32(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

bool bd_epilogue_has_functions(const bd_epilogue *e) {
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(e->op));
  while (op.ptr && !is_function_of_vectors(op)) op = mlirOperationGetNextInBlock(op);
  return op.ptr;
}

/* Vectors in place of the numbers mean the same. */
static bool can_be_vector(MlirOperation op, MlirType element) {
  static const char *const names[] = {"math.absf", "math.sqrt", "math.fma", "math.copysign", NULL};
  bool is_known =
      bd_op_starts_with(op, "arith.") || is_function_of_vectors(op) || bd_op_is_any(op, names);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    is_known &= is_of(mlirValueGetType(mlirOperationGetOperand(op, i)), element);
  return is_known && is_of(mlirValueGetType(mlirOperationGetResult(op, 0)), element);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* The operation reads nothing that lies where the epilogue writes to. */
static int reads_elsewhere(MlirOperation op, MlirValue output) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (mlirValueEqual(bd_base_of(mlirOperationGetOperand(op, i)), bd_base_of(output))) return 0;
  }
  return 1;
}

/* It may be done where the loop is, and write to where that writes to. */
static bool can_be_done(const bd_epilogue *e, MlirOperation op, const bd_beginning *begin) {
  return reads_elsewhere(op, e->output) && can_be_moved(op, begin, e->op);
}

bd_epilogue bd_epilogue_read(MlirOperation op, MlirOperation reader, MlirValue result,
                             const bd_beginning *begin, const bd_finder *f) {
  const bd_epilogue none = {.op = {NULL}};
  bd_epilogue out = {.op = reader, .product = -1, .extents = f->extents};
  bd_structured s;
  bd_geometry g;
  if (!reader.ptr || begin->begin == BD_BEGIN_OLD || !bd_op_is(reader, "linalg.generic") ||
      !bd_structured_read(reader, &s) || !bd_structured_is_parallel(&s) ||
      !bd_body_is_plain(reader, f->takes, element_of(result)) ||
      (f->extents && !bd_extents_resolve(f->extents, &s)))
    return none;
  const int last = s.n_operands - 1;
  out.output = s.operands[last].value;
  for (int i = 0; i < last; ++i) {
    const bool is_product = mlirValueEqual(s.operands[i].value, result);
    if (is_product ? out.product >= 0 || !bd_is_element_by_element(&s, i)
                   : out.n == BD_MAX_EXTRAS || !f->read_extra(&s, i, f, &out))
      return none;
    if (is_product) out.product = i;
    out.n += !is_product;
  }
  return out.product >= 0 && bd_is_element_by_element(&s, last) &&
                 read_geometry(f->extents, out.output, &g) &&
                 bd_is_made_by(g.base, "memref.alloc") && can_be_done(&out, op, begin)
             ? out
             : none;
}

bd_epilogue bd_epilogue_find(MlirOperation op, MlirValue result, const bd_beginning *begin,
                             int column, bd_extents *x) {
  const bd_epilogue none = {.op = {NULL}};
  const bd_finder f = {can_be_vector, read_extra, column, NULL, x};
  const bd_epilogue found = bd_epilogue_read(op, reader_of(op, begin, result), result, begin, &f);
  return found.op.ptr && mlirTypeEqual(element_of(found.output), element_of(result)) ? found : none;
}

void bd_epilogue_erase(const bd_epilogue *e) {
  if (!e->op.ptr) return;
  MlirValue product = mlirOperationGetOperand(e->op, e->product);
  bd_op_erase(e->op);
  while (!bd_is_used(product) && mlirValueIsAOpResult(product)) {
    const MlirOperation op = mlirOpResultGetOwner(product);
    const bool is_view = bd_op_is_view(op);
    if (is_view) product = mlirOperationGetOperand(op, 0);
    bd_op_erase(op);
    if (!is_view) return;
  }
}
