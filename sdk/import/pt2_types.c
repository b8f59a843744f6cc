// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_types.c: dtypes, sizes and tensor types.
 *
 * A size is {"as_int": 4}, or an expression in sympy's notation ("Mul(Integer(2), Symbol('s0',
 * positive=True, integer=True))") with a hint that is of no use here. The same few texts come again
 * and again: each is parsed once. */
#include <stdio.h>
#include <string.h>

#include "core/graph/dims.h"
#include "core/graph/guards.h"
#include "sdk/import/pt2.h"

struct bd_expr {
  const char *text;
  int64_t dim;
  buddy_code code; /* of the attempt */
  UT_hash_handle hh;
};

struct bd_range {
  const char *name;
  int64_t min, max;
  UT_hash_handle hh;
};

/* ---- Dtypes ---- */

static const buddy_dtype dtypes[] = {
    [1] = BUDDY_U8,          [2] = BUDDY_I8,          [3] = BUDDY_I16,        [4] = BUDDY_I32,
    [5] = BUDDY_I64,         [6] = BUDDY_F16,         [7] = BUDDY_F32,        [8] = BUDDY_F64,
    [9] = BUDDY_C32,         [10] = BUDDY_C64,        [11] = BUDDY_C128,      [12] = BUDDY_BOOL,
    [13] = BUDDY_BF16,       [28] = BUDDY_U16,        [29] = BUDDY_F8E4M3FN,  [30] = BUDDY_F8E5M2,
    [31] = BUDDY_F8E4M3FNUZ, [32] = BUDDY_F8E5M2FNUZ, [33] = BUDDY_F8E8M0FNU, [34] = BUDDY_U32,
    [35] = BUDDY_U64,
};

buddy_dtype bd_dtype_serialized(int64_t number) {
  return number > 0 && (size_t)number < sizeof dtypes / sizeof *dtypes ? dtypes[number]
                                                                       : BUDDY_DTYPE_NONE;
}

/* Each is told once. U8 stands for it, so that the rest can be read: no elements take less. */
static buddy_dtype unknown_dtype(bd_import *import, bd_json json, int64_t number) {
  const uint64_t bit = number > 0 && number < 64 ? 1ull << number : 1;
  if (import->unknown_dtypes & bit) return BUDDY_U8;
  import->unknown_dtypes |= bit;
  char path[256];
  bd_json_path(json, path, sizeof path);
  bd_import_problem(import, BUDDY_UNSUPPORTED, NULL, NULL, "%s is %lld, a dtype that buddy has not",
                    path, (long long)number);
  return BUDDY_U8;
}

buddy_dtype bd_types_dtype(bd_import *import, bd_json json) {
  const int64_t number = bd_json_int(&import->json, json);
  if (import->json.code) return BUDDY_DTYPE_NONE;
  const buddy_dtype dtype = bd_dtype_serialized(number);
  return dtype ? dtype : unknown_dtype(import, json, number);
}

/* ---- Ranges of symbols ---- */

/* A bound that is missing or null is none. */
static int64_t read_bound(bd_import *import, bd_json range, const char *key, int64_t none) {
  const bd_json bound = bd_json_find(range, key);
  if (!bd_json_is(bound)) return none;
  const int64_t number = bd_json_int_within(&import->json, bound);
  return number < BD_NO_LOWER_BOUND ? BD_NO_LOWER_BOUND : number;
}

buddy_code bd_types_read_ranges(bd_import *import, bd_json range_constraints) {
  bd_json_iterator all = bd_json_object(&import->json, range_constraints);
  for (bd_json range; bd_json_next(&all, &range);) {
    bd_range *found;
    HASH_FIND(hh, import->ranges, all.key, all.key_size, found);
    if (found) continue;
    bd_range *added = bd_arena_calloc(&import->arena, 1, sizeof *added);
    if (!added) return BUDDY_OUT_OF_MEMORY;
    added->name = all.key;
    added->min = read_bound(import, range, "min_val", BD_NO_LOWER_BOUND);
    added->max = read_bound(import, range, "max_val", INT64_MAX);
    bool hash_is_full = false;
    HASH_ADD_KEYPTR(hh, import->ranges, added->name, all.key_size, added);
    if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  }
  return import->json.code;
}

void bd_types_deinit(bd_import *import) {
  HASH_CLEAR(hh, import->ranges);
  HASH_CLEAR(hh, import->exprs);
  bd_computed_deinit(import);
}

bool bd_types_stated_range(bd_import *import, int64_t dim, int64_t *out_min, int64_t *out_max) {
  for (const bd_range *range = import->ranges; range; range = range->hh.next) {
    int64_t stated;
    const buddy_sv text = {range->name, strlen(range->name)};
    if (buddy_graph_dim_parse(import->graph, text, NULL, &stated) || stated != dim) continue;
    *out_min = range->min;
    *out_max = range->max;
    return true;
  }
  return false;
}

/* ---- Dims ---- */

