// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/ranks.h: one program as several processes (ranks): how they are started, and what each does
 * then that a single one does alone. The processes find each other in the dist registry. */
#ifndef BUDDY_SDK_CLI_RANKS_H
#define BUDDY_SDK_CLI_RANKS_H

#include <stdbool.h>

#include "sdk/cli/verb.h"

enum { BD_MAX_RANK_SETTINGS = 3 };
typedef struct bd_rank_flags {
  int wanted;                    /* --ranks; 0: not given */
  int tensor_parallel;           /* ranks that the program is cut for; 0: it is not */
  int rank, size;                /* of this process; size 0: it was started alone */
  bool is_every;                 /* --all-ranks */
  const char *transport, *limit; /* null: not given */
  char *groups;                  /* "1=0,1;2=2,3"; null: none */
  char *settings[BD_MAX_RANK_SETTINGS];
  size_t n_settings; /* for buddy_model_options */
} bd_rank_flags;

/* An argp whose input is a bd_rank_flags, for use as a child. */
extern const struct argp bd_rank_argp;
/* After argp_parse: finds out which rank this process is. Where --ranks wants some and none are
 * there, mpiexec is run with these words, and the process exits as it does: argv[0] is "buddy VERB". */
buddy_code bd_ranks_settle(bd_rank_flags *flags, int argc, char **argv, buddy_diags *diags);
void bd_ranks_free(bd_rank_flags *flags);
/* True for the one that speaks for all. */
int bd_ranks_speaks(const bd_rank_flags *flags);
/* True if what all would write to the path is this one's to write: it has %r, or there is one. */
int bd_ranks_writes(const bd_rank_flags *flags, const char *path);
/* The path with the rank in place of each %r, if there are ranks; the caller frees it. */
char *bd_ranks_path(const bd_rank_flags *flags, const char *path);

#endif
