// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/runtime.c: the names by which compiled code calls the functions of special/. */
#include <string.h>

#include "buddy/extensions.h"
#include "plugins/math/rows.h"
#include "plugins/math/special/complex.h"
#include "plugins/math/special/fourier.h"
#include "plugins/math/special/integer.h"
#include "plugins/math/special/special.h"

#define FUNCTION(name) {MA_SYMBOL(name), (void (*)(void))ma_##name}
#define PARTS(name) FUNCTION(name##_re), FUNCTION(name##_im)

static const buddy_runtime_symbol symbols[] = {
    FUNCTION(digamma),
    FUNCTION(polygamma),
    FUNCTION(zeta),
    FUNCTION(igamma),
    FUNCTION(igammac),
    FUNCTION(lgamma),
    FUNCTION(erfcx),
    FUNCTION(ndtr),
    FUNCTION(log_ndtr),
    FUNCTION(i0),
    FUNCTION(i0e),
    FUNCTION(i1),
    FUNCTION(i1e),
    FUNCTION(k0),
    FUNCTION(k0e),
    FUNCTION(k1),
    FUNCTION(k1e),
    FUNCTION(j0),
    FUNCTION(j1),
    FUNCTION(y0),
    FUNCTION(y1),
    FUNCTION(spherical_j0),
    FUNCTION(airy_ai),
    FUNCTION(chebyshev_t),
    FUNCTION(chebyshev_u),
    FUNCTION(chebyshev_v),
    FUNCTION(chebyshev_w),
    FUNCTION(shifted_chebyshev_t),
    FUNCTION(shifted_chebyshev_u),
    FUNCTION(shifted_chebyshev_v),
    FUNCTION(shifted_chebyshev_w),
    FUNCTION(hermite_h),
    FUNCTION(hermite_he),
    FUNCTION(laguerre_l),
    FUNCTION(legendre_p),
    FUNCTION(frexp_mantissa),
    FUNCTION(frexp_exponent),
    FUNCTION(gcd),
    FUNCTION(lcm),
    FUNCTION(fourier_complex_f32),
    FUNCTION(fourier_complex_f64),
    FUNCTION(fourier_of_reals_f32),
    FUNCTION(fourier_of_reals_f64),
    FUNCTION(fourier_to_reals_f32),
    FUNCTION(fourier_to_reals_f64),
    {BUDDY_CREW_FUNCTION "math", (void (*)(void))ma_fourier_set_crew},
    PARTS(cexp),
    PARTS(cexp2),
    PARTS(cexpm1),
    PARTS(clog),
    PARTS(clog2),
    PARTS(clog10),
    PARTS(clog1p),
    PARTS(csqrt),
    PARTS(crsqrt),
    PARTS(csigmoid),
    PARTS(csin),
    PARTS(ccos),
    PARTS(ctan),
    PARTS(casin),
    PARTS(cacos),
    PARTS(catan),
    PARTS(csinh),
    PARTS(ccosh),
    PARTS(ctanh),
    PARTS(casinh),
    PARTS(cacosh),
    PARTS(catanh),
    PARTS(cpow),
    PARTS(cpow_of),
};

static const buddy_runtime runtime = {sizeof(buddy_runtime), sizeof(symbols) / sizeof(symbols[0]),
                                      symbols};

/* They are an archive, too: a model that calls some of them has them in it. */
static const buddy_ahead ahead = {.struct_size = sizeof(ahead), .file = "libbuddy_math.a"};

const void *ma_extension(void *state, const char *id) {
  (void)state;
  if (strcmp(id, BUDDY_RUNTIME_ID) == 0) return &runtime;
  return strcmp(id, BUDDY_AHEAD_ID) == 0 ? &ahead : NULL;
}
