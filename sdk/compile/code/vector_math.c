// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/vector_math.c: calls of exp and its kin are marked with their vector variants.
 *
 * A call of expf carries the attribute "vector-function-abi-variant" =
 * "_ZGV_LLVM_N16v_buddy_expf(_ZGVeN16v_expf)": sixteen calls may be one of _ZGVeN16v_expf. The
 * names are those of the x86-64 vector function ABI: e for AVX-512, d for AVX2, the number of
 * elements, one v for each argument. */
#include "sdk/compile/code/vector_math.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/try.h"
#include "llvm-c/Core.h"

#define FUNCTION(name, n)                                          \
  {                                                                \
    #name, n, { (void (*)(void)) name##f, (void (*)(void))(name) } \
  }
static const struct {
  const char *name;
  int n_arguments;
  void (*scalar[2])(void); /* on floats, on doubles */
} functions[] = {FUNCTION(exp, 1),   FUNCTION(log, 1),   FUNCTION(sin, 1),   FUNCTION(cos, 1),
                 FUNCTION(tanh, 1),  FUNCTION(erf, 1),   FUNCTION(pow, 2),   FUNCTION(exp2, 1),
                 FUNCTION(log2, 1),  FUNCTION(log10, 1), FUNCTION(expm1, 1), FUNCTION(log1p, 1),
                 FUNCTION(sinh, 1),  FUNCTION(cosh, 1),  FUNCTION(tan, 1),   FUNCTION(asin, 1),
                 FUNCTION(acos, 1),  FUNCTION(atan, 1),  FUNCTION(atan2, 2), FUNCTION(asinh, 1),
                 FUNCTION(acosh, 1), FUNCTION(atanh, 1), FUNCTION(cbrt, 1),  FUNCTION(erfc, 1)};

static const struct {
  const char *feature;
  char letter;
  unsigned bytes; /* of a vector */
} widths[] = {{"+avx512f", 'e', 64}, {"+avx2", 'd', 32}};

#define N_WIDTHS (sizeof(widths) / sizeof(widths[0]))

static void *library;
static void open_library(void) { library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL); }

/* One scalar function of the module, and what stands for it. */
typedef struct mapping {
  char scalar[16]; /* the name that the module knows: "expf" */
  char opaque[32]; /* the name that it gets, which means nothing to LLVM: "buddy_expf" */
  int is_double, n_arguments;
  char vectors[N_WIDTHS][40];
  unsigned lanes[N_WIDTHS];
  size_t n_vectors;
} mapping;

static LLVMTypeRef element_of(LLVMContextRef context, const mapping *m) {
  return m->is_double ? LLVMDoubleTypeInContext(context) : LLVMFloatTypeInContext(context);
}

static LLVMValueRef declare(LLVMModuleRef module, const char *name, LLVMTypeRef type,
                            int n_arguments) {
  static const char *const flags[] = {"memory", "nounwind",
                                      "willreturn"}; /* memory 0: touches none */
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function) return function;
  LLVMTypeRef types[2] = {type, type};
  function = LLVMAddFunction(module, name, LLVMFunctionType(type, types, (unsigned)n_arguments, 0));
  for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(flags[i], strlen(flags[i]));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0));
  }
  return function;
}

/* Looks up the vector functions of a mapping. */
static buddy_code find_vectors(mapping *m, const char *features, bd_symbol_table *table) {
  for (size_t i = 0; i < N_WIDTHS; ++i) {
    if (!strstr(features, widths[i].feature)) continue;
    char name[sizeof(m->vectors[0])];
    const unsigned lanes = widths[i].bytes / (m->is_double ? 8 : 4);
    snprintf(name, sizeof(name), "_ZGV%cN%u%s_%s", widths[i].letter, lanes,
             m->n_arguments == 2 ? "vv" : "v", m->scalar);
    void *address = dlsym(library, name);
    if (!address) continue;
    BD_TRY(bd_symbol_table_add(table, name, address));
    memcpy(m->vectors[m->n_vectors], name, sizeof(name));
    m->lanes[m->n_vectors++] = lanes;
  }
  return BUDDY_OK;
}

/* Marks every call of `called`, LLVM's intrinsic or libm's function, and renames what is called: of
 * anything that it recognises as expf LLVM makes its intrinsic, which has no variants. */
static void mark_calls(LLVMModuleRef module, const mapping *m, LLVMValueRef called) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  char variants[256] = "";
  for (size_t i = 0; i < m->n_vectors; ++i) {
    char one[128];
    snprintf(one, sizeof(one), "%s_ZGV_LLVM_N%u%s_%s(%s)", i > 0 ? "," : "", m->lanes[i],
             m->n_arguments == 2 ? "vv" : "v", m->opaque, m->vectors[i]);
    strncat(variants, one, sizeof(variants) - strlen(variants) - 1);
    declare(module, m->vectors[i], LLVMVectorType(element_of(context, m), m->lanes[i]),
            m->n_arguments);
  }
  static const char key[] = "vector-function-abi-variant";
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(context, key, sizeof(key) - 1, variants,
                                                         (unsigned)strlen(variants));
  LLVMValueRef scalar = declare(module, m->opaque, element_of(context, m), m->n_arguments);
  LLVMUseRef use = LLVMGetFirstUse(called);
  while (use) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != called) continue;
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, scalar);
  }
}

/* Keeps the vector functions declared until loops are vectorised, though nothing calls them yet. */
static void keep_declared(LLVMModuleRef module) {
  LLVMValueRef kept[2 * N_WIDTHS * sizeof(functions) / sizeof(functions[0])];
  unsigned n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (strncmp(LLVMGetValueName(f), "_ZGV", 4) == 0 && n < sizeof(kept) / sizeof(kept[0]))
      kept[n++] = f;
  }
  if (n == 0) return;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  LLVMValueRef used = LLVMAddGlobal(module, LLVMArrayType2(pointer, n), "llvm.compiler.used");
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
  LLVMSetInitializer(used, LLVMConstArray2(pointer, kept, n));
}

static buddy_code map_one(LLVMModuleRef module, size_t i, int is_double, const char *features,
                          bd_symbol_table *table) {
  mapping m = {.is_double = is_double, .n_arguments = functions[i].n_arguments};
  char intrinsic[32];
  void *address;
  snprintf(m.scalar, sizeof(m.scalar), "%s%s", functions[i].name, is_double ? "" : "f");
  snprintf(m.opaque, sizeof(m.opaque), "buddy_%s%s", functions[i].name, is_double ? "" : "f");
  snprintf(intrinsic, sizeof(intrinsic), "llvm.%s.%s", functions[i].name,
           is_double ? "f64" : "f32");
  LLVMValueRef called[] = {LLVMGetNamedFunction(module, intrinsic),
                           LLVMGetNamedFunction(module, m.scalar)};
  if (!called[0] && !called[1]) return BUDDY_OK;
  buddy_code code = find_vectors(&m, features, table);
  if (code != BUDDY_OK || m.n_vectors == 0) return code;
  memcpy(&address, &functions[i].scalar[is_double], sizeof(address));
  code = bd_symbol_table_add(table, m.opaque, address);
  for (size_t k = 0; k < 2; ++k) {
    if (called[k]) mark_calls(module, &m, called[k]);
  }
  return code;
}

buddy_code bd_vector_math_apply(LLVMModuleRef module, const char *features,
                                bd_symbol_table *table) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  if (!library) return BUDDY_OK;
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); ++i) {
    for (int is_double = 0; is_double < 2; ++is_double) {
      BD_TRY(map_one(module, i, is_double, features, table));
    }
  }
  keep_declared(module);
  return BUDDY_OK;
}
