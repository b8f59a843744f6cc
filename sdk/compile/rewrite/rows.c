// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/rows.c: loops of operations that follow one another, merged. A block is gone
 * through once.
 *
 * The first operation of a group offers its parallel loops as rows, but for those that walk along
 * the innermost axis of what other loops walk along too: vectors are made of these. An operation joins if it
 * shares a buffer that one of them writes, and if some loop of its own walks along the same axis of
 * every such buffer as each row. Only a group of one gives up rows for that.
 *
 * Fills are of the group of whoever reads what they fill. Everything between the members stays in
 * front of the loop: it neither reads nor writes memory, or other memory than they. What the body of
 * an operation reads by itself is not looked at: such a one ends the group. */
#include "sdk/compile/rewrite/rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/rewrite/rows_parts.h"
#include "sdk/runtime/strided.h"

enum { LEAST_ROWS = 8, MAX_PENDING = 32 };

typedef struct sharing {
  const bd_machine *machine;
  bd_row_group group;
  int n_real; /* members that are no fills */
  bd_row_member *fills[MAX_PENDING];
  int n_fills;
} sharing;

/* ---- Reading --------------------------------------------------------------------------------- */

/* By axis of a reshape's result, the axis of its source with the same places: of axes that are put
 * together, all but one must have one place. */
static void match_axes(MlirOperation op, int *out) {
  const bool is_expansion = bd_op_is(op, "memref.expand_shape");
  const MlirAttribute groups = bd_op_attribute(op, "reassociation");
  const MlirType wide = mlirValueGetType(is_expansion ? mlirOperationGetResult(op, 0)
                                                      : mlirOperationGetOperand(op, 0));
  int axis = 0;
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    const int first = axis;
    int n_wide = 0, only = BD_AXIS_NONE;
    axis += (int)mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    for (int i = first; i < axis; ++i) {
      if (mlirShapedTypeGetDimSize(wide, i) == 1) continue;
      ++n_wide;
      only = i;
    }
    if (n_wide > 1) only = BD_AXIS_TANGLED;
    if (!is_expansion) out[g] = only;
    for (int i = first; i < axis && is_expansion; ++i)
      out[i] = n_wide > 1 ? BD_AXIS_TANGLED : i == only ? (int)g : BD_AXIS_NONE;
  }
}

/* The buffer; axes: by axis of the view, that of the buffer. */
static MlirValue trace(MlirValue value, int64_t rank, int *axes) {
  for (int64_t i = 0; i < rank; ++i) axes[i] = (int)i;
  MlirOperation op = bd_maker_of(value);
  for (; !mlirOperationIsNull(op) && bd_op_is_view(op); op = bd_maker_of(value)) {
    int matching[BD_MAX_LOOPS];
    for (int i = 0; i < BD_MAX_LOOPS; ++i) matching[i] = BD_AXIS_TANGLED;
    if (bd_op_is_reshape(op)) match_axes(op, matching);
    for (int64_t i = 0; i < rank; ++i) {
      if (axes[i] >= 0) axes[i] = matching[axes[i]];
    }
    value = mlirOperationGetOperand(op, 0);
  }
  return value;
}

/* An allocation, or an argument of the function: no two of them are the same memory, if one is an
 * allocation. */
static bool is_buffer(MlirValue base, bool is_written) {
  if (bd_is_made_by(base, "memref.alloc")) return true;
  if (is_written) return false;
  return mlirValueIsABlockArgument(base)
             ? bd_op_is(bd_block_parent(mlirBlockArgumentGetOwner(base)), "func.func")
             : bd_is_made_by(base, "memref.get_global");
}

static bool has_small_ranks(MlirValue value) {
  for (; mlirShapedTypeGetRank(mlirValueGetType(value)) <= BD_MAX_RANK;
       value = mlirOperationGetOperand(bd_maker_of(value), 0)) {
    const MlirOperation op = bd_maker_of(value);
    if (mlirOperationIsNull(op) || !bd_op_is_view(op)) return true;
  }
  return false;
}

