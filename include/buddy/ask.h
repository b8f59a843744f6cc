// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/ask.h: what rows of both tiers share: questions about the node, and graph nodes for
 * expansions. No MLIR is needed.
 *
 * A static library (sdk/author, libbuddy_kit.a) that a plugin links into itself; nothing of it is
 * part of the ABI, so it may change between releases without touching shipped plugins. The prefix
 * is be_. All functions take the buddy_call of the callback in progress ([call-thread]).
 *
 * Failing softly. A function that cannot do its work records the reason in the call and returns
 * null or 0, or what it was told to give for None (if_none), a number that the row calculates with,
 * divides by, too; every function takes null and passes it on. */
#ifndef BUDDY_ASK_H
#define BUDDY_ASK_H

#include "buddy/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The host's table; set by be_open, which a plugin names as its `open` (or calls from its own). */
extern const buddy_host *be_host;
buddy_code be_open(const buddy_host *host, void **out_state, char *why, size_t why_size);

/* The highest rank that the helpers handle. */
#define BE_MAX_RANK 16

/* ---- Asking ---------------------------------------------------------------------------------- */
/* Declines with a printf-style reason. */
buddy_code be_decline(buddy_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Records a failure, printf-style, and returns the code. The host keeps the first one. */
buddy_code be_fail(buddy_call *call, buddy_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Memory that lives as long as the call; null is recorded as a failure. n and size may be 0. */
void *be_scratch(buddy_call *call, size_t n, size_t size);
/* Argument i as the row numbers them. Never null: a NONE argument if i is out of range. */
const buddy_arg *be_arg(buddy_call *call, size_t i);
int be_is_none(buddy_call *call, size_t i);
/* The type of a tensor argument; null if argument i is no tensor. */
const buddy_tensor_type *be_arg_type(buddy_call *call, size_t i);
const buddy_tensor_type *be_result_type(buddy_call *call, size_t i);
const buddy_tensor_type *be_value_type(buddy_call *call, const buddy_value *value);
/* An integer that is known before the program runs; declines a symbol of the graph. */
int64_t be_int(buddy_call *call, size_t i, int64_t if_none);
/* A size, an index or a step, which may be a symbol of the graph: no number to calculate with, but
 * for be_dim, dims of types, be_index and bk_index. */
int64_t be_size(buddy_call *call, size_t i, int64_t if_none);
double be_float(buddy_call *call, size_t i, double if_none); /* takes INT, FLOAT and BOOL */
int be_bool(buddy_call *call, size_t i);
/* Element k of an int list; a list of one element stands for all, an empty or None list gives
 * if_none. */
int64_t be_int_at(buddy_call *call, size_t i, size_t k, int64_t if_none);
int64_t be_size_at(buddy_call *call, size_t i, size_t k, int64_t if_none);
/* A dim or axis argument made non-negative for `rank`. */
int64_t be_axis(buddy_call *call, size_t i, uint32_t rank, int64_t if_none);
/* The axes of a reduction as a bit set: None or empty means all. */
uint64_t be_axes(buddy_call *call, size_t i, uint32_t rank);
int be_is_static(const buddy_tensor_type *type);
int be_is_float(buddy_dtype dtype);
int be_is_complex(buddy_dtype dtype);
size_t be_bytes(buddy_dtype dtype);    /* of one number */
int be_is_unsigned(buddy_dtype dtype); /* u8 … u64 and bool */
int be_same_dims(const buddy_tensor_type *a, const buddy_tensor_type *b);
/* The number of elements; symbolic if a dim is. */
int64_t be_n_elements(buddy_call *call, const buddy_tensor_type *type);
/* A type in the call's scratch. dims are copied. */
const buddy_tensor_type *be_type(buddy_call *call, buddy_dtype dtype, uint32_t rank,
                                 const int64_t *dims);
const buddy_tensor_type *be_with_dtype(buddy_call *call, const buddy_tensor_type *type,
                                       buddy_dtype dtype);
/* Arithmetic on dims, folded. */
int64_t be_dim(buddy_call *call, buddy_dim_op op, int64_t a, int64_t b);

/* ---- Expanding: graph nodes before the one being expanded ------------------------------- */
buddy_named_arg be_t(const char *name, const buddy_value *value); /* null value: None */
buddy_named_arg be_i(const char *name, int64_t value);
buddy_named_arg be_f(const char *name, double value);
buddy_named_arg be_b(const char *name, int value);
buddy_named_arg be_is(const char *name, const int64_t *values, size_t n);
buddy_named_arg be_d(const char *name, buddy_dtype dtype);
buddy_named_arg be_s(const char *name, const char *text);
buddy_named_arg be_ts(const char *name, const buddy_value *const *values, size_t n);
/* Passes argument i of the row on under another name. */
buddy_named_arg be_pass(buddy_call *call, const char *name, size_t i);
/* One node with one result; null type: inferred. The arguments end with a null name, which BE_NODE
 * adds: BE_NODE(call, "aten.mul.Tensor", NULL, be_t("self", a), be_t("other", b)) */
const buddy_value *be_node(buddy_call *call, const char *op, const buddy_tensor_type *type,
                           const buddy_named_arg *args);
#define BE_NODE(call, op, type, ...) \
  be_node((call), (op), (type), (const buddy_named_arg[]){__VA_ARGS__, {NULL, {0, 0, 0, {0}}}})
/* Argument i as a tensor of the graph; null if it is not one. */
const buddy_value *be_arg_value(buddy_call *call, size_t i);
/* Ends an expansion: result i is `value`. */
buddy_code be_replace(buddy_call *call, size_t i, const buddy_value *value);

#ifdef __cplusplus
}
#endif
#endif
