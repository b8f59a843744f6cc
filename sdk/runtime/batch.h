// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/batch.h: steps of several sessions as one run. */
#ifndef BUDDY_SDK_RUNTIME_BATCH_H
#define BUDDY_SDK_RUNTIME_BATCH_H

#include "sdk/runtime/session.h"

/* Whether the model works on the rows of its inputs one by one, which was proved when it was compiled,
 * and all that it writes to is state of the session, in inputs. Sets least_rows, most_rows and
 * is_repeatable of the route; where only the proof is missing, a note says why. */
void bd_batch_find(bd_route *route, buddy_diags *diags);
/* Takes calls that may be one run, the first of them included, to the front, where those of one session
 * keep their order. Their number; out_is_done: they were run, and their codes are set. */
size_t bd_batch_step(buddy_session_call **calls, size_t n_calls, bool *out_is_done);

#endif
