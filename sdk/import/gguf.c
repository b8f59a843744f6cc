// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/gguf.c: GGUF files, versions 2 and 3, little-endian.
 *
 *   1  "GGUF", u32 version, u64 number of tensors, u64 number of values
 *   2  values: a text, u32 type, the value; a text is u64 length and bytes; an array is u32 type, u64
 *      number, and elements. "general.alignment" is where tensors begin, 32 without it
 *   3  tensors: a text, u32 rank, u64 sizes from the innermost on, u32 type, u64 offset
 *   4  bytes of the tensors, from the next multiple of the alignment on; offsets count from there
 *
 * Rows of tensors are whole blocks, of those types that have them. Blocks that restored.c does not know are
 * named, and not given. */
#include <stdio.h>
#include <string.h>

#include "core/base/try.h"
#include "sdk/import/tensor_file.h"

enum { MAX_DEPTH = 4, TYPE_U32 = 4, TYPE_TEXT = 8, TYPE_ARRAY = 9 };

typedef struct cursor {
  bd_tensor_file *file;
  buddy_diags *diags;
  uint64_t at;
} cursor;

static buddy_code ends(const cursor *c) {
  return bd_tensor_file_wrong(c->file, c->diags, "the file ends within what tells of its tensors");
}

static buddy_code read(cursor *c, void *out, uint64_t n) {
  if (n > c->file->n_bytes - c->at) return ends(c);
  if (out) memcpy(out, c->file->bytes + c->at, (size_t)n);
  c->at += n;
  return BUDDY_OK;
}

static buddy_code read_text(cursor *c, buddy_sv *out) {
  uint64_t n = 0;
  BD_TRY(read(c, &n, sizeof n));
  *out = (buddy_sv){(const char *)c->file->bytes + c->at, (size_t)n};
  return read(c, NULL, n);
}

/* Skips a value. */
static buddy_code skip(cursor *c, uint32_t type, int depth) {
  static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  buddy_sv text;
  uint32_t element = 0;
  uint64_t n = 0, n_bytes;
  if (type == TYPE_TEXT) return read_text(c, &text);
  if (type >= sizeof sizes || depth > MAX_DEPTH)
    return bd_tensor_file_wrong(c->file, c->diags, "a value is of type %u, which is not known",
                                type);
  if (type != TYPE_ARRAY) return read(c, NULL, sizes[type]);
  BD_TRY(read(c, &element, sizeof element));
  BD_TRY(read(c, &n, sizeof n));
  if (element < sizeof sizes && sizes[element] > 0)
    return __builtin_mul_overflow(n, (uint64_t)sizes[element], &n_bytes) ? ends(c)
                                                                         : read(c, NULL, n_bytes);
  for (uint64_t i = 0; i < n; ++i) BD_TRY(skip(c, element, depth + 1));
  return BUDDY_OK;
}

/* Whether the name is prefix and key. */
static bool is_key(buddy_sv name, buddy_sv prefix, const char *key) {
  const size_t n = strlen(key);
  return name.size == prefix.size + n && memcmp(name.data, prefix.data, prefix.size) == 0 &&
         memcmp(name.data + prefix.size, key, n) == 0;
}

static buddy_code read_architecture(cursor *c) {
  buddy_sv text;
  BD_TRY(read_text(c, &text));
  if (text.size < sizeof c->file->architecture)
    snprintf(c->file->architecture, sizeof c->file->architecture, "%.*s", (int)text.size,
             text.data);
  return BUDDY_OK;
}

/* Where a value of one number goes that anything is done with; null: nowhere. */
static uint32_t *place_of(cursor *c, buddy_sv name, uint32_t *alignment) {
  static const buddy_sv none = {"", 0};
  const buddy_sv prefix = {c->file->architecture, strlen(c->file->architecture)};
  if (is_key(name, none, "general.alignment")) return alignment;
  if (is_key(name, prefix, ".attention.head_count")) return &c->file->n_heads;
  return is_key(name, prefix, ".attention.head_count_kv") ? &c->file->n_kv_heads : NULL;
}

static buddy_code read_values(cursor *c, uint64_t n, uint32_t *out_alignment) {
  static const buddy_sv none = {"", 0};
  for (uint64_t i = 0; i < n; ++i) {
    buddy_sv name = {.size = 0};
    uint32_t type = 0;
    BD_TRY(read_text(c, &name));
    BD_TRY(read(c, &type, sizeof type));
    uint32_t *place = type == TYPE_U32 ? place_of(c, name, out_alignment) : NULL;
    if (place)
      BD_TRY(read(c, place, sizeof *place));
    else if (type == TYPE_TEXT && is_key(name, none, "general.architecture"))
      BD_TRY(read_architecture(c));
    else
      BD_TRY(skip(c, type, 0));
  }
  if (*out_alignment >= 8 && *out_alignment <= 65536 && *out_alignment % 8 == 0) return BUDDY_OK;
  return bd_tensor_file_wrong(c->file, c->diags, "its alignment is %u", *out_alignment);
}

