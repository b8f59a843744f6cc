// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/inlined.c: definitions of inlined.ll, linked into a module. */
#include "sdk/compile/code/inlined.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/try.h"
#include "llvm-c/Core.h"
#include "llvm-c/IRReader.h"
#include "llvm-c/Linker.h"
#include "sdk/compile/code/widened.h"

extern const char bd_inlined_text[];

/* What is called, an intrinsic or a function of libm; what the names of the same for vectors begin
 * with; and what is put in their place. */
static const struct {
  const char *called, *of_vectors, *function, *by_scaling;
} functions[] = {
    {"llvm.exp.f32", "llvm.exp.v", "buddy_inlined_exp", "buddy_inlined_exp_by_scaling"},
    {"erff", BD_ERF_OF_VECTORS, "buddy_inlined_erf", "buddy_inlined_erf"},
    {"llvm.tanh.f32", BD_TANH_OF_VECTORS, "buddy_inlined_tanh", "buddy_inlined_tanh"}};

enum { N_FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

static buddy_code add_text(LLVMModuleRef module, buddy_diags *diags) {
  LLVMModuleRef text = NULL;
  char *message = NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      bd_inlined_text, strlen(bd_inlined_text), "inlined.ll");
  if (LLVMParseIRInContext(LLVMGetModuleContext(module), buffer, &text, &message)) {
    buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "inlined.ll", NULL, "%s",
                    message ? message : "no reason given");
    LLVMDisposeMessage(message);
    return BUDDY_INTERNAL;
  }
  LLVMSetDataLayout(text, LLVMGetDataLayoutStr(module));
  LLVMSetTarget(text, LLVMGetTarget(module));
  if (!LLVMLinkModules2(module, text)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "inlined.ll", NULL,
                         "its functions cannot be linked to the module");
}

static void call_instead(LLVMValueRef called, LLVMValueRef function) {
  LLVMUseRef use = LLVMGetFirstUse(called);
  while (use) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == called)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, function);
  }
}

/* Of floats, or of vectors of them: the place in the table; N_FUNCTIONS if nothing takes its place. */
static size_t find_called(LLVMValueRef function) {
  size_t length, i = 0;
  const char *name = LLVMGetValueName2(function, &length);
  for (; i < N_FUNCTIONS; ++i) {
    const char *of_vectors = functions[i].of_vectors;
    if (strcmp(name, functions[i].called) == 0) break;
    if (strncmp(name, of_vectors, strlen(of_vectors)) == 0 &&
        LLVMGetTypeKind(LLVMGetElementType(LLVMGetReturnType(LLVMGlobalGetValueType(function)))) ==
            LLVMFloatTypeKind)
      break;
  }
  return i;
}

/* A function of inlined.ll for what `called` is of. */
static LLVMValueRef function_for(LLVMModuleRef module, LLVMValueRef called, const char *name) {
  const LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(called));
  const LLVMValueRef function = LLVMGetNamedFunction(module, name);
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind
             ? function
             : bd_widened(module, function, LLVMGetVectorSize(type));
}

static bool is_one(LLVMValueRef value) {
  LLVMBool loses_info;
  if (LLVMIsAConstant(value) && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind) {
    const LLVMValueRef first = LLVMGetAggregateElement(value, 0);
    for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(value)); ++i) {
      if (LLVMGetAggregateElement(value, i) != first) return false;
    }
    value = first;
  }
  return value && LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &loses_info) == 1;
}

/* The sum, if all that is done with the value is to add 1 to it, once; else null. */
static LLVMValueRef sum_with_one(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  if (!use || LLVMGetNextUse(use)) return NULL;
  LLVMValueRef sum = LLVMGetUser(use);
  if (!LLVMIsAInstruction(sum) || LLVMGetInstructionOpcode(sum) != LLVMFAdd) return NULL;
  return is_one(LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == value)) ? sum : NULL;
}

static void use_one_plus_erf(LLVMValueRef erf, LLVMValueRef function) {
  LLVMUseRef use = LLVMGetFirstUse(erf);
  while (use) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    LLVMValueRef sum = sum_with_one(call);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != erf || !sum) continue;
    LLVMReplaceAllUsesWith(sum, call);
    LLVMInstructionEraseFromParent(sum);
    LLVMSetOperand(call, 1, function);
  }
}

