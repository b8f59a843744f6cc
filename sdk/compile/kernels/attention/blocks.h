// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/blocks.h: how the rows of attention (attention.h) are cut: units of a batch, and
 * blocks of a unit. */
#ifndef BUDDY_SDK_COMPILE_ATTENTION_BLOCKS_H
#define BUDDY_SDK_COMPILE_ATTENTION_BLOCKS_H

#include <stdbool.h>

#include "sdk/compile/kernels/attention/attention.h"
#include "sdk/compile/kernels/panels/panels.h"

/* f32 or f64. */
const bd_element *bd_attention_element(const bd_attention *a);
/* Of the right operand of a product, 0 or 1: the same, or beside f32 f16 or bf16. */
const bd_element *bd_attention_element_b(const bd_attention *a, int product);
/* Only a run knows how many rows or columns there are, and cuts them by the same rules. */
bool bd_attention_has_any_shape(const bd_attention *a);
/* Elements from row to row of the scores of a block: an odd number of cache lines, so that rows do
 * not crowd one another out of the first cache. */
int64_t bd_attention_pitch(const bd_attention *a);
int64_t bd_attention_rows_of_unit(const bd_attention *a);
int64_t bd_attention_rows_of_block(const bd_attention *a);

/* %of_batch, %of_unit, %of_block: units, rows of a unit, rows of a block; %share_units: all units; what the
 * scores' sizes are, and %all_panels of the first product. */
void bd_attention_write_cut(bd_text *text, const bd_attention *a, const bd_panels *first);

/* %row, which is %r rows after %FIRST, and where only then it is known its %batch and extras: before all that reads these. */
void bd_attention_write_row(bd_text *text, const bd_attention *a, const char *first);
/* %NAME_columns and %NAME_panels: those that %ROWS rows from %FIRST on see, up to a whole panel, of %MOST_columns and
 * %MOST_panels. */
void bd_attention_write_columns(bd_text *text, const bd_attention *a, const char *name,
                                const char *first, const char *rows, const char *most);

/* Words: rows of the first product's A, as pairs, end with zeros; "memref<rows x words x f32>" of a block of them, which
 * is written to %words_of_a. */
int64_t bd_attention_words_of_row(const bd_attention *a, const bd_panels *p);
bd_phrase bd_attention_type_words(const bd_attention *a, const bd_panels *p);
void bd_attention_write_words_of_rows(bd_text *text, const bd_panels *p);
/* What lies between, in the slot, as pairs in its place, of %columns numbers a row, up to whole panels. */
void bd_attention_write_words_of_scores(bd_text *text, const bd_panels *p, int slot);

/* "memref<rows x pitch x element>". */
bd_phrase bd_attention_type_slot(const bd_attention *a, int slot);
/* "memref<rows x element>" */
bd_phrase bd_attention_type_late(const bd_attention *a);

#endif
