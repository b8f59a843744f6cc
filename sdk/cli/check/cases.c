// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/cases.c: an author's own cases, one JSON object a line; empty lines and lines that
 * start with // are left out.
 *
 *   1  {"op": "mine.scale.default", "args": {"self": {"f32": [[1, 2]]}, "scale": 2.0},
 *       "results": [{"f32": [[2, 4]]}], "tolerance": 1e-6}
 *   2  {"op": …, "args": …, "results": [{"f32": …}], "declined": "part of the reason"}
 *
 *   3  {"graph": "graph @g {…}", "inputs": [{"f32": …}], "results": …, "takes":
 * ["mine.fused.default"]}
 *
 * A graph is in its text form (buddy import --emit graph), "takes" the ops of it, after all
 * rewriting, that the registry's rows must take, in their order and no others. A tensor is
 * {"dtype": nested lists}; other arguments are JSON of their kind: numbers, booleans, strings,
 * null, lists of numbers; a dtype is its name. Results are what the registry must compute; with
 * "declined", results tell the types alone and may be left out for those of the first tensor. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/infile.h"
#include "core/base/try.h"
#include "sdk/cli/check/check.h"

enum { MAX_ARGS = 64, MAX_RANK = 16, MAX_LIST = 64 };

typedef struct case_check {
  const bd_check *check;
  const char *path;
  unsigned line;
  FILE *out;
  bd_subject subject;
  json_t *passed; /* number by op */
  /* of the case at hand */
  const char *op;
  buddy_tensor inputs[MAX_ARGS], wanted[MAX_ARGS];
  const buddy_value *values[MAX_ARGS];
  size_t n_inputs, n_wanted;
} case_check;

static void tell(case_check *c, const char *format, ...) BUDDY_PRINTF(2, 3);
static void tell(case_check *c, const char *format, ...) {
  char what[3072];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  bd_tell_finding(c->out, "error", "cases", c->op, NULL, "%s:%u: %s", c->path, c->line, what);
}

/* ---- Tensors --------------------------------------------------------------------------------- */
/* Rounded to nearest, ties to even. */
static uint16_t to_half(double value) {
  const double size = fabs(value);
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  int exponent;
  if (isnan(value)) return 0x7E00;
  if (size >= 65520) return sign | 0x7C00;
  if (size < ldexp(1, -14)) return sign | (uint16_t)nearbyint(ldexp(size, 24));
  const double fraction = frexp(size, &exponent); /* 0.5 to 1 */
  return sign | (uint16_t)(((exponent + 14) << 10) + (int)nearbyint(ldexp(fraction, 11)) - 1024);
}

static void put_element(buddy_tensor *tensor, int64_t i, const json_t *number) {
  const double value = json_is_true(number) ? 1 : json_number_value(number);
  int64_t integer = json_is_integer(number) ? json_integer_value(number) : (int64_t)value;
  const size_t size = buddy_dtype_size(tensor->dtype);
  char *at = (char *)tensor->bytes + (size_t)i * size;
  const float single = (float)value;
  if (json_is_true(number)) integer = 1;
  switch (tensor->dtype) {
    case BUDDY_F32:
      memcpy(at, &single, size);
      break;
    case BUDDY_F64:
      memcpy(at, &value, size);
      break;
    case BUDDY_BF16: { /* rounded to nearest, ties to even */
      uint32_t bits;
      memcpy(&bits, &single, sizeof bits);
      if (single == single) bits += 0x7FFF + (bits >> 16 & 1);
      const uint16_t high = (uint16_t)(bits >> 16);
      memcpy(at, &high, size);
      break;
    }
    case BUDDY_F16: {
      const uint16_t small = to_half(value);
      memcpy(at, &small, size);
      break;
    }
    default:
      memcpy(at, &integer, size);
  }
}

static int put_all(buddy_tensor *tensor, uint32_t d, const json_t *list, int64_t *next) {
  if (d == tensor->rank) {
    if (!json_is_number(list) && !json_is_boolean(list)) return 0;
    put_element(tensor, (*next)++, list);
    return 1;
  }
  if (!json_is_array(list) || (int64_t)json_array_size(list) != tensor->sizes[d]) return 0;
  for (size_t i = 0; i < json_array_size(list); ++i) {
    if (!put_all(tensor, d + 1, json_array_get(list, i), next)) return 0;
  }
  return 1;
}

