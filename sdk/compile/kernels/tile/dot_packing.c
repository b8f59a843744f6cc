// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/tile/dot_packing.c: the machine's instructions on packed elements. */
#include "sdk/compile/kernels/tile/dot_packing.h"

#include "sdk/compile/kernels/buffers.h"

static const bd_dot_packing kinds[BD_N_DOT_PACKINGS] = {
    [BD_PACKED_BYTES] = {BD_PACKED_BYTES, &bd_i8, 4, &bd_i32, "llvm.x86.avx512.vpdpbusd", NULL, 1,
                         "llvm.x86.tdpbssd"},
    [BD_PACKED_BF16] = {BD_PACKED_BF16, &bd_bf16, 2, &bd_f32, "llvm.x86.avx512bf16.dpbf16ps",
                        "llvm.x86.avx512bf16.cvtne2ps2bf16", 0, "llvm.x86.tdpbf16ps"}};

const bd_dot_packing *bd_dot_packing_of(bd_dot_packing_kind kind) { return &kinds[kind]; }

const bd_dot_packing *bd_dot_packing_for(bd_elements elements) {
  for (int i = 0; i < BD_N_DOT_PACKINGS; ++i) {
    const bd_dot_packing *p = &kinds[i];
    if (elements.of[0] == p->element && elements.of[1] == p->element && elements.of[2] == p->sum)
      return p;
  }
  return NULL;
}

void bd_dot_packing_write_recast(bd_text *text, const char *name, const char *base,
                                 const char *to) {
  bd_text_format(text, "let x = %s; $x_data = pointer(index_cast(address(%s), i64));", name, base);
  bd_buffer_write_point(text, name, bd_phrase_of("%s_data", name).data, to);
}

void bd_dot_packing_write_buffer(bd_text *text, const bd_dot_packing *words, const char *name,
                                 const char *base) {
  bd_dot_packing_write_recast(text, name, base, words->sum->name);
}
