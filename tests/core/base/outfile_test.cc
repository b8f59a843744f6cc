// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/outfile.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "tests/core/diags_text.h"
#define BUDDY_TEST_PLUGINS ""
#include "tests/core/registry/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

class Outfile : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(buddy_diags_create(&diags_), BUDDY_OK); }
  void TearDown() override { buddy_diags_destroy(diags_); }

  std::string Path(const std::string &name) const { return folder_.File(name); }
  static std::string Read(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void Put(const std::string &name, const std::string &text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto &entry : fs::directory_iterator(folder_.path))
      names.insert(entry.path().filename().string());
    return names;
  }
  buddy_code Write(const std::string &path, const std::string &text) {
    bd_outfile file;
    const buddy_code code = bd_outfile_open(path.c_str(), diags_, &file);
    if (code != BUDDY_OK) return code;
    bd_outfile_write(&file, text.data(), text.size());
    bd_outfile *const files[] = {&file};
    return bd_outfile_commit(files, 1, diags_);
  }
  /* What a child process with `prepare` done first exits with. */
  static int InChild(const std::function<int()> &body) {
    const pid_t child = fork();
    if (child == 0) _exit(body());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  static mode_t ModeOf(const std::string &path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  TemporaryFolder folder_;
  buddy_diags *diags_ = nullptr;
};

TEST_F(Outfile, AppearsWhenItIsWhole) {
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{65535}, size_t{65536}, size_t{65537}, size_t{300000}}) {
    const std::string text(size, 'x');
    bd_outfile file;
    fs::remove(Path("new"));
    ASSERT_EQ(bd_outfile_open(Path("new").c_str(), diags_, &file), BUDDY_OK);
    for (size_t at = 0; at < size; at += 1000)
      EXPECT_EQ(bd_outfile_write(&file, text.data() + at, std::min<size_t>(1000, size - at)),
                BUDDY_OK);
    EXPECT_FALSE(fs::exists(Path("new")));
    bd_outfile *const files[] = {&file};
    EXPECT_EQ(bd_outfile_commit(files, 1, diags_), BUDDY_OK);
    EXPECT_EQ(Read(Path("new")), text);
    EXPECT_EQ(Write(Path("new"), "other"), BUDDY_OK);
    EXPECT_EQ(Read(Path("new")), "other");
    EXPECT_EQ(Names(), (std::set<std::string>{"new"}));
  }
}

TEST_F(Outfile, WhatIsThrownAwayIsGone) {
  Put("old", "old");
  for (const char *name : {"old", "new"}) {
    bd_outfile file;
    ASSERT_EQ(bd_outfile_open(Path(name).c_str(), diags_, &file), BUDDY_OK);
    bd_outfile_write(&file, "text", 4);
    bd_outfile_discard(&file);
    bd_outfile_discard(&file);
  }
  EXPECT_EQ(Names(), (std::set<std::string>{"old"}));
  EXPECT_EQ(Read(Path("old")), "old");
}

TEST_F(Outfile, TheUmaskGivesTheMode) {
  for (const mode_t mask : {0000u, 0002u, 0007u, 0022u, 0027u, 0077u}) {
    const mode_t before = umask(mask);
    fs::remove(Path("file"));
    EXPECT_EQ(Write(Path("file"), "a"), BUDDY_OK);
    EXPECT_EQ(ModeOf(Path("file")), 0666 & ~mask);
    const int folder = open(folder_.path.c_str(), O_RDONLY | O_DIRECTORY);
    bd_outfile file;
    ASSERT_EQ(bd_outfile_open_in(folder, "here", "own", diags_, &file), BUDDY_OK);
    bd_outfile *const files[] = {&file};
    EXPECT_EQ(bd_outfile_commit(files, 1, diags_), BUDDY_OK);
    EXPECT_EQ(ModeOf(Path("own")), 0600u);
    close(folder);
    umask(before);
  }
}

TEST_F(Outfile, WhatIsReplacedKeepsItsMode) {
  for (const mode_t mode : {0600u, 0640u, 0666u, 0755u}) {
    Put("file", "old");
    chmod(Path("file").c_str(), mode);
    EXPECT_EQ(Write(Path("file"), "new"), BUDDY_OK);
    EXPECT_EQ(ModeOf(Path("file")), mode);
    EXPECT_EQ(Read(Path("file")), "new");
  }
}

