// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/nest.c: structured control flow by hand, since regions with carried values have no
 * builder in emit.h. */
#include "plugins/linalg/nest.h"

#include <stdbool.h>

#include "buddy/runtime.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "plugins/linalg/slices.h"

be_body la_block(buddy_call *call) { return (be_body){call, buddy_mlir_block(call)}; }

uint32_t la_ends(buddy_call *call, const buddy_tensor_type *type, MlirValue *ends) {
  uint32_t n = 0;
  for (; n < type->rank && n < BE_MAX_RANK; ++n) ends[n] = be_index(call, type->dims[n]);
  return n;
}

MlirValue la_write(const be_body *body, MlirValue scalar, MlirValue into, const MlirValue *position,
                   uint32_t rank) {
  MlirValue operands[2 + BE_MAX_RANK] = {scalar, into};
  for (uint32_t d = 0; d < rank; ++d) operands[2 + d] = position[d];
  const MlirType type = into.ptr ? mlirValueGetType(into) : (MlirType){NULL};
  return be_in(body, "tensor.insert", type, operands, 2 + rank, NULL);
}

static bool are_valid(const MlirValue *values, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (!values[i].ptr) return false;
  }
  return true;
}

static void forget(MlirValue *values, size_t n) {
  for (size_t i = 0; i < n; ++i) values[i] = (MlirValue){NULL};
}

/* Ends a region's block by scf.yield of the values. */
static void yield(const be_body *body, const MlirValue *values, size_t n) {
  const MlirLocation location = buddy_mlir_location(body->call);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("scf.yield"), location);
  mlirOperationStateAddOperands(&state, (intptr_t)n, values);
  mlirBlockAppendOwnedOperation(body->block, mlirOperationCreate(&state));
}

/* Appends an op whose results replace the carried values; takes the regions. */
static void append(const be_body *where, MlirOperationState *state, const MlirRegion *regions,
                   size_t n_regions, MlirValue *carried, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const MlirType type = mlirValueGetType(carried[i]);
    mlirOperationStateAddResults(state, 1, &type);
  }
  mlirOperationStateAddOwnedRegions(state, (intptr_t)n_regions, regions);
  const MlirOperation op = mlirOperationCreate(state);
  if (!op.ptr) {
    forget(carried, n);
    return;
  }
  mlirBlockAppendOwnedOperation(where->block, op);
  for (size_t i = 0; i < n; ++i) carried[i] = mlirOperationGetResult(op, (intptr_t)i);
}

static MlirRegion new_region(MlirBlock *out_block) {
  const MlirRegion region = mlirRegionCreate();
  *out_block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, *out_block);
  return region;
}

/* ---- Loops ---- */

static void run_loop(const be_body *where, const la_nest *nest, bool are_apart, uint32_t loop,
                     MlirValue *at, MlirValue *carried);

/* The body of loop `loop`: the next loop, or the step. Null if it failed. */
static MlirRegion loop_region(const be_body *where, const la_nest *nest, bool are_apart,
                              uint32_t loop, MlirValue *at, const MlirValue *carried) {
  const MlirLocation location = buddy_mlir_location(where->call);
  MlirBlock block;
  const MlirRegion region = new_region(&block);
  at[loop] =
      mlirBlockAddArgument(block, mlirIndexTypeGet(buddy_mlir_context(where->call)), location);
  MlirValue inner[LA_MAX_CARRIED] = {{NULL}};
  for (size_t i = 0; i < nest->n_carried; ++i) {
    inner[i] = mlirBlockAddArgument(block, mlirValueGetType(carried[i]), location);
  }
  const be_body body = {where->call, block};
  run_loop(&body, nest, are_apart, loop + 1, at, inner);
  if (!are_valid(inner, nest->n_carried)) {
    mlirRegionDestroy(region);
    return (MlirRegion){NULL};
  }
  yield(&body, inner, nest->n_carried);
  return region;
}

