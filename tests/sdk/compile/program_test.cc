// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules become programs that give the right numbers, take what they should and refuse what they
// should not.
#include <cmath>
#include <complex>
#include <limits>
#include <thread>

#include "tests/sdk/compile/harness.h"

namespace {

std::vector<float> floats(const Tensor &t) { return t.values<float>(); }

TEST(Program, RunsTosa) {
  Program program(R"(
func.func @forward(%arg0: tensor<10xf32>, %arg1: tensor<10xf32>) -> tensor<10xf32> {
  %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.mul %arg0, %arg1, %0 : (tensor<10xf32>, tensor<10xf32>, tensor<1xi8>) -> tensor<10xf32>
  %2 = tosa.add %1, %arg0 : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  return %2 : tensor<10xf32>
})");
  const Tensor a = Tensor::random(BUDDY_F32, {10}, 1), b = Tensor::random(BUDDY_F32, {10}, 2);
  const auto out = program.run({&a, &b});
  ASSERT_EQ(out.size(), 1u);
  for (int i = 0; i < 10; i++) {
    EXPECT_EQ(out[0].as<float>()[i], a.as<float>()[i] * b.as<float>()[i] + a.as<float>()[i]);
  }
}

TEST(Program, DescribesItsPorts) {
  Program program(R"(
func.func @forward(%a: tensor<2x?xbf16>, %b: tensor<i1>, %c: f64) -> (tensor<?xcomplex<f32>>, index) {
  %c0 = arith.constant 3 : index
  %e = tensor.empty(%c0) : tensor<?xcomplex<f32>>
  return %e, %c0 : tensor<?xcomplex<f32>>, index
})");
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  ASSERT_EQ(buddy_program_n_inputs(program.program), 3u);
  ASSERT_EQ(buddy_program_n_outputs(program.program), 2u);
  const buddy_port *a = buddy_program_input(program.program, 0);
  EXPECT_STREQ(a->name, "arg0");
  EXPECT_STREQ(a->target, "");
  EXPECT_EQ(a->dtype, BUDDY_BF16);
  ASSERT_EQ(a->rank, 2u);
  EXPECT_EQ(a->dims[0], 2);
  EXPECT_EQ(a->dims[1], -1);
  EXPECT_EQ(buddy_program_input(program.program, 1)->dtype, BUDDY_BOOL);
  EXPECT_EQ(buddy_program_input(program.program, 2)->dtype, BUDDY_F64);
  EXPECT_EQ(buddy_program_output(program.program, 0)->dtype, BUDDY_C64);
  EXPECT_EQ(buddy_program_output(program.program, 1)->dtype, BUDDY_I64);
  EXPECT_EQ(buddy_program_output(program.program, 2), nullptr);
}

TEST(Program, ReturnsArgumentsAndOneValueTwice) {
  Program program(R"(
func.func @forward(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>) {
  %1 = arith.addf %a, %a : tensor<4xf32>
  %2 = tensor.extract_slice %1[1] [2] [2] : tensor<4xf32> to tensor<2xf32>
  return %a, %1, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
})");
  const Tensor a(BUDDY_F32, {4}, std::vector<float>{1, 2, 3, 4});
  const auto out = program.run({&a});
  ASSERT_EQ(out.size(), 4u);
  EXPECT_EQ(floats(out[0]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(floats(out[1]), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(floats(out[2]), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(floats(out[3]), (std::vector<float>{4, 8}));
  EXPECT_NE(out[0].t.bytes, a.t.bytes);
  EXPECT_NE(out[1].t.bytes, out[2].t.bytes);
}

TEST(Program, LeavesItsInputsAlone) {
  Program program(R"(
func.func @forward(%a: tensor<4xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  %0 = tensor.insert_slice %b into %a[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
})");
  const Tensor a(BUDDY_F32, {4}, std::vector<float>{1, 2, 3, 4}),
      b(BUDDY_F32, {2}, std::vector<float>{8, 9});
  const auto out = program.run({&a, &b});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(floats(out[0]), (std::vector<float>{1, 8, 9, 4}));
  EXPECT_EQ(floats(a), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Program, PassesNumbersAsTensors) {
  Program program(R"(
func.func @forward(%a: f32, %b: tensor<3xf32>, %i: index, %p: i1) -> (f32, tensor<3xf32>, index, i1) {
  %c = arith.constant 5 : index
  %0 = arith.addf %a, %a : f32
  %1 = arith.addi %i, %c : index
  %s = tensor.splat %a : tensor<3xf32>
  %2 = arith.addf %s, %b : tensor<3xf32>
  return %0, %2, %1, %p : f32, tensor<3xf32>, index, i1
})");
  const Tensor a(BUDDY_F32, {}, std::vector<float>{1.5f}),
      b(BUDDY_F32, {3}, std::vector<float>{1, 2, 3});
  const Tensor i(BUDDY_I64, {}, std::vector<int64_t>{-7}),
      p(BUDDY_BOOL, {}, std::vector<uint8_t>{1});
  const auto out = program.run({&a, &b, &i, &p});
  ASSERT_EQ(out.size(), 4u);
  EXPECT_EQ(floats(out[0]), std::vector<float>{3});
  EXPECT_EQ(floats(out[1]), (std::vector<float>{2.5f, 3.5f, 4.5f}));
  EXPECT_EQ(out[2].as<int64_t>()[0], -2);
  EXPECT_EQ(out[3].as<uint8_t>()[0], 1);
}

TEST(Program, RunsWithDynamicAndZeroSizes) {
  Program program(R"(
func.func @forward(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>) -> (tensor<?x?xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x4xf32>
  %n = tensor.dim %b, %c1 : tensor<4x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = arith.negf %a : tensor<?x4xf32>
  return %r, %t : tensor<?x?xf32>, tensor<?x4xf32>
})");
  for (const int64_t m : {0, 1, 3, 40}) {
    for (const int64_t n : {0, 1, 7, 33}) {
      const Tensor a = Tensor::random(BUDDY_F32, {m, 4}, 1),
                   b = Tensor::random(BUDDY_F32, {4, n}, 2);
      const auto out = program.run({&a, &b});
      ASSERT_EQ(out.size(), 2u);
      ASSERT_EQ(out[0].sizes(), (std::vector<int64_t>{m, n}));
      for (int64_t i = 0; i < m * n; i++) {
        float sum = 0;
        for (int64_t k = 0; k < 4; k++)
          sum += a.as<float>()[i / n * 4 + k] * b.as<float>()[k * n + i % n];
        ASSERT_NEAR(out[0].as<float>()[i], sum, 1e-5);
      }
    }
  }
}

TEST(Program, RunsTensorOperations) {
  Program program(R"(
func.func @forward(%b: tensor<2x3xf32>, %z: tensor<0x3xf32>)
    -> (tensor<3x4xf32>, tensor<3x2xf32>, tensor<6xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<3x2xf32>) {
  %c = arith.constant 0.5 : f32
  %p = tensor.pad %b low[1, 0] high[0, 1] { ^bb0(%x: index, %y: index): tensor.yield %c : f32 } : tensor<2x3xf32> to tensor<3x4xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%b : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %f = tensor.collapse_shape %b [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %g = tensor.generate { ^bb0(%x: index, %y: index): %k = arith.index_cast %y : index to i64
      tensor.yield %k : i64 } : tensor<2x3xi64>
  %j = tensor.concat dim(0) %z, %b : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %eb = tensor.empty() : tensor<2x2x3xf32>
  %br = linalg.broadcast ins(%b : tensor<2x3xf32>) outs(%eb : tensor<2x2x3xf32>) dimensions = [0]
  %sh = arith.constant dense<[3, 2]> : tensor<2xi64>
  %rs = tensor.reshape %b(%sh) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %p, %t, %f, %g, %j, %br, %rs : tensor<3x4xf32>, tensor<3x2xf32>, tensor<6xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<3x2xf32>
})");
  const Tensor b(BUDDY_F32, {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}), z(BUDDY_F32, {0, 3});
  const auto out = program.run({&b, &z});
  ASSERT_EQ(out.size(), 7u);
  EXPECT_EQ(floats(out[0]), (std::vector<float>{.5f, .5f, .5f, .5f, 1, 2, 3, .5f, 4, 5, 6, .5f}));
  EXPECT_EQ(floats(out[1]), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(floats(out[2]), floats(b));
  EXPECT_EQ(out[3].values<int64_t>(), (std::vector<int64_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(floats(out[4]), floats(b));
  EXPECT_EQ(floats(out[5]), (std::vector<float>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(floats(out[6]), floats(b));
}

const char control_flow[] = R"(
func.func @forward(%a: tensor<2xf32>, %n: tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>, tensor<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a) -> (tensor<2xf32>) {
    %y = arith.addf %x, %a : tensor<2xf32>
    scf.yield %y : tensor<2xf32>
  }
  %limit = tensor.extract %n[] : tensor<i64>
  %w:2 = scf.while (%k = %i0, %x = %a) : (i64, tensor<2xf32>) -> (i64, tensor<2xf32>) {
    %c = arith.cmpi slt, %k, %limit : i64
    scf.condition(%c) %k, %x : i64, tensor<2xf32>
  } do {
  ^bb0(%k: i64, %x: tensor<2xf32>):
    %k2 = arith.addi %k, %i1 : i64
    %y = arith.addf %x, %x : tensor<2xf32>
    scf.yield %k2, %y : i64, tensor<2xf32>
  }
  %cond = arith.cmpi sgt, %limit, %i1 : i64
  cf.assert %cond, "n must exceed one"
  %q = scf.if %cond -> tensor<2xf32> {
    %y = arith.mulf %r, %w#1 : tensor<2xf32>
    scf.yield %y : tensor<2xf32>
  } else {
    scf.yield %r : tensor<2xf32>
  }
  %wk = tensor.from_elements %w#0 : tensor<i64>
  return %r, %q, %wk : tensor<2xf32>, tensor<2xf32>, tensor<i64>
})";

TEST(Program, RunsControlFlow) {
  Program program(control_flow);
  const Tensor a(BUDDY_F32, {2}, std::vector<float>{1, 2}),
      n(BUDDY_I64, {}, std::vector<int64_t>{3});
  const auto out = program.run({&a, &n});
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(floats(out[0]), (std::vector<float>{6, 12}));
  EXPECT_EQ(floats(out[1]), (std::vector<float>{48, 192}));
  EXPECT_EQ(out[2].as<int64_t>()[0], 3);
}

// A check that fails while the code runs is an error of the run, not the end of the process, and
// nothing leaks.
TEST(Program, ReportsFailedChecks) {
  Program program(control_flow);
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  const Tensor a(BUDDY_F32, {2}, std::vector<float>{1, 2}),
      n(BUDDY_I64, {}, std::vector<int64_t>{1});
  std::vector<Tensor> out;
  EXPECT_EQ(program.try_run({&a, &n}, out), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(program.diags.text().find("n must exceed one"), std::string::npos)
      << program.diags.text();
  for (const Tensor &t : out) EXPECT_EQ(t.t.bytes, nullptr);
  const Tensor three(BUDDY_I64, {}, std::vector<int64_t>{3});
  EXPECT_EQ(program.run({&a, &three}).size(), 3u);
}

// tosa leaves an index out of range undefined; here it is an error of the run, as in PyTorch.
TEST(Program, ChecksIndicesOfTosaGather) {
  Program program(R"(
func.func @main(%v: tensor<1x3x2xf32>, %i: tensor<1x2xi64>) -> tensor<1x2x2xf32> {
  %r = tosa.gather %v, %i : (tensor<1x3x2xf32>, tensor<1x2xi64>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
})");
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  const Tensor v(BUDDY_F32, {1, 3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6});
  const Tensor fine(BUDDY_I64, {1, 2}, std::vector<int64_t>{2, 0});
  EXPECT_EQ(floats(program.run({&v, &fine})[0]), (std::vector<float>{5, 6, 1, 2}));
  for (const int64_t wrong : {INT64_C(3), INT64_C(-1), INT64_MAX, INT64_MIN}) {
    const Tensor i(BUDDY_I64, {1, 2}, std::vector<int64_t>{0, wrong});
    std::vector<Tensor> out;
    EXPECT_EQ(program.try_run({&v, &i}, out), BUDDY_INVALID_ARGUMENT) << wrong;
    EXPECT_NE(program.diags.text().find("out of range for a dim of size 3"), std::string::npos);
  }
}

TEST(Program, ComputesInEveryDtype) {
  Program program(R"(
#id = affine_map<(d0) -> (d0)>
func.func @forward(%a: tensor<4xbf16>, %b: tensor<4xf16>, %c: tensor<4xcomplex<f32>>, %d: tensor<4xi1>, %e: tensor<4xi8>, %f: tensor<4xf64>)
    -> (tensor<4xbf16>, tensor<4xf16>, tensor<4xcomplex<f32>>, tensor<4xi1>, tensor<4xi8>, tensor<4xf64>, tensor<4xf32>) {
  %0 = arith.addf %a, %a : tensor<4xbf16>
  %1 = math.exp %b : tensor<4xf16>
  %ec = tensor.empty() : tensor<4xcomplex<f32>>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<4xcomplex<f32>>) outs(%ec : tensor<4xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %p = complex.mul %x, %x : complex<f32>
    %q = complex.exp %p : complex<f32>
    linalg.yield %q : complex<f32>
  } -> tensor<4xcomplex<f32>>
  %true = arith.constant dense<true> : tensor<4xi1>
  %3 = arith.xori %d, %true : tensor<4xi1>
  %4 = arith.addi %e, %e : tensor<4xi8>
  %5 = math.sin %f : tensor<4xf64>
  %6 = arith.extf %b : tensor<4xf16> to tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xbf16>, tensor<4xf16>, tensor<4xcomplex<f32>>, tensor<4xi1>, tensor<4xi8>, tensor<4xf64>, tensor<4xf32>
})");
  const Tensor a(BUDDY_BF16, {4}, std::vector<uint16_t>{0x3f80, 0xbf80, 0x7f80, 0x0000});
  const Tensor b(BUDDY_F16, {4}, std::vector<uint16_t>{0x0000, 0x3c00, 0xbc00, 0x4000});
  const Tensor c(BUDDY_C64, {4},
                 std::vector<std::complex<float>>{{0, 0}, {1, 0}, {0, 1}, {.5f, -.5f}});
  const Tensor d(BUDDY_BOOL, {4}, std::vector<uint8_t>{0, 1, 1, 0}),
      e(BUDDY_I8, {4}, std::vector<int8_t>{1, -1, 100, 0});
  const Tensor f(BUDDY_F64, {4}, std::vector<double>{0, 1, -1, 1e6});
  const auto out = program.run({&a, &b, &c, &d, &e, &f});
  ASSERT_EQ(out.size(), 7u);
  EXPECT_EQ(out[0].values<uint16_t>(), (std::vector<uint16_t>{0x4000, 0xc000, 0x7f80, 0x0000}));
  EXPECT_EQ(out[1].values<uint16_t>(), (std::vector<uint16_t>{0x3c00, 0x4170, 0x35e3, 0x4764}));
  for (size_t i = 0; i < 4; i++) {
    const std::complex<float> x = c.as<std::complex<float>>()[i], expected = std::exp(x * x);
    EXPECT_NEAR(std::abs(out[2].as<std::complex<float>>()[i] - expected), 0, 1e-6);
    EXPECT_NEAR(out[5].as<double>()[i], std::sin(f.as<double>()[i]), 1e-15);
  }
  EXPECT_EQ(out[3].values<uint8_t>(), (std::vector<uint8_t>{1, 0, 0, 1}));
  EXPECT_EQ(out[4].values<int8_t>(), (std::vector<int8_t>{2, -2, -56, 0}));
  EXPECT_EQ(floats(out[6]), (std::vector<float>{0, 1, -1, 2}));
}

// Functions of libm, on vectors and on the rest that fills no vector: a few units in the last
// place, and the edges.
TEST(Program, ComputesFunctionsExactly) {
  struct Function {
    const char *op;
    double (*reference)(double);
  };
  const Function functions[] = {
      {"exp", std::exp},     {"log", std::log},     {"sin", std::sin},     {"cos", std::cos},
      {"tanh", std::tanh},   {"erf", std::erf},     {"exp2", std::exp2},   {"log2", std::log2},
      {"log10", std::log10}, {"expm1", std::expm1}, {"log1p", std::log1p}, {"sinh", std::sinh},
      {"cosh", std::cosh},   {"tan", std::tan},     {"asin", std::asin},   {"acos", std::acos},
      {"atan", std::atan},   {"asinh", std::asinh}, {"acosh", std::acosh}, {"atanh", std::atanh},
      {"cbrt", std::cbrt},   {"erfc", std::erfc},   {"sqrt", std::sqrt}};
  std::string text = "func.func @forward(%a: tensor<203xf32>) -> (tensor<203xf32>", returns, types;
  for (size_t i = 1; i < std::size(functions); i++) text += ", tensor<203xf32>";
  text += ") {\n";
  for (size_t i = 0; i < std::size(functions); i++) {
    text += "  %" + std::to_string(i) + " = math." + functions[i].op + " %a : tensor<203xf32>\n";
    returns += (i > 0 ? ", %" : "%") + std::to_string(i);
    types += i > 0 ? ", tensor<203xf32>" : "tensor<203xf32>";
  }
  Program program(text + "  return " + returns + " : " + types + "\n}\n");
  Tensor a(BUDDY_F32, {203});
  for (int i = 0; i < 203; i++) a.as<float>()[i] = static_cast<float>(i - 101) * 0.37f;
  a.as<float>()[0] = std::numeric_limits<float>::infinity();
  a.as<float>()[1] = std::numeric_limits<float>::quiet_NaN();
  a.as<float>()[2] = -std::numeric_limits<float>::infinity();
  const auto out = program.run({&a});
  ASSERT_EQ(out.size(), std::size(functions));
  for (size_t f = 0; f < out.size(); f++) {
    for (int i = 0; i < 203; i++) {
      const double expected = functions[f].reference(a.as<float>()[i]), got = out[f].as<float>()[i];
      const auto narrow = static_cast<float>(expected);
      if (std::isnan(expected) || std::isinf(narrow)) {
        EXPECT_EQ(std::isnan(got), std::isnan(expected))
            << functions[f].op << " " << a.as<float>()[i];
        if (std::isinf(narrow)) {
          EXPECT_EQ(got, narrow) << functions[f].op << " " << a.as<float>()[i];
        }
      } else {
        EXPECT_NEAR(got, expected, 1e-6 * std::abs(expected) + 1e-37)
            << functions[f].op << " " << a.as<float>()[i];
      }
    }
  }
}

TEST(Program, KeepsLargeConstantsOutside) {
  std::string numbers, flags;
  for (int i = 0; i < 5000; i++) {
    numbers += (i > 0 ? ", " : "") + std::to_string(i % 7) + ".0";
    flags += (i > 0 ? ", " : "") + std::string(i % 3 == 0 ? "true" : "false");
  }
  Program program(
      "func.func @forward(%a: tensor<5000xf32>) -> (tensor<5000xf32>, tensor<5000xi1>, "
      "tensor<5000xf32>, tensor<2xf32>) {\n"
      "  %c = arith.constant dense<[" +
      numbers +
      "]> : tensor<5000xf32>\n"
      "  %k = arith.constant dense<[" +
      flags +
      "]> : tensor<5000xi1>\n"
      "  %s = arith.constant dense<2.5> : tensor<5000xf32>\n"
      "  %r = arith.constant dense_resource<blob> : tensor<2xf32>\n"
      "  %0 = arith.addf %a, %c : tensor<5000xf32>\n"
      "  return %0, %k, %s, %r : tensor<5000xf32>, tensor<5000xi1>, tensor<5000xf32>, "
      "tensor<2xf32>\n}\n"
      "{-#\n  dialect_resources: { builtin: { blob: \"0x040000000000803F00000040\" } }\n#-}\n");
  const Tensor a = Tensor::random(BUDDY_F32, {5000}, 1);
  const auto out = program.run({&a});
  ASSERT_EQ(out.size(), 4u);
  for (int i = 0; i < 5000; i++) {
    ASSERT_EQ(out[0].as<float>()[i], a.as<float>()[i] + static_cast<float>(i % 7));
    ASSERT_EQ(out[1].as<uint8_t>()[i], i % 3 == 0);
    ASSERT_EQ(out[2].as<float>()[i], 2.5f);
  }
  EXPECT_EQ(floats(out[3]), (std::vector<float>{1, 2}));
}

TEST(Program, TakesStridedInputsAndFillsStridedOutputs) {
  Program program(R"(
func.func @forward(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = arith.addf %a, %a : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
})");
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  float column_major[] = {1, 4, 2, 5, 3, 6}, wide[8] = {0};
  int64_t sizes[] = {2, 3}, strides[] = {1, 2}, wide_strides[] = {4, 1};
  buddy_tensor in = {BUDDY_F32, 2, sizes, strides, column_major, nullptr, nullptr};
  buddy_tensor out = {BUDDY_F32, 2, sizes, wide_strides, wide, nullptr, nullptr};
  ASSERT_EQ(buddy_program_run(program.program, &in, 1, &out, 1, program.diags), BUDDY_OK)
      << program.diags.text();
  EXPECT_EQ(std::vector<float>(wide, wide + 8), (std::vector<float>{2, 4, 6, 0, 8, 10, 12, 0}));
  int64_t other[] = {3, 2};
  out.sizes = other;
  EXPECT_EQ(buddy_program_run(program.program, &in, 1, &out, 1, program.diags),
            BUDDY_INVALID_ARGUMENT);
}

TEST(Program, RefusesWrongInputsAllTogether) {
  Program program(R"(
func.func @forward(%a: tensor<2x?xf32>, %b: tensor<3xi64>) -> tensor<2x?xf32> {
  return %a : tensor<2x?xf32>
})");
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  const Tensor a(BUDDY_F32, {3, 4}), b(BUDDY_F32, {3});
  std::vector<Tensor> out;
  EXPECT_EQ(program.try_run({&a, &b}, out), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(program.diags.text().find("arg0: input 0: expected f32[2,?], got f32[3,4]"),
            std::string::npos);
  EXPECT_NE(program.diags.text().find("arg1: input 1: expected i64[3], got f32[3]"),
            std::string::npos)
      << program.diags.text();
  EXPECT_EQ(program.try_run({&a}, out), BUDDY_INVALID_ARGUMENT);
}

TEST(Program, MeasuresItsSteps) {
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.profile = 1;
  Program program(R"(
    func.func @forward(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>)
        -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<64x64xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
      %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
          outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
          loc("product"("layer.0"("model.py":7:1)))
      %d = math.exp %c : tensor<64x64xf32> loc("exponent"("layer.1"("model.py":8:1)))
      return %d, %c : tensor<64x64xf32>, tensor<64x64xf32>
    })",
                  &options);
  const Tensor a = Tensor::random(BUDDY_F32, {64, 64}, 1);
  program.run({&a, &a});
  program.run({&a, &a});
  int n_products = 0, n_exponents = 0;
  for (size_t i = 0; i < buddy_program_n_steps(program.program); i++) {
    const buddy_step *step = buddy_program_step(program.program, i);
    EXPECT_EQ(step->n_calls, 2u);
    EXPECT_GT(step->seconds, 0);
    if (std::string(step->nodes) == "product" && std::string(step->where) == "model.py:7" &&
        std::string(step->module) == "layer.0") {
      n_products++;
      EXPECT_EQ(step->n_flops, 2u * 64 * 64 * 64);
    }
    if (std::string(step->nodes).find("exponent") != std::string::npos) {
      n_exponents++;
      EXPECT_EQ(step->n_flops, 64u * 64);
    }
  }
  EXPECT_EQ(n_products, 1);
  EXPECT_EQ(n_exponents, 1);
  EXPECT_EQ(buddy_program_step(program.program, buddy_program_n_steps(program.program)), nullptr);

  // Of the last run alone: one span for each step on its own thread, and the run's after them.
  const size_t n = buddy_program_n_spans(program.program);
  std::vector<int> n_spans(buddy_program_n_steps(program.program));
  double end = 0;
  for (size_t i = 0; i + 1 < n; i++) {
    const buddy_span *span = buddy_program_span(program.program, i);
    ASSERT_GE(span->step, 0);
    ASSERT_LT(static_cast<size_t>(span->step), n_spans.size());
    if (span->thread != 0) continue;
    n_spans[static_cast<size_t>(span->step)]++;
    EXPECT_GE(span->begin, end - 1e-9);
    end = span->begin + span->seconds;
  }
  EXPECT_EQ(n_spans, std::vector<int>(n_spans.size(), 1));
  ASSERT_GT(n, 0u);
  EXPECT_EQ(buddy_program_span(program.program, n - 1)->step, -1);
  EXPECT_GE(buddy_program_span(program.program, n - 1)->seconds, end - 1e-9);
  EXPECT_EQ(buddy_program_span(program.program, n), nullptr);
  for (size_t i = 0; i < n_spans.size(); i++) {
    const buddy_step *step = buddy_program_step(program.program, i);
    if (std::string(step->nodes) == "product") {
      EXPECT_GE(step->n_bytes, 3u * 64 * 64 * 4);
    }
  }

  Program plain(
      "func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }");
  EXPECT_EQ(buddy_program_n_steps(plain.program), 0u);
  EXPECT_EQ(buddy_program_n_spans(plain.program), 0u);
}

// A loop is of all nodes that were fused into it, and a product not of the one that makes its
// operand, as MLIR has it.
TEST(Program, StepsTellAllNodesOfALoop) {
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.profile = 1;
  Program program(R"(
    func.func @forward(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>)
        -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %s = math.absf %a : tensor<64x64xf32> loc("size"("layer.0"("model.py":6:1)))
      %d = math.exp %s : tensor<64x64xf32> loc("exponent"("layer.1"("model.py":7:1)))
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<64x64xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
      %c = linalg.matmul ins(%d, %b : tensor<64x64xf32>, tensor<64x64xf32>)
          outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
          loc("product"("layer.2"("model.py":8:1)))
      return %d, %c : tensor<64x64xf32>, tensor<64x64xf32>
    })",
                  &options);
  const Tensor a = Tensor::random(BUDDY_F32, {64, 64}, 1);
  program.run({&a, &a});
  std::vector<std::string> nodes;
  for (size_t i = 0; i < buddy_program_n_steps(program.program); i++) {
    const buddy_step *step = buddy_program_step(program.program, i);
    if (*step->nodes != '\0') nodes.push_back(std::string(step->nodes) + " " + step->module);
  }
  EXPECT_EQ(nodes, (std::vector<std::string>{"size+exponent layer.0", "product layer.2"}));
}

// What lies in the arena at the same time lies beside each other, and is told with its node.
TEST(Program, TellsWhereIntermediateResultsLie) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "each buffer is an allocation of its own, so that accesses outside of it are seen";
#endif
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.profile = 1;
  std::string text =
      "func.func @forward(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %empty = tensor.empty() : tensor<64x64xf32>\n"
      "  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>)"
      " -> tensor<64x64xf32>\n";
  const int n = 6;
  for (int i = 0; i < n; i++) {
    const std::string before = i > 0 ? "%p" + std::to_string(i - 1) : "%a",
                      name = "p" + std::to_string(i);
    text += "  %" + name + " = linalg.matmul ins(" + before + ", " + (i > 2 ? "%p0" : "%a") +
            " : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>)"
            " -> tensor<64x64xf32> loc(\"" +
            name + "\"(\"layer\"(\"model.py\":7:1)))\n";
  }
  text += "  return %p" + std::to_string(n - 1) + " : tensor<64x64xf32>\n}\n";
  const Program program(text, &options);
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  const size_t n_places = buddy_program_n_places(program.program);
  ASSERT_GE(n_places, size_t(n - 1));
  bool is_first_there = false;
  for (size_t i = 0; i < n_places; i++) {
    const buddy_place *a = buddy_program_place(program.program, i);
    EXPECT_LE(a->first, a->last);
    EXPECT_LT(a->last, buddy_program_n_steps(program.program));
    EXPECT_GE(a->n_bytes, 64u * 64 * 4);
    is_first_there = is_first_there || (a->last > a->first + 2 && a->nodes[0] == 'p');
    for (size_t k = 0; k < i; k++) {
      const buddy_place *b = buddy_program_place(program.program, k);
      if (a->first > b->last || b->first > a->last) continue;
      EXPECT_TRUE(a->start >= b->start + b->n_bytes || b->start >= a->start + a->n_bytes);
    }
  }
  EXPECT_TRUE(is_first_there);  // the first product, which others read to the end
  EXPECT_EQ(buddy_program_place(program.program, n_places), nullptr);
  EXPECT_EQ(buddy_program_kept_bytes(program.program), 0u);
}

TEST(Program, RunsOnManyThreadsAtOnce) {
  Program program(R"(
func.func @forward(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
})");
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  const Tensor a = Tensor::random(BUDDY_F32, {64, 64}, 1);
  const std::vector<float> expected = floats(program.run({&a})[0]);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; i++) {
        buddy_tensor out = {};
        const buddy_code code = buddy_program_run(program.program, &a.t, 1, &out, 1, nullptr);
        if (code != BUDDY_OK || std::memcmp(out.bytes, expected.data(), expected.size() * 4) != 0)
          wrong[t]++;
        buddy_tensor_release(&out);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(Program, ReportsWhatCannotBeCompiled) {
  Program missing(
      "func.func private @nowhere(tensor<2xf32>) -> tensor<2xf32>\n"
      "func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %0 = func.call @nowhere(%a) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : "
      "tensor<2xf32>\n}\n");
  EXPECT_NE(missing.code, BUDDY_OK);
  EXPECT_NE(missing.diags.text().find("nowhere"), std::string::npos) << missing.diags.text();
  Program no_tensor("func.func @forward(%a: memref<2xf32>) { return }\n");
  EXPECT_EQ(no_tensor.code, BUDDY_UNSUPPORTED);
  EXPECT_NE(no_tensor.diags.text().find("memref<2xf32>"), std::string::npos)
      << no_tensor.diags.text();
  Program nonsense("func.func @forward(%a: tensor<2xf32>) {\n  return %b\n}\n");
  EXPECT_EQ(nonsense.code, BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(nonsense.diags.text(), "");
}

// A softmax: loops that become one, and numbers that are known before.
TEST(Program, IsTheSameWithoutWhatMakesItFast) {
  const std::string text = R"(
func.func @forward(%a: tensor<7x19xf32>) -> tensor<7x19xf32> {
  %0 = tosa.exp %a : (tensor<7x19xf32>) -> tensor<7x19xf32>
  %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<7x19xf32>) -> tensor<7x1xf32>
  %2 = tosa.reciprocal %1 : (tensor<7x1xf32>) -> tensor<7x1xf32>
  %3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %4 = tosa.mul %0, %2, %3 : (tensor<7x19xf32>, tensor<7x1xf32>, tensor<1xi8>) -> tensor<7x19xf32>
  return %4 : tensor<7x19xf32>
})";
  const Tensor a = Tensor::random(BUDDY_F32, {7, 19}, 1);
  Program plain(text);
  const std::vector<float> expected = floats(plain.run({&a})[0]);
#if defined(__x86_64__)
  const char *without = "amx,avx";
#else
  const char *without = "";
#endif
  for (int k = 0; k < 8; k++) {
    buddy_compile_options options = {};
    options.struct_size = sizeof(options);
    options.fusion = -(k & 1);
    options.folding = -(k >> 1 & 1);
    options.without = k & 4 ? without : nullptr;
    Program program(text, &options);
    ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
    const std::vector<float> numbers = floats(program.run({&a})[0]);
    for (size_t i = 0; i < expected.size(); i++) EXPECT_NEAR(numbers[i], expected[i], 1e-6) << k;
  }
}

TEST(Program, RefusesChoicesThatThereAreNot) {
  const std::string text =
      "func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n";
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.fusion = 1;
  EXPECT_EQ(Program(text, &options).code, BUDDY_INVALID_ARGUMENT);
  options.fusion = 0;
  options.folding = -2;
  EXPECT_EQ(Program(text, &options).code, BUDDY_INVALID_ARGUMENT);
  options.folding = 0;
  for (const char *without : {"abacus", ",", "abacus,", ",abacus"}) {
    options.without = without;
    Program program(text, &options);
    EXPECT_EQ(program.code, BUDDY_INVALID_ARGUMENT);
    EXPECT_NE(program.diags.text().find("no feature"), std::string::npos) << without;
  }
  options.without = "";
  EXPECT_EQ(Program(text, &options).code, BUDDY_OK);
}

TEST(Program, TakesOptions) {
  const std::string text =
      "func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n";
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  std::vector<double> seen;
  options.user = &seen;
  options.progress = [](void *user, const char *, double fraction) {
    static_cast<std::vector<double> *>(user)->push_back(fraction);
  };
  for (const int level : {-1, 0, 1, 2, 3, BUDDY_OPT_NONE}) {
    options.opt_level = level;
    Program program(text, &options);
    const Tensor a = Tensor::random(BUDDY_F32, {2}, 1);
    EXPECT_EQ(floats(program.run({&a})[0]), floats(a));
  }
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.begin() + 5));
  EXPECT_EQ(seen.back(), 1.0);
  for (const int level : {4, -3}) {
    options.opt_level = level;
    EXPECT_EQ(Program(text, &options).code, BUDDY_INVALID_ARGUMENT);
  }
  options.opt_level = 2;
  options.pipeline = "builtin.module(no-such-pass)";
  Program unknown(text, &options);
  EXPECT_EQ(unknown.code, BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(unknown.diags.text().find("no-such-pass"), std::string::npos) << unknown.diags.text();
  options.pipeline = "builtin.module(canonicalize)";
  Program tensors(text, &options);
  EXPECT_EQ(tensors.code, BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(tensors.diags.text().find("dense memrefs"), std::string::npos) << tensors.diags.text();
  options.pipeline =
      "# By hand.\nbuiltin.module(\n  convert-elementwise-to-linalg,\n  "
      "one-shot-bufferize{bufferize-function-boundaries=true "
      "function-boundary-type-conversion=identity-layout-map})";
  Program own(
      "func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = arith.addf %a, %a : "
      "tensor<2xf32>\n"
      "  return %0 : tensor<2xf32>\n}\n",
      &options);
  const Tensor a(BUDDY_F32, {2}, std::vector<float>{1, 2});
  EXPECT_EQ(floats(own.run({&a})[0]), (std::vector<float>{2, 4}));
}

}  // namespace

// ---- Schedules ---------------------------------------------------------------------------------
namespace {
const char kProduct[] =
    "func.func @forward(%a: tensor<33x20xf32>, %b: tensor<20x7xf32>) -> tensor<33x7xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<33x7xf32>\n"
    "  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<33x7xf32>) -> tensor<33x7xf32>\n"
    "  %p = linalg.matmul ins(%a, %b : tensor<33x20xf32>, tensor<20x7xf32>) "
    "outs(%i : tensor<33x7xf32>) -> tensor<33x7xf32>\n"
    "  return %p : tensor<33x7xf32>\n}\n";

// The product under a schedule of these sequences, and what the compiler said.
struct Scheduled {
  explicit Scheduled(const std::string &sequences)
      : text("module attributes {transform.with_named_sequence} {\n" + sequences + "}\n"),
        options(make(text)),
        program(kProduct, &options) {}
  static buddy_compile_options make(const std::string &text) {
    buddy_compile_options options = {};
    options.struct_size = sizeof(options);
    options.schedule = text.c_str();
    return options;
  }
  std::string text;
  buddy_compile_options options;
  Program program;
};

std::string sequence(const std::string &head, const std::string &body) {
  return "transform.named_sequence " + head + " {\n" + body + "\n  transform.yield\n}\n";
}

const char kModule[] = "(%m: !transform.any_op {transform.readonly})";
}  // namespace

TEST(Schedule, EachStageSeesItsOperations) {
  const auto remark = [](const char *stage, const char *op) {
    return sequence(std::string("@") + stage + kModule,
                    std::string("  %x = transform.structured.match ops{[\"") + op +
                        "\"]} in %m : (!transform.any_op) -> !transform.any_op\n"
                        "  transform.debug.emit_remark_at %x, \"" +
                        stage + " has it\" : !transform.any_op");
  };
  Scheduled s(remark("tensors", "linalg.matmul") + remark("buffers", "linalg.matmul") +
              remark("loops", "linalg.fill"));
  ASSERT_EQ(s.program.code, BUDDY_OK) << s.program.diags.text();
  for (const char *stage : {"tensors", "buffers", "loops"})
    EXPECT_NE(s.program.diags.text().find(std::string(stage) + " has it"), std::string::npos)
        << s.program.diags.text();
}

TEST(Schedule, TilesAndKeepsTheNumbers) {
  Scheduled s(sequence(
      "@tensors(%m: !transform.any_op)",
      "  %x = transform.structured.match ops{[\"linalg.matmul\"]} in %m : (!transform.any_op) -> "
      "!transform.any_op\n"
      "  %t, %l:2 = transform.structured.tile_using_for %x tile_sizes [8, 4] : (!transform.any_op) "
      "-> (!transform.any_op, !transform.any_op, !transform.any_op)"));
  Program plain(kProduct);
  ASSERT_EQ(s.program.code, BUDDY_OK) << s.program.diags.text();
  const Tensor a = Tensor::random(BUDDY_F32, {33, 20}, 1),
               b = Tensor::random(BUDDY_F32, {20, 7}, 2);
  const auto tiled = floats(s.program.run({&a, &b})[0]), usual = floats(plain.run({&a, &b})[0]);
  ASSERT_EQ(tiled.size(), usual.size());
  for (size_t i = 0; i < usual.size(); i++) EXPECT_NEAR(tiled[i], usual[i], 1e-4) << i;
}

TEST(Schedule, IsRefusedWithASentence) {
  const struct {
    std::string sequences;
    const char *said;
  } cases[] = {
      {"", "no named sequence"},
      {"what is this", "in the schedule"},
      {sequence(std::string("@tensr") + kModule, ""), "no stage of compiling is called 'tensr'"},
      {sequence("@loops()", ""), "does not take one argument"},
      {sequence("@buffers(%m: !transform.any_op)",
                "  %x = transform.apply_registered_pass \"no-such-pass\" to %m : "
                "(!transform.any_op) -> !transform.any_op"),
       "no-such-pass"},
  };
  for (const auto &one : cases) {
    Scheduled s(one.sequences);
    EXPECT_EQ(s.program.code, BUDDY_INVALID_ARGUMENT) << one.sequences;
    EXPECT_NE(s.program.diags.text().find(one.said), std::string::npos)
        << one.sequences << s.program.diags.text();
  }
}

TEST(Schedule, HelpersArePrivate) {
  Scheduled s(sequence(std::string("private @helper") + kModule, "") +
              sequence(std::string("@tensors") + kModule,
                       "  transform.include @helper failures(propagate) (%m) : (!transform.any_op) "
                       "-> ()"));
  EXPECT_EQ(s.program.code, BUDDY_OK) << s.program.diags.text();
}
