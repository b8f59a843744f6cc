// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/views.h: how one tensor is a view of another, in a form that can be read again and
 * written through. */
#ifndef BUDDY_SDK_IMPORT_VIEWS_H
#define BUDDY_SDK_IMPORT_VIEWS_H

#include <stdbool.h>

#include "sdk/import/layouts.h"

#define BD_VIEW_MAX_RANK 64u

typedef enum bd_view_kind {
  BD_VIEW_NONE,       /* shares nothing */
  BD_VIEW_MAYBE,      /* the tensor's elements, or a copy: the sizes of the run decide */
  BD_VIEW_SAME,       /* the tensor itself */
  BD_VIEW_RESHAPE,    /* the same elements in the same order */
  BD_VIEW_PERMUTE,    /* dims */
  BD_VIEW_EXPAND,     /* elements stand for several */
  BD_VIEW_SLICE,      /* dim, start, end, step */
  BD_VIEW_SELECT,     /* dim, index */
  BD_VIEW_DIAGONAL,   /* offset, dim1, dim2 */
  BD_VIEW_BITS,       /* the same bytes as numbers of another dtype of as many bytes */
  BD_VIEW_AS_STRIDED, /* size, stride, storage_offset, of a contiguous tensor */
  /* Those from here on are read again by the op that made them alone. */
  BD_VIEW_REAL,       /* the real parts of complex numbers */
  BD_VIEW_IMAG,       /* their imaginary parts */
  BD_VIEW_AS_REAL,    /* both, along a new last dim */
  BD_VIEW_AS_COMPLEX, /* pairs along the last dim as complex numbers */
  BD_VIEW_INVOLUTION, /* its op on the view gives the tensor again: conjugates */
  BD_VIEW_OTHER       /* can be read again by the op that made it, cannot be written through */
} bd_view_kind;

typedef struct bd_view {
  bd_view_kind kind;
  buddy_tensor_type type; /* of the view; dims live as long as the functionalisation */
  const buddy_node *node; /* that made it */
  uint32_t result;        /* which of its results */
  uint32_t n_dims;        /* PERMUTE */
  const int64_t *dims;
  buddy_arg args[4]; /* SLICE: dim, start, end, step; SELECT: dim, index; DIAGONAL: offset, dim1,
                        dim2; AS_STRIDED: size, stride, storage_offset */
  size_t n_unequal;  /* MAYBE: pairs of sizes; where they are unequal it is a copy */
  int64_t (*unequal)[2];
} bd_view;

/* Number of the argument that the op's results may be views of; false if they never are. In-place
 * ops that change a tensor's shape alone ("aten.t_") are views here. */
bool bd_view_source(const buddy_node *node, size_t *out_arg);
/* How result i of a node is a view of `source`, the value its argument names; arrays come from the
 * arena. `layouts` as for bd_functionalize. */
buddy_code bd_view_describe(const buddy_node *node, size_t i, const buddy_value *source,
                            const bd_layouts *layouts, bd_arena *arena, bd_view *out_view);
/* Whether the op changes the shape of its argument in place, and no element. */
bool bd_view_is_in_place(const buddy_node *node);

/* Adds nodes before `before`. derive: the view of `base`. write: `base` with the view's
 * elements replaced by `value`; BUDDY_UNSUPPORTED without a message if that cannot be said. */
buddy_code bd_view_derive(const bd_view *view, buddy_node *before, buddy_graph *graph,
                          const buddy_value *base, buddy_diags *diags,
                          const buddy_value **out_value);
buddy_code bd_view_write(const bd_view *view, buddy_node *before, buddy_graph *graph,
                         const buddy_value *base, const buddy_value *value, buddy_diags *diags,
                         const buddy_value **out_value);
/* Of a view of kind MAYBE: guards of the graph, by which it is a copy. BUDDY_LIMIT, without a message,
 * where that is beyond the arithmetic on sizes. */
buddy_code bd_view_require_copy(buddy_graph *graph, const bd_view *view);
/* Whether two elements of the view may be one of what it looks at: as_strided() with such strides. */
bool bd_view_may_overlap(const bd_view *view);

#endif
