// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/convolution_rows.c: rows of convolutions: their arguments read, ordinary or
 * transposed. */
#include <stdbool.h>
#include <string.h>

#include "plugins/linalg/convolution.h"
#include "plugins/linalg/nest.h"

const la_convolution la_conv = {.transposed = -1},
                     la_conv_plain = {.stride = 3, .padding = 4, .dilation = 5, .groups = 6},
                     la_conv_transposed = {.stride = 3,
                                           .padding = 4,
                                           .output_padding = 5,
                                           .groups = 6,
                                           .dilation = 7,
                                           .transposed = 1};

/* ---- Reading the arguments ---- */

/* "same" pads so that the result has the input's dims, with the odd one at the end; "valid" not at
 * all. */
static void named_padding(la_problem *p, const char *name) {
  for (uint32_t d = 0; d < p->n_spatial && strcmp(name, "same") == 0; ++d) {
    const int64_t total = p->dilation[d] * (p->weight_type->dims[2 + d] - 1);
    p->low[d] = total / 2;
    p->high[d] = total - total / 2;
  }
}

/* The rank of the weight tells that of the convolution; an input without a batch dim gets one. */
static buddy_code read_operands(buddy_call *call, la_problem *p) {
  p->input_type = be_arg_type(call, 0);
  p->weight_type = be_arg_type(call, 1);
  p->n_spatial = p->weight_type->rank - 2;
  if (p->weight_type->rank < 3 || p->n_spatial > LA_MAX_SPATIAL) {
    return be_decline(call, "a convolution over %u spatial dims", p->weight_type->rank - 2);
  }
  p->input = be_tensor(call, 0);
  p->weight = be_tensor(call, 1);
  const uint32_t rank = p->n_spatial + 2;
  if (p->input_type->rank == rank) return BUDDY_OK;
  if (p->input_type->rank != rank - 1)
    return be_decline(call, "the ranks of input and weight do not fit");
  int64_t dims[2 + LA_MAX_SPATIAL] = {1};
  memcpy(dims + 1, p->input_type->dims, (rank - 1) * sizeof(int64_t));
  const buddy_tensor_type *batched = be_type(call, p->input_type->dtype, rank, dims);
  p->input = be_reshape(call, p->input, p->input_type, batched);
  p->input_type = batched;
  return batched ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

/* Groups that are no number divide channels and filters; where that follows from no size, the run looks. */
static void check_groups(buddy_call *call, const la_problem *p) {
  const be_body block = la_block(call);
  const int64_t *dims = p->weight_type->dims;
  const int64_t of_group = be_dim(call, BUDDY_DIM_FLOORDIV, dims[0], p->groups);
  const int64_t filters = be_dim(call, BUDDY_DIM_MUL, of_group, p->groups);
  const int64_t channels =
      p->is_transposed ? dims[0] : be_dim(call, BUDDY_DIM_MUL, dims[1], p->groups);
  const int64_t pairs[][2] = {{filters, dims[0]}, {channels, p->input_type->dims[1]}};
  for (size_t i = 0; i < 2; ++i) {
    if (pairs[i][0] == pairs[i][1]) continue;
    be_assert(call,
              be_in_compare(&block, "eq", be_index(call, pairs[i][0]), be_index(call, pairs[i][1]),
                            BUDDY_I64),
              "the groups of a convolution do not divide its channels");
  }
}

/* A filter is turned round, and "same" is counted, by numbers; the other filters may be of any size.
 * Phases of a transposed convolution that are one are so many filters. */
static buddy_code check_weight(buddy_call *call, const la_problem *p, bool needs_numbers) {
  const buddy_tensor_type *type = p->weight_type;
  for (uint32_t d = p->is_transposed && p->groups == 1 ? 0 : 2; d < type->rank; ++d) {
    if (needs_numbers && BUDDY_IS_SYMBOLIC(type->dims[d]))
      return be_decline(call, "the dims of the weight are not numbers");
  }
  if (!BUDDY_IS_SYMBOLIC(p->groups)) {
    return p->groups > 0 ? BUDDY_OK : be_decline(call, "%lld groups", (long long)p->groups);
  }
  check_groups(call, p);
  return BUDDY_OK;
}

/* The result with a batch dim, of the dtype that is summed in. */
static const buddy_tensor_type *sum_type_of(buddy_call *call, const la_problem *p) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_dtype dtype = la_opmath(to->dtype);
  const uint32_t rank = p->n_spatial + 2;
  if (to->rank == rank) return be_with_dtype(call, to, dtype);
  int64_t dims[2 + LA_MAX_SPATIAL] = {1};
  memcpy(dims + 1, to->dims, (rank - 1) * sizeof(int64_t));
  return be_type(call, dtype, rank, dims);
}

static buddy_code read_problem(buddy_call *call, const la_convolution *row, la_problem *p) {
  static const la_convolution all = {
      .stride = 3, .padding = 4, .dilation = 5, .transposed = 6, .output_padding = 7, .groups = 8};
  if (row->transposed < 0) row = &all;
  const buddy_code code = read_operands(call, p);
  if (code != BUDDY_OK) return code;
  p->is_transposed = row == &all ? be_bool(call, 6) : row->transposed;
  p->groups = be_size(call, row->groups, 1);
  const bool has_name = be_arg(call, row->padding)->kind == BUDDY_ARG_STRING;
  for (uint32_t d = 0; d < p->n_spatial; ++d) {
    p->stride[d] = be_int_at(call, row->stride, d, 1);
    p->dilation[d] = be_int_at(call, row->dilation, d, 1);
    p->low[d] = p->high[d] = has_name ? 0 : be_int_at(call, row->padding, d, 0);
    if (BUDDY_IS_SYMBOLIC(p->stride[d]) || BUDDY_IS_SYMBOLIC(p->dilation[d]) ||
        BUDDY_IS_SYMBOLIC(p->low[d]))
      return be_decline(call, "a stride, padding or dilation that is no number");
  }
  const buddy_code fits = check_weight(call, p, p->is_transposed || has_name);
  if (fits != BUDDY_OK) return fits;
  if (has_name) named_padding(p, be_arg(call, row->padding)->as.string);
  for (uint32_t d = 0; d < p->n_spatial && p->is_transposed; ++d)
    p->high[d] = be_int_at(call, row->output_padding, d, 0);
  if (row->output_padding != 0) la_ignore(call, row->output_padding, 1);
  p->sum_type = sum_type_of(call, p);
  return p->sum_type ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

/* input, weight, bias, then what the row's la_convolution says */
buddy_code la_emit_convolution(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  la_problem p = {0};
  const buddy_code code = read_problem(call, self->user, &p);
  if (code != BUDDY_OK) return code;
  const MlirValue sums =
      p.is_transposed ? la_transposed_sums(call, &p) : la_convolution_sums(call, &p);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue value = la_cast(call, sums, p.sum_type, to->dtype);
  return be_result(call, 0,
                   be_reshape(call, value, be_with_dtype(call, p.sum_type, to->dtype), to));
}
