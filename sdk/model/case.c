// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/case.c: a node's case, and its text. */
#include "sdk/model/case.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_SIZE (INT64_C(1) << 31)
enum { MAX_STEPS = 8 }; /* from a weight to where it is used */

static const char *const kind_names[] = {
#define BD_X(name, text) text,
    BD_CASE_KINDS(BD_X)
#undef BD_X
};

const char *bd_case_kind_name(int kind) { return kind_names[kind]; }

static bool is_product(int kind) { return kind <= BD_CASE_BATCHED; }

size_t bd_case_n_sizes(int kind) {
  return is_product(kind) ? (size_t)BD_N_PRODUCT_SIZES : (size_t)BD_CASE_SIZES;
}

/* ---- Reading nodes --------------------------------------------------------------------------- */
static const buddy_value *tensor(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : NULL;
}

/* A weight, perhaps turned or viewed otherwise. */
static bool is_constant(const buddy_value *value) {
  for (int i = 0; i < MAX_STEPS; ++i) {
    const buddy_node *node = buddy_value_node(value);
    if (!node) {
      return buddy_graph_input_kind(buddy_value_graph(value), buddy_value_index(value)) !=
             BUDDY_INPUT_USER;
    }
    const buddy_opdef *def = buddy_node_opdef(node);
    const buddy_op_kind kind = def ? buddy_opdef_kind(def) : BUDDY_KIND_OTHER;
    if (kind != BUDDY_KIND_RESHAPE && kind != BUDDY_KIND_TRANSPOSE) return false;
    value = tensor(node, "self");
    if (!value) return false;
  }
  return false;
}

/* The product of the dims [from, to). */
static int64_t product_of(const buddy_tensor_type *type, uint32_t from, uint32_t to) {
  int64_t n = 1;
  for (uint32_t i = from; i < to; ++i) {
    if (type->dims[i] < 0 || type->dims[i] > MAX_SIZE) return -1;
    n *= type->dims[i];
    if (n > MAX_SIZE) return -1;
  }
  return n;
}

typedef struct product_op {
  const char *name, *left, *right;
  bool is_transposed; /* the right side is [n, k] */
} product_op;
static const product_op products[] = {
    {"aten.linear.default", "input", "weight", 1},   {"aten.mm.default", "self", "mat2", 0},
    {"aten.addmm.default", "mat1", "mat2", 0},       {"aten.bmm.default", "self", "mat2", 0},
    {"aten.baddbmm.default", "batch1", "batch2", 0}, {"aten.matmul.default", "self", "other", 0}};

/* The right side is one matrix: whatever is before the last axis on the left are its rows. */
static void read_matrix(const buddy_tensor_type *left, const buddy_tensor_type *right,
                        bool is_transposed, bd_case *c) {
  c->sizes[BD_BATCH] = 1;
  c->sizes[BD_M] = product_of(left, 0, left->rank - 1);
  c->sizes[BD_N] = right->dims[is_transposed ? 0 : 1];
  c->sizes[BD_K] = right->dims[is_transposed ? 1 : 0];
}

static int read_batch(const buddy_tensor_type *left, const buddy_tensor_type *right, bd_case *c) {
  const uint32_t rank = left->rank;
  if (right->rank != rank) return 0;
  for (uint32_t i = 0; i + 2 < rank; ++i)
    if (left->dims[i] != right->dims[i]) return 0;
  c->sizes[BD_BATCH] = product_of(left, 0, rank - 2);
  c->sizes[BD_M] = left->dims[rank - 2];
  c->sizes[BD_N] = right->dims[rank - 1];
  c->sizes[BD_K] = left->dims[rank - 1];
  return 1;
}

