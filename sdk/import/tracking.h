// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/tracking.h: which tensors of a program share storage, and what they are now.
 *
 *   storage   its value as a whole, made anew by each write; a generation counts the writes
 *   alias     one way to look at a storage: the base itself, or a view of another alias. It
 *             caches its value and the generation that this belongs to
 *   handle    what a name of the program means: an alias. Results of in-place ops share the
 *             handle of what they write
 *
 * What is a view for some sizes and a copy for others has a storage of its own that knows the one it
 * may be: a program may go on with either until the other is written to.
 *
 * A write computes the new value by the op's functional twin, carries it up the views to the base
 * (slice_scatter, inverse permutation, …) and counts the storage's generation up. A read of an
 * alias whose generation is old derives its value again from the base down. So each op costs the
 * length of its chain of views. */
#ifndef BUDDY_SDK_IMPORT_TRACKING_H
#define BUDDY_SDK_IMPORT_TRACKING_H

#include <stdbool.h>

#include "sdk/import/layouts.h"
#include "sdk/import/views.h"

#define BD_MAX_CHAIN 256u /* views of views */

typedef struct bd_storage {
  const buddy_value *base;   /* its whole value now */
  const buddy_value *origin; /* and before the first write */
  uint64_t generation;
  struct bd_storage *may_be; /* what it is for some sizes; null: it is one of its own */
  bd_view decision;          /* by which sizes */
  uint64_t n_known;          /* writes to `may_be` that it has seen, or need not see */
  struct bd_storage *unsure, *next_unsure; /* those that may be this one and were written to */
  uint64_t n_unsure;                       /* how often they were */
  bool is_unsure;                          /* it is among those of `may_be` */
} bd_storage;

typedef struct bd_alias {
  bd_storage *of;
  struct bd_alias *parent; /* null: the base */
  bd_view view;            /* of the parent's value */
  const buddy_value *value;
  uint64_t generation; /* of `value` */
  uint32_t depth;
} bd_alias;

typedef struct bd_handle {
  bd_alias *at;
} bd_handle;

typedef struct bd_tracked {
  const buddy_value *value; /* of the program as it was */
  bd_handle *means;
  UT_hash_handle hh; /* by value */
} bd_tracked;

typedef struct bd_tracking {
  buddy_graph *graph;
  const bd_layouts *layouts;
  buddy_diags *diags;
  bd_arena arena;
  bd_tracked *by_value;
  buddy_node **written; /* nodes to erase at the end */
  size_t n_written, written_capacity;
  buddy_code problem; /* the first of those that were told; all are looked for */
} bd_tracking;

/* Tells that the node cannot be rewritten; BUDDY_OK, so that others are looked at all the same. */
buddy_code bd_tracking_refuse(bd_tracking *in, const buddy_node *node, const char *todo,
                              const char *what);

/* Null if the value was not met yet. */
bd_handle *bd_handle_find(const bd_tracking *in, const buddy_value *value);
/* The handle of a value of the program; one that was not met yet is a storage of its own. */
buddy_code bd_handle_of(bd_tracking *in, const buddy_value *value, bd_handle **out_handle);
buddy_code bd_handle_set(bd_tracking *in, const buddy_value *value, bd_handle *means);
/* Null: memory is out. */
bd_alias *bd_alias_of_maybe(bd_tracking *in, const buddy_value *value, const bd_view *decision,
                            bd_storage *may_be);
bd_handle *bd_handle_new(bd_tracking *in, bd_alias *at);
/* A storage of its own, whose value is `base`. Null: memory is out. */
bd_alias *bd_alias_of_base(bd_tracking *in, const buddy_value *base);

/* Brings an alias and those above it to the storage's generation. */
buddy_code bd_alias_refresh(bd_tracking *in, bd_alias *at, buddy_node *before);
/* The storage is read: requires sizes by which it is another one than those that it may be or that
 * may be it, where they were written to. */
buddy_code bd_storage_check(bd_tracking *in, bd_storage *of);
/* What a value of the program is now. */
buddy_code bd_value_current(bd_tracking *in, const buddy_value *value, buddy_node *before,
                            const buddy_value **out_value);
/* Writes the value as in-place ops and `out` arguments store it: in the dtype of what they write
 * to, broadcast to its dims. */
buddy_code bd_handle_write(bd_tracking *in, bd_handle *means, buddy_node *node,
                           const buddy_value *value, bool may_resize);

/* ---- overlaps.c ---- */
/* Refuses an elementwise op that writes elements and reads some of them in other places, as PyTorch
 * does; where sizes decide, they are a guard. */
buddy_code bd_overlap_check(bd_tracking *in, const buddy_node *node, const buddy_value *written,
                            const buddy_value *read);

/* ---- mutations.c ---- */
/* Adds the outputs for inputs that have been written to, but those that the program lists. */
buddy_code bd_mutations_add(bd_tracking *in);

#endif
