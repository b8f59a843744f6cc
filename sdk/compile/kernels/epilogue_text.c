// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/epilogue_text.c: the text of an epilogue; see epilogue.h. */
#include <stdbool.h>
#include <string.h>

#include "sdk/compile/kernels/epilogue.h"

bd_phrase bd_vectors_type(const bd_vectors *v) { return bd_type_vector(v->lanes, v->element); }

bd_phrase bd_vectors_load(const bd_vectors *v, const char *place) {
  return v->mask ? bd_phrase_of("maskedload(%s, %d, %s, %s)", place, v->lanes, v->mask,
                                v->zero ? v->zero : "zero")
                 : bd_phrase_of("load(%s, %d)", place, v->lanes);
}

bd_phrase bd_vectors_store(const bd_vectors *v, const char *value, const char *place) {
  return v->mask ? bd_phrase_of("maskedstore(%s, %s, %s);", value, place, v->mask)
                 : bd_phrase_of("store(%s, %s);", value, place);
}

void bd_epilogue_write_parameters(bd_text *text, bd_head *head, const bd_epilogue *e) {
  for (int k = 0; k < e->n; ++k)
    bd_head_add(text, head, bd_phrase_of("e%d", k).data, e->extras[k].type);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_skipped(const bd_epilogue *e, int place) {
  return place < 64 && (e->skipped >> place & 1) != 0;
}

/* Bodies that do the same get the same text. */
int bd_epilogue_place(const bd_epilogue *e, MlirOperation op) {
  int n = 0;
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (int i = 0; !mlirOperationEqual(at, op); ++i) {
    n += !is_skipped(e, i);
    at = mlirOperationGetNextInBlock(at);
  }
  return n;
}

static bool is_number(MlirOperation op) { return bd_op_is(op, "arith.constant"); }

/* "number_I_K": operand K of the body's operation I is a number. */
static bd_phrase number_name(const bd_epilogue *e, int op, intptr_t operand) {
  return bd_phrase_of("%s_%d_%d", e->numbers ? e->numbers : "number", op, (int)operand);
}

bd_phrase bd_epilogue_operand(const bd_epilogue *e, MlirOperation user, intptr_t operand,
                              const bd_epilogue_names *names) {
  const MlirValue value = mlirOperationGetOperand(user, operand);
  if (e->sum.ptr && mlirValueEqual(value, e->sum)) return bd_phrase_of("%s", names->sum);
  if (mlirValueIsABlockArgument(value)) {
    const int argument = (int)mlirBlockArgumentGetArgNumber(value);
    int k = 0;
    if (names->arguments) return names->arguments[argument];
    while (k < e->n && e->extras[k].argument != argument) ++k;
    if (argument == e->product) return bd_phrase_of("%s", names->sum);
    return bd_phrase_of("%s_%d", e->extras[k].is_row ? names->rows : names->places, k);
  }
  if (is_number(mlirOpResultGetOwner(value)))
    return number_name(e, bd_epilogue_place(e, user), operand);
  return bd_phrase_of("%s_op_%d", names->places, bd_epilogue_place(e, mlirOpResultGetOwner(value)));
}

/* ---- The body -------------------------------------------------------------------------------- */

/* A vector of elements of `type`; of scalars, `type`. */
static bd_phrase type_like(const bd_vectors *v, MlirType type) {
  if (v->lanes == 0) return bd_phrase_type(type);
  return bd_type_vector(v->lanes, bd_phrase_type(type).data);
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
    bd_text_format(text, "> : %s",
                   type_like(v, mlirValueGetType(mlirOperationGetResult(constant, 0))).data);
  }
  bd_text_format(text, "\n");
}

void bd_epilogue_write_numbers(bd_text *text, const bd_epilogue *e, const bd_vectors *v) {
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(e->op));
  for (int i = 0; op.ptr; op = mlirOperationGetNextInBlock(op), ++i) {
    if (is_skipped(e, i)) continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      const MlirValue value = mlirOperationGetOperand(op, k);
      if (!mlirValueIsAOpResult(value) || !is_number(mlirOpResultGetOwner(value))) continue;
      bd_text_format(text, "  %%%s = arith.constant ",
                     number_name(e, bd_epilogue_place(e, op), k).data);
      write_number(text, v, mlirOpResultGetOwner(value));
    }
  }
}

