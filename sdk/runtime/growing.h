// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/growing.h: states that grow: tensors of n rows in memory that has room for more. */
#ifndef BUDDY_SDK_RUNTIME_GROWING_H
#define BUDDY_SDK_RUNTIME_GROWING_H

#include "sdk/runtime/cells.h"

/* A cell whose tensor is that of *place with so many rows in dim `dim`, of which those that are new have no
 * value yet; they are the caller's to write. It lies where *place lies, if there is room and nobody has
 * rows there that *place has not, and else in a copy with room for as many again. out_all: the same rows
 * as a program takes them, dim first, lent by the cell. */
buddy_code bd_growing_extend(const bd_cell *from, uint32_t dim, int64_t n_rows, bd_cell **out_cell,
                             buddy_tensor *out_all);

#endif
