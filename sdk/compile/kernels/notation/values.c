// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/notation/values.c: tokens of a text, the types of its values, and its numbers; see reader.h. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/compile/kernels/notation/reader.h"

void bd_ir_fail(bd_ir_reader *r, buddy_code code) {
  if (!r->out->code) r->out->code = code;
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

size_t bd_ir_name_length(const char *at) {
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.') ++n;
  return n;
}

bool bd_ir_take(bd_ir_reader *r, const char *token) {
  const size_t n = strlen(token);
  r->at += strspn(r->at, " ");
  if (strncmp(r->at, token, n) != 0) return false;
  if (isalpha((unsigned char)token[0]) && bd_ir_name_length(r->at) != n) return false;
  r->at += n;
  return true;
}

void bd_ir_expect(bd_ir_reader *r, const char *token) {
  if (!bd_ir_take(r, token)) bd_ir_fail(r, BUDDY_INTERNAL);
}

void bd_ir_read_name(bd_ir_reader *r, char out[BD_IR_NAME]) {
  r->at += strspn(r->at, " ");
  const size_t n = bd_ir_name_length(r->at);
  const bool is_name = n > 0 && n < BD_IR_NAME;
  if (!is_name) bd_ir_fail(r, BUDDY_INTERNAL);
  snprintf(out, BD_IR_NAME, "%.*s", is_name ? (int)n : 0, r->at);
  r->at += n;
}

/* ---- Strings --------------------------------------------------------------------------------- */

static bd_ir_string *find_or_add(bd_ir_reader *r, bd_ir_string **table, const char *text,
                                 size_t n) {
  bool hash_is_full = false;
  bd_ir_string *item = NULL;
  HASH_FIND(hh, *table, text, n, item);
  if (item) return item;
  item = bd_calloc(1, sizeof(bd_ir_string) + n + 1);
  if (item) {
    memcpy(item->text, text, n);
    HASH_ADD_KEYPTR(hh, *table, item->text, n, item);
    if (!hash_is_full) return item;
  }
  bd_free(item);
  bd_ir_fail(r, BUDDY_OUT_OF_MEMORY);
  return NULL;
}

const char *bd_ir_intern(bd_ir_reader *r, const char *text, size_t n) {
  const bd_ir_string *const item = find_or_add(r, &r->strings, text, n);
  return item ? item->text : "";
}

const char *bd_ir_take_text(bd_ir_reader *r, bd_text *text) {
  if (text->code) bd_ir_fail(r, text->code);
  const char *const out = bd_ir_intern(r, text->data ? text->data : "", text->size);
  bd_text_deinit(text);
  return out;
}

const char *bd_ir_string_of(bd_ir_reader *r, const char *format, ...) {
  bd_text text = {.data = NULL};
  va_list args;
  va_start(args, format);
  bd_text_format_args(&text, format, args);
  va_end(args);
  return bd_ir_take_text(r, &text);
}

const char *bd_ir_index(bd_ir_reader *r) { return bd_ir_intern(r, "index", strlen("index")); }

const char *bd_ir_type_of_value(bd_ir_reader *r, const char *name) {
  bd_ir_string *item = NULL;
  HASH_FIND(hh, r->values, name, strcspn(name, "#"), item);
  return item ? item->type : bd_ir_index(r);
}

void bd_ir_set_type(bd_ir_reader *r, const char *name, const char *type) {
  bd_ir_string *const item = find_or_add(r, &r->values, name, strlen(name));
  if (item) item->type = type;
}

/* ---- Types ----------------------------------------------------------------------------------- */

bool bd_ir_is(const char *type, const char *lead) { return strncmp(type, lead, strlen(lead)) == 0; }

static size_t read_sizes(const char *type, int *rank) {
  *rank = 0;
  if (!bd_ir_is(type, "memref<") && !bd_ir_is(type, "vector<")) return 0;
  for (size_t n = strlen("memref<");; ++*rank) {
    const size_t size = strspn(type + n, "0123456789?");
    if (size == 0 || type[n + size] != 'x') return n;
    n += size + 1;
  }
}

size_t bd_ir_sizes_length(const char *type) {
  int rank;
  return read_sizes(type, &rank);
}

int bd_ir_rank(const char *type) {
  int rank;
  read_sizes(type, &rank);
  return rank;
}

int64_t bd_ir_lanes(const char *type) {
  return bd_ir_is(type, "vector<") ? strtoll(type + strlen("vector<"), NULL, 10) : 0;
}

const char *bd_ir_element(bd_ir_reader *r, const char *type) {
  const size_t n = bd_ir_sizes_length(type);
  return n == 0 ? type : bd_ir_intern(r, type + n, strcspn(type + n, ",>"));
}

const char *bd_ir_with_element(bd_ir_reader *r, const char *type, const char *element) {
  const int64_t n = bd_ir_lanes(type);
  return n == 0 ? bd_ir_intern(r, element, strlen(element))
                : bd_ir_string_of(r, "vector<%lldx%s>", (long long)n, element);
}

const char *bd_ir_read_type(bd_ir_reader *r) {
  int depth = 0;
  size_t n = 0;
  r->at += strspn(r->at, " ");
  for (; r->at[n] != '\0' && (depth > 0 || !strchr(",;) \n", r->at[n])); ++n)
    depth += (strchr("<[", r->at[n]) != NULL) - (strchr(">]", r->at[n]) != NULL);
  r->at += n;
  if (n == 0) bd_ir_fail(r, BUDDY_INTERNAL);
  return bd_ir_intern(r, r->at - n, n);
}

/* ---- Lines of MLIR --------------------------------------------------------------------------- */

/* "(%a: T, %b: T" */
static void learn_arguments(bd_ir_reader *r, const char *line) {
  char name[BD_IR_NAME];
  r->at = line + strcspn(line, "(") + 1;
  while (bd_ir_take(r, "%")) {
    bd_ir_read_name(r, name);
    bd_ir_expect(r, ":");
    bd_ir_set_type(r, name, bd_ir_read_type(r));
    r->at += strcspn(r->at, ",)"); /* attributes */
    bd_ir_take(r, ",");
  }
}

/* An operation's result has the type that its line ends with; true and false have none there. */
static void learn_result(bd_ir_reader *r, const char *line) {
  static const char *const leads[] = {" : ", " to ", " -> ", " into "};
  char name[BD_IR_NAME];
  r->at = line + 1;
  bd_ir_read_name(r, name);
  if (!bd_ir_take(r, "=")) return;
  const char *type = NULL;
  for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); ++i) {
    const char *next = r->at;
    while ((next = strstr(next, leads[i])) != NULL) {
      next += strlen(leads[i]);
      if (!type || next > type) type = next;
    }
  }
  r->at = type;
  bd_ir_set_type(r, name, type ? bd_ir_read_type(r) : bd_ir_intern(r, "i1", 2));
}

