// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_fixed.c: sizes that the user chooses for inputs, "x=8x3x224x224,mask=8x?".
 *
 * A chosen size of an input says what the symbol in its expression is: 2*s0 of 6 says that s0 is 3. An
 * expression of several symbols waits until others are known. What is made of a known symbol's name later is
 * made of its number, so that nothing after this knows of the choice. */
#include <stdio.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/graph/dims.h"
#include "core/graph/guards.h"
#include "sdk/import/pt2.h"

#define AS_IT_IS (-1) /* a ? */

typedef struct known {
  const char *symbol;
  int64_t number;
  struct known *next;
} known;

typedef struct fixing {
  bd_import *import;
  const bd_frame *top;
  bd_json specs; /* of the signature's inputs */
  known *known;
  size_t n_found, n_open; /* in this round; open: of several unknown symbols, or not to be solved */
  bool is_last;           /* round: what is open is told */
} fixing;

/* One input's. */
typedef struct chosen {
  const char *input;
  int64_t sizes[BD_MAX_TENSOR_RANK];
  uint32_t rank;
} chosen;

static buddy_code refuse(const fixing *f, const char *todo, const char *text) {
  return buddy_diags_add(f->import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                         bd_archive_where(f->import->archive), todo, "%s", text);
}

/* ---- The text ---- */

static buddy_sv take_until(buddy_sv *rest, char end) {
  const char *found = memchr(rest->data, end, rest->size);
  const buddy_sv part = {rest->data, found ? (size_t)(found - rest->data) : rest->size};
  const size_t n = part.size + (found != NULL);
  *rest = (buddy_sv){rest->data + n, rest->size - n};
  return part;
}

static buddy_code read_entry(const fixing *f, buddy_sv entry, chosen *out) {
  static const char todo[] =
      "write NAME=SIZES for each input, with x between sizes and , between inputs: x=8x3x?x?,y=8";
  const buddy_sv whole = entry, name = take_until(&entry, '=');
  out->rank = 0;
  out->input =
      bd_arena_format(&f->import->arena, "%.*s", name.size > 200 ? 200 : (int)name.size, name.data);
  if (!out->input) return BUDDY_OUT_OF_MEMORY;
  bool is_good = name.size > 0 && name.size < whole.size;
  while (is_good && entry.size > 0) {
    const buddy_sv size = take_until(&entry, 'x');
    int64_t *number = &out->sizes[out->rank];
    is_good = out->rank < BD_MAX_TENSOR_RANK;
    if (is_good && size.size == 1 && *size.data == '?')
      *number = AS_IT_IS;
    else if (is_good)
      is_good = bd_int_parse(size, number) && *number >= 0 && *number <= BD_MAX_ELEMENTS;
    ++out->rank;
  }
  if (is_good && whole.data[whole.size - 1] != 'x') return BUDDY_OK;
  return buddy_diags_add(f->import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "sizes", todo,
                         "'%.*s' is no choice of sizes", whole.size > 100 ? 100 : (int)whole.size,
                         whole.data);
}

/* ---- The inputs ---- */

/* The next tensor among the user's; false after the last. */
static bool next_input(const fixing *f, bd_json_iterator *specs, const bd_named **out_input) {
  bd_json_reader *json = &f->import->json;
  for (bd_json spec; bd_json_next(specs, &spec);) {
    bd_json input, arg;
    if (strcmp(bd_json_union(json, spec, &input), "user_input")) continue;
    if (strcmp(bd_json_union(json, bd_json_get(json, input, "arg"), &arg), "as_tensor")) continue;
    bd_named *found;
    if (bd_names_find(f->import, f->top, bd_json_get(json, arg, "name"), &found)) return false;
    *out_input = found;
    if (found->kind == BD_NAMED_TENSOR) return true;
  }
  return false;
}

