// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/assertion.h: checks that compiled code makes while it runs. */
#ifndef BUDDY_SDK_COMPILE_ASSERTION_H
#define BUDDY_SDK_COMPILE_ASSERTION_H

#include "sdk/compile/kernels/kernels.h"
#include "sdk/runtime/program.h"

/* Replaces every cf.assert, which would abort the process, by a call that ends the run with a
 * message. */
buddy_code bd_assertions_replace(MlirOperation root, bd_kernels *kernels,
                                 bd_assertions *assertions);
void bd_assertions_deinit(bd_assertions *assertions);

#endif
