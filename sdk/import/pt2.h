// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2.h: what the parts of the importer share.
 *
 *   archive.c          the parts of the file by their role
 *   pt2.c              the whole import, in order
 *   pt2_problems.c     what is beyond buddy; names for what is added
 *   pt2_types.c        dtypes, sizes as dims, tensor types
 *   pt2_names.c        what the names of one serialized graph stand for
 *   pt2_args.c         arguments of nodes
 *   pt2_nodes.c        nodes, and the graphs within arguments
 *   pt2_vmap.c         regions of torch.vmap, as loops over slices
 *   pt2_numbers.c      arithmetic on sizes and other numbers, which PyTorch serializes as nodes
 *   pt2_signature.c    inputs and outputs
 *   pt2_fixed.c        sizes that the user chooses for inputs
 *   pt2_guards.c       conditions on sizes that the program was traced under
 *   pt2_weights.c      bytes of parameters, buffers, constants
 *   pt2_location.c     the user's line and the module of a node
 *   functionalize.c    no writes, no shared storage
 *   normalize*.c       one form for each meaning */
#ifndef BUDDY_SDK_IMPORT_PT2_H
#define BUDDY_SDK_IMPORT_PT2_H

#include <stdbool.h>

#include "core/base/arena.h"
#include "core/base/hash.h"
#include "core/base/memory.h"
#include "sdk/import/archive.h"
#include "sdk/import/build.h"
#include "sdk/import/functionalize.h"

#define BD_MAX_TENSOR_RANK 64u /* as in PyTorch */
#define BD_MAX_GRAPH_DEPTH 64u /* of graphs within graphs */
#define BD_MAX_PROBLEMS 200u   /* further ones are counted, not told */
#define BD_NO_LOWER_BOUND (INT64_MIN + (int64_t)0x80000000)

/* What a name of a serialized graph stands for. */
typedef enum bd_named_kind {
  BD_NAMED_TENSOR,
  BD_NAMED_INT,
  BD_NAMED_FLOAT,
  BD_NAMED_BOOL,
  BD_NAMED_OTHER
} bd_named_kind;
typedef struct bd_named {
  const char *name;
  bd_named_kind kind;
  bd_json meta;           /* TensorMeta, SymInt, SymFloat, SymBool; nothing for OTHER */
  buddy_tensor_type type; /* of a TENSOR, once bd_names_type has read it */
  const int64_t *strides; /* null: each is a contiguous tensor's, and the offset is 0 */
  int64_t offset;
  bool is_contiguous; /* but for dims of one element */
  bool is_defined;
  buddy_arg arg; /* once defined: TENSOR, or a number */
  UT_hash_handle hh;
} bd_named;

typedef struct bd_vmap bd_vmap; /* pt2_vmap.c: a region of torch.vmap */

/* One serialized graph while it is read. */
typedef enum bd_frame_kind { BD_FRAME_TOP, BD_FRAME_SUBGRAPH, BD_FRAME_INLINE } bd_frame_kind;
typedef struct bd_frame {
  bd_frame_kind kind;
  bd_json graph;
  bd_json_iterator nodes;
  buddy_graph *target; /* of an inlined graph: the one around it */
  bd_named *names;
  const char *prefix;   /* of the names of nodes: "", or "wrap." for an inlined graph */
  bd_json results;      /* of an inlined graph: the outputs of the node it stands for */
  buddy_dtype autocast; /* the dtype of a region of torch.autocast; none outside */
  /* The region of torch.vmap that nodes are read into, whose graph `target` is then; and the one
   * that the frame lies in. */
  bd_vmap *region, *region_around;
} bd_frame;

typedef struct bd_expr bd_expr; /* pt2_types.c: dims by the text of their expression */
/* pt2_computed.c: what the program computes, by the text that says so */
typedef struct bd_computed {
  const char *text;
  const buddy_value *tensor; /* 0-d, f64; null: a dim */
  int64_t dim;
  bool is_data; /* not of sizes alone */
  UT_hash_handle hh;
} bd_computed;
typedef struct bd_range bd_range; /* pt2_types.c: ranges by the name of a symbol */
typedef struct bd_payload
    bd_payload; /* pt2_weights.c: stored tensors by their name in the module */

typedef struct bd_import {
  buddy_archive *archive;
  buddy_diags *diags;
  bd_json_reader json;
  const buddy_opset *opset;
  buddy_graph *graph;
  bd_arena arena; /* all that lives as long as the import */
  bd_expr *exprs;
  bd_computed *computed;
  bd_range *ranges;
  bd_payload *weights, *constants;
  struct bd_restored *restored; /* parameters that nodes make, added last (restored.h) */
  bd_frame *frames;             /* a stack: the innermost graph last */
  size_t n_frames, frames_capacity;
  bd_layouts layouts;
  size_t n_made;      /* names that the importer chose */
  size_t n_problems;  /* told so far, of things that are beyond buddy: all of them are looked for */
  buddy_code problem; /* of the first of them */
  uint64_t unknown_dtypes; /* that were told of, as bits; bit 0: all beyond 63 */
  bool is_foreign_device;  /* a note was given */
} bd_import;

