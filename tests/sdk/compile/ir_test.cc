// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types are written as MLIR prints them, and read as it reads them.
#include <gtest/gtest.h>

#include <string>

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

extern "C" {
#include "sdk/compile/ir.h"
#include "sdk/compile/structured.h"
}

namespace {

TEST(Text, TypesAreWrittenAsMlirPrintsThem) {
  const MlirContext context = mlirContextCreate();
  for (const char *written : {"f32",
                              "f64",
                              "f16",
                              "bf16",
                              "index",
                              "i1",
                              "i64",
                              "ui8",
                              "f8E4M3FN",
                              "vector<4xf32>",
                              "memref<f32>",
                              "memref<3x4xf32>",
                              "memref<?x4x?xbf16>",
                              "memref<2xindex>",
                              "memref<5xi8>",
                              "memref<2x3xf64, strided<[7, 1]>>",
                              "memref<2x?xf16, strided<[?, 2], offset: 5>>",
                              "memref<?xf32, strided<[?], offset: ?>>",
                              "memref<f32, strided<[], offset: ?>>",
                              "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>",
                              "memref<4xf32, 3>",
                              "memref<*xf32>",
                              "memref<2xvector<4xf32>>",
                              "tensor<2x3xf32>"}) {
    const MlirType type = mlirTypeParseGet(context, mlirStringRefCreateFromCString(written));
    ASSERT_NE(type.ptr, nullptr) << written;
    bd_text own = {}, printed = {};
    bd_text_type(&own, type);
    mlirTypePrint(type, bd_text_piece, &printed);
    EXPECT_STREQ(own.data, printed.data);
    bd_text_deinit(&own);
    bd_text_deinit(&printed);
  }
  mlirContextDestroy(context);
}

TEST(Layouts, AreWhatMlirSays) {
  const MlirContext context = mlirContextCreate();
  for (const char *written : {"memref<f32>",
                              "memref<5xi8>",
                              "memref<3x4x5xf32>",
                              "memref<?x4x?x6xbf16>",
                              "memref<?x?xf32>",
                              "memref<1x1x3xf64>",
                              "memref<3x0x4xf32>",
                              "memref<0xf32>",
                              "memref<?x0x4xf32>",
                              "memref<4294967296x4294967296x2xi8>",
                              "memref<2x3xf64, strided<[7, 1]>>",
                              "memref<2x3xf64, strided<[3, 1]>>",
                              "memref<4xf32, strided<[1]>>",
                              "memref<4xf32, strided<[1], offset: 3>>",
                              "memref<4xf32, strided<[2]>>",
                              "memref<2x?xf16, strided<[?, 2], offset: 5>>",
                              "memref<?xf32, strided<[?], offset: ?>>",
                              "memref<f32, strided<[], offset: ?>>",
                              "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>",
                              "memref<2x3xf32, affine_map<(d0, d1) -> (d0, d1)>>",
                              "memref<2x3xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>",
                              "memref<4x2xf32, 3>"}) {
    const MlirType type = mlirTypeParseGet(context, mlirStringRefCreateFromCString(written));
    ASSERT_NE(type.ptr, nullptr) << written;
    int64_t got[4] = {}, wanted[4] = {}, at = 0, wanted_at = 0;
    const bool has_layout =
        mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, wanted, &wanted_at));
    EXPECT_EQ(bd_memref_layout(type, got, &at), has_layout) << written;
    EXPECT_EQ(static_cast<bool>(bd_memref_is_dense(type)),
              mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
        << written;
    if (!has_layout) continue;
    EXPECT_EQ(at, wanted_at) << written;
    for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
      EXPECT_EQ(got[i], wanted[i]) << written << ", axis " << i;
  }
  mlirContextDestroy(context);
}

}  // namespace
