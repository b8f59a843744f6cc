// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/text.c: buddy.text/1: a row's IR as a module of text.
 *
 *   1  the text is parsed in the lowering's own context, and verified by itself
 *   2  its private declarations become declarations of the module, kept in the journal
 *   3  the arguments of its one function are replaced by the operands, and the ops move to the
 *      call's block; what the function returned are the results
 *
 * From there on they are like ops that the row built: commit verifies them where they stand, undo
 * destroys them. */
#include "sdk/lower/lowering.h"

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdbool.h>
#include <string.h>

static bool is_op(MlirOperation op, const char *name) {
  const MlirStringRef found = mlirIdentifierStr(mlirOperationGetName(op));
  return mlirStringRefEqual(found, bd_ref(name));
}

static MlirBlock first_block(MlirOperation op) {
  const MlirRegion region = mlirOperationGetRegion(op, 0);
  return mlirRegionGetFirstBlock(region);
}

/* ---- Parsing --------------------------------------------------------------------------------- */

/* MLIR's lexer wants a NUL after the text. Null after a failure, which is recorded. */
static MlirModule parse(bd_function *function, buddy_call *call, buddy_sv text) {
  MlirModule module = {NULL};
  char *copy = bd_malloc(text.size + 1);
  if (!copy) {
    bd_call_fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
    return module;
  }
  memcpy(copy, text.data, text.size);
  copy[text.size] = '\0';
  bd_lowering_clear_complaint(function->lowering);
  module = mlirModuleCreateParse(function->lowering->context, mlirStringRefCreate(copy, text.size));
  bd_free(copy);
  if (!module.ptr) {
    bd_call_fail(call, BUDDY_VERIFY_FAILED, "ir_text: %s", bd_function_complaint(function));
  }
  return module;
}

static buddy_code declare(bd_function *function, buddy_call *call, MlirOperation op) {
  char name[256];
  const MlirStringRef symbol =
      mlirStringAttrGetValue(mlirOperationGetInherentAttributeByName(op, bd_ref("sym_name")));
  const MlirType type =
      mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(op, bd_ref("function_type")));
  if (symbol.length >= sizeof(name))
    return bd_call_fail(call, BUDDY_LIMIT, "ir_text: the name of a function has 256 bytes or more");
  memcpy(name, symbol.data, symbol.length);
  name[symbol.length] = '\0';
  const MlirAttribute known = bd_declare_function(function->lowering, call, name, type);
  return known.ptr ? BUDDY_OK : BUDDY_INVALID_ARGUMENT;
}

/* Declares what is without a body; the one function with a body is what the row means. */
static buddy_code find_function(bd_function *function, buddy_call *call, MlirModule module,
                                MlirOperation *out_body) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  *out_body = (MlirOperation){NULL};
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!is_op(op, "func.func"))
      return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_text: not only func.func");
    if (!first_block(op).ptr) {
      BD_TRY(declare(function, call, op));
    } else if (out_body->ptr) {
      return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_text: two functions with a body");
    } else {
      *out_body = op;
    }
  }
  if (!out_body->ptr)
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_text: no function with a body");
  return BUDDY_OK;
}

/* ---- Moving ---------------------------------------------------------------------------------- */

static buddy_code bind_operands(bd_function *function, buddy_call *call, MlirBlock block,
                                const buddy_ir_value *operands, size_t n_operands) {
  const size_t n = (size_t)mlirBlockGetNumArguments(block);
  if (n != n_operands)
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                        "ir_text: the function takes %zu values, %zu are given", n, n_operands);
  for (size_t i = 0; i < n; ++i) {
    const MlirValue argument = mlirBlockGetArgument(block, (intptr_t)i);
    const MlirValue operand = {operands[i].ptr};
    if (!bd_transaction_sees(function, operand))
      return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_text: operand %zu is of another block",
                          i);
    if (!mlirTypeEqual(mlirValueGetType(argument), mlirValueGetType(operand))) {
      char a[128], b[128];
      bd_type_text(mlirValueGetType(operand), a, sizeof(a));
      bd_type_text(mlirValueGetType(argument), b, sizeof(b));
      return bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                          "ir_text: operand %zu is a %s, the function takes a %s", i, a, b);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, (intptr_t)i),
                                  (MlirValue){operands[i].ptr});
  }
  return BUDDY_OK;
}

static MlirWalkResult set_location(MlirOperation op, void *user) {
  mlirOperationSetLocation(op, *(const MlirLocation *)user);
  return MlirWalkResultAdvance;
}

static buddy_code move_ops(bd_function *function, buddy_call *call, MlirBlock block) {
  const MlirOperation last = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationEqual(op, last)) {
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    if (function->transaction.n_ops == BD_MAX_OPS)
      return bd_call_fail(call, BUDDY_LIMIT, "built more than %d ops", BD_MAX_OPS);
    mlirOperationWalk(op, set_location, &function->transaction.location, MlirWalkPreOrder);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(function->transaction.block, op);
    ++function->transaction.n_ops;
    op = next;
  }
  return BUDDY_OK;
}

static buddy_code splice(bd_function *function, buddy_call *call, MlirOperation body,
                         const buddy_ir_value *operands, size_t n_operands,
                         buddy_ir_value *out_results, size_t n_results) {
  const MlirBlock block = first_block(body);
  const MlirOperation last = mlirBlockGetTerminator(block);
  if (mlirBlockGetNextInRegion(block).ptr || !last.ptr || !is_op(last, "func.return"))
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_text: the body is not one block");
  if ((size_t)mlirOperationGetNumOperands(last) != n_results)
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                        "ir_text: the function returns %zu values, %zu are wanted",
                        (size_t)mlirOperationGetNumOperands(last), n_results);
  BD_TRY(bind_operands(function, call, block, operands, n_operands));
  BD_TRY(move_ops(function, call, block));
  for (size_t i = 0; i < n_results; ++i) {
    out_results[i] = (buddy_ir_value){mlirOperationGetOperand(last, (intptr_t)i).ptr};
  }
  return BUDDY_OK;
}

buddy_code bd_ir_text(void *state, buddy_call *call, buddy_sv text, const buddy_ir_value *operands,
                      size_t n_operands, buddy_ir_value *out_results, size_t n_results) {
  bd_function *function = bd_call_function(call);
  MlirOperation body;
  if (!function || function != state)
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "IR is built inside emit only");
  const MlirModule module = parse(function, call, text);
  if (!module.ptr) return BUDDY_VERIFY_FAILED;
  buddy_code code = find_function(function, call, module, &body);
  if (code == BUDDY_OK)
    code = splice(function, call, body, operands, n_operands, out_results, n_results);
  mlirModuleDestroy(module);
  return code;
}
