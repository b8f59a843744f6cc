// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/compiler_table.h: what libbuddy_model asks of the compiler. libbuddy_mlir, which links this
 * library, defines the one table, and it is found by one name once the compiler is loaded: no function
 * of libbuddy_mlir is called by a prototype that its own source does not see. */
#ifndef BUDDY_SDK_MODEL_COMPILER_TABLE_H
#define BUDDY_SDK_MODEL_COMPILER_TABLE_H

#include "buddy/compile.h"
#include "buddy/import.h"

/* Both libraries are of one build: fields may come and go. [any-thread] */
typedef struct bd_compiler_table {
  size_t struct_size; /* of this struct where the compiler was compiled: another one is refused */
  /* Compiles an archive to memory; see buddy_model_load. */
  buddy_code (*compile_model)(const char *path, const buddy_model_options *options,
                              buddy_diags *diags, buddy_model **out_model);
  /* Compiles an archive that is open to the bytes of a shared library for this process, whose weights
   * stay in the archive. path: of the archive, for messages. BUDDY_DECLINED, with a warning: this
   * machine cannot link one. */
  buddy_code (*write_image)(const char *path, buddy_archive *archive,
                            const buddy_model_options *options, const buddy_writer *out,
                            buddy_diags *diags);
  __typeof__(&buddy_lower) lower;
  __typeof__(&buddy_compile) compile;
} bd_compiler_table;

#define BD_COMPILER_SYMBOL "bd_compiler_functions"
BUDDY_EXPORT extern const bd_compiler_table bd_compiler_functions;

#endif
