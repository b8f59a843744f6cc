// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/lists.c: ops on lists of tensors, said as one op an element.
 *
 *   _foreach_add.List([a, b], [c, d], alpha=2)   add.Tensor(a, c, alpha=2), add.Tensor(b, d, alpha=2)
 *   _foreach_mul_.Scalar([a, b], 3.0)            mul_.Scalar(a, 3.0), mul_.Scalar(b, 3.0)
 *
 * That is how PyTorch computes them on a CPU, element by element in order, so that a tensor that is
 * written may stand in two places. The op is the one of the same name; its overload is the first one
 * whose arguments may hold what the list's element gives. This comes before writes are followed. A grid of
 * lists is views of its tensors, too. */
#include "sdk/import/lists.h"

#include <stdio.h>
#include <string.h>

#include "core/symbols/opdef.h"
#include "sdk/import/build.h"

enum { MAX_ARGS = 8, MAX_GRID = 16 };

static const char prefix[] = "aten._foreach_";

/* ---- Names ---- */

/* Where the op of one element has another name. */
static const struct {
  const char *of_list, *of_one;
} renamed[] = {
    {"maximum", "clamp_min"}, /* which has overloads for numbers, and writes */
    {"minimum", "clamp_max"},
    {"norm", "linalg_vector_norm"},
    {"powsum", "linalg__powsum"},
};

/* "add" of "aten._foreach_add_.List"; whether its last letter said that it writes. */
static bool read_name(const char *op, char *base, size_t size, bool *out_writes) {
  const char *name = op + sizeof prefix - 1;
  size_t n = strcspn(name, ".");
  *out_writes = n > 0 && name[n - 1] == '_';
  if (*out_writes) --n;
  if (n == 0 || n >= size) return false;
  memcpy(base, name, n);
  base[n] = 0;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; ++i) {
    if (!strcmp(base, renamed[i].of_list)) snprintf(base, size, "%s", renamed[i].of_one);
  }
  return true;
}

/* ---- Elements ---- */

/* What element i of the lists has of an argument. */
static buddy_arg element(const buddy_arg *arg, size_t i) {
  switch (arg->kind) {
    case BUDDY_ARG_TENSORS:
      return bd_tensor_arg(arg->as.tensors[i]);
    case BUDDY_ARG_INTS:
      return bd_int_arg(arg->as.ints[i]);
    case BUDDY_ARG_BOOLS:
      return (buddy_arg){.kind = BUDDY_ARG_BOOL, .as.i = arg->as.ints[i]};
    case BUDDY_ARG_FLOATS:
      return (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = arg->as.floats[i]};
    default:
      return *arg;
  }
}

static bool is_list(const buddy_arg *arg) {
  return arg->kind == BUDDY_ARG_TENSORS || arg->kind == BUDDY_ARG_INTS ||
         arg->kind == BUDDY_ARG_BOOLS || arg->kind == BUDDY_ARG_FLOATS;
}

static bool has_gap(const buddy_arg *arg) {
  for (size_t i = 0; arg->kind == BUDDY_ARG_TENSORS && i < arg->n; ++i) {
    if (!arg->as.tensors[i]) return true;
  }
  return false;
}

/* How long the lists are; false where they contradict one another or there is none. */
static bool length(const buddy_node *node, size_t *out_n) {
  bool has_list = false;
  for (size_t k = 0; k < buddy_node_n_args(node); ++k) {
    const buddy_arg *arg = buddy_node_arg(node, k);
    if (!is_list(arg)) continue;
    if ((has_list && arg->n != *out_n) || has_gap(arg)) return false;
    has_list = true;
    *out_n = arg->n;
  }
  const size_t n_results = buddy_node_n_results(node);
  return has_list && (n_results == 0 || n_results == *out_n);
}

/* ---- The op of one element ---- */

/* is_alias: the overload for numbers is another's, whose tensors may be numbers. */
static bool holds(const buddy_schema_arg *to, const buddy_arg *arg, bool is_alias) {
  const bool is_number = arg->kind == BUDDY_ARG_INT || arg->kind == BUDDY_ARG_FLOAT ||
                         arg->kind == BUDDY_ARG_BOOL || arg->kind == BUDDY_ARG_COMPLEX;
  if (arg->kind == BUDDY_ARG_TENSOR) return to->type == BUDDY_SCHEMA_TENSOR && !to->is_list;
  if (is_number && to->type == BUDDY_SCHEMA_TENSOR) return is_alias;
  return is_number || to->type != BUDDY_SCHEMA_SCALAR;
}

