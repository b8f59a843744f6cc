// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/convolution.c: replacing convolutions. */
#include "sdk/compile/kernels/convolution.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/choice.h"
#include "sdk/compile/kernels/convolution_read.h"
#include "sdk/compile/kernels/winograd/winograd.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/rewrite/zeros.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/builder.h"

/* ---- Loops for one shape --------------------------------------------------------------------- */

/* A convolution whose kernel is written for its shape. */
typedef struct exact {
  bd_shaped shaped;
  MlirValue result; /* the image that it writes to, if nothing follows */
  bool is_steady;   /* the filter, whose panels are kept from run to run */
} exact;

/* How an operand, or what is read or written in its place, lies in its buffer, and its sizes, of which a run may know
 * some. */
static int read_image(const bd_convolution *c, MlirValue value, int operand, bd_shaped *out) {
  bd_geometry g;
  const bool is_input = operand == BD_CONVOLUTION_INPUT;
  int64_t *const sizes = is_input ? out->in : out->out;
  if (!bd_extents_read_geometry(&out->extents, value, &g)) return 0;
  const int n = bd_convolution_axis_of(c, operand, value, 'n'),
            h = bd_convolution_axis_of(c, operand, value, 'h'),
            w = bd_convolution_axis_of(c, operand, value, 'w'),
            d = bd_convolution_axis(c, operand, 'd'),
            of = bd_convolution_axis_of(c, operand, value, is_input ? 'c' : 'f');
  const int g_axis =
      mlirShapedTypeGetRank(mlirValueGetType(value)) == mlirShapedTypeGetRank(c->types[operand])
          ? bd_convolution_axis(c, operand, 'g')
          : -1;
  if (g_axis >= 0 && g.strides[g_axis] != g.sizes[of] * g.strides[of]) return 0;
  sizes[0] = h < 0 ? 1 : g.sizes[h];
  sizes[1] = g.sizes[w];
  *(is_input ? &out->planes_in : &out->planes_out) = d < 0 ? 1 : g.sizes[d];
  if (is_input) out->n = g.sizes[n];
  *(is_input ? &out->input : &out->output) =
      (bd_image_layout){.buffer = g.base,
                        .offset = g.offset,
                        .n = g.strides[n],
                        .c = g.strides[of],
                        .d = d < 0 ? 0 : g.strides[d],
                        .h = h < 0 ? g.sizes[w] * g.strides[w] : g.strides[h],
                        .w = g.strides[w]};
  return 1;
}

/* Window and strides along h and w; planes of the window are more lines of it. */
static int read_window(const bd_convolution *c, const int64_t *strides, bd_filter *out) {
  static const char letters[] = "hw";
  for (int i = 0; i < 2; ++i) {
    const int axis = bd_convolution_axis(c, BD_CONVOLUTION_FILTER, letters[i]);
    out->window[i] = bd_convolution_size(c, BD_CONVOLUTION_FILTER, letters[i]);
    out->of_window[i] = axis < 0 ? 0 : strides[axis];
  }
  const int planes = bd_convolution_axis(c, BD_CONVOLUTION_FILTER, 'd');
  if (planes < 0) return 1;
  if (strides[planes] != out->window[0] * out->of_window[0]) return 0;
  out->window[0] *= bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'd');
  return 1;
}

static int read_filter(const bd_convolution *c, bd_filter *out) {
  bd_geometry filter;
  if (!bd_geometry_read(mlirOperationGetOperand(c->op, BD_CONVOLUTION_FILTER), &filter)) return 0;
  const int64_t *strides = filter.strides;
  const int64_t of_group = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'f');
  const int g = bd_convolution_axis(c, BD_CONVOLUTION_FILTER, 'g');
  *out =
      (bd_filter){.buffer = filter.base,
                  .offset = filter.offset,
                  .filters = of_group * bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'g'),
                  .channels = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'c'),
                  .of_filter = strides[bd_convolution_axis(c, BD_CONVOLUTION_FILTER, 'f')],
                  .of_channel = bd_convolution_is_depthwise(c)
                                    ? 0
                                    : strides[bd_convolution_axis(c, BD_CONVOLUTION_FILTER, 'c')]};
  return (g < 0 || strides[g] == of_group * out->of_filter) && read_window(c, strides, out);
}

static bd_elements elements_of(const bd_convolution *c) {
  bd_elements all;
  for (int i = 0; i < 3; ++i) all.of[i] = bd_element_in(c->types[i]);
  return all;
}

/* What the elements are multiplied as, if several at a time, on processors that do; else null. */
static const bd_dot_packing *words_of(const bd_convolution *c) {
  return bd_dot_packing_for(elements_of(c));
}

