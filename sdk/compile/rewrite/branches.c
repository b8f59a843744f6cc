// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/branches.c: finding sums of convolutions of one image. */
#include "sdk/compile/rewrite/branches.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/rewrite/branches_parts.h"
#include "sdk/compile/rewrite/weights.h"

enum { N, C, H, W, RANK };

/* ---- Convolutions ---------------------------------------------------------------------------- */

static bool is_of_zeros(MlirValue value) {
  return bd_is_made_by(value, "linalg.fill") &&
         bd_value_is_zero(mlirOperationGetOperand(bd_maker_of(value), 0));
}

/* The image that lies in a frame of zeros, or what has none. */
static bool read_frame(MlirValue framed, bd_branch *out) {
  int64_t at[RANK], steps[RANK];
  out->image = framed;
  for (int a = 0; a < BD_BRANCH_AXES; ++a) out->frame[a] = 0;
  if (!bd_is_made_by(framed, "tensor.insert_slice")) return true;
  const MlirOperation insert = bd_maker_of(framed);
  if (!is_of_zeros(mlirOperationGetOperand(insert, 1)) ||
      !bd_op_read_numbers(insert, "static_offsets", RANK, at) ||
      !bd_op_read_numbers(insert, "static_strides", RANK, steps) || at[N] != 0 || at[C] != 0)
    return false;
  for (int i = 0; i < RANK; ++i) {
    if (at[i] < 0 || steps[i] != 1) return false;
  }
  out->image = mlirOperationGetOperand(insert, 0);
  out->frame[0] = at[H];
  out->frame[1] = at[W];
  return mlirShapedTypeGetRank(mlirValueGetType(out->image)) == RANK;
}

static bool read_begin(MlirValue begin, bd_branch *out) {
  int64_t axes[RANK - 1];
  out->row.ptr = NULL;
  if (is_of_zeros(begin)) return true;
  if (!bd_is_made_by(begin, "linalg.broadcast") ||
      !bd_op_read_numbers(bd_maker_of(begin), "dimensions", RANK - 1, axes) || axes[0] != N ||
      axes[1] != H || axes[2] != W)
    return false;
  out->row = mlirOperationGetOperand(bd_maker_of(begin), 0);
  return true;
}

static bool read_convolution(MlirValue value, bd_branch *out) {
  *out = (bd_branch){.op = bd_maker_of(value)};
  if (!out->op.ptr) return false;
  out->is_depthwise = bd_op_is(out->op, "linalg.depthwise_conv_2d_nchw_chw");
  const MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(value));
  if ((!out->is_depthwise && !bd_op_is(out->op, "linalg.conv_2d_nchw_fchw")) ||
      (!mlirTypeIsAF32(element) && !mlirTypeIsAF64(element)) ||
      !bd_op_read_pair(out->op, "strides", out->step) ||
      !bd_op_read_pair(out->op, "dilations", out->spread) || out->spread[0] < 1 ||
      out->spread[1] < 1)
    return false;
  out->filter = mlirOperationGetOperand(out->op, 1);
  const MlirType type = mlirValueGetType(out->filter);
  const intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  for (int a = 0; a < BD_BRANCH_AXES; ++a)
    out->window[a] = mlirShapedTypeGetDimSize(type, rank - BD_BRANCH_AXES + a);
  return mlirShapedTypeHasStaticShape(type) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(type), element) &&
         read_frame(mlirOperationGetOperand(out->op, 0), out) &&
         read_begin(mlirOperationGetOperand(out->op, 2), out);
}

/* Where the window of `part`, along an axis, lies in that of `whole`: it is the same, or of one element. False if it does
 * not. */
static bool place_window(const bd_branch *whole, const bd_branch *part, int axis,
                         int64_t *out_place) {
  const int64_t shift = whole->frame[axis] - part->frame[axis], spread = whole->spread[axis];
  if (whole->step[axis] != part->step[axis] || shift < 0 || shift % spread != 0) return false;
  *out_place = shift / spread;
  return part->window[axis] == 1 ? *out_place < whole->window[axis]
                                 : shift == 0 && part->spread[axis] == spread &&
                                       part->window[axis] == whole->window[axis];
}

/* ---- The sum --------------------------------------------------------------------------------- */

/* Terms that are still to be looked at. */
typedef struct queue {
  bd_branch_term terms[BD_BRANCH_OPS];
  int n;
} queue;

