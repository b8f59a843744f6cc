// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop after a product, done with its panels, gives the bits that it gives by itself.
#include <string>
#include <vector>

#include "tests/sdk/compile/harness.h"

namespace {

using Sizes = std::vector<int64_t>;

std::string type_of(const Sizes &sizes, const std::string &element = "f32") {
  std::string text = "tensor<";
  for (int64_t s : sizes) text += std::to_string(s) + "x";
  return text + element + ">";
}

// A product of b batches, and after it a loop over it as `shape`, to which `view` makes it, with
// one more operand, %x.
struct Case {
  const char *name;
  int64_t batches, m, k, n;
  std::string view;  // of tensor.expand_shape; empty: none
  Sizes shape;
  buddy_dtype dtype;
  Sizes x;
  std::string map, body;  // of %x; from %p and %o to %y
};

const std::string kGelu =
    "%h = arith.constant 0.7 : f32\n %a1 = arith.mulf %p, %h : f32\n %a2 = math.erf %a1 : f32\n"
    "%a3 = arith.addf %a2, %o : f32\n %y = arith.mulf %p, %a3 : f32\n";
const std::string kSum = "%y = arith.addf %p, %o : f32\n";
const std::string kMask =
    "%low = arith.constant 0xFF800000 : f32\n %s = arith.constant 0.125 : f32\n"
    "%q = arith.mulf %p, %s : f32\n %y = arith.select %o, %q, %low : f32\n";
const std::string kSilu =
    "%one = arith.constant 1.0 : f32\n %m = arith.negf %p : f32\n %e = math.exp %m : f32\n"
    "%d = arith.addf %one, %e : f32\n %q = arith.divf %p, %d : f32\n %y = arith.mulf %q, %o : "
    "f32\n";

// Batches of three heads, as the loop after sees them.
constexpr char kHeads[] =
    "[[0, 1], [2], [3]] output_shape [2, 3, 19, 35] : tensor<6x19x35xf32> into ";

const Case cases[] = {
    {"row", 1, 33, 40, 70, "", {33, 70}, BUDDY_F32, {70}, "(d0, d1) -> (d1)", kGelu},
    {"column", 1, 33, 40, 70, "", {33, 70}, BUDDY_F32, {33}, "(d0, d1) -> (d0)", kSum},
    {"turned", 1, 33, 40, 70, "", {33, 70}, BUDDY_F32, {70, 33}, "(d0, d1) -> (d1, d0)", kSilu},
    {"deep", 1, 30, 1500, 70, "", {30, 70}, BUDDY_F32, {30, 70}, "(d0, d1) -> (d0, d1)", kGelu},
    {"tall", 1, 450, 20, 37, "", {450, 37}, BUDDY_F32, {450, 37}, "(d0, d1) -> (d0, d1)", kSum},
    {"towering",
     1,
     337,
     2048,
     270,
     "",
     {337, 270},
     BUDDY_F32,
     {337, 270},
     "(d0, d1) -> (d0, d1)",
     kGelu},
    {"axes",
     1,
     24,
     30,
     60,
     "[[0, 1], [2, 3]] output_shape [4, 6, 5, 12] : tensor<24x60xf32> into ",
     {4, 6, 5, 12},
     BUDDY_F32,
     {4, 6, 5, 12},
     "(d0, d1, d2, d3) -> (d0, d1, d2, d3)",
     kSum},
    {"one",
     1,
     24,
     30,
     60,
     "[[0, 1], [2]] output_shape [1, 24, 60] : tensor<24x60xf32> into ",
     {1, 24, 60},
     BUDDY_F32,
     {1, 24, 60},
     "(d0, d1, d2) -> (d0, d1, d2)",
     kSilu},
    {"mask",
     6,
     19,
     32,
     35,
     "",
     {6, 19, 35},
     BUDDY_BOOL,
     {19, 35},
     "(d0, d1, d2) -> (d1, d2)",
     kMask},
    {"heads",
     6,
     19,
     32,
     35,
     kHeads,
     {2, 3, 19, 35},
     BUDDY_BOOL,
     {2, 3, 35},
     "(d0, d1, d2, d3) -> (d0, d1, d3)",
     kMask},
    {"shared",
     6,
     19,
     32,
     35,
     kHeads,
     {2, 3, 19, 35},
     BUDDY_BOOL,
     {2, 35},
     "(d0, d1, d2, d3) -> (d0, d3)",
     kMask},
    {"ofheads",
     6,
     19,
     32,
     35,
     kHeads,
     {2, 3, 19, 35},
     BUDDY_F32,
     {3, 35},
     "(d0, d1, d2, d3) -> (d1, d3)",
     kSum},
    {"turnedheads",
     6,
     19,
     32,
     35,
     kHeads,
     {2, 3, 19, 35},
     BUDDY_F32,
     {3, 2, 19},
     "(d0, d1, d2, d3) -> (d1, d0, d2)",
     kSum},
    {"batch", 6, 19, 32, 35, "", {6, 19, 35}, BUDDY_F32, {6, 35}, "(d0, d1, d2) -> (d0, d2)", kSum},
};

// What the operands of the product hold, and what the loop makes of its f32.
struct Elements {
  const char *given, *made;
};

// From %y to %t.
std::string made_of(const Elements &e) {
  const std::string made = e.made;
  if (made == "f32") return "  %t = arith.select %true, %y, %y : f32\n";
  if (made == "i1") return "  %t = arith.cmpf ogt, %y, %z : f32\n";
  return "  %t = arith." + std::string(made == "f64" ? "extf" : "truncf") + " %y : f32 to " + made +
         "\n";
}

std::string module_of(const Case &c, const Elements &e, bool is_read_twice) {
  const bool is_batch = c.batches > 1;
  Sizes a = {c.m, c.k}, b = {c.k, c.n}, p = {c.m, c.n};
  if (is_batch) {
    for (Sizes *s : {&a, &b, &p}) s->insert(s->begin(), c.batches);
  }
  const std::string x = type_of(c.x, c.dtype == BUDDY_BOOL ? "i1" : "f32"), pt = type_of(p),
                    vt = type_of(c.shape), yt = type_of(c.shape, e.made), at = type_of(a, e.given),
                    bt = type_of(b, e.given);
  std::string dims, parallel;
  for (size_t i = 0; i < c.shape.size(); i++) {
    dims += (i > 0 ? ", d" : "d") + std::to_string(i);
    parallel += i > 0 ? ", \"parallel\"" : "\"parallel\"";
  }
  const std::string results = is_read_twice ? "(" + yt + ", " + pt + ")" : yt;
  std::string text = "#id = affine_map<(" + dims + ") -> (" + dims + ")>\n#x = affine_map<" +
                     c.map + ">\nfunc.func @forward(%a: " + at + ", %b: " + bt + ", %x: " + x +
                     ") -> " + results +
                     " {\n  %true = arith.constant true\n  %z = arith.constant 0.0 : f32\n  %e0 = "
                     "tensor.empty() : " +
                     pt + "\n  %f = linalg.fill ins(%z : f32) outs(%e0 : " + pt + ") -> " + pt +
                     "\n  %c = linalg." + (is_batch ? "batch_matmul" : "matmul") +
                     " ins(%a, %b : " + at + ", " + bt + ") outs(%f : " + pt + ") -> " + pt + "\n";
  if (!c.view.empty()) text += "  %v = tensor.expand_shape %c " + c.view + vt + "\n";
  text += "  %e1 = tensor.empty() : " + yt +
          "\n  %r = linalg.generic {indexing_maps = [#id, #x, #id], iterator_types = [" + parallel +
          "]} ins(" + (c.view.empty() ? "%c" : "%v") + ", %x : " + vt + ", " + x +
          ") outs(%e1 : " + yt +
          ") {\n  ^bb0(%p: f32, %o: " + (c.dtype == BUDDY_BOOL ? "i1" : "f32") +
          ", %old: " + e.made + "):\n" + c.body + made_of(e) + "  linalg.yield %t : " + e.made +
          "\n  } -> " + yt + "\n";
  return text + (is_read_twice ? "  return %r, %c : " + yt + ", " + pt : "  return %r : " + yt) +
         "\n}\n";
}

class FollowingLoops : public testing::TestWithParam<Case> {};

Tensor operand_of(const Elements &e, const Sizes &sizes, unsigned seed) {
  return Tensor::random(e.given == std::string("f32") ? BUDDY_F32 : BUDDY_BF16, sizes, seed);
}

bool are_the_same(const Tensor &a, const Tensor &b, const Elements &e) {
  const std::string made = e.made;
  const size_t bytes = made == "i1" ? 1 : made == "bf16" ? 2 : made == "f64" ? 8 : 4;
  return a.n() == b.n() && std::memcmp(a.as<char>(), b.as<char>(), a.n() * bytes) == 0;
}

// Read by others, too, the product stays apart: there is one more step. So it does where the sums of a panel are done
// with in several rounds, and what is made of them is no f32.
void expect_the_same_bits(const Case &c, const Elements &e) {
  SCOPED_TRACE(std::string(e.given) + " to " + e.made);
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.profile = 1;
  Program fused(module_of(c, e, false), &options), apart(module_of(c, e, true), &options);
  ASSERT_EQ(fused.code, BUDDY_OK) << fused.diags.text();
  ASSERT_EQ(apart.code, BUDDY_OK) << apart.diags.text();
  Sizes a = {c.m, c.k}, b = {c.k, c.n};
  if (c.batches > 1) {
    a.insert(a.begin(), c.batches);
    b.insert(b.begin(), c.batches);
  }
  const Tensor ta = operand_of(e, a, 1), tb = operand_of(e, b, 2),
               tx = Tensor::random(c.dtype, c.x, 3);
  const auto got = fused.run({&ta, &tb, &tx}), want = apart.run({&ta, &tb, &tx});
  ASSERT_EQ(got.size(), 1u);
  ASSERT_EQ(want.size(), 2u);
  if (c.k < 1000) {
    EXPECT_LT(buddy_program_n_steps(fused.program), buddy_program_n_steps(apart.program));
  }
  EXPECT_TRUE(are_the_same(got[0], want[0], e));
  buddy_program_set_threads(fused.program, 3);
  const auto shared = fused.run({&ta, &tb, &tx});
  EXPECT_TRUE(are_the_same(shared[0], got[0], e));
}

TEST_P(FollowingLoops, GivesTheSameBits) {
  for (const Elements &e :
       {Elements{"f32", "f32"}, Elements{"f32", "bf16"}, Elements{"f32", "i1"},
        Elements{"f32", "f64"}, Elements{"bf16", "f32"}, Elements{"bf16", "bf16"}})
    expect_the_same_bits(GetParam(), e);
}

INSTANTIATE_TEST_SUITE_P(Forms, FollowingLoops, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &tested) {
                           return std::string(tested.param.name);
                         });

