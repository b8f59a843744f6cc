// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops are shared by threads: every unit is done once, failures come out in order, memory of
// helpers goes back, and forks and the end of the last program leave nothing behind.
#include <gtest/gtest.h>

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

extern "C" {
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/parallel_for.h"
#include "sdk/runtime/thread_pool.h"
#include "sdk/runtime/threads.h"
}

namespace {

constexpr int64_t kLarge = 1 << 20;  // a cost that is worth a thread

class Runner {
 public:
  explicit Runner(int n_threads) {
    EXPECT_EQ(bd_run_pool_create(&pool), BUDDY_OK);
    bd_run_pool_set_threads(pool, n_threads);
  }
  ~Runner() { bd_run_pool_destroy(pool); }
  // Runs f as compiled code; false if it failed.
  template <typename F>
  bool run(F f) {
    jmp_buf failed;
    EXPECT_EQ(bd_run_begin(&state, pool, &failed), BUDDY_OK);
    const bool is_good = setjmp(failed) == 0;
    if (is_good) f();
    bd_run_end(&state);
    return is_good;
  }
  bd_run_pool *pool = nullptr;
  bd_run state;
};

struct Counts {
  std::vector<std::atomic<int>> done;
  std::atomic<int> n_threads{0};
  explicit Counts(size_t n) : done(n) {}
};

void count(void *context, int64_t first, int64_t last) {
  auto *counts = static_cast<Counts *>(context);
  for (int64_t i = first; i < last; i++) counts->done[static_cast<size_t>(i)]++;
}

size_t n_threads_of_process() {
  size_t n = 0;
  DIR *tasks = opendir("/proc/self/task");
  while (const dirent *task = readdir(tasks)) n += task->d_name[0] != '.';
  closedir(tasks);
  return n;
}

TEST(ParallelFor, DoesEveryUnitOnce) {
  for (const int n_threads : {1, 2, 3, 7, 32}) {
    Runner runner(n_threads);
    for (const int64_t n_units : {0, 1, 2, 5, 64, 1000}) {
      Counts counts(static_cast<size_t>(n_units));
      EXPECT_TRUE(runner.run([&] { buddy_runtime_spread(count, &counts, n_units, kLarge); }));
      for (const auto &done : counts.done) ASSERT_EQ(done, 1);
    }
  }
}

// Small loops one after the other, in more threads than processors: most helpers have not begun when the caller is done.
TEST(ParallelFor, DoesNotWaitForHelpersThatHaveNotBegun) {
  Runner runner(16);
  Counts counts(32);
  EXPECT_TRUE(runner.run([&] {
    for (int i = 0; i < 2000; i++) buddy_runtime_spread(count, &counts, 32, kLarge);
  }));
  for (const auto &done : counts.done) ASSERT_EQ(done, 2000);
}

void note_call(void *user, int place) { *static_cast<std::atomic<int> *>(user) += place; }

TEST(ThreadPool, TakesBackWhatHasNotBegun) {
  bd_worker *worker = nullptr;
  std::atomic<int> n_calls{0};
  int n_kept = 0;
  bd_thread_pool_enter();
  ASSERT_EQ(bd_thread_pool_take(&worker, 1), 1);
  for (int i = 0; i < 20000; i++) {
    bd_worker_start(worker, note_call, &n_calls, 1);
    for (volatile int k = 0; k < i % 500; k = k + 1) {
    }
    if (bd_worker_take_back(worker)) continue;
    n_kept++;
    while (n_calls < n_kept) std::this_thread::yield();
    ASSERT_FALSE(bd_worker_take_back(worker));
  }
  bd_worker_start(worker, note_call, &n_calls, 1);
  while (n_calls <= n_kept) std::this_thread::yield();
  bd_thread_pool_give_back(&worker, 1);
  bd_thread_pool_leave();
  EXPECT_EQ(n_calls, n_kept + 1);
}

struct Seen {
  std::atomic<int> n_here{0};
  int wanted;
};

// Waits until as many threads are here as are wanted, so that no thread can do it all.
void gather(void *context, int64_t, int64_t) {
  auto *seen = static_cast<Seen *>(context);
  seen->n_here++;
  for (int i = 0; i < 10000 && seen->n_here < seen->wanted; i++) usleep(1000);
}

TEST(ParallelFor, UsesTheThreadsThatItMay) {
  Runner runner(3);
  Seen seen;
  seen.wanted = 3;
  EXPECT_TRUE(runner.run([&] { buddy_runtime_spread(gather, &seen, 3, kLarge); }));
  EXPECT_EQ(seen.n_here, 3);
  EXPECT_GE(n_threads_of_process(), 3u);
}

void note_thread(void *context, int64_t, int64_t) {
  *static_cast<std::thread::id *>(context) = std::this_thread::get_id();
}

TEST(ParallelFor, StaysWhereItIsNotWorthIt) {
  Runner runner(4);
  std::thread::id where;
  EXPECT_TRUE(runner.run([&] { buddy_runtime_spread(note_thread, &where, 1, kLarge); }));
  EXPECT_EQ(where, std::this_thread::get_id());
  where = {};
  EXPECT_TRUE(runner.run([&] { buddy_runtime_spread(note_thread, &where, 100, 1); }));
  EXPECT_EQ(where, std::this_thread::get_id());
}

void nest(void *context, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++) buddy_runtime_spread(count, context, 10, kLarge);
}

