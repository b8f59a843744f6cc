// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/registry_fixture.h: an opset, the test registries, and a graph to plan.
#ifndef BUDDY_TESTS_CORE_REGISTRY_REGISTRY_FIXTURE_H
#define BUDDY_TESTS_CORE_REGISTRY_REGISTRY_FIXTURE_H

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/resolve.h"
#include "tests/core/diags_text.h"

// A test's own objects, made on demand and freed in order.
class RegistryTest : public testing::Test {
 protected:
  RegistryTest() {
    EXPECT_EQ(buddy_diags_create(&diags), BUDDY_OK);
    EXPECT_EQ(buddy_opset_create(&opset), BUDDY_OK);
  }
  ~RegistryTest() override {
    buddy_plan_destroy(plan);
    buddy_graph_destroy(graph);
    buddy_registries_destroy(registries);
    buddy_search_destroy(search);
    buddy_opset_destroy(opset);
    buddy_diags_destroy(diags);
  }

  // Searches `dir` alone.
  buddy_code Search(const std::string &dir = BUDDY_TEST_PLUGINS) {
    buddy_search_destroy(search);
    const char *dirs[] = {dir.c_str()};
    buddy_search_options options{};
    options.struct_size = sizeof options;
    options.plugin_dirs = dirs;
    options.n_plugin_dirs = 1;
    options.no_environment = 1;
    return buddy_search_create(&options, diags, &search);
  }

  buddy_code Load(const char *order, const std::vector<const char *> &pins = {}) {
    buddy_registries_destroy(registries);
    if (!search) {
      EXPECT_EQ(Search(), BUDDY_OK) << Text();
    }
    buddy_registries_options options{};
    options.struct_size = sizeof options;
    options.order = order;
    options.pins = pins.data();
    options.n_pins = pins.size();
    options.no_environment = 1;
    options.chooser = chooser;
    const buddy_code code = buddy_registries_create(search, opset, &options, diags, &registries);
    if (code == BUDDY_OK) StartGraph();
    return code;
  }

  // Names of the loaded registries: "alpha:beta".
  std::string Loaded() const {
    std::string names;
    for (size_t i = 0; i < buddy_registries_count(registries); ++i) {
      names += (i ? ":" : "") + std::string(buddy_registries_get(registries, i)->name);
    }
    return names;
  }

  void StartGraph() {
    buddy_graph_destroy(graph);
    EXPECT_EQ(buddy_graph_create(opset, "test", &graph), BUDDY_OK);
  }

  buddy_tensor_type Type(buddy_dtype dtype, std::vector<int64_t> dims) {
    dims_.push_back(std::move(dims));
    return {dtype, static_cast<uint32_t>(dims_.back().size()), dims_.back().data()};
  }

  const buddy_value *Input(buddy_dtype dtype, std::vector<int64_t> dims,
                           buddy_graph *of = nullptr) {
    const buddy_tensor_type type = Type(dtype, std::move(dims));
    const buddy_value *value = nullptr;
    EXPECT_EQ(buddy_graph_add_input(of ? of : graph, BUDDY_INPUT_USER, nullptr, nullptr, &type,
                                    nullptr, diags, &value),
              BUDDY_OK)
        << Text();
    return value;
  }

  static buddy_named_arg Tensor(const char *name, const buddy_value *value) {
    buddy_named_arg arg{name, {}};
    arg.arg.kind = value ? BUDDY_ARG_TENSOR : BUDDY_ARG_NONE;
    arg.arg.as.tensor = value;
    return arg;
  }

  static buddy_named_arg Int(const char *name, int64_t value, buddy_arg_kind kind = BUDDY_ARG_INT) {
    buddy_named_arg arg{name, {}};
    arg.arg.kind = kind;
    arg.arg.as.i = value;
    return arg;
  }

  // A node with one result of the type, or of the type of the first argument.
  buddy_node *Node(const char *op, const std::vector<buddy_named_arg> &args,
                   const buddy_tensor_type *type = nullptr, buddy_graph *of = nullptr) {
    if (!type) type = buddy_value_type(args[0].arg.as.tensor);
    buddy_node *node = nullptr;
    EXPECT_EQ(buddy_graph_add_node(of ? of : graph, nullptr, op, nullptr, args.data(), args.size(),
                                   type, 1, diags, &node),
              BUDDY_OK)
        << Text();
    return node;
  }

  const buddy_value *Value(const char *op, const std::vector<buddy_named_arg> &args,
                           const buddy_tensor_type *type = nullptr) {
    return buddy_node_result(Node(op, args, type), 0);
  }

  void Output(const buddy_value *value, buddy_graph *of = nullptr) {
    const buddy_named_arg arg = Tensor("", value);
    EXPECT_EQ(buddy_graph_add_output(of ? of : graph, BUDDY_OUTPUT_USER, nullptr, &arg.arg, diags),
              BUDDY_OK)
        << Text();
  }

  void SetLine(const buddy_value *value, const char *file, uint32_t line, const char *code) {
    buddy_location location{};
    location.file = file;
    location.line = line;
    location.code = code;
    EXPECT_EQ(buddy_node_set_location(buddy_value_node(value), &location), BUDDY_OK);
  }

  buddy_code Plan() {
    buddy_plan_destroy(plan);
    return buddy_plan_create(registries, graph, diags, &plan);
  }

  // "test.add.default: alpha DECLINED (…); beta OK", with expansions in braces.
  std::string TrailOf(const buddy_decision *decision) const {
    std::string text = decision->op + std::string(":");
    for (size_t i = 0; i < decision->n_tries; ++i) {
      const buddy_try &one = decision->tries[i];
      text += std::string(i ? "; " : " ") + buddy_registries_get(registries, one.registry)->name +
              " " + buddy_code_name(one.code);
      if (*one.reason) text += std::string(" (") + one.reason + ")";
    }
    for (size_t i = 0; i < decision->n_expansion; ++i) {
      text += (i ? ", " : " {") + TrailOf(decision->expansion[i]);
    }
    return decision->n_expansion ? text + "}" : text;
  }
  std::string Trail(size_t i) const { return TrailOf(buddy_plan_decision(plan, i)); }

  // The ops of a graph: "test.mm.default test.add.default".
  std::string Ops(const buddy_graph *of = nullptr) const {
    std::string text;
    for (const buddy_node *node = buddy_graph_first(of ? of : graph); node;
         node = buddy_node_next(node)) {
      text += (text.empty() ? "" : " ") + std::string(buddy_node_op(node));
    }
    return text;
  }

  void Verify() { EXPECT_EQ(buddy_graph_verify(graph, diags), BUDDY_OK) << Text(); }

  std::string Text() const { return DiagsText(diags); }

  const buddy_chooser *chooser = nullptr;  // of Load
  buddy_diags *diags = nullptr;
  buddy_opset *opset = nullptr;
  buddy_search *search = nullptr;
  buddy_registries *registries = nullptr;
  buddy_graph *graph = nullptr;
  buddy_plan *plan = nullptr;

 private:
  std::vector<std::vector<int64_t>> dims_;
};

#endif
