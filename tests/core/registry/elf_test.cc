// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/elf_test.cc: a good plugin's bytes, changed one field at a time.
#include "core/registry/elf.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "core/registry/plugin_file.h"

namespace {

class ElfTest : public testing::Test {
 protected:
  ElfTest() : host(*bd_elf_this_host()) {
    std::ifstream file(BUDDY_TEST_PLUGINS "/buddy_alpha.so", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }

  template <typename T>
  T Get(size_t offset) const {
    T value;
    memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  template <typename T>
  void Put(size_t offset, const T &value) {
    memcpy(bytes.data() + offset, &value, sizeof value);
  }

  void Header(const std::function<void(Elf64_Ehdr &)> &change) {
    auto header = Get<Elf64_Ehdr>(0);
    change(header);
    Put(0, header);
  }
  // Changes all program headers of a type.
  void Segments(uint32_t type, const std::function<void(Elf64_Phdr &)> &change) {
    const auto header = Get<Elf64_Ehdr>(0);
    for (size_t i = 0; i < header.e_phnum; ++i) {
      const size_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
      auto segment = Get<Elf64_Phdr>(at);
      if (segment.p_type != type) continue;
      change(segment);
      Put(at, segment);
    }
  }
  // The file offset of an address.
  size_t Offset(uint64_t address) {
    size_t offset = 0;
    Segments(PT_LOAD, [&](Elf64_Phdr &segment) {
      if (address >= segment.p_vaddr && address < segment.p_vaddr + segment.p_filesz) {
        offset = segment.p_offset + (address - segment.p_vaddr);
      }
    });
    return offset;
  }
  // Changes all entries of the dynamic section of a tag.
  void Dynamic(int64_t tag, const std::function<void(Elf64_Dyn &)> &change) {
    size_t at = 0, size = 0;
    Segments(PT_DYNAMIC, [&](Elf64_Phdr &segment) {
      at = segment.p_offset;
      size = segment.p_filesz;
    });
    for (size_t end = at + size; at < end; at += sizeof(Elf64_Dyn)) {
      auto entry = Get<Elf64_Dyn>(at);
      if (entry.d_tag != tag) continue;
      change(entry);
      Put(at, entry);
    }
  }
  size_t Note() const {
    return bytes.find(std::string("\x08\0\0\0", 4) +
                      std::string("\xE0\0\0\0\1\0\0\0buddy\0\0\0", 16));
  }
  void ChangeNote(const std::function<void(buddy_elf_note &)> &change) {
    ASSERT_NE(Note(), std::string::npos);
    auto note = Get<buddy_elf_note>(Note());
    change(note);
    Put(Note(), note);
  }

  // "CODE: refusal".
  std::string Inspect() {
    // A copy of the exact size: one byte too many is seen by the sanitizer.
    const std::vector<char> copy(bytes.begin(), bytes.end());
    bd_elf_inspect(copy.data(), copy.size(), &host, &info);
    return std::string(buddy_code_name(info.code)) + ": " + info.refusal;
  }

  bd_elf_host host;
  std::string bytes;
  bd_elf_info info = bd_elf_info();
};

TEST_F(ElfTest, Unchanged) {
  EXPECT_EQ(Inspect(), "OK: ");
  EXPECT_TRUE(info.has_note);
}

TEST_F(ElfTest, Headers) {
  const std::string good = bytes;
  const auto with = [&](const std::function<void(Elf64_Ehdr &)> &change) {
    bytes = good;
    Header(change);
    return Inspect();
  };
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_ident[0] = 'x'; }), "CORRUPT: is no ELF file");
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_ident[EI_CLASS] = ELFCLASS32; }),
            "INCOMPATIBLE: is not a 64-bit ELF file of this byte order");
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_ident[EI_DATA] = 3 - h.e_ident[EI_DATA]; }),
            "INCOMPATIBLE: is not a 64-bit ELF file of this byte order");
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_machine = EM_68K; }).substr(0, 55),
            "INCOMPATIBLE: built for another machine (ELF number 4, ");
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_type = ET_EXEC; }),
            "INCOMPATIBLE: is no shared object (ELF type 2)");
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_phnum = 0; }),
            "CORRUPT: has 0 program headers of 56 bytes");
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_phnum = 0xffff; }),
            "CORRUPT: has 65535 program headers of 56 bytes");
  EXPECT_EQ(with([](Elf64_Ehdr &h) { h.e_phentsize = 32; }).substr(0, 11), "CORRUPT: ha");
  EXPECT_NE(with([](Elf64_Ehdr &h) {
              h.e_phoff = UINT64_MAX - 10;
            }).find("its program headers end after them"),
            std::string::npos);
  bytes = good.substr(0, 20);
  EXPECT_EQ(Inspect(), "CORRUPT: file has 20 bytes, less than an ELF header");
  bytes = "";
  EXPECT_EQ(Inspect(), "CORRUPT: is no ELF file");
}

