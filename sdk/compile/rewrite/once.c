/* sdk/compile/rewrite/once.c: see once.h.
 *
 *   %b = memref.alloc()              %b, %is_new = call @buddy.once_0(%slot)
 *   linalg.fill outs(%b)             scf.if %is_new {
 *   linalg.generic ins(%w) outs(%b)    linalg.fill, linalg.generic as before
 *                                      call @buddy_runtime_keep_filled(%slot)
 *                                    }
 *
 * Products and convolutions are left alone: their kernels keep things themselves, and the slot is
 * locked while it is filled. */
#include "sdk/compile/rewrite/once.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/kept.h"

enum { MAX_WRITERS = 4, SMALL = 4096 };

/* A buffer, what writes to it, and how many bytes of constants that reads. */
typedef struct result {
  MlirOperation alloc, writers[MAX_WRITERS];
  int n;
  int64_t n_bytes, n_read;
} result;

static int is_view(MlirOperation op) {
  return bd_op_is(op, "memref.expand_shape") || bd_op_is(op, "memref.collapse_shape") ||
         bd_op_is(op, "memref.cast");
}

static int64_t bytes_of(MlirType type) {
  const MlirType element = mlirShapedTypeGetElementType(type);
  const int64_t bits = mlirTypeIsAInteger(element) ? (int64_t)mlirIntegerTypeGetWidth(element)
                       : mlirTypeIsAFloat(element) ? (int64_t)mlirFloatTypeGetWidth(element)
                                                   : 0;
  return bits % 8 == 0 ? bd_count_elements(type) * (bits / 8) : 0;
}

int bd_is_steady(const bd_keeping *keeping, MlirValue value) {
  const MlirValue base = bd_base_of(value);
  if (bd_is_constant(keeping, base)) return 1;
  if (!mlirValueIsAOpResult(base)) return 0;
  const MlirOperation maker = mlirOpResultGetOwner(base);
  return bd_op_is(maker, "memref.get_global") || bd_op_is(maker, "arith.constant") ||
         bd_op_attribute(maker, "buddy.once").ptr != NULL;
}

/* True if all that the loop reads, but for what it writes to, is steady. */
static int reads_constants(const bd_keeping *keeping, MlirOperation op, result *r) {
  bd_structured s;
  if (!bd_structured_read(op, &s) || s.n_inputs != s.n_operands - 1) return 0;
  if (mlirLinalgIsAContractionOp(op) || mlirLinalgIsAConvolutionOp(op)) return 0;
  for (int i = 0; i < s.n_inputs; i++) {
    if (!bd_is_steady(keeping, s.operands[i].value)) return 0;
    if (s.operands[i].rank >= 0 && mlirShapedTypeHasStaticShape(s.operands[i].type))
      r->n_read += bytes_of(s.operands[i].type);
  }
  return mlirValueEqual(bd_base_of(s.operands[s.n_inputs].value),
                        mlirOperationGetResult(r->alloc, 0));
}

/* Sorts the uses of the buffer, or of a view of it, into writers and readers; false if some other
 * operation has to do with it. */
static int sort_uses(const bd_keeping *keeping, MlirValue value, result *r) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    bd_structured s;
    if (is_view(user)) {
      if (!sort_uses(keeping, mlirOperationGetResult(user, 0), r)) return 0;
      continue;
    }
    if (bd_call_reads(user, mlirOpOperandGetOperandNumber(use))) continue;
    if (!bd_structured_read(user, &s)) return 0;
    if ((int)mlirOpOperandGetOperandNumber(use) < s.n_inputs) continue;
    if (r->n == MAX_WRITERS ||
        !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(r->alloc)))
      return 0;
    if (!reads_constants(keeping, user, r)) return 0;
    r->writers[r->n++] = user;
  }
  return 1;
}

/* The order in which they stand; nothing else has to do with the buffer between them. */
static void sort_writers(result *r) {
  for (int i = 1; i < r->n; i++) {
    for (int k = i; k > 0 && mlirOperationIsBeforeInBlock(r->writers[k], r->writers[k - 1]); k--) {
      const MlirOperation later = r->writers[k - 1];
      r->writers[k - 1] = r->writers[k];
      r->writers[k] = later;
    }
  }
}

