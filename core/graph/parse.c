// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/parse.c: reads the text form that print.c writes; see there for the rules.
 *
 * One statement per line. A line that is wrong is reported and left out, and reading goes on, so
 * that all mistakes come together; the graph is given only if there was none. */
#include <string.h>

#include "core/base/array.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/graph/guards.h"
#include "core/graph/parse_args.h"
#include "core/graph/text_form.h"

#define MAX_MISTAKES 100
#define MAX_RESULTS 1000000

typedef struct parser {
  bd_tokens tokens;
  bd_arena arena;  /* of one statement */
  buddy_code code; /* the first failure */
  size_t n_mistakes;
  buddy_named_arg *args; /* kept from statement to statement */
  size_t args_capacity;
  buddy_tensor_type *types;
  size_t types_capacity;
} parser;

static buddy_code parse_body(parser *in, buddy_graph *graph);

/* ---- Symbols and bindings ---- */

static bool take_bound(bd_tokens *in, int64_t *out_bound) {
  const bool is_negative = bd_tokens_take(in, '-');
  const buddy_sv word = bd_tokens_take_word(in);
  if (bd_word_is(word, "inf")) {
    *out_bound = is_negative ? INT64_MIN : INT64_MAX;
    return true;
  }
  if (!bd_int_parse(word, out_bound)) return false;
  if (is_negative) *out_bound = -*out_bound;
  return true;
}

/* symbol s0 [2, 64] */
static buddy_code parse_symbol(parser *in, buddy_graph *graph) {
  bd_tokens *tokens = &in->tokens;
  const char *name;
  int64_t min, max, dim;
  BD_TRY(bd_tokens_take_name(tokens, &name));
  if (!bd_tokens_take(tokens, '[') || !take_bound(tokens, &min) || !bd_tokens_take(tokens, ',') ||
      !take_bound(tokens, &max) || !bd_tokens_take(tokens, ']')) {
    return bd_tokens_wrong(tokens, "a range like [2, inf] should come");
  }
  const size_t n = buddy_graph_n_symbols(graph);
  const buddy_code added = buddy_graph_add_symbol(graph, name, min, max, &dim);
  if (added == BUDDY_OUT_OF_MEMORY) return added;
  if (added)
    return bd_tokens_wrong_name(tokens, "the name or the range is none for the symbol", name);
  return n < buddy_graph_n_symbols(graph)
             ? BUDDY_OK
             : bd_tokens_wrong_name(tokens, "there are two symbols", name);
}

/* guard {-s0 + 64} "s0 <= 64" at "view (m.py:3)" */
static buddy_code parse_guard(parser *in, buddy_graph *graph) {
  bd_tokens *tokens = &in->tokens;
  buddy_arg predicate;
  buddy_sv text, where = {.data = ""};
  if (!bd_tokens_next_is(tokens, '{'))
    return bd_tokens_wrong(tokens, "a condition like {s0 - 2} should come");
  buddy_code code = bd_parse_arg(tokens, graph, &predicate);
  if (!code) code = bd_tokens_take_string(tokens, &text);
  if (!code && bd_tokens_take_this_word(tokens, "at")) code = bd_tokens_take_string(tokens, &where);
  return code ? code : bd_graph_add_guard(graph, predicate.as.i, text.data, where.data);
}

/* bind u0 = %x */
static buddy_code parse_binding(parser *in, buddy_graph *graph) {
  bd_tokens *tokens = &in->tokens;
  const char *name;
  const buddy_value *value;
  BD_TRY(bd_tokens_take_name(tokens, &name));
  const bd_symbol_entry *symbol = NULL;
  HASH_FIND(hh, graph->world->dims.names, name, strlen(name), symbol);
  if (!symbol) return bd_tokens_wrong_name(tokens, "there is no symbol", name);
  if (!bd_tokens_take(tokens, '=')) return bd_tokens_wrong(tokens, "'=' should come");
  BD_TRY(bd_parse_value(tokens, graph, &value));
  if (buddy_graph_bind_symbol(graph, symbol->number, value)) {
    return bd_tokens_wrong_name(tokens, "it has dims, and so cannot be the value of the symbol",
                                name);
  }
  return BUDDY_OK;
}

