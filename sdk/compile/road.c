// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/road.c: the table of passes, and what runs it. */
#include "sdk/compile/road.h"

#include "buddy/extensions.h"
#include "core/base/try.h"
#include "sdk/compile/code/sanitized.h"
#include "sdk/compile/dialects.h"
#include "sdk/compile/entry.h"
#include "sdk/compile/fragments.h"
#include "sdk/compile/kernels/attention/attention.h"
#include "sdk/compile/kernels/choice.h"
#include "sdk/compile/kernels/contraction.h"
#include "sdk/compile/kernels/convolution.h"
#include "sdk/compile/kernels/copies.h"
#include "sdk/compile/kernels/frames.h"
#include "sdk/compile/passes.h"
#include "sdk/compile/rewrite/accurate.h"
#include "sdk/compile/rewrite/allocations.h"
#include "sdk/compile/rewrite/apart.h"
#include "sdk/compile/rewrite/arena.h"
#include "sdk/compile/rewrite/assertion.h"
#include "sdk/compile/rewrite/bf16.h"
#include "sdk/compile/rewrite/bounds.h"
#include "sdk/compile/rewrite/branches.h"
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/rewrite/collapse.h"
#include "sdk/compile/rewrite/constants.h"
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/compile/rewrite/crossings.h"
#include "sdk/compile/rewrite/direct.h"
#include "sdk/compile/rewrite/extremes.h"
#include "sdk/compile/rewrite/factors.h"
#include "sdk/compile/rewrite/fills.h"
#include "sdk/compile/rewrite/hiding.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/rewrite/inplace.h"
#include "sdk/compile/rewrite/layouts.h"
#include "sdk/compile/rewrite/leftovers.h"
#include "sdk/compile/rewrite/iterations.h"
#include "sdk/compile/rewrite/lifetime.h"
#include "sdk/compile/rewrite/loops.h"
#include "sdk/compile/rewrite/outline.h"
#include "sdk/compile/rewrite/outputs.h"
#include "sdk/compile/rewrite/parallel_for.h"
#include "sdk/compile/rewrite/profiling.h"
#include "sdk/compile/rewrite/reductions.h"
#include "sdk/compile/rewrite/remainders.h"
#include "sdk/compile/rewrite/repeats.h"
#include "sdk/compile/rewrite/reshapes.h"
#include "sdk/compile/rewrite/rows.h"
#include "sdk/compile/rewrite/samples.h"
#include "sdk/compile/rewrite/shaping.h"
#include "sdk/compile/rewrite/slices.h"
#include "sdk/compile/rewrite/splitting.h"
#include "sdk/compile/rewrite/sums.h"
#include "sdk/compile/rewrite/tosa_forms.h"
#include "sdk/compile/rewrite/transposes.h"
#include "sdk/compile/rewrite/units.h"
#include "sdk/compile/rewrite/weights.h"
#include "sdk/compile/rewrite/widening.h"
#include "sdk/compile/rewrite/widths.h"
#include "sdk/compile/rewrite/work.h"

/* Not every module takes every pass. */
typedef bool wanted(const bd_compilation *r);

typedef struct pass {
  const char *name, *stage, *needs, *gives;
  wanted *is_wanted; /* null: always */
  /* One of these: over the module's operations; with kernels; with the whole road; a pipeline, over
   * all of the module, or, with `linalg`, over its functions that have linalg operations. */
  buddy_code (*of_root)(MlirOperation root);
  buddy_code (*of_kernels)(MlirOperation root, bd_kernels *kernels);
  buddy_code (*of_prepacking)(MlirOperation root, bd_kernels *kernels, bd_prepacking *prepacking);
  buddy_code (*run)(bd_compilation *r);
  const char *pipeline, *of_linalg;
  bool is_open; /* the module verifies again after a later one */
} pass;

static MlirOperation root_of(const bd_compilation *r) {
  return mlirModuleGetOperation(r->module->module);
}

/* ---- Which are wanted ---- */

static bool is_builtin(const bd_compilation *r) { return !r->options->pipeline; }
static bool is_given(const bd_compilation *r) { return r->options->pipeline; }
static bool fuses(const bd_compilation *r) { return r->options->fusion >= 0; }
static bool fuses_tensors(const bd_compilation *r) { return is_builtin(r) && fuses(r); }
static bool profiles(const bd_compilation *r) { return r->program->profile; }
static bool multiplies_words(const bd_compilation *r) {
  return is_builtin(r) && r->machine->has_words[BD_PACKED_BF16];
}
static bool has_fused(const bd_compilation *r) { return r->machine->has_fused; }
static bool has_arena(const bd_compilation *r) {
  (void)r;
  return !bd_is_sanitized();
}

