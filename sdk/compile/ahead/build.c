// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/ahead/build.c: an archive becomes a file with machine code; see buddy/compile.h.
 *
 * The road is that of a model that is compiled to run (road.c) up to the llvm dialect; from
 * there it goes through codegen.c, whose finish step writes description, weights and functions into
 * the module (artifact.c, glue.c), to the linker or into the file. Of several programs each is an object
 * of its own, with functions of its own; their weights are one file. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/outfile.h"
#include "core/base/text.h"
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

typedef struct build build;

/* One program. */
typedef struct part {
  build *build;
  const char *program; /* in the archive; null: its only one, or the one that is asked for */
  char name[BD_MAX_MODEL_NAME + 1]; /* prefix of its functions */
  bd_model_source source;
  buddy_module *module;
  bd_symbol_table *symbols;
  buddy_program *compiled;
  uint32_t *passing;
  const bd_weight *weights; /* of its inputs, in those of all */
  bd_suppliers suppliers;
  bd_objects objects;
} part;

struct build {
  bd_model_how how;
  buddy_build_options options;
  buddy_compile_options compile;
  const char *path, *output;
  form form;
  char name[BD_MAX_MODEL_NAME + 1];
  buddy_diags *diags;
  bd_target target;
  buddy_archive *archive; /* whose names of programs are used */
  part *parts;
  size_t n_parts;
  bd_text programs; /* their names */
  bd_weights weights;
  char *weights_name; /* of their file, without a folder */
  char *inside;       /* weights for the object */
  bool has_vector_math;
  bd_suppliers archives; /* that all parts need of registries; items of the parts' */
  bd_outfile code_file, header_file, weights_file;
};

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

/* ---- Which programs ---- */

static buddy_code refuse_programs(build *b, const char *todo, const char *what) {
  return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, b->output, todo,
                         "the archive holds the programs %.300s: %s", b->programs.data, what);
}

/* "net" and the program "de-code" are net_de_code; no two may be one. */
static buddy_code name_parts(build *b) {
  for (size_t i = 0; i < b->n_parts; ++i) {
    part *p = &b->parts[i];
    const int n = snprintf(p->name, sizeof(p->name), "%s_%s", b->name, p->program);
    if (n >= (int)sizeof(p->name))
      return refuse_programs(b, "give a shorter name", "the name of a function would be too long");
    for (char *c = p->name; *c; ++c) *c = isalnum((unsigned char)*c) ? *c : '_';
    for (size_t k = 0; k < i; ++k) {
      if (strcmp(b->parts[k].name, p->name) == 0)
        return refuse_programs(b, "compile one at a time, with --program",
                               "functions of two of them would have the same name");
    }
  }
  return BUDDY_OK;
}

/* The one that is asked for, or is called "model"; else all that the archive has. */
static buddy_code choose_programs(build *b) {
  BD_TRY(buddy_archive_open(b->path, b->diags, &b->archive));
  const char *asked = b->options.model->program;
  const size_t n = buddy_archive_n_programs(b->archive);
  const bool is_one = asked || n < 2 || buddy_archive_choose(b->archive, "model", NULL) == BUDDY_OK;
  b->n_parts = is_one ? 1 : n;
  b->parts = bd_calloc(b->n_parts, sizeof(part));
  b->weights_name = bd_malloc(strlen(b->name) + sizeof(".weights"));
  if (!b->parts || !b->weights_name) return BUDDY_OUT_OF_MEMORY;
  sprintf(b->weights_name, "%s.weights", b->name);
  for (size_t i = 0; i < b->n_parts; ++i) b->parts[i].build = b;
  snprintf(b->parts[0].name, sizeof(b->parts[0].name), "%s", b->name);
  if (is_one) {
    bd_text_string(&b->programs, asked    ? asked
                                 : n == 1 ? buddy_archive_program(b->archive, 0)
                                          : "model");
    return b->programs.code;
  }
  for (size_t i = 0; i < n; ++i) {
    b->parts[i].program = buddy_archive_program(b->archive, i);
    bd_text_format(&b->programs, "%s%s", i > 0 ? ", " : "", b->parts[i].program);
  }
  BD_TRY(b->programs.code);
  if (b->form == FORM_OBJECT)
    return refuse_programs(b, "write a .so or .a, or choose one with --program",
                           "an object file has one");
  if (b->options.weights == BUDDY_WEIGHTS_INSIDE)
    return refuse_programs(b, "leave them beside the code, or choose one with --program",
                           "their weights cannot be part of it");
  return name_parts(b);
}

