// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/convolution_text.c: the kernel of a convolution of any sizes; see
 * convolution_read.h. */
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/convolution_read.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panels/panels.h"

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

/* Where the present group starts: %in_start. */
static void write_start(bd_text *text, const bd_convolution *c, int i) {
  const int axis = bd_convolution_axis(c, i, 'g');
  if (axis < 0)
    bd_text_format(text, "%s_start = %s_at;", names[i], names[i]);
  else
    bd_text_format(text, "let x = %s; $x_step = g * $x_strides#%d; $x_start = $x_at + $x_step;",
                   names[i], axis);
}

/* Input or output as four axes in the order that the library wants. An axis that is not there is as
 * high as one row is wide: that keeps rows one after the other. */
static void write_image(bd_text *text, const bd_convolution *c, int i, const char *letters) {
  const bd_phrase row = bd_phrase_of("%s_row", names[i]);
  bd_text_format(text, "let x = %s; $x = view($x_base, $x_start, [", names[i]);
  for (int k = 0; k < 4; ++k)
    bd_text_format(text, "%s%s", k > 0 ? ", " : "", size_of(c, i, letters[k]).data);
  bd_text_format(text, "], [");
  for (int k = 0; k < 4; ++k)
    bd_text_format(text, "%s%s", k > 0 ? ", " : "",
                   axis_of(c, i, "strides", letters[k], row.data).data);
  bd_text_format(text, "]);");
}

static void write_row(bd_text *text, const bd_convolution *c, int i) {
  bd_text_format(text, "%s_row = %s * %s;", names[i], size_of(c, i, 'w').data,
                 axis_of(c, i, "strides", 'w', "c1").data);
}

/* The filter as a matrix: f by (c, h, w), or (h, w, c) by f. */
static void write_filter(bd_text *text, const bd_convolution *c) {
  enum { F = BD_CONVOLUTION_FILTER };
  const bool is_nchw = c->form->is_nchw;
  const bd_phrase f = size_of(c, F, 'f');
  bd_text_format(text,
                 "kh = %s; kw = %s; k = kh * kw * %s;"
                 "filter = view(filter_base, filter_start, [%s, %s], [%s, %s]);",
                 size_of(c, F, 'h').data, size_of(c, F, 'w').data, size_of(c, F, 'c').data,
                 is_nchw ? f.data : "k", is_nchw ? "k" : f.data,
                 axis_of(c, F, "strides", is_nchw ? 'f' : 'c', "c1").data,
                 axis_of(c, F, "strides", is_nchw ? 'w' : 'f', "c1").data);
}

static void write_call(bd_text *text, const bd_convolution *c, const char *function) {
  bd_text_format(text,
                 "by0 = %lld; by1 = %lld; by2 = %lld; by3 = %lld;"
                 "call(\"%s_%s\", in, filter, out, kh, kw, by0, by1, by2, by3);",
                 (long long)c->strides[0], (long long)c->strides[1], (long long)c->dilations[0],
                 (long long)c->dilations[1], function, c->form->is_nchw ? "planes" : "pixels");
}

void bd_convolution_write(bd_text *text, const bd_convolution *c, const char *function) {
  const int group = bd_convolution_axis(c, BD_CONVOLUTION_INPUT, 'g');
  bd_head head = {.is_open = false};
  for (int i = 0; i < 3; ++i) bd_head_add(text, &head, bd_phrase_of("x%d", i).data, c->types[i]);
  bd_head_end(text, &head);
  for (int i = 0; i < 3; ++i) bd_text_format(text, "metadata %s = x%d;", names[i], i);
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
