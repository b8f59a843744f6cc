// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/copies.c: replacing copies of buffers. */
#include "sdk/compile/kernels/copies.h"

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/transposition.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

/* Plain loops. */
static buddy_code add_loops(bd_kernels *kernels, MlirType from, MlirType to,
                            const char **out_name) {
  bd_text text = {.data = NULL};
  bd_text_format(&text,
                 "(%%from: %s, %%to: %s {llvm.noalias}) {\n  linalg.copy ins(%%from : %s) "
                 "outs(%%to : %s)\n  return\n}\n",
                 bd_phrase_type(from).data, bd_phrase_type(to).data, bd_phrase_type(from).data,
                 bd_phrase_type(to).data);
  return bd_kernels_add(kernels, "copy", &text, out_name);
}

/* name null: it stays, and may have fewer operands. */
static buddy_code call(MlirOperation op, const char *name) {
  if (!name) return BUDDY_OK;
  const MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  BD_TRY(bd_build_call(bd_builder_before(op), name, operands, 2));
  bd_op_erase(op);
  return BUDDY_OK;
}

static buddy_code replace_copy(MlirOperation op, void *kernels) {
  const MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
                 to = mlirValueGetType(mlirOperationGetOperand(op, 1));
  const char *name = NULL;
  if (!mlirTypeIsAMemRef(from) || !mlirTypeIsAMemRef(to)) return BUDDY_OK;
  if (bd_memref_is_dense(from) && bd_memref_is_dense(to)) return BUDDY_OK;
  bd_transposition t = {.from = from, .to = to};
  for (int i = 0; i < BD_MAX_RANK; ++i) t.order[i] = i;
  if (bd_transposition_fits(&t))
    BD_TRY(bd_transposition_kernel(kernels, &t, &name));
  else
    BD_TRY(add_loops(kernels, from, to, &name));
  return call(op, name);
}

static buddy_code replace_structured(MlirOperation op, void *kernels) {
  bd_transposition t;
  const char *name = NULL;
  if (bd_transposition_read(op, &t) && bd_transposition_fits(&t))
    BD_TRY(bd_transposition_kernel(kernels, &t, &name));
  return call(op, name);
}

buddy_code bd_copies_replace(MlirOperation root, bd_kernels *kernels) {
  BD_TRY(bd_ops_each(root, "memref.copy", replace_copy, kernels));
  return bd_ops_each_outermost(root, "linalg.", replace_structured, kernels);
}
