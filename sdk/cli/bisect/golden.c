// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/golden.c: values that somebody else has computed: an .npz file, which is a zip of .npy
 * files, one for each value by its name. It is mapped, and a value is read when it is wanted. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"
#include "sdk/import/archive.h"
#include "sdk/runtime/npy.h"

enum { MAX_NAME = 1024 };

struct bd_golden {
  void *bytes;
  size_t size;
  bd_zip *zip;
};

void bd_golden_close(bd_golden *golden) {
  if (!golden) return;
  bd_zip_close(golden->zip);
  if (golden->bytes) munmap(golden->bytes, golden->size);
  bd_free(golden);
}

#define HELP "write it with `python -m buddy golden MODEL.pt2`"

/* The archive's reader knows archives of PyTorch alone: its reasons, and what to do of our own. */
static buddy_code open_zip(bd_golden *golden, const char *path, buddy_diags *diags) {
  buddy_diags *own = NULL;
  if (buddy_diags_create(&own) != BUDDY_OK) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = bd_zip_open(golden->bytes, golden->size, path, own, &golden->zip);
  for (size_t i = 0; i < buddy_diags_count(own); ++i) {
    const buddy_diag *diag = buddy_diags_get(own, i);
    buddy_diags_add(diags, diag->severity, diag->code, diag->where, HELP, "%s", diag->what);
  }
  buddy_diags_destroy(own);
  return code;
}

buddy_code bd_golden_open(const char *path, buddy_diags *diags, bd_golden **out_golden) {
  bd_infile file;
  bd_golden *golden = *out_golden = bd_calloc(1, sizeof *golden);
  if (!golden) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_infile_open(path, HELP, diags, &file));
  golden->size = file.size;
  golden->bytes = bd_infile_map(&file);
  bd_infile_close(&file);
  if (!golden->bytes)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path, HELP, "is empty");
  return open_zip(golden, path, diags);
}

static buddy_code decode(const bd_golden *golden, const bd_zip_entry *entry, buddy_dtype dtype,
                         buddy_diags *diags, buddy_tensor *out) {
  if (entry->is_stored) {
    BD_TRY(bd_zip_check(golden->zip, entry, diags));
    return bd_npy_decode(entry->bytes, entry->size, dtype, entry->name, diags, out);
  }
  uint8_t *bytes = bd_malloc(entry->size);
  buddy_code code = bytes ? bd_zip_inflate(golden->zip, entry, diags, bytes) : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = bd_npy_decode(bytes, entry->size, dtype, entry->name, diags, out);
  bd_free(bytes);
  return code;
}

/* ---- Of which program they are --------------------------------------------------------------- */
#define IDENTITY "program.identity.npy" /* no value has such a name */
enum { IDENTITY_SIZE = 32 };

/* What computes: `models/NAME.json` and all weights and constants. */
static bool computes(const char *name, const char *program) {
  const char *role = strchr(name, '/');
  char text[MAX_NAME];
  if (!role++) return false;
  snprintf(text, sizeof text, "models/%s.json", program);
  return strcmp(role, text) == 0 || strncmp(role, "data/weights/", 13) == 0 ||
         strncmp(role, "data/constants/", 15) == 0;
}

/* BLAKE2b of "NAME SIZE CHECKSUM\n" for each such entry, in the directory's order: no byte of them is
 * read. `python -m buddy golden` does the same. */
static buddy_code identify(const buddy_archive *archive, uint8_t out[IDENTITY_SIZE]) {
  const bd_zip *zip = bd_archive_zip(archive);
  crypto_generichash_state state;
  if (sodium_init() < 0 || crypto_generichash_init(&state, NULL, 0, IDENTITY_SIZE) != 0)
    return BUDDY_INTERNAL;
  for (size_t i = 0; i < bd_zip_n_entries(zip); ++i) {
    const bd_zip_entry *entry = bd_zip_entry_at(zip, i);
    char numbers[64];
    if (!computes(entry->name, bd_archive_model(archive))) continue;
    const char *role = strchr(entry->name, '/') + 1;
    snprintf(numbers, sizeof numbers, " %zu %u\n", entry->size, entry->crc);
    crypto_generichash_update(&state, (const uint8_t *)role, strlen(role));
    crypto_generichash_update(&state, (const uint8_t *)numbers, strlen(numbers));
  }
  crypto_generichash_final(&state, out, IDENTITY_SIZE);
  return BUDDY_OK;
}

