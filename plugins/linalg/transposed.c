// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/transposed.c: transposed convolutions as ordinary ones, each over the input as it
 * is, without zeros between its elements.
 *
 * Along one dim, with stride s and dilation d, the result's element at (counted before the padding
 * is cut off) is the sum of x[(at - d k) / s] w[k] over the k for which that is a whole number:
 * those of one remainder. So the results of one phase, at mod s, are an ordinary convolution by
 * every (s / gcd)-th element of the filter, from its first one, k0, on, with a dilation of d / gcd,
 * and no product is made that is not needed. Phases whose windows have as many elements read nearly
 * the same places of the input if d is 1: they may be one convolution with as many times the
 * filters, over the places of all of them; of small images those are too many. What the phases give
 * is put together by slices whose steps are the stride.
 *
 * Of an input of one element the stride is of no account: it is taken to be as wide as the window,
 * so that each of the result's elements is a product and no sum. */
#include <stdbool.h>
#include <string.h>

#include "plugins/linalg/convolution.h"

static const MlirValue no_value = {NULL};

/* Phases that one convolution computes, along one dim: those of k0 first to first + n - 1. */
typedef struct phases {
  int64_t first, n;
  int64_t taps; /* elements of the filter for each */
} phases;

/* One dim: where its phases lie, and how they read. */
typedef struct axis {
  int64_t stride, dilation; /* of the transposed one */
  int64_t step, spread;     /* from tap to tap: in the filter, in the input */
  int64_t in;               /* elements of the input: a dim */
  int64_t low, more;        /* results that are kept: from low to before in * stride + more */
  int64_t n_covered;        /* phases that have taps, as many as the filter's elements at most */
} axis;

/* Along one dim, the blocks of `stride` results that hold one of a phase which is kept. */
typedef struct blocks {
  int64_t begin, end; /* the latter counted from the input's */
} blocks;

typedef struct transposed {
  const la_problem *p;
  axis axes[LA_MAX_SPATIAL];
  phases at[LA_MAX_SPATIAL]; /* the convolution at hand */
  int64_t n_phases;          /* of it */
  int64_t c_in;              /* channels of a group: a dim */
  bool is_joined;            /* phases that read the same places are one convolution */
} transposed;

static int64_t ceil_of(int64_t a, int64_t b) { return a > 0 ? (a + b - 1) / b : -(-a / b); }

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* ---- Phases ---- */

/* Class i of the dim's phases. */
static phases class_of(const transposed *t, uint32_t d, int64_t i) {
  const axis *x = &t->axes[d];
  const int64_t size = t->p->weight_type->dims[2 + d];
  if (!t->is_joined) return (phases){i, 1, (size - i + x->step - 1) / x->step};
  const int64_t longer = size % x->step;
  const int64_t taps = size / x->step;
  if (i == 0 && longer > 0) return (phases){0, longer, taps + 1};
  return (phases){longer, x->step - longer, taps};
}

/* How many classes of phases have taps. */
static int64_t count_classes(const transposed *t, uint32_t d) {
  const axis *x = &t->axes[d];
  const int64_t size = t->p->weight_type->dims[2 + d];
  return t->is_joined ? 1 + (size > x->step && size % x->step != 0) : x->n_covered;
}

static void read_axis(transposed *t, uint32_t d) {
  const la_problem *p = t->p;
  const int64_t size = p->weight_type->dims[2 + d];
  axis *x = &t->axes[d];
  x->in = p->input_type->dims[2 + d];
  x->dilation = p->dilation[d];
  x->stride = x->in == 1 ? x->dilation * size : p->stride[d];
  const int64_t divisor = common_divisor(x->dilation, x->stride);
  x->step = x->stride / divisor;
  x->spread = x->dilation / divisor;
  x->n_covered = size < x->step ? size : x->step;
  x->low = p->low[d];
  x->more = x->dilation * (size - 1) + p->high[d] + 1 - p->low[d] - x->stride;
}

/* Where the results of the phase that begins with element k of the filter lie in their blocks. */
static int64_t place_of(const axis *x, int64_t k) { return x->dilation * k % x->stride; }

static blocks blocks_of(const axis *x, int64_t k) {
  const int64_t at = place_of(x, k);
  return (blocks){ceil_of(x->low - at, x->stride), ceil_of(x->more - at, x->stride)};
}

