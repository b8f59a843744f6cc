// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/key.c: hashing what code depends on. Every part is hashed with its length in front, so
 * that no two lists of parts are one. */
#include "sdk/model/key.h"

#include <dlfcn.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/try.h"
#include "sdk/import/archive.h"
#include "sdk/import/other_weights.h"
#include "sdk/model/compiler.h"
#include "sdk/model/registry_calls.h"
#include "sdk/runtime/artifact.h"
#include "sdk/runtime/processor.h"

/* A new option changes the code, or it would not be one: hash it below. */
_Static_assert(sizeof(buddy_compile_options) == 96, "hash_compile reads buddy_compile_options");
/* Registries that the program brings (locals) have no file to compare: not cached (model.c). */
_Static_assert(sizeof(buddy_registries_options) == 64, "hash_order reads buddy_registries_options");

typedef crypto_generichash_state state;

static void hash(state *s, const void *bytes, size_t n) {
  const uint64_t length = n;
  crypto_generichash_update(s, (const unsigned char *)&length, sizeof(length));
  if (n > 0) crypto_generichash_update(s, bytes, n);
}

static void hash_text(state *s, const char *text) {
  hash(s, !text ? "" : text, !text ? 0 : strlen(text) + 1);
}

static void hash_number(state *s, uint64_t number) { hash(s, &number, sizeof(number)); }

/* ---- Files ---- */

/* Which file it is and when it last changed, in any way. By what name it was found says nothing: a
 * command and a program may reach one library by different ones. */
static void hash_file(state *s, const char *path) {
  struct stat status;
  const bool is_there = stat(path, &status) == 0;
  hash_text(s, is_there ? "" : path);
  if (!is_there) return;
  hash_number(s, (uint64_t)status.st_dev);
  hash_number(s, (uint64_t)status.st_ino);
  hash_number(s, (uint64_t)status.st_size);
  hash_number(s, (uint64_t)status.st_mtim.tv_sec);
  hash_number(s, (uint64_t)status.st_mtim.tv_nsec);
  hash_number(s, (uint64_t)status.st_ctim.tv_sec);
  hash_number(s, (uint64_t)status.st_ctim.tv_nsec);
}

/* The library that a function lies in. */
static void hash_library(state *s, const void *function) {
  Dl_info info;
  if (dladdr(function, &info) != 0) hash_file(s, info.dli_fname);
}

#define HASH_LIBRARY_OF(s, function)                     \
  do {                                                   \
    const __typeof__(&(function)) pointer = &(function); \
    const void *address;                                 \
    memcpy(&address, &pointer, sizeof(address));         \
    hash_library(s, address);                            \
  } while (0)

static void hash_libraries(state *s) {
  char compiler[4096];
  hash_text(s, buddy_version());
  hash_number(s, BD_ARTIFACT_FORMAT);
  HASH_LIBRARY_OF(s, buddy_version);
  HASH_LIBRARY_OF(s, buddy_archive_open);
  HASH_LIBRARY_OF(s, buddy_runtime_load);
  if (bd_compiler_path(compiler, sizeof(compiler))) hash_file(s, compiler);
}

/* ---- The archive ---- */

/* What decides nothing of the code, or only where the importer says so (reads.h). */
static bool is_data(const char *name) {
  const char *folder = strchr(name, '/');
  return folder &&
         (strncmp(folder, "/data/weights/weight_", 21) == 0 || strncmp(folder, "/extra/", 7) == 0);
}

/* Another file of weights: where it lies, and where its tensors do. What the code is made of is read, and
 * compared, as are weights of the archive (reads.h). */
static void hash_other_weights(state *s, const buddy_archive *archive) {
  const bd_other_weights *other = bd_archive_other_weights(archive);
  hash_number(s, other ? 1 : 0);
  if (!other) return;
  const uint8_t *start = bd_archive_bytes(archive, NULL);
  hash_number(s, (uint64_t)(other->file.bytes - start));
  hash(s, other->file.bytes, (size_t)other->file.n_head);
  hash_text(s, other->names);
}

/* Weights and the caller's files by place, size and checksum; programs and all else by content. */
static void hash_archive(state *s, const buddy_archive *archive) {
  const bd_zip *zip = bd_archive_zip(archive);
  const char *start = bd_archive_bytes(archive, NULL);
  hash_text(s, bd_archive_model(archive));
  hash_other_weights(s, archive);
  for (size_t i = 0; i < bd_zip_n_entries(zip); ++i) {
    const bd_zip_entry *entry = bd_zip_entry_at(zip, i);
    hash_text(s, entry->name);
    hash_number(s, (uint64_t)((const char *)entry->bytes - start));
    hash_number(s, entry->size);
    hash_number(s, entry->crc);
    if (!is_data(entry->name)) hash(s, entry->bytes, entry->stored_size);
  }
}

