// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_tiles.c: text of a depthwise tile with channels innermost. */
#include <stdbool.h>

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/channel_parts.h"
#include "sdk/compile/kernels/ir_text.h"

/* ---- What is passed -------------------------------------------------------------------------- */

static void add_all(bd_arguments *all, const bd_channel_tiles *t) {
  const bd_channels *d = t->d;
  const bd_geometry *in = &d->images[0], *out = &d->images[1];
  bd_arguments_begin(all, &d->extents);
  bd_arguments_add_image(all, "in", in->offset, in->strides[BD_IMAGE_N],
                         in->strides[BD_IMAGE_H] * d->step[0],
                         in->strides[BD_IMAGE_W] * d->step[1]);
  bd_arguments_add_number(all, "in_h", in->strides[BD_IMAGE_H] * d->spread[0]);
  bd_arguments_add_number(all, "in_w", in->strides[BD_IMAGE_W] * d->spread[1]);
  bd_arguments_add_image(all, "out", out->offset, out->strides[BD_IMAGE_N],
                         out->strides[BD_IMAGE_H], out->strides[BD_IMAGE_W]);
  bd_arguments_add(all, BD_ARGUMENT_BUFFER, "panels_base");
  bd_arguments_add_number(all, "window_h", d->filter.window[0]);
  bd_arguments_add_number(all, "window_w", d->filter.window[1]);
  if (bd_around_begin(&d->around) == BD_BEGIN_ROW)
    bd_arguments_add(all, BD_ARGUMENT_BUFFER, "row_base");
  bd_arguments_add_extras(all, &d->around.epilogue);
  bd_arguments_add(all, BD_ARGUMENT_INDEX, "unit_first");
  bd_arguments_add(all, BD_ARGUMENT_INDEX, "unit_last");
  bd_arguments_add_number(all, "n_lines", out->sizes[BD_IMAGE_H]);
  bd_arguments_add_value(all, BD_ARGUMENT_INDEX, "x_first", t->x_first);
  bd_arguments_add_value(all, BD_ARGUMENT_INDEX, "x_end", t->x_end);
  bd_arguments_add_number(all, "j_first", t->j_first);
  bd_arguments_add_number(all, "j_end", t->j_end);
  if (bd_channel_is_partial(t)) bd_arguments_add_number(all, "n_valid", t->valid);
}

/* ---- Places ---------------------------------------------------------------------------------- */

static const char *input_of(const bd_channels *d) {
  return d->words ? d->words->element->name : d->element->name;
}

static void write_input(bd_text *text, const bd_channel_tiles *t) {
  const char *const element = input_of(t->d);
  bd_buffer_write_whole(text, "in", t->d->words ? "in_elements" : "in_base", element);
  if (t->d->words)
    bd_text_format(text,
                   "  %%no_elements = arith.constant dense<0> : vector<%dx%s>\n"
                   "  %%signs = arith.constant dense<-128> : vector<%dx%s>\n",
                   t->d->lanes, element, t->d->lanes, element);
}

/* %NAME_start: where line %y of image %image begins. */
static void write_start(bd_text *text, const char *name) {
  bd_ir_write(text,
              "%s_of_image = image * %s_image; %s_of_line = y * %s_line;"
              "%s_start = %s_at + %s_of_image + %s_of_line;",
              name, name, name, name, name, name, name, name);
}

/* %NAME_P: where the tile's place P begins. LLVM is kept from seeing that places are one stride
 * apart: it would add that from one to the next in each round of the innermost loop. */
static void write_places(bd_text *text, const bd_channel_tiles *t, const char *name) {
  for (int64_t p = 0; p < t->places; ++p) {
    const long long i = (long long)p;
    const bd_phrase seen = bd_phrase_of("%s_seen_%lld", name, i);
    bd_ir_write(text, "%s = %s_start + x_%lld * %s_place;", seen.data, name, i, name);
    bd_write_veiled(text, bd_phrase_of("%s_%lld", name, i).data, seen.data);
  }
}

/* ---- The end of a tile ----------------------------------------------------------------------- */

