// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/shaping.h: buffers have the axes that they are seen with.
 *
 * What is seen through reshapes of one type alone, and filled, is allocated as that: tokens that
 * become an image are an image from the start, of which layouts.h knows, and a copy between them has
 * the same axes on both sides (direct.h). */
#ifndef BUDDY_SDK_COMPILE_SHAPING_H
#define BUDDY_SDK_COMPILE_SHAPING_H

#include "sdk/compile/ir.h"

buddy_code bd_allocations_shape(MlirOperation root);

#endif
