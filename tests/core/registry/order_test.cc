// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/order_test.cc: orders and pins as users write them.
#include "core/registry/order.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/memory.h"
#include "tests/core/diags_text.h"

namespace {

class OrderTest : public testing::Test {
 protected:
  OrderTest() { EXPECT_EQ(buddy_diags_create(&diags), BUDDY_OK); }
  ~OrderTest() override { buddy_diags_destroy(diags); }

  buddy_code Parse(const std::string &text) {
    return bd_order_parse(text.c_str(), "BUDDY_REGISTRIES", diags, &order);
  }
  std::string Names() const {
    std::string names;
    for (size_t i = 0; i < order.n; ++i) names += (i ? " " : "") + std::string(order.names[i]);
    return names;
  }
  std::string Refuse(const std::string &text) {
    buddy_diags_clear(diags);
    EXPECT_EQ(Parse(text), BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(order.n, 0u);
    return DiagsText(diags);
  }

  buddy_diags *diags = nullptr;
  bd_order order = bd_order();
};

TEST_F(OrderTest, NamesInTheirOrder) {
  ASSERT_EQ(Parse("vendor:tosa:*"), BUDDY_OK);
  EXPECT_EQ(Names(), "vendor tosa *");
  EXPECT_TRUE(bd_order_names(&order, "tosa"));
  EXPECT_TRUE(bd_order_names(&order, "*"));
  EXPECT_FALSE(bd_order_names(&order, "linalg"));
  ASSERT_EQ(Parse("tosa"), BUDDY_OK);
  EXPECT_EQ(Names(), "tosa");
}

TEST_F(OrderTest, AnEmptyTextIsAnEmptyOrder) {
  ASSERT_EQ(Parse(""), BUDDY_OK);
  EXPECT_EQ(order.n, 0u);
}

TEST_F(OrderTest, BadItemsAreShown) {
  EXPECT_EQ(Refuse("tosa::linalg"), "BUDDY_REGISTRIES: item 2, '', is empty\n");
  EXPECT_EQ(Refuse(":"),
            "BUDDY_REGISTRIES: item 1, '', is empty\nBUDDY_REGISTRIES: item 2, '', is empty\n");
  EXPECT_EQ(Refuse("tosa:"), "BUDDY_REGISTRIES: item 2, '', is empty\n");
  EXPECT_EQ(Refuse("tosa:tosa"), "BUDDY_REGISTRIES: item 2, 'tosa', is there twice\n");
  EXPECT_EQ(Refuse("*:*"), "BUDDY_REGISTRIES: item 2, '*', is there twice\n");
  const std::string rule = "is no name of a registry: [a-z][a-z0-9_]*, at most 31 letters\n";
  EXPECT_EQ(Refuse("../tosa"), "BUDDY_REGISTRIES: item 1, '../tosa', " + rule);
  EXPECT_EQ(Refuse("to\nsa"), "BUDDY_REGISTRIES: item 1, 'to\\x0Asa', " + rule);
  EXPECT_EQ(Refuse("**"), "BUDDY_REGISTRIES: item 1, '**', " + rule);
  EXPECT_EQ(Refuse("Tosa"), "BUDDY_REGISTRIES: item 1, 'Tosa', " + rule);
  EXPECT_EQ(Refuse(std::string(1000, 'a')),
            "BUDDY_REGISTRIES: item 1, '" + std::string(64, 'a') + "…', " + rule);
}

TEST_F(OrderTest, ThereIsALimit) {
  std::string text = "r0";
  for (int i = 1; i < 32; ++i) text += ":r" + std::to_string(i);
  EXPECT_EQ(Parse(text), BUDDY_OK);
  EXPECT_EQ(order.n, 32u);
  EXPECT_EQ(Refuse(text + ":r32"),
            "BUDDY_REGISTRIES: the order has 33 items, at most 32 are allowed\n");
  EXPECT_EQ(Refuse(std::string(1000000, ':')),
            "BUDDY_REGISTRIES: the order has 1000001 items, at most 32 are allowed\n");
}

TEST_F(OrderTest, Pins) {
  bd_pin pin;
  ASSERT_EQ(bd_pin_parse("aten.mm.default=vendor", diags, &pin), BUDDY_OK);
  EXPECT_STREQ(pin.op, "aten.mm.default");
  EXPECT_STREQ(pin.registry, "vendor");
  for (const char *text : {"", "=", "aten.mm.default", "aten.mm.default=", "=vendor", "a b=vendor",
                           "aten.mm.default=Vendor", "a=b=c"}) {
    EXPECT_EQ(bd_pin_parse(text, diags, &pin), BUDDY_INVALID_ARGUMENT) << text;
  }
  EXPECT_EQ(bd_pin_parse(nullptr, diags, &pin), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(bd_pin_parse((std::string(256, 'a') + "=vendor").c_str(), diags, &pin),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(buddy_diags_get(diags, 2)->what),
            "'aten.mm.default' is not an op, =, and the name of a registry");
}

TEST_F(OrderTest, ListsOfPins) {
  bd_pin *pins;
  size_t n;
  ASSERT_EQ(bd_pins_parse("aten.mm.default=vendor,a=b", "there", diags, &pins, &n), BUDDY_OK);
  ASSERT_EQ(n, 2u);
  EXPECT_STREQ(pins[0].op, "aten.mm.default");
  EXPECT_STREQ(pins[1].registry, "b");
  bd_free(pins);
  ASSERT_EQ(bd_pins_parse("", "there", diags, &pins, &n), BUDDY_OK);
  EXPECT_EQ(n, 0u);
  for (const std::string &text : {std::string("a=b,"), std::string(",a=b"), std::string("a=b c=d"),
                                  std::string(4000, 'a') + "=b", std::string(2000, ',')}) {
    EXPECT_EQ(bd_pins_parse(text.c_str(), "there", diags, &pins, &n), BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(pins, nullptr);
  }
}

}  // namespace
