/* sdk/compile/kernels/restored.c: see restored.h: finding the loop; restored_text.c writes it. */
#include "sdk/compile/kernels/restored.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/rewrite/once.h"

static int is_view(MlirOperation op) {
  return bd_op_is(op, "memref.expand_shape") || bd_op_is(op, "memref.collapse_shape");
}

/* Finds what writes to the buffer, among readers and views of it; false if there are several, or
 * something else has to do with it. */
static int find_writer(MlirValue buffer, MlirOperation *found) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    bd_structured s;
    if (is_view(user)) {
      if (!find_writer(mlirOperationGetResult(user, 0), found)) return 0;
      continue;
    }
    if (!bd_structured_read(user, &s)) return 0;
    if ((int)mlirOpOperandGetOperandNumber(use) < s.n_inputs) continue;
    if (found->ptr != NULL) return 0;
    *found = user;
  }
  return 1;
}

/* ---- The body ---------------------------------------------------------------------------------
 */

static int is_number_type(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsABF16(type) || mlirTypeIsAF16(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64);
}

/* Of the block itself, or a number from wherever. */
static int is_at_hand(MlirValue value, MlirBlock body) {
  if (!is_number_type(mlirValueGetType(value))) return 0;
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
  return mlirBlockEqual(mlirOperationGetBlock(bd_maker_of(value)), body) ||
         bd_is_made_by(value, "arith.constant");
}

/* All of it means the same of vectors, and does not read what is overwritten. */
static int has_vector_body(MlirOperation op) {
  const MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  const MlirOperation yield = mlirBlockGetTerminator(body);
  const MlirValue old = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(old)) || mlirOperationGetNumOperands(yield) != 1)
    return 0;
  MlirOperation at = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationEqual(at, yield); at = mlirOperationGetNextInBlock(at)) {
    if (!bd_op_starts_with(at, "arith.") || mlirOperationGetNumResults(at) != 1) return 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(at); i++) {
      if (!is_at_hand(mlirOperationGetOperand(at, i), body)) return 0;
    }
  }
  const MlirValue result = mlirOperationGetOperand(yield, 0);
  return mlirValueIsAOpResult(result) && is_at_hand(result, body) &&
         !bd_is_made_by(result, "arith.constant");
}

/* ---- What it reads ----------------------------------------------------------------------------
 */

static int read_source(const bd_structured *s, int i, const bd_keeping *keeping, bd_extra *out) {
  *out = (bd_extra){.argument = i};
  const bd_operand *operand = &s->operands[i];
  if (operand->rank < 0 || !is_number_type(mlirShapedTypeGetElementType(operand->type)) ||
      !bd_is_steady(keeping, operand->value) || !bd_extra_read_strides(s, i, out))
    return 0;
  const int64_t last = out->strides[s->n_loops - 1];
  out->is_spread = last == 0;
  return last == 0 || last == 1;
}

static int read_sources(const bd_structured *s, const bd_keeping *keeping, bd_restored *out) {
  if (s->n_inputs > BD_MAX_EXTRAS) return 0;
  for (int i = 0; i < s->n_inputs; i++) {
    if (!read_source(s, i, keeping, &out->loop.extras[out->loop.n])) return 0;
    out->loop.n++;
  }
  return 1;
}

/* The axes of what the loop writes; unit axes at its end are none. */
static int read_axes(const bd_structured *s, bd_restored *out) {
  const bd_operand *written = &s->operands[s->n_inputs];
  const MlirAffineMap map = mlirAffineMapAttrGetValue(
      mlirArrayAttrGetElement(mlirLinalgGetIndexingMapsAttribute(s->op), s->n_inputs));
  if (!mlirAffineMapIsIdentity(map) || !bd_type_is_bare(written->type) ||
      written->rank != s->n_loops || s->n_loops > BD_MAX_RANK)
    return 0;
  out->rank = s->n_loops;
  for (int i = 0; i < s->n_loops; i++) out->sizes[i] = s->sizes[i];
  return out->rank > 0 && bd_count_elements(written->type) == out->n * out->k;
}

/* Loops around the product that walk along B make no round but one. */
static int is_one_matrix(const bd_contraction *c) {
  for (int loop = 0; loop < c->s.n_loops; loop++) {
    if (!c->is_inside[loop] && bd_operand_of(c, BD_B)->axis[loop] >= 0 && c->s.sizes[loop] != 1)
      return 0;
  }
  return !c->has_outer_sum;
}

bd_restored bd_restored_find(const bd_contraction *c, const bd_keeping *keeping) {
  const bd_restored none = {.n = 0};
  const bd_operand *b = bd_operand_of(c, BD_B);
  const MlirValue buffer = bd_base_of(b->value);
  MlirOperation writer = {NULL};
  bd_structured s;
  int rows;
  if (!bd_is_made_by(buffer, "memref.alloc") || !bd_type_is_bare(b->type) || !is_one_matrix(c))
    return none;
  if (!find_writer(buffer, &writer) || writer.ptr == NULL || !bd_op_is(writer, "linalg.generic") ||
      !bd_structured_read(writer, &s) || !bd_structured_is_parallel(&s) ||
      !mlirValueEqual(s.operands[s.n_inputs].value, buffer) || !has_vector_body(writer))
    return none;
  bd_restored r = {.loop = {.op = writer, .output = buffer, .product = -1},
                   .n = bd_group_size(c, &c->n),
                   .k = bd_group_size(c, &c->k)};
  bd_kernels_tile(0, &r.lanes, &rows);
  if (bd_group_stride(b, &c->n) != r.k || bd_count_elements(b->type) != r.n * r.k ||
      !read_axes(&s, &r) || !read_sources(&s, keeping, &r))
    return none;
  const int64_t group = r.sizes[r.rank - 1];
  return group % r.lanes == 0 && r.k % group == 0 ? r : none;
}

void bd_restored_erase(const bd_restored *r, MlirValue value) {
  const MlirOperation alloc = bd_maker_of(r->loop.output);
  while (!mlirValueEqual(value, r->loop.output) &&
         mlirOpOperandIsNull(mlirValueGetFirstUse(value))) {
    const MlirOperation view = bd_maker_of(value);
    value = mlirOperationGetOperand(view, 0);
    bd_op_erase(view);
  }
  const MlirOpOperand use = mlirValueGetFirstUse(r->loop.output);
  if (!mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return;
  bd_op_erase(r->loop.op);
  bd_op_erase(alloc);
}
