// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/codegen.c: from the llvm dialect to object files.
 *
 * The road of each part: llvm dialect → LLVM IR (mlirTranslateModuleToLLVMIR) → LLVM's own
 * optimisations for the target → what the caller adds (codegen.finish) → an object file in memory.
 * A part has an LLVM context of its own, so that threads can work on several; what touches MLIR or
 * the caller's things is done under a lock. */
#include "sdk/compile/code/codegen.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Target/LLVMIR.h"
#include "sdk/compile/code/booleans.h"
#include "sdk/compile/passes.h"
#include "sdk/compile/code/inlined.h"
#include "sdk/compile/code/llvm_errors.h"
#include "sdk/compile/code/sanitized.h"
#include "sdk/compile/code/stores.h"
#include "sdk/compile/code/vector_math.h"
#include "sdk/lower/context.h"
#include "sdk/runtime/threads.h"

#define OWN_PASSES 2 /* the level at which pipelines/machine.txt takes the place of LLVM's list */

static buddy_code report(buddy_diags *diags, buddy_code code, const char *stage, char *message) {
  buddy_diags_add(diags, BUDDY_ERROR, code, "", NULL, "%s: %s", stage,
                  message ? message : "no reason given");
  LLVMDisposeMessage(message);
  return code;
}

/* ---- LLVM IR ---- */

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

/* Everything but the entry is internal, or hidden where other parts may call it. Kernels stay
 * functions of their own: one large function compiles slower than many small ones. On processors
 * with 512-bit vectors LLVM uses 256 bits unless it is told otherwise, by a function itself or here. */
static void prepare_function(LLVMValueRef f, bool is_alone) {
  const char *name = LLVMGetValueName(f);
  const bool is_kernel = strncmp(name, BD_KERNEL_PREFIX, strlen(BD_KERNEL_PREFIX)) == 0;
  if (is_kernel) add_flag(f, "noinline");
  if (is_kernel && !is_alone)
    LLVMSetVisibility(f, LLVMHiddenVisibility);
  else
    LLVMSetLinkage(f, LLVMInternalLinkage);
}

#define WIDTH "prefer-vector-width"

/* entry: null where it is in another part. */
static buddy_code prepare_functions(LLVMModuleRef module, const char *entry, bool is_alone,
                                    buddy_diags *diags) {
  bool has_entry = !entry;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    if (!LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, WIDTH,
                                       sizeof(WIDTH) - 1))
      add_attribute(f, WIDTH, "512");
    if (entry && strcmp(LLVMGetValueName(f), entry) == 0)
      has_entry = true;
    else
      prepare_function(f, is_alone);
  }
  if (has_entry) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "", NULL,
                         "the compiled module lacks %s", entry);
}

/* Owned by the caller; null: no memory. */
static char *passes_of(int opt_level, bool is_cold) {
  char text[] = "default<O0>";
  if (opt_level == OWN_PASSES)
    return bd_passes_strip(is_cold ? bd_pipeline_cold : bd_pipeline_machine);
  text[sizeof(text) - 3] = (char)('0' + opt_level);
  return bd_strdup(text);
}

/* Under AddressSanitizer what is called in this process is checked (sanitized.h): what its caller
 * finishes becomes a file, which is linked without the sanitizer's runtime. */
static buddy_code optimize(LLVMModuleRef module, int opt_level, bool is_cold, bool is_file,
                           LLVMTargetMachineRef machine, buddy_diags *diags) {
  char *passes = passes_of(opt_level, is_cold);
  if (!passes) return BUDDY_OUT_OF_MEMORY;
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, opt_level > 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, opt_level > 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, opt_level > 2);
  if (!is_file) bd_sanitized_mark(module);
  buddy_code code =
      bd_llvm_check(LLVMRunPasses(module, passes, machine, options), "optimising", diags);
  if (code == BUDDY_OK) bd_stores_keep_whole(module);
  if (code == BUDDY_OK && !is_file) code = bd_sanitized_apply(module, machine, diags);
  LLVMDisposePassBuilderOptions(options);
  free(passes);
  return code;
}

/* ---- One part ---- */

typedef struct work {
  const bd_codegen *codegen;
  const bd_parts *parts;
  const char *entry;
  bd_symbol_table *table;
  pthread_mutex_t lock; /* of all below, and of MLIR and the caller's things */
  size_t next;          /* the part that nobody has taken yet */
  bd_objects *objects;
  buddy_diags *diags[BD_MAX_PARTS];
  buddy_code codes[BD_MAX_PARTS];
} work;

/* A part in LLVM's hands. */
typedef struct part {
  size_t i;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  buddy_diags *diags;
} part;

static buddy_code translate(MlirModule module, part *p) {
  const MlirContext context = mlirModuleGetContext(module);
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, context, p->diags, BUDDY_UNSUPPORTED, "translating to LLVM IR");
  p->module = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), p->context);
  bd_mlir_diags_end(&scope);
  return !p->module ? BUDDY_UNSUPPORTED : BUDDY_OK;
}

static buddy_code set_target(const part *p) {
  char *triple = LLVMGetTargetMachineTriple(p->machine);
  if (!triple) return BUDDY_OUT_OF_MEMORY;
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(p->machine);
  LLVMSetModuleDataLayout(p->module, layout);
  LLVMSetTarget(p->module, triple);
  LLVMDisposeMessage(triple);
  LLVMDisposeTargetData(layout);
  return BUDDY_OK;
}

static buddy_code verify(const part *p) {
  char *message = NULL;
  if (LLVMVerifyModule(p->module, LLVMReturnStatusAction, &message))
    return report(p->diags, BUDDY_INTERNAL, "translating to LLVM IR", message);
  LLVMDisposeMessage(message);
  return BUDDY_OK;
}

