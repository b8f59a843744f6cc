// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/notation/reader.h: what the parts of the reader of notation.h share: names and types of values, numbers
 * that are known when a text is read, and expressions. Names of values are without their %. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_NOTATION_READER_H
#define BUDDY_SDK_COMPILE_KERNELS_NOTATION_READER_H

#include <stdbool.h>

#include "core/base/hash.h"
#include "sdk/compile/ir.h"

enum { BD_IR_NAME = 80, BD_IR_DEPTH = 32, BD_IR_LETTERS = 26 };

/* A text; of the name of a value, its type. */
typedef struct bd_ir_string {
  UT_hash_handle hh;
  const char *type;
  char text[];
} bd_ir_string;

typedef struct bd_ir_reader {
  bd_text *out;
  bd_ir_string *values, *strings;
  char variables[BD_IR_LETTERS][BD_IR_NAME]; /* what $a is, and so on; "": nothing */
  int yields[BD_IR_DEPTH], depth;            /* how many values the blocks that are open yield */
  const char *at;                            /* of the statement that is read */
  char name[BD_IR_NAME];                     /* of what it makes */
  int n_made;                                /* on the way there */
} bd_ir_reader;

/* values.c has all but expressions. */
void bd_ir_fail(bd_ir_reader *r, buddy_code code);

/* ---- Tokens; blanks before them are skipped ---- */
size_t bd_ir_name_length(const char *at);
/* True if the sign or word comes next, which is then behind. */
bool bd_ir_take(bd_ir_reader *r, const char *token);
void bd_ir_expect(bd_ir_reader *r, const char *token);
void bd_ir_read_name(bd_ir_reader *r, char out[BD_IR_NAME]);

/* ---- Values and types ---- */
/* The one string of a text, which lives as long as the reader: types are compared as pointers. */
const char *bd_ir_intern(bd_ir_reader *r, const char *text, size_t n);
const char *bd_ir_string_of(bd_ir_reader *r, const char *format, ...) BUDDY_PRINTF(2, 3);
/* The same of a text, which goes away. */
const char *bd_ir_take_text(bd_ir_reader *r, bd_text *text);
/* A type up to a comma, a blank or the end of a list that is not inside of brackets. */
const char *bd_ir_read_type(bd_ir_reader *r);
const char *bd_ir_index(bd_ir_reader *r);
/* Of NAME or NAME#2; index for what is not known. */
const char *bd_ir_type_of_value(bd_ir_reader *r, const char *name);
void bd_ir_set_type(bd_ir_reader *r, const char *name, const char *type);
/* What a line of MLIR makes, or the arguments that it names. */
void bd_ir_learn(bd_ir_reader *r, const char *line);
bool bd_ir_is(const char *type, const char *lead); /* "vector<" */
/* Where the element begins, behind the sizes; how many of these there are; and the first of them. */
size_t bd_ir_sizes_length(const char *type);
int bd_ir_rank(const char *type);
int64_t bd_ir_lanes(const char *type);
/* "f32" of memref<?x?xf32, …>, vector<16xf32> and f32; and the same vector of other elements. */
const char *bd_ir_element(bd_ir_reader *r, const char *type);
const char *bd_ir_with_element(bd_ir_reader *r, const char *type, const char *element);

/* ---- Numbers that are known when a text is read ---- */
/* Of digits, letters of variables and + - * / % ( ), from *at on. */
bool bd_ir_read_number(const bd_ir_reader *r, const char **at, int64_t *out);
/* Copies a text with what its variables stand for; those that stand for nothing stay. */
void bd_ir_substitute(bd_ir_reader *r, bd_text *out, const char *at, const char *end);
void bd_ir_set_number(bd_ir_reader *r, char letter, int64_t number);

/* ---- Expressions (expressions.c) ---- */
/* What it makes has that name; null: the one that it has, or is given. */
const char *bd_ir_read_value(bd_ir_reader *r, const char *name);
/* An operation that makes nothing; false if there is none of that name. */
bool bd_ir_read_effect(bd_ir_reader *r);

#endif
