// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/text_form.h: the words of the text form, which printing and parsing share. */
#ifndef BUDDY_CORE_GRAPH_TEXT_FORM_H
#define BUDDY_CORE_GRAPH_TEXT_FORM_H

#include <stdbool.h>

#include "buddy/graph.h"

/* By buddy_input_kind and buddy_output_kind. */
extern const char *const bd_text_form_inputs[4];
extern const char *const bd_text_form_outputs[3];

/* The word in "dtype(f32)"; null for kinds that are written plainly. */
const char *bd_text_form_tag(buddy_arg_kind kind);
/* The word in "ints[]"; null for kinds that are no lists. */
const char *bd_text_form_list(buddy_arg_kind kind);

/* Letters, digits, '_' and '.': names of these alone need no quotes. */
static inline bool bd_text_form_is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}
bool bd_text_form_is_word(const char *name);

#endif
