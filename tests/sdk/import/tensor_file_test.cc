// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of tensors, as safetensors and gguf write them (tests/fuzz/corpus/tensor_file_fuzz), and as others might.
#include "sdk/import/tensor_file.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/base/memory.h"
#include "tests/sdk/import/archive_builder.h"

namespace {

std::string Corpus(const char *name) {
  std::ifstream file(std::string(BUDDY_TEST_CORPUS "/tensor_file_fuzz/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file of safetensors with that header, and n bytes.
std::string Safetensors(const std::string &header, size_t n) {
  const uint64_t size = header.size();
  return std::string(reinterpret_cast<const char *>(&size), 8) + header + std::string(n, '\0');
}

class TensorFile : public ImportTest {
 protected:
  void SetUp() override {
    ImportTest::SetUp();
    bd_arena_init(&arena);
  }
  void TearDown() override {
    bd_tensor_file_deinit(&file);
    bd_arena_deinit(&arena);
    ImportTest::TearDown();
  }
  // In memory of just that size, so that a sanitizer sees what is read beyond.
  buddy_code Read(const std::string &text) {
    bd_tensor_file_deinit(&file);
    buddy_diags_clear(diags);
    bytes.assign(text.begin(), text.end());
    bytes.shrink_to_fit();
    return bd_tensor_file_init(&arena, bytes.data(), bytes.size(), "w", diags, &file);
  }
  std::string Refused(const std::string &text) {
    EXPECT_NE(Read(text), BUDDY_OK);
    EXPECT_EQ(file.tensors, nullptr);
    return Said();
  }
  // Whatever is accepted lies within the file, and no two share a byte.
  void Check() {
    for (const bd_file_tensor *t = file.tensors; t; t = static_cast<bd_file_tensor *>(t->hh.next)) {
      ASSERT_LE(t->at, bytes.size());
      ASSERT_LE(t->n_bytes, bytes.size() - t->at);
      for (auto *o = static_cast<bd_file_tensor *>(t->hh.next); o;
           o = static_cast<bd_file_tensor *>(o->hh.next))
        ASSERT_TRUE(t->at + t->n_bytes <= o->at || o->at + o->n_bytes <= t->at);
    }
  }
  bd_arena arena = {};
  bd_tensor_file file = {};
  std::vector<uint8_t> bytes;
};

TEST_F(TensorFile, Safetensors) {
  ASSERT_EQ(Read(Corpus("three.safetensors")), BUDDY_OK) << Said();
  const bd_file_tensor *a = bd_tensor_file_find(&file, "a.weight");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->dtype, BUDDY_F32);
  EXPECT_EQ(std::vector<int64_t>(a->dims, a->dims + a->rank), (std::vector<int64_t>{2, 3}));
  float last;
  std::memcpy(&last, &bytes[a->at + a->n_bytes - 4], 4);
  EXPECT_EQ(last, 5);
  EXPECT_EQ(bd_tensor_file_find(&file, "c")->rank, 0u);
  EXPECT_EQ(bd_tensor_file_find(&file, "b")->n_bytes, 0u);
  EXPECT_EQ(bd_tensor_file_find(&file, "__metadata__"), nullptr);
}

TEST_F(TensorFile, Gguf) {
  ASSERT_EQ(Read(Corpus("two.gguf")), BUDDY_OK) << Said();
  const bd_file_tensor *up = bd_tensor_file_find(&file, "blk.0.ffn_up.weight");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(std::vector<int64_t>(up->dims, up->dims + up->rank), (std::vector<int64_t>{2, 3}));
  float last;
  std::memcpy(&last, &bytes[up->at + up->n_bytes - 4], 4);
  EXPECT_EQ(last, 5);
  const bd_file_tensor *q = bd_tensor_file_find(&file, "q");
  EXPECT_EQ(q->dtype, BUDDY_DTYPE_NONE);
  EXPECT_STREQ(q->type_name, "Q8_0");
}

std::string Bytes(uint64_t number, size_t n) {
  return std::string(reinterpret_cast<const char *>(&number), n);
}

std::string Text(const std::string &text) { return Bytes(text.size(), 8) + text; }

// One tensor "w" of that type and sizes, from the innermost on, and n bytes of it.
std::string Gguf(uint32_t type, const std::vector<uint64_t> &sizes, size_t n) {
  std::string head = "GGUF" + Bytes(3, 4) + Bytes(1, 8) + Bytes(4, 8);
  head += Text("general.architecture") + Bytes(8, 4) + Text("llama");
  head += Text("llama.attention.head_count") + Bytes(4, 4) + Bytes(8, 4);
  head += Text("other.attention.head_count") + Bytes(4, 4) + Bytes(7, 4);
  head += Text("llama.attention.head_count_kv") + Bytes(4, 4) + Bytes(2, 4);
  head += Text("w") + Bytes(sizes.size(), 4);
  for (const uint64_t size : sizes) head += Bytes(size, 8);
  head += Bytes(type, 4) + Bytes(0, 8);
  head.resize((head.size() + 31) / 32 * 32);
  return head + std::string(n, '\0');
}

TEST_F(TensorFile, BlocksAreWholeRows) {
  const struct {
    uint32_t type;
    uint64_t n_numbers, n_bytes;
  } kinds[] = {{2, 32, 18}, {8, 32, 34}, {12, 256, 144}, {14, 256, 210}};
  for (const auto &kind : kinds) {
    const uint64_t n = 3 * kind.n_numbers, n_bytes = 5 * 3 * kind.n_bytes;
    ASSERT_EQ(Read(Gguf(kind.type, {n, 5}, n_bytes)), BUDDY_OK) << Said();
    const bd_file_tensor *w = bd_tensor_file_find(&file, "w");
    ASSERT_NE(w->block, nullptr);
    EXPECT_EQ(w->n_bytes, n_bytes);
    EXPECT_STREQ(file.architecture, "llama");
    EXPECT_EQ(file.n_heads, 8u);
    EXPECT_EQ(file.n_kv_heads, 2u);
    Check();
    EXPECT_NE(Refused(Gguf(kind.type, {n, 5}, n_bytes - 1)).find("beyond"), std::string::npos);
    // A row that ends within a block, though all numbers together are whole ones.
    EXPECT_NE(Refused(Gguf(kind.type, {n / 2, 10}, n_bytes)).find("sizes that cannot be"),
              std::string::npos);
    EXPECT_NE(Refused(Gguf(kind.type, {}, n_bytes)).find("sizes that cannot be"),
              std::string::npos);
    Refused(Gguf(kind.type, {n, uint64_t{1} << 62}, n_bytes));
    Refused(Gguf(kind.type, {uint64_t{1} << 63, 1}, n_bytes));
  }
  ASSERT_EQ(Read(Gguf(10, {256}, 84)), BUDDY_OK) << Said();  // Q2_K: named, and of no known size
  EXPECT_EQ(bd_tensor_file_find(&file, "w")->block, nullptr);
  EXPECT_EQ(bd_tensor_file_find(&file, "w")->n_bytes, 0u);
}

TEST_F(TensorFile, WhatLiesIsRefused) {
  const char f32[] = R"("dtype":"F32","shape":[2])";
  const auto one = [&](const std::string &offsets) {
    return "{\"a\":{" + std::string(f32) + ",\"data_offsets\":" + offsets + "}}";
  };
  EXPECT_EQ(Read(Safetensors(one("[0,8]"), 8)), BUDDY_OK) << Said();
  EXPECT_NE(Refused(Safetensors(one("[0,8]"), 7)).find("'a' lies outside"), std::string::npos);
  EXPECT_NE(Refused(Safetensors(one("[0,4]"), 8)).find("4 bytes, and its sizes want 8"),
            std::string::npos);
  for (const char *offsets :
       {"[8,0]", "[-8,0]", "[0]", "[0,8,8]", "{}", "[0,9223372036854775807]", "[0,1e3]", "\"08\""})
    Refused(Safetensors(one(offsets), 8));
  EXPECT_NE(Refused(Safetensors("{\"a\":{" + std::string(f32) + ",\"data_offsets\":[0,8]},\"b\":{" +
                                    f32 + ",\"data_offsets\":[4,12]}}",
                                12))
                .find("'a' and 'b' overlap"),
            std::string::npos);
  EXPECT_NE(Refused(Safetensors("{\"a\":{" + std::string(f32) + ",\"data_offsets\":[0,8]},\"a\":{" +
                                    f32 + ",\"data_offsets\":[8,16]}}",
                                16)),
            "");
  for (const char *header :
       {"[]", "{", "{}x", R"({"a":3})",
        R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]}})",
        R"({"a\u0000b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})"})
    Refused(Safetensors(header, 8));
  EXPECT_NE(Refused("GGUF\4\0\0\0").find("file ends"), std::string::npos) << "seven bytes";
  EXPECT_NE(Refused(std::string("GGUF\4\0\0\0", 8)).find("version 4"), std::string::npos);
  EXPECT_NE(Refused("").find("no file of weights"), std::string::npos);
  EXPECT_NE(Refused("PK\3\4 and so on").find("no file of weights"), std::string::npos);
}

