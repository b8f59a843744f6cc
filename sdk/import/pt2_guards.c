// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_guards.c: the conditions on sizes under which PyTorch has traced the program.
 *
 * "guards_code" is a list of Python expressions over the arguments of forward():
 *
 *   (L['x'].size()[0] % 2) == 0
 *   L['d']['a'].size()[1]*L['x'].size()[0] > 10 and not L['k'][1].size()[0] < 3
 *
 *   1  condition   conjunction {"or" conjunction}
 *   2  conjunction negation {"and" negation}
 *   3  negation    "not" negation | comparison | "(" condition ")" | "True" | "False"
 *   4  comparison  dim {("==" | "!=" | "<" | "<=" | ">" | ">=") dim}
 *
 * A size of an argument is replaced by its dim, and the dims by buddy_graph_dim_parse. Which tensor
 * L['d']['a'] is follows from the tree of the arguments (in_spec). What is written otherwise is computed
 * by nodes at the beginning of the program (pt2_expressions.c); what cannot be, the user is told once. */
#include <stdio.h>
#include <string.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/graph/guards.h"
#include "sdk/import/pt2.h"

#define MAX_NESTING 64

typedef struct guards {
  bd_import *import;
  bd_json inputs;         /* input_specs */
  bd_json names;          /* of the arguments of forward(), or nothing */
  bd_json spec;           /* the tree of the arguments, or nothing */
  bd_json_document *tree; /* that it lies in */
} guards;

/* ---- Arguments ---- */

/* A leaf of the tree is a user's input, or a constant. Those are in order. */
static bd_json find_leaf(const guards *g, size_t number) {
  bd_json_reader json = {.where = "guards_code"};
  bd_json_iterator all = bd_json_array(&json, g->inputs);
  for (bd_json spec; bd_json_next(&all, &spec);) {
    bd_json value = {0};
    const char *kind = bd_json_union(&json, spec, &value);
    if (strcmp(kind, "user_input") && strcmp(kind, "constant_input")) continue;
    if (number-- == 0) return strcmp(kind, "user_input") ? (bd_json){0} : value;
  }
  return (bd_json){0};
}

static bd_json children_of(bd_json spec) { return bd_json_find(spec, "children_spec"); }

static size_t count_leaves(bd_json_reader *json, bd_json spec, int depth) {
  if (!bd_json_is(bd_json_find(spec, "type"))) return 1;
  size_t n = 0;
  bd_json_iterator all = bd_json_array(json, children_of(spec));
  for (bd_json child; depth < MAX_NESTING && bd_json_next(&all, &child);)
    n += count_leaves(json, child, depth + 1);
  return n;
}

/* Enters child number `i`; *leaf becomes the number of its first leaf. */
static bool enter(bd_json *spec, size_t i, size_t *leaf) {
  bd_json_reader json = {.where = "guards_code"};
  bd_json_iterator all = bd_json_array(&json, children_of(*spec));
  for (bd_json child; bd_json_next(&all, &child); *leaf += count_leaves(&json, child, 0)) {
    if (i-- > 0) continue;
    *spec = child;
    return true;
  }
  return false;
}

/* The place of a text in a list of texts; false if it is not there. */
static bool find_text(bd_json list, buddy_sv text, size_t *out_i) {
  bd_json_reader json = {.where = "guards_code"};
  bd_json_iterator all = bd_json_array(&json, list);
  *out_i = 0;
  for (bd_json each; bd_json_next(&all, &each); ++*out_i) {
    const buddy_sv name = bd_json_string(&json, each);
    if (!json.code && name.size == text.size && !memcmp(name.data, text.data, text.size))
      return true;
  }
  return false;
}

/* The keys of a dict are written as a text of JSON in its "context". */
static bool enter_key(const guards *g, bd_json *spec, buddy_sv key, size_t *leaf) {
  bd_json_reader json = {.where = "guards_code"};
  bd_json_document *keys = NULL;
  const bd_json context = bd_json_find(*spec, "context");
  const buddy_sv text = bd_json_string(&json, context);
  size_t i;
  if (json.code || !text.size) return false;
  char *padded = bd_arena_alloc(&g->import->arena, text.size + BD_JSON_PADDING);
  if (!padded) return false;
  memset(padded + text.size, 0, BD_JSON_PADDING);
  memcpy(padded, text.data, text.size);
  if (bd_json_parse(padded, text.size, "context", NULL, &keys)) return false;
  const bool is_found = find_text(bd_json_root(keys), key, &i);
  bd_json_destroy(keys);
  return is_found && enter(spec, i, leaf);
}

