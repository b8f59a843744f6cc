// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/archives/forged.c: drives archives through the library, one after the other, in one process.
 *
 *   forged_archives < LIST       lines: "import PATH", or "run PATH", which also compiles it and runs it three times
 *
 * Before each it writes "begin N", after it "end N CODE STAGE RUNS MB TEXT": whoever reads knows what ended it. STAGE is
 * the first that did not pass, or "done"; RUNS: how many of the three gave numbers; MB: the most memory of the process so
 * far; TEXT: the first error.
 * What takes longer than five seconds of the processor's time is ended by SIGPROF. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "buddy/compile.h"
#include "buddy/import.h"
#include "buddy/lower.h"

enum {
  SECONDS = 5,
  MILLISECONDS = 1000 /* of a run */,
  RUNS = 3,
  MAX_PORTS = 64,
  MAX_RANK = 16,
  MOST_ELEMENTS = 1 << 20
};

typedef struct session {
  buddy_opset *opset;
  buddy_search *search;
  buddy_registries *registries;
} session;

/* How far one archive came. */
typedef struct journey {
  buddy_code code;
  const char *stage;
  int n_runs;
} journey;

/* Of the process, and not of the clock: the machine has other work, too. */
static void set_alarm(int seconds) {
  const struct itimerval at = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &at, NULL);
}

static long most_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss / 1024 : 0;
}

static void print_line(const char *text) {
  for (; *text; ++text) putchar((unsigned char)*text < ' ' ? ' ' : *text);
}

static void print_error(const buddy_diags *diags) {
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *d = buddy_diags_get(diags, i);
    if (d->severity != BUDDY_ERROR) continue;
    print_line(d->what);
    break;
  }
  putchar('\n');
}

static bool passes(journey *j, const char *stage, buddy_code code) {
  j->code = code;
  j->stage = stage;
  return code == BUDDY_OK;
}

static buddy_code swallow(void *user, const char *data, size_t size) {
  *(size_t *)user += data ? size : 0;
  return BUDDY_OK;
}

static void import_one(const session *s, const char *path, buddy_diags *diags, journey *j) {
  size_t written = 0;
  const buddy_writer writer = {swallow, &written};
  const buddy_lower_options options = {.struct_size = sizeof(options), .fallback_on_error = 1};
  buddy_archive *archive = NULL;
  buddy_graph *graph = NULL;
  buddy_plan *plan = NULL;
  buddy_module *module = NULL;
  if (passes(j, "open", buddy_archive_open(path, diags, &archive)) &&
      passes(j, "import", buddy_archive_import(archive, s->opset, diags, &graph)) &&
      passes(j, "print", buddy_graph_print(graph, &writer)) &&
      passes(j, "plan", buddy_plan_create(s->registries, graph, diags, &plan)) &&
      passes(j, "lower", buddy_lower(plan, &options, diags, &module)))
    passes(j, "write", buddy_module_print(module, BUDDY_FORMAT_MLIR, 0, &writer));
  buddy_module_destroy(module);
  buddy_plan_destroy(plan);
  buddy_graph_destroy(graph);
  buddy_archive_close(archive);
}

/* A tensor as the port has it; a size that may be any is 3, 1 or 0, by the run. */
static buddy_code make_input(const buddy_port *port, int run, buddy_tensor *out_tensor) {
  static const int64_t any[RUNS] = {3, 1, 0};
  int64_t sizes[MAX_RANK], n = 1;
  if (port->rank > MAX_RANK) return BUDDY_LIMIT;
  for (uint32_t d = 0; d < port->rank; ++d) {
    sizes[d] = BUDDY_IS_SYMBOLIC(port->dims[d]) ? any[run] : port->dims[d];
    if (__builtin_mul_overflow(n, sizes[d], &n) || n > MOST_ELEMENTS) return BUDDY_LIMIT;
  }
  const buddy_code code = buddy_tensor_create(port->dtype, port->rank, sizes, out_tensor);
  if (code == BUDDY_OK) buddy_tensor_fill_random(out_tensor, (uint64_t)run + 1);
  return code;
}

static buddy_code run_model(buddy_model *model, int run, buddy_diags *diags) {
  static buddy_tensor inputs[MAX_PORTS], outputs[MAX_PORTS];
  const size_t n_in = buddy_model_n_inputs(model), n_out = buddy_model_n_outputs(model);
  if (n_in > MAX_PORTS || n_out > MAX_PORTS) return BUDDY_LIMIT;
  memset(inputs, 0, sizeof(inputs));
  memset(outputs, 0, sizeof(outputs));
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n_in && code == BUDDY_OK; ++i)
    code = make_input(buddy_model_input(model, i), run, &inputs[i]);
  if (code == BUDDY_OK) code = buddy_model_run(model, inputs, n_in, outputs, n_out, diags);
  for (size_t i = 0; i < n_in; ++i) buddy_tensor_release(&inputs[i]);
  for (size_t i = 0; i < n_out; ++i) buddy_tensor_release(&outputs[i]);
  return code;
}

static void run_one(const char *path, buddy_diags *diags, journey *j) {
  const buddy_compile_options compile = {.struct_size = sizeof(compile),
                                         .opt_level = BUDDY_OPT_NONE};
  const buddy_model_options options = {
      .struct_size = sizeof(options), .compile = &compile, .n_threads = 1};
  buddy_model *model = NULL;
  buddy_code code = BUDDY_OK;
  if (!passes(j, "compile", buddy_model_load(path, &options, diags, &model))) return;
  buddy_model_set_time_limit(model, MILLISECONDS);
  for (int run = 0; run < RUNS; ++run) {
    const buddy_code ran = run_model(model, run, diags);
    j->n_runs += ran == BUDDY_OK;
    if (code == BUDDY_OK) code = ran;
  }
  passes(j, "run", code);
  buddy_model_destroy(model);
}

static buddy_code open_session(session *s, buddy_diags *diags) {
  const buddy_search_options search = {.struct_size = sizeof(search)};
  const buddy_registries_options registries = {.struct_size = sizeof(registries)};
  buddy_code code = buddy_aten_opset_create(&s->opset);
  if (code == BUDDY_OK) code = buddy_search_create(&search, diags, &s->search);
  if (code == BUDDY_OK)
    code = buddy_registries_create(s->search, s->opset, &registries, diags, &s->registries);
  return code;
}

int main(void) {
  char line[4096];
  session s = {0};
  buddy_diags *diags = NULL;
  if (buddy_diags_create(&diags) != BUDDY_OK || open_session(&s, diags) != BUDDY_OK) return 2;
  for (int n = 0; fgets(line, sizeof(line), stdin); ++n) {
    journey j = {0};
    line[strcspn(line, "\n")] = '\0';
    char *path = strchr(line, ' ');
    if (!path) return 2;
    printf("begin %d\n", n);
    fflush(stdout);
    set_alarm(SECONDS);
    import_one(&s, path + 1, diags, &j);
    if (j.code == BUDDY_OK && line[0] == 'r') run_one(path + 1, diags, &j);
    set_alarm(0);
    printf("end %d %d %s %d %ld ", n, (int)j.code, j.code == BUDDY_OK ? "done" : j.stage, j.n_runs,
           most_memory());
    print_error(diags);
    buddy_diags_clear(diags);
    fflush(stdout);
  }
  buddy_registries_destroy(s.registries);
  buddy_search_destroy(s.search);
  buddy_opset_destroy(s.opset);
  buddy_diags_destroy(diags);
  return 0;
}
