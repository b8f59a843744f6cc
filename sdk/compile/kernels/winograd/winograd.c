// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/winograd/winograd.c: F(2×2, 3×3): the kernel, chosen and written. */
#include "sdk/compile/kernels/winograd/winograd.h"

#include <stdbool.h>

#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panels/parts.h"
#include "sdk/compile/kernels/tile/tiles.h"
#include "sdk/compile/kernels/winograd/parts.h"

/* Where it pays, as measured on AVX-512 beside the loops of shaped.h, in ratios of time on one
 * thread. 64 channels and filters or more: 0.45 to 0.6, at 14×14 to 224×224. 32 of them: 0.65 to
 * 0.75, at 28×28 to 112×112. 16 of them: 1.1; transforms are for each channel and for each filter,
 * products for each pair. With 36 squares (12×12) 0.6, with 25 (10×10) 0.7; with 16 (7×7) 1.0 to
 * 1.2: a quarter of the places is not there, and where filters come from memory there are 16 lines
 * to read for 9. Panels that are not full cost what full ones do: 0.75 at 28×28×48. */
enum { LEAST_CHANNELS = 32, LEAST_SQUARES = 24 };

/* Of channels: what the transforms add to the error of a sum is made up for by shorter runs. */
enum { ROUNDS_OF_RUN = 64 };

/* Bytes of V: a quarter of L2 holds it beside all filters. */
static int64_t block_of(const bd_machine *machine) { return machine->l2 / 4; }

/* Blocks that several threads can share. */
enum { ENOUGH_BLOCKS = 12 };

/* Squares of M: with 16 points of two vectors each, 112 KB at the most. */
enum { MOST_TILES_OF_CHUNK = 4 };

/* ---- Whether, and how ------------------------------------------------------------------------ */

/* Of groups, each has panels of its own. */
static bool has_whole_groups(const bd_shaped *image) {
  bd_panels p;
  bd_panels_init(&p, image->machine, image->element);
  return image->groups == 1 || image->filter.filters / image->groups % bd_panels_width(&p) == 0;
}

static bool can_be_done(const bd_shaped *image) {
  const bd_filter *f = &image->filter;
  if (!has_whole_groups(image) || (image->planes_in > 1 && image->groups > 1)) return false;
  for (int i = 0; i < 2; ++i) {
    const int64_t planes = i == 0 ? image->planes_window : 1;
    if (f->window[i] != 3 * planes || image->step[i] != 1 || image->spread[i] != 1) return false;
  }
  return image->element == &bd_f32 && bd_around_begin(&image->around) != BD_BEGIN_OLD &&
         image->input.c == 1 && image->output.c == 1 &&
         f->channels >= bd_machine_lanes(image->machine, sizeof(float));
}

/* Along an axis. */
static int64_t squares_along(const bd_shaped *image, int axis) {
  return bd_divide_up(bd_extents_usual(&image->extents, image->out[axis]), BD_SQUARE);
}

static int64_t count_squares(const bd_shaped *image) {
  return bd_extents_usual(&image->extents, image->n) *
         bd_extents_usual(&image->extents, image->planes_out) * squares_along(image, 0) *
         squares_along(image, 1);
}

/* What is multiplied at a point: the channels of each plane of the window. */
static int64_t depth_of(const bd_shaped *image) {
  return image->filter.channels * image->planes_window;
}

void bd_winograd_fill_panels(const bd_shaped *image, bd_panels *p) {
  bd_panels_init(p, image->machine, image->element);
  p->m = count_squares(image);
  p->n = image->filter.filters;
  p->k = BD_POINTS * depth_of(image);
  p->begin = bd_around_begin(&image->around);
  p->prepacked_rows = bd_affine_prepacked_rows(&image->around.affine);
}

/* By three quarters at least. */
static int fills_panels(const bd_shaped *image) {
  bd_panels p;
  bd_winograd_fill_panels(image, &p);
  return 4 * p.n >= 3 * bd_panels_columns(&p);
}

int bd_winograd_is_chosen(const bd_shaped *image, bd_winograd_choice choice) {
  if (choice == BD_WINOGRAD_NEVER || !can_be_done(image)) return 0;
  return choice == BD_WINOGRAD_ALWAYS ||
         (image->filter.channels >= LEAST_CHANNELS && image->filter.filters >= LEAST_CHANNELS &&
          count_squares(image) >= LEAST_SQUARES && fills_panels(image));
}

