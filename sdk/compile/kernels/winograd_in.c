// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd_in.c: what goes into the products of winograd.h: filters, and
 * squares of the input. Transforms go along the first axis, then along the second; what is between
 * is named e. */

#include <stdbool.h>

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/winograd_text.h"

enum { WINDOW = 3 };

/* ---- Filters --------------------------------------------------------------------------------- */

/* G. */
enum { ENDS = BD_ON_THE_WAY, SUM, DIFFERENCE };
static const bd_part_step of_filter[] = {
    {NULL, BD_TO, 0, 0},           {"addf", ENDS, 0, 2},
    {"addf", SUM, ENDS, 1},        {"mulf", BD_TO + 1, SUM, BD_HALF},
    {"subf", DIFFERENCE, ENDS, 1}, {"mulf", BD_TO + 2, DIFFERENCE, BD_HALF},
    {NULL, BD_TO + 3, 2, 2}};

enum { PLACES = WINDOW * WINDOW };

static int64_t lines_of_panel(const bd_winograd *w) {
  return PLACES * w->image->planes_window * w->image->filter.channels;
}

static bd_phrase type_of_lines(const bd_part *p) {
  const bd_winograd *w = p->w;
  return bd_phrase_of("memref<%lldx%s>", (long long)lines_of_panel(w) * bd_panels_width(&w->packed),
                      p->vectors.element);
}

/* The lines of a window of several planes, plane by plane, are copied away from where those of the points go. */
static void write_copy(bd_text *text, const bd_part *p) {
  bd_ir_write(text, "for element = c0 to all_lines by lanes { at = panel_at + element;");
  bd_part_write_load(text, p, "copied", "b", "at");
  bd_part_write_store(text, p, "%copied", "lines", "element");
  bd_text_format(text, "  }\n");
}

/* Of one plane, a channel's lines are read before they are written, and no other channel's are. */
static void write_filters(bd_text *text, const bd_part *p) {
  const int64_t planes = p->w->image->planes_window;
  const bool is_copied = planes > 1;
  bd_part_write_buffer(text, p, "b");
  if (is_copied) {
    bd_buffer_write_alloc(text, "lines_there", "", type_of_lines(p).data);
    bd_buffer_write_base(text, "lines_base", "lines_there", type_of_lines(p).data,
                         p->vectors.element);
    bd_part_write_buffer(text, p, "lines");
  }
  bd_ir_write(text,
              "  %%half = arith.constant dense<0.5> : %s\n"
              "points = %d; planes = %lld; places = %d; place = n_channels * width;"
              "point = place * planes; panel = point * points; all_lines = point * places;"
              "for j = j_first to j_last {"
              "panel_at = j * panel;",
              bd_vectors_type(&p->vectors).data, BD_POINTS, (long long)planes, PLACES);
  if (is_copied) write_copy(text, p);
  bd_ir_write(text,
              "for plane = c0 to planes {"
              "plane_from = plane * place * places; plane_to = panel_at + plane * place;"
              "for element = c0 to place by lanes {"
              "from = %s + element; to = plane_to + element;",
              is_copied ? "plane_from" : "panel_at");
  for (int i = 0; i < BD_POINTS; ++i)
    bd_ir_write(
        text, "number_%d = %d; from_%d = from + number_%d * place; at_%d = to + number_%d * point;",
        i, i, i, i, i, i);
  for (int i = 0; i < PLACES; ++i)
    bd_part_write_load(text, p, bd_part_name("g", i / WINDOW, i % WINDOW, 0).data,
                       is_copied ? "lines" : "b", bd_phrase_of("from_%d", i).data);
  bd_part_write_steps(text, p, of_filter, 7, "g", "e", 0, WINDOW);
  bd_part_write_steps(text, p, of_filter, 7, "e", "u", 1, BD_SIDE);
  for (int i = 0; i < BD_POINTS; ++i)
    bd_part_write_store(text, p, bd_phrase_of("%%u_%d_%d", i / BD_SIDE, i % BD_SIDE).data, "b",
                        bd_phrase_of("at_%d", i).data);
  bd_text_format(text, "  }\n  }\n  }\n");
  if (is_copied) bd_buffer_write_free(text, "lines_there", type_of_lines(p).data);
}

