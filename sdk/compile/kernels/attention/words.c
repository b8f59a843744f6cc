// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/words.c: products of attention (attention.h) by pairs of bf16 (tile/dot_packing.h).
 *
 * The first one's rows were bf16 before they were widened: so they are again, a block of rows at a time, and nothing is
 * lost. The second one's are what lies between, which is rounded to bf16 only where the program rounds it, in the place of
 * the scores. Keys, whose pairs lie side by side, are words as they are; rows of values are packed two by two.
 *
 * What is summed over ends with zeros: rows of the scores up to a whole panel, as panels of values do, so that any number
 * of columns is whole steps of AMX (tile/amx.h). */
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/attention/blocks.h"
#include "sdk/compile/kernels/notation/notation.h"

/* ---- Finding --------------------------------------------------------------------------------- */

bool bd_attention_is_rounded(MlirOperation op) {
  if (!bd_op_is(op, "linalg.generic") || mlirOperationGetNumRegions(op) != 1) return false;
  const MlirOperation yield = mlirBlockGetTerminator(bd_body_of(op));
  if (mlirOperationGetNumOperands(yield) != 1) return false;
  const MlirValue made = mlirOperationGetOperand(yield, 0);
  return bd_is_made_by(made, "arith.extf") &&
         mlirTypeIsABF16(mlirValueGetType(mlirOperationGetOperand(bd_maker_of(made), 0)));
}

/* All that writes to the buffer or its views, which an allocation is, writes numbers of bf16. */
static bool has_rounded(MlirValue buffer) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const intptr_t first = bd_first_written(user);
    if (bd_op_is(user, "memref.dealloc")) continue;
    if (bd_op_is_view(user) ? !has_rounded(mlirOperationGetResult(user, 0))
                            : first < 0 || (mlirOpOperandGetOperandNumber(use) >= first &&
                                            !bd_attention_is_rounded(user)))
      return false;
  }
  return true;
}

/* Keys are dense along k, so that pairs lie side by side, which begin with each of them. */
static bool has_pairs(const bd_attention *a) {
  const bd_contraction *c = &a->c[0];
  const bd_operand *b = bd_operand_of(c, BD_B);
  if (bd_group_size(c, &c->k) % 2 != 0 || a->b[0].offset % 2 != 0) return false;
  for (int loop = 0; loop < c->s.n_loops; ++loop) {
    bool is_k = false;
    for (int i = 0; i < c->k.n; ++i) is_k |= c->k.loops[i] == loop;
    if (!is_k && b->axis[loop] >= 0 &&
        bd_extents_known_part(&a->extents, b->strides[loop]) % 2 != 0)
      return false;
  }
  return true;
}

/* Keys and values whose last axis is not dense are none that PyTorch's fused kernel takes, which rounds as this does. */
void bd_attention_choose_words(bd_attention *a) {
  const bd_dot_packing *pairs = bd_dot_packing_of(BD_PACKED_BF16);
  if (!a->machine->has_words[BD_PACKED_BF16] || bd_attention_element(a) != &bd_f32 ||
      !bd_attention_has_dense_rows(a))
    return;
  a->has_bf16[0] = bd_attention_element_b(a, 0) == &bd_bf16 &&
                   bd_is_made_by(a->a.base, "memref.alloc") && has_rounded(a->a.base);
  a->has_bf16[1] = bd_attention_element_b(a, 1) == &bd_bf16 &&
                   bd_attention_is_rounded(a->steps[a->n_steps - 1].s.op);
  if (a->is_few) return;
  if (a->has_bf16[0] && has_pairs(a)) a->words[0] = pairs;
  if (a->has_bf16[1]) a->words[1] = pairs;
}

/* ---- Rows of pairs --------------------------------------------------------------------------- */

int64_t bd_attention_words_of_row(const bd_attention *a, const bd_panels *p) {
  const int width = bd_panels_width(p);
  return bd_divide_up(bd_group_size(&a->c[0], &a->c[0].k), width) * (width / 2);
}

bd_phrase bd_attention_type_words(const bd_attention *a, const bd_panels *p) {
  return bd_phrase_of(
      "memref<%sx%lldxf32>",
      bd_number_or(bd_attention_has_any_shape(a), bd_attention_rows_of_block(a), "?").data,
      (long long)bd_attention_words_of_row(a, p));
}

/* %pairs of the vector %numbers, $w of them, rounded as the products take them: denormals are zero. */
static void write_pairs(bd_text *text, int width) {
  bd_text_format(text,
                 "each i to 2 { half_$i = slice(numbers, i * w / 2, w / 2); }"
                 "rounded = intrinsic(\"%s.%d\", half_1, half_0) : vector<$wxbf16>;"
                 "pairs = bitcast(rounded, vector<$(w / 2)xf32>);",
                 bd_dot_packing_of(BD_PACKED_BF16)->round, 16 * width);
}

void bd_attention_write_words_of_rows(bd_text *text, const bd_panels *p) {
  const int width = bd_panels_width(p);
  bd_text_format(
      text,
      "let w = %d; rows_of_a = view(x0_of_base, block_at, [of_block, x1_k_0], [x0_ld, 1]);"
      "no_number = 0.0 : f32; width_of_words = $w; two = 2;"
      "for r = c0 to of_block { for column = c0 to x1_k_0 by width_of_words {"
      "numbers = transfer_read(rows_of_a[r, column], w, no_number); to_word = column / two;",
      width);
  write_pairs(text, width);
  bd_text_format(text, "store(pairs, words_of_a[r, to_word]); } }");
}

/* One vector of the row %r of the slot, from %column on; the first %n_valid of it count, where these are not all. */
static void write_scores(bd_text *text, int width, bool is_partial) {
  bd_text_format(text, "%s = load(scores_of_words[r, column], w);",
                 is_partial ? "all_numbers" : "numbers");
  if (is_partial)
    bd_text_format(text,
                   "mask = create_mask(n_valid, w); nothing = 0.0 : vector<$wxf32>;"
                   "numbers = select(mask, all_numbers, nothing);");
  write_pairs(text, width);
  bd_text_format(text, "to_word = column / two; store(pairs, scores_of_words[r, to_word]);");
}

void bd_attention_write_words_of_scores(bd_text *text, const bd_panels *p, int slot) {
  const int width = bd_panels_width(p);
  bd_text_format(text,
                 "let w = %d; scores_of_words = slot_%d; width_of_words = $w; two = 2;"
                 "n_valid = columns %% width_of_words; end_of_whole = columns - n_valid;"
                 "has_rest = n_valid != c0; for r = c0 to of_block {"
                 "for column = c0 to end_of_whole by width_of_words {",
                 width, slot);
  write_scores(text, width, false);
  bd_text_format(text, "} if has_rest { column = end_of_whole;");
  write_scores(text, width, true);
  bd_text_format(text, "} }");
}
