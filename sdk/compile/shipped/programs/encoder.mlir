#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @forward(%arg0: tensor<768x768xf32> {buddy.weight}, %arg1: tensor<768xf32> {buddy.weight}, %arg2: tensor<768x768xf32> {buddy.weight}, %arg3: tensor<768xf32> {buddy.weight}, %arg4: tensor<768x768xf32> {buddy.weight}, %arg5: tensor<768xf32> {buddy.weight}, %arg6: tensor<768x768xf32> {buddy.weight}, %arg7: tensor<768xf32> {buddy.weight}, %arg8: tensor<3072x768xf32> {buddy.weight}, %arg9: tensor<3072xf32> {buddy.weight}, %arg10: tensor<768x3072xf32> {buddy.weight}, %arg11: tensor<768xf32> {buddy.weight}, %arg12: tensor<768xf32> {buddy.weight}, %arg13: tensor<768xf32> {buddy.weight}, %arg14: tensor<768xf32> {buddy.weight}, %arg15: tensor<768xf32> {buddy.weight}, %arg16: tensor<1x128x768xf32>) -> tensor<1x128x768xf32> {
    %collapsed = tensor.collapse_shape %arg16 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %0 = tensor.empty() : tensor<128x768xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<768xf32>) outs(%0 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x768xf32>
    %2 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed, %arg0 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%1 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded = tensor.expand_shape %2 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %3 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed = linalg.transpose ins(%expanded_0 : tensor<1x128x12x64xf32>) outs(%3 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_1 = tensor.collapse_shape %arg16 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %4 = tensor.empty() : tensor<128x768xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<768xf32>) outs(%4 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x768xf32>
    %6 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_1, %arg2 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%5 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_2 = tensor.expand_shape %6 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %expanded_3 = tensor.expand_shape %expanded_2 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %7 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<1x128x12x64xf32>) outs(%7 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_5 = tensor.collapse_shape %arg16 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %8 = tensor.empty() : tensor<128x768xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<768xf32>) outs(%8 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x768xf32>
    %10 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_5, %arg4 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%9 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_6 = tensor.expand_shape %10 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %expanded_7 = tensor.expand_shape %expanded_6 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %11 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x128x12x64xf32>) outs(%11 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %12 = tosa.transpose %transposed_4 {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x12x128x64xf32>) -> tensor<1x12x64x128xf32>
    %13 = tosa.const_shape  {values = dense<[12, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.reshape %transposed, %13 : (tensor<1x12x128x64xf32>, !tosa.shape<3>) -> tensor<12x128x64xf32>
    %15 = tosa.const_shape  {values = dense<[12, 64, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %16 = tosa.reshape %12, %15 : (tensor<1x12x64x128xf32>, !tosa.shape<3>) -> tensor<12x64x128xf32>
    %17 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %18 = tosa.matmul %14, %16, %17, %17 : (tensor<12x128x64xf32>, tensor<12x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x128x128xf32>
    %19 = tosa.const_shape  {values = dense<[1, 12, 128, 128]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %20 = tosa.reshape %18, %19 : (tensor<12x128x128xf32>, !tosa.shape<4>) -> tensor<1x12x128x128xf32>
    %21 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = tosa.mul %20, %21, %22 : (tensor<1x12x128x128xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x128x128xf32>
    %24 = tosa.reduce_max %23 {axis = 3 : i32} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x1xf32>
    %25 = tosa.sub %23, %24 : (tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
    %26 = tosa.exp %25 : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %27 = tosa.reduce_sum %26 {axis = 3 : i32} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x1xf32>
    %28 = tensor.empty() : tensor<1x12x128x128xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %27 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%28 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %105 = arith.divf %in, %in_16 : f32
      linalg.yield %105 : f32
    } -> tensor<1x12x128x128xf32>
    %30 = tosa.const_shape  {values = dense<[12, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %31 = tosa.reshape %29, %30 : (tensor<1x12x128x128xf32>, !tosa.shape<3>) -> tensor<12x128x128xf32>
    %32 = tosa.const_shape  {values = dense<[12, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %33 = tosa.reshape %transposed_8, %32 : (tensor<1x12x128x64xf32>, !tosa.shape<3>) -> tensor<12x128x64xf32>
    %34 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %35 = tosa.matmul %31, %33, %34, %34 : (tensor<12x128x128xf32>, tensor<12x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x128x64xf32>
    %36 = tosa.const_shape  {values = dense<[1, 12, 128, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %37 = tosa.reshape %35, %36 : (tensor<12x128x64xf32>, !tosa.shape<4>) -> tensor<1x12x128x64xf32>
    %38 = tensor.empty() : tensor<1x128x12x64xf32>
    %transposed_9 = linalg.transpose ins(%37 : tensor<1x12x128x64xf32>) outs(%38 : tensor<1x128x12x64xf32>) permutation = [0, 2, 1, 3] 
    %39 = tosa.const_shape  {values = dense<[1, 128, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %40 = tosa.reshape %transposed_9, %39 : (tensor<1x128x12x64xf32>, !tosa.shape<3>) -> tensor<1x128x768xf32>
    %collapsed_10 = tensor.collapse_shape %40 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %41 = tensor.empty() : tensor<128x768xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<768xf32>) outs(%41 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x768xf32>
    %43 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_10, %arg6 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%42 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_11 = tensor.expand_shape %43 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %44 = tosa.add %arg16, %expanded_11 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %45 = tosa.reduce_sum %44 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %46 = tensor.empty() : tensor<1x128x1xf32>
    %47 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<1x128x1xf32>) outs(%46 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst = arith.constant 7.680000e+02 : f32
      %105 = arith.divf %in, %cst : f32
      linalg.yield %105 : f32
    } -> tensor<1x128x1xf32>
    %48 = tosa.sub %44, %47 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %49 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %50 = tosa.mul %48, %48, %49 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %51 = tosa.reduce_sum %50 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %52 = tensor.empty() : tensor<1x128x1xf32>
    %53 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<1x128x1xf32>) outs(%52 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst = arith.constant 7.680000e+02 : f32
      %105 = arith.divf %in, %cst : f32
      linalg.yield %105 : f32
    } -> tensor<1x128x1xf32>
    %54 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %55 = tosa.add %53, %54 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %56 = tosa.rsqrt %55 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = tosa.mul %48, %56, %57 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %59 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %60 = tosa.reshape %arg12, %59 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %61 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %62 = tosa.mul %58, %60, %61 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %63 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %64 = tosa.reshape %arg13, %63 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %65 = tosa.add %62, %64 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %collapsed_12 = tensor.collapse_shape %65 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %66 = tensor.empty() : tensor<128x3072xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<3072xf32>) outs(%66 : tensor<128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x3072xf32>
    %68 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_12, %arg8 : tensor<128x768xf32>, tensor<3072x768xf32>) outs(%67 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %expanded_13 = tensor.expand_shape %68 [[0, 1], [2]] output_shape [1, 128, 3072] : tensor<128x3072xf32> into tensor<1x128x3072xf32>
    %69 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %70 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %71 = tosa.mul %expanded_13, %69, %70 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x3072xf32>
    %72 = "tosa.const"() <{values = dense<0.707106769> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %73 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %74 = tosa.mul %expanded_13, %72, %73 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x3072xf32>
    %75 = tosa.erf %74 : (tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %76 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %77 = tosa.add %75, %76 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>) -> tensor<1x128x3072xf32>
    %78 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %79 = tosa.mul %71, %77, %78 : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>, tensor<1xi8>) -> tensor<1x128x3072xf32>
    %collapsed_14 = tensor.collapse_shape %79 [[0, 1], [2]] : tensor<1x128x3072xf32> into tensor<128x3072xf32>
    %80 = tensor.empty() : tensor<128x768xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<768xf32>) outs(%80 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x768xf32>
    %82 = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%collapsed_14, %arg10 : tensor<128x3072xf32>, tensor<768x3072xf32>) outs(%81 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %expanded_15 = tensor.expand_shape %82 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %83 = tosa.add %65, %expanded_15 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %84 = tosa.reduce_sum %83 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %85 = tensor.empty() : tensor<1x128x1xf32>
    %86 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<1x128x1xf32>) outs(%85 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst = arith.constant 7.680000e+02 : f32
      %105 = arith.divf %in, %cst : f32
      linalg.yield %105 : f32
    } -> tensor<1x128x1xf32>
    %87 = tosa.sub %83, %86 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %88 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %89 = tosa.mul %87, %87, %88 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %90 = tosa.reduce_sum %89 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %91 = tensor.empty() : tensor<1x128x1xf32>
    %92 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x128x1xf32>) outs(%91 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst = arith.constant 7.680000e+02 : f32
      %105 = arith.divf %in, %cst : f32
      linalg.yield %105 : f32
    } -> tensor<1x128x1xf32>
    %93 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %94 = tosa.add %92, %93 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %95 = tosa.rsqrt %94 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %96 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %97 = tosa.mul %87, %95, %96 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %98 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %99 = tosa.reshape %arg14, %98 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %100 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %101 = tosa.mul %97, %99, %100 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %102 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %103 = tosa.reshape %arg15, %102 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %104 = tosa.add %101, %103 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    return %104 : tensor<1x128x768xf32>
  }
}

