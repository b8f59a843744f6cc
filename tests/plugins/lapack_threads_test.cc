// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads LAPACK has in calls of the lapack registry (examples/lapack/threads.c), and afterwards.
#include <gtest/gtest.h>

extern "C" {
#include "examples/lapack/threads.h"

// Found in place of OpenBLAS's.
int openblas_get_num_threads(void);
void openblas_set_num_threads(int n);
static int n_threads;
int openblas_get_num_threads(void) { return n_threads; }
void openblas_set_num_threads(int n) { n_threads = n; }
}

namespace {

// The number inside of a call for a matrix of these sizes.
int InCall(int64_t rows, int64_t columns) {
  const int64_t sizes[] = {3, rows, columns}, strides[] = {rows * columns, columns, 1};
  const lp_view views[] = {{3, sizes, strides, nullptr}, {0, sizes, strides, nullptr}};
  lp_threads_begin(views, 2);
  const int within = n_threads;
  lp_threads_end();
  return within;
}

TEST(LapackThreads, AreThoseOfTheRun) {
  n_threads = 16;
  for (const int run : {1, 2, 3}) {
    lp_threads_set(run);
    EXPECT_EQ(InCall(2000, 2000), 1);
  }
  lp_threads_set(6);
  EXPECT_EQ(InCall(2000, 2000), 6);
  EXPECT_EQ(InCall(300, 300), 1);
  EXPECT_EQ(InCall(100000, 8), 1);
  EXPECT_EQ(InCall(0, 0), 1);
  lp_threads_set(64);
  EXPECT_EQ(InCall(2000, 2000), 8);
  EXPECT_EQ(n_threads, 16);
  n_threads = 2;  // what the user has said is no less
  EXPECT_EQ(InCall(2000, 2000), 2);
  EXPECT_EQ(n_threads, 2);
}

TEST(LapackThreads, AreRestoredByTheLastCall) {
  n_threads = 16;
  lp_threads_set(4);
  const int64_t sizes[] = {700, 700}, strides[] = {700, 1};
  const lp_view view = {2, sizes, strides, nullptr};
  lp_threads_begin(&view, 1);
  EXPECT_EQ(n_threads, 4);
  EXPECT_EQ(InCall(8, 8), 1);
  EXPECT_EQ(n_threads, 1);
  lp_threads_end();
  EXPECT_EQ(n_threads, 16);
}

}  // namespace
