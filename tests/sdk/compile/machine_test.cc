// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels are cut for follows from the features of a target, and from nothing else.
#include <gtest/gtest.h>

#include <string>

extern "C" {
#include "sdk/compile/kernels/tile/blocks.h"
#include "sdk/compile/kernels/machine.h"
}

namespace {

struct Class {
  const char *features;
  int lanes, sums;  // of floats; of vectors
};

const Class classes[] = {
    {"", 4, 8},   {"avx2", 8, 12},      {"avx512f,avx2", 16, 28},     {"neon", 4, 24},
    {"v", 4, 24}, {"v,zvl256b", 8, 24}, {"v,zvl256b,zvl512b", 16, 24}};

TEST(Machine, IsARowOfTheTable) {
  for (const Class &c : classes) {
    const bd_machine m = bd_machine_of(c.features, 0);
    EXPECT_EQ(bd_machine_lanes(&m, 4), c.lanes) << c.features;
    EXPECT_EQ(bd_machine_lanes(&m, 8), c.lanes / 2) << c.features;
    EXPECT_EQ(bd_machine_sums(&m), c.sums) << c.features;
    EXPECT_LT(bd_machine_sums(&m) + 2, m.registers) << c.features;  // a row, and elements of A
    EXPECT_EQ(m.block_rows % m.packed_rows, 0) << c.features;
    EXPECT_GE(m.way / m.line, 1) << c.features;
  }
}

TEST(Machine, NamesOfFeaturesAreWhole) {
  const bd_machine plain = bd_machine_of("avx512fp16,avx2ish,avx512vnni", 0);
  EXPECT_EQ(plain.vector_bytes, 16);
  EXPECT_FALSE(plain.has_words[BD_PACKED_BYTES]);  // for its own vectors alone
  EXPECT_FALSE(plain.has_lookup);
}

TEST(Machine, HasWordsForItsVectors) {
  const bd_machine v4 = bd_machine_of("avx2,avx512f,avx512vnni,amx-bf16", 0);
  EXPECT_TRUE(v4.has_words[BD_PACKED_BYTES]);
  EXPECT_FALSE(v4.has_words[BD_PACKED_BF16]);
  EXPECT_FALSE(v4.has_amx[BD_PACKED_BYTES]);
  EXPECT_TRUE(v4.has_amx[BD_PACKED_BF16]);
  EXPECT_TRUE(v4.has_lookup);
  const bd_machine v3 = bd_machine_of("avx2,avxvnni,amx-int8", 0);
  EXPECT_TRUE(v3.has_words[BD_PACKED_BYTES]);
  EXPECT_FALSE(v3.has_amx[BD_PACKED_BYTES]);
}

// A cache is measured on a machine for itself; a larger one than was tried is as good as that.
TEST(Machine, TakesTheCacheThatIsMeasured) {
  EXPECT_EQ(bd_machine_of("avx2", 512 * 1024).l2, 512 * 1024);
  EXPECT_EQ(bd_machine_of("avx2", 16 << 20).l2, BD_MOST_L2);
  EXPECT_GT(bd_machine_of("avx2", 0).l2, 0);
}

// Whatever the cache, blocks of a product are within it, and none is empty.
TEST(Machine, BlocksFitTheCache) {
  for (const Class &c : classes) {
    for (const int64_t l2 : {64, 128, 256, 512, 1024}) {
      const bd_machine m = bd_machine_of(c.features, l2 * 1024);
      for (const bd_element *element : {&bd_f32, &bd_f64}) {
        for (const int64_t rows : {1, 13, 128, 4000}) {
          bd_panels p;
          bd_panels_init(&p, &m, element);
          p.m = rows;
          p.n = 4096;
          p.k = p.lda = 5000;
          const int64_t depth = bd_blocks_depth(&p), of_block = bd_blocks_rows(&p, depth, 4);
          EXPECT_GE(depth, 16);
          EXPECT_GE(of_block, 1);
          if (rows == 4000 && l2 >= 256) {
            EXPECT_LE(of_block * depth * element->bytes, l2 * 1024);
          }
        }
      }
    }
  }
}

}  // namespace
