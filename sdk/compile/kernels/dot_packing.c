// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dot_packing.c: the machine's instructions on packed elements. */
#include "sdk/compile/kernels/dot_packing.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/buffers.h"

const bd_element bd_f32 = {"f32", "0.0", 4}, bd_f64 = {"f64", "0.0", 8}, bd_i32 = {"i32", "0", 4},
                 bd_i8 = {"i8", "0", 1}, bd_bf16 = {"bf16", "0.0", 2}, bd_f16 = {"f16", "0.0", 2};

static const bd_dot_packing kinds[BD_N_DOT_PACKINGS] = {
    [BD_PACKED_BYTES] = {&bd_i8, 4, &bd_i32, "llvm.x86.avx512.vpdpbusd", 1, "llvm.x86.tdpbssd"},
    [BD_PACKED_BF16] = {&bd_bf16, 2, &bd_f32, "llvm.x86.avx512bf16.dpbf16ps", 0,
                        "llvm.x86.tdpbf16ps"}};

const bd_dot_packing *bd_dot_packing_of(bd_dot_packing_kind kind) { return &kinds[kind]; }

bool bd_are_bytes(const MlirType elements[3]) {
  static const unsigned widths[] = {8, 8, 32};
  for (int i = 0; i < 3; ++i) {
    if (!mlirTypeIsAInteger(elements[i]) || mlirIntegerTypeGetWidth(elements[i]) != widths[i])
      return false;
  }
  return true;
}

void bd_dot_packing_write_recast(bd_text *text, const char *name, const char *base,
                                 const char *from, const char *to) {
  const bd_phrase data = bd_phrase_of("%s_data", name);
  bd_text_format(
      text,
      "  %%%s_address = memref.extract_aligned_pointer_as_index %%%s : memref<%s> -> index\n"
      "  %%%s_number = arith.index_cast %%%s_address : index to i64\n"
      "  %%%s = llvm.inttoptr %%%s_number : i64 to !llvm.ptr\n",
      name, base, from, name, name, data.data, name);
  bd_buffer_write_point(text, name, data.data, to);
}

void bd_dot_packing_write_buffer(bd_text *text, const bd_dot_packing *words, const char *name,
                                 const char *base) {
  bd_dot_packing_write_recast(text, name, base, words->element->name, words->sum->name);
}
