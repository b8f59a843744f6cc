// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of different sizes share the functions that do their tiles; what is unrolled sets them
// apart.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/panels/panels.h"
#include "sdk/compile/kernels/tile/tiles.h"
#include "sdk/lower/module.h"
}
#include "tests/sdk/compile/fake_kernels.h"

namespace {

bd_panels product(int64_t m, int64_t n, int64_t k) {
  bd_panels p;
  bd_panels_init(&p, &fake_machine, &bd_f32);
  p.m = m;
  p.n = n;
  p.k = k;
  p.lda = k;
  p.ldc = n;
  p.begin = BD_BEGIN_ZERO;
  return p;
}

// The functions of all of them together.
size_t count(const std::vector<bd_panels> &all) {
  bd_kernels kernels;
  for (const bd_panels &p : all) {
    bd_text text = {};
    bd_panels_write(&text, &p, &kernels);
    EXPECT_FALSE(text.code);
    bd_text_deinit(&text);
  }
  return kernels.texts.size();
}

TEST(Tiles, ServeManySizes) {
  EXPECT_EQ(count({product(28, 32, 8), product(140, 32, 8), product(28, 32, 200)}), 1u);
  EXPECT_EQ(count({product(28, 32, 8), product(28, 96, 72)}), 1u);
}

// Where a slice of the panels reads A is an argument.
TEST(Tiles, ServeSlices) {
  bd_panels groups = product(28, 64, 8);
  groups.slices = 2;
  groups.slice_a = 8;
  EXPECT_EQ(count({product(28, 64, 8), groups}), 1u);
}

// Panels are no wider than the columns of a slice, and whole in it.
TEST(Tiles, DivideSlices) {
  const bd_machine machine = bd_machine_of("avx2", 0);
  for (const int64_t columns : {8, 24, 32, 48, 80}) {
    bd_panels p = product(28, 6 * columns, 8);
    p.machine = &machine;
    p.lanes = 8;
    p.slices = 6;
    bd_panels_choose_vectors(&p);
    EXPECT_EQ(columns % bd_panels_width(&p), 0) << columns;
  }
}

TEST(Tiles, LastColumnsAreMaskedByNumber) {
  EXPECT_EQ(count({product(28, 39, 8)}), 2u);  // whole panels, and a vector in part
  EXPECT_EQ(count({product(28, 39, 8), product(28, 42, 9)}), 2u);
}

TEST(Tiles, FollowRowsAndVectors) {
  EXPECT_EQ(count({product(28, 32, 8), product(26, 32, 8)}), 2u);  // 14 rows, 13 rows
  EXPECT_EQ(count({product(28, 32, 8), product(28, 16, 8)}), 2u);  // two vectors, one
}

TEST(Tiles, HaveStridesOfEveryKind) {
  bd_panels lines = product(14, 32, 9), more = product(28, 32, 36);
  lines.lines = 14;
  lines.segments = 3;
  lines.line_a = 80;
  lines.line_c = 14 * 32;
  more.lines = 28;
  more.segments = 3;
  more.line_a = 400;
  more.line_c = 28 * 32;
  EXPECT_EQ(count({lines, more}), 1u);
  EXPECT_EQ(count({lines, product(14, 32, 9)}), 2u);  // rows in parts, and whole ones
}

// How many of the texts go through k in groups of rounds.
size_t count_grouped(const bd_panels &p) {
  bd_kernels kernels;
  bd_text text = {};
  bd_panels_write(&text, &p, &kernels);
  EXPECT_FALSE(text.code);
  bd_text_deinit(&text);
  size_t n = 0;
  for (const std::string &t : kernels.texts) n += t.find("step %of_group") != std::string::npos;
  return n;
}

// A group leaves nothing over: it is for depths, whole or in blocks, that are whole groups.
TEST(Tiles, GoThroughKInGroupsWhereTheyFetchAhead) {
  EXPECT_EQ(count_grouped(product(128, 768, 768)), 1u);
  EXPECT_EQ(count_grouped(product(128, 256, 3072)), 1u);
  EXPECT_EQ(count_grouped(product(128, 256, 1300)), 1u);
  EXPECT_EQ(count_grouped(product(128, 768, 3072)), 1u);  // of a copy, too
  for (int64_t k = 769; k < 772; k++) EXPECT_EQ(count_grouped(product(128, 768, k)), 0u) << k;
  EXPECT_EQ(count_grouped(product(14, 768, 768)), 0u);  // one tile: nothing is fetched
  EXPECT_EQ(count_grouped(product(128, 32, 768)), 0u);  // B stays in the cache
  bd_panels lines = product(14, 768, 768), words = product(128, 768, 768);
  lines.lines = 14;
  words.words = bd_dot_packing_of(BD_PACKED_BF16);
  words.element = words.words->sum;
  EXPECT_EQ(count_grouped(lines), 0u);
  EXPECT_EQ(count_grouped(words), 0u);
  bd_panels part = product(128, 768, 768);
  part.is_part = 1;  // ends of k are told in the run
  EXPECT_EQ(count_grouped(part), 0u);
}

TEST(Tiles, KeepWhatSumsBeginWith) {
  bd_panels old = product(28, 32, 8);
  old.begin = BD_BEGIN_OLD;
  EXPECT_EQ(count({product(28, 32, 8), old}), 2u);
}

}  // namespace
