// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/registry.c: dense linear algebra by LAPACK: a registry that is made of buddy's
 * public headers alone. An op is one line: which kernel, which of the op's arguments it reads,
 * which of its results it writes, and what the op's options mean to it. */
#include <string.h>

#include "buddy/extensions.h"
#include "calls.h"
#include "kernels.h"
#include "rows.h"

#define NUMBERS                                                                           \
  (BUDDY_DTYPE_BIT(BUDDY_F32) | BUDDY_DTYPE_BIT(BUDDY_F64) | BUDDY_DTYPE_BIT(BUDDY_C64) | \
   BUDDY_DTYPE_BIT(BUDDY_C128))
#define WITH_PIVOTS (NUMBERS | BUDDY_DTYPE_BIT(BUDDY_I32))
#define ROW(name_, args_, in, kernel_, inputs_, ...) /* outputs, options */                    \
  {                                                                                            \
    .name = "aten." name_, .args = args_, .in_dtypes = in, .match = lp_match, .emit = lp_emit, \
    .user = &(const lp_row) {                                                                  \
      .kernel = kernel_, .inputs = inputs_, .outputs = __VA_ARGS__                             \
    }                                                                                          \
  }
#define NO_INFO(k) .changed = LP_OPTION(k)
#define SINGULAR "linear algebra: a matrix is singular: it has no inverse, and no unique solution"
#define NOT_POSITIVE "linear algebra: a matrix is not positive definite"
#define NO_CONVERGENCE \
  "linear algebra: the algorithm did not converge: the input has NaN or infinity"

