// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/emitter.c: the transaction around one row, and the emission services that the portable
 * tier uses.
 *
 * A handle that is null, of another context or of another block never reaches MLIR, which checks
 * nothing. */
#include "sdk/lower/lowering.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

static const MlirValue no_value = {NULL};
static const MlirOperation no_operation = {NULL};

bd_function *bd_call_function(const buddy_call *call) {
  if (!call || bd_call_emitter(call) != &bd_mlir_emitter) return NULL;
  bd_function *function = bd_call_emitter_state(call);
  return function && function->transaction.call == call ? function : NULL;
}

/* As above for the table of services, whose callers may still hold a call that has ended. */
static bd_function *open_function(void *state, buddy_call *call) {
  bd_function *function = state;
  if (call && function->transaction.call == call) return function;
  if (call) bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "IR is built inside emit only");
  return NULL;
}

const char *bd_function_complaint(const bd_function *function) {
  const char *text = function->lowering->complaint;
  return text[0] != '\0' ? text : "MLIR gives no reason";
}

/* ---- Begin, undo ----------------------------------------------------------------------------- */

static buddy_code reserve_results(bd_transaction *transaction, size_t n) {
  if (n > transaction->results_capacity) {
    MlirValue *results = bd_realloc(transaction->results, n * sizeof(MlirValue));
    if (!results) return BUDDY_OUT_OF_MEMORY;
    transaction->results = results;
    transaction->results_capacity = n;
  }
  for (size_t i = 0; i < n; ++i) transaction->results[i] = no_value;
  transaction->n_results = n;
  return BUDDY_OK;
}

static buddy_code begin(void *state, buddy_call *call) {
  bd_function *function = state;
  bd_transaction *transaction = &function->transaction;
  const buddy_node *node = bd_call_node(call);
  if (transaction->call) return bd_call_fail(call, BUDDY_INTERNAL, "another call is being emitted");
  const buddy_code code = reserve_results(transaction, buddy_node_n_results(node));
  if (code != BUDDY_OK) return bd_call_fail(call, code, "out of memory");
  if (!transaction->block.ptr) transaction->block = mlirBlockCreate(0, NULL, NULL);
  transaction->location = bd_node_location(function->lowering->context, node);
  transaction->n_ops = 0;
  transaction->journal_mark = function->lowering->n_journal;
  transaction->call = call;
  bd_lowering_clear_complaint(function->lowering);
  return BUDDY_OK;
}

static void undo(void *state, buddy_call *call) {
  bd_function *function = state;
  if (function->transaction.call != call) return;
  /* The block goes whole: it drops all uses first, whatever order the ops are in. */
  mlirBlockDestroy(function->transaction.block);
  function->transaction.block = (MlirBlock){NULL};
  bd_dims_undo(function);
  bd_journal_undo(function->lowering, function->transaction.journal_mark);
  function->transaction.call = NULL;
}

/* ---- Commit ---------------------------------------------------------------------------------- */

/* Where the ops that were spliced begin: after `last`, the function's last op before. */
static MlirOperation first_after(const bd_function *function, MlirOperation last) {
  return last.ptr ? mlirOperationGetNextInBlock(last) : mlirBlockGetFirstOperation(function->block);
}

static void splice(bd_function *function) {
  MlirOperation op = mlirBlockGetFirstOperation(function->transaction.block);
  while (op.ptr) {
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    bd_function_add_last(function, op);
    op = next;
  }
}

static void splice_back(bd_function *function, MlirOperation last) {
  MlirOperation op = first_after(function, last);
  while (op.ptr) {
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(function->transaction.block, op);
    op = next;
  }
  function->last = last;
}

/* In place: what a region takes from outside is checked against the function's block. */
static buddy_code verify(bd_function *function, buddy_call *call, MlirOperation last) {
  MlirOperation op = first_after(function, last);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    bd_lowering_clear_complaint(function->lowering);
    if (mlirOperationVerify(op)) continue;
    return bd_call_fail(call, BUDDY_VERIFY_FAILED, "%s", bd_function_complaint(function));
  }
  return BUDDY_OK;
}