/* ---- Paths ---- */

typedef struct source {
  const char *at, *end;
} source;

static bool take(source *in, const char *text) {
  const size_t size = strlen(text);
  if ((size_t)(in->end - in->at) < size || memcmp(in->at, text, size)) return false;
  in->at += size;
  return true;
}

static bool take_number(source *in, int64_t *out_number) {
  const char *start = in->at;
  while (in->at < in->end && *in->at >= '0' && *in->at <= '9') ++in->at;
  return bd_int_parse((buddy_sv){start, (size_t)(in->at - start)}, out_number);
}

/* 'a' or "a", without escapes. */
static bool take_key(source *in, buddy_sv *out_key) {
  if (in->at == in->end || (*in->at != '\'' && *in->at != '"')) return false;
  const char quote = *in->at++;
  const char *start = in->at;
  while (in->at < in->end && *in->at != quote && *in->at != '\\') ++in->at;
  *out_key = (buddy_sv){start, (size_t)(in->at - start)};
  if (in->at == in->end || *in->at != quote) return false;
  ++in->at;
  return true;
}

/* The argument of that name: one of the positional ones, all that "*a" collects, or a keyword. */
static bool enter_argument(const guards *g, source *in, buddy_sv name, bd_json *spec,
                           size_t *leaf) {
  size_t i;
  bd_json all = *spec;
  char first[128];
  if (!enter(spec, 0, leaf)) return false; /* the positional ones */
  if (find_text(g->names, name, &i) && i < bd_json_count(children_of(*spec)))
    return enter(spec, i, leaf);
  int64_t number;
  const source before = *in;
  if (take(in, "[") && take_number(in, &number) && take(in, "]")) {
    snprintf(first, sizeof first, "%.*s_0", name.size > 100 ? 100 : (int)name.size, name.data);
    if (find_text(g->names, (buddy_sv){first, strlen(first)}, &i))
      return enter(spec, i + (size_t)number, leaf);
  }
  *in = before;
  *spec = all;
  *leaf = 0;
  return enter(spec, 1, leaf) && enter_key(g, spec, name, leaf);
}

/* L['d']['a'][0]: the input that it is, as its user_input; nothing if it is none. */
static bd_json take_input(const guards *g, source *in) {
  buddy_sv key;
  bd_json spec = g->spec;
  size_t leaf = 0;
  int64_t number;
  if (!take(in, "L[") || !take_key(in, &key) || !take(in, "]")) return (bd_json){0};
  if (!enter_argument(g, in, key, &spec, &leaf)) return (bd_json){0};
  while (take(in, "[")) {
    const bool is_key = take_key(in, &key);
    if (!is_key && !take_number(in, &number)) return (bd_json){0};
    if (!take(in, "]")) return (bd_json){0};
    if (!(is_key ? enter_key(g, &spec, key, &leaf) : enter(&spec, (size_t)number, &leaf)))
      return (bd_json){0};
  }
  return bd_json_is(bd_json_find(spec, "type")) ? (bd_json){0} : find_leaf(g, leaf);
}

/* A size of an argument, or an argument that is a number. */
static bool take_size(const guards *g, source *in, int64_t *out_dim) {
  bd_json_reader json = {.where = "guards_code"};
  bd_json value;
  int64_t number;
  const bd_json input = take_input(g, in);
  if (!bd_json_is(input)) return false;
  const char *kind = bd_json_union(&json, bd_json_find(input, "arg"), &value);
  const bool is_tensor = !strcmp(kind, "as_tensor");
  const char *name = bd_json_name(&json, bd_json_find(value, is_tensor ? "name" : "as_name"));
  if (json.code) return false;
  bd_named *found;
  HASH_FIND(hh, g->import->frames[0].names, name, strlen(name), found);
  if (!found || !found->is_defined) return false;
  if (!is_tensor) {
    *out_dim = found->arg.as.i;
    return found->arg.kind == BUDDY_ARG_INT;
  }
  if (found->arg.kind != BUDDY_ARG_TENSOR || (!take(in, ".size()[") && !take(in, ".shape[")))
    return false;
  const buddy_tensor_type *type = buddy_value_type(found->arg.as.tensor);
  if (!take_number(in, &number) || !take(in, "]") || number >= type->rank) return false;
  *out_dim = type->dims[number];
  return true;
}

