/* sdk/python/native/extract.c: some nodes of a graph as a graph of their own.
 *
 * What they use and do not make are its inputs, in the order in which they use it; parameters,
 * buffers and constants stay what they are. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/python/native/objects.h"

enum { TEXT_SIZE = 4096, MAX_RESULTS = 64 };

typedef struct extraction {
  const buddy_graph *from;
  buddy_graph *to;
  buddy_diags *diags;
  void **blocks; /* of the node at hand */
  size_t n_blocks;
} extraction;

#define TRY(call)                           \
  do {                                      \
    const buddy_code code_ = (call);        \
    if (code_ != BUDDY_OK) return code_;    \
  } while (0)

static void *room(extraction *in, size_t n, size_t size) {
  void **blocks = bd_realloc(in->blocks, (in->n_blocks + 1) * sizeof *blocks);
  if (blocks) in->blocks = blocks;
  void *block = blocks ? bd_calloc(n + 1, size) : NULL;
  if (block) in->blocks[in->n_blocks++] = block;
  return block;
}

static void forget(extraction *in) {
  for (size_t i = 0; i < in->n_blocks; ++i) free(in->blocks[i]);
  in->n_blocks = 0;
}

/* ---- Dims ---- */
static buddy_code copy_dim(const extraction *in, int64_t dim, int64_t *out) {
  char text[TEXT_SIZE];
  *out = dim;
  if (!BUDDY_IS_SYMBOLIC(dim)) return BUDDY_OK;
  buddy_graph_dim_text(in->from, dim, text, sizeof text);
  return buddy_graph_dim_parse(in->to, (buddy_sv){text, strlen(text)}, in->diags, out);
}

static buddy_code copy_dims(extraction *in, const int64_t *dims, size_t n, const int64_t **out) {
  int64_t *copy = room(in, n, sizeof *copy);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) TRY(copy_dim(in, dims[i], &copy[i]));
  *out = copy;
  return BUDDY_OK;
}

static buddy_code copy_type(extraction *in, const buddy_tensor_type *type, buddy_tensor_type *out) {
  *out = *type;
  return copy_dims(in, type->dims, type->rank, &out->dims);
}

static buddy_code copy_symbols(const extraction *in) {
  for (size_t i = 0; i < buddy_graph_n_symbols(in->from); ++i) {
    const buddy_symbol *symbol = buddy_graph_symbol(in->from, i);
    int64_t dim;
    TRY(buddy_graph_add_symbol(in->to, symbol->name, symbol->min, symbol->max, &dim));
  }
  return BUDDY_OK;
}

/* ---- Values ---- */
static buddy_code add_input(extraction *in, const buddy_value *value, const buddy_value **out) {
  buddy_input_kind kind = BUDDY_INPUT_USER;
  const char *target = NULL;
  const buddy_data *data = NULL;
  if (!buddy_value_node(value)) {
    const size_t i = buddy_value_index(value);
    kind = buddy_graph_input_kind(in->from, i);
    data = buddy_graph_input_data(in->from, i);
    if (kind != BUDDY_INPUT_USER) target = buddy_graph_input_target(in->from, i);
  }
  buddy_tensor_type type;
  TRY(copy_type(in, buddy_value_type(value), &type));
  return buddy_graph_add_input(in->to, kind, buddy_value_name(value), target, &type, data,
                               in->diags, out);
}

/* The value of the same name, which becomes an input where nothing has made it. */
static buddy_code copy_value(extraction *in, const buddy_value *value, const buddy_value **out) {
  *out = NULL;
  if (!value) return BUDDY_OK;
  *out = buddy_graph_find_value(in->to, buddy_value_name(value));
  return *out ? BUDDY_OK : add_input(in, value, out);
}

static buddy_code copy_values(extraction *in, const buddy_arg *arg, buddy_arg *out) {
  const buddy_value **values = room(in, arg->n, sizeof *values);
  if (!values) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < arg->n; ++i) TRY(copy_value(in, arg->as.tensors[i], &values[i]));
  out->as.tensors = values;
  return BUDDY_OK;
}

