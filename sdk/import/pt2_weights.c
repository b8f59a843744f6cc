// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_weights.c: bytes of parameters, buffers and constants.
 *
 * Two configuration entries say for each name in the module which entry of the archive holds its
 * storage, and which part of the storage it is:
 *
 *   {"config": {"layer.weight": {"path_name": "weight_0", "is_param": true, "use_pickle": false,
 *                                "tensor_meta": {dtype, sizes, strides, storage_offset, …}}}}
 *
 * Several names may share one storage (tied weights, views). Nothing is copied: inputs point into
 * the archive. Values that PyTorch pickled (tensor subclasses, objects of custom classes) are
 * refused, since reading them means running code of the file. */
#include <stdio.h>
#include <string.h>

#include "sdk/import/other_weights.h"
#include "sdk/import/pt2.h"
#include "sdk/import/restored.h"

struct bd_payload {
  const char *name;
  bd_json meta; /* PayloadMeta */
  UT_hash_handle hh;
};

static buddy_code read_config(bd_import *import, bd_json_document *document,
                              bd_payload **payloads) {
  const bd_json config = bd_json_get(&import->json, bd_json_root(document), "config");
  bd_json_iterator all = bd_json_object(&import->json, config);
  for (bd_json meta; bd_json_next(&all, &meta);) {
    bd_payload *found;
    HASH_FIND(hh, *payloads, all.key, all.key_size, found);
    if (found) bd_json_wrong(&import->json, meta, "describes a name that is described before");
    BD_TRY(import->json.code);
    bd_payload *added = bd_arena_calloc(&import->arena, 1, sizeof *added);
    if (!added) return BUDDY_OUT_OF_MEMORY;
    *added = (bd_payload){.name = all.key, .meta = meta};
    bool hash_is_full = false;
    HASH_ADD_KEYPTR(hh, *payloads, added->name, all.key_size, added);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  }
  return import->json.code;
}

buddy_code bd_weights_read(bd_import *import, bd_json_document *weights,
                           bd_json_document *constants) {
  BD_TRY(read_config(import, weights, &import->weights));
  return read_config(import, constants, &import->constants);
}

void bd_stored_weights_deinit(bd_import *import) {
  HASH_CLEAR(hh, import->weights);
  HASH_CLEAR(hh, import->constants);
}

/* ---- One storage ---- */

static buddy_code lie(bd_import *import, bd_json at, const char *what) {
  bd_json_wrong(&import->json, at, what);
  return import->json.code;
}

static buddy_code check_numbers(bd_import *import, bd_json meta, const buddy_tensor_type *type,
                                const int64_t *strides, int64_t offset) {
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (BUDDY_IS_SYMBOLIC(type->dims[i]))
      return lie(import, meta, "has a symbolic size, yet has bytes");
    if (strides[i] < 0) return lie(import, meta, "has a stride that is below zero or symbolic");
  }
  return offset < 0 ? lie(import, meta, "has an offset that is below zero or symbolic") : BUDDY_OK;
}

/* Finds the bytes and checks that every element lies within them. */
static buddy_code find_bytes(bd_import *import, bd_json payload, const char *folder,
                             const char *target, const buddy_tensor_type *type,
                             const int64_t *strides, buddy_data *out_data) {
  const bd_json path_json = bd_json_get(&import->json, payload, "path_name");
  const char *name = bd_json_name(&import->json, path_json);
  char path[BD_ZIP_MAX_NAME + 1];
  snprintf(path, sizeof path, "%s%s", folder, name);
  const bd_zip_entry *entry = import->json.code ? NULL : bd_archive_find(import->archive, path);
  if (!entry) return lie(import, path_json, "names an entry that the archive has not");
  if (!entry->is_stored) {
    bd_import_problem(import, BUDDY_UNSUPPORTED, target,
                      "save the program again with torch.export.save",
                      "its bytes are compressed in the archive, so that they cannot be mapped");
    return BUDDY_OK;
  }
  const size_t item = buddy_dtype_size(type->dtype);
  int64_t n;
  if (!bd_reach(type, strides, out_data->offset, &n))
    return lie(import, payload, "reaches beyond 2^63 elements");
  if ((uint64_t)n > entry->size / item)
    return lie(import, payload, "reaches beyond the bytes of its entry");
  if ((uintptr_t)entry->bytes % item) {
    bd_import_problem(import, BUDDY_UNSUPPORTED, target,
                      "save the program again with torch.export.save",
                      "its bytes do not begin at a multiple of %zu in the archive", item);
    return BUDDY_OK;
  }
  out_data->bytes = entry->bytes;
  out_data->n_bytes = entry->size;
  return BUDDY_OK;
}

