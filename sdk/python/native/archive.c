// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/archive.c: what an archive holds besides one program: the names of all, and the
 * files that were given along. */
#include <string.h>

#include "sdk/python/native/objects.h"
#include "core/base/try.h"

static PyObject *list_programs(const buddy_archive *archive) {
  const size_t n = buddy_archive_n_programs(archive);
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    const char *name = buddy_archive_program(archive, i);
    PyObject *item = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "surrogateescape");
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static buddy_code add_extra(PyObject *dict, buddy_archive *archive, size_t i, buddy_diags *diags) {
  const char *name = buddy_archive_extra_name(archive, i);
  buddy_sv bytes;
  BD_TRY(buddy_archive_extra(archive, name, diags, &bytes));
  PyObject *key = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "surrogateescape");
  PyObject *value = key ? PyBytes_FromStringAndSize(bytes.data, (Py_ssize_t)bytes.size) : NULL;
  if (value) PyDict_SetItem(dict, key, value);
  Py_XDECREF(key);
  Py_XDECREF(value);
  return PyErr_Occurred() ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

PyObject *bp_read_archive(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *path, *list = NULL;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
  PyObject *dict = PyDict_New();
  buddy_diags *diags = dict ? bp_diags() : NULL;
  buddy_archive *archive = NULL;
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  if (diags) {
    code = buddy_archive_open(PyBytes_AsString(path), diags, &archive);
    for (size_t i = 0; code == BUDDY_OK && i < buddy_archive_n_extra(archive); ++i)
      code = add_extra(dict, archive, i, diags);
    if (bp_settle(code, diags)) list = list_programs(archive);
    buddy_archive_close(archive);
  }
  Py_DECREF(path);
  PyObject *result = list ? PyTuple_Pack(2, list, dict) : NULL;
  Py_XDECREF(list);
  Py_XDECREF(dict);
  return result;
}
