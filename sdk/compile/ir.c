// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ir.c: text that grows, lists of operations, questions to an operation. */
#include "sdk/compile/ir.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/assert.h"
#include "core/base/memory.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- Text ---- */

void bd_text_piece(MlirStringRef piece, void *user) {
  bd_text_append(user, piece.data, piece.length);
}

void bd_text_index(bd_text *text, const char *name, int64_t number) {
  bd_text_format(text, "  %%%s = arith.constant %lld : index\n", name, (long long)number);
}

/* Texts of a fixed size are cut at its end. */
static void check_length(const bd_text *text, bd_phrase *phrase) {
  if (text->size + 1 >= sizeof(phrase->data)) phrase->data[0] = '\0';
}

bd_phrase bd_phrase_of(const char *format, ...) {
  bd_phrase phrase;
  bd_text text;
  va_list args;
  va_start(args, format);
  bd_text_init_fixed(&text, phrase.data, sizeof(phrase.data));
  bd_text_format_args(&text, format, args);
  va_end(args);
  check_length(&text, &phrase);
  return phrase;
}

bd_phrase bd_phrase_type(MlirType type) {
  bd_phrase phrase;
  bd_text text;
  bd_text_init_fixed(&text, phrase.data, sizeof(phrase.data));
  bd_text_type(&text, type);
  check_length(&text, &phrase);
  return phrase;
}

bd_phrase bd_phrase_list(const char *one, int64_t n) {
  bd_phrase phrase;
  bd_text text;
  bd_text_init_fixed(&text, phrase.data, sizeof(phrase.data));
  for (int64_t i = 0; i < n; ++i) bd_text_format(&text, "%s%s", i > 0 ? ", " : "", one);
  check_length(&text, &phrase);
  return phrase;
}

bd_phrase bd_number_or(bool is_any, int64_t number, const char *any) {
  return is_any ? bd_phrase_of("%s", any) : bd_phrase_of("%lld", (long long)number);
}

/* The types that compiled code is full of; null for others. */
static const char *scalar_name(MlirType type) {
  static const struct {
    bool (*is)(MlirType type);
    const char *name;
  } scalars[] = {{mlirTypeIsAF32, "f32"},
                 {mlirTypeIsAIndex, "index"},
                 {mlirTypeIsAF64, "f64"},
                 {mlirTypeIsABF16, "bf16"},
                 {mlirTypeIsAF16, "f16"}};
  for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); ++i) {
    if (scalars[i].is(type)) return scalars[i].name;
  }
  return NULL;
}

static void write_number(bd_text *text, int64_t number, bool is_unknown, const char *before) {
  if (is_unknown)
    bd_text_format(text, "%s?", before);
  else
    bd_text_format(text, "%s%lld", before, (long long)number);
}

static void write_layout(bd_text *text, MlirAttribute layout) {
  const intptr_t n = mlirStridedLayoutAttrGetNumStrides(layout);
  const int64_t offset = mlirStridedLayoutAttrGetOffset(layout);
  bd_text_format(text, ", strided<[");
  for (intptr_t i = 0; i < n; ++i) {
    const int64_t stride = mlirStridedLayoutAttrGetStride(layout, i);
    write_number(text, stride, mlirShapedTypeIsDynamicStrideOrOffset(stride), i > 0 ? ", " : "");
  }
  bd_text_format(text, "]");
  if (offset != 0)
    write_number(text, offset, mlirShapedTypeIsDynamicStrideOrOffset(offset), ", offset: ");
  bd_text_format(text, ">");
}

/* False for what it does not know. */
static int write_memref(bd_text *text, MlirType type) {
  const MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  const bool is_strided = mlirAttributeIsAStridedLayout(layout);
  const char *element = scalar_name(mlirShapedTypeGetElementType(type));
  if (!element || mlirMemRefTypeGetMemorySpace(type).ptr ||
      (!is_strided && !(mlirAttributeIsAAffineMap(layout) &&
                        mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(layout)))))
    return 0;
  bd_text_format(text, "memref<");
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    const bool is_unknown = mlirShapedTypeIsDynamicDim(type, i);
    write_number(text, is_unknown ? 0 : mlirShapedTypeGetDimSize(type, i), is_unknown, "");
    bd_text_format(text, "x");
  }
  bd_text_format(text, "%s", element);
  if (is_strided) write_layout(text, layout);
  bd_text_format(text, ">");
  return 1;
}

/* MLIR's own printing sorts all dialects first, to ask them for short names. */
void bd_text_type(bd_text *text, MlirType type) {
  const char *name = scalar_name(type);
  if (name)
    bd_text_format(text, "%s", name);
  else if (!mlirTypeIsAMemRef(type) || !write_memref(text, type))
    mlirTypePrint(type, bd_text_piece, text);
}

/* ---- Operations ---- */

void bd_ops_deinit(bd_ops *ops) {
  free(ops->items);
  *ops = (bd_ops){NULL, 0, 0};
}

buddy_code bd_ops_add(bd_ops *ops, MlirOperation op) {
  MlirOperation *items =
      bd_array_grow(ops->items, &ops->capacity, ops->n + 1, sizeof(MlirOperation));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  ops->items = items;
  ops->items[ops->n++] = op;
  return BUDDY_OK;
}

