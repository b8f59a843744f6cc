// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/widened.c: a function's instructions are made once more, of vectors. */
#include "sdk/compile/code/widened.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "llvm-c/Core.h"

enum { MOST_OPERANDS = 3, MOST_LANES = 64 };

/* What an instruction, or an argument, has become. */
typedef struct pair {
  LLVMValueRef scalar, vector;
} pair;

typedef struct widening {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  unsigned lanes;
  pair *pairs;
  size_t n;
} widening;

static LLVMTypeRef type_of(const widening *w, LLVMValueRef scalar) {
  return LLVMVectorType(LLVMTypeOf(scalar), w->lanes);
}

static LLVMValueRef vector_of(const widening *w, LLVMValueRef scalar) {
  LLVMValueRef all[MOST_LANES];
  for (size_t i = 0; i < w->n; ++i) {
    if (w->pairs[i].scalar == scalar) return w->pairs[i].vector;
  }
  for (unsigned i = 0; i < w->lanes; ++i) all[i] = scalar; /* a constant */
  return LLVMConstVector(all, w->lanes);
}

/* The types that an intrinsic's name ends with are that of its result and, where it is another, that
 * of its last argument: llvm.fma.v16f32, llvm.ldexp.v16f32.v16i32. */
static LLVMValueRef callee_of(const widening *w, LLVMValueRef call) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  const unsigned intrinsic = LLVMGetIntrinsicID(callee);
  const LLVMValueRef last = LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
  LLVMTypeRef types[] = {type_of(w, call), type_of(w, last)};
  if (intrinsic == 0) return bd_widened(w->module, callee, w->lanes);
  return LLVMGetIntrinsicDeclaration(w->module, intrinsic, types, types[0] == types[1] ? 1 : 2);
}

static LLVMValueRef build_call(const widening *w, LLVMValueRef call, LLVMValueRef *operands) {
  const LLVMValueRef callee = callee_of(w, call);
  return !callee ? NULL
                 : LLVMBuildCall2(w->builder, LLVMGlobalGetValueType(callee), callee, operands,
                                  LLVMGetNumArgOperands(call), "");
}

/* Null if it is not known how. */
static LLVMValueRef build(const widening *w, LLVMValueRef scalar) {
  LLVMValueRef operands[MOST_OPERANDS] = {NULL};
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(scalar);
  const int n =
      LLVMGetNumOperands(scalar) - (opcode == LLVMCall); /* the last one is what it calls */
  if (n > MOST_OPERANDS) return NULL;
  for (int i = 0; i < n; ++i) operands[i] = vector_of(w, LLVMGetOperand(scalar, (unsigned)i));
  switch (opcode) {
    case LLVMRet:
      return LLVMBuildRet(w->builder, operands[0]);
    case LLVMCall:
      return build_call(w, scalar, operands);
    case LLVMFreeze:
      return LLVMBuildFreeze(w->builder, operands[0], "");
    case LLVMFPToSI:
      return LLVMBuildFPToSI(w->builder, operands[0], type_of(w, scalar), "");
    case LLVMFNeg:
      return LLVMBuildFNeg(w->builder, operands[0], "");
    case LLVMBitCast:
      return LLVMBuildBitCast(w->builder, operands[0], type_of(w, scalar), "");
    case LLVMSelect:
      return LLVMBuildSelect(w->builder, operands[0], operands[1], operands[2], "");
    case LLVMFCmp:
      return LLVMBuildFCmp(w->builder, LLVMGetFCmpPredicate(scalar), operands[0], operands[1], "");
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMAdd:
    case LLVMSub:
    case LLVMShl:
    case LLVMAShr:
      return LLVMBuildBinOp(w->builder, opcode, operands[0], operands[1], "");
    default:
      return NULL;
  }
}

static bool fill(widening *w, LLVMValueRef scalar, LLVMValueRef vector) {
  for (unsigned i = 0; i < LLVMCountParams(scalar); ++i)
    w->pairs[w->n++] = (pair){LLVMGetParam(scalar, i), LLVMGetParam(vector, i)};
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(scalar));
  for (; at; at = LLVMGetNextInstruction(at)) {
    const LLVMValueRef made = build(w, at);
    if (!made) return false;
    w->pairs[w->n++] = (pair){at, made};
  }
  return true;
}

static size_t count(LLVMValueRef function) {
  size_t n = LLVMCountParams(function);
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  for (; at; at = LLVMGetNextInstruction(at)) ++n;
  return n;
}

/* Declared, with the attributes of the scalar one: those of inlined.ll are of the function alone. */
static LLVMValueRef declare(LLVMModuleRef module, LLVMValueRef scalar, unsigned lanes,
                            const char *name) {
  LLVMTypeRef types[MOST_OPERANDS];
  const LLVMTypeRef type = LLVMGlobalGetValueType(scalar);
  const unsigned n = LLVMCountParams(scalar);
  LLVMAttributeRef attributes[8];
  const LLVMAttributeIndex of_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  const unsigned n_attributes = LLVMGetAttributeCountAtIndex(scalar, of_function);
  if (n > MOST_OPERANDS || n_attributes > sizeof(attributes) / sizeof(attributes[0])) return NULL;
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < n; ++i) types[i] = LLVMVectorType(types[i], lanes);
  const LLVMValueRef function = LLVMAddFunction(
      module, name,
      LLVMFunctionType(LLVMVectorType(LLVMGetReturnType(type), lanes), types, n, false));
  LLVMGetAttributesAtIndex(scalar, of_function, attributes);
  for (unsigned i = 0; i < n_attributes; ++i)
    LLVMAddAttributeAtIndex(function, of_function, attributes[i]);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  return function;
}

LLVMValueRef bd_widened(LLVMModuleRef module, LLVMValueRef scalar, unsigned lanes) {
  char name[64];
  size_t length;
  const char *of_scalar = LLVMGetValueName2(scalar, &length);
  if (lanes > MOST_LANES ||
      snprintf(name, sizeof(name), "%s.v%u", of_scalar, lanes) >= (int)sizeof(name))
    return NULL;
  const LLVMValueRef known = LLVMGetNamedFunction(module, name);
  if (known) return known;
  const LLVMValueRef function = declare(module, scalar, lanes, name);
  widening w = {.module = module,
                .lanes = lanes,
                .pairs = bd_calloc(count(scalar), sizeof(pair)),
                .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  bool is_done = false;
  if (function && w.pairs) {
    LLVMPositionBuilderAtEnd(
        w.builder, LLVMAppendBasicBlockInContext(LLVMGetModuleContext(module), function, ""));
    is_done = fill(&w, scalar, function);
  }
  LLVMDisposeBuilder(w.builder);
  free(w.pairs);
  return is_done ? function : NULL;
}
