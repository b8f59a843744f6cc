// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dims_parse.c: reads expressions over shape symbols, as buddy prints them and as
 * torch.export writes them.
 *
 *   1  sum       product {("+" | "-") product}
 *   2  product   power {("*" | "/" | "//" | "%") power}
 *   3  power     ["-" | "+"] power | primary ["**" number]
 *   4  primary   number | symbol | "(" sum ")" | function "(" sum {"," sum} ")"
 *
 * torch.export writes sympy's srepr: Add(Mul(Integer(2), Symbol('s0', positive=True,
 * integer=True)), Integer(1)), with PyTorch's own functions FloorDiv, Mod, CleanDiv … and true
 * divisions under floor or ceiling; its guards are Python with those of the modules math and torch.
 * So a value here is a fraction of two dims until something rounds it; a size must be whole, what a
 * guard compares need not. */
#include <string.h>

#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/graph/dims.h"
#include "core/graph/guards.h"
#include "core/graph/model.h"
#include "core/graph/parse_tokens.h"

#define MAX_NESTING \
  (BD_DIM_MAX_DEPTH + 2) /* of parentheses and functions: what is printed reads back */
#define MAX_POWER 64

typedef struct fraction {
  int64_t over, under; /* dims; under is 1 for whole values */
} fraction;

typedef struct parser {
  bd_dims *dims;
  const char *at, *end;
  buddy_sv text;
  const char *where;
  buddy_diags *diags;
  unsigned nesting;
} parser;

static buddy_code read_sum(parser *in, fraction *out);

/* ---- Messages and characters ---- */

static buddy_code wrong(const parser *in, buddy_code code, const char *what) {
  const int size = in->text.size > 200 ? 200 : (int)in->text.size;
  return buddy_diags_add(in->diags, BUDDY_ERROR, code, in->where, NULL,
                         "the size \"%.*s\" %s, at byte %zu", size, in->text.data, what,
                         (size_t)(in->at - in->text.data));
}

/* Failures of the arithmetic as messages. */
static buddy_code checked(const parser *in, buddy_code code) {
  if (code == BUDDY_INVALID_ARGUMENT) return wrong(in, code, "divides by 0");
  if (code == BUDDY_LIMIT) return wrong(in, code, "is too large");
  return code;
}

static void skip_spaces(parser *in) {
  while (in->at < in->end && (*in->at == ' ' || *in->at == '\t')) ++in->at;
}

static bool take(parser *in, const char *text) {
  const size_t size = strlen(text);
  skip_spaces(in);
  if ((size_t)(in->end - in->at) < size || memcmp(in->at, text, size)) return false;
  in->at += size;
  return true;
}

static bool is_word(char c, bool is_first) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return true;
  return !is_first && ((c >= '0' && c <= '9') || c == '.');
}

static buddy_sv take_word(parser *in) {
  const char *start = in->at;
  while (in->at < in->end && is_word(*in->at, in->at == start)) ++in->at;
  return (buddy_sv){start, (size_t)(in->at - start)};
}

/* ---- Fractions ---- */

/* A fraction that is whole loses its divisor. */
static buddy_code simplify(parser *in, fraction *value) {
  if (value->under == 1) return BUDDY_OK;
  int64_t rest;
  const buddy_code code = bd_dim_mod(in->dims, value->over, value->under, &rest);
  if (code || rest != 0) return checked(in, code);
  const int64_t under = value->under;
  value->under = 1;
  return checked(in, bd_dim_floordiv(in->dims, value->over, under, &value->over));
}

static buddy_code combine(parser *in, buddy_dim_op op, int64_t a, int64_t b, int64_t *out) {
  return checked(in, bd_dim_combine(in->dims, op, a, b, out));
}

static buddy_code add(parser *in, buddy_dim_op op, fraction a, fraction b, fraction *out) {
  fraction result = {0, a.under};
  int64_t x = a.over, y = b.over;
  buddy_code code = BUDDY_OK;
  if (a.under != b.under) { /* cross-multiply */
    code = combine(in, BUDDY_DIM_MUL, a.over, b.under, &x);
    if (!code) code = combine(in, BUDDY_DIM_MUL, b.over, a.under, &y);
    if (!code) code = combine(in, BUDDY_DIM_MUL, a.under, b.under, &result.under);
  }
  if (!code) code = combine(in, op, x, y, &result.over);
  *out = result;
  return code ? code : simplify(in, out);
}

