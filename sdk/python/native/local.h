// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/local.h: registries whose rows are Python functions. */
#ifndef BUDDY_SDK_PYTHON_LOCAL_H
#define BUDDY_SDK_PYTHON_LOCAL_H

#include "sdk/python/native/objects.h"

/* ---- call.c ---- */
typedef struct bp_call {
  PyObject_HEAD const buddy_host *host;
  buddy_call *call; /* null: over */
  const buddy_op *row;
} bp_call;
bp_call *bp_call_new(const buddy_host *host, buddy_call *call, const buddy_op *row);
int bp_call_init(PyObject *module);

/* ---- local.c ---- */
typedef struct bp_local {
  PyObject_HEAD PyObject *texts; /* what owns the strings below */
  PyObject *functions;           /* one per row */
  char *before;                  /* "" or a registry's name */
  buddy_registry registry;
  buddy_op *ops;
  const char **schemas;
} bp_local;
extern PyTypeObject *bp_local_type;
int bp_local_init(PyObject *module);

#endif
