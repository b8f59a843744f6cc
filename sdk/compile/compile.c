// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/compile.c: a module becomes a program; see buddy/compile.h. */
#include "sdk/compile/compile.h"

#include "buddy/extensions.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/allocations.h"
#include "sdk/compile/rewrite/arena.h"
#include "sdk/compile/rewrite/bounds.h"
#include "sdk/compile/rewrite/accurate.h"
#include "sdk/compile/rewrite/assertion.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/rewrite/constants.h"
#include "sdk/compile/rewrite/crossings.h"
#include "sdk/compile/kernels/attention.h"
#include "sdk/compile/kernels/choice.h"
#include "sdk/compile/kernels/contraction.h"
#include "sdk/compile/kernels/convolution.h"
#include "sdk/compile/kernels/copies.h"
#include "sdk/compile/kernels/depthwise.h"
#include "sdk/compile/rewrite/direct.h"
#include "sdk/compile/derive.h"
#include "sdk/compile/dialects.h"
#include "sdk/compile/entry.h"
#include "sdk/compile/rewrite/extremes.h"
#include "sdk/compile/rewrite/fills.h"
#include "sdk/compile/fragments.h"
#include "sdk/compile/rewrite/hiding.h"
#include "sdk/compile/rewrite/inplace.h"
#include "sdk/compile/code/jit.h"
#include "sdk/compile/code/sanitized.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/rewrite/layouts.h"
#include "sdk/compile/rewrite/leftovers.h"
#include "sdk/compile/rewrite/lifetime.h"
#include "sdk/compile/rewrite/loops.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/rewrite/outputs.h"
#include "sdk/compile/rewrite/outline.h"
#include "sdk/compile/passes.h"
#include "sdk/compile/rewrite/profiling.h"
#include "sdk/runtime/program.h"
#include "sdk/compile/rewrite/reshapes.h"
#include "sdk/compile/rewrite/samples.h"
#include "sdk/compile/rewrite/slices.h"
#include "sdk/compile/rewrite/rows.h"
#include "sdk/compile/schedule.h"
#include "sdk/compile/rewrite/parallel_for.h"
#include "sdk/compile/rewrite/sums.h"
#include "sdk/compile/rewrite/tosa_forms.h"
#include "sdk/compile/rewrite/transposes.h"
#include "sdk/compile/rewrite/work.h"
#include "core/base/options.h"
#include "sdk/llvm/compiles.h"
#include "sdk/lower/module.h"

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

/* Operations for which there is something better than the loops that they stand for. */
static buddy_code use_kernels(buddy_module *module, const buddy_compile_options *options,
                              const bd_machine *machine, bd_shipped *shipped, buddy_diags *diags,
                              buddy_program *program) {
  bd_kernels *kernels;
  bd_prepacking prepacking;
  const MlirOperation root = mlirModuleGetOperation(module->module);
  buddy_code code = bd_kernels_create(module->module, machine, shipped, &kernels);
  if (code != BUDDY_OK) return code;
  bd_choices_tell(kernels, options);
  code =
      bd_prepacking_create(bd_module_entry(module), program->signature,
                           options->parameters_are_constant && options->folding >= 0, &prepacking);
  prepacking.machine = machine;
  prepacking.winograd = options->winograd;
  prepacking.fusion = options->fusion;
  if (code == BUDDY_OK) code = bd_constants_hoist(root, &prepacking);
  if (code == BUDDY_OK) code = bd_calls_keep(root, kernels, &prepacking);
  if (code == BUDDY_OK) code = bd_fills_undo_reshapes(root);
  if (code == BUDDY_OK) code = bd_layouts_choose(root, &prepacking);
  if (code == BUDDY_OK) code = bd_copies_avoid(root);
  if (code == BUDDY_OK) code = bd_crossings_separate(root);
  if (code == BUDDY_OK && program->profile) code = bd_work_mark(root);
  if (code == BUDDY_OK && options->fusion >= 0)
    code = bd_attentions_replace(root, kernels, &prepacking);
  if (code == BUDDY_OK) code = bd_contractions_replace(root, kernels, &prepacking);
  if (code == BUDDY_OK) code = bd_convolutions_replace(root, kernels, &prepacking);
  if (code == BUDDY_OK) code = bd_depthwise_replace_nhwc(root, kernels, &prepacking);
  if (code == BUDDY_OK) code = bd_depthwise_replace(root, kernels);
  if (code == BUDDY_OK) code = bd_fills_replace(root, kernels);
  if (code == BUDDY_OK) code = bd_copies_replace(root, kernels);
  if (code == BUDDY_OK) code = bd_allocations_check(root);
  if (code == BUDDY_OK) code = bd_divisions_check(root);
  if (code == BUDDY_OK) code = bd_assertions_replace(root, kernels, &program->assertions);
  if (code == BUDDY_OK) code = bd_kernels_finish(kernels, diags);
  program->plain = bd_choices_plain(kernels);
  bd_prepacking_deinit(&prepacking);
  bd_kernels_destroy(kernels);
  return code;
}

