// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the entry points (kernels.c) reduce every call to, and the two ways of computing it: the
 * library (onednn.c) and plain loops (loops.c).
 *
 * The two structs hold int64_t only: their bytes are the key of the library's cache, so there must
 * be no padding. */
#ifndef BUDDY_PLUGINS_VENDOR_PROBLEM_H_
#define BUDDY_PLUGINS_VENDOR_PROBLEM_H_

#include <stdbool.h>
#include <stdint.h>

#include "buddy/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BD_VENDOR_F32, BD_VENDOR_BF16 };

/* The tensors of a problem, in this order in every array. */
enum {
  BD_VENDOR_LEFT,
  BD_VENDOR_RIGHT,
  BD_VENDOR_BIAS,
  BD_VENDOR_ADDEND,
  BD_VENDOR_SCALE,
  BD_VENDOR_OUT,
  BD_VENDOR_N_OPERANDS
};
typedef char *bd_vendor_data[BD_VENDOR_N_OPERANDS];

/* What happens to each element x of a product before it is stored: activation(x + addend), where
 * numbers are the bits of the activation's two doubles (buddy_vendor_activation). With is_added,
 * which is the library's alone, x has what the result holds in it. */
typedef struct bd_vendor_tail {
  int64_t is_added, has_addend, activation, numbers[2];
} bd_vendor_tail;

/* Where what is made of the right operand may be kept; see buddy_keeper. */
typedef struct bd_vendor_kept {
  const buddy_keeper *keeper;
  int64_t slot;
} bd_vendor_kept;

/* out[i] = tail(left[i] * right[i] + bias[i]) for i < batch. Strides count elements: of the batch,
 * the row, the column. A stride of zero repeats. There is no scale. */
enum { BD_VENDOR_BATCH, BD_VENDOR_ROW, BD_VENDOR_COLUMN, BD_VENDOR_MATRIX_RANK };
typedef struct bd_vendor_product {
  int64_t dtype, has_bias;
  int64_t batch, m, n, k;
  bd_vendor_tail tail;
  int64_t strides[BD_VENDOR_N_OPERANDS][BD_VENDOR_MATRIX_RANK];
} bd_vendor_product;

/* A convolution, or a transposed one, with its tail. Strides of input, weight, addend and out:
 * batch (or filter), channel, spatial. Those of bias and scale, which is one number per filter that
 * its weights are multiplied by: the first only. A transposed one has no scale. */
enum { BD_VENDOR_MAX_SPATIAL = 3 };
typedef struct bd_vendor_convolution {
  int64_t dtype, has_bias, has_scale, is_transposed, n_spatial, groups;
  bd_vendor_tail tail;
  int64_t batch, channels_in, channels_out;
  int64_t in_size[BD_VENDOR_MAX_SPATIAL], kernel[BD_VENDOR_MAX_SPATIAL];
  int64_t out_size[BD_VENDOR_MAX_SPATIAL];
  int64_t stride[BD_VENDOR_MAX_SPATIAL], padding[BD_VENDOR_MAX_SPATIAL];
  int64_t dilation[BD_VENDOR_MAX_SPATIAL];
  int64_t strides[BD_VENDOR_N_OPERANDS][2 + BD_VENDOR_MAX_SPATIAL];
} bd_vendor_convolution;

/* Both return false when the library cannot do it; out is then unspecified. The problem has no
 * empty dimension. kept: NULL if nothing may be kept. */
bool bd_vendor_library_multiply(const bd_vendor_product *product, const bd_vendor_data data,
                                const bd_vendor_kept *kept);
bool bd_vendor_library_convolve(const bd_vendor_convolution *convolution, const bd_vendor_data data,
                                const bd_vendor_kept *kept);
void bd_vendor_library_shutdown(void);

/* For tests: with false, the two functions above refuse everything. */
void bd_vendor_library_enable(bool is_enabled);

/* These always succeed, need no memory and take empty dimensions. */
void bd_vendor_loop_multiply(const bd_vendor_product *product, const bd_vendor_data data);
void bd_vendor_loop_convolve(const bd_vendor_convolution *convolution, const bd_vendor_data data);

/* values[i] *= scale[0] for i < n. */
void bd_vendor_loop_scale(int64_t dtype, int64_t n, const char *scale, char *values);

/* out = tail(out). */
void bd_vendor_loop_finish(const bd_vendor_product *product, const bd_vendor_data data);

/* out += from, whose numbers, f32 as those of the result, lie row by row. */
void bd_vendor_loop_add(const bd_vendor_product *product, const char *from,
                        const bd_vendor_data data);

/* out = bias. */
void bd_vendor_loop_fill(const bd_vendor_product *product, const bd_vendor_data data);

#ifdef __cplusplus
}
#endif

#endif
