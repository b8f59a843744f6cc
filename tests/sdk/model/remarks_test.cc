// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/model/remarks_test.cc: what the compiler said is said again, whatever the file holds.
#include "sdk/model/remarks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "tests/sdk/compile/harness.h"

namespace {

// What is told of a file of these bytes: "severity code where|what|todo", a line each.
std::string Told(const std::string &bytes) {
  Diags diags;
  const int file = bd_memory_file(bytes.data(), bytes.size(), true);
  bd_remarks_tell(file, diags);
  close(file);
  std::string all;
  for (size_t i = 0; i < buddy_diags_count(diags); i++) {
    const buddy_diag *one = buddy_diags_get(diags, i);
    all += std::to_string(one->severity) + " " + std::to_string(one->code) + " " + one->where +
           "|" + one->what + "|" + one->todo + "\n";
  }
  return all;
}

std::string Trailer(uint64_t size) {
  return std::string(reinterpret_cast<const char *>(&size), sizeof size) + BD_REMARKS_MAGIC;
}

std::string Append(const buddy_diags *diags, size_t first) {
  bd_bytes bytes = {};
  EXPECT_EQ(bd_bytes_append(&bytes, "library", 7), BUDDY_OK);
  EXPECT_EQ(bd_remarks_append(&bytes, diags, first), BUDDY_OK);
  std::string all(bytes.data, bytes.size);
  bd_bytes_deinit(&bytes);
  return all;
}

TEST(Remarks, WarningsAndNotesAreKept) {
  Diags said;
  buddy_diags_add(said, BUDDY_WARNING, BUDDY_IO, "before", nullptr, "not the compiler's");
  buddy_diags_add(said, BUDDY_NOTE, BUDDY_OK, nullptr, nullptr, "12 nodes: 12 tosa");
  buddy_diags_add(said, BUDDY_ERROR, BUDDY_IO, "x", nullptr, "an error is no remark");
  buddy_diags_add(said, BUDDY_WARNING, BUDDY_LIMIT, "model.py:3", "do\tthis", "two\nlines");
  const std::string bytes = Append(said, 1);
  EXPECT_EQ(bytes.substr(0, 7), "library");
  EXPECT_EQ(Told(bytes), "2 0 |12 nodes: 12 tosa|\n1 11 model.py:3|two\\x0Alines|do\\x09this\n");
  EXPECT_EQ(Told(Append(said, 4)), "");
  EXPECT_EQ(Told(Append(nullptr, 0)), "");
}

TEST(Remarks, FilesThatHaveNone) {
  EXPECT_EQ(Told(""), "");
  EXPECT_EQ(Told("library"), "");
  EXPECT_EQ(Told(std::string(4096, '\0')), "");
  const std::string line = "2\t0\ta\tb\tc\n";
  for (uint64_t size : {uint64_t{0}, uint64_t{line.size() + 1}, uint64_t{1} << 30, UINT64_MAX})
    EXPECT_EQ(Told(line + Trailer(size)), "") << size;
  EXPECT_EQ(Told(Trailer(0)), "");
  EXPECT_EQ(Told(line + Trailer(line.size())), "2 0 a|b|c\n");
}

TEST(Remarks, LinesThatAreNoRemarks) {
  const std::string lines =
      "\n\t\t\t\t\n0\t0\ta\tan error\tb\n3\t0\ta\tb\tc\n1\t99\ta\tb\tc\n1\tx\ta\tb\tc\n1\t2\ta\tb\n"
      "-1\t0\ta\tb\tc\n99999999999999999999\t0\ta\tb\tc\n1\t2\t%s\t%n\t%d\n2\t0\ta\tb\tc\td";
  EXPECT_EQ(Told(lines + Trailer(lines.size())), "1 2 %s|%n|%d\n2 0 a|b|c\n");
}

TEST(Remarks, MemoryThatRunsOut) {
  const std::string line = "2\t0\ta\tb\tc\n", bytes = line + Trailer(line.size());
  const int file = bd_memory_file(bytes.data(), bytes.size(), true);
  for (int64_t n = 0;; n++) {
    Diags diags;
    bd_memory_fail_after(n);
    bd_remarks_tell(file, diags);
    if (!bd_memory_fail_after(-1)) break;
    EXPECT_EQ(buddy_diags_count(diags), 0u);
  }
  close(file);
}

}  // namespace
