// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/module.c: MLIR modules as text and bytecode; see module.h. */
#include "sdk/lower/module.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "sdk/lower/context.h"

static MlirStringRef text_ref(const char *text) { return mlirStringRefCreate(text, strlen(text)); }

static bool is_named(MlirStringRef name, const char *text) {
  return mlirStringRefEqual(name, text_ref(text));
}

/* A module struct around a context; `module->module` is still null. */
static buddy_code create_empty(const char *function, size_t n, buddy_module **out_module) {
  *out_module = NULL;
  buddy_module *module = bd_calloc(1, sizeof(buddy_module));
  if (!module) return BUDDY_OUT_OF_MEMORY;
  module->function = bd_strndup(function, n);
  buddy_code code = !module->function ? BUDDY_OUT_OF_MEMORY : bd_context_create(&module->context);
  if (code != BUDDY_OK) {
    buddy_module_destroy(module);
    return code;
  }
  *out_module = module;
  return BUDDY_OK;
}

buddy_code bd_module_create(const char *function, buddy_module **out_module) {
  BD_TRY(create_empty(function, strlen(function), out_module));
  buddy_module *module = *out_module;
  module->module = mlirModuleCreateEmpty(mlirLocationUnknownGet(module->context));
  buddy_code code =
      !module->module.ptr ? BUDDY_OUT_OF_MEMORY : bd_signature_create(&module->signature);
  if (code == BUDDY_OK) return BUDDY_OK;
  buddy_module_destroy(module);
  *out_module = NULL;
  return code;
}

void buddy_module_destroy(buddy_module *module) {
  if (!module) return;
  if (module->module.ptr) mlirModuleDestroy(module->module);
  if (module->context.ptr) mlirContextDestroy(module->context);
  bd_signature_destroy(module->signature);
  for (size_t i = 0; i < module->n_blobs; ++i) free(module->blobs[i].key);
  free(module->blobs);
  free(module->function);
  free(module);
}

buddy_code bd_module_add_blob(buddy_module *module, const char *key, const void *bytes,
                              size_t n_bytes) {
  const size_t n = module->n_blobs;
  bd_blob *blobs = bd_array_next(module->blobs, n, sizeof(bd_blob));
  if (!blobs) return BUDDY_OUT_OF_MEMORY;
  module->blobs = blobs;
  char *copy = bd_strdup(key);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  module->blobs[module->n_blobs++] = (bd_blob){copy, bytes, n_bytes};
  return BUDDY_OK;
}

/* ---- The entry function ---- */

static MlirOperation first_op(MlirModule module) {
  return mlirBlockGetFirstOperation(mlirModuleGetBody(module));
}

static bool is_function(MlirOperation op) {
  return is_named(mlirIdentifierStr(mlirOperationGetName(op)), "func.func");
}

static MlirStringRef symbol_name(MlirOperation function) {
  const MlirAttribute name = mlirOperationGetAttributeByName(function, text_ref("sym_name"));
  return !name.ptr ? mlirStringRefCreate("", 0) : mlirStringAttrGetValue(name);
}

/* Defined here and visible outside. */
static bool is_public(MlirOperation function) {
  const MlirRegion body = mlirOperationGetRegion(function, 0);
  if (!mlirRegionGetFirstBlock(body).ptr) return false;
  const MlirAttribute visibility =
      mlirOperationGetAttributeByName(function, text_ref("sym_visibility"));
  return !visibility.ptr || is_named(mlirStringAttrGetValue(visibility), "public");
}

MlirOperation bd_module_entry(const buddy_module *module) {
  for (MlirOperation op = first_op(module->module); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (is_function(op) && is_public(op) && is_named(symbol_name(op), module->function)) return op;
  }
  return (MlirOperation){NULL};
}

