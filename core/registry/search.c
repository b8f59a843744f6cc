// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/search.c: where plugin files are looked for.
 *
 *   directories   in order of search, each device and inode once
 *   found         one per file buddy_<name>.so, sorted by name, then by order of search; the first
 * of a name wins
 *
 * A file that is found twice under one name, through links or two spellings of a directory, is one
 * file. A refused file keeps its place: the next of its name must not silently take over. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/try.h"
#include "core/base/options.h"
#include "core/base/text.h"
#include "core/registry/environment.h"
#include "core/registry/plugin_file.h"
#include "core/registry/search.h"
#include "core/registry/spelling.h"

#define MAX_PATH_COMPONENTS 32
#define MAX_FILES_PER_DIR 16384

typedef struct search_dir {
  const char *path;
  bd_file_id id; /* zero: does not exist */
} search_dir;

typedef struct search_file {
  buddy_found found;
  bd_file_id id;
  size_t rank; /* in order of search */
} search_file;

struct buddy_search {
  bd_arena arena;
  search_dir *dirs;
  size_t n_dirs, dirs_capacity;
  search_file *files;
  size_t n_files, files_capacity;
};

static buddy_code fail(buddy_diags *diags, buddy_code code, const char *where, const char *todo,
                       const char *what) {
  return buddy_diags_add(diags, BUDDY_ERROR, code, where, todo, "%s", what);
}

/* ---- Files ---- */
/* n: of how many files it may be one. */
static bool is_known(const buddy_search *search, size_t n, const char *name, bd_file_id id) {
  if (!id.inode) return false;
  for (size_t i = 0; i < n; ++i) {
    const search_file *file = &search->files[i];
    if (file->id.device == id.device && file->id.inode == id.inode &&
        !strcmp(file->found.name, name)) {
      return true;
    }
  }
  return false;
}

