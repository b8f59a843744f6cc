// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/hostile/truncated_test.cc: a plugin file cut anywhere, or with any byte changed, never ends
// the process.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/registry/elf.h"
#include "core/registry/plugin_file.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

class TruncatedTest : public RegistryTest {
 protected:
  TruncatedTest() {
    std::ifstream file(BUDDY_TEST_PLUGINS "/buddy_good.so", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    char dir[] = "/tmp/buddy_truncated_XXXXXX";
    folder = mkdtemp(dir);
    path = folder + "/buddy_good.so";
  }
  ~TruncatedTest() override {
    unlink(path.c_str());
    rmdir(folder.c_str());
  }

  void Write(size_t size) const {
    unlink(path.c_str());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
  }

  // Loads the file in a child. Its exit status: 0 loaded, 1 refused; else it died.
  int LoadInChild() {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      const buddy_code code = Search(folder) == BUDDY_OK ? Load("good") : BUDDY_IO;
      _exit(code == BUDDY_OK ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  std::string bytes, folder, path;
};

TEST_F(TruncatedTest, EverySixtyFourthByte) {
  ASSERT_GT(bytes.size(), 10000u);
  size_t n_loaded = 0, n_refused = 0;
  for (size_t size = 0; size < bytes.size(); size += 64) {
    Write(size);
    const int status = LoadInChild();
    ASSERT_LE(status, 1) << "cut at " << size << " of " << bytes.size();
    ++(status == 0 ? n_loaded : n_refused);
  }
  EXPECT_GT(n_loaded, 0u) << "the section headers are at the end and do not matter";
  EXPECT_GT(n_refused, 10u);
}

TEST_F(TruncatedTest, ThePreflightReadsNothingOutside) {
  const bd_elf_host host = *bd_elf_this_host();
  for (size_t size = 0; size < bytes.size(); size += 7) {
    // A copy of the exact size, so that the sanitizer sees one byte too many.
    const std::vector<char> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    bd_elf_info info;
    bd_elf_inspect(copy.data(), size, &host, &info);
    EXPECT_EQ(info.code == BUDDY_OK, info.refusal[0] == 0);
  }
}

TEST_F(TruncatedTest, TheMessageTellsTheSizes) {
  Write(bytes.size() / 4);
  ASSERT_EQ(Search(folder), BUDDY_OK);
  ASSERT_EQ(buddy_search_n_found(search), 1u);
  const buddy_found *found = buddy_search_found(search, 0);
  EXPECT_EQ(found->code, BUDDY_CORRUPT);
  const std::string start = "file has " + std::to_string(bytes.size() / 4) + " bytes";
  EXPECT_EQ(std::string(found->refusal).substr(0, start.size()), start) << found->refusal;
}

}  // namespace
