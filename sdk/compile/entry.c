// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/entry.c: the entry function: prepared before lowering, flattened after. */
#include "sdk/compile/entry.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/structured.h"
#include "sdk/lower/context.h"
#include "sdk/runtime/runtime.h"
#include "sdk/compile/builder.h"

MlirType bd_entry_type(const buddy_module *module) {
  return mlirTypeAttrGetValue(bd_op_attribute(bd_module_entry(module), "function_type"));
}

/* ---- Numbers as tensors ---- */

static bool has_numbers(MlirType function) {
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(function); ++i) {
    if (!mlirTypeIsARankedTensor(mlirFunctionTypeGetInput(function, i))) return true;
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(function); ++i) {
    if (!mlirTypeIsARankedTensor(mlirFunctionTypeGetResult(function, i))) return true;
  }
  return false;
}

/* The type as it is outside: a number is a 0-d tensor, an index one of i64. */
static void write_outer(bd_text *text, MlirType type) {
  if (mlirTypeIsARankedTensor(type)) {
    bd_text_type(text, type);
    return;
  }
  bd_text_format(text, "tensor<");
  if (mlirTypeIsAIndex(type))
    bd_text_format(text, "i64");
  else
    bd_text_type(text, type);
  bd_text_format(text, ">");
}

static void write_types(bd_text *text, MlirType function, int of_results, bool is_outer) {
  const intptr_t n =
      of_results ? mlirFunctionTypeGetNumResults(function) : mlirFunctionTypeGetNumInputs(function);
  for (intptr_t i = 0; i < n; ++i) {
    const MlirType type =
        of_results ? mlirFunctionTypeGetResult(function, i) : mlirFunctionTypeGetInput(function, i);
    if (i > 0) bd_text_format(text, ", ");
    if (!of_results && is_outer) bd_text_format(text, "%%a%d: ", (int)i);
    if (is_outer)
      write_outer(text, type);
    else
      bd_text_type(text, type);
  }
}

/* %b<i>: argument i as the inner function wants it. */
static void write_argument(bd_text *text, MlirType type, int i) {
  if (mlirTypeIsARankedTensor(type)) {
    bd_text_format(text, "  %%b%d = tensor.cast %%a%d : ", i, i);
    bd_text_type(text, type);
    bd_text_format(text, " to ");
    bd_text_type(text, type);
    bd_text_format(text, "\n");
    return;
  }
  const bool is_index = mlirTypeIsAIndex(type);
  bd_text_format(text, "  %%%s%d = tensor.extract %%a%d[] : ", is_index ? "i" : "b", i, i);
  write_outer(text, type);
  bd_text_format(text, "\n");
  if (is_index) bd_text_format(text, "  %%b%d = arith.index_cast %%i%d : i64 to index\n", i, i);
}

/* %t<i>: result i as it is outside. */
static void write_result(bd_text *text, MlirType type, int i, int n) {
  char name[32] = "%r";
  if (n > 1) snprintf(name, sizeof(name), "%%r#%d", i);
  if (mlirTypeIsARankedTensor(type)) {
    bd_text_format(text, "  %%t%d = tensor.cast %s : ", i, name);
    bd_text_type(text, type);
    bd_text_format(text, " to ");
    bd_text_type(text, type);
    bd_text_format(text, "\n");
    return;
  }
  if (mlirTypeIsAIndex(type)) {
    bd_text_format(text, "  %%j%d = arith.index_cast %s : index to i64\n", i, name);
    snprintf(name, sizeof(name), "%%j%d", i);
  }
  bd_text_format(text, "  %%t%d = tensor.from_elements %s : ", i, name);
  write_outer(text, type);
  bd_text_format(text, "\n");
}

