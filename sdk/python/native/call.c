// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/call.c: Call: what a lowering written in Python may ask of the host.
 *
 * A Call is alive while its callback runs. Handles (values of the graph; values, types and
 * attributes of the IR) belong to one call; a handle of a call that is over is refused here and
 * never reaches the host. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/python/native/local.h"

typedef enum handle_kind { GRAPH_VALUE, IR_VALUE, IR_TYPE, IR_ATTR } handle_kind;
static const char *const kind_names[] = {"a value of the graph", "a value of the IR", "a type",
                                         "an attribute"};

typedef struct bp_handle {
  PyObject_HEAD bp_call *call;
  const void *ptr;
  handle_kind kind;
} bp_handle;

static PyTypeObject *call_type, *handle_type;

/* ---- Handles ---- */
static PyObject *new_handle(bp_call *call, handle_kind kind, const void *ptr) {
  if (!ptr) { /* the host has recorded why */
    if (!PyErr_Occurred()) {
      PyErr_Format(PyExc_ValueError, "the host cannot make %s of that", kind_names[kind]);
    }
    return NULL;
  }
  bp_handle *self = PyObject_New(bp_handle, handle_type);
  if (!self) return NULL;
  self->call = call;
  BP_KEEP(call);
  self->ptr = ptr;
  self->kind = kind;
  return (PyObject *)self;
}

static void drop_handle(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  BP_DROP(((bp_handle *)object)->call);
  PyObject_Free(object);
  BP_DROP(type);
}

static const void *read_handle(const bp_call *call, PyObject *object, handle_kind kind) {
  const bp_handle *handle = (bp_handle *)object;
  if (!object || !PyObject_TypeCheck(object, handle_type) || handle->kind != kind) {
    PyErr_Format(PyExc_TypeError, "%s is needed", kind_names[kind]);
    return NULL;
  }
  if (handle->call != call) {
    PyErr_Format(PyExc_ValueError, "%s of another call", kind_names[kind]);
    return NULL;
  }
  return handle->ptr;
}

/* ---- Calls ---- */
bp_call *bp_call_new(const buddy_host *host, buddy_call *call, const buddy_op *row) {
  bp_call *self = PyObject_New(bp_call, call_type);
  if (!self) return NULL;
  self->host = host;
  self->call = call;
  self->row = row;
  return self;
}

static void drop_call(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_Free(object);
  BP_DROP(type);
}

static bp_call *live(PyObject *object) {
  bp_call *self = (bp_call *)object;
  if (self->call) return self;
  PyErr_SetString(PyExc_RuntimeError,
                  "the call is over: what a lowering builds, it builds at once");
  return NULL;
}

