// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that are written to memory of the caller's: without a copy where nothing else lies there, and with the same
// numbers wherever it lies.
#include <algorithm>

#include "tests/sdk/compile/harness.h"

namespace {

constexpr float UNTOUCHED = -77;

std::vector<float> counted(size_t n) {
  std::vector<float> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = static_cast<float>(i + 1);
  return all;
}

// A tensor of f32 over memory of somebody else's.
struct View {
  View(float *bytes, std::vector<int64_t> all_sizes, std::vector<int64_t> all_strides)
      : sizes(std::move(all_sizes)), strides(std::move(all_strides)) {
    t = {};
    t.dtype = BUDDY_F32;
    t.rank = static_cast<uint32_t>(sizes.size());
    t.sizes = sizes.data();
    t.strides = strides.data();
    t.bytes = bytes;
  }
  std::vector<int64_t> sizes, strides;
  buddy_tensor t;
};

buddy_code run(Program &program, std::vector<buddy_tensor> inputs,
               std::vector<buddy_tensor> &outputs) {
  EXPECT_EQ(program.code, BUDDY_OK) << program.diags.text();
  return buddy_program_run(program.program, inputs.data(), inputs.size(), outputs.data(),
                           outputs.size(), program.diags);
}

const char REVERSED[] = R"(
func.func @forward(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
})";

std::vector<float> reversed(std::vector<float> all) {
  std::reverse(all.begin(), all.end());
  return all;
}

