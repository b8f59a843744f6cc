// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/layouts.h: images between convolutions lie with their channels innermost.
 *
 * Operations count the axes of an image as n, c, h, w, and that stays so: only the buffer behind it
 * changes, which becomes one of n, h, w, c that is seen through a view. What reads or writes one
 * element at a time does so at other places; kernels of convolutions and loops in order of memory
 * (loops.h) then meet vectors of channels, and nothing is turned from NCHW to NHWC and back. */
#ifndef BUDDY_SDK_COMPILE_LAYOUTS_H
#define BUDDY_SDK_COMPILE_LAYOUTS_H

#include "sdk/compile/kernels/prepacking.h"

/* Of buffers that a convolution in NCHW reads or writes whose kernel likes it so, and of those
 * that loops connect with them; not of what enters or leaves the function. */
buddy_code bd_layouts_choose(MlirOperation root, const bd_prepacking *prepacking);

#endif
