// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/values.h: chapters 2 and 3 of the plugin ABI (registry.h, which includes this): the codes that
 * functions return, and the values that cross the boundary. Sources include registry.h. */
#ifndef BUDDY_VALUES_H
#define BUDDY_VALUES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BUDDY_EXPORT __attribute__((visibility("default")))
#else
#define BUDDY_EXPORT
#endif

/* ---- 2. Codes -----------------------------------------------------------------------------------
 * One int32_t everywhere, never a C enum across the boundary. X(name, value, when to choose it). */
#define BUDDY_CODES(X)                                                                      \
  X(OK, 0, "success")                                                                       \
  X(DECLINED, 1, "not mine: try the next row; always with a reason")                        \
  X(INVALID_ARGUMENT, 2, "the caller's input breaks a rule of this interface")              \
  X(NOT_FOUND, 3, "a named thing does not exist")                                           \
  X(UNSUPPORTED, 4, "well-formed, but beyond what buddy or any registry can do")            \
  X(INCOMPATIBLE, 5, "another ABI, LLVM, schema or sanitizer")                              \
  X(OUT_OF_MEMORY, 6, "an allocation failed")                                               \
  X(PERMISSION, 7, "path rules, mode bits or a setuid process forbid it")                   \
  X(CORRUPT, 8, "foreign bytes that contradict themselves or their format")                 \
  X(CYCLE, 9, "dependencies or expansions that lead back to themselves")                    \
  X(VERIFY_FAILED, 10, "what was built is not well-formed: graph or MLIR verifier said no") \
  X(LIMIT, 11, "beyond a stated limit")                                                     \
  X(IO, 12, "the operating system could not read or write")                                 \
  X(INTERNAL, 13, "a defect of buddy or of a plugin, never of the user's input")
typedef int32_t buddy_code;
#define BUDDY_OK ((buddy_code)0)
#define BUDDY_DECLINED ((buddy_code)1)
#define BUDDY_INVALID_ARGUMENT ((buddy_code)2)
#define BUDDY_NOT_FOUND ((buddy_code)3)
#define BUDDY_UNSUPPORTED ((buddy_code)4)
#define BUDDY_INCOMPATIBLE ((buddy_code)5)
#define BUDDY_OUT_OF_MEMORY ((buddy_code)6)
#define BUDDY_PERMISSION ((buddy_code)7)
#define BUDDY_CORRUPT ((buddy_code)8)
#define BUDDY_CYCLE ((buddy_code)9)
#define BUDDY_VERIFY_FAILED ((buddy_code)10)
#define BUDDY_LIMIT ((buddy_code)11)
#define BUDDY_IO ((buddy_code)12)
#define BUDDY_INTERNAL ((buddy_code)13)

/* ---- 3. Values ------------------------------------------------------------------------------- */

/* A string that is not NUL-terminated. Field comments name who owns the bytes. */
typedef struct buddy_sv {
  const char *data;
  size_t size;
} buddy_sv;

/* Element types. X(name, number, text, bytes). The number is stable and below 32, so that a set of
 * dtypes is a uint32_t. Text is the short form of messages and of the graph's text form. */
#define BUDDY_DTYPES(X)              \
  X(BOOL, 1, "i1", 1)                \
  X(U8, 2, "u8", 1)                  \
  X(I8, 3, "i8", 1)                  \
  X(I16, 4, "i16", 2)                \
  X(I32, 5, "i32", 4)                \
  X(I64, 6, "i64", 8)                \
  X(U16, 7, "u16", 2)                \
  X(U32, 8, "u32", 4)                \
  X(U64, 9, "u64", 8)                \
  X(F16, 10, "f16", 2)               \
  X(BF16, 11, "bf16", 2)             \
  X(F32, 12, "f32", 4)               \
  X(F64, 13, "f64", 8)               \
  X(C32, 14, "c32", 4)               \
  X(C64, 15, "c64", 8)               \
  X(C128, 16, "c128", 16)            \
  X(F8E4M3FN, 17, "f8e4m3fn", 1)     \
  X(F8E5M2, 18, "f8e5m2", 1)         \
  X(F8E4M3FNUZ, 19, "f8e4m3fnuz", 1) \
  X(F8E5M2FNUZ, 20, "f8e5m2fnuz", 1) \
  X(F8E8M0FNU, 21, "f8e8m0fnu", 1)
