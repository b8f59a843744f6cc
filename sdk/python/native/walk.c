// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/walk.c: what Python sees of a graph, copied out under its lock. */
#include "sdk/python/native/objects.h"

enum { TEXT_SIZE = 512 };

PyObject *bp_graph_text(PyObject *object, PyObject *unused) {
  (void)unused;
  bp_graph *self = (bp_graph *)object;
  bp_text text = {0};
  const buddy_writer writer = bp_text_writer(&text);
  bp_lock(&self->lock);
  const buddy_code code = buddy_graph_print(self->graph, &writer);
  pthread_mutex_unlock(&self->lock);
  return bp_text_finish(&text, code, 0);
}

/* ---- Values ---- */
/* A number, or the text of a symbolic one. */
static PyObject *number_of(const buddy_graph *graph, int64_t dim) {
  if (!BUDDY_IS_SYMBOLIC(dim)) return PyLong_FromLongLong(dim);
  char text[TEXT_SIZE];
  buddy_graph_dim_text(graph, dim, text, sizeof text);
  return PyUnicode_FromString(text);
}

static PyObject *dims_of(const buddy_graph *graph, const int64_t *dims, size_t n) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < n; ++i) {
    if (!bp_list_add(list, number_of(graph, dims[i]))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *type_of(const buddy_graph *graph, const buddy_tensor_type *type) {
  return Py_BuildValue("(sN)", buddy_dtype_name(type->dtype),
                       dims_of(graph, type->dims, type->rank));
}

static PyObject *tensors_of(const buddy_value *const *values, size_t n) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < n; ++i) {
    const char *name = values[i] ? buddy_value_name(values[i]) : NULL;
    if (!bp_list_add(list, Py_BuildValue("(sz)", "value", name))) Py_CLEAR(list);
  }
  return list;
}

/* Values of the graph are pairs ("value", name), dtypes ("dtype", text), graphs ("graph", name);
 * the rest is what Python has for it. */
static PyObject *arg_of(const buddy_graph *graph, const buddy_arg *arg) {
  switch (arg->kind) {
    case BUDDY_ARG_TENSOR:
      return Py_BuildValue("(ss)", "value", buddy_value_name(arg->as.tensor));
    case BUDDY_ARG_TENSORS:
      return tensors_of(arg->as.tensors, arg->n);
    case BUDDY_ARG_INT:
      return number_of(graph, arg->as.i);
    case BUDDY_ARG_INTS:
      return dims_of(graph, arg->as.ints, arg->n);
    case BUDDY_ARG_GRAPH:
      return Py_BuildValue("(ss)", "graph", buddy_graph_name(arg->as.graph));
    default:
      return bp_plain_argument(arg);
  }
}

static PyObject *location_of(const buddy_location *at) {
  return Py_BuildValue("(zIzzz)", at->file, (unsigned)at->line, at->function, at->code,
                       at->module_path);
}

/* ---- Inputs and outputs ---- */
static const char *input_kind(buddy_input_kind kind) {
  switch (kind) {
    case BUDDY_INPUT_PARAMETER:
      return "parameter";
    case BUDDY_INPUT_BUFFER:
      return "buffer";
    case BUDDY_INPUT_CONSTANT:
      return "constant";
    default:
      return "user";
  }
}

static const char *output_kind(buddy_output_kind kind) {
  if (kind == BUDDY_OUTPUT_USER) return "user";
  return kind == BUDDY_OUTPUT_BUFFER_MUTATION ? "buffer_mutation" : "input_mutation";
}

static PyObject *input_of(const buddy_graph *graph, size_t i) {
  const buddy_value *value = buddy_graph_input(graph, i);
  return Py_BuildValue("(sssN)", buddy_value_name(value),
                       input_kind(buddy_graph_input_kind(graph, i)),
                       buddy_graph_input_target(graph, i), type_of(graph, buddy_value_type(value)));
}

static PyObject *output_of(const buddy_graph *graph, size_t i) {
  const char *target = buddy_graph_output_target(graph, i);
  return Py_BuildValue("(szN)", output_kind(buddy_graph_output_kind(graph, i)), target,
                       arg_of(graph, buddy_graph_output(graph, i)));
}

static PyObject *data_of(const buddy_graph *graph, size_t i) {
  const buddy_data *data = buddy_graph_input_data(graph, i);
  if (!data || !data->bytes) Py_RETURN_NONE;
  const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
  PyObject *strides;
  if (data->strides) {
    strides = dims_of(graph, data->strides, type->rank);
  } else {
    Py_INCREF(Py_None);
    strides = Py_None;
  }
  return Py_BuildValue("(KKLN)", (unsigned long long)(uintptr_t)data->bytes,
                       (unsigned long long)data->n_bytes, (long long)data->offset, strides);
}

