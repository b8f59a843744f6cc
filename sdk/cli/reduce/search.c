/* sdk/cli/reduce/search.c: delta debugging over nodes.
 *
 * First halves, which overlap: what is in one place is found in as many trials as there are halvings,
 * twice or three times. Then pieces are taken out, from halves down to single nodes, until none can be.
 * A choice is tried once: nodes that must come along make many choices the same. */
#include <limits.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/reduce/reduce.h"

/* ---- One trial ------------------------------------------------------------------------------- */
bd_cut_choice bd_reduction_choice(const bd_reduction *r) {
  return (bd_cut_choice){r->has, r->sinks_alone};
}

size_t bd_reduction_n_nodes(const bd_reduction *r) {
  size_t n = 0;
  for (size_t i = 0; i < r->program.n_nodes; ++i) n += r->has[i];
  return n;
}

buddy_code bd_reduction_write_inputs(const bd_reduction *r, const json_t *root,
                                     const json_t *inputs, const char *folder) {
  const json_t *graph = json_object_get(json_object_get(root, "graph_module"), "graph");
  char path[PATH_MAX];
  size_t i;
  json_t *input;
  json_array_foreach(inputs, i, input) {
    const char *name = json_string_value(input);
    snprintf(path, sizeof path, "%s/input_%zu.npy", folder, i);
    BD_TRY(bd_original_write(r->known, r->values, name,
                             json_object_get(json_object_get(graph, "tensor_values"), name),
                             r->seed + i, path, r->diags));
  }
  return BUDDY_OK;
}

buddy_code bd_reduction_write(const bd_reduction *r, const json_t *root, const json_t *inputs,
                              const char *folder) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/model.pt2", folder);
  BD_TRY(bd_program_write(&r->program, root, path, r->diags));
  return bd_reduction_write_inputs(r, root, inputs, folder);
}

static buddy_code run(bd_reduction *r, size_t n_inputs, bd_verdict *out) {
  char model[PATH_MAX];
  snprintf(model, sizeof model, "%s/model.pt2", r->trial);
  ++r->n_trials;
  return bd_command_run(&r->command, model, r->trial, n_inputs, out);
}

/* What tells a choice from others, as text. */
static char *key_of(const bd_reduction *r, const bd_cut_choice *choice) {
  const size_t n = r->program.n_nodes;
  char *key = bd_malloc(n + 2);
  if (!key) return NULL;
  for (size_t i = 0; i < n; ++i) key[i] = choice->has[i] ? '1' : '0';
  key[n] = choice->sinks_alone ? 's' : 'a';
  key[n + 1] = 0;
  return key;
}

static void tell_progress(const bd_reduction *r) {
  char text[96];
  const size_t n = bd_reduction_n_nodes(r);
  snprintf(text, sizeof text, "%zu of %zu nodes, run %zu", n, r->program.n_nodes, r->n_trials + 1);
  bd_progress(NULL, text, 1.0 - (double)n / (double)(r->program.n_nodes + 1));
}

buddy_code bd_reduction_run(bd_reduction *r, const bd_cut_choice *choice, bool *out_is_same) {
  json_t *inputs = NULL, *root = bd_cut_make(&r->program, choice, &inputs);
  bd_verdict verdict = {.status = 0};
  buddy_code code = BUDDY_OK;
  tell_progress(r);
  if (root) code = bd_reduction_write(r, root, inputs, r->trial);
  if (root && code == BUDDY_OK) code = run(r, json_array_size(inputs), &verdict);
  *out_is_same = code == BUDDY_OK && bd_verdict_is_same(&r->command, &r->whole, &verdict);
  if (*out_is_same) r->last = verdict;
  json_decref(root);
  json_decref(inputs);
  return code;
}

