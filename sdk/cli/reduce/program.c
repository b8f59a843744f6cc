// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/program.c: what an archive says, as JSON (sdk/import/archive.c has its layout). */
#include <ctype.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/reduce/reduce.h"
#include "sdk/import/archive.h"

struct bd_program_name {
  const char *text; /* the JSON's */
  size_t maker;
  bd_name_kind kind;
  UT_hash_handle hh;
};

/* ---- Names ----------------------------------------------------------------------------------- */
void bd_names_each(const json_t *argument, bd_name_visit visit, void *user) {
  size_t i;
  const char *key;
  json_t *member;
  if (json_is_array(argument)) {
    json_array_foreach(argument, i, member) bd_names_each(member, visit, user);
    return;
  }
  json_object_foreach((json_t *)(uintptr_t)argument, key, member) {
    const char *text = json_string_value(member);
    if (text && strcmp(key, "name") == 0) visit(user, text, false);
    if (text && strcmp(key, "as_name") == 0) visit(user, text, true);
    /* A graph within has names of its own. */
    if (!text && strcmp(key, "as_graph") != 0) bd_names_each(member, visit, user);
  }
}

typedef struct defining {
  bd_program *p;
  size_t maker;
  bool is_full;
} defining;

static void define(void *user, const char *text, bool is_number) {
  defining *d = user;
  bd_program_name *name = NULL;
  HASH_FIND_STR(d->p->names, text, name);
  if (name) return;
  bool hash_is_full = false;
  name = bd_calloc(1, sizeof *name);
  if (!name) {
    d->is_full = true;
    return;
  }
  *name = (bd_program_name){.text = text, .maker = d->maker};
  name->kind = is_number                     ? BD_NAME_NUMBER
               : bd_program_meta(d->p, text) ? BD_NAME_TENSOR
                                             : BD_NAME_OTHER;
  HASH_ADD_KEYPTR(hh, d->p->names, name->text, strlen(name->text), name);
  d->is_full |= hash_is_full;
}

static void forget_names(bd_program *p) {
  bd_program_name *name, *next;
  HASH_ITER(hh, p->names, name, next) {
    HASH_DEL(p->names, name);
    bd_free(name);
  }
}

static buddy_code define_names(bd_program *p) {
  defining d = {.p = p, .maker = SIZE_MAX};
  bd_names_each(json_object_get(bd_program_graph(p), "inputs"), define, &d);
  for (d.maker = 0; d.maker < p->n_nodes; ++d.maker)
    bd_names_each(json_object_get(bd_program_node(p, d.maker), "outputs"), define, &d);
  return d.is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

bool bd_program_names_find(const bd_program *p, const char *text, size_t *out_maker,
                           bd_name_kind *out_kind) {
  bd_program_name *name = NULL;
  HASH_FIND_STR(p->names, text, name);
  if (!name) return false;
  *out_maker = name->maker;
  *out_kind = name->kind;
  return true;
}

json_t *bd_program_graph(const bd_program *p) {
  return json_object_get(json_object_get(p->root, "graph_module"), "graph");
}
json_t *bd_program_node(const bd_program *p, size_t i) {
  return json_array_get(json_object_get(bd_program_graph(p), "nodes"), i);
}
json_t *bd_program_meta(const bd_program *p, const char *name) {
  return json_object_get(json_object_get(bd_program_graph(p), "tensor_values"), name);
}

static void note_name(void *user, const char *name, bool is_number) {
  (void)is_number;
  json_array_append_new(user, json_string(name));
}

json_t *bd_program_inputs(const bd_program *p) {
  const json_t *module = json_object_get(p->root, "graph_module");
  json_t *names = json_array(), *spec;
  size_t i;
  json_array_foreach(json_object_get(json_object_get(module, "signature"), "input_specs"), i, spec)
      bd_names_each(json_object_get(spec, "user_input"), note_name, names);
  return names;
}

/* ---- Opening --------------------------------------------------------------------------------- */
/* PyTorch writes bounds of sizes in full, beyond 64 bits: they become the last number that there is. */
static void cut_numbers(char *text, size_t n) {
  bool in_string = false;
  for (size_t i = 0; i < n; ++i) {
    if (text[i] == '\\' && in_string) {
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && isdigit((unsigned char)text[i])) {
      size_t end = i;
      while (end < n && isdigit((unsigned char)text[end])) ++end;
      const bool is_whole = end >= n || !strchr(".eE", text[end]);
      if (is_whole && end - i >= 19 && (i == 0 || !strchr(".+", text[i - 1]))) {
        memset(text + i, ' ', end - i);
        /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): in the middle of a text */
        memcpy(text + i, "9223372036854775807", 19);
      }
      i = end - 1;
      if (!is_whole) /* a float: all of it */
        while (i + 1 < n && strchr("0123456789.eE+-", text[i + 1])) ++i;
    }
  }
}