/* ---- Conditions ---- */

/* The text with sizes as dims; false if something else of the arguments is in it. */
static bool replace_sizes(const guards *g, buddy_sv code, bd_text *out) {
  source in = {code.data, code.data + code.size};
  while (in.at < in.end) {
    const bool is_word = in.at > code.data && (in.at[-1] == '_' || (in.at[-1] | 32) >= 'a');
    if (is_word || in.end - in.at < 2 || memcmp(in.at, "L[", 2)) {
      bd_text_char(out, *in.at++);
      continue;
    }
    char dim[2048];
    int64_t size;
    if (!take_size(g, &in, &size)) return false;
    buddy_graph_dim_text(g->import->graph, size, dim, sizeof dim);
    if (strlen(dim) + 1 == sizeof dim) return false;
    bd_text_format(out, "(%s)", dim);
  }
  return true;
}

static buddy_sv trim(buddy_sv text) {
  while (text.size && *text.data == ' ') text = (buddy_sv){text.data + 1, text.size - 1};
  while (text.size && text.data[text.size - 1] == ' ') --text.size;
  return text;
}

/* Where `word` stands outside of parentheses for the first time; SIZE_MAX: nowhere. */
static size_t find_outside(buddy_sv text, const char *word) {
  const size_t size = strlen(word);
  size_t depth = 0;
  for (size_t i = 0; i + size <= text.size; ++i) {
    if (depth == 0 && !memcmp(text.data + i, word, size)) return i;
    depth += text.data[i] == '(';
    depth -= text.data[i] == ')' && depth > 0;
  }
  return SIZE_MAX;
}

/* Whether the first parenthesis is closed by the last byte. */
static bool is_wrapped(buddy_sv text) {
  size_t depth = 0;
  if (text.size < 2 || *text.data != '(') return false;
  for (size_t i = 0; i < text.size; ++i) {
    depth += text.data[i] == '(';
    depth -= text.data[i] == ')' && depth > 0;
    if (depth == 0) return i + 1 == text.size;
  }
  return false;
}

static bool starts_with(buddy_sv text, const char *word) {
  return text.size >= strlen(word) && !memcmp(text.data, word, strlen(word));
}

static buddy_sv rest_of(buddy_sv text, size_t from) {
  return (buddy_sv){text.data + from, text.size - from};
}

/* The first comparison outside of parentheses. */
static size_t find_relation(buddy_sv text, bd_relation *out_relation, size_t *out_size) {
  static const struct {
    const char *sign;
    bd_relation relation;
  } signs[] = {{"==", BD_EQ}, {"!=", BD_NE}, {"<=", BD_LE},
               {">=", BD_GE}, {"<", BD_LT},  {">", BD_GT}};
  size_t first = SIZE_MAX;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i) {
    const size_t at = find_outside(text, signs[i].sign);
    if (at >= first) continue;
    first = at;
    *out_relation = signs[i].relation;
    *out_size = strlen(signs[i].sign);
  }
  return first;
}

/* a < b <= c: each is compared with the next. */
static buddy_code read_comparison(buddy_graph *graph, buddy_sv text, int64_t *out_predicate) {
  bool is_first = true;
  bd_relation relation, next = BD_EQ;
  size_t size;
  size_t at = find_relation(text, &relation, &size);
  if (at == SIZE_MAX) return BUDDY_UNSUPPORTED;
  buddy_sv left = {text.data, at};
  while (at != SIZE_MAX) {
    int64_t a, b, predicate;
    text = rest_of(text, at + size);
    at = find_relation(text, &next, &size);
    const buddy_sv right = {text.data, at == SIZE_MAX ? text.size : at};
    BD_TRY(bd_graph_parse_compared(graph, left, right, &a, &b));
    BD_TRY(bd_predicate_compare(graph, relation, a, b, &predicate));
    if (!is_first) BD_TRY(bd_predicate_and(graph, *out_predicate, predicate, &predicate));
    *out_predicate = predicate;
    is_first = false;
    left = right;
    relation = next;
  }
  return BUDDY_OK;
}

