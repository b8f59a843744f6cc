// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panel_epilogue.h: the loop that follows a product element by element, done with
 * each panel of the result while this is in cache: activations, masks, the addition of what came in
 * beside it.
 *
 * It may be any linalg.generic whose rounds do not depend on one another, that goes over the
 * result, or a view of it with other axes, from the first element to the last, and is the only one
 * that reads it. The product then writes to where that loop writes to, and the loop is done in
 * place; where that is of another element, sums of a panel lie aside. Its body stays what it is, of
 * scalars, in loops that LLVM makes vectors of. */
#ifndef BUDDY_SDK_COMPILE_PANEL_EPILOGUE_H
#define BUDDY_SDK_COMPILE_PANEL_EPILOGUE_H

#include "sdk/compile/kernels/epilogue.h"

/* The result as it lies, row-major: batches of rows of columns. */
enum { BD_OF_BATCH, BD_OF_ROW, BD_OF_COLUMN, BD_N_OF };

/* Which of the three axes each loop of `s` walks along, if it goes over the result as it lies;
 * false if some loop walks along two. */
int bd_axes_assign(const bd_structured *s, const int64_t sizes[BD_N_OF], int of[BD_MAX_LOOPS]);
/* An operand of such a loop, with its strides along the three axes; false if it lies in no known
 * way. of: as assigned. x: null if only what is known will do. */
int bd_extra_read_axes(const bd_structured *s, int operand, const int of[BD_MAX_LOOPS],
                       bd_extents *x, bd_extra *out);

/* The one that follows `op`, which begins its result as `begin` says; op of the epilogue is null if
 * there is none. Strides of its extras are those along the three axes. */
bd_epilogue bd_panel_epilogue_find(MlirOperation op, const bd_beginning *begin,
                                   const int64_t sizes[BD_N_OF]);

/* What it writes; a buffer of these that is like the product's, which is dense; and where it writes to, as such a buffer:
 * null when memory is out. */
MlirType bd_panel_epilogue_element(const bd_epilogue *e);
MlirType bd_panel_epilogue_type(const bd_epilogue *e, MlirType of_product);
MlirValue bd_panel_epilogue_output(const bd_epilogue *e, MlirType of_product);

/* %extra_K of %eK for the batch %batch: rows by columns. */
void bd_panel_epilogue_write_extras(bd_text *text, const bd_epilogue *e,
                                    const int64_t sizes[BD_N_OF]);

/* Rows %FIRST to before %END, so many columns from %first_column on. */
typedef struct bd_span_of_panel {
  const char *first, *end;
  int64_t columns;
} bd_span_of_panel;
/* The loop over that part: from %rows_of_sums, of that element, whose column is %sums_column, to %rows_to. */
void bd_panel_epilogue_write(bd_text *text, const bd_epilogue *e, const bd_span_of_panel *span);

#endif
