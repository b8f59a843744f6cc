// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/parallel_for.c: the functions that parallel loops become.
 *
 * What a loop needs from the kernel around it is either made anew in its part, if that costs
 * nothing (numbers, views), or carried there. */
#include "sdk/compile/rewrite/parallel_for.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/parallel.h"
#include "sdk/compile/rewrite/sharing.h"
#include "sdk/compile/builder.h"

enum {
  MAX_VALUES = 256, /* that a loop needs */
  MAX_CARRIED = 64,
  MAX_DEPTH = 32, /* of what is made anew */
};

typedef struct part {
  const bd_parallel *loop;
  MlirBlock block; /* of the function: first and last, then what is carried */
  MlirLocation location;
  MlirType index;
  MlirValue outer[MAX_VALUES], inner[MAX_VALUES];
  int n_values;
  MlirValue carried[MAX_CARRIED];
  int n_carried;
  bool is_too_much;
} part;

/* ---- What it needs --------------------------------------------------------------------------- */

/* Without effects, and as cheap as a number in a register. */
static bool is_cheap(MlirOperation op) {
  static const char *const names[] = {"memref.reinterpret_cast",
                                      "memref.cast",
                                      "memref.extract_strided_metadata",
                                      "memref.dim",
                                      "memref.subview",
                                      "memref.expand_shape",
                                      "memref.collapse_shape",
                                      "vector.constant_mask",
                                      "affine.apply",
                                      "llvm.mlir.undef",
                                      "llvm.insertvalue",
                                      "llvm.getelementptr",
                                      "builtin.unrealized_conversion_cast",
                                      NULL};
  if (bd_op_starts_with(op, "arith.")) return mlirOperationGetNumRegions(op) == 0;
  return bd_op_is_any(op, names);
}

static int find(const part *p, MlirValue value) {
  int i = 0;
  while (i < p->n_values && !mlirValueEqual(p->outer[i], value)) ++i;
  return i < p->n_values ? i : -1;
}

static void add(part *p, MlirValue outer, MlirValue inner) {
  if (p->n_values == MAX_VALUES) {
    p->is_too_much = true;
    return;
  }
  p->outer[p->n_values] = outer;
  p->inner[p->n_values++] = inner;
}

static void carry(part *p, MlirValue value) {
  const MlirType type = mlirValueGetType(value);
  if (p->n_carried == MAX_CARRIED || !bd_can_be_shared(type)) {
    p->is_too_much = true;
    return;
  }
  p->carried[p->n_carried++] = value;
  add(p, value, mlirBlockAddArgument(p->block, type, p->location));
}

