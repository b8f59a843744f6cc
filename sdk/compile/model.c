/* sdk/compile/model.c: an archive becomes a model, compiled in this process; see buddy/compile.h.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/options.h"
#include "sdk/compile/ahead/image.h"
#include "sdk/compile/source.h"

static void release(void *object) {
  bd_model_source_close(object);
  free(object);
}

static buddy_code build(bd_model_source *source, const buddy_model_options *options,
                        buddy_diags *diags, buddy_model **out_model) {
  buddy_compile_options compile = {.struct_size = sizeof(compile), .opt_level = -1};
  buddy_code code = BUDDY_OK;
  if (options != NULL && BUDDY_HAS(options, buddy_model_options, compile))
    code = bd_options_read(&compile, sizeof(compile), options->compile, "buddy_compile_options",
                           diags);
  compile.parameters_are_constant = 1; /* they are mapped, or copied once */
  buddy_module *module = NULL;
  buddy_program *program = NULL;
  if (code == BUDDY_OK) code = bd_source_lower(source, diags, &module);
  if (code == BUDDY_OK) code = buddy_compile(module, source->registries, &compile, diags, &program);
  if (code != BUDDY_OK) return code;
  const bd_data_source data = bd_source_data(source);
  return bd_model_create(program, &data, diags, out_model);
}

buddy_code bd_model_compile(const char *path, const buddy_model_options *options,
                            buddy_diags *diags, buddy_model **out_model) {
  *out_model = NULL;

  bd_model_source *source = bd_calloc(1, sizeof(bd_model_source));
  if (source == NULL) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = bd_model_source_open(path, options, diags, source);
  if (code == BUDDY_OK) code = build(source, options, diags, out_model);
  if (code != BUDDY_OK) {
    release(source);
    return code;
  }
  buddy_graph_destroy(source->graph);
  source->graph = NULL;
  bd_model_own(*out_model, (bd_model_owner){release, source});
  return BUDDY_OK;
}