TEST_F(TensorFile, CutOrChangedAnywhere) {
  for (const char *name : {"three.safetensors", "two.gguf"}) {
    const std::string whole = Corpus(name);
    ASSERT_GT(whole.size(), 100u) << name;
    for (size_t n = 0; n < whole.size(); n++) {
      if (Read(whole.substr(0, n)) == BUDDY_OK) Check();
      for (const char c : {'\0', '\1', '\177', '\377', '"'}) {
        std::string other = whole;
        other[n] = c;
        if (Read(other) == BUDDY_OK)
          Check();
        else
          ASSERT_NE(Said(), "");
      }
    }
  }
}

TEST_F(TensorFile, FreesEverythingWhenMemoryIsOut) {
  for (const char *name : {"three.safetensors", "two.gguf"}) {
    const std::string whole = Corpus(name);
    buddy_code code = BUDDY_OUT_OF_MEMORY;
    for (int64_t n = 0; code != BUDDY_OK; n++) {
      ASSERT_LT(n, 1000);
      Read("");
      bytes.assign(whole.begin(), whole.end());
      bd_memory_fail_after(n);
      code = bd_tensor_file_init(&arena, bytes.data(), bytes.size(), "w", nullptr, &file);
      bd_memory_fail_after(-1);
      ASSERT_TRUE(code == BUDDY_OK || code == BUDDY_OUT_OF_MEMORY) << n;
    }
  }
}

}  // namespace
