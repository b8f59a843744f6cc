/* sdk/compile/kernels/channels.c: depthwise convolutions over images whose channels lie innermost;
 * see depthwise.h.
 *
 * A tile is some neighbours on a line of the output by one vector of channels: its sums stay in
 * registers while the window is gone through. Threads share the lines. */
#include <stdio.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/kernels/depthwise.h"
#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/filter.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/structured.h"

enum { N, C, H, W, RANK };
/* Places of a tile: as many sums as hide the time that one takes. */
enum { MAX_PLACES = 8 };
/* Products that cost as much as an operation on an element in memory. */
enum { PRODUCTS_AT_ONCE = 4 };

typedef struct depthwise {
  const char *element;
  int lanes;
  bd_geometry images[2]; /* input and output, as n, c, h, w */
  int64_t step[2], spread[2];
  bd_filter filter;
  bd_panels panels;
  bd_beginning begin;
  bd_epilogue epilogue; /* the output is then where it writes to */
} depthwise;

/* ---- Reading ----------------------------------------------------------------------------------
 */

static int read_filter(MlirValue value, bd_filter *out) {
  const MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAMemRef(type) || !bd_type_is_bare(type) || mlirShapedTypeGetRank(type) != 3)
    return 0;
  const int64_t h = mlirShapedTypeGetDimSize(type, 1), w = mlirShapedTypeGetDimSize(type, 2);
  *out = (bd_filter){.type = type,
                     .filters = mlirShapedTypeGetDimSize(type, 0),
                     .channels = 1,
                     .window = {h, w},
                     .of_filter = h * w,
                     .of_window = {w, 1}};
  return h * w > 0;
}

static int read_images(MlirOperation op, depthwise *d) {
  for (int i = 0; i < 2; i++) {
    if (!bd_geometry_read(mlirOperationGetOperand(op, 2 * i), &d->images[i]) ||
        d->images[i].rank != RANK)
      return 0;
    for (int k = 0; k < RANK; k++) {
      if (d->images[i].sizes[k] == 0) return 0;
    }
  }
  return 1;
}

static int read_depthwise(MlirOperation op, const bd_keeping *keeping, depthwise *d) {
  int rows;
  *d = (depthwise){.element = NULL};
  const MlirValue filter = mlirOperationGetOperand(op, 1);
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(filter));
  if (!mlirTypeIsAF32(element) && !mlirTypeIsAF64(element)) return 0;
  for (int i = 0; i < 3; i += 2) {
    const MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!mlirTypeEqual(mlirShapedTypeGetElementType(type), element)) return 0;
  }
  if (!read_filter(filter, &d->filter) || !bd_is_constant(keeping, filter) || !read_images(op, d) ||
      !bd_op_read_pair(op, "strides", d->step) || !bd_op_read_pair(op, "dilations", d->spread))
    return 0;
  d->element = mlirTypeIsAF32(element) ? "f32" : "f64";
  bd_panels_init(&d->panels, d->element);
  bd_kernels_tile(mlirTypeIsAF64(element), &d->lanes, &rows);
  d->panels.vectors = 1;
  d->panels.n = d->filter.filters;
  d->panels.k = d->filter.window[0] * d->filter.window[1];
  d->begin = bd_beginning_find(op, mlirOperationGetOperand(op, 2), C);
  return 1;
}

int bd_depthwise_takes_pixels(MlirOperation op, const bd_keeping *keeping) {
  depthwise d;
  return read_depthwise(op, keeping, &d);
}

/* ---- The kernel's text ------------------------------------------------------------------------
 */

static void write_number(bd_text *text, const char *name, int64_t number) {
  bd_text_format(text, "  %%%s = arith.constant %lld : index\n", name, (long long)number);
}

static void write_vector(bd_text *text, const depthwise *d) {
  bd_text_format(text, "vector<%dx%s>", d->lanes, d->element);
}

