// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/trial.h: a small program that computes a case, for measuring it. */
#ifndef BUDDY_SDK_MODEL_TRIAL_H
#define BUDDY_SDK_MODEL_TRIAL_H

#include "buddy/compile.h"
#include "sdk/model/case.h"

#define BD_TRIAL_NODE "trial" /* leads the names of the nodes that are measured */

/* A graph of so many nodes of the case, each with data of its own: one alone would find its weights
 * in the cache each time, which a model's do not. Weights are parameters.
 * Convolutions have neighbours, whose time is measured with theirs. */
buddy_code bd_trial_graph(const buddy_opset *opset, const bd_case *c, int n_nodes,
                          buddy_diags *diags, buddy_graph **out_graph);
/* The op of its nodes. */
const char *bd_trial_op(const bd_case *c);
/* How many nodes make such a graph. */
int bd_trial_n_nodes(const bd_case *c);

/* A program that was made of such a graph, and tensors for it. */
typedef struct bd_trial {
  buddy_program *program;
  buddy_tensor *inputs, *outputs;
} bd_trial;

/* Takes the program over, on success and on failure. */
buddy_code bd_trial_init(buddy_program *program, bd_trial *out);
void bd_trial_deinit(bd_trial *trial);
/* Seconds of one run. */
buddy_code bd_trial_run(const bd_trial *trial, buddy_diags *diags, double *out_seconds);

#endif
