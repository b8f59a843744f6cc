// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/hoist.c: allocations of hoisted constants become slots of prepacked.h.
 *
 *   %b = memref.alloc()              %kept = call @buddy_runtime_keep(%slot, %n_bytes)
 *   linalg.fill outs(%b)             %b = what lies behind %kept's head
 *   linalg.generic ins(%w) outs(%b)  %is_new = the head says that it is not filled
 *                                    scf.if %is_new {
 *                                      linalg.fill, linalg.generic as before
 *                                      call @buddy_runtime_keep_filled(%slot)
 *                                    }
 *
 * All that takes the place of the allocation is marked as steady (constancy.h). A function for it
 * would have to return a buffer, which is a struct in the llvm dialect: LLVM's fast code generation
 * hands these to the slow one, with the rest of the block.
 *
 * Of two that do the same to the same constants the second reads what the first has made (spelling.h).
 *
 * Kernels of products in there keep nothing themselves: the slot is locked while it is filled. Convolutions are left alone. */
#include "sdk/compile/rewrite/hoist.h"

#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/compile/rewrite/spelling.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/prepacked.h"
#include "sdk/compile/builder.h"

enum { MAX_WRITERS = 4 };

/* What is made at once of little is made anew in every run: to read it again would cost more. */
enum { SMALL = 4096, MOST_OF_PRODUCT = 1 << 24 };

/* A buffer, what writes to it, and how many bytes of constants that reads. */
typedef struct result {
  MlirOperation alloc, writers[MAX_WRITERS];
  int n;
  bool has_product;
  int64_t n_bytes, n_read;
} result;

static bool is_view(MlirOperation op) {
  return bd_op_is_reshape(op) || bd_op_is(op, "memref.cast");
}

static int64_t bytes_of(MlirType type) {
  const MlirType element = mlirShapedTypeGetElementType(type);
  const int64_t bits = mlirTypeIsAInteger(element) ? (int64_t)mlirIntegerTypeGetWidth(element)
                       : mlirTypeIsAFloat(element) ? (int64_t)mlirFloatTypeGetWidth(element)
                                                   : 0;
  return bits % 8 == 0 ? bd_count_elements(type) * (bits / 8) : 0;
}

static MlirWalkResult count_load(MlirOperation op, void *user) {
  int64_t *n_read = user;
  if (!bd_op_is(op, "memref.load")) return MlirWalkResultAdvance;
  const MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (mlirShapedTypeHasStaticShape(type)) *n_read += bytes_of(type);
  return MlirWalkResultAdvance;
}

/* True if it is a loop that does the same in every run, and writes to the buffer alone. */
static int reads_constants(const bd_prepacking *prepacking, MlirOperation op, result *r) {
  bd_structured s;
  if (!bd_structured_read(op, &s) || s.n_inputs != s.n_operands - 1) return 0;
  if (mlirLinalgIsAConvolutionOp(op) || !bd_op_is_steady(prepacking, op, 1)) return 0;
  r->has_product |= mlirLinalgIsAContractionOp(op);
  for (int i = 0; i < s.n_inputs; ++i) {
    if (s.operands[i].rank >= 0 && mlirShapedTypeHasStaticShape(s.operands[i].type))
      r->n_read += bytes_of(s.operands[i].type);
  }
  mlirOperationWalk(op, count_load, &r->n_read, MlirWalkPreOrder); /* by computed positions */
  return mlirValueEqual(bd_base_of(s.operands[s.n_inputs].value),
                        mlirOperationGetResult(r->alloc, 0));
}

/* Sorts the uses of the buffer, or of a view of it, into writers and readers; false if some other
 * operation has to do with it. */
static int sort_uses(const bd_prepacking *prepacking, MlirValue value, result *r) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    bd_structured s;
    if (is_view(user)) {
      if (!sort_uses(prepacking, mlirOperationGetResult(user, 0), r)) return 0;
      continue;
    }
    if (bd_call_reads(user, mlirOpOperandGetOperandNumber(use)) || bd_op_is(user, "memref.load"))
      continue;
    if (!bd_structured_read(user, &s)) return 0;
    if ((int)mlirOpOperandGetOperandNumber(use) < s.n_inputs) continue;
    if (r->n == MAX_WRITERS ||
        !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(r->alloc)))
      return 0;
    if (!reads_constants(prepacking, user, r)) return 0;
    r->writers[r->n++] = user;
  }
  return 1;
}

