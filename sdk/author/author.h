// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/author.h: what the files of libbuddy_emit share. The contract of everything else is
 * buddy/emit.h. */
#ifndef BUDDY_SDK_AUTHOR_AUTHOR_H
#define BUDDY_SDK_AUTHOR_AUTHOR_H

#include "buddy/emit.h"

/* The operation of a spec, detached; null after a failure, which is recorded. */
MlirOperation be_create(buddy_call *call, const be_op_spec *spec);

/* A list of attributes that may be named in any order, with a null after the last. */
#define BE_ATTRIBUTES(...) ((const be_attribute[]){__VA_ARGS__, {NULL, {NULL}}})

/* dims as MLIR has them: symbolic ones become `?`. Null when memory is out. */
int64_t *be_mlir_dims(buddy_call *call, const int64_t *dims, size_t n);
/* A ranked tensor type from such dims. */
MlirType be_ranked(buddy_call *call, buddy_dtype dtype, size_t rank, const int64_t *mlir_dims);

/* 8-bit floats: both are f32 in between, whatever they are converted from or to. */
int be_is_f8(buddy_dtype dtype);
MlirValue be_f8_to_f32(const be_body *body, MlirValue value, buddy_dtype from);
MlirValue be_f32_to_f8(const be_body *body, MlirValue value, buddy_dtype to);

static inline MlirStringRef be_ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

#endif