/* A result that nothing uses may be left unset. */
static buddy_code keep_results(bd_function *function, buddy_call *call) {
  const buddy_node *node = bd_call_node(call);
  for (size_t i = 0; i < function->transaction.n_results; ++i) {
    const buddy_value *result = buddy_node_result(node, i);
    const MlirValue value = function->transaction.results[i];
    if (!value.ptr && buddy_value_n_uses(result) > 0) {
      return bd_call_fail(call, BUDDY_VERIFY_FAILED, "result %zu was not set, but is used", i);
    }
    if (value.ptr && bd_values_set(function, result, value) != BUDDY_OK) {
      return bd_call_fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
    }
  }
  return BUDDY_OK;
}

static buddy_code learn_dims(bd_function *function, const buddy_node *node) {
  for (size_t i = 0; i < function->transaction.n_results; ++i) {
    if (!function->transaction.results[i].ptr) continue;
    BD_TRY(bd_dims_learn(function, buddy_node_result(node, i)));
  }
  return BUDDY_OK;
}

static buddy_code commit(void *state, buddy_call *call) {
  bd_function *function = open_function(state, call);
  if (!function) return BUDDY_INTERNAL;
  const MlirOperation last = function->last;
  splice(function);
  buddy_code code = verify(function, call, last);
  if (code == BUDDY_OK) code = keep_results(function, call);
  if (code == BUDDY_OK && learn_dims(function, bd_call_node(call)) != BUDDY_OK) {
    code = bd_call_fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
  }
  if (code != BUDDY_OK) {
    splice_back(function, last);
    return code;
  }
  const buddy_node *node = bd_call_node(call);
  const MlirLocation location = bd_function_location(function);
  bd_dims_commit(function);
  function->transaction.call = NULL;
  for (size_t i = 0; i < function->transaction.n_results && code == BUDDY_OK; ++i) {
    if (function->transaction.results[i].ptr)
      code = bd_dims_assert_told(function, buddy_node_result(node, i), location);
  }
  return code == BUDDY_OK ? bd_guards_assert(function) : code;
}

/* ---- Appending ------------------------------------------------------------------------------- */

/* Ops of linalg that have a body which MLIR can build from the op's name: all but these. */
static bool has_builtin_body(MlirStringRef name) {
  static const char *const others[] = {"generic", "index",  "map",      "pack", "reduce",
                                       "softmax", "unpack", "winograd", "yield"};
  if (name.length < 8 || memcmp(name.data, "linalg.", 7) != 0) return false;
  for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i) {
    const size_t n = strlen(others[i]);
    if (name.length >= 7 + n && memcmp(name.data + 7, others[i], n) == 0) return false;
  }
  return true;
}

/* Defined where the call can see it: in its own block, or in the function so far. */
int bd_transaction_sees(const bd_function *function, MlirValue value) {
  const MlirBlock block = mlirValueIsABlockArgument(value)
                              ? mlirBlockArgumentGetOwner(value)
                              : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return mlirBlockEqual(block, function->transaction.block) ||
         mlirBlockEqual(block, function->block);
}

/* What is wrong with a state, or null. */
static const char *find_fault(const bd_function *function, const MlirOperationState *state) {
  const MlirContext context = function->lowering->context;
  if (function->transaction.n_ops == BD_MAX_OPS)
    return "would be one op too many for one call (65536)";
  if (!mlirContextIsRegisteredOperation(context, state->name)) {
    return "is not an op of any loaded dialect: the registry must name the dialect";
  }
  for (intptr_t i = 0; i < state->nOperands; ++i) {
    if (!state->operands[i].ptr) return "has a null operand";
    if (!bd_transaction_sees(function, state->operands[i]))
      return "has an operand of another call's block";
  }
  for (intptr_t i = 0; i < state->nResults; ++i) {
    if (!state->results[i].ptr) return "has a null result type";
    if (!mlirContextEqual(mlirTypeGetContext(state->results[i]), context))
      return "has a foreign result type";
  }
  for (intptr_t i = 0; i < state->nAttributes; ++i) {
    const MlirAttribute attribute = state->attributes[i].attribute;
    if (!state->attributes[i].name.ptr || !attribute.ptr) return "has a null attribute";
    if (!mlirContextEqual(mlirAttributeGetContext(attribute), context))
      return "has a foreign attribute";
  }
  for (intptr_t i = 0; i < state->nRegions; ++i) {
    if (!state->regions[i].ptr) return "has a null region";
  }
  return !state->location.ptr ? "has a null location" : NULL;
}

