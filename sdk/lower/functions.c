// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/functions.c: functions of the module by name: external declarations, and subgraphs as
 * private functions.
 *
 * All that was created is linked in a journal by order of creation, so that undoing a call takes
 * away what it created, subgraphs of subgraphs included. */
#include "sdk/lower/lowering.h"

#include <stdio.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

struct bd_lower_symbol {
  MlirOperation op;
  MlirAttribute symbol;     /* @name */
  MlirType type;            /* of the function */
  const buddy_graph *graph; /* of a subgraph; null: a declaration */
  UT_hash_handle hh;        /* by name */
  UT_hash_handle by_graph;  /* subgraphs only */
  char name[];
};

static const MlirAttribute no_attribute = {NULL};

/* ---- The table and the journal --------------------------------------------------------------- */

static bd_lower_symbol *find(const bd_lowering *lowering, const char *name) {
  bd_lower_symbol *entry = NULL;
  HASH_FIND(hh, lowering->symbols, name, strlen(name), entry);
  return entry;
}

/* Null when memory is out. */
static bd_lower_symbol *add(bd_lowering *lowering, const char *name) {
  bool hash_is_full = false;
  const size_t n = lowering->n_journal, length = strlen(name);
  bd_lower_symbol **journal = bd_array_next(lowering->journal, n, sizeof(*journal));
  if (!journal) return NULL;
  lowering->journal = journal;
  bd_lower_symbol *entry = bd_calloc(1, sizeof(bd_lower_symbol) + length + 1);
  if (!entry) return NULL;
  memcpy(entry->name, name, length + 1);
  HASH_ADD_KEYPTR(hh, lowering->symbols, entry->name, length, entry);
  if (hash_is_full) {
    bd_free(entry);
    return NULL;
  }
  entry->symbol = mlirFlatSymbolRefAttrGet(lowering->context, bd_ref(name));
  lowering->journal[lowering->n_journal++] = entry;
  return entry;
}

/* Takes the latest entry out of the tables; its function is left to the caller. */
static bd_lower_symbol *pop(bd_lowering *lowering) {
  bd_lower_symbol *entry = lowering->journal[--lowering->n_journal];
  HASH_DEL(lowering->symbols, entry);
  if (entry->graph) HASH_DELETE(by_graph, lowering->subgraphs, entry);
  return entry;
}

void bd_journal_undo(bd_lowering *lowering, size_t mark) {
  while (lowering->n_journal > mark) {
    bd_lower_symbol *entry = pop(lowering);
    if (entry->op.ptr) mlirOperationDestroy(entry->op);
    bd_free(entry);
  }
}

void bd_journal_clear(bd_lowering *lowering) {
  while (lowering->n_journal > 0) bd_free(pop(lowering));
  bd_free(lowering->journal);
  lowering->journal = NULL;
}

/* ---- Declarations ---------------------------------------------------------------------------- */

static MlirNamedAttribute named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, bd_ref(name)), value);
}

static MlirOperation declare(bd_lowering *lowering, const char *name, MlirType type) {
  const MlirContext context = lowering->context;
  const MlirNamedAttribute attributes[] = {
      named(context, "sym_name", mlirStringAttrGet(context, bd_ref(name))),
      named(context, "function_type", mlirTypeAttrGet(type)),
      named(context, "sym_visibility", mlirStringAttrGet(context, bd_ref("private"))),
      named(context, "llvm.emit_c_interface", mlirUnitAttrGet(context))};
  MlirRegion region = mlirRegionCreate();
  MlirOperationState state =
      mlirOperationStateGet(bd_ref("func.func"), mlirLocationUnknownGet(context));
  mlirOperationStateAddAttributes(&state, 4, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

MlirAttribute bd_declare_function(bd_lowering *lowering, buddy_call *call, const char *name,
                                  MlirType type) {
  if (!name || name[0] == '\0' || !type.ptr || !mlirTypeIsAFunction(type)) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                 "a function is declared by a name and a function type");
    return no_attribute;
  }
  bd_lower_symbol *entry = find(lowering, name);
  if (entry && !entry->graph && mlirTypeEqual(entry->type, type)) return entry->symbol;
  if (entry || strcmp(name, lowering->target->function) == 0) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                 "the module has a function @%s of another type already", name);
    return no_attribute;
  }
  entry = add(lowering, name);
  if (!entry) {
    bd_call_fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
    return no_attribute;
  }
  entry->type = type;
  entry->op = declare(lowering, name, type);
  if (!entry->op.ptr) {
    bd_call_fail(call, BUDDY_INTERNAL, "MLIR cannot declare @%s", name);
    return no_attribute;
  }
  mlirBlockAppendOwnedOperation(lowering->body, entry->op);
  return entry->symbol;
}

