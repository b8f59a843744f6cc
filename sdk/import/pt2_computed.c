// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_computed.c: sizes that take floats to compute.
 *
 * Where the size of a dynamic dim is scaled by 1.7, the program says
 *
 *   TruncToInt(Mul(Float('1.7', precision=53), ToFloat(Symbol('s0', positive=True, integer=True))))
 *
 * or, of a number that it has computed, CeilToInt(FloatTrueDiv(Symbol('zuf0'), Float('2.0', precision=53))).
 * Rounding is part of its meaning, so that no arithmetic on integers gives the same for every size:
 * ATen's ops compute it on 0-d f64 tensors, and a symbol is bound to what comes out. One text is one
 * symbol, wherever it comes up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/import/numbers.h"
#include "sdk/import/pt2.h"

enum { MAX_OPERANDS = 16, MAX_DEPTH = 32 };

/* A dim, or a 0-d f64 tensor. */
typedef struct operand {
  const buddy_value *tensor; /* null: a dim */
  int64_t dim;
} operand;

typedef struct reader {
  bd_import *import;
  buddy_graph *graph; /* whose end the nodes go to */
  int depth;
  bool reads_data; /* a number that the program has computed */
} reader;

static buddy_code read(reader *in, buddy_sv text, operand *out);

/* ---- Texts: "Head(argument, argument)" ---- */

static size_t head_size(buddy_sv text) {
  size_t n = 0;
  while (n < text.size && text.data[n] != '(') ++n;
  return n;
}

static bool is_head(buddy_sv text, const char *name) {
  const size_t n = head_size(text);
  return n == strlen(name) && !memcmp(text.data, name, n);
}

static size_t split(buddy_sv text, buddy_sv *out, size_t max) {
  size_t n = 0, start = head_size(text) + 1;
  int depth = 0;
  for (size_t i = start; i < text.size; ++i) {
    const char c = text.data[i];
    if (c == '(') ++depth;
    const bool is_end = depth == 0 && (c == ',' || c == ')');
    if (c == ')') --depth;
    if (!is_end) continue;
    if (n == max) return 0;
    out[n++] = (buddy_sv){text.data + start, i - start};
    start = i + 1;
    while (start < text.size && text.data[start] == ' ') ++start;
    if (c == ')') break;
  }
  return n;
}

/* ---- Nodes ---- */

static buddy_code build(const reader *in, const char *op, const buddy_named_arg *args, size_t n,
                        buddy_dtype dtype, const buddy_value **out) {
  const buddy_tensor_type type = {.dtype = dtype};
  const char *name = bd_import_made_name(in->import, "size");
  buddy_node *node;
  if (!name) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(buddy_graph_add_node(in->graph, NULL, op, name, args, n, &type, 1, NULL, &node));
  *out = buddy_node_result(node, 0);
  return BUDDY_OK;
}

static buddy_code make_tensor(const reader *in, const buddy_arg *number, const buddy_value **out) {
  const buddy_named_arg args[] = {{"s", *number}, {"dtype", bd_dtype_arg(BUDDY_F64)}};
  return build(in, "aten.scalar_tensor.default", args, 2, BUDDY_F64, out);
}

static buddy_code as_float(const reader *in, operand *a) {
  const buddy_arg number = bd_int_arg(a->dim);
  return a->tensor ? BUDDY_OK : make_tensor(in, &number, &a->tensor);
}

static buddy_code combine(const reader *in, const char *op, operand *a, operand *b) {
  BD_TRY(as_float(in, a));
  BD_TRY(as_float(in, b));
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(a->tensor)},
                                  {"other", bd_tensor_arg(b->tensor)}};
  return build(in, op, args, 2, BUDDY_F64, &a->tensor);
}

/* ---- Arithmetic ---- */

enum { PRODUCT = 0 };

