// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/parse_tokens.h: a cursor over the text form: characters, words, strings, and
 * complaints with line and column. */
#ifndef BUDDY_CORE_GRAPH_PARSE_TOKENS_H
#define BUDDY_CORE_GRAPH_PARSE_TOKENS_H

#include <stdbool.h>

#include "core/base/arena.h"

typedef struct bd_tokens {
  const char *at, *end;
  const char *line_start;
  size_t line;
  bd_arena *arena; /* for strings; emptied by the caller from time to time */
  buddy_diags *diags;
} bd_tokens;

/* Adds "what, but there is …" with line and column; returns BUDDY_INVALID_ARGUMENT. */
buddy_code bd_tokens_wrong(const bd_tokens *in, const char *what);
/* The same for a name or the like that is wrong. */
buddy_code bd_tokens_wrong_name(const bd_tokens *in, const char *what, const char *name);

/* Skips blanks within the line, and '#' with the rest of the line. */
void bd_tokens_skip_blanks(bd_tokens *in);
/* Skips blanks and line ends. */
void bd_tokens_skip_lines(bd_tokens *in);
/* To the end of the line. */
void bd_tokens_skip_rest(bd_tokens *in);
bool bd_tokens_at_line_end(bd_tokens *in);

/* These skip blanks first. */
bool bd_tokens_take(bd_tokens *in, char c);
bool bd_tokens_next_is(bd_tokens *in, char c);
/* The longest run of word characters; may be empty. */
buddy_sv bd_tokens_take_word(bd_tokens *in);
/* Takes `word` if it comes next and ends there. */
bool bd_tokens_take_this_word(bd_tokens *in, const char *word);
/* A quoted string, unescaped, NUL-terminated, in the arena. */
buddy_code bd_tokens_take_string(bd_tokens *in, buddy_sv *out_string);
/* A word or a quoted string, NUL-terminated, in the arena. */
buddy_code bd_tokens_take_name(bd_tokens *in, const char **out_name);
/* Up to one of `ends` outside of parentheses, without it. */
buddy_sv bd_tokens_take_until(bd_tokens *in, const char *ends);

bool bd_word_is(buddy_sv word, const char *text);

#endif
