// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/report.c: what was found, for a person and for a program. */
#include <string.h>

#include "sdk/cli/check/check.h"
#include "sdk/cli/json.h"

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

size_t bd_check_count(const bd_check *check, const char *severity) {
  size_t n = 0;
  for (size_t i = 0; i < json_array_size(check->findings); ++i)
    n += !strcmp(text_of(json_array_get(check->findings, i), "severity"), severity);
  return n;
}

static void print_line(const char *lead, const char *text) {
  fputs(lead, stdout);
  bd_put_shown(text, stdout);
  putchar('\n');
}

static void print_facts(const bd_check *check) {
  print_line("", check->file);
  const char *key;
  json_t *value;
  json_object_foreach(check->facts, key, value) {
    char lead[32];
    snprintf(lead, sizeof lead, "  %-9s ", key);
    if (json_is_string(value) && *json_string_value(value))
      print_line(lead, json_string_value(value));
    if (json_is_integer(value)) printf("  %-9s %lld\n", key, (long long)json_integer_value(value));
  }
}

static void print_ops(const bd_check *check) {
  const char *headings[] = {"OP", "GRAPHS", "TAKEN", "COMPARED", "OWN CASES", "WHY NOT THE OTHERS"};
  bd_table *table = bd_table_create(headings, 6);
  for (size_t i = 0; i < json_array_size(check->ops); ++i) {
    const json_t *op = json_array_get(check->ops, i);
    const json_t *reasons = json_object_get(op, "declined");
    char numbers[4][24], why[512] = "";
    static const char *const keys[] = {"graphs", "taken", "compared", "cases"};
    for (size_t k = 0; k < 4; ++k)
      snprintf(numbers[k], sizeof numbers[k], "%lld",
               (long long)json_integer_value(json_object_get(op, keys[k])));
    for (size_t k = 0; k < json_array_size(reasons) && k < 3; ++k) {
      const size_t used = strlen(why);
      snprintf(why + used, sizeof why - used, "%s%s", used ? "; " : "",
               json_string_value(json_array_get(reasons, k)));
    }
    const char *cells[] = {text_of(op, "op"), numbers[0], numbers[1], numbers[2], numbers[3], why};
    bd_table_add(table, cells);
  }
  if (json_array_size(check->ops) > 0) {
    printf("\n");
    bd_table_print(table, stdout);
  }
  bd_table_destroy(table);
}

static void print_findings(const bd_check *check) {
  static const char *const severities[] = {"error", "warning", "note"};
  for (size_t s = 0; s < 3; ++s) {
    for (size_t i = 0; i < json_array_size(check->findings); ++i) {
      const json_t *one = json_array_get(check->findings, i);
      if (strcmp(text_of(one, "severity"), severities[s]) != 0) continue;
      const char *op = text_of(one, "op"), *todo = text_of(one, "todo");
      printf("\n%s: %s%s", severities[s], text_of(one, "stage"), *op ? ": " : "");
      bd_put_shown(op, stdout);
      print_line(": ", text_of(one, "what"));
      if (*todo) print_line("  ", todo);
    }
  }
}

void bd_check_print(const bd_check *check) {
  const size_t n_errors = bd_check_count(check, "error"), n = bd_check_count(check, "warning");
  print_facts(check);
  print_ops(check);
  print_findings(check);
  printf("\n%s: %zu errors, %zu warnings\n", n_errors ? "FAILED" : "passed", n_errors, n);
}

void bd_check_print_json(const bd_check *check) {
  json_t *root =
      json_pack("{s:o, s:s, s:b, s:I, s:I, s:O, s:O, s:O}", "file", bd_json_text(check->file),
                "registry", check->name, "passed", bd_check_count(check, "error") == 0, "errors",
                (json_int_t)bd_check_count(check, "error"), "warnings",
                (json_int_t)bd_check_count(check, "warning"), "facts", check->facts, "ops",
                check->ops, "findings", check->findings);
  bd_json_print(root, 1);
}