static int read_product(const buddy_node *node, const product_op *op, bd_case *c) {
  const buddy_value *left = tensor(node, op->left), *right = tensor(node, op->right);
  if (!left || !right) return 0;
  const buddy_tensor_type *a = buddy_value_type(left), *b = buddy_value_type(right);
  if (a->rank < 2 || b->rank < 2 || a->dtype != b->dtype) return 0;
  c->dtype = a->dtype;
  if (b->rank == 2)
    read_matrix(a, b, op->is_transposed, c);
  else if (op->is_transposed || !read_batch(a, b, c))
    return 0;
  c->kind = !is_constant(right) || b->rank > 2 ? BD_CASE_BATCHED
            : c->sizes[BD_M] == 1              ? BD_CASE_ROW
                                               : BD_CASE_PRODUCT;
  return 1;
}

/* One number for both axes. */
static int read_both(const buddy_node *node, const char *name, int64_t *out) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  if (!arg || arg->kind != BUDDY_ARG_INTS || arg->n < 1 || arg->n > 2) return 0;
  *out = arg->as.ints[0];
  return arg->n == 1 || arg->as.ints[1] == *out;
}

static int read_convolution(const buddy_node *node, bd_case *c) {
  const buddy_value *input = tensor(node, "input"), *weight = tensor(node, "weight");
  const buddy_arg *transposed = buddy_node_arg_find(node, "transposed");
  const buddy_arg *groups = buddy_node_arg_find(node, "groups");
  int64_t dilation = 0;
  if (!input || !weight || !groups || !is_constant(weight)) return 0;
  const buddy_tensor_type *x = buddy_value_type(input), *w = buddy_value_type(weight);
  if (x->rank != 4 || w->rank != 4 || x->dtype != w->dtype) return 0;
  if (transposed && transposed->as.i != 0) return 0;
  if (!read_both(node, "stride", &c->sizes[BD_STRIDE]) ||
      !read_both(node, "padding", &c->sizes[BD_PADDING]) ||
      !read_both(node, "dilation", &dilation) || dilation != 1)
    return 0;
  c->dtype = x->dtype;
  c->sizes[BD_IMAGES] = x->dims[0];
  c->sizes[BD_CHANNELS_IN] = x->dims[1];
  c->sizes[BD_HEIGHT] = x->dims[2];
  c->sizes[BD_WIDTH] = x->dims[3];
  c->sizes[BD_CHANNELS_OUT] = w->dims[0];
  c->sizes[BD_GROUPS] = groups->as.i;
  c->sizes[BD_KERNEL_HEIGHT] = w->dims[2];
  c->sizes[BD_KERNEL_WIDTH] = w->dims[3];
  c->kind = groups->as.i == 1                               ? BD_CASE_CONVOLUTION
            : w->dims[1] == 1 && w->dims[0] == groups->as.i ? BD_CASE_DEPTHWISE
                                                            : BD_CASE_GROUPED;
  return 1;
}

int bd_case_is_sane(const bd_case *c) {
  if (c->kind < 0 || c->kind >= BD_N_CASE_KINDS) return 0;
  if (c->dtype != BUDDY_F32 && c->dtype != BUDDY_F16 && c->dtype != BUDDY_BF16) return 0;
  for (size_t i = 0; i < BD_CASE_SIZES; ++i) {
    const int64_t least = i >= bd_case_n_sizes(c->kind) || i == BD_PADDING ? 0 : 1;
    const int64_t most = i >= bd_case_n_sizes(c->kind) ? 0 : MAX_SIZE;
    if (c->sizes[i] < least || c->sizes[i] > most) return 0;
  }
  if (is_product(c->kind)) return 1;
  return c->sizes[BD_CHANNELS_IN] % c->sizes[BD_GROUPS] == 0 &&
         c->sizes[BD_CHANNELS_OUT] % c->sizes[BD_GROUPS] == 0 &&
         c->sizes[BD_HEIGHT] + 2 * c->sizes[BD_PADDING] >= c->sizes[BD_KERNEL_HEIGHT] &&
         c->sizes[BD_WIDTH] + 2 * c->sizes[BD_PADDING] >= c->sizes[BD_KERNEL_WIDTH];
}

