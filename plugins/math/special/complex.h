// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/complex.h: functions of complex numbers, on f64 parts. A function is two,
 * one a part of its result: no calling convention for pairs is the same in C and in compiled code.
 * All are pure and [any-thread]. */
#ifndef BUDDY_PLUGINS_MATH_COMPLEX_H
#define BUDDY_PLUGINS_MATH_COMPLEX_H

#include "plugins/math/special/symbol.h"

#define MA_COMPLEX(name)                                         \
  double ma_##name##_re(double x, double y) MA_NAMED(name##_re); \
  double ma_##name##_im(double x, double y) MA_NAMED(name##_im)

MA_COMPLEX(cexp);
MA_COMPLEX(cexp2);
MA_COMPLEX(cexpm1);
MA_COMPLEX(clog);
MA_COMPLEX(clog2);
MA_COMPLEX(clog10);
MA_COMPLEX(clog1p);
MA_COMPLEX(csqrt);
MA_COMPLEX(crsqrt);
MA_COMPLEX(csigmoid);
MA_COMPLEX(csin);
MA_COMPLEX(ccos);
MA_COMPLEX(ctan);
MA_COMPLEX(casin);
MA_COMPLEX(cacos);
MA_COMPLEX(catan);
MA_COMPLEX(csinh);
MA_COMPLEX(ccosh);
MA_COMPLEX(ctanh);
MA_COMPLEX(casinh);
MA_COMPLEX(cacosh);
MA_COMPLEX(catanh);

/* (a + bi)^(c + di) */
double ma_cpow_re(double a, double b, double c, double d) MA_NAMED(cpow_re);
double ma_cpow_im(double a, double b, double c, double d) MA_NAMED(cpow_im);
double ma_cpow_of_re(double a, double b, double c, double d) MA_NAMED(cpow_of_re);
double ma_cpow_of_im(double a, double b, double c, double d) MA_NAMED(cpow_of_im);

#endif
