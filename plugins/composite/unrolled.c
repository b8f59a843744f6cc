// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/unrolled.c: sorting and recurrence without loops, for registries and compilers
 * that have none. linalg does both in loops, and comes first.
 *
 * A place in sorted order is the number of elements that come before: those that are less, and
 * equal ones that stand in front. So sorting is stable, and a comparison of all pairs. */
#include <stdbool.h>
#include <string.h>

#include "plugins/composite/rows.h"

enum { MAX_SORTED = 1024, MAX_STEPS = 256 };

/* ---- Sorting --------------------------------------------------------------------------------- */
static value logical(buddy_call *call, const char *op, value a, value b) {
  return cp_binary(call, op, a, b);
}
static value is_nan(buddy_call *call, value a) { return cp_binary(call, "aten.ne.Tensor", a, a); }

/* NaN counts as larger than every number. */
static value comes_before(buddy_call *call, value a, value b, bool is_float) {
  value less = cp_binary(call, "aten.lt.Tensor", a, b);
  if (!is_float) return less;
  value number = cp_binary(call, "aten.eq.Tensor", a, a);
  value is_first = logical(call, "aten.logical_and.default", number, is_nan(call, b));
  return logical(call, "aten.logical_or.default", less, is_first);
}

/* Of [rows, n]: which element stands at each place. */
static value order_of(buddy_call *call, value x, bool is_descending) {
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return NULL;
  const int64_t rows = type->dims[0], n = type->dims[1];
  const int64_t column[3] = {rows, n, 1}, line[3] = {rows, 1, n}, down[3] = {1, n, 1};
  const bool is_float = (BUDDY_FLOATS >> type->dtype & 1u) != 0;
  value own = cp_view(call, x, 3, column), other = cp_view(call, x, 3, line);
  value ahead = is_descending ? comes_before(call, own, other, is_float)
                              : comes_before(call, other, own, is_float);
  value behind = is_descending ? comes_before(call, other, own, is_float)
                               : comes_before(call, own, other, is_float);
  value count = cp_iota(call, n, BUDDY_I64), counted = cp_view(call, count, 3, down);
  /* neither: equal, and the one in front counts */
  value in_front = cp_binary(call, "aten.gt.Tensor", counted, count);
  value kept = cp_unary(call, "aten.logical_not.default", behind);
  value counts = logical(call, "aten.logical_or.default", ahead,
                         logical(call, "aten.logical_and.default", kept, in_front));
  value place = cp_sum(call, cp_cast(call, counts, BUDDY_I64), 1u << 2, 0);
  value is_here = cp_binary(call, "aten.eq.Tensor", cp_view(call, place, 3, line), counted);
  return cp_sum(call, cp_mul(call, cp_cast(call, is_here, BUDDY_I64), count), 1u << 2, 0);
}

/* [rows, n] with the dim last; back: where each dim came from */
static value in_rows(buddy_call *call, uint32_t dim, int64_t *dims, int64_t *perm) {
  const buddy_tensor_type *from = be_arg_type(call, 0);
  uint32_t n = 0;
  for (uint32_t d = 0; d < from->rank; ++d) {
    if (d != dim) perm[n++] = d;
  }
  perm[n] = dim;
  int64_t rows = 1;
  for (uint32_t d = 0; d < from->rank; ++d) dims[d] = from->dims[perm[d]];
  for (uint32_t d = 0; d + 1 < from->rank; ++d) rows *= dims[d];
  const int64_t flat[2] = {rows, from->dims[dim]};
  return cp_view(call, cp_permute(call, be_arg_value(call, 0), perm), 2, flat);
}

/* As result i: [rows, n] with the dims as they were. */
static buddy_code give(buddy_call *call, size_t i, value a, const int64_t *dims,
                       const int64_t *perm) {
  const buddy_tensor_type *to = be_result_type(call, i);
  int64_t full[BE_MAX_RANK], back[BE_MAX_RANK];
  memcpy(full, dims, to->rank * sizeof(*full));
  for (uint32_t d = 0; d < to->rank; ++d) back[perm[d]] = d;
  if (to->rank > 0) full[to->rank - 1] = to->dims[perm[to->rank - 1]];
  return be_replace(call, i, cp_permute(call, cp_view(call, a, to->rank, full), back));
}

const cp_sorting cp_sort_plain = {.dim = 1, .descending = 2, .values = 1},
                 cp_sort_stable = {.dim = 2, .descending = 3, .values = 1},
                 cp_argsort_plain = {.dim = 1, .descending = 2},
                 cp_argsort_stable = {.dim = 2, .descending = 3},
                 cp_topk = {.dim = 2, .descending = 3, .values = 1};

