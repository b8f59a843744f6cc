// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/registries.c: Registries: what is loaded, in order, and its rows. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/python/native/local.h"

PyTypeObject *bp_registries_type;

/* ---- Strings in ---- */
typedef struct strings {
  const char **items; /* lent by the sequence's elements */
  size_t n;
  PyObject *tuple;
} strings;

static int read_strings(PyObject *sequence, strings *out) {
  *out = (strings){0};
  if (!sequence || sequence == Py_None) return 1;
  out->tuple = PySequence_Tuple(sequence);
  if (!out->tuple) return 0;
  const Py_ssize_t n = PyTuple_Size(out->tuple);
  out->items = bd_calloc((size_t)n + 1, sizeof *out->items);
  if (!out->items) {
    PyErr_NoMemory();
    return 0;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    out->items[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(out->tuple, i), NULL);
    if (!out->items[i]) return 0;
  }
  out->n = (size_t)n;
  return 1;
}

static void free_strings(strings *list) {
  free(list->items);
  Py_XDECREF(list->tuple);
}

/* ---- Life ---- */
/* The registries written in Python, as the host wants them. */
static buddy_local_registry *read_locals(PyObject *tuple, size_t *out_n) {
  const Py_ssize_t n = PyTuple_Size(tuple);
  buddy_local_registry *items = bd_calloc((size_t)n + 1, sizeof *items);
  if (!items) {
    PyErr_NoMemory();
    return NULL;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *item = PyTuple_GetItem(tuple, i);
    if (!PyObject_TypeCheck(item, bp_local_type) || !((bp_local *)item)->registry.name) {
      PyErr_SetString(PyExc_TypeError, "locals are objects of LocalRegistry");
      free(items);
      return NULL;
    }
    const bp_local *local = (bp_local *)item;
    items[i] = (buddy_local_registry){&local->registry, *local->before ? local->before : NULL};
  }
  *out_n = (size_t)n;
  return items;
}

static buddy_code load(bp_registries *self, const buddy_search_options *where,
                       const buddy_registries_options *which, buddy_diags *diags) {
  BD_TRY(buddy_aten_opset_create(&self->opset));
  BD_TRY(buddy_search_create(where, diags, &self->search));
  return buddy_registries_create(self->search, self->opset, which, diags, &self->registries);
}

static int initialize(PyObject *object, PyObject *args, PyObject *keywords) {
  static char order_name[] = "order", pins_name[] = "pins", dirs_name[] = "plugin_dirs",
              locals_name[] = "locals";
  static char *names[] = {order_name, pins_name, dirs_name, locals_name, NULL};
  bp_registries *self = (bp_registries *)object;
  const char *order = NULL;
  PyObject *pins = NULL, *dirs = NULL, *locals = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|zOOO", names, &order, &pins, &dirs, &locals))
    return -1;
  if (self->opset) {
    PyErr_SetString(PyExc_RuntimeError, "Registries is initialized once");
    return -1;
  }
  self->locals = locals ? PySequence_Tuple(locals) : PyTuple_New(0);
  size_t n_locals = 0;
  buddy_local_registry *local_list = self->locals ? read_locals(self->locals, &n_locals) : NULL;
  if (!local_list) return -1;
  strings pin_list = {0}, dir_list = {0};
  buddy_diags *diags = NULL;
  int is_read = read_strings(pins, &pin_list) && read_strings(dirs, &dir_list);
  if (is_read) diags = bp_diags();
  if (diags) {
    const buddy_search_options where = {
        .struct_size = sizeof where, .plugin_dirs = dir_list.items, .n_plugin_dirs = dir_list.n};
    const buddy_registries_options which = {.struct_size = sizeof which,
                                            .order = order,
                                            .pins = pin_list.items,
                                            .n_pins = pin_list.n,
                                            .locals = local_list,
                                            .n_locals = n_locals};
    buddy_code code;
    Py_BEGIN_ALLOW_THREADS;
    code = load(self, &where, &which, diags);
    Py_END_ALLOW_THREADS;
    is_read = bp_settle(code, diags);
  }
  free(local_list);
  free_strings(&pin_list);
  free_strings(&dir_list);
  return is_read && self->registries ? 0 : -1;
}

