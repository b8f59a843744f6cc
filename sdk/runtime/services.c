// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/services.c: the table that registries' functions get. All of it is about the run
 * that compiled code on this thread belongs to. */
#include "sdk/runtime/services.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/plugin_file.h"
#include "sdk/runtime/places.h"
#include "sdk/runtime/runtime.h"

/* ---- Failing --------------------------------------------------------------------------------- */
static int64_t fail(buddy_code code, const char *why) {
  bd_run *run = bd_run_current();
  if (!run || run->why) return -1;
  const size_t n = strlen(why) + 1;
  char *copy = bd_run_allocate(run, n); /* null: the assertion's own text is told */
  if (copy) run->why = memcpy(copy, why, n);
  run->why_code = code == BUDDY_OK ? BUDDY_INTERNAL : code;
  return -1;
}

static buddy_code at_end(void (*ended)(void *user, buddy_code code), void *user) {
  bd_run *run = bd_run_current();
  if (!run) return BUDDY_INVALID_ARGUMENT;
  for (int i = 0; i < run->n_watchers; ++i) {
    if (run->watchers[i].ended == ended && run->watchers[i].user == user) return BUDDY_OK;
  }
  if (run->n_watchers == BD_MAX_WATCHERS) return BUDDY_LIMIT;
  run->watchers[run->n_watchers].ended = ended;
  run->watchers[run->n_watchers++].user = user;
  return BUDDY_OK;
}

static const char *reason(void) {
  const bd_run *run = bd_run_current();
  return run ? run->reason : NULL;
}

/* ---- Settings -------------------------------------------------------------------------------- */
static const char *setting(const char *name) {
  const bd_run *run = bd_run_current();
  const char *value = run ? bd_run_pool_setting(run->pool, name) : NULL;
  char variable[64];
  const int n = snprintf(variable, sizeof variable, "BUDDY_%s", name);
  if (value || n >= (int)sizeof variable) return value;
  for (char *at = variable; *at; ++at) *at = *at == '.' ? '_' : (char)toupper((unsigned char)*at);
  return secure_getenv(variable);
}

/* ---- Libraries ------------------------------------------------------------------------------- */
static bool find_library(const char *file, const void *beside, char path[BD_MAX_PLACE]) {
  Dl_info own;
  if (strchr(file, '/')) return snprintf(path, BD_MAX_PLACE, "%s", file) < BD_MAX_PLACE;
  if (bd_place_in_variable(file, path)) return true;
  const char *folder = beside && dladdr(beside, &own) ? own.dli_fname : NULL;
  const char *slash = folder ? strrchr(folder, '/') : NULL;
  return slash && bd_place_in(folder, (size_t)(slash - folder), file, path);
}

__attribute__((format(printf, 2, 3))) static void *refuse(buddy_code code, const char *format,
                                                          ...) {
  char why[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  fail(code, why);
  return NULL;
}

static void *library(const char *file, const char *symbol, const void *beside) {
  char path[BD_MAX_PLACE];
  bd_elf_info elf;
  if (!find_library(file, beside, path))
    return refuse(BUDDY_NOT_FOUND,
                  "%s is neither in a folder of BUDDY_PLUGIN_PATH nor beside the registry", file);
  bd_library_file_inspect(path, &elf);
  if (elf.code != BUDDY_OK) return refuse(elf.code, "%s is not loaded: %s", path, elf.refusal);
  void *handle = bd_library_load(path);
  if (!handle) return refuse(BUDDY_INCOMPATIBLE, "%s cannot be loaded: %s", path, dlerror());
  void *address = dlsym(handle, symbol);
  return address ? address : refuse(BUDDY_INCOMPATIBLE, "%s has no %s", path, symbol);
}

const buddy_run *bd_run_services(void) {
  static const buddy_run services = {.struct_size = sizeof services,
                                     .fail = fail,
                                     .at_end = at_end,
                                     .setting = setting,
                                     .library = library,
                                     .reason = reason};
  return &services;
}