TEST_F(ElfTest, Segments) {
  const std::string good = bytes;
  const auto with = [&](uint32_t type, const std::function<void(Elf64_Phdr &)> &change) {
    bytes = good;
    Segments(type, change);
    return Inspect();
  };
  EXPECT_NE(with(PT_LOAD, [](Elf64_Phdr &p) { p.p_filesz = UINT64_MAX; }).find("truncated"),
            std::string::npos);
  EXPECT_NE(with(PT_LOAD, [](Elf64_Phdr &p) { p.p_offset = UINT64_MAX; }).find("truncated"),
            std::string::npos);
  const char *contradiction = "CORRUPT: has segments that contradict each other";
  EXPECT_EQ(with(PT_LOAD, [](Elf64_Phdr &p) { p.p_memsz = 0; }), contradiction);
  EXPECT_EQ(with(PT_LOAD, [](Elf64_Phdr &p) { p.p_memsz = UINT64_MAX - 5; }), contradiction);
  EXPECT_EQ(with(PT_LOAD, [](Elf64_Phdr &p) { p.p_vaddr = 0; }), contradiction);
  EXPECT_EQ(with(PT_LOAD, [](Elf64_Phdr &p) { p.p_type = PT_NULL; }),
            "CORRUPT: has nothing to load");
  EXPECT_EQ(with(PT_DYNAMIC, [](Elf64_Phdr &p) { p.p_type = PT_NULL; }),
            "INCOMPATIBLE: has no dynamic section: no shared object, or statically linked");
  EXPECT_EQ(with(PT_DYNAMIC, [](Elf64_Phdr &p) { p.p_vaddr += 0x10000000; }),
            "CORRUPT: has a dynamic section outside of its segments");
  EXPECT_NE(with(PT_DYNAMIC, [](Elf64_Phdr &p) { p.p_filesz = UINT64_MAX; })
                .find("its dynamic section ends after"),
            std::string::npos);
  EXPECT_NE(
      with(PT_NOTE, [](Elf64_Phdr &p) { p.p_filesz = UINT64_MAX; }).find("its notes end after"),
      std::string::npos);
}

