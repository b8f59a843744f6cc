// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two products with a softmax between them are one loop, which gives PyTorch's numbers: masks of
// all forms, heads that share keys, rows that fill no block, sizes that only a run knows, and the
// same bits on any number of threads.
#include <algorithm>
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
  bool is_late;                  // what is done last is one division by a number per row
  const char *narrow = nullptr;  // what keys and values are widened from: "f16" or "bf16"
  bool is_rounded = false;  // so are queries, and what the second product reads is rounded to it
  double error() const { return is_rounded ? 4e-3 : 2e-6; }
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
    {"bf16", 3, 1, 40, 70, 20, 33, Mask::kSum, true, "bf16"},
    {"f16", 2, 1, 130, 96, 64, 64, Mask::kCausal, true, "f16"},
    {"sharedbf16", 6, 3, 40, 70, 20, 33, Mask::kOfBatch, true, "bf16"},
    {"rounded", 3, 1, 40, 70, 20, 33, Mask::kSum, true, "bf16", true},
    {"roundedlong", 2, 1, 150, 700, 64, 64, Mask::kHides, true, "bf16", true},
    {"roundedodd", 3, 1, 33, 33, 21, 17, Mask::kNone, true, "bf16", true},
    {"roundedprime", 2, 1, 50, 97, 34, 64, Mask::kBool, true, "bf16", true},
    {"roundedcausal", 2, 1, 300, 300, 80, 64, Mask::kCausal, true, "bf16", true},
    {"roundedshared", 6, 3, 40, 71, 64, 33, Mask::kOfBatch, true, "bf16", true},
    {"roundedearly", 3, 1, 40, 70, 32, 33, Mask::kNone, false, "bf16", true},
};

// Columns behind the row that Mask::kBehind still shows.
constexpr int64_t kBehind = 37;

// Which sizes only a run knows.
constexpr unsigned kAnyHeads = 1, kAnyRows = 2, kAnyColumns = 4;

// A size, or the name of the value that is it.
struct Size {
  Size(int64_t a_number, const char *a_name = "") : number(a_number), name(a_name) {}
  std::string text(const char *any) const {
    return name.empty() ? std::to_string(number) : any == nullptr ? name : any;
  }
  int64_t number;
  std::string name;
};

std::string tensor(const std::vector<Size> &sizes, const char *element = "f32") {
  std::string text = "tensor<";
  for (const Size &s : sizes) text += s.text("?") + "x";
  return text + element + ">";
}

// "A, B, …", all of them or only those that are values.
std::string list(const std::vector<Size> &sizes, bool has_numbers) {
  std::string text;
  for (const Size &s : sizes) {
    if (has_numbers || !s.name.empty()) text += (text.empty() ? "" : ", ") + s.text(nullptr);
  }
  return text;
}

