// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/compiler.c: see compiler.h. The library lies beside this one, or where the dynamic
 * linker finds it. */
#include "sdk/model/compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/try.h"
#include "sdk/compile/ahead/image.h"

#define LIBRARY "libbuddy_mlir.so.1"

int bd_compiler_path(char *path, size_t size) {
  Dl_info info;
  static const char here;
  if (dladdr(&here, &info) == 0) return 0;
  const char *slash = strrchr(info.dli_fname, '/');
  const int n = slash ? (int)(slash - info.dli_fname) + 1 : 0;
  snprintf(path, size, "%.*s" LIBRARY, n, info.dli_fname);
  return access(path, R_OK) == 0;
}

/* Stays loaded for the life of the process, as plugins do that need it. */
static void *find(const char *name, buddy_diags *diags) {
  char path[4096];
  /* LAZY: binding every name of MLIR and LLVM at once would double the start-up time. */
  void *library =
      dlopen(bd_compiler_path(path, sizeof(path)) ? path : LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  void *function = library ? dlsym(library, name) : NULL;
  if (!function) {
    buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, LIBRARY, "install all of buddy",
                    "the compiler cannot be loaded: %s", dlerror());
  }
  return function;
}

buddy_code bd_compiler_compile(const char *path, const buddy_model_options *options,
                               buddy_diags *diags, buddy_model **out_model) {
  __typeof__(&bd_model_compile) compile;
  void *address = find("bd_model_compile", diags);
  if (!address) return BUDDY_NOT_FOUND;
  memcpy(&compile, &address, sizeof(compile));
  return compile(path, options, diags, out_model);
}

buddy_code bd_compiler_write_image(const char *path, buddy_archive *archive,
                                   const buddy_model_options *options, const buddy_writer *out,
                                   buddy_diags *diags) {
  __typeof__(&bd_image_write) write;
  void *address = find("bd_image_write", diags);
  if (!address) return BUDDY_NOT_FOUND;
  memcpy(&write, &address, sizeof(write));
  return write(path, archive, options, out, diags);
}

buddy_code bd_compiler_compile_plan(buddy_plan *plan, buddy_diags *diags,
                                    buddy_program **out_program) {
  const buddy_compile_options options = {
      .struct_size = sizeof(options), .opt_level = -1, .parameters_are_constant = 1};
  __typeof__(&buddy_lower) lower;
  __typeof__(&buddy_compile) compile;
  buddy_module *module = NULL;
  void *first = find("buddy_lower", diags), *second = find("buddy_compile", diags);
  *out_program = NULL;
  if (!first || !second) return BUDDY_NOT_FOUND;
  memcpy(&lower, &first, sizeof(first));
  memcpy(&compile, &second, sizeof(second));
  BD_TRY(lower(plan, NULL, diags, &module));
  return compile(module, buddy_plan_registries(plan), &options, diags, out_program);
}
