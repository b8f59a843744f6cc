// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with weights that a loop makes of smaller constants: which loops that holds for, and
// their numbers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/fake_kernels.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/kernels/dequantized/parts.h"
#include "sdk/compile/kernels/gemm.h"
#include "sdk/lower/module.h"
}

namespace {

// ---- Recognition ----

const std::string kScaled =
    "  %f = arith.sitofp %p : i8 to f32\n    %y = arith.mulf %f, %s : f32\n";

// %x, one row, times %b, 24 columns of 64, which is made of bytes of %w and of one of %scales for
// each group of 32. between: what stands before the product.
std::string module_of(const std::string &body = kScaled, const std::string &between = "",
                      const std::string &weight = "%w", int group = 32) {
  const std::string g = std::to_string(group), n = std::to_string(64 / group);
  const std::string made = "24x" + n + "x" + g;
  return "#id = affine_map<(i, j, k) -> (i, j, k)>\n#group = affine_map<(i, j, k) -> (i, j)>\n"
         "func.func @forward(%w: memref<24x64xi8>, %scales: memref<24x" +
         n +
         "xf32>, %in: memref<24x64xi8>, %x: memref<1x64xf32>, %out: memref<1x24xf32>) {\n"
         "  %e = memref.expand_shape " +
         weight + " [[0], [1, 2]] output_shape [24, " + n + ", " + g +
         "] : memref<24x64xi8> into memref<" + made +
         "xi8>\n"
         "  %b = memref.alloc() : memref<" +
         made +
         "xf32>\n"
         "  linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = [\"parallel\", "
         "\"parallel\", \"parallel\"]} ins(%e, %scales : memref<" +
         made + "xi8>, memref<24x" + n + "xf32>) outs(%b : memref<" + made +
         "xf32>) {\n"
         "  ^bb0(%p: i8, %s: f32, %o: f32):\n  " +
         body +
         "    linalg.yield %y : f32\n  }\n"
         "  %c = memref.collapse_shape %b [[0], [1, 2]] : memref<" +
         made + "xf32> into memref<24x64xf32>\n" + between +
         "  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) "
         "-> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %c : memref<1x64xf32>, "
         "memref<24x64xf32>) outs(%out : memref<1x24xf32>)\n  return\n}\n";
}

// The kernel that comes of what is found is MLIR.
void expect_kernel(MlirModule module, const bd_contraction &c, const bd_dequantized &found) {
  bd_text text = {};
  const bd_callees none = {};
  bd_callees_write_kernel(&text, &c, &none, &found);
  const std::string mlir = "func.func private @kernel" + mlir_of(&text);
  const MlirModule parsed = mlirModuleCreateParse(mlirModuleGetContext(module),
                                                  mlirStringRefCreate(mlir.data(), mlir.size()));
  EXPECT_NE(parsed.ptr, nullptr) << mlir;
  if (parsed.ptr != nullptr) mlirModuleDestroy(parsed);
}

// What is found of the product of a module, whose first two inputs are constant. has_table: whether
// its numbers are looked up, if the processor can do that, which it says before.
bd_dequantized find(const std::string &text, size_t *n_left = nullptr, bool *has_table = nullptr) {
  Diags diags;
  buddy_module *module = nullptr;
  bd_dequantized found = {};
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text() << text;
  if (module == nullptr) return found;
  const MlirOperation root = mlirModuleGetOperation(module->module);
  char is_constant[5] = {1, 1, 0, 0, 0};
  bd_prepacking prepacking = {};
  prepacking.entry = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(mlirBlockGetFirstOperation(mlirModuleGetBody(module->module)), 0));
  prepacking.is_constant = is_constant;
  prepacking.n_arguments = sizeof(is_constant);
  static const bd_machine without = bd_machine_of("avx2", 0);
  prepacking.machine = has_table == nullptr || *has_table ? &fake_machine : &without;
  bd_ops ops = {nullptr, 0, 0};
  bd_contraction c;
  EXPECT_EQ(bd_ops_collect_outermost(&ops, root, "linalg.contract"), BUDDY_OK);
  EXPECT_EQ(ops.n, 1u);
  if (ops.n == 1 && bd_contraction_read(ops.items[0], &c)) {
    found = bd_dequantized_find(&c, &prepacking);
    if (found.n > 0 && has_table != nullptr) *has_table = bd_dequantized_has_table(&found) != 0;
    if (found.n > 0) expect_kernel(module->module, c, found);
    if (found.n > 0 && n_left != nullptr) {
      bd_op_erase(ops.items[0]);
      bd_dequantized_erase(&found);
      bd_ops left = {nullptr, 0, 0};
      EXPECT_EQ(bd_ops_collect(&left, root, "linalg."), BUDDY_OK);
      EXPECT_EQ(bd_ops_collect(&left, root, "memref.alloc"), BUDDY_OK);
      EXPECT_EQ(bd_ops_collect(&left, root, "memref.collapse"), BUDDY_OK);
      *n_left = left.n;
      bd_ops_deinit(&left);
    }
  }
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return found;
}