int bd_case_of(const buddy_node *node, bd_case *out) {
  static const char *const convolutions[] = {"aten.conv2d.default", "aten.convolution.default"};
  const char *op = buddy_node_op(node);
  *out = (bd_case){0};
  for (size_t i = 0; i < sizeof(products) / sizeof(*products); ++i) {
    if (strcmp(op, products[i].name) == 0)
      return read_product(node, &products[i], out) && bd_case_is_sane(out);
  }
  for (size_t i = 0; i < sizeof(convolutions) / sizeof(*convolutions); ++i) {
    if (strcmp(op, convolutions[i]) == 0)
      return read_convolution(node, out) && bd_case_is_sane(out);
  }
  return 0;
}

void bd_case_text(const bd_case *c, char *text, size_t size) {
  int n = snprintf(text, size, "%s %s ", kind_names[c->kind], buddy_dtype_name(c->dtype));
  for (size_t i = 0; i < bd_case_n_sizes(c->kind) && n > 0 && (size_t)n < size; ++i) {
    n += snprintf(text + n, size - (size_t)n, "%s%lld", i > 0 ? "x" : "", (long long)c->sizes[i]);
  }
}

/* ---- Costs ----------------------------------------------------------------------------------- */
#define NOMINAL_RATE 5e10      /* operations a second */
#define NOMINAL_BANDWIDTH 1e10 /* bytes a second */
#define NOMINAL_OVERHEAD 2e-6

static double output_size(const bd_case *c, size_t axis, size_t kernel) {
  const int64_t padded = c->sizes[axis] + 2 * c->sizes[BD_PADDING];
  const int64_t steps = (padded - c->sizes[kernel]) / c->sizes[BD_STRIDE];
  return (double)(steps + 1);
}

double bd_case_nominal(const bd_case *c) {
  const int64_t *s = c->sizes;
  const double element = c->dtype == BUDDY_F32 ? 4 : 2;
  double work, elements;
  if (is_product(c->kind)) {
    const double batch = (double)s[BD_BATCH], m = (double)s[BD_M], n = (double)s[BD_N];
    const double k = (double)s[BD_K];
    work = 2 * batch * m * n * k;
    elements = batch * (m * k + n * k + m * n);
  } else {
    const int64_t of_group = s[BD_CHANNELS_IN] / s[BD_GROUPS];
    const double filter =
        (double)of_group * (double)s[BD_KERNEL_HEIGHT] * (double)s[BD_KERNEL_WIDTH];
    const double out = (double)s[BD_CHANNELS_OUT] * output_size(c, BD_HEIGHT, BD_KERNEL_HEIGHT) *
                       output_size(c, BD_WIDTH, BD_KERNEL_WIDTH);
    const double images = (double)s[BD_IMAGES];
    work = 2 * images * out * filter;
    elements =
        images * ((double)s[BD_CHANNELS_IN] * (double)s[BD_HEIGHT] * (double)s[BD_WIDTH] + out) +
        (double)s[BD_CHANNELS_OUT] * filter;
  }
  return work / NOMINAL_RATE + elements * element / NOMINAL_BANDWIDTH + NOMINAL_OVERHEAD;
}

double bd_case_border(const bd_case *c) {
  const int64_t *s = c->sizes;
  if (is_product(c->kind)) return 0;
  const double out = (double)s[BD_CHANNELS_OUT] * output_size(c, BD_HEIGHT, BD_KERNEL_HEIGHT) *
                     output_size(c, BD_WIDTH, BD_KERNEL_WIDTH);
  const double in = (double)s[BD_CHANNELS_IN] * (double)s[BD_HEIGHT] * (double)s[BD_WIDTH];
  const double bytes = (double)s[BD_IMAGES] * (in + out) * (c->dtype == BUDDY_F32 ? 4 : 2);
  return 2 * bytes / NOMINAL_BANDWIDTH; /* read, and written */
}

double bd_case_distance(const bd_case *a, const bd_case *b) {
  if (a->kind != b->kind || a->dtype != b->dtype) return INFINITY;
  double distance = 0;
  for (size_t i = 0; i < bd_case_n_sizes(a->kind); ++i)
    distance += fabs(log2((double)(a->sizes[i] + 1) / (double)(b->sizes[i] + 1)));
  return distance;
}
