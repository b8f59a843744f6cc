// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/outfile.h: the only way to write a file.
 *
 * A regular file, or one that is not there yet, appears under its name when it is whole, and not
 * before: it is written without a name (O_TMPFILE), or under one of the same folder that begins with
 * BD_OUTFILE_PREFIX where the file system has no such files, and is then put in place. A link stays,
 * and what it names is replaced. Whatever else is there (a device, a FIFO, standard output) is opened
 * and written to, and never replaced; a FIFO that nobody reads is refused.
 *
 * What a file replaces gives it its mode; a new one has the one that the umask leaves of 0666. Full
 * disks, quotas, limits on file sizes and readers that went away are errors like any other, and the
 * signals that the system sends with them do not reach the process.
 *
 * Nothing is flushed to the disk (fsync): all that is written here can be made again from the
 * archive, and what is used later is checked when it is read.
 *
 * A process that is killed leaves nothing where O_TMPFILE is known; elsewhere an unfinished file
 * stays, which is locked while its writer lives. bd_outfile_reap removes those that are not. */
#ifndef BUDDY_CORE_BASE_OUTFILE_H
#define BUDDY_CORE_BASE_OUTFILE_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_OUTFILE_PREFIX ".buddy-writing-"
#define BD_OUTFILE_NAME 40 /* room for a name with it */

/* A zeroed one is closed. */
typedef struct bd_outfile {
  char *path; /* as the caller calls it; null: closed */
  char *name; /* in the folder; null: what is written to is not replaced */
  int folder, descriptor;
  char temporary[BD_OUTFILE_NAME]; /* in the folder; "": it has no name yet */
  bool is_made;                    /* the name is an empty file of ours, at the end of a link */
  bool is_placed;
  int error;    /* errno of what failed first; 0: nothing did */
  char *buffer; /* what was not handed to the system yet */
  size_t n;
} bd_outfile;

BUDDY_EXPORT buddy_code bd_outfile_open(const char *path, buddy_diags *diags, bd_outfile *out_file);
/* A file of a folder of the user's own, which nobody else may read. It replaces whatever has the
 * name. where: the folder, for messages. */
BUDDY_EXPORT buddy_code bd_outfile_open_in(int folder, const char *where, const char *name,
                                           buddy_diags *diags, bd_outfile *out_file);
/* Writing after a failure does nothing; the failure is told when the file is finished. */
BUDDY_EXPORT buddy_code bd_outfile_write(bd_outfile *file, const void *bytes, size_t n);
BUDDY_EXPORT buddy_writer bd_outfile_writer(bd_outfile *file);
/* Hands all that was written to the system. */
BUDDY_EXPORT buddy_code bd_outfile_finish(bd_outfile *file, buddy_diags *diags);
/* Finishes all of them, puts them in place in this order, and closes them. If one cannot be, none of
 * them stays. Those that are closed are passed over. */
BUDDY_EXPORT buddy_code bd_outfile_commit(bd_outfile *const *files, size_t n, buddy_diags *diags);
/* Closes it; what was not put in place is gone. */
BUDDY_EXPORT void bd_outfile_discard(bd_outfile *file);

/* Removes the unfinished files of a folder whose writers are gone. Returns how many. */
BUDDY_EXPORT size_t bd_outfile_reap(int folder);

/* A file in memory, of no folder, which the caller closes. is_sealed: nobody can change it any more.
 * -1: see errno. */
BUDDY_EXPORT int bd_memory_file(const void *bytes, size_t n, bool is_sealed);

/* All bytes to a descriptor. 0, or errno; no signal comes of it. */
BUDDY_EXPORT int bd_write_all(int descriptor, const void *bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
