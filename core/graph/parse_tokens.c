// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/parse_tokens.c: the cursor under parse.c. It never reads after the end of the text,
 * which need not be NUL-terminated. */
#include "core/graph/parse_tokens.h"

#include <string.h>

#include "core/graph/text_form.h"

bool bd_word_is(buddy_sv word, const char *text) {
  return strlen(text) == word.size && !memcmp(word.data, text, word.size);
}

/* ---- Complaints ---- */

/* "line 3, column 14". */
static const char *place(const bd_tokens *in, char *text, size_t size) {
  bd_arena arena = {0};
  const char *made = bd_arena_format(&arena, "line %zu, column %zu", in->line,
                                     (size_t)(in->at - in->line_start) + 1);
  const size_t length = made ? strlen(made) : 0;
  if (length < size && made)
    memcpy(text, made, length + 1);
  else
    *text = 0;
  bd_arena_deinit(&arena);
  return text;
}

buddy_code bd_tokens_wrong(const bd_tokens *in, const char *what) {
  char where[64];
  size_t size = 0;
  while (size < 30 && in->at + size < in->end && in->at[size] != '\n') ++size;
  if (size == 0) {
    return buddy_diags_add(in->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                           place(in, where, sizeof where), NULL, "%s, but the line ends here",
                           what);
  }
  return buddy_diags_add(in->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                         place(in, where, sizeof where), NULL, "%s, but here is '%.*s'", what,
                         (int)size, in->at);
}

buddy_code bd_tokens_wrong_name(const bd_tokens *in, const char *what, const char *name) {
  char where[64];
  return buddy_diags_add(in->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                         place(in, where, sizeof where), NULL, "%s \"%s\"", what, name);
}

/* ---- Blanks and lines ---- */

void bd_tokens_skip_blanks(bd_tokens *in) {
  while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\r')) ++in->at;
  if (in->at < in->end && *in->at == '#') bd_tokens_skip_rest(in);
}

void bd_tokens_skip_rest(bd_tokens *in) {
  const char *newline = in->at < in->end ? memchr(in->at, '\n', (size_t)(in->end - in->at)) : NULL;
  in->at = newline ? newline : in->end;
}

void bd_tokens_skip_lines(bd_tokens *in) {
  for (;;) {
    bd_tokens_skip_blanks(in);
    if (in->at == in->end || *in->at != '\n') return;
    in->line_start = ++in->at;
    ++in->line;
  }
}

bool bd_tokens_at_line_end(bd_tokens *in) {
  bd_tokens_skip_blanks(in);
  return in->at == in->end || *in->at == '\n';
}

/* ---- Tokens ---- */

bool bd_tokens_next_is(bd_tokens *in, char c) {
  bd_tokens_skip_blanks(in);
  return in->at < in->end && *in->at == c;
}

bool bd_tokens_take(bd_tokens *in, char c) {
  if (!bd_tokens_next_is(in, c)) return false;
  ++in->at;
  return true;
}

buddy_sv bd_tokens_take_word(bd_tokens *in) {
  bd_tokens_skip_blanks(in);
  const char *start = in->at;
  while (in->at < in->end && bd_text_form_is_word_char(*in->at)) ++in->at;
  return (buddy_sv){start, (size_t)(in->at - start)};
}

bool bd_tokens_take_this_word(bd_tokens *in, const char *word) {
  const char *before = in->at;
  if (bd_word_is(bd_tokens_take_word(in), word)) return true;
  in->at = before;
  return false;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One escape after its backslash; returns the bytes it took, 0 if it is none. */
static size_t unescape(const char *from, const char *end, char *to) {
  static const char pairs[] = "n\nt\tr\r\"\"\\\\";
  if (from == end) return 0;
  for (const char *pair = pairs; *pair; pair += 2) {
    if (pair[0] != *from) continue;
    *to = pair[1];
    return 1;
  }
  if (*from != 'x' || end - from < 3 || hex_digit(from[1]) < 0 || hex_digit(from[2]) < 0) return 0;
  *to = (char)(hex_digit(from[1]) * 16 + hex_digit(from[2]));
  return 3;
}

/* Where the string that begins at `at` ends: its closing quote; null if the line ends first. */
static const char *closing_quote(const bd_tokens *in) {
  for (const char *c = in->at; c < in->end && *c != '\n'; ++c) {
    if (*c == '"') return c;
    if (*c == '\\') ++c;
  }
  return NULL;
}

buddy_code bd_tokens_take_string(bd_tokens *in, buddy_sv *out_string) {
  *out_string = (buddy_sv){"", 0};
  if (!bd_tokens_take(in, '"')) return bd_tokens_wrong(in, "a quoted string should come");
  const char *end = closing_quote(in);
  if (!end) return bd_tokens_wrong(in, "the string has no closing quote");
  char *text = bd_arena_text(in->arena, in->at, (size_t)(end - in->at));
  if (!text) return BUDDY_OUT_OF_MEMORY;
  size_t n = 0;
  while (in->at < end) {
    const char c = *in->at++;
    text[n] = c;
    if (c == '\\') {
      const size_t taken = unescape(in->at, end, &text[n]);
      if (taken == 0) return bd_tokens_wrong(in, "the string has an unknown escape");
      in->at += taken;
    }
    ++n;
  }
  text[n] = 0;
  in->at = end + 1;
  *out_string = (buddy_sv){text, n};
  return BUDDY_OK;
}

buddy_code bd_tokens_take_name(bd_tokens *in, const char **out_name) {
  *out_name = "";
  if (bd_tokens_next_is(in, '"')) {
    buddy_sv string;
    const buddy_code code = bd_tokens_take_string(in, &string);
    *out_name = string.data;
    return code;
  }
  const buddy_sv word = bd_tokens_take_word(in);
  if (word.size == 0) return bd_tokens_wrong(in, "a name should come");
  *out_name = bd_arena_text(in->arena, word.data, word.size);
  return *out_name ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

buddy_sv bd_tokens_take_until(bd_tokens *in, const char *ends) {
  bd_tokens_skip_blanks(in);
  const char *start = in->at;
  size_t depth = 0;
  for (; in->at < in->end && *in->at != '\n'; ++in->at) {
    if (depth == 0 && strchr(ends, *in->at) && *in->at) break;
    if (*in->at == '(') ++depth;
    if (*in->at == ')' && depth > 0) --depth;
  }
  return (buddy_sv){start, (size_t)(in->at - start)};
}