buddy_code cp_op_sort(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const cp_sorting *row = self->user;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  cp_read_all(call);
  if (from->rank == 0 || from->rank > BE_MAX_RANK || !be_is_static(from))
    return be_decline(call, "no dim to sort, or one of unknown size");
  const uint32_t dim = (uint32_t)be_axis(call, row->dim, from->rank, from->rank - 1);
  const int64_t n = from->dims[dim];
  if (n > MAX_SORTED || be_n_elements(call, from) == 0)
    return be_decline(call, "all pairs of %lld elements", (long long)n);
  int64_t dims[BE_MAX_RANK] = {0}, perm[BE_MAX_RANK] = {0};
  value x = in_rows(call, dim, dims, perm);
  value order = order_of(call, x, be_bool(call, row->descending));
  const size_t last = be_host->n_results(call) - 1;
  const int64_t kept = be_result_type(call, last)->dims[dim];
  if (kept != n) order = cp_slice(call, order, 1, 0, kept, 1);
  const buddy_code code =
      row->values ? give(call, 0, cp_gather(call, x, 1, order), dims, perm) : BUDDY_OK;
  return code == BUDDY_OK ? give(call, last, order, dims, perm) : code;
}

/* ---- LSTM: input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first */
typedef struct direction {
  value h, c;
  const buddy_value *const *parameters; /* w_ih, w_hh, and b_ih, b_hh */
  bool has_biases, is_backward;
} direction;

/* One row of [layers, batch, width]. */
static value state_of(buddy_call *call, value states, int64_t i) {
  const buddy_tensor_type *type = cp_type(call, states);
  if (!type) return NULL;
  return cp_view(call, cp_slice(call, states, 0, i, 1, 1), 2, type->dims + 1);
}

static buddy_code step(buddy_call *call, direction *d, value x) {
  const buddy_value *states[2] = {d->h, d->c}, *results[2];
  if (!x || !d->h || !d->c) return BUDDY_OK; /* the failure is recorded */
  const buddy_named_arg args[] = {be_t("input", x),
                                  be_ts("hx", states, 2),
                                  be_t("w_ih", d->parameters[0]),
                                  be_t("w_hh", d->parameters[1]),
                                  be_t("b_ih", d->has_biases ? d->parameters[2] : NULL),
                                  be_t("b_hh", d->has_biases ? d->parameters[3] : NULL)};
  const buddy_tensor_type types[2] = {*cp_type(call, d->h), *cp_type(call, d->c)};
  const buddy_code code = be_host->node(call, "aten.lstm_cell.default", args, 6, types, 2, results);
  d->h = code == BUDDY_OK ? results[0] : NULL;
  d->c = code == BUDDY_OK ? results[1] : NULL;
  return code;
}

static value cat(buddy_call *call, value *parts, size_t n, const buddy_tensor_type *like,
                 uint32_t dim, int64_t size) {
  int64_t dims[3];
  for (size_t i = 0; i < n; ++i) {
    if (!parts[i]) return NULL;
  }
  memcpy(dims, like->dims, 3 * sizeof(*dims));
  dims[dim] = size;
  return BE_NODE(call, "aten.cat.default", be_type(call, like->dtype, 3, dims),
                 be_ts("tensors", parts, n), be_i("dim", dim));
}

/* x: [steps, batch, width]; the states of all steps, in the order of the input */
static value run_over(buddy_call *call, direction *d, value x) {
  const buddy_tensor_type *type = cp_type(call, x);
  value parts[MAX_STEPS] = {NULL};
  if (!type) return NULL;
  const int64_t n = type->dims[0];
  for (int64_t k = 0; k < n; ++k) {
    const int64_t t = d->is_backward ? n - 1 - k : k;
    if (step(call, d, state_of(call, x, t)) != BUDDY_OK || !d->h) return NULL;
    const int64_t dims[3] = {1, cp_type(call, d->h)->dims[0], cp_type(call, d->h)->dims[1]};
    parts[t] = cp_view(call, d->h, 3, dims);
  }
  return parts[0] ? cat(call, parts, (size_t)n, cp_type(call, parts[0]), 0, n) : NULL;
}

static buddy_code refuse_lstm(buddy_call *call) {
  const buddy_tensor_type *x = be_arg_type(call, 0);
  const int64_t n_layers = be_int(call, 4, 1);
  if (n_layers < 1 || n_layers > 16) return be_decline(call, "no layers, or too many");
  const int64_t n = n_layers * (be_bool(call, 7) ? 2 : 1);
  if (be_bool(call, 6) && be_float(call, 5, 0) != 0) return be_decline(call, "dropout");
  if (!x || x->rank != 3 || !be_is_static(x)) return be_decline(call, "no batch of known size");
  if (x->dims[be_bool(call, 8) ? 1 : 0] > MAX_STEPS || x->dims[be_bool(call, 8) ? 1 : 0] < 1)
    return be_decline(call, "too many steps to write out");
  if (n > 16 || be_arg(call, 1)->n != 2 ||
      (int64_t)be_arg(call, 2)->n != n * (be_bool(call, 3) ? 4 : 2))
    return be_decline(call, "projections, or layers that are too many");
  return BUDDY_OK;
}