static buddy_code add_symbol(const bd_import *import, buddy_graph *graph, const char *name,
                             size_t size, bool is_positive) {
  char text[72];
  if (size == 0 || size >= sizeof text) return BUDDY_UNSUPPORTED;
  memcpy(text, name, size);
  text[size] = 0;
  const bd_range *range;
  HASH_FIND(hh, import->ranges, name, size, range);
  const int64_t stated = range ? range->min : BD_NO_LOWER_BOUND;
  const int64_t max = range ? range->max : INT64_MAX;
  /* 2 is what torch.export states of every size, as it specialises 0 and 1; its own check of inputs
   * passes over it, and models are run at size 1. */
  const int64_t min = is_positive && stated <= 2 ? 0 : stated;
  int64_t dim;
  BD_TRY(buddy_graph_add_symbol(graph, text, min, max, &dim));
  bd_graph_state_range(graph, dim, stated, max);
  return BUDDY_OK;
}

/* Adds the symbols of "… Symbol('s0', positive=True, integer=True) …" with the ranges that the
 * program states. One that stands for a float, "Symbol('zuf0')", is no size. */
static buddy_code add_symbols(const bd_import *import, buddy_graph *graph, const char *text) {
  static const char opening[] = "Symbol('";
  for (const char *at = text; (at = strstr(at, opening));) {
    at += sizeof opening - 1;
    const char *quote = strchr(at, '\'');
    if (!quote) return BUDDY_UNSUPPORTED;
    const char *end = strchr(quote, ')');
    if (!end) return BUDDY_UNSUPPORTED;
    const char *positive = strstr(quote, "positive=True"), *integer = strstr(quote, "integer=True");
    if (!integer || integer > end) return BUDDY_UNSUPPORTED;
    BD_TRY(add_symbol(import, graph, at, (size_t)(quote - at), positive && positive < end));
    at = end;
  }
  return BUDDY_OK;
}

buddy_code bd_types_parse_size(const bd_import *import, buddy_graph *graph, const char *text,
                               int64_t *out_dim) {
  BD_TRY(add_symbols(import, graph, text));
  return buddy_graph_dim_parse(graph, (buddy_sv){text, strlen(text)}, NULL, out_dim);
}

static buddy_code parse_expr(bd_import *import, bd_expr *expr) {
  const buddy_code code = bd_types_parse_size(import, import->graph, expr->text, &expr->dim);
  return code && code != BUDDY_OUT_OF_MEMORY ? bd_computed_dim(import, expr->text, &expr->dim)
                                             : code;
}

/* The expression's entry, parsed at its first use. */
static buddy_code find_expr(bd_import *import, bd_json sym_expr, bd_expr **out_expr) {
  const char *text = bd_json_name(&import->json, bd_json_get(&import->json, sym_expr, "expr_str"));
  BD_TRY(import->json.code);
  HASH_FIND(hh, import->exprs, text, strlen(text), *out_expr);
  if (*out_expr) return BUDDY_OK;
  bd_expr *added = bd_arena_calloc(&import->arena, 1, sizeof *added);
  if (!added) return BUDDY_OUT_OF_MEMORY;
  added->text = text;
  added->code = parse_expr(import, added);
  if (added->code == BUDDY_OUT_OF_MEMORY) return added->code;
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, import->exprs, added->text, strlen(text), added);
  *out_expr = added;
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code number_dim(bd_import *import, bd_json value, int64_t *out_dim) {
  *out_dim = bd_json_int(&import->json, value);
  if (BUDDY_IS_SYMBOLIC(*out_dim)) bd_json_wrong(&import->json, value, "is too low for a size");
  return import->json.code;
}

static buddy_code read_dim(bd_import *import, bd_json sym_int, int64_t *out_dim,
                           bd_expr **out_expr) {
  *out_dim = 0;
  *out_expr = NULL;
  bd_json value;
  const char *kind = bd_json_union(&import->json, sym_int, &value);
  BD_TRY(import->json.code);
  if (!strcmp(kind, "as_int")) return number_dim(import, value, out_dim);
  if (strcmp(kind, "as_expr")) {
    bd_json_wrong(&import->json, sym_int, "should be as_int or as_expr");
    return import->json.code;
  }
  BD_TRY(find_expr(import, value, out_expr));
  *out_dim = (*out_expr)->dim;
  return BUDDY_OK;
}

buddy_code bd_types_try_dim(bd_import *import, bd_json sym_int, int64_t *out_dim) {
  bd_expr *expr;
  BD_TRY(read_dim(import, sym_int, out_dim, &expr));
  return expr && expr->code ? BUDDY_UNSUPPORTED : BUDDY_OK;
}

buddy_code bd_types_dim(bd_import *import, bd_json sym_int, int64_t *out_dim) {
  bd_expr *expr;
  BD_TRY(read_dim(import, sym_int, out_dim, &expr));
  if (!expr || !expr->code) return BUDDY_OK;
  char path[256];
  bd_json_path(sym_int, path, sizeof path);
  bd_import_problem(
      import, BUDDY_UNSUPPORTED, NULL,
      "export with fewer dynamic dims, or with sizes that are sums, products and floor divisions",
      "%s: the size %.200s is beyond buddy's arithmetic on sizes", path, expr->text);
  if (!BUDDY_IS_SYMBOLIC(expr->dim)) { /* any size, so that no type contradicts it */
    char name[64];
    snprintf(name, sizeof name, "unknown_%zu", buddy_graph_n_symbols(import->graph));
    BD_TRY(buddy_graph_add_symbol(import->graph, name, 0, INT64_MAX, &expr->dim));
  }
  *out_dim = expr->dim;
  return BUDDY_OK;
}

