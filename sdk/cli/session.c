// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/session.c: the road from the command line to a plan. */
#include "sdk/cli/session.h"
#include "core/base/try.h"

static buddy_code open_registries(bd_session *session, const bd_registry_flags *flags) {
  const buddy_search_options search = bd_search_options(flags);
  buddy_registries_options order = bd_registries_options(flags);
  order.chooser = bd_session_chooser(session, flags);
  BD_TRY(buddy_aten_opset_create(&session->opset));
  BD_TRY(buddy_search_create(&search, session->diags, &session->search));
  return buddy_registries_create(session->search, session->opset, &order, session->diags,
                                 &session->registries);
}

buddy_code bd_session_open(bd_session *session, const bd_registry_flags *flags) {
  *session = (bd_session){0};
  BD_TRY(buddy_diags_create(&session->diags));
  return open_registries(session, flags);
}

buddy_code bd_session_open_chosen(bd_session *session, const bd_registry_flags *flags) {
  *session = (bd_session){0};
  const buddy_search_options search = bd_search_options(flags);
  const buddy_model_options model = {.struct_size = sizeof(model), .search = &search};
  BD_TRY(buddy_diags_create(&session->diags));
  BD_TRY(buddy_calibration_open(&model, session->diags, &session->calibration));
  return open_registries(session, flags);
}

const buddy_chooser *bd_session_chooser(const bd_session *session, const bd_registry_flags *flags) {
  const buddy_registries_options order = bd_registries_options(flags);
  return session->calibration ? buddy_calibration_chooser(session->calibration, &order) : NULL;
}

buddy_code bd_session_import(bd_session *session, const bd_archive_flags *flags) {
  BD_TRY(buddy_archive_open(flags->path, session->diags, &session->archive));
  BD_TRY(buddy_archive_choose(session->archive, flags->program, session->diags));
  BD_TRY(buddy_archive_set_sizes(session->archive, flags->sizes));
  return buddy_archive_import(session->archive, session->opset, session->diags, &session->graph);
}

buddy_code bd_session_import_model(bd_session *session, bd_model_flags *flags) {
  BD_TRY(bd_model_flags_read(flags, session->diags));
  return bd_session_import(session, &flags->archive);
}

buddy_code bd_session_shard(bd_session *session, const bd_shard_flags *flags) {
  const buddy_shard_options options = {.struct_size = sizeof(options),
                                       .n_ranks = flags->n_ranks,
                                       .rank = flags->rank,
                                       .plan = flags->plan};
  return buddy_graph_shard(session->graph, &options, session->diags);
}

buddy_code bd_session_plan(bd_session *session) {
  return buddy_plan_create(session->registries, session->graph, session->diags, &session->plan);
}

int bd_session_close(bd_session *session, buddy_code code) {
  buddy_plan_destroy(session->plan);
  buddy_graph_destroy(session->graph);
  if (session->archive) buddy_archive_close(session->archive);
  buddy_registries_destroy(session->registries);
  buddy_search_destroy(session->search);
  buddy_opset_destroy(session->opset);
  buddy_calibration_close(session->calibration);
  const int status = bd_finish(code, session->diags);
  *session = (bd_session){0};
  return status;
}
