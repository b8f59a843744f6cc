// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/geometry.c: offset, sizes and strides of views, read and inserted. */
#include "sdk/compile/rewrite/geometry.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

int bd_geometry_read(MlirValue value, bd_geometry *out) {
  const MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type)) return 0;
  out->base = bd_base_of(value);
  out->rank = mlirShapedTypeGetRank(type);
  const MlirType base = mlirValueGetType(out->base);
  if (out->rank > BD_MAX_RANK || !mlirTypeIsAMemRef(base) || !bd_type_is_bare(base) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(base), mlirShapedTypeGetElementType(type)))
    return 0;
  if (!bd_memref_layout(type, out->strides, &out->offset) || out->offset == INT64_MIN) return 0;
  for (int64_t i = 0; i < out->rank; ++i) {
    out->sizes[i] = mlirShapedTypeGetDimSize(type, i);
    if (out->strides[i] == INT64_MIN) return 0;
  }
  return 1;
}

bd_geometry bd_geometry_permuted(const bd_geometry *geometry, const int64_t *order) {
  bd_geometry out = *geometry;
  for (int64_t i = 0; i < out.rank; ++i) {
    out.sizes[i] = geometry->sizes[order[i]];
    out.strides[i] = geometry->strides[order[i]];
  }
  return out;
}

static int64_t axes_of(MlirValue buffer, int64_t *sizes, int64_t *strides) {
  const MlirType type = mlirValueGetType(buffer);
  const int64_t rank = mlirShapedTypeGetRank(type);
  int64_t stride = 1;
  for (int64_t i = rank - 1; i >= 0; --i) {
    sizes[i] = mlirShapedTypeGetDimSize(type, (intptr_t)i);
    strides[i] = stride;
    stride *= sizes[i];
  }
  return rank;
}

int bd_box_read(const bd_geometry *view, bd_box *out) {
  int64_t sizes[BD_MAX_RANK], strides[BD_MAX_RANK], rest = view->offset;
  if (mlirShapedTypeGetRank(mlirValueGetType(view->base)) > BD_MAX_RANK) return 0;
  out->rank = axes_of(view->base, sizes, strides);
  for (int64_t i = 0; i < out->rank; ++i) {
    if (sizes[i] == 0) return 0;
    out->first[i] = rest / strides[i];
    out->n[i] = 1;
    rest %= strides[i];
  }
  for (int64_t k = 0; k < view->rank; ++k) {
    int64_t i = 0;
    if (view->sizes[k] == 1) continue;
    while (i < out->rank && (strides[i] != view->strides[k] || sizes[i] == 1)) ++i;
    if (i == out->rank || out->n[i] != 1 || out->first[i] + view->sizes[k] > sizes[i]) return 0;
    out->n[i] = view->sizes[k];
  }
  return 1;
}

int bd_box_is_whole(const bd_box *box, const bd_geometry *view) {
  const MlirType type = mlirValueGetType(view->base);
  for (int64_t i = 0; i < box->rank; ++i) {
    if (box->n[i] != mlirShapedTypeGetDimSize(type, (intptr_t)i)) return 0;
  }
  return 1;
}

int bd_boxes_are_apart(const bd_box *a, const bd_box *b) {
  for (int64_t i = 0; i < a->rank; ++i) {
    if (a->first[i] + a->n[i] <= b->first[i] || b->first[i] + b->n[i] <= a->first[i]) return 1;
  }
  return 0;
}

bd_geometry bd_box_view(MlirValue buffer, const bd_box *box) {
  int64_t sizes[BD_MAX_RANK];
  bd_geometry view = {.base = buffer, .rank = box->rank, .offset = 0};
  axes_of(buffer, sizes, view.strides);
  for (int64_t i = 0; i < box->rank; ++i) {
    view.sizes[i] = box->n[i];
    view.offset += box->first[i] * view.strides[i];
  }
  return view;
}

MlirValue bd_geometry_insert(MlirOperation before, const bd_geometry *geometry) {
  const MlirType base = mlirValueGetType(geometry->base);
  const intptr_t rank = (intptr_t)geometry->rank;
  const MlirType type =
      mlirMemRefTypeGet(mlirShapedTypeGetElementType(base), rank, geometry->sizes,
                        mlirStridedLayoutAttrGet(mlirOperationGetContext(before), geometry->offset,
                                                 rank, geometry->strides),
                        mlirMemRefTypeGetMemorySpace(base));
  return bd_geometry_insert_as(before, geometry, type);
}

MlirValue bd_geometry_insert_as(MlirOperation before, const bd_geometry *geometry, MlirType type) {
  const bd_slice part = {1, (intptr_t)geometry->rank, &geometry->offset, geometry->sizes,
                         geometry->strides};
  return bd_build_slice(bd_builder_before(before), "memref.reinterpret_cast", &geometry->base, 1,
                        type, &part);
}
