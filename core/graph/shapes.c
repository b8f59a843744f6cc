// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/shapes.c: what functions of shapes share, and those that go element by element. */
#include "core/graph/shapes.h"

#include <string.h>

#include "core/base/try.h"
#include "core/graph/dims.h"
#include "core/graph/guards.h"
#include "core/graph/types.h"

buddy_code bd_contradiction(bd_question *q, const char *format, ...) {
  if (!q->why) return BUDDY_INVALID_ARGUMENT;
  va_list args;
  va_start(args, format);
  bd_text_format_args(q->why, format, args);
  va_end(args);
  return BUDDY_INVALID_ARGUMENT;
}

/* ---- Dims ---- */

/* More than there is room for are not equal: the contract of an op has a few of them. */
static bool keep_equality(bd_question *q, int64_t a, int64_t b) {
  bd_equalities *kept = q->equalities;
  if (!kept) return true;
  for (uint32_t i = 0; i < kept->n; ++i) {
    if (kept->sizes[i][0] == a && kept->sizes[i][1] == b) return true;
  }
  if (kept->n == sizeof kept->sizes / sizeof *kept->sizes) return false;
  kept->are_one &= ~((uint64_t)1 << kept->n);
  kept->sizes[kept->n][0] = a;
  kept->sizes[kept->n++][1] = b;
  return true;
}

/* That a size which is spread is 1. */
static bool keep_one(bd_question *q, int64_t dim) {
  bd_equalities *kept = q->equalities;
  if (!keep_equality(q, dim, 1)) return false;
  for (uint32_t i = 0; kept && i < kept->n; ++i) {
    if (kept->sizes[i][0] == dim && kept->sizes[i][1] == 1) kept->are_one |= (uint64_t)1 << i;
  }
  return true;
}

bool bd_dims_may_equal(bd_question *q, int64_t a, int64_t b) {
  if (a == b || a == BD_ANY_DIM || b == BD_ANY_DIM) return true;
  if (!BUDDY_IS_SYMBOLIC(a) && !BUDDY_IS_SYMBOLIC(b)) return false;
  const int64_t difference = bd_dim_do(q, BUDDY_DIM_SUB, a, b);
  if (difference == 0) return true;
  return (difference == BD_ANY_DIM || BUDDY_IS_SYMBOLIC(difference)) && keep_equality(q, a, b);
}

static bool may_be(const bd_question *q, int64_t dim, int64_t number) {
  int64_t low, high;
  bd_dim_range(q->dims, dim, &low, &high);
  return low <= number && number <= high;
}

/* Whether a dim that broadcasts with `other` is 1: PyTorch took it for that, or the two never are equal. A
 * symbol is not: types are where the numbers of symbols come from. */
static bool has_to_be_one(bd_question *q, int64_t dim, int64_t other) {
  if (!BUDDY_IS_SYMBOLIC(dim) || bd_dim_is_kind(q->dims, dim, BUDDY_DIM_KIND_SYMBOL)) return false;
  if (other == BD_ANY_DIM || !may_be(q, dim, 1)) return false;
  if (bd_dim_is_stated(q->dims, dim, 1)) return true;
  const int64_t difference = bd_dim_do(q, BUDDY_DIM_SUB, dim, other);
  return difference != BD_ANY_DIM && !may_be(q, difference, 0) && !may_be(q, other, 1);
}

bool bd_dims_may_expand(bd_question *q, int64_t dim, int64_t to) {
  if (dim == 1 || dim == to) return true;
  return has_to_be_one(q, dim, to) ? keep_one(q, dim) : bd_dims_may_equal(q, dim, to);
}

bool bd_dims_may_spread(bd_question *q, int64_t dim, int64_t to) {
  return dim == BD_ANY_DIM ? bd_dims_may_equal(q, dim, to)
                           : may_be(q, dim, 1) || bd_dims_may_equal(q, dim, to);
}

/* Keeps what a run has to tell; the one of which there is one, else. */
static bool keep_broadcast(bd_question *q, int64_t a, int64_t b, int64_t *out_dim) {
  if (has_to_be_one(q, a, b)) {
    *out_dim = b;
    return keep_one(q, a);
  }
  if (has_to_be_one(q, b, a)) {
    *out_dim = a;
    return keep_one(q, b);
  }
  return keep_equality(q, a, b);
}

/* Sizes that differ must be told to be equal at run time, as rows broadcast 1 alone: a number other
 * than 1 wins over a symbol, and of two symbols that are both at least 2, or equal by a guard, the
 * first. */