static buddy_code find_input(const fixing *f, const char *name, const bd_named **out_input) {
  bd_text all;
  bd_json_iterator specs = bd_json_array(&f->import->json, f->specs);
  while (next_input(f, &specs, out_input)) {
    if (!strcmp((*out_input)->name, name)) return BUDDY_OK;
  }
  BD_TRY(f->import->json.code);
  bd_text_init(&all);
  bd_text_format(&all,
                 "sizes are chosen for '%s', which is no tensor that the program takes: ", name);
  specs = bd_json_array(&f->import->json, f->specs);
  for (bool is_first = true; next_input(f, &specs, out_input); is_first = false)
    bd_text_format(&all, "%s%s", is_first ? "it takes " : ", ", (*out_input)->name);
  const buddy_code code = all.code ? all.code : refuse(f, "name one of its inputs", all.data);
  bd_text_deinit(&all);
  BD_ASSERT(code);
  return code;
}

/* ---- Symbols ---- */

static buddy_code add_known(fixing *f, const char *symbol, int64_t number) {
  known *added = bd_arena_calloc(&f->import->arena, 1, sizeof *added);
  const char *copy = bd_arena_format(&f->import->arena, "%s", symbol);
  if (!added || !copy) return BUDDY_OUT_OF_MEMORY;
  *added = (known){copy, number, f->known};
  f->known = added;
  ++f->n_found;
  return bd_graph_fix_symbol(f->import->graph, symbol, number);
}

typedef struct place {
  const char *input, *text; /* text: of the size */
  uint32_t axis;
  int64_t size; /* that was chosen */
} place;

static buddy_code contradict(const fixing *f, const place *at, int64_t is) {
  return buddy_diags_add(f->import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, at->input,
                         "choose that, or ?", "its size %u is %lld, and %lld was chosen", at->axis,
                         (long long)is, (long long)at->size);
}

/* x of f(x) = size, where f is a line between 0, 1 and there; false if there is none. */
static bool solve(const buddy_graph *graph, int64_t dim, int64_t size, int64_t *out_x) {
  int64_t at[3], x = 0, rise, rest;
  if (buddy_graph_dim_eval(graph, dim, &x, 1, &at[0])) return false;
  x = 1;
  if (buddy_graph_dim_eval(graph, dim, &x, 1, &at[1])) return false;
  if (__builtin_sub_overflow(at[1], at[0], &rise) || __builtin_sub_overflow(size, at[0], &rest))
    return false;
  if (rise == 0 || (rise == -1 && rest == INT64_MIN)) return false;
  *out_x = rest / rise;
  return !buddy_graph_dim_eval(graph, dim, out_x, 1, &at[2]) && at[2] == size;
}

/* dim: of a graph that has what is known, and the other symbols of the size. */
static buddy_code learn(fixing *f, const place *at, const buddy_graph *graph, int64_t dim) {
  int64_t x;
  if (!BUDDY_IS_SYMBOLIC(dim)) return dim == at->size ? BUDDY_OK : contradict(f, at, dim);
  const bool is_solved = buddy_graph_n_symbols(graph) == 1 && solve(graph, dim, at->size, &x);
  if (!is_solved) {
    char text[200];
    ++f->n_open;
    if (!f->is_last) return BUDDY_OK;
    buddy_graph_dim_text(graph, dim, text, sizeof text);
    return buddy_diags_add(f->import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, at->input,
                           "choose other sizes, or a ? for this one",
                           "its size %u is %s, and %lld was chosen, from which no symbol follows",
                           at->axis, text, (long long)at->size);
  }
  const buddy_symbol *symbol = buddy_graph_symbol(graph, 0);
  if (x >= 0 && x >= symbol->min && x <= symbol->max) return add_known(f, symbol->name, x);
  char most[24] = "any";
  if (symbol->max != INT64_MAX) snprintf(most, sizeof most, "%lld", (long long)symbol->max);
  return buddy_diags_add(f->import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, at->input,
                         "choose a size within it",
                         "its size %u was chosen as %lld, which makes %s %lld; the program was "
                         "exported for %lld to %s",
                         at->axis, (long long)at->size, symbol->name, (long long)x,
                         (long long)(symbol->min < 0 ? 0 : symbol->min), most);
}

