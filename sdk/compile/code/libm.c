// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/libm.c: the table of mathematical functions. */
#include "sdk/compile/code/libm.h"

#include <complex.h>
#include <math.h>

#define BOTH(name) \
  {#name, (void (*)(void))(name)}, { #name "f", (void (*)(void))name##f }

static const buddy_runtime_symbol symbols[] = {
    BOTH(acos),      BOTH(acosh), BOTH(asin),   BOTH(asinh),     BOTH(atan),      BOTH(atan2),
    BOTH(atanh),     BOTH(cbrt),  BOTH(ceil),   BOTH(copysign),  BOTH(cos),       BOTH(cosh),
    BOTH(erf),       BOTH(erfc),  BOTH(exp),    BOTH(exp2),      BOTH(expm1),     BOTH(fabs),
    BOTH(floor),     BOTH(fma),   BOTH(fmax),   BOTH(fmin),      BOTH(fmod),      BOTH(frexp),
    BOTH(hypot),     BOTH(ldexp), BOTH(lgamma), BOTH(log),       BOTH(log10),     BOTH(log1p),
    BOTH(log2),      BOTH(logb),  BOTH(modf),   BOTH(nearbyint), BOTH(nextafter), BOTH(pow),
    BOTH(remainder), BOTH(rint),  BOTH(round),  BOTH(scalbn),    BOTH(sin),       BOTH(sinh),
    BOTH(sqrt),      BOTH(tan),   BOTH(tanh),   BOTH(tgamma),    BOTH(trunc),     BOTH(j0),
    BOTH(j1),        BOTH(y0),    BOTH(y1),     BOTH(cabs),      BOTH(cacos),     BOTH(cacosh),
    BOTH(carg),      BOTH(casin), BOTH(casinh), BOTH(catan),     BOTH(catanh),    BOTH(ccos),
    BOTH(ccosh),     BOTH(cexp),  BOTH(clog),   BOTH(cpow),      BOTH(csin),      BOTH(csinh),
    BOTH(csqrt),     BOTH(ctan),  BOTH(ctanh),
};

const buddy_runtime_symbol *bd_libm_symbols(size_t *out_n) {
  *out_n = sizeof(symbols) / sizeof(symbols[0]);
  return symbols;
}
