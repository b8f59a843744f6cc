// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/arguments.c: parameters and operands of shared functions. */
#include "sdk/compile/kernels/arguments.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/compile/kernels/buffers.h"
#include "sdk/compile/kernels/kernels.h"
#include "sdk/compile/kernels/notation/notation.h"

enum { MOST_OF_LIST = 1024 };

void bd_arguments_add(bd_arguments *all, const char *format, ...) {
  char list[MOST_OF_LIST], *rest = NULL;
  va_list args;
  va_start(args, format);
  vsnprintf(list, sizeof(list), format, args);
  va_end(args);
  for (char *item = strtok_r(list, " ", &rest); item; item = strtok_r(NULL, " ", &rest)) {
    const char *const name = item + strspn(item, "*?");
    const size_t n = strcspn(name, "=");
    const char *const value = name[n] == '=' ? name + n + 1 : name;
    const bool is_number = isdigit((unsigned char)value[0]) || value[0] == '-';
    bd_argument *a = &all->items[all->n++];
    *a = (bd_argument){.kind = item[0] == '*'   ? BD_ARGUMENT_BUFFER
                               : item[0] == '?' ? BD_ARGUMENT_FLAG
                                                : BD_ARGUMENT_INDEX,
                       .number = is_number ? strtoll(value, NULL, 10) : 0};
    snprintf(a->name, sizeof(a->name), "%.*s", (int)n, name);
    snprintf(a->value, sizeof(a->value), "%.39s", is_number ? "" : value);
  }
}

void bd_write_veiled(bd_text *text, const char *name, const char *from) {
  bd_text_format(text,
                 "let x = %s; $x_word = index_cast(%s, i64);"
                 "  %%$x_veiled = llvm.inline_asm \"\", \"=r,0\" %%$x_word : (i64) -> i64\n"
                 "$x = index_cast($x_veiled, index);",
                 name, from);
}

static bd_phrase type_of(const bd_argument *a, const char *element) {
  static const char *const names[] = {[BD_ARGUMENT_INDEX] = "index", [BD_ARGUMENT_FLAG] = "i1"};
  return a->kind == BD_ARGUMENT_BUFFER ? bd_type_base(element) : bd_phrase_of("%s", names[a->kind]);
}

void bd_arguments_write_head(bd_text *text, const bd_arguments *all, const char *element,
                             const char *attributes) {
  for (int i = 0; i < all->n; ++i)
    bd_text_format(text, "%s%%%s: %s", i > 0 ? ", " : "(", all->items[i].name,
                   type_of(&all->items[i], element).data);
  bd_text_format(text,
                 ") attributes {llvm.bareptr%s} {\n"
                 "c0 = 0; c1 = 1;",
                 attributes);
}

static void write_call(bd_text *text, const bd_arguments *all, const char *function,
                       const char *tag) {
  for (int i = 0; i < all->n; ++i) {
    const bd_argument *a = &all->items[i];
    if (a->value[0] != '\0') continue;
    bd_extents_write_index(text, all->extents, bd_phrase_of("%s_%s", tag, a->name).data, a->number);
  }
  bd_text_format(text, "call(\"%s\"", function);
  for (int i = 0; i < all->n; ++i) {
    const bd_argument *a = &all->items[i];
    const bool is_number = a->value[0] == '\0';
    bd_text_format(text, ", %s%s%s", is_number ? tag : "", is_number ? "_" : "",
                   is_number ? a->name : a->value);
  }
  bd_text_format(text, ");");
}

void bd_arguments_write_call(bd_text *text, const bd_arguments *all, bd_text *function,
                             const char *hint, const char *tag, struct bd_kernels *kernels) {
  const char *name;
  const buddy_code code = bd_kernels_add(kernels, hint, function, &name);
  if (code == BUDDY_OK)
    write_call(text, all, name, tag);
  else if (text->code == BUDDY_OK)
    text->code = code;
}
