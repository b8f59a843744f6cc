// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/model.c: an archive becomes a model: from the cache, or through the compiler; see
 * buddy/compile.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bytes.h"
#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/import/archive.h"
#include "sdk/model/calibration.h"
#include "sdk/model/compiler.h"
#include "sdk/model/key.h"
#include "sdk/model/pins.h"
#include "sdk/model/reads.h"
#include "sdk/model/registry_calls.h"
#include "sdk/model/remarks.h"
#include "sdk/model/source.h"
#include "sdk/model/store.h"
#include "sdk/runtime/library.h"
#include "sdk/runtime/program.h"
#include "sdk/runtime/threads.h"

/* What a model from the cache stands on, besides its library: the mapped weights, and the
 * registries whose functions it calls. */
typedef struct stand {
  bd_model_owner inner;
  buddy_archive *archive;
  bd_registry_calls calls;
} stand;

static void release(void *object) {
  stand *s = object;
  if (s->inner.release) s->inner.release(s->inner.object);
  bd_registry_calls_close(&s->calls);
  if (s->archive) buddy_archive_close(s->archive);
  free(s);
}

/* The code of a sealed memory file, over the weights of the archive, which the model takes over. */
static buddy_code load_code(int memory, buddy_archive *archive, const buddy_model_options *options,
                            buddy_diags *diags, buddy_model **out_model) {
  char path[160];
  size_t n_bytes = 0;
  stand *s = bd_calloc(1, sizeof(stand));
  if (!s) return BUDDY_OUT_OF_MEMORY;
  const char *bytes = bd_archive_bytes(archive, &n_bytes);
  snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
  const bd_library_ground ground = {bytes, n_bytes, bd_registry_calls_resolve, &s->calls};
  s->calls.options = options;
  const buddy_code code = bd_library_open_on(path, &ground, diags, out_model);
  s->calls.options = NULL;
  if (code != BUDDY_OK) {
    release(s);
    return code;
  }
  s->archive = archive;
  s->inner = bd_model_owned(*out_model);
  bd_model_own(*out_model, (bd_model_owner){release, s});
  return BUDDY_OK;
}

/* What was wrong with the cache does not end a load. */
static void warn(const buddy_diags *problems, buddy_diags *diags) {
  for (size_t i = 0; i < buddy_diags_count(problems); ++i) {
    const buddy_diag *why = buddy_diags_get(problems, i);
    buddy_diags_add(diags, BUDDY_WARNING, why->code, why->where, why->todo, "%s", why->what);
  }
}

static void keep(const bd_store *store, const uint8_t *key, buddy_archive *archive,
                 const bd_bytes *image, buddy_diags *diags) {
  uint8_t own[BD_KEY_SIZE];
  buddy_diags *problems = NULL;
  if (buddy_diags_create(&problems) != BUDDY_OK) return;
  buddy_code code = bd_reads_keep(store, key, archive, problems, own);
  if (code == BUDDY_OK) code = bd_store_add(store, own, image->data, image->size, problems);
  if (code != BUDDY_OK) warn(problems, diags);
  buddy_diags_destroy(problems);
}

/* Compiles, and keeps the code if that can be. BUDDY_OK and no memory file: this one is compiled in
 * the process. */
static buddy_code fill(const bd_store *store, const uint8_t *key, const char *path,
                       buddy_archive *archive, const buddy_model_options *options,
                       buddy_diags *diags, int *out_memory) {
  bd_bytes image = {.data = NULL};
  const buddy_writer writer = bd_bytes_writer(&image);
  const size_t first_remark = buddy_diags_count(diags);
  *out_memory = -1;
  buddy_code code = bd_compiler_write_image(path, archive, options, &writer, diags);
  if (code == BUDDY_OK) code = bd_remarks_append(&image, diags, first_remark);
  if (code == BUDDY_OK) {
    keep(store, key, archive, &image, diags);
    *out_memory = bd_memory_file(image.data, image.size, true);
  }
  bd_bytes_deinit(&image);
  return code == BUDDY_DECLINED ? BUDDY_OK : code;
}

