// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions over batches, of unknown size or too large for the cache: loops over samples of known
// sizes, and what they give.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/samples.h"
#include "sdk/lower/module.h"
}

namespace {

/* ---- Programs ----------------------------------------------------------------------------------
 * Their batches are of n samples: "?", which %n says, or a number. */

class Text {
 public:
  explicit Text(const std::string &n) : n_(n) {
    text_ = "func.func @forward(" + argument("x", "3x12x12") + ", %v: tensor<8x3x3x3xf32>, " +
            "%d: tensor<8x3x3xf32>, %w: tensor<8x8x3x3xf32>, %l: tensor<8x5xf32>) -> RESULTS {\n"
            "  %zero = arith.constant 0.0 : f32\n  %c0 = arith.constant 0 : index\n";
    if (is_open()) text_ += "  %n = tensor.dim %x, %c0 : " + type("3x12x12") + "\n";
  }
  bool is_open() const { return n_ == "?"; }
  std::string type(const std::string &sizes) const {
    return "tensor<" + n_ + "x" + sizes + "xf32>";
  }
  std::string argument(const std::string &name, const std::string &sizes) const {
    return "%" + name + ": " + type(sizes);
  }
  Text &line(const std::string &text) {
    text_ += "  " + text + "\n";
    return *this;
  }
  Text &filled(const std::string &name, const std::string &sizes) {
    line("%" + name + "_e = tensor.empty(" + (is_open() ? "%n" : "") + ") : " + type(sizes));
    return line("%" + name + " = linalg.fill ins(%zero : f32) outs(%" + name +
                "_e : " + type(sizes) + ") -> " + type(sizes));
  }
  Text &convolution(const std::string &to, const std::string &op, const std::string &from,
                    const std::string &in, const std::string &filter,
                    const std::string &filter_sizes, const std::string &out) {
    filled(to + "_z", out);
    return line(
        "%" + to + " = linalg." + op + " {strides = dense<1> : tensor<2xi64>, dilations = " +
        "dense<1> : tensor<2xi64>} ins(%" + from + ", %" + filter + " : " + type(in) + ", tensor<" +
        filter_sizes + "xf32>) outs(%" + to + "_z : " + type(out) + ") -> " + type(out));
  }
  Text &relu(const std::string &to, const std::string &from, const std::string &sizes) {
    line("%" + to + "_e = tensor.empty(" + (is_open() ? "%n" : "") + ") : " + type(sizes));
    const std::string map = "affine_map<(a, b, c, d) -> (a, b, c, d)>";
    return line("%" + to + " = linalg.generic {indexing_maps = [" + map + ", " + map +
                "], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} " +
                "ins(%" + from + " : " + type(sizes) + ") outs(%" + to + "_e : " + type(sizes) +
                ") {\n  ^bb0(%i: f32, %o: f32):\n    %m = arith.maximumf %i, %zero : f32\n"
                "    linalg.yield %m : f32\n  } -> " +
                type(sizes));
  }
  Text &padded(const std::string &to, const std::string &from, const std::string &inner,
               const std::string &outer) {
    filled(to + "_z", outer);
    const std::string n = is_open() ? "%n" : n_;
    std::string sizes = inner;
    for (size_t at; (at = sizes.find('x')) != std::string::npos;) sizes.replace(at, 1, ", ");
    return line("%" + to + " = tensor.insert_slice %" + from + " into %" + to + "_z[0, 0, 1, 1] [" +
                n + ", " + sizes + "] [1, 1, 1, 1] : " + type(inner) + " into " + type(outer));
  }
  /* The mean over the samples taken from each. */
  Text &centred(const std::string &to, const std::string &from, const std::string &sizes) {
    const std::string row = "tensor<" + sizes + "xf32>";
    line("%" + to + "_re = tensor.empty() : " + row);
    line("%" + to + "_rz = linalg.fill ins(%zero : f32) outs(%" + to + "_re : " + row + ") -> " +
         row);
    line("%" + to + "_r = linalg.reduce ins(%" + from + " : " + type(sizes) + ") outs(%" + to +
         "_rz : " + row + ") dimensions = [0] (%i: f32, %o: f32) {\n    %s = arith.addf %i, %o : " +
         "f32\n    linalg.yield %s : f32\n  }");
    filled(to + "_z", sizes);
    const std::string all = "affine_map<(a, b, c, d) -> (a, b, c, d)>";
    return line("%" + to + " = linalg.generic {indexing_maps = [" + all +
                ", affine_map<(a, b, c, d) -> (b, c, d)>, " + all + "], iterator_types = " +
                "[\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} ins(%" + from + ", %" +
                to + "_r : " + type(sizes) + ", " + row + ") outs(%" + to + "_z : " + type(sizes) +
                ") {\n  ^bb0(%i: f32, %k: f32, %o: f32):\n    %m = arith.subf %i, %k : f32\n"
                "    linalg.yield %m : f32\n  } -> " +
                type(sizes));
  }
  std::string returning(const std::string &values, const std::string &types) {
    std::string all = text_ + "  return " + values + " : " + types + "\n}\n";
    return all.replace(all.find("RESULTS"), 7, "(" + types + ")");
  }

