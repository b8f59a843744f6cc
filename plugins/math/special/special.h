// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/special.h: functions of real numbers that neither the math dialect nor the
 * C library has. Compiled code calls them by name (runtime.c), on f64 whatever the tensors hold, so
 * that results in narrower types are rounded once.
 *
 * All are pure and [any-thread]. NaN in, NaN out. Errors are relative, in units of the last place
 * of f64 and away from zeros of the function, as measured against mpmath
 * (tests/plugins/math). */
#ifndef BUDDY_PLUGINS_MATH_SPECIAL_H
#define BUDDY_PLUGINS_MATH_SPECIAL_H

#include "plugins/math/special/symbol.h"

/* gamma.c */
double ma_digamma(double x) MA_NAMED(digamma);
double ma_polygamma(double n, double x) MA_NAMED(polygamma); /* n a whole number */
double ma_zeta(double s, double q) MA_NAMED(zeta);           /* Hurwitz */
double ma_igamma(double a, double x)
    MA_NAMED(igamma); /* regularised lower incomplete gamma function */
double ma_igammac(double a, double x) MA_NAMED(igammac); /* regularised upper one */
double ma_lgamma(double x) MA_NAMED(lgamma);

/* error.c */
double ma_erfcx(double x) MA_NAMED(erfcx);
double ma_ndtr(double x) MA_NAMED(ndtr);
double ma_log_ndtr(double x) MA_NAMED(log_ndtr);

/* bessel.c */
double ma_i0(double x) MA_NAMED(i0);
double ma_i0e(double x) MA_NAMED(i0e);
double ma_i1(double x) MA_NAMED(i1);
double ma_i1e(double x) MA_NAMED(i1e);
double ma_k0(double x) MA_NAMED(k0);
double ma_k0e(double x) MA_NAMED(k0e);
double ma_k1(double x) MA_NAMED(k1);
double ma_k1e(double x) MA_NAMED(k1e);
double ma_j0(double x) MA_NAMED(j0);
double ma_j1(double x) MA_NAMED(j1);
double ma_y0(double x) MA_NAMED(y0);
double ma_y1(double x) MA_NAMED(y1);
double ma_spherical_j0(double x) MA_NAMED(spherical_j0);
double ma_airy_ai(double x) MA_NAMED(airy_ai);

/* polynomial.c: of degree n, which is cut to a whole number; 0 for negative ones */
double ma_chebyshev_t(double x, double n) MA_NAMED(chebyshev_t);
double ma_chebyshev_u(double x, double n) MA_NAMED(chebyshev_u);
double ma_chebyshev_v(double x, double n) MA_NAMED(chebyshev_v);
double ma_chebyshev_w(double x, double n) MA_NAMED(chebyshev_w);
double ma_shifted_chebyshev_t(double x, double n) MA_NAMED(shifted_chebyshev_t);
double ma_shifted_chebyshev_u(double x, double n) MA_NAMED(shifted_chebyshev_u);
double ma_shifted_chebyshev_v(double x, double n) MA_NAMED(shifted_chebyshev_v);
double ma_shifted_chebyshev_w(double x, double n) MA_NAMED(shifted_chebyshev_w);
double ma_hermite_h(double x, double n) MA_NAMED(hermite_h);
double ma_hermite_he(double x, double n) MA_NAMED(hermite_he);
double ma_laguerre_l(double x, double n) MA_NAMED(laguerre_l);
double ma_legendre_p(double x, double n) MA_NAMED(legendre_p);

#endif
