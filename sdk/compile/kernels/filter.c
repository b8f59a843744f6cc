/* sdk/compile/kernels/filter.c: see filter.h. */
#include "sdk/compile/kernels/filter.h"

void bd_filter_write_packing(bd_text *text, const bd_filter *filter, int operand,
                             const bd_panels *p, const char *pack) {
  const char *element = p->words != NULL ? p->words->element : p->element;
  const int64_t numbers[] = {filter->filters,      filter->channels,    filter->window[0],
                             filter->window[1],    filter->of_filter,   filter->of_channel,
                             filter->of_window[0], filter->of_window[1]};
  enum { N = sizeof(numbers) / sizeof(numbers[0]) };
  const long long n = filter->filters * filter->channels * filter->window[0] * filter->window[1];
  bd_text_format(
      text,
      "  %%flat = memref.reinterpret_cast %%x%d to offset: [0], sizes: [%lld], strides: [1] : ",
      operand, n);
  bd_text_type(text, filter->type);
  bd_text_format(text,
                 " to memref<%lldx%s>\n"
                 "  %%any_flat = memref.cast %%flat : memref<%lldx%s> to memref<?x%s>\n"
                 "  %%any_panels = memref.cast %%panels : ",
                 n, element, n, element, element);
  bd_panels_type_b(text, p);
  bd_text_format(text, " to memref<?x?x?x%s>\n", p->element);
  for (int i = 0; i < N; i++)
    bd_text_format(text, "  %%pack_%d = arith.constant %lld : index\n", i, (long long)numbers[i]);
  bd_text_format(text, "  func.call @%s(%%any_flat, %%any_panels", pack);
  for (int i = 0; i < N; i++) bd_text_format(text, ", %%pack_%d", i);
  bd_text_format(text, ") : (memref<?x%s>, memref<?x?x?x%s>", element, p->element);
  for (int i = 0; i < N; i++) bd_text_format(text, ", index");
  bd_text_format(text, ") -> ()\n");
}
