// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy files: what NumPy writes is read, what is read is checked.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "tests/sdk/compile/harness.h"

namespace {

class Npy : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/buddy_npy_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
    path_ = dir_ + "/t.npy";
  }
  void TearDown() override {
    unlink(path_.c_str());
    EXPECT_EQ(rmdir(dir_.c_str()), 0) << "a temporary file was left behind";
  }
  void write(const std::string &header, const std::string &bytes, int version = 1) {
    std::string file = "\x93NUMPY";
    file += static_cast<char>(version);
    file += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); i++)
      file += static_cast<char>(header.size() >> (8 * i) & 0xff);
    std::ofstream(path_, std::ios::binary) << file << header << bytes;
  }
  buddy_code read(buddy_dtype expected = BUDDY_DTYPE_NONE) {
    buddy_tensor_release(&tensor_.t);
    return buddy_npy_read(path_.c_str(), expected, diags_, &tensor_.t);
  }
  std::string dir_, path_;
  Diags diags_;
  Tensor tensor_;
};

TEST_F(Npy, ReadsWhatItWrote) {
#define BUDDY_X(name, number, text, bytes) BUDDY_##name,
  for (const buddy_dtype dtype : {BUDDY_DTYPES(BUDDY_X)}) {
    for (const auto &sizes :
         std::vector<std::vector<int64_t>>{{}, {5}, {2, 3}, {0, 4}, {1, 2, 1, 3}}) {
      const Tensor a = Tensor::random(dtype, sizes, 3);
      ASSERT_EQ(buddy_npy_write(path_.c_str(), &a.t, diags_), BUDDY_OK) << diags_.text();
      ASSERT_EQ(read(dtype), BUDDY_OK) << diags_.text();
      EXPECT_EQ(tensor_.t.dtype, dtype);
      ASSERT_EQ(tensor_.sizes(), sizes);
      EXPECT_EQ(std::memcmp(tensor_.t.bytes, a.t.bytes, a.n() * buddy_dtype_size(dtype)), 0);
    }
  }
#undef BUDDY_X
}

TEST_F(Npy, WritesStridedTensorsDense) {
  float values[] = {1, 4, 2, 5, 3, 6};
  int64_t sizes[] = {2, 3}, strides[] = {1, 2};
  const buddy_tensor t = {BUDDY_F32, 2, sizes, strides, values, nullptr, nullptr};
  ASSERT_EQ(buddy_npy_write(path_.c_str(), &t, diags_), BUDDY_OK);
  ASSERT_EQ(read(), BUDDY_OK);
  EXPECT_EQ(tensor_.values<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Npy, WritesNoTensorsThatAreNone) {
  float values[] = {1, 4, 2, 5, 3, 6};
  int64_t sizes[] = {2, 3}, strides[] = {1, 2};
  const buddy_tensor wrong[] = {{BUDDY_F32, 2, nullptr, strides, values, nullptr, nullptr},
                                {BUDDY_F32, 2, sizes, nullptr, values, nullptr, nullptr},
                                {BUDDY_F32, 2, sizes, strides, nullptr, nullptr, nullptr},
                                {BUDDY_F32, 65, sizes, strides, values, nullptr, nullptr},
                                {BUDDY_DTYPE_NONE, 2, sizes, strides, values, nullptr, nullptr}};
  for (const buddy_tensor &t : wrong)
    EXPECT_EQ(buddy_npy_write(path_.c_str(), &t, diags_), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(access(path_.c_str(), F_OK), 0);
}

TEST_F(Npy, ReadsFortranOrderAndAllVersions) {
  for (int version = 1; version <= 3; version++) {
    write("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n",
          std::string("\1\4\2\5\3\6", 6), version);
    ASSERT_EQ(read(), BUDDY_OK) << diags_.text();
    EXPECT_EQ(tensor_.values<uint8_t>(), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  }
}

TEST_F(Npy, ReadsKeysInAnyOrderAndPythonTwoSizes) {
  write("{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"<i2\"}   \n",
        std::string("\1\0\2\0", 4));
  ASSERT_EQ(read(), BUDDY_OK) << diags_.text();
  EXPECT_EQ(tensor_.values<int16_t>(), (std::vector<int16_t>{1, 2}));
}

TEST_F(Npy, TakesBitPatternsForWhatIsExpected) {
  write("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }\n", std::string("\x80\x3f", 2));
  ASSERT_EQ(read(BUDDY_BF16), BUDDY_OK) << diags_.text();
  EXPECT_EQ(tensor_.t.dtype, BUDDY_BF16);
  EXPECT_EQ(read(BUDDY_F32), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(diags_.text().find("it holds u16, but f32 is expected"), std::string::npos)
      << diags_.text();
}

TEST_F(Npy, MakesBooleansOfAnyByte) {
  write("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", std::string("\0\1\7", 3));
  ASSERT_EQ(read(), BUDDY_OK);
  EXPECT_EQ(tensor_.values<uint8_t>(), (std::vector<uint8_t>{0, 1, 1}));
}

TEST_F(Npy, RefusesBadHeaders) {
  const char *const headers[] = {
      "",
      "\n",
      "{}\n",
      "{'descr': '<f4', 'fortran_order': False}\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)\n",
      "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n",
      "{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }\n",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n",
      "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1), }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 1, }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296), }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}\n",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } import os\n",
  };
  for (const char *header : headers) {
    write(header, std::string(4, '\0'));
    EXPECT_EQ(read(), BUDDY_CORRUPT) << header;
    EXPECT_EQ(tensor_.t.bytes, nullptr);
  }
}

TEST_F(Npy, RefusesCutFiles) {
  write("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", std::string(16, '\1'));
  std::ifstream in(path_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (size_t n = 0; n < whole.size(); n++) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, n);
    EXPECT_EQ(read(), BUDDY_CORRUPT) << n;
  }
}

TEST_F(Npy, ReportsWhatTheSystemRefuses) {
  EXPECT_EQ(read(), BUDDY_NOT_FOUND);
  const Tensor a(BUDDY_F32, {1});
  EXPECT_NE(buddy_npy_write((dir_ + "/none/t.npy").c_str(), &a.t, diags_), BUDDY_OK);
  buddy_tensor t;
  EXPECT_EQ(buddy_npy_read(dir_.c_str(), BUDDY_DTYPE_NONE, diags_, &t), BUDDY_CORRUPT);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(read(), BUDDY_CORRUPT) << "a FIFO must not hang the reader";
}

}  // namespace
