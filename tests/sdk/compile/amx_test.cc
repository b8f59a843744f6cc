// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of words in AMX's registers: which sizes are taken for them, by which instructions, and
// that the numbers are those of plain loops. On a processor without AMX the numbers are those of
// its vectors.
#include <algorithm>
#include <cmath>

#include "tests/sdk/compile/weighted.h"

extern "C" {
#include "sdk/compile/kernels/tile/amx.h"
}
#include "tests/sdk/compile/fake_kernels.h"

namespace {

bd_panels panels(int64_t m, int64_t n, int64_t k, bd_dot_packing_kind kind = BD_PACKED_BF16) {
  bd_panels p;
  bd_panels_init(&p, &fake_machine, bd_dot_packing_of(kind)->sum);
  p.words = bd_dot_packing_of(kind);
  p.m = m;
  p.n = n;
  p.k = k;
  p.lda = k;
  p.ldc = n;
  p.begin = BD_BEGIN_ZERO;
  return p;
}

bd_panels lines(int64_t n_lines, int64_t m, int64_t segments, int64_t depth) {
  bd_panels p = panels(m, 64, segments * depth, BD_PACKED_BYTES);
  p.lines = n_lines;
  p.segments = segments;
  p.line_a = p.segment_a = (m + segments) * depth;
  p.line_c = m * p.n;
  return p;
}

int64_t step_of(bd_panels p) {
  bd_amx_choose(&p);
  return p.amx_step;
}

TEST(Amx, StepsDivideARow) {
  EXPECT_EQ(step_of(panels(64, 64, 384)), 16);
  EXPECT_EQ(step_of(panels(64, 64, 36)), 12);
  EXPECT_EQ(step_of(panels(64, 64, 7)), 7);
  EXPECT_EQ(step_of(panels(64, 64, 34)), 0);  // two of 17, or many of 2
  EXPECT_EQ(step_of(panels(64, 64, 3)), 0);
  EXPECT_EQ(step_of(lines(9, 9, 3, 48)), 16);  // of a part of a row
}

TEST(Amx, FewRowsAreLeftToVectors) {
  EXPECT_EQ(step_of(panels(1, 64, 64)), 0);
  EXPECT_EQ(step_of(panels(3, 64, 64)), 0);
  EXPECT_EQ(step_of(panels(4, 64, 64)), 16);
  EXPECT_EQ(step_of(lines(7, 7, 3, 16)), 16);  // of all lines together
}

TEST(Amx, BlocksAreWholeSteps) {
  EXPECT_EQ(step_of(panels(512, 64, 4096)), 16);
  EXPECT_EQ(step_of(panels(512, 64, 4100)), 0);
}

struct Functions {
  std::set<std::string> all;
  std::string calls;
  explicit Functions(const std::vector<bd_panels> &products) {
    bd_kernels kernels;
    for (bd_panels p : products) {
      bd_text text = {};
      bd_amx_choose(&p);
      EXPECT_GT(p.amx_step, 0);
      bd_panels_write(&text, &p, &kernels);
      EXPECT_FALSE(text.code);
      if (text.data != nullptr) calls += text.data;
      bd_text_deinit(&text);
    }
    all = kernels.texts;
  }
  bool have(const std::string &part) const {
    return std::any_of(all.begin(), all.end(), [&](const std::string &text) {
      return text.find(part) != std::string::npos;
    });
  }
};

TEST(Amx, IsByInstructionsOfItsOwn) {
  const Functions pairs({panels(64, 64, 64)}), bytes({panels(64, 64, 64, BD_PACKED_BYTES)});
  EXPECT_TRUE(pairs.have("llvm.x86.tdpbf16ps"));
  EXPECT_FALSE(pairs.have("avx512"));
  EXPECT_TRUE(bytes.have("llvm.x86.tdpbssd"));
  EXPECT_FALSE(bytes.have("line_of_begin"));  // signs are left as they are
}

TEST(Amx, OneFunctionServesManySizes) {
  EXPECT_EQ(Functions({panels(64, 64, 64), panels(50, 96, 36), panels(17, 32, 7)}).all.size(), 1u);
  EXPECT_EQ(Functions({panels(64, 64, 64), panels(16, 64, 64)}).all.size(), 2u);  // one group
  EXPECT_EQ(Functions({panels(64, 64, 64), panels(64, 60, 64)}).all.size(), 2u);  // some columns
  EXPECT_EQ(Functions({panels(64, 64, 64), panels(64, 48, 64)}).all.size(), 2u);  // one register
  // Two lines at a time, and one that may be left.
  EXPECT_EQ(Functions({lines(8, 7, 3, 16), lines(5, 14, 3, 48)}).all.size(), 2u);
  EXPECT_EQ(Functions({lines(8, 7, 3, 16), panels(16, 64, 64, BD_PACKED_BYTES)}).all.size(), 3u);
}

// Tiles of 32, then what is left of any number of rows, in two registers or in one: a register without rows is
// refused by the processor.
TEST(Amx, AnyNumberOfRowsIsByTheSameFunctions) {
  bd_panels any = panels(192, 64, 64);
  any.has_any_rows = true;
  EXPECT_EQ(Functions({panels(64, 64, 64), panels(16, 64, 64), any}).all.size(), 2u);
  const std::string calls = Functions({any}).calls;
  EXPECT_NE(calls.find("if has_y0_1 {"), std::string::npos);
  EXPECT_NE(calls.find("if has_y0_2 {"), std::string::npos);
}

// ---- Numbers -----------------------------------------------------------------------------------

std::string type(const std::vector<int64_t> &sizes, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t s : sizes) text += std::to_string(s) + "x";
  return text + element + ">";
}

