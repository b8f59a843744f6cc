// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/glue.c: the typed functions, as LLVM IR; see glue.h.
 *
 * NAME_run puts its arguments into three arrays on the stack (values of the shape symbols, pointers
 * to inputs, pointers to outputs) and hands them to the runtime, which knows what they are. */
#include "sdk/compile/ahead/glue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "llvm-c/Core.h"
#include "sdk/compile/ahead/passing.h"

typedef struct glue {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef pointer, word, code, nothing;
  const char *name;
} glue;

static LLVMValueRef declare(const glue *g, const char *name, LLVMTypeRef type) {
  LLVMValueRef known = LLVMGetNamedFunction(g->module, name);
  return known ? known : LLVMAddFunction(g->module, name, type);
}

/* 32 bits are sign-extended by whoever returns or passes them, where the ABI of the target asks for
 * that (RISC-V does). */
static void extend(const glue *g, LLVMValueRef function, LLVMAttributeIndex place) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("signext", 7);
  LLVMAddAttributeAtIndex(function, place, LLVMCreateEnumAttribute(g->context, kind, 0));
}

static void extend_result(const glue *g, LLVMValueRef function) {
  extend(g, function, LLVMAttributeReturnIndex);
}

/* Begins NAME_<verb>. */
static LLVMValueRef begin(const glue *g, const char *verb, LLVMTypeRef type) {
  char name[300];
  snprintf(name, sizeof(name), "%s_%s", g->name, verb);
  LLVMValueRef function = LLVMAddFunction(g->module, name, type);
  LLVMPositionBuilderAtEnd(g->builder, LLVMAppendBasicBlockInContext(g->context, function, ""));
  return function;
}

static void write_load(const glue *g, LLVMValueRef artifact) {
  LLVMTypeRef outer[] = {g->pointer, g->pointer, g->word};
  LLVMTypeRef inner[] = {g->pointer, g->pointer, g->pointer, g->word};
  LLVMTypeRef type = LLVMFunctionType(g->pointer, inner, 4, 0);
  LLVMValueRef callee = declare(g, "buddy_runtime_load", type);
  LLVMValueRef f = begin(g, "load", LLVMFunctionType(g->pointer, outer, 3, 0));
  LLVMValueRef arguments[] = {artifact, LLVMGetParam(f, 0), LLVMGetParam(f, 1), LLVMGetParam(f, 2)};
  LLVMBuildRet(g->builder, LLVMBuildCall2(g->builder, type, callee, arguments, 4, ""));
}

/* NAME_<verb> of a model, and perhaps of a number: the runtime's function of the same arguments. */
static void write_forward(const glue *g, const char *verb, const char *to, unsigned n) {
  LLVMTypeRef parameters[] = {g->pointer, g->code};
  LLVMTypeRef type = LLVMFunctionType(g->nothing, parameters, n, 0);
  LLVMValueRef callee = declare(g, to, type);
  LLVMValueRef f = begin(g, verb, type);
  LLVMValueRef arguments[2];
  LLVMGetParams(f, arguments);
  if (n > 1) extend(g, callee, 2);
  if (n > 1) extend(g, f, 2);
  LLVMBuildCall2(g->builder, type, callee, arguments, n, "");
  LLVMBuildRetVoid(g->builder);
}

/* An array of n elements on the stack; at least one, so that there is an address. */
static LLVMValueRef row(const glue *g, LLVMTypeRef element, size_t n) {
  return LLVMBuildAlloca(g->builder, LLVMArrayType2(element, n > 0 ? n : 1), "");
}

static void store(const glue *g, LLVMTypeRef element, LLVMValueRef to, size_t i,
                  LLVMValueRef value) {
  LLVMValueRef index = LLVMConstInt(g->word, i, 0);
  LLVMBuildStore(g->builder, value, LLVMBuildGEP2(g->builder, element, to, &index, 1, ""));
}

/* How many arguments NAME_run has of each kind. */
typedef struct counts {
  size_t symbols, inputs, outputs;
} counts;

