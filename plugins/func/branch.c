// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/func/branch.c: torch.cond and torch.while_loop: subgraphs become functions, called inside
 * scf.if, scf.while. */
#include "mlir-c/BuiltinTypes.h"

#include <stdbool.h>
#include "plugins/func/rows.h"

/* A tensor of one element as i1. */
static MlirValue truth(const be_body *body, MlirValue tensor, const buddy_tensor_type *type) {
  buddy_call *call = body->call;
  if (!type || type->rank != 0) {
    be_decline(call, "the condition is not a 0-d tensor");
    return (MlirValue){NULL};
  }
  const MlirValue scalar =
      BE_IN(body, "tensor.extract", buddy_mlir_element_type(call, type->dtype), tensor);
  return be_in_cast(body, scalar, type->dtype, BUDDY_BOOL);
}

static MlirType *result_types(buddy_call *call, size_t n) {
  MlirType *types = fn_scratch(call, n, sizeof(MlirType));
  for (size_t i = 0; types && i < n; ++i)
    types[i] = buddy_mlir_tensor_type(call, be_result_type(call, i));
  return types;
}

static buddy_code set_results(buddy_call *call, MlirOperation op, size_t n) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) {
    code = be_result(call, i, op.ptr ? mlirOperationGetResult(op, (intptr_t)i) : (MlirValue){NULL});
  }
  return code;
}

/* ---- cond ------------------------------------------------------------------------------------ */

static MlirRegion branch(buddy_call *call, const fn_callee *callee, const MlirValue *operands,
                         size_t n_operands, const MlirType *types, size_t n) {
  be_body body;
  if (callee->symbol.ptr && callee->n_results != n) {
    be_decline(call, "a branch gives %zu tensors instead of %zu", callee->n_results, n);
    return (MlirRegion){NULL};
  }
  MlirValue *results = fn_scratch(call, n, sizeof(MlirValue));
  if (!results) return (MlirRegion){NULL};
  const MlirRegion region = fn_region(call, NULL, 0, &body);
  bool is_built = fn_call(&body, callee, operands, n_operands, results);
  for (size_t i = 0; i < n && is_built; ++i) results[i] = fn_cast(&body, results[i], types[i]);
  if (is_built && fn_end(&body, "scf.yield", results, n)) return region;
  mlirRegionDestroy(region);
  return (MlirRegion){NULL};
}

/* Sizes that a branch leaves open are open after the branches, too: they are compared with those that
 * the program says where the results are set, which no cast within a branch does. */
static void leave_open(MlirType *types, size_t n, const fn_callee *callee) {
  int64_t dims[BE_MAX_RANK];
  if (callee->n_results != n) return;
  for (size_t i = 0; i < n; ++i) {
    const MlirType given = mlirFunctionTypeGetResult(callee->type, (intptr_t)i);
    const intptr_t rank = mlirShapedTypeGetRank(types[i]);
    if (mlirShapedTypeGetRank(given) != rank || rank > BE_MAX_RANK) continue;
    for (intptr_t d = 0; d < rank; ++d)
      dims[d] = mlirShapedTypeIsDynamicDim(given, d) ? mlirShapedTypeGetDynamicSize()
                                                     : mlirShapedTypeGetDimSize(types[i], d);
    types[i] = mlirRankedTensorTypeGet(rank, dims, mlirShapedTypeGetElementType(types[i]),
                                       (MlirAttribute){NULL});
  }
}

buddy_code fn_emit_cond(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  size_t n_operands;
  const size_t n = be_host->n_results(call);
  const MlirValue *operands = fn_tensors(call, 3, &n_operands);
  MlirType *types = result_types(call, n);
  const fn_callee on_true = fn_subgraph(call, 1), on_false = fn_subgraph(call, 2);
  if (!operands || !types) return be_result(call, 0, (MlirValue){NULL});
  if (on_true.symbol.ptr) leave_open(types, n, &on_true);
  if (on_false.symbol.ptr) leave_open(types, n, &on_false);
  const be_body body = {call, buddy_mlir_block(call)};
  const buddy_tensor_type bool_type = {BUDDY_BOOL, 0, NULL};
  const buddy_arg *pred = be_arg(call, 0);
  const buddy_tensor_type *type =
      pred->kind == BUDDY_ARG_TENSOR ? be_arg_type(call, 0) : &bool_type;
  MlirValue condition =
      pred->kind == BUDDY_ARG_TENSOR ? be_tensor(call, 0) : be_operand(call, 0, BUDDY_BOOL);
  if (type && type->rank > 0) { /* one element, whatever its rank */
    const buddy_tensor_type *scalar = be_type(call, type->dtype, 0, NULL);
    condition = be_reshape(call, condition, type, scalar);
    type = scalar;
  }
  condition = truth(&body, condition, type);
  MlirRegion regions[2] = {branch(call, &on_true, operands, n_operands, types, n),
                           branch(call, &on_false, operands, n_operands, types, n)};
  const be_op_spec spec = {
      .name = "scf.if", .operands = &condition, .n_operands = 1, .types = types, .n_types = n};
  return set_results(call, fn_build(call, &spec, regions, 2), n);
}

