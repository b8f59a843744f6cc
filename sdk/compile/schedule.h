// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/schedule.h: transform scripts that a user gives, applied to the module.
 *
 * A schedule is a text of MLIR's transform dialect: a module with named sequences, each for one
 * stage of compiling, each with the module being compiled as its only argument:
 *
 *   @tensors   linalg on tensors, fused, before buffers are assigned
 *   @buffers   linalg on buffers, before kernels take the place of products and convolutions
 *   @loops     loops and linalg.generic on buffers, kernels in place
 *
 * What a sequence leaves as linalg goes the usual way; what it has made into loops stays as it
 * is. */
#ifndef BUDDY_SDK_COMPILE_SCHEDULE_H
#define BUDDY_SDK_COMPILE_SCHEDULE_H

#include "buddy/base.h"
#include "mlir-c/IR.h"

typedef struct bd_schedule {
  MlirModule script; /* null: there is no schedule */
} bd_schedule;

/* Parses and checks a schedule in the context of the module it is for. text: null for none. All
 * sequences whose names no stage has are reported. The schedule must be gone before the context. */
buddy_code bd_schedule_create(MlirContext context, const char *text, buddy_diags *diags,
                              bd_schedule *out_schedule);
void bd_schedule_deinit(bd_schedule *schedule);

/* Applies the sequence of a stage ("tensors") if the schedule has it, and verifies the module. */
buddy_code bd_schedule_apply(const bd_schedule *schedule, const char *stage, MlirModule module,
                             buddy_diags *diags);

#endif