/* {"f32": [[1, 2]]}. 0: it is none, which has been told. */
static int read_tensor(case_check *c, const json_t *json, const char *what, buddy_tensor *out) {
  int64_t sizes[MAX_RANK], next = 0;
  uint32_t rank = 0;
  void *only = json_is_object(json) && json_object_size(json) == 1
                   ? json_object_iter((json_t *)(uintptr_t)json)
                   : NULL;
  const char *name = only ? json_object_iter_key(only) : "";
  const buddy_dtype dtype = buddy_dtype_find((buddy_sv){name, strlen(name)});
  if (!only || !dtype || dtype == BUDDY_C32 || dtype >= BUDDY_F8E4M3FN || dtype == BUDDY_C64 ||
      dtype == BUDDY_C128) {
    tell(c, "%s is no tensor: write {\"f32\": [1, 2]}; complex and 8-bit floats cannot be written",
         what);
    return 0;
  }
  const json_t *list = json_object_iter_value(only);
  for (const json_t *at = list; json_is_array(at) && rank < MAX_RANK; at = json_array_get(at, 0))
    sizes[rank++] = (int64_t)json_array_size(at);
  if (buddy_tensor_create(dtype, rank, sizes, out) != BUDDY_OK) return 0;
  if (put_all(out, 0, list, &next)) return 1;
  tell(c, "%s: its lists are not all of the same size, or not all of numbers", what);
  return 0;
}

/* ---- Arguments ------------------------------------------------------------------------------- */
/* What the arrays of one argument need. */
typedef struct storage {
  const buddy_value *values[MAX_LIST];
  int64_t ints[MAX_LIST];
  double floats[MAX_LIST];
} storage;

static int add_input(case_check *c, buddy_graph *graph, const json_t *json, const char *name,
                     const buddy_value **out_value) {
  buddy_tensor *tensor = &c->inputs[c->n_inputs];
  if (c->n_inputs == MAX_ARGS || !read_tensor(c, json, name, tensor)) return 0;
  const buddy_tensor_type type = {tensor->dtype, tensor->rank, tensor->sizes};
  ++c->n_inputs;
  return buddy_graph_add_input(graph, BUDDY_INPUT_USER, NULL, NULL, &type, NULL, NULL, out_value) ==
         BUDDY_OK;
}

static int read_list(case_check *c, buddy_graph *graph, const json_t *json, const char *name,
                     const buddy_schema_arg *schema, storage *s, buddy_arg *out) {
  const size_t n = json_array_size(json);
  if (n > MAX_LIST) return 0;
  out->n = n;
  for (size_t i = 0; i < n; ++i) {
    const json_t *one = json_array_get(json, i);
    if (schema->type == BUDDY_SCHEMA_TENSOR && !json_is_null(one) &&
        !add_input(c, graph, one, name, &s->values[i]))
      return 0;
    s->ints[i] = json_is_true(one) ? 1 : json_integer_value(one);
    s->floats[i] = json_number_value(one);
  }
  switch (schema->type) {
    case BUDDY_SCHEMA_TENSOR:
      out->kind = BUDDY_ARG_TENSORS;
      out->as.tensors = s->values;
      return 1;
    case BUDDY_SCHEMA_FLOAT:
      out->kind = BUDDY_ARG_FLOATS;
      out->as.floats = s->floats;
      return 1;
    default:
      out->kind = schema->type == BUDDY_SCHEMA_BOOL ? BUDDY_ARG_BOOLS : BUDDY_ARG_INTS;
      out->as.ints = s->ints;
      return 1;
  }
}

static int read_word(const json_t *json, const buddy_schema_arg *schema, buddy_arg *out) {
  const char *text = json_string_value(json);
  if (schema->type == BUDDY_SCHEMA_DTYPE) {
    out->kind = BUDDY_ARG_DTYPE;
    out->as.i = buddy_dtype_find((buddy_sv){text, strlen(text)});
    return out->as.i != BUDDY_DTYPE_NONE;
  }
  out->kind = schema->type == BUDDY_SCHEMA_DEVICE          ? BUDDY_ARG_DEVICE
              : schema->type == BUDDY_SCHEMA_LAYOUT        ? BUDDY_ARG_LAYOUT
              : schema->type == BUDDY_SCHEMA_MEMORY_FORMAT ? BUDDY_ARG_MEMORY_FORMAT
                                                           : BUDDY_ARG_STRING;
  out->n = strlen(text);
  out->as.string = text;
  return 1;
}

