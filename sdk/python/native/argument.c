// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/argument.c: what Python writes for arguments and types becomes the graph's. */
#include "sdk/python/native/argument.h"
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *room(bp_reading *in, size_t n, size_t size) {
  void **blocks = bd_realloc(in->blocks, (in->n_blocks + 1) * sizeof *blocks);
  if (blocks) in->blocks = blocks;
  void *block = blocks ? bd_calloc(n + 1, size) : NULL;
  if (block) {
    in->blocks[in->n_blocks++] = block;
  } else {
    PyErr_NoMemory();
  }
  return block;
}

void bp_reading_end(bp_reading *in) {
  for (size_t i = 0; i < in->n_blocks; ++i) free(in->blocks[i]);
  free(in->blocks);
  *in = (bp_reading){0};
}

static const buddy_value *find_value(const bp_reading *in, PyObject *name) {
  const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
  return text ? buddy_graph_find_value(in->graph, text) : NULL;
}

/* ---- Dims ---- */

static int parse_dim(bp_reading *in, PyObject *text, int64_t *out) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text, &size);
  buddy_diags *diags = data ? bp_diags() : NULL;
  if (!diags) return 0;
  return bp_settle(buddy_graph_dim_parse(in->graph, (buddy_sv){data, (size_t)size}, diags, out),
                   diags);
}

static int read_dim(bp_reading *in, PyObject *item, int64_t *out) {
  if (PyUnicode_Check(item)) return parse_dim(in, item, out);
  *out = PyLong_AsLongLong(item);
  return !PyErr_Occurred();
}

/* ---- Lists ---- */

typedef int (*read_element)(bp_reading *in, PyObject *item, void *out);

static int read_value(bp_reading *in, PyObject *item, void *out) {
  const buddy_value **value = out;
  if (item == Py_None) return 1;
  *value = PyUnicode_Check(item) ? find_value(in, item) : NULL;
  if (!*value && !PyErr_Occurred())
    PyErr_Format(PyExc_ValueError, "the graph has no value called %R", item);
  return *value != NULL;
}
static int read_int(bp_reading *in, PyObject *item, void *out) { return read_dim(in, item, out); }
static int read_float(bp_reading *in, PyObject *item, void *out) {
  (void)in;
  *(double *)out = PyFloat_AsDouble(item);
  return !PyErr_Occurred();
}
static int read_bool(bp_reading *in, PyObject *item, void *out) {
  (void)in;
  *(int64_t *)out = PyObject_IsTrue(item);
  return !PyErr_Occurred();
}
static int read_string(bp_reading *in, PyObject *item, void *out) {
  (void)in;
  *(const char **)out = PyUnicode_AsUTF8AndSize(item, NULL);
  return !PyErr_Occurred();
}

/* What the elements are: by the schema, else by what they look like. */
static buddy_arg_kind list_kind(bp_reading *in, const buddy_schema_arg *schema, PyObject *first) {
  switch (schema ? schema->type : BUDDY_SCHEMA_ANY) {
    case BUDDY_SCHEMA_TENSOR:
      return BUDDY_ARG_TENSORS;
    case BUDDY_SCHEMA_INT:
      return BUDDY_ARG_INTS;
    case BUDDY_SCHEMA_FLOAT:
      return BUDDY_ARG_FLOATS;
    case BUDDY_SCHEMA_BOOL:
      return BUDDY_ARG_BOOLS;
    case BUDDY_SCHEMA_STRING:
      return BUDDY_ARG_STRINGS;
    default:
      if (!first) return BUDDY_ARG_INTS;
      if (PyFloat_Check(first)) return BUDDY_ARG_FLOATS;
      if (PyBool_Check(first)) return BUDDY_ARG_BOOLS;
      return PyUnicode_Check(first) && find_value(in, first) ? BUDDY_ARG_TENSORS : BUDDY_ARG_INTS;
  }
}