static void write_wrapper(bd_text *text, MlirType type, const char *inner, const char *outer) {
  const int n_in = (int)mlirFunctionTypeGetNumInputs(type),
            n_out = (int)mlirFunctionTypeGetNumResults(type);
  bd_text_format(text, "func.func private @\"%s\"(", inner);
  write_types(text, type, 0, 0);
  bd_text_format(text, ") -> (");
  write_types(text, type, 1, 0);
  bd_text_format(text, ")\nfunc.func @\"%s\"(", outer);
  write_types(text, type, 0, 1);
  bd_text_format(text, ") -> (");
  write_types(text, type, 1, 1);
  bd_text_format(text, ") {\n");
  for (int i = 0; i < n_in; ++i) write_argument(text, mlirFunctionTypeGetInput(type, i), i);
  if (n_out == 1) bd_text_format(text, "  %%r =");
  if (n_out > 1) bd_text_format(text, "  %%r:%d =", n_out);
  bd_text_format(text, "  func.call @\"%s\"(", inner);
  for (int i = 0; i < n_in; ++i) bd_text_format(text, "%s%%b%d", i > 0 ? ", " : "", i);
  bd_text_format(text, ") : (");
  write_types(text, type, 0, 0);
  bd_text_format(text, ") -> (");
  write_types(text, type, 1, 0);
  bd_text_format(text, ")\n");
  for (int i = 0; i < n_out; ++i) write_result(text, mlirFunctionTypeGetResult(type, i), i, n_out);
  bd_text_format(text, "  return");
  for (int i = 0; i < n_out; ++i) bd_text_format(text, "%s%%t%d", i > 0 ? ", " : " ", i);
  bd_text_format(text, n_out > 0 ? " : " : "\n");
  for (int i = 0; i < n_out; ++i) {
    if (i > 0) bd_text_format(text, ", ");
    write_outer(text, mlirFunctionTypeGetResult(type, i));
  }
  bd_text_format(text, "\n}\n");
}

/* Parses the wrapper and makes it the entry; the function inside becomes private, so that it can be
 * inlined. */
static buddy_code adopt(buddy_module *module, const bd_text *text, char *outer,
                        buddy_diags *diags) {
  const MlirOperation inner = bd_module_entry(module);
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, module->context, diags, BUDDY_INTERNAL,
                      "wrapping the entry function");
  const MlirModule parsed =
      mlirModuleCreateParse(module->context, mlirStringRefCreate(text->data, text->size));
  bd_mlir_diags_end(&scope);
  if (!parsed.ptr) return BUDDY_INTERNAL;
  const MlirOperation declaration = mlirBlockGetFirstOperation(mlirModuleGetBody(parsed));
  const MlirOperation wrapper = mlirOperationGetNextInBlock(declaration);
  mlirOperationRemoveFromParent(wrapper);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module->module), wrapper);
  mlirModuleDestroy(parsed);
  bd_op_set_attribute(
      inner, "sym_visibility",
      mlirStringAttrGet(module->context, mlirStringRefCreateFromCString("private")));
  free(module->function);
  module->function = outer;
  return BUDDY_OK;
}

static buddy_code wrap(buddy_module *module, MlirType type, buddy_diags *diags) {
  static const char suffix[] = ".entry";
  const size_t n = strlen(module->function);
  char *outer = bd_malloc(n + sizeof(suffix));
  if (!outer) return BUDDY_OUT_OF_MEMORY;
  memcpy(outer, module->function, n);
  memcpy(outer + n, suffix, sizeof(suffix));
  bd_text text = {.data = NULL};
  write_wrapper(&text, type, module->function, outer);
  const buddy_code code = text.code ? text.code : adopt(module, &text, outer, diags);
  bd_text_deinit(&text);
  if (code != BUDDY_OK) free(outer);
  return code;
}

/* ---- Attributes ---- */

/* Bufferisation may write results over the arguments of a function, unless it is told that they are
 * the caller's. */
static buddy_code protect_inputs(MlirOperation entry, MlirType type, const bd_signature *in_place) {
  const MlirContext context = mlirOperationGetContext(entry);
  const intptr_t n = mlirFunctionTypeGetNumInputs(type);
  const MlirStringRef name = mlirStringRefCreateFromCString("bufferization.writable");
  MlirAttribute *attributes = bd_calloc((size_t)n + 1, sizeof(MlirAttribute));
  if (!attributes) return BUDDY_OUT_OF_MEMORY;
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("bufferization"));
  for (intptr_t i = 0; i < n; ++i) {
    const int may =
        in_place && (size_t)n == in_place->n_inputs && bd_signature_replaces(in_place, (size_t)i);
    const MlirNamedAttribute writable =
        mlirNamedAttributeGet(mlirIdentifierGet(context, name), mlirBoolAttrGet(context, may));
    attributes[i] = mlirDictionaryAttrGet(context, 1, &writable);
  }
  bd_op_set_attribute(entry, "arg_attrs", mlirArrayAttrGet(context, n, attributes));
  free(attributes);
  return BUDDY_OK;
}

