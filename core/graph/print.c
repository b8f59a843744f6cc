// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/print.c: the stable text form of a graph. parse.c reads it back.
 *
 *   1  graph     "graph" "@" name "{" lines "}"; names that are no words are quoted: @"a b", %"a b"
 *   2  symbols   "symbol s0 [2, 64]", "symbol u0 [0, inf]": in the outermost graph alone; after
 *                them guards: "guard {s0 - s1} "s0 >= s1" at "narrow (m.py:3)"" (guards.h)
 *   3  subgraphs as 1, before the first line that needs one; those that no node names are left out
 *   4  inputs    "input %x : f32[2,s0]", "parameter %w "layer.weight" : f32[3]", "buffer …",
 *                "constant …"
 *   5  nodes     "%y = aten.add.Tensor(self=%x, other=%w) : f32[2,s0]"; arguments at their default
 *                are left out. With other than one result "%y:2 = …", whose results are %y.0 and
 *                %y.1, types with commas between. An op without a definition:
 *                "%y = unknown "acme.op"(…)". Then, if known,
 *                loc(file="m.py", line=41, function="forward", code="x + w", module="layer")
 *   6  bindings  "bind u0 = %y"
 *   7  outputs   "output %y", "output buffer_mutation "running_mean" = %y",
 *                "output input_mutation "x" = %y"
 *
 *   8  values of arguments
 *        none   true   12   {2*s0}   1.5   inf   nan   "text"   %x   @subgraph
 *        dtype(f32)   device("cpu")   layout("strided")   memory_format("preserve")
 *        complex(1.0, 2.0)
 *        [%x, none]   [1, {s0}]   [1.5, 2.0]   [true]   ["a"]
 *        tensors[]  ints[]  floats[]  bools[]  strings[]  for lists whose elements do not tell */
#include <stdlib.h>
#include <string.h>

#include "core/base/shown.h"
#include "core/base/text.h"
#include "core/graph/arguments.h"
#include "core/graph/dims.h"
#include "core/graph/guards.h"
#include "core/graph/text_form.h"
#include "core/graph/types.h"

#define FLUSH_SIZE ((size_t)1 << 15)

typedef struct printer {
  const buddy_writer *writer;
  const bd_world *world;
  const bd_dims *dims;
  bd_text text;
  bool *is_printed;           /* by number of the graph */
  const buddy_symbol **bound; /* the bound symbols, by graph */
  size_t n_bound;
} printer;

/* ---- Words ---- */

static void print_name(printer *out, const char *name) {
  if (bd_text_form_is_word(name)) {
    bd_text_string(&out->text, name);
  } else {
    bd_text_quoted(&out->text, name, strlen(name));
  }
}

static void print_value_name(printer *out, const buddy_value *value) {
  if (!value) {
    bd_text_string(&out->text, "none");
    return;
  }
  bd_text_char(&out->text, '%');
  print_name(out, value->name);
}

static void indent(printer *out, uint32_t depth) {
  for (uint32_t i = 0; i < depth; ++i) bd_text_string(&out->text, "  ");
}

/* ---- Arguments ---- */

static void print_int(printer *out, int64_t number) {
  if (!BUDDY_IS_SYMBOLIC(number)) {
    bd_text_int(&out->text, number);
    return;
  }
  bd_text_char(&out->text, '{');
  bd_dim_print(out->dims, number, &out->text);
  bd_text_char(&out->text, '}');
}

static void print_element(printer *out, const buddy_arg *arg, size_t i) {
  switch (arg->kind) {
    case BUDDY_ARG_TENSORS:
      print_value_name(out, arg->as.tensors[i]);
      break;
    case BUDDY_ARG_INTS:
      print_int(out, arg->as.ints[i]);
      break;
    case BUDDY_ARG_BOOLS:
      bd_text_string(&out->text, arg->as.ints[i] ? "true" : "false");
      break;
    case BUDDY_ARG_FLOATS:
      bd_text_double(&out->text, arg->as.floats[i]);
      break;
    default:
      bd_text_quoted(&out->text, arg->as.strings[i], strlen(arg->as.strings[i]));
  }
}

