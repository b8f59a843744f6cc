// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/model.c: an archive becomes a model, compiled in this process; see
 * buddy/compile.h. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/options.h"
#include "core/base/try.h"
#include "sdk/compile/ahead/image.h"
#include "sdk/compile/compile.h"
#include "sdk/compile/source.h"
#include "sdk/model/compiler_table.h"

static void release(void *object) {
  bd_model_source_close(object);
  free(object);
}

static buddy_code read_options(const buddy_model_options *options, buddy_diags *diags,
                               buddy_compile_options *out) {
  *out = (buddy_compile_options){.struct_size = sizeof(*out)};
  buddy_code code = BUDDY_OK;
  if (options && BUDDY_HAS(options, buddy_model_options, compile))
    code = bd_options_read(out, sizeof(*out), options->compile, "buddy_compile_options", diags);
  out->parameters_are_constant = 1; /* they are mapped, or copied once */
  out->buffers_in_place = 1;        /* they are the model's, or its sessions' */
  return code;
}

static buddy_code build(bd_model_source *source, const buddy_compile_options *options,
                        buddy_diags *diags, buddy_model **out_model) {
  buddy_module *module = NULL;
  buddy_program *program = NULL;
  bd_compile_announce(options, "choosing registries and emitting", 0.0);
  BD_TRY(bd_source_lower(source, diags, &module));
  BD_TRY(buddy_compile(module, source->registries, options, diags, &program));
  const buddy_code code = bd_source_tell(source, program, diags);
  if (code != BUDDY_OK) {
    buddy_program_destroy(program);
    return code;
  }
  const bd_data_source data = bd_source_data(source);
  return bd_model_create(program, &data, diags, out_model);
}

buddy_code bd_model_compile(const char *path, const buddy_model_options *options,
                            buddy_diags *diags, buddy_model **out_model) {
  *out_model = NULL;

  bd_model_source *source = bd_calloc(1, sizeof(bd_model_source));
  if (!source) return BUDDY_OUT_OF_MEMORY;
  buddy_compile_options compile;
  buddy_code code = read_options(options, diags, &compile);
  if (code == BUDDY_OK) bd_compile_announce(&compile, "importing", 0.0);
  if (code == BUDDY_OK) code = bd_model_source_open(path, options, diags, source);
  if (code == BUDDY_OK) code = build(source, &compile, diags, out_model);
  if (code != BUDDY_OK) {
    release(source);
    return code;
  }
  buddy_graph_destroy(source->graph);
  source->graph = NULL;
  bd_model_own(*out_model, (bd_model_owner){release, source});
  return BUDDY_OK;
}

const bd_compiler_table bd_compiler_functions = {
    .struct_size = sizeof(bd_compiler_table),
    .compile_model = bd_model_compile,
    .write_image = bd_image_write,
    .lower = buddy_lower,
    .compile = buddy_compile,
};
