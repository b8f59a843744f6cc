// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd_in.c: what goes into the products of winograd.h: filters, and
 * squares of the input. Transforms go along the first axis, then along the second; what is between
 * is named e. */
#include <stdio.h>

#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/winograd_text.h"

enum { WINDOW = 3 };

/* ---- Filters --------------------------------------------------------------------------------- */

/* %NAME = %A, which folds. */
static void write_same(bd_text *text, const bd_part *p, const char *name, const char *a) {
  bd_text_format(text, "  %%%s = arith.bitcast %%%s : ", name, a);
  bd_vectors_write_type(text, &p->vectors);
  bd_text_format(text, " to ");
  bd_vectors_write_type(text, &p->vectors);
  bd_text_format(text, "\n");
}

/* G along an axis, of %FROM_I_J to %TO_I_J, with `others` places along the other one. */
static void write_steps_of_filter(bd_text *text, const bd_part *p, const char *from, const char *to,
                                  int axis, int others) {
  for (int j = 0; j < others; ++j) {
    char g[WINDOW][32], name[BD_SIDE][32], ends[32], sum[32], difference[32];
    for (int i = 0; i < WINDOW; ++i) bd_part_name(g[i], from, i, j, axis);
    for (int i = 0; i < BD_SIDE; ++i) bd_part_name(name[i], to, i, j, axis);
    snprintf(ends, sizeof(ends), "ends_%d_%d", axis, j);
    snprintf(sum, sizeof(sum), "sum_%d_%d", axis, j);
    snprintf(difference, sizeof(difference), "difference_%d_%d", axis, j);
    write_same(text, p, name[0], g[0]);
    bd_part_write_op(text, p, ends, "addf", g[0], g[2]);
    bd_part_write_op(text, p, sum, "addf", ends, g[1]);
    bd_part_write_op(text, p, name[1], "mulf", sum, "half");
    bd_part_write_op(text, p, difference, "subf", ends, g[1]);
    bd_part_write_op(text, p, name[2], "mulf", difference, "half");
    write_same(text, p, name[3], g[2]);
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
  bd_text_format(text, "  %%half = arith.constant dense<0.5> : ");
  bd_vectors_write_type(text, &p->vectors);
  bd_text_format(text,
                 "\n  %%points = arith.constant %d : index\n"
                 "  %%point = arith.muli %%n_channels, %%width : index\n"
                 "  %%panel = arith.muli %%point, %%points : index\n"
                 "  scf.for %%j = %%j_first to %%j_last step %%c1 {\n"
                 "  %%panel_at = arith.muli %%j, %%panel : index\n"
                 "  scf.for %%element = %%c0 to %%point step %%lanes {\n"
                 "  %%at = arith.addi %%panel_at, %%element : index\n",
                 BD_POINTS);
  for (int i = 0; i < BD_POINTS; ++i) write_line(text, i);
  for (int i = 0; i < WINDOW * WINDOW; ++i) {
    char name[32], at[32];
    bd_part_name(name, "g", i / WINDOW, i % WINDOW, 0);
    snprintf(at, sizeof(at), "at_%d", i);
    bd_part_write_load(text, p, name, "b", at);
  }
  write_steps_of_filter(text, p, "g", "e", 0, WINDOW);
  write_steps_of_filter(text, p, "e", "u", 1, BD_SIDE);
  for (int i = 0; i < BD_POINTS; ++i) {
    char value[40], at[32];
    snprintf(value, sizeof(value), "%%u_%d_%d", i / BD_SIDE, i % BD_SIDE);
    snprintf(at, sizeof(at), "at_%d", i);
    bd_part_write_store(text, p, value, "b", at);
  }
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
    for (int i = 0; i < BD_SIDE; ++i) {
      char name[32], a[32], b[32];
      bd_part_name(name, to, i, j, axis);
      bd_part_name(a, from, lines[i].a, j, axis);
      bd_part_name(b, from, lines[i].b, j, axis);
      bd_part_write_op(text, p, name, lines[i].op, a, b);
    }
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
    char name[32], at[32];
    bd_part_name(name, "d", i / BD_SIDE, i % BD_SIDE, 0);
    snprintf(at, sizeof(at), "from_%d", i);
    bd_ir_write(text, "%s = in_line_%d + right_%d;", at, i / BD_SIDE, i % BD_SIDE);
    bd_part_write_load(text, p, name, "in", at);
  }
  write_steps_in(text, p, "d", "e", 0);
  write_steps_in(text, p, "e", "v", 1);
  for (int i = 0; i < BD_POINTS; ++i) {
    char value[40], at[32];
    snprintf(value, sizeof(value), "%%v_%d_%d", i / BD_SIDE, i % BD_SIDE);
    snprintf(at, sizeof(at), "to_%d", i);
    if (i > 0) bd_ir_write(text, "to_%d = to_%d + n_channels;", i, i - 1);
    bd_part_write_store(text, p, value, "a", at);
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
