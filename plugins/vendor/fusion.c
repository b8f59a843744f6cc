// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/vendor/fusion.c: a product or convolution, and what follows it element by element, become
 * one op of this registry:
 *
 *   activation(batch_norm(convolution(x, w) + bias) + addend)
 *     → vendor.convolution(x, w, bias', scale, addend, …, activation)
 *   activation(x @ w + bias + addend) → vendor.product(x, w, bias, addend, …, activation)
 *
 * Each part after the product may be missing, but not all. Transforms walk from the last node to
 * the first, so the longest chain is seen first. Only products that this registry would get anyway
 * are taken (taker), and only where nothing else uses what is between.
 *
 * A batch norm with constant statistics multiplies filter by filter and adds: the kernels multiply
 * the filters where they pack them. */
#include <stdbool.h>
#include <string.h>

#include "plugins/vendor/kernels.h"
#include "plugins/vendor/rows.h"

typedef const buddy_value *value;

static const buddy_graph_services *graph(void) { return be_host->extension(BUDDY_GRAPH_ID); }

static int is(buddy_sv op, const char *name) {
  return op.size == strlen(name) && memcmp(op.data, name, op.size) == 0;
}
static bool is_made_by(buddy_call *call, value v, const char *op) {
  return is(graph()->producer(call, v), op);
}
/* Null if there is none of that name, or it is no tensor. */
static value operand(buddy_call *call, value v, const char *name) {
  const buddy_arg *arg = graph()->producer_arg(call, v, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? arg->as.tensor : NULL;
}
/* Of a number or bool; `other` for anything else. */
static double number(buddy_call *call, value v, const char *name, double other) {
  const buddy_arg *arg = graph()->producer_arg(call, v, name);
  if (!arg) return other;
  if (arg->kind == BUDDY_ARG_FLOAT) return arg->as.f;
  const bool is_whole = arg->kind == BUDDY_ARG_INT || arg->kind == BUDDY_ARG_BOOL;
  return is_whole && !BUDDY_IS_SYMBOLIC(arg->as.i) ? (double)arg->as.i : other;
}

/* ---- Names ----------------------------------------------------------------------------------- */
static const char *const names[BUDDY_VENDOR_N_ACTIVATIONS] = {
    [BUDDY_VENDOR_NO_ACTIVATION] = "none",
    [BUDDY_VENDOR_CLAMP] = "clamp",
    [BUDDY_VENDOR_RELU] = "relu",
    [BUDDY_VENDOR_ELU] = "elu",
    [BUDDY_VENDOR_SIGMOID] = "sigmoid",
    [BUDDY_VENDOR_SILU] = "silu",
    [BUDDY_VENDOR_HARDSWISH] = "hardswish",
    [BUDDY_VENDOR_GELU_ERF] = "gelu",
    [BUDDY_VENDOR_GELU_TANH] = "gelu_by_tanh",
    [BUDDY_VENDOR_TANH] = "tanh"};

int vd_activation_number(const char *name) {
  for (int i = 0; i < BUDDY_VENDOR_N_ACTIVATIONS; ++i) {
    if (strcmp(names[i], name) == 0) return i;
  }
  return -1;
}

/* ---- The chain ------------------------------------------------------------------------------- */
typedef struct norm {
  value weight, bias, mean, variance; /* mean: null if there is no batch norm */
  double eps;
} norm;

typedef struct chain {
  int activation;
  double numbers[2];
  value addend; /* null: none */
  norm norm;
  value head; /* the result of the product or convolution */
} chain;

static bool is_convolution(buddy_call *call, value v) {
  static const char *const ops[] = {"aten.convolution.default", "aten.conv1d.default",
                                    "aten.conv2d.default", "aten.conv3d.default"};
  for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); ++i) {
    if (is_made_by(call, v, ops[i])) return true;
  }
  return false;
}

static bool is_product(buddy_call *call, value v) {
  return is_made_by(call, v, "aten.linear.default") || is_made_by(call, v, "aten.addmm.default") ||
         is_made_by(call, v, "aten.mm.default");
}

/* An input of the program, or one that is turned: a weight. What is computed, from numbers of eight
 * bits for instance, may be the end of a pattern of another registry. */
static bool is_weight(buddy_call *call, value v) {
  static const char *const turns[] = {"aten.permute.default", "aten.transpose.int",
                                      "aten.t.default"};
  if (!v) return false;
  for (size_t i = 0; i < sizeof(turns) / sizeof(*turns); ++i) {
    if (is_made_by(call, v, turns[i])) return is_made_by(call, operand(call, v, "self"), "");
  }
  return is_made_by(call, v, "");
}