TEST_F(Outfile, LinksAreFollowed) {
  fs::create_directory(Path("far"));
  Put("far/there", "old");
  ASSERT_EQ(symlink("far/there", Path("link").c_str()), 0);
  ASSERT_EQ(symlink("link", Path("second").c_str()), 0);
  ASSERT_EQ(symlink("far/made", Path("dangling").c_str()), 0);
  ASSERT_EQ(symlink("none/made", Path("lost").c_str()), 0);
  for (const char *name : {"link", "second"}) {
    EXPECT_EQ(Write(Path(name), name), BUDDY_OK);
    EXPECT_TRUE(fs::is_symlink(Path(name)));
    EXPECT_EQ(Read(Path("far/there")), name);
  }
  bd_outfile file;
  ASSERT_EQ(bd_outfile_open(Path("dangling").c_str(), diags_, &file), BUDDY_OK);
  bd_outfile_discard(&file);
  EXPECT_FALSE(fs::exists(Path("far/made")));
  EXPECT_EQ(Write(Path("dangling"), "text"), BUDDY_OK);
  EXPECT_TRUE(fs::is_symlink(Path("dangling")));
  EXPECT_EQ(Read(Path("far/made")), "text");
  EXPECT_EQ(Write(Path("lost"), "text"), BUDDY_NOT_FOUND);
  EXPECT_EQ(DiagsText(diags_), Path("lost") + ": cannot be created: No such file or directory\n");
  EXPECT_EQ(Names(), (std::set<std::string>{"dangling", "far", "link", "lost", "second"}));
}

TEST_F(Outfile, FifosAreWrittenTo) {
  const std::string fifo = Path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(Write(fifo, "text"), BUDDY_IO);
  EXPECT_EQ(DiagsText(diags_), fifo + ": is a FIFO that nobody reads: No such device or address\n");
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(Write(fifo, "text"), BUDDY_OK);
  char got[5] = "";
  EXPECT_EQ(read(reader, got, 4), 4);
  EXPECT_STREQ(got, "text");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(fifo));
  EXPECT_EQ(Names(), (std::set<std::string>{"fifo"}));
}

TEST_F(Outfile, AReaderThatGoesAwayIsAnError) {
  const std::string fifo = Path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  bd_outfile file;
  ASSERT_EQ(bd_outfile_open(fifo.c_str(), diags_, &file), BUDDY_OK);
  close(reader);
  bd_outfile_write(&file, "text", 4);
  bd_outfile *const files[] = {&file};
  EXPECT_EQ(bd_outfile_commit(files, 1, diags_), BUDDY_IO); /* and no SIGPIPE */
  EXPECT_EQ(DiagsText(diags_), fifo + ": cannot be written: Broken pipe\n");
  sigset_t pending;
  sigpending(&pending);
  EXPECT_FALSE(sigismember(&pending, SIGPIPE));
}