TEST(Restored, FindsWhatIsMadeOfConstantsByGroup) {
  size_t n_left = 9;
  const bd_dequantized r = find(module_of(), &n_left);
  EXPECT_EQ(r.n, 24);
  EXPECT_EQ(r.k, 64);
  ASSERT_EQ(r.loop.n, 2);
  EXPECT_FALSE(r.loop.extras[0].is_spread);
  EXPECT_TRUE(r.loop.extras[1].is_spread);
  EXPECT_EQ(n_left, 0u);
}

// Weights and scales in 8-bit floats, which a body takes by their bits.
TEST(Restored, FindsWhatIsMadeOfShortFloats) {
  std::string text = module_of(
      "  %bits = arith.bitcast %p : f8E4M3FN to i8\n    %f = arith.sitofp %bits : i8 to f32\n"
      "    %of = arith.bitcast %s : f8E8M0FNU to i8\n    %wide = arith.extui %of : i8 to i32\n"
      "    %t = arith.bitcast %wide : i32 to f32\n    %y = arith.mulf %f, %t : f32\n");
  const auto replace = [&](const std::string &from, const std::string &to) {
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  };
  replace("%p: i8, %s: f32", "%p: f8E4M3FN, %s: f8E8M0FNU");
  replace("xi8>", "xf8E4M3FN>");
  replace("24x2xf32>", "24x2xf8E8M0FNU>");
  EXPECT_EQ(find(text).n, 24);
}

TEST(Restored, LeavesWhatOthersReadToo) {
  size_t n_left = 9;
  const bd_dequantized r =
      find(module_of(kScaled,
                     "  %d = memref.alloc() : memref<24x64xf32>\n"
                     "  linalg.exp ins(%c : memref<24x64xf32>) outs(%d : memref<24x64xf32>)\n"),
           &n_left);
  EXPECT_EQ(r.n, 24);
  EXPECT_EQ(n_left, 7u); /* allocations, the view, two loops and their ends */
}

