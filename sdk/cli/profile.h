// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/profile.h: what `buddy profile` has measured, and the files that tell it. */
#ifndef BUDDY_SDK_CLI_PROFILE_H
#define BUDDY_SDK_CLI_PROFILE_H

#include <jansson.h>

#include "core/base/text.h"
#include "sdk/cli/machine_rates.h"
#include "sdk/cli/session.h"

/* A stage of making the model: importing, choosing registries, compiling. */
typedef struct bd_stage {
  const char *name;  /* static */
  double begin, end; /* seconds since the first began */
} bd_stage;
enum { BD_MAX_STAGES = 96 };
typedef struct bd_stages {
  bd_stage items[BD_MAX_STAGES];
  size_t n;
  double origin;
} bd_stages;
/* As buddy_compile_options.progress; user is a bd_stages. Shows the bar, too. */
void bd_stages_progress(void *user, const char *stage, double fraction);

/* Where a step comes from, of whose nodes the plan knows the names. */
typedef struct bd_step_origin {
  const char *op, *node; /* of the archive: the first; "" if it is not told */
  bd_text registries;    /* that took its nodes, joined by + */
} bd_step_origin;

typedef struct bd_profile_report {
  const char *model;
  const buddy_program *program;
  const buddy_step **steps;
  bd_step_origin *origins; /* one per step */
  size_t n;
  double total; /* of the steps' least times */
  unsigned long n_runs;
  const bd_stages *stages; /* null: not asked for */
  bd_machine_rates machine;
} bd_profile_report;

buddy_code bd_profile_report_init(const bd_session *session, const buddy_program *program,
                                  bd_profile_report *out);
void bd_profile_report_deinit(bd_profile_report *report);

/* The least time that the machine would need for so many calls of a step, as a part of the time that they
 * took (bd_machine_rates_seconds, of their arithmetic and operands). Above 1 for elements that are multiplied faster than f32, and
 * where a call does not read all that it is given. 0: not known. */
double bd_profile_share(const bd_profile_report *report, const buddy_step *step, double n_calls,
                        double seconds);
/* "17 steps, 3.142 ms in the least of 10 runs each" */
enum { BD_PROFILE_SUM = 128 };
void bd_profile_sum(const bd_profile_report *report, char text[BD_PROFILE_SUM]);
/* "the machine's limits: 145 Gflop/s of f32, 18 GB/s from memory, 160 GB/s from caches" */
void bd_profile_limits(const bd_machine_rates *machine, char text[BD_PROFILE_SUM]);
/* A page of the graph's nodes (explorer.h), whose times the data are, and of the steps. */
buddy_code bd_profile_write_page(const char *path, const bd_profile_report *report,
                                 const json_t *graphs, const json_t *data, buddy_diags *diags);
/* Bytes of intermediate results that are alive in each step; the caller frees it. Null if memory is
 * out. */
uint64_t *bd_profile_alive(const bd_profile_report *report);
/* "784 KB of intermediate results at most, in step 12 (conv2d_4, model.py:41), in an arena of 812 KB;
 * 44.7 MB of constants kept" */
enum { BD_PROFILE_MEMORY = 1024 };
void bd_profile_peak(const bd_profile_report *report, char text[BD_PROFILE_MEMORY]);
/* What is alive at the peak, as a table, and that. */
void bd_profile_print_memory(const bd_profile_report *report);
/* A view of all places. */
void bd_profile_add_memory(json_t *page, const bd_profile_report *report);
/* Chrome's trace events of the last run, which Perfetto opens: a track for each thread. */
buddy_code bd_profile_write_trace(const char *path, const bd_profile_report *report,
                                  buddy_diags *diags);

#endif
