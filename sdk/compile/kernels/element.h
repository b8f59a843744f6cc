// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/element.h: element types of buffers, as kernels ask for them. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_ELEMENT_H
#define BUDDY_SDK_COMPILE_KERNELS_ELEMENT_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* There is one of each, so that equal ones are at one address. */
typedef struct bd_element {
  const char *name, *zero; /* as MLIR's text has them */
  int bytes;
  bool is_integer;
  const char *compute; /* what the library multiplies them in */
} bd_element;
extern const bd_element bd_f32, bd_f64, bd_i32, bd_i8, bd_bf16, bd_f16;

/* That of the type, or of a buffer's type; null: kernels have no such elements. */
const bd_element *bd_element_for(MlirType type);
const bd_element *bd_element_in(MlirType buffer);

/* Of two operands, and of what is written to. */
typedef struct bd_elements {
  const bd_element *of[3];
} bd_elements;

#endif
