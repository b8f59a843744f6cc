// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/shapes_windows.c: shapes of products of any rank, of convolutions and pooling, of
 * interpolation and padding, and of what indices take. */
#include <string.h>

#include "core/graph/shapes.h"
#include "core/base/try.h"

/* Element i of a list of which one number stands for all; BD_ANY_DIM if there is none. */
static int64_t each(const buddy_arg *list, uint32_t i) {
  if (!list || list->n == 0) return BD_ANY_DIM;
  return list->as.ints[list->n == 1 ? 0 : i];
}

/* A list of numbers, one for each of n dims or one for all; null if it is not given. */
static buddy_code list_for(bd_question *q, const char *name, uint32_t n,
                           const buddy_arg **out_list) {
  *out_list = bd_list_named(q, name);
  if (!*out_list || (*out_list)->n <= 1 || (*out_list)->n == n) return BUDDY_OK;
  return bd_contradiction(q, "\"%s\" has %zu numbers, for %u dims", name, (*out_list)->n, n);
}

/* ---- Products ---- */

static buddy_code batch_of(bd_question *q, const buddy_tensor_type *a, const buddy_tensor_type *b,
                           bd_shape *out) {
  const uint32_t n_a = a->rank > 2 ? a->rank - 2 : 0, n_b = b->rank > 2 ? b->rank - 2 : 0;
  out->rank = n_a > n_b ? n_a : n_b;
  for (uint32_t k = 1; k <= out->rank; ++k) {
    const int64_t x = k <= n_a ? a->dims[n_a - k] : 1, y = k <= n_b ? b->dims[n_b - k] : 1;
    if (!bd_dims_broadcast(q, x, y, &out->dims[out->rank - k]))
      return bd_contradiction(q, "the batches do not broadcast");
  }
  return BUDDY_OK;
}

buddy_code bd_shape_matmul(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *a = bd_tensor_named(q, "self"), *b = bd_tensor_named(q, "other");
  if (!a || !b) return bd_shape_open(q, 0, out);
  if (a->rank == 0 || b->rank == 0) return bd_contradiction(q, "a product of a 0-d tensor");
  const int64_t k = b->dims[b->rank == 1 ? 0 : b->rank - 2];
  if (!bd_dims_may_equal(q, a->dims[a->rank - 1], k))
    return bd_contradiction(q, "the dims that are summed over differ");
  BD_TRY(batch_of(q, a, b, out));
  if (a->rank > 1) BD_TRY(bd_shape_push(q, out, a->dims[a->rank - 2]));
  if (b->rank > 1) BD_TRY(bd_shape_push(q, out, b->dims[b->rank - 1]));
  return BUDDY_OK;
}

/* ---- Equations ---- */

