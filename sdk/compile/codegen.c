/* sdk/compile/codegen.c: see codegen.h.
 *
 * The road: llvm dialect → LLVM IR (mlirTranslateModuleToLLVMIR) → LLVM's own optimisations for the
 * target → what the caller adds (codegen.finish) → an object file in memory. */
#include "sdk/compile/codegen.h"

#include <stdlib.h>
#include <string.h>

#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Target/LLVMIR.h"
#include "sdk/compile/passes.h"
#include "sdk/compile/vector_math.h"
#include "sdk/lower/context.h"

#define OWN_PASSES 2 /* the level at which pipelines/machine.txt takes the place of LLVM's list */
#define KERNEL "buddy." /* leads the names of kernels.c and outline.c */

static buddy_code report(buddy_diags *diags, buddy_code code, const char *stage, char *message) {
  buddy_diags_add(diags, BUDDY_ERROR, code, "", NULL, "%s: %s", stage,
                  message != NULL ? message : "no reason given");
  LLVMDisposeMessage(message);
  return code;
}

buddy_code bd_llvm_check(LLVMErrorRef error, const char *stage, buddy_diags *diags) {
  if (error == NULL) return BUDDY_OK;
  char *message = LLVMGetErrorMessage(error);
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "", NULL, "%s: %s", stage, message);
  LLVMDisposeErrorMessage(message);
  return BUDDY_INTERNAL;
}

/* ---- LLVM IR
 * ------------------------------------------------------------------------------------------------------
 */

static void add_attribute(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(context, name, (unsigned)strlen(name),
                                                         value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void add_flag(LLVMValueRef function, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

/* Everything but the entry is internal. Kernels stay functions of their own: one large function
 * compiles slower than many small ones. On processors with 512-bit vectors LLVM uses 256 bits
 * unless it is told otherwise. */
static buddy_code prepare_functions(LLVMModuleRef module, const char *entry, buddy_diags *diags) {
  int has_entry = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName(f);
    if (LLVMIsDeclaration(f)) continue;
    add_attribute(f, "prefer-vector-width", "512");
    if (strcmp(name, entry) == 0) {
      has_entry = 1;
      continue;
    }
    LLVMSetLinkage(f, LLVMInternalLinkage);
    if (strncmp(name, KERNEL, strlen(KERNEL)) == 0) add_flag(f, "noinline");
  }
  if (has_entry) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "", NULL,
                         "the compiled module lacks %s", entry);
}

/* Owned by the caller; null: no memory. */
static char *passes_of(int opt_level) {
  char text[] = "default<O0>";
  if (opt_level == OWN_PASSES) return bd_passes_strip(bd_pipeline_machine);
  text[sizeof(text) - 3] = (char)('0' + opt_level);
  return strdup(text);
}

static buddy_code optimize(LLVMModuleRef module, int opt_level, LLVMTargetMachineRef machine,
                           buddy_diags *diags) {
  char *passes = passes_of(opt_level);
  if (passes == NULL) return BUDDY_OUT_OF_MEMORY;
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, opt_level > 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, opt_level > 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, opt_level > 2);
  const buddy_code code =
      bd_llvm_check(LLVMRunPasses(module, passes, machine, options), "optimising", diags);
  LLVMDisposePassBuilderOptions(options);
  free(passes);
  return code;
}

/* LLVM IR to an object file in memory. */
static buddy_code generate(LLVMModuleRef module, const char *entry, const bd_codegen *codegen,
                           bd_symbol_table *table, buddy_diags *diags,
                           LLVMMemoryBufferRef *out_object) {
  LLVMTargetMachineRef machine = NULL;
  char *message = NULL;
  buddy_code code = bd_target_machine(codegen->target, codegen->opt_level, diags, &machine);
  if (code != BUDDY_OK) return code;
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *triple = LLVMGetTargetMachineTriple(machine);
  char *features = LLVMGetTargetMachineFeatureString(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMSetTarget(module, triple);
  code = prepare_functions(module, entry, diags);
  if (code == BUDDY_OK && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    code = report(diags, BUDDY_INTERNAL, "translating to LLVM IR", message);
    message = NULL;
  }
  LLVMDisposeMessage(message);
  message = NULL;
  if (code == BUDDY_OK) code = bd_vector_math_apply(module, features, table);
  if (code == BUDDY_OK) code = optimize(module, codegen->opt_level, machine, diags);
  if (code == BUDDY_OK && codegen->finish != NULL)
    code = codegen->finish(codegen->user, module, diags);
  if (code == BUDDY_OK &&
      LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, out_object)) {
    code = report(diags, BUDDY_INTERNAL, "generating machine code", message);
  }
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(features);
  LLVMDisposeTargetData(layout);
  LLVMDisposeTargetMachine(machine);
  return code;
}

buddy_code bd_codegen_object(MlirModule module, const char *entry, const bd_codegen *codegen,
                             bd_symbol_table *table, buddy_diags *diags,
                             LLVMMemoryBufferRef *out_object) {
  const MlirContext context = mlirModuleGetContext(module);
  bd_mlir_diags scope;
  mlirRegisterAllLLVMTranslations(context);
  LLVMContextRef llvm = LLVMContextCreate();
  bd_mlir_diags_begin(&scope, context, diags, BUDDY_UNSUPPORTED, "translating to LLVM IR");
  LLVMModuleRef translated = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), llvm);
  bd_mlir_diags_end(&scope);
  buddy_code code = translated == NULL
                        ? BUDDY_UNSUPPORTED
                        : generate(translated, entry, codegen, table, diags, out_object);
  if (translated != NULL) LLVMDisposeModule(translated);
  LLVMContextDispose(llvm);
  return code;
}
