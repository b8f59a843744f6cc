// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/symbols/schema_fixture.h"

namespace {

class SchemaTest : public SchemaFixture {};

TEST_F(SchemaTest, NamesBecomeDotted) {
  ASSERT_EQ(Parse("aten::add.Tensor(Tensor self) -> Tensor"), BUDDY_OK);
  EXPECT_STREQ(def.name, "aten.add.Tensor");
  ASSERT_EQ(Parse("aten::relu(Tensor self) -> Tensor"), BUDDY_OK);
  EXPECT_STREQ(def.name, "aten.relu.default");
  ASSERT_EQ(Parse("  quantized::conv2d.new ( Tensor x )  ->  Tensor  "), BUDDY_OK);
  EXPECT_STREQ(def.name, "quantized.conv2d.new");
}

TEST_F(SchemaTest, TypesAreRecognised) {
  const struct {
    const char *text;
    buddy_schema_type type;
  } types[] = {
      {"Tensor", BUDDY_SCHEMA_TENSOR},
      {"int", BUDDY_SCHEMA_INT},
      {"SymInt", BUDDY_SCHEMA_INT},
      {"float", BUDDY_SCHEMA_FLOAT},
      {"bool", BUDDY_SCHEMA_BOOL},
      {"Scalar", BUDDY_SCHEMA_SCALAR},
      {"str", BUDDY_SCHEMA_STRING},
      {"ScalarType", BUDDY_SCHEMA_DTYPE},
      {"Device", BUDDY_SCHEMA_DEVICE},
      {"Layout", BUDDY_SCHEMA_LAYOUT},
      {"MemoryFormat", BUDDY_SCHEMA_MEMORY_FORMAT},
      {"Generator", BUDDY_SCHEMA_GENERATOR},
      {"complex", BUDDY_SCHEMA_COMPLEX},
      {"Graph", BUDDY_SCHEMA_GRAPH},
      {"Any", BUDDY_SCHEMA_ANY},
      {"t", BUDDY_SCHEMA_ANY},
      {"Stream", BUDDY_SCHEMA_ANY},
      {"Dict(str, Tensor)", BUDDY_SCHEMA_ANY},
      {"Future(t)", BUDDY_SCHEMA_ANY},
      {"(Tensor, Tensor)", BUDDY_SCHEMA_ANY},
      {"__torch__.torch.classes.rnn.CellParamsBase", BUDDY_SCHEMA_ANY},
  };
  for (const auto &each : types) {
    const buddy_schema_arg *arg = Arg(std::string(each.text) + " x");
    ASSERT_NE(arg, nullptr);
    EXPECT_EQ(arg->type, each.type) << each.text;
    EXPECT_FALSE(arg->is_list || arg->is_optional || arg->has_default || arg->is_alias ||
                 arg->is_mutated);
  }
}

TEST_F(SchemaTest, ListsAndOptionals) {
  const buddy_schema_arg *arg = Arg("int[2] x");
  EXPECT_TRUE(arg->is_list && !arg->is_optional && arg->list_size == 2);
  arg = Arg("SymInt[1]? x");
  EXPECT_TRUE(arg->is_list && arg->is_optional && arg->list_size == 1 && !arg->is_optional_element);
  arg = Arg("Tensor?[] x");
  EXPECT_TRUE(arg->is_list && !arg->is_optional && arg->list_size == 0 && arg->is_optional_element);
  arg = Arg("Tensor? x");
  EXPECT_TRUE(!arg->is_list && arg->is_optional);
  arg = Arg("Tensor[][] x");
  EXPECT_TRUE(arg->is_list && arg->type == BUDDY_SCHEMA_ANY) << "lists of lists hold anything";
}

TEST_F(SchemaTest, AliasSets) {
  EXPECT_TRUE(Arg("Tensor(a!) self")->is_mutated);
  EXPECT_TRUE(Arg("Tensor(a) self")->is_alias);
  EXPECT_TRUE(Arg("Tensor(a -> *) self")->is_alias);
  EXPECT_TRUE(Arg("Tensor(b|a) self")->is_alias);
  EXPECT_TRUE(Arg("Tensor(a!)[] self")->is_mutated);
  EXPECT_TRUE(Arg("Tensor(a!)[] self")->is_list);
  EXPECT_TRUE(Arg("Tensor[](a!) self")->is_mutated);
  EXPECT_TRUE(Arg("Dict(str, t)(a!) self")->is_mutated);
}

TEST_F(SchemaTest, Results) {
  ASSERT_EQ(Parse("x::f() -> ()"), BUDDY_OK);
  EXPECT_EQ(def.n_args, 0u);
  EXPECT_EQ(def.n_results, 0u);
  EXPECT_FALSE(def.has_more_results);
  ASSERT_EQ(Parse("x::f() -> (Tensor values, Tensor(a!) indices, int)"), BUDDY_OK);
  ASSERT_EQ(def.n_results, 3u);
  EXPECT_STREQ(def.results[0].name, "values");
  EXPECT_TRUE(def.results[1].is_mutated);
  EXPECT_STREQ(def.results[2].name, "");
  EXPECT_EQ(def.results[2].type, BUDDY_SCHEMA_INT);
  ASSERT_EQ(Parse("x::f() -> Tensor(a)[]"), BUDDY_OK);
  EXPECT_TRUE(def.has_more_results);
  ASSERT_EQ(Parse("x::f(str s, ...) -> ..."), BUDDY_OK);
  EXPECT_TRUE(def.has_more_args && def.has_more_results);
  EXPECT_EQ(def.n_args, 1u);
  ASSERT_EQ(Parse("x::f() -> Tensor Y"), BUDDY_OK);
  EXPECT_STREQ(def.results[0].name, "Y");
}

TEST_F(SchemaTest, KeywordMarkersSeparate) {
  ASSERT_EQ(Parse("x::f(Tensor self, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"), BUDDY_OK);
  ASSERT_EQ(def.n_args, 3u);
  EXPECT_STREQ(def.args[2].name, "out");
}

TEST_F(SchemaTest, MistakesAreTold) {
  const struct {
    const char *schema, *what;
  } mistakes[] = {
      {"", "does not begin with \"namespace::op\""},
      {"relu(Tensor self) -> Tensor", "does not begin with \"namespace::op\""},
      {"aten::(Tensor self) -> Tensor", "does not begin with \"namespace::op\""},
      {"aten::relu", "lacks '('"},
      {"aten::relu(Tensor self", "lacks ',' or ')'"},
      {"aten::relu(Tensor self) Tensor", "lacks '->'"},
      {"aten::relu(Tensor self) -> ", "lacks a type"},
      {"aten::relu(Tensor self) -> Tensor x y", "goes on after its results"},
      {"aten::relu(Tensor self) -> (Tensor", "lacks ',' or ')'"},
      {"aten::relu(Tensor) -> Tensor", "without a name"},
      {"aten::relu(Tensor a, int a) -> Tensor", "two arguments of one name"},
      {"aten::relu(int[x] a) -> Tensor", "whose size is no small number"},
      {"aten::relu(int[99999] a) -> Tensor", "whose size is no small number"},
      {"aten::relu(int[2 a) -> Tensor", "lacks ']'"},
      {"aten::relu(Tensor(a", "ends within an alias"},
      {"aten::relu(Dict(str", "ends within a parenthesis"},
      {"aten::relu(, int a) -> Tensor", "lacks a type"},
  };
  for (const auto &each : mistakes) {
    EXPECT_EQ(Parse(each.schema), BUDDY_INVALID_ARGUMENT) << each.schema;
    EXPECT_NE(DiagsText(diags).find(each.what), std::string::npos) << each.schema << "\n"
                                                                   << DiagsText(diags);
  }
  std::string many = "x::f(";
  for (int i = 0; i < 300; ++i) many += "int a" + std::to_string(i) + ", ";
  EXPECT_EQ(Parse(many + "int z) -> Tensor"), BUDDY_INVALID_ARGUMENT);
}

}  // namespace
