// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/artifact.h: writes a compiled program into an LLVM module as the data and the
 * functions that sdk/runtime/artifact.h describes. */
#ifndef BUDDY_SDK_COMPILE_ARTIFACT_H
#define BUDDY_SDK_COMPILE_ARTIFACT_H

#include <stdbool.h>

#include "llvm-c/Types.h"
#include "sdk/compile/ahead/suppliers.h"
#include "sdk/compile/code/symbols.h"
#include "sdk/compile/code/target.h"
#include "sdk/runtime/artifact.h"

typedef struct bd_artifact_content {
  const char *name; /* of the model: a C identifier */
  const char *program,
      *programs;     /* of several in one object file's library: its name, and in the first of
                                     them, those of all; of the only one: null, and its name; else null */
  const char *entry; /* name of the compiled function */
  const bd_target *target;
  const buddy_program *compiled;
  const bd_weight *weights; /* one per input of the program */
  const uint32_t *passing;  /* one per output */
  bd_placement placement;
  const void *data; /* for BD_IN_OBJECT: all weights; for BD_IN_FILE null, or the file's name */
  uint64_t n_data;
  const uint8_t *identity;
  const bd_symbol_table *symbols; /* for the constants that the code reads */
  bool is_library;                /* with BD_ARTIFACT_SYMBOL, for a shared object */
  bool has_functions;             /* NAME_load, NAME_run, NAME_destroy */
  /* Functions of registries are called through slots: of these suppliers, which the model loads
   * itself; null: of all registries, and whoever loads the model fills the slots. */
  const buddy_registries *registries;
  const bd_suppliers *suppliers;
} bd_artifact_content;

/* module: compiled and optimised; everything in it but what is written here, and what is hidden
 * already, becomes internal. */
buddy_code bd_artifact_write(LLVMModuleRef module, const bd_artifact_content *content,
                             buddy_diags *diags);
/* Of parts (parts.h) other than the one that the artifact is in. */
void bd_artifact_write_part(LLVMModuleRef module, const bd_symbol_table *symbols);

/* True if the code calls glibc's libmvec. */
int bd_calls_vector_math(LLVMModuleRef module);

#endif
