/* sdk/compile/source.c: see source.h. graph → plan → module. */
#include "sdk/compile/source.h"

#include "buddy/resolve.h"

buddy_code bd_source_lower(const bd_model_source *source, buddy_diags *diags,
                           buddy_module **out_module) {
  buddy_plan *plan = NULL;
  *out_module = NULL;
  buddy_code code = buddy_plan_create(source->registries, source->graph, diags, &plan);
  if (code == BUDDY_OK) code = buddy_lower(plan, NULL, diags, out_module);
  if (plan != NULL) buddy_plan_destroy(plan);
  return code;
}

static const buddy_data *find_data(void *user, const buddy_port *port, size_t i) {
  const buddy_graph *graph = user;
  (void)i;
  const buddy_value *value = buddy_graph_find_value(graph, port->name);
  return value == NULL ? NULL : buddy_graph_input_data(graph, buddy_value_index(value));
}

bd_data_source bd_source_data(const bd_model_source *source) {
  return (bd_data_source){find_data, source->graph};
}
