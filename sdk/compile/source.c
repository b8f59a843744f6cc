/* sdk/compile/source.c: see source.h. archive → graph → plan → module. */
#include "sdk/compile/source.h"

#include <stdlib.h>

#include "sdk/model/registry_calls.h"

void bd_source_close(bd_source_files *source) {
  if (source->graph != NULL) buddy_graph_destroy(source->graph);
  if (source->registries != NULL) buddy_registries_destroy(source->registries);
  if (source->opset != NULL) buddy_opset_destroy(source->opset);
  if (source->archive != NULL) buddy_archive_close(source->archive);
  *source = (bd_source_files){NULL, NULL, NULL, NULL};
}

buddy_code bd_source_open(const char *path, const buddy_model_options *options, buddy_diags *diags,
                          bd_source_files *out_source) {
  *out_source = (bd_source_files){NULL, NULL, NULL, NULL};
  buddy_code code = buddy_archive_open(path, diags, &out_source->archive);
  if (code == BUDDY_OK) code = buddy_aten_opset_create(&out_source->opset);
  if (code == BUDDY_OK)
    code = bd_model_registries(options, out_source->opset, diags, &out_source->registries);
  if (code == BUDDY_OK) {
    code = buddy_archive_import(out_source->archive, out_source->opset, diags, &out_source->graph);
  }
  return code;
}

buddy_code bd_source_lower(const bd_source_files *source, buddy_diags *diags,
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

bd_data_source bd_source_data(const bd_source_files *source) {
  return (bd_data_source){find_data, source->graph};
}
