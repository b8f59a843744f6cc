// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/dist/reduce.c: sums and their kin, in the order of ranks.
 *
 * A dtype has a type to compute in: its own, and float for floats of 16 bits, which are rounded when
 * all is summed. It goes in pieces of BLOCK elements, one part after the other, so that what is
 * computed in stays in cache. */
#include <stdbool.h>
#include <string.h>

#include "plugins/dist/rows.h"

enum { BLOCK = 512 };

static const char *const names[DS_N_REDUCTIONS] = {"sum", "avg",  "product", "min",
                                                   "max", "band", "bor",     "bxor"};

int ds_reduction_find(const char *name) {
  for (int i = 0; i < DS_N_REDUCTIONS; ++i) {
    if (strcmp(names[i], name) == 0) return i;
  }
  return -1;
}

/* ---- One part into what there is ------------------------------------------------------------- */
typedef void (*combine)(void *so_far, const void *part, size_t n);
/* By reduction; a null one is not there. is_wide: computed in float, which load and store convert. */
typedef struct kind {
  combine by[DS_N_REDUCTIONS];
  void (*divide)(void *sums, size_t n, double by); /* of avg */
  bool is_wide;
} kind;

/* NOLINTBEGIN(bugprone-macro-parentheses): a type is not put in parentheses */
#define COMBINE(name, type, expression)                        \
  static void name(void *so_far, const void *part, size_t n) { \
    type *a = so_far;                                          \
    const type *b = part;                                      \
    for (size_t i = 0; i < n; ++i) a[i] = expression;          \
  }
