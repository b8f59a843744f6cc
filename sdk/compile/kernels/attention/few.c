// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/attention/few.c: few rows of attention (attention.h), such as those of one
 * token after another, with those of all heads that share keys. Keys and values are read where they
 * lie, once for all of them (few.h). */
#include "sdk/compile/kernels/attention/blocks.h"

#include "sdk/compile/kernels/notation/notation.h"

bool bd_attention_has_dense_rows(const bd_attention *a) {
  return bd_group_stride(bd_operand_of(&a->c[0], BD_B), &a->c[0].k) == 1 &&
         bd_group_stride(bd_operand_of(&a->c[1], BD_B), &a->c[1].n) == 1;
}

bool bd_attention_can_be_few(const bd_attention *a) {
  return bd_group_size(&a->c[1], &a->c[1].m) == a->sizes[BD_OF_ROW] * a->shared &&
         bd_attention_has_dense_rows(a);
}

static bd_few_rows rows_of(const bd_attention *a, int i, const bd_group *g) {
  const int64_t size = bd_group_size(&a->c[i], g);
  return (bd_few_rows){bd_attention_element_b(a, i), size < INT32_MAX ? size : 0, a->has_bf16[i]};
}

buddy_code bd_attention_find_few(const bd_attention *a, bd_kernels *kernels, bd_few *out) {
  *out = (bd_few){.dots = NULL};
  if (!a->is_few &&
      (!bd_extents_is_unknown(&a->extents, a->sizes[BD_OF_ROW]) || !bd_attention_can_be_few(a)))
    return BUDDY_OK;
  return bd_few_find(kernels, bd_attention_element(a), rows_of(a, 0, &a->c[0].k),
                     rows_of(a, 1, &a->c[1].n), out);
}

void bd_attention_write_are_few(bd_text *text, const bd_attention *a) {
  bd_extents_write_index(text, &a->extents, "rows_of_any", a->sizes[BD_OF_ROW]);
  bd_text_format(text,
                 "rows_that_share = rows_of_any * %lld;"
                 "is_short = ult(rows_of_any, %lld);"
                 "is_shared_by_few = ule(rows_that_share, %lld);"
                 "are_few = is_short & is_shared_by_few;",
                 (long long)a->shared, (long long)BD_LEAST_ROWS, (long long)BD_MOST_FEW);
}

void bd_attention_write_few_scores(bd_text *text, const bd_few *few) {
  bd_text_format(
      text,
      "few_a = view(x0_of_base, block_at, [of_block, x1_k_0], [x0_ld, 1]);"
      "few_b = view(x1_of_base, x1_at, [columns, x1_k_0], [x1_of_n_0, 1]);"
      "few_c = view(scores_of_base, scores_of_at, [of_block, columns], [scores_of_strides#0, 1]);"
      "call(\"%s\", few_a, few_b, few_c);",
      few->dots);
}

void bd_attention_write_few_results(bd_text *text, const bd_few *few) {
  bd_text_format(
      text,
      "few_a = view(scores_of_base, scores_of_at, [of_block, columns], [scores_of_strides#0, 1]);"
      "few_b = view(x2_of_base, x2_at, [columns, x2_n_0], [x2_of_k_0, 1]);"
      "few_c = view(x3_of_base, block_at, [of_block, x2_n_0], [x3_ld, 1]);"
      "call(\"%s\", few_a, few_b, few_c);",
      few->sums);
}
