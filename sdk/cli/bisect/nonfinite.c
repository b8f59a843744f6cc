// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/nonfinite.c: where numbers of a result come from that are none. The whole runs once. What
 * is not finite in a result is followed to the node that makes it of numbers that are: the part that
 * makes it is halved, and a half whose inputs are finite, or are made so, answers for itself. So what
 * never reaches the result, as after a mask, is not told of. */
#include <math.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

static bool is_inexact(const buddy_tensor *tensor) {
  return tensor->bytes && bd_gap_tolerance(tensor->dtype) > 0;
}

static void summarise(const buddy_value *value, const buddy_tensor *tensor, bd_numbers *out) {
  const int64_t n = buddy_tensor_n_elements(tensor);
  *out = (bd_numbers){.value = value, .least = INFINITY, .most = -INFINITY, .n = (size_t)n};
  for (int64_t i = 0; i < n; ++i) {
    const double number = bd_element(tensor, i, false), other = bd_element(tensor, i, true);
    const bool is_nan = isnan(number) || isnan(other);
    out->n_nan += is_nan;
    if (is_nan) continue;
    out->n_infinite += isinf(number) || isinf(other);
    if (isinf(number)) continue;
    out->least = fmin(out->least, number);
    out->most = fmax(out->most, number);
  }
}

static bool has_nonfinite(const buddy_tensor *tensor, bool is_nan) {
  const int64_t n = is_inexact(tensor) ? buddy_tensor_n_elements(tensor) : 0;
  for (int64_t i = 0; i < n; ++i) {
    if (bd_is_nonfinite(bd_element(tensor, i, false), is_nan) ||
        bd_is_nonfinite(bd_element(tensor, i, true), is_nan))
      return true;
  }
  return false;
}

/* ---- Following ------------------------------------------------------------------------------- */
typedef struct chase {
  bd_bisect *b;
  bool is_nan;               /* infinities are no matter */
  const buddy_value *target; /* has such numbers */
  bd_node_range range;       /* makes it, of values that have none */
} chase;

static buddy_code run(const chase *c, bd_node_range range, bd_results *out) {
  const bd_part_options once = {.n_runs = 1};
  return bd_part_run(c->b, range, &c->b->candidate, &once, out);
}

static bool is_in(const chase *c, const bd_results *results) {
  for (size_t i = 0; i < results->n; ++i) {
    if (results->values[i] == c->target && has_nonfinite(&results->tensors[i], c->is_nan))
      return true;
  }
  return false;
}

/* Whether the second half makes it of the store's values, of which `kept` stays as it is and the others
 * are finite. Null: none stays. */
static buddy_code is_made(const chase *c, bd_node_range range, const bd_results *alive,
                          const buddy_value *kept, bool *out) {
  bd_bisect *b = c->b;
  bd_results results = {.n = 0};
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < alive->n && code == BUDDY_OK; ++i) {
    buddy_tensor *tensor = &bd_values_get(b->values, alive->values[i])->tensor;
    buddy_tensor_release(tensor);
    code = alive->values[i] == kept
               ? bd_tensor_convert(&alive->tensors[i], alive->tensors[i].dtype, tensor)
               : bd_tensor_finite(&alive->tensors[i], c->is_nan, tensor);
    if (code == BUDDY_OK) bd_values_learn(b->values, alive->values[i], tensor);
  }
  if (code == BUDDY_OK) code = run(c, range, &results);
  *out = code == BUDDY_OK && is_in(c, &results);
  bd_results_free(&results);
  return code;
}

static void drop(const chase *c, const bd_results *results) {
  for (size_t i = 0; i < results->n; ++i)
    buddy_tensor_release(&bd_values_get(c->b->values, results->values[i])->tensor);
}

/* Which of the first half's values the target comes from: the first with which alone it is not finite. */
static buddy_code find_carrier(const chase *c, bd_node_range right, const bd_results *left,
                               const buddy_value **out) {
  size_t n = 0;
  bool is_carrier = false;
  *out = NULL;
  for (size_t i = 0; i < left->n; ++i) {
    if (!has_nonfinite(&left->tensors[i], c->is_nan)) continue;
    if (n++ == 0) *out = left->values[i];
  }
  for (size_t i = 0; n > 1 && i < left->n && !is_carrier; ++i) {
    if (!has_nonfinite(&left->tensors[i], c->is_nan)) continue;
    BD_TRY(is_made(c, right, left, left->values[i], &is_carrier));
    if (is_carrier) *out = left->values[i];
  }
  return BUDDY_OK;
}

