/* sdk/compile/jit.c: see jit.h.
 *
 * The road: llvm dialect → LLVM IR (mlirTranslateModuleToLLVMIR) → LLVM's own optimisations for
 * this processor → an object file in memory → linked into the process by ORC. MLIR's
 * ExecutionEngine does the same, but prints and aborts where we report, and keeps every function of
 * the module alive by wrapping it.
 */
#include "sdk/compile/jit.h"

#include <pthread.h>
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

#define KERNEL "buddy." /* leads the names of kernels.c and outline.c */

struct bd_jit {
  LLVMOrcLLJITRef jit;
  bd_entry entry;
  buddy_diags *diags; /* while linking */
  buddy_code failure; /* why linking failed, if that was reported */
};

static buddy_code report(buddy_diags *diags, buddy_code code, const char *stage, char *message) {
  buddy_diags_add(diags, BUDDY_ERROR, code, "", NULL, "%s: %s", stage,
                  message != NULL ? message : "no reason given");
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

/* ---- The processor
 * ------------------------------------------------------------------------------------------------
 */

/* LLVM keeps its targets in globals that two threads must not fill at once. */
static int has_target;
static void initialize_target(void) {
  has_target = !LLVMInitializeNativeTarget() && !LLVMInitializeNativeAsmPrinter() &&
               !LLVMInitializeNativeAsmParser();
}

static buddy_code create_machine(int opt_level, buddy_diags *diags,
                                 LLVMTargetMachineRef *out_machine) {
  LLVMTargetRef target;
  char *message = NULL;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize_target);
  if (!has_target) {
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
    *out_machine =
        LLVMCreateTargetMachine(target, triple, cpu, features, (LLVMCodeGenOptLevel)opt_level,
                                LLVMRelocPIC, LLVMCodeModelDefault);
    if (*out_machine == NULL) code = BUDDY_INTERNAL;
  }
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return code;
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

static buddy_code optimize(LLVMModuleRef module, int opt_level, LLVMTargetMachineRef machine,
                           buddy_diags *diags) {
  char passes[] = "default<O0>";
  passes[sizeof(passes) - 3] = (char)('0' + opt_level);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, opt_level > 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, opt_level > 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, opt_level > 2);
  const buddy_code code =
      check(LLVMRunPasses(module, passes, machine, options), "optimising", diags);
  LLVMDisposePassBuilderOptions(options);
  return code;
}

/* LLVM IR to an object file in memory. */
static buddy_code generate(LLVMModuleRef module, const char *entry, int opt_level,
                           bd_symbol_table *table, buddy_diags *diags,
                           LLVMMemoryBufferRef *out_object) {
  LLVMTargetMachineRef machine = NULL;
  char *message = NULL;
  buddy_code code = create_machine(opt_level, diags, &machine);
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
  if (code == BUDDY_OK) code = optimize(module, opt_level, machine, diags);
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

static buddy_code compile(MlirModule module, const char *entry, int opt_level,
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
                        : generate(translated, entry, opt_level, table, diags, out_object);
  if (translated != NULL) LLVMDisposeModule(translated);
  LLVMContextDispose(llvm);
  return code;
}

/* ---- Linking
 * ------------------------------------------------------------------------------------------------------
 */

/* LLVM's words for names that were found nowhere: "Symbols not found: [ a, b ]". */
static void on_link_error(void *user, LLVMErrorRef error) {
  static const char lead[] = "Symbols not found: [ ";
  bd_jit *jit = user;
  char *message = LLVMGetErrorMessage(error);
  char *names = strstr(message, lead);
  if (names != NULL) {
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
  if (jit->failure == BUDDY_OK) return check(error, "linking", jit->diags);
  LLVMConsumeError(error);
  return jit->failure;
}

/* Hands all names of the table to the linker at once. */
static buddy_code define_symbols(LLVMOrcLLJITRef jit, const bd_symbol_table *table,
                                 buddy_diags *diags) {
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

static buddy_code add_generator(LLVMOrcLLJITRef jit, LLVMErrorRef error,
                                LLVMOrcDefinitionGeneratorRef generator, buddy_diags *diags) {
  const buddy_code code = check(error, "linking", diags);
  if (code == BUDDY_OK) LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return code;
}

/* Behind the table come the functions of the process, memcpy and the like, and those of libm, which
 * the process does not show where this library was loaded with RTLD_LOCAL. */
static buddy_code define_process(LLVMOrcLLJITRef jit, buddy_diags *diags) {
  LLVMOrcDefinitionGeneratorRef generator = NULL;
  const char prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
  LLVMErrorRef error =
      LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&generator, prefix, NULL, NULL);
  const buddy_code code = add_generator(jit, error, generator, diags);
  if (code != BUDDY_OK) return code;
  error = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(&generator, "libm.so.6", prefix, NULL,
                                                            NULL);
  return add_generator(jit, error, generator, diags);
}

/* Takes over the object. */
static buddy_code link_object(bd_jit *jit, const char *entry, LLVMMemoryBufferRef object,
                              const bd_symbol_table *table) {
  buddy_diags *diags = jit->diags;
  buddy_code code = check(LLVMOrcCreateLLJIT(&jit->jit, NULL), "starting the linker", diags);
  if (code != BUDDY_OK) {
    LLVMDisposeMemoryBuffer(object);
    return code;
  }
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->jit), on_link_error,
                                          jit);
  code = check(LLVMOrcLLJITAddObjectFile(jit->jit, LLVMOrcLLJITGetMainJITDylib(jit->jit), object),
               "linking", diags);
  if (code == BUDDY_OK) code = define_symbols(jit->jit, table, diags);
  if (code == BUDDY_OK) code = define_process(jit->jit, diags);
  LLVMOrcExecutorAddress address = 0;
  if (code == BUDDY_OK) code = look_up(jit, entry, &address);
  jit->entry = (bd_entry)(uintptr_t)address;
  return code;
}

buddy_code bd_jit_create(MlirModule module, const char *entry, int opt_level,
                         bd_symbol_table *table, buddy_diags *diags, bd_jit **out_jit) {
  *out_jit = NULL;
  bd_jit *jit = calloc(1, sizeof(bd_jit));
  if (jit == NULL) return BUDDY_OUT_OF_MEMORY;
  LLVMMemoryBufferRef object = NULL;
  jit->diags = diags;
  buddy_code code = compile(module, entry, opt_level, table, diags, &object);
  if (code == BUDDY_OK) code = link_object(jit, entry, object, table);
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

bd_entry bd_jit_entry(const bd_jit *jit) { return jit->entry; }
