// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/archive.c: writes a .pt2 archive, as torch.export.save and sdk/import/archive.c have
 * it: a zip whose entries are stored, each beginning at a multiple of 64.
 *
 *   1  for each entry: local header, its name, an extra field that fills up to 64, its bytes
 *   2  central directory
 *   3  end record; before it the zip64 one and its locator, whose numbers have 64 bits
 *
 * The sizes of an entry beyond 4 GiB are in an extra field as well. */
#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/cli/reduce/reduce.h"
#include "sdk/import/archive.h"

enum { ALIGNMENT = 64, ZIP64_EXTRA = 20 };

typedef struct writer {
  bd_outfile file;
  bd_text directory;
  uint64_t at, n_entries;
} writer;

/* ---- Zip ------------------------------------------------------------------------------------- */
static void put(bd_text *text, uint64_t number, int n_bytes) {
  for (int i = 0; i < n_bytes; ++i) bd_text_char(text, (char)(number >> 8 * i));
}

static uint64_t narrow(uint64_t number) { return number < 0xffffffff ? number : 0xffffffff; }

/* What both headers of an entry have, from the version on. */
static void put_header(bd_text *text, uint32_t crc, uint64_t size, size_t name, size_t extra) {
  put(text, 45, 2); /* zip64 */
  put(text, 0, 2 + 2 + 2);
  put(text, 0x21, 2); /* 1980-01-01 */
  put(text, crc, 4);
  put(text, narrow(size), 4);
  put(text, narrow(size), 4);
  put(text, name, 2);
  put(text, extra, 2);
}

static uint32_t checksum(const uint8_t *bytes, size_t n) {
  return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, n);
}

static void add_entry(writer *w, const char *path, const void *bytes, size_t size) {
  static const char folder[] = "model/";
  const size_t name = sizeof folder - 1 + strlen(path);
  const uint32_t crc = checksum(bytes, size);
  const uint64_t begin = w->at + 30 + name + ZIP64_EXTRA + 4;
  const size_t fill = (size_t)(-begin % ALIGNMENT);
  bd_text header;
  bd_text_init(&header);
  put(&header, 0x04034b50, 4);
  put_header(&header, crc, size, name, ZIP64_EXTRA + 4 + fill);
  bd_text_string(&header, folder);
  bd_text_string(&header, path);
  put(&header, 1, 2);
  put(&header, ZIP64_EXTRA - 4, 2);
  put(&header, size, 8);
  put(&header, size, 8);
  put(&header, 0x4246, 2); /* "FB", as PyTorch fills */
  put(&header, fill, 2);
  for (size_t i = 0; i < fill; ++i) bd_text_char(&header, 'Z');
  put(&w->directory, 0x02014b50, 4);
  put(&w->directory, 45, 2);
  put_header(&w->directory, crc, size, name, 28);
  put(&w->directory, 0, 2 + 2 + 2);
  put(&w->directory, 0, 4);
  put(&w->directory, narrow(w->at), 4);
  bd_text_string(&w->directory, folder);
  bd_text_string(&w->directory, path);
  put(&w->directory, 1, 2);
  put(&w->directory, 24, 2);
  put(&w->directory, size, 8);
  put(&w->directory, size, 8);
  put(&w->directory, w->at, 8);
  bd_outfile_write(&w->file, header.data, header.size);
  bd_outfile_write(&w->file, bytes, size);
  if (header.code) w->directory.code = header.code;
  w->at += header.size + size;
  ++w->n_entries;
  bd_text_deinit(&header);
}

static void end_zip(writer *w) {
  const uint64_t size = w->directory.size, zip64 = w->at + size;
  put(&w->directory, 0x06064b50, 4);
  put(&w->directory, 44, 8);
  put(&w->directory, 45, 2);
  put(&w->directory, 45, 2);
  put(&w->directory, 0, 8);
  put(&w->directory, w->n_entries, 8);
  put(&w->directory, w->n_entries, 8);
  put(&w->directory, size, 8);
  put(&w->directory, w->at, 8);
  put(&w->directory, 0x07064b50, 4);
  put(&w->directory, 0, 4);
  put(&w->directory, zip64, 8);
  put(&w->directory, 1, 4);
  put(&w->directory, 0x06054b50, 4);
  put(&w->directory, 0, 4);
  put(&w->directory, w->n_entries < 0xffff ? w->n_entries : 0xffff, 2);
  put(&w->directory, w->n_entries < 0xffff ? w->n_entries : 0xffff, 2);
  put(&w->directory, narrow(size), 4);
  put(&w->directory, narrow(w->at), 4);
  put(&w->directory, 0, 2);
  bd_outfile_write(&w->file, w->directory.data, w->directory.size);
}