buddy_code bd_golden_check(const bd_golden *golden, const buddy_archive *archive, const char *where,
                           buddy_diags *diags) {
  const bd_zip_entry *entry = bd_zip_find(golden->zip, IDENTITY);
  uint8_t own[IDENTITY_SIZE];
  buddy_tensor theirs;
  if (!entry) return BUDDY_OK;
  BD_TRY(identify(archive, own));
  BD_TRY(decode(golden, entry, BUDDY_U8, diags, &theirs));
  const bool is_same = buddy_tensor_n_elements(&theirs) == IDENTITY_SIZE &&
                       memcmp(theirs.bytes, own, IDENTITY_SIZE) == 0;
  buddy_tensor_release(&theirs);
  if (is_same) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where,
                         "write the values anew, with `python -m buddy golden` of this archive",
                         "is another program than the reference's values are of: its nodes, "
                         "weights or constants differ");
}

/* ---- Values ---------------------------------------------------------------------------------- */
/* The number of a result among the user's; -1: it is none. */
static int number_of_result(const buddy_value *value) {
  const buddy_graph *graph = buddy_value_graph(value);
  int number = 0;
  for (size_t i = 0; i < buddy_graph_n_outputs(graph); ++i) {
    const buddy_arg *arg = buddy_graph_output(graph, i);
    if (buddy_graph_output_kind(graph, i) != BUDDY_OUTPUT_USER) continue;
    if (arg->kind == BUDDY_ARG_TENSOR && arg->as.tensor == value) return number;
    ++number;
  }
  return -1;
}

/* Results go by their numbers, for ops in place have other names where they are in functional form. */
static const bd_zip_entry *find(const bd_golden *golden, const buddy_value *value, char *name,
                                size_t size) {
  const int number = number_of_result(value);
  snprintf(name, size, "output.%d.npy", number);
  const bd_zip_entry *entry = number < 0 ? NULL : bd_zip_find(golden->zip, name);
  if (entry) return entry;
  const bool fits = snprintf(name, size, "%s.npy", buddy_value_name(value)) < (int)size;
  return fits ? bd_zip_find(golden->zip, name) : NULL;
}

bool bd_golden_has(const bd_golden *golden, const buddy_value *value) {
  char name[MAX_NAME];
  return find(golden, value, name, sizeof name) != NULL;
}

/* Symbolic ones are what the model's inputs make of them, which these values may not. */
static bool has_sizes(const buddy_tensor *tensor, const buddy_tensor_type *type) {
  bool is_same = tensor->rank == type->rank;
  for (uint32_t d = 0; d < type->rank && is_same; ++d)
    is_same = BUDDY_IS_SYMBOLIC(type->dims[d]) || tensor->sizes[d] == type->dims[d];
  return is_same;
}

buddy_code bd_golden_read(const bd_golden *golden, const buddy_value *value, buddy_diags *diags,
                          buddy_tensor *out_tensor) {
  char name[MAX_NAME], expected[256];
  const buddy_tensor_type *type = buddy_value_type(value);
  const bd_zip_entry *entry = find(golden, value, name, sizeof name);
  if (!entry) return BUDDY_NOT_FOUND;
  BD_TRY(decode(golden, entry, type->dtype, diags, out_tensor));
  if (has_sizes(out_tensor, type)) return BUDDY_OK;
  buddy_tensor_release(out_tensor);
  buddy_graph_type_text(buddy_value_graph(value), type, expected, sizeof expected);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, name, HELP,
                         "has other sizes than the model's value, %s", expected);
}
