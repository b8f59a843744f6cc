// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the vendor kernels do besides multiplying: what follows a product (bias, addend,
// activation), filters that are scaled, images with their channels innermost, and packed weights
// that a keeper keeps. With the library, and with the plain loops that stand in for it.
#include <gtest/gtest.h>

#include <map>

#include "plugins/vendor/problem.h"
#include "tests/plugins/vendor_tensor.h"

namespace {

class VendorTail : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    Seed();
    bd_vendor_library_enable(GetParam());
  }
  void TearDown() override {
    bd_vendor_library_enable(true);
    buddy_vendor_shutdown();
  }
};

// Limits of bf16 numbers, with rows that do not follow one another.
TEST_P(VendorTail, LimitsBf16) {
  Random random(Seed());
  Tensor a(Type::kBf16, {7, 32}), b(Type::kBf16, {32, 9});
  for (Tensor *t : {&a, &b}) t->Randomise(random);
  Tensor plain(Type::kBf16, {7, 9}), out(Type::kBf16, {7, 9}, {13, 1});
  buddy_vendor_matmul_bf16(a.argument(), b.argument(), a.argument(), a.argument(), plain.argument(),
                           0, 0, 0, 0, 0, 0, nullptr);
  buddy_vendor_matmul_bf16(a.argument(), b.argument(), a.argument(), a.argument(), out.argument(),
                           0, 0, BUDDY_VENDOR_CLAMP, -0.5, 0.75, 0, nullptr);
  ForEach(out.sizes(), [&](const Shape &at) {
    EXPECT_EQ(out.Get(at), std::min(std::max(plain.Get(at), -0.5), 0.75)) << Text(at);
  });
  EXPECT_TRUE(out.IsGuardWhole());
}

double Activate(int64_t activation, double first, double second, double x) {
  const double inner = 0.7978845608028654 * (x + 0.044715 * x * x * x);
  switch (activation) {
    case BUDDY_VENDOR_CLAMP:
      return std::min(std::max(x, first), second);
    case BUDDY_VENDOR_RELU:
      return x < 0 ? first * x : x;
    case BUDDY_VENDOR_ELU:
      return x < 0 ? first * std::expm1(x) : x;
    case BUDDY_VENDOR_SIGMOID:
      return 1 / (1 + std::exp(-x));
    case BUDDY_VENDOR_SILU:
      return x / (1 + std::exp(-x));
    case BUDDY_VENDOR_HARDSWISH:
      return x * std::min(std::max(x + 3, 0.0), 6.0) / 6;
    case BUDDY_VENDOR_GELU_ERF:
      return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
    case BUDDY_VENDOR_GELU_TANH:
      return x * (1 + std::tanh(inner)) / 2;
    case BUDDY_VENDOR_TANH:
      return std::tanh(x);
    default:
      return x;
  }
}

// Memory by slot, as a program has it; how often it was filled.
struct Kept {
  static std::map<int64_t, std::vector<char>> memory;
  static int n_filled;
  static bool is_empty;  // no memory is given

  static void *Get(int64_t slot, int64_t n_bytes, int32_t *out_is_filled) {
    if (is_empty) return nullptr;
    *out_is_filled = memory.count(slot) != 0 ? 1 : 0;
    std::vector<char> &bytes = memory[slot];
    if (bytes.empty()) bytes.resize(static_cast<size_t>(n_bytes) + 64);
    const uintptr_t address = reinterpret_cast<uintptr_t>(bytes.data());
    return bytes.data() + (64 - address % 64) % 64;
  }
  static void Filled(int64_t) { ++n_filled; }
  static const buddy_keeper *Keeper() {
    static const buddy_keeper keeper = {sizeof(keeper), 0, Get, Filled};
    memory.clear();
    n_filled = 0;
    is_empty = false;
    return &keeper;
  }
};
std::map<int64_t, std::vector<char>> Kept::memory;
int Kept::n_filled;
bool Kept::is_empty;

