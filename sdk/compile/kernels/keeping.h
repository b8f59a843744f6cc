// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/keeping.h: which inputs are constants, so that what is made of them may be kept
 * from run to run (sdk/runtime/prepacked.h). What else is as steady as they are: rewrite/constancy.h. */
#ifndef BUDDY_SDK_COMPILE_KEEPING_H
#define BUDDY_SDK_COMPILE_KEEPING_H

#include <stdbool.h>

#include "sdk/compile/kernels/words.h"
#include "sdk/runtime/signature.h"

typedef struct bd_keeping {
  MlirBlock entry;   /* whose arguments are the inputs; null: nothing may be kept */
  char *is_constant; /* one per argument */
  size_t n_arguments;
  bool has_variables;        /* globals of the module that are no constants */
  int64_t n_slots;           /* given out so far */
  const bd_machine *machine; /* that code is for; its words are for constants only */
  int winograd;              /* buddy_compile_options.winograd: of constant filters, too */
  int fusion;                /* buddy_compile_options.fusion: of what follows a kernel */
} bd_keeping;

/* Every parameter, buffer and constant that the program does not write to, neither by its signature
 * nor in its code, is taken for constant if `are_parameters_constant`. */
buddy_code bd_keeping_create(MlirOperation entry, const bd_signature *signature,
                             bool are_parameters_constant, bd_keeping *out_keeping);
void bd_keeping_deinit(bd_keeping *keeping);

/* A slot of its own for each call; -1 when there are no more. */
int64_t bd_keeping_slot(bd_keeping *keeping);

/* The allocation, argument or global that a buffer is a view of. */
MlirValue bd_base_of(MlirValue buffer);
/* True for what makes a view of its first operand, and does no more. */
int bd_op_is_view(MlirOperation op);

#endif
