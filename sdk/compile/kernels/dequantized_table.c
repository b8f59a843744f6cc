// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized_table.c: numbers of four bits are looked up; see dequantized_parts.h.
 *
 * Within a group the loop makes one of sixteen numbers of each half of a byte. It makes all of them
 * once, of the constants 0 to 15: a vector, from which the halves of a vector of bytes pick
 * theirs. */
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/dequantized_parts.h"
#include "sdk/compile/kernels/ir_text.h"

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

/* %NAME = %FROM, of the type of the numbers that source k has two of in an element. */
static void write_same(bd_text *text, const bd_dequantized *r, int k, const char *name,
                       const char *from) {
  const MlirType made = mlirShapedTypeGetElementType(mlirValueGetType(r->packings[k].made));
  const bd_phrase type = bd_dequantized_vector(r->lanes, made);
  bd_text_format(text, "  %%%s = arith.bitcast %s : %s to %s\n", name, from, type.data, type.data);
}

void bd_dequantized_write_table_begin(bd_text *text, const bd_dequantized *r) {
  const int k = packed_source(r);
  bd_text_format(text, "  %%half_byte = arith.constant dense<%d> : vector<%dxi32>\n", SHIFT, LANES);
  for (int which = 0; which < 2; ++which) {
    const bd_phrase numbers = bd_phrase_of("of_table%d", which);
    const bd_epilogue loop = bd_dequantized_half(r, k, which, numbers.data);
    const int step = half_of_byte(loop.op) == HIGH ? 1 << SHIFT : 1;
    bd_epilogue_write_numbers(text, &loop, &vectors);
    bd_text_format(text, "  %%all_halves%d_0 = arith.constant dense<[", which);
    for (int i = 0; i < LANES; ++i)
      bd_text_format(text, "%s%d", i > 0 ? ", " : "", (int)(int8_t)(i * step));
    bd_text_format(
        text, "]> : %s\n",
        bd_dequantized_vector(r->lanes, bd_dequantized_element(&r->loop.extras[k])).data);
    const bd_phrase row = bd_phrase_of("all_halves%d", which),
                    tag = bd_phrase_of("all_numbers%d", which);
    const bd_epilogue_names names = {"", row.data, tag.data, NULL};
    bd_epilogue_write_body(text, &loop, &vectors, &names);
    /* By a name of ours: what the body calls it depends on the body. */
    write_same(text, r, k, bd_phrase_of("table_of%d", which).data,
               bd_epilogue_result(&loop, &names).data);
  }
}

void bd_dequantized_write_tables(bd_text *text, const bd_dequantized *r, int q) {
  const int packed = packed_source(r);
  const bd_phrase from = bd_phrase_of("of%d", q);
  for (int which = 0; which < 2; ++which) {
    const bd_phrase to = bd_phrase_of("table%d_%d", which, q);
    const bd_epilogue_names names = {"", to.data, to.data, NULL};
    for (int k = 0; k < r->loop.n; ++k) {
      if (k == packed)
        write_same(text, r, k, bd_phrase_of("%s_%d", to.data, k).data,
                   bd_phrase_of("%%table_of%d", which).data);
      else
        bd_dequantized_write_spread(text, r, k, from.data, to.data);
    }
    bd_epilogue_write_body(text, &r->loop, &vectors, &names);
    bd_dequantized_write_made(text, r, to.data);
  }
}

void bd_dequantized_write_table_row(bd_text *text, const bd_dequantized *r, MlirType a, int u) {
  for (int half = 0; half < 2; ++half) {
    bd_ir_write(text,
                "at_a%d_%d = first + (in_group + %d);"
                "  %%whole%d_%d = vector.load %%rows[%%c0, %%at_a%d_%d] : %s, %s\n",
                u, half, (2 * u + half) * LANES, u, half, u, half,
                bd_type_rows(bd_phrase_type(a).data).data, bd_dequantized_vector(r->lanes, a).data);
    bd_dequantized_write_widening(text, LANES, bd_phrase_of("%%whole%d_%d", u, half).data,
                                  bd_phrase_of("whole%d_%d", u, half).data, a);
  }
  for (int which = 0; which < 2; ++which) {
    bd_text_format(text, "  %%row%d_%d = vector.shuffle %%whole%d_0_f32, %%whole%d_1_f32 [", u,
                   which, u, u);
    for (int i = 0; i < LANES; ++i) bd_text_format(text, "%s%d", i > 0 ? ", " : "", 2 * i + which);
    bd_text_format(text, "] : vector<%dxf32>, vector<%dxf32>\n", LANES, LANES);
  }
}

void bd_dequantized_write_table_step(bd_text *text, const bd_dequantized *r, int u, int q) {
  const int k = packed_source(r);
  const bd_phrase tag = bd_phrase_of("%d_%d", u, q);
  bd_ir_write(text,
              "byte%s = (of%d_at_%d + in_row%d_0) / two;"
              "  %%bytes%s = vector.load %%extra_%d[%%byte%s] : %s, %s\n  %%low%s = arith.extui "
              "%%bytes%s : vector<%dxi8> to vector<%dxi32>\n"
              "  %%high%s = arith.shrui %%low%s, %%half_byte : vector<%dxi32>\n",
              tag.data, q, k, u, tag.data, k, tag.data,
              bd_dequantized_flat(&r->loop.extras[k]).data,
              bd_dequantized_vector(r->lanes, bd_dequantized_element(&r->loop.extras[k])).data,
              tag.data, tag.data, LANES, LANES, tag.data, tag.data, LANES);
  for (int which = 0; which < 2; ++which) {
    const bool is_high = half_of_byte(r->packings[k].halves.loops[which]) == HIGH;
    bd_text_format(text,
                   "  %%number%s_%d = llvm.call_intrinsic \"llvm.x86.avx512.permvar.sf.512\"("
                   "%%table%d_%d_f32, %%%s%s) : (vector<16xf32>, vector<16xi32>) -> "
                   "vector<16xf32>\n"
                   "  %%%s%d_%d = vector.fma %%row%d_%d, %%number%s_%d, %%%s%d_%d : "
                   "vector<16xf32>\n",
                   tag.data, which, which, q, is_high ? "high" : "low", tag.data,
                   which == 0 ? "half" : "sum", which == 0 ? u : u + 1, q, u, which, tag.data,
                   which, which == 0 ? "sum" : "half", u, q);
  }
}
