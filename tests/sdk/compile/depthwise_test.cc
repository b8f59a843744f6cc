// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions over planes give what they are defined to be, framed or not.
#include <cmath>

#include "tests/sdk/compile/harness.h"

namespace {

using Sizes = std::vector<int64_t>;

struct Case {
  int64_t channels, out_h, out_w, window_h, window_w, step_h, step_w, spread;
  int64_t before, behind;  // elements of the frame on the low and on the high sides
  const char *begin;       // "zero", "row" or "old"
  const char *element = "f32";
};

std::string pair(int64_t a, int64_t b) {
  return "dense<[" + std::to_string(a) + ", " + std::to_string(b) + "]> : tensor<2xi64>";
}

class Depthwise {
 public:
  explicit Depthwise(const Case &c) : c_(c) {
    const int64_t h = (c.out_h - 1) * c.step_h + (c.window_h - 1) * c.spread + 1;
    const int64_t w = (c.out_w - 1) * c.step_w + (c.window_w - 1) * c.spread + 1;
    framed_ = {2, c.channels, h, w};
    in_ = {2, c.channels, h - c.before - c.behind, w - c.before - c.behind};
    filter_ = {c.channels, c.window_h, c.window_w};
    out_ = {2, c.channels, c.out_h, c.out_w};
    begin_ = std::string(c.begin) == "old" ? out_ : Sizes{c.channels};
  }

  std::string type(const Sizes &sizes) const {
    std::string text = "tensor<";
    for (int64_t s : sizes) text += std::to_string(s) + "x";
    return text + c_.element + ">";
  }

  // The sum of the filtered image and of what it began with; `more` becomes a second result.
  std::string text(const std::string &more = "") const {
    const std::string low = std::to_string(c_.before), high = std::to_string(c_.behind);
    std::string t = "func.func @forward(%x: " + type(in_) + ", %w: " + type(filter_) +
                    ", %b: " + type(begin_) + ") -> (" + type(out_) +
                    (more.empty() ? "" : ", " + type(framed_)) +
                    ") {\n  %z = arith.constant 0.0 : " + c_.element +
                    "\n  %e = tensor.empty() : " + type(out_) + "\n";
    t += c_.before + c_.behind == 0
             ? "  %p = tensor.cast %x : " + type(in_) + " to " + type(in_) + "\n"
             : "  %p = tensor.pad %x low[0, 0, " + low + ", " + low + "] high[0, 0, " + high +
                   ", " + high + "] {\n  ^bb0(%i: index, %j: index, %k: index, %l: index):\n" +
                   "    tensor.yield %z : " + c_.element + "\n  } : " + type(in_) + " to " +
                   type(framed_) + "\n";
    const std::string begin = c_.begin;
    t += begin == "zero"  ? "  %f = linalg.fill ins(%z : " + std::string(c_.element) +
                                ") outs(%e : " + type(out_) + ") -> " + type(out_) + "\n"
         : begin == "row" ? "  %f = linalg.broadcast ins(%b : " + type(begin_) +
                                ") outs(%e : " + type(out_) + ") dimensions = [0, 2, 3]\n"
                          : "  %f = tensor.cast %b : " + type(out_) + " to " + type(out_) + "\n";
    t += "  %r = linalg.depthwise_conv_2d_nchw_chw {strides = " + pair(c_.step_h, c_.step_w) +
         ", dilations = " + pair(c_.spread, c_.spread) + "} ins(%p, %w : " + type(framed_) + ", " +
         type(filter_) + ") outs(%f : " + type(out_) + ") -> " + type(out_) + "\n" + more +
         "  return %r" + (more.empty() ? "" : ", %q") + " : " + type(out_) +
         (more.empty() ? "" : ", " + type(framed_)) + "\n}\n";
    return t;
  }

  template <typename T>
  void check(const std::string &more = "") const {
    const buddy_dtype dtype = sizeof(T) == 8 ? BUDDY_F64 : BUDDY_F32;
    const Tensor x = Tensor::random(dtype, in_, 1), w = Tensor::random(dtype, filter_, 2),
                 b = Tensor::random(dtype, begin_, 3);
    Program program(text(more));
    ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text() << text(more);
    for (int n_threads : {1, 3}) {
      buddy_program_set_threads(program.program, n_threads);
      const std::vector<Tensor> outputs = program.run({&x, &w, &b});
      ASSERT_FALSE(outputs.empty());
      compare<T>(x, w, b, outputs[0]);
    }
  }

