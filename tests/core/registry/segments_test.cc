// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/segments_test.cc: what belongs to loaded objects, and what can be read at
// all.
#include "core/registry/segments.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>

namespace {

const char constant[] = "constant";
char variable[64];

class SegmentsTest : public testing::Test {
 protected:
  SegmentsTest() { EXPECT_EQ(bd_segments_init(&segments), BUDDY_OK); }
  ~SegmentsTest() override { bd_segments_deinit(&segments); }
  bd_segments segments = bd_segments();
};

TEST_F(SegmentsTest, DataAndCodeOfThisProgram) {
  EXPECT_TRUE(bd_segments_can_read(&segments, constant, sizeof constant));
  EXPECT_TRUE(bd_segments_can_read(&segments, variable, sizeof variable));
  EXPECT_FALSE(bd_segments_can_call(&segments, reinterpret_cast<uintptr_t>(constant), 0));
  const uintptr_t function = reinterpret_cast<uintptr_t>(&bd_segments_init);
  EXPECT_TRUE(bd_segments_can_call(&segments, function, 0));
  const bd_segment *segment = bd_segments_find(&segments, function);
  ASSERT_NE(segment, nullptr);
  EXPECT_TRUE(bd_segments_can_call(&segments, function, segment->object));
  EXPECT_FALSE(bd_segments_can_call(&segments, function, segment->object + 1));
}

TEST_F(SegmentsTest, TheEndsOfASegment) {
  const bd_segment *segment = bd_segments_find(&segments, reinterpret_cast<uintptr_t>(constant));
  ASSERT_NE(segment, nullptr);
  const auto at = [](uintptr_t address) { return reinterpret_cast<const void *>(address); };
  EXPECT_EQ(bd_segments_left(&segments, at(segment->end - 1)), 1u);
  EXPECT_TRUE(bd_segments_can_read(&segments, at(segment->start), segment->end - segment->start));
  EXPECT_FALSE(
      bd_segments_can_read(&segments, at(segment->start), segment->end - segment->start + 1));
  EXPECT_FALSE(bd_segments_can_read(&segments, at(segment->start), SIZE_MAX));
}

TEST_F(SegmentsTest, WhatIsNoObjects) {
  const auto heap = std::make_unique<char[]>(64);
  EXPECT_FALSE(bd_segments_can_read(&segments, heap.get(), 1));
  EXPECT_FALSE(bd_segments_can_read(&segments, nullptr, 1));
  EXPECT_EQ(bd_segments_find(&segments, UINTPTR_MAX), nullptr);
  EXPECT_FALSE(bd_segments_can_call(&segments, 0, 0));
}

TEST_F(SegmentsTest, HeapAndStackCanBeReadThough) {
  const auto heap = std::make_unique<char[]>(64);
  char stack[64];
  EXPECT_TRUE(bd_memory_can_read(&segments, heap.get(), 64));
  EXPECT_TRUE(bd_memory_can_read(&segments, stack, sizeof stack));
  EXPECT_TRUE(bd_memory_can_read(&segments, constant, sizeof constant));
  EXPECT_FALSE(bd_memory_can_read(&segments, nullptr, 1));
  EXPECT_FALSE(bd_memory_can_read(&segments, reinterpret_cast<const void *>(8), 8));
  EXPECT_FALSE(bd_memory_can_read(&segments, heap.get(), SIZE_MAX));
}

TEST_F(SegmentsTest, APageThatCannotBeRead) {
  char *pages = static_cast<char *>(
      mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(mprotect(pages + 4096, 4096, PROT_NONE), 0);
  EXPECT_TRUE(bd_memory_can_read(&segments, pages, 4096));
  EXPECT_FALSE(bd_memory_can_read(&segments, pages, 4097));
  EXPECT_FALSE(bd_memory_can_read(&segments, pages + 4096, 1));
  EXPECT_TRUE(bd_memory_can_read(&segments, pages + 8192, 4096));
  munmap(pages, 3 * 4096);
}

}  // namespace
