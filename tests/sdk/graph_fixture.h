// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/graph_fixture.h: a graph built by calls, planned by registries that the test brings,
// and lowered.
#ifndef BUDDY_TESTS_SDK_GRAPH_FIXTURE_H
#define BUDDY_TESTS_SDK_GRAPH_FIXTURE_H

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/import.h"
#include "buddy/lower.h"

class GraphTest : public testing::Test {
 protected:
  /* Loads plugin files as one order. */
  void Load(const std::vector<const char *> &files, const char *order) {
    buddy_search_options search_options = {};
    search_options.struct_size = sizeof(search_options);
    search_options.plugin_files = files.data();
    search_options.n_plugin_files = files.size();
    buddy_registries_options options = {};
    options.struct_size = sizeof(options);
    options.order = order;
    buddy_search *search;
    ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
    ASSERT_EQ(buddy_aten_opset_create(&opset), BUDDY_OK);
    ASSERT_EQ(buddy_search_create(&search_options, diags, &search), BUDDY_OK);
    buddy_code code = buddy_registries_create(search, opset, &options, diags, &registries);
    buddy_search_destroy(search);
    ASSERT_EQ(code, BUDDY_OK) << Said();
    ASSERT_EQ(buddy_graph_create(opset, "test", &graph), BUDDY_OK);
  }

  void TearDown() override {
    buddy_module_destroy(module);
    buddy_plan_destroy(plan);
    buddy_graph_destroy(graph);
    buddy_registries_destroy(registries);
    buddy_opset_destroy(opset);
    buddy_diags_destroy(diags);
  }

  static buddy_tensor_type Type(const std::vector<int64_t> &dims, buddy_dtype dtype = BUDDY_F32) {
    return {dtype, static_cast<uint32_t>(dims.size()), dims.data()};
  }

  const buddy_value *Input(const std::vector<int64_t> &dims, buddy_dtype dtype = BUDDY_F32,
                           buddy_input_kind kind = BUDDY_INPUT_USER, const char *target = nullptr,
                           const buddy_data *data = nullptr) {
    const buddy_tensor_type type = Type(dims, dtype);
    const buddy_value *value = nullptr;
    EXPECT_EQ(buddy_graph_add_input(graph, kind, nullptr, target, &type, data, diags, &value),
              BUDDY_OK)
        << Said();
    return value;
  }

  const buddy_value *Node(const char *op, const buddy_value *a, const std::vector<int64_t> &dims,
                          buddy_dtype dtype = BUDDY_F32) {
    const buddy_tensor_type type = Type(dims, dtype);
    buddy_named_arg arg = {"a", {BUDDY_ARG_TENSOR, 0, 0, {0}}};
    arg.arg.as.tensor = a;
    buddy_node *node = nullptr;
    EXPECT_EQ(buddy_graph_add_node(graph, nullptr, op, nullptr, &arg, 1, &type, 1, diags, &node),
              BUDDY_OK)
        << Said();
    return buddy_node_result(node, 0);
  }

  void Output(const buddy_value *value, buddy_output_kind kind = BUDDY_OUTPUT_USER,
              const char *target = nullptr) {
    buddy_arg arg = {BUDDY_ARG_TENSOR, 0, 0, {0}};
    arg.as.tensor = value;
    EXPECT_EQ(buddy_graph_add_output(graph, kind, target, &arg, diags), BUDDY_OK) << Said();
  }

  buddy_code Run(buddy_params params = BUDDY_PARAMS_ARGS, int fallback = 0) {
    buddy_lower_options options = {};
    options.struct_size = sizeof(options);
    options.params = params;
    options.fallback_on_error = fallback;
    const buddy_code code = buddy_plan_create(registries, graph, diags, &plan);
    return code == BUDDY_OK ? buddy_lower(plan, &options, diags, &module) : code;
  }

  static buddy_code AppendText(void *user, const char *data, size_t size) {
    static_cast<std::string *>(user)->append(data, size);
    return BUDDY_OK;
  }

  std::string Text() {
    std::string text;
    const buddy_writer writer = {AppendText, &text};
    if (module != nullptr) buddy_module_print(module, BUDDY_FORMAT_MLIR, 0, &writer);
    return text;
  }

  std::string Said() {
    std::string text;
    for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
      const buddy_diag *diag = buddy_diags_get(diags, i);
      text += std::string(diag->where) + ": " + diag->what + "\n";
    }
    return text;
  }

  /* The reason that the first row gave for the first node. */
  std::string FirstReason() { return buddy_plan_decision(plan, 0)->tries[0].reason; }

  buddy_diags *diags = nullptr;
  buddy_opset *opset = nullptr;
  buddy_registries *registries = nullptr;
  buddy_graph *graph = nullptr;
  buddy_plan *plan = nullptr;
  buddy_module *module = nullptr;
};

#endif
