// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/schema_reader.c: the cursor of the schema parser. */
#include "core/symbols/schema_reader.h"

#include <string.h>

buddy_code bd_schema_wrong(const bd_schema_reader *reader, const char *what) {
  return buddy_diags_add(
      reader->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, reader->schema,
      "write it as PyTorch prints it: \"ns::op.overload(Tensor self, int n=1) -> Tensor\"",
      "the schema %s, at \"%.40s\"", what, reader->at);
}

static void skip_spaces(bd_schema_reader *reader) {
  while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n') ++reader->at;
}

bool bd_schema_is_at_end(bd_schema_reader *reader) {
  skip_spaces(reader);
  return !*reader->at;
}

bool bd_schema_take(bd_schema_reader *reader, char c) {
  skip_spaces(reader);
  if (*reader->at != c) return false;
  ++reader->at;
  return true;
}

bool bd_schema_take_text(bd_schema_reader *reader, const char *text) {
  skip_spaces(reader);
  if (strncmp(reader->at, text, strlen(text))) return false;
  reader->at += strlen(text);
  return true;
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

buddy_sv bd_schema_take_word(bd_schema_reader *reader) {
  skip_spaces(reader);
  const char *start = reader->at;
  while (is_word_char(*reader->at)) ++reader->at;
  return (buddy_sv){start, (size_t)(reader->at - start)};
}

bool bd_schema_word_is(buddy_sv word, const char *text) {
  return strlen(text) == word.size && !memcmp(word.data, text, word.size);
}
