// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/parts.c: dividing a module's functions among parts. */
#include "sdk/compile/code/parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"

#define LEAST_WEIGHT 4000 /* operations of a part: less costs more than it saves */
#define LEAST_COLD 500    /* cold operations that are worth a part of their own */
#define COLD_SHARE 3      /* so many cold operations take the time of a hot one */

typedef struct function {
  MlirOperation op;
  size_t weight; /* operations */
  int moves;
  bool is_hot; /* see bd_parts */
} function;

typedef struct division {
  MlirSymbolTable symbols; /* of the module as it was: operations stay where they are in memory */
  function *functions;
  size_t n;
  bool is_divided; /* cold functions are in parts of their own */
  bool (*stays)(void *user, const char *name);
  void *user;
} division;

/* ---- What a function calls ------------------------------------------------------------------- */

/* The name that an operation of that name refers to; without data if it refers to none. */
static MlirStringRef reference_of(MlirOperation op, MlirStringRef of_op) {
  MlirAttribute name = {NULL};
  if (bd_string_is(of_op, "llvm.call"))
    name = bd_op_attribute(op, "callee");
  else if (bd_string_is(of_op, "llvm.mlir.addressof"))
    name = bd_op_attribute(op, "global_name");
  return !name.ptr ? mlirStringRefCreate(NULL, 0) : mlirFlatSymbolRefAttrGetValue(name);
}

static bool is_kernel(MlirOperation f) {
  const MlirStringRef name = bd_symbol_of(f);
  const size_t n = strlen(BD_KERNEL_PREFIX);
  return bd_body_of(f).ptr && name.length > n && memcmp(name.data, BD_KERNEL_PREFIX, n) == 0;
}

/* A name that can be called from another part. */
static bool can_be_apart(const division *d, MlirStringRef name) {
  const MlirOperation target = mlirSymbolTableLookup(d->symbols, name);
  char text[512];
  if (!target.ptr || !bd_op_is(target, "llvm.func")) return false;
  if (bd_body_of(target).ptr) return is_kernel(target);
  if (!d->stays) return true;
  if (name.length >= sizeof(text)) return false;
  memcpy(text, name.data, name.length);
  text[name.length] = '\0';
  return !d->stays(d->user, text);
}

/* ---- What a function does -------------------------------------------------------------------- */

static bool is_said_to_be_cold(MlirOperation f) { return bd_op_attribute(f, BD_COLD).ptr != NULL; }

