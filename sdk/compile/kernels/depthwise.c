// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/depthwise.c: replacing depthwise convolutions.
 *
 * A plane at a time, a line at a time: a vector of neighbours on the output's line is the sum of
 * one product for each place of the window, whose weights are spread over vectors once per plane.
 * With a step of two, every other element of two vectors of the input is taken. */
#include "sdk/compile/kernels/depthwise.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/around.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/choice.h"
#include "sdk/compile/kernels/ir_text.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"

enum { N, C, H, W, RANK };
/* Places of a window that are written out: their weights, spread over vectors, lie on the stack. Of a larger
 * window so many at the most are those of one line, and the lines are a loop. */
enum { MAX_PLACES = 64 };
typedef struct depthwise {
  MlirOperation op;
  MlirType types[3]; /* input without its frame, filter, output */
  MlirValue input;
  const bd_element *element;
  int lanes;
  int64_t in[RANK], out[RANK], window[2], step[2], spread[2]; /* in: with the frame */
  bool has_frame;
  int64_t inner[2], corner[2];       /* what is inside the frame: sizes, place */
  MlirOperation fill, subview, copy; /* what makes the frame */
  bd_around around;                  /* nothing follows */
} depthwise;

/* ---- Reading --------------------------------------------------------------------------------- */

static int read_sizes(MlirType type, intptr_t rank, int64_t *out) {
  int64_t strides[BD_MAX_RANK], offset;
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) != rank ||
      !mlirShapedTypeHasStaticShape(type) || !bd_memref_layout(type, strides, &offset) ||
      strides[rank - 1] != 1)
    return 0;
  for (intptr_t i = 0; i < rank; ++i) {
    out[i] = mlirShapedTypeGetDimSize(type, i);
    if (out[i] == 0) return 0;
  }
  return 1;
}

/* The only other users of the frame's buffer: what fills it, and the view of its inside. */
static int find_users(depthwise *d, MlirValue frame) {
  int n = 0;
  MlirOpOperand use = mlirValueGetFirstUse(frame);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use), ++n) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (bd_op_is(user, "linalg.fill")) d->fill = user;
    if (bd_op_is(user, "memref.subview")) d->subview = user;
  }
  if (n != 3 || !d->fill.ptr || !d->subview.ptr) return 0;
  const MlirValue inside = mlirOperationGetResult(d->subview, 0);
  d->copy = bd_only_user(inside);
  return d->copy.ptr && bd_op_is(d->copy, "memref.copy") &&
         mlirValueEqual(mlirOperationGetOperand(d->copy, 1), inside) &&
         bd_value_is_zero(mlirOperationGetOperand(d->fill, 0));
}

/* True if fill, copy and the convolution follow each other in one block, and nothing writes to what
 * is copied before the convolution reads it. */
static bool is_undisturbed(const depthwise *d, MlirValue source) {
  const MlirValue output = mlirOperationGetOperand(d->op, 2);
  const MlirBlock block = mlirOperationGetBlock(d->op);
  MlirOperation at = d->fill;
  if (!bd_is_made_by(output, "memref.alloc") || mlirValueEqual(bd_base_of(source), output) ||
      !mlirBlockEqual(mlirOperationGetBlock(at), block))
    return false;
  while (at.ptr && !mlirOperationEqual(at, d->copy)) at = mlirOperationGetNextInBlock(at);
  if (!at.ptr) return false;
  const MlirOperation writer = bd_writer_before(d->op);
  if (mlirOperationEqual(writer, d->copy)) return true;
  return d->around.begin.op.ptr && mlirOperationEqual(writer, d->around.begin.op) &&
         mlirOperationEqual(bd_writer_before(d->around.begin.op), d->copy);
}

