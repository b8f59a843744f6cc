// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/page.c: the page of `buddy bisect`: what is off, and the graph with its errors. */
#include <math.h>

#include "core/base/try.h"
#include "sdk/cli/bisect/accusation.h"
#include "sdk/cli/explorer.h"
#include "sdk/cli/json.h"
#include "sdk/cli/page.h"

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_string(isnan(value) ? "nan" : "inf");
}

static json_t *data_of(const bd_accusations *all) {
  json_t *results = json_object();
  for (size_t i = 0; i < bd_accusations_n_errors(all); ++i) {
    const bd_finding *f = bd_accusations_error(all, i);
    json_object_set_new(results, buddy_node_name(buddy_value_node(f->value)),
                        json_pack("{s:o}", "value", number(f->gap.relative)));
  }
  return json_pack("{s:s, s:o}", "name", "error", "results", results);
}

static void add_finding(json_t *view, const bd_bisect *b, const bd_accusation *one) {
  const bd_finding *f = &one->finding;
  const buddy_node *first = b->nodes[f->range.first];
  char text[512];
  json_t *more = json_array();
  buddy_node_describe(first, text, sizeof text);
  bd_page_tell(more, f->range.end - f->range.first > 1 ? "first of several" : "where", text);
  bd_page_tell(more, "code", buddy_node_location(first)->code);
  for (size_t i = 0; i < one->choices.n; ++i)
    bd_page_tell(more, one->choices.items[i].option, "avoids it");
  json_t *cells = json_pack(
      "[o, o, o, o, o, o, o, o, s]", bd_json_text(buddy_node_name(first)),
      bd_json_text(buddy_node_op(first)), bd_json_text(buddy_value_name(f->value)),
      number(f->gap.relative), number(f->gap.max_abs), number(f->gap.max_ulp), number(f->gap.snr),
      number(f->gap.cosine), one->choices.n ? one->choices.items[0].option : "");
  bd_page_row(view, cells, json_string(""), more);
}

static void add_findings(json_t *page, const bd_accusations *all, const bd_bisect *b) {
  static const bd_page_column columns[] = {
      {"node", "text", NULL, false, true},         {"op", "text", NULL, false, false},
      {"result", "text", NULL, false, false},      {"error", "number", "max", true, true},
      {"max abs", "number", NULL, false, false},   {"ULP", "number", NULL, false, false},
      {"SNR in dB", "number", NULL, false, false}, {"cosine", "number", NULL, false, false},
      {"avoided by", "text", NULL, false, true}};
  json_t *view = bd_page_view(page, "findings", NULL, columns, 9);
  for (size_t i = 0; i < all->n; ++i) add_finding(view, b, &all->items[i]);
}

static void add_notes(json_t *page, const bd_accusations *all) {
  char text[512];
  if (all->whole.value) {
    snprintf(text, sizeof text, "%s: result %s differs by %.2g of its largest number%s",
             all->is_off ? "off" : "within rounding", buddy_value_name(all->whole.value),
             all->whole.gap.relative, all->is_later_run ? ", in runs after the first alone" : "");
    bd_page_note(page, text);
  }
  for (size_t i = 0; i < all->choices.n; ++i) {
    snprintf(text, sizeof text, "%s avoids it", all->choices.items[i].option);
    bd_page_note(page, text);
  }
}

/* The plan is made last, since it changes the graph. */
static buddy_code add_plan(json_t *graphs, const bd_session *session) {
  bd_session planned = *session;
  const buddy_code code = bd_session_plan(&planned);
  if (planned.plan) bd_explorer_add_plan(graphs, &planned);
  buddy_plan_destroy(planned.plan);
  return code;
}

buddy_code bd_accusations_page(const bd_accusations *all, const bd_bisect *b, const char *model,
                               const char *path) {
  json_t *graphs = bd_explorer_graphs(b->graph, model);
  if (!graphs) return BUDDY_OUT_OF_MEMORY;
  json_t *page = bd_page_create(model), *data = data_of(all);
  add_notes(page, all);
  if (all->n > 0) add_findings(page, all, b);
  buddy_code code = add_plan(graphs, b->session);
  if (code == BUDDY_OK) {
    bd_page_nodes(page, graphs, data, "max");
    code = bd_page_write(page, path, b->diags);
  } else {
    json_decref(page);
  }
  json_decref(data);
  json_decref(graphs);
  return code;
}
