// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/profile.c: steps and places of a profile, and marks. */
#include "sdk/runtime/profile.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/base/array.h"
#include "core/base/memory.h"

/* ---- Time ---- */
/* Steps may take less than a microsecond. Asking the system's clock costs 28 ns, the processor's
 * counter 11: it is taken where it says that it counts evenly and never stops. */
static bool has_counter(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#else
  return false;
#endif
}

/* Not in line: a mark that needs no memory of its own for the time takes half the instructions. */
static __attribute__((noinline)) uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* In ticks. */
static uint64_t now(const bd_profile *profile) {
#if defined(__x86_64__)
  if (profile->has_counter) return __builtin_ia32_rdtsc();
#endif
  (void)profile;
  return nanoseconds();
}

/* Both clocks since the profile was made, long before the first run. */
static double seconds_per_tick(const bd_profile *profile, uint64_t ticks) {
  const uint64_t passed = ticks - profile->first_tick;
  if (!profile->has_counter || passed == 0) return 1e-9;
  return (double)(nanoseconds() - profile->first_nanosecond) * 1e-9 / (double)passed;
}

/* The least of a few: the processor may be taken away at any of them. */
static uint64_t measure_clock(const bd_profile *profile) {
  enum { TRIES = 8, READS = 16 };
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES; ++i) {
    const uint64_t begin = now(profile);
    for (int k = 1; k < READS; ++k) (void)now(profile);
    const uint64_t passed = now(profile) - begin;
    if (passed < least) least = passed;
  }
  return least / READS + 1;
}

buddy_code bd_profile_create(bd_profile **out_profile) {
  *out_profile = bd_calloc(1, sizeof(bd_profile));
  if (!*out_profile) return BUDDY_OUT_OF_MEMORY;
  (*out_profile)->has_counter = has_counter();
  (*out_profile)->clock_cost = measure_clock(*out_profile);
  (*out_profile)->first_nanosecond = nanoseconds();
  (*out_profile)->first_tick = now(*out_profile);
  if (pthread_mutex_init(&(*out_profile)->lock, NULL) == 0) {
    if (pthread_mutex_init(&(*out_profile)->helps_lock, NULL) == 0) return BUDDY_OK;
    pthread_mutex_destroy(&(*out_profile)->lock);
  }
  free(*out_profile);
  *out_profile = NULL;
  return BUDDY_OUT_OF_MEMORY;
}

void bd_profile_destroy(bd_profile *profile) {
  if (!profile) return;
  for (size_t i = 0; i < profile->n; ++i) free(profile->items[i].text);
  for (size_t i = 0; i < profile->n_places; ++i) free(profile->places[i].text);
  free(profile->places);
  free(profile->items);
  free(profile->marks);
  free(profile->helps);
  free(profile->spans);
  pthread_mutex_destroy(&profile->helps_lock);
  pthread_mutex_destroy(&profile->lock);
  free(profile);
}

/* Copies a text after the others of the step. */
static const char *keep(char **at, const char *text) {
  const size_t n = strlen(text) + 1;
  const char *copy = memcpy(*at, text, n);
  *at += n;
  return copy;
}

buddy_code bd_profile_add(bd_profile *profile, const buddy_step *step) {
  bd_measure *items =
      bd_array_grow(profile->items, &profile->capacity, profile->n + 1, sizeof(*items));
  if (!items) return BUDDY_OUT_OF_MEMORY;
  profile->items = items;
  char *text = bd_malloc(strlen(step->nodes) + strlen(step->module) + strlen(step->where) +
                         strlen(step->kernel) + 4);
  if (!text) return BUDDY_OUT_OF_MEMORY;
  bd_measure *item = &profile->items[profile->n++];
  *item = (bd_measure){.report = {.n_bytes = step->n_bytes, .n_flops = step->n_flops},
                       .text = text,
                       .least = UINT64_MAX};
  item->report.nodes = keep(&text, step->nodes);
  item->report.module = keep(&text, step->module);
  item->report.where = keep(&text, step->where);
  item->report.kernel = keep(&text, step->kernel);
  return BUDDY_OK;
}

