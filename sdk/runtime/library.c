// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/library.c: loading a model's shared library. */
#include "sdk/runtime/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/runtime.h"

bool bd_library_is_named(const char *path) {
  static const char suffix[] = ".so";
  const size_t n = strlen(path), n_suffix = sizeof(suffix) - 1;
  return n > n_suffix && strcmp(path + n - n_suffix, suffix) == 0;
}

/* What a model of a library stands on: what it stood on before, and the library. */
typedef struct loaded {
  bd_model_owner inner;
  void *library;
} loaded;

static void release(void *object) {
  loaded *l = object;
  if (l->inner.release) l->inner.release(l->inner.object);
  dlclose(l->library);
  free(l);
}

static buddy_code fill_slots(const bd_artifact *artifact, const bd_library_ground *ground,
                             buddy_diags *diags) {
  for (uint64_t i = 0; i < artifact->n_imports; ++i) {
    const bd_artifact_import *import = &artifact->imports[i];
    BD_TRY(ground->resolve(ground->user, import->name, diags, import->slot));
  }
  return BUDDY_OK;
}

buddy_code bd_library_find(void *library, const char *path, const char *program, buddy_diags *diags,
                           const bd_artifact **out_artifact) {
  char symbol[1024];
  const bd_artifact *only = dlsym(library, BD_ARTIFACT_SYMBOL);
  const char *names = dlsym(library, only ? BD_PROGRAM_SYMBOL : BD_PROGRAMS_SYMBOL);
  snprintf(symbol, sizeof(symbol), BD_ARTIFACT_SYMBOL ".%s", program ? program : "");
  *out_artifact = !only                                             ? dlsym(library, symbol)
                  : program && names && strcmp(program, names) != 0 ? NULL
                                                                    : only;
  if (*out_artifact) return BUDDY_OK;
  if (!names) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, path,
                           "give a library that `buddy compile` wrote, or an archive",
                           "the library holds no model");
  }
  return program ? buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, path,
                                   only ? "leave the name away" : "choose one of them",
                                   "the library has no program '%.80s'; it holds %.300s", program,
                                   names)
                 : buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, path,
                                   "choose one by its name: --program NAME, or "
                                   "buddy_model_options.program",
                                   "the library holds the programs %.300s", names);
}

static buddy_code check_library(const bd_artifact *artifact, const char *path, buddy_diags *diags) {
  if (artifact->format < BD_ARTIFACT_OLDEST || artifact->format > BD_ARTIFACT_FORMAT ||
      artifact->allocate == _mlir_memref_to_llvm_alloc)
    return BUDDY_OK; /* another format is told when the artifact is loaded */
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, path,
                         "call the library's own functions, or compile it with --runtime "
                         "libbuddy_runtime.so",
                         "the library has a runtime of its own, which only it can use");
}

/* ground: null where the weights are in a file or in the library. */
static buddy_code open_model(loaded *l, const char *path, const char *program,
                             const bd_library_ground *ground, buddy_diags *diags,
                             buddy_model **out_model) {
  const bd_artifact *artifact;
  buddy_code code = bd_library_find(l->library, path, program, diags, &artifact);
  if (code != BUDDY_OK || !artifact) return code;
  BD_TRY(check_library(artifact, path, diags));
  if (!ground) {
    code = bd_artifact_load(artifact, NULL, diags, out_model);
  } else {
    code = bd_artifact_load_on(artifact, ground->data, ground->n_data, diags, out_model);
    if (code == BUDDY_OK) code = fill_slots(artifact, ground, diags);
    if (code != BUDDY_OK) {
      buddy_model_destroy(*out_model);
      *out_model = NULL;
    }
  }
  if (code != BUDDY_OK) return code;
  l->inner = bd_model_owned(*out_model);
  bd_model_own(*out_model, (bd_model_owner){release, l});
  return BUDDY_OK;
}

static buddy_code open_library(const char *path, const char *program,
                               const bd_library_ground *ground, buddy_diags *diags,
                               buddy_model **out_model) {
  *out_model = NULL;
  loaded *l = bd_calloc(1, sizeof(loaded));
  if (!l) return BUDDY_OUT_OF_MEMORY;
  l->library = bd_library_load(path);
  const buddy_code code = l->library ? open_model(l, path, program, ground, diags, out_model)
                                     : buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, path, NULL,
                                                       "cannot be loaded: %s", dlerror());
  if (code != BUDDY_OK && l->library) dlclose(l->library);
  if (code != BUDDY_OK) free(l);
  return code;
}

buddy_code bd_library_judge(const char *path, buddy_diags *diags) {
  bd_elf_info elf;
  bd_library_file_inspect(path, &elf);
  if (elf.code == BUDDY_OK) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, elf.code, path,
                         elf.code == BUDDY_PERMISSION || elf.code == BUDDY_NOT_FOUND
                             ? NULL
                             : "give a library that `buddy compile` wrote for this machine",
                         "the library is not loaded: %s", elf.refusal);
}

buddy_code bd_library_open(const char *path, const char *program, buddy_diags *diags,
                           buddy_model **out_model) {
  *out_model = NULL;
  BD_TRY(bd_library_judge(path, diags));
  return open_library(path, program, NULL, diags, out_model);
}

buddy_code bd_library_open_on(const char *path, const bd_library_ground *ground, buddy_diags *diags,
                              buddy_model **out_model) {
  return open_library(path, NULL, ground, diags, out_model);
}