static value weight_of(buddy_call *call, value product) {
  const value weight = operand(call, product, "weight");
  return weight ? weight : operand(call, product, "mat2");
}

/* Whether the head is this registry's, and of a kind whose primitives take more at their end. */
static int find_head(buddy_call *call, value v, chain *c) {
  if (!BUDDY_HAS(graph(), buddy_graph_services, taker)) return 0; /* an older host */
  if (graph()->n_uses(call, v) != 1 || !is_weight(call, weight_of(call, v))) return 0;
  if (is_convolution(call, v)) {
    const double groups = number(call, v, "groups", 1);
    const buddy_tensor_type *weight = be_value_type(call, operand(call, v, "weight"));
    const bool is_depthwise =
        weight && weight->rank > 1 && weight->dims[1] == 1 && (double)weight->dims[0] == groups;
    if (number(call, v, "transposed", 0) != 0 || (groups != 1 && !is_depthwise)) return 0;
  } else if (!is_product(call, v)) {
    return 0;
  }
  c->head = v;
  return is(graph()->taker(call, v), "vendor");
}

static bool is_batch_norm(buddy_call *call, value v) {
  return (is_made_by(call, v, "aten.batch_norm.default") ||
          is_made_by(call, v, "aten._native_batch_norm_legit_no_training.default")) &&
         graph()->result_index(call, v) == 0;
}

static norm read_norm(buddy_call *call, value v) {
  return (norm){operand(call, v, "weight"), operand(call, v, "bias"),
                operand(call, v, "running_mean"), operand(call, v, "running_var"),
                number(call, v, "eps", 1e-5)};
}

/* With statistics that it was given, in f32: a narrower weight would be rounded once more. */
static int find_under_norm(buddy_call *call, value input, chain *c) {
  const buddy_tensor_type *type = be_value_type(call, input);
  const buddy_tensor_type *mean = be_value_type(call, c->norm.mean);
  if (!type || !mean || !c->norm.variance || type->dtype != BUDDY_F32 || mean->dtype != BUDDY_F32 ||
      !is_convolution(call, input) || !find_head(call, input, c))
    return 0;
  /* An image without a batch dim has its channels elsewhere. */
  return type->rank == be_value_type(call, operand(call, input, "weight"))->rank;
}

static int find_normalized(buddy_call *call, value v, chain *c) {
  if (!is_batch_norm(call, v)) return find_head(call, v, c);
  if (graph()->n_uses(call, v) != 1 || number(call, v, "training", 0) != 0) return 0;
  c->norm = read_norm(call, v);
  return find_under_norm(call, operand(call, v, "input"), c);
}

static int same_type(buddy_call *call, value a, value b) {
  const buddy_tensor_type *x = be_value_type(call, a), *y = be_value_type(call, b);
  return x && y && x->dtype == y->dtype && be_same_dims(x, y);
}

/* a + b: one of them ends a chain, the other is added to it. */
static int find_sum(buddy_call *call, value a, value b, chain *c) {
  const value sides[2] = {a, b};
  if (!a || !b || a == b || !same_type(call, a, b)) return 0;
  for (int i = 0; i < 2; ++i) {
    c->norm = (norm){.mean = NULL};
    c->addend = sides[1 - i];
    if (find_normalized(call, sides[i], c)) return 1;
  }
  c->norm = (norm){.mean = NULL};
  c->addend = NULL;
  return 0;
}

static int find_below_activation(buddy_call *call, value v, chain *c) {
  if (is_made_by(call, v, "aten.add.Tensor") && graph()->n_uses(call, v) == 1 &&
      number(call, v, "alpha", 1) == 1 &&
      find_sum(call, operand(call, v, "self"), operand(call, v, "other"), c))
    return 1;
  return find_normalized(call, v, c);
}

/* ---- What stands for it ---------------------------------------------------------------------- */
typedef struct affine {
  value scale, bias;
} affine;

static value binary(buddy_call *call, const char *op, value a, value b) {
  return a && b ? BE_NODE(call, op, NULL, be_t("self", a), be_t("other", b)) : NULL;
}

