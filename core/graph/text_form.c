// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/text_form.c: the words of the text form, as tables. */
#include "core/graph/text_form.h"

const char *const bd_text_form_inputs[4] = {
    [BUDDY_INPUT_USER] = "input",
    [BUDDY_INPUT_PARAMETER] = "parameter",
    [BUDDY_INPUT_BUFFER] = "buffer",
    [BUDDY_INPUT_CONSTANT] = "constant",
};

const char *const bd_text_form_outputs[3] = {
    [BUDDY_OUTPUT_USER] = "",
    [BUDDY_OUTPUT_BUFFER_MUTATION] = "buffer_mutation",
    [BUDDY_OUTPUT_INPUT_MUTATION] = "input_mutation",
};

static const char *const tags[] = {
    [BUDDY_ARG_DTYPE] = "dtype",     [BUDDY_ARG_DEVICE] = "device",
    [BUDDY_ARG_LAYOUT] = "layout",   [BUDDY_ARG_MEMORY_FORMAT] = "memory_format",
    [BUDDY_ARG_COMPLEX] = "complex",
};

static const char *const lists[] = {
    [BUDDY_ARG_TENSORS] = "tensors", [BUDDY_ARG_INTS] = "ints",       [BUDDY_ARG_FLOATS] = "floats",
    [BUDDY_ARG_BOOLS] = "bools",     [BUDDY_ARG_STRINGS] = "strings",
};

const char *bd_text_form_tag(buddy_arg_kind kind) {
  return kind >= 0 && (size_t)kind < sizeof tags / sizeof *tags ? tags[kind] : NULL;
}

const char *bd_text_form_list(buddy_arg_kind kind) {
  return kind >= 0 && (size_t)kind < sizeof lists / sizeof *lists ? lists[kind] : NULL;
}

bool bd_text_form_is_word(const char *name) {
  for (const char *c = name; *c; ++c) {
    if (!bd_text_form_is_word_char(*c)) return false;
  }
  return *name != 0;
}
