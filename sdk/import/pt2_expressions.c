// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_expressions.c: Python's expressions over sizes as nodes.
 *
 * What no dim is (floats, powers, bits) is computed as the program's own numbers are (numbers.h):
 *
 *   1  choice      disjunction ["if" disjunction "else" choice]
 *   2  disjunction conjunction {"or" conjunction}
 *   3  conjunction negation {"and" negation}
 *   4  negation    "not" negation | comparison
 *   5  comparison  operation {("==" | "!=" | "<" | "<=" | ">" | ">=") operation}
 *   6  operation   the operators of the table below, by level
 *   7  sign        ("-" | "+") sign | primary ["**" sign]
 *   8  primary     number | symbol | "True" | "False" | "(" choice ")" | function "(" choice {"," choice} ")"
 *
 * All parts are computed whatever the others are: sizes at which a part refuses its operands are refused
 * though Python would pass over it. */
#include <string.h>

#include "core/base/numbers.h"
#include "sdk/import/numbers.h"

#define MAX_NESTING 64

typedef struct reader {
  bd_number_at at;
  const char *next, *end;
  unsigned depth;
} reader;

static buddy_code read_choice(reader *in, buddy_arg *out);

/* ---- Words ---- */

static void skip_spaces(reader *in) {
  while (in->next < in->end && *in->next == ' ') ++in->next;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

static bool take(reader *in, const char *text) {
  const size_t size = strlen(text);
  skip_spaces(in);
  if ((size_t)(in->end - in->next) < size || memcmp(in->next, text, size)) return false;
  if (is_word(*text) && in->next + size < in->end && is_word(in->next[size])) return false;
  in->next += size;
  return true;
}

static buddy_sv take_word(reader *in) {
  skip_spaces(in);
  const char *start = in->next;
  while (in->next < in->end && is_word(*in->next)) ++in->next;
  return (buddy_sv){start, (size_t)(in->next - start)};
}

/* ---- Values ---- */

static buddy_dtype dtype_of(const buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_TENSOR) return buddy_value_type(arg->as.tensor)->dtype;
  return arg->kind == BUDDY_ARG_FLOAT  ? BUDDY_F64
         : arg->kind == BUDDY_ARG_BOOL ? BUDDY_BOOL
                                       : BUDDY_I64;
}

/* The dtype of what Python's arithmetic gives: of truths, integers. */
static buddy_dtype common_dtype(const buddy_arg *operands, size_t n) {
  buddy_dtype dtype = BUDDY_I64;
  for (size_t i = 0; i < n; ++i) {
    if (dtype_of(&operands[i]) == BUDDY_F64) dtype = BUDDY_F64;
  }
  return dtype;
}

static buddy_code apply(reader *in, const char *target, const buddy_arg *operands,
                        buddy_dtype result, buddy_arg *out) {
  const buddy_value *value;
  in->at.name = bd_import_made_name(in->at.import, "guard");
  if (!in->at.name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_number_compute(&in->at, bd_number_op_find(target), operands, result, &value));
  *out = bd_tensor_arg(value);
  return BUDDY_OK;
}

static buddy_code apply_two(reader *in, const char *target, buddy_arg a, buddy_arg b,
                            buddy_dtype result, buddy_arg *out) {
  const buddy_arg operands[] = {a, b};
  return apply(in, target, operands, result, out);
}

static buddy_code need_truth(const buddy_arg *arg) {
  return dtype_of(arg) == BUDDY_BOOL ? BUDDY_OK : BUDDY_UNSUPPORTED;
}

/* ---- Primaries ---- */

static buddy_code read_number(buddy_sv word, buddy_arg *out) {
  *out = (buddy_arg){.kind = BUDDY_ARG_INT};
  if (bd_int_parse(word, &out->as.i)) return BUDDY_OK;
  out->kind = BUDDY_ARG_FLOAT;
  const bool is_whole = strspn(word.data, "0123456789") >= word.size; /* beyond 64 bits */
  return !is_whole && bd_double_parse(word, &out->as.f) ? BUDDY_OK : BUDDY_UNSUPPORTED;
}

