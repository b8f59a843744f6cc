// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/search.c: delta debugging over nodes.
 *
 * First halves, which overlap: what is in one place is found in as many trials as there are halvings,
 * twice or three times. Then pieces are taken out, from halves down to single nodes, until none can be.
 * A choice is tried once: nodes that must come along make many choices the same. What would be tried one
 * after the other runs at the same time, and counts in that order. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

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

buddy_code bd_reduction_write_cut(const bd_reduction *r, const bd_cut_choice *choice,
                                  const char *folder, size_t *out_n_inputs) {
  json_t *inputs = NULL, *root = bd_cut_make(&r->program, choice, &inputs);
  const buddy_code code = root ? bd_reduction_write(r, root, inputs, folder) : BUDDY_OK;
  if (root && code == BUDDY_OK) *out_n_inputs = json_array_size(inputs);
  json_decref(root);
  json_decref(inputs);
  return code;
}

/* ---- Several --------------------------------------------------------------------------------- */
typedef struct job {
  bd_running running;
  char folder[PATH_MAX], model[PATH_MAX + 16];
} job;

static buddy_code start(bd_reduction *r, const bd_reduction_candidates *all, size_t i, job *out) {
  size_t n_inputs = SIZE_MAX;
  out->running.child = 0;
  snprintf(out->folder, sizeof out->folder, "%s/%zu", r->trial, i % r->n_jobs);
  snprintf(out->model, sizeof out->model, "%s/model.pt2", out->folder);
  if (mkdir(out->folder, 0700) && errno != EEXIST)
    return buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_IO, out->folder, NULL,
                           "cannot be created: %s", strerror(errno));
  tell_progress(r);
  BD_TRY(all->write(all->user, i, out->folder, &n_inputs));
  if (n_inputs == SIZE_MAX) return BUDDY_OK;
  return bd_command_start(&r->command, out->model, out->folder, n_inputs, &out->running);
}

static buddy_code finish(bd_reduction *r, job *one, bool *out_is_same) {
  bd_verdict verdict;
  *out_is_same = false;
  if (!one->running.child) return BUDDY_OK;
  ++r->n_trials;
  BD_TRY(bd_command_finish(&r->command, one->model, &one->running, &verdict));
  *out_is_same = !bd_reduction_is_over() && bd_verdict_is_same(&r->command, &r->whole, &verdict);
  if (*out_is_same) r->last = verdict;
  return BUDDY_OK;
}

buddy_code bd_reduction_first(bd_reduction *r, const bd_reduction_candidates *candidates,
                              size_t *out_which) {
  job *jobs = bd_calloc(r->n_jobs, sizeof *jobs);
  size_t at = 0, next = 0;
  bool is_same = false;
  buddy_code code = jobs ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  while (at < candidates->n && code == BUDDY_OK && !bd_reduction_is_over()) {
    for (; next < candidates->n && next - at < r->n_jobs && code == BUDDY_OK; ++next)
      code = start(r, candidates, next, &jobs[next % r->n_jobs]);
    if (code == BUDDY_OK) code = finish(r, &jobs[at % r->n_jobs], &is_same);
    if (code != BUDDY_OK || is_same || bd_reduction_is_over()) break;
    if (candidates->failed) candidates->failed(candidates->user, at);
    ++at;
  }
  for (size_t i = 0; jobs && i < r->n_jobs; ++i) bd_command_stop(&jobs[i].running);
  bd_free(jobs);
  *out_which = is_same ? at : candidates->n;
  return code;
}

/* ---- Cuts ------------------------------------------------------------------------------------ */
typedef struct cuts {
  bd_reduction *r;
  bd_cut_choice *items;
} cuts;

static bool was_tried(const bd_reduction *r, const bd_cut_choice *choice) {
  char *key = key_of(r, choice);
  const bool is_in = !key || json_object_get(r->tried, key);
  bd_free(key);
  return is_in;
}

static void note_cut(void *user, size_t i) {
  const cuts *c = user;
  char *key = key_of(c->r, &c->items[i]);
  if (key) json_object_set_new(c->r->tried, key, json_true());
  bd_free(key);
}

static buddy_code write_anyway(void *user, size_t i, const char *folder, size_t *out_n_inputs) {
  const cuts *c = user;
  return bd_reduction_write_cut(c->r, &c->items[i], folder, out_n_inputs);
}

static buddy_code write_new(void *user, size_t i, const char *folder, size_t *out_n_inputs) {
  const cuts *c = user;
  return was_tried(c->r, &c->items[i]) ? BUDDY_OK : write_anyway(user, i, folder, out_n_inputs);
}

