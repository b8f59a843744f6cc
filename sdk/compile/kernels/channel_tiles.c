// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channel_tiles.c: text of a depthwise tile with channels innermost. */
#include <stdbool.h>
#include <stdio.h>

#include "sdk/compile/kernels/arguments.h"
#include "sdk/compile/kernels/channel_parts.h"
#include "sdk/compile/kernels/ir_text.h"

static void name_extra(char name[24], int k) { snprintf(name, 24, "extra_%d", k); }

/* ---- What is passed -------------------------------------------------------------------------- */

static void add_extras(bd_arguments *all, const bd_channels *d) {
  for (int k = 0; k < d->epilogue.n; ++k) {
    const bd_extra *extra = &d->epilogue.extras[k];
    char name[24];
    name_extra(name, k);
    bd_arguments_add_image(all, name, extra->offset, extra->strides[BD_N], extra->strides[BD_H],
                           extra->strides[BD_W]);
  }
}

static void add_all(bd_arguments *all, const bd_channel_tiles *t) {
  const bd_channels *d = t->d;
  const bd_geometry *in = &d->images[0], *out = &d->images[1];
  all->n = 0;
  bd_arguments_add_image(all, "in", in->offset, in->strides[BD_N], in->strides[BD_H] * d->step[0],
                         in->strides[BD_W] * d->step[1]);
  bd_arguments_add_number(all, "in_h", in->strides[BD_H] * d->spread[0]);
  bd_arguments_add_number(all, "in_w", in->strides[BD_W] * d->spread[1]);
  bd_arguments_add_image(all, "out", out->offset, out->strides[BD_N], out->strides[BD_H],
                         out->strides[BD_W]);
  bd_arguments_add_value(all, BD_ARGUMENT_BUFFER, "panels_base", "panels_base");
  bd_arguments_add_number(all, "window_h", d->filter.window[0]);
  bd_arguments_add_number(all, "window_w", d->filter.window[1]);
  if (d->begin == BD_BEGIN_ROW)
    bd_arguments_add_value(all, BD_ARGUMENT_BUFFER, "row_base", "row_base");
  add_extras(all, d);
  bd_arguments_add_value(all, BD_ARGUMENT_INDEX, "unit_first", "unit_first");
  bd_arguments_add_value(all, BD_ARGUMENT_INDEX, "unit_last", "unit_last");
  bd_arguments_add_number(all, "n_lines", out->sizes[BD_H]);
  bd_arguments_add_number(all, "x_first", t->x_first);
  bd_arguments_add_number(all, "x_end", t->x_end);
  bd_arguments_add_number(all, "j_first", t->j_first);
  bd_arguments_add_number(all, "j_end", t->j_end);
  if (bd_channel_is_partial(t)) bd_arguments_add_number(all, "n_valid", t->valid);
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* %NAME = the buffer %NAME_base, as a vector whose size says nothing. */
static void write_buffer(bd_text *text, const bd_channel_tiles *t, const char *name) {
  bd_text_format(text,
                 "  %%%s = memref.reinterpret_cast %%%s_base to offset: [0], sizes: [%%c1], "
                 "strides: [1] : memref<%s> to memref<?x%s>\n",
                 name, name, t->d->element->name, t->d->element->name);
}

static const char *input_of(const bd_channels *d) {
  return d->words ? d->words->element->name : d->element->name;
}

static void write_input(bd_text *text, const bd_channel_tiles *t) {
  if (!t->d->words) {
    write_buffer(text, t, "in");
    return;
  }
  bd_dot_packing_write_recast(text, "in_elements", "in_base", t->d->element->name, input_of(t->d));
  bd_text_format(text,
                 "  %%in = memref.reinterpret_cast %%in_elements to offset: [0], sizes: [%%c1], "
                 "strides: [1] : memref<%s> to memref<?x%s>\n"
                 "  %%no_elements = arith.constant dense<0> : vector<%dx%s>\n"
                 "  %%signs = arith.constant dense<-128> : vector<%dx%s>\n",
                 input_of(t->d), input_of(t->d), t->d->lanes, input_of(t->d), t->d->lanes,
                 input_of(t->d));
}

/* %extra_K as the epilogue reads it: c, or n, h, w, c. */
static bd_phrase type_extra(const bd_channels *d, int k) {
  return bd_phrase_of(d->epilogue.extras[k].is_row
                          ? "memref<?x%s, strided<[1], offset: ?>>"
                          : "memref<?x?x?x?x%s, strided<[?, ?, ?, 1], offset: ?>>",
                      d->element->name);
}

static void write_extras(bd_text *text, const bd_channels *d) {
  for (int k = 0; k < d->epilogue.n; ++k) {
    char name[24];
    name_extra(name, k);
    bd_text_format(text,
                   "  %%%s = memref.reinterpret_cast %%%s_base to offset: [%%%s_at], sizes: ", name,
                   name, name);
    if (d->epilogue.extras[k].is_row)
      bd_text_format(text, "[%%c1], strides: [1]");
    else
      bd_text_format(text,
                     "[%%c1, %%c1, %%c1, %%c1], strides: [%%%s_image, %%%s_line, %%%s_place, 1]",
                     name, name, name);
    bd_text_format(text, " : memref<%s> to %s\n", d->element->name, type_extra(d, k).data);
  }
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

/* Extras that are rows, or those that are not, of place p. */
static void write_loads(bd_text *text, const bd_channel_tiles *t, int64_t p, bool are_rows,
                        const char *tag) {
  const bd_epilogue *e = &t->d->epilogue;
  const bd_vectors vectors = bd_channel_vectors(t);
  const bd_phrase place =
      are_rows ? bd_phrase_of("%s", "") : bd_phrase_of("%%image, %%y, %%x_%lld, ", (long long)p);
  for (int k = 0; k < e->n; ++k) {
    if (e->extras[k].is_row == are_rows)
      bd_epilogue_write_load(text, e, k, &vectors, place.data, "channel", type_extra(t->d, k).data,
                             tag);
  }
}

/* Stores %sum#P, or what the epilogue makes of it. */
static void write_end(bd_text *text, const bd_channel_tiles *t, int64_t p) {
  const bd_epilogue *e = &t->d->epilogue;
  const bd_vectors vectors = bd_channel_vectors(t);
  const bd_phrase sum = bd_phrase_of("sum#%lld", (long long)p),
                  places = bd_phrase_of("of_%lld", (long long)p);
  const bd_epilogue_names names = {sum.data, "of_row", places.data};
  if (e->op.ptr) {
    write_loads(text, t, p, 0, places.data);
    bd_epilogue_write_body(text, e, &vectors, &names);
  }
  bd_vectors_write_store(
      text, &vectors,
      (e->op.ptr ? bd_epilogue_result(e, &names) : bd_phrase_of("%%%s", sum.data)).data,
      bd_phrase_of("out[%%to_%lld]", (long long)p).data, bd_channel_buffer(t).data);
}

static void write_tile(bd_text *text, const bd_channel_tiles *t) {
  const bd_vectors vectors = bd_channel_vectors(t);
  bd_ir_write(text, "channel = j * n_lanes; k_first = j * lines;");
  bd_channel_write_sums(text, t);
  if (t->d->epilogue.op.ptr) {
    bd_epilogue_write_numbers(text, &t->d->epilogue, &vectors);
    write_loads(text, t, 0, 1, "of_row");
  }
  for (int64_t p = 0; p < t->places; ++p) write_end(text, t, p);
}

/* ---- The function and the call --------------------------------------------------------------- */

static void write_head(bd_text *text, const bd_channel_tiles *t) {
  bd_ir_write(text,
              " attributes {llvm.bareptr} {\n"
              "c0 = 0; c1 = 1; x_by = %lld; n_lanes = %d; window = window_h * window_w;"
              "lines = window + c%d;"
              "  %%zero = arith.constant dense<%s> : %s\n",
              (long long)t->places, t->d->lanes, t->d->words != NULL, t->d->element->zero,
              bd_channel_vector(t).data);
  if (bd_channel_is_partial(t))
    bd_text_format(text, "  %%mask = vector.create_mask %%n_valid : vector<%dxi1>\n", t->d->lanes);
  write_input(text, t);
  write_buffer(text, t, "out");
  write_buffer(text, t, "panels");
  if (t->d->begin == BD_BEGIN_ROW) write_buffer(text, t, "row");
  write_extras(text, t->d);
}

static void write_function(bd_text *text, const bd_channel_tiles *t, const bd_arguments *all) {
  bd_arguments_write_parameters(text, all, t->d->element->name);
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
  static const char *const names[] = {"in_base", "out_base"}, *const values[] = {"x0", "x2"};
  const char *element = d->element->name;
  for (int i = 0; i < 2; ++i) {
    const bool has_elements = d->words && i == 0;
    bd_base_write(text, has_elements ? "element_base" : names[i], values[i]);
    bd_text_format(text, "%s", bd_phrase_type(mlirValueGetType(d->images[i].base)).data);
    bd_base_write_end(text, has_elements ? d->words->element->name : element);
    if (has_elements) bd_dot_packing_write_buffer(text, d->words, "in_base", "element_base");
  }
  bd_base_write(text, "panels_base", "panels");
  bd_text_format(text, "%s", bd_panels_type_b(&d->panels).data);
  bd_base_write_end(text, element);
  if (d->begin == BD_BEGIN_ROW) {
    bd_base_write(text, "row_base", "row");
    bd_text_format(text, "memref<%lldx%s>", (long long)d->filter.filters, element);
    bd_base_write_end(text, element);
  }
  for (int k = 0; k < d->epilogue.n; ++k) {
    char name[24];
    snprintf(name, sizeof(name), "extra_%d_base", k);
    bd_base_write(text, name, bd_phrase_of("e%d", k).data);
    bd_text_format(text, "%s", bd_phrase_type(d->epilogue.extras[k].type).data);
    bd_base_write_end(text, element);
  }
}

void bd_channel_tiles_write(bd_text *text, const bd_channel_tiles *tiles, bd_kernels *kernels) {
  bd_arguments all;
  bd_text function = {.data = NULL};
  add_all(&all, tiles);
  write_function(&function, tiles, &all);
  bd_arguments_write_call(text, &all, &function, "channels", tiles->d->element->name, tiles->tag,
                          kernels);
}
