// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/search.c: halves a part that is off, until a node is left, or nodes that are off
 * together alone. Each half runs on the reference's values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"

#define ONCE {.n_runs = 1}

/* ---- Comparing ------------------------------------------------------------------------------- */
static double allowed(const bd_bisect *b, const buddy_value *value) {
  const buddy_dtype dtype = buddy_value_type(value)->dtype;
  return b->tolerances[dtype] > 0 ? b->tolerances[dtype] : bd_gap_tolerance(dtype);
}

bool bd_finding_is_off(const bd_bisect *b, const bd_finding *finding) {
  return finding->value && finding->gap.relative > allowed(b, finding->value);
}

bool bd_node_is_random(const buddy_node *node) {
  const buddy_opdef *def = node ? buddy_node_opdef(node) : NULL;
  const char *op = node ? buddy_node_op(node) : "";
  return (def && buddy_opdef_kind(def) == BUDDY_KIND_RANDOM) || strstr(op, ".empty") ||
         strstr(op, ".new_empty");
}

/* By how many times the tolerance a value is off. */
static double excess(const bd_bisect *b, const buddy_value *value, const bd_gap *gap) {
  const double most = allowed(b, value);
  return most > 0 ? gap->relative / most : gap->relative > 0 ? INFINITY : 0;
}

void bd_finding_worst(const bd_bisect *b, const bd_results *reference, const bd_results *candidate,
                      bd_finding *out) {
  double worst = -1;
  for (size_t i = 0; i < candidate->n; ++i) {
    const buddy_value *value = candidate->values[i];
    bd_gap gap;
    if (bd_node_is_random(buddy_value_node(value)) ||
        candidate->tensors[i].dtype == BUDDY_DTYPE_NONE)
      continue;
    bd_gap_measure(&reference->tensors[i], &candidate->tensors[i], &gap);
    const double by = excess(b, value, &gap);
    if (by <= worst) continue;
    worst = by;
    out->value = value;
    out->gap = gap;
  }
}

/* The reference's results: golden ones as far as there are, and if all are there nothing runs. */
static buddy_code run_reference(bd_bisect *b, bd_node_range range, bool takes_all,
                                bd_results *out) {
  const bd_part_options once = {.n_runs = 1, .takes_all = takes_all};
  bd_results golden;
  size_t n_found = 0;
  buddy_code code = bd_part_results(b, range, takes_all, &golden);
  for (size_t i = 0; i < golden.n && code == BUDDY_OK && b->golden; ++i) {
    code = bd_golden_read(b->golden, golden.values[i], b->diags, &golden.tensors[i]);
    n_found += code == BUDDY_OK;
    if (code == BUDDY_NOT_FOUND) code = BUDDY_OK;
  }
  if (code == BUDDY_OK && n_found == golden.n) {
    *out = golden;
    return code;
  }
  if (code == BUDDY_OK) code = bd_part_run(b, range, &b->reference, &once, out);
  for (size_t i = 0; i < golden.n && code == BUDDY_OK; ++i) {
    if (golden.tensors[i].dtype == BUDDY_DTYPE_NONE) continue;
    buddy_tensor_release(&out->tensors[i]);
    out->tensors[i] = golden.tensors[i];
    golden.tensors[i] = (buddy_tensor){.dtype = BUDDY_DTYPE_NONE};
  }
  bd_results_free(&golden);
  return code;
}

buddy_code bd_reference_run(bd_bisect *b, bd_node_range range, bd_results *out) {
  return run_reference(b, range, false, out);
}

buddy_code bd_bisect_compare_with(bd_bisect *b, bd_node_range range, const bd_way *way,
                                  const bd_results *reference, bd_finding *out_worst) {
  const bd_part_options options = {.n_runs = b->n_runs};
  bd_results candidate = {0};
  *out_worst = (bd_finding){.range = range};
  const buddy_code code = bd_part_run(b, range, way, &options, &candidate);
  if (code == BUDDY_OK) bd_finding_worst(b, reference, &candidate, out_worst);
  bd_results_free(&candidate);
  return code;
}

