// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/hostile/misuse_test.cc: rows that misuse the host fail; the host, the graph and the next
// row do not.
#include "tests/core/registry/fake_emitter.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

struct Case {
  const char *op;
  buddy_code code;     // of the one try
  const char *reason;  // of the one try
};

void PrintTo(const Case &one, std::ostream *out) { *out << one.op; }

class Misuse : public RegistryTest {
 protected:
  std::string Name(const char *op) { return std::string("misuse.") + op + ".default"; }

  void LoadOps(const std::vector<const char *> &ops) {
    for (const char *op : ops) {
      const std::string schema =
          std::string("misuse::") + op + "(Tensor self, int alpha=1) -> Tensor";
      ASSERT_EQ(buddy_opset_define(opset, schema.c_str(), BUDDY_KIND_OTHER, diags), BUDDY_OK)
          << Text();
    }
    ASSERT_EQ(Load("misuse"), BUDDY_OK) << Text();
  }

  void AddNode(const char *op, int64_t alpha = 1) {
    Output(Value(Name(op).c_str(), {Tensor("self", Input(BUDDY_F32, {2})), Int("alpha", alpha)}));
  }

  // Plans, and emits if all is taken.
  buddy_code Run() {
    const buddy_code code = Plan();
    if (code != BUDDY_OK) return code;
    emitter = fake_emitter();
    return bd_plan_emit(plan, graph, &fake_emitter_table, &emitter, 0, diags);
  }

  fake_emitter emitter = fake_emitter();
};

class MisuseTest : public Misuse, public testing::WithParamInterface<Case> {};

TEST_P(MisuseTest, FailsTheCallAlone) {
  const Case &one = GetParam();
  LoadOps({one.op, "plain"});
  AddNode(one.op, std::string(one.op) == "unread" ? 3 : 1);
  AddNode("plain");
  EXPECT_NE(Run(), BUDDY_OK);
  ASSERT_NE(plan, nullptr);
  const buddy_decision *decision = buddy_plan_decision(plan, 0);
  // A failure that ends the emission is in the diagnostics; all others are in the trail.
  if (!decision->is_taken) {
    ASSERT_EQ(decision->n_tries, 1u);
    EXPECT_EQ(decision->tries[0].code, one.code) << decision->tries[0].reason;
    EXPECT_STREQ(decision->tries[0].reason, one.reason);
  } else {
    EXPECT_NE(Text().find(one.reason), std::string::npos) << Text();
    EXPECT_EQ(buddy_diags_get(diags, 0)->code, one.code);
  }
  EXPECT_EQ(buddy_graph_n_nodes(graph), 2u) << "an expansion was not undone";
  EXPECT_EQ(buddy_graph_verify(graph, diags), BUDDY_OK) << Text();
}

