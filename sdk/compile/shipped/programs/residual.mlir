#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @forward(%arg0: tensor<64x3x7x7xf32> {buddy.weight}, %arg1: tensor<64xf32> {buddy.weight}, %arg2: tensor<64xf32> {buddy.weight}, %arg3: tensor<64x64x3x3xf32> {buddy.weight}, %arg4: tensor<64xf32> {buddy.weight}, %arg5: tensor<64xf32> {buddy.weight}, %arg6: tensor<64x64x3x3xf32> {buddy.weight}, %arg7: tensor<64xf32> {buddy.weight}, %arg8: tensor<64xf32> {buddy.weight}, %arg9: tensor<128x64x3x3xf32> {buddy.weight}, %arg10: tensor<128xf32> {buddy.weight}, %arg11: tensor<128xf32> {buddy.weight}, %arg12: tensor<128x128x3x3xf32> {buddy.weight}, %arg13: tensor<128xf32> {buddy.weight}, %arg14: tensor<128xf32> {buddy.weight}, %arg15: tensor<128x64x1x1xf32> {buddy.weight}, %arg16: tensor<128xf32> {buddy.weight}, %arg17: tensor<128xf32> {buddy.weight}, %arg18: tensor<128x128x3x3xf32> {buddy.weight}, %arg19: tensor<128xf32> {buddy.weight}, %arg20: tensor<128xf32> {buddy.weight}, %arg21: tensor<128x128x3x3xf32> {buddy.weight}, %arg22: tensor<128xf32> {buddy.weight}, %arg23: tensor<128xf32> {buddy.weight}, %arg24: tensor<256x128x3x3xf32> {buddy.weight}, %arg25: tensor<256xf32> {buddy.weight}, %arg26: tensor<256xf32> {buddy.weight}, %arg27: tensor<256x256x3x3xf32> {buddy.weight}, %arg28: tensor<256xf32> {buddy.weight}, %arg29: tensor<256xf32> {buddy.weight}, %arg30: tensor<256x128x1x1xf32> {buddy.weight}, %arg31: tensor<256xf32> {buddy.weight}, %arg32: tensor<256xf32> {buddy.weight}, %arg33: tensor<256x256x3x3xf32> {buddy.weight}, %arg34: tensor<256xf32> {buddy.weight}, %arg35: tensor<256xf32> {buddy.weight}, %arg36: tensor<256x256x3x3xf32> {buddy.weight}, %arg37: tensor<256xf32> {buddy.weight}, %arg38: tensor<256xf32> {buddy.weight}, %arg39: tensor<512x256x3x3xf32> {buddy.weight}, %arg40: tensor<512xf32> {buddy.weight}, %arg41: tensor<512xf32> {buddy.weight}, %arg42: tensor<512x512x3x3xf32> {buddy.weight}, %arg43: tensor<512xf32> {buddy.weight}, %arg44: tensor<512xf32> {buddy.weight}, %arg45: tensor<512x256x1x1xf32> {buddy.weight}, %arg46: tensor<512xf32> {buddy.weight}, %arg47: tensor<512xf32> {buddy.weight}, %arg48: tensor<512x512x3x3xf32> {buddy.weight}, %arg49: tensor<512xf32> {buddy.weight}, %arg50: tensor<512xf32> {buddy.weight}, %arg51: tensor<512x512x3x3xf32> {buddy.weight}, %arg52: tensor<512xf32> {buddy.weight}, %arg53: tensor<512xf32> {buddy.weight}, %arg54: tensor<1000x512xf32> {buddy.weight}, %arg55: tensor<1000xf32> {buddy.weight}, %arg56: tensor<64xf32> {buddy.weight}, %arg57: tensor<64xf32> {buddy.weight}, %arg58: tensor<i64> {buddy.weight}, %arg59: tensor<64xf32> {buddy.weight}, %arg60: tensor<64xf32> {buddy.weight}, %arg61: tensor<i64> {buddy.weight}, %arg62: tensor<64xf32> {buddy.weight}, %arg63: tensor<64xf32> {buddy.weight}, %arg64: tensor<i64> {buddy.weight}, %arg65: tensor<128xf32> {buddy.weight}, %arg66: tensor<128xf32> {buddy.weight}, %arg67: tensor<i64> {buddy.weight}, %arg68: tensor<128xf32> {buddy.weight}, %arg69: tensor<128xf32> {buddy.weight}, %arg70: tensor<i64> {buddy.weight}, %arg71: tensor<128xf32> {buddy.weight}, %arg72: tensor<128xf32> {buddy.weight}, %arg73: tensor<i64> {buddy.weight}, %arg74: tensor<128xf32> {buddy.weight}, %arg75: tensor<128xf32> {buddy.weight}, %arg76: tensor<i64> {buddy.weight}, %arg77: tensor<128xf32> {buddy.weight}, %arg78: tensor<128xf32> {buddy.weight}, %arg79: tensor<i64> {buddy.weight}, %arg80: tensor<256xf32> {buddy.weight}, %arg81: tensor<256xf32> {buddy.weight}, %arg82: tensor<i64> {buddy.weight}, %arg83: tensor<256xf32> {buddy.weight}, %arg84: tensor<256xf32> {buddy.weight}, %arg85: tensor<i64> {buddy.weight}, %arg86: tensor<256xf32> {buddy.weight}, %arg87: tensor<256xf32> {buddy.weight}, %arg88: tensor<i64> {buddy.weight}, %arg89: tensor<256xf32> {buddy.weight}, %arg90: tensor<256xf32> {buddy.weight}, %arg91: tensor<i64> {buddy.weight}, %arg92: tensor<256xf32> {buddy.weight}, %arg93: tensor<256xf32> {buddy.weight}, %arg94: tensor<i64> {buddy.weight}, %arg95: tensor<512xf32> {buddy.weight}, %arg96: tensor<512xf32> {buddy.weight}, %arg97: tensor<i64> {buddy.weight}, %arg98: tensor<512xf32> {buddy.weight}, %arg99: tensor<512xf32> {buddy.weight}, %arg100: tensor<i64> {buddy.weight}, %arg101: tensor<512xf32> {buddy.weight}, %arg102: tensor<512xf32> {buddy.weight}, %arg103: tensor<i64> {buddy.weight}, %arg104: tensor<512xf32> {buddy.weight}, %arg105: tensor<512xf32> {buddy.weight}, %arg106: tensor<i64> {buddy.weight}, %arg107: tensor<512xf32> {buddy.weight}, %arg108: tensor<512xf32> {buddy.weight}, %arg109: tensor<i64> {buddy.weight}, %arg110: tensor<1x3x224x224xf32>) -> tensor<1x1000xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg110 low[0, 0, 3, 3] high[0, 0, 3, 3] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst : f32
    } : tensor<1x3x224x224xf32> to tensor<1x3x230x230xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x64x112x112xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg0 : tensor<1x3x230x230xf32>, tensor<64x3x7x7xf32>) outs(%1 : tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
    %3 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.add %arg57, %3 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %5 = tosa.rsqrt %4 : (tensor<64xf32>) -> tensor<64xf32>
    %6 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = tosa.mul %5, %arg1, %6 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = tosa.mul %arg56, %7, %8 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %10 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %11 = tosa.negate %9, %10, %10 : (tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<64xf32>
    %12 = tosa.add %11, %arg2 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %13 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.reshape %7, %13 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %15 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %16 = tosa.reshape %14, %15 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %17 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = tosa.mul %2, %16, %17 : (tensor<1x64x112x112xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x112x112xf32>
    %19 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %20 = tosa.reshape %12, %19 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %21 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %22 = tosa.reshape %20, %21 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %23 = tosa.add %18, %22 : (tensor<1x64x112x112xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x112x112xf32>
    %24 = tosa.clamp %23 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
    %25 = tosa.transpose %24 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x64x112x112xf32>) -> tensor<1x112x112x64xf32>
    %26 = tosa.max_pool2d %25 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32>
    %27 = tosa.transpose %26 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x56x56x64xf32>) -> tensor<1x64x56x56xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %padded_2 = tensor.pad %27 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %28 = tensor.empty() : tensor<1x64x56x56xf32>
    %29 = linalg.fill ins(%cst_3 : f32) outs(%28 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %30 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_2, %arg3 : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%29 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %31 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %32 = tosa.add %arg60, %31 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %33 = tosa.rsqrt %32 : (tensor<64xf32>) -> tensor<64xf32>
    %34 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = tosa.mul %33, %arg4, %34 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.mul %arg59, %35, %36 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %38 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %39 = tosa.negate %37, %38, %38 : (tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<64xf32>
    %40 = tosa.add %39, %arg5 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %41 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %42 = tosa.reshape %35, %41 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %43 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %44 = tosa.reshape %42, %43 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %45 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = tosa.mul %30, %44, %45 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %47 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %48 = tosa.reshape %40, %47 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %49 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %50 = tosa.reshape %48, %49 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %51 = tosa.add %46, %50 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x56x56xf32>
    %52 = tosa.clamp %51 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %padded_5 = tensor.pad %52 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_4 : f32
    } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %53 = tensor.empty() : tensor<1x64x56x56xf32>
    %54 = linalg.fill ins(%cst_6 : f32) outs(%53 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %55 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_5, %arg6 : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%54 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %56 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %57 = tosa.add %arg63, %56 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %58 = tosa.rsqrt %57 : (tensor<64xf32>) -> tensor<64xf32>
    %59 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %60 = tosa.mul %58, %arg7, %59 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %61 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %62 = tosa.mul %arg62, %60, %61 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %63 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %64 = tosa.negate %62, %63, %63 : (tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<64xf32>
    %65 = tosa.add %64, %arg8 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %66 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %67 = tosa.reshape %60, %66 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %68 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %69 = tosa.reshape %67, %68 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %70 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %71 = tosa.mul %55, %69, %70 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x56x56xf32>
    %72 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %73 = tosa.reshape %65, %72 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %74 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %75 = tosa.reshape %73, %74 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %76 = tosa.add %71, %75 : (tensor<1x64x56x56xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x56x56xf32>
    %77 = tosa.add %76, %27 : (tensor<1x64x56x56xf32>, tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %78 = tosa.clamp %77 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %padded_8 = tensor.pad %78 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_7 : f32
    } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %79 = tensor.empty() : tensor<1x128x28x28xf32>
    %80 = linalg.fill ins(%cst_9 : f32) outs(%79 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %81 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_8, %arg9 : tensor<1x64x58x58xf32>, tensor<128x64x3x3xf32>) outs(%80 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %82 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %83 = tosa.add %arg66, %82 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
    %84 = tosa.rsqrt %83 : (tensor<128xf32>) -> tensor<128xf32>
    %85 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %86 = tosa.mul %84, %arg10, %85 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %87 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %88 = tosa.mul %arg65, %86, %87 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %89 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %90 = tosa.negate %88, %89, %89 : (tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<128xf32>
    %91 = tosa.add %90, %arg11 : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %92 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %93 = tosa.reshape %86, %92 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %94 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %95 = tosa.reshape %93, %94 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %96 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %97 = tosa.mul %81, %95, %96 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %98 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %99 = tosa.reshape %91, %98 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %100 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %101 = tosa.reshape %99, %100 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %102 = tosa.add %97, %101 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %103 = tosa.clamp %102 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %padded_11 = tensor.pad %103 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_10 : f32
    } : tensor<1x128x28x28xf32> to tensor<1x128x30x30xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %104 = tensor.empty() : tensor<1x128x28x28xf32>
    %105 = linalg.fill ins(%cst_12 : f32) outs(%104 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %106 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_11, %arg12 : tensor<1x128x30x30xf32>, tensor<128x128x3x3xf32>) outs(%105 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %107 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %108 = tosa.add %arg69, %107 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
    %109 = tosa.rsqrt %108 : (tensor<128xf32>) -> tensor<128xf32>
    %110 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %111 = tosa.mul %109, %arg13, %110 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %112 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %113 = tosa.mul %arg68, %111, %112 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %114 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %115 = tosa.negate %113, %114, %114 : (tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<128xf32>
    %116 = tosa.add %115, %arg14 : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %117 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %118 = tosa.reshape %111, %117 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %119 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %120 = tosa.reshape %118, %119 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %121 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %122 = tosa.mul %106, %120, %121 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %123 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %124 = tosa.reshape %116, %123 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %125 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %126 = tosa.reshape %124, %125 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %127 = tosa.add %122, %126 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %cst_14 = arith.constant 0.000000e+00 : f32
    %128 = tensor.empty() : tensor<1x128x28x28xf32>
    %129 = linalg.fill ins(%cst_14 : f32) outs(%128 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %130 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%78, %arg15 : tensor<1x64x56x56xf32>, tensor<128x64x1x1xf32>) outs(%129 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %131 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %132 = tosa.add %arg72, %131 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
    %133 = tosa.rsqrt %132 : (tensor<128xf32>) -> tensor<128xf32>
    %134 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %135 = tosa.mul %133, %arg16, %134 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %136 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %137 = tosa.mul %arg71, %135, %136 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %138 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %139 = tosa.negate %137, %138, %138 : (tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<128xf32>
    %140 = tosa.add %139, %arg17 : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %141 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %142 = tosa.reshape %135, %141 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %143 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %144 = tosa.reshape %142, %143 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %145 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %146 = tosa.mul %130, %144, %145 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %147 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %148 = tosa.reshape %140, %147 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %149 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %150 = tosa.reshape %148, %149 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %151 = tosa.add %146, %150 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %152 = tosa.add %127, %151 : (tensor<1x128x28x28xf32>, tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %153 = tosa.clamp %152 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %padded_16 = tensor.pad %153 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_15 : f32
    } : tensor<1x128x28x28xf32> to tensor<1x128x30x30xf32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %154 = tensor.empty() : tensor<1x128x28x28xf32>
    %155 = linalg.fill ins(%cst_17 : f32) outs(%154 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %156 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_16, %arg18 : tensor<1x128x30x30xf32>, tensor<128x128x3x3xf32>) outs(%155 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %157 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %158 = tosa.add %arg75, %157 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
    %159 = tosa.rsqrt %158 : (tensor<128xf32>) -> tensor<128xf32>
    %160 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %161 = tosa.mul %159, %arg19, %160 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %162 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %163 = tosa.mul %arg74, %161, %162 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %164 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %165 = tosa.negate %163, %164, %164 : (tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<128xf32>
    %166 = tosa.add %165, %arg20 : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %167 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %168 = tosa.reshape %161, %167 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %169 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %170 = tosa.reshape %168, %169 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %171 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %172 = tosa.mul %156, %170, %171 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %173 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %174 = tosa.reshape %166, %173 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %175 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %176 = tosa.reshape %174, %175 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %177 = tosa.add %172, %176 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %178 = tosa.clamp %177 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %padded_19 = tensor.pad %178 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_18 : f32
    } : tensor<1x128x28x28xf32> to tensor<1x128x30x30xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %179 = tensor.empty() : tensor<1x128x28x28xf32>
    %180 = linalg.fill ins(%cst_20 : f32) outs(%179 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %181 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_19, %arg21 : tensor<1x128x30x30xf32>, tensor<128x128x3x3xf32>) outs(%180 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %182 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %183 = tosa.add %arg78, %182 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
    %184 = tosa.rsqrt %183 : (tensor<128xf32>) -> tensor<128xf32>
    %185 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %186 = tosa.mul %184, %arg22, %185 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %187 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %188 = tosa.mul %arg77, %186, %187 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %189 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %190 = tosa.negate %188, %189, %189 : (tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<128xf32>
    %191 = tosa.add %190, %arg23 : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %192 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %193 = tosa.reshape %186, %192 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %194 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %195 = tosa.reshape %193, %194 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %196 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %197 = tosa.mul %181, %195, %196 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %198 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %199 = tosa.reshape %191, %198 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %200 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %201 = tosa.reshape %199, %200 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %202 = tosa.add %197, %201 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %203 = tosa.add %202, %153 : (tensor<1x128x28x28xf32>, tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %204 = tosa.clamp %203 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %padded_22 = tensor.pad %204 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_21 : f32
    } : tensor<1x128x28x28xf32> to tensor<1x128x30x30xf32>
    %cst_23 = arith.constant 0.000000e+00 : f32
    %205 = tensor.empty() : tensor<1x256x14x14xf32>
    %206 = linalg.fill ins(%cst_23 : f32) outs(%205 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %207 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_22, %arg24 : tensor<1x128x30x30xf32>, tensor<256x128x3x3xf32>) outs(%206 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %208 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %209 = tosa.add %arg81, %208 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %210 = tosa.rsqrt %209 : (tensor<256xf32>) -> tensor<256xf32>
    %211 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %212 = tosa.mul %210, %arg25, %211 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %213 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %214 = tosa.mul %arg80, %212, %213 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %215 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %216 = tosa.negate %214, %215, %215 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %217 = tosa.add %216, %arg26 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %218 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %219 = tosa.reshape %212, %218 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %220 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %221 = tosa.reshape %219, %220 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %222 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %223 = tosa.mul %207, %221, %222 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %224 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %225 = tosa.reshape %217, %224 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %226 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %227 = tosa.reshape %225, %226 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %228 = tosa.add %223, %227 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %229 = tosa.clamp %228 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %padded_25 = tensor.pad %229 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_24 : f32
    } : tensor<1x256x14x14xf32> to tensor<1x256x16x16xf32>
    %cst_26 = arith.constant 0.000000e+00 : f32
    %230 = tensor.empty() : tensor<1x256x14x14xf32>
    %231 = linalg.fill ins(%cst_26 : f32) outs(%230 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %232 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_25, %arg27 : tensor<1x256x16x16xf32>, tensor<256x256x3x3xf32>) outs(%231 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %233 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %234 = tosa.add %arg84, %233 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %235 = tosa.rsqrt %234 : (tensor<256xf32>) -> tensor<256xf32>
    %236 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %237 = tosa.mul %235, %arg28, %236 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %238 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %239 = tosa.mul %arg83, %237, %238 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %240 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %241 = tosa.negate %239, %240, %240 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %242 = tosa.add %241, %arg29 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %243 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %244 = tosa.reshape %237, %243 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %245 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %246 = tosa.reshape %244, %245 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %247 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %248 = tosa.mul %232, %246, %247 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %249 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %250 = tosa.reshape %242, %249 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %251 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %252 = tosa.reshape %250, %251 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %253 = tosa.add %248, %252 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %cst_27 = arith.constant 0.000000e+00 : f32
    %cst_28 = arith.constant 0.000000e+00 : f32
    %254 = tensor.empty() : tensor<1x256x14x14xf32>
    %255 = linalg.fill ins(%cst_28 : f32) outs(%254 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %256 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%204, %arg30 : tensor<1x128x28x28xf32>, tensor<256x128x1x1xf32>) outs(%255 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %257 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %258 = tosa.add %arg87, %257 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %259 = tosa.rsqrt %258 : (tensor<256xf32>) -> tensor<256xf32>
    %260 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %261 = tosa.mul %259, %arg31, %260 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %262 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %263 = tosa.mul %arg86, %261, %262 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %264 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %265 = tosa.negate %263, %264, %264 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %266 = tosa.add %265, %arg32 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %267 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %268 = tosa.reshape %261, %267 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %269 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %270 = tosa.reshape %268, %269 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %271 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %272 = tosa.mul %256, %270, %271 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %273 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %274 = tosa.reshape %266, %273 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %275 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %276 = tosa.reshape %274, %275 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %277 = tosa.add %272, %276 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %278 = tosa.add %253, %277 : (tensor<1x256x14x14xf32>, tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %279 = tosa.clamp %278 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_29 = arith.constant 0.000000e+00 : f32
    %padded_30 = tensor.pad %279 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_29 : f32
    } : tensor<1x256x14x14xf32> to tensor<1x256x16x16xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %280 = tensor.empty() : tensor<1x256x14x14xf32>
    %281 = linalg.fill ins(%cst_31 : f32) outs(%280 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %282 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_30, %arg33 : tensor<1x256x16x16xf32>, tensor<256x256x3x3xf32>) outs(%281 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %283 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %284 = tosa.add %arg90, %283 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %285 = tosa.rsqrt %284 : (tensor<256xf32>) -> tensor<256xf32>
    %286 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %287 = tosa.mul %285, %arg34, %286 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %288 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %289 = tosa.mul %arg89, %287, %288 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %290 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %291 = tosa.negate %289, %290, %290 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %292 = tosa.add %291, %arg35 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %293 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %294 = tosa.reshape %287, %293 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %295 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %296 = tosa.reshape %294, %295 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %297 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %298 = tosa.mul %282, %296, %297 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %299 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %300 = tosa.reshape %292, %299 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %301 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %302 = tosa.reshape %300, %301 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %303 = tosa.add %298, %302 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %304 = tosa.clamp %303 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_32 = arith.constant 0.000000e+00 : f32
    %padded_33 = tensor.pad %304 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_32 : f32
    } : tensor<1x256x14x14xf32> to tensor<1x256x16x16xf32>
    %cst_34 = arith.constant 0.000000e+00 : f32
    %305 = tensor.empty() : tensor<1x256x14x14xf32>
    %306 = linalg.fill ins(%cst_34 : f32) outs(%305 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %307 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_33, %arg36 : tensor<1x256x16x16xf32>, tensor<256x256x3x3xf32>) outs(%306 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %308 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %309 = tosa.add %arg93, %308 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %310 = tosa.rsqrt %309 : (tensor<256xf32>) -> tensor<256xf32>
    %311 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %312 = tosa.mul %310, %arg37, %311 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %313 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %314 = tosa.mul %arg92, %312, %313 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %315 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %316 = tosa.negate %314, %315, %315 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %317 = tosa.add %316, %arg38 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %318 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %319 = tosa.reshape %312, %318 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %320 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %321 = tosa.reshape %319, %320 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %322 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %323 = tosa.mul %307, %321, %322 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %324 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %325 = tosa.reshape %317, %324 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %326 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %327 = tosa.reshape %325, %326 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %328 = tosa.add %323, %327 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %329 = tosa.add %328, %279 : (tensor<1x256x14x14xf32>, tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %330 = tosa.clamp %329 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_35 = arith.constant 0.000000e+00 : f32
    %padded_36 = tensor.pad %330 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_35 : f32
    } : tensor<1x256x14x14xf32> to tensor<1x256x16x16xf32>
    %cst_37 = arith.constant 0.000000e+00 : f32
    %331 = tensor.empty() : tensor<1x512x7x7xf32>
    %332 = linalg.fill ins(%cst_37 : f32) outs(%331 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %333 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_36, %arg39 : tensor<1x256x16x16xf32>, tensor<512x256x3x3xf32>) outs(%332 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %334 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %335 = tosa.add %arg96, %334 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %336 = tosa.rsqrt %335 : (tensor<512xf32>) -> tensor<512xf32>
    %337 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %338 = tosa.mul %336, %arg40, %337 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %339 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %340 = tosa.mul %arg95, %338, %339 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %341 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %342 = tosa.negate %340, %341, %341 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %343 = tosa.add %342, %arg41 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %344 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %345 = tosa.reshape %338, %344 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %346 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %347 = tosa.reshape %345, %346 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %348 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %349 = tosa.mul %333, %347, %348 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %350 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %351 = tosa.reshape %343, %350 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %352 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %353 = tosa.reshape %351, %352 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %354 = tosa.add %349, %353 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %355 = tosa.clamp %354 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %cst_38 = arith.constant 0.000000e+00 : f32
    %padded_39 = tensor.pad %355 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_38 : f32
    } : tensor<1x512x7x7xf32> to tensor<1x512x9x9xf32>
    %cst_40 = arith.constant 0.000000e+00 : f32
    %356 = tensor.empty() : tensor<1x512x7x7xf32>
    %357 = linalg.fill ins(%cst_40 : f32) outs(%356 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %358 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_39, %arg42 : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>) outs(%357 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %359 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %360 = tosa.add %arg99, %359 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %361 = tosa.rsqrt %360 : (tensor<512xf32>) -> tensor<512xf32>
    %362 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %363 = tosa.mul %361, %arg43, %362 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %364 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %365 = tosa.mul %arg98, %363, %364 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %366 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %367 = tosa.negate %365, %366, %366 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %368 = tosa.add %367, %arg44 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %369 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %370 = tosa.reshape %363, %369 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %371 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %372 = tosa.reshape %370, %371 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %373 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %374 = tosa.mul %358, %372, %373 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %375 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %376 = tosa.reshape %368, %375 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %377 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %378 = tosa.reshape %376, %377 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %379 = tosa.add %374, %378 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %cst_41 = arith.constant 0.000000e+00 : f32
    %cst_42 = arith.constant 0.000000e+00 : f32
    %380 = tensor.empty() : tensor<1x512x7x7xf32>
    %381 = linalg.fill ins(%cst_42 : f32) outs(%380 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %382 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%330, %arg45 : tensor<1x256x14x14xf32>, tensor<512x256x1x1xf32>) outs(%381 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %383 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %384 = tosa.add %arg102, %383 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %385 = tosa.rsqrt %384 : (tensor<512xf32>) -> tensor<512xf32>
    %386 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %387 = tosa.mul %385, %arg46, %386 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %388 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %389 = tosa.mul %arg101, %387, %388 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %390 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %391 = tosa.negate %389, %390, %390 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %392 = tosa.add %391, %arg47 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %393 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %394 = tosa.reshape %387, %393 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %395 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %396 = tosa.reshape %394, %395 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %397 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %398 = tosa.mul %382, %396, %397 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %399 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %400 = tosa.reshape %392, %399 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %401 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %402 = tosa.reshape %400, %401 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %403 = tosa.add %398, %402 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %404 = tosa.add %379, %403 : (tensor<1x512x7x7xf32>, tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %405 = tosa.clamp %404 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %cst_43 = arith.constant 0.000000e+00 : f32
    %padded_44 = tensor.pad %405 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_43 : f32
    } : tensor<1x512x7x7xf32> to tensor<1x512x9x9xf32>
    %cst_45 = arith.constant 0.000000e+00 : f32
    %406 = tensor.empty() : tensor<1x512x7x7xf32>
    %407 = linalg.fill ins(%cst_45 : f32) outs(%406 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %408 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_44, %arg48 : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>) outs(%407 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %409 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %410 = tosa.add %arg105, %409 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %411 = tosa.rsqrt %410 : (tensor<512xf32>) -> tensor<512xf32>
    %412 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %413 = tosa.mul %411, %arg49, %412 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %414 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %415 = tosa.mul %arg104, %413, %414 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %416 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %417 = tosa.negate %415, %416, %416 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %418 = tosa.add %417, %arg50 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %419 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %420 = tosa.reshape %413, %419 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %421 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %422 = tosa.reshape %420, %421 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %423 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %424 = tosa.mul %408, %422, %423 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %425 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %426 = tosa.reshape %418, %425 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %427 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %428 = tosa.reshape %426, %427 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %429 = tosa.add %424, %428 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %430 = tosa.clamp %429 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %cst_46 = arith.constant 0.000000e+00 : f32
    %padded_47 = tensor.pad %430 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg111: index, %arg112: index, %arg113: index, %arg114: index):
      tensor.yield %cst_46 : f32
    } : tensor<1x512x7x7xf32> to tensor<1x512x9x9xf32>
    %cst_48 = arith.constant 0.000000e+00 : f32
    %431 = tensor.empty() : tensor<1x512x7x7xf32>
    %432 = linalg.fill ins(%cst_48 : f32) outs(%431 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %433 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_47, %arg51 : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>) outs(%432 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %434 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %435 = tosa.add %arg108, %434 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %436 = tosa.rsqrt %435 : (tensor<512xf32>) -> tensor<512xf32>
    %437 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %438 = tosa.mul %436, %arg52, %437 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %439 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %440 = tosa.mul %arg107, %438, %439 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %441 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %442 = tosa.negate %440, %441, %441 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %443 = tosa.add %442, %arg53 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %444 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %445 = tosa.reshape %438, %444 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %446 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %447 = tosa.reshape %445, %446 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %448 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %449 = tosa.mul %433, %447, %448 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %450 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %451 = tosa.reshape %443, %450 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %452 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %453 = tosa.reshape %451, %452 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %454 = tosa.add %449, %453 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %455 = tosa.add %454, %405 : (tensor<1x512x7x7xf32>, tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %456 = tosa.clamp %455 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %cst_49 = arith.constant 0.000000e+00 : f32
    %457 = tensor.empty() : tensor<1x512xf32>
    %458 = linalg.fill ins(%cst_49 : f32) outs(%457 : tensor<1x512xf32>) -> tensor<1x512xf32>
    %459 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%456 : tensor<1x512x7x7xf32>) outs(%458 : tensor<1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %467 = arith.addf %out, %in : f32
      linalg.yield %467 : f32
    } -> tensor<1x512xf32>
    %460 = tensor.empty() : tensor<1x512xf32>
    %461 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%459 : tensor<1x512xf32>) outs(%460 : tensor<1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 4.900000e+01 : f32
      %467 = arith.divf %in, %cst_50 : f32
      linalg.yield %467 : f32
    } -> tensor<1x512xf32>
    %expanded = tensor.expand_shape %461 [[0], [1, 2, 3]] output_shape [1, 512, 1, 1] : tensor<1x512xf32> into tensor<1x512x1x1xf32>
    %462 = tosa.const_shape  {values = dense<[1, 512]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %463 = tosa.reshape %expanded, %462 : (tensor<1x512x1x1xf32>, !tosa.shape<2>) -> tensor<1x512xf32>
    %464 = tensor.empty() : tensor<1x1000xf32>
    %465 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg55 : tensor<1000xf32>) outs(%464 : tensor<1x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1000xf32>
    %466 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%463, %arg54 : tensor<1x512xf32>, tensor<1000x512xf32>) outs(%465 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    return %466 : tensor<1x1000xf32>
  }
}