buddy_code bd_bisect_compare(bd_bisect *b, bd_node_range range, const bd_way *way,
                             bd_finding *out_worst, bd_results *out_reference) {
  bd_results reference = {0};
  *out_worst = (bd_finding){.range = range};
  buddy_code code = bd_reference_run(b, range, &reference);
  if (code == BUDDY_OK) code = bd_bisect_compare_with(b, range, way, &reference, out_worst);
  if (code == BUDDY_OK && out_reference) {
    *out_reference = reference;
  } else {
    bd_results_free(&reference);
  }
  return code;
}

/* ---- Values that are alive ------------------------------------------------------------------- */
static void drop(bd_bisect *b, const bd_results *results) {
  for (size_t i = 0; i < results->n; ++i)
    buddy_tensor_release(&bd_values_get(b->values, results->values[i])->tensor);
}

/* ---- Rounding -------------------------------------------------------------------------------- */
/* What is off may be a part whose exact result depends on the last bits of its operands. In float64,
 * operands that differ by what rounding does tell how much: less than some times that is no fault. */
bool bd_finding_is_rounding(bd_bisect *b, const bd_finding *finding) {
  const buddy_dtype dtype = buddy_value_type(finding->value)->dtype;
  if (bd_gap_tolerance(dtype) == 0 || isinf(finding->gap.relative)) return false;
  const double eps = dtype == BUDDY_F16 ? 0x1p-11 : dtype == BUDDY_BF16 ? 0x1p-8 : 0x1p-24;
  bd_way wide = b->reference;
  buddy_diags *diags = b->diags;
  bd_results exact = {0}, moved = {0};
  const bd_part_options dithered = {.n_runs = 1, .dither = eps, .plain = &exact};
  wide.is_double = true;
  b->diags = NULL; /* what cannot be had in float64 is judged without */
  bool is_explained = false;
  if (bd_part_run(b, finding->range, &wide, &dithered, &moved) == BUDDY_OK) {
    for (size_t i = 0; i < exact.n; ++i) {
      bd_gap gap;
      if (exact.values[i] != finding->value) continue;
      bd_gap_measure(&exact.tensors[i], &moved.tensors[i], &gap);
      is_explained = finding->gap.max_abs <= 16 * gap.max_abs;
    }
  }
  b->diags = diags;
  bd_results_free(&exact);
  bd_results_free(&moved);
  return is_explained;
}

/* ---- Halving --------------------------------------------------------------------------------- */
typedef struct search {
  bd_bisect *b;
  bd_found found;
  void *user;
} search;

/* Node by node, each on what the candidate made of the one before: the same error as the whole has is
 * rounding that adds up, and no fault of doing the nodes together. */
static buddy_code is_off_one_by_one(bd_bisect *b, bd_node_range range, const bd_results *reference,
                                    bool *out) {
  const bd_part_options once = ONCE;
  bd_results *made = bd_calloc(range.end - range.first + 1, sizeof *made), last = {0};
  buddy_code code = made ? bd_part_results(b, range, false, &last) : BUDDY_OUT_OF_MEMORY;
  size_t n = 0;
  for (; n < range.end - range.first && code == BUDDY_OK; ++n) {
    const bd_node_range one = {range.first + n, range.first + n + 1};
    code = bd_part_run(b, one, &b->current, &once, &made[n]);
    if (code == BUDDY_OK) code = bd_values_keep(b, &made[n]);
  }
  *out = false;
  for (size_t i = 0; i < last.n && code == BUDDY_OK; ++i) {
    bd_finding finding = {.value = last.values[i]};
    if (bd_node_is_random(buddy_value_node(finding.value))) continue;
    bd_gap_measure(&reference->tensors[i], &bd_values_get(b->values, finding.value)->tensor,
                   &finding.gap);
    *out = *out || bd_finding_is_off(b, &finding);
  }
  for (size_t i = 0; i < n; ++i) {
    drop(b, &made[i]);
    bd_results_free(&made[i]);
  }
  bd_free(made);
  bd_results_free(&last);
  return code;
}

