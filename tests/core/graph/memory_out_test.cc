// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every allocation of the main paths fails once: the code says so, nothing leaks, and what was
// there stays sound.
#include "core/base/memory.h"
#include "tests/core/graph/fixture.h"

namespace {

class MemoryOutTest : public GraphFixture {
 protected:
  /* Runs `body`, which returns a code, with the n-th allocation failing, for every n there is. */
  template <typename Body>
  void FailEach(Body body) {
    for (int64_t n = 0;; ++n) {
      buddy_graph_destroy(graph);
      graph = nullptr;
      bd_memory_fail_after(n);
      const buddy_code code = body();
      const bool has_failed = bd_memory_fail_after(-1);
      EXPECT_EQ(code, has_failed ? BUDDY_OUT_OF_MEMORY : BUDDY_OK) << "allocation " << n;
      if (graph) {
        buddy_diags_clear(diags);
        EXPECT_EQ(Verify(), BUDDY_OK) << "allocation " << n << "\n" << Said();
      }
      if (!has_failed || HasFailure()) break;
    }
  }
};

TEST_F(MemoryOutTest, Building) {
  FailEach([&]() -> buddy_code {
    buddy_code code = buddy_graph_create(opset, "main", &graph);
    int64_t dims[2] = {2, 3}, strides[2] = {3, 1};
    const buddy_data data = {dims, sizeof dims, 0, strides};
    if (!code) code = buddy_graph_add_symbol(graph, "s0", 2, INT64_MAX, &dims[0]);
    const buddy_tensor_type type = {BUDDY_F32, 2, dims};
    const buddy_value *x = nullptr, *w = nullptr;
    if (!code)
      code =
          buddy_graph_add_input(graph, BUDDY_INPUT_USER, "x", nullptr, &type, nullptr, nullptr, &x);
    if (!code)
      code = buddy_graph_add_input(graph, BUDDY_INPUT_PARAMETER, nullptr, "w", &type, &data,
                                   nullptr, &w);
    for (int i = 0; !code && i < 40; ++i) {
      const buddy_named_arg args[] = {
          {"self", ArgTensor(x)}, {"other", ArgTensor(w)}, {"alpha", ArgFloat(i)}};
      buddy_node *node;
      code = buddy_graph_add_node(graph, nullptr, "aten.add.Tensor", nullptr, args, 3, nullptr, 0,
                                  nullptr, &node);
      const buddy_location location = {"file.py", static_cast<uint32_t>(i), "forward", "code",
                                       "module"};
      if (!code) code = buddy_node_set_location(node, &location);
      const buddy_arg changed = ArgFloat(-i);
      if (!code) code = buddy_node_set_arg(node, 2, &changed, nullptr);
    }
    const buddy_named_arg args[] = {{"q", ArgTensor(x)}, {"s", ArgString("some text")}};
    const buddy_tensor_type types[] = {type, type};
    buddy_node *unknown = nullptr;
    if (!code)
      code = buddy_graph_add_unknown_node(graph, nullptr, "a.b", nullptr, args, 2, types, 2,
                                          nullptr, &unknown);
    buddy_graph *inner;
    if (!code) code = buddy_graph_add_subgraph(graph, nullptr, &inner);
    const buddy_arg output = ArgTensor(x), other = ArgTensor(w);
    if (!code) code = buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &output, nullptr);
    if (!code) code = buddy_graph_set_output(graph, 0, &other, nullptr);
    const int64_t one[] = {7};
    const buddy_tensor_type finer = {BUDDY_F32, 1, one};
    if (!code) code = buddy_graph_set_value_type(graph, buddy_node_result(unknown, 0), &finer);
    return code;
  });
}

TEST_F(MemoryOutTest, Dims) {
  FailEach([&]() -> buddy_code {
    buddy_code code = buddy_graph_create(opset, "main", &graph);
    int64_t s0 = 0, s1 = 0, dim = 0;
    if (!code) code = buddy_graph_add_symbol(graph, "s0", 2, 100, &s0);
    if (!code) code = buddy_graph_add_symbol(graph, "s1", 0, INT64_MAX, &s1);
    for (const char *text :
         {"(s0+1)*(s1+2)", "(3*s0+s1)//4", "(s0*s1+s1)//(s0+1)", "s1%(s0+2)", "max(s0,s1,7)",
          "(s0*s1)%(2*s1)", "floor(s0/2+s1/3)", "(s1//2+3)//5", "s1%-4"}) {
      if (!code) code = buddy_graph_dim_parse(graph, buddy_sv{text, strlen(text)}, nullptr, &dim);
    }
    return code;
  });
}

TEST_F(MemoryOutTest, ParsingAndPrinting) {
  const std::string text =
      "graph @main {\n"
      "  symbol s0 [2, inf]\n"
      "  symbol u0 [0, inf]\n"
      "  graph @inner {\n"
      "    input %q : f32[s0]\n"
      "    output %q\n"
      "  }\n"
      "  input %x \"t\" : f32[s0]\n"
      "  input %p : i1[]\n"
      "  %n:2 = unknown \"a.b\"(i=[1, {2*s0}], f=[0.5], s=[\"a\", \"b\"], t=[%x, none], "
      "c=complex(1.0, 2.0), d=dtype(f32), e=\"text\") "
      ": f32[2], f32[s0] loc(file=\"a.py\", line=3)\n"
      "  %c = higher_order.cond.default(pred=%p, true_graph=@inner, false_graph=@inner, "
      "operands=[%x]) : f32[s0]\n"
      "  %i = aten.item.default(self=%p) : i64[]\n"
      "  bind u0 = %i\n"
      "  output \"target\" = %c\n"
      "}\n";
  FailEach([&]() -> buddy_code {
    buddy_code code = TryParse(text, &graph);
    std::string printed;
    printed.reserve(4096);
    const buddy_writer writer = {AppendToString, &printed};
    if (!code) code = buddy_graph_print(graph, &writer);
    if (!code) code = buddy_graph_verify(graph, nullptr);
    if (!code) {
      EXPECT_EQ(printed.substr(0, 60), text.substr(0, 60));
    }
    return code;
  });
}

TEST_F(MemoryOutTest, Messages) {
  /* The diagnostics themselves may fail. */
  for (int64_t n = 0; n < 40; ++n) {
    const buddy_value *x = Value("x") ? Value("x") : Input("x", {2});
    const buddy_named_arg args[] = {{"nonsense", ArgTensor(x)}};
    buddy_diags_clear(diags);
    bd_memory_fail_after(n);
    const buddy_code code = buddy_graph_add_node(graph, nullptr, "aten.add.Tensor", "n", args, 1,
                                                 nullptr, 0, diags, nullptr);
    const bool has_failed = bd_memory_fail_after(-1);
    EXPECT_TRUE(code == BUDDY_OUT_OF_MEMORY || code == BUDDY_INVALID_ARGUMENT);
    ExpectSound();
    if (!has_failed) break;
  }
}

}  // namespace
