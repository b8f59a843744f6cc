// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/host_test.cc: the table of services as a plugin sees it.
#include "core/registry/host.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

TEST(HostTest, TheTable) {
  const buddy_host *host = bd_host_table();
  EXPECT_EQ(host, bd_host_table()) << "one for the process: plugins keep it";
  EXPECT_EQ(host->struct_size, sizeof *host);
  EXPECT_EQ(host->abi_version, BUDDY_ABI_VERSION);
  EXPECT_TRUE(BUDDY_HAS(host, buddy_host, extension));
  // No hole: after the four numbers there are pointers only.
  const size_t head = offsetof(buddy_host, scratch);
  for (size_t at = head; at < sizeof *host; at += sizeof(void *)) {
    const void *pointer;
    memcpy(&pointer, reinterpret_cast<const char *>(host) + at, sizeof pointer);
    EXPECT_NE(pointer, nullptr) << "at " << at;
  }
}

TEST(HostTest, Memory) {
  const buddy_host *host = bd_host_table();
  char *memory = static_cast<char *>(host->alloc(16));
  ASSERT_NE(memory, nullptr);
  memset(memory, 1, 16);
  host->free(memory);
  host->free(nullptr);
}

TEST(HostTest, UnknownExtensionsAreNull) {
  EXPECT_EQ(bd_host_table()->extension("vendor.example.com.thing/1"), nullptr);
  EXPECT_EQ(bd_host_table()->extension(nullptr), nullptr);
}

}  // namespace
