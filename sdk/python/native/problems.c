// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/problems.c: diagnostics become exceptions and log records; buddy/errors.py
 * decides which. */
#include "sdk/python/native/objects.h"

buddy_diags *bp_diags(void) {
  buddy_diags *diags;
  if (buddy_diags_create(&diags) == BUDDY_OK) return diags;
  PyErr_NoMemory();
  return NULL;
}

/* A list of (severity, code name, where, what, todo). */
static PyObject *list_of(const buddy_diags *diags) {
  const size_t n = diags ? buddy_diags_count(diags) : 0;
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    PyObject *item = Py_BuildValue("(issss)", (int)diag->severity, buddy_code_name(diag->code),
                                   diag->where, diag->what, diag->todo);
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *call_errors(const char *function, buddy_code code, const buddy_diags *diags) {
  PyObject *list = list_of(diags);
  PyObject *errors = list ? PyImport_ImportModule("buddy.errors") : NULL;
  PyObject *result =
      errors ? PyObject_CallMethod(errors, function, "sO", buddy_code_name(code), list) : NULL;
  Py_XDECREF(errors);
  Py_XDECREF(list);
  return result;
}

PyObject *bp_raise(buddy_code code, buddy_diags *diags) {
  if (!PyErr_Occurred()) { /* else a callback's own exception is the reason */
    PyObject *error = call_errors("from_diagnostics", code, diags);
    if (error) {
      PyErr_SetObject((PyObject *)Py_TYPE(error), error);
      Py_DECREF(error);
    }
  }
  buddy_diags_destroy(diags);
  return NULL;
}

int bp_settle(buddy_code code, buddy_diags *diags) {
  if (code != BUDDY_OK || PyErr_Occurred()) {
    bp_raise(code, diags);
    return 0;
  }
  int is_settled = 1;
  if (buddy_diags_count(diags) > 0) {
    PyObject *done = call_errors("log_diagnostics", code, diags);
    is_settled = done != NULL;
    Py_XDECREF(done);
  }
  buddy_diags_destroy(diags);
  return is_settled;
}