/* Of an image as n, h, w, c. */
static void write_type(bd_text *text, const depthwise *d, int i) {
  const bd_geometry *g = &d->images[i];
  bd_text_format(text,
                 "memref<%lldx%lldx%lldx%lldx%s, strided<[%lld, %lld, %lld, 1], offset: %lld>>",
                 (long long)g->sizes[N], (long long)g->sizes[H], (long long)g->sizes[W],
                 (long long)g->sizes[C], d->element, (long long)g->strides[N],
                 (long long)g->strides[H], (long long)g->strides[W], (long long)g->offset);
}

static void write_image(bd_text *text, const depthwise *d, int i, const char *name) {
  const bd_geometry *g = &d->images[i];
  bd_text_format(text,
                 "  %%%s = memref.reinterpret_cast %%x%d to offset: [%lld], sizes: [%lld, %lld, "
                 "%lld, %lld], strides: [%lld, %lld, %lld, 1] : ",
                 name, 2 * i, (long long)g->offset, (long long)g->sizes[N], (long long)g->sizes[H],
                 (long long)g->sizes[W], (long long)g->sizes[C], (long long)g->strides[N],
                 (long long)g->strides[H], (long long)g->strides[W]);
  bd_text_type(text, mlirValueGetType(g->base));
  bd_text_format(text, " to ");
  write_type(text, d, i);
  bd_text_format(text, "\n");
}

/* One tile: so many places from %x on, of %valid channels from %channel on, of panel %j. */
typedef struct tile {
  const depthwise *d;
  int64_t places, valid;
} tile;

static int is_partial(const tile *t) { return t->valid < t->d->lanes; }

/* Ends a load or, with a value, a store. */
static void write_access_end(bd_text *text, const tile *t, int i, int is_load) {
  if (is_partial(t)) bd_text_format(text, is_load ? ", %%mask, %%zero" : "");
  bd_text_format(text, " : ");
  if (i < 0)
    bd_text_format(text, "memref<%lldx%s>", (long long)t->d->filter.filters, t->d->element);
  else
    write_type(text, t->d, i);
  bd_text_format(text, ", ");
  if (is_partial(t)) {
    bd_text_format(text, "vector<%dxi1>, ", t->d->lanes);
    write_vector(text, t->d);
    if (is_load) bd_text_format(text, " into ");
  }
  if (!is_partial(t) || is_load) write_vector(text, t->d);
  bd_text_format(text, "\n");
}

static const char *load_of(const tile *t) {
  return is_partial(t) ? "vector.maskedload" : "vector.load";
}

/* %begin_P: what the sums begin with. */
static void write_begin(bd_text *text, const tile *t) {
  const bd_begin begin = t->d->begin.begin;
  if (begin == BD_BEGIN_ROW) {
    bd_text_format(text, "  %%begin = %s %%row[%%channel]", load_of(t));
    write_access_end(text, t, -1, 1);
  }
  for (int64_t p = 0; p < t->places; p++) {
    bd_text_format(text,
                   "  %%p_%lld = arith.constant %lld : index\n"
                   "  %%x_%lld = arith.addi %%x, %%p_%lld : index\n",
                   (long long)p, (long long)p, (long long)p, (long long)p);
    if (begin != BD_BEGIN_OLD) continue;
    bd_text_format(text, "  %%begin_%lld = %s %%out[%%image, %%y, %%x_%lld, %%channel]",
                   (long long)p, load_of(t), (long long)p);
    write_access_end(text, t, 1, 1);
  }
}

static void write_begin_name(bd_text *text, const tile *t, int64_t p) {
  static const char *const names[] = {[BD_BEGIN_ZERO] = "zero", [BD_BEGIN_ROW] = "begin"};
  if (t->d->begin.begin == BD_BEGIN_OLD)
    bd_text_format(text, "%%begin_%lld", (long long)p);
  else
    bd_text_format(text, "%%%s", names[t->d->begin.begin]);
}

