/* sdk/import/normalize_args.c: arguments in one form.
 *
 *   dims          counted from the front
 *   indices       select, slice and their scatters: counted from the front, cut to the tensor
 *   sizes         view, reshape, expand: what -1 stands for
 *   lists         [1] for "int[2]" is [1, 1]; an empty stride of a pooling is its kernel
 *   defaults      device, layout, memory format and the like say nothing about values: they are
 *                 None, or what the schema has */
#include <string.h>

#include "sdk/import/normalize.h"
#include "sdk/import/sizes.h"

#define MAX_LIST 64u

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; ++names) {
    if (!strcmp(name, *names)) return true;
  }
  return false;
}

static buddy_code set_int(buddy_node *node, size_t i, int64_t number, buddy_diags *diags) {
  const buddy_arg arg = {.kind = BUDDY_ARG_INT, .as.i = number};
  return buddy_node_set_arg(node, i, &arg, diags);
}

static buddy_code set_ints(buddy_node *node, size_t i, const int64_t *ints, size_t n,
                           buddy_diags *diags) {
  const buddy_arg arg = {.kind = BUDDY_ARG_INTS, .n = n, .as.ints = ints};
  return buddy_node_set_arg(node, i, &arg, diags);
}

/* ---- Defaults ---- */

static bool is_silent(const buddy_schema_arg *schema) {
  static const char *const names[] = {"pin_memory", "non_blocking", "cudnn_enable", "cudnn_enabled",
                                      NULL};
  if (!schema->has_default) return false;
  return schema->type == BUDDY_SCHEMA_DEVICE || schema->type == BUDDY_SCHEMA_LAYOUT ||
         schema->type == BUDDY_SCHEMA_MEMORY_FORMAT || is_one_of(schema->name, names);
}

static buddy_code reset_silent(buddy_node *node, size_t i, const buddy_schema_arg *schema,
                               buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  if (buddy_node_arg_is_default(node, i) || !is_silent(schema)) return BUDDY_OK;
  /* A sparse tensor is something else. */
  if (arg->kind == BUDDY_ARG_LAYOUT && strcmp(arg->as.string, "strided")) return BUDDY_OK;
  return buddy_node_set_arg(node, i, &schema->default_value, diags);
}

/* ---- Dims ---- */

/* Ops whose dims count those of the result. */
static bool counts_result(const char *op) {
  static const char *const ops[] = {"aten.unsqueeze.default",      "aten.stack.default",
                                    "aten.diag_embed.default",     "aten.cat.default",
                                    "aten.unsqueeze_copy.default", NULL};
  return is_one_of(op, ops);
}

/* Ops whose dims count those of the operands broadcast together. */
static bool counts_broadcast(const char *op) {
  static const char *const ops[] = {"aten.cosine_similarity.default", "aten.linalg_vecdot.default",
                                    NULL};
  return is_one_of(op, ops);
}

static bool find_rank(const buddy_node *node, int64_t *out_rank) {
  const bool is_largest = counts_broadcast(buddy_node_op(node));
  bool is_found = false;
  *out_rank = 0;
  if (counts_result(buddy_node_op(node))) {
    *out_rank = buddy_value_type(buddy_node_result(node, 0))->rank;
    return true;
  }
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    const buddy_value *value = arg->kind == BUDDY_ARG_TENSOR                  ? arg->as.tensor
                               : arg->kind == BUDDY_ARG_TENSORS && arg->n > 0 ? arg->as.tensors[0]
                                                                              : NULL;
    if (!value) continue;
    const int64_t rank = buddy_value_type(value)->rank;
    if (!is_found || rank > *out_rank) *out_rank = rank;
    is_found = true;
    if (!is_largest) break;
  }
  return is_found;
}

/* A dim may be -rank … rank-1; of a 0-d tensor -1 and 0. */
static bool wrap(int64_t rank, int64_t *dim) {
  if (rank == 0) rank = 1;
  if (BUDDY_IS_SYMBOLIC(*dim) || *dim < -rank || *dim >= rank) return false;
  if (*dim < 0) *dim += rank;
  return true;
}

static buddy_code out_of_range(const buddy_node *node, size_t i, int64_t rank, buddy_diags *diags) {
  char where[512];
  buddy_node_describe(node, where, sizeof where);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, NULL,
                         "%s: argument \"%s\" names a dim that a tensor of rank %lld has not",
                         buddy_node_op(node), buddy_node_arg_name(node, i), (long long)rank);
}

static buddy_code normalize_dim(buddy_node *node, size_t i, int64_t rank, buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t dim = arg->as.i;
  if (!wrap(rank, &dim)) return out_of_range(node, i, rank, diags);
  return dim == arg->as.i ? BUDDY_OK : set_int(node, i, dim, diags);
}

static buddy_code normalize_dim_list(buddy_node *node, size_t i, int64_t rank, buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t dims[MAX_LIST];
  bool is_changed = false;
  if (arg->n > MAX_LIST) return out_of_range(node, i, rank, diags);
  for (size_t k = 0; k < arg->n; ++k) {
    dims[k] = arg->as.ints[k];
    if (!wrap(rank, &dims[k])) return out_of_range(node, i, rank, diags);
    is_changed = is_changed || dims[k] != arg->as.ints[k];
  }
  return is_changed ? set_ints(node, i, dims, arg->n, diags) : BUDDY_OK;
}

