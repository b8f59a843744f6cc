// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/graph.h: the graph of a program: ops over tensors with static or symbolic shapes.
 *
 * A graph is a list of nodes in execution order. A node is one op of an opset with every argument
 * of the op's schema, and zero or more results. A value is one result of one node or one input of
 * the graph. Every argument that names a value is a use of it, and the value knows its uses.
 * Adding, moving, erasing a node and changing an argument cost the size of that node, never the
 * size of the graph; replacing a value costs its uses.
 *
 *   buddy_graph     owns all below it: one arena, freed at once
 *     inputs        user inputs, parameters, buffers, constants, in the program's order
 *     nodes         intrusive list
 *     outputs       values or constants, in the program's order
 *     dims          interned expressions over shape symbols
 *     subgraphs     arguments of control flow and of wrapped regions: graphs that share dims and
 *                   opset
 *     locations     the user's Python line and the path of the module
 *
 * A graph and everything in it is used by one thread at a time; reading alone is [any-thread].
 *
 * What changes a graph takes it, or one of its nodes, without const; values are const to all, and
 * are changed through their graph. A function that goes from one thing to another (the first node of
 * a graph, the node of a value) looks at a const one and gives what is no const, as strchr does: who
 * is handed a const graph reads it, and what it leads to. */
#ifndef BUDDY_GRAPH_H
#define BUDDY_GRAPH_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct buddy_node buddy_node;
typedef struct buddy_use buddy_use;
typedef struct buddy_opdef buddy_opdef;
typedef struct buddy_opset buddy_opset;

/* ---- Op definitions -------------------------------------------------------------------------- */
/* What kind of op it is; transforms and inference go by it. X(NAME, text). */
/* clang-format off */
#define BUDDY_OP_KINDS(X) \
  X(OTHER, "other") \
  X(ELEMENTWISE, "elementwise") \
  X(REDUCE, "reduce") \
  X(RESHAPE, "reshape") \
  X(TRANSPOSE, "transpose") \
  X(CONCAT, "concat") \
  X(CONTRACTION, "contraction") \
  X(CONVOLUTION, "convolution") \
  X(POOLING, "pooling") \
  X(NORMALIZATION, "normalization") \
  X(INDEXING, "indexing") \
  X(CREATION, "creation") \
  X(CONTROL, "control") \
  X(RANDOM, "random") \
  X(SIDE_EFFECT, "side_effect")
/* clang-format on */
typedef enum buddy_op_kind {
#define BUDDY_X(name, text) BUDDY_KIND_##name,
  BUDDY_OP_KINDS(BUDDY_X)
#undef BUDDY_X
} buddy_op_kind;

/* An opset: op definitions and aliases by name. Immutable once a graph uses it, then
 * [any-thread]. */
BUDDY_EXPORT buddy_code buddy_opset_create(buddy_opset **out_opset);
BUDDY_EXPORT void buddy_opset_destroy(buddy_opset *opset);
/* Defines an op from its schema in PyTorch's notation: "aten::add.Tensor(Tensor self, Tensor other,
 * *, Scalar alpha=1)
 * -> Tensor". Its name becomes "aten.add.Tensor" ("default" for an empty overload). A second
 * definition of one name is BUDDY_INVALID_ARGUMENT unless it is the same text. */
BUDDY_EXPORT buddy_code buddy_opset_define(buddy_opset *opset, const char *schema,
                                           buddy_op_kind kind, buddy_diags *diags);
/* `alias` means `name` from now on; both have the same arguments. */
BUDDY_EXPORT buddy_code buddy_opset_alias(buddy_opset *opset, const char *alias, const char *name,
                                          buddy_diags *diags);
/* A lazily parsed table of schemas that the caller keeps: sorted by op name, searched before the
 * defined ones. This is how thousands of ATen ops cost nothing until they are met. */
