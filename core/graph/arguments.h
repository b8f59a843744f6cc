// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/arguments.h: arguments as a graph keeps them: copied with their lists, together with
 * the uses they make. */
#ifndef BUDDY_CORE_GRAPH_ARGUMENTS_H
#define BUDDY_CORE_GRAPH_ARGUMENTS_H

#include "core/base/text.h"
#include "core/graph/model.h"

/* Checks what any argument of a graph must be: a known kind, list pointers that are there, values
 * and subgraphs of this graph, valid dims. Null if all is well, else what is wrong. */
const char *bd_arg_problem(const buddy_graph *graph, const buddy_arg *arg);

/* A copy in the graph's pool, not yet linked to the values it names; null when memory is out. */
const buddy_arg *bd_arg_create(buddy_graph *graph, const buddy_arg *arg);
void bd_arg_destroy(buddy_graph *graph, const buddy_arg *arg);

/* Registers a copy's uses with their values, and takes them back. node: null for output number
 * `index`. */
void bd_arg_link(const buddy_arg *arg, buddy_node *node, size_t index);
void bd_arg_unlink(const buddy_arg *arg);

/* The uses of a copy: one for TENSOR, one per element for TENSORS; 0 for other kinds. */
size_t bd_arg_n_uses(const buddy_arg *arg);
buddy_use *bd_arg_use(const buddy_arg *arg, size_t i);
/* The value of use i, which may be null in a list; and the place where it is kept. */
const buddy_value *bd_arg_used(const buddy_arg *arg, size_t i);
void bd_arg_set_used(const buddy_arg *arg, size_t i, const buddy_value *value);

/* Same kind and same content; NaNs of floats are equal. */
bool bd_arg_equal(const buddy_arg *a, const buddy_arg *b);

/* "a list of ints" for BUDDY_ARG_INTS. */
const char *bd_arg_kind_name(buddy_arg_kind kind);

/* ---- Against a schema ---- */

/* An argument as the schema wants it; `arg` may point to the array. */
typedef struct bd_conformed {
  buddy_arg arg;
  union {
    int64_t ints[BD_MAX_RANK];
    double floats[BD_MAX_RANK];
  } list;
} bd_conformed;

/* Brings `arg` into the form that the schema argument names: an int for a float becomes a float,
 * one int for "int[2]" two, an empty list one of the right kind, a string a device. False if `arg`
 * cannot stand there. */
bool bd_arg_conform(const buddy_schema_arg *schema, const buddy_arg *arg,
                    bd_conformed *out_conformed);
/* "Tensor?", "int[2]". */
void bd_schema_type_print(const buddy_schema_arg *schema, bd_text *text);

#endif
