// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/explain_kernels.h: `buddy explain --kernels`: how products and convolutions are computed. */
#ifndef BUDDY_SDK_CLI_EXPLAIN_KERNELS_H
#define BUDDY_SDK_CLI_EXPLAIN_KERNELS_H

#include <jansson.h>

#include "sdk/cli/session.h"

/* Compiles the archive. out_kernels: an array of {op, nodes, module, where, kernel, why, slow}. */
buddy_code bd_kernels_find(const bd_session *session, const bd_model_flags *flags,
                           json_t **out_kernels);
/* As a table, and the sum. */
void bd_kernels_print(const json_t *kernels);

#endif
