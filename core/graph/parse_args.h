// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/parse_args.h: reads arguments and types of the text form. */
#ifndef BUDDY_CORE_GRAPH_PARSE_ARGS_H
#define BUDDY_CORE_GRAPH_PARSE_ARGS_H

#include "core/graph/model.h"
#include "core/graph/parse_tokens.h"

/* One value; its lists and strings live in the arena of the tokens. */
buddy_code bd_parse_arg(bd_tokens *in, buddy_graph *graph, buddy_arg *out_arg);
/* "%x": a value that the graph has. */
buddy_code bd_parse_value(bd_tokens *in, const buddy_graph *graph, const buddy_value **out_value);
/* "f32[2,s0]"; the dims live in the arena of the tokens. */
buddy_code bd_parse_type(bd_tokens *in, buddy_graph *graph, buddy_tensor_type *out_type);

#endif
