/* sdk/compile/rewrite/origins.c: see origins.h. */
#include "sdk/compile/rewrite/origins.h"

#include "mlir-c/Dialect/Linalg.h"

enum { MAX_ORIGINS = 32 };

typedef struct origins {
  MlirLocation items[MAX_ORIGINS];
  intptr_t n;
} origins;

/* Equal constants are one, which any of their users may have made; a product's multiplication has
 * the location of its operand, and nothing is fused into it. */
static bool is_work(MlirOperation op) {
  const MlirOperation outer = mlirOperationGetParentOperation(op);
  return bd_op_starts_with(op, "linalg.")
             ? !bd_op_is(op, "linalg.yield")
             : bd_op_starts_with(outer, "linalg.") && !bd_op_is(op, "arith.constant") &&
                   !mlirLinalgIsAContractionOp(outer) && !mlirLinalgIsAConvolutionOp(outer);
}

static MlirWalkResult add(MlirOperation op, void *user) {
  origins *all = user;
  if (!is_work(op)) return MlirWalkResultAdvance;
  const MlirLocation location = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < all->n; ++i) {
    if (mlirLocationEqual(all->items[i], location)) return MlirWalkResultAdvance;
  }
  if (all->n == MAX_ORIGINS) return MlirWalkResultInterrupt;
  all->items[all->n++] = location;
  return MlirWalkResultAdvance;
}

MlirLocation bd_origins_of(MlirOperation op) {
  origins all = {.n = 0};
  mlirOperationWalk(op, add, &all, MlirWalkPostOrder);
  if (all.n == 0) return mlirOperationGetLocation(op);
  return mlirLocationFusedGet(mlirOperationGetContext(op), all.n, all.items, (MlirAttribute){NULL});
}
