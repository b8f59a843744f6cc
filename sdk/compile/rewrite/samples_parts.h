// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/samples_parts.h: what the files of samples.h share. */
#ifndef BUDDY_SDK_COMPILE_SAMPLES_PARTS_H
#define BUDDY_SDK_COMPILE_SAMPLES_PARTS_H

#include <stdbool.h>

#include "core/base/hash.h"
#include "sdk/compile/ir.h"

/* A tensor whose first axis has `rows` places for each sample of a batch, and whose other sizes are
 * known. Where the number of samples is known, so is that of rows. */
typedef struct bd_samples_value {
  UT_hash_handle hh;
  const void *key;
  MlirValue value;
  size_t batch;
  int64_t rows;
  MlirValue source; /* of the batch, of one row a sample, made by no operation of the batch */
  MlirValue inside; /* what stands for it in the loop that begins with operation `of` */
  const struct bd_samples_op *of;
} bd_samples_value;

/* An operation of the block. */
typedef struct bd_samples_op {
  UT_hash_handle hh;
  const void *key;
  MlirOperation op;
  size_t batch;
  bool is_separable; /* it belongs to the batch */
  bool is_given;     /* and reads none of it: made anew where it is wanted */
  bool is_wanted;    /* such a one that something reads */
  bool is_product;   /* a convolution or a product */
  bool is_whole;     /* such a one that costs more by samples than it does of all */
  bool is_anchor;    /* what the loop is made for: a convolution, a large product */
  bool is_behind;    /* there are convolutions before it */
  bool is_before;    /* and after it */
  bool is_taken;     /* it goes into a loop */
  size_t level;      /* how many loops one after the other it waits for */
} bd_samples_op;

typedef struct bd_samples {
  MlirBlock block;
  MlirContext context;
  bd_samples_op *ops, *by_op, **order; /* order: one loop's operations next to each other */
  size_t n, capacity;
  bd_samples_value *by_value;
  size_t *batches, n_batches, batch_capacity; /* another that it is one with; itself: none */
  int64_t n_samples;                          /* 0: not known */
  int64_t cache; /* bytes that a thread has to itself; asked for if n_samples is known */
} bd_samples;

size_t bd_samples_batch(bd_samples *s, size_t batch);
/* Null if it is not there, or `value` belongs to no batch. */
bd_samples_op *bd_samples_op_of(const bd_samples *s, MlirOperation op);
bd_samples_value *bd_samples_value_of(const bd_samples *s, MlirValue value);
/* The operation that makes it, if that is one of the block; null: it is not. */
bd_samples_op *bd_samples_maker(const bd_samples *s, MlirValue value);
/* The block's own operation that `op` is or lies in. */
bd_samples_op *bd_samples_around(const bd_samples *s, MlirOperation op);
/* True of what is another part of its tensor for each sample. */
bool bd_samples_is_cut(const bd_samples *s, MlirOperation op, intptr_t operand);

/* How many images the block's first convolution of several has; 0: none has several. */
int64_t bd_samples_known(MlirBlock block);
/* Reads the block: which operations belong to which batch. */
buddy_code bd_samples_read(bd_samples *s);
/* Which of them go into loops, and in which order all of them are to run. */
buddy_code bd_samples_choose(bd_samples *s);
/* True if both go into one loop. */
bool bd_samples_are_together(const bd_samples_op *a, const bd_samples_op *b);
/* Makes the loops. */
buddy_code bd_samples_make(bd_samples *s);

#endif
