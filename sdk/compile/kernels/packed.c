/* sdk/compile/kernels/packed.c: see packed.h. */
#include "sdk/compile/kernels/packed.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/panels.h"
#include "sdk/compile/rewrite/constancy.h"

int bd_packed_is_for(const bd_contraction *c, const bd_keeping *keeping) {
  const MlirType element = bd_element_of(c, BD_B);
  const bd_operand *b = bd_operand_of(c, BD_B);
  if (!mlirTypeIsAF32(element) && !mlirTypeIsAF64(element)) return 0;
  return mlirTypeEqual(element, bd_element_of(c, BD_A)) &&
         mlirTypeEqual(element, bd_element_of(c, BD_C)) && !bd_has_outer_axis(c, BD_B) &&
         bd_group_size(c, &c->m) == INT32_MAX && bd_group_size(c, &c->n) < INT32_MAX &&
         bd_group_size(c, &c->k) < INT32_MAX && bd_group_stride(b, &c->n) != INT64_MIN &&
         bd_group_stride(b, &c->k) != INT64_MIN && bd_is_steady(keeping, b->value);
}

/* As packed.mlir and gemm.mlir have them: two vectors wide. */
static bd_panels panels_of(const bd_contraction *c) {
  bd_panels p;
  bd_panels_init(&p, mlirTypeIsAF32(bd_element_of(c, BD_B)) ? "f32" : "f64");
  p.n = bd_group_size(c, &c->n);
  p.k = bd_group_size(c, &c->k);
  return p;
}

void bd_packed_write_type(bd_text *text, const bd_contraction *c) {
  const bd_panels p = panels_of(c);
  bd_text_format(text, "memref<?x?x%dx%s>", bd_panels_width(&p), p.element);
}

void bd_packed_write_panels(bd_text *text, const bd_contraction *c, const char *gemm) {
  const bd_operand *b = bd_operand_of(c, BD_B);
  const int i = c->operand[BD_B];
  const bd_panels p = panels_of(c);
  bd_panels_write_kept(text, &p);
  bd_text_format(text,
                 "  %%whole_b = memref.reinterpret_cast %%base%d to offset: [%%offset%d], sizes: "
                 "[%%k_all, %%n_all], strides: [%%stride%d#%d, %%stride%d#%d] : memref<%s> to "
                 "memref<?x?x%s, strided<[?, ?], offset: ?>>\n"
                 "  %%new_panels = memref.cast %%panels : ",
                 i, i, i, b->axis[c->k.loops[0]], i, b->axis[c->n.loops[0]], p.element, p.element);
  bd_panels_type_b(text, &p);
  bd_text_format(text, " to ");
  bd_packed_write_type(text, c);
  bd_text_format(text,
                 "\n  func.call @%s_pack_b(%%whole_b, %%new_panels) : (memref<?x?x%s, "
                 "strided<[?, ?], offset: ?>>, ",
                 gemm, p.element);
  bd_packed_write_type(text, c);
  bd_text_format(text, ") -> ()\n");
  bd_panels_write_kept_end(text);
  bd_text_format(text, "  %%kept_panels = memref.cast %%panels : ");
  bd_panels_type_b(text, &p);
  bd_text_format(text, " to ");
  bd_packed_write_type(text, c);
  bd_text_format(text, "\n");
}
