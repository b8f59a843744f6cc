// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/derive.c: signature, results and assertions of a program, from its entry function. */
#include "sdk/compile/derive.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/entry.h"
#include "sdk/compile/ir.h"
#include "sdk/runtime/strided.h"

/* Element types without parameters. */
static const struct {
  bool (*is)(MlirType type);
  buddy_dtype dtype;
} element_types[] = {
    {mlirTypeIsAF32, BUDDY_F32},
    {mlirTypeIsAF64, BUDDY_F64},
    {mlirTypeIsAF16, BUDDY_F16},
    {mlirTypeIsABF16, BUDDY_BF16},
    {mlirTypeIsAIndex, BUDDY_I64},
    {mlirTypeIsAFloat8E4M3FN, BUDDY_F8E4M3FN},
    {mlirTypeIsAFloat8E5M2, BUDDY_F8E5M2},
    {mlirTypeIsAFloat8E4M3FNUZ, BUDDY_F8E4M3FNUZ},
    {mlirTypeIsAFloat8E5M2FNUZ, BUDDY_F8E5M2FNUZ},
    {mlirTypeIsAFloat8E8M0FNU, BUDDY_F8E8M0FNU},
};

static const struct {
  unsigned width;
  buddy_dtype is_signed, is_unsigned;
} integer_types[] = {
    {1, BUDDY_BOOL, BUDDY_BOOL}, {8, BUDDY_I8, BUDDY_U8},    {16, BUDDY_I16, BUDDY_U16},
    {32, BUDDY_I32, BUDDY_U32},  {64, BUDDY_I64, BUDDY_U64},
};

static buddy_dtype complex_dtype(MlirType part) {
  if (mlirTypeIsAF32(part)) return BUDDY_C64;
  if (mlirTypeIsAF64(part)) return BUDDY_C128;
  return mlirTypeIsAF16(part) ? BUDDY_C32 : BUDDY_DTYPE_NONE;
}

static buddy_dtype dtype_of(MlirType type) {
  for (size_t i = 0; i < sizeof(element_types) / sizeof(element_types[0]); ++i) {
    if (element_types[i].is(type)) return element_types[i].dtype;
  }
  if (mlirTypeIsAComplex(type)) return complex_dtype(mlirComplexTypeGetElementType(type));
  if (!mlirTypeIsAInteger(type)) return BUDDY_DTYPE_NONE;
  for (size_t i = 0; i < sizeof(integer_types) / sizeof(integer_types[0]); ++i) {
    if (integer_types[i].width != mlirIntegerTypeGetWidth(type)) continue;
    return mlirIntegerTypeIsUnsigned(type) ? integer_types[i].is_unsigned
                                           : integer_types[i].is_signed;
  }
  return BUDDY_DTYPE_NONE;
}

/* A tensor or a number as a port; dims has room for BD_MAX_RANK. */
static buddy_code port_of(MlirType type, const char *name, int64_t *dims, buddy_port *out_port,
                          buddy_diags *diags) {
  const bool is_tensor = mlirTypeIsARankedTensor(type);
  *out_port = (buddy_port){.name = name, .dims = dims};
  out_port->dtype = dtype_of(is_tensor ? mlirShapedTypeGetElementType(type) : type);
  const int64_t rank = is_tensor ? mlirShapedTypeGetRank(type) : 0;
  if (out_port->dtype == BUDDY_DTYPE_NONE || rank > BD_MAX_RANK) {
    char shown[200];
    bd_text text;
    bd_text_init_fixed(&text, shown, sizeof(shown));
    mlirTypePrint(type, bd_text_piece, &text);
    return buddy_diags_add(
        diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, name, NULL,
        "the entry function has the type %s here; tensors of up to %d dimensions and numbers can "
        "be passed",
        shown, BD_MAX_RANK);
  }
  out_port->rank = (uint32_t)rank;
  for (int64_t d = 0; d < rank; ++d) {
    dims[d] = mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
  }
  return BUDDY_OK;
}

static buddy_code signature_of(MlirType type, buddy_diags *diags, bd_signature *signature) {
  buddy_code result = BUDDY_OK;
  int64_t dims[BD_MAX_RANK];
  char name[32];
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    buddy_port port;
    snprintf(name, sizeof(name), "arg%d", (int)i);
    buddy_code code = port_of(mlirFunctionTypeGetInput(type, i), name, dims, &port, diags);
    port.kind = BUDDY_INPUT_USER;
    if (code == BUDDY_OK) code = bd_signature_add_input(signature, &port, NULL);
    if (code != BUDDY_OK) result = code;
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i) {
    bd_output output = {.source = BD_SOURCE_RESULT, .result = (size_t)i};
    snprintf(name, sizeof(name), "result%d", (int)i);
    buddy_code code = port_of(mlirFunctionTypeGetResult(type, i), name, dims, &output.port, diags);
    output.port.kind = BUDDY_OUTPUT_USER;
    if (code == BUDDY_OK) code = bd_signature_add_output(signature, &output);
    if (code != BUDDY_OK) result = code;
  }
  return result;
}

static buddy_code set_results(MlirType type, buddy_program *program) {
  const size_t n = (size_t)mlirFunctionTypeGetNumResults(type);
  program->result_ranks = bd_calloc(n + 1, sizeof(uint32_t));
  if (!program->result_ranks) return BUDDY_OUT_OF_MEMORY;
  program->n_results = n;
  for (size_t i = 0; i < n; ++i) {
    const MlirType result = mlirFunctionTypeGetResult(type, (intptr_t)i);
    program->result_ranks[i] =
        mlirTypeIsARankedTensor(result) ? (uint32_t)mlirShapedTypeGetRank(result) : 0;
  }
  return BUDDY_OK;
}

buddy_code bd_derive_program(buddy_module *module, buddy_diags *diags, buddy_program *program) {
  const MlirOperation entry = bd_module_entry(module);
  if (!entry.ptr) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "module", NULL,
                           "it has no function %s", module->function);
  }
  const MlirType type = bd_entry_type(module);
  if (!module->signature) {
    BD_TRY(bd_signature_create(&program->signature));
    BD_TRY(signature_of(type, diags, program->signature));
  } else {
    program->signature = module->signature;
    module->signature = NULL;
    program->guards = program->signature->guards;
    program->n_guards = program->signature->n_guards;
    program->rows = program->signature->rows;
    program->growths = program->signature->growths;
    program->n_growths = program->signature->n_growths;
    program->unread = program->signature->unread;
    program->n_unread = program->signature->n_unread;
  }
  return set_results(type, program);
}
