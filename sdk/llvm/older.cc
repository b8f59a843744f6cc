// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sdk/llvm/older.cc: see older.h. Each function is one call of MLIR's C++.
#include "sdk/llvm/older.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallPtrSet.h"

using mlir::linalg::LinalgOp;

namespace {

template <typename Kind>
Kind cast_to(MlirLocation location) {
  return mlir::cast<Kind>(mlir::LocationAttr(unwrap(location)));
}

template <typename Kind>
bool is_a(MlirLocation location) {
  return mlir::isa<Kind>(mlir::LocationAttr(unwrap(location)));
}

}  // namespace

bool mlirLocationIsAFileLineColRange(MlirLocation location) {
  return is_a<mlir::FileLineColLoc>(location);
}
MlirIdentifier mlirLocationFileLineColRangeGetFilename(MlirLocation location) {
  return wrap(cast_to<mlir::FileLineColLoc>(location).getFilename());
}
int mlirLocationFileLineColRangeGetStartLine(MlirLocation location) {
  return static_cast<int>(cast_to<mlir::FileLineColLoc>(location).getLine());
}

bool mlirLocationIsAName(MlirLocation location) { return is_a<mlir::NameLoc>(location); }
MlirIdentifier mlirLocationNameGetName(MlirLocation location) {
  return wrap(cast_to<mlir::NameLoc>(location).getName());
}
MlirLocation mlirLocationNameGetChildLoc(MlirLocation location) {
  return wrap(cast_to<mlir::NameLoc>(location).getChildLoc());
}

bool mlirLocationIsACallSite(MlirLocation location) { return is_a<mlir::CallSiteLoc>(location); }
MlirLocation mlirLocationCallSiteGetCallee(MlirLocation location) {
  return wrap(cast_to<mlir::CallSiteLoc>(location).getCallee());
}

bool mlirLocationIsAFused(MlirLocation location) { return is_a<mlir::FusedLoc>(location); }
unsigned mlirLocationFusedGetNumLocations(MlirLocation location) {
  return static_cast<unsigned>(cast_to<mlir::FusedLoc>(location).getLocations().size());
}
void mlirLocationFusedGetLocations(MlirLocation location, MlirLocation *locations) {
  for (mlir::Location part : cast_to<mlir::FusedLoc>(location).getLocations())
    *locations++ = wrap(part);
}
MlirAttribute mlirLocationFusedGetMetadata(MlirLocation location) {
  return wrap(cast_to<mlir::FusedLoc>(location).getMetadata());
}

bool mlirOperationIsBeforeInBlock(MlirOperation op, MlirOperation other) {
  return unwrap(op)->isBeforeInBlock(unwrap(other));
}
void mlirOperationSetLocation(MlirOperation op, MlirLocation location) {
  unwrap(op)->setLoc(unwrap(location));
}
intptr_t mlirBlockGetNumSuccessors(MlirBlock block) {
  return static_cast<intptr_t>(unwrap(block)->getNumSuccessors());
}
MlirBlock mlirBlockGetSuccessor(MlirBlock block, intptr_t number) {
  return wrap(unwrap(block)->getSuccessor(static_cast<unsigned>(number)));
}

void mlirValueReplaceAllUsesExcept(MlirValue of, MlirValue with, intptr_t n,
                                   MlirOperation *exceptions) {
  llvm::SmallPtrSet<mlir::Operation *, 4> kept;
  for (intptr_t i = 0; i < n; ++i) kept.insert(unwrap(exceptions[i]));
  unwrap(of).replaceAllUsesExcept(unwrap(with), kept);
}

bool mlirTypeIsAFloat8E8M0FNU(MlirType) { return false; }
MlirType mlirFloat8E8M0FNUTypeGet(MlirContext) { return {nullptr}; }

uint64_t mlirDenseElementsAttrGetIndexValue(MlirAttribute attr, intptr_t pos) {
  return mlir::cast<mlir::DenseElementsAttr>(unwrap(attr)).getValues<uint64_t>()[pos];
}

bool mlirLinalgIsAContractionOp(MlirOperation op) {
  const auto linalg = mlir::dyn_cast<LinalgOp>(unwrap(op));
  return linalg && mlir::linalg::isaContractionOpInterface(linalg);
}
bool mlirLinalgIsAConvolutionOp(MlirOperation op) {
  const auto linalg = mlir::dyn_cast<LinalgOp>(unwrap(op));
  return linalg && mlir::linalg::isaConvolutionOpInterface(linalg);
}
MlirLinalgContractionDimensions mlirLinalgInferContractionDimensions(MlirOperation op) {
  const auto linalg = mlir::dyn_cast<LinalgOp>(unwrap(op));
  if (!linalg) return {};
  const auto found = mlir::linalg::inferContractionDims(linalg);
  if (mlir::failed(found)) return {};
  const auto list = [op](llvm::ArrayRef<unsigned> loops) {
    const llvm::SmallVector<int32_t> numbers(loops.begin(), loops.end());
    return wrap(mlir::DenseI32ArrayAttr::get(unwrap(op)->getContext(), numbers));
  };
  return {list(found->batch), list(found->m), list(found->n), list(found->k)};
}
MlirAttribute mlirLinalgGetIndexingMapsAttribute(MlirOperation op) {
  auto linalg = mlir::dyn_cast<LinalgOp>(unwrap(op));
  return linalg ? wrap(mlir::Attribute(linalg.getIndexingMaps())) : MlirAttribute{nullptr};
}
