// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/dialects.c: conversions to the llvm dialect. */
#include "sdk/compile/dialects.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/passes.h"
#include "sdk/compile/rewrite/aliases.h"
#include "sdk/compile/rewrite/pointers.h"

#define STAGE "lowering to LLVM"
#define MAX_PREFIXES 6

/* In this order: some make what the next ones take. */
static const struct {
  const char *prefixes[MAX_PREFIXES]; /* of the operations that the pass is for; ended by null */
  const char *pass;
} steps[] = {
    {{"vector.transfer_"}, "any(convert-vector-to-scf{full-unroll=true})"},
    {{"memref.subview", "memref.expand_shape", "memref.collapse_shape", "memref.extract_"},
     "any(expand-strided-metadata)"},
    {{"affine."}, "any(lower-affine)"},
    {{"scf."}, "any(convert-scf-to-cf)"},
    /* bf16 by whole numbers: the instruction that some processors have takes subnormals as 0. */
    {{"arith.ceildiv", "arith.floordiv", "arith.max", "arith.min", "arith.scaling_",
      "arith.truncf"},
     "any(arith-expand{include-bf16=true})"},
    {{"memref.atomic_rmw", "memref.generic_atomic_rmw", "memref.reshape"}, "any(memref-expand)"},
    {{"vector."}, "any(convert-vector-to-llvm{vector-transpose-lowering=shuffle16x16})"},
    {{"math."}, "any(convert-math-to-llvm)"},
};

/* Dialects whose passes take a whole module, and that few modules have. */
static const struct {
  const char *prefix, *pipeline;
} rare[] = {{"linalg.", bd_pipeline_linalg}, {"complex.", bd_pipeline_complex}};

/* ---- bf16 ---- */

static bool is_bf16(MlirType type) {
  if (mlirTypeIsAVector(type)) type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsABF16(type);
}

static MlirWalkResult on_arithmetic(MlirOperation op, void *user) {
  bool *out_is_there = user;
  static const char *const moves[] = {"arith.constant", "arith.truncf", "arith.bitcast",
                                      "arith.select", NULL};
  if (!bd_op_starts_with(op, "arith.") || mlirOperationGetNumResults(op) != 1 ||
      !is_bf16(mlirValueGetType(mlirOperationGetResult(op, 0))) || bd_op_is_any(op, moves))
    return MlirWalkResultAdvance;
  *out_is_there = true;
  return MlirWalkResultInterrupt;
}

/* Sums and products of bf16 are computed in f32 by hand: LLVM would round them with the instruction
 * that takes subnormals as 0, where the processor has one. */
static buddy_code widen_bf16(MlirModule module, buddy_diags *diags) {
  bool is_there = false;
  mlirOperationWalk(mlirModuleGetOperation(module), on_arithmetic, &is_there, MlirWalkPreOrder);
  if (!is_there) return BUDDY_OK;
  return bd_passes_run(module,
                       "builtin.module(arith-emulate-unsupported-floats{source-types=bf16 "
                       "target-type=f32})",
                       STAGE, diags);
}

static buddy_code lower_rare(MlirModule module, buddy_diags *diags) {
  for (size_t i = 0; i < sizeof(rare) / sizeof(rare[0]); ++i) {
    if (bd_ops_exist(mlirModuleGetOperation(module), rare[i].prefix))
      BD_TRY(bd_passes_run(module, rare[i].pipeline, STAGE, diags));
  }
  return BUDDY_OK;
}

buddy_code bd_dialects_lower(MlirModule module, buddy_diags *diags) {
  BD_TRY(lower_rare(module, diags));
  BD_TRY(bd_passes_run(module, "builtin.module(symbol-dce)", STAGE, diags));
  BD_TRY(bd_pointers_pass(module));
  BD_TRY(widen_bf16(module, diags));
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); ++i)
    BD_TRY(bd_passes_run_where(module, steps[i].prefixes, steps[i].pass, STAGE, diags));
  if (bd_ops_exist(mlirModuleGetOperation(module), "math."))
    BD_TRY(bd_passes_run(module, "builtin.module(convert-math-to-libm)", STAGE, diags));
  BD_TRY(bd_aliases_note(mlirModuleGetOperation(module)));
  BD_TRY(bd_passes_run(module, bd_pipeline_llvm, STAGE, diags));
  return bd_aliases_tell(mlirModuleGetOperation(module));
}
