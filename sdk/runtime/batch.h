// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/batch.h: steps of several sessions as one run. */
#ifndef BUDDY_SDK_RUNTIME_BATCH_H
#define BUDDY_SDK_RUNTIME_BATCH_H

#include <stdbool.h>

#include "buddy/session.h"

/* Takes calls that may be one run, the first of them included, to the front, where those of one session
 * keep their order. Their number; out_is_done: they were run, and their codes are set. */
size_t bd_batch_step(buddy_session_call **calls, size_t n_calls, bool *out_is_done);

#endif
