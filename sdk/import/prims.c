// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/prims.c: the ops of prims, said in ATen's words.
 *
 * Decompositions of PyTorch end in prims, a second set of ops with the meaning of the first: most
 * have the name and the arguments of an op of ATen, others another name for it, a few leave out
 * what ATen takes as an argument. A line of the table says the op of ATen and where its arguments
 * come from:
 *
 *   "aten.amax.default self=inp dim=dims"
 *
 *   name=word   word is an argument of the op of prims, or
 *   @size       the dims of its result
 *   @dtype      the dtype of its result
 *   7, true     a number, a truth value
 *
 * An op that is not in the table is the one of ATen with its name and its arguments. This comes
 * before writes and views are followed, so that only those of ATen need to be known there. */
#include "sdk/import/prims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/symbols/opdef.h"
#include "sdk/import/build.h"
#include "sdk/import/tables.h"
#include "sdk/import/views.h"

enum { MAX_ARGS = 16, MAX_RESULTS = 8 };

typedef struct rewriting {
  buddy_node *node;
  bd_build at;
  const buddy_value *made[MAX_RESULTS]; /* what stands for the results; null: nothing yet */
} rewriting;

typedef buddy_code (*rewrite_function)(rewriting *in);

static const buddy_tensor_type *result_type(const rewriting *in) {
  return buddy_value_type(buddy_node_result(in->node, 0));
}

static const buddy_arg *given(const rewriting *in, const char *name) {
  return buddy_node_arg_find(in->node, name);
}

/* ---- One node for another ---- */

static buddy_code build(rewriting *in, const char *op, const buddy_named_arg *args, size_t n_args) {
  const size_t n = buddy_node_n_results(in->node);
  buddy_tensor_type types[MAX_RESULTS];
  buddy_node *made;
  for (size_t i = 0; i < n; ++i) types[i] = *buddy_value_type(buddy_node_result(in->node, i));
  BD_TRY(bd_build_node(&in->at, op, args, n_args, types, n, &made));
  for (size_t i = 0; i < n; ++i) in->made[i] = buddy_node_result(made, i);
  return BUDDY_OK;
}

/* The value of a word of the table; BUDDY_ARG_NONE for what the op does not have. */
static buddy_arg read_word(const rewriting *in, const char *word) {
  if (!strcmp(word, "@size")) return bd_size_arg(result_type(in));
  if (!strcmp(word, "@dtype")) return bd_dtype_arg(result_type(in)->dtype);
  if (!strcmp(word, "true")) return (buddy_arg){.kind = BUDDY_ARG_BOOL, .as.i = 1};
  if (*word >= '0' && *word <= '9') return bd_int_arg(strtoll(word, NULL, 10));
  const buddy_arg *arg = given(in, word);
  return arg ? *arg : (buddy_arg){.kind = BUDDY_ARG_NONE};
}

static buddy_code build_line(rewriting *in, const char *line) {
  char text[256];
  buddy_named_arg args[MAX_ARGS];
  size_t n = 0;
  char *rest = NULL;
  if (snprintf(text, sizeof text, "%s", line) >= (int)sizeof text) return BUDDY_INTERNAL;
  const char *op = strtok_r(text, " ", &rest);
  for (char *name; (name = strtok_r(NULL, " ", &rest)) && n < MAX_ARGS;) {
    char *word = strchr(name, '=');
    if (!word) return BUDDY_INTERNAL;
    *word++ = 0;
    const buddy_arg arg = read_word(in, word);
    if (arg.kind != BUDDY_ARG_NONE) args[n++] = (buddy_named_arg){name, arg};
  }
  return build(in, op, args, n);
}

/* ---- Of the same name ---- */

/* Whether every argument of prims' op has one of its name and sort in ATen's. */
static bool takes_all_of(const buddy_opdef *aten, const buddy_opdef *prims) {
  for (size_t i = 0; i < buddy_opdef_n_args(prims); ++i) {
    const buddy_schema_arg *arg = buddy_opdef_arg(prims, i);
    size_t place;
    if (buddy_opdef_arg_find(aten, (buddy_sv){arg->name, strlen(arg->name)}, &place)) return false;
    if (buddy_opdef_arg(aten, place)->type != arg->type) return false;
  }
  return true;
}