/* What is done on buffers, between the two pipelines. */
static buddy_code transform(buddy_module *module, const buddy_compile_options *options,
                            const bd_machine *machine, bd_shipped *shipped,
                            const bd_schedule *schedule, buddy_diags *diags,
                            buddy_program *program) {
  static const char *const structured[] = {"linalg.", NULL};
  const MlirOperation root = mlirModuleGetOperation(module->module);
  buddy_code code = bd_schedule_apply(schedule, "buffers", module->module, diags);
  if (code == BUDDY_OK) code = use_kernels(module, options, machine, shipped, diags, program);
  if (code == BUDDY_OK) code = bd_schedule_apply(schedule, "loops", module->module, diags);
  if (code == BUDDY_OK)
    code =
        bd_passes_run_where(module->module, structured, bd_pipeline_loops, "ordering loops", diags);
  if (code == BUDDY_OK) code = bd_results_reuse(root);
  if (code == BUDDY_OK && options->fusion >= 0) code = bd_rows_share(root, machine);
  if (code == BUDDY_OK) code = bd_loops_order(root);
  if (code == BUDDY_OK) code = bd_outline(module->module);
  if (code == BUDDY_OK) code = bd_lifetimes_end(root);
  if (code == BUDDY_OK && !bd_is_sanitized())
    code = bd_arena_plan(bd_module_entry(module), program->profile ? bd_profiling_add_place : NULL,
                         program->profile);
  if (code == BUDDY_OK && program->profile)
    code = bd_profiling_insert(module->module, bd_module_entry(module), program->profile);
  if (code == BUDDY_OK) code = bd_functions_keep_accurate(module->module);
  if (code == BUDDY_OK) code = bd_reshapes_spell_out(root);
  if (code == BUDDY_OK) code = bd_entry_flatten(module, diags);
  if (code == BUDDY_OK)
    code = bd_passes_run_where(module->module, structured, bd_pipeline_parallel, "making loops",
                               diags);
  if (code == BUDDY_OK) code = bd_sums_keep_accurate(root, machine, options->opt_level > 0);
  if (code == BUDDY_OK) code = bd_loops_make_parallel(module->module, diags);
  return code;
}

/* Products and reductions that fusion gets wrong stay out of it. */
static buddy_code fuse(buddy_module *module, buddy_diags *diags) {
  const MlirOperation root = mlirModuleGetOperation(module->module);
  BD_TRY(bd_products_hide(root));
  BD_TRY(bd_passes_run(module->module, bd_pipeline_fusion, "fusing loops", diags));
  BD_TRY(bd_leftovers_erase(root));
  return bd_products_restore(root);
}

/* From tensors to buffers, by the builtin pipelines. */
static buddy_code bufferize(buddy_module *module, const buddy_compile_options *options,
                            const bd_schedule *schedule, buddy_diags *diags) {
  const MlirOperation root = mlirModuleGetOperation(module->module);
  bd_compile_announce(options, "lowering to linalg", 0.0);
  buddy_code code = bd_bounds_check(root);
  if (code == BUDDY_OK) code = bd_tosa_forms_undo(root);
  if (code == BUDDY_OK) code = bd_calls_protect_results(root);
  if (code == BUDDY_OK)
    code = bd_passes_run(module->module, bd_pipeline_tensors, "lowering to linalg", diags);
  if (code == BUDDY_OK) code = bd_extremes_begin_at_infinity(root);
  if (code == BUDDY_OK) code = bd_outputs_renew(root);
  if (code == BUDDY_OK && options->fusion >= 0) code = fuse(module, diags);
  if (code == BUDDY_OK) code = bd_schedule_apply(schedule, "tensors", module->module, diags);
  if (code == BUDDY_OK) code = bd_transposes_fold(root);
  if (code == BUDDY_OK) code = bd_slices_keep_rank(root);
  if (code == BUDDY_OK) code = bd_samples_separate(bd_module_entry(module));
  bd_compile_announce(options, "lowering to buffers", 0.1);
  return code == BUDDY_OK
             ? bd_passes_run(module->module, bd_pipeline_buffers, "lowering to buffers", diags)
             : code;
}

/* From tensors to the llvm dialect. */
static buddy_code lower(buddy_module *module, const buddy_registries *registries,
                        const buddy_compile_options *options, const bd_machine *machine,
                        bd_shipped *shipped, const bd_schedule *schedule, buddy_diags *diags,
                        bd_symbol_table *symbols, buddy_program *program) {
  const MlirModule mlir = module->module;
  buddy_code code = bd_fragments_run(mlir, registries, BUDDY_STAGE_TENSORS, diags);
  if (code == BUDDY_OK) {
    code = !options->pipeline
               ? bufferize(module, options, schedule, diags)
               : bd_passes_run(mlir, options->pipeline, "in the given pipeline", diags);
  }
  if (code == BUDDY_OK) code = bd_fragments_run(mlir, registries, BUDDY_STAGE_BUFFERS, diags);
  bd_compile_announce(options, "arranging loops", 0.3);
  if (code == BUDDY_OK) code = bd_constants_extract(module, symbols, &program->constants, diags);
  if (code == BUDDY_OK)
    code = transform(module, options, machine, shipped, schedule, diags, program);
  bd_compile_announce(options, "lowering to LLVM", 0.4);
  if (code == BUDDY_OK) code = bd_fragments_run(mlir, registries, BUDDY_STAGE_LLVM, diags);
  return code == BUDDY_OK ? bd_dialects_lower(mlir, diags) : code;
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
  bd_schedule schedule;
  buddy_code code =
      bd_schedule_create(mlirModuleGetContext(module->module), options->schedule, diags, &schedule);
  if (code == BUDDY_OK) code = bd_derive_program(module, diags, program);
  if (code == BUDDY_OK)
    code = bd_entry_prepare(module, options->buffers_in_place ? program->signature : NULL, diags);
  if (code == BUDDY_OK) code = bd_symbol_table_add_runtime(symbols);
  if (code == BUDDY_OK)
    code = lower(module, registries, options, machine, shipped, &schedule, diags, symbols, program);
  bd_schedule_deinit(&schedule);
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
