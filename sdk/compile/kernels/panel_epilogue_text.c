// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/panel_epilogue_text.c: the text of a loop that follows a product; see
 * panel_epilogue.h. */

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/panel_epilogue.h"

bd_phrase bd_panel_epilogue_type_extra(const bd_epilogue *e, int k, const int64_t sizes[BD_N_OF]) {
  const bd_extra *extra = &e->extras[k];
  return bd_phrase_of("memref<%sx%sx%s, strided<[%s, %s], offset: ?>>",
                      bd_extents_text(e->extents, sizes[BD_OF_ROW], "?").data,
                      bd_extents_text(e->extents, sizes[BD_OF_COLUMN], "?").data,
                      bd_phrase_type(mlirShapedTypeGetElementType(extra->type)).data,
                      bd_extents_text(e->extents, extra->strides[BD_OF_ROW], "?").data,
                      bd_extents_text(e->extents, extra->strides[BD_OF_COLUMN], "?").data);
}

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
    bd_ir_write(text, "before_extra_%d = batch * of_extra_%d;", k, k);
    return;
  }
  write_number(text, e, "inner", k, extra->inner);
  write_number(text, e, "of_outer", k, extra->outer_stride);
  bd_ir_write(text,
              "outer_place_%d = batch / inner_%d; inner_place_%d = batch %% inner_%d;"
              "before_extra_%d = outer_place_%d * of_outer_%d + inner_place_%d * of_extra_%d;",
              k, k, k, k, k, k, k, k, k);
}

/* "A, B", two numbers as operands, and before their line what they are made of. */
static bd_phrase write_pair(bd_text *text, const bd_epilogue *e, const char *lead, int k,
                            const int64_t numbers[BD_N_OF]) {
  bd_phrase pair[2];
  for (int i = 0; i < 2; ++i) {
    const bd_phrase name = bd_phrase_of("%%%s_%d_%d", lead, k, BD_OF_ROW + i);
    bd_extents_write_unknown(text, e->extents, name.data + 1, numbers[BD_OF_ROW + i]);
    pair[i] = bd_extents_text(e->extents, numbers[BD_OF_ROW + i], name.data);
  }
  return bd_phrase_of("%s, %s", pair[0].data, pair[1].data);
}

void bd_panel_epilogue_write_extras(bd_text *text, const bd_epilogue *e,
                                    const int64_t sizes[BD_N_OF]) {
  for (int k = 0; k < e->n; ++k) {
    write_batch(text, e, k);
    bd_ir_write(text, "at_extra_%d = %lld + before_extra_%d;", k, (long long)e->extras[k].offset,
                k);
    const bd_phrase of_sizes = write_pair(text, e, "size_of_extra", k, sizes),
                    of_strides = write_pair(text, e, "stride_of_extra", k, e->extras[k].strides);
    bd_text_format(text,
                   "  %%extra_%d = memref.reinterpret_cast %%e%d to offset: [%%at_extra_%d], "
                   "sizes: [%s], strides: [%s] : %s to %s\n",
                   k, k, k, of_sizes.data, of_strides.data, bd_phrase_type(e->extras[k].type).data,
                   bd_panel_epilogue_type_extra(e, k, sizes).data);
  }
}

/* %of_place_K: extra K at the place at hand. */
static void write_loads(bd_text *text, const bd_epilogue *e, const int64_t sizes[BD_N_OF]) {
  for (int k = 0; k < e->n; ++k)
    bd_text_format(
        text,
        "  %%of_place_%d = memref.load %%extra_%d[%%following_row, %%following_column] : %s\n", k,
        k, bd_panel_epilogue_type_extra(e, k, sizes).data);
}

void bd_panel_epilogue_write(bd_text *text, const bd_epilogue *e, const int64_t sizes[BD_N_OF],
                             const bd_span_of_panel *span, const char *element) {
  const bd_vectors scalars = {NULL, 0, NULL, NULL};
  const bd_epilogue_names names = {"was", "of_place", "of_place", NULL};
  const bd_phrase type = bd_type_rows(element),
                  type_to = bd_type_rows(bd_phrase_type(bd_panel_epilogue_element(e)).data);
  bd_ir_write(text,
              "columns_of_panel = %lld;"
              "for following_row = %s to %s {"
              "for lane = c0 to columns_of_panel {"
              "following_column = first_column + lane; following_sum = sums_column + lane;"
              "  %%was = memref.load %%rows_of_sums[%%following_row, %%following_sum] : %s\n",
              (long long)span->columns, span->first, span->end, type.data);
  write_loads(text, e, sizes);
  bd_epilogue_write_numbers(text, e, &scalars);
  bd_epilogue_write_body(text, e, &scalars, &names);
  bd_text_format(
      text, "  memref.store %s, %%rows_to[%%following_row, %%following_column] : %s\n  }\n  }\n",
      bd_epilogue_result(e, &names).data, type_to.data);
}