/* Frees a state that no operation is made of; MLIR's C API builds its arrays with malloc and frees
 * them so. */
static void discard(MlirOperationState *state) {
  for (intptr_t i = 0; i < state->nRegions; ++i) {
    if (state->regions[i].ptr) mlirRegionDestroy(state->regions[i]);
  }
  free(state->results);
  free(state->operands);
  free(state->regions);
  free(state->successors);
  free(state->attributes);
}

MlirOperation bd_transaction_append(bd_function *function, MlirOperationState *state) {
  const MlirStringRef name = state->name;
  const char *fault = find_fault(function, state);
  if (fault) {
    bd_call_fail(function->transaction.call, BUDDY_INVALID_ARGUMENT, "%.*s %s", (int)name.length,
                 name.data, fault);
    discard(state);
    return no_operation;
  }
  const bool needs_body = state->nRegions == 0 && has_builtin_body(name);
  if (needs_body) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(state, 1, &region);
  }
  bd_lowering_clear_complaint(function->lowering);
  const MlirOperation op = mlirOperationCreate(state);
  if (!op.ptr) {
    bd_call_fail(function->transaction.call, BUDDY_VERIFY_FAILED, "%s",
                 bd_function_complaint(function));
    return no_operation;
  }
  if (needs_body) mlirLinalgFillBuiltinNamedOpRegion(op);
  mlirBlockAppendOwnedOperation(function->transaction.block, op);
  ++function->transaction.n_ops;
  return op;
}

/* ---- Results --------------------------------------------------------------------------------- */

static buddy_code fail_type(buddy_call *call, size_t i, MlirType given, MlirType wanted) {
  char a[128], b[128];
  bd_type_text(given, a, sizeof(a));
  bd_type_text(wanted, b, sizeof(b));
  return bd_call_fail(call, BUDDY_VERIFY_FAILED, "result %zu is a %s, the graph says %s", i, a, b);
}

/* A size that the row leaves to the run, where the graph says a number: the run has to agree, or
 * what reads the result would read beyond it. */
static buddy_code check_sizes(bd_function *function, MlirValue value,
                              const buddy_tensor_type *type) {
  char text[96];
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (!mlirShapedTypeIsDynamicDim(mlirValueGetType(value), d)) continue;
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) continue;
    snprintf(text, sizeof(text), "dim %u of a result is not %" PRId64 ", as the program says", d,
             type->dims[d]);
    BD_TRY(bd_dims_assert(function, bd_dims_compare_size(function, value, d, type->dims[d]), text,
                          bd_function_location(function)));
  }
  return BUDDY_OK;
}

buddy_code bd_transaction_set_result(bd_function *function, size_t i, MlirValue value) {
  bd_transaction *transaction = &function->transaction;
  buddy_call *call = transaction->call;
  if (i >= transaction->n_results) {
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "result %zu of %zu was set", i,
                        transaction->n_results);
  }
  if (!value.ptr)
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "result %zu was set to null", i);
  if (!bd_transaction_sees(function, value)) {
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                        "result %zu was set to a value of another block", i);
  }
  const buddy_tensor_type *type = buddy_value_type(buddy_node_result(bd_call_node(call), i));
  const MlirType wanted = bd_tensor_type(function->lowering, type), given = mlirValueGetType(value);
  if (!mlirTypeEqual(given, wanted)) {
    if (!wanted.ptr || !bd_types_are_castable(given, wanted))
      return fail_type(call, i, given, wanted);
    if (check_sizes(function, value, type) != BUDDY_OK)
      return bd_call_fail(call, BUDDY_INTERNAL, "the sizes of result %zu cannot be checked", i);
    value = bd_function_op(function, "tensor.cast", wanted, &value, 1, NULL, 0);
    if (!value.ptr) return bd_call_fail(call, BUDDY_INTERNAL, "MLIR cannot cast result %zu", i);
  }
  transaction->results[i] = value;
  return BUDDY_OK;
}

