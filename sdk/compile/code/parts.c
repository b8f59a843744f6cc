/* sdk/compile/code/parts.c: see parts.h. */
#include "sdk/compile/code/parts.h"

#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "sdk/compile/ir.h"

#define LEAST_WEIGHT 4000 /* operations of a part: less costs more than it saves */

typedef struct function {
  MlirOperation op;
  size_t weight; /* operations */
  int moves;
} function;

typedef struct division {
  MlirSymbolTable symbols; /* of the module as it was: operations stay where they are in memory */
  function *functions;
  size_t n;
  int (*stays)(void *user, const char *name);
  void *user;
} division;

/* ---- What a function calls --------------------------------------------------------------------
 */

/* The name that an operation refers to; without data if it refers to none. */
static MlirStringRef reference_of(MlirOperation op) {
  MlirAttribute name = {NULL};
  if (bd_op_is(op, "llvm.call"))
    name = bd_op_attribute(op, "callee");
  else if (bd_op_is(op, "llvm.mlir.addressof"))
    name = bd_op_attribute(op, "global_name");
  return name.ptr == NULL ? mlirStringRefCreate(NULL, 0) : mlirFlatSymbolRefAttrGetValue(name);
}

static int has_body(MlirOperation f) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(f, 0)).ptr != NULL;
}

static MlirStringRef name_of(MlirOperation f) {
  return mlirStringAttrGetValue(bd_op_attribute(f, "sym_name"));
}

static int is_kernel(MlirOperation f) {
  const MlirStringRef name = name_of(f);
  const size_t n = strlen(BD_KERNEL_PREFIX);
  return has_body(f) && name.length > n && memcmp(name.data, BD_KERNEL_PREFIX, n) == 0;
}

/* A name that can be called from another part. */
static int can_be_apart(const division *d, MlirStringRef name) {
  const MlirOperation target = mlirSymbolTableLookup(d->symbols, name);
  char text[512];
  if (target.ptr == NULL || !bd_op_is(target, "llvm.func")) return 0;
  if (has_body(target)) return is_kernel(target);
  if (d->stays == NULL) return 1;
  if (name.length >= sizeof(text)) return 0;
  memcpy(text, name.data, name.length);
  text[name.length] = '\0';
  return !d->stays(d->user, text);
}

typedef struct measuring {
  const division *division;
  function *function;
} measuring;

static MlirWalkResult measure_op(MlirOperation op, void *user) {
  const measuring *m = user;
  const MlirStringRef name = reference_of(op);
  m->function->weight++;
  if (name.data != NULL && !can_be_apart(m->division, name)) m->function->moves = 0;
  return MlirWalkResultAdvance;
}

static buddy_code measure(division *d, MlirModule module) {
  bd_ops all = {NULL, 0, 0};
  buddy_code code = BUDDY_OK;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr != NULL && code == BUDDY_OK; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "llvm.func") && has_body(op)) code = bd_ops_add(&all, op);
  }
  if (code == BUDDY_OK) d->functions = calloc(all.n + 1, sizeof(function));
  if (d->functions == NULL) code = BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < all.n && code == BUDDY_OK; i++) {
    function *f = &d->functions[d->n++];
    *f = (function){all.items[i], 0, is_kernel(all.items[i])};
    measuring m = {d, f};
    mlirOperationWalk(f->op, measure_op, &m, MlirWalkPreOrder);
  }
  bd_ops_deinit(&all);
  return code;
}

/* ---- Moving -----------------------------------------------------------------------------------
 */

static MlirModule create_part(MlirModule module) {
  const MlirOperation from = mlirModuleGetOperation(module);
  const MlirModule part = mlirModuleCreateEmpty(mlirOperationGetLocation(from));
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(from); i++) {
    const MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(from, i);
    mlirOperationSetDiscardableAttributeByName(
        mlirModuleGetOperation(part), mlirIdentifierStr(attribute.name), attribute.attribute);
  }
  return part;
}

static int by_weight(const void *a, const void *b) { /* heavy ones first; then as they stood */
  const function *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
  const MlirStringRef left = name_of(x->op), right = name_of(y->op);
  const size_t n = left.length < right.length ? left.length : right.length;
  const int order = memcmp(left.data, right.data, n);
  return order != 0 ? order : left.length < right.length ? -1 : 1;
}

/* Each function goes to the part that has least. */
static void distribute(division *d, bd_parts *parts) {
  size_t loads[BD_MAX_PARTS] = {0};
  for (size_t i = 0; i < d->n; i++) {
    if (!d->functions[i].moves) loads[0] += d->functions[i].weight;
  }
  qsort(d->functions, d->n, sizeof(function), by_weight);
  for (size_t i = 0; i < d->n; i++) {
    const function *f = &d->functions[i];
    size_t least = 0;
    if (!f->moves) continue;
    for (size_t k = 1; k < parts->n; k++) least = loads[k] < loads[least] ? k : least;
    loads[least] += f->weight;
    if (least == 0) continue;
    mlirOperationRemoveFromParent(f->op);
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(parts->items[least]), f->op);
  }
}

/* ---- Declarations -----------------------------------------------------------------------------
 */

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
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(from); i++) {
    const MlirNamedAttribute attribute = mlirOperationGetAttribute(from, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  return mlirOperationCreate(&state);
}

static MlirWalkResult declare_reference(MlirOperation op, void *user) {
  declaring *d = user;
  const MlirStringRef name = reference_of(op);
  if (name.data == NULL || mlirSymbolTableLookup(d->symbols, name).ptr != NULL)
    return MlirWalkResultAdvance;
  const MlirOperation target = mlirSymbolTableLookup(d->division->symbols, name);
  const MlirOperation declaration = target.ptr == NULL ? target : declare(target);
  d->code = declaration.ptr == NULL ? BUDDY_INTERNAL : BUDDY_OK;
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
                          int (*stays)(void *user, const char *name), void *user,
                          bd_parts *out_parts) {
  *out_parts = (bd_parts){1, {module}};
  if (most <= 1) return BUDDY_OK;
  division d = {.symbols = mlirSymbolTableCreate(mlirModuleGetOperation(module)),
                .stays = stays,
                .user = user};
  buddy_code code = measure(&d, module);
  size_t weight = 0;
  for (size_t i = 0; i < d.n; i++) weight += d.functions[i].weight;
  if (most > BD_MAX_PARTS) most = BD_MAX_PARTS;
  const size_t n = weight / LEAST_WEIGHT < most ? weight / LEAST_WEIGHT : most;
  while (code == BUDDY_OK && out_parts->n < n)
    out_parts->items[out_parts->n++] = create_part(module);
  if (code == BUDDY_OK && out_parts->n > 1) {
    distribute(&d, out_parts);
    for (size_t i = 0; i < out_parts->n && code == BUDDY_OK; i++)
      code = complete(&d, out_parts->items[i]);
  }
  mlirSymbolTableDestroy(d.symbols);
  free(d.functions);
  return code;
}

void bd_parts_deinit(bd_parts *parts) {
  for (size_t i = 1; i < parts->n; i++) mlirModuleDestroy(parts->items[i]);
  parts->n = 0;
}
