// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/einsum.c: einsum as a chain of matrix products.
 *
 * Every dim of an operand has a label: its letter, or its place in the ellipsis counted from the
 * right. Operands are taken in one after the other. Of two operands, a label is batch        in
 * both, and still needed by the output or by a later operand contracted   in both, and needed no
 * more free         in one of them so that their product is [batch, free of a, contracted] x
 * [batch, contracted, free of b]. Labels of one operand alone that nobody needs are summed first; a
 * dim of 1 that broadcasts is dropped, which says the same. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

enum { N_LETTERS = 52, MAX_LABELS = N_LETTERS + BE_MAX_RANK };
typedef uint8_t label;

typedef struct term {
  value tensor;
  uint32_t n;
  label labels[BE_MAX_RANK];
} term;

typedef struct equation {
  term inputs[BE_MAX_RANK];
  size_t n_inputs;
  label output[BE_MAX_RANK];
  uint32_t n_output;
  int64_t sizes[MAX_LABELS];
} equation;

static bool is_in(const label *labels, uint32_t n, label one) {
  return n > 0 && memchr(labels, one, n);
}

/* ---- Reading -------------------------------------------------------------------------------- */
static int letter(char c) {
  if (c >= 'a' && c <= 'z') return c - 'a';
  return c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
}

/* The labels of one term of the text, which ends at ',', '-' or the end; the ellipsis has `n_dots`
 * dims. Returns where it ends; null: not understood. */
static const char *read_term(const char *text, uint32_t n_dots, label *out, uint32_t *out_n) {
  uint32_t n = 0;
  for (; *text && *text != ',' && *text != '-'; ++text) {
    if (*text == ' ') continue;
    if (strncmp(text, "...", 3) == 0) {
      for (uint32_t k = n_dots; k > 0 && n < BE_MAX_RANK; --k)
        out[n++] = (label)(N_LETTERS + k - 1);
      text += 2;
      continue;
    }
    if (letter(*text) < 0 || n == BE_MAX_RANK) return NULL;
    out[n++] = (label)letter(*text);
  }
  *out_n = n;
  return text;
}

static uint32_t count_letters(const char *text) {
  uint32_t n = 0;
  for (; *text && *text != ',' && *text != '-'; ++text) n += letter(*text) >= 0;
  return n;
}

/* Sizes of labels; a dim of 1 gives way to another. */
static buddy_code note_sizes(buddy_call *call, equation *e, const term *t) {
  const buddy_tensor_type *type = cp_type(call, t->tensor);
  if (!type || type->rank != t->n)
    return be_decline(call, "the equation and an operand differ in rank");
  for (uint32_t d = 0; d < t->n; ++d) {
    int64_t *size = &e->sizes[t->labels[d]];
    if (*size == -1 || *size == 1) *size = type->dims[d];
  }
  return BUDDY_OK;
}

/* Where a label comes twice in one operand, its diagonal, as the last dim. */
static buddy_code take_diagonals(buddy_call *call, term *t) {
  for (uint32_t d = 0; d < t->n; ++d) {
    const label one = t->labels[d];
    const label *other = t->n > d + 1 ? memchr(t->labels + d + 1, one, t->n - d - 1) : NULL;
    if (!other) continue;
    const uint32_t twin = (uint32_t)(other - t->labels);
    const buddy_tensor_type *type = cp_type(call, t->tensor);
    if (!type || type->dims[d] != type->dims[twin])
      return be_decline(call, "an operand has a label twice, of different sizes");
    int64_t dims[BE_MAX_RANK];
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n; ++k) {
      if (k == d || k == twin) continue;
      dims[n] = type->dims[k];
      t->labels[n++] = t->labels[k];
    }
    dims[n] = type->dims[d];
    t->labels[n++] = one;
    t->n = n;
    t->tensor = BE_NODE(call, "aten.diagonal.default", be_type(call, type->dtype, n, dims),
                        be_t("self", t->tensor), be_i("dim1", d), be_i("dim2", twin));
    if (!t->tensor) return be_decline(call, "a diagonal cannot be taken");
    d = UINT32_MAX; /* from the first dim again */
  }
  return BUDDY_OK;
}