/* The order in which they stand; nothing else has to do with the buffer between them. */
static void sort_writers(result *r) {
  for (int i = 1; i < r->n; ++i) {
    for (int k = i; k > 0 && mlirOperationIsBeforeInBlock(r->writers[k], r->writers[k - 1]); --k) {
      const MlirOperation later = r->writers[k - 1];
      r->writers[k - 1] = r->writers[k];
      r->writers[k] = later;
    }
  }
}

/* True if every view stands before the writers, and no reader does. */
static bool is_in_order(const result *r, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_writer = false;
    for (int i = 0; i < r->n; ++i) is_writer |= mlirOperationEqual(user, r->writers[i]);
    if (is_view(user)) {
      if (!is_in_order(r, mlirOperationGetResult(user, 0))) return false;
      continue;
    }
    user = bd_op_ancestor_in(mlirOperationGetBlock(r->alloc), user);
    if (!user.ptr) return false;
    if (!is_writer && !mlirOperationIsBeforeInBlock(r->writers[r->n - 1], user)) return false;
  }
  return true;
}

static int find(const bd_prepacking *prepacking, MlirOperation alloc, result *r) {
  const MlirValue buffer = mlirOperationGetResult(alloc, 0);
  const MlirType type = mlirValueGetType(buffer);
  *r = (result){.alloc = alloc};
  if (!mlirBlockEqual(mlirOperationGetBlock(alloc), prepacking->entry) || !bd_type_is_bare(type))
    return 0;
  r->n_bytes = bytes_of(type);
  if (r->n_bytes == 0 || !sort_uses(prepacking, buffer, r) || r->n == 0) return 0;
  sort_writers(r);
  return is_in_order(r, buffer) && r->n_read > 0 &&
         (r->n_bytes <= (r->has_product ? MOST_OF_PRODUCT : SMALL) || r->n_bytes <= r->n_read);
}

int bd_op_is_hoisted(MlirOperation op) {
  if (bd_steady_is_marked(op)) return 1;
  if (!bd_op_is(op, "scf.if")) return 0;
  const MlirValue condition = mlirOperationGetOperand(op, 0);
  return mlirValueIsAOpResult(condition) && bd_steady_is_marked(mlirOpResultGetOwner(condition));
}

/* ---- Replacing ------------------------------------------------------------------------------- */

/* Before the allocation: an operation with one result, marked. */
static MlirValue insert(const result *r, const char *name, const MlirValue *operands, size_t n,
                        MlirType type, const MlirNamedAttribute *attributes, size_t n_attributes) {
  const MlirOperation op = bd_build_op(bd_builder_before(r->alloc), name, operands, n, &type, 1,
                                       attributes, n_attributes);
  if (!op.ptr) return (MlirValue){NULL};
  bd_steady_mark(op);
  return mlirOperationGetResult(op, 0);
}

/* The block of the slot; null if there is none. */
static MlirValue insert_keep(const result *r, MlirValue slot, MlirType pointer) {
  const MlirNamedAttribute callee =
      bd_named(mlirOperationGetContext(r->alloc), "callee",
               mlirFlatSymbolRefAttrGet(mlirOperationGetContext(r->alloc),
                                        mlirStringRefCreateFromCString(BD_RUNTIME_KEEP)));
  const MlirValue operands[] = {slot, bd_build_i64(bd_builder_before(r->alloc), r->n_bytes)};
  return !operands[1].ptr ? operands[1] : insert(r, "func.call", operands, 2, pointer, &callee, 1);
}

/* The buffer after the block's head. */
static MlirValue insert_buffer(const result *r, MlirValue kept) {
  const MlirValue data =
      bd_build_bytes_on(bd_builder_before(r->alloc), kept, (int32_t)BD_PREPACKED_HEAD);
  if (!data.ptr) return data;
  bd_steady_mark(bd_maker_of(data));
  return insert(r, "builtin.unrealized_conversion_cast", &data, 1,
                mlirValueGetType(mlirOperationGetResult(r->alloc, 0)), NULL, 0);
}

/* Whether the block is still to be filled. */
static MlirValue insert_is_new(const result *r, MlirValue kept) {
  enum { EQUAL = 0 };
  const MlirContext context = mlirOperationGetContext(r->alloc);
  const MlirType word = mlirIntegerTypeGet(context, 64);
  const MlirValue operands[] = {insert(r, "llvm.load", &kept, 1, word, NULL, 0),
                                bd_build_i64(bd_builder_before(r->alloc), 0)};
  const MlirNamedAttribute equal = bd_named(context, "predicate", mlirIntegerAttrGet(word, EQUAL));
  if (!operands[0].ptr || !operands[1].ptr) return (MlirValue){NULL};
  return insert(r, "arith.cmpi", operands, 2, mlirIntegerTypeGet(context, 1), &equal, 1);
}

