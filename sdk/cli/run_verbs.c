// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/run_verbs.c: the table of the verbs that need no compiler, or not yet: `buddy run` of a
 * model whose code is in the cache starts without LLVM and MLIR. */
#include "sdk/cli/verb.h"

const bd_verb *const bd_verbs[] = {&bd_verb_run, &bd_verb_cache, NULL};
