// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/contraction.c: replacing matrix products. Of a product it is read what it is
 * (matrices.h), a kernel is chosen and written, of one shape (product.h) or of any (gemm.h), and a
 * call of it takes its place. */
#include "sdk/compile/kernels/contraction.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/choice.h"
#include "sdk/compile/kernels/panel_epilogue.h"
#include "sdk/compile/kernels/gemm.h"
#include "sdk/compile/kernels/product.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/builder.h"

/* With one row, few columns, or few rows of what is packed, a kernel costs more than it gives. */
static bool is_worthwhile(const bd_contraction *c, bool is_in_place) {
  const int64_t m = bd_group_size(c, &c->m), n = bd_group_size(c, &c->n),
                k = bd_group_size(c, &c->k);
  return (m >= 4 || (m > 1 && is_in_place)) && n >= 4 && k >= 4 &&
         (double)m * (double)n * (double)k >= 16384;
}

/* s: null if it is none of known sizes. */
static buddy_code call(const bd_contraction *c, const bd_product *s, const char *name,
                       bd_prepacking *prepacking) {
  const bd_around nothing = {.begin = {BD_BEGIN_OLD}}, *around = s ? &s->around : &nothing;
  MlirValue buffers[3];
  for (int i = 0; i < 3; ++i) buffers[i] = c->s.operands[i].value;
  if (around->found.op.ptr)
    buffers[BD_C] = bd_panel_epilogue_output(&around->found, c->s.operands[BD_C].type);
  BD_TRY(bd_around_call(around, c->s.op, name, buffers, NULL, s && s->is_kept, prepacking));
  bd_epilogue_erase(&around->found);
  return BUDDY_OK;
}

/* B need not be there: the loop that makes it goes away with the product. */
static buddy_code call_dequantized(const bd_contraction *c, const bd_dequantized *r,
                                   const char *name) {
  MlirValue operands[2 + BD_MAX_EXTRAS] = {bd_operand_of(c, BD_A)->value,
                                           bd_operand_of(c, BD_C)->value};
  for (int k = 0; k < r->loop.n; ++k) operands[2 + k] = r->loop.extras[k].buffer;
  BD_TRY(bd_build_call(bd_builder_before(c->s.op), name, operands, 2 + (size_t)r->loop.n));
  bd_op_erase(c->s.op);
  bd_dequantized_erase(r);
  return BUDDY_OK;
}

/* Loops of one shape are for matrices that are packed once, or have rows enough to pay for it.
 * Pairs are multiplied no faster by vectors than they are read; by AMX they are. */
static bool is_for_dots(const bd_contraction *c, const bd_product *s) {
  return bd_can_be_gemv(c) && bd_group_size(c, &c->m) <= BD_FEW_ROWS &&
         (!s->is_kept || !is_worthwhile(c, false) ||
          (s->p.words && !bd_panels_are_shifted(&s->p) && s->p.amx_step == 0));
}

/* The kernels widen integers as signed ones. */
static bool has_unsigned(MlirOperation op) {
  MlirOperation in = mlirBlockGetFirstOperation(bd_body_of(op));
  while (in.ptr && !bd_op_is(in, "arith.uitofp") && !bd_op_is(in, "arith.extui"))
    in = mlirOperationGetNextInBlock(in);
  return in.ptr != NULL;
}

/* Only for floats: products of bytes are exact. */
static bd_dequantized find_dequantized(const bd_contraction *c, const bd_prepacking *prepacking) {
  const bd_dequantized none = {.n = 0};
  return mlirTypeIsAFloat(bd_element_of(c, BD_B)) && bd_can_be_gemv(c)
             ? bd_dequantized_find(c, prepacking)
             : none;
}