const Case cases[] = {
    {"no_result", BUDDY_VERIFY_FAILED, "result 0 is not set"},
    {"null_operand", BUDDY_INVALID_ARGUMENT, "ir_op 'misuse.op': operand 0 is null"},
    {"null_value", BUDDY_INVALID_ARGUMENT, "ir_value: the value is null"},
    {"null_spec", BUDDY_INVALID_ARGUMENT, "ir_op: the spec is null, or its struct_size is not set"},
    {"null_call", BUDDY_DECLINED, "null calls are refused"},
    {"result_out_of_range", BUDDY_INVALID_ARGUMENT, "ir_set_result: result 5 of 1"},
    {"null_result", BUDDY_INVALID_ARGUMENT, "ir_set_result: the value of result 0 is null"},
    {"bad_texts", BUDDY_INVALID_ARGUMENT, "ir_type_parse: the text is empty"},
    {"unparsed", BUDDY_INTERNAL, "ir_type_parse failed"},
    {"endless_ops", BUDDY_LIMIT, "built more than 65536 ops"},
    {"unknown_code", BUDDY_INTERNAL, "returned the unknown code 77"},
    {"negative_code", BUDDY_INTERNAL, "returned the unknown code -1"},
    {"unread", BUDDY_INTERNAL, "row listed 'alpha' but never read it"},
    {"fail_with_ok", BUDDY_INTERNAL, "no reason given"},
    {"fail_with_decline", BUDDY_INTERNAL, "a \\x01 strange\\xFF reason"},
    {"node_in_emit", BUDDY_INVALID_ARGUMENT, "node is for expand() only"},
    {"argument_out_of_range", BUDDY_INVALID_ARGUMENT, "asked for argument 9 of 1"},
    {"type_out_of_range", BUDDY_INVALID_ARGUMENT, "asked for result 9 of 1"},
    {"type_of_null", BUDDY_INVALID_ARGUMENT, "value_type: the value is null"},
    {"by_zero", BUDDY_INVALID_ARGUMENT, "a dim cannot be computed: division by 0"},
    {"dim_op", BUDDY_INVALID_ARGUMENT, "dim: there is no operation 99"},
    {"other_thread", BUDDY_INVALID_ARGUMENT, "called a host function on another thread"},
    {"match_builds", BUDDY_INTERNAL, "match must not build, but called ir_type_parse"},
    {"match_expands", BUDDY_INTERNAL, "match must not build, but called node"},
    {"no_replacement", BUDDY_VERIFY_FAILED, "expanded, but gave nothing for result 0"},
    {"wrong_type", BUDDY_VERIFY_FAILED, "result 0 is f32[2], but what shall replace it is f64[3]"},
    {"wrong_dims", BUDDY_VERIFY_FAILED, "result 0 is f32[2], but what shall replace it is f32[3]"},
    {"unknown_op", BUDDY_NOT_FOUND,
     "node misuse.nowhere.default: there is no op \"misuse.nowhere.default\""},
    {"unknown_argument", BUDDY_INVALID_ARGUMENT,
     "node misuse.plain.default: there is no argument \"myself\""},
    {"null_op", BUDDY_INVALID_ARGUMENT,
     "node: a null op, null arguments, or nowhere to put the results"},
    {"null_tensor", BUDDY_INVALID_ARGUMENT, "self: the value is null"},
    {"null_list", BUDDY_INVALID_ARGUMENT,
     "node misuse.plain.default: argument 'self' is a list that is null"},
    {"unknown_kind", BUDDY_INVALID_ARGUMENT,
     "node misuse.plain.default: argument 'self' has an unknown kind"},
    {"bad_type", BUDDY_INVALID_ARGUMENT, "node misuse.plain.default: type 0 is malformed"},
    {"endless_nodes", BUDDY_LIMIT, "added more than 65536 nodes"},
    {"replace_out_of_range", BUDDY_INVALID_ARGUMENT, "replace: result 3 of 1"},
    {"replace_by_null", BUDDY_INVALID_ARGUMENT, "replace: the value is null"},
    {"emit_in_expand", BUDDY_INVALID_ARGUMENT, "ir_dim is for emit() only"},
};

INSTANTIATE_TEST_SUITE_P(Hostile, MisuseTest, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &one) {
                           return std::string(one.param.op);
                         });

TEST_F(Misuse, AsksForTooMuchMemory) {
  LoadOps({"huge_scratch"});
  AddNode("huge_scratch");
  EXPECT_EQ(Run(), BUDDY_OUT_OF_MEMORY);
}

TEST_F(Misuse, KeepsACallBeyondItsEnd) {
  LoadOps({"keep_call", "use_kept_call"});
  AddNode("keep_call");
  AddNode("use_kept_call");
  EXPECT_EQ(Run(), BUDDY_OK) << Text();
  EXPECT_STREQ(emitter.committed, "misuse.op misuse.op");
}

TEST_F(Misuse, KeepsACallBeyondItsPlan) {
  LoadOps({"keep_call", "use_kept_call"});
  AddNode("keep_call");
  EXPECT_EQ(Run(), BUDDY_OK) << Text();
  StartGraph();
  AddNode("use_kept_call");
  EXPECT_EQ(Run(), BUDDY_OK) << Text();
}

TEST_F(Misuse, HandsInAValueOfAnotherGraph) {
  LoadOps({"keep_value", "foreign_value"});
  AddNode("keep_value");
  EXPECT_EQ(Run(), BUDDY_OK) << Text();
  buddy_plan_destroy(plan);
  plan = nullptr;
  buddy_graph *first = graph;
  graph = nullptr;
  StartGraph();
  AddNode("foreign_value");
  EXPECT_EQ(Run(), BUDDY_UNSUPPORTED);
  EXPECT_STREQ(buddy_plan_decision(plan, 0)->tries[0].reason,
               "value_type: the value belongs to another graph");
  buddy_graph_destroy(first);
}

}  // namespace
