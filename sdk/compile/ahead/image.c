// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/image.c: an archive becomes a shared library for the cache of this machine; see
 * image.h.
 *
 * The road is build.c's. Weights stay in the archive: the artifact says where in the file they are;
 * constants that the importer made go into the library. Functions of registries are called through
 * slots, which whoever loads the library fills. */
#define _GNU_SOURCE /* dladdr */
#include "sdk/compile/ahead/image.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/try.h"
#include "core/base/bytes.h"
#include "core/base/memory.h"
#include "llvm-c/Core.h"
#include "sdk/compile/ahead/artifact.h"
#include "sdk/compile/code/codegen.h"
#include "sdk/compile/compile.h"
#include "sdk/compile/ahead/library.h"
#include "sdk/compile/source.h"
#include "sdk/import/archive.h"
#include "sdk/lower/module.h"

typedef struct image {
  const char *path;
  buddy_archive *archive;
  buddy_diags *diags;
  buddy_compile_options compile;
  bd_target target;
  bd_model_source source;
  buddy_module *module;
  bd_symbol_table *symbols;
  bd_shipped shipped;
  buddy_program *program;
  bd_weight *weights;
  uint32_t *passing;
  uint64_t n_data;
  bool has_vector_math;
} image;

/* ---- Weights ---- */

static buddy_code place_weights(image *im) {
  size_t n_archive = 0;
  const char *start = bd_archive_bytes(im->source.archive, &n_archive);
  const bd_data_source source = bd_source_data(&im->source);
  const size_t n = buddy_program_n_inputs(im->program);
  im->weights = bd_calloc(n + 1, sizeof(bd_weight));
  im->passing = bd_calloc(buddy_program_n_outputs(im->program) + 1, sizeof(uint32_t));
  if (!im->weights || !im->passing) return BUDDY_OUT_OF_MEMORY;
  im->n_data = n_archive;
  for (size_t i = 0; i < n; ++i) {
    const buddy_port *port = buddy_program_input(im->program, i);
    im->weights[i].at = -1;
    if (port->kind == BUDDY_INPUT_USER) continue;
    const buddy_data *data = source.find(source.user, port, i);
    if (!data || (!data->bytes && data->n_bytes > 0)) {
      return buddy_diags_add(im->diags, BUDDY_ERROR, BUDDY_CORRUPT, port->target, NULL,
                             "the archive has no bytes for this input");
    }
    const char *bytes = data->bytes;
    const bool is_mapped = start && bytes >= start && bytes <= start + n_archive &&
                           data->n_bytes <= (size_t)(start + n_archive - bytes);
    im->weights[i] = (bd_weight){is_mapped ? bytes - start : 0, data->n_bytes, data->offset,
                                 data->strides, is_mapped ? NULL : bytes};
  }
  return BUDDY_OK;
}

/* ---- Code ---- */

/* They are called through slots, which are in the main part. */
static bool is_import(void *user, const char *name) {
  const image *im = user;
  return bd_registries_provider(im->source.registries, name) != NULL;
}

static buddy_code finish(void *user, LLVMModuleRef module, bool is_main, buddy_diags *diags) {
  static const uint8_t nobody[BD_IDENTITY_SIZE] = {
      0}; /* whoever loads it has compared the archive */
  image *im = user;
  const bd_artifact_content content = {.name = "model",
                                       .entry = im->module->function,
                                       .target = &im->target,
                                       .compiled = im->program,
                                       .weights = im->weights,
                                       .passing = im->passing,
                                       .placement = BD_IN_ARCHIVE,
                                       .n_data = im->n_data,
                                       .identity = nobody,
                                       .symbols = im->symbols,
                                       .is_library = true,
                                       .registries = im->source.registries};
  im->has_vector_math |= bd_calls_vector_math(module);
  if (is_main) return bd_artifact_write(module, &content, diags);
  bd_artifact_write_part(module, im->symbols);
  return BUDDY_OK;
}

static buddy_code compile(image *im, const buddy_model_options *options, bd_objects *out_objects) {
  im->program = bd_calloc(1, sizeof(buddy_program));
  if (!im->program) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_model_source_open_on(im->archive, options, im->diags, &im->source));
  BD_TRY(bd_source_lower(&im->source, im->diags, &im->module));
  BD_TRY(bd_symbol_table_create(&im->symbols));
  bd_compile_shipped(&im->compile, im->source.registries, im->target.features, &im->shipped);
  BD_TRY(bd_compile_lower(im->module, im->source.registries, &im->compile, &im->target.machine,
                          &im->shipped, im->diags, im->symbols, im->program));
  BD_TRY(bd_source_tell(&im->source, im->program, im->diags));
  BD_TRY(place_weights(im));
  const bd_codegen codegen = {&im->target, im->compile.opt_level, BD_MAX_PARTS, finish, is_import,
                              im};
  return bd_codegen_objects(im->module->module, im->module->function, &codegen, im->symbols,
                            im->diags, out_objects);
}

