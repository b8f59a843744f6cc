// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_names.c: what the names of one serialized graph stand for.
 *
 * A serialized graph describes its values by name in five tables (tensor_values, sym_int_values,
 * …); nodes then define the names in order. The tables become one hash table; a name that is used
 * before it is defined is a defect of the file. */
#include <string.h>

#include "core/base/assert.h"
#include "sdk/import/pt2.h"

static const struct {
  const char *key;
  bd_named_kind kind;
} tables[] = {
    {"tensor_values", BD_NAMED_TENSOR},    {"sym_int_values", BD_NAMED_INT},
    {"sym_float_values", BD_NAMED_FLOAT},  {"sym_bool_values", BD_NAMED_BOOL},
    {"custom_obj_values", BD_NAMED_OTHER},
};

static buddy_code add_name(bd_import *import, bd_frame *frame, const char *name, bd_named_kind kind,
                           bd_json meta, bd_named **out_name) {
  bd_named *added = bd_arena_calloc(&import->arena, 1, sizeof *added);
  if (!added) return BUDDY_OUT_OF_MEMORY;
  *added = (bd_named){.name = name, .kind = kind, .meta = meta};
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, frame->names, added->name, strlen(name), added);
  if (out_name) *out_name = added;
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code read_table(bd_import *import, bd_frame *frame, const char *key,
                             bd_named_kind kind) {
  const bd_json table = bd_json_find(frame->graph, key);
  if (!bd_json_is(table)) return BUDDY_OK; /* programs of older minor versions lack some */
  bd_json_iterator all = bd_json_object(&import->json, table);
  for (bd_json meta; bd_json_next(&all, &meta);) {
    if (memchr(all.key, 0, all.key_size)) {
      bd_json_wrong(&import->json, meta, "has a name with a NUL byte in it");
      return import->json.code;
    }
    bd_named *found;
    HASH_FIND(hh, frame->names, all.key, all.key_size, found);
    if (found) {
      bd_json_wrong(&import->json, meta, "describes a name that is described before");
      return import->json.code;
    }
    BD_TRY(add_name(import, frame, all.key, kind, meta, NULL));
  }
  return import->json.code;
}

buddy_code bd_names_read(bd_import *import, bd_frame *frame) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
    BD_TRY(read_table(import, frame, tables[i].key, tables[i].kind));
  }
  return BUDDY_OK;
}

void bd_names_deinit(bd_frame *frame) {
  HASH_CLEAR(hh, frame->names);
  bd_vmap_deinit(frame);
}

buddy_code bd_names_find(bd_import *import, const bd_frame *frame, bd_json name,
                         bd_named **out_name) {
  *out_name = NULL;
  const char *text = bd_json_name(&import->json, name);
  BD_TRY(import->json.code);
  HASH_FIND(hh, frame->names, text, strlen(text), *out_name);
  if (!*out_name) bd_json_wrong(&import->json, name, "is a name that the graph does not describe");
  BD_ASSERT(*out_name || import->json.code);
  return import->json.code;
}

buddy_code bd_names_define(bd_import *import, bd_frame *frame, const char *name,
                           const buddy_arg *arg) {
  bd_named *found;
  HASH_FIND(hh, frame->names, name, strlen(name), found);
  if (!found) BD_TRY(add_name(import, frame, name, BD_NAMED_OTHER, (bd_json){0}, &found));
  if (found->is_defined) {
    import->json.code =
        buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_CORRUPT, import->json.where, NULL,
                        "the name '%.200s' is defined twice in one graph", name);
    return import->json.code;
  }
  found->arg = *arg;
  found->is_defined = true;
  return BUDDY_OK;
}

/* Whether strides are those of a tensor whose elements follow one another; exactly: also of dims of
 * one element. */
static bool is_contiguous(buddy_graph *graph, const buddy_tensor_type *type, const int64_t *strides,
                          bool *out_exactly) {
  int64_t expected = 1;
  *out_exactly = true;
  for (uint32_t i = type->rank; i-- > 0;) {
    if (type->dims[i] == 0) return true;
    if (strides[i] != expected) *out_exactly = false;
    if (type->dims[i] == 1) continue;
    if (strides[i] != expected) return false;
    if (buddy_graph_dim(graph, BUDDY_DIM_MUL, expected, type->dims[i], &expected)) return true;
  }
  return true;
}

/* Copies what was read into the import's arena. */
static buddy_code keep_type(bd_import *import, bd_named *name, const buddy_tensor_type *type,
                            const int64_t *strides, int64_t offset) {
  const size_t n_bytes = type->rank * sizeof *strides;
  bool is_plain;
  name->is_contiguous = is_contiguous(import->graph, type, strides, &is_plain) && offset == 0;
  is_plain = is_plain && name->is_contiguous;
  int64_t *kept = bd_arena_alloc(&import->arena, is_plain ? n_bytes : 2 * n_bytes);
  if (!kept) return BUDDY_OUT_OF_MEMORY;
  if (n_bytes) memcpy(kept, type->dims, n_bytes);
  if (!is_plain && n_bytes) memcpy(kept + type->rank, strides, n_bytes);
  name->type = (buddy_tensor_type){.dtype = type->dtype, .rank = type->rank, .dims = kept};
  name->strides = is_plain ? NULL : kept + type->rank;
  name->offset = offset;
  return BUDDY_OK;
}

buddy_code bd_names_type(bd_import *import, const bd_frame *frame, bd_json text,
                         bd_named **out_name) {
  BD_TRY(bd_names_find(import, frame, text, out_name));
  bd_named *name = *out_name;
  if (name->kind != BD_NAMED_TENSOR) {
    bd_json_wrong(&import->json, text, "is no tensor by the graph's tables");
    return import->json.code;
  }
  if (name->type.dtype) return BUDDY_OK;
  int64_t dims[BD_MAX_TENSOR_RANK], strides[BD_MAX_TENSOR_RANK], offset;
  buddy_tensor_type type;
  BD_TRY(bd_types_tensor(import, name->meta, dims, strides, &offset, &type));
  return keep_type(import, name, &type, strides, offset);
}

buddy_code bd_names_define_tensor(bd_import *import, bd_frame *frame, const bd_named *name,
                                  const buddy_value *value) {
  const bd_layout layout = {
      .strides = name->strides, .offset = name->offset, .is_contiguous = name->is_contiguous};
  if (name->strides) BD_TRY(bd_layouts_add(&import->layouts, value, &layout));
  const buddy_arg arg = bd_tensor_arg(value);
  return bd_names_define(import, frame, name->name, &arg);
}
