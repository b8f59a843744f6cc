// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/fake_emitter.h: an emitter without MLIR: it writes down what it is asked. */
#ifndef BUDDY_TESTS_CORE_REGISTRY_FAKE_EMITTER_H
#define BUDDY_TESTS_CORE_REGISTRY_FAKE_EMITTER_H

#include "core/registry/emitter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The log: "alpha.add alpha.relu | undone: alpha.late" as committed and undone ops, in order,
 * separated by blanks. */
typedef struct fake_emitter {
  char committed[4096], undone[4096];
  char pending[4096]; /* of the open call */
  size_t n_results_set;
  size_t n_ops;
  int is_open;
} fake_emitter;

/* llvm_version 0. An op whose name starts with "bad." does not verify. */
extern const bd_emitter fake_emitter_table;

#ifdef __cplusplus
}
#endif
#endif
