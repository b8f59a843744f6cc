// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/integer.h: quantized programs in integers. */
#ifndef BUDDY_PLUGINS_COMPOSITE_INTEGER_H
#define BUDDY_PLUGINS_COMPOSITE_INTEGER_H

#include "buddy/extensions.h"

/* The convolution of bytes, summed up in 32 bits, on top of a bias of 32 bits: ATen has none. */
#define CP_INT_CONVOLUTION "buddy.int_convolution.default"
#define CP_INT_CONVOLUTION_SCHEMA                                                              \
  "buddy::int_convolution(Tensor input, Tensor weight, Tensor? bias=None, SymInt[] stride=1, " \
  "SymInt[] padding=0, SymInt[] dilation=1, SymInt groups=1) -> Tensor"

extern const buddy_transforms cp_transforms;

#endif