static const buddy_op ops[] = {
    /* LU, inverses, solutions, determinants */
    ROW("linalg_lu_factor.default", "A, pivot", NUMBERS, "lu_factor", "0", "01-", NO_INFO(1),
        .error = SINGULAR, .pivot_arg = 2),
    ROW("linalg_lu_factor_ex.default", "A, pivot, check_errors", NUMBERS, "lu_factor", "0", "012",
        .error = SINGULAR, .check_arg = 3, .pivot_arg = 2),
    ROW("_lu_with_info.default", "self, pivot, check_errors", NUMBERS, "lu_factor", "0", "012",
        .error = SINGULAR, .check_arg = 3, .pivot_arg = 2),
    ROW("linalg_lu.default", "A, pivot", NUMBERS, "lu", "0", "012", .pivot_arg = 2),
    ROW("lu_unpack.default", "LU_data, LU_pivots, unpack_data, unpack_pivots", WITH_PIVOTS,
        "lu_unpack", "01", "012"),
    ROW("linalg_lu_solve.default", "LU, pivots, B, left, adjoint", WITH_PIVOTS, "lu_solve", "012",
        "0", .options = "34"),
    ROW("lu_solve.default", "self, LU_data, LU_pivots", WITH_PIVOTS, "lu_solve", "120", "0",
        .changed = LP_OPTION(0)),
    ROW("linalg_inv.default", "A", NUMBERS, "inverse", "0", "0-", NO_INFO(1), .error = SINGULAR),
    ROW("inverse.default", "self", NUMBERS, "inverse", "0", "0-", NO_INFO(1), .error = SINGULAR),
    ROW("linalg_inv_ex.default", "A, check_errors", NUMBERS, "inverse", "0", "01",
        .error = SINGULAR, .check_arg = 2),
    ROW("linalg_solve.default", "A, B, left", NUMBERS, "solve", "01", "0---", NO_INFO(1),
        .options = "2", .error = SINGULAR),
    ROW("linalg_solve_ex.default", "A, B, left, check_errors", NUMBERS, "solve", "01", "0--1",
        .options = "2", .error = SINGULAR, .check_arg = 4),
    ROW("_linalg_solve_ex.default", "A, B, left, check_errors", NUMBERS, "solve", "01", "0123",
        .options = "2", .error = SINGULAR, .check_arg = 4),
    ROW("linalg_det.default", "A", NUMBERS, "det", "0", "0--"),
    ROW("det.default", "self", NUMBERS, "det", "0", "0--"),
    ROW("_linalg_det.default", "A", NUMBERS, "det", "0", "012"),
    ROW("linalg_slogdet.default", "A", NUMBERS, "slogdet", "0", "01--"),
    ROW("slogdet.default", "self", NUMBERS, "slogdet", "0", "01--"),
    ROW("_linalg_slogdet.default", "A", NUMBERS, "slogdet", "0", "0123"),
    /* triangles */
    ROW("linalg_solve_triangular.default", "self, B, upper, left, unitriangular", NUMBERS,
        "triangular", "01", "0", .options = "234"),
    ROW("triangular_solve.default", "self, A, upper, transpose, unitriangular", NUMBERS,
        "triangular", "10", "0", .options = "2-43", .changed = LP_OPTION(1), .copied_arg = 2),
    /* Cholesky, LDL */
    ROW("linalg_cholesky.default", "self, upper", NUMBERS, "cholesky", "0", "0-", NO_INFO(1),
        .options = "1", .error = NOT_POSITIVE),
    ROW("cholesky.default", "self, upper", NUMBERS, "cholesky", "0", "0-", NO_INFO(1),
        .options = "1", .error = NOT_POSITIVE),
    ROW("linalg_cholesky_ex.default", "self, upper, check_errors", NUMBERS, "cholesky", "0", "01",
        .options = "1", .error = NOT_POSITIVE, .check_arg = 3),
    ROW("cholesky_solve.default", "self, input2, upper", NUMBERS, "cholesky_solve", "01", "0",
        .options = "2"),
    ROW("cholesky_inverse.default", "self, upper", NUMBERS, "cholesky_inverse", "0", "0",
        .options = "1", .error = SINGULAR),
    ROW("linalg_ldl_factor.default", "self, hermitian", NUMBERS, "ldl_factor", "0", "01-",
        NO_INFO(2), .options = "1", .error = SINGULAR),
    ROW("linalg_ldl_factor_ex.default", "self, hermitian, check_errors", NUMBERS, "ldl_factor", "0",
        "012", .options = "1", .error = SINGULAR, .check_arg = 3),
    ROW("linalg_ldl_solve.default", "LD, pivots, B, hermitian", WITH_PIVOTS, "ldl_solve", "012",
        "0", .options = "3"),
    /* QR */
    ROW("linalg_qr.default", "A, mode", NUMBERS, "qr", "0", "01", .options = "1"),
    ROW("qr.default", "self, some", NUMBERS, "qr", "0", "01", .options = "1",
        .changed = LP_OPTION(0)),
    ROW("geqrf.default", "self", NUMBERS, "reflectors", "0", "01"),
    ROW("linalg_householder_product.default", "input, tau", NUMBERS, "householder", "01", "0"),
    ROW("orgqr.default", "self, input2", NUMBERS, "householder", "01", "0"),
    ROW("ormqr.default", "self, input2, input3, left, transpose", NUMBERS, "ormqr", "012", "0",
        .options = "34"),
    /* singular values, eigenvalues */
    ROW("linalg_svd.default", "A, full_matrices, driver", NUMBERS, "svd", "0", "012",
        .options = "1", .error = NO_CONVERGENCE),
    ROW("_linalg_svd.default", "A, full_matrices, compute_uv, driver", NUMBERS, "svd", "0", "012",
        .options = "12", .changed = LP_OPTION(1), .error = NO_CONVERGENCE),
    ROW("linalg_svdvals.default", "A, driver", NUMBERS, "svd", "0", "-0-", NO_INFO(1),
        .error = NO_CONVERGENCE),
    ROW("linalg_eigh.default", "self, UPLO", NUMBERS, "eigh", "0", "01", .options = "1",
        .error = NO_CONVERGENCE),
    ROW("_linalg_eigh.default", "A, UPLO, compute_v", NUMBERS, "eigh", "0", "01", .options = "12",
        .changed = LP_OPTION(1), .error = NO_CONVERGENCE),
    ROW("linalg_eigvalsh.default", "self, UPLO", NUMBERS, "eigh", "0", "0-", .options = "1",
        .changed = LP_OPTION(1), .error = NO_CONVERGENCE),
    ROW("linalg_eig.default", "self", NUMBERS, "eig", "0", "01", .error = NO_CONVERGENCE),
    ROW("linalg_eigvals.default", "self", NUMBERS, "eig", "0", "0-", .changed = LP_OPTION(1),
        .error = NO_CONVERGENCE),
    ROW("_linalg_eigvals.default", "self", NUMBERS, "eig", "0", "0-", .changed = LP_OPTION(1),
        .error = NO_CONVERGENCE),
    /* the exponential */
    ROW("linalg_matrix_exp.default", "self", NUMBERS, "exponential", "0", "0"),
};

/* The registry itself needs LLVM, so models that are compiled ahead of time load its functions as a
 * library without it. */
static const buddy_ahead ahead = {.struct_size = sizeof(ahead), .file = "libbuddy_lapack.so"};

static const void *extension(void *state, const char *id) {
  (void)state;
  if (strcmp(id, BUDDY_RUNTIME_ID) == 0) return &lp_runtime;
  return strcmp(id, BUDDY_AHEAD_ID) == 0 ? &ahead : NULL;
}

static const char *const dialects[] = {"arith",  "bufferization", "cf",     "func",
                                       "memref", "tensor",        "linalg", NULL};

BUDDY_REGISTRY(lapack, "0.1.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .dialects = dialects,
               .open = be_open, .extension = extension);