/* Sets dtype and block. */
static void read_type(uint32_t type, char *name, size_t size, bd_file_tensor *out) {
  static const char *const blocks[] = {[2] = "Q4_0",  [3] = "Q4_1",  [6] = "Q5_0",  [7] = "Q5_1",
                                       [8] = "Q8_0",  [9] = "Q8_1",  [10] = "Q2_K", [11] = "Q3_K",
                                       [12] = "Q4_K", [13] = "Q5_K", [14] = "Q6_K", [15] = "Q8_K"};
  static const bd_block_type known[] = {[2] = {32, 18},    [3] = {32, 20},    [8] = {32, 34},
                                        [12] = {256, 144}, [13] = {256, 176}, [14] = {256, 210}};
  static const struct {
    uint32_t type;
    const char *name;
    buddy_dtype dtype;
  } plain[] = {{0, "F32", BUDDY_F32},  {1, "F16", BUDDY_F16},   {24, "I8", BUDDY_I8},
               {25, "I16", BUDDY_I16}, {26, "I32", BUDDY_I32},  {27, "I64", BUDDY_I64},
               {28, "F64", BUDDY_F64}, {30, "BF16", BUDDY_BF16}};
  snprintf(name, size, "type %u", type);
  if (type < sizeof blocks / sizeof *blocks && blocks[type])
    snprintf(name, size, "%s", blocks[type]);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
    if (plain[i].type != type) continue;
    snprintf(name, size, "%s", plain[i].name);
    out->dtype = plain[i].dtype;
  }
  if (type < sizeof known / sizeof *known && known[type].n_numbers > 0) out->block = &known[type];
}

/* A tensor whose place counts from the first, which is not known yet. */
static buddy_code read_tensor(cursor *c, char *name, size_t size, char *type_name, size_t type_size,
                              bd_file_tensor *out) {
  buddy_sv text = {.size = 0};
  uint32_t type = 0;
  *out = (bd_file_tensor){.name = name, .type_name = type_name};
  BD_TRY(read_text(c, &text));
  if (text.size == 0 || text.size >= size || memchr(text.data, '\0', text.size))
    return bd_tensor_file_wrong(c->file, c->diags,
                                "a tensor's name is empty, has a NUL, or %zu bytes", text.size);
  memcpy(name, text.data, text.size);
  name[text.size] = '\0';
  BD_TRY(read(c, &out->rank, sizeof out->rank));
  if (out->rank > BD_TENSOR_FILE_RANK)
    return bd_tensor_file_wrong(c->file, c->diags, "tensor '%.200s' has %u sizes", name, out->rank);
  for (uint32_t d = out->rank; d-- > 0;) BD_TRY(read(c, &out->dims[d], sizeof(int64_t)));
  BD_TRY(read(c, &type, sizeof type));
  read_type(type, type_name, type_size, out);
  return read(c, &out->at, sizeof out->at);
}

static buddy_code add_tensors(cursor *c, bd_arena *arena, uint64_t n, uint32_t alignment,
                              bool adds) {
  char name[1024], type_name[32];
  for (uint64_t i = 0; i < n; ++i) {
    bd_file_tensor tensor;
    BD_TRY(read_tensor(c, name, sizeof name, type_name, sizeof type_name, &tensor));
    if (!adds) continue;
    if (tensor.at % alignment != 0 || tensor.at > c->file->n_bytes - c->file->n_head)
      return bd_tensor_file_wrong(c->file, c->diags,
                                  "tensor '%.200s' lies at %llu, outside of the file "
                                  "or no multiple of %u",
                                  name, (unsigned long long)tensor.at, alignment);
    tensor.at += c->file->n_head;
    BD_TRY(bd_tensor_file_add(c->file, arena, &tensor, c->diags));
  }
  return BUDDY_OK;
}

buddy_code bd_gguf_read(bd_tensor_file *file, bd_arena *arena, buddy_diags *diags) {
  cursor c = {file, diags, 4};
  uint32_t version = 0, alignment = 32;
  uint64_t n_tensors = 0, n_values = 0;
  BD_TRY(read(&c, &version, sizeof version));
  if (version < 2 || version > 3)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, file->where,
                           "write it again, in version 3",
                           "the GGUF file is of version %u; 2 and 3 are known", version);
  BD_TRY(read(&c, &n_tensors, sizeof n_tensors));
  BD_TRY(read(&c, &n_values, sizeof n_values));
  BD_TRY(read_values(&c, n_values, &alignment));
  const uint64_t first = c.at;
  BD_TRY(add_tensors(&c, arena, n_tensors, alignment, false));
  const uint64_t rest = c.at % alignment;
  file->n_head = rest == 0 ? c.at : c.at + alignment - rest;
  if (file->n_head > file->n_bytes && n_tensors > 0) return ends(&c);
  if (file->n_head > file->n_bytes) file->n_head = file->n_bytes;
  c.at = first;
  return add_tensors(&c, arena, n_tensors, alignment, true);
}