static buddy_code build_namesake(rewriting *in) {
  static const char *const overloads[] = {"default", "Tensor"};
  const buddy_opdef *prims = buddy_node_opdef(in->node);
  const char *base = buddy_opdef_name(prims) + strlen("prims.");
  char op[96];
  for (size_t i = 0; i < sizeof overloads / sizeof *overloads; ++i) {
    snprintf(op, sizeof op, "aten.%.*s.%s", (int)strcspn(base, "."), base, overloads[i]);
    const buddy_opdef *aten;
    BD_TRY(bd_opset_look_up(buddy_graph_opset(in->at.graph), op, &aten));
    if (!aten || !takes_all_of(aten, prims)) continue;
    buddy_named_arg args[MAX_ARGS];
    const size_t n = buddy_opdef_n_args(prims);
    if (n > MAX_ARGS) return BUDDY_OK;
    for (size_t k = 0; k < n; ++k)
      args[k] = (buddy_named_arg){buddy_opdef_arg(prims, k)->name, *buddy_node_arg(in->node, k)};
    return build(in, op, args, n);
  }
  return BUDDY_OK;
}

/* ---- Of more than one node ---- */

/* Dim d of `a` becomes dim broadcast_dimensions[d] of the result, the others repeat. */
static buddy_code broadcast_in_dim(rewriting *in) {
  const buddy_arg *a = given(in, "a"), *places = given(in, "broadcast_dimensions");
  if (a->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_tensor_type *to = result_type(in), *from = buddy_value_type(a->as.tensor);
  int64_t dims[BD_VIEW_MAX_RANK];
  if (places->n != from->rank || to->rank > BD_VIEW_MAX_RANK) return BUDDY_OK;
  for (uint32_t i = 0; i < to->rank; ++i) dims[i] = 1;
  for (size_t i = 0; i < places->n; ++i) {
    if (places->as.ints[i] < 0 || places->as.ints[i] >= to->rank) return BUDDY_OK;
    dims[places->as.ints[i]] = from->dims[i];
  }
  const buddy_tensor_type apart = {.dtype = from->dtype, .rank = to->rank, .dims = dims};
  const buddy_value *view;
  BD_TRY(bd_build_view(&in->at, a->as.tensor, &apart, &view));
  const buddy_named_arg wide[] = {{"self", bd_tensor_arg(view)}, {"size", bd_size_arg(to)}};
  return build(in, "aten.expand.default", wide, 2);
}

/* Quotients of integers are cut. */
static buddy_code divide(rewriting *in) {
  const bool is_whole = (BUDDY_DTYPE_BIT(result_type(in)->dtype) & (BUDDY_INTS | BUDDY_BOOLS)) != 0;
  const buddy_arg mode = {.kind = BUDDY_ARG_STRING, .n = 5, .as.string = "trunc"};
  const buddy_named_arg args[] = {
      {"self", *given(in, "self")}, {"other", *given(in, "other")}, {"rounding_mode", mode}};
  return build(in, is_whole ? "aten.div.Tensor_mode" : "aten.div.Tensor", args, is_whole ? 3 : 2);
}

static int compare_ints(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The product over one dim of `value`, which goes. */
static buddy_code multiply_dim(rewriting *in, int64_t dim, const buddy_value **value) {
  const buddy_tensor_type *from = buddy_value_type(*value);
  int64_t dims[BD_VIEW_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t i = 0; i < from->rank; ++i) {
    if ((int64_t)i != dim) dims[rank++] = from->dims[i];
  }
  const buddy_tensor_type type = {.dtype = result_type(in)->dtype, .rank = rank, .dims = dims};
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(*value)},
                                  {"dim", bd_int_arg(dim)},
                                  {"dtype", bd_dtype_arg(type.dtype)}};
  return bd_build_value(&in->at, "aten.prod.dim_int", args, 3, &type, value);
}

/* ATen multiplies over one dim at a time, or over all. */
static buddy_code multiply_over(rewriting *in) {
  const buddy_arg *dims = given(in, "dims"), *inp = given(in, "inp");
  if (inp->kind != BUDDY_ARG_TENSOR) return BUDDY_OK;
  const buddy_value *value = inp->as.tensor;
  const uint32_t rank = buddy_value_type(value)->rank;
  int64_t order[BD_VIEW_MAX_RANK];
  if (dims->kind != BUDDY_ARG_INTS || dims->n == 0)
    return build_line(in, "aten.prod.default self=inp dtype=@dtype");
  if (rank > BD_VIEW_MAX_RANK || dims->n > rank) return BUDDY_OK;
  for (size_t i = 0; i < dims->n; ++i)
    order[i] = dims->as.ints[i] < 0 ? dims->as.ints[i] + rank : dims->as.ints[i];
  qsort(order, dims->n, sizeof *order, compare_ints);
  for (size_t i = dims->n; i-- > 0;) BD_TRY(multiply_dim(in, order[i], &value));
  in->made[0] = value;
  return BUDDY_OK;
}