/* ---- What it needs ---- */

static buddy_code choose_passing(part *p) {
  const bd_signature *signature = p->compiled->signature;
  char *symbols = bd_calloc(signature->n_symbols + 1, 1);
  p->passing = bd_calloc(signature->n_outputs + 1, sizeof(uint32_t));
  if (!symbols || !p->passing) {
    free(symbols);
    return BUDDY_OUT_OF_MEMORY;
  }
  bd_artifact_symbols(signature, symbols);
  for (size_t i = 0; i < signature->n_outputs; ++i)
    p->passing[i] = bd_artifact_passing(&signature->outputs[i], symbols);
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

static buddy_code lay_out_weights(build *b, size_t start) {
  bd_weighted *programs = bd_calloc(b->n_parts, sizeof(bd_weighted));
  if (!programs) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < b->n_parts; ++i)
    programs[i] = (bd_weighted){b->parts[i].compiled, bd_source_data(&b->parts[i].source)};
  const buddy_code code = bd_weights_init(programs, b->n_parts, start, b->diags, &b->weights);
  bd_free(programs);
  if (code != BUDDY_OK) return code;
  const bd_weight *next = b->weights.items;
  for (size_t i = 0; i < b->n_parts; ++i) {
    b->parts[i].weights = next;
    next += b->parts[i].compiled->signature->n_inputs;
  }
  return BUDDY_OK;
}

static buddy_code take_weights(build *b) {
  const bool is_inside = b->options.weights == BUDDY_WEIGHTS_INSIDE;
  buddy_code code = lay_out_weights(b, is_inside ? 0 : BD_WEIGHTS_HEADER);
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
  (void)is_main; /* a program is one part */
  part *p = user;
  build *b = p->build;
  const bool is_inside = b->options.weights == BUDDY_WEIGHTS_INSIDE;
  const bd_artifact_content content = {.name = p->name,
                                       .program = p->program,
                                       .programs = p == b->parts ? b->programs.data : NULL,
                                       .entry = p->module->function,
                                       .target = &b->target,
                                       .compiled = p->compiled,
                                       .weights = p->weights,
                                       .passing = p->passing,
                                       .placement = is_inside ? BD_IN_OBJECT : BD_IN_FILE,
                                       .data = is_inside    ? b->inside
                                               : p->program ? b->weights_name
                                                            : NULL,
                                       .n_data = b->weights.n_bytes,
                                       .identity = b->weights.identity,
                                       .symbols = p->symbols,
                                       .is_library = b->form == FORM_LIBRARY,
                                       .has_functions = true,
                                       .registries = p->source.registries,
                                       .suppliers = &p->suppliers};
  const buddy_code code =
      bd_suppliers_init(module, p->source.registries, &b->target, diags, &p->suppliers);
  b->has_vector_math |= bd_calls_vector_math(module) != 0;
  return code == BUDDY_OK ? bd_artifact_write(module, &content, diags) : code;
}

