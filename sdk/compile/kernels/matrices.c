// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/matrices.c: contractions read as products of matrices. */
#include "sdk/compile/kernels/matrices.h"

#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/panels/panels.h"
#include "sdk/runtime/strided.h"

const bd_operand *bd_operand_of(const bd_contraction *c, int which) {
  return &c->s.operands[c->operand[which]];
}

MlirType bd_element_of(const bd_contraction *c, int which) {
  return mlirShapedTypeGetElementType(bd_operand_of(c, which)->type);
}

bd_elements bd_contraction_elements(const bd_contraction *c) {
  bd_elements all;
  for (int i = 0; i < 3; ++i) all.of[i] = bd_element_for(bd_element_of(c, i));
  return all;
}

const bd_element *bd_narrow_element_of(const bd_contraction *c) {
  const bd_elements e = bd_contraction_elements(c);
  const bool is_narrow = e.of[BD_B] == &bd_bf16 || e.of[BD_B] == &bd_f16;
  return is_narrow && e.of[BD_A] == &bd_f32 ? e.of[BD_B] : NULL;
}

/* The loops of one kind that can be walked as one along operands x and y, with the innermost along
 * `lead`. */
static void choose_group(bd_contraction *c, MlirAttribute kind, int x, int y, int lead,
                         bd_group *out) {
  const bd_operand *first = bd_operand_of(c, x), *second = bd_operand_of(c, y),
                   *order = bd_operand_of(c, lead);
  const intptr_t n = mlirDenseArrayGetNumElements(kind);
  int innermost = -1;
  for (intptr_t i = 0; i < n; ++i) {
    const int loop = mlirDenseI32ArrayGetElement(kind, i);
    if (innermost < 0 || order->axis[loop] > order->axis[innermost]) innermost = loop;
  }
  out->n = 0;
  if (innermost < 0) return;
  out->loops[out->n++] = innermost;
  if (!bd_memref_is_dense(first->type) || !bd_memref_is_dense(second->type)) return;
  for (intptr_t tries = 1; tries < n; ++tries) {
    const int last = out->loops[out->n - 1];
    for (intptr_t i = 0; i < n; ++i) {
      const int loop = mlirDenseI32ArrayGetElement(kind, i);
      if (first->axis[loop] == first->axis[last] - 1 &&
          second->axis[loop] == second->axis[last] - 1) {
        out->loops[out->n++] = loop;
        break;
      }
    }
    if (out->loops[out->n - 1] == last) return;
  }
}

/* Steps of one along C when the group's innermost loop steps by one. */
static bool has_unit_stride(const bd_operand *operand, const bd_group *g) {
  return g->n > 0 && operand->strides[g->loops[0]] == 1;
}

int64_t bd_group_size(const bd_contraction *c, const bd_group *g) {
  int64_t size = 1;
  for (int i = 0; i < g->n; ++i) {
    const int64_t one = c->s.sizes[g->loops[i]];
    if (one < 0) return INT32_MAX;
    size = size * one < INT32_MAX ? size * one : INT32_MAX;
  }
  return size;
}

int64_t bd_group_stride(const bd_operand *operand, const bd_group *g) {
  return operand->strides[g->loops[0]];
}

/* Named operations do not tell in their attributes which loops threads may share. */
static void mark_parallel(bd_contraction *c, MlirAttribute loops) {
  const intptr_t n = mlirDenseArrayGetNumElements(loops);
  for (intptr_t i = 0; i < n; ++i) c->s.is_parallel[mlirDenseI32ArrayGetElement(loops, i)] = 1;
}

int bd_contraction_read(MlirOperation op, bd_contraction *c) {
  if (!mlirLinalgIsAContractionOp(op) || !bd_structured_read(op, &c->s)) return 0;
  if (c->s.n_operands != 3 || c->s.n_inputs != 2) return 0;
  for (int i = 0; i < 3; ++i) {
    if (c->s.operands[i].rank < 1 || !c->s.operands[i].is_plain) return 0;
    c->operand[i] = i;
  }
  const MlirLinalgContractionDimensions dims = mlirLinalgInferContractionDimensions(op);
  if (!dims.m.ptr || !dims.n.ptr || !dims.k.ptr) return 0;
  mark_parallel(c, dims.batch);
  mark_parallel(c, dims.m);
  mark_parallel(c, dims.n);
  choose_group(c, dims.m, BD_A, BD_C, BD_C, &c->m);
  choose_group(c, dims.n, BD_B, BD_C, BD_C, &c->n);
  if (c->m.n == 0 || c->n.n == 0) return 0;
  if (!has_unit_stride(&c->s.operands[BD_C], &c->n)) {
    if (!has_unit_stride(&c->s.operands[BD_C], &c->m)) return 0;
    const bd_group m = c->m;
    c->m = c->n;
    c->n = m;
    c->operand[BD_A] = BD_B;
    c->operand[BD_B] = BD_A;
  }
  choose_group(c, dims.k, BD_A, BD_B, BD_A, &c->k);
  const bd_group *groups[] = {&c->m, &c->n, &c->k};
  for (int i = 0; i < BD_MAX_LOOPS; ++i) c->is_inside[i] = 0;
  for (int g = 0; g < 3; ++g) {
    for (int i = 0; i < groups[g]->n; ++i) c->is_inside[groups[g]->loops[i]] = 1;
  }
  c->has_outer_sum = mlirDenseArrayGetNumElements(dims.k) != c->k.n;
  return c->k.n > 0;
}