buddy_code bd_profile_add_place(bd_profile *profile, const buddy_place *place) {
  bd_placing *places = bd_array_grow(profile->places, &profile->places_capacity,
                                     profile->n_places + 1, sizeof(*places));
  if (!places) return BUDDY_OUT_OF_MEMORY;
  profile->places = places;
  char *text = bd_malloc(strlen(place->nodes) + strlen(place->module) + strlen(place->where) + 3);
  if (!text) return BUDDY_OUT_OF_MEMORY;
  bd_placing *added = &profile->places[profile->n_places++];
  *added = (bd_placing){*place, text};
  added->report.nodes = keep(&text, place->nodes);
  added->report.module = keep(&text, place->module);
  added->report.where = keep(&text, place->where);
  return BUDDY_OK;
}

/* ---- Runs ---- */
/* A run of more has loops whose every pass is a step: the spans of the rest are not told. */
enum { MAX_MARKS = 1 << 20 };

/* Clocks may take one tick in so many of all runs, of which some are measured in any case: with what
 * writing down takes beside, that is less than 3 %. */
enum { PART = 128, MEASURED_RUNS = 64 };

void bd_profile_begin(bd_profile *profile) {
  if (!profile) return;
  pthread_mutex_lock(&profile->lock);
  profile->is_measured =
      profile->n_runs++ < MEASURED_RUNS || profile->spent <= profile->passed / PART;
  profile->start = now(profile);
  if (!profile->is_measured) return;
  profile->is_told = false;
  profile->n_marks = profile->n_helps = 0;
  profile->late = 0;
  profile->begin = profile->start;
}

static bool grow_marks(bd_profile *profile) {
  bd_mark *marks = profile->n_marks == MAX_MARKS
                       ? NULL
                       : bd_array_grow(profile->marks, &profile->marks_capacity,
                                       profile->n_marks + 1, sizeof(*marks));
  if (marks) profile->marks = marks;
  return marks != NULL;
}

/* Counters of two processors may differ by a few ticks. What measuring costs is the next step's. */
static uint64_t count(bd_profile *profile, int64_t step, uint64_t last, uint64_t time) {
  if (time < last) time = last;
  if (step >= 0 && (size_t)step < profile->n) {
    profile->items[step].elapsed += time - last;
    ++profile->items[step].n_elapsed;
  }
  return time;
}

static void put_mark(bd_profile *profile, int64_t step, uint64_t time) {
  profile->marks[profile->n_marks++] =
      (bd_mark){.time = time, .step = (int32_t)step, .n_helps = (uint32_t)profile->n_helps};
}

/* The first of so many, or one there is no room for. */
static __attribute__((noinline)) void mark_slowly(bd_profile *profile, int64_t step,
                                                  uint64_t time) {
  if (!profile->late && grow_marks(profile)) {
    put_mark(profile, step, time);
    return;
  }
  const uint64_t first = profile->n_marks ? profile->marks[profile->n_marks - 1].time : time;
  profile->late = count(profile, step, profile->late ? profile->late : first, time);
}

static void count_alone(bd_profile *profile, int64_t step) {
  if (step >= 0 && (size_t)step < profile->n) ++profile->items[step].report.n_calls;
}

void bd_profile_mark(bd_profile *profile, int64_t step) {
  if (!profile) return;
  if (!profile->is_measured) {
    count_alone(profile, step);
    return;
  }
  const uint64_t time = now(profile);
  if (profile->n_marks < profile->marks_capacity)
    put_mark(profile, step, time);
  else
    mark_slowly(profile, step, time);
}

