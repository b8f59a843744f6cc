// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/ir_text.c: reading the notation of ir_text.h, and writing what it stands for. */
#include "sdk/compile/kernels/ir_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64, MOST_OPERANDS = 3 };

/* A part of an expression: a value that has a name, or an operation that is written once it has one. */
typedef struct term {
  const char *op; /* null: the value operands[0] */
  int n;
  char operands[MOST_OPERANDS][NAME]; /* with their % */
} term;

typedef struct reader {
  bd_text *out;
  const char *at;
  char name[NAME]; /* of what the line makes */
  int n_made;      /* on the way there */
} reader;

/* Where two begin alike, the longer one comes first. */
static const struct {
  char token[4];
  int level;
  const char *op;
} operators[] = {
    {"==", 1, "arith.cmpi eq,"},  {"!=", 1, "arith.cmpi ne,"},  {">>", 3, "arith.shrui"},
    {"<=", 1, "arith.cmpi sle,"}, {">=", 1, "arith.cmpi sge,"}, {"<", 1, "arith.cmpi slt,"},
    {">", 1, "arith.cmpi sgt,"},  {"|", 2, "arith.ori"},        {"+", 4, "arith.addi"},
    {"-", 4, "arith.subi"},       {"*", 5, "arith.muli"},       {"/", 5, "arith.divui"},
    {"%", 5, "arith.remui"}};

