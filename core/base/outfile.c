// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/outfile.c: files written without a name, and put in place when they are whole. */
#define _GNU_SOURCE
#include "core/base/outfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/try.h"

#define BUFFER 65536u
#define WRITING (O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* ---- Words ----------------------------------------------------------------------------------- */
static const char *advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "make room there, or name a file on another disk";
    case EFBIG:
      return "raise the limit on the size of files: ulimit -f";
    case EACCES:
    case EPERM:
    case EROFS:
      return "name a file of a folder that you may write to";
    case ENOENT:
    case ENOTDIR:
      return "make its folder first";
    case ENXIO:
      return "start what reads it first";
    default:
      return NULL;
  }
}

static buddy_code fail(const bd_outfile *file, const char *what, int error, buddy_diags *diags) {
  bd_fault fault;
  errno = error;
  bd_fault_errno(&fault, what);
  const char *where = strcmp(file->path, "/dev/stdout") ? file->path : "standard output";
  return buddy_diags_add(diags, BUDDY_ERROR, fault.code, where, advice(error), "%s", fault.text);
}

/* ---- Descriptors ----------------------------------------------------------------------------- */
/* The system sends these to the thread that writes; they are kept off, and taken back. */
static int write_quietly(int descriptor, const char *bytes, size_t n) {
  const struct timespec now = {0, 0};
  sigset_t ours, before, pending;
  sigemptyset(&ours);
  sigaddset(&ours, SIGXFSZ);
  sigaddset(&ours, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  int error = 0;
  while (n > 0 && error == 0) {
    const ssize_t done = write(descriptor, bytes, n);
    if (done > 0) {
      bytes += done;
      n -= (size_t)done;
    } else if (done == 0) {
      error = ENOSPC;
    } else if (errno == EAGAIN) {
      poll(&(struct pollfd){.fd = descriptor, .events = POLLOUT}, 1, -1);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  const int sent = error == EFBIG ? SIGXFSZ : error == EPIPE ? SIGPIPE : 0;
  if (sent && !sigismember(&pending, sent)) {
    sigemptyset(&ours);
    sigaddset(&ours, sent);
    while (sigtimedwait(&ours, NULL, &now) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

int bd_write_all(int descriptor, const void *bytes, size_t n) {
  return n > 0 ? write_quietly(descriptor, bytes, n) : 0;
}

int bd_memory_file(const void *bytes, size_t n, bool is_sealed) {
  const int memory = memfd_create("buddy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  int error = bd_write_all(memory, bytes, n);
  if (!error && is_sealed && fcntl(memory, F_ADD_SEALS, seals)) error = errno;
  if (!error) return memory;
  close(memory);
  errno = error;
  return -1;
}

/* The descriptor of this process that the name stands for; -1: none. Opened anew, a file behind it
 * would be written from its start, and not where it stands. */
static int descriptor_named(const char *path) {
  static const char *const leads[] = {"/dev/fd/", "/proc/self/fd/"};
  if (!strcmp(path, "/dev/stdout")) return STDOUT_FILENO;
  if (!strcmp(path, "/dev/stderr")) return STDERR_FILENO;
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i) {
    const size_t n = strlen(leads[i]);
    if (strncmp(path, leads[i], n)) continue;
    char *end;
    const long number = strtol(path + n, &end, 10);
    return path[n] >= '0' && path[n] <= '9' && !*end && number < 65536 ? (int)number : -1;
  }
  return -1;
}

/* ---- The unfinished file --------------------------------------------------------------------- */
static void name_temporary(bd_outfile *file) {
  static _Atomic unsigned counter;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(file->temporary, sizeof file->temporary, BD_OUTFILE_PREFIX "%lx-%x-%lx",
           (unsigned long)getpid() & 0xffffff, ++counter & 0xffff,
           (unsigned long)now.tv_nsec & 0xffffffff);
}

/* Whether it is locked, so that nobody reaps it, and was not reaped before it was. */
static bool lock(int descriptor) {
  struct stat status;
  return !flock(descriptor, LOCK_EX | LOCK_NB) && !fstat(descriptor, &status) &&
         status.st_nlink > 0;
}

/* 0, or errno. */
static int create_named(bd_outfile *file, mode_t mode) {
  bd_outfile_reap(file->folder);
  for (int attempt = 0; attempt < 100; ++attempt) {
    name_temporary(file);
    file->descriptor = openat(file->folder, file->temporary,
                              O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file->descriptor < 0 && errno == EEXIST) continue;
    if (file->descriptor < 0) break;
    if (lock(file->descriptor) || errno == EOPNOTSUPP || errno == ENOLCK) return 0;
    close(file->descriptor);
    file->descriptor = -1;
  }
  const int error = errno;
  file->temporary[0] = 0;
  return error;
}

/* Without a name, where the file system can, and a name can be given later. 0, or errno. */
static int create(bd_outfile *file, mode_t mode) {
  if (!access("/proc/self/fd", X_OK)) {
    file->descriptor = openat(file->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (file->descriptor >= 0) return 0;
  }
  return create_named(file, mode);
}

static int give_name(const bd_outfile *file, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file->descriptor);
  return linkat(AT_FDCWD, path, file->folder, name, AT_SYMLINK_FOLLOW) ? errno : 0;
}

size_t bd_outfile_reap(int folder) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = copy < 0 ? NULL : fdopendir(copy);
  size_t n = 0;
  if (!dir && copy >= 0) close(copy);
  for (const struct dirent *entry; dir && (entry = readdir(dir));) {
    if (strncmp(entry->d_name, BD_OUTFILE_PREFIX, sizeof BD_OUTFILE_PREFIX - 1)) continue;
    const int descriptor = openat(folder, entry->d_name, WRITING | O_NOFOLLOW);
    if (descriptor < 0) continue;
    if (!flock(descriptor, LOCK_EX | LOCK_NB)) n += !unlinkat(folder, entry->d_name, 0);
    close(descriptor);
  }
  if (dir) closedir(dir);
  return n;
}

/* ---- Opening --------------------------------------------------------------------------------- */
/* Takes folder and name of a path that may be there or not. 0, or errno. */
static int split(bd_outfile *file, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  char *folder = bd_malloc((size_t)(name - path) + 2);
  file->name = bd_malloc(strlen(name) + 1);
  if (folder && file->name) {
    memcpy(folder, slash ? path : ".", slash ? (size_t)(name - path) : 1);
    folder[slash ? name - path : 1] = 0;
    strcpy(file->name, name);
    file->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  }
  const int error = !folder || !file->name ? ENOMEM : file->folder < 0 ? errno : 0;
  bd_free(folder);
  return error ? error : *name ? 0 : EISDIR;
}

/* A regular file, which the system has let us open for writing, will be replaced. 0, or errno. */
static int replace(bd_outfile *file, const char *path, const struct stat *found) {
  struct stat status;
  char *real = realpath(path, NULL);
  if (!real) return errno;
  int error = split(file, real);
  free(real);
  if (!error && fstatat(file->folder, file->name, &status, AT_SYMLINK_NOFOLLOW)) error = errno;
  if (!error && (status.st_ino != found->st_ino || status.st_dev != found->st_dev)) error = EBUSY;
  if (!error) error = create(file, 0666);
  if (!error && !file->is_made && fchmod(file->descriptor, found->st_mode & 0777)) error = errno;
  return error;
}

/* Takes the descriptor over. 0, or errno. */
static int take(bd_outfile *file, const char *path, int descriptor) {
  struct stat found;
  int error = fstat(descriptor, &found) ? errno : 0;
  if (!error && S_ISREG(found.st_mode)) {
    error = replace(file, path, &found);
    close(descriptor);
  } else {
    file->descriptor = descriptor;
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  }
  return error;
}

/* 0, or errno. */
static int open_path(bd_outfile *file, const char *path) {
  struct stat link;
  const int own = descriptor_named(path);
  if (own >= 0) {
    file->descriptor = fcntl(own, F_DUPFD_CLOEXEC, 3);
    return file->descriptor < 0 ? errno : 0;
  }
  int descriptor = open(path, WRITING);
  if (descriptor < 0 && errno == ENOENT && !lstat(path, &link) && S_ISLNK(link.st_mode)) {
    descriptor = open(path, WRITING | O_CREAT, 0666); /* where it leads to */
    file->is_made = descriptor >= 0;
    if (descriptor < 0) return errno;
  }
  if (descriptor >= 0) return take(file, path, descriptor);
  if (errno != ENOENT || !*path) return errno;
  const int error = split(file, path);
  return error ? error : create(file, 0666);
}

static const char *what_failed(const char *path, int error) {
  struct stat status;
  const bool is_fifo = error == ENXIO && !stat(path, &status) && S_ISFIFO(status.st_mode);
  return is_fifo ? "is a FIFO that nobody reads" : "cannot be created";
}

static buddy_code begin(bd_outfile *file, const char *path) {
  *file = (bd_outfile){.folder = -1, .descriptor = -1};
  file->path = bd_malloc(strlen(path) + 1);
  file->buffer = bd_malloc(BUFFER);
  if (file->path) strcpy(file->path, path);
  if (file->path && file->buffer) return BUDDY_OK;
  bd_free(file->path);
  bd_free(file->buffer);
  file->path = NULL;
  return BUDDY_OUT_OF_MEMORY;
}

buddy_code bd_outfile_open(const char *path, buddy_diags *diags, bd_outfile *out_file) {
  BD_TRY(begin(out_file, path));
  const int error = open_path(out_file, path);
  if (!error) return BUDDY_OK;
  buddy_code code = fail(out_file, what_failed(path, error), error, diags);
  bd_outfile_discard(out_file);
  return code;
}

buddy_code bd_outfile_open_in(int folder, const char *where, const char *name, buddy_diags *diags,
                              bd_outfile *out_file) {
  BD_TRY(begin(out_file, where));
  out_file->name = bd_malloc(strlen(name) + 1);
  out_file->folder = openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int error = !out_file->name ? ENOMEM : out_file->folder < 0 ? errno : 0;
  if (!error) error = create(out_file, 0600);
  if (!error) {
    strcpy(out_file->name, name);
    if (!fchmod(out_file->descriptor, 0600)) return BUDDY_OK;
    error = errno;
  }
  buddy_code code = fail(out_file, "cannot be written to", error, diags);
  bd_outfile_discard(out_file);
  return code;
}

/* ---- Writing --------------------------------------------------------------------------------- */
static void hand_over(bd_outfile *file, const void *bytes, size_t n) {
  if (!file->error) file->error = bd_write_all(file->descriptor, bytes, n);
}

buddy_code bd_outfile_write(bd_outfile *file, const void *bytes, size_t n) {
  if (n > BUFFER - file->n) {
    hand_over(file, file->buffer, file->n);
    file->n = 0;
  }
  if (n > BUFFER) {
    hand_over(file, bytes, n);
  } else if (n > 0) {
    memcpy(file->buffer + file->n, bytes, n);
    file->n += n;
  }
  return file->error ? BUDDY_IO : BUDDY_OK;
}

static buddy_code write_to(void *user, const char *data, size_t size) {
  return bd_outfile_write(user, data, size);
}

buddy_writer bd_outfile_writer(bd_outfile *file) { return (buddy_writer){write_to, file}; }

buddy_code bd_outfile_finish(bd_outfile *file, buddy_diags *diags) {
  hand_over(file, file->buffer, file->n);
  file->n = 0;
  return file->error ? fail(file, "cannot be written", file->error, diags) : BUDDY_OK;
}

/* ---- Putting in place ------------------------------------------------------------------------ */
/* Under a name that can take another's place; it is there for a moment only. 0, or errno. */
static int name_unfinished(bd_outfile *file) {
  flock(file->descriptor, LOCK_EX | LOCK_NB);
  name_temporary(file);
  const int error = give_name(file, file->temporary);
  if (error) file->temporary[0] = 0;
  return error;
}

/* 0, or errno. */
static int place(bd_outfile *file) {
  int error = 0;
  if (!file->temporary[0]) {
    error = give_name(file, file->name);
    file->is_placed = !error;
    if (error != EEXIST) return error;
    error = name_unfinished(file);
  }
  if (!error && renameat(file->folder, file->temporary, file->folder, file->name)) error = errno;
  if (error) return error;
  file->temporary[0] = 0;
  file->is_placed = true;
  return 0;
}

static buddy_code settle(bd_outfile *file, buddy_diags *diags) {
  int error = file->name ? place(file) : 0;
  if (error) return fail(file, "cannot be put in place", error, diags);
  if (close(file->descriptor) && errno != EINTR) error = errno; /* some tell of a full disk now */
  file->descriptor = -1;
  return error ? fail(file, "cannot be written", error, diags) : BUDDY_OK;
}

buddy_code bd_outfile_commit(bd_outfile *const *files, size_t n, buddy_diags *diags) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n && !code; ++i)
    if (files[i]->path) code = bd_outfile_finish(files[i], diags);
  for (size_t i = 0; i < n && !code; ++i)
    if (files[i]->path) code = settle(files[i], diags);
  for (size_t i = 0; i < n; ++i) {
    if (code && files[i]->is_placed) unlinkat(files[i]->folder, files[i]->name, 0);
    bd_outfile_discard(files[i]);
  }
  return code;
}

void bd_outfile_discard(bd_outfile *file) {
  if (!file->path) return;
  if (file->temporary[0]) unlinkat(file->folder, file->temporary, 0);
  if (file->is_made && !file->is_placed && file->name) unlinkat(file->folder, file->name, 0);
  if (file->descriptor >= 0) close(file->descriptor);
  if (file->folder >= 0) close(file->folder);
  bd_free(file->buffer);
  bd_free(file->name);
  bd_free(file->path);
  *file = (bd_outfile){.folder = -1, .descriptor = -1};
}
