// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/shaped.c: text of a convolution of known shape. */
#include "sdk/compile/kernels/shaped.h"

#include <stdbool.h>

#include "sdk/compile/kernels/tile/amx.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/tile/staging.h"
#include "sdk/compile/kernels/winograd/winograd.h"

static bool is_nchw(const bd_image_layout *image, int64_t channels) {
  return image->c != 1 && channels > 1;
}

static int64_t all_channels(const bd_shaped *image) {
  return image->filter.channels * image->groups;
}

static bool has_planes_in(const bd_shaped *image) {
  return is_nchw(&image->input, all_channels(image));
}

static bool is_nchw_out(const bd_shaped *image) {
  return is_nchw(&image->output, image->filter.filters);
}

/* Planes can be turned if what they have of each channel has no gaps. */
static bool is_dense(const bd_image_layout *image, const int64_t sizes[2], int64_t planes) {
  const int64_t of_plane = sizes[0] * sizes[1];
  return image->w == 1 && image->h == sizes[1] && (planes == 1 || image->d == of_plane);
}

static bool has_any_size(const bd_shaped *image) { return image->extents.n > 0; }

/* %NAME = the number, of which a run may know a part. */
static void write_index(bd_text *text, const bd_shaped *image, const char *name, int64_t number) {
  bd_extents_write_index(text, &image->extents, name, number);
}

static const bd_element *result_of(const bd_shaped *image) {
  return image->words ? image->words->sum : image->element;
}

/* Each channel is a group with a filter of its own. */
static bool is_depthwise(const bd_shaped *image) {
  return image->groups > 1 && image->filter.channels == 1 && image->filter.filters == image->groups;
}

/* Elements that are multiplied at a time; depthwise, those of a word are one and zeros. */
static int64_t of_word(const bd_shaped *image) {
  return image->words && !is_depthwise(image) ? image->words->n : 1;
}

/* Channels of what the input is turned into. */
static int64_t channels_of(const bd_shaped *image) {
  return bd_divide_up(all_channels(image), of_word(image)) * of_word(image);
}

/* How many groups have filters for whole vectors of so many. */
static int64_t groups_of_lanes(const bd_shaped *image, int64_t lanes) {
  const bool is_full =
      image->groups == 1 || lanes <= 1 || image->filter.filters / image->groups % lanes == 0;
  return is_full ? 1 : 2 * groups_of_lanes(image, lanes / 2);
}

/* Elements of a vector: fewer than a register has where groups fill whole ones of these alone, and where there are no more
 * filters: processors whose registers are wider than what they multiply in take longer for those that are half empty. */
static int lanes_of(const bd_shaped *image) {
  enum { LEAST = 4 };
  const int most = bd_machine_lanes(image->machine, result_of(image)->bytes);
  const bool is_one = image->groups == 1 || is_depthwise(image);
  int lanes = most;
  while (lanes >= LEAST && !is_one && image->groups % groups_of_lanes(image, lanes) != 0)
    lanes /= 2;
  if (lanes < LEAST) return most;
  while (is_one && !image->words && lanes > LEAST && image->filter.filters <= lanes / 2) lanes /= 2;
  return lanes;
}

/* How many groups make a slice: as many as fill whole vectors with filters, or all; 0: none does. */
static int64_t groups_of_slice(const bd_shaped *image) {
  enum { ALL = 8 };
  if (is_depthwise(image)) return lanes_of(image);
  const int64_t n = groups_of_lanes(image, lanes_of(image));
  return image->groups % n == 0 ? n : image->groups <= ALL ? image->groups : 0;
}

/* What is read are whole words, or becomes them. Shifted ones are not added to what is there, and
 * have one group, one plane and known sizes. */
static bool has_words(const bd_shaped *image) {
  const bd_image_layout *in = &image->input;
  if (!image->words) return true;
  if (is_depthwise(image))
    return image->words->is_shifted && bd_around_begin(&image->around) != BD_BEGIN_OLD;
  if (image->words->is_shifted && (bd_around_begin(&image->around) == BD_BEGIN_OLD ||
                                   has_any_size(image) || image->groups * image->planes_in > 1))
    return false;
  if (image->groups > 1 && groups_of_slice(image) * image->filter.channels % of_word(image) != 0)
    return false;
  return has_planes_in(image) ||
         (all_channels(image) | in->offset | in->n | in->d | in->h | in->w) % of_word(image) == 0;
}