buddy_code bd_entry_prepare(buddy_module *module, const bd_signature *in_place,
                            buddy_diags *diags) {
  const MlirType type = bd_entry_type(module);
  if (has_numbers(type)) {
    BD_TRY(wrap(module, type, diags));
  }
  const MlirOperation entry = bd_module_entry(module);
  bd_op_set_attribute(entry, "llvm.emit_c_interface", mlirUnitAttrGet(module->context));
  return protect_inputs(entry, bd_entry_type(module), in_place);
}

/* ---- Descriptors instead of arguments ---- */

size_t bd_descriptor_size(uint32_t rank) { return (3 + 2 * (size_t)rank) * sizeof(uint64_t); }

/* What becomes of a memref in the llvm dialect. */
static MlirType descriptor_type(MlirContext context, int64_t rank) {
  char text[128] = "!llvm.struct<(ptr, ptr, i64)>";
  if (rank > 0) {
    snprintf(text, sizeof(text), "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>",
             (int)rank, (int)rank);
  }
  return mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
}

/* Replaces each argument by what the row of descriptors says. */
static void load_inputs(bd_builder b, MlirValue row) {
  const intptr_t n = mlirBlockGetNumArguments(b.block) - 2;
  size_t offset = 0;
  for (intptr_t i = 0; i < n; ++i) {
    const MlirValue argument = mlirBlockGetArgument(b.block, i);
    const MlirType type = mlirValueGetType(argument);
    const int64_t rank = mlirShapedTypeGetRank(type);
    const MlirType words = descriptor_type(b.context, rank);
    const MlirValue address = bd_build_bytes_on(b, row, (int32_t)offset);
    const MlirValue loaded = bd_build_one(b, "llvm.load", address, words);
    mlirValueReplaceAllUsesOfWith(
        argument, bd_build_one(b, "builtin.unrealized_conversion_cast", loaded, type));
    offset += bd_descriptor_size((uint32_t)rank);
  }
  for (intptr_t i = n; i > 0; --i) mlirBlockEraseArgument(b.block, (unsigned)(i - 1));
}

/* What a result lies in as a whole and alone, if the entry itself allocates it; else null. */
static MlirOperation allocation_of(MlirValue result, MlirBlock block) {
  MlirOperation op = bd_maker_of(result);
  while (op.ptr && bd_op_is(op, "memref.cast")) op = bd_maker_of(mlirOperationGetOperand(op, 0));
  return op.ptr && bd_op_is(op, "memref.alloc") &&
                 mlirBlockEqual(mlirOperationGetBlock(op), block) &&
                 bd_memref_is_dense(mlirValueGetType(mlirOperationGetResult(op, 0)))
             ? op
             : (MlirOperation){NULL};
}

#define RESULT "buddy.result" /* of an allocation that was announced */

/* Says before the allocation of each result that it is that: the caller may have memory for it, which begins where it
 * begins. What is returned twice is one of them. */
static buddy_code announce_results(buddy_module *module, MlirOperation end) {
  const intptr_t n = mlirOperationGetNumOperands(end);
  bool has_any = false;
  for (intptr_t i = 0; i < n; ++i) {
    const MlirOperation alloc =
        allocation_of(mlirOperationGetOperand(end, i), mlirOperationGetBlock(end));
    if (!alloc.ptr || bd_op_attribute(alloc, RESULT).ptr) continue;
    bd_op_set_attribute(alloc, RESULT, mlirUnitAttrGet(module->context));
    mlirOperationRemoveAttributeByName(alloc, mlirStringRefCreateFromCString("alignment"));
    const bd_builder b = bd_builder_before(alloc);
    const MlirValue number = bd_build_i64(b, i);
    if (!number.ptr) return BUDDY_OUT_OF_MEMORY;
    BD_TRY(bd_build_call(b, BD_RUNTIME_RESULT, &number, 1));
    has_any = true;
  }
  if (!has_any) return BUDDY_OK;
  bd_text text = {.data = NULL};
  bd_text_format(&text, "func.func private @" BD_RUNTIME_RESULT "(i64)\n");
  const buddy_code code = bd_functions_append(module->module, &text);
  bd_text_deinit(&text);
  return code;
}

