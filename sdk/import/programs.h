// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/programs.h: what an archive holds besides one program: further programs, and files that
 * only the caller understands. */
#ifndef BUDDY_SDK_IMPORT_PROGRAMS_H
#define BUDDY_SDK_IMPORT_PROGRAMS_H

#include "core/base/arena.h"
#include "sdk/import/zip.h"

/* A file below extra/. */
typedef struct bd_extra_file {
  const char *name; /* "tokenizer.json", "tokenizer/vocab.txt" */
  const bd_zip_entry *entry;
  const void *bytes; /* once they were asked for, and whole */
} bd_extra_file;

/* Both in the order of the zip's directory. Names are of the archive: whoever shows them to people
 * does so by core/base/shown.h, as diagnostics do, and nobody makes paths of them. */
typedef struct bd_programs {
  const char **names;
  size_t n;
  bd_extra_file *extra;
  size_t n_extra;
} bd_programs;

/* folder: of the archive, "mlp/". All lives in the arena. */
buddy_code bd_programs_list(const bd_zip *zip, const char *folder, bd_arena *arena,
                            bd_programs *out_programs);
/* Likewise for what is no zip: one program. */
buddy_code bd_programs_list_one(bd_arena *arena, const char *name, bd_programs *out_programs);
/* The one of that name; null: the only one, or the one called "model"; else a problem that lists
 * all. */
buddy_code bd_programs_choose(const bd_programs *programs, const char *where, const char *name,
                              buddy_diags *diags, const char **out_name);

#endif
