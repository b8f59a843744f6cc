// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/errors.c: diagnostics as the server's errors. */
#include "sdk/serve/triton/errors.h"

#include <stdarg.h>

#include "core/base/text.h"

static TRITONSERVER_Error_Code code_of(buddy_code code) {
  switch (code) {
    case BUDDY_INVALID_ARGUMENT:
    case BUDDY_LIMIT:
      return TRITONSERVER_ERROR_INVALID_ARG;
    case BUDDY_NOT_FOUND:
      return TRITONSERVER_ERROR_NOT_FOUND;
    case BUDDY_OUT_OF_MEMORY:
      return TRITONSERVER_ERROR_UNAVAILABLE;
    case BUDDY_UNSUPPORTED:
    case BUDDY_DECLINED:
    case BUDDY_INCOMPATIBLE:
      return TRITONSERVER_ERROR_UNSUPPORTED;
    default:
      return TRITONSERVER_ERROR_INTERNAL;
  }
}

static void put(bd_text *text, const buddy_diag *diag) {
  if (*diag->where) bd_text_format(text, "%s: ", diag->where);
  bd_text_string(text, diag->what);
  if (*diag->todo) bd_text_format(text, "; %s", diag->todo);
}

BUDDY_PRINTF(1, 0) static bd_text formatted(const char *format, va_list args) {
  bd_text text;
  bd_text_init(&text);
  bd_text_format_args(&text, format, args);
  return text;
}

/* Takes the text. */
static TRITONSERVER_Error *error_of(TRITONSERVER_Error_Code code, bd_text *text) {
  TRITONSERVER_Error *error =
      TRITONSERVER_ErrorNew(code, text->code ? "memory ran out" : text->data);
  bd_text_deinit(text);
  return error;
}

TRITONSERVER_Error *bd_triton_error(buddy_code code, const char *about, const buddy_diags *diags) {
  if (code == BUDDY_OK) return NULL;
  bd_text text;
  bd_text_init(&text);
  if (*about) bd_text_format(&text, "%s: ", about);
  size_t n = 0;
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    if (diag->severity != BUDDY_ERROR) continue;
    if (n++) bd_text_string(&text, "; also: ");
    put(&text, diag);
  }
  if (n == 0) bd_text_format(&text, "failed with %s", buddy_code_name(code));
  return error_of(code_of(code), &text);
}

TRITONSERVER_Error *bd_triton_error_new(TRITONSERVER_Error_Code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  bd_text text = formatted(format, args);
  va_end(args);
  return error_of(code, &text);
}

void bd_triton_log(TRITONSERVER_LogLevel level, const char *format, ...) {
  va_list args;
  va_start(args, format);
  bd_text text = formatted(format, args);
  va_end(args);
  TRITONSERVER_Error *error =
      text.code ? NULL : TRITONSERVER_LogMessage(level, "buddy", 0, text.data);
  if (error) TRITONSERVER_ErrorDelete(error);
  bd_text_deinit(&text);
}

void bd_triton_error_drop(TRITONSERVER_Error *error) {
  if (!error) return;
  bd_triton_log(TRITONSERVER_LOG_ERROR, "%s", TRITONSERVER_ErrorMessage(error));
  TRITONSERVER_ErrorDelete(error);
}
