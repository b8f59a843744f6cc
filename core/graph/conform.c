// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/conform.c: which kinds of arguments may stand where a schema names a type, and the one
 * form each takes. */
#include <string.h>

#include "core/graph/arguments.h"

#define BIT(kind) (1u << (uint32_t)(kind))

/* By buddy_schema_type: the name, the form of a single value, what else may stand for it, the form
 * of a list, and what else may stand for that. Numbers may always be computed: a 0-d tensor stands
 * for a number; a number stands for a tensor, as PyTorch's binary ops have it. */
static const struct {
  const char *name;
  buddy_arg_kind single;
  uint32_t singles;
  buddy_arg_kind list;
  uint32_t lists;
} forms[] = {
    [BUDDY_SCHEMA_TENSOR] = {"Tensor", BUDDY_ARG_TENSOR,
                             BIT(BUDDY_ARG_INT) | BIT(BUDDY_ARG_FLOAT) | BIT(BUDDY_ARG_BOOL) |
                                 BIT(BUDDY_ARG_COMPLEX),
                             BUDDY_ARG_TENSORS, 0},
    [BUDDY_SCHEMA_INT] = {"int", BUDDY_ARG_INT, BIT(BUDDY_ARG_TENSOR), BUDDY_ARG_INTS,
                          BIT(BUDDY_ARG_TENSORS)},
    [BUDDY_SCHEMA_FLOAT] = {"float", BUDDY_ARG_FLOAT, BIT(BUDDY_ARG_TENSOR) | BIT(BUDDY_ARG_INT),
                            BUDDY_ARG_FLOATS, 0},
    [BUDDY_SCHEMA_BOOL] = {"bool", BUDDY_ARG_BOOL, BIT(BUDDY_ARG_TENSOR), BUDDY_ARG_BOOLS, 0},
    [BUDDY_SCHEMA_SCALAR] = {"Scalar", BUDDY_ARG_FLOAT,
                             BIT(BUDDY_ARG_INT) | BIT(BUDDY_ARG_BOOL) | BIT(BUDDY_ARG_COMPLEX) |
                                 BIT(BUDDY_ARG_TENSOR),
                             BUDDY_ARG_FLOATS,
                             BIT(BUDDY_ARG_INTS) | BIT(BUDDY_ARG_BOOLS) | BIT(BUDDY_ARG_TENSORS)},
    [BUDDY_SCHEMA_STRING] = {"str", BUDDY_ARG_STRING, 0, BUDDY_ARG_STRINGS, 0},
    [BUDDY_SCHEMA_DTYPE] = {"ScalarType", BUDDY_ARG_DTYPE, 0, BUDDY_ARG_INTS, 0},
    [BUDDY_SCHEMA_DEVICE] = {"Device", BUDDY_ARG_DEVICE, 0, BUDDY_ARG_STRINGS, 0},
    [BUDDY_SCHEMA_LAYOUT] = {"Layout", BUDDY_ARG_LAYOUT, 0, BUDDY_ARG_STRINGS, 0},
    [BUDDY_SCHEMA_MEMORY_FORMAT] = {"MemoryFormat", BUDDY_ARG_MEMORY_FORMAT, 0, BUDDY_ARG_STRINGS,
                                    0},
    [BUDDY_SCHEMA_GENERATOR] = {"Generator", BUDDY_ARG_NONE, 0, BUDDY_ARG_NONE, 0},
    [BUDDY_SCHEMA_COMPLEX] = {"complex", BUDDY_ARG_COMPLEX,
                              BIT(BUDDY_ARG_FLOAT) | BIT(BUDDY_ARG_INT), BUDDY_ARG_FLOATS, 0},
    [BUDDY_SCHEMA_GRAPH] = {"Graph", BUDDY_ARG_GRAPH, 0, BUDDY_ARG_NONE, 0},
    [BUDDY_SCHEMA_ANY] = {"Any", BUDDY_ARG_NONE, ~0u, BUDDY_ARG_NONE, ~0u},
};

#define LISTS                                                                                    \
  (BIT(BUDDY_ARG_TENSORS) | BIT(BUDDY_ARG_INTS) | BIT(BUDDY_ARG_FLOATS) | BIT(BUDDY_ARG_BOOLS) | \
   BIT(BUDDY_ARG_STRINGS))

void bd_schema_type_print(const buddy_schema_arg *schema, bd_text *text) {
  bd_text_string(text, forms[schema->type].name);
  if (schema->is_optional_element) bd_text_char(text, '?');
  if (schema->is_list && schema->list_size > 0) {
    bd_text_format(text, "[%d]", (int)schema->list_size);
  } else if (schema->is_list) {
    bd_text_string(text, "[]");
  }
  if (schema->is_optional) bd_text_char(text, '?');
}