int bd_key_holds(const buddy_archive *archive, const bd_archive_part *part) {
  const bd_zip *zip = bd_archive_zip(archive);
  const char *start = bd_archive_bytes(archive, NULL);
  for (size_t i = 0; i < bd_zip_n_entries(zip); ++i) {
    const bd_zip_entry *entry = bd_zip_entry_at(zip, i);
    const uint64_t at = (uint64_t)((const char *)entry->bytes - start);
    if (part->at >= at && part->at - at < entry->stored_size) return !is_data(entry->name);
  }
  return 0;
}

/* ---- Options ---- */

static void hash_compile(state *s, const buddy_compile_options *o) {
  const bool has_level = o && BUDDY_HAS(o, buddy_compile_options, opt_level);
  hash_number(s, has_level && o->opt_level != -1 ? (uint64_t)o->opt_level : 0);
  hash_text(s, o && BUDDY_HAS(o, buddy_compile_options, pipeline) ? o->pipeline : NULL);
  hash_text(s, o && BUDDY_HAS(o, buddy_compile_options, schedule) ? o->schedule : NULL);
  hash_number(s, o && BUDDY_HAS(o, buddy_compile_options, winograd) ? (uint64_t)o->winograd : 0);
  hash_number(s, o && BUDDY_HAS(o, buddy_compile_options, fusion) ? (uint64_t)o->fusion : 0);
  hash_number(s, o && BUDDY_HAS(o, buddy_compile_options, folding) ? (uint64_t)o->folding : 0);
  hash_text(s, o && BUDDY_HAS(o, buddy_compile_options, without) ? o->without : NULL);
}

static void hash_order(state *s, const buddy_registries_options *o) {
  hash_text(s, bd_model_order(o));
  const size_t n = o && BUDDY_HAS(o, buddy_registries_options, n_pins) ? o->n_pins : 0;
  hash_number(s, n);
  for (size_t i = 0; i < n; ++i) hash_text(s, o->pins[i]);
  const char *pins = bd_model_reads_environment(o) ? secure_getenv("BUDDY_PINS") : NULL;
  hash_text(s, pins ? pins : "");
  const buddy_chooser *chooser =
      o && BUDDY_HAS(o, buddy_registries_options, chooser) ? o->chooser : NULL;
  hash_text(s, chooser ? chooser->key : NULL);
}

static buddy_code hash_registries(state *s, const buddy_search_options *options,
                                  buddy_diags *diags) {
  buddy_search *search = NULL;
  BD_TRY(buddy_search_create(options, diags, &search));
  for (size_t i = 0; i < buddy_search_n_found(search); ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    hash_text(s, found->name);
    hash_number(s, (uint64_t)found->code);
    hash_file(s, found->path);
  }
  buddy_search_destroy(search);
  return BUDDY_OK;
}

buddy_code bd_key_ground(const buddy_model_options *options, buddy_diags *diags,
                         uint8_t *out_ground) {
  state s;
  char processor[256];
  const buddy_search_options *search = NULL;
  if (options && BUDDY_HAS(options, buddy_model_options, search)) search = options->search;
  if (sodium_init() < 0) return BUDDY_INTERNAL;
  crypto_generichash_init(&s, NULL, 0, BD_KEY_SIZE);
  hash_libraries(&s);
  bd_processor_identify(processor, sizeof(processor));
  hash_text(&s, processor);
  const buddy_code code = hash_registries(&s, search, diags);
  crypto_generichash_final(&s, out_ground, BD_KEY_SIZE);
  return code;
}

void bd_key_compute(const buddy_archive *archive, const uint8_t *ground,
                    const buddy_model_options *options, uint8_t *out_key) {
  state s;
  const buddy_registries_options *registries = NULL;
  const buddy_compile_options *compile = NULL;
  if (options && BUDDY_HAS(options, buddy_model_options, registries))
    registries = options->registries;
  if (options && BUDDY_HAS(options, buddy_model_options, compile)) compile = options->compile;
  crypto_generichash_init(&s, NULL, 0, BD_KEY_SIZE);
  hash(&s, ground, BD_KEY_SIZE);
  hash_compile(&s, compile);
  hash_order(&s, registries);
  if (options && BUDDY_HAS(options, buddy_model_options, tensor_parallel_plan)) {
    hash_number(&s, options->tensor_parallel);
    hash_number(&s, options->tensor_parallel_rank);
    hash_text(&s, options->tensor_parallel > 1 ? options->tensor_parallel_plan : NULL);
  }
  if (options && BUDDY_HAS(options, buddy_model_options, pairs_in_place))
    hash_number(&s, options->pairs_in_place != 0);
  if (options && BUDDY_HAS(options, buddy_model_options, sizes)) hash_text(&s, options->sizes);
  hash_archive(&s, archive);
  crypto_generichash_final(&s, out_key, BD_KEY_SIZE);
}

void bd_key_name(const uint8_t *key, const char *what, uint8_t *out_key) {
  crypto_generichash(out_key, BD_KEY_SIZE, key, BD_KEY_SIZE, (const unsigned char *)what,
                     strlen(what) + 1);
}
