/* sdk/compile/passes.c: see passes.h. */
#include "sdk/compile/passes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "sdk/lower/context.h"

static void register_all(void) { mlirRegisterAllPasses(); }

/* Passes are known to the whole process by name; that takes 3 ms, once. */
static void register_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_all);
}

char *bd_passes_strip(const char *text) {
  char *out = malloc(strlen(text) + 1);
  if (out == NULL) return NULL;
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

typedef struct parse_error {
  char text[512];
} parse_error;

static void on_parse_error(MlirStringRef piece, void *user) {
  parse_error *error = user;
  const size_t used = strlen(error->text);
  const size_t room = sizeof(error->text) - used - 1;
  const size_t n = piece.length < room ? piece.length : room;
  memcpy(error->text + used, piece.data, n);
  error->text[used + n] = '\0';
}

static buddy_code run_stripped(MlirModule module, const char *pipeline, const char *stage,
                               buddy_diags *diags) {
  const MlirContext context = mlirModuleGetContext(module);
  const MlirStringRef root = mlirStringRefCreateFromCString("builtin.module");
  const MlirPassManager manager = mlirPassManagerCreateOnOperation(context, root);
  parse_error error = {""};
  buddy_code code = BUDDY_OK;
  mlirPassManagerEnableVerifier(manager, false);
  const MlirLogicalResult parsed =
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                            mlirStringRefCreateFromCString(pipeline), on_parse_error, &error);
  if (mlirLogicalResultIsFailure(parsed)) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "pass pipeline",
                           "mlir-opt --help lists the passes and their options", "%s", error.text);
  } else {
    bd_mlir_diags scope;
    bd_mlir_diags_begin(&scope, context, diags, BUDDY_UNSUPPORTED, stage);
    if (mlirLogicalResultIsFailure(
            mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)))) {
      code = BUDDY_UNSUPPORTED;
      if (scope.n_errors == 0) {
        buddy_diags_add(diags, BUDDY_ERROR, code, "", NULL, "%s: a pass failed without a word",
                        stage);
      }
    }
    bd_mlir_diags_end(&scope);
  }
  mlirPassManagerDestroy(manager);
  return code;
}

buddy_code bd_passes_run(MlirModule module, const char *text, const char *stage,
                         buddy_diags *diags) {
  register_once();
  char *pipeline = bd_passes_strip(text);
  if (pipeline == NULL) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = run_stripped(module, pipeline, stage, diags);
  free(pipeline);
  return code;
}