static bool has_vectors(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (mlirTypeIsAVector(mlirValueGetType(mlirOperationGetOperand(op, i)))) return true;
  }
  return mlirOperationGetNumResults(op) > 0 &&
         mlirTypeIsAVector(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool is_one_of(MlirStringRef name, const char *const *prefixes) {
  for (; *prefixes; ++prefixes) {
    const size_t n = strlen(*prefixes);
    if (name.length >= n && memcmp(name.data, *prefixes, n) == 0) return true;
  }
  return false;
}

static bool is_hot(MlirOperation op, MlirStringRef name, bool is_in_loop) {
  static const char *const on_integers[] = {"llvm.intr.smin", "llvm.intr.smax",   "llvm.intr.umin",
                                            "llvm.intr.umax", "llvm.intr.assume", NULL};
  static const char *const blocks[] = {"llvm.intr.memcpy", "llvm.intr.memset", "llvm.intr.memmove",
                                       NULL};
  static const char *const on_floats[] = {"llvm.f", "llvm.intr.", NULL}; /* fadd, fmul, fcmp, … */
  static const char *const of_memory[] = {"llvm.load", "llvm.store", NULL};
  if (has_vectors(op)) return true;
  if (is_one_of(name, of_memory) || is_one_of(name, blocks)) return is_in_loop;
  return is_one_of(name, on_floats) && !is_one_of(name, on_integers);
}

typedef struct measuring {
  const division *division;
  function *function;
  bool is_in_loop;
} measuring;

static MlirWalkResult measure_op(MlirOperation op, void *user) {
  const measuring *m = user;
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const MlirStringRef target = reference_of(op, name);
  ++m->function->weight;
  if (target.data && !can_be_apart(m->division, target)) m->function->moves = 0;
  if (!m->function->is_hot) m->function->is_hot = is_hot(op, name, m->is_in_loop);
  return MlirWalkResultAdvance;
}

/* ---- Loops ------------------------------------------------------------------------------------
 * What lies between a branch back and where it leads counts as a loop. Every block of every loop is
 * found so, whatever the order of the blocks. */

typedef struct numbered {
  MlirBlock block;
  size_t number;
} numbered;

static int by_address(const void *a, const void *b) {
  const uintptr_t x = (uintptr_t)((const numbered *)a)->block.ptr;
  const uintptr_t y = (uintptr_t)((const numbered *)b)->block.ptr;
  return (x > y) - (x < y);
}

/* depths[i]: branches back that begin at block i, less those that end at the block before it. */
static void add_branches(MlirBlock block, size_t number, const numbered *sorted, size_t n,
                         int *depths) {
  for (intptr_t i = 0; i < mlirBlockGetNumSuccessors(block); ++i) {
    const numbered key = {mlirBlockGetSuccessor(block, i), 0};
    const numbered *target = bsearch(&key, sorted, n, sizeof(numbered), by_address);
    if (!target || target->number > number) continue;
    ++depths[target->number];
    --depths[number + 1];
  }
}

/* Owned by the caller; null: no memory. */
static int *find_loops(MlirBlock first, size_t n) {
  int *depths = bd_calloc(n + 1, sizeof(int));
  numbered *sorted = bd_calloc(n + 1, sizeof(numbered));
  size_t k = 0;
  if (depths && sorted) {
    for (MlirBlock b = first; b.ptr; b = mlirBlockGetNextInRegion(b), ++k)
      sorted[k] = (numbered){b, k};
    qsort(sorted, n, sizeof(numbered), by_address);
    k = 0;
    for (MlirBlock b = first; b.ptr; b = mlirBlockGetNextInRegion(b))
      add_branches(b, k++, sorted, n, depths);
  }
  const bool is_whole = sorted != NULL;
  free(sorted);
  if (is_whole) return depths;
  free(depths);
  return NULL;
}

static buddy_code measure_function(const division *d, function *f) {
  const MlirBlock first = bd_body_of(f->op);
  size_t n = 0, k = 0;
  for (MlirBlock b = first; b.ptr; b = mlirBlockGetNextInRegion(b)) ++n;
  int *depths = find_loops(first, n), depth = 0;
  if (!depths) return BUDDY_OUT_OF_MEMORY;
  for (MlirBlock b = first; b.ptr; b = mlirBlockGetNextInRegion(b)) {
    depth += depths[k++];
    measuring m = {d, f, depth > 0};
    MlirOperation op = mlirBlockGetFirstOperation(b);
    for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
      if (mlirOperationGetNumRegions(op) > 0)
        mlirOperationWalk(op, measure_op, &m, MlirWalkPreOrder);
      else /* most: a walk over one costs several times as much */
        measure_op(op, &m);
    }
  }
  if (is_said_to_be_cold(f->op)) f->is_hot = false;
  free(depths);
  return BUDDY_OK;
}

static buddy_code measure(division *d, MlirModule module) {
  bd_ops all = {NULL, 0, 0};
  buddy_code code = BUDDY_OK;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr && code == BUDDY_OK; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "llvm.func") && bd_body_of(op).ptr) code = bd_ops_add(&all, op);
  }
  if (code == BUDDY_OK) d->functions = bd_calloc(all.n + 1, sizeof(function));
  if (!d->functions) code = BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < all.n && code == BUDDY_OK; ++i) {
    function *f = &d->functions[d->n++];
    *f = (function){all.items[i], 0, is_kernel(all.items[i]), 0};
    code = measure_function(d, f);
  }
  bd_ops_deinit(&all);
  return code;
}

/* ---- Moving ---------------------------------------------------------------------------------- */

static MlirModule create_part(MlirModule module) {
  const MlirOperation from = mlirModuleGetOperation(module);
  const MlirModule part = mlirModuleCreateEmpty(mlirOperationGetLocation(from));
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(from); ++i) {
    const MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(from, i);
    mlirOperationSetDiscardableAttributeByName(
        mlirModuleGetOperation(part), mlirIdentifierStr(attribute.name), attribute.attribute);
  }
  return part;
}

static int by_weight(const void *a, const void *b) { /* heavy ones first; then as they stood */
  const function *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
  const MlirStringRef left = bd_symbol_of(x->op), right = bd_symbol_of(y->op);
  const size_t n = left.length < right.length ? left.length : right.length;
  const int order = memcmp(left.data, right.data, n);
  return order != 0 ? order : left.length < right.length ? -1 : 1;
}

/* Each function goes to the part of its kind that has least. */
static void distribute(division *d, bd_parts *parts) {
  size_t loads[BD_MAX_PARTS] = {0};
  for (size_t i = 0; i < d->n; ++i) {
    if (!d->functions[i].moves) loads[0] += d->functions[i].weight;
  }
  qsort(d->functions, d->n, sizeof(function), by_weight);
  for (size_t i = 0; i < d->n; ++i) {
    const function *f = &d->functions[i];
    size_t least = parts->n;
    if (!f->moves) continue;
    for (size_t k = 0; k < parts->n; ++k) {
      if (d->is_divided && parts->is_cold[k] == f->is_hot) continue;
      if (least == parts->n || loads[k] < loads[least]) least = k;
    }
    loads[least] += f->weight;
    if (least == 0) continue;
    mlirOperationRemoveFromParent(f->op);
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(parts->items[least]), f->op);
  }
}

