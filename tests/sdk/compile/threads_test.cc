// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs give the same bits on any number of threads, and fail in the same place.
#include <atomic>
#include <thread>

#include "tests/sdk/compile/harness.h"

namespace {

using Sizes = std::vector<int64_t>;

std::string type_of(const Sizes &sizes) {
  std::string text = "tensor<";
  for (int64_t s : sizes) text += std::to_string(s) + "x";
  return text + "f32>";
}

// All outputs of one run, byte by byte.
std::vector<std::string> bits(Program &program, const std::vector<const Tensor *> &inputs,
                              int n_threads) {
  buddy_program_set_threads(program.program, n_threads);
  std::vector<std::string> all;
  for (const Tensor &t : program.run(inputs))
    all.emplace_back(t.as<char>(), t.n() * buddy_dtype_size(t.t.dtype));
  return all;
}

void expect_same_bits(const std::string &text, const std::vector<const Tensor *> &inputs) {
  Program program(text);
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  const auto alone = bits(program, inputs, 1);
  ASSERT_FALSE(alone.empty());
  for (const int n_threads : {2, 3, 7}) {
    for (int round = 0; round < 3; round++)
      EXPECT_TRUE(bits(program, inputs, n_threads) == alone) << n_threads << " threads: " << text;
  }
}

TEST(Threads, ShareElementwiseLoops) {
  for (const Sizes &sizes :
       std::vector<Sizes>{{1000003}, {3, 333331}, {1, 700, 401}, {5, 7, 11, 13, 17}, {90000, 3}}) {
    const std::string t = type_of(sizes);
    const Tensor a = Tensor::random(BUDDY_F32, sizes, 1), b = Tensor::random(BUDDY_F32, sizes, 2);
    expect_same_bits("func.func @forward(%a: " + t + ", %b: " + t + ") -> " + t +
                         " {\n  %0 = math.tanh %a : " + t + "\n  %1 = math.exp %b : " + t +
                         "\n  %2 = arith.mulf %0, %1 : " + t + "\n  %3 = arith.addf %2, %a : " + t +
                         "\n  return %3 : " + t + "\n}\n",
                     {&a, &b});
  }
}

TEST(Threads, ShareReductionsOfRows) {
  const Tensor a = Tensor::random(BUDDY_F32, {301, 1777}, 1);
  expect_same_bits(R"(
func.func @forward(%a: tensor<301x1777xf32>) -> (tensor<301xf32>, tensor<1777xf32>) {
  %z = arith.constant dense<0.0> : tensor<301xf32>
  %y = arith.constant dense<0.0> : tensor<1777xf32>
  %r = linalg.reduce ins(%a : tensor<301x1777xf32>) outs(%z : tensor<301xf32>) dimensions = [1]
    (%x: f32, %s: f32) { %n = arith.addf %x, %s : f32 linalg.yield %n : f32 }
  %c = linalg.reduce ins(%a : tensor<301x1777xf32>) outs(%y : tensor<1777xf32>) dimensions = [0]
    (%x: f32, %s: f32) { %n = arith.addf %x, %s : f32 linalg.yield %n : f32 }
  return %r, %c : tensor<301xf32>, tensor<1777xf32>
})",
                   {&a});
}

TEST(Threads, ShareLoopsOfUnknownSizes) {
  for (const Sizes &sizes :
       std::vector<Sizes>{{1, 3, 900, 401}, {4, 1, 20, 33}, {1, 1, 1, 1}, {0, 3, 4, 5}}) {
    const Tensor a = Tensor::random(BUDDY_F32, sizes, 1);
    expect_same_bits(R"(
func.func @forward(%a: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = math.exp %a : tensor<?x?x?x?xf32>
  %1 = arith.addf %0, %a : tensor<?x?x?x?xf32>
  return %1 : tensor<?x?x?x?xf32>
})",
                     {&a});
  }
}

std::string product(const std::string &a, const std::string &b, const std::string &c,
                    const std::string &op) {
  return "func.func @forward(%a: " + a + ", %b: " + b + ") -> " + c +
         " {\n  %z = arith.constant dense<0.0> : " + c + "\n  %r = linalg." + op +
         " ins(%a, %b : " + a + ", " + b + ") outs(%z : " + c + ") -> " + c +
         "\n  return %r : " + c + "\n}\n";
}

TEST(Threads, ShareProducts) {
  const struct {
    int64_t m, k, n;
  } sizes[] = {{128, 768, 768}, {700, 90, 40},   {33, 1500, 200},
               {1000, 64, 33},  {450, 1300, 70}, {5, 2000, 999}};
  for (const auto &s : sizes) {
    const Tensor a = Tensor::random(BUDDY_F32, {s.m, s.k}, 1),
                 b = Tensor::random(BUDDY_F32, {s.k, s.n}, 2);
    expect_same_bits(
        product(type_of({s.m, s.k}), type_of({s.k, s.n}), type_of({s.m, s.n}), "matmul"), {&a, &b});
  }
}

TEST(Threads, ShareBatches) {
  const Tensor a = Tensor::random(BUDDY_F32, {12, 128, 64}, 1),
               b = Tensor::random(BUDDY_F32, {12, 64, 128}, 2);
  expect_same_bits(product("tensor<12x128x64xf32>", "tensor<12x64x128xf32>",
                           "tensor<12x128x128xf32>", "batch_matmul"),
                   {&a, &b});
}

