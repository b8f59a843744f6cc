// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/session.c: Session: the state of models (buddy/session.h), and steps on it. One
 * thread at a time; buddy/session.py sees to it. */
#include "buddy/session.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "sdk/python/native/objects.h"

typedef struct bp_session {
  PyObject_HEAD PyObject *models; /* what it stands on: a list of programs */
  buddy_session *session;
} bp_session;

static PyTypeObject *bp_session_type;

/* Takes the session over. */
static PyObject *wrap(buddy_session *session, PyObject *models) {
  bp_session *self = PyObject_New(bp_session, bp_session_type);
  if (!self) {
    buddy_session_destroy(session);
    return NULL;
  }
  self->models = Py_NewRef(models);
  self->session = session;
  return (PyObject *)self;
}

static void dealloc(PyObject *object) {
  bp_session *self = (bp_session *)object;
  PyTypeObject *type = Py_TYPE(object);
  buddy_session_destroy(self->session);
  Py_DECREF(self->models);
  PyObject_Free(object);
  Py_DECREF(type);
}

/* ---- Creating ---- */
/* None: the model writes to the input itself. False: an exception is set. */
static int read_output(PyObject *number, void *out) {
  const Py_ssize_t output = number == Py_None ? 0 : PyLong_AsSsize_t(number);
  if (output < 0 && !PyErr_Occurred())
    PyErr_SetString(PyExc_ValueError, "outputs are numbered from 0 on");
  *(size_t *)out = number == Py_None ? SIZE_MAX : (size_t)output;
  return output >= 0;
}

/* A list of (model, output, state); names are lent by the list. Null: an exception is set. */
static buddy_pair *read_pairs(PyObject *list, size_t *out_n) {
  const size_t n = (size_t)PyList_Size(list);
  buddy_pair *pairs = bd_calloc(n + 1, sizeof *pairs);
  if (!pairs) PyErr_NoMemory();
  for (size_t i = 0; pairs && i < n; ++i) {
    Py_ssize_t model;
    if (PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "nO&s", &model, read_output,
                         &pairs[i].output, &pairs[i].state)) {
      pairs[i].model = (size_t)model;
    } else {
      free(pairs);
      pairs = NULL;
    }
  }
  *out_n = n;
  return pairs;
}

PyObject *bp_create_session(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *list, *pair_list, *result = NULL;
  buddy_session_options options = {.struct_size = sizeof options};
  if (!PyArg_ParseTuple(args, "O!Op", &PyList_Type, &list, &pair_list, &options.no_batches))
    return NULL;
  size_t n = 0;
  buddy_pair *pairs = NULL;
  if (PyList_Check(pair_list)) {
    pairs = read_pairs(pair_list, &options.n_pairs);
    if (!pairs) return NULL;
    options.pairs = pairs;
    options.no_pairs = 1;
  }
  buddy_model **models = bp_read_models(list, &n);
  buddy_diags *diags = models ? bp_diags() : NULL;
  buddy_session *session = NULL;
  if (diags) {
    const buddy_code code = buddy_session_create(models, n, &options, diags, &session);
    PyObject *kept = bp_settle(code, diags) ? PyList_AsTuple(list) : NULL;
    if (kept) result = wrap(session, kept);
    Py_XDECREF(kept);
  }
  free(models);
  free(pairs);
  return result;
}

static PyObject *fork_it(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_session *self = (bp_session *)object;
  buddy_session *session = NULL;
  buddy_diags *diags = bp_diags();
  if (!diags || !bp_settle(buddy_session_fork(self->session, diags, &session), diags)) return NULL;
  return wrap(session, self->models);
}

static PyObject *rewind_it(PyObject *object, PyObject *to) {
  const bp_session *self = (bp_session *)object, *other = (bp_session *)to;
  if (to != Py_None && Py_TYPE(to) != bp_session_type) {
    PyErr_SetString(PyExc_TypeError, "a session, or None");
    return NULL;
  }
  buddy_diags *diags = bp_diags();
  if (!diags ||
      !bp_settle(buddy_session_rewind(self->session, to == Py_None ? NULL : other->session, diags),
                 diags))
    return NULL;
  Py_RETURN_NONE;
}

