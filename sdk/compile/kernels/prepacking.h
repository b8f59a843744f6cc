// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/prepacking.h: which inputs are constants, so that what is made of them may be prepacked, and kept
 * from run to run (sdk/runtime/prepacked.h). What else is as steady as they are: rewrite/constancy.h. */
#ifndef BUDDY_SDK_COMPILE_PREPACKING_H
#define BUDDY_SDK_COMPILE_PREPACKING_H

#include <stdbool.h>

#include "sdk/compile/kernels/dot_packing.h"
#include "sdk/runtime/signature.h"

typedef struct bd_prepacking {
  MlirBlock entry;   /* whose arguments are the inputs; null: nothing may be kept */
  char *is_constant; /* one per argument */
  size_t n_arguments;
  bool has_variables;        /* globals of the module that are no constants */
  int64_t n_slots;           /* given out so far */
  const bd_machine *machine; /* that code is for; its words are for constants only */
  int winograd;              /* buddy_compile_options.winograd: of constant filters, too */
  int fusion;                /* buddy_compile_options.fusion: of what follows a kernel */
} bd_prepacking;

/* Every parameter, buffer and constant that the program does not write to, neither by its signature
 * nor in its code, is taken for constant if `are_parameters_constant`. */
buddy_code bd_prepacking_create(MlirOperation entry, const bd_signature *signature,
                                bool are_parameters_constant, bd_prepacking *out_prepacking);
void bd_prepacking_deinit(bd_prepacking *prepacking);

/* A slot of its own for each call; -1 when there are no more. */
int64_t bd_prepacking_slot(bd_prepacking *prepacking);

#endif
