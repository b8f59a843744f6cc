// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions of bytes, whose images come to lie with channels innermost, give what
// plain loops give.
#include "tests/sdk/compile/weighted.h"

namespace {

struct Case {
  int64_t channels, size, window, step, spread;
  bool has_row;
};

std::string type(const std::vector<int64_t> &sizes, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t s : sizes) text += std::to_string(s) + "x";
  return text + element + ">";
}

int64_t size_of_result(const Case &c) {
  const int64_t frame = c.window / 2 * c.spread;
  return (c.size + 2 * frame - (c.window - 1) * c.spread - 1) / c.step + 1;
}

// In a frame of -128, as bytes that stand for 0 have it; twice the sums, so that these are no
// result of the function, whose layout is given. The sums begin with 0, or with 1, 2, ….
std::string text_of(const Case &c) {
  const int64_t frame = c.window / 2 * c.spread, framed = c.size + 2 * frame;
  const int64_t n = size_of_result(c);
  const std::string in = type({2, c.channels, c.size, c.size}, "i8");
  const std::string whole = type({2, c.channels, framed, framed}, "i8");
  const std::string filter = type({c.channels, c.window, c.window}, "i8");
  const std::string out = type({2, c.channels, n, n}, "i32"), row = type({c.channels}, "i32");
  const std::string by = std::to_string(frame);
  std::string numbers;
  for (int64_t i = 1; i <= c.channels; i++) numbers += (i > 1 ? ", " : "") + std::to_string(i);
  return "func.func @forward(%a: " + in + ", %b: " + filter + ") -> " + out +
         " {\n  %low = arith.constant -128 : i8\n  %zero = arith.constant 0 : i32\n"
         "  %p = tensor.pad %a low[0, 0, " +
         by + ", " + by + "] high[0, 0, " + by + ", " + by +
         "] {\n  ^bb0(%i: index, %j: index, %k: index, %l: index):\n"
         "    tensor.yield %low : i8\n  } : " +
         in + " to " + whole + "\n  %e = tensor.empty() : " + out + "\n" +
         (c.has_row
              ? "  %row = arith.constant dense<[" + numbers + "]> : " + row +
                    "\n  %f = linalg.broadcast ins(%row : " + row + ") outs(%e : " + out +
                    ") dimensions = [0, 2, 3]\n"
              : "  %f = linalg.fill ins(%zero : i32) outs(%e : " + out + ") -> " + out + "\n") +
         "  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<" + std::to_string(c.step) +
         "> : tensor<2xi64>, dilations = dense<" + std::to_string(c.spread) +
         "> : tensor<2xi64>} ins(%p, %b : " + whole + ", " + filter + ") outs(%f : " + out +
         ") -> " + out + "\n  %c = arith.addi %r, %r : " + out + "\n  return %c : " + out + "\n}\n";
}

void check(const Case &c) {
  const int64_t n = size_of_result(c), frame = c.window / 2 * c.spread;
  const Tensor x = random_bytes({2, c.channels, c.size, c.size}, 1);
  const Tensor w = random_bytes({c.channels, c.window, c.window}, 2);
  const auto out = run_weighted(text_of(c), x, w, Tensor(BUDDY_I32, {2, c.channels, n, n}));
  ASSERT_EQ(out.size(), 3u);
  for (int64_t at = 0; at < 2 * c.channels * n * n; at++) {
    const int64_t column = at % n, line = at / n % n, plane = at / n / n;
    int32_t sum = c.has_row ? static_cast<int32_t>(plane % c.channels + 1) : 0;
    for (int64_t k = 0; k < c.window * c.window; k++) {
      const int64_t h = line * c.step + k / c.window * c.spread - frame;
      const int64_t v = column * c.step + k % c.window * c.spread - frame;
      const bool is_inside = h >= 0 && h < c.size && v >= 0 && v < c.size;
      sum += (is_inside ? x.as<int8_t>()[(plane * c.size + h) * c.size + v] : -128) *
             w.as<int8_t>()[plane % c.channels * c.window * c.window + k];
    }
    ASSERT_EQ(out[0].as<int32_t>()[at], 2 * sum) << c.channels << " " << c.window << " at " << at;
  }
}

TEST(Channels, ConvolveBytes) {
  check({16, 9, 3, 1, 1, false});
  check({32, 14, 3, 1, 1, true});
  check({20, 11, 3, 2, 1, true});  // a vector in part
  check({7, 10, 3, 1, 1, false});  // no whole one
  check({48, 13, 5, 2, 1, false});
  check({24, 17, 3, 1, 2, true});
}

}  // namespace
