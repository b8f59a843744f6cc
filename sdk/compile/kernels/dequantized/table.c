// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/table.c: numbers of four bits are looked up; see parts.h.
 *
 * Within a group the loop makes one of sixteen numbers of each half of a byte. It makes all of them
 * once, of the constants 0 to 15: a vector, from which the halves of a vector of bytes pick
 * theirs. */
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/dequantized/parts.h"
#include "sdk/compile/kernels/notation/notation.h"

/* As many as a table has: the lookup is AVX-512's. */
enum { LANES = 16, LOW = 15, HIGH = 240, SHIFT = 4 };

/* True if the operand is a number that leaves of a byte the bits `bits` alone, of an operation of
 * that name. */
static bool takes_bits(MlirOperation op, intptr_t number, const char *name, int64_t value) {
  int64_t bits;
  return bd_op_is(op, name) && bd_read_integer(mlirOperationGetOperand(op, number), &bits) &&
         ((uint64_t)bits & 255) == (uint64_t)value;
}

/* LOW or HIGH: the half of a byte that the loop's body is of; 0 if it is of more. */
static int half_of_byte(MlirOperation loop) {
  const MlirValue byte = mlirBlockGetArgument(bd_body_of(loop), 0);
  MlirOpOperand use = mlirValueGetFirstUse(byte);
  int half = 0;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    int taken = 0;
    if (mlirOperationGetNumOperands(user) != 2) return 0;
    const intptr_t other = 1 - (intptr_t)mlirOpOperandGetOperandNumber(use);
    if (takes_bits(user, other, "arith.andi", LOW)) taken = LOW;
    if (takes_bits(user, other, "arith.andi", HIGH)) taken = HIGH;
    if (other == 1 && takes_bits(user, other, "arith.shrui", SHIFT)) taken = HIGH;
    if (taken == 0 || (half != 0 && half != taken)) return 0;
    half = taken;
  }
  return half;
}

/* The source that has halves, if all others are the same for the whole group; else -1. */
static int packed_source(const bd_dequantized *r) {
  int found = -1;
  for (int k = 0; k < r->loop.n; ++k) {
    if (r->loop.extras[k].is_spread) continue;
    if (found >= 0 || bd_dequantized_numbers(r, k) != 2) return -1;
    found = k;
  }
  return found;
}

int bd_dequantized_has_table(const bd_dequantized *r) {
  const int k = packed_source(r);
  if (k < 0 || !r->machine->has_lookup || r->lanes != LANES ||
      bd_dequantized_group(r) % (2 * LANES) != 0)
    return 0;
  return bd_element_in(r->loop.extras[k].type) == &bd_i8 &&
         half_of_byte(r->packings[k].halves.loops[0]) != 0 &&
         half_of_byte(r->packings[k].halves.loops[1]) != 0;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static const bd_vectors vectors = {"f32", LANES, NULL, NULL};

void bd_dequantized_write_table_begin(bd_text *text, const bd_dequantized *r) {
  const int k = packed_source(r);
  bd_text_format(text, "half_byte = %d : vector<%dxi32>;", SHIFT, LANES);
  for (int which = 0; which < 2; ++which) {
    const bd_phrase numbers = bd_phrase_of("of_table%d", which);
    const bd_epilogue loop = bd_dequantized_half(r, k, which, numbers.data);
    const int step = half_of_byte(loop.op) == HIGH ? 1 << SHIFT : 1;
    bd_epilogue_write_numbers(text, &loop, &vectors);
    bd_text_format(text, "all_halves%d_0 = [", which);
    for (int i = 0; i < LANES; ++i)
      bd_text_format(text, "%s%d", i > 0 ? ", " : "", (int)(int8_t)(i * step));
    bd_text_format(text, "] : vector<%dxi8>;", LANES);
    const bd_phrase row = bd_phrase_of("all_halves%d", which),
                    tag = bd_phrase_of("all_numbers%d", which);
    const bd_epilogue_names names = {"", row.data, tag.data, NULL};
    bd_epilogue_write_body(text, &loop, &vectors, &names);
    /* By a name of ours: what the body calls it depends on the body. */
    bd_text_format(text, "table_of%d = %s;", which, bd_epilogue_result(&loop, &names).data);
  }
}

void bd_dequantized_write_tables(bd_text *text, const bd_dequantized *r, int q) {
  const int packed = packed_source(r);
  for (int which = 0; which < 2; ++which) {
    const bd_phrase to = bd_phrase_of("table%d_%d", which, q);
    const bd_epilogue_names names = {"", to.data, to.data, NULL};
    for (int k = 0; k < r->loop.n; ++k) {
      bd_text_format(text, "let x = %s, k = %d;", to.data, k);
      if (k == packed)
        bd_text_format(text, "$x_$k = table_of%d;", which);
      else
        bd_text_format(text, "$x_$k = broadcast(of%d_one_$k, %d);", q, LANES);
    }
    bd_epilogue_write_body(text, &r->loop, &vectors, &names);
    bd_dequantized_write_made(text, r, to.data);
  }
}

void bd_dequantized_write_table_row(bd_text *text, int u) {
  bd_text_format(text,
                 "let u = %d, l = %d; each h to 2 { in_row$u_$h = in_group + $((2 * u + h) * l);"
                 "at_a$u_$h = first + in_row$u_$h;"
                 "whole$u_$h = extf(load(rows[c0, at_a$u_$h], l), f32); }"
                 "each h to 2 { row$u_$h = shuffle(whole$u_0, whole$u_1, l: 2 * n + h); }",
                 u, LANES);
}

void bd_dequantized_write_table_step(bd_text *text, const bd_dequantized *r, int u, int q) {
  const int k = packed_source(r);
  bd_text_format(text,
                 "let u = %d, q = %d, k = %d; byte$u_$q = (of$q_at_$k + in_row$u_0) / two;"
                 "low$u_$q = extui(load(extra_$k[byte$u_$q], %d), i32);"
                 "high$u_$q = low$u_$q >> half_byte;",
                 u, q, k, LANES);
  for (int which = 0; which < 2; ++which)
    bd_text_format(text,
                   "let w = %d; number$u_$q_$w = intrinsic(\"llvm.x86.avx512.permvar.sf.512\", "
                   "table$w_$q_f32, %s$u_$q) : vector<16xf32>;"
                   "%s$(u + 1 - %d)_$q = fma(row$u_$w, number$u_$q_$w, %s$u_$q);",
                   which, half_of_byte(r->packings[k].halves.loops[which]) == HIGH ? "high" : "low",
                   which == 0 ? "half" : "sum", 1 - which, which == 0 ? "sum" : "half");
}
