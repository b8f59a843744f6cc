// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/formula.c: expansions written as text, for the many ops that are one formula of
 * their arguments. A row's user data is the text:
 *
 *   "z = sigmoid(self); grad_output * z * (1 + self * (1 - z))"
 *
 *   results   expressions, separated by commas: one for each result of the op
 *   names     the row's arguments, and what `name = expression;` in front has named; pi, inf, nan,
 *             eps (the machine epsilon of the result's dtype)
 *   + - * /   and comparisons, with C's precedence, by PyTorch's broadcasting; on numbers alone
 *             they are computed at once
 *   f(x, …)   the functions of the tables below, and
 *             if(c, a, b)   a or b, by a number; what is not taken builds nothing
 *             has(x)        1, or 0 for None
 *             cast(x)       x in the result's dtype
 *             sum(x[, dim]), mean(x[, dim])   over all dims, or one dim that is kept as 1
 *             numel(x)      the number of its elements
 *             clamp(x, low[, high])   by numbers
 *             reduced(x, reduction)   a loss: itself for 0, its mean for 1, its sum for 2
 *   "text"    in single quotes, to compare a string argument with
 *
 * Tensors are computed in f32 where they are f16 or bf16, and a result is rounded once. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/composite/rows.h"

enum { MAX_NAMES = 12, MAX_OPERANDS = 3, MAX_DEPTH = 64 };

typedef enum kind { NOTHING, NUMBER, DIM, TENSOR, TEXT } kind;

typedef struct operand {
  kind kind;
  value tensor;
  double number;
  int64_t dim; /* symbolic */
  const char *text;
  size_t n; /* of the text */
} operand;

typedef struct name {
  const char *text;
  size_t n;
  operand is;
} name;

typedef struct reader {
  buddy_call *call;
  const buddy_op *row;
  const char *at;
  name names[MAX_NAMES];
  size_t n_names;
  int skipping; /* inside of what an `if` does not take */
  int depth;
  const char *wrong; /* the first defect of the text */
} reader;

static const operand nothing = {NOTHING, NULL, 0, 0, NULL, 0};

static operand of_number(double number) { return (operand){.kind = NUMBER, .number = number}; }
static operand of_tensor(value tensor) { return (operand){.kind = TENSOR, .tensor = tensor}; }

static operand wrong(reader *in, const char *why) {
  if (!in->wrong) in->wrong = why;
  return nothing;
}

/* ---- Operands -------------------------------------------------------------------------------- */
/* The dtype that numbers beside no tensor get. */
static buddy_dtype dtype_of(const reader *in) {
  return cp_compute_dtype(be_result_type(in->call, 0)->dtype);
}

/* As a tensor of `dtype`: a number becomes a 0-d one. */
static value as_tensor(reader *in, operand a, buddy_dtype dtype) {
  if (a.kind == TENSOR) return a.tensor;
  if (a.kind == NUMBER) return cp_full(in->call, be_type(in->call, dtype, 0, NULL), a.number);
  if (a.kind == DIM) return cp_counted(in->call, a.dim, dtype);
  wrong(in, "a tensor or a number is missing");
  return NULL;
}

static buddy_dtype dtype_beside(const reader *in, operand a, operand b) {
  const buddy_tensor_type *type = cp_type(in->call, a.kind == TENSOR ? a.tensor : b.tensor);
  return type ? type->dtype : dtype_of(in);
}

static bool is_number(operand a) { return a.kind == NUMBER; }

static bool is_tensor_function_of_number(const char *op) {
  static const char *const ops[] = {
      "aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.div.Tensor", "aten.eq.Tensor",
      "aten.ne.Tensor",  "aten.lt.Tensor",  "aten.le.Tensor",  "aten.gt.Tensor",  "aten.ge.Tensor"};
  for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); ++i) {
    if (!strcmp(ops[i], op)) return true;
  }
  return false;
}

static operand apply_two(reader *in, const char *op, operand a, operand b) {
  if (in->skipping) return nothing;
  const buddy_dtype dtype = dtype_beside(in, a, b);
  if (a.kind == TENSOR && b.kind == NUMBER && is_tensor_function_of_number(op))
    return of_tensor(cp_number(in->call, op, a.tensor, b.number));
  if (a.kind == TENSOR && b.kind == DIM && is_tensor_function_of_number(op)) {
    return of_tensor(cp_dim(in->call, op, a.tensor, b.dim));
  }
  value left = as_tensor(in, a, dtype), right = as_tensor(in, b, dtype);
  if (!strcmp(op, "aten.pow.Tensor_Tensor")) {
    if (!left || !right) return of_tensor(NULL);
    return of_tensor(BE_NODE(in->call, op, NULL, be_t("self", left), be_t("exponent", right)));
  }
  return of_tensor(cp_binary(in->call, op, left, right));
}

