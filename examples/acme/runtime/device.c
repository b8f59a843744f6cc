// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* device.c: the device's memory and its queue. Every program has an arena of its own, so programs
 * of several threads do not meet. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "acme_rt.h"
#include "kernels.h"

enum { MAX_COMMANDS = 16 };
#define MAX_FLOATS ((int64_t)1 << 30)

typedef struct command {
  int is_attention, causal;
  int64_t batch, m, n, k, w; /* attention: l, s, e */
  float scale;
  acme_buffer a, b, c, out;
} command;

struct acme_program {
  float *memory; /* of the device */
  int64_t size, capacity;
  command commands[MAX_COMMANDS];
  int n;
};

static atomic_llong n_run;

acme_program *acme_program_begin(void) { return calloc(1, sizeof(acme_program)); }

acme_status acme_allocate(acme_program *p, int64_t size, acme_buffer *out_buffer) {
  if (size < 0 || size > MAX_FLOATS - p->size) return ACME_OUT_OF_MEMORY;
  if (p->size + size > p->capacity) {
    const int64_t capacity = 2 * p->capacity + size;
    float *memory = realloc(p->memory, (size_t)capacity * sizeof(float));
    if (!memory) return ACME_OUT_OF_MEMORY;
    p->memory = memory;
    p->capacity = capacity;
  }
  *out_buffer = (acme_buffer){p->size, size};
  p->size += size;
  return ACME_OK;
}

static int is_inside(const acme_program *p, acme_buffer buffer) {
  return buffer.offset >= 0 && buffer.size >= 0 && buffer.offset <= p->size - buffer.size;
}

acme_status acme_upload(acme_program *p, acme_buffer to, const float *from) {
  if (!is_inside(p, to)) return ACME_BAD_PROGRAM;
  if (to.size) memcpy(p->memory + to.offset, from, (size_t)to.size * sizeof(float));
  return ACME_OK;
}

acme_status acme_download(acme_program *p, acme_buffer from, float *to) {
  if (!is_inside(p, from)) return ACME_BAD_PROGRAM;
  if (from.size) memcpy(to, p->memory + from.offset, (size_t)from.size * sizeof(float));
  return ACME_OK;
}

static acme_status add(acme_program *p, command c) {
  if (p->n == MAX_COMMANDS || !is_inside(p, c.a) || !is_inside(p, c.b) || !is_inside(p, c.c) ||
      !is_inside(p, c.out))
    return ACME_BAD_PROGRAM;
  p->commands[p->n++] = c;
  return ACME_OK;
}

acme_status acme_add_linear(acme_program *p, int64_t m, int64_t n, int64_t k, acme_buffer a,
                            acme_buffer b, acme_buffer bias, acme_buffer out) {
  if (a.size != m * k || b.size != n * k || (bias.size && bias.size != n) || out.size != m * n)
    return ACME_BAD_PROGRAM;
  return add(p,
             (command){.batch = 1, .m = m, .n = n, .k = k, .a = a, .b = b, .c = bias, .out = out});
}

acme_status acme_add_attention(acme_program *p, int64_t batch, int64_t l, int64_t s, int64_t e,
                               int64_t w, float scale, int causal, acme_buffer q, acme_buffer k,
                               acme_buffer v, acme_buffer out) {
  if (q.size != batch * l * e || k.size != batch * s * e || v.size != batch * s * w ||
      out.size != batch * l * w)
    return ACME_BAD_PROGRAM;
  return add(p, (command){1, causal, batch, l, s, e, w, scale, q, k, v, out});
}

static void run(const acme_program *p, const command *c) {
  const float *a = p->memory + c->a.offset, *b = p->memory + c->b.offset;
  const float *d = p->memory + c->c.offset;
  float *out = p->memory + c->out.offset;
  if (!c->is_attention) {
    acme_linear(c->m, c->n, c->k, a, b, c->c.size ? d : NULL, out);
    return;
  }
  for (int64_t i = 0; i < c->batch; ++i) {
    acme_attention(c->m, c->n, c->k, c->w, c->scale, c->causal, a + i * c->m * c->k,
                   b + i * c->n * c->k, d + i * c->n * c->w, out + i * c->m * c->w);
  }
}

acme_status acme_program_run(acme_program *p) {
  for (int i = 0; i < p->n; ++i) run(p, &p->commands[i]);
  atomic_fetch_add(&n_run, p->n);
  p->n = 0;
  return ACME_OK;
}

void acme_program_end(acme_program *p) {
  if (p) free(p->memory);
  free(p);
}

int64_t acme_commands_run(void) { return atomic_load(&n_run); }
