// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/integer.c: products and convolutions of dequantized tensors, in integers.
 *
 *   sum (x - zx) sx (w - zw) sw  =  sx sw (sum x w  -  zx sum w  -  zw (sum x - K zx))
 *
 * The sums are exact in 32 bits, where PyTorch's float reference rounds each addition: what comes
 * out is as near to the true number as f32 can be. They may wrap on the way, since what matters is
 * the whole modulo 2^32; a product whose result may not fit is left in floats.
 *
 * What follows (bias, activation, quantization) stays as it is, and becomes one loop. */
#include "buddy/extensions.h"

#include <stdbool.h>
#include "plugins/composite/dequantized.h"
#include "plugins/composite/integer.h"

#define OF_REST(rank) ((UINT64_C(1) << (rank)) - 2) /* all axes but the first */

/* ---- Words ----------------------------------------------------------------------------------- */

/* The axes stay, as dims of 1. */
static value sum_of(buddy_call *call, value q, uint64_t axes) {
  int64_t list[BE_MAX_RANK], dims[BE_MAX_RANK];
  const buddy_tensor_type *type = cp_type(call, q);
  size_t n = 0;
  if (!type) return NULL;
  for (uint32_t d = 0; d < type->rank; ++d) {
    dims[d] = axes >> d & 1 ? 1 : type->dims[d];
    if (axes >> d & 1) list[n++] = d;
  }
  return BE_NODE(call, "aten.sum.dim_IntList", be_type(call, BUDDY_I32, type->rank, dims),
                 be_t("self", q), be_is("dim", list, n), be_b("keepdim", 1),
                 be_d("dtype", BUDDY_I32));
}

static bool has_zero(const cp_dequantized *a) { return a->zero || a->fixed != 0; }

static value zero_of(buddy_call *call, const cp_dequantized *a) {
  return a->zero ? a->zero : cp_scalar(call, BUDDY_I32, (double)a->fixed);
}

/* Whether sums over k products are numbers of 32 bits. */
static int fits(const cp_dequantized *x, const cp_dequantized *w, int64_t k) {
  return !BUDDY_IS_SYMBOLIC(k) && k > 0 && k <= INT32_MAX / (x->reach * w->reach);
}

static buddy_code decline_size(buddy_call *call) {
  return be_decline(call, "sums of so many products may not fit into 32 bits");
}

/* ---- Products -------------------------------------------------------------------------------- */

/* Sums over k, [1, n], of w [k, n]; of the weight as it is stored, since a transpose of it that
 * only the product reads is none in memory. */
static value sum_of_columns(buddy_call *call, const cp_dequantized *w) {
  const int64_t dims[2] = {1, cp_type(call, w->q) ? cp_type(call, w->q)->dims[1] : 0};
  return w->turned ? cp_view(call, sum_of(call, w->turned, 2), 2, dims) : sum_of(call, w->q, 1);
}

/* What zero points take from sum x w, for x [m, k] and w [k, n]. */
static value without_zeros(buddy_call *call, value sums, const cp_dequantized *x,
                           const cp_dequantized *w, int64_t k) {
  if (has_zero(x))
    sums = cp_sub(call, sums, cp_mul(call, zero_of(call, x), sum_of_columns(call, w)));
  if (!has_zero(w)) return sums;
  value rows = sum_of(call, x->q, 2);
  if (has_zero(x))
    rows =
        cp_sub(call, rows, cp_mul(call, zero_of(call, x), cp_scalar(call, BUDDY_I32, (double)k)));
  return cp_sub(call, sums, cp_mul(call, zero_of(call, w), rows));
}

/* x [..., k] times w [k, n], and bias [n] if there is one, in place of the result. */
static buddy_code replace_product(buddy_call *call, cp_dequantized *x, cp_dequantized *w,
                                  value bias) {
  const buddy_tensor_type *left = cp_type(call, x->q), *right = cp_type(call, w->q);
  if (!left || !right) return cp_finish(call, NULL);
  if (right->rank != 2 || left->rank == 0) return be_decline(call, "operands of these ranks");
  const int64_t k = right->dims[0];
  const int64_t rows[2] = {cp_count(call, x->q, (UINT64_C(1) << (left->rank - 1)) - 1), k};
  if (!fits(x, w, k)) return decline_size(call);
  if ((w->axes & 1) || (x->axes >> (left->rank - 1) & 1))
    return be_decline(call, "scales differ along the axis that is summed over");
  if (!cp_dequantized_view(call, x, 2, rows))
    return be_decline(call, "scales that differ along some of the outer axes");
  const int64_t dims[2] = {rows[0], right->dims[1]};
  value sums = BE_NODE(call, "aten._int_mm.default", be_type(call, BUDDY_I32, 2, dims),
                       be_t("self", x->q), be_t("mat2", w->q));
  sums = without_zeros(call, sums, x, w, k);
  value scale = cp_mul(call, x->scale, w->scale);
  value product = cp_mul(call, sums ? cp_cast(call, sums, BUDDY_F32) : NULL, scale);
  if (bias) product = cp_add(call, product, bias);
  return cp_finish_shaped(call, 0, product);
}

