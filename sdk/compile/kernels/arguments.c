// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/arguments.c: parameters and operands of shared functions. */
#include "sdk/compile/kernels/arguments.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void bd_arguments_add_value(bd_arguments *all, bd_argument_kind kind, const char *name,
                            const char *value) {
  bd_argument *a = &all->items[all->n++];
  *a = (bd_argument){.kind = kind};
  snprintf(a->name, sizeof(a->name), "%s", name);
  snprintf(a->value, sizeof(a->value), "%s", value);
}

void bd_arguments_add_number(bd_arguments *all, const char *name, int64_t number) {
  bd_arguments_add_value(all, BD_ARGUMENT_INDEX, name, "");
  all->items[all->n - 1].number = (long long)number;
}

void bd_write_veiled(bd_text *text, const char *name, const char *from) {
  bd_text_format(text,
                 "  %%%s_word = arith.index_cast %%%s : index to i64\n"
                 "  %%%s_veiled = llvm.inline_asm \"\", \"=r,0\" %%%s_word : (i64) -> i64\n"
                 "  %%%s = arith.index_cast %%%s_veiled : i64 to index\n",
                 name, from, name, name, name, name);
}

static void write_type(bd_text *text, const bd_argument *a, const char *element) {
  static const char *const names[] = {[BD_ARGUMENT_INDEX] = "index", [BD_ARGUMENT_FLAG] = "i1"};
  if (a->kind == BD_ARGUMENT_BUFFER)
    bd_text_format(text, "memref<%s>", element);
  else
    bd_text_format(text, "%s", names[a->kind]);
}

void bd_arguments_write_parameters(bd_text *text, const bd_arguments *all, const char *element) {
  for (int i = 0; i < all->n; ++i) {
    bd_text_format(text, "%s%%%s: ", i > 0 ? ", " : "(", all->items[i].name);
    write_type(text, &all->items[i], element);
  }
  bd_text_format(text, ")");
}

void bd_arguments_write_key(bd_text *key, const bd_arguments *all) {
  for (int i = 0; i < all->n; ++i) {
    const char kind = (char)('0' + (int)all->items[i].kind);
    bd_text_append(key, &kind, 1);
    bd_text_append(key, all->items[i].name, strlen(all->items[i].name) + 1);
  }
}

void bd_arguments_write_call(bd_text *text, const bd_arguments *all, const char *function,
                             const char *element, const char *tag) {
  for (int i = 0; i < all->n; ++i) {
    const bd_argument *a = &all->items[i];
    if (a->value[0] == '\0')
      bd_text_format(text, "  %%%s_%s = arith.constant %lld : index\n", tag, a->name, a->number);
  }
  bd_text_format(text, "  func.call @%s(", function);
  for (int i = 0; i < all->n; ++i) {
    const bd_argument *a = &all->items[i];
    const bool is_number = a->value[0] == '\0';
    bd_text_format(text, "%s%%%s%s%s", i > 0 ? ", " : "", is_number ? tag : "",
                   is_number ? "_" : "", is_number ? a->name : a->value);
  }
  bd_text_format(text, ") : (");
  for (int i = 0; i < all->n; ++i) {
    bd_text_format(text, "%s", i > 0 ? ", " : "");
    write_type(text, &all->items[i], element);
  }
  bd_text_format(text, ") -> ()\n");
}
