// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/symbols/contracts.h"

#include <array>
#include <cctype>

#include "tests/core/graph/contract_fixture.h"

namespace {

/* Ops of many families, as PyTorch declares them. */
const char *const declared[] = {
    "aten::mm(Tensor self, Tensor mat2) -> Tensor",
    "aten::bmm(Tensor self, Tensor mat2) -> Tensor",
    "aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] "
    "padding=0, "
    "int[1] dilation=1, int groups=1) -> Tensor",
    "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
    "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
    "Tensor",
    "aten::matmul(Tensor self, Tensor other) -> Tensor",
    "aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? "
    "bias=None, float eps=1e-05) -> Tensor",
    "aten::embedding(Tensor weight, Tensor indices) -> Tensor",
    "aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] "
    "dilation=1, bool ceil_mode=False) -> Tensor",
    "aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
    "ignore_index) -> (Tensor output, Tensor total_weight)",
    "aten::gather(Tensor self, int dim, Tensor index) -> Tensor",
    "aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    "aten::zeros(SymInt[] size) -> Tensor",
    "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    "aten::permute(Tensor self, int[] dims) -> Tensor",
    "aten::squeeze.dim(Tensor self, int dim) -> Tensor",
    "aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor",
    "aten::unbind.int(Tensor self, int dim=0) -> Tensor[]",
    "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
    "aten::upsample_nearest2d(Tensor self, SymInt[2] output_size) -> Tensor",
    "aten::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    "aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)",
    "aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)",
    "aten::exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    "aten::expand(Tensor self, SymInt[] size) -> Tensor",
    "aten::stack(Tensor[] tensors, int dim=0) -> Tensor",
    "aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor",
    "aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] "
    "padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> "
    "Tensor",
    "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value) -> Tensor",
    "aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int "
    "axis, int quant_min, int quant_max) -> Tensor",
    "aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
    "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
    "(Tensor "
    "result, Tensor LU, Tensor pivots, Tensor info)",
    "aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
    "aten::triangular_solve(Tensor self, Tensor A, bool upper=True) -> (Tensor solution, Tensor "
    "cloned_coefficient)",
    "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> "
    "Tensor",
    "aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
    "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
    "aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]",
    "aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
    "aten::diag(Tensor self, int diagonal=0) -> Tensor",
    "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
    "aten::linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)",
    "aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor "
    "S, Tensor Vh)",
    "aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
    "aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
    "aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
    "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
    "unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
    "aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)",
    "aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)",
    "aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
    "aten::glu(Tensor self, int dim=-1) -> Tensor",
    "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
    "aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    "aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    "aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> "
    "Tensor",
    "aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
    "aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None) "
    "-> "
    "Tensor",
    "aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, "
    "Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, "
    "Tensor, Tensor)",
};

class ContractTest : public ContractFixture {
 protected:
  ContractTest() { schemas.assign(std::begin(declared), std::end(declared)); }
};

TEST_F(ContractTest, TheTableIsSortedAndEveryTextIsWellFormed) {
  size_t n;
  const bd_contract *rows = bd_contracts(&n);
  ASSERT_GT(n, 500u);
  for (size_t i = 0; i < n; ++i) {
    if (i) {
      EXPECT_LT(strcmp(rows[i - 1].op, rows[i].op), 0) << rows[i].op;
    }
    int depth = 0;
    for (const char *at = rows[i].text ? rows[i].text : ""; *at; ++at) {
      depth += (*at == '[') - (*at == ']');
      const bool is_inside = isalnum(*at) || strchr("_,.#?!@&+-*/()$", *at);
      EXPECT_TRUE(depth == 0 || *at == '[' || is_inside) << rows[i].op << ": " << at;
      EXPECT_TRUE(depth == 0 || depth == 1) << rows[i].op;
    }
    EXPECT_EQ(depth, 0) << rows[i].op;
  }
}

TEST_F(ContractTest, RowsAreFoundByNameOverloadAndTwin) {
  const auto find = [](const char *op) { return bd_contract_find(op, BUDDY_KIND_OTHER); };
  ASSERT_NE(find("aten.squeeze.dim"), nullptr);
  EXPECT_EQ(find("aten.squeeze_copy.dim"), find("aten.squeeze.dim"));
  EXPECT_EQ(find("aten.view_copy.dtype"), find("aten.view.dtype"));
  EXPECT_NE(find("aten.view_copy.dtype"), find("aten.view_copy.default"));
  EXPECT_EQ(find("aten.scatter_.src"), find("aten.scatter.src"));
  EXPECT_EQ(find("vendor.product.default"), nullptr);
  EXPECT_NE(bd_contract_find("vendor.mine.default", BUDDY_KIND_ELEMENTWISE), nullptr);
}