static void find_frame(depthwise *d) {
  bd_geometry inside;
  bd_box box;
  int64_t sizes[RANK];
  const MlirValue frame = mlirOperationGetOperand(d->op, 0);
  if (!bd_is_made_by(frame, "memref.alloc") || !find_users(d, frame)) return;
  const MlirValue source = mlirOperationGetOperand(d->copy, 0);
  const MlirType type = mlirValueGetType(source);
  if (!is_undisturbed(d, source) || !read_sizes(type, RANK, sizes) ||
      !bd_geometry_read(mlirOperationGetResult(d->subview, 0), &inside) ||
      !bd_box_read(&inside, &box) || box.n[N] != d->in[N] || box.n[C] != d->in[C])
    return;
  d->has_frame = true;
  d->input = source;
  d->types[0] = type;
  for (int i = 0; i < 2; ++i) {
    d->inner[i] = box.n[H + i];
    d->corner[i] = box.first[H + i];
  }
}

static int read_depthwise(MlirOperation op, const bd_machine *machine, depthwise *d) {
  int64_t filter[3];
  *d = (depthwise){.op = op, .input = mlirOperationGetOperand(op, 0)};
  for (int i = 0; i < 3; ++i) d->types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
  if (!read_sizes(d->types[0], RANK, d->in) || !read_sizes(d->types[1], 3, filter) ||
      !read_sizes(d->types[2], RANK, d->out))
    return 0;
  const MlirType element = mlirShapedTypeGetElementType(d->types[0]);
  d->element = bd_element_for(element);
  if (d->element != &bd_f64 && d->element != &bd_f32) return 0;
  for (int i = 1; i < 3; ++i) {
    if (!mlirTypeEqual(mlirShapedTypeGetElementType(d->types[i]), element)) return 0;
  }
  if (!bd_op_read_pair(op, "strides", d->step) || !bd_op_read_pair(op, "dilations", d->spread))
    return 0;
  d->window[0] = filter[1];
  d->window[1] = filter[2];
  d->lanes = bd_machine_lanes(machine, d->element->bytes);
  if (d->step[1] > 2 || d->window[1] > MAX_PLACES) return 0;
  d->around.begin = bd_beginning_find(op, mlirOperationGetOperand(op, 2), C);
  find_frame(d);
  return 1;
}

/* ---- The kernel's text ----------------------------------------------------------------------- */

static bd_phrase type_vector(const depthwise *d) {
  return bd_type_vector(d->lanes, d->element->name);
}

static bd_phrase type_frame(const depthwise *d) {
  return bd_phrase_of("memref<%lldx%lldx%s>", (long long)d->in[H], (long long)d->in[W],
                      d->element->name);
}

/* The first `valid` elements of a vector, of which %mask_N says as much. */
static void write_load(bd_text *text, const depthwise *d, int64_t valid, const char *name,
                       const char *place, const char *type) {
  const bd_phrase mask = bd_phrase_of("mask_%lld", (long long)valid);
  const bd_vectors v = {d->element->name, d->lanes, valid < d->lanes ? mask.data : NULL, NULL};
  bd_vectors_write_load(text, &v, name, place, type);
}

static void write_store(bd_text *text, const depthwise *d, int64_t valid, const char *value,
                        const char *place, const char *type) {
  const bd_phrase mask = bd_phrase_of("mask_%lld", (long long)valid);
  const bd_vectors v = {d->element->name, d->lanes, valid < d->lanes ? mask.data : NULL, NULL};
  bd_vectors_write_store(text, &v, value, place, type);
}

static void write_mask(bd_text *text, const depthwise *d, int64_t valid) {
  bd_text_format(text, "  %%mask_%lld = vector.constant_mask [%lld] : vector<%dxi1>\n",
                 (long long)valid, (long long)valid, d->lanes);
}

/* Elements of the two vectors of the input that `valid` of the output need. */
static void count_pair(const depthwise *d, int64_t valid, int64_t out[2]) {
  const int64_t all = 2 * valid - 1;
  out[0] = all < d->lanes ? all : d->lanes;
  out[1] = all - out[0];
}