static buddy_code copy_arg(extraction *in, const buddy_arg *arg, buddy_arg *out) {
  *out = *arg;
  switch (arg->kind) {
    case BUDDY_ARG_TENSOR:
      return copy_value(in, arg->as.tensor, &out->as.tensor);
    case BUDDY_ARG_TENSORS:
      return copy_values(in, arg, out);
    case BUDDY_ARG_INT:
      return copy_dim(in, arg->as.i, &out->as.i);
    case BUDDY_ARG_INTS:
      return copy_dims(in, arg->as.ints, arg->n, &out->as.ints);
    case BUDDY_ARG_GRAPH:
      return BUDDY_UNSUPPORTED;
    default:
      return BUDDY_OK;
  }
}

/* ---- Nodes ---- */
static buddy_code copy_node(extraction *in, const buddy_node *node) {
  const size_t n = buddy_node_n_args(node), n_results = buddy_node_n_results(node);
  buddy_named_arg *args = room(in, n, sizeof *args);
  if (!args) return BUDDY_OUT_OF_MEMORY;
  if (n_results > MAX_RESULTS) return BUDDY_UNSUPPORTED;
  for (size_t i = 0; i < n; ++i) {
    args[i].name = buddy_node_arg_name(node, i);
    TRY(copy_arg(in, buddy_node_arg(node, i), &args[i].arg));
  }
  buddy_tensor_type types[MAX_RESULTS];
  for (size_t i = 0; i < n_results; ++i)
    TRY(copy_type(in, buddy_value_type(buddy_node_result(node, i)), &types[i]));
  buddy_node *copy;
  TRY((buddy_node_opdef(node) ? buddy_graph_add_node : buddy_graph_add_unknown_node)(
      in->to, NULL, buddy_node_op(node), buddy_node_name(node), args, n, types, n_results,
      in->diags, &copy));
  return buddy_node_set_location(copy, buddy_node_location(node));
}

static int is_listed(PyObject *names, const char *name) {
  PyObject *text = PyUnicode_FromString(name);
  const int found = text ? PySequence_Contains(names, text) : -1;
  Py_XDECREF(text);
  return found > 0;
}

static buddy_code copy_nodes(extraction *in, PyObject *names) {
  for (const buddy_node *node = buddy_graph_first(in->from); node; node = buddy_node_next(node)) {
    if (!is_listed(names, buddy_node_name(node))) continue;
    const buddy_code code = copy_node(in, node);
    forget(in);
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* ---- Outputs ---- */
/* Those listed, and among them a symbol's numbers where the nodes here make them. */
static buddy_code add_outputs(extraction *in, PyObject *names) {
  for (Py_ssize_t i = 0; i < PySequence_Size(names); ++i) {
    PyObject *name = PySequence_GetItem(names, i);
    const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    const buddy_arg arg = {.kind = BUDDY_ARG_TENSOR,
                           .as.tensor = text ? buddy_graph_find_value(in->to, text) : NULL};
    Py_XDECREF(name);
    if (!arg.as.tensor) return BUDDY_NOT_FOUND;
    TRY(buddy_graph_add_output(in->to, BUDDY_OUTPUT_USER, NULL, &arg, in->diags));
  }
  return BUDDY_OK;
}

static buddy_code extract(extraction *in, PyObject *names, PyObject *outputs) {
  TRY(copy_symbols(in));
  TRY(copy_nodes(in, names));
  TRY(add_outputs(in, outputs));
  return buddy_graph_verify(in->to, in->diags);
}

PyObject *bp_graph_extract(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  PyObject *names, *outputs;
  if (!PyArg_ParseTuple(args, "OO", &names, &outputs)) return NULL;
  bp_graph *made = bp_graph_new(self->registries, object); /* its data are this graph's */
  buddy_diags *diags = made ? bp_diags() : NULL;
  if (!diags) {
    BP_DROP(made);
    return NULL;
  }
  bp_lock(&self->lock);
  buddy_code code =
      buddy_graph_create(self->registries->opset, buddy_graph_name(self->graph), &made->graph);
  extraction in = {.from = self->graph, .to = made->graph, .diags = diags};
  if (code == BUDDY_OK) code = extract(&in, names, outputs);
  pthread_mutex_unlock(&self->lock);
  forget(&in);
  free(in.blocks);
  if (bp_settle(code, diags)) return (PyObject *)made;
  BP_DROP(made);
  return NULL;
}
