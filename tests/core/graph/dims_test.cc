// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <random>

#include "tests/core/graph/fixture.h"

namespace {

class DimsTest : public GraphFixture {
 protected:
  buddy_code Combine(buddy_dim_op op, int64_t a, int64_t b, int64_t *out) {
    return buddy_graph_dim(graph, op, a, b, out);
  }
};

TEST_F(DimsTest, EqualExpressionsAreEqualNumbers) {
  Symbol("s0");
  Symbol("s1");
  const std::pair<const char *, const char *> pairs[] = {
      {"2*s0+1", "1+s0+s0"},
      {"(s0+1)*(s0-1)", "s0**2-1"},
      {"s0*s1", "s1*s0"},
      {"s0-s0", "0"},
      {"(s0+s1)*(s0+s1)", "s0*s0+2*s0*s1+s1**2"},
      {"max(s0,s1)", "max(s1,s0)"},
      {"max(s0,max(s1,s0))", "max(s0,s1)"},
      {"(s0+2)//2", "s0//2+1"},
      {"(3*s0)//6", "s0//2"},
      {"s0//2//3", "s0//6"},
      {"(s0//2)*2+s0%2-s0%2", "2*(s0//2)"},
      {"(s0+7)%4", "(s0+3)%4"},
      {"s0//-2", "(-s0)//2"},
  };
  for (const auto &pair : pairs)
    EXPECT_EQ(Dim(pair.first), Dim(pair.second)) << pair.first << " " << Normal(pair.first);
  EXPECT_NE(Dim("s0//2"), Dim("s1//2"));
}

TEST_F(DimsTest, NumbersFold) {
  int64_t out;
  const struct {
    buddy_dim_op op;
    int64_t a, b, result;
  } cases[] = {
      {BUDDY_DIM_ADD, 2, 3, 5},        {BUDDY_DIM_SUB, 2, 3, -1},       {BUDDY_DIM_MUL, 4, -3, -12},
      {BUDDY_DIM_FLOORDIV, -7, 2, -4}, {BUDDY_DIM_FLOORDIV, 7, -2, -4}, {BUDDY_DIM_MOD, -7, 2, 1},
      {BUDDY_DIM_MOD, 7, -2, -1},      {BUDDY_DIM_MAX, 2, 3, 3},        {BUDDY_DIM_MIN, 2, 3, 2},
      {BUDDY_DIM_MUL, 0, 5, 0},        {BUDDY_DIM_FLOORDIV, 0, 5, 0},   {BUDDY_DIM_MOD, 6, 3, 0}};
  for (const auto &each : cases) {
    ASSERT_EQ(Combine(each.op, each.a, each.b, &out), BUDDY_OK);
    EXPECT_EQ(out, each.result) << each.op << " " << each.a << " " << each.b;
  }
}

TEST_F(DimsTest, WhatCannotBeIsTold) {
  const int64_t s0 = Symbol("s0");
  int64_t out = 7;
  EXPECT_EQ(Combine(BUDDY_DIM_FLOORDIV, s0, 0, &out), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(Combine(BUDDY_DIM_MOD, s0, 0, &out), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Combine(99, s0, 1, &out), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Combine(BUDDY_DIM_ADD, INT64_MIN + 1000, 1, &out), BUDDY_INVALID_ARGUMENT)
      << "no such dim";
  EXPECT_EQ(Combine(BUDDY_DIM_ADD, INT64_MAX, 1, &out), BUDDY_LIMIT);
  EXPECT_EQ(Combine(BUDDY_DIM_MUL, INT64_MAX, s0, &out), BUDDY_OK);
  EXPECT_EQ(Combine(BUDDY_DIM_MUL, out, 2, &out), BUDDY_LIMIT);
  EXPECT_EQ(Combine(BUDDY_DIM_SUB, INT64_MIN / 2, INT64_MAX / 2 + 2, &out), BUDDY_LIMIT)
      << "no number may look symbolic";
}

TEST_F(DimsTest, LargeExpressionsAreRefused) {
  const int64_t s0 = Symbol("s0", 2), s1 = Symbol("s1", 2);
  int64_t nested = s0, sum = s0, power = s0, widest = s0;
  buddy_code code = BUDDY_OK;
  for (int i = 0; !code && i < 10000; ++i) { /* each level doubles the tree */
    int64_t other;
    code = Combine(BUDDY_DIM_FLOORDIV, nested, s1, &other);
    if (!code) code = Combine(BUDDY_DIM_MAX, nested, other, &other);
    if (!code) code = Combine(BUDDY_DIM_MUL, other, nested, &nested);
  }
  EXPECT_EQ(code, BUDDY_LIMIT);
  code = BUDDY_OK;
  for (int i = 0; !code && i < 10000; ++i)
    code = Combine(BUDDY_DIM_ADD, sum, Symbol(("t" + std::to_string(i)).c_str()), &sum);
  EXPECT_EQ(code, BUDDY_LIMIT);
  code = BUDDY_OK;
  for (int i = 0; !code && i < 10000; ++i) code = Combine(BUDDY_DIM_MUL, power, s0, &power);
  EXPECT_EQ(code, BUDDY_LIMIT);
  code = BUDDY_OK;
  for (int i = 0; !code && i < 10000; ++i) {
    code = Combine(BUDDY_DIM_MAX, widest, Symbol(("t" + std::to_string(i)).c_str()), &widest);
  }
  EXPECT_EQ(code, BUDDY_LIMIT);
}

TEST_F(DimsTest, SymbolsHaveRangesAndNames) {
  const int64_t s0 = Symbol("s0", 2, 64);
  EXPECT_TRUE(BUDDY_IS_SYMBOLIC(s0));
  EXPECT_EQ(Symbol("s0", 5, 6), s0) << "the one that has the name already";
  ASSERT_EQ(buddy_graph_n_symbols(graph), 1u);
  const buddy_symbol *symbol = buddy_graph_symbol(graph, 0);
  EXPECT_STREQ(symbol->name, "s0");
  EXPECT_EQ(symbol->dim, s0);
  EXPECT_EQ(symbol->min, 2);
  EXPECT_EQ(symbol->max, 64);
  EXPECT_EQ(buddy_graph_symbol(graph, 1), nullptr);
  int64_t out;
  for (const char *name : {"", "0s", "a b", "a+b", ".a"}) {
    EXPECT_EQ(buddy_graph_add_symbol(graph, name, 0, 1, &out), BUDDY_INVALID_ARGUMENT) << name;
  }
  EXPECT_EQ(buddy_graph_add_symbol(graph, nullptr, 0, 1, &out), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_add_symbol(graph, "x", 2, 1, &out), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_add_symbol(graph, "x", INT64_MIN + 1, 1, &out), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_add_symbol(graph, "x", INT64_MIN, INT64_MAX, &out), BUDDY_OK);
}

TEST_F(DimsTest, SymbolsAreBoundToScalars) {
  Symbol("u0", 0);
  const buddy_value *n = Input("n", {}, BUDDY_I64), *m = Input("m", {}, BUDDY_I64),
                    *x = Input("x", {2});
  EXPECT_EQ(buddy_graph_bind_symbol(graph, 1, n), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_bind_symbol(graph, 0, x), BUDDY_INVALID_ARGUMENT);
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 0, n), BUDDY_OK);
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 0, m), BUDDY_OK);
  EXPECT_EQ(buddy_graph_symbol(graph, 0)->bound_to, m);
  ExpectSound();
}

