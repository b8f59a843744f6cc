// Products of different sizes share the functions that do their tiles; what is unrolled sets them
// apart.
#include <gtest/gtest.h>

#include <vector>

extern "C" {
#include "sdk/compile/kernels/panels.h"
#include "sdk/compile/kernels/tiles.h"
}
#include "tests/sdk/compile/fake_kernels.h"

namespace {

bd_panels product(int64_t m, int64_t n, int64_t k) {
  bd_panels p;
  bd_panels_init(&p, "f32");
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
    bd_text text = {nullptr, 0, 0, 0};
    bd_panels_write(&text, &p, &kernels);
    EXPECT_FALSE(text.is_lost);
    bd_text_deinit(&text);
  }
  return kernels.texts.size();
}

TEST(Tiles, ServeManySizes) {
  EXPECT_EQ(count({product(28, 32, 8), product(140, 32, 8), product(28, 32, 200)}), 1u);
  EXPECT_EQ(count({product(28, 32, 8), product(28, 96, 72)}), 1u);
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

TEST(Tiles, KeepWhatSumsBeginWith) {
  bd_panels old = product(28, 32, 8);
  old.begin = BD_BEGIN_OLD;
  EXPECT_EQ(count({product(28, 32, 8), old}), 2u);
}

}  // namespace