// Two numbers in each byte of %w, the first of which `low` makes and the second `high`; of 12
// columns of 128 that lie where module_of has 24 of 64.
std::string packed_module(const std::string &low, const std::string &high,
                          const std::string &also = "") {
  const auto loop = [](const std::string &to, const std::string &body) {
    return "  " + to +
           " = memref.alloc() : memref<12x64x1xi8>\n"
           "  linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", "
           "\"parallel\", \"parallel\"]} ins(%e : memref<12x64x1xi8>) outs(" +
           to + " : memref<12x64x1xi8>) {\n  ^bb0(%p: i8, %o: i8):\n    %y = " + body +
           " : i8\n    linalg.yield %y : i8\n  }\n";
  };
  const auto copy = [](const std::string &from, const std::string &at) {
    return "  %at" + at + " = memref.subview %q[0, 0, " + at +
           "] [12, 64, 1] [1, 1, 1] : memref<12x64x2xi8> to memref<12x64x1xi8, strided<[128, 2, "
           "1], offset: " +
           at + ">>\n  memref.copy " + from + ", %at" + at +
           " : memref<12x64x1xi8> to memref<12x64x1xi8, strided<[128, 2, 1], offset: " + at +
           ">>\n";
  };
  return "#id = affine_map<(i, j, k) -> (i, j, k)>\n#group = affine_map<(i, j, k) -> (i, j)>\n"
         "func.func @forward(%w: memref<12x64xi8>, %scales: memref<12x4xf32>, %in: "
         "memref<12x64xi8>, %x: memref<1x128xf32>, %out: memref<1x12xf32>) {\n"
         "  %c4 = arith.constant 4 : i8\n  %c15 = arith.constant 15 : i8\n  %c240 = arith.constant "
         "-16 : i8\n"
         "  %e = memref.expand_shape %w [[0], [1, 2]] output_shape [12, 64, 1] : memref<12x64xi8> "
         "into memref<12x64x1xi8>\n" +
         loop("%low", low) + loop("%high", high) + "  %q = memref.alloc() : memref<12x64x2xi8>\n" +
         copy("%low", "0") + copy("%high", "1") + also +
         "  %joined = memref.collapse_shape %q [[0], [1, 2]] : memref<12x64x2xi8> into "
         "memref<12x128xi8>\n"
         "  %cut = memref.expand_shape %joined [[0], [1, 2]] output_shape [12, 4, 32] : "
         "memref<12x128xi8> "
         "into memref<12x4x32xi8>\n"
         "  %b = memref.alloc() : memref<12x4x32xf32>\n"
         "  linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = [\"parallel\", "
         "\"parallel\", \"parallel\"]} ins(%cut, %scales : memref<12x4x32xi8>, memref<12x4xf32>) "
         "outs(%b : memref<12x4x32xf32>) {\n  ^bb0(%p: i8, %s: f32, %o: f32):\n  " +
         kScaled +
         "    linalg.yield %y : f32\n  }\n"
         "  %c = memref.collapse_shape %b [[0], [1, 2]] : memref<12x4x32xf32> into "
         "memref<12x128xf32>\n"
         "  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) "
         "-> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %c : memref<1x128xf32>, "
         "memref<12x128xf32>) outs(%out : memref<1x12xf32>)\n  return\n}\n";
}

TEST(Restored, FindsTwoNumbersInAByte) {
  size_t n_left = 9;
  const bd_dequantized r =
      find(packed_module("arith.andi %p, %c15", "arith.shrui %p, %c4"), &n_left);
  EXPECT_EQ(r.n, 12);
  EXPECT_EQ(n_left, 0u);
  EXPECT_NE(r.packings[0].halves.packed.ptr, nullptr);
  EXPECT_EQ(r.packings[1].halves.packed.ptr, nullptr);
  EXPECT_FALSE(mlirOperationEqual(r.packings[0].halves.loops[0], r.packings[0].halves.loops[1]));
}

// Where each number comes of one half of a byte, and groups are whole pairs of vectors.
TEST(Restored, LooksUpNumbersOfFourBits) {
  const auto looks_up = [](const std::string &text) {
    bool has_table = true, has_no_lookup = false;
    EXPECT_GT(find(text, nullptr, &has_table).n, 0) << text;
    find(text, nullptr, &has_no_lookup);
    EXPECT_FALSE(has_no_lookup) << "a processor that cannot";
    return has_table;
  };
  const std::string low = "arith.andi %p, %c15", high = "arith.shrui %p, %c4";
  const std::string clear = "arith.andi %p, %c240";
  EXPECT_TRUE(looks_up(packed_module(low, high)));
  EXPECT_TRUE(looks_up(packed_module(high, low)));
  EXPECT_TRUE(looks_up(packed_module(low, clear)));
  EXPECT_FALSE(looks_up(packed_module(low, "arith.shrsi %p, %c4"))) << "more than the half";
  EXPECT_FALSE(looks_up(packed_module(low, "arith.shrui %c15, %p"))) << "shifts by the byte";
  EXPECT_FALSE(looks_up(packed_module("arith.andi %p, %c4", high))) << "not all of the half";
  EXPECT_FALSE(looks_up(module_of())) << "bytes";
}

