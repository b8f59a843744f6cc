// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/infile.h: the only way to read a file.
 *
 * What is opened is a regular file, or it is refused at once: a FIFO never hangs, a device is never
 * read. Its size is known before its content is looked at; whoever reads it compares the size, and
 * then the header, with what is wanted, before memory is asked for. */
#ifndef BUDDY_CORE_BASE_INFILE_H
#define BUDDY_CORE_BASE_INFILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a file is refused: "cannot be opened: Permission denied", "is a FIFO, and no regular file". */
typedef struct bd_fault {
  buddy_code code;
  char text[160];
} bd_fault;

/* Fills it from errno: "<what>: No space left on device". Returns its code: BUDDY_NOT_FOUND,
 * BUDDY_PERMISSION, or BUDDY_IO. */
BUDDY_EXPORT buddy_code bd_fault_errno(bd_fault *fault, const char *what);

typedef struct bd_infile {
  int descriptor; /* -1: none is open */
  size_t size;
  struct stat status;
} bd_infile;

/* False: refused, and none is open. */
BUDDY_EXPORT bool bd_infile_try(const char *path, bd_infile *out_file, bd_fault *out_fault);
/* The same for an entry of an open folder; a link is refused. */
BUDDY_EXPORT bool bd_infile_try_in(int folder, const char *name, bd_infile *out_file,
                                   bd_fault *out_fault);
/* The same for whoever tells the user. todo: may be null. */
BUDDY_EXPORT buddy_code bd_infile_open(const char *path, const char *todo, buddy_diags *diags,
                                       bd_infile *out_file);
/* The next n bytes. BUDDY_CORRUPT: the file ends before; BUDDY_IO: see errno. */
BUDDY_EXPORT buddy_code bd_infile_read(const bd_infile *file, void *bytes, size_t n);
/* The file from its start, in memory that munmap gives back. Null: empty, or see errno. Whoever cuts
 * the file while it is mapped ends the process that reads after the cut. */
BUDDY_EXPORT void *bd_infile_map(const bd_infile *file);
/* Likewise, after n bytes that are a mapping, too: these are moved to the start that is returned, and the
 * file lies at *out_at behind it, so that both are at offsets from one start; munmap of
 * *out_at + size gives both back. Null: nothing is moved; the file is empty, or see errno. */
BUDDY_EXPORT void *bd_infile_map_after(const bd_infile *file, void *bytes, size_t n,
                                       size_t *out_at);
/* Hands the file over to a stream, which the caller closes; null: memory is out, and it is closed. */
BUDDY_EXPORT FILE *bd_infile_stream(bd_infile *file);
BUDDY_EXPORT void bd_infile_close(bd_infile *file);

/* A whole file of at most `limit` bytes, a NUL after it, which bd_free frees. */
BUDDY_EXPORT buddy_code bd_infile_whole(const char *path, size_t limit, const char *todo,
                                        buddy_diags *diags, char **out_text, size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
