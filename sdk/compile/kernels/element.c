// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/element.c: the table of element types. */
#include "sdk/compile/kernels/element.h"

#include "mlir-c/BuiltinTypes.h"

/* Sums of products of bytes are exact in f32 over a block of k, and are added to C in 32 bits. */
const bd_element bd_f32 = {"f32", "0.0", 4, false, "f32"}, bd_f64 = {"f64", "0.0", 8, false, "f64"},
                 bd_bf16 = {"bf16", "0.0", 2, false, "f32"},
                 bd_f16 = {"f16", "0.0", 2, false, "f32"}, bd_i8 = {"i8", "0", 1, true, "f32"},
                 bd_i32 = {"i32", "0", 4, true, "f32"};
/* These are copied, never multiplied. */
static const bd_element i16 = {"i16", "0", 2, true, "f32"}, i64 = {"i64", "0", 8, true, "f64"};

static const struct {
  bool (*is)(MlirType type);
  const bd_element *element;
} floats[] = {{mlirTypeIsAF32, &bd_f32},
              {mlirTypeIsAF64, &bd_f64},
              {mlirTypeIsABF16, &bd_bf16},
              {mlirTypeIsAF16, &bd_f16}};

static const bd_element *const integers[] = {&bd_i8, &i16, &bd_i32, &i64};

const bd_element *bd_element_for(MlirType type) {
  for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); ++i) {
    if (floats[i].is(type)) return floats[i].element;
  }
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeIsUnsigned(type)) return NULL;
  for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); ++i) {
    if ((int)mlirIntegerTypeGetWidth(type) == 8 * integers[i]->bytes) return integers[i];
  }
  return NULL;
}

const bd_element *bd_element_in(MlirType buffer) {
  return bd_element_for(mlirShapedTypeGetElementType(buffer));
}
