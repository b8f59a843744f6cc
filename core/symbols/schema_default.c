// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/schema_default.c: reads the default value of a schema argument.
 *
 * PyTorch prints enums as their numbers ("MemoryFormat memory_format=0"), its sources write their
 * names
 * ("contiguous_format", "Mean"): both are read. One number for "int[2]" stands for the whole
 * list. */
#include <string.h>

#include "core/base/array.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/symbols/schema_reader.h"

typedef struct enum_word {
  const char *name;
  int64_t number;   /* as PyTorch numbers it */
  const char *text; /* as buddy calls it; null: the number is the value */
} enum_word;

static const enum_word layouts[] = {{"strided", 0, "strided"},
                                    {"sparse_coo", 1, "sparse_coo"},
                                    {"sparse_csr", 2, "sparse_csr"},
                                    {"_mkldnn", 3, "_mkldnn"},
                                    {"sparse_csc", 4, "sparse_csc"},
                                    {"sparse_bsr", 5, "sparse_bsr"},
                                    {"sparse_bsc", 6, "sparse_bsc"},
                                    {"jagged", 7, "jagged"},
                                    {NULL, 0, NULL}};
static const enum_word memory_formats[] = {{"contiguous_format", 0, "contiguous"},
                                           {"preserve_format", 1, "preserve"},
                                           {"channels_last", 2, "channels_last"},
                                           {"channels_last_3d", 3, "channels_last_3d"},
                                           {NULL, 0, NULL}};
static const enum_word reductions[] = {
    {"None", 0, NULL}, {"Mean", 1, NULL}, {"Sum", 2, NULL}, {NULL, 0, NULL}};

static const struct {
  const char *name;
  int64_t number;
  buddy_dtype dtype;
} dtypes[] = {
    {"uint8", 0, BUDDY_U8},
    {"int8", 1, BUDDY_I8},
    {"int16", 2, BUDDY_I16},
    {"short", 2, BUDDY_I16},
    {"int32", 3, BUDDY_I32},
    {"int", 3, BUDDY_I32},
    {"int64", 4, BUDDY_I64},
    {"long", 4, BUDDY_I64},
    {"float16", 5, BUDDY_F16},
    {"half", 5, BUDDY_F16},
    {"float32", 6, BUDDY_F32},
    {"float", 6, BUDDY_F32},
    {"float64", 7, BUDDY_F64},
    {"double", 7, BUDDY_F64},
    {"complex32", 8, BUDDY_C32},
    {"complex64", 9, BUDDY_C64},
    {"complex128", 10, BUDDY_C128},
    {"bool", 11, BUDDY_BOOL},
    {"bfloat16", 15, BUDDY_BF16},
    {"float8_e5m2", 23, BUDDY_F8E5M2},
    {"float8_e4m3fn", 24, BUDDY_F8E4M3FN},
    {"float8_e5m2fnuz", 25, BUDDY_F8E5M2FNUZ},
    {"float8_e4m3fnuz", 26, BUDDY_F8E4M3FNUZ},
    {"uint16", 27, BUDDY_U16},
    {"uint32", 28, BUDDY_U32},
    {"uint64", 29, BUDDY_U64},
    {"float8_e8m0fnu", 44, BUDDY_F8E8M0FNU},
};

/* One value as it is written, before the argument's type gives it its meaning. */
typedef struct literal {
  buddy_arg arg; /* NONE, INT, FLOAT, BOOL, STRING; or kind -1: a word that is none of these */
  buddy_sv word;
} literal;
#define WORD ((buddy_arg_kind) - 1)

static char unescape(char c) {
  static const char pairs[] = "n\nt\tr\rf\fv\v0\0";
  for (size_t i = 0; i + 1 < sizeof pairs; i += 2) {
    if (pairs[i] == c) return pairs[i + 1];
  }
  return c;
}

static buddy_code read_string(bd_schema_reader *reader, char quote, buddy_arg *out_arg) {
  const char *end = reader->at;
  while (*end && *end != quote) end += *end == '\\' && end[1] ? 2 : 1;
  if (!*end) return bd_schema_wrong(reader, "ends within a string");
  char *text = bd_arena_text(reader->arena, reader->at, (size_t)(end - reader->at));
  if (!text) return BUDDY_OUT_OF_MEMORY;
  size_t n = 0;
  for (const char *from = reader->at; from < end; ++from) {
    text[n++] = *from == '\\' ? unescape(*++from) : *from;
  }
  text[n] = 0;
  reader->at = end + 1;
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_STRING, .n = n, .as.string = text};
  return BUDDY_OK;
}

static buddy_sv take_number(bd_schema_reader *reader) {
  const char *start = reader->at;
  while (*reader->at && strchr("0123456789.+-eEinfa", *reader->at)) ++reader->at;
  return (buddy_sv){start, (size_t)(reader->at - start)};
}

