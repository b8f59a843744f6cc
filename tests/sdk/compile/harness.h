// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles MLIR text and runs it on tensors that a test fills.
#ifndef BUDDY_TESTS_SDK_COMPILE_HARNESS_H
#define BUDDY_TESTS_SDK_COMPILE_HARNESS_H

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "buddy/compile.h"

class Diags {
 public:
  Diags() { EXPECT_EQ(buddy_diags_create(&diags_), BUDDY_OK); }
  ~Diags() { buddy_diags_destroy(diags_); }
  Diags(const Diags &) = delete;
  Diags &operator=(const Diags &) = delete;
  operator buddy_diags *() const { return diags_; }
  // All messages, one a line: "where: what".
  std::string text() const {
    std::string all;
    for (size_t i = 0; i < buddy_diags_count(diags_); ++i) {
      const buddy_diag *d = buddy_diags_get(diags_, i);
      all += std::string(d->where) + ": " + d->what + "\n";
    }
    return all;
  }

 private:
  buddy_diags *diags_ = nullptr;
};

class Tensor {
 public:
  Tensor() = default;
  Tensor(buddy_dtype dtype, const std::vector<int64_t> &sizes) {
    EXPECT_EQ(buddy_tensor_create(dtype, static_cast<uint32_t>(sizes.size()), sizes.data(), &t),
              BUDDY_OK);
  }
  template <typename T>
  Tensor(buddy_dtype dtype, const std::vector<int64_t> &sizes, const std::vector<T> &values)
      : Tensor(dtype, sizes) {
    EXPECT_EQ(values.size() * sizeof(T), n() * buddy_dtype_size(dtype));
    if (!values.empty()) std::memcpy(t.bytes, values.data(), values.size() * sizeof(T));
  }
  static Tensor random(buddy_dtype dtype, const std::vector<int64_t> &sizes, uint64_t seed) {
    Tensor r(dtype, sizes);
    buddy_tensor_fill_random(&r.t, seed);
    return r;
  }
  Tensor(Tensor &&other) noexcept { std::swap(t, other.t); }
  Tensor &operator=(Tensor &&other) noexcept {
    std::swap(t, other.t);
    return *this;
  }
  ~Tensor() { buddy_tensor_release(&t); }
  size_t n() const { return static_cast<size_t>(buddy_tensor_n_elements(&t)); }
  template <typename T>
  T *as() const {
    return static_cast<T *>(t.bytes);
  }
  template <typename T>
  std::vector<T> values() const {
    return std::vector<T>(as<T>(), as<T>() + n());
  }
  std::vector<int64_t> sizes() const { return std::vector<int64_t>(t.sizes, t.sizes + t.rank); }
  buddy_tensor t = {};
};

// The same bits: no two roundings, and any NaN as it is.
template <typename T>
bool same_bits(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

class Program {
 public:
  explicit Program(const std::string &text, const buddy_compile_options *options = nullptr) {
    buddy_module *module = nullptr;
    code = buddy_module_parse({text.data(), text.size()}, diags, &module);
    if (code == BUDDY_OK) code = buddy_compile(module, nullptr, options, diags, &program);
  }
  ~Program() { buddy_program_destroy(program); }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  // Runs and returns the outputs; fails the test if the run does.
  std::vector<Tensor> run(const std::vector<const Tensor *> &inputs) {
    std::vector<Tensor> outputs;
    EXPECT_EQ(code, BUDDY_OK) << diags.text();
    if (code != BUDDY_OK) return outputs;
    EXPECT_EQ(try_run(inputs, outputs), BUDDY_OK) << diags.text();
    return outputs;
  }

  buddy_code try_run(const std::vector<const Tensor *> &inputs, std::vector<Tensor> &outputs) {
    std::vector<buddy_tensor> in, out(buddy_program_n_outputs(program));
    for (const Tensor *t : inputs) in.push_back(t->t);
    const buddy_code result =
        buddy_program_run(program, in.data(), in.size(), out.data(), out.size(), diags);
    outputs.clear();
    for (buddy_tensor &t : out) {
      outputs.emplace_back();
      outputs.back().t = t;
    }
    return result;
  }

  Diags diags;
  buddy_code code = BUDDY_OK;
  buddy_program *program = nullptr;
};

#endif