/* The code of the archive under these options, from the cache or into it. archive: taken over with
 * a model, and set to null. */
static buddy_code serve(const bd_store *store, const uint8_t *key, const char *path,
                        buddy_archive **archive, const buddy_model_options *options,
                        buddy_diags *diags, buddy_model **out_model) {
  uint8_t own[BD_KEY_SIZE];
  buddy_code code = bd_reads_find(store, key, *archive, diags, own);
  int memory = code == BUDDY_OK ? bd_store_find(store, own, diags) : -1;
  if (memory >= 0) {
    bd_remarks_tell(memory, diags);
  } else if (code == BUDDY_OK && !options->only_cached) {
    code = fill(store, key, path, *archive, options, diags, &memory);
  }
  if (code == BUDDY_OK && memory >= 0) {
    code = load_code(memory, *archive, options, diags, out_model);
    if (code == BUDDY_OK) *archive = NULL;
  }
  if (memory >= 0) close(memory);
  return code;
}

/* Likewise, with the pins that a search has found for the archive and the options. */
static buddy_code serve_tuned(const bd_store *store, const uint8_t *ground, const char *path,
                              buddy_archive **archive, const buddy_model_options *options,
                              buddy_diags *diags, buddy_model **out_model) {
  uint8_t key[BD_KEY_SIZE];
  char *pins = NULL;
  bd_key_compute(*archive, ground, options, key);
  buddy_code code = bd_pins_find(store, key, diags, &pins);
  if (code == BUDDY_OK && (!pins || *pins == '\0')) {
    code = serve(store, key, path, archive, options, diags, out_model);
  } else if (code == BUDDY_OK) {
    bd_pinned pinned;
    code = bd_pinned_init(options, pins, &pinned);
    if (code == BUDDY_OK) {
      bd_key_compute(*archive, ground, &pinned.how.options, key);
      code = serve(store, key, path, archive, &pinned.how.options, diags, out_model);
    }
    bd_pinned_deinit(&pinned);
  }
  free(pins);
  return code;
}

/* Likewise, with what was measured on this machine, unless the options say what to take. */
static buddy_code serve_chosen(const bd_store *store, const char *path, buddy_archive **archive,
                               const buddy_model_options *options, buddy_diags *diags,
                               buddy_model **out_model) {
  uint8_t ground[BD_KEY_SIZE];
  bd_chosen chosen = {.calibration = NULL};
  buddy_code code = bd_key_ground(options, diags, ground);
  if (code == BUDDY_OK) code = bd_chosen_init(store, ground, options, diags, &chosen);
  if (code == BUDDY_OK)
    code = serve_tuned(store, ground, path, archive, &chosen.how.options, diags, out_model);
  bd_chosen_deinit(&chosen);
  return code;
}

/* out_model stays null where the cache cannot serve; the reason is a warning then. */
static buddy_code load_cached(const char *path, const buddy_model_options *options,
                              buddy_diags *diags, buddy_model **out_model) {
  bd_store store;
  buddy_archive *archive = NULL;
  buddy_diags *problems = NULL;
  if (buddy_diags_create(&problems) != BUDDY_OK) return BUDDY_OUT_OF_MEMORY;
  const buddy_code opened = bd_store_open(options->cache_dir, 1, problems, &store);
  if (opened != BUDDY_OK) {
    warn(problems, diags);
    buddy_diags_destroy(problems);
    return BUDDY_OK;
  }
  buddy_diags_destroy(problems);
  buddy_code code = bd_model_archive_open(path, options, diags, &archive);
  if (code == BUDDY_OK) code = serve_chosen(&store, path, &archive, options, diags, out_model);
  if (archive) buddy_archive_close(archive);
  bd_store_close(&store);
  return code;
}

