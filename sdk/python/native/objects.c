// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/objects.c: what all objects of the module stand on: locks, text that grows,
 * types, lists, arguments, progress, graphs. */
#include "sdk/python/native/objects.h"

#include <string.h>

#include "core/base/memory.h"

void bp_lock_init(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

void bp_lock(pthread_mutex_t *lock) {
  Py_BEGIN_ALLOW_THREADS;
  pthread_mutex_lock(lock);
  Py_END_ALLOW_THREADS;
}

static buddy_code append(void *user, const char *data, size_t size) {
  bp_text *text = user;
  if (size > text->capacity - text->n) {
    size_t capacity = text->capacity ? text->capacity : 4096;
    while (capacity - text->n < size) {
      if (capacity > SIZE_MAX / 2) return BUDDY_OUT_OF_MEMORY;
      capacity *= 2;
    }
    char *grown = bd_realloc(text->data, capacity);
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    text->data = grown;
    text->capacity = capacity;
  }
  if (size) memcpy(text->data + text->n, data, size);
  text->n += size;
  return BUDDY_OK;
}

buddy_writer bp_text_writer(bp_text *text) { return (buddy_writer){append, text}; }

PyObject *bp_text_finish(bp_text *text, buddy_code code, int as_bytes) {
  PyObject *result = NULL;
  if (code != BUDDY_OK) {
    bp_raise(code, NULL);
  } else if (as_bytes) {
    result = PyBytes_FromStringAndSize(text->data, (Py_ssize_t)text->n);
  } else {
    result = PyUnicode_DecodeUTF8(text->data ? text->data : "", (Py_ssize_t)text->n, "replace");
  }
  bd_free(text->data);
  *text = (bp_text){0};
  return result;
}

int bp_add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **out_type) {
  PyObject *type = PyType_FromSpec(spec);
  if (!type) return -1;
  *out_type = (PyTypeObject *)type; /* kept for the life of the process */
  return PyModule_AddObjectRef(module, name, type);
}

int bp_list_add(PyObject *list, PyObject *item) {
  const int failed = !item || PyList_Append(list, item) < 0;
  Py_XDECREF(item);
  return !failed;
}

static PyObject *list_of(const buddy_arg *arg) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < arg->n; ++i) {
    PyObject *item = arg->kind == BUDDY_ARG_FLOATS  ? PyFloat_FromDouble(arg->as.floats[i])
                     : arg->kind == BUDDY_ARG_BOOLS ? PyBool_FromLong(arg->as.ints[i] != 0)
                                                    : PyUnicode_FromString(arg->as.strings[i]);
    if (!bp_list_add(list, item)) Py_CLEAR(list);
  }
  return list;
}

PyObject *bp_plain_argument(const buddy_arg *arg) {
  switch (arg->kind) {
    case BUDDY_ARG_FLOAT:
      return PyFloat_FromDouble(arg->as.f);
    case BUDDY_ARG_BOOL:
      return PyBool_FromLong(arg->as.i != 0);
    case BUDDY_ARG_FLOATS:
    case BUDDY_ARG_BOOLS:
    case BUDDY_ARG_STRINGS:
      return list_of(arg);
    case BUDDY_ARG_DTYPE:
      return Py_BuildValue("(ss)", "dtype", buddy_dtype_name((buddy_dtype)arg->as.i));
    case BUDDY_ARG_STRING:
    case BUDDY_ARG_DEVICE:
    case BUDDY_ARG_LAYOUT:
    case BUDDY_ARG_MEMORY_FORMAT:
      return PyUnicode_FromStringAndSize(arg->as.string, (Py_ssize_t)arg->n);
    case BUDDY_ARG_COMPLEX:
      return PyComplex_FromDoubles(arg->as.floats[0], arg->as.floats[1]);
    default:
      Py_RETURN_NONE;
  }
}

void bp_tell_progress(void *user, const char *stage, double fraction) {
  bp_progress *p = user;
  if (p->type) return; /* after an exception nothing more is told */
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *result = PyObject_CallFunction(p->function, "sd", stage, fraction);
  if (!result) PyErr_Fetch(&p->type, &p->value, &p->trace);
  Py_XDECREF(result);
  PyGILState_Release(state);
}

void bp_progress_end(bp_progress *progress) {
  if (progress->type) PyErr_Restore(progress->type, progress->value, progress->trace);
}

PyTypeObject *bp_graph_type;

bp_graph *bp_graph_new(bp_registries *registries, PyObject *keep) {
  bp_graph *self = PyObject_New(bp_graph, bp_graph_type);
  if (!self) return NULL;
  self->registries = registries;
  BP_KEEP(registries);
  self->keep = keep;
  BP_KEEP(keep);
  self->archive = NULL;
  self->graph = NULL;
  self->plan = NULL;
  bp_lock_init(&self->lock);
  return self;
}