/* ---- Asking ---- */
static PyObject *numbers(const int64_t *values, size_t n) {
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    PyObject *item = PyLong_FromLongLong(values[i]);
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *type_tuple(const buddy_tensor_type *type) {
  if (!type) Py_RETURN_NONE;
  return Py_BuildValue("(sN)", buddy_dtype_name(type->dtype), numbers(type->dims, type->rank));
}

/* ("value", name, (dtype, dims), handle) */
static PyObject *graph_value(bp_call *self, const buddy_value *value) {
  if (!value) Py_RETURN_NONE;
  return Py_BuildValue("(ssNN)", "value", buddy_value_name(value),
                       type_tuple(self->host->value_type(self->call, value)),
                       new_handle(self, GRAPH_VALUE, value));
}

static PyObject *graph_values(bp_call *self, const buddy_arg *arg) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < arg->n; ++i) {
    if (!bp_list_add(list, graph_value(self, arg->as.tensors[i]))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *argument(bp_call *self, const buddy_arg *arg) {
  switch (arg->kind) {
    case BUDDY_ARG_TENSOR:
      return graph_value(self, arg->as.tensor);
    case BUDDY_ARG_INT:
      return PyLong_FromLongLong(arg->as.i);
    case BUDDY_ARG_INTS:
      return numbers(arg->as.ints, arg->n);
    case BUDDY_ARG_TENSORS:
      return graph_values(self, arg);
    default: /* subgraphs are not for Python */
      return bp_plain_argument(arg);
  }
}

static PyObject *get_name(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_call *self = live(object);
  if (!self) return NULL;
  const buddy_sv name = self->host->op_name(self->call);
  return PyUnicode_FromStringAndSize(name.data, (Py_ssize_t)name.size);
}

static PyObject *get_n_args(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_call *self = live(object);
  return self ? PyLong_FromSize_t(self->host->n_args(self->call)) : NULL;
}

static PyObject *get_arg(PyObject *object, PyObject *number) {
  bp_call *self = live(object);
  const size_t i = self ? PyLong_AsSize_t(number) : 0;
  if (!self || PyErr_Occurred()) return NULL;
  if (i >= self->host->n_args(self->call)) {
    PyErr_SetString(PyExc_IndexError, "the row lists no argument of that number");
    return NULL;
  }
  const buddy_arg *arg = self->host->arg(self->call, i);
  return arg ? argument(self, arg) : Py_NewRef(Py_None);
}

static PyObject *get_results(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_call *self = live(object);
  PyObject *list = self ? PyList_New(0) : NULL;
  for (size_t i = 0; list && i < self->host->n_results(self->call); ++i) {
    if (!bp_list_add(list, type_tuple(self->host->result_type(self->call, i)))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *fold_dims(PyObject *object, PyObject *args) {
  const bp_call *self = live(object);
  int op;
  long long a, b;
  if (!self || !PyArg_ParseTuple(args, "iLL", &op, &a, &b)) return NULL;
  return PyLong_FromLongLong(self->host->dim(self->call, op, a, b));
}

/* ---- Building IR ---- */
static int is_emitting(const bp_call *self) {
  if (self->row->emit) return 1;
  PyErr_SetString(PyExc_RuntimeError, "an expansion adds nodes to the graph, it builds no IR");
  return 0;
}

static PyObject *ir_value(PyObject *object, PyObject *value) {
  bp_call *self = live(object);
  const buddy_value *given = self ? read_handle(self, value, GRAPH_VALUE) : NULL;
  if (!given || !is_emitting(self)) return NULL;
  return new_handle(self, IR_VALUE, self->host->ir_value(self->call, given).ptr);
}

static PyObject *parse(PyObject *object, PyObject *text, handle_kind kind) {
  bp_call *self = live(object);
  Py_ssize_t size;
  const char *data = self && is_emitting(self) ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
  if (!data) return NULL;
  const buddy_sv view = {data, (size_t)size};
  const void *ptr = kind == IR_TYPE ? self->host->ir_type_parse(self->call, view).ptr
                                    : self->host->ir_attr_parse(self->call, view).ptr;
  if (!ptr) {
    PyErr_Format(PyExc_ValueError, "MLIR does not read this as %s: %.200s", kind_names[kind], data);
    return NULL;
  }
  return new_handle(self, kind, ptr);
}

static PyObject *ir_type(PyObject *self, PyObject *text) { return parse(self, text, IR_TYPE); }
static PyObject *ir_attr(PyObject *self, PyObject *text) { return parse(self, text, IR_ATTR); }

static PyObject *ir_dim(PyObject *object, PyObject *number) {
  bp_call *self = live(object);
  const long long dim = self ? PyLong_AsLongLong(number) : 0;
  if (!self || PyErr_Occurred() || !is_emitting(self)) return NULL;
  return new_handle(self, IR_VALUE, self->host->ir_dim(self->call, dim).ptr);
}

/* Arrays of one op, in one allocation. */
typedef struct op_parts {
  buddy_ir_value *operands, *results;
  buddy_ir_type *types;
  buddy_ir_named_attr *attrs;
  size_t n_operands, n_types, n_attrs;
} op_parts;

static int read_parts(bp_call *self, PyObject *operands, PyObject *types, PyObject *attrs,
                      op_parts *parts) {
  for (size_t i = 0; i < parts->n_operands; ++i) {
    const void *ptr = read_handle(self, PyList_GetItem(operands, (Py_ssize_t)i), IR_VALUE);
    if (!ptr) return 0;
    parts->operands[i].ptr = ptr;
  }
  for (size_t i = 0; i < parts->n_types; ++i) {
    const void *ptr = read_handle(self, PyList_GetItem(types, (Py_ssize_t)i), IR_TYPE);
    if (!ptr) return 0;
    parts->types[i].ptr = ptr;
  }
  for (size_t i = 0; i < parts->n_attrs; ++i) {
    const char *name;
    Py_ssize_t size;
    PyObject *value;
    PyObject *item = PyList_GetItem(attrs, (Py_ssize_t)i);
    if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "s#O", &name, &size, &value)) {
      if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "attributes are (name, value) tuples");
      return 0;
    }
    const void *ptr = read_handle(self, value, IR_ATTR);
    if (!ptr) return 0;
    parts->attrs[i] = (buddy_ir_named_attr){{name, (size_t)size}, {ptr}};
  }
  return 1;
}

static PyObject *build(bp_call *self, buddy_sv name, const op_parts *parts) {
  const buddy_ir_spec spec = {.struct_size = sizeof spec,
                              .name = name,
                              .operands = parts->operands,
                              .n_operands = parts->n_operands,
                              .result_types = parts->types,
                              .n_results = parts->n_types,
                              .attrs = parts->attrs,
                              .n_attrs = parts->n_attrs};
  const buddy_code code = self->host->ir_op(self->call, &spec, parts->results);
  if (code != BUDDY_OK) {
    PyErr_Format(PyExc_ValueError, "the host cannot build %.*s (%s)", (int)name.size, name.data,
                 buddy_code_name(code));
    return NULL;
  }
  PyObject *list = PyList_New((Py_ssize_t)parts->n_types);
  for (size_t i = 0; list && i < parts->n_types; ++i) {
    PyObject *item = new_handle(self, IR_VALUE, parts->results[i].ptr);
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *ir_op(PyObject *object, PyObject *args) {
  bp_call *self = live(object);
  const char *name;
  Py_ssize_t size;
  PyObject *operands, *types, *attrs;
  if (!self || !is_emitting(self)) return NULL;
  if (!PyArg_ParseTuple(args, "s#O!O!O!", &name, &size, &PyList_Type, &operands, &PyList_Type,
                        &types, &PyList_Type, &attrs)) {
    return NULL;
  }
  op_parts parts = {.n_operands = (size_t)PyList_Size(operands),
                    .n_types = (size_t)PyList_Size(types),
                    .n_attrs = (size_t)PyList_Size(attrs)};
  parts.operands = bd_calloc(parts.n_operands + 1, sizeof *parts.operands);
  parts.results = bd_calloc(parts.n_types + 1, sizeof *parts.results);
  parts.types = bd_calloc(parts.n_types + 1, sizeof *parts.types);
  parts.attrs = bd_calloc(parts.n_attrs + 1, sizeof *parts.attrs);
  PyObject *results = NULL;
  if (!parts.operands || !parts.results || !parts.types || !parts.attrs) {
    PyErr_NoMemory();
  } else if (read_parts(self, operands, types, attrs, &parts)) {
    results = build(self, (buddy_sv){name, (size_t)size}, &parts);
  }
  free(parts.operands);
  free(parts.results);
  free(parts.types);
  free(parts.attrs);
  return results;
}

static PyObject *set_result(PyObject *object, PyObject *args) {
  bp_call *self = live(object);
  Py_ssize_t i;
  PyObject *value;
  if (!self || !PyArg_ParseTuple(args, "nO", &i, &value) || !is_emitting(self)) return NULL;
  const void *ptr = read_handle(self, value, IR_VALUE);
  if (!ptr) return NULL;
  const buddy_code code = self->host->ir_set_result(self->call, (size_t)i, (buddy_ir_value){ptr});
  if (code == BUDDY_OK) Py_RETURN_NONE;
  PyErr_Format(PyExc_ValueError, "result %zd cannot be set (%s)", i, buddy_code_name(code));
  return NULL;
}

/* ---- Expanding ---- */
/* One node over arguments that are written as text would be ambiguous, so they come as tuples:
 * (name, kind, value), with kinds "value", "values", "int", "ints", "float", "bool", "dtype",
 * "string". */
enum { MAX_NODE_ARGS = 64, MAX_NODE_NUMBERS = 1024 };
typedef struct node_args {
  buddy_named_arg items[MAX_NODE_ARGS];
  size_t n;
  int64_t numbers[MAX_NODE_NUMBERS];
  const buddy_value *values[MAX_NODE_NUMBERS];
  size_t n_numbers, n_values;
} node_args;

static int read_list(bp_call *self, node_args *args, PyObject *list, int are_values,
                     buddy_arg *out) {
  const Py_ssize_t n = PySequence_Size(list);
  if (n < 0) return 0;
  size_t *used = are_values ? &args->n_values : &args->n_numbers;
  if ((size_t)n > MAX_NODE_NUMBERS - *used) {
    PyErr_SetString(PyExc_ValueError, "more numbers than a node may have");
    return 0;
  }
  out->n = (size_t)n;
  out->as.ints = args->numbers + *used;
  if (are_values) out->as.tensors = args->values + *used;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *item = PySequence_GetItem(list, i);
    if (are_values) {
      args->values[*used + (size_t)i] = item ? read_handle(self, item, GRAPH_VALUE) : NULL;
    } else {
      args->numbers[*used + (size_t)i] = item ? PyLong_AsLongLong(item) : 0;
    }
    Py_XDECREF(item);
    if (PyErr_Occurred()) return 0;
  }
  *used += (size_t)n;
  return 1;
}

static int read_node_arg(bp_call *self, node_args *args, const char *kind, PyObject *value,
                         buddy_arg *out) {
  if (!strcmp(kind, "value")) {
    out->kind = BUDDY_ARG_TENSOR;
    out->as.tensor = read_handle(self, value, GRAPH_VALUE);
  } else if (!strcmp(kind, "values") || !strcmp(kind, "ints")) {
    out->kind = *kind == 'v' ? BUDDY_ARG_TENSORS : BUDDY_ARG_INTS;
    return read_list(self, args, value, *kind == 'v', out);
  } else if (!strcmp(kind, "int") || !strcmp(kind, "bool")) {
    out->kind = *kind == 'i' ? BUDDY_ARG_INT : BUDDY_ARG_BOOL;
    out->as.i = PyLong_AsLongLong(value);
  } else if (!strcmp(kind, "float")) {
    out->kind = BUDDY_ARG_FLOAT;
    out->as.f = PyFloat_AsDouble(value);
  } else if (!strcmp(kind, "dtype") || !strcmp(kind, "string")) {
    Py_ssize_t size = 0;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);
    if (text && *kind == 'd') {
      out->kind = BUDDY_ARG_DTYPE;
      out->as.i = buddy_dtype_find((buddy_sv){text, (size_t)size});
    } else {
      out->kind = BUDDY_ARG_STRING;
      out->n = (size_t)size;
      out->as.string = text;
    }
  } else {
    PyErr_Format(PyExc_TypeError, "'%.40s' is no kind of argument", kind);
  }
  return !PyErr_Occurred();
}

static int read_node_args(bp_call *self, PyObject *list, node_args *args) {
  const Py_ssize_t n = PyList_Size(list);
  if (n > MAX_NODE_ARGS) {
    PyErr_SetString(PyExc_ValueError, "more arguments than a node may have");
    return 0;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    const char *name, *kind;
    PyObject *value;
    PyObject *item = PyList_GetItem(list, i);
    if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "ssO", &name, &kind, &value)) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "arguments are tuples");
      return 0;
    }
    buddy_named_arg *arg = &args->items[args->n++];
    arg->name = name;
    if (!read_node_arg(self, args, kind, value, &arg->arg)) return 0;
  }
  return 1;
}