TEST(ParallelFor, KeepsInnerLoopsOnTheirThread) {
  Runner runner(4);
  Counts counts(10);
  EXPECT_TRUE(runner.run([&] { buddy_runtime_spread(nest, &counts, 20, kLarge); }));
  for (const auto &done : counts.done) EXPECT_EQ(done, 20);
}

void fail_from_100(void *context, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++) {
    static_cast<Counts *>(context)->done[static_cast<size_t>(i)]++;
    if (i >= 100) buddy_runtime_fail(i);
  }
}

TEST(ParallelFor, FailsAsTheFirstUnitDoes) {
  for (const int n_threads : {1, 2, 3, 7}) {
    Runner runner(n_threads);
    for (int round = 0; round < 20; round++) {
      Counts counts(1000);
      EXPECT_FALSE(runner.run([&] { buddy_runtime_spread(fail_from_100, &counts, 1000, kLarge); }));
      EXPECT_EQ(runner.state.code, BUDDY_INVALID_ARGUMENT);
      EXPECT_EQ(runner.state.assertion, 100);
    }
    Counts counts(50);  // and goes on afterwards
    EXPECT_TRUE(runner.run([&] { buddy_runtime_spread(count, &counts, 50, kLarge); }));
  }
}

void allocate(void *context, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++) {
    auto *bytes = static_cast<char *>(_mlir_memref_to_llvm_alloc(100000));
    std::memset(bytes, static_cast<int>(i), 100000);
    for (size_t k = 0; k < 100000; k += 997) {
      if (bytes[k] != static_cast<char>(i)) static_cast<Counts *>(context)->n_threads++;
    }
    if (i % 3 != 0) _mlir_memref_to_llvm_free(bytes);  // what is left goes back with the run
  }
}

TEST(ParallelFor, GivesEachThreadItsMemory) {
  Runner runner(4);
  Counts wrong(1);
  for (int round = 0; round < 40; round++)
    EXPECT_TRUE(runner.run([&] { buddy_runtime_spread(allocate, &wrong, 64, kLarge); }));
  EXPECT_EQ(wrong.n_threads, 0);
}

TEST(ParallelFor, SharesTheCrewAmongPrograms) {
  std::vector<std::thread> callers;
  std::atomic<int> n_wrong{0};
  for (int caller = 0; caller < 4; caller++) {
    callers.emplace_back([&] {
      Runner runner(3);
      for (int round = 0; round < 200; round++) {
        Counts counts(37);
        runner.run([&] { buddy_runtime_spread(count, &counts, 37, kLarge); });
        for (const auto &done : counts.done) n_wrong += done != 1;
      }
    });
  }
  for (std::thread &caller : callers) caller.join();
  EXPECT_EQ(n_wrong, 0);
}

TEST(ParallelFor, EndsItsThreadsWithTheLastProgram) {
  const size_t before = n_threads_of_process();
  {
    Runner runner(4);
    Counts counts(64);
    runner.run([&] { buddy_runtime_spread(count, &counts, 64, kLarge); });
    EXPECT_EQ(n_threads_of_process(), before + 3);
  }
  // The kernel takes its time to forget a thread that was joined.
  for (int i = 0; i < 1000 && n_threads_of_process() > before; i++) usleep(1000);
  EXPECT_EQ(n_threads_of_process(), before);
}

TEST(ParallelFor, WorksInTheChildOfAFork) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer lets no child make threads";
#endif
  Runner runner(3);
  Counts before(64);
  runner.run([&] { buddy_runtime_spread(count, &before, 64, kLarge); });
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    Seen seen;
    seen.wanted = 3;
    const bool is_good = runner.run([&] { buddy_runtime_spread(gather, &seen, 3, kLarge); });
    _exit(is_good && seen.n_here == 3 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(Threads, AreAsManyAsTheEnvironmentSays) {
  struct Case {
    const char *own, *openmp;
    int n;
  };
  const int usual = bd_threads_of_process();
  EXPECT_GE(usual, 1);
  const Case cases[] = {{"3", "5", 3},
                        {nullptr, "5", 5},
                        {nullptr, "4,2", 4},
                        {nullptr, nullptr, usual},
                        {"none", nullptr, usual},
                        {"0", "6", 6},
                        {"", "-2", usual},
                        {"100000", nullptr, BD_MAX_THREADS}};
  for (const Case &c : cases) {
    c.own != nullptr ? setenv("BUDDY_THREADS", c.own, 1) : unsetenv("BUDDY_THREADS");
    c.openmp != nullptr ? setenv("OMP_NUM_THREADS", c.openmp, 1) : unsetenv("OMP_NUM_THREADS");
    EXPECT_EQ(bd_threads_default(), c.n)
        << (c.own ? c.own : "") << " " << (c.openmp ? c.openmp : "");
  }
  unsetenv("BUDDY_THREADS");
  unsetenv("OMP_NUM_THREADS");
}

}  // namespace
