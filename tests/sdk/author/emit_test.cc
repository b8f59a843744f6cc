// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The helpers of buddy/emit.h, run: what they build must give the right numbers, also for symbolic
// sizes.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "buddy/compile.h"
#include "tests/sdk/graph_fixture.h"

namespace {

using Dims = std::vector<int64_t>;

class Emit : public GraphTest {
 protected:
  void SetUp() override { Load({AUTHORTEST_REGISTRY}, "authortest"); }

  int64_t Symbol(const char *name) {
    int64_t dim = 0;
    EXPECT_EQ(buddy_graph_add_symbol(graph, name, 0, INT64_MAX, &dim), BUDDY_OK);
    return dim;
  }

  int64_t Times(int64_t a, int64_t b) {
    int64_t dim = 0;
    EXPECT_EQ(buddy_graph_dim(graph, BUDDY_DIM_MUL, a, b, &dim), BUDDY_OK);
    return dim;
  }

  void Compile() {
    ASSERT_EQ(Run(), BUDDY_OK) << Said();
    const std::string text = Text();
    const buddy_code code = buddy_compile(module, registries, nullptr, diags, &program);
    module = nullptr; /* taken over */
    ASSERT_EQ(code, BUDDY_OK) << Said() << text;
  }

  /* One input, one output. */
  template <typename In, typename Out>
  std::vector<Out> Call(const std::vector<In> &data, const Dims &dims, buddy_dtype dtype,
                        Dims *out_dims = nullptr) {
    buddy_tensor in = {}, out = {};
    EXPECT_EQ(buddy_tensor_create(dtype, static_cast<uint32_t>(dims.size()), dims.data(), &in),
              BUDDY_OK);
    if (!data.empty()) memcpy(in.bytes, data.data(), data.size() * sizeof(In));
    EXPECT_EQ(buddy_program_run(program, &in, 1, &out, 1, diags), BUDDY_OK) << Said();
    std::vector<Out> result(static_cast<size_t>(buddy_tensor_n_elements(&out)));
    if (!result.empty() && out.bytes != nullptr)
      memcpy(result.data(), out.bytes, result.size() * sizeof(Out));
    if (out_dims != nullptr) out_dims->assign(out.sizes, out.sizes + out.rank);
    buddy_tensor_release(&in);
    buddy_tensor_release(&out);
    return result;
  }

  void TearDown() override {
    buddy_program_destroy(program);
    GraphTest::TearDown();
  }

  buddy_program *program = nullptr;
};

std::vector<float> Counting(const Dims &dims) {
  std::vector<float> data(static_cast<size_t>(
      std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>())));
  std::iota(data.begin(), data.end(), 0.0f);
  return data;
}

// ---- Reshape ------------------------------------------------------------------------------------

class StaticReshape : public Emit, public testing::WithParamInterface<std::pair<Dims, Dims>> {};

TEST_P(StaticReshape, KeepsTheOrder) {
  const auto &[from, to] = GetParam();
  Output(Node("authortest.reshape.default", Input(from), to));
  Compile();
  Dims out;
  EXPECT_EQ((Call<float, float>(Counting(from), from, BUDDY_F32, &out)), Counting(from));
  EXPECT_EQ(out, to);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, StaticReshape,
    testing::Values(std::pair(Dims{2, 3, 4}, Dims{6, 4}), std::pair(Dims{6, 4}, Dims{2, 3, 4}),
                    std::pair(Dims{6, 2}, Dims{4, 3}), std::pair(Dims{}, Dims{1, 1}),
                    std::pair(Dims{1, 1}, Dims{}), std::pair(Dims{1, 5, 1}, Dims{5}),
                    std::pair(Dims{5}, Dims{1, 1, 5, 1}), std::pair(Dims{0, 3}, Dims{3, 0, 2}),
                    std::pair(Dims{2, 6, 5}, Dims{3, 4, 5}), std::pair(Dims{1, 1}, Dims{1}),
                    std::pair(Dims{}, Dims{}), std::pair(Dims{4, 1, 3}, Dims{2, 1, 2, 3})));

