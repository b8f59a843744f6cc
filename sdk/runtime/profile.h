/* sdk/runtime/profile.h: what compiled code that measures itself writes down.
 *
 * The code calls BD_RUNTIME_MARK when the work of a step is done; the time since the last mark is
 * the step's, and so is what other threads did meanwhile. Runs of a program with a profile take
 * turns. */
#ifndef BUDDY_SDK_RUNTIME_PROFILE_H
#define BUDDY_SDK_RUNTIME_PROFILE_H

#include <pthread.h>
#include <stdbool.h>

#include "buddy/compile.h"

/* void (int64 step); -1 begins. */
#define BD_RUNTIME_MARK "buddy_runtime_mark"

typedef struct bd_measure {
  buddy_step report;           /* texts are owned by the profile */
  uint64_t elapsed, n_elapsed; /* in the present run: ticks, calls */
} bd_measure;

typedef struct bd_profile {
  pthread_mutex_t lock;
  bd_measure *items;
  size_t n, capacity;
  bool has_counter; /* ticks are the processor's, and not nanoseconds */
  uint64_t first_tick, first_nanosecond;
  uint64_t last; /* time of the last mark */
  /* Of the present run, or of the last one. Threads that help add theirs at the same time; the run's
   * own when none of them is at work. */
  pthread_mutex_t spans_lock;
  buddy_span *spans;
  size_t n_spans, spans_capacity,
      n_open;                 /* the last n_open of them belong to the next mark's step */
  uint64_t begin, span_begin; /* of the run, and of the step under way */
} bd_profile;

buddy_code bd_profile_create(bd_profile **out_profile);
void bd_profile_destroy(bd_profile *profile);
/* Copies the texts of `step`; the number of the new step is n - 1 then. */
buddy_code bd_profile_add(bd_profile *profile, const buddy_step *step);

/* Around a run; null profiles are allowed. */
void bd_profile_begin(bd_profile *profile);
void bd_profile_mark(bd_profile *profile, int64_t step);
void bd_profile_end(bd_profile *profile);
/* A helper's part of a loop, on its own thread: it began at bd_profile_now, and ends here. */
uint64_t bd_profile_now(const bd_profile *profile); /* 0 for null */
void bd_profile_help(bd_profile *profile, int thread, uint64_t begin);

#endif