typedef struct buddy_schema_row {
  const char *name;   /* "aten.add.Tensor" */
  const char *schema; /* "aten::add.Tensor(…) -> Tensor" */
  uint8_t kind;       /* buddy_op_kind */
} buddy_schema_row;
BUDDY_EXPORT buddy_code buddy_opset_add_table(buddy_opset *opset, const buddy_schema_row *rows,
                                              size_t n_rows);
/* The definition behind a name or an alias; null if there is none. [any-thread] */
BUDDY_EXPORT const buddy_opdef *buddy_opset_find(const buddy_opset *opset, const char *name);

/* Types of schema arguments, as far as they decide what an argument may hold. Optional and
 * list-ness are flags. */
typedef enum buddy_schema_type {
  BUDDY_SCHEMA_TENSOR,
  BUDDY_SCHEMA_INT,
  BUDDY_SCHEMA_FLOAT,
  BUDDY_SCHEMA_BOOL,
  BUDDY_SCHEMA_SCALAR,
  BUDDY_SCHEMA_STRING,
  BUDDY_SCHEMA_DTYPE,
  BUDDY_SCHEMA_DEVICE,
  BUDDY_SCHEMA_LAYOUT,
  BUDDY_SCHEMA_MEMORY_FORMAT,
  BUDDY_SCHEMA_GENERATOR,
  BUDDY_SCHEMA_COMPLEX,
  BUDDY_SCHEMA_GRAPH,
  BUDDY_SCHEMA_ANY
} buddy_schema_type;
typedef struct buddy_schema_arg {
  const char *name;
  buddy_schema_type type;
  uint8_t is_list, is_optional;
  uint8_t is_optional_element; /* Tensor?[] */
  uint8_t is_mutated;          /* Tensor(a!) */
  uint8_t is_alias;            /* Tensor(a): a view of this argument is returned */
  uint8_t has_default;
  int32_t list_size;       /* int[2]: 2, one int stands for both; 0: none */
  buddy_arg default_value; /* if has_default */
} buddy_schema_arg;
BUDDY_EXPORT const char *buddy_opdef_name(const buddy_opdef *def);
BUDDY_EXPORT const char *buddy_opdef_schema(const buddy_opdef *def);
BUDDY_EXPORT buddy_op_kind buddy_opdef_kind(const buddy_opdef *def);
BUDDY_EXPORT size_t buddy_opdef_n_args(const buddy_opdef *def);
BUDDY_EXPORT const buddy_schema_arg *buddy_opdef_arg(const buddy_opdef *def, size_t i);
/* The number of the argument of that name; BUDDY_NOT_FOUND if there is none. */
BUDDY_EXPORT buddy_code buddy_opdef_arg_find(const buddy_opdef *def, buddy_sv name, size_t *out_i);
/* Results by the schema; each is a tensor, a list of tensors, or a number (which the graph holds as
 * a 0-d tensor). */
BUDDY_EXPORT size_t buddy_opdef_n_results(const buddy_opdef *def);
BUDDY_EXPORT const buddy_schema_arg *buddy_opdef_result(const buddy_opdef *def, size_t i);
BUDDY_EXPORT const char *buddy_op_kind_name(buddy_op_kind kind);

/* ---- Graphs ---------------------------------------------------------------------------------- */
/* The opset must outlive the graph. */
BUDDY_EXPORT buddy_code buddy_graph_create(const buddy_opset *opset, const char *name,
                                           buddy_graph **out_graph);
/* Frees the graph and its subgraphs. Null is allowed. */
BUDDY_EXPORT void buddy_graph_destroy(buddy_graph *graph);
/* An empty graph inside `parent` for use as an argument of its nodes: shares its opset, dims and
 * arena, and dies with it. name: null (chosen), or new among all subgraphs of the top graph.
 * BUDDY_LIMIT beyond 64 levels. */
BUDDY_EXPORT buddy_code buddy_graph_add_subgraph(buddy_graph *parent, const char *name,
                                                 buddy_graph **out_graph);
