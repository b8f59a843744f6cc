// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd/text.c: vectors, squares and their places, as text. */
#include "sdk/compile/kernels/winograd/text.h"

#include "sdk/compile/kernels/notation/notation.h"

/* ---- Vectors --------------------------------------------------------------------------------- */

void bd_part_init(bd_part *p, const bd_winograd *w, const char *hint,
                  void (*write)(bd_text *text, const bd_part *part)) {
  p->w = w;
  p->vectors = (bd_vectors){w->image->element->name, w->packed.lanes, NULL, NULL};
  p->all.extents = &w->image->extents;
  p->all.n = 0;
  p->hint = hint;
  p->write = write;
}

bd_phrase bd_part_name(const char *name, int i, int j, int axis) {
  return bd_phrase_of("%s_%d_%d", name, axis == 0 ? i : j, axis == 0 ? j : i);
}

/* ---- Transforms ------------------------------------------------------------------------------ */

void bd_part_write_steps(bd_text *text, const bd_part_step *steps, int n, const char *from,
                         const char *to, int axis, int others) {
  for (int j = 0; j < others; ++j) {
    for (int s = 0; s < n; ++s) {
      const int values[] = {steps[s].to, steps[s].a, steps[s].b};
      bd_phrase names[3];
      for (int i = 0; i < 3; ++i)
        names[i] = values[i] == BD_HALF ? bd_phrase_of("half")
                   : values[i] < BD_TO  ? bd_part_name(from, values[i], j, axis)
                                        : bd_part_name(to, values[i] - BD_TO, j, axis);
      bd_text_format(text, "%s = %s", names[0].data, names[1].data); /* which folds, alone */
      if (steps[s].op) bd_text_format(text, " %c %s", steps[s].op, names[2].data);
      bd_text_format(text, ";");
    }
  }
}

/* ---- Squares --------------------------------------------------------------------------------- */

static bool has_planes(const bd_winograd *w) { return w->image->planes_in > 1; }

void bd_part_write_square(bd_text *text, const bd_part *p) {
  bd_text_format(text,
                 "x = square %% wide; of_lines = square / wide; y = of_lines %% high;"
                 "of_images = of_lines / high; y_0 = y * c2; x_0 = x * c2;");
  bd_text_format(text, has_planes(p->w)
                           ? "plane = of_images %% n_planes; image = of_images / n_planes;"
                           : "image = of_images;");
}

void bd_part_write_places(bd_text *text, int n) {
  bd_text_format(text,
                 "each i = 1 to %d { y_$i = min(y_0 + $i, last_y); }"
                 "each i = 1 to %d { x_$i = min(x_0 + $i, last_x); }",
                 n, n);
}

void bd_part_write_offsets(bd_text *text, const bd_part *p, const char *name, int64_t step, int n) {
  bd_text_format(text, "%s_of_image = %s_at + image * %s_image;", name, name, name);
  if (has_planes(p->w))
    bd_text_format(text, "%s_start = %s_of_image + plane * %lld * %s_plane;", name, name,
                   (long long)step, name);
  else
    bd_text_format(text, "%s_start = %s_of_image;", name, name);
  bd_text_format(text,
                 "let x = %s; each i to %d { $x_line_$i = $x_start + y_$i * $x_line;"
                 "$x_place_$i = x_$i * $x_place; }",
                 name, n);
}

void bd_part_add_squares(bd_arguments *all, const bd_winograd *w, const char *name,
                         const int64_t sizes[2], int64_t of_plane) {
  const bd_phrase last_y = bd_phrase_of("%s_last_y", name),
                  last_x = bd_phrase_of("%s_last_x", name);
  if (has_planes(w))
    bd_arguments_add(all, "%s_plane=%lld n_planes=%s", name, (long long)of_plane,
                     bd_number_or(w->has_any, w->image->planes_out, "n_planes").data);
  bd_arguments_add(all, "high=%s wide=%s last_y=%s last_x=%s",
                   bd_number_or(w->has_any, w->high, "high").data,
                   bd_number_or(w->has_any, w->wide, "wide").data,
                   bd_number_or(w->has_any, sizes[0] - 1, last_y.data).data,
                   bd_number_or(w->has_any, sizes[1] - 1, last_x.data).data);
}

/* ---- The function ---------------------------------------------------------------------------- */

static void write_function(bd_text *text, const bd_part *p) {
  bd_arguments_write_head(text, &p->all, p->vectors.element, "");
  bd_text_format(text, "c2 = 2; lanes = %d;", p->vectors.lanes);
  p->write(text, p);
  bd_text_format(text, "  return\n}\n");
}

void bd_part_write_call(bd_text *text, const bd_part *p, const char *tag, bd_kernels *kernels) {
  bd_text function = {.data = NULL};
  write_function(&function, p);
  bd_arguments_write_call(text, &p->all, &function, p->hint, tag, kernels);
}
