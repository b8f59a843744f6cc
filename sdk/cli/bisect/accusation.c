// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/accusation.c: what a search has found, as text and as JSON. */
#include "sdk/cli/bisect/accusation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "sdk/cli/explorer.h"
#include "sdk/cli/json.h"

bd_accusation *bd_accusations_add(bd_accusations *all, const bd_finding *finding) {
  bd_accusation *grown = bd_realloc(all->items, (all->n + 1) * sizeof *grown);
  if (!grown) return NULL;
  all->items = grown;
  bd_accusation *one = &grown[all->n++];
  memset(one, 0, sizeof *one);
  one->finding = *finding;
  return one;
}

buddy_code bd_accusations_measure(bd_accusations *all, const bd_finding *finding) {
  bd_findings *every = &all->every;
  bd_finding *grown = bd_array_grow(every->items, &every->capacity, every->n + 1, sizeof *grown);
  if (!grown) return BUDDY_OUT_OF_MEMORY;
  every->items = grown;
  every->items[every->n++] = *finding;
  return BUDDY_OK;
}

size_t bd_accusations_n_errors(const bd_accusations *all) {
  return all->every.n > 0 ? all->every.n : all->n;
}

const bd_finding *bd_accusations_error(const bd_accusations *all, size_t i) {
  return all->every.n > 0 ? &all->every.items[i] : &all->items[i].finding;
}

void bd_accusations_free(bd_accusations *all) {
  bd_free(all->every.items);
  all->every = (bd_findings){.n = 0};
  bd_free(all->items);
  all->items = NULL;
  all->n = 0;
}

const bd_accusation *bd_accusations_find(const bd_accusations *all, size_t position) {
  for (size_t i = 0; i < all->n; ++i) {
    const bd_node_range range = all->items[i].finding.range;
    if (position >= range.first && position < range.end) return &all->items[i];
  }
  return NULL;
}

const bd_accusation *bd_accusations_find_op(const bd_accusations *all, const bd_bisect *b,
                                            const char *op) {
  for (size_t i = 0; i < all->n; ++i) {
    const bd_node_range range = all->items[i].finding.range;
    if (all->items[i].choices.n > 0 && range.end - range.first == 1 &&
        strcmp(buddy_node_op(b->nodes[range.first]), op) == 0)
      return &all->items[i];
  }
  return NULL;
}

void bd_accusations_of_cache(bd_accusations *all, const bd_finding *cached,
                             const bd_finding *anew) {
  bd_bisect_choice *choice = &all->choices.items[0];
  all->is_off = all->is_searched = all->is_confirmed = true;
  all->whole = *cached;
  all->with = *anew;
  all->choices.n = 1;
  all->choices.n_tried = 1;
  *choice =
      (bd_bisect_choice){.option = "--no-cache", .what = "code from the cache", .gap = anew->gap};
}

/* ---- Confirming ------------------------------------------------------------------------------ */
static int compare_ranges(const void *a, const void *b) {
  const size_t x = ((const bd_accusation *)a)->finding.range.first;
  const size_t y = ((const bd_accusation *)b)->finding.range.first;
  return x < y ? -1 : x > y;
}

buddy_code bd_accusations_confirm(bd_accusations *all, bd_bisect *b, const bd_results *reference) {
  const buddy_code code =
      bd_bisect_compare_with(b, all->whole.range, &b->current, reference, &all->with);
  all->is_confirmed = b->is_settled = code == BUDDY_OK && !bd_finding_is_off(b, &all->with);
  return code;
}

buddy_code bd_accusations_conclude(bd_accusations *all, bd_bisect *b) {
  if (all->n > 0) {
    qsort(all->items, all->n, sizeof *all->items, compare_ranges);
    return BUDDY_OK;
  }
  all->is_explained = bd_finding_is_rounding(b, &all->whole);
  if (all->is_explained) return BUDDY_OK; /* an option that rounds otherwise avoids nothing */
  const buddy_code code = bd_choices_try(b, &all->whole, &all->choices);
  all->is_explained = all->choices.n == 0;
  return code;
}

/* ---- Text ------------------------------------------------------------------------------------ */
/* "node conv2d_7 (model.py:41, layer1.0.conv1)", or the first and the last of several. */
static void print_range(const bd_bisect *b, bd_node_range range) {
  char text[512];
  const size_t n = range.end - range.first;
  buddy_node_describe(b->nodes[range.first], text, sizeof text);
  printf(n == 1 ? "node " : "nodes ");
  bd_put_shown(text, stdout);
  if (n == 1) return;
  buddy_node_describe(b->nodes[range.end - 1], text, sizeof text);
  printf(" to ");
  bd_put_shown(text, stdout);
  printf(", %zu that are right one by one,", n);
}

