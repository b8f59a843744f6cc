// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

class JsonTest : public testing::Test {
 protected:
  bd_json Parse(const std::string &text) {
    bd_json_destroy(document_);
    buddy_diags_clear(diags_);
    reader_ = {diags_, "t.json", BUDDY_OK};
    const std::string padded = text + std::string(BD_JSON_PADDING, ' ');
    code_ = bd_json_parse(padded.data(), text.size(), "t.json", diags_, &document_);
    return code_ ? bd_json{} : bd_json_root(document_);
  }
  std::string Said() const {
    return buddy_diags_count(diags_) ? buddy_diags_get(diags_, 0)->what : "";
  }
  void SetUp() override { ASSERT_EQ(buddy_diags_create(&diags_), BUDDY_OK); }
  void TearDown() override {
    bd_json_destroy(document_);
    buddy_diags_destroy(diags_);
  }

  buddy_diags *diags_ = nullptr;
  bd_json_document *document_ = nullptr;
  bd_json_reader reader_ = {};
  buddy_code code_ = BUDDY_OK;
};

TEST_F(JsonTest, ReadsValues) {
  const bd_json root = Parse(R"({"a": 1, "b": [2.5, "x", true, null], "c": {"d": -7}})");
  EXPECT_EQ(bd_json_int(&reader_, bd_json_get(&reader_, root, "a")), 1);
  const bd_json c = bd_json_get(&reader_, root, "c");
  EXPECT_EQ(bd_json_int(&reader_, bd_json_get(&reader_, c, "d")), -7);
  bd_json_iterator all = bd_json_array(&reader_, bd_json_get(&reader_, root, "b"));
  bd_json item;
  ASSERT_TRUE(bd_json_next(&all, &item));
  EXPECT_EQ(bd_json_float(&reader_, item), 2.5);
  ASSERT_TRUE(bd_json_next(&all, &item));
  EXPECT_STREQ(bd_json_name(&reader_, item), "x");
  ASSERT_TRUE(bd_json_next(&all, &item));
  EXPECT_TRUE(bd_json_bool(&reader_, item));
  ASSERT_TRUE(bd_json_next(&all, &item));
  EXPECT_FALSE(bd_json_is(item));
  EXPECT_FALSE(bd_json_next(&all, &item));
  EXPECT_EQ(reader_.code, BUDDY_OK);
}

TEST_F(JsonTest, ReadsFloatsThatJsonLacks) {
  const bd_json root = Parse(R"({"a": "Infinity", "b": "-Infinity", "c": "NaN", "d": 3})");
  EXPECT_EQ(bd_json_float(&reader_, bd_json_get(&reader_, root, "a")), INFINITY);
  EXPECT_EQ(bd_json_float(&reader_, bd_json_get(&reader_, root, "b")), -INFINITY);
  EXPECT_TRUE(std::isnan(bd_json_float(&reader_, bd_json_get(&reader_, root, "c"))));
  EXPECT_EQ(bd_json_float(&reader_, bd_json_get(&reader_, root, "d")), 3.0);
}

TEST_F(JsonTest, SaysThePathOfAMissingMember) {
  const bd_json root = Parse(R"({"graph": {"nodes": [{}, {"name": "x"}]}})");
  bd_json_iterator all =
      bd_json_array(&reader_, bd_json_get(&reader_, bd_json_get(&reader_, root, "graph"), "nodes"));
  bd_json node;
  bd_json_next(&all, &node);
  bd_json_next(&all, &node);
  bd_json_get(&reader_, node, "target");
  EXPECT_EQ(reader_.code, BUDDY_CORRUPT);
  EXPECT_EQ(Said(), "$.graph.nodes[1] lacks the member 'target'");
}

TEST_F(JsonTest, SaysThePathOfAWrongType) {
  const bd_json root = Parse(R"({"a": [1, {"b": "text"}]})");
  bd_json_iterator all = bd_json_array(&reader_, bd_json_get(&reader_, root, "a"));
  bd_json item;
  bd_json_next(&all, &item);
  bd_json_next(&all, &item);
  bd_json_int(&reader_, bd_json_get(&reader_, item, "b"));
  EXPECT_EQ(Said(), "$.a[1].b should be an integer");
}

TEST_F(JsonTest, KeepsTheFirstProblem) {
  const bd_json root = Parse("[]");
  bd_json_int(&reader_, root);
  bd_json_get(&reader_, root, "x");
  bd_json_string(&reader_, bd_json{});
  EXPECT_EQ(buddy_diags_count(diags_), 1u);
}

TEST_F(JsonTest, ReadsUnions) {
  bd_json value;
  EXPECT_STREQ(bd_json_union(&reader_, Parse(R"({"as_int": 3})"), &value), "as_int");
  EXPECT_EQ(bd_json_int(&reader_, value), 3);
  EXPECT_STREQ(bd_json_union(&reader_, Parse(R"({"as_int": 3, "as_bool": true})"), &value), "");
  EXPECT_EQ(Said(), "$ is a union with more than one member");
  EXPECT_STREQ(bd_json_union(&reader_, Parse("{}"), &value), "");
  EXPECT_EQ(Said(), "$ is a union without a member");
}

