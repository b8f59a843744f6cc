// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/shapes_joined.c: shapes of what is made of several tensors: joined, combined, multiplied. */
#include <string.h>

#include "core/base/try.h"
#include "core/graph/shapes.h"

/* ---- Joining ---- */

/* The tensors of the first argument that is a list of them. */
static const buddy_arg *tensors_of(const bd_question *q) {
  const buddy_arg *arg = q->node->n_args ? q->node->args[0] : NULL;
  return arg && arg->kind == BUDDY_ARG_TENSORS && arg->n ? arg : NULL;
}

/* PyTorch's cat passes over tensors of shape [0] for the sake of old programs. */
static bool is_skipped(const buddy_tensor_type *type) {
  return type->rank == 1 && type->dims[0] == 0;
}

static buddy_code join(bd_question *q, const buddy_tensor_type *type, uint32_t axis,
                       bd_shape *out) {
  if (type->rank != out->rank)
    return bd_contradiction(q, "tensors of rank %u and %u do not join", out->rank, type->rank);
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (i == axis) {
      out->dims[i] = bd_dim_do(q, BUDDY_DIM_ADD, out->dims[i], type->dims[i]);
    } else if (!bd_dims_may_equal(q, out->dims[i], type->dims[i])) {
      return bd_contradiction(q, "the tensors differ in dim %u", i);
    }
  }
  return BUDDY_OK;
}

buddy_code bd_shape_cat(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q);
  const buddy_tensor_type *first = NULL;
  uint32_t axis = 0;
  if (!tensors) return bd_shape_open(q, 0, out);
  for (size_t i = 0; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    if (type->rank == 0) return bd_contradiction(q, "a 0-d tensor does not join");
    if (is_skipped(type)) continue;
    if (first) {
      BD_TRY(join(q, type, axis, out));
      continue;
    }
    first = type;
    bd_shape_copy(out, type);
    BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
    if (axis == BD_ANY_RANK) return bd_shape_open(q, 0, out);
  }
  if (first) return BUDDY_OK;
  out->rank = 1;
  out->dims[0] = 0;
  return BUDDY_OK;
}

/* A negative dim counts from the end of each, so that their ranks must be the same. */
static buddy_code axis_of_all(bd_question *q, const buddy_arg *tensors, int64_t *axis) {
  const uint32_t rank = tensors->as.tensors[0]->type.rank;
  if (*axis >= 0) return BUDDY_OK;
  for (size_t i = 1; i < tensors->n; ++i) {
    if (tensors->as.tensors[i]->type.rank != rank)
      return bd_contradiction(q, "\"dim\" is negative, and the tensors' ranks differ");
  }
  *axis += rank;
  return BUDDY_OK;
}

/* Each tensor is cut into chunks along "dim"; what is after it becomes one dim. */
buddy_code bd_shape_chunk_cat(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q);
  int64_t axis;
  if (!tensors || !bd_number_named(q, "dim", &axis)) return bd_shape_open(q, 0, out);
  BD_TRY(axis_of_all(q, tensors, &axis));
  const buddy_tensor_type *first = &tensors->as.tensors[0]->type;
  bd_shape_copy(out, first);
  for (size_t i = 0; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    for (int64_t k = 0; k < axis; ++k) {
      if (!bd_dims_may_equal(q, first->dims[k], type->dims[k]))
        return bd_contradiction(q, "the tensors differ in dim %lld", (long long)k);
    }
  }
  out->rank = (uint32_t)axis;
  BD_TRY(bd_shape_push(q, out, bd_dim_named(q, "num_chunks")));
  return bd_shape_push(q, out, BD_ANY_DIM);
}

buddy_code bd_shape_stack(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q);
  if (!tensors) return bd_shape_open(q, 0, out);
  const buddy_tensor_type *first = &tensors->as.tensors[0]->type;
  for (size_t i = 1; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    bool is_same = type->rank == first->rank;
    for (uint32_t k = 0; is_same && k < type->rank; ++k)
      is_same = bd_dims_may_equal(q, first->dims[k], type->dims[k]);
    if (!is_same) return bd_contradiction(q, "the tensors do not have the same shape");
  }
  return bd_shape_insert(q, first, (int64_t)tensors->n, out);
}