static const struct {
  const char *head, *op; /* on floats; null: there are none */
  buddy_dim_op on_dims;
  bool is_of_floats; /* whatever its operands are */
} folds[] = {[PRODUCT] = {"Mul", "aten.mul.Tensor", BUDDY_DIM_MUL, false},
             {"Add", "aten.add.Tensor", BUDDY_DIM_ADD, false},
             {"Max", "aten.maximum.default", BUDDY_DIM_MAX, false},
             {"Min", "aten.minimum.default", BUDDY_DIM_MIN, false},
             {"FloorDiv", NULL, BUDDY_DIM_FLOORDIV, false},
             {"CleanDiv", NULL, BUDDY_DIM_FLOORDIV, false},
             {"PythonMod", NULL, BUDDY_DIM_MOD, false},
             {"Mod", NULL, BUDDY_DIM_MOD, false},
             {"IntTrueDiv", "aten.div.Tensor", BUDDY_DIM_ADD, true},
             {"FloatTrueDiv", "aten.div.Tensor", BUDDY_DIM_ADD, true}};

static buddy_code fold(reader *in, size_t how, const buddy_sv *parts, size_t n, operand *out) {
  if (n < 2) return BUDDY_UNSUPPORTED;
  BD_TRY(read(in, parts[0], out));
  for (size_t i = 1; i < n; ++i) {
    operand next;
    BD_TRY(read(in, parts[i], &next));
    if (out->tensor || next.tensor || folds[how].is_of_floats) {
      if (!folds[how].op) return BUDDY_UNSUPPORTED;
      BD_TRY(combine(in, folds[how].op, out, &next));
    } else {
      BD_TRY(buddy_graph_dim(in->graph, folds[how].on_dims, out->dim, next.dim, &out->dim));
    }
  }
  return BUDDY_OK;
}

/* Powers, as products. */
static buddy_code raise_to(reader *in, const buddy_sv *parts, operand *out) {
  buddy_sv factors[MAX_OPERANDS];
  operand exponent;
  BD_TRY(read(in, parts[1], &exponent));
  if (exponent.tensor || exponent.dim < 2 || exponent.dim > MAX_OPERANDS) return BUDDY_UNSUPPORTED;
  for (int64_t i = 0; i < exponent.dim; ++i) factors[i] = parts[0];
  return fold(in, PRODUCT, factors, (size_t)exponent.dim, out);
}

static buddy_code read_float(reader *in, buddy_sv text, operand *out) {
  char number[64];
  const char *quote = memchr(text.data, '\'', text.size);
  if (!quote ||
      (size_t)snprintf(number, sizeof number, "%.*s",
                       (int)(text.size - (size_t)(quote + 1 - text.data)), quote + 1) == 0)
    return BUDDY_UNSUPPORTED;
  const buddy_arg arg = {.kind = BUDDY_ARG_FLOAT, .as.f = strtod(number, NULL)};
  return make_tensor(in, &arg, &out->tensor);
}

/* ---- From floats to integers ---- */

static const struct {
  const char *head, *op; /* null: the conversion cuts */
} roundings[] = {{"TruncToInt", NULL},
                 {"FloorToInt", "aten.floor.default"},
                 {"CeilToInt", "aten.ceil.default"},
                 {"RoundToInt", "aten.round.default"}};

static buddy_code bind(const reader *in, const buddy_value *value, int64_t *out_dim) {
  char name[64];
  buddy_graph *graph = in->graph;
  snprintf(name, sizeof name, "computed_%zu", buddy_graph_n_symbols(graph));
  BD_TRY(buddy_graph_add_symbol(graph, name, 0, INT64_MAX, out_dim));
  return buddy_graph_bind_symbol(graph, buddy_graph_dim_symbol(graph, *out_dim), value);
}

/* Data may be infinite, or no number. */
static buddy_code cut_data(const reader *in, const buddy_value *value, const buddy_value **out) {
  const buddy_location nowhere = {0};
  const bd_number_at at = {.import = in->import,
                           .frame = &in->import->frames[0],
                           .name = bd_import_made_name(in->import, "size"),
                           .location = &nowhere};
  const buddy_arg number = bd_tensor_arg(value);
  if (!at.name) return BUDDY_OUT_OF_MEMORY;
  return bd_number_compute(&at, bd_number_op_find("math.trunc"), &number, BUDDY_I64, out);
}

static buddy_code cut(const reader *in, const buddy_value *value, const buddy_value **out) {
  if (in->reads_data) return cut_data(in, value, out);
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)},
                                  {"dtype", bd_dtype_arg(BUDDY_I64)}};
  return build(in, "aten._to_copy.default", args, 2, BUDDY_I64, out);
}