BUDDY_EXPORT const char *buddy_graph_name(const buddy_graph *graph);
BUDDY_EXPORT const buddy_opset *buddy_graph_opset(const buddy_graph *graph);
BUDDY_EXPORT buddy_graph *buddy_graph_parent(const buddy_graph *graph); /* null for a top graph */
BUDDY_EXPORT size_t buddy_graph_n_nodes(const buddy_graph *graph);      /* without subgraphs */

/* ---- Inputs ---------------------------------------------------------------------------------- */
typedef enum buddy_input_kind {
  BUDDY_INPUT_USER,
  BUDDY_INPUT_PARAMETER,
  BUDDY_INPUT_BUFFER,
  BUDDY_INPUT_CONSTANT
} buddy_input_kind;
/* Bytes of a parameter, buffer or constant: lent by whoever mapped them, outliving the graph. */
typedef struct buddy_data {
  const void *bytes;      /* first byte of the storage; null: not known */
  size_t n_bytes;         /* of the storage */
  int64_t offset;         /* of element 0, in elements */
  const int64_t *strides; /* rank of them, in elements; null: contiguous */
} buddy_data;
/* Adds an input at the end. `name` must be new in the graph (null: chosen); `target` is the fully
 * qualified name in the module ("encoder.layer.0.weight"), null for user inputs; data may be null.
 * All is copied, bytes are lent. */
BUDDY_EXPORT buddy_code buddy_graph_add_input(buddy_graph *graph, buddy_input_kind kind,
                                              const char *name, const char *target,
                                              const buddy_tensor_type *type, const buddy_data *data,
                                              buddy_diags *diags, const buddy_value **out_value);
/* Another type, and other data, for an input that is not the user's: weights that were quantized, for
 * one. What uses it is the caller's to change; buddy_graph_verify says what contradicts. */
BUDDY_EXPORT buddy_code buddy_graph_set_input(buddy_graph *graph, size_t i,
                                              const buddy_tensor_type *type, const buddy_data *data,
                                              buddy_diags *diags);
BUDDY_EXPORT size_t buddy_graph_n_inputs(const buddy_graph *graph);
BUDDY_EXPORT const buddy_value *buddy_graph_input(const buddy_graph *graph, size_t i);
BUDDY_EXPORT buddy_input_kind buddy_graph_input_kind(const buddy_graph *graph, size_t i);
BUDDY_EXPORT const char *buddy_graph_input_target(const buddy_graph *graph,
                                                  size_t i); /* "" for user inputs */
BUDDY_EXPORT const buddy_data *buddy_graph_input_data(const buddy_graph *graph, size_t i);

/* ---- Nodes ----------------------------------------------------------------------------------- */
/* Adds a node before `before` (null: at the end). Arguments go by schema name; those left out
 * take their default; one without a default, one unknown or one of a wrong kind is
 * BUDDY_INVALID_ARGUMENT. types: one per result, or null where the op's kind allows inference
 * (elementwise by broadcasting and promotion, reduce by dim and keepdim). An op that the opset does
 * not know is BUDDY_NOT_FOUND, unless buddy_graph_add_unknown_node is used. name: null, or new in
 * the graph; results are called name (one) or name.0, name.1, … (several). */
BUDDY_EXPORT buddy_code buddy_graph_add_node(buddy_graph *graph, buddy_node *before, const char *op,
                                             const char *name, const buddy_named_arg *args,
                                             size_t n_args, const buddy_tensor_type *types,
                                             size_t n_types, buddy_diags *diags,
                                             buddy_node **out_node);
/* The same for an op without a definition: importers keep such nodes so that all of them are
 * reported together. Arguments keep the names given. */
