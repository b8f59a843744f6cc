// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/outline.c: loop nests as functions of their own.
 *
 * For one operation: its operands, and the values that its body uses from outside, become the
 * arguments of a function; constants among them are copied into it, where LLVM can see them. The
 * function is printed; if one with that text is there, it is called instead. Printing a function
 * costs its own size, as it is not yet part of the module.
 *
 * An output that shares no memory with any other argument is marked so (llvm.noalias): LLVM then
 * vectorises without checks. Static dense buffers travel as bare pointers; of others, see aliases.h. */
#include "sdk/compile/rewrite/outline.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/code/parts.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/rewrite/origins.h"
#include "sdk/compile/rewrite/rows.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

#define MAX_ARGUMENTS 64

typedef struct outlined {
  UT_hash_handle hh;
  char name[48];
  size_t n;
  char text[];
} outlined;

typedef struct outliner {
  MlirModule module;
  outlined *by_text;
  size_t n_functions;
} outliner;

/* The values that flow into one operation. */
typedef struct inflow {
  MlirValue values[MAX_ARGUMENTS];
  MlirValue inside[MAX_ARGUMENTS]; /* what stands for them in the function */
  int is_constant[MAX_ARGUMENTS];
  int n;
} inflow;

/* ---- What flows in ---- */

static int find_value(const inflow *in, MlirValue value) {
  for (int i = 0; i < in->n; ++i) {
    if (mlirValueEqual(in->values[i], value)) return i;
  }
  return -1;
}

typedef struct gathering {
  inflow *in;
  MlirOperation root;
  bool is_too_much;
} gathering;

static MlirWalkResult gather(MlirOperation op, void *user) {
  gathering *g = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue value = mlirOperationGetOperand(op, i);
    if (find_value(g->in, value) >= 0) continue;
    if (!mlirOperationEqual(op, g->root) && bd_is_inside(value, g->root)) continue;
    if (g->in->n == MAX_ARGUMENTS) {
      g->is_too_much = true;
      return MlirWalkResultInterrupt;
    }
    g->in->is_constant[g->in->n] = bd_is_made_by(value, "arith.constant");
    g->in->values[g->in->n++] = value;
  }
  return MlirWalkResultAdvance;
}

static MlirWalkResult redirect(MlirOperation op, void *user) {
  const inflow *in = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const int k = find_value(in, mlirOperationGetOperand(op, i));
    if (k >= 0) mlirOperationSetOperand(op, i, in->inside[k]);
  }
  return MlirWalkResultAdvance;
}

/* ---- Memory ---- */

/* Argument i is freshly allocated memory that no other argument reaches. */
static bool is_alone(const inflow *in, int i) {
  if (!mlirTypeIsAMemRef(mlirValueGetType(in->values[i]))) return false;
  const MlirValue base = bd_base_of(in->values[i]);
  if (!bd_is_made_by(base, "memref.alloc")) return false;
  for (int k = 0; k < in->n; ++k) {
    if (k == i || !mlirTypeIsAMemRef(mlirValueGetType(in->values[k]))) continue;
    const MlirValue other = bd_base_of(in->values[k]);
    if (mlirValueEqual(other, base) || bd_base_is_any(other)) return false;
  }
  return true;
}

/* ---- The function ---- */

/* An empty function with those of the values that are no constants as arguments. */
static MlirOperation create_function(const outliner *o, MlirLocation location, const inflow *in) {
  const MlirContext context = mlirLocationGetContext(location);
  const MlirNamedAttribute noalias = bd_named(context, "llvm.noalias", mlirUnitAttrGet(context));
  MlirType types[MAX_ARGUMENTS];
  MlirAttribute attributes[MAX_ARGUMENTS];
  intptr_t n = 0;
  for (int i = 0; i < in->n; ++i) {
    if (in->is_constant[i]) continue;
    attributes[n] = mlirDictionaryAttrGet(context, is_alone(in, i), &noalias);
    types[n++] = mlirValueGetType(in->values[i]);
  }
  return bd_build_function(bd_builder_at_end(mlirModuleGetBody(o->module), location), "kernel",
                           bd_block_create(location, types, n),
                           mlirArrayAttrGet(context, n, attributes));
}

