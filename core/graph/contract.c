// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/contract.c: reads the texts of contracts.h.
 *
 * A bracket is read twice: to count what has a known length, so that the one unknown run takes the
 * rest, and to go along the dims. Nothing is kept between nodes: a text is as short as what it
 * would be parsed into. */
#include "core/graph/contract.h"

#include <string.h>

#include "core/base/assert.h"
#include "core/graph/promotion.h"

/* ---- Items of a bracket ---- */

typedef enum item_kind { DIM, COMPUTED, ANY, RUN, LENGTH, ONES, REST, EMPTY } item_kind;

typedef struct item {
  item_kind kind;
  bool is_optional; /* a run of at most one dim */
  uint32_t i;       /* of the letter */
  const char *text; /* of what is computed */
} item;

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Takes the next item; false at the end of the bracket. */
static bool take_item(const char **at, item *out) {
  const char *text = *at;
  if (*text == ',') ++text;
  if (*text == ']') return false;
  const size_t size = strcspn(text, ",]?");
  *out = (item){.kind = COMPUTED, .text = text};
  if (*text == '.') {
    out->kind = REST;
  } else if (*text == '!') {
    out->kind = EMPTY;
  } else if (*text == '#') {
    out->kind = LENGTH;
    out->i = (uint32_t)(text[1] - 'A');
  } else if (size == 3 && text[1] == '#') {
    out->kind = ONES;
    out->i = (uint32_t)(text[2] - 'A');
  } else if (*text == '_') {
    out->kind = ANY;
  } else if (size == 1 && (is_upper(*text) || is_lower(*text))) {
    out->kind = is_upper(*text) ? RUN : DIM;
    out->i = (uint32_t)(*text - (is_upper(*text) ? 'A' : 'a'));
  }
  text += size;
  if (*text == '?') {
    out->is_optional = true;
    if (out->kind == DIM) out->i += 26;
    out->kind = out->kind == DIM ? RUN : REST;
    ++text;
  }
  *at = text;
  return true;
}

static bool run_is_known(const bd_form *form, uint32_t i) {
  BD_ASSERT(i < 2 * 26);
  return form->known_runs >> i & 1u;
}

/* How many dims an item takes; false if that is not known. */
static bool item_length(const bd_form *form, const item *it, uint32_t *out_n) {
  *out_n = 1;
  if (it->kind == REST || it->kind == EMPTY) return false;
  if (it->kind != RUN && it->kind != LENGTH && it->kind != ONES) return true;
  *out_n = form->runs[it->i].n;
  return run_is_known(form, it->i);
}

/* ---- Brackets ---- */

typedef struct measure {
  uint32_t n_fixed, n_open; /* dims of known items; items of unknown length */
  bool is_short;            /* all that is unknown is at most one dim */
} measure;

static measure measure_bracket(const bd_form *form, const char *bracket) {
  measure m = {.is_short = true};
  item it;
  for (const char *at = bracket + 1; take_item(&at, &it);) {
    uint32_t n;
    if (item_length(form, &it, &n)) {
      m.n_fixed += n;
    } else {
      ++m.n_open;
      m.is_short = m.is_short && it.is_optional;
    }
  }
  return m;
}

static int64_t dim_of(const bd_form *form, uint32_t i) {
  return form->known_dims >> i & 1u ? form->dims[i] : BD_ANY_DIM;
}

static int64_t compute_sum(const bd_form *form, const char **at);

/* A letter, a number, "@", "*S", "$S" or "(…)". */
static int64_t compute_operand(const bd_form *form, const char **at) {
  int64_t number = 0;
  if (is_lower(**at)) return dim_of(form, (uint32_t)(*(*at)++ - 'a'));
  if (**at == '@') {
    ++*at;
    return form->axis_dim;
  }
  if (**at == '(') {
    ++*at;
    number = compute_sum(form, at);
    ++*at;
    return number;
  }
  if (**at == '*' || **at == '$') {
    const bool is_product = **at == '*';
    const uint32_t run = (uint32_t)((*at)[1] - 'A'), n = form->runs[run].n;
    *at += 2;
    if (!run_is_known(form, run)) return BD_ANY_DIM;
    return is_product ? bd_dims_product(form->q, form->runs[run].dims, n) : n;
  }
  while (is_digit(**at)) number = number * 10 + (*(*at)++ - '0');
  return number;
}

/* Takes the operator that stands first; false if it is none of these. */
static bool take_operator(const char **at, const char *operators, buddy_dim_op *out_op) {
  if (!**at || !strchr(operators, **at)) return false;
  const char sign = *(*at)++;
  *out_op = sign == '+'   ? BUDDY_DIM_ADD
            : sign == '-' ? BUDDY_DIM_SUB
            : sign == '*' ? BUDDY_DIM_MUL
            : sign == '/' ? BUDDY_DIM_FLOORDIV
                          : BUDDY_DIM_MIN;
  return true;
}

