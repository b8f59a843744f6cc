// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The host's threads for the library's loops. The library's own are those of an OpenMP runtime,
 * which of them its builder knows. So its two functions are looked up among what the library brings
 * along; a library without OpenMP has none. */
#define _GNU_SOURCE
#include "plugins/vendor/threads.h"

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static struct {
  int (*get)(void);
  void (*set)(int n);
} openmp;

static _Thread_local const buddy_crew *crew;

static void find_openmp(void) {
  dnnl_status_t (*function)(dnnl_engine_t *, dnnl_engine_kind_t, size_t) = dnnl_engine_create;
  void *address = NULL;
  Dl_info info;
  memcpy(&address, &function, sizeof(address));
  if (dladdr(address, &info) == 0) return;
  void *library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (!library) return;
  void *get = dlsym(library, "omp_get_max_threads");
  void *set = dlsym(library, "omp_set_num_threads");
  (void)dlclose(library);
  if (!get || !set) return;
  memcpy(&openmp.get, &get, sizeof(get));
  memcpy(&openmp.set, &set, sizeof(set));
}

void bd_vendor_threads_set(const buddy_crew *given) { crew = given; }

void bd_vendor_spread(void (*units)(void *context, int64_t first, int64_t last), void *context,
                      int64_t n_units, int64_t cost) {
  if (crew && n_units > 1) {
    crew->spread(units, context, n_units, cost);
  } else {
    units(context, 0, n_units);
  }
}

int bd_vendor_threads_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, find_openmp);
  if (!openmp.get) return 0;
  const int before = openmp.get();
  if (before != 1) openmp.set(1);
  return before;
}

void bd_vendor_threads_end(int before) {
  if (before > 1) openmp.set(before);
}
