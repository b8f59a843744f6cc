// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/lowering.h: the objects that exist while a graph becomes a module, shared by the files
 * of sdk/lower.
 *
 *   bd_lowering     one per module: context, caches, functions that were declared or lowered,
 * MLIR's last complaint bd_function     one per func.func under construction: block, values, dims;
 * the state that the engine hands back bd_transaction  one per try of a row, inside bd_function: a
 * detached block that is spliced or destroyed
 *
 * A function is one block, in the graph's order. So whatever a call needs first (a shape symbol as
 * index, say) is computed in that call's own block, and is there for all later ones once the call
 * is committed; if it is undone, nothing of it remains. What a call leaves in the module beside the
 * function (declarations, lowered subgraphs) is kept in a journal, which undo rolls back to where
 * it stood. */
#ifndef BUDDY_SDK_LOWER_LOWERING_H
#define BUDDY_SDK_LOWER_LOWERING_H

#include <stdbool.h>

#include "buddy/lower.h"
#include "buddy/mlir.h"
#include "core/base/hash.h"
#include "core/registry/emitter.h"
#include "mlir-c/Diagnostics.h"
#include "sdk/lower/module.h"

/* A function that is kept by name: an external declaration, or a subgraph. */
typedef struct bd_lower_symbol {
  MlirOperation op;
  MlirAttribute symbol;     /* @name */
  MlirType type;            /* of the function */
  const buddy_graph *graph; /* of a subgraph; null: a declaration */
  UT_hash_handle hh;        /* by name */
  UT_hash_handle by_graph;  /* subgraphs only */
  char name[];
} bd_lower_symbol;
/* An attribute or type that was parsed, by its text. */
typedef struct bd_text_entry bd_text_entry;
typedef struct bd_value_entry bd_value_entry;
typedef struct bd_dim_entry bd_dim_entry;

#define BD_N_DTYPES 32
#define BD_MAX_RANK 64
#define BD_MAX_OPS 65536    /* that one call may append */
#define BD_MAX_SUBGRAPHS 64 /* inside each other */

typedef struct bd_lowering {
  buddy_module *target;
  MlirContext context;
  MlirBlock body; /* of the module */
  buddy_plan *plan;
  buddy_params params;
  int fallback_on_error;
  buddy_diags *diags;
  MlirType element_types[BD_N_DTYPES]; /* made when first asked for */
  bd_text_entry *attributes, *types;   /* by text */
  bd_lower_symbol *symbols;            /* by name */
  bd_lower_symbol *subgraphs;          /* those of them that were lowered, by graph */
  bd_lower_symbol **journal;           /* the same, in order of creation */
  size_t n_journal;
  size_t depth;        /* of subgraphs being lowered */
  char complaint[512]; /* MLIR's first error since it was cleared; "" if none */
  MlirDiagnosticHandlerID handler;
} bd_lowering;

typedef struct bd_transaction {
  buddy_call *call; /* null: none is open */
  MlirBlock block;
  MlirLocation location;
  MlirValue *results; /* one per result of the node; null values: not set */
  size_t n_results, results_capacity;
  size_t n_ops;
  size_t journal_mark;
  bd_dim_entry *dims; /* made by this call, linked */
} bd_transaction;

/* Where a shape symbol can be read from: dim `dim` of a value that has been emitted. */
typedef struct bd_symbol_source {
  const buddy_value *value; /* null: not known */
  uint32_t dim;
} bd_symbol_source;

typedef struct bd_function {
  bd_lowering *lowering;
  buddy_graph *graph;
  MlirOperation op;
  MlirBlock block;
  MlirOperation last;        /* of the block; null: it is empty */
  bd_value_entry *values;    /* by buddy_value */
  bd_dim_entry *dims;        /* by dim */
  bool is_out_of_memory;     /* a dim could not be kept */
  bd_symbol_source *sources; /* by number of the symbol */
  size_t n_sources;
  char *is_pending; /* by guard of the graph: to be asserted when its symbols are known */
  size_t n_pending;
  bd_transaction transaction;
} bd_function;