bool bd_dims_broadcast(bd_question *q, int64_t a, int64_t b, int64_t *out_dim) {
  *out_dim = b == 1 ? a : b;
  if (a == b || a == 1 || b == 1) return true;
  if (a == BD_ANY_DIM || b == BD_ANY_DIM) {
    *out_dim = BD_ANY_DIM;
    return true;
  }
  const bool a_is_number = !BUDDY_IS_SYMBOLIC(a), b_is_number = !BUDDY_IS_SYMBOLIC(b);
  *out_dim = b_is_number ? b : a;
  if (a_is_number && b_is_number) return false;
  if (q->is_checked && !keep_broadcast(q, a, b, out_dim)) return false;
  if (a_is_number != b_is_number || q->is_checked) return true;
  int64_t low_a, low_b, high;
  bd_dim_range(q->dims, a, &low_a, &high);
  bd_dim_range(q->dims, b, &low_b, &high);
  return (low_a >= 2 && low_b >= 2) || bd_graph_tells_equal(q->node->graph, a, b);
}

int64_t bd_dim_do(bd_question *q, buddy_dim_op op, int64_t a, int64_t b) {
  int64_t dim;
  if (a == BD_ANY_DIM || b == BD_ANY_DIM) return BD_ANY_DIM;
  const buddy_code code = bd_dim_combine(q->dims, op, a, b, &dim);
  q->is_out_of_memory |= code == BUDDY_OUT_OF_MEMORY;
  return code ? BD_ANY_DIM : dim;
}

int64_t bd_dims_product(bd_question *q, const int64_t *dims, uint32_t n) {
  int64_t product = 1;
  for (uint32_t i = 0; i < n; ++i) {
    if (dims[i] == 0) return 0;
    if (dims[i] != 1) product = bd_dim_do(q, BUDDY_DIM_MUL, product, dims[i]);
  }
  return product;
}

/* ---- Arguments ---- */