static buddy_code find_two(buddy_call *call, value left, value right, cp_dequantized *x,
                           cp_dequantized *w) {
  *x = *w = (cp_dequantized){.q = NULL};
  if (be_result_type(call, 0)->dtype != BUDDY_F32) return be_decline(call, "the result is not f32");
  const buddy_code code = cp_find_dequantized(call, left, "the first operand", x);
  return code == BUDDY_OK ? cp_find_dequantized(call, right, "the second operand", w) : code;
}

static buddy_code find_both(buddy_call *call, size_t first, cp_dequantized *x, cp_dequantized *w) {
  return find_two(call, be_arg_value(call, first), be_arg_value(call, first + 1), x, w);
}

/* input, weight [n, k], bias */
static buddy_code rewrite_linear(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  static const int64_t turned[2] = {1, 0};
  cp_dequantized x, w;
  const buddy_code code = find_both(call, 0, &x, &w);
  if (code != BUDDY_OK) return code;
  if (!cp_type(call, w.q) || cp_type(call, w.q)->rank != 2)
    return be_decline(call, "a weight that is no matrix");
  cp_dequantized_permute(call, &w, turned);
  return replace_product(call, &x, &w, be_arg_value(call, 2));
}

/* self, mat2 or other */
static buddy_code rewrite_mm(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  cp_dequantized x, w;
  const buddy_code code = find_both(call, 0, &x, &w);
  return code == BUDDY_OK ? replace_product(call, &x, &w, NULL) : code;
}

/* self, mat2: decomposed layers of inputs that lie in pieces repeat their weight for each batch. */
static buddy_code rewrite_bmm(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  cp_dequantized x, w;
  value weight = cp_find_repeated(call, be_arg_value(call, 1));
  if (!weight) return be_decline(call, "the second operand is not one matrix for all");
  const buddy_code code = find_two(call, be_arg_value(call, 0), weight, &x, &w);
  return code == BUDDY_OK ? replace_product(call, &x, &w, NULL) : code;
}

/* self, mat1, mat2, beta, alpha */
static buddy_code rewrite_addmm(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  cp_dequantized x, w;
  const buddy_code code = find_both(call, 1, &x, &w);
  if (code != BUDDY_OK) return code;
  if (be_float(call, 3, 1) != 1 || be_float(call, 4, 1) != 1)
    return be_decline(call, "beta or alpha is not 1");
  return replace_product(call, &x, &w, be_arg_value(call, 0));
}

/* ---- Convolutions ---------------------------------------------------------------------------- */

/* Where a root has its arguments after input, weight and bias. */
typedef struct places {
  size_t stride, padding, dilation, groups, transposed;
} places;
static const places plain = {3, 4, 5, 6, 0}, whole = {3, 4, 5, 8, 6};

/* How much of `total` that a window of size k reaches beyond its middle "same" puts first. */
static int64_t padding_of(buddy_call *call, const places *at, uint32_t d, int64_t window,
                          bool is_end) {
  const buddy_arg *arg = be_arg(call, at->padding);
  if (arg->kind != BUDDY_ARG_STRING) return be_int_at(call, at->padding, d, 0);
  if (arg->as.string[0] != 's') return 0; /* "valid" */
  const int64_t total = be_int_at(call, at->dilation, d, 1) * (window - 1);
  return is_end ? total - total / 2 : total / 2;
}

/* Around x, the number that stands for 0. */
static value padded(buddy_call *call, const cp_dequantized *x, const places *at,
                    const buddy_tensor_type *weight) {
  int64_t pad[2 * BE_MAX_RANK], dims[BE_MAX_RANK];
  const buddy_tensor_type *type = cp_type(call, x->q);
  const uint32_t n = type->rank - 2;
  bool is_needed = false;
  dims[0] = type->dims[0];
  dims[1] = type->dims[1];
  for (uint32_t d = 0; d < n; ++d) {
    const int64_t low = padding_of(call, at, d, weight->dims[2 + d], 0),
                  high = padding_of(call, at, d, weight->dims[2 + d], 1);
    pad[2 * (n - 1 - d)] = low; /* the last dim first */
    pad[2 * (n - 1 - d) + 1] = high;
    is_needed |= low != 0 || high != 0;
    dims[2 + d] =
        be_dim(call, BUDDY_DIM_ADD, type->dims[2 + d], be_dim(call, BUDDY_DIM_ADD, low, high));
  }
  if (!is_needed) return x->q;
  return BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, BUDDY_I8, type->rank, dims),
                 be_t("self", x->q), be_is("pad", pad, 2 * (size_t)n), be_i("value", x->fixed));
}

/* Numbers of filters, beside the dims of an image. */
static value of_filters(buddy_call *call, value a, uint32_t n_spatial) {
  int64_t dims[BE_MAX_RANK];
  if (!a || cp_type(call, a)->rank == 0) return a;
  dims[0] = be_n_elements(call, cp_type(call, a));
  for (uint32_t d = 0; d < n_spatial; ++d) dims[1 + d] = 1;
  return cp_view(call, a, 1 + n_spatial, dims);
}

