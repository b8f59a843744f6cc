// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The threads that calls of the library run on: the host's, each with one thread of the library.
 *
 * The library would bring threads of its own, those of an OpenMP runtime, which go on looking for
 * work for a while after each call, on the very processors that the host's threads then want. */
#ifndef BUDDY_PLUGINS_VENDOR_THREADS_H_
#define BUDDY_PLUGINS_VENDOR_THREADS_H_

#include <stdint.h>

#include "buddy/registry.h"

/* What calls of this thread share their work by from now on; NULL, which is what a thread begins
 * with: they do all of it themselves. */
void bd_vendor_threads_set(const buddy_crew *crew);

/* Does units 0 to n_units, as of buddy_crew. */
void bd_vendor_spread(void (*units)(void *context, int64_t first, int64_t last), void *context,
                      int64_t n_units, int64_t cost);

/* Around calls of the library, on the same thread: it computes on one. begin returns what end
 * restores, so that whoever else uses the same OpenMP runtime on this thread finds it as it was. */
int bd_vendor_threads_begin(void);
void bd_vendor_threads_end(int before);

#endif
