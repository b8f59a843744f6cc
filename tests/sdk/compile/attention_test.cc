// Two products with a softmax between them are one loop, which gives PyTorch's numbers: masks of
// all forms, heads that share keys, rows that fill no block, and the same bits on any number of
// threads.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/sdk/compile/harness.h"

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

enum class Mask { kNone, kSum, kBool, kHides, kOfBatch, kCausal, kBehind };

struct Case {
  const char *name;
  int64_t heads, shared, rows, columns, depth, width;  // shared: heads that share keys
  Mask mask;
  bool is_late;  // what is done last is one division by a number per row
};

const Case cases[] = {
    {"plain", 3, 1, 40, 70, 20, 33, Mask::kNone, true},
    {"one", 1, 1, 130, 96, 64, 64, Mask::kNone, true},
    {"many", 9, 1, 197, 197, 16, 16, Mask::kNone, true},
    {"deep", 2, 1, 70, 3000, 8, 40, Mask::kNone, true},
    {"wide", 1, 1, 16, 33, 300, 100, Mask::kNone, true},
    {"sum", 3, 1, 40, 70, 20, 33, Mask::kSum, true},
    {"chosen", 3, 1, 40, 70, 20, 33, Mask::kBool, true},
    {"hidden", 3, 1, 40, 70, 20, 33, Mask::kHides, true},
    {"ofbatch", 6, 1, 40, 70, 20, 33, Mask::kOfBatch, true},
    {"causal", 2, 1, 300, 300, 20, 33, Mask::kCausal, true},
    {"causallong", 2, 1, 100, 300, 20, 33, Mask::kCausal, true},
    {"causaltall", 2, 1, 300, 100, 20, 33, Mask::kCausal, true},
    {"causalbehind", 2, 1, 130, 200, 20, 33, Mask::kBehind, true},
    {"shared", 6, 3, 40, 70, 20, 33, Mask::kNone, true},
    {"sharedcausal", 4, 2, 150, 150, 20, 33, Mask::kCausal, true},
    {"sharedmask", 6, 3, 40, 70, 20, 33, Mask::kOfBatch, true},
    {"early", 3, 1, 40, 70, 20, 33, Mask::kNone, false},
};

// Columns behind the row that Mask::kBehind still shows.
constexpr int64_t kBehind = 37;

std::string tensor(const std::vector<int64_t> &sizes, const char *element = "f32") {
  std::string text = "tensor<";
  for (int64_t s : sizes) text += std::to_string(s) + "x";
  return text + element + ">";
}

std::vector<int64_t> mask_sizes(const Case &c) {
  if (c.mask == Mask::kOfBatch) return {c.heads, c.columns};
  return {c.rows, c.columns};
}

bool has_bools(const Case &c) { return c.mask == Mask::kBool || c.mask == Mask::kHides; }

// %NAME = linalg.generic over heads, rows and columns.
std::string generic(const std::string &name, const std::string &maps, bool is_reduction,
                    const std::string &ins, const std::string &out, const std::string &type,
                    const std::string &body) {
  return "  %" + name + " = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [\"parallel\", \"parallel\", \"" +
         (is_reduction ? "reduction" : "parallel") + "\"]} ins(" + ins + ") outs(%" + out + " : " +
         type + ") {\n" + body + "  } -> " + type + "\n";
}

std::string filled(const std::string &name, const std::string &number, const std::string &type) {
  return "  %" + name + "e = tensor.empty() : " + type + "\n  %" + name + " = linalg.fill ins(%" +
         number + " : f32) outs(%" + name + "e : " + type + ") -> " + type + "\n";
}

