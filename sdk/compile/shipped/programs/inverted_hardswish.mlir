#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @forward(%arg0: tensor<32x3x3x3xf32> {buddy.weight}, %arg1: tensor<32xf32> {buddy.weight}, %arg2: tensor<32xf32> {buddy.weight}, %arg3: tensor<32x1x3x3xf32> {buddy.weight}, %arg4: tensor<32xf32> {buddy.weight}, %arg5: tensor<32xf32> {buddy.weight}, %arg6: tensor<16x32x1x1xf32> {buddy.weight}, %arg7: tensor<16xf32> {buddy.weight}, %arg8: tensor<16xf32> {buddy.weight}, %arg9: tensor<96x16x1x1xf32> {buddy.weight}, %arg10: tensor<96xf32> {buddy.weight}, %arg11: tensor<96xf32> {buddy.weight}, %arg12: tensor<96x1x3x3xf32> {buddy.weight}, %arg13: tensor<96xf32> {buddy.weight}, %arg14: tensor<96xf32> {buddy.weight}, %arg15: tensor<24x96x1x1xf32> {buddy.weight}, %arg16: tensor<24xf32> {buddy.weight}, %arg17: tensor<24xf32> {buddy.weight}, %arg18: tensor<144x24x1x1xf32> {buddy.weight}, %arg19: tensor<144xf32> {buddy.weight}, %arg20: tensor<144xf32> {buddy.weight}, %arg21: tensor<144x1x3x3xf32> {buddy.weight}, %arg22: tensor<144xf32> {buddy.weight}, %arg23: tensor<144xf32> {buddy.weight}, %arg24: tensor<24x144x1x1xf32> {buddy.weight}, %arg25: tensor<24xf32> {buddy.weight}, %arg26: tensor<24xf32> {buddy.weight}, %arg27: tensor<144x24x1x1xf32> {buddy.weight}, %arg28: tensor<144xf32> {buddy.weight}, %arg29: tensor<144xf32> {buddy.weight}, %arg30: tensor<144x1x5x5xf32> {buddy.weight}, %arg31: tensor<144xf32> {buddy.weight}, %arg32: tensor<144xf32> {buddy.weight}, %arg33: tensor<32x144x1x1xf32> {buddy.weight}, %arg34: tensor<32xf32> {buddy.weight}, %arg35: tensor<144x32x1x1xf32> {buddy.weight}, %arg36: tensor<144xf32> {buddy.weight}, %arg37: tensor<40x144x1x1xf32> {buddy.weight}, %arg38: tensor<40xf32> {buddy.weight}, %arg39: tensor<40xf32> {buddy.weight}, %arg40: tensor<240x40x1x1xf32> {buddy.weight}, %arg41: tensor<240xf32> {buddy.weight}, %arg42: tensor<240xf32> {buddy.weight}, %arg43: tensor<240x1x5x5xf32> {buddy.weight}, %arg44: tensor<240xf32> {buddy.weight}, %arg45: tensor<240xf32> {buddy.weight}, %arg46: tensor<56x240x1x1xf32> {buddy.weight}, %arg47: tensor<56xf32> {buddy.weight}, %arg48: tensor<240x56x1x1xf32> {buddy.weight}, %arg49: tensor<240xf32> {buddy.weight}, %arg50: tensor<40x240x1x1xf32> {buddy.weight}, %arg51: tensor<40xf32> {buddy.weight}, %arg52: tensor<40xf32> {buddy.weight}, %arg53: tensor<240x40x1x1xf32> {buddy.weight}, %arg54: tensor<240xf32> {buddy.weight}, %arg55: tensor<240xf32> {buddy.weight}, %arg56: tensor<240x1x3x3xf32> {buddy.weight}, %arg57: tensor<240xf32> {buddy.weight}, %arg58: tensor<240xf32> {buddy.weight}, %arg59: tensor<80x240x1x1xf32> {buddy.weight}, %arg60: tensor<80xf32> {buddy.weight}, %arg61: tensor<80xf32> {buddy.weight}, %arg62: tensor<480x80x1x1xf32> {buddy.weight}, %arg63: tensor<480xf32> {buddy.weight}, %arg64: tensor<480xf32> {buddy.weight}, %arg65: tensor<480x1x3x3xf32> {buddy.weight}, %arg66: tensor<480xf32> {buddy.weight}, %arg67: tensor<480xf32> {buddy.weight}, %arg68: tensor<80x480x1x1xf32> {buddy.weight}, %arg69: tensor<80xf32> {buddy.weight}, %arg70: tensor<80xf32> {buddy.weight}, %arg71: tensor<480x80x1x1xf32> {buddy.weight}, %arg72: tensor<480xf32> {buddy.weight}, %arg73: tensor<480xf32> {buddy.weight}, %arg74: tensor<480x1x3x3xf32> {buddy.weight}, %arg75: tensor<480xf32> {buddy.weight}, %arg76: tensor<480xf32> {buddy.weight}, %arg77: tensor<112x480x1x1xf32> {buddy.weight}, %arg78: tensor<112xf32> {buddy.weight}, %arg79: tensor<112xf32> {buddy.weight}, %arg80: tensor<672x112x1x1xf32> {buddy.weight}, %arg81: tensor<672xf32> {buddy.weight}, %arg82: tensor<672xf32> {buddy.weight}, %arg83: tensor<672x1x5x5xf32> {buddy.weight}, %arg84: tensor<672xf32> {buddy.weight}, %arg85: tensor<672xf32> {buddy.weight}, %arg86: tensor<168x672x1x1xf32> {buddy.weight}, %arg87: tensor<168xf32> {buddy.weight}, %arg88: tensor<672x168x1x1xf32> {buddy.weight}, %arg89: tensor<672xf32> {buddy.weight}, %arg90: tensor<160x672x1x1xf32> {buddy.weight}, %arg91: tensor<160xf32> {buddy.weight}, %arg92: tensor<160xf32> {buddy.weight}, %arg93: tensor<960x160x1x1xf32> {buddy.weight}, %arg94: tensor<960xf32> {buddy.weight}, %arg95: tensor<960xf32> {buddy.weight}, %arg96: tensor<960x1x5x5xf32> {buddy.weight}, %arg97: tensor<960xf32> {buddy.weight}, %arg98: tensor<960xf32> {buddy.weight}, %arg99: tensor<240x960x1x1xf32> {buddy.weight}, %arg100: tensor<240xf32> {buddy.weight}, %arg101: tensor<960x240x1x1xf32> {buddy.weight}, %arg102: tensor<960xf32> {buddy.weight}, %arg103: tensor<160x960x1x1xf32> {buddy.weight}, %arg104: tensor<160xf32> {buddy.weight}, %arg105: tensor<160xf32> {buddy.weight}, %arg106: tensor<960x160x1x1xf32> {buddy.weight}, %arg107: tensor<960xf32> {buddy.weight}, %arg108: tensor<960xf32> {buddy.weight}, %arg109: tensor<960x1x3x3xf32> {buddy.weight}, %arg110: tensor<960xf32> {buddy.weight}, %arg111: tensor<960xf32> {buddy.weight}, %arg112: tensor<320x960x1x1xf32> {buddy.weight}, %arg113: tensor<320xf32> {buddy.weight}, %arg114: tensor<320xf32> {buddy.weight}, %arg115: tensor<1280x320x1x1xf32> {buddy.weight}, %arg116: tensor<1280xf32> {buddy.weight}, %arg117: tensor<1280xf32> {buddy.weight}, %arg118: tensor<1000x1280xf32> {buddy.weight}, %arg119: tensor<1000xf32> {buddy.weight}, %arg120: tensor<32xf32> {buddy.weight}, %arg121: tensor<32xf32> {buddy.weight}, %arg122: tensor<i64> {buddy.weight}, %arg123: tensor<32xf32> {buddy.weight}, %arg124: tensor<32xf32> {buddy.weight}, %arg125: tensor<i64> {buddy.weight}, %arg126: tensor<16xf32> {buddy.weight}, %arg127: tensor<16xf32> {buddy.weight}, %arg128: tensor<i64> {buddy.weight}, %arg129: tensor<96xf32> {buddy.weight}, %arg130: tensor<96xf32> {buddy.weight}, %arg131: tensor<i64> {buddy.weight}, %arg132: tensor<96xf32> {buddy.weight}, %arg133: tensor<96xf32> {buddy.weight}, %arg134: tensor<i64> {buddy.weight}, %arg135: tensor<24xf32> {buddy.weight}, %arg136: tensor<24xf32> {buddy.weight}, %arg137: tensor<i64> {buddy.weight}, %arg138: tensor<144xf32> {buddy.weight}, %arg139: tensor<144xf32> {buddy.weight}, %arg140: tensor<i64> {buddy.weight}, %arg141: tensor<144xf32> {buddy.weight}, %arg142: tensor<144xf32> {buddy.weight}, %arg143: tensor<i64> {buddy.weight}, %arg144: tensor<24xf32> {buddy.weight}, %arg145: tensor<24xf32> {buddy.weight}, %arg146: tensor<i64> {buddy.weight}, %arg147: tensor<144xf32> {buddy.weight}, %arg148: tensor<144xf32> {buddy.weight}, %arg149: tensor<i64> {buddy.weight}, %arg150: tensor<144xf32> {buddy.weight}, %arg151: tensor<144xf32> {buddy.weight}, %arg152: tensor<i64> {buddy.weight}, %arg153: tensor<40xf32> {buddy.weight}, %arg154: tensor<40xf32> {buddy.weight}, %arg155: tensor<i64> {buddy.weight}, %arg156: tensor<240xf32> {buddy.weight}, %arg157: tensor<240xf32> {buddy.weight}, %arg158: tensor<i64> {buddy.weight}, %arg159: tensor<240xf32> {buddy.weight}, %arg160: tensor<240xf32> {buddy.weight}, %arg161: tensor<i64> {buddy.weight}, %arg162: tensor<40xf32> {buddy.weight}, %arg163: tensor<40xf32> {buddy.weight}, %arg164: tensor<i64> {buddy.weight}, %arg165: tensor<240xf32> {buddy.weight}, %arg166: tensor<240xf32> {buddy.weight}, %arg167: tensor<i64> {buddy.weight}, %arg168: tensor<240xf32> {buddy.weight}, %arg169: tensor<240xf32> {buddy.weight}, %arg170: tensor<i64> {buddy.weight}, %arg171: tensor<80xf32> {buddy.weight}, %arg172: tensor<80xf32> {buddy.weight}, %arg173: tensor<i64> {buddy.weight}, %arg174: tensor<480xf32> {buddy.weight}, %arg175: tensor<480xf32> {buddy.weight}, %arg176: tensor<i64> {buddy.weight}, %arg177: tensor<480xf32> {buddy.weight}, %arg178: tensor<480xf32> {buddy.weight}, %arg179: tensor<i64> {buddy.weight}, %arg180: tensor<80xf32> {buddy.weight}, %arg181: tensor<80xf32> {buddy.weight}, %arg182: tensor<i64> {buddy.weight}, %arg183: tensor<480xf32> {buddy.weight}, %arg184: tensor<480xf32> {buddy.weight}, %arg185: tensor<i64> {buddy.weight}, %arg186: tensor<480xf32> {buddy.weight}, %arg187: tensor<480xf32> {buddy.weight}, %arg188: tensor<i64> {buddy.weight}, %arg189: tensor<112xf32> {buddy.weight}, %arg190: tensor<112xf32> {buddy.weight}, %arg191: tensor<i64> {buddy.weight}, %arg192: tensor<672xf32> {buddy.weight}, %arg193: tensor<672xf32> {buddy.weight}, %arg194: tensor<i64> {buddy.weight}, %arg195: tensor<672xf32> {buddy.weight}, %arg196: tensor<672xf32> {buddy.weight}, %arg197: tensor<i64> {buddy.weight}, %arg198: tensor<160xf32> {buddy.weight}, %arg199: tensor<160xf32> {buddy.weight}, %arg200: tensor<i64> {buddy.weight}, %arg201: tensor<960xf32> {buddy.weight}, %arg202: tensor<960xf32> {buddy.weight}, %arg203: tensor<i64> {buddy.weight}, %arg204: tensor<960xf32> {buddy.weight}, %arg205: tensor<960xf32> {buddy.weight}, %arg206: tensor<i64> {buddy.weight}, %arg207: tensor<160xf32> {buddy.weight}, %arg208: tensor<160xf32> {buddy.weight}, %arg209: tensor<i64> {buddy.weight}, %arg210: tensor<960xf32> {buddy.weight}, %arg211: tensor<960xf32> {buddy.weight}, %arg212: tensor<i64> {buddy.weight}, %arg213: tensor<960xf32> {buddy.weight}, %arg214: tensor<960xf32> {buddy.weight}, %arg215: tensor<i64> {buddy.weight}, %arg216: tensor<320xf32> {buddy.weight}, %arg217: tensor<320xf32> {buddy.weight}, %arg218: tensor<i64> {buddy.weight}, %arg219: tensor<1280xf32> {buddy.weight}, %arg220: tensor<1280xf32> {buddy.weight}, %arg221: tensor<i64> {buddy.weight}, %arg222: tensor<1x3x224x224xf32>) -> tensor<1x1000xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg222 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst : f32
    } : tensor<1x3x224x224xf32> to tensor<1x3x226x226xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x32x112x112xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg0 : tensor<1x3x226x226xf32>, tensor<32x3x3x3xf32>) outs(%1 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %3 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.add %arg121, %3 : (tensor<32xf32>, tensor<1xf32>) -> tensor<32xf32>
    %5 = tosa.rsqrt %4 : (tensor<32xf32>) -> tensor<32xf32>
    %6 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = tosa.mul %5, %arg1, %6 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = tosa.mul %arg120, %7, %8 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
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
    %24 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %25 = tosa.add %23, %24 : (tensor<1x32x112x112xf32>, tensor<1x1x1x1xf32>) -> tensor<1x32x112x112xf32>
    %26 = tosa.clamp %25 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %27 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = tosa.mul %23, %26, %27 : (tensor<1x32x112x112xf32>, tensor<1x32x112x112xf32>, tensor<1xi8>) -> tensor<1x32x112x112xf32>
    %29 = tensor.empty() : tensor<1x32x112x112xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x32x112x112xf32>) outs(%29 : tensor<1x32x112x112xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x32x112x112xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %padded_2 = tensor.pad %30 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x32x112x112xf32> to tensor<1x32x114x114xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %31 = tensor.empty() : tensor<1x32x112x112xf32>
    %32 = linalg.fill ins(%cst_3 : f32) outs(%31 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %collapsed = tensor.collapse_shape %arg3 [[0], [1, 2], [3]] : tensor<32x1x3x3xf32> into tensor<32x3x3xf32>
    %33 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_2, %collapsed : tensor<1x32x114x114xf32>, tensor<32x3x3xf32>) outs(%32 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %34 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %35 = tosa.add %arg124, %34 : (tensor<32xf32>, tensor<1xf32>) -> tensor<32xf32>
    %36 = tosa.rsqrt %35 : (tensor<32xf32>) -> tensor<32xf32>
    %37 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %38 = tosa.mul %36, %arg4, %37 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %39 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = tosa.mul %arg123, %38, %39 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %41 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %42 = tosa.negate %40, %41, %41 : (tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<32xf32>
    %43 = tosa.add %42, %arg5 : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %44 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %45 = tosa.reshape %38, %44 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %46 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %47 = tosa.reshape %45, %46 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %48 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %49 = tosa.mul %33, %47, %48 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x112x112xf32>
    %50 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %51 = tosa.reshape %43, %50 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %52 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %53 = tosa.reshape %51, %52 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %54 = tosa.add %49, %53 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x112x112xf32>
    %55 = tosa.clamp %54 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %cst_5 = arith.constant 0.000000e+00 : f32
    %56 = tensor.empty() : tensor<1x16x112x112xf32>
    %57 = linalg.fill ins(%cst_5 : f32) outs(%56 : tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
    %58 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%55, %arg6 : tensor<1x32x112x112xf32>, tensor<16x32x1x1xf32>) outs(%57 : tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
    %59 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %60 = tosa.add %arg127, %59 : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
    %61 = tosa.rsqrt %60 : (tensor<16xf32>) -> tensor<16xf32>
    %62 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %63 = tosa.mul %61, %arg7, %62 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %64 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %65 = tosa.mul %arg126, %63, %64 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %66 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %67 = tosa.negate %65, %66, %66 : (tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<16xf32>
    %68 = tosa.add %67, %arg8 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %69 = tosa.const_shape  {values = dense<[16, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %70 = tosa.reshape %63, %69 : (tensor<16xf32>, !tosa.shape<3>) -> tensor<16x1x1xf32>
    %71 = tosa.const_shape  {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %72 = tosa.reshape %70, %71 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %73 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %74 = tosa.mul %58, %72, %73 : (tensor<1x16x112x112xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x112x112xf32>
    %75 = tosa.const_shape  {values = dense<[16, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %76 = tosa.reshape %68, %75 : (tensor<16xf32>, !tosa.shape<3>) -> tensor<16x1x1xf32>
    %77 = tosa.const_shape  {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %78 = tosa.reshape %76, %77 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %79 = tosa.add %74, %78 : (tensor<1x16x112x112xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x112x112xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %cst_7 = arith.constant 0.000000e+00 : f32
    %80 = tensor.empty() : tensor<1x96x112x112xf32>
    %81 = linalg.fill ins(%cst_7 : f32) outs(%80 : tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %82 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%79, %arg9 : tensor<1x16x112x112xf32>, tensor<96x16x1x1xf32>) outs(%81 : tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %83 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %84 = tosa.add %arg130, %83 : (tensor<96xf32>, tensor<1xf32>) -> tensor<96xf32>
    %85 = tosa.rsqrt %84 : (tensor<96xf32>) -> tensor<96xf32>
    %86 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %87 = tosa.mul %85, %arg10, %86 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %88 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %89 = tosa.mul %arg129, %87, %88 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %90 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %91 = tosa.negate %89, %90, %90 : (tensor<96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<96xf32>
    %92 = tosa.add %91, %arg11 : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xf32>
    %93 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %94 = tosa.reshape %87, %93 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %95 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %96 = tosa.reshape %94, %95 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %97 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %98 = tosa.mul %82, %96, %97 : (tensor<1x96x112x112xf32>, tensor<1x96x1x1xf32>, tensor<1xi8>) -> tensor<1x96x112x112xf32>
    %99 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %100 = tosa.reshape %92, %99 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %101 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %102 = tosa.reshape %100, %101 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %103 = tosa.add %98, %102 : (tensor<1x96x112x112xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x112x112xf32>
    %104 = tosa.clamp %103 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %padded_9 = tensor.pad %104 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_8 : f32
    } : tensor<1x96x112x112xf32> to tensor<1x96x114x114xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %105 = tensor.empty() : tensor<1x96x56x56xf32>
    %106 = linalg.fill ins(%cst_10 : f32) outs(%105 : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
    %collapsed_11 = tensor.collapse_shape %arg12 [[0], [1, 2], [3]] : tensor<96x1x3x3xf32> into tensor<96x3x3xf32>
    %107 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_9, %collapsed_11 : tensor<1x96x114x114xf32>, tensor<96x3x3xf32>) outs(%106 : tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
    %108 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %109 = tosa.add %arg133, %108 : (tensor<96xf32>, tensor<1xf32>) -> tensor<96xf32>
    %110 = tosa.rsqrt %109 : (tensor<96xf32>) -> tensor<96xf32>
    %111 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %112 = tosa.mul %110, %arg13, %111 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %113 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %114 = tosa.mul %arg132, %112, %113 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %115 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %116 = tosa.negate %114, %115, %115 : (tensor<96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<96xf32>
    %117 = tosa.add %116, %arg14 : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xf32>
    %118 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %119 = tosa.reshape %112, %118 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %120 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %121 = tosa.reshape %119, %120 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %122 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %123 = tosa.mul %107, %121, %122 : (tensor<1x96x56x56xf32>, tensor<1x96x1x1xf32>, tensor<1xi8>) -> tensor<1x96x56x56xf32>
    %124 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %125 = tosa.reshape %117, %124 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %126 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %127 = tosa.reshape %125, %126 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %128 = tosa.add %123, %127 : (tensor<1x96x56x56xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x56x56xf32>
    %129 = tosa.clamp %128 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %cst_13 = arith.constant 0.000000e+00 : f32
    %130 = tensor.empty() : tensor<1x24x56x56xf32>
    %131 = linalg.fill ins(%cst_13 : f32) outs(%130 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %132 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%129, %arg15 : tensor<1x96x56x56xf32>, tensor<24x96x1x1xf32>) outs(%131 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %133 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %134 = tosa.add %arg136, %133 : (tensor<24xf32>, tensor<1xf32>) -> tensor<24xf32>
    %135 = tosa.rsqrt %134 : (tensor<24xf32>) -> tensor<24xf32>
    %136 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %137 = tosa.mul %135, %arg16, %136 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %138 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %139 = tosa.mul %arg135, %137, %138 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %140 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %141 = tosa.negate %139, %140, %140 : (tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<24xf32>
    %142 = tosa.add %141, %arg17 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %143 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %144 = tosa.reshape %137, %143 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %145 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %146 = tosa.reshape %144, %145 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %147 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %148 = tosa.mul %132, %146, %147 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>, tensor<1xi8>) -> tensor<1x24x56x56xf32>
    %149 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %150 = tosa.reshape %142, %149 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %151 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %152 = tosa.reshape %150, %151 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %153 = tosa.add %148, %152 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>) -> tensor<1x24x56x56xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %cst_15 = arith.constant 0.000000e+00 : f32
    %154 = tensor.empty() : tensor<1x144x56x56xf32>
    %155 = linalg.fill ins(%cst_15 : f32) outs(%154 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %156 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%153, %arg18 : tensor<1x24x56x56xf32>, tensor<144x24x1x1xf32>) outs(%155 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %157 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %158 = tosa.add %arg139, %157 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %159 = tosa.rsqrt %158 : (tensor<144xf32>) -> tensor<144xf32>
    %160 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %161 = tosa.mul %159, %arg19, %160 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %162 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %163 = tosa.mul %arg138, %161, %162 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %164 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %165 = tosa.negate %163, %164, %164 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %166 = tosa.add %165, %arg20 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %167 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %168 = tosa.reshape %161, %167 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %169 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %170 = tosa.reshape %168, %169 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %171 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %172 = tosa.mul %156, %170, %171 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %173 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %174 = tosa.reshape %166, %173 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %175 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %176 = tosa.reshape %174, %175 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %177 = tosa.add %172, %176 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %178 = tosa.clamp %177 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %padded_17 = tensor.pad %178 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_16 : f32
    } : tensor<1x144x56x56xf32> to tensor<1x144x58x58xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %179 = tensor.empty() : tensor<1x144x56x56xf32>
    %180 = linalg.fill ins(%cst_18 : f32) outs(%179 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %collapsed_19 = tensor.collapse_shape %arg21 [[0], [1, 2], [3]] : tensor<144x1x3x3xf32> into tensor<144x3x3xf32>
    %181 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_17, %collapsed_19 : tensor<1x144x58x58xf32>, tensor<144x3x3xf32>) outs(%180 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %182 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %183 = tosa.add %arg142, %182 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %184 = tosa.rsqrt %183 : (tensor<144xf32>) -> tensor<144xf32>
    %185 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %186 = tosa.mul %184, %arg22, %185 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %187 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %188 = tosa.mul %arg141, %186, %187 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %189 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %190 = tosa.negate %188, %189, %189 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %191 = tosa.add %190, %arg23 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %192 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %193 = tosa.reshape %186, %192 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %194 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %195 = tosa.reshape %193, %194 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %196 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %197 = tosa.mul %181, %195, %196 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %198 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %199 = tosa.reshape %191, %198 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %200 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %201 = tosa.reshape %199, %200 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %202 = tosa.add %197, %201 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %203 = tosa.clamp %202 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %cst_21 = arith.constant 0.000000e+00 : f32
    %204 = tensor.empty() : tensor<1x24x56x56xf32>
    %205 = linalg.fill ins(%cst_21 : f32) outs(%204 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %206 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%203, %arg24 : tensor<1x144x56x56xf32>, tensor<24x144x1x1xf32>) outs(%205 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %207 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %208 = tosa.add %arg145, %207 : (tensor<24xf32>, tensor<1xf32>) -> tensor<24xf32>
    %209 = tosa.rsqrt %208 : (tensor<24xf32>) -> tensor<24xf32>
    %210 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %211 = tosa.mul %209, %arg25, %210 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %212 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %213 = tosa.mul %arg144, %211, %212 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %214 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %215 = tosa.negate %213, %214, %214 : (tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<24xf32>
    %216 = tosa.add %215, %arg26 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %217 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %218 = tosa.reshape %211, %217 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %219 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %220 = tosa.reshape %218, %219 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %221 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %222 = tosa.mul %206, %220, %221 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>, tensor<1xi8>) -> tensor<1x24x56x56xf32>
    %223 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %224 = tosa.reshape %216, %223 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %225 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %226 = tosa.reshape %224, %225 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %227 = tosa.add %222, %226 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>) -> tensor<1x24x56x56xf32>
    %228 = tosa.add %153, %227 : (tensor<1x24x56x56xf32>, tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %cst_23 = arith.constant 0.000000e+00 : f32
    %229 = tensor.empty() : tensor<1x144x56x56xf32>
    %230 = linalg.fill ins(%cst_23 : f32) outs(%229 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %231 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%228, %arg27 : tensor<1x24x56x56xf32>, tensor<144x24x1x1xf32>) outs(%230 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %232 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %233 = tosa.add %arg148, %232 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %234 = tosa.rsqrt %233 : (tensor<144xf32>) -> tensor<144xf32>
    %235 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %236 = tosa.mul %234, %arg28, %235 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %237 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %238 = tosa.mul %arg147, %236, %237 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %239 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %240 = tosa.negate %238, %239, %239 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %241 = tosa.add %240, %arg29 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %242 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %243 = tosa.reshape %236, %242 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %244 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %245 = tosa.reshape %243, %244 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %246 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %247 = tosa.mul %231, %245, %246 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %248 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %249 = tosa.reshape %241, %248 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %250 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %251 = tosa.reshape %249, %250 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %252 = tosa.add %247, %251 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %253 = tosa.clamp %252 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %padded_25 = tensor.pad %253 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_24 : f32
    } : tensor<1x144x56x56xf32> to tensor<1x144x60x60xf32>
    %cst_26 = arith.constant 0.000000e+00 : f32
    %254 = tensor.empty() : tensor<1x144x28x28xf32>
    %255 = linalg.fill ins(%cst_26 : f32) outs(%254 : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %collapsed_27 = tensor.collapse_shape %arg30 [[0], [1, 2], [3]] : tensor<144x1x5x5xf32> into tensor<144x5x5xf32>
    %256 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_25, %collapsed_27 : tensor<1x144x60x60xf32>, tensor<144x5x5xf32>) outs(%255 : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %257 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %258 = tosa.add %arg151, %257 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %259 = tosa.rsqrt %258 : (tensor<144xf32>) -> tensor<144xf32>
    %260 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %261 = tosa.mul %259, %arg31, %260 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %262 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %263 = tosa.mul %arg150, %261, %262 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %264 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %265 = tosa.negate %263, %264, %264 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %266 = tosa.add %265, %arg32 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %267 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %268 = tosa.reshape %261, %267 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %269 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %270 = tosa.reshape %268, %269 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %271 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %272 = tosa.mul %256, %270, %271 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x28x28xf32>
    %273 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %274 = tosa.reshape %266, %273 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %275 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %276 = tosa.reshape %274, %275 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %277 = tosa.add %272, %276 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x28x28xf32>
    %278 = tosa.clamp %277 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %279 = tensor.empty() : tensor<1x144xf32>
    %280 = linalg.fill ins(%cst_28 : f32) outs(%279 : tensor<1x144xf32>) -> tensor<1x144xf32>
    %281 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%278 : tensor<1x144x28x28xf32>) outs(%280 : tensor<1x144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1013 = arith.addf %out, %in : f32
      linalg.yield %1013 : f32
    } -> tensor<1x144xf32>
    %282 = tensor.empty() : tensor<1x144xf32>
    %283 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%281 : tensor<1x144xf32>) outs(%282 : tensor<1x144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 7.840000e+02 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x144xf32>
    %expanded = tensor.expand_shape %283 [[0], [1, 2, 3]] output_shape [1, 144, 1, 1] : tensor<1x144xf32> into tensor<1x144x1x1xf32>
    %cst_29 = arith.constant 0.000000e+00 : f32
    %expanded_30 = tensor.expand_shape %arg34 [[0, 1, 2]] output_shape [32, 1, 1] : tensor<32xf32> into tensor<32x1x1xf32>
    %284 = tensor.empty() : tensor<1x32x1x1xf32>
    %285 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<32x1x1xf32>) outs(%284 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x1xf32>
    %286 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded, %arg33 : tensor<1x144x1x1xf32>, tensor<32x144x1x1xf32>) outs(%285 : tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
    %287 = tosa.clamp %286 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %expanded_32 = tensor.expand_shape %arg36 [[0, 1, 2]] output_shape [144, 1, 1] : tensor<144xf32> into tensor<144x1x1xf32>
    %288 = tensor.empty() : tensor<1x144x1x1xf32>
    %289 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<144x1x1xf32>) outs(%288 : tensor<1x144x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x144x1x1xf32>
    %290 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%287, %arg35 : tensor<1x32x1x1xf32>, tensor<144x32x1x1xf32>) outs(%289 : tensor<1x144x1x1xf32>) -> tensor<1x144x1x1xf32>
    %291 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %292 = tosa.add %290, %291 : (tensor<1x144x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x144x1x1xf32>
    %293 = tosa.clamp %292 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x144x1x1xf32>) -> tensor<1x144x1x1xf32>
    %294 = tensor.empty() : tensor<1x144x1x1xf32>
    %295 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%293 : tensor<1x144x1x1xf32>) outs(%294 : tensor<1x144x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x144x1x1xf32>
    %296 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %297 = tosa.mul %278, %295, %296 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x28x28xf32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %cst_34 = arith.constant 0.000000e+00 : f32
    %298 = tensor.empty() : tensor<1x40x28x28xf32>
    %299 = linalg.fill ins(%cst_34 : f32) outs(%298 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %300 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%297, %arg37 : tensor<1x144x28x28xf32>, tensor<40x144x1x1xf32>) outs(%299 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %301 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %302 = tosa.add %arg154, %301 : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32>
    %303 = tosa.rsqrt %302 : (tensor<40xf32>) -> tensor<40xf32>
    %304 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %305 = tosa.mul %303, %arg38, %304 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %306 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %307 = tosa.mul %arg153, %305, %306 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %308 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %309 = tosa.negate %307, %308, %308 : (tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<40xf32>
    %310 = tosa.add %309, %arg39 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %311 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %312 = tosa.reshape %305, %311 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %313 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %314 = tosa.reshape %312, %313 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %315 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %316 = tosa.mul %300, %314, %315 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>, tensor<1xi8>) -> tensor<1x40x28x28xf32>
    %317 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %318 = tosa.reshape %310, %317 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %319 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %320 = tosa.reshape %318, %319 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %321 = tosa.add %316, %320 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>) -> tensor<1x40x28x28xf32>
    %cst_35 = arith.constant 0.000000e+00 : f32
    %cst_36 = arith.constant 0.000000e+00 : f32
    %322 = tensor.empty() : tensor<1x240x28x28xf32>
    %323 = linalg.fill ins(%cst_36 : f32) outs(%322 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %324 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%321, %arg40 : tensor<1x40x28x28xf32>, tensor<240x40x1x1xf32>) outs(%323 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %325 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %326 = tosa.add %arg157, %325 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %327 = tosa.rsqrt %326 : (tensor<240xf32>) -> tensor<240xf32>
    %328 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %329 = tosa.mul %327, %arg41, %328 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %330 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %331 = tosa.mul %arg156, %329, %330 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %332 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %333 = tosa.negate %331, %332, %332 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %334 = tosa.add %333, %arg42 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
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
    %346 = tosa.clamp %345 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %cst_37 = arith.constant 0.000000e+00 : f32
    %padded_38 = tensor.pad %346 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_37 : f32
    } : tensor<1x240x28x28xf32> to tensor<1x240x32x32xf32>
    %cst_39 = arith.constant 0.000000e+00 : f32
    %347 = tensor.empty() : tensor<1x240x28x28xf32>
    %348 = linalg.fill ins(%cst_39 : f32) outs(%347 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %collapsed_40 = tensor.collapse_shape %arg43 [[0], [1, 2], [3]] : tensor<240x1x5x5xf32> into tensor<240x5x5xf32>
    %349 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_38, %collapsed_40 : tensor<1x240x32x32xf32>, tensor<240x5x5xf32>) outs(%348 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %350 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %351 = tosa.add %arg160, %350 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %352 = tosa.rsqrt %351 : (tensor<240xf32>) -> tensor<240xf32>
    %353 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %354 = tosa.mul %352, %arg44, %353 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %355 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %356 = tosa.mul %arg159, %354, %355 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %357 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %358 = tosa.negate %356, %357, %357 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %359 = tosa.add %358, %arg45 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %360 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %361 = tosa.reshape %354, %360 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %362 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %363 = tosa.reshape %361, %362 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %364 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %365 = tosa.mul %349, %363, %364 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %366 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %367 = tosa.reshape %359, %366 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %368 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %369 = tosa.reshape %367, %368 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %370 = tosa.add %365, %369 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %371 = tosa.clamp %370 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %cst_41 = arith.constant 0.000000e+00 : f32
    %372 = tensor.empty() : tensor<1x240xf32>
    %373 = linalg.fill ins(%cst_41 : f32) outs(%372 : tensor<1x240xf32>) -> tensor<1x240xf32>
    %374 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%371 : tensor<1x240x28x28xf32>) outs(%373 : tensor<1x240xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1013 = arith.addf %out, %in : f32
      linalg.yield %1013 : f32
    } -> tensor<1x240xf32>
    %375 = tensor.empty() : tensor<1x240xf32>
    %376 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%374 : tensor<1x240xf32>) outs(%375 : tensor<1x240xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 7.840000e+02 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x240xf32>
    %expanded_42 = tensor.expand_shape %376 [[0], [1, 2, 3]] output_shape [1, 240, 1, 1] : tensor<1x240xf32> into tensor<1x240x1x1xf32>
    %cst_43 = arith.constant 0.000000e+00 : f32
    %expanded_44 = tensor.expand_shape %arg47 [[0, 1, 2]] output_shape [56, 1, 1] : tensor<56xf32> into tensor<56x1x1xf32>
    %377 = tensor.empty() : tensor<1x56x1x1xf32>
    %378 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<56x1x1xf32>) outs(%377 : tensor<1x56x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x1x1xf32>
    %379 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_42, %arg46 : tensor<1x240x1x1xf32>, tensor<56x240x1x1xf32>) outs(%378 : tensor<1x56x1x1xf32>) -> tensor<1x56x1x1xf32>
    %380 = tosa.clamp %379 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x56x1x1xf32>) -> tensor<1x56x1x1xf32>
    %cst_45 = arith.constant 0.000000e+00 : f32
    %expanded_46 = tensor.expand_shape %arg49 [[0, 1, 2]] output_shape [240, 1, 1] : tensor<240xf32> into tensor<240x1x1xf32>
    %381 = tensor.empty() : tensor<1x240x1x1xf32>
    %382 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_46 : tensor<240x1x1xf32>) outs(%381 : tensor<1x240x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x240x1x1xf32>
    %383 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%380, %arg48 : tensor<1x56x1x1xf32>, tensor<240x56x1x1xf32>) outs(%382 : tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %384 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %385 = tosa.add %383, %384 : (tensor<1x240x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x240x1x1xf32>
    %386 = tosa.clamp %385 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %387 = tensor.empty() : tensor<1x240x1x1xf32>
    %388 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%386 : tensor<1x240x1x1xf32>) outs(%387 : tensor<1x240x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x240x1x1xf32>
    %389 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %390 = tosa.mul %371, %388, %389 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %cst_47 = arith.constant 0.000000e+00 : f32
    %cst_48 = arith.constant 0.000000e+00 : f32
    %391 = tensor.empty() : tensor<1x40x28x28xf32>
    %392 = linalg.fill ins(%cst_48 : f32) outs(%391 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %393 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%390, %arg50 : tensor<1x240x28x28xf32>, tensor<40x240x1x1xf32>) outs(%392 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %394 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %395 = tosa.add %arg163, %394 : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32>
    %396 = tosa.rsqrt %395 : (tensor<40xf32>) -> tensor<40xf32>
    %397 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %398 = tosa.mul %396, %arg51, %397 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %399 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %400 = tosa.mul %arg162, %398, %399 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %401 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %402 = tosa.negate %400, %401, %401 : (tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<40xf32>
    %403 = tosa.add %402, %arg52 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %404 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %405 = tosa.reshape %398, %404 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %406 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %407 = tosa.reshape %405, %406 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %408 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %409 = tosa.mul %393, %407, %408 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>, tensor<1xi8>) -> tensor<1x40x28x28xf32>
    %410 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %411 = tosa.reshape %403, %410 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %412 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %413 = tosa.reshape %411, %412 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %414 = tosa.add %409, %413 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>) -> tensor<1x40x28x28xf32>
    %415 = tosa.add %321, %414 : (tensor<1x40x28x28xf32>, tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %cst_49 = arith.constant 0.000000e+00 : f32
    %cst_50 = arith.constant 0.000000e+00 : f32
    %416 = tensor.empty() : tensor<1x240x28x28xf32>
    %417 = linalg.fill ins(%cst_50 : f32) outs(%416 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %418 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%415, %arg53 : tensor<1x40x28x28xf32>, tensor<240x40x1x1xf32>) outs(%417 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %419 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %420 = tosa.add %arg166, %419 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %421 = tosa.rsqrt %420 : (tensor<240xf32>) -> tensor<240xf32>
    %422 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %423 = tosa.mul %421, %arg54, %422 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %424 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %425 = tosa.mul %arg165, %423, %424 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %426 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %427 = tosa.negate %425, %426, %426 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %428 = tosa.add %427, %arg55 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %429 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %430 = tosa.reshape %423, %429 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %431 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %432 = tosa.reshape %430, %431 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %433 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %434 = tosa.mul %418, %432, %433 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %435 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %436 = tosa.reshape %428, %435 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %437 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %438 = tosa.reshape %436, %437 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %439 = tosa.add %434, %438 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %440 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %441 = tosa.add %439, %440 : (tensor<1x240x28x28xf32>, tensor<1x1x1x1xf32>) -> tensor<1x240x28x28xf32>
    %442 = tosa.clamp %441 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %443 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %444 = tosa.mul %439, %442, %443 : (tensor<1x240x28x28xf32>, tensor<1x240x28x28xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %445 = tensor.empty() : tensor<1x240x28x28xf32>
    %446 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%444 : tensor<1x240x28x28xf32>) outs(%445 : tensor<1x240x28x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x240x28x28xf32>
    %cst_51 = arith.constant 0.000000e+00 : f32
    %padded_52 = tensor.pad %446 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_51 : f32
    } : tensor<1x240x28x28xf32> to tensor<1x240x30x30xf32>
    %cst_53 = arith.constant 0.000000e+00 : f32
    %447 = tensor.empty() : tensor<1x240x14x14xf32>
    %448 = linalg.fill ins(%cst_53 : f32) outs(%447 : tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %collapsed_54 = tensor.collapse_shape %arg56 [[0], [1, 2], [3]] : tensor<240x1x3x3xf32> into tensor<240x3x3xf32>
    %449 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_52, %collapsed_54 : tensor<1x240x30x30xf32>, tensor<240x3x3xf32>) outs(%448 : tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %450 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %451 = tosa.add %arg169, %450 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %452 = tosa.rsqrt %451 : (tensor<240xf32>) -> tensor<240xf32>
    %453 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %454 = tosa.mul %452, %arg57, %453 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %455 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %456 = tosa.mul %arg168, %454, %455 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %457 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %458 = tosa.negate %456, %457, %457 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %459 = tosa.add %458, %arg58 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %460 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %461 = tosa.reshape %454, %460 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %462 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %463 = tosa.reshape %461, %462 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %464 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %465 = tosa.mul %449, %463, %464 : (tensor<1x240x14x14xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x14x14xf32>
    %466 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %467 = tosa.reshape %459, %466 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %468 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %469 = tosa.reshape %467, %468 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %470 = tosa.add %465, %469 : (tensor<1x240x14x14xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x14x14xf32>
    %471 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %472 = tosa.add %470, %471 : (tensor<1x240x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x240x14x14xf32>
    %473 = tosa.clamp %472 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %474 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %475 = tosa.mul %470, %473, %474 : (tensor<1x240x14x14xf32>, tensor<1x240x14x14xf32>, tensor<1xi8>) -> tensor<1x240x14x14xf32>
    %476 = tensor.empty() : tensor<1x240x14x14xf32>
    %477 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%475 : tensor<1x240x14x14xf32>) outs(%476 : tensor<1x240x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x240x14x14xf32>
    %cst_55 = arith.constant 0.000000e+00 : f32
    %cst_56 = arith.constant 0.000000e+00 : f32
    %478 = tensor.empty() : tensor<1x80x14x14xf32>
    %479 = linalg.fill ins(%cst_56 : f32) outs(%478 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %480 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%477, %arg59 : tensor<1x240x14x14xf32>, tensor<80x240x1x1xf32>) outs(%479 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %481 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %482 = tosa.add %arg172, %481 : (tensor<80xf32>, tensor<1xf32>) -> tensor<80xf32>
    %483 = tosa.rsqrt %482 : (tensor<80xf32>) -> tensor<80xf32>
    %484 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %485 = tosa.mul %483, %arg60, %484 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %486 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %487 = tosa.mul %arg171, %485, %486 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %488 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %489 = tosa.negate %487, %488, %488 : (tensor<80xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<80xf32>
    %490 = tosa.add %489, %arg61 : (tensor<80xf32>, tensor<80xf32>) -> tensor<80xf32>
    %491 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %492 = tosa.reshape %485, %491 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %493 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %494 = tosa.reshape %492, %493 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %495 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %496 = tosa.mul %480, %494, %495 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>, tensor<1xi8>) -> tensor<1x80x14x14xf32>
    %497 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %498 = tosa.reshape %490, %497 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %499 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %500 = tosa.reshape %498, %499 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %501 = tosa.add %496, %500 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>) -> tensor<1x80x14x14xf32>
    %cst_57 = arith.constant 0.000000e+00 : f32
    %cst_58 = arith.constant 0.000000e+00 : f32
    %502 = tensor.empty() : tensor<1x480x14x14xf32>
    %503 = linalg.fill ins(%cst_58 : f32) outs(%502 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %504 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%501, %arg62 : tensor<1x80x14x14xf32>, tensor<480x80x1x1xf32>) outs(%503 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %505 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %506 = tosa.add %arg175, %505 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %507 = tosa.rsqrt %506 : (tensor<480xf32>) -> tensor<480xf32>
    %508 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %509 = tosa.mul %507, %arg63, %508 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %510 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %511 = tosa.mul %arg174, %509, %510 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %512 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %513 = tosa.negate %511, %512, %512 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %514 = tosa.add %513, %arg64 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %515 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %516 = tosa.reshape %509, %515 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %517 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %518 = tosa.reshape %516, %517 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %519 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %520 = tosa.mul %504, %518, %519 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %521 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %522 = tosa.reshape %514, %521 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %523 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %524 = tosa.reshape %522, %523 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %525 = tosa.add %520, %524 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %526 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %527 = tosa.add %525, %526 : (tensor<1x480x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x480x14x14xf32>
    %528 = tosa.clamp %527 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %529 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %530 = tosa.mul %525, %528, %529 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %531 = tensor.empty() : tensor<1x480x14x14xf32>
    %532 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%530 : tensor<1x480x14x14xf32>) outs(%531 : tensor<1x480x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x480x14x14xf32>
    %cst_59 = arith.constant 0.000000e+00 : f32
    %padded_60 = tensor.pad %532 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_59 : f32
    } : tensor<1x480x14x14xf32> to tensor<1x480x16x16xf32>
    %cst_61 = arith.constant 0.000000e+00 : f32
    %533 = tensor.empty() : tensor<1x480x14x14xf32>
    %534 = linalg.fill ins(%cst_61 : f32) outs(%533 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %collapsed_62 = tensor.collapse_shape %arg65 [[0], [1, 2], [3]] : tensor<480x1x3x3xf32> into tensor<480x3x3xf32>
    %535 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_60, %collapsed_62 : tensor<1x480x16x16xf32>, tensor<480x3x3xf32>) outs(%534 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %536 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %537 = tosa.add %arg178, %536 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %538 = tosa.rsqrt %537 : (tensor<480xf32>) -> tensor<480xf32>
    %539 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %540 = tosa.mul %538, %arg66, %539 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %541 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %542 = tosa.mul %arg177, %540, %541 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %543 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %544 = tosa.negate %542, %543, %543 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %545 = tosa.add %544, %arg67 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %546 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %547 = tosa.reshape %540, %546 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %548 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %549 = tosa.reshape %547, %548 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %550 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %551 = tosa.mul %535, %549, %550 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %552 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %553 = tosa.reshape %545, %552 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %554 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %555 = tosa.reshape %553, %554 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %556 = tosa.add %551, %555 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %557 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %558 = tosa.add %556, %557 : (tensor<1x480x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x480x14x14xf32>
    %559 = tosa.clamp %558 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %560 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %561 = tosa.mul %556, %559, %560 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %562 = tensor.empty() : tensor<1x480x14x14xf32>
    %563 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%561 : tensor<1x480x14x14xf32>) outs(%562 : tensor<1x480x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x480x14x14xf32>
    %cst_63 = arith.constant 0.000000e+00 : f32
    %cst_64 = arith.constant 0.000000e+00 : f32
    %564 = tensor.empty() : tensor<1x80x14x14xf32>
    %565 = linalg.fill ins(%cst_64 : f32) outs(%564 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %566 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%563, %arg68 : tensor<1x480x14x14xf32>, tensor<80x480x1x1xf32>) outs(%565 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %567 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %568 = tosa.add %arg181, %567 : (tensor<80xf32>, tensor<1xf32>) -> tensor<80xf32>
    %569 = tosa.rsqrt %568 : (tensor<80xf32>) -> tensor<80xf32>
    %570 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %571 = tosa.mul %569, %arg69, %570 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %572 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %573 = tosa.mul %arg180, %571, %572 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %574 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %575 = tosa.negate %573, %574, %574 : (tensor<80xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<80xf32>
    %576 = tosa.add %575, %arg70 : (tensor<80xf32>, tensor<80xf32>) -> tensor<80xf32>
    %577 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %578 = tosa.reshape %571, %577 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %579 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %580 = tosa.reshape %578, %579 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %581 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %582 = tosa.mul %566, %580, %581 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>, tensor<1xi8>) -> tensor<1x80x14x14xf32>
    %583 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %584 = tosa.reshape %576, %583 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %585 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %586 = tosa.reshape %584, %585 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %587 = tosa.add %582, %586 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>) -> tensor<1x80x14x14xf32>
    %588 = tosa.add %501, %587 : (tensor<1x80x14x14xf32>, tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %cst_65 = arith.constant 0.000000e+00 : f32
    %cst_66 = arith.constant 0.000000e+00 : f32
    %589 = tensor.empty() : tensor<1x480x14x14xf32>
    %590 = linalg.fill ins(%cst_66 : f32) outs(%589 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %591 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%588, %arg71 : tensor<1x80x14x14xf32>, tensor<480x80x1x1xf32>) outs(%590 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %592 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %593 = tosa.add %arg184, %592 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %594 = tosa.rsqrt %593 : (tensor<480xf32>) -> tensor<480xf32>
    %595 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %596 = tosa.mul %594, %arg72, %595 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %597 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %598 = tosa.mul %arg183, %596, %597 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %599 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %600 = tosa.negate %598, %599, %599 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %601 = tosa.add %600, %arg73 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %602 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %603 = tosa.reshape %596, %602 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %604 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %605 = tosa.reshape %603, %604 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %606 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %607 = tosa.mul %591, %605, %606 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %608 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %609 = tosa.reshape %601, %608 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %610 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %611 = tosa.reshape %609, %610 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %612 = tosa.add %607, %611 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %613 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %614 = tosa.add %612, %613 : (tensor<1x480x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x480x14x14xf32>
    %615 = tosa.clamp %614 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %616 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %617 = tosa.mul %612, %615, %616 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %618 = tensor.empty() : tensor<1x480x14x14xf32>
    %619 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%617 : tensor<1x480x14x14xf32>) outs(%618 : tensor<1x480x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x480x14x14xf32>
    %cst_67 = arith.constant 0.000000e+00 : f32
    %padded_68 = tensor.pad %619 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_67 : f32
    } : tensor<1x480x14x14xf32> to tensor<1x480x16x16xf32>
    %cst_69 = arith.constant 0.000000e+00 : f32
    %620 = tensor.empty() : tensor<1x480x14x14xf32>
    %621 = linalg.fill ins(%cst_69 : f32) outs(%620 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %collapsed_70 = tensor.collapse_shape %arg74 [[0], [1, 2], [3]] : tensor<480x1x3x3xf32> into tensor<480x3x3xf32>
    %622 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_68, %collapsed_70 : tensor<1x480x16x16xf32>, tensor<480x3x3xf32>) outs(%621 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %623 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %624 = tosa.add %arg187, %623 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %625 = tosa.rsqrt %624 : (tensor<480xf32>) -> tensor<480xf32>
    %626 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %627 = tosa.mul %625, %arg75, %626 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %628 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %629 = tosa.mul %arg186, %627, %628 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %630 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %631 = tosa.negate %629, %630, %630 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %632 = tosa.add %631, %arg76 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %633 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %634 = tosa.reshape %627, %633 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %635 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %636 = tosa.reshape %634, %635 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %637 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %638 = tosa.mul %622, %636, %637 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %639 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %640 = tosa.reshape %632, %639 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %641 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %642 = tosa.reshape %640, %641 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %643 = tosa.add %638, %642 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %644 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %645 = tosa.add %643, %644 : (tensor<1x480x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x480x14x14xf32>
    %646 = tosa.clamp %645 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %647 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %648 = tosa.mul %643, %646, %647 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %649 = tensor.empty() : tensor<1x480x14x14xf32>
    %650 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%648 : tensor<1x480x14x14xf32>) outs(%649 : tensor<1x480x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x480x14x14xf32>
    %cst_71 = arith.constant 0.000000e+00 : f32
    %cst_72 = arith.constant 0.000000e+00 : f32
    %651 = tensor.empty() : tensor<1x112x14x14xf32>
    %652 = linalg.fill ins(%cst_72 : f32) outs(%651 : tensor<1x112x14x14xf32>) -> tensor<1x112x14x14xf32>
    %653 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%650, %arg77 : tensor<1x480x14x14xf32>, tensor<112x480x1x1xf32>) outs(%652 : tensor<1x112x14x14xf32>) -> tensor<1x112x14x14xf32>
    %654 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %655 = tosa.add %arg190, %654 : (tensor<112xf32>, tensor<1xf32>) -> tensor<112xf32>
    %656 = tosa.rsqrt %655 : (tensor<112xf32>) -> tensor<112xf32>
    %657 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %658 = tosa.mul %656, %arg78, %657 : (tensor<112xf32>, tensor<112xf32>, tensor<1xi8>) -> tensor<112xf32>
    %659 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %660 = tosa.mul %arg189, %658, %659 : (tensor<112xf32>, tensor<112xf32>, tensor<1xi8>) -> tensor<112xf32>
    %661 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %662 = tosa.negate %660, %661, %661 : (tensor<112xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<112xf32>
    %663 = tosa.add %662, %arg79 : (tensor<112xf32>, tensor<112xf32>) -> tensor<112xf32>
    %664 = tosa.const_shape  {values = dense<[112, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %665 = tosa.reshape %658, %664 : (tensor<112xf32>, !tosa.shape<3>) -> tensor<112x1x1xf32>
    %666 = tosa.const_shape  {values = dense<[1, 112, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %667 = tosa.reshape %665, %666 : (tensor<112x1x1xf32>, !tosa.shape<4>) -> tensor<1x112x1x1xf32>
    %668 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %669 = tosa.mul %653, %667, %668 : (tensor<1x112x14x14xf32>, tensor<1x112x1x1xf32>, tensor<1xi8>) -> tensor<1x112x14x14xf32>
    %670 = tosa.const_shape  {values = dense<[112, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %671 = tosa.reshape %663, %670 : (tensor<112xf32>, !tosa.shape<3>) -> tensor<112x1x1xf32>
    %672 = tosa.const_shape  {values = dense<[1, 112, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %673 = tosa.reshape %671, %672 : (tensor<112x1x1xf32>, !tosa.shape<4>) -> tensor<1x112x1x1xf32>
    %674 = tosa.add %669, %673 : (tensor<1x112x14x14xf32>, tensor<1x112x1x1xf32>) -> tensor<1x112x14x14xf32>
    %cst_73 = arith.constant 0.000000e+00 : f32
    %cst_74 = arith.constant 0.000000e+00 : f32
    %675 = tensor.empty() : tensor<1x672x14x14xf32>
    %676 = linalg.fill ins(%cst_74 : f32) outs(%675 : tensor<1x672x14x14xf32>) -> tensor<1x672x14x14xf32>
    %677 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%674, %arg80 : tensor<1x112x14x14xf32>, tensor<672x112x1x1xf32>) outs(%676 : tensor<1x672x14x14xf32>) -> tensor<1x672x14x14xf32>
    %678 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %679 = tosa.add %arg193, %678 : (tensor<672xf32>, tensor<1xf32>) -> tensor<672xf32>
    %680 = tosa.rsqrt %679 : (tensor<672xf32>) -> tensor<672xf32>
    %681 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %682 = tosa.mul %680, %arg81, %681 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %683 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %684 = tosa.mul %arg192, %682, %683 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %685 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %686 = tosa.negate %684, %685, %685 : (tensor<672xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<672xf32>
    %687 = tosa.add %686, %arg82 : (tensor<672xf32>, tensor<672xf32>) -> tensor<672xf32>
    %688 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %689 = tosa.reshape %682, %688 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %690 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %691 = tosa.reshape %689, %690 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %692 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %693 = tosa.mul %677, %691, %692 : (tensor<1x672x14x14xf32>, tensor<1x672x1x1xf32>, tensor<1xi8>) -> tensor<1x672x14x14xf32>
    %694 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %695 = tosa.reshape %687, %694 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %696 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %697 = tosa.reshape %695, %696 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %698 = tosa.add %693, %697 : (tensor<1x672x14x14xf32>, tensor<1x672x1x1xf32>) -> tensor<1x672x14x14xf32>
    %699 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %700 = tosa.add %698, %699 : (tensor<1x672x14x14xf32>, tensor<1x1x1x1xf32>) -> tensor<1x672x14x14xf32>
    %701 = tosa.clamp %700 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x672x14x14xf32>) -> tensor<1x672x14x14xf32>
    %702 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %703 = tosa.mul %698, %701, %702 : (tensor<1x672x14x14xf32>, tensor<1x672x14x14xf32>, tensor<1xi8>) -> tensor<1x672x14x14xf32>
    %704 = tensor.empty() : tensor<1x672x14x14xf32>
    %705 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%703 : tensor<1x672x14x14xf32>) outs(%704 : tensor<1x672x14x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x672x14x14xf32>
    %cst_75 = arith.constant 0.000000e+00 : f32
    %padded_76 = tensor.pad %705 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_75 : f32
    } : tensor<1x672x14x14xf32> to tensor<1x672x18x18xf32>
    %cst_77 = arith.constant 0.000000e+00 : f32
    %706 = tensor.empty() : tensor<1x672x7x7xf32>
    %707 = linalg.fill ins(%cst_77 : f32) outs(%706 : tensor<1x672x7x7xf32>) -> tensor<1x672x7x7xf32>
    %collapsed_78 = tensor.collapse_shape %arg83 [[0], [1, 2], [3]] : tensor<672x1x5x5xf32> into tensor<672x5x5xf32>
    %708 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_76, %collapsed_78 : tensor<1x672x18x18xf32>, tensor<672x5x5xf32>) outs(%707 : tensor<1x672x7x7xf32>) -> tensor<1x672x7x7xf32>
    %709 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %710 = tosa.add %arg196, %709 : (tensor<672xf32>, tensor<1xf32>) -> tensor<672xf32>
    %711 = tosa.rsqrt %710 : (tensor<672xf32>) -> tensor<672xf32>
    %712 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %713 = tosa.mul %711, %arg84, %712 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %714 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %715 = tosa.mul %arg195, %713, %714 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %716 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %717 = tosa.negate %715, %716, %716 : (tensor<672xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<672xf32>
    %718 = tosa.add %717, %arg85 : (tensor<672xf32>, tensor<672xf32>) -> tensor<672xf32>
    %719 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %720 = tosa.reshape %713, %719 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %721 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %722 = tosa.reshape %720, %721 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %723 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %724 = tosa.mul %708, %722, %723 : (tensor<1x672x7x7xf32>, tensor<1x672x1x1xf32>, tensor<1xi8>) -> tensor<1x672x7x7xf32>
    %725 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %726 = tosa.reshape %718, %725 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %727 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %728 = tosa.reshape %726, %727 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %729 = tosa.add %724, %728 : (tensor<1x672x7x7xf32>, tensor<1x672x1x1xf32>) -> tensor<1x672x7x7xf32>
    %730 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %731 = tosa.add %729, %730 : (tensor<1x672x7x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x672x7x7xf32>
    %732 = tosa.clamp %731 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x672x7x7xf32>) -> tensor<1x672x7x7xf32>
    %733 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %734 = tosa.mul %729, %732, %733 : (tensor<1x672x7x7xf32>, tensor<1x672x7x7xf32>, tensor<1xi8>) -> tensor<1x672x7x7xf32>
    %735 = tensor.empty() : tensor<1x672x7x7xf32>
    %736 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%734 : tensor<1x672x7x7xf32>) outs(%735 : tensor<1x672x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x672x7x7xf32>
    %cst_79 = arith.constant 0.000000e+00 : f32
    %737 = tensor.empty() : tensor<1x672xf32>
    %738 = linalg.fill ins(%cst_79 : f32) outs(%737 : tensor<1x672xf32>) -> tensor<1x672xf32>
    %739 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%736 : tensor<1x672x7x7xf32>) outs(%738 : tensor<1x672xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1013 = arith.addf %out, %in : f32
      linalg.yield %1013 : f32
    } -> tensor<1x672xf32>
    %740 = tensor.empty() : tensor<1x672xf32>
    %741 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%739 : tensor<1x672xf32>) outs(%740 : tensor<1x672xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 4.900000e+01 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x672xf32>
    %expanded_80 = tensor.expand_shape %741 [[0], [1, 2, 3]] output_shape [1, 672, 1, 1] : tensor<1x672xf32> into tensor<1x672x1x1xf32>
    %cst_81 = arith.constant 0.000000e+00 : f32
    %expanded_82 = tensor.expand_shape %arg87 [[0, 1, 2]] output_shape [168, 1, 1] : tensor<168xf32> into tensor<168x1x1xf32>
    %742 = tensor.empty() : tensor<1x168x1x1xf32>
    %743 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_82 : tensor<168x1x1xf32>) outs(%742 : tensor<1x168x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x168x1x1xf32>
    %744 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_80, %arg86 : tensor<1x672x1x1xf32>, tensor<168x672x1x1xf32>) outs(%743 : tensor<1x168x1x1xf32>) -> tensor<1x168x1x1xf32>
    %745 = tosa.clamp %744 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x168x1x1xf32>) -> tensor<1x168x1x1xf32>
    %cst_83 = arith.constant 0.000000e+00 : f32
    %expanded_84 = tensor.expand_shape %arg89 [[0, 1, 2]] output_shape [672, 1, 1] : tensor<672xf32> into tensor<672x1x1xf32>
    %746 = tensor.empty() : tensor<1x672x1x1xf32>
    %747 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_84 : tensor<672x1x1xf32>) outs(%746 : tensor<1x672x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x672x1x1xf32>
    %748 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%745, %arg88 : tensor<1x168x1x1xf32>, tensor<672x168x1x1xf32>) outs(%747 : tensor<1x672x1x1xf32>) -> tensor<1x672x1x1xf32>
    %749 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %750 = tosa.add %748, %749 : (tensor<1x672x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x672x1x1xf32>
    %751 = tosa.clamp %750 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x672x1x1xf32>) -> tensor<1x672x1x1xf32>
    %752 = tensor.empty() : tensor<1x672x1x1xf32>
    %753 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%751 : tensor<1x672x1x1xf32>) outs(%752 : tensor<1x672x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x672x1x1xf32>
    %754 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %755 = tosa.mul %736, %753, %754 : (tensor<1x672x7x7xf32>, tensor<1x672x1x1xf32>, tensor<1xi8>) -> tensor<1x672x7x7xf32>
    %cst_85 = arith.constant 0.000000e+00 : f32
    %cst_86 = arith.constant 0.000000e+00 : f32
    %756 = tensor.empty() : tensor<1x160x7x7xf32>
    %757 = linalg.fill ins(%cst_86 : f32) outs(%756 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %758 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%755, %arg90 : tensor<1x672x7x7xf32>, tensor<160x672x1x1xf32>) outs(%757 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %759 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %760 = tosa.add %arg199, %759 : (tensor<160xf32>, tensor<1xf32>) -> tensor<160xf32>
    %761 = tosa.rsqrt %760 : (tensor<160xf32>) -> tensor<160xf32>
    %762 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %763 = tosa.mul %761, %arg91, %762 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %764 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %765 = tosa.mul %arg198, %763, %764 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %766 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %767 = tosa.negate %765, %766, %766 : (tensor<160xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<160xf32>
    %768 = tosa.add %767, %arg92 : (tensor<160xf32>, tensor<160xf32>) -> tensor<160xf32>
    %769 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %770 = tosa.reshape %763, %769 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %771 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %772 = tosa.reshape %770, %771 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %773 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %774 = tosa.mul %758, %772, %773 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>, tensor<1xi8>) -> tensor<1x160x7x7xf32>
    %775 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %776 = tosa.reshape %768, %775 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %777 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %778 = tosa.reshape %776, %777 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %779 = tosa.add %774, %778 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>) -> tensor<1x160x7x7xf32>
    %cst_87 = arith.constant 0.000000e+00 : f32
    %cst_88 = arith.constant 0.000000e+00 : f32
    %780 = tensor.empty() : tensor<1x960x7x7xf32>
    %781 = linalg.fill ins(%cst_88 : f32) outs(%780 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %782 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%779, %arg93 : tensor<1x160x7x7xf32>, tensor<960x160x1x1xf32>) outs(%781 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %783 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %784 = tosa.add %arg202, %783 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %785 = tosa.rsqrt %784 : (tensor<960xf32>) -> tensor<960xf32>
    %786 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %787 = tosa.mul %785, %arg94, %786 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %788 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %789 = tosa.mul %arg201, %787, %788 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %790 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %791 = tosa.negate %789, %790, %790 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %792 = tosa.add %791, %arg95 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %793 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %794 = tosa.reshape %787, %793 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %795 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %796 = tosa.reshape %794, %795 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %797 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %798 = tosa.mul %782, %796, %797 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %799 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %800 = tosa.reshape %792, %799 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %801 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %802 = tosa.reshape %800, %801 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %803 = tosa.add %798, %802 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %804 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %805 = tosa.add %803, %804 : (tensor<1x960x7x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x960x7x7xf32>
    %806 = tosa.clamp %805 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %807 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %808 = tosa.mul %803, %806, %807 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %809 = tensor.empty() : tensor<1x960x7x7xf32>
    %810 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%808 : tensor<1x960x7x7xf32>) outs(%809 : tensor<1x960x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x960x7x7xf32>
    %cst_89 = arith.constant 0.000000e+00 : f32
    %padded_90 = tensor.pad %810 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_89 : f32
    } : tensor<1x960x7x7xf32> to tensor<1x960x11x11xf32>
    %cst_91 = arith.constant 0.000000e+00 : f32
    %811 = tensor.empty() : tensor<1x960x7x7xf32>
    %812 = linalg.fill ins(%cst_91 : f32) outs(%811 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %collapsed_92 = tensor.collapse_shape %arg96 [[0], [1, 2], [3]] : tensor<960x1x5x5xf32> into tensor<960x5x5xf32>
    %813 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_90, %collapsed_92 : tensor<1x960x11x11xf32>, tensor<960x5x5xf32>) outs(%812 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %814 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %815 = tosa.add %arg205, %814 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %816 = tosa.rsqrt %815 : (tensor<960xf32>) -> tensor<960xf32>
    %817 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %818 = tosa.mul %816, %arg97, %817 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %819 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %820 = tosa.mul %arg204, %818, %819 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %821 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %822 = tosa.negate %820, %821, %821 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %823 = tosa.add %822, %arg98 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %824 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %825 = tosa.reshape %818, %824 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %826 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %827 = tosa.reshape %825, %826 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %828 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %829 = tosa.mul %813, %827, %828 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %830 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %831 = tosa.reshape %823, %830 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %832 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %833 = tosa.reshape %831, %832 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %834 = tosa.add %829, %833 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %835 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %836 = tosa.add %834, %835 : (tensor<1x960x7x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x960x7x7xf32>
    %837 = tosa.clamp %836 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %838 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %839 = tosa.mul %834, %837, %838 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %840 = tensor.empty() : tensor<1x960x7x7xf32>
    %841 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%839 : tensor<1x960x7x7xf32>) outs(%840 : tensor<1x960x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x960x7x7xf32>
    %cst_93 = arith.constant 0.000000e+00 : f32
    %842 = tensor.empty() : tensor<1x960xf32>
    %843 = linalg.fill ins(%cst_93 : f32) outs(%842 : tensor<1x960xf32>) -> tensor<1x960xf32>
    %844 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%841 : tensor<1x960x7x7xf32>) outs(%843 : tensor<1x960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1013 = arith.addf %out, %in : f32
      linalg.yield %1013 : f32
    } -> tensor<1x960xf32>
    %845 = tensor.empty() : tensor<1x960xf32>
    %846 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%844 : tensor<1x960xf32>) outs(%845 : tensor<1x960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 4.900000e+01 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x960xf32>
    %expanded_94 = tensor.expand_shape %846 [[0], [1, 2, 3]] output_shape [1, 960, 1, 1] : tensor<1x960xf32> into tensor<1x960x1x1xf32>
    %cst_95 = arith.constant 0.000000e+00 : f32
    %expanded_96 = tensor.expand_shape %arg100 [[0, 1, 2]] output_shape [240, 1, 1] : tensor<240xf32> into tensor<240x1x1xf32>
    %847 = tensor.empty() : tensor<1x240x1x1xf32>
    %848 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_96 : tensor<240x1x1xf32>) outs(%847 : tensor<1x240x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x240x1x1xf32>
    %849 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_94, %arg99 : tensor<1x960x1x1xf32>, tensor<240x960x1x1xf32>) outs(%848 : tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %850 = tosa.clamp %849 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %cst_97 = arith.constant 0.000000e+00 : f32
    %expanded_98 = tensor.expand_shape %arg102 [[0, 1, 2]] output_shape [960, 1, 1] : tensor<960xf32> into tensor<960x1x1xf32>
    %851 = tensor.empty() : tensor<1x960x1x1xf32>
    %852 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_98 : tensor<960x1x1xf32>) outs(%851 : tensor<1x960x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x960x1x1xf32>
    %853 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%850, %arg101 : tensor<1x240x1x1xf32>, tensor<960x240x1x1xf32>) outs(%852 : tensor<1x960x1x1xf32>) -> tensor<1x960x1x1xf32>
    %854 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %855 = tosa.add %853, %854 : (tensor<1x960x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x960x1x1xf32>
    %856 = tosa.clamp %855 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x1x1xf32>) -> tensor<1x960x1x1xf32>
    %857 = tensor.empty() : tensor<1x960x1x1xf32>
    %858 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%856 : tensor<1x960x1x1xf32>) outs(%857 : tensor<1x960x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x960x1x1xf32>
    %859 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %860 = tosa.mul %841, %858, %859 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %cst_99 = arith.constant 0.000000e+00 : f32
    %cst_100 = arith.constant 0.000000e+00 : f32
    %861 = tensor.empty() : tensor<1x160x7x7xf32>
    %862 = linalg.fill ins(%cst_100 : f32) outs(%861 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %863 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%860, %arg103 : tensor<1x960x7x7xf32>, tensor<160x960x1x1xf32>) outs(%862 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %864 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %865 = tosa.add %arg208, %864 : (tensor<160xf32>, tensor<1xf32>) -> tensor<160xf32>
    %866 = tosa.rsqrt %865 : (tensor<160xf32>) -> tensor<160xf32>
    %867 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %868 = tosa.mul %866, %arg104, %867 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %869 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %870 = tosa.mul %arg207, %868, %869 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %871 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %872 = tosa.negate %870, %871, %871 : (tensor<160xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<160xf32>
    %873 = tosa.add %872, %arg105 : (tensor<160xf32>, tensor<160xf32>) -> tensor<160xf32>
    %874 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %875 = tosa.reshape %868, %874 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %876 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %877 = tosa.reshape %875, %876 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %878 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %879 = tosa.mul %863, %877, %878 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>, tensor<1xi8>) -> tensor<1x160x7x7xf32>
    %880 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %881 = tosa.reshape %873, %880 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %882 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %883 = tosa.reshape %881, %882 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %884 = tosa.add %879, %883 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>) -> tensor<1x160x7x7xf32>
    %885 = tosa.add %779, %884 : (tensor<1x160x7x7xf32>, tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %cst_101 = arith.constant 0.000000e+00 : f32
    %cst_102 = arith.constant 0.000000e+00 : f32
    %886 = tensor.empty() : tensor<1x960x7x7xf32>
    %887 = linalg.fill ins(%cst_102 : f32) outs(%886 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %888 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%885, %arg106 : tensor<1x160x7x7xf32>, tensor<960x160x1x1xf32>) outs(%887 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %889 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %890 = tosa.add %arg211, %889 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %891 = tosa.rsqrt %890 : (tensor<960xf32>) -> tensor<960xf32>
    %892 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %893 = tosa.mul %891, %arg107, %892 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %894 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %895 = tosa.mul %arg210, %893, %894 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %896 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %897 = tosa.negate %895, %896, %896 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %898 = tosa.add %897, %arg108 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %899 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %900 = tosa.reshape %893, %899 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %901 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %902 = tosa.reshape %900, %901 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %903 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %904 = tosa.mul %888, %902, %903 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %905 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %906 = tosa.reshape %898, %905 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %907 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %908 = tosa.reshape %906, %907 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %909 = tosa.add %904, %908 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %910 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %911 = tosa.add %909, %910 : (tensor<1x960x7x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x960x7x7xf32>
    %912 = tosa.clamp %911 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %913 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %914 = tosa.mul %909, %912, %913 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %915 = tensor.empty() : tensor<1x960x7x7xf32>
    %916 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%914 : tensor<1x960x7x7xf32>) outs(%915 : tensor<1x960x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x960x7x7xf32>
    %cst_103 = arith.constant 0.000000e+00 : f32
    %padded_104 = tensor.pad %916 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_103 : f32
    } : tensor<1x960x7x7xf32> to tensor<1x960x9x9xf32>
    %cst_105 = arith.constant 0.000000e+00 : f32
    %917 = tensor.empty() : tensor<1x960x7x7xf32>
    %918 = linalg.fill ins(%cst_105 : f32) outs(%917 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %collapsed_106 = tensor.collapse_shape %arg109 [[0], [1, 2], [3]] : tensor<960x1x3x3xf32> into tensor<960x3x3xf32>
    %919 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_104, %collapsed_106 : tensor<1x960x9x9xf32>, tensor<960x3x3xf32>) outs(%918 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %920 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %921 = tosa.add %arg214, %920 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %922 = tosa.rsqrt %921 : (tensor<960xf32>) -> tensor<960xf32>
    %923 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %924 = tosa.mul %922, %arg110, %923 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %925 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %926 = tosa.mul %arg213, %924, %925 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %927 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %928 = tosa.negate %926, %927, %927 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %929 = tosa.add %928, %arg111 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %930 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %931 = tosa.reshape %924, %930 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %932 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %933 = tosa.reshape %931, %932 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %934 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %935 = tosa.mul %919, %933, %934 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %936 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %937 = tosa.reshape %929, %936 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %938 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %939 = tosa.reshape %937, %938 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %940 = tosa.add %935, %939 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %941 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %942 = tosa.add %940, %941 : (tensor<1x960x7x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x960x7x7xf32>
    %943 = tosa.clamp %942 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %944 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %945 = tosa.mul %940, %943, %944 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %946 = tensor.empty() : tensor<1x960x7x7xf32>
    %947 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%945 : tensor<1x960x7x7xf32>) outs(%946 : tensor<1x960x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x960x7x7xf32>
    %cst_107 = arith.constant 0.000000e+00 : f32
    %cst_108 = arith.constant 0.000000e+00 : f32
    %948 = tensor.empty() : tensor<1x320x7x7xf32>
    %949 = linalg.fill ins(%cst_108 : f32) outs(%948 : tensor<1x320x7x7xf32>) -> tensor<1x320x7x7xf32>
    %950 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%947, %arg112 : tensor<1x960x7x7xf32>, tensor<320x960x1x1xf32>) outs(%949 : tensor<1x320x7x7xf32>) -> tensor<1x320x7x7xf32>
    %951 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %952 = tosa.add %arg217, %951 : (tensor<320xf32>, tensor<1xf32>) -> tensor<320xf32>
    %953 = tosa.rsqrt %952 : (tensor<320xf32>) -> tensor<320xf32>
    %954 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %955 = tosa.mul %953, %arg113, %954 : (tensor<320xf32>, tensor<320xf32>, tensor<1xi8>) -> tensor<320xf32>
    %956 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %957 = tosa.mul %arg216, %955, %956 : (tensor<320xf32>, tensor<320xf32>, tensor<1xi8>) -> tensor<320xf32>
    %958 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %959 = tosa.negate %957, %958, %958 : (tensor<320xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<320xf32>
    %960 = tosa.add %959, %arg114 : (tensor<320xf32>, tensor<320xf32>) -> tensor<320xf32>
    %961 = tosa.const_shape  {values = dense<[320, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %962 = tosa.reshape %955, %961 : (tensor<320xf32>, !tosa.shape<3>) -> tensor<320x1x1xf32>
    %963 = tosa.const_shape  {values = dense<[1, 320, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %964 = tosa.reshape %962, %963 : (tensor<320x1x1xf32>, !tosa.shape<4>) -> tensor<1x320x1x1xf32>
    %965 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %966 = tosa.mul %950, %964, %965 : (tensor<1x320x7x7xf32>, tensor<1x320x1x1xf32>, tensor<1xi8>) -> tensor<1x320x7x7xf32>
    %967 = tosa.const_shape  {values = dense<[320, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %968 = tosa.reshape %960, %967 : (tensor<320xf32>, !tosa.shape<3>) -> tensor<320x1x1xf32>
    %969 = tosa.const_shape  {values = dense<[1, 320, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %970 = tosa.reshape %968, %969 : (tensor<320x1x1xf32>, !tosa.shape<4>) -> tensor<1x320x1x1xf32>
    %971 = tosa.add %966, %970 : (tensor<1x320x7x7xf32>, tensor<1x320x1x1xf32>) -> tensor<1x320x7x7xf32>
    %cst_109 = arith.constant 0.000000e+00 : f32
    %cst_110 = arith.constant 0.000000e+00 : f32
    %972 = tensor.empty() : tensor<1x1280x7x7xf32>
    %973 = linalg.fill ins(%cst_110 : f32) outs(%972 : tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %974 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%971, %arg115 : tensor<1x320x7x7xf32>, tensor<1280x320x1x1xf32>) outs(%973 : tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %975 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %976 = tosa.add %arg220, %975 : (tensor<1280xf32>, tensor<1xf32>) -> tensor<1280xf32>
    %977 = tosa.rsqrt %976 : (tensor<1280xf32>) -> tensor<1280xf32>
    %978 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %979 = tosa.mul %977, %arg116, %978 : (tensor<1280xf32>, tensor<1280xf32>, tensor<1xi8>) -> tensor<1280xf32>
    %980 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %981 = tosa.mul %arg219, %979, %980 : (tensor<1280xf32>, tensor<1280xf32>, tensor<1xi8>) -> tensor<1280xf32>
    %982 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %983 = tosa.negate %981, %982, %982 : (tensor<1280xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1280xf32>
    %984 = tosa.add %983, %arg117 : (tensor<1280xf32>, tensor<1280xf32>) -> tensor<1280xf32>
    %985 = tosa.const_shape  {values = dense<[1280, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %986 = tosa.reshape %979, %985 : (tensor<1280xf32>, !tosa.shape<3>) -> tensor<1280x1x1xf32>
    %987 = tosa.const_shape  {values = dense<[1, 1280, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %988 = tosa.reshape %986, %987 : (tensor<1280x1x1xf32>, !tosa.shape<4>) -> tensor<1x1280x1x1xf32>
    %989 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %990 = tosa.mul %974, %988, %989 : (tensor<1x1280x7x7xf32>, tensor<1x1280x1x1xf32>, tensor<1xi8>) -> tensor<1x1280x7x7xf32>
    %991 = tosa.const_shape  {values = dense<[1280, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %992 = tosa.reshape %984, %991 : (tensor<1280xf32>, !tosa.shape<3>) -> tensor<1280x1x1xf32>
    %993 = tosa.const_shape  {values = dense<[1, 1280, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %994 = tosa.reshape %992, %993 : (tensor<1280x1x1xf32>, !tosa.shape<4>) -> tensor<1x1280x1x1xf32>
    %995 = tosa.add %990, %994 : (tensor<1x1280x7x7xf32>, tensor<1x1280x1x1xf32>) -> tensor<1x1280x7x7xf32>
    %996 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %997 = tosa.add %995, %996 : (tensor<1x1280x7x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1280x7x7xf32>
    %998 = tosa.clamp %997 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %999 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1000 = tosa.mul %995, %998, %999 : (tensor<1x1280x7x7xf32>, tensor<1x1280x7x7xf32>, tensor<1xi8>) -> tensor<1x1280x7x7xf32>
    %1001 = tensor.empty() : tensor<1x1280x7x7xf32>
    %1002 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1000 : tensor<1x1280x7x7xf32>) outs(%1001 : tensor<1x1280x7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 6.000000e+00 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x1280x7x7xf32>
    %cst_111 = arith.constant 0.000000e+00 : f32
    %1003 = tensor.empty() : tensor<1x1280xf32>
    %1004 = linalg.fill ins(%cst_111 : f32) outs(%1003 : tensor<1x1280xf32>) -> tensor<1x1280xf32>
    %1005 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%1002 : tensor<1x1280x7x7xf32>) outs(%1004 : tensor<1x1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1013 = arith.addf %out, %in : f32
      linalg.yield %1013 : f32
    } -> tensor<1x1280xf32>
    %1006 = tensor.empty() : tensor<1x1280xf32>
    %1007 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%1005 : tensor<1x1280xf32>) outs(%1006 : tensor<1x1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 4.900000e+01 : f32
      %1013 = arith.divf %in, %cst_113 : f32
      linalg.yield %1013 : f32
    } -> tensor<1x1280xf32>
    %expanded_112 = tensor.expand_shape %1007 [[0], [1, 2, 3]] output_shape [1, 1280, 1, 1] : tensor<1x1280xf32> into tensor<1x1280x1x1xf32>
    %1008 = tosa.const_shape  {values = dense<[1, 1280]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1009 = tosa.reshape %expanded_112, %1008 : (tensor<1x1280x1x1xf32>, !tosa.shape<2>) -> tensor<1x1280xf32>
    %1010 = tensor.empty() : tensor<1x1000xf32>
    %1011 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg119 : tensor<1000xf32>) outs(%1010 : tensor<1x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1000xf32>
    %1012 = linalg.matmul indexing_maps = [#map5, #map6, #map7] ins(%1009, %arg118 : tensor<1x1280xf32>, tensor<1000x1280xf32>) outs(%1011 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    return %1012 : tensor<1x1000xf32>
  }
}

