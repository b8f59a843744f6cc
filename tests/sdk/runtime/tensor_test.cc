// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in memory.
#include <cstdint>
#include <set>

#include "tests/sdk/compile/harness.h"

namespace {

TEST(Tensor, IsDenseZeroedAndAligned) {
  const Tensor t(BUDDY_F64, {2, 3, 4});
  EXPECT_EQ(t.t.strides[0], 12);
  EXPECT_EQ(t.t.strides[2], 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.t.bytes) % 64, 0u);
  EXPECT_EQ(t.values<double>(), std::vector<double>(24, 0.0));
  EXPECT_TRUE(buddy_tensor_is_contiguous(&t.t));
}

TEST(Tensor, RefusesImpossibleSizes) {
  buddy_tensor t;
  const int64_t huge[] = {INT64_MAX / 4, 5}, negative[] = {-1};
  EXPECT_EQ(buddy_tensor_create(BUDDY_F32, 2, huge, &t), BUDDY_LIMIT);
  EXPECT_EQ(t.bytes, nullptr);
  EXPECT_EQ(buddy_tensor_create(BUDDY_F32, 1, negative, &t), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_tensor_create(BUDDY_DTYPE_NONE, 0, nullptr, &t), BUDDY_INVALID_ARGUMENT);
  const std::vector<int64_t> ones(65, 1);
  EXPECT_EQ(buddy_tensor_create(BUDDY_F32, 65, ones.data(), &t), BUDDY_LIMIT);
}

TEST(Tensor, MayBeEmptyOrANumber) {
  const Tensor empty(BUDDY_I8, {3, 0, 5}), number(BUDDY_I8, {});
  EXPECT_EQ(empty.n(), 0u);
  EXPECT_TRUE(buddy_tensor_is_contiguous(&empty.t));
  EXPECT_EQ(number.n(), 1u);
  buddy_tensor zero = {};
  buddy_tensor_release(&zero);
}

TEST(Tensor, KnowsGapsAndOtherOrders) {
  int64_t sizes[] = {2, 3}, transposed[] = {1, 2}, gaps[] = {4, 1}, ones[] = {1, 3},
          any[] = {77, 1};
  buddy_tensor t = {BUDDY_F32, 2, sizes, transposed, nullptr, nullptr, nullptr};
  EXPECT_FALSE(buddy_tensor_is_contiguous(&t));
  t.strides = gaps;
  EXPECT_FALSE(buddy_tensor_is_contiguous(&t));
  t.sizes = ones;
  t.strides = any;
  EXPECT_TRUE(buddy_tensor_is_contiguous(&t)) << "the stride of an axis of size 1 does not matter";
}

TEST(Tensor, RandomNumbersAreInRangeAndRepeatable) {
  const Tensor f = Tensor::random(BUDDY_F32, {1000}, 7), g = Tensor::random(BUDDY_F32, {1000}, 7);
  EXPECT_EQ(f.values<float>(), g.values<float>());
  EXPECT_NE(f.values<float>(), Tensor::random(BUDDY_F32, {1000}, 8).values<float>());
  double sum = 0;
  for (float x : f.values<float>()) {
    ASSERT_GE(x, -1.0f);
    ASSERT_LT(x, 1.0f);
    sum += x;
  }
  EXPECT_LT(std::abs(sum), 100);
  std::set<int64_t> digits;
  for (int64_t x : Tensor::random(BUDDY_I64, {1000}, 7).values<int64_t>()) digits.insert(x);
  EXPECT_EQ(digits.size(), 2u);
  EXPECT_EQ(*digits.begin(), 0);
  EXPECT_EQ(*digits.rbegin(), 1);
  std::set<uint8_t> flags;
  for (uint8_t x : Tensor::random(BUDDY_BOOL, {1000}, 7).values<uint8_t>()) flags.insert(x);
  EXPECT_EQ(flags, (std::set<uint8_t>{0, 1}));
}

// Every dtype is filled, and a strided view gets the same numbers in row-major order as a dense
// tensor.
TEST(Tensor, RandomNumbersFollowTheIndexNotTheMemory) {
#define BUDDY_X(name, number, text, bytes) BUDDY_##name,
  for (const buddy_dtype dtype : {BUDDY_DTYPES(BUDDY_X)}) {
    Tensor a = Tensor::random(dtype, {2, 3}, 5);
    Tensor b(dtype, {2, 3});
    int64_t strides[] = {1, 2};
    buddy_tensor view = b.t;
    view.strides = strides;
    buddy_tensor_fill_random(&view, 5);
    const size_t w = buddy_dtype_size(dtype);
    for (size_t i = 0; i < 2; i++) {
      for (size_t j = 0; j < 3; j++) {
        EXPECT_EQ(std::memcmp(a.as<char>() + (i * 3 + j) * w, b.as<char>() + (j * 2 + i) * w, w),
                  0);
      }
    }
  }
#undef BUDDY_X
}

}  // namespace
