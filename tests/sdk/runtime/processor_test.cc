// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this processor can do, and what the system lets a process do with it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

extern "C" {
#include "sdk/runtime/processor.h"
}

namespace {

bool has(const char *features, std::string *missing = nullptr) {
  char name[32] = "";
  const bool is_there = bd_processor_has(features, name, sizeof(name));
  if (missing != nullptr) *missing = name;
  return is_there;
}

std::string identify() {
  char text[256];
  bd_processor_identify(text, sizeof(text));
  return text;
}

TEST(Processor, IsTheSameEachTime) {
  EXPECT_FALSE(identify().empty());
  EXPECT_EQ(identify(), identify());
}

TEST(Processor, UnknownFeaturesCountAsThere) {
  EXPECT_TRUE(has(""));
  EXPECT_TRUE(has("of-another-processor"));
}

#if defined(__x86_64__)
TEST(Processor, TellsWhatTheCompilerKnows) {
  EXPECT_EQ(has("avx2"), __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(has("sse4.2,avx512f"), __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(has("avx512vnni"), __builtin_cpu_supports("avx512vnni") != 0);
}

constexpr int kGetPermissions = 0x1022, kTileData = 18;

// Who is told that AMX is there has it.
TEST(Processor, AsksForAmx) {
  unsigned long granted = 0;
  if (!has("amx-tile")) GTEST_SKIP() << "no AMX";
  ASSERT_EQ(syscall(SYS_arch_prctl, kGetPermissions, &granted), 0);
  EXPECT_NE(granted & (1ul << kTileData), 0u);
}

// Linux refuses it to a process with a stack for signals that is too small for the registers: then
// it is not there.
int without_amx() {
  static char stack[8192];
  stack_t of = {};
  of.ss_sp = stack;
  of.ss_size = sizeof(stack);
  std::string missing;
  unsigned long granted = 0;
  if (sigaltstack(&of, nullptr) != 0) return 1;
  if (has("avx512f,amx-tile", &missing) || missing != "amx-tile") return 2;
  if (syscall(SYS_arch_prctl, kGetPermissions, &granted) != 0 || (granted >> kTileData & 1u) != 0)
    return 3;
  return 0;
}

// The first argument of a process of its own, which has not asked yet.
TEST(Processor, HasNoAmxWhereItIsRefused) {
  if (!has("amx-tile")) GTEST_SKIP() << "no AMX";
  const std::string self = "/proc/self/exe";
  const pid_t child = fork();
  if (child == 0) {
    (void)setenv("BUDDY_TEST_REFUSED", "1", 1);
    execl(self.c_str(), "runtime_test", "--gtest_filter=Processor.InAProcessOfItsOwn", nullptr);
    _exit(127);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Processor, InAProcessOfItsOwn) {
  if (getenv("BUDDY_TEST_REFUSED") == nullptr) GTEST_SKIP() << "of HasNoAmxWhereItIsRefused";
  EXPECT_EQ(without_amx(), 0);
}
#endif

}  // namespace