/* norm(y + bias) is y * scale + (bias - mean) * scale + shift. */
static affine fold_norm(buddy_call *call, const norm *n, value bias) {
  affine a = {NULL, bias};
  if (!n->mean) return a;
  value sum =
      BE_NODE(call, "aten.add.Tensor", NULL, be_t("self", n->variance), be_f("other", n->eps));
  a.scale = sum ? BE_NODE(call, "aten.rsqrt.default", NULL, be_t("self", sum)) : NULL;
  if (n->weight) a.scale = binary(call, "aten.mul.Tensor", a.scale, n->weight);
  value moved = bias ? binary(call, "aten.sub.Tensor", bias, n->mean)
                     : BE_NODE(call, "aten.neg.default", NULL, be_t("self", n->mean));
  a.bias = binary(call, "aten.mul.Tensor", moved, a.scale);
  if (n->bias) a.bias = binary(call, "aten.add.Tensor", a.bias, n->bias);
  return a;
}

static buddy_named_arg pass(buddy_call *call, const chain *c, const char *name) {
  return (buddy_named_arg){name, *graph()->producer_arg(call, c->head, name)};
}

static buddy_code replace_convolution(buddy_call *call, const chain *c) {
  const affine a = fold_norm(call, &c->norm, operand(call, c->head, "bias"));
  return be_replace(
      call, 0,
      BE_NODE(call, "vendor.convolution.default", be_result_type(call, 0),
              be_t("input", operand(call, c->head, "input")),
              be_t("weight", weight_of(call, c->head)), be_t("bias", a.bias),
              be_t("scale", a.scale), be_t("addend", c->addend), pass(call, c, "stride"),
              pass(call, c, "padding"), pass(call, c, "dilation"), pass(call, c, "groups"),
              be_s("activation", names[c->activation]), be_f("first", c->numbers[0]),
              be_f("second", c->numbers[1])));
}

static buddy_code replace_product(buddy_call *call, const chain *c) {
  const bool is_linear = is_made_by(call, c->head, "aten.linear.default");
  const bool is_sum = is_made_by(call, c->head, "aten.addmm.default");
  value bias = is_linear ? operand(call, c->head, "bias")
               : is_sum  ? operand(call, c->head, "self")
                         : NULL;
  value a = operand(call, c->head, is_linear ? "input" : is_sum ? "mat1" : "self");
  return be_replace(call, 0,
                    BE_NODE(call, "vendor.product.default", be_result_type(call, 0),
                            be_t("input", a), be_t("weight", weight_of(call, c->head)),
                            be_t("bias", bias), be_t("addend", c->addend),
                            be_b("transposed", is_linear), be_s("activation", names[c->activation]),
                            be_f("first", c->numbers[0]), be_f("second", c->numbers[1])));
}

static buddy_code replace(buddy_call *call, const chain *c) {
  if (!same_type(call, c->head, c->head) ||
      be_value_type(call, c->head)->dtype != be_result_type(call, 0)->dtype ||
      !be_same_dims(be_value_type(call, c->head), be_result_type(call, 0)))
    return be_decline(call, "the type changes after the product");
  return is_convolution(call, c->head) ? replace_convolution(call, c) : replace_product(call, c);
}

static buddy_code decline(buddy_call *call) {
  return be_decline(call, "no product of this registry leads to it alone");
}

/* ---- Roots ----------------------------------------------------------------------------------- */
/* Which activation an op is: its numbers are the root's arguments `first` and the next one, or,
 * with first 0, those given here. */
typedef struct root {
  int activation;
  uint8_t first, n;
  double numbers[2];
} root;

static buddy_code rewrite_activation(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state;
  const root *r = self->user;
  chain c = {.activation = r->activation, .numbers = {r->numbers[0], r->numbers[1]}};
  for (uint8_t i = 0; i < r->n; ++i) {
    const buddy_arg *arg = be_arg(call, r->first + (size_t)i);
    const bool is_whole = arg->kind == BUDDY_ARG_INT && !BUDDY_IS_SYMBOLIC(arg->as.i);
    if (arg->kind != BUDDY_ARG_FLOAT && !is_whole) return be_decline(call, "a limit is missing");
    c.numbers[i] = is_whole ? (double)arg->as.i : arg->as.f;
  }
  return find_below_activation(call, be_arg_value(call, 0), &c) ? replace(call, &c) : decline(call);
}

