// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/subject.c: the plugin, loaded in a child. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/cli/check/check.h"
#include "core/base/try.h"

char *bd_diags_text(const buddy_diags *diags) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (size_t i = 0, n = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    if (diag->severity == BUDDY_NOTE) continue;
    fprintf(out, "%s%s%s%s", n++ ? "; " : "", diag->where, *diag->where ? ": " : "", diag->what);
  }
  fclose(out);
  return text;
}

static void add_name(char *order, size_t size, const char *name) {
  const size_t used = strlen(order);
  snprintf(order + used, size - used, "%s%s", used ? ":" : "", name);
}

static bool is_usable(const buddy_search *search, const char *name) {
  for (size_t i = 0; i < buddy_search_n_found(search); ++i) {
    const buddy_found *found = buddy_search_found(search, i);
    if (!strcmp(found->name, name)) return found->code == BUDDY_OK && !*found->shadowed_by;
  }
  return false;
}

/* The registries of the tree that are no subject themselves, the widest first. What others may have
 * dropped into a directory is no reference. */
static void reference_order(const bd_check *check, const buddy_search *search, char *order,
                            size_t size) {
  static const char *const known[] = {"linalg", "math", "func", "tosa", "composite"};
  order[0] = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (strcmp(known[i], check->name) != 0 && is_usable(search, known[i]))
      add_name(order, size, known[i]);
  }
}

static buddy_code load(buddy_search *search, const char *order, buddy_diags *diags,
                       buddy_opset **out_opset, buddy_registries **out_registries) {
  const buddy_registries_options options = {
      .struct_size = sizeof options, .order = order, .no_environment = 1};
  BD_TRY(buddy_aten_opset_create(out_opset));
  return buddy_registries_create(search, *out_opset, &options, diags, out_registries);
}

static buddy_code open_both(const bd_check *check, int alone, bd_subject *subject) {
  char order[512], reference[256];
  buddy_search_options with = bd_search_options(&check->flags), without = with;
  with.plugin_files = &check->file;
  with.n_plugin_files = 1;
  BD_TRY(buddy_search_create(&with, subject->diags, &subject->search));
  BD_TRY(buddy_search_create(&without, subject->diags, &subject->reference_search));
  reference_order(check, subject->reference_search, reference, sizeof reference);
  snprintf(order, sizeof order, "%s%s%s", check->name, *reference && !alone ? ":" : "",
           alone ? "" : reference);
  buddy_code code =
      load(subject->search, order, subject->diags, &subject->opset, &subject->registries);
  if (code != BUDDY_OK || alone || !*reference) return code;
  return load(subject->reference_search, reference, subject->diags, &subject->reference_opset,
              &subject->reference);
}

buddy_code bd_subject_open(const bd_check *check, int alone, bd_subject *subject, FILE *out) {
  *subject = (bd_subject){0};
  bd_tell_step(out, "loading the registry");
  buddy_code code = buddy_diags_create(&subject->diags);
  if (code == BUDDY_OK) code = open_both(check, alone, subject);
  if (code != BUDDY_OK) {
    char *text = bd_diags_text(subject->diags);
    bd_tell_finding(out, "error", "load", NULL, NULL, "%s: %s", buddy_code_name(code),
                    text ? text : "");
    free(text);
    return code;
  }
  while (subject->number + 1 < buddy_registries_count(subject->registries) &&
         strcmp(buddy_registries_get(subject->registries, subject->number)->name, check->name) != 0)
    ++subject->number;
  buddy_diags_clear(subject->diags);
  return BUDDY_OK;
}

void bd_subject_close(bd_subject *subject) {
  buddy_registries_destroy(subject->reference);
  buddy_registries_destroy(subject->registries);
  buddy_search_destroy(subject->reference_search);
  buddy_search_destroy(subject->search);
  buddy_opset_destroy(subject->reference_opset);
  buddy_opset_destroy(subject->opset);
  buddy_diags_destroy(subject->diags);
  *subject = (bd_subject){0};
}