static inline void bd_lowering_clear_complaint(bd_lowering *lowering) {
  lowering->complaint[0] = '\0';
}
/* What MLIR has said since the complaint was cleared. */
static inline const char *bd_function_complaint(const bd_function *function) {
  const char *text = function->lowering->complaint;
  return text[0] != '\0' ? text : "MLIR gives no reason";
}

/* ---- building.c: functions under construction ------------------------------------------------ */
/* An empty func.func of that name at the end of the module, for a graph. */
buddy_code bd_function_init(bd_function *function, bd_lowering *lowering, buddy_graph *graph,
                            const char *name, bool is_private);
/* Appends an argument to the function. */
MlirValue bd_function_add_argument(bd_function *function, MlirType type);
/* Puts a detached operation after all others of the function. */
void bd_function_add_last(bd_function *function, MlirOperation op);
/* Appends an operation to the open call's block or, outside of calls, to the function's; takes the
 * state over. */
MlirOperation bd_function_append(bd_function *function, MlirOperationState *state);
/* Of the open call, or unknown. */
MlirLocation bd_function_location(const bd_function *function);
/* The common form: one result. */
MlirValue bd_function_op(bd_function *function, const char *name, MlirType type,
                         const MlirValue *operands, size_t n_operands,
                         const MlirNamedAttribute *attributes, size_t n_attributes);

/* ---- function.c: the function of a graph ----------------------------------------------------- */
/* Emits all nodes and the return. */
buddy_code bd_function_emit(bd_function *function);
/* Frees the tables; the IR stays. */
void bd_function_deinit(bd_function *function);
/* Writes the outputs of the graph into the signature. */
buddy_code bd_function_describe_outputs(const bd_function *function, bd_signature *signature);

/* ---- params.c -------------------------------------------------------------------------------- */
/* Arguments and constants for the inputs of the graph, and the module's inputs. */
buddy_code bd_function_add_inputs(bd_function *function, bd_signature *signature);

/* ---- symbols.c: which IR value stands for a value of the graph ------------------------------- */
buddy_code bd_values_set(bd_function *function, const buddy_value *value, MlirValue ir_value);
/* Null if it has not been emitted. */
MlirValue bd_values_find(const bd_function *function, const buddy_value *value);
void bd_values_clear(bd_function *function);

/* ---- dims.c ---------------------------------------------------------------------------------- */
/* A dim as index, computed in the open transaction or, outside of one, in the function. Null after
 * a failure, which is recorded in the open call. */
MlirValue bd_dims_get(bd_function *function, int64_t dim);
/* Whether sizes of inputs may take the dim, or what it is computed from, beyond 64 bits or divide by 0. */
bool bd_dims_is_doubtful(const buddy_graph *graph, int64_t dim);
/* Notes which shape symbols can be read from the dims of a value that has been emitted. */
buddy_code bd_dims_learn(bd_function *function, const buddy_value *value);
/* Checks, in the program, what a value is the first to tell: sizes, and symbols that are
 * bound to it, are in the ranges that the program was exported for; sizes that the data tell are
 * those that the program says. Outside of transactions. */
buddy_code bd_dims_assert_told(bd_function *function, const buddy_value *value,
                               MlirLocation location);
/* Keeps or forgets what the open transaction has computed. */
void bd_dims_commit(bd_function *function);
void bd_dims_undo(bd_function *function);
void bd_dims_clear(bd_function *function);

/* Whether a dim of the graph's inputs is linear in the symbol. */
int bd_dims_input_tells(const buddy_graph *graph, int64_t symbol);
enum { BD_DIMS_SLE = 3, BD_DIMS_SGE = 5 }; /* predicates of arith.cmpi */
/* dim (predicate) number, as i1. Null after a failure. */
MlirValue bd_dims_compare(bd_function *function, int64_t predicate, int64_t dim, int64_t number);
/* Size `dim` of a tensor == number, as i1. Null after a failure. */
MlirValue bd_dims_compare_size(bd_function *function, MlirValue value, uint32_t dim,
                               int64_t number);