/* A loop over the window's lines, or the places of one, that carries the sums. from: null: what
 * they begin with. */
static void write_loop(bd_text *text, const tile *t, const char *result, const char *index,
                       const char *name, const char *from) {
  bd_text_format(text, "  %%%s:%lld = scf.for %%%s = %%c0 to %%window_%s step %%c1 iter_args(",
                 result, (long long)t->places, index, index);
  for (int64_t p = 0; p < t->places; p++) {
    bd_text_format(text, "%s%%%s_%lld = ", p > 0 ? ", " : "", name, (long long)p);
    if (from == NULL)
      write_begin_name(text, t, p);
    else
      bd_text_format(text, "%%%s_%lld", from, (long long)p);
  }
  bd_text_format(text, ") -> (");
  for (int64_t p = 0; p < t->places; p++) {
    bd_text_format(text, "%s", p > 0 ? ", " : "");
    write_vector(text, t->d);
  }
  bd_text_format(text, ") {\n");
}

/* separator: between a value's name and its number. */
static void write_loop_end(bd_text *text, const tile *t, const char *name, char separator) {
  bd_text_format(text, "  scf.yield ");
  for (int64_t p = 0; p < t->places; p++)
    bd_text_format(text, "%s%%%s%c%lld", p > 0 ? ", " : "", name, separator, (long long)p);
  bd_text_format(text, " : ");
  for (int64_t p = 0; p < t->places; p++) {
    bd_text_format(text, "%s", p > 0 ? ", " : "");
    write_vector(text, t->d);
  }
  bd_text_format(text, "\n  }\n");
}

/* The products of one place of the window. */
static void write_products(bd_text *text, const tile *t) {
  bd_text_format(text,
                 "  %%line_w = arith.muli %%h, %%window_w : index\n"
                 "  %%k = arith.addi %%line_w, %%w : index\n"
                 "  %%weight = vector.load %%panels[%%j, %%k, %%c0] : ");
  bd_panels_type_b(text, &t->d->panels);
  bd_text_format(text, ", ");
  write_vector(text, t->d);
  bd_text_format(text,
                 "\n  %%w_in = arith.muli %%w, %%spread_w : index\n"
                 "  %%column = arith.addi %%x_in, %%w_in : index\n");
  for (int64_t p = 0; p < t->places; p++) {
    const long long i = (long long)p;
    bd_text_format(text,
                   "  %%by_%lld = arith.constant %lld : index\n"
                   "  %%column_%lld = arith.addi %%column, %%by_%lld : index\n"
                   "  %%a_%lld = %s %%in[%%image, %%line, %%column_%lld, %%channel]",
                   i, i * (long long)t->d->step[1], i, i, i, load_of(t), i);
    write_access_end(text, t, 0, 1);
    bd_text_format(text, "  %%next_%lld = vector.fma %%a_%lld, %%weight, %%acc_%lld : ", i, i, i);
    write_vector(text, t->d);
    bd_text_format(text, "\n");
  }
}

/* ---- The end of a tile ------------------------------------------------------------------------
 */

static bd_vectors vectors_of(const tile *t) {
  return (bd_vectors){t->d->element, t->d->lanes, is_partial(t)};
}

/* Of %extra_K: as n, h, w, c, or c alone. */
static void write_extra_type(bd_text *text, const depthwise *d, int k) {
  const bd_geometry *out = &d->images[1];
  const bd_extra *extra = &d->epilogue.extras[k];
  if (extra->is_row)
    bd_text_format(text, "memref<%lldx%s, strided<[1], offset: %lld>>", (long long)out->sizes[C],
                   d->element, (long long)extra->offset);
  else
    bd_text_format(
        text, "memref<%lldx%lldx%lldx%lldx%s, strided<[%lld, %lld, %lld, 1], offset: %lld>>",
        (long long)out->sizes[N], (long long)out->sizes[H], (long long)out->sizes[W],
        (long long)out->sizes[C], d->element, (long long)extra->strides[N],
        (long long)extra->strides[H], (long long)extra->strides[W], (long long)extra->offset);
}

