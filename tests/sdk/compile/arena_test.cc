// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of intermediate results: places in one arena, and none asked of the system in later runs.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "mlir-c/BuiltinAttributes.h"
#include "sdk/compile/rewrite/arena.h"
#include "sdk/compile/rewrite/holes.h"
#include "sdk/lower/module.h"
}

/* ---- Asking the system -------------------------------------------------------------------------
 * The sanitizers have functions of these names of their own. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1
static size_t n_allocations; /* of this thread and all others: nothing else runs in these tests */
/* Libraries call these; under -fvisibility=hidden clang would hide them. */
#pragma GCC visibility push(default)
extern "C" {
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_memalign(size_t alignment, size_t n);
void *malloc(size_t n) {
  __atomic_fetch_add(&n_allocations, 1, __ATOMIC_RELAXED);
  return __libc_malloc(n);
}
void *calloc(size_t n, size_t size) {
  __atomic_fetch_add(&n_allocations, 1, __ATOMIC_RELAXED);
  return __libc_calloc(n, size);
}
void *aligned_alloc(size_t alignment, size_t n) {
  __atomic_fetch_add(&n_allocations, 1, __ATOMIC_RELAXED);
  return __libc_memalign(alignment, n);
}
int posix_memalign(void **out, size_t alignment, size_t n) {
  __atomic_fetch_add(&n_allocations, 1, __ATOMIC_RELAXED);
  *out = __libc_memalign(alignment, n);
  return *out == nullptr ? 12 : 0;
}
}
#pragma GCC visibility pop
#endif

namespace {

/* ---- Free places ----------------------------------------------------------------------------- */

class Holes {
 public:
  Holes() = default;
  ~Holes() { bd_holes_deinit(&holes_); }
  Holes(const Holes &) = delete;
  Holes &operator=(const Holes &) = delete;
  int64_t take(int64_t bytes) {
    int64_t start = -1;
    EXPECT_EQ(bd_holes_take(&holes_, bytes, &start), BUDDY_OK);
    return start;
  }
  void give(int64_t start, int64_t bytes) {
    EXPECT_EQ(bd_holes_give(&holes_, start, bytes), BUDDY_OK);
  }
  int64_t end() const { return holes_.end; }
  bd_holes *get() { return &holes_; }

