// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types are written as MLIR prints them.
#include <gtest/gtest.h>

#include <string>

#include "mlir-c/BuiltinTypes.h"

extern "C" {
#include "sdk/compile/ir.h"
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

}  // namespace
