// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/archive.c: the layout of a .pt2 archive.
 *
 * A zip (zip.c) with one folder, whose name is free. Below it:
 *
 *   1  archive_format                           "pt2"
 *   2  archive_version                          "0"
 *   3  byteorder                                "little"
 *   4  models/NAME.json                         the program; NAME is mostly "model"
 *   5  data/weights/NAME_weights_config.json    parameters and buffers: path, type, strides
 *   6  data/weights/weight_N                    raw bytes of one storage
 *   7  data/constants/NAME_constants_config.json  constants, and buffers that are not weights
 *   8  data/constants/tensor_N                  raw bytes of one storage
 *   9  data/sample_inputs/NAME.pt               a pickle: not read
 *  10  extra/NAME                               what the caller gave along, as it is
 *
 * The file is mapped. JSON is parsed where it lies whenever simdjson may read a few bytes after
 * it. */
#include "sdk/import/archive.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "sdk/import/other_weights.h"
#include "sdk/import/programs.h"

#define MAX_INFLATION 1040u /* deflate's best is 1,032 bytes from one */

struct buddy_archive {
  bd_arena arena;
  const char *where;
  const uint8_t *bytes;
  size_t n_bytes, n_file; /* with another file of weights; without */
  bool is_mapped;
  bd_other_weights *other;
  bd_zip *zip;
  bd_given *given;    /* null: a file */
  const char *folder; /* "mlp/" */
  bd_programs programs;
  const char *model; /* the program that is imported; null: none is chosen */
  const char *sizes; /* of its inputs; null: as they come */
  const char *schema_version, *torch_version;
  bd_archive_part *reads;
  size_t n_reads, reads_capacity;
};

static const char not_written_by_save[] =
    "write the archive with torch.export.save of PyTorch 2.8 or newer";

const char *bd_archive_where(const buddy_archive *archive) { return archive->where; }
const void *bd_archive_bytes(const buddy_archive *archive, size_t *out_n) {
  if (out_n) *out_n = archive->n_bytes;
  return archive->bytes;
}

const bd_zip *bd_archive_zip(const buddy_archive *archive) { return archive->zip; }
const char *bd_archive_model(const buddy_archive *archive) { return archive->model; }
const char *buddy_archive_schema_version(const buddy_archive *archive) {
  return archive->schema_version;
}
const char *buddy_archive_torch_version(const buddy_archive *archive) {
  return archive->torch_version;
}
const bd_given *bd_archive_given(const buddy_archive *archive) { return archive->given; }
void *bd_archive_alloc(buddy_archive *archive, size_t size) {
  return bd_arena_calloc(&archive->arena, 1, size);
}

buddy_code bd_archive_set_versions(buddy_archive *archive, int64_t major, int64_t minor,
                                   const char *torch) {
  const char *schema =
      bd_arena_format(&archive->arena, "%lld.%lld", (long long)major, (long long)minor);
  const char *copy = bd_arena_strdup(&archive->arena, torch);
  if (!schema || !copy) return BUDDY_OUT_OF_MEMORY;
  archive->schema_version = schema;
  archive->torch_version = copy;
  return BUDDY_OK;
}

const void *bd_archive_read(buddy_archive *archive, const void *bytes, size_t size) {
  if (!archive) return bytes;
  const uintptr_t start = (uintptr_t)archive->bytes, at = (uintptr_t)bytes;
  /* What a program in this process gave, or the importer made, is no part of a file. */
  if (at < start || at - start > archive->n_bytes || size > archive->n_bytes - (at - start))
    return bytes;
  bd_archive_part *reads =
      bd_array_grow(archive->reads, &archive->reads_capacity, archive->n_reads + 1, sizeof *reads);
  if (!reads) return NULL;
  archive->reads = reads;
  reads[archive->n_reads++] = (bd_archive_part){at - start, size};
  return bytes;
}