typedef struct search {
  const char *prefix;
  bool is_there;
} search;

static MlirWalkResult on_candidate(MlirOperation op, void *user) {
  search *s = user;
  s->is_there = bd_op_starts_with(op, s->prefix);
  return s->is_there ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

int bd_ops_exist(MlirOperation root, const char *prefix) {
  search s = {prefix, 0};
  mlirOperationWalk(root, on_candidate, &s, MlirWalkPreOrder);
  return s.is_there;
}

typedef struct collection {
  bd_ops *ops;
  const char *prefix;
  buddy_code code;
} collection;

static MlirWalkResult on_op(MlirOperation op, void *user) {
  collection *c = user;
  if (bd_op_starts_with(op, c->prefix)) c->code = bd_ops_add(c->ops, op);
  return c->code == BUDDY_OK ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

buddy_code bd_ops_collect(bd_ops *ops, MlirOperation root, const char *prefix) {
  collection c = {ops, prefix, BUDDY_OK};
  mlirOperationWalk(root, on_op, &c, MlirWalkPreOrder);
  return c.code;
}

static MlirWalkResult on_outermost(MlirOperation op, void *user) {
  collection *c = user;
  if (mlirOperationGetNumRegions(op) == 0 || !bd_op_starts_with(op, c->prefix)) {
    return MlirWalkResultAdvance;
  }
  c->code = bd_ops_add(c->ops, op);
  return c->code == BUDDY_OK ? MlirWalkResultSkip : MlirWalkResultInterrupt;
}

buddy_code bd_ops_collect_outermost(bd_ops *ops, MlirOperation root, const char *prefix) {
  collection c = {ops, prefix, BUDDY_OK};
  mlirOperationWalk(root, on_outermost, &c, MlirWalkPreOrder);
  return c.code;
}

/* Visits all of `ops`, if they were found, and frees them. */
static buddy_code visit_found(bd_ops *ops, buddy_code code, bd_op_visit visit, void *user) {
  for (size_t i = 0; i < ops->n && code == BUDDY_OK; ++i) code = visit(ops->items[i], user);
  bd_ops_deinit(ops);
  return code;
}

buddy_code bd_ops_each(MlirOperation root, const char *prefix, bd_op_visit visit, void *user) {
  bd_ops ops = {NULL, 0, 0};
  const buddy_code code = bd_ops_collect(&ops, root, prefix);
  return visit_found(&ops, code, visit, user);
}

buddy_code bd_ops_each_outermost(MlirOperation root, const char *prefix, bd_op_visit visit,
                                 void *user) {
  bd_ops ops = {NULL, 0, 0};
  const buddy_code code = bd_ops_collect_outermost(&ops, root, prefix);
  return visit_found(&ops, code, visit, user);
}

int bd_string_is(MlirStringRef string, const char *text) {
  return string.length == strlen(text) && memcmp(string.data, text, string.length) == 0;
}

int bd_op_is(MlirOperation op, const char *name) {
  return bd_string_is(mlirIdentifierStr(mlirOperationGetName(op)), name);
}

bool bd_op_is_any(MlirOperation op, const char *const *names) {
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  while (*names && !bd_string_is(name, *names)) ++names;
  return *names;
}

int bd_op_starts_with(MlirOperation op, const char *prefix) {
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const size_t n = strlen(prefix);
  return name.length >= n && memcmp(name.data, prefix, n) == 0;
}

MlirAttribute bd_op_attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

void bd_op_set_attribute(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name), value);
}

static MlirStringRef string_of(MlirOperation op, const char *name) {
  const MlirAttribute string = bd_op_attribute(op, name);
  return string.ptr ? mlirStringAttrGetValue(string) : mlirStringRefCreate(NULL, 0);
}

MlirStringRef bd_symbol_of(MlirOperation op) { return string_of(op, "sym_name"); }

bool bd_op_is_private(MlirOperation op) {
  return bd_string_is(string_of(op, "sym_visibility"), "private");
}

int bd_op_read_pair(MlirOperation op, const char *name, int64_t out[2]) {
  const MlirAttribute values = bd_op_attribute(op, name);
  out[0] = out[1] = 1;
  if (!values.ptr) return 1;
  if (!mlirAttributeIsADenseElements(values) || mlirElementsAttrGetNumElements(values) != 2)
    return 0;
  for (int i = 0; i < 2; ++i) out[i] = mlirDenseElementsAttrGetInt64Value(values, i);
  return 1;
}

bool bd_op_read_numbers(MlirOperation op, const char *name, intptr_t n, int64_t *out) {
  const MlirAttribute all = bd_op_attribute(op, name);
  if (!all.ptr || !mlirAttributeIsADenseI64Array(all) || mlirDenseArrayGetNumElements(all) != n)
    return false;
  for (intptr_t i = 0; i < n; ++i) out[i] = mlirDenseI64ArrayGetElement(all, i);
  return true;
}