static buddy_code lower(part *p) {
  build *b = p->build;
  buddy_model_options options = *b->options.model;
  if (p->program) options.program = p->program;
  p->compiled = bd_calloc(1, sizeof(buddy_program));
  if (!p->compiled) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_model_source_open(b->path, &options, b->diags, &p->source));
  BD_TRY(bd_source_lower(&p->source, b->diags, &p->module));
  BD_TRY(bd_symbol_table_create(&p->symbols));
  BD_TRY(bd_compile_lower(p->module, p->source.registries, &b->compile, &b->target.machine, NULL,
                          b->diags, p->symbols, p->compiled));
  BD_TRY(bd_source_tell(&p->source, p->compiled, b->diags));
  return choose_passing(p);
}

static buddy_code compile(build *b) {
  for (size_t i = 0; i < b->n_parts; ++i) BD_TRY(lower(&b->parts[i]));
  BD_TRY(take_weights(b));
  for (size_t i = 0; i < b->n_parts; ++i) {
    part *p = &b->parts[i];
    const bd_codegen codegen = {&b->target, b->compile.opt_level, 1, finish, NULL, p};
    BD_TRY(bd_codegen_objects(p->module->module, p->module->function, &codegen, p->symbols,
                              b->diags, &p->objects));
  }
  return BUDDY_OK;
}

/* ---- Files ---- */

/* Each archive of registries once. The items stay the parts'. */
static buddy_code gather_archives(build *b) {
  size_t n = 0;
  for (size_t i = 0; i < b->n_parts; ++i) n += b->parts[i].suppliers.n;
  b->archives.items = bd_calloc(n + 1, sizeof(bd_supplied));
  if (!b->archives.items) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < b->n_parts; ++i) {
    const bd_suppliers *own = &b->parts[i].suppliers;
    for (size_t k = own->n_loaded; k < own->n; ++k) {
      size_t known = 0;
      while (known < b->archives.n &&
             strcmp(b->archives.items[known].supplier.file, own->items[k].supplier.file) != 0)
        ++known;
      if (known == b->archives.n) b->archives.items[b->archives.n++] = own->items[k];
    }
  }
  return BUDDY_OK;
}

static buddy_code link_objects(build *b, const bd_member *objects, const buddy_writer *writer) {
  const char *slash = strrchr(b->output, '/');
  const bd_library library = {.objects = objects,
                              .n_objects = b->n_parts,
                              .soname = slash ? slash + 1 : b->output,
                              .runtime = b->options.runtime,
                              .sysroot = b->options.sysroot,
                              .target = &b->target,
                              .has_vector_math = b->has_vector_math,
                              .suppliers = &b->archives};
  return bd_library_link(&library, writer, b->diags);
}

static buddy_code write_members(build *b, const bd_member *members) {
  BD_TRY(bd_outfile_open(b->output, b->diags, &b->code_file));
  const buddy_writer writer = bd_outfile_writer(&b->code_file);
  switch (b->form) {
    case FORM_OBJECT:
      return writer.write(writer.user, members->object, members->n_bytes);
    case FORM_ARCHIVE:
      return bd_static_library_write(members, b->n_parts, &writer, b->diags);
    default:
      return link_objects(b, members, &writer);
  }
}

static buddy_code write_code(build *b) {
  typedef char object_name[BD_MAX_MODEL_NAME + 3];
  bd_member *members = bd_calloc(b->n_parts, sizeof(bd_member));
  object_name *names = bd_calloc(b->n_parts, sizeof(object_name));
  buddy_code code = !members || !names ? BUDDY_OUT_OF_MEMORY : gather_archives(b);
  for (size_t i = 0; code == BUDDY_OK && i < b->n_parts; ++i) {
    LLVMMemoryBufferRef object = b->parts[i].objects.items[0];
    snprintf(names[i], sizeof(names[i]), "%s.o", b->parts[i].name);
    members[i] = (bd_member){names[i], LLVMGetBufferStart(object), LLVMGetBufferSize(object)};
  }
  if (code == BUDDY_OK) code = write_members(b, members);
  bd_free(members);
  bd_free(names);
  return code;
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
  for (size_t i = 0; i < b->archives.n; ++i) {
    const size_t n = strlen(text);
    snprintf(text + n, size - n, " %s", b->archives.items[i].supplier.file);
  }
}