TEST_F(Emit, ReshapesSymbolicGroups) {
  const int64_t s0 = Symbol("s0"), s1 = Symbol("s1");
  Output(Node("authortest.reshape.default", Input({s0, 4, s1}), {s0, 2, 2, s1}));
  Compile();
  Dims out;
  EXPECT_EQ((Call<float, float>(Counting({3, 4, 5}), {3, 4, 5}, BUDDY_F32, &out)),
            Counting({3, 4, 5}));
  EXPECT_EQ(out, (Dims{3, 2, 2, 5}));
}

TEST_F(Emit, ReshapesSymbolsTogetherAndApart) {
  const int64_t s0 = Symbol("s0"), s1 = Symbol("s1");
  const buddy_value *flat =
      Node("authortest.reshape.default", Input({s0, s1, 6}), {Times(s0, s1), 6});
  const buddy_value *apart = Node("authortest.reshape.default", flat, {s0, s1, 2, 3});
  Output(Node("authortest.reshape.default", apart, {Times(s1, 3), Times(s0, 2)}));
  Compile();
  Dims out;
  EXPECT_EQ((Call<float, float>(Counting({2, 5, 6}), {2, 5, 6}, BUDDY_F32, &out)),
            Counting({2, 5, 6}));
  EXPECT_EQ(out, (Dims{15, 4}));
}

TEST_F(Emit, ReshapesEmptyTensorsOfSymbolicSize) {
  const int64_t s0 = Symbol("s0");
  Output(Node("authortest.reshape.default", Input({s0, 6}), {s0, 2, 3}));
  Compile();
  Dims out;
  Call<float, float>({}, {0, 6}, BUDDY_F32, &out);
  EXPECT_EQ(out, (Dims{0, 2, 3}));
}

// ---- Broadcast, transpose, loops ----------------------------------------------------------------

TEST_F(Emit, Broadcasts) {
  const int64_t s0 = Symbol("s0");
  Output(Node("authortest.broadcast.default", Input({1, s0}), {2, 3, s0}));
  Compile();
  const std::vector<float> out = Call<float, float>({7, 8}, {1, 2}, BUDDY_F32);
  EXPECT_EQ(out, (std::vector<float>{7, 8, 7, 8, 7, 8, 7, 8, 7, 8, 7, 8}));
}

TEST_F(Emit, DeclinesWhatDoesNotBroadcast) {
  Output(Node("authortest.broadcast.default", Input({3}), {2}));
  EXPECT_NE(Run(), BUDDY_OK);
  EXPECT_NE(Said().find("does not broadcast"), std::string::npos) << Said();
}