/* ---- Stored tensors -------------------------------------------------------------------------- */
int bd_meta_sizes(const json_t *meta, int64_t *out_sizes, int most) {
  size_t i;
  json_t *size;
  const json_t *sizes = json_object_get(meta, "sizes");
  json_array_foreach(sizes, i, size) {
    const json_t *number = json_object_get(size, "as_int");
    if ((int)i >= most || !json_is_integer(number)) return -1;
    out_sizes[i] = json_integer_value(number);
  }
  return json_is_array(sizes) ? (int)i : -1;
}

buddy_code bd_meta_lend(const json_t *meta, int64_t *sizes, int64_t *strides, int64_t *out_offset,
                        buddy_tensor *out) {
  const int rank = bd_meta_sizes(meta, sizes, 64);
  const buddy_dtype dtype = bd_dtype_serialized(json_integer_value(json_object_get(meta, "dtype")));
  const json_t *list = json_object_get(meta, "strides");
  if (rank < 0 || !dtype || json_array_size(list) != (size_t)rank) return BUDDY_UNSUPPORTED;
  *out_offset =
      json_integer_value(json_object_get(json_object_get(meta, "storage_offset"), "as_int"));
  if (*out_offset < 0) return BUDDY_UNSUPPORTED;
  for (int d = 0; d < rank; ++d) {
    strides[d] = json_integer_value(json_object_get(json_array_get(list, (size_t)d), "as_int"));
    if (sizes[d] < 0 || strides[d] < 0) return BUDDY_UNSUPPORTED;
  }
  *out = (buddy_tensor){.dtype = dtype, .rank = (uint32_t)rank, .sizes = sizes, .strides = strides};
  return BUDDY_OK;
}

/* The targets that a program names. */
static json_t *targets_of(const json_t *root) {
  static const char *const keys[] = {"parameter_name", "buffer_name", "tensor_constant_name"};
  const json_t *signature = json_object_get(json_object_get(root, "graph_module"), "signature");
  json_t *targets = json_object(), *spec, *value;
  size_t i;
  const char *kind;
  json_array_foreach(json_object_get(signature, "input_specs"), i, spec) {
    json_object_foreach(spec, kind, value) {
      for (int k = 0; k < 3; ++k) {
        const char *target = json_string_value(json_object_get(value, keys[k]));
        if (target) json_object_set_new(targets, target, json_true());
      }
    }
  }
  return targets;
}

typedef struct storing {
  const bd_program *p;
  writer *writer;
  const json_t *targets;
  json_t *written; /* paths: tied weights share one */
  buddy_diags *diags;
} storing;

/* Whether every element of a tensor is one of the n that there are. */
static bool has_all(const buddy_tensor *tensor, int64_t offset, size_t n) {
  int64_t last = offset, step;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    if (tensor->sizes[d] == 0) return (uint64_t)offset <= n; /* it has none */
    if (__builtin_mul_overflow(tensor->sizes[d] - 1, tensor->strides[d], &step) ||
        __builtin_add_overflow(last, step, &last))
      return false;
  }
  return (uint64_t)last < n;
}

/* The first elements of a tensor, in every dim; sizes: how many. */
static buddy_code first_elements(const json_t *whole, const json_t *payload,
                                 const bd_stored_bytes *all, buddy_tensor *out) {
  const json_t *meta = json_object_get(whole, "tensor_meta");
  int64_t sizes[64], strides[64], cut[64], offset;
  buddy_tensor lent;
  BD_TRY(bd_meta_lend(meta, sizes, strides, &offset, &lent));
  const int rank = bd_meta_sizes(json_object_get(payload, "tensor_meta"), cut, 64);
  if (rank != (int)lent.rank) return BUDDY_INVALID_ARGUMENT;
  const size_t item = buddy_dtype_size(lent.dtype);
  if (!has_all(&lent, offset, all->n / item)) return BUDDY_CORRUPT;
  lent.bytes = (uint8_t *)(uintptr_t)all->bytes + (size_t)offset * item;
  return bd_tensor_first(&lent, cut, out);
}