static bd_choice choice_of(const bd_contraction *c, const bd_product *s, bool is_shaped,
                           bool is_dequantized) {
  if (is_shaped && s->is_kept)
    return (bd_choice){"product", "constant weights, packed in the first run", false};
  if (is_shaped && s->p.is_in_place)
    return (bd_choice){"product", "few enough weights or rows to be read where they lie", false};
  if (is_shaped) return (bd_choice){"product", "weights are not constant", true};
  if (is_dequantized)
    return (bd_choice){"contraction", "weights are made of small integers on the way", false};
  if (is_for_dots(c, s))
    return (bd_choice){"contraction", "few rows: columns are read where they lie", false};
  if (!bd_contraction_is_static(c))
    return (bd_choice){"contraction", "symbolic sizes: tiles with guarded ends", true};
  return (bd_choice){"contraction", "elements, or sums, that no tiles of one shape have", true};
}

static const bd_choice unread = {NULL, "operands do not lie as matrices", true},
                       unsigned_elements = {NULL, "unsigned elements", true},
                       small = {NULL, "too small for packing to pay", false},
                       uncovered = {NULL, "elements that no kernel multiplies", true};

/* The kernel's name. BUDDY_UNSUPPORTED: there is none. s: null if it is none of known sizes. */
static buddy_code add_kernel(const bd_contraction *c, const bd_product *s,
                             const bd_dequantized *dequantized, bd_kernels *kernels,
                             bd_prepacking *prepacking, const char **out_name) {
  bd_elements elements = bd_contraction_elements(c);
  if (dequantized->n > 0) elements.of[BD_B] = &bd_f32;
  bd_callees of = {.gemm = NULL};
  BD_TRY(s ? bd_product_find_callees(c, s, prepacking, kernels, &of)
           : bd_callees_find(c, kernels, prepacking, elements, dequantized->n > 0, &of));
  bd_text text = {.data = NULL};
  if (s)
    bd_product_write_kernel(&text, c, s, &of, kernels);
  else
    bd_callees_write_kernel(&text, c, &of, dequantized);
  return bd_kernels_add(kernels, s ? "product" : "contraction", &text, out_name);
}

static buddy_code replace(MlirOperation op, bd_kernels *kernels, bd_prepacking *prepacking) {
  bd_contraction c;
  bd_product s;
  const char *name;
  if (!bd_contraction_read(op, &c)) return bd_choice_tell(kernels, op, unread);
  if (has_unsigned(op)) return bd_choice_tell(kernels, op, unsigned_elements);
  const bd_dequantized dequantized = find_dequantized(&c, prepacking);
  bool is_shaped = bd_product_read(&c, prepacking, &s);
  if (dequantized.n > 0 || is_for_dots(&c, &s))
    is_shaped = false;
  else if (!is_worthwhile(&c, is_shaped && s.p.is_in_place) &&
           !(is_shaped && bd_panels_are_shifted(&s.p)))
    return bd_choice_tell(kernels, op, small);
  const buddy_code code =
      add_kernel(&c, is_shaped ? &s : NULL, &dequantized, kernels, prepacking, &name);
  if (code == BUDDY_UNSUPPORTED) return bd_choice_tell(kernels, op, uncovered);
  if (code != BUDDY_OK) return code;
  bd_choice_tell(kernels, op, choice_of(&c, &s, is_shaped, dequantized.n > 0));
  if (dequantized.n > 0) return call_dequantized(&c, &dequantized, name);
  return call(&c, is_shaped ? &s : NULL, name, prepacking);
}

/* What is made in the first run alone keeps nothing of its own. */
buddy_code bd_contractions_replace(MlirOperation root, bd_kernels *kernels,
                                   bd_prepacking *prepacking) {
  bd_ops ops = {NULL, 0, 0};
  bd_prepacking nothing = *prepacking;
  nothing.entry = (MlirBlock){NULL};
  buddy_code code = bd_contractions_collect(&ops, root);
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i) {
    const bool is_once = bd_op_is_hoisted(mlirOperationGetParentOperation(ops.items[i]));
    code = replace(ops.items[i], kernels, is_once ? &nothing : prepacking);
  }
  bd_ops_deinit(&ops);
  return code;
}