TEST_F(ContractTest, WhatPyTorchTakesIsTaken) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> right = {
      {{"f32[2,3]", "f32[3,4]"}, "%r = aten.mm.default(self=%a, mat2=%b) : f32[2,4]"},
      {{"f32[3]", "f32[4,3]", "f32[4]"},
       "%r = aten.linear.default(input=%a, weight=%b, bias=%c) : f32[4]"},
      {{"f32[5,3]", "f32[3]"}, "%r = aten.linear.default(input=%a, weight=%b) : f32[5]"},
      {{"f32[1,4]", "f32[2,3]", "f32[3,4]"},
       "%r = aten.addmm.default(self=%a, mat1=%b, mat2=%c) : f32[2,4]"},
      {{"f32[7,1,2,3]", "f32[5,3,4]"},
       "%r = aten.matmul.default(self=%a, other=%b) : f32[7,5,2,4]"},
      {{"f32[3]", "f32[3]"}, "%r = aten.matmul.default(self=%a, other=%b) : f32[]"},
      {{"f32[2,3,4]", "f32[3,4]"},
       "%r = aten.layer_norm.default(input=%a, normalized_shape=[3,4], weight=%b) : f32[2,3,4]"},
      {{"f32[9,4]", "i64[]"}, "%r = aten.embedding.default(weight=%a, indices=%b) : f32[4]"},
      {{"f32[3,7,7]"},
       "%r = aten.max_pool2d.default(self=%a, kernel_size=[2,2], ceil_mode=true) : f32[3,4,4]"},
      {{"f32[3]", "i64[]"},
       "%r:2 = aten.nll_loss_forward.default(self=%a, target=%b, weight=none, reduction=0, "
       "ignore_index=-100) : f32[], f32[]"},
      {{"f32[]", "i64[5]"}, "%r = aten.gather.default(self=%a, dim=0, index=%b) : f32[5]"},
      {{"f32[]"}, "%r:2 = aten.sort.default(self=%a) : f32[], i64[]"},
      {{"f32[2,1,3]"}, "%r = aten.squeeze_copy.dim(self=%a, dim=-2) : f32[2,3]"},
      {{"f32[2,3]"}, "%r = aten.constant_pad_nd.default(self=%a, pad=[1,-2]) : f32[2,2]"},
      {{"f32[2,3]", "f32[3]"}, "%r = aten.add_.Tensor(self=%a, other=%b) : f32[2,3]"},
      {{"f32[2,3,3]", "f32[2,3,2]"},
       "%r = aten._chunk_cat.default(tensors=[%a, %b], dim=-1, num_chunks=3) : f32[2,3,3,2]"},
      {{"f32[2,3,3]", "f32[2,3]"},
       "%r = aten._chunk_cat.default(tensors=[%a, %b], dim=1, num_chunks=3) : f32[2,3,4]"},
      {{"f32[1,6,5]", "f32[6,2,3]"},
       "%r = aten.convolution.default(input=%a, weight=%b, bias=none, stride=[2], padding=[1], "
       "dilation=[1], transposed=true, output_padding=[1], groups=3) : f32[1,6,10]"},
      {{"f32[0,2,3,4]", "f32[0,2,5,7]", "f32[0,2,6,4]"},
       "%r = aten.scaled_dot_product_attention.default(query=%a, key=%b, value=%c) : f32[0,2,3,4]"},
      {{"f32[2,3,4]", "f32[2,5,7]", "f32[2,0,6]"},
       "%r = aten.scaled_dot_product_attention.default(query=%a, key=%b, value=%c) : f32[2,3,6]"},
      {{"f32[8,3]", "f32[3]", "i32[3]"},
       "%r = aten.fake_quantize_per_channel_affine.default(self=%a, scale=%b, zero_point=%c, "
       "axis=-1, quant_min=0, quant_max=255) : f32[8,3]"},
      /* a float that is computed beside a tensor */
      {{"f32[]", "f64[]"}, "%r = aten.div.Tensor(self=%a, other=%b) : f32[]"},
      {{"f64[]", "i64[4]"}, "%r = aten.div.Tensor(self=%a, other=%b) : f32[4]"},
      {{"f32[]", "f64[]"}, "%r = aten.div.Tensor(self=%a, other=%b) : f64[]"},
      {{"u8[]", "i64[]"}, "%r = aten.add.Tensor(self=%a, other=%b) : u8[]"},
      {{"i1[4]", "f64[]"}, "%r = aten.where.self(condition=%a, self=%b, other=%b) : f32[4]"},
      /* products of nothing */
      {{"bf16[0,2,3]", "f32[0,3,4]"}, "%r = aten.bmm.default(self=%a, mat2=%b) : f32[0,2,4]"},
  };
  for (const auto &[types, node] : right) EXPECT_EQ(Told(In(types), node), "") << node;
}

TEST_F(ContractTest, ContradictionsAreOneSentence) {
  EXPECT_EQ(
      Told(In({"f32[2,3]", "f32[5,4]"}), "%r = aten.mm.default(self=%a, mat2=%b) : f32[2,4]"),
      "aten.mm.default takes alike self[n,k] mat2[k,m] -> [n,m]; here it has self f32[2,3], mat2 "
      "f32[5,4]");
  EXPECT_EQ(
      Told(In({"f32[]", "f32[4,3]"}), "%r = aten.linear.default(input=%a, weight=%b) : f32[4]"),
      "aten.linear.default takes alike input[A,k] weight[m,k] bias<[A,m] -> [A,m] | alike "
      "input[A,k] "
      "weight[k] bias<[A] -> [A]; here it has input f32[], weight f32[4,3]");
  EXPECT_EQ(Told(In({"f32[2,3]"}), "%r = aten.exp.default(self=%a) : f32[]"),
            "result 0 is declared as f32[], which does not follow from self f32[2,3]");
  EXPECT_EQ(Told(In({"f32[2,3]"}), "%r:2 = aten.sort.default(self=%a, dim=2) : f32[2,3], i64[2,3]"),
            "argument \"dim\" names a dim that a tensor of rank 2 has not");
}

