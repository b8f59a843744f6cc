// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/local.c: LocalRegistry: a registry in this process whose rows are Python
 * functions.
 *
 * The host calls a row on whatever thread it plans or lowers on, without the GIL; the row takes it,
 * gives the function a Call, and tells the host what came out: nothing raised: taken; Declined: the
 * next row is asked; any other exception: the row has failed, with the exception's text and
 * line. */
#include "sdk/python/native/local.h"
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *bp_local_type;

/* ---- Rows ---- */
/* The text of the raised exception, by buddy/errors.py: (is_declined, sentence). */
static PyObject *describe_exception(void) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (value && trace) PyException_SetTraceback(value, trace);
  PyObject *errors = PyImport_ImportModule("buddy.errors");
  PyObject *told =
      errors && value ? PyObject_CallMethod(errors, "describe_exception", "O", value) : NULL;
  Py_XDECREF(errors);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return told;
}

static buddy_code report_exception(const buddy_host *host, buddy_call *call) {
  static const char unknown[] = "the lowering raised an exception that cannot be described";
  PyObject *told = describe_exception();
  int is_declined = 0;
  const char *text = unknown;
  Py_ssize_t size = sizeof unknown - 1;
  if (!told || !PyArg_ParseTuple(told, "ps#", &is_declined, &text, &size)) PyErr_Clear();
  const buddy_sv why = {text, (size_t)size};
  const buddy_code code =
      is_declined ? host->decline(call, why) : host->fail(call, BUDDY_INTERNAL, why);
  Py_XDECREF(told);
  return code;
}

static buddy_code ask(void *state, const buddy_op *row, buddy_call *call) {
  const buddy_host *host = state;
  const PyGILState_STATE gil = PyGILState_Ensure();
  buddy_code code = BUDDY_OK;
  bp_call *object = bp_call_new(host, call, row);
  PyObject *function = (PyObject *)(uintptr_t)row->user;
  PyObject *result =
      object ? PyObject_CallFunctionObjArgs(function, (PyObject *)object, NULL) : NULL;
  if (object) object->call = NULL;
  if (!result) code = report_exception(host, call);
  Py_XDECREF(result);
  BP_DROP(object);
  PyGILState_Release(gil);
  return code;
}

static buddy_code keep_host(const buddy_host *host, void **out_state, char *why, size_t why_size) {
  (void)why;
  (void)why_size;
  memcpy(out_state, &host, sizeof host);
  return BUDDY_OK;
}

/* ---- The object ---- */
/* What a lowering may build ops of. */
static const char *const dialects[] = {"arith", "cf",  "complex", "func", "linalg",
                                       "math",  "scf", "tensor",  "tosa", NULL};

static const char *text_at(PyObject *list, PyObject *item) {
  if (!item || PyList_Append(list, item) < 0) return NULL; /* kept as long as the object */
  return PyUnicode_AsUTF8AndSize(item, NULL);
}

static int read_row(bp_local *self, PyObject *tuple, buddy_op *op) {
  PyObject *name, *args, *function;
  unsigned benefit, flags;
  int expands;
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "a row is a tuple");
    return 0;
  }
  if (!PyArg_ParseTuple(tuple, "UUOIIp", &name, &args, &function, &benefit, &flags, &expands)) {
    return 0;
  }
  if (PyList_Append(self->functions, function) < 0) return 0;
  *op = (buddy_op){.name = text_at(self->texts, name),
                   .args = text_at(self->texts, args),
                   .benefit = benefit,
                   .flags = flags,
                   .emit = expands ? NULL : ask,
                   .expand = expands ? ask : NULL,
                   .user = function};
  return op->name && op->args;
}

static int read_all(bp_local *self, PyObject *name, PyObject *rows, PyObject *schemas) {
  const Py_ssize_t n_rows = PyList_Size(rows), n_schemas = PyList_Size(schemas);
  self->texts = PyList_New(0);
  self->functions = PyList_New(0);
  self->ops = bd_calloc((size_t)n_rows + 1, sizeof *self->ops);
  self->schemas = bd_calloc((size_t)n_schemas + 1, sizeof *self->schemas);
  if (!self->texts || !self->functions) return 0;
  if (!self->ops || !self->schemas) {
    PyErr_NoMemory();
    return 0;
  }
  for (Py_ssize_t i = 0; i < n_rows; ++i) {
    if (!read_row(self, PyList_GetItem(rows, i), &self->ops[i])) return 0;
  }
  for (Py_ssize_t i = 0; i < n_schemas; ++i) {
    self->schemas[i] = text_at(self->texts, PyList_GetItem(schemas, i));
    if (!self->schemas[i]) return 0;
  }
  self->registry = (buddy_registry){.struct_size = sizeof self->registry,
                                    .abi_version = BUDDY_ABI_VERSION,
                                    .name = text_at(self->texts, name),
                                    .version = buddy_version(),
                                    .vendor = "Python",
                                    .license = "LicenseRef-local",
                                    .dialects = dialects,
                                    .schemas = self->schemas,
                                    .ops = self->ops,
                                    .n_ops = (uint32_t)n_rows,
                                    .op_stride = sizeof *self->ops,
                                    .open = keep_host};
  return self->registry.name != NULL;
}

static int initialize(PyObject *object, PyObject *args, PyObject *keywords) {
  bp_local *self = (bp_local *)object;
  PyObject *name, *rows, *schemas;
  const char *before;
  if (keywords && PyDict_Size(keywords) > 0) {
    PyErr_SetString(PyExc_TypeError, "LocalRegistry takes no keywords");
    return -1;
  }
  if (!PyArg_ParseTuple(args, "UsO!O!", &name, &before, &PyList_Type, &rows, &PyList_Type,
                        &schemas)) {
    return -1;
  }
  if (self->ops) {
    PyErr_SetString(PyExc_RuntimeError, "LocalRegistry is initialized once");
    return -1;
  }
  self->before = bd_strdup(before);
  if (!self->before) PyErr_NoMemory();
  return self->before && read_all(self, name, rows, schemas) ? 0 : -1;
}

static void dealloc(PyObject *object) {
  bp_local *self = (bp_local *)object;
  PyTypeObject *type = Py_TYPE(object);
  Py_XDECREF(self->texts);
  Py_XDECREF(self->functions);
  free(self->before);
  free(self->ops);
  free(self->schemas);
  PyObject_Free(object);
  BP_DROP(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc,
     (void *)(uintptr_t)"LocalRegistry(name, before, rows, schemas)\n\n"
                        "rows: a list of (op, args, function, benefit, flags, expands). before: "
                        "the registry in front\nof which it stands; \"\": where the order names "
                        "it."},
    {Py_tp_init, (void *)(uintptr_t)initialize},
    {Py_tp_new, (void *)(uintptr_t)PyType_GenericNew},
    {Py_tp_dealloc, (void *)(uintptr_t)dealloc},
    {0, NULL}};
static PyType_Spec spec = {"buddy._buddy.LocalRegistry", sizeof(bp_local), 0, Py_TPFLAGS_DEFAULT,
                           slots};

int bp_local_init(PyObject *module) {
  return bp_add_type(module, "LocalRegistry", &spec, &bp_local_type);
}
