// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/numbers.h: Python's arithmetic on numbers, as ATen ops on 0-d tensors of f64, i64 and i1. */
#ifndef BUDDY_SDK_IMPORT_NUMBERS_H
#define BUDDY_SDK_IMPORT_NUMBERS_H

#include <stdbool.h>

#include "sdk/import/pt2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the operands are computed in. */
typedef enum bd_number_class {
  BD_NUMBER_AS_RESULT, /* the result's dtype */
  BD_NUMBER_AS_WIDEST, /* f64 if one of them is a float, else i64 */
} bd_number_class;

/* What Python takes, and what 64 bits hold. */
typedef enum bd_number_domain {
  BD_TAKES_ALL,
  BD_TAKES_SUM,     /* of integers: 64 bits hold the result */
  BD_TAKES_DIVISOR, /* the second is not 0, of floats: integers are checked by the op */
  BD_TAKES_POWER, /* of floats: finite operands have a finite result; of integers as BD_TAKES_SUM */
  BD_TAKES_ROOT,  /* not less than 0 */
  BD_TAKES_SHIFT, /* by no less than 0 */
  BD_TAKES_WHOLE, /* a float that becomes an integer is one of 64 bits */
} bd_number_domain;

typedef struct bd_number_op {
  const char *target, *op; /* op: null: it only converts */
  const char *args[3];     /* schema names of the operands */
  bd_number_class operands;
  bd_number_domain domain;
} bd_number_op;

/* Where nodes are added: at the end of the frame's graph. */
typedef struct bd_number_at {
  bd_import *import;
  bd_frame *frame;
  const char *name; /* of the result; others' are made of it */
  const buddy_location *location;
} bd_number_at;

/* Null if there is none: "_operator.add". */
const bd_number_op *bd_number_op_find(const char *target);
size_t bd_number_op_arity(const bd_number_op *op);

bool bd_number_is_float(const buddy_arg *arg);
/* The number that a 0-d tensor was made of; null for other tensors. */
const buddy_arg *bd_number_behind(const buddy_arg *arg);
/* A number or a tensor of one element as a 0-d tensor of `dtype`. */
buddy_code bd_number_as_tensor(const bd_number_at *at, const buddy_arg *arg, buddy_dtype dtype,
                               const buddy_value **out_value);
/* As many operands as the op has: numbers, or tensors of one element. What the op refuses is checked
 * beside it. */
buddy_code bd_number_compute(const bd_number_at *at, const bd_number_op *op,
                             const buddy_arg *operands, buddy_dtype result,
                             const buddy_value **out_value);
/* aten._assert_scalar(condition, message) */
buddy_code bd_number_check(const bd_number_at *at, buddy_arg condition, const char *message);

#ifdef __cplusplus
}
#endif
#endif
