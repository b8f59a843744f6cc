// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/temporary_folder.h: a folder that goes with its test.
#ifndef BUDDY_TESTS_CORE_REGISTRY_TEMPORARY_FOLDER_H
#define BUDDY_TESTS_CORE_REGISTRY_TEMPORARY_FOLDER_H

#include <stdlib.h>

#include <filesystem>
#include <string>

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "buddy_test_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string File(const std::string &name) const { return path + "/" + name; }
  std::string Folder(const std::string &name) const {
    std::filesystem::create_directories(File(name));
    return File(name);
  }
  // A copy of one of the test plugins.
  std::string Plugin(const std::string &name, const std::string &folder = "") const {
    const std::string file = (folder.empty() ? path : Folder(folder)) + "/buddy_" + name + ".so";
    std::filesystem::copy_file(std::string(BUDDY_TEST_PLUGINS) + "/buddy_" + name + ".so", file);
    return file;
  }

  std::string path;
};

#endif
