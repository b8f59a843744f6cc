// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/prepacking.h: which inputs are constants, so that what is made of them may be prepacked, and kept
 * from run to run (sdk/runtime/prepacked.h). What else is as steady as they are: rewrite/constancy.h. */
#ifndef BUDDY_SDK_COMPILE_PREPACKING_H
#define BUDDY_SDK_COMPILE_PREPACKING_H

#include <stdbool.h>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "sdk/compile/kernels/tile/dot_packing.h"
#include "sdk/runtime/signature.h"

/* What is kept of steady values, by what is made of which of them. */
typedef struct bd_kept {
  UT_hash_handle hh;
  int64_t slot;         /* of calls of a kernel; -1: none yet */
  MlirValue buffer;     /* of what is computed once; null: none yet */
  MlirOperation filled; /* after which the buffer may be read */
} bd_kept;

typedef struct bd_prepacking {
  MlirBlock entry;   /* whose arguments are the inputs; null: nothing may be kept */
  char *is_constant; /* one per argument */
  size_t n_arguments;
  int64_t constant_bytes; /* of them all; those of unknown size are not counted */
  bool has_variables;     /* globals of the module that are no constants */
  int64_t n_slots;        /* given out so far */
  bd_kept *by_key;
  const bd_machine *machine; /* that code is for; its words are for constants only */
  int winograd;              /* buddy_compile_options.winograd: of constant filters, too */
  int fusion;                /* buddy_compile_options.fusion: of what follows a kernel */
} bd_prepacking;

/* Every parameter, buffer and constant that the program does not write to, neither by its signature
 * nor in its code, is taken for constant if `are_parameters_constant`. */
buddy_code bd_prepacking_create(MlirOperation entry, const bd_signature *signature,
                                bool are_parameters_constant, bd_prepacking *out_prepacking);
void bd_prepacking_deinit(bd_prepacking *prepacking);

/* A slot of its own; BD_PREPACKED_NO_SLOT when there are no more. */
int64_t bd_prepacking_slot(bd_prepacking *prepacking);
/* What is kept under the key; null: there is no memory. */
bd_kept *bd_prepacking_kept(bd_prepacking *prepacking, const bd_text *key);
/* The slot of a call of `kernel`, which keeps what it makes of those of its operands that are steady: that of an
 * earlier call of it with the same ones, so that weights that layers share are packed once; else one of its own. */
int64_t bd_prepacking_slot_of(bd_prepacking *prepacking, const char *kernel,
                              const MlirValue *operands, size_t n);

#endif
