/* sdk/cli/json.c: see json.h. */
#include "sdk/cli/json.h"

#include <stdlib.h>
#include <string.h>

#include "sdk/cli/verb.h"

json_t *bd_json_text(const char *text) {
  if (!text) return json_null();
  json_t *string = json_string(text);
  if (string) return string;
  char *shown = bd_shown(text);
  string = json_string(shown ? shown : "");
  free(shown);
  return string;
}

/* Jansson escapes all controls but DEL, which is in strings alone. */
static int put(const char *data, size_t size, void *out) {
  for (size_t i = 0; i < size; ++i) {
    const int status = data[i] == 0x7f ? fputs("\\u007F", out) : fputc(data[i], out);
    if (status == EOF) return -1;
  }
  return 0;
}

void bd_json_print(json_t *json, size_t indent) {
  json_dump_callback(json, put, stdout, JSON_INDENT(indent) | JSON_ENSURE_ASCII);
  putchar('\n');
  json_decref(json);
}
