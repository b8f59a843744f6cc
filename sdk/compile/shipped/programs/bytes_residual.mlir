#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
module {
  func.func @forward(%arg0: tensor<64x3x7x7xf32> {buddy.weight}, %arg1: tensor<64xf32> {buddy.weight}, %arg2: tensor<64x64x3x3xf32> {buddy.weight}, %arg3: tensor<64xf32> {buddy.weight}, %arg4: tensor<64x64x3x3xf32> {buddy.weight}, %arg5: tensor<64xf32> {buddy.weight}, %arg6: tensor<128x64x3x3xf32> {buddy.weight}, %arg7: tensor<128xf32> {buddy.weight}, %arg8: tensor<128x128x3x3xf32> {buddy.weight}, %arg9: tensor<128xf32> {buddy.weight}, %arg10: tensor<128x64x1x1xf32> {buddy.weight}, %arg11: tensor<128xf32> {buddy.weight}, %arg12: tensor<256x128x3x3xf32> {buddy.weight}, %arg13: tensor<256xf32> {buddy.weight}, %arg14: tensor<256x256x3x3xf32> {buddy.weight}, %arg15: tensor<256xf32> {buddy.weight}, %arg16: tensor<256x128x1x1xf32> {buddy.weight}, %arg17: tensor<256xf32> {buddy.weight}, %arg18: tensor<1000x256xf32> {buddy.weight}, %arg19: tensor<1000xf32> {buddy.weight}, %arg20: tensor<64x3x7x7xi8> {buddy.weight}, %arg21: tensor<64xf32> {buddy.weight}, %arg22: tensor<64xi64> {buddy.weight}, %arg23: tensor<64x64x3x3xi8> {buddy.weight}, %arg24: tensor<64xf32> {buddy.weight}, %arg25: tensor<64xi64> {buddy.weight}, %arg26: tensor<64x64x3x3xi8> {buddy.weight}, %arg27: tensor<64xf32> {buddy.weight}, %arg28: tensor<64xi64> {buddy.weight}, %arg29: tensor<128x64x3x3xi8> {buddy.weight}, %arg30: tensor<128xf32> {buddy.weight}, %arg31: tensor<128xi64> {buddy.weight}, %arg32: tensor<128x128x3x3xi8> {buddy.weight}, %arg33: tensor<128xf32> {buddy.weight}, %arg34: tensor<128xi64> {buddy.weight}, %arg35: tensor<128x64x1x1xi8> {buddy.weight}, %arg36: tensor<128xf32> {buddy.weight}, %arg37: tensor<128xi64> {buddy.weight}, %arg38: tensor<256x128x3x3xi8> {buddy.weight}, %arg39: tensor<256xf32> {buddy.weight}, %arg40: tensor<256xi64> {buddy.weight}, %arg41: tensor<256x256x3x3xi8> {buddy.weight}, %arg42: tensor<256xf32> {buddy.weight}, %arg43: tensor<256xi64> {buddy.weight}, %arg44: tensor<256x128x1x1xi8> {buddy.weight}, %arg45: tensor<256xf32> {buddy.weight}, %arg46: tensor<256xi64> {buddy.weight}, %arg47: tensor<1000x256xi8> {buddy.weight}, %arg48: tensor<1000xf32> {buddy.weight}, %arg49: tensor<1000xi64> {buddy.weight}, %arg50: tensor<1x3x224x224xf32>) -> tensor<1x1000xf32> {
    %cst = arith.constant dense<0.003921554836572385> : tensor<f64>
    %0 = tensor.empty() : tensor<f64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst : tensor<f64>) outs(%0 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %2 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = tensor.empty() : tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f64>) outs(%5 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %7 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %8 = tosa.reshape %6, %7 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = tosa.mul %arg50, %8, %9 : (tensor<1x3x224x224xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x224x224xf32>
    %11 = math.roundeven %10 : tensor<1x3x224x224xf32>
    %12 = tensor.empty() : tensor<1x3x224x224xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %4 : tensor<1x3x224x224xf32>, tensor<f32>) outs(%12 : tensor<1x3x224x224xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x3x224x224xf32>
    %14 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %15 = tosa.reshape %3, %14 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %16 = tosa.maximum %13, %15 : (tensor<1x3x224x224xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x224x224xf32>
    %17 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %18 = tosa.reshape %2, %17 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %19 = tosa.minimum %16, %18 : (tensor<1x3x224x224xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x224x224xf32>
    %20 = tensor.empty() : tensor<1x3x224x224xi8>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x3x224x224xf32>) outs(%20 : tensor<1x3x224x224xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x3x224x224xi8>
    %22 = "tosa.const"() <{values = dense<0.00392155489> : tensor<f32>}> : () -> tensor<f32>
    %23 = tensor.empty() : tensor<1x3x224x224xi16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x3x224x224xi8>) outs(%23 : tensor<1x3x224x224xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x3x224x224xi16>
    %25 = tensor.empty() : tensor<1x3x224x224xi16>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x3x224x224xi16>) outs(%25 : tensor<1x3x224x224xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x3x224x224xi16>
    %27 = tosa.cast %26 : (tensor<1x3x224x224xi16>) -> tensor<1x3x224x224xi8>
    %28 = tosa.const_shape  {values = dense<[64, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %29 = tosa.reshape %arg21, %28 : (tensor<64xf32>, !tosa.shape<4>) -> tensor<64x1x1x1xf32>
    %c-128_i8 = arith.constant -128 : i8
    %padded = tensor.pad %27 low[0, 0, 3, 3] high[0, 0, 3, 3] {
    ^bb0(%arg51: index, %arg52: index, %arg53: index, %arg54: index):
      tensor.yield %c-128_i8 : i8
    } : tensor<1x3x224x224xi8> to tensor<1x3x230x230xi8>
    %c0_i8 = arith.constant 0 : i8
    %c0_i32 = arith.constant 0 : i32
    %30 = tensor.empty() : tensor<1x64x112x112xi32>
    %31 = linalg.fill ins(%c0_i32 : i32) outs(%30 : tensor<1x64x112x112xi32>) -> tensor<1x64x112x112xi32>
    %32 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg20 : tensor<1x3x230x230xi8>, tensor<64x3x7x7xi8>) outs(%31 : tensor<1x64x112x112xi32>) -> tensor<1x64x112x112xi32>
    %33 = tosa.const_shape  {values = dense<[64, 147]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %34 = tosa.reshape %arg20, %33 : (tensor<64x3x7x7xi8>, !tosa.shape<2>) -> tensor<64x147xi8>
    %c0_i32_0 = arith.constant 0 : i32
    %35 = tensor.empty() : tensor<64xi32>
    %36 = linalg.fill ins(%c0_i32_0 : i32) outs(%35 : tensor<64xi32>) -> tensor<64xi32>
    %37 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%34 : tensor<64x147xi8>) outs(%36 : tensor<64xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<64xi32>
    %expanded = tensor.expand_shape %37 [[0, 1]] output_shape [64, 1] : tensor<64xi32> into tensor<64x1xi32>
    %38 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %39 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %40 = tosa.reshape %38, %39 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %42 = tosa.mul %40, %expanded, %41 : (tensor<1x1xi32>, tensor<64x1xi32>, tensor<1xi8>) -> tensor<64x1xi32>
    %43 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %44 = tosa.reshape %42, %43 : (tensor<64x1xi32>, !tosa.shape<3>) -> tensor<64x1x1xi32>
    %45 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %46 = tosa.reshape %44, %45 : (tensor<64x1x1xi32>, !tosa.shape<4>) -> tensor<1x64x1x1xi32>
    %47 = tosa.sub %32, %46 : (tensor<1x64x112x112xi32>, tensor<1x64x1x1xi32>) -> tensor<1x64x112x112xi32>
    %48 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %49 = tosa.reshape %22, %48 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %50 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %51 = tosa.mul %49, %29, %50 : (tensor<1x1x1x1xf32>, tensor<64x1x1x1xf32>, tensor<1xi8>) -> tensor<64x1x1x1xf32>
    %52 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %53 = tosa.reshape %51, %52 : (tensor<64x1x1x1xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %54 = tosa.cast %47 : (tensor<1x64x112x112xi32>) -> tensor<1x64x112x112xf32>
    %55 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %56 = tosa.reshape %53, %55 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = tosa.mul %54, %56, %57 : (tensor<1x64x112x112xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x112x112xf32>
    %59 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %60 = tosa.reshape %arg1, %59 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %61 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %62 = tosa.reshape %60, %61 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %63 = tosa.add %58, %62 : (tensor<1x64x112x112xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x112x112xf32>
    %64 = tosa.clamp %63 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
    %65 = tosa.transpose %64 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x64x112x112xf32>) -> tensor<1x112x112x64xf32>
    %66 = tosa.max_pool2d %65 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32>
    %67 = tosa.transpose %66 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x56x56x64xf32>) -> tensor<1x64x56x56xf32>
    %cst_1 = arith.constant dense<0.0055524826049804686> : tensor<f64>
    %68 = tensor.empty() : tensor<f64>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_1 : tensor<f64>) outs(%68 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %70 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %71 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %72 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = tensor.empty() : tensor<f32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%69 : tensor<f64>) outs(%73 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %75 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %76 = tosa.reshape %74, %75 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %77 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %78 = tosa.mul %67, %76, %77 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %79 = math.roundeven %78 : tensor<1x64x56x56xf32>
    %80 = tensor.empty() : tensor<1x64x56x56xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %72 : tensor<1x64x56x56xf32>, tensor<f32>) outs(%80 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x64x56x56xf32>
    %82 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %83 = tosa.reshape %71, %82 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %84 = tosa.maximum %81, %83 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %85 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %86 = tosa.reshape %70, %85 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %87 = tosa.minimum %84, %86 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %88 = tensor.empty() : tensor<1x64x56x56xi8>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<1x64x56x56xf32>) outs(%88 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x64x56x56xi8>
    %90 = "tosa.const"() <{values = dense<0.00555248279> : tensor<f32>}> : () -> tensor<f32>
    %91 = tensor.empty() : tensor<1x64x56x56xi16>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<1x64x56x56xi8>) outs(%91 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %93 = tensor.empty() : tensor<1x64x56x56xi16>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92 : tensor<1x64x56x56xi16>) outs(%93 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %95 = tosa.cast %94 : (tensor<1x64x56x56xi16>) -> tensor<1x64x56x56xi8>
    %96 = tosa.const_shape  {values = dense<[64, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %97 = tosa.reshape %arg24, %96 : (tensor<64xf32>, !tosa.shape<4>) -> tensor<64x1x1x1xf32>
    %c-128_i8_2 = arith.constant -128 : i8
    %padded_3 = tensor.pad %95 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg51: index, %arg52: index, %arg53: index, %arg54: index):
      tensor.yield %c-128_i8_2 : i8
    } : tensor<1x64x56x56xi8> to tensor<1x64x58x58xi8>
    %c0_i8_4 = arith.constant 0 : i8
    %c0_i32_5 = arith.constant 0 : i32
    %98 = tensor.empty() : tensor<1x64x56x56xi32>
    %99 = linalg.fill ins(%c0_i32_5 : i32) outs(%98 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %100 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_3, %arg23 : tensor<1x64x58x58xi8>, tensor<64x64x3x3xi8>) outs(%99 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %101 = tosa.const_shape  {values = dense<[64, 576]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %102 = tosa.reshape %arg23, %101 : (tensor<64x64x3x3xi8>, !tosa.shape<2>) -> tensor<64x576xi8>
    %c0_i32_6 = arith.constant 0 : i32
    %103 = tensor.empty() : tensor<64xi32>
    %104 = linalg.fill ins(%c0_i32_6 : i32) outs(%103 : tensor<64xi32>) -> tensor<64xi32>
    %105 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%102 : tensor<64x576xi8>) outs(%104 : tensor<64xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<64xi32>
    %expanded_7 = tensor.expand_shape %105 [[0, 1]] output_shape [64, 1] : tensor<64xi32> into tensor<64x1xi32>
    %106 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %107 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %108 = tosa.reshape %106, %107 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %109 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %110 = tosa.mul %108, %expanded_7, %109 : (tensor<1x1xi32>, tensor<64x1xi32>, tensor<1xi8>) -> tensor<64x1xi32>
    %111 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %112 = tosa.reshape %110, %111 : (tensor<64x1xi32>, !tosa.shape<3>) -> tensor<64x1x1xi32>
    %113 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %114 = tosa.reshape %112, %113 : (tensor<64x1x1xi32>, !tosa.shape<4>) -> tensor<1x64x1x1xi32>
    %115 = tosa.sub %100, %114 : (tensor<1x64x56x56xi32>, tensor<1x64x1x1xi32>) -> tensor<1x64x56x56xi32>
    %116 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %117 = tosa.reshape %90, %116 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %118 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %119 = tosa.mul %117, %97, %118 : (tensor<1x1x1x1xf32>, tensor<64x1x1x1xf32>, tensor<1xi8>) -> tensor<64x1x1x1xf32>
    %120 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %121 = tosa.reshape %119, %120 : (tensor<64x1x1x1xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %122 = tosa.cast %115 : (tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xf32>
    %123 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %124 = tosa.reshape %121, %123 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %125 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %126 = tosa.mul %122, %124, %125 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %127 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %128 = tosa.reshape %arg3, %127 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %129 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %130 = tosa.reshape %128, %129 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %131 = tosa.add %126, %130 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x56x56xf32>
    %132 = tosa.clamp %131 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %cst_8 = arith.constant dense<0.0030742149727017274> : tensor<f64>
    %133 = tensor.empty() : tensor<f64>
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_8 : tensor<f64>) outs(%133 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %135 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %136 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %137 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %138 = tensor.empty() : tensor<f32>
    %139 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%134 : tensor<f64>) outs(%138 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %140 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %141 = tosa.reshape %139, %140 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %142 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %143 = tosa.mul %132, %141, %142 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %144 = math.roundeven %143 : tensor<1x64x56x56xf32>
    %145 = tensor.empty() : tensor<1x64x56x56xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %137 : tensor<1x64x56x56xf32>, tensor<f32>) outs(%145 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x64x56x56xf32>
    %147 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %148 = tosa.reshape %136, %147 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %149 = tosa.maximum %146, %148 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %150 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %151 = tosa.reshape %135, %150 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %152 = tosa.minimum %149, %151 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %153 = tensor.empty() : tensor<1x64x56x56xi8>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152 : tensor<1x64x56x56xf32>) outs(%153 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x64x56x56xi8>
    %155 = "tosa.const"() <{values = dense<0.00307421503> : tensor<f32>}> : () -> tensor<f32>
    %156 = tensor.empty() : tensor<1x64x56x56xi16>
    %157 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154 : tensor<1x64x56x56xi8>) outs(%156 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %158 = tensor.empty() : tensor<1x64x56x56xi16>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%157 : tensor<1x64x56x56xi16>) outs(%158 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %160 = tosa.cast %159 : (tensor<1x64x56x56xi16>) -> tensor<1x64x56x56xi8>
    %161 = tosa.const_shape  {values = dense<[64, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %162 = tosa.reshape %arg27, %161 : (tensor<64xf32>, !tosa.shape<4>) -> tensor<64x1x1x1xf32>
    %c-128_i8_9 = arith.constant -128 : i8
    %padded_10 = tensor.pad %160 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg51: index, %arg52: index, %arg53: index, %arg54: index):
      tensor.yield %c-128_i8_9 : i8
    } : tensor<1x64x56x56xi8> to tensor<1x64x58x58xi8>
    %c0_i8_11 = arith.constant 0 : i8
    %c0_i32_12 = arith.constant 0 : i32
    %163 = tensor.empty() : tensor<1x64x56x56xi32>
    %164 = linalg.fill ins(%c0_i32_12 : i32) outs(%163 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %165 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_10, %arg26 : tensor<1x64x58x58xi8>, tensor<64x64x3x3xi8>) outs(%164 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %166 = tosa.const_shape  {values = dense<[64, 576]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %167 = tosa.reshape %arg26, %166 : (tensor<64x64x3x3xi8>, !tosa.shape<2>) -> tensor<64x576xi8>
    %c0_i32_13 = arith.constant 0 : i32
    %168 = tensor.empty() : tensor<64xi32>
    %169 = linalg.fill ins(%c0_i32_13 : i32) outs(%168 : tensor<64xi32>) -> tensor<64xi32>
    %170 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%167 : tensor<64x576xi8>) outs(%169 : tensor<64xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<64xi32>
    %expanded_14 = tensor.expand_shape %170 [[0, 1]] output_shape [64, 1] : tensor<64xi32> into tensor<64x1xi32>
    %171 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %172 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %173 = tosa.reshape %171, %172 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %174 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %175 = tosa.mul %173, %expanded_14, %174 : (tensor<1x1xi32>, tensor<64x1xi32>, tensor<1xi8>) -> tensor<64x1xi32>
    %176 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %177 = tosa.reshape %175, %176 : (tensor<64x1xi32>, !tosa.shape<3>) -> tensor<64x1x1xi32>
    %178 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %179 = tosa.reshape %177, %178 : (tensor<64x1x1xi32>, !tosa.shape<4>) -> tensor<1x64x1x1xi32>
    %180 = tosa.sub %165, %179 : (tensor<1x64x56x56xi32>, tensor<1x64x1x1xi32>) -> tensor<1x64x56x56xi32>
    %181 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %182 = tosa.reshape %155, %181 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %183 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %184 = tosa.mul %182, %162, %183 : (tensor<1x1x1x1xf32>, tensor<64x1x1x1xf32>, tensor<1xi8>) -> tensor<64x1x1x1xf32>
    %185 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %186 = tosa.reshape %184, %185 : (tensor<64x1x1x1xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %187 = tosa.cast %180 : (tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xf32>
    %188 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %189 = tosa.reshape %186, %188 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %190 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %191 = tosa.mul %187, %189, %190 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %192 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %193 = tosa.reshape %arg5, %192 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %194 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %195 = tosa.reshape %193, %194 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %196 = tosa.add %191, %195 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x56x56xf32>
    %197 = tosa.add %196, %67 : (tensor<1x64x56x56xf32>, tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %198 = tosa.clamp %197 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %cst_15 = arith.constant dense<0.0054056967006010171> : tensor<f64>
    %199 = tensor.empty() : tensor<f64>
    %200 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_15 : tensor<f64>) outs(%199 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %201 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %202 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %203 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %204 = tensor.empty() : tensor<f32>
    %205 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%200 : tensor<f64>) outs(%204 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %206 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %207 = tosa.reshape %205, %206 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %208 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %209 = tosa.mul %198, %207, %208 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %210 = math.roundeven %209 : tensor<1x64x56x56xf32>
    %211 = tensor.empty() : tensor<1x64x56x56xf32>
    %212 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%210, %203 : tensor<1x64x56x56xf32>, tensor<f32>) outs(%211 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x64x56x56xf32>
    %213 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %214 = tosa.reshape %202, %213 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %215 = tosa.maximum %212, %214 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %216 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %217 = tosa.reshape %201, %216 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %218 = tosa.minimum %215, %217 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %219 = tensor.empty() : tensor<1x64x56x56xi8>
    %220 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%218 : tensor<1x64x56x56xf32>) outs(%219 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x64x56x56xi8>
    %221 = "tosa.const"() <{values = dense<0.00540569657> : tensor<f32>}> : () -> tensor<f32>
    %222 = tensor.empty() : tensor<1x64x56x56xi16>
    %223 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%220 : tensor<1x64x56x56xi8>) outs(%222 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %224 = tensor.empty() : tensor<1x64x56x56xi16>
    %225 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%223 : tensor<1x64x56x56xi16>) outs(%224 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %226 = tosa.cast %225 : (tensor<1x64x56x56xi16>) -> tensor<1x64x56x56xi8>
    %227 = tosa.const_shape  {values = dense<[128, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %228 = tosa.reshape %arg30, %227 : (tensor<128xf32>, !tosa.shape<4>) -> tensor<128x1x1x1xf32>
    %c-128_i8_16 = arith.constant -128 : i8
    %padded_17 = tensor.pad %226 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg51: index, %arg52: index, %arg53: index, %arg54: index):
      tensor.yield %c-128_i8_16 : i8
    } : tensor<1x64x56x56xi8> to tensor<1x64x58x58xi8>
    %c0_i8_18 = arith.constant 0 : i8
    %c0_i32_19 = arith.constant 0 : i32
    %229 = tensor.empty() : tensor<1x128x28x28xi32>
    %230 = linalg.fill ins(%c0_i32_19 : i32) outs(%229 : tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xi32>
    %231 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_17, %arg29 : tensor<1x64x58x58xi8>, tensor<128x64x3x3xi8>) outs(%230 : tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xi32>
    %232 = tosa.const_shape  {values = dense<[128, 576]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %233 = tosa.reshape %arg29, %232 : (tensor<128x64x3x3xi8>, !tosa.shape<2>) -> tensor<128x576xi8>
    %c0_i32_20 = arith.constant 0 : i32
    %234 = tensor.empty() : tensor<128xi32>
    %235 = linalg.fill ins(%c0_i32_20 : i32) outs(%234 : tensor<128xi32>) -> tensor<128xi32>
    %236 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%233 : tensor<128x576xi8>) outs(%235 : tensor<128xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<128xi32>
    %expanded_21 = tensor.expand_shape %236 [[0, 1]] output_shape [128, 1] : tensor<128xi32> into tensor<128x1xi32>
    %237 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %238 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %239 = tosa.reshape %237, %238 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %240 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %241 = tosa.mul %239, %expanded_21, %240 : (tensor<1x1xi32>, tensor<128x1xi32>, tensor<1xi8>) -> tensor<128x1xi32>
    %242 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %243 = tosa.reshape %241, %242 : (tensor<128x1xi32>, !tosa.shape<3>) -> tensor<128x1x1xi32>
    %244 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %245 = tosa.reshape %243, %244 : (tensor<128x1x1xi32>, !tosa.shape<4>) -> tensor<1x128x1x1xi32>
    %246 = tosa.sub %231, %245 : (tensor<1x128x28x28xi32>, tensor<1x128x1x1xi32>) -> tensor<1x128x28x28xi32>
    %247 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %248 = tosa.reshape %221, %247 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %249 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %250 = tosa.mul %248, %228, %249 : (tensor<1x1x1x1xf32>, tensor<128x1x1x1xf32>, tensor<1xi8>) -> tensor<128x1x1x1xf32>
    %251 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %252 = tosa.reshape %250, %251 : (tensor<128x1x1x1xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %253 = tosa.cast %246 : (tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xf32>
    %254 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %255 = tosa.reshape %252, %254 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %256 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %257 = tosa.mul %253, %255, %256 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %258 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %259 = tosa.reshape %arg7, %258 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %260 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %261 = tosa.reshape %259, %260 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %262 = tosa.add %257, %261 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %263 = tosa.clamp %262 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %cst_22 = arith.constant dense<0.0031919460670620787> : tensor<f64>
    %264 = tensor.empty() : tensor<f64>
    %265 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_22 : tensor<f64>) outs(%264 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %266 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %267 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %268 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %269 = tensor.empty() : tensor<f32>
    %270 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%265 : tensor<f64>) outs(%269 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %271 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %272 = tosa.reshape %270, %271 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %273 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %274 = tosa.mul %263, %272, %273 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %275 = math.roundeven %274 : tensor<1x128x28x28xf32>
    %276 = tensor.empty() : tensor<1x128x28x28xf32>
    %277 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%275, %268 : tensor<1x128x28x28xf32>, tensor<f32>) outs(%276 : tensor<1x128x28x28xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x128x28x28xf32>
    %278 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %279 = tosa.reshape %267, %278 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %280 = tosa.maximum %277, %279 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>) -> tensor<1x128x28x28xf32>
    %281 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %282 = tosa.reshape %266, %281 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %283 = tosa.minimum %280, %282 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>) -> tensor<1x128x28x28xf32>
    %284 = tensor.empty() : tensor<1x128x28x28xi8>
    %285 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%283 : tensor<1x128x28x28xf32>) outs(%284 : tensor<1x128x28x28xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x128x28x28xi8>
    %286 = "tosa.const"() <{values = dense<0.00319194607> : tensor<f32>}> : () -> tensor<f32>
    %287 = tensor.empty() : tensor<1x128x28x28xi16>
    %288 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%285 : tensor<1x128x28x28xi8>) outs(%287 : tensor<1x128x28x28xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x128x28x28xi16>
    %289 = tensor.empty() : tensor<1x128x28x28xi16>
    %290 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%288 : tensor<1x128x28x28xi16>) outs(%289 : tensor<1x128x28x28xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x128x28x28xi16>
    %291 = tosa.cast %290 : (tensor<1x128x28x28xi16>) -> tensor<1x128x28x28xi8>
    %292 = tosa.const_shape  {values = dense<[128, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %293 = tosa.reshape %arg33, %292 : (tensor<128xf32>, !tosa.shape<4>) -> tensor<128x1x1x1xf32>
    %c-128_i8_23 = arith.constant -128 : i8
    %padded_24 = tensor.pad %291 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg51: index, %arg52: index, %arg53: index, %arg54: index):
      tensor.yield %c-128_i8_23 : i8
    } : tensor<1x128x28x28xi8> to tensor<1x128x30x30xi8>
    %c0_i8_25 = arith.constant 0 : i8
    %c0_i32_26 = arith.constant 0 : i32
    %294 = tensor.empty() : tensor<1x128x28x28xi32>
    %295 = linalg.fill ins(%c0_i32_26 : i32) outs(%294 : tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xi32>
    %296 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_24, %arg32 : tensor<1x128x30x30xi8>, tensor<128x128x3x3xi8>) outs(%295 : tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xi32>
    %297 = tosa.const_shape  {values = dense<[128, 1152]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %298 = tosa.reshape %arg32, %297 : (tensor<128x128x3x3xi8>, !tosa.shape<2>) -> tensor<128x1152xi8>
    %c0_i32_27 = arith.constant 0 : i32
    %299 = tensor.empty() : tensor<128xi32>
    %300 = linalg.fill ins(%c0_i32_27 : i32) outs(%299 : tensor<128xi32>) -> tensor<128xi32>
    %301 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%298 : tensor<128x1152xi8>) outs(%300 : tensor<128xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<128xi32>
    %expanded_28 = tensor.expand_shape %301 [[0, 1]] output_shape [128, 1] : tensor<128xi32> into tensor<128x1xi32>
    %302 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %303 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %304 = tosa.reshape %302, %303 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %305 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %306 = tosa.mul %304, %expanded_28, %305 : (tensor<1x1xi32>, tensor<128x1xi32>, tensor<1xi8>) -> tensor<128x1xi32>
    %307 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %308 = tosa.reshape %306, %307 : (tensor<128x1xi32>, !tosa.shape<3>) -> tensor<128x1x1xi32>
    %309 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %310 = tosa.reshape %308, %309 : (tensor<128x1x1xi32>, !tosa.shape<4>) -> tensor<1x128x1x1xi32>
    %311 = tosa.sub %296, %310 : (tensor<1x128x28x28xi32>, tensor<1x128x1x1xi32>) -> tensor<1x128x28x28xi32>
    %312 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %313 = tosa.reshape %286, %312 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %314 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %315 = tosa.mul %313, %293, %314 : (tensor<1x1x1x1xf32>, tensor<128x1x1x1xf32>, tensor<1xi8>) -> tensor<128x1x1x1xf32>
    %316 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %317 = tosa.reshape %315, %316 : (tensor<128x1x1x1xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %318 = tosa.cast %311 : (tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xf32>
    %319 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %320 = tosa.reshape %317, %319 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %321 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %322 = tosa.mul %318, %320, %321 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %323 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %324 = tosa.reshape %arg9, %323 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %325 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %326 = tosa.reshape %324, %325 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %327 = tosa.add %322, %326 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %cst_29 = arith.constant dense<0.0054056967006010171> : tensor<f64>
    %328 = tensor.empty() : tensor<f64>
    %329 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_29 : tensor<f64>) outs(%328 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %330 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %331 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %332 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %333 = tensor.empty() : tensor<f32>
    %334 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%329 : tensor<f64>) outs(%333 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %335 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %336 = tosa.reshape %334, %335 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %337 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %338 = tosa.mul %198, %336, %337 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %339 = math.roundeven %338 : tensor<1x64x56x56xf32>
    %340 = tensor.empty() : tensor<1x64x56x56xf32>
    %341 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%339, %332 : tensor<1x64x56x56xf32>, tensor<f32>) outs(%340 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x64x56x56xf32>
    %342 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %343 = tosa.reshape %331, %342 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %344 = tosa.maximum %341, %343 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %345 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %346 = tosa.reshape %330, %345 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %347 = tosa.minimum %344, %346 : (tensor<1x64x56x56xf32>, tensor<1x1x1x1xf32>) -> tensor<1x64x56x56xf32>
    %348 = tensor.empty() : tensor<1x64x56x56xi8>
    %349 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%347 : tensor<1x64x56x56xf32>) outs(%348 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x64x56x56xi8>
    %350 = "tosa.const"() <{values = dense<0.00540569657> : tensor<f32>}> : () -> tensor<f32>
    %351 = tensor.empty() : tensor<1x64x56x56xi16>
    %352 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%349 : tensor<1x64x56x56xi8>) outs(%351 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %353 = tensor.empty() : tensor<1x64x56x56xi16>
    %354 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%352 : tensor<1x64x56x56xi16>) outs(%353 : tensor<1x64x56x56xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x64x56x56xi16>
    %355 = tosa.cast %354 : (tensor<1x64x56x56xi16>) -> tensor<1x64x56x56xi8>
    %356 = tosa.const_shape  {values = dense<[128, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %357 = tosa.reshape %arg36, %356 : (tensor<128xf32>, !tosa.shape<4>) -> tensor<128x1x1x1xf32>
    %c0_i8_30 = arith.constant 0 : i8
    %c0_i32_31 = arith.constant 0 : i32
    %358 = tensor.empty() : tensor<1x128x28x28xi32>
    %359 = linalg.fill ins(%c0_i32_31 : i32) outs(%358 : tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xi32>
    %360 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%355, %arg35 : tensor<1x64x56x56xi8>, tensor<128x64x1x1xi8>) outs(%359 : tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xi32>
    %361 = tosa.const_shape  {values = dense<[128, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %362 = tosa.reshape %arg35, %361 : (tensor<128x64x1x1xi8>, !tosa.shape<2>) -> tensor<128x64xi8>
    %c0_i32_32 = arith.constant 0 : i32
    %363 = tensor.empty() : tensor<128xi32>
    %364 = linalg.fill ins(%c0_i32_32 : i32) outs(%363 : tensor<128xi32>) -> tensor<128xi32>
    %365 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%362 : tensor<128x64xi8>) outs(%364 : tensor<128xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<128xi32>
    %expanded_33 = tensor.expand_shape %365 [[0, 1]] output_shape [128, 1] : tensor<128xi32> into tensor<128x1xi32>
    %366 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %367 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %368 = tosa.reshape %366, %367 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %369 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %370 = tosa.mul %368, %expanded_33, %369 : (tensor<1x1xi32>, tensor<128x1xi32>, tensor<1xi8>) -> tensor<128x1xi32>
    %371 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %372 = tosa.reshape %370, %371 : (tensor<128x1xi32>, !tosa.shape<3>) -> tensor<128x1x1xi32>
    %373 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %374 = tosa.reshape %372, %373 : (tensor<128x1x1xi32>, !tosa.shape<4>) -> tensor<1x128x1x1xi32>
    %375 = tosa.sub %360, %374 : (tensor<1x128x28x28xi32>, tensor<1x128x1x1xi32>) -> tensor<1x128x28x28xi32>
    %376 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %377 = tosa.reshape %350, %376 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %378 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %379 = tosa.mul %377, %357, %378 : (tensor<1x1x1x1xf32>, tensor<128x1x1x1xf32>, tensor<1xi8>) -> tensor<128x1x1x1xf32>
    %380 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %381 = tosa.reshape %379, %380 : (tensor<128x1x1x1xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %382 = tosa.cast %375 : (tensor<1x128x28x28xi32>) -> tensor<1x128x28x28xf32>
    %383 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %384 = tosa.reshape %381, %383 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %385 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %386 = tosa.mul %382, %384, %385 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %387 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %388 = tosa.reshape %arg11, %387 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %389 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %390 = tosa.reshape %388, %389 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %391 = tosa.add %386, %390 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %392 = tosa.add %327, %391 : (tensor<1x128x28x28xf32>, tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %393 = tosa.clamp %392 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %cst_34 = arith.constant dense<0.0032603904312732174> : tensor<f64>
    %394 = tensor.empty() : tensor<f64>
    %395 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_34 : tensor<f64>) outs(%394 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %396 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %397 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %398 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %399 = tensor.empty() : tensor<f32>
    %400 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%395 : tensor<f64>) outs(%399 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %401 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %402 = tosa.reshape %400, %401 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %403 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %404 = tosa.mul %393, %402, %403 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %405 = math.roundeven %404 : tensor<1x128x28x28xf32>
    %406 = tensor.empty() : tensor<1x128x28x28xf32>
    %407 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%405, %398 : tensor<1x128x28x28xf32>, tensor<f32>) outs(%406 : tensor<1x128x28x28xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x128x28x28xf32>
    %408 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %409 = tosa.reshape %397, %408 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %410 = tosa.maximum %407, %409 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>) -> tensor<1x128x28x28xf32>
    %411 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %412 = tosa.reshape %396, %411 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %413 = tosa.minimum %410, %412 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>) -> tensor<1x128x28x28xf32>
    %414 = tensor.empty() : tensor<1x128x28x28xi8>
    %415 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%413 : tensor<1x128x28x28xf32>) outs(%414 : tensor<1x128x28x28xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x128x28x28xi8>
    %416 = "tosa.const"() <{values = dense<0.00326039037> : tensor<f32>}> : () -> tensor<f32>
    %417 = tensor.empty() : tensor<1x128x28x28xi16>
    %418 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%415 : tensor<1x128x28x28xi8>) outs(%417 : tensor<1x128x28x28xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x128x28x28xi16>
    %419 = tensor.empty() : tensor<1x128x28x28xi16>
    %420 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%418 : tensor<1x128x28x28xi16>) outs(%419 : tensor<1x128x28x28xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x128x28x28xi16>
    %421 = tosa.cast %420 : (tensor<1x128x28x28xi16>) -> tensor<1x128x28x28xi8>
    %422 = tosa.const_shape  {values = dense<[256, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %423 = tosa.reshape %arg39, %422 : (tensor<256xf32>, !tosa.shape<4>) -> tensor<256x1x1x1xf32>
    %c-128_i8_35 = arith.constant -128 : i8
    %padded_36 = tensor.pad %421 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg51: index, %arg52: index, %arg53: index, %arg54: index):
      tensor.yield %c-128_i8_35 : i8
    } : tensor<1x128x28x28xi8> to tensor<1x128x30x30xi8>
    %c0_i8_37 = arith.constant 0 : i8
    %c0_i32_38 = arith.constant 0 : i32
    %424 = tensor.empty() : tensor<1x256x14x14xi32>
    %425 = linalg.fill ins(%c0_i32_38 : i32) outs(%424 : tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xi32>
    %426 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_36, %arg38 : tensor<1x128x30x30xi8>, tensor<256x128x3x3xi8>) outs(%425 : tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xi32>
    %427 = tosa.const_shape  {values = dense<[256, 1152]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %428 = tosa.reshape %arg38, %427 : (tensor<256x128x3x3xi8>, !tosa.shape<2>) -> tensor<256x1152xi8>
    %c0_i32_39 = arith.constant 0 : i32
    %429 = tensor.empty() : tensor<256xi32>
    %430 = linalg.fill ins(%c0_i32_39 : i32) outs(%429 : tensor<256xi32>) -> tensor<256xi32>
    %431 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%428 : tensor<256x1152xi8>) outs(%430 : tensor<256xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<256xi32>
    %expanded_40 = tensor.expand_shape %431 [[0, 1]] output_shape [256, 1] : tensor<256xi32> into tensor<256x1xi32>
    %432 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %433 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %434 = tosa.reshape %432, %433 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %435 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %436 = tosa.mul %434, %expanded_40, %435 : (tensor<1x1xi32>, tensor<256x1xi32>, tensor<1xi8>) -> tensor<256x1xi32>
    %437 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %438 = tosa.reshape %436, %437 : (tensor<256x1xi32>, !tosa.shape<3>) -> tensor<256x1x1xi32>
    %439 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %440 = tosa.reshape %438, %439 : (tensor<256x1x1xi32>, !tosa.shape<4>) -> tensor<1x256x1x1xi32>
    %441 = tosa.sub %426, %440 : (tensor<1x256x14x14xi32>, tensor<1x256x1x1xi32>) -> tensor<1x256x14x14xi32>
    %442 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %443 = tosa.reshape %416, %442 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %444 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %445 = tosa.mul %443, %423, %444 : (tensor<1x1x1x1xf32>, tensor<256x1x1x1xf32>, tensor<1xi8>) -> tensor<256x1x1x1xf32>
    %446 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %447 = tosa.reshape %445, %446 : (tensor<256x1x1x1xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %448 = tosa.cast %441 : (tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xf32>
    %449 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %450 = tosa.reshape %447, %449 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %451 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %452 = tosa.mul %448, %450, %451 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %453 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %454 = tosa.reshape %arg13, %453 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %455 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %456 = tosa.reshape %454, %455 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %457 = tosa.add %452, %456 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %458 = tosa.clamp %457 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_41 = arith.constant dense<0.0014427810323004628> : tensor<f64>
    %459 = tensor.empty() : tensor<f64>
    %460 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_41 : tensor<f64>) outs(%459 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %461 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %462 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %463 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %464 = tensor.empty() : tensor<f32>
    %465 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%460 : tensor<f64>) outs(%464 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %466 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %467 = tosa.reshape %465, %466 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %468 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %469 = tosa.mul %458, %467, %468 : (tensor<1x256x14x14xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %470 = math.roundeven %469 : tensor<1x256x14x14xf32>
    %471 = tensor.empty() : tensor<1x256x14x14xf32>
    %472 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%470, %463 : tensor<1x256x14x14xf32>, tensor<f32>) outs(%471 : tensor<1x256x14x14xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x256x14x14xf32>
    %473 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %474 = tosa.reshape %462, %473 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %475 = tosa.maximum %472, %474 : (tensor<1x256x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x256x14x14xf32>
    %476 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %477 = tosa.reshape %461, %476 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %478 = tosa.minimum %475, %477 : (tensor<1x256x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x256x14x14xf32>
    %479 = tensor.empty() : tensor<1x256x14x14xi8>
    %480 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%478 : tensor<1x256x14x14xf32>) outs(%479 : tensor<1x256x14x14xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x256x14x14xi8>
    %481 = "tosa.const"() <{values = dense<0.00144278107> : tensor<f32>}> : () -> tensor<f32>
    %482 = tensor.empty() : tensor<1x256x14x14xi16>
    %483 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%480 : tensor<1x256x14x14xi8>) outs(%482 : tensor<1x256x14x14xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x256x14x14xi16>
    %484 = tensor.empty() : tensor<1x256x14x14xi16>
    %485 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%483 : tensor<1x256x14x14xi16>) outs(%484 : tensor<1x256x14x14xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x256x14x14xi16>
    %486 = tosa.cast %485 : (tensor<1x256x14x14xi16>) -> tensor<1x256x14x14xi8>
    %487 = tosa.const_shape  {values = dense<[256, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %488 = tosa.reshape %arg42, %487 : (tensor<256xf32>, !tosa.shape<4>) -> tensor<256x1x1x1xf32>
    %c-128_i8_42 = arith.constant -128 : i8
    %padded_43 = tensor.pad %486 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg51: index, %arg52: index, %arg53: index, %arg54: index):
      tensor.yield %c-128_i8_42 : i8
    } : tensor<1x256x14x14xi8> to tensor<1x256x16x16xi8>
    %c0_i8_44 = arith.constant 0 : i8
    %c0_i32_45 = arith.constant 0 : i32
    %489 = tensor.empty() : tensor<1x256x14x14xi32>
    %490 = linalg.fill ins(%c0_i32_45 : i32) outs(%489 : tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xi32>
    %491 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_43, %arg41 : tensor<1x256x16x16xi8>, tensor<256x256x3x3xi8>) outs(%490 : tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xi32>
    %492 = tosa.const_shape  {values = dense<[256, 2304]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %493 = tosa.reshape %arg41, %492 : (tensor<256x256x3x3xi8>, !tosa.shape<2>) -> tensor<256x2304xi8>
    %c0_i32_46 = arith.constant 0 : i32
    %494 = tensor.empty() : tensor<256xi32>
    %495 = linalg.fill ins(%c0_i32_46 : i32) outs(%494 : tensor<256xi32>) -> tensor<256xi32>
    %496 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%493 : tensor<256x2304xi8>) outs(%495 : tensor<256xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<256xi32>
    %expanded_47 = tensor.expand_shape %496 [[0, 1]] output_shape [256, 1] : tensor<256xi32> into tensor<256x1xi32>
    %497 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %498 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %499 = tosa.reshape %497, %498 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %500 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %501 = tosa.mul %499, %expanded_47, %500 : (tensor<1x1xi32>, tensor<256x1xi32>, tensor<1xi8>) -> tensor<256x1xi32>
    %502 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %503 = tosa.reshape %501, %502 : (tensor<256x1xi32>, !tosa.shape<3>) -> tensor<256x1x1xi32>
    %504 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %505 = tosa.reshape %503, %504 : (tensor<256x1x1xi32>, !tosa.shape<4>) -> tensor<1x256x1x1xi32>
    %506 = tosa.sub %491, %505 : (tensor<1x256x14x14xi32>, tensor<1x256x1x1xi32>) -> tensor<1x256x14x14xi32>
    %507 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %508 = tosa.reshape %481, %507 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %509 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %510 = tosa.mul %508, %488, %509 : (tensor<1x1x1x1xf32>, tensor<256x1x1x1xf32>, tensor<1xi8>) -> tensor<256x1x1x1xf32>
    %511 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %512 = tosa.reshape %510, %511 : (tensor<256x1x1x1xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %513 = tosa.cast %506 : (tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xf32>
    %514 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %515 = tosa.reshape %512, %514 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %516 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %517 = tosa.mul %513, %515, %516 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %518 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %519 = tosa.reshape %arg15, %518 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %520 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %521 = tosa.reshape %519, %520 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %522 = tosa.add %517, %521 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %cst_48 = arith.constant dense<0.0032603904312732174> : tensor<f64>
    %523 = tensor.empty() : tensor<f64>
    %524 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_48 : tensor<f64>) outs(%523 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %525 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %526 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %527 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %528 = tensor.empty() : tensor<f32>
    %529 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%524 : tensor<f64>) outs(%528 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %530 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %531 = tosa.reshape %529, %530 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %532 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %533 = tosa.mul %393, %531, %532 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %534 = math.roundeven %533 : tensor<1x128x28x28xf32>
    %535 = tensor.empty() : tensor<1x128x28x28xf32>
    %536 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%534, %527 : tensor<1x128x28x28xf32>, tensor<f32>) outs(%535 : tensor<1x128x28x28xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x128x28x28xf32>
    %537 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %538 = tosa.reshape %526, %537 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %539 = tosa.maximum %536, %538 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>) -> tensor<1x128x28x28xf32>
    %540 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %541 = tosa.reshape %525, %540 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %542 = tosa.minimum %539, %541 : (tensor<1x128x28x28xf32>, tensor<1x1x1x1xf32>) -> tensor<1x128x28x28xf32>
    %543 = tensor.empty() : tensor<1x128x28x28xi8>
    %544 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%542 : tensor<1x128x28x28xf32>) outs(%543 : tensor<1x128x28x28xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x128x28x28xi8>
    %545 = "tosa.const"() <{values = dense<0.00326039037> : tensor<f32>}> : () -> tensor<f32>
    %546 = tensor.empty() : tensor<1x128x28x28xi16>
    %547 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%544 : tensor<1x128x28x28xi8>) outs(%546 : tensor<1x128x28x28xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x128x28x28xi16>
    %548 = tensor.empty() : tensor<1x128x28x28xi16>
    %549 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%547 : tensor<1x128x28x28xi16>) outs(%548 : tensor<1x128x28x28xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x128x28x28xi16>
    %550 = tosa.cast %549 : (tensor<1x128x28x28xi16>) -> tensor<1x128x28x28xi8>
    %551 = tosa.const_shape  {values = dense<[256, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %552 = tosa.reshape %arg45, %551 : (tensor<256xf32>, !tosa.shape<4>) -> tensor<256x1x1x1xf32>
    %c0_i8_49 = arith.constant 0 : i8
    %c0_i32_50 = arith.constant 0 : i32
    %553 = tensor.empty() : tensor<1x256x14x14xi32>
    %554 = linalg.fill ins(%c0_i32_50 : i32) outs(%553 : tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xi32>
    %555 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%550, %arg44 : tensor<1x128x28x28xi8>, tensor<256x128x1x1xi8>) outs(%554 : tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xi32>
    %556 = tosa.const_shape  {values = dense<[256, 128]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %557 = tosa.reshape %arg44, %556 : (tensor<256x128x1x1xi8>, !tosa.shape<2>) -> tensor<256x128xi8>
    %c0_i32_51 = arith.constant 0 : i32
    %558 = tensor.empty() : tensor<256xi32>
    %559 = linalg.fill ins(%c0_i32_51 : i32) outs(%558 : tensor<256xi32>) -> tensor<256xi32>
    %560 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%557 : tensor<256x128xi8>) outs(%559 : tensor<256xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<256xi32>
    %expanded_52 = tensor.expand_shape %560 [[0, 1]] output_shape [256, 1] : tensor<256xi32> into tensor<256x1xi32>
    %561 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %562 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %563 = tosa.reshape %561, %562 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %564 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %565 = tosa.mul %563, %expanded_52, %564 : (tensor<1x1xi32>, tensor<256x1xi32>, tensor<1xi8>) -> tensor<256x1xi32>
    %566 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %567 = tosa.reshape %565, %566 : (tensor<256x1xi32>, !tosa.shape<3>) -> tensor<256x1x1xi32>
    %568 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %569 = tosa.reshape %567, %568 : (tensor<256x1x1xi32>, !tosa.shape<4>) -> tensor<1x256x1x1xi32>
    %570 = tosa.sub %555, %569 : (tensor<1x256x14x14xi32>, tensor<1x256x1x1xi32>) -> tensor<1x256x14x14xi32>
    %571 = tosa.const_shape  {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %572 = tosa.reshape %545, %571 : (tensor<f32>, !tosa.shape<4>) -> tensor<1x1x1x1xf32>
    %573 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %574 = tosa.mul %572, %552, %573 : (tensor<1x1x1x1xf32>, tensor<256x1x1x1xf32>, tensor<1xi8>) -> tensor<256x1x1x1xf32>
    %575 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %576 = tosa.reshape %574, %575 : (tensor<256x1x1x1xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %577 = tosa.cast %570 : (tensor<1x256x14x14xi32>) -> tensor<1x256x14x14xf32>
    %578 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %579 = tosa.reshape %576, %578 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %580 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %581 = tosa.mul %577, %579, %580 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %582 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %583 = tosa.reshape %arg17, %582 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %584 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %585 = tosa.reshape %583, %584 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %586 = tosa.add %581, %585 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %587 = tosa.add %522, %586 : (tensor<1x256x14x14xf32>, tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %588 = tosa.clamp %587 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_53 = arith.constant 0.000000e+00 : f32
    %589 = tensor.empty() : tensor<1x256xf32>
    %590 = linalg.fill ins(%cst_53 : f32) outs(%589 : tensor<1x256xf32>) -> tensor<1x256xf32>
    %591 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%588 : tensor<1x256x14x14xf32>) outs(%590 : tensor<1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %652 = arith.addf %out, %in : f32
      linalg.yield %652 : f32
    } -> tensor<1x256xf32>
    %592 = tensor.empty() : tensor<1x256xf32>
    %593 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%591 : tensor<1x256xf32>) outs(%592 : tensor<1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_59 = arith.constant 1.960000e+02 : f32
      %652 = arith.divf %in, %cst_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x256xf32>
    %expanded_54 = tensor.expand_shape %593 [[0], [1, 2, 3]] output_shape [1, 256, 1, 1] : tensor<1x256xf32> into tensor<1x256x1x1xf32>
    %594 = tosa.const_shape  {values = dense<[1, 256]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %595 = tosa.reshape %expanded_54, %594 : (tensor<1x256x1x1xf32>, !tosa.shape<2>) -> tensor<1x256xf32>
    %cst_55 = arith.constant dense<0.0010408012305988985> : tensor<f64>
    %596 = tensor.empty() : tensor<f64>
    %597 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_55 : tensor<f64>) outs(%596 : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_59 = arith.constant 1.000000e+00 : f64
      %652 = arith.divf %cst_59, %in : f64
      linalg.yield %652 : f64
    } -> tensor<f64>
    %598 = "tosa.const"() <{values = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %599 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %600 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %601 = tensor.empty() : tensor<f32>
    %602 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%597 : tensor<f64>) outs(%601 : tensor<f32>) {
    ^bb0(%in: f64, %out: f32):
      %652 = arith.truncf %in : f64 to f32
      linalg.yield %652 : f32
    } -> tensor<f32>
    %603 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %604 = tosa.reshape %602, %603 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %605 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %606 = tosa.mul %595, %604, %605 : (tensor<1x256xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x256xf32>
    %607 = math.roundeven %606 : tensor<1x256xf32>
    %608 = tensor.empty() : tensor<1x256xf32>
    %609 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel"]} ins(%607, %600 : tensor<1x256xf32>, tensor<f32>) outs(%608 : tensor<1x256xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %652 = arith.addf %in, %in_59 : f32
      linalg.yield %652 : f32
    } -> tensor<1x256xf32>
    %610 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %611 = tosa.reshape %599, %610 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %612 = tosa.maximum %609, %611 : (tensor<1x256xf32>, tensor<1x1xf32>) -> tensor<1x256xf32>
    %613 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %614 = tosa.reshape %598, %613 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %615 = tosa.minimum %612, %614 : (tensor<1x256xf32>, tensor<1x1xf32>) -> tensor<1x256xf32>
    %616 = tensor.empty() : tensor<1x256xi8>
    %617 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%615 : tensor<1x256xf32>) outs(%616 : tensor<1x256xi8>) {
    ^bb0(%in: f32, %out: i8):
      %652 = arith.fptosi %in : f32 to i32
      %653 = arith.trunci %652 : i32 to i8
      linalg.yield %653 : i8
    } -> tensor<1x256xi8>
    %618 = "tosa.const"() <{values = dense<0.00104080117> : tensor<f32>}> : () -> tensor<f32>
    %619 = tensor.empty() : tensor<1x256xi16>
    %620 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%617 : tensor<1x256xi8>) outs(%619 : tensor<1x256xi16>) {
    ^bb0(%in: i8, %out: i16):
      %652 = arith.extui %in : i8 to i16
      linalg.yield %652 : i16
    } -> tensor<1x256xi16>
    %621 = tensor.empty() : tensor<1x256xi16>
    %622 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%620 : tensor<1x256xi16>) outs(%621 : tensor<1x256xi16>) {
    ^bb0(%in: i16, %out: i16):
      %c-128_i16 = arith.constant -128 : i16
      %652 = arith.addi %in, %c-128_i16 : i16
      linalg.yield %652 : i16
    } -> tensor<1x256xi16>
    %623 = tosa.cast %622 : (tensor<1x256xi16>) -> tensor<1x256xi8>
    %624 = tosa.const_shape  {values = dense<[1000, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %625 = tosa.reshape %arg48, %624 : (tensor<1000xf32>, !tosa.shape<2>) -> tensor<1000x1xf32>
    %626 = tosa.transpose %arg47 {perms = array<i32: 1, 0>} : (tensor<1000x256xi8>) -> tensor<256x1000xi8>
    %627 = tosa.transpose %625 {perms = array<i32: 1, 0>} : (tensor<1000x1xf32>) -> tensor<1x1000xf32>
    %c0_i32_56 = arith.constant 0 : i32
    %628 = tensor.empty() : tensor<1x1000xi32>
    %629 = linalg.fill ins(%c0_i32_56 : i32) outs(%628 : tensor<1x1000xi32>) -> tensor<1x1000xi32>
    %630 = linalg.matmul ins(%623, %626 : tensor<1x256xi8>, tensor<256x1000xi8>) outs(%629 : tensor<1x1000xi32>) -> tensor<1x1000xi32>
    %c0_i32_57 = arith.constant 0 : i32
    %631 = tensor.empty() : tensor<1000xi32>
    %632 = linalg.fill ins(%c0_i32_57 : i32) outs(%631 : tensor<1000xi32>) -> tensor<1000xi32>
    %633 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg47 : tensor<1000x256xi8>) outs(%632 : tensor<1000xi32>) {
    ^bb0(%in: i8, %out: i32):
      %652 = arith.extsi %in : i8 to i32
      %653 = arith.addi %out, %652 : i32
      linalg.yield %653 : i32
    } -> tensor<1000xi32>
    %expanded_58 = tensor.expand_shape %633 [[0, 1]] output_shape [1000, 1] : tensor<1000xi32> into tensor<1000x1xi32>
    %634 = tosa.const_shape  {values = dense<[1, 1000]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %635 = tosa.reshape %expanded_58, %634 : (tensor<1000x1xi32>, !tosa.shape<2>) -> tensor<1x1000xi32>
    %636 = "tosa.const"() <{values = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %637 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %638 = tosa.reshape %636, %637 : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %639 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %640 = tosa.mul %638, %635, %639 : (tensor<1x1xi32>, tensor<1x1000xi32>, tensor<1xi8>) -> tensor<1x1000xi32>
    %641 = tosa.sub %630, %640 : (tensor<1x1000xi32>, tensor<1x1000xi32>) -> tensor<1x1000xi32>
    %642 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %643 = tosa.reshape %618, %642 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %644 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %645 = tosa.mul %643, %627, %644 : (tensor<1x1xf32>, tensor<1x1000xf32>, tensor<1xi8>) -> tensor<1x1000xf32>
    %646 = tosa.cast %641 : (tensor<1x1000xi32>) -> tensor<1x1000xf32>
    %647 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %648 = tosa.mul %646, %645, %647 : (tensor<1x1000xf32>, tensor<1x1000xf32>, tensor<1xi8>) -> tensor<1x1000xf32>
    %649 = tosa.const_shape  {values = dense<[1, 1000]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %650 = tosa.reshape %arg19, %649 : (tensor<1000xf32>, !tosa.shape<2>) -> tensor<1x1000xf32>
    %651 = tosa.add %648, %650 : (tensor<1x1000xf32>, tensor<1x1000xf32>) -> tensor<1x1000xf32>
    return %651 : tensor<1x1000xf32>
  }
}

