// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/build.c: an archive becomes a file with machine code; see buddy/compile.h.
 *
 * The road is that of a model that is compiled to run (compile.c) up to the llvm dialect; from
 * there it goes through codegen.c, whose finish step writes description, weights and functions into
 * the module (artifact.c, glue.c), to the linker or into the file. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "llvm-c/Core.h"
#include "core/base/options.h"
#include "sdk/compile/ahead/artifact.h"
#include "sdk/compile/code/codegen.h"
#include "sdk/compile/compile.h"
#include "sdk/compile/ahead/glue.h"
#include "sdk/compile/ahead/library.h"
#include "sdk/compile/ahead/names.h"
#include "sdk/compile/code/objects.h"
#include "sdk/compile/source.h"
#include "sdk/compile/ahead/weights.h"
#include "sdk/compile/ahead/passing.h"
#include "sdk/lower/module.h"
#include "sdk/model/how.h"

#define MAX_INSIDE (UINT64_C(1) << 30) /* code reaches its data by 32-bit distances */

typedef enum form { FORM_OBJECT, FORM_ARCHIVE, FORM_LIBRARY } form;

typedef struct build {
  bd_model_how how;
  buddy_build_options options;
  buddy_compile_options compile;
  const char *path, *output;
  form form;
  char name[BD_MAX_MODEL_NAME + 1];
  buddy_diags *diags;
  bd_target target;
  bd_model_source source;
  buddy_module *module;
  bd_symbol_table *symbols;
  buddy_program *program;
  bd_weights weights;
  uint32_t *passing;
  char *inside; /* weights for the object */
  bool has_vector_math;
  bd_suppliers suppliers;
  bd_outfile code_file, header_file, weights_file;
} build;

/* ---- What is asked for ---- */

static buddy_code read_options(build *b, const buddy_build_options *given) {
  b->options = (buddy_build_options){.struct_size = sizeof(b->options)};
  buddy_code code =
      bd_options_read(&b->options, sizeof(b->options), given, "buddy_build_options", b->diags);
  if (code == BUDDY_OK) code = bd_model_how_read(b->options.model, b->diags, &b->how);
  b->options.model = &b->how.options;
  const int weights = (int)b->options.weights;
  if (code != BUDDY_OK || weights == BUDDY_WEIGHTS_BESIDE || weights == BUDDY_WEIGHTS_INSIDE)
    return code;
  return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "buddy_build_options",
                         "give BUDDY_WEIGHTS_BESIDE or BUDDY_WEIGHTS_INSIDE",
                         "weights is %d, which says nothing", weights);
}

static buddy_code read_form(build *b) {
  static const char *const suffixes[] = {
      [FORM_OBJECT] = ".o", [FORM_ARCHIVE] = ".a", [FORM_LIBRARY] = ".so"};
  const size_t n = strlen(b->output);
  for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); ++i) {
    const size_t n_suffix = strlen(suffixes[i]);
    if (n <= n_suffix || strcmp(b->output + n - n_suffix, suffixes[i]) != 0) continue;
    if (b->output[n - n_suffix - 1] == '/') break;
    b->form = (form)i;
    return BUDDY_OK;
  }
  return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, b->output,
                         "give a name that ends in .so, .a or .o",
                         "the output's name does not tell what to write");
}

/* The given name, or one made of the file's: libres-net.so is res_net, random.so model_random. */
static buddy_code choose_name(build *b) {
  const char *given = b->options.name;
  if (!given) {
    bd_model_name_of_file(b->output, b->name);
    return BUDDY_OK;
  }
  if (!bd_is_identifier(given) || strlen(given) > BD_MAX_MODEL_NAME) {
    return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, given,
                           "give a C identifier", "the functions cannot be named after this");
  }
  if (bd_is_of_c_library(given)) {
    return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, given,
                           "give another name: the two could not be in one program",
                           "the C library has this name, or one that would be made of it");
  }
  snprintf(b->name, sizeof(b->name), "%s", given);
  return BUDDY_OK;
}

/* ---- What it needs ---- */

static buddy_code choose_passing(build *b) {
  const bd_signature *signature = b->program->signature;
  char *symbols = bd_calloc(signature->n_symbols + 1, 1);
  b->passing = bd_calloc(signature->n_outputs + 1, sizeof(uint32_t));
  if (!symbols || !b->passing) {
    free(symbols);
    return BUDDY_OUT_OF_MEMORY;
  }
  bd_artifact_symbols(signature, symbols);
  for (size_t i = 0; i < signature->n_outputs; ++i)
    b->passing[i] = bd_artifact_passing(&signature->outputs[i], symbols);
  free(symbols);
  return BUDDY_OK;
}

typedef struct cursor {
  char *to;
} cursor;

static buddy_code copy_bytes(void *user, const char *data, size_t size) {
  cursor *c = user;
  memcpy(c->to, data, size);
  c->to += size;
  return BUDDY_OK;
}

