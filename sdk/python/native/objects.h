// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/objects.h: what the parts of the extension share.
 *
 *   module.c       the module, and functions that belong to no object
 *   problems.c     diagnostics become exceptions and log records
 *   archive.c      names and files of an archive
 *   registries.c   Registries: what is loaded, in order, and its rows
 *   local.c        LocalRegistry: rows that are Python functions
 *   call.c         Call: what such a function may ask of the host
 *   graph.c        Graph: a program as it was imported, its plan
 *   walk.c         what Python sees of a graph: inputs, nodes, decisions
 *   edit.c         changes of a graph, one node at a time
 *   argument.c     what Python writes for arguments and types
 *   extract.c      some nodes of a graph as a graph of their own
 *   lowered.c      Module: text, bytecode, compilation
 *   program.c      Program: runs
 *   session.c      Session: the state of models, and steps on it
 *   library.c      Library: what a model compiled ahead of time says of itself
 *   tensors.c      tensors in by pointer, out by DLPack
 *
 * Objects hold references to what they stand on, so that the order in which Python drops them does
 * not matter. Whatever may take long runs without the GIL. An object that the C API wants to be
 * used by one thread at a time carries a lock, which is only waited for without the GIL. */
#ifndef BUDDY_SDK_PYTHON_OBJECTS_H
#define BUDDY_SDK_PYTHON_OBJECTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pthread.h>

#include "buddy/compile.h"
#include "buddy/import.h"

/* References to our own objects; null is allowed. */
#define BP_KEEP(object) Py_XINCREF((PyObject *)(object))
#define BP_DROP(object) Py_XDECREF((PyObject *)(object))

/* ---- problems.c ---- */
/* Sets the exception for a call that failed; frees diags; returns null. */
PyObject *bp_raise(buddy_code code, buddy_diags *diags);
/* Raises if code is a failure; else logs the warnings and notes. Frees diags. False: raised. */
int bp_settle(buddy_code code, buddy_diags *diags);
/* A new buddy_diags; null after setting MemoryError. */
buddy_diags *bp_diags(void);

/* ---- locks ---- */
void bp_lock_init(pthread_mutex_t *lock); /* recursive */
void bp_lock(pthread_mutex_t *lock);      /* waits without the GIL */

/* ---- registries.c ---- */
typedef struct bp_registries {
  PyObject_HEAD buddy_opset *opset;
  buddy_search *search;
  buddy_registries *registries;
  PyObject *locals; /* a tuple of LocalRegistry */
} bp_registries;
extern PyTypeObject *bp_registries_type;

/* ---- graph.c ---- */
typedef struct bp_graph {
  PyObject_HEAD bp_registries *registries;
  buddy_archive *archive;
  PyObject *keep; /* whose memory the archive's tensors are */
  buddy_graph *graph;
  buddy_plan *plan; /* null: not planned yet */
  pthread_mutex_t lock;
} bp_graph;
extern PyTypeObject *bp_graph_type;
/* Without a graph yet. keep: whose memory its data are; may be null. */
bp_graph *bp_graph_new(bp_registries *registries, PyObject *keep);
PyObject *bp_import_program(PyObject *self, PyObject *args);
PyObject *bp_open_archive(PyObject *self, PyObject *args);
PyObject *bp_graph_set_input(PyObject *self, PyObject *args);

/* ---- walk.c ---- */
PyObject *bp_graph_text(PyObject *self, PyObject *unused);
PyObject *bp_graph_inputs(PyObject *self, PyObject *unused);
PyObject *bp_graph_data(PyObject *self, PyObject *unused);
PyObject *bp_graph_outputs(PyObject *self, PyObject *unused);
PyObject *bp_graph_nodes(PyObject *self, PyObject *unused);
PyObject *bp_graph_decisions(PyObject *self, PyObject *unused);

/* ---- edit.c, extract.c ---- */
PyObject *bp_graph_add_node(PyObject *self, PyObject *args);
PyObject *bp_graph_erase_node(PyObject *self, PyObject *args);
PyObject *bp_graph_move_node(PyObject *self, PyObject *args);
PyObject *bp_graph_set_argument(PyObject *self, PyObject *args);
PyObject *bp_graph_set_output(PyObject *self, PyObject *args);
PyObject *bp_graph_verify(PyObject *self, PyObject *unused);
PyObject *bp_graph_extract(PyObject *self, PyObject *args);

