// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/schema.c: reads PyTorch's notation of an op's signature.
 *
 *   1  schema    name "(" [arg {"," arg}] ")" "->" results
 *   2  name      namespace "::" base ["." overload]
 *   3  arg       "*" (what follows goes by keyword) | "..." (more) | type name ["=" default]
 *   4  type      word {"?" | "[" [size] "]" | "(" alias ")"}, or Dict(…) and its kin with such a
 *                tail
 *   5  alias     "a" (a view is returned) | "a!" (is written) | "a -> *" | "b|a"
 *   6  results   "..." | type [name] | "(" [type [name] {"," …}] ")"
 *
 * A type that decides nothing for buddy (Any, t, Stream, classes) becomes BUDDY_SCHEMA_ANY. */
#include <stdbool.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/try.h"
#include "core/symbols/opdef.h"
#include "core/symbols/schema_reader.h"

#define MAX_ARGS 256u

/* ---- Types ---- */

static buddy_schema_type find_type(buddy_sv word) {
  static const struct {
    const char *name;
    buddy_schema_type type;
  } types[] = {
      {"Tensor", BUDDY_SCHEMA_TENSOR},
      {"int", BUDDY_SCHEMA_INT},
      {"SymInt", BUDDY_SCHEMA_INT},
      {"float", BUDDY_SCHEMA_FLOAT},
      {"SymFloat", BUDDY_SCHEMA_FLOAT},
      {"bool", BUDDY_SCHEMA_BOOL},
      {"SymBool", BUDDY_SCHEMA_BOOL},
      {"Scalar", BUDDY_SCHEMA_SCALAR},
      {"number", BUDDY_SCHEMA_SCALAR},
      {"str", BUDDY_SCHEMA_STRING},
      {"ScalarType", BUDDY_SCHEMA_DTYPE},
      {"Dtype", BUDDY_SCHEMA_DTYPE},
      {"Device", BUDDY_SCHEMA_DEVICE},
      {"Layout", BUDDY_SCHEMA_LAYOUT},
      {"MemoryFormat", BUDDY_SCHEMA_MEMORY_FORMAT},
      {"Generator", BUDDY_SCHEMA_GENERATOR},
      {"complex", BUDDY_SCHEMA_COMPLEX},
      {"Graph", BUDDY_SCHEMA_GRAPH},
      {"GraphModule", BUDDY_SCHEMA_GRAPH},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (bd_schema_word_is(word, types[i].name)) return types[i].type;
  }
  return BUDDY_SCHEMA_ANY;
}

/* Types with arguments of their own, whose parenthesis is not an alias annotation. */
static bool is_generic(buddy_sv word) {
  static const char *const names[] = {"Dict", "Future", "RRef", "Await", "Union", "Tuple"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (bd_schema_word_is(word, names[i])) return true;
  }
  return false;
}

static buddy_code skip_parenthesis(bd_schema_reader *reader) {
  size_t depth = 0;
  for (; *reader->at; ++reader->at) {
    if (*reader->at == '(') ++depth;
    if (*reader->at == ')' && --depth == 0) {
      ++reader->at;
      return BUDDY_OK;
    }
  }
  return bd_schema_wrong(reader, "ends within a parenthesis");
}

static buddy_code read_list_mark(bd_schema_reader *reader, buddy_schema_arg *arg) {
  const buddy_sv size = bd_schema_take_word(reader);
  int32_t n = 0;
  for (size_t i = 0; i < size.size; ++i) {
    if (size.data[i] < '0' || size.data[i] > '9' || n > 1000) {
      return bd_schema_wrong(reader, "has a list whose size is no small number");
    }
    n = n * 10 + (size.data[i] - '0');
  }
  if (!bd_schema_take(reader, ']')) return bd_schema_wrong(reader, "lacks ']'");
  if (arg->is_list) arg->type = BUDDY_SCHEMA_ANY; /* a list of lists */
  if (arg->is_optional) arg->is_optional_element = true;
  arg->is_optional = false;
  arg->is_list = true;
  arg->list_size = n;
  return BUDDY_OK;
}

static buddy_code read_alias(bd_schema_reader *reader, buddy_schema_arg *arg) {
  const char *end = strchr(reader->at, ')');
  if (!end) return bd_schema_wrong(reader, "ends within an alias annotation");
  if (memchr(reader->at, '!', (size_t)(end - reader->at))) {
    arg->is_mutated = true;
  } else {
    arg->is_alias = true;
  }
  reader->at = end + 1;
  return BUDDY_OK;
}

static buddy_code read_type(bd_schema_reader *reader, buddy_schema_arg *arg) {
  const buddy_sv word = bd_schema_take_word(reader);
  if (word.size == 0 && *reader->at != '(') return bd_schema_wrong(reader, "lacks a type");
  arg->type = find_type(word);
  if (word.size == 0 || is_generic(word)) BD_TRY(skip_parenthesis(reader)); /* or a tuple type */
  for (;;) {
    if (*reader->at == '?') {
      ++reader->at;
      arg->is_optional = true;
    } else if (*reader->at == '[') {
      ++reader->at;
      BD_TRY(read_list_mark(reader, arg));
    } else if (*reader->at == '(') {
      ++reader->at;
      BD_TRY(read_alias(reader, arg));
    } else {
      return BUDDY_OK;
    }
  }
}

/* ---- Arguments and results ---- */

typedef struct arg_list {
  buddy_schema_arg *items;
  size_t n, capacity;
} arg_list;

static bool has_name(const arg_list *list, const char *name) {
  for (size_t i = 0; i < list->n; ++i) {
    if (!strcmp(list->items[i].name, name)) return true;
  }
  return false;
}

