/* sdk/compile/jit.c: see jit.h.
 *
 * The road: llvm dialect → LLVM IR (mlirTranslateModuleToLLVMIR) → LLVM's own optimisations for this processor →
 * an object file in memory → linked into the process by ORC. MLIR's ExecutionEngine does the same, but prints and aborts
 * where we report, and keeps every function of the module alive by wrapping it.
 *
 * The one exported function is built here, in LLVM IR: it unpacks an array of pointers into the arguments of the entry
 * function's C wrapper, so that C can call functions whose number of arguments is known only at run time. */
#include "sdk/compile/jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Target/LLVMIR.h"
#include "sdk/compile/vector_math.h"
#include "sdk/lower/context.h"

#define ENTRY "buddy_entry"
#define CIFACE "_mlir_ciface_"
#define KERNEL "buddy." /* leads the names of kernels.c and outline.c */

struct bd_jit {
  LLVMOrcLLJITRef jit;
  bd_jit_function entry;
  buddy_diags *diags; /* while linking */
};

static buddy_code report(buddy_diags *diags, buddy_code code, const char *stage, char *message) {
  buddy_diags_add(diags, BUDDY_ERROR, code, "", NULL, "%s: %s", stage, message != NULL ? message : "no reason given");
  LLVMDisposeMessage(message);
  return code;
}

/* Reports and frees an LLVM error; BUDDY_OK for none. */
static buddy_code check(LLVMErrorRef error, const char *stage, buddy_diags *diags) {
  if (error == NULL) return BUDDY_OK;
  char *message = LLVMGetErrorMessage(error);
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "", NULL, "%s: %s", stage, message);
  LLVMDisposeErrorMessage(message);
  return BUDDY_INTERNAL;
}

/* ---- The processor ------------------------------------------------------------------------------------------------ */

static buddy_code create_machine(int opt_level, buddy_diags *diags, LLVMTargetMachineRef *out_machine) {
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter() || LLVMInitializeNativeAsmParser()) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, "", NULL,
                           "this LLVM cannot generate code for this processor");
  }
  char *triple = LLVMGetDefaultTargetTriple();
  char *cpu = LLVMGetHostCPUName();
  char *features = LLVMGetHostCPUFeatures();
  buddy_code code = BUDDY_OK;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    code = report(diags, BUDDY_UNSUPPORTED, "choosing the target", message);
  } else {
    *out_machine = LLVMCreateTargetMachine(target, triple, cpu, features, (LLVMCodeGenOptLevel)opt_level,
                                           LLVMRelocPIC, LLVMCodeModelDefault);
    if (*out_machine == NULL) code = BUDDY_INTERNAL;
  }
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return code;
}

/* ---- LLVM IR ------------------------------------------------------------------------------------------------------ */

/* void buddy_entry(ptr *arguments) { _mlir_ciface_<entry>(arguments[0], arguments[1], …); } */
static buddy_code add_entry(LLVMModuleRef module, const char *entry, buddy_diags *diags) {
  char name[256];
  const int length = snprintf(name, sizeof(name), CIFACE "%s", entry);
  LLVMValueRef callee = length < (int)sizeof(name) ? LLVMGetNamedFunction(module, name) : NULL;
  if (callee == NULL) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "", NULL, "the compiled module lacks %s%s", CIFACE, entry);
  }
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef index = LLVMInt64TypeInContext(context);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, false);
  LLVMValueRef function = LLVMAddFunction(module, ENTRY, type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  const unsigned n = LLVMCountParams(callee);
  LLVMValueRef *arguments = calloc(n + 1u, sizeof(LLVMValueRef));
  if (arguments == NULL) {
    LLVMDisposeBuilder(builder);
    return BUDDY_OUT_OF_MEMORY;
  }
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef offset = LLVMConstInt(index, i, false);
    LLVMValueRef slot = LLVMBuildGEP2(builder, pointer, LLVMGetParam(function, 0), &offset, 1, "");
    arguments[i] = LLVMBuildLoad2(builder, pointer, slot, "");
  }
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, arguments, n, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  free(arguments);
  return BUDDY_OK;
}

static void add_attribute(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                         (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void add_flag(LLVMValueRef function, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

/* Everything but the entry is internal. Kernels stay functions of their own: one large function compiles slower than
 * many small ones. The function itself and its wrapper go into the entry, or hundreds of descriptors would travel over
 * the stack twice. On processors with 512-bit vectors LLVM uses 256 bits unless it is told otherwise. */
static void prepare_functions(LLVMModuleRef module, const char *entry) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName(f);
    if (LLVMIsDeclaration(f)) continue;
    add_attribute(f, "prefer-vector-width", "512");
    if (strcmp(name, ENTRY) == 0) continue;
    LLVMSetLinkage(f, LLVMInternalLinkage);
    const int is_wrapper = strncmp(name, CIFACE, strlen(CIFACE)) == 0 && strcmp(name + strlen(CIFACE), entry) == 0;
    if (is_wrapper || strcmp(name, entry) == 0) {
      add_flag(f, "alwaysinline");
    } else if (strncmp(name, KERNEL, strlen(KERNEL)) == 0) {
      add_flag(f, "noinline");
    }
  }
}

static buddy_code optimize(LLVMModuleRef module, int opt_level, LLVMTargetMachineRef machine, buddy_diags *diags) {
  char passes[] = "default<O0>";
  passes[sizeof(passes) - 3] = (char)('0' + opt_level);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, opt_level > 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, opt_level > 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, opt_level > 2);
  const buddy_code code = check(LLVMRunPasses(module, passes, machine, options), "optimising", diags);
  LLVMDisposePassBuilderOptions(options);
  return code;
}

