// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/notation/expressions.c: expressions of notation.h, and the operations that they are. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sdk/compile/kernels/notation/reader.h"

/* Arguments: v a value, which a number may be that has the type of the others; p a place, M[I]; l a list of values or
 * numbers; n a number; x numbers, of lanes; t a type; s a name; * values, to the end.
 * Which of several with one name it is: f of floats, v of vectors, = what has the result's type, l of as many lanes.
 * In the text %0 is the first argument, $0 its type, and @ the type of the result:
 * 0 and 1 that of an argument, b the same of i1, e of the elements t, l of as many lanes as the last number says, m the
 * same of i1, d of twice as many, s an element, r and w its memref, of no axes and of one, t the type t, : what the statement
 * tells, V the same or what the lists of a view say, or else the type itself; "": there is none. */
typedef struct operation {
  const char *name;
  int level; /* of an operator; 0: a function */
  const char *arguments;
  char which;
  const char *text, *type;
} operation;

#define BINARY(token, level, op) {token, level, "vv", 0, "arith." op " %0, %1 : $0", "0"}
#define OF_FLOATS(token, level, op) {token, level, "vv", 'f', "arith." op " %0, %1 : $0", "0"}
#define COMPARE(token, op) {token, 1, "vv", 0, "arith.cmpi " op ", %0, %1 : $0", "b"}
#define COMPARE_FLOATS(token, op) {token, 1, "vv", 'f', "arith.cmpf " op ", %0, %1 : $0", "b"}
#define CAST(name)                                         \
  {name, 0, "vt", '=', "arith.bitcast %0 : $0 to @", "e"}, \
      {name, 0, "vt", 0, "arith." name " %0 : $0 to @", "e"}
#define FUNCTION(name, arguments, text, type) {name, 0, arguments, 0, text, type}