static const struct {
  const char *name, *op;
  int n;
} functions[] = {{"min", "arith.minsi", 2},         {"max", "arith.maxsi", 2},
                 {"umin", "arith.minui", 2},        {"umax", "arith.maxui", 2},
                 {"ceildiv", "arith.ceildivui", 2}, {"ult", "arith.cmpi ult,", 2},
                 {"ule", "arith.cmpi ule,", 2},     {"uge", "arith.cmpi uge,", 2},
                 {"select", "arith.select", 3}};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void fail(reader *r) {
  if (!r->out->code) r->out->code = BUDDY_INTERNAL;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static size_t name_length(const char *at) {
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.') ++n;
  return n;
}

static void skip_blanks(reader *r) { r->at += strspn(r->at, " "); }

/* True if the sign or word comes next, which is then behind. */
static bool take(reader *r, const char *token) {
  const size_t n = strlen(token);
  skip_blanks(r);
  if (strncmp(r->at, token, n) != 0) return false;
  if (isalpha((unsigned char)token[0]) && name_length(r->at) != n) return false;
  r->at += n;
  return true;
}

static void expect(reader *r, const char *token) {
  if (!take(r, token)) fail(r);
}

static void write_term(reader *r, const term *t, const char *name) {
  const char *const head[] = {"  %", name, " = ", t->op};
  for (size_t i = 0; i < COUNT(head); ++i) bd_text_string(r->out, head[i]);
  for (int i = 0; i < t->n; ++i) {
    bd_text_string(r->out, i > 0 ? ", " : " ");
    bd_text_string(r->out, t->operands[i]);
  }
  bd_text_string(r->out, " : index\n");
}

/* Its name, by which it is known from now on. */
static void write_on_the_way(reader *r, const term *t, char out[NAME]) {
  if (!t->op) {
    memcpy(out, t->operands[0], NAME);
    return;
  }
  char name[NAME + 16];
  snprintf(name, sizeof(name), "%s.%d", r->name, ++r->n_made);
  write_term(r, t, name);
  if (snprintf(out, NAME, "%%%s", name) >= NAME) fail(r);
}

static term read_expression(reader *r, int level);

static term read_function(reader *r, size_t n_name) {
  term t = {.op = NULL};
  for (size_t i = 0; i < COUNT(functions); ++i) {
    if (strlen(functions[i].name) != n_name || memcmp(functions[i].name, r->at, n_name) != 0)
      continue;
    t.op = functions[i].op;
    t.n = functions[i].n;
  }
  r->at += n_name;
  if (!t.op) fail(r);
  for (int i = 0; i < t.n; ++i) {
    expect(r, i == 0 ? "(" : ",");
    const term operand = read_expression(r, 1);
    write_on_the_way(r, &operand, t.operands[i]);
  }
  expect(r, ")");
  return t;
}

static term read_operand(reader *r) {
  term t = {.n = 1};
  if (take(r, "(")) {
    t = read_expression(r, 1);
    expect(r, ")");
    return t;
  }
  const bool is_number = isdigit((unsigned char)r->at[0]) || r->at[0] == '-';
  size_t n = is_number ? 1 + strspn(r->at + 1, "0123456789") : name_length(r->at);
  if (!is_number && r->at[n] == '(') return read_function(r, n);
  if (!is_number && n > 0 && r->at[n] == '#') n += 1 + strspn(r->at + n + 1, "0123456789");
  if (n == 0 || n + 2 > NAME) fail(r);
  if (is_number) t.op = "arith.constant";
  if (r->out->code) return t;
  t.operands[0][0] = '%';
  memcpy(t.operands[0] + !is_number, r->at, n);
  r->at += n;
  return t;
}

/* What operators of this level and of those that bind more join. */
static term read_expression(reader *r, int level) {
  term left = read_operand(r);
  for (size_t i = 0; i < COUNT(operators) && !r->out->code; ++i) {
    if (operators[i].level < level || !take(r, operators[i].token)) continue;
    term joined = {.op = operators[i].op, .n = 2};
    write_on_the_way(r, &left, joined.operands[0]);
    const term right = read_expression(r, operators[i].level + 1);
    write_on_the_way(r, &right, joined.operands[1]);
    left = joined;
    i = (size_t)-1; /* and what comes next */
  }
  return left;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void read_name(reader *r, char out[NAME]) {
  skip_blanks(r);
  const size_t n = name_length(r->at);
  if (n == 0 || n >= NAME) fail(r);
  snprintf(out, NAME, "%.*s", n < NAME ? (int)n : 0, r->at);
  r->at += n;
}

static void read_assignment(reader *r) {
  read_name(r, r->name);
  r->n_made = 0;
  expect(r, "=");
  term t = read_expression(r, 1);
  expect(r, ";");
  if (!t.op) {
    t.op = "arith.addi";
    snprintf(t.operands[t.n++], NAME, "%%c0");
  }
  write_term(r, &t, r->name);
}

static void read_for(reader *r) {
  char index[NAME], from[NAME], to[NAME], by[NAME] = "c1";
  read_name(r, index);
  expect(r, "=");
  read_name(r, from);
  expect(r, "to");
  read_name(r, to);
  if (take(r, "by")) read_name(r, by);
  expect(r, "{");
  bd_text_format(r->out, "  scf.for %%%s = %%%s to %%%s step %%%s {\n", index, from, to, by);
}

static void read_if(reader *r) {
  char condition[NAME];
  read_name(r, condition);
  expect(r, "{");
  bd_text_format(r->out, "  scf.if %%%s {\n", condition);
}

/* "NAME =" */
static bool is_assignment(const char *at) {
  const size_t n = name_length(at);
  return n > 0 && at[n + strspn(at + n, " ")] == '=';
}

/* The end of a block alone: what follows it in braces are attributes. */
static bool is_end(const char *at) { return at[0] == '}' && at[1 + strspn(at + 1, " ")] != '{'; }

static void read_line(reader *r) {
  const char *begin = r->at;
  skip_blanks(r);
  if (take(r, "for")) {
    read_for(r);
  } else if (take(r, "if")) {
    read_if(r);
  } else if (is_end(r->at)) {
    expect(r, "}");
    bd_text_string(r->out, "  }");
    if (take(r, "else")) {
      expect(r, "{");
      bd_text_string(r->out, " else {");
    }
    bd_text_string(r->out, "\n");
  } else if (is_assignment(r->at)) {
    read_assignment(r);
  } else {
    r->at += strcspn(r->at, "\n");
    bd_text_append(r->out, begin, (size_t)(r->at - begin) + (*r->at == '\n'));
  }
  r->at += *r->at == '\n';
}

void bd_ir_write(bd_text *text, const char *format, ...) {
  bd_text lines = {.data = NULL};
  va_list args;
  va_start(args, format);
  bd_text_format_args(&lines, format, args);
  va_end(args);
  reader r = {.out = text, .at = lines.data ? lines.data : ""};
  if (lines.code && !text->code) text->code = lines.code;
  while (!text->code && *r.at != '\0') read_line(&r);
  bd_text_deinit(&lines);
}

/* ---- Values that loops carry ----------------------------------------------------------------- */

static bd_phrase value_of(const char *name, int64_t i) {
  const char last = name[strlen(name) - 1];
  return last == '_' || last == '#' ? bd_phrase_of("%s%lld", name, (long long)i)
                                    : bd_phrase_of("%s", name);
}

void bd_ir_write_parallel(bd_text *text, const char *index, const char *end, const int *numbers,
                          int n) {
  static const char *const leads[] = {"  scf.parallel (", ") = (", ") to (", ") step ("};
  const char *const names[] = {index, "c0", end, "c1"};
  for (int list = 0; list < 4; ++list) {
    bd_text_format(text, "%s", leads[list]);
    for (int i = 0; i < n; ++i) {
      bd_text_format(text, "%s%%%s", i > 0 ? ", " : "", names[list]);
      if (list % 2 == 0) bd_text_format(text, "%d", numbers[i]);
    }
  }
  bd_text_format(text, ") {\n");
}

void bd_ir_write_carried(bd_text *text, const char *name, const char *from, int64_t n,
                         const char *type) {
  for (int64_t i = 0; i < n; ++i)
    bd_text_format(text, "%s%s = %s", i > 0 ? ", " : "iter_args(", value_of(name, i).data,
                   value_of(from, i).data);
  bd_text_format(text, ") -> (%s) {\n", bd_phrase_list(type, n).data);
}

void bd_ir_write_yield(bd_text *text, const char *from, int64_t n, const char *type) {
  for (int64_t i = 0; i < n; ++i)
    bd_text_format(text, "%s%s", i > 0 ? ", " : "  scf.yield ", value_of(from, i).data);
  bd_text_format(text, " : %s\n", bd_phrase_list(type, n).data);
}