TEST(Threads, ShareProductsOfUnknownSizes) {
  const Sizes all[] = {{130, 700, 300}, {1, 64, 7000}, {900, 33, 65}, {17, 0, 18}};
  for (const Sizes &s : all) {
    const Tensor a = Tensor::random(BUDDY_F32, {s[0], s[1]}, 1),
                 b = Tensor::random(BUDDY_F32, {s[1], s[2]}, 2);
    expect_same_bits(R"(
func.func @forward(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})",
                     {&a, &b});
  }
}

TEST(Threads, ShareConvolutions) {
  const struct {
    int64_t channels, size, filters, window, step;
  } all[] = {{3, 101, 64, 7, 2},
             {64, 30, 48, 3, 1},
             {40, 28, 200, 1, 1},
             {256, 9, 130, 3, 2},
             {1400, 16, 40, 1, 1}};
  for (const auto &c : all) {
    const int64_t out = (c.size - c.window) / c.step + 1;
    const Tensor x = Tensor::random(BUDDY_F32, {2, c.channels, c.size, c.size}, 1);
    const Tensor w = Tensor::random(BUDDY_F32, {c.filters, c.channels, c.window, c.window}, 2);
    expect_same_bits(
        product(
            type_of({2, c.channels, c.size, c.size}),
            type_of({c.filters, c.channels, c.window, c.window}), type_of({2, c.filters, out, out}),
            "conv_2d_nchw_fchw {strides = dense<" + std::to_string(c.step) + "> : tensor<2xi64>}"),
        {&x, &w});
  }
}

TEST(Threads, ShareGroupsOfConvolutions) {
  const Tensor x = Tensor::random(BUDDY_F32, {2, 5, 8, 20, 20}, 1),
               w = Tensor::random(BUDDY_F32, {5, 16, 8, 3, 3}, 2);
  expect_same_bits(
      product("tensor<2x5x8x20x20xf32>", "tensor<5x16x8x3x3xf32>", "tensor<2x5x16x18x18xf32>",
              "conv_2d_ngchw_gfchw {strides = dense<1> : tensor<2xi64>}"),
      {&x, &w});
}

TEST(Threads, SharePlanesOfDepthwiseConvolutions) {
  for (const int64_t step : {1, 2}) {
    const int64_t out = (66 - 3) / step + 1;
    const Tensor x = Tensor::random(BUDDY_F32, {2, 19, 66, 66}, 1),
                 w = Tensor::random(BUDDY_F32, {19, 3, 3}, 2);
    expect_same_bits(
        product(type_of({2, 19, 66, 66}), type_of({19, 3, 3}), type_of({2, 19, out, out}),
                "depthwise_conv_2d_nchw_chw {strides = dense<" + std::to_string(step) +
                    "> : tensor<2xi64>}"),
        {&x, &w});
  }
}

TEST(Threads, FailInTheSamePlace) {
  Program program(R"(
func.func @forward(%a: tensor<400000xf32>, %i: tensor<400000xi64>) -> tensor<400000xf32> {
  %e = tensor.empty() : tensor<400000xf32>
  %c0 = arith.constant 0 : index
  %n = arith.constant 400000 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%i : tensor<400000xi64>) outs(%e : tensor<400000xf32>) {
  ^bb0(%at: i64, %o: f32):
    %k = arith.index_cast %at : i64 to index
    %low = arith.cmpi sge, %k, %c0 : index
    cf.assert %low, "below"
    %high = arith.cmpi slt, %k, %n : index
    cf.assert %high, "above"
    %v = tensor.extract %a[%k] : tensor<400000xf32>
    linalg.yield %v : f32
  } -> tensor<400000xf32>
  return %r : tensor<400000xf32>
})");
  const Tensor a = Tensor::random(BUDDY_F32, {400000}, 1);
  Tensor places(BUDDY_I64, {400000});
  for (int64_t i = 0; i < 400000; i++) places.as<int64_t>()[i] = 399999 - i;
  for (const int n_threads : {1, 2, 7}) {
    std::vector<Tensor> out;
    buddy_program_set_threads(program.program, n_threads);
    EXPECT_EQ(program.run({&a, &places})[0].as<float>()[3], a.as<float>()[399996]);
    places.as<int64_t>()[250000] = -1;
    places.as<int64_t>()[390000] = 400000;
    EXPECT_EQ(program.try_run({&a, &places}, out), BUDDY_INVALID_ARGUMENT);
    EXPECT_NE(program.diags.text().find("below"), std::string::npos);
    EXPECT_EQ(program.diags.text().find("above"), std::string::npos);
    places.as<int64_t>()[250000] = places.as<int64_t>()[390000] = 5;
  }
}

TEST(Threads, RunOneProgramFromManyCallers) {
  const Tensor a = Tensor::random(BUDDY_F32, {128, 512}, 1),
               b = Tensor::random(BUDDY_F32, {512, 640}, 2);
  Program program(
      product("tensor<128x512xf32>", "tensor<512x640xf32>", "tensor<128x640xf32>", "matmul"));
  const auto alone = bits(program, {&a, &b}, 1);
  buddy_program_set_threads(program.program, 3);
  std::vector<std::thread> callers;
  std::atomic<int> n_wrong{0};
  for (int caller = 0; caller < 4; caller++) {
    callers.emplace_back([&] {
      for (int round = 0; round < 10; round++) {
        const buddy_tensor in[] = {a.t, b.t};
        buddy_tensor out = {};
        if (buddy_program_run(program.program, in, 2, &out, 1, program.diags) != BUDDY_OK ||
            std::memcmp(out.bytes, alone[0].data(), alone[0].size()) != 0)
          n_wrong++;
        buddy_tensor_release(&out);
      }
    });
  }
  for (std::thread &caller : callers) caller.join();
  EXPECT_EQ(n_wrong, 0);
}

}  // namespace
