// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/arguments.c: parameters and operands of shared functions. */
#include "sdk/compile/kernels/arguments.h"

#include <stdbool.h>
#include <stdio.h>

#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/kernels/notation/notation.h"
#include "sdk/compile/kernels/kernels.h"

void bd_arguments_begin(bd_arguments *all, const bd_extents *extents) {
  all->extents = extents;
  all->n = 0;
}

void bd_arguments_add_value(bd_arguments *all, bd_argument_kind kind, const char *name,
                            const char *value) {
  bd_argument *a = &all->items[all->n++];
  *a = (bd_argument){.kind = kind};
  snprintf(a->name, sizeof(a->name), "%.39s", name);
  snprintf(a->value, sizeof(a->value), "%.39s", value);
}

void bd_arguments_add_number(bd_arguments *all, const char *name, int64_t number) {
  bd_arguments_add_value(all, BD_ARGUMENT_INDEX, name, "");
  all->items[all->n - 1].number = (long long)number;
}

void bd_arguments_add(bd_arguments *all, bd_argument_kind kind, const char *name) {
  bd_arguments_add_value(all, kind, name, name);
}

void bd_arguments_add_number_or(bd_arguments *all, const char *name, bool is_any, int64_t number,
                                const char *any) {
  if (is_any)
    bd_arguments_add_value(all, BD_ARGUMENT_INDEX, name, any);
  else
    bd_arguments_add_number(all, name, number);
}

void bd_arguments_add_image(bd_arguments *all, const char *name, int64_t at, int64_t image,
                            int64_t line, int64_t place) {
  static const char *const parts[] = {"at", "image", "line", "place"};
  const int64_t numbers[] = {at, image, line, place};
  const bd_phrase base = bd_phrase_of("%s_base", name);
  bd_arguments_add(all, BD_ARGUMENT_BUFFER, base.data);
  for (int i = 0; i < 4; ++i)
    bd_arguments_add_number(all, bd_phrase_of("%s_%s", name, parts[i]).data, numbers[i]);
}

void bd_arguments_add_extras(bd_arguments *all, const bd_epilogue *e) {
  for (int k = 0; k < e->n; ++k) {
    const bd_extra *extra = &e->extras[k];
    bd_arguments_add_image(all, bd_phrase_of("extra_%d", k).data, extra->offset,
                           extra->strides[BD_IMAGE_N], extra->strides[BD_IMAGE_H],
                           extra->strides[BD_IMAGE_W]);
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