/* What they are solved with, and their right sides, by the names of both. */
static bool find_equations(const bd_question *q, const buddy_tensor_type **out_a,
                           const buddy_tensor_type **out_b) {
  static const char *const names[][2] = {{"A", "B"},         {"self", "B"}, {"LU", "B"},
                                         {"LD", "B"},        {"A", "self"}, {"input2", "self"},
                                         {"LU_data", "self"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    *out_a = bd_tensor_named(q, names[i][0]);
    *out_b = bd_tensor_named(q, names[i][1]);
    if (*out_a && *out_b) return true;
  }
  return false;
}

/* linalg_solve takes one right side as a vector: of rank 1, or as A is but for its last dim. */
static bool is_vector(bd_question *q, const buddy_tensor_type *a, const buddy_tensor_type *b,
                      bool *out_is_sure) {
  *out_is_sure = true;
  if (!strstr(q->node->op, "linalg_solve.") && !strstr(q->node->op, "linalg_solve_ex"))
    return false;
  if (b->rank == 1) return true;
  for (uint32_t i = 0; i < b->rank && b->rank + 1 == a->rank; ++i) {
    if (!bd_dims_may_equal(q, a->dims[i], b->dims[i])) return false;
    if (a->dims[i] != b->dims[i]) *out_is_sure = false;
  }
  return b->rank + 1 == a->rank;
}

/* After the solution: A's factors, their pivots, and a number for each of the batch. */
static void shape_beside(const bd_question *q, uint32_t result, const buddy_tensor_type *a,
                         bd_shape *out) {
  bd_shape_copy(out, a);
  const bool has_factors = strstr(q->node->op, "_linalg_solve_ex") != NULL;
  const uint32_t n_less = has_factors ? result - 1 : 2;
  if (n_less <= a->rank) out->rank -= n_less;
}

buddy_code bd_shape_solve(bd_question *q, uint32_t result, bd_shape *out) {
  const buddy_tensor_type *a, *b;
  if (!find_equations(q, &a, &b)) return bd_shape_open(q, 0, out);
  if (a->rank < 2 || b->rank == 0 ||
      !bd_dims_may_equal(q, a->dims[a->rank - 1], a->dims[a->rank - 2]))
    return bd_contradiction(q, "the equations are not as many as the unknowns");
  const int64_t n = a->dims[a->rank - 1];
  bool is_sure;
  const bool is_column = is_vector(q, a, b, &is_sure);
  const buddy_arg *left = buddy_node_arg_find(q->node, "left");
  const bool is_right = left && left->kind == BUDDY_ARG_BOOL && !left->as.i;
  if (is_column && !is_sure) return bd_shape_open(q, result, out);
  if (!is_column && b->rank < 2) return bd_contradiction(q, "the right sides are no matrix");
  const int64_t rows = b->dims[b->rank - (is_column ? 1 : 2)], columns = b->dims[b->rank - 1];
  if (!bd_dims_may_equal(q, n, is_right ? columns : rows))
    return bd_contradiction(q, "the right sides are not as many as the unknowns");
  if (result > 0 && !strstr(q->node->op, "triangular")) {
    shape_beside(q, result, a, out);
    return BUDDY_OK;
  }
  if (is_column) {
    bd_shape_copy(out, a);
    --out->rank;
    return BUDDY_OK;
  }
  BD_TRY(batch_of(q, a, b, out));
  BD_TRY(bd_shape_push(q, out, result > 0 ? n : rows));
  return bd_shape_push(q, out, result > 0 ? n : columns);
}

/* ---- Convolutions ---- */

typedef struct convolution {
  const buddy_tensor_type *input, *weight;
  const buddy_arg *stride, *padding, *dilation, *output_padding;
  int64_t groups;
  uint32_t n; /* dims that are convolved */
  bool is_transposed, keeps_size;
} convolution;

static buddy_code read_convolution(bd_question *q, convolution *c) {
  const buddy_arg *transposed = buddy_node_arg_find(q->node, "transposed"),
                  *padding = buddy_node_arg_find(q->node, "padding");
  c->n = c->weight->rank - 2;
  if (c->input->rank != c->n + 2 && c->input->rank != c->n + 1) {
    return bd_contradiction(q, "an input of rank %u and a filter of rank %u do not go together",
                            c->input->rank, c->weight->rank);
  }
  c->is_transposed = transposed ? transposed->kind == BUDDY_ARG_BOOL && transposed->as.i
                                : strstr(q->node->op, "conv_transpose") != NULL;
  c->keeps_size =
      padding && padding->kind == BUDDY_ARG_STRING && !strcmp(padding->as.string, "same");
  c->groups = bd_dim_named(q, "groups");
  BD_TRY(list_for(q, "stride", c->n, &c->stride));
  BD_TRY(list_for(q, "padding", c->n, &c->padding));
  BD_TRY(list_for(q, "dilation", c->n, &c->dilation));
  return list_for(q, "output_padding", c->n, &c->output_padding);
}

/* Channels of the input and of the result: a filter is [out, in / groups, …], transposed
 * [in, out / groups, …]. Of an input without channels PyTorch makes a result without channels. */
static buddy_code channels(bd_question *q, const convolution *c, int64_t *out_channels) {
  const int64_t filters = c->weight->dims[0];
  if (!BUDDY_IS_SYMBOLIC(c->groups) && c->groups < 1)
    return bd_contradiction(q, "%lld groups of channels", (long long)c->groups);
  if (!BUDDY_IS_SYMBOLIC(c->groups) && !BUDDY_IS_SYMBOLIC(filters) && c->groups != BD_ANY_DIM &&
      filters % c->groups)
    return bd_contradiction(q, "the filter's first dim is no multiple of the groups");
  const int64_t grouped = bd_dim_do(q, BUDDY_DIM_MUL, c->weight->dims[1], c->groups);
  const int64_t in = c->input->dims[c->input->rank - c->n - 1];
  const int64_t wanted = c->is_transposed ? c->weight->dims[0] : grouped;
  *out_channels = c->is_transposed ? grouped : c->weight->dims[0];
  if (!bd_dims_may_equal(q, in, wanted))
    return bd_contradiction(q, "the channels of the input are not those of the filter");
  const buddy_tensor_type *bias = bd_tensor_named(q, "bias");
  if (bias && (bias->rank != 1 || !bd_dims_may_equal(q, bias->dims[0], *out_channels)))
    return bd_contradiction(q, "the bias is not one number for each channel");
  if (in == 0 && !c->is_transposed) *out_channels = 0;
  return BUDDY_OK;
}

/* dilation * (window - 1) + 1 */
static int64_t reach(bd_question *q, int64_t window, int64_t dilation) {
  const int64_t steps = bd_dim_do(q, BUDDY_DIM_SUB, window, 1);
  return bd_dim_do(q, BUDDY_DIM_ADD, bd_dim_do(q, BUDDY_DIM_MUL, dilation, steps), 1);
}

static int64_t convolved(bd_question *q, const convolution *c, uint32_t i) {
  const int64_t in = c->input->dims[c->input->rank - c->n + i];
  if (c->keeps_size) return in;
  const int64_t window = reach(q, c->weight->dims[2 + i], each(c->dilation, i));
  const int64_t stride = each(c->stride, i), padding = c->padding ? each(c->padding, i) : 0;
  const int64_t both = bd_dim_do(q, BUDDY_DIM_MUL, padding, 2);
  if (c->is_transposed) {
    const int64_t spread = bd_dim_do(q, BUDDY_DIM_MUL, bd_dim_do(q, BUDDY_DIM_SUB, in, 1), stride);
    const int64_t framed =
        bd_dim_do(q, BUDDY_DIM_ADD, bd_dim_do(q, BUDDY_DIM_SUB, spread, both), window);
    return bd_dim_do(q, BUDDY_DIM_ADD, framed, each(c->output_padding, i));
  }
  if (stride == 0) return BD_ANY_DIM;
  const int64_t room = bd_dim_do(q, BUDDY_DIM_SUB, bd_dim_do(q, BUDDY_DIM_ADD, in, both), window);
  return bd_dim_do(q, BUDDY_DIM_ADD, bd_dim_do(q, BUDDY_DIM_FLOORDIV, room, stride), 1);
}

buddy_code bd_shape_convolution(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  convolution c = {.input = bd_tensor_named(q, "input"), .weight = bd_tensor_named(q, "weight")};
  if (!c.input || !c.weight) return bd_shape_open(q, 0, out);
  if (c.weight->rank < 3) return bd_contradiction(q, "a filter of rank %u", c.weight->rank);
  int64_t n_channels = 0;
  BD_TRY(read_convolution(q, &c));
  BD_TRY(channels(q, &c, &n_channels));
  out->rank = 0;
  if (c.input->rank == c.n + 2) BD_TRY(bd_shape_push(q, out, c.input->dims[0]));
  BD_TRY(bd_shape_push(q, out, n_channels));
  for (uint32_t i = 0; i < c.n; ++i) {
    const int64_t dim = convolved(q, &c, i);
    if (!BUDDY_IS_SYMBOLIC(dim) && dim < 0)
      return bd_contradiction(q, "the filter is larger than what it goes over");
    BD_TRY(bd_shape_push(q, out, dim));
  }
  return BUDDY_OK;
}

/* ---- Pooling ---- */

/* The number of dims that windows go over: the length that the schema gives a list. */
static uint32_t n_windows(const bd_question *q, const char *name) {
  const buddy_opdef *def = q->node->def;
  for (uint32_t i = 0; i < def->n_args; ++i) {
    if (!strcmp(def->args[i].name, name)) return (uint32_t)def->args[i].list_size;
  }
  return 0;
}

typedef struct pooling {
  const buddy_arg *kernel, *stride, *padding, *dilation;
  int64_t ceils;
} pooling;

static int64_t pooled(bd_question *q, const pooling *p, int64_t in, uint32_t i) {
  const int64_t window = reach(q, each(p->kernel, i), p->dilation ? each(p->dilation, i) : 1);
  const int64_t stride = p->stride && p->stride->n ? each(p->stride, i) : each(p->kernel, i);
  const int64_t padding = p->padding ? each(p->padding, i) : 0;
  const int64_t framed = bd_dim_do(q, BUDDY_DIM_ADD, in, bd_dim_do(q, BUDDY_DIM_MUL, padding, 2));
  int64_t room = bd_dim_do(q, BUDDY_DIM_SUB, framed, window);
  if (stride == 0 || (p->ceils && BUDDY_IS_SYMBOLIC(room))) return BD_ANY_DIM;
  if (p->ceils) room = bd_dim_do(q, BUDDY_DIM_ADD, room, bd_dim_do(q, BUDDY_DIM_SUB, stride, 1));
  const int64_t out =
      bd_dim_do(q, BUDDY_DIM_ADD, bd_dim_do(q, BUDDY_DIM_FLOORDIV, room, stride), 1);
  /* The last window must begin inside of the input or of the frame before it. */
  const int64_t last = bd_dim_do(q, BUDDY_DIM_MUL, bd_dim_do(q, BUDDY_DIM_SUB, out, 1), stride);
  const int64_t end = bd_dim_do(q, BUDDY_DIM_ADD, in, padding);
  if (p->ceils && last != BD_ANY_DIM && end != BD_ANY_DIM && last >= end) return out - 1;
  return out;
}

buddy_code bd_shape_pool(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type = bd_tensor_named(q, "self");
  const uint32_t n = n_windows(q, "kernel_size");
  pooling p = {0};
  if (!type || n == 0) return bd_shape_open(q, 0, out);
  if (type->rank != n + 1 && type->rank != n + 2)
    return bd_contradiction(q, "windows of %u dims in a tensor of rank %u", n, type->rank);
  BD_TRY(list_for(q, "kernel_size", n, &p.kernel));
  BD_TRY(list_for(q, "stride", n, &p.stride));
  BD_TRY(list_for(q, "padding", n, &p.padding));
  BD_TRY(list_for(q, "dilation", n, &p.dilation));
  if (!bd_number_named(q, "ceil_mode", &p.ceils)) p.ceils = 0;
  bd_shape_copy(out, type);
  for (uint32_t i = 0; i < n; ++i) {
    const int64_t dim = pooled(q, &p, type->dims[type->rank - n + i], i);
    if (!BUDDY_IS_SYMBOLIC(dim) && dim < 0)
      return bd_contradiction(q, "the window is larger than what it goes over");
    out->dims[type->rank - n + i] = dim;
  }
  return BUDDY_OK;
}

/* ---- Interpolation, and pooling to a size ---- */

/* "aten.upsample_nearest2d.vec" is of two dims. */
static uint32_t n_named(const char *op) {
  for (const char *at = op; *at; ++at) {
    if (*at >= '1' && *at <= '3' && at[1] == 'd') return (uint32_t)(*at - '0');
  }
  return 0;
}

/* A size by the factor for its dim, rounded down, as PyTorch reckons it in float64. */
static int64_t scaled(const bd_question *q, int64_t size, uint32_t i) {
  const buddy_arg *factors = buddy_node_arg_find(q->node, "scale_factors");
  if (!factors || factors->kind != BUDDY_ARG_FLOATS || i >= factors->n || BUDDY_IS_SYMBOLIC(size))
    return BD_ANY_DIM;
  const double product = (double)size * factors->as.floats[i];
  return product >= 0 && product < (double)BD_ANY_DIM ? (int64_t)product : BD_ANY_DIM;
}

buddy_code bd_shape_resize(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type = bd_first_tensor(q);
  const uint32_t n = n_named(q->node->op);
  if (!type || n == 0) return bd_shape_open(q, 0, out);
  const bool may_lack_batch = strstr(q->node->op, "adaptive") != NULL;
  if (type->rank != n + 2 && !(may_lack_batch && type->rank == n + 1))
    return bd_contradiction(q, "a tensor of rank %u cannot be resized in %u dims", type->rank, n);
  const buddy_arg *sizes;
  const buddy_code code = list_for(q, "output_size", n, &sizes);
  bd_shape_copy(out, type);
  for (uint32_t i = 0; i < n; ++i) {
    int64_t *dim = &out->dims[type->rank - n + i];
    *dim = sizes ? each(sizes, i) : scaled(q, *dim, i);
  }
  return code;
}

/* ---- Padding ---- */

buddy_code bd_shape_pad(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type = bd_first_tensor(q);
  const buddy_arg *pad = bd_list_named(q, "pad");
  if (!pad) pad = bd_list_named(q, "padding");
  if (!type || !pad) return bd_shape_open(q, 0, out);
  const uint32_t list_size = n_windows(q, "padding");
  if (pad->n == 1 && list_size) return bd_shape_open(q, 0, out);
  if (pad->n % 2 || pad->n / 2 > type->rank || (list_size && pad->n != list_size))
    return bd_contradiction(q, "%zu numbers cannot pad a tensor of rank %u", pad->n, type->rank);
  bd_shape_copy(out, type);
  for (size_t i = 0; i < pad->n / 2; ++i) {
    int64_t *dim = &out->dims[type->rank - 1 - i];
    *dim = bd_dim_do(q, BUDDY_DIM_ADD, *dim, pad->as.ints[2 * i]);
    *dim = bd_dim_do(q, BUDDY_DIM_ADD, *dim, pad->as.ints[2 * i + 1]);
    if (!BUDDY_IS_SYMBOLIC(*dim) && *dim < 0)
      return bd_contradiction(q, "more is cut off than there is");
  }
  return BUDDY_OK;
}

/* ---- Indices ---- */

/* Like the tensor but along "dim": as many as "k" or "index" say. Without "dim" it is flat. */
buddy_code bd_shape_along(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type = bd_first_tensor(q), *index = bd_tensor_named(q, "index");
  const buddy_arg *dim = buddy_node_arg_find(q->node, "dim");
  uint32_t axis;
  if (!type || !dim) return bd_shape_open(q, 0, out);
  BD_TRY(bd_axis_named(q, "dim", type->rank, &axis));
  bd_shape_copy(out, type);
  if (dim->kind == BUDDY_ARG_NONE) {
    out->rank = 1;
    out->dims[0] = BD_ANY_DIM;
  } else if (axis == BD_ANY_RANK || type->rank == 0) {
    out->rank =
        type->rank == 0 && !strncmp(q->node->op, "aten.repeat", 11) ? BD_ANY_RANK : out->rank;
  } else {
    out->dims[axis] = index ? bd_dims_product(q, index->dims, index->rank) : bd_dim_named(q, "k");
  }
  return BUDDY_OK;
}

/* What is indexed: runs of dims that one index each stands for. */
typedef struct taken {
  uint64_t set;      /* dims with an index */
  uint32_t n_dims;   /* dims that all of them stand for */
  bool has_mask;     /* how many a mask takes is known in the run */
  bd_shape together; /* the indices, broadcast */
} taken;

static buddy_code take_index(bd_question *q, const buddy_tensor_type *index, taken *t) {
  const bool is_mask = index->dtype == BUDDY_BOOL || index->dtype == BUDDY_U8;
  const uint32_t n_dims = is_mask ? index->rank : 1;
  const int64_t unknown = BD_ANY_DIM;
  const buddy_tensor_type flat = {index->dtype, 1, &unknown};
  const buddy_tensor_type *as = is_mask ? &flat : index;
  t->has_mask |= is_mask;
  for (uint32_t i = 0; i < n_dims && t->n_dims + i < 64; ++i)
    t->set |= (uint64_t)1 << (t->n_dims + i);
  t->n_dims += n_dims;
  const uint32_t rank = as->rank > t->together.rank ? as->rank : t->together.rank;
  bd_shape wide = {.rank = rank};
  for (uint32_t k = 1; k <= rank; ++k) {
    const int64_t a = k <= as->rank ? as->dims[as->rank - k] : 1;
    const int64_t b = k <= t->together.rank ? t->together.dims[t->together.rank - k] : 1;
    if (!bd_dims_broadcast(q, a, b, &wide.dims[rank - k]))
      return bd_contradiction(q, "the indices do not broadcast");
  }
  t->together = wide;
  return BUDDY_OK;
}

/* The place of the indices' dims: where they stand, if they stand side by side, else in front. */
static buddy_code place_indices(bd_question *q, const buddy_tensor_type *type, const taken *t,
                                bd_shape *out) {
  uint32_t first = 0, n = 0;
  while (first < type->rank && !(t->set >> first & 1u)) ++first;
  while (first + n < type->rank && (t->set >> (first + n) & 1u)) ++n;
  const uint64_t run = n < 64 ? (((uint64_t)1 << n) - 1) << first : ~(uint64_t)0;
  const uint32_t at = t->set == run ? first : 0;
  out->rank = 0;
  for (uint32_t i = 0; i <= type->rank; ++i) {
    for (uint32_t k = 0; i == at && k < t->together.rank; ++k)
      BD_TRY(bd_shape_push(q, out, t->together.dims[k]));
    if (i < type->rank && !(t->set >> i & 1u)) BD_TRY(bd_shape_push(q, out, type->dims[i]));
  }
  return BUDDY_OK;
}

buddy_code bd_shape_index(bd_question *q, uint32_t result, bd_shape *out) {
  (void)result;
  const buddy_tensor_type *type = bd_tensor_named(q, "self");
  const buddy_arg *indices = buddy_node_arg_find(q->node, "indices");
  taken t = {0};
  buddy_code code = BUDDY_OK;
  if (!type || !indices || indices->kind != BUDDY_ARG_TENSORS) return bd_shape_open(q, 0, out);
  for (size_t i = 0; !code && i < indices->n; ++i) {
    if (indices->as.tensors[i]) {
      code = take_index(q, &indices->as.tensors[i]->type, &t);
    } else {
      ++t.n_dims;
    }
  }
  if (code) return code;
  if (t.n_dims > type->rank)
    return bd_contradiction(q, "indices of %u dims into a tensor of rank %u", t.n_dims, type->rank);
  code = place_indices(q, type, &t, out);
  const buddy_tensor_type *values = bd_tensor_named(q, "values");
  if (code || !values) return code;
  for (uint32_t k = 1; k <= values->rank; ++k) {
    const int64_t dim = values->dims[values->rank - k];
    if (k <= out->rank && bd_dims_may_spread(q, dim, out->dims[out->rank - k])) continue;
    return bd_contradiction(q, "the values do not broadcast to what is indexed");
  }
  bd_shape_copy(out, type);
  return BUDDY_OK;
}