static buddy_code read_number(bd_schema_reader *reader, literal *out_literal) {
  const buddy_sv text = take_number(reader);
  buddy_arg *arg = &out_literal->arg;
  if (bd_int_parse(text, &arg->as.i)) {
    arg->kind = BUDDY_ARG_INT;
    return BUDDY_IS_SYMBOLIC(arg->as.i) ? bd_schema_wrong(reader, "has a number that is too low")
                                        : BUDDY_OK;
  }
  arg->kind = BUDDY_ARG_FLOAT;
  return bd_double_parse(text, &arg->as.f) ? BUDDY_OK
                                           : bd_schema_wrong(reader, "has a malformed number");
}

static buddy_code read_literal(bd_schema_reader *reader, literal *out_literal) {
  *out_literal = (literal){0};
  while (*reader->at == ' ') ++reader->at;
  const char c = *reader->at;
  if (c == '"' || c == '\'') {
    ++reader->at;
    return read_string(reader, c, &out_literal->arg);
  }
  if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.')
    return read_number(reader, out_literal);
  const buddy_sv word = bd_schema_take_word(reader);
  if (word.size == 0) return bd_schema_wrong(reader, "lacks a default value after '='");
  buddy_arg *arg = &out_literal->arg;
  if (bd_schema_word_is(word, "None")) return BUDDY_OK;
  if (bd_schema_word_is(word, "True") || bd_schema_word_is(word, "False")) {
    arg->kind = BUDDY_ARG_BOOL;
    arg->as.i = bd_schema_word_is(word, "True");
  } else if (bd_double_parse(word, &arg->as.f)) { /* inf, nan */
    arg->kind = BUDDY_ARG_FLOAT;
  } else {
    arg->kind = WORD;
    out_literal->word = word;
  }
  return BUDDY_OK;
}

/* ---- Meaning by type ---- */

static bool find_enum(const enum_word *words, const literal *from, buddy_arg_kind kind,
                      buddy_arg *out_arg) {
  for (; words->name; ++words) {
    const bool is_it = from->arg.kind == WORD
                           ? bd_schema_word_is(from->word, words->name)
                           : from->arg.kind == BUDDY_ARG_INT && from->arg.as.i == words->number;
    if (!is_it) continue;
    *out_arg = (buddy_arg){.kind = kind};
    if (words->text) {
      out_arg->n = strlen(words->text);
      out_arg->as.string = words->text;
    } else {
      out_arg->as.i = words->number;
    }
    return true;
  }
  return false;
}

static bool find_dtype(const literal *from, buddy_arg *out_arg) {
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i) {
    const bool is_it = from->arg.kind == WORD
                           ? bd_schema_word_is(from->word, dtypes[i].name)
                           : from->arg.kind == BUDDY_ARG_INT && from->arg.as.i == dtypes[i].number;
    if (!is_it) continue;
    *out_arg = (buddy_arg){.kind = BUDDY_ARG_DTYPE, .as.i = dtypes[i].dtype};
    return true;
  }
  return false;
}

static bool as_float(buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_INT) {
    *arg = (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = (double)arg->as.i};
  }
  return arg->kind == BUDDY_ARG_FLOAT;
}

/* A single value as an argument of `type`; false if the type has no such value. */
static bool convert(bd_arena *arena, buddy_schema_type type, const literal *from,
                    buddy_arg *out_arg) {
  *out_arg = from->arg;
  const buddy_arg_kind kind = from->arg.kind;
  switch (type) {
    case BUDDY_SCHEMA_INT:
      return kind == BUDDY_ARG_INT || find_enum(reductions, from, BUDDY_ARG_INT, out_arg);
    case BUDDY_SCHEMA_FLOAT:
      return as_float(out_arg);
    case BUDDY_SCHEMA_BOOL:
      return kind == BUDDY_ARG_BOOL;
    case BUDDY_SCHEMA_SCALAR:
      return kind == BUDDY_ARG_INT || kind == BUDDY_ARG_FLOAT || kind == BUDDY_ARG_BOOL;
    case BUDDY_SCHEMA_STRING:
      return kind == BUDDY_ARG_STRING;
    case BUDDY_SCHEMA_DTYPE:
      return find_dtype(from, out_arg);
    case BUDDY_SCHEMA_LAYOUT:
      return find_enum(layouts, from, BUDDY_ARG_LAYOUT, out_arg);
    case BUDDY_SCHEMA_MEMORY_FORMAT:
      return find_enum(memory_formats, from, BUDDY_ARG_MEMORY_FORMAT, out_arg);
    case BUDDY_SCHEMA_DEVICE:
      if (kind == WORD) {
        out_arg->n = from->word.size;
        out_arg->as.string = bd_arena_text(arena, from->word.data, from->word.size);
      }
      out_arg->kind = BUDDY_ARG_DEVICE;
      return (kind == WORD || kind == BUDDY_ARG_STRING) && out_arg->as.string;
    case BUDDY_SCHEMA_COMPLEX: {
      double *parts = as_float(out_arg) ? bd_arena_calloc(arena, 2, sizeof *parts) : NULL;
      if (!parts) return false;
      parts[0] = out_arg->as.f;
      *out_arg = (buddy_arg){.kind = BUDDY_ARG_COMPLEX, .n = 2, .as.floats = parts};
      return true;
    }
    case BUDDY_SCHEMA_ANY:
      return kind != WORD;
    default:
      return false;
  }
}