/* ---- Steps ---- */
static PyObject *get_ports(PyObject *object, PyObject *args) {
  const bp_session *self = (bp_session *)object;
  Py_ssize_t model;
  int is_input;
  if (!PyArg_ParseTuple(args, "np", &model, &is_input)) return NULL;
  PyObject *list = PyList_New(0);
  const buddy_port *port;
  for (size_t i = 0; list; ++i) {
    port = is_input ? buddy_session_input(self->session, (size_t)model, i)
                    : buddy_session_output(self->session, (size_t)model, i);
    if (!port) break;
    if (!bp_list_add(list, bp_port(port))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *most_rows(PyObject *object, PyObject *args) {
  Py_ssize_t model;
  if (!PyArg_ParseTuple(args, "n", &model)) return NULL;
  return PyLong_FromSize_t(
      buddy_session_most_rows(((const bp_session *)object)->session, (size_t)model));
}

static PyObject *run(const bp_session *self, size_t model, const bp_tensors *inputs,
                     bp_tensors *outputs) {
  char *is_given = bd_calloc(outputs->n + 1, 1);
  buddy_diags *diags = is_given ? bp_diags() : NULL;
  PyObject *results = NULL;
  if (diags) {
    buddy_code code;
    Py_BEGIN_ALLOW_THREADS;
    code = buddy_session_step(self->session, model, inputs->items, inputs->n, outputs->items,
                              outputs->n, diags);
    Py_END_ALLOW_THREADS;
    if (bp_settle(code, diags)) {
      results = bp_tensors_results(outputs, is_given);
    } else if (code == BUDDY_OK) {
      for (size_t i = 0; i < outputs->n; ++i) buddy_tensor_release(&outputs->items[i]);
    }
  } else if (!is_given) {
    PyErr_NoMemory();
  }
  free(is_given);
  return results;
}

static PyObject *step(PyObject *object, PyObject *args) {
  const bp_session *self = (bp_session *)object;
  Py_ssize_t model;
  PyObject *list, *results = NULL;
  if (!PyArg_ParseTuple(args, "nO!", &model, &PyList_Type, &list)) return NULL;
  bp_tensors inputs = {0}, outputs = {0};
  const size_t n_outputs = buddy_session_n_outputs(self->session, (size_t)model);
  if (bp_tensors_alloc((size_t)PyList_Size(list), &inputs) &&
      bp_tensors_alloc(n_outputs, &outputs) && bp_tensors_read(list, &inputs))
    results = run(self, (size_t)model, &inputs, &outputs);
  bp_tensors_free(&inputs);
  bp_tensors_free(&outputs);
  return results;
}

/* One call of a list, (session, model, inputs). False: an exception is set. */
static int read_call(PyObject *item, buddy_session_call *call, bp_tensors *inputs,
                     bp_tensors *outputs) {
  PyObject *session, *list;
  Py_ssize_t model;
  if (!PyArg_ParseTuple(item, "O!nO!", bp_session_type, &session, &model, &PyList_Type, &list))
    return 0;
  call->session = ((bp_session *)session)->session;
  call->model = (size_t)model;
  if (!bp_tensors_alloc((size_t)PyList_Size(list), inputs) ||
      !bp_tensors_alloc(buddy_session_n_outputs(call->session, call->model), outputs) ||
      !bp_tensors_read(list, inputs))
    return 0;
  call->inputs = inputs->items;
  call->n_inputs = inputs->n;
  call->outputs = outputs->items;
  call->n_outputs = outputs->n;
  return 1;
}

/* The results of each call, or null. is_given: zeros, of as many outputs as any has. */
static PyObject *results_of(bp_tensors *outputs, size_t n, const char *is_given) {
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    PyObject *results = bp_tensors_results(&outputs[i], is_given);
    if (!results || PyList_SetItem(list, (Py_ssize_t)i, results) < 0) Py_CLEAR(list);
  }
  return list;
}

PyObject *bp_step_all(PyObject *module, PyObject *list) {
  (void)module;
  if (!PyList_Check(list)) return PyErr_Format(PyExc_TypeError, "a list of calls");
  const size_t n = (size_t)PyList_Size(list);
  buddy_session_call *calls = bd_calloc(n + 1, sizeof *calls);
  bp_tensors *tensors = bd_calloc(2 * n + 1, sizeof *tensors),
             *outputs = tensors ? tensors + n : NULL;
  int is_read = calls && tensors;
  size_t most = 0;
  if (!is_read) PyErr_NoMemory();
  for (size_t i = 0; is_read && i < n; ++i) {
    is_read = read_call(PyList_GetItem(list, (Py_ssize_t)i), &calls[i], &tensors[i], &outputs[i]);
    if (outputs[i].n > most) most = outputs[i].n;
  }
  char *is_given = bd_calloc(most + 1, 1);
  buddy_diags *diags = is_read && is_given ? bp_diags() : NULL;
  PyObject *results = NULL;
  if (diags) {
    buddy_code code;
    Py_BEGIN_ALLOW_THREADS;
    code = buddy_session_step_all(calls, n, diags);
    Py_END_ALLOW_THREADS;
    if (bp_settle(code, diags)) results = results_of(outputs, n, is_given);
  } else if (!is_given) {
    PyErr_NoMemory();
  }
  for (size_t i = 0; tensors && i < 2 * n; ++i) {
    for (size_t k = 0; i >= n && !results && k < tensors[i].n; ++k)
      buddy_tensor_release(&tensors[i].items[k]);
    bp_tensors_free(&tensors[i]);
  }
  bd_free(is_given);
  bd_free(tensors);
  bd_free(calls);
  return results;
}

/* ---- The state ---- */
static PyObject *get_names(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_session *self = (bp_session *)object;
  const size_t n = buddy_session_n_states(self->session);
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    PyObject *item = PyUnicode_FromString(buddy_session_state_name(self->session, i));
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *numbers_of(const int64_t *numbers, uint32_t n) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)n);
  for (uint32_t d = 0; tuple && d < n; ++d) {
    PyObject *number = PyLong_FromLongLong(numbers[d]);
    if (!number || PyTuple_SetItem(tuple, (Py_ssize_t)d, number) < 0) Py_CLEAR(tuple);
  }
  return tuple;
}

