#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<512x512xf32> {buddy.weight}, %arg1: tensor<512xf32> {buddy.weight}, %arg2: tensor<512x512xf32> {buddy.weight}, %arg3: tensor<512xf32> {buddy.weight}, %arg4: tensor<512x512xf32> {buddy.weight}, %arg5: tensor<512xf32> {buddy.weight}, %arg6: tensor<512x512xf32> {buddy.weight}, %arg7: tensor<512xf32> {buddy.weight}, %arg8: tensor<2048x512xf32> {buddy.weight}, %arg9: tensor<2048xf32> {buddy.weight}, %arg10: tensor<512x2048xf32> {buddy.weight}, %arg11: tensor<512xf32> {buddy.weight}, %arg12: tensor<512xf32> {buddy.weight}, %arg13: tensor<512xf32> {buddy.weight}, %arg14: tensor<512xf32> {buddy.weight}, %arg15: tensor<512xf32> {buddy.weight}, %arg16: tensor<1x512x512xf32>) -> tensor<1x512x512xf32> {
    %collapsed = tensor.collapse_shape %arg16 [[0, 1], [2]] : tensor<1x512x512xf32> into tensor<512x512xf32>
    %0 = tensor.empty() : tensor<512x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<512xf32>) outs(%0 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x512xf32>
    %2 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed, %arg0 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%1 : tensor<512x512xf32>) -> tensor<512x512xf32>
    %expanded = tensor.expand_shape %2 [[0, 1], [2]] output_shape [1, 512, 512] : tensor<512x512xf32> into tensor<1x512x512xf32>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 512, 8, 64] : tensor<1x512x512xf32> into tensor<1x512x8x64xf32>
    %3 = tensor.empty() : tensor<1x8x512x64xf32>
    %transposed = linalg.transpose ins(%expanded_0 : tensor<1x512x8x64xf32>) outs(%3 : tensor<1x8x512x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_1 = tensor.collapse_shape %arg16 [[0, 1], [2]] : tensor<1x512x512xf32> into tensor<512x512xf32>
    %4 = tensor.empty() : tensor<512x512xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<512xf32>) outs(%4 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x512xf32>
    %6 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_1, %arg2 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%5 : tensor<512x512xf32>) -> tensor<512x512xf32>
    %expanded_2 = tensor.expand_shape %6 [[0, 1], [2]] output_shape [1, 512, 512] : tensor<512x512xf32> into tensor<1x512x512xf32>
    %expanded_3 = tensor.expand_shape %expanded_2 [[0], [1], [2, 3]] output_shape [1, 512, 8, 64] : tensor<1x512x512xf32> into tensor<1x512x8x64xf32>
    %7 = tensor.empty() : tensor<1x8x512x64xf32>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<1x512x8x64xf32>) outs(%7 : tensor<1x8x512x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_5 = tensor.collapse_shape %arg16 [[0, 1], [2]] : tensor<1x512x512xf32> into tensor<512x512xf32>
    %8 = tensor.empty() : tensor<512x512xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<512xf32>) outs(%8 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x512xf32>
    %10 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_5, %arg4 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%9 : tensor<512x512xf32>) -> tensor<512x512xf32>
    %expanded_6 = tensor.expand_shape %10 [[0, 1], [2]] output_shape [1, 512, 512] : tensor<512x512xf32> into tensor<1x512x512xf32>
    %expanded_7 = tensor.expand_shape %expanded_6 [[0], [1], [2, 3]] output_shape [1, 512, 8, 64] : tensor<1x512x512xf32> into tensor<1x512x8x64xf32>
    %11 = tensor.empty() : tensor<1x8x512x64xf32>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x512x8x64xf32>) outs(%11 : tensor<1x8x512x64xf32>) permutation = [0, 2, 1, 3] 
    %12 = tosa.transpose %transposed_4 {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x8x512x64xf32>) -> tensor<1x8x64x512xf32>
    %13 = tosa.const_shape  {values = dense<[8, 512, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.reshape %transposed, %13 : (tensor<1x8x512x64xf32>, !tosa.shape<3>) -> tensor<8x512x64xf32>
    %15 = tosa.const_shape  {values = dense<[8, 64, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %16 = tosa.reshape %12, %15 : (tensor<1x8x64x512xf32>, !tosa.shape<3>) -> tensor<8x64x512xf32>
    %17 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %18 = tosa.matmul %14, %16, %17, %17 : (tensor<8x512x64xf32>, tensor<8x64x512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x512x512xf32>
    %19 = tosa.const_shape  {values = dense<[1, 8, 512, 512]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %20 = tosa.reshape %18, %19 : (tensor<8x512x512xf32>, !tosa.shape<4>) -> tensor<1x8x512x512xf32>
    %21 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = tosa.mul %20, %21, %22 : (tensor<1x8x512x512xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x8x512x512xf32>
    %24 = tosa.reduce_max %23 {axis = 3 : i32} : (tensor<1x8x512x512xf32>) -> tensor<1x8x512x1xf32>
    %25 = tosa.sub %23, %24 : (tensor<1x8x512x512xf32>, tensor<1x8x512x1xf32>) -> tensor<1x8x512x512xf32>
    %26 = tosa.exp %25 : (tensor<1x8x512x512xf32>) -> tensor<1x8x512x512xf32>
    %27 = tosa.reduce_sum %26 {axis = 3 : i32} : (tensor<1x8x512x512xf32>) -> tensor<1x8x512x1xf32>
    %28 = tensor.empty() : tensor<1x8x512x512xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %27 : tensor<1x8x512x512xf32>, tensor<1x8x512x1xf32>) outs(%28 : tensor<1x8x512x512xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %99 = arith.divf %in, %in_16 : f32
      linalg.yield %99 : f32
    } -> tensor<1x8x512x512xf32>
    %30 = tosa.const_shape  {values = dense<[8, 512, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %31 = tosa.reshape %29, %30 : (tensor<1x8x512x512xf32>, !tosa.shape<3>) -> tensor<8x512x512xf32>
    %32 = tosa.const_shape  {values = dense<[8, 512, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %33 = tosa.reshape %transposed_8, %32 : (tensor<1x8x512x64xf32>, !tosa.shape<3>) -> tensor<8x512x64xf32>
    %34 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %35 = tosa.matmul %31, %33, %34, %34 : (tensor<8x512x512xf32>, tensor<8x512x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x512x64xf32>
    %36 = tosa.const_shape  {values = dense<[1, 8, 512, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %37 = tosa.reshape %35, %36 : (tensor<8x512x64xf32>, !tosa.shape<4>) -> tensor<1x8x512x64xf32>
    %38 = tensor.empty() : tensor<1x512x8x64xf32>
    %transposed_9 = linalg.transpose ins(%37 : tensor<1x8x512x64xf32>) outs(%38 : tensor<1x512x8x64xf32>) permutation = [0, 2, 1, 3] 
    %39 = tosa.const_shape  {values = dense<[1, 512, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %40 = tosa.reshape %transposed_9, %39 : (tensor<1x512x8x64xf32>, !tosa.shape<3>) -> tensor<1x512x512xf32>
    %collapsed_10 = tensor.collapse_shape %40 [[0, 1], [2]] : tensor<1x512x512xf32> into tensor<512x512xf32>
    %41 = tensor.empty() : tensor<512x512xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<512xf32>) outs(%41 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x512xf32>
    %43 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_10, %arg6 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%42 : tensor<512x512xf32>) -> tensor<512x512xf32>
    %expanded_11 = tensor.expand_shape %43 [[0, 1], [2]] output_shape [1, 512, 512] : tensor<512x512xf32> into tensor<1x512x512xf32>
    %44 = tosa.add %arg16, %expanded_11 : (tensor<1x512x512xf32>, tensor<1x512x512xf32>) -> tensor<1x512x512xf32>
    %45 = tosa.reduce_sum %44 {axis = 2 : i32} : (tensor<1x512x512xf32>) -> tensor<1x512x1xf32>
    %46 = "tosa.const"() <{values = dense<0.001953125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %48 = tosa.mul %45, %46, %47 : (tensor<1x512x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x512x1xf32>
    %49 = tosa.sub %44, %48 : (tensor<1x512x512xf32>, tensor<1x512x1xf32>) -> tensor<1x512x512xf32>
    %50 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %51 = tosa.mul %49, %49, %50 : (tensor<1x512x512xf32>, tensor<1x512x512xf32>, tensor<1xi8>) -> tensor<1x512x512xf32>
    %52 = tosa.reduce_sum %51 {axis = 2 : i32} : (tensor<1x512x512xf32>) -> tensor<1x512x1xf32>
    %53 = "tosa.const"() <{values = dense<0.001953125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %54 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %55 = tosa.mul %52, %53, %54 : (tensor<1x512x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x512x1xf32>
    %56 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %57 = tosa.add %55, %56 : (tensor<1x512x1xf32>, tensor<1x1x1xf32>) -> tensor<1x512x1xf32>
    %58 = tosa.rsqrt %57 : (tensor<1x512x1xf32>) -> tensor<1x512x1xf32>
    %59 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %60 = tosa.mul %49, %58, %59 : (tensor<1x512x512xf32>, tensor<1x512x1xf32>, tensor<1xi8>) -> tensor<1x512x512xf32>
    %61 = tosa.const_shape  {values = dense<[1, 1, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %62 = tosa.reshape %arg12, %61 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<1x1x512xf32>
    %63 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %64 = tosa.mul %60, %62, %63 : (tensor<1x512x512xf32>, tensor<1x1x512xf32>, tensor<1xi8>) -> tensor<1x512x512xf32>
    %65 = tosa.const_shape  {values = dense<[1, 1, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %66 = tosa.reshape %arg13, %65 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<1x1x512xf32>
    %67 = tosa.add %64, %66 : (tensor<1x512x512xf32>, tensor<1x1x512xf32>) -> tensor<1x512x512xf32>
    %collapsed_12 = tensor.collapse_shape %67 [[0, 1], [2]] : tensor<1x512x512xf32> into tensor<512x512xf32>
    %68 = tensor.empty() : tensor<512x2048xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<2048xf32>) outs(%68 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x2048xf32>
    %70 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_12, %arg8 : tensor<512x512xf32>, tensor<2048x512xf32>) outs(%69 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %expanded_13 = tensor.expand_shape %70 [[0, 1], [2]] output_shape [1, 512, 2048] : tensor<512x2048xf32> into tensor<1x512x2048xf32>
    %71 = tosa.clamp %expanded_13 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x2048xf32>) -> tensor<1x512x2048xf32>
    %collapsed_14 = tensor.collapse_shape %71 [[0, 1], [2]] : tensor<1x512x2048xf32> into tensor<512x2048xf32>
    %72 = tensor.empty() : tensor<512x512xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<512xf32>) outs(%72 : tensor<512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x512xf32>
    %74 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_14, %arg10 : tensor<512x2048xf32>, tensor<512x2048xf32>) outs(%73 : tensor<512x512xf32>) -> tensor<512x512xf32>
    %expanded_15 = tensor.expand_shape %74 [[0, 1], [2]] output_shape [1, 512, 512] : tensor<512x512xf32> into tensor<1x512x512xf32>
    %75 = tosa.add %67, %expanded_15 : (tensor<1x512x512xf32>, tensor<1x512x512xf32>) -> tensor<1x512x512xf32>
    %76 = tosa.reduce_sum %75 {axis = 2 : i32} : (tensor<1x512x512xf32>) -> tensor<1x512x1xf32>
    %77 = "tosa.const"() <{values = dense<0.001953125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %78 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %79 = tosa.mul %76, %77, %78 : (tensor<1x512x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x512x1xf32>
    %80 = tosa.sub %75, %79 : (tensor<1x512x512xf32>, tensor<1x512x1xf32>) -> tensor<1x512x512xf32>
    %81 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %82 = tosa.mul %80, %80, %81 : (tensor<1x512x512xf32>, tensor<1x512x512xf32>, tensor<1xi8>) -> tensor<1x512x512xf32>
    %83 = tosa.reduce_sum %82 {axis = 2 : i32} : (tensor<1x512x512xf32>) -> tensor<1x512x1xf32>
    %84 = "tosa.const"() <{values = dense<0.001953125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %85 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %86 = tosa.mul %83, %84, %85 : (tensor<1x512x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x512x1xf32>
    %87 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %88 = tosa.add %86, %87 : (tensor<1x512x1xf32>, tensor<1x1x1xf32>) -> tensor<1x512x1xf32>
    %89 = tosa.rsqrt %88 : (tensor<1x512x1xf32>) -> tensor<1x512x1xf32>
    %90 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %91 = tosa.mul %80, %89, %90 : (tensor<1x512x512xf32>, tensor<1x512x1xf32>, tensor<1xi8>) -> tensor<1x512x512xf32>
    %92 = tosa.const_shape  {values = dense<[1, 1, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %93 = tosa.reshape %arg14, %92 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<1x1x512xf32>
    %94 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %95 = tosa.mul %91, %93, %94 : (tensor<1x512x512xf32>, tensor<1x1x512xf32>, tensor<1xi8>) -> tensor<1x512x512xf32>
    %96 = tosa.const_shape  {values = dense<[1, 1, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %97 = tosa.reshape %arg15, %96 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<1x1x512xf32>
    %98 = tosa.add %95, %97 : (tensor<1x512x512xf32>, tensor<1x1x512xf32>) -> tensor<1x512x512xf32>
    return %98 : tensor<1x512x512xf32>
  }
}

