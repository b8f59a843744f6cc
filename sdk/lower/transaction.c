// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/transaction.c: the transaction around one row.
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
  const bd_emitter *emitter = bd_call_emitter(call);
  if (!emitter || emitter->begin != bd_transaction_begin) return NULL;
  bd_function *function = bd_call_emitter_state(call);
  return function && function->transaction.call == call ? function : NULL;
}

bd_function *bd_call_building(buddy_call *call) {
  bd_function *function = bd_call_function(call);
  if (!function && call) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "IR is built inside emit only");
  }
  return function;
}

bd_function *bd_transaction_of(void *state, buddy_call *call) {
  bd_function *function = state;
  if (call && function->transaction.call == call) return function;
  if (call) bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "IR is built inside emit only");
  return NULL;
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

buddy_code bd_transaction_begin(void *state, buddy_call *call) {
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

void bd_transaction_undo(void *state, buddy_call *call) {
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

buddy_code bd_transaction_commit(void *state, buddy_call *call) {
  bd_function *function = bd_transaction_of(state, call);
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