/* self, approximate */
static buddy_code rewrite_gelu(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *how = be_arg(call, 1);
  const int by_tanh = how->kind == BUDDY_ARG_STRING && strcmp(how->as.string, "tanh") == 0;
  chain c = {.activation = by_tanh ? BUDDY_VENDOR_GELU_TANH : BUDDY_VENDOR_GELU_ERF};
  return find_below_activation(call, be_arg_value(call, 0), &c) ? replace(call, &c) : decline(call);
}

/* self, other */
static buddy_code rewrite_add(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  chain c = {.activation = BUDDY_VENDOR_NO_ACTIVATION};
  if (be_arg(call, 0)->kind != BUDDY_ARG_TENSOR || be_arg(call, 1)->kind != BUDDY_ARG_TENSOR)
    return decline(call);
  return find_sum(call, be_arg_value(call, 0), be_arg_value(call, 1), &c) ? replace(call, &c)
                                                                          : decline(call);
}

/* input, weight, bias, running_mean, running_var, eps, momentum, and perhaps training */
static buddy_code rewrite_norm(void *state, const buddy_transform *self, buddy_call *call) {
  (void)state, (void)self;
  const size_t n = be_host->n_args(call);
  for (size_t i = 0; i < n; ++i) (void)be_arg(call, i);
  if (n > 7 && be_bool(call, 7)) return be_decline(call, "it computes the statistics");
  if (be_is_none(call, 3) || be_is_none(call, 4)) return be_decline(call, "no statistics");
  chain c = {.norm = {be_arg_value(call, 1), be_arg_value(call, 2), be_arg_value(call, 3),
                      be_arg_value(call, 4), be_float(call, 5, 1e-5)}};
  return find_under_norm(call, be_arg_value(call, 0), &c) ? replace(call, &c) : decline(call);
}

#define ROOT(name_, root_, args_, rewrite_, ...) \
  {.name = name_,                                \
   .root = root_,                                \
   .args = args_,                                \
   .rewrite = rewrite_,                          \
   .user = &(const root)__VA_ARGS__}
#define ACTIVATION(name_, op, args_, ...) \
  ROOT(name_, "aten." op ".default", args_, rewrite_activation, {__VA_ARGS__})
#define NORM_ARGS "input, weight, bias, running_mean, running_var, eps, momentum"

static const buddy_transform transforms[] = {
    ACTIVATION("relu", "relu", "self", BUDDY_VENDOR_RELU, 0, 0, {0, 0}),
    ACTIVATION("leaky_relu", "leaky_relu", "self, negative_slope", BUDDY_VENDOR_RELU, 1, 1, {0, 0}),
    ACTIVATION("hardtanh", "hardtanh", "self, min_val, max_val", BUDDY_VENDOR_CLAMP, 1, 2, {0, 0}),
    ACTIVATION("clamp", "clamp", "self, min, max", BUDDY_VENDOR_CLAMP, 1, 2, {0, 0}),
    ACTIVATION("relu6", "relu6", "self", BUDDY_VENDOR_CLAMP, 0, 0, {0, 6}),
    ACTIVATION("elu", "elu", "self, alpha", BUDDY_VENDOR_ELU, 1, 1, {0, 0}),
    ACTIVATION("sigmoid", "sigmoid", "self", BUDDY_VENDOR_SIGMOID, 0, 0, {0, 0}),
    ACTIVATION("silu", "silu", "self", BUDDY_VENDOR_SILU, 0, 0, {0, 0}),
    ACTIVATION("hardswish", "hardswish", "self", BUDDY_VENDOR_HARDSWISH, 0, 0, {0, 0}),
    ACTIVATION("tanh", "tanh", "self", BUDDY_VENDOR_TANH, 0, 0, {0, 0}),
    {.name = "gelu",
     .root = "aten.gelu.default",
     .args = "self, approximate",
     .rewrite = rewrite_gelu},
    {.name = "add", .root = "aten.add.Tensor", .args = "self, other", .rewrite = rewrite_add},
    {.name = "batch_norm",
     .root = "aten.batch_norm.default",
     .args = NORM_ARGS ", training, cudnn_enabled",
     .rewrite = rewrite_norm},
    {.name = "batch_norm_of_inference",
     .root = "aten._native_batch_norm_legit_no_training.default",
     .args = NORM_ARGS,
     .rewrite = rewrite_norm},
};
const buddy_transforms vd_transforms = {.struct_size = sizeof(vd_transforms),
                                        .n_transforms = sizeof(transforms) / sizeof(*transforms),
                                        .stride = sizeof(*transforms),
                                        .transforms = transforms};
