// The library's threads are those of an OpenMP runtime, which of them its builder knows. So its two
// functions are looked up among what the library brings along; a library without OpenMP has none.
//
// The threads that such a runtime keeps for a thread do not survive fork(), and libgomp waits for
// them for ever. Of a process that was forked, and is not another program since, the first thread
// is the one that had them: it computes alone.
#define _GNU_SOURCE
#include "plugins/vendor/threads.h"

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FORKED_FLAG 0x40U  // PF_FORKNOEXEC of the kernel: forked, and no exec since

static struct {
  int (*get)(void);
  void (*set)(int n);
} openmp;

static _Thread_local int32_t wanted;
static atomic_bool is_forked;

static void note_fork(void) { atomic_store(&is_forked, true); }

// The ninth field of the line; the second is the program's name in brackets, which may hold any.
static bool was_forked(void) {
  char line[1024] = "";
  unsigned flags = 0;
  FILE *file = fopen("/proc/self/stat", "re");
  if (file == NULL) return false;
  const bool is_read = fgets(line, sizeof(line), file) != NULL;
  (void)fclose(file);
  const char *name_end = is_read ? strrchr(line, ')') : NULL;
  return name_end != NULL && sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
         (flags & FORKED_FLAG) != 0;
}

static bool has_lost_threads(void) {
  return atomic_load_explicit(&is_forked, memory_order_relaxed) && syscall(SYS_gettid) == getpid();
}

// 0: what the runtime says.
static int threads_wanted(void) { return has_lost_threads() ? 1 : wanted; }

static void find_openmp(void) {
  dnnl_status_t (*function)(dnnl_engine_t *, dnnl_engine_kind_t, size_t) = dnnl_engine_create;
  void *address = NULL;
  Dl_info info;
  memcpy(&address, &function, sizeof(address));
  if (dladdr(address, &info) == 0) return;
  void *library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (library == NULL) return;
  void *get = dlsym(library, "omp_get_max_threads");
  void *set = dlsym(library, "omp_set_num_threads");
  (void)dlclose(library);
  if (get == NULL || set == NULL) return;
  memcpy(&openmp.get, &get, sizeof(get));
  memcpy(&openmp.set, &set, sizeof(set));
  if (was_forked()) note_fork();
  (void)pthread_atfork(NULL, NULL, note_fork);
}

void bd_vendor_threads_set(int32_t n) { wanted = n; }

int bd_vendor_threads_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, find_openmp);
  if (openmp.get == NULL) return 0;
  const int before = openmp.get(), n = threads_wanted();
  if (n > 0 && n != before) openmp.set(n);
  return before;
}

void bd_vendor_threads_end(int before) {
  if (before > 0 && openmp.get() != before) openmp.set(before);
}

int64_t bd_vendor_threads(void) { return openmp.get == NULL ? 1 : openmp.get(); }