buddy_code bd_types_symbol(const bd_import *import, int64_t dim, size_t *out_i) {
  *out_i = 0;
  if (!BUDDY_IS_SYMBOLIC(dim)) return BUDDY_NOT_FOUND;
  if (buddy_graph_dim_kind(import->graph, dim) != BUDDY_DIM_KIND_SYMBOL) return BUDDY_NOT_FOUND;
  *out_i = buddy_graph_dim_symbol(import->graph, dim);
  return BUDDY_OK;
}

/* ---- Tensor types ---- */

static buddy_code read_dims(bd_import *import, bd_json list, int64_t *dims, uint32_t *out_n) {
  *out_n = 0;
  if (bd_json_count(list) > BD_MAX_TENSOR_RANK) {
    bd_json_wrong(&import->json, list, "has more than 64 dims");
    return import->json.code;
  }
  bd_json_iterator all = bd_json_array(&import->json, list);
  for (bd_json dim; bd_json_next(&all, &dim);) BD_TRY(bd_types_dim(import, dim, &dims[(*out_n)++]));
  return import->json.code;
}

static buddy_code check_layout(bd_import *import, bd_json meta) {
  static const int64_t strided = 7;
  const bd_json layout = bd_json_get(&import->json, meta, "layout");
  if (bd_json_int(&import->json, layout) != strided && !import->json.code) {
    char path[256];
    bd_json_path(meta, path, sizeof path);
    bd_import_problem(import, BUDDY_UNSUPPORTED, NULL, "convert the tensor with to_dense()",
                      "%s is a tensor whose layout is sparse or MKL-DNN's", path);
  }
  return import->json.code;
}

static buddy_code check_sizes(bd_import *import, bd_json meta, const buddy_tensor_type *type) {
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (type->dims[i] >= 0 || BUDDY_IS_SYMBOLIC(type->dims[i])) continue;
    bd_json_wrong(&import->json, meta, "has a size below zero");
    return import->json.code;
  }
  return BUDDY_OK;
}

/* Rows broadcast the number 1, and no symbol: a size that a guard says is 1 is that number. */
static buddy_code apply_guards(buddy_graph *graph, const buddy_tensor_type *type, int64_t *dims) {
  for (uint32_t i = 0; i < type->rank && bd_graph_n_guards(graph) > 0; ++i) {
    int64_t is_one;
    if (!BUDDY_IS_SYMBOLIC(dims[i])) continue;
    const buddy_code code = bd_predicate_compare(graph, BD_EQ, dims[i], 1, &is_one);
    if (code == BUDDY_OUT_OF_MEMORY) return code;
    if (!code && bd_graph_has_guard(graph, is_one)) dims[i] = 1;
  }
  return BUDDY_OK;
}

/* Programs exported on another device run on the CPU all the same; the user is told once. */
static void note_device(bd_import *import, bd_json meta) {
  const bd_json device = bd_json_find(meta, "device");
  const buddy_sv type = bd_json_string(&import->json, bd_json_get(&import->json, device, "type"));
  if (import->json.code || import->is_foreign_device ||
      (type.size == 3 && !memcmp(type.data, "cpu", 3))) {
    return;
  }
  import->is_foreign_device = true;
  buddy_diags_add(
      import->diags, BUDDY_NOTE, BUDDY_OK, bd_archive_where(import->archive), NULL,
      "the program was exported for the device '%.40s'; buddy decides itself where it runs",
      type.data);
}

buddy_code bd_types_tensor(bd_import *import, bd_json meta, int64_t *dims, int64_t *strides,
                           int64_t *out_offset, buddy_tensor_type *out_type) {
  *out_type = (buddy_tensor_type){.dims = dims};
  out_type->dtype = bd_types_dtype(import, bd_json_get(&import->json, meta, "dtype"));
  BD_TRY(read_dims(import, bd_json_get(&import->json, meta, "sizes"), dims, &out_type->rank));
  BD_TRY(check_sizes(import, meta, out_type));
  BD_TRY(apply_guards(import->graph, out_type, dims));
  BD_TRY(check_layout(import, meta));
  note_device(import, meta);
  if (!strides) return import->json.code;
  uint32_t n_strides;
  BD_TRY(read_dims(import, bd_json_get(&import->json, meta, "strides"), strides, &n_strides));
  if (n_strides != out_type->rank)
    bd_json_wrong(&import->json, meta, "has not as many strides as sizes");
  BD_TRY(import->json.code);
  return bd_types_dim(import, bd_json_get(&import->json, meta, "storage_offset"), out_offset);
}
