#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @forward(%arg0: tensor<64x3x7x7xf32> {buddy.weight}, %arg1: tensor<64xf32> {buddy.weight}, %arg2: tensor<64xf32> {buddy.weight}, %arg3: tensor<64x64x1x1xf32> {buddy.weight}, %arg4: tensor<64xf32> {buddy.weight}, %arg5: tensor<64xf32> {buddy.weight}, %arg6: tensor<64x64x3x3xf32> {buddy.weight}, %arg7: tensor<64xf32> {buddy.weight}, %arg8: tensor<64xf32> {buddy.weight}, %arg9: tensor<256x64x1x1xf32> {buddy.weight}, %arg10: tensor<256xf32> {buddy.weight}, %arg11: tensor<256xf32> {buddy.weight}, %arg12: tensor<256x64x1x1xf32> {buddy.weight}, %arg13: tensor<256xf32> {buddy.weight}, %arg14: tensor<256xf32> {buddy.weight}, %arg15: tensor<128x256x1x1xf32> {buddy.weight}, %arg16: tensor<128xf32> {buddy.weight}, %arg17: tensor<128xf32> {buddy.weight}, %arg18: tensor<128x128x3x3xf32> {buddy.weight}, %arg19: tensor<128xf32> {buddy.weight}, %arg20: tensor<128xf32> {buddy.weight}, %arg21: tensor<512x128x1x1xf32> {buddy.weight}, %arg22: tensor<512xf32> {buddy.weight}, %arg23: tensor<512xf32> {buddy.weight}, %arg24: tensor<512x256x1x1xf32> {buddy.weight}, %arg25: tensor<512xf32> {buddy.weight}, %arg26: tensor<512xf32> {buddy.weight}, %arg27: tensor<256x512x1x1xf32> {buddy.weight}, %arg28: tensor<256xf32> {buddy.weight}, %arg29: tensor<256xf32> {buddy.weight}, %arg30: tensor<256x256x3x3xf32> {buddy.weight}, %arg31: tensor<256xf32> {buddy.weight}, %arg32: tensor<256xf32> {buddy.weight}, %arg33: tensor<1024x256x1x1xf32> {buddy.weight}, %arg34: tensor<1024xf32> {buddy.weight}, %arg35: tensor<1024xf32> {buddy.weight}, %arg36: tensor<1024x512x1x1xf32> {buddy.weight}, %arg37: tensor<1024xf32> {buddy.weight}, %arg38: tensor<1024xf32> {buddy.weight}, %arg39: tensor<256x1024x1x1xf32> {buddy.weight}, %arg40: tensor<256xf32> {buddy.weight}, %arg41: tensor<256xf32> {buddy.weight}, %arg42: tensor<256x256x3x3xf32> {buddy.weight}, %arg43: tensor<256xf32> {buddy.weight}, %arg44: tensor<256xf32> {buddy.weight}, %arg45: tensor<1024x256x1x1xf32> {buddy.weight}, %arg46: tensor<1024xf32> {buddy.weight}, %arg47: tensor<1024xf32> {buddy.weight}, %arg48: tensor<512x1024x1x1xf32> {buddy.weight}, %arg49: tensor<512xf32> {buddy.weight}, %arg50: tensor<512xf32> {buddy.weight}, %arg51: tensor<512x512x3x3xf32> {buddy.weight}, %arg52: tensor<512xf32> {buddy.weight}, %arg53: tensor<512xf32> {buddy.weight}, %arg54: tensor<2048x512x1x1xf32> {buddy.weight}, %arg55: tensor<2048xf32> {buddy.weight}, %arg56: tensor<2048xf32> {buddy.weight}, %arg57: tensor<2048x1024x1x1xf32> {buddy.weight}, %arg58: tensor<2048xf32> {buddy.weight}, %arg59: tensor<2048xf32> {buddy.weight}, %arg60: tensor<512x2048x1x1xf32> {buddy.weight}, %arg61: tensor<512xf32> {buddy.weight}, %arg62: tensor<512xf32> {buddy.weight}, %arg63: tensor<512x512x3x3xf32> {buddy.weight}, %arg64: tensor<512xf32> {buddy.weight}, %arg65: tensor<512xf32> {buddy.weight}, %arg66: tensor<2048x512x1x1xf32> {buddy.weight}, %arg67: tensor<2048xf32> {buddy.weight}, %arg68: tensor<2048xf32> {buddy.weight}, %arg69: tensor<1000x2048xf32> {buddy.weight}, %arg70: tensor<1000xf32> {buddy.weight}, %arg71: tensor<64xf32> {buddy.weight}, %arg72: tensor<64xf32> {buddy.weight}, %arg73: tensor<i64> {buddy.weight}, %arg74: tensor<64xf32> {buddy.weight}, %arg75: tensor<64xf32> {buddy.weight}, %arg76: tensor<i64> {buddy.weight}, %arg77: tensor<64xf32> {buddy.weight}, %arg78: tensor<64xf32> {buddy.weight}, %arg79: tensor<i64> {buddy.weight}, %arg80: tensor<256xf32> {buddy.weight}, %arg81: tensor<256xf32> {buddy.weight}, %arg82: tensor<i64> {buddy.weight}, %arg83: tensor<256xf32> {buddy.weight}, %arg84: tensor<256xf32> {buddy.weight}, %arg85: tensor<i64> {buddy.weight}, %arg86: tensor<128xf32> {buddy.weight}, %arg87: tensor<128xf32> {buddy.weight}, %arg88: tensor<i64> {buddy.weight}, %arg89: tensor<128xf32> {buddy.weight}, %arg90: tensor<128xf32> {buddy.weight}, %arg91: tensor<i64> {buddy.weight}, %arg92: tensor<512xf32> {buddy.weight}, %arg93: tensor<512xf32> {buddy.weight}, %arg94: tensor<i64> {buddy.weight}, %arg95: tensor<512xf32> {buddy.weight}, %arg96: tensor<512xf32> {buddy.weight}, %arg97: tensor<i64> {buddy.weight}, %arg98: tensor<256xf32> {buddy.weight}, %arg99: tensor<256xf32> {buddy.weight}, %arg100: tensor<i64> {buddy.weight}, %arg101: tensor<256xf32> {buddy.weight}, %arg102: tensor<256xf32> {buddy.weight}, %arg103: tensor<i64> {buddy.weight}, %arg104: tensor<1024xf32> {buddy.weight}, %arg105: tensor<1024xf32> {buddy.weight}, %arg106: tensor<i64> {buddy.weight}, %arg107: tensor<1024xf32> {buddy.weight}, %arg108: tensor<1024xf32> {buddy.weight}, %arg109: tensor<i64> {buddy.weight}, %arg110: tensor<256xf32> {buddy.weight}, %arg111: tensor<256xf32> {buddy.weight}, %arg112: tensor<i64> {buddy.weight}, %arg113: tensor<256xf32> {buddy.weight}, %arg114: tensor<256xf32> {buddy.weight}, %arg115: tensor<i64> {buddy.weight}, %arg116: tensor<1024xf32> {buddy.weight}, %arg117: tensor<1024xf32> {buddy.weight}, %arg118: tensor<i64> {buddy.weight}, %arg119: tensor<512xf32> {buddy.weight}, %arg120: tensor<512xf32> {buddy.weight}, %arg121: tensor<i64> {buddy.weight}, %arg122: tensor<512xf32> {buddy.weight}, %arg123: tensor<512xf32> {buddy.weight}, %arg124: tensor<i64> {buddy.weight}, %arg125: tensor<2048xf32> {buddy.weight}, %arg126: tensor<2048xf32> {buddy.weight}, %arg127: tensor<i64> {buddy.weight}, %arg128: tensor<2048xf32> {buddy.weight}, %arg129: tensor<2048xf32> {buddy.weight}, %arg130: tensor<i64> {buddy.weight}, %arg131: tensor<512xf32> {buddy.weight}, %arg132: tensor<512xf32> {buddy.weight}, %arg133: tensor<i64> {buddy.weight}, %arg134: tensor<512xf32> {buddy.weight}, %arg135: tensor<512xf32> {buddy.weight}, %arg136: tensor<i64> {buddy.weight}, %arg137: tensor<2048xf32> {buddy.weight}, %arg138: tensor<2048xf32> {buddy.weight}, %arg139: tensor<i64> {buddy.weight}, %arg140: tensor<1x3x224x224xf32>) -> tensor<1x1000xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg140 low[0, 0, 3, 3] high[0, 0, 3, 3] {
    ^bb0(%arg141: index, %arg142: index, %arg143: index, %arg144: index):
      tensor.yield %cst : f32
    } : tensor<1x3x224x224xf32> to tensor<1x3x230x230xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x64x112x112xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg0 : tensor<1x3x230x230xf32>, tensor<64x3x7x7xf32>) outs(%1 : tensor<1x64x112x112xf32>) -> tensor<1x64x112x112xf32>
    %3 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.add %arg72, %3 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %5 = tosa.rsqrt %4 : (tensor<64xf32>) -> tensor<64xf32>
    %6 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = tosa.mul %5, %arg1, %6 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = tosa.mul %arg71, %7, %8 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
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
    %cst_2 = arith.constant 0.000000e+00 : f32
    %28 = tensor.empty() : tensor<1x64x56x56xf32>
    %29 = linalg.fill ins(%cst_2 : f32) outs(%28 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %30 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%27, %arg3 : tensor<1x64x56x56xf32>, tensor<64x64x1x1xf32>) outs(%29 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %31 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %32 = tosa.add %arg75, %31 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %33 = tosa.rsqrt %32 : (tensor<64xf32>) -> tensor<64xf32>
    %34 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = tosa.mul %33, %arg4, %34 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.mul %arg74, %35, %36 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
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
    %cst_3 = arith.constant 0.000000e+00 : f32
    %padded_4 = tensor.pad %52 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg141: index, %arg142: index, %arg143: index, %arg144: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %53 = tensor.empty() : tensor<1x64x56x56xf32>
    %54 = linalg.fill ins(%cst_5 : f32) outs(%53 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %55 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_4, %arg6 : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%54 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %56 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %57 = tosa.add %arg78, %56 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %58 = tosa.rsqrt %57 : (tensor<64xf32>) -> tensor<64xf32>
    %59 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %60 = tosa.mul %58, %arg7, %59 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %61 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %62 = tosa.mul %arg77, %60, %61 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
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
    %77 = tosa.clamp %76 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %cst_7 = arith.constant 0.000000e+00 : f32
    %78 = tensor.empty() : tensor<1x256x56x56xf32>
    %79 = linalg.fill ins(%cst_7 : f32) outs(%78 : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %80 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%77, %arg9 : tensor<1x64x56x56xf32>, tensor<256x64x1x1xf32>) outs(%79 : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %81 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %82 = tosa.add %arg81, %81 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %83 = tosa.rsqrt %82 : (tensor<256xf32>) -> tensor<256xf32>
    %84 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %85 = tosa.mul %83, %arg10, %84 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %86 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %87 = tosa.mul %arg80, %85, %86 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %88 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %89 = tosa.negate %87, %88, %88 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %90 = tosa.add %89, %arg11 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %91 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %92 = tosa.reshape %85, %91 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %93 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %94 = tosa.reshape %92, %93 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %95 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %96 = tosa.mul %80, %94, %95 : (tensor<1x256x56x56xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x56x56xf32>
    %97 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %98 = tosa.reshape %90, %97 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %99 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %100 = tosa.reshape %98, %99 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %101 = tosa.add %96, %100 : (tensor<1x256x56x56xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x56x56xf32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %cst_9 = arith.constant 0.000000e+00 : f32
    %102 = tensor.empty() : tensor<1x256x56x56xf32>
    %103 = linalg.fill ins(%cst_9 : f32) outs(%102 : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %104 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%27, %arg12 : tensor<1x64x56x56xf32>, tensor<256x64x1x1xf32>) outs(%103 : tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %105 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %106 = tosa.add %arg84, %105 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %107 = tosa.rsqrt %106 : (tensor<256xf32>) -> tensor<256xf32>
    %108 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %109 = tosa.mul %107, %arg13, %108 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %110 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %111 = tosa.mul %arg83, %109, %110 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %112 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %113 = tosa.negate %111, %112, %112 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %114 = tosa.add %113, %arg14 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %115 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %116 = tosa.reshape %109, %115 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %117 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %118 = tosa.reshape %116, %117 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %119 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %120 = tosa.mul %104, %118, %119 : (tensor<1x256x56x56xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x56x56xf32>
    %121 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %122 = tosa.reshape %114, %121 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %123 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %124 = tosa.reshape %122, %123 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %125 = tosa.add %120, %124 : (tensor<1x256x56x56xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x56x56xf32>
    %126 = tosa.add %101, %125 : (tensor<1x256x56x56xf32>, tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %127 = tosa.clamp %126 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x56x56xf32>) -> tensor<1x256x56x56xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %cst_11 = arith.constant 0.000000e+00 : f32
    %128 = tensor.empty() : tensor<1x128x56x56xf32>
    %129 = linalg.fill ins(%cst_11 : f32) outs(%128 : tensor<1x128x56x56xf32>) -> tensor<1x128x56x56xf32>
    %130 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%127, %arg15 : tensor<1x256x56x56xf32>, tensor<128x256x1x1xf32>) outs(%129 : tensor<1x128x56x56xf32>) -> tensor<1x128x56x56xf32>
    %131 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %132 = tosa.add %arg87, %131 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
    %133 = tosa.rsqrt %132 : (tensor<128xf32>) -> tensor<128xf32>
    %134 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %135 = tosa.mul %133, %arg16, %134 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %136 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %137 = tosa.mul %arg86, %135, %136 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %138 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %139 = tosa.negate %137, %138, %138 : (tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<128xf32>
    %140 = tosa.add %139, %arg17 : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %141 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %142 = tosa.reshape %135, %141 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %143 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %144 = tosa.reshape %142, %143 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %145 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %146 = tosa.mul %130, %144, %145 : (tensor<1x128x56x56xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x56x56xf32>
    %147 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %148 = tosa.reshape %140, %147 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %149 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %150 = tosa.reshape %148, %149 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %151 = tosa.add %146, %150 : (tensor<1x128x56x56xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x56x56xf32>
    %152 = tosa.clamp %151 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x56x56xf32>) -> tensor<1x128x56x56xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %padded_13 = tensor.pad %152 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg141: index, %arg142: index, %arg143: index, %arg144: index):
      tensor.yield %cst_12 : f32
    } : tensor<1x128x56x56xf32> to tensor<1x128x58x58xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %153 = tensor.empty() : tensor<1x128x28x28xf32>
    %154 = linalg.fill ins(%cst_14 : f32) outs(%153 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %155 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_13, %arg18 : tensor<1x128x58x58xf32>, tensor<128x128x3x3xf32>) outs(%154 : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %156 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %157 = tosa.add %arg90, %156 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
    %158 = tosa.rsqrt %157 : (tensor<128xf32>) -> tensor<128xf32>
    %159 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %160 = tosa.mul %158, %arg19, %159 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %161 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %162 = tosa.mul %arg89, %160, %161 : (tensor<128xf32>, tensor<128xf32>, tensor<1xi8>) -> tensor<128xf32>
    %163 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %164 = tosa.negate %162, %163, %163 : (tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<128xf32>
    %165 = tosa.add %164, %arg20 : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %166 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %167 = tosa.reshape %160, %166 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %168 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %169 = tosa.reshape %167, %168 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %170 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %171 = tosa.mul %155, %169, %170 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>, tensor<1xi8>) -> tensor<1x128x28x28xf32>
    %172 = tosa.const_shape  {values = dense<[128, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %173 = tosa.reshape %165, %172 : (tensor<128xf32>, !tosa.shape<3>) -> tensor<128x1x1xf32>
    %174 = tosa.const_shape  {values = dense<[1, 128, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %175 = tosa.reshape %173, %174 : (tensor<128x1x1xf32>, !tosa.shape<4>) -> tensor<1x128x1x1xf32>
    %176 = tosa.add %171, %175 : (tensor<1x128x28x28xf32>, tensor<1x128x1x1xf32>) -> tensor<1x128x28x28xf32>
    %177 = tosa.clamp %176 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %cst_16 = arith.constant 0.000000e+00 : f32
    %178 = tensor.empty() : tensor<1x512x28x28xf32>
    %179 = linalg.fill ins(%cst_16 : f32) outs(%178 : tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %180 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%177, %arg21 : tensor<1x128x28x28xf32>, tensor<512x128x1x1xf32>) outs(%179 : tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %181 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %182 = tosa.add %arg93, %181 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %183 = tosa.rsqrt %182 : (tensor<512xf32>) -> tensor<512xf32>
    %184 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %185 = tosa.mul %183, %arg22, %184 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %186 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %187 = tosa.mul %arg92, %185, %186 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %188 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %189 = tosa.negate %187, %188, %188 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %190 = tosa.add %189, %arg23 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %191 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %192 = tosa.reshape %185, %191 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %193 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %194 = tosa.reshape %192, %193 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %195 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %196 = tosa.mul %180, %194, %195 : (tensor<1x512x28x28xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x28x28xf32>
    %197 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %198 = tosa.reshape %190, %197 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %199 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %200 = tosa.reshape %198, %199 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %201 = tosa.add %196, %200 : (tensor<1x512x28x28xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x28x28xf32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %cst_18 = arith.constant 0.000000e+00 : f32
    %202 = tensor.empty() : tensor<1x512x28x28xf32>
    %203 = linalg.fill ins(%cst_18 : f32) outs(%202 : tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %204 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%127, %arg24 : tensor<1x256x56x56xf32>, tensor<512x256x1x1xf32>) outs(%203 : tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %205 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %206 = tosa.add %arg96, %205 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %207 = tosa.rsqrt %206 : (tensor<512xf32>) -> tensor<512xf32>
    %208 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %209 = tosa.mul %207, %arg25, %208 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %210 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %211 = tosa.mul %arg95, %209, %210 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %212 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %213 = tosa.negate %211, %212, %212 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %214 = tosa.add %213, %arg26 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %215 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %216 = tosa.reshape %209, %215 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %217 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %218 = tosa.reshape %216, %217 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %219 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %220 = tosa.mul %204, %218, %219 : (tensor<1x512x28x28xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x28x28xf32>
    %221 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %222 = tosa.reshape %214, %221 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %223 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %224 = tosa.reshape %222, %223 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %225 = tosa.add %220, %224 : (tensor<1x512x28x28xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x28x28xf32>
    %226 = tosa.add %201, %225 : (tensor<1x512x28x28xf32>, tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %227 = tosa.clamp %226 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x28x28xf32>) -> tensor<1x512x28x28xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %cst_20 = arith.constant 0.000000e+00 : f32
    %228 = tensor.empty() : tensor<1x256x28x28xf32>
    %229 = linalg.fill ins(%cst_20 : f32) outs(%228 : tensor<1x256x28x28xf32>) -> tensor<1x256x28x28xf32>
    %230 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%227, %arg27 : tensor<1x512x28x28xf32>, tensor<256x512x1x1xf32>) outs(%229 : tensor<1x256x28x28xf32>) -> tensor<1x256x28x28xf32>
    %231 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %232 = tosa.add %arg99, %231 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %233 = tosa.rsqrt %232 : (tensor<256xf32>) -> tensor<256xf32>
    %234 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %235 = tosa.mul %233, %arg28, %234 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %236 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %237 = tosa.mul %arg98, %235, %236 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %238 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %239 = tosa.negate %237, %238, %238 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %240 = tosa.add %239, %arg29 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %241 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %242 = tosa.reshape %235, %241 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %243 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %244 = tosa.reshape %242, %243 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %245 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %246 = tosa.mul %230, %244, %245 : (tensor<1x256x28x28xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x28x28xf32>
    %247 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %248 = tosa.reshape %240, %247 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %249 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %250 = tosa.reshape %248, %249 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %251 = tosa.add %246, %250 : (tensor<1x256x28x28xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x28x28xf32>
    %252 = tosa.clamp %251 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x28x28xf32>) -> tensor<1x256x28x28xf32>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %padded_22 = tensor.pad %252 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg141: index, %arg142: index, %arg143: index, %arg144: index):
      tensor.yield %cst_21 : f32
    } : tensor<1x256x28x28xf32> to tensor<1x256x30x30xf32>
    %cst_23 = arith.constant 0.000000e+00 : f32
    %253 = tensor.empty() : tensor<1x256x14x14xf32>
    %254 = linalg.fill ins(%cst_23 : f32) outs(%253 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %255 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_22, %arg30 : tensor<1x256x30x30xf32>, tensor<256x256x3x3xf32>) outs(%254 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %256 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %257 = tosa.add %arg102, %256 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %258 = tosa.rsqrt %257 : (tensor<256xf32>) -> tensor<256xf32>
    %259 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %260 = tosa.mul %258, %arg31, %259 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %261 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %262 = tosa.mul %arg101, %260, %261 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %263 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %264 = tosa.negate %262, %263, %263 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %265 = tosa.add %264, %arg32 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %266 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %267 = tosa.reshape %260, %266 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %268 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %269 = tosa.reshape %267, %268 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %270 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %271 = tosa.mul %255, %269, %270 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %272 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %273 = tosa.reshape %265, %272 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %274 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %275 = tosa.reshape %273, %274 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %276 = tosa.add %271, %275 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %277 = tosa.clamp %276 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %cst_25 = arith.constant 0.000000e+00 : f32
    %278 = tensor.empty() : tensor<1x1024x14x14xf32>
    %279 = linalg.fill ins(%cst_25 : f32) outs(%278 : tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %280 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%277, %arg33 : tensor<1x256x14x14xf32>, tensor<1024x256x1x1xf32>) outs(%279 : tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %281 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %282 = tosa.add %arg105, %281 : (tensor<1024xf32>, tensor<1xf32>) -> tensor<1024xf32>
    %283 = tosa.rsqrt %282 : (tensor<1024xf32>) -> tensor<1024xf32>
    %284 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %285 = tosa.mul %283, %arg34, %284 : (tensor<1024xf32>, tensor<1024xf32>, tensor<1xi8>) -> tensor<1024xf32>
    %286 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %287 = tosa.mul %arg104, %285, %286 : (tensor<1024xf32>, tensor<1024xf32>, tensor<1xi8>) -> tensor<1024xf32>
    %288 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %289 = tosa.negate %287, %288, %288 : (tensor<1024xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1024xf32>
    %290 = tosa.add %289, %arg35 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %291 = tosa.const_shape  {values = dense<[1024, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %292 = tosa.reshape %285, %291 : (tensor<1024xf32>, !tosa.shape<3>) -> tensor<1024x1x1xf32>
    %293 = tosa.const_shape  {values = dense<[1, 1024, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %294 = tosa.reshape %292, %293 : (tensor<1024x1x1xf32>, !tosa.shape<4>) -> tensor<1x1024x1x1xf32>
    %295 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %296 = tosa.mul %280, %294, %295 : (tensor<1x1024x14x14xf32>, tensor<1x1024x1x1xf32>, tensor<1xi8>) -> tensor<1x1024x14x14xf32>
    %297 = tosa.const_shape  {values = dense<[1024, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %298 = tosa.reshape %290, %297 : (tensor<1024xf32>, !tosa.shape<3>) -> tensor<1024x1x1xf32>
    %299 = tosa.const_shape  {values = dense<[1, 1024, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %300 = tosa.reshape %298, %299 : (tensor<1024x1x1xf32>, !tosa.shape<4>) -> tensor<1x1024x1x1xf32>
    %301 = tosa.add %296, %300 : (tensor<1x1024x14x14xf32>, tensor<1x1024x1x1xf32>) -> tensor<1x1024x14x14xf32>
    %cst_26 = arith.constant 0.000000e+00 : f32
    %cst_27 = arith.constant 0.000000e+00 : f32
    %302 = tensor.empty() : tensor<1x1024x14x14xf32>
    %303 = linalg.fill ins(%cst_27 : f32) outs(%302 : tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %304 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%227, %arg36 : tensor<1x512x28x28xf32>, tensor<1024x512x1x1xf32>) outs(%303 : tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %305 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %306 = tosa.add %arg108, %305 : (tensor<1024xf32>, tensor<1xf32>) -> tensor<1024xf32>
    %307 = tosa.rsqrt %306 : (tensor<1024xf32>) -> tensor<1024xf32>
    %308 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %309 = tosa.mul %307, %arg37, %308 : (tensor<1024xf32>, tensor<1024xf32>, tensor<1xi8>) -> tensor<1024xf32>
    %310 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %311 = tosa.mul %arg107, %309, %310 : (tensor<1024xf32>, tensor<1024xf32>, tensor<1xi8>) -> tensor<1024xf32>
    %312 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %313 = tosa.negate %311, %312, %312 : (tensor<1024xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1024xf32>
    %314 = tosa.add %313, %arg38 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %315 = tosa.const_shape  {values = dense<[1024, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %316 = tosa.reshape %309, %315 : (tensor<1024xf32>, !tosa.shape<3>) -> tensor<1024x1x1xf32>
    %317 = tosa.const_shape  {values = dense<[1, 1024, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %318 = tosa.reshape %316, %317 : (tensor<1024x1x1xf32>, !tosa.shape<4>) -> tensor<1x1024x1x1xf32>
    %319 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %320 = tosa.mul %304, %318, %319 : (tensor<1x1024x14x14xf32>, tensor<1x1024x1x1xf32>, tensor<1xi8>) -> tensor<1x1024x14x14xf32>
    %321 = tosa.const_shape  {values = dense<[1024, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %322 = tosa.reshape %314, %321 : (tensor<1024xf32>, !tosa.shape<3>) -> tensor<1024x1x1xf32>
    %323 = tosa.const_shape  {values = dense<[1, 1024, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %324 = tosa.reshape %322, %323 : (tensor<1024x1x1xf32>, !tosa.shape<4>) -> tensor<1x1024x1x1xf32>
    %325 = tosa.add %320, %324 : (tensor<1x1024x14x14xf32>, tensor<1x1024x1x1xf32>) -> tensor<1x1024x14x14xf32>
    %326 = tosa.add %301, %325 : (tensor<1x1024x14x14xf32>, tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %327 = tosa.clamp %326 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %cst_29 = arith.constant 0.000000e+00 : f32
    %328 = tensor.empty() : tensor<1x256x14x14xf32>
    %329 = linalg.fill ins(%cst_29 : f32) outs(%328 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %330 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%327, %arg39 : tensor<1x1024x14x14xf32>, tensor<256x1024x1x1xf32>) outs(%329 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %331 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %332 = tosa.add %arg111, %331 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %333 = tosa.rsqrt %332 : (tensor<256xf32>) -> tensor<256xf32>
    %334 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %335 = tosa.mul %333, %arg40, %334 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %336 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %337 = tosa.mul %arg110, %335, %336 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %338 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %339 = tosa.negate %337, %338, %338 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %340 = tosa.add %339, %arg41 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %341 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %342 = tosa.reshape %335, %341 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %343 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %344 = tosa.reshape %342, %343 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %345 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %346 = tosa.mul %330, %344, %345 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %347 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %348 = tosa.reshape %340, %347 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %349 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %350 = tosa.reshape %348, %349 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %351 = tosa.add %346, %350 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %352 = tosa.clamp %351 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_30 = arith.constant 0.000000e+00 : f32
    %padded_31 = tensor.pad %352 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg141: index, %arg142: index, %arg143: index, %arg144: index):
      tensor.yield %cst_30 : f32
    } : tensor<1x256x14x14xf32> to tensor<1x256x16x16xf32>
    %cst_32 = arith.constant 0.000000e+00 : f32
    %353 = tensor.empty() : tensor<1x256x14x14xf32>
    %354 = linalg.fill ins(%cst_32 : f32) outs(%353 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %355 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_31, %arg42 : tensor<1x256x16x16xf32>, tensor<256x256x3x3xf32>) outs(%354 : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %356 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %357 = tosa.add %arg114, %356 : (tensor<256xf32>, tensor<1xf32>) -> tensor<256xf32>
    %358 = tosa.rsqrt %357 : (tensor<256xf32>) -> tensor<256xf32>
    %359 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %360 = tosa.mul %358, %arg43, %359 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %361 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %362 = tosa.mul %arg113, %360, %361 : (tensor<256xf32>, tensor<256xf32>, tensor<1xi8>) -> tensor<256xf32>
    %363 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %364 = tosa.negate %362, %363, %363 : (tensor<256xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<256xf32>
    %365 = tosa.add %364, %arg44 : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %366 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %367 = tosa.reshape %360, %366 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %368 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %369 = tosa.reshape %367, %368 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %370 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %371 = tosa.mul %355, %369, %370 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>, tensor<1xi8>) -> tensor<1x256x14x14xf32>
    %372 = tosa.const_shape  {values = dense<[256, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %373 = tosa.reshape %365, %372 : (tensor<256xf32>, !tosa.shape<3>) -> tensor<256x1x1xf32>
    %374 = tosa.const_shape  {values = dense<[1, 256, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %375 = tosa.reshape %373, %374 : (tensor<256x1x1xf32>, !tosa.shape<4>) -> tensor<1x256x1x1xf32>
    %376 = tosa.add %371, %375 : (tensor<1x256x14x14xf32>, tensor<1x256x1x1xf32>) -> tensor<1x256x14x14xf32>
    %377 = tosa.clamp %376 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %cst_34 = arith.constant 0.000000e+00 : f32
    %378 = tensor.empty() : tensor<1x1024x14x14xf32>
    %379 = linalg.fill ins(%cst_34 : f32) outs(%378 : tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %380 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%377, %arg45 : tensor<1x256x14x14xf32>, tensor<1024x256x1x1xf32>) outs(%379 : tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %381 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %382 = tosa.add %arg117, %381 : (tensor<1024xf32>, tensor<1xf32>) -> tensor<1024xf32>
    %383 = tosa.rsqrt %382 : (tensor<1024xf32>) -> tensor<1024xf32>
    %384 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %385 = tosa.mul %383, %arg46, %384 : (tensor<1024xf32>, tensor<1024xf32>, tensor<1xi8>) -> tensor<1024xf32>
    %386 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %387 = tosa.mul %arg116, %385, %386 : (tensor<1024xf32>, tensor<1024xf32>, tensor<1xi8>) -> tensor<1024xf32>
    %388 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %389 = tosa.negate %387, %388, %388 : (tensor<1024xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1024xf32>
    %390 = tosa.add %389, %arg47 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %391 = tosa.const_shape  {values = dense<[1024, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %392 = tosa.reshape %385, %391 : (tensor<1024xf32>, !tosa.shape<3>) -> tensor<1024x1x1xf32>
    %393 = tosa.const_shape  {values = dense<[1, 1024, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %394 = tosa.reshape %392, %393 : (tensor<1024x1x1xf32>, !tosa.shape<4>) -> tensor<1x1024x1x1xf32>
    %395 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %396 = tosa.mul %380, %394, %395 : (tensor<1x1024x14x14xf32>, tensor<1x1024x1x1xf32>, tensor<1xi8>) -> tensor<1x1024x14x14xf32>
    %397 = tosa.const_shape  {values = dense<[1024, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %398 = tosa.reshape %390, %397 : (tensor<1024xf32>, !tosa.shape<3>) -> tensor<1024x1x1xf32>
    %399 = tosa.const_shape  {values = dense<[1, 1024, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %400 = tosa.reshape %398, %399 : (tensor<1024x1x1xf32>, !tosa.shape<4>) -> tensor<1x1024x1x1xf32>
    %401 = tosa.add %396, %400 : (tensor<1x1024x14x14xf32>, tensor<1x1024x1x1xf32>) -> tensor<1x1024x14x14xf32>
    %402 = tosa.add %401, %327 : (tensor<1x1024x14x14xf32>, tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %403 = tosa.clamp %402 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x1024x14x14xf32>) -> tensor<1x1024x14x14xf32>
    %cst_35 = arith.constant 0.000000e+00 : f32
    %cst_36 = arith.constant 0.000000e+00 : f32
    %404 = tensor.empty() : tensor<1x512x14x14xf32>
    %405 = linalg.fill ins(%cst_36 : f32) outs(%404 : tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
    %406 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%403, %arg48 : tensor<1x1024x14x14xf32>, tensor<512x1024x1x1xf32>) outs(%405 : tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
    %407 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %408 = tosa.add %arg120, %407 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %409 = tosa.rsqrt %408 : (tensor<512xf32>) -> tensor<512xf32>
    %410 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %411 = tosa.mul %409, %arg49, %410 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %412 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %413 = tosa.mul %arg119, %411, %412 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %414 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %415 = tosa.negate %413, %414, %414 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %416 = tosa.add %415, %arg50 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %417 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %418 = tosa.reshape %411, %417 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %419 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %420 = tosa.reshape %418, %419 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %421 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %422 = tosa.mul %406, %420, %421 : (tensor<1x512x14x14xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x14x14xf32>
    %423 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %424 = tosa.reshape %416, %423 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %425 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %426 = tosa.reshape %424, %425 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %427 = tosa.add %422, %426 : (tensor<1x512x14x14xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x14x14xf32>
    %428 = tosa.clamp %427 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x14x14xf32>) -> tensor<1x512x14x14xf32>
    %cst_37 = arith.constant 0.000000e+00 : f32
    %padded_38 = tensor.pad %428 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg141: index, %arg142: index, %arg143: index, %arg144: index):
      tensor.yield %cst_37 : f32
    } : tensor<1x512x14x14xf32> to tensor<1x512x16x16xf32>
    %cst_39 = arith.constant 0.000000e+00 : f32
    %429 = tensor.empty() : tensor<1x512x7x7xf32>
    %430 = linalg.fill ins(%cst_39 : f32) outs(%429 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %431 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_38, %arg51 : tensor<1x512x16x16xf32>, tensor<512x512x3x3xf32>) outs(%430 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %432 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %433 = tosa.add %arg123, %432 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %434 = tosa.rsqrt %433 : (tensor<512xf32>) -> tensor<512xf32>
    %435 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %436 = tosa.mul %434, %arg52, %435 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %437 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %438 = tosa.mul %arg122, %436, %437 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %439 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %440 = tosa.negate %438, %439, %439 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %441 = tosa.add %440, %arg53 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %442 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %443 = tosa.reshape %436, %442 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %444 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %445 = tosa.reshape %443, %444 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %446 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %447 = tosa.mul %431, %445, %446 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %448 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %449 = tosa.reshape %441, %448 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %450 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %451 = tosa.reshape %449, %450 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %452 = tosa.add %447, %451 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %453 = tosa.clamp %452 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %cst_40 = arith.constant 0.000000e+00 : f32
    %cst_41 = arith.constant 0.000000e+00 : f32
    %454 = tensor.empty() : tensor<1x2048x7x7xf32>
    %455 = linalg.fill ins(%cst_41 : f32) outs(%454 : tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %456 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%453, %arg54 : tensor<1x512x7x7xf32>, tensor<2048x512x1x1xf32>) outs(%455 : tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %457 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %458 = tosa.add %arg126, %457 : (tensor<2048xf32>, tensor<1xf32>) -> tensor<2048xf32>
    %459 = tosa.rsqrt %458 : (tensor<2048xf32>) -> tensor<2048xf32>
    %460 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %461 = tosa.mul %459, %arg55, %460 : (tensor<2048xf32>, tensor<2048xf32>, tensor<1xi8>) -> tensor<2048xf32>
    %462 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %463 = tosa.mul %arg125, %461, %462 : (tensor<2048xf32>, tensor<2048xf32>, tensor<1xi8>) -> tensor<2048xf32>
    %464 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %465 = tosa.negate %463, %464, %464 : (tensor<2048xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2048xf32>
    %466 = tosa.add %465, %arg56 : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    %467 = tosa.const_shape  {values = dense<[2048, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %468 = tosa.reshape %461, %467 : (tensor<2048xf32>, !tosa.shape<3>) -> tensor<2048x1x1xf32>
    %469 = tosa.const_shape  {values = dense<[1, 2048, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %470 = tosa.reshape %468, %469 : (tensor<2048x1x1xf32>, !tosa.shape<4>) -> tensor<1x2048x1x1xf32>
    %471 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %472 = tosa.mul %456, %470, %471 : (tensor<1x2048x7x7xf32>, tensor<1x2048x1x1xf32>, tensor<1xi8>) -> tensor<1x2048x7x7xf32>
    %473 = tosa.const_shape  {values = dense<[2048, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %474 = tosa.reshape %466, %473 : (tensor<2048xf32>, !tosa.shape<3>) -> tensor<2048x1x1xf32>
    %475 = tosa.const_shape  {values = dense<[1, 2048, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %476 = tosa.reshape %474, %475 : (tensor<2048x1x1xf32>, !tosa.shape<4>) -> tensor<1x2048x1x1xf32>
    %477 = tosa.add %472, %476 : (tensor<1x2048x7x7xf32>, tensor<1x2048x1x1xf32>) -> tensor<1x2048x7x7xf32>
    %cst_42 = arith.constant 0.000000e+00 : f32
    %cst_43 = arith.constant 0.000000e+00 : f32
    %478 = tensor.empty() : tensor<1x2048x7x7xf32>
    %479 = linalg.fill ins(%cst_43 : f32) outs(%478 : tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %480 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%403, %arg57 : tensor<1x1024x14x14xf32>, tensor<2048x1024x1x1xf32>) outs(%479 : tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %481 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %482 = tosa.add %arg129, %481 : (tensor<2048xf32>, tensor<1xf32>) -> tensor<2048xf32>
    %483 = tosa.rsqrt %482 : (tensor<2048xf32>) -> tensor<2048xf32>
    %484 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %485 = tosa.mul %483, %arg58, %484 : (tensor<2048xf32>, tensor<2048xf32>, tensor<1xi8>) -> tensor<2048xf32>
    %486 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %487 = tosa.mul %arg128, %485, %486 : (tensor<2048xf32>, tensor<2048xf32>, tensor<1xi8>) -> tensor<2048xf32>
    %488 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %489 = tosa.negate %487, %488, %488 : (tensor<2048xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2048xf32>
    %490 = tosa.add %489, %arg59 : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    %491 = tosa.const_shape  {values = dense<[2048, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %492 = tosa.reshape %485, %491 : (tensor<2048xf32>, !tosa.shape<3>) -> tensor<2048x1x1xf32>
    %493 = tosa.const_shape  {values = dense<[1, 2048, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %494 = tosa.reshape %492, %493 : (tensor<2048x1x1xf32>, !tosa.shape<4>) -> tensor<1x2048x1x1xf32>
    %495 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %496 = tosa.mul %480, %494, %495 : (tensor<1x2048x7x7xf32>, tensor<1x2048x1x1xf32>, tensor<1xi8>) -> tensor<1x2048x7x7xf32>
    %497 = tosa.const_shape  {values = dense<[2048, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %498 = tosa.reshape %490, %497 : (tensor<2048xf32>, !tosa.shape<3>) -> tensor<2048x1x1xf32>
    %499 = tosa.const_shape  {values = dense<[1, 2048, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %500 = tosa.reshape %498, %499 : (tensor<2048x1x1xf32>, !tosa.shape<4>) -> tensor<1x2048x1x1xf32>
    %501 = tosa.add %496, %500 : (tensor<1x2048x7x7xf32>, tensor<1x2048x1x1xf32>) -> tensor<1x2048x7x7xf32>
    %502 = tosa.add %477, %501 : (tensor<1x2048x7x7xf32>, tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %503 = tosa.clamp %502 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %cst_44 = arith.constant 0.000000e+00 : f32
    %cst_45 = arith.constant 0.000000e+00 : f32
    %504 = tensor.empty() : tensor<1x512x7x7xf32>
    %505 = linalg.fill ins(%cst_45 : f32) outs(%504 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %506 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%503, %arg60 : tensor<1x2048x7x7xf32>, tensor<512x2048x1x1xf32>) outs(%505 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %507 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %508 = tosa.add %arg132, %507 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %509 = tosa.rsqrt %508 : (tensor<512xf32>) -> tensor<512xf32>
    %510 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %511 = tosa.mul %509, %arg61, %510 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %512 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %513 = tosa.mul %arg131, %511, %512 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %514 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %515 = tosa.negate %513, %514, %514 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %516 = tosa.add %515, %arg62 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %517 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %518 = tosa.reshape %511, %517 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %519 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %520 = tosa.reshape %518, %519 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %521 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %522 = tosa.mul %506, %520, %521 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %523 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %524 = tosa.reshape %516, %523 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %525 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %526 = tosa.reshape %524, %525 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %527 = tosa.add %522, %526 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %528 = tosa.clamp %527 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %cst_46 = arith.constant 0.000000e+00 : f32
    %padded_47 = tensor.pad %528 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg141: index, %arg142: index, %arg143: index, %arg144: index):
      tensor.yield %cst_46 : f32
    } : tensor<1x512x7x7xf32> to tensor<1x512x9x9xf32>
    %cst_48 = arith.constant 0.000000e+00 : f32
    %529 = tensor.empty() : tensor<1x512x7x7xf32>
    %530 = linalg.fill ins(%cst_48 : f32) outs(%529 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %531 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_47, %arg63 : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>) outs(%530 : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %532 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %533 = tosa.add %arg135, %532 : (tensor<512xf32>, tensor<1xf32>) -> tensor<512xf32>
    %534 = tosa.rsqrt %533 : (tensor<512xf32>) -> tensor<512xf32>
    %535 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %536 = tosa.mul %534, %arg64, %535 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %537 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %538 = tosa.mul %arg134, %536, %537 : (tensor<512xf32>, tensor<512xf32>, tensor<1xi8>) -> tensor<512xf32>
    %539 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %540 = tosa.negate %538, %539, %539 : (tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<512xf32>
    %541 = tosa.add %540, %arg65 : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %542 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %543 = tosa.reshape %536, %542 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %544 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %545 = tosa.reshape %543, %544 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %546 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %547 = tosa.mul %531, %545, %546 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>, tensor<1xi8>) -> tensor<1x512x7x7xf32>
    %548 = tosa.const_shape  {values = dense<[512, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %549 = tosa.reshape %541, %548 : (tensor<512xf32>, !tosa.shape<3>) -> tensor<512x1x1xf32>
    %550 = tosa.const_shape  {values = dense<[1, 512, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %551 = tosa.reshape %549, %550 : (tensor<512x1x1xf32>, !tosa.shape<4>) -> tensor<1x512x1x1xf32>
    %552 = tosa.add %547, %551 : (tensor<1x512x7x7xf32>, tensor<1x512x1x1xf32>) -> tensor<1x512x7x7xf32>
    %553 = tosa.clamp %552 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    %cst_49 = arith.constant 0.000000e+00 : f32
    %cst_50 = arith.constant 0.000000e+00 : f32
    %554 = tensor.empty() : tensor<1x2048x7x7xf32>
    %555 = linalg.fill ins(%cst_50 : f32) outs(%554 : tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %556 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%553, %arg66 : tensor<1x512x7x7xf32>, tensor<2048x512x1x1xf32>) outs(%555 : tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %557 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %558 = tosa.add %arg138, %557 : (tensor<2048xf32>, tensor<1xf32>) -> tensor<2048xf32>
    %559 = tosa.rsqrt %558 : (tensor<2048xf32>) -> tensor<2048xf32>
    %560 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %561 = tosa.mul %559, %arg67, %560 : (tensor<2048xf32>, tensor<2048xf32>, tensor<1xi8>) -> tensor<2048xf32>
    %562 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %563 = tosa.mul %arg137, %561, %562 : (tensor<2048xf32>, tensor<2048xf32>, tensor<1xi8>) -> tensor<2048xf32>
    %564 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %565 = tosa.negate %563, %564, %564 : (tensor<2048xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2048xf32>
    %566 = tosa.add %565, %arg68 : (tensor<2048xf32>, tensor<2048xf32>) -> tensor<2048xf32>
    %567 = tosa.const_shape  {values = dense<[2048, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %568 = tosa.reshape %561, %567 : (tensor<2048xf32>, !tosa.shape<3>) -> tensor<2048x1x1xf32>
    %569 = tosa.const_shape  {values = dense<[1, 2048, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %570 = tosa.reshape %568, %569 : (tensor<2048x1x1xf32>, !tosa.shape<4>) -> tensor<1x2048x1x1xf32>
    %571 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %572 = tosa.mul %556, %570, %571 : (tensor<1x2048x7x7xf32>, tensor<1x2048x1x1xf32>, tensor<1xi8>) -> tensor<1x2048x7x7xf32>
    %573 = tosa.const_shape  {values = dense<[2048, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %574 = tosa.reshape %566, %573 : (tensor<2048xf32>, !tosa.shape<3>) -> tensor<2048x1x1xf32>
    %575 = tosa.const_shape  {values = dense<[1, 2048, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %576 = tosa.reshape %574, %575 : (tensor<2048x1x1xf32>, !tosa.shape<4>) -> tensor<1x2048x1x1xf32>
    %577 = tosa.add %572, %576 : (tensor<1x2048x7x7xf32>, tensor<1x2048x1x1xf32>) -> tensor<1x2048x7x7xf32>
    %578 = tosa.add %577, %503 : (tensor<1x2048x7x7xf32>, tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %579 = tosa.clamp %578 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x2048x7x7xf32>) -> tensor<1x2048x7x7xf32>
    %cst_51 = arith.constant 0.000000e+00 : f32
    %580 = tensor.empty() : tensor<1x2048xf32>
    %581 = linalg.fill ins(%cst_51 : f32) outs(%580 : tensor<1x2048xf32>) -> tensor<1x2048xf32>
    %582 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%579 : tensor<1x2048x7x7xf32>) outs(%581 : tensor<1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %590 = arith.addf %out, %in : f32
      linalg.yield %590 : f32
    } -> tensor<1x2048xf32>
    %583 = tensor.empty() : tensor<1x2048xf32>
    %584 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%582 : tensor<1x2048xf32>) outs(%583 : tensor<1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_52 = arith.constant 4.900000e+01 : f32
      %590 = arith.divf %in, %cst_52 : f32
      linalg.yield %590 : f32
    } -> tensor<1x2048xf32>
    %expanded = tensor.expand_shape %584 [[0], [1, 2, 3]] output_shape [1, 2048, 1, 1] : tensor<1x2048xf32> into tensor<1x2048x1x1xf32>
    %585 = tosa.const_shape  {values = dense<[1, 2048]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %586 = tosa.reshape %expanded, %585 : (tensor<1x2048x1x1xf32>, !tosa.shape<2>) -> tensor<1x2048xf32>
    %587 = tensor.empty() : tensor<1x1000xf32>
    %588 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg70 : tensor<1000xf32>) outs(%587 : tensor<1x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1000xf32>
    %589 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%586, %arg69 : tensor<1x2048xf32>, tensor<1000x2048xf32>) outs(%588 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    return %589 : tensor<1x1000xf32>
  }
}

