// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/dequantized.c: the quantized tensor, scale and zero point of a float one.
 *
 * Unsigned numbers become signed ones by taking 128 from them and from their zero point, so that
 * there is one kind of product. */
#include "plugins/composite/dequantized.h"

#include <stdbool.h>
#include <string.h>

#include "buddy/extensions.h"

enum { MOST_VIEWS = 4 }; /* between a product and what dequantizes its operand */

static const buddy_graph_services *graph_of_host(void) {
  return be_host->extension(BUDDY_GRAPH_ID);
}

static int is(buddy_sv op, const char *name) {
  return op.size == strlen(name) && memcmp(op.data, name, op.size) == 0;
}
static int starts_with(buddy_sv op, const char *name) {
  return op.size > strlen(name) && memcmp(op.data, name, strlen(name)) == 0;
}

static const buddy_arg *argument(buddy_call *call, value a, const char *name) {
  return graph_of_host()->producer_arg(call, a, name);
}
static value tensor(buddy_call *call, value a, const char *name) {
  const buddy_arg *arg = argument(call, a, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : NULL;
}

/* ---- Recognition, which builds nothing ------------------------------------------------------- */

/* What dequantizes: its op, and how its arguments are called. */
typedef struct form {
  const char *op; /* without the overload */
  const char *scale, *zero, *to;
} form;
static const form forms[] = {
    {"quantized_decomposed.dequantize_per_tensor.", "scale", "zero_point", "out_dtype"},
    {"quantized_decomposed.dequantize_per_channel.", "scales", "zero_points", "out_dtype"},
    {"quantized_decomposed.dequantize_per_token.", "scales", "zero_points", "output_dtype"},
    {"torchao.dequantize_affine.", "scale", "zero_point", "output_dtype"}};
enum { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_BLOCK };

static int form_of(buddy_sv op) {
  int i = (int)(sizeof forms / sizeof *forms) - 1;
  while (i >= 0 && !starts_with(op, forms[i].op)) --i;
  return i;
}

static bool is_integer(buddy_dtype dtype) { return (BUDDY_INTS & BUDDY_DTYPE_BIT(dtype)) != 0; }

/* The axes along which a block of torchao's is one element; 0 if some block is a part of a dim. */
static int axes_of_blocks(buddy_call *call, value a, const buddy_tensor_type *q, uint64_t *out) {
  const buddy_arg *sizes = argument(call, a, "block_size");
  *out = 0;
  if (!sizes || sizes->kind != BUDDY_ARG_INTS || sizes->n != q->rank) return 0;
  for (uint32_t d = 0; d < q->rank; ++d) {
    const int64_t size = sizes->as.ints[d];
    if (size == -1 || size == q->dims[d]) continue;
    if (size != 1) return 0;
    *out |= UINT64_C(1) << d;
  }
  return 1;
}

static int find_axes(buddy_call *call, value a, int kind, const buddy_tensor_type *q,
                     uint64_t *out) {
  const buddy_arg *axis = argument(call, a, "axis");
  *out = 0;
  if (kind == PER_TENSOR) return 1;
  if (kind == PER_BLOCK) return axes_of_blocks(call, a, q, out);
  if (kind == PER_TOKEN) {
    *out = (UINT64_C(1) << (q->rank - 1)) - 1;
    return q->rank > 0;
  }
  if (!axis || axis->kind != BUDDY_ARG_INT || axis->as.i >= (int64_t)q->rank) return 0;
  *out = UINT64_C(1) << (axis->as.i < 0 ? axis->as.i + (int64_t)q->rank : axis->as.i);
  return axis->as.i >= -(int64_t)q->rank;
}

/* Why (q - zero) scale, as `a` is made, cannot be computed with in integers; null if it can. */
static const char *judge(buddy_call *call, value a, int kind, uint64_t *out_axes) {
  const value q = tensor(call, a, "input"), zero = tensor(call, a, forms[kind].zero);
  const buddy_tensor_type *type = q ? be_value_type(call, q) : NULL;
  if (!type || (type->dtype != BUDDY_I8 && type->dtype != BUDDY_U8)) return "not of eight bits";
  if (be_value_type(call, a)->dtype != BUDDY_F32) return "not dequantized to f32";
  if (type->rank == 0 || type->rank > BE_MAX_RANK) return "of rank 0, or too many dims";
  if (zero && !is_integer(be_value_type(call, zero)->dtype))
    return "has zero points that are no integers";
  if (!find_axes(call, a, kind, type, out_axes)) return "has scales for parts of a dim";
  return NULL;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* One number, or as many as the axes have places, as dims beside q's. */
static value beside(buddy_call *call, value numbers, const buddy_tensor_type *q, uint64_t axes) {
  int64_t dims[BE_MAX_RANK];
  if (axes == 0) return cp_view(call, numbers, 0, NULL);
  for (uint32_t d = 0; d < q->rank; ++d) dims[d] = axes >> d & 1 ? q->dims[d] : 1;
  return cp_view(call, numbers, q->rank, dims);
}

static void read_scale(buddy_call *call, value a, int kind, const buddy_tensor_type *q,
                       cp_dequantized *out) {
  const buddy_arg *scale = argument(call, a, forms[kind].scale);
  if (scale && scale->kind == BUDDY_ARG_TENSOR)
    out->scale = cp_cast(call, beside(call, scale->as.tensor, q, out->axes), BUDDY_F32);
  else if (scale)
    out->scale = cp_full(call, be_type(call, BUDDY_F32, 0, NULL),
                         scale->kind == BUDDY_ARG_INT ? (double)scale->as.i : scale->as.f);
}

static void read_zero(buddy_call *call, value a, int kind, const buddy_tensor_type *q,
                      cp_dequantized *out) {
  const int64_t offset = q->dtype == BUDDY_U8 ? -128 : 0;
  const buddy_arg *zero = argument(call, a, forms[kind].zero);
  out->reach = 255;
  if (zero && zero->kind == BUDDY_ARG_TENSOR) {
    const buddy_tensor_type *type = be_value_type(call, zero->as.tensor);
    const bool is_empty = type->rank == 1 && type->dims[0] == 0;
    if (!is_empty) {
      value all = cp_cast(call, beside(call, zero->as.tensor, q, out->axes), BUDDY_I32);
      out->zero = offset && all ? cp_add_number(call, all, (double)offset) : all;
      return;
    }
  } else if (zero && zero->kind == BUDDY_ARG_INT) {
    out->fixed = zero->as.i;
  }
  out->fixed += offset;
  out->reach = out->fixed > 0 ? 128 + out->fixed : 128 - out->fixed;
}

static void read_numbers(buddy_call *call, value a, int kind, cp_dequantized *out) {
  const value q = tensor(call, a, "input");
  const buddy_tensor_type *type = be_value_type(call, q);
  read_scale(call, a, kind, type, out);
  read_zero(call, a, kind, type, out);
  out->q = q;
  if (type->dtype == BUDDY_I8) return;
  value wide = cp_cast(call, q, BUDDY_I16);
  out->q = wide ? cp_cast(call, cp_add_number(call, wide, -128), BUDDY_I8) : NULL;
}

/* ---- Views ----------------------------------------------------------------------------------- */

void cp_dequantized_permute(buddy_call *call, cp_dequantized *a, const int64_t *perm) {
  const buddy_tensor_type *type = cp_type(call, a->q);
  uint64_t axes = 0;
  for (uint32_t d = 0; type && d < type->rank; ++d) axes |= (a->axes >> perm[d] & 1) << d;
  if (type && type->rank == 2 && perm[0] == 1) {
    value before = a->q;
    a->q = a->turned ? a->turned : cp_permute(call, a->q, perm);
    a->turned = a->turned ? NULL : before;
  } else {
    a->q = cp_permute(call, a->q, perm);
    a->turned = NULL;
  }
  if (a->axes && a->scale) a->scale = cp_permute(call, a->scale, perm);
  if (a->axes && a->zero) a->zero = cp_permute(call, a->zero, perm);
  a->axes = axes;
}

/* Numbers that differ go through a view only if they do along all axes but the last, and that one
 * stays. */
int cp_dequantized_view(buddy_call *call, cp_dequantized *a, uint32_t rank, const int64_t *dims) {
  int64_t outer[BE_MAX_RANK];
  const buddy_tensor_type *from = cp_type(call, a->q);
  const int differs = from && a->axes;
  if (differs && (rank == 0 || a->axes != (UINT64_C(1) << (from->rank - 1)) - 1 ||
                  from->dims[from->rank - 1] != dims[rank - 1]))
    return 0;
  a->q = cp_view(call, a->q, rank, dims);
  a->turned = NULL;
  if (!differs) return 1;
  memcpy(outer, dims, rank * sizeof *dims);
  outer[rank - 1] = 1;
  a->axes = (UINT64_C(1) << (rank - 1)) - 1;
  a->scale = cp_view(call, a->scale, rank, outer);
  a->zero = cp_view(call, a->zero, rank, outer);
  return 1;
}

static bool is_view(buddy_sv op) {
  return is(op, "aten.permute.default") || is(op, "aten.transpose.int") ||
         is(op, "aten.t.default") || is(op, "aten.view.default");
}

/* The permutation that the view is; 0 if it is aten.view. */
static int find_permutation(buddy_call *call, value a, uint32_t rank, int64_t *perm) {
  const buddy_arg *dims = argument(call, a, "dims"), *dim0 = argument(call, a, "dim0"),
                  *dim1 = argument(call, a, "dim1");
  if (argument(call, a, "size")) return 0;
  for (uint32_t d = 0; d < rank; ++d) perm[d] = dims ? dims->as.ints[d] : d;
  const int64_t first = dim0 ? dim0->as.i : 0, second = dim1 ? dim1->as.i : 1; /* aten.t */
  if (dims || rank < 2) return 1;
  perm[first] = second;
  perm[second] = first;
  return 1;
}

static int apply_view(buddy_call *call, value a, cp_dequantized *out) {
  int64_t perm[BE_MAX_RANK] = {0};
  const buddy_tensor_type *to = be_value_type(call, a), *from = cp_type(call, out->q);
  if (!from) return 0;
  if (!find_permutation(call, a, from->rank, perm))
    return cp_dequantized_view(call, out, to->rank, to->dims);
  cp_dequantized_permute(call, out, perm);
  return 1;
}

buddy_code cp_find_dequantized(buddy_call *call, value a, const char *which, cp_dequantized *out) {
  value views[MOST_VIEWS];
  size_t n = 0;
  *out = (cp_dequantized){.q = NULL};
  if (!a) return be_decline(call, "%s is no tensor", which);
  buddy_sv op = graph_of_host()->producer(call, a);
  for (; n < MOST_VIEWS && is_view(op); op = graph_of_host()->producer(call, a)) {
    if (be_value_type(call, a)->rank > BE_MAX_RANK) break;
    views[n++] = a;
    a = tensor(call, a, "self");
  }
  const int kind = form_of(op);
  if (kind < 0) return be_decline(call, "%s is not dequantized", which);
  const char *why = judge(call, a, kind, &out->axes);
  if (why) return be_decline(call, "%s is %s", which, why);
  read_numbers(call, a, kind, out);
  while (n > 0) {
    if (!apply_view(call, views[--n], out))
      return be_decline(call, "%s has scales along an axis that a view takes apart", which);
  }
  return BUDDY_OK;
}

static int ends_alike(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  return a->rank >= 2 && b->rank >= 2 && a->dims[a->rank - 1] == b->dims[b->rank - 1] &&
         a->dims[a->rank - 2] == b->dims[b->rank - 2];
}

value cp_find_repeated(buddy_call *call, value batch) {
  for (int i = 0; batch && i < MOST_VIEWS; ++i) {
    const buddy_sv op = graph_of_host()->producer(call, batch);
    const bool is_one = be_value_type(call, batch)->dims[0] == 1;
    if (!is(op, "aten.expand.default") &&
        !(is_one && (is(op, "aten.view.default") || is(op, "aten.unsqueeze.default"))))
      return NULL;
    value source = tensor(call, batch, "self");
    const buddy_tensor_type *type = source ? be_value_type(call, source) : NULL;
    if (!type || type->rank > 3 || !ends_alike(type, be_value_type(call, batch))) return NULL;
    if (type->rank == 2) return source;
    if (type->dims[0] != 1) return NULL;
    batch = source;
  }
  return NULL;
}

/* Whether `groups` [B, H, 1, S, E], expanded to `many` [B, H, G, S, E], is `heads` [B, H * G, S, E]. */
static bool are_groups(const buddy_tensor_type *groups, const buddy_tensor_type *many,
                       const buddy_tensor_type *heads) {
  static const uint32_t kept[4] = {0, 1, 3, 4}, to[3] = {0, 2, 3};
  int64_t n;
  if (heads->rank != 4 || many->rank != 5 || groups->rank != 5 || groups->dims[2] != 1)
    return false;
  for (size_t i = 0; i < 4; ++i) {
    if (groups->dims[kept[i]] != many->dims[kept[i]]) return false;
  }
  for (size_t i = 0; i < 3; ++i) {
    if (many->dims[kept[to[i]]] != heads->dims[to[i]]) return false;
  }
  return !BUDDY_IS_SYMBOLIC(many->dims[1]) && !BUDDY_IS_SYMBOLIC(many->dims[2]) &&
         !BUDDY_IS_SYMBOLIC(heads->dims[1]) &&
         !__builtin_mul_overflow(many->dims[1], many->dims[2], &n) && n == heads->dims[1];
}

value cp_find_groups(buddy_call *call, value heads) {
  const buddy_sv op = graph_of_host()->producer(call, heads);
  value many = is(op, "aten.reshape.default") || is(op, "aten.view.default")
                   ? tensor(call, heads, "self")
                   : NULL;
  value groups = many && is(graph_of_host()->producer(call, many), "aten.expand.default")
                     ? tensor(call, many, "self")
                     : NULL;
  return groups && are_groups(be_value_type(call, groups), be_value_type(call, many),
                              be_value_type(call, heads))
             ? groups
             : NULL;
}
