// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/pad.c: tensor.pad for constants; other edges read the operand at a position
 * brought inside of it. */
#include <string.h>

#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};

const la_padding la_pad_constant = {.edge = LA_CONSTANT, .value_arg = 2},
                 la_pad_reflect = {.edge = LA_REFLECT}, la_pad_replicate = {.edge = LA_REPLICATE},
                 la_pad_circular = {.edge = LA_CIRCULAR},
                 la_pad_named = {.edge = LA_EDGE_NAMED, .mode_arg = 2, .value_arg = 3};

typedef struct padding {
  la_edge edge;
  const buddy_tensor_type *from;
  int64_t low[BE_MAX_RANK], high[BE_MAX_RANK];
} padding;

/* The distance from the first one, then that back from the last one. */
static MlirValue reflected(const be_body *body, MlirValue at, MlirValue last) {
  const MlirValue below = la_index_sub(body, be_in_index(body, 0), at),
                  distance = BE_IN(body, "arith.maxsi", same, at, below);
  return BE_IN(body, "arith.minsi", same, distance,
               la_index_sub(body, la_index_add(body, last, last), distance));
}

static MlirValue nearest(const be_body *body, MlirValue at, MlirValue last) {
  return BE_IN(body, "arith.maxsi", same, BE_IN(body, "arith.minsi", same, at, last),
               be_in_index(body, 0));
}

/* What negative amounts cut off is not part of what goes round, which may then go round again. */
static MlirValue round_about(const be_body *body, const padding *p, uint32_t d) {
  const int64_t cut = la_negative_part(body->call, p->low[d]),
                cut_behind = la_negative_part(body->call, p->high[d]);
  const int64_t rest = be_dim(body->call, BUDDY_DIM_SUB, p->from->dims[d],
                              be_dim(body->call, BUDDY_DIM_ADD, cut, cut_behind));
  const MlirValue size = be_in_index(body, rest),
                  front = be_in_index(body, la_positive_part(body->call, p->low[d]));
  const MlirValue at = la_index_sub(body, be_in_loop(body, d), front),
                  behind = la_index_add(body, at, size);
  if (cut != 0 || cut_behind != 0)
    return la_index_add(body, la_index_mod(body, behind, size), be_in_index(body, cut));
  const MlirValue is_before = be_in_compare(body, "lt", at, be_in_index(body, 0), BUDDY_I64);
  return be_in_select(body, is_before, behind, la_index_around(body, at, size));
}

static void padded_position(const be_body *body, MlirValue *out, void *user) {
  const padding *p = user;
  for (uint32_t d = 0; d < p->from->rank; ++d) {
    out[d] = be_in_loop(body, d);
    if (p->low[d] == 0 && p->high[d] == 0) continue;
    if (p->edge == LA_CIRCULAR) {
      out[d] = round_about(body, p, d);
      continue;
    }
    const MlirValue at = la_index_sub(body, out[d], be_in_index(body, p->low[d])),
                    size = be_in_index(body, p->from->dims[d]),
                    last = la_index_sub(body, size, be_in_index(body, 1));
    out[d] = p->edge == LA_REFLECT ? reflected(body, at, last) : nearest(body, at, last);
  }
}

/* A mirror shows what lies behind the edge, a round is gone once. */
static void check_amounts(buddy_call *call, const padding *p) {
  for (uint32_t d = 0; p->edge != LA_REPLICATE && d < p->from->rank; ++d) {
    if (p->low[d] == 0 && p->high[d] == 0) continue;
    const int64_t most =
        be_dim(call, BUDDY_DIM_SUB, p->from->dims[d], p->edge == LA_REFLECT ? 1 : 0);
    la_check_most(call, p->low[d], most, "the padding is larger than the tensor");
    la_check_most(call, p->high[d], most, "the padding is larger than the tensor");
  }
}

static buddy_code edge_of(buddy_call *call, const la_padding *row, la_edge *out_edge) {
  static const char *const names[] = {"constant", "reflect", "replicate", "circular"};
  *out_edge = row->edge;
  if (row->edge != LA_EDGE_NAMED) return BUDDY_OK;
  const buddy_arg *mode = be_arg(call, row->mode_arg);
  for (size_t i = 0; mode->kind == BUDDY_ARG_STRING && i < sizeof(names) / sizeof(names[0]); ++i) {
    if (strcmp(mode->as.string, names[i]) != 0) continue;
    *out_edge = (la_edge)i;
    return BUDDY_OK;
  }
  return be_decline(call, "an unknown padding mode");
}

/* The amounts come in pairs from the last dim on. */
static buddy_code read_amounts(buddy_call *call, padding *p) {
  const buddy_arg *amounts = be_arg(call, 1);
  const uint32_t rank = p->from->rank;
  if (amounts->kind != BUDDY_ARG_INTS || amounts->n > 2 * (size_t)rank || rank > BE_MAX_RANK) {
    return be_decline(call, "the padding does not fit a tensor of rank %u", rank);
  }
  for (size_t i = 0; i + 1 < amounts->n; i += 2) {
    p->low[rank - 1 - i / 2] = amounts->as.ints[i];
    p->high[rank - 1 - i / 2] = amounts->as.ints[i + 1];
  }
  return BUDDY_OK;
}

/* self, pad[, mode][, value] */
buddy_code la_emit_pad(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_padding *row = self->user;
  padding p = {.from = be_arg_type(call, 0)};
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (row->value_arg != 0) la_ignore(call, row->value_arg, 1);
  buddy_code code = edge_of(call, row, &p.edge);
  if (code == BUDDY_OK) code = read_amounts(call, &p);
  if (code != BUDDY_OK) return code;
  const MlirValue value = be_tensor(call, 0);
  if (p.edge != LA_CONSTANT) {
    check_amounts(call, &p);
    return be_result(call, 0, la_rearranged(call, value, to, p.from->rank, padded_position, &p));
  }
  const be_body block = la_block(call);
  const la_scalars s = {&block, to->dtype, NULL};
  return be_result(
      call, 0, la_padded(call, value, p.from, p.low, p.high, la_number(&s, row->value_arg, 0), to));
}
