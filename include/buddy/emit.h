// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/emit.h: what nearly every row of the native tier needs, so that a row is a few lines:
 * arguments as IR values, constants, casts, broadcasting, and a builder for linalg.generic.
 *
 * A static library (sdk/author, libbuddy_emit.a) that a plugin links into itself; nothing of it is
 * part of the ABI, so it may change between releases without touching shipped plugins. The prefix
 * is be_. All functions take the buddy_call of an emit() in progress ([call-thread]); what match()
 * and expand() need as well is in buddy/ask.h.
 *
 * Failing softly. A function that cannot do its work records the reason in the call and returns a
 * null handle; every function takes null handles and passes them on. So a row builds its ops
 * without checks and ends with `return be_result(call, 0, value)`, which reports the first
 * failure. */
#ifndef BUDDY_EMIT_H
#define BUDDY_EMIT_H

#include "buddy/ask.h"
#include "buddy/mlir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Values and constants -------------------------------------------------------------------- */
/* A tensor argument as an IR value. */
MlirValue be_tensor(buddy_call *call, size_t i);
/* A tensor or number argument as a tensor of `dtype`: a number becomes a 0-d constant. */
MlirValue be_operand(buddy_call *call, size_t i, buddy_dtype dtype);
/* Tensor constants with every element the same. The int form is exact for 64 bits. */
MlirValue be_splat(buddy_call *call, const buddy_tensor_type *type, double value);
MlirValue be_splat_int(buddy_call *call, const buddy_tensor_type *type, int64_t value);
/* A 1-d integer tensor constant. */
MlirValue be_ints(buddy_call *call, buddy_dtype dtype, const int64_t *values, size_t n);
/* Scalars: arith.constant of an element type (complex: the real part), and index: a number, or a dim that
 * may be symbolic, which is what the symbols make of it in the run. */
MlirValue be_scalar(buddy_call *call, buddy_dtype dtype, double value);
MlirValue be_scalar_int(buddy_call *call, buddy_dtype dtype, int64_t value);
MlirValue be_index(buddy_call *call, int64_t value);
/* tensor.empty of a type. */
MlirValue be_empty(buddy_call *call, const buddy_tensor_type *type);
/* linalg.fill of an empty tensor by a scalar IR value. */
MlirValue be_filled(buddy_call *call, const buddy_tensor_type *type, MlirValue scalar);

/* ---- Attributes ------------------------------------------------------------------------------ */
MlirAttribute be_attr(buddy_call *call, const char *text); /* parsed; for rare ones */
MlirAttribute be_attr_i64(buddy_call *call, int64_t value);
MlirAttribute be_attr_i32(buddy_call *call, int32_t value);
MlirAttribute be_attr_bool(buddy_call *call, int value);
MlirAttribute be_attr_float(buddy_call *call, buddy_dtype dtype, double value);
MlirAttribute be_attr_i64s(buddy_call *call, const int64_t *values, size_t n); /* array<i64: …> */
MlirAttribute be_attr_string(buddy_call *call, const char *text);
MlirAttribute be_attr_type(buddy_call *call, MlirType type);
MlirAttribute be_attr_dense_ints(buddy_call *call, buddy_dtype dtype, const int64_t *values,
                                 size_t n);

/* ---- Ops ------------------------------------------------------------------------------------- */
typedef struct be_attribute {
  const char *name; /* null ends a list */
  MlirAttribute value;
} be_attribute;
typedef struct be_op_spec {
  const char *name; /* "tosa.add" */
  const MlirValue *operands;
  size_t n_operands;
  const MlirType *types; /* of the results */
  size_t n_types;
  const be_attribute *attributes; /* ended by a null name; may be null */
  MlirRegion region; /* owned by the op; null: none, or the builtin body of a named op of linalg */
} be_op_spec;
MlirOperation be_build(buddy_call *call, const be_op_spec *spec);
/* The common form: one result of a ranked tensor type. */
MlirValue be_op(buddy_call *call, const char *name, const buddy_tensor_type *type,
                const MlirValue *operands, size_t n_operands, const be_attribute *attributes);
