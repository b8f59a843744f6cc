// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/channels.c: depthwise convolutions over images whose channels lie innermost;
 * see depthwise.h. Threads share the lines. */
#include "sdk/compile/kernels/channel_tiles.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "sdk/compile/kernels/choice.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/compile/kernels/depthwise.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/rewrite/geometry.h"

/* Places of a tile: as many sums as hide the time that one takes. */
enum { MAX_PLACES = 8 };
/* ---- Reading --------------------------------------------------------------------------------- */

static int read_filter(MlirValue value, bd_filter *out) {
  bd_geometry filter;
  if (!bd_geometry_read(value, &filter) || filter.rank != 3) return 0;
  const int64_t *sizes = filter.sizes, *strides = filter.strides;
  *out = (bd_filter){.type = mlirValueGetType(filter.base),
                     .offset = filter.offset,
                     .filters = sizes[0],
                     .channels = 1,
                     .window = {sizes[1], sizes[2]},
                     .of_filter = strides[0],
                     .of_window = {strides[1], strides[2]}};
  return sizes[1] * sizes[2] > 0;
}

static int read_images(MlirOperation op, bd_channels *d) {
  for (int i = 0; i < 2; ++i) {
    if (!bd_extents_read_geometry(&d->extents, mlirOperationGetOperand(op, 2 * i), &d->images[i]) ||
        d->images[i].rank != BD_IMAGE_RANK)
      return 0;
    for (int k = 0; k < BD_IMAGE_RANK; ++k) {
      if (d->images[i].sizes[k] == 0) return 0;
    }
  }
  return 1;
}

/* Of one element type; or bytes, whose sums are in 32 bits. */
static bool has_types(const bd_prepacking *prepacking, bd_elements e) {
  const bd_dot_packing *words = bd_dot_packing_for(e);
  if (words && words->is_shifted) return prepacking->machine->has_words[words->kind];
  return e.of[0] == e.of[1] && e.of[2] == e.of[1] && (e.of[1] == &bd_f32 || e.of[1] == &bd_f64);
}

static int read_depthwise(MlirOperation op, const bd_prepacking *prepacking, bd_channels *d) {
  *d = (bd_channels){.extents = {.has_offsets = true}};
  const MlirValue filter = mlirOperationGetOperand(op, 1), whole = bd_base_of(filter);
  bd_elements elements;
  for (int i = 0; i < 3; ++i)
    elements.of[i] = bd_element_in(mlirValueGetType(mlirOperationGetOperand(op, i)));
  if (!has_types(prepacking, elements)) return 0;
  if (!read_filter(filter, &d->filter) || !bd_is_steady(prepacking, whole) || !read_images(op, d) ||
      !bd_op_read_pair(op, "strides", d->step) || !bd_op_read_pair(op, "dilations", d->spread))
    return 0;
  if (elements.of[1]->is_integer) d->words = bd_dot_packing_of(BD_PACKED_BYTES);
  d->element = elements.of[2];
  bd_panels_init(&d->panels, prepacking->machine, d->element);
  d->lanes = d->panels.lanes;
  d->panels.words = d->words;
  d->panels.vectors = 1;
  d->panels.n = d->filter.filters;
  d->panels.k = d->filter.window[0] * d->filter.window[1];
  return 1;
}

int bd_depthwise_takes_nhwc(MlirOperation op, const bd_prepacking *prepacking) {
  bd_channels d;
  return read_depthwise(op, prepacking, &d);
}

/* ---- The kernel's text ----------------------------------------------------------------------- */

/* All lines from %unit_first to %unit_last, of so many places from %FROM to %TO. */
static void write_places(bd_text *text, const bd_channels *d, int64_t places, const char *from,
                         const char *to, bd_kernels *kernels) {
  const int64_t whole = d->panels.n / d->lanes, rest = d->panels.n % d->lanes;
  const bd_phrase last = bd_phrase_of("%s_last", to);
  bd_channel_tiles tiles = {d, places, from, to, 0, whole, d->lanes, to};
  if (whole > 0) bd_channel_tiles_write(text, &tiles, kernels);
  if (rest == 0) return;
  tiles = (bd_channel_tiles){d, places, from, to, whole, whole + 1, rest, last.data};
  bd_channel_tiles_write(text, &tiles, kernels);
}

/* Lines of a width that is known: tiles as even as they can be, and a last one. */
static void write_known(bd_text *text, const bd_channels *d, int64_t width, bd_kernels *kernels) {
  const int64_t n = bd_divide_up(width, MAX_PLACES), places = bd_divide_up(width, n);
  const int64_t rest = width % places;
  bd_ir_write(text, "begin = 0;");
  bd_text_index(text, "main", width - rest);
  write_places(text, d, places, "begin", "main", kernels);
  if (rest == 0) return;
  bd_text_index(text, "rest", width);
  write_places(text, d, rest, "main", "rest", kernels);
}

