// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/config.c: settings of files. */
#include "buddy/config.h"

#include "sdk/python/native/objects.h"

PyObject *bp_config(PyObject *module, PyObject *args) {
  const char *path = NULL;
  (void)module;
  if (!PyArg_ParseTuple(args, "|z:config", &path)) return NULL;
  buddy_diags *diags = bp_diags();
  if (!diags || !bp_settle(buddy_config_load(path, diags), diags)) return NULL;
  Py_RETURN_NONE;
}
