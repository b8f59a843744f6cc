// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/spelling.c: keys of values and operations. Names, types and attributes are unique in a context: their
 * addresses say what they are. */
#include "sdk/compile/rewrite/spelling.h"

#include "sdk/compile/ir.h"

/* Operations of a body; the place of each operand is looked for among them. */
enum { LONGEST_BODY = 256 };

static void spell_word(bd_text *key, const void *word) {
  bd_text_append(key, (const char *)&word, sizeof word);
}

void bd_spell_type(bd_text *key, MlirType type) { spell_word(key, type.ptr); }

static void spell_number(bd_text *key, intptr_t number) {
  bd_text_append(key, (const char *)&number, sizeof number);
}

/* Its name, attributes, and types of results. */
static void spell_kind(bd_text *key, MlirOperation op) {
  spell_word(key, mlirOperationGetName(op).ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i)
    spell_word(key, mlirOperationGetAttribute(op, i).attribute.ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    spell_word(key, mlirValueGetType(mlirOperationGetResult(op, i)).ptr);
}

static void spell(bd_text *key, MlirValue value, MlirValue self) {
  while (mlirValueIsAOpResult(value)) {
    const MlirOperation op = mlirOpResultGetOwner(value);
    const bool is_constant = bd_op_is(op, "arith.constant") || bd_op_is(op, "memref.get_global");
    if (!is_constant && !bd_op_is_view(op)) break;
    spell_kind(key, op);
    if (is_constant) return;
    for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
      spell(key, mlirOperationGetOperand(op, i), self);
    value = mlirOperationGetOperand(op, 0);
  }
  spell_word(key, self.ptr && mlirValueEqual(value, self) ? NULL : value.ptr);
}

void bd_spell_value(bd_text *key, MlirValue value) { spell(key, value, (MlirValue){NULL}); }

/* An operand of an operation of the body. */
static void spell_operand(bd_text *key, MlirValue value, MlirBlock body, MlirValue self) {
  if (mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), body)) {
    spell_number(key, mlirBlockArgumentGetArgNumber(value));
    return;
  }
  intptr_t place = -1;
  const MlirOperation owner =
      mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
  if (!owner.ptr || !mlirBlockEqual(mlirOperationGetBlock(owner), body)) {
    spell(key, value, self);
    return;
  }
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationEqual(op, owner); op = mlirOperationGetNextInBlock(op)) --place;
  spell_number(key, place);
  spell_number(key, mlirOpResultGetResultNumber(value));
}

static bool spell_body(bd_text *key, MlirBlock body, MlirValue self) {
  int n = 0;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumRegions(op) > 0 || ++n > LONGEST_BODY) return false;
    spell_kind(key, op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      spell_operand(key, mlirOperationGetOperand(op, i), body, self);
  }
  return true;
}

bool bd_spell_op(bd_text *key, MlirOperation op, MlirValue self) {
  spell_kind(key, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    spell(key, mlirOperationGetOperand(op, i), self);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    const MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (!body.ptr || mlirBlockGetNextInRegion(body).ptr || !spell_body(key, body, self))
      return false;
  }
  return key->code == BUDDY_OK;
}