/* What is cold becomes machine code in a third of the time without LLVM's optimisations there. */
static int machine_level(const work *w, size_t i) {
  const int level = w->codegen->opt_level;
  return level == OWN_PASSES && w->parts->is_cold[i] ? 0 : level;
}

/* Under the lock. */
static buddy_code begin(const work *w, part *p) {
  const char *entry = p->i == 0 ? w->entry : NULL;
  BD_TRY(translate(w->parts->items[p->i], p));
  BD_TRY(bd_target_machine(w->codegen->target, machine_level(w, p->i), p->diags, &p->machine));
  BD_TRY(set_target(p));
  BD_TRY(prepare_functions(p->module, entry, w->parts->n == 1, p->diags));
  BD_TRY(verify(p));
  bd_booleans_widen(p->module);
  char *features = LLVMGetTargetMachineFeatureString(p->machine);
  if (!features) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_OK;
  if (w->codegen->target->machine.has_fused) code = bd_inlined_apply(p->module, features, p->diags);
  if (code == BUDDY_OK) code = bd_vector_math_apply(p->module, features, w->table);
  LLVMDisposeMessage(features);
  return code;
}

static buddy_code finish(work *w, const part *p) {
  if (!w->codegen->finish) return BUDDY_OK;
  pthread_mutex_lock(&w->lock);
  const buddy_code code = w->codegen->finish(w->codegen->user, p->module, p->i == 0, p->diags);
  pthread_mutex_unlock(&w->lock);
  return code;
}

static buddy_code emit(const part *p, LLVMMemoryBufferRef *out_object) {
  char *message = NULL;
  if (!LLVMTargetMachineEmitToMemoryBuffer(p->machine, p->module, LLVMObjectFile, &message,
                                           out_object))
    return BUDDY_OK;
  return report(p->diags, BUDDY_INTERNAL, "generating machine code", message);
}

static void end(part *p) {
  if (p->module) LLVMDisposeModule(p->module);
  if (p->machine) LLVMDisposeTargetMachine(p->machine);
  LLVMContextDispose(p->context);
}

/* ---- All parts ---- */

/* The next part up to its begin; 0: there is none. */
static int take(work *w, part *p, buddy_code *out_code) {
  pthread_mutex_lock(&w->lock);
  const bool is_there = w->next < w->parts->n;
  if (is_there) {
    *p = (part){.i = w->next++, .context = LLVMContextCreate()};
    p->diags = w->diags[p->i];
    *out_code = begin(w, p);
  }
  pthread_mutex_unlock(&w->lock);
  return is_there;
}

static void *do_parts(void *user) {
  BD_C_LOCALE();
  work *w = user;
  part p;
  buddy_code code;
  while (take(w, &p, &code)) {
    if (code == BUDDY_OK)
      code = optimize(p.module, w->codegen->opt_level, w->parts->is_cold[p.i],
                      w->codegen->finish != NULL, p.machine, p.diags);
    if (code == BUDDY_OK) bd_inlined_scale(p.module);
    if (code == BUDDY_OK) code = finish(w, &p);
    if (code == BUDDY_OK) code = emit(&p, &w->objects->items[p.i]);
    w->codes[p.i] = code;
    end(&p);
  }
  return NULL;
}

/* Without the threads that the system has no room for, it takes longer. */
static void do_all(work *w) {
  pthread_t threads[BD_MAX_PARTS];
  sigset_t all, before;
  const size_t most = (size_t)bd_threads_default();
  size_t n = 0;
  sigfillset(&all); /* signals are for the program's own threads */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (n + 1 < w->parts->n && n + 1 < most && pthread_create(&threads[n], NULL, do_parts, w) == 0)
    ++n;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  do_parts(w);
  while (n > 0) pthread_join(threads[--n], NULL);
}

/* What was said of each part, in their order. */
static buddy_code gather(const work *w, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < w->parts->n; ++i) {
    for (size_t k = 0; k < buddy_diags_count(w->diags[i]); ++k) {
      const buddy_diag *d = buddy_diags_get(w->diags[i], k);
      buddy_diags_add(diags, d->severity, d->code, d->where, d->todo, "%s", d->what);
    }
    if (code == BUDDY_OK) code = w->codes[i];
  }
  return code;
}

static buddy_code generate(work *w, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < w->parts->n && code == BUDDY_OK; ++i)
    code = buddy_diags_create(&w->diags[i]);
  if (code == BUDDY_OK && pthread_mutex_init(&w->lock, NULL) != 0) code = BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) {
    do_all(w);
    code = gather(w, diags);
    pthread_mutex_destroy(&w->lock);
  }
  for (size_t i = 0; i < w->parts->n; ++i) buddy_diags_destroy(w->diags[i]);
  return code;
}

void bd_objects_deinit(bd_objects *objects) {
  for (size_t i = 0; i < objects->n; ++i) {
    if (objects->items[i]) LLVMDisposeMemoryBuffer(objects->items[i]);
  }
  objects->n = 0;
}

buddy_code bd_codegen_objects(MlirModule module, const char *entry, const bd_codegen *codegen,
                              bd_symbol_table *table, buddy_diags *diags, bd_objects *out_objects) {
  bd_parts parts;
  *out_objects = (bd_objects){0, {NULL}};
  mlirRegisterAllLLVMTranslations(mlirModuleGetContext(module));
  buddy_code code =
      bd_parts_split(module, codegen->most_parts, codegen->stays, codegen->user, &parts);
  work w = {
      .codegen = codegen, .parts = &parts, .entry = entry, .table = table, .objects = out_objects};
  out_objects->n = parts.n;
  if (code == BUDDY_OK) code = generate(&w, diags);
  if (code != BUDDY_OK) bd_objects_deinit(out_objects);
  bd_parts_deinit(&parts);
  return code;
}
