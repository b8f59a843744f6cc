// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/fourier.c: discrete Fourier transforms of any length.
 *
 * A length n = a b is transformed by the step of Cooley and Tukey: transforms of length a, a factor
 * for each element, transforms of length b. Short lengths are a matrix product with the
 * transform's matrix; long prime lengths go by way of a convolution of a length that is a power
 * of two (Bluestein). Angles are reduced as integers before they become numbers, and everything is
 * computed in f64, so that f32 results are rounded once. */
#include "plugins/composite/fourier.h"

#include <math.h>
#include <string.h>

enum { SHORT = 32, LONGEST_MATRIX = 256 };

static const double pi = 3.14159265358979323846;

static int64_t mul(buddy_call *call, int64_t a, int64_t b) {
  return be_dim(call, BUDDY_DIM_MUL, a, b);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */
cp_pair cp_parts(buddy_call *call, value a) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type || !be_is_complex(type->dtype)) return (cp_pair){cp_cast(call, a, BUDDY_F64), NULL};
  const buddy_dtype part = type->dtype == BUDDY_C128  ? BUDDY_F64
                           : type->dtype == BUDDY_C64 ? BUDDY_F32
                                                      : BUDDY_F16;
  const buddy_tensor_type *real = be_with_dtype(call, type, part);
  value re = BE_NODE(call, "aten.real.default", real, be_t("self", a));
  value im = BE_NODE(call, "aten.imag.default", real, be_t("self", a));
  return (cp_pair){cp_cast(call, re, BUDDY_F64), cp_cast(call, im, BUDDY_F64)};
}

static value zeros_like(buddy_call *call, value a) {
  return a ? cp_full(call, cp_type(call, a), 0) : NULL;
}

value cp_joined(buddy_call *call, cp_pair a, buddy_dtype dtype) {
  const buddy_dtype part = dtype == BUDDY_C128  ? BUDDY_F64
                           : dtype == BUDDY_C64 ? BUDDY_F32
                                                : BUDDY_F16;
  value re = cp_cast(call, a.re, part);
  value im = cp_cast(call, a.im ? a.im : zeros_like(call, a.re), part);
  if (!re || !im) return NULL;
  return BE_NODE(call, "aten.complex.default", be_with_dtype(call, cp_type(call, re), dtype),
                 be_t("real", re), be_t("imag", im));
}

static value neg(buddy_call *call, value a) { return cp_unary(call, "aten.neg.default", a); }

cp_pair cp_conjugate(buddy_call *call, cp_pair a) {
  return (cp_pair){a.re, a.im ? neg(call, a.im) : NULL};
}

static cp_pair product(buddy_call *call, cp_pair a, cp_pair b) {
  if (!a.im) return (cp_pair){cp_mul(call, a.re, b.re), cp_mul(call, a.re, b.im)};
  return (cp_pair){cp_sub(call, cp_mul(call, a.re, b.re), cp_mul(call, a.im, b.im)),
                   cp_add(call, cp_mul(call, a.re, b.im), cp_mul(call, a.im, b.re))};
}

static cp_pair viewed(buddy_call *call, cp_pair a, uint32_t rank, const int64_t *dims) {
  return (cp_pair){cp_view(call, a.re, rank, dims), a.im ? cp_view(call, a.im, rank, dims) : NULL};
}

static cp_pair swapped(buddy_call *call, cp_pair a, uint32_t dim0, uint32_t dim1) {
  return (cp_pair){cp_swap(call, a.re, dim0, dim1), a.im ? cp_swap(call, a.im, dim0, dim1) : NULL};
}

cp_pair cp_pair_slice(buddy_call *call, cp_pair x, uint32_t dim, int64_t start, int64_t size) {
  return (cp_pair){cp_slice(call, x.re, dim, start, size, 1),
                   x.im ? cp_slice(call, x.im, dim, start, size, 1) : NULL};
}

static value padded(buddy_call *call, value a, uint32_t dim, int64_t behind) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type) return NULL;
  int64_t dims[BE_MAX_RANK], amounts[2 * BE_MAX_RANK] = {0};
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[dim] = be_dim(call, BUDDY_DIM_ADD, dims[dim], behind);
  const size_t n = 2 * (size_t)(type->rank - dim);
  amounts[n - 1] = behind;
  return BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, type->dtype, type->rank, dims),
                 be_t("self", a), be_is("pad", amounts, n), be_f("value", 0));
}