const buddy_tensor_type *bd_tensor_named(const bd_question *q, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(q->node, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? &arg->as.tensor->type : NULL;
}

const buddy_tensor_type *bd_first_tensor(const bd_question *q) {
  for (uint32_t i = 0; i < q->node->n_args; ++i) {
    if (q->node->args[i]->kind == BUDDY_ARG_TENSOR) return &q->node->args[i]->as.tensor->type;
  }
  return NULL;
}

const buddy_arg *bd_list_named(const bd_question *q, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(q->node, name);
  return arg && arg->kind == BUDDY_ARG_INTS ? arg : NULL;
}

bool bd_number_named(const bd_question *q, const char *name, int64_t *out_number) {
  const buddy_arg *arg = buddy_node_arg_find(q->node, name);
  if (!arg || (arg->kind != BUDDY_ARG_INT && arg->kind != BUDDY_ARG_BOOL)) return false;
  *out_number = arg->as.i;
  return !BUDDY_IS_SYMBOLIC(arg->as.i);
}

int64_t bd_dim_named(const bd_question *q, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(q->node, name);
  return arg && arg->kind == BUDDY_ARG_INT ? arg->as.i : BD_ANY_DIM;
}

buddy_code bd_axis(bd_question *q, int64_t number, uint32_t rank, uint32_t *out_axis) {
  const int64_t n = rank ? rank : 1;
  if (BUDDY_IS_SYMBOLIC(number) || number < -n || number >= n) {
    return bd_contradiction(q, "a tensor of rank %u has no dim %lld", rank, (long long)number);
  }
  *out_axis = (uint32_t)(number < 0 ? number + n : number);
  return BUDDY_OK;
}

buddy_code bd_axis_named(bd_question *q, const char *name, uint32_t rank, uint32_t *out_axis) {
  int64_t number;
  *out_axis = BD_ANY_RANK;
  return bd_number_named(q, name, &number) ? bd_axis(q, number, rank, out_axis) : BUDDY_OK;
}

void bd_shape_copy(bd_shape *out, const buddy_tensor_type *type) {
  out->rank = type->rank;
  if (type->rank) memcpy(out->dims, type->dims, type->rank * sizeof *type->dims);
}

buddy_code bd_shape_push(bd_question *q, bd_shape *out, int64_t dim) {
  if (out->rank >= BD_MAX_RANK) return bd_contradiction(q, "it has more than %u dims", BD_MAX_RANK);
  out->dims[out->rank++] = dim;
  return BUDDY_OK;
}

/* `type` with one more dim at the place that "dim" names. */
buddy_code bd_shape_insert(bd_question *q, const buddy_tensor_type *type, int64_t dim,
                           bd_shape *out) {
  uint32_t axis;
  BD_TRY(bd_axis_named(q, "dim", type->rank + 1, &axis));
  if (axis == BD_ANY_RANK) return bd_shape_open(q, 0, out);
  if (type->rank >= BD_MAX_RANK)
    return bd_contradiction(q, "it has more than %u dims", BD_MAX_RANK);
  out->rank = type->rank + 1;
  for (uint32_t i = 0; i < out->rank; ++i)
    out->dims[i] = i == axis ? dim : type->dims[i < axis ? i : i - 1];
  return BUDDY_OK;
}

/* ---- Element by element ---- */

buddy_code bd_shape_open(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  out->rank = BD_ANY_RANK;
  if (q->is_checked) return BUDDY_OK;
  return bd_contradiction(q, "there is no rule for %s", q->node->op);
}

buddy_code bd_shape_same(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *first = bd_first_tensor(q);
  if (!first) return bd_shape_open(q, 0, out);
  bd_shape_copy(out, first);
  return BUDDY_OK;
}

static buddy_code do_not_broadcast(bd_question *q, int64_t a, int64_t b) {
  char x[64], y[64];
  bd_text text;
  bd_text_init_fixed(&text, x, sizeof x);
  bd_dim_print(q->dims, a, &text);
  bd_text_init_fixed(&text, y, sizeof y);
  bd_dim_print(q->dims, b, &text);
  return bd_contradiction(q, "the sizes %s and %s do not broadcast", x, y);
}

/* Widens in place, from the innermost dim outwards. */
static buddy_code broadcast_with(bd_question *q, bd_shape *out, const buddy_tensor_type *type) {
  const uint32_t rank = out->rank;
  const bool is_same = rank == type->rank && !memcmp(out->dims, type->dims, rank * sizeof(int64_t));
  if (rank && is_same) return BUDDY_OK;
  if (type->rank > rank) {
    const uint32_t more = type->rank - rank;
    memmove(out->dims + more, out->dims, rank * sizeof *out->dims);
    memcpy(out->dims, type->dims, more * sizeof *out->dims);
    out->rank = type->rank;
  }
  for (uint32_t k = 1; k <= rank && k <= type->rank; ++k) {
    const int64_t a = out->dims[out->rank - k], b = type->dims[type->rank - k];
    if (!bd_dims_broadcast(q, a, b, &out->dims[out->rank - k])) return do_not_broadcast(q, a, b);
  }
  return BUDDY_OK;
}

/* Of all tensors that are read. */
buddy_code bd_shape_broadcast(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  out->rank = 0;
  for (uint32_t i = 0; i < q->node->n_args; ++i) {
    const buddy_arg *arg = q->node->args[i];
    const buddy_schema_arg *schema = &q->node->def->args[i];
    if (schema->is_mutated && i > 0) continue; /* "out" */
    if (arg->kind == BUDDY_ARG_TENSOR) BD_TRY(broadcast_with(q, out, &arg->as.tensor->type));
    for (size_t k = 0; arg->kind == BUDDY_ARG_TENSORS && k < arg->n; ++k) {
      if (arg->as.tensors[k]) BD_TRY(broadcast_with(q, out, &arg->as.tensors[k]->type));
    }
  }
  return BUDDY_OK;
}

/* reduction 0: none of it; 1 and 2: the mean and the sum. */
buddy_code bd_shape_loss(bd_question *q, uint32_t result, bd_shape *out) {
  int64_t reduction = 0;
  const bool is_known = bd_number_named(q, "reduction", &reduction);
  const buddy_code code = bd_shape_broadcast(q, result, out);
  if (!is_known) out->rank = BD_ANY_RANK;
  if (reduction != 0) out->rank = 0;
  return code;
}

/* ---- Reductions ---- */

/* The reduced dims as a set of bits. */
static buddy_code reduced_dims(bd_question *q, const buddy_arg *arg, uint32_t rank,
                               uint64_t *out_set) {
  const bool is_list = arg && arg->kind == BUDDY_ARG_INTS;
  const size_t n = is_list ? arg->n : 1;
  /* No dims are all dims, but for all.dims and any.dims. */
  *out_set = is_list && strstr(q->node->op, ".dims") ? 0 : ~(uint64_t)0;
  if (!arg || arg->kind == BUDDY_ARG_NONE || n == 0) return BUDDY_OK;
  if (!is_list && arg->kind != BUDDY_ARG_INT) return bd_contradiction(q, "\"dim\" is no number");
  *out_set = 0;
  for (size_t i = 0; i < n; ++i) {
    int64_t dim = is_list ? arg->as.ints[i] : arg->as.i;
    if (dim < 0 && !BUDDY_IS_SYMBOLIC(dim)) dim += rank ? rank : 1;
    const bool is_inside = dim >= 0 && dim < (int64_t)(rank ? rank : 1);
    if (!is_inside || *out_set >> dim & 1u) {
      return bd_contradiction(
          q, "\"dim\" names a dim twice, or one that a tensor of rank %u does not have", rank);
    }
    *out_set |= (uint64_t)1 << dim;
  }
  return BUDDY_OK;
}

buddy_code bd_shape_reduce(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type = bd_first_tensor(q);
  if (!type) return bd_shape_open(q, 0, out);
  const buddy_arg *keepdim = buddy_node_arg_find(q->node, "keepdim");
  const bool keeps = keepdim && keepdim->kind == BUDDY_ARG_BOOL && keepdim->as.i;
  uint64_t set;
  BD_TRY(reduced_dims(q, buddy_node_arg_find(q->node, "dim"), type->rank, &set));
  out->rank = 0;
  for (uint32_t i = 0; i < type->rank; ++i) {
    const bool is_reduced = set >> i & 1u;
    if (!is_reduced || keeps) out->dims[out->rank++] = is_reduced ? 1 : type->dims[i];
  }
  return BUDDY_OK;
}
