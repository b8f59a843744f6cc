/* plugins/vendor/rows.c: rows become calls of the kernels beside them. */
#include "plugins/vendor/rows.h"

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
  }
  return BUDDY_OK;
}

buddy_code vd_match_product(void *state, const buddy_op *self, buddy_call *call) {
  const vd_product *product = self->user;
  for (size_t i = product->scales; product->scales != VD_NONE && i < product->scales + 2u; ++i) {
    if (be_float(call, i, 1) != 1) return be_decline(call, "beta and alpha are not 1");
  }
  if (product->is_transposed && be_arg_type(call, product->b)->rank != 2) {
    return be_decline(call, "the weight is no matrix");
  }
  return vd_match(state, self, call);
}

/* ---- Calls ----------------------------------------------------------------------------------- */
enum { MAX_INPUTS = 4 };
typedef struct kernel_call {
  const char *name; /* without the dtype */
  bk_input inputs[MAX_INPUTS];
  size_t n;
  int64_t numbers[1];
  size_t n_numbers;
} kernel_call;

static void add_argument(buddy_call *call, kernel_call *k, size_t i) {
  k->inputs[k->n++] = (bk_input){bk_tensor(call, i), be_arg_type(call, i)};
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
      .n_ints = k->n_numbers};
  if (!spec.symbol) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = bk_call(call, &spec, &result);
  return code == BUDDY_OK ? bk_result(call, 0, result) : code;
}

buddy_code vd_emit_product(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const vd_product *product = self->user;
  const int has_bias = product->bias != VD_NONE && !be_is_none(call, product->bias);
  kernel_call k = {.name = has_bias ? "buddy_vendor_matmul_bias" : "buddy_vendor_matmul",
                   .numbers = {product->is_transposed},
                   .n_numbers = 1};
  add_argument(call, &k, product->a);
  add_argument(call, &k, product->b);
  if (has_bias) add_argument(call, &k, product->bias);
  return call_kernel(call, &k);
}

/* transposed, groups, then stride, padding and dilation per spatial dim */
static buddy_code add_window_numbers(buddy_call *call, kernel_call *k, const vd_window *at,
                                     uint32_t n) {
  int64_t numbers[2 + 3 * 3] = {at->transposed == VD_NONE ? 0 : be_bool(call, at->transposed),
                                be_int(call, at->groups, 1)};
  for (uint32_t d = 0; d < n; ++d) {
    numbers[2 + d] = be_int_at(call, at->stride, d, 1);
    numbers[2 + n + d] = be_int_at(call, at->padding, d, 0);
    numbers[2 + 2 * n + d] = be_int_at(call, at->dilation, d, 1);
  }
  const int64_t count = 2 + 3 * (int64_t)n;
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
  (void)state;
  for (size_t i = 3; i < be_host->n_args(call); ++i)
    (void)be_arg(call, i); /* output_padding: the result type has it */
  const uint32_t n = be_arg_type(call, 1)->rank - 2;
  if (n < 1 || n > 3) return be_decline(call, "%u spatial dims: the kernels have 1 to 3", n);
  const int has_bias = !be_is_none(call, 2);
  kernel_call k = {.name = has_bias ? "buddy_vendor_convolution_bias" : "buddy_vendor_convolution"};
  add_argument(call, &k, 0);
  add_argument(call, &k, 1);
  if (has_bias) add_argument(call, &k, 2);
  const buddy_code code = add_window_numbers(call, &k, self->user, n);
  return code == BUDDY_OK ? call_kernel(call, &k) : code;
}