// A bias, which the sums begin with, and an activation after it.
TEST(Following, ProductsThatBeginWithARow) {
  const std::string head = R"(
    #id = affine_map<(d0, d1) -> (d0, d1)>
    #row = affine_map<(d0, d1) -> (d1)>
    func.func @forward(%a: tensor<33x40xf32>, %b: tensor<40x70xf32>, %x: tensor<70xf32>) -> )";
  const std::string body = R"( {
      %e = tensor.empty() : tensor<33x70xf32>
      %f = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<70xf32>) outs(%e : tensor<33x70xf32>) {
      ^bb0(%r: f32, %old: f32):
        linalg.yield %r : f32
      } -> tensor<33x70xf32>
      %c = linalg.matmul ins(%a, %b : tensor<33x40xf32>, tensor<40x70xf32>)
          outs(%f : tensor<33x70xf32>) -> tensor<33x70xf32>
      %y = math.erf %c : tensor<33x70xf32>
      return )";
  const std::string type = "tensor<33x70xf32>";
  Program fused(head + type + body + "%y : " + type + "\n}\n"),
      apart(head + "(" + type + ", " + type + ")" + body + "%y, %c : " + type + ", " + type +
            "\n}\n");
  const Tensor a = Tensor::random(BUDDY_F32, {33, 40}, 1),
               b = Tensor::random(BUDDY_F32, {40, 70}, 2), x = Tensor::random(BUDDY_F32, {70}, 3);
  const auto got = fused.run({&a, &b, &x}), want = apart.run({&a, &b, &x});
  ASSERT_EQ(got.size(), 1u);
  ASSERT_EQ(want.size(), 2u);
  EXPECT_EQ(got[0].values<float>(), want[0].values<float>());
}

}  // namespace
