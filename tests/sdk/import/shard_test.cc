// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/shard.h"

#include <set>

#include "tests/sdk/import/archive_builder.h"

namespace {

// What tests/dist runs as processes is looked at here as graphs: what each rank is to compute, for
// every rank of several numbers of them.
class ShardTest : public ImportTest {
 protected:
  // The lines of the program of that rank, without the frame; "failed" where it cannot be cut.
  std::vector<std::string> Cut(const std::string &text, size_t n_ranks, size_t rank,
                               const char *plan = nullptr) {
    Close();
    buddy_diags_clear(diags);
    const std::string whole = "graph @f {\n" + text + "}\n";
    EXPECT_EQ(buddy_graph_parse(opset, {whole.data(), whole.size()}, diags, &graph), BUDDY_OK)
        << Said() << whole;
    const buddy_shard_options options = {sizeof options, n_ranks, rank, plan};
    code = graph ? buddy_graph_shard(graph, &options, diags) : BUDDY_INTERNAL;
    std::vector<std::string> lines;
    const std::string out = code == BUDDY_OK ? Print() : "failed\n";
    for (size_t at = 0, end; (end = out.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string line = out.substr(at, end - at);
      if (line != "graph @f {" && line != "}")
        lines.push_back(line.substr(line.find_first_not_of(' ')));
    }
    return lines;
  }

  static size_t Count(const std::vector<std::string> &lines, const std::string &what) {
    size_t n = 0;
    for (const std::string &line : lines) n += line.find(what) != std::string::npos;
    return n;
  }

  // The collectives in their order, each with the type of its result, without the rank: all ranks
  // have to make the same ones.
  static std::string Collectives(const std::vector<std::string> &lines) {
    std::string all;
    for (const std::string &line : lines) {
      const size_t at = line.find("_c10d_functional.");
      if (at == std::string::npos) continue;
      all += line.substr(at + 17, line.find('(', at) - at - 17) + line.substr(line.rfind(" : ")) +
             "\n";
    }
    return all;
  }

  // Of the lines of one rank: the type of the value.
  static std::string TypeOf(const std::vector<std::string> &lines, const std::string &value) {
    for (const std::string &line : lines) {
      const bool is_it =
          line.find(value + " ") != std::string::npos && line.find(value + " ") <= line.find(" : ");
      if (is_it && line.rfind("output", 0) != 0) return line.substr(line.rfind(" : ") + 3);
    }
    return "";
  }

  buddy_code code = BUDDY_OK;
};

constexpr const char *kPlan = R"({"up": "colwise", "down": "rowwise"})";

// A product by columns whose result is %u : f32[2,6,24], `middle`, which makes %v of it, a product by
// rows.
std::string Between(const std::string &middle, const std::string &sizes = "2,6") {
  return "input %x : f32[" + sizes +
         ",16]\n"
         "parameter %w \"up.weight\" : f32[24,16]\n"
         "parameter %b \"up.bias\" : f32[24]\n"
         "parameter %row \"row\" : f32[24]\n"
         "parameter %grid \"grid\" : f32[6,1]\n"
         "parameter %places \"places\" : i64[6]\n"
         "parameter %wd \"down.weight\" : f32[5,24]\n"
         "parameter %bd \"down.bias\" : f32[5]\n"
         "%u = aten.linear.default(input=%x, weight=%w, bias=%b) : f32[" +
         sizes + ",24]\n" + middle +
         "%d = aten.linear.default(input=%v, weight=%wd, bias=%bd) : f32[" + sizes +
         ",5]\n"
         "output %d\n";
}

struct Middle {
  const char *name, *text;
  size_t n_gathers;  // on the way, where the inner dim is cut
};

const Middle kMiddles[] = {
    {"nothing", "%v = aten.clone.default(self=%u) : f32[2,6,24]\n", 0},
    {"elementwise", "%v = aten.gelu.default(self=%u) : f32[2,6,24]\n", 0},
    {"broadcast",
     "%r = aten.mul.Tensor(self=%u, other=%row) : f32[2,6,24]\n"
     "%v = aten.add.Tensor(self=%r, other=%grid) : f32[2,6,24]\n",
     0},
    {"where",
     "%c = aten.gt.Scalar(self=%u, other=0) : i1[2,6,24]\n"
     "%v = aten.where.self(condition=%c, self=%u, other=%row) : f32[2,6,24]\n",
     0},
    {"heads",
     "%h = aten.view.default(self=%u, size=[2, 6, 12, 2]) : f32[2,6,12,2]\n"
     "%t = aten.transpose.int(self=%h, dim0=1, dim1=2) : f32[2,12,6,2]\n"
     "%s = aten.softmax.int(self=%t, dim=2) : f32[2,12,6,2]\n"
     "%q = aten.permute.default(self=%s, dims=[0, 2, 1, 3]) : f32[2,6,12,2]\n"
     "%v = aten.view.default(self=%q, size=[2, 6, 24]) : f32[2,6,24]\n",
     0},
    {"negative dims",
     "%h = aten.unflatten.int(self=%u, dim=-1, sizes=[12, 2]) : f32[2,6,12,2]\n"
     "%t = aten.transpose.int(self=%h, dim0=-3, dim1=-2) : f32[2,12,6,2]\n"
     "%s = aten.softmax.int(self=%t, dim=-1) : f32[2,12,6,2]\n"
     "%q = aten.transpose.int(self=%s, dim0=-3, dim1=-2) : f32[2,6,12,2]\n"
     "%v = aten.flatten.using_ints(self=%q, start_dim=-2, end_dim=-1) : f32[2,6,24]\n",
     0},
    {"attention",
     "%h = aten.view.default(self=%u, size=[2, 6, 12, 2]) : f32[2,6,12,2]\n"
     "%t = aten.transpose.int(self=%h, dim0=1, dim1=2) : f32[2,12,6,2]\n"
     "%s = aten.scaled_dot_product_attention.default(query=%t, key=%t, value=%t, is_causal=true) : "
     "f32[2,12,6,2]\n"
     "%q = aten.transpose.int(self=%s, dim0=1, dim1=2) : f32[2,6,12,2]\n"
     "%v = aten.view.default(self=%q, size=[2, 6, 24]) : f32[2,6,24]\n",
     0},
    {"one becomes twelve",
     "%h = aten.view.default(self=%u, size=[2, 6, 12, 2]) : f32[2,6,12,2]\n"
     "%t = aten.unsqueeze.default(self=%h, dim=3) : f32[2,6,12,1,2]\n"
     "%e = aten.expand.default(self=%t, size=[2, 6, 12, 3, 2]) : f32[2,6,12,3,2]\n"
     "%s = aten.sum.dim_IntList(self=%e, dim=[3]) : f32[2,6,12,2]\n"
     "%v = aten.view.default(self=%s, size=[2, 6, 24]) : f32[2,6,24]\n",
     0},
    {"norm of a head",
     "%h = aten.view.default(self=%u, size=[2, 6, 12, 2]) : f32[2,6,12,2]\n"
     "%n = aten.layer_norm.default(input=%h, normalized_shape=[2]) : f32[2,6,12,2]\n"
     "%v = aten.view.default(self=%n, size=[2, 6, 24]) : f32[2,6,24]\n",
     0},
    {"slices beside",
     "%a = aten.slice.Tensor(self=%u, dim=1, start=0, end=2) : f32[2,2,24]\n"
     "%c = aten.slice.Tensor(self=%u, dim=1, start=2, end=6) : f32[2,4,24]\n"
     "%v = aten.cat.default(tensors=[%c, %a], dim=1) : f32[2,6,24]\n",
     0},
    {"select and stack",
     "%a = aten.select.int(self=%u, dim=0, index=0) : f32[6,24]\n"
     "%c = aten.select.int(self=%u, dim=0, index=1) : f32[6,24]\n"
     "%v = aten.stack.default(tensors=[%c, %a]) : f32[2,6,24]\n",
     0},
    {"several results",
     "%p:2 = aten.split.Tensor(self=%u, split_size=3, dim=1) : f32[2,3,24], f32[2,3,24]\n"
     "%v = aten.cat.default(tensors=[%p.1, %p.0], dim=1) : f32[2,6,24]\n",
     0},
    {"sum beside",
     "%m = aten.mean.dim(self=%u, dim=[1], keepdim=true) : f32[2,1,24]\n"
     "%v = aten.sub.Tensor(self=%u, other=%m) : f32[2,6,24]\n",
     0},
    {"chosen beside",
     "%v = aten.index_select.default(self=%u, dim=1, index=%places) : f32[2,6,24]\n", 0},
    {"products of activations",
     "%t = aten.transpose.int(self=%u, dim0=1, dim1=2) : f32[2,24,6]\n"
     "%s = aten.bmm.default(self=%t, mat2=%u) : f32[2,24,24]\n"
     "%v = aten.slice.Tensor(self=%s, dim=1, start=0, end=6) : f32[2,6,24]\n",
     2},
    // What cannot go on in the dim that is cut, or has no rule: one gather, and the rest is whole.
    {"softmax along", "%v = aten.softmax.int(self=%u, dim=2) : f32[2,6,24]\n", 1},
    {"norm along",
     "%v = aten.layer_norm.default(input=%u, normalized_shape=[24], weight=%row) : f32[2,6,24]\n",
     1},
    {"sort along",
     "%o:2 = aten.sort.default(self=%u, dim=2) : f32[2,6,24], i64[2,6,24]\n%v = "
     "aten.neg.default(self=%o.0) : f32[2,6,24]\n",
     1},
    {"running sum along", "%v = aten.cumsum.default(self=%u, dim=2) : f32[2,6,24]\n", 1},
    {"slices along",
     "%a = aten.slice.Tensor(self=%u, dim=2, start=0, end=8) : f32[2,6,8]\n"
     "%c = aten.slice.Tensor(self=%u, dim=2, start=8, end=24) : f32[2,6,16]\n"
     "%v = aten.cat.default(tensors=[%c, %a], dim=2) : f32[2,6,24]\n",
     1},
    {"sum along",
     "%m = aten.sum.dim_IntList(self=%u, dim=[-1], keepdim=true) : f32[2,6,1]\n"
     "%v = aten.sub.Tensor(self=%u, other=%m) : f32[2,6,24]\n",
     1},
    {"all summed",
     "%m = aten.sum.default(self=%u) : f32[]\n"
     "%v = aten.sub.Tensor(self=%u, other=%m) : f32[2,6,24]\n",
     1},
    {"no rule", "%v = aten.roll.default(self=%u, shifts=[1], dims=[1]) : f32[2,6,24]\n", 1},
    {"blocks that are torn",
     "%h = aten.view.default(self=%u, size=[2, 144]) : f32[2,144]\n"
     "%e = aten.exp.default(self=%h) : f32[2,144]\n"
     "%v = aten.view.default(self=%e, size=[2, 6, 24]) : f32[2,6,24]\n",
     1},
};

TEST_F(ShardTest, OpsBetweenProducts) {
  for (const Middle &m : kMiddles) {
    for (size_t n = 2; n <= 4; ++n) {
      SCOPED_TRACE(std::string(m.name) + ", " + std::to_string(n) + " ranks");
      std::string first;
      for (size_t rank = 0; rank < n; ++rank) {
        const std::string text = Between(m.text);
        const auto lines = Cut(text, n, rank, kPlan);
        ASSERT_EQ(code, BUDDY_OK) << Said();
        if (rank == 0) first = Collectives(lines);
        EXPECT_EQ(Collectives(lines), first) << "rank " << rank << " makes other collectives";
        EXPECT_EQ(Count(lines, "all_gather_into_tensor.default("), m.n_gathers) << Print();
        EXPECT_EQ(Count(lines, "all_reduce.default("), 1u) << Print();
        EXPECT_EQ(Count(lines, "bias=%b)"), 1u) << Print();
        EXPECT_EQ(Count(lines, "bias=%bd"), 0u) << "a bias that all ranks add is there n times";
        EXPECT_EQ(TypeOf(lines, "%u"), "f32[2,6," + std::to_string(24 / n) + "]") << Print();
        EXPECT_EQ(lines.back().substr(0, 7), "output ") << Print();
        EXPECT_EQ(TypeOf(lines, lines.back().substr(7)), "f32[2,6,5]") << Print();
      }
    }
  }
}

// What is found makes no gather on the way: then the products stay whole.
TEST_F(ShardTest, WhatIsFoundNeedsNoGather) {
  for (const Middle &m : kMiddles) {
    SCOPED_TRACE(m.name);
    const auto lines = Cut(Between(m.text, "2,6"), 2, 1);
    ASSERT_EQ(code, BUDDY_OK) << Said();
    const bool is_cut = m.n_gathers == 0;
    EXPECT_EQ(Count(lines, "all_reduce.default("), is_cut ? 1u : 0u) << Print();
    EXPECT_EQ(Count(lines, "all_gather_into_tensor.default("), 0u) << Print();
    EXPECT_EQ(Said().find("nothing is cut") == std::string::npos, is_cut) << Said();
  }
}

TEST_F(ShardTest, OfSymbolicSizes) {
  for (const char *size : {"s0", "2*s0"}) {
    const std::string sizes = std::string(size) + ",s1";
    const std::string text =
        "symbol s0 [0, 64]\nsymbol s1 [0, 64]\n" +
        Between("%v = aten.gelu.default(self=%u) : f32[" + sizes + ",24]\n", sizes);
    for (size_t n = 2; n <= 4; ++n) {
      const auto lines = Cut(text, n, n - 1);
      ASSERT_EQ(code, BUDDY_OK) << Said();
      EXPECT_EQ(TypeOf(lines, "%v"), "f32[" + sizes + "," + std::to_string(24 / n) + "]")
          << Print();
      EXPECT_EQ(Count(lines, "all_reduce.default("), 1u);
    }
  }
}

// Nothing is half cut: the program is as it was.
TEST_F(ShardTest, WhatDoesNotDivideStaysWhole) {
  const std::string text = Between("%v = aten.gelu.default(self=%u) : f32[2,6,24]\n");
  const auto before = Cut(text, 1, 0);
  for (const size_t n : std::initializer_list<size_t>{5, 7, 9, 16, 25, 4096}) {
    for (const char *plan : {static_cast<const char *>(nullptr), kPlan}) {
      EXPECT_EQ(Cut(text, n, n - 1, plan), before) << n;
      EXPECT_EQ(code, BUDDY_OK);
      EXPECT_NE(Said().find("nothing is cut"), std::string::npos) << Said();
    }
  }
}

// Rank r of n has the r-th block of each weight: the bytes of all ranks are those of the weight.
TEST_F(ShardTest, BlocksTileTheWeight) {
  constexpr int64_t kRows = 24, kColumns = 16;
  static const float bytes[kRows * kColumns] = {};
  for (const bool is_transposed : {false, true}) {
    for (size_t n = 2; n <= 4; ++n) {
      std::set<int64_t> seen;
      for (size_t rank = 0; rank < n; ++rank) {
        Close();
        buddy_diags_clear(diags);
        const std::string text =
            "graph @f {\n" + Between("%v = aten.relu.default(self=%u) : f32[2,6,24]\n") + "}\n";
        ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK);
        const int64_t dims[] = {kRows, kColumns}, strides[] = {1, kRows};
        const buddy_tensor_type type = {BUDDY_F32, 2, dims};
        const buddy_data data = {bytes, sizeof bytes, 0, is_transposed ? strides : nullptr};
        ASSERT_EQ(buddy_graph_set_input(graph, 1, &type, &data, diags), BUDDY_OK) << Said();
        const buddy_shard_options options = {sizeof options, n, rank, nullptr};
        ASSERT_EQ(buddy_graph_shard(graph, &options, diags), BUDDY_OK) << Said();
        const buddy_tensor_type *have = buddy_value_type(buddy_graph_input(graph, 1));
        const buddy_data *part = buddy_graph_input_data(graph, 1);
        if (is_transposed) {  // it does not lie in one piece: the code takes a slice of it
          EXPECT_EQ(have->dims[0], kRows);
          EXPECT_NE(Print().find("aten.slice.Tensor(self=%w"), std::string::npos) << Print();
          continue;
        }
        EXPECT_EQ(have->dims[0], kRows / static_cast<int64_t>(n));
        for (int64_t r = 0; r < have->dims[0]; ++r) {
          for (int64_t c = 0; c < have->dims[1]; ++c)
            EXPECT_TRUE(
                seen.insert(part->offset + r * part->strides[0] + c * part->strides[1]).second);
        }
      }
      EXPECT_EQ(seen.size(), is_transposed ? 0 : static_cast<size_t>(kRows * kColumns));
    }
  }
}

// A weight that serves as a table of rows as well, which is read whole.
TEST_F(ShardTest, TiedWeights) {
  const std::string text =
      "input %x : i64[1]\n"
      "parameter %w \"tied.weight\" : f32[96,8]\n"
      "%e = aten.embedding.default(weight=%w, indices=%x) : f32[1,8]\n"
      "%d = aten.linear.default(input=%e, weight=%w) : f32[1,96]\n"
      "output %d\n";
  for (size_t n = 2; n <= 4; ++n) {
    const auto lines = Cut(text, n, n - 1, R"({"tied": "colwise_rep"})");
    ASSERT_EQ(code, BUDDY_OK) << Said();
    EXPECT_EQ(TypeOf(lines, "%w"), "f32[96,8]") << Print();
    EXPECT_EQ(TypeOf(lines, "%e"), "f32[1,8]") << Print();
    EXPECT_EQ(TypeOf(lines, "%d"), "f32[1," + std::to_string(96 / n) + "]") << Print();
    EXPECT_EQ(Count(lines, "all_gather_into_tensor.default("), 1u) << Print();
  }
}

// A product that no other one follows is cut and gathered where that saves more than a message takes.
TEST_F(ShardTest, WhatIsWorthAGather) {
  const struct {
    int64_t rows, columns;
    bool is_gathered;
  } products[] = {{1, 1020, false}, {1, 1024, true}, {2, 508, false},
                  {2, 512, true},   {128, 8, true},  {129, 1024, false}};
  for (const auto &p : products) {
    const std::string rows = std::to_string(p.rows), columns = std::to_string(p.columns);
    const std::string text = "input %x : f32[" + rows + ",512]\n" +
                             "parameter %w \"head.weight\" : f32[" + columns + ",512]\n" +
                             "%d = aten.linear.default(input=%x, weight=%w) : f32[" + rows + "," +
                             columns + "]\noutput %d\n";
    const auto lines = Cut(text, 2, 1);
    ASSERT_EQ(code, BUDDY_OK) << Said();
    EXPECT_EQ(Count(lines, "all_gather_into_tensor.default("), p.is_gathered ? 1u : 0u) << Print();
  }
}

// Weights of integers with scales: both are cut, by the dim of the scales or beside it.
TEST_F(ShardTest, QuantizedWeights) {
  const std::string text =
      "input %x : f32[3,16]\n"
      "parameter %w \"up.weight\" : i8[24,16]\n"
      "parameter %s \"up.scale\" : f32[24]\n"
      "parameter %wd \"down.weight\" : i8[16,24]\n"
      "parameter %sd \"down.scale\" : f32[16]\n"
      "%q = quantized_decomposed.dequantize_per_channel.default(input=%w, scales=%s, "
      "zero_points=none, axis=0, quant_min=-128, quant_max=127, dtype=dtype(i8)) : f32[24,16]\n"
      "%u = aten.linear.default(input=%x, weight=%q) : f32[3,24]\n"
      "%v = aten.relu.default(self=%u) : f32[3,24]\n"
      "%p = quantized_decomposed.dequantize_per_channel.default(input=%wd, scales=%sd, "
      "zero_points=none, axis=0, quant_min=-128, quant_max=127, dtype=dtype(i8)) : f32[16,24]\n"
      "%d = aten.linear.default(input=%v, weight=%p) : f32[3,16]\n"
      "output %d\n";
  for (size_t n = 2; n <= 4; ++n) {
    const auto lines = Cut(text, n, n - 1);
    ASSERT_EQ(code, BUDDY_OK) << Said();
    const std::string part = std::to_string(24 / n);
    EXPECT_EQ(TypeOf(lines, "%w"), "i8[" + part + ",16]") << Print();
    EXPECT_EQ(TypeOf(lines, "%s"), "f32[" + part + "]") << Print();
    EXPECT_EQ(TypeOf(lines, "%p"), "f32[16," + part + "]") << Print();
    EXPECT_EQ(TypeOf(lines, "%sd"), "f32[16]") << Print();
  }
}

// Grouped queries: of fewer heads of keys than ranks each rank takes the one of its queries; of numbers
// that neither divide nor are divided nothing is cut.
TEST_F(ShardTest, FewerHeadsOfKeysThanRanks) {
  struct {
    int keys;
    size_t n_ranks;
    const char *have;  // of the keys; null: nothing is cut
  } const table[] = {{12, 2, "f32[1,6,16,2]"}, {12, 3, "f32[1,4,16,2]"}, {12, 4, "f32[1,3,16,2]"},
                     {4, 4, "f32[1,1,16,2]"},  {4, 2, "f32[1,2,16,2]"},  {3, 3, "f32[1,1,16,2]"},
                     {2, 4, "f32[1,1,16,2]"},  {1, 2, "f32[1,1,16,2]"},  {1, 3, "f32[1,1,16,2]"},
                     {1, 4, "f32[1,1,16,2]"},  {4, 3, nullptr},          {3, 2, nullptr},
                     {6, 4, nullptr}};
  for (const auto &t : table) {
    const std::string h = std::to_string(t.keys), w = std::to_string(2 * t.keys);
    const std::string text =
        "input %x : f32[1,16,24]\n"
        "parameter %wq \"q.weight\" : f32[24,24]\n"
        "parameter %wk \"k.weight\" : f32[" +
        w +
        ",24]\n"
        "parameter %wo \"o.weight\" : f32[24,24]\n"
        "%q0 = aten.linear.default(input=%x, weight=%wq) : f32[1,16,24]\n"
        "%q1 = aten.view.default(self=%q0, size=[1, 16, 12, 2]) : f32[1,16,12,2]\n"
        "%q = aten.transpose.int(self=%q1, dim0=1, dim1=2) : f32[1,12,16,2]\n"
        "%k0 = aten.linear.default(input=%x, weight=%wk) : f32[1,16," +
        w +
        "]\n"
        "%k1 = aten.view.default(self=%k0, size=[1, 16, " +
        h + ", 2]) : f32[1,16," + h +
        ",2]\n"
        "%k = aten.transpose.int(self=%k1, dim0=1, dim1=2) : f32[1," +
        h +
        ",16,2]\n"
        "%a = aten.scaled_dot_product_attention.default(query=%q, key=%k, value=%k, "
        "enable_gqa=true) : f32[1,12,16,2]\n"
        "%a1 = aten.transpose.int(self=%a, dim0=1, dim1=2) : f32[1,16,12,2]\n"
        "%a2 = aten.view.default(self=%a1, size=[1, 16, 24]) : f32[1,16,24]\n"
        "%o = aten.linear.default(input=%a2, weight=%wo) : f32[1,16,24]\n"
        "output %o\n";
    for (size_t rank = 0; rank < t.n_ranks; ++rank) {
      SCOPED_TRACE(h + " heads of keys, rank " + std::to_string(rank) + " of " +
                   std::to_string(t.n_ranks));
      const auto lines = Cut(text, t.n_ranks, rank);
      ASSERT_EQ(code, BUDDY_OK) << Said();
      EXPECT_EQ(Count(lines, "all_reduce.default("), t.have ? 1u : 0u) << Print();
      EXPECT_EQ(Count(lines, "all_gather_into_tensor.default("), 0u) << Print();
      if (!t.have) continue;
      const std::string at = "key=%";
      for (const std::string &line : lines) {
        if (line.find(at) == std::string::npos) continue;
        const size_t from = line.find(at) + at.size() - 1;
        EXPECT_EQ(TypeOf(lines, line.substr(from, line.find(',', from) - from)), t.have) << Print();
      }
    }
  }
}

TEST_F(ShardTest, PlansThatCannotBe) {
  const std::string text = Between("%v = aten.relu.default(self=%u) : f32[2,6,24]\n");
  struct {
    const char *plan;
    buddy_code code;
    const char *what;
  } const table[] = {
      {"", BUDDY_INVALID_ARGUMENT, "Empty"},
      {"{", BUDDY_INVALID_ARGUMENT, "JSON"},
      {"[\"up\"]", BUDDY_INVALID_ARGUMENT, "object"},
      {"3", BUDDY_INVALID_ARGUMENT, "object"},
      {"{\"up\": 3}", BUDDY_INVALID_ARGUMENT, "$.up"},
      {"{\"up\": null}", BUDDY_INVALID_ARGUMENT, "$.up"},
      {"{\"up\": {\"weight\": \"colwise\"}}", BUDDY_INVALID_ARGUMENT, "$.up"},
      {"{\"up\": \"colwise\", \"up\": \"rowwise\"}", BUDDY_INVALID_ARGUMENT, "twice"},
      {"{\"up\": \"Colwise\"}", BUDDY_UNSUPPORTED, "cannot be cut 'Colwise'"},
      {"{\"side\": \"colwise\"}", BUDDY_INVALID_ARGUMENT, "names a module"},
      {"{\"u\": \"colwise\"}", BUDDY_INVALID_ARGUMENT, "names a module"},
      {"{\"up.weight\": \"colwise\"}", BUDDY_INVALID_ARGUMENT, "names a module"},
      {"{\"\": \"colwise\"}", BUDDY_INVALID_ARGUMENT, "names a module"},
  };
  for (const auto &t : table) {
    Cut(text, 2, 0, t.plan);
    EXPECT_EQ(code, t.code) << t.plan << "\n" << Said();
    EXPECT_NE(Said().find(t.what), std::string::npos) << t.plan << "\n" << Said();
    ASSERT_EQ(buddy_diags_count(diags), 1u) << Said();
    const std::string todo = buddy_diags_get(diags, 0)->todo;
    EXPECT_EQ(todo.find("save"), std::string::npos) << "it speaks of an archive: " << todo;
    EXPECT_NE(todo, "") << t.plan;
  }
}

TEST_F(ShardTest, NamesInPlans) {
  struct {
    const char *pattern, *target;
    bool is_match;
  } const table[] = {
      {"layers.*.mlp.up", "model.layers.0.mlp.up.weight", true},
      {"layers.*.mlp.up", "layers.11.mlp.up.weight", true},
      {"layers.*.mlp.up", "model.layers.0.1.mlp.up.weight", false},
      {"layers.*.mlp.up", "model.layers.0.mlp.up_proj.weight", false},
      {"layers.*.mlp.*_proj", "model.layers.0.mlp.up_proj.weight", true},
      {"model.layers.*.mlp.up", "layers.0.mlp.up.weight", false},
      {"up", "model.up.weight", true},
      {"up", "model.up.inner.weight", false},
      {"*", "anything", true},
      {"0", "0.weight", true},
  };
  for (const auto &t : table) {
    bd_cut_plan *plan;
    const std::string text = std::string("{\"") + t.pattern + "\": \"rowwise\"}";
    ASSERT_EQ(bd_cut_plan_read(text.c_str(), diags, &plan), BUDDY_OK) << Said();
    EXPECT_EQ(bd_cut_plan_find(plan, t.target), t.is_match ? BD_CUT_ROWS : BD_CUT_NOT)
        << t.pattern << " " << t.target;
    EXPECT_EQ(bd_cut_plan_end(plan, BUDDY_OK, diags),
              t.is_match ? BUDDY_OK : BUDDY_INVALID_ARGUMENT);
  }
}

TEST_F(ShardTest, RanksThatAreNotThere) {
  const std::string text = Between("%v = aten.relu.default(self=%u) : f32[2,6,24]\n");
  for (const auto &[n, rank] :
       {std::pair<size_t, size_t>{2, 2}, {0, 1}, {1, 1}, {4097, 0}, {2, SIZE_MAX}}) {
    Cut(text, n, rank);
    EXPECT_EQ(code, BUDDY_INVALID_ARGUMENT);
    EXPECT_NE(Said().find("there is no rank"), std::string::npos) << Said();
  }
  for (const size_t n : std::initializer_list<size_t>{0, 1}) {
    Cut(text, n, 0);
    EXPECT_EQ(code, BUDDY_OK);
    EXPECT_EQ(Said(), "");
  }
}

}  // namespace
