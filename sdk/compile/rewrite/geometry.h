// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/geometry.h: where a view of known sizes lies in the buffer that it is a view
 * of. */
#ifndef BUDDY_SDK_COMPILE_GEOMETRY_H
#define BUDDY_SDK_COMPILE_GEOMETRY_H

#include "sdk/compile/ir.h"
#include "sdk/runtime/strided.h"

typedef struct bd_geometry {
  MlirValue base; /* a dense buffer of known sizes */
  int64_t rank, offset, sizes[BD_MAX_RANK], strides[BD_MAX_RANK];
} bd_geometry;

/* False where sizes, strides or the offset are not known, or the buffer is not dense. */
int bd_geometry_read(MlirValue value, bd_geometry *out);
/* The same elements with their axes in another order: axis i becomes what order[i] was. */
bd_geometry bd_geometry_permuted(const bd_geometry *geometry, const int64_t *order);
/* The part of a dense buffer that a view is, along the axes of the buffer. */
typedef struct bd_box {
  int64_t rank, first[BD_MAX_RANK], n[BD_MAX_RANK];
} bd_box;
/* False for views that are no box: of steps, of parts of several axes. */
int bd_box_read(const bd_geometry *view, bd_box *out);
int bd_box_is_whole(const bd_box *box, const bd_geometry *view);
int bd_boxes_are_apart(const bd_box *a, const bd_box *b);
/* The view that a box of that buffer is. */
bd_geometry bd_box_view(MlirValue buffer, const bd_box *box);
/* memref.reinterpret_cast of the base, before `before`; null when memory is out. */
MlirValue bd_geometry_insert(MlirOperation before, const bd_geometry *geometry);
/* The same as a memref of that type, whose layout is that of the geometry in other words. */
MlirValue bd_geometry_insert_as(MlirOperation before, const bd_geometry *geometry, MlirType type);

#endif
