// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/descriptor.c: nothing of a descriptor is believed: each pointer is looked up among
 * the segments of the loaded objects before it is followed, each string has an end and is text,
 * each function is code of the plugin. The copy is what the host uses afterwards, so a table that
 * changes later changes nothing. */
#define _GNU_SOURCE
#include "core/registry/descriptor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/registry/plugin_file.h"
#include "core/registry/spelling.h"

/* Sizes at 1.0: nothing older exists. */
#define OLDEST_REGISTRY (offsetof(buddy_registry, extension) + sizeof(void (*)(void)))
#define OLDEST_OP (offsetof(buddy_op, user) + sizeof(void *))
#define MAX_STRUCT_SIZE 65536u

typedef struct reader {
  const bd_segments *segments; /* null: the pointers are trusted, and there is no note */
  uintptr_t object;
  const buddy_elf_note *note;
  bd_arena *arena;
  char *why;
  buddy_code code;
  /* Of thousands of rows most name the same segments and the same list of arguments. */
  const bd_segment *data, *text;       /* where a string, a function was found last; null: none */
  const char *args_given, *args_taken; /* of the last op */
} reader;

__attribute__((format(printf, 3, 4))) static bool refuse(reader *r, buddy_code code,
                                                         const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->why, BD_REFUSAL_SIZE, format, args);
  va_end(args);
  r->code = code;
  return false;
}

static bool out_of_memory(reader *r) { return refuse(r, BUDDY_OUT_OF_MEMORY, "out of memory"); }

static bool can_read(const reader *r, const void *data, size_t size) {
  return !r->segments ? data != NULL : bd_segments_can_read(r->segments, data, size);
}

/* The segment of an address; *last: where the one before was. */
static const bd_segment *find_segment(const reader *r, const bd_segment **last, uintptr_t address) {
  if (!*last || address < (*last)->start || address >= (*last)->end)
    *last = bd_segments_find(r->segments, address);
  return *last;
}

/* Bytes that can be read from there on; a registry of the program itself is trusted. */
static size_t bytes_left(reader *r, const char *string) {
  if (!r->segments) return BD_MAX_PLUGIN_TEXT;
  const bd_segment *segment = find_segment(r, &r->data, (uintptr_t)string);
  return segment && segment->is_readable ? segment->end - (uintptr_t)string : 0;
}

/* ---- Strings and lists ---- */
typedef bool (*spelling_rule)(const char *data, size_t size);

/* What a refusal calls a part of the descriptor. It is put into words only then: a registry has
 * thousands of parts. */
typedef struct part {
  const char *before; /* null: there is no number */
  size_t number;
  const char *behind;
} part;

static part op_part(const char *before, size_t i) { return (part){before, i, ""}; }
static part whole(const char *what) { return (part){NULL, 0, what}; }

__attribute__((format(printf, 3, 4))) static bool refuse_part(reader *r, part p, const char *format,
                                                              ...) {
  bd_text text;
  bd_text_init_fixed(&text, r->why, BD_REFUSAL_SIZE);
  if (p.before) bd_text_format(&text, "%s%zu", p.before, p.number);
  bd_text_string(&text, p.behind);
  va_list args;
  va_start(args, format);
  bd_text_format_args(&text, format, args);
  va_end(args);
  r->code = BUDDY_CORRUPT;
  return false;
}

static bool take_string(reader *r, const char **string, spelling_rule rule, part p) {
  const size_t left = bytes_left(r, *string);
  if (!*string) return refuse_part(r, p, " is null");
  if (!left) return refuse_part(r, p, " points to memory that no loaded object has");
  const size_t limit = left < BD_MAX_PLUGIN_TEXT ? left : BD_MAX_PLUGIN_TEXT;
  const size_t size = strnlen(*string, limit);
  if (size == limit) return refuse_part(r, p, " has no end within %zu bytes", limit);
  if (!rule || !rule(*string, size)) { /* names are plain text */
    if (!bd_is_shown(*string, size)) return refuse_part(r, p, " is no UTF-8 text");
    if (rule) return refuse_part(r, p, ", '%.64s', is not spelled as such a name is", *string);
  }
  *string = bd_arena_text(r->arena, *string, size);
  return *string ? true : out_of_memory(r);
}

/* Copies a null-terminated list of strings; a null list stays null. `of`: " of its dialects". */
static bool take_list(reader *r, const char *const **list, spelling_rule rule, const char *of) {
  const char *const *given = *list;
  if (!given) return true;
  if (!bd_is_aligned(given)) return refuse(r, BUDDY_CORRUPT, "the list%s is not aligned", of);
  size_t n = 0;
  while (can_read(r, given + n, sizeof *given) && given[n]) {
    if (++n > BD_MAX_LIST) return refuse(r, BUDDY_CORRUPT, "the list%s has no end", of);
  }
  if (!can_read(r, given + n, sizeof *given)) {
    return refuse(r, BUDDY_CORRUPT, "the list%s points to memory that no loaded object has", of);
  }
  const char **copy = bd_arena_calloc(r->arena, n + 1, sizeof *copy);
  if (!copy) return out_of_memory(r);
  for (size_t i = 0; i < n; ++i) {
    copy[i] = given[i];
    if (!take_string(r, &copy[i], rule, (part){"item ", i, of})) return false;
  }
  *list = copy;
  return true;
}

