// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 3×3 convolutions in fewer multiplications: as near to the exact sum as rounding allows, for sizes
// with every kind of edge, and the same bits on any number of threads.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/lower/module.h"
#include "sdk/lower/signature.h"
}

namespace {

using Sizes = std::vector<int64_t>;

struct Case {
  const char *name;
  int64_t n, h, w, channels, filters;
  int64_t above = 1, left = 1, below = 1, right = 1;  // the frame of zeros
  bool has_bias = false, has_scale = false, has_residual = false, has_relu = false;
};

std::string type_of(const Sizes &sizes) {
  std::string text = "tensor<";
  for (int64_t s : sizes) text += std::to_string(s) + "x";
  return text + "f32>";
}

// Weights, bias and scale are constant, image and residual given.
class Convolution {
 public:
  explicit Convolution(const Case &c)
      : c_(c),
        in_{c.n, c.h, c.w, c.channels},
        framed_{c.n, c.h + c.above + c.below, c.w + c.left + c.right, c.channels},
        out_{c.n, framed_[1] - 2, framed_[2] - 2, c.filters},
        filter_{c.filters, 3, 3, c.channels},
        w(Tensor::random(BUDDY_F32, filter_, 1)),
        b(Tensor::random(BUDDY_F32, {c.filters}, 2)),
        s(Tensor::random(BUDDY_F32, {c.filters}, 3)),
        x(Tensor::random(BUDDY_F32, in_, 4)),
        r(Tensor::random(BUDDY_F32, out_, 5)) {}

  std::string text() const {
    const std::string f = type_of({c_.filters}), in = type_of(in_), framed = type_of(framed_),
                      out = type_of(out_), filter = type_of(filter_);
    std::string t =
        "#id = affine_map<(n, h, w, f) -> (n, h, w, f)>\n"
        "#row = affine_map<(n, h, w, f) -> (f)>\n"
        "func.func @forward(%w: " +
        filter + ", %b: " + f + ", %s: " + f + ", %x: " + in + ", %r: " + out + ") -> " + out +
        " {\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : " + out +
        "\n  %o = linalg.fill ins(%z : f32) outs(%e : " + out + ") -> " + out +
        "\n  %p = tensor.pad %x low[0, " + std::to_string(c_.above) + ", " +
        std::to_string(c_.left) + ", 0] high[0, " + std::to_string(c_.below) + ", " +
        std::to_string(c_.right) +
        ", 0] {\n  ^bb0(%i: index, %j: index, %k: index, %l: index):\n    tensor.yield %z : f32\n"
        "  } : " +
        in + " to " + framed + "\n  %c = linalg.conv_2d_nhwc_fhwc ins(%p, %w : " + framed + ", " +
        filter + ") outs(%o : " + out + ") -> " + out +
        "\n  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id, #id], iterator_types = "
        "[\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} ins(%c, %b, %s, %r : " +
        out + ", " + f + ", " + f + ", " + out + ") outs(%e : " + out +
        ") {\n  ^bb0(%v0: f32, %bias: f32, %scale: f32, %more: f32, %old: f32):\n";
    int n = 0;
    const auto step = [&](bool is_there, const std::string &op, const std::string &by) {
      if (!is_there) return;
      const std::string from = "%v" + std::to_string(n++);
      t += "    %v" + std::to_string(n) + " = arith." + op + " " + from + ", " + by + " : f32\n";
    };
    step(c_.has_scale, "mulf", "%scale");
    step(c_.has_bias, "addf", "%bias");
    step(c_.has_residual, "addf", "%more");
    step(c_.has_relu, "maximumf", "%z");
    return t + "    linalg.yield %v" + std::to_string(n) + " : f32\n  } -> " + out +
           "\n  return %y : " + out + "\n}\n";
  }

  // What comes out, with buddy_compile_options.winograd as given.
  std::vector<float> run(int winograd, int n_threads, int n_runs = 3) const {
    Diags diags;
    buddy_module *module = nullptr;
    buddy_program *program = nullptr;
    const std::string t = text();
    buddy_compile_options options = {};
    options.struct_size = sizeof(options);
    options.parameters_are_constant = 1;
    options.winograd = winograd;
    EXPECT_EQ(buddy_module_parse({t.data(), t.size()}, diags, &module), BUDDY_OK) << diags.text();
    if (module == nullptr) return {};
    sign(module);
    EXPECT_EQ(buddy_compile(module, nullptr, &options, diags, &program), BUDDY_OK)
        << diags.text() << t;
    if (program == nullptr) return {};
    buddy_program_set_threads(program, n_threads);
    const buddy_tensor in[] = {w.t, b.t, s.t, x.t, r.t};
    std::vector<float> all;
    for (int i = 0; i < n_runs; i++) {  // filters are packed, packed to be kept, read again
      Tensor out;
      EXPECT_EQ(buddy_program_run(program, in, 5, &out.t, 1, diags), BUDDY_OK) << diags.text();
      if (out.t.bytes == nullptr) break;
      const std::vector<float> now = out.values<float>();
      EXPECT_TRUE(i == 0 || same_bits(now, all)) << "run " << i;
      all = now;
    }
    buddy_program_destroy(program);
    return all;
  }