/* True if every view stands in front of the writers, and no reader does. */
static int is_in_order(const result *r, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int is_writer = 0;
    for (int i = 0; i < r->n; i++) is_writer |= mlirOperationEqual(user, r->writers[i]);
    if (is_view(user)) {
      if (!is_in_order(r, mlirOperationGetResult(user, 0))) return 0;
      continue;
    }
    while (!mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(r->alloc))) {
      user = mlirOperationGetParentOperation(user);
      if (user.ptr == NULL) return 0;
    }
    if (!is_writer && !mlirOperationIsBeforeInBlock(r->writers[r->n - 1], user)) return 0;
  }
  return 1;
}

static int find(const bd_keeping *keeping, MlirOperation alloc, result *r) {
  const MlirValue buffer = mlirOperationGetResult(alloc, 0);
  const MlirType type = mlirValueGetType(buffer);
  *r = (result){.alloc = alloc};
  if (!mlirBlockEqual(mlirOperationGetBlock(alloc), keeping->entry) || !bd_type_is_bare(type))
    return 0;
  r->n_bytes = bytes_of(type);
  if (r->n_bytes == 0 || !sort_uses(keeping, buffer, r) || r->n == 0) return 0;
  sort_writers(r);
  return is_in_order(r, buffer) && r->n_read > 0 &&
         (r->n_bytes <= SMALL || r->n_bytes <= r->n_read);
}

int bd_op_is_of_once(MlirOperation op) {
  if (bd_op_attribute(op, "buddy.once").ptr != NULL) return 1;
  if (!bd_op_is(op, "scf.if")) return 0;
  const MlirValue condition = mlirOperationGetOperand(op, 0);
  return mlirValueIsAOpResult(condition) &&
         bd_op_attribute(mlirOpResultGetOwner(condition), "buddy.once").ptr != NULL;
}

/* ---- Replacing --------------------------------------------------------------------------------
 */

/* The function that finds the buffer of a slot, and whether it is still to be filled. */
static buddy_code add_function(bd_kernels *kernels, MlirType type, int64_t n_bytes,
                               const char **out_name) {
  static const char descriptor[] = "!llvm.struct<(ptr, ptr, i64)>";
  bd_text text = {NULL, 0, 0, 0}, element = {NULL, 0, 0, 0};
  bd_text_type(&element, mlirShapedTypeGetElementType(type));
  bd_text_format(&text, "(%%slot: i64) -> (");
  bd_text_type(&text, type);
  bd_text_format(&text,
                 ", i1) {\n  %%n_bytes = arith.constant %lld : i64\n"
                 "  %%nought = arith.constant 0 : i64\n"
                 "  %%kept = func.call @" BD_RUNTIME_KEEP
                 "(%%slot, %%n_bytes) : (i64, i64) -> !llvm.ptr\n"
                 "  %%data = llvm.getelementptr %%kept[%d] : (!llvm.ptr) -> !llvm.ptr, i8\n"
                 "  %%none = llvm.mlir.undef : %s\n"
                 "  %%a = llvm.insertvalue %%data, %%none[0] : %s\n"
                 "  %%b = llvm.insertvalue %%data, %%a[1] : %s\n"
                 "  %%c = llvm.insertvalue %%nought, %%b[2] : %s\n",
                 (long long)n_bytes, BD_KEPT_HEAD, descriptor, descriptor, descriptor, descriptor);
  bd_text_format(&text,
                 "  %%point = builtin.unrealized_conversion_cast %%c : %s to memref<%s>\n"
                 "  %%buffer = memref.reinterpret_cast %%point to offset: [0], sizes: [",
                 descriptor, element.data != NULL ? element.data : "");
  const int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; i++)
    bd_text_format(&text, "%s%lld", i > 0 ? ", " : "",
                   (long long)mlirShapedTypeGetDimSize(type, i));
  bd_text_format(&text, "], strides: [");
  for (int64_t i = 0; i < rank; i++) {
    int64_t stride = 1;
    for (int64_t k = i + 1; k < rank; k++) stride *= mlirShapedTypeGetDimSize(type, k);
    bd_text_format(&text, "%s%lld", i > 0 ? ", " : "", (long long)stride);
  }
  bd_text_format(&text, "] : memref<%s> to ", element.data != NULL ? element.data : "");
  bd_text_type(&text, type);
  bd_text_format(&text,
                 "\n  %%is_filled = llvm.load %%kept : !llvm.ptr -> i64\n"
                 "  %%is_new = arith.cmpi eq, %%is_filled, %%nought : i64\n"
                 "  return %%buffer, %%is_new : ");
  bd_text_type(&text, type);
  bd_text_format(&text, ", i1\n}\n");
  text.is_lost |= element.is_lost;
  const buddy_code code = bd_kernels_add(kernels, "once", &text, out_name);
  bd_text_deinit(&element);
  bd_text_deinit(&text);
  return code;
}

