#map = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @forward(%arg0: tensor<64x3x3x3xf32> {buddy.weight}, %arg1: tensor<64xf32> {buddy.weight}, %arg2: tensor<64x64x3x3xf32> {buddy.weight}, %arg3: tensor<64xf32> {buddy.weight}, %arg4: tensor<128x64x3x3xf32> {buddy.weight}, %arg5: tensor<128xf32> {buddy.weight}, %arg6: tensor<256x128x3x3xf32> {buddy.weight}, %arg7: tensor<256xf32> {buddy.weight}, %arg8: tensor<512x256x3x3xf32> {buddy.weight}, %arg9: tensor<512xf32> {buddy.weight}, %arg10: tensor<512x512x3x3xf32> {buddy.weight}, %arg11: tensor<512xf32> {buddy.weight}, %arg12: tensor<512x512x1x1xf32> {buddy.weight}, %arg13: tensor<512xf32> {buddy.weight}, %arg14: tensor<1000x25088xf32> {buddy.weight}, %arg15: tensor<1000xf32> {buddy.weight}, %arg16: tensor<1x3x224x224xf32>) -> tensor<1x1000xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg16 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg17: index, %arg18: index, %arg19: index, %arg20: index):
      tensor.yield %cst : f32
    } : tensor<1x3x224x224xf32> to tensor<1x3x226x226xf32>
    %expanded = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [64, 1, 1] : tensor<64xf32> into tensor<64x1x1xf32>
    %0 = tensor.empty() : tensor<1x64x224x224xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<64x1x1xf32>) outs(%0 : tensor<1x64x224x224xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x64x224x224xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg0 : tensor<1x3x226x226xf32>, tensor<64x3x3x3xf32>) outs(%1 : tensor<1x64x224x224xf32>) -> tensor<1x64x224x224xf32>
    %3 = tosa.clamp %2 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x224x224xf32>) -> tensor<1x64x224x224xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %padded_1 = tensor.pad %3 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg17: index, %arg18: index, %arg19: index, %arg20: index):
      tensor.yield %cst_0 : f32
    } : tensor<1x64x224x224xf32> to tensor<1x64x226x226xf32>
    %expanded_2 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [64, 1, 1] : tensor<64xf32> into tensor<64x1x1xf32>
    %4 = tensor.empty() : tensor<1x64x224x224xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_2 : tensor<64x1x1xf32>) outs(%4 : tensor<1x64x224x224xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x64x224x224xf32>
    %6 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_1, %arg2 : tensor<1x64x226x226xf32>, tensor<64x64x3x3xf32>) outs(%5 : tensor<1x64x224x224xf32>) -> tensor<1x64x224x224xf32>
    %7 = tosa.clamp %6 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x224x224xf32>) -> tensor<1x64x224x224xf32>
    %8 = tosa.transpose %7 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x64x224x224xf32>) -> tensor<1x224x224x64xf32>
    %9 = tosa.max_pool2d %8 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x224x224x64xf32>) -> tensor<1x112x112x64xf32>
    %10 = tosa.transpose %9 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x64x112x112xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %padded_4 = tensor.pad %10 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg17: index, %arg18: index, %arg19: index, %arg20: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x64x112x112xf32> to tensor<1x64x114x114xf32>
    %expanded_5 = tensor.expand_shape %arg5 [[0, 1, 2]] output_shape [128, 1, 1] : tensor<128xf32> into tensor<128x1x1xf32>
    %11 = tensor.empty() : tensor<1x128x112x112xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<128x1x1xf32>) outs(%11 : tensor<1x128x112x112xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x112x112xf32>
    %13 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_4, %arg4 : tensor<1x64x114x114xf32>, tensor<128x64x3x3xf32>) outs(%12 : tensor<1x128x112x112xf32>) -> tensor<1x128x112x112xf32>
    %14 = tosa.clamp %13 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x112x112xf32>) -> tensor<1x128x112x112xf32>
    %15 = tosa.transpose %14 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x128x112x112xf32>) -> tensor<1x112x112x128xf32>
    %16 = tosa.max_pool2d %15 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x112x112x128xf32>) -> tensor<1x56x56x128xf32>
    %17 = tosa.transpose %16 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x56x56x128xf32>) -> tensor<1x128x56x56xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %padded_7 = tensor.pad %17 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg17: index, %arg18: index, %arg19: index, %arg20: index):
      tensor.yield %cst_6 : f32
    } : tensor<1x128x56x56xf32> to tensor<1x128x58x58xf32>
    %expanded_8 = tensor.expand_shape %arg7 [[0, 1, 2]] output_shape [256, 1, 1] : tensor<256xf32> into tensor<256x1x1xf32>
    %18 = tensor.empty() : tensor<1x256x56x56xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<256x1x1xf32>) outs(%18 : tensor<1x256x56x56xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x256x56x56xf32>
    %20 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_7, %arg6 : tensor<1x128x58x58xf32>, tensor<256x128x3x3xf32>) outs(%19 : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %21 = tosa.clamp %20 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %22 = tosa.transpose %21 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x256x56x56xf32>) -> tensor<1x56x56x256xf32>
    %23 = tosa.max_pool2d %22 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x56x56x256xf32>) -> tensor<1x28x28x256xf32>
    %24 = tosa.transpose %23 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x28x28x256xf32>) -> tensor<1x256x28x28xf32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %padded_10 = tensor.pad %24 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg17: index, %arg18: index, %arg19: index, %arg20: index):
      tensor.yield %cst_9 : f32
    } : tensor<1x256x28x28xf32> to tensor<1x256x30x30xf32>
    %expanded_11 = tensor.expand_shape %arg9 [[0, 1, 2]] output_shape [512, 1, 1] : tensor<512xf32> into tensor<512x1x1xf32>
    %25 = tensor.empty() : tensor<1x512x28x28xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<512x1x1xf32>) outs(%25 : tensor<1x512x28x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x512x28x28xf32>
    %27 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_10, %arg8 : tensor<1x256x30x30xf32>, tensor<512x256x3x3xf32>) outs(%26 : tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %28 = tosa.clamp %27 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %29 = tosa.transpose %28 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x512x28x28xf32>) -> tensor<1x28x28x512xf32>
    %30 = tosa.max_pool2d %29 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x28x28x512xf32>) -> tensor<1x14x14x512xf32>
    %31 = tosa.transpose %30 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x14x14x512xf32>) -> tensor<1x512x14x14xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %padded_13 = tensor.pad %31 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg17: index, %arg18: index, %arg19: index, %arg20: index):
      tensor.yield %cst_12 : f32
    } : tensor<1x512x14x14xf32> to tensor<1x512x16x16xf32>
    %expanded_14 = tensor.expand_shape %arg11 [[0, 1, 2]] output_shape [512, 1, 1] : tensor<512xf32> into tensor<512x1x1xf32>
    %32 = tensor.empty() : tensor<1x512x14x14xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<512x1x1xf32>) outs(%32 : tensor<1x512x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x512x14x14xf32>
    %34 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_13, %arg10 : tensor<1x512x16x16xf32>, tensor<512x512x3x3xf32>) outs(%33 : tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
    %35 = tosa.clamp %34 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
    %36 = tosa.transpose %35 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x512x14x14xf32>) -> tensor<1x14x14x512xf32>
    %37 = tosa.max_pool2d %36 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x14x14x512xf32>) -> tensor<1x7x7x512xf32>
    %38 = tosa.transpose %37 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x7x7x512xf32>) -> tensor<1x512x7x7xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %expanded_16 = tensor.expand_shape %arg13 [[0, 1, 2]] output_shape [512, 1, 1] : tensor<512xf32> into tensor<512x1x1xf32>
    %39 = tensor.empty() : tensor<1x512x7x7xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<512x1x1xf32>) outs(%39 : tensor<1x512x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x512x7x7xf32>
    %41 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%38, %arg12 : tensor<1x512x7x7xf32>, tensor<512x512x1x1xf32>) outs(%40 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %42 = tosa.const_shape  {values = dense<[1, 25088]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %43 = tosa.reshape %41, %42 : (tensor<1x512x7x7xf32>, !tosa.shape<2>) -> tensor<1x25088xf32>
    %44 = tensor.empty() : tensor<1x1000xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg15 : tensor<1000xf32>) outs(%44 : tensor<1x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1000xf32>
    %46 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%43, %arg14 : tensor<1x25088xf32>, tensor<1000x25088xf32>) outs(%45 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    return %46 : tensor<1x1000xf32>
  }
}