/* ---- Lists ---- */

static buddy_arg_kind list_kind(buddy_schema_type type, const buddy_arg *first) {
  switch (type) {
    case BUDDY_SCHEMA_TENSOR:
      return BUDDY_ARG_TENSORS;
    case BUDDY_SCHEMA_FLOAT:
      return BUDDY_ARG_FLOATS;
    case BUDDY_SCHEMA_BOOL:
      return BUDDY_ARG_BOOLS;
    case BUDDY_SCHEMA_STRING:
      return BUDDY_ARG_STRINGS;
    default:
      if (!first || first->kind == BUDDY_ARG_INT) return BUDDY_ARG_INTS;
      return first->kind == BUDDY_ARG_FLOAT    ? BUDDY_ARG_FLOATS
             : first->kind == BUDDY_ARG_BOOL   ? BUDDY_ARG_BOOLS
             : first->kind == BUDDY_ARG_STRING ? BUDDY_ARG_STRINGS
                                               : BUDDY_ARG_NONE;
  }
}

/* Gathers n single values of one kind into one list argument. */
static buddy_code gather(bd_schema_reader *reader, buddy_schema_type type, const buddy_arg *items,
                         size_t n, buddy_arg *out_arg) {
  *out_arg = (buddy_arg){.kind = list_kind(type, n ? items : NULL), .n = n};
  if (out_arg->kind == BUDDY_ARG_NONE) return bd_schema_wrong(reader, "has a list of such values");
  union {
    int64_t i;
    double f;
    const char *string;
  } *list = bd_arena_calloc(reader->arena, n, sizeof *list);
  if (!list) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    if (items[i].kind != items[0].kind) return bd_schema_wrong(reader, "mixes kinds in a list");
    if (items[i].kind == BUDDY_ARG_FLOAT) {
      list[i].f = items[i].as.f;
    } else if (items[i].kind == BUDDY_ARG_STRING) {
      list[i].string = items[i].as.string;
    } else {
      list[i].i = items[i].as.i;
    }
  }
  out_arg->as.ints =
      &list->i; /* all members have 8 bytes: the list reads as an array of any of them */
  return BUDDY_OK;
}

static buddy_code read_items(bd_schema_reader *reader, buddy_schema_type type, buddy_arg **items,
                             size_t *n) {
  size_t capacity = 0;
  if (bd_schema_take(reader, ']')) return BUDDY_OK;
  do {
    literal value;
    buddy_arg arg = {0};
    BD_TRY(read_literal(reader, &value));
    if (!convert(reader->arena, type, &value, &arg)) {
      return bd_schema_wrong(reader,
                             "has a default list whose elements are not of the argument's type");
    }
    void *grown = bd_array_grow(*items, &capacity, *n + 1, sizeof **items);
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    *items = grown;
    (*items)[(*n)++] = arg;
  } while (bd_schema_take(reader, ','));
  return bd_schema_take(reader, ']') ? BUDDY_OK : bd_schema_wrong(reader, "lacks ']' in a default");
}

static buddy_code read_list(bd_schema_reader *reader, buddy_schema_arg *arg) {
  buddy_arg *items = NULL;
  size_t n = 0;
  buddy_code code = read_items(reader, arg->type, &items, &n);
  if (!code) code = gather(reader, arg->type, items, n, &arg->default_value);
  bd_free(items);
  return code;
}

/* "int[2] padding=0" means [0, 0]. */
static buddy_code repeat(bd_schema_reader *reader, buddy_schema_arg *arg, const buddy_arg *item) {
  const size_t n = arg->list_size > 0 ? (size_t)arg->list_size : 1;
  buddy_arg *items = bd_calloc(n, sizeof *items);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) items[i] = *item;
  const buddy_code code = gather(reader, arg->type, items, n, &arg->default_value);
  bd_free(items);
  return code;
}

buddy_code bd_schema_read_default(bd_schema_reader *reader, buddy_schema_arg *arg) {
  if (bd_schema_take(reader, '[')) {
    if (arg->is_list || arg->type == BUDDY_SCHEMA_ANY) return read_list(reader, arg);
    return bd_schema_wrong(reader, "gives a list to an argument that is none");
  }
  literal value;
  BD_TRY(read_literal(reader, &value));
  const bool is_reduction = arg->type == BUDDY_SCHEMA_INT && !arg->is_optional && !arg->is_list;
  if (value.arg.kind == BUDDY_ARG_NONE && !is_reduction) return BUDDY_OK;
  buddy_arg item = {0};
  if (!convert(reader->arena, arg->type, &value, &item)) {
    return bd_schema_wrong(reader, "has a default that is not of the argument's type");
  }
  if (arg->is_list) return repeat(reader, arg, &item);
  arg->default_value = item;
  return BUDDY_OK;
}
