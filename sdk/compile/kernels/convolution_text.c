// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/convolution_text.c: the kernel of a convolution of any sizes; see
 * convolution_read.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/convolution_read.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/kernels/panels.h"
#include "sdk/compile/structured.h"

/* Of one group, whose sizes may be unknown: as a small one has. */
enum { COST_OF_GROUP = 32 * 1024 };

static const char *const names[] = {"in", "filter", "out"};

static void write_type(bd_text *text, MlirType element, const char *form) {
  bd_text_format(text, "memref<%s%s", form, bd_phrase_type(element).data);
}

static void write_metadata(bd_text *text, const bd_convolution *c, int i) {
  const int rank = (int)mlirShapedTypeGetRank(c->types[i]);
  bd_text_format(text,
                 "  %%%s_base, %%%s_offset, %%%s_size:%d, %%%s_stride:%d = "
                 "memref.extract_strided_metadata %%x%d : %s -> ",
                 names[i], names[i], names[i], rank, names[i], rank, i,
                 bd_phrase_type(c->types[i]).data);
  write_type(text, mlirShapedTypeGetElementType(c->types[i]), "");
  bd_text_format(text, ">, index");
  for (int k = 0; k < 2 * rank; ++k) bd_text_format(text, ", index");
  bd_text_format(text, "\n");
}

/* "%in_size#2", or the constant that stands for an axis that is not there. */
static void write_axis(bd_text *text, const bd_convolution *c, int i, const char *what, char letter,
                       const char *absent) {
  const int axis = bd_convolution_axis(c, i, letter);
  if (axis < 0)
    bd_text_format(text, "%s", absent);
  else
    bd_text_format(text, "%%%s_%s#%d", names[i], what, axis);
}

/* Where the present group starts: %in_at. */
static void write_start(bd_text *text, const bd_convolution *c, int i) {
  const int axis = bd_convolution_axis(c, i, 'g');
  if (axis < 0) {
    bd_ir_write(text, "%s_at = %s_offset;", names[i], names[i]);
    return;
  }
  bd_ir_write(text, "%s_step = g * %s_stride#%d; %s_at = %s_offset + %s_step;", names[i], names[i],
              axis, names[i], names[i], names[i]);
}

/* Input or output as four axes in the order that the library wants. */
static void write_image(bd_text *text, const bd_convolution *c, int i, const char *letters) {
  bd_text_format(text, "  %%%s = memref.reinterpret_cast %%%s_base to offset: [%%%s_at], sizes: [",
                 names[i], names[i], names[i]);
  for (int k = 0; k < 4; ++k) {
    bd_text_format(text, "%s", k > 0 ? ", " : "");
    write_axis(text, c, i, "size", letters[k], "%c1");
  }
  bd_text_format(text, "], strides: [");
  for (int k = 0; k < 4; ++k) {
    bd_text_format(text, "%s", k > 0 ? ", " : "");
    /* An axis that is not there is as high as one row is wide: that keeps rows one after the
     * other. */
    char row[32];
    snprintf(row, sizeof(row), "%%%s_row", names[i]);
    write_axis(text, c, i, "stride", letters[k], row);
  }
  const MlirType element = mlirShapedTypeGetElementType(c->types[i]);
  bd_text_format(text, "] : ");
  write_type(text, element, "");
  bd_text_format(text, "> to ");
  write_type(text, element, "?x?x?x?x");
  bd_text_format(text, ", strided<[?, ?, ?, ?], offset: ?>>\n");
}

static void write_row(bd_text *text, const bd_convolution *c, int i) {
  bd_text_format(text, "  %%%s_row = arith.muli ", names[i]);
  write_axis(text, c, i, "size", 'w', "%c1");
  bd_text_format(text, ", ");
  write_axis(text, c, i, "stride", 'w', "%c1");
  bd_text_format(text, " : index\n");
}