/* Those of all phases of a convolution, whose places follow one another: the last one's begin first,
 * and the first one's end last. */
static blocks all_blocks(const axis *x, const phases *at) {
  return (blocks){blocks_of(x, at->first + at->n - 1).begin, blocks_of(x, at->first).end};
}

static int64_t length(buddy_call *call, const axis *x, blocks of) {
  return be_dim(call, BUDDY_DIM_ADD, x->in, of.end - of.begin);
}

/* ---- Which phases are one convolution ---- */

/* Fewer filters than this take as long; of more convolutions each is too small. */
enum { FILTERS = 16, MOST_CONVOLUTIONS = 16 };

static int64_t filters_of(int64_t n) { return (n + FILTERS - 1) / FILTERS * FILTERS; }

/* Without groups all phases that read nearly the same places are one convolution, unless its places
 * beyond those of each phase cost more than a twelfth of all. */
static bool joins(const transposed *t) {
  const la_problem *p = t->p;
  double places = 1, own_places = 1;
  int64_t n_phases = 1;
  bool is_known = true;
  if (p->groups != 1) return false;
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    const axis *x = &t->axes[d];
    if (x->dilation != 1) return false;
    const phases all = {0, x->n_covered, 0};
    const blocks joined = all_blocks(x, &all);
    is_known &= !BUDDY_IS_SYMBOLIC(x->in);
    if (!is_known) continue;
    places *= (double)(x->in + joined.end - joined.begin);
    own_places *= (double)x->in + (double)(x->more - x->low) / (double)x->stride;
    n_phases *= x->n_covered;
  }
  const int64_t filters = p->weight_type->dims[1];
  return !is_known || n_phases > MOST_CONVOLUTIONS ||
         12 * places * (double)filters_of(filters * n_phases) <=
             13 * own_places * (double)(n_phases * filters_of(filters));
}

/* ---- The filter ---- */

/* Filter (phase f_out + f, c, i) of the convolution at hand is element first + phase + step (taps -
 * 1 - i) of filter (c, f) of the transposed one; with groups, which have one phase at a time, filter
 * (g f_out + f, c, i) of (g c_in + c, f). */
static void turned(const be_body *body, MlirValue *out, void *user) {
  const transposed *t = user;
  const la_problem *p = t->p;
  const int64_t f_out = p->weight_type->dims[1];
  const MlirValue f = be_in_loop(body, 0), c = be_in_loop(body, 1);
  MlirValue outer = la_index_div(body, f, be_in_index(body, f_out));
  out[0] = p->groups == 1
               ? c
               : la_index_add(body, c, la_index_mul(body, outer, be_in_index(body, t->c_in)));
  out[1] = la_index_mod(body, f, be_in_index(body, f_out));
  for (uint32_t d = p->n_spatial; d-- > 0;) {
    const phases *at = &t->at[d];
    const int64_t last = at->first + t->axes[d].step * (at->taps - 1);
    const MlirValue back =
        la_index_mul(body, be_in_loop(body, 2 + d), be_in_index(body, t->axes[d].step));
    out[2 + d] = la_index_sub(body, be_in_index(body, last), back);
    if (at->n == 1) continue;
    const MlirValue n = be_in_index(body, at->n);
    out[2 + d] = la_index_add(body, out[2 + d], la_index_mod(body, outer, n));
    outer = la_index_div(body, outer, n);
  }
}

static void turn_weight(buddy_call *call, transposed *t, la_problem *out) {
  const buddy_tensor_type *from = t->p->weight_type;
  const int64_t filters = be_dim(call, BUDDY_DIM_MUL, from->dims[1], t->p->groups);
  int64_t dims[2 + LA_MAX_SPATIAL] = {be_dim(call, BUDDY_DIM_MUL, filters, t->n_phases), t->c_in};
  for (uint32_t d = 0; d < t->p->n_spatial; ++d) dims[2 + d] = t->at[d].taps;
  out->weight_type = be_type(call, from->dtype, from->rank, dims);
  out->weight = la_rearranged(call, t->p->weight, out->weight_type, from->rank, turned, t);
}

/* ---- The convolution of some phases ---- */

