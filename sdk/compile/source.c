// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/source.c: an archive becomes a module: graph → plan → module. */
#include "sdk/compile/source.h"

#include <stdio.h>
#include <string.h>

#include "buddy/resolve.h"
#include "core/base/try.h"
#include "sdk/lower/module.h"

static size_t count_taken(const buddy_decision *decision, size_t registry) {
  size_t n = decision->n_expansion == 0 && decision->is_taken &&
             decision->tries[decision->n_tries - 1].registry == registry;
  for (size_t i = 0; i < decision->n_expansion; ++i)
    n += count_taken(decision->expansion[i], registry);
  return n;
}

/* "412 nodes: 401 linalg, 9 tosa, 2 vendor"; of half the size, so that another name fits after it. */
static void write_takers(buddy_plan *plan, char text[BD_TAKERS_SIZE]) {
  enum { SIZE = BD_TAKERS_SIZE - 32, HALF = SIZE / 2 };
  const buddy_registries *registries = buddy_plan_registries(plan);
  char takers[SIZE] = "";
  size_t total = 0, used = 0;
  for (size_t r = 0; r < buddy_registries_count(registries); ++r) {
    size_t n = 0;
    for (size_t i = 0; i < buddy_plan_n_decisions(plan); ++i)
      n += count_taken(buddy_plan_decision(plan, i), r);
    if (n > 0 && used < HALF)
      used += (size_t)snprintf(takers + used, SIZE - used, "%s %zu %.200s", used > 0 ? "," : "", n,
                               buddy_registries_get(registries, r)->name);
    total += n;
  }
  snprintf(text, BD_TAKERS_SIZE, "%zu nodes:%s", total, takers);
}

static void add_plain(char *text, size_t size, size_t n, const char *what) {
  const size_t used = strlen(text);
  if (n > 0)
    snprintf(text + used, size - used, "%s %zu %s%s", used > 0 ? " and" : ";", n, what,
             n > 1 ? "s" : "");
}

buddy_code bd_source_tell(const bd_model_source *source, const buddy_program *program,
                          buddy_diags *diags) {
  char plain[128] = "";
  add_plain(plain, sizeof(plain), program->plain.n_convolutions, "convolution");
  add_plain(plain, sizeof(plain), program->plain.n_products, "product");
  return buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, NULL, NULL, "%s%s%s", source->takers, plain,
                         *plain ? " without a kernel" : "");
}

/* Which inputs grow, by the signature's numbers. */
static buddy_code note_growths(const bd_model_source *source, bd_signature *signature) {
  for (size_t k = 0; k < source->growing.n; ++k) {
    const bd_growing_input *item = &source->growing.items[k];
    const char *name = buddy_value_name(buddy_graph_input(source->graph, item->input));
    size_t i = 0;
    while (i < signature->n_inputs && strcmp(signature->inputs[i].port.name, name) != 0) ++i;
    if (i == signature->n_inputs) continue;
    BD_TRY(bd_signature_add_growth(signature, &(bd_growth){i, item->dim, item->symbol}));
  }
  return BUDDY_OK;
}

buddy_code bd_source_lower(bd_model_source *source, buddy_diags *diags, buddy_module **out_module) {
  buddy_plan *plan = NULL;
  *out_module = NULL;
  buddy_code code = buddy_plan_create(source->registries, source->graph, diags, &plan);
  if (code == BUDDY_OK) write_takers(plan, source->takers);
  if (code == BUDDY_OK) code = buddy_lower(plan, NULL, diags, out_module);
  if (plan) buddy_plan_destroy(plan);
  if (code == BUDDY_OK) code = note_growths(source, (*out_module)->signature);
  if (code != BUDDY_OK && *out_module) {
    buddy_module_destroy(*out_module);
    *out_module = NULL;
  }
  return code;
}

static const buddy_data *find_data(void *user, const buddy_port *port, size_t i) {
  const buddy_graph *graph = user;
  (void)i;
  const buddy_value *value = buddy_graph_find_value(graph, port->name);
  return !value ? NULL : buddy_graph_input_data(graph, buddy_value_index(value));
}

bd_data_source bd_source_data(const bd_model_source *source) {
  return (bd_data_source){find_data, source->graph};
}
