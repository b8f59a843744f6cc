// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/cell.c: one step of a recurrent cell: input, hx, w_ih, w_hh, b_ih, b_hh. */
#include <stdint.h>

#include "plugins/composite/rows.h"

static value linear(buddy_call *call, value x, size_t weight, size_t bias) {
  return cp_linear(call, x, cp_computed(call, weight), cp_computed(call, bias));
}

/* Part q of the columns, `width` each. */
static value part(buddy_call *call, value gates, int64_t q, int64_t width) {
  return gates ? cp_slice(call, gates, 1, be_dim(call, BUDDY_DIM_MUL, q, width), width, 1) : NULL;
}

static value sigmoid(buddy_call *call, value x) {
  return cp_unary(call, "aten.sigmoid.default", x);
}
static value tanh_of(buddy_call *call, value x) { return cp_unary(call, "aten.tanh.default", x); }

/* hx: h and c */
buddy_code cp_op_lstm_cell(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *states = be_arg(call, 1);
  value x = cp_computed(call, 0);
  if (!x || states->n != 2 || cp_type(call, x)->rank != 2)
    return be_decline(call, "an input that is no matrix");
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  value h = cp_cast(call, states->as.tensors[0], dtype),
        c = cp_cast(call, states->as.tensors[1], dtype);
  const int64_t width = cp_type(call, c)->dims[1];
  value gates = cp_add(call, linear(call, x, 2, 4), linear(call, h, 3, 5));
  value kept = cp_mul(call, sigmoid(call, part(call, gates, 1, width)), c);
  value fresh = cp_mul(call, sigmoid(call, part(call, gates, 0, width)),
                       tanh_of(call, part(call, gates, 2, width)));
  c = cp_add(call, kept, fresh);
  h = cp_mul(call, sigmoid(call, part(call, gates, 3, width)), tanh_of(call, c));
  const buddy_code code = cp_finish(call, h);
  return code == BUDDY_OK ? be_replace(call, 1, cp_cast(call, c, be_result_type(call, 1)->dtype))
                          : code;
}

buddy_code cp_op_gru_cell(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0), h = cp_computed(call, 1);
  if (!x || !h || cp_type(call, x)->rank != 2)
    return be_decline(call, "an input that is no matrix");
  const int64_t width = cp_type(call, h)->dims[1];
  value gi = linear(call, x, 2, 4), gh = linear(call, h, 3, 5);
  value r = sigmoid(call, cp_add(call, part(call, gi, 0, width), part(call, gh, 0, width)));
  value z = sigmoid(call, cp_add(call, part(call, gi, 1, width), part(call, gh, 1, width)));
  value n = tanh_of(
      call, cp_add(call, part(call, gi, 2, width), cp_mul(call, r, part(call, gh, 2, width))));
  return cp_finish(call, cp_add(call, cp_mul(call, cp_sub(call, h, n), z), n));
}

/* user: the activation */
buddy_code cp_op_rnn_cell(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  value x = cp_computed(call, 0);
  if (!x || cp_type(call, x)->rank != 2) return be_decline(call, "an input that is no matrix");
  value sum = cp_add(call, linear(call, x, 2, 4), linear(call, cp_computed(call, 1), 3, 5));
  return cp_finish(call, cp_unary(call, self->user, sum));
}