/* Stores what a func.return gives back, and returns nothing. */
static void store_results(MlirOperation end, MlirValue row) {
  const bd_builder b = bd_builder_before(end);
  size_t offset = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    const MlirValue buffer = mlirOperationGetOperand(end, i);
    const int64_t rank = mlirShapedTypeGetRank(mlirValueGetType(buffer));
    const MlirType words = descriptor_type(b.context, rank);
    const MlirValue operands[] = {
        bd_build_one(b, "builtin.unrealized_conversion_cast", buffer, words),
        bd_build_bytes_on(b, row, (int32_t)offset)};
    (void)bd_build_op(b, "llvm.store", operands, 2, NULL, 0, NULL, 0);
    offset += bd_descriptor_size((uint32_t)rank);
  }
  (void)bd_build_op(b, "func.return", NULL, 0, NULL, 0, NULL, 0);
  bd_op_erase(end);
}

/* A pipeline that somebody wrote may leave anything behind. */
static buddy_code check_buffers(const buddy_module *module, MlirOperation entry,
                                buddy_diags *diags) {
  bool is_good = entry.ptr != NULL;
  const MlirType type = is_good ? bd_entry_type(module) : (MlirType){NULL};
  for (intptr_t i = 0; is_good && i < mlirFunctionTypeGetNumInputs(type); ++i) {
    const MlirType input = mlirFunctionTypeGetInput(type, i);
    is_good = mlirTypeIsAMemRef(input) && bd_memref_is_dense(input);
  }
  for (intptr_t i = 0; is_good && i < mlirFunctionTypeGetNumResults(type); ++i) {
    is_good = mlirTypeIsAMemRef(mlirFunctionTypeGetResult(type, i));
  }
  if (is_good) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "pass pipeline",
                         "end it with one-shot-bufferize{bufferize-function-boundaries "
                         "function-boundary-type-conversion=identity-layout-map}",
                         "it does not leave a func.func @%s on dense memrefs", module->function);
}

buddy_code bd_entry_flatten(buddy_module *module, buddy_diags *diags) {
  const MlirOperation entry = bd_module_entry(module);
  const MlirContext context = module->context;
  bd_ops ends = {NULL, 0, 0};
  BD_TRY(check_buffers(module, entry, diags));
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("llvm"));
  const MlirType pointer = mlirTypeParseGet(context, mlirStringRefCreateFromCString("!llvm.ptr"));
  const MlirType pointers[] = {pointer, pointer};
  buddy_code code = bd_ops_collect(&ends, entry, "func.return");
  if (code == BUDDY_OK && !pointer.ptr) code = BUDDY_INTERNAL;
  if (code == BUDDY_OK) {
    const MlirBlock block = bd_body_of(entry);
    bd_builder b = bd_builder_at_end(block, mlirOperationGetLocation(entry));
    b.before = mlirBlockGetFirstOperation(block);
    const MlirValue inputs = mlirBlockAddArgument(block, pointer, b.location);
    const MlirValue results = mlirBlockAddArgument(block, pointer, b.location);
    load_inputs(b, inputs);
    if (ends.n == 1) code = announce_results(module, ends.items[0]);
    for (size_t i = 0; i < ends.n; ++i) store_results(ends.items[i], results);
    const MlirType type = mlirFunctionTypeGet(context, 2, pointers, 0, NULL);
    bd_op_set_attribute(entry, "function_type", mlirTypeAttrGet(type));
    mlirOperationRemoveAttributeByName(entry, mlirStringRefCreateFromCString("arg_attrs"));
    mlirOperationRemoveAttributeByName(entry, mlirStringRefCreateFromCString("res_attrs"));
    mlirOperationRemoveAttributeByName(entry,
                                       mlirStringRefCreateFromCString("llvm.emit_c_interface"));
  }
  bd_ops_deinit(&ends);
  return code;
}
