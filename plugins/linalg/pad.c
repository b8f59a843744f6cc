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

static MlirValue inside(const be_body *body, la_edge edge, MlirValue at, MlirValue size) {
  const MlirValue zero = be_in_index(body, 0),
                  last = la_index_sub(body, size, be_in_index(body, 1));
  if (edge == LA_REFLECT) {
    /* |at|, then the distance from the last one back from it */
    const MlirValue size_of = BE_IN(body, "arith.maxsi", same, at, la_index_sub(body, zero, at));
    const MlirValue beyond = la_index_sub(body, la_index_add(body, last, last), size_of);
    at = BE_IN(body, "arith.minsi", same, size_of, beyond);
  }
  return BE_IN(body, "arith.maxsi", same, BE_IN(body, "arith.minsi", same, at, last), zero);
}

/* What negative amounts cut off is not part of what goes round. */
static MlirValue round_about(const be_body *body, const padding *p, uint32_t d) {
  const int64_t cut = la_negative_part(body->call, p->low[d]),
                cut_behind = la_negative_part(body->call, p->high[d]);
  const int64_t rest = be_dim(body->call, BUDDY_DIM_SUB, p->from->dims[d],
                              be_dim(body->call, BUDDY_DIM_ADD, cut, cut_behind));
  const MlirValue size = be_in_index(body, rest),
                  front = be_in_index(body, la_positive_part(body->call, p->low[d]));
  const MlirValue at = la_index_sub(body, be_in_loop(body, d), front);
  const MlirValue wrapped = la_index_mod(body, la_index_add(body, at, size), size);
  return la_index_add(body, wrapped, be_in_index(body, cut));
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
    const MlirValue at = la_index_sub(body, out[d], be_in_index(body, p->low[d]));
    out[d] = inside(body, p->edge, at, be_in_index(body, p->from->dims[d]));
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
    return be_result(call, 0, la_rearranged(call, value, to, p.from->rank, padded_position, &p));
  }
  const be_body block = la_block(call);
  const la_scalars s = {&block, to->dtype, NULL};
  return be_result(
      call, 0, la_padded(call, value, p.from, p.low, p.high, la_number(&s, row->value_arg, 0), to));
}
