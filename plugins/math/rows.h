// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/rows.h: the functions, as data, and what emits them. */
#ifndef BUDDY_PLUGINS_MATH_ROWS_H
#define BUDDY_PLUGINS_MATH_ROWS_H

#include "buddy/emit.h"

#define MA_MAX_OPERANDS 2
#define MA_MAX_CALL_OPERANDS 4

/* What a formula sees: its operands, all of one float dtype, and where to put ops. */
typedef struct ma_scalars {
  const be_body *body;
  buddy_dtype dtype;
  const MlirValue *at;
} ma_scalars;

/* A function of floats: one op of the math dialect, a formula of several, or a call of a function
 * of this registry by the name that runtime.c has, on f64. */
typedef struct ma_function {
  const char *op;
  MlirValue (*formula)(const ma_scalars *s);
  const char *called;
  uint8_t n_operands; /* the first arguments of the row */
  uint8_t gives_bool;
  uint8_t is_wide;     /* the formula is computed in f64 */
  uint8_t on_integers; /* what it is of integers; 0: they are converted to floats */
} ma_function;
enum { MA_CONVERTED, MA_ITSELF, MA_FALSE, MA_TRUE };

buddy_code ma_emit(void *state, const buddy_op *self, buddy_call *call);
buddy_code ma_emit_abs(void *state, const buddy_op *self, buddy_call *call);
/* A call of @buddy_math_<name> inside a body; one result, of `type`. */
MlirValue ma_call(const be_body *body, const char *name, const MlirValue *operands,
                  size_t n_operands, MlirType type);
/* gcd and lcm, of integers: user is the name of the function. */
buddy_code ma_emit_integers(void *state, const buddy_op *self, buddy_call *call);
buddy_code ma_emit_frexp(void *state, const buddy_op *self, buddy_call *call);

/* complex.c: user is the name of the function on parts */
buddy_code ma_emit_complex(void *state, const buddy_op *self, buddy_call *call);

/* fourier.c: user is the kind (special/fourier.h) */
extern const int ma_fourier_complex, ma_fourier_of_reals, ma_fourier_to_reals;
buddy_code ma_emit_fourier(void *state, const buddy_op *self, buddy_call *call);

/* runtime.c */
const void *ma_extension(void *state, const char *id);

/* formulas.c */
extern const ma_function ma_sigmoid, ma_pow, ma_hypot, ma_frac, ma_round_decimals, ma_isinf,
    ma_isposinf, ma_isneginf, ma_signbit, ma_deg2rad, ma_rad2deg, ma_entr, ma_xlogy, ma_xlog1py,
    ma_logit, ma_copysign, ma_nextafter, ma_polygamma_rows, ma_logaddexp, ma_logaddexp2, ma_sinc,
    ma_atan2, ma_erfinv, ma_ndtri;

#endif