struct Product {
  Tensor a, b, bias, addend;
  Product(Random &random, int64_t m, int64_t n, int64_t k)
      : a(Type::kF32, {m, k}),
        b(Type::kF32, {n, k}),
        bias(Type::kF32, {n}),
        addend(Type::kF32, {m, n}) {
    for (Tensor *t : {&a, &b, &bias, &addend}) t->Randomise(random);
  }
  // Against the definition, with the weight that `like` has.
  void Check(int64_t activation, double first, double second, const Tensor &like,
             const buddy_keeper *keeper = nullptr) const {
    const int64_t m = a.sizes()[0], n = b.sizes()[0], k = a.sizes()[1];
    Tensor out(Type::kF32, {m, n});
    buddy_vendor_matmul_f32(a.argument(), b.argument(), bias.argument(), addend.argument(),
                            out.argument(), 1, BUDDY_VENDOR_HAS_BIAS | BUDDY_VENDOR_HAS_ADDEND,
                            activation, first, second, 3, keeper);
    ForEach(out.sizes(), [&](const Shape &at) {
      double sum = bias.Get({at[1]}) + addend.Get(at);
      for (int64_t i = 0; i < k; ++i) sum += a.Get({at[0], i}) * like.Get({at[1], i});
      const double expected = Activate(activation, first, second, sum);
      EXPECT_NEAR(out.Get(at), expected, 2e-5 * (1 + std::fabs(sum)))
          << "activation " << activation << " at " << Text(at);
    });
    EXPECT_TRUE(out.IsGuardWhole());
  }
};

