// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/stream.h: a model that generates, served with model_transaction_policy { decoupled:
 * true }: a request brings the ids of a prompt's tokens, and each token that follows is an answer of its
 * own, sent when it is there.
 *
 * The archive has two programs, prefill and decode, which take token ids and their positions, give the
 * logits of each, and keep their caches (examples/generate/export.py writes such). Each request is a
 * session. One thread steps all of them together, as one run where the programs are proved to allow that
 * (buddy_session_step_all); a request joins between two steps. */
#ifndef BUDDY_SDK_SERVE_TRITON_STREAM_H
#define BUDDY_SDK_SERVE_TRITON_STREAM_H

#include "sdk/serve/triton/ports.h"
#include "sdk/serve/triton/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_stream bd_stream;

/* Loads both programs, and starts the thread. name: for messages, lent. */
buddy_code bd_stream_create(const char *path, const char *name, const bd_settings *settings,
                            buddy_diags *diags, bd_stream **out_stream);
/* Waits for the thread; requests that are not at their end are answered with an error. */
void bd_stream_destroy(bd_stream *stream);

/* What requests bring, and what an answer has: input_ids, and, if they like, max_tokens, stop_ids,
 * temperature, top_k, top_p and seed; token. ports are to be freed in any case. */
buddy_code bd_stream_ports_init(bd_served_ports *out_ports);

/* Takes the requests over, and releases them: what is wrong with one is its answer. ports: with the
 * configuration's names. [any-thread] */
void bd_stream_take(bd_stream *stream, const bd_served_ports *ports,
                    TRITONBACKEND_ModelInstance *instance, TRITONBACKEND_Request **requests,
                    uint32_t n_requests);

/* Of a run. */
int bd_stream_threads(const bd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