static bool is_number(const buddy_arg *arg) {
  return arg->kind == BUDDY_ARG_INT && !BUDDY_IS_SYMBOLIC(arg->as.i);
}

/* A string stands for the kinds that are strings of their own. */
static bool retag_string(buddy_arg_kind wanted, buddy_arg *arg) {
  if (arg->kind != BUDDY_ARG_STRING) return false;
  if (wanted != BUDDY_ARG_DEVICE && wanted != BUDDY_ARG_LAYOUT && wanted != BUDDY_ARG_MEMORY_FORMAT)
    return false;
  arg->kind = wanted;
  return true;
}

static bool conform_single(const buddy_schema_arg *schema, bd_conformed *out) {
  buddy_arg *arg = &out->arg;
  const buddy_arg_kind wanted = forms[schema->type].single;
  if (wanted == BUDDY_ARG_FLOAT && schema->type == BUDDY_SCHEMA_FLOAT && is_number(arg)) {
    *arg = (buddy_arg){.kind = BUDDY_ARG_FLOAT, .as.f = (double)arg->as.i};
  }
  if (wanted == BUDDY_ARG_BOOL && is_number(arg) && (arg->as.i == 0 || arg->as.i == 1))
    arg->kind = BUDDY_ARG_BOOL;
  return arg->kind == wanted || (forms[schema->type].singles & BIT(arg->kind)) ||
         retag_string(wanted, arg);
}

/* One number for a list of a stated size means that number everywhere. */
static bool repeat(const buddy_schema_arg *schema, bd_conformed *out) {
  buddy_arg *arg = &out->arg;
  const size_t n = (size_t)(schema->list_size > 0 ? schema->list_size : 0);
  const buddy_arg_kind list = forms[schema->type].list;
  const bool is_int = arg->kind == BUDDY_ARG_INT && list == BUDDY_ARG_INTS;
  const bool is_bool = arg->kind == BUDDY_ARG_BOOL && list == BUDDY_ARG_BOOLS;
  const bool is_float = arg->kind == BUDDY_ARG_FLOAT && list == BUDDY_ARG_FLOATS;
  if (n == 0 || n > BD_MAX_RANK || !(is_int || is_bool || is_float)) return false;
  for (size_t i = 0; i < n; ++i) {
    if (is_float) {
      out->list.floats[i] = arg->as.f;
    } else {
      out->list.ints[i] = arg->as.i;
    }
  }
  *arg = (buddy_arg){.kind = list, .n = n, .as.ints = out->list.ints};
  if (is_float) arg->as.floats = out->list.floats;
  return true;
}

/* A short list of plain ints for a list of floats. */
static bool widen(bd_conformed *out) {
  const buddy_arg from = out->arg;
  if (from.kind != BUDDY_ARG_INTS || from.n > BD_MAX_RANK) return false;
  for (size_t i = 0; i < from.n; ++i) {
    if (BUDDY_IS_SYMBOLIC(from.as.ints[i])) return false;
    out->list.floats[i] = (double)from.as.ints[i];
  }
  out->arg = (buddy_arg){.kind = BUDDY_ARG_FLOATS, .n = from.n, .as.floats = out->list.floats};
  return true;
}

static bool has_null(const buddy_arg *arg) {
  for (size_t i = 0; i < arg->n; ++i) {
    if (!arg->as.tensors[i]) return true;
  }
  return false;
}

static bool conform_list(const buddy_schema_arg *schema, bd_conformed *out) {
  buddy_arg *arg = &out->arg;
  const buddy_arg_kind wanted = forms[schema->type].list;
  if (!(BIT(arg->kind) & LISTS)) return repeat(schema, out);
  if (arg->n == 0 && wanted != BUDDY_ARG_NONE) arg->kind = wanted;
  if (arg->kind == BUDDY_ARG_TENSORS && schema->type != BUDDY_SCHEMA_ANY &&
      !schema->is_optional_element && has_null(arg)) {
    return false;
  }
  if (arg->kind == wanted || (forms[schema->type].lists & BIT(arg->kind))) return true;
  return schema->type == BUDDY_SCHEMA_FLOAT && widen(out);
}

bool bd_arg_conform(const buddy_schema_arg *schema, const buddy_arg *arg,
                    bd_conformed *out_conformed) {
  out_conformed->arg = *arg;
  if (schema->type == BUDDY_SCHEMA_ANY) return true;
  if (arg->kind == BUDDY_ARG_NONE)
    return schema->is_optional || schema->type == BUDDY_SCHEMA_GENERATOR;
  return schema->is_list ? conform_list(schema, out_conformed)
                         : conform_single(schema, out_conformed);
}
