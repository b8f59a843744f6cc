// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/verbs.c: the table of the verbs that live in the module. */
#include "sdk/cli/verb.h"

const bd_verb *const bd_verbs[] = {&bd_verb_run,        &bd_verb_import,
                                   &bd_verb_explain,    &bd_verb_profile,
                                   &bd_verb_bisect,     &bd_verb_reduce,
                                   &bd_verb_ops,        &bd_verb_check,
                                   &bd_verb_completion, &bd_verb_plugin,
                                   &bd_verb_compile,    &bd_verb_cache,
                                   &bd_verb_calibrate,  NULL};
