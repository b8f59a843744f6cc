// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/amx.h: tiles of a product of words in AMX's registers (Intel's Advanced
 * Matrix Extensions).
 *
 * Such a register holds up to 16 rows of 64 bytes, and one instruction adds the product of two of
 * them to a third: 16 rows of A by 16 words, times 16 lines of a panel of B, whose words are packed
 * as the vector instructions want them (dot_packing.h). A tile of C is up to two registers of rows by two
 * of columns, which leaves two for A and two for B. Rows of A and lines of B are read where they
 * are. Bytes are multiplied with their signs, so that nothing has to be taken back.
 *
 * How many rows and bytes a register has is set by LDTILECFG, once a call: by numbers, so that one
 * function serves many shapes. The registers are named in the text, which leaves LLVM nothing to
 * choose: any level of optimisation will do. They are released at the end, as a system that saves
 * them for a thread spends 8 KB on them.
 *
 * A process has to ask Linux for these registers: processor.h. */
#ifndef BUDDY_SDK_COMPILE_AMX_H
#define BUDDY_SDK_COMPILE_AMX_H

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/tile/tiles.h"

/* Rows of one register, and of a tile. */
enum { BD_AMX_ROWS = 16, BD_AMX_ROWS_OF_TILE = 2 * BD_AMX_ROWS };

/* Sets amx_step and the vectors of panels of words whose sizes suit AMX; the processor has it. */
void bd_amx_choose(bd_panels *p);

/* What the function's text has as numbers, and what it depends on beside them: see tiles.h. */
void bd_amx_add_arguments(bd_arguments *all, const bd_tiles *t);
/* The function's body after its constants %c0 and %c1. */
void bd_amx_write(bd_text *text, const bd_tiles *t);

#endif