static bool read_walk(bd_row_member *m, int operand) {
  const bd_operand *o = &m->s.operands[operand];
  bd_row_walk *walk = &m->walks[operand];
  int axes[BD_MAX_LOOPS];
  int64_t strides[BD_MAX_RANK];
  if (o->rank < 0) return true;
  if (!has_small_ranks(o->value) || !bd_memref_strides(o->type, strides)) return false;
  walk->base = trace(o->value, o->rank, axes);
  const MlirAffineMap map = bd_structured_map(&m->s, operand);
  for (int loop = 0; loop < m->s.n_loops; ++loop) {
    const int axis = walk->axis[loop] = bd_axis_along(map, loop);
    walk->base_axis[loop] = axis >= 0 ? axes[axis] : axis;
  }
  return is_buffer(walk->base, operand >= m->s.n_inputs);
}

typedef struct reading {
  MlirOperation op;
  bool has_buffers;
} reading;

static MlirWalkResult find_buffer(MlirOperation op, void *user) {
  reading *r = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !mlirOperationEqual(op, r->op); ++i)
    r->has_buffers |= mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return r->has_buffers ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Its body reads buffers that are no operands, as a gather's does: where, nobody can tell. */
static bool reads_by_itself(MlirOperation op) {
  reading r = {.op = op};
  mlirOperationWalk(op, find_buffer, &r, MlirWalkPreOrder);
  return r.has_buffers;
}

