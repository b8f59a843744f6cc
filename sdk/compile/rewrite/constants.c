// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/constants.c: large constants become pointers to their bytes. */
#include "sdk/compile/rewrite/constants.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/structured.h"

#define LARGE 4096 /* bytes */

void bd_constants_deinit(bd_constants *constants) {
  for (size_t i = 0; i < constants->n; ++i) free(constants->items[i]);
  free(constants->items);
  *constants = (bd_constants){NULL, 0};
}

/* Memory that the program will own. */
static void *own(bd_constants *constants, size_t n_bytes) {
  const size_t n = constants->n;
  void **items = bd_array_next(constants->items, n, sizeof(void *));
  if (!items) return NULL;
  constants->items = items;
  void *bytes = aligned_alloc(64, (n_bytes + 63) / 64 * 64 + 64);
  if (bytes) constants->items[constants->n++] = bytes;
  return bytes;
}

/* ---- Elements in the attribute itself ---- */

static void fill_splat(char *to, const char *from, size_t width, size_t n) {
  for (size_t i = 0; i < n; ++i) memcpy(to + i * width, from, width);
}

static buddy_code copy_elements(MlirAttribute value, MlirType element, size_t n, void *to) {
  const size_t width = bd_type_bytes(element);
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1) {
    /* How booleans are packed is MLIR's own business. */
    unsigned char *flags = to;
    const bool is_splat = mlirDenseElementsAttrIsSplat(value);
    if (is_splat) memset(flags, mlirDenseElementsAttrGetBoolSplatValue(value), n);
    for (size_t i = 0; i < n && !is_splat; ++i)
      flags[i] = mlirDenseElementsAttrGetBoolValue(value, (intptr_t)i);
    return BUDDY_OK;
  }
  const char *raw = mlirDenseElementsAttrGetRawData(value);
  if (!raw) return BUDDY_INTERNAL;
  if (mlirDenseElementsAttrIsSplat(value))
    fill_splat(to, raw, width, n);
  else
    memcpy(to, raw, n * width);
  return BUDDY_OK;
}

/* ---- Resources ---- */

typedef struct named_blob {
  UT_hash_handle hh;
  const bd_blob *blob;
} named_blob;

typedef struct extraction {
  const buddy_module *module;
  bd_symbol_table *symbols;
  bd_constants *constants;
  buddy_diags *diags;
  named_blob *by_key, *storage;
} extraction;

static buddy_code index_blobs(extraction *e) {
  bool hash_is_full = false;
  e->storage = bd_calloc(e->module->n_blobs + 1, sizeof(named_blob));
  if (!e->storage) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < e->module->n_blobs; ++i) {
    named_blob *item = &e->storage[i];
    item->blob = &e->module->blobs[i];
    HASH_ADD_KEYPTR(hh, e->by_key, item->blob->key, strlen(item->blob->key), item);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

/* The key of dense_resource<key> : type. The C API tells it only as text. */
static const bd_blob *find_blob(const extraction *e, MlirAttribute value) {
  static const char lead[] = "dense_resource<";
  bd_text text = {.data = NULL};
  named_blob *item = NULL;
  mlirAttributePrint(value, bd_text_piece, &text);
  if (text.data && strncmp(text.data, lead, sizeof(lead) - 1) == 0) {
    const char *key = text.data + sizeof(lead) - 1;
    const size_t n = strcspn(key, ">");
    const size_t is_quoted = n >= 2 && key[0] == '"';
    HASH_FIND(hh, e->by_key, key + is_quoted, n - 2 * is_quoted, item);
  }
  bd_text_deinit(&text);
  return !item ? NULL : item->blob;
}

/* Resources that came with the module's text are reached one element at a time: the C API has
 * nothing better. */
#define READ(name, type, bits)                                                    \
  static void read_##name(MlirAttribute value, intptr_t i, void *to) {            \
    const type element = mlirDense##bits##ResourceElementsAttrGetValue(value, i); \
    memcpy(to, &element, sizeof(element));                                        \
  }
READ(f32, float, Float)
READ(f64, double, Double)
READ(i8, int8_t, Int8)
READ(i16, int16_t, Int16)
READ(i32, int32_t, Int32)
READ(i64, int64_t, Int64)

