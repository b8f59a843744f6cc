// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/origins.c: names of nodes in a loop's location.
 *
 * Importing gives every operation the location loc("node"("path.of.module"("file.py":41))); where
 * operations were fused, theirs are fused too. */
#include "sdk/compile/rewrite/origins.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

/* ---- As text ---- */
enum { MAX_PARTS = 32 };

static void append(char *text, const char *data, size_t n) {
  const size_t used = strlen(text);
  if (n > BD_ORIGIN_SIZE - 1 - used) n = BD_ORIGIN_SIZE - 1 - used;
  memcpy(text + used, data, n);
  text[used + n] = '\0';
}

/* True if `name` is one of the names joined by + in the text. */
static bool has_name(const char *text, MlirStringRef name) {
  while (*text != '\0') {
    const size_t n = strcspn(text, "+");
    if (n == name.length && memcmp(text, name.data, n) == 0) return true;
    text += n + (text[n] == '+');
  }
  return false;
}

/* One location that is not fused: node, module, line. */
static void read_one(MlirLocation location, bd_origin_text *o) {
  if (mlirLocationIsAName(location)) {
    const MlirStringRef node = mlirIdentifierStr(mlirLocationNameGetName(location));
    if (!has_name(o->nodes, node)) {
      if (o->nodes[0] != '\0') append(o->nodes, "+", 1);
      append(o->nodes, node.data, node.length);
    }
    location = mlirLocationNameGetChildLoc(location);
  }
  if (mlirLocationIsAName(location)) {
    const MlirStringRef module = mlirIdentifierStr(mlirLocationNameGetName(location));
    if (o->module[0] == '\0') append(o->module, module.data, module.length);
    location = mlirLocationNameGetChildLoc(location);
  }
  if (mlirLocationIsAFileLineColRange(location) && o->where[0] == '\0') {
    const MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    char line[32];
    snprintf(line, sizeof(line), ":%d", mlirLocationFileLineColRangeGetStartLine(location));
    append(o->where, file.data, file.length);
    append(o->where, line, strlen(line));
  }
}

void bd_origin_read(MlirLocation location, bd_origin_text *o) {
  *o = (bd_origin_text){"", "", ""};
  MlirLocation stack[MAX_PARTS];
  size_t n = 0;
  stack[n++] = location;
  for (int steps = 0; n > 0 && steps < 256; ++steps) {
    const MlirLocation part = stack[--n];
    if (!mlirLocationIsAFused(part)) {
      read_one(part, o);
      continue;
    }
    const unsigned count = mlirLocationFusedGetNumLocations(part);
    if (count == 0 || count > MAX_PARTS - n) continue;
    MlirLocation parts[MAX_PARTS];
    mlirLocationFusedGetLocations(part, parts);
    for (unsigned i = count; i > 0; --i) stack[n++] = parts[i - 1];
  }
}
