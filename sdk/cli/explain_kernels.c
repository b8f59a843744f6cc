// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/explain_kernels.c: the table of `buddy explain --kernels`. */
#include "sdk/cli/explain_kernels.h"

#include "buddy/compile.h"
#include "sdk/cli/json.h"

static void add(void *user, const buddy_kernel_choice *choice) {
  json_t *const *kernels = user;
  json_array_append_new(
      *kernels,
      json_pack("{s:s, s:o, s:o, s:o, s:s, s:s, s:b}", "op", choice->op, "nodes",
                bd_json_text(choice->nodes), "module", bd_json_text(choice->module), "where",
                bd_json_text(choice->where), "kernel", *choice->kernel ? choice->kernel : "loops",
                "why", choice->why, "slow", choice->is_slow));
}

buddy_code bd_kernels_find(const bd_session *session, const bd_model_flags *flags,
                           json_t **out_kernels) {
  json_t *kernels = json_array();
  bd_loading loading;
  bd_loading_init(flags, &loading);
  loading.registries.chooser = bd_session_chooser(session, &flags->registry);
  loading.compile.progress = NULL;
  loading.compile.user = &kernels;
  loading.compile.choice = add;
  buddy_model *model = NULL;
  const buddy_code code =
      buddy_model_load(flags->archive.path, &loading.model, session->diags, &model);
  buddy_model_destroy(model);
  *out_kernels = kernels;
  return code;
}

static const char *text_of(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

void bd_kernels_print(const json_t *kernels) {
  static const char *const headings[] = {"KERNEL", "OP", "NODES", "WHERE", "WHY"};
  bd_table *table = bd_table_create(headings, 5);
  size_t n_slow = 0;
  for (size_t i = 0; i < json_array_size(kernels); ++i) {
    const json_t *one = json_array_get(kernels, i);
    const int is_slow = json_is_true(json_object_get(one, "slow"));
    char why[256];
    snprintf(why, sizeof(why), "%s%s", is_slow ? "slow: " : "", text_of(one, "why"));
    const char *cells[] = {text_of(one, "kernel"), text_of(one, "op"), text_of(one, "nodes"),
                           text_of(one, "where"), why};
    bd_table_add(table, cells);
    n_slow += (size_t)is_slow;
  }
  printf("\n");
  bd_table_print(table, stdout);
  bd_table_destroy(table);
  printf("\n%zu products and convolutions, %zu of them slower than they could be\n",
         json_array_size(kernels), n_slow);
}