/* ---- Subgraphs ------------------------------------------------------------------------------- */

/* forward_true_graph_0; a number is added until the name is new. */
static buddy_code choose_name(const bd_lowering *lowering, const buddy_graph *graph, char *name,
                              size_t size) {
  const char *own = buddy_graph_name(graph);
  if (!own || own[0] == '\0') own = "subgraph";
  int n = snprintf(name, size, "%s_%s", lowering->target->function, own);
  for (int k = 1; n > 0 && (size_t)n < size && find(lowering, name); ++k) {
    n = snprintf(name, size, "%s_%s_%d", lowering->target->function, own, k);
  }
  return n > 0 && (size_t)n < size ? BUDDY_OK : BUDDY_LIMIT;
}

static buddy_code lower(bd_lowering *lowering, bd_lower_symbol *entry) {
  bd_function function;
  buddy_graph *graph =
      (buddy_graph *)(uintptr_t)entry->graph; /* the plan may change it, who reads it may not */
  buddy_code code = bd_function_init(&function, lowering, graph, entry->name, 1);
  entry->op = function.op;
  if (code == BUDDY_OK) code = bd_function_add_inputs(&function, NULL);
  if (code == BUDDY_OK) code = bd_guards_begin(&function, NULL);
  if (code == BUDDY_OK) code = bd_function_emit(&function);
  if (code == BUDDY_OK) {
    entry->type = mlirTypeAttrGetValue(
        mlirOperationGetInherentAttributeByName(entry->op, bd_ref("function_type")));
  }
  bd_function_deinit(&function);
  return code;
}

/* Null when memory is out. */
static bd_lower_symbol *add_subgraph(bd_lowering *lowering, const char *name,
                                     const buddy_graph *graph) {
  bool hash_is_full = false;
  bd_lower_symbol *entry = add(lowering, name);
  if (!entry) return NULL;
  entry->graph = graph;
  HASH_ADD(by_graph, lowering->subgraphs, graph, sizeof(entry->graph), entry);
  if (!hash_is_full) return entry;
  entry->graph = NULL; /* a declaration without an op: undone with the call */
  return NULL;
}

MlirAttribute bd_lower_subgraph(bd_lowering *lowering, buddy_call *call, const buddy_graph *graph,
                                MlirType *out_type) {
  char name[256];
  if (!graph || !buddy_graph_parent(graph)) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                 "only a subgraph of the program can be lowered to a function");
    return no_attribute;
  }
  bd_lower_symbol *entry = NULL;
  HASH_FIND(by_graph, lowering->subgraphs, &graph, sizeof(graph), entry);
  if (entry && entry->type.ptr) {
    *out_type = entry->type;
    return entry->symbol;
  }
  if (entry) { /* it is being lowered, or has failed in this very call */
    bd_call_fail(call, BUDDY_CYCLE, "subgraph %s contains itself", entry->name);
    return no_attribute;
  }
  if (lowering->depth == BD_MAX_SUBGRAPHS) {
    bd_call_fail(call, BUDDY_LIMIT, "subgraphs lie more than %d inside each other",
                 BD_MAX_SUBGRAPHS);
    return no_attribute;
  }
  if (choose_name(lowering, graph, name, sizeof(name)) != BUDDY_OK) {
    bd_call_fail(call, BUDDY_LIMIT, "the name of a subgraph is too long");
    return no_attribute;
  }
  entry = add_subgraph(lowering, name, graph);
  if (!entry) {
    bd_call_fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
    return no_attribute;
  }
  ++lowering->depth;
  const buddy_code code = lower(lowering, entry);
  --lowering->depth;
  *out_type = entry->type;
  if (code == BUDDY_OK) return entry->symbol;
  bd_call_fail(call, code, "subgraph %s cannot be lowered", name);
  return no_attribute;
}