static void fill_product(bd_winograd *w) {
  const int64_t depth = depth_of(w->image);
  bd_panels *p = &w->product;
  bd_panels_init(p, w->image->machine, w->image->element);
  p->m = w->chunk;
  p->has_any_rows = w->has_any;
  p->n = BD_POINTS * bd_panels_columns(&w->packed);
  p->k = depth;
  /* Rows of V would else be a way of the first cache apart. */
  p->lda = BD_POINTS * depth + bd_machine_line(p->machine, sizeof(float));
  p->ldc = bd_panels_width(p);
  p->begin = BD_BEGIN_ZERO;
  p->of_run = ROUNDS_OF_RUN;
}

static int64_t bytes_of_filters(const bd_winograd *w) {
  return w->packed.k * bd_panels_columns(&w->packed) * (int64_t)sizeof(float);
}

static int64_t bytes_of_squares(const bd_winograd *w, int64_t n) {
  return n * w->packed.k * (int64_t)sizeof(float);
}

/* More filters than L2 holds: they are read anew for each block, which then has all of it beside
 * two panels. */
static bool are_large(const bd_winograd *w) { return bytes_of_filters(w) > w->image->machine->l2; }

/* Tiles of a block. */
static int64_t tiles_of_block(const bd_winograd *w, int64_t tiles) {
  const bd_machine *machine = w->image->machine;
  const int64_t room = are_large(w) ? machine->l2 : block_of(machine);
  int64_t n = room / bytes_of_squares(w, w->rows);
  const int64_t of_thread = w->image->groups * tiles / ENOUGH_BLOCKS;
  if (n > of_thread) n = of_thread;
  if (n > MOST_TILES_OF_CHUNK) n = MOST_TILES_OF_CHUNK;
  return n > 1 ? n : 1;
}

/* Too few blocks; or filters that do not stay in L2 would be read for the blocks more than V is for
 * the panels. */
static bool is_shared(const bd_winograd *w, int64_t tiles, int64_t of_block) {
  const int64_t filters = bytes_of_filters(w), squares = bytes_of_squares(w, w->squares);
  return tiles < ENOUGH_BLOCKS ||
         (are_large(w) && squares <= w->image->machine->last &&
          squares * bd_panels_count(&w->packed) < filters * bd_divide_up(tiles, of_block));
}

