// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/attention.h: attention as one loop: two products, and between them loops over
 * the rows of what the first one makes, such as a softmax of masked and scaled scores.
 *
 *   for each batch (heads are batches), in parallel
 *     pack the right operands of both products (keys and values)
 *     for each block of rows
 *       scores of the block = its rows of A · B           (they stay in cache)
 *       for each row: what lies between, step by step
 *       result of the block = scores · B of the second product
 *
 * What lies between may be any linalg.generic, one after another, that goes over the scores row by
 * row, or sums up or compares along rows, or computes with one number per row; masks and what else
 * they read may lie anywhere. Their bodies stay what they are, of scalars, in loops that LLVM makes
 * vectors of. Nothing else may read the scores. So this is not known by a name: products, softmax
 * and masks of any spelling are found.
 *
 * A last step that divides or multiplies each row by one number is done with the result instead,
 * which has fewer columns; what it rounds then is rounded before, or not at all. Where a mask hides
 * all columns after some place of a block of rows, and hidden columns add nothing to what follows,
 * they are not computed, nor read: those of a mask of indices alone (row >= column) are known, a run
 * looks for those of a mask in memory, such as one of what a cache has not got yet
 * (limit.c, columns.c).
 *
 * Few rows do not have operands packed (few.c). They are those of all batches that share
 * keys, which the loops between may tell apart.
 *
 * Elements are f32 or f64; keys and values beside f32 also f16 or bf16, as caches are: they are
 * widened where they are packed, or on their way from memory. Where the other operand was bf16, too, pairs of them are
 * multiplied (words.c). The sizes of the scores need not be known: a run then cuts them by the same rules
 * (extents.h). Which rows a unit has follows from the sizes alone, so that results do
 * not depend on the number of threads. */
#ifndef BUDDY_SDK_COMPILE_ATTENTION_H
#define BUDDY_SDK_COMPILE_ATTENTION_H

#include <stdbool.h>

#include "sdk/compile/kernels/few.h"
#include "sdk/compile/kernels/panel_epilogue.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/matrices.h"

/* With fewer rows, packing costs more than it gives: up to so many of all batches that share keys. */
enum { BD_LEAST_ROWS = 16, BD_MOST_FEW = 64 };

enum { BD_MAX_STEPS = 16, BD_MAX_CHAIN = BD_MAX_STEPS + 1, BD_MAX_SLOTS = 3, BD_MAX_MASKS = 4 };

/* Operations of a body that are followed to find what hides scores; nothing does in a longer one. */
enum { BD_ATTENTION_MOST_OPS = 128 };

/* What a step's operand is: scores, one number per row, or anything else that it reads. */
typedef enum bd_attention_part { BD_PART_SCORES, BD_PART_ROW, BD_PART_EXTRA } bd_attention_part;

/* A buffer between the products, which the loop has only a block of. */
typedef struct bd_attention_link {
  MlirValue buffer; /* the allocation */
  MlirType element;
  bool is_row;   /* one number per row */
  int last_read; /* the step that is the last to read it */
  int slot;      /* of scores: which block in memory holds it */
} bd_attention_link;

typedef struct bd_attention_step {
  bd_structured s;
  bd_attention_part kind; /* what it goes over: BD_PART_SCORES or BD_PART_ROW */
  bool is_reduction;      /* along rows of scores, to one number each */
  MlirOperation fill;     /* what fills its result before: of reductions */
  bool is_flat;           /* some loop walks along rows and batches: it has no axes */
  int axis[BD_MAX_LOOPS]; /* BD_OF_…, of each loop */
  bd_attention_part parts[BD_MAX_OPERANDS];
  int places[BD_MAX_OPERANDS]; /* of the operand, among the links or the extras */
} bd_attention_step;

/* What hides scores: an operand of an operation of a step's body, made of what no score makes. A condition does where it
 * is so, a number where it is minus infinity. */
typedef struct bd_attention_mask {
  int step;
  MlirOperation user;
  int operand;
  bool hides;
} bd_attention_mask;

