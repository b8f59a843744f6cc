// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/config.c: config.pbtxt, completed and compared with the archive's ports. */
#include "sdk/serve/triton/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/text.h"

int64_t bd_config_number(const json_t *json, int64_t fallback) {
  if (json_is_integer(json)) return json_integer_value(json);
  int64_t number = fallback;
  const char *text = json_string_value(json);
  return text && bd_int_parse((buddy_sv){text, strlen(text)}, &number) ? number : fallback;
}

/* The dims of a port as the server has them: without the batch's, -1 for symbolic ones, [1] for none. */
static uint32_t first_dim(int64_t max_batch) { return max_batch > 0 ? 1 : 0; }

static size_t n_dims(const bd_served_port *one, int64_t max_batch) {
  const uint32_t first = first_dim(max_batch);
  return one->port->rank > first ? one->port->rank - first : 0;
}

static int64_t dim_of(const bd_served_port *one, size_t d, int64_t max_batch) {
  return one->port->dims[d + first_dim(max_batch)];
}

bool bd_config_is_decoupled(const json_t *config) {
  const json_t *policy = json_object_get(config, "model_transaction_policy");
  return json_is_true(json_object_get(policy, "decoupled"));
}

/* ---- Completing ---- */
static json_t *dims_json(const bd_served_port *one, int64_t max_batch) {
  json_t *dims = json_array();
  const size_t n = n_dims(one, max_batch);
  for (size_t d = 0; d < n; ++d)
    json_array_append_new(dims, json_integer(dim_of(one, d, max_batch)));
  if (n == 0) json_array_append_new(dims, json_integer(1));
  return dims;
}

static json_t *list_json(const bd_served_port *list, size_t n, int64_t max_batch) {
  json_t *all = json_array();
  for (size_t i = 0; i < n; ++i) {
    if (list[i].is_absent) continue;
    json_t *one =
        json_pack("{s:s, s:s, s:o}", "name", list[i].name, "data_type",
                  bd_served_type_name(list[i].type), "dims", dims_json(&list[i], max_batch));
    if (list[i].is_optional) json_object_set_new(one, "optional", json_true());
    json_array_append_new(all, one);
  }
  return all;
}

static bool has_scheduling(const json_t *config) {
  static const char *const kinds[] = {"dynamic_batching", "sequence_batching",
                                      "ensemble_scheduling"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (json_object_get(config, kinds[i])) return true;
  }
  return false;
}

