// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/symbols/contracts.h: what an op asks of the shapes of its arguments, and which shapes and
 * dtypes its results have: one row per op, beside the schema.
 *
 * The text of a row is one or more forms with " | " between them; the first whose ranks and numbers
 * fit is the one that holds. A form is terms, and after "->" one shape for each result:
 *
 *   self[b?,n,K]   the tensor argument "self", or each tensor of a list, has these dims; an
 *                  argument that is None is skipped
 *   kernel[k,l]    the list of numbers "kernel" is these; one number stands for all of them, and an
 *                  empty list is skipped
 *   !n             the argument "n" is None, else the next form is tried
 *   size=S  k=n    the list of numbers "size" is the run S; the number "k" is the dim n
 *   reduction=0    the number "reduction" is 0, else the next form is tried; 1 is true as well
 *   reduction>0    the number "reduction" is more than 0, else the next form is tried
 *   mode='r'       the string "mode" is that one, else the next form is tried
 *   dim:S          "dim" is one dim, or a list of dims, of the run S, or of the argument named there
 *                  (of a 0-d tensor: of 1 dim)
 *   kin            of the tensors named after it all are complex, or none is
 *   alike          those named after it have one dtype
 *   alike?         those named after it have one dtype, or one of them no elements
 *   self<[n,m]     the tensor "self" broadcasts to that shape
 *   self<<[n,m]    and of a size that only the run tells it is not asked before: it may be 1 there
 *
 * Between brackets stand dims, with "," between them:
 *
 *   n      a dim: what the first n was, each further one is
 *   n*2+m  what is computed of dims and numbers by "+", "-", "*", "/" (rounded down), "&" (the lesser
 *          of two) and "(…)"; unknown if one of them is. "*S" is the product of the run S there, "$S"
 *          the number of its dims
 *   @      the dim that the last "dim:S" names
 *   _      any dim
 *   b?     one dim, or none; _? the same, any
 *   S      a run of dims, of any number: what the first S was, each further one is
 *   #S     as many dims as the run S has, of any sizes
 *   1#S    as many, each of them 1
 *   ...    any number of any dims
 *   !      any number of any dims, a 0 among them
 *
 * After the shapes of results "..." stands for more like the last; results beyond are of any shape.
 * At most one run of a bracket may be unknown when it is reached. A contract is made of facts of
 * PyTorch alone: what it refuses, PyTorch refuses. */
#ifndef BUDDY_CORE_SYMBOLS_CONTRACTS_H
#define BUDDY_CORE_SYMBOLS_CONTRACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The way to the shape of a result, where the text does not tell it. X(NAME, function). */
#define BD_SHAPE_RULES(X)                    \
  X(OPEN, bd_shape_open)                     \
  X(BROADCAST, bd_shape_broadcast)           \
  X(REDUCE, bd_shape_reduce)                 \
  X(SAME, bd_shape_same)                     \
  X(LOSS, bd_shape_loss)                     \
  X(MATMUL, bd_shape_matmul)                 \
  X(SOLVE, bd_shape_solve)                   \
  X(CONVOLUTION, bd_shape_convolution)       \
  X(POOL, bd_shape_pool)                     \
  X(RESIZE, bd_shape_resize)                 \
  X(PAD, bd_shape_pad)                       \
  X(VIEW, bd_shape_view)                     \
  X(VIEW_DTYPE, bd_shape_view_dtype)         \
  X(UNIQUE, bd_shape_unique)                 \
  X(EXPAND, bd_shape_expand)                 \
  X(PERMUTE, bd_shape_permute)               \
  X(TRANSPOSE, bd_shape_transpose)           \
  X(SQUEEZE, bd_shape_squeeze)               \
  X(UNSQUEEZE, bd_shape_unsqueeze)           \
  X(FLATTEN, bd_shape_flatten)               \
  X(UNFLATTEN, bd_shape_unflatten)           \
  X(SELECT, bd_shape_select)                 \
  X(SLICE, bd_shape_slice)                   \
  X(DIAG, bd_shape_diag)                     \
  X(DIAG_EMBED, bd_shape_diag_embed)         \
  X(DIAGONAL, bd_shape_diagonal)             \
  X(UNFOLD, bd_shape_unfold)                 \
  X(REPEAT, bd_shape_repeat)                 \
  X(CAT, bd_shape_cat)                       \
  X(CHUNK_CAT, bd_shape_chunk_cat)           \
  X(STACK, bd_shape_stack)                   \
  X(BLOCK_DIAG, bd_shape_block_diag)         \
  X(CARTESIAN_PROD, bd_shape_cartesian_prod) \
  X(MESHGRID, bd_shape_meshgrid)             \
  X(PAIRED, bd_shape_paired)                 \
  X(DIFF, bd_shape_diff)                     \
  X(MULTI_DOT, bd_shape_multi_dot)           \
  X(KRON, bd_shape_kron)                     \
  X(TENSORDOT, bd_shape_tensordot)           \
  X(COLUMN_STACK, bd_shape_column_stack)     \
  X(EINSUM, bd_shape_einsum)                 \
  X(STFT, bd_shape_stft)                     \
  X(TRIANGLE, bd_shape_triangle)             \
  X(SPLIT, bd_shape_split)                   \
  X(ALONG, bd_shape_along)                   \
  X(TAKE_ALONG, bd_shape_take_along)         \
  X(GRADIENT, bd_shape_gradient)             \
  X(FFT, bd_shape_fft)                       \
  X(GLU, bd_shape_glu)                       \
  X(ARANGE, bd_shape_arange)                 \
  X(INDEX, bd_shape_index)

