/* sdk/compile/shaped.c: see shaped.h. */
#include "sdk/compile/shaped.h"

#include <stdio.h>

#include "sdk/runtime/kept.h"

/* Filter and image as they are: no turning, no window. */
static int is_point(const bd_shaped *image) {
  return image->has_planes && image->window[0] * image->window[1] == 1 && image->step[0] == 1 &&
         image->step[1] == 1 && image->in[0] == image->out[0] && image->in[1] == image->out[1];
}

int bd_shaped_is_kept(const bd_shaped *image) { return !is_point(image); }

int bd_shaped_fits(const bd_shaped *image) {
  if (image->filters < 4 || image->channels * image->window[0] * image->window[1] < 8) return 0;
  if (is_point(image)) return image->of_channel == 1 && image->begin != BD_BEGIN_ROW;
  /* A line of the window is one segment only if its places are neighbours. */
  if (image->spread[1] != 1 && image->window[1] > 1) return 0;
  return !image->has_planes || image->begin != BD_BEGIN_OLD;
}

static void fill_panels(const bd_shaped *image, bd_panels *p) {
  const int64_t places = image->out[0] * image->out[1];
  bd_panels_init(p, image->element);
  p->begin = image->begin;
  if (is_point(image)) {
    p->m = image->filters;
    p->n = places;
    p->k = image->channels;
    p->lda = image->of_filter;
    p->ldb = p->ldc = places;
    p->is_fresh = 1;
    return;
  }
  const int64_t line = image->in[1] * image->channels;
  p->lines = image->out[0];
  p->m = image->out[1];
  p->n = image->filters;
  p->k = image->window[0] * image->window[1] * image->channels;
  p->segments = image->window[0];
  p->lda = image->step[1] * image->channels;
  p->line_a = image->step[0] * line;
  p->segment_a = image->spread[0] * line;
  p->ldc = image->filters;
  p->line_c = image->out[1] * image->filters;
  if (p->line_a == p->m * p->lda) { /* lines follow each other as rows do */
    p->m *= p->lines;
    p->lines = 1;
    p->line_a = p->line_c = 0;
  }
  bd_panels_choose_vectors(p);
}

static void write_number(bd_text *text, const char *name, int64_t number) {
  bd_text_format(text, "  %%%s = arith.constant %lld : index\n", name, (long long)number);
}

/* ---- The filter -------------------------------------------------------------------------------
 */

/* %panels[j][line, place, channel][lane] of %x1; what is beyond the last filter is 0. */
static void write_packing(bd_text *text, const bd_shaped *image, const bd_panels *p) {
  write_number(text, "n_panels", bd_panels_count(p));
  write_number(text, "window_h", image->window[0]);
  write_number(text, "window_w", image->window[1]);
  write_number(text, "n_channels", image->channels);
  write_number(text, "n_lanes", bd_panels_width(p));
  write_number(text, "n_filters", image->filters);
  write_number(text, "of_f", image->of_filter);
  write_number(text, "of_c", image->of_channel);
  write_number(text, "of_h", image->of_window[0]);
  write_number(text, "of_w", image->of_window[1]);
  bd_text_format(text, "  %%nought = arith.constant 0.0 : %s\n", image->element);
  bd_text_format(
      text,
      "  %%flat = memref.reinterpret_cast %%x1 to offset: [0], sizes: [%lld], strides: [1] : ",
      (long long)(image->filters * image->channels * image->window[0] * image->window[1]));
  bd_text_type(text, image->types[1]);
  bd_text_format(
      text, " to memref<%lldx%s>\n",
      (long long)(image->filters * image->channels * image->window[0] * image->window[1]),
      image->element);
  bd_text_format(
      text,
      "  scf.for %%j = %%c0 to %%n_panels step %%c1 {\n"
      "  scf.for %%y = %%c0 to %%window_h step %%c1 {\n"
      "  scf.for %%x = %%c0 to %%window_w step %%c1 {\n"
      "  scf.for %%c = %%c0 to %%n_channels step %%c1 {\n"
      "  scf.for %%l = %%c0 to %%n_lanes step %%c1 {\n"
      "    %%j_f = arith.muli %%j, %%n_lanes : index\n"
      "    %%f = arith.addi %%j_f, %%l : index\n"
      "    %%y_k = arith.muli %%y, %%window_w : index\n"
      "    %%place = arith.addi %%y_k, %%x : index\n"
      "    %%place_k = arith.muli %%place, %%n_channels : index\n"
      "    %%k = arith.addi %%place_k, %%c : index\n"
      "    %%is_there = arith.cmpi slt, %%f, %%n_filters : index\n"
      "    %%value = scf.if %%is_there -> (%s) {\n"
      "      %%at_f = arith.muli %%f, %%of_f : index\n"
      "      %%at_c = arith.muli %%c, %%of_c : index\n"
      "      %%at_h = arith.muli %%y, %%of_h : index\n"
      "      %%at_w = arith.muli %%x, %%of_w : index\n"
      "      %%at_fc = arith.addi %%at_f, %%at_c : index\n"
      "      %%at_hw = arith.addi %%at_h, %%at_w : index\n"
      "      %%at = arith.addi %%at_fc, %%at_hw : index\n"
      "      %%weight = memref.load %%flat[%%at] : memref<%lldx%s>\n"
      "      scf.yield %%weight : %s\n"
      "    } else {\n"
      "      scf.yield %%nought : %s\n"
      "    }\n"
      "    memref.store %%value, %%panels[%%j, %%k, %%l] : ",
      image->element,
      (long long)(image->filters * image->channels * image->window[0] * image->window[1]),
      image->element, image->element, image->element);
  bd_panels_type_b(text, p);
  bd_text_format(text, "\n  }\n  }\n  }\n  }\n  }\n");
}