static bool are_floats(const bd_convolution *c) {
  const bd_elements e = elements_of(c);
  return e.of[0] == e.of[1] && e.of[0] == e.of[2] && (e.of[0] == &bd_f32 || e.of[0] == &bd_f64);
}

/* Channels, filters and the window are known. */
static bool has_known_channels(const bd_convolution *c) {
  return mlirShapedTypeHasStaticShape(c->types[BD_CONVOLUTION_FILTER]) &&
         bd_convolution_size(c, BD_CONVOLUTION_INPUT, 'c') > 0 &&
         bd_convolution_size(c, BD_CONVOLUTION_OUTPUT, 'f') > 0 &&
         bd_convolution_size(c, BD_CONVOLUTION_INPUT, 'g') > 0 &&
         bd_convolution_size(c, BD_CONVOLUTION_OUTPUT, 'g') > 0;
}

/* Of one element type, or of words that the processor has products for; of sizes that are not known
 * to be 0. */
static bool has_plain_types(const bd_convolution *c, const bd_prepacking *prepacking) {
  const bd_dot_packing *words = words_of(c);
  if (!are_floats(c) && !(words && prepacking->machine->has_words[words->kind])) return false;
  if (!has_known_channels(c)) return false;
  for (int i = 0; i < 3; ++i) {
    for (int64_t r = 0; r < mlirShapedTypeGetRank(c->types[i]); ++r) {
      if (mlirShapedTypeGetDimSize(c->types[i], r) == 0) return false;
    }
  }
  return true;
}

#define ZEROS "buddy.zeros"

/* Planes of zeros around the input, while those are to be seen that write to it: kernels hide what
 * they write. */
static buddy_code mark_zeros(MlirOperation op, void *user) {
  int64_t zeros[2];
  bd_convolution c;
  (void)user;
  if (!bd_convolution_read(op, &c)) return BUDDY_OK;
  const int planes = bd_convolution_axis(&c, BD_CONVOLUTION_INPUT, 'd');
  if (planes < 0) return BUDDY_OK;
  bd_zeros_find(mlirOperationGetOperand(op, BD_CONVOLUTION_INPUT), planes, &zeros[0], &zeros[1]);
  bd_op_set_attribute(op, ZEROS, mlirDenseI64ArrayGet(mlirOperationGetContext(op), 2, zeros));
  return BUDDY_OK;
}

static void read_zeros(MlirOperation op, bd_shaped *out) {
  const MlirAttribute zeros = bd_op_attribute(op, ZEROS);
  if (!zeros.ptr || !mlirAttributeIsADenseI64Array(zeros)) return;
  out->planes_before = mlirDenseI64ArrayGetElement(zeros, 0);
  out->planes_after = mlirDenseI64ArrayGetElement(zeros, 1);
}

/* Fills in what shaped.h asks for; false where sizes are not known or it does not go that way. */
static int read_exact(const bd_convolution *c, const bd_prepacking *prepacking, exact *out) {
  if (!has_plain_types(c, prepacking)) return 0;
  const MlirValue in = bd_convolution_image(c, BD_CONVOLUTION_INPUT),
                  to = bd_convolution_image(c, BD_CONVOLUTION_OUTPUT);
  *out = (exact){.result = to};
  bd_shaped *shaped = &out->shaped;
  shaped->around.begin =
      bd_beginning_find(c->op, to, bd_convolution_axis_of(c, BD_CONVOLUTION_OUTPUT, to, 'f'));
  shaped->extents.has_offsets = true;
  shaped->words = words_of(c);
  shaped->machine = prepacking->machine;
  shaped->element = bd_element_in(c->types[BD_CONVOLUTION_INPUT]);
  shaped->groups =
      bd_convolution_size(c, BD_CONVOLUTION_INPUT, bd_convolution_is_depthwise(c) ? 'c' : 'g');
  shaped->planes_window = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'd');
  shaped->planes_step = c->planes_stride;
  shaped->planes_spread = c->planes_dilation;
  read_zeros(c->op, shaped);
  for (int i = 0; i < 2; ++i) {
    shaped->step[i] = c->strides[i];
    shaped->spread[i] = c->dilations[i];
  }
  if (!read_image(c, in, BD_CONVOLUTION_INPUT, shaped) ||
      !read_image(c, to, BD_CONVOLUTION_OUTPUT, shaped) || !read_filter(c, &shaped->filter))
    return 0;
  if (!bd_shaped_fits(shaped) && bd_around_begin(&shaped->around) == BD_BEGIN_ROW)
    shaped->around.begin = (bd_beginning){BD_BEGIN_OLD, {NULL}, {NULL}};
  out->is_steady = bd_is_steady(prepacking, shaped->filter.buffer);
  return bd_shaped_fits(shaped);
}