// The body of the mask, from %s and perhaps %x to %y.
std::string mask_body(const Case &c) {
  const std::string scale = "  %z = arith.mulf %s, %scale : f32\n";
  switch (c.mask) {
    case Mask::kNone:
      return "  %y = arith.mulf %s, %scale : f32\n";
    case Mask::kSum:
    case Mask::kOfBatch:
      return scale + "  %y = arith.addf %z, %x : f32\n";
    case Mask::kBool:
      return scale + "  %y = arith.select %x, %z, %low : f32\n";
    case Mask::kHides:
      return "  %y = arith.select %x, %low, %s : f32\n";
    case Mask::kCausal:
      return scale +
             "  %i = linalg.index 1 : index\n  %j = linalg.index 2 : index\n"
             "  %shown = arith.cmpi sge, %i, %j : index\n"
             "  %y = arith.select %shown, %z, %low : f32\n";
    case Mask::kBehind:
      return scale +
             "  %i = linalg.index 1 : index\n  %j = linalg.index 2 : index\n"
             "  %i64 = arith.index_cast %i : index to i64\n"
             "  %j64 = arith.index_cast %j : index to i64\n"
             "  %far = arith.addi %i64, %behind : i64\n"
             "  %hidden = arith.cmpi sgt, %j64, %far : i64\n"
             "  %y = arith.select %hidden, %low, %z : f32\n";
  }
  return "";
}

// Read by others, too, the scores are there as a whole.
std::string module_of(const Case &c, bool is_read_twice) {
  const int64_t keys = c.heads / c.shared, long_rows = c.shared * c.rows;
  const std::string q = tensor({keys, long_rows, c.depth}), k = tensor({keys, c.columns, c.depth}),
                    v = tensor({keys, c.columns, c.width}),
                    product = tensor({keys, long_rows, c.columns}),
                    scores = tensor({c.heads, c.rows, c.columns}), row = tensor({c.heads, c.rows}),
                    out = tensor({keys, long_rows, c.width});
  const bool has_mask = c.mask != Mask::kNone && c.mask < Mask::kCausal;
  const char *const of_mask = has_bools(c) ? "i1" : "f32";
  const std::string mask = tensor(mask_sizes(c), of_mask);
  const std::string results = is_read_twice ? "(" + out + ", " + scores + ")" : out;
  std::string text =
      "#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>\n#row = affine_map<(d0, d1, d2) -> (d0, "
      "d1)>\n#mask = affine_map<(d0, d1, d2) -> (";
  text += c.mask == Mask::kOfBatch ? "d0, d2" : "d1, d2";
  text += ")>\nfunc.func @forward(%q: " + q + ", %k: " + k + ", %v: " + v + ", %m: " + mask +
          ") -> " + results +
          " {\n  %zero = arith.constant 0.0 : f32\n  %low = arith.constant 0xFF800000 : f32\n"
          "  %scale = arith.constant 0.25 : f32\n  %behind = arith.constant " +
          std::to_string(kBehind) + " : i64\n" + filled("p0", "zero", product) +
          "  %p = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, "
          "affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%q, "
          "%k : " +
          q + ", " + k + ") outs(%p0 : " + product + ") -> " + product + "\n";
  std::string first = "p";
  if (c.shared > 1) {
    const std::string flat = tensor({c.heads * c.rows, c.columns});
    text += "  %pf = tensor.collapse_shape %p [[0, 1], [2]] : " + product + " into " + flat +
            "\n  %ph = tensor.expand_shape %pf [[0, 1], [2]] output_shape [" +
            std::to_string(c.heads) + ", " + std::to_string(c.rows) + ", " +
            std::to_string(c.columns) + "] : " + flat + " into " + scores + "\n";
    first = "ph";
  }
  text += "  %se = tensor.empty() : " + scores + "\n";
  text += generic(
      "s", has_mask ? "#all, #mask, #all" : "#all, #all", false,
      has_mask ? "%" + first + ", %m : " + scores + ", " + mask : "%" + first + " : " + scores,
      "se", scores,
      std::string("  ^bb0(%s: f32, ") + (has_mask ? std::string("%x: ") + of_mask + ", " : "") +
          "%old: f32):\n" + mask_body(c) + "  linalg.yield %y : f32\n");
  text += filled("t0", "low", row);
  text += generic("t", "#all, #row", true, "%s : " + scores, "t0", row,
                  "  ^bb0(%x: f32, %old: f32):\n  %y = arith.maximumf %x, %old : f32\n"
                  "  linalg.yield %y : f32\n");
  text += "  %ee = tensor.empty() : " + scores + "\n";
  text += generic("e", "#all, #row, #all", false, "%s, %t : " + scores + ", " + row, "ee", scores,
                  "  ^bb0(%x: f32, %r: f32, %old: f32):\n  %d = arith.subf %x, %r : f32\n"
                  "  %y = math.exp %d : f32\n  linalg.yield %y : f32\n");
  text += filled("u0", "zero", row);
  text += generic("u", "#all, #row", true, "%e : " + scores, "u0", row,
                  "  ^bb0(%x: f32, %old: f32):\n  %y = arith.addf %x, %old : f32\n"
                  "  linalg.yield %y : f32\n");
  text += "  %we = tensor.empty() : " + scores + "\n";
  text += generic("w", "#all, #row, #all", false, "%e, %u : " + scores + ", " + row, "we", scores,
                  c.is_late ? "  ^bb0(%x: f32, %r: f32, %old: f32):\n  %y = arith.divf %x, %r : "
                              "f32\n  linalg.yield %y : f32\n"
                            : "  ^bb0(%x: f32, %r: f32, %old: f32):\n  %h = arith.divf %x, %r : "
                              "f32\n  %y = arith.addf %h, %scale : f32\n  linalg.yield %y : "
                              "f32\n");
  std::string last = "w";
  if (c.shared > 1) {
    const std::string flat = tensor({c.heads * c.rows, c.columns});
    text += "  %wf = tensor.collapse_shape %w [[0, 1], [2]] : " + scores + " into " + flat +
            "\n  %wp = tensor.expand_shape %wf [[0, 1], [2]] output_shape [" +
            std::to_string(keys) + ", " + std::to_string(long_rows) + ", " +
            std::to_string(c.columns) + "] : " + flat + " into " + product + "\n";
    last = "wp";
  }
  text += filled("o0", "zero", out);
  text += "  %o = linalg.batch_matmul ins(%" + last + ", %v : " + product + ", " + v +
          ") outs(%o0 : " + out + ") -> " + out + "\n";
  return text +
         (is_read_twice ? "  return %o, %w : " + out + ", " + scores : "  return %o : " + out) +
         "\n}\n";
}