 private:
  bd_holes holes_ = {};
};

TEST(Holes, TakesTheSmallestThatIsLargeEnough) {
  Holes h;
  const int64_t sizes[] = {256, 64, 128, 64, 192, 64};
  int64_t starts[6];
  for (int i = 0; i < 6; i++) starts[i] = h.take(sizes[i]);
  EXPECT_EQ(h.end(), 768);
  for (int i : {0, 2, 4}) h.give(starts[i], sizes[i]);
  EXPECT_EQ(h.take(128), starts[2]);
  EXPECT_EQ(h.take(128), starts[4]);
  EXPECT_EQ(h.take(128), starts[0]);
  EXPECT_EQ(h.take(128), starts[0] + 128);
  EXPECT_EQ(h.take(128), 768); /* 64 are left, behind starts[4] */
  EXPECT_EQ(h.end(), 896);
}

TEST(Holes, NeighboursBecomeOne) {
  for (const std::vector<int> &order : {std::vector<int>{0, 1, 2}, {2, 1, 0}, {0, 2, 1}}) {
    Holes h;
    int64_t starts[4];
    for (int64_t &start : starts) start = h.take(64);
    for (int i : order) h.give(starts[i], 64);
    EXPECT_EQ(h.take(192), 0);
    EXPECT_EQ(h.end(), 256);
  }
}

TEST(Holes, GrowsFromTheLastOne) {
  Holes h;
  h.take(64);
  h.give(h.take(64), 64);
  EXPECT_EQ(h.take(640), 64);
  EXPECT_EQ(h.end(), 704);
}

TEST(Holes, RefusesWhatNoAddressReaches) {
  Holes h;
  int64_t start;
  h.take(128);
  EXPECT_EQ(bd_holes_take(h.get(), INT64_MAX - 64, &start), BUDDY_UNSUPPORTED);
  EXPECT_EQ(h.take(64), 128);
}

TEST(Holes, NothingOverlaps) {
  const unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  Holes h;
  std::map<int64_t, int64_t> taken; /* from start to end */
  for (int i = 0; i < 20000; i++) {
    if (taken.empty() || random() % 5 < 3 - (taken.size() > 200 ? 2 : 0)) {
      const int64_t bytes = 64 * (1 + random() % (random() % 4 == 0 ? 1000 : 10));
      const int64_t start = h.take(bytes);
      const auto behind = taken.lower_bound(start);
      ASSERT_TRUE(behind == taken.end() || behind->first >= start + bytes);
      ASSERT_TRUE(behind == taken.begin() || std::prev(behind)->second <= start);
      ASSERT_LE(start + bytes, h.end());
      taken[start] = start + bytes;
    } else {
      auto victim = taken.begin();
      std::advance(victim, random() % taken.size());
      h.give(victim->first, victim->second - victim->first);
      taken.erase(victim);
    }
  }
  for (const auto &[start, end] : taken) h.give(start, end - start);
  EXPECT_EQ(h.take(h.end()), 0); /* all of it is one hole again */
}

/* ---- The entry ------------------------------------------------------------------------------- */

// The types of all allocations that are left, and the places of the views.
struct Planned {
  std::vector<std::string> allocated;
  std::vector<int64_t> starts;
};

Planned plan(const std::string &body) {
  const std::string text = "func.func @forward(%x: memref<?xf32>, %n: index) {\n" + body +
                           "  return\n}\nfunc.func private @use(memref<?xf32>)\n";
  Diags diags;
  Planned planned;
  buddy_module *module = nullptr;
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  if (module == nullptr) return planned;
  const MlirOperation root = mlirModuleGetOperation(module->module);
  EXPECT_EQ(bd_arena_plan(mlirBlockGetFirstOperation(mlirModuleGetBody(module->module)), nullptr,
                          nullptr),
            BUDDY_OK);
  EXPECT_TRUE(mlirOperationVerify(root));
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(bd_ops_collect(&ops, root, "memref."), BUDDY_OK);
  for (size_t i = 0; i < ops.n; i++) {
    if (bd_op_is(ops.items[i], "memref.view")) {
      const MlirOperation start = bd_maker_of(mlirOperationGetOperand(ops.items[i], 1));
      planned.starts.push_back(mlirIntegerAttrGetValueInt(bd_op_attribute(start, "value")));
    } else if (bd_op_is(ops.items[i], "memref.alloc")) {
      bd_text type = {};
      bd_text_type(&type, mlirValueGetType(mlirOperationGetResult(ops.items[i], 0)));
      planned.allocated.emplace_back(type.data, type.size);
      bd_text_deinit(&type);
    }
  }
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return planned;
}

std::string alloc(const std::string &name, const std::string &type) {
  return "  %" + name + " = memref.alloc() : " + type + "\n";
}
std::string dealloc(const std::string &name, const std::string &type) {
  return "  memref.dealloc %" + name + " : " + type + "\n";
}

TEST(Arena, LifetimesThatDoNotMeetShare) {
  const char *type = "memref<100xf32>"; /* 400 bytes: 448 of the arena */
  const Planned p = plan(alloc("a", type) + alloc("b", type) + dealloc("a", type) +
                         alloc("c", type) + dealloc("b", type) + dealloc("c", type));
  EXPECT_EQ(p.starts, (std::vector<int64_t>{0, 448, 0}));
  EXPECT_EQ(p.allocated, std::vector<std::string>{"memref<896xi8>"});
}

TEST(Arena, EveryTypeAndSize) {
  std::string body, ends;
  int i = 0;
  for (const char *type : {"memref<f64>", "memref<0x3xf32>", "memref<3xi1>", "memref<2xindex>",
                           "memref<9xcomplex<f32>>", "memref<16xf32>", "memref<5xbf16>"}) {
    body += alloc("v" + std::to_string(i), type);
    ends += dealloc("v" + std::to_string(i++), type);
  }
  const Planned p = plan(body + ends);
  EXPECT_EQ(p.starts, (std::vector<int64_t>{0, 64, 128, 192, 256, 384, 512}));
  EXPECT_EQ(p.allocated, std::vector<std::string>{"memref<576xi8>"});
}

TEST(Arena, RoundsOfALoopShare) {
  const char *type = "memref<100xf32>";
  const Planned p = plan(alloc("a", type) + alloc("b", type) + dealloc("b", type) +
                         "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                         "  scf.for %i = %c0 to %n step %c1 {\n" +
                         alloc("c", type) + alloc("d", type) + dealloc("c", type) +
                         alloc("e", type) + dealloc("d", type) + dealloc("e", type) + "  }\n" +
                         alloc("f", type) + dealloc("a", type) + dealloc("f", type));
  EXPECT_EQ(p.starts, (std::vector<int64_t>{0, 448, 448, 896, 448, 448}));
  EXPECT_EQ(p.allocated, std::vector<std::string>{"memref<1344xi8>"});
}

TEST(Arena, LeavesWhatItCannotPlan) {
  const char *type = "memref<4xf32>", *strided = "memref<4xf32, strided<[2]>>",
             *far = "memref<4xf32, 1>";
  const Planned p = plan(
      "  %d = memref.alloc(%n) : memref<?xf32>\n"
      "  memref.dealloc %d : memref<?xf32>\n" +
      alloc("leaves", type) + alloc("s", strided) + dealloc("s", strided) + alloc("far", far) +
      dealloc("far", far) + alloc("huge", "memref<9223372036854775807xf32>") +
      dealloc("huge", "memref<9223372036854775807xf32>") +
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  scf.parallel (%i) = (%c0) to (%n) step (%c1) {\n" +
      alloc("inner", type) + dealloc("inner", type) + "  }\n");
  EXPECT_TRUE(p.starts.empty());
  EXPECT_EQ(p.allocated.size(), 6u);
}

/* ---- Later runs ------------------------------------------------------------------------------ */

#ifdef COUNTS_ALLOCATIONS
// n transpositions, none of which can be done in place, of a matrix of 300 rows and columns.
std::string chain(int n) {
  std::string text =
      "func.func @forward(%t0: tensor<300x300xf32>) -> tensor<300x300xf32> {\n"
      "  %e = tensor.empty() : tensor<300x300xf32>\n"
      "  %z = arith.constant 0.0 : f32\n"
      "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<300x300xf32>) -> tensor<300x300xf32>\n";
  for (int i = 0; i < n; i++) {
    const std::string from = "%t" + std::to_string(i), to = "%t" + std::to_string(i + 1);
    text += "  " + to + " = linalg.matmul ins(" + from + ", %t0 : tensor<300x300xf32>, " +
            "tensor<300x300xf32>) outs(%f : tensor<300x300xf32>) -> tensor<300x300xf32>\n";
  }
  return text + "  return %t" + std::to_string(n) + " : tensor<300x300xf32>\n}\n";
}

size_t allocations_of_a_run(int n, int n_threads) {
  Program program(chain(n));
  EXPECT_EQ(program.code, BUDDY_OK) << program.diags.text();
  if (program.code != BUDDY_OK) return 0;
  buddy_program_set_threads(program.program, n_threads);
  const Tensor in = Tensor::random(BUDDY_F32, {300, 300}, 1);
  size_t before = 0;
  for (int i = 0; i < 4; i++) { /* the first ones fill the pool */
    buddy_tensor out = {};
    before = __atomic_load_n(&n_allocations, __ATOMIC_RELAXED);
    EXPECT_EQ(buddy_program_run(program.program, &in.t, 1, &out, 1, program.diags), BUDDY_OK);
    before = __atomic_load_n(&n_allocations, __ATOMIC_RELAXED) - before;
    buddy_tensor_release(&out);
  }
  return before;
}

// Two tensors that change places in each round, one of which is new; a branch, a loop and a call within
// give others.
const char *const rounds = R"(
func.func private @add(%t: tensor<700xf32>, %x: f32) -> tensor<700xf32> {
  %e = tensor.empty() : tensor<700xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%t : tensor<700xf32>) outs(%e : tensor<700xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %in, %x : f32
      linalg.yield %sum : f32
  } -> tensor<700xf32>
  return %s : tensor<700xf32>
}
func.func @forward(%n: tensor<i64>, %a: tensor<700xf32>, %b: tensor<700xf32>)
    -> (tensor<700xf32>, tensor<700xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f32
  %limit = tensor.extract %n[] : tensor<i64>
  %r:3 = scf.while (%i = %i0, %x = %a, %y = %b)
      : (i64, tensor<700xf32>, tensor<700xf32>) -> (i64, tensor<700xf32>, tensor<700xf32>) {
    %goes_on = arith.cmpi slt, %i, %limit : i64
    scf.condition(%goes_on) %i, %x, %y : i64, tensor<700xf32>, tensor<700xf32>
  } do {
  ^bb0(%i: i64, %x: tensor<700xf32>, %y: tensor<700xf32>):
    %next = arith.addi %i, %i1 : i64
    %bit = arith.andi %i, %i1 : i64
    %is_odd = arith.cmpi eq, %bit, %i1 : i64
    %p = scf.if %is_odd -> tensor<700xf32> {
      %t = func.call @add(%x, %one) : (tensor<700xf32>, f32) -> tensor<700xf32>
      scf.yield %t : tensor<700xf32>
    } else {
      %t = scf.for %k = %c0 to %c3 step %c1 iter_args(%q = %x) -> tensor<700xf32> {
        %s = func.call @add(%q, %one) : (tensor<700xf32>, f32) -> tensor<700xf32>
        scf.yield %s : tensor<700xf32>
      }
      scf.yield %t : tensor<700xf32>
    }
    scf.yield %next, %y, %p : i64, tensor<700xf32>, tensor<700xf32>
  }
  return %r#1, %r#2 : tensor<700xf32>, tensor<700xf32>
})";

// However often a loop goes round, it has the memory of two rounds.
TEST(Arena, RoundsFreeWhatTheyLeaveBehind) {
  const Tensor a(BUDDY_F32, {700}, std::vector<float>(700, 0.0f)),
      b(BUDDY_F32, {700}, std::vector<float>(700, 100.0f));
  std::vector<size_t> asked;
  for (const int64_t n : {int64_t{8}, int64_t{2000}}) {
    Program program(rounds);
    const Tensor limit(BUDDY_I64, {}, std::vector<int64_t>{n});
    const size_t before = __atomic_load_n(&n_allocations, __ATOMIC_RELAXED);
    const std::vector<Tensor> out = program.run({&limit, &a, &b});
    asked.push_back(__atomic_load_n(&n_allocations, __ATOMIC_RELAXED) - before);
    ASSERT_EQ(out.size(), 2u);
    /* each is written to in every other round: a in the even ones, by three, b in the odd ones */
    EXPECT_EQ(out[0].values<float>(), std::vector<float>(700, static_cast<float>(n / 2 * 3)));
    EXPECT_EQ(out[1].values<float>(), std::vector<float>(700, static_cast<float>(100 + n / 2)));
    EXPECT_EQ(a.values<float>(), std::vector<float>(700, 0.0f));
  }
  EXPECT_LE(asked[1], asked[0] + 4);
}

// What a run asks for is the result and the tables of its inputs and outputs, whatever is between.
// Which thread helps with what is chance, and one that helps for the first time asks for a little
// of its own.
TEST(Arena, LaterRunsAllocateTheirResultsOnly) {
  for (int n_threads : {1, 2}) {
    const size_t few = allocations_of_a_run(2, n_threads);
    EXPECT_GT(few, 0u); /* that counting works */
    EXPECT_LE(few, n_threads == 1 ? 6u : 10u);
    EXPECT_LE(allocations_of_a_run(40, n_threads), n_threads == 1 ? few : 10u);
  }
}
#endif

}  // namespace
