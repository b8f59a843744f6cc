// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/source.c: opening an archive, with its caps and cuts. */
#include "sdk/model/source.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "sdk/model/registry_calls.h"

void bd_model_source_close(bd_model_source *source) {
  if (source->graph) buddy_graph_destroy(source->graph);
  bd_growing_deinit(&source->growing);
  if (source->registries) buddy_registries_destroy(source->registries);
  if (source->opset) buddy_opset_destroy(source->opset);
  if (source->archive && !source->is_lent) buddy_archive_close(source->archive);
  *source = (bd_model_source){.archive = NULL};
}

static buddy_code shard(buddy_graph *graph, const buddy_model_options *o, buddy_diags *diags) {
  if (!o || !BUDDY_HAS(o, buddy_model_options, tensor_parallel_plan)) return BUDDY_OK;
  const buddy_shard_options options = {.struct_size = sizeof(options),
                                       .n_ranks = o->tensor_parallel,
                                       .rank = o->tensor_parallel_rank,
                                       .plan = o->tensor_parallel_plan};
  return buddy_graph_shard(graph, &options, diags);
}

/* What comes after the archive, which is there. */
static buddy_code import(const buddy_model_options *options, buddy_diags *diags,
                         bd_model_source *source) {
  BD_TRY(buddy_aten_opset_create(&source->opset));
  BD_TRY(bd_model_registries(options, source->opset, diags, &source->registries));
  BD_TRY(buddy_archive_import(source->archive, source->opset, diags, &source->graph));
  BD_TRY(shard(source->graph, options, diags));
  const bool grows =
      options && BUDDY_HAS(options, buddy_model_options, pairs_in_place) && options->pairs_in_place;
  return grows ? bd_pairs_grow(source->graph, diags, &source->growing) : BUDDY_OK;
}

buddy_code bd_model_archive_open(const char *path, const buddy_model_options *options,
                                 buddy_diags *diags, buddy_archive **out_archive) {
  const int verifies =
      options && BUDDY_HAS(options, buddy_model_options, verify) && options->verify;
  const char *program =
      options && BUDDY_HAS(options, buddy_model_options, program) ? options->program : NULL;
  const bool has_weights =
      options && BUDDY_HAS(options, buddy_model_options, weight_names) && options->weights;
  buddy_code code = buddy_archive_open(path, diags, out_archive);
  if (code == BUDDY_OK && has_weights)
    code = buddy_archive_take_weights(*out_archive, options->weights, options->weight_names, diags);
  if (code == BUDDY_OK) code = buddy_archive_choose(*out_archive, program, diags);
  if (code == BUDDY_OK && options && BUDDY_HAS(options, buddy_model_options, sizes))
    code = buddy_archive_set_sizes(*out_archive, options->sizes);
  if (code == BUDDY_OK && verifies) code = buddy_archive_check(*out_archive, diags);
  if (code != BUDDY_OK && *out_archive) {
    buddy_archive_close(*out_archive);
    *out_archive = NULL;
  }
  return code;
}

buddy_code bd_model_source_open(const char *path, const buddy_model_options *options,
                                buddy_diags *diags, bd_model_source *out_source) {
  *out_source = (bd_model_source){.archive = NULL};
  BD_TRY(bd_model_archive_open(path, options, diags, &out_source->archive));
  return import(options, diags, out_source);
}

buddy_code bd_model_source_open_on(buddy_archive *archive, const buddy_model_options *options,
                                   buddy_diags *diags, bd_model_source *out_source) {
  *out_source = (bd_model_source){.archive = archive, .is_lent = true};
  return import(options, diags, out_source);
}