/* Every mask that a block of so many needs, and of no more lanes than there are, once. */
static void write_masks(bd_text *text, const depthwise *d) {
  const int64_t blocks[] = {d->lanes, d->out[W] % d->lanes,
                            d->has_frame ? d->inner[1] % d->lanes : 0};
  char is_there[256] = {0};
  for (int i = 0; i < 3; ++i) {
    int64_t counts[3] = {blocks[i], 0, 0};
    if (blocks[i] > 0 && d->step[1] == 2) count_pair(d, blocks[i], counts + 1);
    for (int k = 0; k < 3; ++k) {
      if (counts[k] == 0 || counts[k] >= d->lanes || is_there[counts[k]]) continue;
      is_there[counts[k]] = 1;
      write_mask(text, d, counts[k]);
    }
  }
}

static bool is_by_lines(const depthwise *d) { return d->window[0] * d->window[1] > MAX_PLACES; }

static int n_places(const depthwise *d) {
  return (int)(is_by_lines(d) ? d->window[1] : d->window[0] * d->window[1]);
}

/* %w_K, of the line %w_line of the window where it goes by lines. */
static void write_weights(bd_text *text, const depthwise *d) {
  for (int k = 0; k < n_places(d); ++k) {
    if (!is_by_lines(d)) bd_ir_write(text, "w_y_%d = %lld;", k, (long long)(k / d->window[1]));
    bd_ir_write(text,
                "w_x_%d = %lld;"
                "  %%weight_%d = memref.load %%x1[%%channel, %%%s, %%w_x_%d] : %s\n  %%w_%d = "
                "vector.broadcast %%weight_%d : %s to %s\n",
                k, (long long)(k % d->window[1]), k,
                is_by_lines(d) ? "w_line" : bd_phrase_of("w_y_%d", k).data, k,
                bd_phrase_type(d->types[1]).data, k, k, d->element->name, type_vector(d).data);
  }
}

/* %a_K: what lies at one place of the window, for the vector at %x. */
static void write_input(bd_text *text, const depthwise *d, int k, int64_t valid) {
  const bd_phrase plane = bd_phrase_of("%s%%row_%lld",
                                       d->has_frame ? "source[" : "x0[%image, %channel, ",
                                       (long long)(k / d->window[1])),
                  type = d->has_frame ? type_frame(d) : bd_phrase_type(d->types[0]),
                  vector = type_vector(d);
  int64_t counts[2] = {valid, 0};
  if (d->step[1] == 2) count_pair(d, valid, counts);
  bd_ir_write(text, "at_%d = x_in + %lld;", k, (long long)(k % d->window[1] * d->spread[1]));
  write_load(text, d, counts[0], bd_phrase_of(d->step[1] == 2 ? "even_%d" : "a_%d", k).data,
             bd_phrase_of("%s, %%at_%d]", plane.data, k).data, type.data);
  if (d->step[1] != 2) return;
  if (counts[1] > 0) {
    bd_ir_write(text, "far_%d = at_%d + n_lanes;", k, k);
    write_load(text, d, counts[1], bd_phrase_of("odd_%d", k).data,
               bd_phrase_of("%s, %%far_%d]", plane.data, k).data, type.data);
  }
  bd_text_format(text, "    %%a_%d = vector.shuffle %%even_%d, %%%s [", k, k,
                 counts[1] > 0 ? bd_phrase_of("odd_%d", k).data : "zero");
  for (int i = 0; i < d->lanes; ++i) bd_text_format(text, "%s%d", i > 0 ? ", " : "", 2 * i);
  bd_text_format(text, "] : %s, %s\n", vector.data, vector.data);
}

