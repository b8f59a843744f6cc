// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>

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

static long Faults() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

TEST(MemoryTest, PopulatedMemoryIsWrittenWithoutFaults) {
  const size_t size = size_t{4} << 20;
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
#ifndef MADV_POPULATE_WRITE
  GTEST_SKIP() << "this system's headers cannot ask for pages";
#else
  if (madvise(memory, 4096, MADV_POPULATE_WRITE)) GTEST_SKIP() << "this system cannot give pages";
#endif
  char *bytes = static_cast<char *>(memory);
  bytes[size - 9] = 'x';
  bd_memory_populate(bytes + 7, size - 7);
  EXPECT_EQ(bytes[size - 9], 'x');
  const long before = Faults();
  memset(bytes, 1, size);
  EXPECT_LT(Faults() - before, static_cast<long>(size / 4096 / 16));
  bd_memory_populate(bytes, 1);
  bd_memory_populate(bytes + 1, 33 << 10);
  EXPECT_EQ(bytes[0], 1);
  munmap(memory, size);
}