/* types: a list of (dtype text, dims), or None for inference. */
enum { MAX_RESULTS = 64 };
static int read_types(PyObject *list, buddy_tensor_type *types, int64_t *dims, size_t *out_n) {
  const Py_ssize_t n = PyList_Size(list);
  if (n > MAX_RESULTS) {
    PyErr_SetString(PyExc_ValueError, "more results than a node may have");
    return 0;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    const char *dtype;
    Py_ssize_t size;
    PyObject *sizes;
    PyObject *item = PyList_GetItem(list, i);
    if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "s#O", &dtype, &size, &sizes)) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "types are tuples");
      return 0;
    }
    const Py_ssize_t rank = PySequence_Size(sizes);
    if (rank < 0 || rank > BP_MAX_RANK) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a tensor of more than 64 dims");
      return 0;
    }
    int64_t *own = dims + i * BP_MAX_RANK;
    for (Py_ssize_t d = 0; d < rank; ++d) {
      PyObject *dim = PySequence_GetItem(sizes, d);
      own[d] = dim ? PyLong_AsLongLong(dim) : 0;
      Py_XDECREF(dim);
      if (PyErr_Occurred()) return 0;
    }
    types[i] =
        (buddy_tensor_type){buddy_dtype_find((buddy_sv){dtype, (size_t)size}), (uint32_t)rank, own};
  }
  *out_n = (size_t)n;
  return 1;
}

