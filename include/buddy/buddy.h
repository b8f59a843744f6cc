// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/buddy.h: all chapters, in reading order. */
#ifndef BUDDY_BUDDY_H
#define BUDDY_BUDDY_H

#include "buddy/base.h"    /* codes, diagnostics, writers */
#include "buddy/graph.h"   /* ops, graphs, dims */
#include "buddy/resolve.h" /* registries, plans */
#include "buddy/import.h"  /* .pt2 archives */
#include "buddy/tensor.h"  /* tensors, .npy */
#include "buddy/lower.h"   /* MLIR modules */
#include "buddy/compile.h" /* programs, models */
#include "buddy/session.h" /* state of models, kept by sessions */
#include "buddy/cache.h"   /* compiled code on disk */
#include "buddy/config.h"  /* settings of files */
#include "buddy/tune.h"    /* the fastest registries for a model */

#endif