static buddy_code read_entry(const bd_program *p, const bd_zip_entry *entry, buddy_diags *diags,
                             const uint8_t **out_bytes, uint8_t **out_own) {
  *out_own = NULL;
  *out_bytes = entry->bytes;
  if (entry->is_stored) return BUDDY_OK;
  *out_bytes = *out_own = bd_malloc(entry->size + 1);
  return *out_own ? bd_zip_inflate((bd_zip *)(uintptr_t)p->zip, entry, diags, *out_own)
                  : BUDDY_OUT_OF_MEMORY;
}

static buddy_code read_json(const bd_program *p, const char *name, buddy_diags *diags,
                            json_t **out) {
  const bd_zip_entry *entry = bd_zip_find(p->zip, name);
  const uint8_t *bytes;
  uint8_t *own = NULL;
  json_error_t wrong;
  if (!entry)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, p->where, NULL,
                           "the archive has no entry '%s'", name);
  buddy_code code = read_entry(p, entry, diags, &bytes, &own);
  char *text = code == BUDDY_OK ? bd_malloc(entry->size + 1) : NULL;
  if (text) {
    memcpy(text, bytes, entry->size);
    cut_numbers(text, entry->size);
    *out = json_loadb(text, entry->size, 0, &wrong);
    if (!*out)
      code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, p->where, NULL,
                             "'%s' is no JSON: %s", name, wrong.text);
  } else if (code == BUDDY_OK) {
    code = BUDDY_OUT_OF_MEMORY;
  }
  bd_free(text);
  bd_free(own);
  return code;
}

static buddy_code read_all(bd_program *p, const char *model, buddy_diags *diags) {
  static const char *const parts_of[][2] = {{"models/", ".json"},
                                            {"data/weights/", "_weights_config.json"},
                                            {"data/constants/", "_constants_config.json"}};
  json_t *parts[3] = {NULL, NULL, NULL};
  buddy_code code = BUDDY_OK;
  for (int i = 0; i < 3 && code == BUDDY_OK; ++i) {
    bd_text name;
    bd_text_init(&name);
    bd_text_append(&name, bd_zip_entry_at(p->zip, 0)->name, (size_t)p->folder);
    bd_text_format(&name, "%s%s%s", parts_of[i][0], model, parts_of[i][1]);
    code = name.code ? name.code : read_json(p, name.data, diags, &parts[i]);
    bd_text_deinit(&name);
  }
  p->weights = json_incref(json_object_get(parts[1], "config"));
  p->constants = json_incref(json_object_get(parts[2], "config"));
  json_decref(parts[1]);
  json_decref(parts[2]);
  return code == BUDDY_OK ? bd_program_set_root(p, parts[0]) : code;
}

buddy_code bd_program_open(const char *path, const char *program, buddy_diags *diags,
                           bd_program *out) {
  *out = (bd_program){.where = path};
  BD_TRY(buddy_archive_open(path, diags, &out->archive));
  BD_TRY(buddy_archive_choose(out->archive, program, diags));
  out->zip = bd_archive_zip(out->archive);
  const char *first = bd_zip_entry_at(out->zip, 0)->name;
  out->folder = (int)strcspn(first, "/") + 1;
  return read_all(out, bd_archive_model(out->archive), diags);
}

buddy_code bd_program_set_root(bd_program *p, json_t *root) {
  forget_names(p);
  if (p->root != root) json_decref(p->root);
  p->root = root;
  p->n_nodes = json_array_size(json_object_get(bd_program_graph(p), "nodes"));
  return define_names(p);
}

void bd_program_close(bd_program *p) {
  forget_names(p);
  json_decref(p->root);
  json_decref(p->weights);
  json_decref(p->constants);
  json_decref(p->smaller);
  if (p->archive) buddy_archive_close(p->archive);
}

