// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/pipe.h: the output of what can only write files, in memory.
 *
 * LLVM ends the process when a file that it writes does not fit on the disk. A pipe has no size: a
 * thread takes what comes out of it into memory. */
#ifndef BUDDY_SDK_COMPILE_PIPE_H
#define BUDDY_SDK_COMPILE_PIPE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/bytes.h"

typedef struct bd_pipe {
  char path[32]; /* to write to; "": the pipe is closed */
  int in, out;
  pthread_t thread;
  atomic_bool is_ending;
  bd_bytes bytes; /* all that was written, from bd_pipe_end on */
} bd_pipe;

/* It must not move until it is closed. */
buddy_code bd_pipe_open(bd_pipe *pipe, buddy_diags *diags);
/* Nothing more is written. */
buddy_code bd_pipe_end(bd_pipe *pipe);
/* Also where it could not be opened. */
void bd_pipe_close(bd_pipe *pipe);

#endif