/* ---- Functions ------------------------------------------------------------------------------- */
typedef struct unary_function {
  const char *name, *op;
  double (*on_number)(double);
} unary_function;
static const unary_function unary_functions[] = {
    {"abs", "aten.abs.default", fabs},
    {"exp", "aten.exp.default", exp},
    {"expm1", "aten.expm1.default", expm1},
    {"log", "aten.log.default", log},
    {"log1p", "aten.log1p.default", log1p},
    {"sqrt", "aten.sqrt.default", sqrt},
    {"rsqrt", "aten.rsqrt.default", NULL},
    {"sin", "aten.sin.default", sin},
    {"cos", "aten.cos.default", cos},
    {"tan", "aten.tan.default", tan},
    {"tanh", "aten.tanh.default", tanh},
    {"erf", "aten.erf.default", erf},
    {"floor", "aten.floor.default", floor},
    {"trunc", "aten.trunc.default", trunc},
    {"ceil", "aten.ceil.default", ceil},
    {"sign", "aten.sign.default", NULL},
    {"sigmoid", "aten.sigmoid.default", NULL},
    {"relu", "aten.relu.default", NULL},
    {"isnan", "aten.isnan.default", NULL},
    {"isinf", "aten.isinf.default", NULL},
    {"not", "aten.logical_not.default", NULL},
    {"log2", "aten.log2.default", log2},
    {"lgamma", "aten.lgamma.default", NULL},
    {"digamma", "aten.digamma.default", NULL},
    {"log_sigmoid", "aten.log_sigmoid.default", NULL},
};

typedef struct binary_function {
  const char *name, *op;
  double (*on_numbers)(double, double);
} binary_function;
static const binary_function binary_functions[] = {
    {"max", "aten.maximum.default", fmax},        {"min", "aten.minimum.default", fmin},
    {"pow", "aten.pow.Tensor_Tensor", pow},       {"atan2", "aten.atan2.default", atan2},
    {"and", "aten.logical_and.default", NULL},    {"or", "aten.logical_or.default", NULL},
    {"remainder", "aten.remainder.Tensor", NULL}, {"xlogy", "aten.xlogy.Tensor", NULL},
};

/* Over all dims, or over one that is kept as 1. */
static operand apply_sum(reader *in, const operand *args, size_t n, bool is_mean) {
  if (in->skipping) return nothing;
  if (args[0].kind != TENSOR) return wrong(in, "a sum is of a tensor");
  const buddy_tensor_type *type = cp_type(in->call, args[0].tensor);
  if (!type) return of_tensor(NULL);
  uint64_t axes = cp_all_axes(type->rank);
  if (n == 2 && type->rank > 0) {
    const int64_t dim = (int64_t)args[1].number;
    axes = 1ull << (dim < 0 ? dim + type->rank : dim);
  }
  return of_tensor(is_mean ? cp_mean(in->call, args[0].tensor, axes, n == 2)
                           : cp_sum(in->call, args[0].tensor, axes, n == 2));
}

static operand apply_clamp(reader *in, const operand *args, size_t n) {
  if (in->skipping) return nothing;
  for (size_t i = 1; i < n; ++i) {
    if (!is_number(args[i])) return wrong(in, "clamp is by numbers");
  }
  if (args[0].kind != TENSOR || !args[0].tensor) return of_tensor(NULL);
  return of_tensor(BE_NODE(in->call, "aten.clamp.default", NULL, be_t("self", args[0].tensor),
                           be_f("min", args[1].number),
                           n == 3 ? be_f("max", args[2].number) : be_t("max", NULL)));
}

static operand count_elements(reader *in, operand a) {
  if (in->skipping || a.kind != TENSOR) return nothing;
  const buddy_tensor_type *type = cp_type(in->call, a.tensor);
  const int64_t n = type ? be_n_elements(in->call, type) : 0;
  if (BUDDY_IS_SYMBOLIC(n)) return (operand){.kind = DIM, .dim = n};
  return of_number((double)n);
}

