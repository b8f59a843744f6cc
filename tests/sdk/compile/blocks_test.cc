// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products in blocks of rows and of k, over A or a copy of it: which blocks there are, and that
// nothing is lost between them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/panels/panels.h"
#include "sdk/compile/kernels/tile/staging.h"
}
#include "tests/sdk/compile/fake_kernels.h"
#include "tests/sdk/compile/harness.h"

namespace {

bd_panels product(int64_t m, int64_t n, int64_t k, const bd_element *element = &bd_f32) {
  bd_panels p;
  bd_panels_init(&p, &fake_machine, element);
  p.m = m;
  p.n = n;
  p.k = p.lda = k;
  p.ldc = n;
  p.begin = BD_BEGIN_ZERO;
  return p;
}

int64_t depth_of(int64_t m, int64_t k, bool is_fresh = false) {
  bd_panels p = product(m, 256, k);
  p.is_fresh = is_fresh;
  return bd_blocks_depth(&p);
}

TEST(Blocks, OfKAreAsDeepAsPanelsMayBe) {
  EXPECT_EQ(depth_of(128, 768), 768);  // nothing to divide
  EXPECT_EQ(depth_of(128, 1280), 1280);
  EXPECT_EQ(depth_of(1024, 1024), 1024);
  EXPECT_EQ(depth_of(1000, 400), 400);
  EXPECT_EQ(depth_of(197, 3072), 1024);
  EXPECT_EQ(depth_of(4000, 4096), 1024);
  EXPECT_EQ(depth_of(1, 3000), 1008);  // evenly
}

// Each block of rows would pack all of B, or read it where its rows lie on many pages.
TEST(Blocks, OfKAreAsDeepAsTheRowsLeaveRoomFor) {
  EXPECT_EQ(depth_of(128, 1280, true), 1280);
  EXPECT_EQ(depth_of(1024, 1024, true), 512);
  EXPECT_EQ(depth_of(128, 3072, true), 1024);
  EXPECT_EQ(depth_of(197, 3072, true), 768);
  EXPECT_EQ(depth_of(4000, 4096, true), 512);
  bd_panels words = product(1024, 768, 1024);
  words.words = bd_dot_packing_of(BD_PACKED_BF16);
  EXPECT_EQ(bd_blocks_depth(&words), 512);
  bd_panels in_place = product(1024, 768, 1024);
  in_place.is_in_place = true;
  EXPECT_EQ(bd_blocks_depth(&in_place), 512);
}

// A 1x1 convolution's rows know how far lines are apart, of which their copy has none.
TEST(Blocks, CopiesHaveRowsAlone) {
  bd_panels p = product(49, 2048, 512);
  p.line_a = p.segment_a = 7 * 512;
  p.piece_a = 512;
  const bd_panels staged = bd_staging_of(&p, 512);
  EXPECT_EQ(staged.lda, 512);
  EXPECT_EQ(staged.line_a, 0);
  EXPECT_EQ(staged.segment_a, 0);
  EXPECT_EQ(staged.piece_a, 0);
}

int64_t rows_of(int64_t m, int64_t k, const bd_element *element = &bd_f32) {
  const bd_panels p = product(m, 256, k, element);
  return bd_blocks_rows(&p, bd_blocks_depth(&p), 14);
}

TEST(Blocks, OfRowsStayInCacheAndAreEven) {
  EXPECT_GE(rows_of(197, 768), 197);
  EXPECT_EQ(rows_of(1024, 200), 350);   // three of them, of 25, 25 and 24 tiles
  EXPECT_EQ(rows_of(1024, 4096), 154);  // 1024 deep; seven
  EXPECT_EQ(rows_of(280, 1280), 140);   // 640 deep; two
  EXPECT_LE(rows_of(1024, 1024, &bd_f64) * 512 * 8, 640 * 1024);
  const bd_panels deep = product(1000, 256, 1 << 20);
  EXPECT_EQ(bd_blocks_rows(&deep, 1 << 20, 14), 14);  // a tile at least
}

// A tile each, where B stays in cache and C would go by panel by panel.
TEST(Blocks, OfOneTileWriteRowsFromEndToEnd) {
  EXPECT_EQ(rows_of(1024, 64), 14);
  EXPECT_GE(rows_of(80, 64), 80);  // C stays, too
  bd_panels p = product(1024, 768, 64);
  p.has_any_rows = true;
  EXPECT_GT(bd_blocks_rows(&p, p.k, 14), 14);
  p = product(1024, 768, 64);
  p.is_in_place = true;
  EXPECT_EQ(bd_blocks_rows(&p, p.k, 14), 14);
  p = product(4096, 64, 256);
  EXPECT_EQ(bd_blocks_rows(&p, p.k, 14), 14);
  p.is_in_place = true;  // on too many pages
  EXPECT_GT(bd_blocks_rows(&p, p.k, 14), 14);
}

bool is_staged(const bd_panels &p, int64_t rows = 13) {
  return bd_staging_is_worthwhile(&p, rows, bd_blocks_depth(&p)) != 0;
}

TEST(Staging, IsForRowsThatMeetInOnePlace) {
  EXPECT_TRUE(is_staged(product(197, 768, 3072)));
  EXPECT_TRUE(is_staged(product(197, 768, 1024)));
  EXPECT_TRUE(is_staged(product(197, 768, 512)));   // two places
  EXPECT_FALSE(is_staged(product(197, 768, 768)));  // four
  EXPECT_FALSE(is_staged(product(160, 768, 1000)));
  EXPECT_FALSE(is_staged(product(128, 768, 1024), 4));
  EXPECT_FALSE(is_staged(product(197, 64, 3072)));  // few columns
  EXPECT_TRUE(is_staged(product(197, 768, 512, &bd_f64)));
  bd_panels image = product(197, 768, 1024);
  image.lines = 14;
  EXPECT_FALSE(is_staged(image));
}

// Rows that do not meet are read where they are, however many: a copy of all would go by beside the product.
TEST(Staging, IsNotForManyRows) {
  EXPECT_FALSE(is_staged(product(1000, 768, 800)));
  EXPECT_FALSE(is_staged(product(100000, 768, 3000)));
  EXPECT_TRUE(is_staged(product(100000, 768, 2048)));
}

// Registers of AMX are loaded row by row.
TEST(Staging, PutsRowsApart) {
  bd_panels p = product(197, 768, 3072);
  p.amx_step = 16;
  for (const int64_t depth : {768, 1024, 1000, 16}) {
    const bd_panels staged = bd_staging_of(&p, depth);
    EXPECT_GE(staged.lda, depth);
    EXPECT_LT(staged.lda, depth + 48);
    EXPECT_EQ(staged.lda % 32, 16) << depth;  // an odd number of lines
    EXPECT_TRUE(staged.is_staged);
  }
}

// A block of rows at a time, in one buffer that stays in L2.
TEST(Staging, HoldsABlockOfRows) {
  bd_kernels kernels;
  bd_text text = {};
  const bd_panels p = product(3300, 256, 3072);
  bd_panels_write(&text, &p, &kernels);
  ASSERT_FALSE(text.code);
  const std::string written = text.data;
  bd_text_deinit(&text);
  EXPECT_NE(written.find("a_copy = alloc(memref<?xf32>, copy_size);"), std::string::npos);
  EXPECT_EQ(written.find("a_copy = alloc("), written.rfind("a_copy = alloc("));
}

struct Size {
  const char *element;
  int64_t m, n, k;
};

// Blocks of rows with and without rows beside them, of k with and without a shorter last one, by
// columns that threads share, or rows.
const Size sizes[] = {{"f32", 15, 280, 1024},  {"f32", 280, 70, 1280},  {"f32", 301, 1050, 512},
                      {"f32", 330, 270, 2048}, {"f32", 197, 256, 3072}, {"f32", 401, 33, 1700},
                      {"f32", 421, 20, 400},   {"f64", 150, 270, 1536}, {"f64", 97, 256, 1024},
                      {"f32", 330, 600, 1700}, {"f32", 200, 513, 2100}, {"f64", 131, 520, 1300},
                      {"f32", 907, 256, 2048}, {"f32", 1443, 33, 1024}, {"f32", 1301, 258, 1024},
                      {"f64", 803, 513, 2048}, {"f32", 801, 70, 3000}};

std::string type_of(const std::string &rows, int64_t columns, const char *element) {
  return "tensor<" + rows + "x" + std::to_string(columns) + "x" + element + ">";
}

// rows: a number, or "?".
std::string product_of(const std::string &rows, const Size &s) {
  const std::string a_type = type_of(rows, s.k, s.element),
                    b_type = type_of(std::to_string(s.k), s.n, s.element),
                    c_type = type_of(rows, s.n, s.element);
  return "func.func @forward(%a: " + a_type + ", %b: " + b_type + ") -> " + c_type +
         " {\n  %z = arith.constant 0.0 : " + s.element +
         "\n  %c0 = arith.constant 0 : index\n  %m = tensor.dim %a, %c0 : " + a_type +
         "\n  %e = tensor.empty(" + (rows == "?" ? "%m" : "") + ") : " + c_type +
         "\n  %i = linalg.fill ins(%z : " + s.element + ") outs(%e : " + c_type + ") -> " + c_type +
         "\n  %r = linalg.matmul ins(%a, %b : " + a_type + ", " + b_type + ") outs(%i : " + c_type +
         ") -> " + c_type + "\n  return %r : " + c_type + "\n}\n";
}

// Whole numbers, so that sums are exact in any order.
template <typename T>
Tensor numbers(buddy_dtype dtype, int64_t rows, int64_t columns, int64_t by) {
  std::vector<T> values(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < values.size(); i++)
    values[i] = static_cast<T>(static_cast<int64_t>(i * static_cast<size_t>(by) >> 3) % 9 - 4);
  return Tensor(dtype, {rows, columns}, values);
}

template <typename T>
void check(Program &program, const Size &s, buddy_dtype dtype) {
  const Tensor a = numbers<T>(dtype, s.m, s.k, 37), b = numbers<T>(dtype, s.k, s.n, 53);
  std::vector<T> expected(static_cast<size_t>(s.m * s.n));
  for (int64_t i = 0; i < s.m; i++) {
    for (int64_t p = 0; p < s.k; p++) {
      const T x = a.as<T>()[i * s.k + p];
      for (int64_t j = 0; j < s.n; j++)
        expected[static_cast<size_t>(i * s.n + j)] += x * b.as<T>()[p * s.n + j];
    }
  }
  ASSERT_EQ(program.code, BUDDY_OK) << program.diags.text();
  for (const int n_threads : {1, 2, 5}) {
    buddy_program_set_threads(program.program, n_threads);
    const auto outputs = program.run({&a, &b});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_TRUE(outputs[0].values<T>() == expected)
        << s.m << "x" << s.n << "x" << s.k << " " << s.element << ", " << n_threads << " threads";
  }
}

TEST(Blocks, LoseNothing) {
  for (const Size &s : sizes) {
    Program program(product_of(std::to_string(s.m), s));
    if (std::string(s.element) == "f32")
      check<float>(program, s, BUDDY_F32);
    else
      check<double>(program, s, BUDDY_F64);
  }
}

// Of any number of rows: the last tile of the last block has fewer than it has places for.
TEST(Blocks, LoseNothingOfAnyRows) {
  for (const Size &of :
       {Size{"f32", 0, 260, 1024}, Size{"f32", 0, 520, 3000}, Size{"f32", 0, 300, 2048}}) {
    Program program(product_of("?", of));
    for (const int64_t m : {0, 1, 13, 195, 803})
      check<float>(program, {of.element, m, of.n, of.k}, BUDDY_F32);
  }
}

}  // namespace