/* The filter as a matrix: f by (c, h, w), or (h, w, c) by f. */
static void write_filter(bd_text *text, const bd_convolution *c) {
  const char inner = c->form->is_nchw ? 'w' : 'c';
  bd_text_format(text, "  %%kh = arith.addi ");
  write_axis(text, c, BD_CONVOLUTION_FILTER, "size", 'h', "%c1");
  bd_text_format(text, ", %%c0 : index\n  %%kw = arith.addi ");
  write_axis(text, c, BD_CONVOLUTION_FILTER, "size", 'w', "%c1");
  bd_text_format(
      text,
      ", %%c0 : index\n  %%window = arith.muli %%kh, %%kw : index\n  %%k = arith.muli %%window, ");
  write_axis(text, c, BD_CONVOLUTION_FILTER, "size", 'c', "%c1");
  bd_text_format(text,
                 " : index\n  %%filter = memref.reinterpret_cast %%filter_base to offset: "
                 "[%%filter_at], sizes: [");
  const char first = c->form->is_nchw ? 'f' : inner, second = c->form->is_nchw ? inner : 'f';
  for (int k = 0; k < 2; ++k) {
    bd_text_format(text, "%s", k > 0 ? ", " : "");
    if ((k == 0 ? first : second) == inner)
      bd_text_format(text, "%%k");
    else
      write_axis(text, c, BD_CONVOLUTION_FILTER, "size", 'f', "%c1");
  }
  bd_text_format(text, "], strides: [");
  write_axis(text, c, BD_CONVOLUTION_FILTER, "stride", first, "%c1");
  bd_text_format(text, ", ");
  write_axis(text, c, BD_CONVOLUTION_FILTER, "stride", second, "%c1");
  const MlirType element = mlirShapedTypeGetElementType(c->types[BD_CONVOLUTION_FILTER]);
  bd_text_format(text, "] : ");
  write_type(text, element, "");
  bd_text_format(text, "> to ");
  write_type(text, element, "?x?x");
  bd_text_format(text, ", strided<[?, ?], offset: ?>>\n");
}

static void write_call(bd_text *text, const bd_convolution *c, const char *function) {
  const MlirType element = mlirShapedTypeGetElementType(c->types[BD_CONVOLUTION_INPUT]);
  const int64_t numbers[] = {c->strides[0], c->strides[1], c->dilations[0], c->dilations[1]};
  for (int i = 0; i < 4; ++i) bd_ir_write(text, "by%d = %lld;", i, (long long)numbers[i]);
  bd_text_format(
      text, "  func.call @%s_%s(%%in, %%filter, %%out, %%kh, %%kw, %%by0, %%by1, %%by2, %%by3) : (",
      function, c->form->is_nchw ? "planes" : "pixels");
  write_type(text, element, "?x?x?x?x");
  bd_text_format(text, ", strided<[?, ?, ?, ?], offset: ?>>, ");
  write_type(text, element, "?x?x");
  bd_text_format(text, ", strided<[?, ?], offset: ?>>, ");
  write_type(text, mlirShapedTypeGetElementType(c->types[BD_CONVOLUTION_OUTPUT]), "?x?x?x?x");
  bd_text_format(
      text,
      ", strided<[?, ?, ?, ?], offset: ?>>, index, index, index, index, index, index) -> ()\n");
}

void bd_convolution_write(bd_text *text, const bd_convolution *c, const char *function) {
  const int group = bd_convolution_axis(c, BD_CONVOLUTION_INPUT, 'g');
  bool is_bare = true;
  for (int i = 0; i < 3; ++i) {
    bd_text_format(text, "%s%%x%d: %s", i > 0 ? ", " : "(", i, bd_phrase_type(c->types[i]).data);
    is_bare &= bd_type_is_bare(c->types[i]);
  }
  bd_text_format(text, ")%s {\n", is_bare ? " attributes {llvm.bareptr}" : "");
  bd_ir_write(text, "c0 = 0; c1 = 1;");
  for (int i = 0; i < 3; ++i) write_metadata(text, c, i);
  write_row(text, c, BD_CONVOLUTION_INPUT);
  write_row(text, c, BD_CONVOLUTION_OUTPUT);
  if (group >= 0) /* threads share the groups */
    bd_text_format(text, "  scf.parallel (%%g) = (%%c0) to (%%in_size#%d) step (%%c1) {\n", group);
  for (int i = 0; i < 3; ++i) write_start(text, c, i);
  write_image(text, c, BD_CONVOLUTION_INPUT, "nchw");
  write_image(text, c, BD_CONVOLUTION_OUTPUT, "nfhw");
  write_filter(text, c);
  write_call(text, c, function);
  if (group >= 0) bd_units_end(text, COST_OF_GROUP);
  bd_text_format(text, "  return\n}\n");
}
