/* sdk/config/config.c: finds the files and judges who could have written them. What is in them is
 * read by a module that is loaded only if there is one: most starts of the command find none. */
#include "sdk/config/config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdk/config/settings.h"

#define FILE_NAME "buddy.toml"

/* ---- Who could have written it --------------------------------------------------------------- */
static const char *fault_of_owner(const struct stat *status) {
  if (status->st_uid != 0 && status->st_uid != geteuid()) return "somebody else owns it";
  return (status->st_mode & S_IWOTH) ? "everybody may write to it: chmod o-w" : NULL;
}

/* In a folder with the sticky bit (/tmp) others can make files, and not exchange ours. */
static const char *fault_of_folder(const char *folder) {
  struct stat status;
  if (stat(folder, &status) != 0) return "its folder cannot be examined";
  if (status.st_mode & S_ISVTX) return NULL;
  return fault_of_owner(&status) ? "others may write to its folder" : NULL;
}

static const char *fault_of(const bd_config_file *file, int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return "it cannot be examined";
  if (!S_ISREG(status.st_mode)) return "it is no regular file";
  if (status.st_size > BD_MAX_CONFIG_FILE) return "it is larger than 64 KiB";
  const char *fault = fault_of_owner(&status);
  return fault != NULL ? fault : fault_of_folder(file->folder);
}

/* ---- Reading --------------------------------------------------------------------------------- */
typedef struct reading {
  bd_config *config;
  const bd_config_file *file;
} reading;

/* Room for one more item of `size` bytes, zeroed. */
static void *grow(void *items, size_t *n, size_t size) {
  char *grown = realloc(items, (*n + 1) * size);
  if (grown == NULL) return NULL;
  memset(grown + *n * size, 0, size);
  ++*n;
  return grown;
}

static buddy_code add_trusted(bd_config *config, const char *folder) {
  char **grown = grow(config->trusted, &config->n_trusted, sizeof(*grown));
  if (grown == NULL) return BUDDY_OUT_OF_MEMORY;
  config->trusted = grown;
  char *real = realpath(folder, NULL); /* a folder that is not there trusts nobody */
  grown[config->n_trusted - 1] = real != NULL ? real : strdup("");
  return grown[config->n_trusted - 1] != NULL ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code take(void *user, const char *variable, const char *value, unsigned line) {
  const reading *r = user;
  if (variable == NULL) return add_trusted(r->config, value);
  bd_setting *grown = grow(r->config->settings, &r->config->n_settings, sizeof(*grown));
  if (grown == NULL) return BUDDY_OUT_OF_MEMORY;
  r->config->settings = grown;
  bd_setting *added = &grown[r->config->n_settings - 1];
  added->is_users = r->file->is_users;
  added->variable = strdup(variable);
  added->value = strdup(value);
  if (asprintf(&added->where, "%s:%u", r->file->path, line) < 0) added->where = NULL;
  return added->variable != NULL && added->value != NULL && added->where != NULL
             ? BUDDY_OK
             : BUDDY_OUT_OF_MEMORY;
}

static bd_settings_read_fn load_reader(buddy_diags *diags, const char *path) {
  union {
    void *symbol;
    bd_settings_read_fn call;
  } found = {NULL};
  void *module = dlopen(BD_CONFIG_MODULE, RTLD_NOW | RTLD_LOCAL);
  if (module != NULL) found.symbol = dlsym(module, BD_CONFIG_SYMBOL);
  if (found.symbol == NULL) {
    buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, path, NULL,
                    "cannot be read: the installation is incomplete: %s", dlerror());
  }
  return found.call;
}

static buddy_code read_whole(int descriptor, char *text, size_t *size) {
  *size = 0;
  for (;;) {
    const ssize_t n = read(descriptor, text + *size, BD_MAX_CONFIG_FILE - *size);
    if (n == 0) return BUDDY_OK;
    if (n < 0 && errno != EINTR) return BUDDY_IO;
    *size += n > 0 ? (size_t)n : 0;
    if (*size == BD_MAX_CONFIG_FILE) return BUDDY_OK;
  }
}

static buddy_code read_file(bd_config *config, const bd_config_file *file, int descriptor,
                            buddy_diags *diags) {
  const char *fault = fault_of(file, descriptor);
  if (fault != NULL) {
    buddy_diags_add(diags, BUDDY_WARNING, BUDDY_PERMISSION, file->path,
                    "BUDDY_CONFIG= goes without settings from files", "is ignored: %s", fault);
    return BUDDY_OK;
  }
  const bd_settings_read_fn read_settings = load_reader(diags, file->path);
  if (read_settings == NULL) return BUDDY_NOT_FOUND;
  reading r = {config, file};
  size_t size;
  char *text = malloc(BD_MAX_CONFIG_FILE);
  buddy_code code = text == NULL ? BUDDY_OUT_OF_MEMORY : read_whole(descriptor, text, &size);
  if (code == BUDDY_IO)
    buddy_diags_add(diags, BUDDY_ERROR, code, file->path, NULL, "%s", strerror(errno));
  if (code == BUDDY_OK) code = read_settings(file, text, size, diags, take, &r);
  free(text);
  return code;
}