/* At most BE_MAX_RANK deep: one level a loop. */
static void run_loop(const be_body *where, const la_nest *nest, bool are_apart, uint32_t loop,
                     MlirValue *at, MlirValue *carried) {
  if (loop == nest->n_loops) {
    nest->step(where, at, carried, nest->user);
    return;
  }
  const MlirValue bounds[3] = {be_in_index(where, 0), nest->ends[loop], be_in_index(where, 1)};
  const bool is_sound = are_valid(bounds, 3) && are_valid(carried, nest->n_carried);
  const MlirRegion region =
      is_sound ? loop_region(where, nest, are_apart, loop, at, carried) : (MlirRegion){NULL};
  if (!region.ptr) {
    forget(carried, nest->n_carried);
    return;
  }
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("scf.for"),
                                                   buddy_mlir_location(where->call));
  mlirOperationStateAddOperands(&state, 3, bounds);
  mlirOperationStateAddOperands(&state, (intptr_t)nest->n_carried, carried);
  if (are_apart) {
    const MlirContext context = buddy_mlir_context(where->call);
    const MlirNamedAttribute apart = mlirNamedAttributeGet(
        mlirIdentifierGet(context, mlirStringRefCreateFromCString(BUDDY_LOOP_APART)),
        mlirUnitAttrGet(context));
    mlirOperationStateAddAttributes(&state, 1, &apart);
  }
  append(where, &state, &region, 1, carried, nest->n_carried);
}

static void run(const be_body *where, const la_nest *nest, bool are_apart, MlirValue *carried) {
  MlirValue at[BE_MAX_RANK];
  if (nest->n_loops <= BE_MAX_RANK && nest->n_carried <= LA_MAX_CARRIED) {
    run_loop(where, nest, are_apart, 0, at, carried);
    return;
  }
  be_decline(where->call, "more than %d loops are not handled here", BE_MAX_RANK);
  forget(carried, nest->n_carried);
}

void la_run_nest(const be_body *where, const la_nest *nest, MlirValue *carried) {
  run(where, nest, false, carried);
}

void la_run_apart(const be_body *where, const la_nest *nest, MlirValue *carried) {
  run(where, nest, true, carried);
}

be_body la_loop_body(const be_body *body, MlirValue position) {
  return (be_body){body->call, mlirBlockArgumentGetOwner(position)};
}

/* ---- Lists ---- */

static void number_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  (void)user;
  carried[0] = la_write(body, la_as_i64(body, at[0]), carried[0], at, 1);
}

MlirValue la_numbered(const be_body *body, MlirValue list, MlirValue n) {
  const la_nest nest = {1, &n, 1, number_one, NULL};
  la_run_nest(body, &nest, &list);
  return list;
}

static void copy_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const MlirValue *from = user;
  carried[0] = la_write(body, la_element(body, *from, BUDDY_I64, at, 1), carried[0], at, 1);
}

MlirValue la_copied(const be_body *body, MlirValue from, MlirValue list, MlirValue n) {
  const la_nest nest = {1, &n, 1, copy_one, &from};
  la_run_nest(body, &nest, &list);
  return list;
}

/* ---- Conditions ---- */

void la_when(const be_body *where, MlirValue condition, size_t n_carried, MlirValue *carried,
             la_step *step, void *user) {
  if (!condition.ptr || n_carried > LA_MAX_CARRIED || !are_valid(carried, n_carried)) {
    forget(carried, n_carried);
    return;
  }
  MlirBlock yes, no;
  const MlirRegion regions[2] = {new_region(&yes), new_region(&no)};
  const be_body then = {where->call, yes}, otherwise = {where->call, no};
  MlirValue inner[LA_MAX_CARRIED] = {{NULL}};
  for (size_t i = 0; i < n_carried; ++i) inner[i] = carried[i];
  step(&then, NULL, inner, user);
  if (!are_valid(inner, n_carried)) {
    mlirRegionDestroy(regions[0]);
    mlirRegionDestroy(regions[1]);
    forget(carried, n_carried);
    return;
  }
  yield(&then, inner, n_carried);
  yield(&otherwise, carried, n_carried);
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("scf.if"),
                                                   buddy_mlir_location(where->call));
  mlirOperationStateAddOperands(&state, 1, &condition);
  append(where, &state, regions, 2, carried, n_carried);
}
