// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* oneDNN, versions 2 and 3, in the ways a caller can use it:
 *   sgemm    the BLAS-like call
 *   plain    a primitive on the caller's own layouts, nothing is repacked
 *   repack   the layouts that the library prefers, every tensor repacked in every run
 *   packed   the same, the weights packed once beforehand
 *   blocked  the same, activations in the library's layout too (what a whole network could do) */
#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_version.h>
#include <stdlib.h>

#include "contender.h"

typedef enum { SGEMM, PLAIN, REPACK, PACKED, BLOCKED } mode;

#if DNNL_VERSION_MAJOR >= 3
typedef const_dnnl_memory_desc_t desc_ref;
typedef dnnl_memory_desc_t desc;
static desc_ref ref(const desc *d) { return *d; }
static dnnl_status_t with_strides(desc *d, int n, const dnnl_dims_t dims,
                                  const dnnl_dims_t strides) {
  return dnnl_memory_desc_create_with_strides(d, n, dims, dnnl_f32, strides);
}
static dnnl_status_t with_any(desc *d, int n, const dnnl_dims_t dims) {
  return dnnl_memory_desc_create_with_tag(d, n, dims, dnnl_f32, dnnl_format_tag_any);
}
static void drop_desc(desc *d) { (void)dnnl_memory_desc_destroy(*d); }
static dnnl_status_t product(dnnl_primitive_desc_t *out, dnnl_engine_t engine, const desc d[3]) {
  return dnnl_matmul_primitive_desc_create(out, engine, d[0], d[1], NULL, d[2], NULL);
}
static dnnl_status_t convolution(dnnl_primitive_desc_t *out, dnnl_engine_t engine, const desc d[3],
                                 const dnnl_dims_t strides, const dnnl_dims_t padding) {
  const dnnl_dims_t dilation = {0, 0};
  return dnnl_convolution_forward_primitive_desc_create(
      out, engine, dnnl_forward_inference, dnnl_convolution_direct, d[0], d[1], NULL, d[2], strides,
      dilation, padding, padding, NULL);
}
#else
typedef const dnnl_memory_desc_t *desc_ref;
typedef dnnl_memory_desc_t desc;
static desc_ref ref(const desc *d) { return d; }
static dnnl_status_t with_strides(desc *d, int n, const dnnl_dims_t dims,
                                  const dnnl_dims_t strides) {
  return dnnl_memory_desc_init_by_strides(d, n, dims, dnnl_f32, strides);
}
static dnnl_status_t with_any(desc *d, int n, const dnnl_dims_t dims) {
  return dnnl_memory_desc_init_by_tag(d, n, dims, dnnl_f32, dnnl_format_tag_any);
}
static void drop_desc(desc *d) { (void)d; }
static dnnl_status_t product(dnnl_primitive_desc_t *out, dnnl_engine_t engine, const desc d[3]) {
  dnnl_matmul_desc_t op;
  const dnnl_status_t status = dnnl_matmul_desc_init(&op, &d[0], &d[1], NULL, &d[2]);
  return status != dnnl_success ? status : dnnl_primitive_desc_create(out, &op, NULL, engine, NULL);
}
static dnnl_status_t convolution(dnnl_primitive_desc_t *out, dnnl_engine_t engine, const desc d[3],
                                 const dnnl_dims_t strides, const dnnl_dims_t padding) {
  dnnl_convolution_desc_t op;
  const dnnl_status_t status =
      dnnl_convolution_forward_desc_init(&op, dnnl_forward_inference, dnnl_convolution_direct,
                                         &d[0], &d[1], NULL, &d[2], strides, padding, padding);
  return status != dnnl_success ? status : dnnl_primitive_desc_create(out, &op, NULL, engine, NULL);
}
#endif

/* One tensor: the caller's memory, the primitive's memory (the same where the layouts agree) and
 * the reorder between. */
typedef struct operand {
  dnnl_memory_t outside, inside;
  dnnl_primitive_t reorder;
  bool every_run;
} operand;

