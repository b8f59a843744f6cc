// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/choice.h: tells who asks (buddy_compile_options.choice) how a product or a
 * convolution is computed, and why not faster. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_CHOICE_H
#define BUDDY_SDK_COMPILE_KERNELS_CHOICE_H

#include <stdbool.h>

#include "sdk/compile/kernels/kernels.h"
#include "sdk/runtime/program.h"

typedef struct bd_choice {
  const char *kernel; /* null: plain loops */
  const char *why;
  bool is_slow; /* for this reason a faster way was not taken */
} bd_choice;

/* From now on. options: null: to nobody; must outlive the kernels. */
void bd_choices_tell(bd_kernels *kernels, const buddy_compile_options *options);
/* op: as it was, before a call takes its place. Returns BUDDY_OK. */
buddy_code bd_choice_tell(bd_kernels *kernels, MlirOperation op, bd_choice choice);

/* Of those that were told. */
bd_plain bd_choices_plain(const bd_kernels *kernels);

#endif