cp_pair cp_resized(buddy_call *call, cp_pair x, uint32_t dim, int64_t size) {
  const buddy_tensor_type *type = cp_type(call, x.re);
  if (!type || type->dims[dim] == size) return x;
  const int64_t more = be_dim(call, BUDDY_DIM_SUB, size, type->dims[dim]);
  if (!BUDDY_IS_SYMBOLIC(more) && more < 0) return cp_pair_slice(call, x, dim, 0, size);
  return (cp_pair){padded(call, x.re, dim, more), x.im ? padded(call, x.im, dim, more) : NULL};
}

static value flipped(buddy_call *call, value a, uint32_t dim) {
  const int64_t dims[1] = {dim};
  return a ? BE_NODE(call, "aten.flip.default", cp_type(call, a), be_t("self", a),
                     be_is("dims", dims, 1))
           : NULL;
}

static value joined(buddy_call *call, value a, value b, uint32_t dim) {
  if (!a || !b) return NULL;
  const buddy_tensor_type *first = cp_type(call, a), *second = cp_type(call, b);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, first->dims, first->rank * sizeof(*dims));
  dims[dim] = be_dim(call, BUDDY_DIM_ADD, dims[dim], second->dims[dim]);
  const buddy_value *both[2] = {a, b};
  return BE_NODE(call, "aten.cat.default", be_type(call, first->dtype, first->rank, dims),
                 be_ts("tensors", both, 2), be_i("dim", dim));
}

cp_pair cp_whole_spectrum(buddy_call *call, cp_pair half, uint32_t dim, int64_t n) {
  const buddy_tensor_type *type = cp_type(call, half.re);
  if (!type) return half;
  const int64_t more = be_dim(call, BUDDY_DIM_SUB, n, type->dims[dim]);
  const cp_pair rest = cp_pair_slice(call, half, dim, 1, more);
  if (!half.im) half.im = zeros_like(call, half.re);
  value im = rest.im ? neg(call, flipped(call, rest.im, dim)) : zeros_like(call, rest.re);
  return (cp_pair){joined(call, half.re, flipped(call, rest.re, dim), dim),
                   joined(call, half.im, im, dim)};
}

/* ---- Roots of unity -------------------------------------------------------------------------- */
static value remainder_of(buddy_call *call, value a, int64_t n) {
  return a ? BE_NODE(call, "aten.remainder.Scalar", NULL, be_t("self", a), be_i("other", n)) : NULL;
}

static value is_at_least(buddy_call *call, value a, int64_t n) {
  return a ? BE_NODE(call, "aten.ge.Scalar", NULL, be_t("self", a), be_i("other", n)) : NULL;
}

static value either(buddy_call *call, value condition, value if_true, value if_false) {
  return condition && if_true && if_false ? cp_where(call, condition, if_true, if_false) : NULL;
}

/* cos and sin of sign 2 pi t / n, for whole t from 0 to n - 1. The angle is taken within its quarter
 * of the circle, so that at the quarters' ends the numbers are exactly 0, 1 and -1: the imaginary
 * part of a real signal's mean, and of its highest frequency, is 0. */
static cp_pair roots_of(buddy_call *call, value t, int64_t n, int sign) {
  if (!t) return (cp_pair){NULL, NULL};
  value twice = cp_add(call, t, t);
  value is_second_half = is_at_least(call, twice, n), in_half = remainder_of(call, twice, n);
  if (!in_half) return (cp_pair){NULL, NULL};
  value fourfold = cp_add(call, in_half, in_half);
  value is_second_quarter = is_at_least(call, fourfold, n);
  value angle = cp_cast(call, remainder_of(call, fourfold, n), BUDDY_F64);
  if (!angle) return (cp_pair){NULL, NULL};
  angle = BE_NODE(call, "aten.div.Scalar", NULL, be_t("self", cp_mul_number(call, angle, pi / 2)),
                  be_i("other", n));
  value cos = cp_unary(call, "aten.cos.default", angle),
        sin = cp_unary(call, "aten.sin.default", angle);
  value re = either(call, is_second_quarter, neg(call, sin), cos),
        im = either(call, is_second_quarter, cos, sin);
  re = either(call, is_second_half, neg(call, re), re);
  return (cp_pair){re, sign < 0 ? either(call, is_second_half, im, neg(call, im))
                                : either(call, is_second_half, neg(call, im), im)};
}

/* Roots with exponents j k, for j along the rows and k along the columns. */
static cp_pair roots(buddy_call *call, int64_t rows, int64_t columns, int64_t n, int sign) {
  const int64_t column[2] = {rows, 1};
  value j = cp_view(call, cp_iota(call, rows, BUDDY_I64), 2, column);
  value powers = cp_mul(call, j, cp_iota(call, columns, BUDDY_I64));
  return roots_of(call, remainder_of(call, powers, n), n, sign);
}