static buddy_code multiply(parser *in, fraction a, fraction b, fraction *out) {
  fraction result = {0, 1};
  buddy_code code = combine(in, BUDDY_DIM_MUL, a.over, b.over, &result.over);
  if (!code) code = combine(in, BUDDY_DIM_MUL, a.under, b.under, &result.under);
  *out = result;
  return code ? code : simplify(in, out);
}

static buddy_code divide(parser *in, fraction a, fraction b, fraction *out) {
  if (b.over == 0) return wrong(in, BUDDY_INVALID_ARGUMENT, "divides by 0");
  return multiply(in, a, (fraction){b.under, b.over}, out);
}

static buddy_code round_down(parser *in, fraction value, fraction *out) {
  out->under = 1;
  out->over = value.over;
  return value.under == 1 ? BUDDY_OK
                          : combine(in, BUDDY_DIM_FLOORDIV, value.over, value.under, &out->over);
}

static buddy_code round_up(parser *in, fraction value, fraction *out) {
  BD_TRY(combine(in, BUDDY_DIM_SUB, 0, value.over, &value.over));
  BD_TRY(round_down(in, value, out));
  return combine(in, BUDDY_DIM_SUB, 0, out->over, &out->over);
}

/* Towards zero: down, for what cannot be negative. */
static buddy_code round_to_zero(parser *in, fraction value, fraction *out) {
  int64_t low, low_under, high;
  bd_dim_range(in->dims, value.over, &low, &high);
  bd_dim_range(in->dims, value.under, &low_under, &high);
  if (value.under != 1 && (low < 0 || low_under < 0)) {
    return wrong(in, BUDDY_UNSUPPORTED, "truncates what may be negative");
  }
  return round_down(in, value, out);
}

static buddy_code round_quotient(parser *in, fraction a, fraction b, fraction *out) {
  fraction quotient = {0, 1};
  BD_TRY(divide(in, a, b, &quotient));
  return round_down(in, quotient, out);
}

static buddy_code whole(parser *in, fraction value, int64_t *out) {
  *out = value.over;
  return value.under == 1
             ? BUDDY_OK
             : wrong(in, BUDDY_UNSUPPORTED, "has a fraction where a whole number is needed");
}

static buddy_code whole_pair(parser *in, buddy_dim_op op, fraction a, fraction b, fraction *out) {
  int64_t x, y;
  buddy_code code = whole(in, a, &x);
  if (!code) code = whole(in, b, &y);
  out->under = 1;
  return code ? code : combine(in, op, x, y, &out->over);
}

static buddy_code power(parser *in, fraction base, fraction exponent, fraction *out) {
  const bool is_small = exponent.under == 1 && exponent.over >= -1 && exponent.over <= MAX_POWER;
  if (!is_small) return wrong(in, BUDDY_UNSUPPORTED, "has a power that is no small number");
  fraction result = {1, 1};
  if (exponent.over == -1) return divide(in, result, base, out);
  for (int64_t i = 0; i < exponent.over; ++i) BD_TRY(multiply(in, result, base, &result));
  *out = result;
  return BUDDY_OK;
}

/* ---- Functions ---- */

static buddy_code apply_add(parser *in, fraction a, fraction b, fraction *out) {
  return add(in, BUDDY_DIM_ADD, a, b, out);
}
static buddy_code apply_mod(parser *in, fraction a, fraction b, fraction *out) {
  return whole_pair(in, BUDDY_DIM_MOD, a, b, out);
}
static buddy_code apply_max(parser *in, fraction a, fraction b, fraction *out) {
  return whole_pair(in, BUDDY_DIM_MAX, a, b, out);
}
static buddy_code apply_min(parser *in, fraction a, fraction b, fraction *out) {
  return whole_pair(in, BUDDY_DIM_MIN, a, b, out);
}
static buddy_code apply_ceil_div(parser *in, fraction a, fraction b, fraction *out) {
  fraction quotient = {0, 1};
  BD_TRY(divide(in, a, b, &quotient));
  return round_up(in, quotient, out);
}
static buddy_code shift_factor(parser *in, fraction shift, fraction *out) {
  const bool is_small = shift.under == 1 && shift.over >= 0 && shift.over < 62;
  *out = (fraction){is_small ? (int64_t)1 << shift.over : 1, 1};
  return is_small ? BUDDY_OK : wrong(in, BUDDY_UNSUPPORTED, "shifts by no small number");
}
static buddy_code apply_shift_left(parser *in, fraction a, fraction b, fraction *out) {
  fraction factor;
  BD_TRY(shift_factor(in, b, &factor));
  return multiply(in, a, factor, out);
}
static buddy_code apply_shift_right(parser *in, fraction a, fraction b, fraction *out) {
  fraction factor;
  BD_TRY(shift_factor(in, b, &factor));
  return round_quotient(in, a, factor, out);
}
static buddy_code apply_identity(parser *in, fraction a, fraction b, fraction *out) {
  (void)in;
  (void)b;
  *out = a;
  return BUDDY_OK;
}
static buddy_code apply_floor(parser *in, fraction a, fraction b, fraction *out) {
  (void)b;
  return round_down(in, a, out);
}
static buddy_code apply_ceiling(parser *in, fraction a, fraction b, fraction *out) {
  (void)b;
  return round_up(in, a, out);
}
static buddy_code apply_truncate(parser *in, fraction a, fraction b, fraction *out) {
  (void)b;
  return round_to_zero(in, a, out);
}