static int read_arg(case_check *c, buddy_graph *graph, const json_t *json, const char *name,
                    const buddy_schema_arg *schema, storage *s, buddy_arg *out) {
  *out = (buddy_arg){0};
  if (json_is_null(json)) return 1;
  if (json_is_array(json)) return read_list(c, graph, json, name, schema, s, out);
  if (json_is_string(json)) return read_word(json, schema, out);
  if (json_is_object(json)) {
    out->kind = BUDDY_ARG_TENSOR;
    return add_input(c, graph, json, name, &out->as.tensor);
  }
  if (json_is_boolean(json)) {
    out->kind = BUDDY_ARG_BOOL;
    out->as.i = json_is_true(json);
  } else if (json_is_integer(json) && schema->type != BUDDY_SCHEMA_FLOAT) {
    out->kind = BUDDY_ARG_INT;
    out->as.i = json_integer_value(json);
  } else {
    out->kind = BUDDY_ARG_FLOAT;
    out->as.f = json_number_value(json);
  }
  return 1;
}

/* ---- The graph ------------------------------------------------------------------------------- */
static int read_results(case_check *c, const json_t *json, buddy_tensor_type *types) {
  const size_t n = json_array_size(json);
  if (n > MAX_ARGS) return 0;
  for (size_t i = 0; i < n; ++i) {
    if (!read_tensor(c, json_array_get(json, i), "a result", &c->wanted[i])) return 0;
    ++c->n_wanted;
    types[i] = (buddy_tensor_type){c->wanted[i].dtype, c->wanted[i].rank, c->wanted[i].sizes};
  }
  if (n == 0 && c->n_inputs > 0)
    types[0] = (buddy_tensor_type){c->inputs[0].dtype, c->inputs[0].rank, c->inputs[0].sizes};
  return n > 0 || c->n_inputs > 0;
}

static buddy_code add_outputs(buddy_graph *graph, const buddy_node *node, buddy_diags *diags) {
  for (size_t i = 0; i < buddy_node_n_results(node); ++i) {
    buddy_arg output = {.kind = BUDDY_ARG_TENSOR};
    output.as.tensor = buddy_node_result(node, i);
    BD_TRY(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, NULL, &output, diags));
  }
  return BUDDY_OK;
}

static int build(case_check *c, const json_t *json, buddy_graph *graph) {
  static storage room[MAX_ARGS];
  buddy_named_arg args[MAX_ARGS];
  buddy_tensor_type types[MAX_ARGS];
  size_t n = 0;
  const buddy_opdef *def = buddy_opset_find(c->subject.opset, c->op);
  json_t *given = json_object_get(json, "args");
  const char *name;
  json_t *value;
  if (!def) {
    tell(c, "there is no op '%s': the registry's schemas do not define it, and ATen does not",
         c->op);
    return 0;
  }
  json_object_foreach(given, name, value) {
    size_t i;
    if (n == MAX_ARGS || buddy_opdef_arg_find(def, (buddy_sv){name, strlen(name)}, &i)) {
      tell(c, "the op has no argument '%s': %s", name, buddy_opdef_schema(def));
      return 0;
    }
    args[n].name = name;
    if (!read_arg(c, graph, value, name, buddy_opdef_arg(def, i), &room[n], &args[n].arg)) {
      if (!json_is_object(value)) tell(c, "argument '%s' cannot be read", name);
      return 0; /* of a tensor it has been told what is wrong */
    }
    ++n;
  }
  if (!read_results(c, json_object_get(json, "results"), types)) {
    tell(c, "\"results\" are missing or cannot be read");
    return 0;
  }
  buddy_node *node = NULL;
  buddy_code code = buddy_graph_add_node(graph, NULL, c->op, NULL, args, n, types,
                                         c->n_wanted ? c->n_wanted : 1, c->subject.diags, &node);
  if (code == BUDDY_OK) code = add_outputs(graph, node, c->subject.diags);
  if (code == BUDDY_OK) code = buddy_graph_normalize(graph, c->subject.diags);
  if (code == BUDDY_OK) return 1;
  char *text = bd_diags_text(c->subject.diags);
  tell(c, "cannot be made a node: %s", text ? text : "");
  free(text);
  return 0;
}

