// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/llvm/older.h: functions of LLVM 22's MLIR C API that LLVM 19 lacks, under their own names and
 * with the meaning that they have there, so that no other file knows of versions. Included in front
 * of every source of libbuddy_mlir when it is built on an older LLVM, and never otherwise. */
#ifndef BUDDY_SDK_LLVM_OLDER_H
#define BUDDY_SDK_LLVM_OLDER_H

#ifndef _GNU_SOURCE /* the sources that want it say so after this */
#define _GNU_SOURCE
#endif

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

bool mlirLocationIsAFileLineColRange(MlirLocation location);
MlirIdentifier mlirLocationFileLineColRangeGetFilename(MlirLocation location);
int mlirLocationFileLineColRangeGetStartLine(MlirLocation location);
bool mlirLocationIsAName(MlirLocation location);
MlirIdentifier mlirLocationNameGetName(MlirLocation location);
MlirLocation mlirLocationNameGetChildLoc(MlirLocation location);
bool mlirLocationIsACallSite(MlirLocation location);
MlirLocation mlirLocationCallSiteGetCallee(MlirLocation location);
bool mlirLocationIsAFused(MlirLocation location);
unsigned mlirLocationFusedGetNumLocations(MlirLocation location);
void mlirLocationFusedGetLocations(MlirLocation location, MlirLocation *locations);
MlirAttribute mlirLocationFusedGetMetadata(MlirLocation location);

bool mlirOperationIsBeforeInBlock(MlirOperation op, MlirOperation other);
void mlirOperationSetLocation(MlirOperation op, MlirLocation location);
intptr_t mlirBlockGetNumSuccessors(MlirBlock block);
MlirBlock mlirBlockGetSuccessor(MlirBlock block, intptr_t number);

void mlirValueReplaceAllUsesExcept(MlirValue of, MlirValue with, intptr_t n,
                                   MlirOperation *exceptions);

/* There is no such type: false, and a null type. */
bool mlirTypeIsAFloat8E8M0FNU(MlirType type);
MlirType mlirFloat8E8M0FNUTypeGet(MlirContext context);

uint64_t mlirDenseElementsAttrGetIndexValue(MlirAttribute attr, intptr_t pos);

typedef struct MlirLinalgContractionDimensions {
  MlirAttribute batch, m, n, k;
} MlirLinalgContractionDimensions;
bool mlirLinalgIsAContractionOp(MlirOperation op);
bool mlirLinalgIsAConvolutionOp(MlirOperation op);
MlirLinalgContractionDimensions mlirLinalgInferContractionDimensions(MlirOperation op);
MlirAttribute mlirLinalgGetIndexingMapsAttribute(MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif
