// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is proved of the rows of a program, line by line; tests/python/test_rows.py compares such programs with their numbers.
#include <string>

#include "core/base/memory.h"
#include "tests/sdk/import/archive_builder.h"

extern "C" {
#include "sdk/import/shard.h"
}

namespace {

class ShardBatch : public ImportTest {
 protected:
  // Inputs x [b,4] and cache [b,6,4], which `lines` follow.
  bd_batch Prove(const std::string &lines) {
    return ProveAll("symbol b [1, 8]\n  input %x : f32[b,4]\n  input %cache : f32[b,6,4]\n" +
                    lines);
  }
  bd_batch ProveAll(const std::string &lines) {
    bd_batch batch = {};
    Close();
    const std::string text = "graph @f {\n  " + lines + "\n}\n";
    EXPECT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK)
        << text << Said();
    EXPECT_TRUE(graph && bd_batch_prove(graph, &batch) == BUDDY_OK);
    return batch;
  }
};

TEST_F(ShardBatch, ElementByElement) {
  const bd_batch batch = Prove("%y = aten.relu.default(self=%x) : f32[b,4]\n  output %y");
  EXPECT_TRUE(batch.is_proved) << batch.why;
  EXPECT_EQ(batch.symbol, 0u);
  EXPECT_STREQ(batch.why, "");
}

TEST_F(ShardBatch, SizesThatAreNoBatchAreNotTold) {
  for (const char *inputs :
       {"input %x : f32[4]", "symbol b [1, 8]\n input %x : f32[4,b]",
        "symbol b [1, 8]\n input %x : f32[b,b]", "symbol b [1, 8]\n input %x : f32[2*b]",
        "symbol b [1, 8]\n symbol c [1, 8]\n input %x : f32[b]\n input %z : f32[c]",
        "symbol b [1, 8]\n input %x : f32[b]\n input %z : f32[]"}) {
    const bd_batch batch = ProveAll(std::string(inputs) + "\n output %x");
    EXPECT_FALSE(batch.is_proved) << inputs;
    EXPECT_STREQ(batch.why, "") << inputs;
  }
}

TEST_F(ShardBatch, WhatMeetsIsTold) {
  const char *const lines[] = {
      "%y = aten.sum.dim_IntList(self=%x, dim=[0], keepdim=true) : f32[1,4]\n %z = "
      "aten.sub.Tensor(self=%x, other=%y) : f32[b,4]\n output %z",
      "%y = aten.cumsum.default(self=%x, dim=0) : f32[b,4]\n output %y",
      "%y = aten.cumsum.default(self=%x, dim=-2) : f32[b,4]\n output %y",
      "%y = aten.amax.default(self=%x, dim=[-2], keepdim=true) : f32[1,4]\n %z = "
      "aten.sub.Tensor(self=%x, other=%y) : f32[b,4]\n output %z",
      "%y = aten.full.default(size=[{b},4], fill_value={b}) : f32[b,4]\n output %y",
      "%y = aten.mul.Scalar(self=%x, other={b}) : f32[b,4]\n output %y",
      "%r = aten.arange.default(end={b}) : i64[b]\n %y = aten.mul.Tensor(self=%r, other=%r) : "
      "i64[b]\n output %y",
      "%y = aten.view.default(self=%x, size=ints[4,{b}]) : f32[4,b]\n output %y",
      "%y = aten.rand.default(size=[{b},4]) : f32[b,4]\n output %y",
  };
  for (const char *line : lines) {
    const bd_batch batch = Prove(line);
    EXPECT_FALSE(batch.is_proved) << line;
    EXPECT_STRNE(batch.why, "") << line;
  }
  const bd_batch batch = Prove(
      "%y = aten.view.default(self=%x, size=ints[{b},2,2]) : f32[b,2,2]\n "
      "%n = aten.sum.dim_IntList(self=%y, dim=[1,2]) : f32[b]\n output "
      "%n\n output %x");
  EXPECT_TRUE(batch.is_proved) << batch.why;
  EXPECT_NE(std::string(Prove("output %x\n output {b}").why).find("output 1"), std::string::npos);
  EXPECT_NE(std::string(Prove("%r = aten.arange.default(end={b}) : i64[b]\n output %r").why)
                .find("output 0"),
            std::string::npos);
}

TEST_F(ShardBatch, RowsOfStates) {
  const std::string rows =
      "%r = aten.arange.default(end={b}) : i64[b]\n"
      "  %at = aten.argmax.default(self=%x, dim=1) : i64[b]\n";
  const struct {
    const char *write;
    bool is_proved, is_repeatable;
  } cases[] = {
      {"indices=[%r,%at], values=%x", true, true},
      {"indices=[%r,%at], values=%x, accumulate=true", true, false},
      {"indices=[%at,%at], values=%x", false, false},
      {"indices=[%r,%r], values=%x", false, false},
  };
  for (const auto &one : cases) {
    const bd_batch batch =
        Prove(rows + "  %new = aten.index_put.default(self=%cache, " + one.write +
              ") : f32[b,6,4]\n  output %x\n  output input_mutation \"cache\" = %new");
    EXPECT_EQ(batch.is_proved, one.is_proved) << one.write << batch.why;
    EXPECT_EQ(batch.is_repeatable, one.is_repeatable) << one.write;
  }
  // What was there is read besides.
  const bd_batch read =
      Prove(rows +
            "  %s = aten.sum.dim_IntList(self=%cache, dim=[1]) : f32[b,4]\n"
            "  %new = aten.index_put.default(self=%cache, indices=[%r,%at], values=%s) : "
            "f32[b,6,4]\n  output %x\n  output input_mutation \"cache\" = %new");
  EXPECT_TRUE(read.is_proved) << read.why;
  EXPECT_FALSE(read.is_repeatable);
}

TEST_F(ShardBatch, FreesEverythingWhenMemoryIsOut) {
  ASSERT_TRUE(Prove("%y = aten.relu.default(self=%x) : f32[b,4]\n  output %y").is_proved);
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  for (int64_t n = 0; code != BUDDY_OK; ++n) {
    bd_batch batch;
    bd_memory_fail_after(n);
    code = bd_batch_prove(graph, &batch);
    bd_memory_fail_after(-1);
    ASSERT_TRUE(code == BUDDY_OK ? batch.is_proved : code == BUDDY_OUT_OF_MEMORY) << n;
    ASSERT_LT(n, 1000);
  }
}

}  // namespace
