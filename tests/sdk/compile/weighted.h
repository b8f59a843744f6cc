// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs MLIR text whose second argument is a parameter of a model.
#ifndef BUDDY_TESTS_SDK_COMPILE_WEIGHTED_H
#define BUDDY_TESTS_SDK_COMPILE_WEIGHTED_H

#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/lower/module.h"
}

// Bytes of every value, the least one too.
inline Tensor random_bytes(const std::vector<int64_t> &sizes, uint32_t seed) {
  Tensor t(BUDDY_I8, sizes);
  for (size_t i = 0; i < t.n(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    t.as<uint8_t>()[i] = static_cast<uint8_t>(seed >> 24);
  }
  return t;
}

// Compiles a function %a, %b -> %c, of which %b is a parameter, so that kernels keep what they make
// of it, and gives the results of some runs, which are the same: the first packs, the last reads
// what is kept. like: the sizes and type of the result.
inline std::vector<Tensor> run_weighted(const std::string &text, const Tensor &x, const Tensor &w,
                                        const Tensor &like) {
  Diags diags;
  buddy_module *module = nullptr;
  std::vector<Tensor> outputs;
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text() << text;
  if (module == nullptr) return outputs;
  EXPECT_EQ(bd_signature_create(&module->signature), BUDDY_OK);
  buddy_port a = {}, b = {};
  a.name = "a";
  b.name = b.target = "b";
  a.dtype = x.t.dtype;
  b.dtype = w.t.dtype;
  a.rank = x.t.rank;
  b.rank = w.t.rank;
  a.dims = x.t.sizes;
  b.dims = w.t.sizes;
  a.kind = BUDDY_INPUT_USER;
  b.kind = BUDDY_INPUT_PARAMETER;
  EXPECT_EQ(bd_signature_add_input(module->signature, &a, nullptr), BUDDY_OK);
  EXPECT_EQ(bd_signature_add_input(module->signature, &b, nullptr), BUDDY_OK);
  bd_output c = {};
  c.source = BD_SOURCE_RESULT;
  c.port.name = c.port.target = "c";
  c.port.dtype = like.t.dtype;
  c.port.rank = like.t.rank;
  c.port.dims = like.t.sizes;
  c.port.kind = BUDDY_OUTPUT_USER;
  EXPECT_EQ(bd_signature_add_output(module->signature, &c), BUDDY_OK);
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.parameters_are_constant = 1;
  buddy_program *program = nullptr;
  EXPECT_EQ(buddy_compile(module, nullptr, &options, diags, &program), BUDDY_OK) << diags.text();
  for (int i = 0; program != nullptr && i < 3; ++i) {
    const buddy_tensor in[] = {x.t, w.t};
    outputs.emplace_back();
    buddy_program_set_threads(program, 1 + i);
    EXPECT_EQ(buddy_program_run(program, in, 2, &outputs.back().t, 1, diags), BUDDY_OK)
        << diags.text();
  }
  buddy_program_destroy(program);
  for (const Tensor &out : outputs) {
    EXPECT_EQ(out.sizes(), like.sizes());
    EXPECT_EQ(out.values<uint32_t>(), outputs[0].values<uint32_t>());
  }
  return outputs;
}

#endif