const bd_archive_part *bd_archive_reads(const buddy_archive *archive, size_t *out_n) {
  *out_n = archive->n_reads;
  return archive->reads;
}

/* ---- Entries ---- */

const bd_zip_entry *bd_archive_find(const buddy_archive *archive, const char *path) {
  if (!archive->zip) return NULL;
  char name[BD_ZIP_MAX_NAME + 1];
  const int n = snprintf(name, sizeof name, "%s%s", archive->folder, path);
  return n > 0 && (size_t)n < sizeof name ? bd_zip_find(archive->zip, name) : NULL;
}

static buddy_code missing(const buddy_archive *archive, buddy_diags *diags, const char *path) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, archive->where, not_written_by_save,
                         "the archive has no entry '%s%s'", archive->folder, path);
}

/* A stored text of one line must be one of the words given. */
static buddy_code expect(const buddy_archive *archive, buddy_diags *diags, const char *path,
                         const char *word, bool is_required) {
  const bd_zip_entry *entry = bd_archive_find(archive, path);
  if (!entry) return is_required ? missing(archive, diags, path) : BUDDY_OK;
  size_t n = entry->stored_size;
  while (n > 0 && (entry->bytes[n - 1] == '\n' || entry->bytes[n - 1] == ' ')) --n;
  if (entry->is_stored && n == strlen(word) && !memcmp(entry->bytes, word, n)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, archive->where,
                         not_written_by_save, "the archive's %s is '%.*s'; only '%s' is known",
                         path, entry->is_stored ? (int)(n < 40 ? n : 40) : 0,
                         (const char *)entry->bytes, word);
}

/* Of several programs the caller chooses one later. */
static buddy_code find_programs(buddy_archive *archive, buddy_diags *diags) {
  BD_TRY(bd_programs_list(archive->zip, archive->folder, &archive->arena, &archive->programs));
  if (archive->programs.n == 0) return missing(archive, diags, "models/model.json");
  buddy_code code = buddy_archive_choose(archive, NULL, NULL);
  return code == BUDDY_INVALID_ARGUMENT ? BUDDY_OK : code;
}

/* That of the first entry; none where that is in none. */
static buddy_code find_folder(buddy_archive *archive) {
  archive->folder = "";
  if (bd_zip_n_entries(archive->zip) == 0) return BUDDY_OK;
  const char *first = bd_zip_entry_at(archive->zip, 0)->name;
  const char *slash = strchr(first, '/');
  if (!slash) return BUDDY_OK;
  archive->folder = bd_arena_text(&archive->arena, first, (size_t)(slash - first) + 1);
  return archive->folder ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

/* Zips of PyTorch that torch.export.save did not write, by an entry that only they have. */
static const struct other_zip {
  const char *entry, *what, *help;
} other_zips[] = {
    {"serialized_exported_program.json",
     "the archive is of an older PyTorch, whose weights are pickles, which are never executed",
     "load it there with torch.export.load and save it with PyTorch 2.8 or newer"},
    {"constants.pkl", "the file is a TorchScript program, whose weights are pickles",
     "export the model itself with torch.export.export, and write it with torch.export.save"},
    {"data.pkl", "torch.save wrote the file: weights or a module as a pickle",
     "load it into the model, export that with torch.export.export, and write it with "
     "torch.export.save"},
};

static buddy_code refuse_others(const buddy_archive *archive, buddy_diags *diags) {
  for (size_t i = 0; i < sizeof other_zips / sizeof *other_zips; ++i) {
    if (bd_archive_find(archive, other_zips[i].entry))
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, archive->where,
                             other_zips[i].help, "%s", other_zips[i].what);
  }
  return BUDDY_OK;
}

