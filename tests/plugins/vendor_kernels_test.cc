// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor kernels against naive loops of their own in double precision: listed shapes, random
// ones (the seed is printed; BUDDY_TEST_SEED sets it), both with the library and with the plain
// loops that stand in for it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <tuple>

#include "plugins/vendor/problem.h"
#include "tests/plugins/vendor_tensor.h"

namespace {

// |magnitude| bounds the sum of the absolute values of what was added up.
void ExpectNear(const Tensor &out, const Shape &index, double expected, double magnitude) {
  const double tolerance = out.type() == Type::kF32
                               ? 1e-5 * (1 + magnitude)
                               : std::fabs(expected) / 128 + 1e-5 * (1 + magnitude);
  const double actual = out.Get(index);
  if (std::fabs(actual - expected) <= tolerance) return;
  ADD_FAILURE() << "at " << Text(index) << ": " << actual << ", expected " << expected;
}

// The kernels run with and without the library; the parameter says which.
class VendorKernels : public testing::TestWithParam<std::tuple<bool, Type>> {
 protected:
  void SetUp() override {
    Seed();
    bd_vendor_library_enable(std::get<0>(GetParam()));
  }
  void TearDown() override {
    bd_vendor_library_enable(true);
    buddy_vendor_shutdown();
  }
  Type type() const { return std::get<1>(GetParam()); }
};

Shape ProductShape(const Shape &a, const Shape &b) {
  const size_t batch_a = a.size() > 2 ? a.size() - 2 : 0;
  const size_t batch_b = b.size() > 2 ? b.size() - 2 : 0;
  Shape out(std::max(batch_a, batch_b), 1);
  for (size_t i = 0; i < batch_a; ++i) out[out.size() - batch_a + i] = a[i];
  for (size_t i = 0; i < batch_b; ++i) {
    int64_t &size = out[out.size() - batch_b + i];
    if (size == 1) size = b[i];
  }
  if (a.size() > 1) out.push_back(a[a.size() - 2]);
  if (b.size() > 1) out.push_back(b.back());
  return out;
}

void Multiply(const buddy_vendor_tensor *a, const buddy_vendor_tensor *b,
              const buddy_vendor_tensor *out, int64_t is_transposed) {
  buddy_vendor_matmul_f32(a, b, b, b, out, is_transposed, 0, BUDDY_VENDOR_NO_ACTIVATION, 0, 0, 0,
                          nullptr);
}

void CallMatmul(Type type, const Tensor &a, const buddy_vendor_tensor *b, const Tensor *bias,
                const Tensor &out, bool is_transposed) {
  const bool is_f32 = type == Type::kF32;
  const int64_t flag = is_transposed ? 1 : 0;
  const int64_t present = bias != nullptr ? BUDDY_VENDOR_HAS_BIAS : 0;
  (is_f32 ? buddy_vendor_matmul_f32 : buddy_vendor_matmul_bf16)(
      a.argument(), b, bias != nullptr ? bias->argument() : b, b, out.argument(), flag, present,
      BUDDY_VENDOR_NO_ACTIVATION, 0, 0, 0, nullptr);
}

// The same matrix, told as the transpose of its transpose.
void CallMatmulTransposed(const Tensor &a, const Tensor &b, const Tensor *bias, const Tensor &out) {
  int64_t words[7];
  std::memcpy(words, b.argument()->descriptor, sizeof(words));
  std::swap(words[3], words[4]);
  std::swap(words[5], words[6]);
  const buddy_vendor_tensor turned = {2, words};
  CallMatmul(a.type(), a, &turned, bias, out, true);
}

void CheckMatmul(const Tensor &a, const Tensor &b, const Tensor *bias) {
  const Shape shape = ProductShape(a.sizes(), b.sizes());
  SCOPED_TRACE("a " + Text(a.sizes()) + " by " + Text(a.strides()) + ", b " + Text(b.sizes()) +
               " by " + Text(b.strides()) + ", bias " +
               (bias != nullptr ? Text(bias->sizes()) : std::string("none")));
  Tensor out(a.type(), shape);
  // Of matrices, every other one goes over as its transpose.
  static int n_matrices = 0;
  if (b.sizes().size() == 2 && ++n_matrices % 2 == 0) {
    CallMatmulTransposed(a, b, bias, out);
  } else {
    CallMatmul(a.type(), a, b.argument(), bias, out, false);
  }
  const bool has_row = a.sizes().size() > 1;
  const bool has_column = b.sizes().size() > 1;
  const int64_t k_size = a.sizes().back();
  ForEach(shape, [&](const Shape &index) {
    Shape left(index), right(index);
    int64_t row = 0, column = 0;
    if (has_column) {
      column = index.back();
      left.pop_back();
      right.pop_back();
    }
    if (has_row) {
      row = left.back();
      left.pop_back();
      right.pop_back();
    }
    if (has_row) left.push_back(row);
    left.push_back(0);
    right.push_back(0);
    if (has_column) right.push_back(column);
    double sum = 0, magnitude = 0;
    for (int64_t k = 0; k < k_size; ++k) {
      left.back() = k;
      right[right.size() - (has_column ? 2 : 1)] = k;
      const double term = a.GetBroadcast(left) * b.GetBroadcast(right);
      sum += term;
      magnitude += std::fabs(term);
    }
    if (bias != nullptr) sum += bias->GetBroadcast(index);
    ExpectNear(out, index, sum, magnitude);
  });
  EXPECT_TRUE(out.IsGuardWhole());
}

void CheckMatmulDense(Type type, Random &random, const Shape &a, const Shape &b,
                      const Shape *bias = nullptr) {
  Tensor left(type, a), right(type, b);
  left.Randomise(random);
  right.Randomise(random);
  Tensor addend(type, bias != nullptr ? *bias : Shape{});
  addend.Randomise(random);
  CheckMatmul(left, right, bias != nullptr ? &addend : nullptr);
}

TEST_P(VendorKernels, MultipliesListedShapes) {
  Random random(Seed());
  const struct {
    Shape a, b;
  } cases[] = {{{1, 1}, {1, 1}},
               {{3, 5}, {5, 7}},
               {{64, 48}, {48, 33}},
               {{1, 768}, {768, 65}},
               {{65, 300}, {300, 1}},
               {{7}, {7}},
               {{7}, {7, 5}},
               {{5, 7}, {7}},
               {{4, 5, 7}, {7}},
               {{7}, {4, 7, 5}},
               {{4, 5, 7}, {7, 3}},
               {{5, 7}, {4, 7, 3}},
               {{4, 5, 7}, {4, 7, 3}},
               {{4, 1, 7}, {4, 7, 3}},
               {{2, 3, 5, 7}, {2, 3, 7, 4}},
               {{2, 1, 5, 7}, {3, 7, 4}},
               {{2, 3, 5, 7}, {1, 1, 7, 4}},
               {{2, 3, 5, 7}, {2, 1, 7, 4}},
               {{1, 3, 1, 5, 7}, {2, 1, 2, 7, 4}},
               {{0, 5}, {5, 3}},
               {{5, 0}, {0, 3}},
               {{0}, {0}},
               {{5, 3}, {3, 0}},
               {{0, 5, 7}, {7, 3}},
               {{2, 5, 0}, {2, 0, 3}}};
  for (const auto &one : cases) {
    CheckMatmulDense(type(), random, one.a, one.b);
    const Shape out = ProductShape(one.a, one.b);
    CheckMatmulDense(type(), random, one.a, one.b, &out);
    const Shape scalar;
    CheckMatmulDense(type(), random, one.a, one.b, &scalar);
    if (out.empty()) continue;
    const Shape row = {out.back()};
    CheckMatmulDense(type(), random, one.a, one.b, &row);
    Shape column(out);
    column.back() = 1;
    CheckMatmulDense(type(), random, one.a, one.b, &column);
  }
}

// Large enough for the way that is taken for large products.
TEST_P(VendorKernels, MultipliesLargeMatrices) {
  Random random(Seed());
  const Shape bias = {256};
  CheckMatmulDense(type(), random, {256, 256}, {256, 256}, &bias);
}

// The weight of nn.Linear: stored [N, K], read as [K, N].
TEST_P(VendorKernels, MultipliesByTransposedWeight) {
  Random random(Seed());
  for (int64_t m : {1, 2, 17, 128}) {
    Tensor a(type(), {2, m, 96}), b(type(), {96, 40}, {1, 96}), bias(type(), {40});
    a.Randomise(random);
    b.Randomise(random);
    bias.Randomise(random);
    CheckMatmul(a, b, nullptr);
    CheckMatmul(a, b, &bias);
  }
}

// The heads of an attention: views of [B, T, H, D].
TEST_P(VendorKernels, MultipliesAttentionHeads) {
  Random random(Seed());
  for (int64_t t : {1, 9, 33}) {
    const int64_t b = 2, h = 3, d = 16;
    Tensor q(type(), {b, h, t, d}, {t * h * d, d, h * d, 1});
    Tensor k(type(), {b, h, d, t}, {t * h * d, d, 1, h * d});
    q.Randomise(random);
    k.Randomise(random);
    CheckMatmul(q, k, nullptr);
    Tensor mask(type(), {1, 1, t, t});
    mask.Randomise(random);
    CheckMatmul(q, k, &mask);
  }
}

TEST_P(VendorKernels, MultipliesRandomLayouts) {
  Random random(Seed());
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    const size_t n_batch = static_cast<size_t>(Draw(random, 0, 3));
    const int64_t m = Draw(random, round % 7 == 0 ? 0 : 1, 20);
    const int64_t n = Draw(random, round % 7 == 1 ? 0 : 1, 20);
    const int64_t k = Draw(random, round % 7 == 2 ? 0 : 1, 40);
    Shape a, b;
    for (size_t i = 0; i < n_batch; ++i) {
      const int64_t size = Draw(random, 1, 3);
      a.push_back(Draw(random, 0, 3) == 0 ? 1 : size);
      b.push_back(Draw(random, 0, 3) == 0 ? 1 : size);
    }
    a.insert(a.end(), {m, k});
    b.insert(b.end(), {k, n});
    Shape bias = ProductShape(a, b);
    for (int64_t &size : bias) {
      if (Draw(random, 0, 1) == 0) size = 1;
    }
    bias.erase(bias.begin(), bias.begin() + Draw(random, 0, int64_t(bias.size())));
    Tensor left(type(), a, RandomStrides(random, a)), right(type(), b, RandomStrides(random, b));
    Tensor addend(type(), bias, RandomStrides(random, bias));
    left.Randomise(random);
    right.Randomise(random);
    addend.Randomise(random);
    CheckMatmul(left, right, Draw(random, 0, 1) == 0 ? &addend : nullptr);
  }
}

