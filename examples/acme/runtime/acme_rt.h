// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* acme_rt.h: Acme's runtime, version 1: memory of the device, and programs that it runs.
 *
 * The device is simulated: its memory is an arena that the host cannot address but through
 * acme_upload and acme_download, and it knows two commands. All functions are thread-safe; a
 * program is one thread's. Sizes are in floats. */
#ifndef ACME_RT_H
#define ACME_RT_H

#include <stdint.h>

#if defined(__GNUC__)
#define ACME_API __attribute__((visibility("default")))
#else
#define ACME_API
#endif

typedef enum acme_status { ACME_OK, ACME_OUT_OF_MEMORY, ACME_BAD_PROGRAM } acme_status;
typedef struct acme_program acme_program;
typedef struct acme_buffer {
  int64_t offset, size;
} acme_buffer;

/* A program with device memory of its own; null if the device has none left. */
ACME_API acme_program *acme_program_begin(void);
ACME_API acme_status acme_allocate(acme_program *program, int64_t size, acme_buffer *out_buffer);
ACME_API acme_status acme_upload(acme_program *program, acme_buffer to, const float *from);
ACME_API acme_status acme_download(acme_program *program, acme_buffer from, float *to);

/* out[m,n] = a[m,k] b[n,k]^T + bias[n]; bias of size 0: none. */
ACME_API acme_status acme_add_linear(acme_program *program, int64_t m, int64_t n, int64_t k,
                                     acme_buffer a, acme_buffer b, acme_buffer bias,
                                     acme_buffer out);
/* out[l,w] = softmax(scale q[l,e] k[s,e]^T) v[s,w], `batch` times; causal: row i sees the columns
 * up to i. */
ACME_API acme_status acme_add_attention(acme_program *program, int64_t batch, int64_t l, int64_t s,
                                        int64_t e, int64_t w, float scale, int causal,
                                        acme_buffer q, acme_buffer k, acme_buffer v,
                                        acme_buffer out);
/* Runs the commands in order; downloads may follow. */
ACME_API acme_status acme_program_run(acme_program *program);
ACME_API void acme_program_end(acme_program *program);
/* Commands that the device has run since it was started. */
ACME_API int64_t acme_commands_run(void);

#endif
