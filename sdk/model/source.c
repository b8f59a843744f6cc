/* sdk/model/source.c: see source.h. */
#include "sdk/model/source.h"

#include "sdk/model/registry_calls.h"

void bd_model_source_close(bd_model_source *source) {
  if (source->graph != NULL) buddy_graph_destroy(source->graph);
  if (source->registries != NULL) buddy_registries_destroy(source->registries);
  if (source->opset != NULL) buddy_opset_destroy(source->opset);
  if (source->archive != NULL) buddy_archive_close(source->archive);
  *source = (bd_model_source){NULL, NULL, NULL, NULL};
}

buddy_code bd_model_source_open(const char *path, const buddy_model_options *options,
                                buddy_diags *diags, bd_model_source *out_source) {
  *out_source = (bd_model_source){NULL, NULL, NULL, NULL};
  buddy_code code = buddy_archive_open(path, diags, &out_source->archive);
  if (code == BUDDY_OK) code = buddy_aten_opset_create(&out_source->opset);
  if (code == BUDDY_OK)
    code = bd_model_registries(options, out_source->opset, diags, &out_source->registries);
  if (code == BUDDY_OK) {
    code = buddy_archive_import(out_source->archive, out_source->opset, diags, &out_source->graph);
  }
  return code;
}
