// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/conditions.h: what kernels ask of sizes becomes guards. */
#ifndef BUDDY_SDK_IMPORT_CONDITIONS_H
#define BUDDY_SDK_IMPORT_CONDITIONS_H

#include <stdbool.h>

#include "buddy/graph.h"

/* Guards for what the node's kernel asks of sizes; of the node as PyTorch has it. as_written: before
 * silent writes are said by other nodes, which ask for more. */
buddy_code bd_conditions_require(buddy_node *node, bool as_written);

#endif
