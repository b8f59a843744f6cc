// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/units.h: operands without the axes that loops do not walk along. */
#ifndef BUDDY_SDK_COMPILE_UNITS_H
#define BUDDY_SDK_COMPILE_UNITS_H

#include "sdk/compile/ir.h"

/* Before fusion, of tensors: linalg.generic that stands beside a reshape, its result's or an
 * operand's, reads each operand of which axes of one element are read at 0 without these:
 *
 *   (i, j, k) -> (i, 0, k) of 1x1x384   becomes   (i, j, k) -> (i, k) of 1x384
 *
 * Fusion takes no loop past a reshape that has numbers in its maps: the sum of a linear layer of
 * images and its bias, and what follows in their own shape, would be two loops. */
buddy_code bd_units_drop(MlirOperation root);

#endif