buddy_code bd_contractions_collect(bd_ops *ops, MlirOperation root) {
  size_t n = 0;
  const buddy_code code = bd_ops_collect_outermost(ops, root, "linalg.");
  for (size_t i = 0; i < ops->n; ++i) {
    if (mlirLinalgIsAContractionOp(ops->items[i])) ops->items[n++] = ops->items[i];
  }
  ops->n = n;
  return code;
}

int bd_has_outer_axis(const bd_contraction *c, int which) {
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (!c->is_inside[loop] && bd_operand_of(c, which)->axis[loop] >= 0) return 1;
  }
  return 0;
}

int bd_contraction_is_static(const bd_contraction *c) {
  int64_t strides[BD_MAX_RANK];
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (c->s.sizes[loop] <= 0) return 0;
  }
  for (int i = 0; i < 3; ++i) {
    const bd_operand *operand = &c->s.operands[i];
    if (!bd_memref_strides(operand->type, strides)) return 0;
    for (int64_t r = 0; r < operand->rank; ++r) {
      if (strides[r] == INT64_MIN) return 0;
    }
  }
  return 1;
}

int64_t bd_count_batches(const bd_contraction *c) {
  int64_t n = 1;
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (c->is_inside[loop] || !c->s.is_parallel[loop] || n == INT32_MAX) continue;
    n = c->s.sizes[loop] < 0 ? INT32_MAX : n * c->s.sizes[loop];
    if (n > INT32_MAX) n = INT32_MAX;
  }
  return n;
}

/* ---- Text of kernels ---- */

int bd_operand_along(const bd_contraction *c, int loop) {
  int i = 0;
  while (i < 2 && c->s.operands[i].axis[loop] < 0) ++i;
  return i;
}

void bd_contraction_write_offset(bd_text *text, const bd_contraction *c, int i) {
  bd_text_format(text, "at%d_0 = x%d_at;", i, i);
  int n = 0;
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    const int axis = c->s.operands[i].axis[loop];
    if (c->is_inside[loop] || axis < 0) continue;
    bd_text_format(text,
                   "let i = %d, k = %d; step$i_$k = i%d * x$i_strides#%d;"
                   "at$i_$(k + 1) = at$i_$k + step$i_$k;",
                   i, n, loop, axis);
    ++n;
  }
  bd_text_format(text, "at%d = at%d_%d;", i, i, n);
}

/* Where there are fewer of them, threads share each product instead. */
enum { MANY_BATCHES = 4 };

/* The loops that threads share come first, as one. */
static void write_shared_loops(bd_text *text, const bd_contraction *c) {
  int loops[BD_MAX_LOOPS], n = 0;
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (!c->is_inside[loop] && c->s.is_parallel[loop]) loops[n++] = loop;
  }
  bd_ir_write_parallel(text, "i", "end", loops, n);
}

static bool shares_batches(const bd_contraction *c) { return bd_count_batches(c) >= MANY_BATCHES; }

/* Around the matrices, and not one of those that threads share. */
static bool is_sequential(const bd_contraction *c, int loop) {
  return !c->is_inside[loop] && !(shares_batches(c) && c->s.is_parallel[loop]);
}

void bd_contraction_write_loops(bd_text *text, const bd_contraction *c) {
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    const int x = bd_operand_along(c, loop);
    if (c->is_inside[loop]) continue;
    if (c->s.sizes[loop] >= 0)
      bd_text_format(text, "end%d = %lld;", loop, (long long)c->s.sizes[loop]);
    else
      bd_text_format(text, "end%d = x%d_sizes#%d;", loop, x, c->s.operands[x].axis[loop]);
  }
  if (shares_batches(c)) write_shared_loops(text, c);
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (is_sequential(c, loop)) bd_text_format(text, "for i%d = c0 to end%d {", loop, loop);
  }
}

void bd_contraction_write_loops_end(bd_text *text, const bd_contraction *c, int64_t cost) {
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (is_sequential(c, loop)) bd_text_format(text, "  }\n");
  }
  if (shares_batches(c)) bd_units_end(text, cost);
}