/* ---- One case -------------------------------------------------------------------------------- */
/* Why the plugin's rows did not take the node; "" if none was asked. */
static void reasons(case_check *c, const bd_road *road, char *text, size_t size) {
  const buddy_decision *decision = road->plan ? buddy_plan_decision(road->plan, 0) : NULL;
  text[0] = 0;
  for (size_t i = 0; decision && i < decision->n_tries; ++i) {
    const buddy_try *one = &decision->tries[i];
    if (one->registry != c->subject.number || one->code == BUDDY_OK) continue;
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? "; " : "", one->reason);
  }
}

static int numbers_agree(case_check *c, bd_road *road, double tolerance) {
  buddy_tensor got[MAX_ARGS] = {0};
  int agree = 1;
  bd_tell_step(c->out, "%s:%u: compiling and running %s", c->path, c->line, c->op);
  const buddy_code code = bd_road_run(c->subject.registries, road, c->inputs, c->n_inputs, got,
                                      c->n_wanted, c->subject.diags);
  if (code != BUDDY_OK) {
    char *text = bd_diags_text(c->subject.diags);
    tell(c, "cannot be compiled or run: %s", text ? text : "");
    free(text);
    agree = 0;
  }
  for (size_t i = 0; code == BUDDY_OK && i < c->n_wanted; ++i) {
    char *text = bd_tensors_compare(&got[i], &c->wanted[i], tolerance);
    if (text) tell(c, "result %zu %s", i, text);
    agree &= !text;
    free(text);
  }
  for (size_t i = 0; i < c->n_wanted; ++i) buddy_tensor_release(&got[i]);
  return agree;
}

static int judge(case_check *c, const json_t *json, bd_road *road, buddy_code code) {
  char why[2048];
  const char *declined = json_string_value(json_object_get(json, "declined"));
  const bool is_taken = bd_road_is_taken(&c->subject, road);
  reasons(c, road, why, sizeof why);
  if (declined) {
    if (!is_taken && strstr(why, declined)) return 1;
    tell(c,
         is_taken ? "is taken, but should be declined for '%s'%s"
                  : "should be declined for '%s', but is for '%s'",
         declined, is_taken ? "" : why);
    return 0;
  }
  if (!is_taken) {
    char *text = bd_diags_text(c->subject.diags);
    tell(c, "no row takes it: %s",
         *why            ? why
         : text && *text ? text
                         : "there is no row for the op");
    free(text);
    return 0;
  }
  if (code != BUDDY_OK) {
    char *text = bd_diags_text(c->subject.diags);
    tell(c, "cannot be lowered: %s", text ? text : "");
    free(text);
    return 0;
  }
  return c->check->is_quick ||
         numbers_agree(c, road, json_number_value(json_object_get(json, "tolerance")));
}

/* ---- Whole graphs ---------------------------------------------------------------------------- */
/* The ops that rows of the registry took, at the ends of all expansions. */
static void add_taken(const case_check *c, const buddy_decision *decision, json_t *ops) {
  if (decision->n_expansion == 0 && decision->is_taken &&
      decision->tries[decision->n_tries - 1].registry == c->subject.number)
    json_array_append_new(ops, json_string(decision->op));
  for (size_t i = 0; i < decision->n_expansion; ++i) add_taken(c, decision->expansion[i], ops);
}

static bool takes_what_it_should(case_check *c, const json_t *json, const bd_road *road) {
  json_t *ops = json_array(), *wanted = json_object_get(json, "takes");
  for (size_t i = 0; road->plan && i < buddy_plan_n_decisions(road->plan); ++i)
    add_taken(c, buddy_plan_decision(road->plan, i), ops);
  const bool is_right = !wanted || json_equal(ops, wanted);
  char *text = is_right ? NULL : json_dumps(ops, JSON_COMPACT);
  if (!is_right) tell(c, "its rows take %s", text ? text : "?");
  free(text);
  json_decref(ops);
  return is_right;
}