/* ---- The library ---- */

/* The kernels that came with the library, as a static library. */
static buddy_code take_shipped(const image *im, bd_bytes *out, buddy_diags *problems) {
  const buddy_writer writer = bd_bytes_writer(out);
  return im->shipped.n_taken == 0
             ? BUDDY_OK
             : bd_static_library_write(im->shipped.taken, im->shipped.n_taken, &writer, problems);
}

static buddy_code link_members(const image *im, const bd_member *members, size_t n,
                               const buddy_writer *out, buddy_diags *problems) {
  Dl_info info;
  void *own;
  const __typeof__(&buddy_runtime_load) function = buddy_runtime_load;
  memcpy(&own, &function, sizeof(own));
  if (dladdr(own, &info) == 0) return BUDDY_NOT_FOUND;
  const bd_library library = {.objects = members,
                              .n_objects = n,
                              .soname = "model.so",
                              .runtime = info.dli_fname,
                              .target = &im->target,
                              .has_vector_math = im->has_vector_math};
  return bd_library_link(&library, out, problems);
}

static buddy_code link_objects(const image *im, const bd_objects *objects, const buddy_writer *out,
                               buddy_diags *problems) {
  bd_member members[BD_MAX_PARTS + 2];
  bd_bytes shipped = {.data = NULL};
  size_t n = 0;
  for (size_t i = 0; i < objects->n; ++i) {
    members[n++] = (bd_member){"part.o", LLVMGetBufferStart(objects->items[i]),
                               LLVMGetBufferSize(objects->items[i])};
  }
  buddy_code code = take_shipped(im, &shipped, problems);
  if (shipped.size > 0) members[n++] = (bd_member){"shipped.a", shipped.data, shipped.size};
  if (code == BUDDY_OK) code = link_members(im, members, n, out, problems);
  bd_bytes_deinit(&shipped);
  return code;
}

/* A machine where lld does not find what it needs has no cache, but runs all the same. */
static buddy_code link_or_decline(const image *im, const bd_objects *objects,
                                  const buddy_writer *out) {
  buddy_diags *problems = NULL;
  buddy_code code = buddy_diags_create(&problems);
  if (code == BUDDY_OK) code = link_objects(im, objects, out, problems);
  if (code != BUDDY_OK) {
    const buddy_diag *why = problems ? buddy_diags_get(problems, 0) : NULL;
    code = buddy_diags_add(im->diags, BUDDY_WARNING, BUDDY_DECLINED, im->path, NULL,
                           "the code cannot be kept in the cache: %s",
                           why ? why->what : buddy_code_name(code));
  }
  buddy_diags_destroy(problems);
  return code;
}

buddy_code bd_image_write(const char *path, buddy_archive *archive,
                          const buddy_model_options *options, const buddy_writer *out,
                          buddy_diags *diags) {
  image im = {.path = path, .archive = archive, .diags = diags};
  const buddy_compile_options *given = NULL;
  bd_objects objects = {0, {NULL}};
  if (options && BUDDY_HAS(options, buddy_model_options, compile)) given = options->compile;
  buddy_code code = bd_compile_options_read(given, diags, &im.compile);
  im.compile.parameters_are_constant = 1; /* as in buddy_model_load: they are mapped */
  im.compile.buffers_in_place = 1;        /* they are the model's, or its sessions' */
  if (code == BUDDY_OK) code = bd_target_init(NULL, NULL, im.compile.without, diags, &im.target);
  if (code == BUDDY_OK) code = compile(&im, options, &objects);
  if (code == BUDDY_OK) code = link_or_decline(&im, &objects, out);
  bd_objects_deinit(&objects);
  free(im.weights);
  free(im.passing);
  buddy_program_destroy(im.program);
  bd_symbol_table_destroy(im.symbols);
  bd_shipped_deinit(&im.shipped);
  buddy_module_destroy(im.module);
  bd_model_source_close(&im.source);
  bd_target_deinit(&im.target);
  return code;
}