std::string empty(const std::string &name, const std::vector<Size> &sizes) {
  return "  %" + name + " = tensor.empty(" + list(sizes, false) + ") : " + tensor(sizes) + "\n";
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

std::string filled(const std::string &name, const std::string &number,
                   const std::vector<Size> &sizes) {
  const std::string type = tensor(sizes);
  return empty(name + "e", sizes) + "  %" + name + " = linalg.fill ins(%" + number +
         " : f32) outs(%" + name + "e : " + type + ") -> " + type + "\n";
}

// The tensor of one order of rows in that of another: heads of their own, or those that share keys.
std::string regrouped(const std::string &name, const std::string &from,
                      const std::vector<Size> &given, const std::vector<Size> &wanted,
                      const std::vector<Size> &flat) {
  return "  %" + name + "f = tensor.collapse_shape %" + from + " [[0, 1], [2]] : " + tensor(given) +
         " into " + tensor(flat) + "\n  %" + name + " = tensor.expand_shape %" + name +
         "f [[0, 1], [2]] output_shape [" + list(wanted, true) + "] : " + tensor(flat) + " into " +
         tensor(wanted) + "\n";
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

// Sizes that only a run knows are those of the queries and keys.
std::string sizes_of(const Case &c, unsigned any, const std::string &q, const std::string &q_end,
                     const std::string &k, const std::string &end) {
  std::string text = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n";
  if (any & kAnyHeads) text += "  %heads = tensor.dim %q" + q_end + ", %c0 : " + q + "\n";
  if (any & kAnyRows)
    text += "  %rows = tensor.dim %q" + q_end + ", %c1 : " + q + "\n  %shared = arith.constant " +
            std::to_string(c.shared) + " : index\n" +
            "  %long_rows = arith.muli %rows, %shared : index\n" +
            "  %flat_rows = arith.muli %rows, %" + (any & kAnyHeads ? "heads" : "number_of_heads") +
            " : index\n";
  if (any & kAnyColumns) text += "  %columns = tensor.dim %k" + end + ", %c1 : " + k + "\n";
  return "  %number_of_heads = arith.constant " + std::to_string(c.heads) + " : index\n" + text;
}

// %NAME, which is widened from %NAME_narrow.
std::string widened(const std::string &name, const std::vector<Size> &sizes, const char *narrow) {
  const std::string from = tensor(sizes, narrow), to = tensor(sizes);
  return empty(name + "w", sizes) +
         generic(name, "#all, #all", false, "%" + name + "_narrow : " + from, name + "w", to,
                 std::string("  ^bb0(%x: ") + narrow + ", %old: f32):\n  %y = arith.extf %x : " +
                     narrow + " to f32\n  linalg.yield %y : f32\n");
}

// Read by others, too, the scores are there as a whole.
std::string module_of(const Case &c, bool is_read_twice, unsigned any = 0) {
  const bool is_shared = c.shared > 1;
  const Size heads = {c.heads, any & kAnyHeads ? "%heads" : ""},
             rows = {c.rows, any & kAnyRows ? "%rows" : ""},
             columns = {c.columns, any & kAnyColumns ? "%columns" : ""},
             keys = is_shared ? Size(c.heads / c.shared) : heads,
             long_rows =
                 is_shared ? Size(c.shared * c.rows, any & kAnyRows ? "%long_rows" : "") : rows,
             flat_rows = {c.heads * c.rows, any & kAnyRows ? "%flat_rows" : ""};
  const std::vector<Size> of_product = {keys, long_rows, columns},
                          of_scores = {heads, rows, columns}, of_row = {heads, rows},
                          of_out = {keys, long_rows, c.width}, of_flat = {flat_rows, columns},
                          of_mask = c.mask == Mask::kOfBatch ? std::vector<Size>{heads, columns}
                                                             : std::vector<Size>{rows, columns};
  const char *const narrow = c.narrow != nullptr ? c.narrow : "f32";
  const std::string end = c.narrow != nullptr ? "_narrow" : "", q_end = c.is_rounded ? end : "";
  const std::vector<Size> of_q = {heads, rows, c.depth};
  const std::string given_q = tensor(of_q, c.is_rounded ? narrow : "f32");
  const std::string yield = c.is_rounded ? "  %bf16 = arith.truncf %y : f32 to bf16\n"
                                           "  %wide = arith.extf %bf16 : bf16 to f32\n"
                                           "  linalg.yield %wide : f32\n"
                                         : "  linalg.yield %y : f32\n";
  const std::vector<Size> of_k = {keys, columns, c.depth}, of_v = {keys, columns, c.width};
  const std::string q = tensor(of_q), k = tensor(of_k), v = tensor(of_v),
                    long_q = tensor({keys, long_rows, c.depth}), product = tensor(of_product),
                    scores = tensor(of_scores), row = tensor(of_row), out = tensor(of_out);
  const bool has_mask = c.mask != Mask::kNone && c.mask < Mask::kCausal;
  const char *const element = has_bools(c) ? "i1" : "f32";
  const std::string mask = tensor(of_mask, element);
  const std::string results = is_read_twice ? "(" + out + ", " + scores + ")" : out;
  std::string text =
      "#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>\n#row = affine_map<(d0, d1, d2) -> (d0, "
      "d1)>\n#mask = affine_map<(d0, d1, d2) -> (";
  text += c.mask == Mask::kOfBatch ? "d0, d2" : "d1, d2";
  text += ")>\nfunc.func @forward(%q" + q_end + ": " + given_q + ", %k" + end + ": " +
          tensor(of_k, narrow) + ", %v" + end + ": " + tensor(of_v, narrow) + ", %m: " + mask +
          ") -> " + results +
          " {\n  %zero = arith.constant 0.0 : f32\n  %low = arith.constant 0xFF800000 : f32\n"
          "  %scale = arith.constant 0.25 : f32\n  %behind = arith.constant " +
          std::to_string(kBehind) + " : i64\n" +
          sizes_of(c, any, given_q, q_end, tensor(of_k, narrow), end);
  if (c.is_rounded) text += widened("q", of_q, narrow);
  if (c.narrow != nullptr) text += widened("k", of_k, narrow) + widened("v", of_v, narrow);
  if (is_shared)
    text += regrouped("ql", "q", {heads, rows, c.depth}, {keys, long_rows, c.depth},
                      {flat_rows, c.depth});
  text += filled("p0", "zero", of_product) +
          "  %p = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, "
          "affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%" +
          (is_shared ? "ql" : "q") + ", %k : " + long_q + ", " + k + ") outs(%p0 : " + product +
          ") -> " + product + "\n";
  if (is_shared) text += regrouped("ph", "p", of_product, of_scores, of_flat);
  const std::string first = is_shared ? "%ph" : "%p";
  text += empty("se", of_scores);
  text += generic(
      "s", has_mask ? "#all, #mask, #all" : "#all, #all", false,
      has_mask ? first + ", %m : " + scores + ", " + mask : first + " : " + scores, "se", scores,
      std::string("  ^bb0(%s: f32, ") + (has_mask ? std::string("%x: ") + element + ", " : "") +
          "%old: f32):\n" + mask_body(c) + "  linalg.yield %y : f32\n");
  text += filled("t0", "low", of_row);
  text += generic("t", "#all, #row", true, "%s : " + scores, "t0", row,
                  "  ^bb0(%x: f32, %old: f32):\n  %y = arith.maximumf %x, %old : f32\n"
                  "  linalg.yield %y : f32\n");
  text += empty("ee", of_scores);
  text += generic("e", "#all, #row, #all", false, "%s, %t : " + scores + ", " + row, "ee", scores,
                  "  ^bb0(%x: f32, %r: f32, %old: f32):\n  %d = arith.subf %x, %r : f32\n"
                  "  %y = math.exp %d : f32\n  linalg.yield %y : f32\n");
  text += filled("u0", "zero", of_row);
  text += generic("u", "#all, #row", true, "%e : " + scores, "u0", row,
                  "  ^bb0(%x: f32, %old: f32):\n  %y = arith.addf %x, %old : f32\n"
                  "  linalg.yield %y : f32\n");
  text += empty("we", of_scores);
  text +=
      generic("w", "#all, #row, #all", false, "%e, %u : " + scores + ", " + row, "we", scores,
              (c.is_late ? "  ^bb0(%x: f32, %r: f32, %old: f32):\n  %y = arith.divf %x, %r : f32\n"
                         : "  ^bb0(%x: f32, %r: f32, %old: f32):\n  %h = arith.divf %x, %r : f32\n"
                           "  %y = arith.addf %h, %scale : f32\n") +
                  yield);
  if (is_shared) text += regrouped("wp", "w", of_scores, of_product, of_flat);
  text += filled("o0", "zero", of_out);
  text += "  %o = linalg.batch_matmul ins(%" + std::string(is_shared ? "wp" : "w") +
          ", %v : " + product + ", " + v + ") outs(%o0 : " + out + ") -> " + out + "\n";
  return text +
         (is_read_twice ? "  return %o, %w : " + out + ", " + scores : "  return %o : " + out) +
         "\n}\n";
}

struct Inputs {
  std::vector<const Tensor *> given() const {
    return {narrow_q.t.bytes != nullptr ? &narrow_q : &q,
            narrow_k.t.bytes != nullptr ? &narrow_k : &k,
            narrow_v.t.bytes != nullptr ? &narrow_v : &v, &m};
  }
  Tensor q, k, v, m, narrow_k, narrow_v, narrow_q;
};

// The same numbers in 16 bits, which floats are rounded to that both kinds have.
Tensor narrowed(const Tensor &wide, bool is_f16) {
  std::vector<uint16_t> all;
  for (size_t i = 0; i < wide.n(); i++) {
    float &x = wide.as<float>()[i];
    x = std::nearbyint(x * 32) / 32;
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    const uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    const uint32_t f16 = rest == 0 ? 0 : (rest >> 13) - (112 << 10);  // no subnormals are there
    all.push_back(static_cast<uint16_t>(is_f16 ? sign | f16 : bits >> 16));
  }
  return {is_f16 ? BUDDY_F16 : BUDDY_BF16, wide.sizes(), all};
}

Inputs inputs_of(const Case &c) {
  const int64_t keys = c.heads / c.shared;
  Inputs in = {Tensor::random(BUDDY_F32, {c.heads, c.rows, c.depth}, 1),
               Tensor::random(BUDDY_F32, {keys, c.columns, c.depth}, 2),
               Tensor::random(BUDDY_F32, {keys, c.columns, c.width}, 3),
               Tensor::random(has_bools(c) ? BUDDY_BOOL : BUDDY_F32, mask_sizes(c), 4),
               {},
               {},
               {}};
  if (c.narrow == nullptr) return in;
  const bool is_f16 = std::string(c.narrow) == "f16";
  in.narrow_k = narrowed(in.k, is_f16);
  in.narrow_v = narrowed(in.v, is_f16);
  if (c.is_rounded) in.narrow_q = narrowed(in.q, is_f16);
  return in;
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

// What the weights of a row add up to.
double weights_of(const Case &c) {
  return 1 + (c.is_late ? 0 : 0.25 * static_cast<double>(c.columns));
}

class Attention : public testing::TestWithParam<Case> {};

buddy_compile_options profiled() {
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.profile = 1;
  return options;
}

TEST_P(Attention, IsOneLoop) {
  const Case &c = GetParam();
  const buddy_compile_options options = profiled();
  Program fused(module_of(c, false), &options), apart(module_of(c, true), &options);
  const Inputs in = inputs_of(c);
  const std::vector<const Tensor *> given = in.given();
  const auto got = fused.run(given), other = apart.run(given);
  ASSERT_EQ(got.size(), 1u);
  ASSERT_EQ(other.size(), 2u);
  const size_t n_widened = c.is_rounded;  // queries
  EXPECT_EQ(buddy_program_n_steps(fused.program), n_widened + 1);
  EXPECT_EQ(buddy_program_n_steps(apart.program), n_widened + 3);  // a product, rows, a product
  const std::vector<double> want = expected(c, in);
  ASSERT_EQ(got[0].n(), want.size());
  for (size_t i = 0; i < want.size(); i++) {
    ASSERT_NEAR(got[0].as<float>()[i], want[i],
                c.error() * ((c.is_rounded ? weights_of(c) : 1) + std::fabs(want[i])))
        << "element " << i;
    ASSERT_NEAR(other[0].as<float>()[i], want[i],
                c.error() * ((c.is_rounded ? weights_of(c) : 1) + std::fabs(want[i])))
        << "apart, element " << i;
  }
  for (const int threads : {1, 2, 5}) {
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

// What its kernels are named after, but for the one that compares the sizes of its inputs, and for
// copies, which a batch of any size may be cut by.
std::string names_of_work(const Program &program) {
  std::string names;
  for (size_t i = 0; i < buddy_program_n_steps(program.program); i++) {
    const std::string kernel = buddy_program_step(program.program, i)->kernel,
                      name = kernel.substr(kernel.find('.') + 1),
                      purpose = name.substr(0, name.find('_'));
    if (purpose != "check" && purpose != "copy") names += purpose;
  }
  return names;
}

// One program, at all sizes that it must do: none and one, few rows, which are done in another way
// (attention/few.c), those around whole panels and blocks, and as many as make several of them.
void run_at_sizes(Program &program, Case c, unsigned any) {
  static const int64_t lengths[] = {0, 1, 2, 4, 5, 15, 16, 17, 63, 65, 129, 330};
  constexpr size_t n_lengths = std::size(lengths);
  for (size_t i = 0; i < n_lengths; i++) {
    for (const size_t apart : {0u, 3u, 7u}) {
      if (any & kAnyRows) c.rows = lengths[i];
      if (any & kAnyColumns) c.columns = lengths[(i + apart) % n_lengths];
      if (any & kAnyHeads) c.heads = static_cast<int64_t>(i % 4);
      const Inputs in = inputs_of(c);
      const std::vector<double> want = expected(c, in);
      const double weights = weights_of(c);
      std::vector<float> bits;
      for (const int threads : {1, 2, 5}) {
        SCOPED_TRACE(testing::Message() << c.heads << " heads, " << c.rows << " rows, " << c.columns
                                        << " columns, " << threads << " threads");
        buddy_program_set_threads(program.program, threads);
        const auto got = program.run(in.given());
        ASSERT_EQ(got.size(), 1u);
        ASSERT_EQ(got[0].n(), want.size());
        for (size_t j = 0; j < want.size(); j++) {
          const float number = got[0].as<float>()[j];
          ASSERT_EQ(std::isnan(number), std::isnan(want[j])) << j;  // of rows hidden as a whole
          if (std::isnan(number)) continue;
          ASSERT_NEAR(number, want[j], c.error() * (weights + std::fabs(want[j]))) << j;
        }
        if (threads == 1) bits = got[0].values<float>();
        if (bits.empty()) continue;
        EXPECT_EQ(std::memcmp(got[0].as<float>(), bits.data(), bits.size() * sizeof(float)), 0);
      }
    }
  }
}

void run_of_any_sizes(const Case &c, unsigned any, const char *without = nullptr) {
  SCOPED_TRACE(testing::Message() << c.name << ", unknown " << any);
  buddy_compile_options options = profiled();
  options.without = without;
  Program program(module_of(c, false, any), &options);
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  EXPECT_EQ(names_of_work(program), c.is_rounded ? "loopsattention" : "attention");
  run_at_sizes(program, c, any);
}

TEST_P(Attention, IsOneLoopOfAnySizes) {
  const Case &c = GetParam();
  run_of_any_sizes(c, (c.shared > 1 ? 0 : kAnyHeads) | kAnyRows | kAnyColumns);
}

// Pairs of bf16 are multiplied by matrices, by vectors, or widened.
TEST(AttentionOfPairs, AllInstructionsGiveTheSame) {
  for (const char *const without : {"amx", "amx,avx512bf16"}) {
    buddy_compile_options options = profiled();
    options.without = without;
    for (const Case &c : cases) {
      if (!c.is_rounded) continue;
      SCOPED_TRACE(testing::Message() << c.name << " without " << without);
      Program known(module_of(c, false), &options),
          any(module_of(c, false, kAnyRows | kAnyColumns), &options);
      const Inputs in = inputs_of(c);
      const std::vector<double> want = expected(c, in);
      for (Program *program : {&known, &any}) {
        ASSERT_EQ(program->code, BUDDY_OK) << program->diags.text();
        const auto got = program->run(in.given());
        ASSERT_EQ(got.size(), 1u);
        for (size_t i = 0; i < want.size(); i++)
          ASSERT_NEAR(got[0].as<float>()[i], want[i],
                      c.error() * (weights_of(c) + std::fabs(want[i])))
              << i;
      }
    }
  }
}

TEST(AttentionSizes, SomeMayBeKnown) {
  for (const Case &c : cases) {
    if (std::string(c.name) != "sum" && std::string(c.name) != "causal") continue;
    for (const unsigned any : {kAnyHeads, kAnyRows, kAnyColumns, kAnyRows | kAnyColumns})
      run_of_any_sizes(c, any);
  }
}

#ifdef __x86_64__
// Vectors of 8 and of 4 numbers: two of the latter are half a cache line.
TEST(AttentionSizes, VectorsMayBeShort) {
  for (const Case &c : cases) {
    if (std::string(c.name) != "sum" && std::string(c.name) != "causal") continue;
    for (const char *const without : {"avx512", "avx"}) {
      SCOPED_TRACE(without);
      run_of_any_sizes(c, kAnyRows | kAnyColumns, without);
    }
  }
}
#endif

// Few rows, with those of the heads that share keys: keys and values are read where they lie, and a
// row of the scores may be a batch of the mask. Depths, widths and columns fill vectors or not.
TEST(AttentionOfFewRows, IsOneLoop) {
#ifdef __x86_64__
  const char *const without[] = {nullptr, "avx512", "avx"};  // vectors of 16, 8, and 4 numbers
#else
  const char *const without[] = {nullptr};
#endif
  buddy_compile_options options = profiled();
  const Mask masks[] = {Mask::kNone, Mask::kSum, Mask::kHides, Mask::kOfBatch, Mask::kBehind};
  int n = 0;
  for (const int64_t shared : {1, 2, 3, 4, 7, 16}) {
    for (const int64_t rows : {1, 2, 3, 5}) {
      const int64_t columns[] = {150, 16, 64, 17}, depth = n % 2 != 0 ? 64 : 21,
                    width = n % 3 != 0 ? 64 : 33;
      Case c = {"few", 2 * shared, shared,      rows,      columns[n % 4],
                depth, width,      Mask::kNone, n % 5 != 0};
      if (n / 2 % 2 != 0) c.narrow = n % 2 != 0 ? "f16" : "bf16";
      options.without = without[n % std::size(without)];
      const bool is_long =
          shared * rows > 64;  // which are not few, and two products where they share a mask
      if (!is_long) c.mask = masks[n % std::size(masks)];
      ++n;
      SCOPED_TRACE(testing::Message() << shared << " share, " << rows << " rows, " << c.columns
                                      << " columns, mask " << static_cast<int>(c.mask));
      Program program(module_of(c, false), &options);
      ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
      if (!is_long) {
        EXPECT_EQ(names_of_work(program), "attention");
      }
      const Inputs in = inputs_of(c);
      const auto got = program.run(in.given());
      const std::vector<double> want = expected(c, in);
      ASSERT_EQ(got.size(), 1u);
      ASSERT_EQ(got[0].n(), want.size());
      const double weights = weights_of(c);
      for (size_t i = 0; i < want.size(); i++)
        ASSERT_NEAR(got[0].as<float>()[i], want[i], 2e-6 * (weights + std::fabs(want[i]))) << i;
    }
  }
}

TEST(AttentionOfFewRows, SizesMayBeUnknown) {
  for (const Mask mask : {Mask::kNone, Mask::kSum, Mask::kBool, Mask::kBehind}) {
    run_of_any_sizes({"few", 6, 3, 1, 70, 20, 33, mask, true}, kAnyColumns);
    run_of_any_sizes({"few", 6, 3, 5, 70, 64, 64, mask, true}, kAnyColumns);
    run_of_any_sizes({"few", 2, 1, 3, 70, 20, 33, mask, true}, kAnyColumns | kAnyHeads);
    run_of_any_sizes({"few", 2, 1, 1, 70, 64, 64, mask, true}, kAnyHeads);
    run_of_any_sizes({"few", 6, 3, 1, 70, 64, 33, mask, true, "bf16"}, kAnyColumns);
  }
  // So long that not all rows of the scores fit into the second cache.
  const Case c = {"long", 64, 32, 1, 9000, 8, 8, Mask::kSum, true};
  Program program(module_of(c, false, kAnyColumns));
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  const Inputs in = inputs_of(c);
  const auto got = program.run(in.given());
  const std::vector<double> want = expected(c, in);
  ASSERT_EQ(got.size(), 1u);
  for (size_t i = 0; i < want.size(); i++) ASSERT_NEAR(got[0].as<float>()[i], want[i], 1e-5) << i;
}

// A key that holds nan or infinity is read by no row but those that it belongs to, and by all heads
// that share it.
TEST(AttentionOfFewRows, NanStaysInItsHead) {
  const Case c = {"", 8, 4, 1, 70, 20, 33, Mask::kNone, true};
  Program program(module_of(c, false));
  Inputs in = inputs_of(c);
  in.k.as<float>()[69 * c.depth + 19] = kNan;
  const auto got = program.run(in.given());
  ASSERT_EQ(got.size(), 1u);
  for (int64_t i = 0; i < c.heads * c.width; i++)
    EXPECT_EQ(std::isnan(got[0].as<float>()[i]), i < 4 * c.width) << i;
}

// A score so far below the largest of its row that its exponential would be no normal number counts as nothing, however
// large the value is that it is for; one just above that counts.
TEST(AttentionSums, WhatAMaskHidesIsNothing) {
  for (const int64_t rows : {1, 40}) {
    const Case c = {"", 3, 1, rows, 70, 20, 33, Mask::kSum, true};
    Program program(module_of(c, false));
    Inputs in = inputs_of(c);
    for (size_t i = 0; i < in.m.n(); i++) {
      const auto column = static_cast<int64_t>(i) % c.columns;
      if (column % 3 == 1) in.m.as<float>()[i] -= column % 2 != 0 ? 100 : 1e4F;
      if (column % 3 == 2) in.m.as<float>()[i] -= 60;
    }
    const std::vector<double> want = expected(c, in);
    for (int64_t i = 0; i < 3 * c.columns * c.width; i++) {
      if (i / c.width % c.columns % 3 == 1) in.v.as<float>()[i] = 1e37F;
    }
    const auto got = program.run(in.given());
    ASSERT_EQ(got.size(), 1u);
    for (size_t i = 0; i < want.size(); i++) ASSERT_NEAR(got[0].as<float>()[i], want[i], 1e-5) << i;
  }
}

// The values of hidden columns are not read by blocks of rows that show none of a panel.
TEST(AttentionLimit, HiddenColumnsAreLeftOut) {
  for (const Mask mask : {Mask::kCausal, Mask::kBehind}) {
    const Case c = {"", 1, 1, 320, 320, 16, 16, mask, true};
    Program program(module_of(c, false));
    Inputs in = inputs_of(c);
    for (int64_t i = 0; i < c.width; i++) in.v.as<float>()[(c.columns - 1) * c.width + i] = kNan;
    const auto got = program.run(in.given());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_FALSE(std::isnan(got[0].as<float>()[0]));
    EXPECT_FALSE(std::isnan(got[0].as<float>()[180 * c.width]));
    EXPECT_TRUE(std::isnan(got[0].as<float>()[319 * c.width]));
  }
}

// Hides what is behind some place of each row, and tells the last place.
int64_t hide_ends(const Case &c, Inputs *in) {
  int64_t most = 0;
  for (size_t i = 0; i < in->m.n(); i++) {
    const int64_t row = static_cast<int64_t>(i) / c.columns,
                  column = static_cast<int64_t>(i) % c.columns, seen = 20 + row * 7 % 60;
    most = std::max(most, seen);
    if (has_bools(c))
      in->m.as<uint8_t>()[i] = (column < seen) == (c.mask == Mask::kBool);
    else if (column >= seen)
      in->m.as<float>()[i] = static_cast<float>(-kInfinity);
  }
  return most;
}

void expect_unread(const Case &c, unsigned any) {
  SCOPED_TRACE(testing::Message() << c.rows << " rows, mask " << static_cast<int>(c.mask)
                                  << ", unknown " << any);
  constexpr int64_t kMostOfPanel = 128;
  Program program(module_of(c, false, any));
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  Inputs in = inputs_of(c);
  const int64_t seen = hide_ends(c, &in), keys = c.heads / c.shared;
  const std::vector<double> want = expected(c, in);
  for (int64_t i = 0; i < keys * c.columns; i++) {
    if (i % c.columns < seen + kMostOfPanel) continue;
    std::fill_n(in.k.as<float>() + i * c.depth, c.depth, kNan);
    std::fill_n(in.v.as<float>() + i * c.width, c.width, kNan);
  }
  const auto got = program.run(in.given());
  ASSERT_EQ(got.size(), 1u);
  ASSERT_EQ(got[0].n(), want.size());
  for (size_t i = 0; i < want.size(); i++)
    ASSERT_NEAR(got[0].as<float>()[i], want[i], 4e-6 * (1 + std::fabs(want[i]))) << i;
}

// Nor are keys and values that a mask in memory hides from all rows, such as those that a cache has not got yet.
TEST(AttentionLimit, ColumnsThatMasksInMemoryHideAreLeftOut) {
  for (const Mask mask : {Mask::kSum, Mask::kBool, Mask::kHides, Mask::kOfBatch}) {
    for (const int64_t rows : {1, 5, 150}) {
      expect_unread({"", 6, 3, rows, 330, 64, 64, mask, true}, 0);
      expect_unread({"", 2, 1, rows, 330, 20, 33, mask, true}, kAnyRows | kAnyColumns);
    }
    expect_unread({"", 3, 1, 40, 330, 20, 33, mask, true}, kAnyHeads);
  }
}

// What is used twice, again and again, is looked at once: of 2 to the 60 ways to it, one.
TEST(AttentionLimit, BodiesAreGoneThroughOnce) {
  for (const std::string from : {"x", "z"}) {
    const Case c = {"", 2, 1, 40, 70, 20, 33, Mask::kSum, true};
    std::string text = module_of(c, false), chain, last = from;
    const std::string sum = "  %y = arith.addf %z, %x : f32\n";
    for (int i = 0; i < 60; i++) {
      const std::string next = from + std::to_string(i);
      chain += "  %" + next + " = arith.addf %" + last + ", %" + last + " : f32\n";
      last = next;
    }
    const size_t at = text.find(sum);
    ASSERT_NE(at, std::string::npos);
    text.replace(
        at, sum.size(),
        chain + "  %y = arith.addf %" + (from == "x" ? "z" : "x") + ", %" + last + " : f32\n");
    Program program(text);
    EXPECT_EQ(program.code, BUDDY_OK) << program.diags.text();
  }
}

// A row that a mask hides as a whole is nan, as it is without the loop.
TEST(AttentionLimit, RowsHiddenAsAWholeAreNan) {
  const Case c = {"", 2, 1, 40, 70, 20, 33, Mask::kSum, true};
  Program program(module_of(c, false));
  Inputs in = inputs_of(c);
  for (int64_t j = 0; j < c.columns; j++)
    in.m.as<float>()[7 * c.columns + j] = static_cast<float>(-kInfinity);
  const auto got = program.run(in.given());
  ASSERT_EQ(got.size(), 1u);
  for (int64_t row = 0; row < 2 * c.rows; row++) {
    for (int64_t i = 0; i < c.width; i++)
      ASSERT_EQ(std::isnan(got[0].as<float>()[row * c.width + i]), row % c.rows == 7) << row;
  }
}

}  // namespace
