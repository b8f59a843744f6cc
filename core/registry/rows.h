// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/rows.h: the rows of loaded registries, made ready to be asked. */
#ifndef BUDDY_CORE_REGISTRY_ROWS_H
#define BUDDY_CORE_REGISTRY_ROWS_H

#include "core/registry/order.h"
#include "core/registry/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_MAX_ARGS 64 /* of a schema that a row can take: sets of arguments are uint64_t */

/* There are thousands of them, which are sorted: no field is larger than it must be. */
typedef struct bd_row {
  const buddy_op *op; /* the host's copy */
  bd_plugin *plugin;
  const bd_transform *transform; /* null: a row */
  const char *name;              /* canonical name of the op */
  const buddy_opdef *def;
  const uint8_t *arguments; /* by the row's number: the number in the schema */
  uint64_t listed;          /* set of schema arguments */
  uint32_t n_arguments;
  uint32_t registry; /* number among the loaded */
  uint32_t index;    /* in the plugin's table */
  uint32_t rank;     /* of its registry for this op: 0 if pinned, after all if BUDDY_ROW_LAST */
} bd_row;

/* The plugin's own row, which its callbacks get; of no transform. */
static inline const buddy_op *bd_row_self(const bd_row *row) {
  const bd_descriptor *descriptor = &row->plugin->descriptor;
  const char *self = descriptor->plugin_ops + (size_t)row->index * descriptor->plugin_stride;
  return (const buddy_op *)(const void *)self;
}

/* All rows of one registry against an opset; those of ops that it does not know are left out.
 * Reports every row that breaks a rule, with `severity`. `rows` has room for n_ops of them. */
buddy_code bd_rows_prepare(bd_plugin *plugin, size_t registry, const buddy_opset *opset,
                           bd_arena *arena, buddy_severity severity, buddy_diags *diags,
                           bd_row *rows, size_t *out_n);
/* The same for its transforms, in the order of asking; `rows` has room for n_transforms. */
buddy_code bd_rows_prepare_transforms(bd_plugin *plugin, size_t registry, const buddy_opset *opset,
                                      bd_arena *arena, buddy_severity severity, buddy_diags *diags,
                                      bd_row *rows, size_t *out_n);
/* Sorts by name, then in the order of asking. Rows already in that order, or a few runs of such,
 * one after the other, cost little. */
BUDDY_EXPORT buddy_code bd_rows_sort(bd_row *rows, size_t n);

#ifdef __cplusplus
}
#endif
#endif
