// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/graph/contract_dtypes_test.cc: dtypes of results that no rule of promotion tells, and
// what an op in place may write. The types are those that PyTorch's own kernels and torch.export give.
#include "tests/core/graph/contract_fixture.h"

namespace {

struct Case {
  std::vector<std::string> inputs;
  std::string node;   // with a $ for the dtype of a result that is tried
  std::string right;  // dtypes that are taken; all others are refused
};

const char *const declared[] = {
    "aten::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    "aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)",
    "aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    "aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, "
    "int reduction=1) -> Tensor",
    "aten::chalf(Tensor self) -> Tensor",
    "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
    "aten::hash_tensor(Tensor self, int[1] dim=[], bool keepdim=False, int mode=0) -> Tensor",
    "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? "
    "bias, float eps) -> (Tensor, Tensor, Tensor)",
    "aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
    "SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
    "aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
    "running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, "
    "Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
    "aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] "
    "expand3, int[] sumdim, int unroll_dim=1) -> Tensor",
    "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> "
    "Tensor",
    "quantized_decomposed::choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float "
    "eps, ScalarType dtype) -> (Tensor, Tensor)",
    "quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, "
    "int quant_min, int quant_max, ScalarType dtype, ScalarType output_dtype) -> Tensor",
    "quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, int "
    "quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
};

class ContractDtypesTest : public ContractFixture {
 protected:
  ContractDtypesTest() { schemas.assign(std::begin(declared), std::end(declared)); }
  // Those of all dtypes for which the node is taken.
  std::string Taken(const Case &c) {
    std::string taken;
    for (const char *dtype : {"i1", "u8", "i8", "i32", "i64", "u64", "f16", "bf16", "f32", "f64",
                              "c32", "c64", "c128"}) {
      std::string node = c.node;
      for (size_t at; (at = node.find('$')) != std::string::npos;) node.replace(at, 1, dtype);
      if (Told(In(c.inputs), node).empty())
        taken += (taken.empty() ? "" : " ") + std::string(dtype);
    }
    return taken;
  }
};