buddy_code bd_program_payload(const bd_program *p, const json_t *payload, bool is_weight,
                              buddy_diags *diags, bd_stored_bytes *out) {
  const char *path = json_string_value(json_object_get(payload, "path_name"));
  char name[BD_ZIP_MAX_NAME];
  *out = (bd_stored_bytes){.n = 0};
  snprintf(name, sizeof name, "%.*sdata/%s/%s", p->folder, bd_zip_entry_at(p->zip, 0)->name,
           is_weight ? "weights" : "constants", path ? path : "");
  const bd_zip_entry *entry = bd_zip_find(p->zip, name);
  if (!entry)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, p->where, NULL,
                           "the archive has no entry '%s'", name);
  out->n = entry->size;
  return read_entry(p, entry, diags, &out->bytes, &out->own);
}

/* ---- Symbols --------------------------------------------------------------------------------- */
typedef struct fixing {
  buddy_graph *graph; /* of symbols */
  const int64_t *numbers;
  size_t n;
  const json_t *ints; /* numbers by name, once they are fixed */
} fixing;

static bool evaluate(const fixing *f, const json_t *expression, int64_t *out) {
  const char *text = json_string_value(json_object_get(expression, "expr_str"));
  int64_t dim;
  return text && !buddy_graph_dim_parse(f->graph, (buddy_sv){text, strlen(text)}, NULL, &dim) &&
         !buddy_graph_dim_eval(f->graph, dim, f->numbers, f->n, out);
}

/* {"as_expr": …} becomes {"as_int": 3}; what cannot be computed stays. */
static void fix_expressions(const fixing *f, json_t *json) {
  size_t i;
  const char *key;
  json_t *member;
  int64_t number;
  json_array_foreach(json, i, member) fix_expressions(f, member);
  json_object_foreach(json, key, member) fix_expressions(f, member);
  const json_t *expression = json_object_get(json, "as_expr");
  if (!expression || !evaluate(f, expression, &number)) return;
  json_object_clear(json);
  json_object_set_new(json, "as_int", json_integer(number));
}

/* {"as_name": "sym_size_int"} becomes {"as_int": 3} where it is read. */
static void fix_names(const fixing *f, json_t *json) {
  size_t i;
  const char *key;
  json_t *member;
  json_array_foreach(json, i, member) fix_names(f, member);
  json_object_foreach(json, key, member) {
    if (strcmp(key, "as_graph") != 0) fix_names(f, member);
  }
  const char *name = json_string_value(json_object_get(json, "as_name"));
  const json_t *value = name ? json_object_get(f->ints, name) : NULL;
  json_t *number = json_incref(json_object_get(value, "as_int"));
  if (!number) return;
  json_object_clear(json);
  json_object_set_new(json, "as_int", number);
}

static buddy_code fix(const fixing *f, json_t *root) {
  json_t *module = json_object_get(root, "graph_module"), *graph = json_object_get(module, "graph");
  fixing with = *f;
  size_t i;
  json_t *node;
  fix_expressions(f, module);
  with.ints = json_object_get(graph, "sym_int_values");
  json_array_foreach(json_object_get(graph, "nodes"), i, node)
      fix_names(&with, json_object_get(node, "inputs"));
  json_object_set_new(root, "range_constraints", json_object());
  json_object_set_new(root, "guards_code", json_array());
  return BUDDY_OK;
}

buddy_code bd_program_fix(const bd_program *p, const json_t *symbols, json_t **out_root) {
  buddy_opset *opset = NULL;
  fixing f = {.n = json_object_size(symbols)};
  int64_t *numbers = bd_calloc(f.n + 1, sizeof *numbers), dim;
  size_t i = 0;
  const char *name;
  json_t *number;
  *out_root = NULL;
  buddy_code code = numbers ? buddy_opset_create(&opset) : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = buddy_graph_create(opset, "symbols", &f.graph);
  json_object_foreach((json_t *)(uintptr_t)symbols, name, number) {
    if (code == BUDDY_OK) code = buddy_graph_add_symbol(f.graph, name, INT64_MIN, INT64_MAX, &dim);
    if (code == BUDDY_OK) numbers[i++] = json_integer_value(number);
  }
  f.numbers = numbers;
  if (code == BUDDY_OK) *out_root = json_deep_copy(p->root);
  if (*out_root) code = fix(&f, *out_root);
  buddy_graph_destroy(f.graph);
  buddy_opset_destroy(opset);
  bd_free(numbers);
  return *out_root || code != BUDDY_OK ? code : BUDDY_OUT_OF_MEMORY;
}
