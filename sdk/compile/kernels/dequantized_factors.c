// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized_factors.c: what is one number for all of a group is made for all groups of a
 * round at once; see dequantized_parts.h. */
#include <stdbool.h>
#include <stdio.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/dequantized_parts.h"

static MlirBlock body_of(const bd_dequantized *r) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(r->loop.op, 0));
}

static int place_of(MlirOperation op) {
  int i = 0;
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(at, op); ++i) at = mlirOperationGetNextInBlock(at);
  return i;
}

static bool is_number(MlirValue value) { return bd_is_made_by(value, "arith.constant"); }

/* True if the value is one number for all of a group; the operations before it that make such are known. */
static bool is_factor(const bd_dequantized *r, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return r->loop.extras[mlirBlockArgumentGetArgNumber(value)].is_spread;
  return is_number(value) || (r->factors >> place_of(mlirOpResultGetOwner(value)) & 1) != 0;
}

bool bd_dequantized_read_factors(bd_dequantized *r) {
  enum { MOST = 64 };
  int i = 0;
  MlirOperation op = mlirBlockGetFirstOperation(body_of(r));
  for (; op.ptr && i < MOST; op = mlirOperationGetNextInBlock(op), ++i) {
    bool all = mlirOperationGetNumResults(op) == 1;
    for (intptr_t k = 0; all && k < mlirOperationGetNumOperands(op); ++k)
      all = is_factor(r, mlirOperationGetOperand(op, k));
    if (all) r->factors |= (uint64_t)1 << i;
  }
  return !op.ptr;
}

/* The loop, with that name for its numbers. A sum that rounds once for two is nearer to what it stands for. */
static bd_epilogue loop_of(const bd_dequantized *r, const char *numbers) {
  bd_epilogue loop = r->loop;
  loop.numbers = numbers;
  loop.may_contract = true;
  return loop;
}

static bd_vectors vectors_of(const bd_dequantized *r) {
  return (bd_vectors){"f32", bd_dequantized_inner(r), 0};
}

void bd_dequantized_write_factors_begin(bd_text *text, const bd_dequantized *r) {
  const bd_epilogue loop = loop_of(r, "of_factor");
  const bd_vectors vectors = vectors_of(r);
  bd_epilogue_write_numbers(text, &loop, &vectors);
}

static void write_type(bd_text *text, int64_t lanes, MlirType element) {
  bd_text_format(text, "vector<%lldx", (long long)lanes);
  bd_text_type(text, element);
  bd_text_format(text, ">");
}

/* ---- Of all groups of a round ---------------------------------------------------------------- */

/* %TAG_run_K: the elements from %TAG_at_K on that are of the groups, and those between them; %TAG_all_K: of
 * these the groups' own. */
static void write_run(bd_text *text, const bd_dequantized *r, int k, const char *tag) {
  const bd_extra *source = &r->loop.extras[k];
  const int64_t span = bd_dequantized_inner_offset(r, source, bd_dequantized_inner(r) - 1) + 1;
  const MlirType element = bd_dequantized_element(source);
  bd_text_format(text, "  %%%s_run_%d = vector.load %%extra_%d[%%%s_at_%d] : ", tag, k, k, tag, k);
  bd_dequantized_write_flat(text, source);
  bd_text_format(text, ", ");
  write_type(text, span, element);
  bd_text_format(text, "\n  %%%s_all_%d = vector.shuffle %%%s_run_%d, %%%s_run_%d [", tag, k, tag,
                 k, tag, k);
  for (int i = 0; i < bd_dequantized_inner(r); ++i)
    bd_text_format(text, "%s%lld", i > 0 ? ", " : "",
                   (long long)bd_dequantized_inner_offset(r, source, i));
  bd_text_format(text, "] : ");
  write_type(text, span, element);
  bd_text_format(text, ", ");
  write_type(text, span, element);
  bd_text_format(text, "\n");
}