// What reads the single numbers as well keeps them; what writes to them keeps all.
TEST(Restored, LeavesSingleNumbersThatAreWanted) {
  size_t n_left = 0;
  const bd_dequantized r =
      find(packed_module("arith.andi %p, %c15", "arith.shrui %p, %c4",
                         "  %r = memref.alloc() : memref<12x64x2xi8>\n"
                         "  linalg.copy ins(%q : memref<12x64x2xi8>) outs(%r : "
                         "memref<12x64x2xi8>)\n"),
           &n_left);
  EXPECT_EQ(r.n, 12);
  EXPECT_EQ(n_left, 10u); /* four allocations, two loops and the copy, with their ends */
  EXPECT_EQ(find(packed_module("arith.andi %p, %c15", "arith.shrui %p, %c4",
                               "  linalg.fill ins(%c4 : i8) outs(%q : memref<12x64x2xi8>)\n"))
                .n,
            0);
}

TEST(Restored, DeclinesWhatMayChange) {
  EXPECT_EQ(find(module_of(kScaled, "", "%in")).n, 0) << "an input";
  EXPECT_EQ(find(module_of(kScaled,
                           "  linalg.exp ins(%c : memref<24x64xf32>) outs(%c : "
                           "memref<24x64xf32>)\n"))
                .n,
            0)
      << "written twice";
  EXPECT_EQ(
      find(module_of(kScaled, "  %d = memref.cast %c : memref<24x64xf32> to memref<?x?xf32>\n")).n,
      0)
      << "a view that may be anything";
}

TEST(Restored, DeclinesBodiesThatAreNoVectors) {
  EXPECT_EQ(find(module_of("  %i = linalg.index 2 : index\n    %j = arith.index_cast %i : index to "
                           "i8\n    %q = arith.addi %p, %j : i8\n"
                           "    %y = arith.sitofp %q : i8 to f32\n"))
                .n,
            0);
  EXPECT_EQ(find(module_of("  %f = arith.sitofp %p : i8 to f32\n"
                           "    %y = arith.addf %f, %o : f32\n"))
                .n,
            0)
      << "what was there before";
  EXPECT_EQ(find(module_of(kScaled, "", "%w", 8)).n, 0) << "groups smaller than a vector";
}

// Bytes, or bits of them, times and plus factors: sums of a group before its factors.
TEST(Restored, SumsBytesBeforeTheirFactors) {
  const auto kind = [](const std::string &body) {
    const bd_dequantized r = find(module_of("  " + body));
    EXPECT_EQ(r.n, 24) << body;
    return r.are_words ? r.are_signed ? "signed" : "unsigned" : "no";
  };
  const std::string number = "%f = arith.sitofp %p : i8 to f32\n",
                    unsign = "%f = arith.uitofp %p : i8 to f32\n",
                    scaled = "%y = arith.mulf %f, %s : f32\n";
  const std::string bits =
      "%m = arith.constant 48 : i8\n %q = arith.andi %p, %m : i8\n%g = arith.uitofp %q : i8 to "
      "f32\n";
  EXPECT_STREQ(kind(number + scaled), "signed");
  EXPECT_STREQ(kind(unsign + scaled), "unsigned");
  EXPECT_STREQ(kind(bits + "%y = arith.subf %s, %g : f32\n"), "unsigned");
  EXPECT_STREQ(
      kind(number + "%t = arith.truncf %f : f32 to bf16\n%f2 = arith.extf %t : bf16 to f32\n"
                    "%y = arith.addf %f2, %s : f32\n"),
      "signed");
  EXPECT_STREQ(kind(bits + unsign + "%a = arith.mulf %g, %s : f32\n%y = arith.addf %a, %f : f32\n"),
               "unsigned");
  EXPECT_STREQ(kind(bits + number + "%y = arith.addf %g, %f : f32\n"), "no") << "of both kinds";
  EXPECT_STREQ(kind(number + "%y = arith.mulf %f, %f : f32\n"), "no") << "a square";
  EXPECT_STREQ(kind(number + "%a = arith.maximumf %f, %s : f32\n%y = arith.mulf %a, %s : f32\n"),
               "no");
  EXPECT_STREQ(kind("%m = arith.constant 3 : i8\n%q = arith.addi %p, %m : i8\n"
                    "%y = arith.sitofp %q : i8 to f32\n"),
               "no")
      << "may wrap";
}

