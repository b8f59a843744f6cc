// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/profile_page.c: the page of `buddy profile`: nodes, steps and stages. */
#include <string.h>

#include "sdk/cli/explorer.h"
#include "sdk/cli/json.h"
#include "sdk/cli/page.h"
#include "sdk/cli/profile.h"

void bd_profile_limits(const bd_machine_rates *machine, char text[BD_PROFILE_SUM]) {
  snprintf(
      text, BD_PROFILE_SUM,
      "the machine's limits: %.3g Gflop/s of f32, %.3g GB/s from memory, %.3g GB/s from caches",
      machine->flops / 1e9, machine->bytes / 1e9, machine->cached_bytes / 1e9);
}

void bd_profile_sum(const bd_profile_report *r, char text[BD_PROFILE_SUM]) {
  snprintf(text, BD_PROFILE_SUM, "%zu steps, %.*f ms in the least of %lu runs each", r->n,
           r->total < 1e-3 ? 6 : 3, r->total * 1e3, r->n_runs);
}

static void add_step(json_t *view, const bd_profile_report *r, size_t i) {
  const buddy_step *step = r->steps[i];
  const bd_step_origin *origin = &r->origins[i];
  const double n_calls = (double)step->n_calls / (double)r->n_runs;
  json_t *more = json_array();
  bd_page_tell(more, "kernel", step->kernel);
  bd_page_tell(more, "where", step->where);
  bd_page_tell(more, "module", step->module);
  json_t *cells = json_pack(
      "[o, o, o, f, I, I, f]", bd_json_text(*step->nodes ? step->nodes : step->kernel),
      bd_json_text(*origin->op ? origin->op : "(between)"), bd_json_text(origin->registries.data),
      step->seconds * 1e3, (json_int_t)step->n_bytes, (json_int_t)step->n_flops,
      100 * bd_profile_share(r, step, n_calls, step->seconds));
  bd_page_row(view, cells, bd_explorer_layer(step->module, strlen(step->module)), more);
}

static void add_steps(json_t *page, const bd_profile_report *r) {
  static const bd_page_column columns[] = {
      {"nodes", "text", NULL, false, true},        {"op", "text", NULL, false, false},
      {"taken by", "choice", NULL, false, false},  {"ms", "number", "sum", true, true},
      {"bytes", "number", "sum", false, false},    {"flops", "number", "sum", false, false},
      {"% of limit", "number", NULL, false, false}};
  json_t *view = bd_page_view(page, "steps", "module", columns, 7);
  for (size_t i = 0; i < r->n; ++i) add_step(view, r, i);
}

static void add_stages(json_t *page, const bd_stages *stages) {
  static const bd_page_column columns[] = {{"stage", "text", NULL, false, true},
                                           {"ms", "number", "sum", true, true}};
  json_t *view = bd_page_view(page, "compiling", NULL, columns, 2);
  for (size_t i = 0; stages && i < stages->n; ++i)
    bd_page_row(view,
                json_pack("[s, f]", stages->items[i].name,
                          1e3 * (stages->items[i].end - stages->items[i].begin)),
                json_string(""), NULL);
}

buddy_code bd_profile_write_page(const char *path, const bd_profile_report *r, const json_t *graphs,
                                 const json_t *data, buddy_diags *diags) {
  char sum[BD_PROFILE_SUM];
  json_t *page = bd_page_create(r->model);
  bd_profile_sum(r, sum);
  bd_page_note(page, sum);
  bd_profile_limits(&r->machine, sum);
  bd_page_note(page, sum);
  char memory[BD_PROFILE_MEMORY];
  bd_profile_peak(r, memory);
  bd_page_note(page, memory);
  bd_page_nodes(page, graphs, data, "sum");
  add_steps(page, r);
  bd_profile_add_memory(page, r);
  if (r->stages) add_stages(page, r->stages);
  return bd_page_write(page, path, diags);
}