typedef struct state {
  const bench_case *bench;
  float *data[3];
  mode how;
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  dnnl_primitive_t primitive;
  operand operands[3];
} state;

static void reorder(const state *s, int i) {
  const operand *o = &s->operands[i];
  const dnnl_exec_arg_t args[2] = {{DNNL_ARG_FROM, i < 2 ? o->outside : o->inside},
                                   {DNNL_ARG_TO, i < 2 ? o->inside : o->outside}};
  (void)dnnl_primitive_execute(o->reorder, s->stream, 2, args);
}

static void run(void *opaque) {
  const state *s = opaque;
  const bench_case *bench = s->bench;
  if (s->how == SGEMM) {
    (void)dnnl_sgemm('N', bench->b_transposed ? 'T' : 'N', bench->m, bench->n, bench->k, 1.0F,
                     s->data[0], bench->k, s->data[1], bench->b_transposed ? bench->k : bench->n,
                     0.0F, s->data[2], bench->n);
    return;
  }
  for (int i = 0; i < 2; ++i) {
    if (s->operands[i].every_run) reorder(s, i);
  }
  const dnnl_exec_arg_t args[3] = {{DNNL_ARG_SRC, s->operands[0].inside},
                                   {DNNL_ARG_WEIGHTS, s->operands[1].inside},
                                   {DNNL_ARG_DST, s->operands[2].inside}};
  (void)dnnl_primitive_execute(s->primitive, s->stream, 3, args);
  if (s->operands[2].every_run) reorder(s, 2);
  (void)dnnl_stream_wait(s->stream);
}

static void release(void *opaque) {
  state *s = opaque;
  for (int i = 0; i < 3; ++i) {
    operand *o = &s->operands[i];
    if (o->inside != o->outside) (void)dnnl_memory_destroy(o->inside);
    (void)dnnl_memory_destroy(o->outside);
    (void)dnnl_primitive_destroy(o->reorder);
  }
  (void)dnnl_primitive_destroy(s->primitive);
  (void)dnnl_stream_destroy(s->stream);
  (void)dnnl_engine_destroy(s->engine);
  free(s);
}

static bool bind(state *s, int i, desc_ref outside, desc_ref inside) {
  operand *o = &s->operands[i];
  if (dnnl_memory_create(&o->outside, outside, s->engine, s->data[i]) != dnnl_success) return false;
  o->inside = o->outside;
  if (dnnl_memory_desc_equal(outside, inside)) return true;
  o->inside = NULL;
  dnnl_primitive_desc_t pd = NULL;
  bool ok = dnnl_memory_create(&o->inside, inside, s->engine, DNNL_MEMORY_ALLOCATE) == dnnl_success;
  ok = ok && dnnl_reorder_primitive_desc_create(&pd, i < 2 ? outside : inside, s->engine,
                                                i < 2 ? inside : outside, s->engine,
                                                NULL) == dnnl_success;
  ok = ok && dnnl_primitive_create(&o->reorder, pd) == dnnl_success;
  (void)dnnl_primitive_desc_destroy(pd);
  if (!ok) return false;
  o->every_run = s->how == REPACK || (s->how == PACKED && i != 1);
  /* The result in the library's own layout cannot be compared, so one copy of it is handed out at
   * preparation only. */
  if (i < 2) reorder(s, i);
  return true;
}

static void shapes_of(const bench_case *b, int *out_n, dnnl_dims_t dims[3],
                      dnnl_dims_t strides[3]) {
  if (!b->is_convolution) {
    const int64_t d[3][2] = {{b->m, b->k}, {b->k, b->n}, {b->m, b->n}};
    for (int i = 0; i < 3; ++i) {
      const bool transposed = i == 1 && b->b_transposed;
      dims[i][0] = d[i][0];
      dims[i][1] = d[i][1];
      strides[i][0] = transposed ? 1 : d[i][1];
      strides[i][1] = transposed ? d[i][0] : 1;
    }
    out_n[0] = out_n[1] = out_n[2] = 2;
    return;
  }
  const int64_t out = bench_output_size(b);
  const int64_t g = b->groups;
  const int64_t d[3][5] = {{1, b->channels_in, b->size, b->size, 0},
                           {g, b->channels_out / g, b->channels_in / g, b->kernel, b->kernel},
                           {1, b->channels_out, out, out, 0}};
  for (int i = 0; i < 3; ++i) {
    const int skip = i == 1 && g == 1 ? 1 : 0;
    out_n[i] = i == 1 && g > 1 ? 5 : 4;
    int64_t stride = 1;
    for (int j = out_n[i] - 1; j >= 0; --j) {
      dims[i][j] = d[i][j + skip];
      strides[i][j] = stride;
      stride *= dims[i][j];
    }
  }
}

