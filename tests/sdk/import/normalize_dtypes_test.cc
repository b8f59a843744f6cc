// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class DtypesTest : public ImportTest {
 protected:
  // The nodes that one op on i: i64[2] and f: f32[2], h: f16[2], z: f64[], b: i1[2] becomes,
  // without the frame.
  std::string Convert(const std::string &op, const std::string &type) {
    const std::string inputs =
        "input %i : i64[2]\ninput %f : f32[2]\ninput %h : f16[2]\ninput %z : f64[]\ninput %b : "
        "i1[2]\n";
    std::string text = Normalize(inputs + "%y = " + op + " : " + type + "\noutput %y\n");
    if (text.substr(0, inputs.size()) != inputs) return text;
    text = text.substr(inputs.size());
    return text.substr(0, text.find("output"));
  }
};

TEST_F(DtypesTest, OperandsHaveTheResultsDtype) {
  EXPECT_EQ(Convert("aten.add.Tensor(self=%i, other=%f)", "f32[2]"),
            "%_to_copy_1 = aten._to_copy.default(self=%i, dtype=dtype(f32)) : f32[2]\n"
            "%y = aten.add.Tensor(self=%_to_copy_1, other=%f) : f32[2]\n");
  EXPECT_EQ(Convert("aten.sqrt.default(self=%i)", "f32[2]"),
            "%_to_copy_1 = aten._to_copy.default(self=%i, dtype=dtype(f32)) : f32[2]\n%y = "
            "aten.sqrt.default(self=%_to_copy_1) : f32[2]\n");
  EXPECT_EQ(Convert("aten.mul.Tensor(self=%f, other=%z)", "f32[2]"),
            "%_to_copy_1 = aten._to_copy.default(self=%z, dtype=dtype(f32)) : f32[]\n%y = "
            "aten.mul.Tensor(self=%f, other=%_to_copy_1) : f32[2]\n");
}

TEST_F(DtypesTest, ComparisonsPromote) {
  EXPECT_EQ(Convert("aten.lt.Tensor(self=%i, other=%h)", "i1[2]"),
            "%_to_copy_1 = aten._to_copy.default(self=%i, dtype=dtype(f16)) : f16[2]\n%y = "
            "aten.lt.Tensor(self=%_to_copy_1, other=%h) : i1[2]\n");
  EXPECT_EQ(Convert("aten.eq.Scalar(self=%i, other=2.5)", "i1[2]"),
            "%_to_copy_1 = aten._to_copy.default(self=%i, dtype=dtype(f32)) : f32[2]\n%y = "
            "aten.eq.Tensor(self=%_to_copy_1, other=2.5) : i1[2]\n");
  EXPECT_EQ(Convert("aten.gt.Scalar(self=%f, other=0)", "i1[2]"),
            "%y = aten.gt.Tensor(self=%f, other=0.0) : i1[2]\n");
}

TEST_F(DtypesTest, NumbersTakeTheKindOfTheDtype) {
  EXPECT_EQ(Convert("aten.add.Tensor(self=%f, other=2, alpha=3)", "f32[2]"),
            "%y = aten.add.Tensor(self=%f, other=2.0, alpha=3.0) : f32[2]\n");
  EXPECT_EQ(Convert("aten.add.Tensor(self=%f, other=2, alpha=1.0)", "f32[2]"),
            "%y = aten.add.Tensor(self=%f, other=2.0) : f32[2]\n");
  EXPECT_EQ(Convert("aten.mul.Tensor(self=%i, other=true)", "i64[2]"),
            "%y = aten.mul.Tensor(self=%i, other=1) : i64[2]\n");
  EXPECT_EQ(Convert("aten.masked_fill.Scalar(self=%i, mask=%b, value=2.0)", "i64[2]"),
            "%y = aten.masked_fill.Tensor(self=%i, mask=%b, value=2) : i64[2]\n");
  EXPECT_EQ(Convert("aten.constant_pad_nd.default(self=%f, pad=[1, 1], value=3)", "f32[4]"),
            "%y = aten.constant_pad_nd.default(self=%f, pad=[1, 1], value=3.0) : f32[4]\n");
}

