// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/shipped/making/make.c: compiles programs for a level of processors, and writes the
 * kernels that they ask for as a blob of shipped.h.
 *
 *   buddy_make_kernels LEVEL OUTPUT PROGRAM.mlir…
 *
 * Arguments of a program with the attribute `buddy.weight` are constant, as parameters of a model
 * are. Only kernels that serve many shapes are worth shipping, and only those that call nothing but
 * one another: what a model brings itself is not where they could find it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "llvm-c/Core.h"
#include "mlir-c/BuiltinAttributes.h"
#include "sdk/compile/code/codegen.h"
#include "sdk/compile/compile.h"
#include "sdk/compile/derive.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/lower/module.h"

#define MAX_PROGRAM (64u << 20)

/* The tool itself compiles everything. */
const bd_shipped_blob *const bd_shipped_blobs[BD_SHIPPED_N_LEVELS] = {NULL, NULL, NULL};

/* What leads the names of kernels that serve many shapes. */
static const char *const kinds[] = {"buddy.tiles_", "buddy.affine_", "buddy.filter_",
                                    "buddy.fill_",  "buddy.dots_",   "buddy.winograd_"};

typedef struct kernel {
  char name[BD_SHIPPED_NAME_SIZE];
  LLVMMemoryBufferRef object;
} kernel;

typedef struct making {
  const bd_shipped_level *level;
  buddy_diags *diags;
  bd_target target;
  buddy_compile_options options;
  bd_symbol_table *symbols;
  kernel *kernels;
  size_t n, capacity;
  bool is_closed; /* of the kernel that is being compiled: it calls none but shipped ones */
} making;

/* ---- One kernel ---- */

/* Loops that threads share are cut out of kernels later (NAME.part_0): nobody asks for these. */
static bool is_of_kind(MlirStringRef name) {
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
    const size_t n = strlen(kinds[i]);
    if (name.length > n && memcmp(name.data, kinds[i], n) == 0)
      return !memchr(name.data + n, '.', name.length - n);
  }
  return false;
}

static bool is_made(const making *m, const char *name) {
  for (size_t i = 0; i < m->n; ++i) {
    if (strcmp(m->kernels[i].name, name) == 0) return true;
  }
  return false;
}

static bool is_used(LLVMValueRef value) { return LLVMGetFirstUse(value) != NULL; }

/* Codegen's finish: the function can be reached from objects that it is linked with. */
static buddy_code finish(void *user, LLVMModuleRef module, bool is_main, buddy_diags *diags) {
  (void)is_main, (void)diags;
  making *m = user;
  m->is_closed = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName(f);
    if (!LLVMIsDeclaration(f))
      LLVMSetVisibility(f, LLVMHiddenVisibility);
    else if (is_used(f) && LLVMGetIntrinsicID(f) == 0 && !is_made(m, name))
      m->is_closed = false;
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g) && is_used(g)) m->is_closed = false;
  }
  return BUDDY_OK;
}

static buddy_code add(making *m, const char *name, LLVMMemoryBufferRef object) {
  kernel *kernels = bd_array_grow(m->kernels, &m->capacity, m->n + 1, sizeof(kernel));
  if (!kernels) return BUDDY_OUT_OF_MEMORY;
  m->kernels = kernels;
  kernel *k = &m->kernels[m->n++];
  memset(k, 0, sizeof(*k));
  snprintf(k->name, sizeof(k->name), "%s", name);
  k->object = object;
  return BUDDY_OK;
}

static buddy_code make_kernel(making *m, MlirModule module, MlirOperation function,
                              const char *name) {
  MlirModule part;
  bd_objects objects = {0, {NULL}};
  const bd_codegen codegen = {&m->target, m->options.opt_level, 1, finish, NULL, m};
  BD_TRY(bd_parts_copy(module, function, &part));
  buddy_code code = bd_codegen_objects(part, name, &codegen, m->symbols, m->diags, &objects);
  if (code == BUDDY_OK && m->is_closed) {
    code = add(m, name, objects.items[0]);
    if (code == BUDDY_OK) objects.items[0] = NULL;
  }
  bd_objects_deinit(&objects);
  mlirModuleDestroy(part);
  return code;
}

static buddy_code make_kernels(making *m, MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    char name[BD_SHIPPED_NAME_SIZE];
    if (!bd_op_is(op, "llvm.func")) continue;
    const MlirStringRef found = bd_symbol_of(op);
    if (!is_of_kind(found) || found.length >= sizeof(name)) continue;
    snprintf(name, sizeof(name), "%.*s", (int)found.length, found.data);
    if (!is_made(m, name)) BD_TRY(make_kernel(m, module, op, name));
  }
  return BUDDY_OK;
}

/* ---- One program ---- */

static bool is_weight(MlirOperation entry, intptr_t i) {
  const MlirAttribute all = bd_op_attribute(entry, "arg_attrs");
  if (!all.ptr) return false;
  const MlirAttribute own = mlirArrayAttrGetElement(all, i);
  return mlirDictionaryAttrGetElementByName(own, mlirStringRefCreateFromCString("buddy.weight"))
             .ptr != NULL;
}

