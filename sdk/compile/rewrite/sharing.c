// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/sharing.c: the functions around parts of loops. The values lie in a struct
 * on the caller's stack, as the llvm dialect has them: buffers as pointers, or as descriptors
 * where the type of one of them does not say the rest. Before them lies the address of the
 * part: all parts whose values have the same types there have the same functions, for most of a
 * model's loops differ in sizes alone. */
#include "sdk/compile/rewrite/sharing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"
#include "sdk/lower/context.h"
#include "sdk/runtime/parallel_for.h"
#include "sdk/compile/builder.h"

enum { NAME_SIZE = 48 };

/* A value in the llvm dialect. */
typedef struct carried {
  char type[96];
  int64_t rank; /* of what has a descriptor; -1: is one word */
} carried;

static bool is_pointer(MlirType type) {
  return mlirTypeEqual(type, mlirTypeParseGet(mlirTypeGetContext(type),
                                              mlirStringRefCreateFromCString("!llvm.ptr")));
}

int bd_can_be_shared(MlirType type) {
  if (mlirTypeIsAMemRef(type)) {
    const MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
    return !space.ptr;
  }
  return mlirTypeIsAIndex(type) || mlirTypeIsAF32(type) || mlirTypeIsAF64(type) ||
         mlirTypeIsAF16(type) || mlirTypeIsABF16(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type)) || is_pointer(type);
}

/* ---- What is carried ------------------------------------------------------------------------- */

/* Whether each buffer travels as a pointer: as it does to the part itself. */
static bool are_bare(const MlirValue *values, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (!bd_type_is_bare(mlirValueGetType(values[i]))) return false;
  }
  return true;
}

static carried carried_of(MlirType type, bool is_bare) {
  carried c = {"i64", -1};
  if (mlirTypeIsAIndex(type)) return c;
  if (!mlirTypeIsAMemRef(type)) {
    bd_text text;
    bd_text_init_fixed(&text, c.type, sizeof(c.type));
    bd_text_type(&text, type);
    return c;
  }
  snprintf(c.type, sizeof(c.type), "!llvm.ptr");
  if (is_bare) return c;
  c.rank = mlirShapedTypeGetRank(type);
  if (c.rank == 0)
    snprintf(c.type, sizeof(c.type), "!llvm.struct<(ptr, ptr, i64)>");
  else
    snprintf(c.type, sizeof(c.type),
             "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", (int)c.rank,
             (int)c.rank);
  return c;
}

/* ---- The functions --------------------------------------------------------------------------- */

static void write_context_type(bd_text *text, const carried *values, size_t n) {
  bd_text_format(text, "!llvm.struct<(ptr");
  for (size_t i = 0; i < n; ++i) bd_text_format(text, ", %s", values[i].type);
  bd_text_format(text, ")>");
}

/* %pI = where value I is; the part is value n. */
static void write_place(bd_text *text, const carried *values, size_t n, size_t i) {
  bd_text_format(text,
                 "  %%p%zu = llvm.getelementptr %%context[0, %zu] : (!llvm.ptr) -> !llvm.ptr, ", i,
                 i == n ? 0 : i + 1);
  write_context_type(text, values, n);
  bd_text_format(text, "\n");
}