BUDDY_EXPORT buddy_code buddy_graph_add_unknown_node(buddy_graph *graph, buddy_node *before,
                                                     const char *op, const char *name,
                                                     const buddy_named_arg *args, size_t n_args,
                                                     const buddy_tensor_type *types, size_t n_types,
                                                     buddy_diags *diags, buddy_node **out_node);
/* Erases a node none of whose results has a use or a symbol bound to it; BUDDY_INVALID_ARGUMENT
 * otherwise. */
BUDDY_EXPORT buddy_code buddy_node_erase(buddy_node *node);
/* Moves a node before `before` (null: to the end) within its graph. */
BUDDY_EXPORT void buddy_node_move(buddy_node *node, buddy_node *before);
BUDDY_EXPORT buddy_node *buddy_graph_first(const buddy_graph *graph);
BUDDY_EXPORT buddy_node *buddy_graph_last(const buddy_graph *graph);
BUDDY_EXPORT buddy_node *buddy_node_next(const buddy_node *node);
BUDDY_EXPORT buddy_node *buddy_node_prev(const buddy_node *node);
BUDDY_EXPORT buddy_graph *buddy_node_graph(const buddy_node *node);
BUDDY_EXPORT const char *buddy_node_op(const buddy_node *node);           /* canonical name */
BUDDY_EXPORT const char *buddy_node_name(const buddy_node *node);         /* unique in its graph */
BUDDY_EXPORT const buddy_opdef *buddy_node_opdef(const buddy_node *node); /* null: unknown op */
BUDDY_EXPORT size_t buddy_node_n_args(const buddy_node *node);
BUDDY_EXPORT const char *buddy_node_arg_name(const buddy_node *node, size_t i);
BUDDY_EXPORT const buddy_arg *buddy_node_arg(const buddy_node *node,
                                             size_t i); /* lent until changed */
/* Null if the op has no argument of that name. */
BUDDY_EXPORT const buddy_arg *buddy_node_arg_find(const buddy_node *node, const char *name);
/* True if the argument equals the schema's default (of an unknown op: never). */
BUDDY_EXPORT int buddy_node_arg_is_default(const buddy_node *node, size_t i);
BUDDY_EXPORT buddy_code buddy_node_set_arg(buddy_node *node, size_t i, const buddy_arg *arg,
                                           buddy_diags *diags);
BUDDY_EXPORT size_t buddy_node_n_results(const buddy_node *node);
BUDDY_EXPORT const buddy_value *buddy_node_result(const buddy_node *node, size_t i);

/* Where a node comes from; strings are interned in the graph. All may be null or 0. */
typedef struct buddy_location {
  const char *file; /* the user's Python file */
  uint32_t line;
  const char *function;
  const char *code;        /* the text of that line */
  const char *module_path; /* "encoder.layer.0.attention" */
} buddy_location;
BUDDY_EXPORT buddy_code buddy_node_set_location(buddy_node *node, const buddy_location *location);
/* Nodes without a location have one with null fields. Never null. */
BUDDY_EXPORT const buddy_location *buddy_node_location(const buddy_node *node);
/* "conv2d_3 (model.py:41, layer1.0.conv2)" into `text` of `size` bytes, always terminated; for
 * buddy_diag.where. */
BUDDY_EXPORT void buddy_node_describe(const buddy_node *node, char *text, size_t size);

/* ---- Values and uses ------------------------------------------------------------------------- */
BUDDY_EXPORT const char *buddy_value_name(const buddy_value *value); /* unique in its graph */
BUDDY_EXPORT const buddy_tensor_type *buddy_value_type(const buddy_value *value);
BUDDY_EXPORT buddy_node *buddy_value_node(const buddy_value *value); /* null: an input */
BUDDY_EXPORT size_t buddy_value_index(const buddy_value *value);     /* among results or inputs */
BUDDY_EXPORT buddy_graph *buddy_value_graph(const buddy_value *value);
BUDDY_EXPORT size_t buddy_value_n_uses(const buddy_value *value);
BUDDY_EXPORT const buddy_use *buddy_value_first_use(const buddy_value *value);
BUDDY_EXPORT const buddy_use *buddy_use_next(const buddy_use *use);
BUDDY_EXPORT buddy_node *buddy_use_node(const buddy_use *use); /* null: an output of the graph */
BUDDY_EXPORT size_t
buddy_use_arg(const buddy_use *use); /* argument of the node, or number of the output */
BUDDY_EXPORT size_t buddy_use_element(const buddy_use *use); /* within a list; else 0 */
/* Every use of `value` becomes a use of `with`. Both are of this graph, and their types agree in rank
 * and dtype, else BUDDY_INVALID_ARGUMENT. */
