// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/graph.c: Graph: a program as it was imported, and its plan. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/python/native/objects.h"

static void dealloc(PyObject *object) {
  bp_graph *self = (bp_graph *)object;
  PyTypeObject *type = Py_TYPE(object);
  buddy_plan_destroy(self->plan);
  buddy_graph_destroy(self->graph);
  buddy_archive_close(self->archive);
  pthread_mutex_destroy(&self->lock);
  BP_DROP(self->keep);
  BP_DROP(self->registries);
  PyObject_Free(object);
  Py_DECREF(type);
}

/* ---- Tensors of a program in memory ---- */
typedef struct tensors {
  buddy_named_tensor *items;
  int64_t *numbers; /* 2 * BP_MAX_RANK of each */
  size_t n;
} tensors;

static int read_tensor(PyObject *tuple, int64_t *numbers, buddy_named_tensor *out) {
  const char *name;
  unsigned long long address, n_bytes;
  long long offset;
  int dtype;
  PyObject *sizes, *strides;
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "a tensor is a tuple");
    return 0;
  }
  if (!PyArg_ParseTuple(tuple, "sKKLiOO", &name, &address, &n_bytes, &offset, &dtype, &sizes,
                        &strides)) {
    return 0;
  }
  const Py_ssize_t rank = PySequence_Size(sizes);
  if (rank < 0 || rank > BP_MAX_RANK || !bp_numbers_read(sizes, rank, numbers)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a tensor of more than 64 dims");
    return 0;
  }
  *out = (buddy_named_tensor){
      .name = name,
      .type = {.dtype = dtype, .rank = (uint32_t)rank, .dims = numbers},
      .data = {
          .bytes = (const void *)(uintptr_t)address, .n_bytes = (size_t)n_bytes, .offset = offset}};
  if (strides == Py_None) return 1;
  out->data.strides = numbers + BP_MAX_RANK;
  if (PySequence_Size(strides) != rank) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "sizes and strides do not agree");
    return 0;
  }
  return bp_numbers_read(strides, rank, numbers + BP_MAX_RANK);
}

static int read_tensors(PyObject *list, tensors *out) {
  const Py_ssize_t n = PyList_Size(list);
  if (n < 0) return 0;
  out->items = bd_calloc((size_t)n + 1, sizeof *out->items);
  out->numbers = bd_calloc((size_t)n + 1, 2 * BP_MAX_RANK * sizeof *out->numbers);
  if (!out->items || !out->numbers) {
    PyErr_NoMemory();
    return 0;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    int64_t *numbers = out->numbers + i * 2 * BP_MAX_RANK;
    if (!read_tensor(PyList_GetItem(list, i), numbers, &out->items[i])) return 0;
  }
  out->n = (size_t)n;
  return 1;
}

/* ---- Import ---- */
static PyObject *finish(bp_graph *self, buddy_code code, buddy_diags *diags) {
  if (bp_settle(code, diags)) return (PyObject *)self;
  BP_DROP(self);
  return NULL;
}

static buddy_code import_archive(bp_graph *self, buddy_diags *diags) {
  return buddy_archive_import(self->archive, self->registries->opset, diags, &self->graph);
}

static PyObject *import_given(bp_graph *self, const char *where, buddy_sv program,
                              const tensors *given) {
  buddy_diags *diags = self ? bp_diags() : NULL;
  if (!diags) {
    BP_DROP(self);
    return NULL;
  }
  buddy_code code;
  Py_BEGIN_ALLOW_THREADS;
  code = buddy_archive_create(where, program, given->items, given->n, diags, &self->archive);
  if (code == BUDDY_OK) code = import_archive(self, diags);
  Py_END_ALLOW_THREADS;
  return finish(self, code, diags);
}