struct Window {
  bool is_transposed = false;
  int64_t groups = 1;
  Shape stride, padding, dilation, out_padding;

  Shape Parameters() const {
    Shape list = {is_transposed ? 1 : 0, groups};
    list.insert(list.end(), stride.begin(), stride.end());
    list.insert(list.end(), padding.begin(), padding.end());
    list.insert(list.end(), dilation.begin(), dilation.end());
    return list;
  }
};

// By definition: each input element adds to the outputs that its window covers (transposed), or
// each output gathers.
double Gather(const Tensor &input, const Tensor &weight, const Window &w, int64_t batch,
              int64_t channel, const Shape &position, int64_t n_filters, double *magnitude) {
  const size_t n_spatial = weight.sizes().size() - 2;
  const size_t first = input.sizes().size() - n_spatial;
  const int64_t per_group = input.sizes()[first - 1] / w.groups;
  const int64_t filters = n_filters / w.groups;
  const int64_t group = channel / filters;
  const Shape taps(weight.sizes().begin() + 2, weight.sizes().end());
  double sum = 0;
  ForEach(taps, [&](const Shape &tap) {
    Shape from;
    for (size_t i = 0; i < n_spatial; ++i) {
      int64_t place = position[i] * w.stride[i] - w.padding[i] + tap[i] * w.dilation[i];
      if (w.is_transposed) {
        place = position[i] + w.padding[i] - tap[i] * w.dilation[i];
        if (place % w.stride[i] != 0) return;
        place /= w.stride[i];
      }
      if (place < 0 || place >= input.sizes()[first + i]) return;
      from.push_back(place);
    }
    for (int64_t i = 0; i < per_group; ++i) {
      Shape source = {group * per_group + i};
      if (first == 2) source.insert(source.begin(), batch);
      source.insert(source.end(), from.begin(), from.end());
      Shape filter = {channel, i};
      if (w.is_transposed) filter = {group * per_group + i, channel % filters};
      filter.insert(filter.end(), tap.begin(), tap.end());
      const double term = input.Get(source) * weight.Get(filter);
      sum += term;
      *magnitude += std::fabs(term);
    }
  });
  return sum;
}