TEST_F(DimsTest, TheStructureCanBeWalked) {
  const int64_t s0 = Symbol("s0"), s1 = Symbol("s1");
  const int64_t sum = Dim("3*s0*s1 + max(s0,s1) + 7");
  EXPECT_EQ(buddy_graph_dim_kind(graph, sum), BUDDY_DIM_KIND_SUM);
  ASSERT_EQ(buddy_graph_dim_n_operands(graph, sum), 3u);
  const int64_t product = buddy_graph_dim_operand(graph, sum, 0),
                max = buddy_graph_dim_operand(graph, sum, 1);
  EXPECT_EQ(buddy_graph_dim_operand(graph, sum, 2), 7);
  EXPECT_EQ(buddy_graph_dim_operand(graph, sum, 3), 0);
  EXPECT_EQ(buddy_graph_dim_kind(graph, product), BUDDY_DIM_KIND_PRODUCT);
  EXPECT_EQ(buddy_graph_dim_n_operands(graph, product), 3u);
  EXPECT_EQ(buddy_graph_dim_operand(graph, product, 0), 3);
  EXPECT_EQ(buddy_graph_dim_kind(graph, max), BUDDY_DIM_KIND_MAX);
  EXPECT_EQ(buddy_graph_dim_kind(graph, s1), BUDDY_DIM_KIND_SYMBOL);
  EXPECT_EQ(buddy_graph_dim_n_operands(graph, s1), 0u);
  EXPECT_EQ(buddy_graph_dim_symbol(graph, s1), 1u);
  EXPECT_EQ(buddy_graph_dim_symbol(graph, sum), SIZE_MAX);
  EXPECT_EQ(buddy_graph_dim_kind(graph, 7), BUDDY_DIM_KIND_NUMBER);
  EXPECT_EQ(buddy_graph_dim_n_operands(graph, 7), 0u);
  EXPECT_EQ(buddy_graph_dim_kind(graph, Dim("s0//4")), BUDDY_DIM_KIND_FLOORDIV);
  EXPECT_EQ(buddy_graph_dim_operand(graph, Dim("s0//4"), 0), s0);
  EXPECT_EQ(buddy_graph_dim_kind(graph, Dim("s0%4")), BUDDY_DIM_KIND_MOD);
  EXPECT_EQ(buddy_graph_dim_kind(graph, Dim("min(s0,s1)")), BUDDY_DIM_KIND_MIN);
}