/* ---- lowered.c ---- */
typedef struct bp_module {
  PyObject_HEAD bp_graph *graph; /* null: parsed */
  bp_registries *registries;     /* whose functions the code may call; may be null */
  buddy_module *module;          /* null once compiled */
  pthread_mutex_t lock;
} bp_module;
extern PyTypeObject *bp_module_type;
/* Takes the module over. */
PyObject *bp_module_new(buddy_module *module, bp_graph *graph, bp_registries *registries);
PyObject *bp_parse_module(PyObject *self, PyObject *args);
/* What is told how far a compilation is. An exception of the function, Ctrl-C among them, waits here until
 * the compilation is through: rows written in Python may run meanwhile. */
typedef struct bp_progress {
  PyObject *function;             /* lent */
  PyObject *type, *value, *trace; /* null: none was raised */
} bp_progress;
/* As buddy_compile_options.progress: calls the function of the bp_progress that is the user. */
void bp_tell_progress(void *user, const char *stage, double fraction);
/* Raises the exception that was raised meanwhile, if there is one: bp_settle gives it on. */
void bp_progress_end(bp_progress *progress);

/* ---- program.c ---- */
extern PyTypeObject *bp_program_type;
/* Takes the program over. */
PyObject *bp_program_new(buddy_program *program, bp_graph *graph, bp_registries *registries);
PyObject *bp_load_model(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *bp_share_models(PyObject *module, PyObject *list);
/* The models of a list, in memory that the caller frees; null: an exception is set. */
buddy_model **bp_read_models(PyObject *list, size_t *out_n);

/* ---- session.c ---- */
PyObject *bp_create_session(PyObject *module, PyObject *args);
PyObject *bp_step_all(PyObject *module, PyObject *list);
int bp_session_init(PyObject *module);
/* (name, target, kind, dtype, dims) */
PyObject *bp_port(const buddy_port *port);

/* ---- library.c ---- */
PyObject *bp_open_library(PyObject *self, PyObject *args);
PyObject *bp_config(PyObject *module, PyObject *args);

/* ---- files.c ---- */
PyObject *bp_write_file(PyObject *module, PyObject *args);

/* ---- archive.c ---- */
PyObject *bp_read_archive(PyObject *module, PyObject *args);

/* ---- tensors.c ---- */
/* The first n of a sequence; false: an exception is set. */
int bp_numbers_read(PyObject *sequence, Py_ssize_t n, int64_t *numbers);
/* A tensor as a tuple (address of element 0, dtype, sizes, strides in elements). `numbers` has room
 * for 2 * BP_MAX_RANK and is lent to the tensor. */
#define BP_MAX_RANK 64
int bp_tensor_read(PyObject *tuple, int64_t *numbers, buddy_tensor *out_tensor);
/* A DLPack capsule that owns the tensor, which is zeroed. 8-bit floats travel as bytes. */
PyObject *bp_tensor_capsule(buddy_tensor *tensor);
/* The tensors of one call. */
typedef struct bp_tensors {
  buddy_tensor *items;
  int64_t *numbers;
  size_t n;
} bp_tensors;
int bp_tensors_alloc(size_t n, bp_tensors *out); /* false: an exception is set */
void bp_tensors_free(bp_tensors *list);
/* Fills from a list; None leaves a tensor zeroed. */
int bp_tensors_read(PyObject *list, bp_tensors *out);
/* What was allocated, as capsules; None for what was given, and for None. */
PyObject *bp_tensors_results(bp_tensors *outputs, const char *is_given);

/* ---- text ---- */
typedef struct bp_text {
  char *data;
  size_t n, capacity;
} bp_text;
buddy_writer bp_text_writer(bp_text *text);
/* As str, or bytes; frees the text. */
PyObject *bp_text_finish(bp_text *text, buddy_code code, int as_bytes);

/* Appends the item, which is taken over. False: it is null, or could not be; an exception is set. */
int bp_list_add(PyObject *list, PyObject *item);
/* What Python has for an argument without values, sizes and graphs; None for those. */
PyObject *bp_plain_argument(const buddy_arg *arg);

/* Adds the type to the module. */
int bp_add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **out_type);

int bp_registries_init(PyObject *module);
int bp_graph_init(PyObject *module);
int bp_module_init(PyObject *module);
int bp_program_init(PyObject *module);
int bp_library_init(PyObject *module);

#endif