/* ---- Passes that need more than the module ---- */

static buddy_code run_fragments(bd_compilation *r, int32_t stage) {
  return bd_fragments_run(r->module->module, r->registries, stage, r->diags);
}
static buddy_code of_tensors(bd_compilation *r) { return run_fragments(r, BUDDY_STAGE_TENSORS); }
static buddy_code of_buffers(bd_compilation *r) { return run_fragments(r, BUDDY_STAGE_BUFFERS); }
static buddy_code of_llvm(bd_compilation *r) { return run_fragments(r, BUDDY_STAGE_LLVM); }

static buddy_code apply_schedule(bd_compilation *r, const char *stage) {
  return bd_schedule_apply(&r->schedule, stage, r->module->module, r->diags);
}
static buddy_code schedule_tensors(bd_compilation *r) { return apply_schedule(r, "tensors"); }
static buddy_code schedule_buffers(bd_compilation *r) { return apply_schedule(r, "buffers"); }
static buddy_code schedule_loops(bd_compilation *r) { return apply_schedule(r, "loops"); }

static buddy_code run_given(bd_compilation *r) {
  return bd_passes_run(r->module->module, r->options->pipeline, "in the given pipeline", r->diags);
}

static buddy_code separate_samples(bd_compilation *r) {
  return bd_samples_separate(bd_module_entry(r->module), r->machine->l2);
}

static buddy_code cut_weights(bd_compilation *r) {
  return bd_weights_cut_first(bd_module_entry(r->module), r->program->signature);
}

static buddy_code join_branches(bd_compilation *r) {
  return bd_branches_join(bd_module_entry(r->module), r->program->signature);
}

static buddy_code extract_constants(bd_compilation *r) {
  return bd_constants_extract(r->module, r->symbols, &r->program->constants, r->diags);
}

static buddy_code choose_kernels(bd_compilation *r) {
  const buddy_compile_options *options = r->options;
  BD_TRY(bd_kernels_create(r->module->module, r->machine, r->shipped, &r->kernels));
  bd_choices_tell(r->kernels, options);
  bd_steady_unmark_all(root_of(r));
  BD_TRY(bd_prepacking_create(bd_module_entry(r->module), r->program->signature,
                              options->parameters_are_constant && options->folding >= 0,
                              &r->prepacking));
  r->prepacking.machine = r->machine;
  r->prepacking.winograd = options->winograd;
  r->prepacking.fusion = options->fusion;
  return BUDDY_OK;
}

static buddy_code hoist_constants(bd_compilation *r) {
  return bd_constants_hoist(root_of(r), &r->prepacking);
}

static buddy_code separate_factors(bd_compilation *r) {
  bool has_any;
  BD_TRY(bd_factors_separate(root_of(r), &r->prepacking, &has_any));
  return has_any ? hoist_constants(r) : BUDDY_OK;
}

static buddy_code choose_layouts(bd_compilation *r) {
  return bd_layouts_choose(root_of(r), &r->prepacking);
}

static buddy_code separate_costly(bd_compilation *r) {
  return bd_factors_separate_costly(root_of(r), &r->prepacking);
}

static buddy_code replace_attentions(bd_compilation *r) {
  return bd_attentions_replace(root_of(r), r->kernels, &r->prepacking);
}

static buddy_code replace_assertions(bd_compilation *r) {
  return bd_assertions_replace(root_of(r), r->kernels, &r->program->assertions);
}

/* Of kernels, on failure too. */
static void end_kernels(bd_compilation *r) {
  if (!r->kernels) return;
  r->program->plain = bd_choices_plain(r->kernels);
  bd_prepacking_deinit(&r->prepacking);
  bd_kernels_destroy(r->kernels);
  r->kernels = NULL;
}

static buddy_code add_kernels(bd_compilation *r) {
  const buddy_code code = bd_kernels_finish(r->kernels, r->diags);
  end_kernels(r);
  return code;
}

static buddy_code share_rows(bd_compilation *r) { return bd_rows_share(root_of(r), r->machine); }

static buddy_code outline(bd_compilation *r) { return bd_outline(r->module->module); }

static buddy_code plan_arena(bd_compilation *r) {
  return bd_arena_plan(bd_module_entry(r->module), profiles(r) ? bd_profiling_add_place : NULL,
                       r->program->profile);
}

