// On how many threads the library computes.
#ifndef BUDDY_PLUGINS_VENDOR_THREADS_H_
#define BUDDY_PLUGINS_VENDOR_THREADS_H_

#include <stdint.h>

// Calls of this thread get |n| threads from now on; with 0, which is what a thread begins with, as
// many as the OpenMP runtime says.
void bd_vendor_threads_set(int32_t n);

// Around each call of the library, on the same thread. |begin| returns what |end| restores, so that
// whoever else uses the same OpenMP runtime on this thread finds it as it was.
int bd_vendor_threads_begin(void);
void bd_vendor_threads_end(int before);

// How many there are between the two; primitives are made for a number of threads.
int64_t bd_vendor_threads(void);

#endif  // BUDDY_PLUGINS_VENDOR_THREADS_H_