static void dealloc(PyObject *object) {
  bp_registries *self = (bp_registries *)object;
  PyTypeObject *type = Py_TYPE(object);
  buddy_registries_destroy(self->registries);
  buddy_search_destroy(self->search);
  buddy_opset_destroy(self->opset);
  Py_XDECREF(self->locals);
  PyObject_Free(object);
  Py_DECREF(type);
}

/* ---- What is there ---- */
static PyObject *get_loaded(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_registries *self = (bp_registries *)object;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < buddy_registries_count(self->registries); ++i) {
    const buddy_registry *registry = buddy_registries_get(self->registries, i);
    if (!bp_list_add(
            list, Py_BuildValue("(sssssI)", registry->name,
                                buddy_registries_path(self->registries, i), registry->version,
                                registry->vendor, registry->license, (unsigned)registry->n_ops))) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *get_found(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_registries *self = (bp_registries *)object;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < buddy_search_n_found(self->search); ++i) {
    const buddy_found *found = buddy_search_found(self->search, i);
    if (!bp_list_add(
            list, Py_BuildValue("(sssss)", found->name, found->path, buddy_code_name(found->code),
                                found->refusal, found->shadowed_by))) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *row_of(size_t registry, const buddy_op *row) {
  return Py_BuildValue("(nssIIIIs)", (Py_ssize_t)registry, row->name, row->args,
                       (unsigned)row->in_dtypes, (unsigned)row->out_dtypes, (unsigned)row->benefit,
                       (unsigned)row->flags, row->emit ? "emit" : "expand");
}

static PyObject *get_rows(PyObject *object, PyObject *number) {
  const bp_registries *self = (bp_registries *)object;
  const Py_ssize_t i = PyLong_AsSsize_t(number);
  if (i < 0 || (size_t)i >= buddy_registries_count(self->registries)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "there is no registry of that number");
    return NULL;
  }
  const buddy_registry *registry = buddy_registries_get(self->registries, (size_t)i);
  PyObject *list = PyList_New(0);
  for (uint32_t k = 0; list && k < registry->n_ops; ++k) {
    if (!bp_list_add(list, row_of((size_t)i, &registry->ops[k]))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *get_candidates(PyObject *object, PyObject *name) {
  const bp_registries *self = (bp_registries *)object;
  const char *op = PyUnicode_AsUTF8AndSize(name, NULL);
  if (!op) return NULL;
  const buddy_candidate *candidates;
  const size_t n = buddy_registries_candidates(self->registries, op, &candidates);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < n; ++i) {
    if (!bp_list_add(list, row_of(candidates[i].registry, candidates[i].row))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *get_schema(PyObject *object, PyObject *name) {
  const bp_registries *self = (bp_registries *)object;
  const char *op = PyUnicode_AsUTF8AndSize(name, NULL);
  if (!op) return NULL;
  const buddy_opdef *def = buddy_opset_find(self->opset, op);
  if (!def) Py_RETURN_NONE;
  return Py_BuildValue("(sss)", buddy_opdef_name(def), buddy_opdef_schema(def),
                       buddy_op_kind_name(buddy_opdef_kind(def)));
}

static PyMethodDef methods[] = {
    {"loaded", get_loaded, METH_NOARGS, "(name, path, version, vendor, license, n_rows) of each."},
    {"found", get_found, METH_NOARGS, "(name, path, code, refusal, shadowed_by) of each file."},
    {"rows", get_rows, METH_O,
     "Rows of one registry: (registry, op, args, in_dtypes, out_dtypes, benefit, flags, how)."},
    {"candidates", get_candidates, METH_O, "Rows that may take an op, in the order of asking."},
    {"schema", get_schema, METH_O, "(canonical name, schema, kind) of an op, or None."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"Registries(order=None, pins=(), plugin_dirs=(), locals=())"},
    {Py_tp_init, (void *)(uintptr_t)initialize},
    {Py_tp_new, (void *)(uintptr_t)PyType_GenericNew},
    {Py_tp_dealloc, (void *)(uintptr_t)dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"buddy._buddy.Registries", sizeof(bp_registries), 0, Py_TPFLAGS_DEFAULT,
                           type_slots};

int bp_registries_init(PyObject *module) {
  return bp_add_type(module, "Registries", &spec, &bp_registries_type);
}
