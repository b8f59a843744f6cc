// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that follow one another and need of each other only their own rows are one loop, of any
// size; those that need more are not; and elementwise results lie where their operands did.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/sdk/compile/harness.h"

namespace {

using Sizes = std::vector<int64_t>;

std::string tensor_of(const Sizes &sizes, const std::string &element = "f32") {
  std::string text = "tensor<";
  for (const int64_t n : sizes) text += (n < 0 ? "?" : std::to_string(n)) + "x";
  return text + element + ">";
}

const char *const kWhole = "affine_map<(a, b, c) -> (a, b, c)>";

// A generic over [a, b, c]. maps: of the inputs and the result; c may be summed up.
std::string generic(const std::string &name, const std::vector<std::string> &inputs,
                    const std::vector<std::string> &types, const std::vector<std::string> &maps,
                    const std::string &begin, const std::string &type, const char *last,
                    const std::string &body) {
  std::string all_maps, all_inputs, all_types, arguments;
  for (size_t i = 0; i < maps.size(); i++) all_maps += (i > 0 ? ", " : "") + maps[i];
  for (size_t i = 0; i < inputs.size(); i++) {
    all_inputs += (i > 0 ? ", " : "") + inputs[i];
    all_types += (i > 0 ? ", " : "") + types[i];
    arguments += "%i" + std::to_string(i) + ": f32, ";
  }
  return "  " + name + " = linalg.generic {indexing_maps = [" + all_maps +
         "], iterator_types = [\"parallel\", \"parallel\", \"" + last + "\"]} ins(" + all_inputs +
         " : " + all_types + ") outs(" + begin + " : " + type + ") {\n  ^bb0(" + arguments +
         "%o: f32):\n" + body + "  } -> " + type + "\n";
}

// x -> exp(x - max) / sum, over the last axis: largest, exponentials, sum, quotients.
std::string softmax(const Sizes &sizes) {
  const bool is_dynamic = sizes[0] < 0;
  const Sizes rows(sizes.begin(), sizes.end() - 1);
  const std::string whole = tensor_of(sizes), row = tensor_of(rows);
  const std::string by_row = "affine_map<(a, b, c) -> (a, b)>";
  std::string text = "func.func @forward(%x: " + whole + ") -> " + whole + " {\n";
  text += "  %z = arith.constant 0.0 : f32\n  %l = arith.constant 0xFF800000 : f32\n";
  for (int d = 0; d < 3; d++) {
    const std::string n = std::to_string(d);
    text += "  %c" + n + " = arith.constant " + n + " : index\n";
    text += "  %n" + n + " = tensor.dim %x, %c" + n + " : " + whole + "\n";
  }
  text += "  %er = tensor.empty(" + std::string(is_dynamic ? "%n0, %n1" : "") + ") : " + row +
          "\n  %ew = tensor.empty(" + (is_dynamic ? "%n0, %n1, %n2" : "") + ") : " + whole + "\n";
  for (const char *fill : {"l", "z"})
    text += std::string("  %f") + fill + " = linalg.fill ins(%" + fill +
            " : f32) outs(%er : " + row + ") -> " + row + "\n";
  text += generic("%m", {"%x"}, {whole}, {kWhole, by_row}, "%fl", row, "reduction",
                  "    %t = arith.maximumf %i0, %o : f32\n    linalg.yield %t : f32\n");
  text +=
      generic("%e", {"%x", "%m"}, {whole, row}, {kWhole, by_row, kWhole}, "%ew", whole, "parallel",
              "    %d = arith.subf %i0, %i1 : f32\n    %t = math.exp %d : f32\n"
              "    linalg.yield %t : f32\n");
  text += generic("%s", {"%e"}, {whole}, {kWhole, by_row}, "%fz", row, "reduction",
                  "    %t = arith.addf %o, %i0 : f32\n    linalg.yield %t : f32\n");
  text += generic("%q", {"%e", "%s"}, {whole, row}, {kWhole, by_row, kWhole}, "%ew", whole,
                  "parallel", "    %t = arith.divf %i0, %i1 : f32\n    linalg.yield %t : f32\n");
  return text + "  return %q : " + whole + "\n}\n";
}

void check_softmax(Program &program, const Sizes &sizes) {
  const Tensor x = Tensor::random(BUDDY_F32, sizes, 7);
  program.run({&x});  // what is computed once
  const std::vector<Tensor> out = program.run({&x});
  ASSERT_EQ(out.size(), 1u);
  const size_t n = static_cast<size_t>(sizes[2]);
  for (size_t begin = 0; begin < x.n(); begin += n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += std::exp(static_cast<double>(x.as<float>()[begin + i]));
    for (size_t i = 0; i < n; i++) {
      const double want = std::exp(static_cast<double>(x.as<float>()[begin + i])) / sum;
      ASSERT_NEAR(out[0].as<float>()[begin + i], want, 1e-6 * want) << "element " << begin + i;
    }
  }
}

buddy_compile_options profiling() {
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.profile = 1;
  return options;
}

class Rows : public testing::TestWithParam<Sizes> {};

TEST_P(Rows, OfKnownSizesAreOneLoop) {
  const buddy_compile_options options = profiling();
  Program program(softmax(GetParam()), &options);
  check_softmax(program, GetParam());
  const int64_t rows = GetParam()[0] * GetParam()[1];
  if (rows >= 8 && GetParam()[2] > 1) {
    EXPECT_EQ(buddy_program_n_steps(program.program), 1u);
  }
}

TEST_P(Rows, OfSymbolicSizesAreOneLoop) {
  const buddy_compile_options options = profiling();
  Program program(softmax({-1, -1, -1}), &options);
  check_softmax(program, GetParam());
  EXPECT_EQ(buddy_program_n_steps(program.program), 3u);  // two check sizes
}

TEST_P(Rows, AreTheSameOnAnyNumberOfThreads) {
  Program program(softmax(GetParam()));
  const Tensor x = Tensor::random(BUDDY_F32, GetParam(), 3);
  buddy_program_set_threads(program.program, 1);
  const std::vector<float> one = program.run({&x})[0].values<float>();
  for (const int threads : {2, 5}) {
    buddy_program_set_threads(program.program, threads);
    EXPECT_TRUE(same_bits(one, program.run({&x})[0].values<float>())) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Rows,
                         testing::Values(Sizes{1, 64, 1000}, Sizes{64, 1, 1000}, Sizes{7, 5, 33},
                                         Sizes{1, 1, 5}, Sizes{0, 4, 8}, Sizes{4, 4, 1},
                                         Sizes{33, 65, 7}, Sizes{2, 3, 4097}));

// What is computed of t, itself computed of x: rows are of any axis but the last.
struct Needing {
  const char *name, *map, *what;
  size_t n_loops;
};

const Needing kNeeds[] = {
    {"Own", "affine_map<(a, b, c) -> (a, b, c)>", "its own place", 1},
    {"InRow", "affine_map<(a, b, c) -> (a, b, 31 - c)>", "another place of the row", 1},
    {"OtherRow", "affine_map<(a, b, c) -> (a, 31 - b, c)>", "another row of the same a", 1},
    {"Turned", "affine_map<(a, b, c) -> (b, a, c)>", "rows that change places", 1},
    {"OneRow", "affine_map<(a, b, c) -> (5, b, c)>", "rows of the second axis", 1},
    {"Innermost", "affine_map<(a, b, c) -> (c, b, a)>", "columns, which are transposed in between",
     3},
};

class Needs : public testing::TestWithParam<Needing> {};

// t = x x, used twice, so that nothing else puts the two together; y = t[map] + 1
TEST_P(Needs, OnlyTheirOwnRows) {
  const Needing &c = GetParam();
  const Sizes sizes = {32, 32, 32};
  const std::string whole = tensor_of(sizes);
  std::string text = "func.func @forward(%x: " + whole + ") -> (" + whole + ", " + whole + ") {\n";
  text += "  %one = arith.constant 1.0 : f32\n  %e = tensor.empty() : " + whole + "\n";
  text += generic("%t", {"%x"}, {whole}, {kWhole, kWhole}, "%e", whole, "parallel",
                  "    %p = arith.mulf %i0, %i0 : f32\n    linalg.yield %p : f32\n");
  text += generic("%y", {"%t"}, {whole}, {c.map, kWhole}, "%e", whole, "parallel",
                  "    %p = arith.addf %i0, %one : f32\n    linalg.yield %p : f32\n");
  text += "  return %t, %y : " + whole + ", " + whole + "\n}\n";
  const buddy_compile_options options = profiling();
  Program program(text, &options);
  const Tensor x = Tensor::random(BUDDY_F32, sizes, 11);
  const std::vector<Tensor> out = program.run({&x});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(buddy_program_n_steps(program.program), c.n_loops) << c.what;
  const std::string map = c.map;
  for (size_t i = 0; i < x.n(); i++) {
    const size_t a = i / 1024, b = i / 32 % 32, l = i % 32;
    size_t from = i;
    if (map.find("31 - c") != std::string::npos) from = i - l + 31 - l;
    if (map.find("31 - b") != std::string::npos) from = (a * 32 + 31 - b) * 32 + l;
    if (map.find("(b, a, c)") != std::string::npos) from = (b * 32 + a) * 32 + l;
    if (map.find("(5, b, c)") != std::string::npos) from = (5 * 32 + b) * 32 + l;
    if (map.find("(c, b, a)") != std::string::npos) from = (l * 32 + b) * 32 + a;
    const float t = x.as<float>()[from];
    ASSERT_EQ(out[1].as<float>()[i], t * t + 1.0f) << "element " << i;
    ASSERT_EQ(out[0].as<float>()[i], x.as<float>()[i] * x.as<float>()[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Needs, testing::ValuesIn(kNeeds),
                         [](const testing::TestParamInfo<Needing> &tested) {
                           return std::string(tested.param.name);
                         });

// t[a, b], the largest of rows of x, is read by what makes y for the last time: y may lie where t did only if
// each place of it is read for that place alone.
const char *const kReadings[] = {"(a, b)", "(b, a)", "(a, 31 - b)", "(31 - a, b)", "(3, b)"};

class Reuse : public testing::TestWithParam<const char *> {};

TEST_P(Reuse, IsOfTheSamePlaces) {
  const std::string map = GetParam();
  Program program(
      "func.func @forward(%x: tensor<32x32x40xf32>) -> tensor<32x32xf32> {\n"
      "  %l = arith.constant 0xFF800000 : f32\n  %e = tensor.empty() : tensor<32x32xf32>\n"
      "  %f = linalg.fill ins(%l : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>\n"
      "  %t = linalg.reduce { arith.maximumf } ins(%x : tensor<32x32x40xf32>) "
      "outs(%f : tensor<32x32xf32>) dimensions = [2]\n"
      "  %y = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) "
      "-> " +
      map +
      ">, affine_map<(a, b) -> (a, b)>], iterator_types = [\"parallel\", \"parallel\"]} "
      "ins(%t, %t : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {\n"
      "  ^bb0(%i: f32, %j: f32, %o: f32):\n    %p = arith.mulf %i, %j : f32\n"
      "    linalg.yield %p : f32\n  } -> tensor<32x32xf32>\n  return %y : tensor<32x32xf32>\n}\n");
  const Tensor x = Tensor::random(BUDDY_F32, {32, 32, 40}, 5);
  const std::vector<Tensor> out = program.run({&x});
  ASSERT_EQ(out.size(), 1u);
  std::vector<float> t(1024, -INFINITY);
  for (size_t i = 0; i < x.n(); i++) t[i / 40] = std::fmax(t[i / 40], x.as<float>()[i]);
  for (size_t i = 0; i < t.size(); i++) {
    const size_t a = i / 32, b = i % 32;
    const size_t from = map == "(a, b)"        ? i
                        : map == "(b, a)"      ? b * 32 + a
                        : map == "(a, 31 - b)" ? a * 32 + 31 - b
                        : map == "(31 - a, b)" ? (31 - a) * 32 + b
                                               : 3 * 32 + b;
    ASSERT_EQ(out[0].as<float>()[i], t[i] * t[from]) << map << ", element " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Reuse, testing::ValuesIn(kReadings));

// What stays where it is between operations that go into a loop: t, then g gathered from it, then y of t.
TEST(Order, AGatherReadsWhatWasMadeBefore) {
  const std::string whole = tensor_of({16, 8, 6});
  std::string text = "func.func @forward(%x: " + whole + ") -> (tensor<6xf32>, " + whole + ", " +
                     whole +
                     ") {\n  %one = arith.constant 1.0 : f32\n  %e = tensor.empty() : " + whole +
                     "\n  %few = tensor.empty() : tensor<6xf32>\n";
  text += generic("%t", {"%x"}, {whole}, {kWhole, kWhole}, "%e", whole, "parallel",
                  "    %p = arith.mulf %i0, %i0 : f32\n    linalg.yield %p : f32\n");
  text +=
      "  %g = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = "
      "[\"parallel\"]} outs(%few : tensor<6xf32>) {\n  ^bb0(%o: f32):\n    %i = linalg.index 0 : "
      "index\n    %p = tensor.extract %t[%i, %i, %i] : " +
      whole + "\n    linalg.yield %p : f32\n  } -> tensor<6xf32>\n";
  text += generic("%y", {"%t"}, {whole}, {kWhole, kWhole}, "%e", whole, "parallel",
                  "    %p = arith.addf %i0, %one : f32\n    linalg.yield %p : f32\n");
  text += "  return %g, %t, %y : tensor<6xf32>, " + whole + ", " + whole + "\n}\n";
  Program program(text);
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const Tensor x = Tensor::random(BUDDY_F32, {16, 8, 6}, seed);
    const std::vector<Tensor> out = program.run({&x});
    ASSERT_EQ(out.size(), 3u);
    for (size_t i = 0; i < 6; ++i) {
      const float from = x.as<float>()[(i * 8 + i) * 6 + i];
      EXPECT_EQ(out[0].as<float>()[i], from * from) << "seed " << seed << ", element " << i;
    }
  }
}

// p, sums of two neighbours, which are no rows; y = p less the sum of its row, which are.
TEST(Order, AFillStaysBeforeTheSumsThatBeginWithIt) {
  const std::string whole = tensor_of({1, 12, 6}), row = tensor_of({1, 12});
  const std::string by_row = "affine_map<(a, b, c) -> (a, b)>";
  std::string text = "func.func @forward(%x: tensor<1x13x6xf32>) -> " + whole +
                     " {\n  %z = arith.constant 0.0 : f32\n  %w = tensor.empty() : tensor<2xf32>\n"
                     "  %e = tensor.empty() : " +
                     whole + "\n  %er = tensor.empty() : " + row + "\n";
  text += "  %f = linalg.fill ins(%z : f32) outs(%e : " + whole + ") -> " + whole + "\n";
  text += "  %fr = linalg.fill ins(%z : f32) outs(%er : " + row + ") -> " + row + "\n";
  text +=
      "  %p = linalg.generic {indexing_maps = [affine_map<(a, b, c, w) -> (a, b + w, c)>, "
      "affine_map<(a, b, c, w) -> (w)>, affine_map<(a, b, c, w) -> (a, b, c)>], iterator_types = "
      "[\"parallel\", \"parallel\", \"parallel\", \"reduction\"]} ins(%x, %w : "
      "tensor<1x13x6xf32>, tensor<2xf32>) outs(%f : " +
      whole + ") {\n  ^bb0(%i: f32, %j: f32, %o: f32):\n    %s = arith.addf %o, %i : f32\n" +
      "    linalg.yield %s : f32\n  } -> " + whole + "\n";
  text += generic("%s", {"%p"}, {whole}, {kWhole, by_row}, "%fr", row, "reduction",
                  "    %t = arith.addf %o, %i0 : f32\n    linalg.yield %t : f32\n");
  text += generic("%y", {"%p", "%s"}, {whole, row}, {kWhole, by_row, kWhole}, "%e", whole,
                  "parallel", "    %t = arith.subf %i0, %i1 : f32\n    linalg.yield %t : f32\n");
  Program program(text + "  return %y : " + whole + "\n}\n");
  for (const uint32_t seed : {1u, 2u}) {
    const Tensor x = Tensor::random(BUDDY_F32, {1, 13, 6}, seed);
    const std::vector<Tensor> out = program.run({&x});
    for (size_t b = 0; b < 12; ++b) {
      double p[6], sum = 0;
      for (size_t c = 0; c < 6; ++c) {
        p[c] = x.as<float>()[b * 6 + c] + x.as<float>()[b * 6 + 6 + c];
        sum += p[c];
      }
      for (size_t c = 0; c < 6; ++c)
        EXPECT_NEAR(out[0].as<float>()[b * 6 + c], p[c] - sum, 1e-5) << b << ", " << c;
    }
  }
}

// Rows that are divided by a number of their own, in f32 and f64: the quotients are those of division, whatever is
// divided by whatever; in rows of moderate numbers one in a thousand may be the next number to it.
template <typename T>
class Quotients : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Quotients, Floats, );

TYPED_TEST(Quotients, AreThoseOfDivision) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  const std::string type = sizeof(T) == 4 ? "f32" : "f64",
                    begin = sizeof(T) == 4 ? "0xFF800000" : "0xFFF0000000000000";
  const std::vector<T> by = {1,
                             3,
                             T(-0.7),
                             T(1e-6),
                             49,
                             Limits::min(),
                             Limits::denorm_min(),
                             Limits::max(),
                             0,
                             T(-0.0),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             T(1e17),
                             T(1e-17),
                             T(1e19)};
  const int64_t rows = static_cast<int64_t>(by.size()), columns = 300;
  const std::string whole = tensor_of({rows, columns}, type), row = tensor_of({rows}, type),
                    pairs = tensor_of({rows, 2}, type);
  Program program("func.func @forward(%x: " + whole + ", %p: " + pairs + ") -> " + whole +
                  " {\n  %l = arith.constant " + begin + " : " + type +
                  "\n  %er = tensor.empty() : " + row + "\n  %ew = tensor.empty() : " + whole +
                  "\n  %f = linalg.fill ins(%l : " + type + ") outs(%er : " + row + ") -> " + row +
                  "\n  %s = linalg.reduce { arith.maximumf } ins(%p : " + pairs +
                  ") outs(%f : " + row + ") dimensions = [1]\n" +
                  "  %q = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, "
                  "affine_map<(a, b) -> (a)>, "
                  "affine_map<(a, b) -> (a, b)>], iterator_types = [\"parallel\", \"parallel\"]} "
                  "ins(%x, %s : " +
                  whole + ", " + row + ") outs(%ew : " + whole + ") {\n  ^bb0(%i: " + type +
                  ", %j: " + type + ", %o: " + type + "):\n    %d = arith.divf %i, %j : " + type +
                  "\n    linalg.yield %d : " + type + "\n  } -> " + whole +
                  "\n  return %q : " + whole + "\n}\n");
  const buddy_dtype dtype = sizeof(T) == 4 ? BUDDY_F32 : BUDDY_F64;
  Tensor x = Tensor::random(dtype, {rows, columns}, 4), p = Tensor::random(dtype, {rows, 2}, 1);
  const T special[] = {0,
                       T(-0.0),
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::max(),
                       Limits::min(),
                       Limits::denorm_min(),
                       T(3) * Limits::denorm_min()};
  for (size_t a = 0; a < by.size(); ++a) {
    p.template as<T>()[2 * a] = p.template as<T>()[2 * a + 1] = by[a];
    size_t b = a * static_cast<size_t>(columns);
    for (const T number : special) x.template as<T>()[b++] = number;
  }
  const std::vector<Tensor> out = program.run({&x, &p});
  size_t n_near = 0;
  for (size_t i = 0; i < x.n(); ++i) {
    const T from = x.template as<T>()[i], s = by[i / static_cast<size_t>(columns)], want = from / s;
    const T got = out[0].template as<T>()[i];
    if (std::isnan(want) ? std::isnan(got) : std::memcmp(&want, &got, sizeof want) == 0) continue;
    ++n_near;
    ASSERT_TRUE(got == std::nextafter(want, Limits::infinity()) ||
                got == std::nextafter(want, -Limits::infinity()))
        << from << " / " << s << ": " << got << ", not " << want;
  }
  EXPECT_LE(n_near, x.n() / 1000);
}

// t of x, which is a result or is not, is summed up along the row where it is made: long sums stay accurate.
class Merged : public testing::TestWithParam<bool> {};

TEST_P(Merged, AResultIsSummedUpWhereItIsMade) {
  const bool is_result = GetParam();
  for (const int64_t n : {5, 64, 4097, 70000}) {
    const Sizes sizes = {3, 4, n};
    const std::string whole = tensor_of(sizes), row = tensor_of({3, 4});
    const std::string results = (is_result ? whole + ", " : "") + row;
    std::string text = "func.func @forward(%x: " + whole + ") -> (" + results + ") {\n" +
                       "  %z = arith.constant 0.5 : f32\n  %e = tensor.empty() : " + whole +
                       "\n  %er = tensor.empty() : " + row +
                       "\n  %f = linalg.fill ins(%z : f32) outs(%er : " + row + ") -> " + row +
                       "\n";
    text += generic("%t", {"%x"}, {whole}, {kWhole, kWhole}, "%e", whole, "parallel",
                    "    %p = arith.mulf %i0, %i0 : f32\n    linalg.yield %p : f32\n");
    text += generic("%s", {"%t"}, {whole}, {kWhole, "affine_map<(a, b, c) -> (a, b)>"}, "%f", row,
                    "reduction", "    %p = arith.addf %o, %i0 : f32\n    linalg.yield %p : f32\n");
    Program program(text + (is_result ? "  return %t, %s : " : "  return %s : ") + results +
                    "\n}\n");
    const Tensor x = Tensor::random(BUDDY_F32, sizes, 13);
    const std::vector<Tensor> out = program.run({&x});
    for (size_t a = 0; a < 12; ++a) {
      double sum = 0.5;
      for (size_t i = a * static_cast<size_t>(n); i < (a + 1) * static_cast<size_t>(n); ++i) {
        const float square = x.as<float>()[i] * x.as<float>()[i];
        if (is_result) {
          ASSERT_EQ(out[0].as<float>()[i], square) << n << ", element " << i;
        }
        sum += static_cast<double>(square);
      }
      EXPECT_NEAR(out.back().as<float>()[a], sum, 4e-7 * sum) << n << ", row " << a;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Merged, testing::Bool());

/* The product has a loop of one round, whose size only the squares tell, which it does not read then. */
TEST(MergedLoops, ALoopThatOnlyTheResultTells) {
  Program program(R"(
func.func @forward(%x: tensor<4x1x2x3xf32>) -> (tensor<4x1x2x3xf32>, tensor<4x2x3xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x1x2x3xf32>
  %er = tensor.empty() : tensor<4x2x3xf32>
  %f = linalg.fill ins(%one : f32) outs(%er : tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>,
                                        affine_map<(a, b, c, d) -> (a, b, c, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x1x2x3xf32>) outs(%e : tensor<4x1x2x3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %i : f32
    linalg.yield %p : f32
  } -> tensor<4x1x2x3xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>,
                                        affine_map<(a, b, c, d) -> (a, c, d)>],
                       iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
      ins(%t : tensor<4x1x2x3xf32>) outs(%f : tensor<4x2x3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %o, %i : f32
    linalg.yield %p : f32
  } -> tensor<4x2x3xf32>
  return %t, %s : tensor<4x1x2x3xf32>, tensor<4x2x3xf32>
}
)");
  const Tensor x = Tensor::random(BUDDY_F32, {4, 1, 2, 3}, 17);
  const std::vector<Tensor> out = program.run({&x});
  for (size_t i = 0; i < 24; ++i) {
    const float square = x.as<float>()[i] * x.as<float>()[i];
    EXPECT_EQ(out[0].as<float>()[i], square) << i;
    EXPECT_EQ(out[1].as<float>()[i], square) << i;
  }
}

}  // namespace