/* Moves the operation in, with copies of its constants before it and a return after it. */
static buddy_code fill_function(MlirOperation op, inflow *in, MlirBlock block) {
  intptr_t n = 0;
  for (int i = 0; i < in->n; ++i) {
    if (!in->is_constant[i]) {
      in->inside[i] = mlirBlockGetArgument(block, n++);
      continue;
    }
    const MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(in->values[i]));
    mlirBlockAppendOwnedOperation(block, copy);
    in->inside[i] = mlirOperationGetResult(copy, 0);
  }
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(block, op);
  mlirOperationWalk(op, redirect, in, MlirWalkPreOrder);
  const MlirOperation end = bd_build_op(bd_builder_at_end(block, mlirOperationGetLocation(op)),
                                        "func.return", NULL, 0, NULL, 0, NULL, 0);
  return end.ptr ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static void print_function(MlirOperation function, bd_text *text) {
  const MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(function, flags, bd_text_piece, text);
  mlirOpPrintingFlagsDestroy(flags);
}

/* The function with the same text that is in the module: `function` itself if there is none yet, else that one goes away. */
static buddy_code share(outliner *o, MlirOperation function, const char **out_name) {
  bool hash_is_full = false;
  bd_text text = {.data = NULL};
  outlined *item = NULL;
  print_function(function, &text);
  if (!text.code) HASH_FIND(hh, o->by_text, text.data, text.size, item);
  if (!item && !text.code) {
    item = bd_calloc(1, sizeof(outlined) + text.size + 1);
    if (item) {
      memcpy(item->text, text.data, text.size);
      snprintf(item->name, sizeof(item->name), "buddy.loops_%zu", o->n_functions++);
      HASH_ADD_KEYPTR(hh, o->by_text, item->text, text.size, item);
      const MlirContext context = mlirOperationGetContext(function);
      bd_op_set_attribute(function, "sym_name",
                          mlirStringAttrGet(context, mlirStringRefCreateFromCString(item->name)));
    }
  } else {
    bd_op_erase(function);
  }
  bd_text_deinit(&text);
  if (!item || hash_is_full) return BUDDY_OUT_OF_MEMORY;
  *out_name = item->name;
  return BUDDY_OK;
}

/* Few rounds, in the first run alone: code for that needs no optimisation. */
static bool is_quick_once(MlirOperation op) {
  enum { FEW = 65536 };
  bd_structured s;
  if (!bd_op_is_hoisted(mlirOperationGetParentOperation(op)) || !bd_structured_read(op, &s))
    return false;
  int64_t rounds = 1;
  for (int i = 0; i < s.n_loops && rounds <= FEW; ++i) {
    if (s.sizes[i] < 0) return false;
    rounds *= s.sizes[i];
  }
  return rounds <= FEW;
}

static buddy_code outline(MlirOperation op, void *user) {
  outliner *o = user;
  inflow in = {.n = 0};
  gathering g = {&in, op, 0};
  mlirOperationWalk(op, gather, &g, MlirWalkPreOrder);
  if (g.is_too_much || mlirOperationGetNumResults(op) != 0) return BUDDY_OK;
  const MlirLocation location = bd_origins_of(op);
  const MlirOperation next = mlirOperationGetNextInBlock(op);
  const bool is_cold = is_quick_once(op);
  const MlirOperation function = create_function(o, location, &in);
  if (!function.ptr) return BUDDY_OUT_OF_MEMORY;
  if (is_cold)
    bd_op_set_attribute(function, BD_COLD, mlirUnitAttrGet(mlirOperationGetContext(function)));
  buddy_code code = fill_function(op, &in, bd_body_of(function));
  const char *name = NULL;
  if (code == BUDDY_OK) code = share(o, function, &name);
  if (code != BUDDY_OK) return code;
  MlirValue operands[MAX_ARGUMENTS];
  size_t n = 0;
  for (int i = 0; i < in.n; ++i) {
    if (!in.is_constant[i]) operands[n++] = in.values[i];
  }
  /* A terminator follows every linalg operation. */
  return bd_build_call(bd_builder_for(next, location), name, operands, n);
}

static buddy_code outline_rows(MlirOperation op, void *user) {
  return !bd_op_attribute(op, BD_ROWS).ptr ? BUDDY_OK : outline(op, user);
}

static buddy_code outline_function(outliner *o, MlirOperation function) {
  BD_TRY(bd_ops_each(function, "scf.parallel", outline_rows, o));
  return bd_ops_each_outermost(function, "linalg.", outline, o);
}

buddy_code bd_outline(MlirModule module) {
  outliner o = {.module = module};
  bd_ops functions = {NULL, 0, 0};
  buddy_code code = BUDDY_OK;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr && code == BUDDY_OK; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "func.func") && !bd_op_is_private(op)) code = bd_ops_add(&functions, op);
  }
  for (size_t i = 0; i < functions.n && code == BUDDY_OK; ++i)
    code = outline_function(&o, functions.items[i]);
  bd_ops_deinit(&functions);
  outlined *all = o.by_text, *item, *next;
  HASH_CLEAR(hh, o.by_text);
  HASH_ITER(hh, all, item, next) free(item);
  return code;
}
