/* sdk/compile/ahead/library.h: object files become a shared library. */
#ifndef BUDDY_SDK_COMPILE_LIBRARY_H
#define BUDDY_SDK_COMPILE_LIBRARY_H

#include "sdk/compile/ahead/suppliers.h"

typedef struct bd_library {
  const char *const *objects; /* paths; null behind the last */
  const char *output;         /* path */
  const char *soname;
  const char
      *runtime; /* libbuddy_runtime of the target, .a or .so; null: the one beside this library */
  const char *sysroot; /* where the target's C library is; null: known places */
  const bd_target *target;
  int has_vector_math;           /* the code calls glibc's libmvec */
  const bd_suppliers *suppliers; /* whose archives become part of it; null: none */
} bd_library;

buddy_code bd_library_link(const bd_library *library, buddy_diags *diags);

#endif
