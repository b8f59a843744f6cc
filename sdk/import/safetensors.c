// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/safetensors.c: files of safetensors.
 *
 *   1  u64     n, little-endian: bytes of the header
 *   2  JSON    {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, …}, and
 *              "__metadata__", an object of texts
 *   3  bytes   of the tensors, dense; offsets count from here */
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/import/json.h"
#include "sdk/import/tensor_file.h"

enum { MAX_HEADER = 100000000 }; /* the format's own limit */

static buddy_dtype dtype_of(const char *name) {
  static const struct {
    const char *name;
    buddy_dtype dtype;
  } known[] = {{"F64", BUDDY_F64},
               {"F32", BUDDY_F32},
               {"F16", BUDDY_F16},
               {"BF16", BUDDY_BF16},
               {"I64", BUDDY_I64},
               {"I32", BUDDY_I32},
               {"I16", BUDDY_I16},
               {"I8", BUDDY_I8},
               {"U8", BUDDY_U8},
               {"BOOL", BUDDY_BOOL},
               {"F8_E4M3", BUDDY_F8E4M3FN},
               {"F8_E5M2", BUDDY_F8E5M2},
               {"F8_E8M0", BUDDY_F8E8M0FNU}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (strcmp(known[i].name, name) == 0) return known[i].dtype;
  }
  return BUDDY_DTYPE_NONE;
}

static buddy_code read_shape(bd_json_reader *json, bd_json shape, bd_file_tensor *out) {
  bd_json_iterator all = bd_json_array(json, shape);
  for (bd_json size; bd_json_next(&all, &size);) {
    if (out->rank == BD_TENSOR_FILE_RANK) {
      bd_json_wrong(json, shape, "has more than eight sizes");
      return json->code;
    }
    out->dims[out->rank++] = bd_json_int(json, size);
  }
  return json->code;
}

static buddy_code add(bd_tensor_file *file, bd_arena *arena, bd_json_reader *json, const char *name,
                      bd_json about) {
  bd_file_tensor tensor = {.name = name};
  tensor.type_name = bd_json_name(json, bd_json_get(json, about, "dtype"));
  BD_TRY(json->code);
  tensor.dtype = dtype_of(tensor.type_name);
  BD_TRY(read_shape(json, bd_json_get(json, about, "shape"), &tensor));
  const bd_json offsets = bd_json_get(json, about, "data_offsets");
  if (bd_json_count(offsets) != 2) bd_json_wrong(json, offsets, "is not two offsets");
  bd_json_iterator all = bd_json_array(json, offsets);
  bd_json first = {.document = NULL}, last = {.document = NULL};
  if (json->code == BUDDY_OK && bd_json_next(&all, &first)) bd_json_next(&all, &last);
  const int64_t begin = bd_json_int(json, first), end = bd_json_int(json, last);
  const uint64_t n_data = file->n_bytes - file->n_head;
  BD_TRY(json->code);
  if (begin < 0 || end < begin || (uint64_t)end > n_data)
    return bd_tensor_file_wrong(file, json->diags, "tensor '%.200s' lies outside of the file",
                                name);
  tensor.at = file->n_head + (uint64_t)begin;
  BD_TRY(bd_tensor_file_add(file, arena, &tensor, json->diags));
  const bd_file_tensor *added = bd_tensor_file_find(file, name);
  if (added->dtype == BUDDY_DTYPE_NONE || added->n_bytes == (uint64_t)(end - begin))
    return BUDDY_OK;
  return bd_tensor_file_wrong(
      file, json->diags, "tensor '%.200s' has %llu bytes, and its sizes want %llu", name,
      (unsigned long long)(end - begin), (unsigned long long)added->n_bytes);
}

static buddy_code read_header(bd_tensor_file *file, bd_arena *arena, const char *text, size_t n,
                              buddy_diags *diags) {
  bd_json_document *document = NULL;
  BD_TRY(bd_json_parse(text, n, file->where, diags, &document));
  bd_json_reader json = {.diags = diags, .where = file->where};
  bd_json_iterator all = bd_json_object(&json, bd_json_root(document));
  buddy_code code = json.code;
  for (bd_json about; code == BUDDY_OK && bd_json_next(&all, &about);) {
    if (strlen(all.key) != all.key_size)
      code = bd_tensor_file_wrong(file, diags, "a tensor's name has a NUL in it");
    else if (strcmp(all.key, "__metadata__") != 0)
      code = add(file, arena, &json, all.key, about);
  }
  bd_json_destroy(document);
  return code;
}

buddy_code bd_safetensors_read(bd_tensor_file *file, bd_arena *arena, buddy_diags *diags) {
  uint64_t n = 0;
  if (file->n_bytes >= sizeof n) memcpy(&n, file->bytes, sizeof n);
  if (file->n_bytes < sizeof n || n < 2 || n > MAX_HEADER || n > file->n_bytes - sizeof n ||
      file->bytes[sizeof n] != '{')
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, file->where,
                           "give a file of safetensors, or a GGUF file",
                           "this is no file of weights: neither safetensors nor GGUF");
  file->n_head = sizeof n + n;
  char *text = bd_calloc(1, (size_t)n + BD_JSON_PADDING);
  if (!text) return BUDDY_OUT_OF_MEMORY;
  memcpy(text, file->bytes + sizeof n, (size_t)n);
  const buddy_code code = read_header(file, arena, text, (size_t)n, diags);
  bd_free(text);
  return code;
}
