// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panel_epilogue_text.c: the text of a loop that follows a product; see
 * panel_epilogue.h. */

#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panel_epilogue.h"

/* "%LEAD_K = …": the number. */
static void write_number(bd_text *text, const bd_epilogue *e, const char *lead, int k,
                         int64_t number) {
  bd_extents_write_index(text, e->extents, bd_phrase_of("%s_%d", lead, k).data, number);
}

/* %before_extra_K: elements before those for %batch. */
static void write_batch(bd_text *text, const bd_epilogue *e, int k) {
  const bd_extra *extra = &e->extras[k];
  write_number(text, e, "of_extra", k, extra->strides[BD_OF_BATCH]);
  if (extra->inner == 0) {
    bd_text_format(text, "before_extra_%d = batch * of_extra_%d;", k, k);
    return;
  }
  write_number(text, e, "inner", k, extra->inner);
  write_number(text, e, "of_outer", k, extra->outer_stride);
  bd_text_format(
      text,
      "let k = %d; outer_place_$k = batch / inner_$k; inner_place_$k = batch %% inner_$k;"
      "before_extra_$k = outer_place_$k * of_outer_$k + inner_place_$k * of_extra_$k;",
      k);
}

/* "A, B", two numbers as operands, and before their line what they are made of. */
static bd_phrase write_pair(bd_text *text, const bd_epilogue *e, const char *lead, int k,
                            const int64_t numbers[BD_N_OF]) {
  bd_phrase pair[2];
  for (int i = 0; i < 2; ++i) {
    const bd_phrase name = bd_phrase_of("%s_%d_%d", lead, k, BD_OF_ROW + i);
    bd_extents_write_unknown(text, e->extents, name.data, numbers[BD_OF_ROW + i]);
    pair[i] = bd_extents_text(e->extents, numbers[BD_OF_ROW + i], name.data);
  }
  return bd_phrase_of("%s, %s", pair[0].data, pair[1].data);
}

void bd_panel_epilogue_write_extras(bd_text *text, const bd_epilogue *e,
                                    const int64_t sizes[BD_N_OF]) {
  for (int k = 0; k < e->n; ++k) {
    write_batch(text, e, k);
    bd_text_format(text, "at_extra_%d = %lld + before_extra_%d;", k, (long long)e->extras[k].offset,
                   k);
    const bd_phrase of_sizes = write_pair(text, e, "size_of_extra", k, sizes),
                    of_strides = write_pair(text, e, "stride_of_extra", k, e->extras[k].strides);
    bd_text_format(text, "extra_%d = view(e%d, at_extra_%d, [%s], [%s]);", k, k, k, of_sizes.data,
                   of_strides.data);
  }
}

void bd_panel_epilogue_write(bd_text *text, const bd_epilogue *e, const bd_span_of_panel *span) {
  const bd_vectors scalars = {NULL, 0, NULL, NULL};
  const bd_epilogue_names names = {"was", "of_place", "of_place", NULL};
  bd_text_format(text,
                 "columns_of_panel = %lld;"
                 "for following_row = %s to %s {"
                 "for lane = c0 to columns_of_panel {"
                 "following_column = first_column + lane; following_sum = sums_column + lane;"
                 "was = rows_of_sums[following_row, following_sum];"
                 "each k to %d { of_place_$k = extra_$k[following_row, following_column]; }",
                 (long long)span->columns, span->first, span->end, e->n);
  bd_epilogue_write_numbers(text, e, &scalars);
  bd_epilogue_write_body(text, e, &scalars, &names);
  bd_text_format(text, "store(%s, rows_to[following_row, following_column]); } }",
                 bd_epilogue_result(e, &names).data);
}
