// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

// relu(x), with a parameter "w" of 2×3 floats that the caller keeps.
class GivenTest : public ImportTest {
 protected:
  buddy_code Create(const buddy_named_tensor *tensors, size_t n) {
    Program program = ReluProgram();
    program.AddParameter("p_w", "w", Meta("2,3", "3,1"));
    text = program.Json();
    return Import(tensors, n);
  }
  buddy_code Import(const buddy_named_tensor *tensors, size_t n) {
    Close();
    buddy_code code =
        buddy_archive_create("live", {text.data(), text.size()}, tensors, n, diags, &archive);
    return code ? code : buddy_archive_import(archive, opset, diags, &graph);
  }
  void Close() {
    buddy_graph_destroy(graph);
    graph = nullptr;
    buddy_archive_close(archive);
    archive = nullptr;
    buddy_diags_clear(diags);
  }

  std::string text;
  const float weight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int64_t dims[2] = {2, 3};
  const int64_t strides[2] = {1, 2};
  const buddy_named_tensor w = {"w", {BUDDY_F32, 2, dims}, {weight, sizeof weight, 0, nullptr}};
};

TEST_F(GivenTest, PointsAtTheBytes) {
  buddy_named_tensor given = w;
  given.data.offset = 2;
  ASSERT_EQ(Create(&given, 1), BUDDY_OK) << Said();
  const buddy_data *data = buddy_graph_input_data(graph, 1);
  EXPECT_EQ(data->bytes, weight);
  EXPECT_EQ(data->offset, 2);
  EXPECT_STREQ(buddy_graph_input_target(graph, 1), "w");
}

TEST_F(GivenTest, KeepsStrides) {
  buddy_named_tensor given = w;
  given.data.strides = strides;
  ASSERT_EQ(Create(&given, 1), BUDDY_OK) << Said();
  ASSERT_NE(buddy_graph_input_data(graph, 1)->strides, nullptr);
  EXPECT_EQ(buddy_graph_input_data(graph, 1)->strides[1], 2);
}

TEST_F(GivenTest, AllowsUnknownBytes) {
  buddy_named_tensor given = w;
  given.data.bytes = nullptr;
  EXPECT_EQ(Create(&given, 1), BUDDY_OK) << Said();
}

TEST_F(GivenTest, RefusesTensorsThatBreakARule) {
  const int64_t huge[2] = {INT64_MAX, 3}, negative[2] = {-1, 3}, back[2] = {-1, 1};
  const auto with = [&](auto change) {
    buddy_named_tensor given = w;
    change(&given);
    const buddy_code code = Create(&given, 1);
    EXPECT_NE(Said().find("live"), std::string::npos) << Said();
    return code;
  };
  const buddy_code invalid = BUDDY_INVALID_ARGUMENT;
  EXPECT_EQ(with([](auto *t) { t->data.n_bytes = 23; }), invalid);
  EXPECT_EQ(with([](auto *t) { t->data.offset = 3; }), invalid);
  EXPECT_EQ(with([](auto *t) { t->data.offset = -1; }), invalid);
  EXPECT_EQ(with([](auto *t) { t->data.offset = INT64_MAX; }), invalid);
  EXPECT_EQ(with([&](auto *t) { t->type.dims = huge; }), invalid);
  EXPECT_EQ(with([&](auto *t) { t->type.dims = negative; }), invalid);
  EXPECT_EQ(with([&](auto *t) { t->data.strides = back; }), invalid);
  EXPECT_EQ(with([](auto *t) { t->type.dtype = 99; }), invalid);
  EXPECT_EQ(with([](auto *t) { t->type.rank = 65; }), invalid);
  EXPECT_EQ(with([](auto *t) { t->name = nullptr; }), invalid);
  EXPECT_EQ(with([&](auto *t) {
              t->data.bytes = reinterpret_cast<const char *>(weight) + 1;
              t->data.n_bytes = 24;
            }),
            invalid);
}

TEST_F(GivenTest, RefusesMissingDoubleAndContradictingTensors) {
  EXPECT_EQ(Create(nullptr, 0), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(Said().find("names 'w', but no tensor was given"), std::string::npos) << Said();
  const buddy_named_tensor twice[2] = {w, w};
  EXPECT_EQ(Create(twice, 2), BUDDY_INVALID_ARGUMENT);
  buddy_named_tensor other = w;
  const int64_t turned[2] = {3, 2};
  other.type.dims = turned;
  EXPECT_EQ(Create(&other, 1), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("another type"), std::string::npos) << Said();
}

TEST_F(GivenTest, RefusesTextThatIsNoProgram) {
  for (const char *bad : {"", "{", "[]", "{\"schema_version\": {\"major\": 8, \"minor\": 20}}"}) {
    text = bad;
    EXPECT_NE(Import(&w, 1), BUDDY_OK) << bad;
    EXPECT_NE(Said(), "") << bad;
  }
  buddy_archive *none = nullptr;
  EXPECT_EQ(buddy_archive_create("live", {nullptr, 0}, nullptr, 0, diags, &none),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