/* scf.if %condition { }, before `before`: its block. */
static MlirBlock insert_if(MlirOperation before, MlirValue condition) {
  const bd_builder b = bd_builder_before(before);
  const MlirBlock bodies[] = {mlirBlockCreate(0, NULL, NULL), {NULL}};
  if (!bd_build_around(b, "scf.if", &condition, 1, NULL, 0, NULL, 0, bodies, 2).ptr)
    return (MlirBlock){NULL};
  const MlirOperation end =
      bd_build_op(bd_builder_at_end(bodies[0], b.location), "scf.yield", NULL, 0, NULL, 0, NULL, 0);
  return end.ptr ? bodies[0] : (MlirBlock){NULL};
}

/* What is kept of the same computation, whichever buffer it is done to; null: that cannot be told. */
static bd_kept *find_kept(const result *r, bd_prepacking *prepacking) {
  const MlirValue buffer = mlirOperationGetResult(r->alloc, 0);
  bd_text key = {.data = NULL};
  bd_spell_type(&key, mlirValueGetType(buffer));
  bool is_told = true;
  for (int i = 0; i < r->n && is_told; ++i) is_told = bd_spell_op(&key, r->writers[i], buffer);
  bd_kept *kept = is_told ? bd_prepacking_kept(prepacking, &key) : NULL;
  bd_text_deinit(&key);
  return kept;
}

/* True if what another buffer holds has taken this one's place. */
static bool take_kept(const result *r, const bd_kept *kept) {
  if (!kept || !kept->buffer.ptr ||
      !mlirOperationIsBeforeInBlock(kept->filled, r->writers[r->n - 1]))
    return false;
  for (int i = 0; i < r->n; ++i) bd_op_erase(r->writers[i]);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->alloc, 0), kept->buffer);
  bd_op_erase(r->alloc);
  return true;
}

static buddy_code replace(const result *r, MlirType pointer, bd_prepacking *prepacking) {
  bd_kept *kept_of = find_kept(r, prepacking);
  if (take_kept(r, kept_of)) return BUDDY_OK;
  const int64_t number = bd_prepacking_slot(prepacking);
  if (number < 0) return BUDDY_OK;
  const MlirValue slot = bd_build_i64(bd_builder_before(r->alloc), number);
  if (!slot.ptr) return BUDDY_OUT_OF_MEMORY;
  const MlirValue kept = insert_keep(r, slot, pointer);
  if (!kept.ptr) return BUDDY_OUT_OF_MEMORY;
  const MlirValue buffer = insert_buffer(r, kept), is_new = insert_is_new(r, kept);
  if (!buffer.ptr || !is_new.ptr) return BUDDY_OUT_OF_MEMORY;
  const MlirBlock block = insert_if(r->writers[r->n - 1], is_new);
  if (!block.ptr) return BUDDY_OUT_OF_MEMORY;
  const MlirOperation end = mlirBlockGetTerminator(block);
  for (int i = 0; i < r->n; ++i) {
    mlirOperationRemoveFromParent(r->writers[i]);
    mlirBlockInsertOwnedOperationBefore(block, end, r->writers[i]);
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->alloc, 0), buffer);
  bd_op_erase(r->alloc);
  if (kept_of) kept_of->buffer = buffer, kept_of->filled = bd_block_parent(block);
  return bd_build_call(bd_builder_before(end), BD_RUNTIME_KEEP_FILLED, &slot, 1);
}

buddy_code bd_constants_hoist(MlirOperation root, bd_prepacking *prepacking) {
  const MlirContext context = mlirOperationGetContext(root);
  bd_ops ops = {NULL, 0, 0};
  if (!prepacking->entry.ptr) return BUDDY_OK;
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("llvm"));
  const MlirType pointer = mlirTypeParseGet(context, mlirStringRefCreateFromCString("!llvm.ptr"));
  if (!pointer.ptr) return BUDDY_INTERNAL;
  buddy_code code = bd_ops_collect(&ops, root, "memref.alloc");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i) {
    result r;
    if (bd_op_is(ops.items[i], "memref.alloc") && find(prepacking, ops.items[i], &r))
      code = replace(&r, pointer, prepacking);
  }
  bd_ops_deinit(&ops);
  return code;
}
