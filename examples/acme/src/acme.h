// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* acme.h: what the files of Acme's registry share. */
#ifndef ACME_H
#define ACME_H

#include <buddy/kit.h>

/* rows.c */
buddy_code acme_match(void *state, const buddy_op *self, buddy_call *call);
buddy_code acme_emit_linear(void *state, const buddy_op *self, buddy_call *call);
buddy_code acme_match_attention(void *state, const buddy_op *self, buddy_call *call);
buddy_code acme_emit_attention(void *state, const buddy_op *self, buddy_call *call);
buddy_code acme_expand_sdpa(void *state, const buddy_op *self, buddy_call *call);
/* The node acme.attention, before the one at hand. */
const buddy_value *acme_attention(buddy_call *call, const buddy_value *q, const buddy_value *k,
                                  const buddy_value *v, double scale, int causal);

/* fusion.c */
extern const buddy_transforms acme_transforms;

/* offload.c: functions that compiled code calls. */
extern const buddy_runtime acme_runtime;

#endif
