// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/open.c: a graph whose values are to be had: its nodes by number, its inputs, and all
 * that it computes, a piece at a time. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"
#include "sdk/runtime/npy.h"

buddy_code bd_bisect_open(const bd_session *session, const bd_way *candidate, uint64_t seed,
                          const bd_registry_flags *flags, bd_bisect *out) {
  const buddy_graph *graph = session->graph;
  *out = (bd_bisect){.session = session,
                     .graph = graph,
                     .n_nodes = buddy_graph_n_nodes(graph),
                     .seed = seed,
                     .n_runs = 1,
                     .diags = session->diags,
                     .candidate = *candidate,
                     .flags = flags};
  size_t i = 0;
  out->candidate.compile.progress = NULL; /* programs are many */
  out->current = out->candidate;
  out->nodes = bd_calloc(out->n_nodes + 1, sizeof *out->nodes);
  if (!out->nodes) return BUDDY_OUT_OF_MEMORY;
  for (const buddy_node *node = buddy_graph_first(graph); node; node = buddy_node_next(node))
    out->nodes[i++] = node;
  return bd_values_create(graph, &out->values);
}

void bd_fixed_close(bd_bisect *b) {
  if (b->current.registries != b->candidate.registries) bd_way_close(&b->current);
}

void bd_bisect_close(bd_bisect *b) {
  bd_fixed_close(b);
  for (size_t i = 0; i < b->n_fixes; ++i) bd_free((char *)(uintptr_t)b->fixes[i]);
  free(b->fixes);
  bd_way_close(&b->reference);
  bd_golden_close(b->golden);
  bd_values_destroy(b->values);
  bd_free(b->nodes);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */
enum { MAX_RANK = 64 };

#define WRITE_ANEW "write the values anew, `python -m buddy golden` writes their inputs with them"

/* A file's, which must be what golden values were computed from. */
static buddy_code read_file(const bd_bisect *b, const char *path, const bd_npy_wish *wish,
                            const buddy_value *value, buddy_tensor *out) {
  buddy_tensor golden;
  bd_gap gap;
  BD_TRY(bd_npy_read(path, wish, b->diags, out));
  if (!b->golden || !bd_golden_has(b->golden, value)) return BUDDY_OK;
  BD_TRY(bd_golden_read(b->golden, value, b->diags, &golden));
  bd_gap_measure(&golden, out, &gap);
  buddy_tensor_release(&golden);
  if (gap.relative == 0) return BUDDY_OK;
  return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, path, WRITE_ANEW,
                         "holds other numbers for input %s than those that the reference's values "
                         "are of",
                         buddy_value_name(value));
}

/* A user's input: golden values have those that they were computed from. Sizes that only a
 * run tells are those of bd_random_input, whatever the program allows. */
static buddy_code read_input(const bd_bisect *b, const char *path, uint64_t seed,
                             const buddy_value *value, buddy_tensor *out) {
  const buddy_tensor_type *type = buddy_value_type(value);
  int64_t dims[MAX_RANK];
  if (type->rank > MAX_RANK) return BUDDY_LIMIT;
  for (uint32_t d = 0; d < type->rank; ++d) {
    dims[d] = BUDDY_IS_SYMBOLIC(type->dims[d]) ? -1 : type->dims[d];
  }
  const bd_npy_wish wish = {type->dtype, true, type->rank, dims};
  if (path) return read_file(b, path, &wish, value, out);
  const buddy_port port = {.dtype = type->dtype, .rank = type->rank, .dims = dims};
  if (!b->golden) return bd_random_input(&port, seed, out);
  const buddy_code code = bd_golden_read(b->golden, value, b->diags, out);
  if (code != BUDDY_NOT_FOUND) return code;
  return buddy_diags_add(b->diags, BUDDY_ERROR, code, buddy_value_name(value),
                         "give it with --input, or " WRITE_ANEW,
                         "the reference's values are of an input that is not among them");
}

static buddy_code check_golden(const bd_bisect *b, const char *where) {
  bool has = b->n_nodes == 0;
  for (size_t i = 0; i < b->n_nodes && !has; ++i) {
    for (size_t k = 0; k < buddy_node_n_results(b->nodes[i]) && !has; ++k)
      has = bd_golden_has(b->golden, buddy_node_result(b->nodes[i], k));
  }
  if (has) return BUDDY_OK;
  return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, where,
                         "write them with `python -m buddy golden` of this archive",
                         "none of its nodes has a value among the reference's");
}

buddy_code bd_bisect_inputs(bd_bisect *b, const char *where, const char *const *paths, size_t n) {
  size_t n_user = 0, number = 0;
  for (size_t i = 0; i < buddy_graph_n_inputs(b->graph); ++i)
    n_user += buddy_graph_input_kind(b->graph, i) == BUDDY_INPUT_USER;
  if (b->golden) BD_TRY(bd_golden_check(b->golden, b->session->archive, where, b->diags));
  if (n > 0 && n != n_user)
    return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where,
                           "give one --input for each, in their order, or none for random ones",
                           "the model takes %zu inputs, but %zu were given", n_user, n);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < buddy_graph_n_inputs(b->graph) && code == BUDDY_OK; ++i) {
    const buddy_value *value = buddy_graph_input(b->graph, i);
    bd_value_state *state = bd_values_get(b->values, value);
    if (buddy_graph_input_kind(b->graph, i) != BUDDY_INPUT_USER) continue;
    code = read_input(b, n ? paths[number] : NULL, b->seed + number, value, &state->tensor);
    ++number;
    if (code == BUDDY_OK) bd_values_learn(b->values, value, &state->tensor);
  }
  return code == BUDDY_OK && b->golden ? check_golden(b, where) : code;
}

/* ---- Values ---------------------------------------------------------------------------------- */
buddy_code bd_bisect_stream(bd_bisect *b, const bd_way *way, bd_visit visit, void *user) {
  enum { CHUNK = 24 }; /* nodes whose results are alive at once */
  const bd_part_options all = {.n_runs = 1, .takes_all = true};
  buddy_code code = BUDDY_OK;
  bool goes_on = true;
  for (size_t first = 0; first < b->n_nodes && code == BUDDY_OK && goes_on; first += CHUNK) {
    const bd_node_range range = {first, first + CHUNK < b->n_nodes ? first + CHUNK : b->n_nodes};
    bd_results results = {0};
    code = bd_part_run(b, range, way, &all, &results);
    if (code == BUDDY_OK) code = visit(user, &results, &goes_on);
    if (code == BUDDY_OK) code = bd_values_keep(b, &results);
    bd_results_free(&results);
    bd_values_drop_dead(b, range.end);
  }
  return code;
}