static void add(queue *q, MlirValue value, const bd_branch_term *like, bool is_negative) {
  if (q->n == BD_BRANCH_OPS) return;
  bd_branch_term *t = &q->terms[q->n++];
  *t = *like;
  t->value = value;
  t->is_negative ^= is_negative;
}

/* What operation `at` adds up; false if it does not add up. */
static bool look_into(const bd_branches *s, int at, const bd_branch_term *of, queue *q) {
  const MlirOperation op = s->ops[at];
  bd_branch_term next = *of;
  if (bd_op_is(op, "arith.addf") || bd_op_is(op, "arith.subf")) {
    add(q, mlirOperationGetOperand(op, 0), of, false);
    add(q, mlirOperationGetOperand(op, 1), of, bd_op_is(op, "arith.subf"));
    return true;
  }
  const int multiplied = bd_op_is(op, "arith.mulf") && of->n_numbers < BD_BRANCH_NUMBERS
                             ? bd_branches_multiplied(s, op)
                             : -1;
  if (multiplied < 0) return false;
  next.numbers[next.n_numbers++] =
      bd_branches_input(s, mlirOperationGetOperand(op, 1 - multiplied));
  add(q, mlirOperationGetOperand(op, multiplied), &next, false);
  return true;
}

/* All that adds up to what operation `root` makes; false if it is more than there is room for. */
static bool read_sum(const bd_branches *s, int root, bd_branch_sum *out) {
  bool is_needed[BD_BRANCH_OPS];
  queue q = {.n = 0};
  const bd_branch_term none = {.input = -1};
  *out = (bd_branch_sum){.root = root};
  out->is_part[root] = look_into(s, root, &none, &q);
  for (int i = 0; i < q.n; ++i) {
    bd_branch_term *t = &q.terms[i];
    const int at = bd_branches_place(s, t->value);
    const bool is_read_once = bd_only_user(t->value).ptr;
    t->input = bd_branches_input(s, t->value);
    t->is_joined = bd_branches_need(s, t->value, is_needed);
    const bool is_image = t->input >= 0 && s->is_image[t->input] && is_read_once;
    if (at >= 0 && !t->is_joined && is_read_once) out->is_part[at] = look_into(s, at, t, &q);
    if (q.n == BD_BRANCH_OPS || out->n == BD_MAX_OPERANDS) return false;
    if (is_image || t->is_joined) out->terms[out->n++] = *t;
  }
  return true;
}

/* ---- What can be joined ---------------------------------------------------------------------- */

/* The middle of the window, where the image itself would be. */
static bool place_image(const bd_branches *s, const bd_branch *whole, bd_branch_term *t) {
  const MlirType type = mlirValueGetType(whole->filter);
  if (!mlirValueEqual(mlirOperationGetOperand(s->loop, t->input), whole->image) ||
      (!whole->is_depthwise &&
       mlirShapedTypeGetDimSize(type, 0) != mlirShapedTypeGetDimSize(type, 1)))
    return false;
  for (int a = 0; a < BD_BRANCH_AXES; ++a) {
    if (whole->step[a] != 1 || whole->frame[a] % whole->spread[a] != 0) return false;
    t->place[a] = whole->frame[a] / whole->spread[a];
    if (t->place[a] >= whole->window[a]) return false;
  }
  return true;
}

static bool place_branch(const bd_branch *whole, const bd_branch *part, bd_branch_term *t) {
  if (!mlirValueEqual(whole->image, part->image) || whole->is_depthwise != part->is_depthwise)
    return false;
  for (int a = 0; a < BD_BRANCH_AXES; ++a) {
    if (!place_window(whole, part, a, &t->place[a])) return false;
  }
  return true;
}

/* How many convolutions are one with that of term `whole`, which takes them in. */
static int join(const bd_branches *s, bd_branch_sum *of, int whole) {
  const bd_branch *w = &s->branches[of->terms[whole].input];
  int n = 0;
  for (int i = 0; i < of->n; ++i) {
    bd_branch_term *t = &of->terms[i];
    if (t->input < 0 || !s->is_image[t->input]) continue; /* of rows */
    const bool is_branch = s->is_branch[t->input];
    t->is_joined = is_branch ? place_branch(w, &s->branches[t->input], t) : place_image(s, w, t);
    n += t->is_joined && is_branch;
  }
  return n;
}

/* The term whose convolution takes most others in; -1: none takes any. */
static int choose_whole(const bd_branches *s, bd_branch_sum *of) {
  int best = -1, most = 1;
  for (int i = 0; i < of->n; ++i) {
    const intptr_t input = of->terms[i].input;
    const int n = input >= 0 && s->is_branch[input] ? join(s, of, i) : 0;
    if (n > most) best = i;
    if (n > most) most = n;
  }
  if (best >= 0) (void)join(s, of, best);
  return best;
}