/* What a run that got somewhere did not call took it no time: what is made in the first run alone takes none. */
static void add_up(bd_profile *profile) {
  uint64_t last = profile->begin, n_marks = 0;
  for (size_t i = 0; i < profile->n_marks; ++i)
    last = count(profile, profile->marks[i].step, last, profile->marks[i].time);
  for (size_t i = 0; i < profile->n; ++i) {
    bd_measure *item = &profile->items[i];
    if (item->elapsed < item->least && profile->n_marks > 0) item->least = item->elapsed;
    item->report.n_calls += item->n_elapsed;
    n_marks += item->n_elapsed;
    item->elapsed = item->n_elapsed = 0;
  }
  profile->spent += n_marks * profile->clock_cost;
}

void bd_profile_end(bd_profile *profile) {
  if (!profile) return;
  const uint64_t end = now(profile);
  if (end > profile->start) profile->passed += end - profile->start;
  if (profile->is_measured) {
    profile->end = end;
    add_up(profile);
  }
  pthread_mutex_unlock(&profile->lock);
}

uint64_t bd_profile_now(const bd_profile *profile) {
  return !profile || !profile->is_measured ? 0 : now(profile);
}

void bd_profile_help(bd_profile *profile, int thread, uint64_t begin) {
  if (!profile || !profile->is_measured) return;
  const uint64_t end = now(profile);
  pthread_mutex_lock(&profile->helps_lock);
  bd_help *helps = profile->n_helps == MAX_MARKS
                       ? NULL
                       : bd_array_grow(profile->helps, &profile->helps_capacity,
                                       profile->n_helps + 1, sizeof(*helps));
  if (helps) {
    profile->helps = helps;
    helps[profile->n_helps++] = (bd_help){.begin = begin, .end = end, .thread = thread};
  }
  pthread_mutex_unlock(&profile->helps_lock);
}

/* ---- What they tell ---- */
static void add_span(bd_profile *profile, double tick, int64_t step, int thread, uint64_t begin,
                     uint64_t end) {
  profile->spans[profile->n_spans++] = (buddy_span){
      .step = step,
      .thread = thread,
      .begin = begin < profile->begin ? 0 : (double)(begin - profile->begin) * tick,
      .seconds = end < begin ? 0 : (double)(end - begin) * tick,
  };
}

/* Slices leave no gaps. A step's helpers are done when it is. */
static void add_spans(bd_profile *profile, double tick) {
  uint64_t last = profile->begin;
  size_t k = 0;
  for (size_t i = 0; i < profile->n_marks; ++i) {
    const bd_mark *mark = &profile->marks[i];
    const uint64_t time = mark->time < last ? last : mark->time;
    if (mark->step >= 0) {
      for (; k < mark->n_helps; ++k)
        add_span(profile, tick, mark->step, profile->helps[k].thread, profile->helps[k].begin,
                 profile->helps[k].end);
      add_span(profile, tick, mark->step, 0, last, time);
    }
    last = time;
  }
  add_span(profile, tick, -1, 0, profile->begin, profile->end < last ? last : profile->end);
}

static void tell(bd_profile *profile) {
  const double tick = seconds_per_tick(profile, now(profile));
  for (size_t i = 0; i < profile->n; ++i) {
    const uint64_t least = profile->items[i].least;
    profile->items[i].report.seconds = least == UINT64_MAX ? 0 : (double)least * tick;
  }
  const size_t most = profile->n_marks + profile->n_helps + 1;
  buddy_span *spans = bd_realloc(profile->spans, most * sizeof(*spans));
  profile->n_spans = 0;
  if (!spans) return;
  profile->spans = spans;
  if (profile->end != 0) add_spans(profile, tick);
}

void bd_profile_tell(bd_profile *profile) {
  if (!profile) return;
  pthread_mutex_lock(&profile->lock);
  if (!profile->is_told) tell(profile);
  profile->is_told = true;
  pthread_mutex_unlock(&profile->lock);
}
