// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/graph/fixture.h: a graph over a small opset, and short ways to say things about it.
#ifndef BUDDY_TESTS_CORE_GRAPH_FIXTURE_H
#define BUDDY_TESTS_CORE_GRAPH_FIXTURE_H

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "buddy/graph.h"
#include "tests/core/diags_text.h"

inline buddy_opset *CreateTestOpset() {
  static const struct {
    const char *schema;
    buddy_op_kind kind;
  } ops[] = {
      {"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
       BUDDY_KIND_ELEMENTWISE},
      {"aten::mul.Scalar(Tensor self, Scalar other) -> Tensor", BUDDY_KIND_ELEMENTWISE},
      {"aten::div.Tensor(Tensor self, Tensor other) -> Tensor", BUDDY_KIND_ELEMENTWISE},
      {"aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
       BUDDY_KIND_ELEMENTWISE},
      {"aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", BUDDY_KIND_ELEMENTWISE},
      {"aten::exp(Tensor self) -> Tensor", BUDDY_KIND_ELEMENTWISE},
      {"aten::abs(Tensor self) -> Tensor", BUDDY_KIND_ELEMENTWISE},
      {"aten::neg(Tensor self) -> Tensor", BUDDY_KIND_ELEMENTWISE},
      {"aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
       BUDDY_KIND_ELEMENTWISE},
      {"aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
       BUDDY_KIND_ELEMENTWISE},
      {"aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
       "device=None, bool? "
       "pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
       BUDDY_KIND_ELEMENTWISE},
      {"aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
       "dtype=None) -> Tensor",
       BUDDY_KIND_REDUCE},
      {"aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
       "Tensor",
       BUDDY_KIND_REDUCE},
      {"aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
       BUDDY_KIND_REDUCE},
      {"aten::max(Tensor self) -> Tensor", BUDDY_KIND_REDUCE},
      {"aten::max.other(Tensor self, Tensor other) -> Tensor", BUDDY_KIND_ELEMENTWISE},
      {"aten::any(Tensor self) -> Tensor", BUDDY_KIND_REDUCE},
      {"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", BUDDY_KIND_REDUCE},
      {"aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
       BUDDY_KIND_NORMALIZATION},
      {"aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", BUDDY_KIND_RESHAPE},
      {"aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
       BUDDY_KIND_OTHER},
      {"aten::cat(Tensor[] tensors, int dim=0) -> Tensor", BUDDY_KIND_CONCAT},
      {"aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", BUDDY_KIND_INDEXING},
      {"aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] "
       "padding=0, "
       "SymInt[2] dilation=1, SymInt groups=1) -> Tensor",
       BUDDY_KIND_CONVOLUTION},
      {"aten::item(Tensor self) -> Scalar", BUDDY_KIND_OTHER},
      {"aten::_assert(Tensor self, str message) -> ()", BUDDY_KIND_SIDE_EFFECT},
      {"aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Device? "
       "device=None) -> Tensor",
       BUDDY_KIND_CREATION},
      {"test::many(Tensor self) -> Tensor[]", BUDDY_KIND_OTHER},
      {"test::join(Tensor[] tensors) -> Tensor", BUDDY_KIND_OTHER},
      {"test::all(float f=0.5, float[] fs=[], bool[] bs=[], str[] ss=[], complex c=0, Any a=None, "
       "Device d=\"cpu\", "
       "Layout l=strided, MemoryFormat m=contiguous_format, Scalar[] sc=[], int? i=None, float[3] "
       "triple=0) -> ()",
       BUDDY_KIND_OTHER},
      {"higher_order::cond(Tensor pred, Graph true_graph, Graph false_graph, Tensor[] operands) -> "
       "Tensor[]",
       BUDDY_KIND_CONTROL},
  };
  buddy_opset *opset = nullptr;
  EXPECT_EQ(buddy_opset_create(&opset), BUDDY_OK);
  for (const auto &op : ops)
    EXPECT_EQ(buddy_opset_define(opset, op.schema, op.kind, nullptr), BUDDY_OK) << op.schema;
  return opset;
}

/* Arguments, short. */
inline buddy_arg ArgTensor(const buddy_value *value) {
  buddy_arg arg = {BUDDY_ARG_TENSOR, 0, 0, {0}};
  arg.as.tensor = value;
  return arg;
}
inline buddy_arg ArgTensors(const std::vector<const buddy_value *> &values) {
  buddy_arg arg = {BUDDY_ARG_TENSORS, 0, values.size(), {0}};
  arg.as.tensors = values.data();
  return arg;
}
inline buddy_arg ArgInt(int64_t number) { return {BUDDY_ARG_INT, 0, 0, {number}}; }
inline buddy_arg ArgInts(const std::vector<int64_t> &numbers) {
  buddy_arg arg = {BUDDY_ARG_INTS, 0, numbers.size(), {0}};
  arg.as.ints = numbers.data();
  return arg;
}
inline buddy_arg ArgFloat(double number) {
  buddy_arg arg = {BUDDY_ARG_FLOAT, 0, 0, {0}};
  arg.as.f = number;
  return arg;
}
inline buddy_arg ArgBool(bool is) { return {BUDDY_ARG_BOOL, 0, 0, {is}}; }
inline buddy_arg ArgDtype(buddy_dtype dtype) { return {BUDDY_ARG_DTYPE, 0, 0, {dtype}}; }
inline buddy_arg ArgString(const char *text) {
  buddy_arg arg = {BUDDY_ARG_STRING, 0, strlen(text), {0}};
  arg.as.string = text;
  return arg;
}
inline buddy_arg ArgNone() { return {BUDDY_ARG_NONE, 0, 0, {0}}; }
inline buddy_arg ArgGraph(const buddy_graph *graph) {
  buddy_arg arg = {BUDDY_ARG_GRAPH, 0, 0, {0}};
  arg.as.graph = graph;
  return arg;
}

