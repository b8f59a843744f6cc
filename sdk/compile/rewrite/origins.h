/* sdk/compile/rewrite/origins.h: of which nodes of the graph a loop is, by its location. MLIR gives
 * loops that were fused the location of the last; those of all stay in the body. */
#ifndef BUDDY_SDK_COMPILE_ORIGINS_H
#define BUDDY_SDK_COMPILE_ORIGINS_H

#include "sdk/compile/ir.h"

/* The locations of all that a loop nest computes, in order, as one. */
MlirLocation bd_origins_of(MlirOperation op);

#endif