/* ---- Inputs and outputs ---- */

/* input %x "target" : f32[2] */
static buddy_code parse_input(parser *in, buddy_graph *graph, buddy_input_kind kind) {
  bd_tokens *tokens = &in->tokens;
  const char *name;
  buddy_sv target = {NULL, 0};
  buddy_tensor_type type;
  if (!bd_tokens_take(tokens, '%')) return bd_tokens_wrong(tokens, "a name like %x should come");
  buddy_code code = bd_tokens_take_name(tokens, &name);
  if (!code && bd_tokens_next_is(tokens, '"')) code = bd_tokens_take_string(tokens, &target);
  if (!code && !bd_tokens_take(tokens, ':'))
    code = bd_tokens_wrong(tokens, "':' and a type should come");
  if (!code) code = bd_parse_type(tokens, graph, &type);
  if (code) return code;
  return buddy_graph_add_input(graph, kind, name, target.data, &type, NULL, tokens->diags, NULL);
}

static buddy_output_kind take_output_kind(bd_tokens *tokens) {
  if (bd_tokens_take_this_word(tokens, bd_text_form_outputs[BUDDY_OUTPUT_BUFFER_MUTATION])) {
    return BUDDY_OUTPUT_BUFFER_MUTATION;
  }
  return bd_tokens_take_this_word(tokens, bd_text_form_outputs[BUDDY_OUTPUT_INPUT_MUTATION])
             ? BUDDY_OUTPUT_INPUT_MUTATION
             : BUDDY_OUTPUT_USER;
}

/* output [kind] ["target" =] value. A string with no '=' after it is the value. */
static buddy_code parse_output(parser *in, buddy_graph *graph) {
  bd_tokens *tokens = &in->tokens;
  const buddy_output_kind kind = take_output_kind(tokens);
  const char *target = NULL;
  buddy_arg arg;
  buddy_code code = bd_parse_arg(tokens, graph, &arg);
  if (!code && arg.kind == BUDDY_ARG_STRING && bd_tokens_take(tokens, '=')) {
    target = arg.as.string;
    code = bd_parse_arg(tokens, graph, &arg);
  }
  return code ? code : buddy_graph_add_output(graph, kind, target, &arg, tokens->diags);
}

/* ---- Nodes ---- */

typedef struct node_text {
  const char *name, *op;
  bool is_unknown;
  size_t n_results, n_args, n_types;
} node_text;

static buddy_code parse_result_count(bd_tokens *tokens, size_t *out_n) {
  int64_t n;
  *out_n = 1;
  if (!bd_tokens_take(tokens, ':')) return BUDDY_OK;
  if (!bd_int_parse(bd_tokens_take_word(tokens), &n) || n < 0 || n > MAX_RESULTS) {
    return bd_tokens_wrong(tokens, "the number of results should come");
  }
  *out_n = (size_t)n;
  return BUDDY_OK;
}

static buddy_code parse_args(parser *in, buddy_graph *graph, node_text *node) {
  bd_tokens *tokens = &in->tokens;
  if (!bd_tokens_take(tokens, '('))
    return bd_tokens_wrong(tokens, "'(' and the arguments should come");
  if (bd_tokens_take(tokens, ')')) return BUDDY_OK;
  do {
    void *grown = bd_array_grow(in->args, &in->args_capacity, node->n_args + 1, sizeof *in->args);
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    in->args = grown;
    buddy_named_arg *arg = &in->args[node->n_args++];
    buddy_code code = bd_tokens_take_name(tokens, &arg->name);
    if (!code && !bd_tokens_take(tokens, '='))
      code = bd_tokens_wrong(tokens, "'=' should come after the name");
    if (!code) code = bd_parse_arg(tokens, graph, &arg->arg);
    if (code) return code;
  } while (bd_tokens_take(tokens, ','));
  return bd_tokens_take(tokens, ')') ? BUDDY_OK : bd_tokens_wrong(tokens, "',' or ')' should come");
}