static void write_extras(bd_text *text, const depthwise *d) {
  const bd_geometry *out = &d->images[1];
  for (int k = 0; k < d->epilogue.n; k++) {
    const bd_extra *extra = &d->epilogue.extras[k];
    bd_text_format(text, "  %%extra_%d = memref.reinterpret_cast %%e%d to offset: [%lld], sizes: [",
                   k, k, (long long)extra->offset);
    if (extra->is_row)
      bd_text_format(text, "%lld], strides: [1] : ", (long long)out->sizes[C]);
    else
      bd_text_format(text, "%lld, %lld, %lld, %lld], strides: [%lld, %lld, %lld, 1] : ",
                     (long long)out->sizes[N], (long long)out->sizes[H], (long long)out->sizes[W],
                     (long long)out->sizes[C], (long long)extra->strides[N],
                     (long long)extra->strides[H], (long long)extra->strides[W]);
    bd_text_type(text, extra->type);
    bd_text_format(text, " to ");
    write_extra_type(text, d, k);
    bd_text_format(text, "\n");
  }
}

/* Extras that are rows, or those that are not, of place p. */
static void write_loads(bd_text *text, const tile *t, int64_t p, int are_rows, const char *tag) {
  const bd_epilogue *e = &t->d->epilogue;
  const bd_vectors vectors = vectors_of(t);
  char place[64] = "";
  if (!are_rows) snprintf(place, sizeof(place), "%%image, %%y, %%x_%lld, ", (long long)p);
  for (int k = 0; k < e->n; k++) {
    bd_text type = {NULL, 0, 0, 0};
    if (e->extras[k].is_row != are_rows) continue;
    write_extra_type(&type, t->d, k);
    text->is_lost |= type.is_lost;
    if (!type.is_lost)
      bd_epilogue_write_load(text, e, k, &vectors, place, "channel", type.data, tag);
    bd_text_deinit(&type);
  }
}

/* Stores %sum#P, or what the epilogue makes of it. */
static void write_end(bd_text *text, const tile *t, int64_t p) {
  const bd_epilogue *e = &t->d->epilogue;
  const bd_vectors vectors = vectors_of(t);
  char sum[48], places[48];
  bd_text value = {NULL, 0, 0, 0};
  snprintf(sum, sizeof(sum), "sum#%lld", (long long)p);
  snprintf(places, sizeof(places), "of_%lld", (long long)p);
  const bd_epilogue_names names = {sum, "of_row", places};
  if (e->op.ptr == NULL) {
    bd_text_format(&value, "%%%s", sum);
  } else {
    write_loads(text, t, p, 0, places);
    bd_epilogue_write_body(text, e, &vectors, &names);
    bd_epilogue_write_result(&value, e, &names);
  }
  text->is_lost |= value.is_lost;
  if (is_partial(t))
    bd_text_format(text,
                   "  vector.maskedstore %%out[%%image, %%y, %%x_%lld, %%channel], %%mask, %s",
                   (long long)p, value.data);
  else
    bd_text_format(text, "  vector.store %s, %%out[%%image, %%y, %%x_%lld, %%channel]", value.data,
                   (long long)p);
  write_access_end(text, t, 1, 0);
  bd_text_deinit(&value);
}

static void write_tile(bd_text *text, const tile *t) {
  const bd_vectors vectors = vectors_of(t);
  write_begin(text, t);
  write_loop(text, t, "sum", "h", "part", NULL);
  bd_text_format(text,
                 "  %%h_in = arith.muli %%h, %%spread_h : index\n"
                 "  %%line = arith.addi %%y_in, %%h_in : index\n");
  write_loop(text, t, "of_line", "w", "acc", "part");
  write_products(text, t);
  write_loop_end(text, t, "next", '_');
  write_loop_end(text, t, "of_line", '#');
  if (t->d->epilogue.op.ptr != NULL) {
    bd_epilogue_write_numbers(text, &t->d->epilogue, &vectors);
    write_loads(text, t, 0, 1, "of_row");
  }
  for (int64_t p = 0; p < t->places; p++) write_end(text, t, p);
}

