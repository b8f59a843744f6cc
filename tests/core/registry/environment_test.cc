// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/environment_test.cc: what is taken from the process.
#include "core/registry/environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace {

// Sets a variable for the time of a test.
class Variable {
 public:
  Variable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

 private:
  const char *name_;
};

TEST(EnvironmentTest, Variables) {
  const Variable path("BUDDY_PLUGIN_PATH", "/a:/b"), order("BUDDY_REGISTRIES", "vendor:*"),
      data("XDG_DATA_HOME", "/data");
  bd_environment environment;
  bd_environment_get(&environment);
  EXPECT_STREQ(environment.plugin_path, "/a:/b");
  EXPECT_STREQ(environment.registries, "vendor:*");
  EXPECT_STREQ(environment.xdg_data_home, "/data");
}

TEST(EnvironmentTest, WhatIsNotSetIsNull) {
  bd_environment environment;
  bd_environment_get(&environment);
  EXPECT_EQ(environment.plugin_path, nullptr);
  EXPECT_EQ(environment.registries, nullptr);
  EXPECT_NE(environment.system_dir, nullptr);
}

}  // namespace