TEST_F(ContractTest, WhatPyTorchRefusesIsRefused) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"f32[3]", "f32[]"}, "%r = aten.matmul.default(self=%a, other=%b) : f32[]"},
      {{"f32[0,3]", "f64[3,4]"}, "%r = aten.mm.default(self=%a, mat2=%b) : f32[0,4]"},
      {{"f32[0]", "f64[0]"}, "%r = aten.dot.default(self=%a, tensor=%b) : f64[]"},
      {{"f64[4]", "f32[0,3]", "f32[3,4]"},
       "%r = aten.addmm.default(self=%a, mat1=%b, mat2=%c) : f64[0,4]"},
      {{"f32[]", "f64[1]"}, "%r = aten.div.Tensor(self=%a, other=%b) : f32[1]"},
      {{"f32[]", "f64[]"}, "%r = aten.div.Tensor(self=%a, other=%b) : bf16[]"},
      {{"f32[2,3,4]", "f32[4]"},
       "%r = aten.layer_norm.default(input=%a, normalized_shape=[3,4], weight=%b) : f32[2,3,4]"},
      {{"f32[7]"}, "%r = aten.max_pool2d.default(self=%a, kernel_size=[2,2]) : f32[3]"},
      {{"f32[3,7,7]"}, "%r = aten.max_pool2d.default(self=%a, kernel_size=[2,2,2]) : f32[3,3,3]"},
      {{"f32[3,7,7]"}, "%r = aten.max_pool2d.default(self=%a, kernel_size=[2,2]) : f32[3,4,4]"},
      {{"f32[2,2]", "i64[5]"}, "%r = aten.gather.default(self=%a, dim=0, index=%b) : f32[5]"},
      {{}, "%r = aten.zeros.default(size=[2,3]) : f32[3]"},
      {{"f32[2,3]"}, "%r = aten.permute.default(self=%a, dims=[0,0]) : f32[2,2]"},
      {{"f32[2,3]"}, "%r:3 = aten.unbind.int(self=%a) : f32[3], f32[3], f32[3]"},
      {{"f32[2,3]"}, "%r = aten.constant_pad_nd.default(self=%a, pad=[1,1,1,1,1,1]) : f32[4,5]"},
      {{"f32[2,3,4]"},
       "%r = aten.upsample_nearest2d.default(self=%a, output_size=[8,8]) : f32[2,8,8]"},
      {{"f32[2,3]"}, "%r = aten.expand.default(self=%a, size=[3]) : f32[3]"},
      {{"f32[2,3]"}, "%r = aten.expand.default(self=%a, size=[4,3]) : f32[4,3]"},
      {{"f32[2]", "f32[3]"}, "%r = aten.stack.default(tensors=[%a, %b]) : f32[2,2]"},
      {{"f32[2,3,3]", "f32[2,3]"},
       "%r = aten._chunk_cat.default(tensors=[%a, %b], dim=-1, num_chunks=3) : f32[2,3,4]"},
      {{"f32[2,3,3]", "f32[2,3]"},
       "%r = aten._chunk_cat.default(tensors=[%a, %b], dim=2, num_chunks=3) : f32[2,3,3,2]"},
      {{"f32[3]", "f32[2,3]"}, "%r = aten.add_.Tensor(self=%a, other=%b) : f32[3]"},
      {{"f32[3]", "f32[2,3]"}, "%r = aten.add_.Tensor(self=%a, other=%b) : f32[2,3]"},
      {{"f16[2,3]", "f32[3]"}, "%r = aten.add_.Tensor(self=%a, other=%b) : f32[2,3]"},
      {{"f32[8,3]"}, "%r = aten.fill_diagonal_.default(self=%a, fill_value=1) : f32[8,4]"},
      {{"c64[2,3]", "f32[3]"}, "%r = aten.sigmoid_.default(self=%a) : f32[2,3]"},
      {{"f32[2,3]", "f64[2,3]"}, "%r = aten.exp.out(self=%a, out=%b) : f32[2,3]"},
      {{"f32[2,3]"}, "%r = aten.exp.default(self=%a) : i64[2,3]"},
      {{"f32[2,3]"}, "%r:2 = aten.sort.default(self=%a) : f32[2,3], f32[2,3]"},
      {{"f32[2,3]"}, "%r = aten.permute.default(self=%a, dims=[1,0]) : c64[3,2]"},
      {{"f32[2,3]", "c64[3,4]"}, "%r = aten.mm.default(self=%a, mat2=%b) : f32[2,4]"},
      {{"f32[2,3]", "bf16[3,4]"}, "%r = aten.mm.default(self=%a, mat2=%b) : f32[2,4]"},
      {{"f32[2,3]", "f64[4,3]"}, "%r = aten.linear.default(input=%a, weight=%b) : f64[2,4]"},
      {{"f32[1,3,9]", "f16[4,3,3]"}, "%r = aten.conv1d.default(input=%a, weight=%b) : f32[1,4,7]"},
      {{"f32[2,3,4]", "f32[2,5,4]", "f32[2,7,6]"},
       "%r = aten.scaled_dot_product_attention.default(query=%a, key=%b, value=%c) : f32[2,3,6]"},
      {{"f32[8,3]", "f32[8]", "i32[8]"},
       "%r = aten.fake_quantize_per_channel_affine.default(self=%a, scale=%b, zero_point=%c, "
       "axis=1, quant_min=0, quant_max=255) : f32[8,3]"},
      {{"f32[]", "i64[1]", "f32[1]"},
       "%r = aten.index_fill.int_Tensor(self=%a, dim=0, index=%b, value=%c) : f32[]"},
  };
  for (const auto &[types, node] : wrong) EXPECT_NE(Told(In(types), node), "") << node;
}

