// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/graph/promotion.h"

#include <gtest/gtest.h>

TEST(PromotionTest, PairsAreAsInPyTorch) {
  const struct {
    buddy_dtype a, b, both;
  } pairs[] = {
      {BUDDY_F32, BUDDY_F32, BUDDY_F32},
      {BUDDY_F16, BUDDY_BF16, BUDDY_F32},
      {BUDDY_F16, BUDDY_F64, BUDDY_F64},
      {BUDDY_U8, BUDDY_I8, BUDDY_I16},
      {BUDDY_U8, BUDDY_I32, BUDDY_I32},
      {BUDDY_I8, BUDDY_I64, BUDDY_I64},
      {BUDDY_BOOL, BUDDY_U8, BUDDY_U8},
      {BUDDY_BOOL, BUDDY_U64, BUDDY_U64},
      {BUDDY_U16, BUDDY_F16, BUDDY_F16},
      {BUDDY_U16, BUDDY_I32, 0},
      {BUDDY_U32, BUDDY_U64, 0},
      {BUDDY_I64, BUDDY_BF16, BUDDY_BF16},
      {BUDDY_C64, BUDDY_F64, BUDDY_C128},
      {BUDDY_C32, BUDDY_F32, BUDDY_C64},
      {BUDDY_C64, BUDDY_BF16, BUDDY_C64},
      {BUDDY_C64, BUDDY_I64, BUDDY_C64},
      {BUDDY_C32, BUDDY_C128, BUDDY_C128},
      {BUDDY_C32, BUDDY_F16, BUDDY_C32},
      {BUDDY_F8E5M2, BUDDY_F32, 0},
      {BUDDY_F8E5M2, BUDDY_F8E5M2, BUDDY_F8E5M2},
      {BUDDY_F8E5M2, BUDDY_BOOL, BUDDY_F8E5M2},
      {BUDDY_C64, BUDDY_F8E5M2, 0},
      {0, BUDDY_F32, BUDDY_F32},
      {0, 0, 0},
  };
  for (const auto &pair : pairs) {
    EXPECT_EQ(bd_dtype_promote(pair.a, pair.b), pair.both)
        << buddy_dtype_name(pair.a) << " " << buddy_dtype_name(pair.b);
    EXPECT_EQ(bd_dtype_promote(pair.b, pair.a), pair.both)
        << buddy_dtype_name(pair.b) << " " << buddy_dtype_name(pair.a);
  }
}

TEST(PromotionTest, Kinds) {
  EXPECT_EQ(bd_dtype_as_float(BUDDY_BOOL), BUDDY_F32);
  EXPECT_EQ(bd_dtype_as_float(BUDDY_C64), BUDDY_C64);
  EXPECT_EQ(bd_dtype_real_part(BUDDY_C32), BUDDY_F16);
  EXPECT_EQ(bd_dtype_real_part(BUDDY_C128), BUDDY_F64);
  EXPECT_EQ(bd_dtype_real_part(BUDDY_I8), BUDDY_I8);
  EXPECT_TRUE(bd_dtype_is_integral(BUDDY_U64));
  EXPECT_FALSE(bd_dtype_is_integral(BUDDY_F8E4M3FN));
}

TEST(PromotionTest, NumbersCountLeast) {
  bd_promotion promotion = {};
  EXPECT_EQ(bd_promotion_result(&promotion), BUDDY_DTYPE_NONE);
  buddy_arg number = {BUDDY_ARG_BOOL, 0, 0, {1}};
  bd_promotion_add(&promotion, &number);
  EXPECT_EQ(bd_promotion_result(&promotion), BUDDY_BOOL);
  number.kind = BUDDY_ARG_INT;
  bd_promotion_add(&promotion, &number);
  EXPECT_EQ(bd_promotion_result(&promotion), BUDDY_I64);
  number.kind = BUDDY_ARG_COMPLEX;
  bd_promotion_add(&promotion, &number);
  EXPECT_EQ(bd_promotion_result(&promotion), BUDDY_C64);
  promotion.with_dims = BUDDY_F64;
  EXPECT_EQ(bd_promotion_result(&promotion), BUDDY_C128);
  number.kind = BUDDY_ARG_STRING;
  bd_promotion_add(&promotion, &number);
  EXPECT_EQ(bd_promotion_result(&promotion), BUDDY_C128);
}