/* Where two operators begin alike, the longer one comes first. */
static const operation operations[] = {
    COMPARE_FLOATS("==", "oeq"),
    COMPARE("==", "eq"),
    COMPARE("!=", "ne"),
    BINARY(">>", 5, "shrui"),
    BINARY("<<", 5, "shli"),
    COMPARE("<=", "sle"),
    COMPARE(">=", "sge"),
    COMPARE_FLOATS("<", "olt"),
    COMPARE("<", "slt"),
    COMPARE(">", "sgt"),
    BINARY("|", 2, "ori"),
    BINARY("^", 3, "xori"),
    BINARY("&", 4, "andi"),
    OF_FLOATS("+", 6, "addf"),
    BINARY("+", 6, "addi"),
    OF_FLOATS("-", 6, "subf"),
    BINARY("-", 6, "subi"),
    OF_FLOATS("*", 7, "mulf"),
    BINARY("*", 7, "muli"),
    OF_FLOATS("/", 7, "divf"),
    BINARY("/", 7, "divui"),
    BINARY("%", 7, "remui"),
    BINARY("min", 0, "minsi"),
    BINARY("max", 0, "maxsi"),
    BINARY("umin", 0, "minui"),
    BINARY("umax", 0, "maxui"),
    BINARY("ceildiv", 0, "ceildivui"),
    FUNCTION("ult", "vv", "arith.cmpi ult, %0, %1 : $0", "b"),
    FUNCTION("ule", "vv", "arith.cmpi ule, %0, %1 : $0", "b"),
    FUNCTION("uge", "vv", "arith.cmpi uge, %0, %1 : $0", "b"),
    {"select", 0, "vvv", 'v', "arith.select %0, %1, %2 : $0, $1", "1"},
    FUNCTION("select", "vvv", "arith.select %0, %1, %2 : $1", "1"),
    FUNCTION("neg", "v", "arith.negf %0 : $0", "0"),
    FUNCTION("exp", "v", "math.exp %0 : $0", "0"),
    CAST("extf"),
    CAST("truncf"),
    CAST("sitofp"),
    CAST("extui"),
    CAST("index_cast"),
    {"bitcast", 0, "vt", 'l', "arith.bitcast %0 : $0 to @", "t"},
    FUNCTION("bitcast", "vt", "vector.bitcast %0 : $0 to @", "t"),
    FUNCTION("fma", "vvv", "vector.fma %0, %1, %2 : $0", "0"),
    FUNCTION("broadcast", "vn", "vector.broadcast %0 : $0 to @", "l"),
    FUNCTION("create_mask", "vn", "vector.create_mask %0 : @", "m"),
    FUNCTION(
        "slice", "vnn",
        "vector.extract_strided_slice %0 {offsets = [%1], sizes = [%2], strides = [1]} : $0 to @",
        "l"),
    FUNCTION("interleave", "vv", "vector.interleave %0, %1 : $0 -> @", "d"),
    FUNCTION("shuffle", "vvx", "vector.shuffle %0, %1 [%2] : $0, $1", "l"),
    FUNCTION("sum", "v", "vector.reduction <add>, %0 fastmath<reassoc> : $0 into @", "s"),
    FUNCTION("load", "pn", "vector.load %0 : $0, @", "l"),
    FUNCTION("maskedload", "pnvv", "vector.maskedload %0, %2, %3 : $0, $2, @ into @", "l"),
    FUNCTION("transfer_read", "pnv", "vector.transfer_read %0, %2 : $0, @", "l"),
    {"store", 0, "vp", 'v', "vector.store %0, %1 : $1, $0", ""},
    FUNCTION("store", "vp", "memref.store %0, %1 : $1", ""),
    FUNCTION("maskedstore", "vpv", "vector.maskedstore %1, %2, %0 : $1, $2, $0", ""),
    FUNCTION("transfer_write", "vp", "vector.transfer_write %0, %1 : $0, $1", ""),
    FUNCTION("prefetch", "pn", "memref.prefetch %0, read, locality<%1>, data : $0", ""),
    FUNCTION("alloc", "t*", "memref.alloc(%1) {alignment = 64 : i64} : @", "t"),
    FUNCTION("alloca", "t", "memref.alloca() {alignment = 64 : i64} : @", "t"),
    FUNCTION("dealloc", "v", "memref.dealloc %0 : $0", ""),
    FUNCTION("dim", "vv", "memref.dim %0, %1 : $0", "index"),
    FUNCTION("cast", "vt", "memref.cast %0 : $0 to @", "t"),
    FUNCTION("base", "v",
             "memref.reinterpret_cast %0 to offset: [0], sizes: [], strides: [] : $0 to @", "r"),
    FUNCTION("whole", "v",
             "memref.reinterpret_cast %0 to offset: [0], sizes: [%c1], strides: [1] : $0 to @",
             "w"),
    FUNCTION("view", "voll",
             "memref.reinterpret_cast %0 to offset: [%1], sizes: [%2], strides: [%3] : $0 to @",
             "V"),
    FUNCTION("subview", "vll", "memref.subview %0[%1] [%2] [1, 1] : $0 to @", "0"),
    FUNCTION("address", "v", "memref.extract_aligned_pointer_as_index %0 : $0 -> index", "index"),
    FUNCTION("pointer", "v", "llvm.inttoptr %0 : $0 to @", "!llvm.ptr"),
    FUNCTION("intrinsic", "s*", "llvm.call_intrinsic \"%0\"(%1) : ($1) -> @", ":"),
    FUNCTION("call", "s*", "func.call @%0(%1) : ($1) -> @", ":")};
enum { MOST = 4 /* arguments */ };

typedef enum kind { VALUE, LITERAL, OPERATION } kind;

/* A part of an expression: the name of a value, a number, or an operation that is written once it has a name; or what
 * is no value, of which the text is all. */
typedef struct term {
  kind kind;
  const char *type, *text;
  int64_t number;
} term;

static term read_expression(bd_ir_reader *r, int level);

/* ---- Writing --------------------------------------------------------------------------------- */

static void write(bd_ir_reader *r, const char *name, const term *t) {
  bd_text_format(r->out, "  %%%s = %s\n", name, t->text);
  bd_ir_set_type(r, name, t->type);
}

/* A number becomes one of that type; true and false are i1. */
static void make_constant(bd_ir_reader *r, term *t, const char *type) {
  const bool is_flag = t->text[0] == 't' || t->text[0] == 'f',
             is_vector = bd_ir_is(type, "vector<");
  t->kind = OPERATION;
  t->type = is_flag ? bd_ir_intern(r, "i1", 2) : type;
  t->text = is_flag ? bd_ir_string_of(r, "arith.constant %s", t->text)
                    : bd_ir_string_of(r, "arith.constant %s%s%s : %s", is_vector ? "dense<" : "",
                                      t->text, is_vector ? ">" : "", type);
}

