// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/config/config.c: finds the files and judges who could have written them. What is in them is
 * read by a module that is loaded only if there is one: most starts of the command find none. */
#include "sdk/config/config.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "core/base/trust.h"
#include "sdk/config/settings.h"

#define FILE_NAME "buddy.toml"

/* ---- Reading --------------------------------------------------------------------------------- */
typedef struct reading {
  bd_config *config;
  const bd_config_file *file;
} reading;

/* Room for one more item of `size` bytes, zeroed. */
static void *grow(void *items, size_t *n, size_t size) {
  char *grown = bd_realloc(items, (*n + 1) * size);
  if (!grown) return NULL;
  memset(grown + *n * size, 0, size);
  ++*n;
  return grown;
}

static buddy_code add_trusted(bd_config *config, const char *folder) {
  char **grown = grow(config->trusted, &config->n_trusted, sizeof(*grown));
  if (!grown) return BUDDY_OUT_OF_MEMORY;
  config->trusted = grown;
  char *real = realpath(folder, NULL); /* a folder that is not there trusts nobody */
  grown[config->n_trusted - 1] = real ? real : bd_strdup("");
  return grown[config->n_trusted - 1] ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code take(void *user, const char *variable, const char *value, unsigned line) {
  const reading *r = user;
  if (!variable) return add_trusted(r->config, value);
  bd_setting *grown = grow(r->config->settings, &r->config->n_settings, sizeof(*grown));
  if (!grown) return BUDDY_OUT_OF_MEMORY;
  r->config->settings = grown;
  bd_setting *added = &grown[r->config->n_settings - 1];
  added->is_users = r->file->is_users;
  added->variable = bd_strdup(variable);
  added->value = bd_strdup(value);
  if (asprintf(&added->where, "%s:%u", r->file->path, line) < 0) added->where = NULL;
  return added->variable && added->value && added->where ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static bd_settings_read_fn load_reader(buddy_diags *diags, const char *path) {
  union {
    void *symbol;
    bd_settings_read_fn call;
  } found = {NULL};
  void *module = dlopen(BD_CONFIG_MODULE, RTLD_NOW | RTLD_LOCAL);
  if (module) found.symbol = dlsym(module, BD_CONFIG_SYMBOL);
  if (!found.symbol) {
    buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, path, NULL,
                    "cannot be read: the installation is incomplete: %s", dlerror());
  }
  return found.call;
}

/* Whether it is of the user's or root's hand. */
static bool is_fit(const bd_config_file *file, const bd_infile *opened, bd_fault *out_fault) {
  if (!bd_trust(&opened->status, "it", out_fault) || !bd_trust_folder_of(file->path, out_fault))
    return false;
  if (opened->size <= BD_MAX_CONFIG_FILE) return true;
  *out_fault = (bd_fault){BUDDY_LIMIT, "it is larger than 64 KiB"};
  return false;
}

static buddy_code ignore(const bd_config_file *file, const bd_fault *fault, buddy_diags *diags) {
  const char *subject = strncmp(fault->text, "is ", 3) == 0 ? "it " : "";
  buddy_diags_add(diags, BUDDY_WARNING, BUDDY_PERMISSION, file->path,
                  "BUDDY_CONFIG= goes without settings from files", "is ignored: %s%s", subject,
                  fault->text);
  return BUDDY_OK;
}

static buddy_code read_opened(bd_config *config, const bd_config_file *file,
                              const bd_infile *opened, buddy_diags *diags) {
  const bd_settings_read_fn read_settings = load_reader(diags, file->path);
  if (!read_settings) return BUDDY_NOT_FOUND;
  reading r = {config, file};
  char *text = bd_malloc(opened->size + 1);
  buddy_code code = !text ? BUDDY_OUT_OF_MEMORY : bd_infile_read(opened, text, opened->size);
  if (code == BUDDY_IO || code == BUDDY_CORRUPT)
    buddy_diags_add(diags, BUDDY_ERROR, code, file->path, NULL, "cannot be read: %s",
                    code == BUDDY_IO ? strerror(errno) : "it was cut meanwhile");
  if (code == BUDDY_OK) code = read_settings(file, text, opened->size, diags, take, &r);
  free(text);
  return code;
}

/* fault: why it is none; the file is closed. */
static buddy_code read_file(bd_config *config, const bd_config_file *file, bd_infile *opened,
                            bd_fault *fault, buddy_diags *diags) {
  const buddy_code code = fault->code != BUDDY_OK || !is_fit(file, opened, fault)
                              ? ignore(file, fault, diags)
                              : read_opened(config, file, opened, diags);
  bd_infile_close(opened);
  return code;
}

/* ---- Where they are -------------------------------------------------------------------------- */
/* Whether there is something of that name. */
static bool is_there(const char *path, bd_infile *out_file, bd_fault *out_fault) {
  return bd_infile_try(path, out_file, out_fault) ||
         (out_fault->code == BUDDY_CORRUPT && out_file->descriptor < 0);
}

static buddy_code read_users(bd_config *config, buddy_diags *diags) {
  char folder[PATH_MAX], path[PATH_MAX + sizeof(FILE_NAME)];
  const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  int n = 0;
  if (xdg && *xdg == '/')
    n = snprintf(folder, sizeof(folder), "%s/buddy", xdg);
  else if (home && *home == '/')
    n = snprintf(folder, sizeof(folder), "%s/.config/buddy", home);
  if (n <= 0 || (size_t)n >= sizeof(folder)) return BUDDY_OK;
  snprintf(path, sizeof(path), "%s/" FILE_NAME, folder);
  bd_infile opened;
  bd_fault fault;
  if (!is_there(path, &opened, &fault)) return BUDDY_OK;
  const bd_config_file file = {.path = path, .folder = folder, .is_users = 1, .is_trusted = true};
  return read_file(config, &file, &opened, &fault, diags);
}

static bool is_trusted(const bd_config *config, const char *folder) {
  for (size_t i = 0; i < config->n_trusted; ++i) {
    if (strcmp(config->trusted[i], folder) == 0) return true;
  }
  return false;
}

/* From the current directory upward; false: there is none. */
static bool find_projects(char folder[PATH_MAX], char *path, size_t size, bd_infile *out_file,
                          bd_fault *out_fault) {
  if (!getcwd(folder, PATH_MAX) || *folder != '/') return false;
  for (;;) {
    snprintf(path, size, "%s/" FILE_NAME, strcmp(folder, "/") == 0 ? "" : folder);
    if (is_there(path, out_file, out_fault)) return true;
    char *slash = strrchr(folder, '/');
    if (slash == folder && folder[1] == '\0') return false;
    slash[slash == folder] = '\0';
  }
}

static buddy_code read_projects(bd_config *config, buddy_diags *diags) {
  char folder[PATH_MAX], path[PATH_MAX + sizeof(FILE_NAME)];
  bd_infile opened;
  bd_fault fault;
  if (!find_projects(folder, path, sizeof(path), &opened, &fault)) return BUDDY_OK;
  const bd_config_file file = {
      .path = path, .folder = folder, .is_trusted = is_trusted(config, folder)};
  return read_file(config, &file, &opened, &fault, diags);
}

/* Named by the user or by the program, so it may name code, and is none to pass over. */
static buddy_code read_named(bd_config *config, const char *given, const char *todo,
                             buddy_diags *diags) {
  char *path = realpath(given, NULL), folder[PATH_MAX] = "/";
  const bd_config_file file = {.path = path, .folder = folder, .is_trusted = true};
  bd_infile opened = {.descriptor = -1};
  bd_fault fault = {.code = BUDDY_OK};
  if (!path)
    bd_fault_errno(&fault, "cannot be found");
  else if (bd_infile_try(path, &opened, &fault))
    is_fit(&file, &opened, &fault);
  if (path && strrchr(path, '/') != path)
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
  const buddy_code code = fault.code == BUDDY_OK ? read_opened(config, &file, &opened, diags)
                                                 : buddy_diags_add(diags, BUDDY_ERROR, fault.code,
                                                                   given, todo, "%s", fault.text);
  bd_infile_close(&opened);
  free(path);
  return code;
}

/* The project's settings first, although the user's file was read before: it says who is
 * trusted. */
static buddy_code put_in_force(bd_config *config) {
  for (int is_users = 0; is_users < 2; ++is_users) {
    for (size_t i = 0; i < config->n_settings; ++i) {
      bd_setting *setting = &config->settings[i];
      if (setting->is_users != is_users || getenv(setting->variable)) continue;
      if (setenv(setting->variable, setting->value, 0) != 0) return BUDDY_OUT_OF_MEMORY;
      setting->is_in_force = true;
    }
  }
  return BUDDY_OK;
}

buddy_code bd_config_apply(bd_config *config, const char *path, buddy_diags *diags) {
  if (getauxval(AT_SECURE)) return BUDDY_OK;
  const char *variable = getenv("BUDDY_CONFIG");
  if (!path && variable && *variable == '\0') return BUDDY_OK;
  BD_TRY(read_users(config, diags));
  if (path)
    BD_TRY(read_named(config, path, NULL, diags));
  else if (variable)
    BD_TRY(read_named(config, variable, "it is the value of BUDDY_CONFIG", diags));
  else
    BD_TRY(read_projects(config, diags));
  return put_in_force(config);
}

void bd_config_deinit(bd_config *config) {
  for (size_t i = 0; i < config->n_settings; ++i) {
    free(config->settings[i].variable);
    free(config->settings[i].value);
    free(config->settings[i].where);
  }
  for (size_t i = 0; i < config->n_trusted; ++i) free(config->trusted[i]);
  free(config->settings);
  free(config->trusted);
  *config = (bd_config){0};
}
