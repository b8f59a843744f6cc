// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/factors.c: what is one number for all of a group is made for all groups of a
 * round at once; see parts.h. */
#include <stdbool.h>

#include "sdk/compile/kernels/dequantized/parts.h"
#include "sdk/compile/kernels/notation/notation.h"

static bool is_number(MlirValue value) { return bd_is_made_by(value, "arith.constant"); }

bool bd_dequantized_is_factor(const bd_dequantized *r, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return r->loop.extras[mlirBlockArgumentGetArgNumber(value)].is_spread;
  return is_number(value) ||
         (r->factors >> bd_epilogue_place(&r->loop, mlirOpResultGetOwner(value)) & 1) != 0;
}

bool bd_dequantized_read_factors(bd_dequantized *r) {
  enum { MOST = 64 };
  int i = 0;
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(r->loop.op));
  for (; op.ptr && i < MOST; op = mlirOperationGetNextInBlock(op), ++i) {
    bool all = mlirOperationGetNumResults(op) == 1;
    for (intptr_t k = 0; all && k < mlirOperationGetNumOperands(op); ++k)
      all = bd_dequantized_is_factor(r, mlirOperationGetOperand(op, k));
    if (all) r->factors |= (uint64_t)1 << i;
  }
  return !op.ptr;
}

/* The loop, with a name for its numbers. A sum that rounds once for two is nearer to what it stands for. */
static bd_epilogue loop_of(const bd_dequantized *r) {
  bd_epilogue loop = r->loop;
  loop.numbers = "of_factor";
  loop.may_contract = true;
  return loop;
}

static bd_vectors vectors_of(const bd_dequantized *r) {
  return (bd_vectors){"f32", bd_dequantized_inner(r), NULL, NULL};
}

void bd_dequantized_write_factors_begin(bd_text *text, const bd_dequantized *r) {
  const bd_epilogue loop = loop_of(r);
  const bd_vectors vectors = vectors_of(r);
  bd_epilogue_write_numbers(text, &loop, &vectors);
}

/* ---- Of all groups of a round ---------------------------------------------------------------- */

/* Elements of a source that the groups of a round have. */
typedef struct run {
  bool is_dense; /* all from the first to the last, which lie near; else each one once */
  int n;
  int64_t at[2 * BD_MOST_INNER],
      index[BD_MOST_INNER]; /* from that of group 0 on; which is each group's */
} run;

static run run_of(const bd_dequantized *r, const bd_extra *source) {
  const int n_groups = bd_dequantized_inner(r);
  run out = {.is_dense = true};
  for (int i = 0, k; i < n_groups; ++i) {
    const int64_t offset = bd_dequantized_inner_offset(r, source, i);
    out.is_dense &= offset >= 0 && offset < 2 * (int64_t)n_groups;
    for (k = 0; k < out.n && out.at[k] != offset; ++k) continue;
    if (k == out.n) out.at[out.n++] = offset;
    out.index[i] = k;
  }
  if (!out.is_dense) return out;
  for (int i = 0; i < n_groups; ++i) {
    out.index[i] = out.at[out.index[i]];
    if (out.index[i] >= out.n) out.n = (int)out.index[i] + 1;
  }
  for (int k = 0; k < out.n; ++k) out.at[k] = k;
  return out;
}

/* %TAG_all_K: one of each group, of those that are read from %TAG_at_K on. */
static void write_run(bd_text *text, const bd_dequantized *r, int k, const char *tag) {
  const bd_extra *source = &r->loop.extras[k];
  const run all = run_of(r, source);
  bd_text_format(text, "let x = %s, k = %d;", tag, k);
  for (int i = 0; i < all.n && !all.is_dense; ++i)
    bd_text_format(text,
                   "let i = %d; $x_there_$k_$i = $x_at_$k + %lld;"
                   "$x_run_$k_$i = extra_$k[$x_there_$k_$i];",
                   i, (long long)all.at[i]);
  if (all.is_dense) {
    bd_text_format(text, "$x_run_$k = load(extra_$k[$x_at_$k], %d);", all.n);
  } else {
    bd_text_format(text, "  %%$x_run_$k = vector.from_elements ");
    for (int i = 0; i < all.n; ++i) bd_text_format(text, "%s%%$x_run_$k_%d", i > 0 ? ", " : "", i);
    bd_text_format(text, " : vector<%dx%s>\n", all.n,
                   bd_phrase_type(bd_dequantized_element(source)).data);
  }
  bd_text_format(text, "$x_all_$k = shuffle($x_run_$k, $x_run_$k, [");
  for (int i = 0; i < bd_dequantized_inner(r); ++i)
    bd_text_format(text, "%s%lld", i > 0 ? ", " : "", (long long)all.index[i]);
  bd_text_format(text, "]);");
}

void bd_dequantized_write_factors(bd_text *text, const bd_dequantized *r, const char *tag) {
  const bd_epilogue loop = loop_of(r);
  const bd_vectors vectors = vectors_of(r);
  int i = 0;
  const bd_phrase all = bd_phrase_of("%s_all", tag);
  const bd_epilogue_names names = {"", all.data, all.data, NULL};
  for (int k = 0; k < r->loop.n; ++k) {
    if (r->loop.extras[k].is_spread) write_run(text, r, k, tag);
  }
  MlirOperation op = mlirBlockGetFirstOperation(bd_body_of(r->loop.op));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op), ++i) {
    if ((r->factors >> i & 1) != 0 && !bd_op_is(op, "arith.constant"))
      bd_epilogue_write_op(text, &loop, &vectors, op, &names);
  }
}

bd_phrase bd_dequantized_factor(const bd_dequantized *r, MlirOperation user, intptr_t operand,
                                const char *tag) {
  const bd_epilogue loop = loop_of(r);
  const bd_phrase all = bd_phrase_of("%s_all", tag);
  const bd_epilogue_names names = {"", all.data, all.data, NULL};
  return bd_epilogue_operand(&loop, user, operand, &names);
}
