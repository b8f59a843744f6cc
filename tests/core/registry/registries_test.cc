// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/registries_test.cc: one table from op name to the rows that may take it.
#include "core/registry/host.h"
#include "core/registry/registries.h"

#include "tests/core/registry/registry_fixture.h"

namespace {

class RegistriesTest : public RegistryTest {
 protected:
  // "alpha:1 alpha:0 beta:0" as registry and benefit.
  std::string Candidates(const char *op) const {
    const buddy_candidate *candidates;
    const size_t n = buddy_registries_candidates(registries, op, &candidates);
    std::string text;
    for (size_t i = 0; i < n; ++i) {
      text += (i ? " " : "") +
              std::string(buddy_registries_get(registries, candidates[i].registry)->name) + ":" +
              std::to_string(candidates[i].row->benefit);
    }
    return text;
  }

  buddy_code LoadIn(const bd_environment &environment, const char *order = nullptr) {
    if (!search) {
      EXPECT_EQ(Search(), BUDDY_OK);
    }
    buddy_registries_destroy(registries);
    buddy_registries_options options{};
    options.struct_size = sizeof options;
    options.order = order;
    return bd_registries_create_in(search, opset, &options, &environment, bd_host_table(), diags,
                                   &registries);
  }
};

TEST_F(RegistriesTest, RowsInTheOrderOfAsking) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "alpha:0 beta:0");
  EXPECT_EQ(Candidates("test.conv.default"), "alpha:1 alpha:0");
  EXPECT_EQ(Candidates("test.item.default"), "alpha:0 beta:5")
      << "benefit counts within one registry";
  EXPECT_EQ(Candidates("test.nobody.default"), "");
  EXPECT_EQ(Candidates("nowhere.defined.default"), "") << "its arguments are not known";
  ASSERT_EQ(Load("beta:alpha"), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "beta:0 alpha:0");
}

TEST_F(RegistriesTest, ARowMayStandBehindThoseOfAllOthers) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.pair.default"), "beta:0 alpha:0");
  ASSERT_EQ(Load("beta:alpha"), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.pair.default"), "beta:0 alpha:0");
  ASSERT_EQ(Load("alpha:beta", {"test.pair.default=alpha"}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.pair.default"), "alpha:0 beta:0") << "a pin is a request";
}

TEST_F(RegistriesTest, AnAliasLeadsToTheRows) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  ASSERT_EQ(buddy_opset_alias(opset, "test.plus.default", "test.add.default", diags), BUDDY_OK)
      << Text();
  EXPECT_EQ(Candidates("test.plus.default"), "alpha:0");
}

TEST_F(RegistriesTest, PinsMoveARegistryToTheFrontForOneOp) {
  ASSERT_EQ(Load("alpha:beta", {"test.add.default=beta", "test.conv.default=alpha"}), BUDDY_OK)
      << Text();
  EXPECT_EQ(Candidates("test.add.default"), "beta:0 alpha:0");
  EXPECT_EQ(Candidates("test.relu.default"), "alpha:0 beta:0");
  EXPECT_EQ(Candidates("test.conv.default"), "alpha:1 alpha:0");
}

TEST_F(RegistriesTest, PinsThatMeanNothingAreErrors) {
  EXPECT_EQ(Load("alpha:beta", {"test.add.default=gamma", "test.mm.default=beta", "nonsense"}),
            BUDDY_NOT_FOUND);
  EXPECT_EQ(Text(),
            "pin: test.add.default=gamma: this registry is not loaded\n"
            "pin: test.mm.default=beta: the registry has no row for this op\n"
            "pin: 'nonsense' is not an op, =, and the name of a registry\n");
  buddy_diags_clear(diags);
  EXPECT_EQ(Load("alpha:beta", {"test.add.default=beta", "test.add.default=alpha"}),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Text(), "pin: test.add.default=alpha: the op is pinned to another registry as well\n");
}

TEST_F(RegistriesTest, PinsOfTheEnvironmentComeBehindThoseOfTheCaller) {
  bd_environment environment = bd_environment();
  environment.pins = "test.add.default=beta";
  ASSERT_EQ(LoadIn(environment, "alpha:beta"), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "beta:0 alpha:0");
  environment.pins = "test.add.default=gamma,test.mm.default=beta,test.relu.default=beta";
  ASSERT_EQ(LoadIn(environment, "alpha:beta"), BUDDY_OK) << Text();
  EXPECT_EQ(Text(),
            "BUDDY_PINS: test.add.default=gamma: this registry is not loaded\n"
            "BUDDY_PINS: test.mm.default=beta: the registry has no row for this op\n");
  EXPECT_EQ(Candidates("test.relu.default"), "beta:0 alpha:0");
  environment.pins = "nonsense";
  EXPECT_EQ(LoadIn(environment, "alpha:beta"), BUDDY_INVALID_ARGUMENT);
  buddy_diags_clear(diags);
  environment.is_secure = true;
  ASSERT_EQ(LoadIn(environment, "alpha:beta"), BUDDY_OK) << Text();
  EXPECT_NE(Text().find("BUDDY_PINS: is ignored"), std::string::npos) << Text();
}

TEST_F(RegistriesTest, TheOrderComesFromTheCallerTheEnvironmentOrTheDefault) {
  bd_environment environment = bd_environment();
  environment.registries = "beta:alpha";
  ASSERT_EQ(LoadIn(environment), BUDDY_OK) << Text();
  EXPECT_EQ(Loaded(), "beta:alpha");
  ASSERT_EQ(LoadIn(environment, "alpha"), BUDDY_OK) << Text();
  EXPECT_EQ(Loaded(), "alpha");
  environment.registries = "alpha::";
  EXPECT_EQ(LoadIn(environment), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Text(),
            "BUDDY_REGISTRIES: item 2, '', is empty\nBUDDY_REGISTRIES: item 3, '', is empty\n");
  // The default names tosa, which is not among the test plugins.
  buddy_diags_clear(diags);
  environment.registries = nullptr;
  EXPECT_EQ(LoadIn(environment), BUDDY_NOT_FOUND);
  EXPECT_NE(Text().find("registry 'tosa': there is no buddy_tosa.so"), std::string::npos) << Text();
  buddy_diags_clear(diags);
  environment.registries = "alpha";
  environment.is_secure = true;
  EXPECT_EQ(LoadIn(environment), BUDDY_NOT_FOUND)
      << "in a setuid process the variable does not count";
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_NOTE);
}