BUDDY_EXPORT buddy_code buddy_graph_replace_value(buddy_graph *graph, const buddy_value *value,
                                                  const buddy_value *with);
/* For importers and API users: the value of that name, or null. */
BUDDY_EXPORT const buddy_value *buddy_graph_find_value(const buddy_graph *graph, const char *name);
/* Gives the type of a value of this graph anew (inference, refinement); the rank may change only while
 * nothing uses it. BUDDY_INVALID_ARGUMENT: the value is of another graph, or the type is none. */
BUDDY_EXPORT buddy_code buddy_graph_set_value_type(buddy_graph *graph, const buddy_value *value,
                                                   const buddy_tensor_type *type);

/* ---- Outputs --------------------------------------------------------------------------------- */
typedef enum buddy_output_kind {
  BUDDY_OUTPUT_USER,
  BUDDY_OUTPUT_BUFFER_MUTATION,
  BUDDY_OUTPUT_INPUT_MUTATION
} buddy_output_kind;
/* Adds an output at the end: a tensor, None, or a constant (int, maybe symbolic; float, bool,
 * string). target: the buffer or the user input that is mutated; null for user outputs. */
BUDDY_EXPORT buddy_code buddy_graph_add_output(buddy_graph *graph, buddy_output_kind kind,
                                               const char *target, const buddy_arg *arg,
                                               buddy_diags *diags);
BUDDY_EXPORT size_t buddy_graph_n_outputs(const buddy_graph *graph);
BUDDY_EXPORT const buddy_arg *buddy_graph_output(const buddy_graph *graph, size_t i);
BUDDY_EXPORT buddy_output_kind buddy_graph_output_kind(const buddy_graph *graph, size_t i);
BUDDY_EXPORT const char *buddy_graph_output_target(const buddy_graph *graph, size_t i);
BUDDY_EXPORT buddy_code buddy_graph_set_output(buddy_graph *graph, size_t i, const buddy_arg *arg,
                                               buddy_diags *diags);

/* ---- Dims ------------------------------------------------------------------------------------ */
/* A new shape symbol, or the one that has the name already. min and max are inclusive; INT64_MAX:
 * no upper bound. */
BUDDY_EXPORT buddy_code buddy_graph_add_symbol(buddy_graph *graph, const char *name, int64_t min,
                                               int64_t max, int64_t *out_dim);
/* Expressions are kept in normal form: a sum of integer multiples of products of symbols and of
 * floordiv, mod, max and min terms; equal expressions get equal numbers. BUDDY_INVALID_ARGUMENT:
 * division by the number 0. BUDDY_LIMIT: an expression of more than 4,096 numbers and symbols or
 * 128 levels, or arithmetic overflow. */
BUDDY_EXPORT buddy_code buddy_graph_dim(buddy_graph *graph, buddy_dim_op op, int64_t a, int64_t b,
                                        int64_t *out_dim);
BUDDY_EXPORT size_t buddy_graph_n_symbols(const buddy_graph *graph);
typedef struct buddy_symbol {
  const char *name; /* "s0", "u0" */
  int64_t dim;      /* the symbol as a dim */
  int64_t min, max;
  const buddy_value *bound_to; /* unbacked: the 0-d integer tensor whose value it is; else null */
} buddy_symbol;
BUDDY_EXPORT const buddy_symbol *buddy_graph_symbol(const buddy_graph *graph, size_t i);
/* A value that a symbol is bound to cannot be erased; a null value ends the binding.
 * buddy_value_replace takes the binding along. */
