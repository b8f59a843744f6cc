// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/rows.c: one op of the plugin, asked about many graphs.
 *
 *   1  plan, twice: the answers are the same, each refusal has a reason, nothing fails
 *   2  lower, twice: the IR verifies and is the same
 *   3  compile, run, and compare with what the other registries compute from the same inputs */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/try.h"
#include "sdk/cli/check/check.h"

enum { MAX_TENSORS = 64, N_SEEDS = 2 };

/* ---- The road -------------------------------------------------------------------------------- */
void bd_road_free(bd_road *road) {
  buddy_module_destroy(road->module);
  buddy_plan_destroy(road->plan);
  buddy_graph_destroy(road->graph);
  free(road->text);
  *road = (bd_road){0};
}

static buddy_code write_text(void *user, const char *data, size_t size) {
  return fwrite(data, 1, size, user) == size ? BUDDY_OK : BUDDY_IO;
}

static char *print_module(const buddy_module *module) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  const buddy_writer writer = {write_text, out};
  buddy_module_print(module, BUDDY_FORMAT_MLIR, 0, &writer);
  fclose(out);
  return text;
}

buddy_code bd_road_lower(const buddy_registries *registries, const char *graph, buddy_diags *diags,
                         bd_road *road) {
  *road = (bd_road){0};
  const buddy_sv text = {graph, strlen(graph)};
  BD_TRY(buddy_graph_parse(buddy_registries_opset(registries), text, diags, &road->graph));
  BD_TRY(buddy_plan_create(registries, road->graph, diags, &road->plan));
  BD_TRY(buddy_lower(road->plan, NULL, diags, &road->module));
  road->text = print_module(road->module);
  return BUDDY_OK;
}

buddy_code bd_road_run(const buddy_registries *registries, bd_road *road,
                       const buddy_tensor *inputs, size_t n_inputs, buddy_tensor *outputs,
                       size_t n_outputs, buddy_diags *diags) {
  const buddy_compile_options options = {.struct_size = sizeof options, .opt_level = 1};
  buddy_program *program = NULL;
  buddy_module *module = road->module;
  road->module = NULL; /* taken over */
  buddy_code code = buddy_compile(module, registries, &options, diags, &program);
  if (code == BUDDY_OK && (buddy_program_n_inputs(program) != n_inputs ||
                           buddy_program_n_outputs(program) != n_outputs))
    code = BUDDY_UNSUPPORTED;
  if (code == BUDDY_OK)
    code = buddy_program_run(program, inputs, n_inputs, outputs, n_outputs, diags);
  buddy_program_destroy(program);
  return code;
}

/* Who has the last word on the graph's one node: the plugin's row may have been taken back. */
int bd_road_is_taken(const bd_subject *subject, const bd_road *road) {
  const buddy_decision *decision = road->plan ? buddy_plan_decision(road->plan, 0) : NULL;
  return decision && decision->is_taken && decision->n_tries > 0 &&
         decision->tries[decision->n_tries - 1].registry == subject->number;
}

/* ---- Trails ---------------------------------------------------------------------------------- */
typedef struct op_check {
  const bd_check *check;
  const char *op;
  FILE *out;
  bd_subject subject;
  size_t n_taken, n_compared;
  json_t *taken;    /* texts of graphs */
  json_t *declined; /* reasons, as keys */
  json_t *said;     /* findings that were told already, as keys */
} op_check;

/* The same thing of twelve graphs is one finding. */
static void tell_once(op_check *c, const char *severity, const char *todo, const char *graph,
                      const char *what) {
  char text[3072];
  if (json_object_get(c->said, what)) return;
  json_object_set_new(c->said, what, json_true());
  const char *node = strstr(graph, "  %r");
  const char *end = node ? strchr(node, '\n') : NULL;
  snprintf(text, sizeof text, "%s; in%.*s", what, end ? (int)(end - node) : 0,
           node ? node + 1 : "");
  bd_tell_finding(c->out, severity, "rows", c->op, todo, "%s", text);
}

static void judge_try(op_check *c, const buddy_try *one, const char *graph) {
  char what[2560];
  if (one->code == BUDDY_OK) return;
  if (one->code != BUDDY_DECLINED) {
    snprintf(what, sizeof what, "fails with %s: %s", buddy_code_name(one->code), one->reason);
    tell_once(c, "error", "decline what the row does not take; a failure ends the user's import",
              graph, what);
  } else if (!strcmp(one->reason, "no reason given")) {
    tell_once(c, "warning", "decline with a sentence: host->decline(call, why)", graph,
              "declines without a reason");
  } else {
    json_object_set_new(c->declined, one->reason, json_true());
  }
}

