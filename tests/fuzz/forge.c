// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/forge.c: see forge.h. */
#include "tests/fuzz/forge.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/compile.h"
#include "buddy/import.h"

/* ---- Places ---- */

typedef struct place {
  size_t begin, end; /* of the bytes */
  int is_type;
} place;

static int is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "f32[" begins a type; the dtype's name begins with one of these letters and has a digit. */
static int begins_type(const char *at, const char *end) {
  const char *p = at;
  int has_digit = 0;
  if (!strchr("fibcu", *at)) return 0;
  while (p < end && is_word(*p)) has_digit |= *p >= '0' && *p <= '9', ++p;
  return p < end && *p == '[' && has_digit && p - at < 14;
}

static size_t to_bracket(const char *text, size_t at, size_t size) {
  while (at < size && text[at] != ']') ++at;
  return at < size ? at + 1 : at;
}

/* The next place at or behind `at`; false at the end of the text. */
static int next_place(const char *text, size_t size, size_t at, place *out) {
  int in_string = 0;
  for (; at < size; ++at) {
    if (text[at] == '"') in_string = !in_string;
    const int is_start = at > 0 && !is_word(text[at - 1]) && text[at - 1] != '.' &&
                         text[at - 1] != '%' && text[at - 1] != '@';
    if (in_string || !is_start) continue;
    if (begins_type(text + at, text + size)) {
      *out = (place){at, to_bracket(text, at, size), 1};
      return 1;
    }
    const int is_argument = text[at - 1] == '=';
    const int is_number = text[at] == '-' || (text[at] >= '0' && text[at] <= '9');
    if (is_argument && text[at] == '[') {
      *out = (place){at, to_bracket(text, at, size), 0};
      return 1;
    }
    if (is_argument && is_number) {
      size_t end = at + 1;
      while (end < size && (is_word(text[end]) || text[end] == '.')) ++end;
      *out = (place){at, end, 0};
      return 1;
    }
  }
  return 0;
}

size_t forge_places(const char *text, size_t size) {
  size_t n = 0;
  place p = {0};
  while (next_place(text, size, p.end, &p)) ++n;
  return n;
}

/* ---- Ways ---- */

/* Writes the type with other dims or another dtype; an empty text if the way gives nothing. */
static void change_type(const char *type, size_t size, int way, char *out, size_t out_size) {
  const char *open = memchr(type, '[', size);
  const int n_dtype = (int)(open - type), n_dims = (int)(type + size - 1 - open - 1);
  const char *dims = open + 1, *comma = memchr(dims, ',', (size_t)n_dims);
  const int first = comma ? (int)(comma - dims) : n_dims;
  const char *rest = comma ? comma : dims + n_dims;
  const int n_rest = n_dims - first;
  *out = 0;
  switch (way) {
    case 0:
      snprintf(out, out_size, "%.*s[]", n_dtype, type);
      break;
    case 1:
      if (n_dims)
        snprintf(out, out_size, "%.*s[%.*s]", n_dtype, type, n_rest ? n_rest - 1 : 0,
                 rest + (n_rest ? 1 : 0));
      break;
    case 2:
      snprintf(out, out_size, "%.*s[1%s%.*s]", n_dtype, type, n_dims ? "," : "", n_dims, dims);
      break;
    case 3:
      if (n_dims) snprintf(out, out_size, "%.*s[0%.*s]", n_dtype, type, n_rest, rest);
      break;
    case 4:
      if (n_dims) snprintf(out, out_size, "%.*s[7%.*s]", n_dtype, type, n_rest, rest);
      break;
    case 5:
      snprintf(out, out_size, "i64[%.*s]", n_dims, dims);
      break;
    case 6:
      snprintf(out, out_size, "c64[%.*s]", n_dims, dims);
      break;
    case 7:
      snprintf(out, out_size, "%.*s[2,1,3,1,2,1,2,1,2]", n_dtype, type);
      break;
    case 8:
      snprintf(out, out_size, "i1[%.*s]", n_dims, dims);
      break;
    default:
      if (n_dims)
        snprintf(out, out_size, "%.*s[4611686018427387904%.*s]", n_dtype, type, n_rest, rest);
  }
}

static void change_number(const char *text, size_t size, int way, char *out, size_t out_size) {
  static const char *const numbers[] = {
      "-1", "0", "1", "7", "-9223372036854775807", "9223372036854775807"};
  static const char *const lists[] = {"[]",
                                      "[0]",
                                      "[-1]",
                                      "[1,1]",
                                      "[1,1,1]",
                                      "[0,0,0,0]",
                                      "[9223372036854775807,2]",
                                      "[3,1,2,0,1,2,3]"};
  const int is_list = *text == '[';
  const size_t n = is_list ? sizeof lists / sizeof *lists : sizeof numbers / sizeof *numbers;
  *out = 0;
  if (is_list && memchr(text, '%', size)) return; /* of values */
  if ((size_t)way < n) snprintf(out, out_size, "%s", is_list ? lists[way] : numbers[way]);
}