Shape WindowShape(const Shape &input, const Shape &weight, const Window &w) {
  const size_t n_spatial = weight.size() - 2;
  const size_t first = input.size() - n_spatial;
  Shape out(input);
  out[first - 1] = w.is_transposed ? weight[1] * w.groups : weight[0];
  for (size_t i = 0; i < n_spatial; ++i) {
    const int64_t reach = w.dilation[i] * (weight[2 + i] - 1) + 1;
    out[first + i] =
        w.is_transposed
            ? (input[first + i] - 1) * w.stride[i] - 2 * w.padding[i] + reach + w.out_padding[i]
            : (input[first + i] + 2 * w.padding[i] - reach) / w.stride[i] + 1;
  }
  return out;
}

void CheckConvolution(const Tensor &input, const Tensor &weight, const Tensor *bias,
                      const Window &w) {
  const Shape shape = WindowShape(input.sizes(), weight.sizes(), w);
  Shape parameters = w.Parameters();
  parameters.insert(parameters.begin() + 2,
                    {bias != nullptr ? BUDDY_VENDOR_HAS_BIAS : 0, BUDDY_VENDOR_NO_ACTIVATION});
  SCOPED_TRACE("input " + Text(input.sizes()) + " by " + Text(input.strides()) + ", weight " +
               Text(weight.sizes()) + " by " + Text(weight.strides()) + ", parameters " +
               Text(parameters) + (bias != nullptr ? ", bias" : ""));
  int64_t words[5] = {0, 0, 0, static_cast<int64_t>(parameters.size()), 1};
  const int64_t *numbers = parameters.data();
  std::memcpy(&words[1], &numbers, sizeof(numbers));
  const buddy_vendor_tensor list = {1, words};
  Tensor out(input.type(), shape);
  const bool is_f32 = input.type() == Type::kF32;
  (is_f32 ? buddy_vendor_convolution_f32 : buddy_vendor_convolution_bf16)(
      input.argument(), weight.argument(), (bias != nullptr ? bias : &weight)->argument(),
      weight.argument(), weight.argument(), &list, out.argument(), 0, 0, 0, nullptr);
  const size_t first = shape.size() - (weight.sizes().size() - 2);
  ForEach(shape, [&](const Shape &index) {
    const Shape position(index.begin() + static_cast<int64_t>(first), index.end());
    const int64_t channel = index[first - 1];
    double magnitude = 0;
    double sum = Gather(input, weight, w, first == 2 ? index[0] : 0, channel, position,
                        shape[first - 1], &magnitude);
    if (bias != nullptr) sum += bias->Get({channel});
    ExpectNear(out, index, sum, magnitude);
  });
  EXPECT_TRUE(out.IsGuardWhole());
}

