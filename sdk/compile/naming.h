/* sdk/compile/naming.h: linalg operations on tensors are made ready for fusion and bufferisation. */
#ifndef BUDDY_SDK_COMPILE_NAMING_H
#define BUDDY_SDK_COMPILE_NAMING_H

#include "sdk/compile/ir.h"

/* Turns every linalg.generic that multiplies and adds, as a matrix product does, into linalg.contract. The fusion of
 * elementwise operations leaves those alone; into a generic one it would put whatever computes its operands, to be
 * computed again for each column. */
buddy_code bd_contractions_name(MlirOperation root);

/* Gives every linalg.generic that overwrites its outputs an empty tensor to write to. convert-elementwise-to-linalg
 * takes an operand for that; then all the results of a long chain share one buffer, and the analysis of who reads what
 * grows with the square of its length. */
buddy_code bd_outputs_renew(MlirOperation root);

#endif
