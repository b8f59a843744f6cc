// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/affine.h: linalg.generic whose operands are read at sums of loops: windows and
 * contractions. */
#ifndef BUDDY_PLUGINS_LINALG_AFFINE_H
#define BUDDY_PLUGINS_LINALG_AFFINE_H

#include "buddy/emit.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

#define LA_MAX_INPUTS 3

typedef struct la_affine {
  uint32_t n_loops;
  uint32_t reductions; /* bit set of loops */
  size_t n_inputs;
  MlirValue inputs[LA_MAX_INPUTS];
  buddy_dtype input_dtypes[LA_MAX_INPUTS];
  MlirAffineMap input_maps[LA_MAX_INPUTS];
  MlirValue init;
  const buddy_tensor_type *output_type;
  MlirAffineMap output_map;
  be_body_fn body; /* as in be_generic */
  void *user;
} la_affine;
MlirValue la_affine_generic(buddy_call *call, const la_affine *spec);

/* Loops begin, begin + 1, …, as the results of a map. */
void la_loops(buddy_call *call, MlirAffineExpr *out, uint32_t begin, uint32_t n);
/* loop * scale + other * other_scale */
MlirAffineExpr la_walk(buddy_call *call, uint32_t loop, int64_t scale, uint32_t other,
                       int64_t other_scale);
MlirAffineMap la_map(buddy_call *call, uint32_t n_loops, const MlirAffineExpr *results, uint32_t n);
/* accumulator + a * b, in the accumulator's dtype, which is the user data: a buddy_dtype[3] of a,
 * b, accumulator. */
MlirValue la_multiply_add(const be_body *body, const MlirValue *elements, void *dtypes);

#endif