void CheckConvolutionDense(Type type, Random &random, const Shape &input, const Shape &weight,
                           const Window &w) {
  Tensor image(type, input), filter(type, weight);
  Tensor bias(type, {WindowShape(input, weight, w)[input.size() - weight.size() + 1]});
  image.Randomise(random);
  filter.Randomise(random);
  bias.Randomise(random);
  CheckConvolution(image, filter, nullptr, w);
  CheckConvolution(image, filter, &bias, w);
}

TEST_P(VendorKernels, ConvolvesListedShapes) {
  Random random(Seed());
  const Window plain2 = {false, 1, {1, 1}, {0, 0}, {1, 1}, {}};
  const struct {
    Shape input, weight;
    Window window;
  } cases[] = {
      {{1, 3, 30, 30}, {16, 3, 7, 7}, {false, 1, {2, 2}, {3, 3}, {1, 1}, {}}},
      {{2, 16, 9, 9}, {16, 16, 3, 3}, {false, 1, {1, 1}, {1, 1}, {1, 1}, {}}},
      {{1, 24, 9, 8}, {24, 1, 3, 3}, {false, 24, {1, 1}, {1, 1}, {1, 1}, {}}},
      {{1, 6, 9, 8}, {12, 1, 3, 3}, {false, 6, {2, 1}, {1, 1}, {1, 1}, {}}},
      {{2, 17, 7, 5}, {33, 17, 1, 1}, plain2},
      {{2, 8, 7, 6}, {4, 8, 1, 1}, {false, 1, {2, 2}, {0, 0}, {1, 1}, {}}},
      {{2, 8, 7, 6}, {4, 8, 1, 1}, {false, 1, {1, 1}, {1, 1}, {1, 1}, {}}},
      {{8, 7, 6}, {4, 8, 3, 2}, plain2},
      {{1, 4, 20}, {6, 2, 5}, {false, 2, {2}, {2}, {2}, {}}},
      {{1, 80, 30}, {32, 80, 3}, {false, 1, {1}, {1}, {1}, {}}},
      {{1, 2, 5, 6, 7}, {4, 2, 3, 3, 3}, {false, 1, {1, 2, 1}, {1, 1, 0}, {1, 1, 2}, {}}},
      {{1, 4, 5, 5}, {4, 3, 3, 3}, {true, 1, {2, 2}, {1, 1}, {1, 1}, {1, 1}}},
      {{2, 4, 5, 5}, {4, 3, 4, 4}, {true, 2, {2, 3}, {1, 0}, {1, 2}, {0, 0}}},
      {{4, 9}, {4, 3, 3}, {true, 1, {1}, {0}, {3}, {2}}},
      {{1, 2, 3, 3, 3}, {2, 3, 2, 2, 2}, {true, 1, {2, 2, 2}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}}},
      // Nothing to read: no batch, no channels, an input of size zero that is all padding.
      {{0, 4, 5, 5}, {3, 4, 3, 3}, plain2},
      {{2, 0, 5, 5}, {3, 0, 3, 3}, plain2},
      {{2, 4, 0, 5}, {3, 4, 2, 2}, {false, 1, {1, 1}, {1, 1}, {1, 1}, {}}},
      {{2, 4, 5, 5}, {0, 4, 3, 3}, plain2},
      // The window is larger than the input, and lies in the padding in places.
      {{1, 2, 2, 2}, {3, 2, 5, 5}, {false, 1, {1, 1}, {4, 4}, {1, 1}, {}}},
  };
  for (const auto &one : cases) {
    CheckConvolutionDense(type(), random, one.input, one.weight, one.window);
  }
}

