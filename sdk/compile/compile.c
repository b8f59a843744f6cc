// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/compile.c: a module becomes a program; see buddy/compile.h. */
#include "sdk/compile/compile.h"

#include <stdlib.h>
#include <string.h>

#include "buddy/extensions.h"
#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/options.h"
#include "core/base/try.h"
#include "sdk/compile/code/jit.h"
#include "sdk/compile/derive.h"
#include "sdk/compile/entry.h"
#include "sdk/compile/fragments.h"
#include "sdk/compile/rewrite/assertion.h"
#include "sdk/compile/rewrite/constants.h"
#include "sdk/compile/road.h"
#include "sdk/llvm/compiles.h"
#include "sdk/lower/module.h"
#include "sdk/runtime/program.h"

#define DEFAULT_OPT_LEVEL 2

void bd_compile_announce(const buddy_compile_options *options, const char *stage, double fraction) {
  if (options->progress) options->progress(options->user, stage, fraction);
}

buddy_code bd_compile_options_read(const buddy_compile_options *given, buddy_diags *diags,
                                   buddy_compile_options *out) {
  *out = (buddy_compile_options){.struct_size = sizeof(*out)};
  BD_TRY(bd_llvm_check_compiles(diags));
  BD_TRY(bd_options_read(out, sizeof(*out), given, "buddy_compile_options", diags));
  if (out->opt_level == 0 || out->opt_level == -1)
    out->opt_level = DEFAULT_OPT_LEVEL;
  else if (out->opt_level == BUDDY_OPT_NONE)
    out->opt_level = 0;
  else if (out->opt_level < 0 || out->opt_level > 3)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "options", NULL,
                           "opt_level is %d; it is 1 to 3, 0 for the default, or BUDDY_OPT_NONE",
                           out->opt_level);
  if (out->winograd < -1 || out->winograd > 1)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "options", NULL,
                           "winograd is %d; it is -1, 0 or 1", out->winograd);
  if (out->fusion < -1 || out->fusion > 0 || out->folding < -1 || out->folding > 0)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "options", NULL,
                           "fusion is %d and folding %d; each is -1 or 0", out->fusion,
                           out->folding);
  return BUDDY_OK;
}

/* Frees what compiling made. */
static void release(buddy_program *program) {
  bd_jit_destroy(program->jit);
  bd_signature_destroy(program->signature);
  bd_assertions_deinit(&program->assertions);
  bd_constants_deinit(&program->constants);
  free(program->result_ranks);
}

buddy_code bd_compile_lower(buddy_module *module, const buddy_registries *registries,
                            const buddy_compile_options *options, const bd_machine *machine,
                            bd_shipped *shipped, buddy_diags *diags, bd_symbol_table *symbols,
                            buddy_program *program) {
  program->release = release;
  bd_compilation road = {.module = module,
                         .registries = registries,
                         .options = options,
                         .machine = machine,
                         .shipped = shipped,
                         .diags = diags,
                         .symbols = symbols,
                         .program = program};
  buddy_code code = bd_schedule_create(mlirModuleGetContext(module->module), options->schedule,
                                       diags, &road.schedule);
  if (code == BUDDY_OK) code = bd_derive_program(module, diags, program);
  if (code == BUDDY_OK)
    code = bd_entry_prepare(module, options->buffers_in_place ? program->signature : NULL, diags);
  if (code == BUDDY_OK) code = bd_symbol_table_add_runtime(symbols);
  if (code == BUDDY_OK) code = bd_compilation_run(&road);
  bd_schedule_deinit(&road.schedule);
  bd_compile_announce(options, "generating code", 0.5);
  return code;
}

void bd_compile_shipped(const buddy_compile_options *options, const buddy_registries *registries,
                        const char *features, bd_shipped *out_shipped) {
  *out_shipped = (bd_shipped){.n_blobs = 0};
  if (options->opt_level == DEFAULT_OPT_LEVEL && !options->pipeline && !options->schedule &&
      !bd_fragments_exist(registries, BUDDY_STAGE_LLVM))
    bd_shipped_init(out_shipped, features, NULL);
}

static buddy_code build(buddy_module *module, const buddy_registries *registries,
                        const buddy_compile_options *options, buddy_diags *diags,
                        buddy_program *program) {
  bd_symbol_table *symbols;
  bd_target target = {.triple = NULL};
  bd_shipped shipped;
  buddy_code code = bd_symbol_table_create(&symbols);
  if (code != BUDDY_OK) return code;
  code = bd_target_init(NULL, NULL, options->without, diags, &target);
  bd_compile_shipped(options, registries, target.features, &shipped);
  if (code == BUDDY_OK && options->profile) code = bd_profile_create(&program->profile);
  if (code == BUDDY_OK)
    code = bd_compile_lower(module, registries, options, &target.machine, &shipped, diags, symbols,
                            program);
  if (code == BUDDY_OK) {
    code = bd_jit_create(module->module, module->function, &target, options->opt_level, symbols,
                         &shipped, registries, diags, &program->jit);
  }
  bd_target_deinit(&target);
  if (code == BUDDY_OK) program->entry = bd_jit_entry(program->jit);
  bd_symbol_table_destroy(symbols);
  bd_shipped_deinit(&shipped);
  if (code == BUDDY_OK) code = bd_run_pool_create(&program->pool);
  bd_compile_announce(options, "done", 1.0);
  return code;
}

buddy_code buddy_compile(buddy_module *module, const buddy_registries *registries,
                         const buddy_compile_options *options, buddy_diags *diags,
                         buddy_program **out_program) {
  BD_C_LOCALE();
  buddy_compile_options chosen;
  *out_program = NULL;
  buddy_program *program = bd_calloc(1, sizeof(buddy_program));
  buddy_code code =
      !program ? BUDDY_OUT_OF_MEMORY : bd_compile_options_read(options, diags, &chosen);
  if (code == BUDDY_OK) code = build(module, registries, &chosen, diags, program);
  buddy_module_destroy(module);
  if (code != BUDDY_OK) {
    buddy_program_destroy(program);
    return code;
  }
  *out_program = program;
  return BUDDY_OK;
}