/* Side by side: a number or a vector is one column. */
buddy_code bd_shape_column_stack(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q);
  if (!tensors) return bd_shape_open(q, 0, out);
  for (size_t i = 0; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    const int64_t column[] = {type->rank ? type->dims[0] : 1, 1};
    const buddy_tensor_type of_column = {type->dtype, 2, column};
    if (type->rank < 2) type = &of_column;
    if (i > 0) BD_TRY(join(q, type, 1, out));
    if (i == 0) bd_shape_copy(out, type);
  }
  return BUDDY_OK;
}

/* ---- Combining ---- */

/* Their blocks along a diagonal; a vector is a row, a number is one of one element. */
buddy_code bd_shape_block_diag(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q);
  if (!tensors) return bd_shape_open(q, 0, out);
  *out = (bd_shape){.rank = 2};
  for (size_t i = 0; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    if (type->rank > 2) return bd_contradiction(q, "a block of rank %u", type->rank);
    const int64_t rows = type->rank == 2 ? type->dims[0] : 1;
    const int64_t columns = type->rank ? type->dims[type->rank - 1] : 1;
    out->dims[0] = bd_dim_do(q, BUDDY_DIM_ADD, out->dims[0], rows);
    out->dims[1] = bd_dim_do(q, BUDDY_DIM_ADD, out->dims[1], columns);
  }
  return BUDDY_OK;
}

/* A row for each choice of one element of each vector; of one vector, itself. */
buddy_code bd_shape_cartesian_prod(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q);
  if (!tensors) return bd_shape_open(q, 0, out);
  *out = (bd_shape){.rank = tensors->n > 1 ? 2 : 1, .dims = {1, (int64_t)tensors->n}};
  for (size_t i = 0; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    if (type->rank != 1) return bd_contradiction(q, "a tensor of rank %u is no vector", type->rank);
    out->dims[0] = bd_dim_do(q, BUDDY_DIM_MUL, out->dims[0], type->dims[0]);
  }
  return BUDDY_OK;
}

/* Each result has a dim for each vector; "xy" changes the first two. */
buddy_code bd_shape_meshgrid(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q), *indexing = buddy_node_arg_find(q->node, "indexing");
  if (!tensors) return bd_shape_open(q, 0, out);
  out->rank = 0;
  for (size_t i = 0; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    if (type->rank > 1) return bd_contradiction(q, "a tensor of rank %u is no vector", type->rank);
    BD_TRY(bd_shape_push(q, out, type->rank ? type->dims[0] : 1));
  }
  if (out->rank > 1 && indexing && indexing->kind == BUDDY_ARG_STRING &&
      !strcmp(indexing->as.string, "xy")) {
    const int64_t first = out->dims[0];
    out->dims[0] = out->dims[1];
    out->dims[1] = first;
  }
  return BUDDY_OK;
}

/* Two tensors, one along "dim" of what they broadcast to: products summed up, or a likeness. */
buddy_code bd_shape_paired(bd_question *q, uint32_t result, bd_shape *out) {
  uint32_t axis;
  BD_TRY(bd_shape_broadcast(q, result, out));
  BD_TRY(bd_axis_named(q, "dim", out->rank, &axis));
  if (axis == BD_ANY_RANK) return bd_shape_open(q, 0, out);
  if (out->rank == 0) return BUDDY_OK;
  memmove(out->dims + axis, out->dims + axis + 1, (out->rank - axis - 1) * sizeof *out->dims);
  --out->rank;
  return BUDDY_OK;
}

