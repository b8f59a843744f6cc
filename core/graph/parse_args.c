// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/parse_args.c: the values of arguments: print.c, rule 8. A list is read as single
 * values first; the first one that is not None tells its kind. */
#include "core/graph/parse_args.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/graph/dims.h"
#include "core/graph/text_form.h"

/* ---- Names ---- */

buddy_code bd_parse_value(bd_tokens *in, const buddy_graph *graph, const buddy_value **out_value) {
  const char *name;
  *out_value = NULL;
  if (!bd_tokens_take(in, '%')) return bd_tokens_wrong(in, "a value like %x should come");
  BD_TRY(bd_tokens_take_name(in, &name));
  *out_value = buddy_graph_find_value(graph, name);
  return *out_value ? BUDDY_OK
                    : bd_tokens_wrong_name(in, "no value before this line is called", name);
}

static buddy_code parse_graph_name(bd_tokens *in, const buddy_graph *graph, buddy_arg *out_arg) {
  const char *name;
  BD_TRY(bd_tokens_take_name(in, &name));
  buddy_graph *found;
  HASH_FIND(hh, graph->world->graphs_by_name, name, strlen(name), found);
  if (!found) return bd_tokens_wrong_name(in, "no graph before this line is called", name);
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_GRAPH, .as.graph = found};
  return BUDDY_OK;
}

/* ---- Single values ---- */

static buddy_code parse_dim(bd_tokens *in, buddy_graph *graph, const char *ends, int64_t *out_dim) {
  const buddy_sv text = bd_tokens_take_until(in, ends);
  if (bd_int_parse(text, out_dim) && !BUDDY_IS_SYMBOLIC(*out_dim)) return BUDDY_OK;
  char where[32] = "line ?";
  bd_text line;
  bd_text_init_fixed(&line, where, sizeof where);
  bd_text_format(&line, "line %zu", in->line);
  return bd_dim_parse(&graph->world->dims, text, where, in->diags, out_dim);
}

static buddy_code parse_string_arg(bd_tokens *in, buddy_arg_kind kind, buddy_arg *out_arg) {
  buddy_sv string;
  const buddy_code code = bd_tokens_take_string(in, &string);
  *out_arg = (buddy_arg){.kind = kind, .n = string.size, .as.string = string.data};
  return code;
}

static bool take_double(bd_tokens *in, double *out_number) {
  bd_tokens_skip_blanks(in);
  const char *start = in->at;
  while (in->at < in->end &&
         (bd_text_form_is_word_char(*in->at) || *in->at == '-' || *in->at == '+'))
    ++in->at;
  return bd_double_parse((buddy_sv){start, (size_t)(in->at - start)}, out_number);
}

static buddy_code parse_complex(bd_tokens *in, buddy_arg *out_arg) {
  double *parts = bd_arena_calloc(in->arena, 2, sizeof *parts);
  if (!parts) return BUDDY_OUT_OF_MEMORY;
  if (!take_double(in, &parts[0]) || !bd_tokens_take(in, ',') || !take_double(in, &parts[1])) {
    return bd_tokens_wrong(in, "a complex number like complex(1.0, 2.0) should come");
  }
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_COMPLEX, .n = 2, .as.floats = parts};
  return BUDDY_OK;
}

static buddy_code parse_dtype(bd_tokens *in, buddy_arg *out_arg) {
  const buddy_sv word = bd_tokens_take_word(in);
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_DTYPE, .as.i = buddy_dtype_find(word)};
  if (out_arg->as.i) return BUDDY_OK;
  in->at = word.data;
  return bd_tokens_wrong(in, "a dtype like f32 should come");
}

/* "device("cpu")", after the word. */
static buddy_code parse_tagged(bd_tokens *in, buddy_arg_kind kind, buddy_arg *out_arg) {
  if (!bd_tokens_take(in, '(')) return bd_tokens_wrong(in, "'(' should come");
  BD_TRY(kind == BUDDY_ARG_DTYPE     ? parse_dtype(in, out_arg)
         : kind == BUDDY_ARG_COMPLEX ? parse_complex(in, out_arg)
                                     : parse_string_arg(in, kind, out_arg));
  return bd_tokens_take(in, ')') ? BUDDY_OK : bd_tokens_wrong(in, "')' should come");
}

