// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/shown.c: texts of others, as a terminal may have them: on the screen, in JSON, in what is
 * said of the command line. */
#include "core/base/shown.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "sdk/cli/verb.h"

void bd_unsayable(void) {
  fputs("buddy: error: memory ran out\n", stderr);
  exit(BD_EXIT_FAILED);
}

char *bd_shown(const char *text) {
  const size_t size = strlen(text);
  bd_text shown;
  bd_text_init(&shown);
  if (!bd_is_shown(text, size)) bd_text_shown(&shown, text, size, BD_SHOWN_ALL);
  char *copy = shown.code ? NULL : bd_strdup(shown.size ? shown.data : text);
  bd_text_deinit(&shown);
  if (!copy) bd_unsayable();
  return copy;
}

void bd_put_shown(const char *text, FILE *out) {
  char *shown = bd_shown(text);
  fputs(shown, out);
  free(shown);
}

void bd_usage(struct argp_state *state, const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) < 0) text = NULL;
  va_end(args);
  argp_error(state, "%s", text ? bd_shown(text) : "the command line is wrong");
  exit(BD_EXIT_USAGE); /* argp has done so, but does not say it */
}