/* Empty lists, and lists of None alone, say of what they are. */
static void print_list(printer *out, const buddy_arg *arg, const char *word) {
  bool tells = arg->n > 0;
  if (arg->kind == BUDDY_ARG_TENSORS) {
    tells = false;
    for (size_t i = 0; !tells && i < arg->n; ++i) tells = arg->as.tensors[i] != NULL;
  }
  if (!tells) bd_text_string(&out->text, word);
  bd_text_char(&out->text, '[');
  for (size_t i = 0; i < arg->n; ++i) {
    if (i > 0) bd_text_string(&out->text, ", ");
    print_element(out, arg, i);
  }
  bd_text_char(&out->text, ']');
}

static void print_tagged(printer *out, const buddy_arg *arg, const char *word) {
  bd_text_format(&out->text, "%s(", word);
  if (arg->kind == BUDDY_ARG_DTYPE) {
    bd_text_string(&out->text, buddy_dtype_name((buddy_dtype)arg->as.i));
  } else if (arg->kind == BUDDY_ARG_COMPLEX) {
    bd_text_double(&out->text, arg->as.floats[0]);
    bd_text_string(&out->text, ", ");
    bd_text_double(&out->text, arg->as.floats[1]);
  } else {
    bd_text_quoted(&out->text, arg->as.string, arg->n);
  }
  bd_text_char(&out->text, ')');
}

static void print_plain(printer *out, const buddy_arg *arg) {
  switch (arg->kind) {
    case BUDDY_ARG_TENSOR:
      print_value_name(out, arg->as.tensor);
      break;
    case BUDDY_ARG_INT:
      print_int(out, arg->as.i);
      break;
    case BUDDY_ARG_FLOAT:
      bd_text_double(&out->text, arg->as.f);
      break;
    case BUDDY_ARG_BOOL:
      bd_text_string(&out->text, arg->as.i ? "true" : "false");
      break;
    case BUDDY_ARG_STRING:
      bd_text_quoted(&out->text, arg->as.string, arg->n);
      break;
    case BUDDY_ARG_GRAPH:
      bd_text_char(&out->text, '@');
      print_name(out, arg->as.graph->name);
      break;
    default:
      bd_text_string(&out->text, "none");
  }
}

static void print_arg(printer *out, const buddy_arg *arg) {
  const char *tag = bd_text_form_tag(arg->kind), *list = bd_text_form_list(arg->kind);
  if (tag) {
    print_tagged(out, arg, tag);
  } else if (list) {
    print_list(out, arg, list);
  } else {
    print_plain(out, arg);
  }
}

/* ---- Nodes ---- */

static void print_location(printer *out, const buddy_location *location) {
  const struct {
    const char *word, *text;
  } fields[] = {{"file", location->file},
                {"function", location->function},
                {"code", location->code},
                {"module", location->module_path}};
  const char *separator = " loc(";
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
    if (!fields[i].text) continue;
    bd_text_format(&out->text, "%s%s=", separator, fields[i].word);
    bd_text_quoted(&out->text, fields[i].text, strlen(fields[i].text));
    separator = ", ";
  }
  if (location->line) {
    bd_text_format(&out->text, "%sline=%u", separator, location->line);
    separator = ", ";
  }
  if (*separator == ',') bd_text_char(&out->text, ')');
}

static void print_args(printer *out, const buddy_node *node) {
  const char *separator = "";
  bd_text_char(&out->text, '(');
  for (uint32_t i = 0; i < node->n_args; ++i) {
    if (buddy_node_arg_is_default(node, i)) continue;
    bd_text_string(&out->text, separator);
    print_name(out, buddy_node_arg_name(node, i));
    bd_text_char(&out->text, '=');
    print_arg(out, node->args[i]);
    separator = ", ";
  }
  bd_text_char(&out->text, ')');
}