/* LLVM IR to an object file in memory. */
static buddy_code generate(LLVMModuleRef module, const char *entry, int opt_level, bd_symbol_table *table,
                           buddy_diags *diags, LLVMMemoryBufferRef *out_object) {
  LLVMTargetMachineRef machine = NULL;
  char *message = NULL;
  buddy_code code = create_machine(opt_level, diags, &machine);
  if (code != BUDDY_OK) return code;
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *triple = LLVMGetTargetMachineTriple(machine);
  char *features = LLVMGetTargetMachineFeatureString(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMSetTarget(module, triple);
  code = add_entry(module, entry, diags);
  if (code == BUDDY_OK) prepare_functions(module, entry);
  if (code == BUDDY_OK && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    code = report(diags, BUDDY_INTERNAL, "translating to LLVM IR", message);
    message = NULL;
  }
  LLVMDisposeMessage(message);
  message = NULL;
  if (code == BUDDY_OK) code = bd_vector_math_apply(module, features, table);
  if (code == BUDDY_OK) code = optimize(module, opt_level, machine, diags);
  if (code == BUDDY_OK && LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, out_object)) {
    code = report(diags, BUDDY_INTERNAL, "generating machine code", message);
  }
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(features);
  LLVMDisposeTargetData(layout);
  LLVMDisposeTargetMachine(machine);
  return code;
}

static buddy_code compile(MlirModule module, const char *entry, int opt_level, bd_symbol_table *table,
                          buddy_diags *diags, LLVMMemoryBufferRef *out_object) {
  const MlirContext context = mlirModuleGetContext(module);
  bd_mlir_diags scope;
  mlirRegisterAllLLVMTranslations(context);
  LLVMContextRef llvm = LLVMContextCreate();
  bd_mlir_diags_begin(&scope, context, diags, BUDDY_INTERNAL, "translating to LLVM IR");
  LLVMModuleRef translated = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), llvm);
  bd_mlir_diags_end(&scope);
  buddy_code code = translated == NULL ? BUDDY_INTERNAL : generate(translated, entry, opt_level, table, diags, out_object);
  if (translated != NULL) LLVMDisposeModule(translated);
  LLVMContextDispose(llvm);
  return code;
}

/* ---- Linking ------------------------------------------------------------------------------------------------------ */

static void on_link_error(void *user, LLVMErrorRef error) {
  bd_jit *jit = user;
  check(error, "linking", jit->diags);
}

/* Hands all names of the table to the linker at once. */
static buddy_code define_symbols(LLVMOrcLLJITRef jit, const bd_symbol_table *table, buddy_diags *diags) {
  const size_t n = bd_symbol_table_count(table);
  if (n == 0) return BUDDY_OK;
  LLVMOrcCSymbolMapPair *pairs = calloc(n, sizeof(*pairs));
  if (pairs == NULL) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const bd_symbol_address symbol = bd_symbol_table_get(table, i);
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, symbol.name);
    pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbol.address;
    pairs[i].Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported;
  }
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, n);
  free(pairs);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), unit);
  if (error != NULL) LLVMOrcDisposeMaterializationUnit(unit);
  return check(error, "linking", diags);
}

/* Behind the table come the functions of the process: memcpy, expf and the like. */
static buddy_code define_process(LLVMOrcLLJITRef jit, buddy_diags *diags) {
  LLVMOrcDefinitionGeneratorRef generator = NULL;
  const char prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
  const buddy_code code = check(
      LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&generator, prefix, NULL, NULL), "linking", diags);
  if (code == BUDDY_OK) LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return code;
}

/* Takes over the object. */
static buddy_code link_object(bd_jit *jit, LLVMMemoryBufferRef object, const bd_symbol_table *table) {
  buddy_diags *diags = jit->diags;
  buddy_code code = check(LLVMOrcCreateLLJIT(&jit->jit, NULL), "starting the linker", diags);
  if (code != BUDDY_OK) {
    LLVMDisposeMemoryBuffer(object);
    return code;
  }
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->jit), on_link_error, jit);
  code = check(LLVMOrcLLJITAddObjectFile(jit->jit, LLVMOrcLLJITGetMainJITDylib(jit->jit), object), "linking", diags);
  if (code == BUDDY_OK) code = define_symbols(jit->jit, table, diags);
  if (code == BUDDY_OK) code = define_process(jit->jit, diags);
  LLVMOrcExecutorAddress address = 0;
  if (code == BUDDY_OK) code = check(LLVMOrcLLJITLookup(jit->jit, &address, ENTRY), "linking", diags);
  jit->entry = (bd_jit_function)(uintptr_t)address;
  return code;
}

buddy_code bd_jit_create(MlirModule module, const char *entry, int opt_level, bd_symbol_table *table,
                         buddy_diags *diags, bd_jit **out_jit) {
  *out_jit = NULL;
  bd_jit *jit = calloc(1, sizeof(bd_jit));
  if (jit == NULL) return BUDDY_OUT_OF_MEMORY;
  LLVMMemoryBufferRef object = NULL;
  jit->diags = diags;
  buddy_code code = compile(module, entry, opt_level, table, diags, &object);
  if (code == BUDDY_OK) code = link_object(jit, object, table);
  jit->diags = NULL;
  if (code != BUDDY_OK) {
    bd_jit_destroy(jit);
    return code;
  }
  *out_jit = jit;
  return BUDDY_OK;
}

void bd_jit_destroy(bd_jit *jit) {
  if (jit == NULL) return;
  if (jit->jit != NULL) LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->jit));
  free(jit);
}

bd_jit_function bd_jit_entry(const bd_jit *jit) { return jit->entry; }