typedef enum bd_shape_rule {
#define BD_X(name, function) BD_SHAPE_##name,
  BD_SHAPE_RULES(BD_X)
#undef BD_X
} bd_shape_rule;

/* Where an argument "out_dtype" or "output_dtype" is given, that is the dtype of the result whatever the rule. */
typedef enum bd_dtype_rule {
  BD_DTYPE_UNSTATED,
  BD_DTYPE_PROMOTED,       /* of all that takes part */
  BD_DTYPE_PROMOTED_REAL,  /* the same, integers as f32: exp, div */
  BD_DTYPE_PROMOTED_FLOAT, /* the same where that is no integer; of integers it is not stated */
  BD_DTYPE_REAL,           /* the real part of the same, integers as f32: angle */
  BD_DTYPE_DISTANCE,       /* the real part of the same; of integers summed up i64: l1_loss */
  BD_DTYPE_PAIR,           /* of the first two tensors, integers as f32: cosine_embedding_loss */
  BD_DTYPE_DIFFERENCE,     /* of all that takes part, of the first tensor where "n" is 0: diff */
  BD_DTYPE_COMPLEX,        /* complex numbers of those; real ones where "return_complex" is false */
  BD_DTYPE_FIRST,          /* of the first tensor */
  BD_DTYPE_SECOND,       /* of the second tensor: type_as, what follows a loss's input backwards */
  BD_DTYPE_STATISTIC,    /* of the first tensor, but of 16 bits it may be f32: a norm's mean */
  BD_DTYPE_RUNNING_MEAN, /* the same of the tensor "running_mean": what it becomes */
  BD_DTYPE_RUNNING_VAR,  /* the same of "running_var" */
  BD_DTYPE_COUNTED,      /* i64; of the second tensor if that is f32; else f64: bincount */
  BD_DTYPE_EACH,         /* of the tensor at the result's place in the first list */
  BD_DTYPE_FIRST_OR_ARG, /* argument "dtype", else that of the first tensor */
  BD_DTYPE_SUMMED,       /* argument "dtype", else integers as i64 */
  BD_DTYPE_MAGNITUDE,    /* the real part of argument "dtype", else of the first tensor */
  BD_DTYPE_ARG,          /* argument "dtype"; without it, not stated */
  BD_DTYPE_IS_BOOL,
  BD_DTYPE_IS_TRUTH, /* bool, but of u8 u8: all, any */
  BD_DTYPE_IS_INDEX, /* i64, i32 where "out_int32" is true: searchsorted */
  BD_DTYPE_DOUBLE,   /* f64, c128 of complex numbers: float_power */
  BD_DTYPE_IS_F32,
  BD_DTYPE_IS_C32,
  BD_DTYPE_IS_I32,
  BD_DTYPE_IS_I64,
  BD_DTYPE_IS_U64
} bd_dtype_rule;

typedef struct bd_contract {
  const char *op;    /* "aten.max" or "aten.max.dim" */
  uint8_t shape;     /* bd_shape_rule */
  uint8_t dtypes[6]; /* bd_dtype_rule, of each result; the first, of all in a list */
  const char *text;  /* null: any shapes; without "->": the rule gives the shapes of the results */
} bd_contract;

/* The row of an op: by its whole name, then without what tells that it writes ("_", "_out") or that
 * it does not ("_copy"), then without the overload; else that of its kind. Null if there is none. */
BUDDY_EXPORT const bd_contract *bd_contract_find(const char *op, buddy_op_kind kind);
/* The table, for the test of it. */
BUDDY_EXPORT const bd_contract *bd_contracts(size_t *out_n);

#ifdef __cplusplus
}
#endif
#endif
