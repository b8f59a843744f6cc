// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/compiler.c: loads the compiler, which lies beside this library, or where the dynamic linker
 * finds it, and calls it through its table (compiler_table.h). */
#include "sdk/model/compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/try.h"
#include "sdk/model/compiler_table.h"

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

/* Null: it cannot be loaded, or is of another build. It stays loaded for the life of the process, as
 * plugins do that need it. */
static const bd_compiler_table *find(buddy_diags *diags) {
  char path[4096];
  /* LAZY: binding every name of MLIR and LLVM at once would double the start-up time. */
  void *library =
      dlopen(bd_compiler_path(path, sizeof(path)) ? path : LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  const bd_compiler_table *table = library ? dlsym(library, BD_COMPILER_SYMBOL) : NULL;
  if (table && table->struct_size == sizeof(*table)) return table;
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, LIBRARY, "install all of buddy",
                  "the compiler cannot be loaded: %s",
                  table ? "it is of another version than libbuddy_model" : dlerror());
  return NULL;
}

buddy_code bd_compiler_compile(const char *path, const buddy_model_options *options,
                               buddy_diags *diags, buddy_model **out_model) {
  const bd_compiler_table *compiler = find(diags);
  return compiler ? compiler->compile_model(path, options, diags, out_model) : BUDDY_NOT_FOUND;
}

buddy_code bd_compiler_write_image(const char *path, buddy_archive *archive,
                                   const buddy_model_options *options, const buddy_writer *out,
                                   buddy_diags *diags) {
  const bd_compiler_table *compiler = find(diags);
  return compiler ? compiler->write_image(path, archive, options, out, diags) : BUDDY_NOT_FOUND;
}

buddy_code bd_compiler_compile_plan(buddy_plan *plan, buddy_diags *diags,
                                    buddy_program **out_program) {
  const buddy_compile_options options = {.struct_size = sizeof(options),
                                         .parameters_are_constant = 1};
  const bd_compiler_table *compiler = find(diags);
  buddy_module *module = NULL;
  *out_program = NULL;
  if (!compiler) return BUDDY_NOT_FOUND;
  BD_TRY(compiler->lower(plan, NULL, diags, &module));
  return compiler->compile(module, buddy_plan_registries(plan), &options, diags, out_program);
}
