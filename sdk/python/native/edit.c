// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/edit.c: changes of a graph, one node at a time; a plan that was made of it is
 * dropped. Nodes are named; the name of a value is the name of its node, or name.0, name.1, … */
#include <stdio.h>
#include <string.h>

#include "sdk/python/native/argument.h"

static buddy_node *find_node(const bp_graph *self, const char *name) {
  const buddy_value *value = buddy_graph_find_value(self->graph, name);
  buddy_node *node = value ? buddy_value_node(value) : NULL;
  if (node && !strcmp(buddy_node_name(node), name)) return node;
  for (node = buddy_graph_first(self->graph); node; node = buddy_node_next(node)) {
    if (!strcmp(buddy_node_name(node), name)) return node; /* of several results, or none */
  }
  PyErr_Format(PyExc_ValueError, "the graph has no node called '%.200s'", name);
  return NULL;
}

static PyObject *nothing(buddy_code code, buddy_diags *diags) {
  if (!bp_settle(code, diags)) return NULL;
  Py_RETURN_NONE;
}

static PyObject *begin(bp_graph *self) {
  bp_lock(&self->lock);
  buddy_plan_destroy(self->plan);
  self->plan = NULL;
  return NULL;
}
static PyObject *end(bp_graph *self, PyObject *result) {
  pthread_mutex_unlock(&self->lock);
  return result;
}

/* ---- Nodes ---- */

static PyObject *add(bp_graph *self, buddy_node *before, const char *op, const char *name,
                     PyObject *list, PyObject *type_list) {
  const buddy_opdef *def = buddy_opset_find(self->registries->opset, op);
  if (!def) return PyErr_Format(PyExc_ValueError, "no schema defines the op '%.200s'", op);
  bp_reading in = {.graph = self->graph};
  buddy_named_arg *args;
  buddy_tensor_type *types = NULL;
  size_t n_args, n_types = 0;
  PyObject *result = NULL;
  if (bp_read_arguments(&in, def, list, &args, &n_args) &&
      (type_list == Py_None || bp_read_types(&in, type_list, &types, &n_types))) {
    buddy_diags *diags = bp_diags();
    buddy_node *node;
    if (diags)
      result = nothing(buddy_graph_add_node(self->graph, before, op, name, args, n_args, types,
                                            n_types, diags, &node),
                       diags);
  }
  bp_reading_end(&in);
  return result;
}

PyObject *bp_graph_add_node(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  const char *before, *op, *name;
  PyObject *list, *types;
  if (!PyArg_ParseTuple(args, "zssO!O", &before, &op, &name, &PyList_Type, &list, &types))
    return NULL;
  begin(self);
  buddy_node *at = before ? find_node(self, before) : NULL;
  return end(self, before && !at ? NULL : add(self, at, op, name, list, types));
}

PyObject *bp_graph_erase_node(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  const char *name;
  if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
  begin(self);
  buddy_node *node = find_node(self, name);
  if (node && buddy_node_erase(node)) {
    PyErr_Format(PyExc_ValueError, "the node '%.200s' cannot be deleted: something uses it", name);
    node = NULL;
  }
  return end(self, node ? Py_NewRef(Py_None) : NULL);
}

PyObject *bp_graph_move_node(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  const char *name, *before;
  if (!PyArg_ParseTuple(args, "sz", &name, &before)) return NULL;
  begin(self);
  buddy_node *node = find_node(self, name), *at = before && node ? find_node(self, before) : NULL;
  if (!node || (before && !at)) return end(self, NULL);
  buddy_node_move(node, at);
  return end(self, Py_NewRef(Py_None));
}

static PyObject *set_argument(bp_graph *self, buddy_node *node, const char *name, PyObject *value) {
  const buddy_opdef *def = buddy_node_opdef(node);
  size_t i = 0;
  while (i < buddy_node_n_args(node) && strcmp(buddy_node_arg_name(node, i), name) != 0) ++i;
  if (i == buddy_node_n_args(node))
    return PyErr_Format(PyExc_ValueError, "%s has no argument called '%.80s'", buddy_node_op(node),
                        name);
  bp_reading in = {.graph = self->graph};
  buddy_arg arg;
  PyObject *result = NULL;
  if (bp_read_argument(&in, def ? buddy_opdef_arg(def, i) : NULL, value, &arg)) {
    buddy_diags *diags = bp_diags();
    if (diags) result = nothing(buddy_node_set_arg(node, i, &arg, diags), diags);
  }
  bp_reading_end(&in);
  return result;
}

PyObject *bp_graph_set_argument(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  const char *name, *argument;
  PyObject *value;
  if (!PyArg_ParseTuple(args, "ssO", &name, &argument, &value)) return NULL;
  begin(self);
  buddy_node *node = find_node(self, name);
  return end(self, node ? set_argument(self, node, argument, value) : NULL);
}

/* ---- Outputs, and the whole ---- */

PyObject *bp_graph_set_output(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  Py_ssize_t i;
  PyObject *value, *result = NULL;
  if (!PyArg_ParseTuple(args, "nO", &i, &value)) return NULL;
  begin(self);
  bp_reading in = {.graph = self->graph};
  buddy_arg arg;
  if (bp_read_argument(&in, NULL, value, &arg)) {
    buddy_diags *diags = bp_diags();
    if (diags) result = nothing(buddy_graph_set_output(self->graph, (size_t)i, &arg, diags), diags);
  }
  bp_reading_end(&in);
  return end(self, result);
}

PyObject *bp_graph_verify(PyObject *object, PyObject *unused) {
  (void)unused;
  bp_graph *self = (bp_graph *)object;
  buddy_diags *diags = bp_diags();
  if (!diags) return NULL;
  bp_lock(&self->lock);
  const buddy_code code = buddy_graph_verify(self->graph, diags);
  return end(self, nothing(code, diags));
}
