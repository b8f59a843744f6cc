// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Results whose sizes are computed, and their dtypes: what PyTorch makes is taken, its neighbours are not. */
#include "tests/core/graph/contract_fixture.h"

namespace {

struct Case {
  std::vector<std::string> inputs;
  std::string node, right, wrong; /* right and wrong: types of the results */
};

class ContractResultsTest : public ContractFixture {
 protected:
  ContractResultsTest() {
    schemas = {
        "aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
        "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
        "stride) -> Tensor",
        "aten::vander(Tensor x, SymInt? N=None, bool increasing=False) -> Tensor",
        "aten::ravel(Tensor self) -> Tensor",
        "aten::nonzero(Tensor self) -> Tensor",
        "aten::block_diag(Tensor[] tensors) -> Tensor",
        "aten::cartesian_prod(Tensor[] tensors) -> Tensor",
        "aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]",
        "aten::column_stack(Tensor[] tensors) -> Tensor",
        "aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
        "aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor",
        "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) "
        "-> "
        "Tensor",
        "aten::linalg_multi_dot(Tensor[] tensors) -> Tensor",
        "aten::kron(Tensor self, Tensor other) -> Tensor",
        "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
        "aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
        "aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
        "window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? "
        "align_to_window=None) -> Tensor",
        "aten::tensor_split.sections(Tensor self, SymInt sections, int dim=0) -> Tensor[]",
        "aten::tensor_split.indices(Tensor self, SymInt[] indices, int dim=0) -> Tensor[]",
        "aten::hsplit.int(Tensor self, int sections) -> Tensor[]",
        "aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=None) -> Tensor",
        "aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=None) -> Tensor",
        "aten::view.dtype(Tensor self, ScalarType dtype) -> Tensor",
        "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool "
        "return_counts=False) -> (Tensor, Tensor, Tensor)",
        "aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) "
        "-> "
        "Tensor",
        "aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int "
        "num_layers, "
        "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
        "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? "
        "bias, float eps) -> (Tensor, Tensor, Tensor)",
        "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
        "Tensor",
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        "aten::angle(Tensor self) -> Tensor",
        "aten::zeros(SymInt[] size, *, ScalarType? dtype=None) -> Tensor",
        "aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False) "
        "-> "
        "Tensor",
        "aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
        "aten::complex(Tensor real, Tensor imag) -> Tensor",
        "aten::trace(Tensor self) -> Tensor",
        "aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, "
        "*, "
        "ScalarType? dtype=None) -> Tensor",
    };
  }
  void Expect(const std::vector<Case> &cases, const std::string &symbols = "") {
    for (const Case &one : cases) {
      EXPECT_EQ(Told(symbols + In(one.inputs), one.node + " : " + one.right), "") << one.node;
      if (one.wrong.empty()) continue;
      EXPECT_NE(Told(symbols + In(one.inputs), one.node + " : " + one.wrong), "") << one.node;
    }
  }
};

TEST_F(ContractResultsTest, SizesAreComputedFromArguments) {
  Expect({
      {{"f32[2,12,3,4]"},
       "%r = aten.pixel_shuffle.default(self=%a, upscale_factor=2)",
       "f32[2,3,6,8]",
       "f32[2,3,6,9]"},
      {{"f32[2,3,5,6]"},
       "%r = aten.im2col.default(self=%a, kernel_size=[2,3], dilation=[1,2], padding=[0,1], "
       "stride=[1,2])",
       "f32[2,18,8]",
       "f32[2,18,9]"},
      {{"f32[3,5,6]"},
       "%r = aten.im2col.default(self=%a, kernel_size=[2,2], dilation=[1,1], padding=[0,0], "
       "stride=[1,1])",
       "f32[12,20]",
       "f32[12,19]"},
      {{"f32[3]"}, "%r = aten.vander.default(x=%a)", "f32[3,3]", "f32[3,4]"},
      {{"f32[3]"}, "%r = aten.vander.default(x=%a, N=5)", "f32[3,5]", "f32[3,3]"},
      {{"f32[3,4]"}, "%r = aten.ravel.default(self=%a)", "f32[12]", "f32[13]"},
      {{"f32[3,4]"}, "%r = aten.nonzero.default(self=%a)", "i64[5,2]", "i64[5,3]"},
      {{"f32[4]"},
       "%r:3 = aten.tensor_split.sections(self=%a, sections=3)",
       "f32[2], f32[1], f32[1]",
       "f32[1], f32[2], f32[1]"},
      {{"f32[4]"},
       "%r:3 = aten.tensor_split.indices(self=%a, indices=[1,-1])",
       "f32[1], f32[2], f32[1]",
       "f32[1], f32[1], f32[2]"},
      {{"f32[4]"},
       "%r:3 = aten.tensor_split.indices(self=%a, indices=[3,1])",
       "f32[3], f32[0], f32[3]",
       "f32[3], f32[1], f32[3]"},
      {{"f32[2,4]"},
       "%r:2 = aten.hsplit.int(self=%a, sections=2)",
       "f32[2,2], f32[2,2]",
       "f32[1,4], f32[1,4]"},
      {{"f32[4]"},
       "%r:2 = aten.hsplit.int(self=%a, sections=2)",
       "f32[2], f32[2]",
       "f32[2], f32[3]"},
      {{}, "%r = aten.tril_indices.default(row=3, col=4, offset=1)", "i64[2,9]", "i64[2,8]"},
      {{}, "%r = aten.triu_indices.default(row=3, col=4, offset=-1)", "i64[2,11]", "i64[2,10]"},
      {{"f32[2,4]"}, "%r = aten.view.dtype(self=%a, dtype=dtype(f64))", "f64[2,2]", "f64[2,4]"},
      {{"f32[2,4]"}, "%r = aten.view.dtype(self=%a, dtype=dtype(i16))", "i16[2,8]", "i16[2,4]"},
      {{"f32[2,4]"},
       "%r:3 = aten.unique_dim.default(self=%a, dim=1)",
       "f32[2,3], i64[4], i64[3]",
       "f32[1,3], i64[4], i64[3]"},
      {{"f32[1,2,3,5]"},
       "%r = aten.upsample_nearest2d.vec(input=%a, output_size=none, scale_factors=[2.0,1.5])",
       "f32[1,2,6,7]",
       "f32[1,2,6,8]"},
      {{"f32[7,2,3]", "f32[2,2,4]"},
       "%r:2 = aten.gru.input(input=%a, hx=%b, params=tensors[], has_biases=true, num_layers=1, "
       "dropout=0.0, train=false, bidirectional=true, batch_first=false)",
       "f32[7,2,8], f32[2,2,4]",
       "f32[7,2,4], f32[2,2,4]"},
      {{"f32[5,3,4]"},
       "%r:3 = aten.native_layer_norm.default(input=%a, normalized_shape=[3,4], weight=none, "
       "bias=none, eps=0.1)",
       "f32[5,3,4], f32[5,1,1], f32[5,1,1]",
       "f32[5,3,4], f32[5,1,1], f32[5,3,1]"},
  });
}

TEST_F(ContractResultsTest, WhatSeveralTensorsMake) {
  Expect({
      {{"f32[2,3]", "f32[4]", "f32[]"},
       "%r = aten.block_diag.default(tensors=[%a, %b, %c])",
       "f32[4,8]",
       "f32[4,7]"},
      {{"f32[2]", "f32[4]"},
       "%r = aten.cartesian_prod.default(tensors=[%a, %b])",
       "f32[8,2]",
       "f32[8,3]"},
      {{"f32[2]"}, "%r = aten.cartesian_prod.default(tensors=[%a])", "f32[2]", "f32[2,1]"},
      {{"f32[2]", "f32[4]"},
       "%r:2 = aten.meshgrid.indexing(tensors=[%a, %b], indexing=\"xy\")",
       "f32[4,2], f32[4,2]",
       "f32[2,4], f32[2,4]"},
      {{"f32[2]", "f32[2,3]"},
       "%r = aten.column_stack.default(tensors=[%a, %b])",
       "f32[2,4]",
       "f32[2,5]"},
      {{"f32[2,1,3]", "f32[4,3]"},
       "%r = aten.linalg_vecdot.default(x=%a, y=%b)",
       "f32[2,4]",
       "f32[2,1]"},
      {{"f32[2,5]", "f32[2,1]"},
       "%r = aten.diff.default(self=%a, n=2, prepend=%b)",
       "f32[2,4]",
       "f32[2,5]"},
      {{"f32[2,5]"}, "%r = aten.diff.default(self=%a, n=9)", "f32[2,0]", "f32[2,1]"},
      {{"f32[2]", "f32[2,3]", "f32[3]"},
       "%r = aten.linalg_multi_dot.default(tensors=[%a, %b, %c])",
       "f32[]",
       "f32[1]"},
      {{"f32[4,2]", "f32[2,3]"},
       "%r = aten.linalg_multi_dot.default(tensors=[%a, %b])",
       "f32[4,3]",
       "f32[4,2]"},
      {{"f32[2,3]", "f32[4]"},
       "%r = aten.kron.default(self=%a, other=%b)",
       "f32[2,12]",
       "f32[8,12]"},
      {{"f32[2,3,4]", "f32[4,5,2]"},
       "%r = aten.tensordot.default(self=%a, other=%b, dims_self=[2,0], dims_other=[0,2])",
       "f32[3,5]",
       "f32[3,4]"},
      {{"f32[2,3]", "f32[3,4]"},
       "%r = aten.einsum.default(equation=\"ij,jk->ki\", tensors=[%a, %b])",
       "f32[4,2]",
       "f32[2,4]"},
      {{"f32[7,1,3]", "f32[5,3]"},
       "%r = aten.einsum.default(equation=\"...j, ...j\", tensors=[%a, %b])",
       "f32[7,5]",
       "f32[7,1]"},
      {{"f32[3,3]"}, "%r = aten.einsum.default(equation=\"ii\", tensors=[%a])", "f32[]", "f32[3]"},
      {{"f32[3,4]"},
       "%r = aten.einsum.default(equation=\"ba\", tensors=[%a])",
       "f32[4,3]",
       "f32[3,4]"},
      {{"f32[2,100]"},
       "%r = aten.stft.default(self=%a, n_fft=16, hop_length=4, return_complex=true)",
       "c64[2,9,22]",
       "c64[2,9,21]"},
      {{"f32[100]"},
       "%r = aten.stft.default(self=%a, n_fft=16, onesided=false, return_complex=false)",
       "f32[16,22,2]",
       "c64[16,22]"},
  });
  for (const char *equation : {"ij,kj->ik", "ijk,jk", "ij->j", "i,jk->k", "ij,jk->il", "i*,jk"}) {
    const std::string node = "%r = aten.einsum.default(equation=\"" + std::string(equation) +
                             "\", tensors=[%a, %b]) : f32[2,4]";
    EXPECT_NE(Told(In({"f32[2,3]", "f32[3,4]"}), node), "") << equation;
  }
}

TEST_F(ContractResultsTest, SymbolicSizesAreComputedToo) {
  Expect(
      {
          {{"f32[s0,12,s1,4]"},
           "%r = aten.pixel_shuffle.default(self=%a, upscale_factor=2)",
           "f32[s0,3,2*s1,8]",
           "f32[s0,3,2*s1+1,8]"},
          {{"f32[s0,3]"}, "%r = aten.ravel.default(self=%a)", "f32[3*s0]", "f32[3*s0+1]"},
          {{"f32[s0]", "f32[s1,2]"},
           "%r = aten.block_diag.default(tensors=[%a, %b])",
           "f32[s1+1,s0+2]",
           "f32[s1+1,s0+3]"},
          {{"f32[s0,3]", "f32[3,s1]"},
           "%r = aten.einsum.default(equation=\"ij,jk\", tensors=[%a, %b])",
           "f32[s0,s1]",
           "f32[s0,s1+1]"},
      },
      "  symbol s0 [0, inf]\n  symbol s1 [0, inf]\n");
}

TEST_F(ContractResultsTest, DtypesFollowFromArguments) {
  Expect({
      {{"f32[2]", "f64[2]"}, "%r = aten.add.Tensor(self=%a, other=%b)", "f64[2]", "f32[2]"},
      {{"f32[2]", "f64[]"}, "%r = aten.add.Tensor(self=%a, other=%b)", "f32[2]", "f64[2]"},
      {{"i64[2]"}, "%r = aten.add.Tensor(self=%a, other=1)", "i64[2]", "f32[2]"},
      {{"i64[2]"}, "%r = aten.add.Tensor(self=%a, other=0.5)", "f32[2]", "i64[2]"},
      {{"i64[2]"},
       "%r = aten.add.Tensor(self=%a, other=0.5)",
       "f64[2]",
       "f16[2,1]"}, /* the default dtype may be f64 */
      {{"f16[2]", "f16[2,3]", "f16[3,2]"},
       "%r = aten.addmm.default(self=%a, mat1=%b, mat2=%c)",
       "f16[2,2]",
       "f32[2,2]"},
      {{"f32[2]", "i64[2]"}, "%r = aten.cat.default(tensors=[%a, %b])", "f32[4]", "i64[4]"},
      {{"f32[2]", "i64[2]"}, "%r = aten.cat.default(tensors=[%a, %b])", "f32[4]", "f64[4]"},
      {{"c128[2]"}, "%r = aten.angle.default(self=%a)", "f64[2]", "c128[2]"},
      {{}, "%r = aten.zeros.default(size=[2], dtype=dtype(i32))", "i32[2]", "i64[2]"},
      {{}, "%r = aten.zeros.default(size=[2])", "f64[2]", ""},
      {{"f32[4]", "f32[2]"},
       "%r = aten.searchsorted.Tensor(sorted_sequence=%a, self=%b)",
       "i64[2]",
       "i32[2]"},
      {{"f32[4]", "f32[2]"},
       "%r = aten.searchsorted.Tensor(sorted_sequence=%a, self=%b, out_int32=true)",
       "i32[2]",
       "i64[2]"},
      {{"f32[4]"}, "%r = aten.float_power.Scalar(self=2, exponent=%a)", "f64[4]", "f32[4]"},
      {{"f32[4]", "f32[4]"}, "%r = aten.complex.default(real=%a, imag=%b)", "c64[4]", "f32[4]"},
      {{"i32[4,4]"}, "%r = aten.trace.default(self=%a)", "i64[]", "i32[]"},
      {{"c64[4]"},
       "%r = aten.linalg_vector_norm.default(self=%a, dtype=dtype(c128))",
       "f64[]",
       "c128[]"},
      {{"f32[2,100]"},
       "%r = aten.stft.default(self=%a, n_fft=16, hop_length=4, return_complex=true)",
       "c64[2,9,22]",
       "f32[2,9,22]"},
  });
}

// What is a number is held to its limits also where other sizes are known in the run alone.
TEST_F(ContractResultsTest, TrianglesAreWithinLimits) {
  const std::string row = "  symbol s0 [0, 40]\n" + In({"f32[s0]"});
  const std::string triangle = "%r = aten.triu_indices.default(row={s0}, col=4, offset=";
  EXPECT_EQ(Told(row, triangle + "1) : i64[2,6]"), "");
  EXPECT_NE(Told(row, triangle + "9223372036854775807) : i64[2,6]").find("2^31 - 1"),
            std::string::npos);
  EXPECT_NE(Told(row, triangle + "-4294967296) : i64[2,6]").find("2^31 - 1"), std::string::npos);
  EXPECT_NE(Told("", "%r = aten.tril_indices.default(row=4, col=2147483648) : i64[2,10]")
                .find("2^31 - 1"),
            std::string::npos);
}

}  // namespace
