// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/trust.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace {

constexpr mode_t kFile = S_IFREG, kFolder = S_IFDIR;

/* "" if it is trusted. */
std::string Fault(mode_t mode, uid_t owner, gid_t group) {
  struct stat status = {};
  status.st_mode = mode;
  status.st_uid = owner;
  status.st_gid = group;
  bd_fault fault;
  const bool is_trusted = bd_trust(&status, "it", &fault);
  EXPECT_EQ(is_trusted, fault.code == BUDDY_OK);
  return fault.text;
}

TEST(Trust, TheOwnerIsTheUserOrRoot) {
  EXPECT_EQ(Fault(kFile | 0600, geteuid(), 4711), "");
  EXPECT_EQ(Fault(kFile | 0644, 0, 0), "");
  EXPECT_EQ(Fault(kFile | 0600, 4711, geteuid()),
            "it belongs to user 4711, neither to root nor to you");
}

TEST(Trust, NotEverybodyMayWrite) {
  EXPECT_EQ(Fault(kFile | 0646, geteuid(), geteuid()), "it may be written by everybody: chmod o-w");
  EXPECT_EQ(Fault(kFolder | 0777, 0, 0), "it may be written by everybody: chmod o-w");
  EXPECT_EQ(Fault(kFolder | 01777, 0, 0), ""); /* /tmp */
  EXPECT_EQ(Fault(kFile | 01666, 0, 0), "it may be written by everybody: chmod o-w");
}

TEST(Trust, AGroupMayWriteIfItIsPrivate) {
  EXPECT_EQ(Fault(kFile | 0664, geteuid(), geteuid()), ""); /* umask 002 */
  EXPECT_EQ(Fault(kFolder | 0775, geteuid(), geteuid()), "");
  EXPECT_EQ(Fault(kFile | 0664, 0, geteuid()), "");
  EXPECT_EQ(Fault(kFile | 0664, geteuid(), 4711),
            "it may be written by group 4711, which is nobody's own: chmod g-w");
  EXPECT_EQ(Fault(kFolder | 0775, 0, 4711),
            "it may be written by group 4711, which is nobody's own: chmod g-w");
  EXPECT_EQ(Fault(kFile | 0644, geteuid(), 4711), "");
}

TEST(Trust, TheFolderOfAPath) {
  bd_fault fault;
  EXPECT_TRUE(bd_trust_folder_of("/file", &fault)) << fault.text;
  EXPECT_TRUE(bd_trust_folder_of("/usr/file", &fault)) << fault.text;
  EXPECT_FALSE(bd_trust_folder_of("/none/at/all/file", &fault));
  EXPECT_EQ(fault.code, BUDDY_NOT_FOUND);
  EXPECT_FALSE(bd_trust_folder_of((std::string(5000, 'x') + "/file").c_str(), &fault));
  EXPECT_EQ(fault.code, BUDDY_LIMIT);
}

}  // namespace
