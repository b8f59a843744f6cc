// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/around.c: the head and the call of a kernel that does what is around an
 * operation, too. */
#include "sdk/compile/kernels/around.h"

#include "core/base/try.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/runtime/prepacked.h"

void bd_around_follow(bd_around *a, const bd_epilogue *found, const bd_prepacking *prepacking) {
  a->found = a->epilogue = *found;
  a->affine = bd_affine_take(&a->epilogue, &a->begin, prepacking);
}

static bool has_map(const bd_around *a) { return a->affine.map.op.ptr; }

bd_begin bd_around_begin(const bd_around *a) { return has_map(a) ? BD_BEGIN_ROW : a->begin.begin; }

/* The row that sums begin with as it is; null: the map makes one, or they begin otherwise. */
static MlirValue row_of(const bd_around *a) {
  return has_map(a) ? (MlirValue){NULL} : a->begin.row;
}

void bd_around_write_parameters(bd_text *text, const MlirType types[3], const bd_around *a,
                                const bd_extents *x, bool has_slot) {
  const bd_affine *affine = &a->affine;
  const MlirValue row = row_of(a);
  bd_head head = {.is_open = false};
  for (int i = 0; i < 3; ++i) bd_head_add(text, &head, bd_phrase_of("x%d", i).data, types[i]);
  for (int k = 0; k < affine->map.n; ++k)
    bd_head_add(text, &head, bd_phrase_of("a%d", k).data, affine->map.extras[k].type);
  if (affine->row.ptr) bd_head_add(text, &head, "began", mlirValueGetType(affine->row));
  if (row.ptr) bd_head_add(text, &head, "row", mlirValueGetType(row));
  bd_epilogue_write_parameters(text, &head, &a->epilogue);
  if (has_slot) bd_text_format(text, ", %%slot: i64");
  bd_extents_write_parameters(text, x);
  bd_head_end(text, &head);
}

void bd_around_write_bases(bd_text *text, const bd_around *a) {
  const MlirValue row = row_of(a);
  if (has_map(a) || row.ptr)
    bd_text_format(text, "row_base = base(%s);", has_map(a) ? "kept_row_0_point" : "row");
  bd_text_format(text, "each k to %d { extra_$k_base = base(e$k); }", a->epilogue.n);
}

buddy_code bd_around_call(const bd_around *a, MlirOperation op, const char *name,
                          const MlirValue buffers[3], const bd_extents *x, bool has_slot,
                          bd_prepacking *keeps) {
  MlirValue operands[6 + 2 * BD_MAX_EXTRAS + BD_MAX_EXTENTS] = {buffers[0], buffers[1], buffers[2]};
  const bd_epilogue *map = &a->affine.map;
  const MlirValue row = row_of(a);
  const bd_builder b =
      bd_builder_for(a->found.op.ptr ? a->found.op : op, mlirOperationGetLocation(op));
  size_t n = 3;
  for (int k = 0; k < map->n; ++k) operands[n++] = map->extras[k].buffer;
  if (a->affine.row.ptr) operands[n++] = a->affine.row;
  if (row.ptr) operands[n++] = row;
  for (int k = 0; k < a->epilogue.n; ++k) operands[n++] = a->epilogue.extras[k].buffer;
  if (has_slot) {
    const int64_t slot =
        keeps ? bd_prepacking_slot_of(keeps, name, operands, n) : BD_PREPACKED_NO_SLOT;
    operands[n++] = bd_build_i64(b, slot);
  }
  for (size_t i = 0; i < n; ++i) {
    if (!operands[i].ptr) return BUDDY_OUT_OF_MEMORY;
  }
  if (x) BD_TRY(bd_extents_insert(x, b.before, operands + n));
  BD_TRY(bd_build_call(b, name, operands, n + (x ? (size_t)x->n : 0)));
  if (a->begin.op.ptr) bd_op_erase(a->begin.op);
  bd_op_erase(op);
  return BUDDY_OK;
}