/* What windows are made of is multiplied with sizes and with one another. */
TEST_F(ContractTest, NumbersAndSizesBeyondWhatCanBeComputedWithAreRefused) {
  const auto pool = [this](const std::string &rest) {
    return Told(In({"f32[1,8,8]"}),
                "%r = aten.max_pool2d.default(self=%a, " + rest + ") : f32[1,1,1]");
  };
  EXPECT_EQ(pool("kernel_size=[8,8], stride=[2147483647,1]"), "");
  EXPECT_EQ(pool("kernel_size=[8,8], stride=[2147483648,1]"),
            "argument \"stride\" is beyond 2147483647");
  EXPECT_EQ(pool("kernel_size=[65536,65536]"), "argument \"kernel_size\" is beyond 2147483647");
  EXPECT_EQ(pool("kernel_size=[8,8], padding=[-2147483648,0]"),
            "argument \"padding\" is beyond 2147483647");
  const auto mm = [this](const std::string &size) {
    return Told(In({"f32[" + size + "]", "f32[2,3]"}),
                "%r = aten.mm.default(self=%b, mat2=%b) : f32[2,3]");
  };
  EXPECT_NE(mm("4611686018427387904").find("more than 2^48 elements"), std::string::npos);
  EXPECT_NE(mm("2147483648,2147483648").find("more than 2^48 elements"), std::string::npos);
  EXPECT_NE(mm("4611686018427387904,0").find("more than 2^48 elements"), std::string::npos)
      << "strides are multiplied all the same";
}

TEST_F(ContractTest, SolutionsAreAsLongAsTheUnknowns) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> right = {
      {{"f32[3,3]", "f32[3]"}, "%r = aten.linalg_solve.default(A=%a, B=%b) : f32[3]"},
      {{"f32[2,3,3]", "f32[2,3]"}, "%r = aten.linalg_solve.default(A=%a, B=%b) : f32[2,3]"},
      {{"f32[2,3,3]", "f32[3,5]"}, "%r = aten.linalg_solve.default(A=%a, B=%b) : f32[2,3,5]"},
      {{"f32[2,1,3,3]", "f32[4,3,2]"},
       "%r:4 = aten._linalg_solve_ex.default(A=%a, B=%b) : f32[2,4,3,2], f32[2,1,3,3], i32[2,1,3], "
       "i32[2,1]"},
      {{"f32[3,3]", "f32[5,3]"},
       "%r = aten.linalg_solve.default(A=%a, B=%b, left=false) : f32[5,3]"},
      {{"f32[4,3,2]", "f32[3,3]"},
       "%r = aten.cholesky_solve.default(self=%a, input2=%b) : f32[4,3,2]"},
      {{"f32[3,2]", "f32[4,3,3]"},
       "%r:2 = aten.triangular_solve.default(self=%a, A=%b) : f32[4,3,2], f32[4,3,3]"},
      {{"f32[5,3]"}, "%r:2 = aten.linalg_qr.default(A=%a) : f32[5,3], f32[3,3]"},
      {{"f32[5,3]"}, "%r:2 = aten.linalg_qr.default(A=%a, mode=\"r\") : f32[0], f32[3,3]"},
  };
  for (const auto &[types, node] : right) EXPECT_EQ(Told(In(types), node), "") << node;
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"f32[2,1,3,3]", "f32[1,65536]"},
       "%r:4 = aten._linalg_solve_ex.default(A=%a, B=%b) : f32[2,4,3,2], f32[2,1,3,3], i32[2,1,3], "
       "i32[2,1]"},
      {{"f32[2,3,3]", "f32[4,3,2]"}, "%r = aten.linalg_solve.default(A=%a, B=%b) : f32[2,3,2]"},
      {{"f32[2,3,3]", "f32[2,3,2]"}, "%r = aten.linalg_solve.default(A=%a, B=%b) : f32[5,3,2]"},
      {{"f32[3,3]", "f32[5,3]"}, "%r = aten.linalg_solve.default(A=%a, B=%b) : f32[5,3]"},
      {{"f32[3,4]", "f32[3]"}, "%r = aten.linalg_solve.default(A=%a, B=%b) : f32[3]"},
      {{"f32[3,3]", "f32[3,2]"},
       "%r:4 = aten._linalg_solve_ex.default(A=%a, B=%b) : f32[3,2], f32[3,3], i32[7], i32[]"},
      {{"f32[4,3,2]", "f32[5,3,3]"},
       "%r = aten.cholesky_solve.default(self=%a, input2=%b) : f32[4,3,2]"},
      {{"f32[3,2]", "f32[4,3,3]"},
       "%r:2 = aten.triangular_solve.default(self=%a, A=%b) : f32[3,2], f32[4,3,3]"},
      {{"f32[5,3]"}, "%r:2 = aten.linalg_qr.default(A=%a) : f32[5,3], f32[4,3]"},
  };
  for (const auto &[types, node] : wrong) EXPECT_NE(Told(In(types), node), "") << node;
}

