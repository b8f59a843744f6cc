// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/zero_points.h: zero points that are zero. */
#ifndef BUDDY_SDK_IMPORT_ZERO_POINTS_H
#define BUDDY_SDK_IMPORT_ZERO_POINTS_H

#include "sdk/import/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Symmetric quantization writes a tensor of zeros beside its scales. Rows do not see what tensors
 * hold, so that argument becomes None, which says the same. Only where the tensor's bytes are
 * those of a file, and the program does not write to it. */
buddy_code bd_zero_points_drop(buddy_graph *graph, buddy_archive *archive, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