 private:
  std::string n_, text_;
};

// Three convolutions with a window that goes over padding, what lies between them, and a product at
// the end; the second one's output is a result, too.
std::string plain(const std::string &n) {
  Text t(n);
  t.padded("p", "x", "3x12x12", "3x14x14");
  t.convolution("a", "conv_2d_nchw_fchw", "p", "3x14x14", "v", "8x3x3x3", "8x12x12");
  t.relu("b", "a", "8x12x12");
  t.convolution("c", "depthwise_conv_2d_nchw_chw", "b", "8x12x12", "d", "8x3x3", "8x10x10");
  t.convolution("e", "conv_2d_nchw_fchw", "c", "8x10x10", "w", "8x8x3x3", "8x8x8");
  t.relu("f", "e", "8x8x8");
  t.filled("s_z", "8");
  t.line("%s = linalg.reduce ins(%f : " + t.type("8x8x8") + ") outs(%s_z : " + t.type("8") +
         ") dimensions = [2, 3] (%i: f32, %o: f32) {\n    %q = arith.addf %i, %o : f32\n    "
         "linalg.yield %q : f32\n  }");
  t.filled("y_z", "5");
  t.line("%y = linalg.matmul ins(%s, %l : " + t.type("8") +
         ", tensor<8x5xf32>) outs(%y_z : " + t.type("5") + ") -> " + t.type("5"));
  return t.returning("%y, %c", t.type("5") + ", " + t.type("8x10x10"));
}

// What lies between two convolutions needs all samples.
std::string of_statistics(const std::string &n) {
  Text t(n);
  t.convolution("a", "conv_2d_nchw_fchw", "x", "3x12x12", "v", "8x3x3x3", "8x10x10");
  t.centred("b", "a", "8x10x10");
  t.convolution("c", "conv_2d_nchw_fchw", "b", "8x10x10", "w", "8x8x3x3", "8x8x8");
  return t.returning("%c", t.type("8x8x8"));
}

// A product between convolutions, whose rows are the places of all images.
std::string of_places(const std::string &n) {
  Text t(n);
  t.convolution("a", "conv_2d_nchw_fchw", "x", "3x12x12", "v", "8x3x3x3", "8x10x10");
  const std::string dim = t.is_open() ? "%n" : n,
                    rows = t.is_open() ? "?" : std::to_string(80 * std::stoll(n));
  const std::string matrix = "tensor<" + rows + "x10xf32>", square = "tensor<10x10xf32>";
  t.line("%m = tensor.collapse_shape %a [[0, 1, 2], [3]] : " + t.type("8x10x10") + " into " +
         matrix);
  t.line("%sq_e = tensor.empty() : " + square);
  t.line("%third = arith.constant 0.3 : f32");
  t.line("%sq = linalg.fill ins(%third : f32) outs(%sq_e : " + square + ") -> " + square);
  t.line("%eighty = arith.constant 80 : index");
  if (t.is_open()) t.line("%rows = arith.muli %n, %eighty : index");
  t.line("%p_e = tensor.empty(" + std::string(t.is_open() ? "%rows" : "") + ") : " + matrix);
  t.line("%p_z = linalg.fill ins(%zero : f32) outs(%p_e : " + matrix + ") -> " + matrix);
  t.line("%p = linalg.matmul ins(%m, %sq : " + matrix + ", " + square + ") outs(%p_z : " + matrix +
         ") -> " + matrix);
  t.line("%i = tensor.expand_shape %p [[0, 1, 2], [3]] output_shape [" + dim +
         ", 8, 10, 10] : " + matrix + " into " + t.type("8x10x10"));
  t.convolution("c", "conv_2d_nchw_fchw", "i", "8x10x10", "w", "8x8x3x3", "8x8x8");
  return t.returning("%c", t.type("8x8x8"));
}

// Samples that are not alike: in reverse order, and each with its number.
std::string of_places_in_the_batch(const std::string &n) {
  Text t(n);
  t.convolution("a", "conv_2d_nchw_fchw", "x", "3x12x12", "v", "8x3x3x3", "8x10x10");
  t.filled("b_e", "8x10x10");
  const std::string map = "affine_map<(a, b, c, d) -> (a, b, c, d)>";
  t.line("%b = linalg.generic {indexing_maps = [" + map + ", " + map + "], iterator_types = " +
         "[\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} ins(%a : " + t.type("8x10x10") +
         ") outs(%b_e : " + t.type("8x10x10") + ") {\n  ^bb0(%i: f32, %o: f32):\n    %k = " +
         "linalg.index 0 : index\n    %j = arith.index_cast %k : index to i32\n    %g = "
         "arith.sitofp " +
         "%j : i32 to f32\n    %m = arith.addf %i, %g : f32\n    linalg.yield %m : f32\n  } -> " +
         t.type("8x10x10"));
  t.convolution("c", "conv_2d_nchw_fchw", "b", "8x10x10", "w", "8x8x3x3", "8x8x8");
  return t.returning("%c", t.type("8x8x8"));
}

/* ---- What becomes of them -------------------------------------------------------------------- */

struct Separated {
  size_t n_loops = 0, n_convolutions = 0, n_of_unknown_size = 0, n_products_inside = 0,
         n_convolutions_inside = 0;
};

Separated separate(const std::string &text, int64_t cache = 1 << 20) {
  Diags diags;
  Separated found;
  buddy_module *module = nullptr;
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text() << text;
  if (module == nullptr) return found;
  const MlirOperation root = mlirModuleGetOperation(module->module);
  EXPECT_EQ(
      bd_samples_separate(mlirBlockGetFirstOperation(mlirModuleGetBody(module->module)), cache),
      BUDDY_OK);
  EXPECT_TRUE(mlirOperationVerify(root));
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(bd_ops_collect(&ops, root, ""), BUDDY_OK);
  for (size_t i = 0; i < ops.n; i++) {
    const MlirOperation op = ops.items[i];
    found.n_loops += static_cast<size_t>(bd_op_is(op, "scf.for"));
    const MlirOperation around = mlirOperationGetParentOperation(op);
    const bool is_inside = around.ptr != nullptr && bd_op_is(around, "scf.for");
    found.n_products_inside += static_cast<size_t>(is_inside && bd_op_is(op, "linalg.matmul"));
    if (!bd_op_starts_with(op, "linalg.conv") && !bd_op_starts_with(op, "linalg.depthwise"))
      continue;
    found.n_convolutions++;
    found.n_convolutions_inside += static_cast<size_t>(is_inside);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++)
      found.n_of_unknown_size += static_cast<size_t>(
          !mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetOperand(op, k))));
  }
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return found;
}