static buddy_code describe(bd_arena *arena, const bd_elf_info *elf, buddy_found *found) {
  const buddy_elf_note *note = elf->has_note ? &elf->note : NULL;
  found->code = elf->code;
  found->refusal = bd_arena_strdup(arena, elf->refusal);
  found->version = bd_arena_strdup(arena, note ? note->version : "");
  found->vendor = bd_arena_strdup(arena, note ? note->vendor : "");
  found->license = bd_arena_strdup(arena, note ? note->license : "");
  found->abi_version = note ? note->abi_version : 0;
  found->llvm_version = note ? note->llvm_version : 0;
  found->n_ops = note ? note->n_ops : 0;
  const bool is_complete = found->name && found->path && found->refusal && found->version &&
                           found->vendor && found->license;
  return is_complete ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

/* n_before: of the files found so far, those that are not of its folder, where no name is twice. */
static buddy_code add_file(buddy_search *search, const char *path, const char *name,
                           size_t n_before) {
  bd_plugin_file file;
  bd_plugin_file_inspect(path, name, bd_elf_this_host(), &file);
  if (is_known(search, n_before, name, file.id)) return BUDDY_OK;
  void *files = bd_array_grow(search->files, &search->files_capacity, search->n_files + 1,
                              sizeof *search->files);
  if (!files) return BUDDY_OUT_OF_MEMORY;
  search->files = files;
  search_file *added = &search->files[search->n_files];
  *added = (search_file){.id = file.id, .rank = search->n_files};
  added->found.shadowed_by = "";
  added->found.name = bd_arena_strdup(&search->arena, name);
  added->found.path = bd_arena_strdup(&search->arena, path);
  BD_TRY(describe(&search->arena, &file.elf, &added->found));
  ++search->n_files;
  return BUDDY_OK;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the plugin files in a directory, sorted; readdir's order is nobody's. */
static buddy_code list_dir(DIR *dir, bd_arena *arena, const char ***out_names, size_t *out_n) {
  size_t capacity = 0, n = 0;
  const char **names = NULL;
  buddy_code code = BUDDY_OK;
  for (struct dirent *entry; code == BUDDY_OK && (entry = readdir(dir));) {
    char name[BD_MAX_REGISTRY_NAME];
    if (!bd_plugin_file_name(entry->d_name, name)) continue;
    if (n == MAX_FILES_PER_DIR) {
      code = BUDDY_LIMIT;
      break;
    }
    void *grown = bd_array_grow(names, &capacity, n + 1, sizeof *names);
    if (grown) names = grown;
    const char *copy = grown ? bd_arena_strdup(arena, name) : NULL;
    code = copy ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
    if (copy) names[n++] = copy;
  }
  if (n > 1) qsort(names, n, sizeof *names, by_text);
  *out_names = names;
  *out_n = n;
  return code;
}

static buddy_code refuse_full(const char *path, buddy_diags *diags) {
  return buddy_diags_add(
      diags, BUDDY_ERROR, BUDDY_LIMIT, path, "put those that you use into a folder of their own",
      "the folder holds more than %d registries, the most that are looked at", MAX_FILES_PER_DIR);
}

static buddy_code scan_dir(buddy_search *search, const char *path, buddy_diags *diags) {
  DIR *dir = opendir(path);
  if (!dir) return BUDDY_OK; /* it is listed as searched; that it is not there is no error */
  const char **names;
  size_t n;
  const size_t n_before = search->n_files;
  buddy_code code = list_dir(dir, &search->arena, &names, &n);
  closedir(dir);
  if (code == BUDDY_LIMIT) refuse_full(path, diags);
  for (size_t i = 0; code == BUDDY_OK && i < n; ++i) {
    char file[PATH_MAX];
    bd_text text;
    bd_text_init_fixed(&text, file, sizeof file);
    bd_text_format(&text, "%s/buddy_%s.so", path, names[i]);
    code = add_file(search, file, names[i], n_before);
  }
  bd_free(names);
  return code;
}

/* ---- Directories ---- */
static bool has_dir(const buddy_search *search, const char *path, bd_file_id id) {
  for (size_t i = 0; i < search->n_dirs; ++i) {
    const search_dir *dir = &search->dirs[i];
    if (!strcmp(dir->path, path)) return true;
    if (id.inode && dir->id.device == id.device && dir->id.inode == id.inode) return true;
  }
  return false;
}

static buddy_code add_dir(buddy_search *search, const char *path, buddy_diags *diags) {
  struct stat status;
  const bool exists = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  const bd_file_id id =
      exists ? (bd_file_id){(uint64_t)status.st_dev, (uint64_t)status.st_ino} : (bd_file_id){0, 0};
  if (has_dir(search, path, id)) return BUDDY_OK;
  void *dirs =
      bd_array_grow(search->dirs, &search->dirs_capacity, search->n_dirs + 1, sizeof *search->dirs);
  const char *copy = bd_arena_strdup(&search->arena, path);
  if (dirs) search->dirs = dirs;
  if (!dirs || !copy) return BUDDY_OUT_OF_MEMORY;
  search->dirs[search->n_dirs++] = (search_dir){copy, id};
  return exists ? scan_dir(search, copy, diags) : BUDDY_OK;
}

/* Adds `<base><tail>` unless it is too long to be a path. */
static buddy_code add_dir_below(buddy_search *search, const char *base, size_t base_size,
                                const char *tail, buddy_diags *diags) {
  char path[PATH_MAX];
  if (base_size + strlen(tail) + sizeof "/buddy_.so" + BD_MAX_REGISTRY_NAME >= sizeof path)
    return BUDDY_OK;
  bd_text text;
  bd_text_init_fixed(&text, path, sizeof path);
  bd_text_append(&text, base, base_size);
  bd_text_string(&text, tail);
  return add_dir(search, path, diags);
}

/* The path as it is, or below the current directory; the dynamic linker takes a name without slash
 * for its own. */
static buddy_code make_absolute(const char *path, char out_path[PATH_MAX]) {
  char here[PATH_MAX];
  bd_text text;
  bd_text_init_fixed(&text, out_path, PATH_MAX);
  if (path[0] != '/') {
    if (!getcwd(here, sizeof here)) return BUDDY_IO;
    bd_text_format(&text, "%s/", here);
  }
  bd_text_string(&text, path);
  return text.size + 1 < PATH_MAX ? BUDDY_OK : BUDDY_LIMIT;
}

static buddy_code add_given_dir(buddy_search *search, const char *given, buddy_diags *diags) {
  char path[PATH_MAX];
  struct stat status;
  if (!given || !*given) {
    return fail(diags, BUDDY_INVALID_ARGUMENT, "plugin directory", NULL, "the path is empty");
  }
  if (strlen(given) >= PATH_MAX / 2 || make_absolute(given, path) != BUDDY_OK) {
    return fail(diags, BUDDY_INVALID_ARGUMENT, "plugin directory", NULL, "the path is too long");
  }
  if (stat(path, &status) || !S_ISDIR(status.st_mode)) {
    return fail(diags, BUDDY_NOT_FOUND, given, "give a directory that exists",
                "there is no such plugin directory");
  }
  size_t size = strlen(path);
  while (size > 1 && path[size - 1] == '/') path[--size] = 0;
  return add_dir(search, path, diags);
}

static buddy_code add_given_file(buddy_search *search, const char *given, buddy_diags *diags) {
  char path[PATH_MAX], name[BD_MAX_REGISTRY_NAME];
  const char *slash = given ? strrchr(given, '/') : NULL;
  if (!given || !bd_plugin_file_name(slash ? slash + 1 : given, name)) {
    return fail(diags, BUDDY_INVALID_ARGUMENT, given, "rename it: buddy_<name>.so",
                "a plugin file is called buddy_<name>.so, with a name of [a-z][a-z0-9_]*");
  }
  if (make_absolute(given, path) != BUDDY_OK) {
    return fail(diags, BUDDY_INVALID_ARGUMENT, given, NULL, "the path is too long");
  }
  if (access(path, F_OK)) {
    return fail(diags, BUDDY_NOT_FOUND, given, NULL, "there is no such plugin file");
  }
  return add_file(search, path, name, search->n_files);
}

/* ---- The environment ---- */
static buddy_code refuse_component(buddy_diags *diags, size_t i, const char *item, size_t size,
                                   const char *rule) {
  bd_text shown;
  bd_text_init(&shown);
  bd_text_shown(&shown, item, size, 80);
  const buddy_code code =
      buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "BUDDY_PLUGIN_PATH",
                      "give absolute directories, separated by one colon each",
                      "item %zu, '%s', %s", i + 1, shown.data, rule);
  bd_text_deinit(&shown);
  return code;
}

static buddy_code add_plugin_path(buddy_search *search, const char *path, buddy_diags *diags) {
  const char *item = path;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; *path; ++i) {
    const size_t size = strcspn(item, ":");
    const char *rule = i >= MAX_PATH_COMPONENTS ? "is one too many: at most 32 are searched"
                       : size == 0              ? "is empty"
                       : *item != '/'           ? "is not absolute"
                       : size >= PATH_MAX - 64  ? "is too long"
                                                : NULL;
    const buddy_code one = rule ? refuse_component(diags, i, item, size, rule)
                                : add_dir_below(search, item, size, "", diags);
    if (one == BUDDY_OUT_OF_MEMORY) return one;
    if (code == BUDDY_OK) code = one;
    if (!item[size] || i >= MAX_PATH_COMPONENTS) break;
    item += size + 1;
  }
  return code;
}