#define BE_OP(call, name, type, ...)                              \
  be_op((call), (name), (type), (const MlirValue[]){__VA_ARGS__}, \
        sizeof((const MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue), NULL)
#define BE_OP_ATTRS(call, name, type, attrs, ...)                 \
  be_op((call), (name), (type), (const MlirValue[]){__VA_ARGS__}, \
        sizeof((const MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue), (attrs))

/* ---- Shape changes (tensor dialect; static and symbolic dims) -------------------------------- */
/* Any reshape with the same number of elements, by collapse/expand where the dims allow, else
 * tensor.reshape. */
MlirValue be_reshape(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                     const buddy_tensor_type *to);
/* linalg.transpose: result dim k is dim perm[k] of value. */
MlirValue be_transpose(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                       const int64_t *perm);
/* Materialised broadcast, PyTorch's rule (from the right). Null and a reason if `from` does not
 * broadcast to `to`. */
MlirValue be_broadcast(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                       const buddy_tensor_type *to);

/* ---- Scalars inside regions ------------------------------------------------------------------ */
/* A builder for the body of a region: where ops go, and the call that failures are recorded in. */
typedef struct be_body {
  buddy_call *call;
  MlirBlock block;
} be_body;
/* One op with one result of `type` inside a body; the type of operand 0 if `type` is null. */
MlirValue be_in(const be_body *body, const char *name, MlirType type, const MlirValue *operands,
                size_t n_operands, const be_attribute *attributes);
#define BE_IN(body, name, type, ...)                              \
  be_in((body), (name), (type), (const MlirValue[]){__VA_ARGS__}, \
        sizeof((const MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue), NULL)
/* The general form of be_in, for ops with several results or with a region of their own. */
MlirOperation be_in_build(const be_body *body, const be_op_spec *spec);
MlirValue be_in_scalar(const be_body *body, buddy_dtype dtype, double value);
MlirValue be_in_scalar_int(const be_body *body, buddy_dtype dtype, int64_t value);
MlirValue be_in_index(const be_body *body, int64_t value);
/* PyTorch's conversion between any two dtypes: truncation towards zero, saturation never, non-zero
 * to true. */
MlirValue be_in_cast(const be_body *body, MlirValue value, buddy_dtype from, buddy_dtype to);
/* Comparison as i1. predicate: "eq", "ne", "lt", "le", "gt", "ge"; ordered for floats, but "ne" is
 * true on NaN. */
MlirValue be_in_compare(const be_body *body, const char *predicate, MlirValue a, MlirValue b,
                        buddy_dtype dtype);
MlirValue be_in_select(const be_body *body, MlirValue condition, MlirValue if_true,
                       MlirValue if_false);
/* The angle of (x, y), as C's atan2 has it, of floats: also of two zeros, of which MLIR (22) folds
 * math.atan2 into NaN. */
MlirValue be_in_atan2(const be_body *body, MlirValue y, MlirValue x, buddy_dtype dtype);

/* ---- linalg.generic -----------------------------------------------------------------------------
 * Loops over `rank` dims; a map gives, per operand dim, the loop it runs over, or BE_BROADCAST for
 * a dim of size 1 (index 0). The body gets the scalars of inputs, then of the output (its present
 * value), and returns the yielded one. */
#define BE_BROADCAST (-1)
typedef struct be_map {
  int8_t loops[BE_MAX_RANK]; /* one per dim of the operand */
} be_map;
typedef MlirValue (*be_body_fn)(const be_body *body, const MlirValue *scalars, void *user);
typedef struct be_generic {
  uint32_t n_loops;
  uint32_t reductions; /* bit set of the loops that reduce; the others are parallel */
  size_t n_inputs;
  const MlirValue *inputs;
  const buddy_tensor_type *const *input_types;
  const be_map *input_maps;
  MlirValue init; /* the output's initial tensor (be_empty, be_filled) */
  const buddy_tensor_type *output_type;
  be_map output_map;
  be_body_fn body;
  void *user;
} be_generic;
MlirValue be_linalg_generic(buddy_call *call, const be_generic *spec);
/* The same inside of a body, of a loop for example. */
MlirValue be_in_generic(const be_body *where, const be_generic *spec);
/* The identity map, and the map by which `from` broadcasts over the loops of `to`. */
be_map be_map_identity(uint32_t rank);
be_map be_map_broadcast(const buddy_tensor_type *from, const buddy_tensor_type *to);
/* linalg.index inside a body. */
MlirValue be_in_loop(const be_body *body, uint32_t loop);
/* Elementwise over broadcast operands: one generic whose loops are those of `to`. */
MlirValue be_elementwise(buddy_call *call, const buddy_tensor_type *to, const MlirValue *inputs,
                         const buddy_tensor_type *const *input_types, size_t n_inputs,
                         be_body_fn body, void *user);

/* ---- Checks of the run ----------------------------------------------------------------------- */
/* cf.assert: the run ends with the message, the node and the user's line unless the i1 holds. */
void be_assert(buddy_call *call, MlirValue condition, const char *message);

/* ---- Ending ---------------------------------------------------------------------------------- */
/* Sets result i and returns the call's outcome: BUDDY_OK, or the first failure that anything above
 * recorded. */
buddy_code be_result(buddy_call *call, size_t i, MlirValue value);

/* ---- Older names, for the sources that have them ----------------------------------------------- */
static inline MlirValue be_dim_value(buddy_call *call, int64_t dim) { return be_index(call, dim); }

#ifdef __cplusplus
}
#endif
#endif
