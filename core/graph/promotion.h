// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/promotion.h: which dtype PyTorch computes in when arguments differ. */
#ifndef BUDDY_CORE_GRAPH_PROMOTION_H
#define BUDDY_CORE_GRAPH_PROMOTION_H

#include <stdbool.h>

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tensors with dims count most, then 0-d tensors, then Python numbers: a lower group matters only
 * where its category (bool, integer, real, complex) is higher. All zero to begin with. */
typedef struct bd_promotion {
  buddy_dtype with_dims, zero_dim, number; /* of each group so far; 0: none */
  bool has_failed;                         /* two dtypes had no common one */
} bd_promotion;

/* Takes a TENSOR, INT, FLOAT, BOOL or COMPLEX argument into account, and each of TENSORS; others do not matter. */
BUDDY_EXPORT void bd_promotion_add(bd_promotion *promotion, const buddy_arg *arg);
/* BUDDY_DTYPE_NONE if there is none. */
BUDDY_EXPORT buddy_dtype bd_promotion_result(const bd_promotion *promotion);

/* As torch.promote_types; BUDDY_DTYPE_NONE where PyTorch refuses. */
BUDDY_EXPORT buddy_dtype bd_dtype_promote(buddy_dtype a, buddy_dtype b);
/* Integers and bool as f32, others as they are. */
BUDDY_EXPORT buddy_dtype bd_dtype_as_float(buddy_dtype dtype);
/* f64 as c128, f16 as c32, other real ones as c64. */
BUDDY_EXPORT buddy_dtype bd_dtype_complex_of(buddy_dtype real);
/* c64 as f32, others as they are. */
BUDDY_EXPORT buddy_dtype bd_dtype_real_part(buddy_dtype dtype);
/* Integers and bool. */
BUDDY_EXPORT bool bd_dtype_is_integral(buddy_dtype dtype);

#ifdef __cplusplus
}
#endif
#endif
