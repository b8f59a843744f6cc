// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/epilogue_text.c: the text of an epilogue; see epilogue.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/epilogue.h"

static MlirBlock body_of(const bd_epilogue *e) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(e->op, 0));
}

void bd_vectors_write_type(bd_text *text, const bd_vectors *v) {
  bd_text_format(text, "vector<%dx%s>", v->lanes, v->element);
}

void bd_epilogue_write_parameters(bd_text *text, const bd_epilogue *e) {
  for (int k = 0; k < e->n; ++k) {
    bd_text_format(text, ", %%e%d: ", k);
    bd_text_type(text, e->extras[k].type);
  }
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_skipped(const bd_epilogue *e, int place) {
  return place < 64 && (e->skipped >> place & 1) != 0;
}

/* The place of the operation among those of the body that are wanted: bodies that do the same get
 * the same text. */
static int place_of(const bd_epilogue *e, MlirOperation op) {
  int n = 0;
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (int i = 0; !mlirOperationEqual(at, op); ++i) {
    n += !is_skipped(e, i);
    at = mlirOperationGetNextInBlock(at);
  }
  return n;
}

static bool is_number(MlirOperation op) { return bd_op_is(op, "arith.constant"); }

/* "%number_I_K": operand K of the body's operation I is a number. */
static void write_number_name(bd_text *text, const bd_epilogue *e, int op, intptr_t operand) {
  bd_text_format(text, "%%%s_%d_%d", e->numbers ? e->numbers : "number", op, (int)operand);
}

void bd_epilogue_write_operand(bd_text *text, const bd_epilogue *e, MlirOperation user,
                               intptr_t operand, const bd_epilogue_names *names) {
  const MlirValue value = mlirOperationGetOperand(user, operand);
  if (e->sum.ptr && mlirValueEqual(value, e->sum)) {
    bd_text_format(text, "%%%s", names->sum);
  } else if (mlirValueIsABlockArgument(value)) {
    const int argument = (int)mlirBlockArgumentGetArgNumber(value);
    int k = 0;
    while (k < e->n && e->extras[k].argument != argument) ++k;
    if (argument == e->product)
      bd_text_format(text, "%%%s", names->sum);
    else
      bd_text_format(text, "%%%s_%d", e->extras[k].is_row ? names->rows : names->places, k);
  } else if (is_number(mlirOpResultGetOwner(value))) {
    write_number_name(text, e, place_of(e, user), operand);
  } else {
    bd_text_format(text, "%%%s_op_%d", names->places, place_of(e, mlirOpResultGetOwner(value)));
  }
}

/* ---- The body -------------------------------------------------------------------------------- */

/* A vector of elements of `type`; of scalars, `type`. */
static void write_type_like(bd_text *text, const bd_vectors *v, MlirType type) {
  if (v->lanes > 0) bd_text_format(text, "vector<%dx", v->lanes);
  bd_text_type(text, type);
  if (v->lanes > 0) bd_text_format(text, ">");
}

/* "1.0" of "1.0 : f32". */
static void write_number_text(bd_text *text, MlirAttribute number) {
  bd_text printed = {.data = NULL};
  mlirAttributePrint(number, bd_text_piece, &printed);
  if (printed.data) bd_text_append(text, printed.data, strcspn(printed.data, " "));
  if (printed.code) text->code = printed.code;
  bd_text_deinit(&printed);
}

/* "dense<1.0> : vector<16xf32>", or "1.0 : f32" where bodies are of scalars. */
static void write_number(bd_text *text, const bd_vectors *v, MlirOperation constant) {
  const MlirAttribute number = bd_op_attribute(constant, "value");
  if (v->lanes == 0) {
    mlirAttributePrint(number, bd_text_piece, text);
  } else {
    bd_text_format(text, "dense<");
    write_number_text(text, number);
    bd_text_format(text, "> : ");
    write_type_like(text, v, mlirValueGetType(mlirOperationGetResult(constant, 0)));
  }
  bd_text_format(text, "\n");
}

void bd_epilogue_write_numbers(bd_text *text, const bd_epilogue *e, const bd_vectors *v) {
  MlirOperation op = mlirBlockGetFirstOperation(body_of(e));
  for (int i = 0; op.ptr; op = mlirOperationGetNextInBlock(op), ++i) {
    if (is_skipped(e, i)) continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      const MlirValue value = mlirOperationGetOperand(op, k);
      if (!mlirValueIsAOpResult(value) || !is_number(mlirOpResultGetOwner(value))) continue;
      bd_text_format(text, "  ");
      write_number_name(text, e, place_of(e, op), k);
      bd_text_format(text, " = arith.constant ");
      write_number(text, v, mlirOpResultGetOwner(value));
    }
  }
}

