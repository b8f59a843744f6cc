// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/local_test.cc: registries that the program itself brings, in memory.
#include <string>
#include <vector>

#include "tests/core/registry/registry_fixture.h"

namespace {

int opened, closed;
buddy_code Open(const buddy_host *host, void **out_state, char *, size_t) {
  ++opened;
  *out_state = const_cast<buddy_host *>(host);
  return BUDDY_OK;
}
void Close(void *) { ++closed; }
buddy_code Emit(void *, const buddy_op *, buddy_call *) { return BUDDY_OK; }

class LocalTest : public RegistryTest {
 protected:
  LocalTest() { opened = closed = 0; }

  // On the heap, as a program that learns of its rows while it runs has them.
  struct Local {
    std::string name;
    std::vector<buddy_op> ops;
    buddy_registry registry{};
    explicit Local(std::string given, const char *op = "test.add.default",
                   const char *args = "self, other")
        : name(std::move(given)) {
      buddy_op row{};
      row.name = op;
      row.args = args;
      row.emit = Emit;
      ops.push_back(row);
      registry.struct_size = sizeof registry;
      registry.abi_version = BUDDY_ABI_VERSION;
      registry.name = name.c_str();
      registry.version = "1.0.0";
      registry.vendor = "test";
      registry.license = "MIT";
      registry.ops = ops.data();
      registry.n_ops = 1;
      registry.op_stride = sizeof(buddy_op);
      registry.open = Open;
      registry.close = Close;
    }
  };

  buddy_code LoadWith(const char *order, const std::vector<buddy_local_registry> &locals,
                      std::vector<const char *> pins = {}) {
    if (!search) {
      EXPECT_EQ(Search(), BUDDY_OK);
    }
    buddy_registries_destroy(registries);
    registries = nullptr;
    buddy_diags_clear(diags);
    buddy_registries_options options{};
    options.struct_size = sizeof options;
    options.order = order;
    options.no_environment = 1;
    options.pins = pins.data();
    options.n_pins = pins.size();
    options.locals = locals.data();
    options.n_locals = locals.size();
    return buddy_registries_create(search, opset, &options, diags, &registries);
  }

  std::string Candidates(const char *op) const {
    const buddy_candidate *candidates;
    const size_t n = buddy_registries_candidates(registries, op, &candidates);
    std::string text;
    for (size_t i = 0; i < n; ++i) {
      text += (i ? " " : "") +
              std::string(buddy_registries_get(registries, candidates[i].registry)->name);
    }
    return text;
  }
};

TEST_F(LocalTest, StandsInFrontOfTheRegistryItNames) {
  const Local mine("mine");
  ASSERT_EQ(LoadWith("alpha:beta", {{&mine.registry, "beta"}}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "alpha mine beta");
  EXPECT_STREQ(buddy_registries_path(registries, 1), "this process");
  ASSERT_EQ(LoadWith("alpha:*", {{&mine.registry, "beta"}}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default").substr(0, 15), "alpha mine beta");
}

TEST_F(LocalTest, IsLeftOutWithTheRegistryItNames) {
  const Local mine("mine");
  ASSERT_EQ(LoadWith("alpha", {{&mine.registry, "beta"}}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "alpha");
  EXPECT_EQ(opened, 0);
}

TEST_F(LocalTest, IsNamedByTheOrderOrByTheStar) {
  const Local mine("mine");
  ASSERT_EQ(LoadWith("alpha:mine", {{&mine.registry, nullptr}}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "alpha mine");
  ASSERT_EQ(LoadWith("beta:*", {{&mine.registry, nullptr}}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default").substr(0, 9), "beta mine");
  ASSERT_EQ(LoadWith("alpha", {{&mine.registry, nullptr}}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "alpha");
}

TEST_F(LocalTest, WinsOverAFileOfTheSameName) {
  const Local mine("beta");
  ASSERT_EQ(LoadWith("alpha:beta", {{&mine.registry, nullptr}}), BUDDY_OK) << Text();
  EXPECT_EQ(Candidates("test.add.default"), "alpha beta");
  EXPECT_STREQ(buddy_registries_path(registries, 1), "this process");
}

TEST_F(LocalTest, CanBePinned) {
  const Local mine("mine");
  ASSERT_EQ(LoadWith("alpha:beta", {{&mine.registry, "beta"}}, {"test.add.default=mine"}), BUDDY_OK)
      << Text();
  EXPECT_EQ(Candidates("test.add.default"), "mine alpha beta");
}

TEST_F(LocalTest, IsOpenedAndClosedOnceForEachRegistries) {
  const Local mine("mine");
  ASSERT_EQ(LoadWith("alpha", {{&mine.registry, "alpha"}}), BUDDY_OK) << Text();
  EXPECT_EQ(opened, 1);
  ASSERT_EQ(LoadWith("alpha", {{&mine.registry, "alpha"}}), BUDDY_OK) << Text();
  EXPECT_EQ(opened, 2);
  EXPECT_EQ(closed, 1);
  buddy_registries_destroy(registries);
  registries = nullptr;
  EXPECT_EQ(closed, 2);
}

TEST_F(LocalTest, RowsAreCopied) {
  const Local mine("mine");
  ASSERT_EQ(LoadWith("alpha:beta", {{&mine.registry, "beta"}}), BUDDY_OK) << Text();
  const buddy_candidate *candidates;
  ASSERT_EQ(buddy_registries_candidates(registries, "test.add.default", &candidates), 3u);
  EXPECT_NE(candidates[1].row, &mine.ops[0]) << "the host goes by a copy";
  EXPECT_EQ(candidates[1].row->emit, Emit);
}

TEST_F(LocalTest, RefusesWhatBreaksARule) {
  const auto load = [&](auto change) {
    Local mine("mine");
    change(&mine);
    const buddy_code code = LoadWith("alpha:beta", {{&mine.registry, "beta"}});
    EXPECT_NE(Text(), "") << "no reason";
    return code;
  };
  EXPECT_EQ(load([](Local *l) { l->registry.name = "Not A Name"; }), BUDDY_CORRUPT);
  EXPECT_EQ(load([](Local *l) { l->registry.vendor = nullptr; }), BUDDY_CORRUPT);
  EXPECT_EQ(load([](Local *l) { l->registry.abi_version += 1u << 16; }), BUDDY_INCOMPATIBLE);
  EXPECT_EQ(load([](Local *l) { l->registry.llvm_version = BUDDY_VERSION(3, 1); }),
            BUDDY_INCOMPATIBLE);
  EXPECT_EQ(load([](Local *l) { l->registry.struct_size = 4; }), BUDDY_CORRUPT);
  EXPECT_EQ(load([](Local *l) { l->registry.ops = nullptr; }), BUDDY_CORRUPT);
  EXPECT_EQ(load([](Local *l) { l->ops[0].emit = nullptr; }), BUDDY_CORRUPT);
  EXPECT_EQ(load([](Local *l) { l->ops[0].args = "nonsense"; }), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(opened, closed);
}

}  // namespace
