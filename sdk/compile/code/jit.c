// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/jit.c: linking object files into the process.
 *
 * The object files that codegen.c makes are linked into the process by ORC. MLIR's ExecutionEngine
 * does the same, but prints and aborts where we report, and keeps every function of the module
 * alive by wrapping it. */
#include "sdk/compile/code/jit.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"
#include "core/registry/functions.h"
#include "sdk/compile/code/codegen.h"
#include "sdk/compile/code/llvm_errors.h"
#include "sdk/runtime/services.h"
#include "sdk/runtime/callbacks.h"
#include "sdk/runtime/parallel_for.h"

struct bd_jit {
  LLVMOrcLLJITRef jit;
  bd_entry entry;
  const buddy_registries *registries; /* while linking; may be null */
  buddy_diags *diags;                 /* likewise */
  buddy_code failure;                 /* why linking failed, if that was reported */
};

/* ---- Linking ---- */

/* LLVM's words for names that were found nowhere: "Symbols not found: [ a, b ]". */
static void on_link_error(void *user, LLVMErrorRef error) {
  static const char lead[] = "Symbols not found: [ ";
  bd_jit *jit = user;
  char *message = LLVMGetErrorMessage(error);
  char *names = strstr(message, lead);
  if (names && jit->failure == BUDDY_OK) {
    names += sizeof(lead) - 1;
    names[strcspn(names, "]")] = '\0';
    jit->failure =
        buddy_diags_add(jit->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, "",
                        "load the registry that brings them, or define them in the module",
                        "the compiled code calls functions that nobody provides: %s", names);
  } else if (jit->failure == BUDDY_OK) { /* what follows a missing name only repeats it */
    jit->failure =
        buddy_diags_add(jit->diags, BUDDY_ERROR, BUDDY_INTERNAL, "", NULL, "linking: %s", message);
  }
  LLVMDisposeErrorMessage(message);
}

/* The address of the entry; links all that it needs. */
static buddy_code look_up(bd_jit *jit, const char *entry, LLVMOrcExecutorAddress *out_address) {
  LLVMErrorRef error = LLVMOrcLLJITLookup(jit->jit, out_address, entry);
  if (jit->failure == BUDDY_OK) return bd_llvm_check(error, "linking", jit->diags);
  LLVMConsumeError(error);
  return jit->failure;
}

/* Hands all names of the table to the linker at once. */
static buddy_code define_symbols(LLVMOrcLLJITRef jit, const bd_symbol_table *table,
                                 buddy_diags *diags) {
  const size_t n = bd_symbol_table_count(table);
  if (n == 0) return BUDDY_OK;
  LLVMOrcCSymbolMapPair *pairs = bd_calloc(n, sizeof(*pairs));
  if (!pairs) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    const bd_symbol_address symbol = bd_symbol_table_get(table, i);
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, symbol.name);
    pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbol.address;
    pairs[i].Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported;
  }
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, n);
  free(pairs);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), unit);
  if (error) LLVMOrcDisposeMaterializationUnit(unit);
  return bd_llvm_check(error, "linking", diags);
}

static buddy_code add_generator(LLVMOrcLLJITRef jit, LLVMErrorRef error,
                                LLVMOrcDefinitionGeneratorRef generator, buddy_diags *diags) {
  BD_TRY(bd_llvm_check(error, "linking", diags));
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return BUDDY_OK;
}

/* ---- Functions of registries --------------------------------------------------------------------
 * They are defined when the linker asks for them, so that a registry's library is loaded only for
 * code that calls it. */
static buddy_code define_function(bd_jit *jit, LLVMOrcJITDylibRef library,
                                  LLVMOrcSymbolStringPoolEntryRef name) {
  bd_registry_function function;
  const buddy_code code = bd_registries_function(
      jit->registries, LLVMOrcSymbolStringPoolEntryStr(name), jit->diags, &function);
  if (code != BUDDY_OK) return code == BUDDY_NOT_FOUND ? BUDDY_OK : code;
  const bd_callbacks told = {function.set_threads, function.set_crew, function.set_run,
                             bd_run_services(), bd_crew_services()};
  if (!bd_callbacks_add(&told)) return BUDDY_LIMIT;
  LLVMOrcRetainSymbolStringPoolEntry(name); /* for the pair */
  LLVMOrcCSymbolMapPair pair = {.Name = name};
  pair.Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)function.address;
  pair.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported;
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(&pair, 1);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(library, unit);
  if (error) LLVMOrcDisposeMaterializationUnit(unit);
  return bd_llvm_check(error, "linking", jit->diags);
}

