/* sdk/compile/kernels/convolution.c: see convolution.h.
 *
 * Named operations differ in the order of axes only. A table spells the order of each operand's
 * axes by letters: n, g (group), c (channels in), f (channels out), h, w; h and w of a filter are
 * its window. */
#include "sdk/compile/kernels/convolution.h"

#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/kernels/winograd.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/strided.h"

/* Of one group, whose sizes may be unknown: as a small one has. */
enum { COST_OF_GROUP = 32 * 1024 };

enum { INPUT, FILTER, OUTPUT };

typedef struct layout {
  const char *op;
  const char *axes[3];
  int has_planes; /* the form of convolution.mlir: planes or pixels */
} layout;

static const layout layouts[] = {
    {"linalg.conv_2d_nchw_fchw", {"nchw", "fchw", "nfhw"}, 1},
    {"linalg.conv_2d_nhwc_hwcf", {"nhwc", "hwcf", "nhwf"}, 0},
    {"linalg.conv_2d_nhwc_fhwc", {"nhwc", "fhwc", "nhwf"}, 0},
    {"linalg.conv_2d_ngchw_fgchw", {"ngchw", "fgchw", "ngfhw"}, 1},
    {"linalg.conv_2d_ngchw_gfchw", {"ngchw", "gfchw", "ngfhw"}, 1},
    {"linalg.conv_2d_nhwgc_gfhwc", {"nhwgc", "gfhwc", "nhwgf"}, 0},
    {"linalg.conv_1d_ncw_fcw", {"ncw", "fcw", "nfw"}, 1},
    {"linalg.conv_1d_nwc_wcf", {"nwc", "wcf", "nwf"}, 0},
};

typedef struct convolution {
  const layout *form;
  MlirType types[3];
  int64_t strides[2], dilations[2]; /* along h and w */
} convolution;

/* The axis of that letter, or -1. */
static int axis_of(const convolution *c, int operand, char letter) {
  const char *at = strchr(c->form->axes[operand], letter);
  return at == NULL ? -1 : (int)(at - c->form->axes[operand]);
}

static int64_t size_of(const convolution *c, int operand, char letter) {
  const int axis = axis_of(c, operand, letter);
  if (axis < 0) return 1;
  return mlirShapedTypeIsDynamicDim(c->types[operand], axis)
             ? -1
             : mlirShapedTypeGetDimSize(c->types[operand], axis);
}

/* Numbers along h and w of an attribute like strides; of operations over one axis, along w alone.
 */
static int read_pair(MlirOperation op, const char *name, int has_height, int64_t out[2]) {
  const MlirAttribute values = bd_op_attribute(op, name);
  out[0] = out[1] = 1;
  if (values.ptr == NULL) return 1;
  if (!mlirAttributeIsADenseElements(values) ||
      mlirElementsAttrGetNumElements(values) != 1 + has_height)
    return 0;
  for (int i = 0; i < 1 + has_height; i++)
    out[1 - has_height + i] = mlirDenseElementsAttrGetInt64Value(values, i);
  return 1;
}

/* Few channels make thin matrices; below these, packing costs more than it gives. */
static int is_worthwhile(const convolution *c) {
  const int64_t channels = size_of(c, INPUT, 'c'), filters = size_of(c, FILTER, 'f');
  const int64_t window = size_of(c, FILTER, 'h') * size_of(c, FILTER, 'w');
  const int64_t depth = channels < 0 || window < 0 ? 64 : channels * window;
  return (filters < 0 || filters >= 4) && depth >= 8;
}

static int read_convolution(MlirOperation op, convolution *c) {
  size_t i = 0;
  while (i < sizeof(layouts) / sizeof(layouts[0]) && !bd_op_is(op, layouts[i].op)) i++;
  if (i == sizeof(layouts) / sizeof(layouts[0]) || mlirOperationGetNumOperands(op) != 3) return 0;
  c->form = &layouts[i];
  for (int k = 0; k < 3; k++) {
    c->types[k] = mlirValueGetType(mlirOperationGetOperand(op, k));
    if (!mlirTypeIsAMemRef(c->types[k])) return 0;
  }
  const int has_height = axis_of(c, INPUT, 'h') >= 0;
  if (!read_pair(op, "strides", has_height, c->strides)) return 0;
  if (!read_pair(op, "dilations", has_height, c->dilations)) return 0;
  return is_worthwhile(c);
}