/* ---- Transforms of the rows of [rows, n] ----------------------------------------------------- */
/* A length that only a run knows is for a registry that has a function of it; else, where the call is that very
 * transform, the matrix is left. */
static cp_pair by_call(buddy_call *call, cp_pair x, int sign) {
  const int64_t dim = 1;
  value whole = cp_joined(call, x, BUDDY_C128);
  if (!whole) return (cp_pair){NULL, NULL};
  const int64_t n = cp_type(call, whole)->dims[1];
  cp_pair y = cp_parts(
      call, BE_NODE(call, "aten._fft_c2c.default", cp_type(call, whole), be_t("self", whole),
                    be_is("dim", &dim, 1), be_i("normalization", 0), be_b("forward", sign < 0)));
  if (x.im) return y;
  /* a real signal's mean, and its highest frequency, are real: no rounding may give their angle a sign */
  value k = cp_iota(call, n, BUDDY_I64), is_real = cp_number(call, "aten.eq.Tensor", k, 0);
  value is_highest =
      k ? BE_NODE(call, "aten.eq.Scalar", NULL, be_t("self", cp_add(call, k, k)), be_i("other", n))
        : NULL;
  is_real = cp_binary(call, "aten.logical_or.default", is_real, is_highest);
  y.im = cp_where(call, is_real, cp_scalar(call, BUDDY_F64, 0), y.im);
  return y;
}

/* Whether the call is the one that by_call makes. */
static bool is_by_matrix(buddy_call *call) {
  static const char name[] = "aten._fft_c2c.default";
  const buddy_sv op = be_host->op_name(call);
  if (op.size != sizeof name - 1 || memcmp(op.data, name, op.size) != 0) return false;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  return type->rank == 2 && type->dtype == BUDDY_C128 && be_axes(call, 1, 2) == 2 &&
         be_int(call, 2, 0) == 0;
}

static cp_pair transform(buddy_call *call, cp_pair x, int sign);

static cp_pair by_matrix(buddy_call *call, cp_pair x, int64_t n, int sign) {
  const cp_pair w = roots(call, n, n, n, sign);
  cp_pair y = {cp_matmul(call, x.re, w.re), cp_matmul(call, x.re, w.im)};
  if (!x.im) return y;
  return (cp_pair){cp_sub(call, y.re, cp_matmul(call, x.im, w.im)),
                   cp_add(call, y.im, cp_matmul(call, x.im, w.re))};
}

static cp_pair sum(buddy_call *call, cp_pair a, cp_pair b) {
  return (cp_pair){cp_add(call, a.re, b.re), a.im ? cp_add(call, a.im, b.im) : NULL};
}

static cp_pair difference(buddy_call *call, cp_pair a, cp_pair b) {
  return (cp_pair){cp_sub(call, a.re, b.re), a.im ? cp_sub(call, a.im, b.im) : NULL};
}

/* a + sign i b */
static cp_pair turned_sum(buddy_call *call, cp_pair a, cp_pair b, int sign) {
  if (!a.im) return (cp_pair){a.re, sign < 0 ? neg(call, b.re) : b.re};
  const cp_pair more = {cp_add(call, a.re, b.im), cp_add(call, a.im, b.re)},
                less = {cp_sub(call, a.re, b.im), cp_sub(call, a.im, b.re)};
  return sign < 0 ? (cp_pair){more.re, less.im} : (cp_pair){less.re, more.im};
}

static cp_pair side_by_side(buddy_call *call, cp_pair a, cp_pair b) {
  if (!a.im && b.im) a.im = zeros_like(call, a.re);
  if (!b.im && a.im) b.im = zeros_like(call, b.re);
  return (cp_pair){joined(call, a.re, b.re, 1), a.im ? joined(call, a.im, b.im, 1) : NULL};
}

/* The roots are 1, -1, i and -i: a product with 0 would make infinities NaN. */
static cp_pair by_signs(buddy_call *call, cp_pair x, int64_t n, int sign) {
  const cp_pair low = cp_pair_slice(call, x, 1, 0, n / 2),
                high = cp_pair_slice(call, x, 1, n / 2, n / 2);
  const cp_pair even = sum(call, low, high), odd = difference(call, low, high);
  cp_pair y = side_by_side(call, even, odd);
  if (n == 4) {
    const cp_pair a = cp_pair_slice(call, even, 1, 0, 1), b = cp_pair_slice(call, even, 1, 1, 1),
                  c = cp_pair_slice(call, odd, 1, 0, 1), d = cp_pair_slice(call, odd, 1, 1, 1);
    y = side_by_side(call, side_by_side(call, sum(call, a, b), turned_sum(call, c, d, sign)),
                     side_by_side(call, difference(call, a, b), turned_sum(call, c, d, -sign)));
  }
  return (cp_pair){y.re, y.im ? y.im : zeros_like(call, y.re)};
}

