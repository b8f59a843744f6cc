// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/extract.c: some nodes of a graph as a graph of their own: bd_graph_extract, by
 * lists of names. */
#include "core/base/memory.h"
#include "core/graph/extract.h"
#include "sdk/python/native/objects.h"

static bool is_listed(const void *names, const buddy_node *node) {
  PyObject *text = PyUnicode_FromString(buddy_node_name(node));
  const int found = text ? PySequence_Contains((PyObject *)(uintptr_t)names, text) : -1;
  Py_XDECREF(text);
  return found > 0;
}

/* Null: one is no value of the graph, or memory is out. */
static const buddy_value **find_values(const buddy_graph *graph, PyObject *names, size_t n) {
  const buddy_value **values = bd_calloc(n + 1, sizeof *values);
  for (size_t i = 0; values && i < n; ++i) {
    PyObject *name = PySequence_GetItem(names, (Py_ssize_t)i);
    const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    values[i] = text ? buddy_graph_find_value(graph, text) : NULL;
    Py_XDECREF(name);
    if (values[i]) continue;
    bd_free(values);
    return NULL;
  }
  return values;
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
  const Py_ssize_t size = PySequence_Size(outputs);
  const size_t n_outputs = size > 0 ? (size_t)size : 0;
  const buddy_value **values = find_values(self->graph, outputs, n_outputs);
  const bd_cut cut = {.has = is_listed, .user = names, .outputs = values, .n_outputs = n_outputs};
  const buddy_code code =
      values ? bd_graph_extract(self->graph, &cut, diags, &made->graph) : BUDDY_NOT_FOUND;
  bd_free(values);
  pthread_mutex_unlock(&self->lock);
  if (bp_settle(code, diags)) return (PyObject *)made;
  BP_DROP(made);
  return NULL;
}
