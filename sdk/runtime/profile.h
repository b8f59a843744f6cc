// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/profile.h: what compiled code that measures itself writes down.
 *
 * The code calls BD_RUNTIME_MARK when the work of a step is done; the time since the last mark is
 * the step's, and so is what other threads did meanwhile. Runs of a program with a profile take
 * turns.
 *
 * Reading a clock costs as much as a small step takes. Where that is more than a part of all runs, some runs
 * are not measured: their steps are counted alone. */
#ifndef BUDDY_SDK_RUNTIME_PROFILE_H
#define BUDDY_SDK_RUNTIME_PROFILE_H

#include <pthread.h>
#include <stdbool.h>

#include "buddy/compile.h"

/* void (int64 address of the profile, int64 step); -1 begins. */
#define BD_RUNTIME_MARK "buddy_runtime_mark"

typedef struct bd_measure {
  buddy_step report;           /* seconds: see bd_profile_tell */
  char *text;                  /* owns the report's texts */
  uint64_t elapsed, n_elapsed; /* in the present run: ticks, calls */
  uint64_t least;              /* ticks of one run; UINT64_MAX: none yet */
} bd_measure;

typedef struct bd_placing {
  buddy_place report;
  char *text; /* owns the report's texts */
} bd_placing;

/* A step of the run under way, or of the last one, is done. */
typedef struct bd_mark {
  uint64_t time;
  int32_t step;
  uint32_t n_helps; /* so many helpers' parts, from the first of the run on, were done by then */
} bd_mark;

typedef struct bd_help {
  uint64_t begin, end;
  int thread;
} bd_help;

/* A run writes down as little as it can; what that tells is worked out when somebody asks. */
typedef struct bd_profile {
  pthread_mutex_t lock;
  bd_measure *items;
  size_t n, capacity;
  bool has_counter; /* ticks are the processor's, and not nanoseconds */
  uint64_t first_tick, first_nanosecond;
  uint64_t clock_cost;    /* ticks that reading the clock takes */
  uint64_t n_runs, start; /* so far; when the one under way began */
  uint64_t passed, spent; /* ticks of all runs, and of those what measuring took */
  bool is_measured;       /* the run under way is, or the last one was */
  uint64_t begin, end;    /* of the last run that was */
  bd_mark *marks;
  size_t n_marks, marks_capacity;
  uint64_t late; /* time of the last mark there was no room for; 0: there was for all */
  /* Threads that help add theirs at the same time; the marks are set when none is at work. */
  pthread_mutex_t helps_lock;
  bd_help *helps;
  size_t n_helps, helps_capacity;
  bd_placing *places;
  size_t n_places, places_capacity;
  bool is_told; /* seconds and spans are those of the last run that was measured */
  buddy_span *spans;
  size_t n_spans;
} bd_profile;

buddy_code bd_profile_create(bd_profile **out_profile);
void bd_profile_destroy(bd_profile *profile);
/* Copies the texts of `step`; the number of the new step is n - 1 then. */
buddy_code bd_profile_add(bd_profile *profile, const buddy_step *step);

/* The same for a place, whose steps are numbered as they will be added. */
buddy_code bd_profile_add_place(bd_profile *profile, const buddy_place *place);

/* Around a run; null profiles are allowed. */
void bd_profile_begin(bd_profile *profile);
void bd_profile_mark(bd_profile *profile, int64_t step);
void bd_profile_end(bd_profile *profile);
/* Works out the seconds of all steps, and the last run's spans, if nobody has. */
void bd_profile_tell(bd_profile *profile);
/* A helper's part of a loop, on its own thread: it began at bd_profile_now, and ends here. */
uint64_t bd_profile_now(const bd_profile *profile); /* 0 for null, and if the run is not measured */
void bd_profile_help(bd_profile *profile, int thread, uint64_t begin);

#endif