void bd_dequantized_write_factors(bd_text *text, const bd_dequantized *r, const char *tag) {
  const bd_epilogue loop = loop_of(r, "of_factor");
  const bd_vectors vectors = vectors_of(r);
  char all[64];
  int i = 0;
  snprintf(all, sizeof(all), "%s_all", tag);
  const bd_epilogue_names names = {"", all, all};
  for (int k = 0; k < r->loop.n; ++k) {
    if (r->loop.extras[k].is_spread) write_run(text, r, k, tag);
  }
  MlirOperation op = mlirBlockGetFirstOperation(body_of(r));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op), ++i) {
    if ((r->factors >> i & 1) != 0 && !bd_op_is(op, "arith.constant"))
      bd_epilogue_write_op(text, &loop, &vectors, op, &names);
  }
}

/* ---- Of one group ---------------------------------------------------------------------------- */

/* %TO_… = the number of group `group` in all lanes, of a factor that an operation needs. */
static void write_spread(bd_text *text, const bd_dequantized *r, MlirOperation user,
                         intptr_t operand, const char *tag, const char *to, int group) {
  const MlirType element = mlirValueGetType(mlirOperationGetOperand(user, operand));
  const int n = bd_dequantized_inner(r);
  char all[64];
  snprintf(all, sizeof(all), "%s_all", tag);
  const bd_epilogue_names from = {"", all, all}, names = {"", to, to};
  bd_text_format(text, "  ");
  bd_epilogue_write_operand(text, &r->loop, user, operand, &names);
  bd_text_format(text, " = vector.shuffle ");
  bd_epilogue_write_operand(text, &r->loop, user, operand, &from);
  bd_text_format(text, ", ");
  bd_epilogue_write_operand(text, &r->loop, user, operand, &from);
  bd_text_format(text, " [");
  for (int i = 0; i < r->lanes; ++i) bd_text_format(text, "%s%d", i > 0 ? ", " : "", group);
  bd_text_format(text, "] : ");
  write_type(text, n, element);
  bd_text_format(text, ", ");
  write_type(text, n, element);
  bd_text_format(text, "\n");
}

/* The body without factors, of one group, as of names that begin with TO. */
static void write_varying(bd_text *text, const bd_dequantized *r, const char *tag, const char *to,
                          int group) {
  const bd_epilogue loop = loop_of(r, NULL);
  const bd_vectors vectors = {"f32", r->lanes, 0};
  const bd_epilogue_names names = {"", to, to};
  uint64_t spread = 0, arguments = 0;
  int i = 0;
  MlirOperation op = mlirBlockGetFirstOperation(body_of(r));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op), ++i) {
    if ((r->factors >> i & 1) != 0) continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      const MlirValue value = mlirOperationGetOperand(op, k);
      if (is_number(value) || !is_factor(r, value)) continue;
      const bool is_argument = mlirValueIsABlockArgument(value);
      uint64_t *done = is_argument ? &arguments : &spread;
      const uint64_t bit = (uint64_t)1 << (is_argument ? (int)mlirBlockArgumentGetArgNumber(value)
                                                       : place_of(mlirOpResultGetOwner(value)));
      if ((*done & bit) == 0) write_spread(text, r, op, k, tag, to, group);
      *done |= bit;
    }
    if (mlirOperationGetNumResults(op) > 0) bd_epilogue_write_op(text, &loop, &vectors, op, &names);
  }
}

void bd_dequantized_write_vector_of(bd_text *text, const bd_dequantized *r, const char *from,
                                    const char *to, const char *in_group, int i) {
  char of_group[64];
  snprintf(of_group, sizeof(of_group), "%s_%d", from, i);
  for (int k = 0; k < r->loop.n; ++k) {
    if (!r->loop.extras[k].is_spread) bd_dequantized_write_load(text, r, k, of_group, to, in_group);
  }
  write_varying(text, r, from, to, i);
  bd_dequantized_write_made(text, r, to);
}