static buddy_code insert_profiling(bd_compilation *r) {
  return bd_profiling_insert(r->module->module, bd_module_entry(r->module), r->program->profile);
}

static buddy_code call_functions(bd_compilation *r) {
  return bd_functions_call(r->module->module, r->machine->has_fused);
}

static buddy_code flatten_entry(bd_compilation *r) { return bd_entry_flatten(r->module, r->diags); }

static buddy_code keep_sums(bd_compilation *r) {
  return bd_sums_keep_accurate(root_of(r), r->machine, r->options->opt_level > 0);
}

static buddy_code name_widths(bd_compilation *r) {
  return bd_loops_name_widths(root_of(r), r->machine);
}

static buddy_code share_loops(bd_compilation *r) {
  return bd_loops_make_parallel(r->module->module, r->diags);
}

static buddy_code lower_dialects(bd_compilation *r) {
  return bd_dialects_lower(r->module->module, r->diags);
}

/* ---- The table ---------------------------------------------------------------------------------- */

static const pass passes[] = {
    {"running the registries' passes over tensors", "tensors", "any dialect",
     "dialects that the next passes know", .run = of_tensors},
    {"running the given pipeline", "tensors", "tensors", "buffers", .is_wanted = is_given,
     .run = run_given},
    {"checking bounds", "tensors", "symbolic sizes in views", "sizes that a run cannot leave",
     .is_wanted = is_builtin, .of_root = bd_bounds_check},
    {"undoing forms of TOSA", "tensors", "tosa", "products and reductions in their plain form",
     .is_wanted = is_builtin, .of_root = bd_tosa_forms_undo},
    {"protecting results of calls", "tensors", "calls of registries' functions",
     "results that no later pass writes over", .is_wanted = is_builtin,
     .of_root = bd_calls_protect_results},
    {"widening depthwise convolutions", "tensors", "convolutions by name",
     "elements that kernels multiply", .is_wanted = multiplies_words,
     .of_root = bd_depthwise_widen},
    {"lowering to linalg", "tensors", "tosa and other dialects on tensors",
     "linalg, arith, tensor and scf", .is_wanted = is_builtin, .pipeline = bd_pipeline_tensors},
    {"beginning extremes at infinity", "tensors", "linalg reductions",
     "maxima and minima of infinities, too", .is_wanted = is_builtin,
     .of_root = bd_extremes_begin_at_infinity},
    {"generalizing reductions", "tensors", "linalg.reduce", "reductions that fusion takes",
     .is_wanted = fuses_tensors, .of_root = bd_reductions_generalize},
    {"renewing outputs", "tensors", "linalg", "results with initial values of their own",
     .is_wanted = is_builtin, .of_root = bd_outputs_renew},
    {"cutting weights first", "tensors", "the signature", "reshapes that fusion takes",
     .is_wanted = fuses_tensors, .run = cut_weights},
    {"dropping axes of one element", "tensors", "linalg and reshapes",
     "operands that fusion takes past a reshape", .is_wanted = fuses_tensors,
     .of_root = bd_units_drop},
    {"hiding products", "tensors", "linalg", "products and convolutions that fusion leaves alone",
     .is_wanted = fuses_tensors, .of_root = bd_products_hide, .is_open = true},
    {"repeating what is cheap", "tensors", "linalg, hidden products",
     "loops that compute a cheap operand themselves", .is_wanted = fuses_tensors,
     .of_root = bd_repeats_make, .is_open = true},
    {"fusing loops", "tensors", "hidden products", "chains of elementwise operations as one",
     .is_wanted = fuses_tensors, .pipeline = bd_pipeline_fusion, .is_open = true},
    {"erasing leftovers", "tensors", "fused loops", "no loops that nobody reads",
     .is_wanted = fuses_tensors, .of_root = bd_leftovers_erase, .is_open = true},
    {"writing powers", "tensors", "fused loops", "powers of two by integers",
     .is_wanted = fuses_tensors, .of_root = bd_weights_write_powers, .is_open = true},
    {"restoring products", "tensors", "hidden products", "products and convolutions by name",
     .is_wanted = fuses_tensors, .of_root = bd_products_restore},
    {"joining branches", "tensors", "the signature, convolutions by name",
     "one convolution for those of an image that are added up", .is_wanted = fuses_tensors,
     .run = join_branches},
    {"applying the schedule's @tensors", "tensors", "fused linalg",
     "what the user's script makes of it", .is_wanted = is_builtin, .run = schedule_tensors},
    {"folding transposes", "tensors", "products by name",
     "products that read transposed operands in place", .is_wanted = is_builtin,
     .of_root = bd_transposes_fold},
    {"keeping ranks of slices", "tensors", "slices", "views without dropped axes",
     .is_wanted = is_builtin, .of_root = bd_slices_keep_rank},
    {"separating samples", "tensors", "the entry", "chains of images that go sample by sample",
     .is_wanted = is_builtin, .run = separate_samples},
    {"copying parts of images", "tensors", "slices", "convolutions of images without gaps",
     .is_wanted = is_builtin, .of_root = bd_slices_copy_images},
    {"lowering to buffers", "tensors", "linalg on tensors", "linalg on buffers",
     .is_wanted = is_builtin, .pipeline = bd_pipeline_buffers},
    {"running the registries' passes over buffers", "buffers", "buffers",
     "dialects that the next passes know", .run = of_buffers},
    {"extracting constants", "buffers", "constants of the module",
     "constants in memory of the program", .run = extract_constants},
    {"applying the schedule's @buffers", "buffers", "linalg on buffers",
     "what the user's script makes of it", .run = schedule_buffers},
    {"choosing kernels", "kernels", "the signature", "which inputs are constants",
     .run = choose_kernels},
    {"hoisting constants", "kernels", "constant inputs",
     "what depends on them alone in the first run", .run = hoist_constants},
    {"separating factors", "kernels", "constant inputs",
     "arithmetic on constants out of loops over more", .run = separate_factors},
    {"keeping calls", "kernels", "calls of constants", "calls that are made in the first run alone",
     .of_prepacking = bd_calls_keep},
    {"undoing reshapes of fills", "kernels", "fills", "fills of whole buffers",
     .of_root = bd_fills_undo_reshapes},
    {"shaping allocations", "kernels", "reshapes", "buffers with the axes that they are seen with",
     .of_root = bd_allocations_shape},
    {"choosing layouts", "kernels", "convolutions by name",
     "images with channels innermost where that pays", .run = choose_layouts},
    {"separating functions", "kernels", "layouts that stay",
     "functions of a few numbers out of loops over more", .run = separate_costly},
    {"avoiding copies", "kernels", "buffers", "results written where they are wanted",
     .of_root = bd_copies_avoid},
    {"separating crossings", "kernels", "loops over crossed axes", "transposes apart from sums",
     .of_root = bd_crossings_separate},
    {"marking work", "kernels", "linalg", "operations on floats, counted", .is_wanted = profiles,
     .of_root = bd_work_mark},
    {"replacing attentions", "kernels", "two products with rows between", "calls of kernels",
     .is_wanted = fuses, .run = replace_attentions},
    {"replacing products", "kernels", "products by name", "calls of kernels",
     .of_prepacking = bd_contractions_replace},
    {"replacing convolutions", "kernels", "convolutions by name", "calls of kernels",
     .of_prepacking = bd_convolutions_replace},
    {"replacing frames", "kernels", "fills and copies", "calls of kernels",
     .of_kernels = bd_frames_replace},
    {"replacing fills", "kernels", "fills", "calls of kernels", .of_kernels = bd_fills_replace},
    {"replacing copies", "kernels", "copies", "calls of kernels", .of_kernels = bd_copies_replace},
    {"checking allocations", "kernels", "allocations of symbolic sizes",
     "sizes that fit into memory", .of_root = bd_allocations_check},
    {"checking divisions", "kernels", "divisions of integers", "divisors that are not 0",
     .of_root = bd_divisions_check},
    {"replacing assertions", "kernels", "assertions", "calls that end the run",
     .run = replace_assertions},
    {"adding kernels", "kernels", "calls of kernels", "the kernels themselves", .run = add_kernels},
    {"applying the schedule's @loops", "loops", "linalg on buffers, kernels in place",
     "what the user's script makes of it", .run = schedule_loops},
    {"generalizing what is left", "loops", "linalg by name", "linalg.generic",
     .of_linalg = bd_pipeline_loops},
    {"reusing results", "loops", "linalg.generic", "results in place of operands",
     .of_root = bd_results_reuse},
    {"collapsing reductions", "loops", "linalg.generic", "sums over one axis in place of several",
     .of_root = bd_reductions_collapse},
    {"sharing rows", "loops", "linalg.generic", "loops over rows, with what follows in them",
     .is_wanted = fuses, .run = share_rows},
    {"ordering loops", "loops", "linalg.generic",
     "the fastest loop innermost; sums that are marked", .of_root = bd_loops_order},
    {"spreading iterations", "loops", "loops whose iterations are apart", "parallel loops",
     .of_root = bd_apart_spread},
    {"outlining loops", "loops", "loops", "functions of their own", .run = outline},
    {"ending lifetimes", "loops", "allocations", "where each ends", .of_root = bd_lifetimes_end},
    {"planning the arena", "loops", "lifetimes", "one block of memory for all of known size",
     .is_wanted = has_arena, .run = plan_arena},
    {"inserting measuring", "loops", "steps", "calls that measure them", .is_wanted = profiles,
     .run = insert_profiling},
    {"freeing iterations", "loops", "lifetimes", "loops that free what they leave behind",
     .of_root = bd_iterations_free},
    {"calling functions", "loops", "expm1 and log1p, erf of vectors", "calls",
     .run = call_functions},
    {"writing remainders", "loops", "remainders of floats", "remainders without calls",
     .is_wanted = has_fused, .of_root = bd_remainders_write},
    {"spelling reshapes out", "loops", "reshapes", "casts of strides",
     .of_root = bd_reshapes_spell_out},
    {"flattening the entry", "loops", "the entry of buffers", "the entry that a program calls",
     .run = flatten_entry},
    {"making loops", "loops", "linalg.generic", "parallel loops",
     .of_linalg = bd_pipeline_parallel},
    {"keeping sums accurate", "loops", "marked sums", "sums by blocks", .run = keep_sums},
    {"sharing loops among threads", "loops", "parallel loops",
     "calls of the thread pool, and loops", .run = share_loops, .is_open = true},
    {"splitting loops", "loops", "loops that compare positions", "loops over neighbours",
     .of_root = bd_loops_split, .is_open = true},
    {"naming widths", "loops", "innermost loops", "the width of f32 where sums are of f64",
     .run = name_widths, .is_open = true},
    {"running the registries' passes over loops", "llvm", "loops and buffers",
     "dialects that the next pass knows", .run = of_llvm, .is_open = true},
    {"lowering to LLVM", "llvm", "scf, memref, vector, arith and math", "the llvm dialect",
     .run = lower_dialects},
    {"moving bf16 as integers", "llvm", "the llvm dialect", "bf16 only where it is computed with",
     .of_root = bd_bf16_move_as_integers},
};

