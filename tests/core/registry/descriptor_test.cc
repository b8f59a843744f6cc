// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/descriptor_test.cc: descriptors in memory, against a map of what is loaded.
// The broken plugins of tests/hostile go the same way through files.
#include "core/registry/descriptor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

buddy_code Emit(void *, const buddy_op *, buddy_call *) { return BUDDY_OK; }

class DescriptorTest : public testing::Test {
 protected:
  DescriptorTest() {
    ops = new (memory.data()) buddy_op[4]();
    given = new (memory.data() + 1024) buddy_registry();
    text = reinterpret_cast<char *>(memory.data() + 2048);
    // One readable segment around the data, and one of code around Emit.
    items[0] = {reinterpret_cast<uintptr_t>(memory.data()),
                reinterpret_cast<uintptr_t>(memory.data() + memory.size()), 1, true, false};
    items[1] = {reinterpret_cast<uintptr_t>(&Emit), reinterpret_cast<uintptr_t>(&Emit) + 16, 2,
                true, true};
    if (items[0].start > items[1].start) std::swap(items[0], items[1]);
    segments.items = items;
    segments.n = 2;
    for (int i = 0; i < 4; ++i) {
      ops[i].name = Text("test.op" + std::to_string(i) + ".default");
      ops[i].args = Text("self");
      ops[i].emit = Emit;
    }
    given->struct_size = sizeof *given;
    given->abi_version = note.abi_version = BUDDY_ABI_VERSION;
    given->name = Text("good");
    given->version = given->vendor = given->license = Text("x");
    given->ops = ops;
    given->n_ops = note.n_ops = 4;
    given->op_stride = sizeof(buddy_op);
    strcpy(note.registry_name, "good");
    strcpy(note.version, "x");
    strcpy(note.vendor, "x");
    strcpy(note.license, "x");
  }
  ~DescriptorTest() override { bd_arena_deinit(&arena); }

  const char *Text(const std::string &string) {
    char *copy = text + used;
    memcpy(copy, string.c_str(), string.size() + 1);
    used += string.size() + 1;
    return copy;
  }

  std::string Read() {
    char why[BD_REFUSAL_SIZE];
    const buddy_code code =
        bd_descriptor_read(given, &segments, 2, &note, &arena, why, &descriptor);
    return code == BUDDY_OK ? "OK" : std::string(buddy_code_name(code)) + ": " + why;
  }

  alignas(64) std::vector<unsigned char> memory = std::vector<unsigned char>(65536);
  buddy_op *ops;
  buddy_registry *given;
  char *text;
  size_t used = 0;
  buddy_elf_note note = buddy_elf_note();
  bd_segment items[2];
  bd_segments segments = bd_segments();
  bd_arena arena = bd_arena();
  bd_descriptor descriptor = bd_descriptor();
};

TEST_F(DescriptorTest, AGoodOneIsCopied) {
  ASSERT_EQ(Read(), "OK");
  EXPECT_STREQ(descriptor.registry.name, "good");
  EXPECT_NE(descriptor.registry.name, given->name);
  EXPECT_NE(descriptor.registry.ops, ops);
  EXPECT_STREQ(descriptor.registry.ops[3].name, "test.op3.default");
  EXPECT_EQ(descriptor.plugin_ops, reinterpret_cast<const char *>(ops));
  ops[3].name = nullptr;  // too late to change anything
  EXPECT_STREQ(descriptor.registry.ops[3].name, "test.op3.default");
}

TEST_F(DescriptorTest, AnOlderOneReadsAsZeroWhereItEnds) {
  struct Newer {
    uint64_t known, unknown;
  } newer = {1, 2};
  const uint64_t older = 7;
  bd_versioned_copy(&newer, sizeof newer, &older, sizeof older);
  EXPECT_EQ(newer.known, 7u);
  EXPECT_EQ(newer.unknown, 0u);
  const Newer full = {3, 4};
  uint64_t narrow = 0;
  bd_versioned_copy(&narrow, sizeof narrow, &full, sizeof full);
  EXPECT_EQ(narrow, 3u);
}

