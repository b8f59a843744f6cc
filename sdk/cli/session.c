/* sdk/cli/session.c: the road from the command line to a plan. */
#include "sdk/cli/session.h"

buddy_code bd_session_open(bd_session *session, const bd_registry_flags *flags) {
  *session = (bd_session){0};
  const buddy_search_options search = bd_search_options(flags);
  const buddy_registries_options order = bd_registries_options(flags);
  buddy_code code = buddy_diags_create(&session->diags);
  if (code == BUDDY_OK) code = buddy_aten_opset_create(&session->opset);
  if (code == BUDDY_OK) code = buddy_search_create(&search, session->diags, &session->search);
  if (code == BUDDY_OK) {
    code = buddy_registries_create(session->search, session->opset, &order, session->diags,
                                   &session->registries);
  }
  return code;
}

buddy_code bd_session_import(bd_session *session, const char *path) {
  const buddy_code code = buddy_archive_open(path, session->diags, &session->archive);
  if (code != BUDDY_OK) return code;
  return buddy_archive_import(session->archive, session->opset, session->diags, &session->graph);
}

buddy_code bd_session_plan(bd_session *session) {
  return buddy_plan_create(session->registries, session->graph, session->diags, &session->plan);
}

int bd_session_close(bd_session *session, buddy_code code) {
  const int status = bd_finish(code, session->diags);
  buddy_plan_destroy(session->plan);
  buddy_graph_destroy(session->graph);
  if (session->archive) buddy_archive_close(session->archive);
  buddy_registries_destroy(session->registries);
  buddy_search_destroy(session->search);
  buddy_opset_destroy(session->opset);
  buddy_diags_destroy(session->diags);
  *session = (bd_session){0};
  return status;
}