TEST_F(ContractDtypesTest, NoOtherThanPyTorchGives) {
  const std::string l1 = "%r = aten.l1_loss.default(self=%a, target=%b) : $[]",
                    cosine =
                        "%r = aten.cosine_embedding_loss.default(input1=%a, input2=%b, "
                        "target=%c) : $[]",
                    chalf = "%r = aten.chalf.default(self=%a) : $[3]",
                    bincount = "%r = aten.bincount.default(self=%a, weights=%b) : $[4]",
                    trilinear =
                        "%r = aten._trilinear.default(i1=%a, i2=%a, i3=%a, expand1=ints[], "
                        "expand2=ints[], expand3=ints[], sumdim=[0]) : $[]",
                    layer =
                        "%r:3 = aten.native_layer_norm.default(input=%a, normalized_shape=[3], "
                        "weight=none, bias=none, eps=1.0e-05) : ",
                    group =
                        "%r:3 = aten.native_group_norm.default(input=%a, weight=none, "
                        "bias=none, N=2, C=3, HxW=1, group=3, eps=1.0e-05) : ",
                    batch =
                        "%r:5 = aten._native_batch_norm_legit_functional.default(input=%a, "
                        "weight=none, bias=none, running_mean=%b, running_var=%b, "
                        "training=true, momentum=0.1, eps=1.0e-05) : ",
                    choose =
                        "%r:2 = quantized_decomposed.choose_qparams.tensor(input=%a, "
                        "quant_min=0, quant_max=255, eps=1.0e-05, dtype=dtype(u8)) : ",
                    tensor =
                        "%r = quantized_decomposed.dequantize_per_tensor.default(input=%a, "
                        "scale=0.5, zero_point=0, quant_min=-128, quant_max=127, dtype=dtype(i8)";
  const std::vector<Case> cases = {
      {{"f32[3]", "bf16[3]"}, l1, "f32"},
      {{"c64[3]", "f64[3]"}, l1, "f64"},
      {{"i8[3]", "bf16[3]"}, l1, "bf16"},
      {{"i8[3]", "i32[3]"}, l1, "i32"},
      {{"bf16[2,3]", "bf16[2,3]", "f64[2]"}, cosine, "bf16"},
      {{"bf16[2,3]", "i64[2,3]", "bf16[2]"}, cosine, "f32"},
      {{"i64[2,3]", "f64[2,3]", "i64[2]"}, cosine, "f64"},
      {{"f64[3]"}, chalf, "c32"},
      {{"i1[3]"}, chalf, "c32"},
      {{"i8[3]", "f32[3]"}, bincount, "f32"},
      {{"i8[3]", "bf16[3]"}, bincount, "f64"},
      {{"i8[3]", "i64[3]"}, bincount, "f64"},
      {{"i8[3]"}, "%r = aten.bincount.default(self=%a) : $[4]", "i64"},
      {{"bf16[3]"}, "%r = aten.hash_tensor.default(self=%a) : $[]", "u64"},
      {{"f64[3]"}, trilinear, "f64"},
      {{"f32[3]", "f64[2]"}, "%r = aten.diff.default(self=%a, n=0, prepend=%b) : $[3]", "f32"},
      {{"f32[3]", "f64[2]"}, "%r = aten.diff.default(self=%a, n=1, prepend=%b) : $[4]", "f64"},
      // a kernel for 16 bits may have kept its sums in f32
      {{"bf16[2,3]"}, layer + "bf16[2,3], $[2,1], $[2,1]", "bf16 f32"},
      {{"f64[2,3]"}, layer + "f64[2,3], $[2,1], f64[2,1]", "f64"},
      {{"f32[2,3]"}, layer + "f32[2,3], f32[2,1], $[2,1]", "f32"},
      {{"f16[2,3]"}, group + "f16[2,3], f16[2,3], $[2,3]", "f16 f32"},
      {{"bf16[2,3]", "f64[3]"}, batch + "bf16[2,3], bf16[3], $[3], f64[3], f64[3]", "bf16 f32"},
      {{"bf16[2,3]", "f64[3]"}, batch + "bf16[2,3], bf16[3], bf16[3], $[3], f64[3]", "f64"},
      {{"bf16[2,3]", "f16[3]"}, batch + "bf16[2,3], bf16[3], bf16[3], f16[3], $[3]", "f16 f32"},
      {{"bf16[2,3]"}, choose + "$[1], i64[1]", "f64"},
      {{"f32[2,3]"}, choose + "f64[1], $[1]", "i64"},
      {{"i8[2,3]"}, tensor + ") : $[2,3]", "f32"},
      {{"i8[2,3]"}, tensor + ", out_dtype=dtype(bf16)) : $[2,3]", "bf16"},
      {{"i8[2,3]", "f64[2,1]", "i32[2,1]"},
       "%r = quantized_decomposed.dequantize_per_token.default(input=%a, scales=%b, "
       "zero_points=%c, quant_min=-128, quant_max=127, dtype=dtype(i8), output_dtype=dtype(f64)) : "
       "$[2,3]",
       "f64"},
  };
  for (const Case &c : cases) EXPECT_EQ(Taken(c), c.right) << c.node;
}

// A kind of numbers is not written to a lower one: "result type Float can't be cast to Long".
TEST_F(ContractDtypesTest, WhatIsComputedInPlaceFitsWhereItIsWritten) {
  const std::vector<const char *> kinds[] = {
      {"i1"}, {"u8", "i64"}, {"f16", "bf16", "f32", "f64"}, {"c64", "c128"}};
  const size_t n = std::size(kinds);
  for (size_t to = 0; to < n; ++to) {
    for (const char *self : kinds[to]) {
      for (size_t from = 0; from < n; ++from) {
        for (const char *other : kinds[from]) {
          const std::string type = self + std::string("[3]"),
                            node = "%r = aten.add_.Tensor(self=%a, other=%b) : " + type;
          EXPECT_EQ(Told(In({type, other + std::string("[3]")}), node).empty(), from <= to)
              << self << " += " << other;
          EXPECT_EQ(Told(In({type, other + std::string("[]")}), node).empty(), from <= to)
              << self << " += " << other << "[]";
        }
      }
      const std::string type = self + std::string("[3]"),
                        add = "%r = aten.add_.Tensor(self=%a, other=";
      EXPECT_EQ(Told(In({type}), add + "2) : " + type).empty(), to >= 1) << self;
      EXPECT_EQ(Told(In({type}), add + "0.5) : " + type).empty(), to >= 2) << self;
      EXPECT_EQ(Told(In({type}), "%r = aten.sigmoid_.default(self=%a) : " + type).empty(), to >= 2)
          << self;
    }
  }
}

}  // namespace