TEST_F(Outfile, DevicesAreWrittenToAndStay) {
  const std::string device = Path("null");
  if (mknod(device.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    GTEST_SKIP() << "only root makes devices";
  EXPECT_EQ(Write(device, "text"), BUDDY_OK) << DiagsText(diags_);
  EXPECT_TRUE(fs::is_character_file(device));
  EXPECT_EQ(Write("/dev/full", "text"), BUDDY_IO);
  EXPECT_EQ(DiagsText(diags_), "/dev/full: cannot be written: No space left on device\n");
  EXPECT_STREQ(buddy_diags_get(diags_, 0)->todo, "make room there, or name a file on another disk");
}

TEST_F(Outfile, StandardOutputIsWrittenWhereItStands) {
  EXPECT_EQ(InChild([this] {
              const int log = open(Path("log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
              dup2(log, STDOUT_FILENO);
              const bool is_done = write(1, "before ", 7) == 7 &&
                                   Write("/dev/stdout", "during ") == BUDDY_OK &&
                                   write(1, "after ", 6) == 6 &&
                                   Write("/proc/self/fd/" + std::to_string(log), "end") == BUDDY_OK;
              return is_done ? 0 : 1;
            }),
            0);
  EXPECT_EQ(Read(Path("log")), "before during after end");
  EXPECT_EQ(Names(), (std::set<std::string>{"log"}));
}

TEST_F(Outfile, WhatCannotBeWrittenSaysWhy) {
  Put("file", "");
  EXPECT_EQ(Write(Path("none/file"), "text"), BUDDY_NOT_FOUND);
  EXPECT_EQ(Write(Path("file/file"), "text"), BUDDY_NOT_FOUND);
  EXPECT_EQ(Write(Path("."), "text"), BUDDY_IO);
  EXPECT_EQ(Write(Path("new/"), "text"), BUDDY_NOT_FOUND);
  EXPECT_EQ(Write("", "text"), BUDDY_NOT_FOUND);
  EXPECT_EQ(DiagsText(diags_),
            Path("none/file") + ": cannot be created: No such file or directory\n" +
                Path("file/file") + ": cannot be created: Not a directory\n" + Path(".") +
                ": cannot be created: Is a directory\n" + Path("new/") +
                ": cannot be created: No such file or directory\n: cannot be created: No such file "
                "or directory\n");
  EXPECT_EQ(Names(), (std::set<std::string>{"file"}));
}

TEST_F(Outfile, OthersFoldersAreRefused) {
  ASSERT_EQ(chmod(folder_.path.c_str(), 0555), 0);
  const int code = InChild([this] {
    if (geteuid() == 0 && setuid(65534) != 0) return 2;
    return Write(Path("new"), "text") == BUDDY_PERMISSION && buddy_diags_count(diags_) == 1 &&
                   DiagsText(diags_) == Path("new") + ": cannot be created: Permission denied\n"
               ? 0
               : 1;
  });
  chmod(folder_.path.c_str(), 0755);
  EXPECT_EQ(code, 0);
}

/* At every limit, the file is whole or not there, and the process lives. */
TEST_F(Outfile, ALimitOnSizesIsAnError) {
  const size_t size = 200000;
  for (size_t limit = 0; limit <= size + 4096; limit += limit < 4096 ? 512 : 16384) {
    const int code = InChild([&] {
      const rlimit both = {limit, limit};
      setrlimit(RLIMIT_FSIZE, &both);
      const buddy_code written = Write(Path("file"), std::string(size, 'x'));
      if (written == BUDDY_OK) return 0;
      return DiagsText(diags_) == Path("file") + ": cannot be written: File too large\n" ? 1 : 2;
    });
    EXPECT_EQ(code, limit < size) << limit;
    EXPECT_EQ(Names(), limit < size ? std::set<std::string>() : std::set<std::string>{"file"})
        << limit;
    fs::remove(Path("file"));
  }
}

TEST_F(Outfile, AllOrNone) {
  fs::create_directories(Path("third/not_empty"));
  const int folder = open(folder_.path.c_str(), O_RDONLY | O_DIRECTORY);
  bd_outfile first, second = {}, third;
  ASSERT_EQ(bd_outfile_open(Path("first").c_str(), diags_, &first), BUDDY_OK);
  ASSERT_EQ(bd_outfile_open_in(folder, "here", "third", diags_, &third), BUDDY_OK);
  bd_outfile *const files[] = {&first, &second, &third};
  EXPECT_NE(bd_outfile_commit(files, 3, diags_), BUDDY_OK);
  EXPECT_EQ(DiagsText(diags_), "here: cannot be put in place: Is a directory\n");
  EXPECT_EQ(Names(), (std::set<std::string>{"third"}));
  close(folder);
}

TEST_F(Outfile, AKilledWriterLeavesNothingThatIsNotReaped) {
  const std::string name = BD_OUTFILE_PREFIX "of-somebody";
  Put(name, "half");
  Put("kept", "");
  const int folder = open(folder_.path.c_str(), O_RDONLY | O_DIRECTORY);
  const int writer = open(Path(name).c_str(), O_WRONLY);
  ASSERT_EQ(flock(writer, LOCK_EX), 0);
  EXPECT_EQ(bd_outfile_reap(folder), 0u); /* its writer lives */
  close(writer);
  EXPECT_EQ(bd_outfile_reap(folder), 1u);
  EXPECT_EQ(Names(), (std::set<std::string>{"kept"}));
  InChild([this] {
    bd_outfile file;
    if (bd_outfile_open(Path("new").c_str(), diags_, &file) == BUDDY_OK)
      bd_outfile_write(&file, "text", 4);
    raise(SIGKILL);
    return 0;
  });
  bd_outfile_reap(folder);
  EXPECT_EQ(Names(), (std::set<std::string>{"kept"}));
  close(folder);
}

}  // namespace