/* [n, phases f, blocks of all phases...] */
static MlirValue sums_of(buddy_call *call, transposed *t, const buddy_tensor_type **out_type) {
  la_problem p = *t->p;
  int64_t dims[2 + LA_MAX_SPATIAL];
  p.n_phases = t->n_phases;
  turn_weight(call, t, &p);
  if (!p.weight_type) return no_value;
  dims[0] = p.sum_type->dims[0];
  dims[1] = p.weight_type->dims[0];
  for (uint32_t d = 0; d < p.n_spatial; ++d) {
    const axis *x = &t->axes[d];
    const blocks all = all_blocks(x, &t->at[d]);
    const int64_t reach = (t->at[d].taps - 1) * x->spread;
    dims[2 + d] = length(call, x, all);
    p.stride[d] = 1;
    p.dilation[d] = x->spread;
    p.low[d] = x->dilation * t->at[d].first / x->stride + reach - all.begin;
    p.high[d] = all.end - all.begin - p.low[d] + reach;
  }
  *out_type = p.sum_type = be_type(call, p.sum_type->dtype, p.sum_type->rank, dims);
  return p.sum_type ? la_convolution_sums(call, &p) : no_value;
}

/* Puts each phase of the sums where its results lie in `whole`. */
static MlirValue with_phases(buddy_call *call, const transposed *t, MlirValue sums,
                             const buddy_tensor_type *type, MlirValue whole,
                             const buddy_tensor_type *to) {
  la_box from = la_whole(call, type), into = la_whole(call, to);
  if (!type || !to) return no_value;
  from.sizes[1] = to->dims[1];
  for (int64_t i = 0; i < t->n_phases; ++i) {
    bool is_empty = false;
    int64_t rest = i;
    from.offsets[1] = i * to->dims[1];
    for (uint32_t d = t->p->n_spatial; d-- > 0;) {
      const axis *x = &t->axes[d];
      const int64_t k = t->at[d].first + rest % t->at[d].n;
      const blocks own = blocks_of(x, k);
      rest /= t->at[d].n;
      from.offsets[2 + d] = own.begin - all_blocks(x, &t->at[d]).begin;
      from.sizes[2 + d] = into.sizes[2 + d] = length(call, x, own);
      into.offsets[2 + d] = place_of(x, k) + own.begin * x->stride - x->low;
      into.strides[2 + d] = x->stride;
      is_empty |= into.sizes[2 + d] == 0;
    }
    if (is_empty) continue;
    const buddy_tensor_type *part = be_type(call, type->dtype, type->rank, from.sizes);
    whole = la_insert(call, la_extract(call, sums, &from, part), whole, &into, to);
  }
  return whole;
}

/* ---- All of it ---- */

/* The next choice of one class a dim; 0 after the last. */
static int go_on(const transposed *t, int64_t *classes) {
  for (uint32_t d = 0; d < t->p->n_spatial; ++d) {
    if (++classes[d] < count_classes(t, d)) return 1;
    classes[d] = 0;
  }
  return 0;
}

static MlirValue all_phases(buddy_call *call, transposed *t, const buddy_tensor_type *to) {
  int64_t classes[LA_MAX_SPATIAL] = {0};
  bool is_covered = true, has_steps = false;
  for (uint32_t d = 0; d < t->p->n_spatial; ++d) {
    is_covered &= t->axes[d].n_covered == t->axes[d].stride;
    has_steps |= t->axes[d].stride != 1;
  }
  MlirValue whole = is_covered ? be_empty(call, to) : la_convolution_begin(call, t->p, to);
  do {
    const buddy_tensor_type *type = NULL;
    bool is_empty = false;
    t->n_phases = 1;
    for (uint32_t d = 0; d < t->p->n_spatial; ++d) {
      t->at[d] = class_of(t, d, classes[d]);
      t->n_phases *= t->at[d].n;
      is_empty |= length(call, &t->axes[d], all_blocks(&t->axes[d], &t->at[d])) == 0;
    }
    if (is_empty) continue;
    const MlirValue sums = sums_of(call, t, &type);
    if (!has_steps) return sums;
    whole = with_phases(call, t, sums, type, whole, to);
  } while (go_on(t, classes));
  return whole;
}

MlirValue la_transposed_sums(buddy_call *call, const la_problem *p) {
  transposed t = {.p = p,
                  .c_in = be_dim(call, BUDDY_DIM_FLOORDIV, p->weight_type->dims[0], p->groups)};
  for (uint32_t d = 0; d < p->n_spatial; ++d) read_axis(&t, d);
  t.is_joined = joins(&t);
  return all_phases(call, &t, p->sum_type);
}
