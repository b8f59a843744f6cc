// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2.c: an archive becomes a graph.
 *
 *   1  parse the program and the two configurations of stored tensors
 *   2  check the version of the schema
 *   3  read ranges of symbols, the names of the graph, inputs, guards, nodes, outputs
 *   4  forget the JSON
 *   5  functionalise, normalise, verify
 *
 * What damages the file ends the import at once. What is beyond buddy is told and read over, so
 * that the user sees all of it; the import then fails at the end of step 3. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/graph/infer_graphs.h"
#include "core/graph/model.h"
#include "sdk/import/normalize.h"
#include "sdk/import/pt2.h"
#include "sdk/import/restored.h"
#include "sdk/import/zero_points.h"

#define SCHEMA_MAJOR 8
#define SCHEMA_MINOR 20 /* the newest that this importer was written for */

static buddy_code check_version(bd_import *import, bd_json program) {
  bd_json_reader *json = &import->json;
  const bd_json version = bd_json_get(json, program, "schema_version");
  const int64_t major = bd_json_int(json, bd_json_get(json, version, "major"));
  const int64_t minor = bd_json_int(json, bd_json_get(json, version, "minor"));
  const bd_json torch = bd_json_find(program, "torch_version");
  const char *torch_text = bd_json_is(torch) ? bd_json_name(json, torch) : "";
  BD_TRY(json->code);
  BD_TRY(bd_archive_set_versions(import->archive, major, minor, torch_text));
  const char *where = bd_archive_where(import->archive);
  if (major != SCHEMA_MAJOR) {
    return buddy_diags_add(
        import->diags, BUDDY_ERROR, BUDDY_INCOMPATIBLE, where,
        "export it with another PyTorch, or use another buddy",
        "the program has schema version %lld.%lld (PyTorch %.40s); this buddy reads %d.x",
        (long long)major, (long long)minor, torch_text, SCHEMA_MAJOR);
  }
  if (minor > SCHEMA_MINOR) {
    buddy_diags_add(import->diags, BUDDY_NOTE, BUDDY_OK, where, NULL,
                    "the program has schema version %lld.%lld, newer than the %d.%d that this "
                    "buddy was made for",
                    (long long)major, (long long)minor, SCHEMA_MAJOR, SCHEMA_MINOR);
  }
  return BUDDY_OK;
}

/* Guards before nodes: what they say of a size holds for its dims in all types. */
static buddy_code read_graph(bd_import *import, bd_json program, bd_json module) {
  bd_json_reader *json = &import->json;
  bd_frame top = {.kind = BD_FRAME_TOP, .target = import->graph, .prefix = ""};
  top.graph = bd_json_get(json, module, "graph");
  const bd_json signature = bd_json_get(json, module, "signature");
  top.nodes = bd_json_array(json, bd_json_get(json, top.graph, "nodes"));
  BD_TRY(json->code);
  BD_TRY(bd_frames_push(import, &top));
  BD_TRY(bd_names_read(import, &import->frames[0]));
  BD_TRY(bd_fixed_sizes_apply(import, &import->frames[0], signature));
  BD_TRY(bd_signature_inputs(import, &import->frames[0], signature));
  if (!import->problem) BD_TRY(bd_guards_read(import, program, module));
  BD_TRY(bd_fixed_sizes_check(import));
  BD_TRY(bd_nodes_read(import));
  return bd_signature_outputs(import, &import->frames[0], signature);
}

static buddy_code read_program(bd_import *import, bd_json_document *document) {
  const bd_json program = bd_json_root(document);
  BD_TRY(check_version(import, program));
  const bd_json ranges = bd_json_get(&import->json, program, "range_constraints");
  BD_TRY(import->json.code);
  BD_TRY(bd_types_read_ranges(import, ranges));
  const bd_json module = bd_json_get(&import->json, program, "graph_module");
  BD_TRY(import->json.code);
  BD_TRY(read_graph(import, program, module));
  return import->problem ? BUDDY_OK : bd_restored_apply(import);
}

static buddy_code read_documents(bd_import *import, bd_json_document *documents[3]) {
  static const char *const paths[] = {"data/weights/%s_weights_config.json",
                                      "data/constants/%s_constants_config.json", "models/%s.json"};
  const char *model = bd_archive_model(import->archive);
  const bool is_given = bd_archive_given(import->archive) != NULL; /* and so are its tensors */
  for (size_t i = is_given ? 2 : 0; i < 3; ++i) {
    bd_text path;
    bd_text_init(&path);
    const char *found = strstr(paths[i], "%s");
    bd_text_append(&path, paths[i], (size_t)(found - paths[i]));
    bd_text_string(&path, model);
    bd_text_string(&path, found + 2);
    buddy_code code = path.code;
    import->json.where =
        bd_arena_format(&import->arena, "%s: %s", bd_archive_where(import->archive), path.data);
    if (!import->json.where) code = BUDDY_OUT_OF_MEMORY;
    if (!code) code = bd_archive_json(import->archive, path.data, import->diags, &documents[i]);
    bd_text_deinit(&path);
    if (code) return code;
  }
  if (!is_given) BD_TRY(bd_weights_read(import, documents[0], documents[1]));
  return read_program(import, documents[2]);
}

/* Everything that needs the JSON; all of it is freed after. */
static buddy_code read_archive(bd_import *import) {
  bd_json_document *documents[3] = {0};
  buddy_code code = read_documents(import, documents);
  while (import->n_frames) bd_names_deinit(&import->frames[--import->n_frames]);
  bd_free(import->frames);
  bd_types_deinit(import);
  bd_stored_weights_deinit(import);
  for (size_t i = 0; i < 3; ++i) bd_json_destroy(documents[i]);
  bd_arena_deinit(&import->arena);
  if (import->n_problems > BD_MAX_PROBLEMS) {
    buddy_diags_add(import->diags, BUDDY_NOTE, BUDDY_OK, bd_archive_where(import->archive), NULL,
                    "%zu further problems are not shown", import->n_problems - BD_MAX_PROBLEMS);
  }
  return code ? code : import->problem;
}

buddy_code buddy_archive_import(buddy_archive *archive, const buddy_opset *opset,
                                buddy_diags *diags, buddy_graph **out_graph) {
  BD_C_LOCALE();
  *out_graph = NULL;
  if (!bd_archive_model(archive)) BD_TRY(buddy_archive_choose(archive, NULL, diags));
  bd_import import = {.archive = archive, .diags = diags, .opset = opset, .json = {.diags = diags}};
  bd_arena_init(&import.arena);
  bd_arena_init(&import.layouts.arena);
  buddy_code code = buddy_graph_create(opset, "forward", &import.graph);
  if (!code) code = read_archive(&import);
  /* The tensors of a live program may change. */
  if (!code && !bd_archive_given(archive)) code = bd_zero_points_drop(import.graph, archive, diags);
  if (!code) code = bd_normalize(import.graph, &import.layouts, diags);
  bd_layouts_deinit(&import.layouts);
  if (!code) code = buddy_graph_verify(import.graph, diags);
  if (!code) code = bd_graph_check_mutations(import.graph, diags);
  if (!code) code = bd_infer_check_calls(import.graph, diags);
  if (code) {
    buddy_graph_destroy(import.graph);
    return code;
  }
  *out_graph = import.graph;
  return BUDDY_OK;
}