/* The module gets the signature that it would have if it came from a model. */
static buddy_code mark_weights(buddy_module *module, buddy_diags *diags) {
  buddy_program derived = {0};
  const MlirOperation entry = bd_module_entry(module);
  const buddy_code code = bd_derive_program(module, diags, &derived);
  for (size_t i = 0; code == BUDDY_OK && i < derived.signature->n_inputs; ++i) {
    if (is_weight(entry, (intptr_t)i))
      derived.signature->inputs[i].port.kind = BUDDY_INPUT_PARAMETER;
  }
  module->signature = derived.signature;
  free(derived.result_ranks);
  return code;
}

static buddy_code make_program(making *m, const char *path) {
  size_t n = 0;
  buddy_module *module = NULL;
  char *text = NULL;
  buddy_code code = bd_infile_whole(path, MAX_PROGRAM, NULL, m->diags, &text, &n);
  if (code != BUDDY_OK) return code;
  buddy_program *program = bd_calloc(1, sizeof(buddy_program));
  if (!program) code = BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = buddy_module_parse((buddy_sv){text, n}, m->diags, &module);
  if (code == BUDDY_OK) code = mark_weights(module, m->diags);
  if (code == BUDDY_OK) code = bd_symbol_table_create(&m->symbols);
  if (code == BUDDY_OK)
    code = bd_compile_lower(module, NULL, &m->options, &m->target.machine, NULL, m->diags,
                            m->symbols, program);
  if (code == BUDDY_OK) code = make_kernels(m, module->module);
  buddy_program_destroy(program);
  bd_symbol_table_destroy(m->symbols);
  m->symbols = NULL;
  buddy_module_destroy(module);
  bd_free(text);
  return code;
}

/* ---- The blob ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(((const kernel *)a)->name, ((const kernel *)b)->name);
}

static size_t padded(size_t n) { return (n + 15) / 16 * 16; }

static void write_all(const making *m, bd_outfile *file) {
  static const char zeros[16];
  bd_shipped_blob head = {.n = m->n};
  memcpy(head.magic, BD_SHIPPED_MAGIC, sizeof(head.magic));
  size_t at = padded(sizeof(head) + m->n * sizeof(bd_shipped_item));
  const size_t gap = at - sizeof(head) - m->n * sizeof(bd_shipped_item);
  bd_outfile_write(file, &head, sizeof(head));
  for (size_t i = 0; i < m->n; ++i) {
    bd_shipped_item item = {.at = at, .size = LLVMGetBufferSize(m->kernels[i].object)};
    memcpy(item.name, m->kernels[i].name, sizeof(item.name));
    bd_outfile_write(file, &item, sizeof(item));
    at += padded(item.size);
  }
  bd_outfile_write(file, zeros, gap);
  for (size_t i = 0; i < m->n; ++i) {
    const size_t n = LLVMGetBufferSize(m->kernels[i].object);
    bd_outfile_write(file, LLVMGetBufferStart(m->kernels[i].object), n);
    bd_outfile_write(file, zeros, padded(n) - n);
  }
}

static buddy_code write_blob(making *m, const char *path) {
  bd_outfile file;
  if (m->n > 0) qsort(m->kernels, m->n, sizeof(kernel), by_name);
  BD_TRY(bd_outfile_open(path, m->diags, &file));
  write_all(m, &file);
  return bd_outfile_commit(&(bd_outfile *){&file}, 1, m->diags);
}

/* ---- The command ---- */

static buddy_code begin(making *m, const char *level) {
  for (size_t i = 0; i < BD_SHIPPED_N_LEVELS; ++i) {
    if (strcmp(bd_shipped_levels[i].name, level) == 0) m->level = &bd_shipped_levels[i];
  }
  if (!m->level)
    return buddy_diags_add(m->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, level, NULL,
                           "no such level of processors");
  buddy_code code = bd_compile_options_read(NULL, m->diags, &m->options);
  m->options.parameters_are_constant = 1;
  if (code == BUDDY_OK) code = bd_target_init(NULL, m->level->cpu, NULL, m->diags, &m->target);
  if (code != BUDDY_OK) return code;
  free(m->target.features); /* spelled out, as those of a processor are that is asked for them */
  m->target.features = bd_strdup(m->level->features);
  if (!m->target.features) return BUDDY_OUT_OF_MEMORY;
  bd_target_find_machine(&m->target, BD_MOST_L2); /* as most processors that run it have */
  return BUDDY_OK;
}

static void end(making *m) {
  for (size_t i = 0; i < m->n; ++i) LLVMDisposeMemoryBuffer(m->kernels[i].object);
  free(m->kernels);
  bd_target_deinit(&m->target);
  for (size_t i = 0; i < buddy_diags_count(m->diags); ++i) {
    const buddy_diag *d = buddy_diags_get(m->diags, i);
    fprintf(stderr, "%s: %s\n", d->where, d->what);
  }
  buddy_diags_destroy(m->diags);
}

int main(int argc, char **argv) {
  making m = {.level = NULL};
  if (argc < 3) {
    fprintf(stderr, "usage: %s LEVEL OUTPUT PROGRAM.mlir...\n", argv[0]);
    return 2;
  }
  if (buddy_diags_create(&m.diags) != BUDDY_OK) return 1;
  buddy_code code = begin(&m, argv[1]);
  for (int i = 3; i < argc && code == BUDDY_OK; ++i) {
    code = make_program(&m, argv[i]);
    if (code != BUDDY_OK) fprintf(stderr, "%s:\n", argv[i]);
  }
  if (code == BUDDY_OK) code = write_blob(&m, argv[2]);
  end(&m);
  return code == BUDDY_OK ? 0 : 1;
}
