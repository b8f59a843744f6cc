// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/integer.h: functions of and to whole numbers, called as those of
 * special.h. */
#ifndef BUDDY_PLUGINS_MATH_INTEGER_H
#define BUDDY_PLUGINS_MATH_INTEGER_H

#include <stdint.h>

#include "plugins/math/special/symbol.h"

/* The greatest common divisor, not negative but for INT64_MIN; gcd(0, 0) is 0. */
int64_t ma_gcd(int64_t a, int64_t b) MA_NAMED(gcd);
/* The least common multiple, not negative unless it wraps; 0 if either is 0. */
int64_t ma_lcm(int64_t a, int64_t b) MA_NAMED(lcm);
/* x = mantissa 2^exponent, 0.5 <= |mantissa| < 1; what has no exponent is its own mantissa. */
double ma_frexp_mantissa(double x) MA_NAMED(frexp_mantissa);
int64_t ma_frexp_exponent(double x) MA_NAMED(frexp_exponent);

#endif
