// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/config.h: a model's configuration, config.pbtxt, which the server hands on as JSON:
 * what it lacks is made of the archive's ports, what it has is compared with them. */
#ifndef BUDDY_SDK_SERVE_TRITON_CONFIG_H
#define BUDDY_SDK_SERVE_TRITON_CONFIG_H

#include <jansson.h>

#include "sdk/serve/triton/ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the largest batch, inputs, outputs and dynamic batching where the configuration has none: the
 * batch only if neither inputs nor outputs are given, since a missing one reads as 0, no batch.
 * usual_batch: the largest batch of models whose archive has no bound, at least that of the server's
 * command line. *out_is_changed: whether anything was added. */
buddy_code bd_config_complete(json_t *config, const bd_served_ports *ports, int64_t usual_batch,
                              bool *out_is_changed);

/* Compares the whole configuration with the ports, and reports all that contradicts. The ports get the
 * names of the configuration. *out_max_batch: 0: requests come with every size of the model. */
buddy_code bd_triton_config_apply(const json_t *config, bd_served_ports *ports, buddy_diags *diags,
                                  int64_t *out_max_batch);

/* Whether a request may have any number of answers. */
bool bd_config_is_decoupled(const json_t *config);

/* A number as the server writes it, which for some is a text; fallback: for what is none. */
int64_t bd_config_number(const json_t *json, int64_t fallback);

#ifdef __cplusplus
}
#endif
#endif