/* (address, dtype, sizes, strides), or None. */
static PyObject *get_state(PyObject *object, PyObject *number) {
  const bp_session *self = (bp_session *)object;
  const size_t i = PyLong_AsSize_t(number);
  buddy_tensor tensor;
  buddy_diags *diags = PyErr_Occurred() ? NULL : bp_diags();
  if (!diags || !bp_settle(buddy_session_state(self->session, i, diags, &tensor), diags))
    return NULL;
  if (!tensor.bytes) Py_RETURN_NONE;
  PyObject *sizes = numbers_of(tensor.sizes, tensor.rank),
           *strides = numbers_of(tensor.strides, tensor.rank);
  if (sizes && strides)
    return Py_BuildValue("(KsNN)", (unsigned long long)(uintptr_t)tensor.bytes,
                         buddy_dtype_name(tensor.dtype), sizes, strides);
  Py_XDECREF(sizes);
  Py_XDECREF(strides);
  return NULL;
}

static PyObject *set_state(PyObject *object, PyObject *args) {
  const bp_session *self = (bp_session *)object;
  const char *name;
  PyObject *tuple;
  int64_t numbers[2 * BP_MAX_RANK];
  buddy_tensor tensor;
  if (!PyArg_ParseTuple(args, "sO", &name, &tuple) || !bp_tensor_read(tuple, numbers, &tensor))
    return NULL;
  buddy_diags *diags = bp_diags();
  if (!diags || !bp_settle(buddy_session_set_state(self->session, name, &tensor, diags), diags))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *get_n_bytes(PyObject *object, PyObject *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(buddy_session_n_bytes(((bp_session *)object)->session));
}

static PyObject *to_file(PyObject *object, PyObject *args, int is_saving) {
  const bp_session *self = (bp_session *)object;
  PyObject *path;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
  buddy_diags *diags = bp_diags();
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  if (diags) {
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS;
    code = is_saving ? buddy_session_save(self->session, name, diags)
                     : buddy_session_load(self->session, name, diags);
    Py_END_ALLOW_THREADS;
  }
  const int is_done = diags && bp_settle(code, diags);
  Py_DECREF(path);
  if (!is_done) return NULL;
  Py_RETURN_NONE;
}

static PyObject *save(PyObject *object, PyObject *args) { return to_file(object, args, 1); }
static PyObject *load(PyObject *object, PyObject *args) { return to_file(object, args, 0); }

static PyMethodDef methods[] = {
    {"ports", get_ports, METH_VARARGS,
     "ports(model, is_input): what Program.inputs gives of each."},
    {"most_rows", most_rows, METH_VARARGS, "most_rows(model): steps in one run; 1: in turn."},
    {"step", step, METH_VARARGS, "step(model, inputs) -> list; as Program.run."},
    {"fork", fork_it, METH_NOARGS, "A session with the same state."},
    {"rewind", rewind_it, METH_O, "To the state of another session; None: of a new one."},
    {"names", get_names, METH_NOARGS, "Names of the states."},
    {"state", get_state, METH_O,
     "state(number) -> (address, dtype, sizes, strides), lent; or None."},
    {"set_state", set_state, METH_VARARGS, "set_state(name, tensor): a copy."},
    {"n_bytes", get_n_bytes, METH_NOARGS, "Bytes of all states."},
    {"save", save, METH_VARARGS, "save(path)"},
    {"load", load, METH_VARARGS, "load(path)"},
    {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"The state of models. One thread at a time."},
    {Py_tp_dealloc, (void *)(uintptr_t)dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"buddy._buddy.Session", sizeof(bp_session), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, type_slots};

int bp_session_init(PyObject *module) {
  return bp_add_type(module, "Session", &spec, &bp_session_type);
}