/* ---- The descriptor ---- */
static bool take_head(reader *r, const buddy_registry *given, buddy_registry *copy) {
  if (!bd_is_aligned(given)) {
    return refuse(r, BUDDY_CORRUPT, "its query returned a pointer that is not aligned");
  }
  if (!can_read(r, given, OLDEST_REGISTRY)) {
    return refuse(r, BUDDY_CORRUPT,
                  "its query returned a pointer to memory that no loaded object has");
  }
  const uint32_t size = given->struct_size;
  if (size < OLDEST_REGISTRY || size > MAX_STRUCT_SIZE || !can_read(r, given, size)) {
    return refuse(r, BUDDY_CORRUPT, "its descriptor says it has %u bytes, the smallest has %zu",
                  size, OLDEST_REGISTRY);
  }
  bd_versioned_copy(copy, sizeof *copy, given, size);
  return true;
}

static bool is_same_version(reader *r, const char *what, uint32_t descriptor, uint32_t note) {
  if (descriptor == note) return true;
  return refuse(r, BUDDY_CORRUPT, "descriptor and note disagree on %s: %u.%u and %u.%u", what,
                descriptor >> 16, descriptor & 0xFFFF, note >> 16, note & 0xFFFF);
}

static bool is_same_number(reader *r, const char *what, uint32_t descriptor, uint32_t note) {
  if (descriptor == note) return true;
  return refuse(r, BUDDY_CORRUPT, "descriptor and note disagree on %s: %u and %u", what, descriptor,
                note);
}

static bool is_same_text(reader *r, const char *what, const char *descriptor, const char *note) {
  BD_ASSERT(descriptor && note);
  if (!strcmp(descriptor, note)) return true;
  return refuse(r, BUDDY_CORRUPT, "descriptor and note disagree on %s: '%.64s' and '%.64s'", what,
                descriptor, note);
}

/* The note was judged before the code ran; whoever passes it must be who it says. */
static bool matches_note(reader *r, const buddy_registry *copy) {
  const buddy_elf_note *note = r->note;
  if (!note) return true;
  return is_same_version(r, "the ABI", copy->abi_version, note->abi_version) &&
         is_same_version(r, "the LLVM", copy->llvm_version, note->llvm_version) &&
         is_same_number(r, "the number of ops", copy->n_ops, note->n_ops) &&
         is_same_text(r, "the name", copy->name, note->registry_name) &&
         is_same_text(r, "the version", copy->version, note->version) &&
         is_same_text(r, "the vendor", copy->vendor, note->vendor) &&
         is_same_text(r, "the license", copy->license, note->license);
}

static bool is_function(reader *r, uintptr_t function, part p) {
  if (!function || !r->segments) return true;
  const bd_segment *segment = find_segment(r, &r->text, function);
  if (segment && segment->is_executable && segment->object == r->object) return true;
  return refuse_part(r, p, " is no code of this plugin");
}

static bool take_texts(reader *r, buddy_registry *copy) {
  return take_string(r, &copy->name, bd_is_registry_name, whole("its name")) &&
         take_string(r, &copy->version, NULL, whole("its version")) &&
         take_string(r, &copy->vendor, NULL, whole("its vendor")) &&
         take_string(r, &copy->license, NULL, whole("its license")) && matches_note(r, copy) &&
         take_list(r, &copy->dialects, bd_is_symbol_name, " of its dialects") &&
         take_list(r, &copy->depends, bd_is_registry_name, " of its depends") &&
         take_list(r, &copy->schemas, NULL, " of its schemas") &&
         is_function(r, (uintptr_t)copy->open, whole("its open")) &&
         is_function(r, (uintptr_t)copy->close, whole("its close")) &&
         is_function(r, (uintptr_t)copy->extension, whole("its extension"));
}