/* Channels of a group, and filters, where vectors have several whole groups of them; otherwise 0. */
static int of_small_groups(const bd_shaped *image) {
  enum { MOST = 8 }; /* tiles have all its rows of the panel: the others leave room for sums */
  const int64_t n = image->filter.channels, of_slice = groups_of_slice(image);
  if (is_depthwise(image)) return 1;
  if (image->words || n > MOST || image->filter.filters != n * image->groups) return 0;
  return of_slice > 1 && of_slice * n == lanes_of(image) ? (int)n : 0;
}

/* Of windows over several planes, places of a line are to be neighbours: segments and pieces are
 * its planes and lines. */
static bool has_whole_lines(const bd_shaped *image) {
  const int64_t places = has_planes_in(image) ? image->filter.channels : image->input.w;
  return image->filter.window[1] == 1 || image->spread[1] * places == image->filter.channels;
}

/* Filter and image as they are: no turning, no window. */
static bool is_point(const bd_shaped *image) {
  return !image->words && !has_any_size(image) && image->groups == 1 && image->planes_in == 1 &&
         has_planes_in(image) && is_nchw_out(image) &&
         image->filter.window[0] * image->filter.window[1] == 1 && image->step[0] == 1 &&
         image->step[1] == 1 && image->in[0] == image->out[0] && image->in[1] == image->out[1];
}

int bd_shaped_is_prepacked(const bd_shaped *image) { return !is_point(image); }

int bd_shaped_transposes(const bd_shaped *image) {
  return !is_point(image) && (has_planes_in(image) || is_nchw_out(image));
}

/* What follows reads other elements for each place, which it finds by line and place alone. */
static bool reads_images(const bd_shaped *image) {
  for (int k = 0; k < image->around.epilogue.n; ++k) {
    if (!image->around.epilogue.extras[k].is_row) return true;
  }
  return false;
}

int bd_shaped_fits(const bd_shaped *image) {
  if (!has_words(image)) return 0;
  if (image->groups > 1 && (image->planes_in > 1 || groups_of_slice(image) == 0)) return 0;
  if (image->planes_in > 1 && (!has_whole_lines(image) || reads_images(image))) return 0;
  if (has_planes_in(image) && !is_dense(&image->input, image->in, image->planes_in)) return 0;
  if (is_nchw_out(image) && !is_dense(&image->output, image->out, image->planes_out)) return 0;
  if (is_point(image))
    return image->filter.of_channel == 1 && bd_around_begin(&image->around) != BD_BEGIN_ROW &&
           !image->around.epilogue.op.ptr;
  return !image->words || !is_nchw_out(image) || bd_around_begin(&image->around) != BD_BEGIN_OLD;
}

/* The NHWC layout that an image is transposed into. */
static bd_image_layout image_of(int64_t channels, const int64_t sizes[2]) {
  return (bd_image_layout){
      .c = 1, .w = channels, .h = sizes[1] * channels, .d = sizes[0] * sizes[1] * channels};
}

/* Places of a line of the output are rows of a product: what they read lies apart so that they do
 * not meet in the first cache. What joins them to one line, panels/panels.c looks after. */
static bool is_staged(const bd_shaped *image) {
  const int64_t window = image->filter.window[0] * image->filter.window[1];
  const int64_t between = has_planes_in(image) ? all_channels(image) : image->input.w;
  const int64_t filters = image->filter.filters / image->groups;
  const int64_t most = bd_machine_sums(image->machine) / 2, places = image->out[0] * image->out[1];
  return !image->words && image->planes_in == 1 && window * image->groups > 1 &&
         window * filters >= BD_STAGED_COLUMNS &&
         bd_staging_is_crowded(image->machine, image->element, image->step[1] * between,
                               places < most ? places : most);
}

/* Elements from place to place of what the input is turned into, or copied. */
static int64_t stride_of_places(const bd_shaped *image) {
  const int64_t n = channels_of(image);
  return is_staged(image) ? bd_staging_stride(image->machine, image->element, n) : n;
}

static bool is_renewed(const bd_shaped *image) { return has_planes_in(image) || is_staged(image); }

static bd_image_layout image_in(const bd_shaped *image) {
  return is_renewed(image) ? image_of(stride_of_places(image), image->in) : image->input;
}