MlirOperation bd_maker_of(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

bool bd_is_used(MlirValue value) { return !mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

MlirOperation bd_only_user(MlirValue value) {
  const MlirOpOperand use = mlirValueGetFirstUse(value);
  return mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))
             ? (MlirOperation){NULL}
             : mlirOpOperandGetOwner(use);
}

bool bd_is_seen_alone(MlirValue view, MlirValue buffer) {
  while (!mlirValueEqual(view, buffer)) {
    view = mlirOperationGetOperand(mlirOpResultGetOwner(view), 0);
    if (!bd_only_user(view).ptr) return false;
  }
  return true;
}

int bd_is_made_by(MlirValue value, const char *name) {
  return mlirValueIsAOpResult(value) && bd_op_is(mlirOpResultGetOwner(value), name);
}

static MlirAttribute number_of(MlirValue value) {
  return bd_is_made_by(value, "arith.constant") ? bd_op_attribute(bd_maker_of(value), "value")
                                                : mlirAttributeGetNull();
}

bool bd_read_integer(MlirValue value, int64_t *out_number) {
  const MlirAttribute number = number_of(value);
  if (!number.ptr || !mlirAttributeIsAInteger(number)) return false;
  *out_number = mlirIntegerAttrGetValueInt(number);
  return true;
}

bool bd_read_float(MlirValue value, double *out_number) {
  const MlirAttribute number = number_of(value);
  if (!number.ptr || !mlirAttributeIsAFloat(number)) return false;
  *out_number = mlirFloatAttrGetValueDouble(number);
  return true;
}

int64_t bd_integer_of(MlirValue value) {
  int64_t number;
  return bd_read_integer(value, &number) ? number : -1;
}

bool bd_base_is_any(MlirValue base) {
  if (mlirValueIsABlockArgument(base))
    return !bd_op_is(bd_block_parent(mlirBlockArgumentGetOwner(base)), "func.func");
  return bd_op_starts_with(bd_maker_of(base), "scf.") || bd_is_made_by(base, "arith.select") ||
         bd_is_made_by(base, "func.call");
}

MlirOperation bd_block_parent(MlirBlock block) { return mlirBlockGetParentOperation(block); }

MlirOperation bd_op_ancestor_in(MlirBlock block, MlirOperation op) {
  while (op.ptr && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool bd_is_inside(MlirValue value, MlirOperation op) {
  MlirOperation at = mlirValueIsAOpResult(value)
                         ? mlirOperationGetParentOperation(mlirOpResultGetOwner(value))
                         : bd_block_parent(mlirBlockArgumentGetOwner(value));
  while (at.ptr && !mlirOperationEqual(at, op)) at = mlirOperationGetParentOperation(at);
  return at.ptr != NULL;
}

void bd_block_move(MlirBlock from, MlirOperation end, MlirBlock to, MlirOperation before) {
  MlirOperation op = mlirBlockGetFirstOperation(from);
  while (op.ptr && !mlirOperationEqual(op, end)) {
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockInsertOwnedOperationBefore(to, before, op);
    op = next;
  }
}

buddy_code bd_functions_append(MlirModule module, const bd_text *text) {
  if (text->code) return text->code;
  const MlirModule parsed = mlirModuleCreateParse(mlirModuleGetContext(module),
                                                  mlirStringRefCreate(text->data, text->size));
  if (!parsed.ptr) return BUDDY_INTERNAL;
  const MlirOperation end = {NULL};
  bd_block_move(mlirModuleGetBody(parsed), end, mlirModuleGetBody(module), end);
  mlirModuleDestroy(parsed);
  return BUDDY_OK;
}

static bool is_read(MlirOperation op) {
  bool has_reader = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    has_reader |= bd_is_used(mlirOperationGetResult(op, i));
  return has_reader;
}

/* Nothing reads what it makes any more: a reader would go on in freed memory. */
void bd_op_erase(MlirOperation op) {
  BD_ASSERT(!is_read(op));
  mlirOperationRemoveFromParent(op);
  mlirOperationDestroy(op);
}

buddy_code bd_op_replace(MlirOperation op, MlirValue value) {
  if (!value.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  bd_op_erase(op);
  return BUDDY_OK;
}

MlirBlock bd_body_of(MlirOperation op) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

/* Asked of most operations, few of which are of memref. */
int bd_op_is_view(MlirOperation op) {
  static const char *const views[] = {
      "memref.subview",          "memref.cast",      "memref.expand_shape", "memref.collapse_shape",
      "memref.reinterpret_cast", "memref.transpose", "memref.view",         NULL};
  return bd_op_starts_with(op, "memref.") && bd_op_is_any(op, views);
}

bool bd_op_is_reshape(MlirOperation op) {
  return bd_op_is(op, "memref.expand_shape") || bd_op_is(op, "memref.collapse_shape");
}

MlirValue bd_without_reshapes(MlirValue value) {
  while (mlirValueIsAOpResult(value) && bd_op_is_reshape(mlirOpResultGetOwner(value)))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

MlirValue bd_base_of(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    const MlirOperation op = mlirOpResultGetOwner(value);
    if (!bd_op_is_view(op)) break;
    value = mlirOperationGetOperand(op, 0);
  }
  return value;
}