static buddy_code append(bd_schema_reader *reader, arg_list *list, const buddy_schema_arg *arg) {
  if (list->n == MAX_ARGS) return bd_schema_wrong(reader, "has more than 256 arguments");
  void *items = bd_array_grow(list->items, &list->capacity, list->n + 1, sizeof *arg);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  list->items = items;
  list->items[list->n++] = *arg;
  return BUDDY_OK;
}

static buddy_code read_name(bd_schema_reader *reader, buddy_schema_arg *arg) {
  const buddy_sv word = bd_schema_take_word(reader);
  arg->name = bd_arena_text(reader->arena, word.data, word.size);
  return arg->name ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code read_arg(bd_schema_reader *reader, arg_list *list) {
  buddy_schema_arg arg = {0};
  buddy_code code = read_type(reader, &arg);
  if (!code) code = read_name(reader, &arg);
  if (code) return code;
  if (!*arg.name) return bd_schema_wrong(reader, "has an argument without a name");
  if (has_name(list, arg.name)) return bd_schema_wrong(reader, "has two arguments of one name");
  if (bd_schema_take(reader, '=')) {
    code = bd_schema_read_default(reader, &arg);
    arg.has_default = true;
  }
  return code ? code : append(reader, list, &arg);
}

static buddy_code read_args(bd_schema_reader *reader, arg_list *list, bool *has_more) {
  if (!bd_schema_take(reader, '(')) return bd_schema_wrong(reader, "lacks '(' after the name");
  if (bd_schema_take(reader, ')')) return BUDDY_OK;
  do {
    if (bd_schema_take(reader, '*')) continue;
    if (bd_schema_take_text(reader, "...")) {
      *has_more = true;
      continue;
    }
    BD_TRY(read_arg(reader, list));
  } while (bd_schema_take(reader, ','));
  return bd_schema_take(reader, ')')
             ? BUDDY_OK
             : bd_schema_wrong(reader, "lacks ',' or ')' after an argument");
}

static buddy_code read_result(bd_schema_reader *reader, arg_list *list, bool *has_more) {
  buddy_schema_arg result = {0};
  BD_TRY(read_type(reader, &result));
  BD_TRY(read_name(reader, &result));
  BD_TRY(append(reader, list, &result));
  *has_more = *has_more || result.is_list;
  return BUDDY_OK;
}

static buddy_code read_results(bd_schema_reader *reader, arg_list *list, bool *has_more) {
  if (!bd_schema_take_text(reader, "->")) return bd_schema_wrong(reader, "lacks '->'");
  if (bd_schema_take_text(reader, "...")) {
    *has_more = true;
    return BUDDY_OK;
  }
  if (!bd_schema_take(reader, '(')) return read_result(reader, list, has_more);
  if (bd_schema_take(reader, ')')) return BUDDY_OK;
  do {
    BD_TRY(read_result(reader, list, has_more));
  } while (bd_schema_take(reader, ','));
  return bd_schema_take(reader, ')') ? BUDDY_OK
                                     : bd_schema_wrong(reader, "lacks ',' or ')' after a result");
}

/* ---- The whole ---- */

/* "aten::add.Tensor" becomes "aten.add.Tensor"; "aten::relu" becomes "aten.relu.default". */
static buddy_code read_op_name(bd_schema_reader *reader, buddy_opdef *def) {
  const buddy_sv space = bd_schema_take_word(reader);
  const bool is_split = space.size > 0 && bd_schema_take_text(reader, "::");
  const buddy_sv base = bd_schema_take_word(reader);
  if (!is_split || base.size == 0)
    return bd_schema_wrong(reader, "does not begin with \"namespace::op\"");
  const char *overload = memchr(base.data, '.', base.size) ? "" : ".default";
  char *name = bd_arena_bytes(reader->arena, space.size + base.size + sizeof ".default.");
  if (!name) return BUDDY_OUT_OF_MEMORY;
  memcpy(name, space.data, space.size);
  name[space.size] = '.';
  memcpy(name + space.size + 1, base.data, base.size);
  strcpy(name + space.size + 1 + base.size, overload);
  def->name = name; /* of thousands of rows at each start: a printf costs ten times as much */
  return BUDDY_OK;
}

/* Moves a list from the heap into the arena. */
static buddy_code keep(bd_arena *arena, const arg_list *list, const buddy_schema_arg **out_items,
                       uint32_t *out_n) {
  buddy_schema_arg *items = bd_arena_alloc(arena, list->n * sizeof *items);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  if (list->n) memcpy(items, list->items, list->n * sizeof *items);
  *out_items = items;
  *out_n = (uint32_t)list->n;
  return BUDDY_OK;
}

buddy_code bd_schema_parse(bd_arena *arena, const char *schema, buddy_diags *diags,
                           buddy_opdef *out_def) {
  bd_schema_reader reader = {.arena = arena, .schema = schema, .at = schema, .diags = diags};
  buddy_opdef def = {.kind = out_def->kind};
  arg_list args = {0}, results = {0};
  buddy_code code = strlen(schema) > INT32_MAX ? BUDDY_LIMIT : read_op_name(&reader, &def);
  if (!code) code = read_args(&reader, &args, &def.has_more_args);
  if (!code) code = read_results(&reader, &results, &def.has_more_results);
  if (!code && !bd_schema_is_at_end(&reader))
    code = bd_schema_wrong(&reader, "goes on after its results");
  if (!code) code = keep(arena, &args, &def.args, &def.n_args);
  if (!code) code = keep(arena, &results, &def.results, &def.n_results);
  if (!code && !(def.schema = bd_arena_strdup(arena, schema))) code = BUDDY_OUT_OF_MEMORY;
  bd_free(args.items);
  bd_free(results.items);
  if (!code) *out_def = def;
  return code;
}
