// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_args.c: arguments of nodes.
 *
 * A serialized Argument is a union of 30 members, {"as_ints": [1, 2]}; each is read by a function
 * of its own. What buddy has no value for (custom objects, lists of lists, dictionaries) is told as
 * a problem and read as None, so that the rest of the program is looked at too. */
#include <stdio.h>
#include <string.h>

#include "sdk/import/pt2.h"

typedef struct arg_reader {
  bd_import *import;
  bd_frame *frame;
  bd_json argument; /* the union, for messages */
  bd_json graph;    /* of as_graph */
} arg_reader;

static void *list_of(arg_reader *reader, bd_json value, size_t item_size, size_t *out_n) {
  *out_n = bd_json_count(value);
  return bd_arena_calloc(&reader->import->arena, *out_n, item_size);
}

static buddy_code beyond(arg_reader *reader, const char *what) {
  char path[256];
  bd_json_path(reader->argument, path, sizeof path);
  bd_import_problem(reader->import, BUDDY_UNSUPPORTED, NULL, NULL,
                    "%s is %s, which buddy has no value for", path, what);
  return BUDDY_OK;
}

/* ---- Single values ---- */

static buddy_code read_none(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  (void)value;
  (void)reader;
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_NONE};
  return BUDDY_OK;
}

/* A name that the graph has defined already. */
static buddy_code read_defined(arg_reader *reader, bd_json name, buddy_arg *out_arg) {
  bd_named *found;
  BD_TRY(bd_names_find(reader->import, reader->frame, name, &found));
  if (!found->is_defined) {
    bd_json_wrong(&reader->import->json, name, "is a name that is used before it is defined");
    return reader->import->json.code;
  }
  *out_arg = found->arg;
  bd_vmap *region = reader->frame->region;
  return region && out_arg->kind == BUDDY_ARG_TENSOR
             ? bd_vmap_capture(reader->import, region, &out_arg->as.tensor)
             : BUDDY_OK;
}

static buddy_code read_tensor_name(arg_reader *reader, bd_json tensor, buddy_arg *out_arg) {
  const bd_json name = bd_json_get(&reader->import->json, tensor, "name");
  BD_TRY(reader->import->json.code);
  return read_defined(reader, name, out_arg);
}

/* The lowest 2^31 integers stand for symbolic dims in a graph; as arguments of programs they are
 * rare, yet real: the lowest int64 is one of them. Such a number becomes a 0-d constant. */
static buddy_code read_lowest_int(arg_reader *reader, int64_t number, buddy_arg *out_arg) {
  bd_import *import = reader->import;
  if (reader->frame->target != import->graph) {
    return beyond(reader, "a number next to the lowest int64, within a subgraph");
  }
  int64_t *bytes = bd_archive_alloc(import->archive, sizeof *bytes);
  if (!bytes) return BUDDY_OUT_OF_MEMORY;
  *bytes = number;
  const buddy_tensor_type type = {.dtype = BUDDY_I64};
  const buddy_data data = {.bytes = bytes, .n_bytes = sizeof *bytes};
  const buddy_value *value;
  const char *name = bd_import_made_name(import, "constant");
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(buddy_graph_add_input(import->graph, BUDDY_INPUT_CONSTANT, name, name, &type, &data,
                               import->diags, &value));
  *out_arg = bd_tensor_arg(value);
  return BUDDY_OK;
}

static buddy_code read_float(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  *out_arg =
      (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = bd_json_float(&reader->import->json, value)};
  return reader->import->json.code;
}

/* Sizes are compared with numbers of any length: one that 64 bits do not hold is read as a float,
 * which compares the same, and which no op takes as a size or an index. */
static buddy_code read_int(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  if (bd_json_is_beyond_int(value)) return read_float(reader, value, out_arg);
  const int64_t number = bd_json_int(&reader->import->json, value);
  BD_TRY(reader->import->json.code);
  if (BUDDY_IS_SYMBOLIC(number)) return read_lowest_int(reader, number, out_arg);
  *out_arg = bd_int_arg(number);
  return BUDDY_OK;
}

static buddy_code read_bool(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  *out_arg =
      (buddy_arg){.kind = BUDDY_ARG_BOOL, .as.i = bd_json_bool(&reader->import->json, value)};
  return reader->import->json.code;
}

static buddy_code read_string(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  const char *text = bd_json_name(&reader->import->json, value);
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_STRING, .n = strlen(text), .as.string = text};
  return reader->import->json.code;
}

static buddy_code read_complex(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  bd_json_reader *json = &reader->import->json;
  double *parts = bd_arena_calloc(&reader->import->arena, 2, sizeof *parts);
  if (!parts) return BUDDY_OUT_OF_MEMORY;
  parts[0] = bd_json_float(json, bd_json_get(json, value, "real"));
  parts[1] = bd_json_float(json, bd_json_get(json, value, "imag"));
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_COMPLEX, .n = 2, .as.floats = parts};
  return json->code;
}

static buddy_code read_dtype(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  *out_arg = bd_dtype_arg(bd_types_dtype(reader->import, value));
  return reader->import->json.code;
}

