// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/inplace.h: elementwise operations write where they have read. */
#ifndef BUDDY_SDK_COMPILE_INPLACE_H
#define BUDDY_SDK_COMPILE_INPLACE_H

#include "sdk/compile/ir.h"

/* An elementwise linalg.generic that is the last to use a buffer, each place of which it reads for
 * the same place of its result, writes its result there: memory is gone through once less. */
buddy_code bd_results_reuse(MlirOperation root);

#endif