TEST_F(DimsTest, Evaluation) {
  Symbol("s0");
  Symbol("s1");
  const int64_t values[] = {5, 3};
  int64_t out;
  ASSERT_EQ(buddy_graph_dim_eval(graph, Dim("2*s0**2 + s0//s1 - s0%s1 + max(s0,s1)*min(s0,s1)"),
                                 values, 2, &out),
            BUDDY_OK);
  EXPECT_EQ(out, 50 + 1 - 2 + 15);
  ASSERT_EQ(buddy_graph_dim_eval(graph, 8, values, 0, &out), BUDDY_OK);
  EXPECT_EQ(out, 8);
  EXPECT_EQ(buddy_graph_dim_eval(graph, Dim("s1"), values, 1, &out), BUDDY_INVALID_ARGUMENT)
      << "a symbol without a value";
  EXPECT_EQ(buddy_graph_dim_eval(graph, INT64_MIN + 100000, values, 2, &out),
            BUDDY_INVALID_ARGUMENT);
  const int64_t large[] = {INT64_MAX / 2, 0};
  EXPECT_EQ(buddy_graph_dim_eval(graph, Dim("s0*s0"), large, 2, &out), BUDDY_LIMIT);
  EXPECT_EQ(buddy_graph_dim_eval(graph, Dim("3*s0+1"), large, 2, &out), BUDDY_LIMIT);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(buddy_graph_dim_eval(graph, Dim("s0//s1"), large, 2, &out), BUDDY_INVALID_ARGUMENT)
      << "division by 0";
  const int64_t lowest[] = {INT64_MIN, -1};
  EXPECT_EQ(buddy_graph_dim_eval(graph, Dim("s0//s1"), lowest, 2, &out), BUDDY_LIMIT);
}

/* Python's meaning, without any simplification. */
int64_t Apply(buddy_dim_op op, int64_t a, int64_t b) {
  const int64_t q = b ? a / b - (a % b != 0 && (a < 0) != (b < 0)) : 0;
  switch (op) {
    case BUDDY_DIM_ADD:
      return a + b;
    case BUDDY_DIM_SUB:
      return a - b;
    case BUDDY_DIM_MUL:
      return a * b;
    case BUDDY_DIM_FLOORDIV:
      return q;
    case BUDDY_DIM_MOD:
      return a - q * b;
    case BUDDY_DIM_MAX:
      return a > b ? a : b;
    default:
      return a < b ? a : b;
  }
}

/* Random expressions, built and computed side by side: simplification must not change a value. */
TEST_F(DimsTest, SimplificationKeepsTheValue) {
  std::mt19937 random(12345);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int64_t symbols[] = {Symbol("a", 1, 40), Symbol("b", 2), Symbol("c", -5, 5)};
  constexpr int kSamples = 6;
  const int64_t samples[kSamples][3] = {{1, 2, -5}, {40, 7, 5},  {13, 100, 0},
                                        {8, 3, -1}, {24, 12, 4}, {2, 2, 2}};
  int n_checked = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<int64_t> dims(symbols, symbols + 3);
    std::vector<std::vector<int64_t>> values(3, std::vector<int64_t>(kSamples));
    for (int s = 0; s < kSamples; ++s) {
      for (int i = 0; i < 3; ++i)
        values[static_cast<size_t>(i)][static_cast<size_t>(s)] = samples[s][i];
    }
    for (int step = 0; step < 6; ++step) {
      const auto op = static_cast<buddy_dim_op>(pick(7));
      const size_t a = static_cast<size_t>(pick(static_cast<int>(dims.size())));
      const bool is_number = pick(2) == 0;
      const size_t b = static_cast<size_t>(pick(static_cast<int>(dims.size())));
      const int64_t number = pick(17) - 6;
      std::vector<int64_t> results(kSamples);
      bool is_defined = true;
      for (size_t s = 0; s < kSamples; ++s) {
        const int64_t y = is_number ? number : values[b][s];
        const bool divides = op == BUDDY_DIM_FLOORDIV || op == BUDDY_DIM_MOD;
        is_defined = is_defined && (!divides || y != 0) && values[a][s] < 100000 &&
                     values[a][s] > -100000 && y < 100000 && y > -100000;
        if (is_defined) results[s] = Apply(op, values[a][s], y);
      }
      int64_t dim;
      if (!is_defined || Combine(op, dims[a], is_number ? number : dims[b], &dim)) continue;
      for (size_t s = 0; s < kSamples; ++s) {
        int64_t value;
        const buddy_code code = buddy_graph_dim_eval(graph, dim, samples[s], 3, &value);
        if (code) continue; /* an operand that was divided out was 0 here */
        ASSERT_EQ(value, results[s])
            << DimText(dims[a]) << " op " << op << " " << DimText(is_number ? number : dims[b])
            << " = " << DimText(dim) << " at " << s;
        ++n_checked;
      }
      ASSERT_EQ(Dim(DimText(dim)), dim) << DimText(dim) << ": the text reads back to the same";
      dims.push_back(dim);
      values.push_back(results);
    }
  }
  EXPECT_GT(n_checked, 50000);
}

}  // namespace
