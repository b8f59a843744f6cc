// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/notation/statements.c: reading the notation of notation.h, statement by statement. */
#include "sdk/compile/kernels/notation/notation.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/compile/kernels/notation/reader.h"

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void open_block(bd_ir_reader *r, int n) {
  if (r->depth == BD_IR_DEPTH) bd_ir_fail(r, BUDDY_INTERNAL);
  if (r->depth < BD_IR_DEPTH) r->yields[r->depth++] = n;
}

/* n values with commas, of what comes before `end`: as it is, or n times if it has $n or is one. */
static bd_text numbered(bd_ir_reader *r, const char *end, int n) {
  const char *const stop = r->at + strcspn(r->at, end);
  const bool is_numbered = memchr(r->at, '$', (size_t)(stop - r->at)) != NULL ||
                           !memchr(r->at, ',', (size_t)(stop - r->at));
  bd_text all = {.data = NULL};
  for (int i = 0; i < (is_numbered ? n : 1); ++i) {
    bd_ir_set_number(r, 'n', i);
    if (i > 0) bd_text_string(&all, ", ");
    bd_ir_substitute(r, &all, r->at, stop);
  }
  r->variables['n' - 'a'][0] = '\0';
  r->at = stop;
  if (all.code) bd_ir_fail(r, all.code);
  return all;
}

/* Each of n values: "NAME = FROM" of what a loop carries, or FROM of what is yielded; and their types. */
static void read_list(bd_ir_reader *r, const char *end, int n, bool are_carried, bd_text *types) {
  bd_text list = numbered(r, end, n);
  const char *const behind = r->at;
  r->at = list.data ? list.data : "";
  for (int i = 0; i < n && !r->out->code; ++i) {
    char name[BD_IR_NAME];
    if (i > 0) bd_ir_expect(r, ",");
    if (are_carried) {
      bd_ir_read_name(r, name);
      bd_ir_expect(r, "=");
    }
    const char *const from = bd_ir_read_value(r, NULL);
    const char *const type = bd_ir_type_of_value(r, from);
    bd_text_string(r->out, i > 0 ? ", " : "");
    if (are_carried) bd_text_format(r->out, "%%%s = ", name);
    bd_text_format(r->out, "%%%s", from);
    bd_text_format(types, "%s%s", i > 0 ? ", " : "", type);
    if (are_carried) bd_ir_set_type(r, name, type);
  }
  if (types->code) bd_ir_fail(r, types->code);
  r->at = behind;
  bd_text_deinit(&list);
}

/* "%RESULT:N = " */
static void write_results(bd_ir_reader *r, const char *result, int n) {
  bd_text_string(r->out, "  ");
  if (n > 0) bd_text_format(r->out, "%%%s", result);
  if (n > 1) bd_text_format(r->out, ":%d", n);
  if (n > 0) bd_text_string(r->out, " = ");
}

/* What results are is told by the first of them. */
static void set_results(bd_ir_reader *r, const char *result, const bd_text *types) {
  const char *const data = types->data ? types->data : "";
  const char *const at = r->at;
  r->at = data;
  if (result[0] != '\0') bd_ir_set_type(r, result, bd_ir_read_type(r));
  r->at = at;
}

/* for I = A to B [by C] [carry NAME = FROM, …] { */
static void read_for(bd_ir_reader *r, const char *result, int n) {
  bd_text types = {.data = NULL};
  char index[BD_IR_NAME];
  const char *by = "c1";
  bd_ir_read_name(r, index);
  snprintf(r->name, BD_IR_NAME, "%s", index);
  bd_ir_expect(r, "=");
  const char *const from = bd_ir_read_value(r, NULL);
  bd_ir_expect(r, "to");
  const char *const to = bd_ir_read_value(r, NULL);
  if (bd_ir_take(r, "by")) by = bd_ir_read_value(r, NULL);
  write_results(r, result, n);
  bd_text_format(r->out, "scf.for %%%s = %%%s to %%%s step %%%s ", index, from, to, by);
  bd_ir_set_type(r, index, bd_ir_index(r));
  if (n > 0) {
    bd_ir_expect(r, "carry");
    bd_text_string(r->out, "iter_args(");
    read_list(r, "{", n, true, &types);
    bd_text_format(r->out, ") -> (%s) ", types.data ? types.data : "");
    set_results(r, result, &types);
  }
  bd_ir_expect(r, "{");
  bd_text_string(r->out, "{\n");
  open_block(r, n);
  bd_text_deinit(&types);
}

