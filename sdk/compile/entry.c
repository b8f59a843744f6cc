/* sdk/compile/entry.c: see entry.h. */
#include "sdk/compile/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/lower/context.h"

MlirType bd_entry_type(const buddy_module *module) {
  return mlirTypeAttrGetValue(bd_op_attribute(bd_module_entry(module), "function_type"));
}

/* ---- Numbers as tensors ------------------------------------------------------------------------------------------- */

static int has_numbers(MlirType function) {
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(function); i++) {
    if (!mlirTypeIsARankedTensor(mlirFunctionTypeGetInput(function, i))) return 1;
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(function); i++) {
    if (!mlirTypeIsARankedTensor(mlirFunctionTypeGetResult(function, i))) return 1;
  }
  return 0;
}

/* The type as it is outside: a number is a 0-d tensor, an index one of i64. */
static void write_outer(bd_text *text, MlirType type) {
  if (mlirTypeIsARankedTensor(type)) {
    bd_text_type(text, type);
    return;
  }
  bd_text_format(text, "tensor<");
  if (mlirTypeIsAIndex(type)) bd_text_format(text, "i64");
  else bd_text_type(text, type);
  bd_text_format(text, ">");
}

static void write_types(bd_text *text, MlirType function, int of_results, int is_outer) {
  const intptr_t n = of_results ? mlirFunctionTypeGetNumResults(function) : mlirFunctionTypeGetNumInputs(function);
  for (intptr_t i = 0; i < n; i++) {
    const MlirType type = of_results ? mlirFunctionTypeGetResult(function, i) : mlirFunctionTypeGetInput(function, i);
    if (i > 0) bd_text_format(text, ", ");
    if (!of_results && is_outer) bd_text_format(text, "%%a%d: ", (int)i);
    if (is_outer) write_outer(text, type);
    else bd_text_type(text, type);
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
  const int is_index = mlirTypeIsAIndex(type);
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
  const int n_in = (int)mlirFunctionTypeGetNumInputs(type), n_out = (int)mlirFunctionTypeGetNumResults(type);
  bd_text_format(text, "func.func private @\"%s\"(", inner);
  write_types(text, type, 0, 0);
  bd_text_format(text, ") -> (");
  write_types(text, type, 1, 0);
  bd_text_format(text, ")\nfunc.func @\"%s\"(", outer);
  write_types(text, type, 0, 1);
  bd_text_format(text, ") -> (");
  write_types(text, type, 1, 1);
  bd_text_format(text, ") {\n");
  for (int i = 0; i < n_in; i++) write_argument(text, mlirFunctionTypeGetInput(type, i), i);
  if (n_out == 1) bd_text_format(text, "  %%r =");
  if (n_out > 1) bd_text_format(text, "  %%r:%d =", n_out);
  bd_text_format(text, "  func.call @\"%s\"(", inner);
  for (int i = 0; i < n_in; i++) bd_text_format(text, "%s%%b%d", i > 0 ? ", " : "", i);
  bd_text_format(text, ") : (");
  write_types(text, type, 0, 0);
  bd_text_format(text, ") -> (");
  write_types(text, type, 1, 0);
  bd_text_format(text, ")\n");
  for (int i = 0; i < n_out; i++) write_result(text, mlirFunctionTypeGetResult(type, i), i, n_out);
  bd_text_format(text, "  return");
  for (int i = 0; i < n_out; i++) bd_text_format(text, "%s%%t%d", i > 0 ? ", " : " ", i);
  bd_text_format(text, n_out > 0 ? " : " : "\n");
  for (int i = 0; i < n_out; i++) {
    if (i > 0) bd_text_format(text, ", ");
    write_outer(text, mlirFunctionTypeGetResult(type, i));
  }
  bd_text_format(text, "\n}\n");
}

/* Parses the wrapper and makes it the entry; the function inside becomes private, so that it can be inlined. */
static buddy_code adopt(buddy_module *module, const bd_text *text, char *outer, buddy_diags *diags) {
  const MlirOperation inner = bd_module_entry(module);
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, module->context, diags, BUDDY_INTERNAL, "wrapping the entry function");
  const MlirModule parsed = mlirModuleCreateParse(module->context, mlirStringRefCreate(text->data, text->n));
  bd_mlir_diags_end(&scope);
  if (parsed.ptr == NULL) return BUDDY_INTERNAL;
  const MlirOperation declaration = mlirBlockGetFirstOperation(mlirModuleGetBody(parsed));
  const MlirOperation wrapper = mlirOperationGetNextInBlock(declaration);
  mlirOperationRemoveFromParent(wrapper);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module->module), wrapper);
  mlirModuleDestroy(parsed);
  bd_op_set_attribute(inner, "sym_visibility",
                      mlirStringAttrGet(module->context, mlirStringRefCreateFromCString("private")));
  free(module->function);
  module->function = outer;
  return BUDDY_OK;
}

static buddy_code wrap(buddy_module *module, MlirType type, buddy_diags *diags) {
  static const char suffix[] = ".entry";
  const size_t n = strlen(module->function);
  char *outer = malloc(n + sizeof(suffix));
  if (outer == NULL) return BUDDY_OUT_OF_MEMORY;
  memcpy(outer, module->function, n);
  memcpy(outer + n, suffix, sizeof(suffix));
  bd_text text = {NULL, 0, 0, 0};
  write_wrapper(&text, type, module->function, outer);
  const buddy_code code = text.is_lost ? BUDDY_OUT_OF_MEMORY : adopt(module, &text, outer, diags);
  bd_text_deinit(&text);
  if (code != BUDDY_OK) free(outer);
  return code;
}

/* ---- Attributes --------------------------------------------------------------------------------------------------- */

/* Bufferisation may write results over the arguments of a function, unless it is told that they are the caller's. */
static buddy_code protect_inputs(MlirOperation entry, MlirType type) {
  const MlirContext context = mlirOperationGetContext(entry);
  const intptr_t n = mlirFunctionTypeGetNumInputs(type);
  const MlirStringRef name = mlirStringRefCreateFromCString("bufferization.writable");
  const MlirNamedAttribute writable =
      mlirNamedAttributeGet(mlirIdentifierGet(context, name), mlirBoolAttrGet(context, 0));
  MlirAttribute *attributes = calloc((size_t)n + 1, sizeof(MlirAttribute));
  if (attributes == NULL) return BUDDY_OUT_OF_MEMORY;
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("bufferization"));
  for (intptr_t i = 0; i < n; i++) attributes[i] = mlirDictionaryAttrGet(context, 1, &writable);
  bd_op_set_attribute(entry, "arg_attrs", mlirArrayAttrGet(context, n, attributes));
  free(attributes);
  return BUDDY_OK;
}

buddy_code bd_entry_prepare(buddy_module *module, buddy_diags *diags) {
  const MlirType type = bd_entry_type(module);
  if (has_numbers(type)) {
    const buddy_code code = wrap(module, type, diags);
    if (code != BUDDY_OK) return code;
  }
  const MlirOperation entry = bd_module_entry(module);
  bd_op_set_attribute(entry, "llvm.emit_c_interface", mlirUnitAttrGet(module->context));
  return protect_inputs(entry, bd_entry_type(module));
}