/* n = a b; element m = b m1 + m2 of the input, k = k1 + a k2 of the result. */
static cp_pair by_factors(buddy_call *call, cp_pair x, int64_t rows, int64_t a, int64_t b,
                          int sign) {
  const int64_t split[3] = {rows, a, b}, first[2] = {mul(call, rows, b), a};
  const int64_t back[3] = {rows, b, a}, second[2] = {mul(call, rows, a), b},
                flat[2] = {rows, a * b};
  x = viewed(call, swapped(call, viewed(call, x, 3, split), 1, 2), 2, first);
  x = viewed(call, transform(call, x, sign), 3, back);
  x = product(call, x, roots(call, b, a, a * b, sign));
  x = viewed(call, swapped(call, x, 1, 2), 2, second);
  x = viewed(call, transform(call, x, sign), 3, split);
  return viewed(call, swapped(call, x, 1, 2), 2, flat);
}

/* With 2 k m = k^2 + m^2 - (k - m)^2 the transform is a convolution with exp(-sign pi i k^2 /
 * n). */
static cp_pair by_convolution(buddy_call *call, cp_pair x, int64_t n, int sign) {
  int64_t length = 1;
  while (length < 2 * n - 1) length *= 2;
  value k = cp_iota(call, n, BUDDY_I64);
  const int64_t row[2] = {1, n};
  value squares = cp_view(call, cp_mul(call, k, k), 2, row);
  const cp_pair chirp = roots_of(call, remainder_of(call, squares, 2 * n), 2 * n, sign);
  const cp_pair opposite = cp_conjugate(call, chirp);
  /* the kernel at 0 … n - 1, zeros, and at -(n - 1) … -1 */
  const cp_pair tail = cp_pair_slice(call, opposite, 1, 1, n - 1);
  cp_pair kernel = cp_resized(call, opposite, 1, length - (n - 1));
  kernel = (cp_pair){joined(call, kernel.re, flipped(call, tail.re, 1), 1),
                     joined(call, kernel.im, flipped(call, tail.im, 1), 1)};
  const cp_pair signal = cp_resized(call, product(call, x, chirp), 1, length);
  cp_pair both = product(call, transform(call, signal, -1), transform(call, kernel, -1));
  both = cp_pair_slice(call, transform(call, both, 1), 1, 0, n);
  both = (cp_pair){cp_mul_number(call, both.re, 1 / (double)length),
                   cp_mul_number(call, both.im, 1 / (double)length)};
  return product(call, both, chirp);
}

/* The largest divisor of n that is no larger than SHORT; the smallest prime if there is none. */
static int64_t factor_of(int64_t n) {
  for (int64_t a = SHORT; a > 1; --a) {
    if (n % a == 0) return a;
  }
  for (int64_t a = SHORT + 1; a * a <= n; ++a) {
    if (n % a == 0) return a;
  }
  return n;
}

static cp_pair transform(buddy_call *call, cp_pair x, int sign) {
  const buddy_tensor_type *type = cp_type(call, x.re);
  if (!type) return (cp_pair){NULL, NULL};
  const int64_t rows = type->dims[0], n = type->dims[1];
  if (n == 1) return (cp_pair){x.re, x.im ? x.im : zeros_like(call, x.re)}; /* also infinities */
  if (n == 2 || n == 4) return by_signs(call, x, n, sign);
  if (BUDDY_IS_SYMBOLIC(n) && !is_by_matrix(call)) return by_call(call, x, sign);
  if (BUDDY_IS_SYMBOLIC(n) || n <= SHORT) return by_matrix(call, x, n, sign);
  const int64_t a = factor_of(n);
  if (a < n) return by_factors(call, x, rows, a, n / a, sign);
  return n <= LONGEST_MATRIX ? by_matrix(call, x, n, sign) : by_convolution(call, x, n, sign);
}

cp_pair cp_fourier(buddy_call *call, cp_pair x, uint32_t dim, int sign) {
  const buddy_tensor_type *type = cp_type(call, x.re);
  if (!type) return (cp_pair){NULL, NULL};
  const uint32_t last = type->rank - 1;
  x = swapped(call, x, dim, last);
  type = cp_type(call, x.re);
  if (!type) return (cp_pair){NULL, NULL};
  int64_t rows = 1;
  for (uint32_t d = 0; d < last; ++d) rows = mul(call, rows, type->dims[d]);
  const int64_t flat[2] = {rows, type->dims[last]};
  x = viewed(call, transform(call, viewed(call, x, 2, flat), sign), type->rank, type->dims);
  return swapped(call, x, dim, last);
}