static buddy_code read_condition(buddy_graph *graph, buddy_sv text, int depth,
                                 int64_t *out_predicate);

static buddy_code read_pair(buddy_graph *graph, buddy_sv text, size_t at, size_t size, int depth,
                            int64_t *out_p, int64_t *out_q) {
  BD_TRY(read_condition(graph, (buddy_sv){text.data, at}, depth + 1, out_p));
  return read_condition(graph, rest_of(text, at + size), depth + 1, out_q);
}

static buddy_code read_condition(buddy_graph *graph, buddy_sv text, int depth,
                                 int64_t *out_predicate) {
  int64_t p, q;
  size_t at;
  if (depth > MAX_NESTING) return BUDDY_LIMIT;
  text = trim(text);
  if ((at = find_outside(text, " or ")) != SIZE_MAX) {
    BD_TRY(read_pair(graph, text, at, 4, depth, &p, &q));
    return bd_predicate_or(graph, p, q, out_predicate);
  }
  if ((at = find_outside(text, " and ")) != SIZE_MAX) {
    BD_TRY(read_pair(graph, text, at, 5, depth, &p, &q));
    return bd_predicate_and(graph, p, q, out_predicate);
  }
  if (starts_with(text, "not ") || starts_with(text, "not(")) {
    BD_TRY(read_condition(graph, rest_of(text, 3), depth + 1, &p));
    return bd_predicate_not(graph, p, out_predicate);
  }
  if (is_wrapped(text))
    return read_condition(graph, (buddy_sv){text.data + 1, text.size - 2}, depth + 1,
                          out_predicate);
  const bool is_true = text.size == 4 && starts_with(text, "True");
  *out_predicate = is_true ? 0 : -1;
  if (is_true || (text.size == 5 && starts_with(text, "False"))) return BUDDY_OK;
  return read_comparison(graph, text, out_predicate);
}

/* ---- Guards ---- */

/* "L['x'].size()[0] > 2" as "x.size()[0] > 2". */
static void write_text(buddy_sv code, bd_text *out) {
  for (size_t i = 0; i < code.size; ++i) {
    const buddy_sv rest = rest_of(code, i);
    const char *end = starts_with(rest, "L['") ? memchr(rest.data + 3, '\'', rest.size - 3) : NULL;
    const size_t size = end ? (size_t)(end - rest.data) : 0;
    if (end && size + 1 < rest.size && end[1] == ']') {
      bd_text_append(out, rest.data + 3, size - 3);
      i += size + 1;
    } else {
      bd_text_char(out, code.data[i]);
    }
  }
}

/* What dims cannot say is computed when the program runs. */
static buddy_code assert_expression(bd_import *import, buddy_sv condition, const char *text) {
  bd_text message;
  bd_text_init(&message);
  bd_text_format(&message, "the program holds only where %s", text);
  const buddy_code code =
      message.code ? message.code
                   : bd_expressions_assert(import, &import->frames[0], condition, message.data);
  bd_text_deinit(&message);
  return code;
}

static buddy_code read_guard(const guards *g, buddy_sv code) {
  int64_t predicate;
  bd_text dims, text;
  bd_text_init(&dims);
  bd_text_init(&text);
  write_text(code, &text);
  buddy_code result = replace_sizes(g, code, &dims) ? BUDDY_OK : BUDDY_UNSUPPORTED;
  if (!result && dims.code) result = dims.code;
  if (!result) result = text.code;
  const buddy_sv condition = {dims.data, dims.size};
  if (!result) {
    result = read_condition(g->import->graph, condition, 0, &predicate);
    if (!result)
      result = bd_graph_add_guard(g->import->graph, predicate, text.data, "");
    else if (result != BUDDY_OUT_OF_MEMORY)
      result = assert_expression(g->import, condition, text.data);
  }
  bd_text_deinit(&dims);
  bd_text_deinit(&text);
  return result;
}