inline buddy_code AppendToString(void *user, const char *data, size_t size) {
  static_cast<std::string *>(user)->append(data, size);
  return BUDDY_OK;
}

inline std::string PrintGraph(const buddy_graph *graph) {
  std::string text;
  const buddy_writer writer = {AppendToString, &text};
  EXPECT_EQ(buddy_graph_print(graph, &writer), BUDDY_OK);
  return text;
}

class GraphFixture : public testing::Test {
 protected:
  using Args = std::vector<buddy_named_arg>;

  void SetUp() override {
    opset = CreateTestOpset();
    ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
    ASSERT_EQ(buddy_graph_create(opset, "main", &graph), BUDDY_OK);
  }
  void TearDown() override {
    buddy_graph_destroy(graph);
    buddy_opset_destroy(opset);
    buddy_diags_destroy(diags);
  }

  std::string Said() {
    const std::string text = DiagsText(diags);
    buddy_diags_clear(diags);
    return text;
  }

  const buddy_value *Input(const char *name, const std::vector<int64_t> &dims,
                           buddy_dtype dtype = BUDDY_F32) {
    const buddy_tensor_type type = {dtype, static_cast<uint32_t>(dims.size()), dims.data()};
    const buddy_value *value = nullptr;
    EXPECT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_USER, name, nullptr, &type, nullptr, diags,
                                    &value),
              BUDDY_OK)
        << Said();
    return value;
  }

  buddy_code TryNode(const char *op, const char *name, const Args &args, buddy_node **node) {
    return buddy_graph_add_node(graph, nullptr, op, name, args.data(), args.size(), nullptr, 0,
                                diags, node);
  }
  /* A node whose types are inferred. */
  buddy_node *Node(const char *op, const char *name, const Args &args) {
    buddy_node *node = nullptr;
    EXPECT_EQ(TryNode(op, name, args, &node), BUDDY_OK) << Said();
    return node;
  }
  buddy_node *TypedNode(const char *op, const char *name, const Args &args,
                        const std::vector<buddy_tensor_type> &types) {
    buddy_node *node = nullptr;
    static const buddy_tensor_type none = {};
    EXPECT_EQ(
        buddy_graph_add_node(graph, nullptr, op, name, args.data(), args.size(),
                             types.empty() ? &none : types.data(), types.size(), diags, &node),
        BUDDY_OK)
        << Said();
    return node;
  }
  const buddy_value *Add(const char *name, const buddy_value *a, const buddy_value *b) {
    buddy_node *node =
        Node("aten.add.Tensor", name, {{"self", ArgTensor(a)}, {"other", ArgTensor(b)}});
    return node ? buddy_node_result(node, 0) : nullptr;
  }
  void Output(const buddy_value *value) {
    const buddy_arg arg = ArgTensor(value);
    EXPECT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &arg, diags), BUDDY_OK)
        << Said();
  }

  int64_t Symbol(const char *name, int64_t min = 2, int64_t max = INT64_MAX) {
    int64_t dim = 0;
    EXPECT_EQ(buddy_graph_add_symbol(graph, name, min, max, &dim), BUDDY_OK);
    return dim;
  }
  buddy_code TryDim(const std::string &text, int64_t *dim) {
    return buddy_graph_dim_parse(graph, buddy_sv{text.data(), text.size()}, diags, dim);
  }
  int64_t Dim(const std::string &text) {
    int64_t dim = 0;
    EXPECT_EQ(TryDim(text, &dim), BUDDY_OK) << text << "\n" << Said();
    return dim;
  }
  std::string DimText(int64_t dim) {
    char text[4096];
    buddy_graph_dim_text(graph, dim, text, sizeof text);
    return text;
  }
  /* The normal form of an expression, as text. */
  std::string Normal(const std::string &text) { return DimText(Dim(text)); }
  std::string TypeText(const buddy_value *value) {
    char text[4096];
    buddy_graph_type_text(graph, buddy_value_type(value), text, sizeof text);
    return text;
  }

  buddy_code TryParse(const std::string &text, buddy_graph **out) {
    return buddy_graph_parse(opset, buddy_sv{text.data(), text.size()}, diags, out);
  }
  /* Replaces the graph by one read from text. */
  void Parse(const std::string &text) {
    buddy_graph_destroy(graph);
    graph = nullptr;
    ASSERT_EQ(TryParse(text, &graph), BUDDY_OK) << Said();
  }
  buddy_code Verify() { return buddy_graph_verify(graph, diags); }
  void ExpectSound() { EXPECT_EQ(Verify(), BUDDY_OK) << Said() << PrintGraph(graph); }
  const buddy_value *Value(const char *name) { return buddy_graph_find_value(graph, name); }

  buddy_opset *opset = nullptr;
  buddy_diags *diags = nullptr;
  buddy_graph *graph = nullptr;
};

#endif
