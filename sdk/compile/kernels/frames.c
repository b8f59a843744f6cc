// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/frames.c: the kernel goes over the whole buffer, and reads at positions that are brought
 * inside of what is copied; loops are split where that begins and ends (rewrite/splitting.h). */
#include "sdk/compile/kernels/frames.h"

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/builder.h"

typedef struct frame {
  MlirOperation fill, copy;
  MlirValue whole, from;
  bd_box box; /* of the whole, that is copied into */
} frame;

static int64_t size_of(const frame *f, int64_t axis) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(f->whole), (intptr_t)axis);
}

static bool is_bordered(const frame *f, int64_t axis) { return f->box.n[axis] != size_of(f, axis); }

/* ---- Which ---- */

/* Whether the buffer, or what it is a view of, is used between the two. */
static bool is_seen(const frame *f, MlirValue value) {
  const MlirBlock block = mlirOperationGetBlock(f->copy);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (bd_op_is_view(op) && is_seen(f, mlirOperationGetResult(op, 0))) return true;
    op = bd_op_ancestor_in(block, op);
    if (!op.ptr) return true;
    if (!bd_op_is_view(op) && mlirOperationIsBeforeInBlock(f->fill, op) &&
        mlirOperationIsBeforeInBlock(op, f->copy))
      return true;
  }
  return false;
}

static bool read_frame(MlirOperation copy, frame *f) {
  bd_geometry to;
  *f = (frame){.copy = copy, .from = mlirOperationGetOperand(copy, 0)};
  const MlirValue into = mlirOperationGetOperand(copy, 1);
  const MlirType from = mlirValueGetType(f->from);
  if (!mlirTypeIsAMemRef(from) || !mlirTypeIsAMemRef(mlirValueGetType(into)) ||
      !bd_geometry_read(into, &to) || !bd_box_read(&to, &f->box))
    return false;
  f->whole = to.base;
  if (!bd_is_made_by(f->whole, "memref.alloc") || mlirValueEqual(bd_base_of(f->from), f->whole) ||
      mlirShapedTypeGetRank(from) != f->box.rank)
    return false;
  bool has_any = false;
  for (int64_t i = 0; i < f->box.rank; ++i) {
    if (mlirShapedTypeGetDimSize(from, (intptr_t)i) != f->box.n[i] || f->box.n[i] == 0)
      return false;
    has_any |= is_bordered(f, i);
  }
  f->fill = bd_fill_before(copy, f->whole);
  return has_any && f->fill.ptr && !is_seen(f, f->whole);
}

/* ---- The kernel ---- */

static void write_positions(bd_text *text, const frame *f) {
  for (int64_t i = 0; i < f->box.rank; ++i) {
    bd_text_format(text,
                   "let d = %lld, f = %lld, l = %lld;  %%i_$d = linalg.index $d : index\n"
                   "p_$d = min(max(i_$d - $f, 0), $l);",
                   (long long)i, (long long)f->box.first[i], (long long)f->box.n[i] - 1);
    if (is_bordered(f, i))
      bd_text_format(text, "before_$d = i_$d - $f < 0; behind_$d = i_$d - $f > $l;");
  }
}

/* %x_N of what was read: the number that was filled with, outside. */
static int write_choices(bd_text *text, const frame *f) {
  int n = 0;
  for (int64_t i = 0; i < f->box.rank; ++i) {
    if (!is_bordered(f, i)) continue;
    bd_text_format(text,
                   "let k = %d, d = %lld; x_$(k + 1) = select(before_$d, value, x_$k);"
                   "x_$(k + 2) = select(behind_$d, value, x_$(k + 1));",
                   n, (long long)i);
    n += 2;
  }
  return n;
}

static void write_list(bd_text *text, const char *name, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    bd_text_format(text, "%s%s%lld", i > 0 ? ", " : "", name, (long long)i);
}

static void write_kernel(bd_text *text, const frame *f) {
  const MlirType from = mlirValueGetType(f->from), whole = mlirValueGetType(f->whole);
  const bd_phrase element = bd_phrase_type(mlirShapedTypeGetElementType(whole));
  bd_text_format(text, "(%%from: %s, %%whole: %s {llvm.noalias}, %%value: %s) {\n",
                 bd_phrase_type(from).data, bd_phrase_type(whole).data, element.data);
  bd_text_format(text, "linalg.generic {indexing_maps = [affine_map<(");
  write_list(text, "d", f->box.rank);
  bd_text_format(text, ") -> (");
  write_list(text, "d", f->box.rank);
  bd_text_format(text, ")>], iterator_types = [%s]} outs(%%whole : %s) {\n^bb0(%%old: %s):\n",
                 bd_phrase_list("\"parallel\"", f->box.rank).data, bd_phrase_type(whole).data,
                 element.data);
  write_positions(text, f);
  bd_text_format(text, "x_0 = from[");
  write_list(text, "p_", f->box.rank);
  bd_text_format(text, "];");
  const int n = write_choices(text, f);
  bd_text_format(text, "  linalg.yield %%x_%d : %s\n}\nreturn\n}\n", n, element.data);
}

static buddy_code replace(MlirOperation copy, void *kernels) {
  frame f;
  bd_text text = {.data = NULL};
  const char *name;
  if (!read_frame(copy, &f)) return BUDDY_OK;
  write_kernel(&text, &f);
  BD_TRY(bd_kernels_add(kernels, "frame", &text, &name));
  const MlirValue operands[] = {f.from, f.whole, mlirOperationGetOperand(f.fill, 0)};
  BD_TRY(bd_build_call(bd_builder_before(copy), name, operands, 3));
  bd_op_erase(copy);
  bd_op_erase(f.fill);
  return BUDDY_OK;
}

buddy_code bd_frames_replace(MlirOperation root, bd_kernels *kernels) {
  return bd_ops_each(root, "memref.copy", replace, kernels);
}