void bd_winograd_write_filters(bd_text *text, const bd_winograd *w, bd_kernels *kernels) {
  bd_part p;
  bd_part_init(&p, w, "winograd_filter", write_filters);
  bd_arguments_add(&p.all, BD_ARGUMENT_BUFFER, "b_base");
  bd_arguments_add(&p.all, BD_ARGUMENT_INDEX, "j_first");
  bd_arguments_add(&p.all, BD_ARGUMENT_INDEX, "j_last");
  bd_arguments_add_number(&p.all, "n_channels", w->image->filter.channels);
  bd_arguments_add_number(&p.all, "width", bd_panels_width(&w->packed));
  bd_part_write_call(text, &p, "points", kernels);
}

/* ---- Input ----------------------------------------------------------------------------------- */

/* Bᵀ. */
static const bd_part_step of_input[] = {{"subf", BD_TO, 0, 2},
                                        {"addf", BD_TO + 1, 1, 2},
                                        {"subf", BD_TO + 2, 2, 1},
                                        {"subf", BD_TO + 3, 1, 3}};

/* Vectors of channels; the last begins so that it ends with the last channel, and does some
 * anew. */
static void write_in(bd_text *text, const bd_part *p) {
  const bd_shaped *image = p->w->image;
  bd_part_write_buffer(text, p, "in");
  bd_part_write_buffer(text, p, "a");
  bd_ir_write(text,
              "last_channels = n_channels - lanes;"
              "for square = first to end {");
  bd_part_write_square(text, p);
  bd_part_write_places(text, BD_SIDE);
  bd_part_write_offsets(text, p, "in", image->planes_step, BD_SIDE);
  bd_ir_write(text, "v_at = (square - origin) * row_of_v;");
  if (image->planes_window > 1)
    bd_ir_write(text,
                "for part = c0 to n_parts {"
                "part_at = part * %lld * in_plane; to_part = v_at + part * n_channels;",
                (long long)image->planes_spread);
  else
    bd_ir_write(text, "part_at = 0; to_part = v_at;");
  bd_ir_write(text,
              "for any_channel = c0 to n_channels by lanes {"
              "channel = min(any_channel, last_channels); to_0 = to_part + channel;"
              "in_part = part_at + channel;");
  for (int j = 0; j < BD_SIDE; ++j) bd_ir_write(text, "right_%d = in_place_%d + in_part;", j, j);
  for (int i = 0; i < BD_POINTS; ++i) {
    bd_ir_write(text, "from_%d = in_line_%d + right_%d;", i, i / BD_SIDE, i % BD_SIDE);
    bd_part_write_load(text, p, bd_part_name("d", i / BD_SIDE, i % BD_SIDE, 0).data, "in",
                       bd_phrase_of("from_%d", i).data);
  }
  bd_part_write_steps(text, p, of_input, 4, "d", "e", 0, BD_SIDE);
  bd_part_write_steps(text, p, of_input, 4, "e", "v", 1, BD_SIDE);
  for (int i = 0; i < BD_POINTS; ++i) {
    if (i > 0) bd_ir_write(text, "to_%d = to_%d + depth;", i, i - 1);
    bd_part_write_store(text, p, bd_phrase_of("%%v_%d_%d", i / BD_SIDE, i % BD_SIDE).data, "a",
                        bd_phrase_of("to_%d", i).data);
  }
  bd_text_format(text, image->planes_window > 1 ? "  }\n  }\n  }\n" : "  }\n  }\n");
}

void bd_winograd_write_in(bd_text *text, const bd_winograd *w, const char *first, const char *end,
                          const char *origin, bd_kernels *kernels) {
  bd_part p;
  bd_part_init(&p, w, "winograd_in", write_in);
  bd_arguments_add(&p.all, BD_ARGUMENT_BUFFER, "in_base");
  bd_arguments_add(&p.all, BD_ARGUMENT_INDEX, "in_at");
  bd_arguments_add_number(&p.all, "in_image", w->image->input.n);
  bd_arguments_add_number(&p.all, "in_line", w->image->input.h);
  bd_arguments_add_number(&p.all, "in_place", w->image->input.w);
  bd_part_add_squares(&p.all, w, "in", w->image->in, w->image->input.d);
  bd_arguments_add(&p.all, BD_ARGUMENT_BUFFER, "a_base");
  bd_arguments_add_number(&p.all, "row_of_v", w->product.lda);
  bd_arguments_add_number(&p.all, "n_channels", w->image->filter.channels);
  bd_arguments_add_number(&p.all, "depth", w->product.k);
  if (w->image->planes_window > 1)
    bd_arguments_add_number(&p.all, "n_parts", w->image->planes_window);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "first", first);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "end", end);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "origin", origin);
  bd_part_write_call(text, &p, "in", kernels);
}