static void print_gap(const bd_gap *gap) {
  if (isinf(gap->relative) && gap->max_abs > 0) {
    printf("up to %.3g in %zu of %zu numbers", gap->max_abs, gap->n_different, gap->n);
  } else if (isinf(gap->relative)) {
    printf("NaN or infinity in %zu of %zu numbers", gap->n_different, gap->n);
  } else {
    printf("%.2g", gap->relative);
  }
}

/* Not the first of its kind: another registry for the same op. */
static bool is_another(const bd_choices *choices, size_t i) {
  for (size_t k = 0; k < i; ++k) {
    if (bd_options_are_alike(choices->items[k].option, choices->items[i].option)) return true;
  }
  return false;
}

static void print_ways_out(const bd_choices *choices) {
  if (choices->n == 0) {
    printf("; none of %d options avoids it", choices->n_tried);
    return;
  }
  printf(" with %s", choices->items[0].what);
  if (choices->n_tried > 0) {
    printf(" and ");
    print_gap(&choices->items[0].gap);
    printf(" without");
  }
  printf(": `%s`", choices->items[0].option);
  size_t n_told = 1;
  for (size_t i = 1; i < choices->n && n_told < 3; ++i) {
    if (is_another(choices, i)) continue;
    printf(" or `%s`", choices->items[i].option);
    ++n_told;
  }
  printf(n_told > 1 ? " avoid it" : " avoids it");
}

static void print_table(const bd_accusations *all, const bd_bisect *b) {
  static const char *const headings[] = {"NODE",    "OP",  "RESULT", "ERROR",  "MAX ABS",
                                         "MAX REL", "ULP", "SNR",    "COSINE", "AVOIDED BY"};
  bd_table *table = bd_table_create(headings, 10);
  for (size_t i = 0; i < bd_accusations_n_errors(all); ++i) {
    const bd_finding *f = bd_accusations_error(all, i);
    const buddy_node *node = buddy_value_node(f->value);
    const bd_accusation *one = bd_accusations_find(all, f->range.first);
    char error[32], absolute[32], relative[32], ulp[32], snr[32], cosine[32];
    snprintf(error, sizeof error, "%.2g", f->gap.relative);
    snprintf(absolute, sizeof absolute, "%.3g", f->gap.max_abs);
    snprintf(relative, sizeof relative, "%.2g", f->gap.max_rel);
    snprintf(ulp, sizeof ulp, "%.3g", f->gap.max_ulp);
    snprintf(snr, sizeof snr, "%.1f dB", f->gap.snr);
    snprintf(cosine, sizeof cosine, "%.6f", f->gap.cosine);
    const char *cells[] = {buddy_node_name(b->nodes[f->range.first]),
                           buddy_node_op(node),
                           buddy_value_name(f->value),
                           error,
                           absolute,
                           relative,
                           ulp,
                           snr,
                           cosine,
                           one && one->choices.n ? one->choices.items[0].option : ""};
    bd_table_add(table, cells);
  }
  if (table) bd_table_print(table, stdout);
  bd_table_destroy(table);
}

static void print_whole(const bd_accusations *all) {
  if (!all->whole.value) {
    printf("there is nothing to compare: results are inputs, constants or random numbers\n");
    return;
  }
  printf("%s: result %s differs by ", all->is_off ? "off" : "within rounding",
         buddy_value_name(all->whole.value));
  print_gap(&all->whole.gap);
  printf("%s%s\n", isinf(all->whole.gap.relative) ? "" : " of its largest number",
         all->is_later_run ? ", in runs after the first alone" : "");
}

static bool has_rounding(const buddy_value *value) {
  return bd_gap_tolerance(buddy_value_type(value)->dtype) > 0;
}

/* Golden values were made of other random numbers than these are; what overflows is no rounding. */
static void print_explained(const bd_accusations *all, const bd_bisect *b) {
  const buddy_node *random = NULL;
  for (size_t i = 0; i < b->n_nodes && b->golden && !random; ++i)
    random = bd_node_is_random(b->nodes[i]) ? b->nodes[i] : NULL;
  printf("every node is within rounding of the reference's");
  if (random) {
    printf(" on the same values; ");
    bd_put_shown(buddy_node_name(random), stdout);
    printf(" draws other random numbers\n");
  } else if (isinf(all->whole.gap.relative) && has_rounding(all->whole.value)) {
    printf(" on the same values; `--nan` follows what is not finite\n");
  } else {
    printf(", which adds up to that\n");
  }
}

