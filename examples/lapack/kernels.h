// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/kernels.h: what compiled code calls: one function for each op and element type,
 * on unranked memrefs as MLIR's C interface hands them over.
 *
 * A kernel gets its inputs, then its outputs, which it fills; matrices are the last two dims, the
 * dims in front are a batch, in which a size of 1 stands for any. An output of rank 0 where a
 * matrix belongs, or of no elements, is not wanted. It returns 0, the largest error number of
 * LAPACK among the batch (a matrix that is singular, or not positive definite), LP_NO_MEMORY, or
 * LP_NO_PIVOT: a pivot that is given is no row.
 * [any-thread] */
#ifndef LAPACK_KERNELS_H
#define LAPACK_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define LP_NO_MEMORY INT64_C(-1)
#define LP_NO_PIVOT INT64_C(-2)
#define LP_MAX_OPERANDS 6

/* Bits of the last argument: the k-th option of the row; and what no bool says. */
#define LP_OPTION(k) (INT64_C(1) << (k))
#define LP_R_ONLY LP_OPTION(8) /* QR: Q is not wanted */

typedef struct lp_memref {
  int64_t rank;
  void *descriptor; /* allocated, aligned, offset, sizes, strides */
} lp_memref;

typedef struct lp_view {
  int64_t rank;
  const int64_t *sizes, *strides; /* in elements */
  void *data;
} lp_view;

typedef int64_t lp_kernel(const lp_view *operands, int64_t options);

/* X(name, operands, their elements): x is the type of the kernel, r its real, c its complex type, i
 * i32. */
#define LP_KERNELS(X)          \
  X(cholesky, 3, "xxi")        \
  X(cholesky_inverse, 2, "xx") \
  X(cholesky_solve, 3, "xxx")  \
  X(det, 4, "xxxi")            \
  X(eig, 3, "xcc")             \
  X(eigh, 3, "xrx")            \
  X(exponential, 2, "xx")      \
  X(householder, 3, "xxx")     \
  X(inverse, 3, "xxi")         \
  X(ldl_factor, 4, "xxii")     \
  X(ldl_solve, 4, "xixx")      \
  X(lu, 4, "xxxx")             \
  X(lu_factor, 4, "xxii")      \
  X(lu_solve, 4, "xixx")       \
  X(lu_unpack, 5, "xixxx")     \
  X(ormqr, 4, "xxxx")          \
  X(qr, 3, "xxx")              \
  X(reflectors, 3, "xxx")      \
  X(slogdet, 5, "xxrxi")       \
  X(solve, 6, "xxxxii")        \
  X(svd, 4, "xxrx")            \
  X(triangular, 3, "xxx")

#define LP_DECLARE_F32(name, n, elements) lp_kernel lp_##name##_f32;
#define LP_DECLARE_F64(name, n, elements) lp_kernel lp_##name##_f64;
#define LP_DECLARE_C64(name, n, elements) lp_kernel lp_##name##_c64;
#define LP_DECLARE_C128(name, n, elements) lp_kernel lp_##name##_c128;
LP_KERNELS(LP_DECLARE_F32)
LP_KERNELS(LP_DECLARE_F64)
LP_KERNELS(LP_DECLARE_C64)
LP_KERNELS(LP_DECLARE_C128)

/* ---- Batches --------------------------------------------------------------------------------- */
/* How many matrices an operand with `core` dims of its own stands for. */
int64_t lp_batch_size(const lp_view *like, int64_t core);
/* The offset, in elements, of matrix number `i` of a batch of `like`'s dims. */
int64_t lp_batch_offset(const lp_view *v, int64_t core, const lp_view *like, int64_t like_core,
                        int64_t i);
/* Is there anything to write to? */
int lp_is_wanted(const lp_view *v, int64_t core);
void *lp_memory(int64_t n, size_t size); /* calloc of at least one element; free it */

#endif
