// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/structured.h: linalg operations on buffers, read into plain arrays.
 *
 * A linalg operation is a nest of loops, one per iterator, around a body; each operand is read or
 * written at places that an affine map gives from the loops' indices. Here only operands matter
 * that are read at plain loop indices (projected permutations): for those, `axis` tells which axis
 * of the operand a loop walks along. */
#ifndef BUDDY_SDK_COMPILE_STRUCTURED_H
#define BUDDY_SDK_COMPILE_STRUCTURED_H

#include <stdbool.h>

#include "mlir-c/AffineMap.h"
#include "sdk/compile/ir.h"

#define BD_MAX_LOOPS 16
#define BD_MAX_OPERANDS 32

typedef struct bd_operand {
  MlirValue value;
  MlirType type;                 /* memref, or the type of a scalar */
  int64_t rank;                  /* of the memref; -1: a scalar */
  bool is_plain;                 /* the map is a projected permutation */
  int axis[BD_MAX_LOOPS];        /* if plain: the axis that loop i walks along; -1: none */
  int64_t strides[BD_MAX_LOOPS]; /* elements from round to round of loop i, if it walks along an
                                    axis; INT64_MIN: not known now */
} bd_operand;

typedef struct bd_structured {
  MlirOperation op;
  int n_loops, n_operands, n_inputs; /* operands: inputs, then outputs */
  int is_parallel[BD_MAX_LOOPS];
  int64_t sizes[BD_MAX_LOOPS]; /* -1: not known now, or no plain operand tells */
  bd_operand operands[BD_MAX_OPERANDS];
} bd_structured;

/* False if it is not a linalg operation on buffers within the limits above. */
int bd_structured_read(MlirOperation op, bd_structured *out);
/* Where the operand is read or written, from the loops' indices; of operations that have maps. */
MlirAffineMap bd_map_of(MlirOperation op, intptr_t operand);
MlirAffineMap bd_structured_map(const bd_structured *s, int operand);
/* The axis along which a loop walks by steps of one; BD_AXIS_NONE; or BD_AXIS_TANGLED: otherwise. */
enum { BD_AXIS_NONE = -1, BD_AXIS_TANGLED = -2 };
int bd_axis_along(MlirAffineMap map, intptr_t loop);
/* One result, no element of which depends on another round. */
int bd_structured_is_parallel(const bd_structured *s);
/* True for what the body of a loop has, and for numbers from wherever. */
bool bd_is_of_body(MlirValue value, MlirBlock body);
/* The strides, one per axis, and the offset of a memref; false if it has none. Unknown ones are
 * INT64_MIN. */
bool bd_memref_layout(MlirType type, int64_t *strides, int64_t *offset);
/* Its strides; false for more than BD_MAX_RANK axes, too. */
int bd_memref_strides(MlirType type, int64_t *strides);
/* Of a memref or a tensor of known sizes. */
int64_t bd_count_elements(MlirType type);
/* Of one element in memory; 0 for types that have no such layout. */
size_t bd_type_bytes(MlirType element);
/* True for row-major memrefs without gaps. */
int bd_memref_is_dense(MlirType type);
/* True for types of which one word says all: dense memrefs of known sizes, and what is no
 * memref. */
int bd_type_is_bare(MlirType type);

#endif