TEST_F(DescriptorTest, LongerRows) {
  given->op_stride = 2 * sizeof(buddy_op);
  given->n_ops = note.n_ops = 2;
  ASSERT_EQ(Read(), "OK");
  EXPECT_STREQ(descriptor.registry.ops[1].name, "test.op2.default");
  EXPECT_EQ(descriptor.plugin_stride, 2 * sizeof(buddy_op));
}

TEST_F(DescriptorTest, NoOpsAreAllowed) {
  given->ops = nullptr;
  given->n_ops = note.n_ops = 0;
  EXPECT_EQ(Read(), "OK");
}

TEST_F(DescriptorTest, Lists) {
  const char **list = new (memory.data() + 40000) const char *[3]();
  list[0] = Text("tensor");
  list[1] = Text("linalg");
  given->dialects = list;
  ASSERT_EQ(Read(), "OK");
  EXPECT_STREQ(descriptor.registry.dialects[1], "linalg");
  EXPECT_EQ(descriptor.registry.dialects[2], nullptr);
  list[1] = Text("not a dialect");
  EXPECT_EQ(Read(),
            "CORRUPT: item 1 of its dialects, 'not a dialect', is not spelled as such a name is");
  list[1] = reinterpret_cast<const char *>(8);
  EXPECT_EQ(Read(), "CORRUPT: item 1 of its dialects points to memory that no loaded object has");
  given->dialects = nullptr;
  given->depends = list;
  list[1] = nullptr;
  list[0] = Text("Upper");
  EXPECT_EQ(Read(), "CORRUPT: item 0 of its depends, 'Upper', is not spelled as such a name is");
  // A list that runs to the end of what can be read.
  const char **last = reinterpret_cast<const char **>(memory.data() + memory.size()) - 2;
  last[0] = last[1] = Text("alpha");
  given->depends = last;
  EXPECT_EQ(Read(), "CORRUPT: the list of its depends points to memory that no loaded object has");
}

TEST_F(DescriptorTest, Strings) {
  char *end = reinterpret_cast<char *>(memory.data() + memory.size()) - 4;
  memcpy(end, "abcd", 4);
  given->vendor = end;
  EXPECT_EQ(Read(), "CORRUPT: its vendor has no end within 4 bytes");
  memset(text + 8192, 'x', 5000);
  given->vendor = text + 8192;
  EXPECT_EQ(Read(), "CORRUPT: its vendor has no end within 4096 bytes");
  given->vendor = Text("x");
  ops[2].name = Text(std::string(256, 'a'));
  EXPECT_EQ(Read(), "CORRUPT: the name of op 2 is longer than 255 letters");
}

TEST_F(DescriptorTest, TablesThatReachTooFar) {
  given->n_ops = note.n_ops = 65537;
  EXPECT_EQ(Read(), "CORRUPT: has 65537 ops, at most 65536 are allowed");
  given->n_ops = note.n_ops = 60000;
  EXPECT_EQ(Read(),
            "CORRUPT: its table of 60000 ops reaches into memory that no loaded object has");
}

TEST_F(DescriptorTest, FunctionsOfOthers) {
  items[items[0].is_executable ? 0 : 1].object = 3;
  EXPECT_EQ(Read(), "CORRUPT: emit of op 0 is no code of this plugin");
}

TEST_F(DescriptorTest, MemoryThatCannotBeRead) {
  items[items[0].is_executable ? 1 : 0].is_readable = false;
  EXPECT_EQ(Read(), "CORRUPT: its query returned a pointer to memory that no loaded object has");
  given = nullptr;
  EXPECT_EQ(Read(), "INCOMPATIBLE: does not serve a host of plugin ABI 1.0");
}

}  // namespace