static buddy_code parse_types(parser *in, buddy_graph *graph, node_text *node) {
  bd_tokens *tokens = &in->tokens;
  if (!bd_tokens_take(tokens, ':')) return BUDDY_OK;
  do {
    void *grown =
        bd_array_grow(in->types, &in->types_capacity, node->n_types + 1, sizeof *in->types);
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    in->types = grown;
    BD_TRY(bd_parse_type(tokens, graph, &in->types[node->n_types++]));
  } while (bd_tokens_take(tokens, ','));
  return BUDDY_OK;
}

static buddy_code parse_location_field(bd_tokens *tokens, buddy_location *location) {
  const buddy_sv word = bd_tokens_take_word(tokens);
  if (!bd_tokens_take(tokens, '=')) return bd_tokens_wrong(tokens, "'=' should come");
  if (bd_word_is(word, "line")) {
    int64_t line;
    if (!bd_int_parse(bd_tokens_take_word(tokens), &line) || line < 0 || line > UINT32_MAX) {
      return bd_tokens_wrong(tokens, "a line number should come");
    }
    location->line = (uint32_t)line;
    return BUDDY_OK;
  }
  const char **field = bd_word_is(word, "file")       ? &location->file
                       : bd_word_is(word, "function") ? &location->function
                       : bd_word_is(word, "code")     ? &location->code
                       : bd_word_is(word, "module")   ? &location->module_path
                                                      : NULL;
  if (!field) return bd_tokens_wrong(tokens, "file, line, function, code or module should come");
  buddy_sv text;
  const buddy_code code = bd_tokens_take_string(tokens, &text);
  *field = text.data;
  return code;
}

static buddy_code parse_location(bd_tokens *tokens, buddy_location *location, bool *out_is_there) {
  *out_is_there = bd_tokens_take_this_word(tokens, "loc");
  if (!*out_is_there) return BUDDY_OK;
  if (!bd_tokens_take(tokens, '(')) return bd_tokens_wrong(tokens, "'(' should come");
  do {
    BD_TRY(parse_location_field(tokens, location));
  } while (bd_tokens_take(tokens, ','));
  return bd_tokens_take(tokens, ')') ? BUDDY_OK : bd_tokens_wrong(tokens, "',' or ')' should come");
}

static buddy_code parse_node_head(bd_tokens *tokens, node_text *node) {
  buddy_code code = bd_tokens_take_name(tokens, &node->name);
  if (!code) code = parse_result_count(tokens, &node->n_results);
  if (!code && !bd_tokens_take(tokens, '=')) code = bd_tokens_wrong(tokens, "'=' should come");
  node->is_unknown = !code && bd_tokens_take_this_word(tokens, "unknown");
  return code ? code : bd_tokens_take_name(tokens, &node->op);
}

/* %y:2 = op(args) : types loc(…), after the '%' */
static buddy_code parse_node(parser *in, buddy_graph *graph) {
  bd_tokens *tokens = &in->tokens;
  node_text text = {0};
  buddy_location location = {0};
  bool has_location = false;
  buddy_code code = parse_node_head(tokens, &text);
  if (!code) code = parse_args(in, graph, &text);
  if (!code) code = parse_types(in, graph, &text);
  if (!code) code = parse_location(tokens, &location, &has_location);
  if (!code && text.n_types != text.n_results)
    code = bd_tokens_wrong(tokens, "there should be one type per result");
  if (code) return code;
  buddy_node *node;
  const buddy_tensor_type none = {0}, *types = text.n_types ? in->types : &none;
  code = (text.is_unknown ? buddy_graph_add_unknown_node : buddy_graph_add_node)(
      graph, NULL, text.op, text.name, in->args, text.n_args, types, text.n_types, tokens->diags,
      &node);
  return code || !has_location ? code : buddy_node_set_location(node, &location);
}

/* ---- Graphs ---- */

/* graph @name {…}, after the first word. Recursion ends: subgraphs nest 64 deep at most. */
static buddy_code parse_graph_head(parser *in, const char **out_name) {
  bd_tokens *tokens = &in->tokens;
  if (!bd_tokens_take(tokens, '@')) return bd_tokens_wrong(tokens, "a name like @main should come");
  BD_TRY(bd_tokens_take_name(tokens, out_name));
  return bd_tokens_take(tokens, '{') ? BUDDY_OK : bd_tokens_wrong(tokens, "'{' should come");
}