static value window_sums(buddy_call *call, const cp_dequantized *x, const cp_dequantized *w,
                         const places *at) {
  const buddy_tensor_type *filter = cp_type(call, w->q);
  value sums =
      BE_NODE(call, CP_INT_CONVOLUTION, be_with_dtype(call, be_result_type(call, 0), BUDDY_I32),
              be_t("input", padded(call, x, at, filter)), be_t("weight", w->q),
              be_pass(call, "stride", at->stride), be_pass(call, "dilation", at->dilation),
              be_pass(call, "groups", at->groups));
  if (!has_zero(x)) return sums;
  const int64_t rows[2] = {filter->dims[0], cp_count(call, w->q, OF_REST(filter->rank))};
  value of_zero = cp_mul(call, zero_of(call, x), sum_of(call, cp_view(call, w->q, 2, rows), 2));
  return cp_sub(call, sums, of_filters(call, of_zero, filter->rank - 2));
}

/* Null, or why it stays in floats. */
static const char *judge(buddy_call *call, const cp_dequantized *x, const cp_dequantized *w,
                         const places *at) {
  const buddy_tensor_type *image = cp_type(call, x->q), *filter = cp_type(call, w->q);
  if (at->transposed && be_bool(call, at->transposed)) return "a transposed convolution";
  if (!image || !filter || image->rank < 3 || image->rank != filter->rank || !be_is_static(filter))
    return "an input without a batch dim, or a weight of unknown size";
  if (x->zero || x->axes) return "the image's scale or zero point is known in the run only";
  if (x->fixed < -128 || x->fixed > 127) return "a zero point that is no number of eight bits";
  if (has_zero(w) || (w->axes & ~UINT64_C(1))) return "the weight is not symmetric by filter";
  return NULL;
}

/* input, weight, bias, then what `places` says */
static buddy_code rewrite_convolution(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state;
  const places *at = self->user;
  cp_dequantized x, w;
  if (at->transposed) (void)be_arg(call, 7); /* output_padding: only of the transposed one */
  const buddy_code code = find_both(call, 0, &x, &w);
  if (code != BUDDY_OK) return code;
  const char *why = judge(call, &x, &w, at);
  if (why) return be_decline(call, "%s", why);
  const buddy_tensor_type *filter = cp_type(call, w.q);
  if (!fits(&x, &w, cp_count(call, w.q, OF_REST(filter->rank)))) return decline_size(call);
  const uint32_t n_spatial = filter->rank - 2;
  value sums = window_sums(call, &x, &w, at);
  value scale = of_filters(call, cp_mul(call, x.scale, w.scale), n_spatial);
  value result = cp_mul(call, sums ? cp_cast(call, sums, BUDDY_F32) : NULL, scale);
  value bias = be_arg_value(call, 2);
  if (bias) result = cp_add(call, result, of_filters(call, bias, n_spatial));
  return cp_finish(call, result);
}

/* ---- The table ------------------------------------------------------------------------------- */

#define CONVOLUTION(name_, root_)                                    \
  {.name = (name_),                                                  \
   .root = (root_),                                                  \
   .args = "input, weight, bias, stride, padding, dilation, groups", \
   .rewrite = rewrite_convolution,                                   \
   .user = &plain}

static const buddy_transform transforms[] = {
    {.name = "int_linear",
     .root = "aten.linear.default",
     .args = "input, weight, bias",
     .rewrite = rewrite_linear},
    {.name = "int_mm", .root = "aten.mm.default", .args = "self, mat2", .rewrite = rewrite_mm},
    {.name = "int_bmm", .root = "aten.bmm.default", .args = "self, mat2", .rewrite = rewrite_bmm},
    {.name = "int_matmul",
     .root = "aten.matmul.default",
     .args = "self, other",
     .rewrite = rewrite_mm},
    {.name = "int_addmm",
     .root = "aten.addmm.default",
     .args = "self, mat1, mat2, beta, alpha",
     .rewrite = rewrite_addmm},
    CONVOLUTION("int_conv1d", "aten.conv1d.default"),
    CONVOLUTION("int_conv2d", "aten.conv2d.default"),
    CONVOLUTION("int_conv3d", "aten.conv3d.default"),
    CONVOLUTION("int_conv1d_named", "aten.conv1d.padding"),
    CONVOLUTION("int_conv2d_named", "aten.conv2d.padding"),
    CONVOLUTION("int_conv3d_named", "aten.conv3d.padding"),
    {.name = "int_convolution",
     .root = "aten.convolution.default",
     .args = "input, weight, bias, stride, padding, dilation, transposed, output_padding, groups",
     .rewrite = rewrite_convolution,
     .user = &whole},
};
const buddy_transforms cp_transforms = {.struct_size = sizeof(cp_transforms),
                                        .n_transforms = sizeof(transforms) / sizeof(*transforms),
                                        .stride = sizeof(*transforms),
                                        .transforms = transforms};
