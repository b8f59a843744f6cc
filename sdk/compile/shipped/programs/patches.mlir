#map = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @forward(%arg0: tensor<768x3x16x16xf32> {buddy.weight}, %arg1: tensor<768xf32> {buddy.weight}, %arg2: tensor<768x768xf32> {buddy.weight}, %arg3: tensor<768xf32> {buddy.weight}, %arg4: tensor<768x768xf32> {buddy.weight}, %arg5: tensor<768xf32> {buddy.weight}, %arg6: tensor<768x768xf32> {buddy.weight}, %arg7: tensor<768xf32> {buddy.weight}, %arg8: tensor<768x768xf32> {buddy.weight}, %arg9: tensor<768xf32> {buddy.weight}, %arg10: tensor<3072x768xf32> {buddy.weight}, %arg11: tensor<3072xf32> {buddy.weight}, %arg12: tensor<768x3072xf32> {buddy.weight}, %arg13: tensor<768xf32> {buddy.weight}, %arg14: tensor<768xf32> {buddy.weight}, %arg15: tensor<768xf32> {buddy.weight}, %arg16: tensor<768xf32> {buddy.weight}, %arg17: tensor<768xf32> {buddy.weight}, %arg18: tensor<1x3x224x224xf32>) -> tensor<1x197x768xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [768, 1, 1] : tensor<768xf32> into tensor<768x1x1xf32>
    %0 = tensor.empty() : tensor<1x768x14x14xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<768x1x1xf32>) outs(%0 : tensor<1x768x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x768x14x14xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<16> : tensor<2xi64>} ins(%arg18, %arg0 : tensor<1x3x224x224xf32>, tensor<768x3x16x16xf32>) outs(%1 : tensor<1x768x14x14xf32>) -> tensor<1x768x14x14xf32>
    %3 = tosa.const_shape  {values = dense<[1, 768, 196]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %4 = tosa.reshape %2, %3 : (tensor<1x768x14x14xf32>, !tosa.shape<3>) -> tensor<1x768x196xf32>
    %5 = tensor.empty() : tensor<1x196x768xf32>
    %transposed = linalg.transpose ins(%4 : tensor<1x768x196xf32>) outs(%5 : tensor<1x196x768xf32>) permutation = [0, 2, 1] 
    %6 = tosa.const_shape  {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.slice %transposed, %6, %7 : (tensor<1x196x768xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %9 = tosa.concat %8, %transposed {axis = 1 : i32} : (tensor<1x1x768xf32>, tensor<1x196x768xf32>) -> tensor<1x197x768xf32>
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x197x768xf32> into tensor<197x768xf32>
    %10 = tensor.empty() : tensor<197x768xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<768xf32>) outs(%10 : tensor<197x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<197x768xf32>
    %12 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%collapsed, %arg2 : tensor<197x768xf32>, tensor<768x768xf32>) outs(%11 : tensor<197x768xf32>) -> tensor<197x768xf32>
    %expanded_0 = tensor.expand_shape %12 [[0, 1], [2]] output_shape [1, 197, 768] : tensor<197x768xf32> into tensor<1x197x768xf32>
    %expanded_1 = tensor.expand_shape %expanded_0 [[0], [1], [2, 3]] output_shape [1, 197, 12, 64] : tensor<1x197x768xf32> into tensor<1x197x12x64xf32>
    %13 = tensor.empty() : tensor<1x12x197x64xf32>
    %transposed_2 = linalg.transpose ins(%expanded_1 : tensor<1x197x12x64xf32>) outs(%13 : tensor<1x12x197x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_3 = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x197x768xf32> into tensor<197x768xf32>
    %14 = tensor.empty() : tensor<197x768xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<768xf32>) outs(%14 : tensor<197x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<197x768xf32>
    %16 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%collapsed_3, %arg4 : tensor<197x768xf32>, tensor<768x768xf32>) outs(%15 : tensor<197x768xf32>) -> tensor<197x768xf32>
    %expanded_4 = tensor.expand_shape %16 [[0, 1], [2]] output_shape [1, 197, 768] : tensor<197x768xf32> into tensor<1x197x768xf32>
    %expanded_5 = tensor.expand_shape %expanded_4 [[0], [1], [2, 3]] output_shape [1, 197, 12, 64] : tensor<1x197x768xf32> into tensor<1x197x12x64xf32>
    %17 = tensor.empty() : tensor<1x12x197x64xf32>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<1x197x12x64xf32>) outs(%17 : tensor<1x12x197x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_7 = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x197x768xf32> into tensor<197x768xf32>
    %18 = tensor.empty() : tensor<197x768xf32>
    %19 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<768xf32>) outs(%18 : tensor<197x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<197x768xf32>
    %20 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%collapsed_7, %arg6 : tensor<197x768xf32>, tensor<768x768xf32>) outs(%19 : tensor<197x768xf32>) -> tensor<197x768xf32>
    %expanded_8 = tensor.expand_shape %20 [[0, 1], [2]] output_shape [1, 197, 768] : tensor<197x768xf32> into tensor<1x197x768xf32>
    %expanded_9 = tensor.expand_shape %expanded_8 [[0], [1], [2, 3]] output_shape [1, 197, 12, 64] : tensor<1x197x768xf32> into tensor<1x197x12x64xf32>
    %21 = tensor.empty() : tensor<1x12x197x64xf32>
    %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<1x197x12x64xf32>) outs(%21 : tensor<1x12x197x64xf32>) permutation = [0, 2, 1, 3] 
    %22 = tosa.transpose %transposed_6 {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x12x197x64xf32>) -> tensor<1x12x64x197xf32>
    %23 = tosa.const_shape  {values = dense<[12, 197, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %24 = tosa.reshape %transposed_2, %23 : (tensor<1x12x197x64xf32>, !tosa.shape<3>) -> tensor<12x197x64xf32>
    %25 = tosa.const_shape  {values = dense<[12, 64, 197]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %26 = tosa.reshape %22, %25 : (tensor<1x12x64x197xf32>, !tosa.shape<3>) -> tensor<12x64x197xf32>
    %27 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %28 = tosa.matmul %24, %26, %27, %27 : (tensor<12x197x64xf32>, tensor<12x64x197xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x197x197xf32>
    %29 = tosa.const_shape  {values = dense<[1, 12, 197, 197]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %30 = tosa.reshape %28, %29 : (tensor<12x197x197xf32>, !tosa.shape<4>) -> tensor<1x12x197x197xf32>
    %31 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %32 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %33 = tosa.mul %30, %31, %32 : (tensor<1x12x197x197xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x197x197xf32>
    %34 = tosa.reduce_max %33 {axis = 3 : i32} : (tensor<1x12x197x197xf32>) -> tensor<1x12x197x1xf32>
    %35 = tosa.sub %33, %34 : (tensor<1x12x197x197xf32>, tensor<1x12x197x1xf32>) -> tensor<1x12x197x197xf32>
    %36 = tosa.exp %35 : (tensor<1x12x197x197xf32>) -> tensor<1x12x197x197xf32>
    %37 = tosa.reduce_sum %36 {axis = 3 : i32} : (tensor<1x12x197x197xf32>) -> tensor<1x12x197x1xf32>
    %38 = tensor.empty() : tensor<1x12x197x197xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %37 : tensor<1x12x197x197xf32>, tensor<1x12x197x1xf32>) outs(%38 : tensor<1x12x197x197xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %115 = arith.divf %in, %in_18 : f32
      linalg.yield %115 : f32
    } -> tensor<1x12x197x197xf32>
    %40 = tosa.const_shape  {values = dense<[12, 197, 197]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %41 = tosa.reshape %39, %40 : (tensor<1x12x197x197xf32>, !tosa.shape<3>) -> tensor<12x197x197xf32>
    %42 = tosa.const_shape  {values = dense<[12, 197, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %43 = tosa.reshape %transposed_10, %42 : (tensor<1x12x197x64xf32>, !tosa.shape<3>) -> tensor<12x197x64xf32>
    %44 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %45 = tosa.matmul %41, %43, %44, %44 : (tensor<12x197x197xf32>, tensor<12x197x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x197x64xf32>
    %46 = tosa.const_shape  {values = dense<[1, 12, 197, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %47 = tosa.reshape %45, %46 : (tensor<12x197x64xf32>, !tosa.shape<4>) -> tensor<1x12x197x64xf32>
    %48 = tensor.empty() : tensor<1x197x12x64xf32>
    %transposed_11 = linalg.transpose ins(%47 : tensor<1x12x197x64xf32>) outs(%48 : tensor<1x197x12x64xf32>) permutation = [0, 2, 1, 3] 
    %49 = tosa.const_shape  {values = dense<[1, 197, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %50 = tosa.reshape %transposed_11, %49 : (tensor<1x197x12x64xf32>, !tosa.shape<3>) -> tensor<1x197x768xf32>
    %collapsed_12 = tensor.collapse_shape %50 [[0, 1], [2]] : tensor<1x197x768xf32> into tensor<197x768xf32>
    %51 = tensor.empty() : tensor<197x768xf32>
    %52 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<768xf32>) outs(%51 : tensor<197x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<197x768xf32>
    %53 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%collapsed_12, %arg8 : tensor<197x768xf32>, tensor<768x768xf32>) outs(%52 : tensor<197x768xf32>) -> tensor<197x768xf32>
    %expanded_13 = tensor.expand_shape %53 [[0, 1], [2]] output_shape [1, 197, 768] : tensor<197x768xf32> into tensor<1x197x768xf32>
    %54 = tosa.add %9, %expanded_13 : (tensor<1x197x768xf32>, tensor<1x197x768xf32>) -> tensor<1x197x768xf32>
    %55 = tosa.reduce_sum %54 {axis = 2 : i32} : (tensor<1x197x768xf32>) -> tensor<1x197x1xf32>
    %56 = tensor.empty() : tensor<1x197x1xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<1x197x1xf32>) outs(%56 : tensor<1x197x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_18 = arith.constant 7.680000e+02 : f32
      %115 = arith.divf %in, %cst_18 : f32
      linalg.yield %115 : f32
    } -> tensor<1x197x1xf32>
    %58 = tosa.sub %54, %57 : (tensor<1x197x768xf32>, tensor<1x197x1xf32>) -> tensor<1x197x768xf32>
    %59 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %60 = tosa.mul %58, %58, %59 : (tensor<1x197x768xf32>, tensor<1x197x768xf32>, tensor<1xi8>) -> tensor<1x197x768xf32>
    %61 = tosa.reduce_sum %60 {axis = 2 : i32} : (tensor<1x197x768xf32>) -> tensor<1x197x1xf32>
    %62 = tensor.empty() : tensor<1x197x1xf32>
    %63 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x197x1xf32>) outs(%62 : tensor<1x197x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_18 = arith.constant 7.680000e+02 : f32
      %115 = arith.divf %in, %cst_18 : f32
      linalg.yield %115 : f32
    } -> tensor<1x197x1xf32>
    %64 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %65 = tosa.add %63, %64 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>) -> tensor<1x197x1xf32>
    %66 = tosa.rsqrt %65 : (tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
    %67 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %68 = tosa.mul %58, %66, %67 : (tensor<1x197x768xf32>, tensor<1x197x1xf32>, tensor<1xi8>) -> tensor<1x197x768xf32>
    %69 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %70 = tosa.reshape %arg14, %69 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %71 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %72 = tosa.mul %68, %70, %71 : (tensor<1x197x768xf32>, tensor<1x1x768xf32>, tensor<1xi8>) -> tensor<1x197x768xf32>
    %73 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %74 = tosa.reshape %arg15, %73 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %75 = tosa.add %72, %74 : (tensor<1x197x768xf32>, tensor<1x1x768xf32>) -> tensor<1x197x768xf32>
    %collapsed_14 = tensor.collapse_shape %75 [[0, 1], [2]] : tensor<1x197x768xf32> into tensor<197x768xf32>
    %76 = tensor.empty() : tensor<197x3072xf32>
    %77 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<3072xf32>) outs(%76 : tensor<197x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<197x3072xf32>
    %78 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%collapsed_14, %arg10 : tensor<197x768xf32>, tensor<3072x768xf32>) outs(%77 : tensor<197x3072xf32>) -> tensor<197x3072xf32>
    %expanded_15 = tensor.expand_shape %78 [[0, 1], [2]] output_shape [1, 197, 3072] : tensor<197x3072xf32> into tensor<1x197x3072xf32>
    %79 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %80 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %81 = tosa.mul %expanded_15, %79, %80 : (tensor<1x197x3072xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x3072xf32>
    %82 = "tosa.const"() <{values = dense<0.707106769> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %83 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %84 = tosa.mul %expanded_15, %82, %83 : (tensor<1x197x3072xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x3072xf32>
    %85 = tosa.erf %84 : (tensor<1x197x3072xf32>) -> tensor<1x197x3072xf32>
    %86 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %87 = tosa.add %85, %86 : (tensor<1x197x3072xf32>, tensor<1x1x1xf32>) -> tensor<1x197x3072xf32>
    %88 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %89 = tosa.mul %81, %87, %88 : (tensor<1x197x3072xf32>, tensor<1x197x3072xf32>, tensor<1xi8>) -> tensor<1x197x3072xf32>
    %collapsed_16 = tensor.collapse_shape %89 [[0, 1], [2]] : tensor<1x197x3072xf32> into tensor<197x3072xf32>
    %90 = tensor.empty() : tensor<197x768xf32>
    %91 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<768xf32>) outs(%90 : tensor<197x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<197x768xf32>
    %92 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%collapsed_16, %arg12 : tensor<197x3072xf32>, tensor<768x3072xf32>) outs(%91 : tensor<197x768xf32>) -> tensor<197x768xf32>
    %expanded_17 = tensor.expand_shape %92 [[0, 1], [2]] output_shape [1, 197, 768] : tensor<197x768xf32> into tensor<1x197x768xf32>
    %93 = tosa.add %75, %expanded_17 : (tensor<1x197x768xf32>, tensor<1x197x768xf32>) -> tensor<1x197x768xf32>
    %94 = tosa.reduce_sum %93 {axis = 2 : i32} : (tensor<1x197x768xf32>) -> tensor<1x197x1xf32>
    %95 = tensor.empty() : tensor<1x197x1xf32>
    %96 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x197x1xf32>) outs(%95 : tensor<1x197x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_18 = arith.constant 7.680000e+02 : f32
      %115 = arith.divf %in, %cst_18 : f32
      linalg.yield %115 : f32
    } -> tensor<1x197x1xf32>
    %97 = tosa.sub %93, %96 : (tensor<1x197x768xf32>, tensor<1x197x1xf32>) -> tensor<1x197x768xf32>
    %98 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %99 = tosa.mul %97, %97, %98 : (tensor<1x197x768xf32>, tensor<1x197x768xf32>, tensor<1xi8>) -> tensor<1x197x768xf32>
    %100 = tosa.reduce_sum %99 {axis = 2 : i32} : (tensor<1x197x768xf32>) -> tensor<1x197x1xf32>
    %101 = tensor.empty() : tensor<1x197x1xf32>
    %102 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x197x1xf32>) outs(%101 : tensor<1x197x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_18 = arith.constant 7.680000e+02 : f32
      %115 = arith.divf %in, %cst_18 : f32
      linalg.yield %115 : f32
    } -> tensor<1x197x1xf32>
    %103 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %104 = tosa.add %102, %103 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>) -> tensor<1x197x1xf32>
    %105 = tosa.rsqrt %104 : (tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
    %106 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %107 = tosa.mul %97, %105, %106 : (tensor<1x197x768xf32>, tensor<1x197x1xf32>, tensor<1xi8>) -> tensor<1x197x768xf32>
    %108 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %109 = tosa.reshape %arg16, %108 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %110 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %111 = tosa.mul %107, %109, %110 : (tensor<1x197x768xf32>, tensor<1x1x768xf32>, tensor<1xi8>) -> tensor<1x197x768xf32>
    %112 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %113 = tosa.reshape %arg17, %112 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %114 = tosa.add %111, %113 : (tensor<1x197x768xf32>, tensor<1x1x768xf32>) -> tensor<1x197x768xf32>
    return %114 : tensor<1x197x768xf32>
  }
}

