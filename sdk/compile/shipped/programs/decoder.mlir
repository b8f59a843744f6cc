#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<512x512xf32> {buddy.weight}, %arg1: tensor<512x512xf32> {buddy.weight}, %arg2: tensor<512x512xf32> {buddy.weight}, %arg3: tensor<512x512xf32> {buddy.weight}, %arg4: tensor<2048x512xf32> {buddy.weight}, %arg5: tensor<2048x512xf32> {buddy.weight}, %arg6: tensor<512x2048xf32> {buddy.weight}, %arg7: tensor<512xf32> {buddy.weight}, %arg8: tensor<1x128x512xf32>) -> tensor<1x128x512xf32> {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.mul %arg8, %arg8, %0 : (tensor<1x128x512xf32>, tensor<1x128x512xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
    %2 = tosa.reduce_sum %1 {axis = 2 : i32} : (tensor<1x128x512xf32>) -> tensor<1x128x1xf32>
    %3 = "tosa.const"() <{values = dense<0.001953125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.mul %2, %3, %4 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
    %6 = "tosa.const"() <{values = dense<1.1920929E-7> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = tosa.add %5, %6 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %8 = tosa.rsqrt %7 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = tosa.mul %arg8, %8, %9 : (tensor<1x128x512xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
    %11 = tosa.const_shape  {values = dense<[1, 1, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %12 = tosa.reshape %arg7, %11 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<1x1x512xf32>
    %13 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = tosa.mul %10, %12, %13 : (tensor<1x128x512xf32>, tensor<1x1x512xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<128x512xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %17 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%collapsed, %arg0 : tensor<128x512xf32>, tensor<512x512xf32>) outs(%16 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %expanded = tensor.expand_shape %17 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf32> into tensor<1x128x512xf32>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 128, 8, 64] : tensor<1x128x512xf32> into tensor<1x128x8x64xf32>
    %18 = tensor.empty() : tensor<1x8x128x64xf32>
    %transposed = linalg.transpose ins(%expanded_0 : tensor<1x128x8x64xf32>) outs(%18 : tensor<1x8x128x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_1 = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %19 = tensor.empty() : tensor<128x512xf32>
    %20 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %21 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%collapsed_1, %arg1 : tensor<128x512xf32>, tensor<512x512xf32>) outs(%20 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %expanded_3 = tensor.expand_shape %21 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf32> into tensor<1x128x512xf32>
    %expanded_4 = tensor.expand_shape %expanded_3 [[0], [1], [2, 3]] output_shape [1, 128, 8, 64] : tensor<1x128x512xf32> into tensor<1x128x8x64xf32>
    %22 = tensor.empty() : tensor<1x8x128x64xf32>
    %transposed_5 = linalg.transpose ins(%expanded_4 : tensor<1x128x8x64xf32>) outs(%22 : tensor<1x8x128x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_6 = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %23 = tensor.empty() : tensor<128x512xf32>
    %24 = linalg.fill ins(%cst_7 : f32) outs(%23 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %25 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%collapsed_6, %arg2 : tensor<128x512xf32>, tensor<512x512xf32>) outs(%24 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %expanded_8 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf32> into tensor<1x128x512xf32>
    %expanded_9 = tensor.expand_shape %expanded_8 [[0], [1], [2, 3]] output_shape [1, 128, 8, 64] : tensor<1x128x512xf32> into tensor<1x128x8x64xf32>
    %26 = tensor.empty() : tensor<1x8x128x64xf32>
    %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<1x128x8x64xf32>) outs(%26 : tensor<1x8x128x64xf32>) permutation = [0, 2, 1, 3] 
    %27 = tosa.transpose %transposed_5 {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x8x128x64xf32>) -> tensor<1x8x64x128xf32>
    %28 = tosa.const_shape  {values = dense<[8, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %29 = tosa.reshape %transposed, %28 : (tensor<1x8x128x64xf32>, !tosa.shape<3>) -> tensor<8x128x64xf32>
    %30 = tosa.const_shape  {values = dense<[8, 64, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %31 = tosa.reshape %27, %30 : (tensor<1x8x64x128xf32>, !tosa.shape<3>) -> tensor<8x64x128xf32>
    %32 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %33 = tosa.matmul %29, %31, %32, %32 : (tensor<8x128x64xf32>, tensor<8x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x128x128xf32>
    %34 = tosa.const_shape  {values = dense<[1, 8, 128, 128]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %35 = tosa.reshape %33, %34 : (tensor<8x128x128xf32>, !tosa.shape<4>) -> tensor<1x8x128x128xf32>
    %36 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %37 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %38 = tosa.mul %35, %36, %37 : (tensor<1x8x128x128xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x8x128x128xf32>
    %39 = tensor.empty() : tensor<128xi64>
    %40 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%39 : tensor<128xi64>) {
    ^bb0(%out: i64):
      %115 = linalg.index 0 : index
      %116 = arith.index_cast %115 : index to i64
      %c1_i64 = arith.constant 1 : i64
      %117 = arith.muli %116, %c1_i64 : i64
      %c0_i64 = arith.constant 0 : i64
      %118 = arith.addi %c0_i64, %117 : i64
      linalg.yield %118 : i64
    } -> tensor<128xi64>
    %41 = tosa.const_shape  {values = dense<[128, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %42 = tosa.reshape %40, %41 : (tensor<128xi64>, !tosa.shape<2>) -> tensor<128x1xi64>
    %43 = tensor.empty() : tensor<128xi64>
    %44 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%43 : tensor<128xi64>) {
    ^bb0(%out: i64):
      %115 = linalg.index 0 : index
      %116 = arith.index_cast %115 : index to i64
      %c1_i64 = arith.constant 1 : i64
      %117 = arith.muli %116, %c1_i64 : i64
      %c0_i64 = arith.constant 0 : i64
      %118 = arith.addi %c0_i64, %117 : i64
      linalg.yield %118 : i64
    } -> tensor<128xi64>
    %45 = tosa.const_shape  {values = dense<[1, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %46 = tosa.reshape %44, %45 : (tensor<128xi64>, !tosa.shape<2>) -> tensor<1x128xi64>
    %47 = tosa.greater_equal %42, %46 : (tensor<128x1xi64>, tensor<1x128xi64>) -> tensor<128x128xi1>
    %48 = "tosa.const"() <{values = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %49 = tosa.const_shape  {values = dense<[1, 1, 128, 128]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %50 = tosa.reshape %47, %49 : (tensor<128x128xi1>, !tosa.shape<4>) -> tensor<1x1x128x128xi1>
    %51 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %52 = tosa.reshape %48, %51 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %53 = tosa.select %50, %38, %52 : (tensor<1x1x128x128xi1>, tensor<1x8x128x128xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x128x128xf32>
    %54 = tosa.reduce_max %53 {axis = 3 : i32} : (tensor<1x8x128x128xf32>) -> tensor<1x8x128x1xf32>
    %55 = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %56 = tosa.equal %54, %55 : (tensor<1x8x128x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x128x1xi1>
    %57 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %58 = tosa.const_shape  {values = dense<[1, 8, 128, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %59 = tosa.tile %57, %58 : (tensor<1x1x1x1xf32>, !tosa.shape<4>) -> tensor<1x8x128x1xf32>
    %60 = tosa.select %56, %59, %54 : (tensor<1x8x128x1xi1>, tensor<1x8x128x1xf32>, tensor<1x8x128x1xf32>) -> tensor<1x8x128x1xf32>
    %61 = tosa.sub %53, %60 : (tensor<1x8x128x128xf32>, tensor<1x8x128x1xf32>) -> tensor<1x8x128x128xf32>
    %62 = tosa.exp %61 : (tensor<1x8x128x128xf32>) -> tensor<1x8x128x128xf32>
    %63 = tosa.reduce_sum %62 {axis = 3 : i32} : (tensor<1x8x128x128xf32>) -> tensor<1x8x128x1xf32>
    %64 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %65 = tosa.const_shape  {values = dense<[1, 8, 128, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %66 = tosa.tile %64, %65 : (tensor<1x1x1x1xf32>, !tosa.shape<4>) -> tensor<1x8x128x1xf32>
    %67 = tosa.select %56, %66, %63 : (tensor<1x8x128x1xi1>, tensor<1x8x128x1xf32>, tensor<1x8x128x1xf32>) -> tensor<1x8x128x1xf32>
    %68 = tensor.empty() : tensor<1x8x128x128xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %67 : tensor<1x8x128x128xf32>, tensor<1x8x128x1xf32>) outs(%68 : tensor<1x8x128x128xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %115 = arith.divf %in, %in_24 : f32
      linalg.yield %115 : f32
    } -> tensor<1x8x128x128xf32>
    %70 = tosa.const_shape  {values = dense<[8, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %71 = tosa.reshape %69, %70 : (tensor<1x8x128x128xf32>, !tosa.shape<3>) -> tensor<8x128x128xf32>
    %72 = tosa.const_shape  {values = dense<[8, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %73 = tosa.reshape %transposed_10, %72 : (tensor<1x8x128x64xf32>, !tosa.shape<3>) -> tensor<8x128x64xf32>
    %74 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %75 = tosa.matmul %71, %73, %74, %74 : (tensor<8x128x128xf32>, tensor<8x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x128x64xf32>
    %76 = tosa.const_shape  {values = dense<[1, 8, 128, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %77 = tosa.reshape %75, %76 : (tensor<8x128x64xf32>, !tosa.shape<4>) -> tensor<1x8x128x64xf32>
    %78 = tensor.empty() : tensor<1x128x8x64xf32>
    %transposed_11 = linalg.transpose ins(%77 : tensor<1x8x128x64xf32>) outs(%78 : tensor<1x128x8x64xf32>) permutation = [0, 2, 1, 3] 
    %79 = tosa.const_shape  {values = dense<[1, 128, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %80 = tosa.reshape %transposed_11, %79 : (tensor<1x128x8x64xf32>, !tosa.shape<3>) -> tensor<1x128x512xf32>
    %collapsed_12 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %81 = tensor.empty() : tensor<128x512xf32>
    %82 = linalg.fill ins(%cst_13 : f32) outs(%81 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %83 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%collapsed_12, %arg3 : tensor<128x512xf32>, tensor<512x512xf32>) outs(%82 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %expanded_14 = tensor.expand_shape %83 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf32> into tensor<1x128x512xf32>
    %84 = tosa.add %arg8, %expanded_14 : (tensor<1x128x512xf32>, tensor<1x128x512xf32>) -> tensor<1x128x512xf32>
    %85 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %86 = tosa.mul %84, %84, %85 : (tensor<1x128x512xf32>, tensor<1x128x512xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
    %87 = tosa.reduce_sum %86 {axis = 2 : i32} : (tensor<1x128x512xf32>) -> tensor<1x128x1xf32>
    %88 = "tosa.const"() <{values = dense<0.001953125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %89 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %90 = tosa.mul %87, %88, %89 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
    %91 = "tosa.const"() <{values = dense<1.1920929E-7> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %92 = tosa.add %90, %91 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %93 = tosa.rsqrt %92 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %94 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %95 = tosa.mul %84, %93, %94 : (tensor<1x128x512xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
    %96 = tosa.const_shape  {values = dense<[1, 1, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %97 = tosa.reshape %arg7, %96 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<1x1x512xf32>
    %98 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %99 = tosa.mul %95, %97, %98 : (tensor<1x128x512xf32>, tensor<1x1x512xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
    %collapsed_15 = tensor.collapse_shape %99 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %100 = tensor.empty() : tensor<128x2048xf32>
    %101 = linalg.fill ins(%cst_16 : f32) outs(%100 : tensor<128x2048xf32>) -> tensor<128x2048xf32>
    %102 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%collapsed_15, %arg4 : tensor<128x512xf32>, tensor<2048x512xf32>) outs(%101 : tensor<128x2048xf32>) -> tensor<128x2048xf32>
    %expanded_17 = tensor.expand_shape %102 [[0, 1], [2]] output_shape [1, 128, 2048] : tensor<128x2048xf32> into tensor<1x128x2048xf32>
    %103 = tosa.sigmoid %expanded_17 : (tensor<1x128x2048xf32>) -> tensor<1x128x2048xf32>
    %104 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %105 = tosa.mul %expanded_17, %103, %104 : (tensor<1x128x2048xf32>, tensor<1x128x2048xf32>, tensor<1xi8>) -> tensor<1x128x2048xf32>
    %collapsed_18 = tensor.collapse_shape %99 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %106 = tensor.empty() : tensor<128x2048xf32>
    %107 = linalg.fill ins(%cst_19 : f32) outs(%106 : tensor<128x2048xf32>) -> tensor<128x2048xf32>
    %108 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%collapsed_18, %arg5 : tensor<128x512xf32>, tensor<2048x512xf32>) outs(%107 : tensor<128x2048xf32>) -> tensor<128x2048xf32>
    %expanded_20 = tensor.expand_shape %108 [[0, 1], [2]] output_shape [1, 128, 2048] : tensor<128x2048xf32> into tensor<1x128x2048xf32>
    %109 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %110 = tosa.mul %105, %expanded_20, %109 : (tensor<1x128x2048xf32>, tensor<1x128x2048xf32>, tensor<1xi8>) -> tensor<1x128x2048xf32>
    %collapsed_21 = tensor.collapse_shape %110 [[0, 1], [2]] : tensor<1x128x2048xf32> into tensor<128x2048xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %111 = tensor.empty() : tensor<128x512xf32>
    %112 = linalg.fill ins(%cst_22 : f32) outs(%111 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %113 = linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%collapsed_21, %arg6 : tensor<128x2048xf32>, tensor<512x2048xf32>) outs(%112 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %expanded_23 = tensor.expand_shape %113 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf32> into tensor<1x128x512xf32>
    %114 = tosa.add %84, %expanded_23 : (tensor<1x128x512xf32>, tensor<1x128x512xf32>) -> tensor<1x128x512xf32>
    return %114 : tensor<1x128x512xf32>
  }
}

