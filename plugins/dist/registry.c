// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/dist/registry.c: ops between the processes of one program: torch.distributed's functional
 * collectives, which torch.export writes for the others as well. */
#include <string.h>

#include "plugins/dist/rows.h"

#define D "_c10d_functional."
#define A "_c10d_functional_autograd."
#define ONE(name_, args_, ...)                                                   \
  {                                                                              \
    .name = name_ ".default", .args = args_, .match = ds_match, .emit = ds_emit, \
    .user = &(const ds_op) {                                                     \
      __VA_ARGS__                                                                \
    }                                                                            \
  }
#define MANY(name_, args_, ...)          \
  {.name = D name_ "_coalesced.default", \
   .args = args_,                        \
   .expand = ds_expand_coalesced,        \
   .user = &(const ds_op){__VA_ARGS__, DS_NONE, DS_NONE, D name_ ".default"}}
#define NO DS_NONE
#define SCATTER "input, reduce_op, group_size, group_name"
#define GATHER "input, group_size, group_name"
#define EXCHANGE "input, output_split_sizes, input_split_sizes, group_name"

static const buddy_op ops[] = {
    ONE(D "all_reduce", "input, reduce_op, group_name", DS_ALL_REDUCE, 0, 1, NO, 2, NO, NO, NULL),
    ONE(D "all_gather_into_tensor", GATHER, DS_ALL_GATHER, 0, NO, 1, 2, NO, NO, NULL),
    ONE(A "all_gather_into_tensor", GATHER, DS_ALL_GATHER, 0, NO, 1, 2, NO, NO, NULL),
    ONE(D "reduce_scatter_tensor", SCATTER, DS_REDUCE_SCATTER, 0, 1, 2, 3, NO, NO, NULL),
    ONE(A "reduce_scatter_tensor", SCATTER, DS_REDUCE_SCATTER, 0, 1, 2, 3, NO, NO, NULL),
    ONE(D "all_to_all_single", EXCHANGE, DS_ALL_TO_ALL, 0, NO, NO, 3, 1, 2, NULL),
    ONE(A "all_to_all_single", EXCHANGE, DS_ALL_TO_ALL, 0, NO, NO, 3, 1, 2, NULL),
    ONE(D "broadcast", "input, src, group_name", DS_BROADCAST, 0, NO, 1, 2, NO, NO, NULL),
    MANY("all_reduce", "inputs, reduce_op, group_name", DS_ALL_REDUCE, 0, 1, NO, 2),
    MANY("all_gather_into_tensor", "inputs, group_size, group_name", DS_ALL_GATHER, 0, NO, 1, 2),
    MANY("reduce_scatter_tensor", "inputs, reduce_op, group_size, group_name", DS_REDUCE_SCATTER, 0,
         1, 2, 3),
    {.name = D "wait_tensor.default", .args = "tensor", .expand = ds_expand_wait},
    {.name = D "_wrap_tensor_autograd.default", .args = "input", .expand = ds_expand_wait},
};

#define FUNCTION(name, function) {name, (void (*)(void))(function)}
#define CALL(name, number, text, bytes) FUNCTION("_mlir_ciface_" DS_CALL text, ds_call),
static const buddy_runtime_symbol symbols[] = {
    BUDDY_DTYPES(CALL) /* one function: MLIR wants a name for each type of tensors */
    FUNCTION(BUDDY_RUN_FUNCTION "dist", ds_set_run),
};
static const buddy_runtime runtime = {sizeof(buddy_runtime), sizeof(symbols) / sizeof(symbols[0]),
                                      symbols};
static const buddy_ahead ahead = {.struct_size = sizeof(ahead)};

static const void *extension(void *state, const char *id) {
  (void)state;
  if (strcmp(id, BUDDY_RUNTIME_ID) == 0) return &runtime;
  return strcmp(id, BUDDY_AHEAD_ID) == 0 ? &ahead : NULL;
}

static const char *const dialects[] = {"arith", "bufferization", "cf", "func", "memref", NULL};

BUDDY_REGISTRY(dist, "0.1.0", "buddy", "Apache-2.0", 0, ops, .dialects = dialects, .open = be_open,
               .extension = extension);