TEST_F(JsonTest, RefusesNumbersBeyondInt64) {
  const bd_json root = Parse("[18446744073709551615]");
  bd_json_iterator all = bd_json_array(&reader_, root);
  bd_json item;
  bd_json_next(&all, &item);
  bd_json_int(&reader_, item);
  EXPECT_EQ(Said(), "$[0] should be an integer of 64 bits with a sign");
}

TEST_F(JsonTest, BoundsWhatInt64DoesNotHoldAndNothingElse) {
  const std::vector<std::pair<std::string, int64_t>> cases = {
      {"9223372036854775807", INT64_MAX},
      {"9223372036854775805", INT64_MAX - 2},
      {"-9223372036854775807", INT64_MIN + 1},
      {"-9223372036854775808", INT64_MIN},
      {"9223372036854775808", INT64_MAX},
      {"18446744073709551615", INT64_MAX},
      {"85070591730234615865843651857942052864", INT64_MAX},
      {"-85070591730234615865843651857942052864", INT64_MIN},
      {"9007199254740993", 9007199254740993},
  };
  for (const auto &[text, number] : cases) {
    const bd_json root = Parse("[" + text + "]");
    bd_json_iterator all = bd_json_array(&reader_, root);
    bd_json item;
    bd_json_next(&all, &item);
    EXPECT_EQ(bd_json_int_within(&reader_, item), number) << text;
    EXPECT_EQ(bd_json_is_beyond_int(item), text != std::to_string(number)) << text;
    EXPECT_EQ(reader_.code, BUDDY_OK) << text << ": " << Said();
  }
}

TEST_F(JsonTest, RefusesNamesWithNulBytes) {
  const bd_json root = Parse("{\"a\": \"x\\u0000y\"}");
  bd_json_name(&reader_, bd_json_get(&reader_, root, "a"));
  EXPECT_EQ(reader_.code, BUDDY_CORRUPT);
}

TEST_F(JsonTest, LimitsDepth) {
  Parse(std::string(100000, '['));
  EXPECT_NE(code_, BUDDY_OK);
  Parse(std::string(BD_JSON_MAX_DEPTH + 1, '[') + std::string(BD_JSON_MAX_DEPTH + 1, ']'));
  EXPECT_EQ(code_, BUDDY_LIMIT);
}

TEST_F(JsonTest, RefusesWhatIsCut) {
  const std::string text = R"({"a": [1, 2, {"b": "c"}]})";
  for (size_t n = 0; n < text.size(); ++n) {
    Parse(text.substr(0, n));
    EXPECT_NE(code_, BUDDY_OK) << n;
  }
}

TEST_F(JsonTest, RefusesAKeyThatIsThereTwice) {
  Parse(R"({"a": {"b": [1, {"x": 1, "y": 2.5, "x": 3}]}, "c": 2})");
  EXPECT_EQ(code_, BUDDY_CORRUPT);
  EXPECT_EQ(Said(),
            "$.a.b[1] has the key 'x' twice, and readers of JSON differ in which of the two "
            "counts");
  Parse(R"({"k": 1, "\u006b": 1})");
  EXPECT_EQ(code_, BUDDY_CORRUPT) << "spelled otherwise, but the same";
  Parse(R"({"": 1, "": 2})");
  EXPECT_EQ(code_, BUDDY_CORRUPT);
  /* A number whose bits look like the end of an object. */
  Parse(R"({"a": 9007199254740993000, "a": 9042521604759584125})");
  EXPECT_EQ(code_, BUDDY_CORRUPT);
  std::string many = "{";
  for (int i = 0; i < 5000; ++i) many += "\"key number " + std::to_string(i) + "\": 1.5, ";
  Parse(many + "\"last\": {}}");
  EXPECT_EQ(code_, BUDDY_OK) << Said();
  Parse(many + "\"key number 77\": {}}");
  EXPECT_EQ(code_, BUDDY_CORRUPT);
  /* After unions, in arrays, last in the file; keys of one length and with the same ends. */
  Parse(R"([[], {}, {"u": {"v": [7, {"w": {"abc": null, "adc": "x", "abc": true}}]}}])");
  EXPECT_EQ(Said(),
            "$[2].u.v[1].w has the key 'abc' twice, and readers of JSON differ in which of "
            "the two counts");
  Parse(R"([[], {}, {"u": {"v": [7, {"w": {"abc": null, "adc": "x", "aec": true}}]}}])");
  EXPECT_EQ(code_, BUDDY_OK) << Said();
  Parse(
      R"({"a": {"a": {"a": []}}, "b": {"a": 1}, "ab": {}, "ba": {"12345678": 1, "123456789": 1}})");
  EXPECT_EQ(code_, BUDDY_OK) << Said();
}

}  // namespace
