// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dims.h: arithmetic on the dims of one table; buddy_graph_dim and the parser stand on
 * it. */
#ifndef BUDDY_CORE_GRAPH_DIMS_H
#define BUDDY_CORE_GRAPH_DIMS_H

#include "core/base/text.h"
#include "core/graph/dim_table.h"

/* As buddy_graph_dim. */
buddy_code bd_dim_combine(bd_dims *dims, buddy_dim_op op, int64_t a, int64_t b, int64_t *out_dim);
buddy_code bd_dim_floordiv(bd_dims *dims, int64_t a, int64_t b, int64_t *out_dim);
buddy_code bd_dim_mod(bd_dims *dims, int64_t a, int64_t b, int64_t *out_dim);
/* kind: MAX or MIN. */
buddy_code bd_dim_extremum(bd_dims *dims, buddy_dim_kind kind, int64_t a, int64_t b,
                           int64_t *out_dim);

/* The symbol of that name; null if there is none. */
const bd_symbol_entry *bd_dim_find_symbol(const bd_dims *dims, const char *name, size_t size);

/* What is made from now on of the symbol's name is made of the number: dims of a program whose sizes
 * are chosen. BUDDY_INVALID_ARGUMENT: the graph has such a symbol, or a number below zero. */
BUDDY_EXPORT buddy_code bd_graph_fix_symbol(buddy_graph *graph, const char *name, int64_t number);

/* As bd_dim_state_range, of the symbol `dim`. */
BUDDY_EXPORT void bd_graph_state_range(buddy_graph *graph, int64_t dim, int64_t low, int64_t high);

/* Reads infix or sympy's functions; `where` is for the diagnostics. */
buddy_code bd_dim_parse(bd_dims *dims, buddy_sv text, const char *where, buddy_diags *diags,
                        int64_t *out_dim);

void bd_dim_print(const bd_dims *dims, int64_t dim, bd_text *text);

#endif