buddy_code cp_op_lstm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_code refused = refuse_lstm(call);
  if (refused != BUDDY_OK) return refused;
  const int n_dirs = be_bool(call, 7) ? 2 : 1, has_biases = be_bool(call, 3);
  const int64_t n_layers = be_int(call, 4, 1);
  const buddy_arg *states = be_arg(call, 1), *parameters = be_arg(call, 2);
  value x = be_arg_value(call, 0), last[2][16] = {{NULL}};
  if (be_bool(call, 8)) x = cp_swap(call, x, 0, 1);
  for (int64_t k = 0; k < n_layers * n_dirs; k += n_dirs) {
    value sides[2];
    for (int side = 0; side < n_dirs; ++side) {
      const int64_t i = k + side;
      direction d = {state_of(call, states->as.tensors[0], i),
                     state_of(call, states->as.tensors[1], i),
                     parameters->as.tensors + i * (has_biases ? 4 : 2), has_biases, side};
      sides[side] = run_over(call, &d, x);
      if (!sides[side]) return cp_finish(call, NULL);
      const int64_t dims[3] = {1, cp_type(call, d.h)->dims[0], cp_type(call, d.h)->dims[1]};
      last[0][i] = cp_view(call, d.h, 3, dims);
      last[1][i] = cp_view(call, d.c, 3, dims);
    }
    x = sides[0];
    const buddy_tensor_type *type = cp_type(call, x);
    if (n_dirs == 2) x = cat(call, sides, 2, type, 2, 2 * type->dims[2]);
  }
  for (size_t i = 0; i < 2; ++i) {
    const size_t n = (size_t)(n_layers * n_dirs);
    value all = last[i][0] ? cat(call, last[i], n, cp_type(call, last[i][0]), 0, (int64_t)n) : NULL;
    const buddy_code code = be_replace(call, 1 + i, all);
    if (code != BUDDY_OK) return code;
  }
  return cp_finish(call, be_bool(call, 8) ? cp_swap(call, x, 0, 1) : x);
}

static value reversed(buddy_call *call, value x) {
  const int64_t first = 0;
  return x ? BE_NODE(call, "aten.flip.default", cp_type(call, x), be_t("self", x),
                     be_is("dims", &first, 1))
           : NULL;
}

/* The kernel that PyTorch chooses for one layer and direction of an LSTM while it traces; it gives a workspace, too. What
 * it is told of the whole LSTM (layers, directions, batch_first) changes nothing: steps come first. */
buddy_code cp_op_lstm_kernel(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  enum { INPUT, WEIGHTS, STATES = 5, REVERSE = 7, MODE = 9, BIASES = 12 };
  const int64_t lstm = 2;
  cp_read_all(call);
  const bool is_reverse = be_bool(call, REVERSE);
  if (be_int(call, MODE, lstm) != lstm) return be_decline(call, "it is no LSTM");
  const buddy_value *weights[4], *states[2], *results[3];
  for (size_t i = 0; i < 4; ++i) weights[i] = be_arg_value(call, WEIGHTS + i);
  value x = be_arg_value(call, INPUT);
  if (is_reverse) x = reversed(call, x);
  buddy_tensor_type types[3] = {*be_result_type(call, 0)};
  for (size_t i = 0; i < 2; ++i) { /* [batch, hidden], as a layer of which there is one */
    const buddy_tensor_type *type = be_arg_type(call, STATES + i);
    if (!type || type->rank < 2) return be_decline(call, "a state without a batch");
    const int64_t dims[3] = {1, type->dims[type->rank - 2], type->dims[type->rank - 1]};
    states[i] = cp_view(call, be_arg_value(call, STATES + i), 3, dims);
    if (!x || !states[i]) return cp_finish(call, NULL);
    types[1 + i] = *cp_type(call, states[i]);
  }
  const int has_biases = be_bool(call, BIASES);
  const buddy_named_arg args[] = {be_t("input", x),
                                  be_ts("hx", states, 2),
                                  be_ts("params", weights, has_biases ? 4 : 2),
                                  be_b("has_biases", has_biases),
                                  be_i("num_layers", 1),
                                  be_f("dropout", 0),
                                  be_b("train", 0),
                                  be_b("bidirectional", 0),
                                  be_b("batch_first", 0)};
  buddy_code code = be_host->node(call, "aten.lstm.input", args, 9, types, 3, results);
  for (size_t i = 1; i < 3 && !code; ++i) code = cp_finish_shaped(call, i, results[i]);
  if (!code) code = be_replace(call, 3, cp_full(call, be_result_type(call, 3), 0));
  if (code) return code;
  return cp_finish(call, is_reverse ? reversed(call, results[0]) : results[0]);
}