/* ---- while_loop ------------------------------------------------------------------------------ */

typedef struct loop {
  buddy_call *call;
  fn_callee condition, step;
  const MlirValue *inputs; /* carried, then additional */
  size_t n_carried, n_inputs;
  MlirType *types; /* of the carried */
} loop;

/* The block's arguments, then the additional inputs. */
static MlirValue *loop_operands(const loop *l, MlirBlock block) {
  MlirValue *operands = fn_scratch(l->call, l->n_inputs, sizeof(MlirValue));
  for (size_t i = 0; operands && i < l->n_inputs; ++i) {
    operands[i] = i < l->n_carried ? mlirBlockGetArgument(block, (intptr_t)i) : l->inputs[i];
  }
  return operands;
}

/* Asks the condition, and hands the carried values on. */
static MlirRegion before(const loop *l) {
  be_body body;
  const buddy_tensor_type bool_type = {BUDDY_BOOL, 0, NULL};
  const MlirRegion region = fn_region(l->call, l->types, l->n_carried, &body);
  const MlirValue *operands = loop_operands(l, body.block);
  MlirValue *forwarded = fn_scratch(l->call, l->n_carried + 1, sizeof(MlirValue));
  MlirValue answer = {NULL};
  if (operands && forwarded && l->condition.n_results == 1 &&
      fn_call(&body, &l->condition, operands, l->n_inputs, &answer)) {
    forwarded[0] = truth(&body, answer, &bool_type);
    for (size_t i = 0; i < l->n_carried; ++i) forwarded[i + 1] = operands[i];
    if (fn_end(&body, "scf.condition", forwarded, l->n_carried + 1)) return region;
  }
  mlirRegionDestroy(region);
  return (MlirRegion){NULL};
}

static MlirRegion after(const loop *l) {
  be_body body;
  const MlirRegion region = fn_region(l->call, l->types, l->n_carried, &body);
  const MlirValue *operands = loop_operands(l, body.block);
  MlirValue *results = fn_scratch(l->call, l->n_carried, sizeof(MlirValue));
  if (operands && results && fn_call(&body, &l->step, operands, l->n_inputs, results)) {
    for (size_t i = 0; i < l->n_carried; ++i) results[i] = fn_cast(&body, results[i], l->types[i]);
    if (fn_end(&body, "scf.yield", results, l->n_carried)) return region;
  }
  mlirRegionDestroy(region);
  return (MlirRegion){NULL};
}

static MlirValue *join(buddy_call *call, const MlirValue *a, size_t n_a, const MlirValue *b,
                       size_t n_b) {
  if (!a || !b) return NULL;
  MlirValue *both = fn_scratch(call, n_a + n_b, sizeof(MlirValue));
  for (size_t i = 0; both && i < n_a + n_b; ++i) both[i] = i < n_a ? a[i] : b[i - n_a];
  return both;
}

buddy_code fn_emit_while(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  loop l = {.call = call, .condition = fn_subgraph(call, 0), .step = fn_subgraph(call, 1)};
  size_t n_additional;
  const MlirValue *carried = fn_tensors(call, 2, &l.n_carried);
  const MlirValue *additional = fn_tensors(call, 3, &n_additional);
  l.inputs = join(call, carried, l.n_carried, additional, n_additional);
  l.n_inputs = l.n_carried + n_additional;
  l.types = fn_scratch(call, l.n_carried, sizeof(MlirType));
  MlirValue *initial = fn_scratch(call, l.n_carried, sizeof(MlirValue));
  const bool is_sound =
      l.inputs && l.types && initial && l.condition.symbol.ptr && l.step.symbol.ptr;
  if (is_sound && (l.step.n_results != l.n_carried || l.step.n_inputs != l.n_inputs ||
                   be_host->n_results(call) != l.n_carried || l.condition.n_results != 1)) {
    return be_decline(call, "the loop's functions do not take and give the values that it carries");
  }
  if (!is_sound) return be_result(call, 0, (MlirValue){NULL});
  const be_body body = {call, buddy_mlir_block(call)};
  for (size_t i = 0; i < l.n_carried; ++i) {
    l.types[i] = mlirFunctionTypeGetInput(l.step.type, (intptr_t)i);
    initial[i] = fn_cast(&body, carried[i], l.types[i]);
  }
  MlirRegion regions[2] = {before(&l), after(&l)};
  const be_op_spec spec = {.name = "scf.while",
                           .operands = initial,
                           .n_operands = l.n_carried,
                           .types = l.types,
                           .n_types = l.n_carried};
  return set_results(call, fn_build(call, &spec, regions, 2), l.n_carried);
}
