// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd/winograd.h: convolutions with windows of 3×3, or of planes of 3×3, and steps of one, in 2.25 times
 * fewer multiplications: F(2×2, 3×3) of Winograd's minimal filtering (Lavin and Gray, "Fast
 * Algorithms for Convolutional Neural Networks", 2016).
 *
 * The output is cut into squares of 2×2 places. A square depends on 4×4 places d of each channel of
 * the input; with g, the window of that channel,
 *
 *   square = Aᵀ [ Σ over channels  (G g Gᵀ) ⊙ (Bᵀ d B) ] A
 *
 *          1  0 -1  0          1    0   0
 *   Bᵀ =   0  1  1  0     G = 1/2  1/2 1/2     Aᵀ =  1  1  1  0
 *          0 -1  1  0         1/2 -1/2 1/2           0  1 -1 -1
 *          0  1  0 -1          0    0   1
 *
 * so that at each of 16 points there is a product of matrices, squares × channels by channels ×
 * filters:
 *
 *   first run:  G g Gᵀ takes the place of the packed filter, 16 lines for 9, and is kept
 *   each run:   for each block of squares
 *                 V[square][point][channel] = Bᵀ d B                     (stays in L2)
 *                 for each panel of filters, and a few squares
 *                   M[point][square][column] = V · panel, at each point  (tile/tiles.h)
 *                   Aᵀ M A, the epilogue, the output
 *
 * Threads share the blocks; where these are few, or filters are too many to stay in a cache from
 * block to block, V is made whole first, and they share the panels.
 *
 * Of volumes, each plane of the output has squares of its own, and what is added up at a point is of the channels of every
 * plane of the window: V[square][point][plane of the window][channel], G g Gᵀ of each plane.
 *
 * Squares at the lower and the right edge may have places that are not there. What they would read
 * is replaced by the last place that is: no number of the others depends on it.
 *
 * Rounding: with C channels, or that many times the planes of the window, a number of the output is
 * within 4·(C + 16)·2⁻²⁴ of Σ over channels (Σ|g|)·(Σ|d|), of the window and of the square's 4×4
 * places, where a sum in order is within 9·C·2⁻²⁴ of Σ|g||d| over the 3×3. On random numbers both are far from that and as near as each other: the root of the
 * mean square is 0.7 to 1.05 times the other's, 1.3 times with 5 filters (winograd_test.cc). For
 * that the sums over channels are of runs of at most 64; of runs of 256 it was up to 1.7 times.
 *
 * Infinities and NaNs of the input reach the places whose 3×3 hold them, and no others, as Aᵀ takes
 * nothing of d's last line to the square's first, nor the other way round; but where a sum in order
 * is infinite this may be NaN, being a difference of infinities. So it is with an infinite weight,
 * and with finite numbers of the input beyond 2¹²⁶, whose sums by four overflow. */
#ifndef BUDDY_SDK_COMPILE_WINOGRAD_H
#define BUDDY_SDK_COMPILE_WINOGRAD_H

#include "sdk/compile/kernels/shaped.h"

/* Where it is done: buddy_compile_options.winograd. */
typedef enum bd_winograd_choice {
  BD_WINOGRAD_NEVER = -1,
  BD_WINOGRAD_AUTO, /* where it was measured to pay */
  BD_WINOGRAD_ALWAYS
} bd_winograd_choice;

/* True if the convolution, which fits (shaped.h), is to be done this way. */
int bd_winograd_is_chosen(const bd_shaped *image, bd_winograd_choice choice);

/* The panels that are prepacked: 16 lines for each channel. */
void bd_winograd_fill_panels(const bd_shaped *image, bd_panels *p);
/* Turns %panels, in each of which the filter's 9 lines come first, into those. */
void bd_winograd_write_filter(bd_text *text, const bd_shaped *image, bd_kernels *kernels);
/* All images, from %x0 by %panels to %x2; what the sums begin with and the epilogue reads is told by
 * the names of affine.h. */
void bd_winograd_write(bd_text *text, const bd_shaped *image, bd_kernels *kernels);

#endif
