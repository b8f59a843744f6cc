// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/parts.h: what the texts of dequantized.h share. */
#ifndef BUDDY_SDK_COMPILE_DEQUANTIZED_PARTS_H
#define BUDDY_SDK_COMPILE_DEQUANTIZED_PARTS_H

#include "sdk/compile/kernels/dequantized/dequantized.h"

/* Elements of a group. */
int64_t bd_dequantized_group(const bd_dequantized *r);
/* The loop that makes even or odd numbers (`which`) of an element of source K, of one vector that is called a row of;
 * numbers: leads the names of its numbers, and lives as long. */
bd_epilogue bd_dequantized_half(const bd_dequantized *r, int k, int which, const char *numbers);
/* The type of its elements. */
MlirType bd_dequantized_element(const bd_extra *source);
/* Single numbers in an element of source K. */
int bd_dequantized_numbers(const bd_dequantized *r, int k);
/* Elements of a source from round to round, where they are always as many; -1 if not. */
int64_t bd_dequantized_step(const bd_dequantized *r, const bd_extra *source);
/* %TAG_at_K, where source K is read in group %TAG_round, which begins a round of `inner`; of those that are one
 * number for all of the group, that number: %TAG_one_K. */
void bd_dequantized_write_places(bd_text *text, const bd_dequantized *r, const char *tag,
                                 int64_t inner);
/* How many groups a round is, one after the other, whose places are told by those of its first. */
int bd_dequantized_inner(const bd_dequantized *r);
/* Elements of a source from group 0 of a round to group i. */
int64_t bd_dequantized_inner_offset(const bd_dequantized *r, const bd_extra *source, int i);
/* %TO_f32: what the body yields, of names that begin with TO. */
void bd_dequantized_write_made(bd_text *text, const bd_dequantized *r, const char *to);
/* %TO_f32: the vector of the operand that begins with element %IN_GROUP of the group on that
 * bd_dequantized_write_places told the places under the tag FROM. Other names it needs begin with
 * TO. */
void bd_dequantized_write_vector(bd_text *text, const bd_dequantized *r, const char *from,
                                 const char *to, const char *in_group);

/* ---- What is one number for all of a group (factors.c) ---- */

/* Groups of a round, at the most. */
enum { BD_MOST_INNER = 64 };

/* Which operations of the body are; false if they are too many to tell. */
bool bd_dequantized_read_factors(bd_dequantized *r);
/* True if the value is; the operations before it that make such are known. */
bool bd_dequantized_is_factor(const bd_dequantized *r, MlirValue value);
/* The numbers that factors need, before the loops. */
void bd_dequantized_write_factors_begin(bd_text *text, const bd_dequantized *r);
/* %TAG_all_…: the factors of all groups of a round, which are its lanes. */
void bd_dequantized_write_factors(bd_text *text, const bd_dequantized *r, const char *tag);
/* The name of one of them, which an operation of the body needs. */
bd_phrase bd_dequantized_factor(const bd_dequantized *r, MlirOperation user, intptr_t operand,
                                const char *tag);

/* ---- Bytes times and plus such numbers (sums.c) ---- */

enum { BD_MOST_TERMS = 4, BD_TERM_NAME = 32 };
#define BD_ONES "ones"

/* A number for each byte of a source. */
typedef struct bd_byte_term {
  int source;
  MlirOperation user; /* masks it, with that operand, a factor; null: it is all of the byte */
  intptr_t mask;
  bool is_signed;
} bd_byte_term;

/* (Σ numbers · coefficient + constant) · scale: names of vectors, of a round's groups; "": none. */
typedef struct bd_byte_sum {
  int n;
  bd_byte_term terms[BD_MOST_TERMS];
  char coefficients[BD_MOST_TERMS][BD_TERM_NAME], constant[BD_TERM_NAME], scale[BD_TERM_NAME];
} bd_byte_sum;

/* What the loop makes is that, of the factors of %TAG_all_…; false if it is nothing of the kind. */
bool bd_dequantized_write_affine(bd_text *text, const bd_dequantized *r, const char *tag,
                                 bd_byte_sum *out);

/* ---- One row times such numbers (words.c) ---- */

enum { BD_COLUMNS_OF_WORDS = 4 };

/* Whether that is how a row is multiplied, and of what bytes. */
void bd_dequantized_read_words(bd_dequantized *r);
/* What the sums of all columns are to be multiplied with, a power of two, as a number of f32. */
const char *bd_dequantized_scale(const bd_dequantized *r);
/* The copy of the row, before the loops, and its end. */
void bd_dequantized_write_words_begin(bd_text *text, const bd_dequantized *r);
void bd_dequantized_write_words_end(bd_text *text);
/* %sums: the row · each of n columns, by lanes, over bd_dequantized_scale; %roundsQ is the first group of column Q. */
void bd_dequantized_write_words(bd_text *text, const bd_dequantized *r, int n);

/* ---- Numbers of four bits, looked up (table.c) ---- */

/* True if the numbers of a group come of the halves of bytes and of nothing else that differs
 * within the group, and the processor can look them up. */
int bd_dequantized_has_table(const bd_dequantized *r);
/* What all tables need, before the loops. */
void bd_dequantized_write_table_begin(bd_text *text, const bd_dequantized *r);
/* %table0_Q_f32, %table1_Q_f32: the numbers that the first and the second of two in a byte can be,
 * in the group of column Q on that bd_dequantized_write_places told the places under the tag ofQ. */
void bd_dequantized_write_tables(bd_text *text, const bd_dequantized *r, int q);
/* Of the row the two vectors that are pair U from %in_group on: %rowU_0, %rowU_1, its even and odd
 * elements. */
void bd_dequantized_write_table_row(bd_text *text, int u);
/* %sumU+1_Q = %sumU_Q + the same of column Q · both. */
void bd_dequantized_write_table_step(bd_text *text, const bd_dequantized *r, int u, int q);

#endif
