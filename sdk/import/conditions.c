/* sdk/import/conditions.c: what PyTorch's kernels ask of sizes beyond what follows for the shapes of their
 * results: a largest element of something, parts that are as large as their place, memory that is
 * there. PyTorch looks when the kernel runs; here it is a guard of the graph, told before a run.
 *
 * Of the top graph alone: what stands in a branch or a loop is not asked for in every run. */
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/normalize.h"

typedef struct asking {
  const buddy_node *node;
  const buddy_tensor_type *self;
} asking;

/* Without diagnostics: what no sizes meet is a guard as well. */
static buddy_code require(const asking *at, bd_relation relation, int64_t a, int64_t b) {
  return bd_graph_require(buddy_node_graph(at->node), relation, a, b, at->node, NULL);
}

static const buddy_tensor_type *tensor_named(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? buddy_value_type(arg->as.tensor) : NULL;
}

/* The place of a dim that may be counted from behind; false if there is none. */
static bool axis_of(const asking *at, int64_t dim, uint32_t *out_axis) {
  const int64_t rank = at->self->rank;
  if (BUDDY_IS_SYMBOLIC(dim) || dim < -rank || dim >= rank) return false;
  *out_axis = (uint32_t)(dim < 0 ? dim + rank : dim);
  return true;
}

/* ---- Reductions that need an element ---- */

static buddy_code need_elements(const asking *at) {
  for (uint32_t i = 0; i < at->self->rank; ++i) BD_TRY(require(at, BD_GE, at->self->dims[i], 1));
  return BUDDY_OK;
}

static buddy_code need_element_along(const asking *at, int64_t dim) {
  uint32_t axis;
  return axis_of(at, dim, &axis) ? require(at, BD_GE, at->self->dims[axis], 1) : BUDDY_OK;
}

/* Along the dims that the op names; no dims are all of them. */
static buddy_code need_reduced(const asking *at) {
  const buddy_arg *dim = buddy_node_arg_find(at->node, "dim");
  if (buddy_node_arg_find(at->node, "other")) return BUDDY_OK; /* max.other: element by element */
  if (dim && dim->kind == BUDDY_ARG_INT) return need_element_along(at, dim->as.i);
  if (!dim || dim->kind != BUDDY_ARG_INTS || dim->n == 0) return need_elements(at);
  for (size_t i = 0; i < dim->n; ++i) BD_TRY(need_element_along(at, dim->as.ints[i]));
  return BUDDY_OK;
}

/* Of no elements at all it gives NaN. */
static buddy_code need_reduced_dim(const asking *at) {
  const buddy_arg *dim = buddy_node_arg_find(at->node, "dim");
  return dim && dim->kind == BUDDY_ARG_INT ? need_element_along(at, dim->as.i) : BUDDY_OK;
}

/* ---- Parts ---- */

/* index_add and its kin: what is put in is as large as its place, and has a part for each index. */
static buddy_code need_equal_parts(const asking *at) {
  const buddy_tensor_type *source = tensor_named(at->node, "source"),
                          *index = tensor_named(at->node, "index");
  const buddy_arg *dim = buddy_node_arg_find(at->node, "dim");
  uint32_t axis;
  if (!source || !index || !dim || dim->kind != BUDDY_ARG_INT || !axis_of(at, dim->as.i, &axis) ||
      source->rank != at->self->rank)
    return BUDDY_OK;
  for (uint32_t i = 0; i < source->rank; ++i) {
    const bool is_axis = i == axis;
    const int64_t n = !is_axis ? at->self->dims[i] : index->rank ? index->dims[0] : 1;
    if (n != source->dims[i]) BD_TRY(require(at, BD_EQ, source->dims[i], n));
  }
  return BUDDY_OK;
}

/* ---- Padding ---- */

typedef enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_REPLICATE, PAD_CIRCULAR } pad_mode;

/* What is cut off is there, and so is what is repeated. */
static buddy_code need_end(const asking *at, pad_mode mode, int64_t size, int64_t pad) {
  int64_t cut;
  if (BUDDY_IS_SYMBOLIC(pad)) return BUDDY_OK; /* computed by the program: checked where it is used */
  if (pad < 0) {
    BD_TRY(bd_dim_sub(buddy_node_graph(at->node), size, -pad, &cut));
    return require(at, BD_GE, cut, 0);
  }
  if (mode == PAD_CONSTANT) return BUDDY_OK;
  if (mode == PAD_REPLICATE) return require(at, BD_GE, size, 1);
  return require(at, mode == PAD_REFLECT ? BD_GT : BD_GE, size, pad);
}

static buddy_code need_padded(const asking *at, pad_mode mode) {
  const buddy_arg *pad = buddy_node_arg_find(at->node, "pad");
  if (!pad) pad = buddy_node_arg_find(at->node, "padding");
  if (!pad || pad->kind != BUDDY_ARG_INTS || pad->n / 2 > at->self->rank) return BUDDY_OK;
  for (uint32_t i = 0; i < pad->n / 2; ++i) {
    const int64_t before = pad->as.ints[2 * i], after = pad->as.ints[2 * i + 1];
    int64_t size = at->self->dims[at->self->rank - 1 - i];
    BD_TRY(need_end(at, mode, size, before));
    if (!BUDDY_IS_SYMBOLIC(before) && before < 0)
      BD_TRY(bd_dim_sub(buddy_node_graph(at->node), size, -before, &size));
    BD_TRY(need_end(at, mode, size, after));
  }
  return BUDDY_OK;
}