TEST_F(ElfTest, Notes) {
  const std::string good = bytes;
  const auto with = [&](const std::function<void(buddy_elf_note &)> &change) {
    bytes = good;
    ChangeNote(change);
    return Inspect();
  };
  EXPECT_EQ(with([](buddy_elf_note &n) { n.name[0] = 'x'; }).substr(0, 40),
            "INCOMPATIBLE: has no note 'buddy': not b");
  EXPECT_EQ(with([](buddy_elf_note &n) { n.type = 9; }).substr(0, 40),
            "INCOMPATIBLE: has no note 'buddy': not b");
  EXPECT_EQ(with([](buddy_elf_note &n) { n.descsz = 100; }),
            "CORRUPT: has a note 'buddy' of 100 bytes, less than 224");
  EXPECT_FALSE(info.has_note);
  EXPECT_EQ(with([](buddy_elf_note &n) { n.namesz = 0xfffffff0; }),
            "CORRUPT: has a note that is longer than its segment");
  EXPECT_EQ(with([](buddy_elf_note &n) { n.descsz = 0xfffffff0; }),
            "CORRUPT: has a note that is longer than its segment");
  EXPECT_EQ(with([](buddy_elf_note &n) { n.abi_version = BUDDY_VERSION(3, 1); }),
            "INCOMPATIBLE: plugin ABI 3.1, this buddy has 1.0; rebuild it");
  EXPECT_TRUE(info.has_note) << "it can still be listed";
  EXPECT_EQ(with([](buddy_elf_note &n) { n.abi_version = BUDDY_VERSION(1, 7); }), "OK: ");
  EXPECT_EQ(with([](buddy_elf_note &n) { memset(n.registry_name, 'a', 32); }),
            "CORRUPT: has a note 'buddy' whose name is no text");
  EXPECT_EQ(with([](buddy_elf_note &n) { memcpy(n.vendor, "a\nb", 4); }),
            "CORRUPT: has a note 'buddy' whose vendor is no text");
  EXPECT_FALSE(info.has_note);
  EXPECT_EQ(with([](buddy_elf_note &n) { memcpy(n.registry_name, "Al", 3); }),
            "CORRUPT: calls itself 'Al', which is no name of a registry: [a-z][a-z0-9_]*");
  EXPECT_EQ(with([](buddy_elf_note &n) { n.sanitizer = 77; }),
            "INCOMPATIBLE: built with a sanitizer unknown here, and this buddy is not");
}

TEST_F(ElfTest, ANoteThatIsSeenTwice) {
  Elf64_Phdr notes = Elf64_Phdr();
  Segments(PT_NOTE, [&](Elf64_Phdr &p) {
    notes = p.p_offset <= Note() && Note() < p.p_offset + p.p_filesz ? p : notes;
  });
  Segments(PT_GNU_STACK, [&](Elf64_Phdr &p) { p = notes; });
  ChangeNote([](buddy_elf_note &n) { memset(n.vendor, 'x', sizeof n.vendor); });
  EXPECT_EQ(Inspect(), "CORRUPT: has more than one note 'buddy'");
  EXPECT_FALSE(info.has_note) << "its texts were not looked at yet, and must not be shown";
}

TEST_F(ElfTest, Llvm) {
  host.llvm_version = BUDDY_VERSION(22, 1);
  ChangeNote([](buddy_elf_note &n) { n.llvm_version = BUDDY_VERSION(21, 1); });
  EXPECT_EQ(Inspect(),
            "INCOMPATIBLE: built for LLVM 21.1, this buddy has 22.1; rebuild it, or use the "
            "portable tier");
  host.llvm_version = 0;
  EXPECT_EQ(Inspect(), "OK: ") << "a host without LLVM only plans";
  host.llvm_version = BUDDY_VERSION(21, 1);
  EXPECT_EQ(Inspect(), "OK: ");
}

TEST_F(ElfTest, DynamicSection) {
  const std::string good = bytes;
  const auto with = [&](int64_t tag, const std::function<void(Elf64_Dyn &)> &change) {
    bytes = good;
    Dynamic(tag, change);
    return Inspect();
  };
  const char *no_table = "CORRUPT: has no table of dynamic symbols inside its segments";
  EXPECT_EQ(with(DT_STRTAB, [](Elf64_Dyn &d) { d.d_un.d_val = UINT64_MAX; }), no_table);
  EXPECT_EQ(with(DT_STRSZ, [](Elf64_Dyn &d) { d.d_un.d_val = UINT64_MAX; }), no_table);
  EXPECT_EQ(with(DT_SYMTAB, [](Elf64_Dyn &d) { d.d_un.d_val = 0; }), no_table);
  EXPECT_EQ(with(DT_SYMTAB, [](Elf64_Dyn &d) { d.d_un.d_val = UINT64_MAX - 8; }), no_table);
  EXPECT_EQ(with(DT_NEEDED, [](Elf64_Dyn &d) { d.d_un.d_val = UINT64_MAX; }),
            "CORRUPT: needs a library whose name is outside of its string table");
  EXPECT_EQ(with(DT_GNU_HASH, [](Elf64_Dyn &d) { d.d_tag = DT_DEBUG; }),
            "CORRUPT: has no hash table of its symbols, or a malformed one");
  EXPECT_EQ(with(DT_NULL, [](Elf64_Dyn &d) { d = {DT_FLAGS_1, {DF_1_PIE}}; }),
            "INCOMPATIBLE: is a program, no shared object");
}