/* Compares a part of what begins at `lo`, from where the reference's values are alive. */
static buddy_code compare_from(const search *s, size_t lo, bd_node_range range, bd_found found,
                               bd_finding *out) {
  bd_bisect *b = s->b;
  bd_results head = {0};
  buddy_code code =
      lo < range.first ? bd_reference_run(b, (bd_node_range){lo, range.first}, &head) : BUDDY_OK;
  if (code == BUDDY_OK) code = bd_values_keep(b, &head);
  if (code == BUDDY_OK && !found) code = bd_bisect_compare(b, range, &b->current, out, NULL);
  if (code == BUDDY_OK && found && !bd_finding_is_rounding(b, out)) code = found(s->user, out);
  drop(b, &head);
  bd_results_free(&head);
  return code;
}

/* Nodes on both sides of the middle are off together. As few of them as still are: first the end comes
 * nearer, then the beginning. */
static buddy_code shrink(const search *s, size_t middle, bd_finding *finding) {
  const size_t lo = finding->range.first;
  bd_finding now;
  for (size_t right = middle; finding->range.end - right > 1;) {
    const size_t at = right + (finding->range.end - right) / 2;
    BD_TRY(compare_from(s, lo, (bd_node_range){lo, at}, NULL, &now));
    if (bd_finding_is_off(s->b, &now)) {
      *finding = now;
    } else {
      right = at;
    }
  }
  for (size_t right = middle; right - finding->range.first > 1;) {
    const size_t at = finding->range.first + (right - finding->range.first) / 2;
    BD_TRY(compare_from(s, lo, (bd_node_range){at, finding->range.end}, NULL, &now));
    if (bd_finding_is_off(s->b, &now)) {
      *finding = now;
    } else {
      right = at;
    }
  }
  return BUDDY_OK;
}

/* Nodes that are right alone, and off together. */
static buddy_code judge_together(const search *s, size_t middle, const bd_finding *finding,
                                 const bd_results *reference) {
  bool is_inherent = true;
  bd_finding least = *finding;
  BD_TRY(is_off_one_by_one(s->b, finding->range, reference, &is_inherent));
  if (is_inherent) return BUDDY_OK;
  BD_TRY(shrink(s, middle, &least));
  return compare_from(s, finding->range.first, least.range, s->found, &least);
}

static buddy_code halve(const search *s, const bd_finding *finding, const bd_results *reference);

/* A part; out_is_off: it, or something in it, is. Its results become the store's. */
static buddy_code look(const search *s, bd_node_range range, bool *out_is_off, bd_results *out) {
  bd_finding finding;
  if (s->b->is_settled) return BUDDY_OK;
  buddy_code code = bd_bisect_compare(s->b, range, &s->b->current, &finding, out);
  *out_is_off = code == BUDDY_OK && bd_finding_is_off(s->b, &finding);
  if (*out_is_off) code = halve(s, &finding, out);
  return code == BUDDY_OK ? bd_values_keep(s->b, out) : code;
}

static buddy_code halve(const search *s, const bd_finding *finding, const bd_results *reference) {
  const bd_node_range range = finding->range;
  const size_t middle = range.first + (range.end - range.first) / 2;
  if (range.end - range.first <= 1)
    return bd_finding_is_rounding(s->b, finding) ? BUDDY_OK : s->found(s->user, finding);
  bool is_left_off = false, is_right_off = false;
  bd_results left = {0}, right = {0};
  buddy_code code = look(s, (bd_node_range){range.first, middle}, &is_left_off, &left);
  if (code == BUDDY_OK) code = look(s, (bd_node_range){middle, range.end}, &is_right_off, &right);
  drop(s->b, &right);
  drop(s->b, &left);
  bd_results_free(&right);
  bd_results_free(&left);
  if (code == BUDDY_OK && !is_left_off && !is_right_off)
    code = judge_together(s, middle, finding, reference);
  return code;
}

buddy_code bd_bisect_search(bd_bisect *b, const bd_finding *whole, const bd_results *reference,
                            bd_found found, void *user) {
  const search s = {b, found, user};
  return halve(&s, whole, reference);
}

/* ---- Node by node ---------------------------------------------------------------------------- */
enum { CHUNK = 24 }; /* nodes whose values are alive at once */

typedef struct look_at {
  bd_bisect *b;
  bd_node_wanted wanted; /* null: all are, and each is found, off or not */
  bd_found found;
  void *user;
  bool *picked, *is_open; /* by position: of this program; of those that follow */
} look_at;