/* Functions of one argument, of two, or of any number, folded from the left. */
static const struct {
  const char *name;
  size_t min_args, max_args;
  buddy_code (*apply)(parser *in, fraction a, fraction b, fraction *out);
} functions[] = {
    {"Add", 1, SIZE_MAX, apply_add},
    {"Mul", 1, SIZE_MAX, multiply},
    {"Max", 1, SIZE_MAX, apply_max},
    {"max", 1, SIZE_MAX, apply_max},
    {"Min", 1, SIZE_MAX, apply_min},
    {"min", 1, SIZE_MAX, apply_min},
    {"Pow", 2, 2, power},
    {"PowByNatural", 2, 2, power},
    {"FloorDiv", 2, 2, round_quotient},
    {"CleanDiv", 2, 2, round_quotient},
    {"CeilDiv", 2, 2, apply_ceil_div},
    {"IntTrueDiv", 2, 2, divide},
    {"Rational", 2, 2, divide},
    {"Mod", 2, 2, apply_mod},
    {"PythonMod", 2, 2, apply_mod},
    {"LShift", 2, 2, apply_shift_left},
    {"RShift", 2, 2, apply_shift_right},
    {"floor", 1, 1, apply_floor},
    {"FloorToInt", 1, 1, apply_floor},
    {"ceiling", 1, 1, apply_ceiling},
    {"math.floor", 1, 1, apply_floor},
    {"math.ceil", 1, 1, apply_ceiling},
    {"math.trunc", 1, 1, apply_truncate},
    {"CeilToInt", 1, 1, apply_ceiling},
    {"TruncToInt", 1, 1, apply_truncate},
    {"FloatTrueDiv", 2, 2, divide},
    {"ToFloat", 1, 1, apply_identity},
    {"float", 1, 1, apply_identity},
    {"torch.sym_float", 1, 1, apply_identity},
    {"torch.sym_max", 2, 2, apply_max},
    {"torch.sym_min", 2, 2, apply_min},
    {"Integer", 1, 1, apply_identity},
    {"Identity", 1, 1, apply_identity},
};
#define N_FUNCTIONS (sizeof functions / sizeof *functions)

static buddy_code read_arguments(parser *in, size_t function, fraction *out) {
  size_t n = 0;
  buddy_code code = BUDDY_OK;
  do {
    fraction next;
    code = read_sum(in, &next);
    ++n;
    if (!code && n == 1) *out = next;
    if (!code && (n > 1 || functions[function].max_args == 1)) {
      code = n > functions[function].max_args
                 ? wrong(in, BUDDY_INVALID_ARGUMENT, "gives a function too many arguments")
                 : functions[function].apply(in, *out, next, out);
    }
  } while (!code && take(in, ","));
  if (code) return code;
  if (n < functions[function].min_args)
    return wrong(in, BUDDY_INVALID_ARGUMENT, "gives a function too few arguments");
  return take(in, ")") ? BUDDY_OK : wrong(in, BUDDY_INVALID_ARGUMENT, "lacks ')'");
}