static operand apply_where(reader *in, const operand *args) {
  if (in->skipping) return nothing;
  const buddy_dtype dtype = dtype_beside(in, args[1], args[2]);
  return of_tensor(cp_where(in->call, as_tensor(in, args[0], BUDDY_BOOL),
                            as_tensor(in, args[1], dtype), as_tensor(in, args[2], dtype)));
}

static bool is_word(const char *text, size_t n, const char *word) {
  return strlen(word) == n && !memcmp(text, word, n);
}

static operand apply(reader *in, const char *text, size_t size, const operand *args, size_t n) {
  if (is_word(text, size, "has") && n == 1) return of_number(args[0].kind != NOTHING);
  if (is_word(text, size, "sum") && n > 0) return apply_sum(in, args, n, 0);
  if (is_word(text, size, "mean") && n > 0) return apply_sum(in, args, n, 1);
  if (is_word(text, size, "reduced") && n == 2)
    return args[1].number == 0 ? args[0] : apply_sum(in, args, 1, args[1].number == 1);
  if (is_word(text, size, "clamp") && n > 1) return apply_clamp(in, args, n);
  if (is_word(text, size, "numel") && n == 1) return count_elements(in, args[0]);
  if (is_word(text, size, "where") && n == 3) return apply_where(in, args);
  if (is_word(text, size, "cast") && n == 1 && !in->skipping) {
    const buddy_dtype dtype = be_result_type(in->call, 0)->dtype;
    return of_tensor(cp_cast(in->call, as_tensor(in, args[0], dtype), dtype));
  }
  if (in->skipping) return nothing;
  for (size_t i = 0; n == 1 && i < sizeof(unary_functions) / sizeof(*unary_functions); ++i) {
    const unary_function *f = &unary_functions[i];
    if (!is_word(text, size, f->name)) continue;
    if (is_number(args[0]) && f->on_number) return of_number(f->on_number(args[0].number));
    return of_tensor(cp_unary(in->call, f->op, as_tensor(in, args[0], dtype_of(in))));
  }
  for (size_t i = 0; n == 2 && i < sizeof(binary_functions) / sizeof(*binary_functions); ++i) {
    const binary_function *f = &binary_functions[i];
    if (!is_word(text, size, f->name)) continue;
    if (is_number(args[0]) && is_number(args[1]) && f->on_numbers)
      return of_number(f->on_numbers(args[0].number, args[1].number));
    return apply_two(in, f->op, args[0], args[1]);
  }
  return wrong(in, "there is no such function");
}

/* ---- Names ----------------------------------------------------------------------------------- */
static operand of_argument(reader *in, size_t i) {
  const buddy_arg *arg = be_arg(in->call, i);
  switch (arg->kind) {
    case BUDDY_ARG_TENSOR:
      return of_tensor(in->skipping ? NULL : cp_computed(in->call, i));
    case BUDDY_ARG_INT:
      if (BUDDY_IS_SYMBOLIC(arg->as.i)) return (operand){.kind = DIM, .dim = arg->as.i};
      return of_number((double)arg->as.i);
    case BUDDY_ARG_DTYPE:
    case BUDDY_ARG_BOOL:
      return of_number((double)arg->as.i);
    case BUDDY_ARG_FLOAT:
      return of_number(arg->as.f);
    case BUDDY_ARG_STRING:
      return (operand){.kind = TEXT, .text = arg->as.string, .n = arg->n};
    default:
      return nothing;
  }
}

static double machine_epsilon(buddy_dtype dtype) {
  return dtype == BUDDY_F64    ? 2.220446049250313e-16
         : dtype == BUDDY_F16  ? 0.0009765625
         : dtype == BUDDY_BF16 ? 0.0078125
                               : 1.1920928955078125e-07;
}

/* What was named in front, an argument of the row, or a constant. */
static operand find_name(reader *in, const char *text, size_t n) {
  for (size_t i = in->n_names; i-- > 0;) { /* the last definition counts */
    if (in->names[i].n == n && !memcmp(in->names[i].text, text, n)) return in->names[i].is;
  }
  size_t position = 0;
  for (const char *at = in->row->args; *at; ++position) {
    const size_t size = strcspn(at, ", ");
    if (size == n && !memcmp(at, text, n)) return of_argument(in, position);
    at += size;
    at += strspn(at, ", ");
  }
  if (is_word(text, n, "pi")) return of_number(3.14159265358979323846);
  if (is_word(text, n, "inf")) return of_number(INFINITY);
  if (is_word(text, n, "nan")) return of_number(NAN);
  if (is_word(text, n, "eps"))
    return of_number(machine_epsilon(be_result_type(in->call, 0)->dtype));
  return wrong(in, "there is no such name");
}

