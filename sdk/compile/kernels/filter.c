// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/filter.c: a filter read, and its panels written. */
#include "sdk/compile/kernels/filter.h"

#include <stdbool.h>

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"

/* %flat, its first element and what follows that. */
static void write_flat(bd_text *text, const bd_filter *filter, const char *operand,
                       const char *element) {
  const bool is_part = filter->offset != 0;
  bd_text_format(text, "%s = base(%s);", is_part ? "flat_buffer" : "flat", operand);
  if (!is_part) return;
  bd_text_format(
      text,
      "flat_whole_pointer = pointer(index_cast(address(flat_buffer), i64));"
      "  %%flat_pointer = llvm.getelementptr %%flat_whole_pointer[%lld] : (!llvm.ptr) -> "
      "!llvm.ptr, %s\n",
      (long long)filter->offset, element);
  bd_buffer_write_point(text, "flat", "flat_pointer", element);
}

void bd_filter_write_packing(bd_text *text, const bd_filter *filter, int operand,
                             const bd_panels *p, const char *pack) {
  const char *element = bd_panels_element(p)->name;
  const int64_t in_group = filter->channels_of_group;
  const int64_t numbers[] = {bd_panels_count(p),
                             bd_panels_depth_of_panel(p),
                             bd_panels_width(p),
                             filter->filters,
                             filter->channels,
                             filter->window[0],
                             filter->window[1],
                             filter->of_filter,
                             filter->of_channel,
                             filter->of_window[0],
                             filter->of_window[1],
                             in_group > 0 ? filter->filters_of_group : filter->filters,
                             in_group > 0 ? in_group : filter->channels};
  enum { N = sizeof(numbers) / sizeof(numbers[0]) };
  write_flat(text, filter, bd_phrase_of("x%d", operand).data, element);
  bd_text_format(text, "packed = base(panels);");
  const char *to = p->words ? "packed_elements" : "packed";
  if (p->words) bd_dot_packing_write_recast(text, to, "packed", p->words->element->name);
  for (int i = 0; i < N; ++i) bd_text_format(text, "pack_%d = %lld;", i, (long long)numbers[i]);
  bd_text_format(text, "call(\"%s\", flat, %s", pack, to);
  for (int i = 0; i < N; ++i) bd_text_format(text, ", pack_%d", i);
  bd_text_format(text, ");");
  if (bd_panels_are_shifted(p))
    bd_text_format(text, "call(\"%s_shift\", %s, packed, pack_0, pack_1, pack_2);", pack, to);
}
