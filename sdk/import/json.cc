// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/json.cc: a C shim around simdjson's DOM.
 *
 * simdjson keeps a document as a tape of 64-bit words: a container's first word knows where the
 * container ends, so that siblings are found by a jump, and a place is the index of its first word.
 * bd_json is that index. The path in a message is found by walking from the root towards the index:
 * it costs time only when there is something to say. */
#include "sdk/import/json.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "core/base/memory.h"

using simdjson::internal::tape_ref;
using simdjson::internal::tape_type;

static_assert(BD_JSON_PADDING >= simdjson::SIMDJSON_PADDING,
              "simdjson reads further than we promise");

struct bd_json_document {
  simdjson::dom::document document;
};

namespace {

tape_ref place(bd_json json) {
  return tape_ref(static_cast<const simdjson::dom::document *>(json.document), json.at);
}

bd_json at_index(bd_json json, uint64_t index) { return bd_json{json.document, index}; }

bool is_container(tape_type type) {
  return type == tape_type::START_OBJECT || type == tape_type::START_ARRAY;
}

/* Index of the word that closes a container. */
uint64_t end_of(tape_ref container) { return container.matching_brace_index() - 1; }

/* ---- The tape itself, for what goes over many members ---- */

struct Text {
  const uint8_t *data;
  uint32_t size;
};

/* In the buffer, a string is its length in 32 bits, its bytes and a NUL. */
inline Text text_at(const uint64_t *tape, const uint8_t *strings, uint64_t at) {
  Text text{strings + (tape[at] & simdjson::internal::JSON_VALUE_MASK), 0};
  std::memcpy(&text.size, text.data, sizeof text.size);
  text.data += sizeof text.size;
  return text;
}

/* Index after a value. */
inline uint64_t behind(const uint64_t *tape, uint64_t at) {
  const auto type = static_cast<tape_type>(tape[at] >> 56);
  if (is_container(type)) return static_cast<uint32_t>(tape[at]);
  return at + 1 +
         (type == tape_type::INT64 || type == tape_type::UINT64 || type == tape_type::DOUBLE);
}

/* Steps from member to member without a reader. */
bd_json_iterator iterate(bd_json json) {
  const tape_ref container = place(json);
  bd_json_iterator iterator{};
  iterator.next = at_index(json, json.at + 1);
  iterator.end = end_of(container);
  iterator.is_object = container.tape_ref_type() == tape_type::START_OBJECT;
  return iterator;
}

void append(char *text, size_t size, size_t *used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void append(char *text, size_t size, size_t *used, const char *format, ...) {
  if (*used + 1 >= size) return;
  va_list args;
  va_start(args, format);
  const int n = std::vsnprintf(text + *used, size - *used, format, args);
  va_end(args);
  if (n > 0) *used = std::min(size - 1, *used + static_cast<size_t>(n));
}

bool fail_type(bd_json_reader *reader, bd_json json, const char *wanted) {
  if (reader->code || !json.document) return false;
  char what[64];
  std::snprintf(what, sizeof what, "should be %s", wanted);
  bd_json_wrong(reader, json, what);
  return false;
}

bool is_type(bd_json_reader *reader, bd_json json, bd_json_type type, const char *wanted) {
  return bd_json_type_of(json) == type || fail_type(reader, json, wanted);
}

/* ---- Keys that are there twice --------------------------------------------------------------- */

struct Key {
  uint64_t hash; /* most keys differ in it */
  const char *data;
  size_t size;
};

Key key_of(const bd_json_iterator &at) {
  uint64_t hash = at.key_size;
  for (size_t i = 0; i < at.key_size; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at.key + i, std::min<size_t>(8, at.key_size - i));
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
  }
  return Key{hash, at.key, at.key_size};
}

int compare(const Key &a, const Key &b) {
  if (a.hash != b.hash) return a.hash < b.hash ? -1 : 1;
  if (a.size != b.size) return a.size < b.size ? -1 : 1;
  return std::memcmp(a.data, b.data, a.size);
}

/* A key that the object has twice, or null. It is rarely asked, and stays out of the loop that asks. */
__attribute__((noinline)) const char *find_duplicate(bd_json object, std::vector<Key> *keys) {
  keys->clear();
  bd_json_iterator iterator = iterate(object);
  for (bd_json value; bd_json_next(&iterator, &value);) keys->push_back(key_of(iterator));
  const size_t n = keys->size(), few = 12;
  for (size_t i = 1; i < n && n <= few; ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (compare((*keys)[i], (*keys)[k]) == 0) return (*keys)[i].data;
    }
  }
  if (n <= few) return nullptr;
  std::sort(keys->begin(), keys->end(),
            [](const Key &a, const Key &b) { return compare(a, b) < 0; });
  for (size_t i = 1; i < n; ++i) {
    if (compare((*keys)[i - 1], (*keys)[i]) == 0) return (*keys)[i].data;
  }
  return nullptr;
}