/* Whether the sign is set; prims says it in the dtype of the operand, ATen as a truth value. */
static buddy_code tell_sign(rewriting *in) {
  const buddy_named_arg args[] = {{"self", *given(in, "self")}};
  const buddy_value *sign;
  BD_TRY(bd_build_value(&in->at, "aten.signbit.default", args, 1, NULL, &sign));
  return bd_build_cast(&in->at, sign, result_type(in)->dtype, &in->made[0]);
}

static buddy_code draw_uniform(rewriting *in) {
  const buddy_tensor_type *type = result_type(in);
  const buddy_named_arg size[] = {{"size", bd_size_arg(type)},
                                  {"dtype", bd_dtype_arg(type->dtype)}};
  const buddy_value *self;
  BD_TRY(bd_build_value(&in->at, "aten.zeros.default", size, 2, type, &self));
  const buddy_named_arg args[] = {
      {"self", bd_tensor_arg(self)}, {"from", *given(in, "low")}, {"to", *given(in, "high")}};
  return build(in, "aten.uniform.default", args, 3);
}

/* Inductor's numbers, whose seed is drawn like any other. */
static buddy_code draw_by_mode(rewriting *in) {
  const buddy_arg *mode = given(in, "mode");
  const bool is_normal =
      mode->kind == BUDDY_ARG_STRING && mode->n == 5 && !memcmp(mode->as.string, "randn", 5);
  return build_line(in, is_normal ? "aten.randn.default size=@size dtype=@dtype"
                                  : "aten.rand.default size=@size dtype=@dtype");
}

/* ---- The table ---- */

typedef struct prims_op {
  const char *op; /* without namespace and overload */
  const char *line;
  rewrite_function rewrite; /* if there is no line */
} prims_op;

#define SEED "aten.randint.default high=9223372036854775807 size=@size dtype=@dtype"
#define STRIDED "size=size stride=stride storage_offset=storage_offset"