/* ---- The op table ---- */
static bool check_table(reader *r, const buddy_registry *copy) {
  if (copy->n_ops > BD_MAX_OPS) {
    return refuse(r, BUDDY_CORRUPT, "has %u ops, at most %d are allowed", copy->n_ops, BD_MAX_OPS);
  }
  if (copy->n_ops > 0 && !copy->ops) {
    return refuse(r, BUDDY_CORRUPT, "says it has %u ops, but its table is null", copy->n_ops);
  }
  if (copy->op_stride < OLDEST_OP || copy->op_stride % 8 || copy->op_stride > MAX_STRUCT_SIZE) {
    return refuse(r, BUDDY_CORRUPT,
                  "its op_stride is %u: at least %zu and a multiple of 8 is allowed",
                  copy->op_stride, OLDEST_OP);
  }
  if (!bd_is_aligned(copy->ops)) {
    return refuse(r, BUDDY_CORRUPT, "its table of ops is not aligned");
  }
  if (copy->n_ops > 0 && !can_read(r, copy->ops, (size_t)copy->n_ops * copy->op_stride)) {
    return refuse(r, BUDDY_CORRUPT,
                  "its table of %u ops reaches into memory that no loaded object has", copy->n_ops);
  }
  return true;
}

/* Compilers make one string of equal ones, so that the rows of a table share a few. */
static bool take_args(reader *r, buddy_op *op, uint32_t i) {
  const char *given = op->args;
  if (given && given == r->args_given) {
    op->args = r->args_taken;
    return true;
  }
  if (!take_string(r, &op->args, NULL, op_part("args of op ", i))) return false;
  r->args_given = given;
  r->args_taken = op->args;
  return true;
}

static bool check_op(reader *r, buddy_op *op, uint32_t i) {
  const part name = op_part("the name of op ", i);
  if (!take_string(r, &op->name, bd_is_op_name, name)) return false;
  if (strlen(op->name) > 255) return refuse_part(r, name, " is longer than 255 letters");
  if (!take_args(r, op, i)) return false;
  if (!op->emit == !op->expand) {
    return refuse(r, BUDDY_CORRUPT, "op %u (%.64s) has %s", i, op->name,
                  op->emit ? "both emit and expand" : "neither emit nor expand");
  }
  return is_function(r, (uintptr_t)op->match, op_part("match of op ", i)) &&
         is_function(r, (uintptr_t)op->emit, op_part("emit of op ", i)) &&
         is_function(r, (uintptr_t)op->expand, op_part("expand of op ", i));
}

static bool take_ops(reader *r, bd_descriptor *descriptor) {
  buddy_registry *copy = &descriptor->registry;
  if (!check_table(r, copy)) return false;
  descriptor->plugin_ops = (const char *)copy->ops;
  descriptor->plugin_stride = copy->op_stride;
  buddy_op *ops = bd_arena_calloc(r->arena, copy->n_ops, sizeof *ops);
  if (!ops) return out_of_memory(r);
  for (uint32_t i = 0; i < copy->n_ops; ++i) {
    bd_versioned_copy(&ops[i], sizeof *ops, descriptor->plugin_ops + (size_t)i * copy->op_stride,
                      copy->op_stride);
    if (!check_op(r, &ops[i], i)) return false;
  }
  copy->ops = ops;
  copy->op_stride = (uint32_t)sizeof *ops;
  copy->struct_size = (uint32_t)sizeof *copy;
  return true;
}

buddy_code bd_descriptor_read(const buddy_registry *given, const bd_segments *segments,
                              uintptr_t object, const buddy_elf_note *note, bd_arena *arena,
                              char why[BD_REFUSAL_SIZE], bd_descriptor *out_descriptor) {
  reader r = {.segments = segments, .object = object, .note = note, .arena = arena, .why = why};
  *out_descriptor = (bd_descriptor){0};
  why[0] = 0;
  if (!given) {
    refuse(&r, BUDDY_INCOMPATIBLE, "does not serve a host of plugin ABI %u.%u", BUDDY_ABI_MAJOR,
           BUDDY_ABI_MINOR);
    return r.code;
  }
  (void)(take_head(&r, given, &out_descriptor->registry) &&
         take_texts(&r, &out_descriptor->registry) && take_ops(&r, out_descriptor));
  return r.code;
}

static bool suits_this_host(reader *r, const buddy_registry *copy) {
  const bd_elf_host *host = bd_elf_this_host();
  if (copy->abi_version >> 16 != BUDDY_ABI_MAJOR) {
    return refuse(r, BUDDY_INCOMPATIBLE, "is of plugin ABI %u, this is %u", copy->abi_version >> 16,
                  BUDDY_ABI_MAJOR);
  }
  if (copy->llvm_version && copy->llvm_version != host->llvm_version) {
    return refuse(r, BUDDY_INCOMPATIBLE, "was built for another LLVM");
  }
  return true;
}

buddy_code bd_descriptor_copy(const buddy_registry *given, bd_arena *arena,
                              char why[BD_REFUSAL_SIZE], bd_descriptor *out_descriptor) {
  reader r = {.arena = arena, .why = why};
  *out_descriptor = (bd_descriptor){0};
  why[0] = 0;
  (void)(take_head(&r, given, &out_descriptor->registry) &&
         suits_this_host(&r, &out_descriptor->registry) &&
         take_texts(&r, &out_descriptor->registry) && take_ops(&r, out_descriptor));
  return r.code;
}
