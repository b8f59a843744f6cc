// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/shard_plan.c: a cut as transformers writes it (`base_model_tp_plan`): names of modules, in
 * which a star stands for one part between dots or for some letters of it, each with how its weight is
 * cut. Names may leave out the first parts. */
#include <fnmatch.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/try.h"
#include "sdk/import/json.h"
#include "sdk/import/shard.h"

#define WHERE "tensor-parallel plan"

typedef struct entry {
  char *name;
  bd_cut_mode cut;
  bool is_met;
} entry;

struct bd_cut_plan {
  entry *items;
  size_t n, capacity;
};

static const struct {
  const char *name;
  bd_cut_mode cut;
} styles[] = {{"colwise", BD_CUT_COLUMNS},
              {"rowwise", BD_CUT_ROWS},
              {"colwise_rep", BD_CUT_COLUMNS_GATHERED},
              {"colwise_gather_output", BD_CUT_COLUMNS_GATHERED},
              {"rowwise_rep", BD_CUT_ROWS},
              {"rowwise_split_input", BD_CUT_ROWS},
              {"replicate", BD_CUT_NOT},
              {"replicated_with_grad_allreduce", BD_CUT_NOT}};

static buddy_code add(bd_cut_plan *plan, const char *name, const char *style, buddy_diags *diags) {
  for (size_t i = 0; i < sizeof styles / sizeof *styles; ++i) {
    if (strcmp(style, styles[i].name) != 0) continue;
    void *items = bd_array_grow(plan->items, &plan->capacity, plan->n + 1, sizeof *plan->items);
    if (!items) return BUDDY_OUT_OF_MEMORY;
    plan->items = items;
    plan->items[plan->n] = (entry){bd_strdup(name), styles[i].cut, false};
    return plan->items[plan->n++].name ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_UNSUPPORTED, name,
                         "take it out of the plan: what a plan does not name stays whole",
                         "a module cannot be cut '%s', only colwise, colwise_rep, "
                         "colwise_gather_output, rowwise, rowwise_rep, rowwise_split_input",
                         style);
}

static buddy_code read_entries(bd_json root, bd_cut_plan *plan, buddy_diags *told,
                               buddy_diags *diags) {
  bd_json_reader reader = {.diags = told, .where = WHERE};
  bd_json_iterator it = bd_json_object(&reader, root);
  bd_json value;
  buddy_code code = BUDDY_OK;
  while (code == BUDDY_OK && bd_json_next(&it, &value)) {
    const char *style = bd_json_name(&reader, value);
    char *name = reader.code == BUDDY_OK ? bd_strndup(it.key, it.key_size) : NULL;
    if (!name) return reader.code != BUDDY_OK ? reader.code : BUDDY_OUT_OF_MEMORY;
    code = add(plan, name, style, diags);
    bd_free(name);
  }
  return code == BUDDY_OK ? reader.code : code;
}

/* What json.h finds goes to `told`, since it speaks of archives. */
static buddy_code read_text(const char *text, bd_cut_plan *plan, buddy_diags *told,
                            buddy_diags *diags) {
  const size_t n = strlen(text);
  bd_json_document *document = NULL;
  char *padded = bd_calloc(n + BD_JSON_PADDING + 1, 1);
  if (!padded) return BUDDY_OUT_OF_MEMORY;
  /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): zeros are behind it */
  memcpy(padded, text, n);
  buddy_code code = bd_json_parse(padded, n, WHERE, told, &document);
  if (code == BUDDY_OK) code = read_entries(bd_json_root(document), plan, told, diags);
  if (document) bd_json_destroy(document);
  bd_free(padded);
  return code;
}

buddy_code bd_cut_plan_read(const char *text, buddy_diags *diags, bd_cut_plan **out_plan) {
  buddy_diags *told = NULL;
  *out_plan = bd_calloc(1, sizeof(bd_cut_plan));
  if (!*out_plan || buddy_diags_create(&told) != BUDDY_OK) {
    bd_free(*out_plan);
    return BUDDY_OUT_OF_MEMORY;
  }
  buddy_code code = read_text(text, *out_plan, told, diags);
  if (code != BUDDY_OK && buddy_diags_count(told) > 0)
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, WHERE,
                           "write an object of names and how each is cut: "
                           "{\"layers.*.mlp.up_proj\": \"colwise\", "
                           "\"layers.*.mlp.down_proj\": \"rowwise\"}",
                           "%s", buddy_diags_get(told, 0)->what);
  buddy_diags_destroy(told);
  if (code != BUDDY_OK) {
    bd_cut_plan_end(*out_plan, code, diags);
    *out_plan = NULL;
  }
  return code;
}

/* Part by part from the end, since names may leave out the first ones. */
static bool is_match(const char *pattern, const char *module) {
  for (const char *at = module; at; at = strchr(at, '.')) {
    if (*at == '.') ++at;
    const char *p = pattern, *m = at;
    for (;;) {
      char a[256], b[256];
      const size_t n = strcspn(p, "."), k = strcspn(m, ".");
      if (n >= sizeof a || k >= sizeof b) break;
      memcpy(a, p, n);
      memcpy(b, m, k);
      a[n] = b[k] = '\0';
      if (fnmatch(a, b, 0) != 0) break;
      p += n;
      m += k;
      if (!*p && !*m) return true;
      if (!*p++ || !*m++) break;
    }
  }
  return false;
}

bd_cut_mode bd_cut_plan_find(bd_cut_plan *plan, const char *target) {
  bd_cut_mode cut = BD_CUT_NOT;
  const char *dot = strrchr(target, '.');
  char *module = bd_strndup(target, dot ? (size_t)(dot - target) : strlen(target));
  for (size_t i = 0; module && i < plan->n; ++i) {
    if (!is_match(plan->items[i].name, module)) continue;
    plan->items[i].is_met = true;
    cut = plan->items[i].cut;
  }
  bd_free(module);
  return cut;
}

buddy_code bd_cut_plan_end(bd_cut_plan *plan, buddy_code code, buddy_diags *diags) {
  for (size_t i = 0; plan && i < plan->n; ++i) {
    if (code == BUDDY_OK && !plan->items[i].is_met)
      code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, plan->items[i].name,
                             "name a module as the archive does, such as "
                             "layers.*.self_attn.q_proj",
                             "the plan names a module of which no product has a weight");
    bd_free(plan->items[i].name);
  }
  if (plan) bd_free(plan->items);
  bd_free(plan);
  return code;
}
