// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/measure.c: how far two tensors are from each other. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"
#include "sdk/runtime/softfloat.h"

static bool is_complex(buddy_dtype dtype) {
  return (BUDDY_DTYPE_BIT(dtype) & BUDDY_COMPLEXES) != 0;
}

/* The largest part of a number's magnitude that rounding to the dtype changes; 0: it is exact. */
static double epsilon(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_F16:
      return 0x1p-10;
    case BUDDY_BF16:
      return 0x1p-7;
    case BUDDY_F32:
    case BUDDY_C64:
      return (double)FLT_EPSILON;
    case BUDDY_F64:
    case BUDDY_C128:
      return DBL_EPSILON;
    default:
      return 0;
  }
}

/* Leaves room for another order of summation in a dozen layers; the 16-bit types for rounding after
 * every op. As tests/models/compare.py has them. */
double bd_gap_tolerance(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_F16:
      return 4e-3;
    case BUDDY_BF16:
      return 2e-2;
    case BUDDY_F32:
    case BUDDY_C64:
      return 1e-4;
    case BUDDY_F64:
    case BUDDY_C128:
      return 1e-9;
    default:
      return 0;
  }
}

/* Of the smallest number that has all its bits. */
static int least_exponent(buddy_dtype dtype) {
  return dtype == BUDDY_F16 ? -14 : dtype == BUDDY_F64 || dtype == BUDDY_C128 ? -1022 : -126;
}

/* It is infinite in a dtype that is narrower than its own. */
static bool is_beyond(double number, buddy_dtype dtype) {
  const double eps = epsilon(dtype);
  const int most = dtype == BUDDY_F16 ? 16 : 128;
  const bool is_widest = dtype == BUDDY_F64 || dtype == BUDDY_C128;
  return eps > 0 && !is_widest && fabs(number) >= ldexp(1 - eps / 4, most);
}

/* Of squares, of numbers that are divided by `unit` so that none is infinite. */
typedef struct sums {
  double unit, signal, noise, candidate, product;
  bool is_misplaced;
} sums;

static void add_squares(double expected, double actual, sums *s) {
  const double e = expected / s->unit, a = actual / s->unit;
  s->signal += e * e;
  s->noise += (e - a) * (e - a);
  s->candidate += a * a;
  s->product += e * a;
}

static void add(double expected, double actual, buddy_dtype dtype, bd_gap *gap, sums *s) {
  const double eps = epsilon(dtype);
  ++gap->n;
  if (isinf(actual) && is_beyond(expected, dtype)) expected = copysign(INFINITY, expected);
  if (expected == actual || (isnan(expected) && isnan(actual))) {
    if (!isfinite(expected)) return;
    gap->scale = fmax(gap->scale, fabs(expected));
    add_squares(expected, expected, s);
    return;
  }
  ++gap->n_different;
  if (!isfinite(expected) || !isfinite(actual)) {
    s->is_misplaced = true;
    return;
  }
  const double difference = fabs(expected - actual);
  gap->scale = fmax(gap->scale, fabs(expected));
  gap->max_abs = fmax(gap->max_abs, difference);
  if (expected != 0) gap->max_rel = fmax(gap->max_rel, difference / fabs(expected));
  if (eps > 0) {
    const int least = least_exponent(dtype), exponent = expected == 0 ? least : ilogb(expected);
    gap->max_ulp = fmax(gap->max_ulp, difference / ldexp(eps, exponent > least ? exponent : least));
  }
  add_squares(expected, actual, s);
}

/* The largest finite magnitude of both; 1: there is none. */
static double largest(const buddy_tensor *a, const buddy_tensor *b, int n_parts) {
  const buddy_tensor *both[] = {a, b};
  double most = 0;
  for (int k = 0; k < 2; ++k) {
    const int64_t n = buddy_tensor_n_elements(both[k]) * n_parts;
    for (int64_t i = 0; i < n; ++i) {
      const double number = fabs(bd_element(both[k], i / n_parts, i % n_parts == 1));
      if (isfinite(number)) most = fmax(most, number);
    }
  }
  return most > 0 ? most : 1;
}

static bool has_same_sizes(const buddy_tensor *a, const buddy_tensor *b) {
  return a->rank == b->rank &&
         (a->rank == 0 || memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0);
}

