// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose operands have their neighbours along different axes: the numbers are those of plain loops whatever the
// order of the axes, the element type and the sizes, known or not; and what is transposed is a step of its own where
// that is worth it.
#include <algorithm>
#include <numeric>

#include "tests/sdk/compile/harness.h"

namespace {

using Sizes = std::vector<int64_t>;

struct Case {
  Sizes sizes, order;  // of the loops; axis i of x is loop order[i]
  const char *element;
  buddy_dtype dtype;
  bool is_known;
};

std::string tensor_of(const Case &c, bool is_ordered) {
  std::string text = "tensor<";
  for (size_t i = 0; i < c.sizes.size(); i++)
    text += (c.is_known ? std::to_string(c.sizes[is_ordered ? static_cast<size_t>(c.order[i]) : i])
                        : "?") +
            "x";
  return text + c.element + ">";
}

std::string names(const Sizes &loops) {
  std::string text;
  for (const int64_t i : loops) text += (text.empty() ? "d" : ", d") + std::to_string(i);
  return "(" + text + ")";
}

// y = x turned, or with `is_sum` x turned + w.
std::string module_of(const Case &c, bool is_sum) {
  Sizes plain(c.sizes.size());
  std::iota(plain.begin(), plain.end(), 0);
  const std::string x = tensor_of(c, true), w = tensor_of(c, false), loops = names(plain);
  const std::string own = "affine_map<" + loops + " -> " + loops + ">";
  const bool is_float = c.element[0] == 'f';
  std::string sizes, iterators,
      text = "func.func @forward(%x: " + x + ", %w: " + w + ") -> " + w + " {\n";
  for (size_t i = 0; i < c.sizes.size(); i++) {
    const std::string n = std::to_string(i);
    if (!c.is_known)
      text += "  %c" + n + " = arith.constant " + n + " : index\n  %n" + n +
              " = tensor.dim %w, %c" + n + " : " + w + "\n";
    if (!c.is_known) sizes += (i > 0 ? ", %n" : "%n") + n;
    iterators += i > 0 ? ", \"parallel\"" : "\"parallel\"";
  }
  text += "  %e = tensor.empty(" + sizes + ") : " + w +
          "\n  %y = linalg.generic {indexing_maps = [affine_map<" + loops + " -> " +
          names(c.order) + ">, " + own + (is_sum ? ", " + own : "") + "], iterator_types = [" +
          iterators + "]} ins(%x" + (is_sum ? ", %w : " : " : ") + x + (is_sum ? ", " + w : "") +
          ") outs(%e : " + w + ") {\n  ^bb0(%a: " + c.element + ", " +
          (is_sum ? std::string("%b: ") + c.element + ", " : "") + "%o: " + c.element +
          "):\n    %t = arith." + (is_float ? "addf" : "addi") + " %a, " + (is_sum ? "%b" : "%a") +
          " : " + c.element + "\n    linalg.yield %t : " + c.element + "\n  } -> " + w + "\n";
  return text + "  return %y : " + w + "\n}\n";
}

// The place in x of place i of y.
size_t place_in_x(const Case &c, size_t i) {
  Sizes at(c.sizes.size());
  for (size_t d = c.sizes.size(); d-- > 0;) {
    at[d] = static_cast<int64_t>(i) % c.sizes[d];
    i /= static_cast<size_t>(c.sizes[d]);
  }
  int64_t place = 0;
  for (const int64_t axis : c.order) {
    const auto loop = static_cast<size_t>(axis);
    place = place * c.sizes[loop] + at[loop];
  }
  return static_cast<size_t>(place);
}

template <typename T>
void check(const Case &c, bool is_sum) {
  SCOPED_TRACE(tensor_of(c, false) + " by " + names(c.order) + (is_sum ? " and another" : ""));
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.profile = 1;
  Program program(module_of(c, is_sum), &options);
  Sizes ordered;
  for (const int64_t loop : c.order) ordered.push_back(c.sizes[static_cast<size_t>(loop)]);
  for (const uint64_t seed : {1u, 2u}) {  // the second run is with other numbers
    const Tensor x = Tensor::random(c.dtype, ordered, seed),
                 w = Tensor::random(c.dtype, c.sizes, seed + 7);
    const std::vector<Tensor> out = program.run({&x, &w});
    ASSERT_EQ(out.size(), 1u);
    for (size_t i = 0; i < w.n(); i++) {
      const T a = x.as<T>()[place_in_x(c, i)];
      ASSERT_EQ(out[0].as<T>()[i], static_cast<T>(a + (is_sum ? w.as<T>()[i] : a)))
          << "element " << i;
    }
  }
  const bool is_long =
      std::all_of(c.sizes.begin(), c.sizes.end(), [](int64_t n) { return n >= 16; });
  const bool has_same_lane = c.order.back() == static_cast<int64_t>(c.order.size()) - 1;
  if (is_long && c.is_known) {
    EXPECT_EQ(buddy_program_n_steps(program.program), has_same_lane ? 1u : 2u);
  }
}

class Crossings : public testing::TestWithParam<Sizes> {};

TEST_P(Crossings, GiveTheNumbersOfPlainLoops) {
  Case c = {GetParam(), Sizes(GetParam().size()), "f32", BUDDY_F32, true};
  std::iota(c.order.begin(), c.order.end(), 0);
  while (std::next_permutation(c.order.begin(), c.order.end())) {
    check<float>(c, false);
    check<float>(c, true);
  }
}

TEST_P(Crossings, OfSymbolicSizesToo) {
  Case c = {GetParam(), Sizes(GetParam().size()), "f32", BUDDY_F32, false};
  std::iota(c.order.rbegin(), c.order.rend(), 0);
  check<float>(c, false);
  check<float>(c, true);
}

TEST_P(Crossings, OfEveryElementThatIsTransposed) {
  Case c = {GetParam(), Sizes(GetParam().size()), "f64", BUDDY_F64, true};
  std::iota(c.order.rbegin(), c.order.rend(), 0);
  check<double>(c, true);
  c.element = "i64", c.dtype = BUDDY_I64;
  check<int64_t>(c, true);
  c.element = "i32", c.dtype = BUDDY_I32;
  check<int32_t>(c, true);
  c.element = "i16", c.dtype = BUDDY_I16;
  check<int16_t>(c, true);
  c.element = "i8", c.dtype = BUDDY_I8;
  check<int8_t>(c, true);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Crossings,
                         testing::Values(Sizes{32, 48}, Sizes{300, 70}, Sizes{17, 1}, Sizes{0, 40},
                                         Sizes{1, 300}, Sizes{16, 20, 24}, Sizes{9, 33, 65},
                                         Sizes{3, 7, 100}, Sizes{40, 1, 40}, Sizes{64, 8, 0}));

}  // namespace
