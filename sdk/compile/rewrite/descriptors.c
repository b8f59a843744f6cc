// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/descriptors.c: memrefs as structs of the llvm dialect.
 *
 * The pointer of a memref is sought from its use backwards: casts and views of known shape keep it,
 * a descriptor was given it. Where it comes from elsewhere (memref.alloc, a call), it is taken out
 * of the descriptor. Each memref's pointer is found once. */
#include "sdk/compile/rewrite/descriptors.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"

enum { MAX_DEPTH = 64, /* of views of views */ ALIGNED = 1 /* its place in a descriptor */ };

/* A memref's pointer, by the memref. */
struct bd_known_pointer {
  UT_hash_handle hh;
  const void *key;
  MlirValue pointer;
};

/* ---- Operations ------------------------------------------------------------------------------ */

static MlirAttribute position(const bd_descriptors *p, const int64_t *places, intptr_t n) {
  return mlirDenseI64ArrayGet(p->context, n, places);
}

static MlirType descriptor_of(bd_descriptors *p, MlirType type) {
  char text[128];
  const long long rank = (long long)mlirShapedTypeGetRank(type);
  if (rank < BD_COMMON_RANKS && p->by_rank[rank].ptr) return p->by_rank[rank];
  if (rank == 0)
    snprintf(text, sizeof(text), "!llvm.struct<(ptr, ptr, i64)>");
  else
    snprintf(text, sizeof(text),
             "!llvm.struct<(ptr, ptr, i64, array<%lld x i64>, array<%lld x i64>)>", rank, rank);
  const MlirType found = mlirTypeParseGet(p->context, mlirStringRefCreateFromCString(text));
  if (rank < BD_COMMON_RANKS) p->by_rank[rank] = found;
  return found;
}

/* ---- Where a pointer comes from -------------------------------------------------------------- */

static MlirValue find_pointer(bd_descriptors *p, MlirValue memref, int depth);

static bool keeps_pointer(MlirOperation op) {
  static const char *const names[] = {"memref.reinterpret_cast",
                                      "memref.cast",
                                      "memref.subview",
                                      "memref.expand_shape",
                                      "memref.collapse_shape",
                                      "memref.extract_strided_metadata",
                                      NULL};
  return bd_op_is_any(op, names);
}

/* If the pointer is a constant number of bytes from another, they become one step. */
static void fold_move(MlirValue *pointer, int64_t *bytes) {
  const MlirOperation op = bd_maker_of(*pointer);
  if (!op.ptr || !bd_op_is(op, "llvm.getelementptr")) return;
  const MlirType element = mlirTypeAttrGetValue(bd_op_attribute(op, "elem_type"));
  const MlirAttribute indices = bd_op_attribute(op, "rawConstantIndices");
  if (mlirOperationGetNumOperands(op) != 1 || mlirDenseArrayGetNumElements(indices) != 1 ||
      !mlirTypeIsAInteger(element) || mlirIntegerTypeGetWidth(element) != 8)
    return;
  const int64_t sum = *bytes + mlirDenseI32ArrayGetElement(indices, 0);
  if (sum < 0 || sum > INT32_MAX) return;
  *pointer = mlirOperationGetOperand(op, 0);
  *bytes = sum;
}

/* From `bytes` bytes on. */
static MlirValue move(MlirOperation before, MlirValue pointer, int64_t bytes) {
  fold_move(&pointer, &bytes);
  return bd_build_bytes_on(bd_builder_before(before), pointer, (int32_t)bytes);
}

/* Of a memref.view by a number of bytes that fits in a getelementptr; else null. */
static MlirValue find_in_view(bd_descriptors *p, MlirOperation op, int depth) {
  const int64_t bytes = bd_integer_of(mlirOperationGetOperand(op, 1));
  if (mlirOperationGetNumOperands(op) != 2 || bytes < 0 || bytes > INT32_MAX)
    return (MlirValue){NULL};
  const MlirValue base = find_pointer(p, mlirOperationGetOperand(op, 0), depth + 1);
  return !base.ptr || bytes == 0 ? base : move(op, base, bytes);
}

/* Of a whole descriptor in memory, the word that matters. */
static MlirValue load_pointer(const bd_descriptors *p, MlirOperation load) {
  if (bd_op_attribute(load, "volatile_").ptr) return (MlirValue){NULL};
  const MlirValue at = move(load, mlirOperationGetOperand(load, 0), (int64_t)sizeof(void *));
  return bd_build_one(bd_builder_before(load), "llvm.load", at, p->pointer);
}

/* Of a descriptor; null if it says nothing. */
static MlirValue find_in_descriptor(const bd_descriptors *p, MlirValue value) {
  for (int i = 0; i < MAX_DEPTH; ++i) {
    const MlirOperation op = bd_maker_of(value);
    if (op.ptr && bd_op_is(op, "llvm.load")) return load_pointer(p, op);
    if (!op.ptr || !bd_op_is(op, "llvm.insertvalue")) break;
    const MlirAttribute places = bd_op_attribute(op, "position");
    if (mlirDenseArrayGetNumElements(places) == 1 &&
        mlirDenseI64ArrayGetElement(places, 0) == ALIGNED)
      return mlirOperationGetOperand(op, 1);
    value = mlirOperationGetOperand(op, 0);
  }
  return (MlirValue){NULL};
}