typedef struct bd_attention {
  const bd_machine *machine; /* that code is for */
  bd_contraction c[2];
  bd_beginning begin[2]; /* zeros */
  bd_geometry a, b[2], out;
  bd_attention_step steps[BD_MAX_STEPS];
  bd_attention_link links[BD_MAX_CHAIN];
  MlirType slots[BD_MAX_SLOTS]; /* elements */
  bd_epilogue extras;           /* of which only these are used */
  int n_steps, n_links, n_slots;
  bd_extents extents;     /* what sizes that only a run knows are made of */
  int64_t sizes[BD_N_OF]; /* of the scores */
  int64_t shared;         /* batches of the scores that are rows of one product */
  bool is_few;            /* the rows of all of these are done at a time; else of one batch */
  bool is_late;           /* the last step is done with the result */
  bool has_limit;         /* columns > row + limit of the scores add nothing */
  int64_t limit;
  bool has_bf16[2];               /* A and B of that product are numbers of bf16 */
  const bd_dot_packing *words[2]; /* of a product that multiplies such; null: elements */
  int n_masks;                    /* nor do those that one of these hides */
  bd_attention_mask masks[BD_MAX_MASKS];
} bd_attention;

/* The loop that begins with this product; false if there is none. */
int bd_attention_find(MlirOperation product, const bd_prepacking *prepacking, bd_attention *out);

/* The link that a step writes. */
int bd_attention_written(const bd_attention_step *step);
/* The place of an operation in the step's body; -1: it is not there. */
int bd_attention_place(const bd_attention_step *step, MlirOperation op);
/* The step's body asks for an index of its loops. */
bool bd_attention_has_index(const bd_attention_step *step);
/* Of a late step, what multiplies or divides the scores, by its second operand. */
MlirOperation bd_attention_late_op(const bd_attention_step *step);
/* Finds columns that add nothing. */
void bd_attention_find_limit(bd_attention *a);
/* What the operation writes was bf16 before it was widened. */
bool bd_attention_is_rounded(MlirOperation op);
/* Finds which products are of words. */
void bd_attention_choose_words(bd_attention *a);

/* The kernel of A, B, B of the second product, its result, the extras, and what unknown sizes are
 * made of. gemm: the library's functions that pack B of each product; few: as found. */
void bd_attention_write(bd_text *text, const bd_attention *a, const char *const gemm[2],
                        const bd_few *few, bd_kernels *kernels);

/* True if rows of keys and of values are dense. */
bool bd_attention_has_dense_rows(const bd_attention *a);
/* True if they are, so that they need not be packed, and both products have the same rows. */
bool bd_attention_can_be_few(const bd_attention *a);
/* The functions that multiply few rows; null names if there never are few, or they are of no use. */
buddy_code bd_attention_find_few(const bd_attention *a, bd_kernels *kernels, bd_few *out);
/* %are_few, where only a run knows how many rows there are. */
void bd_attention_write_are_few(bd_text *text, const bd_attention *a);
/* Then the products of a block, by the names of text.c. */
void bd_attention_write_few_scores(bd_text *text, const bd_few *few);
void bd_attention_write_few_results(bd_text *text, const bd_few *few);

/* All steps but a late one, for row %r of the block, %row of the batch %batch, over %columns
 * columns of %slot_K; a late one's number goes to %late[%r]. */
void bd_attention_write_steps(bd_text *text, const bd_attention *a);
/* %hidden_N, of n_masks: those hide the score at %row and %column. */
void bd_attention_write_hidden(bd_text *text, const bd_attention *a);
/* The numbers that the steps use, before all else. */
void bd_attention_write_numbers(bd_text *text, const bd_attention *a);
/* %to = the late step, of %from and %number. */
void bd_attention_write_late(bd_text *text, const bd_attention *a);

/* Replaces what is found in `root`. To be done before single products are. */
buddy_code bd_attentions_replace(MlirOperation root, bd_kernels *kernels,
                                 const bd_prepacking *prepacking);

#endif