// ---- Numbers ----

// Bytes from -120 on, in steps of 7.
std::string bytes(int64_t n) {
  std::string text = "[";
  for (int64_t i = 0; i < n; i++)
    text += (i > 0 ? ", " : "") + std::to_string(static_cast<int>(i * 7 % 240) - 120);
  return text + "]";
}
float byte_at(int64_t i) { return static_cast<float>(i * 7 % 240) - 120; }

// %x, m rows (symbolic if m < 0) · k, times bytes of n columns, each element less %zero of its
// group, times %scale of its column: what varies does so along one axis of several.
// body: makes %r of %p, %s and %z.
const std::string kLess =
    "    %p32 = arith.extsi %p : i8 to i32\n    %z32 = arith.extsi %z : i8 to i32\n"
    "    %q = arith.subi %p32, %z32 : i32\n    %f = arith.sitofp %q : i32 to f32\n"
    "    %h = arith.sitofp %s : i8 to f32\n    %eighth = arith.constant 0.0078125 : f32\n"
    "    %h8 = arith.mulf %h, %eighth : f32\n    %r = arith.mulf %f, %h8 : f32\n";
std::string product_of(int64_t m, int64_t n, int64_t k, int64_t group, const std::string &element,
                       const std::string &body = kLess) {
  const std::string rows = m < 0 ? "?" : std::to_string(m), N = std::to_string(n),
                    K = std::to_string(k), G = std::to_string(k / group), g = std::to_string(group),
                    made = N + "x" + G + "x" + g;
  const std::string x = "tensor<" + rows + "x" + K + "x" + element + ">",
                    y = "tensor<" + rows + "x" + N + "x" + element + ">";
  const bool is_f32 = element == "f32";
  return "#id = affine_map<(i, j, k) -> (i, j, k)>\n#row = affine_map<(i, j, k) -> (i)>\n"
         "#group = affine_map<(i, j, k) -> (j)>\n"
         "func.func @forward(%x: " +
         x + ") -> " + y +
         " {\n"
         "  %flat = arith.constant dense<" +
         bytes(n * k) + "> : tensor<" + std::to_string(n * k) +
         "xi8>\n  %w = tensor.expand_shape %flat [[0, 1, 2]] output_shape [" + N + ", " + G + ", " +
         g + "] : tensor<" + std::to_string(n * k) + "xi8> into tensor<" + made +
         "xi8>\n"
         "  %scales = arith.constant dense<" +
         bytes(n) + "> : tensor<" + N +
         "xi8>\n"
         "  %zeros = arith.constant dense<" +
         bytes(k / group) + "> : tensor<" + G +
         "xi8>\n"
         "  %none = tensor.empty() : tensor<" +
         made + "x" + element +
         ">\n"
         "  %b = linalg.generic {indexing_maps = [#id, #row, #group, #id], iterator_types = "
         "[\"parallel\", \"parallel\", \"parallel\"]} ins(%w, %scales, %zeros : tensor<" +
         made + "xi8>, tensor<" + N + "xi8>, tensor<" + G + "xi8>) outs(%none : tensor<" + made +
         "x" + element + ">) {\n  ^bb0(%p: i8, %s: i8, %z: i8, %o: " + element + "):\n" + body +
         (is_f32 ? "    linalg.yield %r : f32\n"
                 : "    %short = arith.truncf %r : f32 to " + element +
                       "\n    linalg.yield %short : " + element + "\n") +
         "  } -> tensor<" + made + "x" + element +
         ">\n"
         "  %c = tensor.collapse_shape %b [[0], [1, 2]] : tensor<" +
         made + "x" + element + "> into tensor<" + N + "x" + K + "x" + element +
         ">\n"
         "  %c0 = arith.constant 0 : index\n  %m = tensor.dim %x, %c0 : " +
         x +
         "\n"
         "  %zero = arith.constant 0.0 : " +
         element + "\n  %e = tensor.empty(" + (m < 0 ? "%m" : "") + ") : " + y +
         "\n"
         "  %begin = linalg.fill ins(%zero : " +
         element + ") outs(%e : " + y + ") -> " + y +
         "\n"
         "  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, "
         "n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %c : " +
         x + ", tensor<" + N + "x" + K + "x" + element + ">) outs(%begin : " + y + ") -> " + y +
         "\n"
         "  return %y : " +
         y + "\n}\n";
}