typedef int32_t buddy_dtype; /* 0: none */
#define BUDDY_DTYPE_NONE ((buddy_dtype)0)
#define BUDDY_BOOL ((buddy_dtype)1)
#define BUDDY_U8 ((buddy_dtype)2)
#define BUDDY_I8 ((buddy_dtype)3)
#define BUDDY_I16 ((buddy_dtype)4)
#define BUDDY_I32 ((buddy_dtype)5)
#define BUDDY_I64 ((buddy_dtype)6)
#define BUDDY_U16 ((buddy_dtype)7)
#define BUDDY_U32 ((buddy_dtype)8)
#define BUDDY_U64 ((buddy_dtype)9)
#define BUDDY_F16 ((buddy_dtype)10)
#define BUDDY_BF16 ((buddy_dtype)11)
#define BUDDY_F32 ((buddy_dtype)12)
#define BUDDY_F64 ((buddy_dtype)13)
#define BUDDY_C32 ((buddy_dtype)14)  /* complex of two f16 */
#define BUDDY_C64 ((buddy_dtype)15)  /* complex of two f32 */
#define BUDDY_C128 ((buddy_dtype)16) /* complex of two f64 */
#define BUDDY_F8E4M3FN ((buddy_dtype)17)
#define BUDDY_F8E5M2 ((buddy_dtype)18)
#define BUDDY_F8E4M3FNUZ ((buddy_dtype)19)
#define BUDDY_F8E5M2FNUZ ((buddy_dtype)20)
#define BUDDY_F8E8M0FNU ((buddy_dtype)21) /* 2^(code - 127): no sign, no zero; 0xff is NaN */

/* Sets of dtypes, for the masks of a row. */
#define BUDDY_DTYPE_BIT(dtype) (1u << (uint32_t)(dtype))
#define BUDDY_ANY_DTYPE 0u
#define BUDDY_FLOATS                                                                       \
  (BUDDY_DTYPE_BIT(BUDDY_F16) | BUDDY_DTYPE_BIT(BUDDY_BF16) | BUDDY_DTYPE_BIT(BUDDY_F32) | \
   BUDDY_DTYPE_BIT(BUDDY_F64))
#define BUDDY_SIGNED                                                                     \
  (BUDDY_DTYPE_BIT(BUDDY_I8) | BUDDY_DTYPE_BIT(BUDDY_I16) | BUDDY_DTYPE_BIT(BUDDY_I32) | \
   BUDDY_DTYPE_BIT(BUDDY_I64))
#define BUDDY_UNSIGNED                                                                   \
  (BUDDY_DTYPE_BIT(BUDDY_U8) | BUDDY_DTYPE_BIT(BUDDY_U16) | BUDDY_DTYPE_BIT(BUDDY_U32) | \
   BUDDY_DTYPE_BIT(BUDDY_U64))
#define BUDDY_INTS (BUDDY_SIGNED | BUDDY_UNSIGNED)
#define BUDDY_BOOLS BUDDY_DTYPE_BIT(BUDDY_BOOL)
#define BUDDY_COMPLEXES \
  (BUDDY_DTYPE_BIT(BUDDY_C32) | BUDDY_DTYPE_BIT(BUDDY_C64) | BUDDY_DTYPE_BIT(BUDDY_C128))

/* A dim, and any integer argument, is an int64_t: a number, or a symbolic expression over the shape
 * symbols of the graph, which occupies the 2^31 lowest values. Expressions are interned in normal
 * form: equal int64_t, equal dims. */
#define BUDDY_IS_SYMBOLIC(dim) ((int64_t)(dim) < INT64_MIN + (int64_t)0x80000000)

/* A ranked tensor. Never grows. */
typedef struct buddy_tensor_type {
  buddy_dtype dtype;
  uint32_t rank;
  const int64_t *dims; /* rank of them; outermost first; each may be symbolic */
} buddy_tensor_type;

