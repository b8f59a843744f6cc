// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/module.c: the extension module buddy._buddy. */
#include "sdk/python/native/local.h"

static int add_dtypes(PyObject *module) {
  static const struct {
    const char *name;
    buddy_dtype dtype;
  } dtypes[] = {
#define BUDDY_X(name, number, text, bytes) {text, number},
      BUDDY_DTYPES(BUDDY_X)
#undef BUDDY_X
  };
  PyObject *table = PyDict_New();
  int failed = !table;
  for (size_t i = 0; !failed && i < sizeof dtypes / sizeof *dtypes; ++i) {
    PyObject *number = PyLong_FromLong(dtypes[i].dtype);
    failed = !number || PyDict_SetItemString(table, dtypes[i].name, number) < 0;
    Py_XDECREF(number);
  }
  failed = failed || PyModule_AddObjectRef(module, "DTYPES", table) < 0;
  Py_XDECREF(table);
  return failed ? -1 : 0;
}

static int execute(PyObject *module) {
  if (PyModule_AddStringConstant(module, "__version__", buddy_version()) < 0) return -1;
  if (add_dtypes(module) < 0) return -1;
  if (bp_call_init(module) < 0 || bp_local_init(module) < 0) return -1;
  if (bp_registries_init(module) < 0 || bp_graph_init(module) < 0) return -1;
  if (bp_module_init(module) < 0 || bp_program_init(module) < 0) return -1;
  if (bp_session_init(module) < 0) return -1;
  return bp_library_init(module);
}

static PyMethodDef functions[] = {
    {"import_program", bp_import_program, METH_VARARGS,
     "import_program(registries, where, program, tensors, keep) -> Graph\n\n"
     "program: the text of a serialized ExportedProgram, as bytes. tensors: a list of (name,\n"
     "address of the storage, bytes of the storage, offset, dtype, sizes, strides or None).\n"
     "keep: what owns that memory; the graph holds a reference."},
    {"open_archive", bp_open_archive, METH_VARARGS,
     "open_archive(registries, path, program=None) -> Graph\n\nImports a .pt2 file."},
    {"parse_module", bp_parse_module, METH_VARARGS,
     "parse_module(text_or_bytecode, registries=None) -> Module"},
    {"open_library", bp_open_library, METH_VARARGS,
     "open_library(path, program) -> Library\n\nA .so of `buddy compile`; loading it runs its "
     "code."},
    {"load_model", (PyCFunction)(void (*)(void))bp_load_model, METH_VARARGS | METH_KEYWORDS,
     "load_model(path, order=None, opt_level=-1, use_cache=True, progress=None, program=None,\n"
     "           tensor_parallel=0, rank=0, plan=None, weights=None, weight_names=None,\n"
     "           pairs_in_place=False, sizes=None)\n"
     "    -> Program\n\n"
     "A .pt2 file, compiled, or its code from the cache; or a library of `buddy compile` that has\n"
     "the shared runtime. Its inputs and outputs are the user's."},
    {"share_models", bp_share_models, METH_O,
     "share_models(list)\n\nModels of load_model that were not run yet have equal weights once."},
    {"step_all", bp_step_all, METH_O,
     "step_all(calls) -> list of lists; calls: (session, model, inputs)."},
    {"create_session", bp_create_session, METH_VARARGS,
     "create_session(models, pairs, no_batches) -> Session\n\n"
     "pairs: a list of (model, output, state), or None to find them."},
    {"read_archive", bp_read_archive, METH_VARARGS,
     "read_archive(path) -> (names of programs, files by name)"},
    {"write_file", bp_write_file, METH_VARARGS,
     "write_file(path, bytes)\n\nThe file appears when it is whole; links are followed, devices "
     "written to."},
    {"config", bp_config, METH_VARARGS, "config(path=None)\n\nSee buddy.config."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)(uintptr_t)execute}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_buddy", .m_size = 0,
                                 .m_methods = functions, .m_slots = slots};

PyMODINIT_FUNC PyInit__buddy(void);
__attribute__((visibility("default"))) PyMODINIT_FUNC PyInit__buddy(void) {
  return PyModuleDef_Init(&definition);
}
