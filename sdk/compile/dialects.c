/* sdk/compile/dialects.c: see dialects.h. */
#include "sdk/compile/dialects.h"

#include <stddef.h>

#include "sdk/compile/ir.h"
#include "sdk/compile/passes.h"
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
    {{"arith.ceildiv", "arith.floordiv", "arith.max", "arith.min", "arith.scaling_"},
     "any(arith-expand)"},
    {{"memref.atomic_rmw", "memref.generic_atomic_rmw", "memref.reshape"}, "any(memref-expand)"},
    {{"vector."}, "any(convert-vector-to-llvm{vector-transpose-lowering=shuffle16x16})"},
    {{"math."}, "any(convert-math-to-llvm)"},
};

/* Dialects whose passes take a whole module, and that few modules have. */
static const struct {
  const char *prefix, *pipeline;
} rare[] = {{"linalg.", bd_pipeline_linalg}, {"complex.", bd_pipeline_complex}};

static buddy_code lower_rare(MlirModule module, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < sizeof(rare) / sizeof(rare[0]) && code == BUDDY_OK; i++) {
    if (bd_ops_exist(mlirModuleGetOperation(module), rare[i].prefix))
      code = bd_passes_run(module, rare[i].pipeline, STAGE, diags);
  }
  return code;
}

buddy_code bd_dialects_lower(MlirModule module, buddy_diags *diags) {
  buddy_code code = lower_rare(module, diags);
  if (code == BUDDY_OK) code = bd_passes_run(module, "builtin.module(symbol-dce)", STAGE, diags);
  if (code == BUDDY_OK) code = bd_pointers_pass(module);
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && code == BUDDY_OK; i++)
    code = bd_passes_run_where(module, steps[i].prefixes, steps[i].pass, STAGE, diags);
  if (code == BUDDY_OK && bd_ops_exist(mlirModuleGetOperation(module), "math."))
    code = bd_passes_run(module, "builtin.module(convert-math-to-libm)", STAGE, diags);
  return code == BUDDY_OK ? bd_passes_run(module, bd_pipeline_llvm, STAGE, diags) : code;
}