/* Of f32[3,5] there are 3 of everything; of f32[1,s0], which torch.export takes for 2 or more, the
 * archive says 1, and a run without columns has none. */
TEST_F(ContractTest, FactorsHaveAsManyPartsAsTheLesserSide) {
  const std::vector<std::array<const char *, 4>> factors = {
      {"%r:2 = aten.linalg_qr.default(A=%a) : ", "f32[3,3], f32[3,5]", "f32[3,5], f32[5,5]",
       "f32[1,1], f32[1,s0]"},
      {"%r:2 = aten.linalg_qr.default(A=%a, mode=\"r\") : ", "f32[0], f32[3,5]", "f32[0], f32[5,5]",
       "f32[0], f32[1,s0]"},
      {"%r:3 = aten.linalg_svd.default(A=%a, full_matrices=false) : ", "f32[3,3], f32[3], f32[3,5]",
       "f32[3,3], f32[3], f32[5,5]", "f32[1,1], f32[1], f32[1,s0]"},
      {"%r:3 = aten.linalg_svd.default(A=%a) : ", "f32[3,3], f32[3], f32[5,5]",
       "f32[3,3], f32[5], f32[5,5]", "f32[1,1], f32[1], f32[s0,s0]"},
      {"%r = aten.linalg_svdvals.default(A=%a) : ", "f32[3]", "f32[5]", "f32[1]"},
      {"%r:3 = aten.linalg_lu.default(A=%a) : ", "f32[3,3], f32[3,3], f32[3,5]",
       "f32[3,3], f32[3,5], f32[5,5]", "f32[1,1], f32[1,1], f32[1,s0]"},
      {"%r:2 = aten.linalg_lu_factor.default(A=%a) : ", "f32[3,5], i32[3]", "f32[3,5], i32[5]",
       "f32[1,s0], i32[1]"},
      {"%r:2 = aten.geqrf.default(self=%a) : ", "f32[3,5], f32[3]", "f32[3,5], f32[5]",
       "f32[1,s0], f32[1]"},
  };
  for (const auto &[node, right, wrong, symbolic] : factors) {
    EXPECT_EQ(Told(In({"f32[3,5]"}), std::string(node) + right), "") << node;
    EXPECT_NE(Told(In({"f32[3,5]"}), std::string(node) + wrong), "") << node;
    EXPECT_EQ(Told("  symbol s0 [0, inf]\n" + In({"f32[1,s0]"}), std::string(node) + symbolic), "")
        << node;
    EXPECT_EQ(guards, "min(s0,1) == 1") << node;
  }
  const char *complete = "%r:2 = aten.linalg_qr.default(A=%a, mode=\"complete\") : ";
  EXPECT_EQ(Told(In({"f32[3,2]"}), std::string(complete) + "f32[3,3], f32[3,2]"), "");
  EXPECT_NE(Told(In({"f32[3,2]"}), std::string(complete) + "f32[3,2], f32[2,2]"), "");
  const char *unpack = "%r:3 = aten.lu_unpack.default(LU_data=%a, LU_pivots=%b) : ";
  EXPECT_EQ(Told(In({"f32[3,5]", "i32[3]"}), std::string(unpack) + "f32[3,3], f32[3,3], f32[3,5]"),
            "");
  EXPECT_NE(Told(In({"f32[3,5]", "i32[5]"}), std::string(unpack) + "f32[3,3], f32[3,3], f32[3,5]"),
            "");
}

TEST_F(ContractTest, ADiagonalIsAsLongAsItsMatrixLetsItBe) {
  const auto guard = [&](const char *type, const std::string &node) {
    EXPECT_EQ(Told("  symbol s0 [0, 64]\n" + In({type}), "%r = aten." + node), "") << node;
    return guards;
  };
  const char *part = "f32[3,s0,4]";
  EXPECT_EQ(guard(part, "diagonal.default(self=%a, offset=-2) : f32[4,1]"), "min(s0,1) == 1");
  EXPECT_EQ(guard(part, "diagonal.default(self=%a) : f32[4,min(s0,3)]"), "");
  EXPECT_EQ(guard(part, "diagonal.default(self=%a, dim1=1, dim2=2) : f32[3,4]"), "min(s0,4) == 4");
  EXPECT_EQ(guard("f32[1,s0]", "diag.default(self=%a) : f32[1]"), "min(s0,1) == 1");
  EXPECT_EQ(guard("f32[s0]", "diag.default(self=%a, diagonal=-2) : f32[s0+2,s0+2]"), "");
  EXPECT_NE(Told(In({"f32[3,5]"}), "%r = aten.diag.default(self=%a) : f32[5]"), "");
  EXPECT_NE(Told(In({"f32[3]"}), "%r = aten.diag.default(self=%a, diagonal=1) : f32[3,3]"), "");
  EXPECT_NE(Told(In({"f32[3,5,2]"}), "%r = aten.diag.default(self=%a) : f32[3]"), "");
}