TEST(Samples, ConvolutionsAreOfKnownSizes) {
  const Separated p = separate(plain("?"));
  EXPECT_EQ(p.n_loops, 1u);
  EXPECT_EQ(p.n_convolutions, 3u);
  EXPECT_EQ(p.n_of_unknown_size, 0u);
  EXPECT_EQ(p.n_products_inside, 0u); /* it is after the last convolution: all samples at once */
}

TEST(Samples, ProductsBetweenConvolutionsAreOfKnownSizes) {
  const Separated p = separate(of_places("?"));
  EXPECT_EQ(p.n_loops, 1u);
  EXPECT_EQ(p.n_of_unknown_size, 0u);
  EXPECT_EQ(p.n_products_inside, 1u);
}

TEST(Samples, WhatNeedsAllOfThemLiesBetweenLoops) {
  for (const std::string &text : {of_statistics("?"), of_places_in_the_batch("?")}) {
    const Separated p = separate(text);
    EXPECT_EQ(p.n_loops, 2u);
    EXPECT_EQ(p.n_convolutions, 2u);
    EXPECT_EQ(p.n_of_unknown_size, 0u);
  }
}

// A product of so many rows for each sample.
std::string of_rows(const std::string &rows) {
  const std::string in = "tensor<?x" + rows + "x16xf32>", out = "tensor<?x" + rows + "x8xf32>";
  return "func.func @forward(%x: " + in + ", %w: tensor<16x8xf32>) -> " + out +
         " {\n  %zero = arith.constant 0.0 : f32\n  %c0 = arith.constant 0 : index\n"
         "  %k = arith.constant " +
         rows + " : index\n  %n = tensor.dim %x, %c0 : " + in +
         "\n  %m = tensor.collapse_shape %x [[0, 1], [2]] : " + in +
         " into tensor<?x16xf32>\n"
         "  %rows = arith.muli %n, %k : index\n  %e = tensor.empty(%rows) : tensor<?x8xf32>\n"
         "  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>\n"
         "  %p = linalg.matmul ins(%m, %w : tensor<?x16xf32>, tensor<16x8xf32>) outs(%z : "
         "tensor<?x8xf32>) -> tensor<?x8xf32>\n"
         "  %y = tensor.expand_shape %p [[0, 1], [2]] output_shape [%n, " +
         rows + ", 8] : tensor<?x8xf32> into " + out + "\n  return %y : " + out + "\n}\n";
}