static void write_share(bd_text *text, size_t number, const carried *values, size_t n) {
  bd_text_format(text, "func.func private @buddy.share_%zu(", number);
  for (size_t i = 0; i < n; ++i) bd_text_format(text, "%%a%zu: %s, ", i, values[i].type);
  bd_text_format(text,
                 "%%a%zu: !llvm.ptr, %%n_units: i64, %%cost: i64) {\n"
                 "  %%one = llvm.mlir.constant(1 : i64) : i64\n"
                 "  %%context = llvm.alloca %%one x ",
                 n);
  write_context_type(text, values, n);
  bd_text_format(text, " : (i64) -> !llvm.ptr\n");
  for (size_t i = 0; i <= n; ++i) {
    write_place(text, values, n, i);
    bd_text_format(text, "  llvm.store %%a%zu, %%p%zu : %s, !llvm.ptr\n", i, i,
                   i == n ? "!llvm.ptr" : values[i].type);
  }
  bd_text_format(
      text,
      "  %%function = func.constant @buddy.task_%zu : (!llvm.ptr, i64, i64) -> ()\n"
      "  %%task = builtin.unrealized_conversion_cast %%function : (!llvm.ptr, i64, i64) -> () to "
      "!llvm.ptr\n"
      "  func.call @" BD_RUNTIME_PARALLEL_FOR
      "(%%task, %%context, %%n_units, %%cost) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()\n"
      "  return\n}\n",
      number);
}

/* %aI_K: the words of a descriptor, as functions take them. */
static void write_words(bd_text *text, const carried *value, size_t i) {
  for (int64_t k = 0; k < 3 + 2 * value->rank; ++k) {
    bd_text_format(text, "  %%a%zu_%d = llvm.extractvalue %%a%zu[", i, (int)k, i);
    if (k < 3)
      bd_text_format(text, "%d", (int)k);
    else
      bd_text_format(text, "%d, %d", k < 3 + value->rank ? 3 : 4, (int)((k - 3) % value->rank));
    bd_text_format(text, "] : %s\n", value->type);
  }
}

/* The operands of the part's call, or their types. */
static void write_operands(bd_text *text, const carried *values, size_t n, bool are_types) {
  for (size_t i = 0; i < n; ++i) {
    const int64_t n_words = values[i].rank < 0 ? 0 : 3 + 2 * values[i].rank;
    for (int64_t k = 0; k < n_words; ++k) {
      if (are_types)
        bd_text_format(text, "%s, ", k < 2 ? "!llvm.ptr" : "i64");
      else
        bd_text_format(text, "%%a%zu_%d, ", i, (int)k);
    }
    if (n_words > 0) continue;
    if (are_types)
      bd_text_format(text, "%s, ", values[i].type);
    else
      bd_text_format(text, "%%a%zu, ", i);
  }
}

static void write_task(bd_text *text, size_t number, const carried *values, size_t n) {
  bd_text_format(
      text,
      "func.func private @buddy.task_%zu(%%context: !llvm.ptr, %%first: i64, %%last: i64) {\n",
      number);
  for (size_t i = 0; i <= n; ++i) {
    write_place(text, values, n, i);
    bd_text_format(text, "  %%a%zu = llvm.load %%p%zu : !llvm.ptr -> %s\n", i, i,
                   i == n ? "!llvm.ptr" : values[i].type);
    if (i < n && values[i].rank >= 0) write_words(text, &values[i], i);
  }
  bd_text_format(text, "  llvm.call %%a%zu(", n);
  write_operands(text, values, n, 0);
  bd_text_format(text, "%%first, %%last) : !llvm.ptr, (");
  write_operands(text, values, n, 1);
  bd_text_format(text, "i64, i64) -> ()\n  return\n}\n");
}

/* ---- Which of them --------------------------------------------------------------------------- */

static int reserve(bd_sharing *s) {
  char **signatures = bd_array_grow(s->signatures, &s->capacity, s->n + 1, sizeof(char *));
  if (!signatures) return 0;
  s->signatures = signatures;
  return 1;
}

/* The number of the functions for such values, which are written the first time. */
static buddy_code find(bd_sharing *s, const carried *values, size_t n, size_t *out_number) {
  bd_text signature = {.data = NULL};
  write_context_type(&signature, values, n);
  if (signature.code || !reserve(s)) {
    bd_text_deinit(&signature);
    return BUDDY_OUT_OF_MEMORY;
  }
  for (*out_number = 0; *out_number < s->n; ++*out_number) {
    if (strcmp(s->signatures[*out_number], signature.data) == 0) {
      bd_text_deinit(&signature);
      return BUDDY_OK;
    }
  }
  s->signatures[s->n++] = signature.data;
  write_share(&s->functions, *out_number, values, n);
  write_task(&s->functions, *out_number, values, n);
  return BUDDY_OK;
}

