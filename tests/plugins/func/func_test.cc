// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow, run: branches, loops and checks must do what PyTorch's do.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "buddy/compile.h"
#include "buddy/import.h"

namespace {

class Func : public testing::Test {
 protected:
  void SetUp() override {
    const char *dir = PLUGIN_DIR;
    buddy_search_options search_options = {};
    search_options.struct_size = sizeof(search_options);
    search_options.plugin_dirs = &dir;
    search_options.n_plugin_dirs = 1;
    search_options.no_environment = 1;
    buddy_registries_options options = {};
    options.struct_size = sizeof(options);
    options.order = "func:tosa:linalg";
    buddy_search *search;
    ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
    ASSERT_EQ(buddy_aten_opset_create(&opset), BUDDY_OK);
    ASSERT_EQ(buddy_search_create(&search_options, diags, &search), BUDDY_OK);
    const buddy_code code = buddy_registries_create(search, opset, &options, diags, &registries);
    buddy_search_destroy(search);
    ASSERT_EQ(code, BUDDY_OK) << Said();
  }

  void TearDown() override {
    buddy_program_destroy(program);
    buddy_plan_destroy(plan);
    buddy_graph_destroy(graph);
    buddy_registries_destroy(registries);
    buddy_opset_destroy(opset);
    buddy_diags_destroy(diags);
  }

  void Compile(const std::string &text) {
    buddy_module *module = nullptr;
    ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK)
        << Said();
    ASSERT_EQ(buddy_plan_create(registries, graph, diags, &plan), BUDDY_OK) << Said();
    ASSERT_EQ(buddy_lower(plan, nullptr, diags, &module), BUDDY_OK) << Said();
    ASSERT_EQ(buddy_compile(module, registries, nullptr, diags, &program), BUDDY_OK) << Said();
  }

  std::string Said() {
    std::string text;
    for (size_t i = 0; i < buddy_diags_count(diags); i++) {
      text += std::string(buddy_diags_get(diags, i)->where) + ": " +
              buddy_diags_get(diags, i)->what + "\n";
    }
    return text;
  }

  buddy_diags *diags = nullptr;
  buddy_opset *opset = nullptr;
  buddy_registries *registries = nullptr;
  buddy_graph *graph = nullptr;
  buddy_plan *plan = nullptr;
  buddy_program *program = nullptr;
};

template <typename T>
buddy_tensor Tensor(buddy_dtype dtype, const std::vector<int64_t> &sizes,
                    const std::vector<T> &data) {
  buddy_tensor tensor = {};
  EXPECT_EQ(buddy_tensor_create(dtype, static_cast<uint32_t>(sizes.size()), sizes.data(), &tensor),
            BUDDY_OK);
  if (!data.empty()) memcpy(tensor.bytes, data.data(), data.size() * sizeof(T));
  return tensor;
}

std::vector<float> Floats(const buddy_tensor &tensor) {
  const float *bytes = static_cast<const float *>(tensor.bytes);
  return std::vector<float>(bytes, bytes + buddy_tensor_n_elements(&tensor));
}

void Release(std::vector<buddy_tensor> *tensors) {
  for (buddy_tensor &tensor : *tensors) buddy_tensor_release(&tensor);
}

TEST_F(Func, BranchesByTheCondition) {
  Compile(R"(graph @cond {
  graph @yes {
    input %x : f32[3]
    %a = aten.abs.default(self=%x) : f32[3]
    output %a
  }
  graph @no {
    input %x : f32[3]
    output %x
  }
  input %p : i1[]
  input %x : f32[3]
  %r = higher_order.cond.default(pred=%p, true_fn=@yes, false_fn=@no, operands=[%x]) : f32[3]
  output %r
})");
  for (const uint8_t p : {uint8_t{0}, uint8_t{1}}) {
    std::vector<buddy_tensor> in = {Tensor<uint8_t>(BUDDY_BOOL, {}, {p}),
                                    Tensor<float>(BUDDY_F32, {3}, {-1, 2, -3})};
    std::vector<buddy_tensor> out(1);
    ASSERT_EQ(buddy_program_run(program, in.data(), 2, out.data(), 1, diags), BUDDY_OK) << Said();
    EXPECT_EQ(Floats(out[0]), p ? (std::vector<float>{1, 2, 3}) : (std::vector<float>{-1, 2, -3}));
    Release(&in);
    Release(&out);
  }
}

TEST_F(Func, LoopsWhileItHolds) {
  Compile(R"(graph @loop {
  graph @more {
    input %i : i64[]
    input %x : f32[2]
    input %limit : i64[]
    %c = aten.lt.Tensor(self=%i, other=%limit) : i1[]
    output %c
  }
  graph @step {
    input %i : i64[]
    input %x : f32[2]
    input %limit : i64[]
    %n = aten.add.Tensor(self=%i, other=1) : i64[]
    %d = aten.add.Tensor(self=%x, other=%x) : f32[2]
    output %n
    output %d
  }
  input %i : i64[]
  input %x : f32[2]
  input %limit : i64[]
  %r:2 = higher_order.while_loop.default(cond_fn=@more, body_fn=@step, carried_inputs=[%i, %x], additional_inputs=[%limit]) : i64[], f32[2]
  output %r.1
  output %r.0
})");
  std::vector<buddy_tensor> in = {Tensor<int64_t>(BUDDY_I64, {}, {2}),
                                  Tensor<float>(BUDDY_F32, {2}, {1, -1}),
                                  Tensor<int64_t>(BUDDY_I64, {}, {5})};
  std::vector<buddy_tensor> out(2);
  ASSERT_EQ(buddy_program_run(program, in.data(), 3, out.data(), 2, diags), BUDDY_OK) << Said();
  EXPECT_EQ(Floats(out[0]), (std::vector<float>{8, -8}));
  EXPECT_EQ(*static_cast<int64_t *>(out[1].bytes), 5);
  Release(&in);
  Release(&out);
}

