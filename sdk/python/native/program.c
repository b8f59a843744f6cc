// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/program.c: Program: compiled code, and its runs.
 *
 * Either a program, whose parameters are inputs like the user's, or a model, which has them
 * bound. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/python/native/objects.h"
#include "sdk/runtime/model.h"

typedef struct bp_program {
  PyObject_HEAD bp_graph *graph;
  bp_registries *registries; /* whose functions the code calls */
  buddy_program *program;    /* null: a model */
  buddy_model *model;
} bp_program;

PyTypeObject *bp_program_type;

static bp_program *create(void) {
  bp_program *self = PyObject_New(bp_program, bp_program_type);
  if (!self) return NULL;
  self->graph = NULL;
  self->registries = NULL;
  self->program = NULL;
  self->model = NULL;
  return self;
}

PyObject *bp_program_new(buddy_program *program, bp_graph *graph, bp_registries *registries) {
  bp_program *self = create();
  if (!self) {
    buddy_program_destroy(program);
    return NULL;
  }
  self->program = program;
  self->graph = graph;
  BP_KEEP(graph);
  self->registries = registries;
  BP_KEEP(registries);
  return (PyObject *)self;
}

static void dealloc(PyObject *object) {
  bp_program *self = (bp_program *)object;
  PyTypeObject *type = Py_TYPE(object);
  buddy_program_destroy(self->program);
  buddy_model_destroy(self->model);
  BP_DROP(self->graph);
  BP_DROP(self->registries);
  PyObject_Free(object);
  Py_DECREF(type);
}

/* ---- The signature ---- */
PyObject *bp_port(const buddy_port *port) {
  PyObject *dims = PyTuple_New((Py_ssize_t)port->rank);
  for (uint32_t d = 0; dims && d < port->rank; ++d) {
    PyObject *dim = PyLong_FromLongLong(port->dims[d]);
    if (!dim || PyTuple_SetItem(dims, (Py_ssize_t)d, dim) < 0) Py_CLEAR(dims);
  }
  return dims ? Py_BuildValue("(ssisN)", port->name, port->target, port->kind,
                              buddy_dtype_name(port->dtype), dims)
              : NULL;
}

static size_t count(const bp_program *self, int is_input) {
  if (self->model) {
    return is_input ? buddy_model_n_inputs(self->model) : buddy_model_n_outputs(self->model);
  }
  return is_input ? buddy_program_n_inputs(self->program) : buddy_program_n_outputs(self->program);
}

static const buddy_port *port(const bp_program *self, int is_input, size_t i) {
  if (self->model) {
    return is_input ? buddy_model_input(self->model, i) : buddy_model_output(self->model, i);
  }
  return is_input ? buddy_program_input(self->program, i) : buddy_program_output(self->program, i);
}

static PyObject *ports(const bp_program *self, int is_input) {
  const size_t n = count(self, is_input);
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    PyObject *item = bp_port(port(self, is_input, i));
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *get_inputs(PyObject *object, PyObject *unused) {
  (void)unused;
  return ports((bp_program *)object, 1);
}

static PyObject *get_outputs(PyObject *object, PyObject *unused) {
  (void)unused;
  return ports((bp_program *)object, 0);
}

/* A model's runs write there themselves; what a program gives for them is Python's to deliver. */
static PyObject *get_written(PyObject *object, PyObject *unused) {
  (void)unused;
  const buddy_model *model = ((bp_program *)object)->model;
  const size_t n = model ? buddy_model_n_inputs(model) : 0;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < n; ++i) {
    if (bd_model_writes(model, i) &&
        !bp_list_add(list, PyUnicode_FromString(buddy_model_input(model, i)->name)))
      Py_CLEAR(list);
  }
  return list;
}

/* ---- Runs ---- */
static PyObject *run_read(const bp_program *self, const bp_tensors *inputs, bp_tensors *outputs) {
  char *is_given = bd_calloc(outputs->n + 1, 1);
  buddy_diags *diags = is_given ? bp_diags() : NULL;
  PyObject *results = NULL;
  if (diags) {
    for (size_t i = 0; i < outputs->n; ++i) is_given[i] = outputs->items[i].bytes != NULL;
    buddy_code code;
    Py_BEGIN_ALLOW_THREADS;
    code = self->model ? buddy_model_run(self->model, inputs->items, inputs->n, outputs->items,
                                         outputs->n, diags)
                       : buddy_program_run(self->program, inputs->items, inputs->n, outputs->items,
                                           outputs->n, diags);
    Py_END_ALLOW_THREADS;
    if (bp_settle(code, diags)) {
      results = bp_tensors_results(outputs, is_given);
    } else if (code == BUDDY_OK) {
      for (size_t i = 0; i < outputs->n; ++i) {
        if (!is_given[i]) buddy_tensor_release(&outputs->items[i]);
      }
    }
  } else if (!is_given) {
    PyErr_NoMemory();
  }
  free(is_given);
  return results;
}