typedef struct function {
  const char *name, *target;
  enum { AS_OPERANDS, AS_FLOAT, AS_WHOLE } result; /* AS_WHOLE: rounded, and then cut */
  size_t min_args, max_args;                       /* more than the op has: folded from the left */
} function;

static const function functions[] = {
    {"max", "torch.sym_max", AS_OPERANDS, 2, 16},
    {"min", "torch.sym_min", AS_OPERANDS, 2, 16},
    {"torch.sym_max", "torch.sym_max", AS_OPERANDS, 2, 2},
    {"torch.sym_min", "torch.sym_min", AS_OPERANDS, 2, 2},
    {"abs", "abs", AS_OPERANDS, 1, 1},
    {"float", "torch.sym_float", AS_FLOAT, 1, 1},
    {"torch.sym_float", "torch.sym_float", AS_FLOAT, 1, 1},
    {"math.sqrt", "math.sqrt", AS_FLOAT, 1, 1},
    {"torch.sym_sqrt", "math.sqrt", AS_FLOAT, 1, 1},
    {"torch._sym_sqrt", "math.sqrt", AS_FLOAT, 1, 1},
    {"math.floor", "floor", AS_WHOLE, 1, 1},
    {"math.ceil", "ceil", AS_WHOLE, 1, 1},
    {"math.trunc", NULL, AS_WHOLE, 1, 1},
    {"int", NULL, AS_WHOLE, 1, 1},
    {"torch.sym_int", NULL, AS_WHOLE, 1, 1},
    {"round", "round", AS_WHOLE, 1, 1},
};

static buddy_code call(reader *in, const function *f, buddy_arg *args, size_t n, buddy_arg *out) {
  *out = args[0];
  if (f->result == AS_WHOLE) {
    if (dtype_of(out) == BUDDY_I64) return BUDDY_OK;
    if (f->target) BD_TRY(apply(in, f->target, out, BUDDY_F64, out));
    return apply(in, "math.trunc", out, BUDDY_I64, out);
  }
  if (f->max_args == 1)
    return apply(in, f->target, out, f->result == AS_FLOAT ? BUDDY_F64 : common_dtype(args, 1),
                 out);
  for (size_t i = 1; i < n; ++i)
    BD_TRY(apply_two(in, f->target, *out, args[i], common_dtype(args, n), out));
  return BUDDY_OK;
}

static buddy_code read_call(reader *in, buddy_sv name, buddy_arg *out) {
  buddy_arg args[16];
  size_t n = 0, i = 0;
  const size_t n_functions = sizeof functions / sizeof *functions;
  do {
    if (n == sizeof args / sizeof *args) return BUDDY_LIMIT;
    BD_TRY(read_choice(in, &args[n++]));
  } while (take(in, ","));
  if (!take(in, ")")) return BUDDY_UNSUPPORTED;
  while (i < n_functions && (strlen(functions[i].name) != name.size ||
                             memcmp(functions[i].name, name.data, name.size)))
    ++i;
  if (i == n_functions || n < functions[i].min_args || n > functions[i].max_args)
    return BUDDY_UNSUPPORTED;
  return call(in, &functions[i], args, n, out);
}

static buddy_code read_primary(reader *in, buddy_arg *out) {
  if (take(in, "(")) {
    BD_TRY(read_choice(in, out));
    return take(in, ")") ? BUDDY_OK : BUDDY_UNSUPPORTED;
  }
  *out = (buddy_arg){.kind = BUDDY_ARG_BOOL, .as.i = take(in, "True")};
  if (out->as.i || take(in, "False")) return BUDDY_OK;
  buddy_sv word = take_word(in);
  if (!word.size) return BUDDY_UNSUPPORTED;
  const bool is_number = *word.data >= '0' && *word.data <= '9';
  if (is_number && word.data[word.size - 1] == 'e' && in->next < in->end &&
      (*in->next == '-' || *in->next == '+')) { /* 1e-05 */
    ++in->next;
    word.size += 1 + take_word(in).size;
  }
  if (is_number) return read_number(word, out);
  if (take(in, "(")) return read_call(in, word, out);
  out->kind = BUDDY_ARG_INT;
  return buddy_graph_dim_parse(in->at.import->graph, word, NULL, &out->as.i);
}