void bd_gap_measure(const buddy_tensor *reference, const buddy_tensor *candidate, bd_gap *out) {
  *out = (bd_gap){.n = 0};
  sums s = {.unit = 1};
  const double eps = epsilon(candidate->dtype);
  const bool is_pair = is_complex(candidate->dtype);
  if (!has_same_sizes(reference, candidate)) {
    s.is_misplaced = true;
  } else {
    const int64_t n = buddy_tensor_n_elements(reference);
    s.unit = largest(reference, candidate, 1 + is_pair);
    for (int64_t i = 0; i < n; ++i) {
      for (int k = 0; k <= is_pair; ++k)
        add(bd_element(reference, i, k), bd_element(candidate, i, k), candidate->dtype, out, &s);
    }
  }
  const bool is_inexact = eps > 0 && !s.is_misplaced;
  out->relative = out->n_different == 0 && !s.is_misplaced ? 0
                  : is_inexact && out->scale > 0           ? out->max_abs / out->scale
                  : is_inexact && out->max_abs < DBL_MIN   ? 0
                                                           : INFINITY;
  out->snr = s.is_misplaced ? -INFINITY : s.noise > 0 ? 10 * log10(s.signal / s.noise) : INFINITY;
  out->cosine = s.signal > 0 && s.candidate > 0 ? s.product / sqrt(s.signal) / sqrt(s.candidate)
                                                : out->relative == 0;
}

/* ---- Conversion ------------------------------------------------------------------------------ */
static void put(double value, buddy_dtype dtype, char *bytes) {
  const float f32 = (float)value;
  const uint16_t u16 = dtype == BUDDY_F16 ? bd_f16_bits(f32) : bd_bf16_bits(f32);
  switch (dtype) {
    case BUDDY_F32:
    case BUDDY_C64:
      memcpy(bytes, &f32, sizeof f32);
      return;
    case BUDDY_F64:
    case BUDDY_C128:
      memcpy(bytes, &value, sizeof value);
      return;
    default:
      memcpy(bytes, &u16, sizeof u16);
  }
}

/* Every element, times the factor, in out's dtype. */
static void put_all(const buddy_tensor *tensor, double factor, buddy_tensor *out) {
  const int64_t n = buddy_tensor_n_elements(tensor);
  const size_t size = buddy_dtype_size(out->dtype);
  for (int64_t i = 0; i < n; ++i) {
    char *bytes = (char *)out->bytes + (size_t)i * size;
    put(factor * bd_element(tensor, i, false), out->dtype, bytes);
    if (is_complex(out->dtype))
      put(factor * bd_element(tensor, i, true), out->dtype, bytes + size / 2);
  }
}

/* The elements as they are, from number `first` on, and around. */
static void copy_all(const buddy_tensor *tensor, int64_t first, buddy_tensor *out) {
  const int64_t n = buddy_tensor_n_elements(tensor);
  const size_t size = buddy_dtype_size(out->dtype);
  for (int64_t i = 0; i < n; ++i)
    memcpy((char *)out->bytes + (size_t)i * size, bd_element_at(tensor, (i + first) % n), size);
}

buddy_code bd_tensor_vary(const buddy_tensor *tensor, buddy_tensor *out) {
  BD_TRY(buddy_tensor_create(tensor->dtype, tensor->rank, tensor->sizes, out));
  if (bd_gap_tolerance(tensor->dtype) == 0)
    copy_all(tensor, 1, out);
  else
    put_all(tensor, 0.75, out);
  return BUDDY_OK;
}

buddy_code bd_tensor_convert(const buddy_tensor *tensor, buddy_dtype dtype, buddy_tensor *out) {
  BD_TRY(buddy_tensor_create(dtype, tensor->rank, tensor->sizes, out));
  if (dtype == tensor->dtype)
    copy_all(tensor, 0, out);
  else
    put_all(tensor, 1, out);
  return BUDDY_OK;
}

bool bd_is_nonfinite(double number, bool is_nan) {
  return is_nan ? isnan(number) : !isfinite(number);
}

buddy_code bd_tensor_finite(const buddy_tensor *tensor, bool is_nan, buddy_tensor *out) {
  BD_TRY(bd_tensor_convert(tensor, tensor->dtype, out));
  const int64_t n = bd_gap_tolerance(out->dtype) > 0 ? buddy_tensor_n_elements(out) : 0;
  const int n_parts = is_complex(out->dtype) ? 2 : 1;
  const size_t size = buddy_dtype_size(out->dtype) / (size_t)n_parts;
  for (int64_t i = 0; i < n * n_parts; ++i) {
    if (bd_is_nonfinite(bd_element(out, i / n_parts, i % n_parts == 1), is_nan))
      put(1, out->dtype, (char *)out->bytes + (size_t)i * size);
  }
  return BUDDY_OK;
}