/* What forged archives showed: each ended the process in a row. */
TEST_F(ContractTest, WhatForgedArchivesSaid) {
  const std::string inputs = In({"f32[1,5]", "i64[2,1]"});
  const auto taken = [&](const char *args) {
    return Told(inputs, std::string("%r = aten.take_along_dim.default(") + args);
  };
  EXPECT_EQ(taken("self=%a, indices=%b, dim=0) : f32[2,5]"), "");
  EXPECT_EQ(taken("self=%a, indices=%b) : f32[2]"), "");
  EXPECT_NE(taken("self=%a, indices=%b, dim=0) : f32[2,4294967296]"), "");
  EXPECT_NE(taken("self=%a, indices=%b, dim=2) : f32[2,5]"), "");
  EXPECT_NE(taken("self=5, indices=%b, dim=0) : f32[2,5]"), "");
  EXPECT_EQ(Told(inputs,
                 "%r = aten.tensordot.default(self=%a, other=%a, dims_self=[-1], "
                 "dims_other=[1]) : f32[1,1]"),
            "");
  EXPECT_NE(Told(inputs,
                 "%r = aten.tensordot.default(self=%a, other=%a, dims_self=[1], "
                 "dims_other=[7]) : f32[1,1]"),
            "");
  EXPECT_EQ(Told(inputs,
                 "%r:2 = aten.broadcast_tensors.default(tensors=[%a, %b]) : f32[2,5], "
                 "i64[2,5]"),
            "");
  EXPECT_NE(Told(inputs,
                 "%r:2 = aten.broadcast_tensors.default(tensors=[%a, %b, %a, %b]) : "
                 "f32[2,5], i64[2,5]"),
            "");
}

/* Each made memory of the size that was declared, and read or wrote what the arguments say. */
TEST_F(ContractTest, SizesOfResultsFollowFromTheArguments) {
  struct {
    std::vector<std::string> inputs;
    std::string node;
    std::vector<std::string> right, wrong;
  } const cases[] = {
      {{"f32[7,16,12]"},
       "diag_embed.default(self=%a, offset=-1)",
       {"f32[7,16,13,13]"},
       {"f32[8,16,13,13]", "f32[7,16,12,12]", "f32[7,16,13]"}},
      {{"f32[7,5]"}, "diag_embed.default(self=%a, dim1=0, dim2=2)", {"f32[5,7,5]"}, {"f32[7,5,5]"}},
      {{"f32[7,6]"}, "glu.default(self=%a)", {"f32[7,3]"}, {"f32[7,6]", "f32[7,4]"}},
      {{"f32[7,6]"}, "glu.default(self=%a, dim=0)", {}, {"f32[3,6]"}},
      {{"f32[7,6]"}, "fft_fft.default(self=%a)", {"c64[7,6]"}, {"c64[7,5]"}},
      {{"f32[7,6]"},
       "fft_fft.default(self=%a, n=9, dim=0)",
       {"c64[9,6]"},
       {"c64[7,6]", "c64[7,9]"}},
      {{"f32[7,6]"}, "fft_rfft.default(self=%a)", {"c64[7,4]"}, {"c64[7,6]"}},
      {{"c64[7,6]"}, "fft_irfft2.default(self=%a)", {"f32[7,10]"}, {"f32[7,6]", "f32[6,10]"}},
      {{"c64[7,6]"}, "fft_irfft2.default(self=%a, s=[8,3])", {"f32[8,3]"}, {"f32[8,10]"}},
      {{"c64[7,6]"}, "fft_fftn.default(self=%a, s=[3])", {"c64[7,3]"}, {"c64[3,6]", "c64[7,6]"}},
      {{"c64[7,6]"}, "fft_fftn.default(self=%a, dim=[0,5])", {}, {"c64[7,6]"}},
      {{"c64[7,6]"},
       "_fft_c2r.default(self=%a, dim=[0,1], normalization=0, last_dim_size=9)",
       {"f32[7,9]"},
       {"f32[9,6]", "f32[9,9]"}},
      {{}, "arange.start_step(start=3, end=9, step=4)", {"i64[2]"}, {"i64[2147483648]", "i64[1]"}},
      {{}, "arange.start_step(start=9, end=3, step=-4)", {"i64[2]"}, {"i64[0]"}},
      {{},
       "arange.start_step(start=-1, end=2, step=9223372036854775807)",
       {"f32[1]", "i64[9]"},
       {"f32[2]"}},
      {{}, "arange.start_step(start=9, end=3, step=1)", {}, {"i64[0]", "i64[6]"}},
      {{}, "arange.start_step(start=0, end=9, step=0)", {}, {"i64[9]"}},
  };
  for (const auto &c : cases) {
    for (const std::string &type : c.right)
      EXPECT_EQ(Told(In(c.inputs), "%r = aten." + c.node + " : " + type), "") << c.node;
    for (const std::string &type : c.wrong)
      EXPECT_NE(Told(In(c.inputs), "%r = aten." + c.node + " : " + type), "") << c.node << type;
  }
  const auto chunks = [&](const char *types) {
    return Told(In({"f32[7,2]"}),
                std::string("%r:3 = aten.chunk.default(self=%a, chunks=3) : ") + types);
  };
  EXPECT_EQ(chunks("f32[3,2], f32[3,2], f32[1,2]"), "");
  EXPECT_NE(chunks("f32[3,2], f32[2,2], f32[2,2]"), "");
  EXPECT_NE(chunks("f32[3,2], i32[3,2], f32[1,2]"), "") << "parts have the dtype of the whole";
  EXPECT_NE(Told(In({"f32[1,5]", "i64[2,1]"}),
                 "%r:2 = aten.broadcast_tensors.default(tensors=[%a, %b]) : i64[2,5], i64[2,5]"),
            "");
}