/* An enum of the schema, by its number. */
static buddy_code read_enum(arg_reader *reader, bd_json value, const char *const *words,
                            size_t n_words, buddy_arg_kind kind, buddy_arg *out_arg) {
  const int64_t number = bd_json_int(&reader->import->json, value);
  BD_TRY(reader->import->json.code);
  if (number < 0 || (size_t)number >= n_words || !words[number]) {
    bd_json_wrong(&reader->import->json, value, "is a number that its enum has not");
    return reader->import->json.code;
  }
  *out_arg = (buddy_arg){.kind = kind, .n = strlen(words[number]), .as.string = words[number]};
  return BUDDY_OK;
}

static buddy_code read_layout(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  static const char *const words[] = {NULL,         "sparse_coo", "sparse_csr", "sparse_csc",
                                      "sparse_bsr", "sparse_bsc", "_mkldnn",    "strided"};
  return read_enum(reader, value, words, sizeof words / sizeof *words, BUDDY_ARG_LAYOUT, out_arg);
}

static buddy_code read_memory_format(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  static const char *const words[] = {NULL, "contiguous", "channels_last", "channels_last_3d",
                                      "preserve"};
  return read_enum(reader, value, words, sizeof words / sizeof *words, BUDDY_ARG_MEMORY_FORMAT,
                   out_arg);
}

static buddy_code read_device(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  bd_json_reader *json = &reader->import->json;
  const char *type = bd_json_name(json, bd_json_get(json, value, "type"));
  const bd_json index = bd_json_find(value, "index");
  const char *text = bd_json_is(index) ? bd_arena_format(&reader->import->arena, "%s:%lld", type,
                                                         (long long)bd_json_int(json, index))
                                       : type;
  if (!text) return BUDDY_OUT_OF_MEMORY;
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_DEVICE, .n = strlen(text), .as.string = text};
  return json->code;
}

static buddy_code read_graph(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  bd_json_reader *json = &reader->import->json;
  reader->graph = bd_json_get(json, value, "graph");
  bd_json_name(json, bd_json_get(json, value, "name"));
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_GRAPH};
  return json->code;
}

/* {"as_name": "x"} or a constant of the kind. */
static buddy_code read_sym(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  bd_json inner;
  const char *kind = bd_json_union(&reader->import->json, value, &inner);
  BD_TRY(reader->import->json.code);
  if (!strcmp(kind, "as_name")) return read_defined(reader, inner, out_arg);
  if (!strcmp(kind, "as_int")) return read_int(reader, inner, out_arg);
  if (!strcmp(kind, "as_float")) return read_float(reader, inner, out_arg);
  if (!strcmp(kind, "as_bool")) return read_bool(reader, inner, out_arg);
  bd_json_wrong(&reader->import->json, value, "is a symbolic number of an unknown kind");
  return reader->import->json.code;
}

static buddy_code read_optional_tensor(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  bd_json inner;
  const char *kind = bd_json_union(&reader->import->json, value, &inner);
  BD_TRY(reader->import->json.code);
  if (!strcmp(kind, "as_none")) return read_none(reader, inner, out_arg);
  return read_tensor_name(reader, inner, out_arg);
}

static buddy_code read_custom_object(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  bd_json_reader *json = &reader->import->json;
  const char *name = bd_json_name(json, bd_json_get(json, value, "name"));
  const char *type = bd_json_name(json, bd_json_get(json, value, "class_fqn"));
  BD_TRY(json->code);
  bd_import_problem(reader->import, BUDDY_UNSUPPORTED, name, "replace it by tensors and ops",
                    "it is an object of the custom class '%.100s', whose code buddy has not", type);
  return read_none(reader, value, out_arg);
}

/* ---- Lists ---- */

/* Elements that may be values or null. */
static buddy_code read_tensor_list(arg_reader *reader, bd_json value, buddy_arg *out_arg,
                                   buddy_code (*read)(arg_reader *, bd_json, buddy_arg *)) {
  size_t n, at = 0;
  const buddy_value **list = list_of(reader, value, sizeof *list, &n);
  if (!list) return BUDDY_OUT_OF_MEMORY;
  bd_json_iterator all = bd_json_array(&reader->import->json, value);
  for (bd_json item; bd_json_next(&all, &item) && at < n;) {
    buddy_arg element = {0};
    BD_TRY(read(reader, item, &element));
    if (element.kind != BUDDY_ARG_TENSOR && element.kind != BUDDY_ARG_NONE) {
      return beyond(reader, "a list that mixes tensors and numbers");
    }
    list[at++] = element.kind == BUDDY_ARG_TENSOR ? element.as.tensor : NULL;
  }
  *out_arg = (buddy_arg){.kind = BUDDY_ARG_TENSORS, .n = at, .as.tensors = list};
  return reader->import->json.code;
}

static buddy_code read_tensors(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_tensor_list(reader, value, out_arg, read_tensor_name);
}

static buddy_code read_optional_tensors(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_tensor_list(reader, value, out_arg, read_optional_tensor);
}

