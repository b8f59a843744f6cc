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
    %24 = tosa.sigmoid %23 : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %25 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %26 = tosa.mul %23, %24, %25 : (tensor<1x32x112x112xf32>, tensor<1x32x112x112xf32>, tensor<1xi8>) -> tensor<1x32x112x112xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %padded_2 = tensor.pad %26 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x32x112x112xf32> to tensor<1x32x114x114xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %27 = tensor.empty() : tensor<1x32x112x112xf32>
    %28 = linalg.fill ins(%cst_3 : f32) outs(%27 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %collapsed = tensor.collapse_shape %arg3 [[0], [1, 2], [3]] : tensor<32x1x3x3xf32> into tensor<32x3x3xf32>
    %29 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_2, %collapsed : tensor<1x32x114x114xf32>, tensor<32x3x3xf32>) outs(%28 : tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %30 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %31 = tosa.add %arg124, %30 : (tensor<32xf32>, tensor<1xf32>) -> tensor<32xf32>
    %32 = tosa.rsqrt %31 : (tensor<32xf32>) -> tensor<32xf32>
    %33 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %34 = tosa.mul %32, %arg4, %33 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %36 = tosa.mul %arg123, %34, %35 : (tensor<32xf32>, tensor<32xf32>, tensor<1xi8>) -> tensor<32xf32>
    %37 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %38 = tosa.negate %36, %37, %37 : (tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<32xf32>
    %39 = tosa.add %38, %arg5 : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %40 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %41 = tosa.reshape %34, %40 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %42 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %43 = tosa.reshape %41, %42 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %44 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %45 = tosa.mul %29, %43, %44 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x112x112xf32>
    %46 = tosa.const_shape  {values = dense<[32, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %47 = tosa.reshape %39, %46 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<32x1x1xf32>
    %48 = tosa.const_shape  {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %49 = tosa.reshape %47, %48 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %50 = tosa.add %45, %49 : (tensor<1x32x112x112xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x112x112xf32>
    %51 = tosa.sigmoid %50 : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %53 = tosa.mul %50, %51, %52 : (tensor<1x32x112x112xf32>, tensor<1x32x112x112xf32>, tensor<1xi8>) -> tensor<1x32x112x112xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %cst_5 = arith.constant 0.000000e+00 : f32
    %54 = tensor.empty() : tensor<1x16x112x112xf32>
    %55 = linalg.fill ins(%cst_5 : f32) outs(%54 : tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
    %56 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%53, %arg6 : tensor<1x32x112x112xf32>, tensor<16x32x1x1xf32>) outs(%55 : tensor<1x16x112x112xf32>) -> tensor<1x16x112x112xf32>
    %57 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %58 = tosa.add %arg127, %57 : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
    %59 = tosa.rsqrt %58 : (tensor<16xf32>) -> tensor<16xf32>
    %60 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %61 = tosa.mul %59, %arg7, %60 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %62 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %63 = tosa.mul %arg126, %61, %62 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %64 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %65 = tosa.negate %63, %64, %64 : (tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<16xf32>
    %66 = tosa.add %65, %arg8 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %67 = tosa.const_shape  {values = dense<[16, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %68 = tosa.reshape %61, %67 : (tensor<16xf32>, !tosa.shape<3>) -> tensor<16x1x1xf32>
    %69 = tosa.const_shape  {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %70 = tosa.reshape %68, %69 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %71 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %72 = tosa.mul %56, %70, %71 : (tensor<1x16x112x112xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x112x112xf32>
    %73 = tosa.const_shape  {values = dense<[16, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %74 = tosa.reshape %66, %73 : (tensor<16xf32>, !tosa.shape<3>) -> tensor<16x1x1xf32>
    %75 = tosa.const_shape  {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %76 = tosa.reshape %74, %75 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %77 = tosa.add %72, %76 : (tensor<1x16x112x112xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x112x112xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %cst_7 = arith.constant 0.000000e+00 : f32
    %78 = tensor.empty() : tensor<1x96x112x112xf32>
    %79 = linalg.fill ins(%cst_7 : f32) outs(%78 : tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %80 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%77, %arg9 : tensor<1x16x112x112xf32>, tensor<96x16x1x1xf32>) outs(%79 : tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %81 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %82 = tosa.add %arg130, %81 : (tensor<96xf32>, tensor<1xf32>) -> tensor<96xf32>
    %83 = tosa.rsqrt %82 : (tensor<96xf32>) -> tensor<96xf32>
    %84 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %85 = tosa.mul %83, %arg10, %84 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %86 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %87 = tosa.mul %arg129, %85, %86 : (tensor<96xf32>, tensor<96xf32>, tensor<1xi8>) -> tensor<96xf32>
    %88 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %89 = tosa.negate %87, %88, %88 : (tensor<96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<96xf32>
    %90 = tosa.add %89, %arg11 : (tensor<96xf32>, tensor<96xf32>) -> tensor<96xf32>
    %91 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %92 = tosa.reshape %85, %91 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %93 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %94 = tosa.reshape %92, %93 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %95 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %96 = tosa.mul %80, %94, %95 : (tensor<1x96x112x112xf32>, tensor<1x96x1x1xf32>, tensor<1xi8>) -> tensor<1x96x112x112xf32>
    %97 = tosa.const_shape  {values = dense<[96, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %98 = tosa.reshape %90, %97 : (tensor<96xf32>, !tosa.shape<3>) -> tensor<96x1x1xf32>
    %99 = tosa.const_shape  {values = dense<[1, 96, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %100 = tosa.reshape %98, %99 : (tensor<96x1x1xf32>, !tosa.shape<4>) -> tensor<1x96x1x1xf32>
    %101 = tosa.add %96, %100 : (tensor<1x96x112x112xf32>, tensor<1x96x1x1xf32>) -> tensor<1x96x112x112xf32>
    %102 = tosa.sigmoid %101 : (tensor<1x96x112x112xf32>) -> tensor<1x96x112x112xf32>
    %103 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %104 = tosa.mul %101, %102, %103 : (tensor<1x96x112x112xf32>, tensor<1x96x112x112xf32>, tensor<1xi8>) -> tensor<1x96x112x112xf32>
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
    %129 = tosa.sigmoid %128 : (tensor<1x96x56x56xf32>) -> tensor<1x96x56x56xf32>
    %130 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %131 = tosa.mul %128, %129, %130 : (tensor<1x96x56x56xf32>, tensor<1x96x56x56xf32>, tensor<1xi8>) -> tensor<1x96x56x56xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %cst_13 = arith.constant 0.000000e+00 : f32
    %132 = tensor.empty() : tensor<1x24x56x56xf32>
    %133 = linalg.fill ins(%cst_13 : f32) outs(%132 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %134 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%131, %arg15 : tensor<1x96x56x56xf32>, tensor<24x96x1x1xf32>) outs(%133 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %135 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %136 = tosa.add %arg136, %135 : (tensor<24xf32>, tensor<1xf32>) -> tensor<24xf32>
    %137 = tosa.rsqrt %136 : (tensor<24xf32>) -> tensor<24xf32>
    %138 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %139 = tosa.mul %137, %arg16, %138 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %140 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %141 = tosa.mul %arg135, %139, %140 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %142 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %143 = tosa.negate %141, %142, %142 : (tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<24xf32>
    %144 = tosa.add %143, %arg17 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %145 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %146 = tosa.reshape %139, %145 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %147 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %148 = tosa.reshape %146, %147 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %149 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %150 = tosa.mul %134, %148, %149 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>, tensor<1xi8>) -> tensor<1x24x56x56xf32>
    %151 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %152 = tosa.reshape %144, %151 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %153 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %154 = tosa.reshape %152, %153 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %155 = tosa.add %150, %154 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>) -> tensor<1x24x56x56xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %cst_15 = arith.constant 0.000000e+00 : f32
    %156 = tensor.empty() : tensor<1x144x56x56xf32>
    %157 = linalg.fill ins(%cst_15 : f32) outs(%156 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %158 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%155, %arg18 : tensor<1x24x56x56xf32>, tensor<144x24x1x1xf32>) outs(%157 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %159 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %160 = tosa.add %arg139, %159 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %161 = tosa.rsqrt %160 : (tensor<144xf32>) -> tensor<144xf32>
    %162 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %163 = tosa.mul %161, %arg19, %162 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %164 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %165 = tosa.mul %arg138, %163, %164 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %166 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %167 = tosa.negate %165, %166, %166 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %168 = tosa.add %167, %arg20 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %169 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %170 = tosa.reshape %163, %169 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %171 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %172 = tosa.reshape %170, %171 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %173 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %174 = tosa.mul %158, %172, %173 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %175 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %176 = tosa.reshape %168, %175 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %177 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %178 = tosa.reshape %176, %177 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %179 = tosa.add %174, %178 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %180 = tosa.sigmoid %179 : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %181 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %182 = tosa.mul %179, %180, %181 : (tensor<1x144x56x56xf32>, tensor<1x144x56x56xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %padded_17 = tensor.pad %182 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_16 : f32
    } : tensor<1x144x56x56xf32> to tensor<1x144x58x58xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %183 = tensor.empty() : tensor<1x144x56x56xf32>
    %184 = linalg.fill ins(%cst_18 : f32) outs(%183 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %collapsed_19 = tensor.collapse_shape %arg21 [[0], [1, 2], [3]] : tensor<144x1x3x3xf32> into tensor<144x3x3xf32>
    %185 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_17, %collapsed_19 : tensor<1x144x58x58xf32>, tensor<144x3x3xf32>) outs(%184 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %186 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %187 = tosa.add %arg142, %186 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %188 = tosa.rsqrt %187 : (tensor<144xf32>) -> tensor<144xf32>
    %189 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %190 = tosa.mul %188, %arg22, %189 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %191 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %192 = tosa.mul %arg141, %190, %191 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %193 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %194 = tosa.negate %192, %193, %193 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %195 = tosa.add %194, %arg23 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %196 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %197 = tosa.reshape %190, %196 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %198 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %199 = tosa.reshape %197, %198 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %200 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %201 = tosa.mul %185, %199, %200 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %202 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %203 = tosa.reshape %195, %202 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %204 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %205 = tosa.reshape %203, %204 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %206 = tosa.add %201, %205 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %207 = tosa.sigmoid %206 : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %208 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %209 = tosa.mul %206, %207, %208 : (tensor<1x144x56x56xf32>, tensor<1x144x56x56xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %cst_21 = arith.constant 0.000000e+00 : f32
    %210 = tensor.empty() : tensor<1x24x56x56xf32>
    %211 = linalg.fill ins(%cst_21 : f32) outs(%210 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %212 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%209, %arg24 : tensor<1x144x56x56xf32>, tensor<24x144x1x1xf32>) outs(%211 : tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %213 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %214 = tosa.add %arg145, %213 : (tensor<24xf32>, tensor<1xf32>) -> tensor<24xf32>
    %215 = tosa.rsqrt %214 : (tensor<24xf32>) -> tensor<24xf32>
    %216 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %217 = tosa.mul %215, %arg25, %216 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %218 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %219 = tosa.mul %arg144, %217, %218 : (tensor<24xf32>, tensor<24xf32>, tensor<1xi8>) -> tensor<24xf32>
    %220 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %221 = tosa.negate %219, %220, %220 : (tensor<24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<24xf32>
    %222 = tosa.add %221, %arg26 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %223 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %224 = tosa.reshape %217, %223 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %225 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %226 = tosa.reshape %224, %225 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %227 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %228 = tosa.mul %212, %226, %227 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>, tensor<1xi8>) -> tensor<1x24x56x56xf32>
    %229 = tosa.const_shape  {values = dense<[24, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %230 = tosa.reshape %222, %229 : (tensor<24xf32>, !tosa.shape<3>) -> tensor<24x1x1xf32>
    %231 = tosa.const_shape  {values = dense<[1, 24, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %232 = tosa.reshape %230, %231 : (tensor<24x1x1xf32>, !tosa.shape<4>) -> tensor<1x24x1x1xf32>
    %233 = tosa.add %228, %232 : (tensor<1x24x56x56xf32>, tensor<1x24x1x1xf32>) -> tensor<1x24x56x56xf32>
    %234 = tosa.add %155, %233 : (tensor<1x24x56x56xf32>, tensor<1x24x56x56xf32>) -> tensor<1x24x56x56xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %cst_23 = arith.constant 0.000000e+00 : f32
    %235 = tensor.empty() : tensor<1x144x56x56xf32>
    %236 = linalg.fill ins(%cst_23 : f32) outs(%235 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %237 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%234, %arg27 : tensor<1x24x56x56xf32>, tensor<144x24x1x1xf32>) outs(%236 : tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %238 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %239 = tosa.add %arg148, %238 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %240 = tosa.rsqrt %239 : (tensor<144xf32>) -> tensor<144xf32>
    %241 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %242 = tosa.mul %240, %arg28, %241 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %243 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %244 = tosa.mul %arg147, %242, %243 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %245 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %246 = tosa.negate %244, %245, %245 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %247 = tosa.add %246, %arg29 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %248 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %249 = tosa.reshape %242, %248 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %250 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %251 = tosa.reshape %249, %250 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %252 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %253 = tosa.mul %237, %251, %252 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %254 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %255 = tosa.reshape %247, %254 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %256 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %257 = tosa.reshape %255, %256 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %258 = tosa.add %253, %257 : (tensor<1x144x56x56xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x56x56xf32>
    %259 = tosa.sigmoid %258 : (tensor<1x144x56x56xf32>) -> tensor<1x144x56x56xf32>
    %260 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %261 = tosa.mul %258, %259, %260 : (tensor<1x144x56x56xf32>, tensor<1x144x56x56xf32>, tensor<1xi8>) -> tensor<1x144x56x56xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %padded_25 = tensor.pad %261 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_24 : f32
    } : tensor<1x144x56x56xf32> to tensor<1x144x60x60xf32>
    %cst_26 = arith.constant 0.000000e+00 : f32
    %262 = tensor.empty() : tensor<1x144x28x28xf32>
    %263 = linalg.fill ins(%cst_26 : f32) outs(%262 : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %collapsed_27 = tensor.collapse_shape %arg30 [[0], [1, 2], [3]] : tensor<144x1x5x5xf32> into tensor<144x5x5xf32>
    %264 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_25, %collapsed_27 : tensor<1x144x60x60xf32>, tensor<144x5x5xf32>) outs(%263 : tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %265 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %266 = tosa.add %arg151, %265 : (tensor<144xf32>, tensor<1xf32>) -> tensor<144xf32>
    %267 = tosa.rsqrt %266 : (tensor<144xf32>) -> tensor<144xf32>
    %268 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %269 = tosa.mul %267, %arg31, %268 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %270 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %271 = tosa.mul %arg150, %269, %270 : (tensor<144xf32>, tensor<144xf32>, tensor<1xi8>) -> tensor<144xf32>
    %272 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %273 = tosa.negate %271, %272, %272 : (tensor<144xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<144xf32>
    %274 = tosa.add %273, %arg32 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xf32>
    %275 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %276 = tosa.reshape %269, %275 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %277 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %278 = tosa.reshape %276, %277 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %279 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %280 = tosa.mul %264, %278, %279 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x28x28xf32>
    %281 = tosa.const_shape  {values = dense<[144, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %282 = tosa.reshape %274, %281 : (tensor<144xf32>, !tosa.shape<3>) -> tensor<144x1x1xf32>
    %283 = tosa.const_shape  {values = dense<[1, 144, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %284 = tosa.reshape %282, %283 : (tensor<144x1x1xf32>, !tosa.shape<4>) -> tensor<1x144x1x1xf32>
    %285 = tosa.add %280, %284 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>) -> tensor<1x144x28x28xf32>
    %286 = tosa.sigmoid %285 : (tensor<1x144x28x28xf32>) -> tensor<1x144x28x28xf32>
    %287 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %288 = tosa.mul %285, %286, %287 : (tensor<1x144x28x28xf32>, tensor<1x144x28x28xf32>, tensor<1xi8>) -> tensor<1x144x28x28xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %289 = tensor.empty() : tensor<1x144xf32>
    %290 = linalg.fill ins(%cst_28 : f32) outs(%289 : tensor<1x144xf32>) -> tensor<1x144xf32>
    %291 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%288 : tensor<1x144x28x28xf32>) outs(%290 : tensor<1x144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %967 = arith.addf %out, %in : f32
      linalg.yield %967 : f32
    } -> tensor<1x144xf32>
    %292 = tensor.empty() : tensor<1x144xf32>
    %293 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%291 : tensor<1x144xf32>) outs(%292 : tensor<1x144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 7.840000e+02 : f32
      %967 = arith.divf %in, %cst_113 : f32
      linalg.yield %967 : f32
    } -> tensor<1x144xf32>
    %expanded = tensor.expand_shape %293 [[0], [1, 2, 3]] output_shape [1, 144, 1, 1] : tensor<1x144xf32> into tensor<1x144x1x1xf32>
    %cst_29 = arith.constant 0.000000e+00 : f32
    %expanded_30 = tensor.expand_shape %arg34 [[0, 1, 2]] output_shape [32, 1, 1] : tensor<32xf32> into tensor<32x1x1xf32>
    %294 = tensor.empty() : tensor<1x32x1x1xf32>
    %295 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<32x1x1xf32>) outs(%294 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x1xf32>
    %296 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded, %arg33 : tensor<1x144x1x1xf32>, tensor<32x144x1x1xf32>) outs(%295 : tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
    %297 = tosa.sigmoid %296 : (tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
    %298 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %299 = tosa.mul %296, %297, %298 : (tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x1x1xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %expanded_32 = tensor.expand_shape %arg36 [[0, 1, 2]] output_shape [144, 1, 1] : tensor<144xf32> into tensor<144x1x1xf32>
    %300 = tensor.empty() : tensor<1x144x1x1xf32>
    %301 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<144x1x1xf32>) outs(%300 : tensor<1x144x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x144x1x1xf32>
    %302 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%299, %arg35 : tensor<1x32x1x1xf32>, tensor<144x32x1x1xf32>) outs(%301 : tensor<1x144x1x1xf32>) -> tensor<1x144x1x1xf32>
    %303 = tosa.sigmoid %302 : (tensor<1x144x1x1xf32>) -> tensor<1x144x1x1xf32>
    %304 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %305 = tosa.mul %288, %303, %304 : (tensor<1x144x28x28xf32>, tensor<1x144x1x1xf32>, tensor<1xi8>) -> tensor<1x144x28x28xf32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %cst_34 = arith.constant 0.000000e+00 : f32
    %306 = tensor.empty() : tensor<1x40x28x28xf32>
    %307 = linalg.fill ins(%cst_34 : f32) outs(%306 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %308 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%305, %arg37 : tensor<1x144x28x28xf32>, tensor<40x144x1x1xf32>) outs(%307 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %309 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %310 = tosa.add %arg154, %309 : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32>
    %311 = tosa.rsqrt %310 : (tensor<40xf32>) -> tensor<40xf32>
    %312 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %313 = tosa.mul %311, %arg38, %312 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %314 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %315 = tosa.mul %arg153, %313, %314 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %316 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %317 = tosa.negate %315, %316, %316 : (tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<40xf32>
    %318 = tosa.add %317, %arg39 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %319 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %320 = tosa.reshape %313, %319 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %321 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %322 = tosa.reshape %320, %321 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %323 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %324 = tosa.mul %308, %322, %323 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>, tensor<1xi8>) -> tensor<1x40x28x28xf32>
    %325 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %326 = tosa.reshape %318, %325 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %327 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %328 = tosa.reshape %326, %327 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %329 = tosa.add %324, %328 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>) -> tensor<1x40x28x28xf32>
    %cst_35 = arith.constant 0.000000e+00 : f32
    %cst_36 = arith.constant 0.000000e+00 : f32
    %330 = tensor.empty() : tensor<1x240x28x28xf32>
    %331 = linalg.fill ins(%cst_36 : f32) outs(%330 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %332 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%329, %arg40 : tensor<1x40x28x28xf32>, tensor<240x40x1x1xf32>) outs(%331 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %333 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %334 = tosa.add %arg157, %333 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %335 = tosa.rsqrt %334 : (tensor<240xf32>) -> tensor<240xf32>
    %336 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %337 = tosa.mul %335, %arg41, %336 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %338 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %339 = tosa.mul %arg156, %337, %338 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %340 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %341 = tosa.negate %339, %340, %340 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %342 = tosa.add %341, %arg42 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %343 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %344 = tosa.reshape %337, %343 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %345 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %346 = tosa.reshape %344, %345 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %347 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %348 = tosa.mul %332, %346, %347 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %349 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %350 = tosa.reshape %342, %349 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %351 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %352 = tosa.reshape %350, %351 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %353 = tosa.add %348, %352 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %354 = tosa.sigmoid %353 : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %355 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %356 = tosa.mul %353, %354, %355 : (tensor<1x240x28x28xf32>, tensor<1x240x28x28xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %cst_37 = arith.constant 0.000000e+00 : f32
    %padded_38 = tensor.pad %356 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_37 : f32
    } : tensor<1x240x28x28xf32> to tensor<1x240x32x32xf32>
    %cst_39 = arith.constant 0.000000e+00 : f32
    %357 = tensor.empty() : tensor<1x240x28x28xf32>
    %358 = linalg.fill ins(%cst_39 : f32) outs(%357 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %collapsed_40 = tensor.collapse_shape %arg43 [[0], [1, 2], [3]] : tensor<240x1x5x5xf32> into tensor<240x5x5xf32>
    %359 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_38, %collapsed_40 : tensor<1x240x32x32xf32>, tensor<240x5x5xf32>) outs(%358 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %360 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %361 = tosa.add %arg160, %360 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %362 = tosa.rsqrt %361 : (tensor<240xf32>) -> tensor<240xf32>
    %363 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %364 = tosa.mul %362, %arg44, %363 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %365 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %366 = tosa.mul %arg159, %364, %365 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %367 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %368 = tosa.negate %366, %367, %367 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %369 = tosa.add %368, %arg45 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %370 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %371 = tosa.reshape %364, %370 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %372 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %373 = tosa.reshape %371, %372 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %374 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %375 = tosa.mul %359, %373, %374 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %376 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %377 = tosa.reshape %369, %376 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %378 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %379 = tosa.reshape %377, %378 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %380 = tosa.add %375, %379 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %381 = tosa.sigmoid %380 : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %382 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %383 = tosa.mul %380, %381, %382 : (tensor<1x240x28x28xf32>, tensor<1x240x28x28xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %cst_41 = arith.constant 0.000000e+00 : f32
    %384 = tensor.empty() : tensor<1x240xf32>
    %385 = linalg.fill ins(%cst_41 : f32) outs(%384 : tensor<1x240xf32>) -> tensor<1x240xf32>
    %386 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%383 : tensor<1x240x28x28xf32>) outs(%385 : tensor<1x240xf32>) {
    ^bb0(%in: f32, %out: f32):
      %967 = arith.addf %out, %in : f32
      linalg.yield %967 : f32
    } -> tensor<1x240xf32>
    %387 = tensor.empty() : tensor<1x240xf32>
    %388 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%386 : tensor<1x240xf32>) outs(%387 : tensor<1x240xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 7.840000e+02 : f32
      %967 = arith.divf %in, %cst_113 : f32
      linalg.yield %967 : f32
    } -> tensor<1x240xf32>
    %expanded_42 = tensor.expand_shape %388 [[0], [1, 2, 3]] output_shape [1, 240, 1, 1] : tensor<1x240xf32> into tensor<1x240x1x1xf32>
    %cst_43 = arith.constant 0.000000e+00 : f32
    %expanded_44 = tensor.expand_shape %arg47 [[0, 1, 2]] output_shape [56, 1, 1] : tensor<56xf32> into tensor<56x1x1xf32>
    %389 = tensor.empty() : tensor<1x56x1x1xf32>
    %390 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<56x1x1xf32>) outs(%389 : tensor<1x56x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x1x1xf32>
    %391 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_42, %arg46 : tensor<1x240x1x1xf32>, tensor<56x240x1x1xf32>) outs(%390 : tensor<1x56x1x1xf32>) -> tensor<1x56x1x1xf32>
    %392 = tosa.sigmoid %391 : (tensor<1x56x1x1xf32>) -> tensor<1x56x1x1xf32>
    %393 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %394 = tosa.mul %391, %392, %393 : (tensor<1x56x1x1xf32>, tensor<1x56x1x1xf32>, tensor<1xi8>) -> tensor<1x56x1x1xf32>
    %cst_45 = arith.constant 0.000000e+00 : f32
    %expanded_46 = tensor.expand_shape %arg49 [[0, 1, 2]] output_shape [240, 1, 1] : tensor<240xf32> into tensor<240x1x1xf32>
    %395 = tensor.empty() : tensor<1x240x1x1xf32>
    %396 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_46 : tensor<240x1x1xf32>) outs(%395 : tensor<1x240x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x240x1x1xf32>
    %397 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%394, %arg48 : tensor<1x56x1x1xf32>, tensor<240x56x1x1xf32>) outs(%396 : tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %398 = tosa.sigmoid %397 : (tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %399 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %400 = tosa.mul %383, %398, %399 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %cst_47 = arith.constant 0.000000e+00 : f32
    %cst_48 = arith.constant 0.000000e+00 : f32
    %401 = tensor.empty() : tensor<1x40x28x28xf32>
    %402 = linalg.fill ins(%cst_48 : f32) outs(%401 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %403 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%400, %arg50 : tensor<1x240x28x28xf32>, tensor<40x240x1x1xf32>) outs(%402 : tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %404 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %405 = tosa.add %arg163, %404 : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32>
    %406 = tosa.rsqrt %405 : (tensor<40xf32>) -> tensor<40xf32>
    %407 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %408 = tosa.mul %406, %arg51, %407 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %409 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %410 = tosa.mul %arg162, %408, %409 : (tensor<40xf32>, tensor<40xf32>, tensor<1xi8>) -> tensor<40xf32>
    %411 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %412 = tosa.negate %410, %411, %411 : (tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<40xf32>
    %413 = tosa.add %412, %arg52 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %414 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %415 = tosa.reshape %408, %414 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %416 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %417 = tosa.reshape %415, %416 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %418 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %419 = tosa.mul %403, %417, %418 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>, tensor<1xi8>) -> tensor<1x40x28x28xf32>
    %420 = tosa.const_shape  {values = dense<[40, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %421 = tosa.reshape %413, %420 : (tensor<40xf32>, !tosa.shape<3>) -> tensor<40x1x1xf32>
    %422 = tosa.const_shape  {values = dense<[1, 40, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %423 = tosa.reshape %421, %422 : (tensor<40x1x1xf32>, !tosa.shape<4>) -> tensor<1x40x1x1xf32>
    %424 = tosa.add %419, %423 : (tensor<1x40x28x28xf32>, tensor<1x40x1x1xf32>) -> tensor<1x40x28x28xf32>
    %425 = tosa.add %329, %424 : (tensor<1x40x28x28xf32>, tensor<1x40x28x28xf32>) -> tensor<1x40x28x28xf32>
    %cst_49 = arith.constant 0.000000e+00 : f32
    %cst_50 = arith.constant 0.000000e+00 : f32
    %426 = tensor.empty() : tensor<1x240x28x28xf32>
    %427 = linalg.fill ins(%cst_50 : f32) outs(%426 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %428 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%425, %arg53 : tensor<1x40x28x28xf32>, tensor<240x40x1x1xf32>) outs(%427 : tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %429 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %430 = tosa.add %arg166, %429 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %431 = tosa.rsqrt %430 : (tensor<240xf32>) -> tensor<240xf32>
    %432 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %433 = tosa.mul %431, %arg54, %432 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %434 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %435 = tosa.mul %arg165, %433, %434 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %436 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %437 = tosa.negate %435, %436, %436 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %438 = tosa.add %437, %arg55 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %439 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %440 = tosa.reshape %433, %439 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %441 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %442 = tosa.reshape %440, %441 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %443 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %444 = tosa.mul %428, %442, %443 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %445 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %446 = tosa.reshape %438, %445 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %447 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %448 = tosa.reshape %446, %447 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %449 = tosa.add %444, %448 : (tensor<1x240x28x28xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x28x28xf32>
    %450 = tosa.sigmoid %449 : (tensor<1x240x28x28xf32>) -> tensor<1x240x28x28xf32>
    %451 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %452 = tosa.mul %449, %450, %451 : (tensor<1x240x28x28xf32>, tensor<1x240x28x28xf32>, tensor<1xi8>) -> tensor<1x240x28x28xf32>
    %cst_51 = arith.constant 0.000000e+00 : f32
    %padded_52 = tensor.pad %452 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_51 : f32
    } : tensor<1x240x28x28xf32> to tensor<1x240x30x30xf32>
    %cst_53 = arith.constant 0.000000e+00 : f32
    %453 = tensor.empty() : tensor<1x240x14x14xf32>
    %454 = linalg.fill ins(%cst_53 : f32) outs(%453 : tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %collapsed_54 = tensor.collapse_shape %arg56 [[0], [1, 2], [3]] : tensor<240x1x3x3xf32> into tensor<240x3x3xf32>
    %455 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_52, %collapsed_54 : tensor<1x240x30x30xf32>, tensor<240x3x3xf32>) outs(%454 : tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %456 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %457 = tosa.add %arg169, %456 : (tensor<240xf32>, tensor<1xf32>) -> tensor<240xf32>
    %458 = tosa.rsqrt %457 : (tensor<240xf32>) -> tensor<240xf32>
    %459 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %460 = tosa.mul %458, %arg57, %459 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %461 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %462 = tosa.mul %arg168, %460, %461 : (tensor<240xf32>, tensor<240xf32>, tensor<1xi8>) -> tensor<240xf32>
    %463 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %464 = tosa.negate %462, %463, %463 : (tensor<240xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<240xf32>
    %465 = tosa.add %464, %arg58 : (tensor<240xf32>, tensor<240xf32>) -> tensor<240xf32>
    %466 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %467 = tosa.reshape %460, %466 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %468 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %469 = tosa.reshape %467, %468 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %470 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %471 = tosa.mul %455, %469, %470 : (tensor<1x240x14x14xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x14x14xf32>
    %472 = tosa.const_shape  {values = dense<[240, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %473 = tosa.reshape %465, %472 : (tensor<240xf32>, !tosa.shape<3>) -> tensor<240x1x1xf32>
    %474 = tosa.const_shape  {values = dense<[1, 240, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %475 = tosa.reshape %473, %474 : (tensor<240x1x1xf32>, !tosa.shape<4>) -> tensor<1x240x1x1xf32>
    %476 = tosa.add %471, %475 : (tensor<1x240x14x14xf32>, tensor<1x240x1x1xf32>) -> tensor<1x240x14x14xf32>
    %477 = tosa.sigmoid %476 : (tensor<1x240x14x14xf32>) -> tensor<1x240x14x14xf32>
    %478 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %479 = tosa.mul %476, %477, %478 : (tensor<1x240x14x14xf32>, tensor<1x240x14x14xf32>, tensor<1xi8>) -> tensor<1x240x14x14xf32>
    %cst_55 = arith.constant 0.000000e+00 : f32
    %cst_56 = arith.constant 0.000000e+00 : f32
    %480 = tensor.empty() : tensor<1x80x14x14xf32>
    %481 = linalg.fill ins(%cst_56 : f32) outs(%480 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %482 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%479, %arg59 : tensor<1x240x14x14xf32>, tensor<80x240x1x1xf32>) outs(%481 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %483 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %484 = tosa.add %arg172, %483 : (tensor<80xf32>, tensor<1xf32>) -> tensor<80xf32>
    %485 = tosa.rsqrt %484 : (tensor<80xf32>) -> tensor<80xf32>
    %486 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %487 = tosa.mul %485, %arg60, %486 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %488 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %489 = tosa.mul %arg171, %487, %488 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %490 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %491 = tosa.negate %489, %490, %490 : (tensor<80xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<80xf32>
    %492 = tosa.add %491, %arg61 : (tensor<80xf32>, tensor<80xf32>) -> tensor<80xf32>
    %493 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %494 = tosa.reshape %487, %493 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %495 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %496 = tosa.reshape %494, %495 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %497 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %498 = tosa.mul %482, %496, %497 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>, tensor<1xi8>) -> tensor<1x80x14x14xf32>
    %499 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %500 = tosa.reshape %492, %499 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %501 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %502 = tosa.reshape %500, %501 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %503 = tosa.add %498, %502 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>) -> tensor<1x80x14x14xf32>
    %cst_57 = arith.constant 0.000000e+00 : f32
    %cst_58 = arith.constant 0.000000e+00 : f32
    %504 = tensor.empty() : tensor<1x480x14x14xf32>
    %505 = linalg.fill ins(%cst_58 : f32) outs(%504 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %506 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%503, %arg62 : tensor<1x80x14x14xf32>, tensor<480x80x1x1xf32>) outs(%505 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %507 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %508 = tosa.add %arg175, %507 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %509 = tosa.rsqrt %508 : (tensor<480xf32>) -> tensor<480xf32>
    %510 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %511 = tosa.mul %509, %arg63, %510 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %512 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %513 = tosa.mul %arg174, %511, %512 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %514 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %515 = tosa.negate %513, %514, %514 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %516 = tosa.add %515, %arg64 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %517 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %518 = tosa.reshape %511, %517 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %519 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %520 = tosa.reshape %518, %519 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %521 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %522 = tosa.mul %506, %520, %521 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %523 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %524 = tosa.reshape %516, %523 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %525 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %526 = tosa.reshape %524, %525 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %527 = tosa.add %522, %526 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %528 = tosa.sigmoid %527 : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %529 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %530 = tosa.mul %527, %528, %529 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %cst_59 = arith.constant 0.000000e+00 : f32
    %padded_60 = tensor.pad %530 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_59 : f32
    } : tensor<1x480x14x14xf32> to tensor<1x480x16x16xf32>
    %cst_61 = arith.constant 0.000000e+00 : f32
    %531 = tensor.empty() : tensor<1x480x14x14xf32>
    %532 = linalg.fill ins(%cst_61 : f32) outs(%531 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %collapsed_62 = tensor.collapse_shape %arg65 [[0], [1, 2], [3]] : tensor<480x1x3x3xf32> into tensor<480x3x3xf32>
    %533 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_60, %collapsed_62 : tensor<1x480x16x16xf32>, tensor<480x3x3xf32>) outs(%532 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %534 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %535 = tosa.add %arg178, %534 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %536 = tosa.rsqrt %535 : (tensor<480xf32>) -> tensor<480xf32>
    %537 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %538 = tosa.mul %536, %arg66, %537 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %539 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %540 = tosa.mul %arg177, %538, %539 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %541 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %542 = tosa.negate %540, %541, %541 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %543 = tosa.add %542, %arg67 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %544 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %545 = tosa.reshape %538, %544 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %546 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %547 = tosa.reshape %545, %546 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %548 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %549 = tosa.mul %533, %547, %548 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %550 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %551 = tosa.reshape %543, %550 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %552 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %553 = tosa.reshape %551, %552 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %554 = tosa.add %549, %553 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %555 = tosa.sigmoid %554 : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %556 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %557 = tosa.mul %554, %555, %556 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %cst_63 = arith.constant 0.000000e+00 : f32
    %cst_64 = arith.constant 0.000000e+00 : f32
    %558 = tensor.empty() : tensor<1x80x14x14xf32>
    %559 = linalg.fill ins(%cst_64 : f32) outs(%558 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %560 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%557, %arg68 : tensor<1x480x14x14xf32>, tensor<80x480x1x1xf32>) outs(%559 : tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %561 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %562 = tosa.add %arg181, %561 : (tensor<80xf32>, tensor<1xf32>) -> tensor<80xf32>
    %563 = tosa.rsqrt %562 : (tensor<80xf32>) -> tensor<80xf32>
    %564 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %565 = tosa.mul %563, %arg69, %564 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %566 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %567 = tosa.mul %arg180, %565, %566 : (tensor<80xf32>, tensor<80xf32>, tensor<1xi8>) -> tensor<80xf32>
    %568 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %569 = tosa.negate %567, %568, %568 : (tensor<80xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<80xf32>
    %570 = tosa.add %569, %arg70 : (tensor<80xf32>, tensor<80xf32>) -> tensor<80xf32>
    %571 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %572 = tosa.reshape %565, %571 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %573 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %574 = tosa.reshape %572, %573 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %575 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %576 = tosa.mul %560, %574, %575 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>, tensor<1xi8>) -> tensor<1x80x14x14xf32>
    %577 = tosa.const_shape  {values = dense<[80, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %578 = tosa.reshape %570, %577 : (tensor<80xf32>, !tosa.shape<3>) -> tensor<80x1x1xf32>
    %579 = tosa.const_shape  {values = dense<[1, 80, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %580 = tosa.reshape %578, %579 : (tensor<80x1x1xf32>, !tosa.shape<4>) -> tensor<1x80x1x1xf32>
    %581 = tosa.add %576, %580 : (tensor<1x80x14x14xf32>, tensor<1x80x1x1xf32>) -> tensor<1x80x14x14xf32>
    %582 = tosa.add %503, %581 : (tensor<1x80x14x14xf32>, tensor<1x80x14x14xf32>) -> tensor<1x80x14x14xf32>
    %cst_65 = arith.constant 0.000000e+00 : f32
    %cst_66 = arith.constant 0.000000e+00 : f32
    %583 = tensor.empty() : tensor<1x480x14x14xf32>
    %584 = linalg.fill ins(%cst_66 : f32) outs(%583 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %585 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%582, %arg71 : tensor<1x80x14x14xf32>, tensor<480x80x1x1xf32>) outs(%584 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %586 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %587 = tosa.add %arg184, %586 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %588 = tosa.rsqrt %587 : (tensor<480xf32>) -> tensor<480xf32>
    %589 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %590 = tosa.mul %588, %arg72, %589 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %591 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %592 = tosa.mul %arg183, %590, %591 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %593 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %594 = tosa.negate %592, %593, %593 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %595 = tosa.add %594, %arg73 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %596 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %597 = tosa.reshape %590, %596 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %598 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %599 = tosa.reshape %597, %598 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %600 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %601 = tosa.mul %585, %599, %600 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %602 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %603 = tosa.reshape %595, %602 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %604 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %605 = tosa.reshape %603, %604 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %606 = tosa.add %601, %605 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %607 = tosa.sigmoid %606 : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %608 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %609 = tosa.mul %606, %607, %608 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %cst_67 = arith.constant 0.000000e+00 : f32
    %padded_68 = tensor.pad %609 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_67 : f32
    } : tensor<1x480x14x14xf32> to tensor<1x480x16x16xf32>
    %cst_69 = arith.constant 0.000000e+00 : f32
    %610 = tensor.empty() : tensor<1x480x14x14xf32>
    %611 = linalg.fill ins(%cst_69 : f32) outs(%610 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %collapsed_70 = tensor.collapse_shape %arg74 [[0], [1, 2], [3]] : tensor<480x1x3x3xf32> into tensor<480x3x3xf32>
    %612 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_68, %collapsed_70 : tensor<1x480x16x16xf32>, tensor<480x3x3xf32>) outs(%611 : tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %613 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %614 = tosa.add %arg187, %613 : (tensor<480xf32>, tensor<1xf32>) -> tensor<480xf32>
    %615 = tosa.rsqrt %614 : (tensor<480xf32>) -> tensor<480xf32>
    %616 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %617 = tosa.mul %615, %arg75, %616 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %618 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %619 = tosa.mul %arg186, %617, %618 : (tensor<480xf32>, tensor<480xf32>, tensor<1xi8>) -> tensor<480xf32>
    %620 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %621 = tosa.negate %619, %620, %620 : (tensor<480xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<480xf32>
    %622 = tosa.add %621, %arg76 : (tensor<480xf32>, tensor<480xf32>) -> tensor<480xf32>
    %623 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %624 = tosa.reshape %617, %623 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %625 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %626 = tosa.reshape %624, %625 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %627 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %628 = tosa.mul %612, %626, %627 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %629 = tosa.const_shape  {values = dense<[480, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %630 = tosa.reshape %622, %629 : (tensor<480xf32>, !tosa.shape<3>) -> tensor<480x1x1xf32>
    %631 = tosa.const_shape  {values = dense<[1, 480, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %632 = tosa.reshape %630, %631 : (tensor<480x1x1xf32>, !tosa.shape<4>) -> tensor<1x480x1x1xf32>
    %633 = tosa.add %628, %632 : (tensor<1x480x14x14xf32>, tensor<1x480x1x1xf32>) -> tensor<1x480x14x14xf32>
    %634 = tosa.sigmoid %633 : (tensor<1x480x14x14xf32>) -> tensor<1x480x14x14xf32>
    %635 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %636 = tosa.mul %633, %634, %635 : (tensor<1x480x14x14xf32>, tensor<1x480x14x14xf32>, tensor<1xi8>) -> tensor<1x480x14x14xf32>
    %cst_71 = arith.constant 0.000000e+00 : f32
    %cst_72 = arith.constant 0.000000e+00 : f32
    %637 = tensor.empty() : tensor<1x112x14x14xf32>
    %638 = linalg.fill ins(%cst_72 : f32) outs(%637 : tensor<1x112x14x14xf32>) -> tensor<1x112x14x14xf32>
    %639 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%636, %arg77 : tensor<1x480x14x14xf32>, tensor<112x480x1x1xf32>) outs(%638 : tensor<1x112x14x14xf32>) -> tensor<1x112x14x14xf32>
    %640 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %641 = tosa.add %arg190, %640 : (tensor<112xf32>, tensor<1xf32>) -> tensor<112xf32>
    %642 = tosa.rsqrt %641 : (tensor<112xf32>) -> tensor<112xf32>
    %643 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %644 = tosa.mul %642, %arg78, %643 : (tensor<112xf32>, tensor<112xf32>, tensor<1xi8>) -> tensor<112xf32>
    %645 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %646 = tosa.mul %arg189, %644, %645 : (tensor<112xf32>, tensor<112xf32>, tensor<1xi8>) -> tensor<112xf32>
    %647 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %648 = tosa.negate %646, %647, %647 : (tensor<112xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<112xf32>
    %649 = tosa.add %648, %arg79 : (tensor<112xf32>, tensor<112xf32>) -> tensor<112xf32>
    %650 = tosa.const_shape  {values = dense<[112, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %651 = tosa.reshape %644, %650 : (tensor<112xf32>, !tosa.shape<3>) -> tensor<112x1x1xf32>
    %652 = tosa.const_shape  {values = dense<[1, 112, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %653 = tosa.reshape %651, %652 : (tensor<112x1x1xf32>, !tosa.shape<4>) -> tensor<1x112x1x1xf32>
    %654 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %655 = tosa.mul %639, %653, %654 : (tensor<1x112x14x14xf32>, tensor<1x112x1x1xf32>, tensor<1xi8>) -> tensor<1x112x14x14xf32>
    %656 = tosa.const_shape  {values = dense<[112, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %657 = tosa.reshape %649, %656 : (tensor<112xf32>, !tosa.shape<3>) -> tensor<112x1x1xf32>
    %658 = tosa.const_shape  {values = dense<[1, 112, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %659 = tosa.reshape %657, %658 : (tensor<112x1x1xf32>, !tosa.shape<4>) -> tensor<1x112x1x1xf32>
    %660 = tosa.add %655, %659 : (tensor<1x112x14x14xf32>, tensor<1x112x1x1xf32>) -> tensor<1x112x14x14xf32>
    %cst_73 = arith.constant 0.000000e+00 : f32
    %cst_74 = arith.constant 0.000000e+00 : f32
    %661 = tensor.empty() : tensor<1x672x14x14xf32>
    %662 = linalg.fill ins(%cst_74 : f32) outs(%661 : tensor<1x672x14x14xf32>) -> tensor<1x672x14x14xf32>
    %663 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%660, %arg80 : tensor<1x112x14x14xf32>, tensor<672x112x1x1xf32>) outs(%662 : tensor<1x672x14x14xf32>) -> tensor<1x672x14x14xf32>
    %664 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %665 = tosa.add %arg193, %664 : (tensor<672xf32>, tensor<1xf32>) -> tensor<672xf32>
    %666 = tosa.rsqrt %665 : (tensor<672xf32>) -> tensor<672xf32>
    %667 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %668 = tosa.mul %666, %arg81, %667 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %669 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %670 = tosa.mul %arg192, %668, %669 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %671 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %672 = tosa.negate %670, %671, %671 : (tensor<672xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<672xf32>
    %673 = tosa.add %672, %arg82 : (tensor<672xf32>, tensor<672xf32>) -> tensor<672xf32>
    %674 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %675 = tosa.reshape %668, %674 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %676 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %677 = tosa.reshape %675, %676 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %678 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %679 = tosa.mul %663, %677, %678 : (tensor<1x672x14x14xf32>, tensor<1x672x1x1xf32>, tensor<1xi8>) -> tensor<1x672x14x14xf32>
    %680 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %681 = tosa.reshape %673, %680 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %682 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %683 = tosa.reshape %681, %682 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %684 = tosa.add %679, %683 : (tensor<1x672x14x14xf32>, tensor<1x672x1x1xf32>) -> tensor<1x672x14x14xf32>
    %685 = tosa.sigmoid %684 : (tensor<1x672x14x14xf32>) -> tensor<1x672x14x14xf32>
    %686 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %687 = tosa.mul %684, %685, %686 : (tensor<1x672x14x14xf32>, tensor<1x672x14x14xf32>, tensor<1xi8>) -> tensor<1x672x14x14xf32>
    %cst_75 = arith.constant 0.000000e+00 : f32
    %padded_76 = tensor.pad %687 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_75 : f32
    } : tensor<1x672x14x14xf32> to tensor<1x672x18x18xf32>
    %cst_77 = arith.constant 0.000000e+00 : f32
    %688 = tensor.empty() : tensor<1x672x7x7xf32>
    %689 = linalg.fill ins(%cst_77 : f32) outs(%688 : tensor<1x672x7x7xf32>) -> tensor<1x672x7x7xf32>
    %collapsed_78 = tensor.collapse_shape %arg83 [[0], [1, 2], [3]] : tensor<672x1x5x5xf32> into tensor<672x5x5xf32>
    %690 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_76, %collapsed_78 : tensor<1x672x18x18xf32>, tensor<672x5x5xf32>) outs(%689 : tensor<1x672x7x7xf32>) -> tensor<1x672x7x7xf32>
    %691 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %692 = tosa.add %arg196, %691 : (tensor<672xf32>, tensor<1xf32>) -> tensor<672xf32>
    %693 = tosa.rsqrt %692 : (tensor<672xf32>) -> tensor<672xf32>
    %694 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %695 = tosa.mul %693, %arg84, %694 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %696 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %697 = tosa.mul %arg195, %695, %696 : (tensor<672xf32>, tensor<672xf32>, tensor<1xi8>) -> tensor<672xf32>
    %698 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %699 = tosa.negate %697, %698, %698 : (tensor<672xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<672xf32>
    %700 = tosa.add %699, %arg85 : (tensor<672xf32>, tensor<672xf32>) -> tensor<672xf32>
    %701 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %702 = tosa.reshape %695, %701 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %703 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %704 = tosa.reshape %702, %703 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %705 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %706 = tosa.mul %690, %704, %705 : (tensor<1x672x7x7xf32>, tensor<1x672x1x1xf32>, tensor<1xi8>) -> tensor<1x672x7x7xf32>
    %707 = tosa.const_shape  {values = dense<[672, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %708 = tosa.reshape %700, %707 : (tensor<672xf32>, !tosa.shape<3>) -> tensor<672x1x1xf32>
    %709 = tosa.const_shape  {values = dense<[1, 672, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %710 = tosa.reshape %708, %709 : (tensor<672x1x1xf32>, !tosa.shape<4>) -> tensor<1x672x1x1xf32>
    %711 = tosa.add %706, %710 : (tensor<1x672x7x7xf32>, tensor<1x672x1x1xf32>) -> tensor<1x672x7x7xf32>
    %712 = tosa.sigmoid %711 : (tensor<1x672x7x7xf32>) -> tensor<1x672x7x7xf32>
    %713 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %714 = tosa.mul %711, %712, %713 : (tensor<1x672x7x7xf32>, tensor<1x672x7x7xf32>, tensor<1xi8>) -> tensor<1x672x7x7xf32>
    %cst_79 = arith.constant 0.000000e+00 : f32
    %715 = tensor.empty() : tensor<1x672xf32>
    %716 = linalg.fill ins(%cst_79 : f32) outs(%715 : tensor<1x672xf32>) -> tensor<1x672xf32>
    %717 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%714 : tensor<1x672x7x7xf32>) outs(%716 : tensor<1x672xf32>) {
    ^bb0(%in: f32, %out: f32):
      %967 = arith.addf %out, %in : f32
      linalg.yield %967 : f32
    } -> tensor<1x672xf32>
    %718 = tensor.empty() : tensor<1x672xf32>
    %719 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%717 : tensor<1x672xf32>) outs(%718 : tensor<1x672xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 4.900000e+01 : f32
      %967 = arith.divf %in, %cst_113 : f32
      linalg.yield %967 : f32
    } -> tensor<1x672xf32>
    %expanded_80 = tensor.expand_shape %719 [[0], [1, 2, 3]] output_shape [1, 672, 1, 1] : tensor<1x672xf32> into tensor<1x672x1x1xf32>
    %cst_81 = arith.constant 0.000000e+00 : f32
    %expanded_82 = tensor.expand_shape %arg87 [[0, 1, 2]] output_shape [168, 1, 1] : tensor<168xf32> into tensor<168x1x1xf32>
    %720 = tensor.empty() : tensor<1x168x1x1xf32>
    %721 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_82 : tensor<168x1x1xf32>) outs(%720 : tensor<1x168x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x168x1x1xf32>
    %722 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_80, %arg86 : tensor<1x672x1x1xf32>, tensor<168x672x1x1xf32>) outs(%721 : tensor<1x168x1x1xf32>) -> tensor<1x168x1x1xf32>
    %723 = tosa.sigmoid %722 : (tensor<1x168x1x1xf32>) -> tensor<1x168x1x1xf32>
    %724 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %725 = tosa.mul %722, %723, %724 : (tensor<1x168x1x1xf32>, tensor<1x168x1x1xf32>, tensor<1xi8>) -> tensor<1x168x1x1xf32>
    %cst_83 = arith.constant 0.000000e+00 : f32
    %expanded_84 = tensor.expand_shape %arg89 [[0, 1, 2]] output_shape [672, 1, 1] : tensor<672xf32> into tensor<672x1x1xf32>
    %726 = tensor.empty() : tensor<1x672x1x1xf32>
    %727 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_84 : tensor<672x1x1xf32>) outs(%726 : tensor<1x672x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x672x1x1xf32>
    %728 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%725, %arg88 : tensor<1x168x1x1xf32>, tensor<672x168x1x1xf32>) outs(%727 : tensor<1x672x1x1xf32>) -> tensor<1x672x1x1xf32>
    %729 = tosa.sigmoid %728 : (tensor<1x672x1x1xf32>) -> tensor<1x672x1x1xf32>
    %730 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %731 = tosa.mul %714, %729, %730 : (tensor<1x672x7x7xf32>, tensor<1x672x1x1xf32>, tensor<1xi8>) -> tensor<1x672x7x7xf32>
    %cst_85 = arith.constant 0.000000e+00 : f32
    %cst_86 = arith.constant 0.000000e+00 : f32
    %732 = tensor.empty() : tensor<1x160x7x7xf32>
    %733 = linalg.fill ins(%cst_86 : f32) outs(%732 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %734 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%731, %arg90 : tensor<1x672x7x7xf32>, tensor<160x672x1x1xf32>) outs(%733 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %735 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %736 = tosa.add %arg199, %735 : (tensor<160xf32>, tensor<1xf32>) -> tensor<160xf32>
    %737 = tosa.rsqrt %736 : (tensor<160xf32>) -> tensor<160xf32>
    %738 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %739 = tosa.mul %737, %arg91, %738 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %740 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %741 = tosa.mul %arg198, %739, %740 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %742 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %743 = tosa.negate %741, %742, %742 : (tensor<160xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<160xf32>
    %744 = tosa.add %743, %arg92 : (tensor<160xf32>, tensor<160xf32>) -> tensor<160xf32>
    %745 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %746 = tosa.reshape %739, %745 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %747 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %748 = tosa.reshape %746, %747 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %749 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %750 = tosa.mul %734, %748, %749 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>, tensor<1xi8>) -> tensor<1x160x7x7xf32>
    %751 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %752 = tosa.reshape %744, %751 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %753 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %754 = tosa.reshape %752, %753 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %755 = tosa.add %750, %754 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>) -> tensor<1x160x7x7xf32>
    %cst_87 = arith.constant 0.000000e+00 : f32
    %cst_88 = arith.constant 0.000000e+00 : f32
    %756 = tensor.empty() : tensor<1x960x7x7xf32>
    %757 = linalg.fill ins(%cst_88 : f32) outs(%756 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %758 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%755, %arg93 : tensor<1x160x7x7xf32>, tensor<960x160x1x1xf32>) outs(%757 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %759 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %760 = tosa.add %arg202, %759 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %761 = tosa.rsqrt %760 : (tensor<960xf32>) -> tensor<960xf32>
    %762 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %763 = tosa.mul %761, %arg94, %762 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %764 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %765 = tosa.mul %arg201, %763, %764 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %766 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %767 = tosa.negate %765, %766, %766 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %768 = tosa.add %767, %arg95 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %769 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %770 = tosa.reshape %763, %769 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %771 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %772 = tosa.reshape %770, %771 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %773 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %774 = tosa.mul %758, %772, %773 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %775 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %776 = tosa.reshape %768, %775 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %777 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %778 = tosa.reshape %776, %777 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %779 = tosa.add %774, %778 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %780 = tosa.sigmoid %779 : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %781 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %782 = tosa.mul %779, %780, %781 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %cst_89 = arith.constant 0.000000e+00 : f32
    %padded_90 = tensor.pad %782 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_89 : f32
    } : tensor<1x960x7x7xf32> to tensor<1x960x11x11xf32>
    %cst_91 = arith.constant 0.000000e+00 : f32
    %783 = tensor.empty() : tensor<1x960x7x7xf32>
    %784 = linalg.fill ins(%cst_91 : f32) outs(%783 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %collapsed_92 = tensor.collapse_shape %arg96 [[0], [1, 2], [3]] : tensor<960x1x5x5xf32> into tensor<960x5x5xf32>
    %785 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_90, %collapsed_92 : tensor<1x960x11x11xf32>, tensor<960x5x5xf32>) outs(%784 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %786 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %787 = tosa.add %arg205, %786 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %788 = tosa.rsqrt %787 : (tensor<960xf32>) -> tensor<960xf32>
    %789 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %790 = tosa.mul %788, %arg97, %789 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %791 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %792 = tosa.mul %arg204, %790, %791 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %793 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %794 = tosa.negate %792, %793, %793 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %795 = tosa.add %794, %arg98 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %796 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %797 = tosa.reshape %790, %796 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %798 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %799 = tosa.reshape %797, %798 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %800 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %801 = tosa.mul %785, %799, %800 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %802 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %803 = tosa.reshape %795, %802 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %804 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %805 = tosa.reshape %803, %804 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %806 = tosa.add %801, %805 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %807 = tosa.sigmoid %806 : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %808 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %809 = tosa.mul %806, %807, %808 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %cst_93 = arith.constant 0.000000e+00 : f32
    %810 = tensor.empty() : tensor<1x960xf32>
    %811 = linalg.fill ins(%cst_93 : f32) outs(%810 : tensor<1x960xf32>) -> tensor<1x960xf32>
    %812 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%809 : tensor<1x960x7x7xf32>) outs(%811 : tensor<1x960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %967 = arith.addf %out, %in : f32
      linalg.yield %967 : f32
    } -> tensor<1x960xf32>
    %813 = tensor.empty() : tensor<1x960xf32>
    %814 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%812 : tensor<1x960xf32>) outs(%813 : tensor<1x960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 4.900000e+01 : f32
      %967 = arith.divf %in, %cst_113 : f32
      linalg.yield %967 : f32
    } -> tensor<1x960xf32>
    %expanded_94 = tensor.expand_shape %814 [[0], [1, 2, 3]] output_shape [1, 960, 1, 1] : tensor<1x960xf32> into tensor<1x960x1x1xf32>
    %cst_95 = arith.constant 0.000000e+00 : f32
    %expanded_96 = tensor.expand_shape %arg100 [[0, 1, 2]] output_shape [240, 1, 1] : tensor<240xf32> into tensor<240x1x1xf32>
    %815 = tensor.empty() : tensor<1x240x1x1xf32>
    %816 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_96 : tensor<240x1x1xf32>) outs(%815 : tensor<1x240x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x240x1x1xf32>
    %817 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%expanded_94, %arg99 : tensor<1x960x1x1xf32>, tensor<240x960x1x1xf32>) outs(%816 : tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %818 = tosa.sigmoid %817 : (tensor<1x240x1x1xf32>) -> tensor<1x240x1x1xf32>
    %819 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %820 = tosa.mul %817, %818, %819 : (tensor<1x240x1x1xf32>, tensor<1x240x1x1xf32>, tensor<1xi8>) -> tensor<1x240x1x1xf32>
    %cst_97 = arith.constant 0.000000e+00 : f32
    %expanded_98 = tensor.expand_shape %arg102 [[0, 1, 2]] output_shape [960, 1, 1] : tensor<960xf32> into tensor<960x1x1xf32>
    %821 = tensor.empty() : tensor<1x960x1x1xf32>
    %822 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_98 : tensor<960x1x1xf32>) outs(%821 : tensor<1x960x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x960x1x1xf32>
    %823 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%820, %arg101 : tensor<1x240x1x1xf32>, tensor<960x240x1x1xf32>) outs(%822 : tensor<1x960x1x1xf32>) -> tensor<1x960x1x1xf32>
    %824 = tosa.sigmoid %823 : (tensor<1x960x1x1xf32>) -> tensor<1x960x1x1xf32>
    %825 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %826 = tosa.mul %809, %824, %825 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %cst_99 = arith.constant 0.000000e+00 : f32
    %cst_100 = arith.constant 0.000000e+00 : f32
    %827 = tensor.empty() : tensor<1x160x7x7xf32>
    %828 = linalg.fill ins(%cst_100 : f32) outs(%827 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %829 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%826, %arg103 : tensor<1x960x7x7xf32>, tensor<160x960x1x1xf32>) outs(%828 : tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %830 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %831 = tosa.add %arg208, %830 : (tensor<160xf32>, tensor<1xf32>) -> tensor<160xf32>
    %832 = tosa.rsqrt %831 : (tensor<160xf32>) -> tensor<160xf32>
    %833 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %834 = tosa.mul %832, %arg104, %833 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %835 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %836 = tosa.mul %arg207, %834, %835 : (tensor<160xf32>, tensor<160xf32>, tensor<1xi8>) -> tensor<160xf32>
    %837 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %838 = tosa.negate %836, %837, %837 : (tensor<160xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<160xf32>
    %839 = tosa.add %838, %arg105 : (tensor<160xf32>, tensor<160xf32>) -> tensor<160xf32>
    %840 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %841 = tosa.reshape %834, %840 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %842 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %843 = tosa.reshape %841, %842 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %844 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %845 = tosa.mul %829, %843, %844 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>, tensor<1xi8>) -> tensor<1x160x7x7xf32>
    %846 = tosa.const_shape  {values = dense<[160, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %847 = tosa.reshape %839, %846 : (tensor<160xf32>, !tosa.shape<3>) -> tensor<160x1x1xf32>
    %848 = tosa.const_shape  {values = dense<[1, 160, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %849 = tosa.reshape %847, %848 : (tensor<160x1x1xf32>, !tosa.shape<4>) -> tensor<1x160x1x1xf32>
    %850 = tosa.add %845, %849 : (tensor<1x160x7x7xf32>, tensor<1x160x1x1xf32>) -> tensor<1x160x7x7xf32>
    %851 = tosa.add %755, %850 : (tensor<1x160x7x7xf32>, tensor<1x160x7x7xf32>) -> tensor<1x160x7x7xf32>
    %cst_101 = arith.constant 0.000000e+00 : f32
    %cst_102 = arith.constant 0.000000e+00 : f32
    %852 = tensor.empty() : tensor<1x960x7x7xf32>
    %853 = linalg.fill ins(%cst_102 : f32) outs(%852 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %854 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%851, %arg106 : tensor<1x160x7x7xf32>, tensor<960x160x1x1xf32>) outs(%853 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %855 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %856 = tosa.add %arg211, %855 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %857 = tosa.rsqrt %856 : (tensor<960xf32>) -> tensor<960xf32>
    %858 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %859 = tosa.mul %857, %arg107, %858 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %860 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %861 = tosa.mul %arg210, %859, %860 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %862 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %863 = tosa.negate %861, %862, %862 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %864 = tosa.add %863, %arg108 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %865 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %866 = tosa.reshape %859, %865 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %867 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %868 = tosa.reshape %866, %867 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %869 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %870 = tosa.mul %854, %868, %869 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %871 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %872 = tosa.reshape %864, %871 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %873 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %874 = tosa.reshape %872, %873 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %875 = tosa.add %870, %874 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %876 = tosa.sigmoid %875 : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %877 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %878 = tosa.mul %875, %876, %877 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %cst_103 = arith.constant 0.000000e+00 : f32
    %padded_104 = tensor.pad %878 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg223: index, %arg224: index, %arg225: index, %arg226: index):
      tensor.yield %cst_103 : f32
    } : tensor<1x960x7x7xf32> to tensor<1x960x9x9xf32>
    %cst_105 = arith.constant 0.000000e+00 : f32
    %879 = tensor.empty() : tensor<1x960x7x7xf32>
    %880 = linalg.fill ins(%cst_105 : f32) outs(%879 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %collapsed_106 = tensor.collapse_shape %arg109 [[0], [1, 2], [3]] : tensor<960x1x3x3xf32> into tensor<960x3x3xf32>
    %881 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_104, %collapsed_106 : tensor<1x960x9x9xf32>, tensor<960x3x3xf32>) outs(%880 : tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %882 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %883 = tosa.add %arg214, %882 : (tensor<960xf32>, tensor<1xf32>) -> tensor<960xf32>
    %884 = tosa.rsqrt %883 : (tensor<960xf32>) -> tensor<960xf32>
    %885 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %886 = tosa.mul %884, %arg110, %885 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %887 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %888 = tosa.mul %arg213, %886, %887 : (tensor<960xf32>, tensor<960xf32>, tensor<1xi8>) -> tensor<960xf32>
    %889 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %890 = tosa.negate %888, %889, %889 : (tensor<960xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<960xf32>
    %891 = tosa.add %890, %arg111 : (tensor<960xf32>, tensor<960xf32>) -> tensor<960xf32>
    %892 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %893 = tosa.reshape %886, %892 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %894 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %895 = tosa.reshape %893, %894 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %896 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %897 = tosa.mul %881, %895, %896 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %898 = tosa.const_shape  {values = dense<[960, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %899 = tosa.reshape %891, %898 : (tensor<960xf32>, !tosa.shape<3>) -> tensor<960x1x1xf32>
    %900 = tosa.const_shape  {values = dense<[1, 960, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %901 = tosa.reshape %899, %900 : (tensor<960x1x1xf32>, !tosa.shape<4>) -> tensor<1x960x1x1xf32>
    %902 = tosa.add %897, %901 : (tensor<1x960x7x7xf32>, tensor<1x960x1x1xf32>) -> tensor<1x960x7x7xf32>
    %903 = tosa.sigmoid %902 : (tensor<1x960x7x7xf32>) -> tensor<1x960x7x7xf32>
    %904 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %905 = tosa.mul %902, %903, %904 : (tensor<1x960x7x7xf32>, tensor<1x960x7x7xf32>, tensor<1xi8>) -> tensor<1x960x7x7xf32>
    %cst_107 = arith.constant 0.000000e+00 : f32
    %cst_108 = arith.constant 0.000000e+00 : f32
    %906 = tensor.empty() : tensor<1x320x7x7xf32>
    %907 = linalg.fill ins(%cst_108 : f32) outs(%906 : tensor<1x320x7x7xf32>) -> tensor<1x320x7x7xf32>
    %908 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%905, %arg112 : tensor<1x960x7x7xf32>, tensor<320x960x1x1xf32>) outs(%907 : tensor<1x320x7x7xf32>) -> tensor<1x320x7x7xf32>
    %909 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %910 = tosa.add %arg217, %909 : (tensor<320xf32>, tensor<1xf32>) -> tensor<320xf32>
    %911 = tosa.rsqrt %910 : (tensor<320xf32>) -> tensor<320xf32>
    %912 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %913 = tosa.mul %911, %arg113, %912 : (tensor<320xf32>, tensor<320xf32>, tensor<1xi8>) -> tensor<320xf32>
    %914 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %915 = tosa.mul %arg216, %913, %914 : (tensor<320xf32>, tensor<320xf32>, tensor<1xi8>) -> tensor<320xf32>
    %916 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %917 = tosa.negate %915, %916, %916 : (tensor<320xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<320xf32>
    %918 = tosa.add %917, %arg114 : (tensor<320xf32>, tensor<320xf32>) -> tensor<320xf32>
    %919 = tosa.const_shape  {values = dense<[320, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %920 = tosa.reshape %913, %919 : (tensor<320xf32>, !tosa.shape<3>) -> tensor<320x1x1xf32>
    %921 = tosa.const_shape  {values = dense<[1, 320, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %922 = tosa.reshape %920, %921 : (tensor<320x1x1xf32>, !tosa.shape<4>) -> tensor<1x320x1x1xf32>
    %923 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %924 = tosa.mul %908, %922, %923 : (tensor<1x320x7x7xf32>, tensor<1x320x1x1xf32>, tensor<1xi8>) -> tensor<1x320x7x7xf32>
    %925 = tosa.const_shape  {values = dense<[320, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %926 = tosa.reshape %918, %925 : (tensor<320xf32>, !tosa.shape<3>) -> tensor<320x1x1xf32>
    %927 = tosa.const_shape  {values = dense<[1, 320, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %928 = tosa.reshape %926, %927 : (tensor<320x1x1xf32>, !tosa.shape<4>) -> tensor<1x320x1x1xf32>
    %929 = tosa.add %924, %928 : (tensor<1x320x7x7xf32>, tensor<1x320x1x1xf32>) -> tensor<1x320x7x7xf32>
    %cst_109 = arith.constant 0.000000e+00 : f32
    %cst_110 = arith.constant 0.000000e+00 : f32
    %930 = tensor.empty() : tensor<1x1280x7x7xf32>
    %931 = linalg.fill ins(%cst_110 : f32) outs(%930 : tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %932 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%929, %arg115 : tensor<1x320x7x7xf32>, tensor<1280x320x1x1xf32>) outs(%931 : tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %933 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %934 = tosa.add %arg220, %933 : (tensor<1280xf32>, tensor<1xf32>) -> tensor<1280xf32>
    %935 = tosa.rsqrt %934 : (tensor<1280xf32>) -> tensor<1280xf32>
    %936 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %937 = tosa.mul %935, %arg116, %936 : (tensor<1280xf32>, tensor<1280xf32>, tensor<1xi8>) -> tensor<1280xf32>
    %938 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %939 = tosa.mul %arg219, %937, %938 : (tensor<1280xf32>, tensor<1280xf32>, tensor<1xi8>) -> tensor<1280xf32>
    %940 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %941 = tosa.negate %939, %940, %940 : (tensor<1280xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1280xf32>
    %942 = tosa.add %941, %arg117 : (tensor<1280xf32>, tensor<1280xf32>) -> tensor<1280xf32>
    %943 = tosa.const_shape  {values = dense<[1280, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %944 = tosa.reshape %937, %943 : (tensor<1280xf32>, !tosa.shape<3>) -> tensor<1280x1x1xf32>
    %945 = tosa.const_shape  {values = dense<[1, 1280, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %946 = tosa.reshape %944, %945 : (tensor<1280x1x1xf32>, !tosa.shape<4>) -> tensor<1x1280x1x1xf32>
    %947 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %948 = tosa.mul %932, %946, %947 : (tensor<1x1280x7x7xf32>, tensor<1x1280x1x1xf32>, tensor<1xi8>) -> tensor<1x1280x7x7xf32>
    %949 = tosa.const_shape  {values = dense<[1280, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %950 = tosa.reshape %942, %949 : (tensor<1280xf32>, !tosa.shape<3>) -> tensor<1280x1x1xf32>
    %951 = tosa.const_shape  {values = dense<[1, 1280, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %952 = tosa.reshape %950, %951 : (tensor<1280x1x1xf32>, !tosa.shape<4>) -> tensor<1x1280x1x1xf32>
    %953 = tosa.add %948, %952 : (tensor<1x1280x7x7xf32>, tensor<1x1280x1x1xf32>) -> tensor<1x1280x7x7xf32>
    %954 = tosa.sigmoid %953 : (tensor<1x1280x7x7xf32>) -> tensor<1x1280x7x7xf32>
    %955 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %956 = tosa.mul %953, %954, %955 : (tensor<1x1280x7x7xf32>, tensor<1x1280x7x7xf32>, tensor<1xi8>) -> tensor<1x1280x7x7xf32>
    %cst_111 = arith.constant 0.000000e+00 : f32
    %957 = tensor.empty() : tensor<1x1280xf32>
    %958 = linalg.fill ins(%cst_111 : f32) outs(%957 : tensor<1x1280xf32>) -> tensor<1x1280xf32>
    %959 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%956 : tensor<1x1280x7x7xf32>) outs(%958 : tensor<1x1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %967 = arith.addf %out, %in : f32
      linalg.yield %967 : f32
    } -> tensor<1x1280xf32>
    %960 = tensor.empty() : tensor<1x1280xf32>
    %961 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%959 : tensor<1x1280xf32>) outs(%960 : tensor<1x1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_113 = arith.constant 4.900000e+01 : f32
      %967 = arith.divf %in, %cst_113 : f32
      linalg.yield %967 : f32
    } -> tensor<1x1280xf32>
    %expanded_112 = tensor.expand_shape %961 [[0], [1, 2, 3]] output_shape [1, 1280, 1, 1] : tensor<1x1280xf32> into tensor<1x1280x1x1xf32>
    %962 = tosa.const_shape  {values = dense<[1, 1280]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %963 = tosa.reshape %expanded_112, %962 : (tensor<1x1280x1x1xf32>, !tosa.shape<2>) -> tensor<1x1280xf32>
    %964 = tensor.empty() : tensor<1x1000xf32>
    %965 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg119 : tensor<1000xf32>) outs(%964 : tensor<1x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1000xf32>
    %966 = linalg.matmul indexing_maps = [#map5, #map6, #map7] ins(%963, %arg118 : tensor<1x1280xf32>, tensor<1000x1280xf32>) outs(%965 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    return %966 : tensor<1x1000xf32>
  }
}

