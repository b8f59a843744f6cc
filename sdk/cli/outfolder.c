// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/outfolder.c: a folder that is made under another name, and renamed when it is whole. */
#include "sdk/cli/outfolder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/outfile.h"
#include "core/base/try.h"

enum { MAX_OPEN = 16, MAX_NAMES = 100 };

static buddy_code cannot(const char *path, buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, path, NULL, "cannot be made: %s",
                         strerror(errno));
}

static buddy_code is_there(const char *path, buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, path,
                         "choose another folder with --output", "is there already");
}

buddy_code bd_outfolder_check(const char *path, buddy_diags *diags) {
  struct stat status;
  return lstat(path, &status) ? BUDDY_OK : is_there(path, diags);
}

/* mkdir and no mkdtemp: it leaves the mode to the umask. */
static bool make_beside(bd_outfolder *folder) {
  const char *slash = strrchr(folder->path, '/');
  const int n_folder = slash ? (int)(slash - folder->path) + 1 : 0;
  for (int i = 0; i < MAX_NAMES; ++i) {
    const int n =
        snprintf(folder->writing, sizeof folder->writing, "%.*s" BD_OUTFILE_PREFIX "%ld-%d",
                 n_folder, folder->path, (long)getpid(), i);
    errno = ENAMETOOLONG;
    if (n < 0 || (size_t)n >= sizeof folder->writing) return false;
    if (mkdir(folder->writing, 0777) == 0) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

buddy_code bd_outfolder_open(const char *path, buddy_diags *diags, bd_outfolder *out_folder) {
  *out_folder = (bd_outfolder){.writing = ""};
  BD_TRY(bd_outfolder_check(path, diags));
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/') --n;
  errno = ENAMETOOLONG;
  if (n >= sizeof out_folder->path) return cannot(path, diags);
  memcpy(out_folder->path, path, n);
  if (make_beside(out_folder)) return BUDDY_OK;
  *out_folder->writing = 0;
  return cannot(path, diags);
}

buddy_code bd_outfolder_commit(bd_outfolder *folder, buddy_diags *diags) {
  int failed =
      renameat2(AT_FDCWD, folder->writing, AT_FDCWD, folder->path, RENAME_NOREPLACE) ? errno : 0;
  if (failed == EINVAL) /* a file system that does not know the flag: only an empty folder goes */
    failed = rename(folder->writing, folder->path) ? errno : 0;
  errno = failed;
  if (failed) return failed == EEXIST ? is_there(folder->path, diags) : cannot(folder->path, diags);
  *folder->writing = 0;
  return BUDDY_OK;
}

void bd_outfolder_discard(bd_outfolder *folder) {
  if (*folder->writing) bd_remove_folder(folder->writing);
  *folder->writing = 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at) {
  (void)status;
  (void)type;
  (void)at;
  return remove(path);
}

void bd_remove_folder(const char *path) { nftw(path, remove_one, MAX_OPEN, FTW_DEPTH | FTW_PHYS); }
