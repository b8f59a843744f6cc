#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @forward(%arg0: tensor<768x768xf32> {buddy.weight}, %arg1: tensor<768xf32> {buddy.weight}, %arg2: tensor<768x768xf32> {buddy.weight}, %arg3: tensor<768xf32> {buddy.weight}, %arg4: tensor<768x768xf32> {buddy.weight}, %arg5: tensor<768xf32> {buddy.weight}, %arg6: tensor<768x768xf32> {buddy.weight}, %arg7: tensor<768xf32> {buddy.weight}, %arg8: tensor<3072x768xf32> {buddy.weight}, %arg9: tensor<3072xf32> {buddy.weight}, %arg10: tensor<768x3072xf32> {buddy.weight}, %arg11: tensor<768xf32> {buddy.weight}, %arg12: tensor<768xf32> {buddy.weight}, %arg13: tensor<768xf32> {buddy.weight}, %arg14: tensor<768xf32> {buddy.weight}, %arg15: tensor<768xf32> {buddy.weight}, %arg16: tensor<768x768xi8> {buddy.weight}, %arg17: tensor<768xf32> {buddy.weight}, %arg18: tensor<768xi64> {buddy.weight}, %arg19: tensor<768x768xi8> {buddy.weight}, %arg20: tensor<768xf32> {buddy.weight}, %arg21: tensor<768xi64> {buddy.weight}, %arg22: tensor<768x768xi8> {buddy.weight}, %arg23: tensor<768xf32> {buddy.weight}, %arg24: tensor<768xi64> {buddy.weight}, %arg25: tensor<768x768xi8> {buddy.weight}, %arg26: tensor<768xf32> {buddy.weight}, %arg27: tensor<768xi64> {buddy.weight}, %arg28: tensor<3072x768xi8> {buddy.weight}, %arg29: tensor<3072xf32> {buddy.weight}, %arg30: tensor<3072xi64> {buddy.weight}, %arg31: tensor<768x3072xi8> {buddy.weight}, %arg32: tensor<768xf32> {buddy.weight}, %arg33: tensor<768xi64> {buddy.weight}, %arg34: tensor<1x128x768xf32>) -> tensor<1x128x768xf32> {
    %cst = arith.constant dense<0.0039215634850894706> : tensor<f64>
    %0 = tensor.empty() : tensor<f64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst : tensor<f64>) outs(%0 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_27 = arith.constant 1.000000e+00 : f64
      %450 = arith.divf %cst_27, %in : f64
      linalg.yield %450 : f64
    } -> tensor<f64>
    %2 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = tensor.empty() : tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f64>) outs(%5 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %450 = arith.truncf %in : f64 to f32
      linalg.yield %450 : f32
    } -> tensor<f32>
    %7 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.reshape %6, %7 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = tosa.mul %arg34, %8, %9 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %11 = math.roundeven %10 : tensor<1x128x768xf32>
    %12 = tensor.empty() : tensor<1x128x768xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %4 : tensor<1x128x768xf32>, tensor<f32>) outs(%12 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %450 = arith.addf %in, %in_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x128x768xf32>
    %14 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %15 = tosa.reshape %3, %14 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %16 = tosa.maximum %13, %15 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %17 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %18 = tosa.reshape %2, %17 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %19 = tosa.minimum %16, %18 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %20 = tensor.empty() : tensor<1x128x768xi8>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x128x768xf32>) outs(%20 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %450 = arith.fptosi %in : f32 to i32
      %451 = arith.trunci %450 : i32 to i8
      linalg.yield %451 : i8
    } -> tensor<1x128x768xi8>
    %22 = "tosa.const"() <{values = dense<0.00392156327> : tensor<f32>}> : () -> tensor<f32>
    %23 = tensor.empty() : tensor<1x128x768xi16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x128x768xi8>) outs(%23 : tensor<1x128x768xi16>) {
    ^bb0(%in: i8, %out: i16):
      %450 = arith.extui %in : i8 to i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %25 = tensor.empty() : tensor<1x128x768xi16>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<1x128x768xi16>) outs(%25 : tensor<1x128x768xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %450 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %27 = tosa.cast %26 : (tensor<1x128x768xi16>) -> tensor<1x128x768xi8>
    %28 = tosa.const_shape  {values = dense<[768, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %29 = tosa.reshape %arg17, %28 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<768x1xf32>
    %30 = tosa.transpose %arg16 {perms = array<i32: 1, 0>} : (tensor<768x768xi8>) -> tensor<768x768xi8>
    %31 = tosa.transpose %29 {perms = array<i32: 1, 0>} : (tensor<768x1xf32>) -> tensor<1x768xf32>
    %32 = tosa.const_shape  {values = dense<[128, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %33 = tosa.reshape %27, %32 : (tensor<1x128x768xi8>, !tosa.shape<2>) -> tensor<128x768xi8>
    %c0_i32 = arith.constant 0 : i32
    %34 = tensor.empty() : tensor<128x768xi32>
    %35 = linalg.fill ins(%c0_i32 : i32) outs(%34 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %36 = linalg.matmul ins(%33, %30 : tensor<128x768xi8>, tensor<768x768xi8>) outs(%35 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %c0_i32_0 = arith.constant 0 : i32
    %37 = tensor.empty() : tensor<768xi32>
    %38 = linalg.fill ins(%c0_i32_0 : i32) outs(%37 : tensor<768xi32>) -> tensor<768xi32>
    %39 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg16 : tensor<768x768xi8>) outs(%38 : tensor<768xi32>) {
    ^bb0(%in: i8, %out: i32):
      %450 = arith.extsi %in : i8 to i32
      %451 = arith.addi %out, %450 : i32
      linalg.yield %451 : i32
    } -> tensor<768xi32>
    %expanded = tensor.expand_shape %39 [[0, 1]] output_shape [768, 1] : tensor<768xi32> into tensor<768x1xi32>
    %40 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %41 = tosa.reshape %expanded, %40 : (tensor<768x1xi32>, !tosa.shape<2>) -> tensor<1x768xi32>
    %42 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %43 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %44 = tosa.reshape %42, %43 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %45 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = tosa.mul %44, %41, %45 : (tensor<1x1xi32>, tensor<1x768xi32>, tensor<1xi8>) -> tensor<1x768xi32>
    %47 = tosa.sub %36, %46 : (tensor<128x768xi32>, tensor<1x768xi32>) -> tensor<128x768xi32>
    %48 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %49 = tosa.reshape %22, %48 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %50 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %51 = tosa.mul %49, %31, %50 : (tensor<1x1xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<1x768xf32>
    %52 = tosa.cast %47 : (tensor<128x768xi32>) -> tensor<128x768xf32>
    %53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.mul %52, %51, %53 : (tensor<128x768xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<128x768xf32>
    %55 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %56 = tosa.reshape %arg1, %55 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<1x768xf32>
    %57 = tosa.add %54, %56 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %58 = tosa.const_shape  {values = dense<[1, 128, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %59 = tosa.reshape %57, %58 : (tensor<128x768xf32>, !tosa.shape<3>) -> tensor<1x128x768xf32>
    %expanded_1 = tensor.expand_shape %59 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %60 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed = linalg.transpose ins(%expanded_1 : tensor<1x128x12x64xf32>) outs(%60 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %cst_2 = arith.constant dense<0.0039215634850894706> : tensor<f64>
    %61 = tensor.empty() : tensor<f64>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_2 : tensor<f64>) outs(%61 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_27 = arith.constant 1.000000e+00 : f64
      %450 = arith.divf %cst_27, %in : f64
      linalg.yield %450 : f64
    } -> tensor<f64>
    %63 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %64 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = tensor.empty() : tensor<f32>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%62 : tensor<f64>) outs(%66 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %450 = arith.truncf %in : f64 to f32
      linalg.yield %450 : f32
    } -> tensor<f32>
    %68 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %69 = tosa.reshape %67, %68 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %70 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %71 = tosa.mul %arg34, %69, %70 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %72 = math.roundeven %71 : tensor<1x128x768xf32>
    %73 = tensor.empty() : tensor<1x128x768xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %65 : tensor<1x128x768xf32>, tensor<f32>) outs(%73 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %450 = arith.addf %in, %in_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x128x768xf32>
    %75 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %76 = tosa.reshape %64, %75 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %77 = tosa.maximum %74, %76 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %78 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %79 = tosa.reshape %63, %78 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %80 = tosa.minimum %77, %79 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %81 = tensor.empty() : tensor<1x128x768xi8>
    %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<1x128x768xf32>) outs(%81 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %450 = arith.fptosi %in : f32 to i32
      %451 = arith.trunci %450 : i32 to i8
      linalg.yield %451 : i8
    } -> tensor<1x128x768xi8>
    %83 = "tosa.const"() <{values = dense<0.00392156327> : tensor<f32>}> : () -> tensor<f32>
    %84 = tensor.empty() : tensor<1x128x768xi16>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<1x128x768xi8>) outs(%84 : tensor<1x128x768xi16>) {
    ^bb0(%in: i8, %out: i16):
      %450 = arith.extui %in : i8 to i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %86 = tensor.empty() : tensor<1x128x768xi16>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x128x768xi16>) outs(%86 : tensor<1x128x768xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %450 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %88 = tosa.cast %87 : (tensor<1x128x768xi16>) -> tensor<1x128x768xi8>
    %89 = tosa.const_shape  {values = dense<[768, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %90 = tosa.reshape %arg20, %89 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<768x1xf32>
    %91 = tosa.transpose %arg19 {perms = array<i32: 1, 0>} : (tensor<768x768xi8>) -> tensor<768x768xi8>
    %92 = tosa.transpose %90 {perms = array<i32: 1, 0>} : (tensor<768x1xf32>) -> tensor<1x768xf32>
    %93 = tosa.const_shape  {values = dense<[128, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %94 = tosa.reshape %88, %93 : (tensor<1x128x768xi8>, !tosa.shape<2>) -> tensor<128x768xi8>
    %c0_i32_3 = arith.constant 0 : i32
    %95 = tensor.empty() : tensor<128x768xi32>
    %96 = linalg.fill ins(%c0_i32_3 : i32) outs(%95 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %97 = linalg.matmul ins(%94, %91 : tensor<128x768xi8>, tensor<768x768xi8>) outs(%96 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %c0_i32_4 = arith.constant 0 : i32
    %98 = tensor.empty() : tensor<768xi32>
    %99 = linalg.fill ins(%c0_i32_4 : i32) outs(%98 : tensor<768xi32>) -> tensor<768xi32>
    %100 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg19 : tensor<768x768xi8>) outs(%99 : tensor<768xi32>) {
    ^bb0(%in: i8, %out: i32):
      %450 = arith.extsi %in : i8 to i32
      %451 = arith.addi %out, %450 : i32
      linalg.yield %451 : i32
    } -> tensor<768xi32>
    %expanded_5 = tensor.expand_shape %100 [[0, 1]] output_shape [768, 1] : tensor<768xi32> into tensor<768x1xi32>
    %101 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %102 = tosa.reshape %expanded_5, %101 : (tensor<768x1xi32>, !tosa.shape<2>) -> tensor<1x768xi32>
    %103 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %104 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %105 = tosa.reshape %103, %104 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %106 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %107 = tosa.mul %105, %102, %106 : (tensor<1x1xi32>, tensor<1x768xi32>, tensor<1xi8>) -> tensor<1x768xi32>
    %108 = tosa.sub %97, %107 : (tensor<128x768xi32>, tensor<1x768xi32>) -> tensor<128x768xi32>
    %109 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %110 = tosa.reshape %83, %109 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %111 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %112 = tosa.mul %110, %92, %111 : (tensor<1x1xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<1x768xf32>
    %113 = tosa.cast %108 : (tensor<128x768xi32>) -> tensor<128x768xf32>
    %114 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %115 = tosa.mul %113, %112, %114 : (tensor<128x768xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<128x768xf32>
    %116 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %117 = tosa.reshape %arg3, %116 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<1x768xf32>
    %118 = tosa.add %115, %117 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %119 = tosa.const_shape  {values = dense<[1, 128, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %120 = tosa.reshape %118, %119 : (tensor<128x768xf32>, !tosa.shape<3>) -> tensor<1x128x768xf32>
    %expanded_6 = tensor.expand_shape %120 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %121 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x128x12x64xf32>) outs(%121 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %cst_8 = arith.constant dense<0.0039215634850894706> : tensor<f64>
    %122 = tensor.empty() : tensor<f64>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_8 : tensor<f64>) outs(%122 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_27 = arith.constant 1.000000e+00 : f64
      %450 = arith.divf %cst_27, %in : f64
      linalg.yield %450 : f64
    } -> tensor<f64>
    %124 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %125 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %126 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %127 = tensor.empty() : tensor<f32>
    %128 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%123 : tensor<f64>) outs(%127 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %450 = arith.truncf %in : f64 to f32
      linalg.yield %450 : f32
    } -> tensor<f32>
    %129 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %130 = tosa.reshape %128, %129 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %131 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %132 = tosa.mul %arg34, %130, %131 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %133 = math.roundeven %132 : tensor<1x128x768xf32>
    %134 = tensor.empty() : tensor<1x128x768xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %126 : tensor<1x128x768xf32>, tensor<f32>) outs(%134 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %450 = arith.addf %in, %in_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x128x768xf32>
    %136 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %137 = tosa.reshape %125, %136 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %138 = tosa.maximum %135, %137 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %139 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %140 = tosa.reshape %124, %139 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %141 = tosa.minimum %138, %140 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %142 = tensor.empty() : tensor<1x128x768xi8>
    %143 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<1x128x768xf32>) outs(%142 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %450 = arith.fptosi %in : f32 to i32
      %451 = arith.trunci %450 : i32 to i8
      linalg.yield %451 : i8
    } -> tensor<1x128x768xi8>
    %144 = "tosa.const"() <{values = dense<0.00392156327> : tensor<f32>}> : () -> tensor<f32>
    %145 = tensor.empty() : tensor<1x128x768xi16>
    %146 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<1x128x768xi8>) outs(%145 : tensor<1x128x768xi16>) {
    ^bb0(%in: i8, %out: i16):
      %450 = arith.extui %in : i8 to i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %147 = tensor.empty() : tensor<1x128x768xi16>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<1x128x768xi16>) outs(%147 : tensor<1x128x768xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %450 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %149 = tosa.cast %148 : (tensor<1x128x768xi16>) -> tensor<1x128x768xi8>
    %150 = tosa.const_shape  {values = dense<[768, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %151 = tosa.reshape %arg23, %150 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<768x1xf32>
    %152 = tosa.transpose %arg22 {perms = array<i32: 1, 0>} : (tensor<768x768xi8>) -> tensor<768x768xi8>
    %153 = tosa.transpose %151 {perms = array<i32: 1, 0>} : (tensor<768x1xf32>) -> tensor<1x768xf32>
    %154 = tosa.const_shape  {values = dense<[128, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %155 = tosa.reshape %149, %154 : (tensor<1x128x768xi8>, !tosa.shape<2>) -> tensor<128x768xi8>
    %c0_i32_9 = arith.constant 0 : i32
    %156 = tensor.empty() : tensor<128x768xi32>
    %157 = linalg.fill ins(%c0_i32_9 : i32) outs(%156 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %158 = linalg.matmul ins(%155, %152 : tensor<128x768xi8>, tensor<768x768xi8>) outs(%157 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %c0_i32_10 = arith.constant 0 : i32
    %159 = tensor.empty() : tensor<768xi32>
    %160 = linalg.fill ins(%c0_i32_10 : i32) outs(%159 : tensor<768xi32>) -> tensor<768xi32>
    %161 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg22 : tensor<768x768xi8>) outs(%160 : tensor<768xi32>) {
    ^bb0(%in: i8, %out: i32):
      %450 = arith.extsi %in : i8 to i32
      %451 = arith.addi %out, %450 : i32
      linalg.yield %451 : i32
    } -> tensor<768xi32>
    %expanded_11 = tensor.expand_shape %161 [[0, 1]] output_shape [768, 1] : tensor<768xi32> into tensor<768x1xi32>
    %162 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %163 = tosa.reshape %expanded_11, %162 : (tensor<768x1xi32>, !tosa.shape<2>) -> tensor<1x768xi32>
    %164 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %165 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %166 = tosa.reshape %164, %165 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %167 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %168 = tosa.mul %166, %163, %167 : (tensor<1x1xi32>, tensor<1x768xi32>, tensor<1xi8>) -> tensor<1x768xi32>
    %169 = tosa.sub %158, %168 : (tensor<128x768xi32>, tensor<1x768xi32>) -> tensor<128x768xi32>
    %170 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %171 = tosa.reshape %144, %170 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %172 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %173 = tosa.mul %171, %153, %172 : (tensor<1x1xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<1x768xf32>
    %174 = tosa.cast %169 : (tensor<128x768xi32>) -> tensor<128x768xf32>
    %175 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %176 = tosa.mul %174, %173, %175 : (tensor<128x768xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<128x768xf32>
    %177 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %178 = tosa.reshape %arg5, %177 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<1x768xf32>
    %179 = tosa.add %176, %178 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %180 = tosa.const_shape  {values = dense<[1, 128, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %181 = tosa.reshape %179, %180 : (tensor<128x768xf32>, !tosa.shape<3>) -> tensor<1x128x768xf32>
    %expanded_12 = tensor.expand_shape %181 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf32> into tensor<1x128x12x64xf32>
    %182 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x128x12x64xf32>) outs(%182 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %183 = tosa.transpose %transposed_7 {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x12x128x64xf32>) -> tensor<1x12x64x128xf32>
    %184 = tosa.const_shape  {values = dense<[12, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %185 = tosa.reshape %transposed, %184 : (tensor<1x12x128x64xf32>, !tosa.shape<3>) -> tensor<12x128x64xf32>
    %186 = tosa.const_shape  {values = dense<[12, 64, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %187 = tosa.reshape %183, %186 : (tensor<1x12x64x128xf32>, !tosa.shape<3>) -> tensor<12x64x128xf32>
    %188 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %189 = tosa.matmul %185, %187, %188, %188 : (tensor<12x128x64xf32>, tensor<12x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x128x128xf32>
    %190 = tosa.const_shape  {values = dense<[1, 12, 128, 128]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %191 = tosa.reshape %189, %190 : (tensor<12x128x128xf32>, !tosa.shape<4>) -> tensor<1x12x128x128xf32>
    %192 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %193 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %194 = tosa.mul %191, %192, %193 : (tensor<1x12x128x128xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x128x128xf32>
    %195 = tosa.reduce_max %194 {axis = 3 : i32} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x1xf32>
    %196 = tosa.sub %194, %195 : (tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
    %197 = tosa.exp %196 : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %198 = tosa.reduce_sum %197 {axis = 3 : i32} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x1xf32>
    %199 = tensor.empty() : tensor<1x12x128x128xf32>
    %200 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%197, %198 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%199 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %450 = arith.divf %in, %in_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x12x128x128xf32>
    %201 = tosa.const_shape  {values = dense<[12, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %202 = tosa.reshape %200, %201 : (tensor<1x12x128x128xf32>, !tosa.shape<3>) -> tensor<12x128x128xf32>
    %203 = tosa.const_shape  {values = dense<[12, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %204 = tosa.reshape %transposed_13, %203 : (tensor<1x12x128x64xf32>, !tosa.shape<3>) -> tensor<12x128x64xf32>
    %205 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %206 = tosa.matmul %202, %204, %205, %205 : (tensor<12x128x128xf32>, tensor<12x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<12x128x64xf32>
    %207 = tosa.const_shape  {values = dense<[1, 12, 128, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %208 = tosa.reshape %206, %207 : (tensor<12x128x64xf32>, !tosa.shape<4>) -> tensor<1x12x128x64xf32>
    %209 = tensor.empty() : tensor<1x128x12x64xf32>
    %transposed_14 = linalg.transpose ins(%208 : tensor<1x12x128x64xf32>) outs(%209 : tensor<1x128x12x64xf32>) permutation = [0, 2, 1, 3] 
    %210 = tosa.const_shape  {values = dense<[1, 128, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %211 = tosa.reshape %transposed_14, %210 : (tensor<1x128x12x64xf32>, !tosa.shape<3>) -> tensor<1x128x768xf32>
    %cst_15 = arith.constant dense<0.0078115844259075088> : tensor<f64>
    %212 = tensor.empty() : tensor<f64>
    %213 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_15 : tensor<f64>) outs(%212 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_27 = arith.constant 1.000000e+00 : f64
      %450 = arith.divf %cst_27, %in : f64
      linalg.yield %450 : f64
    } -> tensor<f64>
    %214 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %215 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %216 = "tosa.const"() <{values = dense<1.350000e+02> : tensor<f32>}> : () -> tensor<f32>
    %217 = tensor.empty() : tensor<f32>
    %218 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%213 : tensor<f64>) outs(%217 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %450 = arith.truncf %in : f64 to f32
      linalg.yield %450 : f32
    } -> tensor<f32>
    %219 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %220 = tosa.reshape %218, %219 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %221 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %222 = tosa.mul %211, %220, %221 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %223 = math.roundeven %222 : tensor<1x128x768xf32>
    %224 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %225 = tosa.reshape %216, %224 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %226 = tosa.add %223, %225 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %227 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %228 = tosa.reshape %215, %227 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %229 = tosa.maximum %226, %228 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %230 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %231 = tosa.reshape %214, %230 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %232 = tosa.minimum %229, %231 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %233 = tensor.empty() : tensor<1x128x768xi8>
    %234 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%232 : tensor<1x128x768xf32>) outs(%233 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %450 = arith.fptosi %in : f32 to i32
      %451 = arith.trunci %450 : i32 to i8
      linalg.yield %451 : i8
    } -> tensor<1x128x768xi8>
    %235 = "tosa.const"() <{values = dense<0.00781158451> : tensor<f32>}> : () -> tensor<f32>
    %236 = tensor.empty() : tensor<1x128x768xi16>
    %237 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%234 : tensor<1x128x768xi8>) outs(%236 : tensor<1x128x768xi16>) {
    ^bb0(%in: i8, %out: i16):
      %450 = arith.extui %in : i8 to i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %238 = tensor.empty() : tensor<1x128x768xi16>
    %239 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237 : tensor<1x128x768xi16>) outs(%238 : tensor<1x128x768xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %450 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %240 = tosa.cast %239 : (tensor<1x128x768xi16>) -> tensor<1x128x768xi8>
    %241 = tosa.const_shape  {values = dense<[768, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %242 = tosa.reshape %arg26, %241 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<768x1xf32>
    %243 = tosa.transpose %arg25 {perms = array<i32: 1, 0>} : (tensor<768x768xi8>) -> tensor<768x768xi8>
    %244 = tosa.transpose %242 {perms = array<i32: 1, 0>} : (tensor<768x1xf32>) -> tensor<1x768xf32>
    %245 = tosa.const_shape  {values = dense<[128, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %246 = tosa.reshape %240, %245 : (tensor<1x128x768xi8>, !tosa.shape<2>) -> tensor<128x768xi8>
    %c0_i32_16 = arith.constant 0 : i32
    %247 = tensor.empty() : tensor<128x768xi32>
    %248 = linalg.fill ins(%c0_i32_16 : i32) outs(%247 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %249 = linalg.matmul ins(%246, %243 : tensor<128x768xi8>, tensor<768x768xi8>) outs(%248 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %c0_i32_17 = arith.constant 0 : i32
    %250 = tensor.empty() : tensor<768xi32>
    %251 = linalg.fill ins(%c0_i32_17 : i32) outs(%250 : tensor<768xi32>) -> tensor<768xi32>
    %252 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg25 : tensor<768x768xi8>) outs(%251 : tensor<768xi32>) {
    ^bb0(%in: i8, %out: i32):
      %450 = arith.extsi %in : i8 to i32
      %451 = arith.addi %out, %450 : i32
      linalg.yield %451 : i32
    } -> tensor<768xi32>
    %expanded_18 = tensor.expand_shape %252 [[0, 1]] output_shape [768, 1] : tensor<768xi32> into tensor<768x1xi32>
    %253 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %254 = tosa.reshape %expanded_18, %253 : (tensor<768x1xi32>, !tosa.shape<2>) -> tensor<1x768xi32>
    %255 = "tosa.const"() <{values = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %256 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %257 = tosa.reshape %255, %256 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %258 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %259 = tosa.mul %257, %254, %258 : (tensor<1x1xi32>, tensor<1x768xi32>, tensor<1xi8>) -> tensor<1x768xi32>
    %260 = tosa.sub %249, %259 : (tensor<128x768xi32>, tensor<1x768xi32>) -> tensor<128x768xi32>
    %261 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %262 = tosa.reshape %235, %261 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %263 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %264 = tosa.mul %262, %244, %263 : (tensor<1x1xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<1x768xf32>
    %265 = tosa.cast %260 : (tensor<128x768xi32>) -> tensor<128x768xf32>
    %266 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %267 = tosa.mul %265, %264, %266 : (tensor<128x768xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<128x768xf32>
    %268 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %269 = tosa.reshape %arg7, %268 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<1x768xf32>
    %270 = tosa.add %267, %269 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %271 = tosa.const_shape  {values = dense<[1, 128, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %272 = tosa.reshape %270, %271 : (tensor<128x768xf32>, !tosa.shape<3>) -> tensor<1x128x768xf32>
    %273 = tosa.add %arg34, %272 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %274 = tosa.reduce_sum %273 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %275 = tensor.empty() : tensor<1x128x1xf32>
    %276 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%274 : tensor<1x128x1xf32>) outs(%275 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_27 = arith.constant 7.680000e+02 : f32
      %450 = arith.divf %in, %cst_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x128x1xf32>
    %277 = tosa.sub %273, %276 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %278 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %279 = tosa.mul %277, %277, %278 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %280 = tosa.reduce_sum %279 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %281 = tensor.empty() : tensor<1x128x1xf32>
    %282 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%280 : tensor<1x128x1xf32>) outs(%281 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_27 = arith.constant 7.680000e+02 : f32
      %450 = arith.divf %in, %cst_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x128x1xf32>
    %283 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %284 = tosa.add %282, %283 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %285 = tosa.rsqrt %284 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %286 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %287 = tosa.mul %277, %285, %286 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %288 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %289 = tosa.reshape %arg12, %288 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %290 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %291 = tosa.mul %287, %289, %290 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %292 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %293 = tosa.reshape %arg13, %292 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %294 = tosa.add %291, %293 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %cst_19 = arith.constant dense<0.023968370288026099> : tensor<f64>
    %295 = tensor.empty() : tensor<f64>
    %296 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_19 : tensor<f64>) outs(%295 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_27 = arith.constant 1.000000e+00 : f64
      %450 = arith.divf %cst_27, %in : f64
      linalg.yield %450 : f64
    } -> tensor<f64>
    %297 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %298 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %299 = "tosa.const"() <{values = dense<1.300000e+02> : tensor<f32>}> : () -> tensor<f32>
    %300 = tensor.empty() : tensor<f32>
    %301 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%296 : tensor<f64>) outs(%300 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %450 = arith.truncf %in : f64 to f32
      linalg.yield %450 : f32
    } -> tensor<f32>
    %302 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %303 = tosa.reshape %301, %302 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %304 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %305 = tosa.mul %294, %303, %304 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %306 = math.roundeven %305 : tensor<1x128x768xf32>
    %307 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %308 = tosa.reshape %299, %307 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %309 = tosa.add %306, %308 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %310 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %311 = tosa.reshape %298, %310 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %312 = tosa.maximum %309, %311 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %313 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %314 = tosa.reshape %297, %313 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %315 = tosa.minimum %312, %314 : (tensor<1x128x768xf32>, tensor<1x1x1xf32>) -> tensor<1x128x768xf32>
    %316 = tensor.empty() : tensor<1x128x768xi8>
    %317 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%315 : tensor<1x128x768xf32>) outs(%316 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %450 = arith.fptosi %in : f32 to i32
      %451 = arith.trunci %450 : i32 to i8
      linalg.yield %451 : i8
    } -> tensor<1x128x768xi8>
    %318 = "tosa.const"() <{values = dense<0.0239683706> : tensor<f32>}> : () -> tensor<f32>
    %319 = tensor.empty() : tensor<1x128x768xi16>
    %320 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%317 : tensor<1x128x768xi8>) outs(%319 : tensor<1x128x768xi16>) {
    ^bb0(%in: i8, %out: i16):
      %450 = arith.extui %in : i8 to i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %321 = tensor.empty() : tensor<1x128x768xi16>
    %322 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%320 : tensor<1x128x768xi16>) outs(%321 : tensor<1x128x768xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %450 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %450 : i16
    } -> tensor<1x128x768xi16>
    %323 = tosa.cast %322 : (tensor<1x128x768xi16>) -> tensor<1x128x768xi8>
    %324 = tosa.const_shape  {values = dense<[3072, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %325 = tosa.reshape %arg29, %324 : (tensor<3072xf32>, !tosa.shape<2>) -> tensor<3072x1xf32>
    %326 = tosa.transpose %arg28 {perms = array<i32: 1, 0>} : (tensor<3072x768xi8>) -> tensor<768x3072xi8>
    %327 = tosa.transpose %325 {perms = array<i32: 1, 0>} : (tensor<3072x1xf32>) -> tensor<1x3072xf32>
    %328 = tosa.const_shape  {values = dense<[128, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %329 = tosa.reshape %323, %328 : (tensor<1x128x768xi8>, !tosa.shape<2>) -> tensor<128x768xi8>
    %c0_i32_20 = arith.constant 0 : i32
    %330 = tensor.empty() : tensor<128x3072xi32>
    %331 = linalg.fill ins(%c0_i32_20 : i32) outs(%330 : tensor<128x3072xi32>) -> tensor<128x3072xi32>
    %332 = linalg.matmul ins(%329, %326 : tensor<128x768xi8>, tensor<768x3072xi8>) outs(%331 : tensor<128x3072xi32>) -> tensor<128x3072xi32>
    %c0_i32_21 = arith.constant 0 : i32
    %333 = tensor.empty() : tensor<3072xi32>
    %334 = linalg.fill ins(%c0_i32_21 : i32) outs(%333 : tensor<3072xi32>) -> tensor<3072xi32>
    %335 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg28 : tensor<3072x768xi8>) outs(%334 : tensor<3072xi32>) {
    ^bb0(%in: i8, %out: i32):
      %450 = arith.extsi %in : i8 to i32
      %451 = arith.addi %out, %450 : i32
      linalg.yield %451 : i32
    } -> tensor<3072xi32>
    %expanded_22 = tensor.expand_shape %335 [[0, 1]] output_shape [3072, 1] : tensor<3072xi32> into tensor<3072x1xi32>
    %336 = tosa.const_shape  {values = dense<[1, 3072]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %337 = tosa.reshape %expanded_22, %336 : (tensor<3072x1xi32>, !tosa.shape<2>) -> tensor<1x3072xi32>
    %338 = "tosa.const"() <{values = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %339 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %340 = tosa.reshape %338, %339 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %341 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %342 = tosa.mul %340, %337, %341 : (tensor<1x1xi32>, tensor<1x3072xi32>, tensor<1xi8>) -> tensor<1x3072xi32>
    %343 = tosa.sub %332, %342 : (tensor<128x3072xi32>, tensor<1x3072xi32>) -> tensor<128x3072xi32>
    %344 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %345 = tosa.reshape %318, %344 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %346 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %347 = tosa.mul %345, %327, %346 : (tensor<1x1xf32>, tensor<1x3072xf32>, tensor<1xi8>) -> tensor<1x3072xf32>
    %348 = tosa.cast %343 : (tensor<128x3072xi32>) -> tensor<128x3072xf32>
    %349 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %350 = tosa.mul %348, %347, %349 : (tensor<128x3072xf32>, tensor<1x3072xf32>, tensor<1xi8>) -> tensor<128x3072xf32>
    %351 = tosa.const_shape  {values = dense<[1, 3072]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %352 = tosa.reshape %arg9, %351 : (tensor<3072xf32>, !tosa.shape<2>) -> tensor<1x3072xf32>
    %353 = tosa.add %350, %352 : (tensor<128x3072xf32>, tensor<1x3072xf32>) -> tensor<128x3072xf32>
    %354 = tosa.const_shape  {values = dense<[1, 128, 3072]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %355 = tosa.reshape %353, %354 : (tensor<128x3072xf32>, !tosa.shape<3>) -> tensor<1x128x3072xf32>
    %356 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %357 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %358 = tosa.mul %355, %356, %357 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x3072xf32>
    %359 = "tosa.const"() <{values = dense<0.707106769> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %360 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %361 = tosa.mul %355, %359, %360 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x3072xf32>
    %362 = tosa.erf %361 : (tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %363 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %364 = tosa.add %362, %363 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>) -> tensor<1x128x3072xf32>
    %365 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %366 = tosa.mul %358, %364, %365 : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>, tensor<1xi8>) -> tensor<1x128x3072xf32>
    %cst_23 = arith.constant dense<0.0103150162042356> : tensor<f64>
    %367 = tensor.empty() : tensor<f64>
    %368 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_23 : tensor<f64>) outs(%367 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_27 = arith.constant 1.000000e+00 : f64
      %450 = arith.divf %cst_27, %in : f64
      linalg.yield %450 : f64
    } -> tensor<f64>
    %369 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %370 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %371 = "tosa.const"() <{values = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %372 = tensor.empty() : tensor<f32>
    %373 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%368 : tensor<f64>) outs(%372 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %450 = arith.truncf %in : f64 to f32
      linalg.yield %450 : f32
    } -> tensor<f32>
    %374 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %375 = tosa.reshape %373, %374 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %376 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %377 = tosa.mul %366, %375, %376 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x3072xf32>
    %378 = math.roundeven %377 : tensor<1x128x3072xf32>
    %379 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %380 = tosa.reshape %371, %379 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %381 = tosa.add %378, %380 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>) -> tensor<1x128x3072xf32>
    %382 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %383 = tosa.reshape %370, %382 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %384 = tosa.maximum %381, %383 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>) -> tensor<1x128x3072xf32>
    %385 = tosa.const_shape  {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
    %386 = tosa.reshape %369, %385 : (tensor<f32>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %387 = tosa.minimum %384, %386 : (tensor<1x128x3072xf32>, tensor<1x1x1xf32>) -> tensor<1x128x3072xf32>
    %388 = tensor.empty() : tensor<1x128x3072xi8>
    %389 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%387 : tensor<1x128x3072xf32>) outs(%388 : tensor<1x128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %450 = arith.fptosi %in : f32 to i32
      %451 = arith.trunci %450 : i32 to i8
      linalg.yield %451 : i8
    } -> tensor<1x128x3072xi8>
    %390 = "tosa.const"() <{values = dense<0.0103150159> : tensor<f32>}> : () -> tensor<f32>
    %391 = tensor.empty() : tensor<1x128x3072xi16>
    %392 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%389 : tensor<1x128x3072xi8>) outs(%391 : tensor<1x128x3072xi16>) {
    ^bb0(%in: i8, %out: i16):
      %450 = arith.extui %in : i8 to i16
      linalg.yield %450 : i16
    } -> tensor<1x128x3072xi16>
    %393 = tensor.empty() : tensor<1x128x3072xi16>
    %394 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%392 : tensor<1x128x3072xi16>) outs(%393 : tensor<1x128x3072xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %450 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %450 : i16
    } -> tensor<1x128x3072xi16>
    %395 = tosa.cast %394 : (tensor<1x128x3072xi16>) -> tensor<1x128x3072xi8>
    %396 = tosa.const_shape  {values = dense<[768, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %397 = tosa.reshape %arg32, %396 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<768x1xf32>
    %398 = tosa.transpose %arg31 {perms = array<i32: 1, 0>} : (tensor<768x3072xi8>) -> tensor<3072x768xi8>
    %399 = tosa.transpose %397 {perms = array<i32: 1, 0>} : (tensor<768x1xf32>) -> tensor<1x768xf32>
    %400 = tosa.const_shape  {values = dense<[128, 3072]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %401 = tosa.reshape %395, %400 : (tensor<1x128x3072xi8>, !tosa.shape<2>) -> tensor<128x3072xi8>
    %c0_i32_24 = arith.constant 0 : i32
    %402 = tensor.empty() : tensor<128x768xi32>
    %403 = linalg.fill ins(%c0_i32_24 : i32) outs(%402 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %404 = linalg.matmul ins(%401, %398 : tensor<128x3072xi8>, tensor<3072x768xi8>) outs(%403 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %c0_i32_25 = arith.constant 0 : i32
    %405 = tensor.empty() : tensor<768xi32>
    %406 = linalg.fill ins(%c0_i32_25 : i32) outs(%405 : tensor<768xi32>) -> tensor<768xi32>
    %407 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg31 : tensor<768x3072xi8>) outs(%406 : tensor<768xi32>) {
    ^bb0(%in: i8, %out: i32):
      %450 = arith.extsi %in : i8 to i32
      %451 = arith.addi %out, %450 : i32
      linalg.yield %451 : i32
    } -> tensor<768xi32>
    %expanded_26 = tensor.expand_shape %407 [[0, 1]] output_shape [768, 1] : tensor<768xi32> into tensor<768x1xi32>
    %408 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %409 = tosa.reshape %expanded_26, %408 : (tensor<768x1xi32>, !tosa.shape<2>) -> tensor<1x768xi32>
    %410 = "tosa.const"() <{values = dense<-112> : tensor<i32>}> : () -> tensor<i32>
    %411 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %412 = tosa.reshape %410, %411 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %413 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %414 = tosa.mul %412, %409, %413 : (tensor<1x1xi32>, tensor<1x768xi32>, tensor<1xi8>) -> tensor<1x768xi32>
    %415 = tosa.sub %404, %414 : (tensor<128x768xi32>, tensor<1x768xi32>) -> tensor<128x768xi32>
    %416 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %417 = tosa.reshape %390, %416 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %418 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %419 = tosa.mul %417, %399, %418 : (tensor<1x1xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<1x768xf32>
    %420 = tosa.cast %415 : (tensor<128x768xi32>) -> tensor<128x768xf32>
    %421 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %422 = tosa.mul %420, %419, %421 : (tensor<128x768xf32>, tensor<1x768xf32>, tensor<1xi8>) -> tensor<128x768xf32>
    %423 = tosa.const_shape  {values = dense<[1, 768]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %424 = tosa.reshape %arg11, %423 : (tensor<768xf32>, !tosa.shape<2>) -> tensor<1x768xf32>
    %425 = tosa.add %422, %424 : (tensor<128x768xf32>, tensor<1x768xf32>) -> tensor<128x768xf32>
    %426 = tosa.const_shape  {values = dense<[1, 128, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %427 = tosa.reshape %425, %426 : (tensor<128x768xf32>, !tosa.shape<3>) -> tensor<1x128x768xf32>
    %428 = tosa.add %294, %427 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %429 = tosa.reduce_sum %428 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %430 = tensor.empty() : tensor<1x128x1xf32>
    %431 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%429 : tensor<1x128x1xf32>) outs(%430 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_27 = arith.constant 7.680000e+02 : f32
      %450 = arith.divf %in, %cst_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x128x1xf32>
    %432 = tosa.sub %428, %431 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %433 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %434 = tosa.mul %432, %432, %433 : (tensor<1x128x768xf32>, tensor<1x128x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %435 = tosa.reduce_sum %434 {axis = 2 : i32} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %436 = tensor.empty() : tensor<1x128x1xf32>
    %437 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%435 : tensor<1x128x1xf32>) outs(%436 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_27 = arith.constant 7.680000e+02 : f32
      %450 = arith.divf %in, %cst_27 : f32
      linalg.yield %450 : f32
    } -> tensor<1x128x1xf32>
    %438 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %439 = tosa.add %437, %438 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %440 = tosa.rsqrt %439 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %441 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %442 = tosa.mul %432, %440, %441 : (tensor<1x128x768xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %443 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %444 = tosa.reshape %arg14, %443 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %445 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %446 = tosa.mul %442, %444, %445 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>, tensor<1xi8>) -> tensor<1x128x768xf32>
    %447 = tosa.const_shape  {values = dense<[1, 1, 768]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %448 = tosa.reshape %arg15, %447 : (tensor<768xf32>, !tosa.shape<3>) -> tensor<1x1x768xf32>
    %449 = tosa.add %446, %448 : (tensor<1x128x768xf32>, tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    return %449 : tensor<1x128x768xf32>
  }
}