static int read_inputs(case_check *c, const json_t *json, const buddy_graph *graph) {
  const json_t *inputs = json_object_get(json, "inputs");
  const size_t n = json_array_size(inputs);
  if (n != buddy_graph_n_inputs(graph) || n > MAX_ARGS) {
    tell(c, "the graph has %zu inputs, %zu are given", buddy_graph_n_inputs(graph), n);
    return 0;
  }
  for (; c->n_inputs < n; ++c->n_inputs) {
    if (!read_tensor(c, json_array_get(inputs, c->n_inputs), "an input", &c->inputs[c->n_inputs]))
      return 0;
  }
  return 1;
}

static void run_graph(case_check *c, const json_t *json) {
  buddy_tensor_type types[MAX_ARGS];
  bd_road road;
  bd_tell_step(c->out, "%s:%u: asking for a graph", c->path, c->line);
  const char *graph = json_string_value(json_object_get(json, "graph"));
  const buddy_code code = bd_road_lower(c->subject.registries, graph, c->subject.diags, &road);
  if (code != BUDDY_OK) {
    char *text = bd_diags_text(c->subject.diags);
    tell(c, "cannot be read or lowered: %s", text ? text : "");
    free(text);
  } else if (takes_what_it_should(c, json, &road) && read_inputs(c, json, road.graph) &&
             read_results(c, json_object_get(json, "results"), types)) {
    if (c->n_wanted != buddy_graph_n_outputs(road.graph)) {
      tell(c, "the graph has %zu outputs, not %zu", buddy_graph_n_outputs(road.graph), c->n_wanted);
    } else if (!c->check->is_quick) {
      numbers_agree(c, &road, json_number_value(json_object_get(json, "tolerance")));
    }
  }
  bd_road_free(&road);
}

static void clear(case_check *c) {
  buddy_diags_clear(c->subject.diags);
  for (size_t i = 0; i < MAX_ARGS; ++i) {
    buddy_tensor_release(&c->inputs[i]);
    buddy_tensor_release(&c->wanted[i]);
  }
  c->n_inputs = c->n_wanted = 0;
}

static void run_case(case_check *c, const json_t *json) {
  bd_road road = {0};
  bd_tell_step(c->out, "%s:%u: asking for %s", c->path, c->line, c->op);
  buddy_code code = buddy_graph_create(c->subject.opset, "case", &road.graph);
  if (code == BUDDY_OK && build(c, json, road.graph)) {
    code = buddy_plan_create(c->subject.registries, road.graph, c->subject.diags, &road.plan);
    if (code == BUDDY_OK) code = buddy_lower(road.plan, NULL, c->subject.diags, &road.module);
    if (judge(c, json, &road, code)) {
      const json_int_t n = json_integer_value(json_object_get(c->passed, c->op));
      json_object_set_new(c->passed, c->op, json_integer(n + 1));
    }
  }
  bd_road_free(&road);
}

static void run_lines(case_check *c, FILE *in) {
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, in) > 0) {
    json_error_t error;
    ++c->line;
    if (!strncmp(line, "//", 2) || line[strspn(line, " \t\r\n")] == 0) continue;
    json_t *json = json_loads(line, 0, &error);
    c->op = json_string_value(json_object_get(json, "op"));
    if (!json) {
      tell(c, "is no JSON: %s", error.text);
    } else if (json_is_string(json_object_get(json, "graph"))) {
      if (!c->check->only) run_graph(c, json);
    } else if (!c->op) {
      tell(c, "has no \"op\", and no \"graph\"");
    } else if (!c->check->only || !strcmp(c->check->only, c->op)) {
      run_case(c, json);
    }
    c->op = NULL;
    clear(c);
    json_decref(json);
  }
  free(line);
}

void bd_check_cases(const bd_check *check, void *user, FILE *out) {
  static case_check c; /* large */
  c = (case_check){.check = check, .path = user, .out = out};
  bd_infile file;
  bd_fault fault = {.text = "cannot be read"};
  FILE *in = bd_infile_try(c.path, &file, &fault) ? bd_infile_stream(&file) : NULL;
  if (!in) {
    tell(&c, "%s", fault.text);
    return;
  }
  if (bd_subject_open(check, 0, &c.subject, out) == BUDDY_OK) {
    c.passed = json_object();
    run_lines(&c, in);
    const char *op;
    json_t *n;
    json_object_foreach(c.passed, op, n)
        bd_tell(out, json_pack("{s:s, s:O}", "case_op", op, "passed", n));
    json_decref(c.passed);
    bd_subject_close(&c.subject);
  }
  fclose(in);
}
