// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/rows.h: one op as a call of a kernel, as data. */
#ifndef LAPACK_ROWS_H
#define LAPACK_ROWS_H

#include "buddy/emit.h"

typedef struct lp_row {
  const char *kernel;
  const char *inputs;  /* the row's arguments that are the kernel's inputs, in its order */
  const char *outputs; /* for each output of the kernel the node's result; '-': not wanted */
  const char *options; /* the row's arguments whose truth is option 0, 1, …; '-': none; or null */
  int64_t changed;     /* options that are the other way round; without an argument: set */
  const char *error;   /* what it means if the kernel returns a positive number; null: nothing */
  uint8_t check_arg;   /* the argument that asks for the error, counted from 1; 0: always */
  uint8_t pivot_arg;   /* the argument that must be true, counted from 1; 0: none */
  uint8_t copied_arg;  /* the last result is this argument, counted from 1; 0: it is not */
} lp_row;

buddy_code lp_match(void *state, const buddy_op *self, buddy_call *call);
buddy_code lp_emit(void *state, const buddy_op *self, buddy_call *call);

#endif