static MlirValue find_in_maker(bd_descriptors *p, MlirOperation op, MlirValue memref, int depth) {
  if (keeps_pointer(op)) {
    const MlirValue from = mlirOperationGetOperand(op, 0);
    return mlirOpResultGetResultNumber(memref) == 0 && mlirTypeIsAMemRef(mlirValueGetType(from))
               ? find_pointer(p, from, depth + 1)
               : (MlirValue){NULL};
  }
  if (bd_op_is(op, "memref.view")) return find_in_view(p, op, depth);
  if (!bd_op_is(op, "builtin.unrealized_conversion_cast") || mlirOperationGetNumOperands(op) != 1)
    return (MlirValue){NULL};
  const MlirValue from = mlirOperationGetOperand(op, 0);
  if (mlirTypeEqual(mlirValueGetType(from), p->pointer)) return from;
  return mlirTypeEqual(mlirValueGetType(from), descriptor_of(p, mlirValueGetType(memref)))
             ? find_in_descriptor(p, from)
             : (MlirValue){NULL};
}

/* Out of the descriptor, as soon as that is there. */
static MlirValue take_out(bd_descriptors *p, MlirValue memref) {
  const bool is_result = mlirValueIsAOpResult(memref);
  const MlirOperation maker = is_result ? mlirOpResultGetOwner(memref) : (MlirOperation){NULL};
  const bd_builder b =
      bd_builder_before(is_result ? mlirOperationGetNextInBlock(maker)
                                  : mlirBlockGetFirstOperation(mlirBlockArgumentGetOwner(memref)));
  const MlirValue whole = bd_build_one(b, "builtin.unrealized_conversion_cast", memref,
                                       descriptor_of(p, mlirValueGetType(memref)));
  return bd_build(b, "llvm.extractvalue", &whole, 1, p->pointer, "position",
                  position(p, (int64_t[]){ALIGNED}, 1));
}

static MlirValue find_pointer(bd_descriptors *p, MlirValue memref, int depth) {
  bool hash_is_full = false;
  bd_known_pointer *item;
  HASH_FIND(hh, p->known, &memref.ptr, sizeof(void *), item);
  if (item) return item->pointer;
  const MlirOperation op = bd_maker_of(memref);
  MlirValue pointer = {NULL};
  if (op.ptr && depth < MAX_DEPTH) pointer = find_in_maker(p, op, memref, depth);
  if (!pointer.ptr) pointer = take_out(p, memref);
  item = bd_calloc(1, sizeof(bd_known_pointer));
  if (!item) return (MlirValue){NULL};
  item->key = memref.ptr;
  item->pointer = pointer;
  HASH_ADD(hh, p->known, key, sizeof(void *), item);
  if (!hash_is_full) return pointer;
  free(item);
  return (MlirValue){NULL};
}

MlirValue bd_pointer_of(bd_descriptors *p, MlirValue memref) { return find_pointer(p, memref, 0); }

/* ---- Descriptors ----------------------------------------------------------------------------- */

/* The descriptor that the lowering of bare pointers would make. */
void bd_descriptor_rebuild(bd_descriptors *p, MlirOperation op) {
  const MlirValue pointer = mlirOperationGetOperand(op, 0);
  const MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0)),
                 descriptor = descriptor_of(p, type);
  const bd_builder b = bd_builder_before(op);
  const intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t stride = 1;
  MlirValue whole =
      bd_build(b, "llvm.mlir.poison", NULL, 0, descriptor, NULL, mlirAttributeGetNull());
  for (int64_t i = 0; i <= ALIGNED; ++i)
    whole = bd_build(b, "llvm.insertvalue", (MlirValue[]){whole, pointer}, 2, descriptor,
                     "position", position(p, &i, 1));
  for (intptr_t i = 2 * rank; i >= 0; --i) { /* strides, sizes, the offset; the last one first */
    const int64_t axis = i == 0 ? 0 : (i - 1) % rank;
    const int64_t size = i == 0 ? 0 : mlirShapedTypeGetDimSize(type, axis);
    const int64_t number = i > rank ? stride : size;
    const int64_t places[] = {i == 0 ? 2 : i > rank ? 4 : 3, axis};
    const MlirValue word = bd_build(b, "llvm.mlir.constant", NULL, 0, p->word, "value",
                                    mlirIntegerAttrGet(p->word, number));
    whole = bd_build(b, "llvm.insertvalue", (MlirValue[]){whole, word}, 2, descriptor, "position",
                     position(p, places, i == 0 ? 1 : 2));
    if (i > rank) stride *= size;
  }
  mlirOperationSetOperand(op, 0, whole);
}

/* ---- All of them ----------------------------------------------------------------------------- */

void bd_descriptors_init(bd_descriptors *p, MlirContext context) {
  *p = (bd_descriptors){.context = context, .word = mlirIntegerTypeGet(context, 64)};
  p->pointer = mlirTypeParseGet(context, mlirStringRefCreateFromCString("!llvm.ptr"));
}

void bd_descriptors_deinit(bd_descriptors *p) {
  bd_known_pointer *all = p->known, *item, *next;
  HASH_CLEAR(hh, p->known);
  HASH_ITER(hh, all, item, next) free(item);
}
