// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/schema_reader.h: what the two halves of the schema parser share: a cursor and a way
 * to complain. */
#ifndef BUDDY_CORE_SYMBOLS_SCHEMA_READER_H
#define BUDDY_CORE_SYMBOLS_SCHEMA_READER_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "core/base/arena.h"

typedef struct bd_schema_reader {
  bd_arena *arena;
  const char *schema; /* the whole text, NUL-terminated */
  const char *at;
  buddy_diags *diags;
} bd_schema_reader;

/* Adds "…, at 'rest of the text'" to the diagnostics and returns BUDDY_INVALID_ARGUMENT. */
buddy_code bd_schema_wrong(const bd_schema_reader *reader, const char *what);
/* Skips spaces, then takes `c` if it comes next. */
bool bd_schema_take(bd_schema_reader *reader, char c);
/* Skips spaces, then tells whether nothing is left. */
bool bd_schema_is_at_end(bd_schema_reader *reader);
/* As bd_schema_take, for a text, which may end within a word. */
bool bd_schema_take_text(bd_schema_reader *reader, const char *text);
/* Skips spaces, then takes the longest run of letters, digits, '_' and '.'; may be empty. */
buddy_sv bd_schema_take_word(bd_schema_reader *reader);
bool bd_schema_word_is(buddy_sv word, const char *text);

/* Reads the text after '=' into arg->default_value, by the type that `arg` has already. */
buddy_code bd_schema_read_default(bd_schema_reader *reader, buddy_schema_arg *arg);

#endif