TEST(Samples, ProductsOfManyRowsAreOfKnownSizes) {
  EXPECT_EQ(separate(of_rows("64")).n_products_inside, 1u);
  EXPECT_EQ(separate(of_rows("63")).n_loops, 0u);
}

// A product of more rows than the batch has: not all of them are samples.
TEST(Samples, PartsOfALongerBatchStayTogether) {
  const std::string text =
      "func.func @forward(%x: tensor<?x80x16xf32>, %w: tensor<?x16x16xf32>) -> "
      "tensor<?x80x16xf32> {\n  %zero = arith.constant 0.0 : f32\n"
      "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"
      "  %n = tensor.dim %x, %c0 : tensor<?x80x16xf32>\n  %all = arith.muli %n, %c2 : index\n"
      "  %e = tensor.empty(%all) : tensor<?x80x16xf32>\n"
      "  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x80x16xf32>) -> tensor<?x80x16xf32>\n"
      "  %s = tensor.insert_slice %x into %z[0, 0, 0] [%n, 80, 16] [1, 1, 1] : "
      "tensor<?x80x16xf32> into tensor<?x80x16xf32>\n"
      "  %r = linalg.batch_matmul ins(%s, %w : tensor<?x80x16xf32>, tensor<?x16x16xf32>) outs(%s : "
      "tensor<?x80x16xf32>) -> tensor<?x80x16xf32>\n  return %r : tensor<?x80x16xf32>\n}\n";
  const Separated p = separate(text);
  EXPECT_EQ(p.n_loops, 1u); /* over all of them: the insertion is before it */
  Program program(text);
  const Tensor x = Tensor::random(BUDDY_F32, {2, 80, 16}, 1),
               w = Tensor::random(BUDDY_F32, {4, 16, 16}, 2);
  for (int i = 0; i < 2; i++) {
    const std::vector<Tensor> got = program.run({&x, &w});
    ASSERT_EQ(got.size(), 1u);
    ASSERT_EQ(got[0].sizes(), (std::vector<int64_t>{4, 80, 16}));
    for (size_t k = 0; k < got[0].n(); k++) {
      const size_t row = k / 16, column = k % 16, sample = row / 80;
      float sum = sample < 2 ? x.as<float>()[k] : 0;
      for (size_t j = 0; j < 16 && sample < 2; j++)
        sum += x.as<float>()[row * 16 + j] * w.as<float>()[(sample * 16 + j) * 16 + column];
      ASSERT_NEAR(got[0].as<float>()[k], sum, 1e-4f) << k;
    }
  }
}

TEST(Samples, OfKnownNumberStayTogether) { EXPECT_EQ(separate(plain("4")).n_loops, 0u); }

