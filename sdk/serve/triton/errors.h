// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/errors.h: what buddy says, in the server's words: errors and lines of its log. */
#ifndef BUDDY_SDK_SERVE_TRITON_ERRORS_H
#define BUDDY_SDK_SERVE_TRITON_ERRORS_H

#include "buddy/base.h"
#include "sdk/serve/triton/triton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The errors among the diagnostics as one, "where: what; todo", joined by "; also: ". about: what the
 * text begins with, may be "". Null for BUDDY_OK. */
TRITONSERVER_Error *bd_triton_error(buddy_code code, const char *about, const buddy_diags *diags);
/* One of a single sentence. */
TRITONSERVER_Error *bd_triton_error_new(TRITONSERVER_Error_Code code, const char *format, ...)
    BUDDY_PRINTF(2, 3);

/* A line of the server's log. */
void bd_triton_log(TRITONSERVER_LogLevel level, const char *format, ...) BUDDY_PRINTF(2, 3);
/* Logs an error that nobody can be given, and deletes it. Null is allowed. */
void bd_triton_error_drop(TRITONSERVER_Error *error);

#ifdef __cplusplus
}
#endif
#endif