static int64_t compute_product(const bd_form *form, const char **at) {
  buddy_dim_op op = BUDDY_DIM_MUL;
  int64_t dim = compute_operand(form, at);
  while (take_operator(at, "*/&", &op))
    dim = bd_dim_do(form->q, op, dim, compute_operand(form, at));
  return dim;
}

static int64_t compute_sum(const bd_form *form, const char **at) {
  buddy_dim_op op = BUDDY_DIM_ADD;
  int64_t dim = compute_product(form, at);
  while (take_operator(at, "+-", &op)) dim = bd_dim_do(form->q, op, dim, compute_product(form, at));
  return dim;
}

/* What the arguments say of one dim. */
static int64_t dim_said(const bd_form *form, const item *it) {
  const char *at = it->text;
  if (it->kind == ONES) return 1;
  if (it->kind == COMPUTED) return compute_sum(form, &at);
  return it->kind == DIM ? dim_of(form, it->i) : BD_ANY_DIM;
}

static bool take_dim(bd_form *form, const item *it, int64_t dim) {
  if (it->kind != DIM) return bd_dims_may_equal(form->q, dim_said(form, it), dim);
  if (form->known_dims >> it->i & 1u) {
    if (form->dims[it->i] == BD_ANY_DIM) form->dims[it->i] = dim;
    return bd_dims_may_equal(form->q, form->dims[it->i], dim);
  }
  form->known_dims |= 1u << it->i;
  form->dims[it->i] = dim;
  return true;
}

static bool has_no_elements(const int64_t *dims, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    if (dims[i] == 0) return true;
  }
  return false;
}

static bool take_run(bd_form *form, const item *it, const int64_t *dims, uint32_t n) {
  for (uint32_t k = 0; it->kind == ONES && k < n; ++k) {
    if (!bd_dims_may_equal(form->q, 1, dims[k])) return false;
  }
  if (it->kind == EMPTY) return has_no_elements(dims, n);
  if (it->kind != RUN) return true;
  if (!run_is_known(form, it->i)) {
    form->known_runs |= (uint64_t)1 << it->i;
    form->runs[it->i].dims = dims;
    form->runs[it->i].n = n;
    return true;
  }
  for (uint32_t k = 0; k < n; ++k) {
    if (!bd_dims_may_equal(form->q, form->runs[it->i].dims[k], dims[k])) return false;
  }
  return true;
}

/* Items of unknown length, of which there are several, are read by as much as is optional: "b?" and
 * "_?" take a dim as long as there are some left. */
bool bd_form_fits(bd_form *form, const char *bracket, const int64_t *dims, uint32_t n) {
  const measure m = measure_bracket(form, bracket);
  if (n < m.n_fixed || (m.n_open == 0 && n != m.n_fixed)) return false;
  uint32_t rest = n - m.n_fixed, at_dim = 0;
  if (m.is_short && rest > m.n_open) return false;
  if (m.n_open > 1 && !m.is_short) return true; /* a list that is not known: nothing can be told */
  item it;
  for (const char *at = bracket + 1; take_item(&at, &it);) {
    uint32_t length;
    if (!item_length(form, &it, &length)) {
      length = it.is_optional && rest > 1 ? 1 : rest;
      rest -= length;
    }
    const bool is_dim = it.kind == DIM || it.kind == COMPUTED || it.kind == ANY;
    if (is_dim ? !take_dim(form, &it, dims[at_dim]) : !take_run(form, &it, dims + at_dim, length))
      return false;
    at_dim += length;
  }
  return true;
}

void bd_form_shape(const bd_form *form, const char *bracket, bd_shape *out) {
  out->rank = 0;
  item it;
  for (const char *at = bracket + 1; take_item(&at, &it);) {
    uint32_t length;
    if (!item_length(form, &it, &length) || out->rank + length > BD_MAX_RANK) {
      out->rank = BD_ANY_RANK;
      return;
    }
    for (uint32_t k = 0; k < length; ++k) {
      out->dims[out->rank++] = it.kind == RUN ? form->runs[it.i].dims[k] : dim_said(form, &it);
    }
  }
}

/* ---- Terms ---- */

