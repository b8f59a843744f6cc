// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/origins.h: of which nodes of the graph a loop is, by its location. MLIR gives
 * loops that were fused the location of the last; those of all stay in the body. */
#ifndef BUDDY_SDK_COMPILE_ORIGINS_H
#define BUDDY_SDK_COMPILE_ORIGINS_H

#include "sdk/compile/ir.h"

/* Names of nodes, joined by +; the first one's module and line. "" for what is not known; cut where
 * they are long. */
enum { BD_ORIGIN_SIZE = 256 };
typedef struct bd_origin_text {
  char nodes[BD_ORIGIN_SIZE], module[BD_ORIGIN_SIZE], where[BD_ORIGIN_SIZE];
} bd_origin_text;
void bd_origin_read(MlirLocation location, bd_origin_text *out);

/* The locations of all that a loop nest computes, in order, as one. */
MlirLocation bd_origins_of(MlirOperation op);

#endif