static buddy_code take_weights(build *b) {
  const bool is_inside = b->options.weights == BUDDY_WEIGHTS_INSIDE;
  const bd_data_source source = bd_source_data(&b->source);
  buddy_code code = bd_weights_init(b->program, &source, is_inside ? 0 : BD_WEIGHTS_HEADER,
                                    b->diags, &b->weights);
  if (code != BUDDY_OK || !is_inside) return code;
  if (b->weights.n_bytes > MAX_INSIDE) {
    return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_LIMIT, b->path,
                           "leave them beside the code",
                           "the weights have %llu bytes; up to %llu can be part of the code's file",
                           (unsigned long long)b->weights.n_bytes, (unsigned long long)MAX_INSIDE);
  }
  b->inside = bd_malloc((size_t)b->weights.n_bytes + 1);
  if (!b->inside) return BUDDY_OUT_OF_MEMORY;
  cursor c = {b->inside};
  const buddy_writer writer = {copy_bytes, &c};
  return bd_weights_write(&b->weights, &writer);
}

/* ---- Code ---- */

static buddy_code finish(void *user, LLVMModuleRef module, bool is_main, buddy_diags *diags) {
  (void)is_main; /* there is one part */
  build *b = user;
  const bd_artifact_content content = {
      .name = b->name,
      .entry = b->module->function,
      .target = &b->target,
      .program = b->program,
      .weights = b->weights.items,
      .passing = b->passing,
      .placement = b->options.weights == BUDDY_WEIGHTS_INSIDE ? BD_IN_OBJECT : BD_IN_FILE,
      .data = b->inside,
      .n_data = b->weights.n_bytes,
      .identity = b->weights.identity,
      .symbols = b->symbols,
      .is_library = b->form == FORM_LIBRARY,
      .has_functions = true,
      .registries = b->source.registries,
      .suppliers = &b->suppliers};
  const buddy_code code =
      bd_suppliers_init(module, b->source.registries, &b->target, diags, &b->suppliers);
  b->has_vector_math = bd_calls_vector_math(module);
  return code == BUDDY_OK ? bd_artifact_write(module, &content, diags) : code;
}

static buddy_code compile(build *b, bd_objects *out_objects) {
  b->program = bd_calloc(1, sizeof(buddy_program));
  if (!b->program) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_model_source_open(b->path, b->options.model, b->diags, &b->source));
  BD_TRY(bd_source_lower(&b->source, b->diags, &b->module));
  BD_TRY(bd_symbol_table_create(&b->symbols));
  BD_TRY(bd_compile_lower(b->module, b->source.registries, &b->compile, &b->target.machine, NULL,
                          b->diags, b->symbols, b->program));
  BD_TRY(bd_source_tell(&b->source, b->program, b->diags));
  BD_TRY(choose_passing(b));
  BD_TRY(take_weights(b));
  const bd_codegen codegen = {&b->target, b->compile.opt_level, 1, finish, NULL, b};
  return bd_codegen_objects(b->module->module, b->module->function, &codegen, b->symbols, b->diags,
                            out_objects);
}

/* ---- Files ---- */

static buddy_code link_object(build *b, const bd_member *object, const buddy_writer *writer) {
  const char *slash = strrchr(b->output, '/');
  const bd_library library = {.objects = object,
                              .n_objects = 1,
                              .soname = slash ? slash + 1 : b->output,
                              .runtime = b->options.runtime,
                              .sysroot = b->options.sysroot,
                              .target = &b->target,
                              .has_vector_math = b->has_vector_math,
                              .suppliers = &b->suppliers};
  return bd_library_link(&library, writer, b->diags);
}

static buddy_code write_code(build *b, LLVMMemoryBufferRef object) {
  char name[BD_MAX_MODEL_NAME + 3];
  snprintf(name, sizeof(name), "%s.o", b->name);
  const bd_member member = {name, LLVMGetBufferStart(object), LLVMGetBufferSize(object)};
  BD_TRY(bd_outfile_open(b->output, b->diags, &b->code_file));
  const buddy_writer writer = bd_outfile_writer(&b->code_file);
  switch (b->form) {
    case FORM_OBJECT:
      return writer.write(writer.user, member.object, member.n_bytes);
    case FORM_ARCHIVE:
      return bd_static_library_write(&member, 1, &writer, b->diags);
    default:
      return link_object(b, &member, &writer);
  }
}

/* "<folder of the output>/<name><suffix>"; the caller frees it. */
static char *beside(const build *b, const char *name, const char *suffix) {
  const char *slash = strrchr(b->output, '/');
  const size_t n_folder = slash ? (size_t)(slash - b->output) + 1 : 0;
  char *path = bd_malloc(n_folder + strlen(name) + strlen(suffix) + 1);
  if (!path) return NULL;
  memcpy(path, b->output, n_folder);
  strcpy(path + n_folder, name);
  strcat(path + n_folder, suffix);
  return path;
}