/* ---- Services -------------------------------------------------------------------------------- */

static buddy_ir_value ir_value(void *state, buddy_call *call, const buddy_value *value) {
  if (!open_function(state, call)) return (buddy_ir_value){NULL};
  return (buddy_ir_value){buddy_mlir_value(call, value).ptr};
}

static buddy_ir_type ir_tensor_type(void *state, buddy_call *call, const buddy_tensor_type *type) {
  if (!open_function(state, call)) return (buddy_ir_type){NULL};
  return (buddy_ir_type){buddy_mlir_tensor_type(call, type).ptr};
}

static buddy_ir_type ir_type_parse(void *state, buddy_call *call, buddy_sv text) {
  bd_function *function = open_function(state, call);
  if (!function) return (buddy_ir_type){NULL};
  bd_lowering_clear_complaint(function->lowering);
  const MlirType type = text.data ? bd_type_parse(function->lowering, text) : (MlirType){NULL};
  if (!type.ptr)
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "no type of MLIR: %s",
                 bd_function_complaint(function));
  return (buddy_ir_type){type.ptr};
}

static buddy_ir_attr ir_attr_parse(void *state, buddy_call *call, buddy_sv text) {
  bd_function *function = open_function(state, call);
  if (!function) return (buddy_ir_attr){NULL};
  bd_lowering_clear_complaint(function->lowering);
  const MlirAttribute attribute =
      text.data ? bd_parse_attribute(function->lowering, text) : (MlirAttribute){NULL};
  if (!attribute.ptr) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "no attribute of MLIR: %s",
                 bd_function_complaint(function));
  }
  return (buddy_ir_attr){attribute.ptr};
}

static MlirAttribute dense_bools(MlirType type, const unsigned char *bytes, size_t n) {
  int *bools = bd_calloc(n, sizeof(int));
  if (!bools) return mlirAttributeGetNull();
  for (size_t i = 0; i < n; ++i) bools[i] = bytes[i] != 0;
  const MlirAttribute attribute = mlirDenseElementsAttrBoolGet(type, (intptr_t)n, bools);
  bd_free(bools);
  return attribute;
}

/* The bytes of all elements, in order, or of one that stands for all. */
static buddy_ir_attr ir_attr_dense(void *state, buddy_call *call, const buddy_tensor_type *type,
                                   const void *bytes, size_t n_bytes) {
  if (!open_function(state, call)) return (buddy_ir_attr){NULL};
  const MlirType ir_type = buddy_mlir_tensor_type(call, type);
  if (!ir_type.ptr) return (buddy_ir_attr){NULL};
  const size_t size = buddy_dtype_size(type->dtype);
  size_t expected = size;
  bool is_static = true;
  for (uint32_t d = 0; d < type->rank && is_static; ++d) {
    is_static = !BUDDY_IS_SYMBOLIC(type->dims[d]) &&
                bd_size_mul(expected, (size_t)type->dims[d], &expected);
  }
  const bool is_splat = n_bytes == size && expected > 0;
  if (!is_static || !bytes || (n_bytes != expected && !is_splat)) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "a dense attribute of %zu bytes is made of %zu",
                 expected, n_bytes);
    return (buddy_ir_attr){NULL};
  }
  const MlirAttribute attribute = type->dtype == BUDDY_BOOL
                                      ? dense_bools(ir_type, bytes, n_bytes)
                                      : mlirDenseElementsAttrRawBufferGet(ir_type, n_bytes, bytes);
  if (!attribute.ptr)
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "MLIR refuses the bytes of a dense attribute");
  return (buddy_ir_attr){attribute.ptr};
}