// %a and %b, by an operation that adds to zeros, or to a row of numbers 1, 2, ….
std::string module_of(const std::string &op, const std::string &a, const std::string &b,
                      const std::vector<int64_t> &c, const std::string &sum, bool has_row) {
  const std::string out = type(c, sum), row = type({c.back()}, sum);
  const std::string zero = sum == "f32" ? "0.0" : "0";
  std::string numbers, maps;
  for (int64_t i = 1; i <= c.back(); i++)
    numbers += (i > 1 ? ", " : "") + std::to_string(i) + (sum == "f32" ? ".0" : "");
  for (size_t i = 0; i + 1 < c.size(); i++) maps += (i > 0 ? ", " : "") + std::to_string(i);
  const std::string begin = has_row ? "  %row = arith.constant dense<[" + numbers + "]> : " + row +
                                          "\n  %f = linalg.broadcast ins(%row : " + row +
                                          ") outs(%e : " + out + ") dimensions = [" + maps + "]\n"
                                    : "  %z = arith.constant " + zero + " : " + sum +
                                          "\n  %f = linalg.fill ins(%z : " + sum +
                                          ") outs(%e : " + out + ") -> " + out + "\n";
  return "func.func @forward(%a: " + a + ", %b: " + b + ") -> " + out +
         " {\n  %e = tensor.empty() : " + out + "\n" + begin + "  %r = linalg." + op +
         " ins(%a, %b : " + a + ", " + b + ") outs(%f : " + out + ") -> " + out +
         "\n  return %r : " + out + "\n}\n";
}

float of_bf16(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float f;
  std::memcpy(&f, &wide, 4);
  return f;
}

struct Shape {
  int64_t m, n, k;
};
const Shape shapes[] = {{64, 64, 128}, {32, 32, 64},  {8, 16, 64},   {5, 40, 512}, {9, 33, 28},
                        {17, 50, 36},  {33, 70, 100}, {49, 31, 512}, {130, 40, 24}};

TEST(Amx, MultipliesBytes) {
  for (const Shape &s : shapes) {
    const Tensor x = random_bytes({s.m, 4 * s.k}, 1);
    const Tensor w = random_bytes({4 * s.k, s.n}, 2);
    for (const bool has_row : {false, true}) {
      const auto out =
          run_weighted(module_of("matmul", type({s.m, 4 * s.k}, "i8"), type({4 * s.k, s.n}, "i8"),
                                 {s.m, s.n}, "i32", has_row),
                       x, w, Tensor(BUDDY_I32, {s.m, s.n}));
      ASSERT_EQ(out.size(), 3u);
      for (int64_t i = 0; i < s.m; i++) {
        for (int64_t j = 0; j < s.n; j++) {
          int32_t sum = has_row ? static_cast<int32_t>(j + 1) : 0;
          for (int64_t k = 0; k < 4 * s.k; k++)
            sum += x.as<int8_t>()[i * 4 * s.k + k] * w.as<int8_t>()[k * s.n + j];
          ASSERT_EQ(out[0].as<int32_t>()[i * s.n + j], sum)
              << s.m << "x" << s.n << "x" << s.k << " at " << i << ", " << j;
        }
      }
    }
  }
}