static size_t replace(const char *text, size_t size, const place *p, const char *by, char *out) {
  const size_t n = strlen(by), behind = size - p->end;
  if (p->begin + n + behind >= FORGE_MAX) return 0;
  memcpy(out, text, p->begin);
  memcpy(out + p->begin, by, n);
  memcpy(out + p->begin + n, text + p->end, behind);
  out[p->begin + n + behind] = 0;
  return p->begin + n + behind;
}

size_t forge(const char *text, size_t size, size_t i, int way, char *out) {
  char by[512];
  place p = {0};
  do {
    if (!next_place(text, size, p.end, &p)) return 0;
  } while (i--);
  const size_t n = p.end - p.begin;
  (p.is_type ? change_type : change_number)(text + p.begin, n, way, by, sizeof by);
  if (!*by || (strlen(by) == n && !memcmp(by, text + p.begin, n))) return 0;
  return replace(text, size, &p, by, out);
}

size_t forge_all(const char *text, size_t size, int way, char *out) {
  static char from[FORGE_MAX];
  if (size >= FORGE_MAX) return 0;
  memcpy(from, text, size);
  place p = {0};
  for (size_t at = 0; next_place(from, size, at, &p); at = p.end) {
    char by[512];
    if (!p.is_type) continue;
    change_type(from + p.begin, p.end - p.begin, way == 0 ? 0 : 2, by, sizeof by);
    const size_t changed = replace(from, size, &p, by, out);
    if (!changed) return 0;
    p.end = p.begin + strlen(by);
    memcpy(from, out, changed);
    size = changed;
  }
  memcpy(out, from, size);
  out[size] = 0;
  return size;
}

/* ---- The road ---- */

static buddy_opset *opset;
static buddy_search *search;
static const char *known_orders[8];
static buddy_registries *known[8];

static buddy_registries *registries_in(const char *order) {
  size_t i = 0;
  while (i < 7 && known_orders[i] && strcmp(known_orders[i], order)) ++i;
  if (known_orders[i]) return known[i];
  static const char *const dir = FORGE_PLUGIN_DIR;
  const buddy_search_options where = {
      .struct_size = sizeof where, .plugin_dirs = &dir, .n_plugin_dirs = 1};
  const buddy_registries_options options = {.struct_size = sizeof options, .order = order};
  buddy_diags *diags = NULL;
  if (buddy_diags_create(&diags)) abort();
  if (!opset && buddy_aten_opset_create(&opset)) abort();
  if (!search && buddy_search_create(&where, diags, &search)) abort();
  if (buddy_registries_create(search, opset, &options, diags, &known[i])) abort();
  buddy_diags_destroy(diags);
  known_orders[i] = order;
  return known[i];
}

void forge_load(const char *order) { (void)registries_in(order); }

/* ---- Ops by their schemas ---- */

const char *forge_op_name(size_t i) {
  const buddy_registries *all = known[0];
  for (size_t r = 0; r < buddy_registries_count(all); ++r) {
    const buddy_registry *registry = buddy_registries_get(all, r);
    if (i < registry->n_ops) return registry->ops[i].name;
    i -= registry->n_ops;
  }
  return NULL;
}

/* What stands for an argument of that type; null: nothing in a text does. */
static const char *argument(const buddy_schema_arg *arg, int way) {
  static const char *const lists[] = {"[]", "[1]", "[1,1]", "[0,1,2]"};
  static const char *const ints[] = {"1", "0", "-1", "2"};
  if (arg->has_default) return "";
  if (arg->type == BUDDY_SCHEMA_TENSOR) return arg->is_list ? "[%a, %a]" : "%a";
  if (arg->is_optional) return "none";
  switch (arg->type) {
    case BUDDY_SCHEMA_INT:
      return arg->is_list ? lists[way % 4] : ints[way % 4];
    case BUDDY_SCHEMA_SCALAR:
    case BUDDY_SCHEMA_FLOAT:
      return arg->is_list ? "[1.0]" : "1.0";
    case BUDDY_SCHEMA_BOOL:
      return arg->is_list ? "[true]" : "true";
    case BUDDY_SCHEMA_STRING:
      return "\"mean\"";
    case BUDDY_SCHEMA_DTYPE:
      return "f32";
    default:
      return NULL;
  }
}

