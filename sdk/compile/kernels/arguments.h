// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/arguments.h: what a kernel passes to functions that serve many shapes.
 *
 * Buffers travel as bare pointers, and the numbers by which the function finds its way in them as
 * indices: the names are those that the function knows them by. */
#ifndef BUDDY_SDK_COMPILE_ARGUMENTS_H
#define BUDDY_SDK_COMPILE_ARGUMENTS_H

#include <stdbool.h>

#include "sdk/compile/extents.h"
#include "sdk/compile/kernels/panels/panels.h"

enum { BD_MAX_ARGUMENTS = 40 + 5 * BD_MAX_EXTRAS };

typedef enum bd_argument_kind {
  BD_ARGUMENT_BUFFER,
  BD_ARGUMENT_INDEX,
  BD_ARGUMENT_FLAG
} bd_argument_kind;

/* One argument: a value of the kernel that calls, or a number. */
typedef struct bd_argument {
  bd_argument_kind kind;
  char name[40];  /* in the function */
  char value[40]; /* in the kernel; "": a number */
  long long number;
} bd_argument;

typedef struct bd_arguments {
  const bd_extents *extents; /* what numbers may be made of; null: they are known */
  bd_argument items[BD_MAX_ARGUMENTS];
  int n;
} bd_arguments;

/* Adds those of a list, with blanks between: "NAME", an index, "*NAME", a buffer, "?NAME", a flag; "NAME=WHAT" where that is
 * a number, or a value that has another name in the kernel. */
void bd_arguments_add(bd_arguments *all, const char *format, ...) BUDDY_PRINTF(2, 3);

/* %NAME = %FROM, an index that LLVM then does not know. */
void bd_write_veiled(bd_text *text, const char *name, const char *from);

/* The function's head, from its parameters to the constants %c0 and %c1; element: of all buffers; attributes: ", …" or "". */
void bd_arguments_write_head(bd_text *text, const bd_arguments *all, const char *element,
                             const char *attributes);
/* The call of the function of that text, which is added to the kernels, and the constants that the call
 * needs, whose names `tag` leads. function: goes away. */
void bd_arguments_write_call(bd_text *text, const bd_arguments *all, bd_text *function,
                             const char *hint, const char *tag, struct bd_kernels *kernels);

#endif