// The program for m rows (symbolic if m < 0) on each of so many.
void check(int64_t m, const std::vector<int64_t> &all_rows, int64_t n, int64_t k, int64_t group) {
  Program program(product_of(m, n, k, group, "f32"));
  for (const int64_t rows : all_rows) {
    SCOPED_TRACE(std::to_string(rows) + " " + std::to_string(n) + " " + std::to_string(k));
    const Tensor x = Tensor::random(BUDDY_F32, {rows, k}, 1);
    const auto out = program.run({&x});
    ASSERT_EQ(out.size(), 1u);
    for (int64_t i = 0; i < rows * n; i++) {
      const float *row = x.as<float>() + i / n * k;
      const int64_t j = i % n;
      double sum = 0, size = 0;
      for (int64_t p = 0; p < k; p++) {
        const double b = (byte_at(j * k + p) - byte_at(p / group)) * (byte_at(j) * 0.0078125);
        sum += row[p] * b;
        size += std::abs(row[p] * b);
      }
      ASSERT_NEAR(out[0].as<float>()[i], sum, 1e-6 * (1 + size)) << i / n << " " << j;
    }
  }
}

// One row, few, and many; whole eights of columns and not; slabs of several groups, the last of
// which is not full; columns for several slabs.
TEST(Restored, MultipliesByGroups) {
  check(1, {1}, 27, 96, 16);
  check(5, {5}, 16, 64, 32);
  check(19, {19}, 9, 128, 128);
  check(-1, {1, 5, 19}, 70, 288, 96);
  check(-1, {12, 1}, 600, 320, 64);
}

// Signed bytes, and bits of unsigned ones, with what is made of one number for each column and of one for each
// group: many groups to a vector and many vectors to a group, columns that are no whole fours, bf16.
TEST(Restored, MultipliesBytesByGroups) {
  const std::string factors =
      "    %h = arith.sitofp %s : i8 to f32\n    %g = arith.sitofp %z : i8 to f32\n";
  const struct {
    std::string body;
    double (*number)(int p);
  } kinds[] = {
      {"    %f = arith.sitofp %p : i8 to f32\n", [](int p) { return static_cast<double>(p); }},
      {"    %f = arith.uitofp %p : i8 to f32\n",
       [](int p) { return static_cast<double>(p & 255); }},
      {"    %m = arith.constant -16 : i8\n    %q = arith.andi %p, %m : i8\n    %f = arith.uitofp "
       "%q : "
       "i8 to f32\n",
       [](int p) { return static_cast<double>(p & 240); }},
      {"    %m = arith.constant 12 : i8\n    %q = arith.andi %m, %p : i8\n    %a = arith.uitofp %q "
       ": i8 "
       "to f32\n    %b = arith.uitofp %p : i8 to f32\n    %f = arith.subf %a, %b : f32\n",
       [](int p) { return static_cast<double>((p & 12) - (p & 255)); }},
  };
  const struct {
    int64_t n, k, group;
  } sizes[] = {{27, 96, 16},  {16, 64, 32},   {9, 1024, 16},  {13, 1024, 64},
               {8, 512, 512}, {11, 768, 768}, {10, 640, 320}, {12, 192, 48}};
  for (const auto &kind : kinds) {
    for (const auto &size : sizes) {
      for (const char *element : {"f32", "bf16"}) {
        const bool is_f32 = element == std::string("f32");
        SCOPED_TRACE(kind.body + std::to_string(size.k) + " " + std::to_string(size.group) +
                     element);
        Program program(
            product_of(1, size.n, size.k, size.group, element,
                       factors + kind.body +
                           "    %t = arith.mulf %f, %h : f32\n    %r = arith.addf %t, %g : f32\n"));
        const Tensor x = is_f32
                             ? Tensor::random(BUDDY_F32, {1, size.k}, 1)
                             : Tensor(BUDDY_BF16, {1, size.k},
                                      std::vector<uint16_t>(static_cast<size_t>(size.k), 0x3F80));
        const auto out = program.run({&x});
        ASSERT_EQ(out.size(), 1u);
        for (int64_t j = 0; j < size.n; j++) {
          double sum = 0, all = 0;
          for (int64_t p = 0; p < size.k; p++) {
            const double b = kind.number(static_cast<int>(byte_at(j * size.k + p))) * byte_at(j) +
                             byte_at(p / size.group);
            const double of_row = is_f32 ? x.as<float>()[p] : 1;
            sum += of_row * b;
            all += std::abs(of_row * b);
          }
          float got;
          const uint32_t bits = is_f32 ? 0 : static_cast<uint32_t>(out[0].as<uint16_t>()[j]) << 16;
          std::memcpy(&got, &bits, sizeof(got));
          if (is_f32) got = out[0].as<float>()[j];
          ASSERT_NEAR(got, sum, is_f32 ? 3e-7 * all : all / 128) << j;
        }
      }
    }
  }
}