/* cf.assert */
buddy_code bd_dims_assert(bd_function *function, MlirValue is_ok, const char *text,
                          MlirLocation location);

/* ---- guards.c: what must hold of the sizes --------------------------------------------------- */
/* Guards that the user's inputs tell go into the signature; the others wait. signature: null: of a
 * subgraph. */
buddy_code bd_guards_begin(bd_function *function, bd_signature *signature);
/* Asserts those whose symbols have all become known; outside of calls. */
buddy_code bd_guards_assert(bd_function *function);
int bd_guards_are_known(const bd_function *function, int64_t dim);

/* ---- types.c --------------------------------------------------------------------------------- */
/* Null for BUDDY_DTYPE_NONE and numbers that are no dtype. */
MlirType bd_element_type(bd_lowering *lowering, buddy_dtype dtype);
/* Null if the type has no dtype, a negative size or a rank above BD_MAX_RANK. */
MlirType bd_tensor_type(bd_lowering *lowering, const buddy_tensor_type *type);
/* True if both are ranked tensors that differ at most in `?` against numbers. */
int bd_types_are_castable(MlirType a, MlirType b);
/* Parsed once per module; null if the text does not parse: see complaint. */
MlirAttribute bd_parse_attribute(bd_lowering *lowering, buddy_sv text);
MlirType bd_type_parse(bd_lowering *lowering, buddy_sv text);
void bd_texts_clear(bd_lowering *lowering);
/* Text of a type, cut to size. */
void bd_type_text(MlirType type, char *text, size_t size);

/* ---- location.c ------------------------------------------------------------------------------ */
/* loc("conv2d_3"("layer1.0.conv2"("model.py":41:0))) */
MlirLocation bd_node_location(MlirContext context, const buddy_node *node);

/* ---- functions.c: functions of the module by name -------------------------------------------- */
bd_lower_symbol *bd_lower_symbol_find(const bd_lowering *lowering, const char *name);
/* Null when memory is out. */
bd_lower_symbol *bd_lower_symbol_add(bd_lowering *lowering, const char *name);
/* A private external function; the same again if name and type agree. Null after a failure,
 * recorded in `call`. */
MlirAttribute bd_declare_function(bd_lowering *lowering, buddy_call *call, const char *name,
                                  MlirType type);
/* Erases what was created after the mark. */
void bd_journal_undo(bd_lowering *lowering, size_t mark);
void bd_journal_clear(bd_lowering *lowering);

/* ---- transaction.c --------------------------------------------------------------------------- */
buddy_code bd_transaction_begin(void *state, buddy_call *call);
buddy_code bd_transaction_commit(void *state, buddy_call *call);
void bd_transaction_undo(void *state, buddy_call *call);
/* The function behind a call that is being emitted here; null for any other call. */
bd_function *bd_call_function(const buddy_call *call);
/* The same for a call that wants to build: else the failure is recorded. */
bd_function *bd_call_building(buddy_call *call);
/* The same for the table of services, whose callers may still hold a call that has ended. */
bd_function *bd_transaction_of(void *state, buddy_call *call);
/* Appends to the open transaction; takes the state over. Records failures in the call. */
MlirOperation bd_transaction_append(bd_function *function, MlirOperationState *state);
buddy_code bd_transaction_set_result(bd_function *function, size_t i, MlirValue value);
/* Whether the open call may use the value: it is of its own block, or of the function so far. */
int bd_transaction_sees(const bd_function *function, MlirValue value);

/* ---- emitter.c ------------------------------------------------------------------------------- */
extern const bd_emitter bd_mlir_emitter;

/* ---- text.c: buddy.text/1 -------------------------------------------------------------------- */
buddy_code bd_ir_text(void *state, buddy_call *call, buddy_sv text, const buddy_ir_value *operands,
                      size_t n_operands, buddy_ir_value *out_results, size_t n_results);

static inline MlirStringRef bd_ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}
static inline MlirNamedAttribute bd_named(MlirContext context, const char *name,
                                          MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, bd_ref(name)), value);
}

#endif