/* " libNAME.a" for each archive of a registry that the code needs. */
static void list_archives(const build *b, char *text, size_t size) {
  *text = '\0';
  for (size_t i = b->suppliers.n_loaded; i < b->suppliers.n; ++i) {
    const size_t n = strlen(text);
    snprintf(text + n, size - n, " %s", b->suppliers.items[i].supplier.file);
  }
}

static buddy_code write_header(build *b) {
  const char *slash = strrchr(b->output, '/'), *source = strrchr(b->path, '/');
  const char *file = slash ? slash + 1 : b->output;
  char target[256], linking[1024], archives[512];
  list_archives(b, archives, sizeof(archives));
  snprintf(target, sizeof(target), "%s, %s", b->target.triple, b->target.cpu);
  if (b->form == FORM_LIBRARY)
    snprintf(linking, sizeof(linking), "%s", file);
  else
    snprintf(linking, sizeof(linking), "%s%s -lbuddy_runtime%s -lm -lpthread -ldl", file, archives,
             b->has_vector_math ? " -lmvec" : "");
  const bd_header_facts facts = {
      .name = b->name,
      .source = source ? source + 1 : b->path,
      .target = target,
      .linking = linking,
      .placement = b->options.weights == BUDDY_WEIGHTS_INSIDE ? BD_IN_OBJECT : BD_IN_FILE,
      .n_weights = b->weights.n_bytes,
      .suppliers = &b->suppliers};
  char *path = beside(b, b->name, ".h");
  if (!path) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = bd_outfile_open(path, b->diags, &b->header_file);
  free(path);
  if (code != BUDDY_OK) return code;
  const buddy_writer writer = bd_outfile_writer(&b->header_file);
  return bd_header_write(&facts, b->program->signature, b->passing, &writer);
}

static buddy_code write_weights(build *b) {
  char header[BD_WEIGHTS_HEADER];
  if (b->options.weights == BUDDY_WEIGHTS_INSIDE) return BUDDY_OK;
  char *path = beside(b, b->name, ".weights");
  if (!path) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = bd_outfile_open(path, b->diags, &b->weights_file);
  free(path);
  if (code != BUDDY_OK) return code;
  const buddy_writer writer = bd_outfile_writer(&b->weights_file);
  bd_weights_header(&b->weights, header);
  code = writer.write(writer.user, header, sizeof(header));
  return code == BUDDY_OK ? bd_weights_write(&b->weights, &writer) : code;
}

/* The code comes last: who finds it finds the others. */
static buddy_code commit(build *b) {
  bd_outfile *const files[] = {&b->weights_file, &b->header_file, &b->code_file};
  return bd_outfile_commit(files, 3, b->diags);
}

/* Whoever wrote knows that it failed, and not why. */
static void tell_failures(build *b) {
  bd_outfile *const files[] = {&b->weights_file, &b->header_file, &b->code_file};
  for (size_t i = 0; i < 3; ++i) {
    if (files[i]->path && files[i]->error != 0) bd_outfile_finish(files[i], b->diags);
  }
}

static void deinit(build *b) {
  bd_outfile_discard(&b->code_file);
  bd_outfile_discard(&b->header_file);
  bd_outfile_discard(&b->weights_file);
  bd_weights_deinit(&b->weights);
  bd_suppliers_deinit(&b->suppliers);
  free(b->passing);
  free(b->inside);
  buddy_program_destroy(b->program);
  bd_symbol_table_destroy(b->symbols);
  buddy_module_destroy(b->module);
  bd_model_source_close(&b->source);
  bd_target_deinit(&b->target);
}

static buddy_code run(build *b) {
  bd_objects objects = {0, {NULL}};
  buddy_code code = compile(b, &objects);
  if (code == BUDDY_OK) code = write_code(b, objects.items[0]);
  bd_objects_deinit(&objects);
  if (code == BUDDY_OK) code = write_header(b);
  if (code == BUDDY_OK) code = write_weights(b);
  if (code == BUDDY_OK)
    code = commit(b);
  else
    tell_failures(b);
  return code;
}

buddy_code buddy_model_build(const char *path, const char *output,
                             const buddy_build_options *options, buddy_diags *diags) {
  build b = {.path = path, .output = output, .diags = diags};
  BD_TRY(read_options(&b, options));
  buddy_code code = bd_compile_options_read(&b.how.compile, diags, &b.compile);
  b.compile.parameters_are_constant = 1; /* they are bound when the library is loaded */
  b.compile.buffers_in_place = 1;        /* they are the model's, or its sessions' */
  b.compile.profile = 0; /* such code needs more of the runtime than a library has */
  if (code == BUDDY_OK) code = read_form(&b);
  if (code == BUDDY_OK) code = choose_name(&b);
  if (code == BUDDY_OK)
    code = bd_target_init(b.options.target_triple, b.options.target_cpu, b.compile.without, diags,
                          &b.target);
  if (code == BUDDY_OK) code = run(&b);
  deinit(&b);
  return code;
}
