// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/shipped/shipped.h: machine code of kernels that came compiled with this library.
 *
 * A kernel's name holds a hash of its text (kernels.h), and the text says all of it: the tile of
 * the processor, what is unrolled, which other kernels are called. When the library is built, the
 * programs of sdk/compile/shipped/programs/ are compiled for a few levels of processors, and each
 * kernel that they ask for becomes an object file of its own; those of one level are a blob in the
 * library (data.c). A model that asks for the same kernel gets that object, and LLVM does not see
 * the function: what is linked in the end is as if it had been compiled now.
 *
 * A blob, which making/ writes:
 *
 *   1  16 bytes  BD_SHIPPED_MAGIC
 *   2  8 bytes   n, the number of kernels
 *   3  n times, by name: bd_shipped_item
 *   4  names and object files, where the items say
 *
 * Nothing of it is checked: it is part of the library, as its code is. */
#ifndef BUDDY_SDK_COMPILE_SHIPPED_H
#define BUDDY_SDK_COMPILE_SHIPPED_H

#include "buddy/compile.h"
#include "sdk/compile/code/objects.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_SHIPPED_MAGIC "buddy kernels 1\n"
#define BD_SHIPPED_NAME_SIZE 64u /* of a kernel's name, with the 0 */

/* Places count from the start of the blob; sizes in bytes. */
typedef struct bd_shipped_item {
  char name[BD_SHIPPED_NAME_SIZE];
  uint64_t at, size;
} bd_shipped_item;

typedef struct bd_shipped_blob { /* what it begins with */
  char magic[16];
  uint64_t n;
} bd_shipped_blob;

/* What the kernels of one blob were compiled for. Static. */
typedef struct bd_shipped_level {
  const char *name;     /* "v4" */
  const char *cpu;      /* whose order of instructions is good for all of them */
  const char *features; /* what a processor must have, as LLVM spells them: "+avx,+avx2" */
} bd_shipped_level;
enum { BD_SHIPPED_N_LEVELS = 3 };
/* The best first. */
extern const bd_shipped_level bd_shipped_levels[BD_SHIPPED_N_LEVELS];
/* By level; null: this library has none (data.c). */
extern const bd_shipped_blob *const bd_shipped_blobs[BD_SHIPPED_N_LEVELS];

/* True if `features`, LLVM's list with + and -, has all of `wanted`. */
int bd_shipped_has_features(const char *features, const char *wanted);

/* The kernels that one module takes. Zeroed: it takes none. */
typedef struct bd_shipped {
  const bd_shipped_blob *blobs[BD_SHIPPED_N_LEVELS]; /* that may be taken from, the best first */
  size_t n_blobs;
  bd_member *taken;
  size_t n_taken, capacity;
} bd_shipped;

/* For a processor of these features; null: for this one. blobs: by level; null: the library's
 * own. */
void bd_shipped_init(bd_shipped *shipped, const char *features,
                     const bd_shipped_blob *const *blobs);
void bd_shipped_deinit(bd_shipped *shipped);
/* True if there is a kernel of that name, which is among the taken ones from now on. */
int bd_shipped_take(bd_shipped *shipped, const char *name);

#ifdef __cplusplus
}
#endif
#endif