static bool build(state *s) {
  const bench_case *b = s->bench;
  int n[3];
  dnnl_dims_t dims[3], strides[3];
  shapes_of(b, n, dims, strides);
  desc outside[3], wanted[3];
  for (int i = 0; i < 3; ++i) {
    const bool plain = s->how == PLAIN || (!b->is_convolution && i != 1);
    if (with_strides(&outside[i], n[i], dims[i], strides[i]) != dnnl_success) return false;
    if ((plain ? with_strides(&wanted[i], n[i], dims[i], strides[i])
               : with_any(&wanted[i], n[i], dims[i])) != dnnl_success) {
      return false;
    }
  }
  const dnnl_dims_t steps = {b->stride, b->stride};
  const dnnl_dims_t padding = {b->padding, b->padding};
  dnnl_primitive_desc_t pd = NULL;
  bool ok = (b->is_convolution ? convolution(&pd, s->engine, wanted, steps, padding)
                               : product(&pd, s->engine, wanted)) == dnnl_success;
  ok = ok && dnnl_primitive_create(&s->primitive, pd) == dnnl_success;
  static const dnnl_query_t queries[3] = {dnnl_query_src_md, dnnl_query_weights_md,
                                          dnnl_query_dst_md};
  for (int i = 0; ok && i < 3; ++i) {
    ok = bind(s, i, ref(&outside[i]), dnnl_primitive_desc_query_md(pd, queries[i], 0));
  }
  for (int i = 0; i < 3; ++i) {
    drop_desc(&outside[i]);
    drop_desc(&wanted[i]);
  }
  (void)dnnl_primitive_desc_destroy(pd);
  if (ok && s->how == BLOCKED && s->operands[2].reorder) {
    s->operands[2].every_run = true;
    run(s);
    s->operands[2].every_run = false;
  }
  return ok;
}

static void *prepare(const bench_case *bench, float *a, float *b, float *c, mode how) {
  if (bench->is_convolution ? how == SGEMM : how == BLOCKED) return NULL;
  state *s = calloc(1, sizeof(*s));
  if (!s) return NULL;
  *s = (state){.bench = bench, .data = {a, b, c}, .how = how};
  if (how == SGEMM) return s;
  if (dnnl_engine_create(&s->engine, dnnl_cpu, 0) == dnnl_success &&
      dnnl_stream_create(&s->stream, s->engine, dnnl_stream_default_flags) == dnnl_success &&
      build(s)) {
    return s;
  }
  release(s);
  return NULL;
}

#define PREPARE(name, how)                                                   \
  static void *name(const bench_case *bench, float *a, float *b, float *c) { \
    return prepare(bench, a, b, c, how);                                     \
  }
PREPARE(prepare_plain, PLAIN)
PREPARE(prepare_sgemm, SGEMM)
PREPARE(prepare_repack, REPACK)
PREPARE(prepare_packed, PACKED)
PREPARE(prepare_blocked, BLOCKED)

const bench_variant *bench_variants(size_t *out_n_variants) {
  static const bench_variant variants[] = {{"plain", prepare_plain, run, release},
                                           {"sgemm", prepare_sgemm, run, release},
                                           {"repack", prepare_repack, run, release},
                                           {"packed", prepare_packed, run, release},
                                           {"blocked", prepare_blocked, run, release}};
  *out_n_variants = sizeof(variants) / sizeof(variants[0]);
  return variants;
}