TEST_P(VendorKernels, ConvolvesRandomWindows) {
  Random random(Seed());
  for (int round = 0; round < 100 && !HasFailure(); ++round) {
    const int64_t n_spatial = Draw(random, 1, 3);
    Window w;
    w.is_transposed = Draw(random, 0, 2) == 0;
    w.groups = Draw(random, 0, 1) == 0 ? 1 : Draw(random, 1, 4);
    const int64_t in = Draw(random, 1, 5), out = Draw(random, 1, 5);
    Shape input = {in * w.groups}, weight = {out * w.groups, in};
    if (w.is_transposed) weight = {in * w.groups, out};
    if (Draw(random, 0, 3) > 0) input.insert(input.begin(), Draw(random, 1, 3));
    for (int64_t i = 0; i < n_spatial; ++i) {
      const int64_t kernel = Draw(random, 1, 4);
      const int64_t dilation = Draw(random, 1, 3), stride = Draw(random, 1, 3);
      const int64_t reach = dilation * (kernel - 1) + 1;
      int64_t padding = Draw(random, 0, reach - 1);
      input.push_back(Draw(random, 1, 8) + std::max<int64_t>(0, reach - 2 * padding));
      if (w.is_transposed) {
        padding = std::min(padding, ((input.back() - 1) * stride + reach - 1) / 2);
      }
      weight.push_back(kernel);
      w.stride.push_back(stride);
      w.padding.push_back(padding);
      w.dilation.push_back(dilation);
      w.out_padding.push_back(Draw(random, 0, std::max(stride, dilation) - 1));
    }
    Tensor image(type(), input, RandomStrides(random, input));
    Tensor filter(type(), weight, RandomStrides(random, weight));
    Tensor bias(type(), {out * w.groups}, {Draw(random, 0, 2)});
    image.Randomise(random);
    filter.Randomise(random);
    bias.Randomise(random);
    CheckConvolution(image, filter, Draw(random, 0, 1) == 0 ? &bias : nullptr, w);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, VendorKernels,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Type::kF32, Type::kBf16)),
                         [](const testing::TestParamInfo<std::tuple<bool, Type>> &way) {
                           return std::string(std::get<0>(way.param) ? "Library" : "Loops") +
                                  (std::get<1>(way.param) == Type::kF32 ? "F32" : "Bf16");
                         });