/* ---- The kernel's text
 * -------------------------------------------------------------------------------------------- */

static const char *const names[] = {"in", "filter", "out"};

static void write_type(bd_text *text, MlirType element, const char *form) {
  bd_text_format(text, "memref<%s", form);
  bd_text_type(text, element);
}

static void write_metadata(bd_text *text, const convolution *c, int i) {
  const int rank = (int)mlirShapedTypeGetRank(c->types[i]);
  bd_text_format(text,
                 "  %%%s_base, %%%s_offset, %%%s_size:%d, %%%s_stride:%d = "
                 "memref.extract_strided_metadata %%x%d : ",
                 names[i], names[i], names[i], rank, names[i], rank, i);
  bd_text_type(text, c->types[i]);
  bd_text_format(text, " -> ");
  write_type(text, mlirShapedTypeGetElementType(c->types[i]), "");
  bd_text_format(text, ">, index");
  for (int k = 0; k < 2 * rank; k++) bd_text_format(text, ", index");
  bd_text_format(text, "\n");
}

/* "%in_size#2", or the constant that stands for an axis that is not there. */
static void write_axis(bd_text *text, const convolution *c, int i, const char *what, char letter,
                       const char *absent) {
  const int axis = axis_of(c, i, letter);
  if (axis < 0)
    bd_text_format(text, "%s", absent);
  else
    bd_text_format(text, "%%%s_%s#%d", names[i], what, axis);
}

/* Where the present group starts: %in_at. */
static void write_start(bd_text *text, const convolution *c, int i) {
  const int axis = axis_of(c, i, 'g');
  if (axis < 0) {
    bd_text_format(text, "  %%%s_at = arith.addi %%%s_offset, %%c0 : index\n", names[i], names[i]);
    return;
  }
  bd_text_format(text, "  %%%s_step = arith.muli %%g, %%%s_stride#%d : index\n", names[i], names[i],
                 axis);
  bd_text_format(text, "  %%%s_at = arith.addi %%%s_offset, %%%s_step : index\n", names[i],
                 names[i], names[i]);
}