static buddy_code write_header(build *b) {
  const char *slash = strrchr(b->output, '/'), *source = strrchr(b->path, '/');
  const char *file = slash ? slash + 1 : b->output;
  char target[256], linking[1024], archives[512], header[BD_MAX_MODEL_NAME + 3];
  snprintf(header, sizeof(header), "%s.h", b->name);
  list_archives(b, archives, sizeof(archives));
  snprintf(target, sizeof(target), "%s, %s", b->target.triple, b->target.cpu);
  if (b->form == FORM_LIBRARY)
    snprintf(linking, sizeof(linking), "%s", file);
  else
    snprintf(linking, sizeof(linking), "%s%s -lbuddy_runtime%s -lm -lpthread -ldl", file, archives,
             b->has_vector_math ? " -lmvec" : "");
  char *path = beside(b, b->name, ".h");
  if (!path) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = bd_outfile_open(path, b->diags, &b->header_file);
  free(path);
  const buddy_writer writer = bd_outfile_writer(&b->header_file);
  for (size_t i = 0; i < b->n_parts && code == BUDDY_OK; ++i) {
    const part *p = &b->parts[i];
    const bd_header_facts facts = {
        .name = p->name,
        .file = header,
        .program = p->program,
        .weights = b->weights_name,
        .source = source ? source + 1 : b->path,
        .target = target,
        .linking = linking,
        .placement = b->options.weights == BUDDY_WEIGHTS_INSIDE ? BD_IN_OBJECT : BD_IN_FILE,
        .n_weights = b->weights.n_bytes,
        .suppliers = &p->suppliers};
    if (i > 0) code = writer.write(writer.user, "\n", 1);
    if (code == BUDDY_OK)
      code = bd_header_write(&facts, p->compiled->signature, p->passing, &writer);
  }
  return code;
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

static void deinit_part(part *p) {
  bd_objects_deinit(&p->objects);
  bd_suppliers_deinit(&p->suppliers);
  free(p->passing);
  buddy_program_destroy(p->compiled);
  bd_symbol_table_destroy(p->symbols);
  buddy_module_destroy(p->module);
  bd_model_source_close(&p->source);
}

static void deinit(build *b) {
  bd_outfile_discard(&b->code_file);
  bd_outfile_discard(&b->header_file);
  bd_outfile_discard(&b->weights_file);
  bd_weights_deinit(&b->weights);
  bd_free(b->archives.items);
  free(b->weights_name);
  free(b->inside);
  for (size_t i = 0; b->parts && i < b->n_parts; ++i) deinit_part(&b->parts[i]);
  bd_free(b->parts);
  bd_text_deinit(&b->programs);
  if (b->archive) buddy_archive_close(b->archive);
  bd_target_deinit(&b->target);
}

static buddy_code run(build *b) {
  buddy_code code = compile(b);
  if (code == BUDDY_OK) code = write_code(b);
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
  BD_C_LOCALE();
  build b = {.path = path, .output = output, .diags = diags};
  bd_text_init(&b.programs);
  BD_TRY(read_options(&b, options));
  buddy_code code = bd_compile_options_read(&b.how.compile, diags, &b.compile);
  b.compile.parameters_are_constant = 1; /* they are bound when the library is loaded */
  b.compile.buffers_in_place = 1;        /* they are the model's, or its sessions' */
  b.compile.profile = 0; /* such code needs more of the runtime than a library has */
  if (code == BUDDY_OK) code = read_form(&b);
  if (code == BUDDY_OK) code = choose_name(&b);
  if (code == BUDDY_OK) code = choose_programs(&b);
  if (code == BUDDY_OK)
    code = bd_target_init(b.options.target_triple, b.options.target_cpu, b.compile.without, diags,
                          &b.target);
  if (code == BUDDY_OK) code = run(&b);
  deinit(&b);
  return code;
}