static read_element reader_of(buddy_arg_kind kind) {
  switch (kind) {
    case BUDDY_ARG_TENSORS:
      return read_value;
    case BUDDY_ARG_FLOATS:
      return read_float;
    case BUDDY_ARG_BOOLS:
      return read_bool;
    case BUDDY_ARG_STRINGS:
      return read_string;
    default:
      return read_int;
  }
}

static int read_list(bp_reading *in, const buddy_schema_arg *schema, PyObject *list,
                     buddy_arg *out) {
  const Py_ssize_t n = PySequence_Size(list);
  char *items = n < 0 ? NULL : room(in, (size_t)n, sizeof(int64_t)); /* all elements have 8 bytes */
  if (!items) return 0;
  PyObject *first = n > 0 ? PySequence_GetItem(list, 0) : NULL;
  *out = (buddy_arg){.kind = list_kind(in, schema, first), .n = (size_t)n};
  Py_XDECREF(first);
  out->as.ints = (const int64_t *)(const void *)items;
  const read_element read = reader_of(out->kind);
  int is_read = 1;
  for (Py_ssize_t i = 0; is_read && i < n; ++i) {
    PyObject *item = PySequence_GetItem(list, i);
    is_read = item && read(in, item, items + (size_t)i * sizeof(int64_t));
    Py_XDECREF(item);
  }
  return is_read;
}

/* ---- Single arguments ---- */

static buddy_arg_kind text_kind(const buddy_schema_arg *schema) {
  switch (schema ? schema->type : BUDDY_SCHEMA_ANY) {
    case BUDDY_SCHEMA_STRING:
      return BUDDY_ARG_STRING;
    case BUDDY_SCHEMA_DEVICE:
      return BUDDY_ARG_DEVICE;
    case BUDDY_SCHEMA_LAYOUT:
      return BUDDY_ARG_LAYOUT;
    case BUDDY_SCHEMA_MEMORY_FORMAT:
      return BUDDY_ARG_MEMORY_FORMAT;
    default:
      return BUDDY_ARG_NONE;
  }
}

static int read_text(bp_reading *in, const buddy_schema_arg *schema, PyObject *value,
                     buddy_arg *out) {
  Py_ssize_t size;
  const char *text = PyUnicode_AsUTF8AndSize(value, &size);
  if (!text) return 0;
  out->kind = text_kind(schema);
  if (out->kind != BUDDY_ARG_NONE) {
    out->n = (size_t)size;
    out->as.string = text;
    return 1;
  }
  out->as.tensor = buddy_graph_find_value(in->graph, text);
  out->kind = out->as.tensor ? BUDDY_ARG_TENSOR : BUDDY_ARG_INT;
  if (out->as.tensor) return 1;
  if (schema && (schema->type == BUDDY_SCHEMA_INT || schema->type == BUDDY_SCHEMA_SCALAR))
    return parse_dim(in, value, &out->as.i);
  PyErr_Format(PyExc_ValueError, "the graph has no value called %R", value);
  return 0;
}

static int read_dtype(PyObject *pair, buddy_arg *out) {
  const char *kind, *text;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(pair, "ss#", &kind, &text, &size)) return 0;
  if (strcmp(kind, "dtype") != 0) {
    PyErr_Format(PyExc_TypeError, "an argument that is a %.40s cannot be set", kind);
    return 0;
  }
  out->kind = BUDDY_ARG_DTYPE;
  out->as.i = buddy_dtype_find((buddy_sv){text, (size_t)size});
  return 1;
}

static int read_complex(bp_reading *in, PyObject *value, buddy_arg *out) {
  double *parts = room(in, 2, sizeof *parts);
  if (!parts) return 0;
  parts[0] = PyComplex_RealAsDouble(value);
  parts[1] = PyComplex_ImagAsDouble(value);
  out->kind = BUDDY_ARG_COMPLEX;
  out->n = 2;
  out->as.floats = parts;
  return 1;
}

