// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/passes.c: parsing and running pipelines, with diagnostics of their own. */
#include "sdk/compile/passes.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "sdk/compile/ir.h"
#include "sdk/lower/context.h"

static void register_all(void) { mlirRegisterAllPasses(); }

/* Passes are known to the whole process by name; that takes 3 ms, once. */
static void register_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_all);
}

char *bd_passes_strip(const char *text) {
  char *out = bd_malloc(strlen(text) + 1);
  if (!out) return NULL;
  size_t n = 0;
  while (*text != '\0') {
    text += strspn(text, " \t\r\n");
    const size_t length = strcspn(text, "\n");
    if (*text != '#') {
      memcpy(out + n, text, length);
      n += length;
    }
    text += length;
  }
  out[n] = '\0';
  return out;
}

/* A pipeline that can be run many times, and where what MLIR says of it goes. */
typedef struct runner {
  MlirContext context;
  MlirPassManager manager;
  const char *stage;
  buddy_diags *diags;
} runner;

static buddy_code parse_stripped(const runner *r, const char *pipeline) {
  char error[512];
  bd_text text;
  bd_text_init_fixed(&text, error, sizeof(error));
  mlirPassManagerEnableVerifier(r->manager, false);
  const MlirLogicalResult parsed =
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(r->manager),
                            mlirStringRefCreateFromCString(pipeline), bd_text_piece, &text);
  if (mlirLogicalResultIsSuccess(parsed)) return BUDDY_OK;
  return buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "pass pipeline",
                         "mlir-opt --help lists the passes and their options", "%s", error);
}

static buddy_code parse(const runner *r, const char *text) {
  char *pipeline = bd_passes_strip(text);
  if (!pipeline) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = parse_stripped(r, pipeline);
  free(pipeline);
  return code;
}

static buddy_code run_on(const runner *r, MlirOperation op) {
  bd_mlir_diags scope;
  buddy_code code = BUDDY_OK;
  bd_mlir_diags_begin(&scope, r->context, r->diags, BUDDY_UNSUPPORTED, r->stage);
  if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(r->manager, op))) {
    code = BUDDY_UNSUPPORTED;
    if (scope.n_errors == 0) {
      buddy_diags_add(r->diags, BUDDY_ERROR, code, "", NULL, "%s: a pass failed without a word",
                      r->stage);
    }
  }
  bd_mlir_diags_end(&scope);
  return code;
}

static buddy_code begin(MlirModule module, const char *root, const char *text, const char *stage,
                        buddy_diags *diags, runner *out) {
  const MlirContext context = mlirModuleGetContext(module);
  register_once();
  *out = (runner){context,
                  mlirPassManagerCreateOnOperation(context, mlirStringRefCreateFromCString(root)),
                  stage, diags};
  return parse(out, text);
}

buddy_code bd_passes_run(MlirModule module, const char *text, const char *stage,
                         buddy_diags *diags) {
  runner r;
  buddy_code code = begin(module, "builtin.module", text, stage, diags, &r);
  if (code == BUDDY_OK) code = run_on(&r, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(r.manager);
  return code;
}

static bool has_any(MlirOperation root, const char *const *prefixes) {
  for (; *prefixes; ++prefixes) {
    if (bd_ops_exist(root, *prefixes)) return true;
  }
  return false;
}

buddy_code bd_passes_run_where(MlirModule module, const char *const *prefixes, const char *text,
                               const char *stage, buddy_diags *diags) {
  runner r;
  buddy_code code = begin(module, "any", text, stage, diags, &r);
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr && code == BUDDY_OK; op = mlirOperationGetNextInBlock(op)) {
    if (has_any(op, prefixes)) code = run_on(&r, op);
  }
  mlirPassManagerDestroy(r.manager);
  return code;
}
