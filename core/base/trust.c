// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/trust.c: who may change a file, by its owner, group and mode. */
#define _GNU_SOURCE
#include "core/base/trust.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 2, 3))) static bool refuse(bd_fault *fault, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fault->code = BUDDY_PERMISSION;
  vsnprintf(fault->text, sizeof fault->text, format, args);
  va_end(args);
  return false;
}

static bool is_private(gid_t group, const struct stat *status) {
  return group == status->st_uid || group == geteuid();
}

bool bd_trust(const struct stat *status, const char *what, bd_fault *out_fault) {
  const bool is_sticky = S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX);
  *out_fault = (bd_fault){.code = BUDDY_OK};
  if (status->st_uid != 0 && status->st_uid != geteuid()) {
    return refuse(out_fault, "%s belongs to user %u, neither to root nor to you", what,
                  (unsigned)status->st_uid);
  }
  if (is_sticky) return true;
  if (status->st_mode & S_IWOTH)
    return refuse(out_fault, "%s may be written by everybody: chmod o-w", what);
  if ((status->st_mode & S_IWGRP) && !is_private(status->st_gid, status)) {
    return refuse(out_fault, "%s may be written by group %u, which is nobody's own: chmod g-w",
                  what, (unsigned)status->st_gid);
  }
  return true;
}

bool bd_trust_folder_of(const char *path, bd_fault *out_fault) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const size_t size = !slash || slash == path ? 1 : (size_t)(slash - path);
  if (size >= sizeof folder) {
    *out_fault = (bd_fault){BUDDY_LIMIT, "its path is too long"};
    return false;
  }
  memcpy(folder, slash ? path : ".", size);
  folder[size] = 0;
  struct stat status;
  if (!stat(folder, &status)) return bd_trust(&status, "its folder", out_fault);
  bd_fault_errno(out_fault, "its folder cannot be examined");
  return false;
}
