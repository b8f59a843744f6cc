/* core/registry/plugin_file.c: a plugin is code that will run with the user's rights, so only root
 * and the user may be able to change it: the file and its folder (the real one, behind a symbolic
 * link, as well) belong to one of them, and not everybody may write to them. Between this look and
 * dlopen the file could be exchanged; who can do that owns the folder, which is why the folder is
 * the real boundary.
 *
 * The file is mapped for its preflight. If someone truncates it at this very moment the process
 * gets SIGBUS; dlopen maps it in the same way and has the same weakness, so reading it in would
 * protect nothing. */
#define _GNU_SOURCE
#include "core/registry/plugin_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const bd_elf_host *bd_elf_this_host(void) {
  static const bd_elf_host host = {BUDDY_ABI_VERSION, BD_HOST_LLVM, BUDDY_SANITIZER};
  return &host;
}

__attribute__((format(printf, 3, 4))) static bool refuse(bd_elf_info *elf, buddy_code code,
                                                         const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(elf->refusal, sizeof elf->refusal, format, args);
  va_end(args);
  elf->code = code;
  return false;
}

static bool refuse_errno(bd_elf_info *elf, const char *what) {
  const buddy_code code = errno == ENOENT || errno == ENOTDIR ? BUDDY_NOT_FOUND
                          : errno == EACCES || errno == EPERM ? BUDDY_PERMISSION
                                                              : BUDDY_IO;
  char text[128];
  return refuse(elf, code, "%s: %s", what, strerror_r(errno, text, sizeof text));
}

static bool check_owner(bd_elf_info *elf, const char *what, const struct stat *status) {
  if (status->st_uid != 0 && status->st_uid != geteuid()) {
    return refuse(elf, BUDDY_PERMISSION, "%s belongs to user %u, neither to root nor to you", what,
                  (unsigned)status->st_uid);
  }
  if (status->st_mode & S_IWOTH) {
    return refuse(elf, BUDDY_PERMISSION, "%s may be written by everybody: chmod o-w", what);
  }
  return true;
}

static bool check_folder(bd_elf_info *elf, const char *path) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const size_t size = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);
  if (size >= sizeof folder) return refuse(elf, BUDDY_LIMIT, "its path is too long");
  memcpy(folder, slash ? path : ".", size);
  folder[size] = 0;
  struct stat status;
  if (stat(folder, &status)) return refuse_errno(elf, "its folder cannot be examined");
  return check_owner(elf, "its folder", &status);
}

/* The folder that holds the file, and the one that holds what a symbolic link names. */
static bool check_folders(bd_elf_info *elf, const char *path) {
  struct stat link;
  if (!check_folder(elf, path)) return false;
  if (lstat(path, &link) || !S_ISLNK(link.st_mode)) return true;
  char target[PATH_MAX];
  if (!realpath(path, target)) return refuse_errno(elf, "its link cannot be followed");
  return check_folder(elf, target);
}

static bool check_file(bd_elf_info *elf, int fd, struct stat *status) {
  if (fstat(fd, status)) return refuse_errno(elf, "cannot be examined");
  if (!S_ISREG(status->st_mode)) return refuse(elf, BUDDY_CORRUPT, "is no regular file");
  return check_owner(elf, "the file", status);
}

/* How the bytes of a file are judged. */
typedef void inspector(const void *bytes, uint64_t size, const bd_elf_host *host,
                       bd_elf_info *out_info);

static bool inspect_bytes(bd_elf_info *elf, int fd, uint64_t size, const bd_elf_host *host,
                          inspector *inspect) {
  if (size == 0) return refuse(elf, BUDDY_CORRUPT, "is empty");
  if (size > SIZE_MAX / 2) return refuse(elf, BUDDY_LIMIT, "is too large");
  void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED) return refuse_errno(elf, "cannot be mapped");
  inspect(bytes, size, host, elf);
  munmap(bytes, (size_t)size);
  return elf->code == BUDDY_OK;
}

static bool inspect_file(const char *path, const bd_elf_host *host, inspector *inspect,
                         bd_plugin_file *out_file) {
  memset(out_file, 0, sizeof *out_file);
  bd_elf_info *elf = &out_file->elf;
  /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return refuse_errno(elf, "cannot be opened");
  struct stat status;
  bool is_fit = check_file(elf, fd, &status) && check_folders(elf, path);
  if (is_fit) {
    out_file->id = (bd_file_id){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
    is_fit = inspect_bytes(elf, fd, (uint64_t)status.st_size, host, inspect);
  }
  close(fd);
  return is_fit;
}

void bd_plugin_file_inspect(const char *path, const char *name, const bd_elf_host *host,
                            bd_plugin_file *out_file) {
  bd_elf_info *elf = &out_file->elf;
  if (inspect_file(path, host, bd_elf_inspect, out_file) &&
      strcmp(elf->note.registry_name, name) != 0) {
    refuse(elf, BUDDY_CORRUPT, "calls itself '%s', but its file name says '%s'",
           elf->note.registry_name, name);
  }
}

void bd_library_file_inspect(const char *path, bd_elf_info *out_elf) {
  bd_plugin_file file;
  inspect_file(path, bd_elf_this_host(), bd_elf_inspect_library, &file);
  *out_elf = file.elf;
}