typedef struct buddy_value buddy_value; /* a tensor of the graph: one result of one node */
typedef struct buddy_graph buddy_graph; /* a sub-graph, as an argument of control flow */
typedef struct buddy_call buddy_call;   /* one question about one node; dies with the callback */

/* Arguments of a node, after the importer's normalisation: every argument of the op's schema is
 * present, defaults filled in. */
typedef int32_t buddy_arg_kind;
#define BUDDY_ARG_NONE ((buddy_arg_kind)0)     /* None */
#define BUDDY_ARG_TENSOR ((buddy_arg_kind)1)   /* .tensor */
#define BUDDY_ARG_TENSORS ((buddy_arg_kind)2)  /* .tensors, .n; an element may be null: None */
#define BUDDY_ARG_INT ((buddy_arg_kind)3)      /* .i; may be symbolic */
#define BUDDY_ARG_INTS ((buddy_arg_kind)4)     /* .ints, .n; each may be symbolic */
#define BUDDY_ARG_FLOAT ((buddy_arg_kind)5)    /* .f */
#define BUDDY_ARG_FLOATS ((buddy_arg_kind)6)   /* .floats, .n */
#define BUDDY_ARG_BOOL ((buddy_arg_kind)7)     /* .i: 0 or 1 */
#define BUDDY_ARG_BOOLS ((buddy_arg_kind)8)    /* .ints, .n: each 0 or 1 */
#define BUDDY_ARG_STRING ((buddy_arg_kind)9)   /* .string, .n bytes, NUL-terminated as well */
#define BUDDY_ARG_STRINGS ((buddy_arg_kind)10) /* .strings, .n, each NUL-terminated */
#define BUDDY_ARG_DTYPE ((buddy_arg_kind)11)   /* .i: a buddy_dtype */
#define BUDDY_ARG_DEVICE ((buddy_arg_kind)12)  /* .string: "cpu", "cuda:0" */
#define BUDDY_ARG_LAYOUT ((buddy_arg_kind)13)  /* .string: "strided", … */
/* .string: "contiguous", "preserve", "channels_last", … */
#define BUDDY_ARG_MEMORY_FORMAT ((buddy_arg_kind)14)
/* .floats[0] real, .floats[1] imaginary; .n is 2 */
#define BUDDY_ARG_COMPLEX ((buddy_arg_kind)15)
#define BUDDY_ARG_GRAPH ((buddy_arg_kind)16) /* .graph */

/* One argument. Never grows. Arrays are borrowed from whoever made the struct; callees copy what
 * they keep. */
typedef struct buddy_arg {
  buddy_arg_kind kind;
  uint32_t reserved; /* 0 */
  size_t n;          /* elements of a list, bytes of a string */
  union {
    int64_t i;
    double f;
    const buddy_value *tensor;
    const buddy_value *const *tensors;
    const int64_t *ints;
    const double *floats;
    const char *string;
    const char *const *strings;
    const buddy_graph *graph;
  } as;
} buddy_arg;

/* An argument by its schema name, for building nodes. */
typedef struct buddy_named_arg {
  const char *name;
  buddy_arg arg;
} buddy_named_arg;

/* Arithmetic on dims, for host->dim. */
typedef int32_t buddy_dim_op;
#define BUDDY_DIM_ADD ((buddy_dim_op)0)
#define BUDDY_DIM_SUB ((buddy_dim_op)1)
#define BUDDY_DIM_MUL ((buddy_dim_op)2)
#define BUDDY_DIM_FLOORDIV ((buddy_dim_op)3)
#define BUDDY_DIM_MOD ((buddy_dim_op)4)
#define BUDDY_DIM_MAX ((buddy_dim_op)5)
#define BUDDY_DIM_MIN ((buddy_dim_op)6)

/* Handles of the IR under construction, for the portable tier: one pointer
 * each, null when invalid. */
typedef struct buddy_ir_type {
  const void *ptr;
} buddy_ir_type;
typedef struct buddy_ir_attr {
  const void *ptr;
} buddy_ir_attr;
typedef struct buddy_ir_value {
  const void *ptr;
} buddy_ir_value;
typedef struct buddy_ir_named_attr {
  buddy_sv name;
  buddy_ir_attr attr;
} buddy_ir_named_attr;

#ifdef __cplusplus
}
#endif
#endif
