// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/try.h: a call that may fail. */
#ifndef BUDDY_CORE_BASE_TRY_H
#define BUDDY_CORE_BASE_TRY_H

#include "buddy/base.h"

/* Leaves the function with the call's code unless that is BUDDY_OK. */
#define BD_TRY(expression)                       \
  do {                                           \
    const buddy_code code_of_try = (expression); \
    if (code_of_try) return code_of_try;         \
  } while (0)

#endif
