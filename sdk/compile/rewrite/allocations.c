// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/allocations.c: checks of symbolic sizes before memory is asked for.
 *
 * One unknown size is compared, as a number without sign, with the most that it may be. Several are
 * multiplied as doubles, which do not overflow, and all of which is not negative if the bits of all
 * together are not. A size of 0 counts as 1, since loops go over the other sizes all the same. A
 * check allows any element type and known sizes up to 2^20 bytes together, so that one stands for
 * all allocations of the same unknown sizes after it. */
#include "sdk/compile/rewrite/allocations.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/base/array.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/builder.h"

#define MAX_BYTES ((int64_t)1 << 60)
#define MAX_FACTOR ((int64_t)1 << 20) /* bytes of an element of the unknown sizes */
#define N_REMEMBERED 32               /* checks that are looked through */

enum { CMP_EQ = 0, CMP_SGE = 5, CMP_ULE = 7 }; /* predicates of arith.cmpi */
enum { CMP_OLE = 5 };                          /* of arith.cmpf */

/* ---- Allocations ----------------------------------------------------------------------------- */

/* A size as a double, 0 as 1. */
static MlirValue as_double(bd_builder b, MlirValue size, MlirValue one) {
  const MlirValue at_least_one = bd_build_pair(b, "arith.maxsi", size, one);
  const MlirValue integer =
      bd_build_one(b, "arith.index_cast", at_least_one, mlirIntegerTypeGet(b.context, 64));
  return bd_build_one(b, "arith.sitofp", integer, mlirF64TypeGet(b.context));
}

/* No size is negative, and their product is no more than `most`. */
static MlirValue product_fits(bd_builder b, const MlirValue *sizes, intptr_t n, int64_t most) {
  const MlirValue one = bd_build_index(b, 1);
  MlirValue bits = sizes[0], product = as_double(b, sizes[0], one);
  for (intptr_t i = 1; i < n; ++i) {
    bits = bd_build_pair(b, "arith.ori", bits, sizes[i]);
    product = bd_build_pair(b, "arith.mulf", product, as_double(b, sizes[i], one));
  }
  const MlirValue limit = bd_build_float(b, mlirF64TypeGet(b.context), (double)most);
  const MlirValue is_small = bd_build_compare(b, "arith.cmpf", CMP_OLE, product, limit);
  const MlirValue is_whole = bd_build_compare(b, "arith.cmpi", CMP_SGE, bits, bd_build_index(b, 0));
  return bd_build_pair(b, "arith.andi", is_small, is_whole);
}

/* Bytes of one element of the unknown sizes; 0: too many to be told. */
static int64_t factor_of(MlirType type) {
  size_t element = bd_type_bytes(mlirShapedTypeGetElementType(type));
  int64_t factor = element > 0 ? (int64_t)element : 16;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (mlirShapedTypeIsDynamicDim(type, d)) continue;
    const int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (__builtin_mul_overflow(factor, size > 0 ? size : 1, &factor)) return 0;
  }
  return factor <= MAX_BYTES ? factor : 0;
}

typedef struct checks {
  MlirOperation last[N_REMEMBERED]; /* allocations that have a check, a ring */
  size_t n;
} checks;

static bool has_same_sizes(MlirOperation a, MlirOperation b, intptr_t n) {
  if (mlirOperationGetNumOperands(a) != mlirOperationGetNumOperands(b)) return false;
  for (intptr_t i = 0; i < n; ++i) {
    if (!mlirValueEqual(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i))) return false;
  }
  return mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b));
}

static bool is_checked(const checks *c, MlirOperation op, intptr_t n) {
  const size_t n_kept = c->n < N_REMEMBERED ? c->n : N_REMEMBERED;
  for (size_t i = 0; i < n_kept; ++i) {
    if (has_same_sizes(c->last[i], op, n)) return true;
  }
  return false;
}

/* Operands of memref.alloc: the unknown sizes, and symbols of a layout, which ours have not. */
static buddy_code check_allocation(MlirOperation op, void *user) {
  checks *c = user;
  MlirValue sizes[BD_MAX_RANK];
  const MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t n = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type) && n < BD_MAX_RANK; ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    sizes[n] = mlirOperationGetOperand(op, n);
    ++n;
  }
  if (n == 0) return BUDDY_OK;
  const bd_builder b = bd_builder_before(op);
  const int64_t factor = factor_of(type);
  const bool is_common = factor > 0 && factor <= MAX_FACTOR;
  if (is_common && is_checked(c, op, n)) return BUDDY_OK;
  const int64_t most = factor == 0 ? 0 : MAX_BYTES / (is_common ? MAX_FACTOR : factor);
  const MlirValue is_ok =
      n == 1 ? bd_build_compare(b, "arith.cmpi", CMP_ULE, sizes[0], bd_build_index(b, most))
             : product_fits(b, sizes, n, most);
  if (is_common) c->last[c->n++ % N_REMEMBERED] = op;
  return bd_build_assert(b, is_ok,
                         "a tensor has a negative size, or too many elements for any memory");
}

buddy_code bd_allocations_check(MlirOperation root) {
  checks c = {.n = 0};
  return bd_ops_each(root, "memref.alloc", check_allocation, &c);
}

/* ---- Divisions ------------------------------------------------------------------------------- */

static buddy_code check_division(MlirOperation op, void *user) {
  (void)user;
  static const char *const names[] = {"arith.divsi",      "arith.divui", "arith.ceildivsi",
                                      "arith.ceildivui",  "arith.remsi", "arith.remui",
                                      "arith.floordivsi", NULL};
  if (!bd_op_is_any(op, names)) return BUDDY_OK;
  const MlirValue divisor = mlirOperationGetOperand(op, 1);
  if (!mlirTypeIsAIndex(mlirValueGetType(divisor)) || bd_is_made_by(divisor, "arith.constant"))
    return BUDDY_OK;
  const bd_builder b = bd_builder_before(op);
  const MlirValue is_zero =
      bd_build_compare(b, "arith.cmpi", CMP_EQ, divisor, bd_build_index(b, 0));
  const MlirValue chosen = bd_build_select(b, is_zero, bd_build_index(b, 1), divisor);
  if (!chosen.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirOperationSetOperand(op, 1, chosen);
  return BUDDY_OK;
}

buddy_code bd_divisions_check(MlirOperation root) {
  return bd_ops_each(root, "arith.", check_division, NULL);
}
