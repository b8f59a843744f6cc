// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that came compiled with the library: who takes which, and that results are the same.
#include <cstring>
#include <fstream>
#include <set>

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
extern "C" {
#include "sdk/compile/kernels/functions.h"
}
#include "sdk/compile/shipped/allowed.h"
#include "sdk/compile/shipped/shipped.h"
#include "tests/sdk/compile/harness.h"

namespace {

// A blob of kernels whose "code" is their names.
struct Blob {
  explicit Blob(const std::set<std::string> &names) {
    const size_t head = sizeof(bd_shipped_blob) + names.size() * sizeof(bd_shipped_item);
    bytes.resize((head + 64 * names.size()) / 8 + 1);
    auto *blob = reinterpret_cast<bd_shipped_blob *>(bytes.data());
    std::memcpy(blob->magic, BD_SHIPPED_MAGIC, sizeof(blob->magic));
    size_t at = head;
    for (const std::string &name : names) {
      bd_shipped_item *item = reinterpret_cast<bd_shipped_item *>(blob + 1) + blob->n++;
      std::memcpy(item->name, name.c_str(), name.size() + 1);
      std::memcpy(reinterpret_cast<char *>(blob) + at, name.c_str(), name.size());
      item->at = at;
      item->size = name.size();
      at += name.size();
    }
  }
  const bd_shipped_blob *get() const {
    return reinterpret_cast<const bd_shipped_blob *>(bytes.data());
  }
  std::vector<uint64_t> bytes;
};

const std::string v3 = "+sse4.2,+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+popcnt,-avx512f";
const std::string v4 =
    "+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+popcnt,"
    "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl,-avx512vnni";

// Names and code of what a processor of these features takes of the three names that are asked for.
std::vector<std::string> taken(const std::string &features) {
  const Blob best({"b"}), middle({"a", "m"}), least({"a", "l", "m"});
  const bd_shipped_blob *const blobs[] = {best.get(), middle.get(), least.get()};
  std::vector<std::string> all;
  bd_shipped shipped;
  bd_shipped_init(&shipped, features.c_str(), blobs);
  for (const char *name : {"a", "b", "l", "none"}) {
    if (!bd_shipped_take(&shipped, name)) continue;
    const bd_member &m = shipped.taken[shipped.n_taken - 1];
    EXPECT_STREQ(m.name, name);
    const bool is_middle =
        static_cast<const char *>(m.object) > reinterpret_cast<const char *>(middle.get()) &&
        static_cast<const char *>(m.object) <
            reinterpret_cast<const char *>(middle.get()) + 8 * middle.bytes.size();
    all.push_back(std::string(static_cast<const char *>(m.object), m.n_bytes) +
                  (is_middle ? " of v4" : ""));
  }
  bd_shipped_deinit(&shipped);
  return all;
}

using Names = std::vector<std::string>;

TEST(Shipped, NeverBeyondTheProcessor) {
  EXPECT_EQ(taken(v3), (Names{"a", "l"}));
  EXPECT_EQ(taken(v4), (Names{"a of v4", "l"}));
  EXPECT_EQ(taken(v4 + ",+avx512vnni"), (Names{"a of v4", "b", "l"}));
  EXPECT_EQ(taken("+sse4.2,+avx"), Names{});
  EXPECT_EQ(taken(""), Names{});
}

TEST(Shipped, FeaturesAreWholeWords) {
  EXPECT_TRUE(bd_shipped_has_features("+avx,+fma", "+fma"));
  EXPECT_TRUE(bd_shipped_has_features("+avx,+fma", ""));
  EXPECT_FALSE(bd_shipped_has_features("+avx2,+fma", "+avx"));
  EXPECT_FALSE(bd_shipped_has_features("-avx,+fma", "+avx"));
  EXPECT_FALSE(bd_shipped_has_features("+fma", "+avx,+fma"));
}

TEST(Shipped, NoneWhereTheyAreNotWanted) {
  bd_shipped_allow(0);
  EXPECT_EQ(taken(v4), Names{});
  bd_shipped_allow(1);
}

// What becomes of a library's text where the second of its functions is there as machine code.
TEST(Shipped, FunctionsAreDeclaredAndTheRestStays) {
  const char *text =
      "// Two functions.\n!t = memref<?xf32>\n"
      "func.func private @buddy.a(%x: !t) {\n  return\n}\n"
      "// The second.\n"
      "func.func private @buddy.b(%x: !t, %n: index,\n                %m: index)\n"
      "    attributes {llvm.bareptr} {\n  scf.for %i = %n to %m {\n  }\n  return\n}\n// End.\n";
  const Blob blob({"buddy.b"});
  const bd_shipped_blob *const blobs[] = {blob.get(), nullptr, nullptr};
  bd_shipped shipped;
  bd_shipped_init(&shipped, (v4 + ",+avx512vnni").c_str(), blobs);
  bd_text with = {}, without = {};
  bd_functions_write_all(&with, &shipped, text);
  bd_functions_write_all(&without, nullptr, text);
  EXPECT_STREQ(with.data,
               "// Two functions.\n!t = memref<?xf32>\n"
               "func.func private @buddy.a(%x: !t) {\n  return\n}\n\n"
               "// The second.\n"
               "func.func private @buddy.b(!t, index,\n                index)\n"
               "    attributes {llvm.bareptr}\n// End.\n");
  ASSERT_EQ(shipped.n_taken, 1u);
  EXPECT_STREQ(shipped.taken[0].name, "buddy.b");
  EXPECT_NE(std::string(without.data).find("scf.for"), std::string::npos);
  bd_text_deinit(&with);
  bd_text_deinit(&without);
  bd_shipped_deinit(&shipped);
}

// One of the programs that kernels were made of.
std::string layer() {
  std::ifstream file(BUDDY_SHIPPED_PROGRAM);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The bits that the layer gives, and how many kernels it took.
std::vector<float> run(const buddy_compile_options *options, size_t *n_taken) {
  const size_t before = bd_shipped_count(0);
  Program program(layer(), options);
  *n_taken = bd_shipped_count(0) - before;
  std::vector<Tensor> inputs;
  std::vector<const Tensor *> given;
  EXPECT_EQ(program.code, BUDDY_OK) << program.diags.text();
  for (size_t i = 0; program.code == BUDDY_OK && i < buddy_program_n_inputs(program.program); i++) {
    const buddy_port *port = buddy_program_input(program.program, i);
    inputs.push_back(Tensor::random(port->dtype, {port->dims, port->dims + port->rank}, i + 1));
  }
  for (const Tensor &t : inputs) given.push_back(&t);
  const std::vector<Tensor> out = program.run(given);
  return out.empty() ? std::vector<float>{} : out[0].values<float>();
}

bool library_has_kernels() {
#if BUDDY_HAS_SHIPPED
  char *features = LLVMGetHostCPUFeatures();
  const bool has = bd_shipped_has_features(features, bd_shipped_levels[2].features) != 0;
  LLVMDisposeMessage(features);
  return has;
#else
  return false;
#endif
}

TEST(Shipped, AreTakenAndGiveTheSameBits) {
  size_t with = 0, without = 0;
  const std::vector<float> shipped = run(nullptr, &with);
  bd_shipped_allow(0);
  const std::vector<float> compiled = run(nullptr, &without);
  bd_shipped_allow(1);
  EXPECT_EQ(without, 0u);
  EXPECT_EQ(with > 0, library_has_kernels());
  ASSERT_FALSE(shipped.empty());
  EXPECT_TRUE(same_bits(shipped, compiled));
}

// What is measured is what else runs.
TEST(Shipped, AsManyInAProfile) {
  size_t plain = 0, measured = 0;
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  run(&options, &plain);
  options.profile = 1;
  run(&options, &measured);
  EXPECT_EQ(measured, plain);
  EXPECT_EQ(plain > 0, library_has_kernels());
}

TEST(Shipped, NoneWhereTheCallerHasASayInCompiling) {
  size_t n = 1;
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.opt_level = 3;
  run(&options, &n);
  EXPECT_EQ(n, 0u);
  options.opt_level = 2;
  options.schedule =
      "module attributes {transform.with_named_sequence} {\n"
      "  transform.named_sequence @loops(%m: !transform.any_op) { transform.yield }\n}\n";
  n = 1;
  run(&options, &n);
  EXPECT_EQ(n, 0u);
}

}  // namespace

const bd_shipped_blob *const bd_shipped_blobs[BD_SHIPPED_N_LEVELS] = {};