/* Code that measures its steps is not kept, nor code of registries that have no file. */
static bool wants_cache(const bd_model_how *how) {
  const buddy_chooser *chooser = how->registries.chooser;
  const bool has_key = !chooser || chooser->key;
  return how->options.use_cache && !how->compile.profile && how->registries.n_locals == 0 &&
         has_key;
}

/* A library is the program that it was compiled as. */
static buddy_code load_library(const char *path, const bd_model_how *how, buddy_diags *diags,
                               buddy_model **out_model) {
  const buddy_model_options *o = &how->options;
  const struct {
    const char *name;
    bool is_given;
  } changes[] = {{"other weights", o->weights || o->weight_names},
                 {"chosen sizes", o->sizes},
                 {"a cut for several ranks", o->tensor_parallel > 1},
                 {"pairs in place", o->pairs_in_place}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    if (changes[i].is_given)
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, path,
                             "load the archive with it, or compile a library with it",
                             "%s cannot be had of a library, which is compiled", changes[i].name);
  }
  return bd_library_open(path, o->program, diags, out_model);
}

static buddy_code load(const char *path, const bd_model_how *how, buddy_diags *diags,
                       buddy_model **out_model) {
  if (bd_library_is_named(path)) return load_library(path, how, diags, out_model);
  buddy_code code = BUDDY_OK;
  if (wants_cache(how)) code = load_cached(path, &how->options, diags, out_model);
  if (code != BUDDY_OK || *out_model) return code;
  if (how->options.only_cached)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, path, "load it once without",
                           "the cache has no code for it, and nothing is to be compiled");
  return bd_compiler_compile(path, &how->options, diags, out_model);
}

/* Of variables that say nothing, who set them is to hear. */
static void tell_unread(const buddy_model_options *o, buddy_diags *diags) {
  const char *threads = o->n_threads == 0 ? bd_threads_unread() : NULL,
             *size = o->use_cache ? bd_store_size_unread() : NULL;
  if (threads)
    buddy_diags_add(diags, BUDDY_WARNING, BUDDY_OK, "BUDDY_THREADS",
                    "write it like BUDDY_THREADS=4",
                    "'%.80s' is no number of threads, and is passed over", threads);
  if (size)
    buddy_diags_add(diags, BUDDY_WARNING, BUDDY_OK, "BUDDY_CACHE_SIZE",
                    "write it in MiB, like BUDDY_CACHE_SIZE=2048",
                    "'%.80s' is no size, and is passed over", size);
}

/* What of the options is for the runs of a model, however its code was made. A model that cannot have
 * them is destroyed. */
static buddy_code set_up(const bd_model_how *how, buddy_diags *diags, buddy_model **model) {
  const buddy_model_options *o = &how->options;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < o->n_settings && code == BUDDY_OK; ++i) {
    if (strchr(o->settings[i], '=')) continue;
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, o->settings[i],
                           "write it like dist.transport=mpi", "the setting is no NAME=VALUE");
  }
  bd_run_pool *pool = buddy_model_program(*model)->pool;
  if (code == BUDDY_OK) code = bd_run_pool_set_settings(pool, o->settings, o->n_settings);
  buddy_model_set_threads(*model, o->n_threads);
  tell_unread(o, diags);
  if (code == BUDDY_OK) return code;
  buddy_model_destroy(*model);
  *model = NULL;
  return code;
}

buddy_code buddy_model_load(const char *path, const buddy_model_options *options,
                            buddy_diags *diags, buddy_model **out_model) {
  BD_C_LOCALE();
  bd_model_how how;
  *out_model = NULL;
  BD_TRY(bd_model_how_read(options, diags, &how));
  BD_TRY(load(path, &how, diags, out_model));
  return set_up(&how, diags, out_model);
}

buddy_code buddy_model_load_library(const char *path, const buddy_model_options *options,
                                    buddy_diags *diags, buddy_model **out_model) {
  bd_model_how how;
  *out_model = NULL;
  BD_TRY(bd_model_how_read(options, diags, &how));
  BD_TRY(load_library(path, &how, diags, out_model));
  return set_up(&how, diags, out_model);
}
