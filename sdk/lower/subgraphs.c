// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/subgraphs.c: subgraphs as private functions of the module. */
#include <stdio.h>

#include "mlir-c/BuiltinAttributes.h"
#include "sdk/lower/lowering.h"

static const MlirAttribute no_attribute = {NULL};

/* forward_true_graph_0; a number is added until the name is new. */
static buddy_code choose_name(const bd_lowering *lowering, const buddy_graph *graph, char *name,
                              size_t size) {
  const char *own = buddy_graph_name(graph);
  if (!own || own[0] == '\0') own = "subgraph";
  int n = snprintf(name, size, "%s_%s", lowering->target->function, own);
  for (int k = 1; n > 0 && (size_t)n < size && bd_lower_symbol_find(lowering, name); ++k) {
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
  bd_lower_symbol *entry = bd_lower_symbol_add(lowering, name);
  if (!entry) return NULL;
  entry->graph = graph;
  HASH_ADD(by_graph, lowering->subgraphs, graph, sizeof(entry->graph), entry);
  if (!hash_is_full) return entry;
  entry->graph = NULL; /* a declaration without an op: undone with the call */
  return NULL;
}

static MlirAttribute lower_subgraph(bd_lowering *lowering, buddy_call *call,
                                    const buddy_graph *graph, MlirType *out_type) {
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

MlirAttribute buddy_mlir_lower_subgraph(buddy_call *call, const buddy_graph *graph,
                                        MlirType *out_type) {
  bd_function *function = bd_call_building(call);
  MlirType type = {NULL};
  MlirAttribute symbol = {NULL};
  if (function) symbol = lower_subgraph(function->lowering, call, graph, &type);
  if (out_type) *out_type = type;
  return symbol;
}