/* Numbers of one kind; an element may be symbolic where the kind has room for it. */
static buddy_code read_numbers(arg_reader *reader, bd_json value, buddy_arg_kind kind,
                               buddy_arg *out_arg,
                               buddy_code (*read)(arg_reader *, bd_json, buddy_arg *)) {
  size_t n, at = 0;
  union {
    int64_t i;
    double f;
    const char *string;
  } *list = list_of(reader, value, sizeof *list, &n);
  if (!list) return BUDDY_OUT_OF_MEMORY;
  bd_json_iterator all = bd_json_array(&reader->import->json, value);
  for (bd_json item; bd_json_next(&all, &item) && at < n; ++at) {
    buddy_arg element = {0};
    BD_TRY(read(reader, item, &element));
    if (element.kind == BUDDY_ARG_FLOAT) {
      if (kind != BUDDY_ARG_FLOATS) return beyond(reader, "a list with a number beyond 64 bits");
      list[at].f = element.as.f;
    } else if (element.kind == BUDDY_ARG_STRING) {
      list[at].string = element.as.string;
    } else if (element.kind == BUDDY_ARG_INT || element.kind == BUDDY_ARG_BOOL) {
      list[at].i = element.as.i;
    } else {
      return beyond(reader, "a list with a number that only the running program knows");
    }
  }
  *out_arg = (buddy_arg){.kind = kind, .n = at, .as.ints = &list->i};
  return reader->import->json.code;
}

static buddy_code read_ints(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_numbers(reader, value, BUDDY_ARG_INTS, out_arg, read_int);
}
static buddy_code read_floats(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_numbers(reader, value, BUDDY_ARG_FLOATS, out_arg, read_float);
}
static buddy_code read_bools(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_numbers(reader, value, BUDDY_ARG_BOOLS, out_arg, read_bool);
}
static buddy_code read_strings(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_numbers(reader, value, BUDDY_ARG_STRINGS, out_arg, read_string);
}

static buddy_code read_sym_ints(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_numbers(reader, value, BUDDY_ARG_INTS, out_arg, read_sym);
}
static buddy_code read_sym_floats(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_numbers(reader, value, BUDDY_ARG_FLOATS, out_arg, read_sym);
}
static buddy_code read_sym_bools(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  return read_numbers(reader, value, BUDDY_ARG_BOOLS, out_arg, read_sym);
}

static buddy_code refuse_nested(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  read_none(reader, value, out_arg);
  return beyond(reader, "a list of lists");
}

/* An empty dictionary is what wrapped regions carry as their keyword arguments. */
static buddy_code read_dictionary(arg_reader *reader, bd_json value, buddy_arg *out_arg) {
  read_none(reader, value, out_arg);
  bd_json_object(&reader->import->json, value);
  return bd_json_count(value) ? beyond(reader, "a dictionary") : reader->import->json.code;
}

static const struct {
  const char *name;
  buddy_code (*read)(arg_reader *reader, bd_json value, buddy_arg *out_arg);
} members[] = {
    {"as_tensor", read_tensor_name},
    {"as_int", read_int},
    {"as_ints", read_ints},
    {"as_float", read_float},
    {"as_none", read_none},
    {"as_bool", read_bool},
    {"as_tensors", read_tensors},
    {"as_sym_int", read_sym},
    {"as_sym_ints", read_sym_ints},
    {"as_string", read_string},
    {"as_device", read_device},
    {"as_scalar_type", read_dtype},
    {"as_memory_format", read_memory_format},
    {"as_layout", read_layout},
    {"as_optional_tensors", read_optional_tensors},
    {"as_optional_tensor", read_optional_tensor},
    {"as_floats", read_floats},
    {"as_bools", read_bools},
    {"as_strings", read_strings},
    {"as_sym_float", read_sym},
    {"as_sym_bool", read_sym},
    {"as_sym_floats", read_sym_floats},
    {"as_sym_bools", read_sym_bools},
    {"as_complex", read_complex},
    {"as_graph", read_graph},
    {"as_operator", read_string},
    {"as_custom_obj", read_custom_object},
    {"as_string_to_argument", read_dictionary},
    {"as_nested_tensors", refuse_nested},
    {"as_int_lists", refuse_nested},
    {"as_float_lists", refuse_nested},
};

buddy_code bd_args_read(bd_import *import, bd_frame *frame, bd_json argument, buddy_arg *out_arg,
                        bd_json *out_graph) {
  arg_reader reader = {.import = import, .frame = frame, .argument = argument};
  *out_arg = (buddy_arg){0};
  *out_graph = (bd_json){0};
  bd_json value;
  const char *kind = bd_json_union(&import->json, argument, &value);
  BD_TRY(import->json.code);
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
    if (strcmp(kind, members[i].name)) continue;
    BD_TRY(members[i].read(&reader, value, out_arg));
    *out_graph = reader.graph;
    return BUDDY_OK;
  }
  bd_import_problem(import, BUDDY_UNSUPPORTED, NULL, "use a newer buddy",
                    "an argument of the kind '%.60s', which this buddy does not know", kind);
  return BUDDY_OK;
}
