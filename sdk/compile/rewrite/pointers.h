// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/pointers.h: buffers of which a pointer says all are passed on as pointers.
 *
 * A memref becomes a descriptor in the llvm dialect: two pointers, an offset, sizes and strides,
 * each put in and taken out by an operation of its own, although all but one pointer are constants
 * of the type. What only tells others what to do (entries, kernels that call tiles, what divides
 * them among threads) consists of little else. */
#ifndef BUDDY_SDK_COMPILE_POINTERS_H
#define BUDDY_SDK_COMPILE_POINTERS_H

#include "sdk/compile/ir.h"

/* To be run right before the memref dialect is lowered, for it leaves
 * builtin.unrealized_conversion_cast between memrefs and descriptors:
 *
 *   private functions with llvm.bareptr   take !llvm.ptr for memrefs, as they do in the end
 *   calls of these                        are given the pointer from where it came, past views
 *   memref.extract_strided_metadata       sizes, strides and offsets that the type tells are
 *                                         constants
 *   unrealized casts from a memref to     the pointer to the buffer's first element, offset not
 *   !llvm.ptr, and back                   counted; and a memref of known sizes without gaps
 *
 * Views and descriptors that nobody needs any more are erased. Whatever else uses a memref gets it
 * as before. */
buddy_code bd_pointers_pass(MlirModule module);

#endif