static buddy_code parse_number(bd_tokens *in, buddy_sv text, buddy_arg *out_arg) {
  if (bd_int_parse(text, &out_arg->as.i)) {
    out_arg->kind = BUDDY_ARG_INT;
    return BUDDY_IS_SYMBOLIC(out_arg->as.i) ? bd_tokens_wrong(in, "the number is too low")
                                            : BUDDY_OK;
  }
  out_arg->kind = BUDDY_ARG_FLOAT;
  if (bd_double_parse(text, &out_arg->as.f)) return BUDDY_OK;
  in->at = text.data;
  return bd_tokens_wrong(in, "a value should come");
}

static buddy_code parse_symbolic(bd_tokens *in, buddy_graph *graph, buddy_arg *out_arg) {
  out_arg->kind = BUDDY_ARG_INT;
  BD_TRY(parse_dim(in, graph, "}", &out_arg->as.i));
  return bd_tokens_take(in, '}') ? BUDDY_OK : bd_tokens_wrong(in, "'}' should come");
}

/* Words and numbers: a run of word characters and signs. */
static buddy_sv take_bare(bd_tokens *in) {
  bd_tokens_skip_blanks(in);
  const char *start = in->at;
  while (in->at < in->end &&
         (bd_text_form_is_word_char(*in->at) || *in->at == '-' || *in->at == '+'))
    ++in->at;
  return (buddy_sv){start, (size_t)(in->at - start)};
}

static buddy_code parse_bare(bd_tokens *in, buddy_arg *out_arg) {
  const buddy_sv word = take_bare(in);
  const bool is_true = bd_word_is(word, "true");
  if (bd_word_is(word, "none")) return BUDDY_OK;
  if (is_true || bd_word_is(word, "false")) {
    *out_arg = (buddy_arg){.kind = BUDDY_ARG_BOOL, .as.i = is_true};
    return BUDDY_OK;
  }
  for (buddy_arg_kind kind = 0; kind <= BUDDY_ARG_GRAPH; ++kind) {
    const char *tag = bd_text_form_tag(kind);
    if (tag && bd_word_is(word, tag)) return parse_tagged(in, kind, out_arg);
  }
  return parse_number(in, word, out_arg);
}

static buddy_code parse_single(bd_tokens *in, buddy_graph *graph, buddy_arg *out_arg) {
  *out_arg = (buddy_arg){0};
  if (bd_tokens_next_is(in, '%')) {
    out_arg->kind = BUDDY_ARG_TENSOR;
    return bd_parse_value(in, graph, &out_arg->as.tensor);
  }
  if (bd_tokens_next_is(in, '"')) return parse_string_arg(in, BUDDY_ARG_STRING, out_arg);
  if (bd_tokens_take(in, '{')) return parse_symbolic(in, graph, out_arg);
  if (bd_tokens_take(in, '@')) return parse_graph_name(in, graph, out_arg);
  return parse_bare(in, out_arg);
}

/* ---- Lists ---- */

static const buddy_arg_kind element_kinds[] = {
    [BUDDY_ARG_TENSORS] = BUDDY_ARG_TENSOR, [BUDDY_ARG_INTS] = BUDDY_ARG_INT,
    [BUDDY_ARG_FLOATS] = BUDDY_ARG_FLOAT,   [BUDDY_ARG_BOOLS] = BUDDY_ARG_BOOL,
    [BUDDY_ARG_STRINGS] = BUDDY_ARG_STRING,
};
#define N_LIST_KINDS ((buddy_arg_kind)(sizeof element_kinds / sizeof *element_kinds))

/* The kind of list that the first telling element makes; NONE if none does. */
static buddy_arg_kind list_kind(const buddy_arg *items, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (buddy_arg_kind kind = 0; kind < N_LIST_KINDS; ++kind) {
      if (element_kinds[kind] && element_kinds[kind] == items[i].kind) return kind;
    }
  }
  return BUDDY_ARG_NONE;
}

static bool fits(buddy_arg_kind list, const buddy_arg *item) {
  if (item->kind == BUDDY_ARG_NONE) return list == BUDDY_ARG_TENSORS;
  return item->kind == element_kinds[list];
}