static void print_all(const bd_accusations *all, const bd_bisect *b) {
  print_whole(all);
  for (size_t i = 0; i < all->n; ++i) {
    print_range(b, all->items[i].finding.range);
    printf(" is off by ");
    print_gap(&all->items[i].finding.gap);
    print_ways_out(&all->items[i].choices);
    printf("\n");
  }
  if (all->is_searched && all->n == 0 && !all->is_explained) {
    printf(all->with.value ? "the whole model is off by "
                           : "no node is off by itself; the whole is off by ");
    print_gap(&all->whole.gap);
    print_ways_out(&all->choices);
    printf("\n");
  }
  if (all->is_off && all->n == 0 && all->is_explained) print_explained(all, b);
  if (all->n > 0 && all->with.value) {
    printf("the whole model with %s: ",
           all->n > 1 ? "the first option of each" : "the first option");
    print_gap(&all->with.gap);
    printf(all->is_confirmed ? ", within rounding\n" : ", still off\n");
  }
  if (bd_accusations_n_errors(all) == 0) return;
  printf("\n");
  print_table(all, b);
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static json_t *number(double value) {
  return isfinite(value) ? json_real(value)
                         : json_string(isnan(value) ? "nan"
                                       : value < 0  ? "-inf"
                                                    : "inf");
}

static json_t *gap_json(const bd_gap *gap) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "relative", number(gap->relative),
                   "max_abs", number(gap->max_abs), "max_rel", number(gap->max_rel), "max_ulp",
                   number(gap->max_ulp), "snr", number(gap->snr), "cosine", number(gap->cosine),
                   "elements", (json_int_t)gap->n, "different", (json_int_t)gap->n_different);
}

static json_t *node_json(const buddy_node *node) {
  const buddy_location *at = buddy_node_location(node);
  return json_pack("{s:o, s:o, s:o, s:i, s:o}", "node", bd_json_text(buddy_node_name(node)), "op",
                   bd_json_text(buddy_node_op(node)), "file", bd_json_text(at->file), "line",
                   (int)at->line, "module", bd_json_text(at->module_path));
}

static json_t *choices_json(const bd_choices *choices) {
  json_t *list = json_array();
  for (size_t i = 0; i < choices->n; ++i)
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:o}", "option", choices->items[i].option, "without",
                        choices->items[i].what, "error",
                        choices->n_tried ? gap_json(&choices->items[i].gap) : json_null()));
  return list;
}

static json_t *finding_json(const bd_bisect *b, const bd_accusation *one) {
  json_t *nodes = json_array();
  for (size_t i = one->finding.range.first; i < one->finding.range.end; ++i)
    json_array_append_new(nodes, node_json(b->nodes[i]));
  return json_pack("{s:o, s:o, s:o, s:o, s:i}", "nodes", nodes, "result",
                   bd_json_text(buddy_value_name(one->finding.value)), "error",
                   gap_json(&one->finding.gap), "avoided_by", choices_json(&one->choices),
                   "options_tried", one->choices.n_tried);
}

static void print_json(const bd_accusations *all, const bd_bisect *b) {
  json_t *findings = json_array(), *every = json_array();
  for (size_t i = 0; i < all->every.n; ++i) {
    const bd_finding *f = &all->every.items[i];
    json_t *node = node_json(b->nodes[f->range.first]);
    json_object_set_new(node, "result", bd_json_text(buddy_value_name(f->value)));
    json_object_set_new(node, "error", gap_json(&f->gap));
    json_object_set_new(node, "is_off", json_boolean(bd_finding_is_off(b, f)));
    json_array_append_new(every, node);
  }
  for (size_t i = 0; i < all->n; ++i)
    json_array_append_new(findings, finding_json(b, &all->items[i]));
  json_t *root =
      json_pack("{s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:b, s:I}", "is_off", all->is_off,
                "is_in_later_runs_alone", all->is_later_run, "error", gap_json(&all->whole.gap),
                "findings", findings, "nodes", every, "avoided_by", choices_json(&all->choices),
                "error_with_all", all->with.value ? gap_json(&all->with.gap) : json_null(),
                "is_confirmed", all->is_confirmed, "programs", (json_int_t)b->n_programs);
  bd_json_print(root, 1);
}

