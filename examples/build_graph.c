// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/build_graph.c: a graph built by calls, its MLIR, and its numbers.
 *
 *   relu(x @ w + b) over a batch of any size: `s0` is a symbol, so one program serves them all. */
#include <stdio.h>

#include "buddy/buddy.h"

static buddy_named_arg tensor(const char *name, const buddy_value *value) {
  return (buddy_named_arg){name, {.kind = BUDDY_ARG_TENSOR, .as.tensor = value}};
}

/* Builds the graph; its types follow from the inputs' where the op's kind allows it, else they are
 * given. */
static buddy_code build(const buddy_opset *opset, buddy_diags *diags, buddy_graph **out_graph) {
  buddy_graph *graph = NULL;
  buddy_node *node = NULL;
  const buddy_value *x = NULL, *w = NULL, *b = NULL;
  int64_t batch = 0;
  buddy_code code = buddy_graph_create(opset, "forward", &graph);
  *out_graph = graph;
  if (code == BUDDY_OK) code = buddy_graph_add_symbol(graph, "s0", 1, 1024, &batch);
  const int64_t x_dims[] = {batch, 3}, w_dims[] = {3, 2}, b_dims[] = {2}, y_dims[] = {batch, 2};
  const buddy_tensor_type x_type = {BUDDY_F32, 2, x_dims}, w_type = {BUDDY_F32, 2, w_dims};
  const buddy_tensor_type b_type = {BUDDY_F32, 1, b_dims}, y_type = {BUDDY_F32, 2, y_dims};
  if (code == BUDDY_OK)
    code = buddy_graph_add_input(graph, BUDDY_INPUT_USER, "x", NULL, &x_type, NULL, diags, &x);
  if (code == BUDDY_OK)
    code = buddy_graph_add_input(graph, BUDDY_INPUT_USER, "w", NULL, &w_type, NULL, diags, &w);
  if (code == BUDDY_OK)
    code = buddy_graph_add_input(graph, BUDDY_INPUT_USER, "b", NULL, &b_type, NULL, diags, &b);
  if (code != BUDDY_OK) return code;

  const buddy_named_arg addmm[] = {tensor("self", b), tensor("mat1", x), tensor("mat2", w)};
  code = buddy_graph_add_node(graph, NULL, "aten.addmm.default", "sum", addmm, 3, &y_type, 1, diags,
                              &node);
  if (code != BUDDY_OK) return code;
  const buddy_named_arg relu[] = {tensor("self", buddy_node_result(node, 0))};
  code =
      buddy_graph_add_node(graph, NULL, "aten.relu.default", "y", relu, 1, NULL, 0, diags, &node);
  if (code != BUDDY_OK) return code;
  const buddy_arg result = {.kind = BUDDY_ARG_TENSOR, .as.tensor = buddy_node_result(node, 0)};
  code = buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, NULL, &result, diags);
  return code == BUDDY_OK ? buddy_graph_normalize(graph, diags) : code;
}

static buddy_code write_stdout(void *user, const char *data, size_t size) {
  (void)user;
  return fwrite(data, 1, size, stdout) == size ? BUDDY_OK : BUDDY_IO;
}

static buddy_code run(buddy_program *program, buddy_diags *diags) {
  float x[2][3] = {{1, 2, 3}, {-1, -2, -3}}, w[3][2] = {{1, 0}, {0, 1}, {1, 1}},
        b[2] = {0.5f, -0.5f}, y[2][2];
  int64_t x_sizes[] = {2, 3}, x_strides[] = {3, 1}, w_sizes[] = {3, 2}, w_strides[] = {2, 1},
          b_sizes[] = {2};
  int64_t b_strides[] = {1}, y_sizes[] = {2, 2}, y_strides[] = {2, 1};
  const buddy_tensor inputs[] = {
      {.dtype = BUDDY_F32, .rank = 2, .sizes = x_sizes, .strides = x_strides, .bytes = x},
      {.dtype = BUDDY_F32, .rank = 2, .sizes = w_sizes, .strides = w_strides, .bytes = w},
      {.dtype = BUDDY_F32, .rank = 1, .sizes = b_sizes, .strides = b_strides, .bytes = b},
  };
  buddy_tensor output = {
      .dtype = BUDDY_F32, .rank = 2, .sizes = y_sizes, .strides = y_strides, .bytes = y};
  const buddy_code code = buddy_program_run(program, inputs, 3, &output, 1, diags);
  if (code == BUDDY_OK) {
    printf("%g %g\n%g %g\n", (double)y[0][0], (double)y[0][1], (double)y[1][0], (double)y[1][1]);
  }
  return code;
}

int main(void) {
  buddy_diags *diags = NULL;
  buddy_opset *opset = NULL;
  buddy_search *search = NULL;
  buddy_registries *registries = NULL;
  buddy_graph *graph = NULL;
  buddy_plan *plan = NULL;
  buddy_module *module = NULL;
  buddy_program *program = NULL;
  const buddy_writer to_stdout = {write_stdout, NULL};

  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = buddy_aten_opset_create(&opset);
  if (code == BUDDY_OK) code = buddy_search_create(NULL, diags, &search);
  if (code == BUDDY_OK) code = buddy_registries_create(search, opset, NULL, diags, &registries);
  if (code == BUDDY_OK) code = build(opset, diags, &graph);
  if (code == BUDDY_OK) code = buddy_plan_create(registries, graph, diags, &plan);
  if (code == BUDDY_OK) code = buddy_lower(plan, NULL, diags, &module);
  if (code == BUDDY_OK) code = buddy_module_print(module, BUDDY_FORMAT_MLIR, 0, &to_stdout);
  if (code == BUDDY_OK) {
    code = buddy_compile(module, registries, NULL, diags, &program);
    module = NULL; /* taken over */
  }
  if (code == BUDDY_OK) code = run(program, diags);

  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    if (diag->severity == BUDDY_NOTE) continue;
    fprintf(stderr, "%s%s%s\n", diag->where, *diag->where ? ": " : "", diag->what);
  }
  buddy_program_destroy(program);
  buddy_module_destroy(module);
  buddy_plan_destroy(plan);
  buddy_graph_destroy(graph);
  buddy_registries_destroy(registries);
  buddy_search_destroy(search);
  buddy_opset_destroy(opset);
  buddy_diags_destroy(diags);
  return code == BUDDY_OK ? 0 : 1;
}
