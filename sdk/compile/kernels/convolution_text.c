// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/convolution_text.c: the kernel of a convolution of any sizes; see
 * convolution_read.h. */
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/convolution_read.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/panels.h"

/* Of one group, whose sizes may be unknown: as a small one has. */
enum { COST_OF_GROUP = 32 * 1024 };

static const char *const names[] = {"in", "filter", "out"};

/* "in_sizes#2", or the name that stands for an axis that is not there. */
static bd_phrase axis_of(const bd_convolution *c, int i, const char *what, char letter,
                         const char *absent) {
  const int axis = bd_convolution_axis(c, i, letter);
  return axis < 0 ? bd_phrase_of("%s", absent) : bd_phrase_of("%s_%s#%d", names[i], what, axis);
}

static bd_phrase size_of(const bd_convolution *c, int i, char letter) {
  return axis_of(c, i, "sizes", letter, "c1");
}

static bd_phrase element_of(const bd_convolution *c, int i) {
  return bd_phrase_type(mlirShapedTypeGetElementType(c->types[i]));
}

/* What the library takes for it. */
static bd_phrase type_of(const bd_convolution *c, int i) {
  if (i == BD_CONVOLUTION_FILTER) return bd_type_matrix(element_of(c, i).data);
  return bd_phrase_of("memref<?x?x?x?x%s, strided<[?, ?, ?, ?], offset: ?>>",
                      element_of(c, i).data);
}

/* Where the present group starts: %in_start. */
static void write_start(bd_text *text, const bd_convolution *c, int i) {
  const int axis = bd_convolution_axis(c, i, 'g');
  if (axis < 0)
    bd_ir_write(text, "%s_start = %s_at;", names[i], names[i]);
  else
    bd_ir_write(text, "%s_step = g * %s_strides#%d; %s_start = %s_at + %s_step;", names[i],
                names[i], axis, names[i], names[i], names[i]);
}

/* Input or output as four axes in the order that the library wants. An axis that is not there is as
 * high as one row is wide: that keeps rows one after the other. */
static void write_image(bd_text *text, const bd_convolution *c, int i, const char *letters) {
  const bd_phrase row = bd_phrase_of("%s_row", names[i]);
  bd_text_format(text,
                 "  %%%s = memref.reinterpret_cast %%%s_base to offset: [%%%s_start], sizes: [",
                 names[i], names[i], names[i]);
  for (int k = 0; k < 4; ++k)
    bd_text_format(text, "%s%%%s", k > 0 ? ", " : "", size_of(c, i, letters[k]).data);
  bd_text_format(text, "], strides: [");
  for (int k = 0; k < 4; ++k)
    bd_text_format(text, "%s%%%s", k > 0 ? ", " : "",
                   axis_of(c, i, "strides", letters[k], row.data).data);
  bd_text_format(text, "] : memref<%s> to %s\n", element_of(c, i).data, type_of(c, i).data);
}

static void write_row(bd_text *text, const bd_convolution *c, int i) {
  bd_ir_write(text, "%s_row = %s * %s;", names[i], size_of(c, i, 'w').data,
              axis_of(c, i, "strides", 'w', "c1").data);
}

/* The filter as a matrix: f by (c, h, w), or (h, w, c) by f. */
static void write_filter(bd_text *text, const bd_convolution *c) {
  enum { F = BD_CONVOLUTION_FILTER };
  const bool is_nchw = c->form->is_nchw;
  const bd_phrase f = size_of(c, F, 'f');
  bd_ir_write(text,
              "kh = %s; kw = %s; k = kh * kw * %s;"
              "  %%filter = memref.reinterpret_cast %%filter_base to offset: [%%filter_start], "
              "sizes: [%%%s, %%%s], strides: [%%%s, %%%s] : memref<%s> to %s\n",
              size_of(c, F, 'h').data, size_of(c, F, 'w').data, size_of(c, F, 'c').data,
              is_nchw ? f.data : "k", is_nchw ? "k" : f.data,
              axis_of(c, F, "strides", is_nchw ? 'f' : 'c', "c1").data,
              axis_of(c, F, "strides", is_nchw ? 'w' : 'f', "c1").data, element_of(c, F).data,
              type_of(c, F).data);
}

static void write_call(bd_text *text, const bd_convolution *c, const char *function) {
  bd_ir_write(text,
              "by0 = %lld; by1 = %lld; by2 = %lld; by3 = %lld;"
              "  func.call @%s_%s(%%in, %%filter, %%out, %%kh, %%kw, %%by0, %%by1, %%by2, %%by3) : "
              "(%s, %s, %s, index, index, index, index, index, index) -> ()\n",
              (long long)c->strides[0], (long long)c->strides[1], (long long)c->dilations[0],
              (long long)c->dilations[1], function, c->form->is_nchw ? "planes" : "pixels",
              type_of(c, BD_CONVOLUTION_INPUT).data, type_of(c, BD_CONVOLUTION_FILTER).data,
              type_of(c, BD_CONVOLUTION_OUTPUT).data);
}

void bd_convolution_write(bd_text *text, const bd_convolution *c, const char *function) {
  const int group = bd_convolution_axis(c, BD_CONVOLUTION_INPUT, 'g');
  bd_head head = {.is_open = false};
  for (int i = 0; i < 3; ++i) bd_head_add(text, &head, bd_phrase_of("x%d", i).data, c->types[i]);
  bd_head_end(text, &head);
  for (int i = 0; i < 3; ++i)
    bd_buffer_write_metadata_of(text, names[i], bd_phrase_of("x%d", i).data, c->types[i]);
  write_row(text, c, BD_CONVOLUTION_INPUT);
  write_row(text, c, BD_CONVOLUTION_OUTPUT);
  if (group >= 0) /* threads share the groups */
    bd_text_format(text, "  scf.parallel (%%g) = (%%c0) to (%%in_sizes#%d) step (%%c1) {\n", group);
  for (int i = 0; i < 3; ++i) write_start(text, c, i);
  write_image(text, c, BD_CONVOLUTION_INPUT, "nchw");
  write_image(text, c, BD_CONVOLUTION_OUTPUT, "nfhw");
  write_filter(text, c);
  write_call(text, c, function);
  if (group >= 0) bd_units_end(text, COST_OF_GROUP);
  bd_text_format(text, "  return\n}\n");
}
