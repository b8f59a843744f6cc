// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/signature.h: writing signatures (sdk/runtime/signature.h): what the lowering fills
 * while it builds a function. */
#ifndef BUDDY_SDK_LOWER_SIGNATURE_H
#define BUDDY_SDK_LOWER_SIGNATURE_H

#include "buddy/graph.h"
#include "core/graph/guards.h"
#include "sdk/runtime/signature.h"

buddy_code bd_signature_create(bd_signature **out_signature);
void bd_signature_destroy(bd_signature *signature);

/* Takes over the symbols of a graph; steps refer to them by the graph's numbers. Call it before
 * bd_signature_size. */
buddy_code bd_signature_add_symbols(bd_signature *signature, const buddy_graph *graph);
/* A dim of the graph as a size. */
buddy_code bd_signature_size(bd_signature *signature, const buddy_graph *graph, int64_t dim,
                             bd_size *out_size);

/* Appends an input or an output; copies the port with its strings and dims. sizes: port->rank of
 * them, or null: what port->dims say (-1: any). */
buddy_code bd_signature_add_input(bd_signature *signature, const buddy_port *port,
                                  const bd_size *sizes);
/* output->port, source and the fields that the source needs are read, and output->sizes: port.rank
 * of them, copied, or null: what port.dims say. */
buddy_code bd_signature_add_output(bd_signature *signature, const bd_output *output);
/* A guard over symbols that the inputs tell. */
buddy_code bd_signature_add_guard(bd_signature *signature, const buddy_graph *graph,
                                  const bd_guard *guard);
/* What is known of the rows of its inputs, with its text copied. */
buddy_code bd_signature_set_rows(bd_signature *signature, const bd_batch_note *rows);
/* Appends an input that grows. */
buddy_code bd_signature_add_growth(bd_signature *signature, const bd_growth *growth);
/* Appends the number of an input that the program neither reads nor writes to. */
buddy_code bd_signature_add_unread(bd_signature *signature, size_t input);

#endif
