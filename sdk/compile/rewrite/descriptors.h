// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/descriptors.h: memrefs and what they become in the llvm dialect; see
 * pointers.h. */
#ifndef BUDDY_SDK_COMPILE_DESCRIPTORS_H
#define BUDDY_SDK_COMPILE_DESCRIPTORS_H

#include "sdk/compile/ir.h"

enum { BD_COMMON_RANKS = 8 };

typedef struct bd_known_pointer bd_known_pointer;

typedef struct bd_descriptors {
  MlirContext context;
  MlirType pointer, word;            /* !llvm.ptr, i64 */
  MlirType by_rank[BD_COMMON_RANKS]; /* descriptors, once they are asked for */
  bd_known_pointer *known;
} bd_descriptors;

void bd_descriptors_init(bd_descriptors *p, MlirContext context);
void bd_descriptors_deinit(bd_descriptors *p);

/* Where the elements of a memref in plain memory begin, without its offset: a value known wherever
 * the memref is. No memref may be erased while pointers are sought. Null when memory is out. */
MlirValue bd_pointer_of(bd_descriptors *p, MlirValue memref);

/* An unrealized cast from a pointer to a dense memref of known sizes becomes one from the
 * descriptor that the lowering of bare pointers would make. */
void bd_descriptor_rebuild(bd_descriptors *p, MlirOperation cast);

#endif
