// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/infile.c: opening regular files alone, and reading them. */
#define _GNU_SOURCE
#include "core/base/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/memory.h"

/* O_NONBLOCK: opening a FIFO must not wait for a writer. O_NOCTTY: nor may a terminal become ours. */
#define READING (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

buddy_code bd_fault_errno(bd_fault *fault, const char *what) {
  const int error = errno;
  char text[96];
  fault->code = error == ENOENT || error == ENOTDIR ? BUDDY_NOT_FOUND
                : error == EACCES || error == EPERM ? BUDDY_PERMISSION
                                                    : BUDDY_IO;
  snprintf(fault->text, sizeof fault->text, "%s: %s", what, strerror_r(error, text, sizeof text));
  return fault->code;
}

static const char *kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "is a folder, and no regular file";
  if (S_ISFIFO(mode)) return "is a FIFO, and no regular file";
  if (S_ISSOCK(mode)) return "is a socket, and no regular file";
  return "is a device, and no regular file";
}

static bool refuse_kind(mode_t mode, bd_fault *out_fault) {
  out_fault->code = BUDDY_CORRUPT;
  snprintf(out_fault->text, sizeof out_fault->text, "%s", kind_of(mode));
  return false;
}

/* Takes the descriptor over. */
static bool judge(int descriptor, bd_infile *out_file, bd_fault *out_fault) {
  *out_file = (bd_infile){.descriptor = descriptor};
  if (fstat(descriptor, &out_file->status)) {
    bd_fault_errno(out_fault, "cannot be examined");
  } else if (!S_ISREG(out_file->status.st_mode)) {
    refuse_kind(out_file->status.st_mode, out_fault);
  } else {
    out_file->size = (size_t)out_file->status.st_size;
    *out_fault = (bd_fault){.code = BUDDY_OK};
    return true;
  }
  bd_infile_close(out_file);
  return false;
}

static bool open_in(int folder, const char *path, int flags, bd_infile *out_file,
                    bd_fault *out_fault) {
  struct stat status;
  *out_file = (bd_infile){.descriptor = -1};
  const int descriptor = openat(folder, path, READING | flags);
  if (descriptor >= 0) return judge(descriptor, out_file, out_fault);
  if (errno == ENXIO &&
      !fstatat(folder, path, &status, 0)) /* a socket, or a device that is not there */
    return refuse_kind(status.st_mode, out_fault);
  bd_fault_errno(out_fault, "cannot be opened");
  return false;
}

bool bd_infile_try(const char *path, bd_infile *out_file, bd_fault *out_fault) {
  return open_in(AT_FDCWD, path, 0, out_file, out_fault);
}

bool bd_infile_try_in(int folder, const char *name, bd_infile *out_file, bd_fault *out_fault) {
  return open_in(folder, name, O_NOFOLLOW, out_file, out_fault);
}

buddy_code bd_infile_open(const char *path, const char *todo, buddy_diags *diags,
                          bd_infile *out_file) {
  bd_fault fault;
  if (bd_infile_try(path, out_file, &fault)) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, fault.code, path, todo, "%s", fault.text);
}

buddy_code bd_infile_read(const bd_infile *file, void *bytes, size_t n) {
  char *at = bytes;
  while (n > 0) {
    const ssize_t got = read(file->descriptor, at, n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return BUDDY_IO;
    if (got == 0) return BUDDY_CORRUPT;
    at += got;
    n -= (size_t)got;
  }
  return BUDDY_OK;
}

void *bd_infile_map(const bd_infile *file) {
  if (file->size == 0) return NULL;
  void *bytes = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, file->descriptor, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

void *bd_infile_map_after(const bd_infile *file, void *bytes, size_t n, size_t *out_at) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), at = (n + page - 1) / page * page;
  const int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  errno = file->size == 0 ? 0 : ENOMEM;
  if (file->size == 0 || at < n || file->size > SIZE_MAX - at) return NULL;
  char *start = mmap(NULL, at + file->size, PROT_NONE, reserved, -1, 0);
  if (start == MAP_FAILED) return NULL;
  *out_at = at;
  if (mmap(start + at, file->size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file->descriptor, 0) !=
          MAP_FAILED &&
      mremap(bytes, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, start) != MAP_FAILED)
    return start;
  const int why = errno;
  munmap(start, at + file->size);
  errno = why;
  return NULL;
}

FILE *bd_infile_stream(bd_infile *file) {
  FILE *stream = fdopen(file->descriptor, "r");
  if (stream)
    file->descriptor = -1;
  else
    bd_infile_close(file);
  return stream;
}

void bd_infile_close(bd_infile *file) {
  if (file->descriptor >= 0) close(file->descriptor);
  file->descriptor = -1;
}

static buddy_code read_whole(const bd_infile *file, const char *path, const char *todo,
                             buddy_diags *diags, char **out_text) {
  char *text = bd_malloc(file->size + 1);
  if (!text) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = bd_infile_read(file, text, file->size);
  if (!code) {
    text[file->size] = 0;
    *out_text = text;
    return BUDDY_OK;
  }
  bd_fault fault = {.code = code, .text = "was cut while it was read"};
  if (code == BUDDY_IO) bd_fault_errno(&fault, "cannot be read");
  bd_free(text);
  return buddy_diags_add(diags, BUDDY_ERROR, fault.code, path, todo, "%s", fault.text);
}

buddy_code bd_infile_whole(const char *path, size_t limit, const char *todo, buddy_diags *diags,
                           char **out_text, size_t *out_size) {
  bd_infile file;
  *out_text = NULL;
  *out_size = 0;
  buddy_code code = bd_infile_open(path, todo, diags, &file);
  if (code) return code;
  if (file.size > limit) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_LIMIT, path, todo,
                           "has %zu bytes; such a file has at most %zu", file.size, limit);
  } else {
    code = read_whole(&file, path, todo, diags, out_text);
  }
  if (!code) *out_size = file.size;
  bd_infile_close(&file);
  return code;
}
