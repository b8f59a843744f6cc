/* sdk/compile/kernels/packed.h: products of a number of rows that is not known with a constant,
 * whose panels are kept from run to run (packed.mlir): prompts.
 *
 * Few rows are multiplied with the constant where it is, so that a program that has never more than
 * those, like one that makes token after token, has no second copy of it. */
#ifndef BUDDY_SDK_COMPILE_PACKED_H
#define BUDDY_SDK_COMPILE_PACKED_H

#include "sdk/compile/kernels/keeping.h"
#include "sdk/compile/kernels/matrices.h"

/* True if the panels of B may be kept, and only a run knows how many rows there are. */
int bd_packed_is_for(const bd_contraction *c, const bd_keeping *keeping);

/* %kept_panels, which packed.mlir takes, of the slot %slot, packed in the first run by functions of
 * gemm.mlir, whose name is `gemm`; in front of all loops. */
void bd_packed_write_panels(bd_text *text, const bd_contraction *c, const char *gemm);
/* The type of %kept_panels. */
void bd_packed_write_type(bd_text *text, const bd_contraction *c);

#endif