/* ---- Where they are -------------------------------------------------------------------------- */
/* A FIFO must not hang. */
static int open_file(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static buddy_code read_users(bd_config *config, buddy_diags *diags) {
  char folder[PATH_MAX], path[PATH_MAX + sizeof(FILE_NAME)];
  const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  int n = 0;
  if (xdg != NULL && *xdg == '/')
    n = snprintf(folder, sizeof(folder), "%s/buddy", xdg);
  else if (home != NULL && *home == '/')
    n = snprintf(folder, sizeof(folder), "%s/.config/buddy", home);
  if (n <= 0 || (size_t)n >= sizeof(folder)) return BUDDY_OK;
  snprintf(path, sizeof(path), "%s/" FILE_NAME, folder);
  const int descriptor = open_file(path);
  if (descriptor < 0) return BUDDY_OK;
  const bd_config_file file = {.path = path, .folder = folder, .is_users = 1, .is_trusted = 1};
  const buddy_code code = read_file(config, &file, descriptor, diags);
  close(descriptor);
  return code;
}

static int is_trusted(const bd_config *config, const char *folder) {
  for (size_t i = 0; i < config->n_trusted; ++i) {
    if (strcmp(config->trusted[i], folder) == 0) return 1;
  }
  return 0;
}

/* From the current directory upward; -1: there is none. */
static int find_projects(char folder[PATH_MAX], char *path, size_t size) {
  if (getcwd(folder, PATH_MAX) == NULL || *folder != '/') return -1;
  for (;;) {
    snprintf(path, size, "%s/" FILE_NAME, strcmp(folder, "/") == 0 ? "" : folder);
    const int descriptor = open_file(path);
    if (descriptor >= 0) return descriptor;
    char *slash = strrchr(folder, '/');
    if (slash == folder && folder[1] == '\0') return -1;
    slash[slash == folder] = '\0';
  }
}

static buddy_code read_projects(bd_config *config, buddy_diags *diags) {
  char folder[PATH_MAX], path[PATH_MAX + sizeof(FILE_NAME)];
  const int descriptor = find_projects(folder, path, sizeof(path));
  if (descriptor < 0) return BUDDY_OK;
  const bd_config_file file = {
      .path = path, .folder = folder, .is_trusted = is_trusted(config, folder)};
  const buddy_code code = read_file(config, &file, descriptor, diags);
  close(descriptor);
  return code;
}

/* Named by the user or by the program, so it may name code. */
static buddy_code read_named(bd_config *config, const char *given, const char *todo,
                             buddy_diags *diags) {
  char *path = realpath(given, NULL);
  const int descriptor = path != NULL ? open_file(path) : -1;
  buddy_code code;
  if (descriptor < 0) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, given, todo, "%s", strerror(errno));
  } else {
    char folder[PATH_MAX];
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
    const bd_config_file file = {.path = path, .folder = *folder ? folder : "/", .is_trusted = 1};
    code = read_file(config, &file, descriptor, diags);
    close(descriptor);
  }
  free(path);
  return code;
}

/* The project's settings first, although the user's file was read before: it says who is trusted.
 */
static buddy_code put_in_force(bd_config *config) {
  for (int is_users = 0; is_users < 2; ++is_users) {
    for (size_t i = 0; i < config->n_settings; ++i) {
      bd_setting *setting = &config->settings[i];
      if (setting->is_users != is_users || getenv(setting->variable) != NULL) continue;
      if (setenv(setting->variable, setting->value, 0) != 0) return BUDDY_OUT_OF_MEMORY;
      setting->is_in_force = 1;
    }
  }
  return BUDDY_OK;
}

buddy_code bd_config_apply(bd_config *config, const char *path, buddy_diags *diags) {
  if (getauxval(AT_SECURE)) return BUDDY_OK;
  const char *variable = getenv("BUDDY_CONFIG");
  if (path == NULL && variable != NULL && *variable == '\0') return BUDDY_OK;
  buddy_code code = read_users(config, diags);
  if (code != BUDDY_OK) return code;
  if (path != NULL)
    code = read_named(config, path, NULL, diags);
  else if (variable != NULL)
    code = read_named(config, variable, "it is the value of BUDDY_CONFIG", diags);
  else
    code = read_projects(config, diags);
  return code == BUDDY_OK ? put_in_force(config) : code;
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