 private:
  template <typename T>
  double expected(const Tensor &x, const Tensor &w, const Tensor &b, int64_t plane, int64_t y,
                  int64_t z) const {
    const int64_t channel = plane % c_.channels;
    const std::string begin = c_.begin;
    double sum = begin == "zero"  ? 0
                 : begin == "row" ? b.as<T>()[channel]
                                  : b.as<T>()[(plane * c_.out_h + y) * c_.out_w + z];
    for (int64_t i = 0; i < c_.window_h; i++) {
      for (int64_t j = 0; j < c_.window_w; j++) {
        const int64_t row = y * c_.step_h + i * c_.spread - c_.before;
        const int64_t column = z * c_.step_w + j * c_.spread - c_.before;
        if (row < 0 || row >= in_[2] || column < 0 || column >= in_[3]) continue;
        sum += static_cast<double>(x.as<T>()[(plane * in_[2] + row) * in_[3] + column]) *
               static_cast<double>(w.as<T>()[(channel * c_.window_h + i) * c_.window_w + j]);
      }
    }
    return sum;
  }

  template <typename T>
  void compare(const Tensor &x, const Tensor &w, const Tensor &b, const Tensor &out) const {
    const double tolerance = sizeof(T) == 8 ? 1e-13 : 2e-5;
    ASSERT_EQ(out.sizes(), out_);
    size_t at = 0;
    for (int64_t plane = 0; plane < 2 * c_.channels; plane++) {
      for (int64_t y = 0; y < c_.out_h; y++) {
        for (int64_t z = 0; z < c_.out_w; z++, at++)
          ASSERT_NEAR(out.as<T>()[at], expected<T>(x, w, b, plane, y, z), tolerance)
              << "plane " << plane << ", " << y << ", " << z << "\n"
              << text();
      }
    }
  }

  Case c_;
  Sizes framed_, in_, filter_, out_, begin_;
};

TEST(Depthwise, GivesWhatLoopsGive) {
  const Case cases[] = {
      {9, 7, 7, 3, 3, 1, 1, 1, 1, 1, "zero"},   {9, 6, 32, 3, 3, 1, 1, 1, 1, 1, "row"},
      {9, 5, 45, 5, 5, 1, 1, 1, 2, 2, "old"},   {19, 9, 13, 3, 3, 1, 1, 1, 0, 0, "zero"},
      {19, 6, 35, 3, 3, 2, 2, 1, 1, 0, "zero"}, {19, 6, 32, 3, 3, 2, 2, 1, 0, 0, "row"},
      {19, 6, 3, 3, 3, 2, 2, 1, 1, 1, "zero"},  {19, 6, 1, 3, 3, 2, 2, 1, 1, 1, "zero"},
      {19, 6, 21, 3, 2, 1, 1, 2, 1, 1, "zero"}, {19, 6, 26, 3, 4, 1, 2, 3, 2, 1, "old"},
      {19, 5, 11, 3, 3, 3, 3, 1, 1, 1, "zero"}, {19, 5, 30, 7, 7, 1, 1, 1, 3, 3, "row"},
      {8, 4, 20, 9, 9, 1, 1, 1, 4, 4, "zero"},  {40, 40, 40, 3, 3, 1, 1, 1, 1, 1, "row"},
  };
  for (const Case &c : cases) Depthwise(c).check<float>();
}

TEST(Depthwise, OfDoubles) {
  Depthwise({9, 6, 19, 3, 3, 1, 1, 1, 1, 1, "row", "f64"}).check<double>();
  Depthwise({11, 6, 19, 3, 3, 2, 2, 1, 1, 1, "zero", "f64"}).check<double>();
}

// The frame stays where something else reads it.
TEST(Depthwise, OfAnImageWhoseFrameIsWanted) {
  const Case c = {9, 6, 19, 3, 3, 1, 1, 1, 1, 1, "zero"};
  const std::string framed = "tensor<2x9x8x21xf32>";
  Depthwise(c).check<float>("  %q = math.exp %p : " + framed + "\n");
}

}  // namespace
