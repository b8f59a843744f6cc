// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/argument.h: what Python writes for arguments and types becomes the graph's. */
#ifndef BUDDY_SDK_PYTHON_ARGUMENT_H
#define BUDDY_SDK_PYTHON_ARGUMENT_H

#include "sdk/python/native/objects.h"

/* One node, or output, that is being read: what its arguments point to. */
typedef struct bp_reading {
  buddy_graph *graph;
  void **blocks;
  size_t n_blocks;
} bp_reading;
void bp_reading_end(bp_reading *in);

/* An argument of that schema, or, where there is none, of any. Values and symbolic dims are strings,
 * told apart by what the schema wants; ("dtype", text) is a dtype. False: raised. */
int bp_read_argument(bp_reading *in, const buddy_schema_arg *schema, PyObject *value,
                     buddy_arg *out);
/* A list of (name, value) of that op; an op without a definition has none. */
int bp_read_arguments(bp_reading *in, const buddy_opdef *def, PyObject *list,
                      buddy_named_arg **out_args, size_t *out_n);
/* A list of (dtype, dims). */
int bp_read_types(bp_reading *in, PyObject *list, buddy_tensor_type **out_types, size_t *out_n);

#endif
