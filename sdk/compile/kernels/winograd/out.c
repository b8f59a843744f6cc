// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd/out.c: what comes out of the products of winograd.h: squares of the
 * output. Between the two axes sums are named q. */
#include <stdbool.h>

#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/winograd/text.h"

/* Aᵀ. */
enum { SUM = BD_ON_THE_WAY, REST };
static const bd_part_step of_output[] = {
    {'+', SUM, 0, 1}, {'+', BD_TO, SUM, 2}, {'-', REST, 1, 2}, {'-', BD_TO + 1, REST, 3}};

/* %s_Y_X: the square's sums over all channels, with what they begin with. */
static void write_sums(bd_text *text, const bd_part *p) {
  const bool has_row = bd_around_begin(&p->w->image->around) == BD_BEGIN_ROW;
  for (int i = 0; i < BD_POINTS; ++i)
    bd_text_format(text, "let i = %d; %s p_$(i / 4)_$(i %% 4) = %s;", i,
                   i > 0 ? "from_$i = from_$(i - 1) + point_of_m;" : "",
                   bd_vectors_load(&p->vectors, "c[from_$i]").data);
  bd_part_write_steps(text, of_output, 4, "p", "q", 0, BD_SIDE);
  bd_part_write_steps(text, of_output, 4, "q", has_row ? "t" : "s", 1, BD_SQUARE);
  if (!has_row) return;
  bd_text_format(
      text,
      "of_begin = %s; each i to 4 { s_$(i / 2)_$(i %% 2) = t_$(i / 2)_$(i %% 2) + of_begin; }",
      bd_vectors_load(&p->vectors, "row[column]").data);
}

/* The name of the value that goes to place y, x. */
static bd_phrase write_value(bd_text *text, const bd_part *p, int y, int x) {
  const bd_epilogue *e = &p->w->image->around.epilogue;
  const bd_phrase sum = bd_part_name("s", y, x, 0), places = bd_part_name("of", y, x, 0);
  const bd_epilogue_names names = {sum.data, "of_row", places.data, NULL};
  if (!e->op.ptr) return sum;
  bd_epilogue_write_loads(text, e, &p->vectors, false,
                          bd_phrase_of("image, y_%d, x_%d, ", y, x).data, "column", places.data);
  bd_epilogue_write_body(text, e, &p->vectors, &names);
  return bd_epilogue_result(e, &names);
}

/* Places that are not there are stored where the last is that is, before that: what an epilogue
 * reads, which may be what is written to, is read before. */
static void write_square_out(bd_text *text, const bd_part *p) {
  enum { PLACES = BD_SQUARE * BD_SQUARE };
  bd_phrase values[PLACES];
  write_sums(text, p);
  bd_epilogue_write_loads(text, &p->w->image->around.epilogue, &p->vectors, true, "", "column",
                          "of_row");
  for (int i = 0; i < PLACES; ++i) values[i] = write_value(text, p, i / BD_SQUARE, i % BD_SQUARE);
  for (int i = PLACES - 1; i >= 0; --i)
    bd_text_format(text,
                   "let i = %d; out_to_$i = out_line_$(i / 2) + (out_place_$(i %% 2) + column); %s",
                   i, bd_vectors_store(&p->vectors, values[i].data, "out[out_to_$i]").data);
}

static void write_out(bd_text *text, const bd_part *p) {
  const bd_epilogue *e = &p->w->image->around.epilogue;
  bd_text_format(text, "zero = 0.0 : vector<%dx%s>;", p->vectors.lanes, p->vectors.element);
  if (p->vectors.mask) bd_text_format(text, "mask = create_mask(n_valid, %d);", p->vectors.lanes);
  bd_text_format(
      text, "c = whole(c_base); out = whole(out_base); %s",
      bd_around_begin(&p->w->image->around) == BD_BEGIN_ROW ? "row = whole(row_base);" : "");
  bd_epilogue_write_buffers(text, e, &bd_axes_of_images);
  if (e->op.ptr) bd_epilogue_write_numbers(text, e, &p->vectors);
  bd_text_format(text,
                 "panel_first = panel * width; panel_behind = panel_first + width;"
                 "column_first = max(panel_first, columns_first);"
                 "column_end = min(panel_behind, columns_end);"
                 "for square = first to last {");
  bd_part_write_square(text, p);
  bd_part_write_places(text, BD_SQUARE);
  bd_part_write_offsets(text, p, "out", 1, BD_SQUARE);
  bd_text_format(text,
                 "m_at = (square - first) * width - panel_first;"
                 "for column = column_first to column_end by lanes {"
                 "from_0 = m_at + column;");
  write_square_out(text, p);
  bd_text_format(text, "  }\n  }\n");
}

/* %NAME_base, %NAME_at and the strides %NAME_image, %NAME_line and %NAME_place: by one image, line and place. */
static void add_image(bd_arguments *all, const char *name, int64_t at,
                      const int64_t strides[BD_IMAGE_RANK]) {
  bd_arguments_add(all, "*%s_base %s_at=%lld %s_image=%lld %s_line=%lld %s_place=%lld", name, name,
                   (long long)at, name, (long long)strides[BD_IMAGE_N], name,
                   (long long)strides[BD_IMAGE_H], name, (long long)strides[BD_IMAGE_W]);
}

/* For the columns from `first` to before `end`, of which the last vector has so many. */
static void write_columns_out(bd_text *text, const bd_winograd *w, int64_t first, int64_t end,
                              const char *tag, bd_kernels *kernels) {
  const bd_shaped *image = w->image;
  const int64_t of_image[] = {image->output.n, 1, image->output.h, image->output.w};
  bd_part p;
  bd_part_init(&p, w, "winograd_out", write_out);
  p.vectors.mask = end % p.vectors.lanes != 0 ? "mask" : NULL;
  bd_arguments_add(&p.all, "*c_base point_of_m=%lld width=%d",
                   (long long)(w->chunk * bd_panels_width(&w->product)),
                   bd_panels_width(&w->product));
  add_image(&p.all, "out", image->output.offset, of_image);
  bd_part_add_squares(&p.all, w, "out", image->out, image->output.d);
  if (bd_around_begin(&image->around) == BD_BEGIN_ROW) bd_arguments_add(&p.all, "*row_base");
  for (int k = 0; k < image->around.epilogue.n; ++k) {
    const bd_extra *extra = &image->around.epilogue.extras[k];
    add_image(&p.all, bd_phrase_of("extra_%d", k).data, extra->offset, extra->strides);
  }
  bd_arguments_add(&p.all, "first last panel columns_first=%lld columns_end=%lld", (long long)first,
                   (long long)end);
  if (p.vectors.mask) bd_arguments_add(&p.all, "n_valid=%lld", (long long)(end - first));
  bd_part_write_call(text, &p, tag, kernels);
}

void bd_winograd_write_out(bd_text *text, const bd_winograd *w, bd_kernels *kernels) {
  const int64_t filters = w->image->filter.filters, whole = filters - filters % w->packed.lanes;
  if (whole > 0) write_columns_out(text, w, 0, whole, "whole", kernels);
  if (whole < filters) write_columns_out(text, w, whole, filters, "part", kernels);
}
