// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/case.h: what a node computes, as far as its time depends on it: a kind, a dtype and
 * sizes, whatever op spells it. Products and convolutions have one: they take a model's time, and
 * are what registries differ in. */
#ifndef BUDDY_SDK_MODEL_CASE_H
#define BUDDY_SDK_MODEL_CASE_H

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, text) */
#define BD_CASE_KINDS(X)                                                             \
  X(PRODUCT, "product") /* of a matrix and weights */                                \
  X(ROW, "row")         /* of one row and weights, which is bound by reading them */ \
  X(BATCHED, "batched") /* of matrices that are computed */                          \
  X(CONVOLUTION, "convolution")                                                      \
  X(GROUPED, "grouped")     /* a convolution of several groups */                    \
  X(DEPTHWISE, "depthwise") /* with a filter for each channel */
typedef enum bd_case_kind {
#define BD_X(name, text) BD_CASE_##name,
  BD_CASE_KINDS(BD_X)
#undef BD_X
      BD_N_CASE_KINDS
} bd_case_kind;

/* Sizes of products, and of convolutions of images. */
enum { BD_BATCH, BD_M, BD_N, BD_K, BD_N_PRODUCT_SIZES };
enum {
  BD_IMAGES,
  BD_HEIGHT, /* of the input */
  BD_WIDTH,
  BD_CHANNELS_IN,
  BD_CHANNELS_OUT,
  BD_GROUPS,
  BD_KERNEL_HEIGHT,
  BD_KERNEL_WIDTH,
  BD_STRIDE,
  BD_PADDING,
  BD_CASE_SIZES
};

/* Without holes, and zero where a kind has no size: compared by its bytes. */
typedef struct bd_case {
  int32_t kind; /* bd_case_kind */
  buddy_dtype dtype;
  int64_t sizes[BD_CASE_SIZES];
} bd_case;

/* False: the node is of no kind, or a size is known only in the run. */
int bd_case_of(const buddy_node *node, bd_case *out);
/* Whether sizes are such as a program may have, for cases that were read from a file. */
int bd_case_is_sane(const bd_case *c);
const char *bd_case_kind_name(int kind);
size_t bd_case_n_sizes(int kind);
/* "product f32 1x128x768x768" */
void bd_case_text(const bd_case *c, char *text, size_t size);

/* Seconds on a machine that does not exist, which computes and reads at fixed rates: what
 * measurements are compared with. */
double bd_case_nominal(const bd_case *c);
/* What it costs, likewise, to have one registry compute this in the midst of another's: images of
 * convolutions are then padded and written once more, where a registry does that in passing
 * between its own. Measurements of one op do not show it. */
double bd_case_border(const bd_case *c);
/* How unlike two cases of one kind and dtype are: 0 for equal ones, else the sum over the sizes of
 * how many times one must be doubled; infinite for others. */
double bd_case_distance(const bd_case *a, const bd_case *b);

#ifdef __cplusplus
}
#endif

#endif
