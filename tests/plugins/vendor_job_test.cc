// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems of the vendor kernels that are cut into parts: a host's threads share them, the result
// is right, and has the same bits on any number of threads, with a packed weight and without.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "plugins/vendor/problem.h"
#include "tests/plugins/vendor_tensor.h"

namespace {

// A host with threads: each takes every nth unit, the last ones first.
struct Host {
  static int n_threads;
  static int64_t most_units;

  static void Spread(void (*units)(void *, int64_t, int64_t), void *context, int64_t n_units,
                     int64_t cost) {
    most_units = std::max(most_units, n_units);
    EXPECT_GT(cost, 0);
    std::vector<std::thread> threads;
    for (int id = 0; id < n_threads; ++id) {
      threads.emplace_back([=] {
        for (int64_t i = n_units - 1 - id; i >= 0; i -= n_threads) units(context, i, i + 1);
      });
    }
    for (std::thread &thread : threads) thread.join();
  }
  static void Enter(int n) {
    static const buddy_crew crew = {sizeof(crew), 0, Spread};
    n_threads = n;
    most_units = 0;
    buddy_threads_vendor(n);
    if (n > 0) buddy_crew_vendor(&crew);
  }
};
int Host::n_threads;
int64_t Host::most_units;

// Memory by slot, as a program has it.
std::map<int64_t, std::vector<char>> memory;
void *GetSlot(int64_t slot, int64_t n_bytes, int32_t *out_is_filled) {
  std::vector<char> &bytes = memory[slot];
  *out_is_filled = bytes.empty() ? 0 : 1;
  if (bytes.empty()) bytes.resize(static_cast<size_t>(n_bytes) + 64);
  return bytes.data() + (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) % 64;
}
void Filled(int64_t) {}
constexpr buddy_keeper kKeeper = {sizeof(kKeeper), 0, GetSlot, Filled};

std::vector<char> Bytes(const Tensor &t) {
  const char *data = reinterpret_cast<const char *>(t.data());
  return std::vector<char>(data, data + t.n_bytes());
}

// Calls compute(keeper) for 0 (no host), 1, 2 and 3 threads, without and with a keeper, and returns
// the most units that a host was given; 0: it was not asked. All results with a keeper have the
// same bits, and so have those without.
template <typename Compute>
int64_t ComputeEachWay(Tensor &out, Compute compute) {
  int64_t most = 0;
  for (const buddy_keeper *keeper : {static_cast<const buddy_keeper *>(nullptr), &kKeeper}) {
    std::vector<char> first;
    for (int n : {0, 1, 2, 3, 2}) {
      if (n < 3) memory.clear();  // else packed by the run before
      std::memset(out.data(), 0xFF, out.n_bytes());
      Host::Enter(n);
      compute(keeper);
      most = std::max(most, Host::most_units);
      if (first.empty()) first = Bytes(out);
      EXPECT_EQ(first, Bytes(out)) << n << " threads" << (keeper != nullptr ? ", packed" : "");
    }
  }
  Host::Enter(0);
  return most;
}

class VendorJob : public testing::Test {
 protected:
  void TearDown() override { buddy_vendor_shutdown(); }
};

// a [m, k] by a weight [n, k] or [k, n], bias, relu.
void CheckProduct(Random &random, int64_t m, int64_t n, int64_t k, bool is_transposed,
                  int64_t n_parts) {
  SCOPED_TRACE(Text({m, n, k}));
  Tensor a(Type::kF32, {m, k}), bias(Type::kF32, {n}), out(Type::kF32, {m, n});
  Tensor b(Type::kF32, is_transposed ? Shape{n, k} : Shape{k, n});
  for (Tensor *t : {&a, &b, &bias}) t->Randomise(random);
  const int64_t most = ComputeEachWay(out, [&](const buddy_keeper *keeper) {
    buddy_vendor_matmul_f32(a.argument(), b.argument(), bias.argument(), bias.argument(),
                            out.argument(), is_transposed, BUDDY_VENDOR_HAS_BIAS, BUDDY_VENDOR_RELU,
                            0, 0, 1, keeper);
  });
  EXPECT_EQ(most, n_parts);
  EXPECT_TRUE(out.IsGuardWhole());
  ForEach(out.sizes(), [&](const Shape &at) {
    double sum = bias.Get({at[1]});
    for (int64_t i = 0; i < k; ++i)
      sum += a.Get({at[0], i}) * b.Get(is_transposed ? Shape{at[1], i} : Shape{i, at[1]});
    ASSERT_NEAR(out.Get(at), std::max(sum, 0.0), 1e-4) << Text(at);
  });
}

TEST_F(VendorJob, CutsProducts) {
  Random random(Seed());
  CheckProduct(random, 40, 1000, 48, true, 11);  // columns, the last slice smaller
  CheckProduct(random, 40, 1000, 48, false, 11);
  CheckProduct(random, 300, 200, 180, true, 9);  // columns and rows
  CheckProduct(random, 270, 100, 33, false, 3);  // rows
  CheckProduct(random, 1, 800, 100, true, 9);    // vectors
  CheckProduct(random, 1, 2100, 20, false, 3);
  CheckProduct(random, 40, 400, 1000, true, 3);  // sums, which are no parts
  CheckProduct(random, 5, 200, 1089, false, 0);
  CheckProduct(random, 1, 70, 5000, true, 0);
  CheckProduct(random, 70, 1, 700, false, 0);
  CheckProduct(random, 1, 1100, 700, false, 2);
  CheckProduct(random, 7, 20, 30, true, 0);  // not worth it
}

// What is packed for one number of rows serves others.
TEST_F(VendorJob, SharesSlicesAmongShapes) {
  Random random(Seed());
  Tensor b(Type::kF32, {500, 120});
  b.Randomise(random);
  memory.clear();
  Host::Enter(2);
  for (int64_t m : {64, 3, 200, 1}) {
    Tensor a(Type::kF32, {m, 120}), out(Type::kF32, {m, 500});
    a.Randomise(random);
    buddy_vendor_matmul_f32(a.argument(), b.argument(), a.argument(), a.argument(), out.argument(),
                            1, 0, 0, 0, 0, 1, &kKeeper);
    ForEach(out.sizes(), [&](const Shape &at) {
      double sum = 0;
      for (int64_t i = 0; i < 120; ++i) sum += a.Get({at[0], i}) * b.Get({at[1], i});
      ASSERT_NEAR(out.Get(at), sum, 1e-4) << m << " rows, " << Text(at);
    });
  }
  Host::Enter(0);
}

TEST_F(VendorJob, CutsBatches) {
  Random random(Seed());
  Tensor a(Type::kF32, {2, 12, 64, 32}), out(Type::kF32, {2, 12, 64, 48});
  // [2, 12, 32, 48], as a transpose of heads leaves it
  Tensor b(Type::kF32, {2, 12, 32, 48}, {48 * 12 * 32, 32, 1, 12 * 32});
  a.Randomise(random);
  b.Randomise(random);
  const int64_t most = ComputeEachWay(out, [&](const buddy_keeper *keeper) {
    buddy_vendor_matmul_f32(a.argument(), b.argument(), a.argument(), a.argument(), out.argument(),
                            0, 0, 0, 0, 0, 1, keeper);
  });
  EXPECT_GE(most, 4);
  ForEach(out.sizes(), [&](const Shape &at) {
    double sum = 0;
    for (int64_t i = 0; i < 32; ++i)
      sum += a.Get({at[0], at[1], at[2], i}) * b.Get({at[0], at[1], i, at[3]});
    ASSERT_NEAR(out.Get(at), sum, 1e-4) << Text(at);
  });
}

struct Window {
  int64_t batch, in, out, groups, size, kernel, stride, padding, dilation;
};

// Images with their channels innermost, or planes; scale, bias, an addend, and a relu. n_parts below
// 0: however many there are.
void CheckConvolution(Random &random, const Window &w, bool is_pixels, int64_t n_parts) {
  SCOPED_TRACE(Text({w.batch, w.in, w.out, w.groups, w.size, w.kernel, w.stride, w.padding}));
  const int64_t result = (w.size + 2 * w.padding - (w.kernel - 1) * w.dilation - 1) / w.stride + 1;
  const auto image = [&](int64_t channels, int64_t size) {
    const Shape sizes = {w.batch, channels, size, size};
    const Shape pixels = {channels * size * size, 1, channels * size, channels};
    return Tensor(Type::kF32, sizes, is_pixels ? pixels : Tensor::Dense(sizes));
  };
  Tensor input = image(w.in, w.size), out = image(w.out, result), addend = image(w.out, result);
  Tensor weight(Type::kF32, {w.out, w.in / w.groups, w.kernel, w.kernel});
  Tensor bias(Type::kF32, {w.out}), scale(Type::kF32, {w.out});
  for (Tensor *t : {&input, &weight, &bias, &scale, &addend}) t->Randomise(random);
  const int64_t present = is_pixels ? 7 : BUDDY_VENDOR_HAS_BIAS;
  const int64_t parameters[] = {0,        w.groups,  present,   BUDDY_VENDOR_RELU, w.stride,
                                w.stride, w.padding, w.padding, w.dilation,        w.dilation};
  int64_t words[5] = {0, 0, 0, 10, 1};
  const int64_t *numbers = parameters;
  std::memcpy(&words[1], &numbers, sizeof(numbers));
  const buddy_vendor_tensor list = {1, words};
  const int64_t most = ComputeEachWay(out, [&](const buddy_keeper *keeper) {
    buddy_vendor_convolution_f32(input.argument(), weight.argument(), bias.argument(),
                                 scale.argument(), addend.argument(), &list, out.argument(), 0, 0,
                                 2, keeper);
  });
  if (n_parts >= 0) {
    EXPECT_EQ(most, n_parts);
  }
  EXPECT_TRUE(out.IsGuardWhole());
  const int64_t inputs = w.in / w.groups, filters = w.out / w.groups;
  int64_t n = 0;
  ForEach(out.sizes(), [&](const Shape &at) {
    if (++n % 7 != 0) return;  // enough to see all parts, and quick
    double sum = 0;
    for (int64_t dy = 0; dy < w.kernel; ++dy) {
      for (int64_t dx = 0; dx < w.kernel; ++dx) {
        const int64_t y = at[2] * w.stride - w.padding + dy * w.dilation;
        const int64_t x = at[3] * w.stride - w.padding + dx * w.dilation;
        if (y < 0 || y >= w.size || x < 0 || x >= w.size) continue;
        for (int64_t i = 0; i < inputs; ++i)
          sum += input.Get({at[0], at[1] / filters * inputs + i, y, x}) *
                 weight.Get({at[1], i, dy, dx});
      }
    }
    if (is_pixels) sum = sum * scale.Get({at[1]}) + addend.Get(at);
    ASSERT_NEAR(out.Get(at), std::max(sum + bias.Get({at[1]}), 0.0), 1e-3) << Text(at);
  });
}

TEST_F(VendorJob, CutsConvolutions) {
  Random random(Seed());
  for (bool is_pixels : {true, false}) {
    CheckConvolution(random, {1, 32, 48, 1, 40, 3, 1, 1, 1}, is_pixels, 5);   // rows
    CheckConvolution(random, {1, 16, 64, 1, 60, 5, 2, 4, 2}, is_pixels, 5);   // and gaps
    CheckConvolution(random, {1, 256, 130, 1, 6, 3, 1, 1, 1}, is_pixels, 3);  // filters
    CheckConvolution(random, {5, 24, 40, 1, 16, 3, 1, 1, 1}, is_pixels, 3);   // images
    CheckConvolution(random, {1, 64, 64, 64, 70, 3, 1, 1, 1}, is_pixels, 0);  // channel by channel
    CheckConvolution(random, {1, 600, 500, 1, 5, 1, 1, 0, 1}, is_pixels, 2);
    CheckConvolution(random, {2, 300, 90, 3, 9, 3, 1, 1, 1}, is_pixels, 6);  // groups
  }
}

// The last part has fewer rows: what was packed for the others may suit none of the library's fast
// implementations there.
TEST_F(VendorJob, LeavesNothingToPlainLoops) {
  Random random(Seed());
  const auto set_verbose = reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "dnnl_set_verbose"));
  ASSERT_NE(set_verbose, nullptr);
  set_verbose(1);
  testing::internal::CaptureStdout();
  for (int64_t size : {7, 13, 14, 19}) {
    CheckConvolution(random, {1, 544, 128, 1, size, 1, 1, 0, 1}, true, -1);
    CheckConvolution(random, {1, 160, 96, 1, size, 3, 1, 1, 1}, true, -1);
  }
  const std::string told = testing::internal::GetCapturedStdout();
  set_verbose(0);
  EXPECT_NE(told.find("convolution"), std::string::npos) << told;
  const size_t at = told.find(",ref");
  EXPECT_EQ(at, std::string::npos) << told.substr(at, 300);
}

// Frames that parts do not reach beyond, of every width up to one that the whole window lies in: the
// library's convolutions end at widths that depend on the processor, and one forgets the addend.
TEST_F(VendorJob, ConvolvesInWideFrames) {
  Random random(Seed());
  for (int64_t padding : {1, 3, 4, 6, 9, 20}) {
    for (int64_t dilation : {1, 2})
      for (int64_t channels : {24, 72})
        CheckConvolution(random, {1, channels, 40, 1, 9, 5, 1 + padding % 2, padding, dilation},
                         true, -1);
  }
}

}  // namespace