static void print_node(printer *out, const buddy_node *node, uint32_t depth) {
  indent(out, depth);
  bd_text_char(&out->text, '%');
  print_name(out, node->name.text);
  if (node->n_results != 1) bd_text_format(&out->text, ":%u", node->n_results);
  bd_text_string(&out->text, node->def ? " = " : " = unknown ");
  if (node->def) {
    print_name(out, node->op);
  } else {
    bd_text_quoted(&out->text, node->op, strlen(node->op));
  }
  print_args(out, node);
  for (uint32_t i = 0; i < node->n_results; ++i) {
    bd_text_string(&out->text, i ? ", " : " : ");
    bd_type_print(out->dims, &node->results[i].type, &out->text);
  }
  if (node->location) print_location(out, node->location);
  bd_text_char(&out->text, '\n');
}

/* ---- Inputs, symbols, outputs ---- */

static void print_input(printer *out, const bd_graph_input *input, uint32_t depth) {
  indent(out, depth);
  bd_text_format(&out->text, "%s ", bd_text_form_inputs[input->kind]);
  print_value_name(out, &input->value);
  if (*input->target) {
    bd_text_char(&out->text, ' ');
    bd_text_quoted(&out->text, input->target, strlen(input->target));
  }
  bd_text_string(&out->text, " : ");
  bd_type_print(out->dims, &input->value.type, &out->text);
  bd_text_char(&out->text, '\n');
}

static void print_bound(printer *out, int64_t bound) {
  if (bound == INT64_MAX || bound == INT64_MIN) {
    bd_text_string(&out->text, bound > 0 ? "inf" : "-inf");
  } else {
    bd_text_int(&out->text, bound);
  }
}

static void print_symbols(printer *out, uint32_t depth) {
  for (size_t i = 0; i < out->dims->n_symbols; ++i) {
    const buddy_symbol *symbol = &out->dims->symbols[i]->symbol;
    indent(out, depth);
    bd_text_format(&out->text, "symbol %s [", symbol->name);
    print_bound(out, symbol->min);
    bd_text_string(&out->text, ", ");
    print_bound(out, symbol->max);
    bd_text_string(&out->text, "]\n");
  }
}

