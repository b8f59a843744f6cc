// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/allocations.h: sizes that only the run knows, checked before memory of these
 * sizes is asked for. */
#ifndef BUDDY_SDK_COMPILE_ALLOCATIONS_H
#define BUDDY_SDK_COMPILE_ALLOCATIONS_H

#include "sdk/compile/ir.h"

/* Before every allocation of unknown size: its sizes are not negative, and it is of a number of
 * bytes that memory can have. The check is a cf.assert with the allocation's place in the model. */
buddy_code bd_allocations_check(MlirOperation root);
/* Divisions of indices by what may be 0 divide by 1 then: of an empty dim there is no element for
 * which the outcome matters, but processors end the process. */
buddy_code bd_divisions_check(MlirOperation root);

#endif