static bool has_out(const buddy_opdef *def) {
  size_t place;
  return buddy_opdef_arg_find(def, (buddy_sv){"out", 3}, &place) == BUDDY_OK;
}

/* The arguments of one element in the words of `def`: by their names, else by their places; false if
 * they do not fit. */
static bool fit(const buddy_node *node, const buddy_opdef *def, bool is_alias, size_t i,
                buddy_named_arg *args, size_t *out_n) {
  const buddy_opdef *own = buddy_node_opdef(node);
  const size_t n_places = buddy_opdef_n_args(def);
  bool is_given[MAX_ARGS] = {false};
  if (n_places > MAX_ARGS) return false;
  *out_n = 0;
  for (size_t k = 0; k < buddy_node_n_args(node); ++k) {
    const buddy_arg arg = element(buddy_node_arg(node, k), i);
    const char *name = buddy_opdef_arg(own, k)->name;
    size_t place;
    if (buddy_opdef_arg_find(def, (buddy_sv){name, strlen(name)}, &place)) place = k;
    if (arg.kind == BUDDY_ARG_NONE || (!has_out(def) && !strcmp(name, "out"))) continue;
    if (place >= n_places || is_given[place]) return false;
    const buddy_schema_arg *to = buddy_opdef_arg(def, place);
    if (!holds(to, &arg, is_alias)) return false;
    is_given[place] = true;
    args[(*out_n)++] = (buddy_named_arg){to->name, arg};
  }
  for (size_t k = 0; k < n_places; ++k) {
    const buddy_schema_arg *to = buddy_opdef_arg(def, k);
    if (!is_given[k] && !to->has_default && !to->is_optional) return false;
  }
  return true;
}

static const char *const overloads[] = {
    "default",   "Tensor",     "Scalar",     "Tensor_Scalar",     "Tensor_Tensor",    "out",
    "unary_out", "Tensor_out", "Scalar_out", "Tensor_Scalar_out", "Tensor_Tensor_out"};

static bool fits_all(const buddy_node *node, const buddy_opdef *def, bool is_alias, size_t n) {
  buddy_named_arg args[MAX_ARGS];
  size_t n_args, i = 0;
  while (i < n && fit(node, def, is_alias, i, args, &n_args)) ++i;
  return i == n;
}

static buddy_code find_op(const buddy_node *node, const char *base, bool writes, size_t n,
                          bool into_out, bool *out_is_alias, const buddy_opdef **out_def) {
  const buddy_opset *opset = buddy_graph_opset(buddy_node_graph(node));
  char op[96];
  for (size_t i = 0; i < sizeof overloads / sizeof *overloads; ++i) {
    snprintf(op, sizeof op, "aten.%s%s.%s", base, writes ? "_" : "", overloads[i]);
    const buddy_opdef *def;
    BD_TRY(bd_opset_look_up(opset, op, &def));
    if (!def || has_out(def) != into_out) continue;
    *out_is_alias = strcmp(buddy_opdef_name(def), op) != 0;
    if (!fits_all(node, def, *out_is_alias, n)) continue;
    *out_def = def;
    return BUDDY_OK;
  }
  return BUDDY_OK;
}

/* The type of what element i computes: the result's, or that of the tensor it is written into. */
static const buddy_tensor_type *type_of(const buddy_node *node, size_t i) {
  if (buddy_node_n_results(node)) return buddy_value_type(buddy_node_result(node, i));
  const buddy_arg *into = buddy_node_arg_find(node, "out");
  if (!into) into = buddy_node_arg(node, 0);
  return into->kind == BUDDY_ARG_TENSORS ? buddy_value_type(into->as.tensors[i]) : NULL;
}

/* ---- The nodes ---- */

/* Into element i of `out`, where the op of one element has no form that writes there. */
static buddy_code write(const bd_build *at, const buddy_arg *out, size_t i,
                        const buddy_value *value) {
  const buddy_named_arg args[] = {{"self", element(out, i)}, {"src", bd_tensor_arg(value)}};
  const buddy_tensor_type type = *buddy_value_type(out->as.tensors[i]);
  const buddy_value *copied;
  return bd_build_value(at, "aten.copy_.default", args, 2, &type, &copied);
}

/* ---- Grids ---- */