/* Stores %sum#P, or what the epilogue makes of it. */
static void write_end(bd_text *text, const bd_channel_tiles *t, int64_t p) {
  const bd_epilogue *e = &t->d->around.epilogue;
  const bd_vectors vectors = bd_channel_vectors(t);
  const bd_phrase sum = bd_phrase_of("sum#%lld", (long long)p),
                  places = bd_phrase_of("of_%lld", (long long)p);
  const bd_epilogue_names names = {sum.data, "of_row", places.data, NULL};
  if (e->op.ptr) {
    bd_epilogue_write_loads(text, e, &bd_axes_of_images, &vectors, false,
                            bd_phrase_of("%%image, %%y, %%x_%lld, ", (long long)p).data, "channel",
                            places.data);
    bd_epilogue_write_body(text, e, &vectors, &names);
  }
  bd_vectors_write_store(
      text, &vectors,
      (e->op.ptr ? bd_epilogue_result(e, &names) : bd_phrase_of("%%%s", sum.data)).data,
      bd_phrase_of("out[%%to_%lld]", (long long)p).data, bd_type_whole(t->d->element->name).data);
}

static void write_tile(bd_text *text, const bd_channel_tiles *t) {
  const bd_vectors vectors = bd_channel_vectors(t);
  bd_ir_write(text, "channel = j * n_lanes; k_first = j * lines;");
  bd_channel_write_sums(text, t);
  if (t->d->around.epilogue.op.ptr) {
    bd_epilogue_write_numbers(text, &t->d->around.epilogue, &vectors);
    bd_epilogue_write_loads(text, &t->d->around.epilogue, &bd_axes_of_images, &vectors, true, "",
                            "channel", "of_row");
  }
  for (int64_t p = 0; p < t->places; ++p) write_end(text, t, p);
}

/* ---- The function and the call --------------------------------------------------------------- */

static void write_head(bd_text *text, const bd_channel_tiles *t) {
  const char *const element = t->d->element->name;
  bd_ir_write(text,
              "x_by = %lld; n_lanes = %d; window = window_h * window_w;"
              "lines = window + c%d;"
              "  %%zero = arith.constant dense<%s> : %s\n",
              (long long)t->places, t->d->lanes, t->d->words != NULL, t->d->element->zero,
              bd_channel_vector(t).data);
  if (bd_channel_is_partial(t))
    bd_text_format(text, "  %%mask = vector.create_mask %%n_valid : vector<%dxi1>\n", t->d->lanes);
  if (t->d->words)
    bd_dot_packing_write_recast(text, "in_elements", "in_base", element, input_of(t->d));
  write_input(text, t);
  bd_buffer_write_whole(text, "out", "out_base", element);
  bd_buffer_write_whole(text, "panels", "panels_base", element);
  if (bd_around_begin(&t->d->around) == BD_BEGIN_ROW)
    bd_buffer_write_whole(text, "row", "row_base", element);
  bd_epilogue_write_buffers(text, &t->d->around.epilogue, &bd_axes_of_images, element);
}

static void write_function(bd_text *text, const bd_channel_tiles *t, const bd_arguments *all) {
  bd_arguments_write_head(text, all, t->d->element->name, "");
  write_head(text, t);
  bd_ir_write(text,
              "for unit = unit_first to unit_last {"
              "image = unit / n_lines; y = unit %% n_lines;");
  write_start(text, "in");
  write_start(text, "out");
  bd_ir_write(text, "for x = x_first to x_end by x_by {");
  for (int64_t p = 0; p < t->places; ++p)
    bd_ir_write(text, "by_%lld = %lld; x_%lld = x + by_%lld;", (long long)p, (long long)p,
                (long long)p, (long long)p);
  write_places(text, t, "in");
  write_places(text, t, "out");
  bd_ir_write(text, "for j = j_first to j_end {");
  write_tile(text, t);
  bd_text_format(text, "  }\n  }\n  }\n  return\n}\n");
}

void bd_channel_tiles_write_bases(bd_text *text, const bd_channels *d) {
  const MlirType in = mlirValueGetType(d->images[0].base);
  bd_buffer_write_base_of(text, d->words ? "element_base" : "in_base", "x0", in);
  if (d->words) bd_dot_packing_write_buffer(text, d->words, "in_base", "element_base");
  bd_buffer_write_base_of(text, "out_base", "x2", mlirValueGetType(d->images[1].base));
  bd_buffer_write_base(text, "panels_base", "panels", bd_panels_type_b(&d->panels).data,
                       d->element->name);
}

void bd_channel_tiles_write(bd_text *text, const bd_channel_tiles *tiles, bd_kernels *kernels) {
  bd_arguments all;
  bd_text function = {.data = NULL};
  add_all(&all, tiles);
  write_function(&function, tiles, &all);
  bd_arguments_write_call(text, &all, &function, "channels", tiles->d->element->name, tiles->tag,
                          kernels);
}
