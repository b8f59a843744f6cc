// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far vectorised functions are from the right number, in units of the last place.
//
// libmvec, which most of them go to on x86-64, promises 4 units; exp, erf and tanh are our own (inlined.ll).
// Remainders are exact.
//
// Every 4099th float is tried; with BUDDY_ULP=all every one of the 2^32 (a minute or so for each
// function).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/sdk/compile/harness.h"

namespace {

struct Function {
  const char *name;
  std::string op;  // from %x to %y
  double (*exact)(double x);
  double bound;         // ULP of the float nearest to the right number
  double absolute = 0;  // what is so near is right, however many they are
};

// Of quotients of any size: the least is about the least normal number.
constexpr float kSmall = 0.7F, kLeast = 0x1.800002p-126F, kMost = 0x1.6cf41ep+127F;
double rest_by_small(double x) { return std::fmod(x, static_cast<double>(kSmall)); }
double rest_by_least(double x) { return std::fmod(x, static_cast<double>(kLeast)); }
double rest_of_most(double x) { return std::fmod(static_cast<double>(kMost), x); }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double one(double x) { return std::isnan(x) ? x : 1; }
double one_plus_erf(double x) { return std::erfc(-x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

const Function functions[] = {
    {"exp", "%y = math.exp %x : f32", std::exp, 0.9},
    {"exp2", "%y = math.exp2 %x : f32", std::exp2, 4},
    {"expm1", "%y = math.expm1 %x : f32", std::expm1, 4},
    {"log", "%y = math.log %x : f32", std::log, 4},
    {"log2", "%y = math.log2 %x : f32", std::log2, 4},
    {"log1p", "%y = math.log1p %x : f32", std::log1p, 4},
    {"tanh", "%y = math.tanh %x : f32", std::tanh, 1.4},
    {"erf", "%y = math.erf %x : f32", std::erf, 1.5},
    {"sin", "%y = math.sin %x : f32", std::sin, 4},
    {"cos", "%y = math.cos %x : f32", std::cos, 4},
    {"atan", "%y = math.atan %x : f32", std::atan, 4},
    {"rsqrt", "%y = math.rsqrt %x : f32", rsqrt, 4},
    {"rest_by_small", "%d = arith.constant 0.7 : f32\n %y = arith.remf %x, %d : f32", rest_by_small,
     0},
    {"rest_by_least", "%d = arith.constant 0x00C00001 : f32\n %y = arith.remf %x, %d : f32",
     rest_by_least, 0},
    {"rest_of_most", "%n = arith.constant 0x7F367A0F : f32\n %y = arith.remf %n, %x : f32",
     rest_of_most, 0},
    {"sigmoid",
     "%one = arith.constant 1.0 : f32\n %n = arith.negf %x : f32\n %t = math.exp %n : f32\n"
     "%d = arith.addf %one, %t : f32\n %y = arith.divf %one, %d : f32",
     sigmoid, 5},
    {"one_plus_erf",
     "%one = arith.constant 1.0 : f32\n %w = math.erf %x : f32\n %y = arith.addf %one, %w : f32",
     one_plus_erf, 3, 0x1p-24},
    {"erf_beside_its_sum",
     "%one = arith.constant 1.0 : f32\n %w = math.erf %x : f32\n %s = arith.addf %w, %one : f32\n"
     "%y = arith.subf %s, %w : f32",
     one, 1},
};

// Distance in units of the last place of the float that is nearest to `exact`; none among
// numbers below the least normal one.
double ulps(float got, double exact) {
  const float nearest = static_cast<float>(exact);
  if (std::isnan(got) || std::isnan(nearest))
    return std::isnan(got) == std::isnan(nearest) ? 0 : INFINITY;
  if (got == nearest) return 0;
  if (std::fabs(exact) < 0x1p-126 && std::fabs(got) < 0x1p-126) return 0;  // flushed, or less exact
  if (std::isinf(got) || std::isinf(nearest)) return 1;  // on the edge of what a float holds
  const float next = std::nextafter(std::fabs(nearest), std::numeric_limits<float>::infinity());
  const double unit =
      std::isinf(next) ? std::ldexp(1.0, 104) : static_cast<double>(next) - std::fabs(nearest);
  return std::fabs(static_cast<double>(got) - exact) / unit;
}

class Ulp : public testing::TestWithParam<Function> {};

TEST_P(Ulp, StaysWithinItsBound) {
  const Function &f = GetParam();
  constexpr int64_t n = 1 << 16;
  Program program(R"(
    #id = affine_map<(i) -> (i)>
    func.func @forward(%a: tensor<65536xf32>) -> tensor<65536xf32> {
      %e = tensor.empty() : tensor<65536xf32>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%a : tensor<65536xf32>) outs(%e : tensor<65536xf32>) {
      ^bb0(%x: f32, %old: f32):
        )" + f.op +
                  R"(
        linalg.yield %y : f32
      } -> tensor<65536xf32>
      return %r : tensor<65536xf32>
    })");
  const char *how = std::getenv("BUDDY_ULP");
  const uint64_t step = how != nullptr && std::string(how) == "all" ? 1 : 4099;
  Tensor input(BUDDY_F32, {n});
  double worst = 0;
  float worst_at = 0;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32;) {
    for (int64_t i = 0; i < n; i++, bits += step) {
      const uint32_t pattern = static_cast<uint32_t>(bits);  // the last round begins again: no harm
      std::memcpy(input.as<float>() + i, &pattern, sizeof(pattern));
    }
    const auto output = program.run({&input});
    ASSERT_EQ(output.size(), 1u);
    for (int64_t i = 0; i < n; i++) {
      const float x = input.as<float>()[i];
      const double got = output[0].as<float>()[i], exact = f.exact(static_cast<double>(x)),
                   distance = ulps(output[0].as<float>()[i], exact);
      if (distance <= worst || std::fabs(got - exact) <= f.absolute) continue;
      worst = distance;
      worst_at = x;
    }
  }
  std::printf("%s: %.3f ULP at %a\n", f.name, worst, static_cast<double>(worst_at));
  EXPECT_LE(worst, f.bound) << f.name << " at " << worst_at;
}