/* Null: it is nothing that could be in a group, or memory is out. */
static bd_row_member *read_member(MlirOperation op, buddy_code *code) {
  bd_row_member *m = bd_calloc(1, sizeof(*m));
  if (!m) *code = BUDDY_OUT_OF_MEMORY;
  bool is_right =
      m && bd_op_is(op, "linalg.generic") && bd_structured_read(op, &m->s) && !reads_by_itself(op);
  for (int i = 0; is_right && i < m->s.n_operands; ++i) is_right = read_walk(m, i);
  if (is_right) return m;
  free(m);
  return NULL;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool has_row(const bd_row_member *m, int n_rows, int loop) {
  for (int j = 0; j < n_rows; ++j) {
    if (m->rows[j] == loop) return true;
  }
  return false;
}

/* Rounds of the loop lie nearer to one another in memory than those of the other. Views of images may have another order than
 * their axes; strides that only the run knows are longer than those that are known. */
static bool is_inside(const bd_row_member *m, int operand, int loop, int other) {
  const int64_t *strides = m->s.operands[operand].strides;
  const int *axis = m->walks[operand].axis;
  if (strides[loop] == strides[other]) return axis[loop] > axis[other];
  return strides[loop] != INT64_MIN &&
         (strides[other] == INT64_MIN || strides[loop] < strides[other]);
}

/* The loop walks along the innermost axis of the operand that any does. */
static bool is_innermost(const bd_row_member *m, int operand, int loop) {
  const bd_row_walk *walk = &m->walks[operand];
  if (m->s.operands[operand].rank < 0 || walk->axis[loop] < 0) return false;
  for (int i = 0; i < m->s.n_loops; ++i) {
    if (i == loop || m->s.sizes[i] == 1) continue;
    if (walk->axis[i] == BD_AXIS_TANGLED) return false;
    if (walk->axis[i] != BD_AXIS_NONE && !is_inside(m, operand, loop, i)) return false;
  }
  return true;
}

/* The row is innermost where another loop, which is none, walks along the operand, too; or so near to it that of each line
 * of memory that such a loop outside of it comes by the row takes a part. */
static bool is_in_the_way(const bd_row_member *m, int n_rows, int row) {
  enum { LINE = 16 }; /* elements */
  for (int i = 0; i < m->s.n_operands; ++i) {
    const int at = m->rows[row];
    const int64_t stride = m->s.operands[i].strides[at];
    if (m->s.operands[i].rank < 0 || m->walks[i].axis[at] < 0) continue;
    const bool is_short = stride != INT64_MIN && stride < LINE;
    for (int loop = 0; loop < m->s.n_loops; ++loop) {
      if (m->walks[i].axis[loop] == BD_AXIS_NONE || m->s.sizes[loop] == 1 ||
          has_row(m, n_rows, loop))
        continue;
      if (is_innermost(m, i, at) || (is_short && is_inside(m, i, at, loop))) return true;
    }
  }
  return false;
}

static bool can_be_row(const bd_row_member *m, int loop) {
  if (!m->s.is_parallel[loop] || m->s.sizes[loop] == 1) return false;
  for (int i = 0; i < m->s.n_operands; ++i) {
    if (m->s.operands[i].rank >= 0 && m->walks[i].axis[loop] == BD_AXIS_TANGLED) return false;
    if (i >= m->s.n_inputs && m->walks[i].base_axis[loop] < 0) return false;
  }
  return true;
}

static bool are_rows_right(const bd_row_member *m, int n_rows) {
  for (int j = 0; j < n_rows; ++j) {
    if (m->rows[j] < 0 || !can_be_row(m, m->rows[j]) || is_in_the_way(m, n_rows, j)) return false;
  }
  return n_rows > 0;
}

static void remove_row(bd_row_member *m, int n_left, int row) {
  memmove(m->rows + row, m->rows + row + 1, (size_t)(n_left - row) * sizeof(m->rows[0]));
}

/* Along the loop there are sums of lines, one factor of whose terms they share, and another they do not. */
static bool shares_terms(const bd_row_member *m, int loop) {
  enum { LINE = 16 };
  for (int along = 0; along < m->s.n_loops; ++along) {
    bool has_shared = false, has_own = false;
    if (m->s.is_parallel[along] || (m->s.sizes[along] >= 0 && m->s.sizes[along] < LINE)) continue;
    for (int i = 0; i < m->s.n_inputs; ++i) {
      const bd_row_walk *walk = &m->walks[i];
      if (m->s.operands[i].rank < 0 || walk->axis[along] == BD_AXIS_NONE) continue;
      has_shared |= walk->axis[loop] == BD_AXIS_NONE;
      has_own |= walk->axis[loop] != BD_AXIS_NONE;
    }
    if (has_shared && has_own) return true;
  }
  return false;
}

/* Sums of terms of all pairs are no rows: each row would read all of the other operand. */
static void leave_pairs(bd_row_member *m, int *n_rows) {
  int n = 0;
  for (int j = 0; j < *n_rows; ++j) n += shares_terms(m, m->rows[j]);
  for (int j = *n_rows - 1; j >= 0 && n > 1; --j) {
    if (shares_terms(m, m->rows[j])) remove_row(m, --*n_rows, j);
  }
}

/* All loops that can be rows, but for those of pairs, and one that walks along the innermost axis of
 * the result. */
static bool start(sharing *s, bd_row_member *m) {
  int n = 0, n_loops = 0;
  for (int loop = 0; loop < m->s.n_loops; ++loop) {
    n_loops += m->s.sizes[loop] != 1;
    if (n < BD_ROW_LOOPS && can_be_row(m, loop)) m->rows[n++] = loop;
  }
  leave_pairs(m, &n);
  for (int j = 0; j < n; ++j) {
    const bool is_last = n == n_loops && is_innermost(m, m->s.n_inputs, m->rows[j]);
    if (!is_last && !is_in_the_way(m, n, j)) continue;
    remove_row(m, --n, j);
    j = -1; /* what is left may be in the way now */
  }
  s->group.n_rows = n;
  return n > 0;
}

static int find_loop(const bd_row_member *m, int operand, int base_axis) {
  for (int loop = 0; loop < m->s.n_loops && base_axis >= 0; ++loop) {
    if (m->walks[operand].base_axis[loop] == base_axis) return loop;
  }
  return -1;
}

/* The operands lie in the same buffer, and one of them is written. */
static bool is_shared(const bd_row_member *a, int i, const bd_row_member *b, int k) {
  return a->s.operands[i].rank >= 0 && b->s.operands[k].rank >= 0 &&
         (i >= a->s.n_inputs || k >= b->s.n_inputs) &&
         mlirValueEqual(a->walks[i].base, b->walks[k].base);
}

/* Matches the rows of `m` by what it shares with `other`: MIXED where two buffers tell different
 * loops, or one none. False if they share nothing. */
enum { OPEN = -1, MIXED = -2 };
static bool match_rows(bd_row_member *m, const bd_row_member *other, int n_rows) {
  bool is_linked = false;
  for (int i = 0; i < m->s.n_operands; ++i) {
    for (int k = 0; k < other->s.n_operands; ++k) {
      if (!is_shared(m, i, other, k)) continue;
      is_linked = true;
      for (int j = 0; j < n_rows; ++j) {
        const int loop = find_loop(m, i, other->walks[k].base_axis[other->rows[j]]);
        const bool is_right = loop >= 0 && (m->rows[j] == OPEN || m->rows[j] == loop);
        m->rows[j] = is_right ? loop : MIXED;
      }
    }
  }
  return is_linked;
}

static bool fits(sharing *s, bd_row_member *m) {
  bd_row_group *group = &s->group;
  bool is_linked = false;
  for (int j = 0; j < group->n_rows; ++j) m->rows[j] = OPEN;
  for (int i = 0; i < group->n_members; ++i)
    is_linked |= match_rows(m, group->members[i], group->n_rows);
  if (!is_linked || group->n_members + s->n_fills >= BD_ROW_MEMBERS) return false;
  for (int j = group->n_rows - 1; j >= 0 && s->n_real == 1; --j) {
    if (m->rows[j] >= 0) continue;
    --group->n_rows;
    remove_row(m, group->n_rows, j);
    for (int i = 0; i < group->n_members; ++i) remove_row(group->members[i], group->n_rows, j);
  }
  bool is_right = are_rows_right(m, group->n_rows);
  for (int i = 0; i < group->n_members && is_right; ++i)
    is_right = are_rows_right(group->members[i], group->n_rows);
  return is_right;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Moves the fills of what it reads into the group, and then itself. */
static void join(sharing *s, bd_row_member *m) {
  bd_row_group *group = &s->group;
  int n_left = 0;
  for (int i = 0; i < s->n_fills; ++i) {
    bd_row_member *fill = s->fills[i];
    for (int j = 0; j < group->n_rows; ++j) fill->rows[j] = OPEN;
    if (!match_rows(fill, m, group->n_rows))
      s->fills[n_left++] = fill;
    else if (are_rows_right(fill, group->n_rows))
      group->members[group->n_members++] = fill;
    else
      free(fill); /* stays where it is */
  }
  s->n_fills = n_left;
  group->members[group->n_members++] = m;
  ++s->n_real;
}

/* False if they are known to be few, and threads would have nothing to share. */
static bool has_rows(const bd_row_group *group) {
  const bd_row_member *m = group->members[group->n_members - 1];
  int64_t n = 1;
  for (int j = 0; j < group->n_rows && n < LEAST_ROWS; ++j) {
    const int64_t size = m->s.sizes[m->rows[j]];
    n *= size < 0 || size > LEAST_ROWS ? LEAST_ROWS : size;
  }
  return n >= LEAST_ROWS;
}

static buddy_code finish(sharing *s) {
  buddy_code code = BUDDY_OK;
  if (s->n_real > 1 && has_rows(&s->group)) {
    code = bd_rows_write(&s->group);
    if (code == BUDDY_OK) bd_rows_merge(&s->group);
    if (code == BUDDY_OK && s->machine->has_fused) bd_rows_multiply(&s->group);
  }
  for (int i = 0; i < s->group.n_members; ++i) free(s->group.members[i]);
  s->group.n_members = s->n_real = 0;
  return code;
}

static void forget_fills(sharing *s) {
  while (s->n_fills > 0) free(s->fills[--s->n_fills]);
}

static bool meets(const bd_row_member *a, const bd_row_member *b) {
  for (int i = 0; i < a->s.n_operands; ++i) {
    for (int k = 0; k < b->s.n_operands; ++k) {
      if (is_shared(a, i, b, k)) return true;
    }
  }
  return false;
}

static bool touches(const bd_row_group *group, const bd_row_member *m) {
  for (int n = 0; n < group->n_members; ++n) {
    if (meets(group->members[n], m)) return true;
  }
  return false;
}

/* Stays where it is, and so do the fills of what it reads. */
static void leave(sharing *s, bd_row_member *m) {
  int n_left = 0;
  for (int i = 0; i < s->n_fills; ++i) {
    if (meets(s->fills[i], m))
      free(s->fills[i]);
    else
      s->fills[n_left++] = s->fills[i];
  }
  s->n_fills = n_left;
  free(m);
}

static buddy_code add(sharing *s, bd_row_member *m) {
  buddy_code code = BUDDY_OK;
  if (bd_row_is_fill(m)) {
    if (touches(&s->group, m)) code = finish(s);
    if (s->n_fills == MAX_PENDING) forget_fills(s);
    s->fills[s->n_fills++] = m;
    return code;
  }
  if (s->n_real > 0 && !fits(s, m)) code = finish(s);
  if (s->n_real == 0 && !start(s, m))
    leave(s, m);
  else
    join(s, m);
  return code;
}

/* Neither reads nor writes memory that members do, and may stand before them. */
static bool is_apart(MlirOperation op) {
  static const char *const names[] = {"memref.alloc", "memref.dim", "memref.get_global", NULL};
  if (bd_op_is_any(op, names)) return true;
  if (bd_op_is(op, "func.call")) { /* a check of sizes */
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      if (!mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetOperand(op, i)))) return false;
    }
    const MlirStringRef name = mlirFlatSymbolRefAttrGetValue(bd_op_attribute(op, "callee"));
    return mlirOperationGetNumResults(op) == 0 && name.length > 12 &&
           memcmp(name.data, "buddy.check_", 12) == 0;
  }
  return bd_op_is_view(op) ||
         (bd_op_starts_with(op, "arith.") && mlirOperationGetNumRegions(op) == 0);
}