/* ---- pt2_problems.c ---- */
/* Adds a problem that does not keep the rest from being read; the import fails at its end. `where`
 * is a node's or value's name, or null. */
void bd_import_problem(bd_import *import, buddy_code code, const char *where, const char *todo,
                       const char *format, ...) BUDDY_PRINTF(5, 6);

/* A name for what the importer adds, which no name of an archive can be: "mul.made1". Null: memory
 * is out. */
const char *bd_import_made_name(bd_import *import, const char *base);
/* Adds a node with the frame's prefix before its name. */
buddy_code bd_nodes_add(bd_import *import, const bd_frame *frame, const char *op, const char *name,
                        const buddy_named_arg *args, size_t n_args, const buddy_tensor_type *types,
                        size_t n_types, buddy_node **out_node);

/* ---- pt2_types.c ---- */
buddy_code bd_types_read_ranges(bd_import *import, bd_json range_constraints);
/* The bounds that the archive states for a dim, under its expression; false if it states none. */
bool bd_types_stated_range(bd_import *import, int64_t dim, int64_t *out_min, int64_t *out_max);
void bd_types_deinit(bd_import *import);
/* A size's expression as a dim of a graph that may be another one than the import's, with the symbols
 * of it and the ranges that the archive states for them. */
buddy_code bd_types_parse_size(const bd_import *import, buddy_graph *graph, const char *text,
                               int64_t *out_dim);
/* A ScalarType; U8 for one that is a problem, 0 if it is no number. */
buddy_dtype bd_types_dtype(bd_import *import, bd_json json);
/* A SymInt as a dim. */
buddy_code bd_types_dim(bd_import *import, bd_json sym_int, int64_t *out_dim);
/* A SymInt's expression as a dim, if it can be one: BUDDY_UNSUPPORTED without a message if not. */
buddy_code bd_types_try_dim(bd_import *import, bd_json sym_int, int64_t *out_dim);
/* Number of the symbol that `dim` is, alone; BUDDY_NOT_FOUND if it is something else. */
buddy_code bd_types_symbol(const bd_import *import, int64_t dim, size_t *out_i);
/* A TensorMeta. dims has room for BD_MAX_TENSOR_RANK; strides too, or is null. */
buddy_code bd_types_tensor(bd_import *import, bd_json meta, int64_t *dims, int64_t *strides,
                           int64_t *out_offset, buddy_tensor_type *out_type);

/* ---- pt2_computed.c ---- */
/* A size that takes floats to compute, as a symbol that is bound to nodes at the end of the graph;
 * BUDDY_UNSUPPORTED without a message for what is none. */
buddy_code bd_computed_dim(bd_import *import, const char *text, int64_t *out_dim);
/* A number of the program, by its entry in sym_float_values: sizes may be computed from it. */
buddy_code bd_computed_float(bd_import *import, bd_json meta, const buddy_value *value);
void bd_computed_deinit(bd_import *import);

/* ---- pt2_names.c ---- */
buddy_code bd_names_read(bd_import *import, bd_frame *frame);
void bd_names_deinit(bd_frame *frame);
/* The name's entry; a problem if there is none. */
buddy_code bd_names_find(bd_import *import, const bd_frame *frame, bd_json name,
                         bd_named **out_name);
buddy_code bd_names_define(bd_import *import, bd_frame *frame, const char *name,
                           const buddy_arg *arg);
/* The entry of a tensor's name, with its type read. */
buddy_code bd_names_type(bd_import *import, const bd_frame *frame, bd_json text,
                         bd_named **out_name);
/* Defines such a name, and remembers the strides. */
buddy_code bd_names_define_tensor(bd_import *import, bd_frame *frame, const bd_named *name,
                                  const buddy_value *value);

/* ---- pt2_args.c ---- */
/* Reads an Argument. Lists live in the import's arena. A graph is added to the frame's graph,
 * empty; *out_graph is its JSON then, else nothing. */
buddy_code bd_args_read(bd_import *import, bd_frame *frame, bd_json argument, buddy_arg *out_arg,
                        bd_json *out_graph);