static buddy_code write_exact(const exact *e, bd_kernels *kernels, const char **out_name) {
  const bd_element *const elements[] = {bd_element_in(mlirValueGetType(e->shaped.input.buffer)),
                                        bd_element_in(mlirValueGetType(e->shaped.output.buffer))};
  const char *transpose[2] = {NULL}, *pack = NULL;
  bd_text text = {.data = NULL};
  for (int i = 0; i < 2 && bd_shaped_transposes(&e->shaped); ++i)
    BD_TRY(bd_kernels_want_of(kernels, BD_LIBRARY_TRANSPOSE, elements[i], &transpose[i]));
  if (bd_shaped_is_prepacked(&e->shaped))
    BD_TRY(bd_kernels_want_of(kernels, BD_LIBRARY_FILTER, elements[0], &pack));
  bd_shaped_write(&text, &e->shaped, transpose, pack, kernels);
  return bd_kernels_add(kernels, "image", &text, out_name);
}

static buddy_code replace_exact(const bd_convolution *c, const exact *e, bd_kernels *kernels,
                                bd_prepacking *prepacking) {
  const MlirValue ends[] = {mlirOperationGetOperand(c->op, BD_CONVOLUTION_INPUT),
                            mlirOperationGetOperand(c->op, BD_CONVOLUTION_OUTPUT)},
                  buffers[] = {e->shaped.input.buffer, e->shaped.filter.buffer,
                               e->shaped.output.buffer};
  const char *name;
  BD_TRY(write_exact(e, kernels, &name));
  BD_TRY(bd_around_call(&e->shaped.around, c->op, name, buffers, &e->shaped.extents,
                        bd_shaped_is_prepacked(&e->shaped), e->is_steady ? prepacking : NULL));
  for (int i = 0; i < 2; ++i) { /* views in groups */
    if (bd_is_made_by(ends[i], "memref.expand_shape") && !bd_is_used(ends[i]))
      bd_op_erase(mlirOpResultGetOwner(ends[i]));
  }
  bd_epilogue_erase(&e->shaped.around.found);
  return BUDDY_OK;
}

/* Adds the epilogue, if the kernel takes it. */
static void add_epilogue(const bd_convolution *c, const bd_prepacking *prepacking, exact *e) {
  const exact plain = *e;
  bd_around *around = &e->shaped.around;
  if (e->shaped.words || prepacking->fusion < 0) return; /* what follows words has other types */
  const bd_epilogue found = bd_epilogue_find(
      c->op, e->result, &around->begin,
      bd_convolution_axis_of(c, BD_CONVOLUTION_OUTPUT, e->result, 'f'), &e->shaped.extents);
  if (!found.op.ptr) return;
  bd_around_follow(around, &found, prepacking);
  const int n = bd_convolution_axis_of(c, BD_CONVOLUTION_OUTPUT, e->result, 'n'),
            h = bd_convolution_axis_of(c, BD_CONVOLUTION_OUTPUT, e->result, 'h'),
            w = bd_convolution_axis_of(c, BD_CONVOLUTION_OUTPUT, e->result, 'w');
  for (int k = 0; k < around->epilogue.n; ++k) {
    int64_t *strides = around->epilogue.extras[k].strides;
    const int64_t of[BD_IMAGE_RANK] = {strides[n], 1, h < 0 ? 0 : strides[h], strides[w]};
    memcpy(strides, of, sizeof(of));
  }
  if (!read_image(c, found.output, BD_CONVOLUTION_OUTPUT, &e->shaped) ||
      !bd_shaped_fits(&e->shaped))
    *e = plain;
}

int bd_convolution_takes_nhwc(MlirOperation op, const bd_prepacking *prepacking) {
  bd_convolution c;
  exact e;
  return bd_convolution_read(op, &c) && read_exact(&c, prepacking, &e) &&
         bd_beginning_find(op, e.result,
                           bd_convolution_axis_of(&c, BD_CONVOLUTION_OUTPUT, e.result, 'f'))
                 .begin != BD_BEGIN_OLD;
}

/* With channels innermost on both sides it is one for Winograd. */
static bool may_be_winograd(const bd_convolution *c, const bd_prepacking *prepacking) {
  exact e;
  if (!read_exact(c, prepacking, &e) || !e.is_steady) return false;
  e.shaped.input.c = e.shaped.output.c = 1;
  return bd_winograd_is_chosen(&e.shaped, prepacking->winograd);
}