/* The argument that a term is about, its name cut off the text; null if the op has none. */
static const buddy_arg *take_arg(const bd_form *form, const char **at) {
  const char *name = *at;
  while (is_lower(**at) || is_upper(**at) || is_digit(**at) || **at == '_') ++*at;
  const size_t size = (size_t)(*at - name);
  const buddy_opdef *def = form->q->node->def;
  for (uint32_t i = 0; i < def->n_args; ++i) {
    if (!strncmp(def->args[i].name, name, size) && !def->args[i].name[size])
      return form->q->node->args[i];
  }
  return NULL;
}

/* Some products of nothing are not looked at by PyTorch, either. */
static bool is_alike(bd_form *form, const buddy_tensor_type *type) {
  for (uint32_t i = 0; i < type->rank; ++i) form->has_empty |= type->dims[i] == 0;
  return type->dtype == form->first || (form->kinship == BD_ALIKE_IF_ANY && form->has_empty);
}

static bool is_kin(bd_form *form, const buddy_tensor_type *type) {
  const buddy_dtype dtype = type->dtype;
  if (!form->first) form->first = dtype;
  if (form->kinship >= BD_ALIKE) return is_alike(form, type);
  return form->kinship == BD_NO_KINSHIP ||
         (bd_dtype_real_part(dtype) == dtype) == (bd_dtype_real_part(form->first) == form->first);
}

static bool value_fits(bd_form *form, const char *bracket, const buddy_value *value) {
  return is_kin(form, &value->type) &&
         bd_form_fits(form, bracket, value->type.dims, value->type.rank);
}

/* A list of numbers; one of them stands for all, and none for what the op does without. */
static bool numbers_fit(bd_form *form, const char *bracket, const buddy_arg *arg) {
  const uint32_t n = measure_bracket(form, bracket).n_fixed;
  int64_t all[BD_MAX_RANK];
  if (arg->n == 0) return true;
  if (arg->n > 1 || n > BD_MAX_RANK)
    return arg->n <= BD_MAX_RANK && bd_form_fits(form, bracket, arg->as.ints, (uint32_t)arg->n);
  for (uint32_t i = 0; i < n; ++i) all[i] = arg->as.ints[0];
  return bd_form_fits(form, bracket, all, n);
}

static bool tensor_fits(bd_form *form, const char *bracket, const buddy_arg *arg) {
  if (arg && arg->kind == BUDDY_ARG_TENSOR) return value_fits(form, bracket, arg->as.tensor);
  for (size_t i = 0; arg && arg->kind == BUDDY_ARG_TENSORS && i < arg->n; ++i) {
    if (arg->as.tensors[i] && !value_fits(form, bracket, arg->as.tensors[i])) return false;
  }
  return !arg || arg->kind != BUDDY_ARG_INTS || numbers_fit(form, bracket, arg);
}

/* "<[S]", and "<<[S]". */
static bool tensor_broadcasts(bd_form *form, const char *bracket, const buddy_arg *arg) {
  bd_shape to;
  const bool may_spread = *++bracket == '<';
  if (may_spread) ++bracket;
  bd_form_shape(form, bracket, &to);
  if (!arg || arg->kind != BUDDY_ARG_TENSOR || to.rank == BD_ANY_RANK) return true;
  const buddy_tensor_type *type = &arg->as.tensor->type;
  if (type->rank > to.rank || !is_kin(form, type)) return false;
  for (uint32_t k = 1; k <= type->rank; ++k) {
    const int64_t dim = type->dims[type->rank - k];
    const int64_t other = to.dims[to.rank - k];
    if (may_spread ? !bd_dims_may_spread(form->q, dim, other)
                   : !bd_dims_may_expand(form->q, dim, other))
      return false;
  }
  return true;
}

static bool word_fits(const char *at, const buddy_arg *arg) {
  const size_t size = strcspn(at, "'");
  return !arg || arg->kind != BUDDY_ARG_STRING ||
         (!strncmp(arg->as.string, at, size) && !arg->as.string[size]);
}

/* "=S", "=n", "=0", ">0", "='word'". */
static bool number_fits(bd_form *form, const char *at, const buddy_arg *arg) {
  const bool is_int = arg && (arg->kind == BUDDY_ARG_INT || arg->kind == BUDDY_ARG_BOOL);
  if (at[1] == '\'') return word_fits(at + 2, arg);
  if (*at == '>') return !is_int || arg->as.i > 0;
  ++at;
  if (is_digit(*at)) return !is_int || arg->as.i == *at - '0';
  const item it = {.kind = is_upper(*at) ? RUN : DIM,
                   .i = (uint32_t)(*at - (is_upper(*at) ? 'A' : 'a'))};
  if (it.kind == DIM) return !is_int || take_dim(form, &it, arg->as.i);
  if (!arg || arg->kind != BUDDY_ARG_INTS) return true;
  return arg->n <= BD_MAX_RANK && take_run(form, &it, arg->as.ints, (uint32_t)arg->n);
}