/* A failure is reported and remembered; the linker then says of the name that nobody has it. */
static LLVMErrorRef find_functions(LLVMOrcDefinitionGeneratorRef generator, void *user,
                                   LLVMOrcLookupStateRef *state, LLVMOrcLookupKind kind,
                                   LLVMOrcJITDylibRef library, LLVMOrcJITDylibLookupFlags flags,
                                   LLVMOrcCLookupSet names, size_t n) {
  (void)generator, (void)state, (void)kind, (void)flags;
  bd_jit *jit = user;
  for (size_t i = 0; i < n; ++i) {
    const buddy_code code = define_function(jit, library, names[i].Name);
    if (jit->failure == BUDDY_OK) jit->failure = code;
  }
  return NULL;
}

static void define_registries(bd_jit *jit) {
  if (!jit->registries) return;
  LLVMOrcJITDylibAddGenerator(
      LLVMOrcLLJITGetMainJITDylib(jit->jit),
      LLVMOrcCreateCustomCAPIDefinitionGenerator(find_functions, jit, NULL));
}

/* ---- Functions of the process -------------------------------------------------------------------
 * After the table come the functions of the process, memcpy and the like, and those of libm, which
 * the process does not show where this library was loaded with RTLD_LOCAL. */
static buddy_code define_process(LLVMOrcLLJITRef jit, buddy_diags *diags) {
  LLVMOrcDefinitionGeneratorRef generator = NULL;
  const char prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
  LLVMErrorRef error =
      LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&generator, prefix, NULL, NULL);
  BD_TRY(add_generator(jit, error, generator, diags));
  error = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(&generator, "libm.so.6", prefix, NULL,
                                                            NULL);
  return add_generator(jit, error, generator, diags);
}

/* Takes over the objects. */
static buddy_code add_objects(LLVMOrcLLJITRef jit, bd_objects *objects, buddy_diags *diags) {
  for (size_t i = 0; i < objects->n; ++i) {
    LLVMMemoryBufferRef object = objects->items[i];
    objects->items[i] = NULL;
    BD_TRY(bd_llvm_check(LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object),
                         "linking", diags));
  }
  return BUDDY_OK;
}

static buddy_code add_shipped(LLVMOrcLLJITRef jit, const bd_shipped *shipped, buddy_diags *diags) {
  for (size_t i = 0; i < shipped->n_taken; ++i) {
    const bd_member *m = &shipped->taken[i];
    LLVMMemoryBufferRef object =
        LLVMCreateMemoryBufferWithMemoryRange(m->object, m->n_bytes, m->name, 0);
    BD_TRY(bd_llvm_check(LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object),
                         "linking", diags));
  }
  return BUDDY_OK;
}

static buddy_code link_objects(bd_jit *jit, const char *entry, bd_objects *objects,
                               const bd_shipped *shipped, const bd_symbol_table *table) {
  buddy_diags *diags = jit->diags;
  BD_TRY(bd_llvm_check(LLVMOrcCreateLLJIT(&jit->jit, NULL), "starting the linker", diags));
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->jit), on_link_error,
                                          jit);
  BD_TRY(add_objects(jit->jit, objects, diags));
  BD_TRY(add_shipped(jit->jit, shipped, diags));
  BD_TRY(define_symbols(jit->jit, table, diags));
  define_registries(jit);
  BD_TRY(define_process(jit->jit, diags));
  LLVMOrcExecutorAddress address = 0;
  BD_TRY(look_up(jit, entry, &address));
  jit->entry = (bd_entry)(uintptr_t)address;
  return BUDDY_OK;
}

buddy_code bd_jit_create(MlirModule module, const char *entry, const bd_target *target,
                         int opt_level, bd_symbol_table *table, const bd_shipped *shipped,
                         const buddy_registries *registries, buddy_diags *diags, bd_jit **out_jit) {
  *out_jit = NULL;
  bd_jit *jit = bd_calloc(1, sizeof(bd_jit));
  if (!jit) return BUDDY_OUT_OF_MEMORY;
  bd_objects objects = {0, {NULL}};
  jit->diags = diags;
  jit->registries = registries;
  const bd_codegen codegen = {target, opt_level, BD_MAX_PARTS, NULL, NULL, NULL};
  buddy_code code = bd_codegen_objects(module, entry, &codegen, table, diags, &objects);
  if (code == BUDDY_OK) code = link_objects(jit, entry, &objects, shipped, table);
  bd_objects_deinit(&objects);
  jit->diags = NULL;
  jit->registries = NULL;
  if (code != BUDDY_OK) {
    bd_jit_destroy(jit);
    return code;
  }
  *out_jit = jit;
  return BUDDY_OK;
}

void bd_jit_destroy(bd_jit *jit) {
  if (!jit) return;
  if (jit->jit) LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->jit));
  free(jit);
}

bd_entry bd_jit_entry(const bd_jit *jit) { return jit->entry; }