/* The first `valid` elements of the output's line %y from %x on. */
static void write_block(bd_text *text, const depthwise *d, int64_t valid) {
  static const char place[] = "x2[%image, %channel, %y, %x]";
  const bd_phrase out = bd_phrase_type(d->types[2]);
  const char *const begin = bd_around_begin(&d->around) == BD_BEGIN_ZERO ? "zero" : "begin";
  const int n = n_places(d);
  bd_ir_write(text, "x_in = x * %lld;", (long long)d->step[1]);
  if (bd_around_begin(&d->around) == BD_BEGIN_OLD)
    write_load(text, d, valid, "begin", place, out.data);
  if (is_by_lines(d)) {
    bd_ir_write(text, "w_lines = %lld;", (long long)d->window[0]);
    bd_text_format(text,
                   "    %%sum = scf.for %%w_line = %%c0 to %%w_lines step %%c1 iter_args(%%sum_0 = "
                   "%%%s) -> (%s) {\n",
                   begin, type_vector(d).data);
    bd_ir_write(text, "row_0 = y_in + w_line * %lld;", (long long)d->spread[0]);
    write_weights(text, d);
  }
  for (int k = 0; k < n; ++k) {
    write_input(text, d, k, valid);
    bd_text_format(text, "    %%sum_%d = vector.fma %%a_%d, %%w_%d, %%%s : %s\n", k + 1, k, k,
                   k > 0 || is_by_lines(d) ? bd_phrase_of("sum_%d", k).data : begin,
                   type_vector(d).data);
  }
  if (is_by_lines(d))
    bd_text_format(text, "    scf.yield %%sum_%d : %s\n    }\n", n, type_vector(d).data);
  write_store(text, d, valid, is_by_lines(d) ? "%sum" : bd_phrase_of("%%sum_%d", n).data, place,
              out.data);
}

/* Calls `write` for all vectors of a line of n elements. */
static void write_line(bd_text *text, const depthwise *d, int64_t n,
                       void (*write)(bd_text *, const depthwise *, int64_t)) {
  const int64_t rest = n % d->lanes;
  bd_text_index(text, "whole", n - rest);
  if (n > rest) {
    bd_ir_write(text, "for x = c0 to whole by n_lanes {");
    write(text, d, d->lanes);
    bd_text_format(text, "  }\n");
  }
  if (rest == 0) return;
  bd_text_index(text, "line_end", n);
  bd_ir_write(text, "for x = whole to line_end by n_lanes {");
  write(text, d, rest);
  bd_text_format(text, "  }\n");
}

/* Elements from %x on of line %y, from the input into the frame. */
static void write_copy(bd_text *text, const depthwise *d, int64_t valid) {
  write_load(text, d, valid, "copied", "x0[%image, %channel, %y, %x]",
             bd_phrase_type(d->types[0]).data);
  bd_ir_write(text, "x_to = x + corner_x;");
  write_store(text, d, valid, "%copied", "source[%y_to, %x_to]", type_frame(d).data);
}

static void write_frame_begin(bd_text *text, const depthwise *d) {
  bd_buffer_write_alloc(text, "source", "", type_frame(d).data);
  bd_text_index(text, "frame_h", d->in[H]);
  bd_text_index(text, "frame_w", d->in[W]);
  bd_ir_write(text,
              "for y = c0 to frame_h {"
              "for x = c0 to frame_w {"
              "    memref.store %%nought, %%source[%%y, %%x] : %s\n  }\n  }\n",
              type_frame(d).data);
}

static void write_framing(bd_text *text, const depthwise *d) {
  bd_text_index(text, "inner_h", d->inner[0]);
  bd_text_index(text, "corner_x", d->corner[1]);
  bd_ir_write(text,
              "for y = c0 to inner_h {"
              "y_to = y + %lld;",
              (long long)d->corner[0]);
  write_line(text, d, d->inner[1], write_copy);
  bd_text_format(text, "  }\n");
}

static void write_spread(bd_text *text, const depthwise *d, const char *name, const char *scalar) {
  bd_text_format(text, "  %%%s = vector.broadcast %%%s : %s to %s\n", name, scalar,
                 d->element->name, type_vector(d).data);
}

