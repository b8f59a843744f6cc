// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/context.c: MLIR contexts and their diagnostics.
 *
 * Registering all dialects takes two milliseconds and no dialect is loaded by it. Dialects bring
 * interfaces of each other (how tensor.pad is bufferised, say) only through the whole registry,
 * which is why a hand-picked list would be shorter and wrong. */
#include "sdk/lower/context.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/RegisterEverything.h"

#define MAX_LOCATION_PARTS 16

buddy_code bd_context_create(MlirContext *out_context) {
  *out_context = (MlirContext){NULL};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  if (!registry.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  if (!context.ptr) return BUDDY_OUT_OF_MEMORY;
  *out_context = context;
  return BUDDY_OK;
}

/* ---- Locations ---- */

/* Appends to a terminated text; what does not fit is cut. */
static void append(char *text, size_t size, const char *data, size_t n) {
  const size_t used = strlen(text);
  if (used + 1 >= size) return;
  if (n > size - used - 1) n = size - used - 1;
  memcpy(text + used, data, n);
  text[used + n] = '\0';
}

static void append_file(MlirLocation location, char *text, size_t size) {
  const MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  char line[32];
  snprintf(line, sizeof(line), ":%d", mlirLocationFileLineColRangeGetStartLine(location));
  const bool is_after_name = text[0] != '\0';
  if (is_after_name) append(text, size, " (", 2);
  append(text, size, file.data, file.length);
  append(text, size, line, strlen(line));
  if (is_after_name) append(text, size, ")", 1);
}

/* Puts the parts of a composed location on the stack, the first on top. Returns how many there are
 * now. */
static size_t push_parts(MlirLocation location, MlirLocation *stack, size_t n) {
  if (mlirLocationIsAName(location)) {
    stack[n++] = mlirLocationNameGetChildLoc(location);
  } else if (mlirLocationIsACallSite(location)) {
    stack[n++] = mlirLocationCallSiteGetCallee(location);
  } else if (mlirLocationIsAFused(location)) {
    const unsigned count = mlirLocationFusedGetNumLocations(location);
    if (count == 0 || count > MAX_LOCATION_PARTS - n) return n;
    MlirLocation parts[MAX_LOCATION_PARTS];
    mlirLocationFusedGetLocations(location, parts);
    for (unsigned i = count; i > 0; --i) stack[n++] = parts[i - 1];
  }
  return n;
}

void bd_location_describe(MlirLocation location, char *text, size_t size) {
  MlirLocation stack[MAX_LOCATION_PARTS];
  size_t n = 0;
  text[0] = '\0';
  stack[n++] = location;
  /* The first name and the first file are told: a fused location has one of each per op that was
   * merged. */
  bool has_name = false, has_file = false;
  for (int steps = 0; n > 0 && steps < 64; ++steps) {
    const MlirLocation part = stack[--n];
    if (mlirLocationIsAFileLineColRange(part)) {
      if (!has_file) append_file(part, text, size);
      has_file = true;
    } else if (mlirLocationIsAName(part) && !has_name && !has_file) {
      const MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(part));
      append(text, size, name.data, name.length);
      has_name = true;
    }
    n = push_parts(part, stack, n);
  }
}

/* ---- Diagnostics ---- */

typedef struct message {
  char text[512];
} message;

static void append_to_message(MlirStringRef piece, void *user) {
  message *m = user;
  append(m->text, sizeof(m->text), piece.data, piece.length);
}

static buddy_severity severity_of(MlirDiagnostic diagnostic) {
  switch (mlirDiagnosticGetSeverity(diagnostic)) {
    case MlirDiagnosticError:
      return BUDDY_ERROR;
    case MlirDiagnosticWarning:
      return BUDDY_WARNING;
    default:
      return BUDDY_NOTE;
  }
}

static void add(bd_mlir_diags *scope, MlirDiagnostic diagnostic, buddy_severity severity) {
  message m = {""};
  char where[256];
  mlirDiagnosticPrint(diagnostic, append_to_message, &m);
  bd_location_describe(mlirDiagnosticGetLocation(diagnostic), where, sizeof(where));
  const char *separator = scope->prefix[0] != '\0' ? ": " : "";
  buddy_diags_add(scope->diags, severity, severity == BUDDY_ERROR ? scope->code : BUDDY_OK, where,
                  NULL, "%s%s%s", scope->prefix, separator, m.text);
}

static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *user) {
  bd_mlir_diags *scope = user;
  const buddy_severity severity = severity_of(diagnostic);
  if (severity == BUDDY_ERROR) ++scope->n_errors;
  if (!scope->diags) return mlirLogicalResultSuccess();
  add(scope, diagnostic, severity);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i) {
    add(scope, mlirDiagnosticGetNote(diagnostic, i), BUDDY_NOTE);
  }
  return mlirLogicalResultSuccess();
}

void bd_mlir_diags_begin(bd_mlir_diags *scope, MlirContext context, buddy_diags *diags,
                         buddy_code code, const char *prefix) {
  *scope = (bd_mlir_diags){.context = context, .diags = diags, .code = code, .prefix = prefix};
  scope->handler = mlirContextAttachDiagnosticHandler(context, on_diagnostic, scope, NULL);
}

void bd_mlir_diags_end(bd_mlir_diags *scope) {
  mlirContextDetachDiagnosticHandler(scope->context, scope->handler);
}
