// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/vendor/rows.c: rows become calls of the kernels beside them. */
#include "plugins/vendor/rows.h"

#include <stdbool.h>
#include <string.h>

#include "plugins/vendor/kernels.h"

/* ---- Matching -------------------------------------------------------------------------------- */
buddy_code vd_match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (to->dtype == BUDDY_BF16 && !buddy_vendor_is_bf16_fast()) {
    return be_decline(call, "this CPU has no bf16 arithmetic");
  }
  for (size_t i = 0; i < be_host->n_args(call); ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (type && type->rank > BUDDY_VENDOR_MAX_RANK) {
      return be_decline(call, "rank %u is above the kernels' %d", type->rank,
                        BUDDY_VENDOR_MAX_RANK);
    }
    if (type && type->dtype != to->dtype) return be_decline(call, "operands of several dtypes");
  }
  return BUDDY_OK;
}

static bool is_transposed(buddy_call *call, const vd_product *product) {
  return product->says_transposed == VD_NONE ? product->is_transposed
                                             : be_bool(call, product->says_transposed);
}

buddy_code vd_match_product(void *state, const buddy_op *self, buddy_call *call) {
  const vd_product *product = self->user;
  for (size_t i = product->scales; product->scales != VD_NONE && i < product->scales + 2u; ++i) {
    if (be_float(call, i, 1) != 1) return be_decline(call, "beta and alpha are not 1");
  }
  if (is_transposed(call, product) && be_arg_type(call, product->b)->rank != 2) {
    return be_decline(call, "the weight is no matrix");
  }
  return vd_match(state, self, call);
}

/* ---- Calls ----------------------------------------------------------------------------------- */
enum { MAX_INPUTS = 6, MAX_NUMBERS = 3 };
typedef struct kernel_call {
  const char *name; /* without the dtype */
  bk_input inputs[MAX_INPUTS];
  size_t n;
  int64_t numbers[MAX_NUMBERS];
  size_t n_numbers;
  uint64_t pixels, keeps; /* sets of inputs; the result is the one after them */
  int64_t present, activation;
  double activation_numbers[2];
} kernel_call;

static void add_argument(buddy_call *call, kernel_call *k, size_t i) {
  k->inputs[k->n++] = (bk_input){bk_tensor(call, i), be_arg_type(call, i)};
}

/* A tensor that the kernel may do without: then any other stands in its place. */
static int add_optional(buddy_call *call, kernel_call *k, uint8_t i, int64_t bit) {
  if (i != VD_NONE && !be_is_none(call, i)) {
    add_argument(call, k, i);
    k->present |= bit;
    return 1;
  }
  const bk_input first = k->inputs[0];
  k->inputs[k->n++] = first;
  return 0;
}

static buddy_code read_activation(buddy_call *call, kernel_call *k, const vd_tail *tail) {
  if (tail->activation == VD_NONE) return BUDDY_OK;
  const buddy_arg *name = be_arg(call, tail->activation);
  const int number = name->kind == BUDDY_ARG_STRING ? vd_activation_number(name->as.string) : -1;
  if (number < 0) return be_decline(call, "an activation that the kernels do not have");
  k->activation = number;
  k->activation_numbers[0] = be_float(call, tail->activation + 1u, 0);
  k->activation_numbers[1] = be_float(call, tail->activation + 2u, 0);
  return BUDDY_OK;
}

/* Calls the kernel of the result's dtype, whose output is result 0. */
static buddy_code call_kernel(buddy_call *call, const kernel_call *k) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  buddy_ir_value result;
  const bk_runtime_call spec = {
      .symbol = bk_format(call, "%s_%s", k->name, to->dtype == BUDDY_BF16 ? "bf16" : "f32"),
      .inputs = k->inputs,
      .n_inputs = k->n,
      .outputs = &to,
      .n_outputs = 1,
      .ints = k->numbers,
      .n_ints = k->n_numbers,
      .floats = k->activation_numbers,
      .n_floats = 2,
      .pixels = k->pixels,
      .keeps = k->keeps};
  if (!spec.symbol) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = bk_call(call, &spec, &result);
  return code == BUDDY_OK ? bk_result(call, 0, result) : code;
}