TEST_F(ElfTest, SymbolHash) {
  size_t at = 0;
  Dynamic(DT_GNU_HASH, [&](Elf64_Dyn &d) { at = Offset(d.d_un.d_val); });
  ASSERT_NE(at, 0u);
  const std::string good = bytes;
  const auto with = [&](size_t field, uint32_t value) {
    bytes = good;
    Put(at + 4 * field, value);
    return Inspect();
  };
  const char *malformed = "CORRUPT: has no hash table of its symbols, or a malformed one";
  EXPECT_EQ(with(0, 0), malformed) << "the dynamic linker would divide by 0";
  EXPECT_EQ(with(0, 0xffffffff), malformed);
  EXPECT_EQ(with(2, 0), malformed);
  EXPECT_EQ(with(2, 3), malformed);
  EXPECT_EQ(with(3, 64), malformed);
  EXPECT_EQ(with(1, 0xffffffff), "INCOMPATIBLE: exports no buddy_registry_query");
}

TEST_F(ElfTest, OldSymbolHash) {
  // A table of one bucket, in place of the other one: bucket[0] is the symbol, the chain ends
  // there.
  size_t at = 0, symbols = 0, strings = 0;
  uint64_t address = 0;
  Dynamic(DT_SYMTAB, [&](Elf64_Dyn &d) { symbols = Offset(d.d_un.d_val); });
  Dynamic(DT_STRTAB, [&](Elf64_Dyn &d) { strings = Offset(d.d_un.d_val); });
  uint32_t query = 0;
  for (uint32_t i = 1; i < 64 && !query; ++i) {
    const auto symbol = Get<Elf64_Sym>(symbols + i * sizeof(Elf64_Sym));
    if (symbol.st_shndx && !strcmp(bytes.data() + strings + symbol.st_name, "buddy_registry_query"))
      query = i;
  }
  ASSERT_NE(query, 0u);
  ASSERT_LE(query, 63u);
  const size_t size = 4 * (3 + query + 1);
  at = bytes.size();
  address = 0x10000000;
  bytes.resize(at + size);
  Segments(PT_GNU_STACK, [&](Elf64_Phdr &p) {  // a segment that is not needed here
    p = {PT_LOAD, PF_R, at, address, address, size, size, 4096};
  });
  Dynamic(DT_GNU_HASH, [&](Elf64_Dyn &d) { d = {DT_HASH, {address}}; });
  Put<uint32_t>(at, 1);
  Put<uint32_t>(at + 4, query + 1);
  Put<uint32_t>(at + 8, query);
  EXPECT_EQ(Inspect(), "OK: ");
  Put<uint32_t>(at + 12 + 4 * query, query);  // a chain that never ends
  Put<uint32_t>(at + 8, query);
  EXPECT_EQ(Inspect(), "OK: ");
  Put<uint32_t>(at + 8, 0);
  EXPECT_EQ(Inspect(), "INCOMPATIBLE: exports no buddy_registry_query");
  Put<uint32_t>(at, 0);
  EXPECT_EQ(Inspect(), "CORRUPT: has no hash table of its symbols, or a malformed one");
}

TEST_F(ElfTest, AnyByteChangedIsJudgedWithoutHarm) {
  const std::string good = bytes;
  for (size_t i = 0; i < good.size() && i < 8192; ++i) {
    for (const char value : {'\0', '\xff', '\x7f'}) {
      bytes = good;
      bytes[i] = value;
      bd_elf_inspect(bytes.data(), bytes.size(), &host, &info);
      EXPECT_EQ(info.code == BUDDY_OK, info.refusal[0] == 0);
    }
  }
}

}  // namespace
