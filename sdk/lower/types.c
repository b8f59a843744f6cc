// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/types.c: types of the graph as types of MLIR, and parsed texts.
 *
 * Parsing is slow beside building, and rows parse the same few texts again and again (an iterator
 * type of linalg): what was parsed is kept by its text. */
#include "sdk/lower/lowering.h"

#include <string.h>

#include "core/base/hash.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- Types ----------------------------------------------------------------------------------- */

static MlirType float_type(MlirContext context, buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_F16:
      return mlirF16TypeGet(context);
    case BUDDY_BF16:
      return mlirBF16TypeGet(context);
    case BUDDY_F32:
      return mlirF32TypeGet(context);
    case BUDDY_F64:
      return mlirF64TypeGet(context);
    case BUDDY_F8E4M3FN:
      return mlirFloat8E4M3FNTypeGet(context);
    case BUDDY_F8E5M2:
      return mlirFloat8E5M2TypeGet(context);
    case BUDDY_F8E4M3FNUZ:
      return mlirFloat8E4M3FNUZTypeGet(context);
    case BUDDY_F8E5M2FNUZ:
      return mlirFloat8E5M2FNUZTypeGet(context);
    case BUDDY_F8E8M0FNU:
      return mlirFloat8E8M0FNUTypeGet(context);
    default:
      return (MlirType){NULL};
  }
}

static MlirType make_element_type(MlirContext context, buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_BOOL:
      return mlirIntegerTypeGet(context, 1);
    case BUDDY_C32:
      return mlirComplexTypeGet(mlirF16TypeGet(context));
    case BUDDY_C64:
      return mlirComplexTypeGet(mlirF32TypeGet(context));
    case BUDDY_C128:
      return mlirComplexTypeGet(mlirF64TypeGet(context));
    case BUDDY_U8:
    case BUDDY_I8:
    case BUDDY_I16:
    case BUDDY_I32:
    case BUDDY_I64:
    case BUDDY_U16:
    case BUDDY_U32:
    case BUDDY_U64:
      return mlirIntegerTypeGet(context, (unsigned)(8 * buddy_dtype_size(dtype)));
    default:
      return float_type(context, dtype);
  }
}

MlirType bd_element_type(bd_lowering *lowering, buddy_dtype dtype) {
  if (dtype <= BUDDY_DTYPE_NONE || dtype >= BD_N_DTYPES) return (MlirType){NULL};
  MlirType *type = &lowering->element_types[dtype];
  if (!type->ptr) *type = make_element_type(lowering->context, dtype);
  return *type;
}

MlirType bd_tensor_type(bd_lowering *lowering, const buddy_tensor_type *type) {
  int64_t dims[BD_MAX_RANK];
  if (!type || type->rank > BD_MAX_RANK) return (MlirType){NULL};
  const MlirType element = bd_element_type(lowering, type->dtype);
  if (!element.ptr) return element;
  for (uint32_t d = 0; d < type->rank; ++d) {
    dims[d] = BUDDY_IS_SYMBOLIC(type->dims[d]) ? mlirShapedTypeGetDynamicSize() : type->dims[d];
    if (!BUDDY_IS_SYMBOLIC(type->dims[d]) && dims[d] < 0) return (MlirType){NULL};
  }
  return mlirRankedTensorTypeGet((intptr_t)type->rank, dims, element, mlirAttributeGetNull());
}

int bd_types_are_castable(MlirType a, MlirType b) {
  if (!mlirTypeIsARankedTensor(a) || !mlirTypeIsARankedTensor(b)) return 0;
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(a), mlirShapedTypeGetElementType(b))) return 0;
  const intptr_t rank = mlirShapedTypeGetRank(a);
  if (rank != mlirShapedTypeGetRank(b)) return 0;
  for (intptr_t d = 0; d < rank; ++d) {
    if (mlirShapedTypeIsDynamicDim(a, d) || mlirShapedTypeIsDynamicDim(b, d)) continue;
    if (mlirShapedTypeGetDimSize(a, d) != mlirShapedTypeGetDimSize(b, d)) return 0;
  }
  return 1;
}

typedef struct text_sink {
  char *text;
  size_t size, n;
} text_sink;

static void append_text(MlirStringRef piece, void *user) {
  text_sink *sink = user;
  const size_t room = sink->size - 1 - sink->n;
  const size_t n = piece.length < room ? piece.length : room;
  memcpy(sink->text + sink->n, piece.data, n);
  sink->n += n;
  sink->text[sink->n] = '\0';
}

void bd_type_text(MlirType type, char *text, size_t size) {
  text_sink sink = {text, size, 0};
  text[0] = '\0';
  if (type.ptr) mlirTypePrint(type, append_text, &sink);
}

/* ---- Parsed texts ---------------------------------------------------------------------------- */

struct bd_text_entry {
  const void *parsed;
  UT_hash_handle hh;
  char text[];
};

static const void *find_text(bd_text_entry *table, buddy_sv text) {
  const bd_text_entry *entry = NULL;
  HASH_FIND(hh, table, text.data, text.size, entry);
  return entry ? entry->parsed : NULL;
}

/* When memory is out the text is parsed again next time. */
static void keep_text(bd_text_entry **table, buddy_sv text, const void *parsed) {
  bool hash_is_full = false;
  size_t size;
  bd_text_entry *entry = NULL;
  if (bd_size_add(sizeof(bd_text_entry), text.size, &size)) entry = bd_malloc(size);
  if (!entry) return;
  entry->parsed = parsed;
  memcpy(entry->text, text.data, text.size);
  HASH_ADD_KEYPTR(hh, *table, entry->text, text.size, entry);
  if (hash_is_full) bd_free(entry);
}

MlirAttribute bd_parse_attribute(bd_lowering *lowering, buddy_sv text) {
  MlirAttribute attribute = {find_text(lowering->attributes, text)};
  if (attribute.ptr) return attribute;
  attribute = mlirAttributeParseGet(lowering->context, mlirStringRefCreate(text.data, text.size));
  if (attribute.ptr) keep_text(&lowering->attributes, text, attribute.ptr);
  return attribute;
}

MlirType bd_type_parse(bd_lowering *lowering, buddy_sv text) {
  MlirType type = {find_text(lowering->types, text)};
  if (type.ptr) return type;
  type = mlirTypeParseGet(lowering->context, mlirStringRefCreate(text.data, text.size));
  if (type.ptr) keep_text(&lowering->types, text, type.ptr);
  return type;
}

static void clear_texts(bd_text_entry **table) {
  bd_text_entry *entry, *next;
  HASH_ITER(hh, *table, entry, next) {
    HASH_DEL(*table, entry);
    bd_free(entry);
  }
}

void bd_texts_clear(bd_lowering *lowering) {
  clear_texts(&lowering->attributes);
  clear_texts(&lowering->types);
}
