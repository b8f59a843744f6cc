// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/calls.c: the functions by which compiled code reaches the kernels. A kernel is
 * called with one unranked memref an operand, and its options; the C interface of such a function
 * takes pointers. */
#include "calls.h"

#include <string.h>

#include "kernels.h"
#include "threads.h"

/* LAPACKE would leave matrices with NaN as they are, and say so by a negative number; what is made of
 * them is NaN, as in PyTorch. */
void LAPACKE_set_nancheck(int is_wanted);
__attribute__((constructor)) static void take_nan(void) { LAPACKE_set_nancheck(0); }

typedef struct descriptor {
  char *allocated, *aligned;
  int64_t offset, sizes_and_strides[];
} descriptor;

static lp_view view_of(const lp_memref *m, int64_t element_size) {
  const descriptor *d = m->descriptor;
  return (lp_view){m->rank, d->sizes_and_strides, d->sizes_and_strides + m->rank,
                   d->aligned + d->offset * element_size};
}

static int64_t run(lp_kernel *kernel, const lp_memref *const *operands, const char *elements,
                   int64_t real_size, int is_complex, int64_t options) {
  lp_view views[LP_MAX_OPERANDS];
  for (size_t i = 0; elements[i] != 0; ++i) {
    const int64_t size = elements[i] == 'i'   ? 4
                         : elements[i] == 'r' ? real_size
                         : elements[i] == 'c' ? 2 * real_size
                                              : real_size * (is_complex ? 2 : 1);
    views[i] = view_of(operands[i], size);
  }
  const size_t n = strlen(elements);
  lp_threads_begin(views, n);
  const int64_t status = kernel(views, options);
  lp_threads_end();
  return status;
}

#define M(x) const lp_memref *x
#define CALL_2(f, k, e, r, c)                                            \
  int64_t f(M(m0), M(m1), int64_t options) {                             \
    return run(k, (const lp_memref *const[]){m0, m1}, e, r, c, options); \
  }
#define CALL_3(f, k, e, r, c)                                                \
  int64_t f(M(m0), M(m1), M(m2), int64_t options) {                          \
    return run(k, (const lp_memref *const[]){m0, m1, m2}, e, r, c, options); \
  }
#define CALL_4(f, k, e, r, c)                                                    \
  int64_t f(M(m0), M(m1), M(m2), M(m3), int64_t options) {                       \
    return run(k, (const lp_memref *const[]){m0, m1, m2, m3}, e, r, c, options); \
  }
#define CALL_5(f, k, e, r, c)                                                        \
  int64_t f(M(m0), M(m1), M(m2), M(m3), M(m4), int64_t options) {                    \
    return run(k, (const lp_memref *const[]){m0, m1, m2, m3, m4}, e, r, c, options); \
  }
#define CALL_6(f, k, e, r, c)                                                            \
  int64_t f(M(m0), M(m1), M(m2), M(m3), M(m4), M(m5), int64_t options) {                 \
    return run(k, (const lp_memref *const[]){m0, m1, m2, m3, m4, m5}, e, r, c, options); \
  }

/* They are found by name, where compiled code or a model that needs them loads the library. */
#define TYPE_2 (M(m0), M(m1), int64_t options)
#define TYPE_3 (M(m0), M(m1), M(m2), int64_t options)
#define TYPE_4 (M(m0), M(m1), M(m2), M(m3), int64_t options)
#define TYPE_5 (M(m0), M(m1), M(m2), M(m3), M(m4), int64_t options)
#define TYPE_6 (M(m0), M(m1), M(m2), M(m3), M(m4), M(m5), int64_t options)
#define DECLARE(name, n, t) \
  BUDDY_EXPORT int64_t call_##name##_##t TYPE_##n __asm__(LP_SYMBOL(name, t));
#define DECLARE_ALL(name, n, elements) \
  DECLARE(name, n, f32) DECLARE(name, n, f64) DECLARE(name, n, c64) DECLARE(name, n, c128)
LP_KERNELS(DECLARE_ALL)

#define DEFINE(name, n, elements)                                      \
  CALL_##n(call_##name##_f32, lp_##name##_f32, elements, 4, 0)         \
      CALL_##n(call_##name##_f64, lp_##name##_f64, elements, 8, 0)     \
          CALL_##n(call_##name##_c64, lp_##name##_c64, elements, 4, 1) \
              CALL_##n(call_##name##_c128, lp_##name##_c128, elements, 8, 1)
LP_KERNELS(DEFINE)

BUDDY_EXPORT void buddy_threads_lapack(int32_t n);
void buddy_threads_lapack(int32_t n) { lp_threads_set(n); }
