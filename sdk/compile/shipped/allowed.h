// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/shipped/allowed.h: whether models of this process take kernels that came with the
 * library, for tests, which compare. */
#ifndef BUDDY_SDK_COMPILE_ALLOWED_H
#define BUDDY_SDK_COMPILE_ALLOWED_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* They do, until somebody says otherwise. [any-thread] */
BUDDY_EXPORT void bd_shipped_allow(bool is_allowed);
BUDDY_EXPORT int bd_shipped_is_allowed(void);
/* How many were taken so far, and then `more` of them. [any-thread] */
BUDDY_EXPORT size_t bd_shipped_count(size_t more);

#ifdef __cplusplus
}
#endif
#endif
