// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/lower.c: buddy_lower: dialects, the entry function, the last verification.
 *
 * The order of things: a module in a new context; the dialects of the registries; the function with
 * its arguments; the nodes, by the engine of core/registry, each in a transaction (emitter.c); the
 * return; the whole module verified. */
#include "sdk/lower/lowering.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/options.h"
#include "core/base/try.h"
#include "sdk/import/shard.h"
#include "sdk/lower/context.h"

/* ---- What MLIR says while rows build --------------------------------------------------------- */

static void append(MlirStringRef piece, void *user) {
  bd_lowering *lowering = user;
  const size_t used = strlen(lowering->complaint), room = sizeof(lowering->complaint) - 1 - used;
  const size_t n = piece.length < room ? piece.length : room;
  memcpy(lowering->complaint + used, piece.data, n);
  lowering->complaint[used + n] = '\0';
}

/* The first error is the cause; later ones follow from it. Whoever fails because of it reports the
 * text. */
static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *user) {
  bd_lowering *lowering = user;
  const bool is_error = mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  if (is_error && lowering->complaint[0] == '\0') mlirDiagnosticPrint(diagnostic, append, lowering);
  return mlirLogicalResultSuccess();
}

/* ---- Dialects -------------------------------------------------------------------------------- */

static int load_dialect(MlirContext context, const char *name) {
  return mlirContextGetOrLoadDialect(context, bd_ref(name)).ptr != NULL;
}

/* Those that the lowering and buddy/emit.h build with, then those that the registries name. */
static buddy_code load_dialects(bd_lowering *lowering) {
  static const char *const own[] = {"func", "arith", "cf", "tensor", "linalg", "complex"};
  const buddy_registries *registries = buddy_plan_registries(lowering->plan);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); ++i) {
    if (load_dialect(lowering->context, own[i])) continue;
    code = buddy_diags_add(lowering->diags, BUDDY_ERROR, BUDDY_INTERNAL, NULL, NULL,
                           "this LLVM does not have the dialect '%s'", own[i]);
  }
  for (size_t r = 0; r < buddy_registries_count(registries); ++r) {
    const buddy_registry *registry = buddy_registries_get(registries, r);
    const char *const *names =
        BUDDY_HAS(registry, buddy_registry, dialects) ? registry->dialects : NULL;
    for (; names && *names; ++names) {
      if (load_dialect(lowering->context, *names)) continue;
      code = buddy_diags_add(lowering->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, registry->name,
                             "leave the registry out of the order, or correct its list of dialects",
                             "the registry wants the dialect '%s', which this LLVM does not have",
                             *names);
    }
  }
  return code;
}

/* ---- The module ------------------------------------------------------------------------------ */

/* Whether steps of several sessions may be one run. */
static buddy_code note_rows(buddy_graph *graph, bd_signature *signature) {
  bd_batch batch;
  BD_TRY(bd_batch_prove(graph, &batch));
  const bd_batch_note note = {batch.is_proved ? batch.symbol + 1 : 0, batch.is_repeatable,
                              batch.why};
  return bd_signature_set_rows(signature, &note);
}

static buddy_code emit_entry(bd_lowering *lowering, bd_function *function) {
  bd_signature *signature = lowering->target->signature;
  buddy_graph *graph = buddy_plan_graph(lowering->plan);
  BD_TRY(bd_function_init(function, lowering, graph, lowering->target->function, 0));
  BD_TRY(bd_signature_add_symbols(signature, graph));
  BD_TRY(note_rows(graph, signature));
  BD_TRY(bd_function_add_inputs(function, signature));
  BD_TRY(bd_guards_begin(function, signature));
  BD_TRY(bd_function_emit(function));
  return bd_function_describe_outputs(function, signature);
}

/* Rows were verified op by op; what is left is what no single op can see: symbols, dominance, the
 * function. */
static buddy_code verify_module(bd_lowering *lowering) {
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, lowering->context, lowering->diags, BUDDY_VERIFY_FAILED,
                      "the module does not verify");
  const bool is_valid = mlirOperationVerify(mlirModuleGetOperation(lowering->target->module));
  bd_mlir_diags_end(&scope);
  if (is_valid) return BUDDY_OK;
  if (scope.n_errors > 0) return BUDDY_VERIFY_FAILED;
  return buddy_diags_add(lowering->diags, BUDDY_ERROR, BUDDY_VERIFY_FAILED, "module", NULL,
                         "the module does not verify, and MLIR gives no reason");
}

static buddy_code fill_module(bd_lowering *lowering) {
  bd_function function = {.graph = NULL};
  lowering->handler =
      mlirContextAttachDiagnosticHandler(lowering->context, on_diagnostic, lowering, NULL);
  buddy_code code = load_dialects(lowering);
  if (code == BUDDY_OK) code = emit_entry(lowering, &function);
  bd_function_deinit(&function);
  mlirContextDetachDiagnosticHandler(lowering->context, lowering->handler);
  return code == BUDDY_OK ? verify_module(lowering) : code;
}

static bool is_function_name(const char *name) {
  size_t n = 0;
  for (; name[n] != '\0'; ++n) {
    const char c = name[n];
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!is_letter && (n == 0 || !(c >= '0' && c <= '9'))) return false;
  }
  return n > 0 && n < 128;
}

buddy_code buddy_lower(buddy_plan *plan, const buddy_lower_options *options, buddy_diags *diags,
                       buddy_module **out_module) {
  BD_C_LOCALE();
  *out_module = NULL;
  if (!plan) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, NULL, NULL,
                           "there is no plan to lower");
  }
  buddy_lower_options known = {.struct_size = sizeof(known)};
  BD_TRY(bd_options_read(&known, sizeof(known), options, "buddy_lower_options", diags));
  const char *name = known.function ? known.function : "forward";
  if (!is_function_name(name) || (int)known.params < 0 || known.params > BUDDY_PARAMS_PACK) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, NULL,
                           "use a name as C has them, of at most 127 letters",
                           "the options of the lowering are not valid (function '%.64s')", name);
  }
  bd_lowering lowering = {.plan = plan,
                          .params = known.params,
                          .fallback_on_error = known.fallback_on_error,
                          .diags = diags};
  BD_TRY(bd_module_create(name, &lowering.target));
  lowering.context = lowering.target->context;
  lowering.body = mlirModuleGetBody(lowering.target->module);
  buddy_code code = fill_module(&lowering);
  bd_journal_clear(&lowering);
  bd_texts_clear(&lowering);
  if (code == BUDDY_OUT_OF_MEMORY) {
    buddy_diags_add(diags, BUDDY_ERROR, code, NULL, NULL,
                    "memory ran out while the program was lowered");
  }
  if (code == BUDDY_OK) {
    *out_module = lowering.target;
  } else {
    buddy_module_destroy(lowering.target);
  }
  return code;
}
