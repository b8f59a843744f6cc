// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/library_test.cc: libbuddy as a file: it stands without LLVM.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

// DT_NEEDED of a shared object, from its bytes.
std::vector<std::string> Needed(const char *path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  Elf64_Ehdr header;
  memcpy(&header, bytes.data(), sizeof header);
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  memcpy(segments.data(), bytes.data() + header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  const auto offset = [&](uint64_t address) {
    for (const Elf64_Phdr &segment : segments) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address < segment.p_vaddr + segment.p_filesz) {
        return segment.p_offset + (address - segment.p_vaddr);
      }
    }
    return uint64_t{0};
  };
  std::vector<Elf64_Dyn> entries;
  for (const Elf64_Phdr &segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    entries.resize(segment.p_filesz / sizeof(Elf64_Dyn));
    memcpy(entries.data(), bytes.data() + segment.p_offset, segment.p_filesz);
  }
  uint64_t strings = 0;
  for (const Elf64_Dyn &entry : entries) {
    if (entry.d_tag == DT_STRTAB) strings = offset(entry.d_un.d_val);
  }
  std::vector<std::string> names;
  for (const Elf64_Dyn &entry : entries) {
    if (entry.d_tag == DT_NEEDED) names.emplace_back(bytes.data() + strings + entry.d_un.d_val);
  }
  return names;
}

TEST(LibraryTest, NeedsNoLlvm) {
  const std::vector<std::string> needed = Needed(BUDDY_TEST_LIBRARY);
  ASSERT_FALSE(needed.empty());
  for (const std::string &name : needed) {
    EXPECT_EQ(name.find("LLVM"), std::string::npos) << name;
    EXPECT_EQ(name.find("MLIR"), std::string::npos) << name;
    EXPECT_EQ(name.find("libstdc++"), std::string::npos) << name;
  }
}

TEST(LibraryTest, APortableRegistryNeedsNoBuddy) {
  for (const std::string &name : Needed(BUDDY_TEST_PLUGINS "/buddy_alpha.so")) {
    EXPECT_EQ(name.find("buddy"), std::string::npos) << name;
  }
}

}  // namespace
