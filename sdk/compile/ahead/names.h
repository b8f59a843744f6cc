// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/names.h: which names a header for C and C++ may give to what it declares. */
#ifndef BUDDY_SDK_COMPILE_NAMES_H
#define BUDDY_SDK_COMPILE_NAMES_H

enum { BD_MAX_MODEL_NAME = 100 };

/* True for words that C, C++ or the header itself have for something else. */
int bd_is_keyword(const char *name);
/* True if C's or POSIX's headers declare it, or one of the functions that are named after it, or
 * are called so. */
int bd_is_of_c_library(const char *name);
/* True for identifiers that are no keywords. */
int bd_is_identifier(const char *name);

/* A name for the model that is written to this path, which none of the above is against. */
void bd_model_name_of_file(const char *path, char out_name[BD_MAX_MODEL_NAME + 1]);

#endif
