// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/source.h: an archive on its way to code: what is opened and made before anything is
 * planned. */
#ifndef BUDDY_SDK_MODEL_SOURCE_H
#define BUDDY_SDK_MODEL_SOURCE_H

#include <stdbool.h>

#include "buddy/compile.h"
#include "buddy/import.h"
#include "sdk/import/growing.h"

/* The graph may be destroyed once its program is bound; the rest must outlive the program, which
 * reads the mapped weights and calls the registries' functions. */
enum { BD_TAKERS_SIZE = 512 };
typedef struct bd_model_source {
  buddy_archive *archive;
  bool is_lent; /* the archive is, and stays open */
  buddy_opset *opset;
  buddy_registries *registries;
  buddy_graph *graph;
  bd_growing growing;          /* its pairs that grow, where the options ask for them */
  char takers[BD_TAKERS_SIZE]; /* how many nodes who took, once the graph is planned */
} bd_model_source;

/* Opens an archive, chooses the options' program, and compares all of it with its checksums if they
 * say so. */
buddy_code bd_model_archive_open(const char *path, const buddy_model_options *options,
                                 buddy_diags *diags, buddy_archive **out_archive);
/* options may be null. After a failure, too, bd_model_source_close is due. */
BUDDY_EXPORT buddy_code bd_model_source_open(const char *path, const buddy_model_options *options,
                                             buddy_diags *diags, bd_model_source *out_source);
/* Likewise of an archive that is open, and stays so. */
BUDDY_EXPORT buddy_code bd_model_source_open_on(buddy_archive *archive,
                                                const buddy_model_options *options,
                                                buddy_diags *diags, bd_model_source *out_source);
BUDDY_EXPORT void bd_model_source_close(bd_model_source *source);

#endif
