// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/compiler.h: the compiler, which is loaded when something has to be compiled and not
 * before: with it come LLVM and MLIR. */
#ifndef BUDDY_SDK_MODEL_COMPILER_H
#define BUDDY_SDK_MODEL_COMPILER_H

#include "buddy/compile.h"
#include "buddy/import.h"

/* Compiles an archive to run in this process. */
buddy_code bd_compiler_compile(const char *path, const buddy_model_options *options,
                               buddy_diags *diags, buddy_model **out_model);
/* Compiles an open archive into a shared library for this process, whose weights stay in the archive.
 * BUDDY_DECLINED, with a warning: this one cannot be. */
buddy_code bd_compiler_write_image(const char *path, buddy_archive *archive,
                                   const buddy_model_options *options, const buddy_writer *out,
                                   buddy_diags *diags);
/* Compiles a planned graph whose parameters are the same in all runs. */
buddy_code bd_compiler_compile_plan(buddy_plan *plan, buddy_diags *diags,
                                    buddy_program **out_program);
/* Where the compiler's file is, without loading it. False if it is not known. */
int bd_compiler_path(char *path, size_t size);

#endif
