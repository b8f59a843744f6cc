// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "tests/core/symbols/schema_fixture.h"

namespace {

class SchemaDefaultTest : public SchemaFixture {
 protected:
  buddy_arg Default(const std::string &text) {
    const buddy_schema_arg *arg = Arg(text);
    EXPECT_TRUE(arg && arg->has_default) << text;
    return arg ? arg->default_value : buddy_arg{};
  }
};

TEST_F(SchemaDefaultTest, Singles) {
  EXPECT_EQ(Default("int x=-100").as.i, -100);
  EXPECT_EQ(Default("int? x=None").kind, BUDDY_ARG_NONE);
  EXPECT_EQ(Default("Tensor? x=None").kind, BUDDY_ARG_NONE);
  EXPECT_EQ(Default("Generator? x=None").kind, BUDDY_ARG_NONE);
  EXPECT_EQ(Default("bool x=True").as.i, 1);
  EXPECT_EQ(Default("bool x=False").kind, BUDDY_ARG_BOOL);
  EXPECT_EQ(Default("float x=1.").as.f, 1.0);
  EXPECT_EQ(Default("float x=1").kind, BUDDY_ARG_FLOAT);
  EXPECT_EQ(Default("float x=1.0000000000000001e-05").as.f, 1e-5);
  EXPECT_TRUE(std::isinf(Default("float x=inf").as.f));
  EXPECT_TRUE(std::isinf(Default("float x=-inf").as.f));
  EXPECT_TRUE(std::isnan(Default("float? x=nan").as.f));
  EXPECT_EQ(Default("Scalar x=1").kind, BUDDY_ARG_INT);
  EXPECT_EQ(Default("Scalar x=0.5").kind, BUDDY_ARG_FLOAT);
  EXPECT_EQ(Default("Scalar x=True").kind, BUDDY_ARG_BOOL);
  EXPECT_EQ(Default("complex x=2").as.floats[0], 2.0);
  EXPECT_EQ(Default("Any x=3").as.i, 3);
}

TEST_F(SchemaDefaultTest, Strings) {
  EXPECT_STREQ(Default("str x=\"linear\"").as.string, "linear");
  EXPECT_STREQ(Default("str x='none'").as.string, "none");
  EXPECT_STREQ(Default("str x=\"a \\\"q\\\" \\n\\f\\v\"").as.string, "a \"q\" \n\f\v");
  EXPECT_EQ(Default("str x=\"\"").n, 0u);
  EXPECT_STREQ(Default("str x=\"a, b) -> c\"").as.string, "a, b) -> c");
}

TEST_F(SchemaDefaultTest, EnumsByNameAndByNumber) {
  EXPECT_STREQ(Default("MemoryFormat x=0").as.string, "contiguous");
  EXPECT_STREQ(Default("MemoryFormat x=contiguous_format").as.string, "contiguous");
  EXPECT_STREQ(Default("MemoryFormat? x=channels_last_3d").as.string, "channels_last_3d");
  EXPECT_STREQ(Default("Layout x=strided").as.string, "strided");
  EXPECT_EQ(Default("ScalarType x=float").as.i, BUDDY_F32);
  EXPECT_EQ(Default("ScalarType x=6").as.i, BUDDY_F32);
  EXPECT_EQ(Default("ScalarType x=long").as.i, BUDDY_I64);
  EXPECT_STREQ(Default("Device x=cpu").as.string, "cpu");
  EXPECT_STREQ(Default("Device x=\"cuda:0\"").as.string, "cuda:0");
  EXPECT_EQ(Default("int reduction=Mean").as.i, 1);
}

TEST_F(SchemaDefaultTest, Lists) {
  buddy_arg arg = Default("int[2] x=0");
  ASSERT_EQ(arg.kind, BUDDY_ARG_INTS);
  ASSERT_EQ(arg.n, 2u) << "one number stands for both";
  EXPECT_EQ(arg.as.ints[1], 0);
  arg = Default("int[] x=[-2, -1]");
  ASSERT_EQ(arg.n, 2u);
  EXPECT_EQ(arg.as.ints[0], -2);
  EXPECT_EQ(Default("int[2] x=[]").n, 0u);
  EXPECT_EQ(Default("Tensor[] x=[]").kind, BUDDY_ARG_TENSORS);
  EXPECT_EQ(Default("int[1]? x=None").kind, BUDDY_ARG_NONE);
  arg = Default("float[] x=[1, 2.5]");
  EXPECT_EQ(arg.as.floats[0], 1.0);
  EXPECT_EQ(arg.as.floats[1], 2.5);
  arg = Default("bool[3] x=True");
  EXPECT_EQ(arg.kind, BUDDY_ARG_BOOLS);
  EXPECT_EQ(arg.n, 3u);
  arg = Default("str[] x=[\"a\", \"b\"]");
  EXPECT_STREQ(arg.as.strings[1], "b");
  EXPECT_EQ(Default("Scalar[] x=[1.5]").kind, BUDDY_ARG_FLOATS);
  EXPECT_EQ(Default("Any x=[True]").kind, BUDDY_ARG_BOOLS);
}

TEST_F(SchemaDefaultTest, MistakesAreTold) {
  const struct {
    const char *arg, *what;
  } mistakes[] = {
      {"int x=", "lacks a default value"},
      {"int x=1.5", "not of the argument's type"},
      {"int x=maybe", "not of the argument's type"},
      {"bool x=1", "not of the argument's type"},
      {"float x=\"a\"", "not of the argument's type"},
      {"ScalarType x=99", "not of the argument's type"},
      {"Tensor x=1", "not of the argument's type"},
      {"Any x=word", "not of the argument's type"},
      {"int x=[1]", "gives a list"},
      {"int[] x=[1, 2", "lacks ']'"},
      {"int[] x=[a]", "whose elements are not"},
      {"Scalar[] x=[1, 2.5]", "mixes kinds"},
      {"Any[] x=[None]", "a list of such values"},
      {"str x=\"abc", "ends within a string"},
      {"str x=\"abc\\", "ends within a string"},
      {"float x=1.2.3", "malformed number"},
      {"int x=-9223372036854775807", "too low"},
  };
  for (const auto &each : mistakes) {
    EXPECT_EQ(Parse(std::string("x::f(") + each.arg + ") -> Tensor"), BUDDY_INVALID_ARGUMENT)
        << each.arg;
    EXPECT_NE(DiagsText(diags).find(each.what), std::string::npos) << each.arg << "\n"
                                                                   << DiagsText(diags);
  }
}

}  // namespace