static buddy_code parse_subgraph(parser *in, buddy_graph *parent) {
  const char *name = "";
  buddy_graph *graph;
  BD_TRY(parse_graph_head(in, &name));
  buddy_code code = buddy_graph_add_subgraph(parent, name, &graph);
  if (code == BUDDY_OUT_OF_MEMORY) return code;
  if (code)
    return bd_tokens_wrong_name(&in->tokens, "it is nested too deeply, or there is already a graph",
                                name);
  return parse_body(in, graph);
}

static buddy_code parse_statement(parser *in, buddy_graph *graph) {
  bd_tokens *tokens = &in->tokens;
  if (bd_tokens_take(tokens, '%')) return parse_node(in, graph);
  for (int kind = BUDDY_INPUT_USER; kind <= BUDDY_INPUT_CONSTANT; ++kind) {
    if (bd_tokens_take_this_word(tokens, bd_text_form_inputs[kind])) {
      return parse_input(in, graph, (buddy_input_kind)kind);
    }
  }
  if (bd_tokens_take_this_word(tokens, "output")) return parse_output(in, graph);
  if (bd_tokens_take_this_word(tokens, "symbol")) return parse_symbol(in, graph);
  if (bd_tokens_take_this_word(tokens, "guard")) return parse_guard(in, graph);
  if (bd_tokens_take_this_word(tokens, "bind")) return parse_binding(in, graph);
  if (bd_tokens_take_this_word(tokens, "graph")) return parse_subgraph(in, graph);
  return bd_tokens_wrong(
      tokens, "a node, an input, an output, a symbol, a guard, a binding or a graph should come");
}

/* Notes a mistake and goes to the next line. False if reading must end. */
static bool recover(parser *in, buddy_code code) {
  if (!in->code) in->code = code;
  bd_tokens_skip_rest(&in->tokens);
  return code != BUDDY_OUT_OF_MEMORY && ++in->n_mistakes < MAX_MISTAKES;
}

/* The lines up to '}'. */
static buddy_code parse_body(parser *in, buddy_graph *graph) {
  bd_tokens *tokens = &in->tokens;
  for (;;) {
    bd_tokens_skip_lines(tokens);
    bd_arena_deinit(&in->arena);
    if (bd_tokens_take(tokens, '}')) return BUDDY_OK;
    if (tokens->at == tokens->end) return bd_tokens_wrong(tokens, "'}' should come at the end");
    buddy_code code = parse_statement(in, graph);
    if (!code && !bd_tokens_at_line_end(tokens))
      code = bd_tokens_wrong(tokens, "the line should end");
    if (code && !recover(in, code)) return code;
  }
}

static buddy_code parse_all(parser *in, const buddy_opset *opset, buddy_graph **out_graph) {
  const char *name = "";
  bd_tokens_skip_lines(&in->tokens);
  if (!bd_tokens_take_this_word(&in->tokens, "graph"))
    return bd_tokens_wrong(&in->tokens, "\"graph @name {\" should come");
  buddy_code code = parse_graph_head(in, &name);
  if (!code) code = buddy_graph_create(opset, name, out_graph);
  if (!code) code = parse_body(in, *out_graph);
  if (code) return code;
  bd_tokens_skip_lines(&in->tokens);
  return in->tokens.at == in->tokens.end ? in->code
                                         : bd_tokens_wrong(&in->tokens, "the text should end");
}

buddy_code buddy_graph_parse(const buddy_opset *opset, buddy_sv text, buddy_diags *diags,
                             buddy_graph **out_graph) {
  parser in = {.tokens = {.at = text.data,
                          .end = text.data + text.size,
                          .line_start = text.data,
                          .line = 1,
                          .diags = diags}};
  in.tokens.arena = &in.arena;
  *out_graph = NULL;
  const buddy_code code = parse_all(&in, opset, out_graph);
  if (code) {
    buddy_graph_destroy(*out_graph);
    *out_graph = NULL;
  }
  bd_arena_deinit(&in.arena);
  bd_free(in.args);
  bd_free(in.types);
  return code ? code : BUDDY_OK;
}