// An empty tensor may come without any memory.
TEST(VendorKernelsMemory, TakesNullForEmptyInputs) {
  int64_t a[7] = {0, 0, 0, 2, 0, 0, 1}, b[7] = {0, 0, 0, 0, 3, 3, 1};
  const buddy_vendor_tensor left = {2, a}, right = {2, b};
  Tensor out(Type::kF32, {2, 3});
  Multiply(&left, &right, out.argument(), 0);
  ForEach(out.sizes(), [&](const Shape &index) { EXPECT_EQ(out.Get(index), 0); });
}

// More shapes than the cache holds, each used again after it has been dropped.
TEST(VendorKernelsMemory, ForgetsOldShapes) {
  Random random(Seed());
  for (int round = 0; round < 2 && !testing::Test::HasFailure(); ++round) {
    for (int64_t n = 2; n < 300; ++n) {
      CheckMatmulDense(Type::kF32, random, {2, 3}, {3, n});
    }
  }
  buddy_vendor_shutdown();
}

TEST(VendorKernelsMemory, StartsAfreshAfterShutdown) {
  Random random(Seed());
  buddy_vendor_shutdown();
  buddy_vendor_shutdown();
  CheckMatmulDense(Type::kF32, random, {4, 5}, {5, 6});
  buddy_vendor_shutdown();
}

size_t CountThreads() {
  const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// The library's own threads would be in the way of the host's.
TEST(VendorKernelsThreads, TheLibraryBringsNone) {
  std::thread([] {
    const size_t alone = CountThreads();
    const Tensor a(Type::kF32, {192, 320}), b(Type::kF32, {256, 320});
    Tensor out(Type::kF32, {192, 256});
    buddy_threads_vendor(3);
    Multiply(a.argument(), b.argument(), out.argument(), 1);
    EXPECT_EQ(CountThreads(), alone);
  }).join();
  buddy_vendor_shutdown();
}

TEST(VendorKernelsMemory, ServesManyThreads) {
  std::vector<std::thread> threads;
  for (uint32_t id = 0; id < 6; ++id) {
    threads.emplace_back([id] {
      Random random(Seed() + id);
      const Window window = {false, 1, {1, 1}, {1, 1}, {1, 1}, {}};
      for (int64_t i = 0; i < 30; ++i) {
        // Some shapes are shared between the threads, some are not.
        CheckMatmulDense(Type::kF32, random, {2 + i % 5, 31}, {31, 20 + Draw(random, 0, 60)});
        CheckConvolutionDense(Type::kF32, random, {1, 3 + i % 3, 6, 6}, {8, 3 + i % 3, 3, 3},
                              window);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  buddy_vendor_shutdown();
}

// What the rows believe of the processor is what the library does on it.
TEST(VendorKernelsMemory, SaysWhetherBf16IsFast) {
  uint16_t values[3][16 * 16] = {};
  bd_vendor_data data{};
  bd_vendor_product product{};
  data[BD_VENDOR_LEFT] = reinterpret_cast<char *>(values[0]);
  data[BD_VENDOR_RIGHT] = reinterpret_cast<char *>(values[1]);
  data[BD_VENDOR_OUT] = reinterpret_cast<char *>(values[2]);
  product.dtype = BD_VENDOR_BF16;
  product.batch = 1;
  product.m = product.n = product.k = 16;
  for (auto &strides : product.strides) {
    strides[BD_VENDOR_ROW] = 16;
    strides[BD_VENDOR_COLUMN] = 1;
  }
  EXPECT_EQ(bd_vendor_library_multiply(&product, data, nullptr), buddy_vendor_is_bf16_fast());
  buddy_vendor_shutdown();
}

}  // namespace
