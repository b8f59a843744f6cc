/* sdk/compile/rewrite/sharing.c: see sharing.h. The values lie in a struct on the caller's stack,
 * as the llvm dialect has them: buffers as pointers, or as descriptors where their type does not
 * say the rest. */
#include "sdk/compile/rewrite/sharing.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"
#include "sdk/lower/context.h"
#include "sdk/runtime/spread.h"

static int is_pointer(MlirType type) {
  return mlirTypeEqual(type, mlirTypeParseGet(mlirTypeGetContext(type),
                                              mlirStringRefCreateFromCString("!llvm.ptr")));
}

int bd_can_be_shared(MlirType type) {
  if (mlirTypeIsAMemRef(type)) {
    const MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
    return space.ptr == NULL;
  }
  return mlirTypeIsAIndex(type) || mlirTypeIsAF32(type) || mlirTypeIsAF64(type) ||
         mlirTypeIsAF16(type) || mlirTypeIsABF16(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type)) || is_pointer(type);
}

/* The type in memory. */
static void write_carried(bd_text *text, MlirType type) {
  if (mlirTypeIsAIndex(type)) {
    bd_text_format(text, "i64");
  } else if (!mlirTypeIsAMemRef(type)) {
    bd_text_type(text, type);
  } else if (bd_type_is_bare(type)) {
    bd_text_format(text, "!llvm.ptr");
  } else if (mlirShapedTypeGetRank(type) == 0) {
    bd_text_format(text, "!llvm.struct<(ptr, ptr, i64)>");
  } else {
    const int rank = (int)mlirShapedTypeGetRank(type);
    bd_text_format(text, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", rank,
                   rank);
  }
}

static void write_context_type(bd_text *text, const MlirType *types, size_t n) {
  bd_text_format(text, "!llvm.struct<(");
  for (size_t i = 0; i < n; i++) {
    if (i > 0) bd_text_format(text, ", ");
    write_carried(text, types[i]);
  }
  bd_text_format(text, ")>");
}

/* %pI = where value I is. */
static void write_place(bd_text *text, const MlirType *types, size_t n, size_t i) {
  bd_text_format(
      text, "  %%p%zu = llvm.getelementptr %%context[0, %zu] : (!llvm.ptr) -> !llvm.ptr, ", i, i);
  write_context_type(text, types, n);
  bd_text_format(text, "\n");
}

static int is_converted(MlirType type) { return mlirTypeIsAMemRef(type) || mlirTypeIsAIndex(type); }

static void write_store(bd_text *text, MlirType type, size_t i) {
  if (is_converted(type)) {
    bd_text_format(text, "  %%w%zu = builtin.unrealized_conversion_cast %%a%zu : ", i, i);
    bd_text_type(text, type);
    bd_text_format(text, " to ");
    write_carried(text, type);
    bd_text_format(text, "\n");
  }
  bd_text_format(text, "  llvm.store %%%c%zu, %%p%zu : ", is_converted(type) ? 'w' : 'a', i, i);
  write_carried(text, type);
  bd_text_format(text, ", !llvm.ptr\n");
}

static void write_load(bd_text *text, MlirType type, size_t i) {
  bd_text_format(text, "  %%%c%zu = llvm.load %%p%zu : !llvm.ptr -> ",
                 is_converted(type) ? 'w' : 'a', i, i);
  write_carried(text, type);
  bd_text_format(text, "\n");
  if (!is_converted(type)) return;
  bd_text_format(text, "  %%a%zu = builtin.unrealized_conversion_cast %%w%zu : ", i, i);
  write_carried(text, type);
  bd_text_format(text, " to ");
  bd_text_type(text, type);
  bd_text_format(text, "\n");
}

/* Buffers travel as they do to the part itself. */
static const char *convention(const MlirType *types, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!bd_type_is_bare(types[i])) return "";
  }
  return "attributes {llvm.bareptr} ";
}

static void write_types(bd_text *text, const MlirType *types, size_t n) {
  for (size_t i = 0; i < n; i++) {
    bd_text_type(text, types[i]);
    bd_text_format(text, ", ");
  }
}