static buddy_code open_zip(buddy_archive *archive, buddy_diags *diags) {
  BD_TRY(bd_zip_open(archive->bytes, archive->n_file, archive->where, diags, &archive->zip));
  BD_TRY(find_folder(archive));
  BD_TRY(refuse_others(archive, diags));
  BD_TRY(expect(archive, diags, "archive_format", "pt2", true));
  BD_TRY(expect(archive, diags, "archive_version", "0", false));
  BD_TRY(expect(archive, diags, "byteorder", "little", false));
  return find_programs(archive, diags);
}

static buddy_code create(const char *where, buddy_archive **out_archive) {
  *out_archive = NULL;
  buddy_archive *archive = bd_calloc(1, sizeof *archive);
  if (!archive) return BUDDY_OUT_OF_MEMORY;
  bd_arena_init(&archive->arena);
  archive->schema_version = archive->torch_version = "";
  archive->where = bd_arena_strdup(&archive->arena, where);
  if (!archive->where) {
    buddy_archive_close(archive);
    return BUDDY_OUT_OF_MEMORY;
  }
  *out_archive = archive;
  return BUDDY_OK;
}

static buddy_code finish_open(buddy_archive *archive, buddy_diags *diags,
                              buddy_archive **out_archive) {
  const buddy_code code = open_zip(archive, diags);
  if (code) {
    buddy_archive_close(archive);
  } else {
    *out_archive = archive;
  }
  return code;
}

buddy_code bd_archive_open_memory(const void *bytes, size_t n_bytes, const char *where,
                                  buddy_diags *diags, buddy_archive **out_archive) {
  *out_archive = NULL;
  buddy_archive *archive;
  BD_TRY(create(where, &archive));
  archive->bytes = bytes;
  archive->n_bytes = archive->n_file = n_bytes;
  return finish_open(archive, diags, out_archive);
}

buddy_code buddy_archive_create(const char *where, buddy_sv program,
                                const buddy_named_tensor *tensors, size_t n_tensors,
                                buddy_diags *diags, buddy_archive **out_archive) {
  *out_archive = NULL;
  buddy_archive *archive;
  BD_TRY(create(where ? where : "program", &archive));
  archive->folder = "";
  buddy_code code = bd_programs_list_one(&archive->arena, "model", &archive->programs);
  if (!code) code = buddy_archive_choose(archive, NULL, diags);
  if (!code)
    code = bd_given_create(&archive->arena, archive->where, program, tensors, n_tensors, diags,
                           &archive->given);
  if (code) {
    buddy_archive_close(archive);
  } else {
    *out_archive = archive;
  }
  return code;
}

static buddy_code map_opened(buddy_archive *archive, const bd_infile *file, const char *path,
                             buddy_diags *diags) {
  bd_fault fault;
  if (file->size == 0)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path, not_written_by_save,
                           "the file is empty");
  archive->bytes = bd_infile_map(file);
  if (!archive->bytes) {
    bd_fault_errno(&fault, "the file cannot be mapped");
    return buddy_diags_add(diags, BUDDY_ERROR, fault.code, path, NULL, "%s", fault.text);
  }
  archive->n_bytes = archive->n_file = file->size;
  archive->is_mapped = true;
  if (file->size < 4 || memcmp(archive->bytes, "\177ELF", 4)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path,
                         "if `buddy compile` wrote it: buddy run --library",
                         "this is a shared library or a program, and no archive");
}

static buddy_code map_file(buddy_archive *archive, const char *path, buddy_diags *diags) {
  bd_infile file;
  bd_fault fault;
  if (!bd_infile_try(path, &file, &fault)) {
    return buddy_diags_add(diags, BUDDY_ERROR, fault.code, path,
                           fault.code == BUDDY_CORRUPT ? not_written_by_save : NULL, "the file %s",
                           fault.text);
  }
  const buddy_code code = map_opened(archive, &file, path, diags);
  bd_infile_close(&file);
  return code;
}

buddy_code buddy_archive_open(const char *path, buddy_diags *diags, buddy_archive **out_archive) {
  BD_C_LOCALE();
  *out_archive = NULL;
  buddy_archive *archive;
  BD_TRY(create(path, &archive));
  buddy_code code = map_file(archive, path, diags);
  if (!code) return finish_open(archive, diags, out_archive);
  buddy_archive_close(archive);
  return code;
}

