// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/symbols/schema_fixture.h: parses one schema at a time.
#ifndef BUDDY_TESTS_CORE_SYMBOLS_SCHEMA_FIXTURE_H
#define BUDDY_TESTS_CORE_SYMBOLS_SCHEMA_FIXTURE_H

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/symbols/opdef.h"
#include "tests/core/diags_text.h"

class SchemaFixture : public testing::Test {
 protected:
  void SetUp() override {
    bd_arena_init(&arena);
    ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
  }
  void TearDown() override {
    bd_arena_deinit(&arena);
    buddy_diags_destroy(diags);
  }
  buddy_code Parse(const std::string &schema) {
    buddy_diags_clear(diags);
    memset(&def, 0, sizeof def);
    return bd_schema_parse(&arena, schema.c_str(), diags, &def);
  }
  /* The one argument of a schema that has this one alone; null after a failure. */
  const buddy_schema_arg *Arg(const std::string &text) {
    const buddy_code code = Parse("x::f(" + text + ") -> Tensor");
    EXPECT_EQ(code, BUDDY_OK) << text << "\n" << DiagsText(diags);
    return code || def.n_args != 1 ? nullptr : &def.args[0];
  }

  bd_arena arena;
  buddy_diags *diags = nullptr;
  buddy_opdef def = {};
};

#endif