static PyObject *run(PyObject *object, PyObject *args) {
  const bp_program *self = (bp_program *)object;
  PyObject *list, *given = NULL;
  if (!PyArg_ParseTuple(args, "O!|O!", &PyList_Type, &list, &PyList_Type, &given)) return NULL;
  const size_t n_outputs = count(self, 0);
  if (given && (size_t)PyList_Size(given) != n_outputs) {
    PyErr_SetString(PyExc_ValueError, "the list of given outputs has another length");
    return NULL;
  }
  bp_tensors inputs = {0}, outputs = {0};
  PyObject *results = NULL;
  if (bp_tensors_alloc((size_t)PyList_Size(list), &inputs) &&
      bp_tensors_alloc(n_outputs, &outputs) && bp_tensors_read(list, &inputs) &&
      (!given || bp_tensors_read(given, &outputs))) {
    results = run_read(self, &inputs, &outputs);
  }
  bp_tensors_free(&inputs);
  bp_tensors_free(&outputs);
  return results;
}

/* ---- Settings of the runs to come ---- */
static PyObject *set_threads(PyObject *object, PyObject *number) {
  const bp_program *self = (bp_program *)object;
  const long n = PyLong_AsLong(number);
  if (n == -1 && PyErr_Occurred()) return NULL;
  if (n < 0 || n > INT_MAX) {
    PyErr_Format(PyExc_ValueError, "threads: a number from 0 on is needed, not %ld", n);
    return NULL;
  }
  if (self->model) {
    buddy_model_set_threads(self->model, (int)n);
  } else {
    buddy_program_set_threads(self->program, (int)n);
  }
  Py_RETURN_NONE;
}

static PyObject *set_time_limit(PyObject *object, PyObject *milliseconds) {
  const bp_program *self = (bp_program *)object;
  const unsigned long long n = PyLong_AsUnsignedLongLong(milliseconds);
  if (n == (unsigned long long)-1 && PyErr_Occurred()) return NULL;
  if (self->model) {
    buddy_model_set_time_limit(self->model, n);
  } else {
    buddy_program_set_time_limit(self->program, n);
  }
  Py_RETURN_NONE;
}

static PyObject *get_threads(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_program *self = (bp_program *)object;
  return PyLong_FromLong(
      buddy_program_threads(self->model ? buddy_model_program(self->model) : self->program));
}

static PyObject *set_seed(PyObject *object, PyObject *number) {
  const bp_program *self = (bp_program *)object;
  const uint64_t seed = PyLong_AsUnsignedLongLongMask(number);
  if (seed == UINT64_MAX && PyErr_Occurred()) return NULL;
  if (self->model) {
    buddy_model_seed(self->model, seed);
  } else {
    buddy_program_seed(self->program, seed);
  }
  Py_RETURN_NONE;
}

