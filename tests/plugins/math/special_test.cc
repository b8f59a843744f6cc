// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The special functions of the math registry against values to 17 digits, and at the edges of their domains.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <string>
#include <vector>

extern "C" {
#include "plugins/math/special/fourier.h"
#include "plugins/math/special/integer.h"
#include "plugins/math/special/special.h"
}

namespace {

struct Value {
  const char *function;
  int n;
  double at[2];
  double value;
};

const Value values[] = {
#include "special_values.inc"
};

using One = double (*)(double);
using Two = double (*)(double, double);

const std::map<std::string, One> ones = {
    {"digamma", ma_digamma}, {"erfcx", ma_erfcx},
    {"ndtr", ma_ndtr},       {"log_ndtr", ma_log_ndtr},
    {"i0", ma_i0},           {"i0e", ma_i0e},
    {"i1", ma_i1},           {"i1e", ma_i1e},
    {"k0", ma_k0},           {"k0e", ma_k0e},
    {"k1", ma_k1},           {"k1e", ma_k1e},
    {"airy_ai", ma_airy_ai}, {"spherical_j0", ma_spherical_j0}};
const std::map<std::string, Two> twos = {
    {"polygamma", ma_polygamma},     {"zeta", ma_zeta},
    {"igamma", ma_igamma},           {"igammac", ma_igammac},
    {"hermite_h", ma_hermite_h},     {"chebyshev_t", ma_chebyshev_t},
    {"chebyshev_u", ma_chebyshev_u}, {"laguerre_l", ma_laguerre_l},
    {"legendre_p", ma_legendre_p}};

// Relative, and absolute where a function crosses zero or is the far tail of another.
double tolerance(double value) { return 4e-14 * std::fabs(value) + 4e-15; }

TEST(Special, ValuesOfMpmath) {
  for (const Value &v : values) {
    const double got =
        v.n == 1 ? ones.at(v.function)(v.at[0]) : twos.at(v.function)(v.at[0], v.at[1]);
    EXPECT_NEAR(got, v.value, tolerance(v.value))
        << v.function << "(" << v.at[0] << ", " << v.at[1] << ")";
  }
}

TEST(Special, Edges) {
  const double infinity = INFINITY;
  EXPECT_EQ(ma_digamma(0.0), -infinity);
  EXPECT_EQ(ma_digamma(-0.0), infinity);
  EXPECT_TRUE(std::isnan(ma_digamma(-3)));
  EXPECT_EQ(ma_zeta(1, 2), infinity);
  EXPECT_TRUE(std::isnan(ma_zeta(0.5, 2)));
  EXPECT_EQ(ma_erfcx(infinity), 0);
  EXPECT_EQ(ma_erfcx(-infinity), infinity);
  EXPECT_EQ(ma_k0(0), infinity);
  EXPECT_TRUE(std::isnan(ma_k1(-1)));
  EXPECT_EQ(ma_y0(0), -infinity);
  EXPECT_TRUE(std::isnan(ma_igamma(-1, 1)));
  EXPECT_EQ(ma_igamma(2, infinity), 1);
  EXPECT_EQ(ma_igammac(2, infinity), 0);
  for (const auto &[name, function] : ones) EXPECT_TRUE(std::isnan(function(NAN))) << name;
}

// P and Q of large a: their sum, and P about one half where x is a (DLMF 8.11.12).
TEST(Special, IncompleteGammaOfLargeNumbers) {
  for (const double a : {2e3, 9e5, 2e6, 1e9, 1e15}) {
    for (const double t : {-3.0, 0.0, 2.0}) {
      const double x = a + t * std::sqrt(a);
      EXPECT_NEAR(ma_igamma(a, x) + ma_igammac(a, x), 1, 1e-14) << a << " " << x;
    }
    EXPECT_NEAR(ma_igamma(a, a), 0.5 + 1 / (3 * std::sqrt(2 * M_PI * a)),
                0.02 / (a * std::sqrt(a)) + 1e-15)
        << a;
  }
}

// The two ways to a value meet where one takes over from the other.
TEST(Special, SeamsAreSmooth) {
  const struct {
    One function;
    double at;
  } seams[] = {{ma_i0e, 30},       {ma_i1e, 30},   {ma_airy_ai, 1},
               {ma_airy_ai, -8.5}, {ma_erfcx, 20}, {ma_digamma, 10}};
  for (const auto &seam : seams) {
    const double below = seam.function(std::nextafter(seam.at, -INFINITY)),
                 above = seam.function(seam.at);
    EXPECT_NEAR(below, above, 1e-13 * std::fabs(above)) << seam.at;
  }
}

TEST(Special, Integers) {
  EXPECT_EQ(ma_gcd(12, -18), 6);
  EXPECT_EQ(ma_gcd(0, 0), 0);
  EXPECT_EQ(ma_gcd(INT64_MIN, INT64_MIN), INT64_MIN);
  EXPECT_EQ(ma_lcm(4, -6), 12);
  EXPECT_EQ(ma_lcm(0, 5), 0);
  EXPECT_EQ(ma_frexp_mantissa(8), 0.5);
  EXPECT_EQ(ma_frexp_exponent(8), 4);
  EXPECT_EQ(ma_frexp_exponent(INFINITY), 0);
}

/* A transform of rows, each of which lies across the tensor where inner > 1, beside sums as they are defined. */
template <typename Real>
struct Fourier {
  ma_fourier f = {};
  int64_t half, n_x, n_y;
  std::vector<Real> x, y;
  std::vector<double> plan, work;

