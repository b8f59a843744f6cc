// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/files.c: the writer of all files (core/base/outfile.h). */
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/python/native/objects.h"

static buddy_code write_file(const char *path, const char *data, size_t size, buddy_diags *diags) {
  bd_outfile file;
  BD_TRY(bd_outfile_open(path, diags, &file));
  bd_outfile_write(&file, data, size);
  return bd_outfile_commit(&(bd_outfile *){&file}, 1, diags);
}

PyObject *bp_write_file(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *path, *bytes;
  char *data;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "O&S:write_file", PyUnicode_FSConverter, &path, &bytes)) return NULL;
  buddy_diags *diags = bp_diags();
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  if (diags && PyBytes_AsStringAndSize(bytes, &data, &size) == 0) {
    Py_BEGIN_ALLOW_THREADS;
    code = write_file(PyBytes_AsString(path), data, (size_t)size, diags);
    Py_END_ALLOW_THREADS;
  }
  const int is_written = diags && bp_settle(code, diags);
  Py_DECREF(path);
  if (!is_written) return NULL;
  Py_RETURN_NONE;
}