static void judge_trail(op_check *c, const bd_road *road, const char *graph) {
  const buddy_decision *decision = road->plan ? buddy_plan_decision(road->plan, 0) : NULL;
  for (size_t i = 0; decision && i < decision->n_tries; ++i) {
    if (decision->tries[i].registry == c->subject.number) judge_try(c, &decision->tries[i], graph);
  }
}

static int same_trail(const buddy_decision *a, const buddy_decision *b) {
  if (!a || !b || a->n_tries != b->n_tries) return a == b;
  for (size_t i = 0; i < a->n_tries; ++i) {
    const buddy_try *x = &a->tries[i], *y = &b->tries[i];
    if (x->row != y->row || x->code != y->code || strcmp(x->reason, y->reason) != 0) return 0;
  }
  return 1;
}

/* ---- Numbers --------------------------------------------------------------------------------- */
static void release(buddy_tensor *tensors, size_t n) {
  for (size_t i = 0; i < n; ++i) buddy_tensor_release(&tensors[i]);
}

/* What such an op gives is not determined by its inputs. */
static bool has_numbers(const op_check *c) {
  const buddy_opdef *def = buddy_opset_find(c->subject.opset, c->op);
  return def && buddy_opdef_kind(def) != BUDDY_KIND_RANDOM && !strstr(c->op, "empty");
}

static void compare(op_check *c, const char *graph, const buddy_tensor *got,
                    const buddy_tensor *wanted, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    char *text = bd_tensors_compare(&got[i], &wanted[i], 0);
    char what[1024];
    if (!text) continue;
    snprintf(what, sizeof what, "computes something else than the other registries: result %zu %s",
             i, text);
    tell_once(c, "error", "the same op must give the same numbers, whoever lowers it", graph, what);
    free(text);
    return;
  }
  ++c->n_compared;
}

static void tell_run(op_check *c, const char *graph, buddy_code code) {
  char *text = bd_diags_text(c->subject.diags), what[2048];
  if (code == BUDDY_INVALID_ARGUMENT) { /* perhaps rightly: the matrix must be positive definite */
    snprintf(what, sizeof what, "refuses all inputs that were tried: %s", text ? text : "");
    tell_once(c, "warning", "give a case of your own: --cases FILE", graph, what);
  } else {
    snprintf(what, sizeof what, "its IR cannot be compiled or run: %s", text ? text : "");
    tell_once(c, "error", "`buddy import` shows the IR", graph, what);
  }
  free(text);
}

/* False, and nothing is told, if the program refuses the inputs of this seed: an index may be out
 * of range. Seed 0 is the last word. */
static int run_and_compare(op_check *c, bd_road *mine, const char *graph, unsigned seed) {
  buddy_tensor inputs[MAX_TENSORS] = {0}, got[MAX_TENSORS] = {0}, wanted[MAX_TENSORS] = {0};
  const size_t n_in = buddy_graph_n_inputs(mine->graph), n_out = buddy_graph_n_outputs(mine->graph);
  bd_road other = {0};
  bool is_suited = true;
  if (n_in > MAX_TENSORS || n_out > MAX_TENSORS) return 1;
  if (bd_inputs_make(mine->graph, seed, inputs)) {
    bd_tell_step(c->out, "compiling and running %s", c->op);
    buddy_code code =
        bd_road_run(c->subject.registries, mine, inputs, n_in, got, n_out, c->subject.diags);
    is_suited = code != BUDDY_INVALID_ARGUMENT || seed == 0;
    if (code != BUDDY_OK) {
      if (is_suited) tell_run(c, graph, code);
    } else if (c->subject.reference && has_numbers(c)) {
      bd_tell_step(c->out, "the other registries on %s", c->op);
      code = bd_road_lower(c->subject.reference, graph, NULL, &other);
      if (code == BUDDY_OK)
        code = bd_road_run(c->subject.reference, &other, inputs, n_in, wanted, n_out, NULL);
      if (code == BUDDY_OK) compare(c, graph, got, wanted, n_out);
    }
  }
  buddy_diags_clear(c->subject.diags);
  bd_road_free(&other);
  release(inputs, n_in);
  release(got, n_out);
  release(wanted, n_out);
  return is_suited;
}

