// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/library.c: Library: the description that a model compiled ahead of time carries
 * in its shared library (sdk/runtime/artifact.h), read where it lies, and the sizes of one call of
 * its typed function. The call itself is Python's: C cannot call a function of as many parameters
 * as a description says. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/python/native/objects.h"
#include "sdk/runtime/library.h"

typedef struct bp_library {
  PyObject_HEAD void *handle;
  const bd_artifact *artifact;
} bp_library;

static PyTypeObject *bp_library_type;

static void dealloc(PyObject *object) {
  bp_library *self = (bp_library *)object;
  PyTypeObject *type = Py_TYPE(object);
  if (self->handle) dlclose(self->handle);
  PyObject_Free(object);
  Py_DECREF(type);
}

/* ---- Opening ---- */
static buddy_code open_library(bp_library *self, const char *path, const char *program,
                               buddy_diags *diags) {
  BD_TRY(bd_library_judge(path, diags));
  self->handle = bd_library_load(path);
  if (!self->handle) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, path, NULL, "cannot be loaded: %s",
                           dlerror());
  }
  BD_TRY(bd_library_find(self->handle, path, program, diags, &self->artifact));
  if (self->artifact->format == BD_ARTIFACT_FORMAT) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, path, "compile it again",
                         "the library is of format %u; this buddy reads format %u",
                         (unsigned)self->artifact->format, (unsigned)BD_ARTIFACT_FORMAT);
}

PyObject *bp_open_library(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *path;
  const char *program;
  if (!PyArg_ParseTuple(args, "O&z", PyUnicode_FSConverter, &path, &program)) return NULL;
  bp_library *self = PyObject_New(bp_library, bp_library_type);
  buddy_diags *diags = NULL;
  if (self) {
    self->handle = NULL;
    self->artifact = NULL;
    diags = bp_diags();
  }
  const int is_open =
      diags && bp_settle(open_library(self, PyBytes_AsString(path), program, diags), diags);
  Py_DECREF(path);
  if (is_open) return (PyObject *)self;
  BP_DROP(self);
  return NULL;
}

/* ---- What it is ---- */
static PyObject *get_name(PyObject *object, PyObject *unused) {
  (void)unused;
  return PyUnicode_FromString(((bp_library *)object)->artifact->name);
}

static PyObject *get_path(PyObject *object, PyObject *unused) {
  (void)unused;
  struct link_map *map = NULL;
  dlinfo(((bp_library *)object)->handle, RTLD_DI_LINKMAP, &map);
  return PyUnicode_DecodeFSDefault(map ? map->l_name : "");
}

static PyObject *has_own_runtime(PyObject *object, PyObject *unused) {
  (void)unused;
  return PyBool_FromLong(((bp_library *)object)->artifact->allocate != _mlir_memref_to_llvm_alloc);
}

static PyObject *get_inputs(PyObject *object, PyObject *unused) {
  (void)unused;
  const bd_signature *signature = ((bp_library *)object)->artifact->signature;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < signature->n_inputs; ++i) {
    const buddy_port *port = &signature->inputs[i].port;
    if (port->kind == BUDDY_INPUT_USER && !bp_list_add(list, bp_port(port))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *get_outputs(PyObject *object, PyObject *unused) {
  (void)unused;
  const bd_signature *signature = ((bp_library *)object)->artifact->signature;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < signature->n_outputs; ++i) {
    const buddy_port *port = &signature->outputs[i].port;
    if (port->kind == BUDDY_OUTPUT_USER && !bp_list_add(list, bp_port(port))) Py_CLEAR(list);
  }
  return list;
}

static PyObject *get_written(PyObject *object, PyObject *unused) {
  (void)unused;
  const bd_signature *signature = ((bp_library *)object)->artifact->signature;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < signature->n_outputs; ++i) {
    const buddy_port *port = &signature->outputs[i].port;
    if (port->kind == BUDDY_OUTPUT_INPUT_MUTATION && port->target &&
        !bp_list_add(list, PyUnicode_FromString(port->target)))
      Py_CLEAR(list);
  }
  return list;
}

/* ---- One call ---- */
/* What the checks of a program want to know of all its inputs: the user's as given, the others as
 * the signature has them. */
static int describe_inputs(const bd_signature *signature, PyObject *list, buddy_tensor *inputs,
                           int64_t *numbers) {
  static char somewhere;
  Py_ssize_t k = 0;
  for (size_t i = 0; i < signature->n_inputs; ++i) {
    const buddy_port *port = &signature->inputs[i].port;
    int64_t *own = numbers + i * 2 * BP_MAX_RANK;
    if (port->kind == BUDDY_INPUT_USER) {
      PyObject *item = k < PyList_Size(list) ? PyList_GetItem(list, k++) : NULL;
      if (!item) PyErr_SetString(PyExc_ValueError, "the model takes more inputs");
      if (!item || !bp_tensor_read(item, own, &inputs[i])) return 0;
      continue;
    }
    memcpy(own, port->dims, port->rank * sizeof *own);
    inputs[i] = (buddy_tensor){.dtype = port->dtype,
                               .rank = port->rank,
                               .sizes = own,
                               .strides = own,
                               .bytes = &somewhere};
  }
  if (k == PyList_Size(list)) return 1;
  PyErr_SetString(PyExc_ValueError, "the model takes fewer inputs");
  return 0;
}