/* Blocks of whole tiles, so that at most one tile of all has fewer rows. */
static void plan(const bd_shaped *image, bd_winograd *w) {
  *w = (bd_winograd){
      .image = image, .squares = count_squares(image), .has_any = image->extents.n > 0};
  bd_winograd_fill_panels(image, &w->packed);
  const int64_t most_rows = bd_machine_sums(image->machine) / w->packed.vectors;
  const int64_t tiles = bd_divide_up(w->squares, most_rows);
  w->high = squares_along(image, 0);
  w->wide = squares_along(image, 1);
  w->rows = w->has_any ? most_rows : bd_divide_up(w->squares, tiles);
  w->low = bd_divide_up(w->rows, 2) + 1;
  const int64_t of_block = tiles_of_block(w, tiles);
  w->is_shared = !w->has_any && image->groups == 1 && is_shared(w, tiles, of_block);
  w->chunk = w->rows * (w->is_shared ? MOST_TILES_OF_CHUNK : of_block);
  w->block = w->is_shared ? w->squares : w->chunk;
  fill_product(w);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static int64_t elements_of_v(const bd_winograd *w) { return w->block * w->product.lda; }

static int64_t elements_of_m(const bd_winograd *w) {
  return BD_POINTS * w->chunk * bd_panels_width(&w->product);
}

/* %v and %m, each for itself. */
static void write_v(bd_text *text, const bd_winograd *w) {
  bd_text_format(text, "v = alloc(memref<%lldx%s>);", (long long)elements_of_v(w),
                 w->image->element->name);
}

static void write_m(bd_text *text, const bd_winograd *w) {
  bd_text_format(text, "m = alloc(memref<%lldx%s>);", (long long)elements_of_m(w),
                 w->image->element->name);
}

/* %in_base, and %a_base, which is V; and but for V: %b_base, the panels, %c_base, which is M, and the output. */
static const char bases_in[] = "in_base = base(x0); a_base = base(v);",
                  bases_out[] = "b_base = base(panels); c_base = base(m); out_base = base(x2);";

/* ---- The filter ------------------------------------------------------------------------------ */

void bd_winograd_write_filter(bd_text *text, const bd_shaped *image, bd_kernels *kernels) {
  bd_winograd w;
  plan(image, &w);
  bd_units_begin(text, "j", bd_panels_count(&w.packed));
  bd_text_format(text, "b_base = base(panels);");
  bd_winograd_write_filters(text, &w, kernels);
  bd_units_end(text, w.packed.k * bd_panels_width(&w.packed));
}

/* ---- Products -------------------------------------------------------------------------------- */

/* For the panel of the next point (tile/tile.h). */
static int prefetch_shift(const bd_winograd *w) {
  return bd_blocks_is_streamed(&w->packed) ? bd_panels_shift_of(w->chunk / w->rows) : -1;
}

/* Of any number of squares: tiles of one height or of the other, of which none are left. */
static void write_heights(bd_text *text, const bd_winograd *w, bd_tiles *tiles,
                          bd_kernels *kernels) {
  if (tiles->tile.prefetch_shift >= 0) bd_text_index(text, "shift", tiles->tile.prefetch_shift);
  bd_text_format(text,
                 "end_of_high = select(height == %lld, last, first);"
                 "end_of_low = select(height == %lld, last, first);",
                 (long long)w->rows, (long long)w->low);
  tiles->end = "end_of_high";
  bd_tiles_write(text, tiles, kernels);
  tiles->tile.rows = w->low;
  tiles->end = "end_of_low";
  tiles->tag = "low";
  bd_tiles_write(text, tiles, kernels);
}

/* M, a point at a time: a panel of `product` is one point of a panel of `packed`. */
static void write_points(bd_text *text, const bd_winograd *w, bd_kernels *kernels) {
  const int width = bd_panels_width(&w->product);
  bd_tiles tiles = {.tile = {.p = &w->product,
                             .lines = 1,
                             .rows = w->rows,
                             .vectors = w->product.vectors,
                             .valid = width,
                             .prefetch_shift = prefetch_shift(w)},
                    .first = "first",
                    .end = "main_end",
                    .y_first = "c0",
                    .y_end = "c1",
                    .tag = "main"};
  bd_text_format(text,
                 "for point = c0 to n_points {"
                 "j = panel * n_points + point; a_at = point * depth - origin * row_of_v;"
                 "c_at = point * point_of_m - (first + j) * width;");
  if (w->has_any) {
    write_heights(text, w, &tiles, kernels);
    bd_text_format(text, "  }\n");
    return;
  }
  bd_tiles_write(text, &tiles, kernels);
  tiles.tile.rows = w->squares % w->rows;
  tiles.tile.prefetch_shift = -1;
  tiles.first = "rest_first";
  tiles.end = "last";
  tiles.tag = "rest";
  if (tiles.tile.rows > 0) bd_tiles_write(text, &tiles, kernels);
  bd_text_format(text, "  }\n");
}

/* Squares %origin to %stop, which V holds from %origin on, by panels %panel_first to
 * %panel_last. */
static void write_products(bd_text *text, const bd_winograd *w, const char *panel_first,
                           const char *panel_last, bd_kernels *kernels) {
  const int width = bd_panels_width(&w->product);
  bd_text_format(text,
                 "n_points = %d; depth = %lld; row_of_v = %lld; point_of_m = %lld; width = %d;"
                 "b_at = 0; k0 = 0; k1 = depth;",
                 BD_POINTS, (long long)w->product.k, (long long)w->product.lda,
                 (long long)w->chunk * width, width);
  if (w->has_any)
    bd_text_format(text, "chunk = of_block + c0; n_main = squares + c0;");
  else
    bd_text_format(text, "chunk = %lld; n_main = %lld;", (long long)w->chunk,
                   (long long)(w->squares / w->rows * w->rows));
  bd_text_format(text,
                 "for panel = %s to %s {"
                 "for first = origin to stop by chunk {"
                 "next = first + chunk; last = min(next, stop); main_end = min(last, n_main);"
                 "rest_first = max(first, n_main);",
                 panel_first, panel_last);
  write_points(text, w, kernels);
  bd_winograd_write_out(text, w, kernels);
  bd_text_format(text, "  }\n  }\n");
}

static int64_t cost_of(const bd_winograd *w) {
  return w->squares * w->packed.k * w->packed.n / BD_STEPS_AT_ONCE;
}

/* V is made for all squares, then threads share the panels. */
static void write_shared(bd_text *text, const bd_winograd *w, bd_kernels *kernels) {
  const int64_t panels = bd_panels_count(&w->packed);
  write_v(text, w);
  bd_units_begin(text, "square", w->squares);
  bd_text_format(text, "%s in_at = %lld;", bases_in, (long long)w->image->input.offset);
  bd_winograd_write_in(text, w, "square_first", "square_last", "c0", kernels);
  bd_units_end(text, w->packed.k / BD_STEPS_AT_ONCE);
  bd_units_begin(text, "unit", panels);
  write_m(text, w);
  bd_text_format(text, "a_base = base(v); %s origin = 0; stop = %lld;", bases_out,
                 (long long)w->squares);
  write_products(text, w, "unit_first", "unit_last", kernels);
  bd_text_format(text, "dealloc(m);");
  bd_units_end(text, cost_of(w) / panels);
  bd_text_format(text, "dealloc(v);");
}

/* %squares and %of_block, and what else the run knows: tiles are as even as the two heights make them. */
static void write_squares(bd_text *text, const bd_winograd *w) {
  const bd_shaped *image = w->image;
  if (!w->has_any) {
    bd_text_format(text, "squares = %lld; of_block = %lld;", (long long)w->squares,
                   (long long)w->block);
    return;
  }
  const int64_t numbers[] = {image->n,      image->in[0],  image->in[1],
                             image->out[0], image->out[1], image->planes_out};
  static const char *const names[] = {"n_images", "in_y", "in_x", "out_y", "out_x", "n_planes"};
  for (int i = 0; i < 6; ++i) bd_extents_write_index(text, &image->extents, names[i], numbers[i]);
  bd_text_format(text,
                 "in_last_y = in_y - c1; in_last_x = in_x - c1; out_last_y = out_y - c1;"
                 "out_last_x = out_x - c1; side = %d; high = ceildiv(out_y, side);"
                 "wide = ceildiv(out_x, side); squares = n_images * n_planes * high * wide;"
                 "most_rows = %lld; low_rows = %lld; some = umax(squares, c1);"
                 "even_rows = ceildiv(some, ceildiv(some, most_rows));"
                 "height = select(even_rows <= low_rows, low_rows, most_rows);"
                 "of_block = height * %lld;",
                 BD_SQUARE, (long long)w->rows, (long long)w->low, (long long)(w->block / w->rows));
}

/* Threads share the blocks of each group, and have a V each. */
static void write_blocks(bd_text *text, const bd_winograd *w, bd_kernels *kernels) {
  const int64_t groups = w->image->groups, blocks = bd_divide_up(w->squares, w->block);
  write_squares(text, w);
  bd_text_format(text, "n_blocks = ceildiv(squares, of_block); unit_units = n_blocks * %lld;",
                 (long long)groups);
  bd_units_begin(text, "unit", -1);
  write_v(text, w);
  write_m(text, w);
  bd_text_format(text, "%s %s", bases_in, bases_out);
  bd_extents_write_index(text, &w->image->extents, "in_begin", w->image->input.offset);
  bd_text_format(text,
                 "of_group = %lld; n_channels_of_group = %lld;"
                 "for block_of = unit_first to unit_last {"
                 "group = block_of / n_blocks; block = block_of %% n_blocks;"
                 "in_at = group * n_channels_of_group + in_begin;"
                 "panel_first = group * of_group; panel_last = panel_first + of_group;"
                 "origin = block * of_block; behind = origin + of_block;"
                 "stop = min(behind, squares);",
                 (long long)(bd_panels_count(&w->packed) / groups),
                 (long long)w->image->filter.channels);
  bd_winograd_write_in(text, w, "origin", "stop", "origin", kernels);
  write_products(text, w, "panel_first", "panel_last", kernels);
  bd_text_format(text, "} dealloc(m); dealloc(v);");
  bd_units_end(text, cost_of(w) / blocks / groups);
}

void bd_winograd_write(bd_text *text, const bd_shaped *image, bd_kernels *kernels) {
  bd_winograd w;
  plan(image, &w);
  if (w.is_shared)
    write_shared(text, &w, kernels);
  else
    write_blocks(text, &w, kernels);
}
