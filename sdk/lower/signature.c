// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/signature.c: writing signatures. Every allocation is a link of one list, freed
 * together. */
#include "sdk/lower/signature.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "core/base/try.h"

#define MAX_DEPTH 64    /* of nested operations in a size */
#define MAX_STEPS 65536 /* of one size */
#define MAX_RANK 1024   /* of a port */

typedef struct link {
  struct link *next;
  max_align_t bytes[];
} link;

static void *allocate(bd_signature *signature, size_t n, size_t size) {
  size_t n_bytes;
  if (__builtin_mul_overflow(n, size, &n_bytes) || n_bytes > SIZE_MAX - sizeof(link)) return NULL;
  link *item = bd_calloc(1, sizeof(link) + n_bytes);
  if (!item) return NULL;
  item->next = signature->memory;
  signature->memory = item;
  return item->bytes;
}

static char *copy_string(bd_signature *signature, const char *text) {
  if (!text) text = "";
  const size_t n = strlen(text) + 1;
  char *copy = allocate(signature, n, 1);
  if (copy) memcpy(copy, text, n);
  return copy;
}

buddy_code bd_signature_create(bd_signature **out_signature) {
  *out_signature = bd_calloc(1, sizeof(bd_signature));
  return !*out_signature ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

void bd_signature_destroy(bd_signature *signature) {
  if (!signature) return;
  link *item = signature->memory;
  while (item) {
    link *next = item->next;
    free(item);
    item = next;
  }
  free(signature->inputs);
  free(signature->outputs);
  free(signature->guards);
  free(signature->growths);
  free(signature->unread);
  free(signature);
}

buddy_code bd_signature_add_symbols(bd_signature *signature, const buddy_graph *graph) {
  const size_t n = buddy_graph_n_symbols(graph);
  if (n == 0) return BUDDY_OK;
  signature->symbols = allocate(signature, n, sizeof(bd_symbol));
  if (!signature->symbols) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    const buddy_symbol *symbol = buddy_graph_symbol(graph, i);
    bd_symbol *copy = &signature->symbols[i];
    *copy = (bd_symbol){copy_string(signature, symbol->name), symbol->min, symbol->max};
    if (!copy->name) return BUDDY_OUT_OF_MEMORY;
    ++signature->n_symbols;
  }
  return BUDDY_OK;
}

/* ---- Sizes ---- */

/* Postfix in the making: the steps so far, and the dims whose operands are being written. */
typedef struct postfix {
  const buddy_graph *graph;
  bd_step *steps;
  size_t n_steps, capacity;
  struct {
    int64_t dim;
    size_t next; /* operand */
  } open[MAX_DEPTH];
  size_t n_open;
} postfix;

static buddy_code postfix_step(postfix *p, buddy_dim_kind kind, int64_t operand) {
  if (p->n_steps == MAX_STEPS) return BUDDY_LIMIT;
  bd_step *steps = bd_array_grow(p->steps, &p->capacity, p->n_steps + 1, sizeof(bd_step));
  if (!steps) return BUDDY_OUT_OF_MEMORY;
  p->steps = steps;
  p->steps[p->n_steps++] = (bd_step){kind, operand};
  return BUDDY_OK;
}

/* A leaf becomes a step at once, an operation is opened. */
static buddy_code postfix_visit(postfix *p, int64_t dim) {
  const buddy_dim_kind kind = buddy_graph_dim_kind(p->graph, dim);
  if (kind == BUDDY_DIM_KIND_NUMBER) return postfix_step(p, kind, dim);
  if (kind == BUDDY_DIM_KIND_SYMBOL) {
    return postfix_step(p, kind, (int64_t)buddy_graph_dim_symbol(p->graph, dim));
  }
  if (p->n_open == MAX_DEPTH) return BUDDY_LIMIT;
  p->open[p->n_open].dim = dim;
  p->open[p->n_open++].next = 0;
  return BUDDY_OK;
}

static buddy_code postfix_write(postfix *p, int64_t dim) {
  BD_TRY(postfix_visit(p, dim));
  while (p->n_open > 0) {
    const int64_t operation = p->open[p->n_open - 1].dim;
    const size_t n_operands = buddy_graph_dim_n_operands(p->graph, operation);
    const size_t next = p->open[p->n_open - 1].next++;
    if (next < n_operands) {
      BD_TRY(postfix_visit(p, buddy_graph_dim_operand(p->graph, operation, next)));
    } else {
      --p->n_open;
      BD_TRY(postfix_step(p, buddy_graph_dim_kind(p->graph, operation), (int64_t)n_operands));
    }
  }
  return BUDDY_OK;
}

