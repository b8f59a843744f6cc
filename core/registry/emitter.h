// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/emitter.h: the contract between the resolution engine here and whoever builds IR
 * (sdk/lower).
 *
 * The engine walks the planned graph and knows rows, orders and trails; the emitter knows MLIR. For
 * each try the engine calls begin, the row's emit, then commit or undo. */
#ifndef BUDDY_CORE_REGISTRY_EMITTER_H
#define BUDDY_CORE_REGISTRY_EMITTER_H

#include "buddy/resolve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_emitter {
  uint32_t llvm_version;
  /* Opens the call's own detached block. */
  buddy_code (*begin)(void *state, buddy_call *call);
  /* Checks that every result is set, has the graph's type and that the ops verify; splices them
   * into the function and remembers the values. On failure it explains itself with bd_call_fail,
   * and undo follows. */
  buddy_code (*commit)(void *state, buddy_call *call);
  /* Destroys what the call has built. */
  void (*undo)(void *state, buddy_call *call);
  /* The emission services of buddy_host. */
  buddy_ir_value (*ir_value)(void *state, buddy_call *call, const buddy_value *value);
  buddy_ir_type (*ir_tensor_type)(void *state, buddy_call *call, const buddy_tensor_type *type);
  buddy_ir_type (*ir_type_parse)(void *state, buddy_call *call, buddy_sv text);
  buddy_ir_attr (*ir_attr_parse)(void *state, buddy_call *call, buddy_sv text);
  buddy_ir_attr (*ir_attr_dense)(void *state, buddy_call *call, const buddy_tensor_type *type,
                                 const void *bytes, size_t n_bytes);
  buddy_ir_value (*ir_dim)(void *state, buddy_call *call, int64_t dim);
  buddy_code (*ir_op)(void *state, buddy_call *call, const buddy_ir_spec *spec,
                      buddy_ir_value *out_results);
  buddy_code (*ir_set_result)(void *state, buddy_call *call, size_t i, buddy_ir_value value);
  /* Of buddy.text/1; null: this emitter reads no text. */
  buddy_code (*ir_text)(void *state, buddy_call *call, buddy_sv text,
                        const buddy_ir_value *operands, size_t n_operands,
                        buddy_ir_value *out_results, size_t n_results);
} bd_emitter;

/* Emits every node of `graph` (the plan's graph or one of its subgraphs), in order. For a node
 * whose row declines, fails verification or drops an argument, the following candidates are tried,
 * expansions included, and the plan's trail is extended. fallback_on_error: pass over rows that
 * fail, too. Reports all nodes that nobody emits. */
BUDDY_EXPORT buddy_code bd_plan_emit(buddy_plan *plan, buddy_graph *graph,
                                     const bd_emitter *emitter, void *state, int fallback_on_error,
                                     buddy_diags *diags);

/* For emitters: what a call is about. */
BUDDY_EXPORT buddy_node *bd_call_node(const buddy_call *call);
BUDDY_EXPORT buddy_plan *bd_call_plan(const buddy_call *call);
BUDDY_EXPORT const bd_emitter *bd_call_emitter(const buddy_call *call); /* null while planning */
BUDDY_EXPORT void *bd_call_emitter_state(const buddy_call *call);
/* Records a failure of the call, as buddy_host.fail does, printf-style; returns `code`. The first
 * one is kept. */
BUDDY_EXPORT buddy_code bd_call_fail(buddy_call *call, buddy_code code, const char *format, ...)
    BUDDY_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
