// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/trial.c: a program of one case, with inputs. */
#include "sdk/model/trial.h"
#include "core/base/memory.h"
#include "core/base/try.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WANTED_BYTES (INT64_C(8) << 20) /* of weights: more than a core's cache holds */
enum { MAX_NODES = 4, MAX_ARGS = 8 };

/* ---- Graphs ---------------------------------------------------------------------------------- */
typedef struct builder {
  buddy_graph *graph;
  buddy_diags *diags;
  buddy_dtype dtype;
  int n_weights;
  buddy_named_arg args[MAX_ARGS];
  size_t n_args;
  buddy_code code;
} builder;

static void add_argument(builder *b, const char *name, const buddy_value *value) {
  b->args[b->n_args++] =
      (buddy_named_arg){name, {.kind = BUDDY_ARG_TENSOR, .as = {.tensor = value}}};
}

/* Null after a failure, as all that is made of it. */
static const buddy_value *add_input(builder *b, buddy_input_kind kind, uint32_t rank,
                                    const int64_t *dims) {
  const buddy_tensor_type type = {b->dtype, rank, dims};
  const buddy_value *value = NULL;
  char target[32];
  snprintf(target, sizeof(target), "weight%d", b->n_weights++);
  if (b->code == BUDDY_OK)
    b->code = buddy_graph_add_input(b->graph, kind, NULL, kind == BUDDY_INPUT_USER ? NULL : target,
                                    &type, NULL, b->diags, &value);
  return value;
}

static void add_weight(builder *b, const char *name, uint32_t rank, const int64_t *dims) {
  add_argument(b, name, add_input(b, BUDDY_INPUT_PARAMETER, rank, dims));
}

static void add_numbers(builder *b, const char *name, const int64_t *numbers) {
  b->args[b->n_args++] =
      (buddy_named_arg){name, {.kind = BUDDY_ARG_INTS, .n = 2, .as = {.ints = numbers}}};
}

/* Of the arguments so far. */
static const buddy_value *add_node(builder *b, const char *op, const char *name, uint32_t rank,
                                   const int64_t *dims) {
  const buddy_tensor_type type = {b->dtype, rank, dims};
  buddy_node *node = NULL;
  if (b->code == BUDDY_OK)
    b->code = buddy_graph_add_node(b->graph, NULL, op, name, b->args, b->n_args, &type, 1, b->diags,
                                   &node);
  b->n_args = 0;
  return node ? buddy_node_result(node, 0) : NULL;
}

static void add_output(builder *b, const buddy_value *value) {
  const buddy_arg result = {.kind = BUDDY_ARG_TENSOR, .as = {.tensor = value}};
  if (b->code == BUDDY_OK)
    b->code = buddy_graph_add_output(b->graph, BUDDY_OUTPUT_USER, NULL, &result, b->diags);
}

const char *bd_trial_op(const bd_case *c) {
  return c->kind > BD_CASE_BATCHED    ? "aten.conv2d.default"
         : c->kind == BD_CASE_BATCHED ? "aten.bmm.default"
                                      : "aten.linear.default";
}

static void name_node(int i, char name[32]) { snprintf(name, 32, BD_TRIAL_NODE "%d", i); }

static void add_product(builder *b, const bd_case *c, int i) {
  const int64_t *s = c->sizes;
  const bool is_batched = c->kind == BD_CASE_BATCHED;
  const int64_t left[] = {s[BD_BATCH], s[BD_M], s[BD_K]}, out[] = {s[BD_BATCH], s[BD_M], s[BD_N]};
  const uint32_t first = is_batched ? 0 : 1, rank = 3 - first;
  char name[32];
  name_node(i, name);
  add_argument(b, is_batched ? "self" : "input",
               add_input(b, BUDDY_INPUT_USER, rank, left + first));
  if (is_batched) {
    const int64_t right[] = {s[BD_BATCH], s[BD_K], s[BD_N]};
    add_argument(b, "mat2", add_input(b, BUDDY_INPUT_USER, rank, right));
  } else {
    add_weight(b, "weight", 2, (int64_t[]){s[BD_N], s[BD_K]});
    add_weight(b, "bias", 1, (int64_t[]){s[BD_N]});
  }
  add_output(b, add_node(b, bd_trial_op(c), name, rank, out + first));
}

static int64_t output_size(const bd_case *c, int axis, int kernel) {
  return (c->sizes[axis] + 2 * c->sizes[BD_PADDING] - c->sizes[kernel]) / c->sizes[BD_STRIDE] + 1;
}

/* Each channel times a number. */
static const buddy_value *add_neighbour(builder *b, const buddy_value *input, const int64_t *dims) {
  add_argument(b, "input", input);
  add_weight(b, "weight", 4, (int64_t[]){dims[1], 1, 1, 1});
  b->args[b->n_args++] = (buddy_named_arg){"groups", {.kind = BUDDY_ARG_INT, .as = {.i = dims[1]}}};
  return add_node(b, "aten.conv2d.default", NULL, 4, dims);
}

static const buddy_value *add_convolution(builder *b, const bd_case *c, const buddy_value *input,
                                          const int64_t *out, int i) {
  const int64_t *s = c->sizes;
  char name[32];
  name_node(i, name);
  add_argument(b, "input", input);
  add_weight(b, "weight", 4,
             (int64_t[]){s[BD_CHANNELS_OUT], s[BD_CHANNELS_IN] / s[BD_GROUPS], s[BD_KERNEL_HEIGHT],
                         s[BD_KERNEL_WIDTH]});
  add_weight(b, "bias", 1, (int64_t[]){s[BD_CHANNELS_OUT]});
  add_numbers(b, "stride", (int64_t[]){s[BD_STRIDE], s[BD_STRIDE]});
  add_numbers(b, "padding", (int64_t[]){s[BD_PADDING], s[BD_PADDING]});
  b->args[b->n_args++] =
      (buddy_named_arg){"groups", {.kind = BUDDY_ARG_INT, .as = {.i = s[BD_GROUPS]}}};
  return add_node(b, bd_trial_op(c), name, 4, out);
}

