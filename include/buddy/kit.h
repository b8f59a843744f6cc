// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/kit.h: what rows of the portable tier need to emit IR with host services alone: values,
 * constants, ops, loops over elements, reductions, and calls of functions that the registry brings.
 * One plugin binary that is built with it serves hosts of any LLVM.
 *
 * Like buddy/ask.h a static library (libbuddy_kit.a) that a plugin links into itself, and no part
 * of the ABI. The prefix is bk_. All functions take the buddy_call of an emit() in progress
 * ([call-thread]) and fail softly: a null handle, with the reason kept in the call; null handles
 * are passed on. So a row builds without checks and ends with `return bk_result(call, 0, value)`.
 *
 * One vocabulary with the native tier's buddy/emit.h: bk_x takes what be_x takes, and means what it
 * means, on the handles of the other tier. Two prefixes they have since C gives a name one type, and a
 * source may use both: MlirValue is a type of the LLVM that a native file is tied to, and
 * buddy_ir_value of none. What host services cannot take is text here: attributes (bk_attr formats
 * the text that be_attr takes) and the body of bk_elementwise, which be_elementwise asks of a function.
 *
 * The registry names the dialects of what it emits, and for what these functions emit: arith for
 * constants; linalg, tensor and arith for loops; arith, bufferization, func and memref for
 * calls. */
#ifndef BUDDY_KIT_H
#define BUDDY_KIT_H

#include "buddy/ask.h"
#include "buddy/extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Values and constants -------------------------------------------------------------------- */
/* A tensor argument. */
buddy_ir_value bk_tensor(buddy_call *call, size_t i);
/* A tensor or number argument; a number becomes a 0-d constant of `dtype`. */
buddy_ir_value bk_operand(buddy_call *call, size_t i, buddy_dtype dtype);
/* The type of what bk_operand gives. */
const buddy_tensor_type *bk_operand_type(buddy_call *call, size_t i, buddy_dtype dtype);
/* A tensor whose elements all have one value; dims may be symbolic. Complex: the real part. */
buddy_ir_value bk_splat(buddy_call *call, const buddy_tensor_type *type, double value);
/* A tensor from its bytes, row-major; static dims. */
buddy_ir_value bk_constant(buddy_call *call, const buddy_tensor_type *type, const void *bytes,
                           size_t n_bytes);
/* An index: a number, or a dim that may be symbolic, which is what the symbols make of it in the run. */
buddy_ir_value bk_index(buddy_call *call, int64_t value);