/* Tensor i of a grid along its own dim: of "xy", the first two change places. */
static buddy_code stand_up(const bd_build *at, const buddy_value *value, size_t i, size_t n,
                           bool is_xy, const buddy_value **out_value) {
  int64_t sizes[MAX_GRID];
  const buddy_tensor_type *from = buddy_value_type(value);
  const size_t axis = is_xy && i < 2 && n > 1 ? 1 - i : i;
  for (size_t d = 0; d < n; ++d) sizes[d] = d == axis && from->rank ? from->dims[0] : 1;
  const buddy_tensor_type to = {.dtype = from->dtype, .rank = (uint32_t)n, .dims = sizes};
  return bd_build_view(at, value, &to, out_value);
}

/* meshgrid([a, b]) is broadcast_tensors([a.view(-1, 1), b.view(1, -1)]): views, which may be written. */
static buddy_code rewrite_grid(buddy_node *node, bd_layouts *layouts, buddy_diags *diags,
                               bool *out_is_gone) {
  const buddy_arg *tensors = buddy_node_arg(node, 0),
                  *indexing = buddy_node_arg_find(node, "indexing");
  const bool is_xy =
      indexing && indexing->kind == BUDDY_ARG_STRING && !strcmp(indexing->as.string, "xy");
  const buddy_value *standing[MAX_GRID];
  buddy_tensor_type types[MAX_GRID];
  const size_t n = tensors->n;
  if (tensors->kind != BUDDY_ARG_TENSORS || n == 0 || n > MAX_GRID || has_gap(tensors) ||
      n != buddy_node_n_results(node))
    return BUDDY_OK;
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  for (size_t i = 0; i < n; ++i) {
    if (buddy_value_type(tensors->as.tensors[i])->rank > 1) return BUDDY_OK;
    types[i] = *buddy_value_type(buddy_node_result(node, i));
  }
  for (size_t i = 0; i < n; ++i)
    BD_TRY(stand_up(&at, tensors->as.tensors[i], i, n, is_xy, &standing[i]));
  const buddy_named_arg args[] = {
      {"tensors", {.kind = BUDDY_ARG_TENSORS, .as.tensors = standing, .n = n}}};
  buddy_node *grid;
  BD_TRY(bd_build_node(&at, "aten.broadcast_tensors.default", args, 1, types, n, &grid));
  for (size_t i = 0; i < n; ++i)
    BD_TRY(bd_layouts_replace(layouts, buddy_node_graph(node), buddy_node_result(node, i),
                              buddy_node_result(grid, i)));
  *out_is_gone = true;
  return bd_build_erase(node, diags);
}

buddy_code bd_lists_rewrite(buddy_node *node, bd_layouts *layouts, buddy_diags *diags,
                            bool *out_is_gone) {
  *out_is_gone = false;
  char base[64];
  bool writes, is_alias;
  size_t n = 0, n_args;
  buddy_named_arg args[MAX_ARGS];
  const char *op = buddy_node_op(node);
  if (!strncmp(op, "aten.meshgrid.", 14)) return rewrite_grid(node, layouts, diags, out_is_gone);
  if (strncmp(op, prefix, sizeof prefix - 1) != 0 || !buddy_node_opdef(node)) return BUDDY_OK;
  if (!read_name(op, base, sizeof base, &writes) || !length(node, &n) || n == 0) return BUDDY_OK;
  const bool into_out = has_out(buddy_node_opdef(node));
  const buddy_opdef *one = NULL;
  BD_TRY(find_op(node, base, writes, n, into_out, &is_alias, &one));
  if (!one && into_out) BD_TRY(find_op(node, base, writes, n, false, &is_alias, &one));
  if (!one) return BUDDY_OK;
  const bd_build at = {.graph = buddy_node_graph(node), .before = node, .diags = diags};
  for (size_t i = 0; i < n; ++i) {
    const buddy_tensor_type *type = type_of(node, i);
    const buddy_value *made;
    if (!type || !fit(node, one, is_alias, i, args, &n_args)) return BUDDY_INTERNAL;
    const buddy_tensor_type copy = *type;
    BD_TRY(bd_build_value(&at, buddy_opdef_name(one), args, n_args, &copy, &made));
    if (into_out && !has_out(one)) BD_TRY(write(&at, buddy_node_arg_find(node, "out"), i, made));
    if (buddy_node_n_results(node))
      BD_TRY(bd_layouts_replace(layouts, buddy_node_graph(node), buddy_node_result(node, i), made));
  }
  *out_is_gone = true;
  return bd_build_erase(node, diags);
}
