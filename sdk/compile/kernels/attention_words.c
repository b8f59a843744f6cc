// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention_words.c: products of attention (attention.h) by pairs of bf16 (dot_packing.h).
 *
 * The first one's rows were bf16 before they were widened: so they are again, a block of rows at a time, and nothing is
 * lost. The second one's are what lies between, which is rounded to bf16 only where the program rounds it, in the place of
 * the scores. Keys, whose pairs lie side by side, are words as they are; rows of values are packed two by two.
 *
 * What is summed over ends with zeros: rows of the scores up to a whole panel, as panels of values do, so that any number
 * of columns is whole steps of AMX (amx.h). */
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/attention_blocks.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/ir_text.h"

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
  if (!a->machine->has_words[BD_PACKED_BF16] || a->is_few || bd_attention_element(a) != &bd_f32 ||
      !bd_attention_has_dense_rows(a))
    return;
  if (bd_attention_element_b(a, 0) == &bd_bf16 && has_pairs(a) &&
      bd_is_made_by(a->a.base, "memref.alloc") && has_rounded(a->a.base))
    a->words[0] = pairs;
  if (bd_attention_element_b(a, 1) == &bd_bf16 &&
      bd_attention_is_rounded(a->steps[a->n_steps - 1].s.op))
    a->words[1] = pairs;
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

/* %pairs of the vector %numbers, rounded as the products take them: denormals are zero. */
static void write_pairs(bd_text *text, int width) {
  for (int i = 0; i < 2; ++i)
    bd_text_format(text,
                   "  %%half_%d = vector.extract_strided_slice %%numbers {offsets = [%d], sizes = "
                   "[%d], strides = [1]} : vector<%dxf32> to vector<%dxf32>\n",
                   i, i * width / 2, width / 2, width, width / 2);
  bd_text_format(text,
                 "  %%rounded = llvm.call_intrinsic \"%s.%d\"(%%half_1, %%half_0) : "
                 "(vector<%dxf32>, vector<%dxf32>) -> vector<%dxbf16>\n"
                 "  %%pairs = vector.bitcast %%rounded : vector<%dxbf16> to vector<%dxf32>\n",
                 bd_dot_packing_of(BD_PACKED_BF16)->round, 16 * width, width / 2, width / 2, width,
                 width, width / 2);
}

void bd_attention_write_words_of_rows(bd_text *text, const bd_attention *a, const bd_panels *p) {
  const int width = bd_panels_width(p);
  const bd_phrase rows = bd_type_rows("f32"), type = bd_attention_type_words(a, p);
  bd_buffer_write_rows(text, "rows_of_a", "x0_of_base", "block_at", "%of_block, %x1_k_0", "x0_ld",
                       "f32");
  bd_text_format(text, "  %%no_number = arith.constant 0.0 : f32\n");
  bd_ir_write(text,
              "width_of_words = %d; two = 2;"
              "for r = c0 to of_block {"
              "for column = c0 to x1_k_0 by width_of_words {"
              "  %%numbers = vector.transfer_read %%rows_of_a[%%r, %%column], %%no_number : %s, "
              "vector<%dxf32>\n"
              "to_word = column / two;",
              width, rows.data, width);
  write_pairs(text, width);
  bd_text_format(text,
                 "  vector.store %%pairs, %%words_of_a[%%r, %%to_word] : %s, vector<%dxf32>\n  }\n"
                 "  }\n",
                 type.data, width / 2);
}

/* One vector of the row %r of the slot, from %column on; the first %n_valid of it count, where these are not all. */
static void write_scores(bd_text *text, int width, const char *type, bool is_partial) {
  bd_text_format(text,
                 "  %%%s = vector.load %%scores_of_words[%%r, %%column] : %s, vector<%dxf32>\n",
                 is_partial ? "all_numbers" : "numbers", type, width);
  if (is_partial)
    bd_text_format(text,
                   "  %%mask = vector.create_mask %%n_valid : vector<%dxi1>\n"
                   "  %%nothing = arith.constant dense<0.0> : vector<%dxf32>\n"
                   "  %%numbers = arith.select %%mask, %%all_numbers, %%nothing : "
                   "vector<%dxi1>, vector<%dxf32>\n",
                   width, width, width, width);
  write_pairs(text, width);
  bd_ir_write(text,
              "to_word = column / two;"
              "  vector.store %%pairs, %%scores_of_words[%%r, %%to_word] : %s, vector<%dxf32>\n",
              type, width / 2);
}

void bd_attention_write_words_of_scores(bd_text *text, const bd_attention *a, const bd_panels *p,
                                        int slot) {
  const int width = bd_panels_width(p);
  const bd_phrase type = bd_attention_type_slot(a, slot);
  bd_text_format(text, "  %%scores_of_words = memref.cast %%slot_%d : %s to %s\n", slot, type.data,
                 type.data);
  bd_ir_write(text,
              "width_of_words = %d; two = 2; n_valid = columns %% width_of_words;"
              "end_of_whole = columns - n_valid; has_rest = n_valid != c0;"
              "for r = c0 to of_block {"
              "for column = c0 to end_of_whole by width_of_words {",
              width);
  write_scores(text, width, type.data, false);
  bd_ir_write(text, "  }\nif has_rest { column = end_of_whole + c0;");
  write_scores(text, width, type.data, true);
  bd_text_format(text, "  }\n  }\n");
}
