// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

// A parameter "w" of 2×3 floats; the storage has 8.
class WeightsTest : public ImportTest {
 protected:
  buddy_code ImportWeight(const std::string &payload,
                          const std::string &graph_meta = Meta("2,3", "3,1"), size_t n_bytes = 32) {
    Program program = ReluProgram();
    program.AddParameter("p_w", "w", graph_meta);
    program.weights = "\"w\": " + payload;
    program.files = {{"m/data/weights/weight_0", std::string(n_bytes, 'w')}};
    zips.clear();
    return Import(program);
  }
  const buddy_data *Data() const { return buddy_graph_input_data(graph, 1); }
};

TEST_F(WeightsTest, MapsBytes) {
  ASSERT_EQ(ImportWeight(Payload("weight_0", Meta("2,3", "3,1"))), BUDDY_OK) << Said();
  EXPECT_GE(static_cast<const uint8_t *>(Data()->bytes), zips.back().data());
  EXPECT_LT(static_cast<const uint8_t *>(Data()->bytes), zips.back().data() + zips.back().size());
  EXPECT_EQ(Data()->n_bytes, 32u);
  EXPECT_EQ(Data()->strides, nullptr);
  EXPECT_STREQ(buddy_graph_input_target(graph, 1), "w");
}

TEST_F(WeightsTest, KeepsOffsetsAndStrides) {
  ASSERT_EQ(ImportWeight(Payload("weight_0", Meta("2,3", "1,2", 7, 2))), BUDDY_OK) << Said();
  EXPECT_EQ(Data()->offset, 2);
  ASSERT_NE(Data()->strides, nullptr);
  EXPECT_EQ(Data()->strides[1], 2);
}

TEST_F(WeightsTest, RefusesWhatReachesBeyondItsBytes) {
  for (const std::string &meta :
       {Meta("2,3", "3,1", 7, 3), Meta("2,3", "6,1"), Meta("2,3", "3,1", 8),
        Meta("2,3", "9223372036854775807,1"), Meta("2,3", "3,1", 7, 2147483647),
        Meta("2,3", "-3,1"), Meta("2,3", "3,1", 7, -1)}) {
    EXPECT_NE(ImportWeight(Payload("weight_0", meta)), BUDDY_OK) << meta;
    EXPECT_NE(Said(), "") << meta;
  }
}

TEST_F(WeightsTest, AllowsEmptyTensorsOfEmptyStorages) {
  EXPECT_EQ(ImportWeight(Payload("weight_0", Meta("0,3", "3,1")), Meta("0,3", "3,1"), 0), BUDDY_OK)
      << Said();
}

TEST_F(WeightsTest, RefusesTypesThatContradictTheGraph) {
  EXPECT_EQ(ImportWeight(Payload("weight_0", Meta("3,2", "2,1"))), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("another type"), std::string::npos) << Said();
}

/* One message, of the dtype: the bytes, of which there are fewer than f32 would need, are right. */
TEST_F(WeightsTest, TellsOfADtypeThatBuddyHasNotOnce) {
  const std::string meta = Meta("2,3", "3,1", 40);
  EXPECT_EQ(ImportWeight(Payload("weight_0", meta), meta, 6), BUDDY_UNSUPPORTED);
  EXPECT_EQ(buddy_diags_count(diags), 1u) << Said();
  EXPECT_NE(Said().find("is 40, a dtype that buddy has not"), std::string::npos) << Said();
}

TEST_F(WeightsTest, RefusesPicklesByName) {
  EXPECT_EQ(ImportWeight(Payload("weight_0", Meta("2,3", "3,1"), true)), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("m.pt2: w: its bytes are a pickle"), std::string::npos) << Said();
}

TEST_F(WeightsTest, RefusesEntriesThatAreNotThere) {
  EXPECT_EQ(ImportWeight(Payload("weight_9", Meta("2,3", "3,1"))), BUDDY_CORRUPT);
  EXPECT_EQ(ImportWeight(Payload("../weight_0", Meta("2,3", "3,1"))), BUDDY_CORRUPT);
  Program program = ReluProgram();
  program.AddParameter("p_w", "w", Meta("2,3", "3,1"));
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("nothing about the bytes of 'w'"), std::string::npos) << Said();
}

TEST_F(WeightsTest, RefusesDeflatedBytes) {
  Program program = ReluProgram();
  program.AddParameter("p_w", "w", Meta("2,3", "3,1"));
  program.weights = "\"w\": " + Payload("weight_0", Meta("2,3", "3,1"));
  program.files = {{"m/data/weights/weight_0", std::string(32, 'w'), true}};
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("compressed"), std::string::npos) << Said();
}

}  // namespace