TEST_P(VendorTail, ActivatesProducts) {
  Random random(Seed());
  const double numbers[BUDDY_VENDOR_N_ACTIVATIONS][2] = {
      {0, 0}, {-0.5, 0.75}, {0.125, 0}, {1.5, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  for (int64_t m : {1, 5}) {                   // a vector goes another way
    for (int64_t k : {23, 400, 1089, 5000}) {  // sums of one run and of several
      const Product p(random, m, 19, k);
      for (int64_t i = 0; i < BUDDY_VENDOR_N_ACTIVATIONS; i += k > 400 ? 3 : 1)
        p.Check(i, numbers[i][0], numbers[i][1], p.b);
    }
  }
}

// A NaN stays one, whatever limits follow.
TEST_P(VendorTail, KeepsNotANumber) {
  Random random(Seed());
  for (Type type : {Type::kF32, Type::kBf16}) {
    const auto call = type == Type::kF32 ? buddy_vendor_matmul_f32 : buddy_vendor_matmul_bf16;
    for (int64_t m : {1, 5, 40}) {
      Tensor a(type, {m, 16}), b(type, {16, 24});
      b.Randomise(random);  // while a is not: NaN everywhere
      for (int64_t i = 0; i < BUDDY_VENDOR_N_ACTIVATIONS; ++i) {
        Tensor out(type, {m, 24});
        std::memset(out.data(), 0, out.n_bytes());
        call(a.argument(), b.argument(), a.argument(), a.argument(), out.argument(), 0, 0, i, 0,
             i == BUDDY_VENDOR_CLAMP ? 6 : 0, 0, nullptr);
        ForEach(out.sizes(), [&](const Shape &at) {
          EXPECT_TRUE(std::isnan(out.Get(at))) << "activation " << i << " at " << Text(at);
        });
      }
    }
  }
}

TEST_P(VendorTail, PacksAWeightOnce) {
  if (!GetParam()) return;  // the loops read it as it is
  Random random(Seed());
  const buddy_keeper *keeper = Kept::Keeper();
  Product p(random, 40, 48, 64);
  Tensor before(Type::kF32, {48, 64});
  std::memcpy(before.data(), p.b.data(), before.n_bytes());
  p.Check(BUDDY_VENDOR_RELU, 0, 0, before, keeper);
  EXPECT_EQ(Kept::n_filled, 1);
  p.b.Randomise(random);  // which nobody may do with a constant: it is not read again
  p.Check(BUDDY_VENDOR_RELU, 0, 0, before, keeper);
  EXPECT_EQ(Kept::n_filled, 1);
}

TEST_P(VendorTail, TakesAPackedWeightForOtherShapes) {
  Random random(Seed());
  const buddy_keeper *keeper = Kept::Keeper();
  Tensor weight(Type::kF32, {48, 64});
  weight.Randomise(random);
  for (int64_t m : {64, 3, 200, 1, 64}) {
    Product p(random, m, 48, 64);
    std::memcpy(p.b.data(), weight.data(), weight.n_bytes());
    p.Check(BUDDY_VENDOR_RELU, 0, 0, weight, keeper);
    EXPECT_LE(Kept::n_filled, 1);
    if (m == 200) buddy_vendor_shutdown();  // numbers of layouts do not come back
  }
}

TEST_P(VendorTail, DoesWithoutMemoryToKeep) {
  Random random(Seed());
  const buddy_keeper *keeper = Kept::Keeper();
  const Product p(random, 40, 48, 64);
  Kept::is_empty = true;
  p.Check(BUDDY_VENDOR_RELU, 0, 0, p.b, keeper);
  EXPECT_EQ(Kept::n_filled, 0);
}

// An image [1, channels, size, size], planes or pixels.
Tensor Image(int64_t channels, int64_t size, bool is_pixels) {
  const Shape sizes = {1, channels, size, size};
  const Shape pixels = {channels * size * size, 1, channels * size, channels};
  return Tensor(Type::kF32, sizes, is_pixels ? pixels : Tensor::Dense(sizes));
}

// 3 by 3 with a frame of 1, or 1 by 1; the filters scaled, an addend, and a leaky relu.
void CheckConvolution(Random &random, int64_t channels, int64_t groups, int64_t window, int way,
                      const buddy_keeper *keeper) {
  const int64_t size = 7, filters = 32, pad = window / 2, per_group = channels / groups;
  Tensor input = Image(channels, size, (way & 1) != 0),
         addend = Image(filters, size, (way & 2) != 0);
  Tensor out = Image(filters, size, (way & 4) != 0);
  Tensor weight(Type::kF32, {filters, per_group, window, window});
  Tensor bias(Type::kF32, {filters}), scale(Type::kF32, {filters});
  for (Tensor *t : {&input, &addend, &weight, &bias, &scale}) t->Randomise(random);
  const int64_t parameters[] = {0, groups, 7, BUDDY_VENDOR_RELU, 1, 1, pad, pad, 1, 1};
  int64_t words[5] = {0, 0, 0, 10, 1};
  const int64_t *numbers = parameters;
  std::memcpy(&words[1], &numbers, sizeof(numbers));
  const buddy_vendor_tensor list = {1, words};
  for (int run = 0; run < 2; ++run) {
    buddy_vendor_convolution_f32(input.argument(), weight.argument(), bias.argument(),
                                 scale.argument(), addend.argument(), &list, out.argument(), 0.25,
                                 0, way, keeper);
    int64_t n = 0;
    ForEach(out.sizes(), [&](const Shape &at) {
      if (channels > 32 && ++n % 11 != 0) return;  // quick, and each place of some filter
      double sum = 0;
      const int64_t group = at[1] / (filters / groups);
      ForEach({per_group, window, window}, [&](const Shape &tap) {
        const int64_t y = at[2] + tap[1] - pad, x = at[3] + tap[2] - pad;
        if (y < 0 || y >= size || x < 0 || x >= size) return;
        sum += input.Get({0, group * per_group + tap[0], y, x}) *
               weight.Get({at[1], tap[0], tap[1], tap[2]});
      });
      sum = sum * scale.Get({at[1]}) + bias.Get({at[1]}) + addend.Get(at);
      EXPECT_NEAR(out.Get(at), sum < 0 ? 0.25 * sum : sum, 1e-4)
          << "way " << way << ", run " << run << " at " << Text(at);
    });
    EXPECT_TRUE(out.IsGuardWhole());
  }
}

TEST_P(VendorTail, ConvolvesWithAllThatFollows) {
  Random random(Seed());
  const buddy_keeper *keeper = Kept::Keeper();
  for (int way = 0; way < 8 && !HasFailure(); ++way) {
    CheckConvolution(random, 16, 1, 3, way, nullptr);
    CheckConvolution(random, 32, 32, 3, way, nullptr);
    CheckConvolution(random, 32, 4, 3, way, nullptr);
    CheckConvolution(random, 16, 1, 1, way, nullptr);
    CheckConvolution(random, 16, 1, 3, way, keeper);
  }
  EXPECT_EQ(Kept::n_filled, GetParam() ? 8 : 0);
}

TEST_P(VendorTail, ConvolvesInRuns) {
  Random random(Seed());
  const buddy_keeper *keeper = Kept::Keeper();
  for (int way = 0; way < 8 && !HasFailure(); ++way) {
    CheckConvolution(random, 65, 1, 3, way, nullptr);
    CheckConvolution(random, 134, 2, 3, way, nullptr);
    CheckConvolution(random, 34, 2, 7, way, nullptr);
    CheckConvolution(random, 600, 1, 1, way, nullptr);
    CheckConvolution(random, 130, 1, 3, way, keeper);
  }
  EXPECT_EQ(Kept::n_filled, GetParam() ? 8 : 0);
}

INSTANTIATE_TEST_SUITE_P(Ways, VendorTail, testing::Bool(),
                         [](const auto &way) { return way.param ? "Library" : "Loops"; });

}  // namespace