void multiply_pairs(const Shape &s, bool has_row) {
  const Tensor x = Tensor::random(BUDDY_BF16, {s.m, 2 * s.k}, 1);
  const Tensor w = Tensor::random(BUDDY_BF16, {2 * s.k, s.n}, 2);
  const auto out = run_weighted(module_of("matmul", type({s.m, 2 * s.k}, "bf16"),
                                          type({2 * s.k, s.n}, "bf16"), {s.m, s.n}, "f32", has_row),
                                x, w, Tensor(BUDDY_F32, {s.m, s.n}));
  ASSERT_EQ(out.size(), 3u);
  for (int64_t i = 0; i < s.m; i++) {
    for (int64_t j = 0; j < s.n; j++) {
      double sum = has_row ? static_cast<double>(j + 1) : 0;
      for (int64_t k = 0; k < 2 * s.k; k++)
        sum += static_cast<double>(of_bf16(x.as<uint16_t>()[i * 2 * s.k + k])) *
               of_bf16(w.as<uint16_t>()[k * s.n + j]);
      ASSERT_NEAR(out[0].as<float>()[i * s.n + j], sum,
                  1e-5 * std::sqrt(static_cast<double>(s.k)) * (1 + std::abs(sum)))
          << s.m << "x" << s.n << "x" << s.k << " at " << i << ", " << j;
    }
  }
}

TEST(Amx, MultipliesPairs) {
  for (const Shape &s : shapes) multiply_pairs(s, s.n % 2 == 0);
}

// Rows that the cache does not hold at once: sums are stored and taken up again.
TEST(Amx, MultipliesInBlocks) { multiply_pairs({160, 48, 2048}, true); }

struct Image {
  int64_t size, channels, filters, window, step, spread;
};

TEST(Amx, ConvolvesBytes) {
  for (const Image &g : std::vector<Image>{{16, 16, 32, 3, 1, 1},
                                           {9, 64, 40, 3, 1, 1},
                                           {9, 64, 16, 3, 1, 1},
                                           {23, 16, 33, 3, 1, 2},
                                           {35, 32, 20, 3, 2, 1},
                                           {10, 24, 48, 1, 1, 1},
                                           {40, 4, 16, 7, 1, 1}}) {
    const int64_t n = (g.size - (g.window - 1) * g.spread - 1) / g.step + 1;
    const Tensor x = random_bytes({1, g.size, g.size, g.channels}, 1);
    const Tensor w = random_bytes({g.window, g.window, g.channels, g.filters}, 2);
    const std::string op = "conv_2d_nhwc_hwcf {strides = dense<" + std::to_string(g.step) +
                           "> : tensor<2xi64>, dilations = dense<" + std::to_string(g.spread) +
                           "> : tensor<2xi64>}";
    const auto out = run_weighted(module_of(op, type({1, g.size, g.size, g.channels}, "i8"),
                                            type({g.window, g.window, g.channels, g.filters}, "i8"),
                                            {1, n, n, g.filters}, "i32", true),
                                  x, w, Tensor(BUDDY_I32, {1, n, n, g.filters}));
    ASSERT_EQ(out.size(), 3u);
    for (int64_t at = 0; at < n * n * g.filters; at++) {
      const int64_t f = at % g.filters, column = at / g.filters % n, line = at / g.filters / n;
      int32_t sum = static_cast<int32_t>(f + 1);
      for (int64_t k = 0; k < g.window * g.window * g.channels; k++) {
        const int64_t c = k % g.channels, h = k / g.channels / g.window,
                      v = k / g.channels % g.window;
        sum += x.as<int8_t>()[((line * g.step + h * g.spread) * g.size + column * g.step +
                               v * g.spread) *
                                  g.channels +
                              c] *
               w.as<int8_t>()[k * g.filters + f];
      }
      ASSERT_EQ(out[0].as<int32_t>()[at], sum) << g.size << " " << g.window << " at " << at;
    }
  }
}

}  // namespace