/* What is no value yet gets a name, by which it is known from now on. */
static void write_on_the_way(bd_ir_reader *r, term *t, const char *type) {
  if (t->kind == VALUE) return;
  if (t->kind == LITERAL) make_constant(r, t, type);
  const char *const name = bd_ir_string_of(r, "%s.%d", r->name, ++r->n_made);
  write(r, name, t);
  t->kind = VALUE;
  t->text = name;
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* "?x7" of "%a, 7": what a type says of operands. */
static const char *list_of_type(bd_ir_reader *r, const char *list, const char *separator) {
  bd_text out = {.data = NULL};
  for (bool is_first = true; *list != '\0'; is_first = false) {
    const size_t n = strcspn(list, ",");
    bd_text_string(&out, is_first ? "" : separator);
    bd_text_append(&out, list[0] == '%' ? "?" : list, list[0] == '%' ? 1 : n);
    list += n + strspn(list + n, ", ");
  }
  return bd_ir_take_text(r, &out);
}

static const char *type_of_view(bd_ir_reader *r, const term *terms, const char *element) {
  return bd_ir_string_of(r, "memref<%sx%s, strided<[%s], offset: ?>>",
                         list_of_type(r, terms[2].text, "x"), element,
                         list_of_type(r, terms[3].text, ", "));
}

static const char *type_of_result(bd_ir_reader *r, const operation *o, const term *terms, int n) {
  const char rule = o->type[0] == '\0' || o->type[1] == '\0' ? o->type[0] : ' ',
             *const of = terms[0].type, *const last = terms[n - 1].type;
  long long number = 0;
  for (int i = 0; i < n; ++i) number = terms[i].number > 0 ? terms[i].number : number;
  if ((rule == ':' || rule == 'V') && bd_ir_take(r, ":")) return bd_ir_read_type(r);
  switch (rule) {
    case '0':
      return of;
    case '1':
      return terms[1].type;
    case 't':
      return terms[n > 1 && o->arguments[0] == 'v'].type;
    case 'b':
      return bd_ir_with_element(r, of, "i1");
    case 'e':
      return bd_ir_with_element(r, of, last);
    case 's':
      return bd_ir_element(r, of);
    case 'r':
      return bd_ir_string_of(r, "memref<%s>", bd_ir_element(r, of));
    case 'w':
      return bd_ir_string_of(r, "memref<?x%s>", bd_ir_element(r, of));
    case 'd':
      return bd_ir_string_of(r, "vector<%lldx%s>", 2 * (long long)bd_ir_lanes(of),
                             bd_ir_element(r, of));
    case 'm':
      return bd_ir_string_of(r, "vector<%lldxi1>", number);
    case 'l':
      return bd_ir_string_of(r, "vector<%lldx%s>", number, bd_ir_element(r, of));
    case 'V':
      return type_of_view(r, terms, bd_ir_element(r, of));
    case ' ':
      return bd_ir_intern(r, o->type, strlen(o->type));
    default:
      return "()";
  }
}

/* Of several operations with one name, the one that is for these arguments. */
static const operation *choose(bd_ir_reader *r, const operation *o, const term *terms, int n) {
  const char *const of = terms[0].type, *const last = terms[n - 1].type;
  const char *const element = bd_ir_element(r, of);
  const bool is = o->which == 'f'   ? bd_ir_is(element, "f") || bd_ir_is(element, "bf")
                  : o->which == 'v' ? bd_ir_is(of, "vector<")
                  : o->which == '=' ? bd_ir_with_element(r, of, last) == of
                  : o->which == 'l' ? bd_ir_lanes(of) == bd_ir_lanes(last)
                                    : true;
  return is ? o : choose(r, o + 1, terms, n);
}

/* Numbers among the arguments have the type of the others. */
static term make_operation(bd_ir_reader *r, const operation *o, term *terms) {
  const int n = (int)strlen(o->arguments);
  const char *type = NULL;
  for (int i = n - 1; i >= 0; --i) {
    if (o->arguments[i] == 'p') type = bd_ir_element(r, terms[i].type);
    if (o->arguments[i] == 'v' && terms[i].kind != LITERAL && (i > 0 || o->type[0] != '1'))
      type = terms[i].type;
  }
  for (int i = 0; i < n; ++i) {
    if (o->arguments[i] == 'v') write_on_the_way(r, &terms[i], type ? type : bd_ir_index(r));
  }
  o = choose(r, o, terms, n);
  const char *const result = type_of_result(r, o, terms, n);
  bd_text text = {.data = NULL};
  for (const char *at = o->text; *at != '\0'; ++at) {
    const int i = at[1] - '0';
    if (*at == '@' && at[1] != '%') {
      bd_text_string(&text, result);
    } else if (*at == '%' && i >= 0 && i < n) { /* no number: a name of MLIR's */
      bd_text_string(&text, o->arguments[i] == 'v' ? "%" : "");
      bd_text_string(&text, terms[i].text);
      ++at;
    } else if (*at == '$') {
      bd_text_string(&text, terms[i].type);
      ++at;
    } else {
      bd_text_char(&text, *at);
    }
  }
  return (term){.kind = OPERATION, .type = result, .text = bd_ir_take_text(r, &text)};
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Values up to `end`, with commas; numbers stay numbers if they may. */
static term read_values(bd_ir_reader *r, const char *end, bool may_be_numbers) {
  bd_text values = {.data = NULL}, types = {.data = NULL};
  for (bool is_first = true; !bd_ir_take(r, end) && !r->out->code; is_first = false) {
    if (!is_first) bd_ir_expect(r, ",");
    term t = read_expression(r, 1);
    const bool is_number = may_be_numbers && t.kind == LITERAL;
    if (!is_number) write_on_the_way(r, &t, bd_ir_index(r));
    bd_text_format(&values, "%s%s%s", is_first ? "" : ", ", is_number ? "" : "%", t.text);
    bd_text_format(&types, "%s%s", is_first ? "" : ", ", t.type);
  }
  return (term){.type = bd_ir_take_text(r, &types), .text = bd_ir_take_text(r, &values)};
}

/* "M[I, J]" */
static term read_place(bd_ir_reader *r) {
  char name[BD_IR_NAME];
  bd_ir_read_name(r, name);
  bd_ir_expect(r, "[");
  const char *const places = read_values(r, "]", false).text, *const type =
                                                                  bd_ir_type_of_value(r, name);
  if (!bd_ir_is(type, "memref<")) bd_ir_fail(r, BUDDY_INTERNAL);
  return (term){.type = type, .text = bd_ir_string_of(r, "%%%s[%s]", name, places)};
}

/* "[PLACES]", or "N: PLACE", where n is the number of each. */
static term read_places(bd_ir_reader *r) {
  term out = {.type = "", .text = ""};
  if (bd_ir_take(r, "[")) {
    const size_t n = strcspn(r->at, "]");
    out.text = bd_ir_intern(r, r->at, n);
    for (size_t i = 0; i < n; ++i) out.number += r->at[i] == ',';
    ++out.number;
    r->at += n;
    bd_ir_expect(r, "]");
    return out;
  }
  bd_text places = {.data = NULL};
  if (!bd_ir_read_number(r, &r->at, &out.number)) bd_ir_fail(r, BUDDY_INTERNAL);
  bd_ir_expect(r, ":");
  const char *const begin = r->at;
  for (int64_t i = 0, place; i < out.number && !r->out->code; ++i) {
    r->at = begin;
    bd_ir_set_number(r, 'n', i);
    if (!bd_ir_read_number(r, &r->at, &place)) bd_ir_fail(r, BUDDY_INTERNAL);
    bd_text_string(&places, i > 0 ? ", " : "");
    bd_text_int(&places, place);
  }
  r->variables['n' - 'a'][0] = '\0';
  out.text = bd_ir_take_text(r, &places);
  return out;
}

static const char *read_string(bd_ir_reader *r) {
  bd_ir_expect(r, "\"");
  const char *const begin = r->at;
  r->at += strcspn(begin, "\"");
  const char *const out = bd_ir_intern(r, begin, (size_t)(r->at - begin));
  bd_ir_expect(r, "\"");
  return out;
}

static term read_argument(bd_ir_reader *r, char what) {
  term t = {.type = "", .text = ""};
  switch (what) {
    case 'v':
    case 'o':
      t = read_expression(r, 1);
      if (t.kind == OPERATION) write_on_the_way(r, &t, t.type); /* before what comes next */
      if (what == 'o' && t.kind == VALUE) t.text = bd_ir_string_of(r, "%%%s", t.text);
      return t;
    case 'p':
      return read_place(r);
    case 'l':
      bd_ir_expect(r, "[");
      return read_values(r, "]", true);
    case 'n':
      if (!bd_ir_read_number(r, &r->at, &t.number)) bd_ir_fail(r, BUDDY_INTERNAL);
      t.text = bd_ir_string_of(r, "%lld", (long long)t.number);
      return t;
    case 'x':
      return read_places(r);
    case 't':
      t.type = bd_ir_read_type(r);
      return t;
    default:
      t.text = read_string(r);
      return t;
  }
}

static const operation *find(const char *name) {
  for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); ++i) {
    if (!strcmp(operations[i].name, name)) return &operations[i];
  }
  return NULL;
}