static bd_image_layout image_out(const bd_shaped *image) {
  return is_nchw_out(image) ? image_of(image->filter.filters, image->out) : image->output;
}

static void fill_point(const bd_shaped *image, bd_panels *p) {
  p->m = image->filter.filters;
  p->n = image->out[0] * image->out[1];
  p->k = image->filter.channels;
  p->lda = image->filter.of_filter;
  p->ldb = image->input.c;
  p->ldc = image->output.c;
  p->is_fresh = true;
}

/* How many lines and rows there are may be left to the run; what is chosen by them, by usual ones. */
static void leave_open(const bd_shaped *image, bd_panels *p) {
  const bd_extents *x = &image->extents;
  p->extents = x;
  p->has_any_lines = bd_extents_is_unknown(x, p->lines);
  p->has_any_rows = bd_extents_is_unknown(x, p->m);
  p->lines = bd_extents_usual(x, p->lines);
  p->m = bd_extents_usual(x, p->m);
}

/* One line, if lines follow each other as rows do. */
static void join_lines(bd_panels *p) {
  bool are_neighbours = p->line_a == p->m * p->lda && p->line_c == p->m * p->ldc;
  for (int k = 0; p->epilogue && k < p->epilogue->n; ++k) {
    const int64_t *strides = p->epilogue->extras[k].strides;
    are_neighbours &= strides[BD_IMAGE_H] == p->m * strides[BD_IMAGE_W];
  }
  if (!are_neighbours) return;
  p->m *= p->lines;
  p->lines = 1;
  p->line_a = p->line_c = 0;
}

