// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/outputs.h: what linalg operations on tensors write to. */
#ifndef BUDDY_SDK_COMPILE_OUTPUTS_H
#define BUDDY_SDK_COMPILE_OUTPUTS_H

#include "sdk/compile/ir.h"

/* Gives every linalg.generic that overwrites its outputs an empty tensor to write to.
 * convert-elementwise-to-linalg takes an operand for that; then all the results of a long chain
 * share one buffer, and the analysis of who reads what grows with the square of its length. */
buddy_code bd_outputs_renew(MlirOperation root);

#endif