/* ---- Images -----------------------------------------------------------------------------------
 */

/* %NAME = `rows` rows of `columns` of a buffer of that type, from %offset on. */
static void write_view(bd_text *text, const bd_shaped *image, const char *name, const char *buffer,
                       MlirType type, const char *buffer_type, const char *offset, int64_t rows,
                       int64_t columns) {
  bd_text_format(text,
                 "  %%%s_dense = memref.reinterpret_cast %%%s to offset: [%%%s], sizes: [%lld, "
                 "%lld], strides: [%lld, 1] : ",
                 name, buffer, offset, (long long)rows, (long long)columns, (long long)columns);
  if (buffer_type == NULL)
    bd_text_type(text, type);
  else
    bd_text_format(text, "%s", buffer_type);
  bd_text_format(text,
                 " to memref<%lldx%lldx%s, strided<[%lld, 1], offset: ?>>\n"
                 "  %%%s = memref.cast %%%s_dense : memref<%lldx%lldx%s, strided<[%lld, 1], "
                 "offset: ?>> to memref<?x?x%s, strided<[?, 1], offset: ?>>\n",
                 (long long)rows, (long long)columns, image->element, (long long)columns, name,
                 name, (long long)rows, (long long)columns, image->element, (long long)columns,
                 image->element);
}

/* Turns planes into places, or back: threads share the places, so many a unit. */
static void write_turning(bd_text *text, const bd_shaped *image, const char *transpose,
                          const char *from, const char *to, int64_t channels, int64_t places,
                          int is_back) {
  enum { PLACES = 64 };
  bd_units_begin(text, from, (places + PLACES - 1) / PLACES);
  bd_text_format(text,
                 "  %%unit = arith.constant %d : index\n"
                 "  %%n_channels = arith.constant %lld : index\n"
                 "  %%n_places = arith.constant %lld : index\n"
                 "  %%start = arith.muli %%%s_first, %%unit : index\n"
                 "  %%whole_end = arith.muli %%%s_last, %%unit : index\n"
                 "  %%end = arith.minsi %%whole_end, %%n_places : index\n"
                 "  %%n = arith.subi %%end, %%start : index\n",
                 PLACES, (long long)channels, (long long)places, from, from);
  const char *names[] = {from, to};
  for (int i = 0; i < 2; i++) {
    const int of_places = (i == 0) == is_back; /* rows are places */
    bd_text_format(text,
                   "  %%part_%d = memref.subview %%%s[%s] [%s] [1, 1] : memref<?x?x%s, "
                   "strided<[?, 1], offset: ?>> to memref<?x?x%s, strided<[?, 1], offset: ?>>\n",
                   i, names[i], of_places ? "%start, 0" : "0, %start",
                   of_places ? "%n, %n_channels" : "%n_channels, %n", image->element,
                   image->element);
  }
  bd_text_format(text,
                 "  func.call @%s(%%part_0, %%part_1) : (memref<?x?x%s, strided<[?, 1], offset: "
                 "?>>, memref<?x?x%s, strided<[?, 1], offset: ?>>) -> ()\n",
                 transpose, image->element, image->element);
  bd_units_end(text, 2 * PLACES * channels);
}

static void write_matrices(bd_text *text, const bd_panels *p, const char *a, const char *type_a,
                           const char *at_a, const char *c, const char *type_c, const char *at_c,
                           const bd_shaped *image) {
  bd_text_format(text,
                 "  %%matrix_a = memref.reinterpret_cast %%%s to offset: [%%%s], sizes: [%lld, "
                 "%lld, %lld, %lld], strides: [%lld, %lld, %lld, 1] : ",
                 a, at_a, (long long)p->lines, (long long)p->m, (long long)p->segments,
                 (long long)(p->k / p->segments), (long long)p->line_a, (long long)p->lda,
                 (long long)p->segment_a);
  if (type_a != NULL)
    bd_text_format(text, "%s", type_a);
  else
    bd_text_type(text, image->types[is_point(image) ? 1 : 0]);
  bd_text_format(text, " to ");
  bd_panels_type_a(text, p);
  bd_text_format(text,
                 "\n  %%matrix_c = memref.reinterpret_cast %%%s to offset: [%%%s], sizes: [%lld, "
                 "%lld, %lld], strides: [%lld, %lld, 1] : ",
                 c, at_c, (long long)p->lines, (long long)p->m, (long long)p->n,
                 (long long)p->line_c, (long long)p->ldc);
  if (type_c != NULL)
    bd_text_format(text, "%s", type_c);
  else
    bd_text_type(text, image->types[2]);
  bd_text_format(text, " to ");
  bd_panels_type_c(text, p);
  bd_text_format(text, "\n");
}

