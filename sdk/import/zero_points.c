// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/zero_points.c: dropping zero points that are zero. */
#include "sdk/import/zero_points.h"

#include <stdbool.h>
#include <string.h>

#include "buddy/base.h"
#include "sdk/import/build.h"

/* Ops whose zero points may be None, and how the argument is called. */
static const struct {
  const char *op, *argument;
} ops[] = {{"quantized_decomposed.dequantize_per_channel.default", "zero_points"},
           {"torchao.dequantize_affine.default", "zero_point"}};

static bool is_written(const buddy_graph *graph, const char *target) {
  for (size_t i = 0; i < buddy_graph_n_outputs(graph); ++i) {
    if (buddy_graph_output_kind(graph, i) != BUDDY_OUTPUT_USER &&
        !strcmp(buddy_graph_output_target(graph, i), target))
      return true;
  }
  return false;
}

/* True if all elements are integers, dense, and 0. */
static buddy_code are_zeros(buddy_archive *archive, const buddy_tensor_type *type,
                            const buddy_data *data, bool *out_are) {
  *out_are = false;
  const size_t size = buddy_dtype_size(type->dtype);
  size_t n = size;
  if (!data || !data->bytes || !(BUDDY_INTS & BUDDY_DTYPE_BIT(type->dtype))) return BUDDY_OK;
  for (uint32_t d = type->rank; d-- > 0; n *= (size_t)type->dims[d]) {
    if (data->strides && type->dims[d] > 1 && (size_t)data->strides[d] * size != n) return BUDDY_OK;
  }
  const char *bytes =
      bd_archive_read(archive, (const char *)data->bytes + (size_t)data->offset * size, n);
  if (!bytes) return BUDDY_OUT_OF_MEMORY;
  *out_are = n == 0 || (bytes[0] == 0 && !memcmp(bytes, bytes + 1, n - 1));
  return BUDDY_OK;
}

/* Whether the value is of the file, and stays as it is there. */
static bool is_constant(const buddy_graph *graph, const buddy_value *value) {
  const size_t i = buddy_value_index(value);
  return !buddy_value_node(value) && buddy_value_graph(value) == graph &&
         buddy_graph_input_kind(graph, i) != BUDDY_INPUT_USER &&
         !is_written(graph, buddy_graph_input_target(graph, i));
}

static buddy_code drop(buddy_graph *graph, buddy_archive *archive, buddy_node *node,
                       const char *name, buddy_diags *diags) {
  static const buddy_arg none = {.kind = BUDDY_ARG_NONE};
  const buddy_arg *given = buddy_node_arg_find(node, name);
  if (!given || given->kind != BUDDY_ARG_TENSOR || !is_constant(graph, given->as.tensor))
    return BUDDY_OK;
  const buddy_value *value = given->as.tensor;
  bool are;
  BD_TRY(are_zeros(archive, buddy_value_type(value),
                   buddy_graph_input_data(graph, buddy_value_index(value)), &are));
  if (!are) return BUDDY_OK;
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    if (buddy_node_arg(node, i) == given) return buddy_node_set_arg(node, i, &none, diags);
  }
  return BUDDY_OK;
}

buddy_code bd_zero_points_drop(buddy_graph *graph, buddy_archive *archive, buddy_diags *diags) {
  for (buddy_node *node = buddy_graph_first(graph); node; node = buddy_node_next(node)) {
    for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
      if (!strcmp(buddy_node_op(node), ops[i].op))
        BD_TRY(drop(graph, archive, node, ops[i].argument, diags));
    }
  }
  return BUDDY_OK;
}