/* The values of the symbols that the user's inputs tell: parameters of the typed function. */
static PyObject *told_symbols(const bd_signature *signature, const int64_t *symbols) {
  PyObject *list = PyList_New(0);
  char *is_told = bd_calloc(signature->n_symbols + 1, 1);
  if (!is_told) Py_CLEAR(list);
  for (size_t i = 0; list && i < signature->n_inputs; ++i) {
    const bd_input *input = &signature->inputs[i];
    if (input->port.kind != BUDDY_INPUT_USER) continue;
    for (uint32_t d = 0; d < input->port.rank; ++d) {
      const bd_size *size = &input->sizes[d];
      for (size_t s = 0; s < size->n_steps; ++s) {
        if (size->steps[s].kind == BUDDY_DIM_KIND_SYMBOL) is_told[size->steps[s].operand] = 1;
      }
    }
  }
  for (size_t s = 0; list && s < signature->n_symbols; ++s) {
    if (is_told[s] && !bp_list_add(list, PyLong_FromLongLong(symbols[s]))) Py_CLEAR(list);
  }
  free(is_told);
  return list;
}

/* The sizes of an output that the caller allocates. */
static PyObject *sizes_of(const bd_output *output, const int64_t *symbols) {
  PyObject *list = PyList_New(0);
  for (uint32_t d = 0; list && d < output->port.rank; ++d) {
    int64_t size = output->sizes[d].number;
    if (size < 0 && bd_size_eval(&output->sizes[d], symbols, &size) != BUDDY_OK) {
      PyErr_Format(PyExc_ValueError, "%s: the size %s has no value for these inputs",
                   output->port.name, output->sizes[d].text);
      Py_CLEAR(list);
    } else if (size < 0) {
      PyErr_Format(PyExc_ValueError, "%s: the size %s is %lld for these inputs", output->port.name,
                   output->sizes[d].text, (long long)size);
      Py_CLEAR(list);
    } else if (!bp_list_add(list, PyLong_FromLongLong(size))) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *passed_outputs(const bd_artifact *artifact, const int64_t *symbols) {
  const bd_signature *signature = artifact->signature;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < signature->n_outputs; ++i) {
    if (signature->outputs[i].port.kind != BUDDY_OUTPUT_USER) continue;
    PyObject *item = NULL;
    if (artifact->passing[i] == BD_PASSING_NONE) {
      item = Py_BuildValue("");
    } else if (artifact->passing[i] == BD_PASSING_ALLOCATED) {
      item = PyBool_FromLong(1);
    } else {
      item = sizes_of(&signature->outputs[i], symbols);
    }
    if (!bp_list_add(list, item)) Py_CLEAR(list);
  }
  return list;
}

static PyObject *prepare_on(const bp_library *self, PyObject *list, buddy_tensor *inputs,
                            int64_t *numbers, int64_t *symbols) {
  const bd_signature *signature = self->artifact->signature;
  if (!describe_inputs(signature, list, inputs, numbers)) return NULL;
  buddy_diags *diags = bp_diags();
  if (!diags) return NULL;
  const buddy_code code = bd_inputs_check(signature, inputs, signature->n_inputs, diags, symbols);
  if (!bp_settle(code, diags)) return NULL;
  PyObject *told = told_symbols(signature, symbols);
  PyObject *outputs = told ? passed_outputs(self->artifact, symbols) : NULL;
  if (outputs) return Py_BuildValue("(NN)", told, outputs);
  Py_XDECREF(told);
  return NULL;
}

static PyObject *prepare(PyObject *object, PyObject *list) {
  const bp_library *self = (bp_library *)object;
  const bd_signature *signature = self->artifact->signature;
  if (!PyList_Check(list)) {
    PyErr_SetString(PyExc_TypeError, "inputs are a list");
    return NULL;
  }
  buddy_tensor *inputs = bd_calloc(signature->n_inputs + 1, sizeof *inputs);
  int64_t *numbers = bd_calloc(signature->n_inputs + 1, 2 * BP_MAX_RANK * sizeof *numbers);
  int64_t *symbols = bd_calloc(signature->n_symbols + 1, sizeof *symbols);
  PyObject *result = NULL;
  if (inputs && numbers && symbols) {
    result = prepare_on(self, list, inputs, numbers, symbols);
  } else {
    PyErr_NoMemory();
  }
  free(inputs);
  free(numbers);
  free(symbols);
  return result;
}

static PyMethodDef methods[] = {
    {"name", get_name, METH_NOARGS, "What its functions are named after."},
    {"path", get_path, METH_NOARGS, "As the dynamic linker was told it: one spelling a file."},
    {"has_own_runtime", has_own_runtime, METH_NOARGS,
     "Whether only its own functions can run it; else load_model can."},
    {"inputs", get_inputs, METH_NOARGS, "As of a Program: the user's."},
    {"outputs", get_outputs, METH_NOARGS, "As of a Program: the user's."},
    {"written", get_written, METH_NOARGS, "The names of the user's inputs that a run writes."},
    {"prepare", prepare, METH_O,
     "prepare(inputs) -> (symbols, outputs)\n\n"
     "Checks the inputs, given as to Program.run. symbols: arguments of the typed function.\n"
     "outputs: for each the sizes that the caller allocates, True for one that the function\n"
     "allocates, None for one that is None."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"The description in a library of `buddy compile`."},
    {Py_tp_dealloc, (void *)(uintptr_t)dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"buddy._buddy.Library", sizeof(bp_library), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, type_slots};

int bp_library_init(PyObject *module) {
  return bp_add_type(module, "Library", &spec, &bp_library_type);
}
