/* plugins/math/special/special.h: functions of real numbers that neither the math dialect nor the
 * C library has. Compiled code calls them by name (runtime.c), on f64 whatever the tensors hold, so
 * that results in narrower types are rounded once.
 *
 * All are pure and [any-thread]. NaN in, NaN out. Errors are relative, in units of the last place
 * of f64 and away from zeros of the function, as measured against mpmath
 * (tests/plugins/math). */
#ifndef BUDDY_PLUGINS_MATH_SPECIAL_H
#define BUDDY_PLUGINS_MATH_SPECIAL_H

/* gamma.c */
double ma_digamma(double x);
double ma_polygamma(double n, double x); /* n a whole number */
double ma_zeta(double s, double q);      /* Hurwitz */
double ma_igamma(double a, double x);    /* regularised lower incomplete gamma function */
double ma_igammac(double a, double x);   /* regularised upper one */
double ma_lgamma(double x);

/* error.c */
double ma_erfinv(double y);
double ma_erfcx(double x);
double ma_ndtr(double x);
double ma_log_ndtr(double x);
double ma_ndtri(double p);

/* bessel.c */
double ma_i0(double x);
double ma_i0e(double x);
double ma_i1(double x);
double ma_i1e(double x);
double ma_k0(double x);
double ma_k0e(double x);
double ma_k1(double x);
double ma_k1e(double x);
double ma_j0(double x);
double ma_j1(double x);
double ma_y0(double x);
double ma_y1(double x);
double ma_spherical_j0(double x);
double ma_airy_ai(double x);

/* polynomial.c: of degree n, which is cut to a whole number; 0 for negative ones */
double ma_chebyshev_t(double x, double n);
double ma_chebyshev_u(double x, double n);
double ma_chebyshev_v(double x, double n);
double ma_chebyshev_w(double x, double n);
double ma_shifted_chebyshev_t(double x, double n);
double ma_shifted_chebyshev_u(double x, double n);
double ma_shifted_chebyshev_v(double x, double n);
double ma_shifted_chebyshev_w(double x, double n);
double ma_hermite_h(double x, double n);
double ma_hermite_he(double x, double n);
double ma_laguerre_l(double x, double n);
double ma_legendre_p(double x, double n);

#endif