static int is_pair_of_texts(PyObject *value) {
  return PyTuple_Check(value) && PyTuple_Size(value) == 2 &&
         PyUnicode_Check(PyTuple_GetItem(value, 0)) && PyUnicode_Check(PyTuple_GetItem(value, 1));
}

int bp_read_argument(bp_reading *in, const buddy_schema_arg *schema, PyObject *value,
                     buddy_arg *out) {
  *out = (buddy_arg){.kind = BUDDY_ARG_NONE};
  if (value == Py_None) return 1;
  if (PyUnicode_Check(value)) return read_text(in, schema, value, out);
  if (PyComplex_Check(value)) return read_complex(in, value, out);
  if (is_pair_of_texts(value)) return read_dtype(value, out);
  if (PyFloat_Check(value) ||
      (PyLong_CheckExact(value) && schema && schema->type == BUDDY_SCHEMA_FLOAT)) {
    out->kind = BUDDY_ARG_FLOAT;
    out->as.f = PyFloat_AsDouble(value);
  } else if (PyLong_Check(value)) { /* bool is one */
    out->kind = PyBool_Check(value) ? BUDDY_ARG_BOOL : BUDDY_ARG_INT;
    out->as.i = PyLong_AsLongLong(value);
  } else if (PySequence_Check(value)) {
    return read_list(in, schema, value, out);
  } else {
    PyErr_Format(PyExc_TypeError, "%R is no argument of a node", value);
  }
  return !PyErr_Occurred();
}

static int read_named(bp_reading *in, const buddy_opdef *def, PyObject *item,
                      buddy_named_arg *out) {
  PyObject *value;
  size_t place;
  if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "sO", &out->name, &value)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "arguments are tuples");
    return 0;
  }
  if (buddy_opdef_arg_find(def, (buddy_sv){out->name, strlen(out->name)}, &place)) {
    PyErr_Format(PyExc_ValueError, "%s has no argument called '%.80s'", buddy_opdef_name(def),
                 out->name);
    return 0;
  }
  return bp_read_argument(in, buddy_opdef_arg(def, place), value, &out->arg);
}

int bp_read_arguments(bp_reading *in, const buddy_opdef *def, PyObject *list,
                      buddy_named_arg **out_args, size_t *out_n) {
  const Py_ssize_t n = PyList_Size(list);
  *out_args = n < 0 ? NULL : room(in, (size_t)n, sizeof **out_args);
  if (!*out_args) return 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (!read_named(in, def, PyList_GetItem(list, i), *out_args + i)) return 0;
  }
  *out_n = (size_t)n;
  return 1;
}

/* ---- Types ---- */

static int read_type(bp_reading *in, PyObject *item, buddy_tensor_type *out) {
  const char *dtype;
  Py_ssize_t size;
  PyObject *sizes;
  buddy_arg dims;
  static const buddy_schema_arg ints = {.type = BUDDY_SCHEMA_INT};
  if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "s#O", &dtype, &size, &sizes)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "types are tuples");
    return 0;
  }
  if (!read_list(in, &ints, sizes, &dims)) return 0;
  if (dims.n > BP_MAX_RANK) {
    PyErr_SetString(PyExc_ValueError, "a tensor of more than 64 dims");
    return 0;
  }
  *out = (buddy_tensor_type){.dtype = buddy_dtype_find((buddy_sv){dtype, (size_t)size}),
                             .rank = (uint32_t)dims.n,
                             .dims = dims.as.ints};
  return 1;
}

int bp_read_types(bp_reading *in, PyObject *list, buddy_tensor_type **out_types, size_t *out_n) {
  const Py_ssize_t n = PyList_Size(list);
  *out_types = n < 0 ? NULL : room(in, (size_t)n, sizeof **out_types);
  if (!*out_types) return 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (!read_type(in, PyList_GetItem(list, i), *out_types + i)) return 0;
  }
  *out_n = (size_t)n;
  return 1;
}
