// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/shapes.h: shapes of results: one function for each bd_shape_rule, and what they share.
 *
 * A function answers for one result. Where it cannot know, a dim is BD_ANY_DIM, or the whole rank
 * BD_ANY_RANK: that agrees with everything. Where the arguments contradict each other it says so
 * in half a sentence. */
#ifndef BUDDY_CORE_GRAPH_SHAPES_H
#define BUDDY_CORE_GRAPH_SHAPES_H

#include "core/base/text.h"
#include "core/graph/model.h"
#include "core/symbols/contracts.h"

#define BD_ANY_DIM INT64_MAX
#define BD_ANY_RANK UINT32_MAX

typedef struct bd_shape {
  uint32_t rank;
  int64_t dims[BD_MAX_RANK];
} bd_shape;

/* Sizes that the contract wants equal, where only a run can tell. */
typedef struct bd_equalities {
  uint32_t n;
  int64_t sizes[64][2];
  uint64_t are_one; /* bits: of pairs of a size that is spread and 1 */
} bd_equalities;

/* A node whose results are asked for. */
typedef struct bd_question {
  const buddy_node *node;
  bd_dims *dims;
  bd_text *why;              /* what stands against it; null while forms are only tried */
  bool is_checked;           /* the results have types: what cannot be known is taken from them */
  bd_equalities *equalities; /* null: they are not asked for */
  bool is_out_of_memory;     /* a dim is unknown for that alone: there is no answer */
} bd_question;

typedef buddy_code bd_shape_function(bd_question *q, uint32_t result, bd_shape *out);
#define BD_X(name, function) bd_shape_function function;
BD_SHAPE_RULES(BD_X)
#undef BD_X

buddy_code bd_contradiction(bd_question *q, const char *format, ...) BUDDY_PRINTF(2, 3);

/* False if two dims can never be equal. Of a symbol and another dim it is true, and the two are kept
 * among the equalities: only a run can tell. */
bool bd_dims_may_equal(bd_question *q, int64_t a, int64_t b);
/* False if a dim can be neither that of `to` nor 1; which of them it has to be is kept: 1 where PyTorch took it for
 * that, or the two never are equal; for rows, that is the number in the operands' types then. */
bool bd_dims_may_expand(bd_question *q, int64_t dim, int64_t to);
/* False if a dim can be neither that of `to` nor 1. What may be 1 in a run is not kept among the equalities: PyTorch
 * asks nothing of it before the op runs, and the row that takes the op sees to it. */
bool bd_dims_may_spread(bd_question *q, int64_t dim, int64_t to);
/* The dim of which there is one after broadcasting a and b; false if they do not. */
bool bd_dims_broadcast(bd_question *q, int64_t a, int64_t b, int64_t *out_dim);

/* Null if there is none of that name, or it is not a tensor. */
const buddy_tensor_type *bd_tensor_named(const bd_question *q, const char *name);
/* The first argument that is a tensor. */
const buddy_tensor_type *bd_first_tensor(const bd_question *q);
/* The argument of that name if it is a list of numbers; null if not. */
const buddy_arg *bd_list_named(const bd_question *q, const char *name);
/* A plain number; false if there is none, or it is only known in the run. */
bool bd_number_named(const bd_question *q, const char *name, int64_t *out_number);
/* A number, maybe symbolic; BD_ANY_DIM if it is not known. */
int64_t bd_dim_named(const bd_question *q, const char *name);
/* The dim of a tensor of that rank that a number means; a 0-d tensor has one. */
buddy_code bd_axis(bd_question *q, int64_t number, uint32_t rank, uint32_t *out_axis);
/* The same for an argument that must be there as a number; BD_ANY_RANK if it is not known. */
buddy_code bd_axis_named(bd_question *q, const char *name, uint32_t rank, uint32_t *out_axis);
/* Arithmetic; what is not known, or overflows, is BD_ANY_DIM. */
int64_t bd_dim_do(bd_question *q, buddy_dim_op op, int64_t a, int64_t b);
int64_t bd_dims_product(bd_question *q, const int64_t *dims, uint32_t n);

void bd_shape_copy(bd_shape *out, const buddy_tensor_type *type);
/* Adds a dim at the end; one too many is a contradiction. */
buddy_code bd_shape_push(bd_question *q, bd_shape *out, int64_t dim);
/* The type's shape with a dim more, at the place that the argument "dim" names. */
buddy_code bd_shape_insert(bd_question *q, const buddy_tensor_type *type, int64_t dim,
                           bd_shape *out);

#endif