PyObject *bp_import_program(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *registries, *list, *keep;
  const char *where, *program;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "O!sy#O!O", bp_registries_type, &registries, &where, &program, &size,
                        &PyList_Type, &list, &keep)) {
    return NULL;
  }
  tensors given = {0};
  PyObject *graph = NULL;
  if (read_tensors(list, &given)) {
    graph = import_given(bp_graph_new((bp_registries *)registries, keep), where,
                         (buddy_sv){program, (size_t)size}, &given);
  }
  free(given.items);
  free(given.numbers);
  return graph;
}

PyObject *bp_open_archive(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *registries, *path;
  const char *program = NULL;
  if (!PyArg_ParseTuple(args, "O!O&|z", bp_registries_type, &registries, PyUnicode_FSConverter,
                        &path, &program)) {
    return NULL;
  }
  bp_graph *self = bp_graph_new((bp_registries *)registries, NULL);
  buddy_diags *diags = self ? bp_diags() : NULL;
  PyObject *result = NULL;
  if (diags) {
    const char *name = PyBytes_AsString(path);
    buddy_code code;
    Py_BEGIN_ALLOW_THREADS;
    code = buddy_archive_open(name, diags, &self->archive);
    if (code == BUDDY_OK) code = buddy_archive_choose(self->archive, program, diags);
    if (code == BUDDY_OK) code = import_archive(self, diags);
    Py_END_ALLOW_THREADS;
    result = finish(self, code, diags);
  } else {
    BP_DROP(self);
  }
  Py_DECREF(path);
  return result;
}

/* ---- Weights in the place of others ---- */
static buddy_code put_input(bp_graph *self, const char *name, const buddy_named_tensor *tensor,
                            buddy_diags *diags) {
  const buddy_value *value = buddy_graph_find_value(self->graph, name);
  if (!value || buddy_value_node(value))
    return buddy_graph_add_input(self->graph, BUDDY_INPUT_PARAMETER, name, tensor->name,
                                 &tensor->type, &tensor->data, diags, &value);
  return buddy_graph_set_input(self->graph, buddy_value_index(value), &tensor->type, &tensor->data,
                               diags);
}

/* The graph keeps what it kept, and the owner of the new tensor. */
static int keep_too(bp_graph *self, PyObject *owner) {
  PyObject *both = PyTuple_New(2);
  if (!both) return 0;
  PyTuple_SetItem(both, 0, self->keep ? self->keep : Py_NewRef(Py_None));
  PyTuple_SetItem(both, 1, Py_NewRef(owner));
  self->keep = both;
  return 1;
}

PyObject *bp_graph_set_input(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  const char *name;
  PyObject *tuple, *owner, *result = NULL;
  int64_t numbers[2 * BP_MAX_RANK];
  buddy_named_tensor tensor;
  if (!PyArg_ParseTuple(args, "sOO", &name, &tuple, &owner) ||
      !read_tensor(tuple, numbers, &tensor)) {
    return NULL;
  }
  bp_lock(&self->lock);
  buddy_plan_destroy(self->plan);
  self->plan = NULL;
  buddy_diags *diags = keep_too(self, owner) ? bp_diags() : NULL;
  if (diags && bp_settle(put_input(self, name, &tensor, diags), diags)) result = Py_NewRef(Py_None);
  pthread_mutex_unlock(&self->lock);
  return result;
}

/* ---- Planning and lowering ---- */
static int ensure_plan(bp_graph *self) {
  if (self->plan) return 1;
  buddy_diags *diags = bp_diags();
  if (!diags) return 0;
  buddy_code code;
  Py_BEGIN_ALLOW_THREADS;
  code = buddy_plan_create(self->registries->registries, self->graph, diags, &self->plan);
  Py_END_ALLOW_THREADS;
  return bp_settle(code, diags); /* a plan that lacks rows is kept, to be explained */
}

static PyObject *plan(PyObject *object, PyObject *unused) {
  (void)unused;
  bp_graph *self = (bp_graph *)object;
  bp_lock(&self->lock);
  const int is_planned = ensure_plan(self);
  pthread_mutex_unlock(&self->lock);
  if (!is_planned) return NULL;
  Py_RETURN_NONE;
}