BUDDY_EXPORT buddy_code buddy_graph_bind_symbol(buddy_graph *graph, size_t i,
                                                const buddy_value *value);
/* The structure of a symbolic dim, for those who emit code for it: kind, and operands as dims. */
typedef enum buddy_dim_kind {
  BUDDY_DIM_KIND_NUMBER,
  BUDDY_DIM_KIND_SYMBOL,
  BUDDY_DIM_KIND_SUM,
  BUDDY_DIM_KIND_PRODUCT,
  BUDDY_DIM_KIND_FLOORDIV,
  BUDDY_DIM_KIND_MOD,
  BUDDY_DIM_KIND_MAX,
  BUDDY_DIM_KIND_MIN
} buddy_dim_kind;
BUDDY_EXPORT buddy_dim_kind buddy_graph_dim_kind(const buddy_graph *graph, int64_t dim);
BUDDY_EXPORT size_t buddy_graph_dim_n_operands(const buddy_graph *graph, int64_t dim);
BUDDY_EXPORT int64_t buddy_graph_dim_operand(const buddy_graph *graph, int64_t dim, size_t i);
BUDDY_EXPORT size_t buddy_graph_dim_symbol(const buddy_graph *graph,
                                           int64_t dim); /* number of the symbol */
/* The value of a dim for given values of the symbols, in their order. BUDDY_LIMIT on overflow. */
BUDDY_EXPORT buddy_code buddy_graph_dim_eval(const buddy_graph *graph, int64_t dim,
                                             const int64_t *symbols, size_t n_symbols,
                                             int64_t *out_number);
/* "2*s0+1" into `text`, always terminated. */
BUDDY_EXPORT void buddy_graph_dim_text(const buddy_graph *graph, int64_t dim, char *text,
                                       size_t size);
/* Reads such a text (also sympy's forms: Symbol('s0', …), Max, Min, FloorDiv, Mod, //, %, **).
 * Unknown symbols are BUDDY_NOT_FOUND. */
BUDDY_EXPORT buddy_code buddy_graph_dim_parse(buddy_graph *graph, buddy_sv text, buddy_diags *diags,
                                              int64_t *out_dim);
/* "f32[2,s0]" into `text`, always terminated. */
BUDDY_EXPORT void buddy_graph_type_text(const buddy_graph *graph, const buddy_tensor_type *type,
                                        char *text, size_t size);

/* ---- Whole graphs ---------------------------------------------------------------------------- */
/* Checks use lists, order of definition and use, kinds of arguments, types, names; reports all it
 * finds. */
BUDDY_EXPORT buddy_code buddy_graph_verify(const buddy_graph *graph, buddy_diags *diags);
/* The stable text form; buddy_graph_parse reads it back to an equal graph (data of inputs
 * apart). */
BUDDY_EXPORT buddy_code buddy_graph_print(const buddy_graph *graph, const buddy_writer *writer);
BUDDY_EXPORT buddy_code buddy_graph_parse(const buddy_opset *opset, buddy_sv text,
                                          buddy_diags *diags, buddy_graph **out_graph);

/* ---- Deprecated ------------------------------------------------------------------------------ */
/* buddy_graph_replace_value and buddy_graph_set_value_type on the value's own graph, which the const
 * here hides. They stay for the sources and programs that have them. */
BUDDY_EXPORT buddy_code buddy_value_replace(const buddy_value *value, const buddy_value *with);
BUDDY_EXPORT buddy_code buddy_value_set_type(const buddy_value *value,
                                             const buddy_tensor_type *type);

#ifdef __cplusplus
}
#endif
#endif