/* ModularIndexing(x, d, m) is (x//d) % m. */
static buddy_code read_modular_indexing(parser *in, fraction *out) {
  fraction args[3];
  for (int i = 0; i < 3; ++i) {
    BD_TRY(read_sum(in, &args[i]));
    if (!take(in, i < 2 ? "," : ")"))
      return wrong(in, BUDDY_INVALID_ARGUMENT, "has a malformed ModularIndexing");
  }
  BD_TRY(round_quotient(in, args[0], args[1], out));
  return apply_mod(in, *out, args[2], out);
}

static buddy_code find_symbol(parser *in, buddy_sv name, fraction *out) {
  const bd_symbol_entry *found = bd_dim_find_symbol(in->dims, name.data, name.size);
  if (!found) return wrong(in, BUDDY_NOT_FOUND, "names a symbol that the graph does not have");
  *out = (fraction){found->symbol.dim, 1};
  return BUDDY_OK;
}

/* Symbol('s0', positive=True, integer=True): the assumptions are the range's business. */
static buddy_code read_symbol_call(parser *in, fraction *out) {
  skip_spaces(in);
  if (in->at == in->end || (*in->at != '\'' && *in->at != '"')) {
    return wrong(in, BUDDY_INVALID_ARGUMENT, "has a Symbol without a quoted name");
  }
  const char quote = *in->at++;
  const char *start = in->at;
  while (in->at < in->end && *in->at != quote) ++in->at;
  const buddy_sv name = {start, (size_t)(in->at - start)};
  while (in->at < in->end && *in->at != ')') ++in->at;
  return take(in, ")") ? find_symbol(in, name, out)
                       : wrong(in, BUDDY_INVALID_ARGUMENT, "lacks ')' after a Symbol");
}

static buddy_code read_call(parser *in, buddy_sv name, fraction *out) {
  if (bd_word_is(name, "Symbol")) return read_symbol_call(in, out);
  if (bd_word_is(name, "ModularIndexing")) return read_modular_indexing(in, out);
  for (size_t i = 0; i < N_FUNCTIONS; ++i) {
    if (bd_word_is(name, functions[i].name)) return read_arguments(in, i, out);
  }
  char what[120];
  bd_text text;
  bd_text_init_fixed(&text, what, sizeof what);
  bd_text_format(&text, "uses %.*s, which whole-number sizes do not have",
                 name.size > 60 ? 60 : (int)name.size, name.data);
  return wrong(in, BUDDY_UNSUPPORTED, what);
}

/* ---- Operators ---- */

static void skip_digits(parser *in) {
  while (in->at < in->end && *in->at >= '0' && *in->at <= '9') ++in->at;
}

/* 1.5 is 3/2. Others than halves, quarters, … are rounded where PyTorch computes with them. */
static buddy_code read_decimals(parser *in, fraction *out) {
  const char *start = ++in->at;
  uint64_t digits = 0, power = 1;
  for (skip_digits(in); start < in->at && in->at - start <= 9; ++start) {
    digits = digits * 10 + (uint64_t)(*start - '0');
    power *= 10;
  }
  while (digits % 2 == 0 && power % 2 == 0) digits /= 2, power /= 2;
  while (digits % 5 == 0 && power % 5 == 0) digits /= 5, power /= 5;
  const bool is_exact = start == in->at && power % 5 && out->over < INT64_C(1) << 32;
  if (!is_exact) return wrong(in, BUDDY_UNSUPPORTED, "has a number with a point");
  out->over = out->over * (int64_t)power + (int64_t)digits;
  out->under = (int64_t)power;
  return BUDDY_OK;
}

static buddy_code read_number(parser *in, fraction *out) {
  const char *start = in->at;
  skip_digits(in);
  out->under = 1;
  const buddy_sv digits = {start, (size_t)(in->at - start)};
  if (digits.size == 0)
    return wrong(in, BUDDY_INVALID_ARGUMENT, "lacks a number, a symbol or a function");
  if (!bd_int_parse(digits, &out->over))
    return wrong(in, BUDDY_LIMIT, "has a number that is too large");
  return in->at < in->end && *in->at == '.' ? read_decimals(in, out) : BUDDY_OK;
}

static buddy_code read_primary(parser *in, fraction *out) {
  if (take(in, "(")) {
    BD_TRY(read_sum(in, out));
    return take(in, ")") ? BUDDY_OK : wrong(in, BUDDY_INVALID_ARGUMENT, "lacks ')'");
  }
  const buddy_sv word = take_word(in);
  if (word.size == 0) return read_number(in, out);
  return take(in, "(") ? read_call(in, word, out) : find_symbol(in, word, out);
}