/* The rank of a tensor, the least one of a list of them. */
static bool rank_of(const buddy_arg *arg, uint32_t *out_rank) {
  *out_rank = BD_MAX_RANK;
  if (arg->kind == BUDDY_ARG_TENSOR) *out_rank = arg->as.tensor->type.rank;
  for (size_t i = 0; arg->kind == BUDDY_ARG_TENSORS && i < arg->n; ++i) {
    const buddy_value *value = arg->as.tensors[i];
    if (value && value->type.rank < *out_rank) *out_rank = value->type.rank;
  }
  return arg->kind == BUDDY_ARG_TENSOR || arg->kind == BUDDY_ARG_TENSORS;
}

/* ":S", ":self". */
static bool axes_fit(bd_form *form, const char *name, const char *at, const buddy_arg *arg) {
  uint32_t rank = 0;
  const int64_t *dims = NULL;
  ++at;
  if (is_upper(*at)) {
    if (!run_is_known(form, (uint32_t)(*at - 'A'))) return true;
    dims = form->runs[*at - 'A'].dims;
    rank = form->runs[*at - 'A'].n;
  } else {
    const buddy_arg *of = take_arg(form, &at);
    if (!of || !rank_of(of, &rank)) return true;
  }
  const int64_t n = rank ? rank : 1;
  const bool is_list = arg && arg->kind == BUDDY_ARG_INTS;
  if (!is_list && (!arg || arg->kind != BUDDY_ARG_INT)) return true;
  for (size_t i = 0; i < (is_list ? arg->n : 1); ++i) {
    const int64_t axis = is_list ? arg->as.ints[i] : arg->as.i;
    if (axis < -n || axis >= n) {
      form->wrong_axis = name;
      form->wrong_rank = rank;
      return false;
    }
    if (dims && rank > 0) form->axis_dim = dims[axis < 0 ? axis + n : axis];
  }
  return true;
}

static bool term_fits(bd_form *form, const char *at) {
  const char *name = at;
  if (!strncmp(at, "kin ", 4)) return (form->kinship = BD_KIN) == BD_KIN;
  if (!strncmp(at, "alike ", 6)) return (form->kinship = BD_ALIKE) == BD_ALIKE;
  if (!strncmp(at, "alike? ", 7)) return (form->kinship = BD_ALIKE_IF_ANY) == BD_ALIKE_IF_ANY;
  const bool is_missing = *at == '!';
  if (is_missing) ++at;
  const buddy_arg *arg = take_arg(form, &at);
  if (is_missing) return !arg || arg->kind == BUDDY_ARG_NONE;
  switch (*at) {
    case '[':
      return tensor_fits(form, at, arg);
    case '<':
      return tensor_broadcasts(form, at, arg);
    case ':':
      return axes_fit(form, name, at, arg);
    default:
      return number_fits(form, at, arg);
  }
}

/* ---- Forms ---- */

static const char *skip_word(const char *at) {
  while (*at && *at != ' ') ++at;
  while (*at == ' ') ++at;
  return at;
}

static bool form_ends(const char *at) { return !*at || *at == '|'; }

/* Reads one form; *at is at the next then. */
static bool form_fits(bd_form *form, const char **at) {
  bool fits = true;
  form->known_dims = 0;
  form->axis_dim = BD_ANY_DIM;
  form->kinship = BD_NO_KINSHIP;
  form->has_empty = false;
  form->first = BUDDY_DTYPE_NONE;
  form->known_runs = 0;
  form->results = NULL;
  if (form->q->equalities) form->q->equalities->n = 0; /* of a form that did not fit */
  while (!form_ends(*at)) {
    if (**at == '-') {
      form->results = skip_word(*at);
      while (!form_ends(*at)) *at = skip_word(*at);
      break;
    }
    fits = fits && term_fits(form, *at);
    *at = skip_word(*at);
  }
  if (**at) *at = skip_word(*at);
  return fits;
}

buddy_code bd_form_find(bd_question *q, const char *text, bd_form *out_form) {
  out_form->q = q;
  out_form->wrong_axis = NULL;
  for (const char *at = text; *at;) {
    if (form_fits(out_form, &at)) return BUDDY_OK;
  }
  return BUDDY_INVALID_ARGUMENT;
}

const char *bd_form_result(const bd_form *form, uint32_t result) {
  const char *at = form->results, *last = NULL;
  for (uint32_t i = 0; at && !form_ends(at); ++i) {
    if (*at == '.') return last;
    if (i == result) return at;
    last = at;
    at = skip_word(at);
  }
  return NULL;
}
