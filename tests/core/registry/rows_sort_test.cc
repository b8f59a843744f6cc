// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/rows_sort_test.cc: rows in any order, against std::sort, since no two rows have one key.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/memory.h"
#include "core/registry/rows.h"

namespace {

const char *const kNames[] = {"a.one.default", "a.two.default", "b.one.default", "c.one.default"};

class RowsSortTest : public testing::Test {
 protected:
  // Rows as `n_registries` tables have them: some ops twice, with two benefits.
  void Make(uint32_t n_registries, uint32_t n_ops) {
    ops.resize(2);
    ops[0] = buddy_op{};
    ops[1] = buddy_op{};
    ops[1].benefit = 7;
    for (uint32_t r = 0; r < n_registries; ++r) {
      for (uint32_t i = 0; i < n_ops; ++i) {
        bd_row row = {};
        row.name = kNames[i * 4 / n_ops];
        row.op = &ops[i & 1];
        row.registry = r;
        row.rank = r + 1;
        row.index = i;
        rows.push_back(row);
      }
    }
  }
  static auto Key(const bd_row &row) {
    return std::make_tuple(std::string(row.name), row.rank, ~row.op->benefit, row.index);
  }
  void ExpectSorted() {
    std::vector<bd_row> expected = rows;
    std::sort(expected.begin(), expected.end(),
              [](const bd_row &a, const bd_row &b) { return Key(a) < Key(b); });
    ASSERT_EQ(bd_rows_sort(rows.data(), rows.size()), BUDDY_OK);
    for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(Key(rows[i]), Key(expected[i])) << i;
  }
  std::vector<buddy_op> ops;
  std::vector<bd_row> rows;
};

TEST_F(RowsSortTest, NothingAndOne) {
  ASSERT_EQ(bd_rows_sort(nullptr, 0), BUDDY_OK);
  Make(1, 1);
  ExpectSorted();
}

TEST_F(RowsSortTest, TablesBehindEachOther) {
  for (uint32_t n = 1; n < 12; ++n) {
    rows.clear();
    Make(n, 40);
    ExpectSorted();
  }
}

TEST_F(RowsSortTest, AnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    rows.clear();
    Make(1 + static_cast<uint32_t>(random() % 4), 1 + static_cast<uint32_t>(random() % 50));
    std::shuffle(rows.begin(), rows.end(), random);
    ExpectSorted();
  }
}

TEST_F(RowsSortTest, Backwards) {
  Make(3, 33);
  ASSERT_EQ(bd_rows_sort(rows.data(), rows.size()), BUDDY_OK);
  std::reverse(rows.begin(), rows.end());
  ExpectSorted();
}

TEST_F(RowsSortTest, WithoutMemoryTheRowsStayAsTheyAre) {
  Make(2, 10);
  const std::vector<bd_row> before = rows;
  for (int64_t n = 0; n < 3; ++n) {
    bd_memory_fail_after(n);
    EXPECT_EQ(bd_rows_sort(rows.data(), rows.size()), BUDDY_OUT_OF_MEMORY);
    EXPECT_TRUE(bd_memory_fail_after(-1));
    for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(Key(rows[i]), Key(before[i]));
  }
}

}  // namespace
