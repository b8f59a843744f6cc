// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/table.c: see calls.h. The functions are null here: they are in
 * libbuddy_lapack.so, and LAPACK, which it needs, takes longer to load than everything else of an
 * import. */
#include <string.h>

#include "calls.h"
#include "kernels.h"

#define SYMBOL(name, t) {LP_SYMBOL(name, t), NULL}
#define SYMBOLS(name, n, elements) \
  SYMBOL(name, f32), SYMBOL(name, f64), SYMBOL(name, c64), SYMBOL(name, c128),
static const buddy_runtime_symbol symbols[] = {
    LP_KERNELS(SYMBOLS){BUDDY_THREADS_FUNCTION "lapack", NULL}};

const buddy_runtime lp_runtime = {sizeof(buddy_runtime), sizeof(symbols) / sizeof(symbols[0]),
                                  symbols};

const char *lp_elements_of(const char *kernel) {
  static const struct {
    const char *name, *elements;
  } all[] = {
#define NAME(name, n, elements) {#name, elements},
      LP_KERNELS(NAME)};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
    if (strcmp(all[i].name, kernel) == 0) return all[i].elements;
  }
  return NULL;
}