/* %begin, where sums begin with a number of the channel. */
static void write_begin(bd_text *text, const depthwise *d) {
  if (bd_around_begin(&d->around) != BD_BEGIN_ROW) return;
  bd_text_format(text, "  %%begin_of = memref.load %%row[%%channel] : %s\n",
                 bd_phrase_type(mlirValueGetType(d->around.begin.row)).data);
  write_spread(text, d, "begin", "begin_of");
}

static void write_plane(bd_text *text, const depthwise *d) {
  bd_text_index(text, "n_channels", d->out[C]);
  bd_text_index(text, "n_lines", d->out[H]);
  bd_ir_write(text, "image = plane / n_channels; channel = plane %% n_channels;");
  if (d->has_frame) write_framing(text, d);
  if (!is_by_lines(d)) write_weights(text, d);
  write_begin(text, d);
  bd_ir_write(text,
              "for y = c0 to n_lines {"
              "y_in = y * %lld;",
              (long long)d->step[0]);
  for (int64_t i = 0; i < d->window[0] && !is_by_lines(d); ++i)
    bd_ir_write(text, "row_%lld = y_in + %lld;", (long long)i, (long long)(i * d->spread[0]));
  write_line(text, d, d->out[W], write_block);
  bd_text_format(text, "  }\n");
}

static void write_kernel(bd_text *text, const depthwise *d) {
  bd_around_write_parameters(text, d->types, &d->around, NULL, false);
  bd_units_begin(text, "plane", d->out[N] * d->out[C]);
  bd_text_index(text, "n_lanes", d->lanes);
  bd_text_format(text, "  %%nought = arith.constant 0.0 : %s\n", d->element->name);
  write_spread(text, d, "zero", "nought");
  write_masks(text, d);
  if (d->has_frame) write_frame_begin(text, d);
  bd_ir_write(text, "for plane = plane_first to plane_last {");
  write_plane(text, d);
  bd_text_format(text, "  }\n");
  if (d->has_frame) bd_buffer_write_free(text, "source", type_frame(d).data);
  bd_units_end(text, d->out[H] * d->out[W] * d->window[0] * d->window[1] / BD_PLACES_AT_ONCE);
  bd_text_format(text, "  return\n}\n");
}

/* ---- Replacing ------------------------------------------------------------------------------- */

static buddy_code replace(MlirOperation op, void *user) {
  bd_kernels *kernels = user;
  depthwise d;
  const char *name;
  bd_text text = {.data = NULL};
  const bool is_read = bd_op_is(op, "linalg.depthwise_conv_2d_nchw_chw") &&
                       read_depthwise(op, bd_kernels_machine(kernels), &d);
  bd_choice_tell(kernels, op,
                 is_read ? (bd_choice){"depthwise", "lines of known sizes", false}
                         : (bd_choice){NULL,
                                       "symbolic sizes, elements or a window that the kernel for "
                                       "depthwise ones does not have",
                                       true});
  if (!is_read) return BUDDY_OK;
  write_kernel(&text, &d);
  BD_TRY(bd_kernels_add(kernels, "depthwise", &text, &name));
  const MlirValue frame = mlirOperationGetOperand(op, 0);
  const MlirValue buffers[] = {d.input, mlirOperationGetOperand(op, 1),
                               mlirOperationGetOperand(op, 2)};
  BD_TRY(bd_around_call(&d.around, op, name, buffers, NULL, false, NULL));
  if (!d.has_frame) return BUDDY_OK;
  bd_op_erase(d.copy);
  bd_op_erase(d.subview);
  bd_op_erase(d.fill);
  bd_op_erase(mlirOpResultGetOwner(frame));
  return BUDDY_OK;
}

buddy_code bd_depthwise_replace(MlirOperation root, bd_kernels *kernels) {
  return bd_ops_each_outermost(root, "linalg.depthwise_conv_", replace, kernels);
}
