// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/programs.c: listing an archive's programs. package_pt2() writes models/NAME.json for
 * each program, and extra/NAME for each file that it was given. */
#include "sdk/import/programs.h"

#include <string.h>

#include "core/base/text.h"
#include "sdk/import/build.h"

#define MAX_LISTED 16 /* in one message */
#define MAX_SHOWN 80  /* bytes of one name there */

/* What is below the folder, or null. */
static const char *below(const char *name, const char *folder) {
  const size_t n = strlen(folder);
  return strncmp(name, folder, n) ? NULL : name + n;
}

/* The part between models/ and .json, in *out_n bytes; or null. */
static const char *program_of(const char *path, size_t *out_n) {
  static const char suffix[] = ".json";
  const char *name = below(path, "models/");
  const size_t n = name ? strlen(name) : 0, n_suffix = sizeof suffix - 1;
  if (n <= n_suffix || strcmp(name + n - n_suffix, suffix) || strchr(name, '/')) return NULL;
  *out_n = n - n_suffix;
  return name;
}

/* The part after extra/, or null; folders are no files. */
static const char *extra_of(const char *path) {
  const char *name = below(path, "extra/");
  return name && *name && name[strlen(name) - 1] != '/' ? name : NULL;
}

static buddy_code add(const bd_zip_entry *entry, const char *path, bd_arena *arena,
                      bd_programs *programs) {
  size_t n;
  const char *name = program_of(path, &n), *extra = extra_of(path);
  if (name) {
    const char *copy = bd_arena_text(arena, name, n);
    if (!copy) return BUDDY_OUT_OF_MEMORY;
    if (programs->names) programs->names[programs->n] = copy;
    ++programs->n;
  } else if (extra) {
    if (programs->extra)
      programs->extra[programs->n_extra] = (bd_extra_file){.name = extra, .entry = entry};
    ++programs->n_extra;
  }
  return BUDDY_OK;
}

/* Counts where there is no room yet. */
static buddy_code look(const bd_zip *zip, const char *folder, bd_arena *arena,
                       bd_programs *programs) {
  programs->n = programs->n_extra = 0;
  for (size_t i = 0; i < bd_zip_n_entries(zip); ++i) {
    const bd_zip_entry *entry = bd_zip_entry_at(zip, i);
    const char *path = below(entry->name, folder);
    if (path) BD_TRY(add(entry, path, arena, programs));
  }
  return BUDDY_OK;
}

buddy_code bd_programs_list(const bd_zip *zip, const char *folder, bd_arena *arena,
                            bd_programs *out_programs) {
  *out_programs = (bd_programs){0};
  BD_TRY(look(zip, folder, arena, out_programs));
  out_programs->names = bd_arena_calloc(arena, out_programs->n + 1, sizeof *out_programs->names);
  out_programs->extra =
      bd_arena_calloc(arena, out_programs->n_extra + 1, sizeof *out_programs->extra);
  if (!out_programs->names || !out_programs->extra) return BUDDY_OUT_OF_MEMORY;
  return look(zip, folder, arena, out_programs);
}

buddy_code bd_programs_list_one(bd_arena *arena, const char *name, bd_programs *out_programs) {
  *out_programs = (bd_programs){.names = bd_arena_calloc(arena, 1, sizeof name), .n = 1};
  if (!out_programs->names) return BUDDY_OUT_OF_MEMORY;
  out_programs->names[0] = name;
  return BUDDY_OK;
}

static const char *find(const bd_programs *programs, const char *name) {
  for (size_t i = 0; i < programs->n; ++i) {
    if (!strcmp(programs->names[i], name)) return programs->names[i];
  }
  return NULL;
}

static buddy_code refuse(const bd_programs *programs, const char *where, const char *name,
                         buddy_diags *diags) {
  bd_text names;
  bd_text_init(&names);
  for (size_t i = 0; i < programs->n && i < MAX_LISTED; ++i) {
    bd_text_format(&names, "%s'%.*s'", i ? ", " : "", MAX_SHOWN, programs->names[i]);
  }
  if (programs->n > MAX_LISTED) bd_text_format(&names, " and %zu more", programs->n - MAX_LISTED);
  buddy_code code = names.code;
  if (!code && name) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, where, "choose one of them",
                           "the archive has no program '%.*s'; it holds %s", MAX_SHOWN, name,
                           names.data);
  } else if (!code) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where,
                           "choose one by its name: --program NAME, or buddy_model_options.program",
                           "the archive holds %zu programs: %s", programs->n, names.data);
  }
  bd_text_deinit(&names);
  return code;
}

buddy_code bd_programs_choose(const bd_programs *programs, const char *where, const char *name,
                              buddy_diags *diags, const char **out_name) {
  const char *found = find(programs, name ? name : "model");
  if (!found && !name && programs->n == 1) found = programs->names[0];
  if (!found) return refuse(programs, where, name, diags);
  *out_name = found;
  return BUDDY_OK;
}