/* Lines of any width: tiles as wide as there are, then one half as wide, or none, and so on. */
static void write_any(bd_text *text, const bd_channels *d, int64_t width, bd_kernels *kernels) {
  bd_phrase from = bd_phrase_of("by_%d", 2 * MAX_PLACES);
  bd_ir_write(text, "%s = 0;", from.data);
  bd_extents_write_index(text, &d->extents, "width", width);
  for (int places = MAX_PLACES; places > 0; places /= 2) {
    const bd_phrase to = bd_phrase_of("by_%d", places);
    bd_ir_write(text, "%s = width - width %% %d;", to.data, places);
    write_places(text, d, places, from.data, to.data, kernels);
    from = to;
  }
}

static void write_lines(bd_text *text, const bd_channels *d, bd_kernels *kernels) {
  const bd_geometry *out = &d->images[1];
  const int64_t width = out->sizes[BD_IMAGE_W],
                lines = out->sizes[BD_IMAGE_N] * out->sizes[BD_IMAGE_H];
  const int64_t products = d->panels.n * bd_extents_usual(&d->extents, width) * d->panels.k;
  bd_extents_write_index(text, &d->extents, "unit_units", lines);
  bd_units_begin(text, "unit", -1);
  if (bd_extents_is_unknown(&d->extents, width))
    write_any(text, d, width, kernels);
  else
    write_known(text, d, width, kernels);
  bd_units_end(text, products / BD_PLACES_AT_ONCE);
}

static void write_kernel(bd_text *text, const bd_channels *d, const char *pack,
                         bd_kernels *kernels) {
  const MlirType types[] = {mlirValueGetType(d->images[0].base), d->filter.type,
                            mlirValueGetType(d->images[1].base)};
  bd_around_write_parameters(text, types, &d->around, &d->extents, true);
  bd_panels_write_prepacked(text, &d->panels);
  bd_filter_write_packing(text, &d->filter, 1, &d->panels, pack);
  bd_affine_write(text, &d->around.affine, &d->panels, kernels);
  bd_panels_write_prepacked_end(text);
  bd_around_write_bases(text, &d->around, d->element);
  bd_channel_tiles_write_bases(text, d);
  write_lines(text, d, kernels);
  bd_text_format(text, "  return\n}\n");
}

/* ---- Replacing ------------------------------------------------------------------------------- */

/* Finds what the convolution begins with, and what follows, if that writes to an image whose channels
 * lie innermost. */
static void find_around(MlirOperation op, const bd_prepacking *prepacking, bd_channels *d) {
  bd_geometry output;
  const MlirValue to = mlirOperationGetOperand(op, 2);
  d->around.begin = bd_beginning_find(op, to, BD_IMAGE_C);
  if (d->words || prepacking->fusion < 0) return; /* what follows words has other types */
  const bd_epilogue found = bd_epilogue_find(op, to, &d->around.begin, BD_IMAGE_C, &d->extents);
  if (!found.op.ptr || !bd_extents_read_geometry(&d->extents, found.output, &output) ||
      output.strides[BD_IMAGE_C] != 1)
    return;
  d->images[1] = output;
  bd_around_follow(&d->around, &found, prepacking);
  d->panels.prepacked_rows = bd_affine_prepacked_rows(&d->around.affine);
}

static buddy_code replace(MlirOperation op, bd_kernels *kernels, bd_prepacking *prepacking) {
  bd_channels d;
  const char *name, *pack;
  bd_text text = {.data = NULL};
  if (!read_depthwise(op, prepacking, &d) || d.images[0].strides[BD_IMAGE_C] != 1 ||
      d.images[1].strides[BD_IMAGE_C] != 1)
    return BUDDY_OK;
  find_around(op, prepacking, &d);
  BD_TRY(bd_kernels_want_of(kernels, BD_LIBRARY_FILTER, bd_element_in(d.filter.type), &pack));
  write_kernel(&text, &d, pack, kernels);
  BD_TRY(bd_kernels_add(kernels, "depthwise", &text, &name));
  bd_choice_tell(kernels, op, (bd_choice){"depthwise", "channels next to each other", false});
  const MlirValue buffers[] = {d.images[0].base, bd_base_of(mlirOperationGetOperand(op, 1)),
                               d.images[1].base};
  BD_TRY(bd_around_call(&d.around, op, name, buffers, &d.extents, true, prepacking));
  bd_epilogue_erase(&d.around.found);
  return BUDDY_OK;
}

buddy_code bd_depthwise_replace_nhwc(MlirOperation root, bd_kernels *kernels,
                                     bd_prepacking *prepacking) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.depthwise_conv_2d_nchw_chw");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i)
    code = replace(ops.items[i], kernels, prepacking);
  bd_ops_deinit(&ops);
  return code;
}