static bool wants(const look_at *l, size_t position) {
  return !l->wanted || l->wanted(l->user, l->b->nodes[position], position) > 0;
}

static buddy_code judge_node(const look_at *l, size_t position, const bd_results *candidate) {
  bd_bisect *b = l->b;
  bd_finding finding = {.range = {position, position + 1}};
  double worst = -1;
  for (size_t i = 0; i < candidate->n; ++i) {
    const buddy_value *value = candidate->values[i];
    bd_gap gap;
    if (buddy_value_node(value) != b->nodes[position] || bd_node_is_random(b->nodes[position]))
      continue;
    bd_gap_measure(&bd_values_get(b->values, value)->tensor, &candidate->tensors[i], &gap);
    const double by = excess(b, value, &gap);
    if (by <= worst) continue;
    worst = by;
    finding.value = value;
    finding.gap = gap;
  }
  if (!finding.value) return BUDDY_OK;
  if (!l->wanted) return l->found(l->user, &finding);
  const double enough = l->wanted(l->user, b->nodes[position], position);
  const bool is_off = bd_finding_is_off(b, &finding) &&
                      (finding.gap.relative >= enough || !bd_finding_is_rounding(b, &finding));
  return is_off ? l->found(l->user, &finding) : BUDDY_OK;
}

/* The picked nodes of both ways, in one program. */
static buddy_code judge_picked(const look_at *l, bd_node_range range) {
  const bd_part_options options = {.n_runs = l->b->n_runs, .picked = l->picked};
  bd_results candidate = {.n = 0};
  buddy_code code = bd_part_run(l->b, range, &l->b->candidate, &options, &candidate);
  for (size_t i = range.first; i < range.end && code == BUDDY_OK; ++i) {
    if (l->picked[i]) code = judge_node(l, i, &candidate);
    l->picked[i] = false;
  }
  bd_results_free(&candidate);
  return code;
}

static bool reads_picked(const look_at *l, size_t first, size_t position) {
  const bd_bisect *b = l->b;
  for (size_t i = first; i < position; ++i) {
    for (size_t k = 0; l->picked[i] && k < buddy_node_n_results(b->nodes[i]); ++k) {
      const buddy_use *use = buddy_value_first_use(buddy_node_result(b->nodes[i], k));
      for (; use; use = buddy_use_next(use)) {
        if (buddy_use_node(use) == b->nodes[position]) return true;
      }
    }
  }
  return false;
}

/* As many open nodes as do not read one another: of a chain every second. How many. */
static size_t pick(const look_at *l, bd_node_range range) {
  size_t n = 0;
  for (size_t i = range.first; i < range.end; ++i) {
    if (!l->is_open[i] || reads_picked(l, range.first, i)) continue;
    l->picked[i] = true;
    l->is_open[i] = false;
    ++n;
  }
  return n;
}

/* The reference's values of a piece, and the nodes of it that are wanted. */
static buddy_code look_at_piece(const look_at *l, bd_node_range range) {
  bd_bisect *b = l->b;
  bd_results made = {.n = 0};
  buddy_code code = run_reference(b, range, true, &made);
  if (code == BUDDY_OK) code = bd_values_keep(b, &made);
  while (code == BUDDY_OK && pick(l, range) > 0) code = judge_picked(l, range);
  bd_results_free(&made);
  bd_values_drop_dead(b, range.end);
  return code;
}

buddy_code bd_bisect_look_at(bd_bisect *b, bd_node_wanted wanted, bd_found found, void *user) {
  bool *flags = bd_calloc(2 * b->n_nodes + 1, sizeof *flags);
  const look_at l = {b, wanted, found, user, flags, flags ? flags + b->n_nodes : NULL};
  size_t end = 0; /* after the last that is wanted */
  buddy_code code = flags ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < b->n_nodes && code == BUDDY_OK; ++i) {
    l.is_open[i] = wants(&l, i);
    if (l.is_open[i]) end = i + 1;
  }
  for (size_t first = 0; first < end && code == BUDDY_OK; first += CHUNK) {
    const bd_node_range range = {first, first + CHUNK < end ? first + CHUNK : end};
    code = look_at_piece(&l, range);
  }
  bd_values_drop_dead(b, b->n_nodes + 1);
  bd_free(flags);
  return code;
}
