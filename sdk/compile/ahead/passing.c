// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/passing.c: how a model's typed function takes its outputs. */
#include "sdk/compile/ahead/passing.h"

#include <stdbool.h>
#include <string.h>

void bd_artifact_symbols(const bd_signature *signature, char *out_symbols) {
  memset(out_symbols, 0, signature->n_symbols);
  for (size_t i = 0; i < signature->n_inputs; ++i) {
    const bd_input *input = &signature->inputs[i];
    if (input->port.kind != BUDDY_INPUT_USER) continue;
    for (uint32_t d = 0; d < input->port.rank; ++d) {
      const bd_size *size = &input->sizes[d];
      for (size_t k = 0; k < size->n_steps; ++k) {
        if (size->steps[k].kind == BUDDY_DIM_KIND_SYMBOL) out_symbols[size->steps[k].operand] = 1;
      }
    }
  }
}

static bool is_told(const bd_size *size, const char *symbols) {
  if (size->number >= 0) return true;
  for (size_t k = 0; k < size->n_steps; ++k) {
    if (size->steps[k].kind == BUDDY_DIM_KIND_SYMBOL && !symbols[size->steps[k].operand])
      return false;
  }
  return size->n_steps > 0;
}

bd_passing bd_artifact_passing(const bd_output *output, const char *symbols) {
  if (output->port.kind != BUDDY_OUTPUT_USER || output->source == BD_SOURCE_NONE)
    return BD_PASSING_NONE;
  for (uint32_t d = 0; d < output->port.rank; ++d) {
    if (!is_told(&output->sizes[d], symbols)) return BD_PASSING_ALLOCATED;
  }
  return BD_PASSING_GIVEN;
}
