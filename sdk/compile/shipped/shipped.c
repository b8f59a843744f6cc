// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/shipped/shipped.c: finding shipped kernels by name in a level's blob. */
#include "sdk/compile/shipped/shipped.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "sdk/compile/shipped/allowed.h"

#define V3 "+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+popcnt"
#define V4 V3 ",+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"

const bd_shipped_level bd_shipped_levels[BD_SHIPPED_N_LEVELS] = {
    {"v4_vnni", "x86-64-v4", V4 ",+avx512vnni"},
    {"v4", "x86-64-v4", V4},
    {"v3", "x86-64-v3", V3},
};

/* One of the list's words. */
static bool has_feature(const char *features, const char *wanted, size_t n) {
  while (*features != '\0') {
    const size_t length = strcspn(features, ",");
    if (length == n && memcmp(features, wanted, n) == 0) return true;
    features += length;
    features += *features == ',';
  }
  return false;
}

int bd_shipped_has_features(const char *features, const char *wanted) {
  while (*wanted != '\0') {
    const size_t n = strcspn(wanted, ",");
    if (!has_feature(features, wanted, n)) return 0;
    wanted += n;
    wanted += *wanted == ',';
  }
  return 1;
}

void bd_shipped_init(bd_shipped *shipped, const char *features,
                     const bd_shipped_blob *const *blobs) {
  *shipped = (bd_shipped){.n_blobs = 0};
  if (!bd_shipped_is_allowed()) return;
  if (!blobs) blobs = bd_shipped_blobs;
  char *own = !features ? LLVMGetHostCPUFeatures() : NULL;
  if (!features) features = own;
  if (!features) return; /* no memory: nothing is taken from it */
  for (size_t i = 0; i < BD_SHIPPED_N_LEVELS; ++i) {
    if (blobs[i] && bd_shipped_has_features(features, bd_shipped_levels[i].features))
      shipped->blobs[shipped->n_blobs++] = blobs[i];
  }
  if (own) LLVMDisposeMessage(own);
}

void bd_shipped_deinit(bd_shipped *shipped) {
  bd_shipped_count(shipped->n_taken);
  free(shipped->taken);
  *shipped = (bd_shipped){.n_blobs = 0};
}

static int by_name(const void *name, const void *item) {
  return strcmp(name, ((const bd_shipped_item *)item)->name);
}

static int reserve(bd_shipped *shipped) {
  bd_member *taken =
      bd_array_grow(shipped->taken, &shipped->capacity, shipped->n_taken + 1, sizeof(bd_member));
  if (!taken) return 0;
  shipped->taken = taken;
  return 1;
}

int bd_shipped_take(bd_shipped *shipped, const char *name) {
  for (size_t i = 0; i < shipped->n_blobs; ++i) {
    const bd_shipped_blob *blob = shipped->blobs[i];
    const bd_shipped_item *item =
        bsearch(name, blob + 1, (size_t)blob->n, sizeof(bd_shipped_item), by_name);
    if (!item || !reserve(shipped)) continue;
    shipped->taken[shipped->n_taken++] =
        (bd_member){item->name, (const char *)blob + item->at, (size_t)item->size};
    return 1;
  }
  return 0;
}