/* Makes the value known in the part. */
static void bring(part *p, MlirValue value, int depth) {
  if (p->is_too_much || find(p, value) >= 0) return;
  if (!mlirValueIsAOpResult(value) || depth == MAX_DEPTH ||
      !is_cheap(mlirOpResultGetOwner(value))) {
    carry(p, value);
    return;
  }
  const MlirOperation op = mlirOpResultGetOwner(value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    bring(p, mlirOperationGetOperand(op, i), depth + 1);
  if (p->is_too_much) return;
  const MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, p->inner[find(p, mlirOperationGetOperand(op, i))]);
  mlirBlockAppendOwnedOperation(p->block, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add(p, mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
}

static MlirWalkResult gather(MlirOperation op, void *user) {
  part *p = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue value = mlirOperationGetOperand(op, i);
    if (!bd_is_inside(value, p->loop->op)) bring(p, value, 0);
  }
  return p->is_too_much ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirWalkResult redirect(MlirOperation op, void *user) {
  const part *p = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const int k = find(p, mlirOperationGetOperand(op, i));
    if (k >= 0) mlirOperationSetOperand(op, i, p->inner[k]);
  }
  return MlirWalkResultAdvance;
}

/* ---- The part -------------------------------------------------------------------------------- */

static MlirValue inner_of(const part *p, MlirValue value) { return p->inner[find(p, value)]; }

static bd_builder at_end(const part *p, MlirBlock block) {
  return bd_builder_at_end(block, p->location);
}

static void end_block(const part *p, MlirBlock block, const char *name) {
  (void)bd_build_op(at_end(p, block), name, NULL, 0, NULL, 0, NULL, 0);
}

/* scf.for at the end of the block; returns its body, with the index as argument. */
static MlirBlock add_loop(const part *p, MlirBlock block, MlirValue from, MlirValue to) {
  const bd_builder b = at_end(p, block);
  return bd_build_for(b, from, to, bd_build_index(b, 1), NULL, 0);
}

/* The indices of the axes that are one, at place `at` of it. */
static void split_place(const part *p, MlirBlock block, MlirValue at, MlirValue *indices) {
  const bd_parallel *l = p->loop;
  for (int i = l->end - 1; i >= l->first; --i) {
    bool is_first = true;
    for (int k = l->first; k < i; ++k) is_first &= l->sizes[k] == 1;
    if (l->sizes[i] == 1) {
      indices[i] = bd_build_index(at_end(p, block), 0);
    } else if (is_first) {
      indices[i] = at;
      for (int k = l->first; k < i; ++k) indices[k] = bd_build_index(at_end(p, block), 0);
      return;
    } else {
      const MlirValue size = inner_of(p, l->upper[i]);
      indices[i] = bd_build_pair(at_end(p, block), "arith.remui", at, size);
      at = bd_build_pair(at_end(p, block), "arith.divui", at, size);
    }
  }
}

/* The places of the unit. */
static void find_places(const part *p, MlirBlock block, MlirValue unit, MlirValue *from,
                        MlirValue *to) {
  const bd_parallel *l = p->loop;
  const MlirValue group = bd_build_index(at_end(p, block), l->group);
  MlirValue all = inner_of(p, l->upper[l->first]);
  for (int i = l->first + 1; i < l->end; ++i)
    all = bd_build_pair(at_end(p, block), "arith.muli", all, inner_of(p, l->upper[i]));
  *from = bd_build_pair(at_end(p, block), "arith.muli", unit, group);
  *to = bd_build_pair(at_end(p, block), "arith.addi", *from, group);
  *to = bd_build_pair(at_end(p, block), "arith.minsi", *to, all);
}

/* Moves the operations of the loop's body after those of the block, with other indices. */
static void move_body(const part *p, MlirBlock block, const MlirValue *indices) {
  const bd_parallel *l = p->loop;
  for (int i = 0; i < l->rank; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(l->body, i), indices[i]);
  bd_block_move(l->body, mlirBlockGetTerminator(l->body), block, (MlirOperation){NULL});
}

/* The one round does whatever lies between its index and the next, which is the sum of index and
 * step: here first and last. */
static void write_whole(part *p) {
  const MlirValue first = mlirBlockGetArgument(p->block, 0),
                  last = mlirBlockGetArgument(p->block, 1);
  const MlirValue index = mlirBlockGetArgument(p->loop->body, 0);
  MlirOperation op = mlirBlockGetFirstOperation(p->loop->body);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "arith.addi") && mlirValueEqual(mlirOperationGetOperand(op, 0), index) &&
        mlirValueEqual(mlirOperationGetOperand(op, 1), p->loop->step))
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), last);
  }
  move_body(p, p->block, &first);
}

static void write_nest(part *p) {
  const bd_parallel *l = p->loop;
  MlirValue indices[BD_MAX_LOOPS] = {{NULL}};
  MlirBlock blocks[BD_MAX_LOOPS + 2] = {p->block};
  MlirValue from = mlirBlockGetArgument(p->block, 0), to = mlirBlockGetArgument(p->block, 1);
  const MlirValue zero = bd_build_index(at_end(p, p->block), 0);
  int depth = 0;
  if (l->group > 1) {
    blocks[++depth] = add_loop(p, p->block, from, to);
    find_places(p, blocks[depth], mlirBlockGetArgument(blocks[depth], 0), &from, &to);
  }
  for (int i = 0; i < l->rank; ++i) {
    if (i > l->first && i < l->end) continue;
    const MlirBlock block = add_loop(p, blocks[depth], i == l->first ? from : zero,
                                     i == l->first ? to : inner_of(p, l->upper[i]));
    indices[i] = mlirBlockGetArgument(block, 0);
    if (i == l->first) split_place(p, block, indices[i], indices);
    blocks[++depth] = block;
  }
  move_body(p, blocks[depth], indices);
  for (; depth > 0; --depth) end_block(p, blocks[depth], "scf.yield");
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* What the kernel's own argument is told to be; after them first and last. */
static MlirAttribute attributes_of(const part *p, MlirOperation kernel) {
  const MlirContext context = mlirOperationGetContext(kernel);
  const MlirAttribute all = bd_op_attribute(kernel, "arg_attrs");
  MlirAttribute out[MAX_CARRIED + 2];
  intptr_t n = 0;
  for (int i = 0; i < p->n_carried; ++i) {
    const MlirValue value = p->carried[i];
    out[n++] = all.ptr && mlirValueIsABlockArgument(value)
                   ? mlirArrayAttrGetElement(all, mlirBlockArgumentGetArgNumber(value))
                   : mlirDictionaryAttrGet(context, 0, NULL);
  }
  for (int i = 0; i < 2; ++i) out[n++] = mlirDictionaryAttrGet(context, 0, NULL);
  return mlirArrayAttrGet(context, n, out);
}

/* Puts first and last after what is carried, as the function has them. */
static void order_arguments(part *p) {
  for (int i = 0; i < 2; ++i) {
    const MlirValue behind = mlirBlockAddArgument(p->block, p->index, p->location);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(p->block, 0), behind);
    mlirBlockEraseArgument(p->block, 0);
  }
}

