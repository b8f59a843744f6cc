// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/calls.c: calls take the place of attention; see attention.h. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/compile/kernels/attention/attention.h"
#include "sdk/compile/builder.h"

/* What is no longer used goes away, views and what makes their buffers. */
static void erase_buffer(MlirValue buffer) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  while (!mlirOpOperandIsNull(use)) {
    erase_buffer(mlirOperationGetResult(mlirOpOperandGetOwner(use), 0));
    use = mlirValueGetFirstUse(buffer);
  }
  bd_op_erase(mlirOpResultGetOwner(buffer));
}

static void erase(const bd_attention *a) {
  for (int i = 0; i < 2; ++i) {
    bd_op_erase(a->c[i].s.op);
    bd_op_erase(a->begin[i].op);
  }
  for (int i = 0; i < a->n_steps; ++i) {
    bd_op_erase(a->steps[i].s.op);
    if (a->steps[i].fill.ptr) bd_op_erase(a->steps[i].fill);
  }
  for (int i = 0; i < a->n_links; ++i) erase_buffer(a->links[i].buffer);
}

/* Of all that the kernel does. */
static MlirLocation location_of(const bd_attention *a) {
  MlirLocation parts[2 + BD_MAX_STEPS];
  intptr_t n = 0;
  parts[n++] = mlirOperationGetLocation(a->c[0].s.op);
  for (int i = 0; i < a->n_steps; ++i) parts[n++] = mlirOperationGetLocation(a->steps[i].s.op);
  parts[n++] = mlirOperationGetLocation(a->c[1].s.op);
  return mlirLocationFusedGet(mlirLocationGetContext(parts[0]), n, parts, (MlirAttribute){NULL});
}

static buddy_code replace(const bd_attention *a, bd_kernels *kernels) {
  const MlirOperation before = a->c[1].s.op;
  MlirValue operands[4 + BD_MAX_EXTRAS + BD_MAX_EXTENTS] = {a->a.base, a->b[0].base, a->b[1].base,
                                                            a->out.base};
  const char *name, *gemm[2];
  bd_few few;
  bd_text text = {.data = NULL};
  for (int i = 0; i < 2; ++i) {
    const bd_elements elements = bd_contraction_elements(&a->c[i]);
    if (i == 1 && a->words[1])
      BD_TRY(bd_kernels_want_of(kernels, BD_LIBRARY_PACK_BF16, elements.of[BD_B], &gemm[1]));
    else if (a->words[i])
      BD_TRY(bd_kernels_want_of(kernels, BD_LIBRARY_GEMM, elements.of[BD_C], &gemm[0]));
    else
      BD_TRY(bd_kernels_want(kernels, BD_LIBRARY_GEMM, elements, &gemm[i]));
  }
  BD_TRY(bd_attention_find_few(a, kernels, &few));
  bd_attention_write(&text, a, gemm, &few, kernels);
  buddy_code code = bd_kernels_add(kernels, "attention", &text, &name);
  for (int k = 0; k < a->extras.n; ++k) operands[4 + k] = a->extras.extras[k].buffer;
  if (code == BUDDY_OK) code = bd_extents_insert(&a->extents, before, operands + 4 + a->extras.n);
  if (code == BUDDY_OK)
    code = bd_build_call(bd_builder_for(before, location_of(a)), name, operands,
                         4 + (size_t)(a->extras.n + a->extents.n));
  if (code == BUDDY_OK) erase(a);
  return code;
}

buddy_code bd_attentions_replace(MlirOperation root, bd_kernels *kernels,
                                 const bd_prepacking *prepacking) {
  bd_ops ops = {NULL, 0, 0};
  bd_attention *found = bd_malloc(sizeof(*found));
  buddy_code code = !found ? BUDDY_OUT_OF_MEMORY : bd_contractions_collect(&ops, root);
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i) {
    if (!ops.items[i].ptr || !bd_attention_find(ops.items[i], prepacking, found)) continue;
    for (size_t k = i + 1; k < ops.n; ++k) {
      if (mlirOperationEqual(ops.items[k], found->c[1].s.op)) ops.items[k].ptr = NULL;
    }
    code = replace(found, kernels);
  }
  bd_ops_deinit(&ops);
  free(found);
  return code;
}
