// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized_parts.h: what the texts of dequantized.h share. */
#ifndef BUDDY_SDK_COMPILE_DEQUANTIZED_PARTS_H
#define BUDDY_SDK_COMPILE_DEQUANTIZED_PARTS_H

#include "sdk/compile/kernels/dequantized.h"

/* %NAME = that number, of index. */
void bd_dequantized_write_number(bd_text *text, const char *name, int64_t number);
/* Elements of a group. */
int64_t bd_dequantized_group(const bd_dequantized *r);
/* The type of its elements. */
MlirType bd_dequantized_element(const bd_extra *source);
/* Single numbers in an element of source K. */
int bd_dequantized_numbers(const bd_dequantized *r, int k);
/* "memref<Nxi8>" */
void bd_dequantized_write_flat(bd_text *text, const bd_extra *source);
/* "vector<16xi8>", of as many lanes. */
void bd_dequantized_write_type(bd_text *text, const bd_dequantized *r, MlirType element);
/* Elements of a source from round to round, where they are always as many; -1 if not. */
int64_t bd_dequantized_step(const bd_dequantized *r, const bd_extra *source);
/* %TAG_at_K, where source K is read in round %TAG_round; of those that are one number for all of
 * the group, that number: %TAG_one_K. */
void bd_dequantized_write_places(bd_text *text, const bd_dequantized *r, const char *tag);
/* How many groups, one after the other, have their places told by one: the numbers along the last axes but
 * the group's, of sources that are not read from front to back. 1: places are told for each. */
int bd_dequantized_inner(const bd_dequantized *r);
/* Elements of a source from group 0 of those that one tells to group i. */
int64_t bd_dequantized_inner_offset(const bd_dequantized *r, const bd_extra *source, int i);
/* %TAG_I_at_K of group I of those after the one of bd_dequantized_write_places, for the tag "TAG_I". */
void bd_dequantized_write_inner(bd_text *text, const bd_dequantized *r, const char *tag, int i);
/* %TO_K: the vector of source K from element %IN_GROUP of the group on that %FROM_at_K begins. */
void bd_dequantized_write_load(bd_text *text, const bd_dequantized *r, int k, const char *from,
                               const char *to, const char *in_group);
/* %TO_f32: what the body yields, of names that begin with TO. */
void bd_dequantized_write_made(bd_text *text, const bd_dequantized *r, const char *to);
/* %TO_f32: the vector of the operand that begins with element %IN_GROUP of the group on that
 * bd_dequantized_write_places told the places under the tag FROM. Other names it needs begin with
 * TO. */
void bd_dequantized_write_vector(bd_text *text, const bd_dequantized *r, const char *from,
                                 const char *to, const char *in_group);
/* %TO_K: source K, which is one number for all of the group: %FROM_one_K. */
void bd_dequantized_write_spread(bd_text *text, const bd_dequantized *r, int k, const char *from,
                                 const char *to);
/* %TO_f32 of the value `from`, a vector, or with lanes 0 a number, of that type. */
void bd_dequantized_write_widening(bd_text *text, int lanes, const char *from, const char *to,
                                   MlirType type);

/* ---- What is one number for all of a group (dequantized_factors.c) ---- */

/* Which operations of the body are; false if they are too many to tell. */
bool bd_dequantized_read_factors(bd_dequantized *r);
/* The numbers that factors need, before the loops. */
void bd_dequantized_write_factors_begin(bd_text *text, const bd_dequantized *r);
/* %TAG_all_…: the factors of all groups that have their places told by one, which are its lanes. */
void bd_dequantized_write_factors(bd_text *text, const bd_dequantized *r, const char *tag);
/* As bd_dequantized_write_vector, of group I of these, with its factors. */
void bd_dequantized_write_vector_of(bd_text *text, const bd_dequantized *r, const char *from,
                                    const char *to, const char *in_group, int i);

/* ---- Numbers of four bits, looked up (dequantized_table.c) ---- */

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
void bd_dequantized_write_table_row(bd_text *text, const bd_dequantized *r, MlirType a, int u);
/* %sumU+1_Q = %sumU_Q + the same of column Q · both. */
void bd_dequantized_write_table_step(bd_text *text, const bd_dequantized *r, int u, int q);

#endif