static buddy_code copy_resource(MlirAttribute value, MlirType element, size_t n, char *to) {
  static const struct {
    bool (*is)(MlirType type);
    unsigned width;
    void (*read)(MlirAttribute value, intptr_t i, void *to);
  } readers[] = {{mlirTypeIsAF32, 4, read_f32},     {mlirTypeIsAF64, 8, read_f64},
                 {mlirTypeIsAInteger, 1, read_i8},  {mlirTypeIsAInteger, 2, read_i16},
                 {mlirTypeIsAInteger, 4, read_i32}, {mlirTypeIsAInteger, 8, read_i64}};
  const bool is_signless = !mlirTypeIsAInteger(element) ||
                           (mlirIntegerTypeIsSignless(element) && bd_type_bytes(element) > 0);
  for (size_t k = 0; k < sizeof(readers) / sizeof(readers[0]) && is_signless; ++k) {
    if (!readers[k].is(element) || readers[k].width != bd_type_bytes(element)) continue;
    if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1) continue;
    for (size_t i = 0; i < n; ++i) readers[k].read(value, (intptr_t)i, to + i * readers[k].width);
    return BUDDY_OK;
  }
  return BUDDY_UNSUPPORTED;
}

/* ---- Globals ---- */

/* The bytes that stand behind a constant; a copy, unless the module knows them. */
static buddy_code bytes_of(extraction *e, MlirAttribute value, MlirType type, size_t n,
                           void **out_bytes) {
  const MlirType element = mlirShapedTypeGetElementType(type);
  const size_t n_bytes = n * bd_type_bytes(element);
  const bool is_resource = mlirAttributeIsADenseResourceElements(value);
  const bd_blob *blob = is_resource ? find_blob(e, value) : NULL;
  if (blob) {
    if (blob->n_bytes < n_bytes) return BUDDY_CORRUPT;
    memcpy(out_bytes, &blob->bytes,
           sizeof(*out_bytes)); /* the code reads it only: const is cast away */
    return BUDDY_OK;
  }
  *out_bytes = own(e->constants, n_bytes);
  if (!*out_bytes) return BUDDY_OUT_OF_MEMORY;
  return is_resource ? copy_resource(value, element, n, *out_bytes)
                     : copy_elements(value, element, n, *out_bytes);
}

static buddy_code extract_one(extraction *e, MlirOperation global) {
  const MlirAttribute value = bd_op_attribute(global, "initial_value");
  if (!value.ptr) return BUDDY_OK;
  const bool is_resource = mlirAttributeIsADenseResourceElements(value);
  if (!is_resource && !mlirAttributeIsADenseElements(value)) return BUDDY_OK;
  const MlirType type = mlirTypeAttrGetValue(bd_op_attribute(global, "type"));
  const size_t width = bd_type_bytes(mlirShapedTypeGetElementType(type));
  const size_t n = (size_t)mlirElementsAttrGetNumElements(value);
  if (width == 0 || (!is_resource && n * width < LARGE)) return BUDDY_OK;
  void *bytes = NULL;
  buddy_code code = bytes_of(e, value, type, n, &bytes);
  if (code != BUDDY_OK) {
    return buddy_diags_add(e->diags, BUDDY_ERROR, code, "constant", NULL,
                           "the bytes of a constant cannot be read");
  }
  const MlirStringRef symbol = bd_symbol_of(global);
  char *name = bd_malloc(symbol.length + 1);
  if (!name) return BUDDY_OUT_OF_MEMORY;
  memcpy(name, symbol.data, symbol.length);
  name[symbol.length] = '\0';
  code = bd_symbol_table_add(e->symbols, name, bytes);
  free(name);
  /* Without a value it is a declaration, if it is public. */
  mlirOperationRemoveAttributeByName(global, mlirStringRefCreateFromCString("initial_value"));
  mlirOperationRemoveAttributeByName(global, mlirStringRefCreateFromCString("sym_visibility"));
  return code;
}

buddy_code bd_constants_extract(const buddy_module *module, bd_symbol_table *symbols,
                                bd_constants *constants, buddy_diags *diags) {
  extraction e = {.module = module, .symbols = symbols, .constants = constants, .diags = diags};
  buddy_code code = index_blobs(&e);
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module->module));
  for (; op.ptr && code == BUDDY_OK; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "memref.global")) code = extract_one(&e, op);
  }
  HASH_CLEAR(hh, e.by_key);
  free(e.storage);
  return code;
}