buddy_code bd_config_complete(json_t *config, const bd_served_ports *ports, int64_t usual_batch,
                              bool *out_is_changed) {
  int failed = 0;
  const bool lacks_inputs = json_array_size(json_object_get(config, "input")) == 0;
  const bool lacks_outputs = json_array_size(json_object_get(config, "output")) == 0;
  int64_t max_batch = bd_config_number(json_object_get(config, "max_batch_size"), 0);
  *out_is_changed = lacks_inputs || lacks_outputs;
  if (lacks_inputs && lacks_outputs && max_batch == 0) {
    max_batch = ports->batch_limit < usual_batch ? ports->batch_limit : usual_batch;
    failed |= json_object_set_new(config, "max_batch_size", json_integer(max_batch));
  }
  if (lacks_inputs)
    failed |=
        json_object_set_new(config, "input", list_json(ports->inputs, ports->n_inputs, max_batch));
  if (lacks_outputs)
    failed |= json_object_set_new(config, "output",
                                  list_json(ports->outputs, ports->n_outputs, max_batch));
  if (max_batch > 1 && !has_scheduling(config)) {
    failed |= json_object_set_new(config, "dynamic_batching", json_object());
    *out_is_changed = true;
  }
  return failed ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

/* ---- Comparing ---- */
typedef struct checking {
  buddy_diags *diags;
  int64_t max_batch;
  buddy_code code;
} checking;

static void wrong(checking *c, const char *kind, const char *name, const char *todo,
                  const char *what) {
  char where[160];
  snprintf(where, sizeof where, "%s%s%.120s", kind, *name ? " " : "", name);
  c->code = buddy_diags_add(c->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, where, todo, "%s", what);
}

/* The port of that name, or, where none has it, of that number: "output_0". */
static bd_served_port *find(bd_served_port *list, size_t n, const char *kind, const char *name) {
  const size_t n_kind = strlen(kind);
  int64_t number;
  for (size_t i = 0; i < n; ++i) {
    if (!list[i].is_absent && strcmp(list[i].name, name) == 0) return &list[i];
  }
  if (strncmp(name, kind, n_kind) != 0 || name[n_kind] != '_') return NULL;
  const buddy_sv digits = {name + n_kind + 1, strlen(name + n_kind + 1)};
  if (!bd_int_parse(digits, &number) || number < 0 || (uint64_t)number >= n) return NULL;
  return list[number].is_absent ? NULL : &list[number];
}

static void put_names(bd_text *text, const bd_served_port *list, size_t n) {
  const char *lead = "the model has ";
  for (size_t i = 0; i < n; ++i) {
    if (list[i].is_absent) continue;
    bd_text_format(text, "%s%.60s", lead, list[i].name);
    lead = ", ";
  }
}

static void put_dims(bd_text *text, const json_t *dims) {
  for (size_t d = 0; d < json_array_size(dims); ++d)
    bd_text_format(text, "%s%" PRId64, d ? "," : "",
                   bd_config_number(json_array_get(dims, d), INT64_MIN));
}

/* Whether the given dims stand for those of the port. */
static bool has_dims(const json_t *dims, const bd_served_port *one, int64_t max_batch) {
  const size_t n = n_dims(one, max_batch);
  if (json_array_size(dims) != n) return false;
  for (size_t d = 0; d < n; ++d) {
    const int64_t given = bd_config_number(json_array_get(dims, d), INT64_MIN);
    const int64_t own = dim_of(one, d, max_batch);
    if (own >= 0 ? given != own : given < -1) return false;
  }
  return true;
}

static void check_dims(checking *c, const char *kind, const json_t *entry, bd_served_port *one) {
  const json_t *reshape = json_object_get(json_object_get(entry, "reshape"), "shape");
  const json_t *dims = reshape ? reshape : json_object_get(entry, "dims");
  one->is_one = n_dims(one, c->max_batch) == 0 && json_array_size(dims) == 1 &&
                bd_config_number(json_array_get(dims, 0), 0) == 1;
  if (one->is_one || has_dims(dims, one, c->max_batch)) return;
  char data[512];
  bd_text text;
  bd_text_init_fixed(&text, data, sizeof data);
  bd_text_string(&text, "the configuration has dims [");
  put_dims(&text, dims);
  json_t *own = dims_json(one, c->max_batch);
  bd_text_string(&text, "], the model [");
  put_dims(&text, own);
  bd_text_string(&text, c->max_batch > 0 ? "] after the batch" : "]");
  json_decref(own);
  wrong(c, kind, one->name,
        c->max_batch > 0 ? "with max_batch_size the first size is not written"
                         : "give all sizes, or a max_batch_size",
        data);
}

static void rename_port(checking *c, bd_served_port *one, const char *name) {
  if (strcmp(one->name, name) == 0) return;
  char *copy = bd_strdup(name);
  if (!copy) {
    c->code = BUDDY_OUT_OF_MEMORY;
    return;
  }
  bd_free(one->name);
  one->name = copy;
}

/* is_given: one flag a port. */
static void check_entry(checking *c, const char *kind, const json_t *entry, bd_served_port *list,
                        size_t n, bool *is_given) {
  char data[512];
  bd_text text;
  bd_text_init_fixed(&text, data, sizeof data);
  const char *name = json_string_value(json_object_get(entry, "name"));
  const char *type = json_string_value(json_object_get(entry, "data_type"));
  bd_served_port *one = name ? find(list, n, kind, name) : NULL;
  if (!one || is_given[one - list]) {
    put_names(&text, list, n);
    wrong(c, kind, name ? name : "", data,
          one ? "the configuration has it twice" : "the model has none of this name");
    return;
  }
  is_given[one - list] = true;
  if (!type || strcmp(type, bd_served_type_name(one->type)) != 0) {
    bd_text_format(&text, "the configuration has %.40s, the model %s", type ? type : "no type",
                   bd_served_type_name(one->type));
    wrong(c, kind, name, "", data);
  }
  if (json_is_true(json_object_get(entry, "allow_ragged_batch")))
    wrong(c, kind, name, "pad requests to one size", "a ragged batch is not one tensor");
  check_dims(c, kind, entry, one);
  rename_port(c, one, name);
}

static void check_list(checking *c, const char *kind, const json_t *entries, bd_served_port *list,
                       size_t n) {
  bool *is_given = bd_calloc(n + 1, sizeof *is_given);
  if (!is_given) {
    c->code = BUDDY_OUT_OF_MEMORY;
    return;
  }
  for (size_t i = 0; i < json_array_size(entries); ++i)
    check_entry(c, kind, json_array_get(entries, i), list, n, is_given);
  for (size_t i = 0; i < n && strcmp(kind, "input") == 0; ++i) {
    if (!is_given[i] && !list[i].is_optional)
      wrong(c, kind, list[i].name, "add it, or leave out all of them",
            "the configuration lacks it");
  }
  bd_free(is_given);
}

static void check_batch(checking *c, const bd_served_ports *ports) {
  char what[400];
  if (c->max_batch < 0 || c->max_batch <= ports->batch_limit) return;
  if (ports->batch_limit > 0) {
    snprintf(what, sizeof what, "it is %" PRId64 ", the model takes batches of up to %" PRId64,
             c->max_batch, ports->batch_limit);
  } else {
    snprintf(what, sizeof what, "it is %" PRId64 ", but requests cannot be put together: %s",
             c->max_batch, ports->why_no_batch);
  }
  wrong(c, "max_batch_size", "", "lower it, or export the model with a symbolic batch", what);
}

buddy_code bd_triton_config_apply(const json_t *config, bd_served_ports *ports, buddy_diags *diags,
                                  int64_t *out_max_batch) {
  checking c = {.diags = diags,
                .max_batch = bd_config_number(json_object_get(config, "max_batch_size"), 0)};
  check_batch(&c, ports);
  /* Dims after a batch that the model has not would be a second message about the same. */
  if (c.code == BUDDY_OK) {
    check_list(&c, "input", json_object_get(config, "input"), ports->inputs, ports->n_inputs);
    check_list(&c, "output", json_object_get(config, "output"), ports->outputs, ports->n_outputs);
  }
  *out_max_batch = c.max_batch > 0 ? c.max_batch : 0;
  return c.code;
}