/* Without "->": the labels that come once, in the order of the alphabet, after the ellipsis. */
static void infer_output(equation *e, uint32_t n_dots) {
  uint32_t counts[MAX_LABELS] = {0};
  for (size_t i = 0; i < e->n_inputs; ++i) {
    for (uint32_t d = 0; d < e->inputs[i].n; ++d) ++counts[e->inputs[i].labels[d]];
  }
  for (uint32_t k = n_dots; k > 0; --k) e->output[e->n_output++] = (label)(N_LETTERS + k - 1);
  static const char order[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (const char *c = order; *c && e->n_output < BE_MAX_RANK; ++c) {
    const int one = letter(*c);
    if (one >= 0 && counts[one] == 1) e->output[e->n_output++] = (label)one;
  }
}

static buddy_code read_equation(buddy_call *call, equation *e) {
  const char *text = be_arg(call, 0)->as.string;
  const buddy_arg *tensors = be_arg(call, 1);
  uint32_t most_dots = 0;
  if (tensors->n == 0 || tensors->n > BE_MAX_RANK)
    return be_decline(call, "%zu operands", tensors->n);
  memset(e->sizes, 0xFF, sizeof(e->sizes));
  for (size_t i = 0; i < tensors->n; ++i) {
    term *t = &e->inputs[e->n_inputs++];
    t->tensor = tensors->as.tensors[i];
    const uint32_t rank = cp_type(call, t->tensor)->rank, letters = count_letters(text);
    const uint32_t dots = rank > letters ? rank - letters : 0;
    most_dots = dots > most_dots ? dots : most_dots;
    text = read_term(text, dots, t->labels, &t->n);
    if (!text) return be_decline(call, "the equation is not understood");
    const buddy_code code = note_sizes(call, e, t);
    if (code != BUDDY_OK) return code;
    if (*text == ',') ++text;
  }
  if (strncmp(text, "->", 2) != 0) {
    infer_output(e, most_dots);
  } else if (!read_term(text + 2, most_dots, e->output, &e->n_output)) {
    return be_decline(call, "the equation is not understood");
  }
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < e->n_inputs && code == BUDDY_OK; ++i)
    code = take_diagonals(call, &e->inputs[i]);
  return code;
}

/* ---- Multiplying ---------------------------------------------------------------------------- */
static bool is_needed(const equation *e, size_t next, label one) {
  if (is_in(e->output, e->n_output, one)) return true;
  for (size_t i = next; i < e->n_inputs; ++i) {
    if (is_in(e->inputs[i].labels, e->inputs[i].n, one)) return true;
  }
  return false;
}

/* Drops dims of 1 that broadcast, and sums the labels that only this term has. */
static void simplify(buddy_call *call, const equation *e, term *t, const term *other, size_t next) {
  const buddy_tensor_type *type = cp_type(call, t->tensor);
  if (!type) return;
  uint64_t axes = 0;
  int64_t dims[BE_MAX_RANK];
  uint32_t n = 0;
  label kept[BE_MAX_RANK];
  for (uint32_t d = 0; d < t->n; ++d) {
    const label one = t->labels[d];
    const bool is_broadcast = type->dims[d] == 1 && e->sizes[one] != 1;
    const bool is_summed = !is_broadcast && !is_needed(e, next, one) &&
                           !(other && is_in(other->labels, other->n, one));
    if (is_summed) axes |= 1ull << d;
    if (is_broadcast || is_summed) continue;
    dims[n] = type->dims[d];
    kept[n++] = one;
  }
  t->tensor = cp_view(call, cp_sum(call, t->tensor, axes, 1), n, dims);
  memcpy(t->labels, kept, n);
  t->n = n;
}

/* The term with its labels in this order. */
static value arranged(buddy_call *call, const term *t, const label *order, uint32_t n) {
  int64_t perm[BE_MAX_RANK];
  for (uint32_t d = 0; d < n; ++d) {
    perm[d] = (const label *)memchr(t->labels, order[d], t->n) - t->labels;
  }
  return cp_permute(call, t->tensor, perm);
}

static int64_t product_of(buddy_call *call, const equation *e, const label *labels, uint32_t n) {
  int64_t product = 1;
  for (uint32_t d = 0; d < n; ++d)
    product = be_dim(call, BUDDY_DIM_MUL, product, e->sizes[labels[d]]);
  return product;
}

