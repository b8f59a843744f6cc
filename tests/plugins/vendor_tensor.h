// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors for the test of the vendor kernels: any strides, guards around the data, and the
// descriptor that MLIR would pass.
#ifndef BUDDY_TESTS_PLUGINS_VENDOR_TENSOR_H_
#define BUDDY_TESTS_PLUGINS_VENDOR_TENSOR_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "plugins/vendor/kernels.h"

using Shape = std::vector<int64_t>;
enum class Type { kF32, kBf16 };

inline uint32_t Seed() {
  static const uint32_t seed = [] {
    const char *text = std::getenv("BUDDY_TEST_SEED");
    const uint32_t value = text != nullptr ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10))
                                           : std::random_device()();
    std::printf("BUDDY_TEST_SEED=%u\n", value);
    return value;
  }();
  return seed;
}

using Random = std::mt19937;

inline int64_t Draw(Random &random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

inline int64_t Count(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
}

inline std::string Text(const Shape &shape) {
  std::string text = "[";
  for (int64_t size : shape) text += std::to_string(size) + " ";
  return text + "]";
}

inline float FromBf16(uint16_t half) {
  const uint32_t bits = static_cast<uint32_t>(half) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// Exact for the values that the tests store: multiples of 1/64 below 2.
inline uint16_t ToBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<uint16_t>(bits >> 16);
}

// Calls |visit| with each index of |shape|.
template <typename Visit>
void ForEach(const Shape &shape, Visit visit) {
  Shape index(shape.size(), 0);
  for (int64_t left = Count(shape); left > 0; --left) {
    visit(static_cast<const Shape &>(index));
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
}

// A tensor in memory of its own, with any strides, and the descriptor that MLIR would pass.
class Tensor {
 public:
  static constexpr int64_t kGuard = 32;

  Tensor(Type type, Shape sizes, Shape strides)
      : type_(type), sizes_(std::move(sizes)), strides_(std::move(strides)) {
    int64_t extent = 1;
    for (size_t i = 0; i < sizes_.size(); ++i) extent += (sizes_[i] - 1) * strides_[i];
    if (Count(sizes_) == 0) extent = 0;
    n_ = extent + 2 * kGuard;
    bytes_.assign(static_cast<size_t>(n_) * Size(), '\xFF');  // every element is a NaN
    words_.assign(3 + 2 * sizes_.size(), 0);
    char *data = bytes_.data();
    std::memcpy(&words_[1], &data, sizeof(data));
    words_[2] = kGuard;
    std::copy(sizes_.begin(), sizes_.end(), words_.begin() + 3);
    std::copy(strides_.begin(), strides_.end(),
              words_.begin() + 3 + static_cast<int64_t>(sizes_.size()));
    argument_ = {static_cast<int64_t>(sizes_.size()), words_.data()};
  }
  Tensor(Type type, const Shape &sizes) : Tensor(type, sizes, Dense(sizes)) {}
  Tensor(Tensor &&) = default;
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;

  static Shape Dense(const Shape &sizes) {
    Shape strides(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    return strides;
  }

  void Randomise(Random &random) {
    ForEach(sizes_, [&](const Shape &index) {
      Set(Position(index), static_cast<float>(Draw(random, -64, 64)) / 64.0F);
    });
  }

  double Get(const Shape &index) const { return GetAt(Position(index)); }

  // The element that |index| of a larger shape broadcasts from.
  double GetBroadcast(const Shape &index) const {
    int64_t position = 0;
    const size_t missing = index.size() - sizes_.size();
    for (size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] != 1) position += index[i + missing] * strides_[i];
    }
    return GetAt(position);
  }

  // Whether nothing was written around a dense tensor.
  bool IsGuardWhole() const {
    for (int64_t i = 0; i < kGuard; ++i) {
      if (!std::isnan(GetAt(-1 - i)) || !std::isnan(GetAt(n_ - 2 * kGuard + i))) return false;
    }
    return true;
  }

  // All of it, the guards included.
  char *data() { return bytes_.data(); }
  const char *data() const { return bytes_.data(); }
  size_t n_bytes() const { return bytes_.size(); }
  const Shape &sizes() const { return sizes_; }
  const Shape &strides() const { return strides_; }
  Type type() const { return type_; }
  const buddy_vendor_tensor *argument() const { return &argument_; }

 private:
  size_t Size() const { return type_ == Type::kF32 ? 4 : 2; }
  int64_t Position(const Shape &index) const {
    return std::inner_product(index.begin(), index.end(), strides_.begin(), int64_t{0});
  }
  double GetAt(int64_t position) const {
    const char *place = bytes_.data() + static_cast<size_t>(position + kGuard) * Size();
    if (type_ == Type::kBf16) {
      uint16_t half;
      std::memcpy(&half, place, sizeof(half));
      return static_cast<double>(FromBf16(half));
    }
    float value;
    std::memcpy(&value, place, sizeof(value));
    return static_cast<double>(value);
  }
  void Set(int64_t position, float value) {
    char *place = bytes_.data() + static_cast<size_t>(position + kGuard) * Size();
    const uint16_t half = ToBf16(value);
    if (type_ == Type::kF32) {
      std::memcpy(place, &value, sizeof(value));
    } else {
      std::memcpy(place, &half, sizeof(half));
    }
  }

  Type type_;
  Shape sizes_, strides_;
  int64_t n_ = 0;
  std::vector<char> bytes_;
  std::vector<int64_t> words_;
  buddy_vendor_tensor argument_{};
};

// Strides that a compiler could hand over: dense, two dimensions swapped, gaps, or (an expanded
// tensor) repetition.
inline Shape RandomStrides(Random &random, const Shape &sizes) {
  const size_t rank = sizes.size();
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  const int64_t kind = Draw(random, 0, 5);
  if (rank > 1 && (kind == 1 || kind == 2)) std::swap(order[rank - 1], order[rank - 2]);
  if (kind == 3) std::shuffle(order.begin(), order.end(), random);
  Shape strides(rank, 1);
  int64_t stride = kind == 4 ? Draw(random, 1, 3) : 1;
  for (size_t i = rank; i-- > 0;) {
    strides[order[i]] = stride;
    stride *= std::max<int64_t>(sizes[order[i]], 1);
    if (kind == 2 || kind == 4) stride += Draw(random, 0, 3);
  }
  if (kind == 5 && rank > 0) strides[static_cast<size_t>(Draw(random, 0, int64_t(rank) - 1))] = 0;
  return strides;
}

#endif  // BUDDY_TESTS_PLUGINS_VENDOR_TENSOR_H_