static MlirOperation insert_call(MlirOperation before, const char *name, MlirValue slot,
                                 MlirType type) {
  const MlirContext context = mlirOperationGetContext(before);
  const MlirType types[] = {type, mlirIntegerTypeGet(context, 1)};
  const MlirOperation call =
      bd_op_create("func.call", mlirOperationGetLocation(before), &slot, 1, types, 2, "callee",
                   mlirFlatSymbolRefAttrGet(context, mlirStringRefCreateFromCString(name)));
  if (call.ptr == NULL) return call;
  bd_op_set_attribute(call, "buddy.once", mlirUnitAttrGet(context));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before, call);
  return call;
}

/* scf.if %condition { }, in front of `before`: its block. */
static MlirBlock insert_if(MlirOperation before, MlirValue condition) {
  const MlirLocation location = mlirOperationGetLocation(before);
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(regions[0], block);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("scf.if"), location);
  mlirOperationStateAddOperands(&state, 1, &condition);
  mlirOperationStateAddOwnedRegions(&state, 2, regions);
  const MlirOperation op = mlirOperationCreate(&state);
  if (op.ptr == NULL) return (MlirBlock){NULL};
  const MlirOperation end =
      bd_op_create("scf.yield", location, NULL, 0, NULL, 0, NULL, (MlirAttribute){NULL});
  if (end.ptr != NULL) mlirBlockAppendOwnedOperation(block, end);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before, op);
  return end.ptr != NULL ? block : (MlirBlock){NULL};
}

static buddy_code replace(const result *r, bd_kernels *kernels, bd_keeping *keeping) {
  const MlirValue buffer = mlirOperationGetResult(r->alloc, 0);
  const char *name;
  const int64_t number = bd_keeping_slot(keeping);
  if (number < 0) return BUDDY_OK;
  buddy_code code = add_function(kernels, mlirValueGetType(buffer), r->n_bytes, &name);
  if (code != BUDDY_OK) return code;
  const MlirValue slot = bd_number_insert(r->alloc, number);
  if (slot.ptr == NULL) return BUDDY_OUT_OF_MEMORY;
  const MlirOperation call = insert_call(r->alloc, name, slot, mlirValueGetType(buffer));
  if (call.ptr == NULL) return BUDDY_OUT_OF_MEMORY;
  const MlirBlock block = insert_if(r->writers[r->n - 1], mlirOperationGetResult(call, 1));
  if (block.ptr == NULL) return BUDDY_OUT_OF_MEMORY;
  const MlirOperation end = mlirBlockGetTerminator(block);
  for (int i = 0; i < r->n; i++) {
    mlirOperationRemoveFromParent(r->writers[i]);
    mlirBlockInsertOwnedOperationBefore(block, end, r->writers[i]);
  }
  mlirValueReplaceAllUsesOfWith(buffer, mlirOperationGetResult(call, 0));
  bd_op_erase(r->alloc);
  return bd_call_insert(end, BD_RUNTIME_KEEP_FILLED, &slot, 1);
}

buddy_code bd_constants_compute_once(MlirOperation root, bd_kernels *kernels, bd_keeping *keeping) {
  bd_ops ops = {NULL, 0, 0};
  if (keeping->entry.ptr == NULL) return BUDDY_OK;
  buddy_code code = bd_ops_collect(&ops, root, "memref.alloc");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; i++) {
    result r;
    if (bd_op_is(ops.items[i], "memref.alloc") && find(keeping, ops.items[i], &r))
      code = replace(&r, kernels, keeping);
  }
  bd_ops_deinit(&ops);
  return code;
}