// Whole numbers too, ties to even, what is beyond an infinity or no number.
TEST_F(DtypesTest, NumbersBesideShortFloatsAreRounded) {
  const auto beside = [&](const std::string &dtype, const std::string &number) {
    const std::string text =
        Normalize("input %x : " + dtype + "[2]\n%y = aten.eq.Scalar(self=%x, other=" + number +
                  ") : i1[2]\noutput %y\n");
    const size_t at = text.find("other=") + 6;
    return text.substr(at, text.find(')', at) - at);
  };
  EXPECT_EQ(beside("f16", "2049"), "2048.0");
  EXPECT_EQ(beside("f16", "70000.0"), "inf");
  EXPECT_EQ(beside("bf16", "257"), "256.0");
  EXPECT_EQ(beside("f8e5m2", "-0.7"), "-0.75");
  EXPECT_EQ(beside("f8e5m2", "17"), "16.0");
  EXPECT_EQ(beside("f8e5m2", "-61440.0"), "-inf");
  EXPECT_EQ(beside("f8e4m3fn", "-0.7"), "-0.6875");
  EXPECT_EQ(beside("f8e4m3fn", "464.0"), "448.0");
  EXPECT_EQ(beside("f8e4m3fn", "465"), "448.0");
  EXPECT_EQ(beside("f8e4m3fnuz", "248.5"), "nan");
  EXPECT_EQ(beside("f8e5m2fnuz", "0.7"), "0.75");
  EXPECT_EQ(beside("f8e8m0fnu", "-0.7"), "0.5"); /* neither signs nor zero */
  EXPECT_EQ(beside("f8e8m0fnu", "3"), "4.0");
  EXPECT_EQ(beside("f8e8m0fnu", "2.5"), "2.0");
  EXPECT_EQ(beside("f8e8m0fnu", "1e39"), "nan");
  EXPECT_EQ(std::stod(beside("f8e8m0fnu", "0.0")), 0x1p-127);
  EXPECT_EQ(std::stod(beside("f8e8m0fnu", "6e-39")), 0x1p-126);
  EXPECT_EQ(beside("f32", "0.7"), "0.7");
}

TEST_F(DtypesTest, ConditionsStay) {
  EXPECT_EQ(Convert("aten.where.self(condition=%b, self=%i, other=%f)", "f32[2]"),
            "%_to_copy_1 = aten._to_copy.default(self=%i, dtype=dtype(f32)) : f32[2]\n"
            "%y = aten.where.self(condition=%b, self=%_to_copy_1, other=%f) : f32[2]\n");
  EXPECT_EQ(Convert("aten.logical_and.default(self=%b, other=%i)", "i1[2]"),
            "%_to_copy_1 = aten._to_copy.default(self=%i, dtype=dtype(i1)) : i1[2]\n%y = "
            "aten.logical_and.default(self=%b, other=%_to_copy_1) : i1[2]\n");
  EXPECT_EQ(Convert("aten.isnan.default(self=%f)", "i1[2]"),
            "%y = aten.isnan.default(self=%f) : i1[2]\n");
}

TEST_F(DtypesTest, ReductionsConvertFirst) {
  EXPECT_EQ(Convert("aten.sum.default(self=%b)", "i64[]"),
            "%_to_copy_1 = aten._to_copy.default(self=%b, dtype=dtype(i64)) : i64[2]"
            "\n%y = aten.sum.default(self=%_to_copy_1) : i64[]\n");
}

TEST_F(DtypesTest, ListsHaveOneDtype) {
  EXPECT_EQ(Convert("aten.cat.default(tensors=[%i, %f])", "f32[4]"),
            "%_to_copy_1 = aten._to_copy.default(self=%i, dtype=dtype(f32)) : f32[2]\n%y = "
            "aten.cat.default(tensors=[%_to_copy_1, %f]) : f32[4]\n");
}

}  // namespace