/* ---- Parameters that another file has ---- */

static void tell_type(bd_import *import, const char *target, const bd_file_tensor *tensor,
                      const buddy_tensor_type *type) {
  char wanted[256], sizes[256] = "";
  size_t n = 0;
  for (uint32_t d = 0; d < tensor->rank && n < sizeof sizes; ++d)
    n += (size_t)snprintf(sizes + n, sizeof sizes - n, d == 0 ? "%lld" : ",%lld",
                          (long long)tensor->dims[d]);
  buddy_graph_type_text(import->graph, type, wanted, sizeof wanted);
  const bool is_known = tensor->dtype || tensor->block;
  bd_import_problem(import, is_known ? BUDDY_INCOMPATIBLE : BUDDY_UNSUPPORTED, target,
                    is_known
                        ? "export the model in the type and sizes of the file"
                        : "write the file with plain numbers, Q8_0, Q4_0, Q4_1, Q4_K, Q5_K or Q6_K",
                    "it is %s in the program, and '%.200s' of the file is %s[%s]", wanted,
                    tensor->name, tensor->type_name, sizes);
}

/* Another parameter with the same bytes in the archive, which the file has; null: there is none. */
static const bd_file_tensor *find_tied(bd_import *import, const bd_other_weights *other,
                                       bd_json payload, char *name, size_t size) {
  const char *path = bd_json_name(&import->json, bd_json_get(&import->json, payload, "path_name"));
  for (const bd_payload *p = import->weights; p && !import->json.code; p = p->hh.next) {
    const bd_file_tensor *found = bd_other_weights_find(other, p->name, name, size);
    if (found && strcmp(path, bd_json_name(&import->json,
                                           bd_json_get(&import->json, p->meta, "path_name"))) == 0)
      return found;
  }
  return NULL;
}

/* What the file has for a parameter is the program's as it lies, or nodes make it; problems are told. */
static void take_tensor(bd_import *import, const bd_other_weights *other, const char *target,
                        const bd_file_tensor *tensor, const buddy_tensor_type *type,
                        bool is_parameter, buddy_data *data, bd_restored *restored) {
  const size_t unit = tensor->block ? sizeof(uint16_t) : buddy_dtype_size(tensor->dtype);
  const char *change;
  const int64_t n_heads = bd_other_weights_heads(other, target, tensor, &change);
  const uint8_t *bytes = other->file.bytes + tensor->at;
  const bool is_same = tensor->dtype == type->dtype && n_heads == 0;
  if (!bd_can_be_restored(tensor, type, n_heads) || (!is_same && !is_parameter)) {
    tell_type(import, target, tensor, type);
  } else if (change) {
    bd_import_problem(
        import, BUDDY_UNSUPPORTED, target,
        "write it as the program has it, and as-is after its name in the table of names",
        "the file is of the architecture %s, where '%.200s' is not the program's: %s",
        other->file.architecture, tensor->name, change);
  } else if (tensor->at % unit != 0) {
    bd_import_problem(import, BUDDY_UNSUPPORTED, target, "write the file again, aligned",
                      "its bytes do not begin at a multiple of %zu in the file of weights", unit);
  } else if (is_same) {
    *data = (buddy_data){.bytes = bytes, .n_bytes = tensor->n_bytes};
  } else {
    *data = (buddy_data){.bytes = NULL};
    *restored = (bd_restored){.tensor = tensor, .bytes = bytes, .n_heads = n_heads};
  }
}

