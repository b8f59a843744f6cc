// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd/in.c: what goes into the products of winograd.h: filters, and
 * squares of the input. Transforms go along the first axis, then along the second; what is between
 * is named e. */

#include <stdbool.h>

#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/winograd/text.h"

enum { WINDOW = 3 };

/* ---- Filters --------------------------------------------------------------------------------- */

/* G. */
enum { ENDS = BD_ON_THE_WAY, SUM, DIFFERENCE };
static const bd_part_step of_filter[] = {
    {0, BD_TO, 0, 0},           {'+', ENDS, 0, 2},
    {'+', SUM, ENDS, 1},        {'*', BD_TO + 1, SUM, BD_HALF},
    {'-', DIFFERENCE, ENDS, 1}, {'*', BD_TO + 2, DIFFERENCE, BD_HALF},
    {0, BD_TO + 3, 2, 2}};

enum { PLACES = WINDOW * WINDOW };

static int64_t lines_of_panel(const bd_winograd *w) {
  return PLACES * w->image->planes_window * w->image->filter.channels;
}

/* Of one plane, a channel's lines are read before they are written, and no other channel's are. */
static void write_filters(bd_text *text, const bd_part *p) {
  const int64_t planes = p->w->image->planes_window;
  const bool is_copied = planes > 1; /* plane by plane, away from where those of the points go */
  const char *const element = p->vectors.element;
  bd_text_format(text, "let l = %d, p = %d; b = whole(b_base);", p->vectors.lanes, PLACES);
  if (is_copied)
    bd_text_format(text,
                   "lines_there = alloc(memref<%lldx%s>); lines_base = base(lines_there);"
                   "lines = whole(lines_base);",
                   (long long)lines_of_panel(p->w) * bd_panels_width(&p->w->packed), element);
  bd_text_format(text,
                 "half = 0.5 : vector<$lx%s>;"
                 "points = %d; planes = %lld; places = $p; place = n_channels * width;"
                 "point = place * planes; panel = point * points; all_lines = point * places;"
                 "for j = j_first to j_last { panel_at = j * panel; %s"
                 "for plane = c0 to planes {"
                 "plane_from = plane * place * places; plane_to = panel_at + plane * place;"
                 "for element = c0 to place by lanes {"
                 "from = %s + element; to = plane_to + element;"
                 "each i to %d { number_$i = $i; from_$i = from + number_$i * place;"
                 "at_$i = to + number_$i * point; }"
                 "each i to p { g_$(i / 3)_$(i %% 3) = load(%s[from_$i], l); }",
                 element, BD_POINTS, (long long)planes,
                 is_copied ? "for element = c0 to all_lines by lanes {"
                             "store(load(b[panel_at + element], l), lines[element]); }"
                           : "",
                 is_copied ? "plane_from" : "panel_at", BD_POINTS, is_copied ? "lines" : "b");
  bd_part_write_steps(text, of_filter, 7, "g", "e", 0, WINDOW);
  bd_part_write_steps(text, of_filter, 7, "e", "u", 1, BD_SIDE);
  bd_text_format(text, "each i to %d { store(u_$(i / 4)_$(i %% 4), b[at_$i]); } } } } %s",
                 BD_POINTS, is_copied ? "dealloc(lines_there);" : "");
}

void bd_winograd_write_filters(bd_text *text, const bd_winograd *w, bd_kernels *kernels) {
  bd_part p;
  bd_part_init(&p, w, "winograd_filter", write_filters);
  bd_arguments_add(&p.all, "*b_base j_first j_last n_channels=%lld width=%d",
                   (long long)w->image->filter.channels, bd_panels_width(&w->packed));
  bd_part_write_call(text, &p, "points", kernels);
}

/* ---- Input ----------------------------------------------------------------------------------- */

/* Bᵀ. */
static const bd_part_step of_input[] = {
    {'-', BD_TO, 0, 2}, {'+', BD_TO + 1, 1, 2}, {'-', BD_TO + 2, 2, 1}, {'-', BD_TO + 3, 1, 3}};

/* Vectors of channels; the last begins so that it ends with the last channel, and does some
 * anew. */
static void write_in(bd_text *text, const bd_part *p) {
  const bd_shaped *image = p->w->image;
  bd_text_format(text,
                 "in = whole(in_base); a = whole(a_base); last_channels = n_channels - lanes;"
                 "for square = first to end {");
  bd_part_write_square(text, p);
  bd_part_write_places(text, BD_SIDE);
  bd_part_write_offsets(text, p, "in", image->planes_step, BD_SIDE);
  bd_text_format(text, "v_at = (square - origin) * row_of_v;");
  if (image->planes_window > 1)
    bd_text_format(text,
                   "for part = c0 to n_parts {"
                   "part_at = part * %lld * in_plane; to_part = v_at + part * n_channels;",
                   (long long)image->planes_spread);
  else
    bd_text_format(text, "part_at = 0; to_part = v_at;");
  bd_text_format(text,
                 "for any_channel = c0 to n_channels by lanes {"
                 "channel = min(any_channel, last_channels); to_0 = to_part + channel;"
                 "in_part = part_at + channel;");
  bd_text_format(text,
                 "let l = %d; each j to 4 { right_$j = in_place_$j + in_part; } each i to %d {"
                 "from_$i = in_line_$(i / 4) + right_$(i %% 4);"
                 "d_$(i / 4)_$(i %% 4) = load(in[from_$i], l); }",
                 p->vectors.lanes, BD_POINTS);
  bd_part_write_steps(text, of_input, 4, "d", "e", 0, BD_SIDE);
  bd_part_write_steps(text, of_input, 4, "e", "v", 1, BD_SIDE);
  bd_text_format(text,
                 "store(v_0_0, a[to_0]); each i = 1 to %d { to_$i = to_$(i - 1) + depth;"
                 "store(v_$(i / 4)_$(i %% 4), a[to_$i]); } } } %s",
                 BD_POINTS, image->planes_window > 1 ? "}" : "");
}

void bd_winograd_write_in(bd_text *text, const bd_winograd *w, const char *first, const char *end,
                          const char *origin, bd_kernels *kernels) {
  const bd_shaped *image = w->image;
  bd_part p;
  bd_part_init(&p, w, "winograd_in", write_in);
  bd_arguments_add(&p.all, "*in_base in_at in_image=%lld in_line=%lld in_place=%lld",
                   (long long)image->input.n, (long long)image->input.h, (long long)image->input.w);
  bd_part_add_squares(&p.all, w, "in", image->in, image->input.d);
  bd_arguments_add(&p.all, "*a_base row_of_v=%lld n_channels=%lld depth=%lld",
                   (long long)w->product.lda, (long long)image->filter.channels,
                   (long long)w->product.k);
  if (image->planes_window > 1)
    bd_arguments_add(&p.all, "n_parts=%lld", (long long)image->planes_window);
  bd_arguments_add(&p.all, "first=%s end=%s origin=%s", first, end, origin);
  bd_part_write_call(text, &p, "in", kernels);
}