/* All channels of so many places from %x on. */
static void write_channels(bd_text *text, const depthwise *d, int64_t places) {
  const int64_t whole = d->panels.n / d->lanes, rest = d->panels.n % d->lanes;
  write_number(text, "n_whole", whole);
  write_number(text, "n_all", whole + (rest > 0));
  for (int is_last = 0; is_last < 2; is_last++) {
    if ((is_last ? rest : whole) == 0) continue;
    const tile t = {d, places, is_last ? rest : d->lanes};
    bd_text_format(text,
                   "  scf.for %%j = %%%s to %%%s step %%c1 {\n"
                   "  %%channel = arith.muli %%j, %%n_lanes_of : index\n",
                   is_last ? "n_whole" : "c0", is_last ? "n_all" : "n_whole");
    if (is_last)
      bd_text_format(text, "  %%mask = vector.constant_mask [%lld] : vector<%dxi1>\n",
                     (long long)rest, d->lanes);
    write_tile(text, &t);
    bd_text_format(text, "  }\n");
  }
}

/* All places of line %y. */
static void write_line(bd_text *text, const depthwise *d) {
  const int64_t width = d->images[1].sizes[W];
  const int64_t n = (width + MAX_PLACES - 1) / MAX_PLACES, places = (width + n - 1) / n;
  const int64_t rest = width % places;
  write_number(text, "x_main", width - rest);
  write_number(text, "x_end", width);
  write_number(text, "x_step", places);
  for (int is_rest = 0; is_rest < 2; is_rest++) {
    if (is_rest && rest == 0) continue;
    bd_text_format(text,
                   "  scf.for %%x = %%%s to %%%s step %%x_step {\n"
                   "  %%x_in = arith.muli %%x, %%step_w : index\n",
                   is_rest ? "x_main" : "c0", is_rest ? "x_end" : "x_main");
    write_channels(text, d, is_rest ? rest : places);
    bd_text_format(text, "  }\n");
  }
}

static void write_lines(bd_text *text, const depthwise *d) {
  const bd_geometry *out = &d->images[1];
  const int64_t products = d->panels.n * out->sizes[W] * d->panels.k;
  bd_units_begin(text, "unit", out->sizes[N] * out->sizes[H]);
  write_number(text, "n_lines", out->sizes[H]);
  bd_text_format(text, "  %%nought_of = arith.constant 0.0 : %s\n", d->element);
  bd_text_format(text, "  %%zero = vector.broadcast %%nought_of : %s to ", d->element);
  write_vector(text, d);
  bd_text_format(text,
                 "\n  scf.for %%unit = %%unit_first to %%unit_last step %%c1 {\n"
                 "  %%image = arith.divui %%unit, %%n_lines : index\n"
                 "  %%y = arith.remui %%unit, %%n_lines : index\n"
                 "  %%y_in = arith.muli %%y, %%step_h : index\n");
  write_line(text, d);
  bd_text_format(text, "  }\n");
  bd_units_end(text, products / PRODUCTS_AT_ONCE);
}

