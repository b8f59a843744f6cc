// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/weights.c: the weights of programs, one after the other, each at a multiple of 64;
 * those with gaps or another order of axes become dense. */
#include "sdk/compile/ahead/weights.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/strided.h"

#define ALIGNMENT 64u

static uint64_t n_bytes_of(const buddy_port *port) {
  uint64_t n = buddy_dtype_size(port->dtype);
  for (uint32_t d = 0; d < port->rank; ++d) n *= (uint64_t)port->dims[d];
  return n;
}

static const char *first_of(const buddy_port *port, const buddy_data *data) {
  return (const char *)data->bytes + data->offset * (int64_t)buddy_dtype_size(port->dtype);
}

static bool are_equal(const char *a, const char *b, size_t n) {
  return a == b || memcmp(a, b, n) == 0;
}

/* torch.export writes what two programs share twice; a file's blocks are read as elements of several types. */
static bool is_same(const bd_weights *w, size_t a, size_t b) {
  const buddy_port *x = w->ports[a], *y = w->ports[b];
  const buddy_data *p = &w->data[a], *q = &w->data[b];
  const size_t n = x->rank * sizeof(int64_t), n_bytes = (size_t)n_bytes_of(x);
  if (n_bytes != n_bytes_of(y)) return false;
  if (!p->strides && !q->strides)
    return n_bytes == 0 || are_equal(first_of(x, p), first_of(y, q), n_bytes);
  return p->strides && q->strides && x->dtype == y->dtype && x->rank == y->rank &&
         p->bytes == q->bytes && p->offset == q->offset &&
         (n == 0 || (memcmp(x->dims, y->dims, n) == 0 && memcmp(p->strides, q->strides, n) == 0));
}

/* The earlier input whose bytes those of input i are; i if there is none. */
static size_t find_twin(const bd_weights *w, size_t i) {
  for (size_t k = 0; k < i; ++k) {
    if (w->items[k].at >= 0 && is_same(w, k, i)) return k;
  }
  return i;
}