static counts count(const bd_signature *signature, const uint32_t *passing, const char *is_told) {
  counts n = {0, 0, 0};
  for (size_t i = 0; i < signature->n_symbols; ++i) n.symbols += is_told[i] != 0;
  for (size_t i = 0; i < signature->n_inputs; ++i)
    n.inputs += signature->inputs[i].port.kind == BUDDY_INPUT_USER;
  for (size_t i = 0; i < signature->n_outputs; ++i) n.outputs += passing[i];
  return n;
}

static void fill_run(const glue *g, LLVMValueRef f, const bd_signature *signature,
                     const char *is_told, counts n) {
  LLVMTypeRef inner[] = {g->pointer, g->pointer, g->pointer, g->pointer, g->pointer, g->word};
  LLVMTypeRef type = LLVMFunctionType(g->code, inner, 6, 0);
  LLVMValueRef callee = declare(g, "buddy_runtime_run", type);
  LLVMValueRef symbols = row(g, g->word, signature->n_symbols);
  LLVMValueRef inputs = row(g, g->pointer, n.inputs);
  LLVMValueRef outputs = row(g, g->pointer, n.outputs);
  unsigned next = 1;
  extend_result(g, callee);
  for (size_t i = 0; i < signature->n_symbols; ++i) {
    store(g, g->word, symbols, i,
          is_told[i] ? LLVMGetParam(f, next++) : LLVMConstInt(g->word, (uint64_t)INT64_MIN, 0));
  }
  for (size_t i = 0; i < n.inputs; ++i) store(g, g->pointer, inputs, i, LLVMGetParam(f, next++));
  for (size_t i = 0; i < n.outputs; ++i) store(g, g->pointer, outputs, i, LLVMGetParam(f, next++));
  LLVMValueRef arguments[] = {
      LLVMGetParam(f, 0),       symbols, inputs, outputs, LLVMGetParam(f, next),
      LLVMGetParam(f, next + 1)};
  LLVMBuildRet(g->builder, LLVMBuildCall2(g->builder, type, callee, arguments, 6, ""));
}

static buddy_code write_run(const glue *g, const bd_signature *signature, const uint32_t *passing) {
  char *is_told = bd_calloc(signature->n_symbols + 1, 1);
  if (!is_told) return BUDDY_OUT_OF_MEMORY;
  bd_artifact_symbols(signature, is_told);
  const counts n = count(signature, passing, is_told);
  const size_t total = 1 + n.symbols + n.inputs + n.outputs + 2;
  LLVMTypeRef *parameters = bd_calloc(total, sizeof(LLVMTypeRef));
  if (parameters) {
    for (size_t i = 0; i < total; ++i)
      parameters[i] = i >= 1 && i <= n.symbols ? g->word : g->pointer;
    parameters[total - 1] = g->word;
    LLVMValueRef f = begin(g, "run", LLVMFunctionType(g->code, parameters, (unsigned)total, 0));
    extend_result(g, f);
    fill_run(g, f, signature, is_told, n);
  }
  free(is_told);
  const buddy_code code = !parameters ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
  free(parameters);
  return code;
}

buddy_code bd_glue_write(LLVMModuleRef module, const char *name, LLVMValueRef artifact,
                         const bd_signature *signature, const uint32_t *passing) {
  glue g = {.module = module, .context = LLVMGetModuleContext(module), .name = name};
  g.builder = LLVMCreateBuilderInContext(g.context);
  g.pointer = LLVMPointerTypeInContext(g.context, 0);
  g.word = LLVMInt64TypeInContext(g.context);
  g.code = LLVMInt32TypeInContext(g.context);
  g.nothing = LLVMVoidTypeInContext(g.context);
  write_load(&g, artifact);
  write_forward(&g, "set_threads", "buddy_runtime_set_threads", 2);
  write_forward(&g, "destroy", "buddy_runtime_destroy", 1);
  const buddy_code code = write_run(&g, signature, passing);
  LLVMDisposeBuilder(g.builder);
  return code;
}