/* Halves the range, which becomes the half that makes the target. */
static buddy_code halve(chase *c) {
  const size_t middle = c->range.first + (c->range.end - c->range.first) / 2;
  const bd_node_range right = {middle, c->range.end};
  const buddy_value *carrier = NULL;
  bd_results left = {.n = 0};
  bool is_right = false;
  buddy_code code = run(c, (bd_node_range){c->range.first, middle}, &left);
  if (code == BUDDY_OK) code = is_made(c, right, &left, NULL, &is_right);
  if (code == BUDDY_OK && is_right) {
    c->range = right; /* the store's values stay */
  } else if (code == BUDDY_OK) {
    code = find_carrier(c, right, &left, &carrier);
    drop(c, &left);
    if (carrier) c->target = carrier;
    c->range = (bd_node_range){c->range.first, carrier ? middle : c->range.first};
  }
  bd_results_free(&left);
  return code;
}

/* ---- The origin ------------------------------------------------------------------------------ */
static void note_input(void *user, const buddy_value *value, const buddy_tensor *tensor) {
  bd_nonfinite_origin *origin = user;
  if (origin->n_inputs == BD_MAX_NUMBERS || !is_inexact(tensor)) return;
  summarise(value, tensor, &origin->inputs[origin->n_inputs++]);
}

/* The nodes once more, with what they read. */
static buddy_code describe(const chase *c, bd_nonfinite_origin *out) {
  const bd_part_options once = {.n_runs = 1, .see = note_input, .user = out};
  bd_results results = {.n = 0};
  out->range = c->range;
  out->n_inputs = 0;
  const buddy_code code = bd_part_run(c->b, c->range, &c->b->candidate, &once, &results);
  for (size_t i = 0; i < results.n; ++i) {
    if (results.values[i] == c->target) summarise(c->target, &results.tensors[i], &out->made);
  }
  bd_results_free(&results);
  return code;
}

/* Where the target becomes so. A range that does not when it is halved is told of as a whole. */
static buddy_code follow(bd_bisect *b, const buddy_value *target, bool is_nan,
                         bd_nonfinite_origin *out) {
  chase c = {b, is_nan, target, {0, 0}};
  buddy_code code = BUDDY_OK;
  size_t end = bd_values_get(b->values, target)->made + 1;
  for (c.range.end = end; c.range.end - c.range.first > 1 && code == BUDDY_OK;) {
    const bd_node_range before = c.range;
    code = halve(&c);
    if (c.range.end == c.range.first) {
      c.range = before;
      break;
    }
    end = bd_values_get(b->values, c.target)->made + 1;
    if (c.range.end > end) c.range.end = end;
  }
  if (code == BUDDY_OK) code = describe(&c, out);
  bd_values_drop_dead(b, b->n_nodes + 1);
  return code;
}

/* The result that is to be followed: one with NaN, or else with infinities. */
static void choose(const bd_results *results, bd_nonfinite *out) {
  for (int is_nan = 1; is_nan >= 0 && !out->result.value; --is_nan) {
    for (size_t i = 0; i < results->n && !out->result.value; ++i) {
      if (!has_nonfinite(&results->tensors[i], is_nan)) continue;
      summarise(results->values[i], &results->tensors[i], &out->result);
    }
  }
}

buddy_code bd_bisect_nonfinite(bd_bisect *b, bd_nonfinite *out) {
  const bd_part_options once = {.n_runs = 1};
  bd_results results = {.n = 0};
  *out = (bd_nonfinite){.n_origins = 0};
  BD_TRY(bd_part_run(b, (bd_node_range){0, b->n_nodes}, &b->candidate, &once, &results));
  choose(&results, out);
  bd_results_free(&results);
  if (!out->result.value) return BUDDY_OK;
  bd_nonfinite_origin *first = &out->origins[out->n_origins++];
  BD_TRY(follow(b, out->result.value, out->result.n_nan > 0, first));
  for (size_t i = 0; i < first->n_inputs && out->n_origins < 2; ++i) {
    const bd_numbers *input = &first->inputs[i];
    if (input->n_infinite == 0 || !buddy_value_node(input->value)) continue;
    BD_TRY(follow(b, input->value, false, &out->origins[out->n_origins++]));
  }
  return BUDDY_OK;
}