size_t forge_op(const char *op, int way, char *out) {
  static const char *const types[] = {"f32[]",    "f32[3]",     "f32[2,3]", "f32[2,3,4,5]",
                                      "i64[]",    "c64[2,2]",   "i1[2,3]",  "f32[0]",
                                      "f16[1,1]", "f32[2,2,2]", "i64[3]",   "f64[1,2,3,4,5,6]"};
  const buddy_opdef *def = buddy_opset_find(opset, op);
  const size_t n = def ? buddy_opdef_n_args(def) : 0;
  size_t size = (size_t)snprintf(out, FORGE_MAX, "graph @c {\n  input %%a : %s\n  %%r:%zu = %s(",
                                 types[way], def ? buddy_opdef_n_results(def) : 0, op);
  if (!def || strpbrk(op, " \"")) return 0;
  const char *comma = "";
  for (size_t i = 0; i < n; ++i) {
    const buddy_schema_arg *arg = buddy_opdef_arg(def, i);
    const char *as = argument(arg, way);
    if (!as) return 0;
    if (!*as) continue;
    size += (size_t)snprintf(out + size, FORGE_MAX - size, "%s%s=%s", comma, arg->name, as);
    comma = ", ";
  }
  size += (size_t)snprintf(out + size, FORGE_MAX - size, ")");
  for (size_t i = 0; i < buddy_opdef_n_results(def); ++i) {
    size += (size_t)snprintf(out + size, FORGE_MAX - size, "%s%s", i ? ", " : " : ", types[way]);
  }
  return size + (size_t)snprintf(out + size, FORGE_MAX - size, "\n  output %%a\n}\n");
}

static buddy_code count_bytes(void *user, const char *data, size_t size) {
  (void)data;
  *(size_t *)user += size;
  return BUDDY_OK;
}

#define MAX_ELEMENTS 65536

/* Inputs of zeros; false if one is too large for it, or of sizes that are not known. */
static int make_inputs(const buddy_program *program, buddy_tensor *inputs, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const buddy_port *port = buddy_program_input(program, i);
    int64_t dims[64], elements = 1;
    for (uint32_t d = 0; d < port->rank; ++d) {
      dims[d] = port->dims[d] < 0 ? 3 : port->dims[d];
      elements =
          dims[d] > MAX_ELEMENTS || elements > MAX_ELEMENTS ? MAX_ELEMENTS + 1 : elements * dims[d];
    }
    if (elements > MAX_ELEMENTS || buddy_tensor_create(port->dtype, port->rank, dims, &inputs[i]))
      return 0;
    memset(inputs[i].bytes, 0, (size_t)elements * buddy_dtype_size(port->dtype));
  }
  return 1;
}

static void run(const buddy_program *program, buddy_diags *diags) {
  const size_t n = buddy_program_n_inputs(program), m = buddy_program_n_outputs(program);
  buddy_tensor *tensors = calloc(n + m + 1, sizeof *tensors);
  if (!tensors) abort();
  if (make_inputs(program, tensors, n))
    buddy_program_run(program, tensors, n, tensors + n, m, diags);
  for (size_t i = 0; i < n + m; ++i) buddy_tensor_release(&tensors[i]);
  free(tensors);
}

void forge_take(const char *text, size_t size, const char *order, int runs) {
  const buddy_lower_options options = {.struct_size = sizeof options, .fallback_on_error = 1};
  const buddy_compile_options compile = {
      .struct_size = sizeof compile, .opt_level = BUDDY_OPT_NONE, .winograd = -1};
  const buddy_registries *registries = registries_in(order);
  buddy_diags *diags = NULL;
  buddy_graph *graph = NULL;
  buddy_plan *plan = NULL;
  buddy_module *module = NULL;
  buddy_program *program = NULL;
  size_t n_printed = 0;
  const buddy_writer writer = {count_bytes, &n_printed};
  if (buddy_diags_create(&diags)) abort();
  buddy_code code = buddy_graph_parse(opset, (buddy_sv){text, size}, diags, &graph);
  if (!code) code = buddy_graph_normalize(graph, diags);
  if (!code) code = buddy_plan_create(registries, graph, diags, &plan);
  if (!code) code = buddy_lower(plan, &options, diags, &module);
  if (!code && (buddy_module_print(module, BUDDY_FORMAT_MLIR, 0, &writer) || !n_printed)) abort();
  if (!code && runs) {
    code = buddy_compile(module, registries, &compile, diags, &program);
    module = NULL;
    if (!code) run(program, diags);
  }
  if (code && buddy_diags_count(diags) == 0) abort(); /* an error is told */
  buddy_program_destroy(program);
  buddy_module_destroy(module);
  buddy_plan_destroy(plan);
  buddy_graph_destroy(graph);
  buddy_diags_destroy(diags);
}