  // The number at a place in doubles; *out_bound: that of winograd/winograd.h for it, in units of 2⁻²⁴.
  double exact(int64_t place, double *out_bound) const {
    const int64_t f = place % out_[3], q = place / out_[3] % out_[2],
                  p = place / out_[3] / out_[2] % out_[1], n = place / out_[3] / out_[2] / out_[1];
    double sum = 0, bound = 0;
    for (int64_t c = 0; c < c_.channels; c++) {
      double of_window = 0, of_square = 0;
      for (int64_t i = 0; i < 3; i++) {
        for (int64_t j = 0; j < 3; j++) {
          const double g = w.as<float>()[((f * 3 + i) * 3 + j) * c_.channels + c];
          const double d = at(n, p + i, q + j, c);
          sum += g * d;
          of_window += std::abs(g);
        }
      }
      for (int64_t i = 0; i < 4; i++) {
        for (int64_t j = 0; j < 4; j++)
          of_square += std::abs(at(n, p / 2 * 2 + i, q / 2 * 2 + j, c));
      }
      bound += of_window * of_square;
    }
    const double scale = c_.has_scale ? s.as<float>()[f] : 1.0;
    double y = sum * scale;
    if (c_.has_bias) y += b.as<float>()[f];
    if (c_.has_residual) y += r.as<float>()[place];
    *out_bound = 4.0 * static_cast<double>(c_.channels + 16) * bound * std::abs(scale) +
                 8 * (std::abs(y) + 4);
    return c_.has_relu ? std::max(y, 0.0) : y;
  }

 private:
  // The framed image; places beyond it count for nothing.
  double at(int64_t n, int64_t y, int64_t x_place, int64_t c) const {
    y -= c_.above;
    x_place -= c_.left;
    if (y < 0 || x_place < 0 || y >= c_.h || x_place >= c_.w) return 0;
    return x.as<float>()[((n * c_.h + y) * c_.w + x_place) * c_.channels + c];
  }

  // As of a model: the first three are its parameters.
  void sign(buddy_module *module) const {
    const Sizes *all[] = {&filter_, &row_, &row_, &in_, &out_};
    const char *names[] = {"w", "b", "s", "x", "r"};
    EXPECT_EQ(bd_signature_create(&module->signature), BUDDY_OK);
    for (int i = 0; i < 5; i++) {
      const buddy_port port =
          port_of(*all[i], names[i], i < 3 ? BUDDY_INPUT_PARAMETER : BUDDY_INPUT_USER);
      EXPECT_EQ(bd_signature_add_input(module->signature, &port, nullptr), BUDDY_OK);
    }
    bd_output output = {};
    output.port = port_of(out_, "y", BUDDY_OUTPUT_USER);
    output.source = BD_SOURCE_RESULT;
    EXPECT_EQ(bd_signature_add_output(module->signature, &output), BUDDY_OK);
  }

  static buddy_port port_of(const Sizes &sizes, const char *name, int kind) {
    return {name,      kind == BUDDY_INPUT_USER ? "" : name, kind,
            BUDDY_F32, static_cast<uint32_t>(sizes.size()),  sizes.data()};
  }

  Case c_;
  Sizes in_, framed_, out_, filter_, row_{c_.filters};