/* ---- pt2_nodes.c ---- */
/* What is read of one node before it is added. */
typedef struct bd_reading {
  const char *op, *name;
  const buddy_opdef *def;
  buddy_location location;
  buddy_named_arg *args;
  bd_json *graphs; /* of the arguments that are graphs; nothing for others */
  size_t n_args;
  size_t n_skipped; /* inputs before the op's own, which with_effects has */
  buddy_tensor_type *types;
  bd_named **names; /* of the results; null: a result that is not there or has no name */
  size_t n_results;
} bd_reading;
/* Adds the result of that name, for which there is room. */
void bd_reading_add_result(bd_reading *read, bd_named *name);
/* Reads nodes until no frame is left. */
buddy_code bd_nodes_read(bd_import *import);

/* ---- pt2_frames.c ---- */
/* A higher-order op that only wraps a region, and where among its arguments that is. */
typedef struct bd_wrapper {
  const char *op;
  size_t graph, first_operand;
} bd_wrapper;
/* Null if the node is none. */
const bd_wrapper *bd_frames_find_wrapper(const bd_reading *read);
/* The name that an input of an inner graph, or an output of a node, introduces: {"as_tensor":
 * {"name": "x"}}; null if it has none. */
buddy_code bd_names_introduced(bd_import *import, const bd_frame *frame, bd_json argument,
                               bd_named **out_name);
buddy_code bd_frames_push(bd_import *import, const bd_frame *frame);
/* Adds a subgraph for each graph among the node's arguments, and a frame to read it. frame: the
 * number of the node's own. */
buddy_code bd_frames_push_subgraphs(bd_import *import, size_t frame, bd_reading *read);
/* A frame for the region that the node wraps, in the same graph as the node. */
buddy_code bd_frames_push_inlined(bd_import *import, const bd_frame *frame, bd_json node,
                                  const bd_reading *read, const bd_wrapper *wraps);
/* Ends the innermost frame. The top frame stays: its outputs are read by the signature. */
buddy_code bd_frames_close(bd_import *import);

/* ---- pt2_vmap.c ---- */
/* Reads a node that begins or ends a region of torch.vmap, or takes values into or out of one.
 * *out_is_done is false if the node is none of these. */
buddy_code bd_vmap_read(bd_import *import, bd_frame *frame, const char *target, bd_json node,
                        const buddy_location *location, bool *out_is_done);
/* *value, of the region or of what is around it, becomes what stands for it inside. */
buddy_code bd_vmap_capture(bd_import *import, bd_vmap *region, const buddy_value **value);
/* A problem if the frame's graph ends within a region. */
buddy_code bd_vmap_check_ended(bd_import *import, const bd_frame *frame);
/* Frees the regions that the frame has not ended. */
void bd_vmap_deinit(bd_frame *frame);

/* ---- pt2_numbers.c ---- */
/* Reads a node of arithmetic on numbers, or one whose results are numbers. *out_is_done is false if
 * the node is none of these. */
buddy_code bd_numbers_read(bd_import *import, bd_frame *frame, const char *target, bd_json node,
                           const buddy_location *location, bool *out_is_done);

/* ---- pt2_signature.c ---- */
buddy_code bd_signature_inputs(bd_import *import, bd_frame *top, bd_json signature);
buddy_code bd_signature_outputs(bd_import *import, bd_frame *top, bd_json signature);

/* ---- pt2_fixed.c ---- */
/* The symbols of the sizes that the archive was told (bd_archive_sizes) become numbers, before the
 * inputs are read. */
buddy_code bd_fixed_sizes_apply(bd_import *import, const bd_frame *top, bd_json signature);
/* The program's conditions can be met with them. After its guards. */
buddy_code bd_fixed_sizes_check(const bd_import *import);

/* ---- pt2_guards.c ---- */
/* The program's "guards_code", and what ranges of symbols mean for the sizes of inputs, become guards
 * of the graph, once its inputs are read. */
buddy_code bd_guards_read(bd_import *import, bd_json program, bd_json module);

/* ---- pt2_expressions.c ---- */
/* A Python expression over the graph's symbols that is to be true, as nodes at the end of the graph; else
 * the run ends with the message. BUDDY_UNSUPPORTED, and no nodes, if it is none that is understood. */
buddy_code bd_expressions_assert(bd_import *import, bd_frame *frame, buddy_sv text,
                                 const char *message);

/* ---- pt2_weights.c ---- */
buddy_code bd_weights_read(bd_import *import, bd_json_document *weights,
                           bd_json_document *constants);
void bd_stored_weights_deinit(bd_import *import);
/* Adds the input for a parameter, buffer or constant called `target` in the module. */
buddy_code bd_weights_add_input(bd_import *import, buddy_input_kind kind, const char *name,
                                const char *target, const buddy_value **out_value);

/* ---- pt2_location.c ---- */
buddy_code bd_location_read(bd_import *import, bd_json metadata, buddy_location *out_location);

#endif
