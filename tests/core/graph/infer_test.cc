// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class InferTest : public GraphFixture {
 protected:
  std::string Type(const char *op, const Args &args, size_t result = 0) {
    buddy_node *node = nullptr;
    if (TryNode(op, nullptr, args, &node)) return Said();
    return TypeText(buddy_node_result(node, result));
  }
  std::string Sum(const buddy_value *a, const buddy_value *b) {
    return Type("aten.add.Tensor", {{"self", ArgTensor(a)}, {"other", ArgTensor(b)}});
  }
};

TEST_F(InferTest, ShapesAreBroadcast) {
  const int64_t s0 = Symbol("s0"), s1 = Symbol("s1"), u0 = Symbol("u0", 0);
  EXPECT_EQ(Sum(Input("a", {4, 1, 3}), Input("b", {5, 1})), "f32[4,5,3]");
  EXPECT_EQ(Sum(Input("c", {}), Input("d", {2})), "f32[2]");
  EXPECT_EQ(Sum(Input("e", {s0, 1}), Input("f", {1, s0})), "f32[s0,s0]");
  EXPECT_EQ(Sum(Input("g", {s0}), Input("h", {7})), "f32[7]") << "s0 must be 7, or 1";
  EXPECT_EQ(Sum(Input("i", {s0}), Input("j", {s1})), "f32[s0]")
      << "both are at least 2, so they are equal";
  EXPECT_EQ(Sum(Input("k", {0}), Input("l", {1})), "f32[0]");
  EXPECT_EQ(
      Sum(Input("m", {2}), Input("n", {3})),
      "aten.add.Tensor: the result types cannot be inferred: the sizes 2 and 3 do not broadcast\n");
  EXPECT_EQ(Sum(Input("o", {s0}), Input("p", {u0})),
            "aten.add.Tensor: the result types cannot be inferred: the sizes s0 and u0 do not "
            "broadcast\n");
}

TEST_F(InferTest, NoShapeIsLargerThanMemory) {
  const int64_t many = int64_t{1} << 25;
  EXPECT_EQ(Sum(Input("a", {many, 1}), Input("b", {1, 4})), "f32[33554432,4]");
  EXPECT_EQ(Sum(Input("c", {many, 1}), Input("d", {1, many})),
            "aten.add.Tensor: the result types cannot be inferred: result 0 has more than 2^48 "
            "elements\n");
  EXPECT_EQ(Sum(Input("e", {0, many, 1}), Input("f", {1, 1, many})),
            "aten.add.Tensor: the result types cannot be inferred: result 0 has more than 2^48 "
            "elements\n");
}

TEST_F(InferTest, DtypesArePromoted) {
  const buddy_value *f32 = Input("f32", {2}), *i64 = Input("i64", {2}, BUDDY_I64),
                    *f16 = Input("f16", {2}, BUDDY_F16), *zero_dim = Input("z", {}, BUDDY_F64),
                    *i1 = Input("i1", {2}, BUDDY_BOOL), *u16 = Input("u16", {2}, BUDDY_U16),
                    *i32_0 = Input("i32_0", {}, BUDDY_I32);
  EXPECT_EQ(Sum(i64, f16), "f16[2]");
  EXPECT_EQ(Sum(f32, zero_dim), "f32[2]") << "0-d tensors do not widen";
  EXPECT_EQ(Sum(i64, zero_dim), "f64[2]") << "but they lift the category";
  EXPECT_EQ(Sum(i1, i32_0), "i32[2]");
  EXPECT_EQ(Sum(i64, u16),
            "aten.add.Tensor: the result types cannot be inferred: the dtypes of the arguments "
            "have no common dtype\n");
  EXPECT_EQ(Type("aten.add.Tensor", {{"self", ArgTensor(i64)}, {"other", ArgFloat(0.5)}}),
            "f32[2]");
  EXPECT_EQ(Type("aten.add.Tensor", {{"self", ArgTensor(f16)}, {"other", ArgFloat(0.5)}}),
            "f16[2]");
  EXPECT_EQ(Type("aten.add.Tensor", {{"self", ArgTensor(i1)}, {"other", ArgInt(1)}}), "i64[2]");
  EXPECT_EQ(Type("aten.mul.Scalar", {{"self", ArgTensor(i64)}, {"other", ArgFloat(2)}}), "f32[2]");
  EXPECT_EQ(
      Type("aten.where.self",
           {{"condition", ArgTensor(i1)}, {"self", ArgTensor(f16)}, {"other", ArgTensor(f16)}}),
      "f16[2]");
}

