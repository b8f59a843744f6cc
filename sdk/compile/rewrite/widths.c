// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/widths.c: the width of f32 for loops that add up in f64. */
#include "sdk/compile/rewrite/widths.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/strided.h"

enum { FUNCTION = 16 }; /* operations that one of math counts for */

/* What an innermost loop does with floats. */
typedef struct uses {
  bool is_fit; /* it moves neighbours, of 4 bytes at the most, and calls nothing */
  int n_f32, n_f64;
} uses;

static int bytes_of(MlirType type) {
  if (mlirTypeIsAIndex(type)) return 8;
  if (mlirTypeIsAFloat(type)) return ((int)mlirFloatTypeGetWidth(type) + 7) / 8;
  return mlirTypeIsAInteger(type) ? ((int)mlirIntegerTypeGetWidth(type) + 7) / 8 : 16;
}

/* How the place of a load or a store changes with the rounds. */
typedef enum movement { STAYS, TO_THE_NEXT, ELSEWHERE } movement;

static movement movement_of(MlirOperation op, MlirType memory, MlirBlock body) {
  int64_t strides[BD_MAX_RANK];
  const intptr_t n = mlirOperationGetNumOperands(op);
  movement found = STAYS;
  for (intptr_t i = 0; i < n; ++i) {
    const MlirValue at = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsAIndex(mlirValueGetType(at))) continue;
    const bool is_argument = mlirValueIsABlockArgument(at);
    const MlirBlock home = is_argument ? mlirBlockArgumentGetOwner(at)
                                       : mlirOperationGetBlock(mlirOpResultGetOwner(at));
    if (!mlirBlockEqual(home, body)) continue;
    if (!is_argument || i < n - 1) return ELSEWHERE;
    found = TO_THE_NEXT;
  }
  const int64_t rank = mlirShapedTypeGetRank(memory);
  if (found == STAYS ||
      (rank <= BD_MAX_RANK && bd_memref_strides(memory, strides) && strides[rank - 1] == 1))
    return found;
  return ELSEWHERE;
}

static void count_one(MlirOperation op, MlirBlock body, uses *u) {
  const bool is_store = bd_op_is(op, "memref.store"), is_load = bd_op_is(op, "memref.load");
  if (is_store || is_load) {
    const MlirType memory = mlirValueGetType(mlirOperationGetOperand(op, is_store));
    const movement moved = movement_of(op, memory, body);
    const bool is_narrow = bytes_of(mlirShapedTypeGetElementType(memory)) <= 4;
    u->is_fit = u->is_fit && (moved == STAYS || (moved == TO_THE_NEXT && is_narrow));
    return;
  }
  if (bd_op_is(op, "func.call")) u->is_fit = false;
  const int weight = bd_op_starts_with(op, "math.") ? FUNCTION : 1;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    u->n_f32 += mlirTypeIsAF32(type) ? weight : 0;
    u->n_f64 += mlirTypeIsAF64(type);
  }
}

static buddy_code name_width(MlirOperation loop, void *user) {
  uses u = {.is_fit = true};
  const MlirBlock body = bd_body_of(loop);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumRegions(op) > 0) return BUDDY_OK;
    count_one(op, body, &u);
  }
  if (!u.is_fit || u.n_f64 == 0 || u.n_f32 <= 2 * u.n_f64) return BUDDY_OK;
  const MlirAttribute width =
      mlirAttributeParseGet(mlirOperationGetContext(loop), *(const MlirStringRef *)user);
  if (mlirAttributeIsNull(width)) return BUDDY_OUT_OF_MEMORY;
  /* as llvm.br names it, to which it comes by way of cf.br: "llvm.loop_annotation" reaches nobody */
  bd_op_set_attribute(loop, "loop_annotation", width);
  return BUDDY_OK;
}

buddy_code bd_loops_name_widths(MlirOperation root, const bd_machine *machine) {
  const bd_phrase text =
      bd_phrase_of("#llvm.loop_annotation<vectorize = <disable = false, width = %d : i32>>",
                   bd_machine_lanes(machine, 4));
  MlirStringRef annotation = mlirStringRefCreateFromCString(text.data);
  return bd_ops_each(root, "scf.for", name_width, &annotation);
}