/* ---- The call -------------------------------------------------------------------------------- */

/* The value as it is carried; null: memory is out. */
static MlirValue convert(MlirOperation before, MlirValue value, const carried *as) {
  const MlirType from = mlirValueGetType(value);
  const MlirType to =
      mlirTypeParseGet(mlirOperationGetContext(before), mlirStringRefCreateFromCString(as->type));
  const bd_builder b = bd_builder_before(before);
  if (mlirTypeIsAIndex(from)) return bd_build_one(b, "arith.index_cast", value, to);
  if (!mlirTypeIsAMemRef(from)) return value;
  return bd_build_one(b, "builtin.unrealized_conversion_cast", value, to);
}

static buddy_code insert_call(MlirOperation before, size_t number, const char *part,
                              const carried *as, const MlirValue *values, size_t n,
                              MlirValue n_units, int64_t cost) {
  const MlirContext context = mlirOperationGetContext(before);
  const carried address = {"!llvm.ptr", -1}, word = {"i64", -1};
  const MlirType pointer = mlirTypeParseGet(context, mlirStringRefCreateFromCString(address.type));
  char name[NAME_SIZE];
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  MlirValue *operands = bd_calloc(n + 3, sizeof(MlirValue));
  if (!operands) return code;
  for (size_t i = 0; i < n; ++i) operands[i] = convert(before, values[i], &as[i]);
  operands[n] =
      bd_build(bd_builder_before(before), "llvm.mlir.addressof", NULL, 0, pointer, "global_name",
               mlirFlatSymbolRefAttrGet(context, mlirStringRefCreateFromCString(part)));
  operands[n + 1] = convert(before, n_units, &word);
  operands[n + 2] = bd_build_i64(bd_builder_before(before), cost);
  size_t n_there = 0;
  while (n_there < n + 3 && operands[n_there].ptr) ++n_there;
  snprintf(name, sizeof(name), "buddy.share_%zu", number);
  if (n_there == n + 3) code = bd_build_call(bd_builder_before(before), name, operands, n + 3);
  free(operands);
  return code;
}

buddy_code bd_sharing_insert(bd_sharing *sharing, MlirOperation before, const char *part,
                             const MlirValue *values, size_t n, MlirValue n_units, int64_t cost) {
  const bool is_bare = are_bare(values, n);
  carried *as = bd_calloc(n + 1, sizeof(carried));
  size_t number;
  if (!as) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) as[i] = carried_of(mlirValueGetType(values[i]), is_bare);
  buddy_code code = find(sharing, as, n, &number);
  if (code == BUDDY_OK) code = insert_call(before, number, part, as, values, n, n_units, cost);
  free(as);
  return code;
}

/* ---- Into the module ------------------------------------------------------------------------- */

buddy_code bd_sharing_finish(bd_sharing *sharing, MlirModule module, buddy_diags *diags) {
  bd_text *text = &sharing->functions;
  if (text->size == 0 && !text->code) return BUDDY_OK;
  bd_text_format(
      text, "func.func private @" BD_RUNTIME_PARALLEL_FOR "(!llvm.ptr, !llvm.ptr, i64, i64)\n");
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, mlirModuleGetContext(module), diags, BUDDY_INTERNAL, "sharing loops");
  const buddy_code code = bd_functions_append(module, text);
  bd_mlir_diags_end(&scope);
  return code;
}

void bd_sharing_deinit(bd_sharing *sharing) {
  for (size_t i = 0; i < sharing->n; ++i) free(sharing->signatures[i]);
  free(sharing->signatures);
  bd_text_deinit(&sharing->functions);
  *sharing = (bd_sharing){.n = 0};
}
