#include "core/base/memory.h"

#include <gtest/gtest.h>

TEST(MemoryTest, SizeZeroGivesMemory) {
  void *memory = bd_malloc(0);
  EXPECT_NE(memory, nullptr);
  memory = bd_realloc(memory, 0);
  EXPECT_NE(memory, nullptr);
  bd_free(memory);
  bd_free(bd_calloc(0, 8));
  bd_free(nullptr);
}

TEST(MemoryTest, OneAllocationFailsWhereTheTestSays) {
  bd_memory_fail_after(2);
  void *a = bd_malloc(1), *b = bd_calloc(1, 1), *c = bd_malloc(1), *d = bd_malloc(1);
  EXPECT_NE(a, nullptr);
  EXPECT_NE(b, nullptr);
  EXPECT_EQ(c, nullptr);
  EXPECT_NE(d, nullptr);
  EXPECT_TRUE(bd_memory_fail_after(5));
  EXPECT_FALSE(bd_memory_fail_after(-1)) << "five allocations have not happened";
  bd_free(a);
  bd_free(b);
  bd_free(d);
}

TEST(MemoryTest, SizesDoNotWrap) {
  size_t size;
  EXPECT_TRUE(bd_size_add(1, 2, &size));
  EXPECT_EQ(size, 3u);
  EXPECT_FALSE(bd_size_add(SIZE_MAX, 1, &size));
  EXPECT_TRUE(bd_size_mul(3, 4, &size));
  EXPECT_EQ(size, 12u);
  EXPECT_FALSE(bd_size_mul(SIZE_MAX / 2, 3, &size));
}
