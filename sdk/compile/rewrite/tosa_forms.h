// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/tosa_forms.h: what programs had before TOSA's forms of it. */
#ifndef BUDDY_SDK_COMPILE_TOSA_FORMS_H
#define BUDDY_SDK_COMPILE_TOSA_FORMS_H

#include "sdk/compile/ir.h"

/* TOSA counts the axes of an image as n, h, w, c, and its matrices have a batch: a program that
 * counts n, c, h, w turns images before each convolution and turns the result back, and gives
 * matrices a batch of 1. Convolutions of images that a tosa.transpose turned become linalg's over
 * n, c, h, w, and products of one matrix linalg's of matrices, between operations that undo those
 * around them, which canonicalization takes away. How an image lies in memory is chosen later
 * (layouts.h). */
buddy_code bd_tosa_forms_undo(MlirOperation root);

#endif