// A run that fails has written what came before: so it was no copy.
TEST(Given, IsWrittenToWithoutACopy) {
  Program program(R"(
func.func @forward(%a: tensor<64xf32>, %b: tensor<i1>) -> tensor<64xf32> {
  %0 = arith.addf %a, %a : tensor<64xf32>
  %1 = tensor.extract %b[] : tensor<i1>
  cf.assert %1, "it must hold"
  return %0 : tensor<64xf32>
})");
  const Tensor a(BUDDY_F32, {64}, counted(64)), holds(BUDDY_BOOL, {}, std::vector<uint8_t>{1}),
      fails(BUDDY_BOOL, {}, std::vector<uint8_t>{0});
  std::vector<float> memory(64, UNTOUCHED), expected = counted(64);
  for (float &x : expected) x *= 2;
  std::vector<buddy_tensor> outputs{View(memory.data(), {64}, {1}).t};
  View given(memory.data(), {64}, {1});
  outputs[0] = given.t;
  EXPECT_EQ(run(program, {a.t, fails.t}, outputs), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(memory, expected);
  std::fill(memory.begin(), memory.end(), UNTOUCHED);
  EXPECT_EQ(run(program, {a.t, holds.t}, outputs), BUDDY_OK) << program.diags.text();
  EXPECT_EQ(memory, expected);
}

// Wherever it lies in what the program reads.
TEST(Given, MayOverlapAnInput) {
  Program program(REVERSED);
  for (int64_t n : {0, 1, 7, 64, 1000}) {
    for (int64_t shift : {-3, 0, 1, 5, 1000}) {
      const size_t room = static_cast<size_t>(n) + 2010;
      std::vector<float> memory(room, UNTOUCHED);
      const std::vector<float> numbers = counted(static_cast<size_t>(n));
      float *from = memory.data() + 5, *to = from + shift;
      std::copy(numbers.begin(), numbers.end(), from);
      View input(from, {n}, {1}), output(to, {n}, {1});
      std::vector<buddy_tensor> outputs{output.t};
      ASSERT_EQ(run(program, {input.t}, outputs), BUDDY_OK) << program.diags.text();
      EXPECT_EQ(std::vector<float>(to, to + n), reversed(numbers)) << n << " at " << shift;
    }
  }
}

TEST(Given, MayHaveGapsAndAnyAddress) {
  Program program(REVERSED);
  const Tensor a(BUDDY_F32, {9}, counted(9));
  std::vector<float> memory(64, UNTOUCHED);
  View apart(memory.data() + 1, {9}, {3});
  std::vector<buddy_tensor> outputs{apart.t};
  ASSERT_EQ(run(program, {a.t}, outputs), BUDDY_OK) << program.diags.text();
  for (size_t i = 0; i < memory.size(); ++i)
    EXPECT_EQ(memory[i], i % 3 == 1 && i < 27 ? static_cast<float>(9 - i / 3) : UNTOUCHED) << i;
  char bytes[9 * sizeof(float) + 1];
  View odd(reinterpret_cast<float *>(bytes + 1), {9}, {1});
  outputs[0] = odd.t;
  ASSERT_EQ(run(program, {a.t}, outputs), BUDDY_OK) << program.diags.text();
  std::vector<float> got(9);
  std::memcpy(got.data(), bytes + 1, sizeof(bytes) - 1);
  EXPECT_EQ(got, reversed(counted(9)));
}

TEST(Given, OfTheWrongSizeStaysAsItIs) {
  Program program(REVERSED);
  const Tensor a(BUDDY_F32, {12}, counted(12));
  const std::vector<float> untouched(12, UNTOUCHED);
  std::vector<float> memory = untouched;
  for (const auto &sizes : {std::vector<int64_t>{3, 4}, std::vector<int64_t>{11}}) {
    View wrong(memory.data(), sizes,
               sizes.size() == 2 ? std::vector<int64_t>{4, 1} : std::vector<int64_t>{1});
    std::vector<buddy_tensor> outputs{wrong.t};
    EXPECT_EQ(run(program, {a.t}, outputs), BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(memory, untouched);
  }
}

// The same result several times, an input, and a part of a result, given or not.
TEST(Given, OneResultForSeveralOutputs) {
  Program program(R"(
func.func @forward(%a: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2xf32>) {
  %1 = arith.addf %a, %a : tensor<6xf32>
  %2 = tensor.extract_slice %1[1] [2] [2] : tensor<6xf32> to tensor<2xf32>
  return %a, %1, %1, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2xf32>
})");
  const std::vector<std::vector<float>> expected{
      {1, 2, 3, 4, 5, 6}, {2, 4, 6, 8, 10, 12}, {2, 4, 6, 8, 10, 12}, {4, 8}};
  const Tensor a(BUDDY_F32, {6}, counted(6));
  for (unsigned given = 0; given < 16; ++given) {
    std::vector<std::vector<float>> memory{
        {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0}};
    std::vector<View> views;
    for (auto &m : memory)
      views.emplace_back(m.data(), std::vector<int64_t>{static_cast<int64_t>(m.size())},
                         std::vector<int64_t>{1});
    std::vector<buddy_tensor> outputs(4);
    for (size_t i = 0; i < 4; ++i) {
      views[i].t.sizes = views[i].sizes.data();
      views[i].t.strides = views[i].strides.data();
      if (given >> i & 1) outputs[i] = views[i].t;
    }
    ASSERT_EQ(run(program, {a.t}, outputs), BUDDY_OK) << program.diags.text();
    for (size_t i = 0; i < 4; ++i) {
      const float *got = static_cast<const float *>(outputs[i].bytes);
      EXPECT_EQ(std::vector<float>(got, got + expected[i].size()), expected[i])
          << given << ", " << i;
      for (size_t k = 0; k < i; ++k) EXPECT_NE(outputs[i].bytes, outputs[k].bytes);
      if (!(given >> i & 1)) buddy_tensor_release(&outputs[i]);
    }
  }
}

// Two outputs in one place: the numbers are those of one of them, as a whole.
TEST(Given, OutputsMayShareMemory) {
  Program program(R"(
func.func @forward(%a: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<64xf32>) -> tensor<64xf32>
  %1 = arith.addf %0, %a : tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
})");
  const Tensor a(BUDDY_F32, {64}, counted(64));
  std::vector<float> memory(64, UNTOUCHED);
  View one(memory.data(), {64}, {1}), other(memory.data(), {64}, {1});
  std::vector<buddy_tensor> outputs{one.t, other.t};
  ASSERT_EQ(run(program, {a.t}, outputs), BUDDY_OK) << program.diags.text();
  EXPECT_TRUE(memory == reversed(counted(64)) || memory == std::vector<float>(64, 65));
}

}  // namespace