/* f32[0] stands for a result that is not asked for, and for no other. */
TEST_F(ContractTest, ResultsAreUndefinedOnlyWhereTheMaskLeavesThemOut) {
  const auto backward = [&](const char *mask, const char *types) {
    return Told(In({"f32[2,3]", "f32[2,1]"}),
                std::string("%r:3 = aten.native_layer_norm_backward.default(grad_out=%a, input=%a, "
                            "normalized_shape=[3], mean=%b, rstd=%b, weight=none, bias=none, "
                            "output_mask=[") +
                    mask + "]) : " + types);
  };
  EXPECT_EQ(backward("true,false,false", "f32[2,3], f32[0], f32[0]"), "");
  EXPECT_EQ(backward("false,true,true", "f32[0], f32[3], f32[3]"), "");
  EXPECT_NE(backward("true,true,false", "f32[2,3], f32[0], f32[0]"), "");
  EXPECT_NE(Told(In({"f32[9]"}), "%r:2 = aten.sort.default(self=%a) : f32[9], i64[0]"), "");
  EXPECT_NE(Told(In({"f32[9]"}), "%r:2 = aten.sort.default(self=%a) : f32[9], f32[0]"), "");
}

/* PyTorch spreads nothing else: what is 1 in every run is that number for rows. */
TEST_F(ContractTest, WhatHasToBe1IsTheNumber1) {
  const auto guard = [&](const std::vector<std::string> &types, const std::string &node) {
    EXPECT_EQ(Told("  symbol s0 [0, 64]\n  symbol s1 [0, inf]\n" + In(types), node), "") << node;
    return guards;
  };
  EXPECT_EQ(guard({"f32[min(s0,1)]"}, "%r = aten.expand.default(self=%a, size=[4]) : f32[4]"),
            "min(s0,1) == 1");
  EXPECT_EQ(
      guard({"f32[min(s0,1)]", "f32[2,4]"}, "%r = aten.add_.Tensor(self=%b, other=%a) : f32[2,4]"),
      "min(s0,1) == 1");
  EXPECT_EQ(guard({"f32[s0]"}, "%r = aten.expand.default(self=%a, size=[4]) : f32[4]"), "s0 == 4")
      << "both are possible";
  EXPECT_EQ(guard({"f32[s0]", "f32[s0+1]"}, "%r = aten.add_.Tensor(self=%a, other=%b) : f32[s0]"),
            "s0 == s0+1, which aten.add_.Tensor needs and no run meets")
      << "no run meets it";
}

TEST_F(ContractTest, WhatIsPutInIsOfTheShapeOfItsPlace) {
  const auto diagonal = [&](const char *source) {
    return Told(In({"f32[3,5]", source}),
                "%r = aten.diagonal_scatter.default(self=%a, src=%b, offset=1) : f32[3,5]");
  };
  const auto row = [&](const char *source) {
    return Told(In({"f32[3,5]", source}),
                "%r = aten.select_scatter.default(self=%a, src=%b, dim=0, index=1) : f32[3,5]");
  };
  EXPECT_EQ(diagonal("f32[3]"), "");
  EXPECT_NE(diagonal("f32[4]"), "");
  EXPECT_NE(diagonal("f32[1]"), "");
  EXPECT_NE(diagonal("f32[]"), "");
  EXPECT_EQ(row("f32[5]"), "");
  EXPECT_NE(row("f32[6]"), "");
  EXPECT_NE(row("f32[1]"), "");
  EXPECT_NE(row("f32[1,5]"), "");
}

TEST_F(ContractTest, GroupsDivideTheChannels) {
  const auto convolution = [&](const char *in, const char *filter, const char *groups,
                               const char *to) {
    return Told(In({in, filter}),
                std::string("%r = aten.convolution.default(input=%a, weight=%b, bias=none, "
                            "stride=[1], padding=[0], "
                            "dilation=[1], transposed=false, output_padding=[0], groups=") +
                    groups + ") : " + to);
  };
  EXPECT_EQ(convolution("f32[1,6,5]", "f32[4,3,2]", "2", "f32[1,4,4]"), "");
  EXPECT_EQ(convolution("f32[1,92,5]", "f32[17,1,2]", "92", "f32[1,17,4]"),
            "the filter's first dim is no multiple of the groups");
  EXPECT_EQ(convolution("f32[1,6,5]", "f32[4,3,2]", "0", "f32[1,4,4]"), "0 groups of channels");
  EXPECT_EQ(convolution("f32[1,6,5]", "f32[4,3,2]", "-2", "f32[1,4,4]"), "-2 groups of channels");
  /* no channels in, none out */
  EXPECT_EQ(convolution("f32[1,0,5]", "f32[4,0,2]", "1", "f32[1,0,4]"), "");
  EXPECT_NE(convolution("f32[1,0,5]", "f32[4,0,2]", "1", "f32[1,4,4]"), "");
}