/* How many parts there are, and which are cold. The main module is, unless what stays in it is
 * hot. */
static void plan(division *d, MlirModule module, size_t most, bd_parts *parts) {
  size_t hot = 0, cold = 0;
  bool stays_hot = false;
  for (size_t i = 0; i < d->n; ++i) {
    const function *f = &d->functions[i];
    *(f->is_hot ? &hot : &cold) += f->weight;
    stays_hot = stays_hot || (f->is_hot && !f->moves);
  }
  size_t n = (hot + cold) / LEAST_WEIGHT, n_cold = 0;
  d->is_divided = hot > 0 && cold >= LEAST_COLD;
  if (n < 1u + (size_t)d->is_divided) n = 1u + (size_t)d->is_divided;
  if (n > most) n = most;
  if (d->is_divided) {
    n_cold = n * cold / (cold + COLD_SHARE * hot);
    if (n_cold < 1) n_cold = 1;
    if (n_cold >= n) n_cold = n - 1;
  } else if (hot == 0) {
    n_cold = n;
  }
  const size_t first = d->is_divided && stays_hot ? 1 : 0;
  for (size_t i = 0; i < n; ++i) {
    if (i > 0) parts->items[i] = create_part(module);
    parts->is_cold[i] = i >= first && i < first + n_cold;
  }
  parts->n = n;
}

/* ---- Declarations ---------------------------------------------------------------------------- */

typedef struct declaring {
  const division *division;
  MlirSymbolTable symbols; /* of the part */
  buddy_code code;
} declaring;

static MlirOperation declare(MlirOperation from) {
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("llvm.func"),
                                                   mlirOperationGetLocation(from));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(from); ++i) {
    const MlirNamedAttribute attribute = mlirOperationGetAttribute(from, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  return mlirOperationCreate(&state);
}

static MlirWalkResult declare_reference(MlirOperation op, void *user) {
  declaring *d = user;
  const MlirStringRef name = reference_of(op, mlirIdentifierStr(mlirOperationGetName(op)));
  if (!name.data || mlirSymbolTableLookup(d->symbols, name).ptr) return MlirWalkResultAdvance;
  const MlirOperation target = mlirSymbolTableLookup(d->division->symbols, name);
  const MlirOperation declaration = !target.ptr ? target : declare(target);
  d->code = !declaration.ptr ? BUDDY_INTERNAL : BUDDY_OK;
  if (d->code != BUDDY_OK) return MlirWalkResultInterrupt;
  mlirSymbolTableInsert(d->symbols, declaration);
  return MlirWalkResultAdvance;
}

static buddy_code complete(const division *d, MlirModule part) {
  const MlirOperation root = mlirModuleGetOperation(part);
  declaring all = {.division = d, .symbols = mlirSymbolTableCreate(root), .code = BUDDY_OK};
  mlirOperationWalk(root, declare_reference, &all, MlirWalkPreOrder);
  mlirSymbolTableDestroy(all.symbols);
  return all.code;
}

buddy_code bd_parts_split(MlirModule module, size_t most,
                          bool (*stays)(void *user, const char *name), void *user,
                          bd_parts *out_parts) {
  *out_parts = (bd_parts){1, {module}, {0}};
  if (most <= 1) return BUDDY_OK;
  division d = {.symbols = mlirSymbolTableCreate(mlirModuleGetOperation(module)),
                .stays = stays,
                .user = user};
  buddy_code code = measure(&d, module);
  if (code == BUDDY_OK) plan(&d, module, most < BD_MAX_PARTS ? most : BD_MAX_PARTS, out_parts);
  if (code == BUDDY_OK && out_parts->n > 1) {
    distribute(&d, out_parts);
    for (size_t i = 0; i < out_parts->n && code == BUDDY_OK; ++i)
      code = complete(&d, out_parts->items[i]);
  }
  mlirSymbolTableDestroy(d.symbols);
  free(d.functions);
  return code;
}

buddy_code bd_parts_copy(MlirModule module, MlirOperation f, MlirModule *out_part) {
  const division d = {.symbols = mlirSymbolTableCreate(mlirModuleGetOperation(module))};
  *out_part = create_part(module);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(*out_part), mlirOperationClone(f));
  const buddy_code code = complete(&d, *out_part);
  mlirSymbolTableDestroy(d.symbols);
  if (code != BUDDY_OK) mlirModuleDestroy(*out_part);
  return code;
}

void bd_parts_deinit(bd_parts *parts) {
  for (size_t i = 1; i < parts->n; ++i) mlirModuleDestroy(parts->items[i]);
  parts->n = 0;
}