struct Inputs {
  Tensor q, k, v, m;
};

Inputs inputs_of(const Case &c) {
  const int64_t keys = c.heads / c.shared;
  return {Tensor::random(BUDDY_F32, {keys, c.shared * c.rows, c.depth}, 1),
          Tensor::random(BUDDY_F32, {keys, c.columns, c.depth}, 2),
          Tensor::random(BUDDY_F32, {keys, c.columns, c.width}, 3),
          Tensor::random(has_bools(c) ? BUDDY_BOOL : BUDDY_F32, mask_sizes(c), 4)};
}

double score_of(const Case &c, const Inputs &in, int64_t head, int64_t row, int64_t column) {
  const float *q = in.q.as<float>() + (head * c.rows + row) * c.depth,
              *k = in.k.as<float>() + (head / c.shared * c.columns + column) * c.depth;
  double sum = 0;
  for (int64_t i = 0; i < c.depth; i++) sum += static_cast<double>(q[i]) * k[i];
  sum *= 0.25;
  const int64_t at = row * c.columns + column;
  switch (c.mask) {
    case Mask::kNone:
      return sum;
    case Mask::kSum:
      return sum + in.m.as<float>()[at];
    case Mask::kOfBatch:
      return sum + in.m.as<float>()[head * c.columns + column];
    case Mask::kBool:
      return in.m.as<uint8_t>()[at] ? sum : -kInfinity;
    case Mask::kHides:
      return in.m.as<uint8_t>()[at] ? -kInfinity : 4 * sum;
    case Mask::kCausal:
      return row >= column ? sum : -kInfinity;
    case Mask::kBehind:
      return column > row + kBehind ? -kInfinity : sum;
  }
  return 0;
}

