// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/lowered.c: Module: a verified MLIR module: text, bytecode, compilation. */
#include <string.h>

#include "sdk/python/native/objects.h"

PyTypeObject *bp_module_type;

PyObject *bp_module_new(buddy_module *module, bp_graph *graph, bp_registries *registries) {
  bp_module *self = PyObject_New(bp_module, bp_module_type);
  if (!self) {
    buddy_module_destroy(module);
    return NULL;
  }
  self->module = module;
  self->graph = graph;
  BP_KEEP(graph);
  self->registries = registries;
  BP_KEEP(registries);
  bp_lock_init(&self->lock);
  return (PyObject *)self;
}

static void dealloc(PyObject *object) {
  bp_module *self = (bp_module *)object;
  PyTypeObject *type = Py_TYPE(object);
  buddy_module_destroy(self->module);
  pthread_mutex_destroy(&self->lock);
  BP_DROP(self->graph);
  BP_DROP(self->registries);
  PyObject_Free(object);
  Py_DECREF(type);
}

PyObject *bp_parse_module(PyObject *unused, PyObject *args) {
  (void)unused;
  const char *text;
  Py_ssize_t size;
  PyObject *registries = Py_None;
  if (!PyArg_ParseTuple(args, "s#|O", &text, &size, &registries)) return NULL;
  if (registries != Py_None && !PyObject_TypeCheck(registries, bp_registries_type)) {
    PyErr_SetString(PyExc_TypeError, "registries is a Registries or None");
    return NULL;
  }
  buddy_diags *diags = bp_diags();
  if (!diags) return NULL;
  buddy_module *module = NULL;
  buddy_code code;
  Py_BEGIN_ALLOW_THREADS;
  code = buddy_module_parse((buddy_sv){text, (size_t)size}, diags, &module);
  Py_END_ALLOW_THREADS;
  if (!bp_settle(code, diags)) {
    buddy_module_destroy(module);
    return NULL;
  }
  return bp_module_new(module, NULL, registries == Py_None ? NULL : (bp_registries *)registries);
}

static int is_there(const bp_module *self) {
  if (!self->module) PyErr_SetString(PyExc_RuntimeError, "the module has been compiled");
  return self->module != NULL;
}

static PyObject *print(PyObject *object, PyObject *args) {
  bp_module *self = (bp_module *)object;
  const char *form = "mlir";
  int locations = 0;
  if (!PyArg_ParseTuple(args, "|sp", &form, &locations)) return NULL;
  const int is_bytecode = !strcmp(form, "bytecode");
  const buddy_format format = is_bytecode                ? BUDDY_FORMAT_BYTECODE
                              : !strcmp(form, "generic") ? BUDDY_FORMAT_GENERIC
                                                         : BUDDY_FORMAT_MLIR;
  if (format == BUDDY_FORMAT_MLIR && strcmp(form, "mlir")) {
    PyErr_SetString(PyExc_ValueError, "the form is 'mlir', 'generic' or 'bytecode'");
    return NULL;
  }
  bp_text text = {0};
  const buddy_writer writer = bp_text_writer(&text);
  buddy_code code = BUDDY_OK;
  bp_lock(&self->lock);
  const int is_printed = is_there(self);
  if (is_printed) {
    Py_BEGIN_ALLOW_THREADS;
    code = buddy_module_print(self->module, format, locations, &writer);
    Py_END_ALLOW_THREADS;
  }
  pthread_mutex_unlock(&self->lock);
  return is_printed ? bp_text_finish(&text, code, is_bytecode) : NULL;
}

/* ---- Compilation ---- */

static PyObject *compile_taken(bp_module *self, buddy_module *module,
                               const buddy_compile_options *options, bp_progress *told) {
  buddy_diags *diags = bp_diags();
  if (!diags) {
    buddy_module_destroy(module);
    return NULL;
  }
  const buddy_registries *registries = self->registries ? self->registries->registries : NULL;
  buddy_program *program = NULL;
  buddy_code code;
  Py_BEGIN_ALLOW_THREADS;
  code = buddy_compile(module, registries, options, diags, &program);
  Py_END_ALLOW_THREADS;
  bp_progress_end(told);
  if (!bp_settle(code, diags)) {
    buddy_program_destroy(program);
    return NULL;
  }
  return bp_program_new(program, self->graph, self->registries);
}

static PyObject *compile(PyObject *object, PyObject *args) {
  bp_module *self = (bp_module *)object;
  int opt_level = -1, profile = 0;
  const char *pipeline = NULL;
  PyObject *progress = Py_None;
  if (!PyArg_ParseTuple(args, "|izOp", &opt_level, &pipeline, &progress, &profile)) return NULL;
  bp_progress told = {.function = progress};
  const buddy_compile_options options = {.struct_size = sizeof options,
                                         .opt_level = opt_level ? opt_level : BUDDY_OPT_NONE,
                                         .pipeline = pipeline,
                                         .profile = profile,
                                         .progress = progress == Py_None ? NULL : bp_tell_progress,
                                         .user = &told};
  bp_lock(&self->lock);
  const int is_taken = is_there(self);
  buddy_module *module = self->module;
  self->module = NULL;
  pthread_mutex_unlock(&self->lock);
  return is_taken ? compile_taken(self, module, &options, &told) : NULL;
}

static PyMethodDef methods[] = {
    {"print", print, METH_VARARGS,
     "print(form='mlir', locations=False) -> str, or bytes for 'bytecode'; 'generic' is the "
     "third."},
    {"compile", compile, METH_VARARGS,
     "compile(opt_level=-1, pipeline=None, progress=None, profile=False) -> Program\n\n"
     "Uses the module up. progress(stage, fraction) is called as it goes on. profile: it measures "
     "its steps."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {{Py_tp_doc, (void *)(uintptr_t)"A verified MLIR module."},
                                   {Py_tp_dealloc, (void *)(uintptr_t)dealloc},
                                   {Py_tp_methods, methods},
                                   {0, NULL}};
static PyType_Spec spec = {"buddy._buddy.Module", sizeof(bp_module), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, type_slots};

int bp_module_init(PyObject *module) {
  return bp_add_type(module, "Module", &spec, &bp_module_type);
}