/* ---- Reading --------------------------------------------------------------------------------- */
static void skip_space(reader *in) {
  while (*in->at == ' ') ++in->at;
}

static int take(reader *in, const char *token) {
  skip_space(in);
  const size_t n = strlen(token);
  if (strncmp(in->at, token, n) != 0) return 0;
  in->at += n;
  return 1;
}

static operand read_expression(reader *in);

/* if(c, a, b), after the opening parenthesis */
static operand read_choice(reader *in) {
  const operand condition = read_expression(in);
  if (condition.kind != NUMBER && !in->skipping)
    return wrong(in, "the condition of an if is no number");
  operand branches[2];
  for (int i = 0; i < 2; ++i) {
    const bool is_taken = (condition.number != 0) == (i == 0);
    if (!take(in, ",")) return wrong(in, "an if has three parts");
    in->skipping += !is_taken;
    branches[i] = read_expression(in);
    in->skipping -= !is_taken;
  }
  if (!take(in, ")")) return wrong(in, "a parenthesis is open");
  return branches[condition.number == 0];
}

static operand read_function(reader *in, const char *text, size_t n) {
  operand args[MAX_OPERANDS];
  size_t n_args = 0;
  if (is_word(text, n, "if")) return read_choice(in);
  do {
    if (n_args == MAX_OPERANDS) return wrong(in, "a function has too many operands");
    args[n_args++] = read_expression(in);
  } while (take(in, ","));
  if (!take(in, ")")) return wrong(in, "a parenthesis is open");
  return in->wrong ? nothing : apply(in, text, n, args, n_args);
}

static size_t word_size(const char *text) {
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_') ++n;
  return n;
}

static operand read_primary(reader *in) {
  skip_space(in);
  if (isdigit((unsigned char)*in->at) || *in->at == '.') {
    char *end;
    const double number = strtod(in->at, &end);
    in->at = end;
    return of_number(number);
  }
  if (take(in, "(")) {
    const operand inner = read_expression(in);
    return take(in, ")") ? inner : wrong(in, "a parenthesis is open");
  }
  if (take(in, "'")) {
    const operand text = {.kind = TEXT, .text = in->at, .n = strcspn(in->at, "'")};
    in->at += text.n;
    return take(in, "'") ? text : wrong(in, "a text is open");
  }
  const char *text = in->at;
  const size_t n = word_size(text);
  if (n == 0) return wrong(in, "an operand is missing");
  in->at += n;
  return take(in, "(") ? read_function(in, text, n) : find_name(in, text, n);
}

static operand read_signed(reader *in) {
  if (!take(in, "-")) return read_primary(in);
  const operand a = read_primary(in);
  if (in->skipping || in->wrong) return nothing;
  if (is_number(a)) return of_number(-a.number);
  return of_tensor(cp_unary(in->call, "aten.neg.default", as_tensor(in, a, dtype_of(in))));
}

static operand read_product(reader *in) {
  operand a = read_signed(in);
  while (!in->wrong) {
    const bool is_product = take(in, "*"), is_quotient = !is_product && take(in, "/");
    if (!is_product && !is_quotient) break;
    const operand b = read_signed(in);
    if (in->wrong) break;
    if (is_number(a) && is_number(b))
      a = of_number(is_product ? a.number * b.number : a.number / b.number);
    else if (is_product && is_number(a))
      a = apply_two(in, "aten.mul.Tensor", b, a);
    else
      a = apply_two(in, is_product ? "aten.mul.Tensor" : "aten.div.Tensor", a, b);
  }
  return a;
}

/* number - x */
static operand subtract_from(reader *in, operand number, operand x) {
  if (in->skipping) return nothing;
  value negative = cp_unary(in->call, "aten.neg.default", as_tensor(in, x, dtype_of(in)));
  return of_tensor(cp_number(in->call, "aten.add.Tensor", negative, number.number));
}