void bd_convolution_gains_of_nhwc(MlirOperation op, const bd_prepacking *prepacking,
                                  int64_t out_gains[3]) {
  bd_convolution c;
  if (!bd_convolution_read(op, &c)) return;
  const bd_dot_packing *words = words_of(&c);
  const int64_t channels = bd_convolution_size(&c, BD_CONVOLUTION_INPUT, 'c'),
                gain = may_be_winograd(&c, prepacking) ? bd_divide_up(channels, 8) : 1;
  const bool lacks_words = words && !bd_convolution_is_depthwise(&c) && channels % words->n != 0;
  out_gains[BD_CONVOLUTION_INPUT] = lacks_words ? 0 : gain;
  out_gains[BD_CONVOLUTION_OUTPUT] = gain;
}

/* ---- Replacing ------------------------------------------------------------------------------- */

/* What keeps it from loops of its own shape. */
static const char *why_not_exact(const bd_convolution *c, const bd_prepacking *prepacking) {
  if (!has_known_channels(c)) return "symbolic channels or filters";
  if (!has_plain_types(c, prepacking)) return "elements that loops of one shape do not have";
  return "parts of images, windows or sums to add to that loops of one shape do not have";
}

/* Why the library's convolution does not take it; null: it may. */
static const char *why_not_any(const bd_convolution *c) {
  const int64_t of_group = bd_convolution_size(c, BD_CONVOLUTION_FILTER, 'f');
  if (bd_convolution_axis(c, BD_CONVOLUTION_INPUT, 'd') >= 0) return "planes";
  if (bd_convolution_is_depthwise(c) || (of_group >= 0 && of_group < 4))
    return "fewer than four filters in a group";
  for (int k = 0; k < 3; ++k) {
    if (!bd_memref_is_dense(c->types[k])) return "images with gaps between their lines";
  }
  return NULL;
}

static buddy_code stay(MlirOperation op, bd_kernels *kernels, const char *why) {
  return bd_choice_tell(kernels, op, (bd_choice){NULL, why, true});
}

static buddy_code replace_any(const bd_convolution *c, const char *why, bd_kernels *kernels) {
  const char *function, *name;
  const buddy_code code =
      bd_kernels_want(kernels, BD_LIBRARY_CONVOLUTION, elements_of(c), &function);
  if (code == BUDDY_UNSUPPORTED) return stay(c->op, kernels, "elements that no kernel multiplies");
  BD_TRY(code);
  bd_text text = {.data = NULL};
  bd_convolution_write(&text, c, function);
  BD_TRY(bd_kernels_add(kernels, "convolution", &text, &name));
  MlirValue operands[3];
  for (intptr_t i = 0; i < 3; ++i) operands[i] = mlirOperationGetOperand(c->op, i);
  bd_choice_tell(kernels, c->op, (bd_choice){"convolution", why, true});
  BD_TRY(bd_build_call(bd_builder_before(c->op), name, operands, 3));
  bd_op_erase(c->op);
  return BUDDY_OK;
}

static buddy_code replace(MlirOperation op, bd_kernels *kernels, bd_prepacking *prepacking) {
  bd_convolution c;
  exact e = {.result = {NULL}};
  if (!bd_convolution_read(op, &c))
    return stay(op, kernels, "few filters or channels, or a layout that no kernel reads");
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(c.types[BD_CONVOLUTION_INPUT]),
                     mlirShapedTypeGetElementType(c.types[BD_CONVOLUTION_FILTER])))
    return stay(op, kernels, "an image and a filter of different elements");
  if (read_exact(&c, prepacking, &e)) {
    add_epilogue(&c, prepacking, &e);
    e.shaped.is_winograd = e.is_steady && bd_winograd_is_chosen(&e.shaped, prepacking->winograd);
    bd_choice_tell(
        kernels, op,
        (bd_choice){"image",
                    e.shaped.is_winograd ? "Winograd, with filters transformed in the first run"
                    : !bd_shaped_is_prepacked(&e.shaped) ? "weights are read where they lie"
                    : e.is_steady ? "constant weights, packed in the first run"
                                  : "weights are packed in each run",
                    false});
    return replace_exact(&c, &e, kernels, prepacking);
  }
  const char *why = why_not_any(&c);
  return why ? stay(op, kernels, why) : replace_any(&c, why_not_exact(&c, prepacking), kernels);
}

buddy_code bd_convolutions_replace(MlirOperation root, bd_kernels *kernels,
                                   bd_prepacking *prepacking) {
  bd_ops ops = {NULL, 0, 0};
  BD_TRY(bd_ops_each(root, "linalg.conv_3d", mark_zeros, NULL));
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.conv_");
  if (code == BUDDY_OK) code = bd_ops_collect_outermost(&ops, root, "linalg.depthwise_conv_");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i)
    code = replace(ops.items[i], kernels, prepacking);
  bd_ops_deinit(&ops);
  return code;
}
