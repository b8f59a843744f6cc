// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/functions.c: functions of kernels, whole or as declarations. */
#include "sdk/compile/kernels/functions.h"

#include <string.h>

static const char head[] = "func.func private @", end[] = "\n}\n";

/* What the function's text begins with, without the names of its parameters: a declaration. */
static void write_declaration(bd_text *out, const char *name, const char *text,
                              const char *behind) {
  bd_text_format(out, "%s%s", head, name);
  while (text < behind) {
    const size_t room = (size_t)(behind - text), plain = strcspn(text, "%");
    bd_text_append(out, text, plain < room ? plain : room);
    text += plain;
    if (text < behind) text += strcspn(text, ":") + 2;
  }
  bd_text_format(out, "\n");
}

void bd_functions_write(bd_text *out, bd_shipped *shipped, const char *name, const char *text,
                        size_t n) {
  const char *behind = strstr(text, " {\n"); /* what is declared */
  if (shipped && behind && behind < text + n && bd_shipped_take(shipped, name)) {
    write_declaration(out, name, text, behind);
    return;
  }
  bd_text_format(out, "%s%s", head, name);
  bd_text_append(out, text, n);
  bd_text_format(out, "\n");
}

/* The name after the head; false for one that no kernel that is shipped has. */
static int read_name(const char *text, size_t n, char name[BD_SHIPPED_NAME_SIZE]) {
  if (n >= BD_SHIPPED_NAME_SIZE) return 0;
  memcpy(name, text, n);
  name[n] = '\0';
  return 1;
}

void bd_functions_write_all(bd_text *out, bd_shipped *shipped, const char *text) {
  for (;;) {
    char name[BD_SHIPPED_NAME_SIZE];
    const char *begin = strstr(text, head), *stop = !begin ? NULL : strstr(begin, end);
    if (!stop) break;
    const char *after = begin + strlen(head);
    const size_t n = strcspn(after, "(");
    bd_text_append(out, text, (size_t)(begin - text));
    text = stop + strlen(end);
    if (read_name(after, n, name))
      bd_functions_write(out, shipped, name, after + n, (size_t)(text - after) - n);
    else
      bd_text_append(out, begin, (size_t)(text - begin));
  }
  bd_text_append(out, text, strlen(text));
}
