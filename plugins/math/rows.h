/* plugins/math/rows.h: the functions, as data, and what emits them. */
#ifndef BUDDY_PLUGINS_MATH_ROWS_H
#define BUDDY_PLUGINS_MATH_ROWS_H

#include "buddy/emit.h"

#define MA_MAX_OPERANDS 2

/* What a formula sees: its operands, all of one float dtype, and where to put ops. */
typedef struct ma_scalars {
  const be_body *body;
  buddy_dtype dtype;
  const MlirValue *at;
} ma_scalars;

/* A function of floats: one op of the math dialect, or a formula of several. */
typedef struct ma_function {
  const char *op;
  MlirValue (*formula)(const ma_scalars *s);
  uint8_t n_operands; /* the first arguments of the row */
  uint8_t gives_bool;
  uint8_t on_integers; /* what it is of integers; 0: they are converted to floats */
} ma_function;
enum { MA_CONVERTED, MA_ITSELF, MA_FALSE, MA_TRUE };

buddy_code ma_emit(void *state, const buddy_op *self, buddy_call *call);
buddy_code ma_emit_abs(void *state, const buddy_op *self, buddy_call *call);

/* formulas.c */
extern const ma_function ma_sigmoid, ma_pow, ma_hypot, ma_frac, ma_round_decimals, ma_isinf,
    ma_isposinf, ma_isneginf, ma_signbit, ma_deg2rad, ma_rad2deg;

#endif