/* Said once, of all that cannot be understood. */
static buddy_code tell_unknown(const guards *g, size_t n, buddy_sv first) {
  if (n == 0) return BUDDY_OK;
  const buddy_code code = buddy_diags_add(
      g->import->diags, BUDDY_WARNING, BUDDY_UNSUPPORTED, bd_archive_where(g->import->archive),
      NULL, "%zu of the program's conditions on sizes cannot be checked, the first is %.*s", n,
      first.size > 200 ? 200 : (int)first.size, first.data);
  return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
}

static buddy_code read_all(guards *g, bd_json list) {
  bd_json_reader *json = &g->import->json;
  bd_json_iterator all = bd_json_array(json, list);
  buddy_sv unknown = {"", 0};
  size_t n_unknown = 0;
  for (bd_json each; bd_json_next(&all, &each);) {
    const buddy_sv code = bd_json_string(json, each);
    BD_TRY(json->code);
    const buddy_code result = read_guard(g, code);
    if (result == BUDDY_OUT_OF_MEMORY) return result;
    if (result && n_unknown++ == 0) unknown = code;
  }
  BD_TRY(json->code);
  return tell_unknown(g, n_unknown, unknown);
}

/* The tree of the arguments: a text of JSON, [1, {"type": …, "children_spec": […]}]. */
static buddy_code read_tree(guards *g, bd_json module) {
  bd_json_reader quiet = {.where = "guards_code"};
  bd_json_iterator calls = bd_json_array(&quiet, bd_json_find(module, "module_call_graph"));
  bd_json call;
  if (!bd_json_next(&calls, &call)) return BUDDY_OK;
  const bd_json signature = bd_json_find(call, "signature");
  const buddy_sv text = bd_json_string(&quiet, bd_json_find(signature, "in_spec"));
  if (quiet.code || !text.size) return BUDDY_OK;
  g->names = bd_json_find(signature, "forward_arg_names");
  char *padded = bd_arena_alloc(&g->import->arena, text.size + BD_JSON_PADDING);
  if (!padded) return BUDDY_OUT_OF_MEMORY;
  memcpy(padded, text.data, text.size);
  memset(padded + text.size, 0, BD_JSON_PADDING);
  const buddy_code code = bd_json_parse(padded, text.size, "in_spec", NULL, &g->tree);
  if (code) return code == BUDDY_OUT_OF_MEMORY ? code : BUDDY_OK;
  bd_json_iterator parts = bd_json_array(&quiet, bd_json_root(g->tree));
  /* NOLINTNEXTLINE(misc-redundant-expression): the second one */
  if (!bd_json_next(&parts, &g->spec) || !bd_json_next(&parts, &g->spec)) g->spec = (bd_json){0};
  return BUDDY_OK;
}

/* ---- Ranges ---- */

/* A symbol has its range (add_symbol); what is derived of it, 2*s0 or s0 + 1, may have one of its own.
 * PyTorch passes over lower bounds up to 2. */
static buddy_code require_stated_range(bd_import *import, int64_t dim) {
  int64_t low, high;
  if (!BUDDY_IS_SYMBOLIC(dim) ||
      buddy_graph_dim_kind(import->graph, dim) == BUDDY_DIM_KIND_SYMBOL ||
      !bd_types_stated_range(import, dim, &low, &high))
    return BUDDY_OK;
  if (low > 2) BD_TRY(bd_graph_require(import->graph, BD_GE, dim, low, NULL, NULL));
  if (high == INT64_MAX) return BUDDY_OK;
  return bd_graph_require(import->graph, BD_LE, dim, high, NULL, NULL);
}

static buddy_code require_stated_ranges(bd_import *import) {
  for (size_t i = 0; i < buddy_graph_n_inputs(import->graph); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(import->graph, i));
    for (uint32_t d = 0; type && d < type->rank; ++d)
      BD_TRY(require_stated_range(import, type->dims[d]));
  }
  return BUDDY_OK;
}

buddy_code bd_guards_read(bd_import *import, bd_json program, bd_json module) {
  BD_TRY(require_stated_ranges(import));
  guards g = {.import = import};
  const bd_json list = bd_json_find(program, "guards_code");
  if (!bd_json_is(list) || bd_json_count(list) == 0) return BUDDY_OK;
  g.inputs = bd_json_find(bd_json_find(module, "signature"), "input_specs");
  buddy_code code = read_tree(&g, module);
  if (!code) code = read_all(&g, list);
  bd_json_destroy(g.tree);
  return code;
}