// In bf16 the sums are of f32 and rounded once: within a step of their size.
TEST(Restored, MultipliesInHalfWidth) {
  const int64_t n = 24, k = 64;
  const Tensor x(BUDDY_BF16, {1, k}, std::vector<uint16_t>(k, 0x3F80)); /* ones */
  Program program(product_of(1, n, k, 32, "bf16"));
  const auto out = program.run({&x});
  ASSERT_EQ(out.size(), 1u);
  for (int64_t j = 0; j < n; j++) {
    double sum = 0, size = 0;
    for (int64_t p = 0; p < k; p++) {
      const double b = (byte_at(j * k + p) - byte_at(p / 32)) * (byte_at(j) * 0.0078125);
      sum += b;
      size += std::abs(b);
    }
    const uint32_t bits = static_cast<uint32_t>(out[0].as<uint16_t>()[j]) << 16;
    float got;
    std::memcpy(&got, &bits, sizeof(got));
    ASSERT_NEAR(got, sum, size / 128) << j;
  }
}

// As programs write them: the halves of bytes stacked along a new last axis, joined, cut by groups and scaled.
std::string stacked(int64_t n, int64_t k, int64_t group) {
  const std::string N = std::to_string(n), B = std::to_string(k / 2), K = std::to_string(k),
                    made = N + "x" + std::to_string(k / group) + "x" + std::to_string(group),
                    bytes_of = "tensor<" + N + "x" + B + "xi8>",
                    both = "tensor<" + N + "x" + B + "x2xi8>",
                    all = "tensor<" + N + "x" + K + "xi8>", floats = "tensor<" + made + "xf32>";
  const auto half = [&](const std::string &to, const std::string &op, const std::string &number) {
    return "  %none_" + to + " = tensor.empty() : " + bytes_of + "\n  %" + to +
           " = linalg.generic {indexing_maps = [#of_bytes, #of_bytes], iterator_types = "
           "[\"parallel\", \"parallel\"]} ins(%w : " +
           bytes_of + ") outs(%none_" + to + " : " + bytes_of +
           ") {\n  ^bb0(%p: i8, %o: i8):\n    %m = arith.constant " + number +
           " : i8\n    %q = " + op + " %p, %m : i8\n    linalg.yield %q : i8\n  } -> " + bytes_of +
           "\n";
  };
  const auto put = [&](const std::string &what, const std::string &into, const std::string &at) {
    return "tensor.insert_slice %" + what + " into %" + into + "[0, 0, " + at + "] [" + N + ", " +
           B + ", 1] [1, 1, 1] : " + bytes_of + " into " + both + "\n";
  };
  return "#of_bytes = affine_map<(i, j) -> (i, j)>\n#id = affine_map<(i, j, k) -> (i, j, k)>\n"
         "#row = affine_map<(i, j, k) -> (i)>\n"
         "func.func @forward(%x: tensor<1x" +
         K + "xf32>) -> tensor<1x" + N +
         "xf32> {\n"
         "  %flat = arith.constant dense<" +
         bytes(n * k / 2) + "> : tensor<" + std::to_string(n * k / 2) +
         "xi8>\n  %w = tensor.expand_shape %flat [[0, 1]] output_shape [" + N + ", " + B +
         "] : tensor<" + std::to_string(n * k / 2) + "xi8> into " + bytes_of +
         "\n"
         "  %scales = arith.constant dense<" +
         bytes(n) + "> : tensor<" + N + "xi8>\n" + half("low", "arith.andi", "15") +
         half("high", "arith.shrui", "4") + "  %none = tensor.empty() : " + both +
         "\n  %first = " + put("low", "none", "0") + "  %second = " + put("high", "first", "1") +
         "  %joined = tensor.collapse_shape %second [[0], [1, 2]] : " + both + " into " + all +
         "\n"
         "  %cut = tensor.expand_shape %joined [[0], [1, 2]] output_shape [" +
         N + ", " + std::to_string(k / group) + ", " + std::to_string(group) + "] : " + all +
         " into tensor<" + made +
         "xi8>\n"
         "  %room = tensor.empty() : " +
         floats +
         "\n"
         "  %whole = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", "
         "\"parallel\", \"parallel\"]} ins(%cut : tensor<" +
         made + "xi8>) outs(%room : " + floats +
         ") {\n  ^bb0(%p: i8, %o: f32):\n    %f = arith.uitofp %p : i8 to f32\n"
         "    linalg.yield %f : f32\n  } -> " +
         floats +
         "\n"
         "  %b = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", "
         "\"parallel\", \"parallel\"]} ins(%whole, %scales : " +
         floats + ", tensor<" + N + "xi8>) outs(%room : " + floats +
         ") {\n  ^bb0(%p: f32, %s: i8, %o: f32):\n"
         "    %h = arith.sitofp %s : i8 to f32\n    %r = arith.mulf %p, %h : f32\n"
         "    linalg.yield %r : f32\n  } -> " +
         floats +
         "\n"
         "  %c = tensor.collapse_shape %b [[0], [1, 2]] : " +
         floats + " into tensor<" + N + "x" + K +
         "xf32>\n  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<1x" + N +
         "xf32>\n"
         "  %begin = linalg.fill ins(%zero : f32) outs(%e : tensor<1x" +
         N + "xf32>) -> tensor<1x" + N +
         "xf32>\n  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
         "affine_map<(m, "
         "n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %c : tensor<1x" +
         K + "xf32>, tensor<" + N + "x" + K + "xf32>) outs(%begin : tensor<1x" + N +
         "xf32>) -> tensor<1x" + N + "xf32>\n  return %y : tensor<1x" + N + "xf32>\n}\n";
}