/* rows: of all lines, or of one, as p has it, but as a number of extents. */
static void fill_panels(const bd_shaped *image, bd_panels *p, int64_t *out_lines,
                        int64_t *out_rows) {
  const bd_image_layout in = image_in(image), out = image_out(image);
  const int64_t of_element = of_word(image), of_slice = groups_of_slice(image);
  const int64_t channels =
      image->groups == 1 ? channels_of(image) : of_slice * image->filter.channels;
  bd_panels_init(p, image->machine, result_of(image));
  p->lanes = lanes_of(image);
  p->of_group = of_small_groups(image);
  p->words = image->words;
  p->begin = bd_around_begin(&image->around);
  p->prepacked_rows = bd_affine_prepacked_rows(&image->around.affine);
  if (is_point(image)) {
    fill_point(image, p);
    return;
  }
  p->lines = image->out[0];
  p->m = image->out[1];
  p->n = image->filter.filters;
  p->k = image->filter.window[0] * image->filter.window[1] *
         (p->of_group > 0 ? p->of_group : channels) / of_element;
  p->segments = image->filter.window[0];
  p->lda = image->step[1] * in.w / of_element;
  p->line_a = image->step[0] * in.h / of_element;
  p->segment_a = image->spread[0] * in.h / of_element;
  p->ldc = out.w;
  p->line_c = out.h;
  if (image->planes_window > 1) {
    p->segments = image->planes_window;
    p->segment_a = image->planes_spread * in.d / of_element;
    p->pieces = image->filter.window[0] / image->planes_window;
    p->piece_a = image->spread[0] * in.h / of_element;
    p->has_any_parts = image->planes_before + image->planes_after > 0;
  } else if (p->of_group > 0) {
    p->round_a = image->spread[1] * in.w;
  } else if (image->filter.window[1] > 1 && image->spread[1] * in.w != channels) {
    p->pieces = image->filter.window[1]; /* places of a line of the window are no neighbours */
    p->piece_a = image->spread[1] * in.w / of_element;
  }
  p->slices = bd_divide_up(image->groups, of_slice);
  p->slice_a = channels / of_element;
  if (image->around.epilogue.op.ptr) p->epilogue = &image->around.epilogue;
  join_lines(p);
  *out_lines = p->lines;
  *out_rows = p->m;
  leave_open(image, p);
  if (image->words && !is_depthwise(image) && image->machine->has_amx[image->words->kind])
    bd_amx_choose(p);
  if (p->amx_step == 0) bd_panels_choose_vectors(p);
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* %NAME = `rows` rows of `columns` of a buffer, from %offset on, so far from one to the next. */
static void write_view(bd_text *text, const bd_shaped *image, const char *name, const char *buffer,
                       const char *offset, int64_t rows, int64_t columns, int64_t stride) {
  bd_text_format(text, "%s_base = base(%s);", name, buffer);
  write_index(text, image, bd_phrase_of("%s_rows", name).data, rows);
  write_index(text, image, bd_phrase_of("%s_columns", name).data, columns);
  write_index(text, image, bd_phrase_of("%s_stride", name).data, stride);
  bd_text_format(text, "let x = %s; $x = view($x_base, %s, [$x_rows, $x_columns], [$x_stride, 1]);",
                 name, offset);
}

/* Channels that fill up the last word of a place are 0, for places %start to %end of the matrix. */
static void write_beyond(bd_text *text, const bd_shaped *image, const char *places) {
  const int64_t first = all_channels(image), n = channels_of(image) - first;
  if (n == 0) return;
  bd_text_format(
      text,
      "beyond = %s : %s; beyond_end = %lld; for beyond_place = start to end {"
      "for beyond_c = n_channels to beyond_end { store(beyond, %s[beyond_place, beyond_c]); } }",
      image->element->zero, image->element->name, (long long)(first + n), places);
}

/* Turns planes into places, or back: threads share the places, so many a unit. */
static void write_turning(bd_text *text, const bd_shaped *image, const char *transpose,
                          const char *from, const char *to, int64_t channels, int64_t places,
                          bool is_back) {
  enum { PLACES = 64 };
  const bool is_any = bd_extents_is_unknown(&image->extents, places);
  if (is_any) {
    write_index(text, image, bd_phrase_of("%s_all", from).data, places);
    bd_text_format(text, "%s_by = %d; %s_units = ceildiv(%s_all, %s_by);", from, PLACES, from, from,
                   from);
  }
  bd_units_begin(text, from, is_any ? -1 : bd_divide_up(places, PLACES));
  write_index(text, image, "n_places", places);
  bd_text_format(text,
                 "unit = %d; n_channels = %lld; start = %s_first * unit;"
                 "end = min(%s_last * unit, n_places); n = end - start;",
                 PLACES, (long long)channels, from, from);
  for (int i = 0; i < 2; ++i) {
    const bool of_places = (i == 0) == is_back; /* rows are places */
    bd_text_format(text, "part_%d = subview(%s, %s);", i, i == 0 ? from : to,
                   of_places ? "[start, 0], [n, n_channels]" : "[0, start], [n_channels, n]");
  }
  bd_text_format(text, "call(\"%s\", part_0, part_1);", transpose);
  if (!is_back) write_beyond(text, image, to);
  bd_units_end(text, 2 * PLACES * channels);
}

/* %turned = the places of the present image; threads share its lines. */
static void write_copying(bd_text *text, const bd_shaped *image) {
  const int64_t lines = image->in[0], places = image->in[1], channels = all_channels(image);
  write_index(text, image, "copy_units", lines);
  bd_units_begin(text, "copy", -1);
  bd_text_format(text, "image_base = base(x0);");
  write_index(text, image, "n_places", places);
  write_index(text, image, "of_line", image->input.h);
  write_index(text, image, "of_place", image->input.w);
  bd_text_format(text,
                 "n_channels = %lld; image_in = view(image_base, at_in, [c1, c1], [of_place, 1]);"
                 "for copy_line = copy_first to copy_last {"
                 "copy_before = copy_line * n_places; line_at = copy_line * of_line;"
                 "for copy_place = c0 to n_places {"
                 "copy_to = copy_before + copy_place;"
                 "for copy_c = c0 to n_channels {"
                 "copy_from = line_at + copy_c;"
                 "store(image_in[copy_place, copy_from], turned[copy_to, copy_c]); } } }",
                 (long long)channels);
  bd_units_end(text, 2 * bd_extents_usual(&image->extents, places) * channels);
}

/* Begins the loop over images, or does the one that there is, at %at_in and %at_out. */
static void write_images(bd_text *text, const bd_shaped *image) {
  write_index(text, image, "n_images", image->n);
  if (image->n == 1)
    bd_text_format(text, "image = 0;");
  else
    bd_text_format(text, "for image = c0 to n_images {");
  write_index(text, image, "of_image_in", image->input.n);
  write_index(text, image, "of_image_out", image->output.n);
  write_index(text, image, "begin_in", image->input.offset);
  write_index(text, image, "begin_out", image->output.offset);
  bd_text_format(text,
                 "before_in = image * of_image_in; before_out = image * of_image_out;"
                 "at_in = begin_in + before_in; at_out = begin_out + before_out;");
}

static void write_loop_end(bd_text *text, int64_t n) {
  if (n != 1) bd_text_format(text, "  }\n");
}

/* Of the window of %plane, the planes that hold zeros are left out: %n_parts are left, which begin
 * with %first_row of the panels, %parts_at after the others. */
static void write_parts(bd_text *text, const bd_shaped *image, const bd_panels *p) {
  const int64_t planes[] = {image->planes_before, image->planes_in - image->planes_after};
  bd_text_format(text, "window_at = plane * %lld;", (long long)image->planes_step);
  write_index(text, image, "of_segment", p->segment_a * of_word(image));
  for (int i = 0; i < 2; ++i)
    bd_text_format(text, "segment_%d = min(ceildiv(max(%lld - window_at, c0), %lld), %lld);", i,
                   (long long)planes[i], (long long)image->planes_spread,
                   (long long)image->planes_window);
  bd_text_format(text,
                 "n_parts = (segment_1 - segment_0) * %lld;"
                 "first_row = segment_0 * %lld; parts_at = segment_0 * of_segment;",
                 (long long)p->pieces, (long long)(p->pieces * bd_panels_depth(p)));
}

/* The loop over the planes of the output: %NAME_plane is where the plane is that FROM begins with,
 * in what is read and in what is written. */
static void write_planes(bd_text *text, const bd_shaped *image, const bd_panels *p,
                         const char *from_in, const char *from_out) {
  write_index(text, image, "n_planes", image->planes_out);
  if (image->planes_out == 1)
    bd_text_format(text, "plane = 0;");
  else
    bd_text_format(text, "for plane = c0 to n_planes {");
  if (!p->has_any_parts) bd_text_format(text, "parts_at = 0;");
  if (p->has_any_parts) write_parts(text, image, p);
  write_index(text, image, "of_plane_in", image->planes_step * image_in(image).d);
  write_index(text, image, "of_plane_out", image_out(image).d);
  bd_text_format(text,
                 "to_plane_in = plane * of_plane_in + parts_at;"
                 "to_plane_out = plane * of_plane_out; in_plane = %s + to_plane_in;"
                 "out_plane = %s + to_plane_out;",
                 from_in, from_out);
}

/* %extra_K_at: where it begins for the present image. */
static void write_extras(bd_text *text, const bd_shaped *image) {
  for (int k = 0; k < image->around.epilogue.n; ++k) {
    const bd_extra *extra = &image->around.epilogue.extras[k];
    const int64_t of_image = extra->is_row ? 0 : extra->strides[BD_IMAGE_N];
    write_index(text, image, bd_phrase_of("extra_%d_image", k).data, of_image);
    write_index(text, image, bd_phrase_of("extra_%d_begin", k).data, extra->offset);
    bd_text_format(text, "let k = %d; extra_$k_at = extra_$k_begin + image * extra_$k_image;", k);
  }
}

/* ---- Two forms ------------------------------------------------------------------------------- */

static int64_t count_places(int64_t planes, const int64_t sizes[2]) {
  return planes * sizes[0] * sizes[1];
}

static void write_point(bd_text *text, const bd_shaped *image, const bd_panels *p,
                        bd_kernels *kernels) {
  write_images(text, image);
  write_view(text, image, "matrix_b", "x0", "at_in", p->k, p->n, p->ldb);
  bd_text_index(text, "at_filter", image->filter.offset);
  bd_panels_write_matrix(text, p, "a", "x1", "at_filter");
  bd_panels_write_matrix(text, p, "c", "x2", "at_out");
  bd_panels_write(text, p, kernels);
  write_loop_end(text, image->n);
}

/* %NAME, of all places, of which a run may know the number. */
static void write_room(bd_text *text, const bd_shaped *image, const char *name, int64_t places,
                       int64_t channels, const char *element) {
  const bool is_any = bd_extents_is_unknown(&image->extents, places);
  const bd_phrase n = bd_phrase_of("n_%s", name);
  bd_extents_write_unknown(text, &image->extents, n.data, places);
  bd_text_format(text, "%s = alloc(memref<%sx%lldx%s>%s%s);", name,
                 bd_number_or(is_any, places, "?").data, (long long)channels, element,
                 is_any ? ", " : "", is_any ? n.data : "");
}

/* %result to the output, or from there, where sums begin with what is there. */
static void write_result(bd_text *text, const bd_shaped *image, const char *transpose,
                         bool is_back) {
  static const char *const ends[] = {"planes_out", "places_out"};
  const int64_t out = count_places(image->planes_out, image->out), filters = image->filter.filters;
  bd_text_format(text, "for once = c0 to c1 {");
  write_view(text, image, ends[1], "result", "c0", out, filters, filters);
  write_view(text, image, ends[0], "x2", "at_out", filters, out, image->output.c);
  write_turning(text, image, transpose, ends[is_back], ends[!is_back], filters, out, is_back);
  bd_text_format(text, "}");
}

/* lines, rows: of extents, of those that p leaves open. */
static void write_places(bd_text *text, const bd_shaped *image, const bd_panels *p, int64_t lines,
                         int64_t rows, const char *const transpose[2], bd_kernels *kernels) {
  const int64_t in = count_places(image->planes_in, image->in),
                out = count_places(image->planes_out, image->out), room = stride_of_places(image),
                channels = all_channels(image), filters = image->filter.filters;
  const bool is_new = is_renewed(image), turns_back = is_nchw_out(image);
  if (is_new) write_room(text, image, "turned", in, room, image->element->name);
  if (turns_back) write_room(text, image, "result", out, filters, result_of(image)->name);
  if (p->has_any_lines) write_index(text, image, "n_lines", lines);
  if (p->has_any_rows) write_index(text, image, "n_rows", rows);
  write_images(text, image);
  if (has_planes_in(image)) {
    write_view(text, image, "planes_in", "x0", "at_in", channels, in, image->input.c);
    write_view(text, image, "places_in", "turned", "c0", in, room, room);
    write_turning(text, image, transpose[0], "planes_in", "places_in", channels, in, 0);
  } else if (is_new) {
    write_copying(text, image);
  }
  if (turns_back && p->begin == BD_BEGIN_OLD) write_result(text, image, transpose[1], false);
  write_planes(text, image, p, is_new ? "c0" : "at_in", turns_back ? "c0" : "at_out");
  bd_panels_write_matrix(text, p, "a", is_new ? "turned" : "x0", "in_plane");
  bd_panels_write_matrix(text, p, "c", turns_back ? "result" : "x2", "out_plane");
  write_extras(text, image);
  bd_panels_write(text, p, kernels);
  write_loop_end(text, image->planes_out);
  if (turns_back) write_result(text, image, transpose[1], true);
  write_loop_end(text, image->n);
  if (is_new) bd_text_format(text, "dealloc(turned);");
  if (turns_back) bd_text_format(text, "dealloc(result);");
}

static void write_packing(bd_text *text, const bd_shaped *image, const bd_panels *p,
                          const char *pack) {
  bd_filter filter = image->filter;
  if (image->groups > 1 && p->of_group == 0) {
    filter.filters_of_group = filter.filters / image->groups;
    filter.channels_of_group = filter.channels;
    filter.channels *= groups_of_slice(image);
  }
  bd_filter_write_packing(text, &filter, 1, p, pack);
}

void bd_shaped_write(bd_text *text, const bd_shaped *image, const char *const transpose[2],
                     const char *pack, bd_kernels *kernels) {
  const MlirType types[] = {mlirValueGetType(image->input.buffer),
                            mlirValueGetType(image->filter.buffer),
                            mlirValueGetType(image->output.buffer)};
  bd_panels p;
  int64_t lines = 1, rows = 1;
  if (image->is_winograd)
    bd_winograd_fill_panels(image, &p);
  else
    fill_panels(image, &p, &lines, &rows);
  bd_around_write_parameters(text, types, &image->around, &image->extents,
                             bd_shaped_is_prepacked(image));
  if (is_point(image)) {
    write_point(text, image, &p, kernels);
  } else {
    bd_panels_write_prepacked(text, &p);
    write_packing(text, image, &p, pack);
    if (image->is_winograd) bd_winograd_write_filter(text, image, kernels);
    bd_affine_write(text, &image->around.affine, &p, kernels);
    bd_panels_write_prepacked_end(text);
    bd_around_write_bases(text, &image->around);
    if (image->is_winograd)
      bd_winograd_write(text, image, kernels);
    else
      write_places(text, image, &p, lines, rows, transpose, kernels);
  }
  bd_text_format(text, "  return\n}\n");
}