static buddy_code need_constant(const asking *at) { return need_padded(at, PAD_CONSTANT); }
static buddy_code need_reflect(const asking *at) { return need_padded(at, PAD_REFLECT); }
static buddy_code need_replicate(const asking *at) { return need_padded(at, PAD_REPLICATE); }
static buddy_code need_circular(const asking *at) { return need_padded(at, PAD_CIRCULAR); }

static buddy_code need_pad(const asking *at) {
  static const char *const modes[] = {"constant", "reflect", "replicate", "circular"};
  const buddy_arg *mode = buddy_node_arg_find(at->node, "mode");
  size_t i = 0;
  if (mode && mode->kind == BUDDY_ARG_STRING) {
    while (i < 4 && strcmp(mode->as.string, modes[i])) ++i;
  }
  return i < 4 ? need_padded(at, (pad_mode)i) : BUDDY_OK;
}

/* ---- Memory ---- */

static buddy_code count_elements(buddy_graph *graph, const buddy_tensor_type *type,
                                 int64_t *out_n) {
  *out_n = 1;
  for (uint32_t i = 0; i < type->rank; ++i)
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, *out_n, type->dims[i], out_n));
  return BUDDY_OK;
}

/* as_strided: the last element that it shows is one of the tensor's; or it shows none. */
static buddy_code need_memory(const asking *at) {
  buddy_graph *graph = buddy_node_graph(at->node);
  const buddy_arg *size = buddy_node_arg_find(at->node, "size"),
                  *stride = buddy_node_arg_find(at->node, "stride"),
                  *offset = buddy_node_arg_find(at->node, "storage_offset");
  if (!size || !stride || size->kind != BUDDY_ARG_INTS || stride->kind != BUDDY_ARG_INTS ||
      size->n != stride->n)
    return BUDDY_OK;
  int64_t last = offset && offset->kind == BUDDY_ARG_INT ? offset->as.i : 0, n, predicate;
  BD_TRY(count_elements(graph, at->self, &n));
  for (size_t i = 0; i < size->n; ++i) {
    int64_t step;
    BD_TRY(bd_dim_sub(graph, size->as.ints[i], 1, &step));
    BD_TRY(buddy_graph_dim(graph, BUDDY_DIM_MUL, step, stride->as.ints[i], &step));
    BD_TRY(bd_dim_add(graph, last, step, &last));
  }
  for (size_t i = 0; i < size->n; ++i) { /* a view that may be empty is for the row to look at */
    BD_TRY(bd_predicate_compare(graph, BD_GE, size->as.ints[i], 1, &predicate));
    if (!bd_predicate_is_true(graph, predicate)) return BUDDY_OK;
  }
  return require(at, BD_GT, n, last);
}

/* ---- The ops ---- */

/* Sorted. */
static const struct {
  const char *op;
  buddy_code (*need)(const asking *at);
} needs[] = {
    {"_pad_circular", need_circular},
    {"amax", need_reduced},
    {"amin", need_reduced},
    {"aminmax", need_reduced},
    {"argmax", need_reduced},
    {"argmin", need_reduced},
    {"as_strided", need_memory},
    {"as_strided_copy", need_memory},
    {"as_strided_scatter", need_memory},
    {"constant_pad_nd", need_constant},
    {"index_add", need_equal_parts},
    {"index_copy", need_equal_parts},
    {"index_reduce", need_equal_parts},
    {"kthvalue", need_reduced_dim},
    {"max", need_reduced},
    {"median", need_reduced_dim},
    {"min", need_reduced},
    {"mode", need_reduced_dim},
    {"nanmedian", need_reduced_dim},
    {"nanquantile", need_elements},
    {"pad", need_pad},
    {"quantile", need_elements},
    {"reflection_pad1d", need_reflect},
    {"reflection_pad2d", need_reflect},
    {"reflection_pad3d", need_reflect},
    {"replication_pad1d", need_replicate},
    {"replication_pad2d", need_replicate},
    {"replication_pad3d", need_replicate},
};

/* "aten.max.dim" beside "max". */
static int compare_op(const char *op, const char *name) {
  const size_t size = strcspn(op, ".");
  const int order = strncmp(op, name, size);
  return order ? order : -(int)(name[size] != 0);
}

buddy_code bd_conditions_require(const buddy_node *node) {
  const char *op = buddy_node_op(node);
  const asking at = {node, tensor_named(node, "self")};
  if (!at.self || strncmp(op, "aten.", 5) || buddy_graph_parent(buddy_node_graph(node)))
    return BUDDY_OK;
  for (size_t low = 0, high = sizeof needs / sizeof *needs; low < high;) {
    const size_t middle = (low + high) / 2;
    const int order = compare_op(op + 5, needs[middle].op);
    if (!order) {
      const buddy_code code = needs[middle].need(&at);
      return code == BUDDY_LIMIT ? BUDDY_OK : code; /* beyond the arithmetic on sizes: the row looks */
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return BUDDY_OK;
}