static buddy_code round_to_int(reader *in, const char *op, buddy_sv part, operand *out) {
  operand a;
  BD_TRY(read(in, part, &a));
  *out = a;
  if (!a.tensor) return BUDDY_OK;
  const buddy_named_arg rounded[] = {{"self", bd_tensor_arg(a.tensor)}};
  if (op) BD_TRY(build(in, op, rounded, 1, BUDDY_F64, &a.tensor));
  BD_TRY(cut(in, a.tensor, &a.tensor));
  *out = (operand){NULL, 0};
  return bind(in, a.tensor, &out->dim);
}

/* ---- All of them ---- */

static buddy_code read_new(reader *in, buddy_sv text, operand *out) {
  buddy_sv parts[MAX_OPERANDS];
  *out = (operand){NULL, 0};
  if (is_head(text, "Float")) return read_float(in, text, out);
  const size_t n = split(text, parts, MAX_OPERANDS);
  if (n == 0) return BUDDY_UNSUPPORTED;
  if (is_head(text, "ToFloat") && n == 1) {
    BD_TRY(read(in, parts[0], out));
    return as_float(in, out);
  }
  const bool is_power = is_head(text, "Pow") || is_head(text, "PowByNatural");
  if (is_power && n == 2) return raise_to(in, parts, out);
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; ++i) {
    if (is_head(text, roundings[i].head) && n == 1)
      return round_to_int(in, roundings[i].op, parts[0], out);
  }
  for (size_t i = 0; i < sizeof folds / sizeof *folds; ++i) {
    if (is_head(text, folds[i].head)) return fold(in, i, parts, n, out);
  }
  return BUDDY_UNSUPPORTED;
}

static buddy_code keep(bd_import *import, buddy_sv text, const operand *is, bool is_data) {
  bd_computed *added = bd_arena_calloc(&import->arena, 1, sizeof *added);
  if (!added) return BUDDY_OUT_OF_MEMORY;
  added->text = text.data; /* of the program, which outlives the import */
  added->tensor = is->tensor;
  added->dim = is->dim;
  added->is_data = is_data;
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, import->computed, added->text, text.size, added);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

/* A part that is a dim by itself, or that has come up before, is no new nodes. */
static buddy_code read(reader *in, buddy_sv text, operand *out) {
  bd_computed *found;
  *out = (operand){NULL, 0};
  if (!buddy_graph_dim_parse(in->graph, text, NULL, &out->dim)) return BUDDY_OK;
  HASH_FIND(hh, in->import->computed, text.data, text.size, found);
  if (found) {
    *out = (operand){found->tensor, found->dim};
    in->reads_data |= found->is_data;
    return BUDDY_OK;
  }
  if (++in->depth > MAX_DEPTH) return BUDDY_UNSUPPORTED;
  BD_TRY(read_new(in, text, out));
  --in->depth;
  return keep(in->import, text, out, in->reads_data);
}

buddy_code bd_computed_float(bd_import *import, bd_json meta, const buddy_value *value) {
  const operand is = {value, 0};
  bd_computed *found;
  bd_json expr;
  const char *kind = bd_json_union(&import->json, meta, &expr);
  BD_TRY(import->json.code);
  if (strcmp(kind, "as_expr")) return BUDDY_OK;
  const char *text = bd_json_name(&import->json, bd_json_get(&import->json, expr, "expr_str"));
  BD_TRY(import->json.code);
  const size_t size = strlen(text);
  HASH_FIND(hh, import->computed, text, size, found);
  return found ? BUDDY_OK : keep(import, (buddy_sv){text, size}, &is, true);
}

buddy_code bd_computed_dim(bd_import *import, const char *text, int64_t *out_dim) {
  reader in = {.import = import, .graph = import->graph};
  operand is;
  if (!strstr(text, "ToInt(")) return BUDDY_UNSUPPORTED;
  BD_TRY(read(&in, (buddy_sv){text, strlen(text)}, &is));
  if (is.tensor) return BUDDY_UNSUPPORTED;
  *out_dim = is.dim;
  return BUDDY_OK;
}

void bd_computed_deinit(bd_import *import) { HASH_CLEAR(hh, import->computed); }
