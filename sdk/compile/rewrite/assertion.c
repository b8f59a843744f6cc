// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/assertion.c: assertions become calls that fail the run.
 *
 * cf.assert %ok, "text" becomes a call of @buddy.check(%ok, number); the text stays in the program,
 * under its number. */
#include "sdk/compile/rewrite/assertion.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/runtime/runtime.h"
#include "sdk/lower/context.h"
#include "sdk/compile/builder.h"

void bd_assertions_deinit(bd_assertions *assertions) {
  for (size_t i = 0; i < assertions->n; ++i) {
    free(assertions->items[i].message);
    free(assertions->items[i].where);
  }
  free(assertions->items);
  *assertions = (bd_assertions){NULL, 0};
}

static buddy_code remember(MlirOperation op, bd_assertions *assertions) {
  char where[256];
  const MlirAttribute message = bd_op_attribute(op, "msg");
  const MlirStringRef text =
      message.ptr ? mlirStringAttrGetValue(message) : mlirStringRefCreate("", 0);
  const size_t n = assertions->n;
  bd_assertion *items = bd_array_next(assertions->items, n, sizeof(bd_assertion));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  assertions->items = items;
  bd_location_describe(mlirOperationGetLocation(op), where, sizeof(where));
  bd_assertion *item = &assertions->items[assertions->n++];
  *item = (bd_assertion){bd_strndup(text.data, text.length), bd_strdup(where)};
  return !item->message || !item->where ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code replace(MlirOperation op, const char *check, bd_assertions *assertions) {
  const int64_t number = (int64_t)assertions->n;
  BD_TRY(remember(op, assertions));
  const MlirValue operands[] = {mlirOperationGetOperand(op, 0),
                                bd_build_i64(bd_builder_before(op), number)};
  if (!operands[1].ptr) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = bd_build_call(bd_builder_before(op), check, operands, 2);
  if (code == BUDDY_OK) bd_op_erase(op);
  return code;
}

buddy_code bd_assertions_replace(MlirOperation root, bd_kernels *kernels,
                                 bd_assertions *assertions) {
  static const char body[] =
      "(%ok: i1, %number: i64) {\n"
      "  scf.if %ok {\n  } else {\n    func.call @" BD_RUNTIME_FAIL
      "(%number) : (i64) -> ()\n  }\n"
      "  return\n}\n"
      "func.func private @" BD_RUNTIME_FAIL "(i64)\n";
  bd_ops ops = {NULL, 0, 0};
  bd_text text = {.data = NULL};
  const char *check = NULL;
  buddy_code code = bd_ops_collect(&ops, root, "cf.assert");
  bd_text_append(&text, body, sizeof(body) - 1);
  if (code == BUDDY_OK && ops.n > 0) code = bd_kernels_add(kernels, "check", &text, &check);
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i)
    code = replace(ops.items[i], check, assertions);
  bd_text_deinit(&text);
  bd_ops_deinit(&ops);
  return code;
}