/* Before the loop: how many units there are. */
static MlirValue count_units(const part *p) {
  const bd_parallel *l = p->loop;
  const bd_builder b = bd_builder_for(l->op, p->location);
  MlirValue n = l->upper[l->first];
  for (int i = l->first + 1; i < l->end; ++i) n = bd_build_pair(b, "arith.muli", n, l->upper[i]);
  if (l->group > 1) {
    n = bd_build_pair(b, "arith.addi", n, bd_build_index(b, l->group - 1));
    n = bd_build_pair(b, "arith.divui", n, bd_build_index(b, l->group));
  }
  return n;
}

/* ---- Loops of a kernel ----------------------------------------------------------------------- */

static buddy_code make_part(MlirModule module, MlirOperation kernel, const bd_parallel *loop,
                            int64_t cost, size_t i, bd_sharing *sharing) {
  char stem[128], name[160];
  const MlirStringRef symbol = bd_symbol_of(kernel);
  const MlirLocation location = mlirOperationGetLocation(loop->op);
  const MlirType index = mlirIndexTypeGet(mlirOperationGetContext(kernel));
  part p = {.loop = loop, .location = location, .index = index};
  p.block = bd_block_create(location, (MlirType[]){index, index}, 2);
  mlirOperationWalk(loop->op, gather, &p, MlirWalkPreOrder);
  if (p.is_too_much || symbol.length >= sizeof(stem)) {
    mlirBlockDestroy(p.block);
    return BUDDY_OK;
  }
  snprintf(stem, sizeof(stem), "%.*s", (int)symbol.length, symbol.data);
  if (loop->is_whole)
    write_whole(&p);
  else
    write_nest(&p);
  end_block(&p, p.block, "func.return");
  MlirOperation op = mlirBlockGetFirstOperation(p.block);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, redirect, &p, MlirWalkPreOrder);
  order_arguments(&p);
  snprintf(name, sizeof(name), "%s.part_%zu", stem, i);
  (void)bd_build_function(bd_builder_at_end(mlirModuleGetBody(module), location), name, p.block,
                          attributes_of(&p, kernel));
  const buddy_code code = bd_sharing_insert(sharing, loop->op, name, p.carried, (size_t)p.n_carried,
                                            count_units(&p), bd_parallel_cost(loop, cost));
  bd_op_erase(loop->op);
  return code;
}

static buddy_code make_parts(MlirModule module, MlirOperation kernel, bd_sharing *sharing) {
  const MlirBlock block = bd_body_of(kernel);
  bd_ops loops = {NULL, 0, 0};
  buddy_code code = BUDDY_OK;
  if (!block.ptr) return BUDDY_OK;
  code = bd_ops_collect_outermost(&loops, kernel, "scf.parallel");
  for (size_t i = 0; i < loops.n && code == BUDDY_OK; ++i) {
    bd_parallel p;
    int64_t cost;
    const bool is_outer = mlirBlockEqual(mlirOperationGetBlock(loops.items[i]), block);
    /* A loop inside others may be too short to be worth a call in each of their rounds. */
    if (bd_parallel_read(loops.items[i], &p, &cost) && (is_outer || p.is_whole))
      code = make_part(module, kernel, &p, cost, i, sharing);
  }
  bd_ops_deinit(&loops);
  return code;
}

static bool is_kernel(MlirOperation op) {
  return bd_op_is(op, "func.func") && bd_op_is_private(op);
}

buddy_code bd_loops_make_parallel(MlirModule module, buddy_diags *diags) {
  bd_ops kernels = {NULL, 0, 0};
  bd_sharing sharing = {.n = 0};
  buddy_code code = BUDDY_OK;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr && code == BUDDY_OK; op = mlirOperationGetNextInBlock(op)) {
    if (is_kernel(op)) code = bd_ops_add(&kernels, op);
  }
  for (size_t i = 0; i < kernels.n && code == BUDDY_OK; ++i)
    code = make_parts(module, kernels.items[i], &sharing);
  if (code == BUDDY_OK) code = bd_sharing_finish(&sharing, module, diags);
  bd_sharing_deinit(&sharing);
  bd_ops_deinit(&kernels);
  return code;
}
