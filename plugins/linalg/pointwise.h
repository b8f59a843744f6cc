// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/pointwise.h: elementwise ops, one linalg.generic each, whatever broadcasts.
 *
 * A row names a `la_pointwise` as its user data: how many of its arguments are operands, in which
 * type the scalars are computed, and a formula on scalars. f16 and bf16 are computed in f32 and
 * rounded once, as PyTorch's kernels do. A number in place of a tensor becomes a constant inside
 * the loop. */
#ifndef BUDDY_PLUGINS_LINALG_POINTWISE_H
#define BUDDY_PLUGINS_LINALG_POINTWISE_H

#include "buddy/emit.h"

#define LA_MAX_OPERANDS 4

/* What a formula sees: its operands, all of one dtype, and where to put ops. */
typedef struct la_scalars {
  const be_body *body;
  buddy_dtype dtype;
  const MlirValue *at;
} la_scalars;

typedef MlirValue la_formula(const la_scalars *s);

/* One arith op for each kind of element type; null where there is none. */
typedef struct la_names {
  const char *on_float, *on_signed, *on_unsigned, *on_bool, *on_complex;
} la_names;
extern const la_names la_add, la_sub, la_mul, la_max, la_min, la_and, la_or, la_xor;

/* The type that formulas compute in. */
typedef enum la_domain {
  LA_RESULT,   /* the result's */
  LA_OPERANDS, /* the first tensor operand's */
  LA_BOOL,     /* truth values */
} la_domain;

typedef struct la_pointwise {
  uint8_t n_operands; /* the first arguments of the row */
  la_domain domain;
  uint8_t gives_bool;    /* the formula's value is an i1, not one of the domain */
  uint8_t conditions;    /* bit set of operands that are truth values in any domain */
  uint8_t divides;       /* by operand 1, which must not be 0 if it is a whole number */
  const la_names *names; /* the formula, where it is one op on all operands; or: */
  la_formula *formula;
} la_pointwise;

/* f32 for the narrower floats, else the dtype itself. */
buddy_dtype la_opmath(buddy_dtype dtype);
/* Can this row be lowered? Ops that have no form for a kind of type say so. */
buddy_code la_pointwise_match(void *state, const buddy_op *self, buddy_call *call);
buddy_code la_pointwise_emit(void *state, const buddy_op *self, buddy_call *call);

/* ---- For formulas ---- */
/* The op of that kind of element type; null: there is none. */
const char *la_name_for(const la_names *names, buddy_dtype dtype);
/* Argument i, a number, as a scalar; one that the program computes is read outside of the loop. Declines
 * where it is none. */
MlirValue la_number_of(const be_body *body, size_t i, buddy_dtype dtype);
MlirValue la_apply(const be_body *body, const la_names *names, buddy_dtype dtype, MlirValue a,
                   MlirValue b);
/* Argument i of the row, a number, as a scalar of the domain; `if_none` where it is None. */
MlirValue la_number(const la_scalars *s, size_t i, double if_none);
MlirValue la_constant(const la_scalars *s, double value);
/* The highest and the lowest value, infinities for floats. */
MlirValue la_lowest(const be_body *body, buddy_dtype dtype);
MlirValue la_highest(const be_body *body, buddy_dtype dtype);
/* Above all indices in i32 or i64. Not the highest number of all: LLVM (22) knows what the lesser of
 * that and another is, and no longer sees that a loop looks for the least. */
MlirValue la_above_indices(const be_body *body, buddy_dtype dtype);
/* C's / and % without the traps: by 0 as by 1, and the lowest number by -1 wraps. */
MlirValue la_divide(const be_body *body, buddy_dtype dtype, MlirValue a, MlirValue b);
MlirValue la_modulo(const be_body *body, buddy_dtype dtype, MlirValue a, MlirValue b);
/* What la_divide does to complex numbers. */
MlirValue la_complex_quotient(const be_body *body, buddy_dtype dtype, MlirValue a, MlirValue b);

/* ---- For other families ---- */
/* A body that gives its first element as it is. */
MlirValue la_first(const be_body *body, const MlirValue *elements, void *user);
/* A tensor of another dtype; the same value if it is of that dtype. */
MlirValue la_cast(buddy_call *call, MlirValue value, const buddy_tensor_type *from, buddy_dtype to);
/* Tensor argument i as `dtype`. */
MlirValue la_tensor_as(buddy_call *call, size_t i, buddy_dtype dtype);
/* Memory of the call; null, and recorded, when it is out. */
void *la_scratch(buddy_call *call, size_t n, size_t size);
/* Reads arguments whose value changes nothing here (device, layout, pin_memory, memory_format), so
 * that the host knows that they were not forgotten. */
void la_ignore(buddy_call *call, size_t first, size_t n);

#endif