/* ---- What it has measured ---- */
/* Texts come from archives, and are cut where they are long. */
static PyObject *text_of(const char *text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *get_steps(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_program *self = (bp_program *)object;
  const buddy_program *program = self->model ? buddy_model_program(self->model) : self->program;
  const size_t n = buddy_program_n_steps(program);
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    const buddy_step *step = buddy_program_step(program, i);
    PyObject *item =
        Py_BuildValue("(NNNNdK)", text_of(step->nodes), text_of(step->module), text_of(step->where),
                      text_of(step->kernel), step->seconds, (unsigned long long)step->n_bytes);
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *get_kept_bytes(PyObject *object, PyObject *unused) {
  (void)unused;
  const bp_program *self = (bp_program *)object;
  return PyLong_FromUnsignedLongLong(
      buddy_program_kept_bytes(self->model ? buddy_model_program(self->model) : self->program));
}

/* ---- Models ---- */
PyObject *bp_load_model(PyObject *module, PyObject *args, PyObject *keywords) {
  static char path_name[] = "path", order_name[] = "order", level_name[] = "opt_level",
              cache_name[] = "use_cache", progress_name[] = "progress", program_name[] = "program",
              parallel_name[] = "tensor_parallel", rank_name[] = "rank", plan_name[] = "plan",
              weights_name[] = "weights", weight_names_name[] = "weight_names",
              pairs_name[] = "pairs_in_place", sizes_name[] = "sizes";
  static char *names[] = {path_name,         order_name,    level_name, cache_name, progress_name,
                          program_name,      parallel_name, rank_name,  plan_name,  weights_name,
                          weight_names_name, pairs_name,    sizes_name, NULL};
  (void)module;
  PyObject *path;
  const char *order = NULL, *program = NULL, *plan = NULL, *weights = NULL, *weight_names = NULL,
             *sizes = NULL;
  PyObject *progress = Py_None;
  Py_ssize_t n_ranks = 0, rank = 0;
  int opt_level = -1, use_cache = 1, pairs_in_place = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|zipOznnzzzpz", names, PyUnicode_FSConverter,
                                   &path, &order, &opt_level, &use_cache, &progress, &program,
                                   &n_ranks, &rank, &plan, &weights, &weight_names, &pairs_in_place,
                                   &sizes))
    return NULL;
  bp_program *self = create();
  buddy_diags *diags = self ? bp_diags() : NULL;
  if (diags) {
    const buddy_registries_options which = {.struct_size = sizeof which, .order = order};
    bp_progress told = {.function = progress};
    const buddy_compile_options how = {.struct_size = sizeof how,
                                       .opt_level = opt_level ? opt_level : BUDDY_OPT_NONE,
                                       .progress = progress == Py_None ? NULL : bp_tell_progress,
                                       .user = &told};
    const buddy_model_options options = {.struct_size = sizeof options,
                                         .registries = &which,
                                         .compile = &how,
                                         .use_cache = use_cache,
                                         .program = program,
                                         .tensor_parallel = (size_t)n_ranks,
                                         .tensor_parallel_rank = (size_t)rank,
                                         .tensor_parallel_plan = plan,
                                         .weights = weights,
                                         .weight_names = weight_names,
                                         .pairs_in_place = (size_t)pairs_in_place,
                                         .sizes = sizes};
    const char *name = PyBytes_AsString(path);
    buddy_code code;
    Py_BEGIN_ALLOW_THREADS;
    code = buddy_model_load(name, &options, diags, &self->model);
    Py_END_ALLOW_THREADS;
    bp_progress_end(&told);
    if (!bp_settle(code, diags)) {
      BP_DROP(self);
      self = NULL;
    }
  } else {
    BP_DROP(self);
    self = NULL;
  }
  Py_DECREF(path);
  return (PyObject *)self;
}

buddy_model **bp_read_models(PyObject *list, size_t *out_n) {
  const size_t n = PyList_Check(list) ? (size_t)PyList_Size(list) : 0;
  buddy_model **models = bd_calloc(n + 1, sizeof(buddy_model *));
  if (!models) PyErr_NoMemory();
  for (size_t i = 0; models && i < n; ++i) {
    PyObject *item = PyList_GetItem(list, (Py_ssize_t)i);
    if (PyObject_TypeCheck(item, bp_program_type)) models[i] = ((bp_program *)item)->model;
    if (models[i]) continue;
    PyErr_SetString(PyExc_TypeError, "a list of programs of load_model is needed");
    free(models);
    models = NULL;
  }
  *out_n = n;
  return models;
}

PyObject *bp_share_models(PyObject *module, PyObject *list) {
  (void)module;
  size_t n;
  buddy_model **models = bp_read_models(list, &n);
  buddy_diags *diags = models ? bp_diags() : NULL;
  int is_done = 0;
  if (diags) {
    buddy_code code;
    Py_BEGIN_ALLOW_THREADS;
    code = buddy_model_share(models, n, diags);
    Py_END_ALLOW_THREADS;
    is_done = bp_settle(code, diags);
  }
  free(models);
  if (!is_done) return NULL;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"inputs", get_inputs, METH_NOARGS, "(name, target, kind, dtype, dims) of each; -1: dynamic."},
    {"outputs", get_outputs, METH_NOARGS, "The same of the outputs."},
    {"written", get_written, METH_NOARGS, "The names of inputs that a run writes where they lie."},
    {"run", run, METH_VARARGS,
     "run(inputs, outputs=None) -> list\n\n"
     "inputs: a list of (address, dtype, sizes, strides). outputs: a list of the same, or None "
     "for\n"
     "those that the program allocates; these are returned as DLPack capsules."},
    {"set_threads", set_threads, METH_O,
     "On how many threads later runs go; 0: as many as the environment says."},
    {"set_time_limit", set_time_limit, METH_O,
     "How many milliseconds later runs may go on; 0: any."},
    {"threads", get_threads, METH_NOARGS, "On how many threads runs go."},
    {"seed", set_seed, METH_O, "Starts the generator of the random ops anew."},
    {"kept_bytes", get_kept_bytes, METH_NOARGS,
     "Of what is made of weights and kept; no run may be under way."},
    {"steps", get_steps, METH_NOARGS,
     "(nodes, module, where, kernel, seconds, bytes) of each, where it measures itself."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"Compiled code. Several threads may run it at once."},
    {Py_tp_dealloc, (void *)(uintptr_t)dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"buddy._buddy.Program", sizeof(bp_program), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, type_slots};

int bp_program_init(PyObject *module) {
  return bp_add_type(module, "Program", &spec, &bp_program_type);
}