// What the loop is to give, in doubles.
std::vector<double> expected(const Case &c, const Inputs &in) {
  std::vector<double> all;
  for (int64_t head = 0; head < c.heads; head++) {
    for (int64_t row = 0; row < c.rows; row++) {
      std::vector<double> scores, out(static_cast<size_t>(c.width));
      double most = -kInfinity, sum = 0;
      for (int64_t j = 0; j < c.columns; j++) {
        scores.push_back(score_of(c, in, head, row, j));
        most = std::fmax(most, scores.back());
      }
      for (double &s : scores) sum += s = std::exp(s - most);
      for (int64_t j = 0; j < c.columns; j++) {
        const float *v = in.v.as<float>() + (head / c.shared * c.columns + j) * c.width;
        const double weight = scores[static_cast<size_t>(j)] / sum + (c.is_late ? 0 : 0.25);
        for (int64_t i = 0; i < c.width; i++) out[static_cast<size_t>(i)] += weight * v[i];
      }
      all.insert(all.end(), out.begin(), out.end());
    }
  }
  return all;
}

class Attention : public testing::TestWithParam<Case> {};

TEST_P(Attention, IsOneLoop) {
  const Case &c = GetParam();
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.opt_level = -1;
  options.profile = 1;
  Program fused(module_of(c, false), &options), apart(module_of(c, true), &options);
  const Inputs in = inputs_of(c);
  const std::vector<const Tensor *> given = {&in.q, &in.k, &in.v, &in.m};
  const auto got = fused.run(given), other = apart.run(given);
  ASSERT_EQ(got.size(), 1u);
  ASSERT_EQ(other.size(), 2u);
  EXPECT_EQ(buddy_program_n_steps(fused.program), 1u);
  EXPECT_EQ(buddy_program_n_steps(apart.program), 3u);  // a product, rows, a product
  const std::vector<double> want = expected(c, in);
  ASSERT_EQ(got[0].n(), want.size());
  for (size_t i = 0; i < want.size(); i++) {
    ASSERT_NEAR(got[0].as<float>()[i], want[i], 2e-6 * (1 + std::fabs(want[i]))) << "element " << i;
    ASSERT_NEAR(other[0].as<float>()[i], want[i], 2e-6 * (1 + std::fabs(want[i])))
        << "apart, element " << i;
  }
  for (const uint32_t threads : {1u, 2u, 5u}) {
    buddy_program_set_threads(fused.program, threads);
    const auto shared = fused.run(given);
    EXPECT_EQ(std::memcmp(shared[0].as<float>(), got[0].as<float>(), got[0].n() * sizeof(float)), 0)
        << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, Attention, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &tested) {
                           return std::string(tested.param.name);
                         });

// The values of hidden columns are not read by blocks of rows that show none of a panel.
TEST(AttentionLimit, HiddenColumnsAreLeftOut) {
  for (const Mask mask : {Mask::kCausal, Mask::kBehind}) {
    const Case c = {"", 1, 1, 320, 320, 16, 16, mask, true};
    Program program(module_of(c, false));
    Inputs in = inputs_of(c);
    for (int64_t i = 0; i < c.width; i++) in.v.as<float>()[(c.columns - 1) * c.width + i] = kNan;
    const auto got = program.run({&in.q, &in.k, &in.v, &in.m});
    ASSERT_EQ(got.size(), 1u);
    EXPECT_FALSE(std::isnan(got[0].as<float>()[0]));
    EXPECT_FALSE(std::isnan(got[0].as<float>()[180 * c.width]));
    EXPECT_TRUE(std::isnan(got[0].as<float>()[319 * c.width]));
  }
}

// A row that a mask hides as a whole is nan, as it is without the loop.
TEST(AttentionLimit, RowsHiddenAsAWholeAreNan) {
  const Case c = {"", 2, 1, 40, 70, 20, 33, Mask::kSum, true};
  Program program(module_of(c, false));
  Inputs in = inputs_of(c);
  for (int64_t j = 0; j < c.columns; j++)
    in.m.as<float>()[7 * c.columns + j] = static_cast<float>(-kInfinity);
  const auto got = program.run({&in.q, &in.k, &in.v, &in.m});
  ASSERT_EQ(got.size(), 1u);
  for (int64_t row = 0; row < 2 * c.rows; row++) {
    for (int64_t i = 0; i < c.width; i++)
      ASSERT_EQ(std::isnan(got[0].as<float>()[row * c.width + i]), row % c.rows == 7) << row;
  }
}

}  // namespace