/* ---- Ops ------------------------------------------------------------------------------------- */
typedef struct bk_attribute {
  const char *name; /* null ends a list */
  buddy_ir_attr value;
} bk_attribute;
/* An attribute from its text, printf-style: bk_attr(call, "array<i64: %d>", 3). */
buddy_ir_attr bk_attr(buddy_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* One op with one result; attributes end with a null name, or are null. */
buddy_ir_value bk_op(buddy_call *call, const char *name, const buddy_tensor_type *type,
                     const buddy_ir_value *operands, size_t n_operands,
                     const bk_attribute *attributes);
#define BK_OP(call, name, type, ...)                                   \
  bk_op((call), (name), (type), (const buddy_ir_value[]){__VA_ARGS__}, \
        sizeof((const buddy_ir_value[]){__VA_ARGS__}) / sizeof(buddy_ir_value), NULL)

/* ---- Text ------------------------------------------------------------------------------------ */
/* Printf into memory of the call. Null when memory is out. */
char *bk_format(buddy_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "f32", "i8" for u8, "complex<f32>": the element type of a dtype. "?" for a number that is none.
 * Static. */
const char *bk_dtype_text(buddy_dtype dtype);
/* "tensor<2x?xf32>", in memory of the call. */
const char *bk_type_text(buddy_call *call, const buddy_tensor_type *type);
/* A number of a dtype as MLIR spells it, infinities and NaN included: "1.5e+00", "-3", "true". */
const char *bk_number_text(buddy_call *call, buddy_dtype dtype, double value);
/* A function as text (buddy.text/1 in buddy/extensions.h) with one result. */
buddy_ir_value bk_text(buddy_call *call, const char *text, const buddy_ir_value *operands,
                       size_t n_operands);

/* ---- Loops ----------------------------------------------------------------------------------- */
/* One tensor going into a loop. */
typedef struct bk_input {
  buddy_ir_value value;
  const buddy_tensor_type *type; /* broadcasts to the result by PyTorch's rule */
} bk_input;
/* linalg.generic over broadcast operands. `body` is text over the scalars %in0, %in1, … and ends
 * with linalg.yield:
 *
 *   "%r = arith.addf %in0, %in1 : f32\n linalg.yield %r : f32" */
buddy_ir_value bk_elementwise(buddy_call *call, const buddy_tensor_type *to, const bk_input *inputs,
                              size_t n_inputs, const char *body);
/* Reduces over the axes of the bit set `axes`; `to` is the result, with or without the reduced
 * dims. It starts from `init` (text of a number of to's dtype), and `body` combines %in0 with what
 * there is so far, %acc, and yields the new one. */
buddy_ir_value bk_reduce(buddy_call *call, const buddy_tensor_type *to, bk_input input,
                         uint64_t axes, const char *init, const char *body);

/* ---- Calls of functions that the registry brings (buddy.runtime/1) --------------------------- */
/* How a tensor comes to such a function. sizes and strides follow, rank of each, in elements. */
typedef struct bk_memref {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t sizes_and_strides[];
} bk_memref;
typedef struct bk_runtime_tensor {
  int64_t rank;
  bk_memref *memref;
} bk_runtime_tensor;
static inline int64_t bk_runtime_size(const bk_runtime_tensor *t, int64_t d) {
  return t->memref->sizes_and_strides[d];
}
static inline int64_t bk_runtime_stride(const bk_runtime_tensor *t, int64_t d) {
  return t->memref->sizes_and_strides[t->rank + d];
}

/* Calls void symbol(const bk_runtime_tensor *inputs…, const bk_runtime_tensor *outputs…, int64_t
 * ints…, double floats…); the buddy.runtime/1 table lists it as "_mlir_ciface_<symbol>". Inputs may
 * have any strides and are not written to; outputs are new, row-major and contiguous. */
typedef struct bk_runtime_call {
  const char *symbol;
  const bk_input *inputs;
  size_t n_inputs;
  const buddy_tensor_type *const *outputs;
  size_t n_outputs;
  const int64_t *ints;
  size_t n_ints;
  const double *floats;
  size_t n_floats;
  uint64_t pixels; /* BUDDY_CALL_PIXELS of inputs, then outputs; such outputs have any strides */
  uint64_t keeps;  /* BUDDY_CALL_KEEPS; if not 0, `int64_t slot, const buddy_keeper *` follow */
  int effects; /* BUDDY_CALL_EFFECTS: the function returns int64_t, 0 or what buddy_run.fail gave;
                      the registry names the dialect cf, too */
} bk_runtime_call;
buddy_code bk_call(buddy_call *call, const bk_runtime_call *spec, buddy_ir_value *out_results);

/* ---- Ending ---------------------------------------------------------------------------------- */
/* Sets result i; the call's outcome: BUDDY_OK, or the first failure that anything above
 * recorded. */
buddy_code bk_result(buddy_call *call, size_t i, buddy_ir_value value);

/* ---- Older names, for the sources that have them ----------------------------------------------- */
static inline int64_t bk_size(const bk_runtime_tensor *t, int64_t d) {
  return bk_runtime_size(t, d);
}
static inline int64_t bk_stride(const bk_runtime_tensor *t, int64_t d) {
  return bk_runtime_stride(t, d);
}
static inline buddy_ir_value bk_dim(buddy_call *call, int64_t dim) { return bk_index(call, dim); }

#ifdef __cplusplus
}
#endif
#endif