/* Begins the loop over images: %at_in and %at_out are where this one is. */
static void write_images(bd_text *text, const bd_shaped *image) {
  write_number(text, "n_images", image->n);
  write_number(text, "of_in", image->channels * image->in[0] * image->in[1]);
  write_number(text, "of_out", image->filters * image->out[0] * image->out[1]);
  bd_text_format(text,
                 "  scf.for %%image = %%c0 to %%n_images step %%c1 {\n"
                 "  %%at_in = arith.muli %%image, %%of_in : index\n"
                 "  %%at_out = arith.muli %%image, %%of_out : index\n");
}

/* ---- Three forms ------------------------------------------------------------------------------
 */

static void write_point(bd_text *text, const bd_shaped *image, const bd_panels *p) {
  const int64_t places = image->out[0] * image->out[1];
  write_images(text, image);
  bd_text_format(text,
                 "  %%matrix_b = memref.reinterpret_cast %%x0 to offset: [%%at_in], sizes: [%lld, "
                 "%lld], strides: [%lld, 1] : ",
                 (long long)image->channels, (long long)places, (long long)places);
  bd_text_type(text, image->types[0]);
  bd_text_format(text, " to ");
  bd_panels_type_source(text, p);
  bd_text_format(text, "\n");
  write_matrices(text, p, "x1", NULL, "c0", "x2", NULL, "at_out", image);
  bd_panels_write(text, p);
  bd_text_format(text, "  }\n");
}

static void write_places(bd_text *text, const bd_shaped *image, const bd_panels *p) {
  write_images(text, image);
  write_matrices(text, p, "x0", NULL, "at_in", "x2", NULL, "at_out", image);
  bd_panels_write(text, p);
  bd_text_format(text, "  }\n");
}

static void write_planes(bd_text *text, const bd_shaped *image, const bd_panels *p,
                         const char *transpose) {
  const int64_t in = image->in[0] * image->in[1], out = image->out[0] * image->out[1];
  char type_in[96], type_out[96];
  snprintf(type_in, sizeof(type_in), "memref<%lldx%lldx%s>", (long long)in,
           (long long)image->channels, image->element);
  snprintf(type_out, sizeof(type_out), "memref<%lldx%lldx%s>", (long long)out,
           (long long)image->filters, image->element);
  bd_text_format(text,
                 "  %%turned = memref.alloc() {alignment = 64 : i64} : %s\n"
                 "  %%result = memref.alloc() {alignment = 64 : i64} : %s\n",
                 type_in, type_out);
  write_images(text, image);
  write_view(text, image, "planes_in", "x0", image->types[0], NULL, "at_in", image->channels, in);
  write_view(text, image, "places_in", "turned", (MlirType){NULL}, type_in, "c0", in,
             image->channels);
  write_turning(text, image, transpose, "planes_in", "places_in", image->channels, in, 0);
  write_matrices(text, p, "turned", type_in, "c0", "result", type_out, "c0", image);
  bd_panels_write(text, p);
  write_view(text, image, "places_out", "result", (MlirType){NULL}, type_out, "c0", out,
             image->filters);
  write_view(text, image, "planes_out", "x2", image->types[2], NULL, "at_out", image->filters, out);
  write_turning(text, image, transpose, "places_out", "planes_out", image->filters, out, 1);
  bd_text_format(text, "  }\n  memref.dealloc %%turned : %s\n  memref.dealloc %%result : %s\n",
                 type_in, type_out);
}

void bd_shaped_write(bd_text *text, const bd_shaped *image, const char *transpose) {
  bd_panels p;
  fill_panels(image, &p);
  for (int i = 0; i < 3; i++) {
    bd_text_format(text, "%s%%x%d: ", i > 0 ? ", " : "(", i);
    bd_text_type(text, image->types[i]);
  }
  if (image->begin == BD_BEGIN_ROW)
    bd_text_format(text, ", %%row: memref<%lldx%s>", (long long)image->filters, image->element);
  if (bd_shaped_is_kept(image)) bd_text_format(text, ", %%slot: i64");
  bd_text_format(text, ") attributes {llvm.bareptr} {\n");
  write_number(text, "c0", 0);
  write_number(text, "c1", 1);
  if (is_point(image)) {
    write_point(text, image, &p);
  } else {
    bd_panels_write_kept(text, &p);
    write_packing(text, image, &p);
    bd_panels_write_kept_end(text);
    if (image->has_planes)
      write_planes(text, image, &p, transpose);
    else
      write_places(text, image, &p);
  }
  bd_text_format(text, "  return\n}\n");
}
