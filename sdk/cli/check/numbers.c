// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/numbers.c: what goes into a graph, and whether two results are the same. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/cli/check/check.h"
#include "sdk/cli/element.h"

/* ---- Inputs ---------------------------------------------------------------------------------- */
enum { MAX_SYMBOLS = 64 };

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t x = (*state += UINT64_C(0x9E3779B97F4A7C15));
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

/* Integers may be indices, divisors or counts of bits: what is no index of two or fewer is avoided
 * with the even seeds, zero and negative numbers with the odd ones. Seed 0 is for indices of dims
 * of size 1. */
static int64_t integer(uint64_t *state, unsigned seed) {
  if (seed == 0) return 0;
  const int64_t value = (int64_t)(next_random(state) % 2);
  return seed % 2 ? value + 1 : value;
}

static void fill_integers(buddy_tensor *tensor, unsigned seed) {
  const int64_t n = buddy_tensor_n_elements(tensor);
  const size_t size = buddy_dtype_size(tensor->dtype);
  uint64_t state = seed + 7;
  for (int64_t i = 0; i < n; ++i) { /* little-endian: the low bytes come first */
    const int64_t value = integer(&state, seed);
    memcpy((char *)tensor->bytes + (size_t)i * size, &value, size);
  }
}

static bool is_integer(buddy_dtype dtype) {
  return dtype > 0 && dtype < 32 && (BUDDY_INTS & BUDDY_DTYPE_BIT(dtype)) != 0;
}

static int sizes_of(const buddy_graph *graph, const buddy_tensor_type *type, const int64_t *symbols,
                    size_t n_symbols, int64_t *sizes) {
  for (uint32_t d = 0; d < type->rank; ++d) {
    sizes[d] = type->dims[d];
    if (BUDDY_IS_SYMBOLIC(type->dims[d]) &&
        buddy_graph_dim_eval(graph, type->dims[d], symbols, n_symbols, &sizes[d]) != BUDDY_OK)
      return 0;
    if (sizes[d] < 0) return 0;
  }
  return 1;
}

int bd_inputs_make(const buddy_graph *graph, unsigned seed, buddy_tensor *inputs) {
  int64_t symbols[MAX_SYMBOLS], sizes[64];
  const size_t n_symbols = buddy_graph_n_symbols(graph);
  if (n_symbols > MAX_SYMBOLS) return 0;
  for (size_t i = 0; i < n_symbols; ++i) {
    const buddy_symbol *symbol = buddy_graph_symbol(graph, i);
    const int64_t wish = 3 + (int64_t)i + (int64_t)seed;
    symbols[i] = wish < symbol->min ? symbol->min : wish > symbol->max ? symbol->max : wish;
  }
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
    if (type->rank > 64 || !sizes_of(graph, type, symbols, n_symbols, sizes)) return 0;
    if (buddy_tensor_create(type->dtype, type->rank, sizes, &inputs[i]) != BUDDY_OK) return 0;
    if (is_integer(type->dtype)) {
      fill_integers(&inputs[i], seed);
    } else {
      buddy_tensor_fill_random(&inputs[i], seed + 31 * i);
    }
  }
  return 1;
}

/* ---- Comparing ------------------------------------------------------------------------------- */
static double tolerance_of(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_F16:
      return 4e-3;
    case BUDDY_BF16:
      return 3e-2;
    case BUDDY_F32:
    case BUDDY_C64:
      return 2e-5;
    case BUDDY_F64:
    case BUDDY_C128:
      return 1e-10;
    default:
      return 0; /* by their bits */
  }
}

/* glibc's CMPLX is for gcc alone. */
#ifndef CMPLX
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#endif

static double complex element(const buddy_tensor *t, int64_t i) {
  return CMPLX(bd_element(t, i, false),
               BUDDY_DTYPE_BIT(t->dtype) & BUDDY_COMPLEXES ? bd_element(t, i, true) : 0);
}

static char *sizes_text(const buddy_tensor *t) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  fprintf(out, "%s[", buddy_dtype_name(t->dtype));
  for (uint32_t d = 0; d < t->rank; ++d)
    fprintf(out, "%s%lld", d ? "," : "", (long long)t->sizes[d]);
  fputc(']', out);
  fclose(out);
  return text;
}

static char *compare_types(const buddy_tensor *a, const buddy_tensor *b) {
  int same = a->dtype == b->dtype && a->rank == b->rank;
  for (uint32_t d = 0; same && d < a->rank; ++d) same = a->sizes[d] == b->sizes[d];
  if (same) return NULL;
  char *text = NULL, *x = sizes_text(a), *y = sizes_text(b);
  if (asprintf(&text, "is %s, not %s", x ? x : "?", y ? y : "?") < 0) text = NULL;
  free(x);
  free(y);
  return text;
}

static double part_error(double a, double b) {
  if (isnan(a) && isnan(b)) return 0;
  if (isinf(a) || isinf(b)) return a == b ? 0 : INFINITY;
  const double error = fabs(a - b);
  return isnan(error) ? INFINITY : error;
}

static double largest(const buddy_tensor *t) {
  double most = 0;
  for (int64_t i = 0, n = buddy_tensor_n_elements(t); i < n; ++i) {
    const double size = cabs(element(t, i));
    if (isfinite(size) && size > most) most = size;
  }
  return most;
}

char *bd_tensors_compare(const buddy_tensor *got, const buddy_tensor *wanted, double tolerance) {
  char *text = compare_types(got, wanted);
  if (text) return text;
  const double relative = tolerance > 0 ? tolerance : tolerance_of(wanted->dtype);
  const size_t size = buddy_dtype_size(wanted->dtype);
  const int by_bits = tolerance_of(wanted->dtype) == 0;
  const double scale = by_bits ? 0 : largest(wanted);
  for (int64_t i = 0, n = buddy_tensor_n_elements(wanted); i < n; ++i) {
    const char *a = bd_element_at(got, i), *b = bd_element_at(wanted, i);
    if (by_bits && !memcmp(a, b, size)) continue;
    if (by_bits) {
      int64_t x = 0, y = 0;
      memcpy(&x, a, size < 8 ? size : 8);
      memcpy(&y, b, size < 8 ? size : 8);
      if (asprintf(&text, "element %lld is %lld, not %lld", (long long)i, (long long)x,
                   (long long)y) < 0)
        text = NULL;
      return text;
    }
    const double complex x = element(got, i), y = element(wanted, i);
    const double error = fmax(part_error(creal(x), creal(y)), part_error(cimag(x), cimag(y)));
    const double most = relative * (isfinite(cabs(y)) ? cabs(y) : 0) + relative * scale;
    if (error <= most) continue;
    if (asprintf(&text, "element %lld is %.9g, not %.9g (more than %.1g of the largest apart)",
                 (long long)i, creal(x), creal(y), relative) < 0)
      text = NULL;
    return text;
  }
  return NULL;
}
