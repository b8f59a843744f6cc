// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/growing.h: inputs that come out again with more at their end, as one tensor that is written. */
#ifndef BUDDY_SDK_IMPORT_GROWING_H
#define BUDDY_SDK_IMPORT_GROWING_H

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_growing_input {
  size_t input;  /* its number in the graph */
  uint32_t dim;  /* in which it grows, in the order that the archive gives it */
  size_t symbol; /* its length there before the run, by the graph's number */
} bd_growing_input;
/* All zero is empty. */
typedef struct bd_growing {
  bd_growing_input *items;
  size_t n, capacity;
} bd_growing;
BUDDY_EXPORT void bd_growing_deinit(bd_growing *growing);

/* Where an output of the user is cat([input, new], dim) of an input of the user whose length in dim is a
 * symbol, the input becomes the longer tensor, whose last part the program writes to, and the output is
 * its new value. Its growing dim comes first, so that one of n rows is the beginning of one with more:
 * [batch, heads, length, width] becomes [length, batch, heads, width]. */
BUDDY_EXPORT buddy_code bd_pairs_grow(buddy_graph *graph, buddy_diags *diags, bd_growing *out);

#ifdef __cplusplus
}
#endif
#endif
