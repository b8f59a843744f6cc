// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd_in.c: what goes into the products of winograd.h: filters, and
 * squares of the input. Transforms go along the first axis, then along the second; what is between
 * is named e. */

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

/* %at_I = where line I of the point or place of the window begins. */
static void write_line(bd_text *text, int i) {
  bd_ir_write(text, "number_%d = %d; down_%d = number_%d * point; at_%d = at + down_%d;", i, i, i,
              i, i, i);
}

/* A channel's lines are read before they are written, and no other channel's are. */
static void write_filters(bd_text *text, const bd_part *p) {
  bd_part_write_buffer(text, p, "b");
  bd_ir_write(text,
              "  %%half = arith.constant dense<0.5> : %s\n"
              "points = %d; point = n_channels * width; panel = point * points;"
              "for j = j_first to j_last {"
              "panel_at = j * panel;"
              "for element = c0 to point by lanes {"
              "at = panel_at + element;",
              bd_vectors_type(&p->vectors).data, BD_POINTS);
  for (int i = 0; i < BD_POINTS; ++i) write_line(text, i);
  for (int i = 0; i < WINDOW * WINDOW; ++i)
    bd_part_write_load(text, p, bd_part_name("g", i / WINDOW, i % WINDOW, 0).data, "b",
                       bd_phrase_of("at_%d", i).data);
  bd_part_write_steps(text, p, of_filter, 7, "g", "e", 0, WINDOW);
  bd_part_write_steps(text, p, of_filter, 7, "e", "u", 1, BD_SIDE);
  for (int i = 0; i < BD_POINTS; ++i)
    bd_part_write_store(text, p, bd_phrase_of("%%u_%d_%d", i / BD_SIDE, i % BD_SIDE).data, "b",
                        bd_phrase_of("at_%d", i).data);
  bd_text_format(text, "  }\n  }\n");
}

void bd_winograd_write_filters(bd_text *text, const bd_winograd *w, bd_kernels *kernels) {
  bd_part p;
  bd_part_init(&p, w, "winograd_filter", write_filters);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_BUFFER, "b_base", "b_base");
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "j_first", "j_first");
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "j_last", "j_last");
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
  bd_part_write_buffer(text, p, "in");
  bd_part_write_buffer(text, p, "a");
  bd_ir_write(text,
              "last_channels = n_channels - lanes;"
              "for square = first to end {");
  bd_part_write_square(text);
  bd_part_write_places(text, BD_SIDE);
  bd_part_write_offsets(text, "in", BD_SIDE);
  bd_ir_write(text,
              "v_at = (square - origin) * row_of_v;"
              "for any_channel = c0 to n_channels by lanes {"
              "channel = min(any_channel, last_channels); to_0 = v_at + channel;");
  for (int j = 0; j < BD_SIDE; ++j) bd_ir_write(text, "right_%d = in_place_%d + channel;", j, j);
  for (int i = 0; i < BD_POINTS; ++i) {
    bd_ir_write(text, "from_%d = in_line_%d + right_%d;", i, i / BD_SIDE, i % BD_SIDE);
    bd_part_write_load(text, p, bd_part_name("d", i / BD_SIDE, i % BD_SIDE, 0).data, "in",
                       bd_phrase_of("from_%d", i).data);
  }
  bd_part_write_steps(text, p, of_input, 4, "d", "e", 0, BD_SIDE);
  bd_part_write_steps(text, p, of_input, 4, "e", "v", 1, BD_SIDE);
  for (int i = 0; i < BD_POINTS; ++i) {
    if (i > 0) bd_ir_write(text, "to_%d = to_%d + n_channels;", i, i - 1);
    bd_part_write_store(text, p, bd_phrase_of("%%v_%d_%d", i / BD_SIDE, i % BD_SIDE).data, "a",
                        bd_phrase_of("to_%d", i).data);
  }
  bd_text_format(text, "  }\n  }\n");
}

void bd_winograd_write_in(bd_text *text, const bd_winograd *w, const char *first, const char *end,
                          const char *origin, bd_kernels *kernels) {
  bd_part p;
  bd_part_init(&p, w, "winograd_in", write_in);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_BUFFER, "in_base", "in_base");
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "in_at", "in_at");
  bd_arguments_add_number(&p.all, "in_image", w->image->input.n);
  bd_arguments_add_number(&p.all, "in_line", w->image->input.h);
  bd_arguments_add_number(&p.all, "in_place", w->image->input.w);
  bd_part_add_squares(&p.all, w, "in", w->image->in);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_BUFFER, "a_base", "a_base");
  bd_arguments_add_number(&p.all, "row_of_v", w->product.lda);
  bd_arguments_add_number(&p.all, "n_channels", w->image->filter.channels);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "first", first);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "end", end);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "origin", origin);
  bd_part_write_call(text, &p, "in", kernels);
}
