// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/profile_trace.c: Chrome's trace events: an object {"traceEvents": [event, …]}, whose events
 * of phase "X" are slices with a beginning and a duration in microseconds, those of phase "C" are
 * points of a graph, and those of phase "M" name processes and threads. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/cli/json.h"
#include "sdk/cli/profile.h"

/* Tracks: the compiler's stages lie before the run, on a track of their own. */
enum { COMPILER = 1, MODEL = 2 };

static void add_name(json_t *events, const char *what, int process, int thread, const char *name) {
  json_array_append_new(
      events, json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "ph", "M", "name", what, "pid", process,
                        "tid", thread, "args", "name", bd_json_text(name)));
}

/* Perfetto cuts times to whole nanoseconds, and drops a slice that then ends after the one it lies
 * in: all times are whole nanoseconds, written so that they stay so when they are cut. */
static double microseconds(long long nanoseconds) {
  double time = (double)nanoseconds / 1e3;
  while ((long long)(time * 1e3) < nanoseconds) time = nextafter(time, INFINITY);
  return time;
}

/* A slice; takes the reference to its arguments. One of less than a nanosecond is left out: Perfetto
 * puts it into the slice that begins where it ends, or outside of the run. */
static void add_slice(json_t *events, const char *name, const char *category, int process,
                      int thread, double begin, double seconds, json_t *args) {
  const long long from = llround(begin * 1e9), to = llround((begin + seconds) * 1e9);
  if (to <= from) {
    json_decref(args);
    return;
  }
  json_array_append_new(
      events, json_pack("{s:s, s:o, s:s, s:i, s:i, s:f, s:f, s:o*}", "ph", "X", "name",
                        bd_json_text(name), "cat", category, "pid", process, "tid", thread, "ts",
                        microseconds(from), "dur", microseconds(to - from), "args", args));
}

static void set_text(json_t *args, const char *key, const char *text) {
  if (*text) json_object_set_new(args, key, bd_json_text(text));
}

/* share: of the machine's limit; 0: not told, as of a helper, which does a part of a step. */
static json_t *step_args(const buddy_step *step, const bd_step_origin *origin, double share) {
  json_t *args = json_object();
  set_text(args, "nodes", step->nodes);
  set_text(args, "op", origin->op);
  set_text(args, "module", step->module);
  set_text(args, "where", step->where);
  set_text(args, "registry", origin->registries.data);
  set_text(args, "kernel", step->kernel);
  if (step->n_bytes) json_object_set_new(args, "bytes", json_integer((json_int_t)step->n_bytes));
  if (step->n_flops) json_object_set_new(args, "flops", json_integer((json_int_t)step->n_flops));
  if (share > 0) json_object_set_new(args, "% of the machine's limit", json_real(100 * share));
  return args;
}

static double add_stages(json_t *events, const bd_stages *stages) {
  if (!stages || stages->n == 0) return 0;
  add_name(events, "process_name", COMPILER, 0, "import and compile");
  for (size_t i = 0; i < stages->n; ++i) {
    const bd_stage *stage = &stages->items[i];
    add_slice(events, stage->name, "compile", COMPILER, 0, stage->begin, stage->end - stage->begin,
              NULL);
  }
  return stages->items[stages->n - 1].end;
}

/* A graph of memory over the steps of the run's own thread. */
static void add_memory(json_t *events, const bd_profile_report *r, double origin) {
  uint64_t *alive = bd_profile_alive(r);
  const size_t n =
      alive && buddy_program_n_places(r->program) ? buddy_program_n_spans(r->program) : 0;
  for (size_t k = 0; k < n; ++k) {
    const buddy_span *span = buddy_program_span(r->program, k);
    if (span->thread != 0 || span->step < 0 || (size_t)span->step >= r->n) continue;
    json_array_append_new(events, json_pack("{s:s, s:s, s:i, s:i, s:f, s:{s:I}}", "ph", "C", "name",
                                            "intermediate results", "pid", MODEL, "tid", 0, "ts",
                                            microseconds(llround((origin + span->begin) * 1e9)),
                                            "args", "bytes", (json_int_t)alive[span->step]));
  }
  free(alive);
}

static void add_spans(json_t *events, const bd_profile_report *r, double origin) {
  int n_threads = 1;
  const size_t n = buddy_program_n_spans(r->program);
  add_name(events, "process_name", MODEL, 0, r->model);
  add_name(events, "thread_name", MODEL, 0, "run");
  for (size_t k = n; k-- > 0;) { /* the whole run first: slices lie in those before them */
    const buddy_span *span = buddy_program_span(r->program, k);
    const bool is_step = span->step >= 0 && (size_t)span->step < r->n;
    const buddy_step *step = is_step ? r->steps[span->step] : NULL;
    for (; span->thread >= n_threads; ++n_threads) {
      char name[32];
      snprintf(name, sizeof(name), "helper %d", n_threads);
      add_name(events, "thread_name", MODEL, n_threads, name);
    }
    const char *name = !step ? "run" : *step->nodes ? step->nodes : step->kernel;
    const double share =
        step && span->thread == 0 ? bd_profile_share(r, step, 1, span->seconds) : 0;
    add_slice(events, name, step ? "kernel" : "run", MODEL, span->thread, origin + span->begin,
              span->seconds, step ? step_args(step, &r->origins[span->step], share) : NULL);
  }
}

buddy_code bd_profile_write_trace(const char *path, const bd_profile_report *report,
                                  buddy_diags *diags) {
  json_t *events = json_array();
  const double origin = add_stages(events, report->stages);
  add_spans(events, report, origin);
  add_memory(events, report, origin);
  char limits[BD_PROFILE_SUM];
  bd_profile_limits(&report->machine, limits);
  json_t *root = json_pack("{s:s, s:{s:s, s:o, s:s}, s:o}", "displayTimeUnit", "ms", "otherData",
                           "made by", "buddy profile", "model", bd_json_text(report->model),
                           "limits", limits, "traceEvents", events);
  return bd_json_write(root, path, diags);
}
