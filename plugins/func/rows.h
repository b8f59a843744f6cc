// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/func/rows.h: what the files of this registry share. */
#ifndef BUDDY_PLUGINS_FUNC_ROWS_H
#define BUDDY_PLUGINS_FUNC_ROWS_H

#include "buddy/emit.h"

/* assert.c: checks that the program makes while it runs. */
buddy_code fn_emit_assert(void *state, const buddy_op *self, buddy_call *call);
buddy_code fn_emit_assert_on_token(void *state, const buddy_op *self, buddy_call *call);

/* branch.c: subgraphs that run or do not. */
buddy_code fn_emit_cond(void *state, const buddy_op *self, buddy_call *call);
buddy_code fn_emit_while(void *state, const buddy_op *self, buddy_call *call);

/* loop.c: subgraphs that run once per slice. */
buddy_code fn_emit_map(void *state, const buddy_op *self, buddy_call *call);
buddy_code fn_emit_scan(void *state, const buddy_op *self, buddy_call *call);

/* call.c: calls of subgraphs. */
typedef struct fn_callee {
  MlirAttribute symbol; /* null after a failure, which is recorded */
  MlirType type;
  size_t n_inputs, n_results;
} fn_callee;
/* The function of the subgraph that argument i is. */
fn_callee fn_subgraph(buddy_call *call, size_t i);
/* func.call inside a body, with the operands cast to the function's types where they differ in `?`.
 * results: callee->n_results of them. False after a failure, which is recorded. */
int fn_call(const be_body *body, const fn_callee *callee, const MlirValue *operands,
            size_t n_operands, MlirValue *results);
/* tensor.cast, where the types differ. */
MlirValue fn_cast(const be_body *body, MlirValue value, MlirType type);
/* An op without results that ends a block: scf.yield, scf.condition. */
int fn_end(const be_body *body, const char *name, const MlirValue *operands, size_t n_operands);
/* An op around regions, appended to the call. The regions are taken over; one that is null fails
 * the call. */
MlirOperation fn_build(buddy_call *call, const be_op_spec *spec, MlirRegion *regions,
                       size_t n_regions);
/* A region of one block with arguments of those types. */
MlirRegion fn_region(buddy_call *call, const MlirType *types, size_t n_types, be_body *out_body);
/* The tensors of argument i, a list, as IR values in the call's scratch. */
MlirValue *fn_tensors(buddy_call *call, size_t i, size_t *out_n);
/* Memory of the call; never null for a failure that is not recorded. */
void *fn_scratch(buddy_call *call, size_t n, size_t size);

#endif