static buddy_code learn_from(fixing *f, const place *at) {
  buddy_graph *graph;
  int64_t dim;
  BD_TRY(buddy_graph_create(f->import->opset, "sizes", &graph));
  buddy_code code = BUDDY_OK;
  for (const known *each = f->known; each && !code; each = each->next)
    code = bd_graph_fix_symbol(graph, each->symbol, each->number);
  if (!code) code = bd_types_parse_size(f->import, graph, at->text, &dim);
  /* What is no size is told where the type is read. */
  code = code == BUDDY_OUT_OF_MEMORY ? code : code ? BUDDY_OK : learn(f, at, graph, dim);
  buddy_graph_destroy(graph);
  return code;
}

static buddy_code apply_size(fixing *f, place *at, bd_json size) {
  bd_json_reader *json = &f->import->json;
  bd_json value;
  if (at->size == AS_IT_IS) return BUDDY_OK;
  if (!strcmp(bd_json_union(json, size, &value), "as_int")) {
    const int64_t is = bd_json_int(json, value);
    return json->code || is == at->size ? json->code : contradict(f, at, is);
  }
  at->text = bd_json_name(json, bd_json_get(json, value, "expr_str"));
  return json->code ? json->code : learn_from(f, at);
}

static buddy_code apply_entry(fixing *f, buddy_sv entry) {
  chosen sizes = {0};
  const bd_named *input;
  bd_json_reader *json = &f->import->json;
  BD_TRY(read_entry(f, entry, &sizes));
  BD_TRY(find_input(f, sizes.input, &input));
  const bd_json list = bd_json_get(json, input->meta, "sizes");
  const size_t rank = bd_json_count(list);
  BD_TRY(json->code);
  if (rank != sizes.rank)
    return buddy_diags_add(f->import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, input->name,
                           "give each of them, or ?", "it has %zu sizes, and %u were chosen", rank,
                           sizes.rank);
  place at = {.input = input->name};
  bd_json_iterator all = bd_json_array(json, list);
  for (bd_json size; bd_json_next(&all, &size); ++at.axis) {
    at.size = sizes.sizes[at.axis];
    BD_TRY(apply_size(f, &at, size));
  }
  return json->code;
}

static buddy_code apply_round(fixing *f, const char *text) {
  f->n_found = f->n_open = 0;
  for (buddy_sv rest = {text, strlen(text)}; rest.size > 0;)
    BD_TRY(apply_entry(f, take_until(&rest, ',')));
  return BUDDY_OK;
}

buddy_code bd_fixed_sizes_check(const bd_import *import) {
  const buddy_graph *graph = import->graph;
  for (size_t i = 0; bd_archive_sizes(import->archive) && i < bd_graph_n_guards(graph); ++i) {
    const bd_guard *guard = bd_graph_guard(graph, i);
    if (guard->graph != graph || !bd_predicate_is_false(graph, guard->dim)) continue;
    return buddy_diags_add(import->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                           bd_archive_where(import->archive), "choose sizes that meet it",
                           "with the sizes that were chosen the program never holds: %.300s",
                           guard->text);
  }
  return BUDDY_OK;
}

buddy_code bd_fixed_sizes_apply(bd_import *import, const bd_frame *top, bd_json signature) {
  const char *text = bd_archive_sizes(import->archive);
  fixing f = {.import = import, .top = top};
  if (!text) return BUDDY_OK;
  f.specs = bd_json_get(&import->json, signature, "input_specs");
  do {
    BD_TRY(apply_round(&f, text));
  } while (f.n_open > 0 && f.n_found > 0);
  f.is_last = true;
  return f.n_open > 0 ? apply_round(&f, text) : BUDDY_OK;
}