enum { N_PASSES = sizeof(passes) / sizeof(passes[0]) };

void buddy_passes_visit(void (*visit)(void *user, const buddy_pass *pass), void *user) {
  for (size_t i = 0; i < N_PASSES; ++i) {
    const buddy_pass shown = {.struct_size = sizeof(shown),
                              .name = passes[i].name,
                              .stage = passes[i].stage,
                              .needs = passes[i].needs,
                              .gives = passes[i].gives};
    visit(user, &shown);
  }
}

static buddy_code run_one(const pass *p, bd_compilation *r) {
  static const char *const structured[] = {"linalg.", NULL};
  const MlirModule module = r->module->module;
  if (p->of_root) return p->of_root(root_of(r));
  if (p->of_kernels) return p->of_kernels(root_of(r), r->kernels);
  if (p->of_prepacking) return p->of_prepacking(root_of(r), r->kernels, &r->prepacking);
  if (p->pipeline) return bd_passes_run(module, p->pipeline, p->name, r->diags);
  if (p->of_linalg) return bd_passes_run_where(module, structured, p->of_linalg, p->name, r->diags);
  return p->run(r);
}

/* In builds with BUDDY_PARANOID. Kernels are called before they are there. */
static buddy_code verify(const pass *p, bd_compilation *r) {
#ifdef BUDDY_PARANOID
  if (!p->is_open && !r->kernels && !mlirOperationVerify(root_of(r)))
    return buddy_diags_add(r->diags, BUDDY_ERROR, BUDDY_INTERNAL, p->stage, NULL,
                           "after the pass '%s' the module does not verify", p->name);
#else
  (void)p, (void)r;
#endif
  return BUDDY_OK;
}

buddy_code bd_compilation_run(bd_compilation *road) {
  const buddy_compile_options *options = road->options;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < N_PASSES && code == BUDDY_OK; ++i) {
    const pass *p = &passes[i];
    if (p->is_wanted && !p->is_wanted(road)) continue;
    if (options->progress)
      options->progress(options->user, p->name, 0.5 * (double)i / (double)N_PASSES);
    code = run_one(p, road);
    if (code == BUDDY_OK) code = verify(p, road);
  }
  end_kernels(road);
  return code;
}
