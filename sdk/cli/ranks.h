// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/ranks.h: one program as several processes (ranks): how they are started, and what each does
 * then that a single one does alone. The processes find each other in the dist registry. */
#ifndef BUDDY_SDK_CLI_RANKS_H
#define BUDDY_SDK_CLI_RANKS_H

#include <stdbool.h>

#include "sdk/cli/options.h"

/* After argp_parse: finds out which rank this process is. Where --ranks wants some and none are
 * there, mpiexec is run with these words, and the process exits as it does: argv[0] is "buddy VERB". */
buddy_code bd_ranks_settle(bd_model_flags *model, int argc, char **argv, buddy_diags *diags);
/* True for the one that speaks for all. */
int bd_ranks_speaks(const bd_rank_flags *flags);
/* Puts the rank in place of each %r of a path, if there are ranks. The flags keep the new one. */
buddy_code bd_ranks_name(bd_rank_flags *flags, const char **path);
/* Of what this rank writes: null where it is another's to write. */
buddy_code bd_ranks_name_output(bd_rank_flags *flags, const char **path);

#endif