TEST_F(RegistriesTest, OptionsMayBeLeftOut) {
  bd_environment environment = bd_environment();
  environment.registries = "alpha";
  ASSERT_EQ(Search(), BUDDY_OK);
  ASSERT_EQ(bd_registries_create_in(search, opset, nullptr, &environment, bd_host_table(), diags,
                                    &registries),
            BUDDY_OK);
  EXPECT_EQ(Loaded(), "alpha");
  EXPECT_EQ(buddy_registries_opset(registries), opset);
  EXPECT_EQ(buddy_registries_get(registries, 1), nullptr);
  EXPECT_EQ(buddy_registries_path(registries, 1), nullptr);
  EXPECT_EQ(buddy_registries_symbol(registries, 0), nullptr);
  buddy_registries *unused;
  const buddy_registries_options no_size{};
  EXPECT_EQ(bd_registries_create_in(search, opset, &no_size, &environment, bd_host_table(), diags,
                                    &unused),
            BUDDY_INVALID_ARGUMENT);
  buddy_registries_destroy(nullptr);
}

// The descriptor that the user sees is ours: of this host's version, whatever the plugin was
// compiled with.
TEST_F(RegistriesTest, ANewerRegistryIsReadByItsStride) {
  ASSERT_EQ(Load("newer"), BUDDY_OK) << Text();
  const buddy_registry *registry = buddy_registries_get(registries, 0);
  EXPECT_EQ(registry->struct_size, sizeof(buddy_registry));
  EXPECT_EQ(registry->op_stride, sizeof(buddy_op));
  ASSERT_EQ(registry->n_ops, 3u);
  EXPECT_STREQ(registry->ops[0].name, "newer.one.default");
  EXPECT_STREQ(registry->ops[2].name, "newer.three.default");
  EXPECT_EQ(registry->ops[2].benefit, 7u);
  EXPECT_EQ(registry->abi_version, BUDDY_VERSION(1, 9));
  EXPECT_EQ(Candidates("newer.three.default"), "newer:7");
}

TEST_F(RegistriesTest, SchemasGoIntoEachOpset) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  EXPECT_NE(buddy_opset_find(opset, "test.add.default"), nullptr);
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << "again into the same";
  buddy_opset *other = nullptr;
  ASSERT_EQ(buddy_opset_create(&other), BUDDY_OK);
  const bd_environment environment = bd_environment();
  buddy_registries_options options{};
  options.struct_size = sizeof options;
  options.order = "alpha";
  buddy_registries *second = nullptr;
  ASSERT_EQ(bd_registries_create_in(search, other, &options, &environment, bd_host_table(), diags,
                                    &second),
            BUDDY_OK)
      << Text();
  EXPECT_NE(buddy_opset_find(other, "test.add.default"), nullptr);
  buddy_registries_destroy(second);
  buddy_opset_destroy(other);
}

TEST_F(RegistriesTest, AnotherSchemaOfTheSameNameIsAnError) {
  ASSERT_EQ(buddy_opset_define(opset, "test::add(Tensor x) -> Tensor", BUDDY_KIND_OTHER, diags),
            BUDDY_OK);
  EXPECT_EQ(Load("alpha"), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(Text().find("registry 'alpha', schema 0 (test::add(Tensor self"), std::string::npos)
      << Text();
}

// Rows of one registry for an op that another, later in the order, defines.
TEST_F(RegistriesTest, SchemasOfLaterRegistriesCount) {
  ASSERT_EQ(Load("borrower:fuser"), BUDDY_OK) << Text();
  const buddy_candidate *candidates;
  ASSERT_EQ(buddy_registries_candidates(registries, "fuser.nobody.default", &candidates), 1u);
  EXPECT_EQ(candidates[0].registry, 0u);
  EXPECT_EQ(buddy_diags_count(diags), 0u) << Text();
}

}  // namespace
