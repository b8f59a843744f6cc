// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/page.c: page.html with its data put in. */
#include "sdk/cli/page.h"

#include <string.h>

#include "core/base/text.h"
#include "core/base/try.h"
#include "sdk/cli/json.h"
#include "sdk/cli/verb.h"

extern const char bd_page_template[]; /* page.html */
#define DATA "@DATA@"

bool bd_page_is_json(const char *path) {
  const size_t n = strlen(path);
  return n >= 5 && strcmp(path + n - 5, ".json") == 0;
}

json_t *bd_page_create(const char *title) {
  return json_pack("{s:o, s:[], s:[]}", "title", bd_json_text(title), "notes", "views");
}

void bd_page_note(json_t *page, const char *text) {
  json_array_append_new(json_object_get(page, "notes"), bd_json_text(text));
}

json_t *bd_page_view(json_t *page, const char *name, const char *by, const bd_page_column *columns,
                     size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; ++i)
    json_array_append_new(list, json_pack("{s:s, s:s, s:s*, s:b, s:b}", "name", columns[i].name,
                                          "kind", columns[i].kind, "fold", columns[i].fold, "heat",
                                          columns[i].has_heat, "narrow", columns[i].is_narrow));
  json_t *view =
      json_pack("{s:s, s:s*, s:o, s:[]}", "name", name, "by", by, "columns", list, "rows");
  json_array_append_new(json_object_get(page, "views"), view);
  return view;
}

void bd_page_row(json_t *view, json_t *cells, json_t *path, json_t *more) {
  json_array_append_new(cells, path);
  json_array_append_new(cells, more ? more : json_array());
  json_array_append_new(json_object_get(view, "rows"), cells);
}

void bd_page_tell(json_t *more, const char *key, const char *text) {
  if (text && *text)
    json_array_append_new(more, json_pack("[o, o]", bd_json_text(key), bd_json_text(text)));
}

/* ---- Nodes ----------------------------------------------------------------------------------- */
static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

/* Of a list of pairs, as explorer.c writes them. */
static const char *attr(const json_t *attrs, const char *key) {
  const json_t *pair;
  size_t i;
  json_array_foreach(attrs, i, pair) {
    if (strcmp(text_of(pair, "key"), key) == 0) return text_of(pair, "value");
  }
  return "";
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static json_t *tell_node(const json_t *node) {
  json_t *more = json_array();
  const json_t *item;
  bd_text text;
  size_t i;
  json_array_foreach(json_object_get(node, "attrs"), i, item) {
    const char *key = text_of(item, "key");
    if (strcmp(key, "op") != 0 && strcmp(key, "registry") != 0)
      bd_page_tell(more, key, text_of(item, "value"));
  }
  bd_text_init(&text);
  json_array_foreach(json_object_get(node, "incomingEdges"), i, item)
      bd_text_format(&text, "%s%s", i ? ", " : "", text_of(item, "sourceNodeId"));
  bd_page_tell(more, "reads", text.data);
  text.size = 0;
  json_array_foreach(json_object_get(node, "outputsMetadata"), i, item) {
    const json_t *attrs = json_object_get(item, "attrs");
    bd_text_format(&text, "%s%s: %s", i ? "\n" : "", attr(attrs, "__tensor_tag"),
                   attr(attrs, "tensor_shape"));
  }
  bd_page_tell(more, "makes", text.size ? text.data : NULL);
  bd_text_deinit(&text);
  return more;
}

/* Of a graph within an op, the folds lie in one of its name. */
static json_t *path_of(const json_t *graph, const json_t *node, bool is_top) {
  const char *layer = text_of(node, "namespace");
  if (is_top) return bd_json_text(layer);
  return json_sprintf("%s%s%s", text_of(graph, "id"), *layer ? "/" : "", layer);
}

static void add_nodes(json_t *view, const json_t *graph, bool is_top, const json_t *results) {
  const json_t *node;
  size_t i;
  json_array_foreach(json_object_get(graph, "nodes"), i, node) {
    const json_t *attrs = json_object_get(node, "attrs");
    if (!*attr(attrs, "op")) continue; /* an input, or the outputs */
    json_t *value =
        json_object_get(is_top ? json_object_get(results, text_of(node, "id")) : NULL, "value");
    json_t *cells = json_pack("[s, s, s, s]", text_of(node, "id"), attr(attrs, "op"),
                              attr(attrs, "registry"), base_name(attr(attrs, "where")));
    if (results) json_array_append_new(cells, value ? json_incref(value) : json_null());
    bd_page_row(view, cells, path_of(graph, node, is_top), tell_node(node));
  }
}

void bd_page_nodes(json_t *page, const json_t *graphs, const json_t *data, const char *fold) {
  const bd_page_column columns[] = {{"node", "text", NULL, false, true},
                                    {"op", "text", NULL, false, false},
                                    {"taken by", "choice", NULL, false, true},
                                    {"line", "text", NULL, false, false},
                                    {text_of(data, "name"), "number", fold, true, true}};
  json_t *view = bd_page_view(page, "nodes", "module", columns, data ? 5 : 4);
  const json_t *graph, *results = json_object_get(data, "results");
  size_t i;
  json_array_foreach(json_object_get(graphs, "graphs"), i, graph)
      add_nodes(view, graph, i == 0, results);
}

/* ---- Writing --------------------------------------------------------------------------------- */
buddy_code bd_page_write(json_t *page, const char *path, buddy_diags *diags) {
  bd_cli_output output;
  if (!page) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = bd_cli_output_open(path, diags, &output);
  if (code != BUDDY_OK) {
    json_decref(page);
    return code;
  }
  const char *data = strstr(bd_page_template, DATA);
  fwrite(bd_page_template, 1, (size_t)(data - bd_page_template), output.file);
  bd_json_put(page, true, output.file);
  fputs(data + strlen(DATA), output.file);
  json_decref(page);
  return bd_cli_output_close(&output, 1, diags);
}
