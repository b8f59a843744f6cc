// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/json.h: JSON that the verbs write. */
#ifndef BUDDY_SDK_CLI_JSON_H
#define BUDDY_SDK_CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "buddy/base.h"

/* A string of any bytes: what is no UTF-8 is spelled out (core/base/shown.h), since JSON has no bytes.
 * Null becomes null. */
json_t *bd_json_text(const char *text);
/* On standard output, indented, with a line's end; takes the reference. In ASCII: what a terminal does
 * not show is an escape of JSON. */
void bd_json_print(json_t *json, size_t indent);
/* Likewise in one line, without its end; in HTML no text of it ends the element that it is in. */
void bd_json_put(const json_t *json, bool is_in_html, FILE *out);
/* Likewise into a file, in lines that are no longer than they need to be. */
buddy_code bd_json_write(json_t *json, const char *path, buddy_diags *diags);

#endif