/* if CONDITION [like VALUE, …] { */
static void read_if(bd_ir_reader *r, const char *result, int n) {
  bd_text types = {.data = NULL};
  snprintf(r->name, BD_IR_NAME, "if%zu", r->out->size);
  const char *const condition = bd_ir_read_value(r, NULL);
  if (n > 0) {
    bd_ir_expect(r, "like");
    const char *const type = bd_ir_type_of_value(r, bd_ir_read_value(r, NULL));
    bd_text_string(&types, bd_phrase_list(type, n).data);
    bd_ir_set_type(r, result, type);
  }
  write_results(r, result, n);
  bd_text_format(r->out, "scf.if %%%s ", condition);
  if (n > 0) bd_text_format(r->out, "-> (%s) ", types.data ? types.data : "");
  bd_ir_expect(r, "{");
  bd_text_string(r->out, "{\n");
  open_block(r, n);
  bd_text_deinit(&types);
}

static void read_yield(bd_ir_reader *r) {
  bd_text types = {.data = NULL};
  bd_text_string(r->out, "  scf.yield ");
  read_list(r, ";", r->depth > 0 ? r->yields[r->depth - 1] : 0, false, &types);
  bd_text_format(r->out, " : %s\n", types.data ? types.data : "");
  bd_ir_expect(r, ";");
  bd_text_deinit(&types);
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* metadata NAME = M; */
static void read_metadata(bd_ir_reader *r) {
  char name[BD_IR_NAME];
  bd_ir_read_name(r, name);
  bd_ir_expect(r, "=");
  const char *const of = bd_ir_read_value(r, NULL);
  const char *const type = bd_ir_type_of_value(r, of), *const base = bd_ir_string_of(
                                                           r, "memref<%s>", bd_ir_element(r, type));
  const int rank = bd_ir_rank(type);
  bd_text_format(r->out, "  %%%s_base, %%%s_at", name, name);
  if (rank > 0) bd_text_format(r->out, ", %%%s_sizes:%d, %%%s_strides:%d", name, rank, name, rank);
  bd_text_format(r->out, " = memref.extract_strided_metadata %%%s : %s -> %s, %s\n", of, type, base,
                 bd_phrase_list("index", 1 + 2 * rank).data);
  bd_ir_set_type(r, bd_phrase_of("%s_base", name).data, base);
  bd_ir_expect(r, ";");
}

/* The letter of a variable; 'a' if it is none, which fails. */
static char read_letter(bd_ir_reader *r) {
  char name[BD_IR_NAME];
  bd_ir_read_name(r, name);
  if (islower((unsigned char)name[0]) && strcmp(name, "n") != 0 && name[1] == '\0') return name[0];
  bd_ir_fail(r, BUDDY_INTERNAL);
  return 'a';
}

/* let a = TEXT, b = TEXT; */
static void read_let(bd_ir_reader *r) {
  do {
    char *const variable = r->variables[read_letter(r) - 'a'];
    bd_ir_expect(r, "=");
    r->at += strspn(r->at, " ");
    const size_t n = strcspn(r->at, ",;");
    if (n >= BD_IR_NAME) bd_ir_fail(r, BUDDY_INTERNAL);
    if (!r->out->code) snprintf(variable, BD_IR_NAME, "%.*s", (int)n, r->at);
    r->at += n;
  } while (bd_ir_take(r, ",") && !r->out->code);
  bd_ir_expect(r, ";");
}

/* NAME[:N] = … */
static void read_assignment(bd_ir_reader *r) {
  char name[BD_IR_NAME];
  int64_t n = 1;
  bd_ir_read_name(r, name);
  if (bd_ir_take(r, ":") && !bd_ir_read_number(r, &r->at, &n)) bd_ir_fail(r, BUDDY_INTERNAL);
  bd_ir_expect(r, "=");
  snprintf(r->name, BD_IR_NAME, "%s", name);
  if (bd_ir_take(r, "for")) {
    read_for(r, name, (int)n);
  } else if (bd_ir_take(r, "if")) {
    read_if(r, name, (int)n);
  } else {
    bd_ir_read_value(r, name);
    bd_ir_expect(r, ";");
  }
}

static void read_statement(bd_ir_reader *r, const char *line) {
  r->at = line;
  r->n_made = 0;
  snprintf(r->name, BD_IR_NAME, "to%zu",
           r->out->size); /* leads what is made for one that makes nothing */
  if (bd_ir_take(r, "for"))
    read_for(r, "", 0);
  else if (bd_ir_take(r, "if"))
    read_if(r, "", 0);
  else if (bd_ir_take(r, "yield"))
    read_yield(r);
  else if (bd_ir_take(r, "metadata"))
    read_metadata(r);
  else if (bd_ir_take(r, "let"))
    read_let(r);
  else if (bd_ir_read_effect(r))
    bd_ir_expect(r, ";");
  else
    read_assignment(r);
  if (*r->at != '\0') bd_ir_fail(r, BUDDY_INTERNAL);
}

/* The end of a block, and what follows it in its line: attributes, or another block. */
static const char *read_end(bd_ir_reader *r, const char *at) {
  const int n = r->depth > 0 ? r->yields[--r->depth] : 0;
  r->at = at + 1;
  bd_text_string(r->out, "  }");
  if (bd_ir_take(r, "else")) {
    bd_ir_expect(r, "{");
    bd_text_string(r->out, " else {");
    open_block(r, n);
  } else if (r->at[0] == '{') {
    const size_t length = strcspn(r->at, "\n");
    bd_text_string(r->out, " ");
    bd_text_append(r->out, r->at, length);
    r->at += length;
  }
  bd_text_string(r->out, "\n");
  return r->at;
}

/* A line of MLIR: begins with the name of a value, with that of an operation, which has a point, with arguments or a
 * block's label. */
static bool is_mlir(const char *at) {
  return strchr("%(^\"", at[0]) || strncmp(at, "return", strlen("return")) == 0 ||
         memchr(at, '.', bd_ir_name_length(at)) != NULL;
}

static void read_mlir(bd_ir_reader *r, const char *line) {
  bd_text_format(r->out, "  %s", line);
  bd_ir_learn(r, line);
  int depth = 0;
  for (const char *at = line; *at != '\0'; ++at) depth += (*at == '{') - (*at == '}');
  if (depth > 0) open_block(r, 0);
  if (depth < 0 && r->depth > 0) --r->depth;
}

static void read_statements(bd_ir_reader *r, const char *at, const char *end);

/* "each a = A to B", and the text that is read for each a: returns what is behind. */
static const char *read_each(bd_ir_reader *r, const char *line, const char *begin,
                             const char *end) {
  const char *behind = begin;
  int64_t from = 0, to = 0;
  r->at = line;
  bd_ir_expect(r, "each");
  const char letter = read_letter(r);
  if (bd_ir_take(r, "=") && !bd_ir_read_number(r, &r->at, &from)) bd_ir_fail(r, BUDDY_INTERNAL);
  bd_ir_expect(r, "to");
  if (!bd_ir_read_number(r, &r->at, &to)) bd_ir_fail(r, BUDDY_INTERNAL);
  bd_ir_expect(r, "{");
  for (int depth = 1; behind < end && depth > 0; ++behind)
    depth += (*behind == '{') - (*behind == '}');
  for (; from < to && !r->out->code; ++from) {
    bd_ir_set_number(r, letter, from);
    read_statements(r, begin, behind - 1);
  }
  r->variables[letter - 'a'][0] = '\0';
  return behind;
}

static void read_statements(bd_ir_reader *r, const char *at, const char *end) {
  while (!r->out->code && (at += strspn(at, " \n")) < end) {
    if (*at == '}') {
      at = read_end(r, at);
      continue;
    }
    const bool is_line = is_mlir(at);
    const char *behind = at + strcspn(at, is_line ? "\n" : ";{");
    behind += behind < end;
    bd_text line = {.data = NULL};
    bd_ir_substitute(r, &line, at, behind);
    if (line.code) bd_ir_fail(r, line.code);
    if (is_line)
      read_mlir(r, line.data ? line.data : "");
    else if (strncmp(at, "each ", strlen("each ")) == 0)
      behind = read_each(r, line.data ? line.data : "", behind, end);
    else
      read_statement(r, line.data ? line.data : "");
    bd_text_deinit(&line);
    at = behind;
  }
}

static void clear(bd_ir_string **table) {
  bd_ir_string *all = *table, *item, *next;
  HASH_CLEAR(hh, *table);
  HASH_ITER(hh, all, item, next) bd_free(item);
}

void bd_ir_expand(bd_text *out, const bd_text *text) {
  bd_ir_reader r = {.out = out};
  if (text->code) bd_ir_fail(&r, text->code);
  if (text->data) read_statements(&r, text->data, text->data + text->size);
  clear(&r.values);
  clear(&r.strings);
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