  Fourier(ma_fourier_kind kind, int64_t n, int64_t outer, int64_t inner, bool is_forward)
      : half(n / 2 + 1) {
    f.kind = kind;
    f.is_f32 = sizeof(Real) == sizeof(float);
    f.is_forward = is_forward;
    f.is_whole = kind == MA_FOURIER_OF_REALS && is_forward;
    f.n = n, f.outer = outer, f.inner = inner;
    f.scale = 0.5;
    n_x = kind == MA_FOURIER_TO_REALS ? half : n;
    n_y = kind == MA_FOURIER_OF_REALS && !f.is_whole ? half : n;
    x.resize(size_t(2 * outer * n_x * inner));
    y.resize(size_t(2 * outer * n_y * inner));
    for (size_t i = 0; i < x.size(); ++i) x[i] = Real(sin(1.0 + 3.7 * double(i * i % 1009)));
    const int64_t x_strides[3] = {n_x * inner, inner, 1}, y_strides[3] = {n_y * inner, inner, 1};
    std::copy_n(x_strides, 3, f.x_strides);
    std::copy_n(y_strides, 3, f.y_strides);
    f.n_parts = 2;
    plan.assign(size_t(ma_fourier_plan_size(kind, n)) + 1, 7);
    work.assign(size_t(f.n_parts * ma_fourier_work_size(kind, n)) + 1, 7);
    f.x = x.data(), f.y = y.data(), f.plan = plan.data(), f.work = work.data();
    EXPECT_LE(plan.size() - 1, size_t(n * MA_FOURIER_PLAN_EACH + MA_FOURIER_REST)) << n;
    EXPECT_LE(work.size() / 2,
              size_t(n * MA_FOURIER_WORK_EACH + MA_FOURIER_REST +
                     std::min<int64_t>(n, MA_FOURIER_SHORT) * MA_FOURIER_WORK_MORE))
        << n;
  }
  std::complex<double> input(int64_t o, int64_t j, int64_t r) const {
    const bool is_mirrored = f.kind == MA_FOURIER_TO_REALS && j >= half;
    const size_t at = size_t((o * n_x + (is_mirrored ? f.n - j : j)) * f.inner + r);
    if (f.kind == MA_FOURIER_OF_REALS) return double(x[at]);
    std::complex<double> a = {double(x[2 * at]), double(x[2 * at + 1])};
    if (f.kind == MA_FOURIER_TO_REALS && (j == 0 || 2 * j == f.n)) a.imag(0);
    return is_mirrored ? std::conj(a) : a;
  }
  std::complex<double> output(int64_t o, int64_t k, int64_t r) const {
    const size_t at = size_t((o * n_y + k) * f.inner + r);
    return f.kind == MA_FOURIER_TO_REALS
               ? std::complex<double>(double(y[at]))
               : std::complex<double>(double(y[2 * at]), double(y[2 * at + 1]));
  }
  void compare() const {
    std::vector<std::complex<double>> roots;
    for (int64_t t = 0; t < f.n; ++t)
      roots.push_back(std::polar(1.0, -2 * M_PI * double(t) / double(f.n)));
    const bool is_inverse =
        f.kind == MA_FOURIER_COMPLEX ? !f.is_forward : f.kind == MA_FOURIER_TO_REALS;
    const double tolerance = (f.is_f32 ? 1e-7 : 2e-15) * double(f.n);
    for (int64_t row = 0; row < f.outer * f.inner; ++row) {
      const int64_t o = row / f.inner, r = row % f.inner;
      std::vector<std::complex<double>> inputs;
      for (int64_t j = 0; j < f.n; ++j) inputs.push_back(input(o, j, r));
      for (int64_t k = 0; k < n_y; ++k) {
        std::complex<double> want = 0;
        for (int64_t j = 0; j < f.n; ++j) {
          const auto root = roots[size_t(j * k % f.n)];
          want += 0.5 * inputs[size_t(j)] * (is_inverse ? std::conj(root) : root);
        }
        if (f.kind == MA_FOURIER_TO_REALS) want.imag(0);
        const std::complex<double> got = output(o, k, r);
        EXPECT_NEAR(std::abs(got - want), 0, tolerance)
            << f.kind << " " << f.n << " " << k << " " << row;
        if (f.kind == MA_FOURIER_OF_REALS && (k == 0 || 2 * k == f.n)) {
          EXPECT_EQ(got.imag(), 0) << f.n << " " << k;
        }
      }
    }
    EXPECT_EQ(plan.back(), 7) << f.kind << " " << f.n;
    EXPECT_EQ(work.back(), 7) << f.kind << " " << f.n;
  }
};

template <typename Real>
void transform_all(int64_t n) {
  const int64_t shapes[][2] = {{1, 1}, {3, 1}, {11, 1}, {2, 5}, {1, 19}};
  for (const ma_fourier_kind kind :
       {MA_FOURIER_COMPLEX, MA_FOURIER_OF_REALS, MA_FOURIER_TO_REALS}) {
    for (const bool is_forward : {true, false}) {
      for (const auto &shape : shapes) {
        if (n > 40 && shape[0] * shape[1] > 3) continue;
        Fourier<Real> t(kind, n, shape[0], shape[1], is_forward);
        ma_fourier_run(&t.f);
        t.compare();
        t.f.is_planned = true;
        std::fill(t.y.begin(), t.y.end(), Real(9));
        ma_fourier_run(&t.f);
        t.compare();
      }
    }
  }
}

TEST(SpecialTest, TransformsOfAnyLength) {
  for (int64_t n = 1; n < 20; ++n) transform_all<float>(n), transform_all<double>(n);
  for (int64_t n : {64, 74, 97, 100, 121, 128, 194, 225, 330, 512, 1021, 1024})
    transform_all<double>(n);
}

// Their sizes alone: both are below what symbolic lengths reserve.
TEST(SpecialTest, TransformsNeedNoMoreThanIsReserved) {
  for (int64_t n = 0; n < 70000; n += n < 9000 ? 1 : 97) {
    for (const ma_fourier_kind kind :
         {MA_FOURIER_COMPLEX, MA_FOURIER_OF_REALS, MA_FOURIER_TO_REALS}) {
      ASSERT_LE(ma_fourier_plan_size(kind, n), n * MA_FOURIER_PLAN_EACH + MA_FOURIER_REST) << n;
      ASSERT_LE(ma_fourier_work_size(kind, n),
                n * MA_FOURIER_WORK_EACH + MA_FOURIER_REST +
                    std::min<int64_t>(n, MA_FOURIER_SHORT) * MA_FOURIER_WORK_MORE)
          << n;
    }
  }
}

}  // namespace