/* ---- Operators ---- */

/* An integer to a negative one would be a float. */
static buddy_code raise(reader *in, const buddy_arg *sides, buddy_arg *out) {
  const buddy_dtype dtype = common_dtype(sides, 2);
  const bool is_natural =
      sides[1].kind == BUDDY_ARG_INT && (BUDDY_IS_SYMBOLIC(sides[1].as.i) || sides[1].as.i >= 0);
  if (dtype == BUDDY_I64 && !is_natural) {
    const buddy_arg zero = {.kind = BUDDY_ARG_INT};
    buddy_arg is;
    BD_TRY(apply_two(in, "_operator.ge", sides[1], zero, BUDDY_BOOL, &is));
    BD_TRY(bd_number_check(&in->at, is, "a whole number is raised to a negative one"));
  }
  return apply(in, "_operator.pow", sides, dtype, out);
}

static buddy_code read_sign(reader *in, buddy_arg *out) {
  if (++in->depth > MAX_NESTING) return BUDDY_LIMIT;
  const bool is_negative = take(in, "-");
  buddy_code code = BUDDY_OK;
  if (is_negative || take(in, "+")) {
    code = read_sign(in, out);
    if (!code && is_negative) code = apply(in, "_operator.neg", out, common_dtype(out, 1), out);
  } else {
    code = read_primary(in, out);
    buddy_arg sides[2] = {*out};
    if (!code && take(in, "**")) {
      code = read_sign(in, &sides[1]);
      if (!code) code = raise(in, sides, out);
    }
  }
  --in->depth;
  return code;
}

typedef struct operator_entry {
  const char *sign, *target;
} operator_entry;

/* By level, the weakest first; of one level a longer sign before what it begins with. */
static const operator_entry levels[][5] = {
    {{"|", "_operator.or_"}},
    {{"^", "_operator.xor"}},
    {{"&", "_operator.and_"}},
    {{"<<", "_operator.lshift"}, {">>", "_operator.rshift"}},
    {{"+", "_operator.add"}, {"-", "_operator.sub"}},
    {{"*", "_operator.mul"},
     {"//", "_operator.floordiv"},
     {"/", "_operator.truediv"},
     {"%", "_operator.mod"}},
};
#define N_LEVELS (sizeof levels / sizeof *levels)
#define FIRST_SHIFT 3
#define FIRST_ARITHMETIC 4 /* those before take integers alone */

static buddy_code operate(reader *in, size_t level, const char *target, buddy_arg a, buddy_arg b,
                          buddy_arg *out) {
  const buddy_arg sides[] = {a, b};
  buddy_dtype dtype = common_dtype(sides, 2);
  if (level < FIRST_ARITHMETIC && dtype != BUDDY_I64) return BUDDY_UNSUPPORTED;
  if (level < FIRST_SHIFT && dtype_of(&a) == BUDDY_BOOL && dtype_of(&b) == BUDDY_BOOL)
    dtype = BUDDY_BOOL;
  return apply(in, target, sides, strcmp(target, "_operator.truediv") ? dtype : BUDDY_F64, out);
}

static buddy_code read_operation(reader *in, size_t level, buddy_arg *out) {
  if (level == N_LEVELS) return read_sign(in, out);
  BD_TRY(read_operation(in, level + 1, out));
  for (;;) {
    const operator_entry *found = NULL;
    for (const operator_entry *one = levels[level]; one->sign && !found; ++one)
      found = take(in, one->sign) ? one : NULL;
    if (!found) return BUDDY_OK;
    buddy_arg right;
    BD_TRY(read_operation(in, level + 1, &right));
    BD_TRY(operate(in, level, found->target, *out, right, out));
  }
}