static operand read_sum(reader *in) {
  operand a = read_product(in);
  while (!in->wrong) {
    const bool is_sum = take(in, "+"), is_difference = !is_sum && take(in, "-");
    if (!is_sum && !is_difference) break;
    const operand b = read_product(in);
    if (in->wrong) break;
    if (is_number(a) && is_number(b))
      a = of_number(is_sum ? a.number + b.number : a.number - b.number);
    else if (is_number(a))
      a = is_sum ? apply_two(in, "aten.add.Tensor", b, a) : subtract_from(in, a, b);
    else
      a = apply_two(in, is_sum ? "aten.add.Tensor" : "aten.sub.Tensor", a, b);
  }
  return a;
}

typedef struct comparison {
  const char *token, *op, *mirrored;
} comparison;

static int compare_numbers(size_t i, double a, double b) {
  const int holds[6] = {a <= b, a >= b, a == b, a != b, a<b, a> b};
  return holds[i];
}

static operand compare(reader *in, size_t i, const comparison *c, operand a, operand b) {
  if (a.kind == TEXT && b.kind == TEXT) {
    const bool is_same = a.n == b.n && !memcmp(a.text, b.text, a.n);
    return of_number(is_same == (i == 2));
  }
  if (is_number(a) && is_number(b)) return of_number(compare_numbers(i, a.number, b.number));
  if (is_number(a)) return apply_two(in, c->mirrored, b, a);
  return apply_two(in, c->op, a, b);
}

static operand read_expression(reader *in) {
  static const comparison comparisons[] = {
      {"<=", "aten.le.Tensor", "aten.ge.Tensor"}, {">=", "aten.ge.Tensor", "aten.le.Tensor"},
      {"==", "aten.eq.Tensor", "aten.eq.Tensor"}, {"!=", "aten.ne.Tensor", "aten.ne.Tensor"},
      {"<", "aten.lt.Tensor", "aten.gt.Tensor"},  {">", "aten.gt.Tensor", "aten.lt.Tensor"}};
  if (++in->depth > MAX_DEPTH) return wrong(in, "it is nested too deeply");
  operand a = read_sum(in);
  for (size_t i = 0; i < sizeof(comparisons) / sizeof(*comparisons) && !in->wrong; ++i) {
    if (!take(in, comparisons[i].token)) continue;
    const operand b = read_sum(in);
    if (!in->wrong && !in->skipping) a = compare(in, i, &comparisons[i], a, b);
    break;
  }
  --in->depth;
  return in->wrong ? nothing : a;
}

/* `name = expression;`; 0 where there is none. */
static int read_definition(reader *in) {
  skip_space(in);
  const char *text = in->at;
  const size_t n = word_size(text);
  in->at += n;
  skip_space(in);
  if (n == 0 || *in->at != '=' || in->at[1] == '=') {
    in->at = text;
    return 0;
  }
  ++in->at;
  const operand is = read_expression(in);
  if (!take(in, ";")) wrong(in, "a definition does not end with a semicolon");
  if (in->n_names == MAX_NAMES) wrong(in, "there are too many definitions");
  if (!in->wrong) in->names[in->n_names++] = (name){text, n, is};
  return !in->wrong;
}

static buddy_code fail(reader *in) {
  char text[256];
  const int n = snprintf(text, sizeof(text), "the formula of %s: %s, before \"%.80s\"",
                         in->row->name, in->wrong, in->at);
  const size_t size = n < 0 ? 0 : (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1;
  return be_host->fail(in->call, BUDDY_INTERNAL, (buddy_sv){text, size});
}

static buddy_code give_result(reader *in, size_t i, operand a) {
  const buddy_tensor_type *to = be_result_type(in->call, i);
  value tensor = cp_cast(in->call, as_tensor(in, a, to->dtype), to->dtype);
  const buddy_tensor_type *type = cp_type(in->call, tensor);
  if (type && type->rank < to->rank) tensor = cp_expand(in->call, tensor, to->rank, to->dims);
  return cp_finish_shaped(in->call, i, tensor);
}

buddy_code cp_op_text(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  reader in = {.call = call, .row = self, .at = self->user};
  while (read_definition(&in)) continue;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; !in.wrong && code == BUDDY_OK && i < be_host->n_results(call); ++i) {
    if (i > 0 && !take(&in, ",")) wrong(&in, "there are too few results");
    const operand a = read_expression(&in);
    if (!in.wrong) code = give_result(&in, i, a);
  }
  skip_space(&in);
  if (!in.wrong && code == BUDDY_OK && *in.at) wrong(&in, "something is left");
  return in.wrong ? fail(&in) : code;
}
