// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/decline.c: what a row's fields exclude, said before the row is asked: an argument
 * that it does not list and that is not at its default, a dtype outside of its masks, a symbolic
 * dim if it wants numbers only. */
#define _GNU_SOURCE
#include <string.h>

#include "core/registry/plan.h"

/* ---- Arguments as text ---- */
#define MAX_SHOWN 8 /* elements of a list */

static void append_dim(const buddy_graph *graph, int64_t dim, bd_text *text) {
  char number[256];
  buddy_graph_dim_text(graph, dim, number, sizeof number);
  bd_text_string(text, number);
}

static void append_value(const buddy_graph *graph, const buddy_value *value, bd_text *text) {
  char type[256];
  if (!value) {
    bd_text_string(text, "None");
    return;
  }
  buddy_graph_type_text(graph, buddy_value_type(value), type, sizeof type);
  bd_text_string(text, type);
}

static void append_element(const buddy_graph *graph, const buddy_arg *arg, size_t i,
                           bd_text *text) {
  switch (arg->kind) {
    case BUDDY_ARG_TENSORS:
      append_value(graph, arg->as.tensors[i], text);
      break;
    case BUDDY_ARG_INTS:
      append_dim(graph, arg->as.ints[i], text);
      break;
    case BUDDY_ARG_BOOLS:
      bd_text_string(text, arg->as.ints[i] ? "True" : "False");
      break;
    case BUDDY_ARG_STRINGS:
      bd_text_quoted(text, arg->as.strings[i], strlen(arg->as.strings[i]));
      break;
    default:
      bd_text_double(text, arg->as.floats[i]);
  }
}

static void append_list(const buddy_graph *graph, const buddy_arg *arg, bd_text *text) {
  bd_text_char(text, '[');
  for (size_t i = 0; i < arg->n && i < MAX_SHOWN; ++i) {
    bd_text_string(text, i ? ", " : "");
    append_element(graph, arg, i, text);
  }
  bd_text_string(text, arg->n > MAX_SHOWN ? ", …]" : "]");
}

void bd_arg_text(const buddy_graph *graph, const buddy_arg *arg, bd_text *text) {
  switch (arg->kind) {
    case BUDDY_ARG_NONE:
      bd_text_string(text, "None");
      break;
    case BUDDY_ARG_TENSOR:
      append_value(graph, arg->as.tensor, text);
      break;
    case BUDDY_ARG_INT:
      append_dim(graph, arg->as.i, text);
      break;
    case BUDDY_ARG_FLOAT:
      bd_text_double(text, arg->as.f);
      break;
    case BUDDY_ARG_BOOL:
      bd_text_string(text, arg->as.i ? "True" : "False");
      break;
    case BUDDY_ARG_DTYPE:
      bd_text_string(text, buddy_dtype_name((buddy_dtype)arg->as.i));
      break;
    case BUDDY_ARG_STRING:
    case BUDDY_ARG_DEVICE:
    case BUDDY_ARG_LAYOUT:
    case BUDDY_ARG_MEMORY_FORMAT:
      bd_text_quoted(text, arg->as.string, strlen(arg->as.string));
      break;
    case BUDDY_ARG_GRAPH:
      bd_text_string(text, "a graph");
      break;
    default:
      append_list(graph, arg, text);
  }
}

/* ---- Reasons ---- */
typedef struct question {
  buddy_plan *plan;
  const bd_row *row;
  const buddy_node *node;
  buddy_code code;
} question;

static const char *finish(question *q, bd_text *text) {
  const char *reason = text->code == BUDDY_OK ? bd_plan_intern(q->plan, text->data) : NULL;
  if (!reason) q->code = BUDDY_OUT_OF_MEMORY;
  bd_text_deinit(text);
  return reason;
}

static const char *unhandled(question *q, size_t i) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "argument '%s' = ", buddy_node_arg_name(q->node, i));
  bd_arg_text(buddy_node_graph(q->node), buddy_node_arg(q->node, i), &text);
  bd_text_string(&text, " is not handled by this row");
  return finish(q, &text);
}

