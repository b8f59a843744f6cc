// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/shard.h: what the parts of buddy_graph_shard share.
 *
 * A value is whole, the same on every rank, or cut: every rank has one of n equal blocks of one dim. A
 * rule tells for a node how it takes its operands, and how its results are cut then. A whole operand is
 * cut for nothing, by a slice; a cut one is made whole by a gather, which costs messages. Products of
 * weights begin cuts (by columns) and end them (by rows, with a sum over the ranks). */
#ifndef BUDDY_SDK_IMPORT_SHARD_H
#define BUDDY_SDK_IMPORT_SHARD_H

#include "buddy/import.h"
#include "core/base/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BD_WHOLE = -1 };

/* How a product of a constant weight is cut where its input is whole. */
typedef enum bd_cut_mode {
  BD_CUT_NOT,
  BD_CUT_COLUMNS,          /* each rank computes some columns of the result */
  BD_CUT_COLUMNS_GATHERED, /* which are gathered at once */
  BD_CUT_ROWS,             /* each rank has some rows, and a part of the sums */
} bd_cut_mode;

typedef struct bd_cut_value {
  const buddy_value *key;
  int32_t dim;        /* BD_WHOLE, or the dim that is cut */
  bool is_constant;   /* made of weights alone */
  bool is_row_number; /* of a batch (shard_batch.c): each row is its own number */
  int32_t wished;     /* of a buffer that the program writes to: as it is to begin; BD_WHOLE */
  size_t n_demands;   /* uses that take a constant cut */
  int32_t demanded;   /* in this dim; BD_WHOLE: none, or several */
  bool is_sliced;     /* a weight of which the code reads this rank's part alone */
  const buddy_value *whole; /* gathered, once that was needed */
  const buddy_value *cut;   /* sliced, */
  int32_t cut_dim;          /* in this dim */
  uint64_t *origins;        /* bits: products that began the cut */
  UT_hash_handle hh;
} bd_cut_value;

typedef struct bd_cut_use {
  size_t arg, element;
  bd_cut_value *value;
  int32_t want; /* BD_WHOLE, or a dim */
} bd_cut_use;

typedef struct bd_cut_node {
  buddy_node *node;
  bd_cut_use *uses;
  size_t n_uses;
  bd_cut_value **results;
  int32_t *dims; /* of the results */
  size_t n_results;
  bd_cut_mode mode;   /* of a product of a weight */
  size_t product;     /* its number among those, plus one; 0: it is none */
  bool is_sum;        /* results are parts of sums, to be added over the ranks */
  bool is_kept_whole; /* it has no rule for operands that are cut */
} bd_cut_node;

typedef struct bd_shard {
  buddy_graph *graph;
  buddy_diags *diags;
  int64_t n_ranks, rank; /* n_ranks: of a batch, the symbol that is its size */
  bd_cut_value *values;  /* by value */
  bd_cut_node *nodes;
  size_t n_nodes, n_products, n_words; /* words of a set of products */
  uint64_t *blamed;
  void **pieces; /* memory */
  size_t n_pieces, pieces_capacity;
  struct {
    size_t columns, rows, gathered, sums, gathers;
    int64_t elements; /* as a dim: what a rank sends, about */
  } told;
} bd_shard;

bd_cut_value *bd_cut_find(const bd_shard *s, const buddy_value *value);
/* The buffer that output i is the new value of; null: it is none's. */
bd_cut_value *bd_cut_buffer(const bd_shard *s, size_t i);
/* The use by the argument of that name, which is one tensor; null: there is none. */
bd_cut_use *bd_cut_use_of(const bd_cut_node *node, const char *name);
bool bd_cut_divides(const bd_shard *s, int64_t size);
/* Whether a rank is beyond what the rules hold. */
bool bd_cut_has_large_ranks(const buddy_graph *graph);
/* All values and nodes of the graph, and what takes that back. */
buddy_code bd_cut_collect(bd_shard *s);
void bd_cut_release(bd_shard *s);

/* ---- Rules (shard_rules.c) ---- */
/* Which operand of a product is the weight; false: it is no product that can be cut by weights. */
bool bd_cut_product(const buddy_node *node, size_t *out_weight);
/* Fills in how the node takes its uses and gives its results. False: all must be whole. */
bool bd_cut_rule(bd_shard *s, bd_cut_node *n);
/* Likewise for a node over constants, from the dim in which its only result is to be cut. */
bool bd_cut_rule_back(bd_shard *s, bd_cut_node *n, int32_t dim);

/* ---- Plans (shard_plan.c) ---- */
typedef struct bd_cut_plan bd_cut_plan;
/* {"layers.*.self_attn.q_proj": "colwise", …} */
buddy_code bd_cut_plan_read(const char *text, buddy_diags *diags, bd_cut_plan **out_plan);
/* For the module of a weight: "model.layers.0.self_attn.q_proj.weight". */
bd_cut_mode bd_cut_plan_find(bd_cut_plan *plan, const char *target);
/* What no weight was called by is an error. */
buddy_code bd_cut_plan_end(bd_cut_plan *plan, buddy_code code, buddy_diags *diags);

/* ---- Doing it (shard_apply.c) ---- */
buddy_code bd_cut_apply(bd_shard *s);

/* ---- Rows of a batch (shard_batch.c) ---- */
typedef struct bd_batch {
  bool is_proved;
  size_t symbol;      /* that is the number of rows, by the graph's number */
  bool is_repeatable; /* a run that failed in the middle may be done again on the same inputs */
  char why[512];      /* it is not proved, if sizes let hope for it; else "" */
} bd_batch;
/* Whether the program works on the rows of its inputs one by one: the first size of each input and output
 * is one symbol, and each row of a result is what that row of the inputs alone gives. Only what is sure
 * is proved. */
BUDDY_EXPORT buddy_code bd_batch_prove(buddy_graph *graph, bd_batch *out);

#ifdef __cplusplus
}
#endif

#endif
