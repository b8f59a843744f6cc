// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/samples.h: convolutions over a batch, sample by sample.
 *
 * What convolutions are fast by is chosen from sizes: layouts, windows in fewer multiplications,
 * packed filters, tiles, what follows in registers, where buffers lie. A batch of unknown size hides
 * nothing but the number of samples. So, on tensors, convolutions and what lies between them become
 * loops over samples, whose bodies are of known sizes, as if exported for one sample.
 *
 *   %n = tensor.dim %x, 0            %y = scf.for %i = 0 to %n iter_args(%to = tensor.empty(%n)) {
 *   %y = pad, convolution, … of %x     %part = a copy of %x[%i, …]          : tensor<1x3x9x9xf32>
 *                                      %done = pad, convolution, … of %part : tensor<1x512xf32>
 *                                      yield %done inserted into %to[%i, …]
 *                                    }
 *
 * An operation belongs to the batch if it does the same for each sample and needs nothing of the
 * others. What needs several of them, as statistics of a batch in training do, lies between two
 * loops. A sample may be several rows of a matrix: the places of an image that a product goes
 * over.
 *
 * A batch of known size goes so where the images of all samples leave the cache between one
 * convolution and the next, and those of one stay longer; not where the weights are more than what
 * they are used for in a sample. */
#ifndef BUDDY_SDK_COMPILE_SAMPLES_H
#define BUDDY_SDK_COMPILE_SAMPLES_H

#include "sdk/compile/ir.h"

/* entry: the function that is run. cache: bytes that a thread has to itself. */
buddy_code bd_samples_separate(MlirOperation entry, int64_t cache);

#endif