/* Goes over a document once and finds an object that has a key twice. Every key sets one bit of its
 * object's 64, by its length and its ends; only where two keys want one bit are they compared. The
 * depth of the calls is that of the document, at most BD_JSON_MAX_DEPTH. */
class DuplicateSearch {
 public:
  explicit DuplicateSearch(const simdjson::dom::document &document)
      : document_(document), tape_(document.tape.get()), strings_(document.string_buf.get()) {
    pass_value(1);
  }
  const char *key() const { return key_; } /* null: no object has one twice */
  bd_json object() const { return object_; }

 private:
  tape_type type_at(uint64_t at) const { return static_cast<tape_type>(tape_[at] >> 56); }

  /* The byte before an empty string is the last one of its length. With these factors
   * PyTorch's objects have hardly two keys of one bit. */
  uint64_t bit_of(uint64_t key) const {
    const Text text = text_at(tape_, strings_, key);
    const uint8_t last = text.data[static_cast<int64_t>(text.size) - 1];
    return UINT64_C(1) << ((text.size + text.data[0] * 9u + last * 23u) & 63u);
  }

  /* Gives the index after the value. Most objects are unions of one member: that is passed with its
   * key, and the words that close them after it. */
  uint64_t pass_value(uint64_t at) {
    constexpr uint64_t one_member = static_cast<uint64_t>(tape_type::START_OBJECT) << 24 | 1;
    uint64_t open = 0;
    for (; tape_[at] >> 32 == one_member; at += 2) ++open;
    const uint64_t next = behind(tape_, at);
    if (is_container(type_at(at))) pass_members(at, next - 1);
    return next + open;
  }

  __attribute__((noinline)) void pass_members(uint64_t container, uint64_t end) {
    uint64_t at = container + 1, seen = 0;
    if (type_at(container) == tape_type::START_ARRAY) {
      while (at != end) at = pass_value(at);
      return;
    }
    bool may_repeat = false;
    while (at != end) {
      const uint64_t bit = bit_of(at);
      may_repeat |= (seen & bit) != 0;
      seen |= bit;
      at = pass_value(at + 1);
    }
    if (may_repeat && !key_) {
      object_ = bd_json{&document_, container};
      key_ = find_duplicate(object_, &keys_);
    }
  }

  const simdjson::dom::document &document_;
  const uint64_t *tape_;
  const uint8_t *strings_;
  std::vector<Key> keys_;
  bd_json object_{};
  const char *key_ = nullptr;
};

/* Of two members of one name this reader would take the first, Python's the last: they would see two
 * programs in one file. */
buddy_code refuse_duplicates(const bd_json_document *document, const char *where,
                             buddy_diags *diags) {
  const DuplicateSearch search(document->document);
  if (!search.key()) return BUDDY_OK;
  char path[512];
  bd_json_path(search.object(), path, sizeof path);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, where,
                         "save the program again with torch.export.save",
                         "%s has the key '%.200s' twice, and readers of JSON differ in which of "
                         "the two counts",
                         path, search.key());
}

/* PyTorch writes bounds of sizes as integers of any length; the parser takes 64 bits. Longer ones become
 * numbers with an exponent, in place: the last two digits of 20 or more, "49", are "e2". */
bool shorten_integers(char *text, size_t size) {
  bool is_string = false, changes = false;
  for (size_t i = 0, begin = 0; i < size; ++i) {
    if (is_string && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      is_string = !is_string;
    } else if (!is_string && text[i] >= '0' && text[i] <= '9') {
      for (begin = i; i + 1 < size && text[i + 1] >= '0' && text[i + 1] <= '9';) ++i;
      const char before = begin ? text[begin - 1] : ' ', after = i + 1 < size ? text[i + 1] : ' ';
      if (i - begin < 19 || strchr(".eE+", before) || strchr(".eE", after)) continue;
      text[i - 1] = 'e';
      text[i] = '2';
      changes = true;
    }
  }
  return changes;
}

}  // namespace

