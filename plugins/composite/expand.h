// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/expand.h: the words in which expansions are written: one function per simple
 * op, so that an expansion reads like the formula of the op it stands for. Values may be null after
 * a failure; every word passes null on. */
#ifndef BUDDY_PLUGINS_COMPOSITE_EXPAND_H
#define BUDDY_PLUGINS_COMPOSITE_EXPAND_H

#include <stdbool.h>

#include "buddy/ask.h"

typedef const buddy_value *value;

/* Elementwise, by PyTorch's broadcasting. The names are ATen's, without the overload. */
value cp_unary(buddy_call *call, const char *op, value a);
value cp_binary(buddy_call *call, const char *op, value a, value b);  /* promotes as PyTorch does */
value cp_number(buddy_call *call, const char *op, value a, double b); /* op(a, b) */
value cp_dim(buddy_call *call, const char *op, value a, int64_t b);   /* a size, symbolic or not */
/* op(a, the number of argument i), which the program may compute; whether it is known before that. */
value cp_by(buddy_call *call, const char *op, value a, size_t i);
bool cp_is_known(buddy_call *call, size_t i);
static inline value cp_add(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.add.Tensor", a, b);
}
static inline value cp_sub(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.sub.Tensor", a, b);
}
static inline value cp_mul(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.mul.Tensor", a, b);
}
static inline value cp_div(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.div.Tensor", a, b);
}
static inline value cp_add_number(buddy_call *call, value a, double b) {
  return cp_number(call, "aten.add.Tensor", a, b);
}
static inline value cp_mul_number(buddy_call *call, value a, double b) {
  return cp_number(call, "aten.mul.Tensor", a, b);
}
value cp_where(buddy_call *call, value condition, value if_true, value if_false);
/* where(condition, if_true, number) */
value cp_where_number(buddy_call *call, value condition, value if_true, double if_false);

/* The value itself, once the condition held of all its elements; else the run ends with the
 * message: what PyTorch raises. */
value cp_checked(buddy_call *call, value a, value condition, const char *message);
/* low <= a <= high; NaNs are not. */
value cp_within(buddy_call *call, value a, double low, double high);

/* Complex numbers conjugated; others are what they are. */
value cp_conjugate(buddy_call *call, value a);

/* The dtype of a complex one's parts; a real one is its own. */
buddy_dtype cp_real_of(buddy_dtype dtype);
/* The dtype that tensors of the two are computed in, where both have dims. */
buddy_dtype cp_promote(buddy_dtype a, buddy_dtype b);
/* Conversion; the value itself if it has the dtype. */
value cp_cast(buddy_call *call, value a, buddy_dtype dtype);
/* The dtype that sums and exponentials of `dtype` are computed in: f32 for f16 and bf16, else
 * itself. */
buddy_dtype cp_compute_dtype(buddy_dtype dtype);
/* The argument in its compute dtype; a number as a 0-d tensor in the result's; null if it is
 * None. */
value cp_computed(buddy_call *call, size_t i);

/* Shapes. The value itself where nothing changes. */
value cp_view(buddy_call *call, value a, uint32_t rank, const int64_t *dims);
value cp_permute(buddy_call *call, value a, const int64_t *perm);
value cp_swap(buddy_call *call, value a, uint32_t dim0, uint32_t dim1);
value cp_expand(buddy_call *call, value a, uint32_t rank, const int64_t *dims);
value cp_flat(buddy_call *call, value a); /* of one dim */
/* Elements start, start + step, …: `size` of them along `dim`. */
value cp_slice(buddy_call *call, value a, uint32_t dim, int64_t start, int64_t size, int64_t step);
/* All but the first (is_next) or the last along a dim; nothing of nothing. */
value cp_neighbours(buddy_call *call, value a, uint32_t dim, bool is_next);

/* Reductions; axes is a bit set: of the last n dims, of all. */
uint64_t cp_last_axes(uint32_t rank, size_t n);
static inline uint64_t cp_all_axes(uint32_t rank) { return cp_last_axes(rank, rank); }
value cp_sum(buddy_call *call, value a, uint64_t axes, int keepdim);
value cp_mean(buddy_call *call, value a, uint64_t axes, int keepdim);
value cp_amax(buddy_call *call, value a, uint64_t axes, int keepdim);
/* The number of elements that a reduction over the axes takes together; may be symbolic. */
int64_t cp_count(buddy_call *call, value a, uint64_t axes);

/* Values in ascending (or descending) order along a dim, equal ones as they stood, and where they
 * were: i64. 0 after a failure. */
int cp_sort(buddy_call *call, value a, uint32_t dim, bool is_descending, value *out);
/* aten.gather: the index's dims. */
value cp_gather(buddy_call *call, value a, uint32_t dim, value index);
/* Elements of dim 0, as a list of indices names them. */
value cp_rows(buddy_call *call, value a, value index);

/* Creation. `like` gives the dims of full. */
value cp_full(buddy_call *call, const buddy_tensor_type *type, double number);
value cp_scalar(buddy_call *call, buddy_dtype dtype, double number); /* without dims */
value cp_counted(buddy_call *call, int64_t n,
                 buddy_dtype dtype);                           /* a size, which may be symbolic */
value cp_iota(buddy_call *call, int64_t n, buddy_dtype dtype); /* 0, 1, …, n - 1 */

/* Matrix products over the last two dims; operands of equal rank and batch dims. */
value cp_matmul(buddy_call *call, value a, value b);

const buddy_tensor_type *cp_type(buddy_call *call, value a);
/* Replaces result 0 by `a` converted to the result's dtype. */
buddy_code cp_finish(buddy_call *call, value a);
/* Replaces result i by the elements of `a` in the result's dims and dtype. */
buddy_code cp_finish_shaped(buddy_call *call, size_t i, value a);
/* Reads every argument of the row: for ops whose result type says all that their arguments do. */
void cp_read_all(buddy_call *call);

#endif