static const char *take_relation(reader *in) {
  static const operator_entry relations[] = {{"==", "_operator.eq"}, {"!=", "_operator.ne"},
                                             {"<=", "_operator.le"}, {">=", "_operator.ge"},
                                             {"<", "_operator.lt"},  {">", "_operator.gt"}};
  for (size_t i = 0; i < sizeof relations / sizeof *relations; ++i) {
    if (take(in, relations[i].sign)) return relations[i].target;
  }
  return NULL;
}

static buddy_code read_comparison(reader *in, buddy_arg *out) {
  buddy_arg left, right, is, all = {.kind = BUDDY_ARG_NONE};
  BD_TRY(read_operation(in, 0, &left));
  for (const char *relation; (relation = take_relation(in)); left = right) {
    BD_TRY(read_operation(in, 0, &right));
    BD_TRY(apply_two(in, relation, left, right, BUDDY_BOOL, &is));
    if (all.kind != BUDDY_ARG_NONE)
      BD_TRY(apply_two(in, "_operator.and_", all, is, BUDDY_BOOL, &is));
    all = is;
  }
  *out = all.kind == BUDDY_ARG_NONE ? left : all;
  return BUDDY_OK;
}

static buddy_code read_negation(reader *in, buddy_arg *out) {
  if (!take(in, "not")) return read_comparison(in, out);
  if (++in->depth > MAX_NESTING) return BUDDY_LIMIT;
  BD_TRY(read_negation(in, out));
  --in->depth;
  BD_TRY(need_truth(out));
  return apply(in, "torch.sym_not", out, BUDDY_BOOL, out);
}

/* word: "and" or "or". */
static buddy_code read_joined(reader *in, bool is_or, buddy_arg *out) {
  BD_TRY(is_or ? read_joined(in, false, out) : read_negation(in, out));
  while (take(in, is_or ? "or" : "and")) {
    buddy_arg right;
    BD_TRY(is_or ? read_joined(in, false, &right) : read_negation(in, &right));
    BD_TRY(need_truth(out));
    BD_TRY(need_truth(&right));
    BD_TRY(apply_two(in, is_or ? "_operator.or_" : "_operator.and_", *out, right, BUDDY_BOOL, out));
  }
  return BUDDY_OK;
}

static buddy_code read_choice(reader *in, buddy_arg *out) {
  if (++in->depth > MAX_NESTING) return BUDDY_LIMIT;
  BD_TRY(read_joined(in, true, out));
  if (take(in, "if")) {
    buddy_arg operands[3];
    operands[1] = *out;
    BD_TRY(read_joined(in, true, &operands[0]));
    BD_TRY(need_truth(&operands[0]));
    if (!take(in, "else")) return BUDDY_UNSUPPORTED;
    BD_TRY(read_choice(in, &operands[2]));
    const bool is_truth =
        dtype_of(&operands[1]) == BUDDY_BOOL && dtype_of(&operands[2]) == BUDDY_BOOL;
    BD_TRY(apply(in, "torch.sym_ite", operands,
                 is_truth ? BUDDY_BOOL : common_dtype(operands + 1, 2), out));
  }
  --in->depth;
  return BUDDY_OK;
}

static buddy_code read_condition(reader *in, buddy_arg *out) {
  BD_TRY(read_choice(in, out));
  skip_spaces(in);
  return in->next == in->end ? need_truth(out) : BUDDY_UNSUPPORTED;
}

buddy_code bd_expressions_assert(bd_import *import, bd_frame *frame, buddy_sv text,
                                 const char *message) {
  static const buddy_location nowhere = {.file = NULL};
  reader in = {.at = {.import = import, .frame = frame, .location = &nowhere},
               .next = text.data,
               .end = text.data + text.size};
  buddy_arg condition;
  const buddy_node *before = buddy_graph_last(frame->target);
  const buddy_code code = read_condition(&in, &condition);
  if (!code) return bd_number_check(&in.at, condition, message);
  for (buddy_node *last; (last = buddy_graph_last(frame->target)) != before;)
    BD_TRY(buddy_node_erase(last));
  return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_UNSUPPORTED;
}