static void write_attributes(bd_text *text, const bd_epilogue *e, MlirOperation op) {
  const intptr_t n = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < n; ++i) {
    const MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    const MlirStringRef name = mlirIdentifierStr(attribute.name);
    bd_text_format(text, "%s%.*s = ", i == 0 ? " {" : ", ", (int)name.length, name.data);
    if (e->may_contract && mlirStringRefEqual(name, mlirStringRefCreateFromCString("fastmath")))
      bd_text_format(text, "#arith.fastmath<contract>");
    else
      mlirAttributePrint(attribute.attribute, bd_text_piece, text);
  }
  if (n > 0) bd_text_format(text, "}");
}

/* In the generic form, which is one for all operations. */
void bd_epilogue_write_op(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                          MlirOperation op, const bd_epilogue_names *names) {
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const intptr_t n = mlirOperationGetNumOperands(op);
  bd_text_format(text, "  %%%s_op_%d = \"%.*s\"(", names->places, place_of(e, op), (int)name.length,
                 name.data);
  for (intptr_t i = 0; i < n; ++i) {
    bd_text_format(text, "%s", i > 0 ? ", " : "");
    bd_epilogue_write_operand(text, e, op, i, names);
  }
  bd_text_format(text, ")");
  write_attributes(text, e, op);
  for (intptr_t i = 0; i < n; ++i) {
    bd_text_format(text, "%s", i > 0 ? ", " : " : (");
    write_type_like(text, v, mlirValueGetType(mlirOperationGetOperand(op, i)));
  }
  bd_text_format(text, ") -> ");
  write_type_like(text, v, mlirValueGetType(mlirOperationGetResult(op, 0)));
  bd_text_format(text, "\n");
}

void bd_epilogue_write_body(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                            const bd_epilogue_names *names) {
  const MlirOperation yield = mlirBlockGetTerminator(body_of(e));
  MlirOperation op = mlirBlockGetFirstOperation(body_of(e));
  for (int i = 0; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op), ++i) {
    if (!is_number(op) && !is_skipped(e, i)) bd_epilogue_write_op(text, e, v, op, names);
  }
}

void bd_epilogue_write_result(bd_text *text, const bd_epilogue *e, const bd_epilogue_names *names) {
  bd_epilogue_write_operand(text, e, mlirBlockGetTerminator(body_of(e)), 0, names);
}

void bd_epilogue_write_load(bd_text *text, const bd_epilogue *e, int k, const bd_vectors *v,
                            const char *place, const char *column, const char *type,
                            const char *tag) {
  const bd_extra *extra = &e->extras[k];
  if (extra->is_spread) {
    bd_text_format(text, "  %%%s_of_%d = memref.load %%extra_%d[%s%%c0] : %s\n", tag, k, k, place,
                   type);
    bd_text_format(text, "  %%%s_%d = vector.broadcast %%%s_of_%d : %s to ", tag, k, tag, k,
                   v->element);
    bd_vectors_write_type(text, v);
    bd_text_format(text, "\n");
    return;
  }
  bd_text_format(text, "  %%%s_%d = vector.%s %%extra_%d[%s%%%s]%s : %s, ", tag, k,
                 v->is_partial ? "maskedload" : "load", k, place, column,
                 v->is_partial ? ", %mask, %zero" : "", type);
  if (v->is_partial) {
    bd_text_format(text, "vector<%dxi1>, ", v->lanes);
    bd_vectors_write_type(text, v);
    bd_text_format(text, " into ");
  }
  bd_vectors_write_type(text, v);
  bd_text_format(text, "\n");
}