/* Room for all that one node is described by. */
typedef struct node_room {
  node_args args;
  buddy_tensor_type types[MAX_RESULTS];
  int64_t dims[MAX_RESULTS * BP_MAX_RANK];
  const buddy_value *results[MAX_RESULTS];
} node_room;

static PyObject *add_node(bp_call *self, const char *op, node_room *room,
                          const buddy_tensor_type *types, size_t n_types, size_t n_results) {
  const buddy_code code = self->host->node(self->call, op, room->args.items, room->args.n, types,
                                           n_types, room->results);
  if (code != BUDDY_OK) {
    PyErr_Format(PyExc_ValueError, "the graph takes no node %.200s of these arguments (%s)", op,
                 buddy_code_name(code));
    return NULL;
  }
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < n_results; ++i) {
    if (!bp_list_add(list, graph_value(self, room->results[i]))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *node(PyObject *object, PyObject *args) {
  bp_call *self = live(object);
  const char *op;
  PyObject *list, *types;
  if (!self || !PyArg_ParseTuple(args, "sO!O", &op, &PyList_Type, &list, &types)) return NULL;
  if (!self->row->expand) {
    PyErr_SetString(PyExc_RuntimeError, "only an expansion adds nodes");
    return NULL;
  }
  node_room *room = bd_calloc(1, sizeof *room);
  if (!room) return PyErr_NoMemory();
  PyObject *results = NULL;
  size_t n_types = 0;
  if (read_node_args(self, list, &room->args) &&
      (types == Py_None || read_types(types, room->types, room->dims, &n_types))) {
    const int is_inferred = types == Py_None;
    results = add_node(self, op, room, is_inferred ? NULL : room->types, n_types,
                       is_inferred ? 1 : n_types);
  }
  free(room);
  return results;
}

static PyObject *replace(PyObject *object, PyObject *args) {
  bp_call *self = live(object);
  Py_ssize_t i;
  PyObject *value;
  if (!self || !PyArg_ParseTuple(args, "nO", &i, &value)) return NULL;
  const void *ptr = read_handle(self, value, GRAPH_VALUE);
  if (!ptr) return NULL;
  const buddy_code code = self->host->replace(self->call, (size_t)i, ptr);
  if (code == BUDDY_OK) Py_RETURN_NONE;
  PyErr_Format(PyExc_ValueError, "result %zd cannot be replaced (%s)", i, buddy_code_name(code));
  return NULL;
}

static PyMethodDef methods[] = {
    {"op_name", get_name, METH_NOARGS, "\"aten.add.Tensor\""},
    {"n_args", get_n_args, METH_NOARGS, "The number of arguments that the row lists."},
    {"arg", get_arg, METH_O, "An argument; reading it marks it as consumed."},
    {"results", get_results, METH_NOARGS, "(dtype, dims) of each result."},
    {"dim", fold_dims, METH_VARARGS, "dim(op, a, b): arithmetic on dims."},
    {"ir_value", ir_value, METH_O, "The IR value that stands for a value of the graph."},
    {"ir_type", ir_type, METH_O, "Parses a type."},
    {"ir_attr", ir_attr, METH_O, "Parses an attribute."},
    {"ir_dim", ir_dim, METH_O, "A dim as a value of type index."},
    {"ir_op", ir_op, METH_VARARGS, "ir_op(name, operands, types, attributes) -> values"},
    {"set_result", set_result, METH_VARARGS, "set_result(i, value)"},
    {"node", node, METH_VARARGS, "node(op, arguments, types or None) -> values of the graph"},
    {"replace", replace, METH_VARARGS, "replace(i, value of the graph)"},
    {NULL, NULL, 0, NULL}};
static PyType_Slot call_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"One question of the host about one node."},
    {Py_tp_dealloc, (void *)(uintptr_t)drop_call},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec call_spec = {"buddy._buddy.Call", sizeof(bp_call), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, call_slots};
static PyType_Slot handle_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"A value, type or attribute within one call."},
    {Py_tp_dealloc, (void *)(uintptr_t)drop_handle},
    {0, NULL}};
static PyType_Spec handle_spec = {"buddy._buddy.Handle", sizeof(bp_handle), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  handle_slots};

int bp_call_init(PyObject *module) {
  if (bp_add_type(module, "Handle", &handle_spec, &handle_type) < 0) return -1;
  return bp_add_type(module, "Call", &call_spec, &call_type);
}
