// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/promotion.c: type promotion of PyTorch: a lattice of dtypes, and three groups of
 * arguments. */
#include "core/graph/promotion.h"

#define BIT(dtype) BUDDY_DTYPE_BIT(dtype)
#define WIDE_UNSIGNED (BIT(BUDDY_U16) | BIT(BUDDY_U32) | BIT(BUDDY_U64))

/* BOOL < INTEGER < REAL < COMPLEX; 0: none. */
typedef enum category { NOTHING, IS_BOOL, INTEGER, REAL, COMPLEX } category;

static category category_of(buddy_dtype dtype) {
  if (dtype == BUDDY_DTYPE_NONE) return NOTHING;
  if (dtype == BUDDY_BOOL) return IS_BOOL;
  if (BIT(dtype) & BUDDY_INTS) return INTEGER;
  return BIT(dtype) & BUDDY_COMPLEXES ? COMPLEX : REAL;
}

bool bd_dtype_is_integral(buddy_dtype dtype) {
  const category of = category_of(dtype);
  return of == IS_BOOL || of == INTEGER;
}

buddy_dtype bd_dtype_as_float(buddy_dtype dtype) {
  return bd_dtype_is_integral(dtype) ? BUDDY_F32 : dtype;
}

buddy_dtype bd_dtype_real_part(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_C32:
      return BUDDY_F16;
    case BUDDY_C64:
      return BUDDY_F32;
    case BUDDY_C128:
      return BUDDY_F64;
    default:
      return dtype;
  }
}

buddy_dtype bd_dtype_complex_of(buddy_dtype real) {
  if (real == BUDDY_F64) return BUDDY_C128;
  return real == BUDDY_F16 ? BUDDY_C32 : BUDDY_C64;
}

static buddy_dtype wider(buddy_dtype a, buddy_dtype b) {
  return buddy_dtype_size(a) >= buddy_dtype_size(b) ? a : b;
}

static buddy_dtype promote_integers(buddy_dtype a, buddy_dtype b) {
  if ((BIT(a) | BIT(b)) & WIDE_UNSIGNED) return BUDDY_DTYPE_NONE;
  if (buddy_dtype_size(a) != buddy_dtype_size(b)) return wider(a, b);
  return BUDDY_I16; /* u8 with i8: they differ and have one size */
}

static buddy_dtype promote_reals(buddy_dtype a, buddy_dtype b) {
  if (!(BIT(a) & BUDDY_FLOATS) || !(BIT(b) & BUDDY_FLOATS))
    return BUDDY_DTYPE_NONE; /* 8 bits: with itself alone */
  return buddy_dtype_size(a) == buddy_dtype_size(b) ? BUDDY_F32 : wider(a, b);
}

static buddy_dtype promote_complex(buddy_dtype a, buddy_dtype b) {
  const buddy_dtype x = bd_dtype_real_part(a), y = bd_dtype_real_part(b);
  const buddy_dtype real = x == y ? x : promote_reals(x, y);
  return real ? bd_dtype_complex_of(real) : BUDDY_DTYPE_NONE;
}

buddy_dtype bd_dtype_promote(buddy_dtype a, buddy_dtype b) {
  const category x = category_of(a), y = category_of(b);
  if (a == b || !a || !b) return a ? a : b;
  if (x < REAL || y < REAL) {
    if (x != y) return x > y ? a : b;
    return promote_integers(a, b);
  }
  return x == COMPLEX || y == COMPLEX ? promote_complex(a, b) : promote_reals(a, b);
}

static buddy_dtype dtype_of_number(buddy_arg_kind kind) {
  switch (kind) {
    case BUDDY_ARG_INT:
      return BUDDY_I64;
    case BUDDY_ARG_FLOAT:
      return BUDDY_F32;
    case BUDDY_ARG_BOOL:
      return BUDDY_BOOL;
    case BUDDY_ARG_COMPLEX:
      return BUDDY_C64;
    default:
      return BUDDY_DTYPE_NONE;
  }
}

static void join(bd_promotion *promotion, buddy_dtype *group, buddy_dtype dtype) {
  const bool had_any = *group || dtype;
  *group = bd_dtype_promote(*group, dtype);
  if (had_any && !*group) promotion->has_failed = true;
}

static void add_value(bd_promotion *promotion, const buddy_value *value) {
  const buddy_tensor_type *type = buddy_value_type(value);
  join(promotion, type->rank ? &promotion->with_dims : &promotion->zero_dim, type->dtype);
}

void bd_promotion_add(bd_promotion *promotion, const buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_TENSOR) {
    add_value(promotion, arg->as.tensor);
  } else if (arg->kind == BUDDY_ARG_TENSORS) {
    for (size_t i = 0; i < arg->n; ++i) {
      if (arg->as.tensors[i]) add_value(promotion, arg->as.tensors[i]);
    }
  } else {
    join(promotion, &promotion->number, dtype_of_number(arg->kind));
  }
}

/* The lower group lifts the category at most; where it does not, the higher group's dtype stays. */
static buddy_dtype combine(buddy_dtype higher, buddy_dtype lower) {
  const category x = category_of(higher), y = category_of(lower);
  if (x >= y || y == NOTHING) return higher;
  if (x == NOTHING) return lower;
  if (x == REAL) return bd_dtype_complex_of(higher); /* y is complex */
  return bd_dtype_promote(higher, lower);
}

buddy_dtype bd_promotion_result(const bd_promotion *promotion) {
  if (promotion->has_failed) return BUDDY_DTYPE_NONE;
  return combine(promotion->with_dims, combine(promotion->zero_dim, promotion->number));
}