/* The archive is read anew where it lies now. */
static buddy_code move_to(buddy_archive *archive, uint8_t *bytes, size_t n_bytes,
                          buddy_diags *diags) {
  archive->bytes = bytes;
  archive->n_bytes = n_bytes;
  bd_zip_close(archive->zip);
  archive->zip = NULL;
  return open_zip(archive, diags);
}

static buddy_code take_weights(buddy_archive *archive, const bd_infile *file, const char *path,
                               const char *names, buddy_diags *diags) {
  size_t at;
  bd_fault fault;
  uint8_t *bytes =
      bd_infile_map_after(file, (void *)(uintptr_t)archive->bytes, archive->n_file, &at);
  if (!bytes && file->size > 0) {
    bd_fault_errno(&fault, "the file cannot be mapped");
    return buddy_diags_add(diags, BUDDY_ERROR, fault.code, path, NULL, "%s", fault.text);
  }
  if (!bytes)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path,
                           "give a file of safetensors, or a GGUF file", "the file is empty");
  BD_TRY(move_to(archive, bytes, at + file->size, diags));
  return bd_other_weights_create(&archive->arena, bytes + at, file->size, path, names, diags,
                                 &archive->other);
}

buddy_code buddy_archive_take_weights(buddy_archive *archive, const char *path, const char *names,
                                      buddy_diags *diags) {
  bd_infile file;
  if (!archive->is_mapped || archive->other)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, archive->where, NULL,
                           "only an archive that is a file can take the weights of another, once");
  BD_TRY(bd_infile_open(path, "give a file of safetensors, or a GGUF file", diags, &file));
  const buddy_code code = take_weights(archive, &file, path, names, diags);
  bd_infile_close(&file);
  return code;
}

buddy_code buddy_archive_set_sizes(buddy_archive *archive, const char *sizes) {
  archive->sizes = sizes ? bd_arena_strdup(&archive->arena, sizes) : NULL;
  return sizes && !archive->sizes ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

const char *bd_archive_sizes(const buddy_archive *archive) { return archive->sizes; }

const bd_other_weights *bd_archive_other_weights(const buddy_archive *archive) {
  return archive->other;
}

buddy_code buddy_archive_check(const buddy_archive *archive, buddy_diags *diags) {
  buddy_code result = BUDDY_OK;
  for (size_t i = 0; archive->zip && i < bd_zip_n_entries(archive->zip); ++i) {
    const buddy_code code = bd_zip_check(archive->zip, bd_zip_entry_at(archive->zip, i), diags);
    if (code) result = code;
  }
  return result;
}

void buddy_archive_close(buddy_archive *archive) {
  if (!archive) return;
  bd_free(archive->reads);
  bd_zip_close(archive->zip);
  bd_other_weights_destroy(archive->other);
  bd_given_destroy(archive->given);
  if (archive->is_mapped) munmap((void *)(uintptr_t)archive->bytes, archive->n_bytes);
  bd_arena_deinit(&archive->arena);
  bd_free(archive);
}

/* ---- JSON ---- */

/* The text of an entry with room of `padding` bytes behind it: in place, or a copy that the caller
 * frees. */
static buddy_code text_of(buddy_archive *archive, const bd_zip_entry *entry, size_t padding,
                          buddy_diags *diags, const uint8_t **out_text, uint8_t **out_copy) {
  *out_copy = NULL;
  if (entry->size > BD_MAX_JSON_BYTES) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_LIMIT, archive->where, NULL,
                           "'%s' has %zu bytes; the limit is %zu", entry->name, entry->size,
                           BD_MAX_JSON_BYTES);
  }
  if (entry->is_stored) {
    BD_TRY(bd_zip_check(archive->zip, entry, diags));
    *out_text = entry->bytes;
    if (bd_zip_has_behind(archive->zip, entry, padding)) return BUDDY_OK;
  }
  if (entry->size / MAX_INFLATION > entry->stored_size) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, archive->where, NULL,
                           "'%s' claims to inflate from %zu bytes to %zu, which deflate cannot do",
                           entry->name, entry->stored_size, entry->size);
  }
  uint8_t *copy = bd_calloc(1, entry->size + padding);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  *out_text = *out_copy = copy;
  if (!entry->is_stored) return bd_zip_inflate(archive->zip, entry, diags, copy);
  memcpy(copy, entry->bytes, entry->size);
  return BUDDY_OK;
}

