// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/views_parts.h: what the sources that describe views share. */
#ifndef BUDDY_SDK_IMPORT_VIEWS_PARTS_H
#define BUDDY_SDK_IMPORT_VIEWS_PARTS_H

#include "sdk/import/views.h"

typedef struct bd_describing {
  const buddy_node *node;
  size_t result;
  const buddy_value *source;
  const buddy_tensor_type *from, *to;
  const bd_layouts *layouts;
  bd_arena *arena;
  bd_view *view;
} bd_describing;

/* What the sizes of a run decide is not known before it. */
typedef enum bd_answer { BD_NO, BD_YES, BD_DEPENDS } bd_answer;

/* Null: the value is contiguous. */
const int64_t *bd_view_strides(const bd_layouts *layouts, const buddy_value *value);
/* Whether the value's elements can be seen in another shape without a copy; the rule of ATen's
 * computeStride: the dims of a run that is contiguous within itself may be cut anew, runs may not
 * be joined. Where there are no elements it is no matter. */
bd_answer bd_view_can_reshape(bd_describing *at);
/* Whether the result lies as the source does; how dims of one element lie is no matter. It is a copy
 * where one dim lies in another way. */
bd_answer bd_view_has_same_strides(bd_describing *at);
/* Whether the source's elements follow one another. */
bd_answer bd_view_is_contiguous(bd_describing *at);
/* Whether the source lies in the memory format that an argument of to() names; the rule of ATen's
 * suggest_memory_format: a tensor of one channel, or of one element an image, is contiguous. */
bd_answer bd_view_has_format(bd_describing *at, const char *format);
/* Whether the result has the source's dims; where the run decides, it is a copy if they differ. */
bd_answer bd_view_has_same_dims(bd_describing *at);

#endif