static PyObject *lower_planned(bp_graph *self, const buddy_lower_options *options) {
  if (!ensure_plan(self)) return NULL;
  buddy_diags *diags = bp_diags();
  if (!diags) return NULL;
  buddy_module *module = NULL;
  buddy_code code;
  Py_BEGIN_ALLOW_THREADS;
  code = buddy_lower(self->plan, options, diags, &module);
  Py_END_ALLOW_THREADS;
  if (!bp_settle(code, diags)) {
    buddy_module_destroy(module);
    return NULL;
  }
  return bp_module_new(module, self, self->registries);
}

static PyObject *lower(PyObject *object, PyObject *args) {
  bp_graph *self = (bp_graph *)object;
  const char *function = NULL, *params = "args";
  int fallback = 0;
  if (!PyArg_ParseTuple(args, "|zsp", &function, &params, &fallback)) return NULL;
  static const char *const names[] = {"args", "resource", "pack"};
  static const buddy_params values[] = {BUDDY_PARAMS_ARGS, BUDDY_PARAMS_RESOURCE,
                                        BUDDY_PARAMS_PACK};
  size_t i = 0;
  while (i < 3 && strcmp(names[i], params)) ++i;
  if (i == 3) {
    PyErr_SetString(PyExc_ValueError, "params is 'args', 'resource' or 'pack'");
    return NULL;
  }
  const buddy_lower_options options = {.struct_size = sizeof options,
                                       .params = values[i],
                                       .function = function,
                                       .fallback_on_error = fallback};
  bp_lock(&self->lock);
  PyObject *module = lower_planned(self, &options);
  pthread_mutex_unlock(&self->lock);
  return module;
}

static PyMethodDef methods[] = {
    {"text", bp_graph_text, METH_NOARGS, "The graph's stable text form."},
    {"inputs", bp_graph_inputs, METH_NOARGS, "(name, kind, target, dtype, dims) of each."},
    {"data", bp_graph_data, METH_NOARGS,
     "(address of the storage, its bytes, offset, strides or None) of each input, or None."},
    {"outputs", bp_graph_outputs, METH_NOARGS, "(kind, target, value or None) of each."},
    {"nodes", bp_graph_nodes, METH_NOARGS,
     "(op, name, args, results, (file, line, function, code, module path), how many args are not\n"
     "left at their default, from the first) of each, in order."},
    {"decisions", bp_graph_decisions, METH_NOARGS,
     "(op, name, types, location, is_taken, tries, expansion) of each imported node."},
    {"plan", plan, METH_NOARGS, "Decides which row takes each node; does nothing the second time."},
    {"add_node", bp_graph_add_node, METH_VARARGS,
     "add_node(before or None, op, name, arguments, types or None)"},
    {"erase_node", bp_graph_erase_node, METH_VARARGS, "erase_node(name): nothing may use it."},
    {"move_node", bp_graph_move_node, METH_VARARGS, "move_node(name, before or None)"},
    {"set_argument", bp_graph_set_argument, METH_VARARGS, "set_argument(node, argument, value)"},
    {"set_output", bp_graph_set_output, METH_VARARGS, "set_output(number, value)"},
    {"set_input", bp_graph_set_input, METH_VARARGS,
     "set_input(name, tensor, owner): another tensor for a parameter, or a new one at the end"},
    {"verify", bp_graph_verify, METH_NOARGS, "Raises where the graph contradicts itself."},
    {"extract", bp_graph_extract, METH_VARARGS,
     "extract(names of nodes, names of outputs) -> Graph"},
    {"lower", lower, METH_VARARGS,
     "lower(function='forward', params='args', fallback_on_error=False) -> Module"},
    {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"A program as it was imported, and its plan."},
    {Py_tp_dealloc, (void *)(uintptr_t)dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"buddy._buddy.Graph", sizeof(bp_graph), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, type_slots};

int bp_graph_init(PyObject *module) { return bp_add_type(module, "Graph", &spec, &bp_graph_type); }
