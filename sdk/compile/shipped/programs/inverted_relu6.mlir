#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @forward(%arg0: tensor<32x3x3x3xf32> {buddy.weight}, %arg1: tensor<32xf32> {buddy.weight}, %arg2: tensor<32xf32> {buddy.weight}, %arg3: tensor<32x1x3x3xf32> {buddy.weight}, %arg4: tensor<32xf32> {buddy.weight}, %arg5: tensor<32xf32> {buddy.weight}, %arg6: tensor<16x32x1x1xf32> {buddy.weight}, %arg7: tensor<16xf32> {buddy.weight}, %arg8: tensor<16xf32> {buddy.weight}, %arg9: tensor<96x16x1x1xf32> {buddy.weight}, %arg10: tensor<96xf32> {buddy.weight}, %arg11: tensor<96xf32> {buddy.weight}, %arg12: tensor<96x1x3x3xf32> {buddy.weight}, %arg13: tensor<96xf32> {buddy.weight}, %arg14: tensor<96xf32> {buddy.weight}, %arg15: tensor<24x96x1x1xf32> {buddy.weight}, %arg16: tensor<24xf32> {buddy.weight}, %arg17: tensor<24xf32> {buddy.weight}, %arg18: tensor<144x24x1x1xf32> {buddy.weight}, %arg19: tensor<144xf32> {buddy.weight}, %arg20: tensor<144xf32> {buddy.weight}, %arg21: tensor<144x1x3x3xf32> {buddy.weight}, %arg22: tensor<144xf32> {buddy.weight}, %arg23: tensor<144xf32> {buddy.weight}, %arg24: tensor<24x144x1x1xf32> {buddy.weight}, %arg25: tensor<24xf32> {buddy.weight}, %arg26: tensor<24xf32> {buddy.weight}, %arg27: tensor<144x24x1x1xf32> {buddy.weight}, %arg28: tensor<144xf32> {buddy.weight}, %arg29: tensor<144xf32> {buddy.weight}, %arg30: tensor<144x1x3x3xf32> {buddy.weight}, %arg31: tensor<144xf32> {buddy.weight}, %arg32: tensor<144xf32> {buddy.weight}, %arg33: tensor<40x144x1x1xf32> {buddy.weight}, %arg34: tensor<40xf32> {buddy.weight}, %arg35: tensor<40xf32> {buddy.weight}, %arg36: tensor<240x40x1x1xf32> {buddy.weight}, %arg37: tensor<240xf32> {buddy.weight}, %arg38: tensor<240xf32> {buddy.weight}, %arg39: tensor<240x1x3x3xf32> {buddy.weight}, %arg40: tensor<240xf32> {buddy.weight}, %arg41: tensor<240xf32> {buddy.weight}, %arg42: tensor<40x240x1x1xf32> {buddy.weight}, %arg43: tensor<40xf32> {buddy.weight}, %arg44: tensor<40xf32> {buddy.weight}, %arg45: tensor<240x40x1x1xf32> {buddy.weight}, %arg46: tensor<240xf32> {buddy.weight}, %arg47: tensor<240xf32> {buddy.weight}, %arg48: tensor<240x1x3x3xf32> {buddy.weight}, %arg49: tensor<240xf32> {buddy.weight}, %arg50: tensor<240xf32> {buddy.weight}, %arg51: tensor<64x240x1x1xf32> {buddy.weight}, %arg52: tensor<64xf32> {buddy.weight}, %arg53: tensor<64xf32> {buddy.weight}, %arg54: tensor<384x64x1x1xf32> {buddy.weight}, %arg55: tensor<384xf32> {buddy.weight}, %arg56: tensor<384xf32> {buddy.weight}, %arg57: tensor<384x1x3x3xf32> {buddy.weight}, %arg58: tensor<384xf32> {buddy.weight}, %arg59: tensor<384xf32> {buddy.weight}, %arg60: tensor<64x384x1x1xf32> {buddy.weight}, %arg61: tensor<64xf32> {buddy.weight}, %arg62: tensor<64xf32> {buddy.weight}, %arg63: tensor<384x64x1x1xf32> {buddy.weight}, %arg64: tensor<384xf32> {buddy.weight}, %arg65: tensor<384xf32> {buddy.weight}, %arg66: tensor<384x1x3x3xf32> {buddy.weight}, %arg67: tensor<384xf32> {buddy.weight}, %arg68: tensor<384xf32> {buddy.weight}, %arg69: tensor<96x384x1x1xf32> {buddy.weight}, %arg70: tensor<96xf32> {buddy.weight}, %arg71: tensor<96xf32> {buddy.weight}, %arg72: tensor<576x96x1x1xf32> {buddy.weight}, %arg73: tensor<576xf32> {buddy.weight}, %arg74: tensor<576xf32> {buddy.weight}, %arg75: tensor<576x1x3x3xf32> {buddy.weight}, %arg76: tensor<576xf32> {buddy.weight}, %arg77: tensor<576xf32> {buddy.weight}, %arg78: tensor<160x576x1x1xf32> {buddy.weight}, %arg79: tensor<160xf32> {buddy.weight}, %arg80: tensor<160xf32> {buddy.weight}, %arg81: tensor<960x160x1x1xf32> {buddy.weight}, %arg82: tensor<960xf32> {buddy.weight}, %arg83: tensor<960xf32> {buddy.weight}, %arg84: tensor<960x1x3x3xf32> {buddy.weight}, %arg85: tensor<960xf32> {buddy.weight}, %arg86: tensor<960xf32> {buddy.weight}, %arg87: tensor<160x960x1x1xf32> {buddy.weight}, %arg88: tensor<160xf32> {buddy.weight}, %arg89: tensor<160xf32> {buddy.weight}, %arg90: tensor<960x160x1x1xf32> {buddy.weight}, %arg91: tensor<960xf32> {buddy.weight}, %arg92: tensor<960xf32> {buddy.weight}, %arg93: tensor<960x1x3x3xf32> {buddy.weight}, %arg94: tensor<960xf32> {buddy.weight}, %arg95: tensor<960xf32> {buddy.weight}, %arg96: tensor<320x960x1x1xf32> {buddy.weight}, %arg97: tensor<320xf32> {buddy.weight}, %arg98: tensor<320xf32> {buddy.weight}, %arg99: tensor<1280x320x1x1xf32> {buddy.weight}, %arg100: tensor<1280xf32> {buddy.weight}, %arg101: tensor<1280xf32> {buddy.weight}, %arg102: tensor<1000x1280xf32> {buddy.weight}, %arg103: tensor<1000xf32> {buddy.weight}, %arg104: tensor<32xf32> {buddy.weight}, %arg105: tensor<32xf32> {buddy.weight}, %arg106: tensor<i64> {buddy.weight}, %arg107: tensor<32xf32> {buddy.weight}, %arg108: tensor<32xf32> {buddy.weight}, %arg109: tensor<i64> {buddy.weight}, %arg110: tensor<16xf32> {buddy.weight}, %arg111: tensor<16xf32> {buddy.weight}, %arg112: tensor<i64> {buddy.weight}, %arg113: tensor<96xf32> {buddy.weight}, %arg114: tensor<96xf32> {buddy.weight}, %arg115: tensor<i64> {buddy.weight}, %arg116: tensor<96xf32> {buddy.weight}, %arg117: tensor<96xf32> {buddy.weight}, %arg118: tensor<i64> {buddy.weight}, %arg119: tensor<24xf32> {buddy.weight}, %arg120: tensor<24xf32> {buddy.weight}, %arg121: tensor<i64> {buddy.weight}, %arg122: tensor<144xf32> {buddy.weight}, %arg123: tensor<144xf32> {buddy.weight}, %arg124: tensor<i64> {buddy.weight}, %arg125: tensor<144xf32> {buddy.weight}, %arg126: tensor<144xf32> {buddy.weight}, %arg127: tensor<i64> {buddy.weight}, %arg128: tensor<24xf32> {buddy.weight}, %arg129: tensor<24xf32> {buddy.weight}, %arg130: tensor<i64> {buddy.weight}, %arg131: tensor<144xf32> {buddy.weight}, %arg132: tensor<144xf32> {buddy.weight}, %arg133: tensor<i64> {buddy.weight}, %arg134: tensor<144xf32> {buddy.weight}, %arg135: tensor<144xf32> {buddy.weight}, %arg136: tensor<i64> {buddy.weight}, %arg137: tensor<40xf32> {buddy.weight}, %arg138: tensor<40xf32> {buddy.weight}, %arg139: tensor<i64> {buddy.weight}, %arg140: tensor<240xf32> {buddy.weight}, %arg141: tensor<240xf32> {buddy.weight}, %arg142: tensor<i64> {buddy.weight}, %arg143: tensor<240xf32> {buddy.weight}, %arg144: tensor<240xf32> {buddy.weight}, %arg145: tensor<i64> {buddy.weight}, %arg146: tensor<40xf32> {buddy.weight}, %arg147: tensor<40xf32> {buddy.weight}, %arg148: tensor<i64> {buddy.weight}, %arg149: tensor<240xf32> {buddy.weight}, %arg150: tensor<240xf32> {buddy.weight}, %arg151: tensor<i64> {buddy.weight}, %arg152: tensor<240xf32> {buddy.weight}, %arg153: tensor<240xf32> {buddy.weight}, %arg154: tensor<i64> {buddy.weight}, %arg155: tensor<64xf32> {buddy.weight}, %arg156: tensor<64xf32> {buddy.weight}, %arg157: tensor<i64> {buddy.weight}, %arg158: tensor<384xf32> {buddy.weight}, %arg159: tensor<384xf32> {buddy.weight}, %arg160: tensor<i64> {buddy.weight}, %arg161: tensor<384xf32> {buddy.weight}, %arg162: tensor<384xf32> {buddy.weight}, %arg163: tensor<i64> {buddy.weight}, %arg164: tensor<64xf32> {buddy.weight}, %arg165: tensor<64xf32> {buddy.weight}, %arg166: tensor<i64> {buddy.weight}, %arg167: tensor<384xf32> {buddy.weight}, %arg168: tensor<384xf32> {buddy.weight}, %arg169: tensor<i64> {buddy.weight}, %arg170: tensor<384xf32> {buddy.weight}, %arg171: tensor<384xf32> {buddy.weight}, %arg172: tensor<i64> {buddy.weight}, %arg173: tensor<96xf32> {buddy.weight}, %arg174: tensor<96xf32> {buddy.weight}, %arg175: tensor<i64> {buddy.weight}, %arg176: tensor<576xf32> {buddy.weight}, %arg177: tensor<576xf32> {buddy.weight}, %arg178: tensor<i64> {buddy.weight}, %arg179: tensor<576xf32> {buddy.weight}, %arg180: tensor<576xf32> {buddy.weight}, %arg181: tensor<i64> {buddy.weight}, %arg182: tensor<160xf32> {buddy.weight}, %arg183: tensor<160xf32> {buddy.weight}, %arg184: tensor<i64> {buddy.weight}, %arg185: tensor<960xf32> {buddy.weight}, %arg186: tensor<960xf32> {buddy.weight}, %arg187: tensor<i64> {buddy.weight}, %arg188: tensor<960xf32> {buddy.weight}, %arg189: tensor<960xf32> {buddy.weight}, %arg190: tensor<i64> {buddy.weight}, %arg191: tensor<160xf32> {buddy.weight}, %arg192: tensor<160xf32> {buddy.weight}, %arg193: tensor<i64> {buddy.weight}, %arg194: tensor<960xf32> {buddy.weight}, %arg195: tensor<960xf32> {buddy.weight}, %arg196: tensor<i64> {buddy.weight}, %arg197: tensor<960xf32> {buddy.weight}, %arg198: tensor<960xf32> {buddy.weight}, %arg199: tensor<i64> {buddy.weight}, %arg200: tensor<320xf32> {buddy.weight}, %arg201: tensor<320xf32> {buddy.weight}, %arg202: tensor<i64> {buddy.weight}, %arg203: tensor<1280xf32> {buddy.weight}, %arg204: tensor<1280xf32> {buddy.weight}, %arg205: tensor<i64> {buddy.weight}, %arg206: tensor<1x3x224x224xf32>) -> tensor<1x1000xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg206 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst : f32
    } : tensor<1x3x224x224xf32> to tensor<1x3x226x226xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x32x112x112xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg0 : tensor<1x3x226x226xf32>, tensor<32x3x3x3xf32>) outs(%1 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %3 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.add %arg105, %3 : (tensor<32xf32>, tensor<1xf32>) -> tensor<32xf32>
    %5 = tosa.rsqrt %4 : (tensor<32xf32>) -> tensor<32xf32>
    %6 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = tosa.mul %5, %arg1, %6 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = tosa.mul %arg104, %7, %8 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %10 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %11 = tosa.negate %9, %10, %10 : (tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<32xf32>
    %12 = tosa.add %11, %arg2 : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %13 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.reshape %7, %13 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %15 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %16 = tosa.reshape %14, %15 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %17 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = tosa.mul %2, %16, %17 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x112x112xf32>
    %19 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %20 = tosa.reshape %12, %19 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %21 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %22 = tosa.reshape %20, %21 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %23 = tosa.add %18, %22 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x112x112xf32>
    %24 = tosa.clamp %23 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %padded_2 = tensor.pad %24 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x32x112x112xf32> to tensor<1x32x114x114xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %25 = tensor.empty() : tensor<1x32x112x112xf32>
    %26 = linalg.fill ins(%cst_3 : f32) outs(%25 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %collapsed = tensor.collapse_shape %arg3 [[0], [1, 2], [3]] : tensor<32x1x3x3xf32> into tensor<32x3x3xf32>
    %27 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_2, %collapsed : tensor<1x32x114x114xf32>, tensor<32x3x3xf32>) outs(%26 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %28 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %29 = tosa.add %arg108, %28 : (tensor<32xf32>, tensor<1xf32>) -> tensor<32xf32>
    %30 = tosa.rsqrt %29 : (tensor<32xf32>) -> tensor<32xf32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %30, %arg4, %31 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %33 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %34 = tosa.mul %arg107, %32, %33 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %35 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %36 = tosa.negate %34, %35, %35 : (tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<32xf32>
    %37 = tosa.add %36, %arg5 : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %38 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %39 = tosa.reshape %32, %38 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %40 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %41 = tosa.reshape %39, %40 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %42 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %43 = tosa.mul %27, %41, %42 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x112x112xf32>
    %44 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %45 = tosa.reshape %37, %44 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %46 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %47 = tosa.reshape %45, %46 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %48 = tosa.add %43, %47 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x112x112xf32>
    %49 = tosa.clamp %48 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %cst_5 = arith.constant 0.000000e+00 : f32
    %50 = tensor.empty() : tensor<1x16x112x112xf32>
    %51 = linalg.fill ins(%cst_5 : f32) outs(%50 : tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
    %52 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%49, %arg6 : tensor<1x32x112x112xf32>, tensor<16x32x1x1xf32>) outs(%51 : tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
    %53 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %54 = tosa.add %arg111, %53 : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
    %55 = tosa.rsqrt %54 : (tensor<16xf32>) -> tensor<16xf32>
    %56 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %57 = tosa.mul %55, %arg7, %56 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.mul %arg110, %57, %58 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %60 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %61 = tosa.negate %59, %60, %60 : (tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<16xf32>
    %62 = tosa.add %61, %arg8 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %63 = tosa.const_shape  {values = dense<[16, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %64 = tosa.reshape %57, %63 : (tensor<16xf32>, !tosa.shape<3>) -> tensor<16x1x1xf32>
    %65 = tosa.const_shape  {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %66 = tosa.reshape %64, %65 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %67 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %68 = tosa.mul %52, %66, %67 : (tensor<1x16x112x112xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x112x112xf32>
    %69 = tosa.const_shape  {values = dense<[16, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %70 = tosa.reshape %62, %69 : (tensor<16xf32>, !tosa.shape<3>) -> tensor<16x1x1xf32>
    %71 = tosa.const_shape  {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %72 = tosa.reshape %70, %71 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %73 = tosa.add %68, %72 : (tensor<1x16x112x112xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x112x112xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %cst_7 = arith.constant 0.000000e+00 : f32
    %74 = tensor.empty() : tensor<1x96x112x112xf32>
    %75 = linalg.fill ins(%cst_7 : f32) outs(%74 : tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %76 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%73, %arg9 : tensor<1x16x112x112xf32>, tensor<96x16x1x1xf32>) outs(%75 : tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %77 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %78 = tosa.add %arg114, %77 : (tensor<96xf32>, tensor<1xf32>) -> tensor<96xf32>
    %79 = tosa.rsqrt %78 : (tensor<96xf32>) -> tensor<96xf32>
    %80 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %81 = tosa.mul %79, %arg10, %80 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %82 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %83 = tosa.mul %arg113, %81, %82 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %84 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %85 = tosa.negate %83, %84, %84 : (tensor<96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<96xf32>
    %86 = tosa.add %85, %arg11 : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xf32>
    %87 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %88 = tosa.reshape %81, %87 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %89 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %90 = tosa.reshape %88, %89 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %91 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %92 = tosa.mul %76, %90, %91 : (tensor<1x96x112x112xf32>, tensor<1x96x1x1xf32>, tensor<1xi8>) -> tensor<1x96x112x112xf32>
    %93 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %94 = tosa.reshape %86, %93 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %95 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %96 = tosa.reshape %94, %95 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %97 = tosa.add %92, %96 : (tensor<1x96x112x112xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x112x112xf32>
    %98 = tosa.clamp %97 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %padded_9 = tensor.pad %98 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_8 : f32
    } : tensor<1x96x112x112xf32> to tensor<1x96x114x114xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %99 = tensor.empty() : tensor<1x96x56x56xf32>
    %100 = linalg.fill ins(%cst_10 : f32) outs(%99 : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
    %collapsed_11 = tensor.collapse_shape %arg12 [[0], [1, 2], [3]] : tensor<96x1x3x3xf32> into tensor<96x3x3xf32>
    %101 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_9, %collapsed_11 : tensor<1x96x114x114xf32>, tensor<96x3x3xf32>) outs(%100 : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
    %102 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %103 = tosa.add %arg117, %102 : (tensor<96xf32>, tensor<1xf32>) -> tensor<96xf32>
    %104 = tosa.rsqrt %103 : (tensor<96xf32>) -> tensor<96xf32>
    %105 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %106 = tosa.mul %104, %arg13, %105 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %107 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %108 = tosa.mul %arg116, %106, %107 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %109 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %110 = tosa.negate %108, %109, %109 : (tensor<96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<96xf32>
    %111 = tosa.add %110, %arg14 : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xf32>
    %112 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %113 = tosa.reshape %106, %112 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %114 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %115 = tosa.reshape %113, %114 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %116 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %117 = tosa.mul %101, %115, %116 : (tensor<1x96x56x56xf32>, tensor<1x96x1x1xf32>, tensor<1xi8>) -> tensor<1x96x56x56xf32>
    %118 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %119 = tosa.reshape %111, %118 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %120 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %121 = tosa.reshape %119, %120 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %122 = tosa.add %117, %121 : (tensor<1x96x56x56xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x56x56xf32>
    %123 = tosa.clamp %122 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %cst_13 = arith.constant 0.000000e+00 : f32
    %124 = tensor.empty() : tensor<1x24x56x56xf32>
    %125 = linalg.fill ins(%cst_13 : f32) outs(%124 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %126 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%123, %arg15 : tensor<1x96x56x56xf32>, tensor<24x96x1x1xf32>) outs(%125 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %127 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %128 = tosa.add %arg120, %127 : (tensor<24xf32>, tensor<1xf32>) -> tensor<24xf32>
    %129 = tosa.rsqrt %128 : (tensor<24xf32>) -> tensor<24xf32>
    %130 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %131 = tosa.mul %129, %arg16, %130 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %132 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %133 = tosa.mul %arg119, %131, %132 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %134 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %135 = tosa.negate %133, %134, %134 : (tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<24xf32>
    %136 = tosa.add %135, %arg17 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %137 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %138 = tosa.reshape %131, %137 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %139 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %140 = tosa.reshape %138, %139 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %141 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %142 = tosa.mul %126, %140, %141 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>, tensor<1xi8>) -> tensor<1x24x56x56xf32>
    %143 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %144 = tosa.reshape %136, %143 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %145 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %146 = tosa.reshape %144, %145 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %147 = tosa.add %142, %146 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>) -> tensor<1x24x56x56xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %cst_15 = arith.constant 0.000000e+00 : f32
    %148 = tensor.empty() : tensor<1x144x56x56xf32>
    %149 = linalg.fill ins(%cst_15 : f32) outs(%148 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %150 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%147, %arg18 : tensor<1x24x56x56xf32>, tensor<144x24x1x1xf32>) outs(%149 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %151 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %152 = tosa.add %arg123, %151 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %153 = tosa.rsqrt %152 : (tensor<144xf32>) -> tensor<144xf32>
    %154 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %155 = tosa.mul %153, %arg19, %154 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %156 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %157 = tosa.mul %arg122, %155, %156 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %158 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %159 = tosa.negate %157, %158, %158 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %160 = tosa.add %159, %arg20 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %161 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %162 = tosa.reshape %155, %161 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %163 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %164 = tosa.reshape %162, %163 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %165 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %166 = tosa.mul %150, %164, %165 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %167 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %168 = tosa.reshape %160, %167 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %169 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %170 = tosa.reshape %168, %169 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %171 = tosa.add %166, %170 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %172 = tosa.clamp %171 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %padded_17 = tensor.pad %172 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_16 : f32
    } : tensor<1x144x56x56xf32> to tensor<1x144x58x58xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %173 = tensor.empty() : tensor<1x144x56x56xf32>
    %174 = linalg.fill ins(%cst_18 : f32) outs(%173 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %collapsed_19 = tensor.collapse_shape %arg21 [[0], [1, 2], [3]] : tensor<144x1x3x3xf32> into tensor<144x3x3xf32>
    %175 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_17, %collapsed_19 : tensor<1x144x58x58xf32>, tensor<144x3x3xf32>) outs(%174 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %176 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %177 = tosa.add %arg126, %176 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %178 = tosa.rsqrt %177 : (tensor<144xf32>) -> tensor<144xf32>
    %179 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %180 = tosa.mul %178, %arg22, %179 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %181 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %182 = tosa.mul %arg125, %180, %181 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %183 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %184 = tosa.negate %182, %183, %183 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %185 = tosa.add %184, %arg23 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %186 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %187 = tosa.reshape %180, %186 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %188 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %189 = tosa.reshape %187, %188 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %190 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %191 = tosa.mul %175, %189, %190 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %192 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %193 = tosa.reshape %185, %192 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %194 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %195 = tosa.reshape %193, %194 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %196 = tosa.add %191, %195 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %197 = tosa.clamp %196 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %cst_21 = arith.constant 0.000000e+00 : f32
    %198 = tensor.empty() : tensor<1x24x56x56xf32>
    %199 = linalg.fill ins(%cst_21 : f32) outs(%198 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %200 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%197, %arg24 : tensor<1x144x56x56xf32>, tensor<24x144x1x1xf32>) outs(%199 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %201 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %202 = tosa.add %arg129, %201 : (tensor<24xf32>, tensor<1xf32>) -> tensor<24xf32>
    %203 = tosa.rsqrt %202 : (tensor<24xf32>) -> tensor<24xf32>
    %204 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %205 = tosa.mul %203, %arg25, %204 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %206 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %207 = tosa.mul %arg128, %205, %206 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %208 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %209 = tosa.negate %207, %208, %208 : (tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<24xf32>
    %210 = tosa.add %209, %arg26 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %211 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %212 = tosa.reshape %205, %211 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %213 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %214 = tosa.reshape %212, %213 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %215 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %216 = tosa.mul %200, %214, %215 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>, tensor<1xi8>) -> tensor<1x24x56x56xf32>
    %217 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %218 = tosa.reshape %210, %217 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %219 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %220 = tosa.reshape %218, %219 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %221 = tosa.add %216, %220 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>) -> tensor<1x24x56x56xf32>
    %222 = tosa.add %147, %221 : (tensor<1x24x56x56xf32>, tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %cst_23 = arith.constant 0.000000e+00 : f32
    %223 = tensor.empty() : tensor<1x144x56x56xf32>
    %224 = linalg.fill ins(%cst_23 : f32) outs(%223 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %225 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%222, %arg27 : tensor<1x24x56x56xf32>, tensor<144x24x1x1xf32>) outs(%224 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %226 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %227 = tosa.add %arg132, %226 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %228 = tosa.rsqrt %227 : (tensor<144xf32>) -> tensor<144xf32>
    %229 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %230 = tosa.mul %228, %arg28, %229 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %231 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %232 = tosa.mul %arg131, %230, %231 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %233 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %234 = tosa.negate %232, %233, %233 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %235 = tosa.add %234, %arg29 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %236 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %237 = tosa.reshape %230, %236 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %238 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %239 = tosa.reshape %237, %238 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %240 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %241 = tosa.mul %225, %239, %240 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %242 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %243 = tosa.reshape %235, %242 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %244 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %245 = tosa.reshape %243, %244 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %246 = tosa.add %241, %245 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %247 = tosa.clamp %246 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %padded_25 = tensor.pad %247 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_24 : f32
    } : tensor<1x144x56x56xf32> to tensor<1x144x58x58xf32>
    %cst_26 = arith.constant 0.000000e+00 : f32
    %248 = tensor.empty() : tensor<1x144x28x28xf32>
    %249 = linalg.fill ins(%cst_26 : f32) outs(%248 : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %collapsed_27 = tensor.collapse_shape %arg30 [[0], [1, 2], [3]] : tensor<144x1x3x3xf32> into tensor<144x3x3xf32>
    %250 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_25, %collapsed_27 : tensor<1x144x58x58xf32>, tensor<144x3x3xf32>) outs(%249 : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %251 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %252 = tosa.add %arg135, %251 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %253 = tosa.rsqrt %252 : (tensor<144xf32>) -> tensor<144xf32>
    %254 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %255 = tosa.mul %253, %arg31, %254 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %256 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %257 = tosa.mul %arg134, %255, %256 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %258 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %259 = tosa.negate %257, %258, %258 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %260 = tosa.add %259, %arg32 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %261 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %262 = tosa.reshape %255, %261 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %263 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %264 = tosa.reshape %262, %263 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %265 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %266 = tosa.mul %250, %264, %265 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x28x28xf32>
    %267 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %268 = tosa.reshape %260, %267 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %269 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %270 = tosa.reshape %268, %269 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %271 = tosa.add %266, %270 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x28x28xf32>
    %272 = tosa.clamp %271 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %cst_29 = arith.constant 0.000000e+00 : f32
    %273 = tensor.empty() : tensor<1x40x28x28xf32>
    %274 = linalg.fill ins(%cst_29 : f32) outs(%273 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %275 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%272, %arg33 : tensor<1x144x28x28xf32>, tensor<40x144x1x1xf32>) outs(%274 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %276 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %277 = tosa.add %arg138, %276 : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32>
    %278 = tosa.rsqrt %277 : (tensor<40xf32>) -> tensor<40xf32>
    %279 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %280 = tosa.mul %278, %arg34, %279 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %281 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %282 = tosa.mul %arg137, %280, %281 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %283 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %284 = tosa.negate %282, %283, %283 : (tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<40xf32>
    %285 = tosa.add %284, %arg35 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %286 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %287 = tosa.reshape %280, %286 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %288 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %289 = tosa.reshape %287, %288 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %290 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %291 = tosa.mul %275, %289, %290 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>, tensor<1xi8>) -> tensor<1x40x28x28xf32>
    %292 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %293 = tosa.reshape %285, %292 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %294 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %295 = tosa.reshape %293, %294 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %296 = tosa.add %291, %295 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>) -> tensor<1x40x28x28xf32>
    %cst_30 = arith.constant 0.000000e+00 : f32
    %cst_31 = arith.constant 0.000000e+00 : f32
    %297 = tensor.empty() : tensor<1x240x28x28xf32>
    %298 = linalg.fill ins(%cst_31 : f32) outs(%297 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %299 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%296, %arg36 : tensor<1x40x28x28xf32>, tensor<240x40x1x1xf32>) outs(%298 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %300 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %301 = tosa.add %arg141, %300 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %302 = tosa.rsqrt %301 : (tensor<240xf32>) -> tensor<240xf32>
    %303 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %304 = tosa.mul %302, %arg37, %303 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %305 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %306 = tosa.mul %arg140, %304, %305 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %307 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %308 = tosa.negate %306, %307, %307 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %309 = tosa.add %308, %arg38 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %310 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %311 = tosa.reshape %304, %310 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %312 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %313 = tosa.reshape %311, %312 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %314 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %315 = tosa.mul %299, %313, %314 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %316 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %317 = tosa.reshape %309, %316 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %318 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %319 = tosa.reshape %317, %318 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %320 = tosa.add %315, %319 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %321 = tosa.clamp %320 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %cst_32 = arith.constant 0.000000e+00 : f32
    %padded_33 = tensor.pad %321 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_32 : f32
    } : tensor<1x240x28x28xf32> to tensor<1x240x30x30xf32>
    %cst_34 = arith.constant 0.000000e+00 : f32
    %322 = tensor.empty() : tensor<1x240x28x28xf32>
    %323 = linalg.fill ins(%cst_34 : f32) outs(%322 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %collapsed_35 = tensor.collapse_shape %arg39 [[0], [1, 2], [3]] : tensor<240x1x3x3xf32> into tensor<240x3x3xf32>
    %324 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_33, %collapsed_35 : tensor<1x240x30x30xf32>, tensor<240x3x3xf32>) outs(%323 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %325 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %326 = tosa.add %arg144, %325 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %327 = tosa.rsqrt %326 : (tensor<240xf32>) -> tensor<240xf32>
    %328 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %329 = tosa.mul %327, %arg40, %328 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %330 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %331 = tosa.mul %arg143, %329, %330 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %332 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %333 = tosa.negate %331, %332, %332 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %334 = tosa.add %333, %arg41 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %335 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %336 = tosa.reshape %329, %335 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %337 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %338 = tosa.reshape %336, %337 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %339 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %340 = tosa.mul %324, %338, %339 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %341 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %342 = tosa.reshape %334, %341 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %343 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %344 = tosa.reshape %342, %343 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %345 = tosa.add %340, %344 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %346 = tosa.clamp %345 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %cst_37 = arith.constant 0.000000e+00 : f32
    %347 = tensor.empty() : tensor<1x40x28x28xf32>
    %348 = linalg.fill ins(%cst_37 : f32) outs(%347 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %349 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%346, %arg42 : tensor<1x240x28x28xf32>, tensor<40x240x1x1xf32>) outs(%348 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %350 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %351 = tosa.add %arg147, %350 : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32>
    %352 = tosa.rsqrt %351 : (tensor<40xf32>) -> tensor<40xf32>
    %353 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %354 = tosa.mul %352, %arg43, %353 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %355 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %356 = tosa.mul %arg146, %354, %355 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %357 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %358 = tosa.negate %356, %357, %357 : (tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<40xf32>
    %359 = tosa.add %358, %arg44 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %360 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %361 = tosa.reshape %354, %360 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %362 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %363 = tosa.reshape %361, %362 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %364 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %365 = tosa.mul %349, %363, %364 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>, tensor<1xi8>) -> tensor<1x40x28x28xf32>
    %366 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %367 = tosa.reshape %359, %366 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %368 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %369 = tosa.reshape %367, %368 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %370 = tosa.add %365, %369 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>) -> tensor<1x40x28x28xf32>
    %371 = tosa.add %296, %370 : (tensor<1x40x28x28xf32>, tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %cst_38 = arith.constant 0.000000e+00 : f32
    %cst_39 = arith.constant 0.000000e+00 : f32
    %372 = tensor.empty() : tensor<1x240x28x28xf32>
    %373 = linalg.fill ins(%cst_39 : f32) outs(%372 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %374 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%371, %arg45 : tensor<1x40x28x28xf32>, tensor<240x40x1x1xf32>) outs(%373 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %375 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %376 = tosa.add %arg150, %375 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %377 = tosa.rsqrt %376 : (tensor<240xf32>) -> tensor<240xf32>
    %378 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %379 = tosa.mul %377, %arg46, %378 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %380 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %381 = tosa.mul %arg149, %379, %380 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %382 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %383 = tosa.negate %381, %382, %382 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %384 = tosa.add %383, %arg47 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %385 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %386 = tosa.reshape %379, %385 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %387 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %388 = tosa.reshape %386, %387 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %389 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %390 = tosa.mul %374, %388, %389 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %391 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %392 = tosa.reshape %384, %391 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %393 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %394 = tosa.reshape %392, %393 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %395 = tosa.add %390, %394 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %396 = tosa.clamp %395 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %cst_40 = arith.constant 0.000000e+00 : f32
    %padded_41 = tensor.pad %396 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_40 : f32
    } : tensor<1x240x28x28xf32> to tensor<1x240x30x30xf32>
    %cst_42 = arith.constant 0.000000e+00 : f32
    %397 = tensor.empty() : tensor<1x240x14x14xf32>
    %398 = linalg.fill ins(%cst_42 : f32) outs(%397 : tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %collapsed_43 = tensor.collapse_shape %arg48 [[0], [1, 2], [3]] : tensor<240x1x3x3xf32> into tensor<240x3x3xf32>
    %399 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_41, %collapsed_43 : tensor<1x240x30x30xf32>, tensor<240x3x3xf32>) outs(%398 : tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %400 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %401 = tosa.add %arg153, %400 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %402 = tosa.rsqrt %401 : (tensor<240xf32>) -> tensor<240xf32>
    %403 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %404 = tosa.mul %402, %arg49, %403 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %405 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %406 = tosa.mul %arg152, %404, %405 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %407 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %408 = tosa.negate %406, %407, %407 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %409 = tosa.add %408, %arg50 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %410 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %411 = tosa.reshape %404, %410 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %412 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %413 = tosa.reshape %411, %412 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %414 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %415 = tosa.mul %399, %413, %414 : (tensor<1x240x14x14xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x14x14xf32>
    %416 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %417 = tosa.reshape %409, %416 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %418 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %419 = tosa.reshape %417, %418 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %420 = tosa.add %415, %419 : (tensor<1x240x14x14xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x14x14xf32>
    %421 = tosa.clamp %420 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %cst_44 = arith.constant 0.000000e+00 : f32
    %cst_45 = arith.constant 0.000000e+00 : f32
    %422 = tensor.empty() : tensor<1x64x14x14xf32>
    %423 = linalg.fill ins(%cst_45 : f32) outs(%422 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
    %424 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%421, %arg51 : tensor<1x240x14x14xf32>, tensor<64x240x1x1xf32>) outs(%423 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
    %425 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %426 = tosa.add %arg156, %425 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %427 = tosa.rsqrt %426 : (tensor<64xf32>) -> tensor<64xf32>
    %428 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %429 = tosa.mul %427, %arg52, %428 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %430 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %431 = tosa.mul %arg155, %429, %430 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %432 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %433 = tosa.negate %431, %432, %432 : (tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<64xf32>
    %434 = tosa.add %433, %arg53 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %435 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %436 = tosa.reshape %429, %435 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %437 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %438 = tosa.reshape %436, %437 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %439 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %440 = tosa.mul %424, %438, %439 : (tensor<1x64x14x14xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x14x14xf32>
    %441 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %442 = tosa.reshape %434, %441 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %443 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %444 = tosa.reshape %442, %443 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %445 = tosa.add %440, %444 : (tensor<1x64x14x14xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x14x14xf32>
    %cst_46 = arith.constant 0.000000e+00 : f32
    %cst_47 = arith.constant 0.000000e+00 : f32
    %446 = tensor.empty() : tensor<1x384x14x14xf32>
    %447 = linalg.fill ins(%cst_47 : f32) outs(%446 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %448 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%445, %arg54 : tensor<1x64x14x14xf32>, tensor<384x64x1x1xf32>) outs(%447 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %449 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %450 = tosa.add %arg159, %449 : (tensor<384xf32>, tensor<1xf32>) -> tensor<384xf32>
    %451 = tosa.rsqrt %450 : (tensor<384xf32>) -> tensor<384xf32>
    %452 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %453 = tosa.mul %451, %arg55, %452 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %454 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %455 = tosa.mul %arg158, %453, %454 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %456 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %457 = tosa.negate %455, %456, %456 : (tensor<384xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<384xf32>
    %458 = tosa.add %457, %arg56 : (tensor<384xf32>, tensor<384xf32>) -> tensor<384xf32>
    %459 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %460 = tosa.reshape %453, %459 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %461 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %462 = tosa.reshape %460, %461 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %463 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %464 = tosa.mul %448, %462, %463 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>, tensor<1xi8>) -> tensor<1x384x14x14xf32>
    %465 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %466 = tosa.reshape %458, %465 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %467 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %468 = tosa.reshape %466, %467 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %469 = tosa.add %464, %468 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>) -> tensor<1x384x14x14xf32>
    %470 = tosa.clamp %469 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %cst_48 = arith.constant 0.000000e+00 : f32
    %padded_49 = tensor.pad %470 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_48 : f32
    } : tensor<1x384x14x14xf32> to tensor<1x384x16x16xf32>
    %cst_50 = arith.constant 0.000000e+00 : f32
    %471 = tensor.empty() : tensor<1x384x14x14xf32>
    %472 = linalg.fill ins(%cst_50 : f32) outs(%471 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %collapsed_51 = tensor.collapse_shape %arg57 [[0], [1, 2], [3]] : tensor<384x1x3x3xf32> into tensor<384x3x3xf32>
    %473 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_49, %collapsed_51 : tensor<1x384x16x16xf32>, tensor<384x3x3xf32>) outs(%472 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %474 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %475 = tosa.add %arg162, %474 : (tensor<384xf32>, tensor<1xf32>) -> tensor<384xf32>
    %476 = tosa.rsqrt %475 : (tensor<384xf32>) -> tensor<384xf32>
    %477 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %478 = tosa.mul %476, %arg58, %477 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %479 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %480 = tosa.mul %arg161, %478, %479 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %481 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %482 = tosa.negate %480, %481, %481 : (tensor<384xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<384xf32>
    %483 = tosa.add %482, %arg59 : (tensor<384xf32>, tensor<384xf32>) -> tensor<384xf32>
    %484 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %485 = tosa.reshape %478, %484 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %486 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %487 = tosa.reshape %485, %486 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %488 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %489 = tosa.mul %473, %487, %488 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>, tensor<1xi8>) -> tensor<1x384x14x14xf32>
    %490 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %491 = tosa.reshape %483, %490 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %492 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %493 = tosa.reshape %491, %492 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %494 = tosa.add %489, %493 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>) -> tensor<1x384x14x14xf32>
    %495 = tosa.clamp %494 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %cst_52 = arith.constant 0.000000e+00 : f32
    %cst_53 = arith.constant 0.000000e+00 : f32
    %496 = tensor.empty() : tensor<1x64x14x14xf32>
    %497 = linalg.fill ins(%cst_53 : f32) outs(%496 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
    %498 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%495, %arg60 : tensor<1x384x14x14xf32>, tensor<64x384x1x1xf32>) outs(%497 : tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
    %499 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %500 = tosa.add %arg165, %499 : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
    %501 = tosa.rsqrt %500 : (tensor<64xf32>) -> tensor<64xf32>
    %502 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %503 = tosa.mul %501, %arg61, %502 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %504 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %505 = tosa.mul %arg164, %503, %504 : (tensor<64xf32>, tensor<64xf32>, tensor<1xi8>) -> tensor<64xf32>
    %506 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %507 = tosa.negate %505, %506, %506 : (tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<64xf32>
    %508 = tosa.add %507, %arg62 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %509 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %510 = tosa.reshape %503, %509 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %511 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %512 = tosa.reshape %510, %511 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %513 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %514 = tosa.mul %498, %512, %513 : (tensor<1x64x14x14xf32>, tensor<1x64x1x1xf32>, tensor<1xi8>) -> tensor<1x64x14x14xf32>
    %515 = tosa.const_shape  {values = dense<[64, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %516 = tosa.reshape %508, %515 : (tensor<64xf32>, !tosa.shape<3>) -> tensor<64x1x1xf32>
    %517 = tosa.const_shape  {values = dense<[1, 64, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %518 = tosa.reshape %516, %517 : (tensor<64x1x1xf32>, !tosa.shape<4>) -> tensor<1x64x1x1xf32>
    %519 = tosa.add %514, %518 : (tensor<1x64x14x14xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x14x14xf32>
    %520 = tosa.add %445, %519 : (tensor<1x64x14x14xf32>, tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
    %cst_54 = arith.constant 0.000000e+00 : f32
    %cst_55 = arith.constant 0.000000e+00 : f32
    %521 = tensor.empty() : tensor<1x384x14x14xf32>
    %522 = linalg.fill ins(%cst_55 : f32) outs(%521 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %523 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%520, %arg63 : tensor<1x64x14x14xf32>, tensor<384x64x1x1xf32>) outs(%522 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %524 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %525 = tosa.add %arg168, %524 : (tensor<384xf32>, tensor<1xf32>) -> tensor<384xf32>
    %526 = tosa.rsqrt %525 : (tensor<384xf32>) -> tensor<384xf32>
    %527 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %528 = tosa.mul %526, %arg64, %527 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %529 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %530 = tosa.mul %arg167, %528, %529 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %531 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %532 = tosa.negate %530, %531, %531 : (tensor<384xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<384xf32>
    %533 = tosa.add %532, %arg65 : (tensor<384xf32>, tensor<384xf32>) -> tensor<384xf32>
    %534 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %535 = tosa.reshape %528, %534 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %536 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %537 = tosa.reshape %535, %536 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %538 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %539 = tosa.mul %523, %537, %538 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>, tensor<1xi8>) -> tensor<1x384x14x14xf32>
    %540 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %541 = tosa.reshape %533, %540 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %542 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %543 = tosa.reshape %541, %542 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %544 = tosa.add %539, %543 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>) -> tensor<1x384x14x14xf32>
    %545 = tosa.clamp %544 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %cst_56 = arith.constant 0.000000e+00 : f32
    %padded_57 = tensor.pad %545 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_56 : f32
    } : tensor<1x384x14x14xf32> to tensor<1x384x16x16xf32>
    %cst_58 = arith.constant 0.000000e+00 : f32
    %546 = tensor.empty() : tensor<1x384x14x14xf32>
    %547 = linalg.fill ins(%cst_58 : f32) outs(%546 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %collapsed_59 = tensor.collapse_shape %arg66 [[0], [1, 2], [3]] : tensor<384x1x3x3xf32> into tensor<384x3x3xf32>
    %548 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_57, %collapsed_59 : tensor<1x384x16x16xf32>, tensor<384x3x3xf32>) outs(%547 : tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %549 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %550 = tosa.add %arg171, %549 : (tensor<384xf32>, tensor<1xf32>) -> tensor<384xf32>
    %551 = tosa.rsqrt %550 : (tensor<384xf32>) -> tensor<384xf32>
    %552 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %553 = tosa.mul %551, %arg67, %552 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %554 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %555 = tosa.mul %arg170, %553, %554 : (tensor<384xf32>, tensor<384xf32>, tensor<1xi8>) -> tensor<384xf32>
    %556 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %557 = tosa.negate %555, %556, %556 : (tensor<384xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<384xf32>
    %558 = tosa.add %557, %arg68 : (tensor<384xf32>, tensor<384xf32>) -> tensor<384xf32>
    %559 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %560 = tosa.reshape %553, %559 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %561 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %562 = tosa.reshape %560, %561 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %563 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %564 = tosa.mul %548, %562, %563 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>, tensor<1xi8>) -> tensor<1x384x14x14xf32>
    %565 = tosa.const_shape  {values = dense<[384, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %566 = tosa.reshape %558, %565 : (tensor<384xf32>, !tosa.shape<3>) -> tensor<384x1x1xf32>
    %567 = tosa.const_shape  {values = dense<[1, 384, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %568 = tosa.reshape %566, %567 : (tensor<384x1x1xf32>, !tosa.shape<4>) -> tensor<1x384x1x1xf32>
    %569 = tosa.add %564, %568 : (tensor<1x384x14x14xf32>, tensor<1x384x1x1xf32>) -> tensor<1x384x14x14xf32>
    %570 = tosa.clamp %569 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
    %cst_60 = arith.constant 0.000000e+00 : f32
    %cst_61 = arith.constant 0.000000e+00 : f32
    %571 = tensor.empty() : tensor<1x96x14x14xf32>
    %572 = linalg.fill ins(%cst_61 : f32) outs(%571 : tensor<1x96x14x14xf32>) -> tensor<1x96x14x14xf32>
    %573 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%570, %arg69 : tensor<1x384x14x14xf32>, tensor<96x384x1x1xf32>) outs(%572 : tensor<1x96x14x14xf32>) -> tensor<1x96x14x14xf32>
    %574 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %575 = tosa.add %arg174, %574 : (tensor<96xf32>, tensor<1xf32>) -> tensor<96xf32>
    %576 = tosa.rsqrt %575 : (tensor<96xf32>) -> tensor<96xf32>
    %577 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %578 = tosa.mul %576, %arg70, %577 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %579 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %580 = tosa.mul %arg173, %578, %579 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %581 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %582 = tosa.negate %580, %581, %581 : (tensor<96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<96xf32>
    %583 = tosa.add %582, %arg71 : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xf32>
    %584 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %585 = tosa.reshape %578, %584 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %586 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %587 = tosa.reshape %585, %586 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %588 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %589 = tosa.mul %573, %587, %588 : (tensor<1x96x14x14xf32>, tensor<1x96x1x1xf32>, tensor<1xi8>) -> tensor<1x96x14x14xf32>
    %590 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %591 = tosa.reshape %583, %590 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %592 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %593 = tosa.reshape %591, %592 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %594 = tosa.add %589, %593 : (tensor<1x96x14x14xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x14x14xf32>
    %cst_62 = arith.constant 0.000000e+00 : f32
    %cst_63 = arith.constant 0.000000e+00 : f32
    %595 = tensor.empty() : tensor<1x576x14x14xf32>
    %596 = linalg.fill ins(%cst_63 : f32) outs(%595 : tensor<1x576x14x14xf32>) -> tensor<1x576x14x14xf32>
    %597 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%594, %arg72 : tensor<1x96x14x14xf32>, tensor<576x96x1x1xf32>) outs(%596 : tensor<1x576x14x14xf32>) -> tensor<1x576x14x14xf32>
    %598 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %599 = tosa.add %arg177, %598 : (tensor<576xf32>, tensor<1xf32>) -> tensor<576xf32>
    %600 = tosa.rsqrt %599 : (tensor<576xf32>) -> tensor<576xf32>
    %601 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %602 = tosa.mul %600, %arg73, %601 : (tensor<576xf32>, tensor<576xf32>, tensor<1xi8>) -> tensor<576xf32>
    %603 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %604 = tosa.mul %arg176, %602, %603 : (tensor<576xf32>, tensor<576xf32>, tensor<1xi8>) -> tensor<576xf32>
    %605 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %606 = tosa.negate %604, %605, %605 : (tensor<576xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<576xf32>
    %607 = tosa.add %606, %arg74 : (tensor<576xf32>, tensor<576xf32>) -> tensor<576xf32>
    %608 = tosa.const_shape  {values = dense<[576, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %609 = tosa.reshape %602, %608 : (tensor<576xf32>, !tosa.shape<3>) -> tensor<576x1x1xf32>
    %610 = tosa.const_shape  {values = dense<[1, 576, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %611 = tosa.reshape %609, %610 : (tensor<576x1x1xf32>, !tosa.shape<4>) -> tensor<1x576x1x1xf32>
    %612 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %613 = tosa.mul %597, %611, %612 : (tensor<1x576x14x14xf32>, tensor<1x576x1x1xf32>, tensor<1xi8>) -> tensor<1x576x14x14xf32>
    %614 = tosa.const_shape  {values = dense<[576, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %615 = tosa.reshape %607, %614 : (tensor<576xf32>, !tosa.shape<3>) -> tensor<576x1x1xf32>
    %616 = tosa.const_shape  {values = dense<[1, 576, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %617 = tosa.reshape %615, %616 : (tensor<576x1x1xf32>, !tosa.shape<4>) -> tensor<1x576x1x1xf32>
    %618 = tosa.add %613, %617 : (tensor<1x576x14x14xf32>, tensor<1x576x1x1xf32>) -> tensor<1x576x14x14xf32>
    %619 = tosa.clamp %618 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x576x14x14xf32>) -> tensor<1x576x14x14xf32>
    %cst_64 = arith.constant 0.000000e+00 : f32
    %padded_65 = tensor.pad %619 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_64 : f32
    } : tensor<1x576x14x14xf32> to tensor<1x576x16x16xf32>
    %cst_66 = arith.constant 0.000000e+00 : f32
    %620 = tensor.empty() : tensor<1x576x7x7xf32>
    %621 = linalg.fill ins(%cst_66 : f32) outs(%620 : tensor<1x576x7x7xf32>) -> tensor<1x576x7x7xf32>
    %collapsed_67 = tensor.collapse_shape %arg75 [[0], [1, 2], [3]] : tensor<576x1x3x3xf32> into tensor<576x3x3xf32>
    %622 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_65, %collapsed_67 : tensor<1x576x16x16xf32>, tensor<576x3x3xf32>) outs(%621 : tensor<1x576x7x7xf32>) -> tensor<1x576x7x7xf32>
    %623 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %624 = tosa.add %arg180, %623 : (tensor<576xf32>, tensor<1xf32>) -> tensor<576xf32>
    %625 = tosa.rsqrt %624 : (tensor<576xf32>) -> tensor<576xf32>
    %626 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %627 = tosa.mul %625, %arg76, %626 : (tensor<576xf32>, tensor<576xf32>, tensor<1xi8>) -> tensor<576xf32>
    %628 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %629 = tosa.mul %arg179, %627, %628 : (tensor<576xf32>, tensor<576xf32>, tensor<1xi8>) -> tensor<576xf32>
    %630 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %631 = tosa.negate %629, %630, %630 : (tensor<576xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<576xf32>
    %632 = tosa.add %631, %arg77 : (tensor<576xf32>, tensor<576xf32>) -> tensor<576xf32>
    %633 = tosa.const_shape  {values = dense<[576, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %634 = tosa.reshape %627, %633 : (tensor<576xf32>, !tosa.shape<3>) -> tensor<576x1x1xf32>
    %635 = tosa.const_shape  {values = dense<[1, 576, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %636 = tosa.reshape %634, %635 : (tensor<576x1x1xf32>, !tosa.shape<4>) -> tensor<1x576x1x1xf32>
    %637 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %638 = tosa.mul %622, %636, %637 : (tensor<1x576x7x7xf32>, tensor<1x576x1x1xf32>, tensor<1xi8>) -> tensor<1x576x7x7xf32>
    %639 = tosa.const_shape  {values = dense<[576, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %640 = tosa.reshape %632, %639 : (tensor<576xf32>, !tosa.shape<3>) -> tensor<576x1x1xf32>
    %641 = tosa.const_shape  {values = dense<[1, 576, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %642 = tosa.reshape %640, %641 : (tensor<576x1x1xf32>, !tosa.shape<4>) -> tensor<1x576x1x1xf32>
    %643 = tosa.add %638, %642 : (tensor<1x576x7x7xf32>, tensor<1x576x1x1xf32>) -> tensor<1x576x7x7xf32>
    %644 = tosa.clamp %643 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x576x7x7xf32>) -> tensor<1x576x7x7xf32>
    %cst_68 = arith.constant 0.000000e+00 : f32
    %cst_69 = arith.constant 0.000000e+00 : f32
    %645 = tensor.empty() : tensor<1x160x7x7xf32>
    %646 = linalg.fill ins(%cst_69 : f32) outs(%645 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %647 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%644, %arg78 : tensor<1x576x7x7xf32>, tensor<160x576x1x1xf32>) outs(%646 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %648 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %649 = tosa.add %arg183, %648 : (tensor<160xf32>, tensor<1xf32>) -> tensor<160xf32>
    %650 = tosa.rsqrt %649 : (tensor<160xf32>) -> tensor<160xf32>
    %651 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %652 = tosa.mul %650, %arg79, %651 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %653 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %654 = tosa.mul %arg182, %652, %653 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %655 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %656 = tosa.negate %654, %655, %655 : (tensor<160xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<160xf32>
    %657 = tosa.add %656, %arg80 : (tensor<160xf32>, tensor<160xf32>) -> tensor<160xf32>
    %658 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %659 = tosa.reshape %652, %658 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %660 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %661 = tosa.reshape %659, %660 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %662 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %663 = tosa.mul %647, %661, %662 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>, tensor<1xi8>) -> tensor<1x160x7x7xf32>
    %664 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %665 = tosa.reshape %657, %664 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %666 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %667 = tosa.reshape %665, %666 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %668 = tosa.add %663, %667 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>) -> tensor<1x160x7x7xf32>
    %cst_70 = arith.constant 0.000000e+00 : f32
    %cst_71 = arith.constant 0.000000e+00 : f32
    %669 = tensor.empty() : tensor<1x960x7x7xf32>
    %670 = linalg.fill ins(%cst_71 : f32) outs(%669 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %671 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%668, %arg81 : tensor<1x160x7x7xf32>, tensor<960x160x1x1xf32>) outs(%670 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %672 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %673 = tosa.add %arg186, %672 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %674 = tosa.rsqrt %673 : (tensor<960xf32>) -> tensor<960xf32>
    %675 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %676 = tosa.mul %674, %arg82, %675 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %677 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %678 = tosa.mul %arg185, %676, %677 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %679 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %680 = tosa.negate %678, %679, %679 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %681 = tosa.add %680, %arg83 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %682 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %683 = tosa.reshape %676, %682 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %684 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %685 = tosa.reshape %683, %684 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %686 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %687 = tosa.mul %671, %685, %686 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %688 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %689 = tosa.reshape %681, %688 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %690 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %691 = tosa.reshape %689, %690 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %692 = tosa.add %687, %691 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %693 = tosa.clamp %692 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %cst_72 = arith.constant 0.000000e+00 : f32
    %padded_73 = tensor.pad %693 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_72 : f32
    } : tensor<1x960x7x7xf32> to tensor<1x960x9x9xf32>
    %cst_74 = arith.constant 0.000000e+00 : f32
    %694 = tensor.empty() : tensor<1x960x7x7xf32>
    %695 = linalg.fill ins(%cst_74 : f32) outs(%694 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %collapsed_75 = tensor.collapse_shape %arg84 [[0], [1, 2], [3]] : tensor<960x1x3x3xf32> into tensor<960x3x3xf32>
    %696 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_73, %collapsed_75 : tensor<1x960x9x9xf32>, tensor<960x3x3xf32>) outs(%695 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %697 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %698 = tosa.add %arg189, %697 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %699 = tosa.rsqrt %698 : (tensor<960xf32>) -> tensor<960xf32>
    %700 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %701 = tosa.mul %699, %arg85, %700 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %702 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %703 = tosa.mul %arg188, %701, %702 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %704 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %705 = tosa.negate %703, %704, %704 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %706 = tosa.add %705, %arg86 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %707 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %708 = tosa.reshape %701, %707 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %709 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %710 = tosa.reshape %708, %709 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %711 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %712 = tosa.mul %696, %710, %711 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %713 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %714 = tosa.reshape %706, %713 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %715 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %716 = tosa.reshape %714, %715 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %717 = tosa.add %712, %716 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %718 = tosa.clamp %717 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %cst_76 = arith.constant 0.000000e+00 : f32
    %cst_77 = arith.constant 0.000000e+00 : f32
    %719 = tensor.empty() : tensor<1x160x7x7xf32>
    %720 = linalg.fill ins(%cst_77 : f32) outs(%719 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %721 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%718, %arg87 : tensor<1x960x7x7xf32>, tensor<160x960x1x1xf32>) outs(%720 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %722 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %723 = tosa.add %arg192, %722 : (tensor<160xf32>, tensor<1xf32>) -> tensor<160xf32>
    %724 = tosa.rsqrt %723 : (tensor<160xf32>) -> tensor<160xf32>
    %725 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %726 = tosa.mul %724, %arg88, %725 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %727 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %728 = tosa.mul %arg191, %726, %727 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %729 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %730 = tosa.negate %728, %729, %729 : (tensor<160xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<160xf32>
    %731 = tosa.add %730, %arg89 : (tensor<160xf32>, tensor<160xf32>) -> tensor<160xf32>
    %732 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %733 = tosa.reshape %726, %732 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %734 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %735 = tosa.reshape %733, %734 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %736 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %737 = tosa.mul %721, %735, %736 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>, tensor<1xi8>) -> tensor<1x160x7x7xf32>
    %738 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %739 = tosa.reshape %731, %738 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %740 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %741 = tosa.reshape %739, %740 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %742 = tosa.add %737, %741 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>) -> tensor<1x160x7x7xf32>
    %743 = tosa.add %668, %742 : (tensor<1x160x7x7xf32>, tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %cst_78 = arith.constant 0.000000e+00 : f32
    %cst_79 = arith.constant 0.000000e+00 : f32
    %744 = tensor.empty() : tensor<1x960x7x7xf32>
    %745 = linalg.fill ins(%cst_79 : f32) outs(%744 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %746 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%743, %arg90 : tensor<1x160x7x7xf32>, tensor<960x160x1x1xf32>) outs(%745 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %747 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %748 = tosa.add %arg195, %747 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %749 = tosa.rsqrt %748 : (tensor<960xf32>) -> tensor<960xf32>
    %750 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %751 = tosa.mul %749, %arg91, %750 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %752 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %753 = tosa.mul %arg194, %751, %752 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %754 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %755 = tosa.negate %753, %754, %754 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %756 = tosa.add %755, %arg92 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %757 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %758 = tosa.reshape %751, %757 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %759 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %760 = tosa.reshape %758, %759 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %761 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %762 = tosa.mul %746, %760, %761 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %763 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %764 = tosa.reshape %756, %763 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %765 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %766 = tosa.reshape %764, %765 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %767 = tosa.add %762, %766 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %768 = tosa.clamp %767 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %cst_80 = arith.constant 0.000000e+00 : f32
    %padded_81 = tensor.pad %768 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg207: index, %arg208: index, %arg209: index, %arg210: index):
      tensor.yield %cst_80 : f32
    } : tensor<1x960x7x7xf32> to tensor<1x960x9x9xf32>
    %cst_82 = arith.constant 0.000000e+00 : f32
    %769 = tensor.empty() : tensor<1x960x7x7xf32>
    %770 = linalg.fill ins(%cst_82 : f32) outs(%769 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %collapsed_83 = tensor.collapse_shape %arg93 [[0], [1, 2], [3]] : tensor<960x1x3x3xf32> into tensor<960x3x3xf32>
    %771 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_81, %collapsed_83 : tensor<1x960x9x9xf32>, tensor<960x3x3xf32>) outs(%770 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %772 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %773 = tosa.add %arg198, %772 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %774 = tosa.rsqrt %773 : (tensor<960xf32>) -> tensor<960xf32>
    %775 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %776 = tosa.mul %774, %arg94, %775 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %777 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %778 = tosa.mul %arg197, %776, %777 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %779 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %780 = tosa.negate %778, %779, %779 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %781 = tosa.add %780, %arg95 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %782 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %783 = tosa.reshape %776, %782 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %784 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %785 = tosa.reshape %783, %784 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %786 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %787 = tosa.mul %771, %785, %786 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %788 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %789 = tosa.reshape %781, %788 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %790 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %791 = tosa.reshape %789, %790 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %792 = tosa.add %787, %791 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %793 = tosa.clamp %792 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %cst_84 = arith.constant 0.000000e+00 : f32
    %cst_85 = arith.constant 0.000000e+00 : f32
    %794 = tensor.empty() : tensor<1x320x7x7xf32>
    %795 = linalg.fill ins(%cst_85 : f32) outs(%794 : tensor<1x320x7x7xf32>) -> tensor<1x320x7x7xf32>
    %796 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%793, %arg96 : tensor<1x960x7x7xf32>, tensor<320x960x1x1xf32>) outs(%795 : tensor<1x320x7x7xf32>) -> tensor<1x320x7x7xf32>
    %797 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %798 = tosa.add %arg201, %797 : (tensor<320xf32>, tensor<1xf32>) -> tensor<320xf32>
    %799 = tosa.rsqrt %798 : (tensor<320xf32>) -> tensor<320xf32>
    %800 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %801 = tosa.mul %799, %arg97, %800 : (tensor<320xf32>, tensor<320xf32>, tensor<1xi8>) -> tensor<320xf32>
    %802 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %803 = tosa.mul %arg200, %801, %802 : (tensor<320xf32>, tensor<320xf32>, tensor<1xi8>) -> tensor<320xf32>
    %804 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %805 = tosa.negate %803, %804, %804 : (tensor<320xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<320xf32>
    %806 = tosa.add %805, %arg98 : (tensor<320xf32>, tensor<320xf32>) -> tensor<320xf32>
    %807 = tosa.const_shape  {values = dense<[320, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %808 = tosa.reshape %801, %807 : (tensor<320xf32>, !tosa.shape<3>) -> tensor<320x1x1xf32>
    %809 = tosa.const_shape  {values = dense<[1, 320, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %810 = tosa.reshape %808, %809 : (tensor<320x1x1xf32>, !tosa.shape<4>) -> tensor<1x320x1x1xf32>
    %811 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %812 = tosa.mul %796, %810, %811 : (tensor<1x320x7x7xf32>, tensor<1x320x1x1xf32>, tensor<1xi8>) -> tensor<1x320x7x7xf32>
    %813 = tosa.const_shape  {values = dense<[320, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %814 = tosa.reshape %806, %813 : (tensor<320xf32>, !tosa.shape<3>) -> tensor<320x1x1xf32>
    %815 = tosa.const_shape  {values = dense<[1, 320, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %816 = tosa.reshape %814, %815 : (tensor<320x1x1xf32>, !tosa.shape<4>) -> tensor<1x320x1x1xf32>
    %817 = tosa.add %812, %816 : (tensor<1x320x7x7xf32>, tensor<1x320x1x1xf32>) -> tensor<1x320x7x7xf32>
    %cst_86 = arith.constant 0.000000e+00 : f32
    %cst_87 = arith.constant 0.000000e+00 : f32
    %818 = tensor.empty() : tensor<1x1280x7x7xf32>
    %819 = linalg.fill ins(%cst_87 : f32) outs(%818 : tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %820 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%817, %arg99 : tensor<1x320x7x7xf32>, tensor<1280x320x1x1xf32>) outs(%819 : tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %821 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %822 = tosa.add %arg204, %821 : (tensor<1280xf32>, tensor<1xf32>) -> tensor<1280xf32>
    %823 = tosa.rsqrt %822 : (tensor<1280xf32>) -> tensor<1280xf32>
    %824 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %825 = tosa.mul %823, %arg100, %824 : (tensor<1280xf32>, tensor<1280xf32>, tensor<1xi8>) -> tensor<1280xf32>
    %826 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %827 = tosa.mul %arg203, %825, %826 : (tensor<1280xf32>, tensor<1280xf32>, tensor<1xi8>) -> tensor<1280xf32>
    %828 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %829 = tosa.negate %827, %828, %828 : (tensor<1280xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1280xf32>
    %830 = tosa.add %829, %arg101 : (tensor<1280xf32>, tensor<1280xf32>) -> tensor<1280xf32>
    %831 = tosa.const_shape  {values = dense<[1280, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %832 = tosa.reshape %825, %831 : (tensor<1280xf32>, !tosa.shape<3>) -> tensor<1280x1x1xf32>
    %833 = tosa.const_shape  {values = dense<[1, 1280, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %834 = tosa.reshape %832, %833 : (tensor<1280x1x1xf32>, !tosa.shape<4>) -> tensor<1x1280x1x1xf32>
    %835 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %836 = tosa.mul %820, %834, %835 : (tensor<1x1280x7x7xf32>, tensor<1x1280x1x1xf32>, tensor<1xi8>) -> tensor<1x1280x7x7xf32>
    %837 = tosa.const_shape  {values = dense<[1280, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %838 = tosa.reshape %830, %837 : (tensor<1280xf32>, !tosa.shape<3>) -> tensor<1280x1x1xf32>
    %839 = tosa.const_shape  {values = dense<[1, 1280, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %840 = tosa.reshape %838, %839 : (tensor<1280x1x1xf32>, !tosa.shape<4>) -> tensor<1x1280x1x1xf32>
    %841 = tosa.add %836, %840 : (tensor<1x1280x7x7xf32>, tensor<1x1280x1x1xf32>) -> tensor<1x1280x7x7xf32>
    %842 = tosa.clamp %841 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %cst_88 = arith.constant 0.000000e+00 : f32
    %843 = tensor.empty() : tensor<1x1280xf32>
    %844 = linalg.fill ins(%cst_88 : f32) outs(%843 : tensor<1x1280xf32>) -> tensor<1x1280xf32>
    %845 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%842 : tensor<1x1280x7x7xf32>) outs(%844 : tensor<1x1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %853 = arith.addf %out, %in : f32
      linalg.yield %853 : f32
    } -> tensor<1x1280xf32>
    %846 = tensor.empty() : tensor<1x1280xf32>
    %847 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%845 : tensor<1x1280xf32>) outs(%846 : tensor<1x1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_89 = arith.constant 4.900000e+01 : f32
      %853 = arith.divf %in, %cst_89 : f32
      linalg.yield %853 : f32
    } -> tensor<1x1280xf32>
    %expanded = tensor.expand_shape %847 [[0], [1, 2, 3]] output_shape [1, 1280, 1, 1] : tensor<1x1280xf32> into tensor<1x1280x1x1xf32>
    %848 = tosa.const_shape  {values = dense<[1, 1280]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %849 = tosa.reshape %expanded, %848 : (tensor<1x1280x1x1xf32>, !tosa.shape<2>) -> tensor<1x1280xf32>
    %850 = tensor.empty() : tensor<1x1000xf32>
    %851 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg103 : tensor<1000xf32>) outs(%850 : tensor<1x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1000xf32>
    %852 = linalg.matmul indexing_maps = [#map4, #map5, #map6] ins(%849, %arg102 : tensor<1x1280xf32>, tensor<1000x1280xf32>) outs(%851 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    return %852 : tensor<1x1000xf32>
  }
}

