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

#include "sdk/compile/kernels/dot_packing.h"
#include "sdk/compile/shipped/shipped.h"

/* Texts of sdk/compile/kernels/. Static. */
extern const char bd_kernel_gemm[];
extern const char bd_kernel_gemv[];
extern const char bd_kernel_gemv_bf16[];
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

/* The name of the kernel with this text: what follows the name in func.func private @name, from the
 * opening parenthesis. hint: leads the name, which ends with a hash of hint and text: what has the
 * same name in two modules is the same code, and no other kernels than the same are called by it.
 * The name lives as long as the kernels. */
buddy_code bd_kernels_add(bd_kernels *kernels, const char *hint, const bd_text *text,
                          const char **out_name);
/* Asks for the library function that multiplies matrices; `of`: the element types of A, B and C,
 * where B's may be narrower: it is widened on the way. Its name is written to `name`.
 * BUDDY_UNSUPPORTED for types that it does not cover. See gemm.mlir. */
buddy_code bd_kernels_gemm(bd_kernels *kernels, const MlirType of[3], char name[64]);
/* Likewise one for few rows, whose operands lie dense along what is summed over; see gemv.mlir. */
buddy_code bd_kernels_gemv(bd_kernels *kernels, const MlirType of[3], char name[64]);
/* The same for constants whose pairs of bf16 the processor multiplies (dot_packing.h); see
 * gemv_bf16.mlir. */
buddy_code bd_kernels_gemv_bf16(bd_kernels *kernels, const MlirType of[3], char name[64]);
/* Likewise the convolution; see convolution.mlir. */
buddy_code bd_kernels_convolution(bd_kernels *kernels, MlirType in, MlirType out, char name[64]);

/* The function that turns a matrix; see transpose.mlir. False for element types that it does not
 * cover. */
bool bd_kernels_can_transpose(MlirType element);
buddy_code bd_kernels_transpose(bd_kernels *kernels, MlirType element, char name[64]);

/* The function that packs rows of bf16 in pairs, for panels of so many columns; see pack_bf16.mlir. */
buddy_code bd_kernels_pack_bf16(bd_kernels *kernels, int columns, char name[64]);

/* The function that packs the filter of a convolution; see filter.mlir, and bytes.mlir for
 * bytes. */
buddy_code bd_kernels_filter(bd_kernels *kernels, MlirType element, char name[64]);

/* The function that fills part of an image; see fill.mlir. */
buddy_code bd_kernels_fill(bd_kernels *kernels, MlirType element, char name[64]);

/* Parses all of it and adds it to the module. */
buddy_code bd_kernels_finish(bd_kernels *kernels, buddy_diags *diags);

#endif
