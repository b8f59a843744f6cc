// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/plugin_file_test.cc: who may be able to change a plugin, and what is no
// plugin at all.
#include "core/registry/plugin_file.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/core/registry/temporary_folder.h"

namespace {

class PluginFileTest : public testing::Test {
 protected:
  const bd_elf_info &Inspect(const std::string &path, const char *name = "alpha") {
    bd_plugin_file_inspect(path.c_str(), name, bd_elf_this_host(), &file);
    return file.elf;
  }

  TemporaryFolder folder;
  bd_plugin_file file = bd_plugin_file();
};

TEST_F(PluginFileTest, AGoodOne) {
  const bd_elf_info &elf = Inspect(folder.Plugin("alpha"));
  EXPECT_EQ(elf.code, BUDDY_OK) << elf.refusal;
  EXPECT_STREQ(elf.note.registry_name, "alpha");
  EXPECT_STREQ(elf.note.version, "1.2.3");
  EXPECT_STREQ(elf.note.license, "Apache-2.0");
  EXPECT_EQ(elf.note.abi_version, BUDDY_ABI_VERSION);
  EXPECT_NE(file.id.inode, 0u);
}

TEST_F(PluginFileTest, AnotherNameThanItsOwn) {
  EXPECT_EQ(Inspect(folder.Plugin("alpha"), "beta").code, BUDDY_CORRUPT);
  EXPECT_STREQ(file.elf.refusal, "calls itself 'alpha', but its file name says 'beta'");
}

TEST_F(PluginFileTest, ALibraryNeedsNoNote) {
  bd_elf_info elf;
  bd_library_file_inspect("/lib/x86_64-linux-gnu/libm.so.6", &elf);
  if (elf.code == BUDDY_NOT_FOUND) GTEST_SKIP() << "another system's folders";
  EXPECT_EQ(elf.code, BUDDY_OK) << elf.refusal;
  const std::string cut = folder.File("libcut.so");
  std::ifstream whole("/lib/x86_64-linux-gnu/libm.so.6", std::ios::binary);
  std::string bytes(20000, '\0');
  whole.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::ofstream(cut, std::ios::binary) << bytes;
  bd_library_file_inspect(cut.c_str(), &elf);
  EXPECT_EQ(elf.code, BUDDY_CORRUPT);
  EXPECT_NE(std::string(elf.refusal).find("truncated"), std::string::npos) << elf.refusal;
  ASSERT_EQ(chmod(cut.c_str(), 0666), 0);
  bd_library_file_inspect(cut.c_str(), &elf);
  EXPECT_EQ(elf.code, BUDDY_PERMISSION);
}

TEST_F(PluginFileTest, WhatIsNoFile) {
  EXPECT_EQ(Inspect(folder.File("nothing")).code, BUDDY_NOT_FOUND);
  EXPECT_EQ(Inspect(folder.Folder("folder")).code, BUDDY_CORRUPT);
  EXPECT_STREQ(file.elf.refusal, "is a folder, and no regular file");
  const std::string fifo = folder.File("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(Inspect(fifo).code, BUDDY_CORRUPT) << "and it does not wait for a writer";
  std::ofstream(folder.File("empty")).flush();
  EXPECT_EQ(Inspect(folder.File("empty")).code, BUDDY_CORRUPT);
  EXPECT_STREQ(file.elf.refusal, "is empty");
  std::ofstream(folder.File("text")) << "#!/bin/sh\n";
  EXPECT_EQ(Inspect(folder.File("text")).code, BUDDY_CORRUPT);
  EXPECT_STREQ(file.elf.refusal, "is no ELF file");
  EXPECT_EQ(Inspect("/proc/self/exe").code, BUDDY_INCOMPATIBLE) << file.elf.refusal;
}

TEST_F(PluginFileTest, EverybodyMayWriteIt) {
  const std::string path = folder.Plugin("alpha");
  ASSERT_EQ(chmod(path.c_str(), 0666), 0);
  EXPECT_EQ(Inspect(path).code, BUDDY_PERMISSION);
  EXPECT_STREQ(file.elf.refusal, "the file may be written by everybody: chmod o-w");
}

TEST_F(PluginFileTest, EverybodyMayWriteItsFolder) {
  const std::string path = folder.Plugin("alpha", "open");
  ASSERT_EQ(chmod(folder.Folder("open").c_str(), 0777), 0);
  EXPECT_EQ(Inspect(path).code, BUDDY_PERMISSION);
  EXPECT_STREQ(file.elf.refusal, "its folder may be written by everybody: chmod o-w");
  // A link from a folder that is ours does not help.
  const std::string link = folder.File("buddy_alpha.so");
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_EQ(Inspect(link).code, BUDDY_PERMISSION);
}

TEST_F(PluginFileTest, ALinkIsFine) {
  const std::string path = folder.Plugin("alpha", "there"), link = folder.File("buddy_alpha.so");
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_EQ(Inspect(link).code, BUDDY_OK) << file.elf.refusal;
  const bd_file_id id = file.id;
  EXPECT_EQ(Inspect(path).code, BUDDY_OK);
  EXPECT_EQ(id.inode, file.id.inode);
}

TEST_F(PluginFileTest, AnotherUsersFile) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const std::string path = folder.Plugin("alpha");
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  EXPECT_EQ(Inspect(path).code, BUDDY_PERMISSION);
  EXPECT_STREQ(file.elf.refusal, "the file belongs to user 12345, neither to root nor to you");
}

TEST_F(PluginFileTest, APathWithoutAFolder) {
  const std::string before = std::filesystem::current_path();
  folder.Plugin("alpha");
  std::filesystem::current_path(folder.path);
  EXPECT_EQ(Inspect("buddy_alpha.so").code, BUDDY_OK) << file.elf.refusal;
  std::filesystem::current_path(before);
}

TEST_F(PluginFileTest, ANameThatIsTakenIsLookedAt) {
  const std::string path = folder.Plugin("alpha");
  void *first = bd_library_load(path.c_str());
  ASSERT_NE(first, nullptr) << dlerror();
  EXPECT_EQ(bd_library_load(path.c_str()), first);
  EXPECT_EQ(bd_library_load((folder.path + "/./buddy_alpha.so").c_str()), first);
  unlink(path.c_str());
  std::filesystem::rename(folder.Plugin("beta"), path);
  void *second = bd_library_load(path.c_str());
  ASSERT_NE(second, nullptr) << dlerror();
  EXPECT_NE(second, first);
  EXPECT_EQ(bd_library_load(path.c_str()), second);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  EXPECT_EQ(bd_library_load("buddy_alpha.so"), second);
  std::filesystem::current_path(before);
  unlink(path.c_str());
  EXPECT_EQ(bd_library_load(path.c_str()), nullptr) << "a file that is gone";
  EXPECT_EQ(bd_library_load(std::string(8000, 'a').c_str()), nullptr);
  EXPECT_EQ(bd_library_load(""), nullptr);
}

}  // namespace