void bd_accusations_tell(const bd_accusations *all, const bd_bisect *b, bool is_json) {
  (is_json ? print_json : print_all)(all, b);
}

buddy_code bd_accusations_write(const bd_accusations *all, const bd_bisect *b, const char *path) {
  json_t *data = bd_explorer_data("error");
  for (size_t i = 0; i < bd_accusations_n_errors(all); ++i) {
    const bd_finding *f = bd_accusations_error(all, i);
    bd_explorer_data_add(data, buddy_node_name(buddy_value_node(f->value)),
                         isfinite(f->gap.relative) ? f->gap.relative : 1e30);
  }
  return bd_explorer_data_write(data, b->graph, path, b->diags);
}

/* ---- Not a number ---------------------------------------------------------------------------- */
/* "x (-1 to 3, 2 infinite)" */
static void print_numbers(const bd_numbers *numbers) {
  const char *gap = "";
  printf("%s", buddy_value_node(numbers->value) ? "" : "given ");
  bd_put_shown(buddy_value_name(numbers->value), stdout);
  printf(" (");
  if (numbers->least <= numbers->most) {
    printf("%.3g to %.3g", numbers->least, numbers->most);
    gap = ", ";
  }
  if (numbers->n_nan > 0) {
    printf("%s%zu NaN", gap, numbers->n_nan);
    gap = ", ";
  }
  if (numbers->n_infinite > 0) printf("%s%zu infinite", gap, numbers->n_infinite);
  printf(")");
}

static void print_origin(const bd_bisect *b, const bd_nonfinite_origin *origin) {
  char text[512];
  const size_t n = origin->range.end - origin->range.first;
  buddy_node_describe(b->nodes[origin->range.first], text, sizeof text);
  printf(n > 1 ? "nodes " : "node ");
  bd_put_shown(text, stdout);
  if (n > 1) {
    buddy_node_describe(b->nodes[origin->range.end - 1], text, sizeof text);
    printf(" to ");
    bd_put_shown(text, stdout);
    printf(", none of them alone,");
  }
  printf(n > 1 ? " make " : " makes ");
  print_numbers(&origin->made);
  for (size_t i = 0; i < origin->n_inputs; ++i) {
    printf(i == 0 ? " of " : i + 1 < origin->n_inputs ? ", " : " and ");
    print_numbers(&origin->inputs[i]);
  }
  printf("\n");
}

static json_t *numbers_json(const bd_numbers *numbers) {
  return json_pack("{s:o, s:b, s:I, s:I, s:I, s:o, s:o}", "name",
                   bd_json_text(buddy_value_name(numbers->value)), "is_given",
                   !buddy_value_node(numbers->value), "elements", (json_int_t)numbers->n, "nan",
                   (json_int_t)numbers->n_nan, "infinite", (json_int_t)numbers->n_infinite, "least",
                   number(numbers->least), "most", number(numbers->most));
}

static json_t *nonfinite_json(const bd_bisect *b, const bd_nonfinite *nonfinite) {
  json_t *origins = json_array();
  for (size_t i = 0; i < nonfinite->n_origins; ++i) {
    const bd_nonfinite_origin *origin = &nonfinite->origins[i];
    json_t *nodes = json_array(), *inputs = json_array();
    for (size_t k = origin->range.first; k < origin->range.end; ++k)
      json_array_append_new(nodes, node_json(b->nodes[k]));
    for (size_t k = 0; k < origin->n_inputs; ++k)
      json_array_append_new(inputs, numbers_json(&origin->inputs[k]));
    json_array_append_new(origins, json_pack("{s:o, s:o, s:o}", "nodes", nodes, "makes",
                                             numbers_json(&origin->made), "of", inputs));
  }
  return json_pack("{s:o, s:o, s:I}", "result",
                   nonfinite->result.value ? numbers_json(&nonfinite->result) : json_null(),
                   "origins", origins, "programs", (json_int_t)b->n_programs);
}

void bd_nonfinite_tell(const bd_nonfinite *nonfinite, const bd_bisect *b, bool is_json) {
  if (is_json) {
    bd_json_print(nonfinite_json(b, nonfinite), 1);
    return;
  }
  if (!nonfinite->result.value) {
    printf("no NaN and no infinity in a result\n");
    return;
  }
  printf("%s in result ", nonfinite->result.n_nan ? "NaN" : "infinity");
  print_numbers(&nonfinite->result);
  printf("\n");
  for (size_t i = 0; i < nonfinite->n_origins; ++i) print_origin(b, &nonfinite->origins[i]);
}