TEST_F(InferTest, OpsHaveRulesOfTheirOwn) {
  const buddy_value *f16 = Input("f16", {2}, BUDDY_F16), *i64 = Input("i64", {2}, BUDDY_I64),
                    *c64 = Input("c64", {2}, BUDDY_C64), *mask = Input("mask", {3, 1}, BUDDY_BOOL);
  EXPECT_EQ(Type("aten.eq.Tensor", {{"self", ArgTensor(f16)}, {"other", ArgInt(1)}}), "i1[2]");
  EXPECT_EQ(Type("aten.exp.default", {{"self", ArgTensor(i64)}}), "f32[2]");
  EXPECT_EQ(Type("aten.exp.default", {{"self", ArgTensor(f16)}}), "f16[2]");
  EXPECT_EQ(Type("aten.neg.default", {{"self", ArgTensor(i64)}}), "i64[2]");
  EXPECT_EQ(Type("aten.abs.default", {{"self", ArgTensor(c64)}}), "f32[2]");
  EXPECT_EQ(Type("aten.div.Tensor", {{"self", ArgTensor(i64)}, {"other", ArgInt(2)}}), "f32[2]");
  EXPECT_EQ(
      Type("aten.div.Tensor_mode",
           {{"self", ArgTensor(i64)}, {"other", ArgInt(2)}, {"rounding_mode", ArgString("floor")}}),
      "i64[2]");
  EXPECT_EQ(Type("aten.masked_fill.Scalar",
                 {{"self", ArgTensor(i64)}, {"mask", ArgTensor(mask)}, {"value", ArgFloat(0.5)}}),
            "i64[3,2]");
  EXPECT_EQ(
      Type("aten._to_copy.default", {{"self", ArgTensor(i64)}, {"dtype", ArgDtype(BUDDY_BF16)}}),
      "bf16[2]");
  EXPECT_EQ(Type("aten._to_copy.default", {{"self", ArgTensor(i64)}}), "i64[2]");
  EXPECT_EQ(Type("aten.softmax.int",
                 {{"self", ArgTensor(f16)}, {"dim", ArgInt(0)}, {"dtype", ArgDtype(BUDDY_F32)}}),
            "f32[2]");
  EXPECT_EQ(Type("aten.view.default", {{"self", ArgTensor(f16)}, {"size", ArgInts({2})}}),
            "f16[2]");
  EXPECT_EQ(Type("test.join.default", {{"tensors", ArgTensors({f16, f16})}}),
            "test.join.default: the result types cannot be inferred: there is no rule for "
            "test.join.default\n");
  EXPECT_EQ(Type("aten.add.Tensor", {{"self", ArgInt(1)}, {"other", ArgInt(1)}}),
            "aten.add.Tensor: the result types cannot be inferred: no argument is a tensor\n");
}

TEST_F(InferTest, Reductions) {
  const int64_t s0 = Symbol("s0");
  const buddy_value *x = Input("x", {s0, 3, 4}), *i32 = Input("i32", {2, 3}, BUDDY_I32),
                    *zero_dim = Input("z", {});
  const auto sum = [&](const buddy_value *value, const buddy_arg &dim, bool keeps) {
    return Type("aten.sum.dim_IntList",
                {{"self", ArgTensor(value)}, {"dim", dim}, {"keepdim", ArgBool(keeps)}});
  };
  EXPECT_EQ(sum(x, ArgInts({-1}), false), "f32[s0,3]");
  EXPECT_EQ(sum(x, ArgInts({0, -1}), true), "f32[1,3,1]");
  EXPECT_EQ(sum(x, ArgNone(), false), "f32[]");
  EXPECT_EQ(sum(x, ArgInts({}), true), "f32[1,1,1]");
  EXPECT_EQ(sum(i32, ArgInts({0}), false), "i64[3]");
  EXPECT_EQ(sum(zero_dim, ArgInts({-1}), false), "f32[]");
  EXPECT_EQ(Type("aten.sum.dim_IntList",
                 {{"self", ArgTensor(i32)}, {"dim", ArgInts({0})}, {"dtype", ArgDtype(BUDDY_F16)}}),
            "f16[3]");
  EXPECT_EQ(Type("aten.mean.dim", {{"self", ArgTensor(x)}, {"dim", ArgInts({1})}}), "f32[s0,4]");
  EXPECT_EQ(Type("aten.max.dim", {{"self", ArgTensor(x)}, {"dim", ArgInt(2)}}, 0), "f32[s0,3]");
  EXPECT_EQ(Type("aten.max.dim", {{"self", ArgTensor(x)}, {"dim", ArgInt(2)}}, 1), "i64[s0,3]");
  EXPECT_EQ(Type("aten.max.default", {{"self", ArgTensor(i32)}}), "i32[]");
  EXPECT_EQ(Type("aten.max.other", {{"self", ArgTensor(i32)}, {"other", ArgFloat(1)}}), "f32[2,3]");
  EXPECT_EQ(Type("aten.any.default", {{"self", ArgTensor(x)}}), "i1[]");
  EXPECT_EQ(Type("aten.argmax.default",
                 {{"self", ArgTensor(x)}, {"dim", ArgInt(-1)}, {"keepdim", ArgBool(true)}}),
            "i64[s0,3,1]");
  const std::string wrong =
      "aten.sum.dim_IntList: the result types cannot be inferred: \"dim\" names a dim twice, or "
      "one "
      "that a tensor of rank 3 does not have\n";
  EXPECT_EQ(sum(x, ArgInts({3}), false), wrong);
  EXPECT_EQ(sum(x, ArgInts({-4}), false), wrong);
  EXPECT_EQ(sum(x, ArgInts({1, -2}), false), wrong);
  EXPECT_EQ(sum(x, ArgInts({s0}), false), wrong);
}

}  // namespace
