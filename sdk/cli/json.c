// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/json.c: writing JSON and JSON in HTML. */
#include "sdk/cli/json.h"

#include <stdlib.h>
#include <string.h>

#include "sdk/cli/verb.h"

json_t *bd_json_text(const char *text) {
  if (!text) return json_null();
  json_t *string = json_string(text);
  if (string) return string;
  char *shown = bd_shown(text);
  string = json_string(shown);
  free(shown);
  return string;
}

/* Jansson escapes all controls but DEL, which is in strings alone, as "<" is. */
static int put(const char *data, size_t size, void *out) {
  for (size_t i = 0; i < size; ++i) {
    const int status = data[i] == 0x7f ? fputs("\\u007F", out) : fputc(data[i], out);
    if (status == EOF) return -1;
  }
  return 0;
}

static int put_in_html(const char *data, size_t size, void *out) {
  for (size_t i = 0; i < size; ++i) {
    const int status = data[i] == '<' ? fputs("\\u003C", out) : put(data + i, 1, out);
    if (status == EOF) return -1;
  }
  return 0;
}

void bd_json_put(const json_t *json, bool is_in_html, FILE *out) {
  json_dump_callback(json, is_in_html ? put_in_html : put, out, JSON_COMPACT | JSON_ENSURE_ASCII);
}

static void print(json_t *json, size_t indent, FILE *out) {
  json_dump_callback(json, put, out, JSON_INDENT(indent) | JSON_ENSURE_ASCII);
  fputc('\n', out);
  json_decref(json);
}

void bd_json_print(json_t *json, size_t indent) { print(json, indent, stdout); }

buddy_code bd_json_write(json_t *json, const char *path, buddy_diags *diags) {
  bd_cli_output output;
  if (!json) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = bd_cli_output_open(path, diags, &output);
  if (code != BUDDY_OK) {
    json_decref(json);
    return code;
  }
  print(json, 1, output.file);
  return bd_cli_output_close(&output, 1, diags);
}