static void write_attributes(bd_text *text, const bd_epilogue *e, MlirOperation op) {
  const intptr_t n = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < n; ++i) {
    const MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    const MlirStringRef name = mlirIdentifierStr(attribute.name);
    bd_text_format(text, "%s%.*s = ", i > 0 ? ", " : "", (int)name.length, name.data);
    if (e->may_contract && mlirStringRefEqual(name, mlirStringRefCreateFromCString("fastmath")))
      bd_text_format(text, "#arith.fastmath<contract>");
    else
      mlirAttributePrint(attribute.attribute, bd_text_piece, text);
  }
}

/* In the generic form, which is one for all operations. */
void bd_epilogue_write_op_as(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                             MlirOperation op, const bd_epilogue_names *names, const char *other,
                             const char *attributes) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  bd_text_format(text, "  %%%s_op_%d = \"%s\"(", names->places, bd_epilogue_place(e, op), other);
  for (intptr_t i = 0; i < n; ++i)
    bd_text_format(text, "%s%%%s", i > 0 ? ", " : "", bd_epilogue_operand(e, op, i, names).data);
  bd_text_format(text, ") {%s", attributes ? attributes : "");
  if (!attributes) write_attributes(text, e, op);
  for (intptr_t i = 0; i < n; ++i)
    bd_text_format(text, "%s%s", i > 0 ? ", " : "} : (",
                   type_like(v, mlirValueGetType(mlirOperationGetOperand(op, i))).data);
  bd_text_format(text, ") -> %s\n",
                 type_like(v, mlirValueGetType(mlirOperationGetResult(op, 0))).data);
}

void bd_epilogue_write_op(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                          MlirOperation op, const bd_epilogue_names *names) {
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bd_epilogue_write_op_as(text, e, v, op, names,
                          bd_phrase_of("%.*s", (int)name.length, name.data).data, NULL);
}

void bd_epilogue_write_body(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                            const bd_epilogue_names *names) {
  const MlirOperation yield = mlirBlockGetTerminator(bd_body_of(e->op));
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(e->op));
  for (int i = 0; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op), ++i) {
    if (!is_number(op) && !is_skipped(e, i)) bd_epilogue_write_op(text, e, v, op, names);
  }
}

bd_phrase bd_epilogue_result(const bd_epilogue *e, const bd_epilogue_names *names) {
  return bd_epilogue_operand(e, mlirBlockGetTerminator(bd_body_of(e->op)), 0, names);
}

/* ---- Extras ---------------------------------------------------------------------------------- */

const bd_extra_axes bd_axes_of_lines = {2, {"line", "row"}},
                    bd_axes_of_images = {3, {"image", "line", "place"}};

void bd_epilogue_write_buffers(bd_text *text, const bd_epilogue *e, const bd_extra_axes *axes) {
  for (int k = 0; k < e->n; ++k) {
    const int n = e->extras[k].is_row ? 0 : axes->n;
    bd_text_format(text, "let k = %d; extra_$k = view(extra_$k_base, extra_$k_at, [%s], [", k,
                   bd_phrase_list("c1", n + 1).data);
    for (int i = 0; i < n; ++i) bd_text_format(text, "extra_$k_%s, ", axes->strides[i]);
    bd_text_format(text, "1]);");
  }
}

void bd_epilogue_write_loads(bd_text *text, const bd_epilogue *e, const bd_vectors *v,
                             bool are_rows, const char *place, const char *column,
                             const char *tag) {
  for (int k = 0; k < e->n; ++k) {
    if (e->extras[k].is_row != are_rows) continue;
    if (e->extras[k].is_spread)
      bd_text_format(text, "%s_%d = broadcast(extra_%d[%sc0], %d);", tag, k, k, place, v->lanes);
    else
      bd_text_format(
          text, "%s_%d = %s;", tag, k,
          bd_vectors_load(v, bd_phrase_of("extra_%d[%s%s]", k, place, column).data).data);
  }
}
