// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A problem cut into parts that do not depend on one another, which the host's threads share.
 *
 * How a problem is cut depends on its shape alone, and each part is computed by one thread, so that
 * results do not depend on the number of threads. Slices, of the right operand, come first: what is
 * packed is packed slice by slice, and each thread reads slices of its own. Where the right operand
 * is constant, how it is sliced depends on it alone, so that problems that differ in the left one
 * share what is packed.
 *
 * Each sum is added up in runs, one after another, so that it is not one chain of roundings however
 * long it is: the library's own are, over the channels and windows of a convolution, and the rows
 * of a matrix that a vector is multiplied by. How the sums are cut depends on the right operand
 * alone, too. */
#ifndef BUDDY_PLUGINS_VENDOR_JOB_H_
#define BUDDY_PLUGINS_VENDOR_JOB_H_

#include "plugins/vendor/kernels.h"
#include "plugins/vendor/ready.h"

/* One problem for the library: run of the sums of what part computes with slice. */
typedef struct bd_piece {
  int64_t slice, part, run;
} bd_piece;

typedef struct bd_job bd_job;
struct bd_job {
  int64_t n_slices; /* of the right operand, of one size but for the last one */
  int64_t n_parts;  /* of what is computed with each slice */
  int64_t n_runs;   /* of each sum, of one size but for the last one */
  int64_t cost;     /* of a part, as of buddy_crew */
  int64_t dtype;
  bd_plan_build build;
  /* Makes the problem of one piece: the key's problem, and its data. Both come zeroed. */
  void (*describe)(const bd_job *job, const bd_piece *piece, bd_plan_key *key, bd_vendor_data data);
  /* Computes it; false when the library cannot. */
  bool (*run)(const bd_job *job, bd_plan_key *key, const bd_vendor_data data,
              const bd_packed *packed);
};

/* Computes all parts; false when the library cannot. The right operand is packed if kept is not
 * NULL, and there is memory for it. */
bool bd_job_run(const bd_job *job, const bd_vendor_kept *kept);

/* Into how many pieces of step a size is cut, the last one perhaps smaller; and how large piece
 * i is. */
static inline int64_t bd_pieces(int64_t size, int64_t step) { return (size + step - 1) / step; }
static inline int64_t bd_piece_size(int64_t size, int64_t step, int64_t i) {
  return size - i * step < step ? size - i * step : step;
}

/* Makes a problem one run of its sums. The first one has the bias; each other one is added to what
 * the runs before it have left in the result; and the last one has the rest of the tail. */
static inline void bd_take_run(int64_t run, int64_t n_runs, int64_t *has_bias,
                               bd_vendor_tail *tail) {
  if (run != n_runs - 1) *tail = (bd_vendor_tail){.activation = BUDDY_VENDOR_NO_ACTIVATION};
  if (run == 0) return;
  *has_bias = 0;
  tail->is_added = 1;
}

/* How many terms of a sum there are in a run, a multiple of unit of them, if most are to be in
 * one. */
static inline int64_t bd_run_length(int64_t n_terms, int64_t most, int64_t unit) {
  const int64_t n = bd_pieces(n_terms, most), least = bd_pieces(n_terms, n);
  return n == 1 ? n_terms : bd_pieces(least, unit) * unit;
}

/* What there is to share among threads, as far as it goes: this many parts. */
enum { BD_WANTED_PARTS = 8 };

#endif