/* Each run uses its module up. */
static void run_seeds(op_check *c, bd_road *road, const char *graph) {
  const buddy_registries *registries = c->subject.registries;
  int n_suited = 0;
  buddy_code code = BUDDY_OK;
  for (unsigned k = 1; code == BUDDY_OK && k <= N_SEEDS + 1; ++k) {
    const unsigned seed = k % (N_SEEDS + 1); /* 1, 2, …, 0 */
    if (seed == 0 && n_suited > 0) break;
    if (k > 1) {
      bd_road_free(road);
      code = bd_road_lower(registries, graph, NULL, road);
    }
    if (code == BUDDY_OK) n_suited += run_and_compare(c, road, graph, seed);
  }
}

/* Taken, and yet no module: mostly an op that an expansion needs, which its registry took and then
 * could not emit. The stress that follows has no use for such a graph. */
static void tell_lowering(op_check *c, const char *graph, buddy_code code) {
  char *text = bd_diags_text(c->subject.diags), what[2048];
  snprintf(what, sizeof what, "is taken, but not lowered (%s): %s", buddy_code_name(code),
           text ? text : "");
  tell_once(c, "warning", "a row that sees beforehand that it cannot be lowered declines", graph,
            what);
  free(text);
}

/* ---- One graph ------------------------------------------------------------------------------- */
static void check_graph(op_check *c, const char *graph) {
  const buddy_registries *registries = c->subject.registries;
  bd_road first, second;
  bd_tell_step(c->out, "asking the rows of %s", c->op);
  buddy_code code = bd_road_lower(registries, graph, c->subject.diags, &first);
  judge_trail(c, &first, graph);
  if (first.graph) {
    bd_tell_step(c->out, "asking the rows of %s a second time", c->op);
    bd_road_lower(registries, graph, NULL, &second);
    const buddy_decision *a = first.plan ? buddy_plan_decision(first.plan, 0) : NULL;
    const buddy_decision *b = second.plan ? buddy_plan_decision(second.plan, 0) : NULL;
    if (!same_trail(a, b))
      tell_once(c, "error", "match depends on the node alone", graph,
                "answers the same question differently the second time");
    if (first.text && second.text && strcmp(first.text, second.text) != 0)
      tell_once(c, "error", "emit depends on the node alone", graph,
                "emits something else the second time");
    bd_road_free(&second);
  }
  if (bd_road_is_taken(&c->subject, &first)) {
    ++c->n_taken;
    if (code != BUDDY_OK) tell_lowering(c, graph, code);
    if (code == BUDDY_OK) json_array_append_new(c->taken, json_string(graph));
    if (code == BUDDY_OK && !c->check->is_quick) run_seeds(c, &first, graph);
  }
  buddy_diags_clear(c->subject.diags);
  bd_road_free(&first);
}

void bd_check_op(const bd_check *check, void *user, FILE *out) {
  op_check c = {.check = check, .op = user, .out = out};
  if (bd_subject_open(check, 0, &c.subject, out) != BUDDY_OK) return;
  bd_process_state *before = bd_process_state_take(); /* what loading changes is told once */
  c.taken = json_array();
  c.declined = json_object();
  c.said = json_object();
  json_t *graphs = bd_graphs_of(check, c.subject.opset, c.op);
  for (size_t i = 0; i < json_array_size(graphs); ++i)
    check_graph(&c, json_string_value(json_array_get(graphs, i)));
  bd_tell_step(out, "%s: after its rows", c.op);
  bd_process_state_compare(before, c.op, out);
  json_t *reasons = json_array();
  const char *reason;
  json_t *value;
  json_object_foreach(c.declined, reason, value)
      json_array_append_new(reasons, json_string(reason));
  bd_tell(out,
          json_pack("{s:s, s:I, s:I, s:I, s:O, s:o}", "op", c.op, "graphs",
                    (json_int_t)json_array_size(graphs), "taken", (json_int_t)c.n_taken, "compared",
                    (json_int_t)c.n_compared, "texts", c.taken, "declined", reasons));
  json_decref(graphs);
  json_decref(c.taken);
  json_decref(c.declined);
  json_decref(c.said);
  bd_process_state_free(before);
  bd_subject_close(&c.subject);
}
