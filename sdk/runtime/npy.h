/* sdk/runtime/npy.h: .npy bytes that are in memory already; for tests and fuzzing. */
#ifndef BUDDY_SDK_COMPILE_NPY_H
#define BUDDY_SDK_COMPILE_NPY_H

#include "buddy/tensor.h"

/* As buddy_npy_read, of n bytes. name: for messages. */
BUDDY_EXPORT buddy_code bd_npy_decode(const void *data, size_t n, buddy_dtype expected,
                                      const char *name, buddy_diags *diags,
                                      buddy_tensor *out_tensor);

#endif