static void write_loop(bd_text *text, const char *kernel, size_t number, const MlirType *types,
                       size_t n, int64_t cost) {
  bd_text_format(text, "func.func private @\"%s.loop_%zu\"(", kernel, number);
  for (size_t i = 0; i < n; i++) {
    bd_text_format(text, "%%a%zu: ", i);
    bd_text_type(text, types[i]);
    bd_text_format(text, ", ");
  }
  bd_text_format(text,
                 "%%n_units: index) %s{\n"
                 "  %%one = llvm.mlir.constant(1 : i64) : i64\n"
                 "  %%cost = llvm.mlir.constant(%lld : i64) : i64\n"
                 "  %%context = llvm.alloca %%one x ",
                 convention(types, n), (long long)cost);
  write_context_type(text, types, n);
  bd_text_format(text, " : (i64) -> !llvm.ptr\n");
  for (size_t i = 0; i < n; i++) {
    write_place(text, types, n, i);
    write_store(text, types[i], i);
  }
  bd_text_format(
      text,
      "  %%function = func.constant @\"%s.task_%zu\" : (!llvm.ptr, i64, i64) -> ()\n"
      "  %%task = builtin.unrealized_conversion_cast %%function : (!llvm.ptr, i64, i64) -> () to "
      "!llvm.ptr\n"
      "  %%n = arith.index_cast %%n_units : index to i64\n"
      "  func.call @" BD_RUNTIME_SPREAD
      "(%%task, %%context, %%n, %%cost) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()\n"
      "  return\n}\n",
      kernel, number);
}

static void write_task(bd_text *text, const char *kernel, size_t number, const MlirType *types,
                       size_t n) {
  bd_text_format(text,
                 "func.func private @\"%s.task_%zu\"(%%context: !llvm.ptr, %%first: i64, %%last: "
                 "i64) {\n",
                 kernel, number);
  for (size_t i = 0; i < n; i++) {
    write_place(text, types, n, i);
    write_load(text, types[i], i);
  }
  bd_text_format(text,
                 "  %%from = arith.index_cast %%first : i64 to index\n"
                 "  %%to = arith.index_cast %%last : i64 to index\n"
                 "  func.call @\"%s.part_%zu\"(",
                 kernel, number);
  for (size_t i = 0; i < n; i++) bd_text_format(text, "%%a%zu, ", i);
  bd_text_format(text, "%%from, %%to) : (");
  write_types(text, types, n);
  bd_text_format(text, "index, index) -> ()\n  return\n}\n");
}

void bd_sharing_write(bd_text *text, const char *kernel, size_t i, const MlirType *types, size_t n,
                      int64_t cost) {
  bd_text_format(text, "func.func private @\"%s.part_%zu\"(", kernel, i);
  write_types(text, types, n);
  bd_text_format(text, "index, index)\n");
  write_loop(text, kernel, i, types, n, cost);
  write_task(text, kernel, i, types, n);
}

buddy_code bd_sharing_finish(bd_text *text, MlirModule module, buddy_diags *diags) {
  const MlirContext context = mlirModuleGetContext(module);
  if (text->n == 0 && !text->is_lost) return BUDDY_OK;
  bd_text_format(text,
                 "func.func private @" BD_RUNTIME_SPREAD "(!llvm.ptr, !llvm.ptr, i64, i64)\n");
  if (text->is_lost) return BUDDY_OUT_OF_MEMORY;
  bd_mlir_diags scope;
  bd_mlir_diags_begin(&scope, context, diags, BUDDY_INTERNAL, "sharing loops");
  const MlirModule parsed =
      mlirModuleCreateParse(context, mlirStringRefCreate(text->data, text->n));
  bd_mlir_diags_end(&scope);
  if (parsed.ptr == NULL) return BUDDY_INTERNAL;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(parsed));
  while (op.ptr != NULL) {
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    const int is_part = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr == NULL;
    if (!is_part || next.ptr == NULL) { /* the last one declares the runtime's function */
      mlirOperationRemoveFromParent(op);
      mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), op);
    }
    op = next;
  }
  mlirModuleDestroy(parsed);
  return BUDDY_OK;
}