 public:
  Tensor w, b, s, x, r;
};

class Winograd : public testing::TestWithParam<Case> {};

TEST_P(Winograd, IsAsNearAsItSays) {
  const Case &c = GetParam();
  const Convolution convolution(c);
  const std::vector<float> got = convolution.run(1, 1), plain = convolution.run(-1, 1);
  ASSERT_EQ(got.size(), plain.size());
  double errors = 0, plain_errors = 0;
  bool differs = false;
  for (size_t i = 0; i < got.size(); i++) {
    double bound;
    const double want = convolution.exact(static_cast<int64_t>(i), &bound);
    const double error = std::abs(got[i] - want), of_plain = std::abs(plain[i] - want);
    ASSERT_LE(error, bound * std::ldexp(1, -24)) << "element " << i;
    errors += error * error;
    plain_errors += of_plain * of_plain;
    differs |= got[i] != plain[i];
  }
  EXPECT_TRUE(differs) << "it was done in the other way";
  EXPECT_LE(errors, 1.75 * plain_errors);  // squares: 0.5 to 1.1, and 1.6 of few filters
  const std::vector<float> shared = convolution.run(1, 3);
  EXPECT_TRUE(same_bits(shared, got));
}

// Sizes that are even, odd, and one of each; one place; blocks of squares with a rest, and too few
// for blocks; channels and filters that are no whole vectors or panels; several images; filters
// that do not stay in the cache.
const Case cases[] = {
    {"even", 1, 8, 8, 32, 32},
    {"odd", 1, 7, 7, 32, 32, 1, 1, 1, 1, true, true, true, true},
    {"odd_and_even", 1, 5, 8, 32, 64, 1, 1, 1, 1, true},
    {"one_place", 1, 1, 1, 16, 16, 1, 1, 1, 1, true, false, false, true},
    {"no_frame", 1, 9, 10, 16, 32, 0, 0, 0, 0},
    {"lopsided", 1, 9, 9, 16, 32, 0, 2, 1, 0, false, true},
    {"broken_channels", 1, 6, 6, 19, 37, 1, 1, 1, 1, true, true, true, true},
    {"few_filters", 1, 6, 6, 48, 5, 1, 1, 1, 1, true, false, true, false},
    {"batches", 3, 7, 9, 32, 48, 1, 1, 1, 1, true, false, true, true},
    {"blocks", 1, 28, 28, 32, 40, 1, 1, 1, 1, true, true, true, true},
    {"blocks_with_rest", 2, 27, 25, 64, 64, 1, 1, 1, 1, false, false, true, false},
    {"streamed", 1, 14, 14, 96, 96, 1, 1, 1, 1, true, false, false, true},
    {"many_filters", 1, 26, 26, 128, 136, 1, 1, 1, 1, true},
};

INSTANTIATE_TEST_SUITE_P(Sizes, Winograd, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &tested) {
                           return std::string(tested.param.name);
                         });

// By default only where there is something to be gained.
TEST(WinogradRule, LeavesSmallOnesAlone) {
  for (const Case &c : {Case{"small", 1, 8, 8, 64, 64}, Case{"thin", 1, 28, 28, 24, 64},
                        Case{"few", 1, 28, 28, 64, 16}}) {
    const Convolution convolution(c);
    EXPECT_EQ(convolution.run(0, 1, 1), convolution.run(-1, 1, 1)) << c.name;
  }
  const Convolution large({"large", 1, 10, 10, 32, 48});
  EXPECT_EQ(large.run(0, 1, 1), large.run(1, 1, 1));
}

// An infinity reaches the places whose windows hold it, and nothing else.
TEST(WinogradRule, KeepsInfinitiesInTheirWindows) {
  const Convolution convolution({"infinite", 1, 12, 12, 16, 16});
  const std::vector<float> before = convolution.run(1, 1, 1);
  for (const auto &[y0, x0] : std::vector<std::pair<int64_t, int64_t>>{{4, 5}, {5, 4}, {11, 11}}) {
    float *place = &convolution.x.as<float>()[(y0 * 12 + x0) * 16 + 3];
    const float was = *place;
    *place = std::numeric_limits<float>::infinity();
    const std::vector<float> behind = convolution.run(1, 1, 1);
    *place = was;
    for (int64_t i = 0; i < 12 * 12 * 16; i++) {
      const int64_t y = i / 16 / 12, x = i / 16 % 12;
      const float now = behind[static_cast<size_t>(i)];
      if (std::abs(y - y0) <= 1 && std::abs(x - x0) <= 1)
        EXPECT_FALSE(std::isfinite(now)) << y << ", " << x;
      else
        EXPECT_EQ(now, before[static_cast<size_t>(i)]) << y << ", " << x;
    }
  }
}

TEST(WinogradRule, RefusesOtherNumbers) {
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.winograd = 2;
  const Program program(
      "func.func @forward(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : "
      "tensor<2xf32>\n}\n",
      &options);
  EXPECT_EQ(program.code, BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(program.diags.text().find("winograd is 2"), std::string::npos);
}

}  // namespace