static bool is_dim_name(const char *name) {
  static const char *const names[] = {"dim",       "dims",    "dim0", "dim1", "dim2",
                                      "start_dim", "end_dim", "axis", NULL};
  return is_one_of(name, names);
}

/* Gradients' dims count those of a tensor that is not there; tile's are repeats. */
static bool has_own_dims(const char *op) {
  return strncmp(op, "aten.", 5) || strstr(op, "_backward") || !strncmp(op, "aten.fft_", 9) ||
         !strncmp(op, "aten.cross.", 11) || !strncmp(op, "aten.tile.", 10);
}

static buddy_code normalize_dims(buddy_node *node, size_t i, buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t rank;
  if (arg->kind != BUDDY_ARG_INT && arg->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  if (!is_dim_name(buddy_node_arg_name(node, i)) || has_own_dims(buddy_node_op(node)))
    return BUDDY_OK;
  if (!find_rank(node, &rank)) return BUDDY_OK;
  return arg->kind == BUDDY_ARG_INT ? normalize_dim(node, i, rank, diags)
                                    : normalize_dim_list(node, i, rank, diags);
}

/* ---- Lists ---- */

static buddy_code normalize_list(buddy_node *node, size_t i, const buddy_schema_arg *schema,
                                 buddy_diags *diags) {
  const buddy_arg *arg = buddy_node_arg(node, i);
  int64_t ints[MAX_LIST];
  if (arg->kind != BUDDY_ARG_INTS) return BUDDY_OK;
  if (arg->n == 0 && !strcmp(schema->name, "stride") &&
      buddy_opdef_kind(buddy_node_opdef(node)) == BUDDY_KIND_POOLING) {
    const buddy_arg *kernel = buddy_node_arg_find(node, "kernel_size");
    if (!kernel || kernel->kind != BUDDY_ARG_INTS || kernel->n == 0 || kernel->n > MAX_LIST)
      return BUDDY_OK;
    const size_t n =
        kernel->n == 1 && schema->list_size > 1 ? (size_t)schema->list_size : kernel->n;
    for (size_t k = 0; k < n && k < MAX_LIST; ++k)
      ints[k] = kernel->as.ints[kernel->n == 1 ? 0 : k];
    return set_ints(node, i, ints, n, diags);
  }
  if (arg->n != 1 || schema->list_size <= 1 || (size_t)schema->list_size > MAX_LIST)
    return BUDDY_OK;
  for (int32_t k = 0; k < schema->list_size; ++k) ints[k] = arg->as.ints[0];
  return set_ints(node, i, ints, (size_t)schema->list_size, diags);
}

/* convolution takes lists of any length: one number stands for every dim of space. */
static buddy_code normalize_convolution(buddy_node *node, buddy_diags *diags) {
  static const char *const names[] = {"stride", "padding", "dilation", "output_padding", NULL};
  const uint32_t rank = buddy_value_type(buddy_node_result(node, 0))->rank;
  for (size_t i = 0; i < buddy_node_n_args(node) && rank > 2; ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    int64_t ints[MAX_LIST];
    if (arg->kind != BUDDY_ARG_INTS || arg->n != 1 || rank == 3) continue;
    if (!is_one_of(buddy_node_arg_name(node, i), names)) continue;
    for (uint32_t k = 0; k < rank - 2; ++k) ints[k] = arg->as.ints[0];
    BD_TRY(set_ints(node, i, ints, rank - 2, diags));
  }
  return BUDDY_OK;
}

/* ---- Sizes and indices ---- */

static buddy_code normalize_size(buddy_node *node, buddy_diags *diags) {
  const buddy_tensor_type *type = buddy_value_type(buddy_node_result(node, 0));
  return set_ints(node, 1, type->dims, type->rank, diags);
}

static buddy_code arg_number(const buddy_node *node, const char *name, size_t *out_i) {
  return buddy_opdef_arg_find(buddy_node_opdef(node), (buddy_sv){name, strlen(name)}, out_i);
}

/* The size of `self` along the dim that the op names; false if that is out of range. */
static bool size_along(const buddy_node *node, int64_t *out_dim, int64_t *out_size) {
  const buddy_arg *self = buddy_node_arg_find(node, "self"),
                  *dim = buddy_node_arg_find(node, "dim");
  if (!self || !dim || self->kind != BUDDY_ARG_TENSOR || dim->kind != BUDDY_ARG_INT) return false;
  const buddy_tensor_type *type = buddy_value_type(self->as.tensor);
  *out_dim = dim->as.i;
  if (*out_dim < 0 || *out_dim >= type->rank) return false;
  *out_size = type->dims[*out_dim];
  return true;
}

static buddy_code normalize_index(buddy_node *node, buddy_diags *diags) {
  size_t i;
  int64_t dim, size, index;
  if (arg_number(node, "index", &i) || !size_along(node, &dim, &size)) return BUDDY_OK;
  const buddy_arg *arg = buddy_node_arg(node, i);
  if (arg->kind != BUDDY_ARG_INT) return BUDDY_OK;
  BD_TRY(bd_position_wrap(buddy_node_graph(node), arg->as.i, size, &index));
  return index == arg->as.i ? BUDDY_OK : set_int(node, i, index, diags);
}

/* One end of a slice of a tensor with `size` elements: None and far ends become numbers, negative
 * ones count from the behind. Sizes that are not known are taken to be large enough, which
 * torch.export has made sure of. */
static buddy_code wrap_end(buddy_graph *graph, const buddy_arg *arg, int64_t size, int64_t none,
                           int64_t *out_end) {
  int64_t end = arg->kind == BUDDY_ARG_INT ? arg->as.i : none;
  const bool is_far = !BUDDY_IS_SYMBOLIC(end) && end == INT64_MAX;
  if (is_far) end = size;
  const bool is_before = !BUDDY_IS_SYMBOLIC(end) && !BUDDY_IS_SYMBOLIC(size) && end < -size;
  BD_TRY(bd_position_wrap(graph, is_before ? 0 : end, size, &end));
  if (!BUDDY_IS_SYMBOLIC(end) && !BUDDY_IS_SYMBOLIC(size) && end > size) end = size;
  *out_end = end;
  return BUDDY_OK;
}

/* With a step of 1 both ends and the length of the result depend on one another, so that symbolic
 * ends are exact. */
static buddy_code find_ends(const buddy_node *node, int64_t size, int64_t length,
                            int64_t *out_start, int64_t *out_end) {
  buddy_graph *graph = buddy_node_graph(node);
  const buddy_arg *start = buddy_node_arg_find(node, "start"),
                  *end = buddy_node_arg_find(node, "end");
  const buddy_arg *step = buddy_node_arg_find(node, "step");
  BD_TRY(wrap_end(graph, start, size, 0, out_start));
  BD_TRY(wrap_end(graph, end, size, size, out_end));
  if (step->kind != BUDDY_ARG_INT || step->as.i != 1) return BUDDY_OK;
  const bool is_negative =
      start->kind == BUDDY_ARG_INT && !BUDDY_IS_SYMBOLIC(start->as.i) && start->as.i < 0;
  if (is_negative && *out_end == size) BD_TRY(bd_dim_sub(graph, size, length, out_start));
  if (length == 0) *out_end = *out_start;
  return bd_dim_add(graph, *out_start, length, out_end);
}

static buddy_code normalize_slice(buddy_node *node, buddy_diags *diags) {
  const buddy_arg *src = buddy_node_arg_find(node, "src");
  const buddy_tensor_type *part =
      buddy_value_type(src ? src->as.tensor : buddy_node_result(node, 0));
  int64_t dim, size, start, end;
  size_t i_start, i_end;
  if (arg_number(node, "start", &i_start) || arg_number(node, "end", &i_end)) return BUDDY_OK;
  const buddy_arg_kind kinds[] = {buddy_node_arg(node, i_start)->kind,
                                  buddy_node_arg(node, i_end)->kind};
  if (kinds[0] == BUDDY_ARG_TENSOR || kinds[1] == BUDDY_ARG_TENSOR) return BUDDY_OK;
  if (!size_along(node, &dim, &size) || dim >= part->rank) return BUDDY_OK;
  BD_TRY(find_ends(node, size, part->dims[dim], &start, &end));
  BD_TRY(set_int(node, i_start, start, diags));
  return set_int(node, i_end, end, diags);
}

static const struct {
  const char *op;
  buddy_code (*normalize)(buddy_node *node, buddy_diags *diags);
} special[] = {
    {"aten.view.default", normalize_size},
    {"aten.reshape.default", normalize_size},
    {"aten.expand.default", normalize_size},
    {"aten.select.int", normalize_index},
    {"aten.select_scatter.default", normalize_index},
    {"aten.slice.Tensor", normalize_slice},
    {"aten.slice_scatter.default", normalize_slice},
    {"aten.convolution.default", normalize_convolution},
    {"aten._convolution.default", normalize_convolution},
    {"aten._convolution.deprecated", normalize_convolution},
};

buddy_code bd_normalize_args(buddy_node *node, buddy_diags *diags) {
  const buddy_opdef *def = buddy_node_opdef(node);
  if (!def) return BUDDY_OK;
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    const buddy_schema_arg *schema = buddy_opdef_arg(def, i);
    BD_TRY(reset_silent(node, i, schema, diags));
    if (buddy_node_n_results(node)) BD_TRY(normalize_dims(node, i, diags));
    BD_TRY(normalize_list(node, i, schema, diags));
  }
  if (buddy_node_n_results(node) != 1) return BUDDY_OK;
  for (size_t i = 0; i < sizeof special / sizeof *special; ++i) {
    if (!strcmp(buddy_opdef_name(def), special[i].op)) return special[i].normalize(node, diags);
  }
  return BUDDY_OK;
}