static buddy_code share_in(MlirBlock block, const bd_machine *machine) {
  sharing s = {.machine = machine};
  buddy_code code = BUDDY_OK;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && code == BUDDY_OK) {
    const MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!is_apart(op)) {
      bd_row_member *m = read_member(op, &code);
      if (m) code = add(&s, m);
      if (!m && code == BUDDY_OK) {
        code = finish(&s);
        forget_fills(&s);
      }
    }
    op = next;
  }
  if (code == BUDDY_OK) code = finish(&s);
  for (int i = 0; i < s.group.n_members; ++i) free(s.group.members[i]);
  forget_fills(&s);
  return code;
}

/* Of the operation's blocks. */
static buddy_code share_below(MlirOperation op, const bd_machine *machine) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      BD_TRY(share_in(block, machine));
  }
  return BUDDY_OK;
}

static MlirWalkResult add_parent(MlirOperation op, void *user) {
  if (mlirOperationGetNumRegions(op) == 0) return MlirWalkResultAdvance;
  if (bd_op_starts_with(op, "linalg.") || bd_op_is_hoisted(op)) return MlirWalkResultSkip;
  return bd_ops_add(user, op) == BUDDY_OK ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

buddy_code bd_rows_share(MlirOperation root, const bd_machine *machine) {
  bd_ops parents = {NULL, 0, 0};
  mlirOperationWalk(root, add_parent, &parents, MlirWalkPreOrder);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < parents.n && code == BUDDY_OK; ++i)
    code = share_below(parents.items[i], machine);
  bd_ops_deinit(&parents);
  return code;
}
