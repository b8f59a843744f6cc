/* sdk/compile/ahead/staged.h: a file that appears under its name only when it is whole. */
#ifndef BUDDY_SDK_COMPILE_STAGED_H
#define BUDDY_SDK_COMPILE_STAGED_H

#include <stdio.h>

#include "buddy/base.h"

typedef struct bd_staged {
  char *path, *temporary; /* owned */
  FILE *file;             /* null: somebody else writes the temporary file, by its name */
} bd_staged;

/* A new file beside `path`. */
buddy_code bd_staged_open(const char *path, buddy_diags *diags, bd_staged *out_staged);
buddy_writer bd_staged_writer(bd_staged *staged);
/* Closes the file, so that it can be read or written by its name. */
buddy_code bd_staged_close(bd_staged *staged, buddy_diags *diags);
/* Puts it in place. */
buddy_code bd_staged_commit(bd_staged *staged, buddy_diags *diags);
/* Removes what was not put in place, and frees. A zeroed one is allowed. */
void bd_staged_deinit(bd_staged *staged);

#endif