buddy_code bd_signature_size(bd_signature *signature, const buddy_graph *graph, int64_t dim,
                             bd_size *out_size) {
  char text[512];
  *out_size = (bd_size){.number = -1, .text = "?"};
  buddy_graph_dim_text(graph, dim, text, sizeof(text));
  const char *kept_text = copy_string(signature, text);
  if (!kept_text) return BUDDY_OUT_OF_MEMORY;
  if (dim >= 0) { /* a negative number is its own postfix: -1 as a size means any */
    *out_size = (bd_size){.number = dim, .text = kept_text};
    return BUDDY_OK;
  }
  postfix p = {.graph = graph};
  buddy_code code = postfix_write(&p, dim);
  if (code == BUDDY_OK) {
    bd_step *steps = allocate(signature, p.n_steps, sizeof(bd_step));
    if (!steps) {
      code = BUDDY_OUT_OF_MEMORY;
    } else {
      memcpy(steps, p.steps, p.n_steps * sizeof(bd_step));
      *out_size = (bd_size){.number = -1, .steps = steps, .n_steps = p.n_steps, .text = kept_text};
    }
  }
  free(p.steps);
  return code;
}

/* ---- Ports ---- */

static buddy_code copy_port(bd_signature *signature, const buddy_port *port, buddy_port *out_copy) {
  if (port->rank > MAX_RANK) return BUDDY_LIMIT;
  int64_t *dims = allocate(signature, port->rank + 1u, sizeof(int64_t));
  *out_copy = *port;
  out_copy->name = copy_string(signature, port->name);
  out_copy->target = copy_string(signature, port->target);
  out_copy->dims = dims;
  if (!dims || !out_copy->name || !out_copy->target) return BUDDY_OUT_OF_MEMORY;
  for (uint32_t d = 0; d < port->rank; ++d) dims[d] = port->dims[d] < 0 ? -1 : port->dims[d];
  return BUDDY_OK;
}

/* Null: no memory. */
static const bd_size *copy_sizes(bd_signature *signature, const buddy_port *port,
                                 const bd_size *sizes) {
  bd_size *copy = allocate(signature, port->rank + 1u, sizeof(bd_size));
  for (uint32_t d = 0; copy && d < port->rank; ++d) {
    copy[d] = sizes ? sizes[d] : (bd_size){.number = port->dims[d], .text = "?"};
  }
  return copy;
}

buddy_code bd_signature_add_input(bd_signature *signature, const buddy_port *port,
                                  const bd_size *sizes) {
  bd_input *inputs = bd_array_next(signature->inputs, signature->n_inputs, sizeof(bd_input));
  if (!inputs) return BUDDY_OUT_OF_MEMORY;
  signature->inputs = inputs;
  bd_input *input = &inputs[signature->n_inputs];
  BD_TRY(copy_port(signature, port, &input->port));
  input->sizes = copy_sizes(signature, &input->port, sizes);
  if (!input->sizes) return BUDDY_OUT_OF_MEMORY;
  ++signature->n_inputs;
  return BUDDY_OK;
}

buddy_code bd_signature_add_output(bd_signature *signature, const bd_output *output) {
  bd_output *outputs = bd_array_next(signature->outputs, signature->n_outputs, sizeof(bd_output));
  if (!outputs) return BUDDY_OUT_OF_MEMORY;
  signature->outputs = outputs;
  bd_output *copy = &outputs[signature->n_outputs];
  *copy = *output;
  BD_TRY(copy_port(signature, &output->port, &copy->port));
  copy->sizes = copy_sizes(signature, &copy->port, output->sizes);
  if (!copy->sizes) return BUDDY_OUT_OF_MEMORY;
  ++signature->n_outputs;
  return BUDDY_OK;
}

buddy_code bd_signature_add_guard(bd_signature *signature, const buddy_graph *graph,
                                  const bd_guard *guard) {
  bd_size_guard *guards =
      bd_array_next(signature->guards, signature->n_guards, sizeof(bd_size_guard));
  if (!guards) return BUDDY_OUT_OF_MEMORY;
  signature->guards = guards;
  bd_size_guard *added = &guards[signature->n_guards];
  BD_TRY(bd_signature_size(signature, graph, guard->dim, &added->predicate));
  added->predicate.text = copy_string(signature, guard->text);
  added->where = copy_string(signature, guard->where);
  if (!added->predicate.text || !added->where) return BUDDY_OUT_OF_MEMORY;
  ++signature->n_guards;
  return BUDDY_OK;
}

buddy_code bd_signature_set_rows(bd_signature *signature, const bd_batch_note *rows) {
  signature->rows = *rows;
  signature->rows.why = copy_string(signature, rows->why);
  return !signature->rows.why ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

buddy_code bd_signature_add_growth(bd_signature *signature, const bd_growth *growth) {
  bd_growth *growths = bd_array_next(signature->growths, signature->n_growths, sizeof(bd_growth));
  if (!growths) return BUDDY_OUT_OF_MEMORY;
  signature->growths = growths;
  growths[signature->n_growths++] = *growth;
  return BUDDY_OK;
}

buddy_code bd_signature_add_unread(bd_signature *signature, size_t input) {
  uint64_t *unread = bd_array_next(signature->unread, signature->n_unread, sizeof(uint64_t));
  if (!unread) return BUDDY_OUT_OF_MEMORY;
  signature->unread = unread;
  unread[signature->n_unread++] = input;
  return BUDDY_OK;
}