/* Differences along "dim", "n" times, of self with what is put before and after it; not once, self alone. */
buddy_code bd_shape_diff(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  static const char *const ends[] = {"prepend", "append"};
  const buddy_tensor_type *type = bd_tensor_named(q, "self");
  uint32_t axis;
  if (!type || type->rank == 0) return bd_shape_open(q, 0, out);
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  if (axis == BD_ANY_RANK) return bd_shape_open(q, 0, out);
  bd_shape_copy(out, type);
  if (bd_dim_named(q, "n") == 0) return BUDDY_OK;
  for (size_t i = 0; i < 2; ++i) {
    const buddy_tensor_type *end = bd_tensor_named(q, ends[i]);
    if (end) BD_TRY(join(q, end, axis, out));
  }
  const int64_t n = bd_dim_named(q, "n"), size = out->dims[axis];
  out->dims[axis] = bd_dim_do(q, BUDDY_DIM_MAX, bd_dim_do(q, BUDDY_DIM_SUB, size, n), 0);
  return BUDDY_OK;
}

/* ---- Products ---- */

/* A chain of matrices, of which the first may be a row and the last a column. */
buddy_code bd_shape_multi_dot(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *tensors = tensors_of(q);
  if (!tensors) return bd_shape_open(q, 0, out);
  const buddy_tensor_type *first = &tensors->as.tensors[0]->type;
  bd_shape_copy(out, first);
  for (size_t i = 1; i < tensors->n; ++i) {
    const buddy_tensor_type *type = &tensors->as.tensors[i]->type;
    const bool may_be_vector = i + 1 == tensors->n;
    if (out->rank < 1 || out->rank > 2 || (type->rank != 2 && !(may_be_vector && type->rank == 1)))
      return bd_contradiction(q, "tensors of rank %u and %u are no chain", out->rank, type->rank);
    if (!bd_dims_may_equal(q, out->dims[out->rank - 1], type->dims[0]))
      return bd_contradiction(q, "the dims that are summed over differ");
    --out->rank;
    if (type->rank == 2) out->dims[out->rank++] = type->dims[1];
  }
  return BUDDY_OK;
}

/* Every element of one by every element of the other: the sizes are multiplied, from the last on. */
buddy_code bd_shape_kron(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *a = bd_tensor_named(q, "self"), *b = bd_tensor_named(q, "other");
  if (!a || !b) return bd_shape_open(q, 0, out);
  const buddy_tensor_type *shorter = a->rank < b->rank ? a : b;
  bd_shape_copy(out, shorter == a ? b : a);
  for (uint32_t k = 1; k <= shorter->rank; ++k) {
    int64_t *dim = &out->dims[out->rank - k];
    *dim = bd_dim_do(q, BUDDY_DIM_MUL, *dim, shorter->dims[shorter->rank - k]);
  }
  return BUDDY_OK;
}

/* Adds the dims of a tensor that a list does not name. */
static buddy_code push_others(bd_question *q, const buddy_tensor_type *type, const buddy_arg *list,
                              bd_shape *out) {
  uint64_t named = 0;
  for (size_t i = 0; i < list->n; ++i) {
    uint32_t axis;
    BD_TRY(bd_axis(q, list->as.ints[i], type->rank, &axis));
    named |= (uint64_t)1 << axis;
  }
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (!(named >> i & 1u)) BD_TRY(bd_shape_push(q, out, type->dims[i]));
  }
  return BUDDY_OK;
}

buddy_code bd_shape_tensordot(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *a = bd_tensor_named(q, "self"), *b = bd_tensor_named(q, "other");
  const buddy_arg *of_a = bd_list_named(q, "dims_self"), *of_b = bd_list_named(q, "dims_other");
  if (!a || !b || !of_a || !of_b) return bd_shape_open(q, 0, out);
  if (of_a->n != of_b->n)
    return bd_contradiction(q, "%zu dims and %zu are summed over", of_a->n, of_b->n);
  out->rank = 0;
  BD_TRY(push_others(q, a, of_a, out));
  return push_others(q, b, of_b, out);
}

/* ---- Sums of products, by an equation ---- */

typedef struct equation {
  int64_t dims[2 * 26]; /* of a letter */
  uint8_t n_times[2 * 26];
  bd_shape rest; /* of "..." */
} equation;

static uint32_t letter_of(char c) {
  if (c >= 'A' && c <= 'Z') return (uint32_t)(c - 'A');
  return c >= 'a' && c <= 'z' ? (uint32_t)(c - 'a') + 26 : BD_ANY_RANK;
}

