// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/dist/rows.h: what the files of the dist registry share.
 *
 *   registry.c   the table
 *   rows.c       rows: ops of torch.distributed become one call, expansions, and reasons to decline
 *   call.c       the function that compiled code calls: reads what is asked, checks it, moves bytes
 *   ranks.c      the processes: transport, groups, the lock, what happens when a run fails
 *   reduce.c     sums and their kin, in the order of ranks */
#ifndef BUDDY_PLUGINS_DIST_ROWS_H
#define BUDDY_PLUGINS_DIST_ROWS_H

#include "buddy/kit.h"

/* ---- Rows ------------------------------------------------------------------------------------ */
typedef enum ds_kind {
  DS_ALL_REDUCE,
  DS_ALL_GATHER,
  DS_REDUCE_SCATTER,
  DS_ALL_TO_ALL,
  DS_BROADCAST,
  DS_N_KINDS
} ds_kind;

/* Where a row has its arguments, by its own numbers; DS_NONE: nowhere. */
enum { DS_NONE = 255 };
typedef struct ds_op {
  uint8_t kind;
  uint8_t input, reduce_op, number, group; /* number: the group's size, or who broadcasts */
  uint8_t out_splits, in_splits;
  const char *single; /* of a coalesced op: the op for one tensor */
} ds_op;

buddy_code ds_match(void *state, const buddy_op *self, buddy_call *call);
buddy_code ds_emit(void *state, const buddy_op *self, buddy_call *call);
/* One op for each tensor of the list. */
buddy_code ds_expand_coalesced(void *state, const buddy_op *self, buddy_call *call);
/* Its argument: what was waited for is there when the call returns. */
buddy_code ds_expand_wait(void *state, const buddy_op *self, buddy_call *call);

/* ---- Reductions ------------------------------------------------------------------------------ */
typedef enum ds_reduction {
  DS_SUM,
  DS_AVG,
  DS_PRODUCT,
  DS_MIN,
  DS_MAX,
  DS_BAND,
  DS_BOR,
  DS_BXOR,
  DS_N_REDUCTIONS
} ds_reduction;

/* -1: none of that name ("sum", "avg", …). */
int ds_reduction_find(const char *name);
/* Null: the numbers can be reduced so; else why not, as a sentence. */
const char *ds_reduction_refuses(ds_reduction reduction, buddy_dtype dtype);
/* Bytes of a number; 0: there is no such dtype. */
size_t ds_size_of(int64_t dtype);
/* out = parts[0] (op) parts[1] (op) …: element by element, in the order of the parts, so that the
 * bits depend on nothing else; 16-bit floats are rounded once. `out` may be one of the parts. */
void ds_reduce(ds_reduction reduction, buddy_dtype dtype, const void *const *parts, size_t n_parts,
               size_t n_elements, void *out);

/* ---- Ranks ----------------------------------------------------------------------------------- */
enum { DS_MAX_RANKS = 4096 };

typedef struct ds_group {
  size_t n, own;               /* ranks, and the place of this one among them */
  int32_t ranks[DS_MAX_RANKS]; /* in the order of the group */
} ds_group;

/* What the thread's run may be asked: BUDDY_RUN_FUNCTION. */
void ds_set_run(const buddy_run *run);
/* Fails the call in progress, printf-style; gives what the function has to return. */
int64_t ds_fail(buddy_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Makes the ranks the run's own until it ends: other runs of the process wait. Meets them first, the
 * first time. 0, or what ds_fail gave. */
int64_t ds_enter(void);
/* The group of that name; inside ds_enter. 0, or what ds_fail gave. */
int64_t ds_group_find(const char *name, ds_group *out_group);
/* All messages at once; ranks are places in the group. 0, or what ds_fail gave. */
int64_t ds_exchange(const ds_group *group, buddy_message *sends, size_t n_sends,
                    buddy_message *receives, size_t n_receives);
/* Memory for the call in progress, aligned to 64: what it held is gone. Null: ds_fail was called. */
void *ds_scratch(size_t n_bytes);

/* ---- The call -------------------------------------------------------------------------------- */
/* What is asked, as a tensor of i64: the numbers of this list, out_splits and in_splits if there are
 * any, and the letters of the group's name. */
enum {
  DS_ASKED_KIND,
  DS_ASKED_DTYPE,
  DS_ASKED_REDUCTION,
  DS_ASKED_NUMBER,   /* -1: none */
  DS_ASKED_N_SPLITS, /* of each of the two lists; 0: even */
  DS_ASKED_N_NAME,
  DS_ASKED_N
};
#define DS_CALL "buddy_dist_call_" /* and the dtype */
int64_t ds_call(const bk_runtime_tensor *asked, const bk_runtime_tensor *input,
                const bk_runtime_tensor *output);

#endif
