// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/model/model_fixture.h: a graph of ATen ops, built by calls.
#ifndef BUDDY_TESTS_SDK_MODEL_MODEL_FIXTURE_H
#define BUDDY_TESTS_SDK_MODEL_MODEL_FIXTURE_H

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "buddy/graph.h"
#include "buddy/import.h"

class ModelTest : public testing::Test {
 protected:
  ModelTest() {
    EXPECT_EQ(buddy_diags_create(&diags), BUDDY_OK);
    EXPECT_EQ(buddy_aten_opset_create(&opset), BUDDY_OK);
    EXPECT_EQ(buddy_graph_create(opset, "test", &graph), BUDDY_OK);
  }
  ~ModelTest() override {
    buddy_graph_destroy(graph);
    buddy_opset_destroy(opset);
    buddy_diags_destroy(diags);
  }

  const buddy_value *Add(buddy_input_kind kind, const std::vector<int64_t> &dims,
                         buddy_dtype dtype) {
    const buddy_tensor_type type = {dtype, static_cast<uint32_t>(dims.size()), dims.data()};
    const std::string target = "weight" + std::to_string(n_weights++);
    const buddy_value *value = nullptr;
    EXPECT_EQ(buddy_graph_add_input(graph, kind, nullptr,
                                    kind == BUDDY_INPUT_USER ? nullptr : target.c_str(), &type,
                                    nullptr, diags, &value),
              BUDDY_OK);
    return value;
  }
  const buddy_value *Input(const std::vector<int64_t> &dims, buddy_dtype dtype = BUDDY_F32) {
    return Add(BUDDY_INPUT_USER, dims, dtype);
  }
  const buddy_value *Weight(const std::vector<int64_t> &dims, buddy_dtype dtype = BUDDY_F32) {
    return Add(BUDDY_INPUT_PARAMETER, dims, dtype);
  }

  static buddy_named_arg Tensor(const char *name, const buddy_value *value) {
    buddy_named_arg arg{name, {}};
    arg.arg.kind = BUDDY_ARG_TENSOR;
    arg.arg.as.tensor = value;
    return arg;
  }
  buddy_named_arg Ints(const char *name, std::vector<int64_t> numbers) {
    lists.push_back(std::move(numbers));
    buddy_named_arg arg{name, {}};
    arg.arg.kind = BUDDY_ARG_INTS;
    arg.arg.n = lists.back().size();
    arg.arg.as.ints = lists.back().data();
    return arg;
  }
  static buddy_named_arg Int(const char *name, int64_t number) {
    buddy_named_arg arg{name, {}};
    arg.arg.kind = BUDDY_ARG_INT;
    arg.arg.as.i = number;
    return arg;
  }

  const buddy_value *Node(const char *op, const std::vector<buddy_named_arg> &args,
                          const std::vector<int64_t> &dims, buddy_dtype dtype = BUDDY_F32) {
    const buddy_tensor_type type = {dtype, static_cast<uint32_t>(dims.size()), dims.data()};
    buddy_node *node = nullptr;
    EXPECT_EQ(buddy_graph_add_node(graph, nullptr, op, nullptr, args.data(), args.size(), &type, 1,
                                   diags, &node),
              BUDDY_OK)
        << buddy_diags_get(diags, 0)->what;
    return buddy_node_result(node, 0);
  }
  const buddy_value *Linear(const buddy_value *input, const buddy_value *weight,
                            const std::vector<int64_t> &dims, buddy_dtype dtype = BUDDY_F32) {
    return Node("aten.linear.default", {Tensor("input", input), Tensor("weight", weight)}, dims,
                dtype);
  }
  const buddy_value *Convolution(const buddy_value *input, const buddy_value *weight,
                                 int64_t stride, int64_t padding, int64_t groups,
                                 const std::vector<int64_t> &dims) {
    return Node("aten.conv2d.default",
                {Tensor("input", input), Tensor("weight", weight), Ints("stride", {stride, stride}),
                 Ints("padding", {padding, padding}), Int("groups", groups)},
                dims);
  }
  void Output(const buddy_value *value) {
    buddy_arg arg{};
    arg.kind = BUDDY_ARG_TENSOR;
    arg.as.tensor = value;
    EXPECT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &arg, diags), BUDDY_OK);
  }

  buddy_diags *diags = nullptr;
  buddy_opset *opset = nullptr;
  buddy_graph *graph = nullptr;

 private:
  int n_weights = 0;
  std::deque<std::vector<int64_t>> lists;
};

#endif  // BUDDY_TESTS_SDK_MODEL_MODEL_FIXTURE_H