/* Between others, as in a network: images lie there as convolutions like it, with their channels
 * innermost. Where one can follow the other, all stand in a row. The first convolution of a network
 * gets images that lie as the program's inputs do. */
static void add_convolutions(builder *b, const bd_case *c, int n_nodes) {
  const int64_t *s = c->sizes;
  const int64_t in[] = {s[BD_IMAGES], s[BD_CHANNELS_IN], s[BD_HEIGHT], s[BD_WIDTH]};
  const int64_t out[] = {s[BD_IMAGES], s[BD_CHANNELS_OUT],
                         output_size(c, BD_HEIGHT, BD_KERNEL_HEIGHT),
                         output_size(c, BD_WIDTH, BD_KERNEL_WIDTH)};
  const bool is_chain = memcmp(in, out, sizeof(in)) == 0, is_first = s[BD_CHANNELS_IN] <= 4;
  const buddy_value *value = NULL;
  for (int i = 0; i < n_nodes; ++i) {
    if (i == 0 || !is_chain) {
      value = add_input(b, BUDDY_INPUT_USER, 4, in);
      if (!is_first) value = add_neighbour(b, value, in);
    }
    value = add_convolution(b, c, value, out, i);
    if (i == n_nodes - 1 || !is_chain) add_output(b, add_neighbour(b, value, out));
  }
}

int bd_trial_n_nodes(const bd_case *c) {
  const int64_t *s = c->sizes;
  const int64_t n = c->kind == BD_CASE_BATCHED ? WANTED_BYTES
                    : c->kind < BD_CASE_BATCHED
                        ? s[BD_N] * s[BD_K]
                        : s[BD_CHANNELS_OUT] * s[BD_CHANNELS_IN] * s[BD_KERNEL_HEIGHT] *
                              s[BD_KERNEL_WIDTH] / s[BD_GROUPS];
  const int64_t wanted = WANTED_BYTES / (n * 4 + 1) + 1;
  return wanted < MAX_NODES ? (int)wanted : MAX_NODES;
}

buddy_code bd_trial_graph(const buddy_opset *opset, const bd_case *c, int n_nodes,
                          buddy_diags *diags, buddy_graph **out_graph) {
  builder b = {.diags = diags, .dtype = c->dtype};
  b.code = buddy_graph_create(opset, "trial", &b.graph);
  if (b.code == BUDDY_OK && c->kind > BD_CASE_BATCHED) add_convolutions(&b, c, n_nodes);
  for (int i = 0; i < n_nodes && c->kind <= BD_CASE_BATCHED && b.code == BUDDY_OK; ++i)
    add_product(&b, c, i);
  if (b.code != BUDDY_OK) {
    buddy_graph_destroy(b.graph);
    b.graph = NULL;
  }
  *out_graph = b.graph;
  return b.code;
}

/* ---- Programs -------------------------------------------------------------------------------- */
static buddy_code fill(const bd_trial *trial) {
  for (size_t i = 0; i < buddy_program_n_inputs(trial->program); ++i) {
    const buddy_port *port = buddy_program_input(trial->program, i);
    BD_TRY(buddy_tensor_create(port->dtype, port->rank, port->dims, &trial->inputs[i]));
    buddy_tensor_fill_random(&trial->inputs[i], i);
  }
  for (size_t i = 0; i < buddy_program_n_outputs(trial->program); ++i) {
    const buddy_port *port = buddy_program_output(trial->program, i);
    BD_TRY(buddy_tensor_create(port->dtype, port->rank, port->dims, &trial->outputs[i]));
  }
  return BUDDY_OK;
}

buddy_code bd_trial_init(buddy_program *program, bd_trial *out) {
  *out = (bd_trial){program, bd_calloc(buddy_program_n_inputs(program) + 1, sizeof(buddy_tensor)),
                    bd_calloc(buddy_program_n_outputs(program) + 1, sizeof(buddy_tensor))};
  const buddy_code code = !out->inputs || !out->outputs ? BUDDY_OUT_OF_MEMORY : fill(out);
  if (code != BUDDY_OK) bd_trial_deinit(out);
  return code;
}

void bd_trial_deinit(bd_trial *trial) {
  for (size_t i = 0; trial->inputs && i < buddy_program_n_inputs(trial->program); ++i)
    buddy_tensor_release(&trial->inputs[i]);
  for (size_t i = 0; trial->outputs && i < buddy_program_n_outputs(trial->program); ++i)
    buddy_tensor_release(&trial->outputs[i]);
  free(trial->inputs);
  free(trial->outputs);
  if (trial->program) buddy_program_destroy(trial->program);
  *trial = (bd_trial){NULL, NULL, NULL};
}

/* On one thread all work is this one's, whose own time leaves out what others did on the
 * machine. */
static double now(const bd_trial *trial) {
  struct timespec time;
  const bool is_alone = buddy_program_threads(trial->program) == 1;
  clock_gettime(is_alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

buddy_code bd_trial_run(const bd_trial *trial, buddy_diags *diags, double *out_seconds) {
  const double start = now(trial);
  const buddy_code code =
      buddy_program_run(trial->program, trial->inputs, buddy_program_n_inputs(trial->program),
                        trial->outputs, buddy_program_n_outputs(trial->program), diags);
  *out_seconds = now(trial) - start;
  return code;
}
