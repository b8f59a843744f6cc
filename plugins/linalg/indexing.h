// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/indexing.h: the indices of index.Tensor and index_put. */
#ifndef BUDDY_PLUGINS_LINALG_INDEXING_H
#define BUDDY_PLUGINS_LINALG_INDEXING_H

#include <stdbool.h>

#include "plugins/linalg/nest.h"
#include "plugins/linalg/slices.h"

/* A number of results has no name among the dims: it is the symbolic number that none of them is. */
#define LA_COUNTED (INT64_MIN + INT32_MAX)

typedef struct la_index {
  MlirValue value;
  const buddy_tensor_type *type;
  uint32_t axis; /* of the source; a mask's first one */
  bool is_mask;
} la_index;

typedef struct la_indices {
  const buddy_tensor_type *source;
  size_t n;
  la_index items[BE_MAX_RANK];
  bool has_mask;
  MlirValue count;          /* the last dim of all, where the run tells it: an index */
  uint32_t index_rank;      /* of all index tensors broadcast together */
  uint32_t first_loop;      /* loops first_loop … + index_rank run over their dims */
  int loop_of[BE_MAX_RANK]; /* of each source dim that has no index; negative: it has one */
} la_indices;

/* Two steps, so that a row can look at the masks before they become positions. */
buddy_code la_read_indices(buddy_call *call, size_t arg, const buddy_tensor_type *source,
                           la_indices *out);
buddy_code la_resolve_indices(buddy_call *call, la_indices *indices, bool spreads);
/* The map of one index tensor over the loops, whose ends are `dims`. */
be_map la_index_map(const la_indices *indices, const buddy_tensor_type *type, const int64_t *dims);
/* The source position that the loops' position and the elements of the index tensors name. */
void la_indexed_position(const be_body *body, const la_indices *indices, const MlirValue *loops,
                         const MlirValue *elements, MlirValue *out);
/* The positions of the true elements, row by row: an i64 tensor [count, rank], and the count as an
 * index. */
MlirValue la_positions(buddy_call *call, MlirValue mask, const buddy_tensor_type *type,
                       MlirValue *out_count);
/* Masks become index tensors of their positions, one an axis, as long as the others. spreads: the
 * caller reads others whose symbolic last dim is 1 in a run as if they were as long, too. */
void la_expand_masks(buddy_call *call, la_indices *indices, bool spreads);
MlirValue la_column(buddy_call *call, MlirValue list, MlirValue count, uint32_t column);

#endif
