// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What buddy itself makes of a product: linalg.matmul, compiled for its sizes. Both matrices are
 * inputs: nothing is kept from run to run. BUDDY_THREADS says on how many threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/compile.h"
#include "contender.h"

enum { MAX_TEXT = 1024, MAX_TYPE = 48 };

typedef struct product {
  buddy_program *program;
  buddy_diags *diags;
  int64_t sizes[3][2], strides[3][2];
  buddy_tensor tensors[3];
} product;

static void write_type(char type[MAX_TYPE], const int64_t sizes[2]) {
  snprintf(type, MAX_TYPE, "tensor<%lldx%lldxf32>", (long long)sizes[0], (long long)sizes[1]);
}

static void write_module(char text[MAX_TEXT], const bench_case *bench, const product *p) {
  char a[MAX_TYPE], b[MAX_TYPE], c[MAX_TYPE];
  write_type(a, p->sizes[0]);
  write_type(b, p->sizes[1]);
  write_type(c, p->sizes[2]);
  snprintf(text, MAX_TEXT,
           "#a = affine_map<(m, n, k) -> (m, k)>\n#b = affine_map<(m, n, k) -> (%s)>\n"
           "#c = affine_map<(m, n, k) -> (m, n)>\n"
           "func.func @forward(%%a: %s, %%b: %s) -> %s {\n"
           "  %%zero = arith.constant 0.0 : f32\n  %%empty = tensor.empty() : %s\n"
           "  %%first = linalg.fill ins(%%zero : f32) outs(%%empty : %s) -> %s\n"
           "  %%sum = linalg.matmul indexing_maps = [#a, #b, #c] ins(%%a, %%b : %s, %s)\n"
           "      outs(%%first : %s) -> %s\n  return %%sum : %s\n}\n",
           bench->b_transposed ? "n, k" : "k, n", a, b, c, c, c, c, a, b, c, c, c);
}

static void describe(product *p, int i, float *data, int64_t rows, int64_t columns) {
  p->sizes[i][0] = rows;
  p->sizes[i][1] = p->strides[i][0] = columns;
  p->strides[i][1] = 1;
  p->tensors[i] = (buddy_tensor){
      .dtype = BUDDY_F32, .rank = 2, .sizes = p->sizes[i], .strides = p->strides[i], .bytes = data};
}

static void run(void *opaque) {
  product *p = opaque;
  if (buddy_program_run(p->program, p->tensors, 2, &p->tensors[2], 1, p->diags) != BUDDY_OK)
    exit(2);
}

static void release(void *opaque) {
  product *p = opaque;
  buddy_program_destroy(p->program);
  buddy_diags_destroy(p->diags);
  free(p);
}

static void *prepare(const bench_case *bench, float *a, float *b, float *c) {
  char text[MAX_TEXT];
  buddy_module *module;
  if (bench->is_convolution) return NULL;
  product *p = calloc(1, sizeof(*p));
  if (!p) return NULL;
  const int is_turned = bench->b_transposed;
  describe(p, 0, a, bench->m, bench->k);
  describe(p, 1, b, is_turned ? bench->n : bench->k, is_turned ? bench->k : bench->n);
  describe(p, 2, c, bench->m, bench->n);
  write_module(text, bench, p);
  buddy_code code = buddy_diags_create(&p->diags);
  if (code == BUDDY_OK)
    code = buddy_module_parse((buddy_sv){text, strlen(text)}, p->diags, &module);
  if (code == BUDDY_OK) code = buddy_compile(module, NULL, NULL, p->diags, &p->program);
  if (code == BUDDY_OK) return p;
  release(p);
  return NULL;
}

const bench_variant *bench_variants(size_t *out_n_variants) {
  static const bench_variant variants[] = {{"generated", prepare, run, release}};
  *out_n_variants = 1;
  return variants;
}
