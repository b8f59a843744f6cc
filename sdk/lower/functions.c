// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/functions.c: functions of the module by name, and external declarations.
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

static const MlirAttribute no_attribute = {NULL};

/* ---- The table and the journal --------------------------------------------------------------- */

bd_lower_symbol *bd_lower_symbol_find(const bd_lowering *lowering, const char *name) {
  bd_lower_symbol *entry = NULL;
  HASH_FIND(hh, lowering->symbols, name, strlen(name), entry);
  return entry;
}

bd_lower_symbol *bd_lower_symbol_add(bd_lowering *lowering, const char *name) {
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

static MlirOperation declare(bd_lowering *lowering, const char *name, MlirType type) {
  const MlirContext context = lowering->context;
  const MlirNamedAttribute attributes[] = {
      bd_named(context, "sym_name", mlirStringAttrGet(context, bd_ref(name))),
      bd_named(context, "function_type", mlirTypeAttrGet(type)),
      bd_named(context, "sym_visibility", mlirStringAttrGet(context, bd_ref("private"))),
      bd_named(context, "llvm.emit_c_interface", mlirUnitAttrGet(context))};
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
  bd_lower_symbol *entry = bd_lower_symbol_find(lowering, name);
  if (entry && !entry->graph && mlirTypeEqual(entry->type, type)) return entry->symbol;
  if (entry || strcmp(name, lowering->target->function) == 0) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                 "the module has a function @%s of another type already", name);
    return no_attribute;
  }
  entry = bd_lower_symbol_add(lowering, name);
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