void bd_ir_learn(bd_ir_reader *r, const char *line) {
  line += strspn(line, " ");
  if (line[0] == '(' || line[0] == '^') learn_arguments(r, line);
  if (line[0] == '%') learn_result(r, line);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at) { return at + strspn(at, " "); }

static bool read_one(const bd_ir_reader *r, const char **at, int64_t *out) {
  const char *const begin = skip_blanks(*at);
  char *end = NULL;
  if (*begin == '(') {
    *at = begin + 1;
    return bd_ir_read_number(r, at, out) && *(*at)++ == ')';
  }
  const bool is_variable = islower((unsigned char)*begin);
  const char *const text = is_variable ? r->variables[*begin - 'a'] : begin;
  *out = strtoll(text, &end, 10);
  *at = is_variable ? begin + 1 : end;
  return end != text;
}

static bool read_product(const bd_ir_reader *r, const char **at, int64_t *out) {
  int64_t right;
  if (!read_one(r, at, out)) return false;
  for (*at = skip_blanks(*at); **at != '\0' && strchr("*/%", **at); *at = skip_blanks(*at)) {
    const char sign = *(*at)++;
    if (!read_one(r, at, &right) || (sign != '*' && right == 0)) return false;
    *out = sign == '*' ? *out * right : sign == '/' ? *out / right : *out % right;
  }
  return true;
}

bool bd_ir_read_number(const bd_ir_reader *r, const char **at, int64_t *out) {
  int64_t right;
  if (!read_product(r, at, out)) return false;
  while (**at == '+' || **at == '-') {
    const char sign = *(*at)++;
    if (!read_product(r, at, &right)) return false;
    *out += sign == '+' ? right : -right;
  }
  return true;
}

void bd_ir_set_number(bd_ir_reader *r, char letter, int64_t number) {
  snprintf(r->variables[letter - 'a'], BD_IR_NAME, "%lld", (long long)number);
}

void bd_ir_substitute(bd_ir_reader *r, bd_text *out, const char *at, const char *end) {
  while (at < end) {
    const char *const found = memchr(at, '$', (size_t)(end - at)),
                      *const sign = found ? found : end, *behind = sign + 1;
    int64_t number;
    bd_text_append(out, at, (size_t)(sign - at));
    if (!found) return;
    at = sign + 1;
    if (*at == '(' && read_one(r, &behind, &number)) {
      bd_text_int(out, number);
      at = behind;
    } else if (islower((unsigned char)*at) && r->variables[*at - 'a'][0] != '\0') {
      bd_text_string(out, r->variables[*at++ - 'a']);
    } else {
      bd_text_char(out, '$');
    }
  }
}
