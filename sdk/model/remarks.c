// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/remarks.c: remarks after a library's bytes, written and read. */
#include "sdk/model/remarks.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/base/text.h"

enum { SEVERITY, CODE, WHERE, WHAT, TODO, N_FIELDS };
enum { MAX_REMARKS = 1 << 20 };

typedef struct trailer {
  uint64_t size;
  char magic[16];
} trailer;

buddy_code bd_remarks_append(bd_bytes *library, const buddy_diags *diags, size_t first) {
  bd_text text;
  bd_text_init(&text);
  for (size_t i = first; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *one = buddy_diags_get(diags, i);
    if (one->severity == BUDDY_ERROR) continue;
    bd_text_format(&text, "%" PRId32 "\t%" PRId32 "\t%s\t%s\t%s\n", one->severity, one->code,
                   one->where, one->what, one->todo);
  }
  trailer end = {.size = text.size};
  memcpy(end.magic, BD_REMARKS_MAGIC, sizeof(end.magic));
  buddy_code code = text.code;
  if (code == BUDDY_OK) code = bd_bytes_append(library, text.data, text.size);
  if (code == BUDDY_OK) code = bd_bytes_append(library, &end, sizeof(end));
  bd_text_deinit(&text);
  return code;
}

static bool read_number(const char *text, int64_t most, int32_t *out_number) {
  int64_t number;
  if (!bd_int_parse((buddy_sv){text, strlen(text)}, &number) || number < 0 || number > most)
    return false;
  *out_number = (int32_t)number;
  return true;
}

static void tell_line(char *line, buddy_diags *diags) {
  char *fields[N_FIELDS];
  buddy_severity severity;
  buddy_code code;
  for (size_t i = 0; i < N_FIELDS; ++i) {
    fields[i] = strsep(&line, "\t");
    if (!fields[i]) return;
  }
  if (!read_number(fields[SEVERITY], BUDDY_NOTE, &severity) || severity == BUDDY_ERROR ||
      !read_number(fields[CODE], BUDDY_INTERNAL, &code))
    return;
  buddy_diags_add(diags, severity, code, fields[WHERE], fields[TODO], "%s", fields[WHAT]);
}

void bd_remarks_tell(int file, buddy_diags *diags) {
  struct stat status;
  trailer end;
  if (!diags || fstat(file, &status) != 0 || status.st_size < (off_t)sizeof(end)) return;
  const off_t behind = status.st_size - (off_t)sizeof(end);
  if (pread(file, &end, sizeof(end), behind) != (ssize_t)sizeof(end) ||
      memcmp(end.magic, BD_REMARKS_MAGIC, sizeof(end.magic)) != 0 || end.size > MAX_REMARKS ||
      end.size > (uint64_t)behind)
    return;
  char *text = bd_calloc((size_t)end.size + 1, 1);
  const ssize_t n = text ? pread(file, text, (size_t)end.size, behind - (off_t)end.size) : -1;
  char *rest = n == (ssize_t)end.size ? text : NULL;
  while (rest) tell_line(strsep(&rest, "\n"), diags);
  bd_free(text);
}