static buddy_code add_user_dir(buddy_search *search, const bd_environment *environment,
                               buddy_diags *diags) {
  static const char below[] = "/" BUDDY_PLUGIN_SUBDIR;
  const char *data = environment->xdg_data_home;
  if (data && *data == '/') return add_dir_below(search, data, strlen(data), below, diags);
  const char *home = environment->home;
  if (!home || *home != '/') return BUDDY_OK;
  return add_dir_below(search, home, strlen(home), "/.local/share/" BUDDY_PLUGIN_SUBDIR, diags);
}

/* The folder of libbuddy, without the dots and links by which the dynamic linker came there. */
static buddy_code add_library_dir(buddy_search *search, const bd_environment *environment,
                                  buddy_diags *diags) {
  char path[PATH_MAX], real[PATH_MAX];
  if (!environment->library_path || make_absolute(environment->library_path, path)) return BUDDY_OK;
  char *slash = strrchr(path, '/');
  *slash = 0;
  const char *dir = realpath(path, real) ? real : path;
  return add_dir_below(search, dir, strlen(dir), "/" BUDDY_PLUGIN_SUBDIR, diags);
}

static buddy_code add_environment(buddy_search *search, const bd_environment *environment,
                                  buddy_diags *diags) {
  const char *system_dir = environment->system_dir;
  if (!environment->is_secure) {
    if (environment->plugin_path) BD_TRY(add_plugin_path(search, environment->plugin_path, diags));
    BD_TRY(add_user_dir(search, environment, diags));
  } else if (environment->plugin_path) {
    BD_TRY(buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, "BUDDY_PLUGIN_PATH", NULL,
                           "is ignored, since this process runs with raised rights"));
  }
  BD_TRY(add_library_dir(search, environment, diags));
  return system_dir && *system_dir == '/' ? add_dir(search, system_dir, diags) : BUDDY_OK;
}

