// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/image.h: the two ways from an archive to code for this process. libbuddy_model
 * comes by them through a table (sdk/model/compiler_table.h). */
#ifndef BUDDY_SDK_COMPILE_IMAGE_H
#define BUDDY_SDK_COMPILE_IMAGE_H

#include "buddy/compile.h"
#include "buddy/import.h"

/* Compiles to memory; see buddy_model_load. */
buddy_code bd_model_compile(const char *path, const buddy_model_options *options,
                            buddy_diags *diags, buddy_model **out_model);
/* Compiles an archive that is open to the bytes of a shared library with an artifact. path: of the
 * archive, for messages. BUDDY_DECLINED, with a warning: this machine cannot link one. */
buddy_code bd_image_write(const char *path, buddy_archive *archive,
                          const buddy_model_options *options, const buddy_writer *out,
                          buddy_diags *diags);

#endif