static buddy_code gather(bd_tokens *in, buddy_arg_kind kind, const buddy_arg *items, size_t n,
                         buddy_arg *out_arg) {
  *out_arg = (buddy_arg){.kind = kind, .n = n};
  void *elements = bd_arena_calloc(in->arena, n, sizeof(int64_t));
  if (!elements) return BUDDY_OUT_OF_MEMORY;
  out_arg->as.ints = elements;
  for (size_t i = 0; i < n; ++i) {
    if (!fits(kind, &items[i]))
      return bd_tokens_wrong(in, "the elements of a list should be of one kind");
    if (kind == BUDDY_ARG_FLOATS) {
      ((double *)elements)[i] = items[i].as.f;
    } else if (kind == BUDDY_ARG_TENSORS) {
      ((const buddy_value **)elements)[i] = items[i].as.tensor; /* None is a null pointer */
    } else if (kind == BUDDY_ARG_STRINGS) {
      ((const char **)elements)[i] = items[i].as.string;
    } else {
      ((int64_t *)elements)[i] = items[i].as.i;
    }
  }
  return BUDDY_OK;
}

static buddy_code parse_items(bd_tokens *in, buddy_graph *graph, buddy_arg **items, size_t *n) {
  size_t capacity = 0;
  if (bd_tokens_take(in, ']')) return BUDDY_OK;
  do {
    buddy_arg item;
    BD_TRY(parse_single(in, graph, &item));
    void *grown = bd_array_grow(*items, &capacity, *n + 1, sizeof item);
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    *items = grown;
    (*items)[(*n)++] = item;
  } while (bd_tokens_take(in, ','));
  return bd_tokens_take(in, ']') ? BUDDY_OK : bd_tokens_wrong(in, "',' or ']' should come");
}

/* After '['. kind: as the word in front said; NONE: as the elements tell. */
static buddy_code parse_list(bd_tokens *in, buddy_graph *graph, buddy_arg_kind kind,
                             buddy_arg *out_arg) {
  buddy_arg *items = NULL;
  size_t n = 0;
  buddy_code code = parse_items(in, graph, &items, &n);
  if (!code && kind == BUDDY_ARG_NONE) kind = list_kind(items, n);
  if (!code && kind == BUDDY_ARG_NONE)
    code = bd_tokens_wrong(in, "an empty list should say of what, like ints[]");
  if (!code) code = gather(in, kind, items, n, out_arg);
  bd_free(items);
  return code;
}

/* The kind of list that a word before '[' names. */
static buddy_arg_kind take_list_word(bd_tokens *in) {
  const char *before = in->at;
  const buddy_sv word = bd_tokens_take_word(in);
  for (buddy_arg_kind kind = 0; kind < N_LIST_KINDS; ++kind) {
    const char *name = bd_text_form_list(kind);
    if (name && bd_word_is(word, name)) return kind;
  }
  in->at = before;
  return BUDDY_ARG_NONE;
}

buddy_code bd_parse_arg(bd_tokens *in, buddy_graph *graph, buddy_arg *out_arg) {
  const buddy_arg_kind kind = take_list_word(in);
  if (bd_tokens_take(in, '[')) return parse_list(in, graph, kind, out_arg);
  if (kind != BUDDY_ARG_NONE) return bd_tokens_wrong(in, "'[' should come");
  return parse_single(in, graph, out_arg);
}

/* ---- Types ---- */

buddy_code bd_parse_type(bd_tokens *in, buddy_graph *graph, buddy_tensor_type *out_type) {
  *out_type = (buddy_tensor_type){0};
  const buddy_sv word = bd_tokens_take_word(in);
  if (bd_word_is(word, "none")) return BUDDY_OK;
  out_type->dtype = buddy_dtype_find(word);
  if (!out_type->dtype || !bd_tokens_take(in, '['))
    return bd_tokens_wrong(in, "a type like f32[2,s0] should come");
  int64_t *dims = bd_arena_calloc(in->arena, BD_MAX_RANK, sizeof *dims);
  if (!dims) return BUDDY_OUT_OF_MEMORY;
  out_type->dims = dims;
  if (bd_tokens_take(in, ']')) return BUDDY_OK;
  do {
    if (out_type->rank == BD_MAX_RANK) return bd_tokens_wrong(in, "the type has more than 64 dims");
    BD_TRY(parse_dim(in, graph, ",]", &dims[out_type->rank++]));
  } while (bd_tokens_take(in, ','));
  return bd_tokens_take(in, ']') ? BUDDY_OK : bd_tokens_wrong(in, "',' or ']' should come");
}
