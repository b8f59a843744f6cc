/* sdk/runtime/profile.c: see profile.h. */
#include "sdk/runtime/profile.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/base/memory.h"
#include "sdk/runtime/program.h"

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

static uint64_t nanoseconds(void) {
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

buddy_code bd_profile_create(bd_profile **out_profile) {
  *out_profile = bd_calloc(1, sizeof(bd_profile));
  if (!*out_profile) return BUDDY_OUT_OF_MEMORY;
  (*out_profile)->has_counter = has_counter();
  (*out_profile)->first_nanosecond = nanoseconds();
  (*out_profile)->first_tick = now(*out_profile);
  if (pthread_mutex_init(&(*out_profile)->lock, NULL) == 0) {
    if (pthread_mutex_init(&(*out_profile)->spans_lock, NULL) == 0) return BUDDY_OK;
    pthread_mutex_destroy(&(*out_profile)->lock);
  }
  free(*out_profile);
  *out_profile = NULL;
  return BUDDY_OUT_OF_MEMORY;
}

void bd_profile_destroy(bd_profile *profile) {
  if (!profile) return;
  for (size_t i = 0; i < profile->n; ++i) free(profile->items[i].report.text);
  free(profile->items);
  free(profile->spans);
  pthread_mutex_destroy(&profile->spans_lock);
  pthread_mutex_destroy(&profile->lock);
  free(profile);
}

/* Copies a text behind the others of the step. */
static const char *keep(char **at, const char *text) {
  const size_t n = strlen(text) + 1;
  const char *copy = memcpy(*at, text, n);
  *at += n;
  return copy;
}

buddy_code bd_profile_add(bd_profile *profile, const buddy_step *step) {
  if (profile->n == profile->capacity) {
    const size_t capacity = profile->capacity == 0 ? 64 : 2 * profile->capacity;
    bd_measure *items = bd_realloc(profile->items, capacity * sizeof(bd_measure));
    if (!items) return BUDDY_OUT_OF_MEMORY;
    profile->items = items;
    profile->capacity = capacity;
  }
  char *text = bd_malloc(strlen(step->nodes) + strlen(step->module) + strlen(step->where) +
                         strlen(step->kernel) + 4);
  if (!text) return BUDDY_OUT_OF_MEMORY;
  bd_measure *item = &profile->items[profile->n++];
  *item = (bd_measure){.report = {.text = text, .n_bytes = step->n_bytes}};
  item->report.nodes = keep(&text, step->nodes);
  item->report.module = keep(&text, step->module);
  item->report.where = keep(&text, step->where);
  item->report.kernel = keep(&text, step->kernel);
  return BUDDY_OK;
}

/* ---- Spans ---- */
/* A run of more has loops whose every pass is a step: the rest of them is not written down. */
enum { MAX_SPANS = 1 << 20 };

/* In ticks, until the run is over. Counters of two processors may differ by a few. */
static void add_span(bd_profile *profile, int64_t step, int thread, uint64_t begin, uint64_t end) {
  if (profile->n_spans == profile->spans_capacity) {
    const size_t capacity = profile->spans_capacity == 0 ? 256 : 2 * profile->spans_capacity;
    buddy_span *spans =
        capacity > MAX_SPANS ? NULL : bd_realloc(profile->spans, capacity * sizeof(*spans));
    if (!spans) return;
    profile->spans = spans;
    profile->spans_capacity = capacity;
  }
  profile->spans[profile->n_spans++] =
      (buddy_span){.step = step,
                   .thread = thread,
                   .begin = begin < profile->begin ? 0 : (double)(begin - profile->begin),
                   .seconds = end < begin ? 0 : (double)(end - begin)};
}

uint64_t bd_profile_now(const bd_profile *profile) { return !profile ? 0 : now(profile); }

void bd_profile_help(bd_profile *profile, int thread, uint64_t begin) {
  if (!profile) return;
  const uint64_t end = now(profile);
  pthread_mutex_lock(&profile->spans_lock);
  const size_t n = profile->n_spans;
  add_span(profile, -1, thread, begin, end);
  profile->n_open += profile->n_spans - n;
  pthread_mutex_unlock(&profile->spans_lock);
}

/* The step is done, and so are those that helped it: what they did for it is told now. */
static void close_step(bd_profile *profile, int64_t step, uint64_t end) {
  for (; profile->n_open > 0; --profile->n_open)
    profile->spans[profile->n_spans - profile->n_open].step = step;
  add_span(profile, step, 0, profile->span_begin, end);
  profile->span_begin = end; /* slices leave no gaps: what measuring costs is in them */
}

/* ---- Runs ---- */
void bd_profile_begin(bd_profile *profile) {
  if (!profile) return;
  pthread_mutex_lock(&profile->lock);
  for (size_t i = 0; i < profile->n; ++i)
    profile->items[i].elapsed = profile->items[i].n_elapsed = 0;
  profile->n_spans = profile->n_open = 0;
  profile->begin = profile->span_begin = profile->last = now(profile);
}

void bd_profile_mark(bd_profile *profile, int64_t step) {
  if (!profile) return;
  const uint64_t read = now(profile), time = read < profile->last ? profile->last : read;
  if (step >= 0 && (size_t)step < profile->n) {
    profile->items[step].elapsed += time - profile->last;
    ++profile->items[step].n_elapsed;
    close_step(profile, step, time);
  } else {
    profile->span_begin = time;
  }
  profile->last = time; /* what measuring costs is the next step's: asking twice would cost more */
}

void bd_profile_end(bd_profile *profile) {
  if (!profile) return;
  const uint64_t end = now(profile);
  const double tick = seconds_per_tick(profile, end);
  add_span(profile, -1, 0, profile->begin, end);
  for (size_t i = 0; i < profile->n_spans; ++i) {
    profile->spans[i].begin *= tick;
    profile->spans[i].seconds *= tick;
  }
  for (size_t i = 0; i < profile->n; ++i) {
    bd_measure *step = &profile->items[i];
    const double seconds = (double)step->elapsed * tick;
    if (step->n_elapsed > 0 && (step->report.n_calls == 0 || seconds < step->report.seconds))
      step->report.seconds = seconds;
    step->report.n_calls += step->n_elapsed;
  }
  pthread_mutex_unlock(&profile->lock);
}

size_t buddy_program_n_steps(const buddy_program *program) {
  return !program->profile ? 0 : program->profile->n;
}

const buddy_step *buddy_program_step(const buddy_program *program, size_t i) {
  return i < buddy_program_n_steps(program) ? &program->profile->items[i].report : NULL;
}

size_t buddy_program_n_spans(const buddy_program *program) {
  return !program->profile ? 0 : program->profile->n_spans;
}

const buddy_span *buddy_program_span(const buddy_program *program, size_t i) {
  return i < buddy_program_n_spans(program) ? &program->profile->spans[i] : NULL;
}
