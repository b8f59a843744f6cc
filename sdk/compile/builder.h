// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/builder.h: making operations, one after another, at a place of the IR. */
#ifndef BUDDY_SDK_COMPILE_BUILDER_H
#define BUDDY_SDK_COMPILE_BUILDER_H

#include "mlir-c/AffineMap.h"
#include "sdk/compile/ir.h"

/* Where what is made is put: before `before`, or, where that is null, at the end of the block. */
typedef struct bd_builder {
  MlirContext context;
  MlirLocation location; /* of what is made */
  MlirBlock block;
  MlirOperation before;
} bd_builder;

/* Before the operation, at its location. */
bd_builder bd_builder_before(MlirOperation op);
/* The same, of another place of the model. */
bd_builder bd_builder_for(MlirOperation before, MlirLocation location);
bd_builder bd_builder_at_end(MlirBlock block, MlirLocation location);

MlirNamedAttribute bd_named(MlirContext context, const char *name, MlirAttribute value);

/* A block with arguments of these types. */
MlirBlock bd_block_create(MlirLocation location, const MlirType *types, intptr_t n);
/* Puts an operation that was made otherwise, and owns it; null passes through. */
MlirOperation bd_builder_put(bd_builder b, MlirOperation op);
/* An operation without regions; null when memory is out. */
MlirOperation bd_build_op(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                          const MlirType *types, size_t n_types,
                          const MlirNamedAttribute *attributes, size_t n_attributes);
/* The same with regions, each of one block, which it takes, or, where that is null, of none. */
MlirOperation bd_build_around(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                              const MlirType *types, size_t n_types,
                              const MlirNamedAttribute *attributes, size_t n_attributes,
                              const MlirBlock *bodies, size_t n_bodies);

/* scf.for, which carries n values, BD_MAX_OPERANDS at most: its body, whose arguments are the index and these, and which has no
 * end yet. */
MlirBlock bd_build_for(bd_builder b, MlirValue from, MlirValue to, MlirValue step,
                       const MlirValue *carried, intptr_t n);
/* scf.parallel over all the numbers below n, BD_MAX_LOOPS at most, in the same way. No numbers: the builder's block. */
MlirBlock bd_build_parallel(bd_builder b, const MlirValue *upper, intptr_t n);
/* linalg.generic of n_loops parallel loops: of n operands, BD_MAX_OPERANDS at most, the last is what it writes to, and
 * each has its map. Takes the body, whose arguments are like the operands. Null when memory is out. */
MlirOperation bd_build_loops(bd_builder b, intptr_t n_loops, const MlirValue *operands,
                             const MlirAffineMap *maps, intptr_t n, MlirBlock body);
/* The same where the loops that are marked reduce, of operands the last n_results of which are written to. */
MlirOperation bd_build_reductions(bd_builder b, const bool *are_reduced, intptr_t n_loops,
                                  const MlirValue *operands, const MlirAffineMap *maps, intptr_t n,
                                  intptr_t n_results, MlirBlock body);
/* Such loops that copy to all places of a tensor from those of another that the map tells: the tensor that they make; null when
 * memory is out, or either is null. */
MlirValue bd_build_gathering(bd_builder b, MlirValue from, MlirAffineMap map, MlirValue to);
/* Another operation of linalg on tensors, by its name: what it makes, which is like the last operand; null in the same way.
 * BD_MOST_NAMED attributes at most. */
enum { BD_MOST_NAMED = 4 };
MlirValue bd_build_linalg(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                          const MlirNamedAttribute *attributes, size_t n_attributes);
/* Gives a linalg.generic other loops: loop i is what order[i] was, and `change` tells all that there were by those there are. */
void bd_loops_change(MlirOperation loops, MlirAffineMap change, const int *order);
/* Gives such an operation other operands, of which the last is what it writes to, and their maps; its body has arguments
 * for them. */
void bd_loops_set_operands(MlirOperation loops, const MlirValue *operands,
                           const MlirAffineMap *maps, intptr_t n);

/* Those below return the one result: null when memory is out, or when an operand is null, so that
 * who makes several, each of the ones before it, looks at the last one alone. attribute: null for
 * none. */
MlirValue bd_build(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                   MlirType type, const char *attribute_name, MlirAttribute attribute);
/* Of one operand, and of two, without attributes; `type` is the first one's for the pair. */
MlirValue bd_build_one(bd_builder b, const char *name, MlirValue operand, MlirType type);
MlirValue bd_build_pair(bd_builder b, const char *name, MlirValue first, MlirValue second);
/* arith.cmpi or arith.cmpf, by the number of the predicate. */
MlirValue bd_build_compare(bd_builder b, const char *name, int64_t predicate, MlirValue first,
                           MlirValue second);
MlirValue bd_build_select(bd_builder b, MlirValue condition, MlirValue yes, MlirValue no);
/* arith.constant. */
MlirValue bd_build_constant(bd_builder b, MlirType type, MlirAttribute value);
MlirValue bd_build_integer(bd_builder b, MlirType type, int64_t number);
MlirValue bd_build_float(bd_builder b, MlirType type, double number);
MlirValue bd_build_index(bd_builder b, int64_t number);
MlirValue bd_build_i64(bd_builder b, int64_t number);
/* func.func of that name, which its module alone may use: takes the body, whose arguments are its own, BD_MOST_ARGUMENTS at most;
 * attributes: an array of one for each. Null when memory is out. */
enum { BD_MOST_ARGUMENTS = 66 };
MlirOperation bd_build_function(bd_builder b, const char *name, MlirBlock body,
                                MlirAttribute attributes);
/* func.call @symbol(operands), which returns nothing. No operand is null. */
buddy_code bd_build_call(bd_builder b, const char *symbol, const MlirValue *operands, size_t n);
/* cf.assert of a condition, which may be null as operands may. */
buddy_code bd_build_assert(bd_builder b, MlirValue condition, const char *message);
/* A tensor in a buffer of its own: bufferization.alloc_tensor. */
MlirValue bd_build_copy(bd_builder b, MlirValue tensor);
/* The pointer, so many bytes on. */
MlirValue bd_build_bytes_on(bd_builder b, MlirValue pointer, int32_t bytes);
/* memref.alloc, with the sizes that its type leaves open. */
MlirValue bd_build_alloc(bd_builder b, MlirType type, const MlirValue *sizes, size_t n);
/* Where a view lies in what it is one of: as many offsets as axes, or, of a memref.reinterpret_cast, one. */
typedef struct bd_slice {
  intptr_t n_offsets, rank;
  const int64_t *offsets, *sizes, *strides;
} bd_slice;
/* A view, or a slice of a tensor, by the operation of that name. operands: what it takes otherwise, then the offsets, sizes
 * and strides that are dynamic. */
MlirValue bd_build_slice(bd_builder b, const char *name, const MlirValue *operands, size_t n,
                         MlirType type, const bd_slice *slice);
/* What memref.extract_strided_metadata tells of a view: where it begins in its buffer, in elements. */
MlirValue bd_build_offset(bd_builder b, MlirValue view);
/* memref.dim or tensor.dim. */
MlirValue bd_build_dim(bd_builder b, const char *name, MlirValue of, int64_t axis);

#endif