/* `of`: "argument 'self'" or "result 0". */
static const char *wrong_dtype(question *q, const char *of, buddy_dtype dtype, uint32_t mask) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "dtype %s of %s is not among", buddy_dtype_name(dtype), of);
  for (buddy_dtype other = 1; other < 32; ++other) {
    if (mask & BUDDY_DTYPE_BIT(other)) bd_text_format(&text, " %s", buddy_dtype_name(other));
  }
  return finish(q, &text);
}

static const char *symbolic_dim(question *q, const char *of, uint32_t i, int64_t dim) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "dim %u of %s is symbolic (", i, of);
  append_dim(buddy_node_graph(q->node), dim, &text);
  bd_text_char(&text, ')');
  return finish(q, &text);
}

/* ---- Questions ---- */
/* One tensor of the node: argument or result `index`. Its name is only made when there is something
 * to say. */
typedef struct tensor_place {
  bool is_result;
  size_t index;
} tensor_place;

static const char *place_text(const question *q, tensor_place place, char *text, size_t size) {
  bd_text out;
  bd_text_init_fixed(&out, text, size);
  if (place.is_result) {
    bd_text_format(&out, "result %zu", place.index);
  } else {
    bd_text_format(&out, "argument '%s'", buddy_node_arg_name(q->node, place.index));
  }
  return text;
}

static const char *check_tensor(question *q, const buddy_value *value, uint32_t mask,
                                tensor_place place) {
  char text[160];
  const buddy_tensor_type *type = buddy_value_type(value);
  if (mask && !(mask & BUDDY_DTYPE_BIT(type->dtype))) {
    return wrong_dtype(q, place_text(q, place, text, sizeof text), type->dtype, mask);
  }
  if (!(q->row->op->flags & BUDDY_ROW_STATIC)) return NULL;
  for (uint32_t i = 0; i < type->rank; ++i) {
    if (BUDDY_IS_SYMBOLIC(type->dims[i])) {
      return symbolic_dim(q, place_text(q, place, text, sizeof text), i, type->dims[i]);
    }
  }
  return NULL;
}

static const char *check_argument(question *q, size_t i) {
  const buddy_arg *arg = buddy_node_arg(q->node, i);
  const bool is_list = arg->kind == BUDDY_ARG_TENSORS;
  if (!is_list && arg->kind != BUDDY_ARG_TENSOR) return NULL;
  const tensor_place place = {false, i};
  for (size_t k = 0; k < (is_list ? arg->n : 1); ++k) {
    const buddy_value *value = is_list ? arg->as.tensors[k] : arg->as.tensor;
    const char *reason = value ? check_tensor(q, value, q->row->op->in_dtypes, place) : NULL;
    if (reason || q->code) return reason;
  }
  return NULL;
}

uint64_t bd_node_given(const buddy_node *node) {
  const size_t n = buddy_node_n_args(node);
  uint64_t given = 0;
  for (size_t i = 0; i < n && i < BD_MAX_ARGS; ++i)
    given |= (uint64_t)!buddy_node_arg_is_default(node, i) << i;
  return given;
}

const char *bd_decline(buddy_plan *plan, const bd_row *row, const buddy_node *node, uint64_t given,
                       buddy_code *code) {
  question q = {plan, row, node, BUDDY_OK};
  const char *reason = NULL;
  const bool is_static = (row->op->flags & BUDDY_ROW_STATIC) != 0;
  const bool asks_args = is_static || row->op->in_dtypes;
  const bool asks_results = is_static || row->op->out_dtypes;
  const size_t n_args = asks_args || given & ~row->listed ? buddy_node_n_args(node) : 0;
  const size_t n_results = asks_results ? buddy_node_n_results(node) : 0;
  for (size_t i = 0; !reason && !q.code && i < n_args; ++i) {
    if (row->listed >> i & 1) {
      if (asks_args) reason = check_argument(&q, i);
    } else if (given >> i & 1) {
      reason = unhandled(&q, i);
    }
  }
  for (size_t i = 0; !reason && !q.code && i < n_results; ++i) {
    reason =
        check_tensor(&q, buddy_node_result(node, i), row->op->out_dtypes, (tensor_place){true, i});
  }
  *code = q.code;
  return reason;
}