/* They go away where nothing calls them. */
static void make_internal(LLVMModuleRef module) {
  static const char *const all[] = {"buddy_inlined_exp",       "buddy_inlined_exp_by_scaling",
                                    "buddy_inlined_exp_above", "buddy_inlined_exp_within",
                                    "buddy_inlined_shifted",   "buddy_inlined_exp_of_rest",
                                    "buddy_inlined_scale",     "buddy_inlined_scale_by_ldexp",
                                    "buddy_inlined_erf",       "buddy_inlined_one_plus_erf",
                                    "buddy_inlined_tanh"};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i)
    LLVMSetLinkage(LLVMGetNamedFunction(module, all[i]), LLVMInternalLinkage);
}

static buddy_code replace(LLVMModuleRef module, LLVMValueRef called, size_t i, bool scales) {
  const char *name = scales ? functions[i].by_scaling : functions[i].function;
  const LLVMValueRef function = function_for(module, called, name);
  if (!function) return BUDDY_OUT_OF_MEMORY;
  if (strcmp(functions[i].called, "erff") == 0) {
    const LLVMValueRef sum = function_for(module, called, "buddy_inlined_one_plus_erf");
    if (!sum) return BUDDY_OUT_OF_MEMORY;
    use_one_plus_erf(called, sum);
  }
  call_instead(called, function);
  return BUDDY_OK;
}

buddy_code bd_inlined_apply(LLVMModuleRef module, const char *features, buddy_diags *diags) {
  bool is_called = false;
  LLVMValueRef at = LLVMGetFirstFunction(module);
  for (; at && !is_called; at = LLVMGetNextFunction(at)) is_called = find_called(at) < N_FUNCTIONS;
  if (!is_called) return BUDDY_OK;
  BD_TRY(add_text(module, diags));
  make_internal(module);
  const bool scales = strstr(features, "+avx512vl") != NULL; /* vectors of any width */
  if (scales)
    call_instead(LLVMGetNamedFunction(module, "buddy_inlined_scale"),
                 LLVMGetNamedFunction(module, "buddy_inlined_scale_by_ldexp"));
  for (at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at)) {
    const size_t i = find_called(at);
    if (i < N_FUNCTIONS) BD_TRY(replace(module, at, i, scales));
  }
  return BUDDY_OK;
}

/* The number whose integer, frozen, the value is; else null. */
static LLVMValueRef integer_of(LLVMValueRef value) {
  if (!LLVMIsAFreezeInst(value)) return NULL;
  value = LLVMGetOperand(value, 0);
  return LLVMIsAFPToSIInst(value) ? LLVMGetOperand(value, 0) : NULL;
}

/* All lanes, rounded as always: the arguments of AVX-512's intrinsic behind the two numbers. */
static void scale_instead(LLVMValueRef call, LLVMValueRef n, LLVMValueRef scaling) {
  const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(scaling));
  const LLVMValueRef p = LLVMGetOperand(call, 0);
  const bool is_widest = LLVMGetVectorSize(LLVMTypeOf(p)) == 16;
  LLVMValueRef operands[] = {p, n, LLVMGetPoison(LLVMTypeOf(p)),
                             LLVMConstAllOnes(LLVMIntTypeInContext(context, is_widest ? 16 : 8)),
                             LLVMConstInt(LLVMInt32TypeInContext(context), 4, false)};
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMReplaceAllUsesWith(call, LLVMBuildCall2(builder, LLVMGlobalGetValueType(scaling), scaling,
                                              operands, is_widest ? 5 : 4, ""));
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

void bd_inlined_scale(LLVMModuleRef module) {
  static const char *const names[][2] = {
      {"llvm.ldexp.v4f32.v4i32", "llvm.x86.avx512.mask.scalef.ps.128"},
      {"llvm.ldexp.v8f32.v8i32", "llvm.x86.avx512.mask.scalef.ps.256"},
      {"llvm.ldexp.v16f32.v16i32", "llvm.x86.avx512.mask.scalef.ps.512"}};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    const LLVMValueRef ldexp = LLVMGetNamedFunction(module, names[i][0]);
    LLVMUseRef use = ldexp ? LLVMGetFirstUse(ldexp) : NULL;
    while (use) {
      const LLVMValueRef call = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      const LLVMValueRef n = LLVMIsACallInst(call) ? integer_of(LLVMGetOperand(call, 1)) : NULL;
      const unsigned id = LLVMLookupIntrinsicID(names[i][1], strlen(names[i][1]));
      if (n) scale_instead(call, n, LLVMGetIntrinsicDeclaration(module, id, NULL, 0));
    }
  }
}