/* Input or output as four axes in the order that the library wants. */
static void write_image(bd_text *text, const convolution *c, int i, const char *letters) {
  bd_text_format(text, "  %%%s = memref.reinterpret_cast %%%s_base to offset: [%%%s_at], sizes: [",
                 names[i], names[i], names[i]);
  for (int k = 0; k < 4; k++) {
    bd_text_format(text, "%s", k > 0 ? ", " : "");
    write_axis(text, c, i, "size", letters[k], "%c1");
  }
  bd_text_format(text, "], strides: [");
  for (int k = 0; k < 4; k++) {
    bd_text_format(text, "%s", k > 0 ? ", " : "");
    /* An axis that is not there is as high as one row is wide: that keeps rows one behind the
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

static void write_row(bd_text *text, const convolution *c, int i) {
  bd_text_format(text, "  %%%s_row = arith.muli ", names[i]);
  write_axis(text, c, i, "size", 'w', "%c1");
  bd_text_format(text, ", ");
  write_axis(text, c, i, "stride", 'w', "%c1");
  bd_text_format(text, " : index\n");
}

/* The filter as a matrix: f by (c, h, w), or (h, w, c) by f. */
static void write_filter(bd_text *text, const convolution *c) {
  const char inner = c->form->has_planes ? 'w' : 'c';
  bd_text_format(text, "  %%kh = arith.addi ");
  write_axis(text, c, FILTER, "size", 'h', "%c1");
  bd_text_format(text, ", %%c0 : index\n  %%kw = arith.addi ");
  write_axis(text, c, FILTER, "size", 'w', "%c1");
  bd_text_format(
      text,
      ", %%c0 : index\n  %%window = arith.muli %%kh, %%kw : index\n  %%k = arith.muli %%window, ");
  write_axis(text, c, FILTER, "size", 'c', "%c1");
  bd_text_format(text,
                 " : index\n  %%filter = memref.reinterpret_cast %%filter_base to offset: "
                 "[%%filter_at], sizes: [");
  const char first = c->form->has_planes ? 'f' : inner, second = c->form->has_planes ? inner : 'f';
  for (int k = 0; k < 2; k++) {
    bd_text_format(text, "%s", k > 0 ? ", " : "");
    if ((k == 0 ? first : second) == inner)
      bd_text_format(text, "%%k");
    else
      write_axis(text, c, FILTER, "size", 'f', "%c1");
  }
  bd_text_format(text, "], strides: [");
  write_axis(text, c, FILTER, "stride", first, "%c1");
  bd_text_format(text, ", ");
  write_axis(text, c, FILTER, "stride", second, "%c1");
  const MlirType element = mlirShapedTypeGetElementType(c->types[FILTER]);
  bd_text_format(text, "] : ");
  write_type(text, element, "");
  bd_text_format(text, "> to ");
  write_type(text, element, "?x?x");
  bd_text_format(text, ", strided<[?, ?], offset: ?>>\n");
}

static void write_call(bd_text *text, const convolution *c, const char *function) {
  const MlirType element = mlirShapedTypeGetElementType(c->types[INPUT]);
  const int64_t numbers[] = {c->strides[0], c->strides[1], c->dilations[0], c->dilations[1]};
  for (int i = 0; i < 4; i++)
    bd_text_format(text, "  %%by%d = arith.constant %lld : index\n", i, (long long)numbers[i]);
  bd_text_format(
      text, "  func.call @%s_%s(%%in, %%filter, %%out, %%kh, %%kw, %%by0, %%by1, %%by2, %%by3) : (",
      function, c->form->has_planes ? "planes" : "pixels");
  write_type(text, element, "?x?x?x?x");
  bd_text_format(text, ", strided<[?, ?, ?, ?], offset: ?>>, ");
  write_type(text, element, "?x?x");
  bd_text_format(text, ", strided<[?, ?], offset: ?>>, ");
  write_type(text, mlirShapedTypeGetElementType(c->types[OUTPUT]), "?x?x?x?x");
  bd_text_format(
      text,
      ", strided<[?, ?, ?, ?], offset: ?>>, index, index, index, index, index, index) -> ()\n");
}

static void write_kernel(bd_text *text, const convolution *c, const char *function) {
  const int group = axis_of(c, INPUT, 'g');
  int is_bare = 1;
  for (int i = 0; i < 3; i++) {
    bd_text_format(text, "%s%%x%d: ", i > 0 ? ", " : "(", i);
    bd_text_type(text, c->types[i]);
    is_bare &= bd_type_is_bare(c->types[i]);
  }
  bd_text_format(text, ")%s {\n", is_bare ? " attributes {llvm.bareptr}" : "");
  bd_text_format(text, "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n");
  for (int i = 0; i < 3; i++) write_metadata(text, c, i);
  write_row(text, c, INPUT);
  write_row(text, c, OUTPUT);
  if (group >= 0) /* threads share the groups */
    bd_text_format(text, "  scf.parallel (%%g) = (%%c0) to (%%in_size#%d) step (%%c1) {\n", group);
  for (int i = 0; i < 3; i++) write_start(text, c, i);
  write_image(text, c, INPUT, "nchw");
  write_image(text, c, OUTPUT, "nfhw");
  write_filter(text, c);
  write_call(text, c, function);
  if (group >= 0) bd_units_end(text, COST_OF_GROUP);
  bd_text_format(text, "  return\n}\n");
}

/* ---- Loops for one shape ----------------------------------------------------------------------
 */

/* A convolution whose kernel is written for its shape. */
typedef struct exact {
  bd_shaped shaped;
  MlirValue buffers[3]; /* that input, filter and output lie in */
  bd_beginning begin;
  bd_epilogue found; /* all of what follows it, which the kernel does */
} exact;

/* How an operand, or what is read or written in its place, lies in its buffer. */
static int read_pixels(const convolution *c, MlirValue value, int operand, exact *out) {
  bd_geometry g;
  const char channel = operand == INPUT ? 'c' : 'f';
  bd_pixels *pixels = operand == INPUT ? &out->shaped.input : &out->shaped.output;
  if (!bd_geometry_read(value, &g)) return 0;
  const int h = axis_of(c, operand, 'h'), w = axis_of(c, operand, 'w');
  out->buffers[operand] = g.base;
  *pixels = (bd_pixels){.type = mlirValueGetType(g.base),
                        .offset = g.offset,
                        .n = g.strides[axis_of(c, operand, 'n')],
                        .c = g.strides[axis_of(c, operand, channel)],
                        .h = h < 0 ? g.sizes[w] * g.strides[w] : g.strides[h],
                        .w = g.strides[w]};
  return 1;
}

static int read_filter(const convolution *c, MlirOperation op, bd_filter *out) {
  static const char letters[] = "hw";
  int64_t strides[BD_MAX_RANK];
  if (!bd_type_is_bare(c->types[FILTER]) || !bd_memref_strides(c->types[FILTER], strides)) return 0;
  *out = (bd_filter){.type = c->types[FILTER],
                     .filters = size_of(c, FILTER, 'f'),
                     .channels = size_of(c, FILTER, 'c'),
                     .of_filter = strides[axis_of(c, FILTER, 'f')],
                     .of_channel = strides[axis_of(c, FILTER, 'c')]};
  for (int i = 0; i < 2; i++) {
    const int axis = axis_of(c, FILTER, letters[i]);
    out->window[i] = size_of(c, FILTER, letters[i]);
    out->of_window[i] = axis < 0 ? 0 : strides[axis];
  }
  return mlirOperationGetNumOperands(op) == 3;
}

static int are_bytes(const convolution *c) {
  static const unsigned widths[] = {8, 8, 32};
  for (int i = 0; i < 3; i++) {
    const MlirType element = mlirShapedTypeGetElementType(c->types[i]);
    if (!mlirTypeIsAInteger(element) || mlirIntegerTypeGetWidth(element) != widths[i]) return 0;
  }
  return 1;
}

static int are_floats(const convolution *c) {
  const MlirType element = mlirShapedTypeGetElementType(c->types[INPUT]);
  for (int i = 0; i < 3; i++) {
    if (!mlirTypeEqual(mlirShapedTypeGetElementType(c->types[i]), element)) return 0;
  }
  return mlirTypeIsAF32(element) || mlirTypeIsAF64(element);
}

/* Of one element type, or of bytes where the processor has products for them; without groups, of
 * known sizes that are not 0. */
static int has_plain_types(const convolution *c, const bd_keeping *keeping) {
  if (!are_floats(c) && !(keeping->has_words[BD_WORDS_OF_BYTES] && are_bytes(c))) return 0;
  for (int i = 0; i < 3; i++) {
    if (axis_of(c, i, 'g') >= 0 || !mlirShapedTypeHasStaticShape(c->types[i])) return 0;
    for (int64_t r = 0; r < mlirShapedTypeGetRank(c->types[i]); r++) {
      if (mlirShapedTypeGetDimSize(c->types[i], r) == 0) return 0;
    }
  }
  return 1;
}

/* Fills in what shaped.h asks for; false where sizes are not known or it does not go that way. */
static int read_exact(const convolution *c, MlirOperation op, const bd_keeping *keeping,
                      exact *out) {
  static const char letters[] = "hw";
  if (!has_plain_types(c, keeping)) return 0;
  *out = (exact){
      .begin = bd_beginning_find(op, mlirOperationGetOperand(op, OUTPUT), axis_of(c, OUTPUT, 'f'))};
  bd_shaped *shaped = &out->shaped;
  const MlirType element = mlirShapedTypeGetElementType(c->types[INPUT]);
  shaped->is_bytes = mlirTypeIsAInteger(element);
  shaped->has_amx = keeping->has_amx[BD_WORDS_OF_BYTES];
  shaped->element = shaped->is_bytes ? "i8" : mlirTypeIsAF32(element) ? "f32" : "f64";
  shaped->n = size_of(c, INPUT, 'n');
  shaped->begin = out->begin.begin;
  for (int i = 0; i < 2; i++) {
    shaped->in[i] = size_of(c, INPUT, letters[i]);
    shaped->out[i] = size_of(c, OUTPUT, letters[i]);
    shaped->step[i] = c->strides[i];
    shaped->spread[i] = c->dilations[i];
  }
  if (!read_filter(c, op, &shaped->filter) ||
      !read_pixels(c, mlirOperationGetOperand(op, INPUT), INPUT, out) ||
      !read_pixels(c, mlirOperationGetOperand(op, OUTPUT), OUTPUT, out))
    return 0;
  out->buffers[FILTER] = mlirOperationGetOperand(op, FILTER);
  if (!bd_shaped_fits(shaped) && shaped->begin == BD_BEGIN_ROW) {
    out->begin = (bd_beginning){BD_BEGIN_OLD, {NULL}, {NULL}};
    shaped->begin = BD_BEGIN_OLD;
  }
  return bd_shaped_fits(shaped) &&
         (!bd_shaped_is_kept(shaped) || bd_is_constant(keeping, out->buffers[FILTER]));
}

static buddy_code replace_exact(MlirOperation op, const exact *e, bd_kernels *kernels,
                                bd_keeping *keeping) {
  const MlirType elements[] = {mlirShapedTypeGetElementType(e->shaped.input.type),
                               mlirShapedTypeGetElementType(e->shaped.output.type)};
  const char *name = NULL;
  char transpose[2][64] = {"", ""}, pack[64] = "";
  bd_text text = {NULL, 0, 0, 0};
  buddy_code code = BUDDY_OK;
  for (int i = 0; i < 2 && code == BUDDY_OK && bd_shaped_turns(&e->shaped); i++)
    code = bd_kernels_transpose(kernels, elements[i], transpose[i]);
  if (code == BUDDY_OK && bd_shaped_is_kept(&e->shaped))
    code = bd_kernels_filter(kernels, elements[0], pack);
  if (code == BUDDY_OK) {
    bd_shaped_write(&text, &e->shaped, (const char *const[]){transpose[0], transpose[1]}, pack,
                    kernels);
    code = bd_kernels_add(kernels, "image", &text, &name);
  }
  bd_text_deinit(&text);
  const MlirOperation last = e->found.op;
  MlirValue operands[6 + 2 * BD_MAX_EXTRAS];
  size_t n = 0;
  for (int i = 0; i < 3; i++) operands[n++] = e->buffers[i];
  if (e->shaped.affine.map.op.ptr != NULL)
    n += bd_affine_operands(&e->shaped.affine, operands + n);
  else if (e->shaped.begin == BD_BEGIN_ROW)
    operands[n++] = e->begin.row;
  for (int k = 0; k < e->shaped.epilogue.n; k++)
    operands[n++] = e->shaped.epilogue.extras[k].buffer;
  if (code == BUDDY_OK && bd_shaped_is_kept(&e->shaped)) {
    operands[n] = bd_number_insert(op, bd_keeping_slot(keeping));
    if (operands[n++].ptr == NULL) code = BUDDY_OUT_OF_MEMORY;
  }
  if (code == BUDDY_OK)
    code = bd_call_insert_at(last.ptr == NULL ? op : last, mlirOperationGetLocation(op), name,
                             operands, n);
  if (code != BUDDY_OK) return code;
  const MlirValue result = mlirOperationGetOperand(op, OUTPUT);
  if (e->begin.op.ptr != NULL) bd_op_erase(e->begin.op);
  bd_op_erase(op);
  bd_epilogue_erase(&e->found, result);
  return BUDDY_OK;
}

/* Adds the epilogue, if the kernel takes it. */
static void add_epilogue(const convolution *c, MlirOperation op, const bd_keeping *keeping,
                         exact *e) {
  const exact plain = *e;
  bd_epilogue *epilogue = &e->shaped.epilogue;
  if (e->shaped.is_bytes) return; /* what follows has other types */
  e->found = *epilogue = bd_epilogue_find(op, &e->begin, axis_of(c, OUTPUT, 'f'));
  if (epilogue->op.ptr == NULL) return;
  e->shaped.affine = bd_affine_take(epilogue, &e->begin, keeping);
  if (e->shaped.affine.map.op.ptr != NULL) e->shaped.begin = BD_BEGIN_ROW;
  const int n = axis_of(c, OUTPUT, 'n'), h = axis_of(c, OUTPUT, 'h'), w = axis_of(c, OUTPUT, 'w');
  for (int k = 0; k < epilogue->n; k++) {
    const bd_extra *extra = &epilogue->extras[k];
    e->shaped.extras[k] = (bd_pixels){.type = extra->type,
                                      .offset = extra->offset,
                                      .n = extra->strides[n],
                                      .c = 1,
                                      .h = h < 0 ? 0 : extra->strides[h],
                                      .w = extra->strides[w]};
  }
  if (!read_pixels(c, e->found.output, OUTPUT, e) || !bd_shaped_fits(&e->shaped)) *e = plain;
}

int bd_convolution_takes_pixels(MlirOperation op, const bd_keeping *keeping) {
  convolution c;
  exact e;
  return read_convolution(op, &c) && read_exact(&c, op, keeping, &e) &&
         bd_is_constant(keeping, e.buffers[FILTER]) &&
         bd_beginning_find(op, mlirOperationGetOperand(op, OUTPUT), axis_of(&c, OUTPUT, 'f'))
                 .begin != BD_BEGIN_OLD;
}

int bd_convolution_wants_pixels(MlirOperation op, int i) {
  convolution c;
  return read_convolution(op, &c) &&
         (i != INPUT || !are_bytes(&c) || size_of(&c, INPUT, 'c') % 4 == 0);
}

/* ---- Replacing ----------------------------------------------------------------------------------
 */

static buddy_code replace(MlirOperation op, bd_kernels *kernels, bd_keeping *keeping) {
  convolution c;
  exact e;
  char function[64];
  const char *name;
  if (!read_convolution(op, &c)) return BUDDY_OK;
  const MlirType in = mlirShapedTypeGetElementType(c.types[INPUT]);
  const MlirType out = mlirShapedTypeGetElementType(c.types[OUTPUT]);
  if (!mlirTypeEqual(in, mlirShapedTypeGetElementType(c.types[FILTER]))) return BUDDY_OK;
  if (read_exact(&c, op, keeping, &e)) {
    add_epilogue(&c, op, keeping, &e);
    e.shaped.is_winograd = bd_winograd_is_chosen(&e.shaped, keeping->winograd);
    return replace_exact(op, &e, kernels, keeping);
  }
  for (int k = 0; k < 3; k++) {
    if (!bd_memref_is_dense(c.types[k])) return BUDDY_OK;
  }
  buddy_code code = bd_kernels_convolution(kernels, in, out, function);
  if (code == BUDDY_UNSUPPORTED) return BUDDY_OK;
  bd_text text = {NULL, 0, 0, 0};
  write_kernel(&text, &c, function);
  if (code == BUDDY_OK) code = bd_kernels_add(kernels, "convolution", &text, &name);
  bd_text_deinit(&text);
  if (code != BUDDY_OK) return code;
  MlirValue operands[3];
  for (intptr_t i = 0; i < 3; i++) operands[i] = mlirOperationGetOperand(op, i);
  code = bd_call_insert(op, name, operands, 3);
  if (code == BUDDY_OK) bd_op_erase(op);
  return code;
}

buddy_code bd_convolutions_replace(MlirOperation root, bd_kernels *kernels, bd_keeping *keeping) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.conv_");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; i++)
    code = replace(ops.items[i], kernels, keeping);
  bd_ops_deinit(&ops);
  return code;
}
