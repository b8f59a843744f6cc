// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/command/fail_nth.c: lets the Nth allocation that buddy's own code asks for fail; see malloc_sweep.py.
 *
 * Preloaded into a process. An allocation is buddy's if the code that called the allocator lies in a file of buddy's: the
 * command, libbuddy*.so, its modules and registries. LLVM's, and those of C++, are not. BUDDY_FAIL_AT: which one fails, from 1;
 * BUDDY_FAIL_COUNT: a file that gets the number of all of them, and where the one that failed was asked for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic unsigned long n_asked;
static unsigned long fail_at;
static _Thread_local int is_inside;
static char failed[512];

enum { SLOTS = 1 << 14 };
static struct {
  const void *_Atomic where;
  _Atomic int answer;
} known[SLOTS];

/* dladdr goes through all symbols of a file, and LLVM has a great many: files of others are told from
 * buddy's without it. */
static int find_out(const void *where) {
  Dl_info info;
  struct dl_find_object object;
  if (_dl_find_object((void *)(uintptr_t)where, &object) != 0 || !object.dlfo_link_map) return 0;
  if (object.dlfo_link_map->l_name[0] && !strstr(object.dlfo_link_map->l_name, "buddy")) return 0;
  if (!dladdr(where, &info) || !info.dli_fname) return 0;
  /* LLVM's own, which end the process when memory is out, are linked into a library of buddy's. */
  if (info.dli_sname &&
      (!strncmp(info.dli_sname, "mlir", 4) || !strncmp(info.dli_sname, "LLVM", 4)))
    return 0;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *name = slash ? slash + 1 : info.dli_fname;
  return strncmp(name, "libbuddy", 8) == 0 || strncmp(name, "buddy", 5) == 0;
}

static int is_buddys(const void *where) {
  if (is_inside) return 0;
  const size_t slot = ((size_t)where >> 2) % SLOTS;
  if (known[slot].where == where) return known[slot].answer;
  is_inside = 1;
  const int answer = find_out(where);
  is_inside = 0;
  known[slot].where = NULL;
  known[slot].answer = answer;
  known[slot].where = where;
  return answer;
}

static void tell(void) {
  const char *path = getenv("BUDDY_FAIL_COUNT");
  const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  dprintf(file, "%lu\n%s\n", n_asked, failed);
  close(file);
}

/* Told at once: the process may not come to its end. */
static void remember(const void *where) {
  Dl_info info = {0};
  is_inside = 1;
  dladdr(where, &info);
  snprintf(failed, sizeof failed, "%s+0x%lx %s", info.dli_fname ? info.dli_fname : "?",
           (unsigned long)((const char *)where - (const char *)info.dli_fbase),
           info.dli_sname ? info.dli_sname : "");
  tell();
  is_inside = 0;
}

static int fails(const void *where) {
  if (!is_buddys(where)) return 0;
  if (++n_asked != fail_at) return 0;
  remember(where);
  return 1;
}

#define HERE __builtin_return_address(0)

void *malloc(size_t size) { return fails(HERE) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails(HERE) ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails(HERE) ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) {
  return fails(HERE) ? NULL : __libc_memalign(alignment, size);
}

char *strdup(const char *text) {
  if (fails(HERE)) return NULL;
  const size_t size = strlen(text) + 1;
  char *copy = __libc_malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t n) {
  if (fails(HERE)) return NULL;
  const size_t size = strnlen(text, n);
  char *copy = __libc_malloc(size + 1);
  if (!copy) return NULL;
  copy[size] = 0;
  return memcpy(copy, text, size);
}

int vasprintf(char **out, const char *format, va_list args) {
  if (fails(HERE)) return -1;
  va_list again;
  va_copy(again, args);
  const int size = vsnprintf(NULL, 0, format, again);
  va_end(again);
  *out = size < 0 ? NULL : __libc_malloc((size_t)size + 1);
  return *out ? vsnprintf(*out, (size_t)size + 1, format, args) : -1;
}

int asprintf(char **out, const char *format, ...) {
  if (fails(HERE)) return -1;
  va_list args;
  va_start(args, format);
  is_inside = 1;
  const int size = vasprintf(out, format, args);
  is_inside = 0;
  va_end(args);
  return size;
}
/* What -D_FORTIFY_SOURCE calls instead. */
int __vasprintf_chk(char **out, int flag, const char *format, va_list args) {
  (void)flag;
  if (fails(HERE)) return -1;
  is_inside = 1;
  const int size = vasprintf(out, format, args);
  is_inside = 0;
  return size;
}
int __asprintf_chk(char **out, int flag, const char *format, ...) {
  (void)flag;
  if (fails(HERE)) return -1;
  va_list args;
  va_start(args, format);
  is_inside = 1;
  const int size = vasprintf(out, format, args);
  is_inside = 0;
  va_end(args);
  return size;
}

FILE *open_memstream(char **text, size_t *size) {
  static FILE *(*real)(char **, size_t *);
  if (!real) {
    void *symbol = dlsym(RTLD_NEXT, "open_memstream");
    memcpy(&real, &symbol, sizeof real);
  }
  return fails(HERE) ? NULL : real(text, size);
}

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("BUDDY_FAIL_AT");
  fail_at = text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void) { tell(); }
