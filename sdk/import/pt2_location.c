// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_location.c: where a node comes from.
 *
 *   stack_trace       Python's, outermost first:
 *                       File "model.py", line 41, in forward\n    x = self.conv(x)\n  File …
 *   nn_module_stack   "key,path,class;key,path,class", outermost first
 *
 * The user's line is the innermost that is not PyTorch's own and not generated code; without one,
 * the innermost. */
#include <string.h>

#include "sdk/import/pt2.h"

typedef struct span {
  const char *data;
  size_t size;
} span;

typedef struct stack_frame {
  span file, function, code;
  uint32_t line;
} stack_frame;

static bool contains(span text, const char *part) {
  return memmem(text.data, text.size, part, strlen(part)) != NULL;
}

static bool is_users(span file) {
  if (file.size == 0 || file.data[0] == '<') return false;
  return !contains(file, "-packages/torch/");
}

/* The text up to `end`, and the rest after it; false if `end` is not there. */
static bool split(span *text, const char *end, span *out_part) {
  const char *found = memmem(text->data, text->size, end, strlen(end));
  if (!found) return false;
  *out_part = (span){text->data, (size_t)(found - text->data)};
  const size_t n = out_part->size + strlen(end);
  *text = (span){text->data + n, text->size - n};
  return true;
}

static span trim(span text) {
  while (text.size && (*text.data == ' ' || *text.data == '\n')) ++text.data, --text.size;
  while (text.size && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == '\n'))
    --text.size;
  return text;
}

/* Reads the frame that follows `File "` and leaves *text after the next one's `File "`. */
static bool read_frame(span *text, stack_frame *out_frame) {
  span rest = *text, number, body;
  if (!split(&rest, "\", line ", &out_frame->file) || !split(&rest, ", in ", &number)) return false;
  out_frame->line = 0;
  for (size_t i = 0; i < number.size && i < 9; ++i) {
    const char c = number.data[i];
    if (c < '0' || c > '9') return false;
    out_frame->line = out_frame->line * 10 + (uint32_t)(c - '0');
  }
  if (!split(&rest, "\n", &out_frame->function)) {
    out_frame->function = rest;
    rest.size = 0;
  }
  *text = rest;
  if (!split(text, "File \"", &body)) {
    body = rest;
    text->size = 0;
  }
  if (!split(&body, "\n", &out_frame->code)) out_frame->code = body;
  out_frame->code = trim(out_frame->code);
  out_frame->function = trim(out_frame->function);
  return true;
}

static buddy_code copy_span(bd_import *import, span text, const char **out_text) {
  *out_text = bd_arena_text(&import->arena, text.data, text.size);
  return *out_text ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code read_trace(bd_import *import, buddy_sv trace, buddy_location *out_location) {
  span text = {trace.data, trace.size}, before;
  stack_frame frame, chosen = {0};
  if (!split(&text, "File \"", &before)) return BUDDY_OK;
  bool is_found = false;
  while (text.size && read_frame(&text, &frame)) {
    const bool is_own = is_users(frame.file);
    if (is_own || !is_found) chosen = frame;
    is_found = is_found || is_own;
  }
  if (chosen.file.size == 0) return BUDDY_OK;
  out_location->line = chosen.line;
  BD_TRY(copy_span(import, chosen.file, &out_location->file));
  BD_TRY(copy_span(import, chosen.function, &out_location->function));
  return copy_span(import, chosen.code, &out_location->code);
}

/* The path within the last "key,path,class". */
static buddy_code read_modules(bd_import *import, buddy_sv stack, buddy_location *out_location) {
  const char *last = memrchr(stack.data, ';', stack.size);
  last = last ? last + 1 : stack.data;
  span text = {last, (size_t)(stack.data + stack.size - last)}, key, path;
  if (!split(&text, ",", &key) || !split(&text, ",", &path)) return BUDDY_OK;
  return copy_span(import, path, &out_location->module_path);
}

buddy_code bd_location_read(bd_import *import, bd_json metadata, buddy_location *out_location) {
  *out_location = (buddy_location){0};
  const bd_json trace = bd_json_find(metadata, "stack_trace");
  const bd_json modules = bd_json_find(metadata, "nn_module_stack");
  if (bd_json_is(trace)) {
    BD_TRY(read_trace(import, bd_json_string(&import->json, trace), out_location));
  }
  if (bd_json_is(modules)) {
    BD_TRY(read_modules(import, bd_json_string(&import->json, modules), out_location));
  }
  return import->json.code;
}