// Images of 4 × (3 × 14 × 14 + 8 × 12 × 12), of 4 × 8 × (12 × 12 + 10 × 10) and of
// 4 × 8 × (10 × 10 + 8 × 8) floats; filters of 2304 bytes at the most.
TEST(Samples, OfKnownNumberGoOneByOneWhereAllLeaveTheCache) {
  for (const std::string n : {"2", "4", "7"}) {
    const Separated p = separate(plain(n), 9300);
    EXPECT_EQ(p.n_loops, 1u);
    EXPECT_EQ(p.n_convolutions_inside, 3u);
    EXPECT_EQ(p.n_products_inside, 0u);
  }
  EXPECT_EQ(separate(plain("1"), 100).n_loops, 0u);
  EXPECT_EQ(separate(plain("4"), 31500).n_loops, 0u); /* the second is alone in leaving it */
  EXPECT_EQ(separate(of_places("4"), 9300).n_products_inside, 1u);
  for (const std::string &text : {of_statistics("4"), of_places_in_the_batch("4")})
    EXPECT_EQ(separate(text, 9300).n_loops, 0u); /* nothing that two of them would share */
}

// 1x1 convolutions of images of `places` places: two of `n` channels, one to by · n, one back.
std::string of_channels(int samples, int places, int n, int by) {
  const int sizes[] = {n, n, n, n * by, n};
  const auto image = [&](int channels) {
    return "tensor<" + std::to_string(samples) + "x" + std::to_string(channels) + "x" +
           std::to_string(places) + "x1xf32>";
  };
  const auto filter = [&](int i) {
    return "tensor<" + std::to_string(sizes[i + 1]) + "x" + std::to_string(sizes[i]) + "x1x1xf32>";
  };
  std::string text = "func.func @forward(%y0: " + image(n);
  for (int i = 0; i < 4; i++) text += ", %w" + std::to_string(i) + ": " + filter(i);
  text += ") -> " + image(n) + " {\n  %zero = arith.constant 0.0 : f32\n";
  for (int i = 0; i < 4; i++) {
    const std::string k = std::to_string(i), out = image(sizes[i + 1]);
    text += "  %e" + k + " = tensor.empty() : " + out + "\n  %z" + k +
            " = linalg.fill ins(%zero : f32) outs(%e" + k + " : " + out + ") -> " + out + "\n  %y" +
            std::to_string(i + 1) + " = linalg.conv_2d_nchw_fchw ins(%y" + k + ", %w" + k + " : " +
            image(sizes[i]) + ", " + filter(i) + ") outs(%z" + k + " : " + out + ") -> " + out +
            "\n";
  }
  return text + "  return %y4 : " + image(n) + "\n}\n";
}

// Weights that are more than what they are used for in a sample would be read again for each.
TEST(Samples, OfKnownNumberStayTogetherWhereWeightsAreMore) {
  EXPECT_EQ(separate(of_channels(4, 64, 8, 4), 4096).n_convolutions_inside, 4u);
  EXPECT_EQ(separate(of_channels(4, 64, 8, 400), 1 << 17).n_convolutions_inside, 2u);
  EXPECT_EQ(separate(of_channels(4, 4, 8, 400), 1 << 17).n_convolutions_inside, 0u);
}

/* ---- What they give -------------------------------------------------------------------------- */

class Weights {
 public:
  std::vector<const Tensor *> with(const Tensor &x) const {
    return {&x, &tensors_[0], &tensors_[1], &tensors_[2], &tensors_[3]};
  }

 private:
  Tensor tensors_[4] = {
      Tensor::random(BUDDY_F32, {8, 3, 3, 3}, 11), Tensor::random(BUDDY_F32, {8, 3, 3}, 12),
      Tensor::random(BUDDY_F32, {8, 8, 3, 3}, 13), Tensor::random(BUDDY_F32, {8, 5}, 14)};
};

void expect_near(const Tensor &got, const Tensor &wanted, int64_t n) {
  ASSERT_EQ(got.sizes(), wanted.sizes());
  for (size_t i = 0; i < got.n(); i++)
    ASSERT_NEAR(got.as<float>()[i], wanted.as<float>()[i],
                1e-4f * (1 + std::abs(wanted.as<float>()[i])))
        << n << " samples, element " << i;
}