/* Sorted by op. */
static const prims_op ops[] = {
    {"_unsafe_index_put_",
     "aten.index_put_.default self=self indices=indices values=values accumulate=accumulate", NULL},
    {"amax", "aten.amax.default self=inp dim=dims", NULL},
    {"amin", "aten.amin.default self=inp dim=dims", NULL},
    {"as_strided", "aten.as_strided.default self=a " STRIDED, NULL},
    {"bessel_i0", "aten.i0.default self=self", NULL},
    {"bessel_i0e", "aten.special_i0e.default self=self", NULL},
    {"bessel_i1", "aten.special_i1.default self=self", NULL},
    {"bessel_i1e", "aten.special_i1e.default self=self", NULL},
    {"bessel_j0", "aten.special_bessel_j0.default self=self", NULL},
    {"bessel_j1", "aten.special_bessel_j1.default self=self", NULL},
    {"broadcast_in_dim", NULL, broadcast_in_dim},
    {"collapse", "aten.view_copy.default self=a size=@size", NULL},
    {"collapse_view", "aten.view.default self=a size=@size", NULL},
    {"conj", "aten._conj.default self=a", NULL},
    {"convert_element_type", "aten._to_copy.default self=a dtype=dtype", NULL},
    {"copy_strided", "aten.clone.default self=a", NULL},
    {"copy_to", "aten.copy_.default self=a src=b", NULL},
    {"device_put", "aten.clone.default self=a", NULL},
    {"div", NULL, divide},
    {"empty", "aten.empty.memory_format size=@size dtype=@dtype", NULL},
    {"empty_permuted", "aten.empty.memory_format size=@size dtype=@dtype", NULL},
    {"empty_strided", "aten.empty.memory_format size=@size dtype=@dtype", NULL},
    {"erf_inv", "aten.erfinv.default self=self", NULL},
    {"erfcx", "aten.special_erfcx.default self=self", NULL},
    {"fft_c2c", "aten._fft_c2c.default self=self dim=dim normalization=0 forward=forward", NULL},
    {"fft_c2r",
     "aten._fft_c2r.default self=self dim=dim normalization=0 last_dim_size=last_dim_size", NULL},
    {"fft_r2c", "aten._fft_r2c.default self=self dim=dim normalization=0 onesided=onesided", NULL},
    {"fill", "aten.fill.Scalar self=self value=value", NULL},
    {"full", "aten.full.default size=@size fill_value=fill_value dtype=@dtype", NULL},
    {"full_like", "aten.full.default size=@size fill_value=fill_value dtype=@dtype", NULL},
    {"inductor_force_stride_order", "aten.clone.default self=input", NULL},
    {"inductor_lookup_seed", "aten.select_copy.int self=seeds dim=0 index=index", NULL},
    {"inductor_randint", "aten.randint.low low=low high=high size=@size dtype=@dtype", NULL},
    {"inductor_random", NULL, draw_by_mode},
    {"inductor_seed", SEED, NULL},
    {"inductor_seeds", SEED, NULL},
    {"item", "aten.item.default self=a", NULL},
    {"ndtri", "aten.special_ndtri.default self=self", NULL},
    {"normal", "aten.normal.float_float mean=mean std=std size=@size dtype=@dtype", NULL},
    {"pow", "aten.pow.Tensor_Tensor self=self exponent=other", NULL},
    {"prod", NULL, multiply_over},
    {"reshape", "aten.view_copy.default self=a size=@size", NULL},
    {"resize", "aten.resize_.default self=a size=shape", NULL},
    {"rev", "aten.flip.default self=a dims=dims", NULL},
    {"shift_left", "aten.bitwise_left_shift.Tensor self=self other=other", NULL},
    {"shift_right_arithmetic", "aten.bitwise_right_shift.Tensor self=self other=other", NULL},
    {"signbit", NULL, tell_sign},
    {"spherical_bessel_j0", "aten.special_spherical_bessel_j0.default x=self", NULL},
    {"split_dim", "aten.view.default self=a size=@size", NULL},
    {"squeeze", "aten.view.default self=a size=@size", NULL},
    {"sum", "aten.sum.dim_IntList self=inp dim=dims dtype=@dtype", NULL},
    {"svd", "aten._linalg_svd.default A=A full_matrices=full_matrices compute_uv=true", NULL},
    {"transpose", "aten.permute.default self=a dims=permutation", NULL},
    {"uniform", NULL, draw_uniform},
    {"var", "aten.var.correction self=inp dim=dims correction=correction", NULL},
    {"view_of", "aten.alias.default self=a", NULL},
    {"view_of_dtype", "aten.view.dtype self=a dtype=dtype", NULL},
    {"where", "aten.where.self condition=pred self=a other=b", NULL},
    {"zeta", "aten.special_zeta.default self=self other=other", NULL},
};

static const prims_op *find_op(const char *op) {
  char base[64];
  const size_t n = strcspn(op, ".");
  if (n >= sizeof base) return NULL;
  memcpy(base, op, n);
  base[n] = 0;
  return BD_ROW_OF(base, ops);
}

/* ---- The nodes ---- */

buddy_code bd_prims_rewrite(buddy_node *node, bd_layouts *layouts, buddy_diags *diags,
                            bool *out_is_gone) {
  *out_is_gone = false;
  const char *op = buddy_node_op(node);
  const size_t n = buddy_node_n_results(node);
  if (strncmp(op, "prims.", 6) != 0 || !buddy_node_opdef(node) || n == 0 || n > MAX_RESULTS)
    return BUDDY_OK;
  rewriting in = {.node = node,
                  .at = {.graph = buddy_node_graph(node), .before = node, .diags = diags}};
  const prims_op *found = find_op(op + 6);
  if (!found) {
    BD_TRY(build_namesake(&in));
  } else {
    BD_TRY(found->line ? build_line(&in, found->line) : found->rewrite(&in));
  }
  if (!in.made[0]) return BUDDY_OK;
  for (size_t i = 0; i < n; ++i) {
    const buddy_value *result = buddy_node_result(node, i);
    BD_TRY(bd_layouts_replace(layouts, buddy_node_graph(node), result, in.made[i]));
  }
  *out_is_gone = true;
  return bd_build_erase(node, diags);
}