/* [batch, rows, columns] of a term */
static value as_matrices(buddy_call *call, const equation *e, const term *t, const label *order,
                         uint32_t n_batch, uint32_t n_rows) {
  const int64_t dims[3] = {product_of(call, e, order, n_batch),
                           product_of(call, e, order + n_batch, n_rows),
                           product_of(call, e, order + n_batch + n_rows, t->n - n_batch - n_rows)};
  return cp_view(call, arranged(call, t, order, t->n), 3, dims);
}

/* Operands of two dtypes are multiplied in that of both, where no label is summed: the matrix products
 * of PyTorch are of one dtype, and it has refused others. */
static void unify(buddy_call *call, const equation *e, term *a, term *b, size_t next) {
  const buddy_tensor_type *left = cp_type(call, a->tensor), *right = cp_type(call, b->tensor);
  if (!left || !right || left->dtype == right->dtype) return;
  const buddy_dtype dtype = cp_promote(left->dtype, right->dtype);
  bool is_summed = false;
  for (uint32_t d = 0; d < a->n; ++d) {
    const label one = a->labels[d];
    is_summed |= e->sizes[one] != 1 && is_in(b->labels, b->n, one) && !is_needed(e, next, one);
  }
  if (is_summed) be_decline(call, "products of two dtypes are summed");
  a->tensor = is_summed ? NULL : cp_cast(call, a->tensor, dtype);
  b->tensor = is_summed ? NULL : cp_cast(call, b->tensor, dtype);
}

static term multiply(buddy_call *call, const equation *e, term *a, term *b, size_t next) {
  label batch[BE_MAX_RANK] = {0}, contracted[BE_MAX_RANK] = {0}, left[BE_MAX_RANK] = {0},
        right[BE_MAX_RANK] = {0};
  uint32_t n_batch = 0, n_contracted = 0, n_left = 0, n_right = 0;
  simplify(call, e, a, b, next);
  simplify(call, e, b, a, next);
  unify(call, e, a, b, next);
  for (uint32_t d = 0; d < a->n; ++d) {
    const label one = a->labels[d];
    if (!is_in(b->labels, b->n, one)) {
      left[n_left++] = one;
    } else if (is_needed(e, next, one)) {
      batch[n_batch++] = one;
    } else {
      contracted[n_contracted++] = one;
    }
  }
  for (uint32_t d = 0; d < b->n; ++d) {
    if (!is_in(a->labels, a->n, b->labels[d])) right[n_right++] = b->labels[d];
  }
  label a_order[BE_MAX_RANK] = {0}, b_order[BE_MAX_RANK] = {0};
  memcpy(a_order, batch, n_batch);
  memcpy(a_order + n_batch, left, n_left);
  memcpy(a_order + n_batch + n_left, contracted, n_contracted);
  memcpy(b_order, batch, n_batch);
  memcpy(b_order + n_batch, contracted, n_contracted);
  memcpy(b_order + n_batch + n_contracted, right, n_right);
  term result = {0};
  int64_t dims[BE_MAX_RANK];
  if (n_batch + n_left + n_right > BE_MAX_RANK) return result;
  memcpy(result.labels, a_order, n_batch + n_left);
  memcpy(result.labels + n_batch + n_left, right, n_right);
  result.n = n_batch + n_left + n_right;
  for (uint32_t d = 0; d < result.n; ++d) dims[d] = e->sizes[result.labels[d]];
  value product = cp_matmul(call, as_matrices(call, e, a, a_order, n_batch, n_left),
                            as_matrices(call, e, b, b_order, n_batch, n_contracted));
  result.tensor = cp_view(call, product, result.n, dims);
  return result;
}

/* equation, tensors, path: the order of products, which the result does not depend on */
buddy_code cp_op_einsum(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)be_arg(call, 2);
  equation e = {0};
  const buddy_code code = read_equation(call, &e);
  if (code != BUDDY_OK) return code;
  term all = e.inputs[0];
  for (size_t i = 1; i < e.n_inputs; ++i) all = multiply(call, &e, &all, &e.inputs[i], i + 1);
  simplify(call, &e, &all, NULL, e.n_inputs);
  if (all.n != e.n_output) return be_decline(call, "the output has a label that no operand has");
  for (uint32_t d = 0; d < e.n_output; ++d) {
    if (!is_in(all.labels, all.n, e.output[d]))
      return be_decline(call, "the output has an unknown label");
  }
  return cp_finish(call, all.tensor ? arranged(call, &all, e.output, all.n) : NULL);
}
