// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/json.h: JSON documents for C, on simdjson.
 *
 * A bd_json is a place in a document, passed by value. Reading goes through a bd_json_reader that
 * keeps the first problem: from then on every read yields an empty value and says nothing, so that
 * a function reads all that it wants and looks at reader->code once. Messages carry the path of the
 * place ("$.graph_module.graph.nodes[3].target"). */
#ifndef BUDDY_SDK_IMPORT_JSON_H
#define BUDDY_SDK_IMPORT_JSON_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_JSON_PADDING 64u    /* bytes to be readable after a text that is parsed in place */
#define BD_JSON_MAX_DEPTH 512u /* of arrays and objects in one another */

typedef struct bd_json_document bd_json_document;
typedef struct bd_json {
  const void *document; /* null: nothing */
  uint64_t at;
} bd_json;

typedef enum bd_json_type {
  BD_JSON_NONE,
  BD_JSON_NULL,
  BD_JSON_BOOL,
  BD_JSON_INT,
  BD_JSON_FLOAT,
  BD_JSON_STRING,
  BD_JSON_ARRAY,
  BD_JSON_OBJECT
} bd_json_type;

/* Parses text of `size` bytes after which BD_JSON_PADDING more may be read; it is not needed
 * afterwards. `where` names the text in messages and is lent. */
buddy_code bd_json_parse(const char *text, size_t size, const char *where, buddy_diags *diags,
                         bd_json_document **out_document);
void bd_json_destroy(bd_json_document *document);
bd_json bd_json_root(const bd_json_document *document);

typedef struct bd_json_reader {
  buddy_diags *diags;
  const char *where;
  buddy_code code; /* of the first problem */
} bd_json_reader;

bd_json_type bd_json_type_of(bd_json json);
/* Members and elements of an object or array; 0 for anything else. */
size_t bd_json_count(bd_json json);

/* The member of that name; a missing one is a problem. */
bd_json bd_json_get(bd_json_reader *reader, bd_json object, const char *key);
/* The same, but null or nothing if it is missing or null. */
bd_json bd_json_find(bd_json object, const char *key);
bool bd_json_is(bd_json json); /* is there, and not null */

/* Values; another type is a problem. Strings are NUL-terminated as well and live as long as the
 * document; a name is a string without NUL bytes. Numbers: an integer is a float too; floats may be
 * the strings that PyTorch writes for what JSON lacks: "Infinity", "-Infinity", "NaN". */
buddy_sv bd_json_string(bd_json_reader *reader, bd_json json);
const char *bd_json_name(bd_json_reader *reader, bd_json json);
int64_t bd_json_int(bd_json_reader *reader, bd_json json);
/* Whether it is a number that 64 bits with a sign do not hold: PyTorch writes bounds of sizes in full. */
bool bd_json_is_beyond_int(bd_json json);
/* Such a number is the last that there is. */
int64_t bd_json_int_within(bd_json_reader *reader, bd_json json);
double bd_json_float(bd_json_reader *reader, bd_json json);
bool bd_json_bool(bd_json_reader *reader, bd_json json);

/* The one member of a union as PyTorch writes it: {"as_int": 3}. Its name, and its value in
 * *out_value. "" after a problem. */
const char *bd_json_union(bd_json_reader *reader, bd_json json, bd_json *out_value);

/* Iterates over an array or object; anything else is a problem. */
typedef struct bd_json_iterator {
  bd_json next;
  uint64_t end;
  bool is_object;
  const char *key; /* of the value given last, if is_object */
  size_t key_size;
} bd_json_iterator;
bd_json_iterator bd_json_array(bd_json_reader *reader, bd_json json);
bd_json_iterator bd_json_object(bd_json_reader *reader, bd_json json);
bool bd_json_next(bd_json_iterator *iterator, bd_json *out_value);

/* Records a problem at that place: "path: what". */
void bd_json_wrong(bd_json_reader *reader, bd_json at, const char *what);
/* "$.graph_module.graph" into `text`, always terminated. */
void bd_json_path(bd_json json, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
