// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/model/store_test.cc: the cache of a folder that the program chose.
#include "sdk/model/store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/sdk/compile/harness.h"

namespace {

class CacheDir : public testing::Test {
 protected:
  void SetUp() override {
    char dir[] = "/tmp/buddy_store_XXXXXX";
    ASSERT_NE(mkdtemp(dir), nullptr);
    dir_ = dir;
  }
  void TearDown() override { rmdir(dir_.c_str()); }

  // An entry of this many bytes under a key of this number.
  void Add(uint8_t number, size_t size) {
    bd_store store;
    uint8_t key[BD_KEY_SIZE] = {number};
    ASSERT_EQ(bd_store_open(dir_.c_str(), 0, diags_, &store), BUDDY_OK) << diags_.text();
    EXPECT_EQ(bd_store_add(&store, key, std::string(size, 'x').data(), size, diags_), BUDDY_OK);
    bd_store_close(&store);
  }
  // How many entries the folder has.
  size_t Count(const std::string &dir) {
    size_t n = 0;
    const auto count = [](void *user, const buddy_cache_entry *entry) -> buddy_code {
      EXPECT_GT(entry->n_bytes, 0u);
      ++*static_cast<size_t *>(user);
      return BUDDY_OK;
    };
    EXPECT_EQ(buddy_cache_list_dir(dir.c_str(), diags_, count, &n), BUDDY_OK) << diags_.text();
    return n;
  }

  Diags diags_;
  std::string dir_;
};

TEST_F(CacheDir, IsListedAndCleared) {
  EXPECT_EQ(Count(dir_), 0u);
  Add(1, 10);
  Add(2, 100);
  EXPECT_EQ(Count(dir_), 2u);
  size_t n = 0;
  EXPECT_EQ(buddy_cache_clear_dir(dir_.c_str(), diags_, &n), BUDDY_OK) << diags_.text();
  EXPECT_EQ(n, 2u);
  EXPECT_EQ(Count(dir_), 0u);
}

TEST_F(CacheDir, OneThatIsNotThereIsEmpty) {
  size_t n = 1;
  EXPECT_EQ(Count(dir_ + "/none"), 0u);
  EXPECT_EQ(buddy_cache_clear_dir((dir_ + "/none").c_str(), diags_, &n), BUDDY_OK);
  EXPECT_EQ(n, 0u);
  EXPECT_NE(access((dir_ + "/none").c_str(), F_OK), 0) << "it must not be made";
}

TEST_F(CacheDir, AFileIsRefusedInOneSentence) {
  EXPECT_EQ(buddy_cache_list_dir(
                "/dev/null", diags_,
                [](void *, const buddy_cache_entry *) -> buddy_code { return BUDDY_OK; }, nullptr),
            BUDDY_IO);
  EXPECT_NE(diags_.text().find("/dev/null"), std::string::npos) << diags_.text();
}

}  // namespace
