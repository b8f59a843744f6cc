// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd_in.c: what goes into the products of winograd.h: filters, and
 * squares of the input. Transforms go along the first axis, then along the second; what is between
 * is named e. */

#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/winograd_text.h"

enum { WINDOW = 3 };

/* ---- Filters --------------------------------------------------------------------------------- */

/* %NAME = %A, which folds. */
static void write_same(bd_text *text, const bd_part *p, const char *name, const char *a) {
  bd_text_format(text, "  %%%s = arith.bitcast %%%s : %s to %s\n", name, a,
                 bd_vectors_type(&p->vectors).data, bd_vectors_type(&p->vectors).data);
}

/* G along an axis, of %FROM_I_J to %TO_I_J, with `others` places along the other one. */
static void write_steps_of_filter(bd_text *text, const bd_part *p, const char *from, const char *to,
                                  int axis, int others) {
  for (int j = 0; j < others; ++j) {
    const bd_phrase g[WINDOW] = {bd_part_name(from, 0, j, axis), bd_part_name(from, 1, j, axis),
                                 bd_part_name(from, 2, j, axis)};
    const bd_phrase ends = bd_phrase_of("ends_%d_%d", axis, j),
                    sum = bd_phrase_of("sum_%d_%d", axis, j),
                    difference = bd_phrase_of("difference_%d_%d", axis, j);
    write_same(text, p, bd_part_name(to, 0, j, axis).data, g[0].data);
    bd_part_write_op(text, p, ends.data, "addf", g[0].data, g[2].data);
    bd_part_write_op(text, p, sum.data, "addf", ends.data, g[1].data);
    bd_part_write_op(text, p, bd_part_name(to, 1, j, axis).data, "mulf", sum.data, "half");
    bd_part_write_op(text, p, difference.data, "subf", ends.data, g[1].data);
    bd_part_write_op(text, p, bd_part_name(to, 2, j, axis).data, "mulf", difference.data, "half");
    write_same(text, p, bd_part_name(to, 3, j, axis).data, g[2].data);
  }
}

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
  write_steps_of_filter(text, p, "g", "e", 0, WINDOW);
  write_steps_of_filter(text, p, "e", "u", 1, BD_SIDE);
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

/* %TO_I_J of %FROM_I_J by Bᵀ along that axis. */
static void write_steps_in(bd_text *text, const bd_part *p, const char *from, const char *to,
                           int axis) {
  static const struct {
    const char *op;
    int a, b;
  } lines[BD_SIDE] = {{"subf", 0, 2}, {"addf", 1, 2}, {"subf", 2, 1}, {"subf", 1, 3}};
  for (int j = 0; j < BD_SIDE; ++j) {
    for (int i = 0; i < BD_SIDE; ++i)
      bd_part_write_op(text, p, bd_part_name(to, i, j, axis).data, lines[i].op,
                       bd_part_name(from, lines[i].a, j, axis).data,
                       bd_part_name(from, lines[i].b, j, axis).data);
  }
}

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
  write_steps_in(text, p, "d", "e", 0);
  write_steps_in(text, p, "e", "v", 1);
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
  bd_part_add_image(&p.all, "in", &w->image->input);
  bd_part_add_squares(&p.all, w, w->image->in);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_BUFFER, "a_base", "a_base");
  bd_arguments_add_number(&p.all, "row_of_v", w->product.lda);
  bd_arguments_add_number(&p.all, "n_channels", w->image->filter.channels);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "first", first);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "end", end);
  bd_arguments_add_value(&p.all, BD_ARGUMENT_INDEX, "origin", origin);
  bd_part_write_call(text, &p, "in", kernels);
}
