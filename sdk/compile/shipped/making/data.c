// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/shipped/making/data.c: the blobs of shipped.h, as the build wrote them. Without
 * BUDDY_SHIPPED_FOLDER, where they are, the library has none. */
#include "sdk/compile/shipped/shipped.h"

#ifdef BUDDY_SHIPPED_FOLDER

/* bd_shipped_LEVEL: the bytes of a file. */
#define EMBED(level)                                   \
  __asm__(".pushsection .rodata.bd_shipped_" #level    \
          ", \"a\"\n"                                  \
          ".balign 16\n"                               \
          ".globl bd_shipped_" #level                  \
          "\n"                                         \
          ".hidden bd_shipped_" #level                 \
          "\n"                                         \
          "bd_shipped_" #level                         \
          ":\n"                                        \
          ".incbin \"" BUDDY_SHIPPED_FOLDER "/" #level \
          "\"\n"                                       \
          ".popsection\n");                            \
  extern const bd_shipped_blob bd_shipped_##level __attribute__((visibility("hidden")))

EMBED(v4_vnni);
EMBED(v4);
EMBED(v3);

const bd_shipped_blob *const bd_shipped_blobs[BD_SHIPPED_N_LEVELS] = {
    &bd_shipped_v4_vnni, &bd_shipped_v4, &bd_shipped_v3};

#else

const bd_shipped_blob *const bd_shipped_blobs[BD_SHIPPED_N_LEVELS] = {NULL, NULL, NULL};

#endif
