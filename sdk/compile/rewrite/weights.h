// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/weights.h: weights that are made of smaller ones are made in one loop.
 *
 * Programs cut weights into blocks by a reshape, multiply each block with a scale, and join them by
 * another reshape. Fusion takes neither a reshape that joins dims and cuts them elsewhere, nor do
 * vectors take powers: both keep a product's kernel from reading the weights as they lie
 * (kernels/dequantized.h). */
#ifndef BUDDY_SDK_COMPILE_WEIGHTS_H
#define BUDDY_SDK_COMPILE_WEIGHTS_H

#include "sdk/compile/ir.h"
#include "sdk/runtime/signature.h"

/* True for a tensor that parameters and constants alone tell, by whatever loops and reshapes. */
bool bd_is_of_weights(MlirOperation entry, const bd_signature *signature, MlirValue tensor);

/* Before fusion, of tensors of known sizes that parameters and constants alone tell:
 *
 *   n, k → (n·k) → n·g, 32   becomes   n, k → n, g, 32 → n·g, 32
 *
 * which only cuts first and only joins then. */
buddy_code bd_weights_cut_first(MlirOperation entry, const bd_signature *signature);
/* After it: 2 to the power of an integer of at most 16 bits, in f32, by integers; the same number. */
buddy_code bd_weights_write_powers(MlirOperation root);

#endif
