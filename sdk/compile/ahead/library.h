// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/library.h: objects in memory become the bytes of a shared library. */
#ifndef BUDDY_SDK_COMPILE_LIBRARY_H
#define BUDDY_SDK_COMPILE_LIBRARY_H

#include <stdbool.h>

#include "sdk/compile/ahead/suppliers.h"
#include "sdk/compile/code/objects.h"

typedef struct bd_library {
  const bd_member *objects; /* object files, and static libraries */
  size_t n_objects;
  const char *soname;
  const char
      *runtime; /* libbuddy_runtime of the target, .a or .so; null: the one beside this library */
  const char *sysroot; /* where the target's C library is; null: known places */
  const bd_target *target;
  bool has_vector_math;          /* the code calls glibc's libmvec */
  const bd_suppliers *suppliers; /* whose archives become part of it; null: none */
} bd_library;

buddy_code bd_library_link(const bd_library *library, const buddy_writer *out, buddy_diags *diags);

#endif
