// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/fragments.h: passes that registries bring for the dialects they emit:
 * buddy.pipeline/1 of buddy/extensions.h. */
#ifndef BUDDY_SDK_COMPILE_FRAGMENTS_H
#define BUDDY_SDK_COMPILE_FRAGMENTS_H

#include "buddy/resolve.h"
#include "mlir-c/IR.h"

/* Runs those of one stage (BUDDY_STAGE_…), registries in their order. registries may be null. */
buddy_code bd_fragments_run(MlirModule module, const buddy_registries *registries, int32_t stage,
                            buddy_diags *diags);
/* True if a registry brings some for the stage. registries may be null. */
int bd_fragments_exist(const buddy_registries *registries, int32_t stage);

#endif
