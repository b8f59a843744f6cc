// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/element.h: the elements of a tensor, one by one, as numbers. */
#ifndef BUDDY_SDK_CLI_ELEMENT_H
#define BUDDY_SDK_CLI_ELEMENT_H

#include <stdbool.h>

#include "buddy/tensor.h"

/* Where element i is, counted with the last dim fastest. */
const char *bd_element_at(const buddy_tensor *tensor, int64_t i);
/* Element i; of complex ones the real part, or the imaginary one. */
double bd_element(const buddy_tensor *tensor, int64_t i, bool is_imaginary);

#endif