TEST_F(ContractTest, NumbersStandForTensorsThatBroadcast) {
  EXPECT_EQ(Told(In({"f32[2,3]"}), "%r = aten.add_.Tensor(self=%a, other=2) : f32[2,3]"), "");
  EXPECT_EQ(Told(In({"f32[2,3]"}), "%r = aten.mm.default(self=%a, mat2=2) : f32[2,3]"),
            "argument \"mat2\" is an int, the op takes a tensor");
  EXPECT_EQ(
      Told(In({"f32[2,3]"}), "%r = aten.gather.default(self=%a, dim=0, index=1.5) : f32[2,3]"),
      "argument \"index\" is a float, the op takes a tensor");
  EXPECT_EQ(Told(In({"f32[2,3]"}), "%r = aten.linear.default(input=true, weight=%a) : f32[2]"),
            "argument \"input\" is a bool, the op takes a tensor");
  EXPECT_EQ(Told(In({"f32[2,3]"}), "%r = aten.add_.Tensor(self=2, other=%a) : f32[2,3]"),
            "argument \"self\" is an int, the op takes a tensor");
  EXPECT_EQ(Told(In({"f32[2,3]"}), "%r = aten.set_.source_Tensor(self=%a, source=2) : f32[2,3]"),
            "argument \"source\" is an int, the op takes a tensor")
      << "of an op that has no contract, too";
}

TEST_F(ContractTest, SymbolicSizesAreRefusedOnlyIfTheyCanNeverBeEqual) {
  const std::string s = "  symbol s0 [2, 64]\n  symbol s1 [2, 64]\n";
  const auto mm = [&](const char *b, const char *to) {
    return Told(s + In({"f32[4,s0]", b}),
                std::string("%r = aten.mm.default(self=%a, mat2=%b) : ") + to);
  };
  EXPECT_EQ(mm("f32[s0,s1]", "f32[4,s1]"), "");
  EXPECT_EQ(mm("f32[s1,3]", "f32[4,3]"), "") << "the run will tell";
  EXPECT_EQ(mm("f32[7,3]", "f32[4,3]"), "");
  EXPECT_NE(mm("f32[s0+1,3]", "f32[4,3]"), "");
  EXPECT_NE(mm("f32[s0,3]", "f32[s0,4]"), "");
}

/* What two sizes are called is believed by rows: a run checks it. */
TEST_F(ContractTest, SizesThatOnlyARunCanTellAreGuarded) {
  const std::string symbols = "  symbol s0 [0, inf]\n  symbol s1 [0, inf]\n";
  const auto guards_of = [&](const std::vector<std::string> &types, const std::string &node) {
    EXPECT_EQ(Told(symbols + In(types), node), "") << node;
    return guards;
  };
  EXPECT_EQ(guards_of({"f32[s0,4]", "f32[s1,4]"}, "%r = aten.exp.default(self=%a) : f32[s1,4]"),
            "s0 == s1");
  EXPECT_EQ(
      guards_of({"f32[4,s0]", "f32[s1,4]"}, "%r = aten.mm.default(self=%a, mat2=%b) : f32[4,4]"),
      "s0 == s1");
  EXPECT_EQ(
      guards_of({"f32[4,s0]", "f32[3,4]"}, "%r = aten.mm.default(self=%a, mat2=%b) : f32[4,4]"),
      "s0 == 3");
  EXPECT_EQ(
      guards_of({"f32[s0]", "f32[s1]"}, "%r = aten.stack.default(tensors=[%a, %b]) : f32[2,s1]"),
      "s0 == s1");
  EXPECT_EQ(guards_of({"f32[s0,s0]", "f32[s1,4]"},
                      "%r = aten.linalg_solve.default(A=%a, B=%b, left=false) : f32[s1,4]"),
            "s0 == 4");
  EXPECT_EQ(
      guards_of({"f32[s0,1]", "f32[s1]"}, "%r = aten.add_.Tensor(self=%a, other=%b) : f32[s0,1]"),
      "s1 == 1");
  EXPECT_EQ(
      guards_of({"f32[s0]", "f32[s0]"}, "%r = aten.stack.default(tensors=[%a, %b]) : f32[2,s0]"),
      "");
  EXPECT_EQ(guards_of({"f32[s0,2]"}, "%r = aten.permute.default(self=%a, dims=[1,0]) : f32[2,s0]"),
            "");
}

TEST_F(ContractTest, EditedNodesAreVerifiedAnew) {
  const buddy_value *x = Input("x", {2, 3}), *y = Input("y", {4});
  buddy_node *node = buddy_value_node(Add("sum", x, x));
  ExpectSound();
  const buddy_arg other = ArgTensor(y);
  ASSERT_EQ(buddy_node_set_arg(node, 1, &other, diags), BUDDY_OK);
  EXPECT_EQ(buddy_graph_verify(graph, diags), BUDDY_VERIFY_FAILED);
}

}  // namespace
