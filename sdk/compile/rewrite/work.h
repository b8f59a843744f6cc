// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/work.h: how much arithmetic an operation does. Its location keeps that, as metadata:
 * whatever takes the operation's place (a kernel's call, a loop of several) has its location. */
#ifndef BUDDY_SDK_COMPILE_WORK_H
#define BUDDY_SDK_COMPILE_WORK_H

#include "sdk/compile/ir.h"

/* Of every linalg operation on buffers of known sizes. */
buddy_code bd_work_mark(MlirOperation root);
/* Operations on floats, all parts of the location together: a multiplication and an addition are two, a
 * function is one. 0: not known. */
uint64_t bd_work_read(MlirLocation location);

#endif