/* The data of the other file in place of the archive's. */
static buddy_code take_other(bd_import *import, buddy_input_kind kind, const char *target,
                             bd_json payload, const buddy_tensor_type *type, buddy_data *data,
                             bd_restored *restored) {
  const bd_other_weights *other = bd_archive_other_weights(import->archive);
  char name[1024];
  if (!other) return BUDDY_OK;
  const bd_file_tensor *tensor = bd_other_weights_find(other, target, name, sizeof name);
  if (!tensor && kind != BUDDY_INPUT_PARAMETER) return BUDDY_OK;
  if (!tensor) tensor = find_tied(import, other, payload, name, sizeof name);
  BD_TRY(import->json.code);
  if (!tensor) {
    bd_other_weights_find(other, target, name, sizeof name);
    bd_import_problem(import, BUDDY_NOT_FOUND, target,
                      "say in the table of names what the file calls it",
                      "the file of weights has no tensor '%.200s'", name);
  } else {
    take_tensor(import, other, target, tensor, type, kind == BUDDY_INPUT_PARAMETER, data, restored);
  }
  return BUDDY_OK;
}

static buddy_code add_input(bd_import *import, buddy_input_kind kind, const char *name,
                            const char *target, bd_json payload, const char *folder,
                            const buddy_value **out_value) {
  int64_t dims[BD_MAX_TENSOR_RANK], strides[BD_MAX_TENSOR_RANK];
  buddy_tensor_type type;
  buddy_data data = {.strides = strides};
  const bd_json meta = bd_json_get(&import->json, payload, "tensor_meta");
  BD_TRY(bd_types_tensor(import, meta, dims, strides, &data.offset, &type));
  BD_TRY(check_numbers(import, meta, &type, strides, data.offset));
  BD_TRY(find_bytes(import, payload, folder, target, &type, strides, &data));
  int64_t expected = 1;
  bool is_contiguous = true;
  for (uint32_t i = type.rank; i-- > 0 && is_contiguous;) {
    is_contiguous = type.dims[i] == 1 || strides[i] == expected;
    if (__builtin_mul_overflow(expected, type.dims[i], &expected)) is_contiguous = false;
  }
  if (is_contiguous) data.strides = NULL;
  bd_restored restored = {.tensor = NULL};
  BD_TRY(take_other(import, kind, target, payload, &type, &data, &restored));
  BD_TRY(buddy_graph_add_input(import->graph, kind, name, target, &type, &data, import->diags,
                               out_value));
  restored.value = *out_value;
  return restored.tensor ? bd_restored_add(import, &restored) : BUDDY_OK;
}

/* What the caller gave was judged when the archive was created. */
static buddy_code add_given(bd_import *import, buddy_input_kind kind, const char *name,
                            const char *target, const buddy_value **out_value) {
  const buddy_named_tensor *given = bd_given_tensor(bd_archive_given(import->archive), target);
  if (given) {
    return buddy_graph_add_input(import->graph, kind, name, target, &given->type, &given->data,
                                 import->diags, out_value);
  }
  return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, import->json.where,
                         "pass it to buddy_archive_create",
                         "the program names '%.200s', but no tensor was given for it", target);
}

buddy_code bd_weights_add_input(bd_import *import, buddy_input_kind kind, const char *name,
                                const char *target, const buddy_value **out_value) {
  *out_value = NULL;
  if (bd_archive_given(import->archive)) return add_given(import, kind, name, target, out_value);
  const char *folder = "data/weights/";
  bd_payload *found;
  HASH_FIND(hh, import->weights, target, strlen(target), found);
  if (!found) {
    folder = "data/constants/";
    HASH_FIND(hh, import->constants, target, strlen(target), found);
  }
  if (!found) {
    return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_CORRUPT, import->json.where, NULL,
                           "the archive says nothing about the bytes of '%.200s'", target);
  }
  const bool is_pickled =
      bd_json_bool(&import->json, bd_json_get(&import->json, found->meta, "use_pickle"));
  BD_TRY(import->json.code);
  if (!is_pickled) return add_input(import, kind, name, target, found->meta, folder, out_value);
  bd_import_problem(import, BUDDY_UNSUPPORTED, target,
                    "save what run_decompositions() gives, or make it a plain torch.Tensor before "
                    "torch.export.export",
                    "its bytes are a pickle (it is of a tensor subclass or custom class); pickles "
                    "are never executed");
  return BUDDY_OK;
}