static void write_kernel(bd_text *text, const depthwise *d, const char *pack) {
  const MlirType types[] = {mlirValueGetType(d->images[0].base), d->filter.type,
                            mlirValueGetType(d->images[1].base)};
  for (int i = 0; i < 3; i++) {
    bd_text_format(text, "%s%%x%d: ", i > 0 ? ", " : "(", i);
    bd_text_type(text, types[i]);
  }
  if (d->begin.begin == BD_BEGIN_ROW)
    bd_text_format(text, ", %%row: memref<%lldx%s>", (long long)d->filter.filters, d->element);
  bd_epilogue_write_parameters(text, &d->epilogue);
  bd_text_format(text, ", %%slot: i64) attributes {llvm.bareptr} {\n");
  write_number(text, "c0", 0);
  write_number(text, "c1", 1);
  bd_panels_write_kept(text, &d->panels);
  bd_filter_write_packing(text, &d->filter, 1, &d->panels, pack);
  bd_panels_write_kept_end(text);
  write_number(text, "n_lanes_of", d->lanes);
  write_number(text, "step_h", d->step[0]);
  write_number(text, "step_w", d->step[1]);
  write_number(text, "spread_h", d->spread[0]);
  write_number(text, "spread_w", d->spread[1]);
  write_number(text, "window_h", d->filter.window[0]);
  write_number(text, "window_w", d->filter.window[1]);
  write_image(text, d, 0, "in");
  write_image(text, d, 1, "out");
  write_extras(text, d);
  write_lines(text, d);
  bd_text_format(text, "  return\n}\n");
}

/* ---- Replacing --------------------------------------------------------------------------------
 */

/* Adds the epilogue, if it writes to an image whose channels lie innermost. */
static void add_epilogue(MlirOperation op, depthwise *d) {
  bd_geometry output;
  const bd_epilogue found = bd_epilogue_find(op, &d->begin, C);
  if (found.op.ptr == NULL || !bd_geometry_read(found.output, &output) || output.strides[C] != 1)
    return;
  d->epilogue = found;
  d->images[1] = output;
}

static buddy_code call(MlirOperation op, const char *name, const depthwise *d,
                       bd_keeping *keeping) {
  const MlirOperation last = d->epilogue.op;
  MlirValue operands[5 + BD_MAX_EXTRAS] = {d->images[0].base, mlirOperationGetOperand(op, 1),
                                           d->images[1].base};
  size_t n = 3;
  if (d->begin.begin == BD_BEGIN_ROW) operands[n++] = d->begin.row;
  for (int k = 0; k < d->epilogue.n; k++) operands[n++] = d->epilogue.extras[k].buffer;
  operands[n] = bd_number_insert(op, bd_keeping_slot(keeping));
  if (operands[n++].ptr == NULL) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = bd_call_insert_at(last.ptr == NULL ? op : last,
                                            mlirOperationGetLocation(op), name, operands, n);
  if (code != BUDDY_OK) return code;
  const MlirValue result = mlirOperationGetOperand(op, 2);
  if (d->begin.op.ptr != NULL) bd_op_erase(d->begin.op);
  bd_op_erase(op);
  bd_epilogue_erase(&d->epilogue, result);
  return BUDDY_OK;
}

static buddy_code replace(MlirOperation op, bd_kernels *kernels, bd_keeping *keeping) {
  depthwise d;
  const char *name;
  char pack[64];
  bd_text text = {NULL, 0, 0, 0};
  if (!read_depthwise(op, keeping, &d) || d.images[0].strides[C] != 1 ||
      d.images[1].strides[C] != 1)
    return BUDDY_OK;
  add_epilogue(op, &d);
  buddy_code code = bd_kernels_filter(kernels, mlirShapedTypeGetElementType(d.filter.type), pack);
  if (code != BUDDY_OK) return code;
  write_kernel(&text, &d, pack);
  code = bd_kernels_add(kernels, "depthwise", &text, &name);
  bd_text_deinit(&text);
  return code == BUDDY_OK ? call(op, name, &d, keeping) : code;
}

buddy_code bd_depthwise_replace_pixels(MlirOperation root, bd_kernels *kernels,
                                       bd_keeping *keeping) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.depthwise_conv_2d_nchw_chw");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; i++)
    code = replace(ops.items[i], kernels, keeping);
  bd_ops_deinit(&ops);
  return code;
}