/* The inputs of one program are those from `first` on. */
static buddy_code lay_out(bd_weights *w, const bd_weighted *of, size_t first, buddy_diags *diags) {
  uint64_t end = w->n_bytes;
  for (size_t i = first; i < first + of->program->signature->n_inputs; ++i) {
    const buddy_port *port = w->ports[i] = buddy_program_input(of->program, i - first);
    w->items[i].at = -1;
    if (port->kind == BUDDY_INPUT_USER) continue;
    const buddy_data *data = of->source.find(of->source.user, port, i - first);
    if (!data || (!data->bytes && data->n_bytes > 0)) {
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, port->target, NULL,
                             "the archive has no bytes for this input");
    }
    w->data[i] = *data;
    const size_t twin = find_twin(w, i);
    if (twin < i) {
      w->items[i] = w->items[twin];
      continue;
    }
    w->items[i] = (bd_weight){.at = (int64_t)end, .n_bytes = n_bytes_of(port)};
    end += (w->items[i].n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  w->n_bytes = end;
  return BUDDY_OK;
}

/* ---- Bytes ---- */

static buddy_code write_padding(uint64_t n, const buddy_writer *writer) {
  static const char zeros[ALIGNMENT] = {0};
  return n == 0 ? BUDDY_OK : writer->write(writer->user, zeros, (size_t)n);
}

static buddy_code write_one(const bd_weights *w, size_t i, const buddy_writer *writer) {
  const buddy_port *port = w->ports[i];
  const size_t n_bytes = (size_t)w->items[i].n_bytes;
  int64_t *shape = bd_calloc(2 * (size_t)port->rank + 1, sizeof(int64_t));
  if (!shape) return BUDDY_OUT_OF_MEMORY;
  buddy_tensor view = {.dtype = port->dtype, .rank = port->rank, .sizes = shape};
  view.strides = shape + port->rank;
  int64_t stride = 1;
  for (uint32_t d = port->rank; d-- > 0;) {
    view.sizes[d] = port->dims[d];
    view.strides[d] = w->data[i].strides ? w->data[i].strides[d] : stride;
    stride *= port->dims[d];
  }
  memcpy(&view.bytes, &w->data[i].bytes, sizeof(view.bytes)); /* read only */
  if (view.bytes)
    view.bytes = (char *)view.bytes + w->data[i].offset * (int64_t)buddy_dtype_size(port->dtype);
  buddy_code code = BUDDY_OK;
  if (n_bytes == 0 || buddy_tensor_is_contiguous(&view)) {
    if (n_bytes > 0) code = writer->write(writer->user, view.bytes, n_bytes);
  } else {
    char *dense = bd_malloc(n_bytes);
    code = !dense ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
    if (code == BUDDY_OK) bd_strided_pack(&view, dense);
    if (code == BUDDY_OK) code = writer->write(writer->user, dense, n_bytes);
    free(dense);
  }
  free(shape);
  return code == BUDDY_OK ? write_padding((ALIGNMENT - n_bytes % ALIGNMENT) % ALIGNMENT, writer)
                          : code;
}

buddy_code bd_weights_write(const bd_weights *weights, const buddy_writer *writer) {
  int64_t end = (int64_t)weights->start;
  for (size_t i = 0; i < weights->n; ++i) {
    if (weights->items[i].at < end) continue; /* none, or written for an earlier input */
    end = weights->items[i].at + (int64_t)weights->items[i].n_bytes;
    BD_TRY(write_one(weights, i, writer));
  }
  return BUDDY_OK;
}

void bd_weights_header(const bd_weights *weights, char *out_header) {
  memset(out_header, 0, BD_WEIGHTS_HEADER);
  memcpy(out_header, BD_WEIGHTS_MAGIC, sizeof(BD_WEIGHTS_MAGIC) - 1);
  memcpy(out_header + 16, &weights->n_bytes, sizeof(weights->n_bytes));
  memcpy(out_header + 24, &weights->crc, sizeof(weights->crc));
  out_header[28] = 1;
  memcpy(out_header + 32, weights->identity, BD_IDENTITY_SIZE);
}

/* What is hashed and summed up is what will be written. */
typedef struct sums {
  crypto_generichash_state hash;
  uLong crc;
} sums;

static buddy_code sum_bytes(void *user, const char *data, size_t size) {
  sums *s = user;
  crypto_generichash_update(&s->hash, (const unsigned char *)data, size);
  s->crc = crc32_z(s->crc, (const Bytef *)data, size);
  return BUDDY_OK;
}

/* BLAKE2b of where the weights are and what they are. */
static buddy_code identify(bd_weights *w) {
  sums s = {.crc = crc32_z(0, NULL, 0)};
  if (sodium_init() < 0) return BUDDY_INTERNAL;
  crypto_generichash_init(&s.hash, NULL, 0, BD_IDENTITY_SIZE);
  for (size_t i = 0; i < w->n; ++i) {
    const uint64_t place[] = {(uint64_t)w->items[i].at, w->items[i].n_bytes};
    crypto_generichash_update(&s.hash, (const unsigned char *)place, sizeof(place));
  }
  const buddy_writer writer = {sum_bytes, &s};
  const buddy_code code = bd_weights_write(w, &writer);
  crypto_generichash_final(&s.hash, w->identity, BD_IDENTITY_SIZE);
  w->crc = (uint32_t)s.crc;
  return code;
}

buddy_code bd_weights_init(const bd_weighted *programs, size_t n_programs, size_t start,
                           buddy_diags *diags, bd_weights *out_weights) {
  size_t first = 0;
  *out_weights = (bd_weights){.start = start, .n_bytes = start};
  for (size_t p = 0; p < n_programs; ++p)
    out_weights->n += programs[p].program->signature->n_inputs;
  out_weights->items = bd_calloc(out_weights->n + 1, sizeof(bd_weight));
  out_weights->data = bd_calloc(out_weights->n + 1, sizeof(buddy_data));
  out_weights->ports = bd_calloc(out_weights->n + 1, sizeof(buddy_port *));
  buddy_code code = !out_weights->items || !out_weights->data || !out_weights->ports
                        ? BUDDY_OUT_OF_MEMORY
                        : BUDDY_OK;
  for (size_t p = 0; p < n_programs && code == BUDDY_OK; ++p) {
    code = lay_out(out_weights, &programs[p], first, diags);
    first += programs[p].program->signature->n_inputs;
  }
  if (code == BUDDY_OK) code = identify(out_weights);
  if (code != BUDDY_OK) bd_weights_deinit(out_weights);
  return code;
}

void bd_weights_deinit(bd_weights *weights) {
  free(weights->items);
  free(weights->data);
  free(weights->ports);
  *weights = (bd_weights){.n = 0};
}