void keep_why(void *user, const buddy_kernel_choice *choice) {
  *static_cast<std::string *>(user) += choice->why;
}

// What stands before the kernels leaves such a weight as it finds it, from the program on.
TEST(Restored, ReadsStackedHalvesOfPrograms) {
  for (const int64_t group : {32, 128}) {
    const int64_t n = 27, k = 256;
    std::string why;
    buddy_compile_options options = {};
    options.struct_size = sizeof(options);
    options.parameters_are_constant = 1;
    options.user = &why;
    options.choice = keep_why;
    Program program(stacked(n, k, group), &options);
    EXPECT_EQ(why, "weights are made of small integers on the way");
    const Tensor x = Tensor::random(BUDDY_F32, {1, k}, 1);
    const auto out = program.run({&x});
    ASSERT_EQ(out.size(), 1u);
    for (int64_t j = 0; j < n; j++) {
      double sum = 0, size = 0;
      for (int64_t p = 0; p < k; p++) {
        const int byte = static_cast<int>(byte_at((j * k + p) / 2)) & 255;
        const double number = p % 2 == 0 ? byte & 15 : byte >> 4, b = number * byte_at(j);
        sum += x.as<float>()[p] * b;
        size += std::abs(x.as<float>()[p] * b);
      }
      ASSERT_NEAR(out[0].as<float>()[j], sum, 1e-6 * (1 + size)) << j;
    }
  }
}

}  // namespace