extern "C" {

buddy_code bd_json_parse(const char *text, size_t size, const char *where, buddy_diags *diags,
                         bd_json_document **out_document) {
  *out_document = nullptr;
  try {
    simdjson::dom::parser parser;
    simdjson::error_code error = parser.allocate(size, BD_JSON_MAX_DEPTH);
    auto *made = new (std::nothrow) bd_json_document;
    if (!made) return BUDDY_OUT_OF_MEMORY;
    if (!error) {
      error = parser.parse_into_document(made->document, text, size, false).error();
    }
    if (error) {
      simdjson::padded_string copy(text, size);
      if (copy.size() == size && shorten_integers(copy.data(), size))
        error = parser.parse_into_document(made->document, copy.data(), size, false).error();
    }
    if (!error) {
      const buddy_code code = refuse_duplicates(made, where, diags);
      if (code) {
        delete made;
      } else {
        *out_document = made;
      }
      return code;
    }
    delete made;
    if (error == simdjson::MEMALLOC) return BUDDY_OUT_OF_MEMORY;
    return buddy_diags_add(
        diags, BUDDY_ERROR,
        error == simdjson::DEPTH_ERROR || error == simdjson::CAPACITY ? BUDDY_LIMIT : BUDDY_CORRUPT,
        where, "the file is damaged: save it again", "this is no valid JSON: %s",
        simdjson::error_message(error));
  } catch (const std::bad_alloc &) {
    return BUDDY_OUT_OF_MEMORY;
  }
}

void bd_json_destroy(bd_json_document *document) { delete document; }

bd_json bd_json_root(const bd_json_document *document) { return bd_json{&document->document, 1}; }

bd_json_type bd_json_type_of(bd_json json) {
  if (!json.document) return BD_JSON_NONE;
  switch (place(json).tape_ref_type()) {
    case tape_type::START_OBJECT:
      return BD_JSON_OBJECT;
    case tape_type::START_ARRAY:
      return BD_JSON_ARRAY;
    case tape_type::STRING:
      return BD_JSON_STRING;
    case tape_type::INT64:
    case tape_type::UINT64:
      return BD_JSON_INT;
    case tape_type::DOUBLE:
      return BD_JSON_FLOAT;
    case tape_type::TRUE_VALUE:
    case tape_type::FALSE_VALUE:
      return BD_JSON_BOOL;
    default:
      return BD_JSON_NULL;
  }
}

size_t bd_json_count(bd_json json) {
  if (!json.document || !is_container(place(json).tape_ref_type())) return 0;
  const size_t count = place(json).scope_count();
  if (count < 0xFFFFFF) return count;
  size_t n = 0; /* the tape stops counting there */
  bd_json_iterator iterator = iterate(json);
  for (bd_json ignored; bd_json_next(&iterator, &ignored);) ++n;
  return n;
}

bool bd_json_is(bd_json json) {
  const bd_json_type type = bd_json_type_of(json);
  return type != BD_JSON_NONE && type != BD_JSON_NULL;
}

bd_json bd_json_find(bd_json object, const char *key) {
  if (bd_json_type_of(object) != BD_JSON_OBJECT) return bd_json{};
  const auto *document = static_cast<const simdjson::dom::document *>(object.document);
  const uint64_t *tape = document->tape.get();
  const uint8_t *strings = document->string_buf.get();
  const size_t size = std::strlen(key);
  const uint64_t end = end_of(place(object));
  for (uint64_t at = object.at + 1; at != end; at = behind(tape, at + 1)) {
    const Text name = text_at(tape, strings, at);
    if (name.size == size && !std::memcmp(name.data, key, size)) return at_index(object, at + 1);
  }
  return bd_json{};
}

bd_json bd_json_get(bd_json_reader *reader, bd_json object, const char *key) {
  if (reader->code || !is_type(reader, object, BD_JSON_OBJECT, "an object")) return bd_json{};
  const bd_json found = bd_json_find(object, key);
  if (found.document) return found;
  char what[96];
  std::snprintf(what, sizeof what, "lacks the member '%s'", key);
  bd_json_wrong(reader, object, what);
  return bd_json{};
}

buddy_sv bd_json_string(bd_json_reader *reader, bd_json json) {
  if (reader->code || !is_type(reader, json, BD_JSON_STRING, "a string")) return buddy_sv{"", 0};
  const std::string_view text = place(json).get_string_view();
  return buddy_sv{text.data(), text.size()};
}

const char *bd_json_name(bd_json_reader *reader, bd_json json) {
  const buddy_sv text = bd_json_string(reader, json);
  if (!std::memchr(text.data, 0, text.size)) return text.data;
  bd_json_wrong(reader, json, "is a name with a NUL byte in it");
  return "";
}

int64_t bd_json_int(bd_json_reader *reader, bd_json json) {
  if (reader->code || !json.document) return 0;
  const tape_ref at = place(json);
  if (at.is_int64()) return at.next_tape_value<int64_t>();
  fail_type(reader, json, at.is_uint64() ? "an integer of 64 bits with a sign" : "an integer");
  return 0;
}

bool bd_json_is_beyond_int(bd_json json) {
  if (!json.document) return false;
  const tape_ref at = place(json);
  if (!at.is_double()) return at.is_uint64();
  const double number = at.next_tape_value<double>();
  return number >= 0x1p63 || number < -0x1p63;
}

int64_t bd_json_int_within(bd_json_reader *reader, bd_json json) {
  if (reader->code || !bd_json_is_beyond_int(json)) return bd_json_int(reader, json);
  return bd_json_float(reader, json) > 0 ? INT64_MAX : INT64_MIN;
}

double bd_json_float(bd_json_reader *reader, bd_json json) {
  if (reader->code || !json.document) return 0;
  const tape_ref at = place(json);
  if (at.is_double()) return at.next_tape_value<double>();
  if (at.is_int64()) return static_cast<double>(at.next_tape_value<int64_t>());
  if (at.is_uint64()) return static_cast<double>(at.next_tape_value<uint64_t>());
  if (at.tape_ref_type() == tape_type::STRING) {
    const std::string_view text = at.get_string_view();
    if (text == "Infinity") return INFINITY;
    if (text == "-Infinity") return -INFINITY;
    if (text == "NaN") return NAN;
  }
  fail_type(reader, json, "a number");
  return 0;
}

bool bd_json_bool(bd_json_reader *reader, bd_json json) {
  if (reader->code || !is_type(reader, json, BD_JSON_BOOL, "true or false")) return false;
  return place(json).is_true();
}

const char *bd_json_union(bd_json_reader *reader, bd_json json, bd_json *out_value) {
  *out_value = bd_json{};
  bd_json_iterator iterator = bd_json_object(reader, json);
  if (!bd_json_next(&iterator, out_value)) {
    if (!reader->code) bd_json_wrong(reader, json, "is a union without a member");
    return "";
  }
  if (iterator.next.at == iterator.end) return iterator.key;
  bd_json_wrong(reader, json, "is a union with more than one member");
  *out_value = bd_json{};
  return "";
}

bd_json_iterator bd_json_array(bd_json_reader *reader, bd_json json) {
  if (reader->code || !is_type(reader, json, BD_JSON_ARRAY, "an array")) return bd_json_iterator{};
  return iterate(json);
}

bd_json_iterator bd_json_object(bd_json_reader *reader, bd_json json) {
  if (reader->code || !is_type(reader, json, BD_JSON_OBJECT, "an object"))
    return bd_json_iterator{};
  return iterate(json);
}

bool bd_json_next(bd_json_iterator *iterator, bd_json *out_value) {
  if (iterator->next.at >= iterator->end) return false;
  if (iterator->is_object) {
    const std::string_view key = place(iterator->next).get_string_view();
    iterator->key = key.data();
    iterator->key_size = key.size();
    ++iterator->next.at;
  }
  *out_value = iterator->next;
  iterator->next.at = place(iterator->next).after_element();
  return true;
}

void bd_json_wrong(bd_json_reader *reader, bd_json at, const char *what) {
  if (reader->code) return;
  char path[512];
  bd_json_path(at, path, sizeof path);
  reader->code = buddy_diags_add(
      reader->diags, BUDDY_ERROR, BUDDY_CORRUPT, reader->where,
      "the file is damaged, or of a PyTorch that this buddy does not know", "%s %s", path, what);
}

void bd_json_path(bd_json json, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  append(text, size, &used, "$");
  if (!json.document) return;
  bd_json at = at_index(json, 1);
  while (at.at != json.at && is_container(place(at).tape_ref_type())) {
    bd_json_iterator iterator = iterate(at);
    size_t i = 0;
    bd_json child{};
    while (bd_json_next(&iterator, &child) && iterator.next.at <= json.at) ++i;
    if (!child.document || child.at > json.at) return;
    if (iterator.is_object) {
      append(text, size, &used, ".%.*s", static_cast<int>(std::min<size_t>(iterator.key_size, 100)),
             iterator.key);
    } else {
      append(text, size, &used, "[%zu]", i);
    }
    at = child;
  }
}

}  // extern "C"
