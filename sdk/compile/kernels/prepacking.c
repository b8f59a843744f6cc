// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/prepacking.c: inputs that are constants, and slots for what is made of them. */
#include "sdk/compile/kernels/prepacking.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/runtime/prepacked.h"

static bool is_written(const bd_signature *signature, const buddy_port *input) {
  for (size_t i = 0; i < signature->n_outputs; ++i) {
    const buddy_port *output = &signature->outputs[i].port;
    if (output->kind == BUDDY_OUTPUT_USER) continue;
    if (strcmp(output->target, input->target) == 0 || strcmp(output->target, input->name) == 0)
      return true;
  }
  return false;
}

/* The entry is one of the module's operations, as globals are. */
static bool has_variables(MlirOperation entry) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(entry));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (bd_op_is(op, "memref.global") && !bd_op_attribute(op, "constant").ptr) return true;
  }
  return false;
}

buddy_code bd_prepacking_create(MlirOperation entry, const bd_signature *signature,
                                bool are_parameters_constant, bd_prepacking *out_prepacking) {
  *out_prepacking = (bd_prepacking){.entry = {NULL}};
  const MlirBlock block = bd_body_of(entry);
  if (!are_parameters_constant || !block.ptr ||
      (size_t)mlirBlockGetNumArguments(block) != signature->n_inputs)
    return BUDDY_OK;
  out_prepacking->is_constant = bd_calloc(signature->n_inputs + 1, 1);
  if (!out_prepacking->is_constant) return BUDDY_OUT_OF_MEMORY;
  out_prepacking->entry = block;
  out_prepacking->n_arguments = signature->n_inputs;
  out_prepacking->has_variables = has_variables(entry);
  for (size_t i = 0; i < signature->n_inputs; ++i) {
    const buddy_port *port = &signature->inputs[i].port;
    out_prepacking->is_constant[i] = port->kind != BUDDY_INPUT_USER &&
                                     !is_written(signature, port) &&
                                     bd_is_only_read(mlirBlockGetArgument(block, (intptr_t)i));
  }
  return BUDDY_OK;
}

void bd_prepacking_deinit(bd_prepacking *prepacking) {
  free(prepacking->is_constant);
  *prepacking = (bd_prepacking){.entry = {NULL}};
}

int64_t bd_prepacking_slot(bd_prepacking *prepacking) {
  return prepacking->n_slots < BD_PREPACKED_MAX_SLOTS ? prepacking->n_slots++ : -1;
}