/* Widens what "..." stands for by the n dims of one more operand, aligned at the end. */
static bool take_rest(bd_question *q, equation *e, const int64_t *dims, uint32_t n) {
  bd_shape *rest = &e->rest;
  if (n > rest->rank) {
    memmove(rest->dims + (n - rest->rank), rest->dims, rest->rank * sizeof *dims);
    for (uint32_t i = 0; i < n - rest->rank; ++i) rest->dims[i] = 1;
    rest->rank = n;
  }
  for (uint32_t k = 1; k <= n; ++k) {
    int64_t *dim = &rest->dims[rest->rank - k];
    if (!bd_dims_broadcast(q, *dim, dims[n - k], dim)) return false;
  }
  return true;
}

/* Reads the subscripts of one operand, to "," or "-" or the end. */
static buddy_code take_operand(bd_question *q, equation *e, const char **at,
                               const buddy_tensor_type *type) {
  uint32_t n_letters = 0, i = 0;
  for (const char *c = *at; *c && *c != ',' && *c != '-'; ++c) n_letters += *c != ' ' && *c != '.';
  for (; **at && **at != ',' && **at != '-'; ++*at) {
    const uint32_t letter = letter_of(**at);
    if (**at == ' ') continue;
    if (**at == '.') {
      if (type->rank < n_letters) break;
      const uint32_t n = type->rank - n_letters;
      if (!take_rest(q, e, type->dims + i, n))
        return bd_contradiction(q, "the rests do not broadcast");
      i += n;
      *at += strspn(*at, ".") - 1;
      continue;
    }
    if (letter == BD_ANY_RANK || i >= type->rank) break;
    const int64_t dim = type->dims[i++];
    if (!e->n_times[letter]) e->dims[letter] = 1;
    if (!bd_dims_broadcast(q, e->dims[letter], dim, &e->dims[letter]))
      return bd_contradiction(q, "the sizes of \"%c\" differ", **at);
    if (e->n_times[letter] < 2) ++e->n_times[letter];
  }
  if (i != type->rank || (**at && **at != ',' && **at != '-'))
    return bd_contradiction(q, "an operand of rank %u has other subscripts", type->rank);
  if (**at == ',') ++*at;
  return BUDDY_OK;
}

static buddy_code push_rest(bd_question *q, const equation *e, bd_shape *out) {
  for (uint32_t i = 0; i < e->rest.rank; ++i) BD_TRY(bd_shape_push(q, out, e->rest.dims[i]));
  return BUDDY_OK;
}

/* As torch.einsum says: without "->", the rest and what comes up once, by the alphabet. */
buddy_code bd_shape_einsum(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_arg *text = buddy_node_arg_find(q->node, "equation"),
                  *tensors = buddy_node_arg_find(q->node, "tensors");
  equation e = {0};
  if (!text || text->kind != BUDDY_ARG_STRING || !tensors || tensors->kind != BUDDY_ARG_TENSORS)
    return bd_shape_open(q, 0, out);
  const char *at = text->as.string;
  for (size_t i = 0; i < tensors->n; ++i)
    BD_TRY(take_operand(q, &e, &at, &tensors->as.tensors[i]->type));
  out->rank = 0;
  if (*at != '-') BD_TRY(push_rest(q, &e, out));
  for (uint32_t i = 0; *at != '-' && i < 2 * 26; ++i) {
    if (e.n_times[i] == 1) BD_TRY(bd_shape_push(q, out, e.dims[i]));
  }
  for (at += strspn(at, "->"); *at; at += *at == '.' ? strspn(at, ".") : 1) {
    const uint32_t letter = letter_of(*at);
    if (*at == '.') BD_TRY(push_rest(q, &e, out));
    if (letter == BD_ANY_RANK) continue;
    if (!e.n_times[letter]) return bd_contradiction(q, "no operand has \"%c\"", *at);
    BD_TRY(bd_shape_push(q, out, e.dims[letter]));
  }
  return BUDDY_OK;
}