// One program for all numbers of samples, one after the other, on inputs that differ and on one
// thread and two; and one for each number alone.
void expect_same(std::string (*text)(const std::string &)) {
  const Weights weights;
  Program open(text("?"));
  uint64_t seed = 1;
  ASSERT_EQ(open.code, BUDDY_OK) << open.diags.text();
  for (int64_t n : {3, 1, 16}) {
    Program fixed(text(std::to_string(n)));
    for (int i = 0; i < 4; i++) {
      const Tensor x = Tensor::random(BUDDY_F32, {n, 3, 12, 12}, seed++);
      buddy_program_set_threads(open.program, 1 + i % 2);
      const std::vector<Tensor> got = open.run(weights.with(x)),
                                wanted = fixed.run(weights.with(x));
      ASSERT_EQ(got.size(), wanted.size());
      for (size_t k = 0; k < got.size(); k++) expect_near(got[k], wanted[k], n);
    }
    const std::vector<Tensor> none = open.run(weights.with(Tensor(BUDDY_F32, {0, 3, 12, 12})));
    ASSERT_FALSE(none.empty());
    ASSERT_EQ(none[0].sizes()[0], 0);
  }
}

TEST(Samples, GiveWhatTheBatchGives) { expect_same(plain); }
TEST(Samples, GiveWhatTheBatchGivesBetweenLoops) { expect_same(of_statistics); }
TEST(Samples, GiveWhatTheBatchGivesOfRows) { expect_same(of_places); }
TEST(Samples, GiveWhatTheBatchGivesOfTheirPlaces) { expect_same(of_places_in_the_batch); }

// The kernels are those of a program for one sample: bit for bit.
TEST(Samples, HaveTheKernelsOfOne) {
  const Weights weights;
  Program open(plain("?")), one(plain("1"));
  const Tensor x = Tensor::random(BUDDY_F32, {3, 3, 12, 12}, 5);
  const std::vector<Tensor> all = open.run(weights.with(x));
  ASSERT_EQ(all.size(), 2u);
  const size_t n_in = x.n() / 3, n_out = all[1].n() / 3;
  for (size_t i = 0; i < 3; i++) {
    const Tensor part(BUDDY_F32, {1, 3, 12, 12},
                      std::vector<float>(x.as<float>() + i * n_in, x.as<float>() + (i + 1) * n_in));
    const std::vector<Tensor> alone = one.run(weights.with(part));
    ASSERT_EQ(alone.size(), 2u);
    EXPECT_EQ(alone[1].values<float>(), std::vector<float>(all[1].as<float>() + i * n_out,
                                                           all[1].as<float>() + (i + 1) * n_out));
  }
}

// Three images that do not stay in any cache of a thread, one by one and alone: bit for bit.
TEST(Samples, OfKnownNumberHaveTheKernelsOfOne) {
  const int places = 10000;
  Program all(of_channels(3, places, 8, 4)), one(of_channels(1, places, 8, 4));
  const Tensor x = Tensor::random(BUDDY_F32, {3, 8, places, 1}, 1),
               w[] = {Tensor::random(BUDDY_F32, {8, 8, 1, 1}, 2),
                      Tensor::random(BUDDY_F32, {8, 8, 1, 1}, 3),
                      Tensor::random(BUDDY_F32, {32, 8, 1, 1}, 4),
                      Tensor::random(BUDDY_F32, {8, 32, 1, 1}, 5)};
  const size_t n = x.n() / 3;
  for (int threads = 1; threads < 3; threads++) {
    buddy_program_set_threads(all.program, threads);
    const std::vector<Tensor> got = all.run({&x, &w[0], &w[1], &w[2], &w[3]});
    ASSERT_EQ(got.size(), 1u);
    for (size_t i = 0; i < 3; i++) {
      const Tensor part(BUDDY_F32, {1, 8, places, 1},
                        std::vector<float>(x.as<float>() + i * n, x.as<float>() + (i + 1) * n));
      const std::vector<Tensor> alone = one.run({&part, &w[0], &w[1], &w[2], &w[3]});
      ASSERT_EQ(alone.size(), 1u);
      EXPECT_EQ(alone[0].values<float>(),
                std::vector<float>(got[0].as<float>() + i * n, got[0].as<float>() + (i + 1) * n));
    }
  }
}

}  // namespace