/* Tried once. */
static buddy_code try_choice(bd_reduction *r, const bd_cut_choice *choice, bool *out_is_same) {
  *out_is_same = false;
  if (bd_reduction_is_over()) return BUDDY_OK;
  char *key = key_of(r, choice);
  if (!key) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_OK;
  if (!json_object_get(r->tried, key)) code = bd_reduction_run(r, choice, out_is_same);
  if (code == BUDDY_OK && !*out_is_same) json_object_set_new(r->tried, key, json_true());
  bd_free(key);
  return code;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */
/* The kept nodes that `takes` says, with what must come along; kept from now on if it fails. Nothing
 * is tried that leaves as many. */
typedef struct part {
  size_t first, end; /* among the kept nodes */
  bool is_left_out;
} part;

static buddy_code try_part(bd_reduction *r, const part *takes, bool *out_is_same) {
  const size_t n = r->program.n_nodes, n_kept = bd_reduction_n_nodes(r);
  bool *has = bd_calloc(n + 1, sizeof *has);
  size_t number = 0, n_has = 0;
  if (!has) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    const bool is_in = number >= takes->first && number < takes->end;
    has[i] = r->has[i] && is_in != takes->is_left_out;
    number += r->has[i];
  }
  bd_cut_close(&r->program, r->takes_random ? NULL : r->known, has);
  for (size_t i = 0; i < n; ++i) n_has += has[i];
  *out_is_same = false;
  buddy_code code = BUDDY_OK;
  const bd_cut_choice choice = {has, r->sinks_alone};
  if (n_has > 0 && n_has < n_kept) code = try_choice(r, &choice, out_is_same);
  if (*out_is_same) memcpy(r->has, has, n * sizeof *has);
  bd_free(has);
  return code;
}

static buddy_code halve(bd_reduction *r) {
  for (bool is_smaller = true; is_smaller && !bd_reduction_is_over();) {
    const size_t n = bd_reduction_n_nodes(r), half = (n + 1) / 2, quarter = n / 4;
    const part parts[] = {{n - half, n, false}, {0, half, false}, {quarter, quarter + half, false}};
    is_smaller = false;
    for (int i = 0; i < 3 && n > 1 && !is_smaller; ++i) BD_TRY(try_part(r, &parts[i], &is_smaller));
  }
  return BUDDY_OK;
}

static buddy_code take_out(bd_reduction *r) {
  size_t size = bd_reduction_n_nodes(r) / 2;
  while (size > 0 && !bd_reduction_is_over()) {
    bool is_any = false;
    for (size_t end = bd_reduction_n_nodes(r); end > 0;) {
      const part piece = {end > size ? end - size : 0, end, true};
      bool is_out;
      BD_TRY(try_part(r, &piece, &is_out));
      is_any = is_any || is_out;
      const size_t n = bd_reduction_n_nodes(r);
      end = piece.first < n ? piece.first : n;
    }
    if (size > 1)
      size = size / 2;
    else if (!is_any)
      size = 0;
  }
  return BUDDY_OK;
}

/* First with the values of the whole alone, then with random ones where there are none. */
buddy_code bd_reduction_nodes(bd_reduction *r) {
  for (int i = 0; i < 2; ++i) {
    r->takes_random = i > 0;
    BD_TRY(halve(r));
    BD_TRY(take_out(r));
  }
  const bd_cut_choice fewer = {r->has, true};
  BD_TRY(try_choice(r, &fewer, &r->sinks_alone));
  return r->sinks_alone ? take_out(r) : BUDDY_OK;
}

/* ---- Symbols --------------------------------------------------------------------------------- */
buddy_code bd_reduction_fix(bd_reduction *r) {
  json_t *root = NULL, *before = json_incref(r->program.root);
  bool is_same = false;
  buddy_code code = BUDDY_OK;
  if (json_object_size(r->symbols)) code = bd_program_fix(&r->program, r->symbols, &root);
  if (root && code == BUDDY_OK) code = bd_program_set_root(&r->program, root);
  const bd_cut_choice whole = bd_reduction_choice(r);
  if (root && code == BUDDY_OK) code = bd_reduction_run(r, &whole, &is_same);
  if (root && !is_same && code == BUDDY_OK)
    code = bd_program_set_root(&r->program, json_incref(before));
  json_decref(before);
  return code;
}