const char kScan[] = R"(graph @scan {
  symbol s0 [0, inf]
  graph @step {
    input %c : f32[2]
    input %x : f32[2]
    %n = aten.add.Tensor(self=%c, other=%x) : f32[2]
    %y = aten.neg.default(self=%n) : f32[2]
    output %n
    output %y
  }
  input %init : f32[2]
  input %xs : f32[s0,2]
  %r:2 = higher_order.scan.default(combine_fn=@step, init=[%init], xs=[%xs], additional_inputs=tensors[]) : f32[2], f32[s0,2]
  output %r.0
  output %r.1
})";

TEST_F(Func, ScansSliceBySlice) {
  Compile(kScan);
  std::vector<buddy_tensor> in = {Tensor<float>(BUDDY_F32, {2}, {10, 20}),
                                  Tensor<float>(BUDDY_F32, {3, 2}, {1, 2, 3, 4, 5, 6})};
  std::vector<buddy_tensor> out(2);
  ASSERT_EQ(buddy_program_run(program, in.data(), 2, out.data(), 2, diags), BUDDY_OK) << Said();
  EXPECT_EQ(Floats(out[0]), (std::vector<float>{19, 32}));
  EXPECT_EQ(Floats(out[1]), (std::vector<float>{-11, -22, -14, -26, -19, -32}));
  Release(&in);
  Release(&out);
}

TEST_F(Func, ScansNothing) {
  Compile(kScan);
  std::vector<buddy_tensor> in = {Tensor<float>(BUDDY_F32, {2}, {10, 20}),
                                  Tensor<float>(BUDDY_F32, {0, 2}, {})};
  std::vector<buddy_tensor> out(2);
  ASSERT_EQ(buddy_program_run(program, in.data(), 2, out.data(), 2, diags), BUDDY_OK) << Said();
  EXPECT_EQ(Floats(out[0]), (std::vector<float>{10, 20}));
  EXPECT_EQ(out[1].sizes[0], 0);
  Release(&in);
  Release(&out);
}

TEST_F(Func, MapsEachSlice) {
  Compile(R"(graph @map {
  graph @f {
    input %x : f32[2]
    input %b : f32[2]
    %y = aten.add.Tensor(self=%x, other=%b) : f32[2]
    output %y
  }
  input %xs : f32[3,2]
  input %b : f32[2]
  %r = higher_order.map_impl.default(f=@f, xs=[%xs], pos_args=[%b]) : f32[3,2]
  output %r
})");
  std::vector<buddy_tensor> in = {Tensor<float>(BUDDY_F32, {3, 2}, {1, 2, 3, 4, 5, 6}),
                                  Tensor<float>(BUDDY_F32, {2}, {10, 20})};
  std::vector<buddy_tensor> out(1);
  ASSERT_EQ(buddy_program_run(program, in.data(), 2, out.data(), 1, diags), BUDDY_OK) << Said();
  EXPECT_EQ(Floats(out[0]), (std::vector<float>{11, 22, 13, 24, 15, 26}));
  Release(&in);
  Release(&out);
}

TEST_F(Func, ChecksWhileItRuns) {
  Compile(R"(graph @check {
  input %p : i1[]
  %a:0 = aten._assert_async.msg(self=%p, assert_msg="the sky is falling") loc(file="model.py", line=12)
  output %p
})");
  for (const uint8_t p : {uint8_t{1}, uint8_t{0}}) {
    std::vector<buddy_tensor> in = {Tensor<uint8_t>(BUDDY_BOOL, {}, {p})};
    std::vector<buddy_tensor> out(1);
    const buddy_code code = buddy_program_run(program, in.data(), 1, out.data(), 1, diags);
    EXPECT_EQ(code == BUDDY_OK, p == 1) << Said();
    Release(&in);
    if (code == BUDDY_OK) Release(&out);
  }
  EXPECT_NE(Said().find("the sky is falling"), std::string::npos) << Said();
}

TEST_F(Func, RefusesAMapOfScalars) {
  const std::string text = R"(graph @map {
  graph @f {
    input %x : f32[]
    output %x
  }
  input %xs : f32[]
  %r = higher_order.map_impl.default(f=@f, xs=[%xs], pos_args=tensors[]) : f32[]
  output %r
})";
  ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK)
      << Said();
  EXPECT_EQ(buddy_plan_create(registries, graph, diags, &plan), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(), "r: higher_order.map_impl.default: a 0-d tensor has no slices\n");
}

}  // namespace
