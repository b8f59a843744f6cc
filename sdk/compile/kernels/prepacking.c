// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/prepacking.c: inputs that are constants, and slots for what is made of them. */
#include "sdk/compile/kernels/prepacking.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/compile/rewrite/spelling.h"
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

static void count_bytes(const buddy_port *port, int64_t *sum) {
  int64_t n = (int64_t)buddy_dtype_size(port->dtype);
  for (uint32_t d = 0; d < port->rank; ++d) {
    if (port->dims[d] < 0 || __builtin_mul_overflow(n, port->dims[d], &n)) return;
  }
  if (__builtin_add_overflow(*sum, n, sum)) *sum = INT64_MAX;
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
    if (out_prepacking->is_constant[i]) count_bytes(port, &out_prepacking->constant_bytes);
  }
  return BUDDY_OK;
}

void bd_prepacking_deinit(bd_prepacking *prepacking) {
  bd_kept *all = prepacking->by_key, *item, *next;
  HASH_CLEAR(hh, prepacking->by_key);
  HASH_ITER(hh, all, item, next) free(item);
  free(prepacking->is_constant);
  *prepacking = (bd_prepacking){.entry = {NULL}};
}

int64_t bd_prepacking_slot(bd_prepacking *prepacking) {
  return prepacking->n_slots < BD_PREPACKED_MAX_SLOTS ? prepacking->n_slots++
                                                      : BD_PREPACKED_NO_SLOT;
}

/* ---- What is kept of the same things, once ---- */

bd_kept *bd_prepacking_kept(bd_prepacking *prepacking, const bd_text *key) {
  bool hash_is_full = false;
  bd_kept *item = NULL;
  if (key->code != BUDDY_OK) return NULL;
  HASH_FIND(hh, prepacking->by_key, key->data, key->size, item);
  if (item) return item;
  item = bd_calloc(1, sizeof *item + key->size);
  if (!item) return NULL;
  item->slot = -1;
  char *own = memcpy(item + 1, key->data, key->size);
  HASH_ADD_KEYPTR(hh, prepacking->by_key, own, key->size, item);
  if (!hash_is_full) return item;
  free(item);
  return NULL;
}

int64_t bd_prepacking_slot_of(bd_prepacking *prepacking, const char *kernel,
                              const MlirValue *operands, size_t n) {
  bd_text key = {.data = NULL};
  bd_text_append(&key, kernel, strlen(kernel) + 1);
  for (size_t i = 0; i < n; ++i) {
    if (!bd_is_steady(prepacking, operands[i])) continue;
    bd_text_append(&key, (const char *)&i, sizeof i);
    bd_spell_value(&key, operands[i]);
  }
  bd_kept *kept = bd_prepacking_kept(prepacking, &key);
  bd_text_deinit(&key);
  if (!kept) return bd_prepacking_slot(prepacking);
  if (kept->slot < 0) kept->slot = bd_prepacking_slot(prepacking);
  return kept->slot;
}
