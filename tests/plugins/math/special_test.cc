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

const std::map<std::string, One> ones = {{"digamma", ma_digamma},
                                         {"erfinv", ma_erfinv},
                                         {"erfcx", ma_erfcx},
                                         {"ndtr", ma_ndtr},
                                         {"log_ndtr", ma_log_ndtr},
                                         {"ndtri", ma_ndtri},
                                         {"i0", ma_i0},
                                         {"i0e", ma_i0e},
                                         {"i1", ma_i1},
                                         {"i1e", ma_i1e},
                                         {"k0", ma_k0},
                                         {"k0e", ma_k0e},
                                         {"k1", ma_k1},
                                         {"k1e", ma_k1e},
                                         {"airy_ai", ma_airy_ai},
                                         {"spherical_j0", ma_spherical_j0}};
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
  EXPECT_EQ(ma_erfinv(1), infinity);
  EXPECT_EQ(ma_erfinv(-1), -infinity);
  EXPECT_TRUE(std::isnan(ma_erfinv(1.5)));
  EXPECT_EQ(ma_erfcx(infinity), 0);
  EXPECT_EQ(ma_erfcx(-infinity), infinity);
  EXPECT_EQ(ma_ndtri(0), -infinity);
  EXPECT_EQ(ma_ndtri(1), infinity);
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

/* Sums as they are defined, of columns of a matrix, which are rows of its transposed one. */
TEST(SpecialTest, TransformsOfAnyLength) {
  for (int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 12, 31, 64, 97, 100, 1021, 194, 512, 330}) {
    const int64_t rows = n > 200 ? 3 : 11; /* more than go at once */
    std::vector<std::complex<double>> x(size_t(n * rows)), y(size_t(n * rows));
    std::vector<double> work(size_t(n * MA_FOURIER_EACH +
                                    std::min<int64_t>(n, MA_FOURIER_SHORT) * MA_FOURIER_MORE +
                                    MA_FOURIER_REST));
    for (int64_t i = 0; i < n * rows; ++i)
      x[i] = {sin(1.0 + 3.0 * double(i)), cos(7.0 * double(i))};
    for (int is_forward : {0, 1}) {
      ma_fourier_rows(reinterpret_cast<double *>(x.data()), rows, n, 1, rows,
                      reinterpret_cast<double *>(y.data()), work.data(), is_forward);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t k = 0; k < n; ++k) {
          std::complex<double> want = 0;
          for (int64_t j = 0; j < n; ++j)
            want += x[j * rows + r] *
                    std::polar(1.0, (is_forward ? -2 : 2) * M_PI * double(j * k % n) / double(n));
          EXPECT_NEAR(std::abs(y[r * n + k] - want), 0, 1e-13 * double(n)) << n << " " << k;
        }
      }
    }
  }
}

}  // namespace