INSTANTIATE_TEST_SUITE_P(Functions, Ulp, testing::ValuesIn(functions),
                         [](const testing::TestParamInfo<Function> &tested) {
                           return std::string(tested.param.name);
                         });

// The program takes n floats to what OP, of %x of the type, makes of them: vectors of so many, or numbers.
std::string program_of(const std::string &op, int64_t n, int64_t lanes) {
  const std::string all = "tensor<" + std::to_string(n) + "xf32>";
  const std::string type = lanes == 0 ? "f32" : "vector<" + std::to_string(lanes) + "xf32>";
  const std::string one = lanes == 0 ? "1.0 : f32" : "dense<1.0> : " + type;
  std::string text =
      "func.func @forward(%a: " + all + ") -> " + all +
      " {\n  %c0 = arith.constant 0 : index\n  %one = arith.constant " + one +
      "\n  %pad = arith.constant 0.0 : f32\n  %n = arith.constant " + std::to_string(n) +
      " : index\n  %step = arith.constant " + std::to_string(std::max<int64_t>(lanes, 1)) +
      " : index\n  %e = tensor.empty() : " + all +
      "\n  %r = scf.for %i = %c0 to %n step %step iter_args(%t = %e) -> (" + all + ") {\n";
  text += lanes == 0 ? "  %x = tensor.extract %a[%i] : " + all + "\n"
                     : "  %x = vector.transfer_read %a[%i], %pad {in_bounds = [true]} : " + all +
                           ", " + type + "\n";
  for (size_t at = 0; at < op.size(); ++at) text += op[at] == '$' ? type : std::string(1, op[at]);
  text += lanes == 0 ? "\n  %w = tensor.insert %y into %t[%i] : " + all
                     : "\n  %w = vector.transfer_write %y, %t[%i] {in_bounds = [true]} : " + type +
                           ", " + all;
  return text + "\n  scf.yield %w : " + all + "\n  }\n  return %r : " + all + "\n}\n";
}

TEST(OfVectors, AreTheBitsOfFloats) {
  constexpr int64_t n = 1 << 16;
  Tensor input(BUDDY_F32, {n});
  for (int64_t i = 0; i < n; i++) {
    const auto pattern = static_cast<uint32_t>(i * 65537);
    std::memcpy(input.as<float>() + i, &pattern, sizeof(pattern));
  }
  for (const char *op : {"%y = math.exp %x : $", "%y = math.erf %x : $",
                         "%f = math.erf %x : $\n %y = arith.addf %f, %one : $",
                         "%f = math.erf %x : $\n %g = arith.addf %f, %one : $\n"
                         "%y = arith.mulf %f, %g : $"}) {
    Program floats(program_of(op, n, 0));
    const auto expected = floats.run({&input});
    ASSERT_EQ(expected.size(), 1u);
    for (int64_t lanes : {2, 4, 8, 16, 32}) {
      Program vectors(program_of(op, n, lanes));
      const auto got = vectors.run({&input});
      ASSERT_EQ(got.size(), 1u);
      for (int64_t i = 0; i < n; i++) {
        const float a = expected[0].as<float>()[i], b = got[0].as<float>()[i];
        ASSERT_TRUE(std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)))
            << op << " of " << lanes << " at " << input.as<float>()[i] << ": " << a << ", " << b;
      }
    }
  }
}

}  // namespace