/* ---- All of it ------------------------------------------------------------------------------- */

typedef struct asking {
  MlirOperation entry;
  const bd_signature *signature;
} asking;

static bool is_parallel(MlirOperation loop) {
  const MlirAttribute iterators = bd_op_attribute(loop, "iterator_types");
  const MlirAttribute parallel =
      mlirAttributeParseGet(mlirOperationGetContext(loop),
                            mlirStringRefCreateFromCString("#linalg.iterator_type<parallel>"));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(iterators); ++i) {
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(iterators, i), parallel)) return false;
  }
  return true;
}

static bool read_body(bd_branches *s) {
  const MlirOperation yield = mlirBlockGetTerminator(s->body);
  MlirOperation op = mlirBlockGetFirstOperation(s->body);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (s->n_ops == BD_BRANCH_OPS || mlirOperationGetNumResults(op) != 1 ||
        mlirOperationGetNumRegions(op) != 0)
      return false;
    s->ops[s->n_ops++] = op;
  }
  return true;
}

/* Every axis but the channels' is read at 0, or has one element. */
static bool is_of_channels(MlirType type, MlirAffineMap map) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    const MlirAffineExpr at = mlirAffineMapGetResult(map, r);
    const bool is_channel = mlirAffineExprIsADim(at) && mlirAffineDimExprGetPosition(at) == C;
    if (!is_channel && mlirShapedTypeGetDimSize(type, r) != 1) return false;
  }
  return true;
}

static bool is_of_weights(const asking *a, MlirValue value) {
  return !value.ptr || bd_is_of_weights(a->entry, a->signature, value);
}

/* How many of the inputs are convolutions that nobody else reads. */
static int read_inputs(const asking *a, bd_branches *s) {
  const MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetResult(s->loop, 0)));
  int n = 0;
  for (intptr_t i = 0; i < s->n; ++i) {
    const MlirValue value = mlirOperationGetOperand(s->loop, i);
    const MlirType type = mlirValueGetType(value);
    const MlirAffineMap map = bd_map_of(s->loop, i);
    bd_branch *c = &s->branches[i];
    if (!mlirTypeIsARankedTensor(type) ||
        !mlirTypeEqual(mlirShapedTypeGetElementType(type), element))
      continue;
    s->is_image[i] = mlirAffineMapIsIdentity(map);
    s->is_branch[i] = s->is_image[i] && bd_only_user(value).ptr && read_convolution(value, c) &&
                      is_of_weights(a, c->filter) && is_of_weights(a, c->row);
    n += s->is_branch[i];
  }
  for (intptr_t i = 0; i < s->n && n > 1; ++i) {
    const MlirValue value = mlirOperationGetOperand(s->loop, i);
    const MlirType type = mlirValueGetType(value);
    s->is_row[i] = mlirTypeIsARankedTensor(type) &&
                   mlirTypeEqual(mlirShapedTypeGetElementType(type), element) &&
                   is_of_channels(type, bd_map_of(s->loop, i)) && is_of_weights(a, value);
  }
  return n;
}

static buddy_code join_branches(MlirOperation loop, void *user) {
  bd_branches s = {
      .loop = loop, .body = bd_body_of(loop), .n = mlirOperationGetNumOperands(loop) - 1};
  bd_branch_sum of;
  if (s.n < 1 || s.n >= BD_MAX_OPERANDS || mlirOperationGetNumResults(loop) != 1 ||
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(loop, 0))) != RANK ||
      !mlirAffineMapIsIdentity(bd_map_of(loop, s.n)) || !is_parallel(loop) || !read_body(&s) ||
      read_inputs(user, &s) < 2)
    return BUDDY_OK;
  for (int root = s.n_ops - 1; root >= 0; --root) {
    const int whole = read_sum(&s, root, &of) ? choose_whole(&s, &of) : -1;
    if (whole < 0) continue;
    const buddy_code code = bd_branches_replace(&s, &of, &s.branches[of.terms[whole].input]);
    return code == BUDDY_UNSUPPORTED ? BUDDY_OK : code;
  }
  return BUDDY_OK;
}

buddy_code bd_branches_join(MlirOperation entry, const bd_signature *signature) {
  asking a = {entry, signature};
  return bd_ops_each(entry, "linalg.generic", join_branches, &a);
}