static buddy_ir_value ir_dim(void *state, buddy_call *call, int64_t dim) {
  if (!open_function(state, call)) return (buddy_ir_value){NULL};
  return (buddy_ir_value){buddy_mlir_dim(call, dim).ptr};
}

static void fill_state(bd_function *function, const buddy_ir_spec *spec,
                       MlirOperationState *state) {
  const MlirContext context = function->lowering->context;
  *state = mlirOperationStateGet(mlirStringRefCreate(spec->name.data, spec->name.size),
                                 function->transaction.location);
  for (size_t i = 0; i < spec->n_operands; ++i) {
    const MlirValue operand = {spec->operands[i].ptr};
    mlirOperationStateAddOperands(state, 1, &operand);
  }
  for (size_t i = 0; i < spec->n_results; ++i) {
    const MlirType type = {spec->result_types[i].ptr};
    mlirOperationStateAddResults(state, 1, &type);
  }
  for (size_t i = 0; i < spec->n_attrs; ++i) {
    const buddy_sv name = spec->attrs[i].name;
    const MlirNamedAttribute attribute = {
        mlirIdentifierGet(context, mlirStringRefCreate(name.data, name.size)),
        {spec->attrs[i].attr.ptr}};
    mlirOperationStateAddAttributes(state, 1, &attribute);
  }
}

static bool is_sound_spec(const buddy_ir_spec *spec) {
  if (!spec || !BUDDY_HAS(spec, buddy_ir_spec, n_attrs)) return false;
  if (!spec->name.data || (spec->n_operands > 0 && !spec->operands)) return false;
  if ((spec->n_results > 0 && !spec->result_types) || (spec->n_attrs > 0 && !spec->attrs))
    return false;
  for (size_t i = 0; i < spec->n_attrs; ++i) {
    if (!spec->attrs[i].name.data) return false;
  }
  return spec->n_operands <= BD_MAX_OPS && spec->n_results <= BD_MAX_OPS &&
         spec->n_attrs <= BD_MAX_OPS;
}

static buddy_code ir_op(void *state, buddy_call *call, const buddy_ir_spec *spec,
                        buddy_ir_value *out_results) {
  bd_function *function = open_function(state, call);
  MlirOperationState op_state;
  if (!function) return BUDDY_INVALID_ARGUMENT;
  if (!is_sound_spec(spec))
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_op: a field of the spec is missing");
  for (size_t i = 0; out_results && i < spec->n_results; ++i)
    out_results[i] = (buddy_ir_value){NULL};
  fill_state(function, spec, &op_state);
  const MlirOperation op = bd_transaction_append(function, &op_state);
  if (!op.ptr) return BUDDY_INVALID_ARGUMENT;
  for (size_t i = 0; out_results && i < spec->n_results; ++i) {
    out_results[i] = (buddy_ir_value){mlirOperationGetResult(op, (intptr_t)i).ptr};
  }
  return BUDDY_OK;
}

static buddy_code ir_set_result(void *state, buddy_call *call, size_t i, buddy_ir_value value) {
  bd_function *function = open_function(state, call);
  return function ? bd_transaction_set_result(function, i, (MlirValue){value.ptr})
                  : BUDDY_INVALID_ARGUMENT;
}

const bd_emitter bd_mlir_emitter = {.llvm_version = BUDDY_LLVM,
                                    .begin = begin,
                                    .commit = commit,
                                    .undo = undo,
                                    .ir_value = ir_value,
                                    .ir_tensor_type = ir_tensor_type,
                                    .ir_type_parse = ir_type_parse,
                                    .ir_attr_parse = ir_attr_parse,
                                    .ir_attr_dense = ir_attr_dense,
                                    .ir_dim = ir_dim,
                                    .ir_op = ir_op,
                                    .ir_set_result = ir_set_result,
                                    .ir_text = bd_ir_text};
