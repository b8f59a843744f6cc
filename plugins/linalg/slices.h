// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/slices.h: parts of tensors: extracting, inserting, padding, and reading elements
 * by computed position. */
#ifndef BUDDY_PLUGINS_LINALG_SLICES_H
#define BUDDY_PLUGINS_LINALG_SLICES_H

#include "plugins/linalg/pointwise.h"

/* A strided box inside a tensor; every number may be symbolic. */
typedef struct la_box {
  uint32_t rank;
  uint64_t dropped; /* the dims of size 1 that the part does without */
  int64_t offsets[BE_MAX_RANK], sizes[BE_MAX_RANK], strides[BE_MAX_RANK];
  MlirValue at; /* of dim 0, an offset that only a loop around it knows; null: offsets[0] */
} la_box;

/* Whether a dim is known to be 0. */
int la_is_empty(const buddy_tensor_type *type);
/* The box that is all of `type`. Declines ranks beyond BE_MAX_RANK: rank 0 and an unusable box
 * then. */
la_box la_whole(buddy_call *call, const buddy_tensor_type *type);
/* tensor.extract_slice. The part's sizes are the box's without its dropped dims; where `to` has a
 * number for what is symbolic there, or the reverse, a tensor.cast says so. */
MlirValue la_extract(buddy_call *call, MlirValue value, const la_box *box,
                     const buddy_tensor_type *to);
/* tensor.insert_slice into a tensor of type `to`; the source is cast as the part is above. */
MlirValue la_insert(buddy_call *call, MlirValue source, MlirValue into, const la_box *box,
                    const buddy_tensor_type *to);
/* The same inside of a body, for parts that are as large as the box says. */
MlirValue la_extract_in(const be_body *where, MlirValue value, const la_box *box,
                        buddy_dtype dtype);
MlirValue la_insert_in(const be_body *where, MlirValue source, MlirValue into, const la_box *box);
/* Ends the run with a message unless the box lies inside of a dim of `size`, or the index is one of it,
 * where only the run tells: expansions cut what may have no element. */
void la_check_part(buddy_call *call, const la_box *box, int64_t axis, int64_t size);
void la_check_index(buddy_call *call, int64_t index, int64_t size);
/* The same where n is more than that. */
void la_check_most(buddy_call *call, int64_t n, int64_t most, const char *message);
/* tensor.pad by a scalar; negative amounts cut. The result's dims are `to`'s. */
MlirValue la_padded(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                    const int64_t *low, const int64_t *high, MlirValue scalar,
                    const buddy_tensor_type *to);

/* ---- Reading by position ---- */
/* Fills `out` with the position (index values, one a dim of the source) that an element of the
 * result is read from. */
typedef void la_position(const be_body *body, MlirValue *out, void *user);
/* A tensor of type `to` whose elements are read from `value`; the loops of `body` are the dims of
 * `to`. */
MlirValue la_rearranged(buddy_call *call, MlirValue value, const buddy_tensor_type *to,
                        uint32_t from_rank, la_position *position, void *user);
/* tensor.extract inside a body. */
MlirValue la_element(const be_body *body, MlirValue tensor, buddy_dtype dtype,
                     const MlirValue *position, uint32_t rank);

/* max(n, 0) and max(-n, 0) of numbers and symbols. */
int64_t la_positive_part(buddy_call *call, int64_t n);
int64_t la_negative_part(buddy_call *call, int64_t n);

/* An index as i64, and a signed integer as an index. */
MlirValue la_as_i64(const be_body *body, MlirValue index);
MlirValue la_as_index(const be_body *body, MlirValue integer);
MlirValue la_index_add(const be_body *body, MlirValue a, MlirValue b);
MlirValue la_index_sub(const be_body *body, MlirValue a, MlirValue b);
MlirValue la_index_mul(const be_body *body, MlirValue a, MlirValue b);
/* Remainder and quotient of non-negative numbers. */
MlirValue la_index_mod(const be_body *body, MlirValue a, MlirValue b);
MlirValue la_index_div(const be_body *body, MlirValue a, MlirValue b);
/* An index below twice the size, as that of a dim gone round. */
MlirValue la_index_around(const be_body *body, MlirValue index, MlirValue size);
/* An element of an index tensor as an index of a dim of `size`: negative ones count from the end if
 * `wraps`. What is out of bounds (see la_check_indices) is brought to the nearest end, so that no
 * memory beyond the tensor is touched. */
MlirValue la_index_of(const be_body *body, MlirValue element, buddy_dtype dtype, MlirValue size,
                      int wraps);
/* Ends the run with the message unless `holds`, a condition (i1), of every element. */
void la_check_all(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                  be_body_fn holds, void *user, const char *message);
/* Ends the run with a message if an element of the index tensor is out of range: PyTorch's error. n_at_each: how
 * many elements an index stands for, a dim; where it is 0, indices are anything. */
void la_check_indices(buddy_call *call, MlirValue indices, const buddy_tensor_type *type,
                      int64_t size, int wraps, int64_t n_at_each);
/* Ends the run with a message unless no dim of the index tensor, but for the axis, is longer than the
 * tensor's: gather and scatter read and write at the positions of their indices. Any tensor does
 * for no indices at all. */
void la_check_fits(buddy_call *call, const buddy_tensor_type *indices,
                   const buddy_tensor_type *type, int64_t axis);
/* Ends the run with the message if one of the whole numbers counts nothing: it is negative, or one
 * more than it is no number any more. */
void la_check_counts(buddy_call *call, MlirValue counts, const buddy_tensor_type *type,
                     const char *message);
/* Ends the run with the message unless all numbers lie between low and high; a NaN does not. */
void la_check_range(buddy_call *call, MlirValue numbers, const buddy_tensor_type *type, double low,
                    double high, const char *message);
/* An error of the run where an element of a tensor of whole numbers is 0 and the result is not empty,
 * as PyTorch has it. */
void la_check_divisors(buddy_call *call, MlirValue divisors, const buddy_tensor_type *type,
                       const buddy_tensor_type *result);
/* The condition (i1), or that a tensor of this type has no elements in the run. */
MlirValue la_or_empty(buddy_call *call, MlirValue condition, const buddy_tensor_type *type);

#endif