/* ---- The whole ---- */
static int by_name(const void *a, const void *b) {
  const search_file *x = a, *y = b;
  const int order = strcmp(x->found.name, y->found.name);
  if (order) return order;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

static void find_shadows(buddy_search *search) {
  if (search->n_files > 1) qsort(search->files, search->n_files, sizeof *search->files, by_name);
  for (size_t i = 1, winner = 0; i < search->n_files; ++i) {
    if (strcmp(search->files[i].found.name, search->files[winner].found.name) != 0) {
      winner = i;
    } else {
      search->files[i].found.shadowed_by = search->files[winner].found.path;
    }
  }
}

static buddy_code fill(buddy_search *search, const buddy_search_options *options,
                       const bd_environment *environment, buddy_diags *diags) {
  buddy_code code = BUDDY_OK, one;
  for (size_t i = 0; i < options->n_plugin_files; ++i) {
    one = add_given_file(search, options->plugin_files[i], diags);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  for (size_t i = 0; i < options->n_plugin_dirs; ++i) {
    one = add_given_dir(search, options->plugin_dirs[i], diags);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  if (!options->no_environment) {
    one = add_environment(search, environment, diags);
    if (code == BUDDY_OK || one == BUDDY_OUT_OF_MEMORY) code = one;
  }
  find_shadows(search);
  return code;
}

buddy_code bd_search_create_in(const buddy_search_options *options,
                               const bd_environment *environment, buddy_diags *diags,
                               buddy_search **out_search) {
  *out_search = NULL;
  buddy_search_options given = {.struct_size = sizeof given};
  BD_TRY(bd_options_read(&given, sizeof given, options, "buddy_search_options", diags));
  buddy_search *search = bd_calloc(1, sizeof *search);
  if (!search) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = fill(search, &given, environment, diags);
  if (code == BUDDY_OK) {
    *out_search = search;
  } else {
    buddy_search_destroy(search);
  }
  return code;
}

buddy_code buddy_search_create(const buddy_search_options *options, buddy_diags *diags,
                               buddy_search **out_search) {
  bd_environment environment;
  bd_environment_get(&environment);
  return bd_search_create_in(options, &environment, diags, out_search);
}

void buddy_search_destroy(buddy_search *search) {
  if (!search) return;
  bd_arena_deinit(&search->arena);
  bd_free(search->dirs);
  bd_free(search->files);
  bd_free(search);
}

size_t buddy_search_n_found(const buddy_search *search) { return search->n_files; }

const buddy_found *buddy_search_found(const buddy_search *search, size_t i) {
  return i < search->n_files ? &search->files[i].found : NULL;
}

size_t buddy_search_n_dirs(const buddy_search *search) { return search->n_dirs; }

const char *buddy_search_dir(const buddy_search *search, size_t i) {
  return i < search->n_dirs ? search->dirs[i].path : NULL;
}

const buddy_found *bd_search_find(const buddy_search *search, const char *name) {
  size_t low = 0, high = search->n_files; /* the first file whose name is not before `name` */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(search->files[middle].found.name, name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == search->n_files || strcmp(search->files[low].found.name, name) != 0) return NULL;
  return &search->files[low].found;
}
