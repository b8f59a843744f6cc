// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/session.h: the road from the command line to a plan, which import, explain and ops
 * share. */
#ifndef BUDDY_SDK_CLI_SESSION_H
#define BUDDY_SDK_CLI_SESSION_H

#include "buddy/compile.h"
#include "buddy/import.h"
#include "buddy/resolve.h"
#include "buddy/tune.h"
#include "sdk/cli/options.h"
#include "sdk/cli/verb.h"

typedef struct bd_session {
  buddy_diags *diags;
  buddy_calibration *calibration; /* by which registries are chosen, as `buddy run` does; null: by
                                     the order alone */
  buddy_opset *opset;
  buddy_search *search;
  buddy_registries *registries;
  buddy_archive *archive;
  buddy_graph *graph;
  buddy_plan *plan;
} bd_session;

/* Each step needs the ones before it; all free what they made when the session is closed. */
buddy_code bd_session_open(bd_session *session,
                           const bd_registry_flags *flags); /* up to the registries */
/* Likewise, with what `buddy calibrate` has measured. */
buddy_code bd_session_open_chosen(bd_session *session, const bd_registry_flags *flags);
/* What it chooses by: for further loads of the same flags; may be null. */
const buddy_chooser *bd_session_chooser(const bd_session *session, const bd_registry_flags *flags);
/* Archive and graph. */
buddy_code bd_session_import(bd_session *session, const bd_archive_flags *flags);
/* The same of what a verb was given; the files that the flags name are read, too. */
buddy_code bd_session_import_model(bd_session *session, bd_model_flags *flags);
/* Cuts it for one of several ranks, where the flags, whose files are read, say so. */
buddy_code bd_session_shard(bd_session *session, const bd_shard_flags *flags);
buddy_code bd_session_plan(bd_session *session);
/* Reports what was diagnosed, frees everything, returns the exit code. */
int bd_session_close(bd_session *session, buddy_code code);

/* A tensor of random numbers of the port's shape; sizes that it does not know are one that most ranges
 * allow. */
buddy_code bd_random_input(const buddy_port *port, uint64_t seed, buddy_tensor *out);
/* All inputs of a model, one from each of these files, or without any random ones of seeds from `seed` on, of
 * sizes that the program allows where such are found. out: as many
 * tensors without bytes; the caller releases them, after a failure, too. */
buddy_code bd_model_inputs(buddy_model *model, const char *where, const char *const *paths,
                           size_t n_paths, uint64_t seed, buddy_diags *diags, buddy_tensor *out);

#endif