static void print_bindings(printer *out, const buddy_graph *graph, uint32_t depth) {
  size_t low = 0, high = out->n_bound;
  while (low < high) { /* the first binding of this graph */
    const size_t middle = low + (high - low) / 2;
    if (out->bound[middle]->bound_to->graph->number < graph->number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < out->n_bound && out->bound[low]->bound_to->graph == graph; ++low) {
    indent(out, depth);
    bd_text_format(&out->text, "bind %s = ", out->bound[low]->name);
    print_value_name(out, out->bound[low]->bound_to);
    bd_text_char(&out->text, '\n');
  }
}

/* The graph's own; of the outermost one that is printed, also those around it. */
static void print_guards(printer *out, const buddy_graph *graph, uint32_t depth) {
  for (size_t i = 0; i < out->world->n_guards; ++i) {
    const bd_guard *guard = &out->world->guards[i];
    if (guard->graph != graph && (depth > 1 || !bd_guard_is_of(guard, graph))) continue;
    indent(out, depth);
    bd_text_string(&out->text, "guard {");
    bd_dim_print(out->dims, guard->dim, &out->text);
    bd_text_string(&out->text, "} ");
    bd_text_quoted(&out->text, guard->text, strlen(guard->text));
    if (*guard->where) {
      bd_text_string(&out->text, " at ");
      bd_text_quoted(&out->text, guard->where, strlen(guard->where));
    }
    bd_text_char(&out->text, '\n');
  }
}

static void print_output(printer *out, const bd_graph_output *output, uint32_t depth) {
  indent(out, depth);
  bd_text_string(&out->text, "output ");
  const char *word = bd_text_form_outputs[output->kind];
  if (*word || *output->target) {
    bd_text_format(&out->text, *word ? "%s " : "%s", word);
    bd_text_quoted(&out->text, output->target, strlen(output->target));
    bd_text_string(&out->text, " = ");
  }
  print_arg(out, output->arg);
  bd_text_char(&out->text, '\n');
}

/* ---- Graphs ---- */

static void flush_if_large(printer *out) {
  if (out->text.size >= FLUSH_SIZE) bd_text_flush(&out->text, out->writer);
}

static void print_graph(printer *out, const buddy_graph *graph, uint32_t depth);

/* Recursion ends: subgraphs nest 64 deep at most, and nodes name only what is inside their
 * graph. */
static void print_subgraphs(printer *out, const buddy_graph *graph, uint32_t depth) {
  if (out->world->n_graphs == 1) return;
  for (const buddy_node *node = graph->first; node; node = node->next) {
    for (uint32_t i = 0; i < node->n_args; ++i) {
      if (node->args[i]->kind != BUDDY_ARG_GRAPH) continue;
      const buddy_graph *inner = node->args[i]->as.graph;
      if (!out->is_printed[inner->number]) print_graph(out, inner, depth);
    }
  }
}

static void print_graph(printer *out, const buddy_graph *graph, uint32_t depth) {
  out->is_printed[graph->number] = true;
  indent(out, depth);
  bd_text_string(&out->text, "graph @");
  print_name(out, graph->name);
  bd_text_string(&out->text, " {\n");
  if (depth == 0) print_symbols(out, depth + 1);
  print_guards(out, graph, depth + 1);
  print_subgraphs(out, graph, depth + 1);
  for (size_t i = 0; i < graph->n_inputs; ++i) print_input(out, graph->inputs[i], depth + 1);
  for (const buddy_node *node = graph->first; node && !out->text.code; node = node->next) {
    print_node(out, node, depth + 1);
    flush_if_large(out);
  }
  print_bindings(out, graph, depth + 1);
  for (size_t i = 0; i < graph->n_outputs; ++i) print_output(out, graph->outputs[i], depth + 1);
  indent(out, depth);
  bd_text_string(&out->text, "}\n");
  flush_if_large(out);
}

static int compare_bound(const void *a, const void *b) {
  const buddy_symbol *x = *(const buddy_symbol *const *)a, *y = *(const buddy_symbol *const *)b;
  const size_t i = x->bound_to->graph->number, j = y->bound_to->graph->number;
  if (i != j) return i < j ? -1 : 1;
  return x->dim < y->dim ? -1 : 1; /* the order of the symbols */
}

static void collect_bound(printer *out) {
  for (size_t i = 0; i < out->dims->n_symbols; ++i) {
    const buddy_symbol *symbol = &out->dims->symbols[i]->symbol;
    if (symbol->bound_to) out->bound[out->n_bound++] = symbol;
  }
  if (out->n_bound) qsort(out->bound, out->n_bound, sizeof *out->bound, compare_bound);
}

buddy_code buddy_graph_print(const buddy_graph *graph, const buddy_writer *writer) {
  const bd_world *world = graph->world;
  printer out = {.writer = writer, .world = world, .dims = &world->dims};
  bd_text_init(&out.text);
  out.is_printed = bd_calloc(world->n_graphs, sizeof *out.is_printed);
  out.bound = bd_calloc(world->dims.n_symbols, sizeof *out.bound);
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  if (out.is_printed && out.bound) {
    collect_bound(&out);
    print_graph(&out, graph, 0);
    code = bd_text_flush(&out.text, writer);
  }
  bd_free(out.is_printed);
  bd_free(out.bound);
  bd_text_deinit(&out.text);
  return code;
}