TEST_F(Emit, Transposes) {
  const int64_t s0 = Symbol("s0");
  Output(Node("authortest.transpose.default", Input({s0, 3}), {3, s0}));
  Compile();
  EXPECT_EQ((Call<float, float>({1, 2, 3, 4, 5, 6}, {2, 3}, BUDDY_F32)),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST_F(Emit, Reduces) {
  const int64_t s0 = Symbol("s0");
  Output(Node("authortest.sum.default", Input({2, s0}), {2}));
  Compile();
  EXPECT_EQ((Call<float, float>({1, 2, 3, 4, 5, 6}, {2, 3}, BUDDY_F32)),
            (std::vector<float>{6, 15}));
}

TEST_F(Emit, KnowsLoopsAndDimsInsideBodies) {
  const int64_t s0 = Symbol("s0");
  Output(Node("authortest.flat_index.default", Input({s0, 3}), {s0, 3}, BUDDY_I64));
  Compile();
  EXPECT_EQ((Call<float, int64_t>(Counting({2, 3}), {2, 3}, BUDDY_F32)),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
}

// ---- Constants ----------------------------------------------------------------------------------

TEST_F(Emit, FillsLargeSmallAndEmpty) {
  const buddy_value *input = Input({1});
  Output(Node("authortest.splat.default", input, {2, 2}));
  Output(Node("authortest.splat.default", input, {4096}));
  Output(Node("authortest.splat.default", input, {0, 4}));
  Output(Node("authortest.splat.default", input, {2}, BUDDY_I8));
  Output(Node("authortest.splat.default", input, {2}, BUDDY_BOOL));
  Output(Node("authortest.splat.default", input, {2}, BUDDY_C64));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  const std::string text = Text();
  EXPECT_NE(text.find("dense<3.000000e+00> : tensor<2x2xf32>"), std::string::npos) << text;
  EXPECT_NE(text.find("linalg.fill"), std::string::npos) << text;
  EXPECT_EQ(text.find("dense<3.000000e+00> : tensor<4096xf32>"), std::string::npos) << text;
  EXPECT_NE(text.find("tensor.empty() : tensor<0x4xf32>"), std::string::npos) << text;
  EXPECT_NE(text.find("dense<3> : tensor<2xi8>"), std::string::npos) << text;
  EXPECT_NE(text.find("dense<true> : tensor<2xi1>"), std::string::npos) << text;
  EXPECT_NE(text.find("dense<(3.000000e+00,0.000000e+00)> : tensor<2xcomplex<f32>>"),
            std::string::npos)
      << text;
}

// ---- Conversion ---------------------------------------------------------------------------------
// Expected numbers are those of torch.tensor(values).to(dtype) in PyTorch 2.13 on x86-64.

class Conversion : public Emit {
 protected:
  template <typename In, typename Out>
  void Expect(buddy_dtype from, buddy_dtype to, const std::vector<In> &values,
              const std::vector<Out> &expected) {
    const Dims dims = {static_cast<int64_t>(values.size())};
    Output(Node("authortest.convert.default", Input(dims, from), dims, to));
    Compile();
    EXPECT_EQ((Call<In, Out>(values, dims, from)), expected);
  }
};

const float kNan = std::numeric_limits<float>::quiet_NaN(),
            kInf = std::numeric_limits<float>::infinity();

TEST_F(Conversion, FloatToI8) {
  Expect<float, int8_t>(BUDDY_F32, BUDDY_I8, {3e9f, -1.5f, 300.7f, 1e20f, kNan, -3e9f, kInf},
                        {0, -1, 44, 0, 0, 0, 0});
}
TEST_F(Conversion, FloatToU8) {
  Expect<float, uint8_t>(BUDDY_F32, BUDDY_U8, {-1.5f, 300.7f, 1e20f, 255.9f}, {255, 44, 0, 255});
}
TEST_F(Conversion, FloatToI16) {
  Expect<float, int16_t>(BUDDY_F32, BUDDY_I16, {-1.5f, 70000.2f, kNan}, {-1, 4464, 0});
}
TEST_F(Conversion, FloatToI32) {
  const int32_t low = std::numeric_limits<int32_t>::min();
  Expect<float, int32_t>(BUDDY_F32, BUDDY_I32, {3e9f, -1.5f, 300.7f, kNan, -kInf},
                         {low, -1, 300, low, low});
}
TEST_F(Conversion, DoubleToI64) {
  const int64_t low = std::numeric_limits<int64_t>::min();
  Expect<double, int64_t>(BUDDY_F64, BUDDY_I64, {3e9, -1.5, 1e20, double{kNan}},
                          {3000000000, -1, low, low});
}
TEST_F(Conversion, DoubleToU32) {
  Expect<double, uint32_t>(BUDDY_F64, BUDDY_U32, {3e9, -1.5, 300.7},
                           {3000000000u, 4294967295u, 300});
}
TEST_F(Conversion, DoubleToU64) {
  Expect<double, uint64_t>(
      BUDDY_F64, BUDDY_U64, {3e9, -1.5, 1e19},
      {3000000000u, std::numeric_limits<uint64_t>::max(), 10000000000000000000u});
}
TEST_F(Conversion, FloatToBool) {
  Expect<float, uint8_t>(BUDDY_F32, BUDDY_BOOL, {0.0f, -0.0f, 0.25f, kNan, -3.0f}, {0, 0, 1, 1, 1});
}
TEST_F(Conversion, U8ToFloat) {
  Expect<uint8_t, float>(BUDDY_U8, BUDDY_F32, {0, 200, 255}, {0, 200, 255});
}
TEST_F(Conversion, I8ToI64) { Expect<int8_t, int64_t>(BUDDY_I8, BUDDY_I64, {-1, 127}, {-1, 127}); }
TEST_F(Conversion, U8ToI64) {
  Expect<uint8_t, int64_t>(BUDDY_U8, BUDDY_I64, {255, 127}, {255, 127});
}
TEST_F(Conversion, BoolToFloat) { Expect<uint8_t, float>(BUDDY_BOOL, BUDDY_F32, {0, 1}, {0, 1}); }
TEST_F(Conversion, I64ToI8) {
  Expect<int64_t, int8_t>(BUDDY_I64, BUDDY_I8, {300, -129, 5}, {44, 127, 5});
}
TEST_F(Conversion, I64ToBool) {
  Expect<int64_t, uint8_t>(BUDDY_I64, BUDDY_BOOL, {0, 256, -1}, {0, 1, 1});
}
TEST_F(Conversion, DoubleToHalfByWayOfFloat) {
  /* 1 + 2^-11 + 2^-40 is above the middle of two halves, but rounds to the middle as a float, then
   * to even. */
  Expect<double, uint16_t>(BUDDY_F64, BUDDY_F16, {1.0 + 0x1p-11 + 0x1p-40, 65520.0, 0.5},
                           {0x3c00, 0x7c00, 0x3800});
}
TEST_F(Conversion, FloatToBfloat) {
  Expect<float, uint16_t>(BUDDY_F32, BUDDY_BF16, {1.0f, -2.5f, 3.1415927f},
                          {0x3f80, 0xc020, 0x4049});
}
TEST_F(Conversion, BfloatToHalf) {
  Expect<uint16_t, uint16_t>(BUDDY_BF16, BUDDY_F16, {0x3f80, 0xc020}, {0x3c00, 0xc100});
}
TEST_F(Conversion, FloatToComplex) {
  using Pair = std::array<float, 2>;
  Expect<float, Pair>(BUDDY_F32, BUDDY_C64, {1.5f, -2.0f}, {Pair{1.5f, 0.0f}, Pair{-2.0f, 0.0f}});
}
TEST_F(Conversion, ComplexToBool) {
  using Pair = std::array<float, 2>;
  Expect<Pair, uint8_t>(BUDDY_C64, BUDDY_BOOL,
                        {Pair{0.0f, 0.0f}, Pair{0.0f, 1.0f}, Pair{2.0f, 0.0f}}, {0, 1, 1});
}

// ---- 8-bit floats -------------------------------------------------------------------------------

struct Format8 {
  const char *name;
  buddy_dtype dtype;
  int mantissa, bias;
  bool is_nuz, has_infinity;
};

/* The number that a code stands for, by the definition of the format. */
float Decode(const Format8 &f, int code) {
  const int magnitude = code & 0x7f, exponent = magnitude >> f.mantissa;
  const float fraction = static_cast<float>(magnitude & ((1 << f.mantissa) - 1));
  const float sign = code & 0x80 ? -1.0f : 1.0f;
  if (f.is_nuz ? code == 0x80 : !f.has_infinity ? magnitude == 0x7f : magnitude > 0x7c) return kNan;
  if (f.has_infinity && magnitude == 0x7c) return sign * kInf;
  const float unit = std::ldexp(fraction, -f.mantissa);
  return sign * (exponent == 0 ? std::ldexp(unit, 1 - f.bias)
                               : std::ldexp(1.0f + unit, exponent - f.bias));
}

class Float8 : public Emit, public testing::WithParamInterface<Format8> {};

TEST_P(Float8, ReadsEveryCode) {
  const Format8 &f = GetParam();
  std::vector<uint8_t> codes(256);
  std::iota(codes.begin(), codes.end(), uint8_t{0});
  Output(Node("authortest.convert.default", Input({256}, f.dtype), {256}, BUDDY_F32));
  Compile();
  const std::vector<float> numbers = Call<uint8_t, float>(codes, {256}, f.dtype);
  for (int code = 0; code < 256; code++) {
    const float expected = Decode(f, code), number = numbers[static_cast<size_t>(code)];
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(number)) << code;
    } else {
      EXPECT_EQ(number, expected) << code;
      EXPECT_EQ(std::signbit(number), std::signbit(expected)) << code;
    }
  }
}

/* Every number comes back; what lies between two goes to the nearer one, or to the even code. */
TEST_P(Float8, WritesTheNearest) {
  const Format8 &f = GetParam();
  std::vector<float> numbers;
  std::vector<uint8_t> expected;
  for (int code = 0; code < 0x7f; code++) {
    const float low = Decode(f, code), high = Decode(f, code + 1);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    for (const float sign : {1.0f, -1.0f}) {
      const int bit = sign < 0 ? 0x80 : 0;
      const auto add = [&](float number, int magnitude) {
        numbers.push_back(sign * number);
        expected.push_back(static_cast<uint8_t>(f.is_nuz && magnitude == 0 ? 0 : magnitude | bit));
      };
      add(low, code);
      add(std::nextafter((low + high) / 2, low), code);
      add((low + high) / 2, code % 2 == 0 ? code : code + 1);
      add(std::nextafter((low + high) / 2, high), code + 1);
    }
  }
  const uint8_t beyond = f.is_nuz ? 0x80 : f.has_infinity ? 0x7c : 0x7e;
  numbers.insert(numbers.end(), {1e9f, kInf, kNan});
  expected.insert(expected.end(), {beyond, beyond, static_cast<uint8_t>(f.is_nuz ? 0x80 : 0x7f)});
  const Dims dims = {static_cast<int64_t>(numbers.size())};
  Output(Node("authortest.convert.default", Input(dims), dims, f.dtype));
  Compile();
  const std::vector<uint8_t> codes = Call<float, uint8_t>(numbers, dims, BUDDY_F32);
  for (size_t i = 0; i < numbers.size(); i++) EXPECT_EQ(codes[i], expected[i]) << numbers[i];
}

INSTANTIATE_TEST_SUITE_P(Formats, Float8,
                         testing::Values(Format8{"e4m3fn", BUDDY_F8E4M3FN, 3, 7, false, false},
                                         Format8{"e5m2", BUDDY_F8E5M2, 2, 15, false, true},
                                         Format8{"e4m3fnuz", BUDDY_F8E4M3FNUZ, 3, 8, true, false},
                                         Format8{"e5m2fnuz", BUDDY_F8E5M2FNUZ, 2, 16, true, false}),
                         [](const auto &format) { return std::string(format.param.name); });

/* Exponents alone: every code is a power of two, which comes back from it, from its negative, and from
 * what is nearer to it than to its neighbours; the middle is the larger one's, and so is all that lies
 * between the least two. */
TEST_F(Emit, ExponentsAreReadAndWritten) {
  std::vector<float> numbers = {0.0f, -0.0f, 1e-45f, 3e38f, kInf, -kInf, kNan};
  std::vector<uint8_t> codes(256), expected = {0, 0, 0, 255, 255, 255, 255};
  std::iota(codes.begin(), codes.end(), uint8_t{0});
  const auto add = [&](float number, int code) {
    numbers.insert(numbers.end(), {number, -number});
    expected.insert(expected.end(), 2, static_cast<uint8_t>(code));
  };
  for (int code = 0; code < 255; code++) {
    const float power = std::ldexp(1.0f, code - 127);
    const float middle = code == 0 ? std::nextafter(power, kInf) : power * 1.5f;
    add(power, code);
    add(std::nextafter(middle, 0.0f), code);
    add(middle, code + 1);
    add(std::nextafter(middle, kInf), code + 1);
  }
  const Dims dims = {static_cast<int64_t>(numbers.size())};
  Output(Node("authortest.convert.default", Input(dims), dims, BUDDY_F8E8M0FNU));
  Compile();
  const std::vector<uint8_t> made = Call<float, uint8_t>(numbers, dims, BUDDY_F32);
  for (size_t i = 0; i < numbers.size(); i++) EXPECT_EQ(made[i], expected[i]) << numbers[i];
}

TEST_F(Emit, ExponentsAreNumbers) {
  std::vector<uint8_t> codes(256);
  std::iota(codes.begin(), codes.end(), uint8_t{0});
  Output(Node("authortest.convert.default", Input({256}, BUDDY_F8E8M0FNU), {256}, BUDDY_F32));
  Compile();
  const std::vector<float> numbers = Call<uint8_t, float>(codes, {256}, BUDDY_F8E8M0FNU);
  for (int code = 0; code < 255; code++)
    EXPECT_EQ(numbers[static_cast<size_t>(code)], std::ldexp(1.0f, code - 127));
  EXPECT_TRUE(std::isnan(numbers[255]));
}

}  // namespace
