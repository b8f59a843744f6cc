// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/dequantized.c: finding the loop that dequantizes an operand; text.c and
 * row.c write it. */
#include "sdk/compile/kernels/dequantized/dequantized.h"

#include <stdbool.h>

#include "sdk/compile/kernels/dequantized/parts.h"
#include "sdk/compile/rewrite/constancy.h"

/* ---- What it reads --------------------------------------------------------------------------- */

/* Two numbers to an element: what is read of it are whole ones. */
static int read_halves(const bd_structured *s, const bd_prepacking *prepacking, bd_extra *out,
                       bd_packing *packing) {
  packing->made = out->buffer;
  packing->halves = bd_halves_find(out->buffer, prepacking);
  if (!packing->halves.packed.ptr || out->offset % 2 != 0) return 0;
  for (int i = 0; i < s->n_loops - 1; ++i) {
    if (out->strides[i] % 2 != 0) return 0;
  }
  out->buffer = packing->halves.packed;
  out->type = mlirValueGetType(out->buffer);
  return out->strides[s->n_loops - 1] == 1;
}

static int read_source(const bd_structured *s, int i, const bd_prepacking *prepacking,
                       bd_extra *out, bd_packing *packing) {
  *out = (bd_extra){.argument = i};
  const bd_operand *operand = &s->operands[i];
  if (operand->rank < 0 || !bd_extra_read_strides(s, i, NULL, out)) return 0;
  const int64_t last = out->strides[s->n_loops - 1];
  out->is_spread = last == 0;
  if (last != 0 && last != 1) return 0;
  return bd_is_steady(prepacking, operand->value) || read_halves(s, prepacking, out, packing);
}

static int read_sources(const bd_structured *s, const bd_prepacking *prepacking,
                        bd_dequantized *out) {
  if (s->n_inputs > BD_MAX_EXTRAS) return 0;
  for (int i = 0; i < s->n_inputs; ++i) {
    if (!read_source(s, i, prepacking, &out->loop.extras[i], &out->packings[i])) return 0;
    ++out->loop.n;
  }
  return 1;
}

/* The axes of what the loop writes; unit axes at its end are none. */
static int read_axes(const bd_structured *s, bd_dequantized *out) {
  const bd_operand *written = &s->operands[s->n_inputs];
  if (!bd_is_element_by_element(s, s->n_inputs) || !bd_type_is_bare(written->type) ||
      s->n_loops > BD_MAX_RANK)
    return 0;
  out->rank = s->n_loops;
  for (int i = 0; i < s->n_loops; ++i) out->sizes[i] = s->sizes[i];
  return out->rank > 0 && bd_count_elements(written->type) == out->n * out->k;
}

/* Loops around the product that walk along B make no round but one. */
static bool is_one_matrix(const bd_contraction *c) {
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    if (!c->is_inside[loop] && bd_operand_of(c, BD_B)->axis[loop] >= 0 && c->s.sizes[loop] != 1)
      return false;
  }
  return !c->has_outer_sum;
}

bd_dequantized bd_dequantized_find(const bd_contraction *c, const bd_prepacking *prepacking) {
  const bd_dequantized none = {.n = 0};
  const bd_operand *b = bd_operand_of(c, BD_B);
  const MlirValue buffer = bd_base_of(b->value);
  MlirOperation writer = {NULL};
  bd_structured s;
  if (!bd_is_made_by(buffer, "memref.alloc") || !bd_type_is_bare(b->type) || !is_one_matrix(c))
    return none;
  if (!bd_writer_find(buffer, &writer) || !writer.ptr || !bd_op_is(writer, "linalg.generic") ||
      !bd_structured_read(writer, &s) || !bd_structured_is_parallel(&s) ||
      !mlirValueEqual(s.operands[s.n_inputs].value, buffer) || !bd_body_can_be_vector(writer))
    return none;
  bd_dequantized r = {.loop = {.op = writer, .output = buffer, .product = -1},
                      .n = bd_group_size(c, &c->n),
                      .k = bd_group_size(c, &c->k),
                      .machine = prepacking->machine,
                      .lanes = bd_machine_lanes(prepacking->machine, sizeof(float))};
  if (bd_group_stride(b, &c->n) != r.k || bd_count_elements(b->type) != r.n * r.k ||
      !read_axes(&s, &r) || !read_sources(&s, prepacking, &r))
    return none;
  const int64_t group = r.sizes[r.rank - 1];
  if (group % r.lanes != 0 || r.k % group != 0 || !bd_dequantized_read_factors(&r)) return none;
  bd_dequantized_read_words(&r);
  return r;
}

void bd_dequantized_erase(const bd_dequantized *r) {
  const MlirValue made = r->loop.output;
  const MlirOperation alloc = bd_maker_of(made);
  bd_views_erase_unread(made);
  if (!bd_only_user(made).ptr) return;
  bd_op_erase(r->loop.op);
  bd_op_erase(alloc);
  for (int k = 0; k < r->loop.n; ++k) {
    if (r->packings[k].halves.packed.ptr) bd_halves_erase(r->packings[k].made);
  }
}