buddy_code vd_emit_product(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const vd_product *product = self->user;
  kernel_call k = {.name = "buddy_vendor_matmul", .keeps = 1u << 1};
  add_argument(call, &k, product->a);
  add_argument(call, &k, product->b);
  add_optional(call, &k, product->bias, BUDDY_VENDOR_HAS_BIAS);
  add_optional(call, &k, product->tail.addend, BUDDY_VENDOR_HAS_ADDEND);
  const buddy_code code = read_activation(call, &k, &product->tail);
  k.numbers[k.n_numbers++] = is_transposed(call, product);
  k.numbers[k.n_numbers++] = k.present;
  k.numbers[k.n_numbers++] = k.activation;
  return code == BUDDY_OK ? call_kernel(call, &k) : code;
}

/* The kernel's parameters: transposed, groups, present, activation, then stride, padding and
 * dilation per spatial dim */
static buddy_code add_window_numbers(buddy_call *call, kernel_call *k, const vd_window *at,
                                     uint32_t n) {
  int64_t numbers[4 + 3 * 3] = {at->transposed == VD_NONE ? 0 : be_bool(call, at->transposed),
                                be_int(call, at->groups, 1), k->present, k->activation};
  for (uint32_t d = 0; d < n; ++d) {
    numbers[4 + d] = be_int_at(call, at->stride, d, 1);
    numbers[4 + n + d] = be_int_at(call, at->padding, d, 0);
    numbers[4 + 2 * n + d] = be_int_at(call, at->dilation, d, 1);
  }
  const int64_t count = 4 + 3 * (int64_t)n;
  for (int64_t i = 0; i < count; ++i) {
    if (BUDDY_IS_SYMBOLIC(numbers[i])) {
      return be_decline(call, "a number of the window is known only when the program runs");
    }
  }
  const buddy_tensor_type *type = be_type(call, BUDDY_I64, 1, &count);
  const size_t n_bytes = (size_t)count * sizeof(*numbers);
  k->inputs[k->n++] = (bk_input){bk_constant(call, type, numbers, n_bytes), type};
  return BUDDY_OK;
}

buddy_code vd_emit_convolution(void *state, const buddy_op *self, buddy_call *call) {
  enum { INPUT, WEIGHT, BIAS, SCALE, ADDEND, PARAMETERS, OUT };
  (void)state;
  const vd_window *at = self->user;
  for (size_t i = 3; i < be_host->n_args(call); ++i)
    (void)be_arg(call, i); /* output_padding: the result type has it */
  const uint32_t n = be_arg_type(call, 1)->rank - 2;
  if (n < 1 || n > 3) return be_decline(call, "%u spatial dims: the kernels have 1 to 3", n);
  kernel_call k = {
      .name = "buddy_vendor_convolution", .pixels = 1u << INPUT | 1u << OUT, .keeps = 1u << WEIGHT};
  add_argument(call, &k, 0);
  add_argument(call, &k, 1);
  add_optional(call, &k, 2, BUDDY_VENDOR_HAS_BIAS);
  if (add_optional(call, &k, at->scale, BUDDY_VENDOR_HAS_SCALE)) k.keeps |= 1u << SCALE;
  if (add_optional(call, &k, at->tail.addend, BUDDY_VENDOR_HAS_ADDEND)) k.pixels |= 1u << ADDEND;
  /* The input stands in for what is missing. */
  k.pixels |= (k.present & BUDDY_VENDOR_HAS_ADDEND ? 0u : 1u << ADDEND) |
              (k.present & BUDDY_VENDOR_HAS_BIAS ? 0u : 1u << BIAS) |
              (k.present & BUDDY_VENDOR_HAS_SCALE ? 0u : 1u << SCALE);
  buddy_code code = read_activation(call, &k, &at->tail);
  if (code == BUDDY_OK) code = add_window_numbers(call, &k, at, n);
  return code == BUDDY_OK ? call_kernel(call, &k) : code;
}