static buddy_code store_bytes(const storing *s, const json_t *payload, const json_t *whole,
                              bool is_weight) {
  char path[BD_ZIP_MAX_NAME];
  bd_stored_bytes bytes;
  const char *name = json_string_value(json_object_get(payload, "path_name"));
  snprintf(path, sizeof path, "data/%s/%s", is_weight ? "weights" : "constants", name ? name : "");
  if (json_object_get(s->written, path)) return BUDDY_OK;
  json_object_set_new(s->written, path, json_true());
  buddy_code code = bd_program_payload(s->p, whole, is_weight, s->diags, &bytes);
  buddy_tensor part = {.dtype = BUDDY_DTYPE_NONE};
  if (code == BUDDY_OK && whole != payload) code = first_elements(whole, payload, &bytes, &part);
  if (code == BUDDY_OK && whole != payload)
    add_entry(s->writer, path, part.bytes,
              (size_t)buddy_tensor_n_elements(&part) * buddy_dtype_size(part.dtype));
  if (code == BUDDY_OK && whole == payload) add_entry(s->writer, path, bytes.bytes, bytes.n);
  buddy_tensor_release(&part);
  bd_free(bytes.own);
  return code;
}

static buddy_code store_all(const storing *s, const json_t *config, bool is_weight) {
  json_t *payload, *here = json_object();
  const char *target;
  buddy_code code = BUDDY_OK;
  json_object_foreach((json_t *)(uintptr_t)config, target, payload) {
    if (code != BUDDY_OK || !json_object_get(s->targets, target)) continue;
    json_t *smaller = json_object_get(s->p->smaller, target);
    json_t *said = smaller ? smaller : payload;
    json_object_set(here, target, said);
    code = store_bytes(s, said, payload, is_weight);
  }
  json_t *whole = json_pack("{s:o}", "config", here);
  char *text = json_dumps(whole, JSON_INDENT(1));
  if (text)
    add_entry(s->writer,
              is_weight ? "data/weights/model_weights_config.json"
                        : "data/constants/model_constants_config.json",
              text, strlen(text));
  free(text);
  json_decref(whole);
  return text || code != BUDDY_OK ? code : BUDDY_OUT_OF_MEMORY;
}

/* ---- The archive ----------------------------------------------------------------------------- */
static buddy_code add_all(const bd_program *p, writer *w, const json_t *root, buddy_diags *diags) {
  char *text = json_dumps(root, JSON_INDENT(1));
  if (!text) return BUDDY_OUT_OF_MEMORY;
  add_entry(w, "models/model.json", text, strlen(text));
  free(text);
  json_t *targets = targets_of(root), *written = json_object();
  const storing s = {p, w, targets, written, diags};
  buddy_code code = store_all(&s, p->weights, true);
  if (code == BUDDY_OK) code = store_all(&s, p->constants, false);
  json_decref(targets);
  json_decref(written);
  static const char *const rest[][2] = {{"data/sample_inputs/model.pt", ""},
                                        {"archive_format", "pt2"},
                                        {"archive_version", "0"},
                                        {".data/version", "3\n"},
                                        {"byteorder", "little"}};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i)
    add_entry(w, rest[i][0], rest[i][1], strlen(rest[i][1]));
  end_zip(w);
  return code == BUDDY_OK ? w->directory.code : code;
}

buddy_code bd_program_write(const bd_program *p, const json_t *root, const char *path,
                            buddy_diags *diags) {
  writer w = {.at = 0};
  BD_TRY(bd_outfile_open(path, diags, &w.file));
  bd_text_init(&w.directory);
  const buddy_code code = add_all(p, &w, root, diags);
  bd_text_deinit(&w.directory);
  if (code == BUDDY_OK) return bd_outfile_commit(&(bd_outfile *){&w.file}, 1, diags);
  bd_outfile_discard(&w.file);
  return code;
}