buddy_code bd_reduction_run(bd_reduction *r, const bd_cut_choice *choice, bool *out_is_same) {
  bd_cut_choice copy = *choice;
  cuts c = {r, &copy};
  size_t which;
  const bd_reduction_candidates one = {.n = 1, .user = &c, .write = write_anyway};
  const buddy_code code = bd_reduction_first(r, &one, &which);
  *out_is_same = code == BUDDY_OK && which == 0;
  return code;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */
/* The kept nodes from `first` to before `end`, or all but those. */
typedef struct part {
  size_t first, end; /* among the kept nodes */
  bool is_left_out;
} part;

/* With what must come along. */
static void take(const bd_reduction *r, const part *takes, bool *has) {
  size_t number = 0;
  for (size_t i = 0; i < r->program.n_nodes; ++i) {
    const bool is_in = number >= takes->first && number < takes->end;
    has[i] = r->has[i] && is_in != takes->is_left_out;
    number += r->has[i];
  }
  bd_cut_close(&r->program, r->takes_random ? NULL : r->known, has);
}

/* The first of the parts that fails is what is kept from now on. Nothing is tried that leaves as many
 * nodes. */
static buddy_code try_parts(bd_reduction *r, const part *parts, size_t n, size_t *out_which) {
  const size_t n_nodes = r->program.n_nodes, n_kept = bd_reduction_n_nodes(r);
  bool *has = bd_calloc(n * n_nodes + 1, sizeof *has);
  bd_cut_choice *choices = bd_calloc(n + 1, sizeof *choices);
  size_t *numbers = bd_calloc(n + 1, sizeof *numbers), n_worth = 0;
  buddy_code code = has && choices && numbers ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  for (size_t k = 0; k < n && code == BUDDY_OK; ++k) {
    bool *own = has + n_worth * n_nodes;
    size_t n_has = 0;
    take(r, &parts[k], own);
    for (size_t i = 0; i < n_nodes; ++i) n_has += own[i];
    choices[n_worth] = (bd_cut_choice){own, r->sinks_alone};
    numbers[n_worth] = k;
    n_worth += n_has > 0 && n_has < n_kept;
  }
  cuts c = {r, choices};
  const bd_reduction_candidates all = {
      .n = n_worth, .user = &c, .write = write_new, .failed = note_cut};
  size_t which = n_worth;
  if (code == BUDDY_OK) code = bd_reduction_first(r, &all, &which);
  *out_which = code == BUDDY_OK && which < n_worth ? numbers[which] : n;
  if (*out_which < n) memcpy(r->has, choices[which].has, n_nodes * sizeof *has);
  bd_free(has);
  bd_free(choices);
  bd_free(numbers);
  return code;
}

static buddy_code halve(bd_reduction *r) {
  for (bool is_smaller = true; is_smaller && !bd_reduction_is_over();) {
    const size_t n = bd_reduction_n_nodes(r), half = (n + 1) / 2, quarter = n / 4;
    const part parts[] = {{n - half, n, false}, {0, half, false}, {quarter, quarter + half, false}};
    size_t which = 3;
    if (n > 1) BD_TRY(try_parts(r, parts, 3, &which));
    is_smaller = which < 3;
  }
  return BUDDY_OK;
}

/* Pieces of that size, from the last one on; *out_any: some could be taken out. */
static buddy_code take_pieces_out(bd_reduction *r, size_t size, bool *out_any) {
  enum { MOST = 32 };
  for (size_t end = bd_reduction_n_nodes(r); end > 0 && !bd_reduction_is_over();) {
    part pieces[MOST];
    size_t n = 0, which;
    for (size_t at = end; at > 0 && n < MOST; at = pieces[n++].first)
      pieces[n] = (part){at > size ? at - size : 0, at, true};
    BD_TRY(try_parts(r, pieces, n, &which));
    *out_any = *out_any || which < n;
    end = pieces[which < n ? which : n - 1].first;
    const size_t n_kept = bd_reduction_n_nodes(r);
    if (end > n_kept) end = n_kept;
  }
  return BUDDY_OK;
}

static buddy_code take_out(bd_reduction *r) {
  size_t size = bd_reduction_n_nodes(r) / 2;
  while (size > 0 && !bd_reduction_is_over()) {
    bool is_any = false;
    BD_TRY(take_pieces_out(r, size, &is_any));
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
  if (bd_reduction_is_over()) return BUDDY_OK;
  BD_TRY(bd_reduction_run(r, &fewer, &r->sinks_alone));
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
