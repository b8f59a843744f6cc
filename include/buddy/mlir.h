// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/mlir.h: the native tier: what rows that call the MLIR C API get from the host. Functions of
 * libbuddy_mlir.
 *
 * All take the buddy_call of an emit() in progress, on its thread; they fail softly: a null handle,
 * and the reason is kept in the call. Handles die with the call. A null handle must never reach the
 * MLIR C API, which does not check; buddy_mlir_append checks for you. */
#ifndef BUDDY_MLIR_H
#define BUDDY_MLIR_H

#include "buddy/registry.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The LLVM this header was compiled against, for BUDDY_REGISTRY's llvm. */
#include "llvm/Config/llvm-config.h"
#define BUDDY_LLVM BUDDY_VERSION(LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR)

BUDDY_EXPORT MlirContext buddy_mlir_context(const buddy_call *call);
BUDDY_EXPORT MlirLocation buddy_mlir_location(const buddy_call *call);
/* The call's own detached block: what is appended to it is verified, then spliced into the
 * function. */
BUDDY_EXPORT MlirBlock buddy_mlir_block(const buddy_call *call);
/* The IR value that stands for a value of the graph. */
BUDDY_EXPORT MlirValue buddy_mlir_value(buddy_call *call, const buddy_value *value);
/* Signless integer, float or complex element type of a dtype; unsigned dtypes are signless here,
 * and rows choose unsigned ops. */
BUDDY_EXPORT MlirType buddy_mlir_element_type(buddy_call *call, buddy_dtype dtype);
/* tensor<2x?xf32>: symbolic dims become `?`. */
BUDDY_EXPORT MlirType buddy_mlir_tensor_type(buddy_call *call, const buddy_tensor_type *type);
/* A dim as a value of type index: a constant, or computed once per function. */
BUDDY_EXPORT MlirValue buddy_mlir_dim(buddy_call *call, int64_t dim);
/* Creates the operation and appends it to the block; operands and types are checked for null first.
 * Takes the state over, also on failure. A named op of linalg without a region gets its builtin
 * body. */
BUDDY_EXPORT MlirOperation buddy_mlir_append(buddy_call *call, MlirOperationState *state);
/* Result i of the node. A tensor type that differs from the graph's only in `?` against numbers is
 * cast. */
BUDDY_EXPORT buddy_code buddy_mlir_set_result(buddy_call *call, size_t i, MlirValue value);
/* Declares a private external function once per module (llvm.emit_c_interface set); returns its
 * symbol as an attribute for func.call. A second declaration of another type is an error. */
BUDDY_EXPORT MlirAttribute buddy_mlir_declare_function(buddy_call *call, const char *name,
                                                       MlirType type);
/* Lowers a subgraph argument to a private function of the module and returns its symbol; the inputs
 * are the subgraph's own, in order, and so are the results: tensors, and numbers as 0-d tensors of
 * i64, f64 or i1; None gives no result. out_type: the function's type; may be null. */
BUDDY_EXPORT MlirAttribute buddy_mlir_lower_subgraph(buddy_call *call, const buddy_graph *graph,
                                                     MlirType *out_type);

#ifdef __cplusplus
}
#endif
#endif