#define IS_NAN(x) ((x) != (x))
#define FLOATS(t, type)                                             \
  COMBINE(sum_##t, type, a[i] + b[i])                               \
  COMBINE(product_##t, type, a[i] * b[i])                           \
  COMBINE(min_##t, type, IS_NAN(a[i]) || a[i] < b[i] ? a[i] : b[i]) \
  COMBINE(max_##t, type, IS_NAN(a[i]) || a[i] > b[i] ? a[i] : b[i]) \
  static void divide_##t(void *sums, size_t n, double by) {         \
    type *a = sums;                                                 \
    for (size_t i = 0; i < n; ++i) a[i] = a[i] / (type)by;          \
  }
/* Sums and products of signed integers wrap around, as PyTorch's do. */
#define INTEGERS(t, type, wrapping)                                   \
  COMBINE(sum_##t, type, (type)((wrapping)a[i] + (wrapping)b[i]))     \
  COMBINE(product_##t, type, (type)((wrapping)a[i] * (wrapping)b[i])) \
  COMBINE(min_##t, type, a[i] < b[i] ? a[i] : b[i])                   \
  COMBINE(max_##t, type, a[i] > b[i] ? a[i] : b[i])                   \
  COMBINE(band_##t, type, (type)(a[i] & b[i]))                        \
  COMBINE(bor_##t, type, (type)(a[i] | b[i]))                         \
  COMBINE(bxor_##t, type, (type)(a[i] ^ b[i]))
#define COMPLEX(t, type)                                                                       \
  typedef struct t {                                                                           \
    type re, im;                                                                               \
  } t;                                                                                         \
  COMBINE(sum_##t, t, ((t){a[i].re + b[i].re, a[i].im + b[i].im}))                             \
  COMBINE(product_##t, t,                                                                      \
          ((t){a[i].re * b[i].re - a[i].im * b[i].im, a[i].re * b[i].im + a[i].im * b[i].re})) \
  static void divide_##t(void *sums, size_t n, double by) {                                    \
    type *a = sums;                                                                            \
    for (size_t i = 0; i < 2 * n; ++i) a[i] = a[i] / (type)by;                                 \
  }
/* NOLINTEND(bugprone-macro-parentheses) */
FLOATS(f32, float)
FLOATS(f64, double)
COMPLEX(c64, float)
COMPLEX(c128, double)
INTEGERS(u8, uint8_t, uint32_t)
INTEGERS(i8, int8_t, uint32_t)
INTEGERS(i16, int16_t, uint32_t)
INTEGERS(u16, uint16_t, uint32_t)
INTEGERS(i32, int32_t, uint32_t)
INTEGERS(u32, uint32_t, uint32_t)
INTEGERS(i64, int64_t, uint64_t)
INTEGERS(u64, uint64_t, uint64_t)

#define FLOAT_KIND(t, wide) \
  {{sum_##t, sum_##t, product_##t, min_##t, max_##t, NULL, NULL, NULL}, divide_##t, wide}
#define INTEGER_KIND(t) \
  {{sum_##t, NULL, product_##t, min_##t, max_##t, band_##t, bor_##t, bxor_##t}, NULL, 0}
#define COMPLEX_KIND(t) {{sum_##t, sum_##t, product_##t}, divide_##t, 0}

static const kind kinds[] = {
    [BUDDY_BOOL] = {{NULL, NULL, NULL, min_u8, max_u8, band_u8, bor_u8, bxor_u8}, NULL, 0},
    [BUDDY_U8] = INTEGER_KIND(u8),
    [BUDDY_I8] = INTEGER_KIND(i8),
    [BUDDY_I16] = INTEGER_KIND(i16),
    [BUDDY_I32] = INTEGER_KIND(i32),
    [BUDDY_I64] = INTEGER_KIND(i64),
    [BUDDY_U16] = INTEGER_KIND(u16),
    [BUDDY_U32] = INTEGER_KIND(u32),
    [BUDDY_U64] = INTEGER_KIND(u64),
    [BUDDY_F16] = FLOAT_KIND(f32, 1),
    [BUDDY_BF16] = FLOAT_KIND(f32, 1),
    [BUDDY_F32] = FLOAT_KIND(f32, 0),
    [BUDDY_F64] = FLOAT_KIND(f64, 0),
    [BUDDY_C64] = COMPLEX_KIND(c64),
    [BUDDY_C128] = COMPLEX_KIND(c128),
};

/* Of a dtype that is not reduced, one without functions. */
static const kind *kind_of(buddy_dtype dtype) {
  return &kinds[(size_t)dtype < sizeof(kinds) / sizeof(kinds[0]) ? dtype : BUDDY_DTYPE_NONE];
}

const char *ds_reduction_refuses(ds_reduction reduction, buddy_dtype dtype) {
  const kind *k = kind_of(dtype);
  if (!k->by[DS_MAX]) {
    if (!k->by[DS_SUM]) return "numbers of this dtype are not reduced";
    if (!k->by[reduction]) return "complex numbers have no order and no bits";
  }
  if (k->by[reduction]) return NULL;
  if (dtype == BUDDY_BOOL) return "booleans are not added or multiplied";
  return reduction == DS_AVG ? "integers have no average" : "floats have no bits to combine";
}

/* ---- Floats of 16 bits ----------------------------------------------------------------------- */
static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

static float widen_f16(uint16_t h) {
  const uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, rest = h & 1023;
  if (exponent == 31) return from_bits(sign | 0x7F800000u | rest << 13);
  if (exponent != 0) return from_bits(sign | (exponent + 112) << 23 | rest << 13);
  const float tiny = (float)rest * 0x1p-24f; /* exact */
  return from_bits(bits_of(tiny) | sign);
}

/* To the nearest, ties to even. */
static uint16_t narrow_f16(float x) {
  const uint32_t bits = bits_of(x), magnitude = bits & 0x7FFFFFFFu;
  const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  if (magnitude > 0x7F800000u) return (uint16_t)(sign | 0x7E00);
  if (magnitude >= 0x477FF000u) return (uint16_t)(sign | 0x7C00); /* from 65520 */
  if (magnitude < 0x38800000u) { /* below 2^-14: adding 0.5 leaves multiples of 2^-24 */
    return (uint16_t)(sign | (bits_of(from_bits(magnitude) + 0.5f) - bits_of(0.5f)));
  }
  const uint32_t rounded = magnitude + 0xFFF + (magnitude >> 13 & 1);
  return (uint16_t)(sign | (rounded - (112u << 23)) >> 13);
}

static uint16_t narrow_bf16(float x) {
  const uint32_t bits = bits_of(x);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static void widen(buddy_dtype dtype, const uint16_t *from, size_t n, float *to) {
  for (size_t i = 0; i < n; ++i)
    to[i] = dtype == BUDDY_F16 ? widen_f16(from[i]) : from_bits((uint32_t)from[i] << 16);
}

static void narrow(buddy_dtype dtype, const float *from, size_t n, uint16_t *to) {
  for (size_t i = 0; i < n; ++i)
    to[i] = dtype == BUDDY_F16 ? narrow_f16(from[i]) : narrow_bf16(from[i]);
}

/* ---- All parts ------------------------------------------------------------------------------- */
size_t ds_size_of(int64_t dtype) {
#define SIZE(name, number, text, bytes) [number] = (bytes),
  static const uint8_t sizes[] = {BUDDY_DTYPES(SIZE)};
#undef SIZE
  return dtype > 0 && dtype < (int64_t)sizeof(sizes) ? sizes[dtype] : 0;
}

void ds_reduce(ds_reduction reduction, buddy_dtype dtype, const void *const *parts, size_t n_parts,
               size_t n_elements, void *out) {
  const kind *k = kind_of(dtype);
  const size_t size = ds_size_of(dtype);
  _Alignas(64) char sums[BLOCK * 16];
  float part[BLOCK];
  if (n_parts == 0) return;
  for (size_t at = 0; at < n_elements; at += BLOCK) {
    const size_t n = n_elements - at < BLOCK ? n_elements - at : BLOCK;
    for (size_t p = 0; p < n_parts; ++p) {
      const void *from = (const char *)parts[p] + at * size;
      if (k->is_wide) widen(dtype, from, n, p == 0 ? (float *)(void *)sums : part);
      if (p == 0 && !k->is_wide) memcpy(sums, from, n * size);
      if (p > 0) k->by[reduction](sums, k->is_wide ? part : from, n);
    }
    if (reduction == DS_AVG) k->divide(sums, n, (double)n_parts);
    if (k->is_wide) {
      narrow(dtype, (const float *)(const void *)sums, n, (uint16_t *)out + at);
    } else {
      memcpy((char *)out + at * size, sums, n * size);
    }
  }
}