/* Its arguments, and what closes them. */
static term read_call(bd_ir_reader *r, const operation *o) {
  const term none = {.type = "", .text = ""};
  term terms[MOST] = {none, none, none, none};
  for (int i = 0; o->arguments[i] != '\0'; ++i) {
    if (o->arguments[i] == '*') {
      if (!bd_ir_take(r, ",")) r->at += strspn(r->at, " "); /* there are none */
      terms[i] = read_values(r, ")", false);
      return make_operation(r, o, terms);
    }
    if (i > 0) bd_ir_expect(r, ",");
    terms[i] = read_argument(r, o->arguments[i]);
  }
  bd_ir_expect(r, ")");
  return make_operation(r, o, terms);
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* "7", "-0.5", "0xFF800000", "[1, 2]", "true" */
static size_t literal_length(const char *at) {
  const size_t sign = at[0] == '-', n = bd_ir_name_length(at + sign);
  if (at[0] == '[') return strcspn(at, "]") + 1;
  if (isdigit((unsigned char)at[sign])) return sign + n;
  const bool is_flag =
      (n == 4 && memcmp(at, "true", n) == 0) || (n == 5 && memcmp(at, "false", n) == 0);
  return is_flag ? n : 0;
}

static term read_operand(bd_ir_reader *r) {
  char name[BD_IR_NAME];
  if (bd_ir_take(r, "(")) {
    const term t = read_expression(r, 1);
    bd_ir_expect(r, ")");
    return t;
  }
  const char *const begin = r->at;
  size_t n = literal_length(begin);
  if (n > 0) {
    r->at += n;
    return (term){.kind = LITERAL, .type = "", .text = bd_ir_intern(r, begin, n)};
  }
  bd_ir_read_name(r, name);
  if (r->at[0] == '(') {
    const operation *const o = find(name);
    ++r->at;
    if (o) return read_call(r, o);
    bd_ir_fail(r, BUDDY_INTERNAL);
  }
  if (r->at[0] == '[') {
    r->at = begin;
    const term place = read_place(r);
    return (term){.kind = OPERATION,
                  .type = bd_ir_element(r, place.type),
                  .text = bd_ir_string_of(r, "memref.load %s : %s", place.text, place.type)};
  }
  if (r->at[0] == '#') r->at += 1 + strspn(r->at + 1, "0123456789");
  return (term){.kind = VALUE,
                .type = bd_ir_type_of_value(r, name),
                .text = bd_ir_intern(r, begin, (size_t)(r->at - begin))};
}

static const operation *take_operator(bd_ir_reader *r, int level) {
  for (const operation *o = operations; o->level > 0; ++o) {
    if (o->level >= level && bd_ir_take(r, o->name)) return o;
  }
  return NULL;
}

/* What operators of this level and of those that bind more join. */
static term read_expression(bd_ir_reader *r, int level) {
  const operation *o;
  term terms[2] = {read_operand(r)};
  while (!r->out->code && (o = take_operator(r, level)) != NULL) {
    if (terms[0].kind == OPERATION) write_on_the_way(r, &terms[0], terms[0].type);
    terms[1] = read_expression(r, o->level + 1);
    if (terms[1].kind == OPERATION) write_on_the_way(r, &terms[1], terms[1].type);
    terms[0] = make_operation(r, o, terms);
  }
  return terms[0];
}

/* A further name for the same value: what folds. */
static void rename_value(bd_ir_reader *r, term *t) {
  const char *const op = bd_ir_is(t->type, "memref<") ? "memref.cast" : "arith.bitcast";
  t->kind = OPERATION;
  t->text = t->type == bd_ir_index(r)
                ? bd_ir_string_of(r, "arith.addi %%%s, %%c0 : index", t->text)
                : bd_ir_string_of(r, "%s %%%s : %s to %s", op, t->text, t->type, t->type);
}

const char *bd_ir_read_value(bd_ir_reader *r, const char *name) {
  term t = read_expression(r, 1);
  if (!name) {
    write_on_the_way(r, &t, bd_ir_index(r));
    return t.text;
  }
  if (t.kind == LITERAL)
    make_constant(r, &t, bd_ir_take(r, ":") ? bd_ir_read_type(r) : bd_ir_index(r));
  if (t.kind == VALUE) rename_value(r, &t);
  write(r, name, &t);
  return name;
}

bool bd_ir_read_effect(bd_ir_reader *r) {
  const char *const begin = r->at;
  char name[BD_IR_NAME];
  bd_ir_read_name(r, name);
  const operation *const o = bd_ir_take(r, "(") ? find(name) : NULL;
  r->at = o ? r->at : begin;
  if (!o) return false;
  bd_text_format(r->out, "  %s\n", read_call(r, o).text);
  return true;
}
