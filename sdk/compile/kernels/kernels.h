// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/kernels.h: functions that take the place of single operations in the module
 * being compiled.
 *
 * A kernel is a private function whose text is composed by the transformation that needs it.
 * Kernels with the same text are one function, so that twelve equal layers of a model are compiled
 * once. Some kernels call the library: texts of sdk/compile/kernels/, in which words that start
 * with $ stand for element types and sizes. */
#ifndef BUDDY_SDK_COMPILE_KERNELS_H
#define BUDDY_SDK_COMPILE_KERNELS_H

#include "sdk/compile/kernels/tile/dot_packing.h"
#include "sdk/compile/shipped/shipped.h"

/* Texts of sdk/compile/kernels/. Static. */
extern const char bd_kernel_gemm[];
extern const char bd_kernel_gemv[];
extern const char bd_kernel_convolution[];
extern const char bd_kernel_transpose[];
extern const char bd_kernel_filter[];
extern const char bd_kernel_bytes[];
extern const char bd_kernel_pack_bf16[];
extern const char bd_kernel_fill[];

typedef struct bd_kernels bd_kernels;
/* machine: that they are for. shipped: may take the place of kernels; null: none does. Both must
 * outlive the kernels. */
buddy_code bd_kernels_create(MlirModule module, const bd_machine *machine, bd_shipped *shipped,
                             bd_kernels **out_kernels);
void bd_kernels_destroy(bd_kernels *kernels);
const bd_machine *bd_kernels_machine(const bd_kernels *kernels);

/* The name of the kernel with this text, which goes away: what follows the name in func.func private @name, from the
 * opening parenthesis. hint: leads the name, which ends with a hash of hint and text: what has the
 * same name in two modules is the same code, and no other kernels than the same are called by it.
 * The name lives as long as the kernels. */
buddy_code bd_kernels_add(bd_kernels *kernels, const char *hint, bd_text *text,
                          const char **out_name);
/* The functions of the library, each a text of this folder. */
typedef enum bd_kernels_function {
  BD_LIBRARY_GEMM, /* multiplies matrices; B's elements may be narrower: they are widened on the way */
  BD_LIBRARY_GEMV, /* the same for few rows, whose operands lie dense along what is summed over */
  BD_LIBRARY_GEMV_NEAR, /* the same where B stays in the second cache */
  BD_LIBRARY_GEMV_BF16, /* few rows and constants whose pairs the processor multiplies (tile/dot_packing.h) */
  BD_LIBRARY_GEMV_BF16_NEAR,
  BD_LIBRARY_CONVOLUTION, /* over one and two axes */
  BD_LIBRARY_TRANSPOSE,   /* turns a matrix */
  BD_LIBRARY_PACK_BF16,   /* packs rows of bf16 in pairs, for panels of two vectors */
  BD_LIBRARY_FILTER,      /* packs the filter of a convolution; of bytes: bytes.mlir */
  BD_LIBRARY_FILL         /* fills part of an image */
} bd_kernels_function;
/* Asks for one of them; `of`: the elements of A, B and C, or of what is read and written. Its name
 * lives as long as the kernels. BUDDY_UNSUPPORTED for elements that it does not cover. */
buddy_code bd_kernels_want(bd_kernels *kernels, bd_kernels_function which, bd_elements of,
                           const char **out_name);
/* The same, of one element type. */
buddy_code bd_kernels_want_of(bd_kernels *kernels, bd_kernels_function which,
                              const bd_element *element, const char **out_name);

/* Parses all of it and adds it to the module. */
buddy_code bd_kernels_finish(bd_kernels *kernels, buddy_diags *diags);

#endif
