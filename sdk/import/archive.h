// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/archive.h: the parts of a .pt2 archive, by their role. */
#ifndef BUDDY_SDK_IMPORT_ARCHIVE_H
#define BUDDY_SDK_IMPORT_ARCHIVE_H

#include "buddy/import.h"
#include "core/base/arena.h"
#include "sdk/import/json.h"
#include "sdk/import/zip.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits on what is read whole into memory. */
#define BD_MAX_JSON_BYTES ((size_t)1 << 30)

/* The same as buddy_archive_open for bytes that the caller keeps until the archive is closed.
 * `where` names them. */
BUDDY_EXPORT buddy_code bd_archive_open_memory(const void *bytes, size_t n_bytes, const char *where,
                                               buddy_diags *diags, buddy_archive **out_archive);

/* ---- given.c: programs without a file ---- */
typedef struct bd_given bd_given;
/* Judges and copies what buddy_archive_create takes. Lives in the arena, but for its index. */
buddy_code bd_given_create(bd_arena *arena, const char *where, buddy_sv program,
                           const buddy_named_tensor *tensors, size_t n_tensors, buddy_diags *diags,
                           bd_given **out_given);
void bd_given_destroy(bd_given *given); /* null is allowed */
/* Its text, with BD_JSON_PADDING after. */
buddy_sv bd_given_program(const bd_given *given);
const buddy_named_tensor *bd_given_tensor(const bd_given *given, const char *name);
/* The number of elements of its storage that a tensor reaches; false if that overflows. strides:
 * null: contiguous. */
bool bd_reach(const buddy_tensor_type *type, const int64_t *strides, int64_t offset,
              int64_t *out_n);

/* What the archive was created from; null if it is a file. */
const bd_given *bd_archive_given(const buddy_archive *archive);

/* The file of its parameters, if that is another one; else null. */
BUDDY_EXPORT const struct bd_other_weights *bd_archive_other_weights(const buddy_archive *archive);

/* The file as it lies in memory, and another one of its parameters after it; out_n may be null. */
BUDDY_EXPORT const void *bd_archive_bytes(const buddy_archive *archive, size_t *out_n);
BUDDY_EXPORT const bd_zip *bd_archive_zip(const buddy_archive *archive);

/* ---- What was read: code is made of these bytes, and of none else ---------------------------- */
/* A part of the file. */
typedef struct bd_archive_part {
  uint64_t at, size;
} bd_archive_part;
/* Bytes of an entry, to be looked at now. Weights are mapped for the program that runs; whatever of
 * the file decides what the program is comes through this call, which remembers it. archive: null
 * for a graph that is of none. Null: memory is out. */
const void *bd_archive_read(buddy_archive *archive, const void *bytes, size_t size);
/* All that was read, in the order in which it was; n = 0: nothing. */
BUDDY_EXPORT const bd_archive_part *bd_archive_reads(const buddy_archive *archive, size_t *out_n);

/* As buddy_archive_set_sizes took them; null: none. */
const char *bd_archive_sizes(const buddy_archive *archive);
const char *bd_archive_where(const buddy_archive *archive);
/* The name of the chosen program: "model" for models/model.json; null: none is. */
BUDDY_EXPORT const char *bd_archive_model(const buddy_archive *archive);
/* An entry below the archive's folder: "data/weights/weight_0"; null if there is none. */
const bd_zip_entry *bd_archive_find(const buddy_archive *archive, const char *path);
/* Parses a JSON entry; its checksum must be right. BUDDY_CORRUPT if there is no such entry. */
buddy_code bd_archive_json(buddy_archive *archive, const char *path, buddy_diags *diags,
                           bd_json_document **out_document);
buddy_code bd_archive_set_versions(buddy_archive *archive, int64_t major, int64_t minor,
                                   const char *torch);
/* Zeroed memory that lives as long as the archive, for constants that the importer makes; null:
 * memory is out. */
void *bd_archive_alloc(buddy_archive *archive, size_t size);

/* The dtype of PyTorch's number in the serialized schema; BUDDY_DTYPE_NONE: buddy has none. */
BUDDY_EXPORT buddy_dtype bd_dtype_serialized(int64_t number);

#ifdef __cplusplus
}
#endif
#endif
