// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/types.h: tensor types as a graph keeps them. */
#ifndef BUDDY_CORE_GRAPH_TYPES_H
#define BUDDY_CORE_GRAPH_TYPES_H

#include "core/base/text.h"
#include "core/graph/model.h"

/* What is wrong with a type in this graph; null if nothing is. dtype 0 with rank 0 stands for a
 * result that is None. */
const char *bd_type_problem(const buddy_graph *graph, const buddy_tensor_type *type);
/* Copies the dims into the pool. */
buddy_code bd_type_copy(buddy_graph *graph, const buddy_tensor_type *type,
                        buddy_tensor_type *out_type);
void bd_type_free(buddy_graph *graph, buddy_tensor_type *type);
/* " (model.py:41, layer1.0.conv2)", or nothing. */
void bd_location_print(const buddy_location *location, bd_text *text);
/* "f32[2,s0]", or "none". */
void bd_type_print(const bd_dims *dims, const buddy_tensor_type *type, bd_text *text);

#endif