buddy_code bd_archive_json(buddy_archive *archive, const char *path, buddy_diags *diags,
                           bd_json_document **out_document) {
  *out_document = NULL;
  if (archive->given) {
    const buddy_sv program = bd_given_program(archive->given);
    return bd_json_parse(program.data, program.size, archive->where, diags, out_document);
  }
  const bd_zip_entry *entry = bd_archive_find(archive, path);
  if (!entry) return missing(archive, diags, path);
  if (!bd_archive_read(archive, entry->bytes, entry->stored_size)) return BUDDY_OUT_OF_MEMORY;
  const uint8_t *text = NULL;
  uint8_t *copy;
  buddy_code code = text_of(archive, entry, BD_JSON_PADDING, diags, &text, &copy);
  const char *where = bd_arena_format(&archive->arena, "%s: %s", archive->where, path);
  if (!code && !where) code = BUDDY_OUT_OF_MEMORY;
  if (!code) code = bd_json_parse((const char *)text, entry->size, where, diags, out_document);
  bd_free(copy);
  return code;
}

/* ---- Several programs, and files beside them ---- */

size_t buddy_archive_n_programs(const buddy_archive *archive) { return archive->programs.n; }

const char *buddy_archive_program(const buddy_archive *archive, size_t i) {
  return i < archive->programs.n ? archive->programs.names[i] : NULL;
}

buddy_code buddy_archive_choose(buddy_archive *archive, const char *name, buddy_diags *diags) {
  return bd_programs_choose(&archive->programs, archive->where, name, diags, &archive->model);
}

size_t buddy_archive_n_extra(const buddy_archive *archive) { return archive->programs.n_extra; }

const char *buddy_archive_extra_name(const buddy_archive *archive, size_t i) {
  return i < archive->programs.n_extra ? archive->programs.extra[i].name : NULL;
}

/* The entry's bytes as they were before they went into the archive, in memory of the archive. */
static buddy_code take_extra(buddy_archive *archive, bd_extra_file *extra, buddy_diags *diags) {
  const uint8_t *text = NULL;
  uint8_t *copy;
  buddy_code code = text_of(archive, extra->entry, 0, diags, &text, &copy);
  if (!code && copy) {
    uint8_t *kept = bd_archive_alloc(archive, extra->entry->size + 1);
    if (kept) memcpy(kept, copy, extra->entry->size);
    text = kept;
    if (!kept) code = BUDDY_OUT_OF_MEMORY;
  }
  bd_free(copy);
  if (!code) extra->bytes = text;
  return code;
}

buddy_code buddy_archive_extra(buddy_archive *archive, const char *name, buddy_diags *diags,
                               buddy_sv *out_bytes) {
  *out_bytes = (buddy_sv){0};
  for (size_t i = 0; i < archive->programs.n_extra; ++i) {
    bd_extra_file *extra = &archive->programs.extra[i];
    if (strcmp(extra->name, name)) continue;
    const buddy_code code = extra->bytes ? BUDDY_OK : take_extra(archive, extra, diags);
    if (!code) *out_bytes = (buddy_sv){extra->bytes, extra->entry->size};
    return code;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, archive->where, NULL,
                         "the archive has no file 'extra/%.80s'", name);
}
