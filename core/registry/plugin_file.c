// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/plugin_file.c: a plugin is code that will run with the user's rights, so only root
 * and the user may be able to change it (core/base/trust.h): the file and its folder, and the real
 * one behind a symbolic link as well. Between this look and dlopen the file could be exchanged; who
 * can do that owns the folder, which is why the folder is the real boundary.
 *
 * The file is mapped for its preflight. If someone truncates it at this very moment the process
 * gets SIGBUS; dlopen maps it in the same way and has the same weakness, so reading it in would
 * protect nothing. */
#define _GNU_SOURCE
#include "core/registry/plugin_file.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/base/trust.h"

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

static bool refuse_fault(bd_elf_info *elf, const bd_fault *fault) {
  return refuse(elf, fault->code, "%s", fault->text);
}

static bool refuse_errno(bd_elf_info *elf, const char *what) {
  bd_fault fault;
  bd_fault_errno(&fault, what);
  return refuse_fault(elf, &fault);
}

/* The folder that holds the file, and the one that holds what a symbolic link names. */
static bool check_folders(bd_elf_info *elf, const char *path) {
  struct stat link;
  bd_fault fault;
  if (!bd_trust_folder_of(path, &fault)) return refuse_fault(elf, &fault);
  if (lstat(path, &link) || !S_ISLNK(link.st_mode)) return true;
  char target[PATH_MAX];
  if (!realpath(path, target)) return refuse_errno(elf, "its link cannot be followed");
  return bd_trust_folder_of(target, &fault) || refuse_fault(elf, &fault);
}

/* How the bytes of a file are judged. */
typedef void inspector(const void *bytes, uint64_t size, const bd_elf_host *host,
                       bd_elf_info *out_info);

static bool inspect_bytes(bd_elf_info *elf, const bd_infile *file, const bd_elf_host *host,
                          inspector *inspect) {
  if (file->size == 0) return refuse(elf, BUDDY_CORRUPT, "is empty");
  if (file->size > SIZE_MAX / 2) return refuse(elf, BUDDY_LIMIT, "is too large");
  void *bytes = bd_infile_map(file);
  if (!bytes) return refuse_errno(elf, "cannot be mapped");
  inspect(bytes, file->size, host, elf);
  munmap(bytes, file->size);
  return elf->code == BUDDY_OK;
}

static bool inspect_file(const char *path, const bd_elf_host *host, inspector *inspect,
                         bd_plugin_file *out_file) {
  memset(out_file, 0, sizeof *out_file);
  bd_elf_info *elf = &out_file->elf;
  bd_infile file;
  bd_fault fault;
  if (!bd_infile_try(path, &file, &fault)) return refuse_fault(elf, &fault);
  const bool is_trusted = bd_trust(&file.status, "the file", &fault);
  bool is_fit = is_trusted ? check_folders(elf, path) : refuse_fault(elf, &fault);
  if (is_fit) {
    out_file->id = (bd_file_id){(uint64_t)file.status.st_dev, (uint64_t)file.status.st_ino};
    is_fit = inspect_bytes(elf, &file, host, inspect);
  }
  bd_infile_close(&file);
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

/* ---- Loading ---- */
/* A number in slashes, to go behind one: they do not change what a path means. Where it ends. */
static char *spell(char *to, uint32_t mark) {
  for (; mark > 0; mark >>= 1) to = stpcpy(to, mark & 1 ? ".//" : "./");
  *to = '\0';
  return to;
}

/* What tells a file from all others that had or will have its name. */
static uint32_t mark_of(const struct stat *status) {
  const int64_t file[] = {(int64_t)status->st_dev, (int64_t)status->st_ino,
                          (int64_t)status->st_size, (int64_t)status->st_ctim.tv_sec,
                          (int64_t)status->st_ctim.tv_nsec};
  uint64_t mark = 0;
  for (size_t i = 0; i < sizeof file / sizeof *file; ++i) {
    mark = (mark ^ (uint64_t)file[i]) * UINT64_C(0x9E3779B97F4A7C15);
    mark ^= mark >> 32;
  }
  return (uint32_t)mark;
}

/* A name without a slash would be looked for where the dynamic linker looks. The file is spelled in
 * slashes where the name is taken, so that a file that is loaded already is found by its inode, and
 * another is another. */
void *bd_library_load(const char *path) {
  enum { LONGEST_MARK = 96 };
  char spelled[PATH_MAX];
  struct stat status = {0};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const size_t n_folder = (size_t)(name - path);
  if (strlen(path) + sizeof "./" + LONGEST_MARK > sizeof spelled)
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  char *at = slash ? mempcpy(spelled, path, n_folder) : stpcpy(spelled, "./");
  strcpy(at, name);
  void *taken = dlopen(spelled, RTLD_LAZY | RTLD_NOLOAD);
  if (taken) {
    stat(path, &status); /* of a file that is gone the dynamic linker tells */
    strcpy(spell(at, mark_of(&status) | 1), name);
  }
  void *library = dlopen(spelled, RTLD_NOW | RTLD_LOCAL);
  if (taken) dlclose(taken);
  return library;
}