typedef PyObject *(*element_fn)(const buddy_graph *graph, size_t i);

static PyObject *collect(PyObject *object, size_t (*count)(const buddy_graph *graph),
                         element_fn element) {
  bp_graph *self = (bp_graph *)object;
  bp_lock(&self->lock);
  const size_t n = count(self->graph);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < n; ++i) {
    if (!bp_list_add(list, element(self->graph, i))) Py_CLEAR(list);
  }
  pthread_mutex_unlock(&self->lock);
  return list;
}

PyObject *bp_graph_inputs(PyObject *self, PyObject *unused) {
  (void)unused;
  return collect(self, buddy_graph_n_inputs, input_of);
}

PyObject *bp_graph_data(PyObject *self, PyObject *unused) {
  (void)unused;
  return collect(self, buddy_graph_n_inputs, data_of);
}

PyObject *bp_graph_outputs(PyObject *self, PyObject *unused) {
  (void)unused;
  return collect(self, buddy_graph_n_outputs, output_of);
}

/* ---- Nodes ---- */
static PyObject *args_of(const buddy_graph *graph, const buddy_node *node) {
  PyObject *dict = PyDict_New();
  for (size_t i = 0; dict && i < buddy_node_n_args(node); ++i) {
    PyObject *arg = arg_of(graph, buddy_node_arg(node, i));
    const int failed = !arg || PyDict_SetItemString(dict, buddy_node_arg_name(node, i), arg) < 0;
    Py_XDECREF(arg);
    if (failed) Py_CLEAR(dict);
  }
  return dict;
}

static PyObject *results_of(const buddy_graph *graph, const buddy_node *node) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < buddy_node_n_results(node); ++i) {
    const buddy_value *value = buddy_node_result(node, i);
    PyObject *item =
        Py_BuildValue("(sN)", buddy_value_name(value), type_of(graph, buddy_value_type(value)));
    if (!bp_list_add(list, item)) Py_CLEAR(list);
  }
  return list;
}

/* How many arguments, from the first, say what no default says. */
static unsigned n_given(const buddy_node *node) {
  size_t n = buddy_node_n_args(node);
  while (n > 0 && buddy_node_arg_is_default(node, n - 1)) --n;
  return (unsigned)n;
}

PyObject *bp_graph_nodes(PyObject *object, PyObject *unused) {
  (void)unused;
  bp_graph *self = (bp_graph *)object;
  bp_lock(&self->lock);
  PyObject *list = PyList_New(0);
  for (const buddy_node *node = buddy_graph_first(self->graph); list && node;
       node = buddy_node_next(node)) {
    PyObject *item = Py_BuildValue("(ssNNNI)", buddy_node_op(node), buddy_node_name(node),
                                   args_of(self->graph, node), results_of(self->graph, node),
                                   location_of(buddy_node_location(node)), n_given(node));
    if (!bp_list_add(list, item)) Py_CLEAR(list);
  }
  pthread_mutex_unlock(&self->lock);
  return list;
}

/* ---- Decisions ---- */
static PyObject *tries_of(const bp_graph *self, const buddy_decision *decision) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < decision->n_tries; ++i) {
    const buddy_try *one = &decision->tries[i];
    const buddy_registry *registry =
        buddy_registries_get(self->registries->registries, one->registry);
    PyObject *item = Py_BuildValue("(sss)", registry ? registry->name : "?",
                                   buddy_code_name(one->code), one->reason);
    if (!bp_list_add(list, item)) Py_CLEAR(list);
  }
  return list;
}

static PyObject *decision_of(const bp_graph *self, const buddy_decision *decision) {
  PyObject *expansion = PyList_New(0);
  if (expansion && Py_EnterRecursiveCall(" while an expansion is read")) Py_CLEAR(expansion);
  if (!expansion) return NULL;
  for (size_t i = 0; expansion && i < decision->n_expansion; ++i) {
    if (!bp_list_add(expansion, decision_of(self, decision->expansion[i]))) Py_CLEAR(expansion);
  }
  Py_LeaveRecursiveCall();
  if (!expansion) return NULL;
  return Py_BuildValue("(sssNNNN)", decision->op, decision->name, decision->types,
                       location_of(&decision->location), PyBool_FromLong(decision->is_taken),
                       tries_of(self, decision), expansion);
}

PyObject *bp_graph_decisions(PyObject *object, PyObject *unused) {
  (void)unused;
  bp_graph *self = (bp_graph *)object;
  bp_lock(&self->lock);
  const size_t n = self->plan ? buddy_plan_n_decisions(self->plan) : 0;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < n; ++i) {
    if (!bp_list_add(list, decision_of(self, buddy_plan_decision(self->plan, i)))) Py_CLEAR(list);
  }
  pthread_mutex_unlock(&self->lock);
  return list;
}