/* "forward" if there is one, else the only public function. */
static buddy_code choose_entry(buddy_module *module, buddy_diags *diags) {
  MlirStringRef only = {"", 0};
  size_t n_public = 0;
  for (MlirOperation op = first_op(module->module); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!is_function(op) || !is_public(op)) continue;
    if (n_public++ == 0 || is_named(symbol_name(op), "forward")) only = symbol_name(op);
  }
  if (n_public == 0) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "module",
                           "define one public func.func, named forward if there are several",
                           "the module has no public function with a body");
  }
  if (n_public > 1 && !is_named(only, "forward")) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "module",
                           "name the entry function forward, or make the others private",
                           "the module has %zu public functions and none is named forward",
                           n_public);
  }
  char *name = bd_strndup(only.data, only.length);
  if (!name) return BUDDY_OUT_OF_MEMORY;
  free(module->function);
  module->function = name;
  return BUDDY_OK;
}

/* ---- Reading and writing ---- */

static buddy_code parse_into(buddy_module *module, const char *text, size_t n, buddy_diags *diags) {
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, module->context, diags, BUDDY_INVALID_ARGUMENT, "");
  module->module = mlirModuleCreateParse(module->context, mlirStringRefCreate(text, n));
  bd_mlir_diags_end(&scope);
  if (module->module.ptr) return choose_entry(module, diags);
  if (scope.n_errors > 0) return BUDDY_INVALID_ARGUMENT;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "module", NULL,
                         "not a module of MLIR");
}

buddy_code buddy_module_parse(buddy_sv text, buddy_diags *diags, buddy_module **out_module) {
  BD_C_LOCALE();
  buddy_module *module;
  *out_module = NULL;
  BD_TRY(create_empty("forward", strlen("forward"), &module));
  /* The parser reads one byte after the text, which must be 0, and bytecode wants alignment: both
   * need a copy. */
  char *copy = bd_strndup(text.data ? text.data : "", text.size);
  buddy_code code = !copy ? BUDDY_OUT_OF_MEMORY : parse_into(module, copy, text.size, diags);
  free(copy);
  if (code != BUDDY_OK) {
    buddy_module_destroy(module);
    return code;
  }
  *out_module = module;
  return BUDDY_OK;
}

/* MLIR's printers cannot be stopped: after an error the rest is dropped. */
typedef struct print_state {
  const buddy_writer *writer;
  buddy_code code;
} print_state;

static void print_piece(MlirStringRef piece, void *user) {
  print_state *state = user;
  if (state->code == BUDDY_OK)
    state->code = state->writer->write(state->writer->user, piece.data, piece.length);
}

static void print_text(MlirOperation op, buddy_format format, int locations, print_state *state) {
  const MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (locations) mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  if (format == BUDDY_FORMAT_GENERIC) mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsAssumeVerified(flags); /* else printing verifies all of it once more */
  mlirOperationPrintWithFlags(op, flags, print_piece, state);
  mlirOpPrintingFlagsDestroy(flags);
}

/* The newest version in which an op's properties are written by their names. From 5 on the order of an
 * op's definition is the format: readers other than LLVM's of the same version take them for others
 * (Netron 9.3: those with defaults). */
enum { BYTECODE_VERSION = 4 };

static void print_bytecode(MlirOperation op, print_state *state) {
  const MlirBytecodeWriterConfig config = mlirBytecodeWriterConfigCreate();
  mlirBytecodeWriterConfigDesiredEmitVersion(config, BYTECODE_VERSION);
  const MlirLogicalResult result =
      mlirOperationWriteBytecodeWithConfig(op, config, print_piece, state);
  mlirBytecodeWriterConfigDestroy(config);
  if (mlirLogicalResultIsFailure(result) && state->code == BUDDY_OK) state->code = BUDDY_INTERNAL;
}

buddy_code buddy_module_print(const buddy_module *module, buddy_format format, int locations,
                              const buddy_writer *writer) {
  BD_C_LOCALE();
  print_state state = {writer, BUDDY_OK};
  const MlirOperation op = mlirModuleGetOperation(module->module);
  if (format == BUDDY_FORMAT_BYTECODE) {
    print_bytecode(op, &state);
  } else {
    print_text(op, format, locations, &state);
    print_piece(text_ref("\n"), &state);
  }
  return state.code;
}
