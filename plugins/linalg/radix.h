// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/radix.h: the order of the elements of one row of a tensor, by the digits of their
 * bits. */
#ifndef BUDDY_PLUGINS_LINALG_RADIX_H
#define BUDDY_PLUGINS_LINALG_RADIX_H

#include <stdbool.h>

#include "plugins/linalg/nest.h"

/* The elements along an axis, at one place of the other dims. */
typedef struct la_row {
  const buddy_tensor_type *type;
  MlirValue value, length; /* the tensor; how many elements, an index */
  const MlirValue *at;     /* index values, one a dim; that of the axis is not read */
  uint32_t axis;
  bool is_descending;
} la_row;

/* The element at `position`, an index. */
MlirValue la_row_element(const be_body *body, const la_row *row, MlirValue position);

/* A number without sign (as i64, of as many bits as the dtype has) whose order is that of the elements: NaN is the largest
 * number, and zeros are equal, as are all NaN. */
MlirValue la_row_key(const be_body *body, const la_row *row, MlirValue position);

/* How long the third list of la_radix_sort is. */
#define LA_RADIX_COUNTS INT64_C(2048)

/* Puts the positions of what has the places from `begin` to `end` of the row's order into lists[0],
 * maybe others before and behind them; gives back the place of the first of these. NaN is the
 * largest number, and equal elements stay as they stand. begin: null for all of the row. Lists: of
 * i64, two as long as the row, and LA_RADIX_COUNTS; replaced by those after it. In time linear in the
 * length of the row: a radix sort from the lowest digit up, of the elements whose highest digit is
 * one of those that the wanted places have (D. E. Knuth, The Art of Computer Programming 3, 5.2.5). */
MlirValue la_radix_sort(const be_body *body, const la_row *row, MlirValue begin, MlirValue end,
                        MlirValue *lists);

#endif
