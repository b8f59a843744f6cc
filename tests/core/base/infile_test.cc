// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/infile.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "core/base/memory.h"
#include "tests/core/diags_text.h"
#define BUDDY_TEST_PLUGINS ""
#include "tests/core/registry/temporary_folder.h"

namespace {

class Infile : public testing::Test {
 protected:
  std::string Path(const std::string &name) { return folder_.File(name); }
  std::string Write(const std::string &name, const std::string &text) {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }
  /* "" if it can be opened. */
  static std::string Fault(const std::string &path, buddy_code *out_code = nullptr) {
    bd_infile file;
    bd_fault fault;
    const bool is_open = bd_infile_try(path.c_str(), &file, &fault);
    EXPECT_EQ(is_open, fault.code == BUDDY_OK);
    EXPECT_EQ(is_open, file.descriptor >= 0);
    if (out_code != nullptr) *out_code = fault.code;
    bd_infile_close(&file);
    return fault.text;
  }

  TemporaryFolder folder_;
};

TEST_F(Infile, ReadsWhatIsThere) {
  for (const std::string &text : {std::string(), std::string("a"), std::string(100000, 'x')}) {
    bd_infile file;
    bd_fault fault;
    const std::string path = Write("file", text);
    ASSERT_TRUE(bd_infile_try(path.c_str(), &file, &fault)) << fault.text;
    EXPECT_EQ(file.size, text.size());
    std::string got(text.size(), '?');
    EXPECT_EQ(bd_infile_read(&file, got.data(), got.size()), BUDDY_OK);
    EXPECT_EQ(got, text);
    char more;
    EXPECT_EQ(bd_infile_read(&file, &more, 1), BUDDY_CORRUPT);
    void *map = bd_infile_map(&file);
    EXPECT_EQ(map == nullptr, text.empty());
    if (map != nullptr) {
      EXPECT_EQ(memcmp(map, text.data(), text.size()), 0);
      munmap(map, text.size());
    }
    bd_infile_close(&file);
    EXPECT_EQ(file.descriptor, -1);
  }
}

TEST_F(Infile, TellsWhatItIsInstead) {
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "%s", Path("socket").c_str());
  ASSERT_EQ(bind(socket_fd, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  buddy_code code;
  EXPECT_EQ(Fault(Path("fifo"), &code), "is a FIFO, and no regular file");
  EXPECT_EQ(code, BUDDY_CORRUPT);
  EXPECT_EQ(Fault(Path("socket")), "is a socket, and no regular file");
  EXPECT_EQ(Fault(Path(".")), "is a folder, and no regular file");
  EXPECT_EQ(Fault("/dev/zero"), "is a device, and no regular file");
  EXPECT_EQ(Fault(Path("none"), &code), "cannot be opened: No such file or directory");
  EXPECT_EQ(code, BUDDY_NOT_FOUND);
  EXPECT_EQ(Fault("", &code), "cannot be opened: No such file or directory");
  close(socket_fd);
}

TEST_F(Infile, AnEntryOfAFolderIsNoLink) {
  Write("file", "text");
  ASSERT_EQ(symlink("file", Path("link").c_str()), 0);
  const int folder = open(Path(".").c_str(), O_RDONLY | O_DIRECTORY);
  bd_infile file;
  bd_fault fault;
  ASSERT_TRUE(bd_infile_try_in(folder, "file", &file, &fault));
  bd_infile_close(&file);
  EXPECT_FALSE(bd_infile_try_in(folder, "link", &file, &fault));
  EXPECT_EQ(fault.code, BUDDY_IO);
  EXPECT_EQ(Fault(Path("link")), ""); /* by its path it is followed */
  close(folder);
}

TEST_F(Infile, AWholeFileKeepsToItsLimit) {
  buddy_diags *diags;
  ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
  char *text = nullptr;
  size_t size = 0;
  const std::string path = Write("file", "text");
  ASSERT_EQ(bd_infile_whole(path.c_str(), 4, nullptr, diags, &text, &size), BUDDY_OK);
  EXPECT_STREQ(text, "text");
  EXPECT_EQ(size, 4u);
  bd_free(text);
  EXPECT_EQ(bd_infile_whole(path.c_str(), 3, "cut it", diags, &text, &size), BUDDY_LIMIT);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(DiagsText(diags), path + ": has 4 bytes; such a file has at most 3\n");
  /* A sparse file of a tebibyte costs nothing. */
  ASSERT_EQ(truncate(path.c_str(), off_t{1} << 40), 0);
  EXPECT_EQ(bd_infile_whole(path.c_str(), 1 << 20, nullptr, nullptr, &text, &size), BUDDY_LIMIT);
  buddy_diags_destroy(diags);
}

}  // namespace
