// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/types.c: checking, copying and printing of tensor types. */
#include "core/graph/types.h"

#include <string.h>

#include "core/graph/dims.h"
#include "core/graph/guards.h"

static bool has_too_many_elements(const buddy_tensor_type *type) {
  int64_t n = 1;
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (type->dims[i] <= 1) continue; /* symbolic ones are negative */
    if (__builtin_mul_overflow(n, type->dims[i], &n) || n > BD_MAX_ELEMENTS) return true;
  }
  return false;
}

const char *bd_type_problem(const buddy_graph *graph, const buddy_tensor_type *type) {
  if (type->dtype == BUDDY_DTYPE_NONE && type->rank == 0) return NULL;
  if (!buddy_dtype_size(type->dtype)) return "has no known dtype";
  if (type->rank > BD_MAX_RANK) return "has more than 64 dims";
  if (type->rank > 0 && !type->dims) return "has no dims behind its rank";
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (!bd_dim_is_valid(&graph->world->dims, type->dims[i]))
      return "has a dim that this graph does not know";
    if (!BUDDY_IS_SYMBOLIC(type->dims[i]) && type->dims[i] < 0) return "has a negative dim";
  }
  return has_too_many_elements(type) ? "has more than 2^48 elements" : NULL;
}

buddy_code bd_type_copy(buddy_graph *graph, const buddy_tensor_type *type,
                        buddy_tensor_type *out_type) {
  int64_t *dims = bd_graph_alloc(graph, type->rank * sizeof *dims);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < type->rank; ++i)
    dims[i] = bd_dim_is_one(&graph->world->dims, type->dims[i]) ? 1 : type->dims[i];
  *out_type = (buddy_tensor_type){type->dtype, type->rank, dims};
  return BUDDY_OK;
}

void bd_type_free(buddy_graph *graph, buddy_tensor_type *type) {
  bd_graph_free(graph, type->dims, type->rank * sizeof *type->dims);
  *type = (buddy_tensor_type){0};
}

void bd_type_print(const bd_dims *dims, const buddy_tensor_type *type, bd_text *text) {
  if (type->dtype == BUDDY_DTYPE_NONE) {
    bd_text_string(text, "none");
    return;
  }
  bd_text_string(text, buddy_dtype_name(type->dtype));
  bd_text_char(text, '[');
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (i > 0) bd_text_char(text, ',');
    bd_dim_print(dims, type->dims[i], text);
  }
  bd_text_char(text, ']');
}

void buddy_graph_type_text(const buddy_graph *graph, const buddy_tensor_type *type, char *text,
                           size_t size) {
  bd_text out;
  bd_text_init_fixed(&out, text, size);
  bd_type_print(&graph->world->dims, type, &out);
}

void buddy_graph_dim_text(const buddy_graph *graph, int64_t dim, char *text, size_t size) {
  bd_text out;
  bd_text_init_fixed(&out, text, size);
  bd_dim_print(&graph->world->dims, dim, &out);
}