static buddy_code read_power(parser *in, fraction *out) {
  bool is_negative = false;
  for (;;) {
    if (take(in, "-")) {
      is_negative = !is_negative;
    } else if (!take(in, "+")) {
      break;
    }
  }
  BD_TRY(read_primary(in, out));
  if (take(in, "**")) {
    const bool is_inverse = take(in, "-");
    fraction exponent;
    skip_spaces(in);
    BD_TRY(read_number(in, &exponent));
    if (is_inverse) exponent.over = -exponent.over;
    BD_TRY(power(in, *out, exponent, out));
  }
  if (is_negative) BD_TRY(combine(in, BUDDY_DIM_SUB, 0, out->over, &out->over));
  return BUDDY_OK;
}

static buddy_code read_product(parser *in, fraction *out) {
  BD_TRY(read_power(in, out));
  for (;;) {
    buddy_code (*apply)(parser *, fraction, fraction, fraction *) = NULL;
    if (take(in, "//")) {
      apply = round_quotient;
    } else if (take(in, "/")) {
      apply = divide;
    } else if (take(in, "%")) {
      apply = apply_mod;
    } else if (take(in, "*")) {
      apply = multiply;
    }
    if (!apply) return BUDDY_OK;
    fraction next;
    BD_TRY(read_power(in, &next));
    BD_TRY(apply(in, *out, next, out));
  }
}

static buddy_code read_sum(parser *in, fraction *out) {
  if (in->nesting == MAX_NESTING) return wrong(in, BUDDY_LIMIT, "is nested too deeply");
  ++in->nesting;
  buddy_code code = read_product(in, out);
  while (!code) {
    const bool is_plus = take(in, "+");
    if (!is_plus && !take(in, "-")) break;
    fraction next;
    code = read_product(in, &next);
    if (!code) code = add(in, is_plus ? BUDDY_DIM_ADD : BUDDY_DIM_SUB, *out, next, out);
  }
  --in->nesting;
  return code;
}

static buddy_code read_all(parser *in, fraction *out) {
  *out = (fraction){0, 1};
  const buddy_code code = read_sum(in, out);
  skip_spaces(in);
  return !code && in->at != in->end ? wrong(in, BUDDY_INVALID_ARGUMENT, "goes on after its end")
                                    : code;
}

static parser parser_of(bd_dims *dims, buddy_sv text, const char *where, buddy_diags *diags) {
  return (parser){.dims = dims,
                  .at = text.data,
                  .end = text.data + text.size,
                  .text = text,
                  .where = where,
                  .diags = diags};
}

buddy_code bd_dim_parse(bd_dims *dims, buddy_sv text, const char *where, buddy_diags *diags,
                        int64_t *out_dim) {
  parser in = parser_of(dims, text, where, diags);
  fraction value;
  int64_t dim = 0;
  *out_dim = 0;
  BD_TRY(read_all(&in, &value));
  BD_TRY(whole(&in, value, &dim));
  *out_dim = dim;
  return BUDDY_OK;
}

/* a/b and c/d compare as a*d and c*b where b and d are positive. */
static buddy_code cross(parser *in, fraction a, fraction b, int64_t *out) {
  int64_t low, high;
  bd_dim_range(in->dims, b.under, &low, &high);
  if (low < 1) return wrong(in, BUDDY_UNSUPPORTED, "divides by what may be negative");
  return combine(in, BUDDY_DIM_MUL, a.over, b.under, out);
}

buddy_code bd_graph_parse_compared(buddy_graph *graph, buddy_sv left, buddy_sv right,
                                   int64_t *out_left, int64_t *out_right) {
  parser a = parser_of(&graph->world->dims, left, graph->name, NULL);
  parser b = parser_of(&graph->world->dims, right, graph->name, NULL);
  fraction x, y;
  *out_left = *out_right = 0;
  BD_TRY(read_all(&a, &x));
  BD_TRY(read_all(&b, &y));
  BD_TRY(cross(&a, x, y, out_left));
  return cross(&b, y, x, out_right);
}

buddy_code buddy_graph_dim_parse(buddy_graph *graph, buddy_sv text, buddy_diags *diags,
                                 int64_t *out_dim) {
  return bd_dim_parse(&graph->world->dims, text, graph->name, diags, out_dim);
}
